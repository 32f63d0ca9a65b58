"""The mechanics of the notation that everybody types: ``dice/roll`` and ``dice/check``."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from dicedocs.expression.evaluator import (
    Arithmetic,
    CompiledCheck,
    CompiledExpression,
    compile_full_tree,
    compile_tree,
)
from dicedocs.expression.modifiers import CRITICAL_FAILURES, CRITICAL_SUCCESSES, FAILURES, SUCCESSES
from dicedocs.expression.notation_rule_base import NotationOutcome, NotationRule, resources
from dicedocs.expression.parser import parse_check, parse_expression, split_comment
from dicedocs.expression.played_dice import PlayedDice
from dicedocs.expression.stages import record_stages
from dicedocs.expression.told_text import ToldText
from dicedocs.expression.tree import CheckTree, Node, plain
from dicedocs.expression.worked_text import WorkedText, worked_text
from dicedocs.rules.dice import Dice
from dicedocs.rules.notation_kind import NotationKind, Snippet
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.params import param
from dicedocs.rules.resources import Resources
from dicedocs.rules.steps import Say
from dicedocs.translation import mark

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

_CACHE_SIZE: Final = 1024
ARITHMETIC: Final = Arithmetic(lowest=None, by_zero=None)
"""Totals may be negative, and a division by zero is an error."""


_D20: Final = r"(?<![0-9])(?:1?d20|2d20k[hl]1)(?![0-9])"
SNIPPETS: Final = (
    Snippet("2d20kh1", mark("advantage"), _D20),
    Snippet("2d20kl1", mark("disadvantage"), _D20),
    Snippet("kh3", mark("keep the highest 3")),
    Snippet("dl1", mark("drop the lowest")),
    Snippet("!", mark("explode on the highest face")),
    Snippet("r1", mark("throw each 1 again")),
    Snippet(">=8", mark("count the dice that show 8 or more")),
)
"""What a form offers beside the text."""
DiceNotation: TypeAlias = Annotated[str, NotationKind(SNIPPETS, {"actor": "[{name}]", "target": "[Target {name}]"})]


@lru_cache(_CACHE_SIZE)
def _compiled_roll(text: str, *, told: bool = False) -> CompiledExpression:
    return compile_full_tree(parse_expression(text, "notation"), ARITHMETIC, told=told)


@lru_cache(_CACHE_SIZE)
def _compiled_check(text: str, *, told: bool = False) -> CompiledCheck:
    return compile_full_tree(parse_check(text, "notation"), ARITHMETIC, told=told)


class Roll(NotationRule, id="dice/roll"):
    """Roll dice as they are written: 4d6kh3, 2d20kl1 + 5, 8d10!, 5d10>=8, 4dF, with [Resources] and arithmetic."""

    text_parameter = "notation"
    dialect = "notation"

    notation: DiceNotation = param(example="4d6kh3 + [Strength]", help="dice and arithmetic")
    actor: Resources = resources("Strength=4", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(NotationOutcome):
        total: int = fact(help="what the notation comes to; the successes, less failures, where it counts them")
        successes: int | None = fact(help="the dice that succeed, where successes are counted")
        failures: int | None = fact(help="the dice that fail, where failures are counted")
        critical_successes: int | None = fact(help="the dice marked as critical successes, where any can be")
        critical_failures: int | None = fact(help="the dice marked as critical failures, where any can be")
        labels: Resources | None = fact(help="the sum of what has each label, where anything has one")
        kept: tuple[int, ...] | None = fact(help="what each die that is kept counts, where dice have modifiers")

        def facts(self, *names: str) -> str:
            """Return facts as text; by default those that this roll has, since most count nothing."""
            return super().facts(*(names or [name for name in self.facts_of if self.fact(name) is not None]))

    @cached_property
    def tree(self) -> Node:
        """The syntax tree of the notation."""
        return parse_expression(self.notation, "notation")

    @cached_property
    def comment(self) -> str:
        """The comment at the end of the notation; may be empty."""
        return split_comment(self.notation)[1]

    @cached_property
    def plain(self) -> bool:
        """Whether the dice are only added up, in stages that are recorded; in any other notation they are noted."""
        return plain(self.tree)

    @cached_property
    def run(self) -> CompiledExpression:
        """The function that rolls the notation."""
        return compile_tree(self.tree, ARITHMETIC) if self.plain else _compiled_roll(self.notation)

    @cached_property
    def worked_text(self) -> WorkedText | ToldText | None:
        """The worked text for any faces; ``None`` where it is rendered from the steps of each roll."""
        if self.comment:
            return None
        if not self.plain:
            return ToldText(_compiled_roll(self.notation, told=True), self.values)
        return None if self.values else worked_text(self.tree, ARITHMETIC)

    def resolve(self, dice: Dice, say: Say) -> Result:
        if say and self.comment:
            say.fact("Comment", self.comment)
        if self.plain:
            run = self.run
            total = record_stages(say, self.tree, self.values, dice, ARITHMETIC) if say else run(dice, self.values)
            return self.Result(total, None, None, None, None, None, None)
        played = PlayedDice(dice, say)
        run = _compiled_roll(self.notation, told=True) if say else self.run
        total = run(played, self.values)
        count, kept = played.counts.get, played.kept
        return self.Result(
            total,
            count(SUCCESSES),
            count(FAILURES),
            count(CRITICAL_SUCCESSES),
            count(CRITICAL_FAILURES),
            Resources(played.labelled) if played.labelled else None,
            None if kept is None else tuple(kept),
        )

    def distribution(self, *facts: str) -> Distribution | None:
        from dicedocs.expression.odds import NotCountedError, expression_distribution, fact_distribution

        if len(facts) > 1:
            return None
        try:
            if facts == ("total",):
                return expression_distribution(self.tree, self.values, ARITHMETIC).named("total")
            return fact_distribution(self.tree, self.values, ARITHMETIC, facts[0])
        except NotCountedError:
            return None


class Check(NotationRule, id="dice/check"):
    """Compare two values: 1d20 + [Attack] >= [Target Defense]. It holds or it does not."""

    text_parameter = "check"
    dialect = "notation"

    check: DiceNotation = param(example="1d20 + [Attack] >= [Target Defense]", help="two values and a comparison")
    actor: Resources = resources("Attack=6", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(Outcome):
        success: bool = fact(help="whether the comparison holds", verdict=True)
        left: int = fact(help="the value of the left side", against="right")
        right: int = fact(help="the value of the right side")

    @cached_property
    def tree(self) -> CheckTree:
        """The syntax tree of the check."""
        return parse_check(self.check, "notation")

    @cached_property
    def plain(self) -> bool:
        """Whether the dice are only added up, in stages that are recorded; in any other check they are noted."""
        return plain(self.tree)

    @cached_property
    def run(self) -> CompiledCheck:
        """The function that rolls both sides."""
        return compile_tree(self.tree, ARITHMETIC) if self.plain else _compiled_check(self.check)

    def resolve(self, dice: Dice, say: Say) -> Result:
        tree = self.tree
        if self.plain:
            values, run = self.values, self.run
            left, right = record_stages(say, tree, values, dice, ARITHMETIC) if say else run(dice, values)
        else:
            run = _compiled_check(self.check, told=True) if say else self.run
            left, right = run(PlayedDice(dice, say), self.values)
        return self.Result(say.compare("Check", left, tree.op, right), left, right)

    def distribution(self, *facts: str) -> Distribution | None:
        from dicedocs.expression.odds import NotCountedError, check_distributions, compared_distribution

        try:
            left, right = check_distributions(self.tree, self.values, ARITHMETIC)
        except NotCountedError:
            return None
        return compared_distribution(left, right, self.tree.op, facts)
