"""Methuen: Expressions, and Checks that compare two of them.

The notation that this game defines is part of the core (:mod:`dicedocs.expression`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from dicedocs import Dice, Notation, Outcome, Resources, Say, fact, param
from dicedocs.expression.evaluator import Arithmetic, CompiledCheck, CompiledExpression, compile_tree
from dicedocs.expression.notation_rule_base import NotationOutcome, NotationRule, resources
from dicedocs.expression.parser import parse_check, parse_expression
from dicedocs.expression.stages import record_stages
from dicedocs.expression.tree import CheckTree, Node
from dicedocs.expression.worked_text import WorkedText, worked_text

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

ARITHMETIC: Final = Arithmetic(lowest=0, by_zero=0)
"""A value is never below 0 (M64), and a zero divisor makes a quotient 0 (M55)."""


class Expression(NotationRule, id="methuen/expression"):
    """Work out an Expression: dice, resources, whole numbers and arithmetic. It is never below 0."""

    text_parameter = "expression"

    expression: Notation = param(
        example="(2d6 + [Intelligence]) * 2 - [Target Defense] + 5", help="dice and arithmetic"
    )
    actor: Resources = resources("Intelligence=4", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(NotationOutcome):
        total: int = fact(help="the value, 0 when it would be negative")
        raw: int = fact(help="the value before that", repeats="total")

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

    text_parameter = "check"

    check: Notation = param(example="1d20 + [Attack] >= [Target Defense]", help="two Expressions and a comparison")
    actor: Resources = resources("Attack=6", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(Outcome):
        success: bool = fact(help="whether the comparison holds", verdict=True)
        left: int = fact(help="the value of the left Expression", against="right")
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
        from dicedocs.expression.odds import check_distributions, clamp_distribution, compared_distribution

        sides = check_distributions(self.tree, self.values, ARITHMETIC)
        left, right = (clamp_distribution(raw, ARITHMETIC) for raw in sides)
        return compared_distribution(left, right, self.tree.op, facts)
