"""The worked text of an Expression that was rolled before: its sentences with gaps, filled from the faces.

The text is asked for in bulk, and running the rule again beside the recorded faces costs ten times
as much. So the stages are told once, with signs where faces stand and what is worked out from them.
The sentences are those of :mod:`dicedocs.render`; only the numbers change.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final, NamedTuple, Self

from dicedocs.expression.evaluator import Arithmetic
from dicedocs.expression.stages import tell
from dicedocs.expression.tree import Node
from dicedocs.render.text import rows
from dicedocs.render.words import MAX_ITEMS
from dicedocs.rules.dice import Dice, Keep
from dicedocs.rules.steps import Operand, RecordingSay

_FIRST: Final = 10**15
"""The sign of the first cell: signs are larger than any number that an Expression can be given."""
_SIGNS: Final = re.compile(r"1[0-9]{15}")
_WORK: Final[Mapping[str, Callable[[int, int], int]]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Wording(NamedTuple):
    """What stays the same in the worked text of an Expression, whatever its dice show.

    Parameters:
        terms: how many dice each dice term throws.
        program: the arithmetic on cells; an operand is a cell's sign, or a number that never changes.
        raw: the sign of the cell that holds the value.
        lowest: the value below which it is clamped; ``None`` for none.
        texts: the text of a value that is not clamped and of one that is, each with the cells in its gaps.
    """

    terms: tuple[int, ...]
    program: tuple[tuple[int, Callable[[int, int], int], int], ...]
    raw: int
    lowest: int | None
    texts: tuple[tuple[str, tuple[int, ...]], ...]

    def text(self, faces: Sequence[int]) -> str:
        """Give the worked text for faces in the order thrown."""
        cells: list[int] = []
        start = 0
        for number in self.terms:
            thrown = faces[start : start + number]
            cells += thrown
            cells.append(sum(thrown))
            start += number
        for left, work, right in self.program:
            one = cells[left - _FIRST] if left >= _FIRST else left
            other = cells[right - _FIRST] if right >= _FIRST else right
            cells.append(work(one, other))
        raw = cells[self.raw - _FIRST]
        gaps, places = self.texts[self.lowest is not None and raw < self.lowest]
        return gaps % tuple([cells[place] for place in places])


def wording(tree: Node, values: Sequence[int], arithmetic: Arithmetic) -> Wording | None:
    """Give the wording of an Expression, or nothing when its sentences depend on what the dice show.

    Parameters:
        values: what :func:`~dicedocs.expression.evaluator.substitution` gave.

    >>> from dicedocs.expression.evaluator import STANDARD
    >>> from dicedocs.expression.parser import parse_expression
    >>> rolled = wording(parse_expression("2d6 + 3"), (), STANDARD)
    >>> print(rolled.text([3, 5]))
    Dice: 2d6: 3 + 5 = 8
    Roll: 8 + 3
    Add and subtract: 11   (8 + 3 = 11)
    """
    texts = []
    try:
        for clamped in (False, True):
            say, cells = RecordingSay(), count(_FIRST)
            dice = _Signed(say, cells)
            signs = _Symbolic.of(arithmetic, cells, clamped=clamped)
            raw = tell(say, tree, values, dice, signs)
            texts.append(_gapped("\n".join(str(row) for row in rows(say.steps) if not row.idle)))
    except _Depends:
        return None
    if raw < _FIRST:
        return None
    return Wording(tuple(dice.terms), tuple(signs.program), raw, arithmetic.lowest, tuple(texts))


def _gapped(text: str) -> tuple[str, tuple[int, ...]]:
    """Turn a text with signs into one with gaps, and the cells that fill them."""
    return _SIGNS.sub("%d", text.replace("%", "%%")), tuple(int(sign) - _FIRST for sign in _SIGNS.findall(text))


class _Depends(Exception):
    """What a sentence says depends on more than numbers."""


class _Signed(Dice):
    """Dice that show signs."""

    def __init__(self, say: RecordingSay, cells: Iterator[int]) -> None:
        super().__init__()
        self.terms: list[int] = []
        self._say = say
        self._cells = cells

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        if count > MAX_ITEMS:
            # So many are not listed one by one: the sentence counts equal faces.
            raise _Depends
        self.terms.append(count)
        faces = [Operand(next(self._cells), sides=sides) for _ in range(count)]
        total = next(self._cells)
        self._say.record_throw(faces, total, "total")
        return total


class _Symbolic(Arithmetic):
    """Arithmetic that notes what is worked out from signs, and gives a sign for it."""

    program: list[tuple[int, Callable[[int, int], int], int]]
    _cells: Iterator[int]
    _clamped: bool

    @classmethod
    def of(cls, arithmetic: Arithmetic, cells: Iterator[int], *, clamped: bool) -> Self:
        """Give such arithmetic.

        Parameters:
            clamped: whether the value is taken to be one that is clamped.
        """
        self = cls(*arithmetic)
        self.program = []
        self._cells = cells
        self._clamped = clamped
        return self

    def calculate(self, left: int, sign: str, right: int) -> int:
        if left < _FIRST and right < _FIRST:
            value = super().calculate(left, sign, right)
            if abs(value) >= _FIRST:
                raise _Depends
            return value
        if sign == "/":
            # Whether it was rounded down is said.
            raise _Depends
        self.program.append((left, _WORK[sign], right))
        return next(self._cells)

    def clamp(self, raw: int) -> int:
        return self.lowest if self._clamped and self.lowest is not None else raw
