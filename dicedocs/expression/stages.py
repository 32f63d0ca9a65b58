"""The six stages in which the rules evaluate an Expression, each told with the text after it.

A stage is a function from a tree to a tree. :func:`tell` plays all six and says what it does. What
does not depend on the dice or the values is worked out once for each tree and kept: the same stages
are applied to a tree whose numbers are the places of cells, which gives the texts with gaps in them
and the arithmetic as a program; telling it is then filling cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias, TypeVar, cast, overload

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

SUBSTITUTE = "Substitute"
ROLL = "Roll"
PARENTHESES = "Parentheses"
MULTIPLY = "Multiply and divide"
ADD = "Add and subtract"
CLAMP = "Clamp"

_REMEMBERED = 256
"""Trees whose plans are kept."""

T = TypeVar("T", Node, CheckTree)
Calculate: TypeAlias = Callable[[int, str, int], int]
Staged: TypeAlias = tuple[T, tuple[Operation, ...]]
"""What a stage gives: the tree after it, and the arithmetic done, in its order."""


def substitute(tree: T, values: Sequence[int]) -> Staged[T]:
    """Put the values of the references in their places.

    Parameters:
        values: one for each reference, in order.

    >>> format(substitute(Sum(Resource("actor", "A"), (("+", Number(2)),)), [-3])[0])
    '-3 + 2'
    """
    given = iter(values)

    def known(part: Number | Resource) -> Number:
        return Number(next(given)) if isinstance(part, Resource) else part

    def substituted(leaf: Leaf) -> Leaf:
        return DiceTerm(known(leaf.count), known(leaf.sides)) if isinstance(leaf, DiceTerm) else known(leaf)

    return _replaced(tree, substituted), ()


def roll(tree: T, totals: Sequence[int]) -> Staged[T]:
    """Put what the dice show in the places of the dice terms.

    Parameters:
        totals: the sum of each term's dice, in order.

    >>> format(roll(Sum(DiceTerm(Number(2), Number(6)), (("+", Number(2)),)), [8])[0])
    '8 + 2'
    """
    thrown = iter(totals)
    return _replaced(tree, lambda leaf: Number(next(thrown)) if isinstance(leaf, DiceTerm) else leaf), ()


def parentheses(tree: T, arithmetic: Arithmetic = STANDARD) -> Staged[T]:
    """Work out each group from left to right, after the groups inside it."""
    ledger = _Ledger(arithmetic)
    return _ungrouped(tree, ledger), tuple(ledger.operations)


def multiply(tree: T, arithmetic: Arithmetic = STANDARD) -> Staged[T]:
    """Work out each chain of ``*`` and ``/`` from left to right; division rounds down."""
    ledger = _Ledger(arithmetic)
    return _multiplied(tree, ledger), tuple(ledger.operations)


def add(tree: T, arithmetic: Arithmetic = STANDARD) -> Staged[T]:
    """Work out each chain of ``+`` and ``-`` from left to right.

    >>> add(Sum(Number(24), (("-", Number(12)), ("+", Number(5)))))[1]
    (Operation(left=24, sign='-', right=12, value=12), Operation(left=12, sign='+', right=5, value=17))
    """
    ledger = _Ledger(arithmetic)
    return _added(tree, ledger), tuple(ledger.operations)


def clamp(tree: T, arithmetic: Arithmetic = STANDARD) -> Staged[T]:
    """Raise the value of the whole to the lowest there is; of a Check, each side's."""
    return _replaced(tree, lambda leaf: Number(arithmetic.clamp(cast("Number", leaf).value))), ()


class _Ledger:
    """Does arithmetic and keeps what it did."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.operations: list[Operation] = []
        self._calculate = arithmetic.calculate

    def __call__(self, left: int, sign: str, right: int) -> int:
        value = self._calculate(left, sign, right)
        self.operations.append(Operation(left, sign, right, value))
        return value


def _ungrouped(tree: T, calculate: Calculate) -> T:
    if isinstance(tree, Group):
        return _added(_multiplied(_ungrouped(tree.inner, calculate), calculate), calculate)
    return _inside(tree, lambda node: _ungrouped(node, calculate))


def _multiplied(tree: T, calculate: Calculate) -> T:
    if isinstance(tree, Product):
        return _worked_out(tree, calculate)
    return _inside(tree, lambda node: _multiplied(node, calculate))


def _added(tree: T, calculate: Calculate) -> T:
    if isinstance(tree, Sum):
        return _worked_out(tree, calculate)
    return _inside(tree, lambda node: _added(node, calculate))


def _worked_out(chain: Product | Sum, calculate: Calculate) -> Number:
    """Work out a chain of numbers from left to right."""
    value = cast("Number", chain.first).value
    for sign, node in chain.rest:
        value = calculate(value, sign, cast("Number", node).value)
    return Number(value)


def _replaced(tree: T, change: Callable[[Leaf], Leaf]) -> T:
    """Change the leaves of a tree, from left to right."""
    if isinstance(tree, Number | Resource | DiceTerm):
        return change(tree)
    return _inside(tree, lambda node: _replaced(node, change))


def _inside(tree: T, change: Callable[[Node], Node]) -> T:
    """Change what a node holds, from left to right; a leaf holds nothing."""
    match tree:
        case Group(inner):
            return Group(change(inner))
        case Product(first, rest):
            return Product(change(first), tuple([(sign, change(node)) for sign, node in rest]))
        case Sum(first, rest):
            return Sum(change(first), tuple([(sign, change(node)) for sign, node in rest]))
        case CheckTree(left, op, right):
            return CheckTree(change(left), op, change(right))
        case _:
            return tree


class _Text(NamedTuple):
    """A text with gaps, and the cells that fill them."""

    gaps: str
    places: tuple[int, ...]

    def filled(self, cells: Sequence[int]) -> str:
        return self.gaps % tuple([cells[place] for place in self.places])


class _Throw(NamedTuple):
    """A dice term: the cells of its count and its sides, and the one its total goes to."""

    number: int
    sides: int
    total: int


class _Stage(NamedTuple):
    """A stage of arithmetic.

    Parameters:
        program: what is calculated, each into the next new cell.
        text: the text after it; ``None`` when the stage changes nothing.
    """

    label: str
    program: tuple[tuple[int, str, int], ...]
    text: _Text | None


class _Plan(NamedTuple):
    """All of telling a tree that does not depend on the dice and the values.

    Parameters:
        text: the tree as it was written.
        cells: the numbers in the tree; 0 where a value, or a total of dice, is to be put.
        values: for each reference its cell.
        substituted, rolled: the texts after the first two stages.
        stages: the next three.
        worked_out: the text after them.
    """

    text: str
    cells: tuple[int, ...]
    values: tuple[int, ...]
    throws: tuple[_Throw, ...]
    substituted: _Text
    rolled: _Text
    stages: tuple[_Stage, ...]
    worked_out: _Text


@lru_cache(_REMEMBERED)
def _plan(tree: Tree) -> _Plan:
    cells: list[int] = []
    values: list[int] = []
    throws: list[_Throw] = []

    def cell(part: Number | Resource | None = None) -> int:
        if isinstance(part, Resource):
            values.append(len(cells))
        cells.append(part.value if isinstance(part, Number) else 0)
        return len(cells) - 1

    def celled(leaf: Leaf) -> Leaf:
        if not isinstance(leaf, DiceTerm):
            return Number(cell(leaf))
        throw = _Throw(cell(leaf.count), cell(leaf.sides), cell())
        throws.append(throw)
        return DiceTerm(Number(throw.number), Number(throw.sides))

    # For mypy: a Check goes through the stages as an Expression does.
    substituted = _replaced(cast("Node", tree), celled)
    rolled, _ = roll(substituted, [throw.total for throw in throws])
    stages: list[_Stage] = []
    known = len(cells)
    now = rolled
    for label, work in ((PARENTHESES, _ungrouped), (MULTIPLY, _multiplied), (ADD, _added)):
        program: list[tuple[int, str, int]] = []

        def note(left: int, sign: str, right: int, program: list[tuple[int, str, int]] = program) -> int:
            nonlocal known
            program.append((left, sign, right))
            known += 1
            return known - 1

        before, now = now, work(now, note)
        stages.append(_Stage(label, tuple(program), None if now == before else _gapped(now)))
    return _Plan(
        format(tree),
        tuple(cells),
        tuple(values),
        tuple(throws),
        _gapped(substituted),
        _gapped(rolled),
        tuple(stages),
        _gapped(now),
    )


def _gapped(tree: Tree) -> _Text:
    """Turn a tree whose numbers are places of cells into its text with gaps."""
    text = format(tree)
    return _Text(re.sub(r"[0-9]+", "%d", text), tuple(map(int, re.findall(r"[0-9]+", text))))


@overload
def tell(say: Say, tree: Node, values: Sequence[int], dice: Dice, arithmetic: Arithmetic = STANDARD) -> int: ...
@overload
def tell(
    say: Say, tree: CheckTree, values: Sequence[int], dice: Dice, arithmetic: Arithmetic = STANDARD
) -> tuple[int, int]: ...
def tell(
    say: Say, tree: Tree, values: Sequence[int], dice: Dice, arithmetic: Arithmetic = STANDARD
) -> int | tuple[int, int]:
    r"""Roll a tree and say each of the six stages; the dice are thrown after the first.

    Parameters:
        values: what :func:`~dicedocs.expression.evaluator.substitution` gave.

    Returns:
        The value, not clamped; for a Check those of both sides. Comparing them is the caller's.

    >>> from dicedocs.rules.dice import ScriptedDice
    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> tell(say, Sum(Number(2), (("-", DiceTerm(Number(1), Number(6))),)), (), ScriptedDice([5]))
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
    for place, value in zip(plan.values, values, strict=True):
        cells[place] = value
    text = say.rewrite(SUBSTITUTE, plan.text, plan.substituted.filled(cells))
    for number, sides, total in plan.throws:
        if cells[number]:
            cells[total] = dice.total(cells[number], cells[sides])
    text = say.rewrite(ROLL, text, plan.rolled.filled(cells))
    calculate = arithmetic.calculate
    for label, program, after in plan.stages:
        operations: list[Operation] = []
        for left, sign, right in program:
            value = calculate(cells[left], sign, cells[right])
            operations.append(Operation(cells[left], sign, cells[right], value))
            cells.append(value)
        text = say.rewrite(label, text, text if after is None else after.filled(cells), *operations)
    raw = [cells[place] for place in plan.worked_out.places]
    say.rewrite(CLAMP, text, plan.worked_out.gaps % tuple(map(arithmetic.clamp, raw)))
    return (raw[0], raw[1]) if isinstance(tree, CheckTree) else raw[0]
