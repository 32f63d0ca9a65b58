"""The calls that a rule makes of its dice, as data: how many results each can have, which, and in how many ways."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, product
from math import prod
from typing import Any, Final, NamedTuple, Protocol

from dicedocs import limits
from dicedocs.probability.chains import Counts, Edges, ends, ends_by_round
from dicedocs.probability.combinatorics import (
    check_dice,
    count_multisets,
    count_tallies,
    kept_sums,
    multisets,
    sweep_faces,
    tallies,
)
from dicedocs.probability.functions import Function
from dicedocs.rules.dice import Choosing, Dice, Keep, Rule
from dicedocs.rules.dice_arguments import check_state
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, attach, fact_values, not_an_outcome
from dicedocs.rules.record import Faces
from dicedocs.rules.steps import Say

_MAX_RUNS: Final = 4
"""Runs of equal dice, classes of faces, and faces of a class, that the code of a call shows."""


class Branches(NamedTuple):
    """The possible results of a dice call.

    Parameters:
        results: the distinct results.
        ways: the number of ways to each.
        total_ways: the sum of all ways.
        chain: in best play, the states of a call in which something is chosen, on which the ways depend.
    """

    results: Sequence[Any]
    ways: Sequence[int]
    total_ways: int
    chain: Any = None


class DiceCall(Protocol):
    """A call of the dice; two with the same arguments are equal."""

    def size(self) -> int:
        """Return the number of branches, without building them; refuse impossible dice."""

    def branches(self) -> Branches:
        """Return the branches."""

    def code(self) -> str:
        """Return the call as Python code, for an error."""


def _listed_code(method: str, sides: Sequence[int], keep: Keep | None = None) -> str:
    runs = [(side, len(list(run))) for side, run in groupby(sides)]
    arguments = [f"*[{side}] * {number}" if number > 2 else ", ".join([str(side)] * number) for side, number in runs]
    shown = [*arguments[:_MAX_RUNS], *(["..."] if len(arguments) > _MAX_RUNS else []), *_keep_code(keep)]
    return f"dice.{method}({', '.join(shown)})"


def _keep_code(keep: Keep | None) -> list[str]:
    return [f"keep={'highest' if keep.high else 'lowest'}({keep.number})"] if keep else []


def _class_code(hits: Sequence[int]) -> str:
    if len(hits) <= _MAX_RUNS:
        return f"{{{', '.join(map(str, hits))}}}" if hits else "()"
    return f"range({hits[0]}, {hits[-1] + 1})" if hits[-1] - hits[0] == len(hits) - 1 else "{...}"


class Roll(NamedTuple):
    """One die."""

    sides: int

    def size(self) -> int:
        check_dice(1, (self.sides,))
        return self.sides

    def branches(self) -> Branches:
        return Branches(range(1, self.sides + 1), [1] * self.sides, self.sides)

    def code(self) -> str:
        return f"dice.roll({self.sides})"


class Each(NamedTuple):
    """Dice in the order thrown."""

    sides: tuple[int, ...]

    def size(self) -> int:
        check_dice(len(self.sides), self.sides)
        return prod(self.sides)

    def branches(self) -> Branches:
        limits.VALUES.check(self.size() * len(self.sides))
        results = [Faces(faces) for faces in product(*[range(1, side + 1) for side in self.sides])]
        return Branches(results, [1] * len(results), len(results))

    def code(self) -> str:
        return _listed_code("each", self.sides)


class Pool(NamedTuple):
    """The sorted faces of dice, or of those that are kept."""

    sides: tuple[int, ...]
    keep: Keep | None

    def size(self) -> int:
        check_dice(len(self.sides), self.sides)
        return count_multisets(self.sides, self.keep)

    def branches(self) -> Branches:
        counted = list(multisets(self.sides, self.keep))
        return Branches([Faces(faces) for faces, _ in counted], [ways for _, ways in counted], prod(self.sides))

    def code(self) -> str:
        return _listed_code("pool", self.sides, self.keep)


class Total(NamedTuple):
    """The sum of equal dice, or of those that are kept."""

    dice: int
    sides: int
    keep: Keep | None

    def size(self) -> int:
        check_dice(self.dice, (self.sides,))
        number = self.dice if self.keep is None else min(self.keep.number, self.dice)
        return number * (self.sides - 1) + 1

    def branches(self) -> Branches:
        low, ways = kept_sums((self.sides,) * self.dice, self.keep)
        return Branches(range(low, low + len(ways)), ways, self.sides**self.dice)

    def code(self) -> str:
        return f"dice.total({', '.join([str(self.dice), str(self.sides), *_keep_code(self.keep)])})"


class Tally(NamedTuple):
    """How many of equal dice fall in each class of faces."""

    dice: int
    sides: int
    classes: tuple[tuple[int, ...], ...]

    def size(self) -> int:
        check_dice(self.dice, (self.sides,))
        return count_tallies(self.dice, self.sides, self.classes)

    def branches(self) -> Branches:
        counted = list(tallies(self.dice, self.sides, self.classes))
        results = [tally[0] if len(self.classes) == 1 else tally for tally, _ in counted]
        return Branches(results, [ways for _, ways in counted], self.sides**self.dice)

    def code(self) -> str:
        classes = [_class_code(hits) for hits in self.classes[:_MAX_RUNS]]
        more = ["..."] if len(self.classes) > _MAX_RUNS else []
        return f"dice.tally({', '.join([str(self.dice), str(self.sides), *classes, *more])})"


class Choose(NamedTuple):
    """A choice of the player that nobody has made yet; its branches are its ways.

    Parameters:
        choice: what is chosen.
        ways: what can be chosen.
    """

    choice: Choosing
    ways: tuple[Any, ...]

    def size(self) -> int:
        return len(self.ways)

    def branches(self) -> Branches:
        return Branches(self.ways, [1] * len(self.ways), len(self.ways))

    def code(self) -> str:
        return f"dice.choose(self.{self.choice.name})"


class Sweep(NamedTuple):
    """Pools that are read face by face."""

    step: Function
    start: object
    pools: tuple[tuple[int, ...], ...]

    def size(self) -> int:
        # How many states there are is known when all faces are read.
        check_dice(sum(map(len, self.pools)), [side for pool in self.pools for side in pool])
        return 1

    def branches(self) -> Branches:
        ways = sweep_faces(self.step.call, self.start, self.pools)
        return Branches([*ways], [*ways.values()], prod(side for pool in self.pools for side in pool))

    def code(self) -> str:
        return f"dice.sweep({self.step.name}, ...)"


Reached = tuple[bool, Any]
"""Whether a chain has ended, and its value if it has, or else its next state."""


class Counted:
    """A rule that is a part of another one, and whose odds may be known without its dice."""

    @staticmethod
    def result() -> type[Outcome]:
        """Return the class of its outcomes."""
        raise NotImplementedError

    def counts(self) -> Counts | None:
        """Return the ways to each outcome, by its facts; ``None`` if its dice have to be counted."""
        return None


class Play(NamedTuple):
    """A mechanic that is played; its branches are its distinct outcomes, which are counted first."""

    rule: Rule[Any]

    def start(self) -> Reached:
        """Return its only state."""
        return False, self.rule

    def follow(self, rule: Rule[Any], dice: Dice, say: Say) -> Reached:
        """Return the facts with which it ends."""
        outcome = rule.resolve(dice, say)
        try:
            return True, fact_values(outcome)
        except AttributeError:
            raise not_an_outcome(rule, outcome) from None

    def ends(self, start: Any, edges: Edges) -> Counts:
        """Return the ways to each end, given what follows each state."""
        return ends(start, edges)

    def results(self, counts: Counts) -> list[Any]:
        """Return the results of the call, given the ways to each end."""
        make = self.rule.result() if isinstance(self.rule, Mechanic | Counted) else Outcome
        outcomes = [make(*facts) for facts in counts.ways]
        for outcome in outcomes:
            attach(outcome, self.rule)
        return outcomes

    def name(self) -> str:
        """Return the name of the code that is run, for an error."""
        return type(self.rule).__qualname__

    def code(self) -> str:
        """Return the call as Python code, for an error."""
        return f"dice.play({self.name()})"


class Repeat(NamedTuple):
    """A step that is repeated; its branches are the last states, which are counted first.

    Parameters:
        step: the step.
        until: whether a state is the last one.
        state: the first state.
        rounds: whether the rounds are counted.
    """

    step: Function
    until: Function
    state: tuple[Any, ...]
    rounds: bool

    def start(self) -> Reached:
        """Return the first state of its chain."""
        return bool(self.until.call(*self.state)), self.state

    def follow(self, state: tuple[Any, ...], dice: Dice, say: Say) -> Reached:
        """Return the state after another one."""
        following = self.step.call(dice, say, *state)
        check_state(following, state)
        return bool(self.until.call(*following)), following

    def ends(self, start: Any, edges: Edges) -> Counts:
        """Return the ways to each end, given what follows each state."""
        return (ends_by_round if self.rounds else ends)(start, edges)

    def results(self, counts: Counts) -> list[Any]:
        """Return the results of the call, given the ways to each end."""
        return [(number, *state) for number, state in counts.ways] if self.rounds else [*counts.ways]

    def name(self) -> str:
        """Return the name of the code that is run, for an error."""
        return self.step.name

    def code(self) -> str:
        """Return the call as Python code, for an error."""
        return f"dice.repeat({self.name()}, ...)"


Question = Play | Repeat
"""A call whose branches are counted before those of the rule that makes it."""

CallKey = tuple[Any, ...]
"""A dice call that is not built yet: its class, then its arguments. It is compared faster than the call itself."""
