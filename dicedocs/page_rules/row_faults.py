"""What is wrong with the rows of a table: numbers that are in no row or in two, and rows that no roll gives."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise, product
from math import inf
from operator import itemgetter
from typing import Final, NamedTuple

from dicedocs.errors import DiceError
from dicedocs.page_rules.axis import Reach
from dicedocs.syntax.ranges import OPEN, Range, read_ranges

_SIDES: Final = (4, 6, 8, 10, 12, 20, 100)
"""The dice that several of are thrown together."""
_DIGIT_DICE: Final[dict[tuple[int, int], Sequence[int]]] = {
    (int("1" * digits), int("6" * digits)): tuple(int("".join(faces)) for faces in product("123456", repeat=digits))
    for digits in (2, 3)
}
"""The numbers of a d66 and a d666, by the lowest and the highest."""
_TRIED: Final = 10
"""The most rows of a table for which other numbers are tried."""
_NO_ROW: Final = -1
"""The row of what is wrong with all of them."""
_COUNTS: Final = {2: "two", 3: "three", 4: "four", 5: "five"}


class RowRanges(NamedTuple):
    """What a row is for.

    Parameters:
        ranges: its numbers.
        line: its line in its file; 0 if unknown.
    """

    ranges: Sequence[Range]
    line: int = 0


class Fault(NamedTuple):
    """Something wrong with a table.

    Parameters:
        message: what is wrong.
        hint: what to write instead.
        line: the line of the row, in its file; 0 if unknown.
        is_note: whether it may be as its author means it.
    """

    message: str
    hint: str = ""
    line: int = 0
    is_note: bool = False


class _Found(NamedTuple):
    """A fault, and the index of its row in the table."""

    row: int
    message: str
    hint: str


def find_faults(
    rows: Sequence[RowRanges], possible: Sequence[int] | None, what: str = "row", *, for_more: bool = False
) -> Iterator[Fault]:
    """Yield what is wrong with the rows of a table, in the order of the rows.

    If other dice would leave less to say, that comes first, and then what would still be wrong.

    Parameters:
        rows: the rows, in the order written.
        possible: all numbers that can come up, sorted; ``None`` if they are unknown.
        what: what a row is called: that of a matrix may be a column.
        for_more: whether rows may be for numbers that cannot come up, as where a rule looks something up.

    >>> rows = [RowRanges([Range(1, 3)], 7), RowRanges([Range(3, 5)], 8)]
    >>> for fault in find_faults(rows, range(1, 7)):
    ...     print(f"line {fault.line}: {fault.message}; {fault.hint}")
    line 8: 3 is in two rows; keep it in only one
    line 8: 6 is in no row; add a row for it, or extend one
    """
    misplaced: list[_Found] = []
    found = sorted(_faults(rows, possible, what, for_more=for_more), key=itemgetter(0))
    for row, meant in _misplaced(rows)[:_TRIED] if found else ():
        corrected = [*rows[:row], rows[row]._replace(ranges=[meant]), *rows[row + 1 :]]
        others = sorted(_faults(corrected, possible, what, for_more=for_more), key=itemgetter(0))
        if len(others) + 1 < len(found):
            misplaced.append(_Found(row, f"{rows[row].ranges[0]} stands in the place of {meant}", f"write {meant}"))
            rows, found = corrected, others
    if found and possible and not for_more and (fitting := _fitting_numbers(rows, possible)):
        others = sorted(_faults(rows, fitting, what), key=itemgetter(0))
        if len(others) + 1 < len(found):
            found = [_wrong_dice(fitting, possible), *others]
        elif not others and possible[-1] > fitting[-1] and (fitting[0] > 1 or fitting[-1] in _SIDES):
            # Dice that everybody has are sooner meant than rows that are missing at the end.
            wrong = _wrong_dice(fitting, possible)
            found = [wrong._replace(hint=f"{wrong.hint}, or add a row for the other numbers")]
    for row, message, hint in sorted([*misplaced, *found], key=itemgetter(0)):
        yield Fault(message, hint, rows[row].line if row in range(len(rows)) else 0)


def _misplaced(rows: Sequence[RowRanges]) -> list[tuple[int, Range]]:
    """Return the rows that are for other numbers than what lies between those above and below, each with these."""
    found: list[tuple[int, Range]] = []
    for at, near in enumerate(zip(rows, rows[1:], rows[2:], strict=False), 1):
        ends = [end for row in near for one in row.ranges for end in one if end is not None]
        if all(len(row.ranges) == 1 for row in near) and len(ends) == 2 * len(near):
            before, low, high, after = ends[1:-1]
            if before + 1 < after and (high <= before or low >= after):
                found.append((at, Range(before + 1, after - 1)))
    return found


def _faults(
    rows: Sequence[RowRanges], possible: Sequence[int] | None, what: str, *, for_more: bool = False
) -> Iterator[_Found]:
    """Yield the faults of all rows."""
    spans: list[Span] = []
    has_no_gaps = possible and possible[-1] - possible[0] == len(possible) - 1
    for index, row in enumerate(rows):
        of_row: list[Span] = []
        for one in row.ranges:
            meant = one
            if one.low is not None and one.high is not None and one.low > one.high:
                meant = Range(one.low, 100) if one.high == 0 and one.low <= 100 else Range(one.high, one.low)
                yield _Found(index, f"{one} runs backwards", f"write {meant}")
            span = Span.of(meant, index)
            of_row.append(span)
            is_within = has_no_gaps and possible and possible[0] <= span.low and span.high <= possible[-1]
            if possible and not for_more and not is_within:
                yield from _beyond(meant, index, possible)
        spans += sorted(of_row)
    spans = _in_order(spans)
    yield from _overlaps(spans, possible, what)
    other = "leave an end open, as in 6- or 10+" if for_more else "extend one"
    for before, missing in find_gaps(spans, possible):
        yield _Found(before, f"{_are(missing)} in no {what}", f"add a {what} for {_pronoun(missing)}, or {other}")


class Span(NamedTuple):
    """A range whose open ends are infinite, and the index of its row in the table."""

    low: float
    high: float
    row: int = 0

    @classmethod
    def of(cls, one: Range, row: int = 0) -> Span:
        """Return a range as one."""
        return cls(-inf if one.low is None else one.low, inf if one.high is None else one.high, row)

    @property
    def numbers(self) -> Range:
        """What it is one of."""
        return Range(*(None if end in {-inf, inf} else int(end) for end in self[:2]))


def _in_order(spans: list[Span]) -> list[Span]:
    """Return the spans in order of their numbers, with those of one row that overlap made one."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].row == span.row and span.low <= joined[-1].high + 1:
            joined[-1] = Span(joined[-1].low, max(joined[-1].high, span.high), span.row)
        else:
            joined.append(span)
    return sorted(joined)


def _beyond(one: Range, row: int, possible: Sequence[int]) -> Iterator[_Found]:
    """Yield what is wrong with a range that no roll gives, or whose ends lie beyond what rolls give."""
    least, most = possible[0], possible[-1]
    if within(*Span.of(one)[:2], possible) is None:
        yield _Found(row, f"no roll gives {one}", "take it out, or roll other dice")
        return
    low = least if one.low is not None and one.low < least else one.low
    high = most if one.high is not None and one.high > most else one.high
    if (low, high) == one:
        return
    if one.low == low:
        message = f"{one} goes up to {one.high}, but no roll gives more than {most}"
    elif one.high == high:
        message = f"{one} begins at {one.low}, but no roll gives less than {least}"
    else:
        message = f"{one} is wider than what a roll gives, {Range(least, most)}"
    yield _Found(row, message, f"write {Range(low, high)}, or roll other dice")


def _overlaps(spans: list[Span], possible: Sequence[int] | None, what: str) -> Iterator[_Found]:
    """Yield the numbers that are in several rows, at the last of these rows."""
    if all(one.high < two.low for one, two in pairwise(spans)):
        return
    ends = sorted(span.high for span in spans)
    bounds = sorted({*(span.low for span in spans), *(end + 1 for end in ends)})
    started: list[tuple[int, float]] = []
    """The rows so far, the last first, with their highest number; a heap."""
    begun = over = 0
    for low, after in pairwise(bounds):
        while begun < len(spans) and spans[begun].low <= low:
            heappush(started, (-spans[begun].row, spans[begun].high))
            begun += 1
        while ends[over] < low:
            over += 1
        while started and started[0][1] < low:
            heappop(started)
        number = begun - over
        if number > 1 and (shared := within(low, after - 1, possible)) is not None:
            message = f"{_are(shared)} in {_COUNTS.get(number, number)} {what}s"
            yield _Found(-started[0][0], message, f"keep {_pronoun(shared)} in only one")


def find_gaps(spans: list[Span], possible: Reach | None) -> Iterator[tuple[int, Range]]:
    """Yield the numbers that are in no row, each with the row before them, or else the first.

    Without the possible numbers, nothing is missing before the lowest and after the highest.
    """
    if not spans and not possible:
        return
    end, before = (-inf, None) if possible else (spans[0].high, spans[0].row)
    for span in spans:
        if span.low > end + 1 and (missing := within(end + 1, span.low - 1, possible)) is not None:
            if within(span.low, span.high, possible) is None:
                continue  # no roll gives this row; the numbers that are missing go on behind it
            yield span.row if before is None else before, missing
        if span.high > end:
            end, before = span.high, span.row
    if possible and (missing := within(end + 1, inf, possible)) is not None:
        yield 0 if before is None else before, missing


def within(low: float, high: float, possible: Reach | None) -> Range | None:
    """Return the possible numbers from one to another, as a range; ``None`` if there are none."""
    if isinstance(possible, Range) or not possible:
        ends = Span.of(possible if isinstance(possible, Range) else OPEN)
        both = Span(max(low, ends.low), min(high, ends.high))
        return both.numbers if both.low <= both.high and both.low < inf and both.high > -inf else None
    first, after = bisect_left(possible, low), bisect_right(possible, high)
    return Range(possible[first], possible[after - 1]) if first < after else None


def _is_one(numbers: Range) -> bool:
    """Return whether a range is spoken of in the singular."""
    return numbers.low == numbers.high or numbers.low is None or numbers.high is None


def _are(numbers: Range) -> str:
    return f"{numbers} {'is' if _is_one(numbers) else 'are'}"


def _pronoun(numbers: Range) -> str:
    return "it" if _is_one(numbers) else "them"


def _fitting_numbers(rows: Sequence[RowRanges], possible: Sequence[int]) -> Sequence[int] | None:
    """Return the numbers that dice made for the rows would give; ``None`` if these dice may be meant.

    Rows within what the dice give are rather too few, unless other dice give exactly theirs.
    """
    ends = [end for row in rows for one in row.ranges for end in one if end is not None]
    low, high = min(ends, default=0), max(ends, default=0)
    if low == high or (low, high) == (possible[0], possible[-1]):
        return None
    if possible[0] <= low and high <= possible[-1] and not _dice_from(low, high):
        return None
    return _DIGIT_DICE.get((low, high), range(low, high + 1))


def fitting_dice(keys: Iterable[str]) -> str:
    """Return the dice that give just the numbers of some rows; empty if there are none to name.

    >>> fitting_dice(["1-10", "11-20"]), fitting_dice(["2-6", "7", "8-12"]), fitting_dice(["rain", "sun"])
    ('1d20', '2d6', '')
    """
    try:
        ends = [end for key in keys for one in read_ranges(key) for end in one if end is not None]
    except DiceError:
        return ""
    return _dice_from(min(ends, default=0), max(ends, default=0))


def _dice_from(low: int, high: int) -> str:
    """Return the dice that give the numbers from one to another; empty if there are none to name."""
    if (low, high) in _DIGIT_DICE:
        return f"d{high}"
    if low == 1:
        return f"1d{high}"
    return f"{low}d{high // low}" if low > 1 and high % low == 0 and high // low in _SIDES else ""


def _wrong_dice(fitting: Sequence[int], possible: Sequence[int]) -> _Found:
    low, high = fitting[0], fitting[-1]
    message = f"the rows cover {Range(low, high)}, but a roll gives {Range(possible[0], possible[-1])}"
    if low == 0:
        return _Found(_NO_ROW, message, f"number the rows from 1, or roll 1d{high + 1} - 1")
    return _Found(_NO_ROW, message, f"roll {_dice_from(low, high) or f'dice that give {Range(low, high)}'}")
