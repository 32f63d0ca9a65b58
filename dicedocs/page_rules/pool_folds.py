"""What a rule asks of thrown dice, put together die by die: so little is kept of a pool that its odds are counted soon.

What is asked is a fold: it has a state, to which dice are added face by face, in any order of the dice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from dicedocs.syntax.arithmetic import WholeNumbers, compute
from dicedocs.syntax.tree import IT, Compared, Group, Logic, Node, Words


class Face(NamedTuple):
    """A face of a die.

    Parameters:
        value: what it counts.
        sides: the sides of the die.
        symbols: the words on it.
    """

    value: int
    sides: int
    symbols: tuple[str, ...] = ()


_NO_FACE: Final = Face(0, 0)
Faces: TypeAlias = tuple[Face, ...]
"""Dice by size."""


class Fold(ABC):
    """What is asked of dice; before dice are added, numbers stand in it for all names.

    Attributes:
        start: the state without dice.
    """

    start: ClassVar[Any] = 0

    def weigh(self, face: Face) -> Any:
        """Return what is added of a face."""
        return face.value

    @abstractmethod
    def add(self, state: Any, weight: Any, number: int) -> Any:
        """Return the state with more dice that show a face, which weighs so much."""

    def end(self, state: Any) -> Any:
        """Return what is kept of a state to which no more dice are added."""
        return state

    @abstractmethod
    def merge(self, states: Sequence[Any]) -> Any:
        """Return the state of the dice of several pools together."""

    def value(self, state: Any) -> int:
        """Return what was asked, as a number."""
        return state  # type: ignore[no-any-return]


class _Sum(Fold):
    def add(self, state: int, weight: int, number: int) -> int:
        return state + number * weight

    def merge(self, states: Sequence[Any]) -> Any:
        return sum(states)


@dataclass(frozen=True)
class Total(_Sum):
    """The sum of dice."""


@dataclass(frozen=True)
class Count(_Sum):
    """How many dice there are, or how many meet a condition; a symbol counts as often as it stands on them."""

    condition: Node | None = None

    def weigh(self, face: Face) -> int:
        return 1 if self.condition is None else _weigh(self.condition, face)


@dataclass(frozen=True)
class Best(Fold):
    """The sum of the highest or the lowest dice.

    Parameters:
        number: how many.
        high: whether they are the highest.
    """

    start = ()

    number: Node
    high: bool

    def add(self, state: tuple[int, ...], weight: int, number: int) -> tuple[int, ...]:
        return self.merge([state, [weight] * number])

    def merge(self, states: Sequence[Sequence[int]]) -> tuple[int, ...]:
        number = _weigh(self.number, _NO_FACE)
        return tuple(sorted([value for state in states for value in state], reverse=self.high)[: max(0, number)])

    def value(self, state: Any) -> int:
        return sum(state)


@dataclass(frozen=True)
class Alike(Fold):
    """The most dice that show the same number."""

    start = 0, None, 0

    def add(self, state: tuple[int, int | None, int], weight: int, number: int) -> tuple[int, int | None, int]:
        # Dice that show the same number come one after the other.
        most, value, before = state
        if value == weight:
            number += before
        return max(most, number), weight, number

    def end(self, state: tuple[int, int | None, int]) -> int:
        return state[0]

    def merge(self, states: Sequence[Any]) -> Any:
        raise TypeError("how many of several pools are alike is not known of each")


@dataclass(frozen=True)
class Largest(Fold):
    """The sides of the largest die."""

    def weigh(self, face: Face) -> int:
        return face.sides

    def add(self, state: int, weight: int, number: int) -> int:
        return max(state, weight) if number else state

    def merge(self, states: Sequence[Any]) -> Any:
        return max(states)


@dataclass(frozen=True)
class Every(Fold):
    """All dice, of which anything can be asked later."""

    start = ()

    def weigh(self, face: Face) -> Face:
        return face

    def add(self, state: Faces, weight: Face, number: int) -> Faces:
        return self.merge([state, [weight] * number]) if number else state

    def merge(self, states: Sequence[Sequence[Face]]) -> Faces:
        return tuple(sorted([face for state in states for face in state]))

    def value(self, state: Any) -> int:
        return sum(face.value for face in state)


TOTAL: Final = Total()
EVERY: Final = Every()


def fold_faces(fold: Fold, faces: Iterable[Face]) -> Any:
    """Return the state of a fold with dice that are all known.

    >>> fold_faces(TOTAL, [Face(3, 6), Face(5, 6)])
    8
    """
    state = fold.start
    for face, number in sorted(Counter(faces).items()):
        state = fold.add(state, fold.weigh(face), number)
    return fold.end(state)


def _weigh(node: Node, face: Face) -> int:
    """Return what a condition or a number comes to for a die that shows a face; a symbol counts each time."""
    match node:
        case Group(inner):
            return _weigh(inner, face)
        case Logic("not", (operand,)):
            return int(not _weigh(operand, face))
        case Logic(name, operands):
            return int((all if name == "all" else any)(_weigh(operand, face) for operand in operands))
        case Compared(left, op, Words(text)) if left == IT:
            found = face.symbols.count(text)
            return found if op == "=" else int(not found)
    return int(compute(node, lambda _leaf, _sign: face.value, WholeNumbers()))
