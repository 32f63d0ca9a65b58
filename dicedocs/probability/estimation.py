"""Odds by sampling, for what is too much to count: reproducible by a seed, and with confidence intervals."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import LimitError, ParameterError, quoted
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import bind_parameters, choice_orders, fact_selector, run_to_end, select_facts
from dicedocs.probability.ordering import ChoiceOrders
from dicedocs.probability.size_probe import count_values
from dicedocs.render.numbers import decimal, local_figure, percent, root
from dicedocs.rules.kinds import all_integers
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import fact_values
from dicedocs.rules.seeds import SeededDice
from dicedocs.translation import gettext as _
from dicedocs.translation import ngettext

CONFIDENCE: Final = 0.99
"""The confidence level of an interval, unless another is given."""


_TRIALS: Final = 4
"""Plays that tell how many dice a mechanic throws."""
_FEWER_PLAYS: Final = "take fewer samples"


class Estimate(Distribution):
    """A distribution that was sampled, not counted.

    Attributes:
        samples: how many plays it is made from.
        seed: what decided them; ``None`` if they differ each time.
    """

    __slots__ = ("samples", "seed")

    samples: int
    seed: int | str | None

    @classmethod
    def sampled(
        cls, counts: dict[Any, int], names: tuple[str, ...], seed: int | str | None, choice_orders: ChoiceOrders = ()
    ) -> Estimate:
        """Return the estimate from how often each value came up."""
        self = cls.from_counts(counts, names, choice_orders)
        _set_samples(self, sum(counts.values()))
        _set_seed(self, seed)
        return self

    @property
    def origin(self) -> str:
        """How many plays it is made from, and for numbers the confidence interval of the mean.

        >>> estimate("methuen/expression", expression="1d1", samples=100).origin
        'estimated from 100 plays, the mean between 1 and 1 (99% sure)'
        """
        text = ngettext("estimated from {count} play", "estimated from {count} plays", self.samples)
        text = text.format(count=self.samples)
        if not all_integers(self):
            return text
        low, high = (local_figure(decimal(bound)) for bound in self._mean_bounds(CONFIDENCE))
        sure = local_figure(percent(CONFIDENCE, 0))
        message = _("{text}, the mean between {low} and {high} ({percent} sure)")
        return message.format(text=text, low=low, high=high, percent=sure)

    def to_html(self) -> str:
        """Return the distribution as HTML, with its origin."""
        return f'{super().to_html()}<p class="dice-note">{self.origin[:1].upper()}{self.origin[1:]}.</p>'

    def __str__(self) -> str:
        return f"{super().__str__()}\n{self.origin[:1].upper()}{self.origin[1:]}."

    def __reduce__(self) -> tuple[Any, ...]:
        return Estimate.sampled, (dict(self.items()), self.names, self.seed, self._choice_orders)

    def __repr__(self) -> str:
        return f"<Estimate of {', '.join(self.names)}: {len(self)} values in {self.samples} samples>"

    def interval(
        self, event: object = None, /, *, confidence: float = CONFIDENCE, **events: object
    ) -> tuple[float, float]:
        """Return the confidence interval of the probability of an event (Wilson's score interval).

        Parameters:
            event, events: as for :meth:`~dicedocs.probability.distribution.Distribution.p`.
            confidence: how often such intervals contain the true probability, above 0 and below 1.

        Raises:
            ParameterError: it is not an event, or ``confidence`` is out of range.

        >>> low, high = estimate("methuen/expression", expression="1d20", samples=2000, seed=1).interval("at least 11")
        >>> low < 0.5 < high
        True
        """
        z = _z_score(confidence)
        share = float(self.p(event, **events))
        n = self.samples
        center = (share + z * z / (2 * n)) / (1 + z * z / n)
        margin = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return max(0.0, center - margin), min(1.0, center + margin)

    def mean_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the confidence interval of the mean.

        Parameters:
            confidence: as for :meth:`interval`.

        Raises:
            ParameterError: the values are not numbers, or ``confidence`` is out of range.
        """
        low, high = self._mean_bounds(confidence)
        try:
            return float(low), float(high)
        except OverflowError:
            message = "the mean is larger than any float"
            raise LimitError(message, limit=limits.OUTCOME_DIGITS.name, hint="take mean, which is exact") from None

    def _mean_bounds(self, confidence: float) -> tuple[Fraction, Fraction]:
        margin = Fraction(_z_score(confidence)) * root(self.variance / self.samples)
        return self.mean - margin, self.mean + margin


_set_samples = vars(Estimate)["samples"].__set__
_set_seed = vars(Estimate)["seed"].__set__


def estimate(
    rule: str | Mechanic, /, *facts: str, samples: int = 100_000, seed: int | str | None = None, **parameters: Any
) -> Estimate:
    """Estimate the odds of facts of a mechanic by playing it many times.

    Parameters:
        rule, facts, parameters: as for :func:`~dicedocs.probability.enumeration.odds`.
        samples: how many plays, at least 1.
        seed: decides them; without one they differ each time.

    Returns:
        The sampled distribution, with confidence intervals.

    Raises:
        DiceError: as for :func:`~dicedocs.probability.enumeration.odds`, or ``samples`` is not such a number.
        LimitError: ``samples`` is above ``ESTIMATE``.

    >>> estimate("methuen/expression", expression="3d6", samples=1000, seed=1).samples
    1000
    """
    return run_to_end(sample_odds(bind_parameters(rule, parameters), *facts, samples=samples, seed=seed))


def sample_odds(
    rule: Mechanic,
    /,
    *facts: str,
    samples: int,
    seed: int | str | None = None,
    maximum: limits.Limit | None = None,
) -> Generator[float, None, Estimate]:
    """Do what :func:`estimate` does a little at a time, so that the caller can do other things meanwhile.

    A caller whose time is up may throw a ``LimitError`` into it: then the estimate is made from what was played.

    Parameters:
        rule, facts, samples, seed: as for :func:`estimate`.
        maximum: how many dice may be thrown in all plays; ``THROWS`` by default.

    Yields:
        Which part is done, from 0 to 1, after each play.

    Raises:
        DiceError, LimitError: as for :func:`estimate`.
    """
    names = select_facts(rule, facts)
    if type(samples) is not int or samples < 1:
        raise ParameterError(f"{quoted(samples)} is not a number of samples", hint="give a whole number, 1 or more")
    limits.ESTIMATE.check(samples, parameter="samples")
    select = fact_selector(rule, names)
    dice = SeededDice(seed)
    throws = maximum or limits.THROWS
    yield from _check_throws(rule, samples, throws)
    counts: dict[Any, int] = {}
    thrown = values = 0
    for plays in range(samples):
        try:
            yield plays / samples
        except LimitError:
            if not plays:
                raise
            break
        outcome = rule.play(dice)
        thrown += len(outcome.dice)
        if thrown > throws.maximum:
            throws.check(thrown, hint=_FEWER_PLAYS, parameter="samples")
        value = select(fact_values(outcome))
        if value in counts:
            counts[value] += 1
            continue
        counts[value] = 1
        values += count_values((value,))
        if values > limits.VALUES.maximum:
            limits.VALUES.check(values, hint=_FEWER_PLAYS, parameter="samples")
    return Estimate.sampled(counts, names, seed, choice_orders(rule, names, counts))


def _check_throws(rule: Mechanic, plays: int, maximum: limits.Limit) -> Generator[float, None, None]:
    """Raise a ``LimitError`` if so many plays of a mechanic would throw too many dice, as a few plays tell."""
    dice = SeededDice(0)
    thrown = 0
    for _trial in range(_TRIALS):
        thrown += len(rule.play(dice).dice)
        yield 0.0
    maximum.check(plays * thrown // _TRIALS, hint=_FEWER_PLAYS, parameter="samples")


def _z_score(confidence: float) -> float:
    """Return how many standard errors an interval reaches to either side."""
    given: object = confidence
    # Between this number and 1 there is no other float.
    if not (isinstance(given, int | float) and 0 < given < 1 and (1 + given) / 2 < 1):
        message = f"{quoted(confidence)} is not a confidence level"
        raise ParameterError(message, hint="give a number between 0 and 1, as 0.99")
    return NormalDist().inv_cdf((1 + confidence) / 2)
