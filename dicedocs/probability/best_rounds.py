"""Best play of rounds that are counted: what an end is worth may depend on the round.

From some round on it must change by the same for each round, as ``-mean(turns)`` does, or not at all, as
``p(turns at most 3)`` after three. Then the states are worth the same each time, but for that, and are solved together;
the rounds before are solved one by one, from the last to the first. Rounds that end by themselves are all solved so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import ParameterError
from dicedocs.probability.best_play import Best, Chain, Solved, Tree, Value, sums
from dicedocs.probability.chains import Counts, Edges, ends_of_rounds

_FOLLOWED: Final = limits.ROUNDS.fixed(1_000)
"""What follows the rounds is known for so many of them."""
_CHANGING: Final = 500
"""After so many rounds what a round is worth must change by the same each time."""
_IN_THE_STATE: Final = "count the rounds in the state of dice.repeat(...), up to a number"


class Rounds(Chain):
    """The states of rounds that are counted; an end is the number of rounds and the last state.

    Attributes:
        last_states: all states in which the rounds may end.
        levels: the states before each round that is followed.
        are_finite: whether there are no other rounds.
    """

    def __init__(self, start: Hashable, trees: Mapping[Hashable, Tree]) -> None:
        super().__init__(start, trees)
        known: dict[tuple[Hashable, ...], tuple[list[Any], tuple[Hashable, ...]]] = {}
        self.levels: list[tuple[Hashable, ...]] = []
        self.last_states, self.ends = self.ends, []
        level: tuple[Hashable, ...] = (start,)
        while level and len(self.levels) < _FOLLOWED.maximum:
            self.levels.append(level)
            if level not in known:
                leaves = [leaf for state in level for leaf in self.leaves[state]]
                reached = {value for ended, value in leaves if not ended}
                ended_here = list(dict.fromkeys(value for ended, value in leaves if ended))
                known[level] = ended_here, tuple(state for state in trees if state in reached)
            ended_here, level = known[level]
            self.ends += [(len(self.levels), end) for end in ended_here]
        self.are_finite = not level
        if not self.ends:
            _refuse_more()

    def at_random(self) -> Counts:
        if self._at_random is None:
            self._at_random = self.counts([], Best(self, {}, ()))
        return self._at_random

    def counts(self, first: Sequence[Best], later: Best) -> Counts:
        """Return the ways to each end.

        Parameters:
            first: how the first rounds are played.
            later: how each round after them is played.
        """
        return ends_of_rounds(self.start, self._rounds(first, later), self.trees)

    def _rounds(self, first: Sequence[Best], later: Best) -> Iterator[Edges]:
        for level, play in zip(self.levels, first, strict=False):
            yield {state: play.following(state) for state in level}
        known: dict[tuple[Hashable, ...], Edges] = {}
        for level in self.levels[len(first) :]:
            if level not in known:
                known[level] = {state: later.following(state) for state in level}
            yield known[level]
        _refuse_more()

    def solve(self, worth: Mapping[Any, Value]) -> BestRounds:
        return BestRounds(self, worth)


def _refuse_more() -> None:
    _FOLLOWED.check(_FOLLOWED.maximum + 1, hint=_IN_THE_STATE)


class BestRounds:
    """The best play of rounds that are counted, by what each end is worth.

    Attributes:
        value: what the first state is worth.
    """

    def __init__(self, rounds: Rounds, worth: Mapping[Any, Value]) -> None:
        worths: list[dict[Any, Value]] = [{} for _ in rounds.levels]
        for (number, end), value in worth.items():
            worths[number - 1][end] = value
        changing = len(worths)
        self.later = Best(rounds, {}, ())
        if not rounds.are_finite:
            changing, per_round, at_first = _steady(worths)
            if not per_round:
                _refuse_more()
            if changing > _CHANGING:
                message = f"worth does not change by the same for each round even after {_CHANGING} rounds"
                raise ParameterError(message, hint=_IN_THE_STATE, parameter="best")
            nothing = tuple([Fraction(0)] * len(per_round))
            # What only comes up in the rounds before is worth nothing here, and nothing leads to it.
            here = {end: sums(at_first.get(end, nothing), per_round, changing + 1) for end in rounds.last_states}
            self.later = Best(rounds, here, rounds.groups, per_round=per_round if any(per_round) else ())
        self.first: list[Best] = []
        values = self.later.values
        for number in range(changing, 0, -1):
            groups = [(state,) for state in rounds.levels[number - 1]]
            self.first.insert(0, Best(rounds, worths[number - 1], groups, later=values))
            values = self.first[0].values
        self.value = values[rounds.start]
        self._rounds = rounds
        self._counts = rounds.counts(self.first, self.later)  # which refuses what goes on longer than it is known

    def odds(self) -> Counts:
        """Return the ways to each end in best play."""
        return self._counts

    def solved(self) -> Iterator[Solved]:
        """Yield what is best for each choice in each state, whether best play comes there or not."""
        for play in self.first:
            yield from play.solved()
        later = self._rounds.levels[len(self.first) :]
        yield from self.later.solved_in(dict.fromkeys(state for level in dict.fromkeys(later) for state in level))


def _steady(worths: Sequence[Mapping[Any, Value]]) -> tuple[int, Value, dict[Any, Value]]:
    """Return after how many rounds worth changes by the same for each, by what, and what it would be at the beginning.

    Parameters:
        worths: what each end of each round is worth.
    """
    numbered = [(number, *each) for number, of_round in enumerate(worths, 1) for each in of_round.items()]
    numbered.reverse()
    last: dict[Any, tuple[int, Value]] = {}
    per_round: Value = ()
    for number, end, value in numbered:
        if end in last:
            after, then = last[end]
            per_round = tuple((one - other) / (after - number) for one, other in zip(then, value, strict=True))
            break
        last[end] = number, value
    at_first: dict[Any, Value] = {}
    for number, end, value in numbered:
        begun = sums(value, per_round, -number)
        if at_first.setdefault(end, begun) != begun:
            return number, per_round, at_first
    return 0, per_round, at_first
