"""What stands on the faces of dice, and what each face counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from dicedocs import limits
from dicedocs.errors import NotationError, quoted

FATE: Final = {"F": ("-1", "0", "1"), "F.2": ("-1", "0", "1"), "F.1": ("-1", "0", "0", "0", "0", "1")}
"""The faces of Fate dice by name."""
DIGIT_DICE: Final = {"44": 4, "66": 6, "88": 8, "444": 4, "666": 6, "888": 8}
"""The dice that are thrown as several, one for each digit, by name, with the sides of each of these."""
UNCLEAR_DIE: Final = 36
"""The die that may be one, or two for the digits from 11 to 36: the notation refuses it."""
BLANK: Final = "-"
"""The text of a blank face, which counts 0."""

_NUMBER: Final = re.compile("-?[0-9]+")
_SYMBOL: Final = r"[^\W\d_][\w' -]*"
_FACE: Final = re.compile(rf"-|-?[0-9]+|{_SYMBOL}(\+{_SYMBOL})*")


@dataclass(frozen=True)
class DieFaces:
    """The faces of a die.

    Parameters:
        texts: what stands on each: a whole number, ``-`` for a blank, or words joined by ``+``.
        name: the name after the ``d`` of a die that has one: ``F``, ``F.1``, ``66``.

    >>> DieFaces(("-", "hit", "hit+hit", "3")).values
    (0, 1, 2, 3)
    """

    texts: tuple[str, ...]
    name: str = ""

    def __str__(self) -> str:
        return self.name or f"{{{', '.join(self.texts)}}}"

    @cached_property
    def symbols(self) -> tuple[tuple[str, ...], ...]:
        """The words on each face."""
        return tuple(
            () if text == BLANK or _NUMBER.fullmatch(text) else tuple(word.strip() for word in text.split("+"))
            for text in self.texts
        )

    @cached_property
    def values(self) -> tuple[int, ...]:
        """What each face counts: a number itself, a blank 0, and a word 1."""
        return tuple(
            int(text) if _NUMBER.fullmatch(text) else len(symbols)
            for text, symbols in zip(self.texts, self.symbols, strict=True)
        )


def read_faces(text: str) -> DieFaces:
    """Return the faces of a die from what stands after its ``d``.

    Raises:
        NotationError: a face is missing, or is neither a whole number nor a word.

    >>> read_faces("{-, hit, 2}").texts
    ('-', 'hit', '2')
    """
    if text.upper() in FATE:
        name = text.upper()
        return DieFaces(FATE[name], "F" if name == "F.2" else name)
    if text in DIGIT_DICE:
        digits = product(range(1, DIGIT_DICE[text] + 1), repeat=len(text))
        return DieFaces(tuple(str(digits_value(each)) for each in digits), text)
    faces = tuple(re.sub(r"\s*\+\s*", "+", " ".join(face.split())) for face in text[1:-1].split(","))
    for face in faces:
        if not _FACE.fullmatch(face):
            shown = quoted(face) if face else "nothing"
            raise NotationError(
                f"a face is a number, a word or - for a blank, not {shown}",
                hint="write them as in 'd{1, 2, hit, hit+crit}'",
            )
        for symbol in face.split("+"):
            words = symbol.split()
            if len(set(words)) < len(words):
                message = f"{quoted(face)} has a word twice in one symbol"
                raise NotationError(message, hint=f"write '{'+'.join(words)}' for several symbols on a face")
        if _NUMBER.fullmatch(face):
            limits.DIGITS.check(len(face.lstrip("-")))
    return DieFaces(faces)


def digits_value(digits: Iterable[int]) -> int:
    """Return the number that some digits make.

    >>> digits_value([3, 5])
    35
    """
    value = 0
    for digit in digits:
        value = 10 * value + digit
    return value


class DieType:
    """A die as its pool sees it: how many sides it has, and what each of them counts.

    Parameters:
        sides: a number of sides, or faces.

    Attributes:
        sides: the number of its sides.
        values: what each counts.
        distinct: how many different values there are.
        faces: what stands on them; ``None`` for the numbers from 1 on.
        lowest, highest: the ends of the values.
        thrown: the sides of each die that is thrown for it.
    """

    def __init__(self, sides: int | DieFaces) -> None:
        self.faces = sides if isinstance(sides, DieFaces) else None
        self.values = range(1, sides + 1) if isinstance(sides, int) else sides.values
        self.sides = len(self.values)
        self.distinct = self.sides if isinstance(sides, int) else len(set(self.values))
        ends = (1, self.sides) if isinstance(sides, int) else self.values
        self.lowest, self.highest = min(ends), max(ends)
        name = self.faces.name if self.faces is not None else ""
        self.thrown = (DIGIT_DICE[name],) * len(name) if name in DIGIT_DICE else (self.sides,)

    def representatives(self, *thresholds: int | None) -> Sequence[int]:
        """Return values that tell how all fare that are compared with some numbers only.

        A die of a million sides is so judged by a few of them.

        >>> DieType(1000).representatives(7, None)
        [1, 6, 7, 8, 1000]
        """
        if not isinstance(self.values, range):
            return self.values
        beside = {number + step for number in thresholds if number is not None for step in (-1, 0, 1)}
        return sorted(value for value in beside | {self.lowest, self.highest} if value in self.values)
