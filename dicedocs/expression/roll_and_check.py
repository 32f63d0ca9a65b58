"""The mechanics of the notation that everybody types: ``dice/roll`` and ``dice/check``."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from dicedocs.expression.first_dice import NotationOutcome
from dicedocs.expression.notation_rule import REFERENCES, NotationRule, needed, resources
from dicedocs.expression.roll import Roller
from dicedocs.rules.dice import Dice
from dicedocs.rules.notation_kind import NotationKind, Snippet
from dicedocs.rules.outcome import fact
from dicedocs.rules.params import param
from dicedocs.rules.resources import Resources
from dicedocs.rules.steps import Say
from dicedocs.syntax.modifiers import MODIFIERS, CriticalFailure, CriticalSuccess, Failure, Success
from dicedocs.syntax.parser import parse_check, parse_expression, split_comment
from dicedocs.syntax.tree import Compared, Node
from dicedocs.translation import mark

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

_D20: Final = r"(?<![0-9])(?:1?d20|2d20k[hl]1)(?![0-9])"
SNIPPETS: Final = (
    Snippet("2d20kh1", mark("advantage"), _D20),
    Snippet("2d20kl1", mark("disadvantage"), _D20),
    *chain.from_iterable(each.snippets for each in MODIFIERS),
)
"""What a form offers beside the text."""
DiceNotation: TypeAlias = Annotated[str, NotationKind(SNIPPETS, REFERENCES)]


class Roll(NotationRule, id="dice/roll"):
    """Roll dice as they are written: 4d6kh3, 2d20kl1 + 5, 8d10!, 5d10>=8, 4dF, with [Resources] and arithmetic."""

    text_parameter = "notation"
    dialect = "notation"

    notation: DiceNotation = param(example="4d6kh3 + [Strength]", help="dice and arithmetic")
    actor: Resources = resources("Strength=4", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(NotationOutcome):
        total: int = fact(help="the result: a sum, or the successes less failures, where they are counted")
        successes: int | None = fact(help="the dice that succeed, where successes are counted")
        failures: int | None = fact(help="the dice that fail, where failures are counted")
        critical_successes: int | None = fact(help="the dice marked as critical successes, where any can be")
        critical_failures: int | None = fact(help="the dice marked as critical failures, where any can be")
        labels: Resources | None = fact(help="the sum of what has each label, where anything has one")
        kept: tuple[int, ...] | None = fact(help="what each die that is kept counts, where dice have modifiers")
        members: tuple[int, ...] | None = fact(help="the value of each member of a set, where there is one")

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

    def resolve(self, dice: Dice, say: Say) -> Result:
        if say and self.comment:
            say.fact("Comment", self.comment)
        roller = Roller(dice, say)
        (total,) = roller.roll(self.substituted, self.tree)
        notes, count = roller.notes, roller.notes.counts.get
        return self.Result(
            total,
            count(Success.fact),
            count(Failure.fact),
            count(CriticalSuccess.fact),
            count(CriticalFailure.fact),
            Resources(notes.labels) if notes.labels else None,
            notes.kept,
            notes.members,
        )

    def distribution(self, *facts: str) -> Distribution | None:
        from dicedocs.expression.count_odds import COUNTED, count_distribution
        from dicedocs.expression.odds import tree_distribution
        from dicedocs.expression.pool_odds import NotCountedError

        try:
            match facts:
                case ("total",):
                    return tree_distribution(self.substituted).named("total")
                case (fact,) if fact in COUNTED:
                    return count_distribution(self.substituted, fact)
        except NotCountedError:
            pass
        return None


class Check(NotationRule, id="dice/check"):
    """Compare two values: 1d20 + [Attack] >= [Target Defense]. It holds or it does not."""

    text_parameter = "check"
    dialect = "notation"

    check: DiceNotation = param(example="1d20 + [Attack] >= [Target Defense]", help="two values and a comparison")
    actor: Resources = resources("Attack=6", "whoever acts")
    target: Resources = resources("Defense=12", "the target")

    class Result(NotationOutcome):
        success: bool = fact(help="whether the comparison holds", verdict=True)
        left: int = fact(help="the value of the left side", against="right", needed=needed)
        right: int = fact(help="the value of the right side")

    @cached_property
    def tree(self) -> Compared:
        """The syntax tree of the check."""
        return parse_check(self.check, "notation")

    def resolve(self, dice: Dice, say: Say) -> Result:
        left, right = Roller(dice, say).roll(self.substituted, self.tree)
        return self.Result(say.compare("Check", left, self.tree.op, right), left, right)

    def distribution(self, *facts: str) -> Distribution | None:
        from dicedocs.expression.odds import comparison_distribution, side_distributions
        from dicedocs.expression.pool_odds import NotCountedError

        try:
            left, right = side_distributions(self.substituted)
        except NotCountedError:
            return None
        return comparison_distribution(left, right, self.tree.op, facts)
