"""Dice that explore a rule, one branch of each of its dice calls after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

from dicedocs import limits
from dicedocs.errors import quoted
from dicedocs.probability.dice_calls import (
    Branches,
    CallKey,
    Choose,
    DiceCall,
    Each,
    Play,
    Pool,
    Question,
    Reached,
    Repeat,
    Roll,
    Sweep,
    Tally,
    Total,
)
from dicedocs.probability.functions import Function
from dicedocs.rules.dice import Choosing, Dice, Keep, Rule, read_dice
from dicedocs.rules.dice_arguments import check_pools, check_state, check_unchanging
from dicedocs.rules.outcome import ONLY_DICE, Outcome
from dicedocs.rules.record import Faces
from dicedocs.rules.steps import ROUND, SILENT, RecordingSay, Say, Step
from dicedocs.syntax.decisions import Undecided

R = TypeVar("R", bound=Outcome)
S = TypeVar("S")

_COUNTED_FIRST: Final = frozenset({Play, Repeat})
"""The dice calls whose branches are counted before those of the rule."""
_CACHED_CALLS: Final = 64
"""Dice calls whose branches are kept for other paths, which make the same calls."""


def check_depth(depth: int) -> None:
    """Raise a ``LimitError`` if the call that is being made is one too many on its path."""
    if depth >= limits.DICE_CALLS.maximum:
        limits.DICE_CALLS.check(depth + 1)


class Uncounted(BaseException):
    """Raised for a call that must be counted first; no rule's ``except Exception`` may catch it."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class Counting(NamedTuple):
    """What dice need to know while a call is counted.

    Parameters:
        question: the call.
        counted: the branches of the calls that were counted already.
        listed: the branches of other calls, kept for other paths, which make the same calls.
        unrolled: whether a play, a repetition and a sweep are the dice calls in them, so that no states are merged.
        open_choices: the choices that are known to be open, each a call whose branches are its ways; ``None`` if an
            open choice is an error.
    """

    question: Question
    counted: Mapping[Question, Branches]
    listed: dict[CallKey, Branches]
    unrolled: bool
    open_choices: set[CallKey] | None = None


class BranchingDice(Dice):
    """Dice that turn each call into one branch; a subclass chooses which.

    An error of a call is kept as well as raised: a rule that catches everything would go on without a result.

    Attributes:
        swept: whether pools were read face by face.
    """

    __slots__ = ("_asked", "_counting", "_error", "_pending", "_say", "_seen", "swept")

    def __init__(self, counting: Counting) -> None:
        super().__init__()
        self.swept = False
        self._counting = counting
        self._pending: Question | None = None
        self._error: BaseException | None = None
        self._say: Say = SILENT
        self._seen: Mapping[str, object] = {}

    def run(self, state: Any) -> Reached:
        """Return what follows a state with these dice, or raise :class:`Uncounted`."""
        following: Reached = False, None
        self._asked = 0
        try:
            following = self._counting.question.follow(state, self, self._say)
        except Uncounted:
            if self._error is None:
                # The rule kept an outcome of another run.
                raise self.nondeterministic() from None
        except BaseException:
            if self._error is None:
                raise
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if self._pending is not None:
            raise self.nondeterministic()
        return following

    def nondeterministic(self) -> RuntimeError:
        """Return the error for a rule whose result does not depend on its dice alone."""
        return RuntimeError(
            f"{self.name()} is not a function of its dice: the same faces gave different results; {ONLY_DICE}"
        )

    def name(self) -> str:
        """Return the name of the rule, or of the step, that is run."""
        return self._counting.question.name()

    def steps_of(self, run: Callable[[], object]) -> tuple[Step, ...]:
        """Return the steps of a run that fails, up to where it does."""
        self._say = say = RecordingSay()
        with suppress(Exception, Uncounted):  # the failure is known
            run()
        self._say = SILENT
        return tuple(say.steps)

    def call(self, key: CallKey) -> Any:
        """Return the result of a call, and keep its error."""
        try:
            return self.branch(key)
        except BaseException as error:
            self._error = self._error or error
            raise

    def branch(self, key: CallKey) -> Any:
        """Return the result of a call."""
        raise NotImplementedError

    def size(self, key: CallKey) -> int:
        """Return the number of branches of a call, which are built only if nothing else tells how many they are."""
        kind, *arguments = key
        if kind in _COUNTED_FIRST or kind is Sweep:
            return len(self.branches(key).results)
        call: DiceCall = kind(*arguments)
        return call.size()

    def branches(self, key: CallKey) -> Branches:
        """Return the branches of a call."""
        kind, *arguments = key
        if kind in _COUNTED_FIRST:
            return self._counted_branches(kind(*arguments))
        listed = self._counting.listed
        branches = listed.get(key)
        if branches is None:
            call: DiceCall = kind(*arguments)
            limits.BRANCHES.check(call.size())
            branches = call.branches()
            if len(listed) < _CACHED_CALLS:
                listed[key] = branches
        return branches

    def _counted_branches(self, question: Question) -> Branches:
        branches = self._counting.counted.get(question)
        if branches is None:
            # The rule must make again the call that was counted for it, or the counting would never end.
            if self._pending is not None:
                raise self.nondeterministic()
            self._pending = question
            raise Uncounted(question)
        if question == self._pending:
            self._pending = None
        return branches

    def choose(self, choice: Choosing, ways: Sequence[Any] = (False, True), /, **seen: object) -> Any:
        self._asked += 1
        try:
            limits.ROUNDS.check(self._asked, hint="make sure the rule ends")
            open_choices = self._counting.open_choices
            if open_choices is None:
                return super().choose(choice, ways, **seen)
            key = Choose, choice, tuple(ways)
            try:
                is_open = key in open_choices
            except TypeError:
                message = f"a way of {quoted(choice.name)} can change"
                raise TypeError(f"{message}; give tuples instead of lists") from None
            if not is_open:  # where it is known, making the error takes longer than the path
                with suppress(Undecided):
                    return super().choose(choice, ways, **seen)
                open_choices.add(key)
            self._seen = seen
            return self.call(key)
        except BaseException as error:
            self._error = self._error or error
            raise

    def throw(self, count: int, sides: int) -> list[int]:
        return list(self.each(*[sides] * count))

    def roll(self, sides: int) -> int:
        return self.call((Roll, sides))  # type: ignore[no-any-return]

    def each(self, *sides: int) -> Faces:
        return self.call((Each, sides))  # type: ignore[no-any-return]

    def pool(self, *sides: int, keep: Keep | None = None, unread: Mapping[int, str] | None = None) -> Faces:
        return self.call((Pool, read_dice(sides, unread) if unread else sides, keep))  # type: ignore[no-any-return]

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        return self.call((Total, count, sides, keep))  # type: ignore[no-any-return]

    def tally(self, count: int, sides: int, *classes: Collection[int]) -> Any:
        return self.call((Tally, count, sides, tuple(tuple(sorted(hits)) for hits in classes)))

    def sweep(self, step: Callable[..., S], start: Any, *pools: Sequence[int], labels: Sequence[str] = ()) -> S:
        if self._counting.unrolled:
            return super().sweep(step, start, *pools, labels=labels)
        check_pools(pools, labels)
        check_unchanging(start)
        sweep = Sweep(Function(step), start, tuple(map(tuple, pools)))
        sweep.size()  # refuses impossible dice
        self.swept = True
        return self.call((Sweep, *sweep))  # type: ignore[no-any-return]

    def play(self, rule: Rule[R], label: str = "") -> R:
        if self._counting.unrolled:
            return super().play(rule, label)
        return self.call((Play, rule))  # type: ignore[no-any-return]

    def repeat(
        self,
        step: Callable[..., tuple[Any, ...]],
        state: tuple[Any, ...],
        until: Callable[..., bool],
        *,
        label: str = ROUND,
        count: bool = False,
    ) -> Any:
        if self._counting.unrolled:
            return super().repeat(step, state, until, label=label, count=count)  # type: ignore[call-overload]
        check_state(state, None)
        return self.call((Repeat, Function(step), Function(until), state, count))

    def begin(self, rule: Rule[R]) -> R:
        return self.play(rule)


class PathDice(BranchingDice):
    """Dice that follow one path through the branches, and then the next."""

    __slots__ = ("_position", "path")

    def __init__(self, counting: Counting) -> None:
        super().__init__(counting)
        self.path: list[Node] = []
        self._position = 0

    def run(self, state: Any) -> Reached:
        self._position = 0
        following = BranchingDice.run(self, state)
        if self._position != len(self.path):
            raise self.nondeterministic()
        return following

    def call(self, key: CallKey) -> Any:
        # The common case, a call that is on the path already, makes no further function call.
        position = self._position
        if position < len(self.path):
            node = self.path[position]
            if node.key == key:
                self._position = position + 1
                return node.result
        return super().call(key)

    def branch(self, key: CallKey) -> Any:
        """Add a call to the end of the path, and return its first result."""
        if self._position < len(self.path):
            raise self.nondeterministic()
        check_depth(self._position)
        node = Node(key, self.branches(key), self.path[-1] if self.path else None, self._seen)
        self.path.append(node)
        self._position += 1
        return node.result

    def weight(self) -> tuple[int, int]:
        """Return in how many ways this path comes about, and out of how many."""
        if not self.path:
            return 1, 1
        last = self.path[-1]
        return last.ways, last.total_ways

    def progress(self) -> float:
        """Return which part of the paths was followed, from 0 to 1."""
        return self.path[-1].progress() if self.path else 0.0

    def advance(self) -> bool:
        """Go on to the next path; return whether there is one."""
        while self.path:
            if self.path[-1].advance():
                return True
            self.path.pop()
        return False


class Call(NamedTuple):
    """A dice call on a path.

    Parameters:
        key: the call.
        result: its result.
    """

    key: CallKey
    result: Any


class Node:
    """A dice call on the path, which of its branches is followed, and what a player saw who has last chosen."""

    __slots__ = ("_before", "_part", "_ways_before", "branches", "index", "key", "result", "seen", "total_ways", "ways")

    ways: int
    total_ways: int
    _part: float

    def __init__(self, key: CallKey, branches: Branches, before: Node | None, seen: Mapping[str, object]) -> None:
        self.key = key
        self.branches = branches
        self.seen = seen
        self.index = -1
        # The path up to here stays as it is for as long as this node is on it.
        self._before = before.progress() if before else 0.0
        self._part = (before._part if before else 1.0) / len(branches.results)
        self._ways_before = before.ways if before else 1
        self.total_ways = branches.total_ways * (before.total_ways if before else 1)
        self.advance()

    def progress(self) -> float:
        """Return which part of the paths was followed before this branch, from 0 to 1."""
        return self._before + self.index * self._part

    def advance(self) -> bool:
        """Follow the next branch, if there is one."""
        self.index += 1
        if self.index >= len(self.branches.results):
            return False
        self.result = self.branches.results[self.index]
        self.ways = self._ways_before * self.branches.ways[self.index]
        return True
