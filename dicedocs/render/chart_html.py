"""A chart of odds as HTML: an SVG with a name and a description, and its numbers as a table.

A chart has the colour of the surrounding text, which suits every theme and forced colours, with or without our
stylesheet. Lengths are percentages of the width and letters keep their size, so it is legible on a phone. The bars of
several distributions differ in their fill, never in colour alone, and so do those of the bands of one distribution,
each of which begins with a line that names it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import Final

from dicedocs.render.chart import Chart, Series, build_chart, column_title, summary_sentences
from dicedocs.render.numbers import local_figure
from dicedocs.render.scale import Band
from dicedocs.render.table import MAX_ROWS, Show, chart_figures, chart_shares, odds_table, table_html
from dicedocs.render.words import clean, display_width, fit_width, join_words, labelled
from dicedocs.translation import current_language
from dicedocs.translation import gettext as _

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
_HEAD_HEIGHT: Final = 28
"""Pixels of the line that names a band."""
_MARGIN: Final = 16
"""Pixels around a picture."""
_THIN_HEIGHT: Final = 9
"""Pixels of each of several bars that share a label."""


def odds_html(
    series: Series,
    *,
    name: str = "",
    marked: Collection[object] = (),
    max_rows: int | None = MAX_ROWS,
    folded: bool = True,
    below: str = "",
    bands: Sequence[Band] = (),
) -> str:
    """Return distributions as HTML: a chart, its summary, and its numbers as a table.

    A distribution of several facts has only the table.

    Parameters:
        series: up to four distributions by their labels.
        name: the accessible name of the chart; by default made of the names of the facts.
        marked: the values to highlight.
        max_rows: the rows of the table; ``None`` for all.
        folded: whether the table is folded.
        below: HTML that follows the table.
        bands: what the numbers of a single distribution mean.

    >>> from dicedocs.probability.distribution import Distribution
    >>> html = odds_html({"": Distribution.dice(2, 6)})
    >>> html.count("<rect"), html.count("<tr>")
    (11, 12)
    """
    table = odds_table(series, max_rows=max_rows, marked=marked, bands=bands)
    subjects = (clean(label) or _inside_sentence(column_title(one)) for label, one in series.items())
    name = clean(name) or _("Odds of {subject}").format(subject=join_words([*dict.fromkeys(subjects)]))
    numbers = table_html(table, caption="" if folded else name, folded=not folded) + below
    if table.label_columns > 1:
        return f'<div class="dice-odds">{numbers}</div>'
    chart = build_chart(series, marked=marked, bands=bands)
    description = [*filter(None, [chart.note]), *summary_sentences(series)]
    below = "".join(f'<p class="dice-note">{escape(text)}</p>' for text in description)
    if folded:
        numbers = f"<details><summary>{escape(_('Numbers'))}</summary>{numbers}</details>"
    return f'<div class="dice-odds">{_legend(chart)}{chart_svg(chart, name, description)}{below}{numbers}</div>'


def _inside_sentence(title: str) -> str:
    """Return a head within a sentence; in other languages, such as German, a capital may have to stay."""
    return title.lower() if current_language() is None else title


def chart_svg(chart: Chart, name: str, description: Collection[str] = (), show: Show = "exactly") -> str:
    """Return a chart as SVG with an accessible name and the sentences of its description.

    Parameters:
        chart: the chart.
        name: its accessible name.
        description: the sentences of its description.
        show: what a bar is, as for :func:`~dicedocs.render.table.chart_shares`.
    """
    series = len(chart.names)
    line = _line_height(chart)
    start = 3 + 2.3 * min(max(display_width(bar.label) for bar in chart.bars), _MAX_LABEL)
    marked = [bar.label for bar in chart.bars if bar.marked]
    if marked:
        start += 4
    figures = chart_figures(chart, 0, show) if series == 1 else []
    shares = [chart_shares(chart, index, show) for index in range(series)]
    unit = (100 - start - (_FIGURE_WIDTH if figures else 1)) / max(map(max, shares))
    parts = []
    starts, fill, top = chart.band_starts(), 0, 0
    for row, bar in enumerate(chart.bars):
        if row in starts:
            fill, band = starts[row]
            parts.append(_band_head(f"{band.label} {local_figure(band.percent)}", top))
            top += _HEAD_HEIGHT
        middle = top + line / 2
        if bar.marked:
            parts.append(f'<rect width="100%" y="{top}" height="{line}" fill="currentColor" fill-opacity=".1"/>')
        text = ("▸ " if bar.marked else "") + fit_width(bar.label, min(display_width(bar.label), _MAX_LABEL))
        weight = ' font-weight="700"' if bar.marked else ""
        parts.append(_text(text, f"{start:.4g}%", middle, -8, f' text-anchor="end"{weight}'))
        end = start
        for index, share in enumerate(column[row] for column in shares):
            if share:
                length = max(unit * share, 0.3)
                end = start + length
                y, height = (top + 4, line - 8) if figures else (top + 5 + index * _THIN_HEIGHT, _THIN_HEIGHT - 2)
                parts.append(_bar(f"{start:.4g}%", y, f"{length:.4g}%", height, index or fill))
        if figures:
            parts.append(_text(local_figure(figures[row]), f"{end:.4g}%", middle, 6, weight))
        top += line
    sentences = [*description]
    if chart.bands:
        bands = ", ".join(f"{band.label} {local_figure(band.percent)}" for band in chart.bands)
        sentences.append(_("Bands: {bands}.").format(bands=bands))
    if marked:
        sentences.append(_("Marked: {values}.").format(values=join_words(marked)))
    return (
        f'<svg class="dice-chart" xmlns="http://www.w3.org/2000/svg" role="img" width="100%"'
        f' height="{top}" font-size="14"><title>{escape(name)}</title>'
        f"<desc>{escape(' '.join(sentences))}</desc>{''.join(parts)}</svg>"
    )


def chart_picture(
    series: Series,
    *,
    marked: Collection[object] = (),
    width: int = 720,
    bands: Sequence[Band] = (),
    show: Show = "exactly",
) -> str:
    """Return a chart as an SVG that stands alone, with its name, its summary and a key, on white.

    Parameters:
        series: up to four distributions by their labels.
        marked: the values to highlight.
        width: its width in pixels.
        bands: what the numbers of a single distribution mean.
        show: what a bar is, where some values are higher than others.

    >>> from dicedocs.probability.distribution import Distribution
    >>> picture = chart_picture({"coin": Distribution({0: 1, 1: 1}), "die": Distribution.dice(1, 4)})
    >>> picture.count("<svg"), 'width="720" height="285"' in picture
    (3, True)
    """
    chart = build_chart(series, marked=marked, bands=bands)
    show = show if chart.numeric else "exactly"
    sentences = [*filter(None, [chart.note]), *summary_sentences(series)]
    name = _("Odds of {subject}").format(subject=_inside_sentence(column_title(next(iter(series.values())))))
    if show != "exactly":
        name = labelled(name, _("At least") if show == "at least" else _("At most"))
    lines, top = [_text(name, "0", _LINE_HEIGHT / 2, 0, ' font-weight="700"')], _LINE_HEIGHT
    keys = chart.names if len(chart.names) > 1 else ()
    for index, label in enumerate(keys):
        lines.append(_bar("1", top + 6, "22", 10, index) + _text(label, "30", top + _LINE_HEIGHT / 2, 0, ""))
        top += _LINE_HEIGHT
    inner = chart_svg(chart, name, show=show).replace("<svg ", f'<svg y="{top + 4}" ', 1)
    top += _chart_height(chart) + 8
    for sentence in sentences:
        lines.append(_text(sentence, "0", top + _LINE_HEIGHT / 2, 0, ""))
        top += _LINE_HEIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + 2 * _MARGIN}" color="#1b1d22"'
        f' font-family="system-ui, sans-serif" font-size="14"><rect width="100%" height="100%" fill="#fff"/>'
        f'<svg x="{_MARGIN}" y="{_MARGIN}" width="{width - 2 * _MARGIN}" height="{top}">'
        f"{''.join(lines)}{inner}</svg></svg>"
    )


def _chart_height(chart: Chart) -> int:
    return _line_height(chart) * len(chart.bars) + _HEAD_HEIGHT * len(chart.bands)


def _line_height(chart: Chart) -> int:
    series = len(chart.names)
    return _LINE_HEIGHT if series == 1 else _THIN_HEIGHT * (series + 1)


def _band_head(text: str, top: int) -> str:
    """Return the line above the first bar of a band, with its name."""
    edge = f'<line x2="100%" y1="{top + 4}" y2="{top + 4}" stroke="currentColor" stroke-opacity=".5"/>'
    return edge + _text(text, "0", top + 16, 0, ' font-weight="600"')


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
        '<li><svg xmlns="http://www.w3.org/2000/svg" width="24" height="10" aria-hidden="true">'
        f"{_bar('1', 1, '22', 8, index)}</svg> {escape(name)}</li>"
        for index, name in enumerate(chart.names)
    )
    return f'<ul class="dice-legend">{items}</ul>'
