"""When two functions are the same: a lambda is made anew each time its rule runs, and must be recognized."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType
from typing import Any, Final

from dicedocs.errors import ParameterError
from dicedocs.rules.dice import Dice
from dicedocs.rules.steps import Say

_WITHIN: Final = object()
"""Stands for a function that refers to itself."""


class Function:
    """A function that equals any other with the same code, which holds the same values.

    Parameters:
        call: the function.

    Raises:
        ParameterError: it holds dice, or a value that can change.

    >>> def above(limit):
    ...     return Function(lambda number: number > limit)
    >>> above(3) == above(3), above(3) == above(4)
    (True, False)
    """

    __slots__ = ("_key", "call")

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call
        self._key = _key(call, frozenset())
        try:
            hash(self._key)
        except TypeError:
            name = getattr(call, "__qualname__", type(call).__qualname__)
            message = f"{name} uses a value around it that can change"
            raise ParameterError(
                message, hint="give tuples instead of lists, or put the value into the state"
            ) from None

    @property
    def name(self) -> str:
        """Its name, for an error."""
        return str(getattr(self.call, "__qualname__", type(self.call).__qualname__))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and other._key == self._key

    def __hash__(self) -> int:
        return hash(self._key)


def _key(value: object, within: frozenset[int]) -> object:
    """Return what is equal for equal functions; any other value stands for itself."""
    if isinstance(value, Dice | Say):
        hint = "name them as its first two parameters: def step(dice, say, ...)"
        raise ParameterError("the step throws the dice of the rule around it", hint=hint)
    if id(value) in within:
        return _WITHIN
    within |= {id(value)}
    match value:
        case MethodType():
            return MethodType, _key(value.__self__, within), _key(value.__func__, within)
        case FunctionType():
            held = (value.__defaults__, *(value.__kwdefaults__ or {}).items())
            around = tuple(cell.cell_contents for cell in value.__closure__ or ())
            return FunctionType, value.__module__, value.__code__, _key(held, within), _key(around, within)
        case partial():
            return partial, _key((value.func, value.args, *value.keywords.items()), within)
        case tuple():
            return tuple(_key(one, within) for one in value)
    return value
