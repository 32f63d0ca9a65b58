"""What blocks of odds show, as tables and lists that every writer knows; other writers draw the same contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from docutils import nodes
from sphinx import addnodes

from dicedocs.render.chart import build_chart, column_title, summary_sentences, without_none_text
from dicedocs.render.numbers import local_figure
from dicedocs.render.table import Table, band_groups
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.odds import ClaimBlock
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds, CheckedClaim
from dicedocs_sphinx.nodes import value_node


def chart_as_table(odds: ChartedOdds) -> tuple[Table, list[nodes.Node]]:
    """Return the numbers of a chart as a table, and what stands below it."""
    series = odds.series
    data = build_chart(series, marked=odds.marked, bands=odds.bands)
    columns = [data.exactly(column) for column in range(len(data.names))]
    heads = (column_title(next(iter(series.values()))), *(name or _("Chance") for name in data.names))
    marked = tuple(index for index, bar in enumerate(data.bars) if bar.marked)
    cells = tuple(zip((bar.label for bar in data.bars), *columns, strict=True))
    table = Table(heads, cells, marked=marked, row_groups=band_groups(data))
    return table, paragraphs(data.note, *summary_sentences(series), odds.note)


def paragraphs(*texts: str) -> list[nodes.Node]:
    """Return a paragraph for each text that is not empty."""
    return [nodes.paragraph("", "", value_node(text)) for text in texts if text]


def split_table(table: Table, fits: Callable[[Table], bool]) -> Iterator[Table]:
    """Split a table that is too wide into several, each with the labels of the rows."""
    start, count = table.label_columns, len(table.heads)
    if start == count:
        yield table._replace(note="")
    while start < count:
        end = start + 1
        while end < count and fits(_part(table, start, end + 1)):
            end += 1
        yield _part(table, start, end)
        start = end


def _part(table: Table, start: int, end: int) -> Table:
    labels = table.label_columns
    figures = slice(start - labels, end - labels)
    return Table(
        (*table.heads[:labels], *table.heads[start:end]),
        tuple((*row[:labels], *row[start:end]) for row in table.rows),
        labels,
        marked=table.marked,
        heat=tuple(row[figures] for row in table.heat),
        row_groups=tuple(group._replace(percents=group.percents[figures]) for group in table.row_groups),
        words=table.words,
    )


def stock_table(table: Table) -> list[nodes.Node]:
    """Return a table with header cells, with its figures aligned to the right where a writer can do that."""
    count = len(table.heads)
    # To the writer of LaTeX the attribute alone makes a column one of heads.
    columns = [nodes.colspec(colwidth=1) for _column in range(count)]
    columns[0]["stub"] = 1
    head = nodes.thead("", nodes.row("", *map(_entry, table.heads)))
    body = nodes.tbody()
    starts = table.group_starts
    without = ("",) * (count - 1)
    words = table.word_columns
    for index, row in enumerate(table.rows):
        if index in starts:
            sums = table.sums.get(index, without)
            body += nodes.row(
                "", *(_entry(text, marked=bool(text)) for text in (starts[index].label, *map(local_figure, sums)))
            )
        marked = index in table.marked
        texts = (*row[:words], *map(local_figure, row[words:]))
        body += nodes.row("", *(_entry(text, marked=marked) for text in texts))
    sides = "l" + "".join("r" if table.is_numeric(column) else "l" for column in range(1, count))
    group = nodes.tgroup("", *columns, head, body, cols=count)
    return [addnodes.tabular_col_spec(spec=sides), nodes.table("", group)]


def _entry(text: str, *, marked: bool = False) -> nodes.entry:
    return nodes.entry("", nodes.paragraph("", "", value_node(text, strong=marked)))


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
