"""Tables, charts and claims of odds as they are written: in HTML, as text, or in tables that every writer knows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from dicedocs import Distribution
from dicedocs.probability.sweep import parse_sweep
from dicedocs.render.chart import build_chart, column_title, merge_values, summary_sentences
from dicedocs.render.chart_html import odds_html
from dicedocs.render.chart_text import bars_text
from dicedocs.render.numbers import local_figure
from dicedocs.render.page_example import PageExample
from dicedocs.render.scale import Band
from dicedocs.render.table import (
    MAX_ROWS,
    RowGroup,
    Table,
    band_groups,
    csv_link,
    heat_steps,
    missing_rooms,
    series_csv,
    table_csv,
    table_html,
    table_text,
)
from dicedocs.rules.registry import mechanic
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.odds import CheckedClaim, OddsContent
from dicedocs_sphinx.blocks.odds_check import ChartBlock, ClaimBlock, OddsBlock, TableBlock
from dicedocs_sphinx.nodes import dice_block, dice_caption, dice_figure, dice_result, title_of
from dicedocs_sphinx.output import writes
from dicedocs_sphinx.output.container import issue_boxes, replace_by_container, target
from dicedocs_sphinx.output.latex import bars_room, chart_rows, raw
from dicedocs_sphinx.output.playable import playable_html

_MONOSPACED: Final = frozenset({"text", "man"})
"""The builders in whose pages all characters have the same width."""
_WIDTH: Final = 72
_UNBOUND: Final = 10_000
"""A width at which no label is cut; a table that is too wide is split instead."""
_COLUMNS: Final = 8
"""The columns of figures that fit on a printed page."""
_LINES: Final = 30
"""The lines of a table that surely stay together on a small page."""
_BAR_LINES: Final = 0.9
"""The height of each of several bars, in lines."""


@writes(ClaimBlock.kind)
def write_claim(app: Sphinx, node: dice_block, _docname: str) -> None:
    """Replace a claim by its prose, its exact figures and its issues."""
    content: OddsContent | None = node.get("computed")
    claims = [_claims(cast("OddsBlock", node.block), content["claims"])] if content else []
    node[:] = [*_prose(node), *claims, *_issues(app, node)]
    replace_by_container(app, node, _("Link to this claim"))


@writes(TableBlock.kind, ChartBlock.kind)
def write_odds(app: Sphinx, node: dice_block, _docname: str) -> None:
    """Replace a table or a chart by what the builder's writer knows."""
    content: OddsContent | None = node.get("computed")
    if content is None:
        node[:] = [*_prose(node), *_issues(app, node)]
        replace_by_container(app, node, _("Link to this table"))
        return
    first = title_of(node)
    prose = [child for child in _prose(node) if child is not first]
    caption = first.children if first is not None else []
    written: list[nodes.Node]
    if app.builder.format == "html":
        written = [_figure(app, node, content, caption)]
    elif app.builder.name in _MONOSPACED:
        written = _text_blocks(node, content, caption)
    else:
        written = _tables(node, content, caption, in_latex=app.builder.format == "latex")
    node.replace_self([*written, *prose, *_issues(app, node)])


def _prose(node: dice_block) -> list[nodes.Node]:
    return [child for child in node if not isinstance(child, dice_result)]


def _issues(app: Sphinx, node: dice_block) -> list[nodes.Node]:
    messages = [issue["message"] for issue in node.block.issues]
    return issue_boxes(app, messages, _("This does not hold") if node.get("computed") else _("This cannot be counted"))


def _figure(app: Sphinx, node: dice_block, content: OddsContent, caption: Sequence[nodes.Node]) -> dice_figure:
    """Return a table or a chart in HTML."""
    caption_class, block = nodes.caption, cast("OddsBlock", node.block)
    name = "".join(part.astext() for part in caption)
    # Few readers of e-books can unfold anything; a link to data they do not follow, and are not allowed to.
    in_book = app.builder.name == "epub"
    csv = "" if in_book else csv_link(_csv(content), node.block.label)
    if content["table"]:
        caption_class = dice_caption
        table = table_html(_table(content), groups=content["groups"], folded=not in_book)
        html = f'<div class="dice-odds">{table}{csv}</div>'
    else:
        html = odds_html(_series(content), name=name, marked=_marked_values(content), bands=_bands(content), below=csv)
    parameters = {**_first_settings(block), **block.parameters}
    example = PageExample(block.mechanic, parameters, facts=tuple(block.counted), title=name)
    html = playable_html(app, node, html, example, odds=True)
    # As with examples, the author's words are searched for, and not the numbers.
    drawing = nodes.raw("", html, format="html", classes=["no-search"])
    figure = dice_figure("", drawing, ids=node["ids"], classes=node["classes"])
    if caption:
        figure += caption_class("", "", *caption)
    return figure


def _first_settings(block: OddsBlock) -> dict[str, str]:
    """Return the first value of each parameter that the mechanic must have and that the block varies."""
    rule = mechanic(block.mechanic)
    firsts = [values[0] for option in (block.vary, block.rows) for values in parse_sweep(rule, option)]
    fields = rule.parameters()
    return {each.name: each.text for each in firsts if each.name in fields and fields[each.name].required}


def _text_blocks(node: dice_block, content: OddsContent, caption: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return a table or a chart as lines of text."""
    if content["table"]:
        texts = [table_text(part, _UNBOUND) for part in _folded(_table(content), _fits)]
    else:
        texts = [bars_text(_series(content), width=_WIDTH, marked=_marked_values(content), bands=_bands(content))]
    above = [nodes.paragraph("", "", nodes.strong("", "", *caption))] if caption else []
    blocks = [nodes.literal_block(text, text, language="none", xml__space="preserve") for text in texts]
    return [*target(node), *above, *blocks]


def _fits(table: Table) -> bool:
    return max(map(len, table_text(table, _UNBOUND).splitlines())) <= _WIDTH


def _fits_paper(table: Table) -> bool:
    return len(table.heads) - 1 <= _COLUMNS


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
        data = build_chart(series, marked=_marked_values(content), bands=_bands(content))
        columns = [data.exactly(column) for column in range(len(data.names))]
        heads = (column_title(next(iter(series.values()))), *(name or _("Chance") for name in data.names))
        marked = tuple(index for index, bar in enumerate(data.bars) if bar.marked)
        cells = tuple(zip((bar.label for bar in data.bars), *columns, strict=True))
        table = Table(heads, cells, marked=marked, row_groups=band_groups(data))
        below = [nodes.paragraph("", text) for text in [*filter(None, [data.note]), *summary_sentences(series)]]
        bars = chart_rows(data) if in_latex else []
    parts = _folded(table, _fits_paper) if in_latex else [table._replace(heat=())]
    tables = [each for part in parts for each in _stock_table(part, bars)]
    if not caption:
        return [*target(node), *tables, *below]
    first = next(each for each in tables if isinstance(each, nodes.table))
    first["ids"] = node["ids"]
    first.insert(0, nodes.title("", "", *caption))
    return [*tables, *below]


def _table(content: OddsContent) -> Table:
    heads, *rows = content["table"]
    groups = tuple(RowGroup(*group) for group in content["row_groups"])
    heat = heat_steps(content["probabilities"])
    return Table(heads, tuple(rows), marked=content["marked"], heat=heat, row_groups=groups)


def _csv(content: OddsContent) -> str:
    """Return what a table or a chart shows as CSV, with unrounded probabilities; empty if it does not show all."""
    if content["table"]:
        heads, *rows = content["table"]
        exact = [(row[0], *shares) for row, shares in zip(rows, content["probabilities"], strict=False)]
        return table_csv([heads, *(exact or rows)])
    series = _series(content)
    return "" if any(len(one) > MAX_ROWS for one in series.values()) else series_csv(series)


def _marked_values(content: OddsContent) -> Collection[object]:
    """Return the highlighted values of a chart."""
    if not content["marked"]:
        return ()
    values = merge_values([one.values for one in _series(content).values()])
    return {values[index] for index in content["marked"]}


def _series(content: OddsContent) -> dict[str, Distribution]:
    return {label: Distribution.from_json(text) for label, text in content["series"]}


def _bands(content: OddsContent) -> list[Band]:
    return [Band(*each) for each in content["bands"]]


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
    heat = tuple(row[start - 1 : end - 1] for row in table.heat)
    heads = (table.heads[0], *table.heads[start:end])
    groups = tuple(group._replace(percents=group.percents[start - 1 : end - 1]) for group in table.row_groups)
    return table._replace(heads=heads, rows=rows, heat=heat, row_groups=groups)


def _stock_table(table: Table, bars: Sequence[str] = ()) -> list[nodes.Node]:
    """Return a table with header cells, with its figures aligned to the right, and bars in LaTeX, if there are any."""
    count = len(table.heads)
    spec = addnodes.tabular_col_spec(spec="l" + "r" * (count - 1) + (r"p{\dicebarroom}" if bars else ""))
    # To the writer of LaTeX the attribute alone makes a column one of heads.
    columns = [nodes.colspec(colwidth=1) for _column in range(count + bool(bars))]
    columns[0]["stub"] = 1
    head = nodes.thead("", nodes.row("", *map(_entry, [*table.heads, *([" "] if bars else [])])))
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
            row += nodes.entry("", nodes.paragraph("", "", raw(bars[index])))
        body += row
    above = [bars_room(table)] if bars else []
    lines = len(starts) + len(table.rows) * (max(1, _BAR_LINES * (count - 1)) if bars else 1)
    # Sphinx lets only a table of this class, or of more than 30 rows, go on on the next page.
    classes = ["longtable"] if lines > _LINES else []
    if table.heat:
        # The grey of every second row would look like a shade.
        classes.append("nocolorrows")
    stock = nodes.table("", nodes.tgroup("", *columns, head, body, cols=len(columns)), classes=classes)
    return [*above, spec, stock]


def _entry(text: str, *, marked: bool = False, room: str = "", shade: int = 0) -> nodes.entry:
    """Return a cell; in print it is shaded, and leaves room for the decimals that others in its column have."""
    paragraph = nodes.paragraph()
    if shade:
        paragraph += raw(rf"\diceheat{{{shade}}}")
    paragraph += nodes.strong("", text) if marked else nodes.Text(text)
    if room:
        paragraph += raw(rf"\phantom{{{room}}}")
    return nodes.entry("", paragraph)


def _claims(block: OddsBlock, claims: Sequence[CheckedClaim]) -> nodes.Node:
    """Return claims, each with its exact figure."""
    items = nodes.definition_list(classes=["dice-claims", "simple"])
    for claim in claims:
        message = _("it is {figure}; loosely put") if block.loose else _("it is {figure}")
        before, _placeholder, after = message.partition("{figure}")
        exact = [nodes.Text(before), nodes.strong("", local_figure(claim["figure"])), nodes.Text(after)]
        items += nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal(claim["text"], claim["text"])),
            nodes.definition("", nodes.paragraph("", "", *exact)),
        )
    return items
