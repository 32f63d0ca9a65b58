"""An evening at the table as a Jupyter widget: several panels with one log."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import ipywidgets as w
import traitlets as t

from dicedocs.errors import ParameterError, quoted
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.kept_rolls import KeptRolls
from dicedocs.panel.turn_order import TurnOrder
from dicedocs.scenes.character import keep_up
from dicedocs.scenes.scene import Scene
from dicedocs_widgets.locking import acting
from dicedocs_widgets.logged_widget import LoggedWidget
from dicedocs_widgets.widget import Panel


class EveningPanel(LoggedWidget):
    """Panels at one table, with one log; created by :func:`~dicedocs_widgets.evening`."""

    _session: Evening
    _anywidget_id = t.Unicode(f"{__name__}.EveningPanel").tag(sync=True)
    _seats = t.List(t.Instance(w.Widget)).tag(sync=True, **w.widget_serialization)

    def __init__(
        self,
        panels: Sequence[Panel],
        log: str | PathLike[str] | None = None,
        scene: Scene | None = None,
        then: str = "",
        **more: Any,
    ) -> None:
        kept_rolls = None if log is None else KeptRolls(log)
        sessions = [panel.join(None) for panel in panels]
        evening = Evening(sessions, [panel.description for panel in panels], scene, then)
        if kept_rolls is not None:
            mechanics = {id: one for each in sessions for id, one in each.played_mechanics.items()}
            evening.resume(kept_rolls.read(mechanics), kept_rolls.read_beginning(), kept_rolls.read_left())
        self._panels = tuple(panels)
        super().__init__(evening, kept_rolls, sessions, _seats=list(panels), **more)
        for panel in panels:
            panel.join(self._publish, kept=evening.kept)
            # Now its page knows that it is at a table, and whether a file keeps its rolls.
            panel.refresh()
        self._keep_up()
        if evening.entries or evening.seat.store.state.before:
            self._publish()

    @t.observe("description")
    def _title_changed(self, change: Any) -> None:
        self._session.title = change.new

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels at the table."""
        return self._panels

    def _publish(self) -> None:
        """Update the panels, the page and the file of the log.

        Raises:
            DiceError: the file cannot be written.
        """
        for panel in self._panels:
            panel.refresh()
        self._keep_up()
        self._state = self._session.state()
        self._schedule()
        if self._kept_rolls is not None:
            self._kept_rolls.update(self._session.entries, self._session.beginning, self._session.left())

    def _keep_up(self) -> None:
        """Let the characters that a notebook has be what they are at the table."""
        for session in self._session.sessions:
            for one in session.people.given:
                keep_up(one, self._session.characters[one.name])

    note = acting(Evening.note)
    strike = acting(Evening.strike)
    correct = acting(Evening.correct)
    undo = acting(Evening.undo)
    redo = acting(Evening.redo)
    next_turn = acting(TurnOrder.next_turn, "turns")
    add_turn = acting(TurnOrder.add_turn, "turns")
    remove_turn = acting(TurnOrder.remove_turn, "turns")
    move_turn = acting(TurnOrder.move_turn, "turns")
    set_value = acting(Evening.set_value)

    @property
    def order(self) -> list[tuple[str, int | None]]:
        """Who has a turn, in order, with what each rolled for it; ``None`` if nothing was rolled."""
        return [(turn.name, turn.number) for turn in self._session.turns.order()]

    @property
    def turn(self) -> str:
        """Who has the turn now; empty before the first."""
        return self._session.turns.turn

    @property
    def characters(self) -> tuple[Character, ...]:
        """The characters of all panels, with the values that they have now."""
        return tuple(self._session.characters.values())

    def __repr__(self) -> str:
        return f"evening({', '.join(map(repr, self._panels))})"


def check_panels(panels: Sequence[object]) -> list[Panel]:
    """Return what is to stand at a table, after checking that each is a panel of its own.

    Raises:
        ParameterError: one is no panel, or stands there twice.
    """
    found: list[Panel] = []
    for one in panels:
        if not isinstance(one, Panel):
            raise ParameterError(f"{quoted(one)} is not a panel", hint="write evening(panel(...), tray(...))")
        if any(one is other for other in found):
            raise ParameterError(f"{one!r} is at the table twice", hint="make another panel")
        found.append(one)
    return found
