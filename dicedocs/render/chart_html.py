"""A chart of odds as HTML: an SVG with its name and description, and the same numbers as a table.

As the drawings of dice do, a chart takes its colour from the text around it, so that it is right in every theme
and in forced colours, with or without our stylesheet. Lengths are parts of the width there is, letters keep
their size: it is legible in a phone's width. Several distributions differ in how their bars are filled, never in
colour alone.
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import Final

from dicedocs.render.chart import MOST, Chart, Series, chart, sentences, title
from dicedocs.render.table import Read, cells, fitted, odds_table, table_html
from dicedocs.render.words import clean, join_words

_FILLS: Final = (
    'fill="currentColor"',
    'fill="none" stroke="currentColor" stroke-width="1.5"',
    'fill="currentColor" fill-opacity=".4" stroke="currentColor" stroke-width=".75"',
    'fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="3 2"',
)
"""How the bars of each distribution are filled: solid, hollow, pale, dashed."""
_LABEL: Final = 20
"""Letters of a label that a chart has room for; its table says all of them."""
_FIGURE: Final = 18
"""The part of the width, in percent, that is left for the figure after the longest bar."""
_ROW: Final = 22
"""The height of a line, in pixels, where a bar has its figure beside it."""
_THIN: Final = 9
"""The height of a bar among several that share a label."""


def odds_html(
    series: Series,
    *,
    name: str = "",
    most: int = MOST,
    marked: Collection[object] = (),
    reads: tuple[Read, ...] = (),
    rows: int | None = None,
    folded: bool = True,
) -> str:
    """Show distributions as HTML: the chart, what is said of it, and its numbers as a table.

    A distribution of several facts has the table alone.

    Parameters:
        series: up to four distributions by their labels.
        name: what the chart is of, for whoever cannot see it; the names of the facts when left out.
        most: how many bars there is room for.
        marked: the values to point at.
        reads: how the table reads chances, as for :func:`~dicedocs.render.table.odds_table`.
        rows: how many rows the table has room for; all when left out.
        folded: whether the table is folded away until it is asked for.

    >>> from dicedocs.probability.distribution import Distribution
    >>> html = odds_html({"": Distribution.dice(2, 6)})
    >>> html.count("<rect"), html.count("<tr>")
    (11, 12)
    """
    table = odds_table(series, reads=reads, most=rows, marked=marked)
    name = clean(name) or f"Odds of {join_words([*dict.fromkeys(map(_of, series.items()))])}"
    numbers = table_html(table, caption="" if folded else name)
    if table.labels > 1:
        return f'<div class="dice-odds">{numbers}</div>'
    drawn = chart(series, most=most, marked=marked)
    said = [*filter(None, [drawn.note]), *sentences(series)]
    below = "".join(f'<p class="dice-note">{escape(text)}</p>' for text in said)
    if folded:
        numbers = f"<details><summary>Numbers</summary>{numbers}</details>"
    return f'<div class="dice-odds">{_legend(drawn)}{chart_svg(drawn, name, said)}{below}{numbers}</div>'


def _of(labelled: tuple[str, object]) -> str:
    label, distribution = labelled
    return clean(label) or title(distribution).lower()  # type: ignore[arg-type]


def chart_svg(drawn: Chart, name: str, said: Collection[str] = ()) -> str:
    """Draw bars from top to bottom, named and described for whoever cannot see them.

    Parameters:
        drawn: the bars.
        name: what they show.
        said: sentences that describe it.
    """
    series = len(drawn.names)
    line = _ROW if series == 1 else _THIN * series + _THIN
    start = 3 + 2.3 * min(max(cells(bar.label) for bar in drawn.bars), _LABEL)
    if any(bar.marked for bar in drawn.bars):
        start += 4
    figures = drawn.exactly() if series == 1 else []
    longest = drawn.longest
    unit = (100 - start - (_FIGURE if figures else 1)) / float(longest)
    parts = []
    for row, bar in enumerate(drawn.bars):
        top = row * line
        middle = top + line / 2
        if bar.marked:
            parts.append(f'<rect width="100%" y="{top}" height="{line}" fill="currentColor" fill-opacity=".1"/>')
        text = ("▸ " if bar.marked else "") + fitted(bar.label, min(cells(bar.label), _LABEL))
        weight = ' font-weight="700"' if bar.marked else ""
        parts.append(_text(text, f"{start:.4g}%", middle, -8, f' text-anchor="end"{weight}'))
        end = start
        for place, times in enumerate(bar.counts):
            if times:
                length = max(unit * (times / drawn.wholes[place]), 0.3)
                end = start + length
                y, height = (top + 4, line - 8) if figures else (top + 5 + place * _THIN, _THIN - 2)
                parts.append(_bar(f"{start:.4g}%", y, f"{length:.4g}%", height, place))
        if figures:
            parts.append(_text(figures[row], f"{end:.4g}%", middle, 6, weight))
    marks = [bar.label for bar in drawn.bars if bar.marked]
    told = " ".join([*said, *([f"Marked: {join_words(marks)}."] if marks else [])])
    return (
        f'<svg class="dice-chart" xmlns="http://www.w3.org/2000/svg" role="img" width="100%"'
        f' height="{line * len(drawn.bars)}" font-size="13"><title>{escape(name)}</title>'
        f"<desc>{escape(told)}</desc>{''.join(parts)}</svg>"
    )


def _bar(x: str, y: int, width: str, height: int, place: int) -> str:
    """Draw a bar of the distribution at a place."""
    where = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'<rect class="dice-bar" {where} {_FILLS[place % len(_FILLS)]}/>'


def _text(text: str, x: str, middle: float, dx: int, more: str) -> str:
    # A capital is about 0.7 em high: half of it below the middle.
    return f'<text x="{x}" dx="{dx}" y="{middle + 4.5:g}" fill="currentColor"{more}>{escape(text)}</text>'


def _legend(drawn: Chart) -> str:
    """Say which bars are whose, where there are several distributions."""
    if len(drawn.names) == 1:
        return ""
    items = "".join(
        f'<li><svg width="24" height="10" aria-hidden="true">{_bar("1", 1, "22", 8, place)}</svg> {escape(name)}</li>'
        for place, name in enumerate(drawn.names)
    )
    return f'<ul class="dice-legend">{items}</ul>'
