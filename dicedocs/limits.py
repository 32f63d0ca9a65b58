"""The limits on what input may ask for, and how they are raised.

A limit is checked before the work begins, except ``SECONDS`` and ``PANEL_SECONDS``, which are clocks; exceeding it
raises a :class:`~dicedocs.errors.LimitError` that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from dicedocs.errors import DiceError, LimitError, ParameterError, quoted, wrap_error
from dicedocs.similar_words import near

_P = ParamSpec("_P")
_R = TypeVar("_R")

_settings: dict[str, int] = {}
"""The limits that are raised for the whole process, by name."""
_raised: Final[ContextVar[Mapping[str, int]]] = ContextVar("raised", default=MappingProxyType({}))
"""The limits that a ``with`` statement raises in its thread or asynchronous task, by name."""


class Limit(NamedTuple):
    """A limit.

    Parameters:
        name: its name in this module, in errors and in the documentation.
        default: the largest number allowed unless it is raised.
        unit: what is counted, in the plural.
        is_fixed: whether it cannot be raised.
    """

    name: str
    default: int
    unit: str
    is_fixed: bool = False

    @property
    def maximum(self) -> int:
        """The largest number allowed here and now."""
        if self.is_fixed:
            return self.default
        return max(_settings.get(self.name, self.default), _raised.get().get(self.name, self.default))

    def fixed(self, maximum: int) -> Limit:
        """Return this limit with another maximum, which cannot be raised."""
        return Limit(self.name, maximum, self.unit, is_fixed=True)

    def check(self, number: int, hint: str = "", parameter: str = "") -> None:
        """Raise a :class:`~dicedocs.errors.LimitError` when a number is above the limit.

        >>> DICE.check(10_001)
        Traceback (most recent call last):
        ...
        dicedocs.errors.LimitError: 10001 dice in one play; the limit DICE is 10000
        """
        if number > self.maximum:
            amount = str(number) if number < 10**DIGITS.maximum else "too many"
            message = f"{amount} {self.unit}; the limit {self.name} is {self.maximum}"
            raise LimitError(message, limit=self.name, hint=hint, parameter=parameter)

    def take(self, values: object, hint: str = "", parameter: str = "") -> tuple[Any, ...]:
        """Return the items of an iterable, which may have no end; at most one more than the limit allows is read.

        Raises:
            ParameterError: the values are not an iterable, or cannot be read.
            LimitError: there are more than the limit allows.

        >>> ITEMS.take(range(3))
        (0, 1, 2)
        """
        if isinstance(values, str | bytes | bytearray) or not isinstance(values, Iterable):
            raise ParameterError(f"{quoted(values)} is not a list", parameter=parameter)
        if isinstance(values, list | tuple):
            self.check(len(values), hint, parameter)
        try:
            items = tuple(islice(values, self.maximum + 1))
        except DiceError:
            raise
        except Exception as error:  # the iterator may raise anything
            message = wrap_error(error, f"reading the values of a {type(values).__name__}").message
            raise ParameterError(message, parameter=parameter) from error
        self.check(len(items), hint, parameter)
        return items


TEXT = Limit("TEXT", 1_000, "characters in a notation")
NESTING = Limit("NESTING", 50, "levels of nested parentheses")
DIGITS = Limit("DIGITS", 12, "digits in a number")
SEED = Limit("SEED", 100, "characters in a seed")
DICE = Limit("DICE", 10_000, "dice in one play")
AGAIN = Limit("AGAIN", 2_000, "dice thrown again, or exploded into, in one roll")
ROUNDS = Limit("ROUNDS", 2_000, "rounds of one repetition")
SIDES = Limit("SIDES", 1_000_000, "sides on a die")
PLAYS = Limit("PLAYS", 50, "levels of nested plays")
VALUE_TEXT = Limit("VALUE_TEXT", 10_000, "characters in the text of a parameter")
ITEMS = Limit("ITEMS", 1_000, "values in one list")
LINES = Limit("LINES", 100, "lines in a rule of a page")
OUTCOMES = Limit("OUTCOMES", 100_000, "outcomes of one distribution")
COUNT_BITS = Limit("COUNT_BITS", 40_000_000, "bits in the counts of one distribution")
DENOMINATOR = Limit("DENOMINATOR", 250_000, "bits in the denominator of one distribution")
OUTCOME_DIGITS = Limit("OUTCOME_DIGITS", 3_900, "digits in one outcome")
PAIRS = Limit("PAIRS", 1_000_000, "pairs of outcomes in one operation")
WORK = Limit("WORK", 30_000_000_000, "arithmetic steps in one distribution")
BRANCHES = Limit("BRANCHES", 55_000, "branches of one enumeration")
LINE_BRANCHES = Limit("LINE_BRANCHES", 20_000, "branches of the lines of a rule")
TOTAL_CALLS = Limit("TOTAL_CALLS", 5_000_000, "dice calls on all paths of one enumeration")
VALUES = Limit("VALUES", 10_000_000, "values in the outcomes of one enumeration or estimate")
DICE_CALLS = Limit("DICE_CALLS", 250, "dice calls on one path of an enumeration")
CHAIN = Limit("CHAIN", 200, "states of a rule that lead to one another")
EXPLOSIONS = Limit("EXPLOSIONS", 10, "explosions of one die that odds follow")
CLAIMS = Limit("CLAIMS", 10_000, "characters in claims about odds")
FIGURES = Limit("FIGURES", 50, "figures in one text of claims")
COUNTING = Limit("COUNTING", 10_000, "rounds of counting (about 1 ms each) for one block")
ESTIMATE = Limit("ESTIMATE", 100_000, "plays in one estimate")
THROWS = Limit("THROWS", 2_000_000, "dice in all plays of one estimate or search")
SAMPLES = Limit("SAMPLES", 5_000_000, "samples in one call")
SEEDS = Limit("SEEDS", 100_000, "seeds tried in one search")
TITLE = Limit("TITLE", 1_000, "characters in the title of a block on a page")
BLOCKS = Limit("BLOCKS", 20, "levels of blocks within blocks on a page")
FACT_TEXT = Limit("FACT_TEXT", 100_000, "characters in the text of a value")
SECONDS = Limit("SECONDS", 30, "seconds of processor time for one block of a page, or to import a game")
STEPS = Limit("STEPS", 1_000, "steps of a panel that can be undone")
PANEL_SECONDS = Limit("PANEL_SECONDS", 30, "seconds of counting the odds in a panel, or of rolling in its place")

RAISE: Final = 'or raise the limit (dicedocs_limits, --limit, raise_limits); see "Too much to count" in the guide'
"""The end of a hint where a limit of counting is exceeded."""

ALL: tuple[Limit, ...] = tuple(limit for limit in vars().values() if isinstance(limit, Limit))
"""All limits, in the order of this module."""


def checked_maxima(maxima: Mapping[Any, Any]) -> dict[str, int]:
    """Return what limits are raised to, by name.

    Raises:
        ParameterError: there is no such limit, or it would be lowered, or raised to what is no whole number.
    """
    defaults = {limit.name: limit.default for limit in ALL}
    for name, maximum in maxima.items():
        if name not in defaults:
            raise ParameterError(f"there is no limit {quoted(name)}", hint=near(str(name), defaults))
        if type(maximum) is not int or maximum < defaults[name]:
            message = f"the limit {name} cannot be raised to {quoted(maximum)}"
            raise ParameterError(message, hint=f"give a whole number above {defaults[name]}")
    return dict(maxima)


def set_limits(maxima: Mapping[Any, Any]) -> None:
    """Raise limits for the whole process, in place of those that were so raised before.

    Raises:
        ParameterError: as for :func:`raise_limits`.
    """
    checked = checked_maxima(maxima)
    _settings.clear()
    _settings.update(checked)


def raised_limits() -> dict[str, int]:
    """Return what limits are raised to here and now, by name.

    >>> with raise_limits(EXPLOSIONS=12):
    ...     raised_limits()
    {'EXPLOSIONS': 12}
    """
    return {limit.name: limit.maximum for limit in ALL if limit.maximum > limit.default}


@contextmanager
def raise_limits(**maxima: int) -> Iterator[None]:
    """Raise limits in a ``with`` statement, for work that takes longer than a page or a panel should wait.

    Parameters:
        maxima: what each limit is raised to, by its name.

    Raises:
        ParameterError: there is no such limit, or it would be lowered, or raised to what is no whole number.

    >>> import dicedocs as dd
    >>> with dd.raise_limits(EXPLOSIONS=12):
    ...     dd.odds("1d6!").remainder
    Fraction(1, 13060694016)
    """
    now = _raised.get()
    token = _raised.set({**now, **{name: max(one, now.get(name, 0)) for name, one in checked_maxima(maxima).items()}})
    try:
        yield
    finally:
        _raised.reset(token)


def cached(size: int) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Return a decorator that keeps the last results of a function whose work the limits bound.

    What was allowed by a raised limit is not returned once that limit is lower again.

    Parameters:
        size: how many results are kept.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @lru_cache(size)
        def kept(_maxima: frozenset[tuple[str, int]], *args: _P.args, **kwargs: _P.kwargs) -> _R:
            return function(*args, **kwargs)

        @wraps(function)
        def find(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            raised = frozenset((*_settings.items(), *_raised.get().items()))
            return kept(raised, *args, **kwargs)  # type: ignore[arg-type]  # as lru_cache

        return find

    return decorate
