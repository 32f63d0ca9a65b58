"""The lines of a rule in a page, read: what each gives a name to, what it looks up, and what is repeated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from dicedocs import limits
from dicedocs.errors import DiceError, quoted
from dicedocs.parsing import QUOTATION
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.parts import Part, RuleError, Text, check_bound, node_name, read_part
from dicedocs.syntax.ranges import Range, is_range
from dicedocs.syntax.tree import IT, Reference, nodes

_NAME: Final = r"[^\W\d_](?:[\w ]|[-'’](?=\w))*+"
_GIVEN: Final = re.compile(rf"(?P<name>{_NAME})=(?!=)\s*+(?P<value>.*)", re.DOTALL)
_MEANT: Final = re.compile(rf"{_NAME}(?P<sign>[-'’./&+])[-'’./&+\w ]*+=(?!=).*", re.DOTALL)
"""A line whose name has a sign that no name can have."""
_REPEAT: Final = re.compile(
    r"repeat(?:\s+(?:(?:(?:up\s+to|at\s+most)\s+)?(?P<times>.+?)\s+times))?"
    r"(?:\s+until\s+(?P<until>.+?))?\s*:?\s*",
    re.DOTALL | re.IGNORECASE,
)
_ROUNDS: Final = re.compile(
    r"(?=(?:repeat|while|until|loop|do|for|each|every)\b|[0-9]+\s+times\b)"
    r"(?:.*?(?P<until>\buntil\s.*?\S)(?:\s+repeat)?\s*:?"
    r"|(?:(?!\b(?:if|is|are)\b)[^<>=])*?(?P<times>\b[0-9]+|\btwice)\s*(?:x|times|rounds|turns)?\s*:?|.*)",
    re.IGNORECASE,
)
"""A line that means to repeat those below it, in other words."""
_TIMES_UNTIL: Final = re.compile(
    r"(?=.*?\b(?P<times>[0-9]+)\s+times\b).*?\buntil\s+(?P<until>.*?\S)(?:,?\s+or\s+[0-9]+\s+times)?\s*:?\Z",
    re.IGNORECASE,
)
_WHILE: Final = re.compile(r"\b(?:while|as\s+long\s+as)\s+(?P<test>.*?\S)\s*:?\Z", re.IGNORECASE)
_SLIP: Final = re.compile(r"(?:roll|throw|if)\s", re.IGNORECASE)
"""What may begin a line that is meant as one of a rule, and names no value."""
_TEST_FIRST: Final = re.compile(r"if\s+(?P<test>.+?)\s*(?::|,|\bthen\b)\s*(?P<line>.+)", re.IGNORECASE)
_CHANGED: Final = re.compile(r"(?P<name>[^\W\d_][\w ]*?)\s*(?P<sign>[-+*/:])=\s*(?P<value>.+)")
_TAKEN: Final = re.compile(r"\b(?:if|else|and|or|not|repeat|until)\b|\b[dD][0-9]+\b")
_AGAINST: Final = re.compile(
    r"(?P<one>[^,]*?\S)\s+(?:vs\.?|versus|against)\s+(?P<other>[^,]*?[^,\s])\s*", re.IGNORECASE
)
_NUMBERS: Final = re.compile(r"\s*[-<>≤≥0-9]")
_TEST: Final = re.compile(r"if\b", re.IGNORECASE)
_SUBJECTS: Final = re.compile(f'(?:{QUOTATION}|:=|[^":?])*')


class Given(NamedTuple):
    """``name = value``.

    Parameters:
        label: the name as written.
        value: the value.
    """

    label: str
    value: Part


class LookedUp(NamedTuple):
    """``name = value: 6- miss, 7+ hit``, or the table that stands below.

    Parameters:
        label: the name as written.
        subjects: what is looked up.
        bands: the rows that stand in the line; empty for the table below.
        text: the line.
        at: where the bands begin.
    """

    label: str
    subjects: tuple[Part, ...]
    bands: str
    text: Text
    at: int


class BandRow(NamedTuple):
    """A row that is a condition and a value.

    Parameters:
        at: where it stands in the line.
        written: what stands before its value.
        test: the condition; ``None`` for all that no other row has.
        ranges: the numbers that it is for; none if it is for others than numbers.
        value: the value.
    """

    at: int
    written: str
    test: Part | None
    ranges: tuple[Range, ...]
    value: Part


class Banded(NamedTuple):
    """``name = value: up to skill / 5 critical, else miss``: of some rows the first whose condition holds.

    Parameters:
        label: the name as written.
        subject: what is looked up.
        rows: the rows; that for all others is the last.
        text: the line.
    """

    label: str
    subject: Part
    rows: tuple[BandRow, ...]
    text: Text


class Repeated(NamedTuple):
    """Lines that are done again.

    Parameters:
        body: the lines.
        times: how often; ``None`` for no such number.
        until: what ends it; ``None`` if only the number does.
        text: the line that says so.
    """

    body: tuple[Line, ...]
    times: Part | None
    until: Part | None
    text: Text


Line: TypeAlias = Given | LookedUp | Banded | Repeated


def is_rule_line(text: str) -> bool:
    """Return whether a text is a line of a rule, and not prose.

    >>> [is_rule_line(text) for text in ("total = 2d6 + stat", "repeat 3 times", "Roll 2d6.", "| d6 | Loot |")]
    [True, True, False, False]
    """
    text = text.strip()
    found = _REPEAT.fullmatch(text) if len(text) <= limits.TEXT.maximum else None
    is_repeated = found is not None and bool(found["times"] or found["until"])
    return is_repeated or any(pattern.fullmatch(text) for pattern in (_GIVEN, _MEANT))


def begins_rule(paragraph: Sequence[str]) -> bool:
    """Return whether a paragraph is the lines of a rule, or means to be: its first line may be a slip.

    >>> begins_rule(["roll 2d6 + stat", "hit = total >= 7"]), begins_rule(["Roll 2d6 + stat:"])
    (True, False)
    """
    return any(is_rule_line(text) for text in paragraph[:1]) or (
        _SLIP.match(paragraph[0].strip()) is not None and any(_GIVEN.fullmatch(text.strip()) for text in paragraph[1:])
    )


def line_in_prose(prose: Sequence[str], rule: Sequence[str], options: Iterable[str]) -> int | None:
    """Return where prose behind a rule has a paragraph that begins as a line of it would; ``None`` if it has none.

    Such a line names dice, numbers, and what the rule and its options know; other words are those of a sentence.

    >>> prose = ["On a hit it burns.", "", "Luck = what the gods give.", "", "hit = total >= 5"]
    >>> line_in_prose(prose, ["total = 2d4"], [])
    4
    """
    known = {
        *map(node_name, options),
        *(node_name(match["name"]) for text in rule if (match := _GIVEN.fullmatch(text))),
    }
    for at, text in enumerate(prose):
        if (at and prose[at - 1].strip()) or not _GIVEN.fullmatch(text) or len(text) > limits.TEXT.maximum:
            continue
        try:
            line = _line(Text((text,), (0,), at), {})
        except DiceError:
            continue
        parts = line.subjects if isinstance(line, LookedUp) else (line.value,) if isinstance(line, Given) else ()
        names = {each.name for part in parts for each in nodes(part.tree) if isinstance(each, Reference)}
        if names <= {*known, IT.name}:
            return at
    return None


def read_lines(texts: Sequence[str], names: Mapping[str, str] = MappingProxyType({})) -> tuple[Line, ...]:
    """Return the lines of a rule.

    Parameters:
        texts: the lines.
        names: the names and words that they may have, beside those that they give.

    Raises:
        RuleError: one of them cannot be read.

    >>> total, = read_lines(["total = 2d6", "  + stat"])
    >>> total.label, total.value.text.joined
    ('total', 'total = 2d6 + stat')
    """
    limits.LINES.check(len(texts), hint="make several rules of it")
    for text in texts:
        limits.TEXT.check(len(text), hint="write several lines")
    indents = [len(text) - len(text.lstrip()) for text in texts]
    written = [(number, indents[number], text.strip()) for number, text in enumerate(texts) if text.strip()]
    given = [" ".join(match["name"].split()) for _, _, text in written if (match := _GIVEN.fullmatch(text))]
    labels = {label: node_name(label) for label in given if not _TAKEN.search(label)}
    return tuple(_read(written, bound_names({**names, **labels})))


_Written: TypeAlias = Sequence[tuple[int, int, str]]


def _read(written: _Written, names: Mapping[str, str]) -> Iterator[Line]:
    at = 0
    while at < len(written):
        number, indent, first = written[at]
        end = at + 1
        while end < len(written) and written[end][1] > indent:
            end += 1
        below = written[at + 1 : end]
        at = end
        match = _REPEAT.fullmatch(first)
        if match and (match["times"] or match["until"]):
            text = Text((first,), (indent,), number)
            if not below:
                raise text.error("nothing is repeated", len(first), "indent the lines to repeat")
            times = read_part(text, match.start("times"), match["times"], names) if match["times"] else None
            until = read_part(text, match.start("until"), match["until"], names) if match["until"] else None
            yield Repeated(tuple(_read(below, names)), times, until, text)
        else:
            lines = (first, *(line for _, _, line in below))
            yield _line(Text(lines, (indent, *(each for _, each, _ in below)), number), names)


def _line(text: Text, names: Mapping[str, str]) -> Line:
    joined = text.joined
    limits.TEXT.check(len(joined), hint="write several lines")
    _check_first(text)
    match = _GIVEN.fullmatch(joined)
    if match is None and (meant := _MEANT.fullmatch(joined)):
        name = joined.partition("=")[0].strip()
        hint = "use letters, digits and spaces, and inside words hyphens and apostrophes"
        raise text.error(f"{quoted(name)} cannot be a name", meant.start("sign"), hint)
    if match is None:
        thrown = re.match(r"(?:roll|throw)\s+(?P<value>.+)", joined, re.IGNORECASE | re.DOTALL)
        hint = f"write it as in total = {thrown['value'] if thrown else '2d6 + stat'}"
        raise text.error(f"{quoted(joined)} does not name a value", 0, hint)
    label = " ".join(match["name"].split())
    if "-" in label and all(part.strip().casefold() in names for part in label.split("-")):
        raise text.error(f"{quoted(label)} is also a difference of names", 0, "choose another name")
    if taken := _TAKEN.search(label):
        raise text.error(f"{quoted(taken[0])} cannot be part of a name", taken.start(), "use another word")
    value, start = match["value"], match.start("value")
    subjects = _SUBJECTS.match(value)
    end = subjects.end() if subjects else len(value)
    if value[end : end + 1] != ":" or _TEST.match(value):
        part = read_part(text, start, value, names)
        check_bound(part)
        return Given(label, part)
    items = list(_items(value[:end]))
    if (case := items[-1])[1].lstrip().startswith("else "):
        hint = "give what is looked up a name on a line above, and write that here"
        raise text.error("rows go on a line of their own, not in a case", start + case[0] + 1, hint)
    bands = value[end + 1 :]
    try:
        parts = tuple(read_part(text, start + at, part, names) for at, part in items)
    except RuleError as error:
        if against := _AGAINST.fullmatch(value[:end]):
            one, other = against["one"], against["other"]
            difference = f"{label} = {one} - {other}:{bands}, or " if _NUMBERS.match(bands) else ""
            error.hint = f"write {difference}{label} = {one}: over {other} win, else lose"
        raise
    return LookedUp(label, parts, bands.strip(), text, start + end + 1 + len(bands) - len(bands.lstrip()))


def _check_first(text: Text) -> None:
    """Refuse a line that begins with what is no name, and say what it may mean."""
    first, *below = text.lines
    is_given = _GIVEN.fullmatch(first) is not None
    is_listed = first.endswith(":") and all(each.endswith(",") for each in below[:-1])
    if below and is_given and not is_listed and all(is_range(each.partition(":")[0]) and ":" in each for each in below):
        hint = f"write them in that line, as in {first.rstrip(': ')}: 6- miss, 7-9 weak hit, 10+ strong hit"
        raise text.error("rows follow a colon", len(first) + 1, hint)
    if tested := _TEST_FIRST.fullmatch(first):
        hint = "write the name first: damage = 2d8 if critical, else 1d8"
        if given := _GIVEN.fullmatch(tested["line"]):
            value, *other = re.split(r",?\s+(?:else|otherwise)\b\s*:?\s*", given["value"], maxsplit=1)
            case = f"{value} if {tested['test']}, else {other[0] if other else '...'}"
            hint = f"write the name first: {given['name'].strip()} = {case}"
        raise text.error(f"{quoted(first)} does not name a value", 0, hint)
    is_repeated = any(_GIVEN.fullmatch(each) for each in below) and "=" not in first
    found = _ROUNDS.fullmatch(first) if below or first.casefold().startswith("repeat") else None
    if found and (is_repeated or not is_given or _TAKEN.search(first.partition("=")[0])):
        hint = "write repeat 3 times, or repeat until points = 0"
        if both := _TIMES_UNTIL.match(first):
            hint = f"write repeat {both['times']} times until {both['until']}"
        elif found["until"]:
            hint = f"write repeat {found['until']}"
        elif goes_on := _WHILE.search(first):
            hint = f"write repeat until not ({goes_on['test']})"
        elif times := found["times"]:
            hint = f"write repeat {2 if times.casefold() == 'twice' else times} times"
        what = "say how often" if first.rstrip(" :").casefold() == "repeat" else "repeat lines"
        raise text.error(f"{quoted(first)} does not {what}", 0, hint)
    if is_repeated:
        hint = "indent what belongs to it, or write repeat 3 times, or repeat until points = 0"
        raise text.error(f"{quoted(first)} does not name a value", 0, hint)
    if changed := _CHANGED.fullmatch(first):
        name, sign, value = changed["name"].strip(), changed["sign"], changed["value"]
        said = f"write {name} = {value}" if sign == ":" else f"write {name} = {name} {sign} {value}"
        raise text.error(f"{quoted(f'{name} {sign}')} cannot be a name", changed.start("sign"), said)


def _items(text: str) -> Iterator[tuple[int, str]]:
    """Yield what stands between the commas of a text that stand in no parentheses, with its position."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            yield start, text[start:at]
            start = at + 1
    yield start, text[start:]
