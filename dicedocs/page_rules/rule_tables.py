"""The rows that stand in a line of a rule: ``6- miss, 7-9 weak hit``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import Final

from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.page_rule import TableRow
from dicedocs.page_rules.row_faults import Span, within
from dicedocs.page_rules.rule_lines import LookedUp
from dicedocs.page_rules.text_dice import find_dice
from dicedocs.parsing import QUOTATION, unquoted
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.similar_words import is_near, near
from dicedocs.syntax.foreign_words import spelling_of
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.parts import node_name
from dicedocs.syntax.ranges import OPEN, JoinedRangesError, Range, is_range, read_ranges
from dicedocs.syntax.relations import COMPARE, CONNECTIVES, DOWNWARDS, UPWARDS
from dicedocs.syntax.rule_values import corrected_value, parse_rule_value
from dicedocs.syntax.tree import Reference, nodes

ELSE: Final = "else"
"""What stands before the words for all other values."""
OTHERWISE: Final = {ELSE, "otherwise"}
"""How it may be written."""
_JOINED: Final = re.compile(
    r"(?:=+>?|[-\u2013\u2014\u2212]+>?(?=\s)(?!\s*[0-9])|[→⇒(])\s*|(?:is|means|then)\s+", re.IGNORECASE
)
"""What some write between numbers and what they mean."""
_SIGNED: Final = re.compile(r"[+\u2212\u2013-]?[0-9]+")
_SPACED_SIGN: Final = re.compile(r"([-+\u2212]?[0-9]+)\s+([-+\u2010-\u2015\u2212])")
_SIGN: Final = re.compile(r"[-+\u2010-\u2015\u2212<>=≤≥≠~&|/*×÷^%:;,]+|[0-9]\S*")
"""A number, or what joins numbers."""
_MARK: Final = re.compile(r'["“”„«»]')
_ROW: Final = re.compile(r"[0-9]+(?:[+]|[-\u2013][0-9]*)")
"""What begins a row as most are written."""
_CALL: Final = r"\w\((?:[^()]|\([^()]*\))*\)"
"""A call, in which commas part no rows."""
_REST: Final = (
    r"(?:else|otherwise|(?:(?:everything|anything|all)\s+(?:else|others?)|any\s+others?|(?:the\s+)?(?:rest|others?)))"
)
_REST_FIRST: Final = re.compile(rf"{_REST}\b\s*[:=]?\s*(?P<words>\S.*)", re.IGNORECASE)
_REST_LAST: Final = re.compile(rf"(?P<words>.*\S)\s+{_REST}", re.IGNORECASE)
_BEFORE: Final = re.compile(r"(?:(?:on|for|with)\s+)?(?:an?\s+|the\s+)?(?=\S)", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s*(?::|=+>?|->|→)\s*|\s+")
_REMAINDER: Final = re.compile(r"[^%=]+ % [0-9]+ = ")
_LONGEST: Final = 200
"""The characters of rows of which it is found out how they are meant."""
_CASES: Final = frozenset({"if", "unless", "while", "else", "otherwise"})
"""What makes a case of words, as in ``hit if open``."""
_JOINING: Final = frozenset({*CONNECTIVES, *_CASES, "not", "except", "to", "through", "until"})
_RANGE_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys((*UPWARDS, "plus", "min", "minimum", "at least"), "or more"),
    **dict.fromkeys((*DOWNWARDS, "minus", "max", "maximum", "at most"), "or less"),
    **dict.fromkeys(("~", "until", "up to"), "to"),
}
"""What stands behind a number for what :func:`spelling_of` does not know as a part of a range."""


def read_rows(
    line: LookedUp, names: Mapping[str, str] = MappingProxyType({}), known: Sequence[str] = ()
) -> Iterator[TableRow]:
    """Yield the rows that stand in a line: ``6- miss, 7-9 weak hit``, or ``small 2, large 5``.

    Parameters:
        line: the line.
        names: the names of the rule so far, by how they are written; none of them is words.
        known: the words that are looked up; none for numbers.
    """
    others: list[Range] = []
    items = list(row_items(line))
    kinds: dict[bool, str] = {}
    left = list(known)
    for place, (at, item) in enumerate(items, 1):
        words = item.split()
        if known:
            keys, words = _word_keys(item, known, left, line, at)
            left = [word for word in left if word not in keys]
            label = numbers = " or ".join(keys)
        elif is_rest(words[0]) and words[1:] and others:
            numbers, words = words[0].removesuffix(":"), words[1:]
            label = ", ".join(each.typed for each in rest_of(others))
        else:
            cuts = [at for at in range(1, len(words)) if is_range(" ".join(words[:at]))]
            if not cuts and is_range(item) and place < len(items):
                hint = f"write or between numbers, as in {item} or {items[place][1]}"
                raise line.text.error(f"no words stand behind {quoted(item)}", at, hint)
            if not cuts:
                raise no_row(line, at, item, names)
            label = numbers = " ".join(words[: cuts[-1]])
            check_sign(line, at, numbers, " ".join(words[cuts[-1] :]))
            words = words[cuts[-1] :]
            try:
                others += read_ranges(numbers)
            except JoinedRangesError as error:
                hint = " ".join([error.hint, *words]) if error.shared else error.hint
                raise line.text.error(error.message, at + error.at, hint) from None
        meaning = row_meaning(words, line, at, numbers, {**names, **{word: word for word in known}})
        is_number = _SIGNED.fullmatch(" ".join(words)) is not None
        if kinds.setdefault(is_number, meaning) and len(kinds) > 1:
            number = kinds[True]
            message = f"{quoted(number)} is a number, and {quoted(kinds[False])} is not"
            raise line.text.error(message, at, f'write "{number}" in quotes for a word, or only numbers')
        yield TableRow(keys if known else (label,), (meaning,))
    if left:
        raise line.text.error(f"{quoted(left[0])} is in no row", line.at, "add a row for it, or end with else")


def no_row(line: LookedUp, at: int, item: str, names: Mapping[str, str]) -> DiceError:
    """Return the error for a row that is none."""
    first, *others = item.split()
    if first.casefold() in CONNECTIVES:
        hint = 'put words with a comma in quotes, as in 1-3 "no, and"'
    elif first.casefold() in TYPED_TRUTHS:
        hint = "write what is yes or no behind if, as in 2d8 if critical, else 1d8"
    elif meant := _meant(line, names):
        hint = f"write {meant}"
    else:
        misspelled = next((word for word in (first, *others) if any(is_near(word, name) for name in names)), "")
        hint = near(misspelled, names) if misspelled and misspelled not in names else ""
        hint = hint or "write numbers and what they mean, as in 6- miss, 7-9 weak hit, 10+ strong hit"
    return line.text.error(f"{quoted(item)} is not a row", at, hint)


def check_sign(line: LookedUp, at: int, numbers: str, rest: str) -> None:
    """Refuse ``7 + hit``: 7 or more, or 7 and a word behind a sign."""
    if spaced_sign := _SPACED_SIGN.fullmatch(numbers):
        number, sign = spaced_sign.groups()
        hint = f"write {number}{'+' if sign == '+' else '-'} {rest}, or {number} {rest} for this number alone"
        raise line.text.error(f"ambiguous: {quoted(numbers)} before words", at, hint)


def _word_keys(
    item: str, known: Sequence[str], left: Sequence[str], line: LookedUp, at: int
) -> tuple[tuple[str, ...], list[str]]:
    """Return the words that a row is for, and the words behind them; ``else`` is for all that have no row yet."""
    keys, rest = list[str](), item.split()
    if is_rest(rest[0]) and rest[1:]:
        if not left:
            raise line.text.error(f"each word has a row before {quoted(rest[0])}", at, "leave this one out")
        keys, rest = list(left), rest[1:]
    longest = sorted(known, key=lambda word: len(word.split()), reverse=True)
    while not keys or (rest[0].casefold() == "or" and len(rest) > 1):
        rest = rest[1:] if keys else rest
        key = next((word for word in longest if _begins(rest, word)), None)
        if key is None:
            hint = near(rest[0], known) or "write a word and what it means, as in small 2, large 5"
            raise line.text.error(f"{line.subjects[0].value.strip()} is never {quoted(rest[0])}", at, hint)
        if key not in left or key in keys:
            raise line.text.error(f"{quoted(key)} is in two rows", at, "leave one of them out")
        keys.append(key)
        rest = rest[len(key.split()) :]
        if not rest:
            raise line.text.error(f"nothing stands behind {quoted(item)}", at, f"write what it means, as in {item} 2")
    return tuple(keys), rest


def _meant(line: LookedUp, names: Mapping[str, str]) -> str:
    """Return how a line is written whose rows are none, such as ``hit on 7+``; empty if that is not known."""
    subject, items = line.subjects[0].value.strip(), [item for _, item in row_items(line)]
    if sum(map(len, items)) > _LONGEST:
        return ""
    rows = [_meant_row(item, subject, bound_names(names)) for item in items]
    rows = _apart(rows) if rows != items else []
    remainders = {found[0] for row in rows if (found := _REMAINDER.match(row))}
    if len(remainders) == 1:  # even win, odd lose
        (remainder,) = remainders
        if not all(row.startswith((remainder, ELSE)) for row in rows):
            return ""
        subject, rows = remainder.removesuffix(" = "), [row.removeprefix(remainder) for row in rows]
    return f"{line.label} = {subject}: {', '.join(rows)}" if rows and all(rows) else ""


def _apart(rows: Sequence[str]) -> list[str]:
    """Return rows of which none has numbers of those before it: of ``10+ strong, 7+ weak`` the second is for 7-9."""
    before, apart = list[Range](), list[str]()
    for row in rows:
        cuts = [found for found in re.finditer(r"\s+", row) if is_range(row[: found.start()])]
        ranges = read_ranges(row[: cuts[-1].start()]) if cuts else ()
        free = [*rest_of(before)] if before else [OPEN]
        left = [both for each in ranges for other in free if (both := within(*Span.of(each)[:2], other))]
        numbers = " or ".join(each.typed for each in left)
        apart.append(f"{numbers} {row[cuts[-1].end() :]}" if left and left != [*ranges] else row)
        before += ranges
    return apart


def _meant_row(item: str, subject: str, names: Mapping[str, str]) -> str:
    """Return how a row is written: its condition stands first, or behind what it means."""
    for pattern in (_REST_FIRST, _REST_LAST):
        if rest := pattern.fullmatch(item):
            return f"{ELSE} {rest['words']}"
    cuts = [*_BETWEEN.finditer(item)]
    parts = [(item[: cut.start()], item[cut.end() :]) for cut in reversed(cuts)]
    parts += [(item[cut.end() :], item[: cut.start()]) for cut in cuts]
    split = [(_BEFORE.sub("", test, count=1), meaning) for test, meaning in parts]
    for at, (test, meaning) in enumerate(split):
        if is_range(test):
            return f"{test} {meaning}"
        if at >= len(cuts) and not re.match(COMPARE, test):
            continue
        for start in (f"{subject} is ", f"{subject} "):
            condition = corrected_value(start + test, names)
            if _REMAINDER.match(condition):
                return f"{condition} {meaning}"
            row = condition.removeprefix(f"{subject} ").removeprefix("is ")
            if row != condition:
                return f"{row} {meaning}"
    return ""


def _begins(words: Sequence[str], known: str) -> bool:
    """Return whether a row begins with a known word, which a colon may follow, as it may follow numbers."""
    parts = known.split()
    return " ".join(words[: len(parts)]).removesuffix(":").casefold() == " ".join(parts).casefold()


def is_rest(word: str) -> bool:
    """Return whether a row that begins with a word is for all other values."""
    return word.removesuffix(":").casefold() in OTHERWISE


def row_meaning(words: Sequence[str], line: LookedUp, at: int, numbers: str, names: Mapping[str, str]) -> str:
    """Return what a row in a line means; a number is one, whatever its sign.

    Parameters:
        words: what stands behind its numbers.
        line: the line.
        at: where the row stands in it.
        numbers: its numbers, or the word that it is for.
        names: the names of the rule so far.
    """
    text = " ".join(words)
    if re.fullmatch(QUOTATION, text):
        return unquoted(text)
    if _SIGNED.fullmatch(text):
        return text.replace("\u2212", "-").replace("\u2013", "-").lstrip("+")
    quotes = f'"{text}" in quotes'
    if joined := _JOINED.match(text):
        hint = f"write {numbers} {text[joined.end() :].strip('() ')}, or {quotes}"
        raise line.text.error(f"{quoted(joined[0].strip())} would be a part of the word", at, hint)
    if (stripped := text.rstrip(",;| ")) != text:
        message = f"{quoted(text[len(stripped) :].strip())} would be a part of the word"
        raise line.text.error(message, at, f"write {numbers} {stripped}, or {quotes}")
    if [each.written for each in find_dice(text, "cell")] == [text]:
        hint = f"write it as in {numbers} 2d6 + 1, or {quotes}"
        raise line.text.error(f"{quoted(text)} is no value of a rule", at, hint)
    if _MARK.search(text):
        hint = 'put words between two quotation marks, as in "hit"'
        raise line.text.error(f"{quoted(text)} is partly in quotes", at, hint)
    if found := _not_words(words, numbers, names):
        written, meant, spelling = found
        if not spelling and not meant:
            spelling = f"{numbers} ({text}) for its value"
        if not spelling:
            ways = ["numbers as in 7 or 11, 7-9 or 7+"] * (meant not in _CASES)
            case = f'"hit" if {line.subjects[0].value.strip()} >= 7 and open, else "miss"'
            ways += [f"cases as in {line.label} = {case}"] * (meant in {*CONNECTIVES, *_CASES})
            spelling = ", ".join(ways)
        hint = f"write {spelling}, or {quotes}"
        raise line.text.error(f"ambiguous: {quoted(written)} could be a word, or part of the rule", at, hint)
    return text


def _not_words(words: Sequence[str], numbers: str, names: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Return what could be more than the words of a row, what that means, and what to write for it.

    A value means nothing else; what to write is empty if it is not known.
    """
    text = " ".join(words)
    is_one = _SIGNED.fullmatch(numbers) is not None
    start = "" if numbers.casefold() in OTHERWISE else numbers
    for end in (3, 2, 1):
        written, rest = " ".join(words[:end]), words[end:]
        spelling = spelling_of(written) or written.casefold()
        spelling = _RANGE_WORDS.get(spelling, spelling)
        if spelling.startswith("or ") and not is_one:
            continue
        if spelling != written.casefold() and (read := _longer(start, [*spelling.split(), *rest])):
            return written, spelling, read
    if _is_value(text, names):
        return text, "", ""
    sign = _SIGN.match(text)
    if read := _longer(start, words) or (_longer(start, ["or", *words]) if sign else ""):
        return words[0], "or", read
    if sign:
        return sign[0], "or", "numbers as in 7 or 11, 7-9 or 7+"
    for at in range(len(words)):
        if at and at < len(words) - 1 and _ROW.fullmatch(words[at]):
            return words[at], "or", f"a comma before {' '.join(words[at:])}"
        written, meant = _joint(words[at:])
        if meant in (_CASES if at else _JOINING) and (at < len(words) - 1 or written == text):
            return written, meant, ""
    return None


def _joint(words: Sequence[str]) -> tuple[str, str]:
    """Return the joining word with which some words begin, and what the language has for it; empty without one."""
    for end in (3, 2, 1):
        written = " ".join(words[:end]).lstrip("(")
        plain = written.casefold()
        spelling = spelling_of(plain)
        if plain in _JOINING:
            return written, plain
        # In English she falls; in German it is "if". A word of another language that stands alone joins nothing.
        if spelling in {*CONNECTIVES, "to"} and words[end:] and plain != "falls":
            return written, spelling
    return "", ""


def _longer(numbers: str, words: Sequence[str]) -> str:
    """Return a row whose numbers go on in its words, as it is to be written; empty if they do not."""
    found = ""
    for end in range(1, len(words)):
        longer = f"{numbers} {' '.join(words[:end])}".strip()
        try:
            read_ranges(longer)
        except DiceError:
            continue
        found = " ".join([longer, *words[end:]])
    return found


def _is_value(text: str, names: Mapping[str, str]) -> bool:
    """Return whether words are a value: arithmetic, or a name of the rule."""
    try:
        parts = list(nodes(parse_rule_value(text, bound_names(names))))
    except DiceError:
        return False
    found = [node_name(each.name) for each in parts if isinstance(each, Reference)]
    return not found or not set(names.values()).isdisjoint(found)


def rest_of(ranges: Iterable[Range]) -> Iterator[Range]:
    """Yield the numbers that are in none of some ranges."""
    behind: int | None = None
    is_first = True
    for each in sorted(ranges, key=lambda one: -inf if one.low is None else one.low):
        if each.low is not None and (is_first or (behind is not None and each.low > behind)):
            yield Range(None if is_first else behind, each.low - 1)
        if each.high is None:
            return
        is_first, behind = False, max(each.high + 1, behind if behind is not None else each.high + 1)
    yield Range(behind, None)


def row_items(line: LookedUp) -> Iterator[tuple[int, str]]:
    """Yield the rows that stand in a line as written, each with its position in the line."""
    sign = next((sign for sign in ";|" if sign in line.bands), ",")
    for part in re.finditer(rf"(?!\s)(?:{QUOTATION}|{_CALL}|[^{sign}])+", line.bands):
        yield line.at + part.start(), " ".join(part[0].split())
