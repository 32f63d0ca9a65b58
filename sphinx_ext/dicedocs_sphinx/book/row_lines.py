"""The file and the line of each row of a table, and of each item of a list.

docutils knows the lines of most forms, except by how much an included part is lower in its file. MyST gives all rows
of a table of bars the line of its head; they follow it line by line. The rows of a CSV table have their own
(:mod:`dicedocs_sphinx.directives.csv_table`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from docutils import nodes

from dicedocs.page_rules.grid import Grid
from dicedocs_lint.docutils_grids import Location, Table, read_grid, table_rows
from dicedocs_sphinx.source_locations import file_lines, source_location, text_line_offset

_COMPARED: Final = 100
"""The rows of a table by which it is recognized in its file; all are equally much lower there."""
_EMPTY_CELL: Final = re.compile(r"[\s>]*(?:[-*+]\s+)?[-*+]\s*")
"""An empty cell at the start of a row of a list table."""


class _Row(NamedTuple):
    """A row as the parser hands it over: where it starts, and of each cell the line and what is written first."""

    source: str
    line: int
    cells: list[tuple[int, str]]


def page_grid(table: Table) -> Grid:
    """Return a table or a numbered list as text, each row with its location."""
    return read_grid(table, row_locations(table))


def row_locations(table: Table) -> list[Location]:
    """Return the location of each row of a table or a list; that of the table for a row that is not found."""
    found: Sequence[Location | None] = _own_locations(table)
    rows = [_row(node) for node in table_rows(table)]
    found = found or _known_locations(rows) or _locations_below_head(table, rows) or [None] * len(rows)
    start = _table_location(table, rows) if None in found else ("", 0)
    return [location or start for location in found]


def _own_locations(table: Table) -> list[Location]:
    """Return the locations that the rows of a CSV table have; none if it is none: those of bars have one line."""
    rows = table_rows(table)
    known = [source_location(row.source, row.line) for row in rows if isinstance(row, nodes.row) and row.line]
    return known if len(set(known)) == len(rows) else []


def _row(node: nodes.Element) -> _Row:
    cells = [_cell(cell) for cell in (node.children if isinstance(node, nodes.row) else [node])]
    lines = [line for line, _ in cells if line]
    line = node.line if isinstance(node, nodes.list_item) and node.line else min(lines, default=0)
    sources = (each.source for cell in node.children for each in cell.findall(nodes.Element) if each.source)
    return _Row(next(sources, node.source or ""), line, cells)


def _cell(node: nodes.Node) -> tuple[int, str]:
    line = next((each.line for child in node.children for each in child.findall() if each.line), 0)
    first = node.children[0] if node.children else None
    text = first.rawsource.strip().partition("\n")[0] if isinstance(first, nodes.TextElement) else ""
    return line, text


def _known_locations(rows: Sequence[_Row]) -> list[Location | None]:
    """Return the locations that the parser knows, as far as a row has one; none if it knows only that of the table."""
    known = [row for row in rows if row.line]
    if not known or any(above.line >= below.line for above, below in pairwise(known)):
        return []
    path, first = source_location(known[0].source, 1)
    offset = text_line_offset(path, [(line + first - 1, text) for row in rows[:_COMPARED] for line, text in row.cells])
    if offset is None:
        return []
    lines, lower = file_lines(path), first - 1 + offset
    return [(path, _first_line(row, row.line + lower, lines)) if row.line else None for row in rows]


def _first_line(row: _Row, line: int, lines: Sequence[str]) -> int:
    """Return the first line of a row, given the line of the first cell with a text, above which empty ones may be."""
    for _ in takewhile(lambda cell: not cell[0], row.cells):
        above = next((number for number in range(line - 1, 0, -1) if lines[number - 1].strip(" \t>")), 0)
        if not above or not _EMPTY_CELL.fullmatch(lines[above - 1]):
            break
        line = above
    return line


def _locations_below_head(table: Table, rows: Sequence[_Row]) -> list[Location | None]:
    """Return the locations of the rows of a table of bars, each of which has one line; none if it is none."""
    if not isinstance(table, nodes.table) or not table.line:
        return []
    path, first = source_location(table.source, table.line)
    # The line below the head separates it from the body.
    lines = [first, *range(first + 2, first + 1 + len(rows))]
    texts = [(line, text) for line, row in zip(lines[:_COMPARED], rows, strict=False) for _, text in row.cells]
    offset = text_line_offset(path, texts)
    return [] if offset is None else [(path, line + offset) for line in lines]


def _table_location(table: Table, rows: Sequence[_Row]) -> Location:
    """Return the location of a table, as far as the parser knows it: else of what stands above it."""
    if own := _own_location(table):
        return own
    lines = {row.line for row in rows if row.line}
    return source_location(rows[0].source, min(lines)) if len(lines) > 1 else _location_above(table)


def _own_location(table: Table) -> Location | None:
    place = next((child for child in table.children if isinstance(child, nodes.title) and child.line), table)
    return source_location(place.source, place.line) if place.line else None


def _location_above(table: Table) -> Location:
    """Return the location of what stands above a table."""
    node: nodes.Element = table
    while (parent := node.parent) is not None:
        for above in reversed(parent.children[: parent.index(node)]):
            known = [each for each in above.findall(nodes.Element) if each.line and each.source]
            if known:
                return source_location(known[-1].source, max(each.line or 0 for each in known))
        node = parent
    return source_location(table.source, 1)
