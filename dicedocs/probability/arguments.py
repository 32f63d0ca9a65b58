"""The arguments of distributions: what is not a value, a name, a function or a number is refused where it enters."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import Any

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.convolution import FEWER_DICE
from dicedocs.probability.event import check_digits
from dicedocs.rules.dice import Keep
from dicedocs.rules.kinds import as_line


def check_names(names: tuple[str, ...], values: Collection[Any]) -> None:
    """Raise a :class:`ParameterError` if there are several names, and values that are not tuples of as many."""
    if len(names) > 1:
        for value in values:
            if not (isinstance(value, tuple) and len(value) == len(names)):
                message = f"{quoted(as_line(value))} is not a tuple of {len(names)} facts"
                raise ParameterError(message, hint="give a name for each fact of a value", parameter="names")


def checked_names(names: object) -> tuple[str, ...]:
    """Return the names of facts, or raise a :class:`ParameterError`."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ParameterError(f"{quoted(names)} is not a list of names", hint="give a tuple", parameter="names")
    checked = limits.ITEMS.take(names, parameter="names")
    for name in checked:
        if not isinstance(name, str):
            raise ParameterError(f"{quoted(name)} is not a name", hint="give text", parameter="names")
    return checked


def check_parts(values: Iterable[Any], depth: int = 0) -> None:
    """Raise a ``LimitError`` for numbers that are too long, or tuples that are nested too deeply."""
    numbers: list[int] = []
    inner: list[tuple[Any, ...]] = []
    for value in values:
        if type(value) is int:
            numbers.append(value)
        elif isinstance(value, tuple):
            inner.append(value)
    if numbers:
        check_digits(max(numbers))
        check_digits(min(numbers))
    if inner:
        limits.NESTING.check(depth + 1, hint="give flat tuples")
        check_parts(chain.from_iterable(inner), depth + 1)


def checked_denominator(denominator: int) -> int:
    """Return a denominator, or raise a ``LimitError`` if it is too long."""
    if denominator.bit_length() > limits.DENOMINATOR.maximum:
        limits.DENOMINATOR.check(denominator.bit_length(), hint=FEWER_DICE)
    return denominator


def checked_whole(number: object) -> int:
    """Return a whole number, or raise a :class:`ParameterError`."""
    if not isinstance(number, int):
        raise ParameterError(f"{quoted(number)} is not a whole number")
    return number


def check_function(function: object) -> None:
    """Raise a :class:`ParameterError` for what cannot be called."""
    if not callable(function):
        raise ParameterError(f"{quoted(function)} is not a function", hint="give a function of the values")


def check_keep(keep: object) -> None:
    """Raise a :class:`ParameterError` for what does not say which dice are kept."""
    if keep is not None and not (isinstance(keep, Keep) and type(keep.number) is int and keep.number >= 0):
        raise ParameterError(f"{quoted(keep)} does not say which dice are kept", hint="give highest(3) or lowest(1)")


def check_integers(*numbers: object) -> None:
    """Raise a :class:`ParameterError` for numbers of dice or sides that are not whole numbers."""
    for number in numbers:
        if type(number) is not int:
            raise ParameterError(f"{quoted(number)} is not a number of dice or sides", hint="give a whole number")
