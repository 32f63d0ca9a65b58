"""Changes of a state: ``vault += ticks; arlyn.Stress += stress``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, is_text, near, quoted
from dicedocs.rules.example import Example
from dicedocs.rules.kinds import as_line
from dicedocs.rules.registry import ROLL
from dicedocs.scenes.track import track_of

Sign = Literal["=", "+=", "-="]
_SIGN: Final = re.compile(r"[+-]?=")
_WORD: Final = re.compile(r"(?<![\w.])[^\W\d][\w.-]*+(?!\s*\()")
"""What may be a name in the text of a change, apart from functions."""
_QUOTED: Final = re.compile(r'" ?([^"]*[^" ]) ?"')


class Change(NamedTuple):
    """One change.

    Parameters:
        target: the name of what changes: a track, or a character and one of its values.
        sign: ``=`` to set it, ``+=`` to add, ``-=`` to subtract.
        text: a notation without dice over facts and the state, or a text in quotes.
    """

    target: str
    sign: Sign
    text: str

    def applied(self, before: str, value: int | str) -> str:
        """Return the text of what changes, given the value that the text of the change comes to.

        A character's value without bounds can be set to anything: a list of one die looks like a number.

        Raises:
            ParameterError: a number is needed, and there is a text.

        >>> Change("vault", "+=", "ticks").applied("7 of 8", 2), Change("heat", "=", "0").applied("3", 0)
        ('8 of 8', '0')
        >>> Change("freya.Spent", "=", "exhausted").applied("3", "3 5")
        '3 5'
        """
        track = track_of(before)
        if isinstance(value, int) and track is not None:
            start = 0 if self.sign == "=" else track.value
            return str(track.at(start - value if self.sign == "-=" else start + value))
        if self.sign != "=" or (track is not None and (track.maximum is not None or "." not in self.target)):
            wrong = f"{self.text} is {quoted(value)}" if track else f"{self.target} is {quoted(before)}"
            raise ParameterError(f"{wrong}, which is no whole number", parameter="then")
        return as_line(value)

    def __str__(self) -> str:
        return f"{self.target} {self.sign} {self.text}"


def parse_changes(text: str) -> tuple[Change, ...]:
    """Return the changes of a text, which semicolons separate.

    Raises:
        ParameterError: a part is no change.
        LimitError: there are more than ``ITEMS``.

    >>> [str(change) for change in parse_changes("vault += ticks; arlyn.Stress = 2 * (heat + 1)")]
    ['vault += ticks', 'arlyn.Stress = 2 * (heat + 1)']
    """
    if not is_text(text):
        raise ParameterError(f"{quoted(text)} is not changes", hint="write vault += 1", parameter="then")
    limits.VALUE_TEXT.check(len(text), hint="write less")
    return tuple(map(_parse, limits.ITEMS.take(list(_parts(text)))))


def _parts(text: str) -> Iterator[str]:
    return (part for part in map(str.strip, text.split(";")) if part)


def _parse(part: str) -> Change:
    match = _SIGN.search(part)
    target, text = (part[: match.start()], part[match.end() :]) if match else ("", "")
    if match is None or not target.strip() or not text.strip() or "=" in text or "+" in target:
        hint = "write vault += 1, vault -= 1 or vault = 1"
        raise ParameterError(f"{quoted(part)} is not a change", hint=hint, parameter="then")
    sign: Sign = "+=" if match[0] == "+=" else "-=" if match[0] == "-=" else "="
    return Change(" ".join(target.split()), sign, text.strip())


def evaluate(text: str, values: Mapping[str, object]) -> int | str:
    """Return what a text comes to: a whole number, or, if it is a single name or in quotes, perhaps a text.

    Parameters:
        text: a notation without dice, in which names stand for values, or a text in quotes.
        values: the values by name; true counts 1, and false 0.

    Raises:
        DiceError: a name is unknown, a value is no number, or the notation is wrong.

    >>> evaluate("2 * ticks - arlyn.Heat", {"ticks": 3, "arlyn.Heat": 1, "arlyn.Position": "risky"})
    5
    >>> evaluate("arlyn.Position", {"arlyn.Position": "risky"})
    'risky'
    >>> evaluate('"risky"', {})
    'risky'
    """
    name = " ".join(text.split())
    if quotation := _QUOTED.fullmatch(name):
        return quotation[1]
    if name in values:
        value = values[name]
        return value if isinstance(value, int) else as_line(value)
    parts: list[str] = []
    done = 0
    while match := _WORD.search(text, done):
        name = _longest_name(text, match.start(), values)
        if not name:
            message = f"no fact and nothing in the scene is called {quoted(match[0])}"
            raise ParameterError(message, hint=near(match[0], values), parameter="then")
        value = values[name]
        if not isinstance(value, int):
            raise ParameterError(f"{name} is {quoted(as_line(value))}, which is no whole number", parameter="then")
        parts += [text[done : match.start()], f"({int(value)})"]
        done = match.start() + len(name)
    notation = "".join([*parts, text[done:]])
    try:
        result = Example(ROLL, {"notation": notation}).play().value
    except DiceError as error:
        message = f"{quoted(text)} is not a notation without dice: {error.message}"
        raise ParameterError(message, parameter="then") from error
    return int(result)


def _longest_name(text: str, start: int, values: Mapping[str, object]) -> str:
    """Return the longest name that begins at a place of a text; empty if none does."""
    names = (name for name in values if text.startswith(name, start))
    whole = (name for name in names if not re.match(r"\w|\.\w", text[start + len(name) :]))
    return max(whole, key=len, default="")
