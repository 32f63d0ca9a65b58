"""A chart of odds as text, its bars chart with block characters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from dicedocs.render.chart import Chart, Series, build_chart, column_title, summary_sentences
from dicedocs.render.numbers import local_figure
from dicedocs.render.scale import Band
from dicedocs.render.table import align_decimals
from dicedocs.render.words import display_width, fit_width
from dicedocs.translation import gettext as _

_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
_FULL: Final = "█"
_MIN_WIDTH: Final = 20
_MIN_BAR: Final = 3
"""The length of the longest bar below which no bars are chart."""
_MIN_LABEL: Final = 4
_FIGURE_WIDTH: Final = 8
"""Characters of a percentage and of the gap before it."""
_GAP: Final = "  "


def bars_text(
    series: Series,
    *,
    width: int = 78,
    marked: Collection[object] = (),
    ascii: bool = False,
    cumulative: bool = False,
    bands: Sequence[Band] = (),
) -> str:
    """Return a chart of distributions, side by side, as text, and its summary.

    Parameters:
        series: up to four distributions by their labels.
        width: the characters of a line, at least 20.
        marked: the values to highlight, with ``>``.
        ascii: whether to draw bars with ``#``, for a stream that cannot encode block characters.
        cumulative: whether a single distribution of numbers also has columns for "at least" and "at most".
        bands: what the numbers of a single distribution mean; each band begins with a line that names it.

    >>> from dicedocs.probability.distribution import Distribution
    >>> print(bars_text({"": Distribution({0: 1, 1: 2, 2: 1})}, width=24, marked=[2]))
      0  25%  ███████
      1  50%  ██████████████
    > 2  25%  ███████
    <BLANKLINE>
    Mean 1, standard deviation 0.71, most likely 1 (50%).
    """
    chart = build_chart(series, marked=marked, bands=bands)
    titles = {column_title(one) if one.names else "" for one in series.values()}
    head = titles.pop() if len(titles) == 1 else ""
    cumulative = cumulative and chart.numeric and len(series) == 1
    lines = _lines(chart, head, max(width, _MIN_WIDTH), ascii=ascii, cumulative=cumulative)
    below = [*filter(None, [chart.note]), *summary_sentences(series)]
    return "\n".join([*lines, *([""] if below else []), *below])


def _lines(chart: Chart, head: str, width: int, *, ascii: bool, cumulative: bool) -> list[str]:
    """Return the lines of the columns: the labels, then the figures and the bars of each distribution."""
    series = len(chart.names)
    columns = [_label_column(chart, head, max(min(width // 3, width - _FIGURE_WIDTH * series), _MIN_LABEL))]
    series_width = (width - display_width(columns[0][0])) // series
    for index, name in enumerate(chart.names):
        parts = [_figure_column(_("exactly") if cumulative else "", chart.exactly(index))]
        if cumulative:
            parts += [_figure_column(_("at least"), chart.at_least()), _figure_column(_("at most"), chart.at_most())]
        length = series_width - sum(len(_GAP) + len(part[0]) for part in parts) - len(_GAP)
        if length >= _MIN_BAR:
            parts.append(_bar_column(chart, index, length, ascii=ascii))
        column = list(map(_GAP.join, zip(*parts, strict=True)))
        if not cumulative:
            column[0] = fit_width(name, len(column[0]))
        columns.append(column)
    head_line, *lines = [_GAP.join(cells).rstrip() for cells in zip(*columns, strict=True)]
    for start, (_index, band) in reversed(chart.band_starts().items()):
        lines.insert(start, fit_width(f"{band.label}{_GAP}{local_figure(band.percent)}", width).rstrip())
    return [head_line, *lines] if head_line else lines


def _label_column(chart: Chart, head: str, max_width: int) -> list[str]:
    """Return the labels under their head, with a pointer before each that is marked."""
    width = min(max(map(display_width, [head, *(bar.label for bar in chart.bars)])), max_width)
    pointer = "> " if any(bar.marked for bar in chart.bars) else ""
    texts = [(head, False), *((bar.label, bar.marked) for bar in chart.bars)]
    return [
        fit_width(pointer if marked else "", len(pointer)) + fit_width(text, width, right=chart.numeric)
        for text, marked in texts
    ]


def _figure_column(head: str, texts: list[str]) -> list[str]:
    cells = [head, *align_decimals(texts)]
    width = max(map(len, cells))
    return [cell.rjust(width) for cell in cells]


def _bar_column(chart: Chart, index: int, length: int, *, ascii: bool) -> list[str]:
    """Return the bars of a distribution under an empty head, scaled so that the longest of all has this length."""
    maximum = chart.maximum
    part, whole = maximum.numerator * chart.denominators[index], maximum.denominator
    unit = 1 if ascii else 8
    bars = [""]
    for bar in chart.bars:
        steps = (2 * unit * length * bar.counts[index] * whole + part) // (2 * part)
        # A possible value has a bar, however unlikely it is.
        steps = max(steps, 1) if bar.counts[index] else 0
        full, eighths = divmod(steps, unit)
        bars.append("#" * full if ascii else _FULL * full + _EIGHTHS[eighths].strip())
    return [bar.ljust(length) for bar in bars]
