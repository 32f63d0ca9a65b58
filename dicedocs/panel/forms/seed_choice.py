"""Seeds as a person types them: reading them, the next one after another, and the choice for the next roll."""

from __future__ import annotations

import re
from typing import Final

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.render.words import clean
from dicedocs.rules.playing import Seed, fresh_seed
from dicedocs.rules.seeds import SeededDice

_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
_NUMBERED: Final = re.compile(r"(.*?) ?([0-9]{1,9})")
_SUFFIX_LENGTH: Final = 10


def read_seed(seed: object) -> Seed | None:
    """Return a seed as typed: digits are a number, runs of blanks fold, and an empty text is no seed.

    Raises:
        ParameterError: it is not a seed.
        LimitError: it is longer than ``SEED``.

    >>> read_seed(" 58 "), read_seed("theron"), read_seed("")
    (58, 'theron', None)
    """
    if isinstance(seed, str):
        # A directive has its seed on one line.
        seed = clean(seed).strip()
        if not seed:
            return None
        if _NUMBER.fullmatch(seed):
            seed = int(seed)
    if seed is not None:
        SeededDice(seed)  # type: ignore[arg-type]  # raises an error if it is not a seed
    return seed  # type: ignore[return-value]


def next_seed(seed: Seed | None) -> Seed:
    """Return the seed after another one; a fresh one after ``None``.

    >>> next_seed(6), next_seed("theron"), next_seed("theron 2")
    (7, 'theron 2', 'theron 3')
    """
    if seed is None:
        return fresh_seed()
    if isinstance(seed, int):
        return seed + 1
    numbered = _NUMBERED.fullmatch(seed)
    name, number = (numbered[1], int(numbered[2])) if numbered else (seed, 1)
    return f"{name[: limits.SEED.maximum - _SUFFIX_LENGTH]} {number + 1}"


class SeedChoice:
    """The seed of the last outcome, and the one that was chosen for the next roll, if any.

    Attributes:
        used: the seed of the outcome that is shown; ``None`` if there is none.
        error: why the text that was typed is not a seed.

    >>> seeds = SeedChoice()
    >>> seeds.type("58")
    >>> seeds.next(lock=False), seeds.text
    (58, '58')
    """

    def __init__(self) -> None:
        self.used: Seed | None = None
        self.error: DiceError | None = None
        self._chosen: Seed | None = None
        self._typed = ""

    @property
    def shown(self) -> Seed | None:
        """The seed chosen for the next roll, if any, else that of the outcome."""
        return self.used if self._chosen is None else self._chosen

    @property
    def chosen(self) -> Seed | None:
        """The seed chosen for the next roll, if any."""
        return self._chosen

    @property
    def text(self) -> str:
        """The text of its box: what was typed, if that is not a seed."""
        return self._typed if self.error else "" if self.shown is None else str(self.shown)

    def choose(self, seed: object) -> None:
        """Choose the seed of the next roll; ``None`` or an empty text leaves it to chance.

        Raises:
            ParameterError: it is not a seed; the choice stays.
            LimitError: it is longer than ``SEED``.
        """
        self._chosen, self.error = read_seed(seed), None

    def advance(self) -> None:
        """Choose the next seed: 7 after 6, ``theron 2`` after ``theron``."""
        self.choose(next_seed(self.shown))

    def type(self, text: str) -> None:
        """Choose a seed that was typed; ``error`` says why it is not one."""
        try:
            self.choose(text)
        except DiceError as error:
            self._typed, self.error = text[: limits.VALUE_TEXT.maximum], error

    def use(self, seed: Seed | None) -> None:
        """Note the seed of the outcome that is shown; nothing is chosen for the next roll then."""
        self.used, self._chosen, self.error = seed, None, None

    def next(self, lock: bool) -> Seed:
        """Return the seed of the next roll.

        Parameters:
            lock: whether a roll without a choice reuses the seed of the outcome; otherwise it draws a fresh one.
        """
        if self._chosen is not None:
            return self._chosen
        return self.used if lock and self.used is not None else fresh_seed()
