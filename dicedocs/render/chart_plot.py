"""A chart of odds drawn by Matplotlib, which is optional."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from dicedocs.render.chart import Series, build_chart, column_title, merge_values, value_label
from dicedocs.render.words import labelled
from dicedocs.rules.kinds import all_integers
from dicedocs.translation import gettext as _

_MAX_BARS: Final = 2_000
"""More values than this are grouped."""


def plot(series: Series, ax: Any = None) -> Any:
    """Draw distributions as bars on Matplotlib axes, by default new ones, and return the axes.

    Raises:
        ImportError: there are no axes, and Matplotlib is not installed.
    """
    if ax is None:
        try:
            pyplot = import_module("matplotlib.pyplot")
        except ImportError:
            raise ImportError("plot() needs Matplotlib: pip install matplotlib", name="matplotlib") from None
        ax = pyplot.subplots()[1]
    values = merge_values([one.values for one in series.values()])
    if len(values) > _MAX_BARS:
        return _plot_groups(series, ax)
    numbers = all_integers(values)
    positions = dict(zip(values, values if numbers else range(len(values)), strict=True))
    width = 0.9 / len(series)
    for index, (name, one) in enumerate(series.items()):
        offset = (index - (len(series) - 1) / 2) * width
        percents = [100 * count / one.denominator for count in one.counts]
        ax.bar([positions[value] + offset for value in one.values], percents, width=width, label=name or None)
    if numbers:
        ax.locator_params(axis="x", integer=True)
    else:
        ax.set_xticks(range(len(values)), [value_label(value) for value in values])
    ax.set_xlabel(column_title(next(iter(series.values()))))
    ax.set_ylabel(_("Chance in %"))
    if any(series):
        ax.legend()
    return ax


def _plot_groups(series: Series, ax: Any) -> Any:
    """Draw the grouped bars that a page shows, where there would be too many."""
    chart = build_chart(series)
    width = 0.9 / len(series)
    for index, (name, whole) in enumerate(zip(chart.names, chart.denominators, strict=True)):
        offset = (index - (len(series) - 1) / 2) * width
        percents = [100 * bar.counts[index] / whole for bar in chart.bars]
        ax.bar([row + offset for row in range(len(percents))], percents, width=width, label=name or None)
    ax.set_xticks(range(len(chart.bars)), [bar.label for bar in chart.bars], rotation="vertical")
    ax.set_xlabel(labelled(column_title(next(iter(series.values()))), chart.note))
    ax.set_ylabel(_("Chance in %"))
    if any(series):
        ax.legend()
    return ax
