"""The faces of dice that lie on the table: they are typed, and the next roll reads them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.rules.dice import Dice, parse_faces
from dicedocs.rules.kinds import as_line
from dicedocs.rules.playing import DiceSource


class HandDice:
    """The faces of dice that were thrown by hand, for the next roll.

    Attributes:
        text: the faces as they were typed; empty if dicedocs is to throw the dice.
        error: why the text is not a list of faces.

    >>> hand = HandDice()
    >>> hand.type("4, 2 5")
    >>> hand.faces
    (4, 2, 5)
    """

    def __init__(self) -> None:
        self.text = ""
        self.error: DiceError | None = None

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces in the order thrown; none if dicedocs is to throw the dice."""
        return () if self.error else parse_faces(self.text)

    def type(self, text: str) -> None:
        """Note faces that were typed; ``error`` says why they are none."""
        self.text, self.error = text[: limits.VALUE_TEXT.maximum], None
        try:
            parse_faces(text)
        except DiceError as error:
            self.error = error

    def choose(self, dice: DiceSource | None) -> None:
        """Note faces, given as numbers or as text; ``None`` leaves the dice to dicedocs.

        Raises:
            DiceError: they are not faces.
        """
        if isinstance(dice, Dice):
            raise DiceError("a panel reads faces, not dice", hint="give the faces as numbers: [4, 2, 5]")
        self.type("" if dice is None else as_line(parse_faces(dice)))

    @contextmanager
    def given(self, dice: DiceSource | None) -> Iterator[None]:
        """Use other faces while a ``with`` statement runs; with ``None`` those that were typed."""
        before = self.text
        if dice is not None:
            self.choose(dice)
        try:
            yield
        finally:
            if dice is not None:
                self.type(before)
