"""What a panel has for comparing: pinned odds, what their chart shows, files of them, and the characters to choose."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets as t

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.panel.characters import Character, check_characters, named_character
from dicedocs.panel.rolling import ODDS_SHOWS
from dicedocs.panel.session import Session
from dicedocs_widgets.locking import locked

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution


class ComparingPanel(t.HasTraits):
    """The part of a panel that compares odds and chooses characters."""

    _session: Session

    odds_show = t.Enum(ODDS_SHOWS, ODDS_SHOWS[0], help="what a bar of the chart is: exactly, at least or at most")
    character = t.Unicode(help="the name of the character whose values the panel has; empty if it is nobody's")

    if TYPE_CHECKING:

        def _publish(self, seconds: float = 0) -> None: ...

    @t.validate("character")
    def _validate_character(self, proposal: Any) -> Any:
        try:
            if proposal["value"]:
                named_character(self._session.characters, proposal["value"])
        except DiceError as error:
            raise t.TraitError(str(error)) from None
        return proposal["value"]

    @property
    def characters(self) -> tuple[Character, ...]:
        """The characters that the panel offers; a list of them may be set."""
        return self._session.characters

    @characters.setter
    @locked
    def characters(self, characters: Iterable[Character]) -> None:
        self._session.characters = check_characters(characters)
        self._publish()

    @locked
    def pin(self) -> None:
        """Keep the odds of the present values in the chart, to be compared with others.

        Raises:
            DiceError: the values are not valid, or as many are pinned as there may be.
        """
        self._session.pin()
        self._publish()

    @locked
    def unpin(self, index: int | None = None) -> None:
        """Remove pinned odds from the chart.

        Parameters:
            index: the index among those pinned, from 0; by default all are removed.

        Raises:
            ParameterError: nothing is pinned there.
        """
        self._session.unpin(index)
        self._publish()

    @property
    @locked
    def comparison(self) -> dict[str, Distribution]:
        """The exact odds that were pinned, and the present ones, by what differs in their parameters.

        Raises:
            DiceError: a mechanic cannot be played, or a limit was exceeded.
        """
        return self._session.compared_odds()

    @locked
    def save_odds(self, path: str | Path) -> Path:
        """Write the odds that the chart shows, as CSV or as a picture.

        Parameters:
            path: the file, which is replaced; its suffix is ``.csv`` or ``.svg``.

        Returns:
            The path.

        Raises:
            ParameterError: it has another suffix.
            DiceError: the odds cannot be counted.
        """
        path = Path(path)
        kind = {".csv": "csv", ".svg": "picture"}.get(path.suffix)
        if kind is None:
            raise ParameterError(f"odds cannot be written to {quoted(path.name)}", hint="end its name in .csv or .svg")
        self._session.compared_odds()
        path.write_text(self._session.odds_file(kind)["text"], encoding="utf-8")
        return path
