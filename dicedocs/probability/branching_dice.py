"""Dice that explore a rule: along every branch of its dice calls, or at random to judge how many there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, TypeVar

from dicedocs import limits
from dicedocs.probability.dice_calls import Branches, CallKey, DiceCall, Each, Play, Pool, Roll, Tally, Total
from dicedocs.rules.dice import Dice, Keep, Rule, SeededDice, read_dice
from dicedocs.rules.outcome import Outcome, fact_values
from dicedocs.rules.record import Faces
from dicedocs.rules.steps import SILENT

R = TypeVar("R", bound=Outcome)
Facts = tuple[Any, ...]

FEWER_BRANCHES: Final = "throw fewer dice, or take samples: estimate(...)"
"""The hint where there are too many branches."""
_CACHED_CALLS: Final = 64
"""Dice calls whose branches are kept for other paths, which make the same calls."""


def nondeterministic(rule: Rule[Any]) -> RuntimeError:
    """Return the error for a rule whose result does not depend on its dice alone."""
    name = type(rule).__qualname__
    return RuntimeError(f"{name} is not a function of its dice: the same faces gave different results")


class UncountedPlay(BaseException):
    """Raised when a mechanic is played that must be counted first; no rule's ``except Exception`` may catch it."""

    def __init__(self, rule: Rule[Any]) -> None:
        super().__init__(rule)
        self.rule = rule


class BranchingDice(Dice):
    """Dice that turn each call into one branch; a subclass chooses which.

    An error of a call is kept as well as raised: a rule that catches everything would go on without a result.
    ``played`` has the outcomes of the mechanics that were counted already.
    """

    __slots__ = ("_error", "_pending", "_played", "_rule")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], Branches]) -> None:
        super().__init__()
        self._rule = rule
        self._played = played
        self._pending: Rule[Any] | None = None
        self._error: BaseException | None = None

    def run(self) -> Facts:
        """Run the rule with these dice, and return its facts, or raise :class:`UncountedPlay`."""
        facts: Facts = ()
        try:
            facts = fact_values(self._rule.resolve(self, SILENT))
        except BaseException:
            if self._error is None:
                raise
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if self._pending is not None:
            raise nondeterministic(self._rule)
        return facts

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

    def outcomes(self, rule: Rule[Any]) -> Branches:
        """Return the outcomes of a mechanic that is played."""
        branches = self._played.get(rule)
        if branches is None:
            # The rule must play again what was counted for it, or the counting would never end.
            if self._pending is not None:
                raise nondeterministic(self._rule)
            self._pending = rule
            raise UncountedPlay(rule)
        if rule == self._pending:
            self._pending = None
        return branches

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

    def begin(self, rule: Rule[R]) -> R:
        return self.play(rule)


class SizeProbe(BranchingDice):
    """Dice that throw at random, and multiply the numbers of branches of their calls to ``size``."""

    __slots__ = ("_dice", "_seed", "size")

    def __init__(self, seed: int, rule: Rule[Any], played: Mapping[Rule[Any], Branches]) -> None:
        super().__init__(rule, played)
        self._seed = seed

    def run(self) -> Facts:
        self._dice = SeededDice(self._seed)
        self.size = 1
        return super().run()

    def choose(self, key: CallKey) -> Any:
        kind, *arguments = key
        if kind is Play:
            outcomes = self.outcomes(*arguments).results
            self.size *= len(outcomes)
            return outcomes[self._dice.throw(1, len(outcomes))[0] - 1]
        call: DiceCall = kind(*arguments)
        size = call.size()
        limits.BRANCHES.check(size, hint=FEWER_BRANCHES)
        self.size *= size
        return call.throw(self._dice)


class PathDice(BranchingDice):
    """Dice that follow one path through the branches, and then the next."""

    __slots__ = ("_cache", "_depth", "_path")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], Branches]) -> None:
        super().__init__(rule, played)
        self._path: list[_Node] = []
        self._cache: dict[CallKey, Branches] = {}
        self._depth = 0

    def run(self) -> Facts:
        self._depth = 0
        facts = super().run()
        if self._depth != len(self._path):
            raise nondeterministic(self._rule)
        return facts

    def call(self, key: CallKey) -> Any:
        # The common case, a call that is on the path already, makes no further function call.
        depth = self._depth
        if depth < len(self._path):
            node = self._path[depth]
            if node.key == key:
                self._depth = depth + 1
                return node.result
        return super().call(key)

    def choose(self, key: CallKey) -> Any:
        """Add a call to the end of the path, and return its first result."""
        if self._depth < len(self._path):
            raise nondeterministic(self._rule)
        limits.DICE_CALLS.check(self._depth + 1, hint="let the rule come to an end")
        node = _Node(key, self._branches(key), self._path[-1] if self._path else None)
        self._path.append(node)
        self._depth += 1
        return node.result

    def _branches(self, key: CallKey) -> Branches:
        kind, *arguments = key
        if kind is Play:
            return self.outcomes(*arguments)
        branches = self._cache.get(key)
        if branches is None:
            call: DiceCall = kind(*arguments)
            limits.BRANCHES.check(call.size(), hint=FEWER_BRANCHES)
            branches = call.branches()
            if len(self._cache) < _CACHED_CALLS:
                self._cache[key] = branches
        return branches

    def weight(self) -> tuple[int, int]:
        """Return in how many ways this path comes about, and out of how many."""
        if not self._path:
            return 1, 1
        last = self._path[-1]
        return last.ways, last.total_ways

    def progress(self) -> float:
        """Return which part of the paths was followed, from 0 to 1."""
        done, part = 0.0, 1.0
        for node in self._path:
            part /= len(node.branches.results)
            done += node.index * part
        return done

    def advance(self) -> bool:
        """Go on to the next path; return whether there is one."""
        while self._path:
            if self._path[-1].advance():
                return True
            self._path.pop()
        return False


class _Node:
    """A dice call on the path, and which of its branches is followed."""

    __slots__ = ("_ways_before", "branches", "index", "key", "result", "total_ways", "ways")

    ways: int
    total_ways: int

    def __init__(self, key: CallKey, branches: Branches, before: _Node | None) -> None:
        self.key = key
        self.branches = branches
        self.index = -1
        self._ways_before = before.ways if before else 1
        self.total_ways = branches.total_ways * (before.total_ways if before else 1)
        self.advance()

    def advance(self) -> bool:
        """Follow the next branch, if there is one."""
        self.index += 1
        if self.index >= len(self.branches.results):
            return False
        self.result = self.branches.results[self.index]
        self.ways = self._ways_before * self.branches.ways[self.index]
        return True
