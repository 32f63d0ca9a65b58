"""What the mechanics of the notation have in common, those of the core and those of a game with rules of its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, TypeAlias

from dicedocs.errors import DiceError
from dicedocs.expression.references import substitute
from dicedocs.expression.repeated_throws import repeated_throw
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import param
from dicedocs.rules.resources import Resources
from dicedocs.rules.steps import Comparison
from dicedocs.syntax.mistakes import Dialect
from dicedocs.syntax.tree import Node
from dicedocs.translation import mark

REFERENCES: Final[Mapping[str, str]] = {"actor": "[{name}]", "target": "[Target {name}]"}
"""How a notation names a resource, by the parameter that holds it."""
NamingNotation: TypeAlias = Annotated[str, NotationKind(references=REFERENCES)]
"""A notation with the resources of an actor and a target."""


def resources(example: str, whose: str) -> Resources:
    """Return the field of the resources that a notation reads.

    Parameters:
        example: the resources of the example.
        whose: who has them, in words.
    """
    return param(default=Resources(), example=example, help=f"the resources of {whose}, for the [Names] in the text")


_NEEDED: Final[Mapping[Comparison, str]] = {
    "<=": mark("needed {target} or less"),
    "<": mark("needed less than {target}"),
    ">": mark("needed more than {target}"),
    "=": mark("needed exactly {target}"),
    "!=": mark("needed anything but {target}"),
}
"""What the left side of a check has to be; where it has to reach the right one, that goes without saying."""


def needed(check: Outcome) -> str:
    """Return what the left side of a check had to be."""
    return _NEEDED.get(check.rule.tree.op, "")


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
            _ = self.substituted
        except DiceError as error:
            error.parameter = error.parameter or self.text_parameter
            raise

    def doubt(self) -> DiceError | None:
        error = repeated_throw(self.tree, getattr(self, self.text_parameter))
        if error is not None:
            error.parameter = self.text_parameter
        return error

    @cached_property
    def tree(self) -> Node:
        """The syntax tree of the text."""
        raise NotImplementedError

    @cached_property
    def substituted(self) -> Node:
        """The tree with the values of its references; a target without resources is no target."""
        return substitute(self.tree, self.actor, self.target or None, getattr(self, self.text_parameter))
