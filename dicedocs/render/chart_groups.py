"""Groups of numbers, for charts of more values than they have bars."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, count, pairwise, starmap
from typing import Any, Final

from dicedocs.render.numbers import or_less, or_more
from dicedocs.rules.kinds import all_integers
from dicedocs.translation import gettext as _

Groups = list[tuple[str, Sequence[int]]]
"""The labels of bars, and the indexes of the values of each."""
Columns = Sequence[Sequence[int]]
"""The counts of each distribution, in the order of the values."""
_TAIL: Final = 2000
"""Each tail of a long range, with a probability below one in so many (displayed as 0.0%), is a single bar."""
_MAX_LENGTH: Final = 3
"""Numbers of a value that is grouped by the ranges of all of them; with more the labels could not be read."""


def group_ranges(numbers: Sequence[int], columns: Columns, max_groups: int, cuts: Sequence[int]) -> tuple[Groups, str]:
    """Group numbers in ranges of equal width between two tails, and return the groups with a note.

    Parameters:
        cuts: the indexes of numbers that begin a group of their own.
    """
    whole = len(numbers)
    low = numbers[min(_tail_end(column[:whole]) for column in columns)]
    high = numbers[whole - 1 - min(_tail_end(column[:whole][::-1]) for column in columns)]
    for width in round_widths():
        start = bisect_left(numbers, low // width * width)
        end = bisect_left(numbers, (high // width + 1) * width)
        tails = (start > 0) + (end < whole)
        ranges = _ranges(numbers, start, end, width, max_groups - tails)
        if len(ranges) + tails <= max_groups:
            break
    runs = [*([range(start)] if start else []), *ranges, *([range(end, whole)] if end < whole else [])]
    groups: Groups = []
    for run in runs:
        edges = [run.start, *(cut for cut in cuts if run.start < cut < run.stop), run.stop]
        for part in starmap(range, pairwise(edges)):
            first, last = numbers[part[0]], numbers[part[-1]]
            label = str(first) if len(part) == 1 else _("{low} to {high}").format(low=first, high=last)
            if start and part.start == 0:
                label = or_less(last)
            elif end < whole and part.stop == whole:
                label = or_more(first)
            groups.append((label, part))
    note = _("{count} values, grouped by {width}.") if width > 1 else _("{count} values, those at the ends in one bar.")
    return groups, note.format(count=whole, width=width)


def _ranges(numbers: Sequence[int], start: int, end: int, width: int, enough: int) -> list[range]:
    """Return the indexes of the numbers in each range of a width; those after one too many are left out."""
    ranges: list[range] = []
    while start < end and len(ranges) <= enough:
        after = min(end, bisect_left(numbers, (numbers[start] // width + 1) * width, start))
        ranges.append(range(start, after))
        start = after
    return ranges


def _tail_end(counts: Sequence[int]) -> int:
    """Return the index of the first count that is not in the tail at the start."""
    whole = sum(counts)
    return next(index for index, so_far in enumerate(accumulate(counts)) if so_far * _TAIL >= whole)


def round_widths() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    return (step * 10**power for power in count() for step in (1, 2, 5))


def group_tuples(values: Sequence[Any], max_groups: int) -> tuple[Groups, str] | None:
    """Group pairs or triples of numbers by the ranges in which their numbers are, and return the groups with a note.

    ``None`` for other values, and where there would still be too many groups.

    Parameters:
        values: the values in order.
        max_groups: the number of groups.

    >>> group_tuples([(2, 3), (3, 5), (4, 4), (4, 6)], 2)
    ([('2 to 4, 3 to 4', [0, 2]), ('3 to 4, 5 to 6', [1, 3])], '4 values, grouped by 5.')
    """
    lengths = {len(value) if type(value) is tuple and all_integers(value) else 0 for value in values}
    if len(lengths) != 1 or not 1 < min(lengths) <= _MAX_LENGTH:
        return None
    widest = max(max(map(abs, value)) for value in values)
    for width in round_widths():
        cells: dict[tuple[int, ...], list[int]] = {}
        for index, value in enumerate(values):
            cells.setdefault(tuple(number // width for number in value), []).append(index)
        if len(cells) <= max_groups:
            groups: Groups = [(_ranges_label([values[index] for index in cell]), cell) for cell in cells.values()]
            return groups, _("{count} values, grouped by {width}.").format(count=len(values), width=width)
        if width > widest:
            return None
    return None


def _ranges_label(values: Sequence[tuple[int, ...]]) -> str:
    """Return the range of the numbers at each position of some values."""
    return ", ".join(
        str(min(numbers))
        if len(set(numbers)) == 1
        else _("{low} to {high}").format(low=min(numbers), high=max(numbers))
        for numbers in zip(*values, strict=True)
    )
