"""A table of a page as a mechanic: a class that is made from plain data.

Its parameters are those of what chooses a row, its facts are the columns. What stands in a cell is a fact as it is
written; what the dice and the tables in it come to is another.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, cast

from dicedocs.errors import DiceError, LimitError
from dicedocs.page_rules.cells import Part
from dicedocs.page_rules.draws import DRAW
from dicedocs.page_rules.made_mechanic import Made, MadeMechanic, MadeOutcome, made_once
from dicedocs.page_rules.page_table import PageTable
from dicedocs.page_rules.parameter_text import Declared, parameter_of
from dicedocs.page_rules.row_throw import Row, RowThrow, row_throws, sum_of
from dicedocs.page_rules.table_links import linked_tables, table_digests
from dicedocs.page_rules.table_reading import ROLL, Column, TableReader
from dicedocs.probability.chains import NeverEnds
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import count_odds, run_to_end
from dicedocs.rules.dice import Dice
from dicedocs.rules.kinds import as_text
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.steps import Say
from dicedocs.translation import gettext as _
from dicedocs.translation import mark

Result = int | str
"""What dice or a table in a cell come to."""
Results = tuple[tuple[Result, ...], ...]
"""What is rolled in the cells of a row, by column."""


class TableRule(MadeMechanic):
    """Roll on a table of a page."""

    _reader: ClassVar[TableReader]
    _book: ClassVar[Mapping[str, type[TableRule]]]
    _throws: ClassVar[tuple[type[RowThrow], type[RowThrow]]]
    _asked: ClassVar[Collection[str] | None] = None
    """The facts for whose sake anything is rolled in the cells; ``None`` for all, as in every play."""
    _narrower: ClassVar[dict[frozenset[str], type[TableRule]]]
    """Rules that roll only for some facts, by these."""

    def distribution(self, *facts: str) -> Distribution | None:
        # What nobody asks for is not rolled, which changes nothing of the rest.
        try:
            return run_to_end(count_odds(_narrowed(self, facts), facts))
        except LimitError as error:
            if self._reader.draws is not None:
                error.hint = "draw fewer rows, or take samples: estimate(...)"
            raise
        except NeverEnds:
            message = "every possible row has been drawn"
            raise DiceError(message, hint="draw fewer, or add rows") from None

    @classmethod
    def _made(cls) -> Made:
        id = cls._reader.table.id
        tables = linked_tables(id, {id: each._reader.table for id, each in cls._book.items()})
        return _make_again, (id, [table.to_json() for table in tables], cls._folder)


def _make_again(id: str, tables: Sequence[str], folder: str) -> type[TableRule]:
    return page_mechanics((PageTable.from_plain(json.loads(table)) for table in tables), folder)[id]


def page_mechanics(tables: Iterable[PageTable], folder: str = "") -> dict[str, type[TableRule]]:
    """Return the mechanics of the tables of a book, by id.

    Parameters:
        tables: all of them; their cells may name each other.
        folder: the folder that the book was loaded from, as :func:`dicedocs.book` was given it; empty if it was not.

    Raises:
        TableError: one of them cannot be read.

    >>> from dicedocs.page_rules.layout import TableRow
    >>> from dicedocs.rules.dice import ScriptedDice
    >>> rows = (TableRow(("1",), ("Storm", "2d6 knots")), TableRow(("2-3",), ("Rain", "none")))
    >>> weather = page_mechanics([PageTable("road/weather", ("d3",), ("Weather", "Wind"), rows)])["road/weather"]
    >>> print(weather().play(ScriptedDice([1, 3, 4])).facts())
    Weather=Storm, Wind=2d6 knots, Wind_rolled=7, roll=1
    """
    of_book = {table.id: table for table in tables}
    book: dict[str, type[TableRule]] = {}
    for id, digest in table_digests(of_book).items():
        book[id] = made_once(folder, digest, partial(_make_rule, of_book[id], of_book, book, folder))
    return book


def _make_rule(
    table: PageTable, of_book: Mapping[str, PageTable], book: Mapping[str, type[TableRule]], folder: str
) -> type[TableRule]:
    reader = TableReader(table, of_book)

    def resolve(self: TableRule, dice: Dice, say: Say) -> Outcome:
        return outcomes(*_roll(self, dice, say))

    outcomes = cast("type[MadeOutcome]", type("Result", (MadeOutcome,), _fact_declarations(reader)))
    resolve.__annotations__["return"] = outcomes
    chosen = {parameter_of(name): declared for name, declared in reader.parameters.items()}
    choosing = _parameter_declarations(chosen)
    if reader.draws is not None and reader.draws.parameter is not None:
        chosen[DRAW] = reader.draws.parameter
    body = {
        "__doc__": table.title or table.id,
        "__module__": __name__,
        "__qualname__": table.id,
        **_parameter_declarations(chosen),
        "Result": outcomes,
        "resolve": resolve,
        "_reader": reader,
        "_book": book,
        "_folder": folder,
        "_narrower": {},
        "_throws": row_throws(reader, choosing),
    }
    rule = cast("type[TableRule]", type(table.id, (TableRule,), body))
    # Not an installed one, which would be known everywhere.
    rule.id = table.id
    outcomes._rule = rule
    return rule


def _parameter_declarations(parameters: Mapping[str, Declared]) -> dict[str, Any]:
    """Return the part of the body of a class that declares parameters."""
    types = {name: declared.type for name, declared in parameters.items()}
    return {"__annotations__": types, **{name: declared.field for name, declared in parameters.items()}}


def _fact_declarations(reader: TableReader) -> dict[str, Any]:
    """Return the body of the class of the outcomes."""
    types: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    some_short = any(column.is_short for column in reader.columns)
    for column in reader.columns:
        verdict = reader.verdict if column is reader.verdict_column else None
        types[column.name] = column.value_type if reader.draws is None else _list_of(column.drawn_type)
        # Of long texts an example is not proposed to expect any.
        facts[column.name] = fact(label=column.label, verdict=verdict, result=some_short and column.is_short)
        if column.rolled:
            types[column.rolled] = column.rolled_type if reader.draws is None else _list_of(column.result_type)
            facts[column.rolled] = fact(label=_("{column}, rolled").format(column=column.label), result=some_short)
    throwing = [axis for axis in reader.axes if axis.throws]
    if throwing:
        types[ROLL] = int if reader.draws is None and len(throwing) == 1 else tuple[int, ...]
        facts[ROLL] = fact(help=mark("the number rolled"), result=not some_short, bands=reader.bands())
    return {"__annotations__": types, "__module__": __name__, **facts}


def _list_of(item: Any) -> Any:
    return tuple.__class_getitem__((item, ...))


def _roll(rule: TableRule, dice: Dice, say: Say) -> Iterator[Any]:
    """Yield the facts of a roll on a table: the rows, what is rolled in their cells, and the numbers."""
    reader = rule._reader
    rows, results = _rows(rule, dice, say)
    numbers = tuple(number for row in rows for number in row.numbers)
    single = reader.draws is None
    for at, column in enumerate(reader.columns):
        values = (column.values[row.index] for row in rows)
        yield next(values) if single else tuple(map(column.drawn, values))
        if column.rolled:
            found = [result for of_row in results for result in of_row[at]]
            only = column.values[rows[0].index]
            yield column.rolled_value(found, only) if single else tuple(map(column.result, found))
    if any(axis.throws for axis in reader.axes):
        yield numbers[0] if single and len(numbers) == 1 else numbers


def _rows(rule: TableRule, dice: Dice, say: Say) -> tuple[tuple[Row, ...], tuple[Results, ...]]:
    """Return the rows that come up, and what is rolled in the cells of each, before the next row is thrown for."""
    draws = rule._reader.draws
    if draws is None:
        row = _row(rule, dice, say)
        return (row,), (_results_of(rule, row, dice, say),)
    number = draws.number if draws.parameter is None else getattr(rule, DRAW)
    without_repeats = draws.without_repeats

    def draw(
        dice: Dice, say: Say, rows: tuple[Row, ...], results: tuple[Results, ...]
    ) -> tuple[tuple[Row, ...], tuple[Results, ...]]:
        row = _row(rule, dice, say)
        if without_repeats and any(row.index == drawn.index for drawn in rows):
            say.fact(mark("Already drawn"), as_text(rule._reader.columns[0].values[row.index]))
            return rows, results
        return (*rows, row), (*results, _results_of(rule, row, dice, say))

    return dice.repeat(draw, ((), ()), lambda rows, _: len(rows) == number, label=mark("Draw"))


def _row(rule: TableRule, dice: Dice, say: Say) -> Row:
    """Return the row that comes up; its throw is a play of its own, whose steps are those of the table."""
    counted = rule._asked is None or ROLL in rule._asked
    thrown = rule._throws[not counted]
    throw = thrown(**{name: getattr(rule, name) for name in thrown.parameters()})
    return throw.resolve(dice, say) if say else dice.play(throw)


def _results_of(rule: TableRule, row: Row, dice: Dice, say: Say) -> Results:
    """Return what is rolled in the cells of a row, from left to right, by column."""
    found = []
    for column in rule._reader.columns:
        found.append(tuple(_results(rule, column, row.index, dice, say)))
        if say:
            shown = _with_titles(column.values[row.index], rule, column.parts[row.index])
            say.fact(column.label, _with_results(shown, found[-1]))
    return tuple(found)


def _results(rule: TableRule, column: Column, index: int, dice: Dice, say: Say) -> Iterator[Result]:
    """Yield what the dice and the tables in a cell come to."""
    if rule._asked is not None and column.rolled not in rule._asked:
        return
    for part in column.parts[index]:
        if part.dice is not None:
            yield sum_of(part.written, part.dice, {}, dice, say)
        else:
            yield _rolled_on(rule, part.table, dice)


def _rolled_on(rule: TableRule, table: str, dice: Dice) -> str:
    """Return what another table gives: the text of its first column."""
    other = rule._book[table]
    shared = {name: getattr(rule, name) for name in other.parameters() if name in type(rule).parameters()}
    played = other(**shared)
    column = other._reader.columns[0]
    if rule._asked is not None:
        played = _narrowed(played, (column.rolled,))
    outcome = dice.play(played, other._reader.table.title or table)
    rolled = outcome.fact(column.rolled) if column.rolled else None
    results = rolled if isinstance(rolled, tuple) else () if rolled is None else (rolled,)
    return _with_results(outcome.fact(column.name), results)


def _with_results(value: Result | None, results: Sequence[Result]) -> str:
    """Return what stands in a cell, with what it came to behind it.

    >>> _with_results("2d6 knots", [7])
    '2d6 knots (7)'
    """
    return f"{as_text(value)} ({', '.join(map(as_text, results))})" if results else as_text(value)


def _with_titles(value: Result | None, rule: TableRule, parts: Sequence[Part]) -> Result | None:
    """Return what stands in a cell as its page shows it: other tables have their titles there."""
    for part in parts:
        if part.table and isinstance(value, str):
            value = value.replace(part.written, rule._book[part.table]._reader.table.title or part.table, 1)
    return value


def _narrowed(rule: TableRule, facts: Collection[str]) -> TableRule:
    """Return a rule of which only that is rolled on which some facts depend."""
    known = {ROLL, *(column.rolled for column in rule._reader.columns if column.rolled)}
    asked = frozenset(known.intersection(facts))
    whole, values = type(rule), {name: getattr(rule, name) for name in type(rule).parameters()}
    if asked not in rule._narrower:
        # The same class each time, since rules of different classes are never equal.
        rule._narrower[asked] = type(whole.__qualname__, (whole,), {"_asked": asked, "__module__": __name__})
    return rule._narrower[asked](**values)
