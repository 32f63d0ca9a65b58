"""The order of turns of a table: who comes when, as it is kept in the states of the table."""

from __future__ import annotations

from typing import Any

from dicedocs import limits
from dicedocs.errors import ParameterError
from dicedocs.panel.store import Store
from dicedocs.panel.turns import Turn, Turns, following, joined, moved, without
from dicedocs.render.words import clean
from dicedocs.rules.kinds import IntKind


class TurnOrder:
    """Who comes when at a table, and whose turn it is; each change of that can be undone.

    Parameters:
        store: the states of the table.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def order(self) -> list[Turn]:
        """Return the order of turns: the highest number first unless it was changed; without those who are gone."""
        return [turn for turn in self._store.state.turns if self._is_here(turn)]

    def _is_here(self, turn: Turn) -> bool:
        """Return whether somebody in the order of turns is at the table, and the roll for it was not struck out."""
        entry = next((one for one in self._store.log if one.roll == turn.roll), None) if turn.roll else None
        return not (entry and (entry.struck or entry.who not in self._store.state.people))

    @property
    def turn(self) -> str:
        """The name of whoever has the turn; empty before the first."""
        return next((turn.name for turn in self.order() if turn.round), "")

    @property
    def round(self) -> int:
        """How often the turns have begun; 0 if nobody has the turn."""
        return next((turn.round for turn in self._store.state.turns if turn.round), 0)

    def next_turn(self) -> None:
        """Give the turn to the next in the order, or to the first of a new round."""
        self._put_turns(following(self._store.state.turns, self._is_here))

    def add_turn(self, name: str, number: int | str | None = None) -> None:
        """Add somebody to the order of turns.

        Parameters:
            name: who it is: a character, or anything else that happens in turn.
            number: the number that decides the place, as itself or as text; without one it is the last.

        Raises:
            ParameterError: the name is empty, or has a turn already, or the number is none.
        """
        name = clean(name).strip()[: limits.VALUE_TEXT.maximum]
        if not name:
            raise ParameterError("nobody is named who has a turn", hint="give a name")
        value = IntKind().read(number) if isinstance(number, str) else number
        self._put_turns(joined(self._store.state.turns, Turn(name, value)))

    def remove_turn(self, name: str) -> None:
        """Remove somebody from the order of turns; the next one has the turn then.

        Raises:
            ParameterError: nobody of this name has a turn.
        """
        self._put_turns(without(self._store.state.turns, name, self._is_here))

    def move_turn(self, name: str, by: int) -> None:
        """Move somebody in the order of turns.

        Parameters:
            name: who it is.
            by: how many places later; a negative number for earlier.

        Raises:
            ParameterError: nobody of this name has a turn.
        """
        self._put_turns(moved(self._store.state.turns, name, by, self._is_here))

    def _put_turns(self, turns: Turns) -> None:
        self._store.put(self._store.state._replace(turns=turns))

    def state(self) -> dict[str, Any]:
        """Return the ``round``, and the ``turns``, each with a name, a number and whether it is theirs now."""
        turns = [[one.name, "" if one.number is None else str(one.number), one.round > 0] for one in self.order()]
        return {"round": self.round, "turns": turns}
