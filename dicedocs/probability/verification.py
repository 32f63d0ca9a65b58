"""Holding odds against the dice: those that a mechanic computes itself, and those of a rule that goes on.

In both there is something that the dice do not show: a formula, or that a round, or a step of a sweep, depends on
nothing but its state. The branches of the dice are counted if they are few; otherwise the dice are thrown. The lines of
a page have neither a formula nor a place to keep anything in, so their odds are held against the dice only if they play
a rule that is code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from fractions import Fraction
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DistributionError, LimitError
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import (
    bind_parameters,
    count_odds,
    own_distribution,
    run_to_end,
    select_facts,
)
from dicedocs.probability.enumerator import Enumerator
from dicedocs.probability.estimation import sample_odds
from dicedocs.render.numbers import decimal, percent
from dicedocs.rules.kinds import all_integers, as_line
from dicedocs.rules.mechanic import Mechanic
from dicedocs.syntax.decisions import left_to_chance

_CALLS: Final = limits.TOTAL_CALLS.fixed(10_000)
"""Up to so many dice calls on all branches are counted, which takes a second at most; otherwise dice are thrown."""
_PLAYS: Final = 1_000
_THROWS: Final = limits.THROWS.fixed(_PLAYS * limits.DICE.default)
"""Whatever may be thrown in one play may be thrown in all of them."""
_SEED: Final = 0
_CERTAINTY: Final = 22
"""By Bernstein's inequality a true distribution is refused with a probability of less than 2 in e to the power of this,
about 1 in 2 thousand million, for each figure."""
_PER_VALUE: Final = 14
"""This is added for the figures of single values, of which there are fewer than a million."""
_LIKELY: Final = 20
"""A value that never comes up is suspicious only if its probability is above one in so many."""
_CACHE_SIZE: Final = 1024


class MadeOfLines:
    """A mechanic whose odds are counted from the very lines that it plays."""

    @classmethod
    def plays_code(cls) -> bool:
        """Return whether one of them plays a rule that is code, also through others."""
        raise NotImplementedError


def verify_distribution(rule: str | Mechanic, /, *facts: str, **parameters: Any) -> None:
    """Compare the odds that a mechanic's own ``distribution`` returns with those of its dice.

    The branches of its dice are counted, with up to 10,000 dice calls on all of them, and the odds must be the same.
    Otherwise it is played 1,000 times, always with the same seed, and must come near. Nothing is compared if the
    mechanic does not compute its odds itself. Each mechanic with its parameters and facts is checked once.

    Parameters:
        rule, facts, parameters: as for :func:`~dicedocs.probability.enumeration.odds`.

    Raises:
        DistributionError: the odds differ.
        DiceError: as for :func:`~dicedocs.probability.enumeration.odds`.

    >>> verify_distribution("methuen/expression", expression="3d6")
    """
    rule = bind_parameters(rule, parameters)
    names = select_facts(rule, facts)
    own = own_distribution(rule, names)
    if own is not None:
        _verify(own, rule, names, _FORMULA)


def verified_odds(rule: Mechanic, /, *facts: str, best: str = "") -> Generator[float, None, Distribution]:
    """Do what :func:`~dicedocs.probability.enumeration.enumerate_odds` does, for what is published.

    Raises:
        DistributionError: the mechanic computes its odds itself, or goes on from state to state, and the odds differ
            from those of its dice.
        DiceError, RuntimeError: as for :func:`~dicedocs.probability.enumeration.odds`.
    """
    names = select_facts(rule, facts)
    if best:
        from dicedocs.probability.claims.worth import open_play  # which builds on this module

        play = yield from open_play(rule, best, *names)
        if play.merges_states:
            # Whether rounds depend on nothing but their state shows in plays that go every way.
            _verify(play.at_random(), left_to_chance(rule), names, _CHAIN, goes_round=play.goes_round)
        return play.best()
    own = own_distribution(rule, names)
    if own is not None:
        _verify(own, rule, names, _FORMULA)
        return own
    enumerator = Enumerator()
    counted = yield from count_odds(rule, names, enumerator)
    if enumerator.merges_states:
        _verify(counted, rule, names, _CHAIN, goes_round=enumerator.goes_round)
    return counted


class _Source(NamedTuple):
    """Where odds come from.

    Parameters:
        name: its name in an error.
        hint: what to do if they differ from those of the dice.
    """

    name: str
    hint: str


_FORMULA: Final = _Source("its distribution()", "correct one of the two")
_CHAIN: Final = _Source(
    "following its states", "let a round read only its state, the parameters of the rule, and the dice that it is given"
)
_Difference = tuple[str, str, str, str]
_differences: dict[tuple[Mechanic, tuple[str, ...]], _Difference | None] = {}
"""What was checked, and what is wrong with it: of which value, the figure of the mechanic and that of its dice, and how
its dice gave it."""


def _verify(
    own: Distribution, rule: Mechanic, names: tuple[str, ...], source: _Source, *, goes_round: bool = False
) -> None:
    made = type(rule)
    if issubclass(made, MadeOfLines) and not made.plays_code():
        return
    if (rule, names) not in _differences:
        if len(_differences) >= _CACHE_SIZE:
            _differences.clear()
        # There is no end of paths where states lead back to themselves, or were left out since they hardly ever come.
        compare = _difference_from_plays if goes_round or own.remainder else _difference
        _differences[rule, names] = compare(own, rule, names)
    difference = _differences[rule, names]
    if difference is not None:
        of, expected, actual, dice = difference
        about = ", ".join(names)
        message = f"{rule!r} has false odds of {about}: {of} {source.name} gives {expected}, and {dice} {actual}"
        raise DistributionError(message, expected=expected, actual=actual, hint=source.hint)


def _difference(own: Distribution, rule: Mechanic, names: tuple[str, ...]) -> _Difference | None:
    try:
        counted = run_to_end(count_odds(rule, names, Enumerator(calls=_CALLS, unrolled=True)))
    except LimitError:
        return _difference_from_plays(own, rule, names)
    if own == counted:
        return None
    value = max({**dict(own.items()), **dict(counted.items())}, key=lambda one: _distance(own, counted, one))
    figures = _figure(own.exactly(value)), _figure(counted.exactly(value))
    return (f"for {as_line(value)}", *figures, "counting its dice gives")


def _distance(own: Distribution, counted: Distribution, value: Any) -> Fraction:
    return abs(own.exactly(value) - counted.exactly(value))


def _difference_from_plays(own: Distribution, rule: Mechanic, names: tuple[str, ...]) -> _Difference | None:
    plays = run_to_end(sample_odds(rule, *names, samples=_PLAYS, seed=_SEED, maximum=_THROWS))
    seen = Counter(dict(plays.items()))
    thrown = f"{_PLAYS} plays with the seed {_SEED} give"
    likely = [value for value, count in own.items() if count * _LIKELY > own.denominator]
    for value in dict.fromkeys([*likely, *seen]):
        p = own.exactly(value)
        off = abs(seen[value] - _PLAYS * p)
        if not p and own.remainder:
            continue  # dice that explode further than is followed
        if (not p and seen[value]) or _too_far(off, p * (1 - p), Fraction(1), _CERTAINTY + _PER_VALUE):
            figures = _figure(p), _figure(Fraction(seen[value], _PLAYS))
            return (f"for {as_line(value)}", *figures, thrown)
    if all_integers(own) and not own.remainder:
        reach = max(max(own.values) - own.mean, own.mean - min(own.values))
        if _too_far(_PLAYS * abs(plays.mean - own.mean), own.variance, reach, _CERTAINTY):
            return ("on average", decimal(own.mean), decimal(plays.mean), thrown)
    return None


def _too_far(off: Fraction, variance: Fraction, reach: Fraction, certainty: int) -> bool:
    """Return whether a sum of independent numbers is too far from what is expected (Bernstein's inequality).

    Parameters:
        off: how far it is.
        variance, reach: the variance of one number, and how far it can be from its mean.
        certainty: the natural logarithm of how improbable it must be.
    """
    return off * (off - Fraction(2 * certainty, 3) * reach) > 2 * certainty * _PLAYS * variance


def _figure(probability: Fraction) -> str:
    return percent(probability, 2)
