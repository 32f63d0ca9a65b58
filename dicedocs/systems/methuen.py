"""Methuen: Expressions, and Checks that compare two of them.

The notation that this game defines is part of the core (:mod:`dicedocs.expression`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from dicedocs import Dice, Mechanic, Notation, Outcome, Resources, Say, fact, param
from dicedocs.errors import DiceError
from dicedocs.expression.evaluator import Arithmetic, CompiledCheck, CompiledExpression, compile_tree
from dicedocs.expression.parser import parse_check, parse_expression
from dicedocs.expression.references import resolve_references
from dicedocs.expression.stages import record_stages
from dicedocs.expression.tree import CheckTree, Node, Tree
from dicedocs.expression.worked_text import WorkedText, worked_text

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

ARITHMETIC: Final = Arithmetic(lowest=0, by_zero=0)
"""A value is never below 0 (M64), and a zero divisor makes a quotient 0 (M55)."""


def _resources(example: str, whose: str) -> Resources:
    return param(default=Resources(), example=example, help=f"what {whose} has: the [Names] in the text")


class NotationRule(Mechanic):
    """A rule that evaluates a text in the notation, with the resources of an actor and a target."""

    notation: ClassVar[str]
    """The name of the parameter that holds the text."""

    if TYPE_CHECKING:  # each rule declares its own, after its text
        actor: Resources
        target: Resources

    def validate(self) -> None:
        try:
            _ = self.values
        except DiceError as error:
            error.parameter = error.parameter or self.notation
            raise

    @cached_property
    def tree(self) -> Tree:
        """The syntax tree of the text."""
        raise NotImplementedError

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The values of the references, in their order (M70); a target without resources is no target (DM6)."""
        tree = self.tree
        # Most texts have no reference, and finding no bracket is faster than walking the tree.
        text = getattr(self, self.notation)
        return resolve_references(tree, self.actor, self.target or None, text) if "[" in text else ()


class Expression(NotationRule, id="methuen/expression"):
    """Work out an Expression: dice, resources, whole numbers and arithmetic. It is never below 0."""

    notation = "expression"

    expression: Notation = param(
        example="(2d6 + [Intelligence]) * 2 - [Target Defense] + 5", help="dice and arithmetic"
    )
    actor: Resources = _resources("Intelligence=4", "whoever acts")
    target: Resources = _resources("Defense=12", "the target")

    class Result(Outcome):
        total: int = fact(help="the value, 0 when it would be negative")
        raw: int = fact(help="the value before that")

        def __str__(self) -> str:
            template = self.rule.worked_text if isinstance(self.rule, Expression) else None
            if template is not None:
                try:
                    return template.fill(self.dice)
                except RuntimeError:
                    pass  # played by another rule, which has its dice
            return super().__str__()

    @cached_property
    def tree(self) -> Node:
        """The syntax tree of the Expression."""
        return parse_expression(self.expression)

    @cached_property
    def run(self) -> CompiledExpression:
        """The function that rolls the Expression."""
        return compile_tree(self.tree, ARITHMETIC)

    @cached_property
    def worked_text(self) -> WorkedText | None:
        """The worked text for any faces; ``None`` where it is rendered from the steps of each roll."""
        # Only an Expression without references is kept from one roll to the next.
        return None if self.values else worked_text(self.tree, ARITHMETIC)

    def resolve(self, dice: Dice, say: Say) -> Result:
        raw = record_stages(say, self.tree, self.values, dice, ARITHMETIC) if say else self.run(dice, self.values)
        return self.Result(ARITHMETIC.clamp(raw), raw)

    def distribution(self, *facts: str) -> Distribution:
        from dicedocs.expression.odds import clamp_distribution, expression_distribution

        raw = expression_distribution(self.tree, self.values, ARITHMETIC)
        if "raw" not in facts:
            return clamp_distribution(raw, ARITHMETIC).named("total")
        return raw.map(lambda value: (ARITHMETIC.clamp(value), value)).named("total", "raw").marginal(*facts)


class Check(NotationRule, id="methuen/check"):
    """Make a Check: compare two Expressions, each never below 0. It holds or it does not."""

    notation = "check"

    check: Notation = param(example="1d20 + [Attack] >= [Target Defense]", help="two Expressions and a comparison")
    actor: Resources = _resources("Attack=6", "whoever acts")
    target: Resources = _resources("Defense=12", "the target")

    class Result(Outcome):
        success: bool = fact(help="whether the comparison holds")
        left: int = fact(help="the value of the left Expression")
        right: int = fact(help="the value of the right Expression")

    @cached_property
    def tree(self) -> CheckTree:
        """The syntax tree of the Check."""
        return parse_check(self.check)

    @cached_property
    def run(self) -> CompiledCheck:
        """The function that rolls both sides of the Check."""
        return compile_tree(self.tree, ARITHMETIC)

    def resolve(self, dice: Dice, say: Say) -> Result:
        raw = record_stages(say, self.tree, self.values, dice, ARITHMETIC) if say else self.run(dice, self.values)
        left, right = map(ARITHMETIC.clamp, raw)
        return self.Result(say.compare("Check", left, self.tree.op, right), left, right)

    def distribution(self, *facts: str) -> Distribution:
        from dicedocs.expression.odds import check_distributions, clamp_distribution

        sides = check_distributions(self.tree, self.values, ARITHMETIC)
        left, right = (clamp_distribution(raw, ARITHMETIC) for raw in sides)
        by_side = {"left": left, "right": right}
        if len(facts) == 1:
            only = facts[0]
            return (by_side[only] if only in by_side else left.compare(right, self.tree.op)).named(only)
        compare, op = Say().compare, self.tree.op
        both = left.combine(right, lambda one, two: (compare("Check", one, op, two), one, two))
        return both.named("success", "left", "right").marginal(*facts)
