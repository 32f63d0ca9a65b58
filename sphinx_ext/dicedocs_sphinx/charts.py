"""Tables, charts and claims of odds when a page is written: HTML, or nodes that every writer knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.locale import _

from dicedocs import Distribution
from dicedocs.render.chart import build_chart, column_title, summary_sentences
from dicedocs.render.chart_html import odds_html
from dicedocs.render.chart_text import bars_text
from dicedocs.render.table import Table, missing_decimals, table_html, table_text
from dicedocs_sphinx.boxes import box, error_box, error_html
from dicedocs_sphinx.nodes import dice_caption, dice_claim, dice_counted, dice_figure, dice_working, title_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from dicedocs_sphinx.counted import Counted, Judged, Shown

_PLAIN: Final = frozenset({"text", "man"})
"""The builders whose pages are made of letters of one width."""
_WIDTH: Final = 72
_UNBOUND: Final = 10_000
"""A width at which no label is cut: what is too wide lies below one another instead."""
_COLUMNS: Final = 8
"""Columns of figures that a printed page has room for."""
_LOOSE: Final = "loosely put"
_UNCOUNTED: Final = "This cannot be counted"
_WRONG: Final = "This does not hold"


def show_counted(app: Sphinx, node: dice_counted) -> None:
    """Replace what is counted by what the builder's writer knows.

    Parameters:
        app: the application, for its builder.
        node: the table, chart or claim.
    """
    counted: Counted = node["counted"]
    shown: Shown | None = node.get("shown")
    in_html = app.builder.format == "html"
    heading = _WRONG if shown else _UNCOUNTED
    wrong: list[nodes.Node] = [
        nodes.raw("", error_html(found["message"]), format="html") if in_html else error_box(found["message"], heading)
        for found in counted["wrong"]
    ]
    if isinstance(node, dice_claim) or shown is None:
        claims = [_claims(counted, shown["claims"])] if shown else []
        node[:] = [*(child for child in node if not isinstance(child, dice_working)), *claims, *wrong]
        box(app, node, counted, "Link to this claim" if isinstance(node, dice_claim) else "Link to this table")
        return
    first = title_of(node)
    prose = [child for child in node if child is not first and not isinstance(child, dice_working)]
    caption = first.children if first is not None else []
    whole: list[nodes.Node]
    if in_html:
        whole = [_in_html(node, shown, caption)]
    elif app.builder.name in _PLAIN:
        whole = _in_letters(node, shown, caption)
    else:
        whole = _in_tables(node, shown, caption, fold=app.builder.format == "latex")
    node.replace_self([*whole, *prose, *wrong])


def _in_html(node: dice_counted, shown: Shown, caption: Sequence[nodes.Node]) -> dice_figure:
    kind = nodes.caption
    if shown["table"]:
        kind = dice_caption
        html = f'<div class="dice-odds">{table_html(_table(shown), groups=shown["groups"])}</div>'
    else:
        html = odds_html(_series(shown), name="".join(part.astext() for part in caption))
    # As with examples, the author's words are searched for, and not the numbers.
    drawn = nodes.raw("", html, format="html", classes=["no-search"])
    figure = dice_figure("", drawn, ids=node["ids"], classes=node["classes"])
    if caption:
        figure += kind("", "", *caption)
    return figure


def _in_letters(node: dice_counted, shown: Shown, caption: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Give a table or a chart as lines of text."""
    if shown["table"]:
        texts = [table_text(part, _UNBOUND) for part in _folded(_table(shown), _fits)]
    else:
        texts = [bars_text(_series(shown), width=_WIDTH)]
    above = [nodes.paragraph("", "", nodes.strong("", "", *caption))] if caption else []
    blocks = [nodes.literal_block(text, text, language="none", xml__space="preserve") for text in texts]
    return [*_target(node), *above, *blocks]


def _fits(table: Table) -> bool:
    return max(map(len, table_text(table, _UNBOUND).splitlines())) <= _WIDTH


def _in_tables(node: dice_counted, shown: Shown, caption: Sequence[nodes.Node], *, fold: bool) -> list[nodes.Node]:
    """Give a table, or the numbers of a chart, as tables."""
    below: list[nodes.Node] = []
    if shown["table"]:
        table = _table(shown)
    else:
        series = _series(shown)
        drawn = build_chart(series)
        columns = [drawn.exactly(place) for place in range(len(drawn.names))]
        heads = (column_title(next(iter(series.values()))), *(name or "Chance" for name in drawn.names))
        table = Table(heads, tuple(zip((bar.label for bar in drawn.bars), *columns, strict=True)))
        below = [nodes.paragraph("", said) for said in [*filter(None, [drawn.note]), *summary_sentences(series)]]
    parts = list(_folded(table, lambda part: len(part.heads) - 1 <= _COLUMNS)) if fold else [table]
    made = [each for part in parts for each in _stock_table(part)]
    if not caption:
        return [*_target(node), *made, *below]
    first = next(each for each in made if isinstance(each, nodes.table))
    first["ids"] = node["ids"]
    first.insert(0, nodes.title("", "", *caption))
    return [*made, *below]


def _table(shown: Shown) -> Table:
    heads, *rows = shown["table"]
    return Table(heads, tuple(rows))


def _series(shown: Shown) -> dict[str, Distribution]:
    return {label: Distribution.from_json(text) for label, text in shown["series"]}


def _folded(table: Table, fits: Callable[[Table], bool]) -> Iterator[Table]:
    """Part a table that is too wide into some that lie below one another, each with the labels of the rows."""
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


def _stock_table(table: Table) -> list[nodes.Node]:
    """Give a table with header cells and figures that stand at the right."""
    count = len(table.heads)
    spec = addnodes.tabular_col_spec(spec="l" + "r" * (count - 1))
    columns = [nodes.colspec(colwidth=1, stub=int(place == 0)) for place in range(count)]
    head = nodes.thead("", _row(table.heads))
    labels, *figures = zip(*table.rows, strict=True)
    missing = zip([""] * len(labels), *map(missing_decimals, figures), strict=True)
    body = nodes.tbody("", *map(_row, table.rows, missing))
    return [spec, nodes.table("", nodes.tgroup("", *columns, head, body, cols=count))]


def _row(cells: Sequence[str], missing: Sequence[str] = ()) -> nodes.row:
    """Give a row; in print its figures leave room for the decimals that others of their column have."""
    rooms = zip_longest(cells, missing, fillvalue="")
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", cell, *_room(decimals))) for cell, decimals in rooms))


def _room(decimals: str) -> list[nodes.Node]:
    return [nodes.raw("", rf"\phantom{{{decimals}}}", format="latex")] if decimals else []


def _target(node: dice_counted) -> list[nodes.Node]:
    return [nodes.target("", "", ids=node["ids"])] if node["ids"] else []


def _claims(counted: Counted, claims: Sequence[Judged]) -> nodes.Node:
    """Give claims, each with its exact figure beside it."""
    told = nodes.definition_list(classes=["dice-claims", "simple"])
    for claim in claims:
        exact = [nodes.Text("it is "), nodes.strong("", claim["figure"])]
        exact += [nodes.Text(f"; {_LOOSE}")] if counted["loose"] else []
        told += nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal(claim["text"], claim["text"])),
            nodes.definition("", nodes.paragraph("", "", *exact)),
        )
    return told


def _visit_caption(writer: HTML5Translator, node: dice_caption) -> None:
    writer.visit_caption(node)


def _depart_caption(writer: HTML5Translator, node: dice_caption) -> None:
    """Close the caption of a table, which Sphinx takes for that of an image, as its link would say."""
    start = len(writer.body)
    writer.depart_caption(node)
    writer.body[start:] = [
        part.replace(_("Link to this image"), _("Link to this table")) for part in writer.body[start:]
    ]


def setup_charts(app: Sphinx) -> None:
    """Have captions written."""
    app.add_node(dice_caption, html=(_visit_caption, _depart_caption))
