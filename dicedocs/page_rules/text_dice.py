"""Dice in the text of a page: the value in which they stand, as far as it goes, and the words that change them.

What is found is a text of the language of rules, whose reader says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, takewhile
from typing import Final, Literal, NamedTuple

from dicedocs.syntax.modifiers import modifier_pattern
from dicedocs.syntax.notation_mistakes import CHOOSES, FATE, RANKS
from dicedocs.syntax.relations import NUMBER_WORDS

Place = Literal["cell", "head", "sentence"]
"""Where dice stand: in a cell a name is the name of a thing, in a head or a sentence it may be added to them."""

_USUAL: Final = "4|6|8|10|12|20|30|100"
"""The sides of dice that a letter which is no d may have without a number before it: ``W6``."""
DIE: Final = rf"(?:[0-9]*+[dD](?:[0-9]++|%|[fF](?![^\W\d_]))|[0-9]++[wW](?:[0-9]++|%)|W(?:{_USUAL})(?![0-9]))"
"""A die in the text of a page, or several alike; in German it is a W."""
_OTHER_DIE: Final = re.compile(rf"(?<![\w.])([0-9]*)[wWtTkK](?=(?:{_USUAL}|2|66|%)(?!\w))")
"""A die in German, Swedish, Danish or Polish, as a book without markup may have it: ``2W6``, ``1T6``, ``k10``."""
_NUMBER: Final = r"[0-9]{1,3}(?:[,'’\x20][0-9]{3})++(?![0-9])|[0-9]++(?:\.[0-9]++)?"
_START: Final = r"(?:(?<![\w.])|(?<=[0-9)%\s][xX]))"
_END: Final = r"(?!(?!x\s?[0-9])[^\W\u00b9\u00b2\u00b3\u2070-\u2079]|\.[0-9])"
"""What follows a number or dice: no letter and no digit, but perhaps the mark of a footnote."""
_UNIT: Final = r"(?=(?!(?:st|nd|rd|th|[dDwW])\b)[^\W\d_xX][^\W\d_]*+(?!\w))"
"""A unit right behind a number, as in ``10gp``."""
_DICE_UNIT: Final = r"(?=(?!th\b)[^\W\d_A-Z]{2,}+(?!\w))"
"""A unit right behind dice; one letter, or capitals, may as well be another tool's modifier, as in ``2d20L``."""
_TOKEN: Final = re.compile(
    rf"""
      (?P<dice>{_START}(?:[0-9]{{1,3}},(?:[0-9]{{3}},)*+(?=[0-9]{{3}}[dD]))?+
        (?:{DIE}(?:{modifier_pattern()})*+{_END} | (?=[0-9]){DIE}{_DICE_UNIT}))
    | (?P<number>{_START}(?:{_NUMBER})(?:{_END}|{_UNIT}))
    | (?P<sign>[-+*×÷/\u2010-\u2015\u2212]|[xX](?=\s?(?:[0-9(]|[dD][0-9]))
        | (?:times|plus|minus|less)(?=\s++(?:[0-9(]|[dD][0-9])))
    | (?P<open>[(\[{{]) | (?P<close>[)\]}}])
    | (?P<word>[^\W\d_][\w'’]*+(?:-(?!{DIE}(?!\w))\w++)*+)
    | (?P<space>\s++)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBERS: Final = {word: str(number) for number, word in enumerate(NUMBER_WORDS)} | {
    "a": "1", "an": "1", "twelve": "12", "twenty": "20"
}  # fmt: skip
_SIGNS: Final = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015", "\u2212") | {
    **dict.fromkeys(("x", "X", "times"), "×"), "plus": "+", "minus": "\u2212", "less": "\u2212"
}  # fmt: skip
_MINUS: Final = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_ENDS: Final = frozenset({"or", "roll", "then", "if", "on", "of", "for", "to", "per", "at", "in", "with", "and", "as"})
"""Words that end a name which is added to dice."""
_ARTICLES: Final = frozenset({"a", "an", "the", "your", "their", "his", "her", "its", "our", "my"})
_LEADS: Final = _ARTICLES | {"half", "½", "twice", "number", "of"}
"""Words that stand before a name, and are no part of it."""
_OWN: Final = rf"(?:(?:{'|'.join(sorted(_ARTICLES))})\s++)?"
_COUNT: Final = rf"(?:[0-9]++|{'|'.join(NUMBER_WORDS)})"
_FACES: Final = r"(?:ones|twos|threes|fours|fives|sixes|doubles|[0-9]++s?)"
_CHANGES: Final = re.compile(
    rf"""
      (?P<open>\(\s*+)?+(?P<what>
          (?:(?:twice|thrice|{_COUNT}\s++times)\s*+,?\s*+(?:and\s++)?+)?+
            (?:{CHOOSES}|minus|whichever\s++is)\s++(?:the\s++|only\s++)*+(?:{_COUNT}\s++)?+{RANKS}\b
            (?:\s++(?:of\s++)?{_COUNT}\b)?
        | or\s++(?:[0-9]++|{DIE})\s*+[,(]?\s*+(?:whichever(?:\s++is|['’]s)|if)\s++(?:the\s++)?
            (?:low|high|great|larg|small|bett|wors)(?:er?|est)\b\)?
        | (?:the\s++)?(?:{_COUNT}\s++)?(?:best|worst|better|worse|lower|higher|lowest|highest|middle|median)
            (?:(?:\s++(?:{_COUNT}|die|dice|one|roll|result)\b)*+\s++{FATE}
            |\s++(?:{_COUNT}|die|dice|one|roll|result)\b|(?=\s*+(?:[).,;:]|\Z)))
        | (?:keep|tak|us)(?:es?|s|ing)?\s++(?:the\s++)?(?:middle|median)\b
        | (?:keep|drop)s?\s++{_COUNT}\b | k[hl]\b | (?:k[hl]?|d[hl])[0-9]++ | (?:min|max)(?:imum)?\s++(?:of\s++)?[0-9]++
        | (?:low|high)est\b(?:\s++[0-9]++\b)? | (?:low|high)er\b
        | (?:(?:with|at)\s++)?(?:dis)?advantage\b | (?:modified|adjusted)\s++by\s++(?!\d)\w++(?:\s++\w++)?
        | {_FACES}\s++(?:explode|are\s++rerolled) | (?:explod|re-?roll)\w*+(?:\s++(?:on\s++)?{_FACES}\b)?
        | (?:halve|double|triple)s?\s++(?:it|them|the\s++\w++)\b
        | ignor(?:e|ing)\s++{_FACES}(?![\w-]) | open-?\s?ended\b | (?:rounded|rounding|round)\s++up\b
        | halved\b | doubled\b | tripled\b | squared\b | (?:hundred|thousand|million)s?\b
        | times\s++(?:{"|".join(NUMBER_WORDS)})\b | (?:multiplied|divided)\s++by\s++\w++
      )(?(open)\s*+\))(?![\w-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What words do to the dice before them."""
_ADDS: Final = re.compile(
    r"(?P<sign>plus|minus|times|add(?:ing)?|subtract(?:ing)?)\s++(?P<what>[^.,:;()]{1,80})", re.IGNORECASE
)
_AMOUNTS: Final = frozenset({"level", "levels", "lvl", "rank", "ranks", "modifier", "mod", "bonus", "half"})
"""Words that stand for a number even where a name would be the name of a thing."""
_EACH: Final = re.compile(
    rf"(?P<each>\s*+/\s*+|\s++(?:per|for\s++(?:each|every))\s++){_OWN}"
    rf"(?P<of>(?:[^\W\d_]\w*+\s++)?(?P<amount>{'|'.join(sorted(_AMOUNTS))})\b|[^\W\d_][\w-]*+)",
    re.IGNORECASE,
)
"""What says behind dice, or behind a number, for each of what there are so many; dice are also thrown once per day."""
_IF: Final = r"\s++(?:if|when|while|unless)\s++(?P<test>[^.,;:()]{1,60})"
_ONLY_IF: Final = re.compile(rf"(?:\s*+\((?=\S)|(?=\s)){_IF.replace('s++', 's*+', 1)}", re.IGNORECASE)
_MORE: Final = re.compile(
    rf"\s*+(?:[,(]\s*+(?:(?:and|with)\s++)?|(?:and|with)\s++)(?:an?\s++)?"
    rf"(?P<sign>[-+\u2212])\s?(?P<more>[0-9]++(?:d[0-9]++)?)%?(?![\w\u2010-\u2015-])(?:{_EACH.pattern}|{_IF})?+",
    re.IGNORECASE,
)
"""A number with its sign behind a comma, or in parentheses."""
_EITHER: Final = re.compile(r"\s*+\(?(?:±|\+\s?/\s?[-\u2212])\s*+(?:\w++)?")
_LIMIT: Final = re.compile(r"(?P<which>min|max)(?:imum)?\s+(?:of\s+)?(?P<number>[0-9]+)", re.IGNORECASE)
_TAKEN_OFF: Final = re.compile(r"\A(?:minus|less)\b", re.IGNORECASE)
_LAST: Final = re.compile(r"(?P<base>.*\S)\s*+(?P<sign>[-+\u2212])\s*+(?P<more>[0-9]++)")
_TOUCHING: Final = re.compile(r"\s*+")
_GOING_ON: Final = re.compile(
    r"""
      \s*+ (?:on\s++(?:the|this)\s++(?:[\w-]++\s++){0,3}?(?:table|list)\b(?:\s++(?:below|above))?\s*+)?
      (?:[,;]\s*+ | \((?=plus|minus|add)
        | \.\s++(?=add\s++(?:(?:your|their)\b|\w++\s++(?:per|for\s++(?:each|every))\b)))? (?:and\s++|then\s++)*+
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What may stand between dice and the words that change them, in a cell and elsewhere."""
_UNREAD: Final = re.compile(
    rf"""
      (?:\s*+(?P<sign>[+×] | (?<=\s)\* | \*(?=\w))(?:\s*+(?:\Z | \?) | \s*+(?!(?:an?|the|one)\b)(?P<what>\w++))
        | \s++(?P<x>x)\s++(?P<name>(?:{"|".join(sorted(_AMOUNTS))})\b | (?-i:[A-Z])\w*+))
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What is added to dice, and is neither a number nor dice; ``+ a chest`` is another thing, ``1d6*`` has a footnote."""
_ADDED_UP: Final = re.compile(r"(?:them|it|up|both|together|all|the\s+(?:dice|results?|numbers?))\b", re.IGNORECASE)
_AROUND: Final = 80
"""How far words stand from the dice that they change."""
_BEFORE: Final = re.compile(
    rf"(?:half(?:\s++of)?|exploding|add(?:ing)?\s++[^.,:;]{{1,40}}?\s++to|twice|double|triple|thrice"
    rf"|(?:the\s++)?(?:{_COUNT}\s++)?(?:{RANKS}|middle|median)(?:\s++{_COUNT})?\s++(?:di(?:c?e)\s++)?(?:out\s++)?(?:of|from)(?:\s++the)?)\s++\Z",
    re.IGNORECASE,
)
"""What words do to the dice behind them."""
_CALL: Final = re.compile(r"\b(?:min|max)\(\s*+\Z")
_REST_OF_CALL: Final = re.compile(r"[^()]*+\)")

_ARITHMETIC: Final = frozenset({"open", "close", "number", "dice", "sign", "space"})
_LONGEST: Final = 100
"""How many tokens a value in parentheses has at most."""


def with_plain_dice(text: str) -> str:
    """Return a text of the same length with each die as the notation has it.

    >>> with_plain_dice("1W6, 2T6 or k10; room W12a")
    '1d6, 2d6 or d10; room W12a'
    """
    return _OTHER_DIE.sub(r"\1d", text)


class TextDice(NamedTuple):
    """Dice in a text.

    Parameters:
        at, end: where they begin and end, with all that belongs to them.
        written: as they stand there.
        value: the value, as the language of rules has it.
    """

    at: int
    end: int
    written: str
    value: str


class _Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.text)


def find_dice(text: str, place: Place) -> tuple[TextDice, ...]:
    """Return the dice of a text, from left to right.

    Parameters:
        text: what stands in the page.
        place: where.

    >>> [dice.value for dice in find_dice("(1d4 − 1) × 1,000 gp, or 10 + 1d6 gems", "cell")]
    ['(1d4 − 1) × 1000', '10 + 1d6']
    >>> [dice.value for dice in find_dice("Roll 2d6 and add your Heart:", "sentence")]
    ['2d6 + Heart']
    >>> [dice.value for dice in find_dice("3d6 drop lowest", "head")]
    ['3d6 drop lowest']
    """
    if place != "cell":
        text = _spelled(text)
    tokens = _tokens(text)
    found: list[TextDice] = []
    done = 0
    for index, token in enumerate(tokens):
        # 1d8/1d10 is one or the other, 1/2d6 no whole number of dice.
        slashed = place == "cell" and index > 1 and tokens[index - 1].text == "/"
        is_other = slashed and tokens[index - 2].kind in {"dice", "number"}
        if token.kind == "dice" and token.at >= done and not is_other:
            low, high = _run(tokens, index)
            low, high = (_with_sign(tokens, low), high) if place == "cell" else _with_names(tokens, low, high, place)
            found.append(_found(text, tokens[low : high + 1], place))
            done = found[-1].end
    return tuple(found)


def _tokens(text: str) -> list[_Token]:
    return [_Token(match.lastgroup or "", match[0], match.start()) for match in _TOKEN.finditer(text)]


def _run(tokens: Sequence[_Token], index: int) -> tuple[int, int]:
    """Return the first and the last token of the value in which dice stand."""
    low = high = index
    while True:
        before = low, high
        if (end := _operand_behind(tokens, high)) is not None:
            high = end
        if (start := _operand_before(tokens, low)) is not None:
            low = start
        first, last = _beside(tokens, low, -1), _beside(tokens, high, 1)
        if first is not None and last is not None and (tokens[first].kind, tokens[last].kind) == ("open", "close"):
            outer = _operand_before(tokens, first), _operand_behind(tokens, last)
            if outer != (None, None):
                low, high = first, last
        if (low, high) == before:
            return low, high


def _beside(tokens: Sequence[_Token], index: int, step: int) -> int | None:
    """Return the token beside another one, apart from spaces."""
    index += step
    if 0 <= index < len(tokens) and tokens[index].kind == "space":
        index += step
    return index if 0 <= index < len(tokens) else None


def _operand_behind(tokens: Sequence[_Token], high: int) -> int | None:
    """Return where an operand ends that a sign joins behind a value; ``None`` if there is none."""
    sign = _beside(tokens, high, 1)
    if sign is None or tokens[sign].kind != "sign":
        return None
    start = _beside(tokens, sign, 1)
    if start is None or (tokens[sign].text in "/÷" and tokens[start].kind != "number"):
        return None
    return _end_of_operand(tokens, start, 1)


def _operand_before(tokens: Sequence[_Token], low: int) -> int | None:
    """Return where an operand begins that a sign joins before a value; ``None`` if there is none."""
    sign = _beside(tokens, low, -1)
    if sign is None or tokens[sign].kind != "sign" or tokens[sign].text in "/÷":
        return None
    end = _beside(tokens, sign, -1)
    return None if end is None else _end_of_operand(tokens, end, -1)


def _end_of_operand(tokens: Sequence[_Token], index: int, step: int) -> int | None:
    """Return the far end of an operand: a number, dice, or a value in parentheses."""
    inner, outer = ("open", "close") if step > 0 else ("close", "open")
    if tokens[index].kind in {"number", "dice"}:
        return index
    if tokens[index].kind != inner:
        return None
    depth = 0
    for _ in range(_LONGEST):
        if not 0 <= index < len(tokens) or tokens[index].kind not in _ARITHMETIC:
            break
        depth += (tokens[index].kind == inner) - (tokens[index].kind == outer)
        if not depth:
            return index
        index += step
    return None


def _with_names(tokens: Sequence[_Token], low: int, high: int, place: Place) -> tuple[int, int]:
    """Return a value with the names that signs join to it; that of a head may have several words."""
    most = 1 if place == "sentence" else len(tokens)
    for step in (1, -1):
        while True:
            sign = _beside(tokens, high if step > 0 else low, step)
            if sign is None or tokens[sign].kind != "sign" or tokens[sign].text in "/÷":
                break
            is_hyphen = tokens[sign].text in _MINUS
            first = _beside(tokens, sign, step)
            if step > 0 and first is not None and (closed := _end_of_name(tokens, first)):
                high = closed
                break
            # A long dash behind words separates them from the dice: "Weather – d6".
            is_dash = step < 0 and tokens[sign].text in {"\u2013", "\u2014"}
            if first is None or tokens[first].kind != "word" or is_dash or (is_hyphen and abs(first - sign) == 1):
                break
            last, words = first, 0
            at: int | None = first
            while at is not None and tokens[at].kind == "word":
                # Backwards, the words before a name follow it, and it ends there.
                is_lead = _is_lead(tokens[at]) and (step < 0) == bool(words)
                most = words if is_lead and step < 0 else most
                has_more = (words < most or tokens[at].text.lower() in _AMOUNTS) and _is_of_name(tokens[at])
                if not is_lead and (not has_more or tokens[at].text.lower() in _ARTICLES):
                    break
                last, words = at, words + (not is_lead)
                at = _beside(tokens, at, step)
            if last == first and not words:
                break
            low, high = (low, last) if step > 0 else (last, high)
            if step > 0 and (end := _operand_behind(tokens, high)) is not None:
                high = end
    return low, high


def _end_of_name(tokens: Sequence[_Token], first: int) -> int | None:
    """Return where a name in brackets ends; ``None`` if it is none."""
    inner = list(takewhile(lambda each: each.kind in {"word", "space"}, tokens[first + 1 : first + _LONGEST]))
    end = first + 1 + len(inner)
    is_name = tokens[first].kind == "open" and inner and end < len(tokens) and tokens[end].kind == "close"
    return end if is_name else None


def _with_sign(tokens: Sequence[_Token], low: int) -> int:
    """Return where the dice of a cell begin with the sign that touches them, and the name that touches the sign."""
    sign = _beside(tokens, low, -1)
    if sign is None or tokens[sign].text not in {*"+-*×\u2013\u2212"}:
        return low
    name, touches = _beside(tokens, sign, -1), low - sign == 1
    before = tokens[sign - 1].kind if sign else "open"
    if tokens[sign].text == "\u2013":
        # Behind a word this dash separates two things.
        return sign if touches and before == "open" else low
    if name is not None and tokens[name].kind == "word":
        of = _beside(tokens, name, -1)
        is_amount = tokens[name].text.lower() in _AMOUNTS or re.fullmatch("[A-Z]{2,3}", tokens[name].text)
        is_unit = of is not None and tokens[of].kind in {"number", "dice"}
        if (touches and before == "word") or (is_amount and not is_unit and tokens[sign].text not in _MINUS):
            return name
    return sign if touches and tokens[sign].text in _MINUS and before in {"open", "space"} else low


def _is_of_name(token: _Token) -> bool:
    return token.kind == "word" and token.text.lower() not in _ENDS


def _is_lead(token: _Token) -> bool:
    return token.kind == "word" and token.text.lower() in _LEADS


def _named(words: Sequence[str]) -> str:
    """Return what words add, as the language has it: ``half your level`` is ``level / 2``."""
    leads = len(list(takewhile(lambda word: word.lower() in _LEADS, words)))
    before, name = {word.lower() for word in words[:leads]}, " ".join(words[leads:])
    if not name:
        return " ".join(words)
    return f"{name} / 2" if before & {"half", "½"} else f"2 * {name}" if "twice" in before else name


def _found(text: str, run: Sequence[_Token], place: Place) -> TextDice:
    at, end = run[0].at, run[-1].end
    value = _value(run)
    if (call := _CALL.search(text, max(0, at - _AROUND), at)) and (rest := _REST_OF_CALL.match(text, end)):
        at, end, value = call.start(), rest.end(), f"{call[0]}{value}{rest[0]}"
    if before := _BEFORE.search(text, max(0, at - _AROUND), at):
        at, value = before.start(), f"{' '.join(before[0].split())} {value}"
    between = (_TOUCHING if place == "cell" else _GOING_ON).match(text, end)
    start = between.end() if between else len(text)
    if (each := _EACH.match(text, end)) and _is_multiplied(each, run, place):
        end, value = each.end(), f"{value} per {each['of']}"
    elif change := _CHANGES.match(text, start):
        end, value = change.end(), _changed(value, " ".join(change["what"].split()), run[-1])
    elif (added := _ADDS.match(text, start)) and (found := _added(added["what"], place, added["sign"].lower())):
        size, name = found
        sign = {"minus": "-", "subtract": "-", "subtracting": "-", "times": "×"}.get(added["sign"].lower(), "+")
        end, value = (
            added.start("what") + size,
            f"{value}, {sign}{name}" if " if " in name else f"{value} {sign} {name}",
        )
    elif place != "cell" and (more := _MORE.match(text, end)):
        end, value = more.end(), _with_more(value, more)
    elif either := _EITHER.match(text, end):
        end, value = either.end(), f"{value} ±"
    elif place != "cell" and (only := _ONLY_IF.match(text, end)) and (last := _LAST.fullmatch(value)):
        # A sentence says so too when dice are thrown.
        if place == "head" or re.search(r"\s[-+\u2212][0-9]++\Z", text[:end]):
            end, value = only.end(), f"{last['base']}, {last['sign']}{last['more']} if {only['test'].strip()}"
    elif unread := _UNREAD.match(text, end):
        # The language refuses a sum of which a part is missing, or is a thing.
        end, value = unread.end(), f"{value} {unread['sign'] or '×'} {unread['what'] or unread['name'] or ''}".rstrip()
    return TextDice(at, end, text[at:end], value)


def _changed(value: str, change: str, last: _Token) -> str:
    """Return a value with the words that change it; behind a name a limit can only be that of the sum."""
    limit = _LIMIT.fullmatch(change)
    if limit and last.kind == "word":
        return f"{'max' if limit['which'].lower() == 'min' else 'min'}({value}, {limit['number']})"
    return f"{value} {_TAKEN_OFF.sub('without', change)}"


def _is_multiplied(each: re.Match[str], run: Sequence[_Token], place: Place) -> bool:
    """Return whether dice, or the number added to them, are there for each of something, and not thrown for each."""
    is_added = run[-1].kind in {"number", "dice"} and len(run) > 1 and place != "cell"
    is_added = is_added and each["of"].lower() not in _ENDS
    return (is_added and (place == "head" or "/" not in each["each"])) or each["amount"] is not None


def _with_more(value: str, more: re.Match[str]) -> str:
    """Return a value with a number behind a comma, or in parentheses."""
    if more["test"]:
        return f"{value}, {more['sign']}{more['more']} if {more['test'].strip()}"
    if more["of"]:
        return f"{value} {more['sign']} {more['more']} per {more['of']}"
    return f"{value} ({more['sign']}{more['more']})"


def _added(what: str, place: Place, sign: str) -> tuple[int, str] | None:
    """Return the number, the dice or the name that words add to dice, and where it ends; none if it is a thing."""
    if _ADDED_UP.match(what):
        return None
    tokens = _tokens(what)
    owned = bool(tokens) and tokens[0].text.lower() in _ARTICLES - {"a", "an", "the"}
    words = [token for token in tokens if token.kind != "space" and token.text.lower() not in _ARTICLES]
    if not words:
        return None
    first = words[0].text
    if words[0].kind in {"number", "dice"} or first.lower() in _NUMBERS:
        number = _NUMBERS.get(first.lower(), first)
        each = _EACH.match(what, words[0].end)
        if each and (each["amount"] or (place != "cell" and each["of"].lower() not in _ENDS)):
            return each.end(), f"{number} per {each['of']}"
        only = _ONLY_IF.match(what, words[0].end)
        return (only.end(), f"{number} if {only['test'].strip()}") if only else (words[0].end, number)
    is_amount = owned or first[:1].isupper() or first.lower() in _AMOUNTS
    if words[0].kind != "word" or not (is_amount or (place != "cell" and sign != "times")):
        return None
    name = list(takewhile(lambda word: _is_lead(word) or _is_of_name(word), words))
    return (name[-1].end, _named([word.text for word in name])) if any(map(_is_of_name, name)) else None


def _value(run: Sequence[_Token]) -> str:
    """Return a value as the language writes it."""
    pieces: list[str] = []
    for is_name, tokens in groupby(run, lambda token: token.kind in {"word", "space"}):
        if is_name:
            name = _named("".join(token.text for token in tokens).split())
            is_factor = pieces and pieces[-1].strip() in {"*", "×"}
            pieces.append(f" ({name}) " if is_factor and "/" in name else f" {name} ")
        else:
            pieces += map(_written, tokens)
    return " ".join("".join(pieces).split())


def _written(token: _Token) -> str:
    match token.kind:
        case "dice":
            return re.sub("[DWw]", "d", token.text.replace(",", ""))
        case "number":
            return re.sub("[,'’]| (?=000)", "", token.text)
        case "open" | "close":
            return "(" if token.kind == "open" else ")"
        case "sign":
            return f" {_SIGNS.get(token.text, token.text)} "
    return token.text


_ALMOST: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\w.])([0-9]++)\s?d(?:\s|d)([0-9]++)",
        rf"(?<![\w.,:\u2010-\u2015-])((?!(?:1|one)\b)(?:[0-9]++|{'|'.join(NUMBER_WORDS)}))\s++d([0-9]++|%|F\b)",
    )
)
_RANGE: Final = re.compile(
    r"(?<![\w.])(?:([0-9]*+d[0-9]++)\s?[\u2013\u2014]\s?([0-9]*+d[0-9]++)|(d[0-9]++)-(d[0-9]++))(?!\w)", re.IGNORECASE
)
"""Two dice with a dash between them, which may be a range of dice as well as a minus."""
_SIDED: Final = re.compile(
    rf"\b(an?|[0-9]++|{'|'.join(NUMBER_WORDS)})\s++([0-9]++|four|six|eight|ten|twelve|twenty)[-\s]sided\s++(?:die|dice)\b",
    re.IGNORECASE,
)
_HALF: Final = re.compile(r"(?<![\w/.])1\s?/\s?2(?=\s+[^\W\d_])")
_LIKE_DICE: Final = re.compile(
    r"(?:(?<!\w)|(?<=\d)(?=/))(?:(?:[lI]|[\d½⅓¼¾.,/]{0,12}+)[dDwW](?:\d+|%)|[0-9]+[DW](?!\w))"
)


def almost_dice(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield where a text has what is almost dice, what that is, and what would be.

    >>> list(almost_dice("2d 6 damage, 3dd6 damage, two d8"))
    [(0, '2d 6', '2d6'), (13, '3dd6', '3d6'), (26, 'two d8', '2d8')]
    >>> list(almost_dice("d4–d8"))
    [(0, 'd4–d8', 'd4 or d8, or d4 - d8')]
    """
    for match in chain.from_iterable(each.finditer(text) for each in _ALMOST):
        yield match.start(), match[0], _as_dice(match)
    for match in _RANGE.finditer(text):
        low, high = filter(None, match.groups())
        yield match.start(), match[0], f"{low} or {high}, or {low} - {high}"


def _spelled(text: str) -> str:
    """Return a text with dice where it says them in words.

    >>> _spelled("Roll a six-sided die, or two d8")
    'Roll 1d6, or 2d8'
    """
    for pattern in (_SIDED, *_ALMOST):
        text = pattern.sub(_as_dice, text)
    return _HALF.sub("½", text)


def _as_dice(match: re.Match[str]) -> str:
    count, sides = (_NUMBERS.get(each.lower(), each) for each in match.groups())
    return f"{count}d{sides}"


def unread_dice(text: str) -> Iterator[str]:
    """Yield what looks like dice in a cell, and is read as text.

    >>> list(unread_dice("1d8/1d10 or ½d6, 2D, ld6; 2d4"))
    ['1d10', '½d6', '2D', 'ld6']
    """
    rest, end = "", 0
    for dice in find_dice(text, "cell"):
        rest, end = f"{rest}{text[end : dice.at]} ", dice.end
    for match in _LIKE_DICE.finditer(rest + text[end:]):
        yield match[0].lstrip("/.,")
