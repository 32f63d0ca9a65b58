"""A table or a numbered list of docutils as a neutral one: its cells as readers see them, with the line of each row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from docutils import nodes

from dicedocs.page_rules.grid import Cell, Grid, GridRow, spread_cells

Table = nodes.table | nodes.enumerated_list
Location = tuple[str, int]
"""The path of a file, and a line in it, from 1."""

_LINE_BREAK: Final = re.compile(r"<br\b[^>]*>", re.IGNORECASE)
_BACKSLASH: Final = re.compile(r"(?<= )\\ ")


def read_grid(table: Table, locations: Sequence[Location]) -> Grid:
    """Return a table or a numbered list as text.

    The text of a merged cell stands in each of the rows and columns that it covers, since it holds for all of them.
    Several rows of heads are joined: a column below "Ranged" and "Hit" is "Ranged Hit". A head above all columns is
    left out, unless there is no other. An item of a list has its number in the first cell, also if it shows a letter.

    Parameters:
        table: the table, or the list, once substitutions were resolved.
        locations: where each of its rows stands.
    """
    if isinstance(table, nodes.enumerated_list):
        texts = [
            (str(number), shown_text(item)) for number, item in enumerate(table_rows(table), table.get("start", 1))
        ]
        return Grid(None, _grid_rows(texts, locations), is_list=True)
    rows = table_rows(table)
    heads = sum(isinstance(row.parent, nodes.thead) for row in rows)
    width = int(rows[0].parent.parent["cols"]) if rows else 0
    grid_rows = _grid_rows(spread_cells(map(_cells, rows), width), locations)
    return Grid(_joined(rows[:heads], grid_rows[:heads]), grid_rows[heads:])


def table_rows(table: Table) -> list[nodes.Element]:
    """Return the rows of a table, those of its head first, or the items of a list."""
    if isinstance(table, nodes.enumerated_list):
        return [item for item in table.children if isinstance(item, nodes.list_item)]
    parts = [part for group in table.children if isinstance(group, nodes.tgroup) for part in group.children]
    rows = [row for part in parts if isinstance(part, nodes.thead | nodes.tbody) for row in part.children]
    return [row for row in rows if isinstance(row, nodes.row)]


def _grid_rows(texts: Sequence[tuple[str, ...]], locations: Sequence[tuple[str, int]]) -> tuple[GridRow, ...]:
    return tuple(GridRow(cells, line, file) for cells, (file, line) in zip(texts, locations, strict=True))


def _cells(row: nodes.Element) -> Iterator[Cell]:
    for entry in row.children:
        if isinstance(entry, nodes.entry):
            yield Cell(shown_text(entry), 1 + entry.get("morecols", 0), 1 + entry.get("morerows", 0))


def _joined(rows: Sequence[nodes.Element], heads: Sequence[GridRow]) -> GridRow | None:
    """Return the rows of heads as one, at the place of the last."""
    if not heads:
        return None
    named = [head for row, head in zip(rows, heads, strict=True) if not _is_title(row, len(head.cells))] or heads[-1:]
    columns = zip(*(head.cells for head in named), strict=True)
    return heads[-1]._replace(cells=tuple(" ".join(dict.fromkeys(filter(None, column))) for column in columns))


def _is_title(row: nodes.Element, width: int) -> bool:
    """Return whether a row has one cell, which covers all columns."""
    return width > 1 and any(entry.get("morecols", 0) + 1 == width for entry in row.findall(nodes.entry))


def shown_text(node: nodes.Node) -> str:
    """Return what readers see of a node as text, with single white space.

    An image is its alternative text. ``[weather]`` is text, also if the page defines it as a link or a citation. A
    single backslash between words, which reStructuredText swallows, is kept if nothing else there is markup.
    """
    return " ".join(_shown(node).split())


def _shown(node: nodes.Node, written: str = "") -> str:
    if isinstance(node, nodes.Text):
        return node.astext()
    hidden = nodes.Invisible, nodes.system_message, nodes.footnote_reference
    if isinstance(node, hidden) and not isinstance(node, nodes.target):
        return ""
    if isinstance(node, nodes.raw):
        return " " if _LINE_BREAK.search(node.astext()) else ""
    if isinstance(node, nodes.image):
        return node.astext()
    if isinstance(node, nodes.paragraph):
        written = " ".join(node.rawsource.split())
    inside = isinstance(node, nodes.TextElement | nodes.Inline)
    text = ("" if inside else " ").join(_shown(child, written) for child in node.children)
    if isinstance(node, nodes.citation_reference):
        return f"[{text}]"
    if isinstance(node, nodes.reference) and re.search(rf"\[{re.escape(text)}\](?![\[({{:])", written):
        return f"[{text}]"
    swallowed = isinstance(node, nodes.paragraph) and _BACKSLASH.sub("", written)
    return written if swallowed != written and swallowed == " ".join(text.split()) else text
