"""The numbers that a row of a table is for, as books write them: ``4–5``, ``6 or less``, ``96–00``, ``2, 12``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.syntax.relations import RANGE

EXAMPLES: Final = "3, 4–5, 6 or less, 7+"
"""Ranges, for hints."""

_BEFORE: Final = re.compile(r"\s*+[(]?\s*+")
_BETWEEN: Final = re.compile(r"\s*+(?:[,;/&]\s*+(?:(?:or|and)\b\s*+)?|(?:or|(?P<both>and|but))\b\s*+)", re.IGNORECASE)
_AFTER: Final = re.compile(r"[\s.:)]*+\Z")
_GROUPED: Final = re.compile(r"(?<![0-9])[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])")


class Range(NamedTuple):
    """Numbers that follow one another.

    Parameters:
        low: the lowest; ``None`` if there is none.
        high: the highest; ``None`` if there is none.

    >>> print(Range(4, 5), Range(3, 3), Range(None, 6), Range(7, None), Range(-3, -1), sep=", ")
    4–5, 3, 6 or less, 7+, -3 to -1
    """

    low: int | None
    high: int | None

    def holds(self, number: int) -> bool:
        """Return whether a number is in the range."""
        return (self.low is None or self.low <= number) and (self.high is None or number <= self.high)

    @property
    def typed(self) -> str:
        """The range as it is typed."""
        return str(self).replace("\u2013", "-")

    def __str__(self) -> str:
        if self.low is None:
            return "any number" if self.high is None else f"{self.high} or less"
        if self.high is None:
            return f"{self.low}+" if self.low >= 0 else f"{self.low} or more"
        if self.low == self.high:
            return str(self.low)
        return f"{self.low}–{self.high}" if min(self.low, self.high) >= 0 else f"{self.low} to {self.high}"


class JoinedRangesError(NotationError):
    """Ranges joined by a word that means the numbers of both: ``> 4 and < 9``.

    Parameters:
        shared: the numbers of both; ``None`` if there are none.
    """

    def __init__(self, message: str, *, text: str, at: int, shared: Range | None) -> None:
        super().__init__(message, text=text, at=at, hint=f"write {shared.typed}" if shared else "write or")
        self.shared = shared


OPEN: Final = Range(None, None)
"""All numbers."""


def enclosing(ranges: Sequence[Range]) -> Range:
    """Return the range from the lowest to the highest number of some ranges.

    >>> print(enclosing([Range(2, 3), Range(5, 6)]), enclosing([Range(2, 3), Range(5, None)]), sep=", ")
    2–6, 2+
    """
    ends = [end for each in ranges for end in each if end is not None]
    low = None if any(each.low is None for each in ranges) else min(ends, default=None)
    return Range(low, None if any(each.high is None for each in ranges) else max(ends, default=None))


def read_ranges(text: str, *, zero: int = 0) -> tuple[Range, ...]:
    """Return the ranges that a text consists of, in the order written.

    A range may be backwards; whoever knows the dice can say what is wrong with it.

    Parameters:
        text: what stands in the cell.
        zero: what ``0`` and ``00`` stand for: 100 in a table for a d100, 10 in one for a d10 whose last row is ``0``.
            It is the number itself where nothing else makes sense, as in ``0–50``, ``-2 to 0`` and ``0 or less``.

    Raises:
        JoinedRangesError: ``and`` stands between ranges that share numbers.
        NotationError: the text is anything else.
        LimitError: a number has too many digits, or there are too many ranges.

    >>> [str(each) for text in ("01–05", "2, 12", "6-", "10 or more", "below 0") for each in read_ranges(text)]
    ['1–5', '2', '12', '6 or less', '10+', '-1 or less']
    >>> read_ranges("96-00", zero=100)
    (Range(low=96, high=100),)
    """
    _refuse_grouped_digits(text)
    ranges: list[Range] = []
    fault: JoinedRangesError | None = None
    between = _BEFORE.match(text)
    while between is not None:
        at = between.end()
        match = RANGE.match(text, at)
        if match is None:
            break
        ranges.append(read_range(match, zero))
        if between.re is _BETWEEN and between["both"]:
            fault = fault or _joined(text, between, *ranges[-2:])
        limits.ITEMS.check(len(ranges), hint="write fewer ranges in one cell")
        at = match.end()
        if _AFTER.match(text, at):
            if fault is not None:
                raise fault
            return tuple(ranges)
        between = _BETWEEN.match(text, at)
    message = f"{quoted(text)} is not a number or a range" if text.strip() else "expected a number or a range"
    raise NotationError(message, text=text, at=at, hint=f"write it like {EXAMPLES}")


def is_range(text: str) -> bool:
    """Return whether a text is a number or a range, or several of them, even if these are joined by a wrong word."""
    try:
        return bool(read_ranges(text))
    except JoinedRangesError:
        return True
    except DiceError:
        return False


def read_range(match: re.Match[str], zero: int = 0) -> Range:
    """Return the range of a match of ``RANGE``."""
    found = match.groupdict()
    if found["low"]:
        low = _number(found["low"])
        if low < 0 and found["dash"].startswith("--"):
            high = found["high"]
            hint = f"write {low} to {high}, or {low} to -{high}"
            raise NotationError(f"ambiguous: {quoted(match[0])}", text=match.string, at=match.start("dash"), hint=hint)
        return Range(low, _number(found["high"], zero if low > 0 else 0))
    if found["one"]:
        low = _number(found["one"], zero)
        return Range(low, low)
    name, written = next((name, text) for name, text in found.items() if text)
    # A single 0 with an open end is the number: "0 or less" stands in tables with modifiers, "00+" in those of a d100.
    number = _number(written, zero if len(written) > 1 else 0)
    if name in {"most", "most_after", "below"}:
        return Range(None, number - (name == "below"))
    return Range(number + (name == "above"), None)


def _joined(text: str, between: re.Match[str], one: Range, other: Range) -> JoinedRangesError | None:
    """Return the error for ``> 4 and < 9``: a row is for the numbers of either range, and this means those of both."""
    low = max((each.low for each in (one, other) if each.low is not None), default=None)
    high = min((each.high for each in (one, other) if each.high is not None), default=None)
    word, is_shared = between["both"], low is None or high is None or low <= high
    if not is_shared and word.casefold() == "and":
        return None
    message = f"{quoted(word)} joins ranges that share numbers" if is_shared else f"{quoted(word)} cannot join ranges"
    return JoinedRangesError(
        message, text=text, at=between.start("both"), shared=Range(low, high) if is_shared else None
    )


def _number(written: str, zero: int = 0) -> int:
    digits = written.lstrip("-+\u2212")
    limits.DIGITS.check(len(digits), hint="write a smaller number")
    number = int(digits)
    if not number and digits == written:
        return zero
    return -number if written[0] in "-\u2212" else number


def _refuse_grouped_digits(text: str) -> None:
    """Raise an error for ``1,000``, which could be a thousand, or 1 and 0."""
    if (match := _GROUPED.search(text)) is not None:
        one, several = match[0].replace(",", "")[:20], match[0].replace(",", ", ")[:20]
        message = f"{quoted(match[0])} could be one number or several"
        raise NotationError(message, text=text, at=match.start(), hint=f"write {one}, or {several} with spaces")
