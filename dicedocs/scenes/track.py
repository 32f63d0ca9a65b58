"""A track: a number that goes up and down in a scene, within bounds if it has any."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Self

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, is_text, quoted
from dicedocs.rules.kinds import IntKind
from dicedocs.syntax.formula import TRUTHS

FULL: Final = "full"
"""The fact of what has bounds, such as ``vault.full``."""
_WHOLE: Final = r"[-+\u2212]?[0-9]+"
_BOUNDED: Final = re.compile(rf"(?P<value>{_WHOLE}) +of +(?:(?P<minimum>{_WHOLE}) *\.\. *)?(?P<maximum>{_WHOLE})")
_BEGINS_BOUNDED: Final = re.compile(rf"\s*{_WHOLE}\s+of(?:\s*\Z|\s.*[0-9.])", re.DOTALL)
_HINT: Final = "write 0 of 8, 2 of -6..10, or 3"
_ALMOST: Final = re.compile(rf"({_WHOLE}) *(?:/|out of|\(? *max(?:imum)?\.?) *([0-9]+) *\)?")


@dataclass(frozen=True)
class Track:
    """A number that goes up and down in a scene, such as a clock, a purse or a character's stress.

    With a maximum it stops there, and at its minimum; without one it has no bounds.

    Parameters:
        maximum: the highest value; ``None`` for no bounds.
        value: the value now.
        minimum: the lowest value, if there is a highest one.

    Raises:
        ParameterError: a number is not whole, or the value is out of bounds.

    >>> clock = Track(8)
    >>> str(clock), str(clock.at(11)), clock.at(11).full
    ('0 of 8', '8 of 8', True)
    """

    maximum: int | None = None
    value: int = 0
    minimum: int = 0

    def __post_init__(self) -> None:
        IntKind().accept(self.minimum)
        if self.maximum is not None:
            IntKind(low=self.minimum + 1).accept(self.maximum)
        IntKind(None if self.maximum is None else self.minimum, self.maximum).accept(self.value)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the track of ``3 of 8``, of ``3 of -6..8``, or of ``3`` for one without bounds.

        Raises:
            ParameterError: the text is no such thing.
        """
        if not is_text(text):
            raise ParameterError(f"{quoted(text)} is not a track", hint=_HINT)
        bounded = _BOUNDED.fullmatch(" ".join(text.split()))
        if bounded is None:
            try:
                return cls(value=IntKind().read(text))
            except ParameterError:
                raise ParameterError(f"{quoted(text)} is not a track", hint=track_hint(text) or _HINT) from None
        read = IntKind().read
        return cls(read(bounded["maximum"]), read(bounded["value"]), read(bounded["minimum"] or "0"))

    @property
    def full(self) -> bool:
        """Whether the maximum is reached; a track without bounds never is."""
        return self.value == self.maximum

    def at(self, value: int) -> Self:
        """Return the track at another value, or at the bound that it would pass.

        Raises:
            ParameterError: the value is no whole number.
        """
        IntKind().accept(value)
        if self.maximum is not None:
            value = max(self.minimum, min(self.maximum, value))
        return replace(self, value=value)

    def __str__(self) -> str:
        if self.maximum is None:
            return str(self.value)
        start = f"{self.minimum}.." if self.minimum else ""
        return f"{self.value} of {start}{self.maximum}"


def check_bounded(text: str) -> None:
    """Check a value that begins like a number with bounds, such as ``2 of``; ``7 of hearts`` is a word.

    Raises:
        ParameterError: it is not one.

    >>> check_bounded("2 of 9"), check_bounded("7 of hearts")
    (None, None)
    """
    if _BEGINS_BOUNDED.match(text):
        try:
            Track.from_text(text)
        except DiceError as error:
            raise ParameterError(error.message, hint=error.hint or _HINT) from None


def track_hint(text: str) -> str:
    """Return how a number with bounds is written, for a text that says one in another way; empty if it says none.

    >>> track_hint("5/8"), track_hint("5 (max 8)"), track_hint("rope")
    ('write 5 of 8', 'write 5 of 8', '')
    """
    almost = _ALMOST.fullmatch(text.strip())
    return f"write {almost[1]} of {almost[2]}" if almost else ""


def track_of(text: str) -> Track | None:
    """Return the track of a text, or ``None`` if it is no whole number."""
    return _track_of(text, limits.DIGITS.maximum)


@lru_cache(maxsize=256)
def _track_of(text: str, _digits: int) -> Track | None:
    """Return the track of a text, within a limit that may be raised: an evening reads the same ones at each roll."""
    try:
        return Track.from_text(text)
    except DiceError:
        return None


def track_facts(name: str, text: str) -> dict[str, int | str]:
    """Return the facts of a value in a scene: its number, its truth or its text, and, if it has bounds, if it is full.

    >>> track_facts("vault", "8 of 8"), track_facts("arlyn.Position", "risky")
    ({'vault': 8, 'vault.full': True}, {'arlyn.Position': 'risky'})
    """
    track = track_of(text)
    if track is None:
        return {name: TRUTHS.get(text, text)}
    facts: dict[str, int | str] = {name: track.value}
    return facts if track.maximum is None else {**facts, f"{name}.{FULL}": track.full}
