"""How a table is laid out: which heads choose a row, which name a column, and where its numbers stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs.page_rules.page_rule import PageTable, TableRow
from dicedocs.page_rules.text_dice import DIE, find_dice
from dicedocs.syntax.parts import node_name
from dicedocs.syntax.ranges import Range, is_range, read_ranges

_HeadAndRows = tuple[GridRow, list[GridRow]]
"""The heads of a table and its rows."""

_CROSS: Final = re.compile(r"\s*+[×\\]\s*+|\s(?:x|by|vs\.?|versus)\s+", re.IGNORECASE)
_BLOCK_ID: Final = re.compile(r"\^[A-Za-z0-9-]+")
"""The name that Obsidian gives a table, right below it, where Markdown has one more row."""
_DIFFERENCE: Final = re.compile(rf"{DIE} [-\u2212] {DIE}")
_TWO_DIGITS: Final = re.compile(r"1?d([2-9])\1")
_DIGITS: Final = frozenset({4, 6, 8})
"""The notation reads d44, d66 and d88 as digits; d22 and d33 are also dice of so many sides."""
_LETTER: Final = re.compile(r"[^\W\d_]")
ANY: Final = frozenset("-\u2013\u2014\u2212")
"""A key of the second of two dice that stands for each of its numbers."""


class TableError(DiceError):
    """A table that cannot be read.

    Parameters:
        line: the line at fault in the table's file; 0 if it is unknown.
        parameter: the parameter at fault, if it is one.
    """

    def __init__(self, message: str, *, hint: str = "", line: int = 0, parameter: str = "") -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self._line = line

    @property
    def line(self) -> int:
        """The line at fault in the table's file; 0 if it is unknown."""
        return self._line


def read_layout(grid: Grid, dice: str = "", *, names_columns: bool = True, facts: Collection[str] = ()) -> PageTable:
    r"""Return a table with its keys on the left, however it was laid out.

    - A last row that is only ``^name``, the block id of Obsidian, is none.
    - The heads may stand in the first row, below an empty head. Without heads, columns are called ``result``, or
      ``column 2``, ``column 3``.
    - It may stand in halves side by side, whose heads are the same or empty and whose numbers go on.
    - It may lie on its side, with its numbers in the head, or with the names of facts on the left.
    - A table for a d66 may have the first digit on the left and the second in the head.
    - If the first two heads are dice and nothing else, a row has two keys; a first key that is left out is that of the
      row above.
    - If the first head, or ``dice``, is two names with ``×``, ``\``, ``x``, ``by`` or ``vs`` between them, it is a
      matrix. A slash does not make one: ``d6/d12`` is one die or the other.

    Of the first head, only the dice count, with what is added to them: ``Roll (d6)`` is ``d6``, ``d6+danger`` is
    ``d6 + danger``. If it names no dice, or several to choose from, the axis is empty.

    Parameters:
        grid: the table as it stands in the page.
        dice: what chooses a row, if it is known from elsewhere; the first head is then not asked.
        names_columns: whether its heads name its columns, so that none may be missing and no two the same.
        facts: the names that columns have, if it states what the lines of a rule come to.

    Raises:
        TableError: the table cannot be read.

    >>> head, first, second = GridRow(("d6", "Weather")), GridRow(("1–3", "Storm")), GridRow(("4–6", "Fair"))
    >>> read_layout(Grid(head, (first, second))).columns
    ('Weather',)
    """
    named = find_dice(dice, "head")
    if [each.written for each in named] == [dice]:
        dice = named[0].value
    if grid.is_list:
        return _read_list(grid, dice)
    head, rows = _find_head(grid)
    if not rows:
        raise TableError("the table has no rows", hint="write a row for each result", line=head.line)
    head, rows = _without_empty_columns(*_even(head, rows))
    pair = _crossed_names(dice or head.cells[0])
    if pair and len(head.cells) > 2:
        return _read_matrix(head, rows, pair)
    written = _without_digits_across(head, rows, dice)
    upright = _upright(*written, facts)
    sides = tuple(row.line for row in written[1]) if upright[0] is not written[0] else ()
    head, rows = _without_halves(*upright)
    axes = _axes(head.cells, dice, [row.cells[0] for row in rows])
    # What is looked up by a name may be called by words.
    ranges = bool(find_dice(dice, "head")) if dice else not facts
    read, lines = _read_rows(rows, len(axes), ranges=ranges)
    columns = _columns(head, len(axes), named=names_columns)
    if len(columns) > 1:
        _refuse_second_rows(head, read, len(axes))
    sides = sides[-len(columns) :]
    return PageTable(axes, columns, read, head_line=head.line, lines=lines, column_lines=sides)


def written_dice(head: str) -> str:
    """Return the dice that a head names, with what is added to them; empty if it names none, or several.

    >>> [written_dice(head) for head in ("Roll (d6)", "2D6 result", "d6+danger", "d6/d12", "d6 or d8", "Weather")]
    ['d6', '2d6', 'd6 + danger', '', '', '']
    """
    found = find_dice(head, "head")
    if len(found) != 1:
        return ""
    value = found[0].value
    # A minus between dice may as well stand for a choice.
    return "" if _DIFFERENCE.search(value) else value


def _read_list(grid: Grid, dice: str) -> PageTable:
    """Return a numbered list as a table; if it counts from 1, it is rolled on with a die of as many sides."""
    rows, lines = _read_rows(_even(GridRow(("", "")), list(grid.rows))[1], 1)
    if not rows:
        raise TableError("the list has no items", hint="write an item for each result")
    counts = all(read_ranges(row.keys[0]) == (Range(at, at),) for at, row in enumerate(rows, 1))
    return PageTable((dice or (f"1d{len(rows)}" if counts else ""),), ("result",), rows, lines=lines)


def _find_head(grid: Grid) -> _HeadAndRows:
    """Return the row of heads and the others; its cells are empty if nothing names the columns.

    Below an empty head, or without one, the first row may be the heads; a head that begins with a number is a row.
    """
    head, rows = grid.head or GridRow(()), [row for row in grid.rows if any(row.cells)]
    if rows and _BLOCK_ID.fullmatch(" ".join(rows[-1].cells).strip()):
        rows.pop()
    if any(head.cells):
        is_row = is_range(head.cells[0]) and all(is_range(row.cells[0]) for row in rows) and not _lies(head, rows)
        return (GridRow((), head.line), [head, *rows]) if is_row else (head, rows)
    if rows and (not is_range(rows[0].cells[0]) or _lies(rows[0], rows[1:])):
        return rows[0], rows[1:]
    return GridRow((), head.line or (rows[0].line if rows else 0)), rows


def _even(head: GridRow, rows: list[GridRow]) -> _HeadAndRows:
    """Return heads and rows of as many cells each; a row may leave out its last ones."""
    width = len(head.cells) or max(len(row.cells) for row in rows)
    for row in rows:
        if any(row.cells[width:]):
            message = f"this row has {len(row.cells)} cells, but the table has {width} columns"
            raise TableError(message, hint="write a head for each column", line=row.line)
    missing = ("",) * width
    even = [GridRow((*row.cells, *missing)[:width], row.line) for row in (head, *rows)]
    return even[0], even[1:]


def _without_empty_columns(head: GridRow, rows: list[GridRow]) -> _HeadAndRows:
    """Leave out the columns that are empty, such as those between halves."""
    used = [at for at in range(len(head.cells)) if head.cells[at] or any(row.cells[at] for row in rows)]
    even = [GridRow(tuple(row.cells[at] for at in used), row.line) for row in (head, *rows)]
    return even[0], even[1:]


def _crossed_names(text: str) -> tuple[str, str] | None:
    """Return what chooses the row and the column of a matrix; ``None`` for the head of any other table.

    >>> _crossed_names("attack × armour"), _crossed_names("d6 × 10")
    (('attack', 'armour'), None)
    """
    names = _CROSS.split(text.strip())
    return (names[0], names[1]) if len(names) == 2 and all(map(_LETTER.search, names)) else None


def _read_matrix(head: GridRow, rows: list[GridRow], axes: tuple[str, str]) -> PageTable:
    across = head.cells[1:]
    _refuse_empty(across, 1, head.line)
    _refuse_twins("columns", [GridRow((name,), head.line) for name in across])
    for row in rows:
        if not row.cells[0]:
            raise TableError("this row has no head", hint="write what it is for in its first cell", line=row.line)
    # Numbers that are in two rows are for those who know all that can come up.
    _refuse_twins("rows", [row for row in rows if not is_range(row.cells[0])])
    read, lines = tuple(_row(row, 1) for row in rows), tuple(row.line for row in rows)
    return PageTable(axes, ("result",), read, across, head_line=head.line, lines=lines)


def _without_digits_across(head: GridRow, rows: list[GridRow], dice: str) -> _HeadAndRows:
    """Return a table for dice that are read as digits, such as a d66, with whole numbers on the left."""
    digits = [*head.cells[1:], *(row.cells[0] for row in rows)]
    is_square = _TWO_DIGITS.fullmatch(dice or written_dice(head.cells[0]))
    if not is_square or not {*digits} <= {*"123456789"}:
        return head, rows
    numbered = [
        GridRow((row.cells[0] + second, cell), row.line)
        for row in rows
        for second, cell in zip(head.cells[1:], row.cells[1:], strict=True)
    ]
    return GridRow((head.cells[0], ""), head.line), numbered


def _lies(head: GridRow, rows: list[GridRow]) -> bool:
    """Return whether a table lies on its side: its numbers are in its head, not in the first cells of its rows.

    A single row may consist of numbers too, if those in the head go on from its first cell.
    """
    if not rows or len(head.cells) < 3 or not all(map(is_range, head.cells[1:])):
        return False
    return not any(is_range(row.cells[0]) for row in rows) or (len(rows) == 1 and _go_on(head.cells))


def _upright(head: GridRow, rows: list[GridRow], facts: Collection[str]) -> _HeadAndRows:
    """Return a table with its keys on the left, where it may lie on its side."""
    names_rows = all(node_name(row.cells[0]) in facts for row in rows) and node_name(head.cells[-1]) not in facts
    if not names_rows and not _lies(head, rows):
        return head, rows
    corner = ("",) if is_range(head.cells[0]) else ()
    heads, *turned = zip(*((*corner, *row.cells) for row in (head, *rows)), strict=True)
    if names_rows:
        # What has one column of figures needs no head for them.
        turned = [(key or "figures", *cells) for key, *cells in turned]
    return GridRow(heads, head.line), [GridRow(cells, head.line) for cells in turned]


def _without_halves(head: GridRow, rows: list[GridRow]) -> _HeadAndRows:
    """Return a table with its rows one below the other, where they may stand in parts side by side.

    The heads of the parts are the same, or empty but for the first, and their numbers go on, which is known from where
    each begins; without any heads, only from all of them.
    """
    cells = len(head.cells)
    for width in (width for width in range(2, cells // 2 + 1) if cells % width == 0):
        heads = [tuple(map(str.casefold, part.cells)) for part in _parts(head, width)]
        if any(name not in {"", first} for part in heads for name, first in zip(part, heads[0], strict=True)):
            continue
        across = [part for row in rows for part in _parts(row, width) if any(part.cells)]
        down = [part for parts in zip(*(_parts(row, width) for row in rows), strict=True) for part in parts]
        down = [part for part in down if any(part.cells)]
        goes_across = _go_on(_keys(across))
        if any(heads[0]):
            starts = [part.cells[0] for part in _parts(rows[0], width)]
            is_one = len({*starts}) == len(starts) and ({*heads} == {heads[0]} or all(map(is_range, _keys(down))))
        else:
            is_one = goes_across or _go_on(_keys(down))
        if is_one:
            return _parts(head, width)[0], across if goes_across else down
    return head, rows


def _parts(row: GridRow, width: int) -> list[GridRow]:
    return [GridRow(row.cells[at : at + width], row.line) for at in range(0, len(row.cells), width)]


def _keys(rows: Sequence[GridRow]) -> list[str]:
    return [row.cells[0] for row in rows if row.cells[0]]


def _axes(heads: Sequence[str], dice: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Return what chooses a row: one head, or two if each is a die and nothing else."""
    first, second = (written_dice(head) for head in (*heads, "")[:2])
    is_square = _TWO_DIGITS.fullmatch(dice or first)
    # A d22 or a d33 is read as digits where its rows have only these.
    if is_square and (sides := int(is_square[1])) not in _DIGITS and _have_digits(keys, sides):
        dice = f"10 * 1d{sides} + 1d{sides}"
    if len(heads) > 2 and (first, second) == (heads[0].lower(), heads[1].lower()) and first and second:
        return (dice or first, second)
    return (dice or first,)


def _have_digits(keys: Sequence[str], sides: int) -> bool:
    """Return whether keys begin and end with numbers of two digits, none higher than the sides of a die."""
    faces = range(1, sides + 1)
    try:
        ends = {end for key in keys for one in read_ranges(key) for end in one}
    except DiceError:
        return False
    return ends <= {10 * tens + ones for tens in faces for ones in faces}


def _refuse_second_rows(head: GridRow, rows: Sequence[TableRow], keys: int) -> None:
    """Raise an error for a column whose head has dice, and whose cells are the numbers of rows like the first ones."""
    for at, name in enumerate(head.cells[keys:]):
        if not written_dice(name) or not all(is_range(row.cells[at]) for row in rows):
            continue
        if any(first.low != first.high for first, *_others in (read_ranges(row.cells[at]) for row in rows)):
            hint = f"write only dice into both heads if both are rolled, or a table for {name} of its own"
            raise TableError(f"the column {quoted(name)} has numbers of rows too", hint=hint, line=head.line)


def _columns(head: GridRow, keys: int, *, named: bool) -> tuple[str, ...]:
    """Return the names of the columns, of which either all are named or none, if the heads name them."""
    names = head.cells[keys:]
    if not names:
        raise TableError(
            "the table has only one column", hint="write what each number means in a second", line=head.line
        )
    if not any(names):
        return ("result",) if len(names) == 1 else tuple(f"column {at}" for at in range(keys + 1, len(head.cells) + 1))
    if named:
        _refuse_empty(names, keys, head.line)
        _refuse_twins("columns", [GridRow((name,), head.line) for name in names])
    return names


def _refuse_empty(names: Sequence[str], before: int, line: int) -> None:
    if "" in names:
        message = f"column {names.index('') + before + 1} has no head"
        raise TableError(message, hint="write one", line=line)


def _refuse_twins(what: str, named: Sequence[GridRow]) -> None:
    """Raise an error for a second row whose first cell is the name of another."""
    names = set[str]()
    for row in named:
        name = row.cells[0]
        if name.casefold() in names:
            raise TableError(f"two {what} are called {quoted(name)}", hint="rename one of them", line=row.line)
        names.add(name.casefold())


def _read_rows(
    rows: Sequence[GridRow], keys: int, *, ranges: bool = True
) -> tuple[tuple[TableRow, ...], tuple[int, ...]]:
    """Return rows whose first cells are their keys, and their lines."""
    read: list[TableRow] = []
    lines: list[int] = []
    for row in rows:
        if not any(row.cells):
            continue
        one = _row(row, keys)
        if keys > 1 and read and not one.keys[0] and one.keys[1]:
            one = one._replace(keys=(read[-1].keys[0], *one.keys[1:]))
        for at, key in enumerate(one.keys):
            if (ranges or not key) and not (at and key in ANY):
                _check_key(key, one, row.line)
        read.append(one)
        lines.append(row.line)
    return tuple(read), tuple(lines)


def _row(row: GridRow, keys: int) -> TableRow:
    return TableRow(row.cells[:keys], row.cells[keys:])


def _check_key(key: str, row: TableRow, line: int) -> None:
    """Raise an error for a key that is no range."""
    if not key:
        hint = "write one, or move what it says into the row above"
        raise TableError("this row has no number", hint=hint, line=line)
    try:
        read_ranges(key)
    except NotationError as error:
        is_heading = not any(row.cells)
        hint = "begin a new table below it" if is_heading else error.hint
        if written_dice(key):
            hint = "begin a new table with this row, below a directive of its own"
        raise TableError(error.message, hint=hint, line=line) from None
    except DiceError as error:
        raise TableError(error.message, hint=error.hint, line=line) from None


def _go_on(keys: Sequence[str]) -> bool:
    """Return whether keys are ranges that follow one another without a gap."""
    try:
        ranges = [each for key in keys for each in read_ranges(key)]
    except DiceError:
        return False
    return all(one.high is not None and one.high + 1 == two.low for one, two in pairwise(ranges))
