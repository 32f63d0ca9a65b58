"""The file and the line of each row of a table, and of each item of a list.

docutils knows the lines of most forms, except by how much an included part is lower in its file. MyST gives all rows
of a table of bars the line of its head; they follow it line by line. Neither knows the lines of a CSV table, which is
therefore read again in its file.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, takewhile
from pathlib import Path
from typing import Final, NamedTuple

from docutils import nodes
from docutils.parsers.rst.directives.tables import CSVTable

from dicedocs.page_rules.grid import Grid
from dicedocs_lint.docutils_grids import Location, Table, read_grid, table_rows
from dicedocs_sphinx.directive_head import FileHead, Option, margin
from dicedocs_sphinx.source_locations import directive_heads, file_lines, source_location, text_line_offset

_COMPARED: Final = 100
"""The rows of a table by which it is recognized in its file; all are equally much lower there."""
_DIALECT: Final = ("delim", "keepspace", "quote", "escape")
"""The options of a CSV table that say how it is read."""
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
    rows = [_row(node) for node in table_rows(table)]
    found = _known_locations(rows) or _locations_below_head(table, rows) or _csv_locations(table, rows)
    found = found or [None] * len(rows)
    start = _table_location(table, rows) if None in found else ("", 0)
    return [location or start for location in found]


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


def _csv_locations(table: Table, rows: Sequence[_Row]) -> list[Location | None]:
    """Return the locations of the rows of a CSV table; none if its directive is not found."""
    if not isinstance(table, nodes.table):
        return []
    heads = {path: directive_heads(path, "csv-table") for path in _paths_around(table)}
    if own := _own_location(table):
        # MyST knows where the content begins, and both know where a caption is.
        path, line = own
        nearest = [head for head in heads.get(path, ()) if head.line <= line][-1:]
    else:
        (path, line), between = _location_above(table)
        nearest = [head for head in heads.get(path, ()) if head.line > line][between : between + 1]
    if nearest and (found := _read_csv(nearest[0], path, table, rows)):
        return found
    read = (_read_csv(head, path, table, rows) for path, alike in heads.items() for head in alike)
    equal = list(islice((found for found in read if found), 2))
    return equal[0] if len(equal) == 1 else []


def _paths_around(table: nodes.table) -> list[str]:
    """Return the files in which the directive of a table may stand."""
    sources = [table.source]
    node: nodes.Element = table
    while (parent := node.parent) is not None:
        index = parent.index(node)
        sources += [each.source for each in parent.children[max(index - 1, 0) : index + 2]]
        sources.append(parent.source or parent.get("source"))
        node = parent
    return list(dict.fromkeys(source_location(source, 1)[0] for source in sources if source))


def _read_csv(head: FileHead, path: str, table: nodes.table, rows: Sequence[_Row]) -> list[Location | None]:
    """Return the locations of the rows of a table in what its directive reads; none if it is another table."""
    options = {option.name: option for option in head.parsed.options}
    try:
        choices = {name: CSVTable.option_spec[name](options[name].value) for name in _DIALECT if name in options}
        dialect = CSVTable.DocutilsDialect(choices)
        header = options["header"].parts if "header" in options else []
        first = head.line + header[0].offset if header else 0
        found = [(path, line) for line, _ in _csv_rows((part.text for part in header), first, dialect)]
        file, lines, first = _csv_lines(head, path, options, table)
        for line, cells in islice(_csv_rows(lines, first, dialect), len(rows) - len(found)):
            if any(
                text and text != _first_text(cell)
                for (_, text), cell in zip(rows[len(found)].cells, cells, strict=False)
            ):
                return []
            found.append((file, line))
    except (csv.Error, LookupError, OSError, TypeError, ValueError):
        return []
    return list(found) if len(found) == len(rows) else []


def _first_text(cell: str) -> str:
    return cell.strip().partition("\n")[0].rstrip()


def _csv_lines(
    head: FileHead, path: str, options: Mapping[str, Option], table: nodes.table
) -> tuple[str, Iterable[str], int]:
    """Return the lines of a CSV table: their file, the lines, and the number of the first one."""
    if "file" in options:
        name, folder = options["file"].value, Path(path).parent
        if name.startswith("/"):
            # Sphinx takes it from the source directory.
            name, folder = name[1:], Path(_source_directory(table))
        file = os.path.normpath(folder / name)
        encoding = options["encoding"].value if "encoding" in options else "utf-8-sig"
        return file, Path(file).read_text(encoding).splitlines(), 1
    lines, first = file_lines(path), head.line + head.parsed.length
    quoted = ">" in margin(lines[head.line - 1])
    first = next((number for number in range(first, len(lines) + 1) if lines[number - 1].strip(" \t>")), first)
    below = islice(lines, first - 1, None)
    return path, (line[len(margin(line)) :] if quoted else line.lstrip() for line in below), first


def _source_directory(table: nodes.table) -> str:
    return str(table.document.settings.env.srcdir) if table.document else ""


def _csv_rows(lines: Iterable[str], first: int, dialect: csv.Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV table, each with the number of its first line."""
    reader = csv.reader((f"{line}\n" for line in lines), dialect)
    while True:
        start = first + reader.line_num
        row = next(reader, None)
        if row is None:
            return
        yield start, row


def _table_location(table: Table, rows: Sequence[_Row]) -> Location:
    """Return the location of a table, as far as the parser knows it: else of what stands above it."""
    if own := _own_location(table):
        return own
    lines = {row.line for row in rows if row.line}
    return source_location(rows[0].source, min(lines)) if len(lines) > 1 else _location_above(table)[0]


def _own_location(table: Table) -> Location | None:
    place = next((child for child in table.children if isinstance(child, nodes.title) and child.line), table)
    return source_location(place.source, place.line) if place.line else None


def _location_above(table: Table) -> tuple[Location, int]:
    """Return the location of what stands above a table, and the number of tables of unknown lines between both."""
    between = 0
    node: nodes.Element = table
    while (parent := node.parent) is not None:
        for above in reversed(parent.children[: parent.index(node)]):
            known = [each for each in above.findall(nodes.Element) if each.line and each.source]
            if isinstance(above, nodes.table) and not _own_location(above) and len({each.line for each in known}) < 2:
                between += 1
            elif known:
                return source_location(known[-1].source, max(each.line or 0 for each in known)), between
        node = parent
    return source_location(table.source, 1), between
