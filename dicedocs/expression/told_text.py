"""The worked text of a notation with pools, told again from the faces of a roll.

Its lines are templates of what is rendered for the steps of other mechanics, each made when its first roll is shown.
Filling them takes a sixth of the time of recording and rendering the steps of each roll. There are templates in English
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from dicedocs.expression.evaluator import CompiledExpression
from dicedocs.expression.played_dice import PlayedDice
from dicedocs.expression.stages import TextTemplate
from dicedocs.render.text import rows
from dicedocs.render.words import MAX_ITEMS, clean, labelled
from dicedocs.rules.dice import Dice, Keep
from dicedocs.rules.record import Faces
from dicedocs.rules.steps import Operand, Operation, RecordingSay, Say
from dicedocs.translation import SOURCE_LANGUAGE, current_language, language

T = TypeVar("T")

_CACHE_SIZE: Final = 1024
_FIRST: Final = 10**15
"""The placeholder of the first number of a line."""
_PLACEHOLDER: Final = "1[0-9]{15}"


class ToldText(NamedTuple):
    """The worked text of an Expression with pools.

    Parameters:
        run: the compiled tree, which tells its working.
        values: the values of its references.
    """

    run: CompiledExpression
    values: tuple[int, ...]

    def fill(self, faces: Sequence[int]) -> str | None:
        """Return the worked text for faces in the order thrown.

        Returns:
            ``None`` where another language is displayed, or a sentence depends on the faces by more than its numbers.

        >>> from dicedocs.expression.evaluator import STANDARD, compile_full_tree
        >>> from dicedocs.expression.parser import parse_expression
        >>> run = compile_full_tree(parse_expression("4d6kh3", "notation"), STANDARD, told=True)
        >>> print(ToldText(run, ()).fill([5, 2, 6, 3]))
        Dice: 4d6: 5 2 6 3
        4d6kh3: 14 (5, 2 (dropped), 6, 3)
        """
        if current_language() is not None:
            return None
        say = _Lines()
        dice = _ThrownDice(faces, say)
        try:
            self.run(PlayedDice(dice, say), self.values)
        except _NoTemplateError:
            return None
        return "\n".join(say.lines) if dice.next == len(faces) and say.lines else None


class _NoTemplateError(Exception):
    """A sentence depends on the faces by more than its numbers, or these are not the faces of the roll."""


class _Lines(Say):
    """The working as lines of text."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __bool__(self) -> bool:
        return True

    def fact(self, label: str, value: T, *of: Any) -> T:
        line = _fact_line(label, tuple([state for state, _ in of]))
        numbers = (value, *[number for _, number in of])
        # Of many dice only the first are shown.
        self.lines.append(line.format % (numbers if len(of) <= MAX_ITEMS else numbers[: len(line.cells)]))
        return value

    def rewrite(self, label: str, before: str, after: str, *operations: Operation) -> str:
        if before != after:
            self.lines.append(_rewrite_line(label) % clean(after))
        return after


class _ThrownDice(Dice):
    """The faces of a roll, in the order thrown; each dice call is a line of the working."""

    __slots__ = ("_faces", "_say", "next")

    def __init__(self, faces: Sequence[int], say: _Lines) -> None:
        super().__init__()
        self.next = 0
        self._faces = faces
        self._say = say

    def each(self, *sides: int) -> Faces:
        faces = _ThrownFaces(self._following(len(sides)))
        self._say.lines.append(_throw_line(len(faces), sides[0]).format % faces)  # it shows every face, in order
        return faces

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        faces = self._following(count)
        total = sum(faces)
        self._say.lines.append(_throw_line(count, sides, "total").fill((*faces, total)))
        return total

    def _following(self, count: int) -> Sequence[int]:
        start, end = self.next, self.next + count
        if count > MAX_ITEMS or end > len(self._faces):
            raise _NoTemplateError
        self.next = end
        return self._faces[start:end]


class _ThrownFaces(Faces):
    """Faces that show numbers."""

    def show(self, texts: Sequence[str]) -> None:
        raise _NoTemplateError


@lru_cache(_CACHE_SIZE)
def _throw_line(count: int, sides: int, how: str = "") -> TextTemplate:
    """Return the line of a dice call, whose numbers are the faces and, where they are added up, the total."""
    say = RecordingSay()
    dice = [Operand(_FIRST + index, "", index + 1, sides) for index in range(count)]
    say.record_throw(dice, _FIRST + count if how else None, how)
    return _template(say)


@lru_cache(_CACHE_SIZE)
def _rewrite_line(label: str) -> str:
    """Return the line of a text that is rewritten, with ``%s`` in its place."""
    with language(SOURCE_LANGUAGE):
        return labelled(label, "%s")


@lru_cache(_CACHE_SIZE)
def _fact_line(label: str, states: tuple[str, ...]) -> TextTemplate:
    """Return the line of a pool, a set or a label, whose numbers are its value and that of each die.

    Parameters:
        states: the state of each die.
    """
    say = RecordingSay()
    say.fact(label, _FIRST, *[(state, _FIRST + index) for index, state in enumerate(states, 1)])
    return _template(say)


def _template(say: RecordingSay) -> TextTemplate:
    with language(SOURCE_LANGUAGE):
        (row,) = rows(say.steps)
        return TextTemplate.from_text(str(row), _PLACEHOLDER, _FIRST)
