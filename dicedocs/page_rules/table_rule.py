"""A table of a page as a mechanic: a class that is made from plain data.

Its parameters are those of what chooses a row, its facts are the columns. What stands in a cell is a fact as it is
written; what the dice and the tables in it come to is another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from dicedocs.expression.references import substitute
from dicedocs.expression.roll import Roller
from dicedocs.expression.tree import Chain, Node, Reference
from dicedocs.page_rules.axis import Axis
from dicedocs.page_rules.page_table import PageTable
from dicedocs.page_rules.parameter_text import parameter_name
from dicedocs.page_rules.table_reading import ROLL, Column, TableReader
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import count_odds, run_to_end
from dicedocs.rules.dice import Dice
from dicedocs.rules.kinds import as_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.steps import SILENT, Say, Term

Result = int | str
"""What dice or a table in a cell come to."""


class TableRule(Mechanic):
    """Roll on a table of a page."""

    _reader: ClassVar[TableReader]
    _book: ClassVar[Mapping[str, type[TableRule]]]
    _asked: ClassVar[Collection[str] | None] = None
    """The facts for whose sake anything is rolled in the cells; ``None`` for all, as in every play."""
    _narrower: ClassVar[dict[frozenset[str], type[TableRule]]]
    """Rules that roll only for some facts, by these."""

    def distribution(self, *facts: str) -> Distribution | None:
        # What nobody asks for is not rolled, which changes nothing of the rest.
        return run_to_end(count_odds(_narrowed(self, facts), facts))


def page_mechanics(tables: Iterable[PageTable]) -> dict[str, type[TableRule]]:
    """Return the mechanics of the tables of a book, by id.

    Parameters:
        tables: all of them; their cells may name each other.

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
    for table in of_book.values():
        book[table.id] = _make_rule(TableReader(table, of_book), book)
    return book


def _make_rule(reader: TableReader, book: Mapping[str, type[TableRule]]) -> type[TableRule]:
    table = reader.table

    def resolve(self: TableRule, dice: Dice, say: Say) -> Outcome:
        return outcomes(*_roll(self, dice, say))

    outcomes: type[Outcome] = type("Result", (Outcome,), _fact_declarations(reader))
    resolve.__annotations__["return"] = outcomes
    parameters = {parameter_name(name).lower(): declared for name, declared in reader.parameters.items()}
    body = {
        "__doc__": table.title or table.id,
        "__module__": __name__,
        "__qualname__": table.id,
        "__annotations__": {name: declared.type for name, declared in parameters.items()},
        **{name: declared.field for name, declared in parameters.items()},
        "Result": outcomes,
        "resolve": resolve,
        "_reader": reader,
        "_book": book,
        "_narrower": {},
    }
    rule: type[TableRule] = type(table.id, (TableRule,), body)
    # Not an installed one, which would be known everywhere.
    rule.id = table.id
    return rule


def _fact_declarations(reader: TableReader) -> dict[str, Any]:
    """Return the body of the class of the outcomes."""
    types: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    meanings = {word: meaning for meaning, words in reader.table.meanings for word in _words(words)}
    some_short = any(column.is_short for column in reader.columns)
    for column in reader.columns:
        verdict = {value: meanings[value] for value in column.values if value in meanings}
        types[column.name] = column.value_type
        # Of long texts an example is not proposed to expect any.
        facts[column.name] = fact(label=column.label, verdict=verdict or None, result=some_short and column.is_short)
        if column.rolled:
            types[column.rolled] = column.rolled_type
            facts[column.rolled] = fact(label=f"{column.label}, rolled", result=some_short)
    throwing = [axis for axis in reader.axes if axis.throws]
    if throwing:
        types[ROLL] = int if len(throwing) == 1 else tuple[int, ...]
        facts[ROLL] = fact(help="the number rolled", result=not some_short)
    return {"__annotations__": types, "__module__": __name__, **facts}


def _words(text: str) -> Iterator[str]:
    return (word for word in map(str.strip, text.split(",")) if word)


def _roll(rule: TableRule, dice: Dice, say: Say) -> Iterator[Any]:
    """Yield the facts of a roll on a table: the row, what is rolled in its cells from left to right, and the number."""
    reader = rule._reader
    numbers = [_value(axis, rule, dice, say) for axis in reader.axes]
    index = reader.find(numbers)
    for column in reader.columns:
        value = column.values[index]
        results = [*_results(rule, column, index, dice, say)]
        if say:
            say.fact(column.label, _with_results(value, results))
        yield value
        if column.rolled:
            yield column.rolled_value(results)
    rolled = [number for axis, number in zip(reader.axes, numbers, strict=True) if axis.throws]
    if rolled:
        yield rolled[0] if len(rolled) == 1 else tuple(rolled)


def _value(axis: Axis, rule: TableRule, dice: Dice, say: Say) -> Any:
    values = {name: getattr(rule, parameter_name(name).lower()) for name in axis.names}
    return _sum("Roll", axis.tree, values, dice, say) if axis.throws else next(iter(values.values()))


def _sum(label: str, tree: Node, values: Mapping[str, int], dice: Dice, say: Say) -> int:
    """Return what a notation comes to, whose sum is one step of the working."""
    operands = [("+", tree.first), *tree.rest] if isinstance(tree, Chain) and tree.is_sum else [("+", tree)]
    terms = list[Term]()
    for sign, operand in operands:
        (number,) = Roller(dice, say).roll(substitute(operand, values), operand)
        number = -number if sign == "-" else number
        terms.append((operand.name, number) if isinstance(operand, Reference) else number)
    return (say if len(terms) > 1 else SILENT).sum(label, *terms)


def _results(rule: TableRule, column: Column, index: int, dice: Dice, say: Say) -> Iterator[Result]:
    """Yield what the dice and the tables in a cell come to."""
    if rule._asked is not None and column.rolled not in rule._asked:
        return
    for part in column.parts[index]:
        if part.dice is not None:
            yield _sum(part.written, part.dice, {}, dice, say)
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


def _narrowed(rule: TableRule, facts: Collection[str]) -> TableRule:
    """Return a rule in whose cells only that is rolled of which some facts depend."""
    whole, values = type(rule), {name: getattr(rule, name) for name in type(rule).parameters()}
    asked = frozenset(column.rolled for column in rule._reader.columns if column.rolled in facts)
    if asked not in rule._narrower:
        # The same class each time, since rules of different classes are never equal.
        rule._narrower[asked] = type(whole.__qualname__, (whole,), {"_asked": asked, "__module__": __name__})
    return rule._narrower[asked](**values)
