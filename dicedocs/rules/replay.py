"""Dice that show recorded faces again, and tell each call to whoever listens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from dicedocs.rules.dice import Dice, Keep, Rule
from dicedocs.rules.mechanic import Outcome
from dicedocs.rules.record import Faces, Record
from dicedocs.rules.steps import Face, Operand, RecordingSay

R = TypeVar("R", bound=Outcome)


class TracedFaces(Faces):
    """Faces that know their dice, and tell what becomes of them when a reason is given."""

    _say: RecordingSay

    def mark(self, place: int, state: str, why: str = "") -> None:
        super().mark(place, state)
        if why:
            self._say.record(why, "mark", (self[place],), self[place], how=state)


class Replay(Dice):
    """The faces of a record once more, each dice call a step.

    Parameters:
        record: what was thrown.
        say: who listens.
    """

    __slots__ = ("_left", "_say")

    def __init__(self, record: Record, say: RecordingSay) -> None:
        super().__init__()
        self._left = record
        self._say = say
        self._record = Record()

    def done(self) -> bool:
        """Tell whether the same dice were thrown, and the same became of them."""
        mine, recorded = self._record, self._left
        return mine is not None and mine.dice() == recorded.dice()

    def throw(self, count: int, sides: int) -> list[int]:
        start = self._thrown()
        if self._left.sides[start : start + count] != [sides] * count:
            raise RuntimeError("the rule throws other dice when somebody listens")
        return self._left.faces[start : start + count]

    def roll(self, sides: int) -> int:
        start = self._thrown()
        face = super().roll(sides)
        self._tell(start, None)
        return Face.of(face, start + 1, sides)

    def each(self, *sides: int) -> Faces:
        start = self._thrown()
        faces = super().each(*sides)
        self._tell(start, None)
        return self._told(faces)

    def pool(self, *sides: int, keep: Keep | None = None, unread: Mapping[int, str] | None = None) -> Faces:
        start = self._thrown()
        faces = super().pool(*sides, keep=keep, unread=unread)
        self._tell(start, None)
        return self._told(faces)

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        start = self._thrown()
        total = super().total(count, sides, keep=keep)
        self._tell(start, total, "total")
        return total

    def tally(self, count: int, sides: int, *classes: Collection[int]) -> Any:
        start = self._thrown()
        counts = super().tally(count, sides, *classes)
        self._tell(start, counts, "tally")
        return counts

    def play(self, rule: Rule[R], label: str = "") -> R:
        outer, self._say = self._say, RecordingSay()
        inner = self._say
        try:
            outcome = rule.resolve(self, inner)
        finally:
            self._say = outer
        outcome._attach(rule, None)
        outer.record(label or type(rule).__name__, "play", (), None, steps=inner.steps)
        return outcome

    def _tell(self, start: int, value: object, how: str = "") -> None:
        """Keep the step of a call, its dice as operands."""
        if self._record is None or start == self._thrown():
            return
        thrown = self._record.dice(start)
        dice = [Operand(die.face, die.state, place, die.sides) for place, die in enumerate(thrown, start + 1)]
        self._say.record_throw(dice, value, how)

    def _told(self, faces: Faces) -> Faces:
        sides = [] if self._record is None else self._record.sides
        known = (Face.of(f, p + 1, sides[p]) for f, p in zip(faces, faces._places, strict=True))
        told = TracedFaces.of(known, self._record, faces._places)
        told._say = self._say
        return told
