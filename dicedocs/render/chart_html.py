"""A chart of odds as HTML: an SVG with a name and a description, and its numbers as a table.

A chart has the colour of the surrounding text, which suits every theme and forced colours, with or without our
stylesheet. Lengths are percentages of the width and letters keep their size, so it is legible on a phone. Several
distributions are charts side by side, on one scale. The bars of bands differ in their fill, never in colour alone, and
each band begins with a line that names it. Many bars have an axis in place of their figures.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from html import escape
from typing import Final

from dicedocs.render.chart import Chart, Series, build_chart, column_title, summary_sentences
from dicedocs.render.chart_groups import round_widths
from dicedocs.render.drawing import Box, Drawing, Label, Line, Percent, Rule
from dicedocs.render.numbers import local_figure, percent
from dicedocs.render.scale import Band
from dicedocs.render.signs import html_text
from dicedocs.render.svg import drawing_svg, picture_svg
from dicedocs.render.table import MAX_ROWS, Show, chart_figures, chart_shares, odds_table, table_html
from dicedocs.render.words import clean, display_width, fit_width, join_words, labelled
from dicedocs.translation import current_language
from dicedocs.translation import gettext as _

_PENS: Final = ("solid", "hollow", "pale", "dashed")
"""The pens of the bars of each band."""
_MAX_LABEL: Final = 20
_MAX_SHORT_LABEL: Final = 11
"""Letters of a label, in a single chart and in one of several; the table has the whole label."""
_FIGURE_WIDTH: Final = {1: 18, 2: 24, 3: 30, 4: 34}
"""The percentage of the width that is left for the figure after the longest bar, by the number of charts in a row."""
_LINE_HEIGHT: Final = 22
"""Pixels of a line with one bar and its figure."""
_MANY: Final = 20
"""The bars above which a chart has an axis."""
_THIN_LINE: Final = 16
"""Pixels of a line with one of many bars."""
_MAX_TICKS: Final = 5
"""The steps of an axis."""
_HEAD_HEIGHT: Final = 28
"""Pixels of the line that names a band."""


def odds_html(
    series: Series,
    *,
    name: str = "",
    marked: Collection[object] = (),
    max_rows: int | None = MAX_ROWS,
    folded: bool = True,
    note: str = "",
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
        note: a sentence that stands below the chart, too.
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
    description = list(filter(None, [chart.note, *summary_sentences(series), note]))
    below = "".join(f'<p class="dice-note">{html_text(text)}</p>' for text in description)
    if folded:
        numbers = f"<details><summary>{escape(_('Numbers'))}</summary>{numbers}</details>"
    return f'<div class="dice-odds">{_charts(chart, series, name, description)}{below}{numbers}</div>'


def _charts(chart: Chart, series: Series, name: str, description: Sequence[str]) -> str:
    """Return the chart of a single distribution, or one for each of several below its label."""
    if len(series) == 1:
        return drawing_svg(draw_chart(chart, name, description))
    parts = []
    for index, (label, one) in enumerate(series.items()):
        drawing = draw_chart(chart, labelled(name, clean(label)), summary_sentences({label: one}), index=index)
        svg = drawing_svg(drawing)
        parts.append(f'<div><div class="dice-legend" aria-hidden="true">{html_text(clean(label))}</div>{svg}</div>')
    return f'<div class="dice-multiples">{"".join(parts)}</div>'


def _inside_sentence(title: str) -> str:
    """Return a head within a sentence; in other languages, such as German, a capital may have to stay."""
    return title.lower() if current_language() is None else title


def draw_chart(
    chart: Chart, name: str, description: Collection[str] = (), *, show: Show = "exactly", index: int = 0
) -> Drawing:
    """Return a drawing of a distribution of a chart.

    Parameters:
        chart: the chart, whose distributions have one scale.
        name: its accessible name.
        description: the sentences of its description.
        show: what a bar is, as for :func:`~dicedocs.render.table.chart_shares`.
        index: which of its distributions.
    """
    series = len(chart.names)
    many, line = _has_axis(chart), _line_height(chart)
    max_label, room = (_MAX_LABEL, 2.3) if series == 1 else (_MAX_SHORT_LABEL, 4.2)
    start = 3 + room * min(max(display_width(bar.label) for bar in chart.bars), max_label)
    marked = [bar.label for bar in chart.bars if bar.marked]
    if marked:
        start += 4
    figures = [] if many else chart_figures(chart, index, show)
    longest = max(max(chart_shares(chart, each, show)) for each in range(series))
    unit = (100 - start - (_FIGURE_WIDTH[series] if figures else 3)) / longest
    marks: list[Line | Label] = []
    starts, fill, top = chart.band_starts(), 0, 0
    for row, (bar, share) in enumerate(zip(chart.bars, chart_shares(chart, index, show), strict=True)):
        if row in starts:
            fill, band = starts[row]
            # The line above the first bar of a band, with its name.
            marks.append(Line(Rule(0, top + 4, Percent(100), top + 4), "edge"))
            marks.append(_text(f"{band.label} {local_figure(band.percent)}", top + 16, "title"))
            top += _HEAD_HEIGHT
        middle = top + line / 2
        if bar.marked:
            marks.append(Line(Box(0, top, Percent(100), line), "marker"))
        text = ("▸ " if bar.marked else "") + fit_width(bar.label, min(display_width(bar.label), max_label))
        part = "strong" if bar.marked else "plain"
        marks.append(Label(text, Percent(start), middle, part, "end", -8))
        length = max(unit * share, 0.3) if share else 0
        if share:
            gap = 2 if many else 4
            box = Box(Percent(start), top + gap, Percent(length), line - 2 * gap)
            marks.append(Line(box, _PENS[fill % len(_PENS)]))
        if figures:
            marks.append(Label(local_figure(figures[row]), Percent(start + length), middle, part, "start", 6))
        top += line
    if many:
        marks = [*_axis(start, unit, longest, top), *marks]
        top += _LINE_HEIGHT
    sentences = [*description]
    if chart.bands:
        bands = ", ".join(f"{band.label} {local_figure(band.percent)}" for band in chart.bands)
        sentences.append(_("Bands: {bands}.").format(bands=bands))
    if marked:
        sentences.append(_("Marked: {values}.").format(values=join_words(marked)))
    return Drawing("dice-chart", name, 0, 0, Percent(100), top, tuple(marks), description=" ".join(sentences))


def _axis(start: float, unit: float, longest: float, bottom: int) -> list[Line | Label]:
    """Return lines across the bars at round percentages, with these below."""
    step = next(width for width in round_widths() if longest * 1000 / width <= _MAX_TICKS)
    marks: list[Line | Label] = []
    for thousandths in range(0, int(longest * 1000) + 1, step):
        x = Percent(start + unit * thousandths / 1000)
        label = local_figure(percent(Fraction(thousandths, 1000)))
        marks += [Line(Rule(x, 0, x, bottom), "axis"), Label(label, x, bottom + _LINE_HEIGHT / 2, "plain")]
    return marks


def _text(text: str, middle: float, part: str = "plain", x: float = 0) -> Label:
    return Label(text, x, middle, part, "start")


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
    >>> picture.count("<svg"), 'width="720" height="238"' in picture
    (4, True)
    """
    chart = build_chart(series, marked=marked, bands=bands)
    show = show if chart.numeric else "exactly"
    sentences = [*filter(None, [chart.note]), *summary_sentences(series)]
    name = _("Odds of {subject}").format(subject=_inside_sentence(column_title(next(iter(series.values())))))
    if show != "exactly":
        name = labelled(name, _("At least") if show == "at least" else _("At most"))
    parts: list[Label | Drawing] = [_text(name, _LINE_HEIGHT / 2, "strong")]
    top, part = _LINE_HEIGHT, 100 / len(chart.names)
    if len(chart.names) > 1:
        for index, label in enumerate(chart.names):
            parts.append(_text(label, top + _LINE_HEIGHT / 2, "title", Percent(part * index)))
        top += _LINE_HEIGHT
    charts = [draw_chart(chart, name, show=show, index=index) for index in range(len(chart.names))]
    for index, one in enumerate(charts):
        parts.append(one._replace(left=Percent(part * index), top=top + 4, width=Percent(part)))
    height = top + charts[0].height + 8
    for sentence in sentences:
        parts.append(_text(sentence, height + _LINE_HEIGHT / 2))
        height += _LINE_HEIGHT
    return picture_svg(parts, width, height)


def _has_axis(chart: Chart) -> bool:
    return len(chart.bars) > _MANY


def _line_height(chart: Chart) -> int:
    return _THIN_LINE if _has_axis(chart) else _LINE_HEIGHT
