"""A table of a page, read: which numbers choose which row, what its columns can be, and what is wrong with it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

from dicedocs.errors import DiceError, listed, quoted
from dicedocs.page_rules.axis import Axis, Reach, find_certain, find_numbers, read_axis
from dicedocs.page_rules.cells import Part, find_parts
from dicedocs.page_rules.draws import DRAW, Draws, read_draws
from dicedocs.page_rules.layout import ANY, TableError
from dicedocs.page_rules.page_rule import PageTable
from dicedocs.page_rules.parameter_text import Declared, declared_parameters, is_reserved, label_of, parameter_of
from dicedocs.page_rules.row_faults import Fault, RowRanges, find_faults, fitting_dice
from dicedocs.rules.kinds import ChoiceKind, Kind, as_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import param
from dicedocs.similar_words import near
from dicedocs.syntax.names import parameter_name
from dicedocs.syntax.ranges import OPEN, JoinedRangesError, Range, enclosing, read_ranges

ROLL: Final = "roll"
"""The fact that has the number rolled."""
_ROLLED: Final = "_rolled"
"""What follows the name of a column in the name of the fact that has what is thrown in it."""
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,11})")
_HUNDRED: Final = re.compile(r"(?<![0-9])00(?![0-9])")
_NAME_COLUMNS: Final = "name all columns, as in columns: Weather, Wind"
_LONG: Final = 60
"""The most characters of a cell that an example is proposed to expect."""

_NO_END: Final = float("-inf")
_TENS: Final = (10, 100, 1000)
"""The dice whose highest face may be written with zeros alone."""

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
        return label_of(self.head)

    @property
    def rolled(self) -> str:
        """The name of the fact that has what is rolled in it; empty if nothing ever is."""
        return f"{self.name}{_ROLLED}" if any(self.parts) else ""

    @property
    def value_type(self) -> Any:
        """The type of its fact."""
        known: Any = Annotated[str, ChoiceKind(list(self.words))] if self.words else int
        return known | None if None in self.values else known

    @property
    def drawn_type(self) -> Any:
        """The type of its fact if several rows are drawn."""
        texts = list(dict.fromkeys(map(as_text, self.values)))
        return Annotated[str, ChoiceKind(texts)] if self.words else int | None

    def drawn(self, value: int | str | None) -> int | str | None:
        """Return the value of a cell as it stands in a list beside others, where nothing is a word like them."""
        return as_text(value) if self.words else value

    @property
    def _is_list(self) -> bool:
        """Whether several things are rolled in a cell."""
        return any(len(parts) > 1 or any(part.is_repeated for part in parts) for parts in self.parts)

    @property
    def _cells(self) -> Iterable[tuple[int | str | None, tuple[Part, ...]]]:
        return zip(self.values, self.parts, strict=True)

    @property
    def _only_dice(self) -> bool:
        return not any(part.table for parts in self.parts for part in parts)

    @property
    def result_type(self) -> type[int | str]:
        """The type of one result."""
        return int if self._only_dice else str

    def result(self, result: int | str) -> int | str:
        """Return what dice or a table came to, as the fact has it beside others."""
        return result if self._only_dice else as_text(result)

    @property
    def rolled_type(self) -> Any:
        """The type of what is rolled."""
        if self._is_list:
            return tuple[str, ...]
        is_always = all(parts or self.rolled_value((), value) is not None for value, parts in self._cells)
        return self.result_type if is_always else self.result_type | None

    def reach(self, what: str) -> Reach:
        """Return the numbers that one of its facts can be: what stands in a cell, or what is rolled in it."""
        if what == "cell":
            return sorted({value for value in self.values if isinstance(value, int)})
        numbers = {self.rolled_value((), value) for value, parts in self._cells if not parts}
        found = {number for number in numbers if isinstance(number, int)}
        for dice in (part.dice for parts in self.parts for part in parts if part.dice is not None):
            reach = find_certain(dice, {})
            if isinstance(reach, Range):
                return OPEN
            found |= {*reach}
        return sorted(found)

    def rolled_value(self, results: Sequence[int | str], cell: int | str | None) -> int | str | tuple[str, ...] | None:
        """Return the fact that has what was rolled in a cell, from left to right; a number stands for itself."""
        texts = tuple(map(as_text, results))
        if self._is_list:
            return texts
        if not results:
            number = cell.removeprefix("+") if self._only_dice and isinstance(cell, str) else ""
            return int(number) if _INTEGER.fullmatch(number) else None
        return results[0] if self._only_dice else texts[0]

    @property
    def words(self) -> tuple[str, ...]:
        """Its texts, each once; a number is none."""
        return tuple(dict.fromkeys(value for value in self.values if isinstance(value, str)))

    @property
    def is_short(self) -> bool:
        """Whether all its texts are short."""
        return all(len(word) <= _LONG for word in self.words)


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
        system: the part before the slash of the ids of tables that its cells name without it.
        parameters: the text of each parameter that its author declares.
        titles: the titles of all tables of the book, which a cell may name, by id.
        numbers: whether it is looked up by numbers, and never by words.

    Raises:
        TableError: it cannot be read.
    """

    def __init__(
        self,
        table: PageTable,
        system: str = "",
        parameters: Sequence[tuple[str, str]] = (),
        titles: Mapping[str, str] = MappingProxyType({}),
        *,
        numbers: bool = False,
    ) -> None:
        self.table, self._system, self._titles, self._numbers = table, system, titles, numbers
        self.axes = tuple(map(self._read_axis, table.axes))
        self._written = dict(parameters)
        self._check_parameters()
        self._declared = declared_parameters(parameters)
        lines = [table.line(row) for row in range(len(table.rows))]
        row_axes = len(self.axes) - bool(table.across)
        self._keys = [
            self._read_keys(self.axes[at], [row.keys[at] for row in table.rows], lines) for at in range(row_axes)
        ]
        head_lines = [table.head_line] * len(table.across)
        self._across = self._read_keys(self.axes[-1], table.across, head_lines) if table.across else []
        self.parameters = {
            name: self._parameter(name, axis, keys)
            for axis, keys in zip(self.axes, [*self._keys, self._across], strict=False)
            for name in axis.names
        }
        self.columns = tuple(self._columns())
        self.draws = self._read_draws()
        rows: list[tuple[Key, ...]] = list(zip(*self._keys, strict=True))
        self._rows = _Index([(keys, row) for row, keys in enumerate(rows)])
        self._heads = _Index([((key,), head) for head, key in enumerate(self._across)]) if self._across else None

    def find(self, values: Sequence[object]) -> int:
        """Return the index of the cell of each column that some values choose, one for each axis.

        Raises:
            DiceError: none is for them.
        """
        row_values, column_values = values[: len(self._keys)], values[len(self._keys) :]
        row = self._rows.find([*map(_as_key, row_values)])
        head = self._heads.find([*map(_as_key, column_values)]) if self._heads else 0
        if row is None:
            raise self._no_place("row", self.axes, row_values)
        if head is None:
            raise self._no_place("column", self.axes[-1:], column_values)
        return row * self.table.cells_per_row + head

    @property
    def reaches(self) -> dict[str, Reach]:
        """The values that each parameter can have, by its name as written."""
        return {written: declared.reach for written, declared in self.parameters.items()}

    @property
    def rolls(self) -> bool:
        """Whether anything is rolled in its cells."""
        return any(column.rolled for column in self.columns)

    def shown(self, column: Column, index: int) -> int | str | None:
        """Return what stands in a cell as its page shows it: other tables have their titles there."""
        value = column.values[index]
        for part in column.parts[index]:
            if part.table and isinstance(value, str):
                value = value.replace(part.written, self._titles[part.table] or part.table, 1)
        return value

    def ranges(self, axis: int) -> list[list[Range]]:
        """Return the numbers of each of its rows, for axis 0, or of the columns of a matrix, for axis 1."""
        per_row = self.table.cells_per_row
        cells = range(per_row) if axis else range(0, per_row * len(self.table.rows), per_row)
        keys = [self.keys(cell)[axis] for cell in cells]
        return [[each for each in key if isinstance(each, Range)] for key in keys]

    def keys(self, index: int) -> tuple[Key, ...]:
        """Return the keys that choose a cell, one for each axis.

        Parameters:
            index: the index of the cell in its column.
        """
        row, head = divmod(index, self.table.cells_per_row)
        return tuple(keys[row] for keys in self._keys) + tuple(self._across[head : head + 1])

    @staticmethod
    def _no_place(what: str, axes: Sequence[Axis], values: Sequence[object]) -> DiceError:
        """Return the error for values that choose no row, or no column."""
        pairs = zip(axes, values, strict=False)
        missing = [as_text(value) if axis.throws else f"{axis.text} {as_text(value)}" for axis, value in pairs]
        return DiceError(f"no {what} covers {listed(missing, 'and')}", hint="add one to the table")

    # How it is read

    def _read_axis(self, text: str) -> Axis:
        if not text.strip():
            dice = fitting_dice(key for row in self.table.rows for key in row.keys[:1]) or "1d6"
            hint = f"write dice: {dice}, or dice: level if a row is looked up by a name"
            raise TableError("nothing says what to roll", hint=hint, line=self.table.head_line)
        try:
            return read_axis(text)
        except DiceError as error:
            message = f"{quoted(text)} cannot be rolled: {error.message}"
            is_open = text.rstrip().endswith(("+", "-", "\u2212"))
            hint = f"write what is added too, as in {text} level, or leave the sign out" if is_open else error.hint
            raise TableError(message, hint=hint, line=self.table.head_line) from error

    def _read_keys(self, axis: Axis, keys: Sequence[str], lines: Sequence[int]) -> list[Key]:
        """Return the keys of rows, or of the columns of a matrix.

        They are words if a parameter alone chooses and one key is no number, or its author declares words.
        """
        declared = None if axis.throws else self._declared.get(parameter_of(axis.names[0]))
        words = declared.words if declared else None
        if words is not None:
            return [self._word(words, axis, key, line) for key, line in zip(keys, lines, strict=True)]
        reach = find_numbers(axis.tree, {})
        # A d10 shows 0 for 10, and percentile dice 00 for 100.
        zero = reach[-1] if reach and reach[0] == 1 and reach[-1] in _TENS else 0
        read: list[Key] = []
        for text, line in zip(keys, lines, strict=True):
            try:
                # Whatever is rolled, 00 is 100.
                hundred = 100 if _HUNDRED.search(text) else 0
                read.append((OPEN,) if text in ANY else read_ranges(text, zero=zero or hundred))
            except JoinedRangesError as error:
                raise TableError(f"{quoted(text)}: {error.message}", hint=error.hint, line=line) from error
            except DiceError as error:
                if not axis.throws and declared is None and not self._numbers:
                    return list(keys)
                hint = f"declare {axis.text} by words, as in none / leather / plate" if declared else error.hint
                raise TableError(f"{quoted(text)} is not a number or a range", hint=hint, line=line) from error
        return read

    def _word(self, words: Kind, axis: Axis, key: str, line: int) -> str:
        try:
            return words.write(words.read(key))
        except DiceError as error:
            hint = near(key, words.words) or f"write {words.expects}"
            raise TableError(f"{quoted(key)} is not a value of {quoted(axis.text)}", hint=hint, line=line) from error

    def _parameter(self, written: str, axis: Axis, keys: Sequence[Key]) -> Declared:
        """Return a parameter as its author declares it, or as the keys say if it alone chooses one of these."""
        name = parameter_of(written)
        if name in self._declared:
            found = self._declared[name]
            if axis.throws and found.type is not int:
                message = f"{quoted(self._written[name])} is not a number, but {quoted(name)} is added to the roll"
                raise TableError(message, hint=f"write {name}: 0 (0 to 3)", line=self.table.head_line)
            return found
        if axis.throws:
            message = f"the rows depend on {quoted(axis.text)}, and nothing says what {quoted(written)} can be"
            raise TableError(message, hint=f"write {name}: 0 (0 to 3)", line=self.table.head_line)
        words = [key for key in keys if isinstance(key, str)]
        if words:
            return Declared(Annotated[str, ChoiceKind(words)], param(example=words[0]))
        low, high = enclosing([each for key in keys if not isinstance(key, str) for each in key])
        first = next(end for end in (low, high, 0) if end is not None)
        return Declared(int, param(example=first, low=low, high=high))

    def _check_parameters(self) -> None:
        by_axis = [{parameter_of(name): name for name in axis.names} for axis in self.axes]
        used = {name: written for names in by_axis for name, written in names.items()}
        for name in self._written:
            if name not in used:
                message = "there is no such option, and no row depends on it"
                hint = near(name, used) or f"write dice: {self.table.axes[0]} + {name} if it is added to the roll"
                raise TableError(message, hint=hint, parameter=name)
        for name, written in used.items():
            if is_reserved(name, Mechanic):
                hint = f"choose another, as in dice: {' × '.join(self.table.axes).replace(written, f'my {written}')}"
                raise TableError(f"{quoted(written)} is a reserved name", hint=hint, line=self.table.head_line)
        if len(by_axis) > 1 and (both := by_axis[0].keys() & by_axis[1].keys()):
            name = used[both.pop()]
            message = f"both the rows and the columns depend on {quoted(name)}"
            hint = f"give them two names, as in dice: {name} × other {name}"
            raise TableError(message, hint=hint, line=self.table.head_line)

    def _read_draws(self) -> Draws | None:
        """Return how many rows are drawn; ``None`` for one."""
        table = self.table
        if not table.draw:
            return None
        try:
            draws = read_draws(table.draw)
        except DiceError as error:
            raise TableError(f"draw: {error.message}", hint=error.hint, line=table.head_line) from error
        if not any(axis.throws for axis in self.axes):
            hint = "leave draw out, or write what is rolled, as in dice: 1d6"
            raise TableError("no dice choose a row, so each draw is the same", hint=hint, line=table.head_line)
        if draws.each_column and len(table.columns) == 1:
            raise TableError("there is only one column to roll for", hint="leave draw out", line=table.head_line)
        row_axes = self.axes[: len(self._keys)]
        rows = len(table.rows) if any(axis.throws for axis in row_axes) else 1
        rows *= len(self._across) if self._across and self.axes[-1].throws else 1
        if draws.without_repeats and draws.maximum is not None and draws.maximum > rows:
            message = f"{draws.maximum} rows are drawn without repeats, and there are only {rows}"
            raise TableError(message, hint="draw fewer, or leave out without repeats", line=table.head_line)
        if draws.parameter is not None and DRAW in map(parameter_of, self.parameters):
            message = f"the option {DRAW} says how many rows are drawn, and a row depends on the same name"
            raise TableError(message, hint="rename one of them", line=table.head_line)
        return draws

    def _columns(self) -> Iterator[Column]:
        table = self.table
        known = {parameter_name(head).casefold(): head for head in table.columns}
        for head in table.plain:
            if parameter_name(head).casefold() not in known:
                raise TableError(f"there is no column {quoted(head)}", hint=near(head, table.columns))
        taken: dict[str, str] = {}
        for at, head in enumerate(table.columns):
            name = parameter_name(head)
            self._check_fact(head, name)
            cells = [cell for row in table.rows for cell in (row.cells if table.across else row.cells[at : at + 1])]
            parts = [()] * len(cells) if table.is_plain(head) else [*self._parts(head, cells)]
            column = Column(head, name, tuple(_values(cells)), tuple(parts))
            for each in filter(None, (name, column.rolled)):
                if each.casefold() in taken:
                    message = (
                        f"the heads {quoted(taken[each.casefold()])} and {quoted(head)} would both be the fact {each}"
                    )
                    raise TableError(message, hint=_NAME_COLUMNS, line=table.head_line)
                taken[each.casefold()] = head
            yield column

    def bands_of(self, column: Column) -> dict[int | None, str] | None:
        """Return a column as a table of ``Say.look_up``; ``None`` if its rows are not for numbers without gaps."""
        found = sorted(
            (
                (each, as_text(value))
                for keys, value in zip(self._keys[0], column.values, strict=True)
                for each in keys
                if isinstance(each, Range)
            ),
            key=lambda each: _NO_END if each[0].low is None else each[0].low,
        )
        in_turn = all(one.high is not None and one.high + 1 == two.low for (one, _), (two, _) in pairwise(found))
        return {each.low: text for each, text in found} if in_turn else None

    def _check_fact(self, head: str, name: str) -> None:
        if not name:
            message = f"the head {quoted(head)} cannot be the name of a fact"
            raise TableError(message, hint=_NAME_COLUMNS, line=self.table.head_line)
        if name == ROLL or is_reserved(name, Outcome):
            message = f"the head {quoted(head)} is a reserved name"
            raise TableError(message, hint=_NAME_COLUMNS, line=self.table.head_line)

    def _parts(self, head: str, cells: Sequence[str]) -> Iterator[tuple[Part, ...]]:
        for at, cell in enumerate(cells):
            try:
                yield find_parts(cell, self._system, self._titles)
            except DiceError as error:
                message, row = f"{quoted(cell)} cannot be rolled: {error.message}", at // self.table.cells_per_row
                raise TableError(message, hint=error.hint, line=self.table.line(row, head)) from error

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
            seen = set[str]()
            for word, line in zip(words, lines, strict=True):
                if word.casefold() in seen:
                    yield Fault(f"{quoted(word)} is in two rows", "rename one of them", line)
                seen.add(word.casefold())
            yield from self._missing_words(axis, words)
            return
        # In a table by two dice the keys of the first are there several times.
        rows = list(zip(keys, lines, strict=True))
        if len(self._keys) > 1:
            rows = list(reversed(dict(reversed(rows)).items()))
        ranges = [RowRanges(key, line) for key, line in rows if not isinstance(key, str)]
        for fault in find_faults(ranges, find_numbers(axis.tree, self.reaches)):
            # What is wrong with all rows is wrong with what is rolled, which the heads say.
            yield fault._replace(line=fault.line or self.table.head_line)
        yield from self._unbounded(axis, [each for row in ranges for each in row.ranges])

    def _missing_words(self, axis: Axis, words: Collection[str]) -> Iterator[Fault]:
        what = "column" if axis is self.axes[-1] and self._across else "row"
        words = set(words)
        for word in self.parameters[axis.names[0]].values:
            if word not in words:
                message = f"no {what} covers {axis.text} {quoted(word)}"
                yield Fault(message, "add one, or leave the word out of the option", self.table.head_line)

    def _unbounded(self, axis: Axis, ranges: Sequence[Range]) -> Iterator[Fault]:
        """Yield parameters without bounds on which it depends whether there is a row for every number."""
        low, high = enclosing(ranges)
        for written in axis.names if axis.throws else ():
            field = self.parameters[written].field
            if (field.low is None and low is not None) or (field.high is None and high is not None):
                message = f"{quoted(written)} has no bounds, so some numbers may have no row"
                hint = f"write {parameter_of(written)}: {field.default} (0 to 3), or leave an end open: 10+"
                yield Fault(message, hint, self.table.head_line)


def _as_key(value: object) -> int | str:
    """Return the value of a parameter, or a number rolled, as the keys have it."""
    return value if isinstance(value, int) and not isinstance(value, bool) else as_text(value)


def _values(cells: Sequence[str]) -> Iterator[int | str | None]:
    """Yield what stands in the cells of a column: numbers if all are numbers, else texts."""
    plain = [cell.replace("\u2212", "-") for cell in cells]
    if any(plain) and all(_INTEGER.fullmatch(cell) for cell in plain if cell):
        yield from (int(cell) if cell else None for cell in plain)
    else:
        yield from (cell or None for cell in cells)
