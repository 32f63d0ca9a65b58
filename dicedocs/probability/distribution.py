"""Exact probability distributions: made of dice or of weights, combined, conditioned and shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import accumulate, islice
from math import gcd, log10, prod, sqrt
from operator import itemgetter
from typing import Any, Final, Self

from dicedocs import limits
from dicedocs.errors import LimitError, ParameterError, listed, quoted
from dicedocs.probability.arguments import (
    check_function,
    check_integers,
    check_keep,
    check_names,
    check_parts,
    checked_denominator,
    checked_names,
    checked_whole,
)
from dicedocs.probability.combinatorics import check_dice, kept_sums, multisets
from dicedocs.probability.convolution import (
    FEWER_DICE,
    DiceGroup,
    binomial,
    check_size,
    combinations,
    convolve,
    dense_products,
    lower_pairs,
    mixed_sums,
    products,
    quotients,
    sums,
    unhashable_error,
)
from dicedocs.probability.event import Event, check_digits
from dicedocs.probability.ordering import ChoiceOrders, sort_values
from dicedocs.render.numbers import root
from dicedocs.rules.dice import Keep, check_limits
from dicedocs.rules.kinds import all_integers, as_line
from dicedocs.rules.steps import COMPARISONS
from dicedocs.similar_words import near

SPARSE: Final = 4
"""Numbers whose average distance is larger are kept in a dictionary, others as a list of counts."""
_LONGEST_CONDITION: Final = 200
_ROWS: Final = 500
"""The rows that a distribution shows as a table; further ones are counted below it."""


class Distribution:
    """The exact probability of each value, as whole-number counts over one denominator.

    It is immutable. Two distributions are equal if they give each value the same probability.
    Arithmetic and comparison with another distribution assume that the two are independent; a plain
    number stands for itself.

    Parameters:
        weights: each value with its weight, a whole number that is not negative.
        names: the facts that the values are of; several when the values are tuples of facts.

    Raises:
        ParameterError: a weight is not such a number, or all are 0.

    Whole numbers that lie close together are a list of counts, ``_dense``, from the number ``_low`` on; all other
    values are a dictionary in order.

    >>> Distribution.dice(3, 6).p("at least 13")
    Fraction(7, 27)
    >>> Distribution({"red": 2, "blue": 1}).p("red")
    Fraction(2, 3)
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

    def to_pandas(self, *, exact: bool = False) -> Any:
        """Return the probabilities as a pandas ``Series``, whose index is the values, or a level for each fact.

        Parameters:
            exact: whether they are fractions; otherwise floats, which pandas can plot and add up.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError("to_pandas() needs pandas: pip install pandas", name="pandas") from None
        shares = self.to_dict()
        if len(self.names) > 1:
            index = pandas.MultiIndex.from_tuples(list(shares), names=self.names)
        else:
            index = pandas.Index(list(shares), name=self.names[0] if self.names else None)
        values = list(shares.values()) if exact else [float(share) for share in shares.values()]
        return pandas.Series(values, index, dtype=object if exact else float, name="probability")

    def p(self, event: object = None, /, **events: object) -> Fraction:
        """Return the probability of an event.

        Parameters:
            event: a value, its text, or what the language of conditions says of it: ``13``, ``"at least 13"``,
                ``"7 or 11"``, ``"not 7"``, ``"= true"``, ``"if it succeeds"``.
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
        return Event.read(event, self._others()).chance(self)

    def _others(self, fact: str = "") -> Iterable[object]:
        """Return the values, of a fact or of all; none of them if all are whole numbers that lie close together."""
        index = self._fact_index(fact) if fact else 0
        is_single = not fact or len(self.names) == 1
        return () if self._dense else self if is_single else dict.fromkeys(value[index] for value in self)

    def within(self, low: int | None, high: int | None) -> Fraction:
        """Return the probability of the numbers from a lowest to a highest one, each ``None`` for no bound."""
        if self._dense:
            start = 0 if low is None else max(low - self._low, 0)
            end = len(self._dense) if high is None else max(high + 1 - self._low, 0)
            return Fraction(sum(self._dense[start:end]), self._denominator)
        # `None` is neither above nor below a number, but comparing words with one is a mistake.
        self._require_numbers("put in order", [value for value in self if value is not None])
        inside = (
            count
            for value, count in self.items()
            if value is not None and (low is None or low <= value) and (high is None or value <= high)
        )
        return Fraction(sum(inside), self._denominator)

    def _condition(self, events: Mapping[str, object]) -> Callable[[Any], bool]:
        """Return the function that tells of a value whether all events hold."""
        conditions = [
            (self._fact_index(name), Event.read(event, self._others(name)).test([name]))
            for name, event in events.items()
        ]
        if len(self.names) == 1:
            return lambda value: all(holds(value) for _, holds in conditions)
        return lambda value: all(holds(value[index]) for index, holds in conditions)

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

    def __getitem__(self, value: object) -> Fraction:
        """Return the probability of one value, as :meth:`exactly` does.

        >>> from dicedocs import Distribution
        >>> Distribution.dice(2, 6)[7], Distribution.dice(2, 6)[13]
        (Fraction(1, 6), Fraction(0, 1))
        """
        return self.exactly(value)

    def __bool__(self) -> bool:
        """Refuse to be true or false, which ``if``, ``and``, ``max`` and ``sorted`` ask for.

        >>> from dicedocs import Distribution
        >>> one, two = Distribution.dice(1, 6), Distribution.dice(1, 8)
        >>> max(one, two)
        Traceback (most recent call last):
        ...
        TypeError: a distribution is neither true nor false; write one.max(two) for the higher, p(...) for a probability
        """
        hint = "write one.max(two) for the higher, p(...) for a probability"
        raise TypeError(f"a distribution is neither true nor false; {hint}")

    def at_least(self, number: int) -> Fraction:
        """Return the probability of a number or more."""
        return self.within(checked_whole(number), None)

    def at_most(self, number: int) -> Fraction:
        """Return the probability of a number or less."""
        return self.within(None, checked_whole(number))

    @property
    def mean(self) -> Fraction:
        """The average; with a :attr:`remainder`, on condition that the dice end within the depth they are followed.

        >>> import dicedocs as dd
        >>> open_ended = dd.odds("1d6!")  # 4.2, if all were followed
        >>> float(open_ended.mean), float(open_ended.remainder)
        (4.1999998..., 2.756...e-09)
        """
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
    def minimum(self) -> int:
        """The lowest number that can come up."""
        return self._end(0)

    @property
    def maximum(self) -> int:
        """The highest number that can come up."""
        return self._end(-1)

    def _end(self, index: int) -> int:
        self._require_numbers("put in order")
        if self.remainder:
            message = "not all dice were followed to their end, so what can come up is not known"
            raise ParameterError(message, hint="ask for a probability")
        value: int = self.values[index]
        return value

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
        return self._reduced() == other._reduced() if isinstance(other, Distribution) else NotImplemented

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

    @classmethod
    def dice(cls, count: int, sides: int) -> Self:
        """Return the distribution of the sum of equal dice.

        Parameters:
            count: how many dice, at least 0.
            sides: the sides of each, at least 1.

        Raises:
            ParameterError: a number is out of range.
            LimitError: there would be too many outcomes.

        >>> Distribution.dice(100, 6).mean
        Fraction(350, 1)
        """
        check_integers(count, sides)
        check_limits(0, count, sides)
        return cls.from_dense_counts(count, sums(count, sides), (), sides**count)

    @classmethod
    def pool(cls, *sides: int, keep: Keep | None = None) -> Self:
        """Return the distribution of the sum of a pool, or of those of its dice that are kept.

        Parameters:
            sides: the sides of each die.
            keep: which dice are kept: ``highest(3)``, ``lowest(1)``.

        Raises:
            ParameterError: a number is out of range.
            LimitError: there would be too many outcomes, or too much work.

        >>> from dicedocs import highest
        >>> Distribution.pool(6, 6, 6, 6, keep=highest(3)).p("= 18")
        Fraction(7, 432)
        """
        check_integers(*sides)
        check_keep(keep)
        check_dice(len(sides), sides)
        return cls.from_dense_counts(*kept_sums(sides, keep))

    @classmethod
    def from_dice_groups(cls, groups: Collection[DiceGroup]) -> Self:
        """Build the distribution of the sum of different dice that are known to be valid, without checking them."""
        low = sum(group.number * group.times for group in groups)
        return cls.from_dense_counts(low, mixed_sums(groups), (), prod(group.sides**group.number for group in groups))

    @classmethod
    def faces(cls, *sides: int, keep: Keep | None = None) -> Self:
        """Return the distribution of the sorted faces of a pool, or of those of its dice that are kept.

        Parameters:
            sides, keep: as for :meth:`pool`.

        Raises:
            ParameterError: a number is out of range.
            LimitError: there would be too many outcomes, or too much work.

        >>> Distribution.faces(6, 6).p("3 4")
        Fraction(1, 18)
        """
        check_integers(*sides)
        check_keep(keep)
        check_dice(len(sides), sides)
        return cls.from_counts(dict(multisets(sides, keep)))

    def map(self, function: Callable[[Any], Hashable]) -> Distribution:
        """Return the distribution of a function of the values.

        >>> Distribution.dice(1, 6).map(lambda face: face % 2 == 0).p("true")
        Fraction(1, 2)
        """
        check_function(function)
        counts: dict[Any, int] = {}
        for value, count in self.items():
            new = function(value)
            try:
                counts[new] = counts.get(new, 0) + count
            except TypeError:
                raise unhashable_error(new) from None
        names, orders = ((), ()) if len(self.names) > 1 else (self.names, self._choice_orders)
        return Distribution.from_counts(counts, names, orders, self._denominator)

    def repeat(self, times: int) -> Distribution:
        """Return the distribution of the sum of several independent values.

        Parameters:
            times: how many, at least 0.

        >>> Distribution.dice(1, 6).repeat(3) == Distribution.dice(3, 6)
        True
        """
        if type(times) is not int or times < 0:
            raise ParameterError(f"{quoted(times)} is not a number of times", hint="give a whole number, 0 or more")
        limits.DICE.check(times)
        check_size(times * max(0, len(self._dense) - 1) + 1, times * self._denominator.bit_length())
        if len(self._dense) == 2:
            low, high = self._dense
            counts = binomial(low, high, times)
            return Distribution.from_dense_counts(self._low * times, counts, (), self._denominator**times)
        total = Distribution.from_dense_counts(0, [1])
        # From the highest binary digit on: then all but small sums are doubles, which take less time.
        for digit in f"{times:b}":
            total = total + total
            if digit == "1":
                total = total + self
        return total

    def max(self, other: Distribution | int) -> Distribution:
        """Return the distribution of the higher of two independent numbers.

        >>> Distribution.dice(1, 20).max(Distribution.dice(1, 20)).mean
        Fraction(553, 40)
        """
        return self._extreme(_as_distribution(other), descending=False)

    def min(self, other: Distribution | int) -> Distribution:
        """Return the distribution of the lower of two independent numbers."""
        return self._extreme(_as_distribution(other), descending=True)

    def _extreme(self, other: Distribution, *, descending: bool) -> Distribution:
        self._require_numbers("compared")
        other._require_numbers("compared")
        values = sorted({*self, *other}, reverse=descending)
        # The product of the cumulative counts is the cumulative count of the extreme.
        sides = [accumulate([one._by_value.get(value, 0) for value in values]) for one in (self, other)]
        both = list(map(int.__mul__, *sides))
        counts = (now - before for now, before in zip(both, [0, *both], strict=False))
        return self._of_pairs(other, {value: count for value, count in zip(values, counts, strict=True) if count})

    def __add__(self, other: Distribution | int) -> Distribution:
        if isinstance(other, int):
            return self._shifted(other)
        if not isinstance(other, Distribution):
            return NotImplemented
        if self._dense and other._dense:
            low, dense = self._low + other._low, convolve(self._dense, other._dense)
            return Distribution.from_dense_counts(low, dense, (), self._denominator * other._denominator)
        return self._combine_numbers(other, int.__add__)

    __radd__ = __add__

    def _shifted(self, by: int) -> Distribution:
        if self._dense:
            return Distribution.from_dense_counts(self._low + by, self._dense, self.names, self._denominator)
        self._require_numbers("added to")
        return self.map(by.__add__)

    def __neg__(self) -> Distribution:
        if self._dense:
            return Distribution.from_dense_counts(-self._high, self._dense[::-1], self.names, self._denominator)
        self._require_numbers("negated")
        return self.map(int.__neg__)

    def __sub__(self, other: Distribution | int) -> Distribution:
        return self + -other if isinstance(other, Distribution | int) else NotImplemented  # type: ignore[redundant-expr]  # from anywhere

    def __rsub__(self, other: int) -> Distribution:
        return -self + other

    def __mul__(self, other: Distribution | int) -> Distribution:
        other = _as_distribution(other)
        if len(other) == 1 and self._dense:
            return self._scaled(other.values[0], other._denominator)
        self._require_numbers("multiplied")
        other._require_numbers("multiplied")
        pairs = len(self) * len(other)
        limits.PAIRS.check(pairs, hint=FEWER_DICE)
        if self._dense and other._dense and self._low >= 0 <= other._low and self._high * other._high < SPARSE * pairs:
            # The counts of a product are shorter than its denominator.
            check_size((self._high * other._high + 1) // 4, (self._denominator * other._denominator).bit_length())
            low, dense = dense_products(self._low, self._dense, other._low, other._dense)
            return Distribution.from_dense_counts(low, dense, (), self._denominator * other._denominator)
        return self._of_pairs(other, products(self._by_value, other._by_value))

    __rmul__ = __mul__

    @property
    def _high(self) -> int:
        return self._low + len(self._dense) - 1

    def _scaled(self, factor: int, ways: int) -> Distribution:
        """Return the distribution of a multiple; the list of counts is stretched if it stays dense enough."""
        if not factor or abs(factor) >= SPARSE or ways != 1:
            counts = {factor * value: count * ways for value, count in self.items()} if factor else {0: self.followed}
            return Distribution.from_counts(counts, (), (), self._denominator * (ways if factor else 1))
        dense = [0] * ((len(self._dense) - 1) * abs(factor) + 1)
        dense[:: abs(factor)] = self._dense[:: 1 if factor > 0 else -1]
        low = self._low if factor > 0 else self._high
        return Distribution.from_dense_counts(low * factor, dense, (), self._denominator)

    def __floordiv__(self, other: Distribution | int) -> Distribution:
        other = _as_distribution(other)
        if len(other) == 1 and 0 not in other._by_value:
            self._require_numbers("divided")
            divisor: int = other.values[0]
            if divisor < 0:
                return -self // -divisor
            if self._dense:
                low, dense = quotients(self._low, self._dense, divisor)
                return Distribution.from_dense_counts(low, dense, (), self._denominator)
            return self.map(lambda value: value // divisor)
        if other.exactly(0):
            raise ParameterError("a divisor can be 0", hint="combine the two with a function that handles 0")
        return self._combine_numbers(other, int.__floordiv__)

    def combine(self, other: Distribution, function: Callable[[Any, Any], Hashable]) -> Distribution:
        """Return the distribution of a function of each pair of independent values.

        Parameters:
            other: the distribution of the second value.
            function: takes a value of each.

        Raises:
            LimitError: there are more than ``PAIRS`` pairs.

        >>> Distribution.dice(1, 2).combine(Distribution.dice(1, 2), lambda one, two: (one, two)).denominator
        4
        """
        other = _as_distribution(other)
        check_function(function)
        limits.PAIRS.check(len(self) * len(other), hint=FEWER_DICE)
        return self._of_pairs(other, combinations(self._by_value, other._by_value, function))

    def _of_pairs(self, other: Distribution, counts: dict[Any, int]) -> Distribution:
        return Distribution.from_counts(counts, (), (), self._denominator * other._denominator)

    def _combine_numbers(self, other: Distribution, function: Callable[[int, int], int]) -> Distribution:
        self._require_numbers("calculated with")
        other._require_numbers("calculated with")
        return self.combine(other, function)

    def compare(self, other: Distribution | int, sign: str) -> Distribution:
        """Return the distribution, true or false, of a comparison with an independent number.

        Parameters:
            other: the number on the right.
            sign: one of ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``.

        >>> Distribution.dice(1, 6).compare(Distribution.dice(1, 6), "=").p("true")
        Fraction(1, 6)
        """
        other = _as_distribution(other)
        if sign not in tuple(COMPARISONS):
            raise ParameterError(f"{quoted(sign)} is not a comparison", hint=f"give one of {listed(COMPARISONS)}")
        self._require_numbers("compared")
        other._require_numbers("compared")
        if sign in {">", ">="}:
            return other.compare(self, "<" if sign == ">" else "<=")
        whole = self.followed * other.followed
        if sign in {"=", "!="}:
            equal = sum(count * other._by_value.get(value, 0) for value, count in self.items())
            ways = equal if sign == "=" else whole - equal
        else:
            ways = lower_pairs(self._by_value, other._by_value, or_equal=sign == "<=")
        return self._of_pairs(other, {value: count for value, count in ((False, whole - ways), (True, ways)) if count})

    def __ge__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, ">=")

    def __gt__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, ">")

    def __le__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, "<=")

    def __lt__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, "<")

    def named(self, *names: str) -> Distribution:
        """Return the same distribution as that of other facts.

        >>> Distribution.dice(1, 6).named("total").names
        ('total',)
        """
        names = checked_names(names)
        check_names(names, self.values)
        if self._dense:
            return Distribution.from_dense_counts(self._low, self._dense, names, self._denominator)
        return Distribution.from_counts(self._by_value, names, self._choice_orders, self._denominator)

    def marginal(self, *names: str) -> Distribution:
        """Return the distribution of some of the facts, whatever the others are.

        Parameters:
            names: facts of this distribution; if there is only one, the values are its own, not tuples.

        Raises:
            ParameterError: it has no such fact.

        >>> both = Distribution({(1, True): 1, (1, False): 1, (2, True): 2}, names=("roll", "hit"))
        >>> both.marginal("roll").p("1")
        Fraction(1, 2)
        """
        indexes = [self._fact_index(name) for name in names]
        if len(set(indexes)) != len(indexes) or not indexes:
            raise ParameterError("no fact is named, or one twice", hint=f"name each once: {', '.join(self.names)}")
        if len(self.names) == 1:
            return self
        select = itemgetter(*indexes)
        counts: dict[Any, int] = {}
        for value, count in self.items():
            selected = select(value)
            counts[selected] = counts.get(selected, 0) + count
        orders = tuple(self._choice_orders[index] for index in indexes) if self._choice_orders else ()
        return Distribution.from_counts(counts, names, orders, self._denominator)

    def given(self, function: Callable[[Any], bool] | None = None, /, **events: object) -> Distribution:
        """Return the conditional distribution, given that some events happened.

        Where dice were not followed to their end, nobody knows whether they did: these ways stay, as the remainder.

        Parameters:
            function: a function that returns whether a value is possible.
            events: instead of it, an event for each fact about which something is known.

        Raises:
            ParameterError: it has no such fact, the events cannot happen together, or no value is possible.

        >>> both = Distribution({(1, True): 1, (1, False): 1, (2, True): 2}, names=("roll", "hit"))
        >>> both.given(roll=1).marginal("hit").p("true")
        Fraction(1, 2)
        >>> Distribution.dice(1, 6).given(lambda face: face > 3).mean
        Fraction(5, 1)
        """
        if function is None:
            function = self._condition(events)
        else:
            check_function(function)
            if events:
                raise ParameterError("a function and events of facts are both given", hint="give one of them")
        counts = {value: count for value, count in self.items() if function(value)}
        if not counts:
            described = ", ".join(f"{name} {as_line(event)}" for name, event in events.items())[:_LONGEST_CONDITION]
            message = f"it never happens that {described or 'the condition holds'}"
            raise ParameterError(message, hint="ask for what can happen")
        ways = sum(counts.values()) + self._denominator - self.followed
        return Distribution.from_counts(counts, self.names, self._choice_orders, ways)

    @classmethod
    def from_json(cls, text: str) -> Distribution:
        """Return the distribution that :meth:`to_json` wrote.

        Raises:
            ParameterError: the text is something else.
        """
        from dicedocs.probability.distribution_json import load_counts

        weights, names, choice_orders, denominator = load_counts(text)
        return cls.from_counts(Distribution(weights)._by_value, names, choice_orders, denominator)

    def to_html(self) -> str:
        """Return the distribution as HTML: a chart and, folded, its numbers as a table; all text is escaped."""
        from dicedocs.render.chart_html import odds_html

        return odds_html({"": self}, max_rows=_ROWS)

    def to_latex(self) -> str:
        """Return the distribution as a LaTeX table."""
        from dicedocs.render.latex import table_latex
        from dicedocs.render.table import odds_table

        return table_latex(odds_table({"": self}, max_rows=_ROWS))

    def plot(self, ax: Any = None, *, label: str = "") -> Any:
        """Draw the distribution with Matplotlib, and return the axes.

        Parameters:
            ax: the axes to draw on, which may have other bars already; new ones when left out.
            label: what the legend calls it; without one there is no legend.

        Raises:
            ImportError: no axes are given, and Matplotlib is not installed.
        """
        from dicedocs.render.chart_plot import plot

        return plot({label: self}, ax)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        from dicedocs.render.html import with_stylesheet

        return with_stylesheet(self.to_html())

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def __str__(self) -> str:
        from dicedocs.render.chart_text import bars_text
        from dicedocs.render.table import odds_table, table_text

        return table_text(odds_table({"": self}, max_rows=_ROWS)) if len(self.names) > 1 else bars_text({"": self})

    def __reduce__(self) -> tuple[Any, ...]:
        return Distribution.from_counts, (self._by_value, self.names, self._choice_orders, self._denominator)


# These set the slots in spite of `__setattr__`.
_new = object.__new__
_set_choice_orders = vars(Distribution)["_choice_orders"].__set__
_set_counts = vars(Distribution)["_counts"].__set__
_set_denominator = vars(Distribution)["_denominator"].__set__
_set_dense = vars(Distribution)["_dense"].__set__
_set_low = vars(Distribution)["_low"].__set__
_set_names = vars(Distribution)["names"].__set__


def _as_distribution(other: object) -> Distribution:
    if isinstance(other, Distribution):
        return other
    if type(other) is int:
        return Distribution.from_dense_counts(other, [1])
    raise ParameterError(f"{quoted(other)} is neither a number nor a distribution", hint="give one of them")
