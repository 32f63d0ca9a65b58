"""What would let a rule be counted that is refused: found out by trials, so that it is true of any code.

The results of a dice call are exchanged, and whatever then stays as it was is not read by the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from math import log10, prod
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import LimitError
from dicedocs.faults import Place
from dicedocs.probability.branching_dice import Call, Counting, Node
from dicedocs.probability.dice_calls import DiceCall, Each, Pool, Roll, Tally, Total
from dicedocs.probability.trial_dice import ExtremeDice, SampledBranches, TrialDice
from dicedocs.rules.dice import Dice, Keep, SeededDice
from dicedocs.rules.record import Faces

FEWER_BRANCHES: Final = "throw fewer dice, compute the odds in distribution(), or take samples: estimate(...)"
"""The hint where nothing else helps."""
_REPEAT: Final = "write the loop as dice.repeat(step, state, until), which counts states instead of paths"
_COUNT: Final = "dice.repeat(..., count=True) counts the rounds"
_OWN_RULE: Final = "make it a rule of its own, play that here, and ask for its odds"
_WORK: Final = 60_000
"""The dice calls of all trials, which take about half a second."""
_PATHS: Final = 6
_TRIALS: Final = 40
"""How often a result is exchanged for another before it is believed that the rule does not tell them apart."""
_SHARES: Final = 12
"""How often one die shows another face, with more and more dice that show it already."""
_MAX_CLASSES: Final = 4
_MAX_FACES: Final = 20
_MAX_DICE: Final = 100
_MAX_WRITTEN: Final = 3
"""The calls that an error says how to write."""
_STATES: Final = 1_000
"""After so many different states in a row there will ever be new ones."""
_WAYS_TO_GO_ON: Final[tuple[Callable[[], Dice], ...]] = (
    partial(ExtremeDice, high=False),
    partial(ExtremeDice, high=True),
    *(partial(SeededDice, seed) for seed in range(8)),
)
"""Dice that show the same in each round of a loop, and so may keep it going."""
_ORDINALS: Final = {1: "first", 2: "second", 3: "third"}

Cure = Callable[[int, int], DiceCall]
"""Makes a call, given the number of dice and their sides."""
Trials = Generator[float, None, bool]
"""Yields after each trial; returns what they say."""


def largest_call(code: str, place: str, size: int, times: int = 1, *, is_counted: bool = True) -> str:
    """Return the clause of an error that names the dice call with the most branches.

    >>> largest_call("dice.roll(6)", "mygame.py:3, in resolve", 6, times=9)
    'the largest dice call is dice.roll(6) (mygame.py:3, in resolve), with 6 branches, made 9 times'
    """
    number = str(size) if size < 10**limits.DIGITS.maximum else f"about 10^{log10(size):.0f}"
    repeated = f", made {times} times" if times > 1 else ""
    known = "" if is_counted else "at least "
    return f"the largest dice call is {code} ({place}), with {known}{number} branches{repeated}"


class _Path(NamedTuple):
    """A path that was followed.

    Parameters:
        calls: its calls.
        places: where the rule makes them.
        following: the state that it leads to.
    """

    calls: Sequence[Call]
    places: Sequence[Place]
    following: Any

    def throws(self, place: Place) -> Iterator[_Throw]:
        """Return the throws of two or more equal dice that are made in a place."""
        made = [(call.key, at) for call, at in zip(self.calls, self.places, strict=True)]
        for ((kind, *arguments), at), run in groupby(range(len(made)), key=made.__getitem__):
            indexes = list(run)
            if at != place:
                continue
            if kind is Roll and len(indexes) > 1:
                yield _Throw(self, indexes[0], len(indexes), kind, len(indexes), arguments[0])
            elif kind is Each or (kind is Pool and arguments[1] is None):
                sides = arguments[0]
                if len(sides) > 1 and len({*sides}) == 1:
                    yield from (_Throw(self, index, 1, kind, len(sides), sides[0]) for index in indexes)

    def has_loop(self, cured: Iterable[Place]) -> bool:
        """Return whether calls are made several times in a place, even if each throw is one call in those places."""
        calls = len(self.places) - sum(throw.calls - 1 for place in cured for throw in self.throws(place))
        return calls > len({*self.places})


class _Throw(NamedTuple):
    """Equal dice that are thrown by one call, or by calls of one die each."""

    path: _Path
    first: int
    calls: int
    kind: type
    dice: int
    sides: int

    def given(self, faces: Sequence[int]) -> list[Call]:
        """Return its calls with these faces."""
        key = self.path.calls[self.first].key
        if self.kind is Roll:
            return [Call(key, face) for face in faces]
        return [Call(key, Faces(sorted(faces) if self.kind is Pool else faces))]


class Cures:
    """The search for what would let a rule be counted.

    Parameters:
        counting: what is counted.
        sampled: the branches of its calls.
        state: the state from which it was refused.
        path: the beginning of a path that was too much.
        select: takes from all facts those whose odds are asked for, if it is not a part of a rule that is counted.
    """

    def __init__(
        self,
        counting: Counting,
        sampled: SampledBranches,
        state: Any,
        path: Sequence[Call | Node],
        select: Callable[[Any], Hashable] | None,
    ) -> None:
        self._question = counting.question
        self._dice = TrialDice(counting, sampled)
        self._state = state
        self._path = path
        self._select = select
        self._chance = SeededDice(0)
        self._made = 0

    def explain(self, error: LimitError) -> Generator[float, None, None]:
        """Say in an error what would help; yield after each trial."""
        error.hint = FEWER_BRANCHES
        with suppress(Exception):  # a rule may fail with results that it never has, and a caller's time may be up
            yield from self._explain(error)

    def goes_on(self) -> Generator[float, None, str]:
        """Return where dice can keep the rule for ever, or nothing."""
        for source in _WAYS_TO_GO_ON:
            with suppress(LimitError):
                self._dice.follow(self._state, source, same=True)
            if self._dice.made > limits.DICE.maximum:
                return str(self._dice.place)
            yield 1.0
            if self._is_late():
                break
        return ""

    def _explain(self, error: LimitError) -> Generator[float, None, None]:
        with suppress(LimitError):  # then the calls before it are those that are known
            self._dice.follow(self._state, partial(SeededDice, 0), self._path)
        first = _Path(self._dice.calls, self._dice.places[: len(self._dice.calls)], None)
        if not first.calls:
            return
        named, largest = self._largest(first)
        error.hint = f"{named}; {FEWER_BRANCHES}"
        yield 1.0
        place = yield from self.goes_on()
        if place:
            error.limit = limits.DICE_CALLS.name
            error.message = (
                f"the rule may go on for ever ({place}); the limit DICE_CALLS is {limits.DICE_CALLS.maximum}"
            )
            error.hint = _REPEAT
        elif (yield from self._meets_ever_new_states()):
            error.message = f"the rule keeps reaching new states{error.message[error.message.index(';') :]}"
            error.hint = f"leave out of the states of {self._question.name()} whatever nothing reads later; {_COUNT}"
            return
        if any(type(call.result) is Faces and len(call.result) > _MAX_DICE for call in first.calls):
            return
        paths: list[_Path] = []
        while len(paths) < _PATHS:
            paths.append((yield from self._random_path(len(paths))))
        deciding = "" if place else (yield from self._deciding(paths))
        if deciding:
            error.hint = f"only {deciding} decides the answer; {_OWN_RULE}"
            return
        paths.append(first)
        cures: dict[Place, Cure] = {}
        written: list[str] = []
        for at in sorted({*first.places}, key=lambda at: (at != largest, at.line, at.instruction)):
            throws = [throw for path in paths for throw in path.throws(at)]
            cure = (yield from self._cure(throws)) if throws else None
            if cure is not None:
                cures[at] = cure
                code = cure(throws[0].dice, throws[0].sides).code()
                written.append(code if not place and at == largest else f"{code} ({at})")
        hints = [] if place else [named]
        if written:
            hints.append(f"write {' and '.join(written[:_MAX_WRITTEN])}")
        if sum(self._cured_size(path, cures) for path in paths) > len(paths) * limits.BRANCHES.maximum or not written:
            has_loop = any(path.has_loop(cures) for path in paths)
            hints.append(_REPEAT if has_loop else FEWER_BRANCHES)
        elif place:
            hints.append(_REPEAT)
        error.hint = "; ".join(hints)

    def _largest(self, path: _Path) -> tuple[str, Place]:
        """Return the clause that names the call with the most branches on a path, and where it is made."""
        sizes: dict[tuple[str, Place, bool], list[int]] = {}
        for call, place in zip(path.calls, path.places, strict=True):
            kind, *arguments = call.key
            about = kind(*arguments).code(), place, self._dice.is_counted(call.key)
            sizes.setdefault(about, []).append(self._dice.size(call.key))
        (code, at, is_counted), largest = max(sizes.items(), key=lambda item: max(item[1]) ** len(item[1]))
        return largest_call(code, str(at), max(largest), len(largest), is_counted=is_counted), at

    def _random_path(self, seed: int) -> Generator[float, None, _Path]:
        following = self._dice.follow(self._state, partial(SeededDice, seed))
        path = _Path(self._dice.calls, self._dice.places, following)
        yield 1.0
        return path

    def _is_late(self) -> bool:
        return self._dice.work > _WORK

    def _meets_ever_new_states(self) -> Trials:
        for source in _WAYS_TO_GO_ON:
            seen: set[Hashable] = set()
            ended, state = self._question.start()
            while not ended and state not in seen:
                if self._is_late():
                    return False
                seen.add(state)
                if len(seen) > _STATES:
                    return True
                ended, state = self._dice.follow(state, source, same=True)
                yield 1.0
        return False

    def _deciding(self, paths: Sequence[_Path]) -> Generator[float, None, str]:
        """Return which one of several equal calls decides alone what is asked, if one does."""
        keys = [call.key for call in paths[0].calls]
        found = [index for index, key in enumerate(keys) if keys.count(key) > 1]
        if self._select is None or not found or any([call.key for call in path.calls] != keys for path in paths):
            return ""
        if len({self._asked(path) for path in paths}) == 1:
            return ""
        for seed in range(_PATHS, _PATHS + _TRIALS):
            paths = [*paths, (yield from self._random_path(seed))]
            one, other = paths[-2:]
            for index in list(found):
                crossed = [*other.calls[:index], one.calls[index], *other.calls[index + 1 :]]
                try:
                    following = self._dice.follow(self._state, partial(SeededDice, 0), crossed)
                except RuntimeError:  # other calls follow
                    return ""
                yield 1.0
                if self._asked(_Path(crossed, (), following)) != self._asked(one):
                    found.remove(index)
        if len(found) != 1 or self._is_late():
            return ""
        kind, *arguments = keys[found[0]]
        number = keys[: found[0] + 1].count(keys[found[0]])
        which = _ORDINALS.get(number, f"{number}th")
        return f"the {which} {kind(*arguments).code()} ({paths[0].places[found[0]]})"

    def _asked(self, path: _Path) -> Hashable:
        ended, value = path.following
        return ended, self._select(value) if self._select and ended else value

    def _cure(self, throws: Sequence[_Throw]) -> Generator[float, None, Cure | None]:
        """Return the call that returns all that a rule reads of equal dice, if it reads less than it is given."""
        self._throws = throws
        dice, sides = throws[0].dice, throws[0].sides
        if not (yield from self._agree(self._shuffled)):
            return None
        classes = (yield from self._classes(sides)) if sides <= _MAX_FACES else None
        if classes is not None and (yield from self._agree(partial(self._others_of_class, classes))):
            most = max(classes, key=lambda hits: (len(hits), -hits[0]))
            read = tuple(tuple(hits) for hits in classes if hits is not most)
            return partial(Tally, classes=read)
        keeps = [Keep(kept, high) for high in (True, False) for kept in range(1, dice)]
        for keep in [None, *(keeps if all(throw.dice == dice for throw in throws) else [])]:
            if keep is None or (yield from self._agree(partial(self._others_dropped, keep))):
                if (yield from self._agree(partial(self._shifted, keep))):
                    return partial(Total, keep=keep)
                if keep:
                    return partial(_pool, keep=keep)
        return None if throws[0].kind is Pool or self._is_late() else partial(_pool, keep=None)

    def _agree(self, other: Callable[[list[int], int], list[int]]) -> Trials:
        """Return whether the rule does the same with other faces, in all trials."""
        for trial in range(_TRIALS):
            throw = self._throws[trial % len(self._throws)]
            faces = self._chance.throw(throw.dice, throw.sides)
            if not (yield from self._same(throw, faces, other(faces, throw.sides))):
                return False
        return True

    def _same(self, throw: _Throw, faces: Sequence[int], others: Sequence[int]) -> Trials:
        if self._is_late():
            return False
        self._made += 1
        begun = throw.path.calls[: throw.first]
        source = partial(SeededDice, self._made)
        try:
            following = self._dice.follow(self._state, source, [*begun, *throw.given(faces)])
            calls = self._dice.calls
            yield 1.0
            given = [*begun, *throw.given(others), *calls[throw.first + throw.calls :]]
            return self._dice.follow(self._state, source, given) == following and len(self._dice.calls) == len(calls)
        except RuntimeError:  # other calls follow
            return False

    def _classes(self, sides: int) -> Generator[float, None, list[list[int]] | None]:
        """Return the classes of faces that the rule tells apart, if there are few."""
        classes = [[1]]
        for face in range(2, sides + 1):
            for known in reversed(classes):
                if (yield from self._are_alike(face, known[0])):
                    known.append(face)
                    break
            else:
                classes.append([face])
            if len(classes) > _MAX_CLASSES:
                return None
        return classes if len(classes) > 1 else None

    def _are_alike(self, face: int, other: int) -> Trials:
        """Return whether the rule does the same if one die shows another face, however many of the others do."""
        for trial in range(_SHARES):
            throw = self._throws[trial % len(self._throws)]
            alike = trial * throw.dice // _SHARES
            rest = throw.dice - 1 - alike
            for rest_of in ([face] * rest, self._chance.throw(rest, throw.sides)):
                around = [*rest_of, *[other] * alike]
                if not (yield from self._same(throw, [face, *around], [other, *around])):
                    return False
        return True

    def _shuffled(self, faces: list[int], sides: int) -> list[int]:
        """Return the faces in another order."""
        return sorted(faces, key=lambda _: self._chance.throw(1, limits.SIDES.default))

    def _others_of_class(self, classes: list[list[int]], faces: list[int], sides: int) -> list[int]:
        """Return for each face one of its class."""
        others = []
        for face in faces:
            hits = next(hits for hits in classes if face in hits)
            others.append(hits[self._chance.throw(1, len(hits))[0] - 1])
        return others

    def _others_dropped(self, keep: Keep, faces: list[int], sides: int) -> list[int]:
        """Return faces with other dice that are not kept."""
        kept = [faces[index] for index in keep.order(faces)]
        low, high = (1, min(kept)) if keep.high else (max(kept), sides)
        return kept + [low - 1 + face for face in self._chance.throw(len(faces) - len(kept), high - low + 1)]

    def _shifted(self, keep: Keep | None, faces: list[int], sides: int) -> list[int]:
        """Return faces of which those that are kept have the same sum."""
        order = keep.order(faces) if keep else list(range(len(faces)))
        low = 1 if not keep or not keep.high else max(1, *(f for i, f in enumerate(faces) if i not in order))
        high = sides if not keep or keep.high else min(sides, *(f for i, f in enumerate(faces) if i not in order))
        others = list(faces)
        for _ in order:
            less, more = (order[self._chance.throw(1, len(order))[0] - 1] for _ in "-+")
            if less != more and others[less] > low and others[more] < high:
                others[less] -= 1
                others[more] += 1
        return others

    def _cured_size(self, path: _Path, cures: dict[Place, Cure]) -> int:
        """Return the number of branches of the calls of a path, cured."""
        sizes = [self._dice.size(call.key) for call in path.calls]
        for place, cure in cures.items():
            for throw in path.throws(place):
                sizes[throw.first : throw.first + throw.calls] = [cure(throw.dice, throw.sides).size()] + [1] * (
                    throw.calls - 1
                )
        return prod(sizes)


def _pool(dice: int, sides: int, keep: Keep | None) -> Pool:
    return Pool((sides,) * dice, keep)
