"""The worked text of an Expression as a template, filled from the faces of each roll.

An Expression that is rolled again and again, such as by ``str(dd.roll("3d6"))``, shows the same sentences
with other numbers. Filling a template takes a twentieth of the time of recording and rendering its steps. There are
templates in English only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple, Self

from dicedocs.expression.evaluator import OPERATORS, Arithmetic
from dicedocs.expression.stages import TextTemplate, record_stages
from dicedocs.expression.tree import Node
from dicedocs.render.text import rows
from dicedocs.render.words import MAX_ITEMS
from dicedocs.rules.dice import Dice, Keep
from dicedocs.rules.steps import Operand, RecordingSay
from dicedocs.translation import SOURCE_LANGUAGE, current_language, language

_FIRST: Final = 10**15
"""The placeholder of the first cell: placeholders are larger than any number in an Expression."""
_PLACEHOLDER: Final = "1[0-9]{15}"


class WorkedText(NamedTuple):
    """The worked text of an Expression, with cells for the faces and for every value computed from them.

    Parameters:
        dice_counts: the number of dice of each dice term.
        program: the operations on cells; an operand is the placeholder of a cell, or a constant.
        raw: the placeholder of the value, not clamped.
        lowest: the minimum to which the value is raised; ``None`` for no minimum.
        plain, clamped: the texts for a value that is not raised, and for one that is.
    """

    dice_counts: tuple[int, ...]
    program: tuple[tuple[int, Callable[[int, int], int], int], ...]
    raw: int
    lowest: int | None
    plain: TextTemplate
    clamped: TextTemplate

    def fill(self, faces: Sequence[int]) -> str | None:
        """Return the worked text for faces in the order thrown; ``None`` where another language is displayed."""
        if current_language() is not None:
            return None
        cells: list[int] = []
        start = 0
        for number in self.dice_counts:
            thrown = faces[start : start + number]
            cells += thrown
            cells.append(sum(thrown))
            start += number
        for left, operation, right in self.program:
            one = cells[left - _FIRST] if left >= _FIRST else left
            other = cells[right - _FIRST] if right >= _FIRST else right
            cells.append(operation(one, other))
        raised = self.lowest is not None and cells[self.raw - _FIRST] < self.lowest
        return (self.clamped if raised else self.plain).fill(cells)


def worked_text(tree: Node, arithmetic: Arithmetic) -> WorkedText | None:
    """Return the worked text of an Expression without references, for any faces.

    Returns:
        ``None`` when its sentences, and not only their numbers, depend on the faces.

    >>> from dicedocs.expression.evaluator import STANDARD
    >>> from dicedocs.expression.parser import parse_expression
    >>> print(worked_text(parse_expression("2d6 + 3"), STANDARD).fill([3, 5]))
    Dice: 2d6: 3 + 5 = 8
    Roll: 8 + 3
    Add and subtract: 11   (8 + 3 = 11)
    """
    texts = []
    try:
        for clamped in (False, True):
            say, placeholders = RecordingSay(), count(_FIRST)
            dice = _PlaceholderDice(say, placeholders)
            symbolic = _PlaceholderArithmetic.create(arithmetic, placeholders, clamped=clamped)
            raw = record_stages(say, tree, (), dice, symbolic)
            with language(SOURCE_LANGUAGE):
                text = "\n".join(str(row) for row in rows(say.steps) if not row.idle)
            texts.append(TextTemplate.from_text(text, _PLACEHOLDER, _FIRST))
    except _SentenceDependsOnFacesError:
        return None
    if raw < _FIRST:
        return None
    return WorkedText(tuple(dice.counts), tuple(symbolic.program), raw, arithmetic.lowest, *texts)


class _SentenceDependsOnFacesError(Exception):
    """A sentence depends on the faces by more than its numbers."""


class _PlaceholderDice(Dice):
    """Dice whose faces are placeholders."""

    def __init__(self, say: RecordingSay, placeholders: Iterator[int]) -> None:
        super().__init__()
        self.counts: list[int] = []
        self._say = say
        self._placeholders = placeholders

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        if count > MAX_ITEMS:
            # So many faces are not listed one by one: the sentence counts equal faces.
            raise _SentenceDependsOnFacesError
        self.counts.append(count)
        faces = [Operand(next(self._placeholders), sides=sides) for _ in range(count)]
        total = next(self._placeholders)
        self._say.record_throw(faces, total, "total")
        return total


class _PlaceholderArithmetic(Arithmetic):
    """Arithmetic that records operations on placeholders, and returns a new placeholder for each value."""

    program: list[tuple[int, Callable[[int, int], int], int]]
    _placeholders: Iterator[int]
    _clamped: bool

    @classmethod
    def create(cls, arithmetic: Arithmetic, placeholders: Iterator[int], *, clamped: bool) -> Self:
        """Return arithmetic with the settings of a game.

        Parameters:
            clamped: whether the value is to be treated as one that is raised to the minimum.
        """
        self = cls(*arithmetic)
        self.program = []
        self._placeholders = placeholders
        self._clamped = clamped
        return self

    def calculate(self, left: int, sign: str, right: int) -> int:
        if left < _FIRST and right < _FIRST:
            value = super().calculate(left, sign, right)
            if abs(value) >= _FIRST:
                raise _SentenceDependsOnFacesError
            return value
        if sign == "/":
            # The sentence says whether the quotient was rounded down.
            raise _SentenceDependsOnFacesError
        self.program.append((left, OPERATORS[sign], right))
        return next(self._placeholders)

    def clamp(self, raw: int) -> int:
        return self.lowest if self._clamped and self.lowest is not None else raw
