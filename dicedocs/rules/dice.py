"""The only source of chance: dice decided by a seed, or faces thrown elsewhere.

The dice of a play record every die in the order thrown, so that its outcome can be explained and drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, TypeVarTuple, cast, overload

from dicedocs import limits
from dicedocs.errors import LimitError, ParameterError, quoted
from dicedocs.rules.dice_arguments import (
    alike,
    check_class,
    check_pools,
    check_state,
    check_states,
    check_unchanging,
    check_whole,
    not_a_class,
)
from dicedocs.rules.outcome import Outcome, attach
from dicedocs.rules.record import Faces, Record
from dicedocs.rules.steps import ROUND, SILENT, Say

R = TypeVar("R", bound=Outcome)
R_co = TypeVar("R_co", bound=Outcome, covariant=True)
S = TypeVar("S")
Ts = TypeVarTuple("Ts")


A_LOOP: Final = "make sure the rule ends, and write a loop as dice.repeat(...)"
"""What to do about plays that are nested too deep."""


class Rule(Protocol[R_co]):
    """Anything that can be played; ``resolve`` declares the type of its outcome."""

    def resolve(self, dice: Dice, say: Say) -> R_co:
        """Throw the dice and apply the rule."""
        ...


class Choosing(Protocol):
    """How a player chooses: the value of a parameter whose type is ``Decision``."""

    @property
    def name(self) -> str:
        """What the choice is called."""
        ...

    def way(self, ways: Sequence[S], seen: Mapping[str, object], asked: int | None, roll: Callable[[int], int]) -> S:
        """Return the way that is taken."""
        ...

    def check_asked(self, asked: int) -> None:
        """Raise a ``ParameterError`` if more is chosen than the player was asked."""
        ...

    @property
    def settled(self) -> Choosing:
        """How it is left by a play that is over."""
        ...


class Keep(NamedTuple):
    """Which dice of a pool count; made by :func:`highest` and :func:`lowest`."""

    number: int
    high: bool

    def order(self, faces: list[int]) -> list[int]:
        """Return the indexes of the kept dice, smallest face first; of equal faces, the first thrown is first."""
        size = faces.__getitem__
        kept = sorted(range(len(faces)), key=size, reverse=self.high)[: self.number]
        return sorted(kept, key=size)


def highest(count: int) -> Keep:
    """Keep the highest dice of a pool.

    Parameters:
        count: the number of dice, at least 0; a smaller pool is kept whole.

    >>> ScriptedDice([2, 6, 4, 5]).pool(6, 6, 6, 6, keep=highest(3))
    (4, 5, 6)
    """
    return _keep(count, high=True)


def lowest(count: int) -> Keep:
    """Keep the lowest dice of a pool.

    Parameters:
        count: the number of dice, at least 0; a smaller pool is kept whole.

    >>> ScriptedDice([2, 6, 4, 5]).pool(6, 6, 6, 6, keep=lowest(3))
    (2, 4, 5)
    """
    return _keep(count, high=False)


def _keep(count: int, *, high: bool) -> Keep:
    check_whole(count, "a number of dice")
    if count < 0:
        raise ParameterError(f"{count} dice cannot be kept", hint="keep 0 or more")
    return Keep(count, high)


def _checked_keep(keep: object) -> Keep:
    """Return which dice of a pool to keep, after checking that it is that."""
    if type(keep) is not Keep or not isinstance(keep.number, int):
        raise ParameterError(f"{quoted(keep)} is not which dice to keep", hint="write highest(3) or lowest(3)")
    return keep


class Dice:
    """A source of faces, and the dice calls of a rule.

    A rule should make the call that returns no more than it reads: exact odds then have less to
    enumerate. A new source of faces overrides :meth:`throw` alone.
    """

    __slots__ = ("_depth", "_record")

    def __init__(self) -> None:
        self._record: Record | None = None
        self._depth = 0

    def throw(self, count: int, sides: int) -> list[int]:
        """Return the faces of equal dice; the only method in which chance, or a script, decides.

        Parameters:
            count: the number of dice, at least 0.
            sides: the sides of each die, at least 1.
        """
        raise NotImplementedError

    def finish(self) -> None:
        """Check that no faces are left over; only scripted dice can have any."""

    def roll(self, sides: int) -> int:
        """Throw one die and return its face.

        >>> ScriptedDice([17]).roll(20)
        17
        """
        return self._take(1, sides)[0]

    def each(self, *sides: int) -> Faces:
        """Throw dice and return their faces in the order thrown.

        >>> ScriptedDice([3, 10]).each(8, 10)
        (3, 10)
        """
        start, count = self._thrown(), len(sides)
        at_once = 0 < count <= limits.DICE.maximum - start and alike(sides)
        faces = self._take(count, sides[0]) if at_once else [self._take(1, s)[0] for s in sides] or self._take_none()
        return Faces.of(faces, self._record, range(start, start + count))

    def pool(self, *sides: int, keep: Keep | None = None, unread: Mapping[int, str] | None = None) -> Faces:
        """Throw dice and return their faces in order of size, the lowest first.

        Parameters:
            sides: the sides of each die, in the order thrown.
            keep: which dice count; the others are marked ``"dropped"``.
            unread: the dice that are thrown but never read: the state of each by its index in
                ``sides``, from 0.

        Raises:
            ParameterError: an index in ``unread`` is out of range.

        >>> ScriptedDice([5, 2, 6]).pool(6, 6, 6)
        (2, 5, 6)
        """
        start = self._thrown()
        read = read_dice(range(len(sides)), unread)
        thrown = [self._take(1, s)[0] for s in sides] if sides else self._take_none()
        if unread:
            self._mark((start + i, state) for i, state in unread.items())
        faces = [thrown[i] for i in read]
        kept = (Keep(len(faces), high=False) if keep is None else _checked_keep(keep)).order(faces)
        if len(kept) < len(faces):
            counted = set(kept)
            self._mark((start + read[i], "dropped") for i in range(len(faces)) if i not in counted)
        return Faces.of((faces[i] for i in kept), self._record, (start + read[i] for i in kept))

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        """Throw equal dice and return only the sum of those that are kept.

        >>> ScriptedDice([4, 2, 5]).total(3, 6)
        11
        >>> ScriptedDice([4, 2, 5]).total(3, 6, keep=highest(2))
        9
        """
        if keep is None:
            return sum(self._take(count, sides))
        start = self._thrown()
        faces = self._take(count, sides)
        kept = set(_checked_keep(keep).order(faces))
        self._mark((start + i, "dropped") for i in range(count) if i not in kept)
        return sum(faces[i] for i in kept)

    @overload
    def tally(self, count: int, sides: int, hits: Collection[int], /) -> int: ...
    @overload
    def tally(
        self, count: int, sides: int, hits: Collection[int], more: Collection[int], /, *rest: Collection[int]
    ) -> tuple[int, ...]: ...
    def tally(self, count: int, sides: int, *classes: Collection[int]) -> int | tuple[int, ...]:
        """Throw equal dice and count those in each class of faces; classes may overlap.

        Returns:
            One count, or a tuple of counts when there are several classes.

        >>> ScriptedDice([8, 10, 3]).tally(3, 10, {8, 9, 10})
        2
        >>> ScriptedDice([8, 10, 3]).tally(3, 10, {8, 9, 10}, {10})
        (2, 1)
        """
        for hits in classes:
            if type(hits) is not set:
                check_class(hits)
        faces = self._take(count, sides)
        try:
            counts = tuple(sum(face in hits for face in faces) for hits in classes)
        except Exception:  # noqa: BLE001  # what is compared with a face may raise anything
            raise not_a_class(classes) from None
        return counts[0] if len(counts) == 1 else counts

    @overload
    def choose(self, choice: Choosing, /, **seen: object) -> bool: ...
    @overload
    def choose(self, choice: Choosing, ways: Sequence[S], /, **seen: object) -> S: ...
    def choose(self, choice: Choosing, ways: Sequence[Any] = (False, True), /, **seen: object) -> Any:
        """Ask the player, who has seen all dice thrown so far.

        Parameters:
            choice: the parameter that says how the player chooses.
            ways: what can be chosen, no or yes by default.
            seen: what the player decides by, which a value such as ``yes if sixes = 0, else no`` can name.

        Returns:
            One of the ways.

        Raises:
            ParameterError: nobody has chosen, or what is chosen is none of the ways.
        """
        made = self._record.choices if self._record is not None else None
        way = choice.way(ways, seen, None if made is None else made.count(choice.name), self.roll)
        if made is not None:
            made.append(choice.name)
            self._take_none()
        return way

    def play(self, rule: Rule[R], label: str = "") -> R:
        """Play another mechanic with these dice.

        Parameters:
            rule: the mechanic with its parameters.
            label: its name in the working; its steps are nested below.

        Returns:
            Its outcome; a rule can read its facts, but not its dice.

        Raises:
            LimitError: plays are nested deeper than ``PLAYS``; a loop is :meth:`repeat`.
        """
        limits.PLAYS.check(self._depth + 1, hint=A_LOOP)
        before = self._thrown()
        self._depth += 1
        try:
            outcome = self._resolve(rule, label)
            if self._thrown() == before:
                self._take_none()
        except LimitError as error:
            error.mechanic = error.mechanic or _name_of(rule)
            raise
        except Exception:
            _check_rule(rule)
            raise
        finally:
            self._depth -= 1
        attach(outcome, rule)
        return outcome

    def _resolve(self, rule: Rule[R], label: str) -> R:
        """Return the outcome of a play."""
        return rule.resolve(self, SILENT)

    @overload
    def repeat(
        self,
        step: Callable[[Dice, Say, *Ts], tuple[*Ts]],
        state: tuple[Any, ...],
        until: Callable[[*Ts], bool],
        *,
        label: str = ...,
        count: Literal[False] = ...,
    ) -> tuple[*Ts]: ...
    @overload
    def repeat(
        self,
        step: Callable[[Dice, Say, *Ts], tuple[*Ts]],
        state: tuple[Any, ...],
        until: Callable[[*Ts], bool],
        *,
        label: str = ...,
        count: Literal[True],
    ) -> tuple[int, *Ts]: ...
    def repeat(
        self,
        step: Callable[[Dice, Say, *Ts], tuple[*Ts]],
        state: tuple[Any, ...],
        until: Callable[[*Ts], bool],
        *,
        label: str = ROUND,
        count: bool = False,
    ) -> tuple[*Ts] | tuple[int, *Ts]:
        """Repeat a step until its state says that it is over.

        Parameters:
            step: a round: given the dice, the working and the values of the state, it returns the next state.
            state: the values with which the first round begins, all of which can be hashed.
            until: whether it is over, given the values of a state, also of the first one.
            label: the name of a round in the working, where a number follows.
            count: whether the number of rounds stands before the values that are returned.

        Returns:
            The values of the last state.

        Raises:
            LimitError: it goes on for more than ``ROUNDS`` rounds.
            ParameterError: a state is not a tuple, has another number of values, or one that can change.

        >>> def hit(dice, say, points):
        ...     return (max(0, points - dice.roll(6)),)
        >>> ScriptedDice([4, 2, 5]).repeat(hit, (10,), lambda points: points == 0, count=True)
        (3, 0)
        """
        check_state(state, None)
        rounds = 0
        while not until(*state):
            rounds += 1
            limits.ROUNDS.check(rounds, hint="make sure the rule ends")
            following = self._round(step, state, label, rounds)
            check_state(following, state)
            state = following
        return (rounds, *state) if count else state

    def _round(self, step: Callable[..., tuple[Any, ...]], state: tuple[Any, ...], label: str, number: int) -> Any:
        """Return the state after one round."""
        return step(self, SILENT, *state)

    def sweep(
        self,
        step: Callable[..., S],
        start: Any,
        *pools: Sequence[int],
        labels: Sequence[str] = (),
    ) -> S:
        """Throw pools and read them face by face, from the highest face down.

        Parameters:
            step: given the state so far, a face, and how many dice of each pool show it, it returns the next state,
                which can be hashed. It is called for each face, also those that no die shows.
            start: the state before the highest face.
            pools: the sides of the dice of each pool.
            labels: the name of each pool in the working.

        Returns:
            The state after the lowest face.

        Raises:
            ParameterError: a pool is not a list of sides, or there is not one label for each pool.

        >>> def most_alike(best, face, number):
        ...     return max(best, number)
        >>> ScriptedDice([4, 2, 4, 5]).sweep(most_alike, 0, [6] * 4)
        2
        """
        check_pools(pools, labels)
        named = zip(pools, labels or [""] * len(pools), strict=True)
        shown = [Counter(self._throw_pool(pool, label)) for pool, label in named]
        check_unchanging(start)
        state: S = start
        for face in range(max((max(pool) for pool in pools if pool), default=0), 0, -1):
            state = step(state, face, *(numbers[face] for numbers in shown))
            check_unchanging(state)
        return state

    def _throw_pool(self, sides: Sequence[int], label: str) -> Faces:
        """Throw one of the pools of a sweep."""
        return self.each(*sides)

    def begin(self, rule: Rule[R]) -> R:
        """Play a mechanic with a record of its own.

        While these dice already play another mechanic, this is :meth:`play`.
        """
        if self._record is not None:
            return self.play(rule)
        record = self._record = Record()
        try:
            outcome = rule.resolve(self, SILENT)
            chosen: dict[str, Choosing] = {name: getattr(rule, name) for name in getattr(rule, "_choices", ())}
            for choice in chosen.values():
                choice.check_asked(record.choices.count(choice.name))
        except LimitError as error:
            _name_rules(error, rule)
            raise
        except Exception:
            _check_rule(rule)
            raise
        finally:
            self._record = None
            self._depth = 0
        if (settled := {name: choice.settled for name, choice in chosen.items()}) != chosen:
            from dicedocs.rules.mechanic import rule_with

            rule = rule_with(rule, settled)  # type: ignore[type-var]  # what has choices is a mechanic
        attach(outcome, rule, record)
        return outcome

    @property
    def recorded(self) -> int:
        """How many dice the play has thrown; 0 while odds are counted, when no dice are recorded."""
        return self._thrown()

    def drop(self, dice: Iterable[int], *, spared: str) -> None:
        """Mark dice as dropped.

        Parameters:
            dice: their indexes in the order thrown.
            spared: the state of those that are left as they are.
        """
        if self._record is not None:
            states = self._record.states
            self._mark([(index, "dropped") for index in dice if states.get(index) != spared])

    def _thrown(self) -> int:
        """Return the number of dice in the record."""
        return 0 if self._record is None else len(self._record.faces)

    def _mark(self, states: Iterable[tuple[int, str]]) -> None:
        if self._record is not None:
            self._record.states.update(states)

    def _take(self, count: int, sides: int) -> list[int]:
        """Throw equal dice and record them."""
        record = self._record
        before = 0 if record is None else len(record.faces)
        try:
            if sides < 1 or count < 1 or sides > limits.SIDES.maximum or before + count > limits.DICE.maximum:
                check_limits(before, count, sides)
                self._take_none()
            faces = self.throw(count, sides)
        except Exception:  # a number that is not an int may raise anything
            check_limits(before, count, sides)
            raise
        if record is not None:
            record.faces += faces
            record.sides += [sides] * count
        return faces

    def _take_none(self) -> list[int]:
        """Count a dice call or a play without dice, and return no faces; a loop of them would never end."""
        if self._record is not None:
            self._record.empty_calls += 1
            limits.DICE.check(self._record.empty_calls, hint="make sure the rule ends")
        return []


def _check_rule(rule: object) -> None:
    """Check, after a play failed, that what was played is an instance of a mechanic."""
    if not isinstance(rule, type):
        with suppress(Exception):  # the attributes of an object that is not a mechanic may raise anything
            if hasattr(rule, "resolve"):
                return
    hint = "give one with its parameters, such as Save(modifier=3)"
    raise ParameterError(f"{quoted(rule)} is not a mechanic that can be played", hint=hint)


def _name_of(rule: object) -> str:
    return getattr(rule, "id", "") or type(rule).__qualname__


def _name_rules(error: LimitError, rule: object) -> None:
    """Name in the error the mechanic that was played and, if it is another, the innermost, which exceeded the limit."""
    innermost, error.mechanic = error.mechanic, _name_of(rule)
    playing = f", playing {innermost}" if innermost not in {"", error.mechanic} else ""
    error.message = f"{error.mechanic}{playing}: {error.message}"


def read_dice(dice: Sequence[int], unread: Mapping[int, str] | None) -> tuple[int, ...]:
    """Return the dice, in the order thrown, without the unread ones, which are given by index.

    >>> read_dice((20, 8, 6), {1: "scratched"})
    (20, 6)
    """
    if unread is None or (type(unread) is dict and not unread):
        return tuple(dice)
    check_states(unread)
    if not unread.keys() <= set(range(len(dice))):
        raise ParameterError(f"an unread die is not one of the {len(dice)} dice thrown")
    return tuple(die for index, die in enumerate(dice) if index not in unread)


def check_limits(before: int, count: int, sides: int) -> None:
    """Raise an error for a dice call that is impossible or exceeds a limit; ``before`` dice are already thrown."""
    check_whole(count, "a number of dice")
    if count < 0:
        raise ParameterError(f"{count} dice cannot be thrown", hint="throw 0 or more")
    check_whole(sides, "a number of sides")
    if sides < 1:
        raise ParameterError(f"a die cannot have {sides} sides", hint="it has 1 or more")
    limits.SIDES.check(sides, hint="use a die with fewer sides")
    limits.DICE.check(before + count, hint="throw fewer dice")


class ScriptedDice(Dice):
    """Dice with given faces, such as those thrown on a table or printed in a book.

    Parameters:
        faces: the faces in the order thrown, as numbers or as text (``"4 2 5"``).

    Raises:
        ParameterError: a face is not a whole number; when thrown, a face is impossible or missing.

    >>> ScriptedDice("4 2 5").total(3, 6)
    11
    >>> ScriptedDice([7]).roll(6)
    Traceback (most recent call last):
    ...
    dicedocs.errors.ParameterError: dice: die 1 is a d6 and cannot show 7; give a face from 1 to 6
    """

    __slots__ = ("_faces", "_next", "_sides")

    def __init__(self, faces: Iterable[int] | str | int) -> None:
        super().__init__()
        self._faces = parse_faces(faces)
        self._next = 0
        self._sides: list[str] = []

    def throw(self, count: int, sides: int) -> list[int]:
        """Return the next faces."""
        check_limits(0, count, sides)
        faces = self._faces[self._next : self._next + count]
        for position, face in enumerate(faces, self._next + 1):
            if not 1 <= face <= sides:
                message = f"die {position} is a d{sides} and cannot show {face}"
                raise ParameterError(message, hint=f"give a face from 1 to {sides}", parameter="dice")
        if len(faces) < count:
            message = f"die {len(self._faces) + 1} is a d{sides}, and {_counted(len(self._faces))} given"
            raise ParameterError(message, hint="give a face for each die that is thrown", parameter="dice")
        self._next += count
        self._sides += [f"d{sides}"] * count
        return list(faces)

    def finish(self) -> None:
        """Raise a :class:`ParameterError` when faces are left over."""
        if self._next < len(self._faces):
            message = f"{_counted(len(self._faces))} given, and {self._next} thrown"
            thrown = f": {', '.join(self._sides)}" if 0 < self._next <= _NAMED_DICE else ""
            raise ParameterError(message, hint=f"give only the dice that are thrown{thrown}", parameter="dice")


_NAMED_DICE: Final = 20
"""The most dice that an error names one by one."""


def _counted(faces: int) -> str:
    return "no face is" if faces == 0 else "1 face is" if faces == 1 else f"{faces} faces are"


def parse_faces(faces: Iterable[int] | str | int) -> tuple[int, ...]:
    """Return faces: whole numbers, or text with numbers separated by spaces or commas.

    Raises:
        ParameterError: something is not a whole number.

    >>> parse_faces("4, 2 5")
    (4, 2, 5)
    """
    if isinstance(faces, str):
        limits.DICE.check(len(faces) // (limits.DIGITS.maximum + 1), hint="throw fewer dice", parameter="dice")
        words = faces.replace(",", " ").split()
        for word in words:
            if not (word.isascii() and word.isdigit() and len(word) <= limits.DIGITS.maximum):
                message = f"{quoted(word)} is not a face"
                raise ParameterError(message, hint="write the faces as numbers: 4 2 5", parameter="dice")
        return parse_faces(map(int, words))
    # A set has no order, and a mapping has more than faces.
    several = isinstance(faces, Iterable) and not isinstance(faces, bytes | bytearray | Mapping | AbstractSet)
    values = limits.DICE.take(faces, hint="throw fewer dice", parameter="dice") if several else (faces,)
    for face in values:
        if type(face) is not int:
            message = f"{quoted(face)} is not a face"
            raise ParameterError(message, hint="give the faces as whole numbers: [4, 2, 5]", parameter="dice")
        if abs(face) >= 10**limits.DIGITS.maximum:
            limits.DIGITS.check(limits.DIGITS.maximum + 1, parameter="dice")
    return cast("tuple[int, ...]", values)
