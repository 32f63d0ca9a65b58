"""A table of a page, read: which numbers choose which row, what its columns can be, and what is wrong with it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Annotated, Any, Final, NamedTuple

from dicedocs.errors import DiceError, near, quoted
from dicedocs.page_rules.axis import Axis, find_reach, read_axis
from dicedocs.page_rules.cells import Part, find_parts
from dicedocs.page_rules.layout import TableError
from dicedocs.page_rules.page_table import PageTable
from dicedocs.page_rules.parameter_text import Declared, parameter_name, read_parameter
from dicedocs.page_rules.ranges import Range, read_ranges
from dicedocs.page_rules.row_faults import Fault, RowRanges, find_faults
from dicedocs.rules.kinds import ChoiceKind, as_text
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import param
from dicedocs.rules.reserved import RESERVED

ROLL: Final = "roll"
"""The fact that has the number rolled."""
_ROLLED: Final = "_rolled"
"""What follows the name of a column in the name of the fact that has what is thrown in it."""
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,11})")
_NAME_COLUMNS: Final = "name all columns, as in columns: Weather, Wind"
_LONG: Final = 60
"""The most characters of a cell that an example is proposed to expect."""

Key = tuple[Range, ...] | str
"""What chooses a row: numbers, or a word."""


class Column(NamedTuple):
    """A column with results.

    Parameters:
        head: its head, as written.
        name: the name of its fact.
        values: that fact, for each cell.
        parts: what is rolled in each cell.
    """

    head: str
    name: str
    values: tuple[int | str | None, ...]
    parts: tuple[tuple[Part, ...], ...]

    @property
    def label(self) -> str:
        """Its head for readers."""
        return self.head[:1].upper() + self.head[1:]

    @property
    def rolled(self) -> str:
        """The name of the fact that has what is rolled in it; empty if nothing ever is."""
        return f"{self.name}{_ROLLED}" if any(self.parts) else ""

    @property
    def value_type(self) -> Any:
        """The type of its fact."""
        texts = list(dict.fromkeys(value for value in self.values if isinstance(value, str)))
        known: Any = Annotated[str, ChoiceKind(texts)] if texts else int
        return known | None if None in self.values else known

    @property
    def _is_list(self) -> bool:
        """Whether several things are rolled in a cell."""
        return max(map(len, self.parts)) > 1

    @property
    def _only_dice(self) -> bool:
        return all(part.dice is not None for parts in self.parts for part in parts)

    @property
    def rolled_type(self) -> Any:
        """The type of what is rolled."""
        return tuple[str, ...] if self._is_list else (int if self._only_dice else str) | None

    def rolled_value(self, results: Sequence[int | str]) -> int | str | tuple[str, ...] | None:
        """Return the fact that has what was rolled in a cell, from left to right."""
        texts = tuple(map(as_text, results))
        if self._is_list:
            return texts
        return None if not results else results[0] if self._only_dice else texts[0]

    @property
    def is_short(self) -> bool:
        """Whether all its texts are short."""
        return all(len(value) <= _LONG for value in self.values if isinstance(value, str))


class _Index:
    """The rows by their keys."""

    def __init__(self, rows: Sequence[tuple[tuple[Key, ...], int]]) -> None:
        groups: dict[Key, list[tuple[tuple[Key, ...], int]]] = {}
        for (first, *rest), row in rows:
            groups.setdefault(first, []).append((tuple(rest), row))
        self.groups: dict[Key, _Index | int] = {
            key: _Index(members) if members[0][0] else members[0][1] for key, members in groups.items()
        }

    @cached_property
    def _ranges(self) -> list[tuple[Range, _Index | int]]:
        """The ranges of the keys, the lowest first, each with what it chooses."""
        ranges = [(each, found) for key, found in self.groups.items() if isinstance(key, tuple) for each in key]
        return sorted(ranges, key=lambda each: _start(each[0]))

    @cached_property
    def _starts(self) -> list[float]:
        return [_start(each) for each, _found in self._ranges]

    def find(self, values: Sequence[int | str]) -> int | None:
        """Return the row that some values choose; ``None`` if none is for them."""
        value, *rest = values
        found: _Index | int | None = None
        if isinstance(value, str):
            found = self.groups.get(value)
        else:
            at = bisect_right(self._starts, value) - 1
            if at >= 0 and self._ranges[at][0].holds(value):
                found = self._ranges[at][1]
        return found.find(rest) if isinstance(found, _Index) else found


def _start(numbers: Range) -> float:
    return float("-inf") if numbers.low is None else numbers.low


class TableReader:
    """A table of a page, read.

    Parameters:
        table: the table.
        ids: the ids of all tables of the book, which a cell may name.

    Raises:
        TableError: it cannot be read.
    """

    def __init__(self, table: PageTable, ids: Collection[str] = ()) -> None:
        self.table, self._ids = table, ids
        self.axes = tuple(map(self._read_axis, table.axes))
        row_axes = len(self.axes) - bool(table.across)
        by_axis = [[row.keys[at] for row in table.rows] for at in range(row_axes)]
        self._keys = [*map(self._read_keys, self.axes, by_axis)]
        self._across = self._read_keys(self.axes[-1], table.across) if table.across else []
        self.parameters = {
            name: self._parameter(name, axis, keys)
            for axis, keys in zip(self.axes, [*self._keys, self._across], strict=False)
            for name in axis.names
        }
        self._check_parameters()
        self.columns = tuple(self._columns())
        rows: list[tuple[Key, ...]] = list(zip(*self._keys, strict=True))
        self._rows = _Index([(keys, row) for row, keys in enumerate(rows)])
        self._heads = _Index([((key,), head) for head, key in enumerate(self._across)]) if self._across else None

    def find(self, values: Sequence[int | str]) -> int:
        """Return the index of the cell of each column that some values choose, one for each axis.

        Raises:
            DiceError: none is for them.
        """
        row = self._rows.find(values[: len(self._keys)])
        head = self._heads.find(values[-1:]) if self._heads else 0
        if row is None or head is None:
            missing = " and ".join(map(str, values))
            raise DiceError(f"no {'row' if row is None else 'column'} is for {missing}", hint="add one to the table")
        return row * max(1, len(self._across)) + head

    # How it is read

    def _read_axis(self, text: str) -> Axis:
        if not text.strip():
            raise TableError("nothing says what is rolled", hint="write it as in dice: 1d6", line=self.table.head_line)
        try:
            return read_axis(text)
        except DiceError as error:
            message = f"{quoted(text)} is not what can be rolled: {error.message}"
            raise TableError(message, hint=error.hint, line=self.table.head_line) from error

    def _read_keys(self, axis: Axis, keys: Sequence[str]) -> list[Key]:
        """Return what rows are for, or the columns of a matrix: words if a parameter chooses and one is no number."""
        reach = find_reach(axis.tree, {})
        zero = reach[-1] if reach and reach[0] == 1 else 0
        read: list[Key] = []
        for row, text in enumerate(keys):
            try:
                read.append(read_ranges(text, zero=zero))
            except DiceError as error:
                if not axis.throws:
                    return list(keys)
                line = self.table.line(row)
                raise TableError(f"{quoted(text)} is not a number or a range", hint=error.hint, line=line) from error
        return read

    def _parameter(self, written: str, axis: Axis, keys: Sequence[Key]) -> Declared:
        """Return a parameter as its author declares it, or as the keys say if it alone chooses one of these."""
        declared = dict(self.table.parameters)
        name = parameter_name(written).lower()
        if name in declared:
            try:
                found = read_parameter(declared[name])
            except DiceError as error:
                raise TableError(f"{name}: {error.message}", hint=error.hint, line=self.table.head_line) from error
            if axis.throws and found.type is not int:
                message = f"{quoted(declared[name])} is no number, and {quoted(name)} is added to what is rolled"
                raise TableError(message, hint=f"write {name}: 0 (0 to 3)", line=self.table.head_line)
            return found
        if axis.throws:
            message = f"the rows go by {quoted(axis.text)}, and nothing says what {quoted(written)} can be"
            raise TableError(message, hint=f"write {name}: 0 (0 to 3)", line=self.table.head_line)
        words = [key for key in keys if isinstance(key, str)]
        if words:
            return Declared(Annotated[str, ChoiceKind(words)], param(example=words[0]))
        low, high = _ends([each for key in keys if not isinstance(key, str) for each in key])
        first = next(end for end in (low, high, 0) if end is not None)
        return Declared(int, param(example=first, low=low, high=high))

    def _check_parameters(self) -> None:
        used = {parameter_name(name).lower() for axis in self.axes for name in axis.names}
        for name, _text in self.table.parameters:
            if name not in used:
                message = f"there is no option {quoted(name)}, and no row goes by it"
                hint = near(name, used) or f"write dice: {self.table.axes[0]} + {name} if it is added to what is rolled"
                raise TableError(message, hint=hint, line=self.table.head_line)
        for name in used & RESERVED:
            raise TableError(f"{quoted(name)} is a reserved name", hint="choose another", line=self.table.head_line)

    def _columns(self) -> Iterator[Column]:
        table = self.table
        plain = {parameter_name(head).casefold() for head in table.plain}
        known = {parameter_name(head).casefold(): head for head in table.columns}
        for head in table.plain:
            if parameter_name(head).casefold() not in known:
                raise TableError(f"there is no column {quoted(head)}", hint=near(head, table.columns))
        taken = set[str]()
        for at, head in enumerate(table.columns):
            name = parameter_name(head)
            self._check_fact(head, name)
            cells = [cell for row in table.rows for cell in (row.cells if table.across else row.cells[at : at + 1])]
            parts = [()] * len(cells) if name.casefold() in plain else [*self._parts(cells)]
            column = Column(head, name, tuple(_values(cells)), tuple(parts))
            for each in filter(None, (name, column.rolled)):
                if each.casefold() in taken:
                    message = f"two columns give the fact {quoted(each)}"
                    raise TableError(message, hint=_NAME_COLUMNS, line=table.head_line)
                taken.add(each.casefold())
            yield column

    def _check_fact(self, head: str, name: str) -> None:
        if not name:
            message = f"the head {quoted(head)} is no name of a fact"
            raise TableError(message, hint=_NAME_COLUMNS, line=self.table.head_line)
        if name in RESERVED or name == ROLL or hasattr(Outcome, name):
            message = f"the head {quoted(head)} is a reserved name"
            raise TableError(message, hint=_NAME_COLUMNS, line=self.table.head_line)

    def _parts(self, cells: Sequence[str]) -> Iterator[tuple[Part, ...]]:
        per_row = max(1, len(self.table.across))
        for at, cell in enumerate(cells):
            try:
                found = find_parts(cell, self.table.system)
            except DiceError as error:
                message = f"{quoted(cell)} cannot be rolled: {error.message}"
                raise TableError(message, hint=error.hint, line=self.table.line(at // per_row)) from error
            yield tuple(part for part in found if not part.table or part.table in self._ids)

    # What is wrong with it

    def faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the rows, and with the heads of a matrix."""
        lines = [self.table.line(row) for row in range(len(self.table.rows))]
        yield from self._key_faults(self.axes[0], self._keys[0], lines)
        groups: dict[Key, list[int]] = {}
        for row, key in enumerate(self._keys[0]):
            groups.setdefault(key, []).append(row)
        for axis, keys in zip(self.axes[1:], self._keys[1:], strict=False):
            for rows in groups.values():
                yield from self._key_faults(axis, [keys[row] for row in rows], [lines[row] for row in rows])
        if self._across:
            yield from self._key_faults(self.axes[-1], self._across, [self.table.head_line] * len(self._across))

    def _key_faults(self, axis: Axis, keys: Sequence[Key], lines: Sequence[int]) -> Iterator[Fault]:
        words = [key for key in keys if isinstance(key, str)]
        if words:
            for at, word in enumerate(words):
                if word in words[:at]:
                    yield Fault(f"{quoted(word)} is in two rows", "", lines[at])
            return
        # In a table by two dice the keys of the first are there several times.
        rows = list(zip(keys, lines, strict=True))
        if len(self._keys) > 1:
            rows = list(reversed(dict(reversed(rows)).items()))
        ranges = [RowRanges(key, line) for key, line in rows if not isinstance(key, str)]
        yield from find_faults(ranges, find_reach(axis.tree, self._possible_values()))
        yield from self._unbounded(axis, [each for row in ranges for each in row.ranges])

    def _possible_values(self) -> dict[str, Sequence[int] | None]:
        """Return the values that each parameter can have, by its name as written; ``None`` where they have no end."""
        found: dict[str, Sequence[int] | None] = {}
        for written, declared in self.parameters.items():
            low, high = getattr(declared.field, "low", None), getattr(declared.field, "high", None)
            found[written] = None if low is None or high is None else range(low, high + 1)
        return found

    def _unbounded(self, axis: Axis, ranges: Sequence[Range]) -> Iterator[Fault]:
        """Yield parameters without bounds on which it depends whether there is a row for every number."""
        low, high = _ends(ranges)
        for written in axis.names if axis.throws else ():
            field = self.parameters[written].field
            if (field.low is None and low is not None) or (field.high is None and high is not None):
                message = f"{quoted(written)} has no bounds, so some numbers may have no row"
                hint = f"write {parameter_name(written).lower()}: {field.default} (0 to 3), or leave an end open: 10+"
                yield Fault(message, hint, self.table.head_line)


def _values(cells: Sequence[str]) -> Iterator[int | str | None]:
    """Yield what stands in the cells of a column: numbers if all are numbers, else texts."""
    plain = [cell.replace("\u2212", "-") for cell in cells]
    if any(plain) and all(_INTEGER.fullmatch(cell) for cell in plain if cell):
        yield from (int(cell) if cell else None for cell in plain)
    else:
        yield from (cell or None for cell in cells)


def _ends(ranges: Sequence[Range]) -> tuple[int | None, int | None]:
    """Return the lowest and the highest number of some ranges; ``None`` for an open end."""
    ends = [end for each in ranges for end in each if end is not None]
    low = None if any(each.low is None for each in ranges) else min(ends, default=None)
    return low, None if any(each.high is None for each in ranges) else max(ends, default=None)
