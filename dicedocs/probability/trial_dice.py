"""Dice that are thrown to find out about a rule: what it would do with other results of the same calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from dicedocs import limits
from dicedocs.faults import Place, calling_place
from dicedocs.probability.branching_dice import COUNTED_FIRST, BranchingDice, Call, Counting, Node, Uncounted
from dicedocs.probability.chains import Counts
from dicedocs.probability.dice_calls import Branches, CallKey, Play, Question
from dicedocs.rules.dice import Dice, SeededDice
from dicedocs.rules.outcome import fact_values
from dicedocs.rules.record import Faces

_SAMPLES: Final = 60
"""How often a call is made to find some of its results."""
_PATH: Final = 20
"""A path is as much work as so many dice calls."""
_MOST_SAMPLES: Final = 300
"""After so many samples of all calls, only two are made of each other one."""
_SAMPLE: Final = 10
"""A sample that throws more dice than this counts as several."""


class SampledBranches(Mapping[Question, Branches]):
    """The branches of calls; of one that is not counted yet some of its results, each as likely as the others."""

    def __init__(self, counted: Mapping[Question, Branches]) -> None:
        self._counted = counted
        self._sampled: dict[Question, Branches] = {}
        self._left = _MOST_SAMPLES

    def __getitem__(self, question: Question) -> Branches:
        branches = self._counted.get(question) or self._sampled.get(question)
        if branches is None:
            results = self._sample(question)
            branches = self._sampled[question] = Branches(results, [1] * len(results), len(results))
        return branches

    def _sample(self, question: Question) -> list[Any]:
        results: list[Any] = []
        while len(results) < 2 or (len(results) < _SAMPLES and self._left > 0):
            dice = _CountedDice(len(results))
            results.append(_result(question, dice))
            self._left -= 1 + dice.thrown // _SAMPLE
        if isinstance(question, Play):
            return question.results(Counts(dict.fromkeys(results, 1), len(results)))
        return [*dict.fromkeys(results)]

    def has_counted(self, question: Question) -> bool:
        """Return whether all results of a call are known."""
        return question in self._counted

    def __contains__(self, question: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Question]:
        """Iterate over the calls of which only some results are known."""
        return iter(self._sampled)

    def __len__(self) -> int:
        return len(self._sampled)


class _CountedDice(SeededDice):
    """Dice that count how many of them are thrown."""

    __slots__ = ("thrown",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.thrown = 0

    def throw(self, count: int, sides: int) -> list[int]:
        self.thrown += count
        return super().throw(count, sides)


def _result(question: Question, dice: Dice) -> Any:
    """Return a result of a call: the facts of a play, or the last state of a repetition."""
    if isinstance(question, Play):
        return fact_values(dice.play(question.rule))
    step, until, state, rounds = question
    return dice.repeat(step.call, state, until.call, count=rounds)  # type: ignore[call-overload]


class ExtremeDice(Dice):
    """Dice that all show their lowest face, or all their highest."""

    __slots__ = ("_high",)

    def __init__(self, *, high: bool) -> None:
        super().__init__()
        self._high = high

    def throw(self, count: int, sides: int) -> list[int]:
        """Return these faces."""
        return [sides if self._high else 1] * count


class TrialDice(BranchingDice):
    """Dice that make each call by throwing others.

    Parameters:
        counting: what is counted.
        sampled: the branches of the calls that are made.

    Attributes:
        calls: the calls of the last path, as far as it went; those that have the same result are not kept.
        places: where the rule makes each of them.
        made: how many there were.
        work: how many there were on all paths, with each path itself.
        place: where the rule made the last one.
    """

    __slots__ = ("_given", "_results", "_sampled", "_source", "calls", "made", "place", "places", "work")

    def __init__(self, counting: Counting, sampled: SampledBranches) -> None:
        self._sampled = sampled
        super().__init__(counting._replace(counted=sampled))
        self.calls: list[Call] = []
        self.places: list[Place] = []
        self.made = self.work = 0

    def follow(
        self, state: Any, source: Callable[[], Dice], given: Sequence[Call | Node] = (), *, same: bool = False
    ) -> Any:
        """Return the state that follows another one.

        Parameters:
            state: the state.
            source: makes the dice that are thrown.
            given: the calls with which the path begins, with the results that they have instead.
            same: whether a call has the same result each time that it is made in the same place.

        Raises:
            LimitError: the path has more calls than ``DICE_CALLS``; if they have the same results more than ``DICE``,
                which no play can have.
            RuntimeError: a call is not the one that is given.
        """
        self._given = given
        while True:
            self.calls, self.places = [], []
            self.made = 0
            self.work += _PATH
            self._source = source()
            self._results: dict[object, Any] | None = {} if same else None
            try:
                return self.run(state)
            except Uncounted:  # a play of whose outcome something is read is made at once the next time
                self._pending = None

    def is_counted(self, key: CallKey) -> bool:
        """Return whether all results of a call are known, not just some."""
        kind, *arguments = key
        return kind not in COUNTED_FIRST or self._sampled.has_counted(kind(*arguments))

    def choose(self, key: CallKey) -> Any:
        index, self.made = self.made, self.made + 1
        self.work += 1
        (limits.DICE_CALLS if self._results is None else limits.DICE).check(self.made)
        place = self.place = calling_place()
        if self._results is not None:
            if (place, key) not in self._results:
                self._results[place, key] = self._make(key)
            return self._results[place, key]
        self.places.append(place)
        if index < len(self._given):
            if self._given[index].key != key:
                raise self.nondeterministic()
            result = self._given[index].result
        else:
            result = self._make(key)
        self.calls.append(Call(key, result))
        return result

    def _make(self, key: CallKey) -> Any:
        kind, *arguments = key
        if kind in COUNTED_FIRST:
            results = self.branches(key).results
            return results[self._source.throw(1, len(results))[0] - 1]
        result = kind(*arguments).throw(self._source)
        return Faces(result) if type(result) is Faces else result  # as they are while odds are counted
