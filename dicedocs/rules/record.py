"""The dice of a play in the order thrown, each with its final state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from dicedocs.errors import ParameterError, is_text, quoted


class Die(NamedTuple):
    """A die that was thrown.

    Parameters:
        sides: the number of its sides, at least 1.
        face: the number it shows.
        state: ``"dropped"``, ``"scratched"`` or another word of the rule; empty while the die counts.
        text: what stands on its face instead of the number; empty if the number does.
    """

    sides: int
    face: int
    state: str = ""
    text: str = ""

    @property
    def shown(self) -> str:
        """What stands on its face."""
        return self.text or str(self.face)

    def __str__(self) -> str:
        """Return the die in words: ``d6 showing 2, dropped``."""
        return f"d{self.sides} showing {self.shown}" + (f", {self.state}" if self.state else "")


class Record:
    """The dice of one play in the order thrown: faces and sides as parallel lists, states and texts by index.

    Attributes:
        choices: what the player was asked, by the names of the choices, in order.
        empty_calls: the number of dice calls and plays that threw no dice.
    """

    __slots__ = ("choices", "empty_calls", "faces", "sides", "states", "texts")

    def __init__(self) -> None:
        self.choices: list[str] = []
        self.empty_calls = 0
        self.faces: list[int] = []
        self.sides: list[int] = []
        self.states: dict[int, str] = {}
        self.texts: dict[int, str] = {}

    def dice(self) -> tuple[Die, ...]:
        """Return the dice."""
        state, text = self.states.get, self.texts.get
        pairs = enumerate(zip(self.sides, self.faces, strict=True))
        return tuple([Die(sides, face, state(index, ""), text(index, "")) for index, (sides, face) in pairs])

    def __eq__(self, other: object) -> bool:
        """Return whether the same dice were thrown, with the same final states."""
        if not isinstance(other, Record):
            return NotImplemented
        mine, theirs = (
            (one.faces, one.sides, {index: state for index, state in one.states.items() if state})
            for one in (self, other)
        )
        return mine == theirs

    def __hash__(self) -> int:
        return hash(self.dice())


class Faces(tuple[int, ...]):
    """The faces that a dice call returned; each can be marked with what the rule does to its die.

    Attributes:
        indexes: the index of each die in the order thrown; empty while odds are counted.
    """

    _record: Record | None = None
    indexes: tuple[int, ...] = ()

    @classmethod
    def of(cls, faces: Iterable[int], record: Record | None, indexes: Iterable[int]) -> Self:
        """Return faces that know the index of their dice in a record."""
        self = cls(faces)
        self._record = record
        self.indexes = tuple(indexes)
        return self

    def mark(self, place: int, state: str, why: str = "") -> None:
        """Set the state of a die.

        Parameters:
            place: the index of its face in this tuple, from 0.
            state: a word for the new state, such as ``"scratched"``.
            why: the reason; with one, the mark is a step of the working.
        """
        if self._record is None:
            return
        if not (is_text(state) and is_text(why)):
            raise ParameterError(f"{quoted(state)} is not the state of a die", hint="give words such as 'scratched'")
        try:
            self._record.states[self.indexes[place]] = state
        except Exception:  # noqa: BLE001  # an index that is not an int may raise anything
            hint = f"there are {len(self)}, counted from 0"
            raise ParameterError(f"there is no face {quoted(place)}", hint=hint) from None

    def show(self, texts: Sequence[str]) -> None:
        """Say what stands on the faces of these dice, which all have the same sides, instead of numbers.

        Parameters:
            texts: the text of each face, from 1 on, such as ``["-", "-", "hit", "critical hit"]``.

        Raises:
            ParameterError: a face that was thrown has no text.
        """
        if self._record is None:
            return
        found = [texts[face - 1] if 0 < face <= len(texts) else None for face in self]
        if not all(map(is_text, found)):
            raise ParameterError("a face that was thrown has no text", hint="give a text for each face, from 1 on")
        self._record.texts.update(zip(self.indexes, map(str, found), strict=True))
