"""A chart of odds drawn by Matplotlib, where that is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dicedocs.render.chart import Series, label, merged, title
from dicedocs.rules.kinds import all_integers


def plot(series: Series, ax: Any = None) -> Any:
    """Draw distributions as bars.

    Parameters:
        series: distributions by their labels.
        ax: the Matplotlib axes to draw on; new ones when left out.

    Returns:
        The axes.

    Raises:
        ImportError: no axes are given, and Matplotlib is not installed.
    """
    if ax is None:
        try:
            pyplot = import_module("matplotlib.pyplot")
        except ImportError:
            raise ImportError("plot() needs Matplotlib: pip install matplotlib", name="matplotlib") from None
        _, ax = pyplot.subplots()
    values = merged([one.values for one in series.values()])
    numbers = all_integers(values)
    places = dict(zip(values, values if numbers else range(len(values)), strict=True))
    wide = 0.9 / len(series)
    for nth, (name, one) in enumerate(series.items()):
        shift = (nth - (len(series) - 1) / 2) * wide
        chances = [100 * times / one.denominator for times in one.counts]
        ax.bar([places[value] + shift for value in one.values], chances, width=wide, label=name or None)
    if numbers:
        ax.locator_params(axis="x", integer=True)
    else:
        ax.set_xticks(range(len(values)), [label(value) for value in values])
    ax.set_xlabel(title(next(iter(series.values()))))
    ax.set_ylabel("Chance in %")
    if any(series):
        ax.legend()
    return ax
