"""Dice in the text of a page: the value in which they stand, as far as it goes, and the words that change them.

What is found is a text of the language of rules, whose reader says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from typing import Final, Literal, NamedTuple

from dicedocs.syntax.modifiers import modifier_pattern
from dicedocs.syntax.relations import NUMBER_WORDS

Place = Literal["cell", "head", "sentence"]
"""Where dice stand: in a cell a name is the name of a thing, in a head or a sentence it may be added to them."""

DIE: Final = (
    r"(?:[0-9]*+[dD](?:[0-9]++|%|[fF](?![^\W\d_]))|[0-9]++[wW](?:[0-9]++|%)|W(?:4|6|8|10|12|20|30|100)(?![0-9]))"
)
"""A die in the text of a page, or several alike; in German it is a W."""
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
_COUNT: Final = r"(?:one|two|three|four|five|[0-9]++)"
_FACES: Final = r"(?:ones|twos|threes|fours|fives|sixes|[0-9]++s?)"
_RANK: Final = r"(?:low|high|worst|best|better|worse|top|bottom)\w*+"
_CHANGES: Final = re.compile(
    rf"""
      (?P<open>\(\s*+)?+(?P<what>
          (?:(?:twice|thrice|{_COUNT}\s++times)\s*+,?\s*+(?:and\s++)?+)?+
            (?:(?:keep|pick|discard)(?:s|ing)?|drop(?:s|ping)?|(?:tak|us|choos|remov|ignor|los)(?:es?|ing))\s++
            (?:the\s++|only\s++)*+(?:{_COUNT}\s++)?+{_RANK}(?:\s++(?:of\s++)?{_COUNT}\b)?
        | (?:keep|drop)s?\s++{_COUNT}\b | k[hl]\b | (?:k[hl]?|d[hl])[0-9]++ | (?:min|max)(?:imum)?\s++(?:of\s++)?[0-9]++
        | (?:low|high)est\b(?:\s++[0-9]++\b)? | (?:low|high)er\b
        | (?:with\s++)?(?:dis)?advantage\b
        | {_FACES}\s++(?:explode|are\s++rerolled) | (?:explod|re-?roll)\w*+(?:\s++(?:on\s++)?{_FACES}\b)?
        | (?:halve|double|triple)s?\s++(?:it|them|the\s++\w++)\b
        | halved\b | doubled\b | tripled\b | squared\b | (?:hundred|thousand|million)s?\b
        | times\s++(?:{"|".join(NUMBER_WORDS)})\b | (?:multiplied|divided)\s++by\s++\w++
      )(?(open)\s*+\))(?![\w-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What words do to the dice before them."""
_ADDS: Final = re.compile(
    r"(?P<sign>plus|minus|add(?:ing)?|subtract(?:ing)?)\s++(?P<what>[^.,:;()]{1,80})", re.IGNORECASE
)
_AMOUNTS: Final = frozenset({"level", "levels", "lvl", "modifier", "mod", "bonus", "half"})
"""Words that stand for a number even where a name would be the name of a thing."""
_TOUCHING: Final = re.compile(r"\s*+")
_GOING_ON: Final = re.compile(
    r"""
      \s*+ (?:on\s++(?:the|this)\s++(?:[\w-]++\s++){0,3}?(?:table|list)\b(?:\s++(?:below|above))?\s*+)?
      (?:[,;]\s*+ | \.\s++(?=add\s++(?:your|their)\b))? (?:and\s++|then\s++)*+
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What may stand between dice and the words that change them, in a cell and elsewhere."""
_UNREAD: Final = re.compile(
    rf"""
      (?:\s*+(?P<sign>[+×] | (?<=\s)\* | \*(?=\w))(?:\s*+\Z | \s*+(?!(?:an?|the|one)\b)(?P<what>\w++))
        | \s++(?P<x>x)\s++(?P<name>(?:{"|".join(sorted(_AMOUNTS))})\b | (?-i:[A-Z])\w*+))
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What is added to dice, and is neither a number nor dice; ``+ a chest`` is another thing, ``1d6*`` has a footnote."""
_ADDED_UP: Final = re.compile(r"(?:them|it|up|both|together|all|the\s+(?:dice|results?|numbers?))\b", re.IGNORECASE)
_AROUND: Final = 80
"""How far words stand from the dice that they change."""
_BEFORE: Final = re.compile(
    rf"(?:half(?:\s++of)?|exploding|add(?:ing)?\s++[^.,:;]{{1,40}}?\s++to|twice|double|triple|thrice|(?:the\s++)?{_RANK}(?:\s++{_COUNT})?\s++of)\s++\Z",
    re.IGNORECASE,
)
"""What words do to the dice behind them."""
_CALL: Final = re.compile(r"\b(?:min|max)\(\s*+\Z")
_REST_OF_CALL: Final = re.compile(r"[^()]*+\)")

_ARITHMETIC: Final = frozenset({"open", "close", "number", "dice", "sign", "space"})
_LONGEST: Final = 100
"""How many tokens a value in parentheses has at most."""


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
            # A long dash behind words separates them from the dice: "Weather – d6".
            is_dash = step < 0 and tokens[sign].text in {"\u2013", "\u2014"}
            if first is None or tokens[first].kind != "word" or is_dash or (is_hyphen and abs(first - sign) == 1):
                break
            last, words = first, 0
            at: int | None = first
            while at is not None and words < most and _is_of_name(tokens[at]):
                last, words = at, words + 1
                at = _beside(tokens, at, step)
            if not words:
                break
            low, high = (low, last) if step > 0 else (last, high)
            if step > 0 and (end := _operand_behind(tokens, high)) is not None:
                high = end
    return low, high


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


def _found(text: str, run: Sequence[_Token], place: Place) -> TextDice:
    at, end = run[0].at, run[-1].end
    value = _value(run)
    if (call := _CALL.search(text, max(0, at - _AROUND), at)) and (rest := _REST_OF_CALL.match(text, end)):
        at, end, value = call.start(), rest.end(), f"{call[0]}{value}{rest[0]}"
    if before := _BEFORE.search(text, max(0, at - _AROUND), at):
        at, value = before.start(), f"{' '.join(before[0].split())} {value}"
    between = (_TOUCHING if place == "cell" else _GOING_ON).match(text, end)
    start = between.end() if between else len(text)
    if change := _CHANGES.match(text, start):
        end, value = change.end(), f"{value} {' '.join(change['what'].split())}"
    elif (added := _ADDS.match(text, start)) and (name := _added(added["what"], place)):
        sign = "-" if added["sign"].lower().startswith(("minus", "subtract")) else "+"
        end = added.start("what") + added["what"].index(name) + len(name)
        value = f"{value} {sign} {_NUMBERS.get(name.lower(), name)}"
    elif unread := _UNREAD.match(text, end):
        # The language refuses a sum of which a part is missing, or is a thing.
        end, value = unread.end(), f"{value} {unread['sign'] or '×'} {unread['what'] or unread['name'] or ''}".rstrip()
    return TextDice(at, end, text[at:end], value)


def _added(what: str, place: Place) -> str:
    """Return the number, the dice or the name that words add to dice; empty if what follows is a thing."""
    if _ADDED_UP.match(what):
        return ""
    tokens = _tokens(what)
    owned = bool(tokens) and tokens[0].text.lower() in _ARTICLES - {"a", "an", "the"}
    words = [token for token in tokens if token.kind != "space" and token.text.lower() not in _ARTICLES]
    if not words:
        return ""
    if words[0].kind in {"number", "dice"}:
        return words[0].text
    first = words[0].text
    if first.lower() in _NUMBERS:
        return first
    is_amount = owned or first[:1].isupper() or first.lower() in _AMOUNTS
    if words[0].kind != "word" or not (is_amount or place != "cell"):
        return ""
    name = list(takewhile(_is_of_name, words))
    return what[name[0].at : name[-1].end] if name else ""


def _value(run: Sequence[_Token]) -> str:
    """Return a value as the language writes it."""
    pieces: list[str] = []
    for token in run:
        match token.kind:
            case "dice":
                pieces.append(re.sub("[DWw]", "d", token.text.replace(",", "")))
            case "number":
                pieces.append(re.sub("[,'’]| (?=000)", "", token.text))
            case "open" | "close":
                pieces.append("(" if token.kind == "open" else ")")
            case "sign":
                pieces.append(f" {_SIGNS.get(token.text, token.text)} ")
            case _:
                pieces.append(token.text)
    return " ".join("".join(pieces).split())


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
    return text


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
