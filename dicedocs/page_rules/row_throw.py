"""The throw for one row of a table: a rule of its own, of which the odds of a table need no more than the row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from dicedocs.expression.references import substitute
from dicedocs.expression.roll import Roller
from dicedocs.page_rules.axis import Axis
from dicedocs.page_rules.parameter_text import parameter_of
from dicedocs.page_rules.table_reading import TableReader
from dicedocs.rules.dice import Dice
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.steps import Say, Term
from dicedocs.syntax.tree import (
    Chain,
    Node,
    Number,
    Reference,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
)


class Row(Outcome):
    """The row that came up: the index of its cell in each column, and the numbers rolled if anybody asks for them."""

    index: int
    numbers: tuple[int, ...]


class RowThrow(Mechanic):
    """Throw for one row of a table."""

    _reader: ClassVar[TableReader]
    _with_numbers: ClassVar[bool] = True

    def resolve(self, dice: Dice, say: Say) -> Row:
        axes = self._reader.axes
        values = [self._value(axis, dice, say) for axis in axes]
        index = self._reader.find(values)
        numbers = [value for axis, value in zip(axes, values, strict=True) if axis.throws] if self._with_numbers else []
        return Row(index, tuple(numbers))

    def _value(self, axis: Axis, dice: Dice, say: Say) -> Any:
        values = {name: getattr(self, parameter_of(name)) for name in axis.names}
        return sum_of("Roll", axis.tree, values, dice, say) if axis.throws else next(iter(values.values()))


def sum_of(label: str, tree: Node, values: Mapping[str, int], dice: Dice, say: Say) -> int:
    """Return what a notation comes to, whose sum is one step of the working.

    Parameters:
        label: the label of that step.
        tree: the notation.
        values: those of its references.
        dice, say: those of the rule.
    """
    if not (isinstance(tree, Chain) and tree.is_sum):
        return _number(label, tree, values, dice, say)
    terms = list[Term]()
    for sign, operand in [("+", tree.first), *tree.rest]:
        number = _number(format(operand), operand, values, dice, say)
        number = -number if sign == "-" else number
        terms.append((operand.name, number) if isinstance(operand, Reference) else number)
    return say.sum(label, *terms)


def _number(label: str, tree: Node, values: Mapping[str, int], dice: Dice, say: Say) -> int:
    """Return what a part of a sum comes to; a step of the working says it if it is neither a value nor dice alone."""
    match tree:
        case Number(value):
            return value
        case Reference(name=name):
            return values[name]
        case Chain(first, (("*", Number(factor)),)):
            return say.scale(label, _number(format(first), first, values, dice, say), times=factor)
    (number,) = Roller(dice, say).roll(substitute(tree, values), tree)
    return number


def row_throws(reader: TableReader, parameters: Mapping[str, Any]) -> tuple[type[RowThrow], type[RowThrow]]:
    """Return the rule that throws for a row of a table: one that also says the numbers rolled, and one that does not.

    Parameters:
        reader: the table.
        parameters: the body of a class that declares what chooses a row.
    """
    body = {"__module__": __name__, "_reader": reader, **parameters}
    full = type(reader.table.id, (RowThrow,), body)
    return full, type(reader.table.id, (full,), {"__module__": __name__, "_with_numbers": False})
