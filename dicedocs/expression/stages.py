"""The six stages in which the rules evaluate an Expression, each recorded with the text after it.

:func:`record_stages` runs all six. What depends on neither the dice nor the values is planned once for
each tree and cached: the stages are applied to a tree whose numbers are indexes of *cells*, which gives
the texts as templates and the arithmetic as a program. Recording a play is then filling cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias, cast, overload

from dicedocs.expression.evaluator import STANDARD, Arithmetic
from dicedocs.expression.tree import (
    CheckTree,
    DiceTerm,
    Group,
    Leaf,
    Node,
    Number,
    Product,
    Resource,
    Sum,
    Tree,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
)
from dicedocs.rules.dice import Dice
from dicedocs.rules.steps import Operation, Say
from dicedocs.translation import mark

SUBSTITUTE = mark("Substitute")
ROLL = mark("Roll")
PARENTHESES = mark("Parentheses")
MULTIPLY = mark("Multiply and divide")
ADD = mark("Add and subtract")
CLAMP = mark("Clamp")

_CACHE_SIZE = 256

Calculate: TypeAlias = Callable[[int, str, int], int]
"""A function of a left operand, an operator and a right operand."""


class TextTemplate(NamedTuple):
    """A text with gaps for numbers.

    Parameters:
        format: the text, with ``%d`` for each gap.
        cells: for each gap the index of the cell that fills it.
    """

    format: str
    cells: tuple[int, ...]

    @classmethod
    def from_text(cls, text: str, placeholder: str = "[0-9]+", first: int = 0) -> TextTemplate:
        """Return the template of a text with placeholders for cells.

        Parameters:
            placeholder: the pattern of a placeholder, which is a number.
            first: the placeholder of cell 0.

        >>> TextTemplate.from_text("0 + 2 = 3")
        TextTemplate(format='%d + %d = %d', cells=(0, 2, 3))
        """
        cells = [int(number) - first for number in re.findall(placeholder, text)]
        return cls(re.sub(placeholder, "%d", text.replace("%", "%%")), tuple(cells))

    def fill(self, cells: Sequence[object]) -> str:
        return self.format % tuple([cells[index] for index in self.cells])


class _DiceCells(NamedTuple):
    """The cells of a dice term: its count, its sides and its total."""

    number: int
    sides: int
    total: int


class _ArithmeticStage(NamedTuple):
    """A stage that calculates.

    Parameters:
        program: the operations on cells; each puts its value into the next new cell.
        text: the text after the stage; ``None`` when the stage changes nothing.
    """

    label: str
    program: tuple[tuple[int, str, int], ...]
    text: TextTemplate | None


class _Plan(NamedTuple):
    """All of the stages of a tree that depends on neither the dice nor the values.

    Parameters:
        text: the tree as text.
        cells: the numbers of the tree; 0 for each value and each total that is filled in later.
        values: the cell of each reference.
        dice: the cells of each dice term.
        substituted, rolled: the texts after the first two stages.
        stages: the next three stages.
        result: the text after them.
    """

    text: str
    cells: tuple[int, ...]
    values: tuple[int, ...]
    dice: tuple[_DiceCells, ...]
    substituted: TextTemplate
    rolled: TextTemplate
    stages: tuple[_ArithmeticStage, ...]
    result: TextTemplate


@lru_cache(_CACHE_SIZE)
def _plan(tree: Tree) -> _Plan:
    cells: list[int] = []
    values: list[int] = []
    dice: list[_DiceCells] = []

    def add_cell(part: Number | Resource | None = None) -> int:
        if isinstance(part, Resource):
            values.append(len(cells))
        cells.append(part.value if isinstance(part, Number) else 0)
        return len(cells) - 1

    def to_cells(leaf: Leaf) -> Leaf:
        if not isinstance(leaf, DiceTerm):
            return Number(add_cell(leaf))
        term = _DiceCells(add_cell(leaf.count), add_cell(leaf.sides), add_cell())
        dice.append(term)
        return DiceTerm(Number(term.number), Number(term.sides))

    # A Check goes through the stages as an Expression does; the cast is for mypy.
    substituted = _replace_leaves(cast("Node", tree), to_cells)
    totals = iter(dice)
    rolled = _replace_leaves(
        substituted, lambda leaf: Number(next(totals).total) if isinstance(leaf, DiceTerm) else leaf
    )
    stages: list[_ArithmeticStage] = []
    cell_count = len(cells)
    after = rolled
    for label, evaluate in ((PARENTHESES, _evaluate_groups), (MULTIPLY, _evaluate_products), (ADD, _evaluate_sums)):
        program: list[tuple[int, str, int]] = []

        def add_operation(left: int, sign: str, right: int, program: list[tuple[int, str, int]] = program) -> int:
            nonlocal cell_count
            program.append((left, sign, right))
            cell_count += 1
            return cell_count - 1

        before, after = after, evaluate(after, add_operation)
        text = None if after == before else TextTemplate.from_text(format(after))
        stages.append(_ArithmeticStage(label, tuple(program), text))
    return _Plan(
        format(tree),
        tuple(cells),
        tuple(values),
        tuple(dice),
        TextTemplate.from_text(format(substituted)),
        TextTemplate.from_text(format(rolled)),
        tuple(stages),
        TextTemplate.from_text(format(after)),
    )


def _evaluate_groups(node: Node, calculate: Calculate) -> Node:
    if isinstance(node, Group):
        return _evaluate_sums(_evaluate_products(_evaluate_groups(node.inner, calculate), calculate), calculate)
    return _replace_children(node, lambda child: _evaluate_groups(child, calculate))


def _evaluate_products(node: Node, calculate: Calculate) -> Node:
    if isinstance(node, Product):
        return _evaluate_chain(node, calculate)
    return _replace_children(node, lambda child: _evaluate_products(child, calculate))


def _evaluate_sums(node: Node, calculate: Calculate) -> Node:
    if isinstance(node, Sum):
        return _evaluate_chain(node, calculate)
    return _replace_children(node, lambda child: _evaluate_sums(child, calculate))


def _evaluate_chain(chain: Product | Sum, calculate: Calculate) -> Number:
    value = cast("Number", chain.first).value
    for sign, node in chain.rest:
        value = calculate(value, sign, cast("Number", node).value)
    return Number(value)


def _replace_leaves(node: Node, change: Callable[[Leaf], Leaf]) -> Node:
    if isinstance(node, Number | Resource | DiceTerm):
        return change(node)
    return _replace_children(node, lambda child: _replace_leaves(child, change))


def _replace_children(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a node with its children changed, from left to right."""
    match cast("Tree", node):
        case Group(inner):
            return Group(change(inner))
        case Product(first, rest):
            return Product(change(first), tuple([(sign, change(child)) for sign, child in rest]))
        case Sum(first, rest):
            return Sum(change(first), tuple([(sign, change(child)) for sign, child in rest]))
        case CheckTree(left, op, right):
            return cast("Node", CheckTree(change(left), op, change(right)))
        case _:
            return node


@overload
def record_stages(
    say: Say, tree: Node, values: Sequence[int], dice: Dice, arithmetic: Arithmetic = STANDARD
) -> int: ...
@overload
def record_stages(
    say: Say, tree: CheckTree, values: Sequence[int], dice: Dice, arithmetic: Arithmetic = STANDARD
) -> tuple[int, int]: ...
def record_stages(
    say: Say, tree: Tree, values: Sequence[int], dice: Dice, arithmetic: Arithmetic = STANDARD
) -> int | tuple[int, int]:
    r"""Roll a tree and record each of the six stages; the dice are thrown after the first.

    Parameters:
        values: the values from :func:`~dicedocs.expression.references.resolve_references`.

    Returns:
        The value, not clamped; for a Check the values of both sides, which the caller compares.

    >>> from dicedocs.rules.dice import ScriptedDice
    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> record_stages(say, Sum(Number(2), (("-", DiceTerm(Number(1), Number(6))),)), (), ScriptedDice([5]))
    -3
    >>> print(*(f"{step.label}: {step.value}" for step in say.steps), sep="\n")
    Substitute: 2 - 1d6
    Roll: 2 - 5
    Parentheses: 2 - 5
    Multiply and divide: 2 - 5
    Add and subtract: -3
    Clamp: 0
    """
    plan = _plan(tree)
    cells = list(plan.cells)
    for index, value in zip(plan.values, values, strict=True):
        cells[index] = value
    text = say.rewrite(SUBSTITUTE, plan.text, plan.substituted.fill(cells))
    for number, sides, total in plan.dice:
        if cells[number]:
            cells[total] = dice.total(cells[number], cells[sides])
    text = say.rewrite(ROLL, text, plan.rolled.fill(cells))
    calculate = arithmetic.calculate
    for label, program, after in plan.stages:
        operations: list[Operation] = []
        for left, sign, right in program:
            value = calculate(cells[left], sign, cells[right])
            operations.append(Operation(cells[left], sign, cells[right], value))
            cells.append(value)
        text = say.rewrite(label, text, text if after is None else after.fill(cells), *operations)
    raw = [cells[index] for index in plan.result.cells]
    if arithmetic.lowest is not None:
        say.rewrite(CLAMP, text, plan.result.format % tuple(map(arithmetic.clamp, raw)))
    return (raw[0], raw[1]) if isinstance(tree, CheckTree) else raw[0]
