"""Counting every outcome of a rule: it is run once for each path through the branches of its dice calls.

The paths are visited depth first, the last call changing fastest. The rule is the very one that rolls. A rule with
rounds is a chain of states, and each state is counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from dicedocs import limits
from dicedocs.errors import LimitError, quoted
from dicedocs.probability.branching_dice import Counting, Node, PathDice, Uncounted
from dicedocs.probability.chains import Counts, Following, Ways, explore, groups_of, is_circle
from dicedocs.probability.dice_calls import Branches, CallKey, Counted, Play, Question, Repeat
from dicedocs.probability.refusals import how_to_count
from dicedocs.probability.size_probe import Evidence, SizeProbe, count_values
from dicedocs.render.text import note_last_step
from dicedocs.rules.dice import A_LOOP, Rule

_VALUES_EVERY: Final = 64
"""The values of one outcome in so many are counted, and stand for the others."""
_PROBES: Final = 1_000
"""The most random paths that are followed, a hundredth of the branches that may be counted."""
_FEW: Final = 16
"""So many branches are counted sooner than they are judged by random paths."""
_REPEATED_PATHS: Final = 16
"""How many paths are run twice at first; after these fewer and fewer are."""
Take: TypeAlias = Callable[[bool, Any, int, int, Sequence[Node]], None]
"""Takes a path: whether it ends, its value or else the next state, in how many ways out of how many it comes about,
and its calls."""
Visit: TypeAlias = Callable[[Any, Take], Generator[float, None, None]]
"""Visits the paths from a state."""


class Enumerator:
    """The counting of one mechanic, and of those that it plays, each once.

    Parameters:
        maximum: the limit of its branches.
        calls: the limit of the dice calls on all of them.
        unrolled: whether rounds, plays and sweeps are followed as the dice calls in them, without merging states.
        is_pure: whether the rule is known to depend on its dice alone, as the lines of a page do; else some paths run
            twice, and an error says how its Python is better written.

    Attributes:
        merges_states: whether states were merged, in rounds or a sweep.
        goes_round: whether a state leads back to itself, so that there is no end of paths unless states are merged.
        open_choices: the choices that are known to be open; ``None`` if an open choice is an error.
        branches, calls: what was counted so far.
        explained: the names of the limits whose errors say what would help.
    """

    def __init__(
        self,
        maximum: limits.Limit | None = None,
        calls: limits.Limit | None = None,
        *,
        unrolled: bool = False,
        is_pure: bool = False,
    ) -> None:
        self.maximum = maximum or limits.BRANCHES
        self.maximum_calls = calls or limits.TOTAL_CALLS
        self.merges_states = self.goes_round = False
        self.branches = 0
        self.calls = 0
        self.progress = 0.0
        self.unrolled = unrolled
        self.is_pure = is_pure
        counting = (self.maximum, self.maximum_calls, limits.BRANCHES, limits.VALUES, limits.DICE_CALLS)
        self.explained = set() if is_pure or unrolled else {limit.name for limit in counting}
        self.open_choices: set[CallKey] | None = None
        self.counted: dict[Question, Branches] = {}
        self._edges: dict[object, dict[Hashable, Following]] = {}
        self._stack: set[Question] = set()

    def outcomes(self, rule: Rule[Any], select: Callable[[Any], Hashable]) -> Generator[float, None, Counts]:
        """Return the ways to each outcome of a rule, of which only the selected facts count; yield the progress."""
        return (yield from self._ends(Play(rule), select))

    def count(self, question: Question) -> Generator[float, None, None]:
        """Count a call, so that its results become its branches."""
        if question not in self.counted:
            own = question.rule.counts() if isinstance(question, Play) and isinstance(question.rule, Counted) else None
            counts = own or (yield from self._ends(question, None))
            self.counted[question] = Branches(question.results(counts), [*counts.ways.values()], counts.total_ways)

    def chain(self, question: Question, start: Hashable, visit: Visit) -> Generator[float, None, Counts]:
        """Return the ways to each end of a call.

        Parameters:
            question: the call.
            start: its first state.
            visit: visits the paths from a state.
        """

        def follow(state: Any) -> Generator[float, None, Following]:
            ways = Ways()
            yield from visit(state, ways.add)
            return ways.following()

        edges = self._edges.setdefault(question[:-2], {}) if isinstance(question, Repeat) else {}
        yield from explore(start, follow, edges)
        return self.ends(question, start, edges)

    def ends(self, question: Question, start: Hashable, edges: Mapping[Hashable, Following]) -> Counts:
        """Return the ways to each end of a call, by what follows each of its states."""
        self.goes_round = self.goes_round or any(is_circle(group, edges) for group in groups_of(start, edges))
        return question.ends(start, edges)

    def _ends(self, question: Question, select: Callable[[Any], Hashable] | None) -> Generator[float, None, Counts]:
        """Return the ways to each end of a chain of states."""
        if question in self._stack:
            limits.PLAYS.check(limits.PLAYS.maximum + 1, hint=f"the rule never stops calling itself: {A_LOOP}")
        self._stack.add(question)
        plays = sum(isinstance(each, Play) for each in self._stack)
        limits.PLAYS.check(max(plays, len(self._stack) - plays), hint=A_LOOP)  # of both there may be so many
        paths = _Paths(self, question, select)
        ended, start = question.start()
        if ended:
            counts = Counts({(0, start) if isinstance(question, Repeat) and question.rounds else start: 1}, 1)
        else:
            try:
                counts = yield from self.chain(question, start, paths.visit)
            except LimitError as error:
                paths.explain(error)
                raise
            if not self.is_pure:
                yield from paths.check_first()
            self.merges_states |= isinstance(question, Repeat)
        self._stack.remove(question)
        return counts


class _Paths:
    """The paths from the states of one chain."""

    def __init__(self, enumerator: Enumerator, question: Question, select: Callable[[Any], Hashable] | None) -> None:
        self._enumerator = enumerator
        self._select = select
        self._counting = Counting(question, enumerator.counted, {}, enumerator.unrolled, enumerator.open_choices)
        self.followed = self._calls = self._next_repeated = self._values = 0
        # What is followed, and with which dice.
        self._state: Any
        self._dice: SizeProbe | PathDice
        self._first: tuple[PathDice, Any, Any] | None = None

    def visit(self, state: Any, take: Take) -> Generator[float, None, None]:
        """Visit the paths from a state."""
        enumerator, select = self._enumerator, self._select
        self._state = state
        dice = self._dice = PathDice(self._counting)
        previous = None
        maximum, maximum_calls = enumerator.maximum.maximum, enumerator.maximum_calls.maximum
        while True:
            try:
                following = dice.run(state)
            except Uncounted as error:
                yield from enumerator.count(error.question)
                continue
            except Exception as error:
                note_last_step(error, dice.steps_of(lambda: dice.run(state)))
                raise
            yield enumerator.progress
            if previous is not None and following != previous:
                raise dice.nondeterministic()
            if self.followed == self._next_repeated and not enumerator.is_pure:
                # A rule that reads a clock or random numbers may still make the same calls, so some paths run twice.
                self._next_repeated = max(self.followed + 1, 2 * self.followed - _REPEATED_PATHS)
                previous = following
                continue
            if self._first is None:
                self._first = dice, state, following
            previous = None
            self.followed += 1
            enumerator.branches += 1
            enumerator.calls += len(dice.path)
            self._calls += len(dice.path)
            if enumerator.branches > maximum or enumerator.calls > maximum_calls:
                enumerator.maximum.check(enumerator.branches)
                enumerator.maximum_calls.check(enumerator.calls)
            if self.followed == _FEW:
                yield from self._check_size()
                self._dice = dice
            ways, total_ways = dice.weight()
            ended, reached = following
            try:
                if ended and select:
                    reached = select(reached)
                take(ended, reached, ways, total_ways, dice.path)
            except TypeError:
                message = f"{dice.name()} gives {quoted(reached)}, of which something can change"
                raise TypeError(f"{message}; give tuples instead of lists") from None
            if not dice.advance():
                enumerator.merges_states |= dice.swept
                return
            enumerator.progress = dice.progress()
            if not self.followed % _VALUES_EVERY:
                self._values += _VALUES_EVERY * count_values(reached)
                if self._values > limits.VALUES.maximum:
                    limits.VALUES.check(self._values)

    def check_first(self) -> Generator[float, None, None]:
        """Run the first path again at the end, when time has gone by, and more often if there were few paths."""
        if self._first is None:
            return
        dice, state, following = self._first
        for _ in range(max(1, _REPEATED_PATHS - self.followed)):
            if dice.run(state) != following:
                raise dice.nondeterministic()
            yield 1.0

    def explain(self, error: LimitError) -> None:
        """Say in an error what would help, unless it is said already."""
        if error.limit in self._enumerator.explained and not error.hint:
            error.hint = how_to_count(self._counting, self._state, self._dice)

    def _check_size(self) -> Generator[float, None, None]:
        """Refuse at once, by some random paths, what would surely pass a limit."""
        probe = self._dice = SizeProbe(self._counting)
        enumerator, state = self._enumerator, self._state
        evidence = [
            Evidence(enumerator.maximum, enumerator.branches - self.followed),
            Evidence(enumerator.maximum_calls, enumerator.calls - self._calls),
            Evidence(limits.VALUES),
        ]
        while probe.paths < _PROBES and any(one.is_open for one in evidence):
            try:
                sizes = probe.measure(state)
            except Uncounted as error:
                yield from enumerator.count(error.question)
                continue
            except Exception as error:
                note_last_step(error, probe.steps_of(lambda: probe.measure(state)))
                raise
            yield enumerator.progress
            for one, size in zip(evidence, sizes, strict=True):
                one.add(size)
                if one.is_strong:
                    one.limit.check(one.mean)
