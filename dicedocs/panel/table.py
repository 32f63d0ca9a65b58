"""An evening at the table: several sessions with one log, in order of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import ParameterError, near, quoted
from dicedocs.panel.history import Entry
from dicedocs.panel.log import saved_log
from dicedocs.panel.messages import Message, read_message
from dicedocs.panel.outcome_view import OutcomeView, outcome_view
from dicedocs.panel.page_texts import page_data, state_words
from dicedocs.panel.roll_log import RollLog
from dicedocs.panel.session import Session
from dicedocs.render.words import clean
from dicedocs.translation import gettext as _

TABLE: Final = "table"
"""The id of the form of a table."""


class Table(RollLog):
    """Sessions at one table, whose rolls are counted together.

    The log has the rolls that are made from now on. None disappears: one that is undone in its panel is struck out.

    Parameters:
        sessions: the sessions.
        names: the title of each; that of its mechanic or game if it is empty.

    Attributes:
        sessions: the sessions.
        names: the title of each, those that are the same with a number.
        shown: the roll that is shown: the last one, or one that was chosen; ``None`` before the first.
        actions: what a page may ask for, by name.

    Raises:
        ParameterError: there is no session.

    >>> attack, tray = Session("dice/check", {"check": "1d20 + 5 >= 15"}, seed=1), Session("dice/roll", seed=2)
    >>> table = Table([attack, tray])
    >>> for session in (attack, tray, attack):
    ...     _ = session.roll()
    ...     table.update()
    >>> [(entry.roll, entry.outcome.rule.id) for entry in table.entries]
    [(1, 'dice/check'), (2, 'dice/roll'), (3, 'dice/check')]
    >>> table.strike(2)
    >>> table.note(3, "Kira jumps the gap")
    >>> table.log_rows()[1].struck, table.log_rows()[2].note
    (True, 'Kira jumps the gap')
    """

    def __init__(self, sessions: Sequence[Session], names: Sequence[str] = ()) -> None:
        super().__init__()
        if not sessions:
            raise ParameterError("a table needs panels", hint="write table(panel_a, panel_b)")
        self.sessions = tuple(sessions)
        titles = zip(self.sessions, [*names, *[""] * len(self.sessions)], strict=False)
        self.names = numbered([clean(name) or session.form()["title"] for session, name in titles])
        self.shown: Entry | None = None
        self._entries: list[Entry] = []
        self._done = [session.timeline.rolls for session in self.sessions]
        self._known = {id(entry): (entry, 0) for done in self._done for entry in done}
        for session in self.sessions:
            session.next_number = self._next_number
        self.actions: dict[str, Callable[[Message], None]] = {
            "history": lambda _message: None,
            "log": lambda message: self.ask_log(message.format),
            "note": lambda message: self.note(message.roll, message.note),
            "recall": lambda message: self.recall(message.roll),
            "strike": lambda message: self.strike(message.roll, struck=not self.entry(message.roll).struck),
        }

    def _next_number(self) -> int:
        return max([*(session.rolls for session in self.sessions), *(entry.roll for entry in self._entries)]) + 1

    @property
    def entries(self) -> list[Entry]:
        """The rolls of all sessions, oldest first."""
        return self._entries

    def resume(self, entries: Sequence[Entry]) -> None:
        """Continue after rolls that were made before, numbered from 1."""
        self._entries += entries
        self._show_last()

    def _show_last(self) -> None:
        self._show(self._entries[-1] if self._entries else None)

    def _show(self, entry: Entry | None) -> None:
        self.shown, self.outcome = entry, entry and entry.outcome

    def update(self) -> None:
        """Read what was done in the sessions since the last time."""
        for index, session in enumerate(self.sessions):
            before, now = self._done[index], session.timeline.rolls
            same = next((at for at, pair in enumerate(zip(before, now, strict=False)) if pair[0] is not pair[1]), None)
            same = min(len(before), len(now)) if same is None else same
            for entry in before[same:]:
                self._strike_known(entry, struck=True)
            for entry in now[same:]:
                if id(entry) in self._known:
                    self._strike_known(entry, struck=False)
                else:
                    self._known[id(entry)] = entry, entry.roll
                    self._entries.append(entry)
                    self._show_last()
            self._done[index] = now

    def _strike_known(self, entry: Entry, *, struck: bool) -> None:
        _entry, roll = self._known[id(entry)]
        if roll:
            self.strike(roll, struck=struck)

    def note(self, roll: int, text: str) -> None:
        """Write a note about a roll; an empty one removes it.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._replace(roll, note=text[: limits.VALUE_TEXT.maximum])

    def strike(self, roll: int, *, struck: bool = True) -> None:
        """Strike a roll out, which stays in the log, or bring it back.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._replace(roll, struck=struck)

    def _replace(self, roll: int, **changes: Any) -> None:
        entry = self.entry(roll)
        at = next(at for at, one in enumerate(self._entries) if one is entry)
        self._entries[at] = changed = self._entries[at]._replace(**changes)
        if self.shown is not None and self.shown.roll == roll:
            self._show(changed)

    def recall(self, roll: int) -> None:
        """Show a roll of the log.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._show(self.entry(roll))

    # Plain data

    def form(self) -> dict[str, Any]:
        """Return what never changes, in the form of :meth:`Session.form`; a table has no fields."""
        with self.display():
            return {"id": TABLE, "title": _("Table"), "help": "", "facts": [], "fields": [], **page_data()}

    def state(self) -> dict[str, Any]:
        """Return what changes, as a page shows it: the last roll, or the one that was chosen, and what is saved.

        Returns:
            The items ``outcome``, ``code``, ``directive``, ``directive_rst``, ``log``, ``rolls`` and ``words`` of
            :meth:`Session.state`; ``texts``, ``parts`` and ``label``, which are empty; ``seats``, the titles of the
            sessions; ``note``, that of the roll, and ``struck``, whether it is struck out.
        """
        entry = self.shown
        with self.display():
            view = outcome_view(entry.outcome, entry.roll, entry.title, entry.seed) if entry else OutcomeView()
            return {
                **view._asdict(),
                "texts": {},
                "parts": {},
                "label": "",
                "seats": self.names,
                "odds": None,
                "log": saved_log(self.log()),
                "rolls": len(self._entries),
                "note": entry.note if entry else "",
                "struck": bool(entry and entry.struck),
                "words": state_words(view.outcome) if view.outcome else {},
            }

    def receive(self, data: object) -> None:
        """Handle a message of a page.

        Parameters:
            data: the message, as :class:`~dicedocs.panel.messages.Message` describes it, or anything else.

        Raises:
            ParameterError: the message is malformed, or its roll or format does not exist.
        """
        message = read_message(data)
        if message.do not in self.actions:
            hint = near(message.do, self.actions)
            raise ParameterError(f"{quoted(message.do)} is not an action of a table", hint=hint)
        self.actions[message.do](message)


def numbered(names: Sequence[str]) -> list[str]:
    """Return names, those that are the same with a number behind them.

    >>> numbered(["Dice tray", "Attack", "Dice tray"])
    ['Dice tray 1', 'Attack', 'Dice tray 2']
    """
    return [f"{name} {names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)]
