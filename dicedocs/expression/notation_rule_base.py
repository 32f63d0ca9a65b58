"""What the mechanics of the notation have in common, those of the core and those of a game with rules of its own."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from dicedocs.errors import DiceError
from dicedocs.expression.mistakes import Dialect
from dicedocs.expression.references import resolve_references
from dicedocs.expression.told_text import ToldText
from dicedocs.expression.tree import Tree
from dicedocs.expression.worked_text import WorkedText
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import param
from dicedocs.rules.resources import Resources


def resources(example: str, whose: str) -> Resources:
    """Return the field of the resources that a notation reads.

    Parameters:
        example: the resources of the example.
        whose: who has them, in words.
    """
    return param(default=Resources(), example=example, help=f"what {whose} has: the [Names] in the text")


class NotationRule(Mechanic):
    """A rule that evaluates a text in the notation, with the resources of an actor and a target."""

    text_parameter: ClassVar[str]
    """The name of the parameter that holds the text."""
    dialect: ClassVar[Dialect] = "plain"
    """What the text may have."""

    if TYPE_CHECKING:  # each rule declares its own, after its text
        actor: Resources
        target: Resources

    def validate(self) -> None:
        try:
            _ = self.values
        except DiceError as error:
            error.parameter = error.parameter or self.text_parameter
            raise

    @cached_property
    def tree(self) -> Tree:
        """The syntax tree of the text."""
        raise NotImplementedError

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The values of the references, in their order; a target without resources is no target."""
        tree = self.tree
        # Most texts have no reference, and finding no bracket is faster than walking the tree.
        text = getattr(self, self.text_parameter)
        return resolve_references(tree, self.actor, self.target or None, text, self.dialect) if "[" in text else ()

    @cached_property
    def worked_text(self) -> WorkedText | ToldText | None:
        """The worked text for any faces; ``None`` where it is rendered from the steps of each roll."""
        return None


class NotationOutcome(Outcome):
    """The outcome of a text whose working is known, but for the faces, before it is rolled."""

    def __str__(self) -> str:
        rule = self.rule
        template = rule.worked_text if isinstance(rule, NotationRule) else None
        if template is not None:
            try:
                text = template.fill(self.dice)
            except RuntimeError:
                text = None  # played by another rule, which has its dice
            if text is not None:
                return text
        return super().__str__()
