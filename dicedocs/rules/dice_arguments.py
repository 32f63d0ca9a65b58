"""The arguments of dice calls: whether dice are alike, and the checks of arguments that may be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from dicedocs import limits
from dicedocs.errors import ParameterError, is_text, quoted

_WHOLE: Final = {int}


def alike(sides: tuple[int, ...]) -> bool:
    """Return whether dice are equal; only whole numbers are compared, since anything else may raise anything.

    >>> alike((6, 6)), alike((6, 8))
    (True, False)
    """
    return len(sides) == 1 or (set(map(type, sides)) == _WHOLE and sides.count(sides[0]) == len(sides))


def check_class(hits: object) -> None:
    """Check a class of faces, which must have an end."""
    if not isinstance(hits, AbstractSet | list | tuple | range):
        raise not_a_class(hits)


def not_a_class(hits: object) -> ParameterError:
    """Return the error for what is not a class of faces."""
    return ParameterError(f"{quoted(hits)} is not a class of faces", hint="give a set such as {5, 6}")


def check_states(unread: object) -> None:
    """Check the states of the unread dice of a pool."""
    if not isinstance(unread, Mapping) or not all(map(is_text, unread.values())):
        message = f"{quoted(unread)} does not say which dice are unread"
        raise ParameterError(message, hint='give the state of each by its index, as {0: "scratched"}')


def check_whole(number: object, what: str) -> None:
    """Check a number of dice or of sides, which may be the face of a die, and whose text is short if it is negative."""
    if not isinstance(number, int):
        raise ParameterError(f"{quoted(number)} is not {what}", hint="give a whole number")
    if number < 0:
        limits.DIGITS.check(0 if number > -(10**limits.DIGITS.maximum) else limits.DIGITS.maximum + 1)


def check_state(state: object, before: tuple[object, ...] | None) -> None:
    """Check a state of what is repeated: a tuple of values that can be hashed, as many as there were before."""
    if type(state) is not tuple:
        hint = f"write ({quoted(state)},), with a comma" if before is None or len(before) == 1 else "return all values"
        raise ParameterError(f"{quoted(state)} is not a state, which is a tuple", hint=hint)
    if before is not None and len(state) != len(before):
        message = f"the step returned {quoted(state)}, and the state before it is {quoted(before)}"
        raise ParameterError(message, hint="return a value for each")
    check_unchanging(state)


def check_unchanging(state: object) -> None:
    """Check that a state can be compared later: nothing in it can change."""
    try:
        hash(state)
    except Exception:  # noqa: BLE001  # a value may raise anything
        message = f"the state {quoted(state)} has a value that can change"
        raise ParameterError(
            message, hint="use tuples instead of lists, sorted where the order does not matter"
        ) from None


def check_pools(pools: object, labels: object) -> None:
    """Check the pools of a sweep, each of them a list of sides, and their labels."""
    if not isinstance(pools, tuple) or not all(isinstance(pool, list | tuple) for pool in pools):
        raise ParameterError(f"{quoted(pools)} are not pools", hint="give the sides of each pool, such as [6] * 4")
    if not isinstance(labels, list | tuple) or not all(map(is_text, labels)) or len(labels) not in {0, len(pools)}:
        raise ParameterError(f"{quoted(labels)} does not label the pools", hint=f"give a text for each of {len(pools)}")
