"""The odds that a panel shows as a file: their numbers as CSV, or their chart as SVG."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from dicedocs.errors import ParameterError, quoted

if TYPE_CHECKING:
    from dicedocs.render.chart import Series
    from dicedocs.render.scale import Band
    from dicedocs.render.table import Show

_WIDTH: Final = 720
"""Pixels of the width of a picture."""


def odds_file(
    series: Series,
    kind: str,
    fact: str,
    marked: Collection[object] = (),
    *,
    bands: Sequence[Band] = (),
    show: Show = "exactly",
) -> dict[str, str]:
    r"""Return odds as a file: its ``name`` without a suffix, and its ``text``.

    Parameters:
        series: distributions by their labels.
        kind: ``csv``, or ``picture`` for a chart as SVG, which stands alone.
        fact: the name of the fact.
        marked: the values to highlight in the chart.
        bands: what the numbers of a single distribution mean.
        show: what a bar of the chart is, where some values are higher than others.

    Raises:
        ParameterError: there is no such kind.

    >>> from dicedocs.probability.distribution import Distribution
    >>> odds_file({"": Distribution({0: 1, 1: 3}, names=("hits",))}, "csv", "hits")
    {'name': 'odds-of-hits', 'text': 'hits,count,of,chance\n0,1,4,0.25\n1,3,4,0.75\n'}
    """
    name = f"odds-of-{fact.replace('_', '-')}"
    if kind == "csv":
        from dicedocs.render.table import series_csv

        return {"name": name, "text": series_csv(series)}
    if kind != "picture":
        raise ParameterError(f"odds cannot be saved as {quoted(kind)}", hint="save them as csv or picture")
    from dicedocs.render.chart_html import chart_picture

    return {"name": name, "text": chart_picture(series, marked=marked, width=_WIDTH, bands=bands, show=show)}
