"""Dice that record each dice call as a step: those that repeat recorded faces, and those of a rule that fails."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from dicedocs.errors import ParameterError, is_text, quoted
from dicedocs.rules.dice import Choosing, Dice, Keep, Rule
from dicedocs.rules.kinds import spaced
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.record import Die, Faces, Record
from dicedocs.rules.steps import Face, Operand, RecordingSay, Say, Step

R = TypeVar("R", bound=Outcome)
T = TypeVar("T")


class TracedFaces(Faces):
    """Faces that know their dice; a mark with a reason is recorded as a step."""

    _say: RecordingSay

    @classmethod
    def trace(cls, faces: Faces, record: Record, say: RecordingSay) -> TracedFaces:
        """Return faces whose marks are steps of ``say``."""
        known = (Face.of(face, i + 1, record.sides[i]) for face, i in zip(faces, faces.indexes, strict=True))
        self = cls.of(known, record, faces.indexes)
        self._say = say
        return self

    def mark(self, place: int, state: str, why: str = "") -> None:
        super().mark(place, state, why)
        if why:
            self._say.record(why, "mark", (self[place],), self[place], how=state)

    def show(self, texts: Sequence[str]) -> None:
        super().show(texts)
        self._say.show_throw({self.indexes[place] + 1: texts[face - 1] for place, face in enumerate(self)})


class Replay(Dice):
    """The faces of a record once more, with each dice call recorded as a step.

    Parameters:
        record: the record of the play.
        say: where the steps are recorded.
    """

    __slots__ = ("_original", "_say")

    _record: Record

    def __init__(self, record: Record, say: RecordingSay) -> None:
        super().__init__()
        self._original = record
        self._say = say
        self._record = Record()

    def matches(self) -> bool:
        """Return whether the same dice were thrown, with the same final states."""
        return self._record == self._original

    def throw(self, count: int, sides: int) -> list[int]:
        start = self._thrown()
        if self._original.sides[start : start + count] != [sides] * count:
            raise RuntimeError("the rule throws other dice while its steps are recorded")
        return self._original.faces[start : start + count]

    def roll(self, sides: int) -> int:
        start = self._thrown()
        face = super().roll(sides)
        self._record_call(start, None)
        return Face.of(face, start + 1, sides)

    def each(self, *sides: int) -> Faces:
        start = self._thrown()
        return self._trace(start, super().each(*sides))

    def pool(self, *sides: int, keep: Keep | None = None, unread: Mapping[int, str] | None = None) -> Faces:
        start = self._thrown()
        return self._trace(start, super().pool(*sides, keep=keep, unread=unread))

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        start = self._thrown()
        return self._record_call(start, super().total(count, sides, keep=keep), "total")

    def tally(self, count: int, sides: int, *classes: Collection[int]) -> Any:
        start = self._thrown()
        counts = super().tally(count, sides, *classes)
        faces = enumerate(self._record.faces[start:], start + 1)
        uncounted = [position for position, face in faces if not any(face in one for one in classes)]
        return self._record_call(start, counts, "tally", uncounted)

    def choose(self, choice: Choosing, ways: Sequence[Any] = (False, True), /, **seen: object) -> Any:
        way = super().choose(choice, ways, **seen)
        return self._say.record(spaced(choice.name).capitalize(), "choose", (), way)

    def play(self, rule: Rule[R], label: str = "") -> R:
        _check_label(label, "a play")
        return super().play(rule, label)

    def _resolve(self, rule: Rule[R], label: str) -> R:
        name = label or type(rule).__name__
        outcome, steps = self._record_steps(partial(rule.resolve, self), Step(name, "play"))
        self._say.steps.append(Step(name, "play", steps=steps, played=outcome))
        return outcome

    def _round(self, step: Callable[..., tuple[Any, ...]], state: tuple[Any, ...], label: str, number: int) -> Any:
        _check_label(label, "a round")
        whole = Step(label, "play", how=str(number))
        following, steps = self._record_steps(lambda say: step(self, say, *state), whole)
        self._say.steps.append(whole._replace(steps=steps))
        return following

    def _record_steps(self, run: Callable[[Say], T], whole: Step) -> tuple[T, tuple[Step, ...]]:
        """Return what a part of the rule returns, with its steps; one that fails leaves its own in its whole."""
        outer, self._say = self._say, RecordingSay()
        inner = self._say
        try:
            return run(inner), tuple(inner.steps)
        except Exception:
            outer.steps.append(whole._replace(steps=tuple(inner.steps)))
            raise
        finally:
            self._say = outer

    def _throw_pool(self, sides: Sequence[int], label: str) -> Faces:
        faces = super()._throw_pool(sides, label)
        return self._say.throw(label, faces) if label and sides else faces

    def _trace(self, start: int, faces: Faces) -> Faces:
        self._record_call(start, None)
        return TracedFaces.trace(faces, self._record, self._say)

    def _record_call(self, start: int, value: T, how: str = "", uncounted: Iterable[int] = ()) -> T:
        """Record the step of a dice call, whose dice are those from an index on, and return its value."""
        record = self._record
        if start < len(record.faces):
            state = record.states.get
            dice = [
                Operand(face, state(position - 1, ""), position, sides)
                for position, (face, sides) in enumerate(
                    zip(record.faces[start:], record.sides[start:], strict=True), start + 1
                )
            ]
            self._say.record_throw(dice, value, how, uncounted)
        return value


def _check_label(label: object, of: str) -> None:
    if not is_text(label):
        raise ParameterError(f"{quoted(label)} is not the label of {of}", hint="give a text")


def play_before_failure(rule: Rule[Any], dice: Dice) -> tuple[tuple[Step, ...], tuple[Die, ...]]:
    """Return the steps of a rule that fails and the dice that it throws, up to where it does.

    Parameters:
        rule: the mechanic with its parameters.
        dice: the dice with which it fails, not thrown yet.
    """
    say = RecordingSay()
    recorded = _Recorded(dice, say)
    with suppress(Exception):  # the failure is known
        rule.resolve(recorded, say)
    return tuple(say.steps), recorded.thrown


class _Recorded(Replay):
    """Dice whose faces come from other dice, with each dice call recorded as a step."""

    __slots__ = ("_source",)

    def __init__(self, source: Dice, say: RecordingSay) -> None:
        super().__init__(Record(), say)
        self._source = source

    def throw(self, count: int, sides: int) -> list[int]:
        return self._source.throw(count, sides)

    @property
    def thrown(self) -> tuple[Die, ...]:
        """The dice that were thrown so far."""
        return self._record.dice()
