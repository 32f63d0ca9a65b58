"""Rolls and probabilities in the middle of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from docutils import nodes

from dicedocs import DiceError, Example, Mechanic
from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds
from dicedocs.render.numbers import local_figure, percent
from dicedocs.render.text import inline_roll
from dicedocs.rules.registry import CHECK, ROLL, mechanic
from dicedocs_sphinx.blocks.example import ExampleBlock, seed_value
from dicedocs_sphinx.blocks.named_values import KnownValues, Slot, read_slot
from dicedocs_sphinx.blocks.odds import ChartBlock
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.game_code import contained, problem_of
from dicedocs_sphinx.nodes import NOTATION, UNKNOWN, value_node
from dicedocs_sphinx.statements import Inline, Issue, State, issue

_FACES: Final = re.compile(r"dice\s+(?P<faces>\S.*)", re.DOTALL)
_NAME: Final = re.compile(r"(?<![\w.])[^\W\d]")
"""What a name may begin with."""
_NUMBERS: Final = re.compile(r"-?[0-9]+([\s,]+-?[0-9]+)+")
"""Several numbers: they look like faces, and would be taken for a seed."""


class InlineDice(NamedTuple):
    """What a role computes from a notation.

    Parameters:
        kind: the kind of a block that computes the same.
        mechanic: the id of the mechanic.
        parameter: its parameter that has the notation.
        css_class: the class of the computed text.
        shown: returns that text, given the one in the role.
    """

    kind: str
    mechanic: str
    parameter: str
    css_class: str
    shown: Callable[[str], str]

    def may_refer(self, text: str) -> bool:
        """Return whether values of a scene may stand in the notation of a text."""
        return _NAME.search(parts(text)[0]) is not None

    def with_values(self, text: str, values: KnownValues) -> str:
        """Return a text with values in place of references.

        Raises:
            ParameterError: a reference stands for nothing.
        """
        notation, decided = parts(text)
        reading = read_slot(self._slot(notation), "", values)
        for each in reading.issues:
            raise ParameterError(each["message"].removeprefix(f"{self.parameter}: "))
        return f"{reading.text} @ {decided}" if "@" in text else reading.text

    def rolled(self, text: str) -> str:
        """Return the notation that a reader may roll again; empty without a seed or faces, as there are no dice."""
        notation, decided = parts(text)
        return notation if self.mechanic == ROLL and decided else ""

    def _slot(self, notation: str) -> Slot:
        return Slot(self.parameter, notation, mechanic(self.mechanic).parameters()[self.parameter].kind)


def parts(text: str) -> tuple[str, str]:
    """Return the notation of a roll, and what decides its dice, which is empty if nothing does.

    >>> parts("3d6 @ dice 4 2 5"), parts("3 * 4")
    (('3d6', 'dice 4 2 5'), ('3 * 4', ''))
    """
    notation, at, decided = (part.strip() for part in text.rpartition("@"))
    return (notation, decided) if at else (decided, "")


def compute_inline(role: str, text: str, source: str, line: int, seconds: float) -> tuple[nodes.TextElement, Inline]:
    """Return what a role computes as a node, and as a statement, which says what is wrong.

    Parameters:
        role: one of :data:`INLINE_DICE`.
        text: the text in the role.
        source, line: where it stands.
        seconds: how long it may take.
    """
    dice, words, state, issues = INLINE_DICE[role], " ".join(text.split()), State.COMPUTED, list[Issue]()
    try:
        with contained(seconds):
            node = value_node(dice.shown(text), dice.css_class)
        node[NOTATION] = dice.rolled(text)
    except DiceError as error:
        state, issues = State.FAILED, [issue(problem_of(error, Problem.VALUE), f"{text}: {error}", line=line)]
        node = value_node(f"{UNKNOWN} ({text})", dice.css_class, "dice-error")
    label = f"{role} {words}"
    return node, Inline(
        label=label, source=source, line=line, issues=issues, state=state.value, role=role, shown=node.astext()
    )


def _chance(text: str) -> str:
    """Return the probability that a check succeeds."""
    rule = mechanic(CHECK)(check=text.strip())
    _raise_doubt(rule)
    return local_figure(percent(run_to_end(verified_odds(rule)).p(True)))


def _roll(text: str) -> str:
    """Return the total of a roll, and in brackets the notation with the faces."""
    notation, decided = parts(text)
    _raise_doubt(mechanic(ROLL)(notation=notation))
    if faces := _FACES.fullmatch(decided):
        example = Example(ROLL, {"notation": notation}, dice=faces["faces"])
    elif _NUMBERS.fullmatch(decided):
        message = f"{quoted(decided)} could be a seed or faces"
        hint = f"write {notation} @ dice {decided} for faces, or a seed without spaces"
        raise ParameterError(message, hint=hint)
    elif decided or "@" in text:
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


INLINE_DICE: Final[Mapping[str, InlineDice]] = {
    "odds": InlineDice(ChartBlock.kind, CHECK, "check", "dice-chance", _chance),
    "roll": InlineDice(ExampleBlock.kind, ROLL, "notation", "dice-roll", _roll),
}
"""The roles that compute something from a notation."""
