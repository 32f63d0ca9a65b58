"""A chart of odds drawn by Matplotlib, which is optional."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final

from dicedocs.errors import ParameterError
from dicedocs.render.chart import Series, build_chart, column_title, merge_values, value_label
from dicedocs.render.words import labelled
from dicedocs.rules.kinds import all_integers
from dicedocs.translation import gettext as _

_MAX_BARS: Final = 2_000
"""More values than this are grouped."""


def plot(series: Series, ax: Any = None) -> Any:
    """Draw distributions as bars on Matplotlib axes, by default new ones, and return the axes.

    Bars that the axes have already show through.

    Raises:
        ImportError: there are no axes, and Matplotlib is not installed.
        ParameterError: the axes have words, and these are numbers, or the other way round.
    """
    if ax is None:
        try:
            pyplot = import_module("matplotlib.pyplot")
        except ImportError:
            raise ImportError("plot() needs Matplotlib: pip install matplotlib", name="matplotlib") from None
        ax = pyplot.subplots()[1]
    values, note, style = merge_values([one.values for one in series.values()]), "", {}
    numbers = all_integers(values) and len(values) <= _MAX_BARS
    if ax.containers:
        if numbers == (type(ax.xaxis.get_major_locator()).__name__ == "FixedLocator"):
            message = "numbers and words, or ranges of numbers, cannot stand on one axis"
            raise ParameterError(message, hint="draw on axes of its own")
        style = {"alpha": 0.6}
    if len(values) <= _MAX_BARS:
        shares = [[(value, count / one.denominator) for value, count in one.items()] for one in series.values()]
        positions = dict(zip(values, values if numbers else _places(ax, map(value_label, values)), strict=True))
    else:
        # The grouped bars that a page shows, where there would be too many.
        chart = build_chart(series)
        note, places = chart.note, _places(ax, [bar.label for bar in chart.bars], rotation="vertical")
        shares = [
            [(row, bar.counts[index] / whole) for row, bar in enumerate(chart.bars)]
            for index, whole in enumerate(chart.denominators)
        ]
        positions = dict(enumerate(places))
    width = 0.9 / len(series)
    for index, (name, bars) in enumerate(zip(series, shares, strict=True)):
        offset = (index - (len(series) - 1) / 2) * width
        heights = [100 * share for _at, share in bars]
        ax.bar([positions[at] + offset for at, _share in bars], heights, width=width, label=name or None, **style)
    if numbers:
        ax.locator_params(axis="x", integer=True)
    title = column_title(next(iter(series.values())))
    ax.set_xlabel(labelled(title, note) if note else title)
    ax.set_ylabel(_("Chance in %"))
    if any(series):
        ax.legend()
    return ax


def _places(ax: Any, labels: Iterable[str], **style: str) -> list[int]:
    """Return the positions of labels on the axis, after those that it has already."""
    labels, known = list(labels), [one.get_text() for one in ax.get_xticklabels()] if ax.containers else []
    every = list(dict.fromkeys([*known, *labels]))
    ax.set_xticks(range(len(every)), every, **style)
    return list(map(every.index, labels))
