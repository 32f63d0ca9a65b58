"""What was thrown: the dice of a play in the order thrown, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self


class Die(NamedTuple):
    """A die that was thrown.

    Parameters:
        sides: how many sides it has, at least 1.
        face: the number it shows.
        state: what became of it (``"dropped"``, ``"scratched"``...); empty while it counts.
    """

    sides: int
    face: int
    state: str = ""

    def __str__(self) -> str:
        """Say the die as a person would: ``d6 showing 2, dropped``."""
        return f"d{self.sides} showing {self.face}" + (f", {self.state}" if self.state else "")


class Record:
    """The dice of one play in the order thrown: faces and sides side by side, and the states by place."""

    __slots__ = ("faces", "sides", "states")

    def __init__(self) -> None:
        self.faces: list[int] = []
        self.sides: list[int] = []
        self.states: dict[int, str] = {}

    def dice(self, start: int = 0) -> tuple[Die, ...]:
        """Give the record as dice, from a place on."""
        state = self.states.get
        both = enumerate(zip(self.sides[start:], self.faces[start:], strict=True), start)
        return tuple(Die(sides, face, state(place, "")) for place, (sides, face) in both)


class Faces(tuple[int, ...]):
    """The faces that a dice call answered, each of which can be marked with what the rule does to its die."""

    _record: Record | None = None
    _places: tuple[int, ...] = ()

    @classmethod
    def of(cls, faces: Iterable[int], record: Record | None, places: Iterable[int]) -> Self:
        """Give faces that know where in the record their dice are."""
        self = cls(faces)
        self._record = record
        self._places = tuple(places)
        return self

    def mark(self, place: int, state: str, why: str = "") -> None:
        """Note what becomes of a die.

        Parameters:
            place: which of these faces, from 0.
            state: a word for what it is now, such as ``"scratched"``.
            why: the reason; when one is given the mark is a step of the explanation.
        """
        if self._record is not None:
            self._record.states[self._places[place]] = state
