"""Methuen: Expressions, and Checks that compare two of them.

Its notation is the plain dialect of the core's (:mod:`dicedocs.expression`). How it is worked out, in six stages (M70
to M82), is this game's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final, cast

from dicedocs import Dice, Operation, Outcome, Resources, Say, fact, param
from dicedocs.expression.notation_rule import NamingNotation, NotationRule, needed, resources
from dicedocs.syntax.arithmetic import OPERATIONS
from dicedocs.syntax.parser import parse_check, parse_expression
from dicedocs.syntax.tree import (
    Chain,
    Compared,
    DiceTerm,
    Group,
    Node,
    Number,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    rebuild,
    replace_leaves,
)

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

BY_ZERO: Final = 0
"""The quotient of a division by 0 (M55)."""


def clamp(raw: int) -> int:
    """Return the value of an Expression, which is never below 0 (M64).

    >>> clamp(-3), clamp(3)
    (0, 3)
    """
    return max(0, raw)


def work_out(say: Say, written: Node, tree: Node, dice: Dice) -> Node:
    r"""Return what an Expression or a Check comes to, not clamped, in the stages of the rules.

    Parameters:
        written: the Expression as it was written.
        tree: the Expression with the values of its resources.

    >>> from dicedocs import ScriptedDice
    >>> from dicedocs.rules.steps import RecordingSay
    >>> say, tree = RecordingSay(), parse_expression("2 - 1d6")
    >>> work_out(say, tree, tree, ScriptedDice([5]))
    Number(value=-3)
    >>> print(*(f"{step.label}: {step.value}" for step in say.steps), sep="\n")
    Substitute: 2 - 1d6
    Roll: 2 - 5
    Parentheses: 2 - 5
    Multiply and divide: 2 - 5
    Add and subtract: -3
    Clamp: 0
    """

    def throw(leaf: Node) -> Node:
        match leaf:
            case DiceTerm(Number(count), Number(sides)):
                return Number(dice.total(count, sides) if count else 0)
        return leaf

    # Where nobody listens, as in counting, no text is made.
    text: Callable[[Node], str] = format if say else lambda _: ""
    say.rewrite("Substitute", text(written), text(tree))
    rolled = replace_leaves(tree, throw)
    say.rewrite("Roll", text(tree), text(rolled))
    done: list[Operation] = []
    grouped = _without_groups(rolled, done.append)
    say.rewrite("Parentheses", text(rolled), text(grouped), *done)
    done.clear()
    multiplied = _without_chains(grouped, done.append, sums=False)
    say.rewrite("Multiply and divide", text(grouped), text(multiplied), *done)
    done.clear()
    added = _without_chains(multiplied, done.append, sums=True)
    say.rewrite("Add and subtract", text(multiplied), text(added), *done)
    clamped = replace_leaves(added, lambda leaf: Number(clamp(cast("Number", leaf).value)))
    say.rewrite("Clamp", text(added), text(clamped))
    return added


def _without_groups(node: Node, note: Callable[[Operation], None]) -> Node:
    node = rebuild(node, lambda child: _without_groups(child, note))
    if not isinstance(node, Group):
        return node
    return _without_chains(_without_chains(node.inner, note, sums=False), note, sums=True)


def _without_chains(node: Node, note: Callable[[Operation], None], *, sums: bool) -> Node:
    """Return a tree with a number in place of each sum, or each product."""
    if not isinstance(node, Chain) or node.is_sum != sums:
        return rebuild(node, lambda child: _without_chains(child, note, sums=sums))
    value, *others = (cast("Number", operand).value for operand in node.operands)
    for (sign, _), other in zip(node.rest, others, strict=True):
        result = BY_ZERO if sign == "/" and not other else OPERATIONS[sign](value, other)
        note(Operation(value, sign, other, result))
        value = result
    return Number(value)


class Expression(NotationRule, id="methuen/expression"):
    """Work out an Expression: dice, resources, whole numbers and arithmetic. It is never below 0."""

    text_parameter = "expression"

    expression: NamingNotation = param(
        example="(2d6 + [Intelligence]) * 2 - [Target Defense] + 5", help="dice and arithmetic"
    )
    actor: Resources = resources("Intelligence=4", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(Outcome):
        total: int = fact(help="the value, 0 when it would be negative")
        raw: int = fact(help="the value before that", repeats="total")

    @cached_property
    def tree(self) -> Node:
        """The syntax tree of the Expression."""
        return parse_expression(self.expression)

    def resolve(self, dice: Dice, say: Say) -> Result:
        raw = cast("Number", work_out(say, self.tree, self.substituted, dice)).value
        return self.Result(clamp(raw), raw)

    def distribution(self, *facts: str) -> Distribution:
        from dicedocs.expression.odds import tree_distribution

        raw = tree_distribution(self.substituted, BY_ZERO)
        if "raw" not in facts:
            return raw.map(clamp).named("total")
        return raw.map(lambda value: (clamp(value), value)).named("total", "raw").marginal(*facts)


class Check(NotationRule, id="methuen/check"):
    """Make a Check: compare two Expressions, each never below 0. It holds or it does not."""

    text_parameter = "check"

    check: NamingNotation = param(
        example="1d20 + [Attack] >= [Target Defense]", help="two Expressions and a comparison"
    )
    actor: Resources = resources("Attack=6", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(Outcome):
        success: bool = fact(help="whether the comparison holds", verdict=True)
        left: int = fact(help="the value of the left Expression", against="right", needed=needed)
        right: int = fact(help="the value of the right Expression")

    @cached_property
    def tree(self) -> Compared:
        """The syntax tree of the Check."""
        return parse_check(self.check)

    def resolve(self, dice: Dice, say: Say) -> Result:
        raw = cast("Compared", work_out(say, self.tree, self.substituted, dice))
        left, right = (clamp(cast("Number", side).value) for side in (raw.left, raw.right))
        return self.Result(say.compare("Check", left, raw.op, right), left, right)

    def distribution(self, *facts: str) -> Distribution:
        from dicedocs.expression.odds import comparison_distribution, side_distributions

        left, right = (side.map(clamp) for side in side_distributions(self.substituted, BY_ZERO))
        return comparison_distribution(left, right, self.tree.op, facts)
