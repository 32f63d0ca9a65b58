"""The roles: a computed fact, a link to a block, a roll or a probability in the middle of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from docutils import nodes
from docutils.nodes import Element, Node, system_message
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxRole

from dicedocs import DiceError, Example, Mechanic
from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds
from dicedocs.render.numbers import local_figure, percent
from dicedocs.render.text import inline_roll
from dicedocs.rules.registry import CHECK, ROLL, mechanic
from dicedocs_sphinx.blocks.example import ExampleBlock, seed_value
from dicedocs_sphinx.blocks.odds import ChartBlock
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.containment import contained, problem_of
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.nodes import NOTATION, STATEMENT, UNKNOWN, dice_fact, dice_track, value_node
from dicedocs_sphinx.source_locations import role_location
from dicedocs_sphinx.statements import Inline, State, issue

if TYPE_CHECKING:
    from dicedocs_sphinx.book.domain import DiceDomain


_FACES: Final = re.compile(r"dice\s+(?P<faces>\S.*)", re.DOTALL)
_NUMBERS: Final = re.compile(r"-?[0-9]+([\s,]+-?[0-9]+)+")
"""Several numbers: they look like faces, and would be taken for a seed."""


class FactRole(SphinxRole):
    """A fact of an example, or a value of a character, which is filled in when the page is complete."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        node = dice_fact(self.rawtext, UNKNOWN, path=" ".join(self.text.split()))
        self.set_source_info(node)
        return [node], []


class TrackRole(SphinxRole):
    """A track of a scene, or a value of a character in it, which is drawn as it is at its place."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        node = dice_track(self.rawtext, UNKNOWN, path=" ".join(self.text.split()))
        self.set_source_info(node)
        return [node], []


class RefRole(XRefRole):
    """A link to a block."""

    def __init__(self) -> None:
        super().__init__(innernodeclass=nodes.inline, warn_dangling=True)

    def process_link(
        self, env: BuildEnvironment, refnode: Element, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        target = " ".join(target.split())
        refnode["written"] = self.text
        return title, target


class _ComputedRole(SphinxRole):
    """A role whose text is played or computed at once."""

    role: ClassVar[str]

    def replace(
        self, kind: str, mechanic: str, css_class: str, compute: Callable[[], str]
    ) -> tuple[list[Node], list[system_message]]:
        """Return the computed text, or report what is wrong; the kind is that of a block that computes the same."""
        domain: DiceDomain = self.env.domains["dice"]  # type: ignore[assignment]
        domain.note_code(self.env.docname, kind, mechanic)
        source, line = role_location(*self.get_source_info(), self.text)
        state, issues = State.COMPUTED, []
        try:
            with contained(self.env.config.dicedocs_seconds), book_language(self.env):
                node = value_node(compute(), css_class)
        except DiceError as error:
            state, issues = State.FAILED, [issue(problem_of(error, Problem.VALUE), f"{self.text}: {error}", line=line)]
            node = value_node(f"{UNKNOWN} ({self.text})", css_class, "dice-error")
        words = " ".join(self.text.split())
        node[STATEMENT] = Inline(
            label=f"{self.role} {words}",
            source=source,
            line=line,
            issues=issues,
            state=state.value,
            role=self.role,
            shown=node.astext(),
        ).data()
        return [node], []


class OddsRole(_ComputedRole):
    """The probability that a Check succeeds."""

    role = "odds"

    def run(self) -> tuple[list[Node], list[system_message]]:
        return self.replace(ChartBlock.kind, CHECK, "dice-chance", self._chance)

    def _chance(self) -> str:
        rule = mechanic(CHECK)(check=self.text.strip())
        _raise_doubt(rule)
        return local_figure(percent(run_to_end(verified_odds(rule)).p(True)))


class RollRole(_ComputedRole):
    """A roll: a notation, ``@``, and a seed or, after the word ``dice``, faces."""

    role = "roll"

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Return the total, and in brackets the notation with the faces."""
        written, messages = self.replace(ExampleBlock.kind, ROLL, "dice-roll", self._play)
        notation, decided = self._parts()
        # Without a seed or faces there are no dice.
        if decided and isinstance(written[0], nodes.Element) and "dice-error" not in written[0]["classes"]:
            written[0][NOTATION] = notation
        return written, messages

    def _parts(self) -> tuple[str, str]:
        """Return the notation, and what decides its dice, which is empty if nothing does."""
        notation, at, decided = (part.strip() for part in self.text.rpartition("@"))
        return (notation, decided) if at else (decided, "")

    def _play(self) -> str:
        notation, decided = self._parts()
        _raise_doubt(mechanic(ROLL)(notation=notation))
        if faces := _FACES.fullmatch(decided):
            example = Example(ROLL, {"notation": notation}, dice=faces["faces"])
        elif _NUMBERS.fullmatch(decided):
            message = f"{quoted(decided)} could be a seed or faces"
            hint = f"write {notation} @ dice {decided} for faces, or a seed without spaces"
            raise ParameterError(message, hint=hint)
        elif decided or "@" in self.text:
            example = Example(ROLL, {"notation": notation}, seed_value(decided))
        else:
            example = Example(ROLL, {"notation": notation})
        try:
            return inline_roll(notation, example.play())
        except DiceError as error:
            if "no dice are given" in error.message:
                error.hint = f"write {notation} @ and a seed"
            raise


def _raise_doubt(rule: Mechanic) -> None:
    """Raise an error where the author of a notation may not have meant what it says."""
    doubt = rule.doubt()
    if doubt is not None:
        raise doubt
