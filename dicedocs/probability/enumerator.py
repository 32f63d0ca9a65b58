"""Counting every outcome of a rule: it is run once for each path through the branches of its dice calls.

The paths are visited depth first, the last call changing fastest. The rule is the very one that rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping
from math import lcm
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import quoted
from dicedocs.probability.branching_dice import Facts, PathDice, UncountedPlay, nondeterministic
from dicedocs.probability.dice_calls import FEWER_BRANCHES, Branches, CallKey
from dicedocs.probability.size_probe import Evidence, SizeProbe, count_values
from dicedocs.render.text import note_last_step
from dicedocs.rules.dice import Rule
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, attach

_VALUES_EVERY: Final = 64
"""The values of one outcome in so many are counted, and stand for the others."""
_PROBES: Final = 1_000
"""The most random paths that are followed, a hundredth of the branches that may be counted."""
_REPEATED_PATHS: Final = 16
"""How many paths are run twice at first; after these fewer and fewer are."""


def _all_facts(facts: Facts) -> Hashable:
    return facts


class Enumerator:
    """The counting of one mechanic, and of those that it plays, each once.

    Parameters:
        maximum: the limit of its branches.
    """

    def __init__(self, maximum: limits.Limit | None = None) -> None:
        self._maximum = maximum or limits.BRANCHES
        self._branches = 0
        self._calls = 0
        self._progress = 0.0
        self._played: dict[Rule[Any], Branches] = {}
        self._stack: list[Rule[Any]] = []

    def outcomes(
        self, rule: Rule[Any], select: Callable[[Facts], Hashable] = _all_facts
    ) -> Generator[float, None, dict[Any, int]]:
        """Return the ways to each outcome of a rule, of which only the selected facts count; yield the progress."""
        if rule in self._stack:
            limits.PLAYS.check(limits.PLAYS.maximum + 1, hint="the rule never stops calling itself")
        self._stack.append(rule)
        limits.PLAYS.check(len(self._stack), hint="let the rule come to an end")
        listed: dict[CallKey, Branches] = {}
        probe = SizeProbe(rule, self._played, listed)
        yield from self._check_size(rule, probe)
        dice = PathDice(rule, self._played, listed)
        counts: dict[int, dict[Hashable, int]] = {}
        first = previous = None
        paths = next_repeated = values = 0
        while True:
            try:
                facts = dice.run()
            except UncountedPlay as error:
                yield from self._count_played(error.rule)
                continue
            except Exception as error:
                note_last_step(error, dice.steps_of(dice.run))
                raise
            yield self._progress
            if previous is not None and facts != previous:
                raise nondeterministic(rule)
            if paths == next_repeated:
                # A rule that reads a clock or random numbers may still make the same calls, so some paths run twice.
                next_repeated = max(paths + 1, 2 * paths - _REPEATED_PATHS)
                previous = facts
                continue
            if first is None:
                first = facts
            previous = None
            paths += 1
            self._branches += 1
            self._calls += len(dice.path)
            if self._branches > self._maximum.maximum or self._calls > limits.TOTAL_CALLS.maximum:
                hint = probe.largest(dice.path)
                self._maximum.check(self._branches, hint=hint)
                limits.TOTAL_CALLS.check(self._calls, hint=hint)
            ways, total_ways = dice.weight()
            same_total = counts.get(total_ways)
            if same_total is None:
                same_total = counts[total_ways] = {}
            selected = select(facts)
            try:
                same_total[selected] = same_total.get(selected, 0) + ways
            except TypeError:
                name = type(rule).__qualname__
                message = f"{name} gives {quoted(facts)}, of which something can change; give tuples instead of lists"
                raise TypeError(message) from None
            if not dice.advance():
                break
            self._progress = dice.progress()
            if not paths % _VALUES_EVERY:
                values += _VALUES_EVERY * count_values(facts)
                if values > limits.VALUES.maximum:
                    limits.VALUES.check(values, hint=FEWER_BRANCHES)
        # The first path runs again at the end, when time has gone by, and more often if there were few paths.
        for _ in range(max(1, _REPEATED_PATHS - paths)):
            if dice.run() != first:
                raise nondeterministic(rule)
            yield self._progress
        self._stack.pop()
        return _common_denominator(counts)

    def _count_played(self, rule: Rule[Any]) -> Generator[float, None, None]:
        """Count a mechanic that is played, and make its outcomes the branches of playing it."""
        counts = yield from self.outcomes(rule)
        make = rule.result() if isinstance(rule, Mechanic) else Outcome
        outcomes = []
        for facts in counts:
            outcome = make(*facts)
            attach(outcome, rule)
            outcomes.append(outcome)
        self._played[rule] = Branches(outcomes, list(counts.values()), sum(counts.values()))

    def _check_size(self, rule: Rule[Any], probe: SizeProbe) -> Generator[float, None, None]:
        """Refuse at once, by some random paths, what would surely pass a limit."""
        evidence = [Evidence(limit) for limit in (self._maximum, limits.TOTAL_CALLS, limits.VALUES)]
        while probe.paths < _PROBES and any(one.is_open for one in evidence):
            try:
                sizes = probe.measure()
            except UncountedPlay as error:
                yield from self._count_played(error.rule)
                continue
            except Exception as error:
                note_last_step(error, probe.steps_of(probe.measure))
                raise
            yield self._progress
            counted = (self._branches, self._calls, 0)
            for one, before, size in zip(evidence, counted, sizes, strict=True):
                one.add(before + size)
                if one.is_strong:
                    one.limit.check(one.mean, hint=probe.largest())


def _common_denominator(counts: Mapping[int, Mapping[Hashable, int]]) -> dict[Hashable, int]:
    """Return counts over one denominator, made of those over several."""
    common = lcm(*counts)
    total: dict[Hashable, int] = {}
    for denominator, group in counts.items():
        factor = common // denominator
        for value, ways in group.items():
            total[value] = total.get(value, 0) + ways * factor
    return total
