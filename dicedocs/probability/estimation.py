"""Odds by sampling, for what is too much to count: with a seed, and with how far off they can be."""

from __future__ import annotations

from collections.abc import Generator
from math import sqrt
from operator import itemgetter
from statistics import NormalDist
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.distribution import ChoiceOrders, Distribution
from dicedocs.probability.enumeration import bind_parameters, choice_orders, run_to_end, select_facts
from dicedocs.render.numbers import decimal, percent
from dicedocs.rules.dice import SeededDice
from dicedocs.rules.kinds import all_integers
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import fact_values

CONFIDENCE: Final = 0.99
"""How often the truth lies in an interval, unless somebody says otherwise."""

_PAUSE: Final = 256
"""Plays between two reports of how far the sampling is."""


class Estimate(Distribution):
    """A distribution that was sampled, and not counted.

    Attributes:
        samples: how many plays it is made from.
        seed: what decided them; ``None`` for fresh chance.
    """

    __slots__ = ("samples", "seed")

    samples: int
    seed: int | str | None

    @classmethod
    def sampled(
        cls, counts: dict[Any, int], names: tuple[str, ...], seed: int | str | None, words: ChoiceOrders = ()
    ) -> Estimate:
        """Make an estimate of how often each value came up."""
        self = cls._of(counts, names, words)
        _put_samples(self, sum(counts.values()))
        _put_seed(self, seed)
        return self

    @property
    def origin(self) -> str:
        """Say where the figures come from, and how good the mean is where there is one.

        >>> estimate("methuen/expression", expression="1d1", samples=100).origin
        'estimated from 100 plays, the mean between 1 and 1 (99% sure)'
        """
        said = f"estimated from {self.samples} plays"
        if not all_integers(self):
            return said
        low, high = self.mean_interval()
        return f"{said}, the mean between {decimal(low)} and {decimal(high)} ({percent(CONFIDENCE, 0)} sure)"

    def to_html(self) -> str:
        """Give the estimate as HTML, as a distribution is, and say that it is one."""
        return f'{super().to_html()}<p class="dice-note">{self.origin.capitalize()}.</p>'

    def __str__(self) -> str:
        return f"{super().__str__()}\n{self.origin.capitalize()}."

    def __repr__(self) -> str:
        return f"<Estimate of {', '.join(self.names)}: {len(self)} values in {self.samples} samples>"

    def interval(
        self, event: object = None, /, *, confidence: float = CONFIDENCE, **events: object
    ) -> tuple[float, float]:
        """Give the bounds between which the probability of an event lies (Wilson's interval).

        Parameters:
            event, events: as for :meth:`~dicedocs.probability.distribution.Distribution.p`.
            confidence: how often such bounds hold the truth, above 0 and below 1.

        Raises:
            ParameterError: it is no event, or no confidence.

        >>> low, high = estimate("methuen/expression", expression="1d20", samples=2000, seed=1).interval("at least 11")
        >>> low < 0.5 < high
        True
        """
        z = _deviations(confidence)
        share = float(self.p(event, **events))
        n = self.samples
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def mean_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Give the bounds between which the mean lies.

        Parameters:
            confidence: as for :meth:`interval`.

        Raises:
            ParameterError: the values are no numbers, or it is no confidence.
        """
        reach = _deviations(confidence) * self.standard_deviation / sqrt(self.samples)
        return float(self.mean) - reach, float(self.mean) + reach


_put_samples = vars(Estimate)["samples"].__set__
_put_seed = vars(Estimate)["seed"].__set__


def estimate(
    rule: str | Mechanic, /, *facts: str, samples: int = 100_000, seed: int | str | None = None, **parameters: Any
) -> Estimate:
    """Estimate the odds of facts of a mechanic by playing it many times.

    Parameters:
        rule, facts, parameters: as for :func:`~dicedocs.probability.enumeration.odds`.
        samples: how many plays, at least 1.
        seed: decides them; without one chance is fresh.

    Returns:
        What came up, with intervals for what it says.

    Raises:
        DiceError: as for :func:`~dicedocs.probability.enumeration.odds`, or the number of samples is none.
        LimitError: there are more than ``ESTIMATE``.

    >>> estimate("methuen/expression", expression="3d6", samples=1000, seed=1).samples
    1000
    """
    return run_to_end(sample_odds(bind_parameters(rule, parameters), *facts, samples=samples, seed=seed))


def sample_odds(
    rule: Mechanic, /, *facts: str, samples: int, seed: int | str | None = None
) -> Generator[float, None, Estimate]:
    """Estimate a little at a time: what :func:`estimate` does, for who has other things to do meanwhile.

    Yields:
        Which part is done, from 0 to 1.

    Returns:
        The estimate.

    Raises:
        DiceError, LimitError: as for :func:`estimate`.
    """
    names = select_facts(rule, facts)
    if type(samples) is not int or samples < 1:
        raise ParameterError(f"{quoted(samples)} is no number of samples", hint="give a whole number, 1 or more")
    limits.ESTIMATE.check(samples, parameter="samples")
    read = itemgetter(*map(list(type(rule).result().facts_of).index, names))
    dice = SeededDice(seed)
    counts: dict[Any, int] = {}
    for turn in range(samples):
        if not turn % _PAUSE:
            yield turn / samples
        value = read(fact_values(rule.play(dice)))
        counts[value] = counts.get(value, 0) + 1
    return Estimate.sampled(counts, names, seed, choice_orders(rule, names, counts))


def _deviations(confidence: float) -> float:
    """Give how many standard deviations the bounds lie from the middle."""
    if not 0 < confidence < 1:
        raise ParameterError(f"{quoted(confidence)} is no confidence", hint="give a number between 0 and 1, as 0.99")
    return NormalDist().inv_cdf((1 + confidence) / 2)
