"""The roles: a computed fact, a link to an example, a roll or a chance in the middle of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxRole

from dicedocs import DiceError, Example, Outcome, odds
from dicedocs.render.numbers import percent
from dicedocs.render.words import clean, prose
from dicedocs.rules.kinds import as_text
from dicedocs.rules.playing import CHECK, EXPRESSION
from dicedocs_sphinx.character import Character, value_of
from dicedocs_sphinx.counted import Counted, figure_text, has_figure
from dicedocs_sphinx.nodes import dice_fact
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.ruled import engine_message, is_mismatch
from dicedocs_sphinx.worked import number_or_text

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


class OddsRole(SphinxRole):
    """The chance that a Check succeeds."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Give the chance as a percentage."""
        domain = self.env.domains["dice"]
        domain.note(self.env.docname, mechanic=CHECK)  # type: ignore[attr-defined]
        notation = self.text.strip()
        try:
            chance = odds(CHECK, check=notation).p(True)
        except DiceError as error:
            message, problem = str(error), Problem.VALUE
        except Exception as error:  # noqa: BLE001  # a fault of the rule is told, and the build goes on
            message, problem = engine_message(error), Problem.ENGINE
        else:
            return [computed(percent(chance), "dice-chance")], []
        place = role_place(*self.get_source_info(), self.text)
        domain.report(self.env.docname, problem, f"{self.text}: {message}", *place)  # type: ignore[attr-defined]
        return [computed(f"{UNKNOWN} ({self.text})", "dice-chance", "dice-error")], []


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


def held_text(holder: Outcome | Character | Counted, path: str) -> str:
    """Give a fact of an outcome, a value of a character or a figure of what is counted, as prose has it.

    Raises:
        DiceError: there is nothing of that name.
    """
    if isinstance(holder, Outcome):
        return prose(holder.look_up(path))
    if "sort" in holder:
        return UNKNOWN if holder["wrong"] and not all(map(is_mismatch, holder["wrong"])) else figure_text(holder, path)
    return UNKNOWN if holder["values"] is None else prose(value_of(holder, path))


def has(holder: Outcome | Counted, path: str) -> bool:
    """Tell whether an outcome knows a fact or a parameter, or whether it is a figure of what is counted."""
    if not isinstance(holder, Outcome):
        return has_figure(path)
    try:
        holder.look_up(path.partition(".")[0])
    except DiceError:
        return False
    return True
