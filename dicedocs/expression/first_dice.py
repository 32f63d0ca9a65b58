"""The first dice of a notation, in which a natural 20 is seen."""

from __future__ import annotations

from typing import Any

from dicedocs.expression.roll import Roller
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.steps import SILENT
from dicedocs.syntax.tree import DiceTerm, Node, children, is_leaf, nodes


def first_dice(tree: Node) -> Node | None:
    """Return the first part of a tree that is thrown: dice, or a set with dice whose members are kept or counted.

    >>> from dicedocs.syntax.parser import parse_expression
    >>> from dicedocs.syntax.tree import format
    >>> format(first_dice(parse_expression("3 + 2d20kh1 + 1d6", "notation")))
    '2d20kh1'
    """
    if is_leaf(tree):
        return tree if any(isinstance(node, DiceTerm) for node in nodes(tree)) else None
    parts = (first_dice(child) for child in children(tree))
    return next((part for part in parts if part is not None), None)


class NotationOutcome(Outcome):
    """An outcome of a notation, whose first dice can be asked for their highest and their lowest.

    >>> import dicedocs as dd
    >>> attack = dd.check("2d20kh1 + 5 >= 12", dice=[7, 20])
    >>> attack.highest, attack.fact("lowest")
    (20, 20)
    """

    read_from_dice = (*Outcome.read_from_dice, "highest", "lowest")

    @property
    def highest(self) -> int | None:
        """The highest die that counts in the first term with dice; ``None`` where no die does."""
        return max(self._first_faces(), default=None)

    @property
    def lowest(self) -> int | None:
        """The lowest die that counts in the first term with dice; ``None`` where no die does."""
        return min(self._first_faces(), default=None)

    def _first_faces(self) -> tuple[int, ...]:
        rule: Any = self.rule
        roller = Roller(ScriptedDice(self.dice), SILENT, first_dice(rule.substituted))
        roller.roll(rule.substituted, rule.tree)
        return roller.notes.faces
