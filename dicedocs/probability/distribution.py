"""Exact probabilities: whole-number counts over one denominator."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from math import gcd, log10, prod, sqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Self

from dicedocs import limits
from dicedocs.errors import ParameterError, near, quoted
from dicedocs.probability.combinatorics import (
    FEWER_DICE,
    DiceGroup,
    check_limits,
    convolve,
    dense_products,
    kept_sums,
    mixed_sums,
    multisets,
    products,
    quotients,
    read,
    sums,
    written,
)
from dicedocs.probability.event import Event
from dicedocs.rules.kinds import as_line, as_text
from dicedocs.rules.steps import COMPARISONS

if TYPE_CHECKING:
    from dicedocs.rules.dice import Keep

_ROWS: Final = 500
"""Rows of a table that a distribution shows by itself; it says how many it leaves out."""
SPARSE: Final = 4
"""Numbers that lie further apart than this on the average are held one by one."""


ChoiceOrders = tuple[tuple[str, ...], ...]
"""For each fact its words, in the order in which its kind declares them; nothing where there are none."""


class Distribution:
    """How likely each value is, exactly: whole-number counts over one denominator.

    It cannot be changed. Two are equal when they give each value the same probability. Arithmetic
    and comparison with another take the two to be independent; with a plain number, it is meant
    as it is.

    Parameters:
        weights: each value with its weight, a whole number that is not negative.
        names: the facts that the values are of; several when the values are tuples of facts.

    Raises:
        ParameterError: a weight is no such number, or all are 0.

    >>> Distribution.dice(3, 6).p("at least 13")
    Fraction(7, 27)
    >>> Distribution({"red": 2, "blue": 1}).p("red")
    Fraction(2, 3)
    """

    __slots__ = ("_counts", "_denominator", "_dense", "_low", "_words", "names")

    names: tuple[str, ...]
    _counts: dict[Any, int] | None
    _dense: Sequence[int]
    _denominator: int
    _low: int
    _words: ChoiceOrders

    def __init__(self, weights: Mapping[Any, int], names: Iterable[str] = ()) -> None:
        counts: dict[Any, int] = {}
        for value, weight in weights.items():
            if type(weight) is not int or weight < 0:
                raise ParameterError(f"{quoted(weight)} is not a weight", hint="give whole numbers, 0 or more")
            if weight:
                counts[value] = weight
        if not counts:
            raise ParameterError("no value has a weight", hint="give at least one")
        self._hold(counts, tuple(names))

    def _hold(self, counts: dict[Any, int], names: tuple[str, ...] = (), words: ChoiceOrders = ()) -> None:
        """Hold counts that are known to be good: numbers as a list where they lie close together, in order."""
        if all(type(value) is int for value in counts):
            low, high = min(counts), max(counts)
            if high - low < SPARSE * len(counts):
                get = counts.get
                self._fill(low, [get(value, 0) for value in range(low, high + 1)], names)
                return
        limits.OUTCOMES.check(len(counts), hint=FEWER_DICE)
        _put_counts(self, {value: counts[value] for value in _in_order(counts, words)})
        _put_low(self, 0)
        _put_dense(self, ())
        _put_denominator(self, sum(counts.values()))
        _put_names(self, names)
        _put_words(self, words)

    def _fill(self, low: int, dense: Sequence[int], names: tuple[str, ...] = (), denominator: int = 0) -> None:
        _put_low(self, low)
        _put_dense(self, dense)
        _put_denominator(self, denominator or sum(dense))
        _put_counts(self, None)
        _put_names(self, names)
        _put_words(self, ())

    @classmethod
    def _of(cls, counts: dict[Any, int], names: tuple[str, ...] = (), words: ChoiceOrders = ()) -> Self:
        self = cls.__new__(cls)
        self._hold(counts, names, words)
        return self

    @classmethod
    def _of_dense(cls, low: int, dense: Sequence[int], names: tuple[str, ...] = (), denominator: int = 0) -> Self:
        self = cls.__new__(cls)
        self._fill(low, dense, names, denominator)
        return self

    @classmethod
    def dice(cls, count: int, sides: int) -> Self:
        """Give the sum of some equal dice.

        Parameters:
            count: how many dice, at least 0.
            sides: the sides of each, at least 1.

        Raises:
            ParameterError: there can be no such dice.
            LimitError: there would be too many outcomes.

        >>> Distribution.dice(100, 6).mean
        Fraction(350, 1)
        """
        _check_dice(count, sides)
        return cls._of_dense(count, sums(count, sides), (), sides**count)

    @classmethod
    def pool(cls, *sides: int, keep: Keep | None = None) -> Self:
        """Give the sum of a pool, or of those of its dice that are kept.

        Parameters:
            sides: the sides of each die.
            keep: which dice are kept: ``highest(3)``, ``lowest(1)``.

        Raises:
            ParameterError: there can be no such dice.
            LimitError: there would be too many outcomes, or too much work.

        >>> from dicedocs import highest
        >>> Distribution.pool(6, 6, 6, 6, keep=highest(3)).p("= 18")
        Fraction(7, 432)
        """
        _check_pool(sides)
        return cls._of_dense(*kept_sums(sides, keep))

    @classmethod
    def _mixed(cls, kinds: Collection[DiceGroup]) -> Self:
        """Give the sum of different dice, of which some count several times; there can be such dice."""
        low = sum(kind.number * kind.times for kind in kinds)
        return cls._of_dense(low, mixed_sums(kinds), (), prod(kind.sides**kind.number for kind in kinds))

    @classmethod
    def faces(cls, *sides: int, keep: Keep | None = None) -> Self:
        """Give the faces of a pool in order of size, or those of them that are kept.

        Parameters:
            sides, keep: as for :meth:`pool`.

        Raises:
            ParameterError: there can be no such dice.
            LimitError: there would be too many outcomes, or too much work.

        >>> Distribution.faces(6, 6).p("3 4")
        Fraction(1, 18)
        """
        _check_pool(sides)
        return cls._of(dict(multisets(sides, keep)))

    @property
    def denominator(self) -> int:
        """The sum of all counts."""
        return self._denominator

    @property
    def _held(self) -> dict[Any, int]:
        if self._counts is None:
            _put_counts(self, {value: count for value, count in enumerate(self._dense, self._low) if count})
        return self._counts or {}

    @property
    def values(self) -> tuple[Any, ...]:
        """The values that can be, numbers in order, ``None`` last."""
        return tuple(self._held)

    @property
    def counts(self) -> tuple[int, ...]:
        """The count of each value, in the order of :attr:`values`."""
        return tuple(self._held.values())

    def items(self) -> Iterator[tuple[Any, int]]:
        """Give each value with its count, in order."""
        return iter(self._held.items())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._dense) - self._dense.count(0) if self._dense else len(self._held)

    def to_dict(self) -> dict[Any, Fraction]:
        """Give each value with its probability.

        >>> Distribution.dice(1, 2).to_dict()
        {1: Fraction(1, 2), 2: Fraction(1, 2)}
        """
        return {value: Fraction(count, self._denominator) for value, count in self.items()}

    def p(self, event: object = None, /, **events: object) -> Fraction:
        """Give the probability of an event.

        Parameters:
            event: a value, its text, or a comparison with one: ``13``, ``"at least 13"``, ``">= 13"``,
                ``"= true"``, ``"if it succeeds"``.
            events: of a joint distribution, an event for each fact that matters.

        Raises:
            ParameterError: it is no event, or values that are no numbers are put in order.

        >>> Distribution.dice(1, 20).p("over 10")
        Fraction(1, 2)
        """
        if event is None and events:
            met = self._meeting(events)
            return Fraction(sum(count for value, count in self.items() if met(value)), self._denominator)
        return self._chance(Event.read(event))

    def _chance(self, event: Event) -> Fraction:
        if event.ordered:
            if self._dense:
                edge = event.number + (event.op in {">", "<="}) - self._low
                edge = min(max(edge, 0), len(self._dense))
                part = self._dense[edge:] if event.op[0] == ">" else self._dense[:edge]
                return Fraction(sum(part), self._denominator)
            # Nothing at all is neither above nor below a number; words put in order would be a mistake.
            numbers = [value for value in self if value is not None]
            self._numbers(f"put in order by {quoted(event)}", numbers)
            holds, number = COMPARISONS[event.op], event.number
            return Fraction(sum(self._held[value] for value in numbers if holds(value, number)), self._denominator)
        return Fraction(sum(count for value, count in self.items() if event.holds(value)), self._denominator)

    def exactly(self, value: object) -> Fraction:
        """Give the probability of one value.

        >>> Distribution.dice(2, 6).exactly(7)
        Fraction(1, 6)
        """
        return Fraction(self._held.get(value, 0), self._denominator)

    def at_least(self, number: int) -> Fraction:
        """Give the probability of a number or more."""
        return self._chance(Event(">=", str(number)))

    def at_most(self, number: int) -> Fraction:
        """Give the probability of a number or less."""
        return self._chance(Event("<=", str(number)))

    @property
    def mean(self) -> Fraction:
        """The average."""
        self._numbers("averaged")
        if self._dense:
            return self._low + Fraction(sum(map(int.__mul__, self._dense, range(len(self._dense)))), self._denominator)
        return Fraction(sum(value * count for value, count in self.items()), self._denominator)

    @property
    def variance(self) -> Fraction:
        """The average square of the distance from the mean."""
        self._numbers("averaged")
        # Squares are taken from the lowest value on: smaller numbers, the same variance.
        low = self._low if self._dense else self.values[0]
        first = second = 0
        for value, count in enumerate(self._dense) if self._dense else self.items():
            far = value if self._dense else value - low
            first += far * count
            second += far * far * count
        return Fraction(second, self._denominator) - Fraction(first, self._denominator) ** 2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def median(self) -> Fraction:
        """The number with as much below as above; half-way where two numbers share that place."""
        half = Fraction(1, 2)
        low: int = self.quantile(half)
        if self.at_most(low) > half:
            return Fraction(low)
        return Fraction(low + next(value for value in self.values if value > low), 2)

    @property
    def mode(self) -> Any:
        """The likeliest value; the first of several."""
        return max(self.items(), key=lambda item: item[1])[0]

    def quantile(self, q: Fraction | float) -> Any:
        """Give the smallest number that is not passed with a probability of at least ``q``.

        Parameters:
            q: from 0 to 1.

        Raises:
            ParameterError: it is not, or the values are no numbers.

        >>> Distribution.dice(1, 100).quantile(0.25)
        25
        """
        self._numbers("counted up")
        if not 0 <= q <= 1:
            raise ParameterError(f"{quoted(q)} is no part of a whole", hint="give a number from 0 to 1")
        wanted = Fraction(q) * self._denominator
        place = next(place for place, reached in enumerate(accumulate(self.counts)) if reached >= wanted)
        return self.values[place]

    def _numbers(self, how: str, among: Iterable[Any] | None = None) -> None:
        """Refuse values that are no numbers."""
        for value in () if self._dense else self if among is None else among:
            if type(value) is not int:
                message = f"{quoted(as_line(value))} is no number, so the values cannot be {how}"
                raise ParameterError(message, hint="ask for the chance of a value")

    def map(self, function: Callable[[Any], Hashable]) -> Distribution:
        """Give the distribution of what a function makes of the values.

        >>> Distribution.dice(1, 6).map(lambda face: face % 2 == 0).p("true")
        Fraction(1, 2)
        """
        counts: dict[Any, int] = {}
        for value, count in self.items():
            new = function(value)
            counts[new] = counts.get(new, 0) + count
        return Distribution._of(counts, self.names if len(self.names) == 1 else (), self._words)

    def repeat(self, times: int) -> Distribution:
        """Give the sum of several independent ones like this.

        Parameters:
            times: how many, at least 0.

        >>> Distribution.dice(1, 6).repeat(3) == Distribution.dice(3, 6)
        True
        """
        if type(times) is not int or times < 0:
            raise ParameterError(f"{quoted(times)} is no number of times", hint="give a whole number, 0 or more")
        limits.DICE.check(times)
        check_limits(times * max(0, len(self._dense) - 1) + 1, times * self._denominator.bit_length())
        total = Distribution._of_dense(0, [1])
        power = self
        while times:
            if times & 1:
                total = total + power
            times >>= 1
            if times:
                power = power + power
        return total

    def max(self, other: Distribution | int) -> Distribution:
        """Give the higher of two numbers.

        >>> Distribution.dice(1, 20).max(Distribution.dice(1, 20)).mean
        Fraction(553, 40)
        """
        return self._extreme(_distribution(other), max, 1)

    def min(self, other: Distribution | int) -> Distribution:
        """Give the lower of two numbers."""
        return self._extreme(_distribution(other), min, -1)

    def _extreme(self, other: Distribution, choose: Callable[[int, int], int], way: int) -> Distribution:
        """Count how often both stay on one side of each value; the differences are the counts."""
        self._numbers("compared")
        other._numbers("compared")
        values = sorted({*self, *other}, reverse=way < 0)
        mine = accumulate(self._held.get(value, 0) for value in values)
        its = accumulate(other._held.get(value, 0) for value in values)
        both = list(map(int.__mul__, mine, its))
        counts = (now - before for now, before in zip(both, [0, *both], strict=False))
        return Distribution._of({value: count for value, count in zip(values, counts, strict=True) if count})

    def __add__(self, other: Distribution | int) -> Distribution:
        if isinstance(other, int):
            return self._moved(other)
        if not isinstance(other, Distribution):
            return NotImplemented
        if self._dense and other._dense:
            return Distribution._of_dense(
                self._low + other._low,
                convolve(self._dense, other._dense),
                (),
                self._denominator * other._denominator,
            )
        return self._paired(other, int.__add__)

    __radd__ = __add__

    def _moved(self, by: int) -> Distribution:
        if self._dense:
            return Distribution._of_dense(self._low + by, self._dense, self.names, self._denominator)
        self._numbers("added to")
        return Distribution._of({value + by: count for value, count in self.items()}, self.names)

    def __neg__(self) -> Distribution:
        if self._dense:
            return Distribution._of_dense(-self._last, self._dense[::-1], self.names, self._denominator)
        self._numbers("negated")
        return Distribution._of({-value: count for value, count in self.items()}, self.names)

    def __sub__(self, other: Distribution | int) -> Distribution:
        return self + -other

    def __rsub__(self, other: int) -> Distribution:
        return -self + other

    def __mul__(self, other: Distribution | int) -> Distribution:
        other = _distribution(other)
        if len(other) == 1 and self._dense:
            return self._scaled(other.values[0], other._denominator)
        self._numbers("multiplied")
        other._numbers("multiplied")
        pairs = len(self) * len(other)
        limits.PAIRS.check(pairs, hint=FEWER_DICE)
        if self._dense and other._dense and self._low >= 0 <= other._low and self._last * other._last < SPARSE * pairs:
            low, dense = dense_products(self._low, self._dense, other._low, other._dense)
            return Distribution._of_dense(low, dense, (), self._denominator * other._denominator)
        return Distribution._of(products(self._held, other._held))

    @property
    def dense(self) -> bool:
        """Whether the values are whole numbers that lie close together, so that sums of them are quick."""
        return bool(self._dense)

    @property
    def _last(self) -> int:
        """The highest number, of those that are held as a list."""
        return self._low + len(self._dense) - 1

    def _scaled(self, by: int, more: int) -> Distribution:
        """Stretch the list of counts: what lies between cannot be."""
        if not by or abs(by) >= SPARSE or more != 1:
            return Distribution._of({by * value: count * more for value, count in self.items()} if by else {0: 1})
        dense = [0] * ((len(self._dense) - 1) * abs(by) + 1)
        dense[:: abs(by)] = self._dense[:: 1 if by > 0 else -1]
        low = self._low if by > 0 else self._last
        return Distribution._of_dense(low * by, dense, (), self._denominator)

    __rmul__ = __mul__

    def __floordiv__(self, other: Distribution | int) -> Distribution:
        other = _distribution(other)
        if len(other) == 1 and 0 not in other._held:
            self._numbers("divided")
            divisor: int = other.values[0]
            if divisor < 0:
                return -self // -divisor
            if self._dense:
                low, dense = quotients(self._low, self._dense, divisor)
                return Distribution._of_dense(low, dense, (), self._denominator)
            return self.map(lambda value: value // divisor)
        if other._held.get(0):
            raise ParameterError("a divisor can be 0", hint="map the values to say what becomes of that")
        return self._paired(other, int.__floordiv__)

    def combine(self, other: Distribution, function: Callable[[Any, Any], Hashable]) -> Distribution:
        """Give what a function makes of each pair of independent values.

        Parameters:
            other: the distribution of the second value.
            function: takes a value of each.

        Raises:
            LimitError: there are more than ``PAIRS`` pairs.

        >>> Distribution.dice(1, 2).combine(Distribution.dice(1, 2), lambda one, two: (one, two)).denominator
        4
        """
        limits.PAIRS.check(len(self) * len(other), hint=FEWER_DICE)
        counts: dict[Any, int] = {}
        get = counts.get
        others = list(other.items())
        for one, ways in self.items():
            for two, more in others:
                value = function(one, two)
                counts[value] = get(value, 0) + ways * more
        return Distribution._of(counts)

    def _paired(self, other: Distribution, function: Callable[[int, int], int]) -> Distribution:
        self._numbers("calculated with")
        other._numbers("calculated with")
        return self.combine(other, function)

    def compare(self, other: Distribution | int, sign: str) -> Distribution:
        """Give how likely a comparison with an independent number holds.

        Parameters:
            other: what is compared with.
            sign: one of ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``.

        >>> Distribution.dice(1, 6).compare(Distribution.dice(1, 6), "=").p("true")
        Fraction(1, 6)
        """
        other = _distribution(other)
        self._numbers("compared")
        other._numbers("compared")
        if sign in {"=", "!="}:
            same = sum(count * other._held.get(value, 0) for value, count in self.items())
            return _truth(same if sign == "=" else self._denominator * other._denominator - same, self, other)
        if sign in {">", ">="}:
            return other.compare(self, "<" if sign == ">" else "<=")
        holds = 0
        waiting = list(reversed(other._held.items()))
        above = other._denominator
        for value, count in self.items():
            while waiting and (waiting[-1][0] <= value if sign == "<" else waiting[-1][0] < value):
                above -= waiting.pop()[1]
            holds += count * above
        return _truth(holds, self, other)

    def __ge__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, ">=")

    def __gt__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, ">")

    def __le__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, "<=")

    def __lt__(self, other: Distribution | int) -> Distribution:
        return self.compare(other, "<")

    def named(self, *names: str) -> Distribution:
        """Give the same distribution as that of other facts.

        >>> Distribution.dice(1, 6).named("total").names
        ('total',)
        """
        renamed = Distribution.__new__(Distribution)
        if self._dense:
            renamed._fill(self._low, self._dense, names, self._denominator)
        else:
            renamed._hold(self._held, names, self._words)
        return renamed

    def marginal(self, *names: str) -> Distribution:
        """Give the distribution of some of the facts, whatever the others are.

        Parameters:
            names: facts of this distribution; of one alone the values are its own, no tuples.

        Raises:
            ParameterError: it has no such fact.

        >>> both = Distribution({(1, True): 1, (1, False): 1, (2, True): 2}, names=("roll", "hit"))
        >>> both.marginal("roll").p("1")
        Fraction(1, 2)
        """
        places = [self._place(name) for name in names]
        if len(self.names) == 1:
            return self
        read = itemgetter(*places)
        counts: dict[Any, int] = {}
        for value, count in self.items():
            fewer = read(value)
            counts[fewer] = counts.get(fewer, 0) + count
        return Distribution._of(counts, names, tuple(self._words[place] for place in places) if self._words else ())

    def given(self, **events: object) -> Distribution:
        """Give the distribution when it is known that some events happened.

        Parameters:
            events: an event for each fact that is known something of.

        Raises:
            ParameterError: it has no such fact, or the events cannot happen together.

        >>> both = Distribution({(1, True): 1, (1, False): 1, (2, True): 2}, names=("roll", "hit"))
        >>> both.given(roll=1).marginal("hit").p("true")
        Fraction(1, 2)
        """
        met = self._meeting(events)
        counts = {value: count for value, count in self.items() if met(value)}
        if not counts:
            shown = ", ".join(f"{name} {Event.read(event)}" for name, event in events.items())
            raise ParameterError(f"it never happens that {shown}", hint="ask for what can happen")
        return Distribution._of(counts, self.names, self._words)

    def _meeting(self, events: Mapping[str, object]) -> Callable[[Any], bool]:
        wanted = [(self._place(name), Event.read(event)) for name, event in events.items()]
        if len(self.names) == 1:
            return lambda value: all(event.holds(value) for _, event in wanted)
        return lambda value: all(event.holds(value[place]) for place, event in wanted)

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise ParameterError(f"there is no fact {quoted(name)} here", hint=near(name, self.names))
        return self.names.index(name)

    def sample(self, n: int, seed: int | str | None = None) -> list[Any]:
        """Draw values.

        Parameters:
            n: how many, at least 0.
            seed: decides them; without one chance is fresh.

        Raises:
            ParameterError: the number is none, or the seed is no seed.
            LimitError: there are more than ``SAMPLES``.

        >>> len(Distribution.dice(3, 6).sample(1000, seed=1))
        1000
        """
        from dicedocs.probability.sampling import draw

        if type(n) is not int or n < 0:
            raise ParameterError(f"{quoted(n)} is no number of samples", hint="give a whole number, 0 or more")
        limits.SAMPLES.check(n)
        return draw(self.values, self.counts, n, seed)

    def to_json(self) -> str:
        """Give the distribution as JSON, of which :meth:`from_json` makes the same again.

        >>> Distribution.from_json(Distribution.dice(3, 6).to_json()) == Distribution.dice(3, 6)
        True
        """
        from json import dumps

        rows = [[value, written(count)] for value, count in self.items()]
        held = {"names": self.names, "denominator": written(self._denominator), "counts": rows}
        return dumps({**held, "words": self._words} if self._words else held)

    @classmethod
    def from_json(cls, text: str) -> Distribution:
        """Read what :meth:`to_json` wrote.

        Raises:
            ParameterError: it is something else.
        """
        from json import loads

        try:
            held = loads(text)
            counts = {_hashable(value): read(count) for value, count in held["counts"]}
            names = [str(name) for name in held["names"]]
            words = tuple(tuple(map(str, of_fact)) for of_fact in held.get("words", ()))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ParameterError("this is no distribution", hint="give what to_json() gave") from None
        return cls._of(Distribution(counts)._held, tuple(names), words if len(words) == len(names) else ())

    def to_html(self) -> str:
        """Give the distribution as HTML: a chart and, folded, its numbers as a table; everything escaped."""
        from dicedocs.render.chart_html import odds_html

        return odds_html({"": self}, max_rows=_ROWS)

    def to_latex(self) -> str:
        """Give the distribution as a LaTeX table."""
        from dicedocs.render.latex import table_latex
        from dicedocs.render.table import odds_table

        return table_latex(odds_table({"": self}, max_rows=_ROWS))

    def plot(self, ax: Any = None) -> Any:
        """Draw the distribution with Matplotlib.

        Parameters:
            ax: the axes to draw on; new ones when left out.

        Returns:
            The axes.

        Raises:
            ImportError: no axes are given, and Matplotlib is not installed.
        """
        from dicedocs.render.chart_plot import plot

        return plot({"": self}, ax)

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

    def _canonical(self) -> dict[Any, int]:
        common = gcd(*self.counts)
        return {value: count // common for value, count in self.items()}

    def __eq__(self, other: object) -> bool:
        return self._canonical() == other._canonical() if isinstance(other, Distribution) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._canonical().items()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a distribution cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a distribution cannot be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Distribution._of, (dict(self.items()), self.names, self._words)

    def __repr__(self) -> str:
        of = f" of {', '.join(self.names)}" if self.names else ""
        every = self._denominator
        over = str(every) if every < 10**limits.DIGITS.maximum else f"about 10^{log10(every):.0f}"
        return f"<Distribution{of}: {len(self)} values over {over}>"


# A distribution cannot be changed, so these write past its __setattr__.
_put_counts = vars(Distribution)["_counts"].__set__
_put_dense = vars(Distribution)["_dense"].__set__
_put_denominator = vars(Distribution)["_denominator"].__set__
_put_low = vars(Distribution)["_low"].__set__
_put_names = vars(Distribution)["names"].__set__
_put_words = vars(Distribution)["_words"].__set__


def _in_order(values: Iterable[Any], words: ChoiceOrders) -> list[Any]:
    """Put values in order: numbers and truth by size, words as declared, then lists, ``None`` last; others as met."""
    met = list(values)
    types = set(map(type, met))
    if types == {tuple}:
        types = set(map(type, chain.from_iterable(met)))
    if types == {int}:
        return sorted(met)
    places = [{word: place for place, word in enumerate(of_fact)} for of_fact in words] or [{}]
    if len(words) < 2:
        return sorted(met, key=lambda value: _rank(value, places[0]))
    return sorted(
        met, key=lambda values: [_rank(value, of_fact) for value, of_fact in zip(values, places, strict=True)]
    )


def _rank(value: Any, places: Mapping[str, int]) -> tuple[int, Any]:
    if isinstance(value, int):
        return (0, value)
    if isinstance(value, tuple):
        return (2, [_rank(item, places) for item in value])
    return (3, 0) if value is None else (1, places.get(value, len(places)))


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _distribution(other: object) -> Distribution:
    if isinstance(other, Distribution):
        return other
    if type(other) is int:
        return Distribution._of_dense(other, [1])
    message = f"{quoted(as_text(other))} is neither a number nor a distribution"
    raise ParameterError(message, hint="give one of them")


def _truth(holds: int, one: Distribution, two: Distribution) -> Distribution:
    every = one.denominator * two.denominator
    return Distribution._of({value: count for value, count in ((False, every - holds), (True, holds)) if count})


def _check_dice(count: int, sides: int) -> None:
    if type(count) is not int or count < 0:
        raise ParameterError(f"{quoted(count)} dice cannot be thrown", hint="throw 0 or more")
    limits.DICE.check(count, hint="throw fewer dice")
    _check_pool((sides,))


def _check_pool(sides: Sequence[int]) -> None:
    limits.DICE.check(len(sides), hint="throw fewer dice")
    for side in sides:
        if type(side) is not int or side < 1:
            raise ParameterError(f"a die cannot have {quoted(side)} sides", hint="it has 1 or more")
        limits.SIDES.check(side, hint="use a die with fewer sides")
