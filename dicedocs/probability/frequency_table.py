"""Values with their number of ways: what there is to know of a distribution without making another of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, islice
from math import gcd, log10, sqrt
from typing import Any, Final, Self

from dicedocs import limits
from dicedocs.errors import LimitError, ParameterError, near, quoted
from dicedocs.probability.arguments import (
    check_names,
    check_parts,
    checked_denominator,
    checked_names,
    checked_whole,
)
from dicedocs.probability.convolution import FEWER_DICE
from dicedocs.probability.event import Event, check_digits
from dicedocs.probability.ordering import ChoiceOrders, sort_values
from dicedocs.render.numbers import root, whole_text
from dicedocs.rules.kinds import all_integers, as_line
from dicedocs.rules.steps import COMPARISONS, Comparison

SPARSE: Final = 4
"""Numbers whose average distance is larger are kept in a dictionary, others as a list of counts."""


class FrequencyTable:
    """An immutable table of values with their counts, from which probabilities and statistics are read.

    Whole numbers that lie close together are a list of counts, ``_dense``, from the number ``_low`` on; all other
    values are a dictionary in order.
    """

    __slots__ = ("_choice_orders", "_counts", "_denominator", "_dense", "_low", "names")

    names: tuple[str, ...]
    _choice_orders: ChoiceOrders
    _counts: dict[Any, int] | None
    _denominator: int
    _dense: Sequence[int]
    _low: int

    def __new__(cls, weights: Mapping[Any, int], names: Iterable[str] = ()) -> Self:
        given: object = weights
        if not isinstance(given, Mapping):
            raise ParameterError(f"{quoted(weights)} has no weights", hint="give a dictionary: {'hit': 3, 'miss': 1}")
        limits.OUTCOMES.check(len(weights), hint="give fewer values")
        names = checked_names(names)
        counts: dict[Any, int] = {}
        for value, weight in islice(weights.items(), limits.OUTCOMES.maximum + 1):
            if type(weight) is not int or weight < 0:
                raise ParameterError(f"{quoted(weight)} is not a weight", hint="give whole numbers, 0 or more")
            if weight:
                counts[value] = weight
        limits.OUTCOMES.check(len(counts), hint="give fewer values")
        if not counts:
            raise ParameterError("no value has a weight", hint="give at least one")
        check_names(names, counts)
        return cls.from_counts(counts, names)

    @classmethod
    def from_counts(
        cls,
        counts: dict[Any, int],
        names: tuple[str, ...] = (),
        choice_orders: ChoiceOrders = (),
        denominator: int = 0,
    ) -> Self:
        """Build a distribution from counts that are known to be above 0, without checking them.

        The denominator is the sum of the counts, if it is known; a larger one leaves a :attr:`remainder`.
        """
        if all_integers(counts):
            low, high = min(counts), max(counts)
            check_digits(max(high, -low))
            if high - low < SPARSE * len(counts):
                get = counts.get
                return cls.from_dense_counts(low, [get(value, 0) for value in range(low, high + 1)], names, denominator)
        else:
            check_parts(counts)
        limits.OUTCOMES.check(len(counts), hint=FEWER_DICE)
        self = _new(cls)
        _set_counts(self, {value: counts[value] for value in sort_values(counts, choice_orders)})
        _set_low(self, 0)
        _set_dense(self, ())
        _set_denominator(self, checked_denominator(denominator or sum(counts.values())))
        _set_names(self, names)
        _set_choice_orders(self, choice_orders)
        return self

    @classmethod
    def from_dense_counts(
        cls, low: int, counts: Sequence[int], names: tuple[str, ...] = (), denominator: int = 0
    ) -> Self:
        """Build a distribution from the counts of the whole numbers from ``low`` on, without checking them.

        The denominator is the sum of the counts, if it is known; a larger one leaves a :attr:`remainder`. Neither the
        first nor the last count is 0.
        """
        self = _new(cls)
        _set_counts(self, None)
        _set_low(self, low)
        _set_dense(self, counts)
        check_digits(max(low + len(counts), -low))
        _set_denominator(self, checked_denominator(denominator or sum(counts)))
        _set_names(self, names)
        _set_choice_orders(self, ())
        return self

    @property
    def denominator(self) -> int:
        """The sum of all counts, and of the ways that are left as the remainder."""
        return self._denominator

    @property
    def remainder(self) -> Fraction:
        """The probability that no value has, since the dice were not followed to their end; 0 for nearly all dice.

        Dice that explode may do so for ever. They are followed to the depth ``EXPLOSIONS``, and what lies beyond it
        belongs to no value. A probability is then a lower bound, which is off by the remainder at most; the statistics
        are those of what was followed.
        """
        left = self._denominator - self.followed
        return Fraction(left, self._denominator) if left else Fraction(0)

    @property
    def followed(self) -> int:
        """The sum of the counts of all values; the denominator, unless there is a remainder."""
        return sum(self._dense) if self._dense else sum(self._by_value.values())

    @property
    def _by_value(self) -> dict[Any, int]:
        if self._counts is None:
            _set_counts(self, {value: count for value, count in enumerate(self._dense, self._low) if count})
        return self._counts or {}

    @property
    def values(self) -> tuple[Any, ...]:
        """The possible values, numbers in order, ``None`` last."""
        return tuple(self._by_value)

    @property
    def counts(self) -> tuple[int, ...]:
        """The count of each value, in the order of :attr:`values`."""
        return tuple(self._by_value.values())

    @property
    def dense(self) -> bool:
        """Whether the values are whole numbers that lie close together, so that adding them is fast."""
        return bool(self._dense)

    def items(self) -> Iterator[tuple[Any, int]]:
        """Return an iterator of each value with its count, in order."""
        return iter(self._by_value.items())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._by_value)

    def __len__(self) -> int:
        return len(self._dense) - self._dense.count(0) if self._dense else len(self._by_value)

    def to_dict(self) -> dict[Any, Fraction]:
        """Return each value with its probability.

        >>> from dicedocs import Distribution
        >>> Distribution.dice(1, 2).to_dict()
        {1: Fraction(1, 2), 2: Fraction(1, 2)}
        """
        return {value: Fraction(count, self._denominator) for value, count in self.items()}

    def p(self, event: object = None, /, **events: object) -> Fraction:
        """Return the probability of an event.

        Parameters:
            event: a value, its text, or a comparison with one: ``13``, ``"at least 13"``, ``">= 13"``,
                ``"= true"``, ``"if it succeeds"``.
            events: of a joint distribution, an event for each fact that matters.

        Raises:
            ParameterError: it is not an event, or values that are not numbers are compared by size.

        >>> from dicedocs import Distribution
        >>> Distribution.dice(1, 20).p("over 10")
        Fraction(1, 2)
        """
        if event is not None and events:
            message = "an event of all values and events of facts are both given"
            raise ParameterError(message, hint="give one of them")
        if events:
            holds = self._condition(events)
            return Fraction(sum(count for value, count in self.items() if holds(value)), self._denominator)
        return self._probability(Event.read(event))

    def _probability(self, event: Event) -> Fraction:
        if event.ordered:
            return self._ordered_probability(event.op, event.number)
        return Fraction(sum(count for value, count in self.items() if event.holds(value)), self._denominator)

    def _ordered_probability(self, op: Comparison, number: int) -> Fraction:
        if self._dense:
            edge = number + (op in {">", "<="}) - self._low
            edge = min(max(edge, 0), len(self._dense))
            part = self._dense[edge:] if op[0] == ">" else self._dense[:edge]
            return Fraction(sum(part), self._denominator)
        # `None` is neither above nor below a number, but comparing words with one is a mistake.
        numbers = [value for value in self if value is not None]
        self._require_numbers(f"put in order by {quoted(Event(op, whole_text(number)))}", numbers)
        holds = COMPARISONS[op]
        ways = sum(count for value, count in self.items() if value is not None and holds(value, number))
        return Fraction(ways, self._denominator)

    def _condition(self, events: Mapping[str, object]) -> Callable[[Any], bool]:
        """Return the function that tells of a value whether all events hold."""
        conditions = [(self._fact_index(name), Event.read(event)) for name, event in events.items()]
        if len(self.names) == 1:
            return lambda value: all(event.holds(value) for _, event in conditions)
        return lambda value: all(event.holds(value[index]) for index, event in conditions)

    def _fact_index(self, name: str) -> int:
        if name not in self.names:
            given: object = name
            hint = near(given, self.names) if isinstance(given, str) else "give the name of a fact"
            raise ParameterError(f"there is no fact {quoted(name)} here", hint=hint)
        return self.names.index(name)

    def exactly(self, value: object) -> Fraction:
        """Return the probability of one value.

        >>> from dicedocs import Distribution
        >>> Distribution.dice(2, 6).exactly(7)
        Fraction(1, 6)
        """
        try:
            return Fraction(self._by_value.get(value, 0), self._denominator)
        except TypeError:
            raise ParameterError(f"{quoted(value)} is not a value", hint="give several facts as a tuple") from None

    def at_least(self, number: int) -> Fraction:
        """Return the probability of a number or more."""
        return self._ordered_probability(">=", checked_whole(number))

    def at_most(self, number: int) -> Fraction:
        """Return the probability of a number or less."""
        return self._ordered_probability("<=", checked_whole(number))

    @property
    def mean(self) -> Fraction:
        """The average."""
        self._require_numbers("averaged")
        if self._dense:
            return self._low + Fraction(sum(map(int.__mul__, self._dense, range(len(self._dense)))), self.followed)
        return Fraction(sum(value * count for value, count in self.items()), self.followed)

    @property
    def variance(self) -> Fraction:
        """The average square of the distance from the mean."""
        self._require_numbers("averaged")
        # Measuring from the lowest value keeps the squares small; the variance is the same.
        low = self._low if self._dense else self.values[0]
        first = second = 0
        for value, count in enumerate(self._dense) if self._dense else self.items():
            distance = value if self._dense else value - low
            first += distance * count
            second += distance * distance * count
        played = self.followed
        return Fraction(second, played) - Fraction(first, played) ** 2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance; a ``LimitError`` if it is larger than any float."""
        variance = self.variance
        try:
            return sqrt(variance)
        except OverflowError:
            pass
        try:
            return float(root(variance))
        except OverflowError:
            message = "the standard deviation is larger than any float"
            raise LimitError(
                message, limit=limits.OUTCOME_DIGITS.name, hint="take the variance, which is exact"
            ) from None

    @property
    def median(self) -> Fraction:
        """The number with as much below as above; half-way between two numbers where both have."""
        half = (1 - self.remainder) / 2
        low: int = self.quantile(Fraction(1, 2))
        if self.at_most(low) > half:
            return Fraction(low)
        return Fraction(low + next(value for value in self.values if value > low), 2)

    @property
    def mode(self) -> Any:
        """The most probable value; the first of several."""
        return max(self.items(), key=lambda item: item[1])[0]

    def quantile(self, q: Fraction | float) -> Any:
        """Return the smallest number for which the probability of that number or less is at least ``q``.

        Parameters:
            q: from 0 to 1.

        Raises:
            ParameterError: ``q`` is out of range, or the values are not numbers.

        >>> from dicedocs import Distribution
        >>> Distribution.dice(1, 100).quantile(0.25)
        25
        """
        self._require_numbers("put in order")
        given: object = q
        if not (isinstance(given, int | float | Fraction) and 0 <= given <= 1):
            raise ParameterError(f"{quoted(q)} is not a probability", hint="give a number from 0 to 1")
        wanted = Fraction(q) * self.followed
        cumulative = enumerate(accumulate(self.counts))
        return self.values[next(index for index, count in cumulative if count >= wanted)]

    def sample(self, n: int, seed: int | str | None = None) -> list[Any]:
        """Return random values.

        Parameters:
            n: how many, at least 0.
            seed: decides them; without one they differ each time.

        Raises:
            ParameterError: ``n`` is not such a number, or ``seed`` is not a seed.
            LimitError: ``n`` is above ``SAMPLES``.

        >>> from dicedocs import Distribution
        >>> len(Distribution.dice(3, 6).sample(1000, seed=1))
        1000
        """
        from dicedocs.probability.sampling import draw

        if type(n) is not int or n < 0:
            raise ParameterError(f"{quoted(n)} is not a number of samples", hint="give a whole number, 0 or more")
        limits.SAMPLES.check(n)
        return draw(self.values, self.counts, n, seed)

    def to_json(self) -> str:
        """Return the distribution as JSON, which :meth:`~Distribution.from_json` reads.

        >>> from dicedocs import Distribution
        >>> Distribution.from_json(Distribution.dice(3, 6).to_json()) == Distribution.dice(3, 6)
        True
        """
        from dicedocs.probability.distribution_json import dump_counts

        return dump_counts(self._by_value, self._denominator, self.names, self._choice_orders)

    def _require_numbers(self, purpose: str, values: Iterable[Any] | None = None) -> None:
        for value in () if self._dense else self if values is None else values:
            if type(value) is not int:
                message = f"{quoted(as_line(value))} is not a number, so the values cannot be {purpose}"
                raise ParameterError(message, hint="ask for the probability of a value")

    def _reduced(self) -> tuple[int, dict[Any, int]]:
        divisor = gcd(self._denominator, *self.counts)
        return self._denominator // divisor, {value: count // divisor for value, count in self.items()}

    def __eq__(self, other: object) -> bool:
        return self._reduced() == other._reduced() if isinstance(other, FrequencyTable) else NotImplemented

    def __hash__(self) -> int:
        denominator, counts = self._reduced()
        return hash((denominator, frozenset(counts.items())))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a distribution cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a distribution cannot be changed: {name}")

    def __repr__(self) -> str:
        names = f" of {', '.join(self.names)}" if self.names else ""
        whole = self._denominator
        over = str(whole) if whole < 10**limits.DIGITS.maximum else f"about 10^{log10(whole):.0f}"
        return f"<Distribution{names}: {len(self)} values over {over}>"


# These set the slots in spite of `__setattr__`.
_new = object.__new__
_set_choice_orders = vars(FrequencyTable)["_choice_orders"].__set__
_set_counts = vars(FrequencyTable)["_counts"].__set__
_set_denominator = vars(FrequencyTable)["_denominator"].__set__
_set_dense = vars(FrequencyTable)["_dense"].__set__
_set_low = vars(FrequencyTable)["_low"].__set__
_set_names = vars(FrequencyTable)["names"].__set__
