"""Tables, charts and claims of odds as they are written: in HTML, as text, or in tables that every writer knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from dicedocs import Distribution
from dicedocs.render.chart import build_chart, column_title, summary_sentences
from dicedocs.render.chart_html import odds_html
from dicedocs.render.chart_text import bars_text
from dicedocs.render.table import Table, missing_decimals, table_html, table_text
from dicedocs_sphinx.blocks.odds import CheckedClaim, OddsBlock, OddsContent
from dicedocs_sphinx.blocks.odds_check import ChartKind, ClaimKind, TableKind
from dicedocs_sphinx.nodes import dice_block, dice_caption, dice_figure, dice_result, title_of
from dicedocs_sphinx.output import writes
from dicedocs_sphinx.output.container import issue_boxes, replace_by_container, target
from dicedocs_sphinx.output.latex import bars_width, chart_rows, raw

_MONOSPACED: Final = frozenset({"text", "man"})
"""The builders in whose pages all characters have the same width."""
_WIDTH: Final = 72
_UNBOUND: Final = 10_000
"""A width at which no label is cut; a table that is too wide is split instead."""
_COLUMNS: Final = 8
"""The columns of figures that fit on a printed page."""
_LOOSE: Final = "loosely put"
_UNKNOWN: Final = "This cannot be counted"
_MISMATCH: Final = "This does not hold"


@writes(ClaimKind.name)
def write_claim(app: Sphinx, node: dice_block, _docname: str) -> None:
    """Replace a claim by its prose, its exact figures and its issues."""
    content: OddsContent | None = node.get("computed")
    claims = [_claims(node["block"], content["claims"])] if content else []
    node[:] = [*_prose(node), *claims, *_issues(app, node)]
    replace_by_container(app, node, "Link to this claim")


@writes(TableKind.name, ChartKind.name)
def write_odds(app: Sphinx, node: dice_block, _docname: str) -> None:
    """Replace a table or a chart by what the builder's writer knows."""
    content: OddsContent | None = node.get("computed")
    if content is None:
        node[:] = [*_prose(node), *_issues(app, node)]
        replace_by_container(app, node, "Link to this table")
        return
    first = title_of(node)
    prose = [child for child in _prose(node) if child is not first]
    caption = first.children if first is not None else []
    written: list[nodes.Node]
    if app.builder.format == "html":
        written = [_figure(node, content, caption)]
    elif app.builder.name in _MONOSPACED:
        written = _text_blocks(node, content, caption)
    else:
        written = _tables(node, content, caption, in_latex=app.builder.format == "latex")
    node.replace_self([*written, *prose, *_issues(app, node)])


def _prose(node: dice_block) -> list[nodes.Node]:
    return [child for child in node if not isinstance(child, dice_result)]


def _issues(app: Sphinx, node: dice_block) -> list[nodes.Node]:
    messages = [issue["message"] for issue in node["block"]["issues"]]
    return issue_boxes(app, messages, _MISMATCH if node.get("computed") else _UNKNOWN)


def _figure(node: dice_block, content: OddsContent, caption: Sequence[nodes.Node]) -> dice_figure:
    """Return a table or a chart in HTML."""
    caption_class = nodes.caption
    if content["table"]:
        caption_class = dice_caption
        html = f'<div class="dice-odds">{table_html(_table(content), groups=content["groups"])}</div>'
    else:
        html = odds_html(_series(content), name="".join(part.astext() for part in caption))
    # As with examples, the author's words are searched for, and not the numbers.
    drawing = nodes.raw("", html, format="html", classes=["no-search"])
    figure = dice_figure("", drawing, ids=node["ids"], classes=node["classes"])
    if caption:
        figure += caption_class("", "", *caption)
    return figure


def _text_blocks(node: dice_block, content: OddsContent, caption: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return a table or a chart as lines of text."""
    if content["table"]:
        texts = [table_text(part, _UNBOUND) for part in _folded(_table(content), _fits)]
    else:
        texts = [bars_text(_series(content), width=_WIDTH)]
    above = [nodes.paragraph("", "", nodes.strong("", "", *caption))] if caption else []
    blocks = [nodes.literal_block(text, text, language="none", xml__space="preserve") for text in texts]
    return [*target(node), *above, *blocks]


def _fits(table: Table) -> bool:
    return max(map(len, table_text(table, _UNBOUND).splitlines())) <= _WIDTH


def _tables(
    node: dice_block, content: OddsContent, caption: Sequence[nodes.Node], *, in_latex: bool
) -> list[nodes.Node]:
    """Return a table, or the numbers of a chart, as tables."""
    below: list[nodes.Node] = []
    bars: list[str] = []
    if content["table"]:
        table = _table(content)
    else:
        series = _series(content)
        data = build_chart(series)
        columns = [data.exactly(column) for column in range(len(data.names))]
        heads = (column_title(next(iter(series.values()))), *(name or "Chance" for name in data.names))
        table = Table(heads, tuple(zip((bar.label for bar in data.bars), *columns, strict=True)))
        below = [nodes.paragraph("", text) for text in [*filter(None, [data.note]), *summary_sentences(series)]]
        bars = chart_rows(data) if in_latex else []
    parts = list(_folded(table, lambda part: len(part.heads) - 1 <= _COLUMNS)) if in_latex else [table]
    tables = [each for part in parts for each in _stock_table(part, bars)]
    if not caption:
        return [*target(node), *tables, *below]
    first = next(each for each in tables if isinstance(each, nodes.table))
    first["ids"] = node["ids"]
    first.insert(0, nodes.title("", "", *caption))
    return [*tables, *below]


def _table(content: OddsContent) -> Table:
    heads, *rows = content["table"]
    return Table(heads, tuple(rows))


def _series(content: OddsContent) -> dict[str, Distribution]:
    return {label: Distribution.from_json(text) for label, text in content["series"]}


def _folded(table: Table, fits: Callable[[Table], bool]) -> Iterator[Table]:
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
    return table._replace(heads=(table.heads[0], *table.heads[start:end]), rows=rows)


def _stock_table(table: Table, bars: Sequence[str] = ()) -> list[nodes.Node]:
    """Return a table with header cells, with its figures aligned to the right, and bars in LaTeX, if there are any."""
    count = len(table.heads)
    spec = addnodes.tabular_col_spec(
        spec="l" + "r" * (count - 1) + (rf"p{{{bars_width(count - 1)}\dicebarlength}}" if bars else "")
    )
    columns = [nodes.colspec(colwidth=1, stub=int(column == 0)) for column in range(count + bool(bars))]
    head = nodes.thead("", _row(table.heads, bars=" " if bars else ""))
    labels, *figures = zip(*table.rows, strict=True)
    missing = zip([""] * len(labels), *map(missing_decimals, figures), strict=True)
    body = nodes.tbody("", *map(_row, table.rows, missing, bars or [""] * len(table.rows)))
    return [spec, nodes.table("", nodes.tgroup("", *columns, head, body, cols=len(columns)))]


def _row(cells: Sequence[str], missing: Sequence[str] = (), bars: str = "") -> nodes.row:
    """Return a row; in print its figures leave room for the decimals that others in their column have."""
    pairs = zip_longest(cells, missing, fillvalue="")
    row = nodes.row("", *(nodes.entry("", nodes.paragraph("", cell, *_space(decimals))) for cell, decimals in pairs))
    if bars:
        row += nodes.entry("", nodes.paragraph("", "", raw(bars)))
    return row


def _space(decimals: str) -> list[nodes.Node]:
    return [nodes.raw("", rf"\phantom{{{decimals}}}", format="latex")] if decimals else []


def _claims(block: OddsBlock, claims: Sequence[CheckedClaim]) -> nodes.Node:
    """Return claims, each with its exact figure."""
    items = nodes.definition_list(classes=["dice-claims", "simple"])
    for claim in claims:
        exact = [nodes.Text("it is "), nodes.strong("", claim["figure"])]
        exact += [nodes.Text(f"; {_LOOSE}")] if block["loose"] else []
        items += nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal(claim["text"], claim["text"])),
            nodes.definition("", nodes.paragraph("", "", *exact)),
        )
    return items
