"""The roles: a computed fact, a link to an example, a roll in the middle of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxRole

from dicedocs import DiceError, Example, Outcome
from dicedocs.kinds import as_text
from dicedocs.playing import EXPRESSION
from dicedocs.render.words import clean, prose
from dicedocs_sphinx.character import Character, value_of
from dicedocs_sphinx.nodes import dice_fact
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.worked import engine_message, number_or_text

if TYPE_CHECKING:
    from docutils.nodes import Element, Node, system_message
    from sphinx.environment import BuildEnvironment

UNKNOWN: Final = "?"
"""What stands for a value that cannot be computed."""
_FACES: Final = 20
"""Faces that a roll in a sentence shows."""


class FactRole(SphinxRole):
    """A fact of an example, or a value of a character: only its place, which is filled when the page is whole."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Give the place of the value."""
        node = dice_fact(self.rawtext, UNKNOWN, path=" ".join(self.text.split()))
        self.set_source_info(node)
        return [node], []


class RefRole(XRefRole):
    """A link to an example or a character."""

    def __init__(self) -> None:
        super().__init__(innernodeclass=nodes.inline, warn_dangling=True)

    def process_link(
        self, env: BuildEnvironment, refnode: Element, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        """Note what the page takes from elsewhere."""
        target = " ".join(target.split())
        refnode["written"] = self.text
        env.domains["dice"].note(env.docname, use=target)  # type: ignore[attr-defined]
        return title, target


class RollRole(SphinxRole):
    """A roll: an Expression, ``@``, a seed."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Give the total, and in brackets the notation with the faces."""
        domain = self.env.domains["dice"]
        domain.note(self.env.docname, mechanic=EXPRESSION)  # type: ignore[attr-defined]
        notation, at, seed = (part.strip() for part in self.text.rpartition("@"))
        if not at:
            notation, seed = seed, ""
        example = Example(EXPRESSION, {"expression": notation}, number_or_text(seed) if at else None)
        try:
            text = said(notation, example.play())
        except DiceError as error:
            message = str(error)
            if not at:
                message = f"{message.partition(';')[0]}; write {notation} @ and a seed" if _thrown(error) else message
            problem = Problem.VALUE
        except Exception as error:  # noqa: BLE001  # a fault of the rule is told, and the build goes on
            message, problem = engine_message(error), Problem.ENGINE
        else:
            return [computed(text, "dice-roll")], []
        place = role_place(*self.get_source_info(), self.text)
        domain.report(self.env.docname, problem, f"{self.text}: {message}", *place)  # type: ignore[attr-defined]
        return [computed(f"{UNKNOWN} ({self.text})", "dice-roll", "dice-error")], []


def _thrown(error: DiceError) -> bool:
    return "no dice are given" in error.message


def said(notation: str, outcome: Outcome) -> str:
    """Give a roll as a sentence has it: ``11 (3d6: 4, 2, 5)``."""
    faces = ", ".join(map(str, outcome.dice[:_FACES])) + (", …" if len(outcome.dice) > _FACES else "")
    return f"{as_text(outcome.value)} ({notation}{f': {faces}' if faces else ''})"


def computed(text: str, *classes: str) -> nodes.inline:
    """Give a computed value, which no typographer changes."""
    return nodes.inline("", clean(text), classes=list(classes), support_smartquotes=False)


def held_text(holder: Outcome | Character, path: str) -> str:
    """Give a fact of an outcome, or a value of a character, as prose has it.

    Raises:
        DiceError: there is nothing of that name.
    """
    if isinstance(holder, Outcome):
        return prose(holder.look_up(path))
    return UNKNOWN if holder["values"] is None else prose(value_of(holder, path))


def has(outcome: Outcome, name: str) -> bool:
    """Tell whether an outcome knows a name: of a fact, or of a parameter."""
    try:
        outcome.look_up(name)
    except DiceError:
        return False
    return True
