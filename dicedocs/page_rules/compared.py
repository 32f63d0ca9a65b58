"""How much of a table was compared: its rows with the dice, its cells with a rule, what it names with other tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Final, NamedTuple

from dicedocs.errors import listed, quoted
from dicedocs.page_rules.cell_checks import checked_columns, is_written, stated_heads
from dicedocs.page_rules.rule_program import Program
from dicedocs.page_rules.table_links import find_links
from dicedocs.page_rules.table_reading import Column
from dicedocs.page_rules.text_dice import find_dice, unread_dice
from dicedocs.syntax.names import parameter_name

_SHOWN: Final = 3
"""The most texts of one column that are named."""


class Compared(NamedTuple):
    """What of a table was compared.

    Parameters:
        rows: its rows, and the columns of a matrix, with all that can choose them.
        cells: its cells whose dice were read, or that were compared with a formula or the lines of a rule.
        links: what its cells name, with the other tables of the book.

    >>> print(Compared(6, 0, 1), Compared(0, 0, 0), sep="; ")
    6 rows, 1 link; nothing
    """

    rows: int
    cells: int
    links: int

    def __str__(self) -> str:
        counted = zip(self._fields, self, strict=True)
        return (
            ", ".join(f"{number} {name if number > 1 else name[:-1]}" for name, number in counted if number)
            or "nothing"
        )


def count_compared(program: Program, tables: Collection[str], cells: str = "") -> Compared:
    """Return how much of the tables of a rule was compared.

    Parameters:
        program: the rule, or the table, read.
        tables: the ids of all tables of the book.
        cells: what its author says of the cells.
    """
    rows, compared = 0, set[tuple[str, int]]()
    links = sum(link.table in tables for link in find_links(program.rule))
    for reader in program.tables:
        keyed = [bool(program.rule.lines) or axis.throws or bool(program.rule.parameters) for axis in reader.axes]
        rows += len(reader.table.rows) * any(keyed[: len(reader.axes) - bool(reader.table.across)])
        rows += len(reader.table.across) * keyed[-1]
        for column in reader.columns:
            thrown = [any(not part.table for part in parts) for parts in column.parts]
            compared |= {(column.name, at) for at, throws in enumerate(thrown) if throws}
        if cells and program.is_table:
            compared |= {place for column in checked_columns(reader, cells) for place in _written(column)}
    if program.stated is not None:
        facts = program.stated_facts(program.stated)
        facts |= dict.fromkeys(map(parameter_name, stated_heads(cells)), "")
        compared |= {place for column in program.stated.columns if column.name in facts for place in _written(column)}
    return Compared(rows, len(compared), links)


def _written(column: Column) -> set[tuple[str, int]]:
    return {(column.name, at) for at, value in enumerate(column.values) if is_written(value)}


def find_uncompared(program: Program) -> Iterator[tuple[str, str]]:
    """Yield the heads of columns with dice that are compared with nothing, each with the reason."""
    table, stated = program.rule.table, program.stated
    if table is None:
        return
    for at, head in enumerate(table.columns):
        cells = [cell for row in table.rows for cell in (row.cells if table.across else row.cells[at : at + 1])]
        unread = list(dict.fromkeys(chain.from_iterable(map(unread_dice, cells))))
        if table.is_plain(head):
            if unread or any(find_dice(cell, "cell") for cell in cells):
                yield head, "plain"
        elif unread:
            more = [f"{len(unread) - _SHOWN} more"] if len(unread) > _SHOWN else []
            yield head, f"{listed([*map(quoted, unread[:_SHOWN]), *more], 'and')} read as text"
        elif stated is not None and parameter_name(head) not in program.stated_facts(stated) and not table.across:
            yield head, "its line throws dice"
