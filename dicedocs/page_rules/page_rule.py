"""A rule of a page as plain data, which is all that is known of it: it is stored, compared, sent and made a rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from dicedocs.syntax.names import parameter_name

Meaning = Literal["success", "partial", "failure"]


class TableRow(NamedTuple):
    """A row of a table.

    Parameters:
        keys: what it is for on each axis, as written; of a matrix, on the first.
        cells: its other cells.
    """

    keys: tuple[str, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True)
class PageTable:
    """The rows of a table or a numbered list, with what its author says of them.

    Parameters:
        axes: what chooses a row, for each key of a row; of a matrix what chooses a row, and what chooses a column.
            Empty text where nothing says it.
        columns: the heads of the columns with results; of a matrix ``("result",)``.
        rows: the keys and the cells of each row.
        across: of a matrix, the keys of its columns.
        plain: the heads of the columns in whose cells nothing is thrown.
        draw: how many rows are drawn, ``"3"``, ``"3 without repeats"``, or ``"each column"``; empty for one.
        head_line, lines: the line of its heads, and that of each row, in its file; 0 and none if these are unknown.
        column_lines: the lines of its columns, where it lies on its side.
    """

    axes: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    across: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    draw: str = ""
    head_line: int = field(default=0, compare=False)
    lines: tuple[int, ...] = field(default=(), compare=False)
    column_lines: tuple[int, ...] = field(default=(), compare=False)

    @property
    def cells_per_row(self) -> int:
        """How many cells of one column a row has; all cells of a matrix are one column."""
        return len(self.across) or 1

    def is_plain(self, head: str) -> bool:
        """Return whether nothing is thrown in the cells of a column."""
        name = parameter_name(head).casefold()
        return any(parameter_name(plain).casefold() == name for plain in self.plain)

    def line(self, row: int, column: str = "") -> int:
        """Return the line of a row, or of its cell in the column with a head; or else that of the heads."""
        if self.column_lines and column in self.columns:
            return self.column_lines[self.columns.index(column)]
        return self.lines[row] if row < len(self.lines) else self.head_line

    def to_plain(self) -> dict[str, Any]:
        """Return the table as plain data, without its places in a file."""
        data = asdict(self)
        del data["head_line"], data["lines"], data["column_lines"]
        data["rows"] = [[*row] for row in self.rows]
        return data

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> PageTable:
        """Return the table of plain data."""
        fields = {name: _frozen(value) for name, value in data.items()}
        return cls(**fields | {"rows": tuple(TableRow(*row) for row in fields["rows"])})


@dataclass(frozen=True)
class PageRule:
    """A rule, and what its author says of it; equal ones are one rule, wherever they stand.

    Parameters:
        id: the id of the mechanic.
        lines: the texts of its lines, with their indents; none for a table, whose rows are its lines.
        title: its title for readers.
        parameters: the text of each parameter that its author declares.
        meanings: the words that are a success, partial or a failure.
        table: the table, or that in or below the lines; ``None`` for none.
        words: what sentences say of its values that are yes or no, ``hit = a hit / a miss; hurt = hurt / unhurt``.
        first_line: the number of its first line in its file; 0 if that is unknown.
    """

    id: str
    lines: tuple[str, ...] = ()
    title: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    meanings: tuple[tuple[Meaning, str], ...] = ()
    table: PageTable | None = None
    words: str = ""
    first_line: int = field(default=0, compare=False)

    @property
    def system(self) -> str:
        """The part of its id before the slash."""
        return self.id.partition("/")[0]

    def to_plain(self) -> dict[str, Any]:
        """Return the rule as plain data, without its places in a file, by which equal rules have equal data."""
        data = asdict(self)
        del data["first_line"]
        return data | {"table": None if self.table is None else self.table.to_plain()}

    def to_json(self) -> str:
        """Return the rule as JSON.

        >>> sky = PageTable(("d2",), ("Sky",), (TableRow(("1",), ("Grey",)), TableRow(("2",), ("Blue",))))
        >>> rule = PageRule("road/climb", ("total = 2d6 + stat",), parameters=(("stat", "0"),), table=sky)
        >>> PageRule.from_plain(json.loads(rule.to_json())) == rule
        True
        """
        return json.dumps(self.to_plain())

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> PageRule:
        """Return the rule of plain data."""
        table = data["table"]
        fields = {name: _frozen(value) for name, value in data.items() if name != "table"}
        return cls(**fields, table=None if table is None else PageTable.from_plain(table))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
