"""Methuen: Expressions, and Checks that compare two of them.

The language itself is the core's (:mod:`dicedocs.expression`), which this game defines.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from dicedocs import Dice, Mechanic, Notation, Outcome, Resources, Say, fact, param
from dicedocs.errors import DiceError
from dicedocs.expression.evaluator import Arithmetic, Run, RunBoth, compiled, substitution
from dicedocs.expression.parser import parse_check, parse_expression
from dicedocs.expression.stages import tell
from dicedocs.expression.tree import CheckTree, Node
from dicedocs.expression.wording import Wording, wording
from dicedocs.rules.steps import COMPARISONS

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

ARITHMETIC: Final = Arithmetic(lowest=0, by_zero=0)
"""A value is never below 0 (M64), and a zero divisor makes a quotient 0 (M55)."""


def _resources(example: str, whose: str) -> Resources:
    return param(default=Resources(), example=example, help=f"what {whose} has: the [Names] in the text")


def _values(text: str, tree: Node | CheckTree, actor: Resources, target: Resources) -> tuple[int, ...]:
    """Look up what a text refers to; a target without resources is no target (DM6)."""
    # Most texts refer to nothing, and the text shows it sooner than its tree.
    return substitution(tree, actor, target or None) if "[" in text else ()


class Expression(Mechanic, id="methuen/expression"):
    """Work out an Expression: dice, resources, whole numbers and arithmetic. It is never below 0."""

    expression: Notation = param(
        example="(2d6 + [Intelligence]) * 2 - [Target Defense] + 5", help="dice and arithmetic"
    )
    actor: Resources = _resources("Intelligence=4", "whoever acts")
    target: Resources = _resources("Defense=12", "the target")

    class Result(Outcome):
        total: int = fact(help="the value, 0 when it would be negative")
        raw: int = fact(help="the value before that")

        def __str__(self) -> str:
            wording = self.rule.wording if isinstance(self.rule, Expression) else None
            return super().__str__() if wording is None else wording.text(self.dice)

    def validate(self) -> None:
        try:
            _ = self.tree, self.values
        except DiceError as error:
            error.parameter = error.parameter or "expression"
            raise

    @cached_property
    def tree(self) -> Node:
        """The Expression, read."""
        return parse_expression(self.expression)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The values of its references, in their order (M70)."""
        return _values(self.expression, self.tree, self.actor, self.target)

    @cached_property
    def run(self) -> Run:
        """The Expression, ready to be rolled."""
        return compiled(self.tree, ARITHMETIC)

    @cached_property
    def wording(self) -> Wording | None:
        """The worked text with gaps for what the dice show, where there is such a text."""
        return wording(self.tree, self.values, ARITHMETIC)

    def resolve(self, dice: Dice, say: Say) -> Result:
        raw = tell(say, self.tree, self.values, dice, ARITHMETIC) if say else self.run(dice, self.values)
        return self.Result(ARITHMETIC.clamp(raw), raw)

    def distribution(self, *facts: str) -> Distribution:
        from dicedocs.expression.odds import clamped, counted

        raw = counted(self.tree, self.values, ARITHMETIC)
        if "raw" not in facts:
            return clamped(raw, ARITHMETIC).named("total")
        return raw.map(lambda value: (ARITHMETIC.clamp(value), value)).named("total", "raw").marginal(*facts)


class Check(Mechanic, id="methuen/check"):
    """Make a Check: compare two Expressions, each never below 0. It holds or it does not."""

    check: Notation = param(example="1d20 + [Attack] >= [Target Defense]", help="two Expressions and a comparison")
    actor: Resources = _resources("Attack=6", "whoever acts")
    target: Resources = _resources("Defense=12", "the target")

    class Result(Outcome):
        success: bool = fact(help="whether the comparison holds")
        left: int = fact(help="the value of the left Expression")
        right: int = fact(help="the value of the right Expression")

    def validate(self) -> None:
        try:
            _ = self.tree, self.values
        except DiceError as error:
            error.parameter = error.parameter or "check"
            raise

    @cached_property
    def tree(self) -> CheckTree:
        """The Check, read."""
        return parse_check(self.check)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The values of its references, in their order (M70)."""
        return _values(self.check, self.tree, self.actor, self.target)

    @cached_property
    def run(self) -> RunBoth:
        """The Check, ready to be rolled."""
        return compiled(self.tree, ARITHMETIC)

    def resolve(self, dice: Dice, say: Say) -> Result:
        raw = tell(say, self.tree, self.values, dice, ARITHMETIC) if say else self.run(dice, self.values)
        left, right = map(ARITHMETIC.clamp, raw)
        return self.Result(say.compare("Check", left, self.tree.op, right), left, right)

    def distribution(self, *facts: str) -> Distribution:
        from dicedocs.expression.odds import clamped, counted_both

        left, right = (clamped(raw, ARITHMETIC) for raw in counted_both(self.tree, self.values, ARITHMETIC))
        alone = {"left": left, "right": right}
        if len(facts) == 1:
            only = facts[0]
            return (alone[only] if only in alone else left.compare(right, self.tree.op)).named(only)
        holds = COMPARISONS[self.tree.op]
        both = left.combine(right, lambda one, two: (holds(one, two), one, two))
        return both.named("success", "left", "right").marginal(*facts)
