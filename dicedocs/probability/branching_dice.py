"""Dice that explore a rule, one branch of each of its dice calls after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from math import log10
from typing import Any, Final, TypeVar

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.faults import calling_line
from dicedocs.probability.dice_calls import (
    FEWER_BRANCHES,
    Branches,
    CallKey,
    DiceCall,
    Each,
    Play,
    Pool,
    Roll,
    Tally,
    Total,
)
from dicedocs.rules.dice import Dice, Keep, Rule, read_dice
from dicedocs.rules.outcome import ONLY_DICE, Outcome, fact_values, not_an_outcome
from dicedocs.rules.record import Faces
from dicedocs.rules.steps import SILENT, RecordingSay, Say, Step

R = TypeVar("R", bound=Outcome)
Facts = tuple[Any, ...]

_CACHED_CALLS: Final = 64
"""Dice calls whose branches are kept for other paths, which make the same calls."""


def nondeterministic(rule: Rule[Any]) -> RuntimeError:
    """Return the error for a rule whose result does not depend on its dice alone."""
    name = type(rule).__qualname__
    return RuntimeError(f"{name} is not a function of its dice: the same faces gave different results; {ONLY_DICE}")


def check_call(call: DiceCall) -> int:
    """Return the number of branches of a call that is being made, or raise a ``LimitError`` that names it."""
    size = call.size()
    if size > limits.BRANCHES.maximum:
        limits.BRANCHES.check(size, hint=f"{largest_call(call.code(), calling_line(), size)}; {FEWER_BRANCHES}")
    return size


def largest_call(code: str, source: str, size: int, times: int = 1) -> str:
    """Return the clause of an error that names the dice call with the most branches.

    >>> largest_call("dice.roll(6)", "mygame.py:3, in resolve", 6, times=9)
    'the largest dice call is dice.roll(6) (mygame.py:3, in resolve), with 6 branches, made 9 times'
    """
    number = str(size) if size < 10**limits.DIGITS.maximum else f"about 10^{log10(size):.0f}"
    repeated = f", made {times} times" if times > 1 else ""
    return f"the largest dice call is {code} ({source}), with {number} branches{repeated}"


def check_depth(depth: int) -> None:
    """Raise a ``LimitError`` if the call that is being made is one too many on its path."""
    if depth >= limits.DICE_CALLS.maximum:
        limits.DICE_CALLS.check(depth + 1, hint=f"let the rule come to an end; the last call is at {calling_line()}")


class UncountedPlay(BaseException):
    """Raised when a mechanic is played that must be counted first; no rule's ``except Exception`` may catch it."""

    def __init__(self, rule: Rule[Any]) -> None:
        super().__init__(rule)
        self.rule = rule


class BranchingDice(Dice):
    """Dice that turn each call into one branch; a subclass chooses which.

    An error of a call is kept as well as raised: a rule that catches everything would go on without a result.

    Parameters:
        rule: the rule.
        played: the outcomes of the mechanics that were counted already.
        listed: the branches of calls, kept for other paths, which make the same calls.
    """

    __slots__ = ("_error", "_listed", "_pending", "_played", "_rule", "_say")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], Branches], listed: dict[CallKey, Branches]) -> None:
        super().__init__()
        self._rule = rule
        self._played = played
        self._listed = listed
        self._pending: Rule[Any] | None = None
        self._error: BaseException | None = None
        self._say: Say = SILENT

    def run(self) -> Facts:
        """Run the rule with these dice, and return its facts, or raise :class:`UncountedPlay`."""
        facts: Facts = ()
        try:
            outcome = self._rule.resolve(self, self._say)
            try:
                facts = fact_values(outcome)
            except AttributeError:
                raise not_an_outcome(self._rule, outcome) from None
        except BaseException:
            if self._error is None:
                raise
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if self._pending is not None:
            raise nondeterministic(self._rule)
        return facts

    def steps_of(self, run: Callable[[], object]) -> tuple[Step, ...]:
        """Return the steps of a run that fails, up to where it does."""
        self._say = say = RecordingSay()
        with suppress(Exception, UncountedPlay):  # the failure is known
            run()
        self._say = SILENT
        return tuple(say.steps)

    def call(self, key: CallKey) -> Any:
        """Return the result of a call, and keep its error."""
        try:
            return self.choose(key)
        except BaseException as error:
            self._error = self._error or error
            raise

    def choose(self, key: CallKey) -> Any:
        """Return the result of a call."""
        raise NotImplementedError

    def branches(self, key: CallKey) -> Branches:
        """Return the branches of a call."""
        kind, *arguments = key
        if kind is Play:
            return self.outcomes(*arguments)
        branches = self._listed.get(key)
        if branches is None:
            call: DiceCall = kind(*arguments)
            check_call(call)
            branches = call.branches()
            if len(self._listed) < _CACHED_CALLS:
                self._listed[key] = branches
        return branches

    def outcomes(self, rule: Rule[Any], taken: frozenset[object] = frozenset()) -> Branches:
        """Return the outcomes of a mechanic that is played, and again with those of which the first fact is taken."""
        branches = self._played.get(rule)
        if branches is None:
            # The rule must play again what was counted for it, or the counting would never end.
            if self._pending is not None:
                raise nondeterministic(self._rule)
            self._pending = rule
            raise UncountedPlay(rule)
        if rule == self._pending:
            self._pending = None
        return _without(branches, taken) if taken else branches

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

    def play(self, rule: Rule[R], label: str = "") -> R:
        return self.call((Play, rule))  # type: ignore[no-any-return]

    def play_unless(
        self, rule: Rule[R], taken: Collection[object], say: Say, again: Callable[[R], object] | None = None
    ) -> R:
        return self.call((Play, rule, frozenset(taken)))  # type: ignore[no-any-return]

    def begin(self, rule: Rule[R]) -> R:
        return self.play(rule)


def _without(branches: Branches, taken: frozenset[object]) -> Branches:
    """Return the branches that are left, each of which is as likely among them as before."""
    left = [index for index, outcome in enumerate(branches.results) if outcome.value not in taken]
    if not left:
        raise DiceError("all that can come up was drawn already", hint="draw fewer, or let more come up")
    ways = [branches.ways[index] for index in left]
    return Branches([branches.results[index] for index in left], ways, sum(ways))


class PathDice(BranchingDice):
    """Dice that follow one path through the branches, and then the next."""

    __slots__ = ("_depth", "path")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], Branches], listed: dict[CallKey, Branches]) -> None:
        super().__init__(rule, played, listed)
        self.path: list[Node] = []
        self._depth = 0

    def run(self) -> Facts:
        self._depth = 0
        facts = BranchingDice.run(self)
        if self._depth != len(self.path):
            raise nondeterministic(self._rule)
        return facts

    def call(self, key: CallKey) -> Any:
        # The common case, a call that is on the path already, makes no further function call.
        depth = self._depth
        if depth < len(self.path):
            node = self.path[depth]
            if node.key == key:
                self._depth = depth + 1
                return node.result
        return super().call(key)

    def choose(self, key: CallKey) -> Any:
        """Add a call to the end of the path, and return its first result."""
        if self._depth < len(self.path):
            raise nondeterministic(self._rule)
        check_depth(self._depth)
        node = Node(key, self.branches(key), self.path[-1] if self.path else None)
        self.path.append(node)
        self._depth += 1
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


class Node:
    """A dice call on the path, and which of its branches is followed."""

    __slots__ = ("_before", "_part", "_ways_before", "branches", "index", "key", "result", "total_ways", "ways")

    ways: int
    total_ways: int
    _part: float

    def __init__(self, key: CallKey, branches: Branches, before: Node | None) -> None:
        self.key = key
        self.branches = branches
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
