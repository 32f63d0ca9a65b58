"""What rows of a line come to that cannot be read there: ``up to skill hit, otherwise miss``, ``hit on 7+``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Final, NamedTuple

from dicedocs.parsing import QUOTATION, unquoted
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.ranges import Range, is_range, read_ranges
from dicedocs.syntax.relations import CONNECTIVES, KEYWORD
from dicedocs.syntax.rule_values import corrected_value

_REST: Final = (
    r"(?:else|otherwise|(?:(?:everything|anything|all)\s+(?:else|others?)|any\s+others?|(?:the\s+)?(?:rest|others?)))"
)
_REST_FIRST: Final = re.compile(rf"{_REST}\b\s*[:=]?\s*(?P<words>\S.*)", re.IGNORECASE)
_REST_LAST: Final = re.compile(rf"(?P<words>.*\S)\s+{_REST}", re.IGNORECASE)
_BEFORE: Final = re.compile(r"(?:(?:on|for|with)\s+)?(?:an?\s+|the\s+)?(?=\S)", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s*(?::|=+>?|->|→)\s*|\s+")

_WORDS: Final = re.compile(rf"(?:(?!(?:{'|'.join(CONNECTIVES)})\b)[^\W\d_][\w'’-]*\s*)+", re.IGNORECASE)
"""The words that a row may mean without quotes."""
_LONGEST: Final = 200
"""The characters of rows of which it is found out."""


class _Row(NamedTuple):
    """A row that is meant.

    Parameters:
        test: the condition that it is for; empty for the rest.
        ranges: the numbers that it is for, if these are known.
        meaning: what it means.
        is_word: whether that is a word, or a number.
    """

    test: str
    ranges: tuple[Range, ...]
    meaning: str
    is_word: bool


def meant_line(label: str, subject: str, items: Sequence[str], names: Mapping[str, str]) -> str:
    """Return a line whose rows cannot be read as it can be written; empty if that is not known.

    Rows for numbers that mean words stay rows. Those that have names or sums, and those that mean dice or a value, are
    cases, the last of which is for the rest.

    Parameters:
        label: the name that the line gives.
        subject: what is looked up.
        items: the rows as written.
        names: the name in trees of each name that is known there.

    >>> known = {"total": "total", "skill": "skill"}
    >>> meant_line("r", "total", ["half skill or less: hard", "skill or less hit", "miss otherwise"], known)
    'r = "hard" if total is skill / 2 or less, "hit" if total is skill or less, else "miss"'
    >>> meant_line("r", "total", ["hit on 7+", "miss on 6-"], known)
    'r = total: 7+ hit, 6 or less miss'
    >>> meant_line("damage", "total", ["10+ 2d6", "else 0"], known)
    'damage = 2d6 if total is 10+, else 0'
    """
    if sum(map(len, items)) > _LONGEST:
        return ""
    bound = bound_names(names)
    rows = [next(_ways(item, subject, bound), None) for item in items]
    if not rows or not all(rows) or any(not row.test for row in rows[:-1] if row):
        return ""
    read = [row for row in rows if row]
    ranges = [each for row in read for each in row.ranges]
    are_rows = all(row.is_word and (row.ranges or not row.test) for row in read)
    if are_rows and not any(_meet(*pair) for pair in combinations(ranges, 2)):
        return f"{label} = {subject}: " + ", ".join(f"{_numbers(row) or 'else'} {_word(row)}" for row in read)
    are_words = {row.is_word and not row.meaning.isdecimal() for row in read}
    if len(are_words) > 1:
        return ""
    values = [f'"{row.meaning}"' if True in are_words else row.meaning for row in read]
    cases = [f"{value} if {row.test}" for value, row in zip(values[:-1], read[:-1], strict=True)]
    value = ", ".join([*cases, f"else {values[-1]}"])
    return f"{label} = {value}" if cases and corrected_value(value, bound) == value else ""


def _meet(one: Range, other: Range) -> bool:
    """Return whether a number is in both ranges."""
    low = max(-inf if each.low is None else each.low for each in (one, other))
    return low <= min(inf if each.high is None else each.high for each in (one, other))


def _numbers(row: _Row) -> str:
    return " or ".join(each.typed for each in row.ranges)


def _word(row: _Row) -> str:
    return f'"{row.meaning}"' if re.search(KEYWORD, row.meaning) else row.meaning


def _ways(item: str, subject: str, names: Mapping[str, str]) -> Iterator[_Row]:
    """Yield the ways to read a row, numbers before conditions, and those that stand first before those behind."""
    for pattern in (_REST_FIRST, _REST_LAST):
        if rest := pattern.fullmatch(item):
            yield from _row("", (), rest["words"], names)
    cuts = [*_BETWEEN.finditer(item)]
    parts = [(item[: cut.start()], item[cut.end() :]) for cut in reversed(cuts)]
    parts += [(item[cut.end() :], item[: cut.start()]) for cut in cuts]
    split = [(_BEFORE.sub("", test, count=1), meaning) for test, meaning in parts if meaning]
    for test, meaning in split:
        if is_range(test):
            ranges = read_ranges(test)
            yield from _row(f"{subject} is {' or '.join(each.typed for each in ranges)}", ranges, meaning, names)
    for test, meaning in split:
        for written in (f"{subject} is {test}", f"{subject} {test}"):
            if condition := corrected_value(written, names):
                yield from _row(re.sub(r"\bis (?=[<>])", "", condition), (), meaning, names)


def _row(test: str, ranges: tuple[Range, ...], meaning: str, names: Mapping[str, str]) -> Iterator[_Row]:
    """Yield a row if it means a word or a value."""
    if re.fullmatch(QUOTATION, meaning):
        yield _Row(test, ranges, unquoted(meaning), True)
    elif corrected_value(meaning, names) == meaning:
        yield _Row(test, ranges, meaning, meaning.isdecimal())
    elif _WORDS.fullmatch(meaning):
        yield _Row(test, ranges, meaning, True)
