"""The bars of a chart of odds as plain data, which text, SVG and a notebook's panel draw.

A chart groups the values of a distribution that has too many for it, and notes so; a table
(:mod:`dicedocs.render.table`) never groups.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dicedocs.render.chart_groups import Columns, Groups, group_ranges, group_tuples
from dicedocs.render.numbers import WITHOUT_NONE, decimal, local_figure, percent, root, share_column
from dicedocs.render.scale import Band, split_by_bands
from dicedocs.render.words import clean, display_text, join_words, labelled
from dicedocs.rules.kinds import all_integers, as_line, spaced
from dicedocs.translation import gettext as _
from dicedocs.translation import ngettext, word

if TYPE_CHECKING:
    from fractions import Fraction

    from dicedocs.probability.distribution import Distribution

Series = Mapping[str, "Distribution"]
"""Distributions by their labels, in display order."""

MAX_BARS: Final = 30
_MAX_MODES: Final = 3
"""Likeliest values that a summary lists."""


class Bar(NamedTuple):
    """A bar for each distribution, side by side.

    Parameters:
        label: the value or range of the bar.
        counts: its count in each distribution.
        before: the counts of all previous bars together.
        marked: whether it is highlighted.
    """

    label: str
    counts: tuple[int, ...]
    before: tuple[int, ...]
    marked: bool = False


class ChartBand(NamedTuple):
    """Bars that mean the same, one below the other.

    Parameters:
        label: what they mean.
        start, stop: the index of its first bar, and that of the first bar after it.
        percent: the percentage of all its values together.
    """

    label: str
    start: int
    stop: int
    percent: str


class Chart(NamedTuple):
    """Bars from top to bottom.

    Parameters:
        names: the label of each distribution.
        denominators: the denominator of each.
        bars: the bars.
        note: how values were grouped, and what none of them has; empty if neither.
        numeric: whether all values are numbers, so that "at least" makes sense.
        bands: the bands of a single distribution, in the order of the bars.
        followed: the sum of the counts of each; empty if it is the denominator.
    """

    names: tuple[str, ...]
    denominators: tuple[int, ...]
    bars: tuple[Bar, ...]
    note: str
    numeric: bool
    bands: tuple[ChartBand, ...] = ()
    followed: tuple[int, ...] = ()

    def band_starts(self) -> dict[int, tuple[int, ChartBand]]:
        """Return the bands by the index of their first bar, each with its position among the bands from the last."""
        last = len(self.bands) - 1
        return {band.start: (last - index, band) for index, band in enumerate(self.bands)}

    def followed_count(self, index: int) -> int:
        """Return the sum of the counts of a distribution, which is less than its denominator if something is left."""
        return self.followed[index] if self.followed else self.denominators[index]

    @property
    def maximum(self) -> Fraction:
        """The probability of the longest bar."""
        from fractions import Fraction

        columns = zip(*(bar.counts for bar in self.bars), strict=True)
        return max(Fraction(max(counts), whole) for counts, whole in zip(columns, self.denominators, strict=True))

    def exactly(self, index: int = 0) -> list[str]:
        """Return the percentages of the bars of a distribution."""
        return share_column((bar.counts[index] for bar in self.bars), self.denominators[index])

    def at_least(self, index: int = 0) -> list[str]:
        """Return the percentages of each bar and all later ones together."""
        whole = self.denominators[index]
        followed = self.followed_count(index)
        return share_column((followed - bar.before[index] for bar in self.bars), whole)

    def at_most(self, index: int = 0) -> list[str]:
        """Return the percentages of each bar and all previous ones together."""
        return share_column((bar.before[index] + bar.counts[index] for bar in self.bars), self.denominators[index])

    def data(self, index: int = 0) -> list[dict[str, Any]]:
        """Return the bars of a distribution for JSON: ``text``, ``p``, ``percent``, and ``here`` if highlighted."""
        whole = self.denominators[index]
        return [
            {"text": bar.label, "p": bar.counts[index] / whole, "percent": percent, "here": bar.marked}
            for bar, percent in zip(self.bars, self.exactly(index), strict=True)
        ]


def build_chart(
    series: Series, *, max_bars: int = MAX_BARS, marked: Collection[object] = (), bands: Sequence[Band] = ()
) -> Chart:
    """Return the chart of distributions that are compared side by side.

    Parameters:
        series: up to four distributions by their labels.
        max_bars: at least 3. More numbers than this, or pairs of numbers, are grouped in ranges; of more values of
            other kinds, only the likeliest get a bar of their own.
        marked: the values to highlight.
        bands: what the numbers of a single distribution mean; no bar has numbers of two bands.

    >>> from dicedocs.probability.distribution import Distribution
    >>> coins = build_chart({"coins": Distribution({0: 1, 1: 2, 2: 1})}, marked=[2])
    >>> coins.bars[2]
    Bar(label='2', counts=(1,), before=(3,), marked=True)
    >>> coins.exactly(), coins.at_least()
    (['25%', '50%', '25%'], ['100%', '75%', '25%'])
    >>> long = build_chart({"100d6": Distribution.dice(100, 6)}, max_bars=12)
    >>> long.note, long.bars[1].label
    ('501 values, grouped by 20.', '280 to 299')
    >>> from dicedocs.render.scale import table_bands
    >>> build_chart({"": Distribution.dice(1, 4)}, bands=table_bands({None: "miss", 4: "hit"})).bands
    (ChartBand(label='miss', start=0, stop=3, percent='75%'), ChartBand(label='hit', start=3, stop=4, percent='25%'))
    """
    values, columns = _aligned(series)
    denominators = tuple(one.denominator for one in series.values())
    numbers = [value for value in values if type(value) is int]
    others = range(len(numbers), len(values))
    note = ""
    groups: Groups
    bands = bands if len(series) == 1 else ()
    if len(values) > max_bars and len(others) < max_bars - 2 and numbers:
        with_numbers = [column for column in columns if any(column[: len(numbers)])]
        cuts = [bisect_left(numbers, band.start) for band in bands if band.start is not None]
        groups, note = group_ranges(numbers, with_numbers, max_bars - len(others), cuts)
        groups += _each(values, others)
    elif len(values) > max_bars:
        grouped = group_tuples(values, max_bars)
        groups, note = grouped or _group_unlikely(values, columns, denominators, max_bars)
        bands = ()
    else:
        groups = _each(values, range(len(values)))
    bars = tuple(_bars(groups, values, columns, marked))
    drawn = _chart_bands(bands, numbers, columns[0], denominators[0], groups)
    note = " ".join(filter(None, (note, remainder_note(series))))
    followed = tuple(one.followed for one in series.values())
    return Chart(tuple(map(clean, series)), denominators, bars, note, not others, drawn, followed)


def list_values(
    series: Series, max_bars: int | None = None, *, marked: Collection[object] = (), bands: Sequence[Band] = ()
) -> tuple[Chart, int]:
    """Return a chart with a bar for each of the first values, for a table; and the number of all values.

    >>> from dicedocs.probability.distribution import Distribution
    >>> chart, number = list_values({"": Distribution.dice(1, 6)}, 2)
    >>> [bar.label for bar in chart.bars], chart.at_least(), number
    (['1', '2'], ['100%', '83.3%'], 6)
    """
    values, columns = _aligned(series)
    denominators = tuple(one.denominator for one in series.values())
    groups = _each(values, range(len(values))[:max_bars])
    numeric = all_integers(values)
    bars = tuple(_bars(groups, values, columns, marked))
    drawn: tuple[ChartBand, ...] = ()
    if bands and len(series) == 1:
        numbers = [value for value in values if type(value) is int]
        drawn = _chart_bands(bands, numbers, columns[0], denominators[0], groups)
    followed = tuple(one.followed for one in series.values())
    return Chart(tuple(map(clean, series)), denominators, bars, "", numeric, drawn, followed), len(values)


def remainder_note(series: Series) -> str:
    """Return the sentence that says what no value of some distributions has; none where they have it all.

    >>> from dicedocs.probability.distribution import Distribution
    >>> remainder_note({"": Distribution.from_counts({1: 9}, (), (), 10)})
    'Not counted: 10%, where the dice go on too long to follow; the mean is of the rest.'
    """
    left = {name: one.remainder for name, one in series.items() if one.remainder}
    if not left:
        return ""
    parts = []
    for name, part in left.items():
        share = local_figure(percent(part))
        parts.append(_("{percent} of {name}").format(percent=share, name=clean(name)) if name else share)
    text = _("Not counted: {parts}, where the dice go on too long to follow; the mean is of the rest.")
    return text.format(parts=join_words(parts))


def value_label(value: object) -> str:
    """Return the label of a value's bar or row.

    >>> value_label(False), value_label((4, 2))
    ('no', '4 2')
    """
    return clean(display_text(value) if isinstance(value, bool) else word(as_line(value)))


def fact_title(name: str) -> str:
    """Return the name of a fact as a head.

    >>> fact_title("step_up")
    'Step up'
    """
    return clean(word(spaced(name).capitalize()))


def column_title(distribution: Distribution) -> str:
    """Return the head of the column of values: the names of the facts.

    >>> from dicedocs.probability.distribution import Distribution
    >>> column_title(Distribution({1: 1}, names=("step_up",))), column_title(Distribution({1: 1}))
    ('Step up', 'Value')
    """
    return ", ".join(map(fact_title, distribution.names)) or _("Value")


def summary(distribution: Distribution) -> str:
    """Return the mean and standard deviation of numbers, and the likeliest values if they are few.

    >>> from dicedocs.probability.distribution import Distribution
    >>> summary(Distribution.dice(3, 6))
    'mean 10.5, standard deviation 2.96, most likely 10 and 11 (12.5% each)'
    >>> summary(Distribution({"failure": 1, "success": 2}))
    'most likely success (66.7%)'
    >>> summary(Distribution({2: 2, 5: 1, None: 1}))
    "mean 3 (not counting 'none'), most likely 2 (50%)"
    """
    parts = []
    values, counts = distribution.values, distribution.counts
    numbers = [value for value in values if value is not None]
    if numbers and len(numbers) < len(values) and all_integers(numbers):
        mean = distribution.given(lambda value: value is not None).mean
        parts.append(without_none_text(mean_text(local_figure(decimal(mean)))))
    elif all_integers(values):
        deviation = local_figure(decimal(root(distribution.variance)))
        parts.append(mean_text(local_figure(decimal(distribution.mean))))
        parts.append(_("standard deviation {number}").format(number=deviation))
    maximum = max(counts)
    most_likely = [value for value, count in zip(values, counts, strict=True) if count == maximum]
    if len(most_likely) <= _MAX_MODES and len(most_likely) < len(values):
        modes = list(map(value_label, most_likely))
        (percent,) = share_column([maximum], distribution.denominator)
        message = ngettext("most likely {values} ({percent})", "most likely {values} ({percent} each)", len(modes))
        parts.append(message.format(values=join_words(modes), percent=local_figure(percent)))
    return ", ".join(parts)


def mean_text(figure: str) -> str:
    """Return a mean with its name.

    >>> mean_text("10.5")
    'mean 10.5'
    """
    return _("mean {number}").format(number=figure)


def without_none_text(text: str) -> str:
    """Return a figure with the remark that it is that of the numbers alone.

    >>> without_none_text("mean 10.5")
    "mean 10.5 (not counting 'none')"
    """
    return _(WITHOUT_NONE).format(figure=text)


def summary_sentences(series: Series) -> list[str]:
    """Return the summaries of distributions as sentences, without the empty ones.

    >>> from dicedocs.probability.distribution import Distribution
    >>> summary_sentences({"d4": Distribution.dice(1, 4), "coin": Distribution({True: 1, False: 1})})
    ['d4: mean 2.5, standard deviation 1.12.']
    """
    summaries = [(clean(name), summary(one)) for name, one in series.items()]
    return [f"{labelled(name, text) if name else text[0].upper() + text[1:]}." for name, text in summaries if text]


def merge_values(lists: Sequence[Sequence[object]]) -> list[Any]:
    """Return the values of several distributions in one order: numbers, the others as listed, ``None`` last.

    >>> merge_values([(2, 4), (1, 2)]), merge_values([("failure", "success"), ("failure", "partly", "success", None)])
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


def _aligned(series: Series) -> tuple[Sequence[Any], Columns]:
    """Return the values of all distributions in one order, and the counts of each distribution in that order."""
    distributions = list(series.values())
    if len(distributions) == 1 and distributions[0].dense:
        # The values are in order, and may be a million.
        return distributions[0].values, [distributions[0].counts]
    values = merge_values([one.values for one in distributions])
    counts = [dict(zip(one.values, one.counts, strict=True)) for one in distributions]
    return values, [[one.get(value, 0) for value in values] for one in counts]


def _each(values: Sequence[Any], indexes: range) -> Groups:
    """Return a group for each value."""
    return [(value_label(values[index]), [index]) for index in indexes]


def _bars(groups: Groups, values: Sequence[Any], columns: Columns, marked: Collection[object]) -> Iterator[Bar]:
    before = (0,) * len(columns)
    for text, indexes in groups:
        sums = tuple(sum(map(column.__getitem__, indexes)) for column in columns)
        yield Bar(text, sums, before, bool(marked) and any(values[index] in marked for index in indexes))
        before = tuple(map(sum, zip(before, sums, strict=True)))


def _chart_bands(
    bands: Sequence[Band], numbers: Sequence[int], counts: Sequence[int], denominator: int, groups: Groups
) -> tuple[ChartBand, ...]:
    """Return the bands that have values, each with its bars; the groups of numbers come first, in order."""
    if not groups:
        return ()
    runs = split_by_bands(bands, numbers)
    percents = share_column((sum(counts[run.start : run.stop]) for _, run in runs), denominator)
    firsts = [indexes[0] for _, indexes in groups]
    return tuple(
        ChartBand(label, bisect_left(firsts, run.start), bisect_left(firsts, run.stop), percent)
        for (label, run), percent in zip(runs, percents, strict=True)
        if run.start < firsts[-1] + len(groups[-1][1])
    )


def _group_unlikely(
    values: Sequence[Any], columns: Columns, denominators: Sequence[int], max_groups: int
) -> tuple[Groups, str]:
    """Group all but the likeliest values, and return the groups with a note."""

    def likelihood(index: int) -> float:
        return sum(column[index] / whole for column, whole in zip(columns, denominators, strict=True))

    indexes = range(len(values))
    likeliest = set(sorted(indexes, key=likelihood, reverse=True)[: max_groups - 1])
    groups: Groups = [(value_label(values[index]), [index]) for index in indexes if index in likeliest]
    others = [index for index in indexes if index not in likeliest]
    rest = ngettext("{count} other", "{count} others", len(others)).format(count=len(others))
    note = _("The {shown} likeliest of {count} values.").format(shown=len(likeliest), count=len(values))
    return [*groups, (rest, others)], note
