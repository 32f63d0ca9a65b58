"""What blocks of odds show, as tables and lists that every writer knows; other writers draw the same contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from docutils import nodes
from sphinx import addnodes

from dicedocs.render.chart import Chart, build_chart, column_title, summary_sentences, without_none_text
from dicedocs.render.numbers import local_figure
from dicedocs.render.table import Table, band_groups, missing_rooms
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.odds import ClaimBlock
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds, CheckedClaim
from dicedocs_sphinx.nodes import value_node

LINES: Final = 30
"""The rows of a table that Sphinx keeps together."""
_UNBROKEN: Final = 12
"""The lines of a table on paper that stay together where it can go on on the next page: a third of a small page."""
_BARLINES: Final = 0.9
"""The height of each of several bars, in lines."""


def latex(text: str) -> nodes.raw:
    """Return what is written in LaTeX alone."""
    return nodes.raw("", text, format="latex")


def chart_as_table(odds: ChartedOdds) -> tuple[Table, Chart, list[nodes.Node]]:
    """Return the numbers of a chart as a table, the chart, and what stands below both."""
    series = odds.series
    data = build_chart(series, marked=odds.marked, bands=odds.bands)
    columns = [data.exactly(column) for column in range(len(data.names))]
    heads = (column_title(next(iter(series.values()))), *(name or _("Chance") for name in data.names))
    marked = tuple(index for index, bar in enumerate(data.bars) if bar.marked)
    cells = tuple(zip((bar.label for bar in data.bars), *columns, strict=True))
    table = Table(heads, cells, marked=marked, row_groups=band_groups(data))
    below = [*filter(None, [data.note]), *summary_sentences(series)]
    return table, data, [nodes.paragraph("", "", value_node(text)) for text in below]


def split_table(table: Table, fits: Callable[[Table], bool]) -> Iterator[Table]:
    """Split a table that is too wide into several, each with the labels of the rows."""
    start, count = 1, len(table.heads)
    while start < count:
        end = start + 1
        while end < count and fits(_part(table, start, end + 1)):
            end += 1
        yield _part(table, start, end)
        start = end


def _part(table: Table, start: int, end: int) -> Table:
    rows = tuple((row[0], *row[start:end]) for row in table.rows)
    heat = tuple(row[start - 1 : end - 1] for row in table.heat)
    heads = (table.heads[0], *table.heads[start:end])
    groups = tuple(group._replace(percents=group.percents[start - 1 : end - 1]) for group in table.row_groups)
    return Table(heads, rows, marked=table.marked, heat=heat, row_groups=groups)


def stock_table(
    table: Table, bars: Sequence[str] = (), swatches: Sequence[str] = (), *, breaks: bool = False
) -> list[nodes.Node]:
    """Return a table with header cells, with its figures aligned to the right, and bars in LaTeX, if there are any.

    Parameters:
        table: the table.
        bars: the bars of each row.
        swatches: for each column of figures what its bars look like, if there are several.
        breaks: whether it stands where it can go on on the next page of a document in LaTeX.
    """
    count = len(table.heads)
    spec = addnodes.tabular_col_spec(spec="l" + "r" * (count - 1) + (r"p{\dicebarroom}" if bars else ""))
    # To the writer of LaTeX the attribute alone makes a column one of heads.
    columns = [nodes.colspec(colwidth=1) for _column in range(count + bool(bars))]
    columns[0]["stub"] = 1
    heads = zip_longest([*table.heads, *([" "] if bars else [])], ["", *swatches], fillvalue="")
    head = nodes.thead("", nodes.row("", *(_entry(text, swatch=swatch) for text, swatch in heads)))
    body = nodes.tbody()
    starts = table.group_starts
    rooms, rooms_of_sums = missing_rooms(table)
    without = ("",) * (count - 1)
    for index, (label, *figures) in enumerate(table.rows):
        if index in starts:
            head_row = nodes.row("", _entry(starts[index].label, marked=True))
            sums = zip(table.sums.get(index, without), rooms_of_sums.get(index, without), strict=True)
            head_row += [_entry(local_figure(text), marked=bool(text), room=local_figure(room)) for text, room in sums]
            if bars:
                head_row += _entry(" ")
            body += head_row
        marked = index in table.marked
        row = nodes.row("", _entry(label, marked=marked))
        shades = table.heat[index] if table.heat else (0,) * len(figures)
        for figure, room, shade in zip(figures, rooms[index], shades, strict=True):
            row += _entry(local_figure(figure), marked=marked, room=local_figure(room), shade=shade)
        if bars:
            row += nodes.entry("", nodes.paragraph("", "", latex(bars[index])))
        body += row
    lines = len(starts) + len(table.rows) * (max(1, _BARLINES * (count - 1)) if bars else 1)
    # Sphinx lets only a table of this class, or of more than 30 rows, go on on the next page.
    classes = ["longtable"] if lines > (_UNBROKEN if breaks else LINES) else []
    # Above them its caption, its head and two rules.
    before = [latex(rf"\dicetableroom{{{lines + 4:.0f}}}")] if classes else []
    if table.heat:
        # The grey of every second row would look like a shade.
        classes.append("nocolorrows")
    stock = nodes.table("", nodes.tgroup("", *columns, head, body, cols=len(columns)), classes=classes)
    return [*before, spec, stock]


def _entry(text: str, *, marked: bool = False, room: str = "", shade: int = 0, swatch: str = "") -> nodes.entry:
    """Return a cell; in print it is shaded, and leaves room for the decimals that others in its column have."""
    paragraph = nodes.paragraph()
    if swatch:
        paragraph += latex(swatch)
    if shade:
        paragraph += latex(rf"\diceheat{{{shade}}}")
    paragraph += value_node(text, strong=marked)
    if room:
        paragraph += latex(rf"\phantom{{{room}}}")
    return nodes.entry("", paragraph)


def claim_list(block: ClaimBlock, claims: Sequence[CheckedClaim]) -> nodes.Node:
    """Return claims, each with its exact figure."""
    items = nodes.definition_list(classes=["dice-claims", "simple"])
    for claim in claims:
        message = _("it is {figure}; loosely put") if block.loose else _("it is {figure}")
        if claim.without_none:
            message = message.replace("{figure}", without_none_text("{figure}"))
        before, _placeholder, after = message.partition("{figure}")
        exact = [nodes.Text(before), value_node(local_figure(claim.figure), strong=True), nodes.Text(after)]
        items += nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal(claim.text, claim.text)),
            nodes.definition("", nodes.paragraph("", "", *exact)),
        )
    return items
