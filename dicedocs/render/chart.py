"""What a chart of odds shows, as plain data: which bars there are, and how long each is.

Text, SVG and a notebook's panel draw the same bars. A distribution with more values than a chart has room for
is grouped, and the chart says so; a table (:mod:`dicedocs.render.table`) never groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dicedocs.render.numbers import decimal, shares
from dicedocs.render.words import clean, join_words
from dicedocs.rules.kinds import all_integers, as_line, spaced

if TYPE_CHECKING:
    from fractions import Fraction

    from dicedocs.probability.distribution import Distribution

Series = Mapping[str, "Distribution"]
"""Distributions by their labels, in the order shown."""

MOST: Final = 30
"""Bars that a chart has room for."""
_END: Final = 2000
"""An end of a long range is one bar when less than one in so many falls there: it would show as 0.0%."""
_MODES: Final = 3
"""Likeliest values that a summary lists."""


class Bar(NamedTuple):
    """A bar, or one for each distribution.

    Parameters:
        label: the value, or the range, that it stands for.
        counts: how often it comes up, in each distribution.
        before: how often any bar above it does.
        marked: whether it is pointed at.
    """

    label: str
    counts: tuple[int, ...]
    before: tuple[int, ...]
    marked: bool = False


class Chart(NamedTuple):
    """Bars from top to bottom.

    Parameters:
        names: the label of each distribution.
        wholes: the denominator of each.
        bars: the bars.
        note: how values were grouped, as a sentence; empty when each has its bar.
        ordered: whether all values are numbers, so that "at least" means something.
    """

    names: tuple[str, ...]
    wholes: tuple[int, ...]
    bars: tuple[Bar, ...]
    note: str
    ordered: bool

    @property
    def longest(self) -> Fraction:
        """The chance of the longest bar."""
        from fractions import Fraction

        return max(Fraction(max(counts), whole) for counts, whole in zip(self._columns(), self.wholes, strict=True))

    def exactly(self, place: int = 0) -> list[str]:
        """Give the chance of each bar, as a column of percentages."""
        return shares((bar.counts[place] for bar in self.bars), self.wholes[place])

    def at_least(self, place: int = 0) -> list[str]:
        """Give the chance of each bar or one below it, as a column of percentages."""
        whole = self.wholes[place]
        return shares((whole - bar.before[place] for bar in self.bars), whole)

    def at_most(self, place: int = 0) -> list[str]:
        """Give the chance of each bar or one above it, as a column of percentages."""
        return shares((bar.before[place] + bar.counts[place] for bar in self.bars), self.wholes[place])

    def data(self, place: int = 0) -> list[dict[str, Any]]:
        """Give the bars of one distribution as JSON has them: ``text``, ``p``, ``percent``, and whether ``here``."""
        whole = self.wholes[place]
        return [
            {"text": bar.label, "p": bar.counts[place] / whole, "percent": shown, "here": bar.marked}
            for bar, shown in zip(self.bars, self.exactly(place), strict=True)
        ]

    def _columns(self) -> Iterable[tuple[int, ...]]:
        return zip(*(bar.counts for bar in self.bars), strict=True)


def chart(series: Series, *, most: int = MOST, marked: Collection[object] = ()) -> Chart:
    """Lay out the bars of distributions that are looked at together.

    Parameters:
        series: up to four distributions by their labels.
        most: how many bars there is room for, at least 3. More numbers than that are grouped in ranges, and
            of more values of other kinds the likeliest are shown.
        marked: the values to point at.

    >>> from dicedocs.probability.distribution import Distribution
    >>> coins = chart({"coins": Distribution({0: 1, 1: 2, 2: 1})}, marked=[2])
    >>> coins.bars[2]
    Bar(label='2', counts=(1,), before=(3,), marked=True)
    >>> coins.exactly(), coins.at_least()
    (['25%', '50%', '25%'], ['100%', '75%', '25%'])
    >>> long = chart({"100d6": Distribution.dice(100, 6)}, most=12)
    >>> long.note, long.bars[1].label
    ('501 values, grouped by 20.', '280 to 299')
    """
    held = [dict(zip(one.values, one.counts, strict=True)) for one in series.values()]
    wholes = tuple(one.denominator for one in series.values())
    values = merged([one.values for one in series.values()])
    numbers = [value for value in values if type(value) is int]
    others = values[len(numbers) :]
    note = ""
    groups = [(label(value), [value]) for value in values]
    if len(values) > most and len(others) < most - 2 and numbers:
        with_numbers = [one for one in held if any(value in one for value in numbers)]
        groups, note = _ranges(numbers, with_numbers, most - len(others))
        groups += [(label(value), [value]) for value in others]
    elif len(values) > most:
        groups, note = _likeliest(values, held, wholes, most)
    return Chart(tuple(map(clean, series)), wholes, tuple(_bars(groups, held, marked)), note, not others)


def label(value: object) -> str:
    """Give the text of a value beside its bar or in its row."""
    return clean(as_line(value))


def title(distribution: Distribution) -> str:
    """Give what a distribution is of, for the head of its column: the names of its facts.

    >>> from dicedocs.probability.distribution import Distribution
    >>> title(Distribution({1: 1}, names=("step_up",))), title(Distribution({1: 1}))
    ('Step up', 'Value')
    """
    return clean(spaced(", ".join(distribution.names)).capitalize()) or "Value"


def summary(distribution: Distribution) -> str:
    """Give the likeliest values, and of numbers the mean and how far they spread; empty when nothing stands out.

    >>> from dicedocs.probability.distribution import Distribution
    >>> summary(Distribution.dice(3, 6))
    'mean 10.5, standard deviation 2.96, most likely 10 and 11 (12.5% each)'
    >>> summary(Distribution({"failure": 1, "success": 2}))
    'most likely success (66.7%)'
    """
    parts = []
    values, counts = distribution.values, distribution.counts
    if all_integers(values):
        spread = decimal(distribution.standard_deviation)
        parts += [f"mean {decimal(distribution.mean)}", f"standard deviation {spread}"]
    top = max(counts)
    modes = [label(value) for value, times in zip(values, counts, strict=True) if times == top]
    if len(modes) <= _MODES and len(modes) < len(values):
        (chance,) = shares([top], distribution.denominator)
        parts.append(f"most likely {join_words(modes)} ({chance}{' each' if len(modes) > 1 else ''})")
    return ", ".join(parts)


def sentences(series: Series) -> list[str]:
    """Give the summaries of distributions, those that say anything, as a sentence each.

    >>> from dicedocs.probability.distribution import Distribution
    >>> sentences({"d4": Distribution.dice(1, 4), "coin": Distribution({True: 1, False: 1})})
    ['d4: mean 2.5, standard deviation 1.12.']
    """
    told = [(clean(name), summary(one)) for name, one in series.items()]
    return [f"{name}: {text}." if name else f"{text[0].upper()}{text[1:]}." for name, text in told if text]


def merged(lists: Sequence[Sequence[object]]) -> list[Any]:
    """Give the values of several distributions in one order: numbers, the others as each list has them, none last.

    >>> merged([(2, 4), (1, 2)]), merged([("failure", "success"), ("failure", "partly", "success", None)])
    ([1, 2, 4], ['failure', 'partly', 'success', None])
    """
    numbers = sorted({value for values in lists for value in values if type(value) is int})
    order: list[Any] = []
    first = object()
    for values in lists:
        known = set(order)
        after: dict[object, list[object]] = {}
        before: object = first
        for value in values:
            if type(value) is int:
                continue
            if value in known:
                before = value
            else:
                after.setdefault(before, []).append(value)
        order = [*after.get(first, ()), *(new for value in order for new in (value, *after.get(value, ())))]
    return [*numbers, *sorted(order, key=lambda value: (value is None, value is True))]


def _bars(
    groups: Iterable[tuple[str, Sequence[object]]], held: Sequence[Mapping[Any, int]], marked: Collection[object]
) -> Iterator[Bar]:
    before = (0,) * len(held)
    for text, values in groups:
        counts = tuple(sum(one.get(value, 0) for value in values) for one in held)
        yield Bar(text, counts, before, any(value in marked for value in values))
        before = tuple(map(sum, zip(before, counts, strict=True)))


_Groups = list[tuple[str, list[Any]]]


def _ranges(numbers: Sequence[int], held: Sequence[Mapping[Any, int]], room: int) -> tuple[_Groups, str]:
    """Group numbers: each end in one bar, and between them ranges of one width."""
    low = min(_reached(numbers, one) for one in held)
    high = max(_reached(numbers[::-1], one) for one in held)
    for width in _widths():
        below = [value for value in numbers if value // width < low // width]
        above = [value for value in numbers if value // width > high // width]
        inner: dict[int, list[int]] = {}
        for value in numbers[len(below) : len(numbers) - len(above)]:
            inner.setdefault(value // width, []).append(value)
        if len(inner) + bool(below) + bool(above) <= room:
            break
    groups = [(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}", run) for run in inner.values()]
    if below:
        groups.insert(0, (f"{below[-1]} or less", below))
    if above:
        groups.append((f"{above[0]} or more", above))
    how = f"grouped by {width}" if width > 1 else "those at the ends in one bar"
    return groups, f"{len(numbers)} values, {how}."


def _reached(numbers: Sequence[int], one: Mapping[int, int]) -> int:
    """Give the first number with which the chance of having come so far is worth a bar."""
    whole = sum(one.get(value, 0) for value in numbers)
    reached = accumulate(one.get(value, 0) for value in numbers)
    return next(value for value, so_far in zip(numbers, reached, strict=True) if so_far * _END >= whole)


def _widths() -> Iterator[int]:
    """Give widths that are easily read, 1, 2, 5, 10, 20 and so on."""
    return (step * 10**power for power in count() for step in (1, 2, 5))


def _likeliest(
    values: Sequence[Any], held: Sequence[Mapping[Any, int]], wholes: Sequence[int], room: int
) -> tuple[_Groups, str]:
    """Show the likeliest values, and all others as one bar."""

    def chance(value: object) -> float:
        return sum(one.get(value, 0) / whole for one, whole in zip(held, wholes, strict=True))

    shown = set(sorted(values, key=chance, reverse=True)[: room - 1])
    groups = [(label(value), [value]) for value in values if value in shown]
    rest = [value for value in values if value not in shown]
    return [*groups, (f"{len(rest)} others", rest)], f"The {len(shown)} likeliest of {len(values)} values."
