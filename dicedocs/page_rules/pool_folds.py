"""What a rule asks of thrown dice, put together die by die: so little is kept of a pool that its odds are counted soon.

What is asked is a fold: it has a state, to which dice are added face by face, in any order of the dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

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


class Bound(Protocol):
    """A fold of dice whose faces are known, each by its index."""

    def start(self) -> Any:
        """Return the state without dice."""

    def add(self, state: Any, face: int, number: int) -> Any:
        """Return the state with more dice that show a face."""

    def end(self, state: Any) -> Any:
        """Return what is kept of a state to which no more dice are added."""


class Fold(Protocol):
    """What is asked of dice; before dice are added, numbers stand in it for all names."""

    def bind(self, faces: Sequence[Face]) -> Bound:
        """Return the fold of dice with some faces."""

    def merge(self, states: Sequence[Any]) -> Any:
        """Return the state of the dice of several pools together."""

    def value(self, state: Any) -> int:
        """Return what was asked, as a number."""


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of dice."""

    def bind(self, faces: Sequence[Face]) -> Bound:
        return _Sum(tuple(face.value for face in faces))

    def merge(self, states: Sequence[Any]) -> Any:
        return sum(states)

    def value(self, state: Any) -> int:
        return state  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Count:
    """How many dice there are, or how many meet a condition; a symbol counts as often as it stands on them."""

    condition: Node | None = None

    def bind(self, faces: Sequence[Face]) -> Bound:
        return _Sum(tuple(1 if self.condition is None else _weigh(self.condition, face) for face in faces))

    def merge(self, states: Sequence[Any]) -> Any:
        return sum(states)

    def value(self, state: Any) -> int:
        return state  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Best:
    """The sum of the highest or the lowest dice.

    Parameters:
        number: how many.
        high: whether they are the highest.
    """

    number: Node
    high: bool

    def bind(self, faces: Sequence[Face]) -> Bound:
        number = _weigh(self.number, _NO_FACE)
        return _Best(tuple(face.value for face in faces), number, self.high)

    def merge(self, states: Sequence[Any]) -> Any:
        number = _weigh(self.number, _NO_FACE)
        return tuple(sorted([value for state in states for value in state], reverse=self.high)[: max(0, number)])

    def value(self, state: Any) -> int:
        return sum(state)


@dataclass(frozen=True, slots=True)
class Alike:
    """The most dice that show the same number."""

    def bind(self, faces: Sequence[Face]) -> Bound:
        return _Alike(tuple(face.value for face in faces))

    def merge(self, states: Sequence[Any]) -> Any:
        raise TypeError("how many of several pools are alike is not known of each")

    def value(self, state: Any) -> int:
        return state  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Largest:
    """The sides of the largest die."""

    def bind(self, faces: Sequence[Face]) -> Bound:
        return _Largest(tuple(face.sides for face in faces))

    def merge(self, states: Sequence[Any]) -> Any:
        return max(states)

    def value(self, state: Any) -> int:
        return state  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Every:
    """All dice, of which anything can be asked later."""

    def bind(self, faces: Sequence[Face]) -> Bound:
        return _Every(tuple(faces))

    def merge(self, states: Sequence[Any]) -> Any:
        return tuple(sorted([face for state in states for face in state]))

    def value(self, state: Any) -> int:
        return sum(face.value for face in state)


TOTAL: Final = Total()
EVERY: Final = Every()


class _KeptWhole:
    __slots__ = ()

    def end(self, state: Any) -> Any:
        return state


@dataclass(frozen=True, slots=True)
class _Sum(_KeptWhole):
    weights: tuple[int, ...]

    def start(self) -> int:
        return 0

    def add(self, state: int, face: int, number: int) -> int:
        return state + number * self.weights[face]


@dataclass(frozen=True, slots=True)
class _Best(_KeptWhole):
    values: tuple[int, ...]
    number: int
    high: bool

    def start(self) -> tuple[int, ...]:
        return ()

    def add(self, state: tuple[int, ...], face: int, number: int) -> tuple[int, ...]:
        new = [self.values[face]] * min(number, self.number)
        return tuple(sorted([*state, *new], reverse=self.high)[: max(0, self.number)])


@dataclass(frozen=True, slots=True)
class _Alike:
    values: tuple[int, ...]

    def start(self) -> tuple[int, int | None, int]:
        return 0, None, 0

    def add(self, state: tuple[int, int | None, int], face: int, number: int) -> tuple[int, int | None, int]:
        # Dice that show the same number come one after the other.
        most, value, before = state
        if value == self.values[face]:
            number += before
        return max(most, number), self.values[face], number

    def end(self, state: tuple[int, int | None, int]) -> int:
        return state[0]


@dataclass(frozen=True, slots=True)
class _Largest(_KeptWhole):
    sides: tuple[int, ...]

    def start(self) -> int:
        return 0

    def add(self, state: int, face: int, number: int) -> int:
        return max(state, self.sides[face]) if number else state


@dataclass(frozen=True, slots=True)
class _Every(_KeptWhole):
    faces: Faces

    def start(self) -> Faces:
        return ()

    def add(self, state: Faces, face: int, number: int) -> Faces:
        return tuple(sorted([*state, *[self.faces[face]] * number])) if number else state


def fold_faces(fold: Fold, faces: Iterable[Face]) -> Any:
    """Return the state of a fold with dice that are all known.

    >>> fold_faces(TOTAL, [Face(3, 6), Face(5, 6)])
    8
    """
    numbers = Counter(faces)
    known = sorted(numbers)
    bound = fold.bind(known)
    state = bound.start()
    for index, face in enumerate(known):
        state = bound.add(state, index, numbers[face])
    return bound.end(state)


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
