"""A chart of odds as HTML: an SVG with a name and a description, and its numbers as a table.

A chart has the colour of the surrounding text, which suits every theme and forced colours, with or without our
stylesheet. Lengths are percentages of the width and letters keep their size, so it is legible on a phone. The bars of
several distributions differ in their fill, never in colour alone.
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import Final

from dicedocs.render.chart import Chart, Series, build_chart, column_title, summary_sentences
from dicedocs.render.table import MAX_ROWS, odds_table, table_html
from dicedocs.render.words import clean, display_width, fit_width, join_words

_FILLS: Final = (
    'fill="currentColor"',
    'fill="none" stroke="currentColor" stroke-width="1.5"',
    'fill="currentColor" fill-opacity=".4" stroke="currentColor" stroke-width=".75"',
    'fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="3 2"',
)
"""The fills of the bars of each distribution: solid, hollow, pale, dashed."""
_MAX_LABEL: Final = 20
"""Letters of a label; the table has the whole label."""
_FIGURE_WIDTH: Final = 18
"""The percentage of the width that is left for the figure after the longest bar."""
_LINE_HEIGHT: Final = 22
"""Pixels of a line with one bar and its figure."""
_THIN_HEIGHT: Final = 9
"""Pixels of each of several bars that share a label."""


def odds_html(
    series: Series,
    *,
    name: str = "",
    marked: Collection[object] = (),
    max_rows: int | None = MAX_ROWS,
    folded: bool = True,
) -> str:
    """Return distributions as HTML: a chart, its summary, and its numbers as a table.

    A distribution of several facts has only the table.

    Parameters:
        series: up to four distributions by their labels.
        name: the accessible name of the chart; by default made of the names of the facts.
        marked: the values to highlight.
        max_rows: the rows of the table; ``None`` for all.
        folded: whether the table is folded.

    >>> from dicedocs.probability.distribution import Distribution
    >>> html = odds_html({"": Distribution.dice(2, 6)})
    >>> html.count("<rect"), html.count("<tr>")
    (11, 12)
    """
    table = odds_table(series, max_rows=max_rows, marked=marked)
    subjects = (clean(label) or column_title(one).lower() for label, one in series.items())
    name = clean(name) or f"Odds of {join_words([*dict.fromkeys(subjects)])}"
    numbers = table_html(table, caption="" if folded else name)
    if table.label_columns > 1:
        return f'<div class="dice-odds">{numbers}</div>'
    chart = build_chart(series, marked=marked)
    description = [*filter(None, [chart.note]), *summary_sentences(series)]
    below = "".join(f'<p class="dice-note">{escape(text)}</p>' for text in description)
    if folded:
        numbers = f"<details><summary>Numbers</summary>{numbers}</details>"
    return f'<div class="dice-odds">{_legend(chart)}{chart_svg(chart, name, description)}{below}{numbers}</div>'


def chart_svg(chart: Chart, name: str, description: Collection[str] = ()) -> str:
    """Return a chart as SVG with an accessible name and the sentences of its description."""
    series = len(chart.names)
    line = _LINE_HEIGHT if series == 1 else _THIN_HEIGHT * (series + 1)
    start = 3 + 2.3 * min(max(display_width(bar.label) for bar in chart.bars), _MAX_LABEL)
    marked = [bar.label for bar in chart.bars if bar.marked]
    if marked:
        start += 4
    figures = chart.exactly() if series == 1 else []
    unit = (100 - start - (_FIGURE_WIDTH if figures else 1)) / float(chart.maximum)
    parts = []
    for row, bar in enumerate(chart.bars):
        top = row * line
        middle = top + line / 2
        if bar.marked:
            parts.append(f'<rect width="100%" y="{top}" height="{line}" fill="currentColor" fill-opacity=".1"/>')
        text = ("▸ " if bar.marked else "") + fit_width(bar.label, min(display_width(bar.label), _MAX_LABEL))
        weight = ' font-weight="700"' if bar.marked else ""
        parts.append(_text(text, f"{start:.4g}%", middle, -8, f' text-anchor="end"{weight}'))
        end = start
        for index, count in enumerate(bar.counts):
            if count:
                length = max(unit * (count / chart.denominators[index]), 0.3)
                end = start + length
                y, height = (top + 4, line - 8) if figures else (top + 5 + index * _THIN_HEIGHT, _THIN_HEIGHT - 2)
                parts.append(_bar(f"{start:.4g}%", y, f"{length:.4g}%", height, index))
        if figures:
            parts.append(_text(figures[row], f"{end:.4g}%", middle, 6, weight))
    sentences = [*description, f"Marked: {join_words(marked)}."] if marked else description
    return (
        f'<svg class="dice-chart" xmlns="http://www.w3.org/2000/svg" role="img" width="100%"'
        f' height="{line * len(chart.bars)}" font-size="13"><title>{escape(name)}</title>'
        f"<desc>{escape(' '.join(sentences))}</desc>{''.join(parts)}</svg>"
    )


def _bar(x: str, y: int, width: str, height: int, series_index: int) -> str:
    fill = _FILLS[series_index % len(_FILLS)]
    return f'<rect class="dice-bar" x="{x}" y="{y}" width="{width}" height="{height}" {fill}/>'


def _text(text: str, x: str, middle: float, dx: int, attributes: str) -> str:
    # A capital is about 0.7 em high; the baseline is half of that below the middle.
    return f'<text x="{x}" dx="{dx}" y="{middle + 4.5:g}" fill="currentColor"{attributes}>{escape(text)}</text>'


def _legend(chart: Chart) -> str:
    if len(chart.names) == 1:
        return ""
    items = "".join(
        f'<li><svg width="24" height="10" aria-hidden="true">{_bar("1", 1, "22", 8, index)}</svg> {escape(name)}</li>'
        for index, name in enumerate(chart.names)
    )
    return f'<ul class="dice-legend">{items}</ul>'
