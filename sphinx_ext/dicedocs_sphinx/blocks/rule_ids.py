"""Ids of rules as an author writes them, with ranges: ``R3, R5..R8``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from dicedocs import limits

_ID: Final = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*")
_RANGE: Final = re.compile(r"(?P<prefix>.*?)(?P<first>[0-9]{1,6})\.\.(?P=prefix)(?P<last>[0-9]{1,6})")
_NUMBERED: Final = re.compile(r"(.*?)([0-9]{1,6})")
_RUN: Final = 3
"""The fewest ids in a row that are written as a range."""


def is_rule_id(text: str) -> bool:
    """Return whether a text can be the id of a rule."""
    return _ID.fullmatch(text) is not None


def expand_ids(text: str) -> list[str]:
    """Return the ids in a text, which are separated by spaces or commas; each once.

    A word that is neither an id nor a range of ids stays as it is.

    >>> expand_ids("R3, R5..R8 3.2.1")
    ['R3', 'R5', 'R6', 'R7', 'R8', '3.2.1']
    """
    return list(dict.fromkeys(each for word in text.replace(",", " ").split() for each in _expanded(word)))


def _expanded(word: str) -> Iterable[str]:
    match = _RANGE.fullmatch(word)
    if match is None:
        return [word]
    first, last = int(match["first"]), int(match["last"])
    if not first < last < first + limits.ITEMS.maximum or str(first) != match["first"]:
        return [word]
    return [f"{match['prefix']}{number}" for number in range(first, last + 1)]


def split_title(title: str) -> tuple[list[str], str]:
    """Return the ids at the beginning of the title of a rule, with commas between them, and the rest.

    >>> split_title("R3, R5..R6 The count")
    (['R3', 'R5', 'R6'], 'The count')
    """
    words = title.split()
    count = next((index for index, word in enumerate(words, 1) if not word.endswith(",")), len(words))
    return expand_ids(" ".join(words[:count])), " ".join(words[count:])


class IdRange(NamedTuple):
    """Ids that are written together: one, or several in a row."""

    text: str
    ids: list[str]


def id_ranges(ids: Iterable[str]) -> list[IdRange]:
    """Return ids as readers see them: three or more in a row are a range.

    >>> [each.text for each in id_ranges(["R3", "R4", "R7", "R8", "R9"])]
    ['R3', 'R4', 'R7–R9']
    """
    runs: list[list[str]] = []
    for each in ids:
        if runs and _follows(runs[-1][-1], each):
            runs[-1].append(each)
        else:
            runs.append([each])
    ranges: list[IdRange] = []
    for run in runs:
        if len(run) >= _RUN:
            ranges.append(IdRange(f"{run[0]}–{run[-1]}", run))
        else:
            ranges += [IdRange(each, [each]) for each in run]
    return ranges


def _follows(before: str, after: str) -> bool:
    """Return whether an id is the next one after another: the same but for its number, which is higher by one."""
    left, right = _NUMBERED.fullmatch(before), _NUMBERED.fullmatch(after)
    return left is not None and right is not None and left[1] == right[1] and int(left[2]) + 1 == int(right[2])
