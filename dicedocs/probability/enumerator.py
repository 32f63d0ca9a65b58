"""Counting every outcome of a rule: it is run once for each path through the branches of its dice calls.

The paths are visited depth first, the last call changing fastest. The rule is the very one that rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping
from math import lcm
from typing import Any, Final

from dicedocs import limits
from dicedocs.probability.branching_dice import (
    FEWER_BRANCHES,
    Facts,
    PathDice,
    SizeProbe,
    UncountedPlay,
    nondeterministic,
)
from dicedocs.probability.dice_calls import Branches
from dicedocs.rules.dice import Rule
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, attach

REPORT_INTERVAL: Final = 64
"""Runs of a rule between two reports of the progress."""
_PROBES: Final = 16
"""Random plays by which the number of branches is estimated beforehand."""
_ENOUGH_PROBES: Final = 2
"""The index of the play after which the rest may be left out if there are few branches."""
_REPEATED_PATHS: Final = 16
"""How many paths are run twice at first; after these fewer and fewer are."""
_TOLERANCE: Final = 4
"""How far above the limit an uncertain estimate must lie to be refused."""


def _all_facts(facts: Facts) -> Hashable:
    return facts


class Enumerator:
    """The counting of one mechanic, and of those that it plays, each once."""

    def __init__(self) -> None:
        self._branches = 0
        self._played: dict[Rule[Any], Branches] = {}
        self._stack: list[Rule[Any]] = []

    def outcomes(
        self, rule: Rule[Any], select: Callable[[Facts], Hashable] = _all_facts
    ) -> Generator[float, None, dict[Any, int]]:
        """Return the ways to each outcome of a rule, of which only the selected facts count; yield the progress."""
        if rule in self._stack:
            limits.PLAYS.check(limits.PLAYS.maximum + 1, hint="the rule plays itself without end: let it come to one")
        self._stack.append(rule)
        limits.PLAYS.check(len(self._stack), hint="let the rule come to an end")
        yield from self._check_size(rule)
        dice = PathDice(rule, self._played)
        counts: dict[int, dict[Hashable, int]] = {}
        first = previous = None
        paths = next_repeated = 0
        while True:
            try:
                facts = dice.run()
            except UncountedPlay as error:
                yield from self._count_played(error.rule)
                continue
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
            if self._branches > limits.BRANCHES.maximum:
                limits.BRANCHES.check(self._branches, hint=FEWER_BRANCHES)
            ways, total_ways = dice.weight()
            same_total = counts.get(total_ways)
            if same_total is None:
                same_total = counts[total_ways] = {}
            selected = select(facts)
            same_total[selected] = same_total.get(selected, 0) + ways
            if not dice.advance():
                break
            if not paths % REPORT_INTERVAL:
                yield dice.progress()
        # The first path runs again at the end, when time has gone by, and more often if there were few paths.
        if any(dice.run() != first for _ in range(max(1, _REPEATED_PATHS - paths))):
            raise nondeterministic(rule)
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

    def _check_size(self, rule: Rule[Any]) -> Generator[float, None, None]:
        """Refuse at once, by some random plays, what would clearly pass the limit."""
        sizes: list[int] = []
        for seed in range(_PROBES):
            probe = SizeProbe(seed, rule, self._played)
            while True:
                try:
                    probe.run()
                    break
                except UncountedPlay as error:
                    yield from self._count_played(error.rule)
            sizes.append(probe.size)
            if seed == _ENOUGH_PROBES and sum(sizes) < limits.BRANCHES.maximum // _PROBES:
                return
        estimate = sum(sizes) // _PROBES
        # If all plays have the same number of branches, that number is certain.
        if estimate > (_TOLERANCE if len(set(sizes)) > 1 else 1) * limits.BRANCHES.maximum:
            limits.BRANCHES.check(estimate, hint=FEWER_BRANCHES)


def _common_denominator(counts: Mapping[int, Mapping[Hashable, int]]) -> dict[Hashable, int]:
    """Return counts over one denominator, made of those over several."""
    common = lcm(*counts)
    total: dict[Hashable, int] = {}
    for denominator, group in counts.items():
        factor = common // denominator
        for value, ways in group.items():
            total[value] = total.get(value, 0) + ways * factor
    return total
