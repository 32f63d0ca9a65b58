"""Sphinx's directive ``csv-table``, each row of which knows its line: a parser forgets where it has read the cells."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.directives.patches import CSVTable

from dicedocs_lint.docutils_grids import Location, table_rows
from dicedocs_sphinx.directives.option_block import content_line
from dicedocs_sphinx.source_locations import file_lines, source_location, text_line_offset

_COMPARED: Final = 100
"""The lines by which the content is recognized in its file."""
_HEADER: Final = re.compile(r"[\s>]*:?header:")


class LocatedCSVTable(CSVTable):
    """A table whose rows have their file and their line, unless it was fetched from elsewhere or is not found."""

    def run(self) -> list[nodes.Node]:  # type: ignore[override]  # as Sphinx's own
        self._locations: list[Location | None] = []
        made: list[nodes.Node] = super().run()
        for table in made:
            if isinstance(table, nodes.table):
                for row, location in zip(table_rows(table), self._locations, strict=True):
                    row.source, row.line = location or (None, None)
        return made

    def parse_csv_data_into_rows(self, csv_data: Sequence[str], dialect: csv.Dialect, source: str) -> tuple[Any, int]:
        rows: tuple[Any, int] = super().parse_csv_data_into_rows(csv_data, dialect, source)  # type: ignore[no-untyped-call]
        reader = csv.reader((f"{line}\n" for line in csv_data), dialect)
        starts = [0, *(reader.line_num for _row in reader)][:-1]
        first = self._first_line(csv_data, source)
        self._locations += [first and (first[0], first[1] + start) for start in starts]
        return rows

    def _first_line(self, csv_data: Sequence[str], source: str) -> Location | None:
        """Return where some rows begin: the content, the file that the option names, or the option with the head."""
        if isinstance(csv_data, StringList):
            return self._in_page(content_line(self, 0))
        if "\n".join(csv_data) != self.options.get("header"):
            return source_location(source, 1) if "file" in self.options else None
        start = self._in_page(0)
        lines = file_lines(start[0])[start[1] - 1 :] if start else []
        below = next((index for index, line in enumerate(lines) if _HEADER.match(line)), None)
        return start and (start[0], start[1] + below) if below is not None else None

    def _in_page(self, below: int) -> Location | None:
        """Return the location so many lines below the first one, also in an included part, of which none is known."""
        path, line = source_location(*self.state_machine.get_source_and_line(self.lineno + below))
        first = content_line(self, 0) - below
        content = [(line + first + index, text) for index, text in enumerate(islice(self.content, _COMPARED))]
        offset = text_line_offset(path, content)
        return None if offset is None else (path, line + offset)


def setup_csv_tables(app: Sphinx) -> None:
    app.add_directive("csv-table", LocatedCSVTable, override=True)
