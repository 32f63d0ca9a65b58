"""What keeps a log of rolls: the rolls as a page shows them, and as text to be copied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple

from dicedocs.errors import DiceError, ParameterError, quoted, wrap_error
from dicedocs.panel.effects import (
    Effect,
    effect_of,
    effect_text,
    effects_of,
    taken_back,
    waiting_effects,
    with_effects,
)
from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.seat import Seat
from dicedocs.panel.state import State
from dicedocs.panel.view.history import ROLLS_SHOWN, History, shown_of
from dicedocs.panel.view.log import FORMATS, LogFormat, LogRow, log_row, page_log, saved_log
from dicedocs.panel.view.outcome_view import OutcomeView
from dicedocs.panel.view.panel_texts import page_data, state_words
from dicedocs.panel.wire import Message, acknowledge, read_message
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.change import Changed
from dicedocs.similar_words import near
from dicedocs.translation import current_language, display_in, word


class _Waiting(NamedTuple):
    """What a roll that waits would do to characters now.

    Parameters:
        text: the changes in words.
        refused: why they are not possible any more; empty if they are.
    """

    text: str = ""
    refused: str = ""


class RollLog:
    """Rolls with their log, in the language that was current when it was created.

    Attributes:
        seat: the states that the rolls are in, and the form whose rolls these are; at a table they are those of all.
        kept: whether a file keeps the rolls, so that nobody needs to copy the log before Python starts again.
        actions: what a page may ask for, by name.
    """

    seat: Seat
    kept: bool = False

    unshown: ClassVar[frozenset[str]] = frozenset()
    """The columns of the log that a page leaves out, since they are in view beside it."""

    def __init__(self) -> None:
        self._language = current_language()
        self.actions = self._actions()
        self._rows: dict[int, tuple[Entry, LogRow]] = {}
        self._pinned: set[int] = set()
        self._waits: tuple[State, tuple[str, ...], dict[int, _Waiting]] | None = None
        self._asked_for: dict[str, Any] = {}
        self._sent: tuple[list[Entry], frozenset[int], dict[int, _Waiting]] | None = None

    @property
    def shown(self) -> Entry | None:
        """The roll that is shown; ``None`` before the first."""
        raise NotImplementedError

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the roll that is shown."""
        return self.shown.outcome if self.shown else None

    @property
    def entries(self) -> list[Entry]:
        """The rolls, oldest first."""
        raise NotImplementedError

    def receive(self, data: object) -> None:
        """Handle a message of a page: do what it carries, then its action.

        Parameters:
            data: the message, as :class:`~dicedocs.panel.wire.Message` describes it, or anything else.

        Raises:
            DiceError: the message is malformed, and nothing has changed; or what its action is about does not exist. An
                input that is not valid raises nothing; the state shows it.
            Exception: a rule raised something other than a :class:`~dicedocs.errors.DiceError`; the state shows it too.
        """
        message = read_message(data)
        if message.do not in self.actions:
            hint = near(message.do, self.actions)
            raise ParameterError(f"{quoted(message.do)} is not an action here", hint=hint)
        self._accept(message)
        self.actions[message.do](message)

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        """Return what a page may ask for."""
        return {
            "set": lambda _message: None,
            "history": lambda _message: None,
            "log": lambda message: self.ask_log(message.format),
            "apply": lambda message: self.apply(message.roll),
            "take-back": lambda message: self.take_back(message.roll),
        }

    def _accept(self, message: Message) -> None:
        """Do what a message carries, before its action."""
        raise NotImplementedError

    @contextmanager
    def display(self) -> Iterator[None]:
        """Display everything in the language of the log, in a ``with`` statement."""
        with display_in(self._language):
            yield

    @property
    def history(self) -> History:
        """The rolls, oldest first."""
        return History(self.entries)

    def entry(self, roll: int) -> Entry:
        """Return a roll of the history by its number.

        Raises:
            ParameterError: the roll does not exist.
        """
        entry = next((entry for entry in self.entries if entry.roll == roll), None)
        if entry is None:
            raise ParameterError(f"there is no roll {roll}")
        return entry

    def effects(self, roll: int | None = None) -> list[Effect]:
        """Return what :meth:`apply` does to characters.

        Parameters:
            roll: as there.

        Raises:
            DiceError: as there.
        """
        players, state = self.seat.players, self.seat.store.state
        return [effect_of(players, state, self.entry(roll))] if roll else effects_of(players, state, self.entries)

    def apply(self, roll: int | None = None) -> None:
        """Change characters as rolls say, which can be undone in one step.

        Parameters:
            roll: the number of a roll, to do only what this one does; 0 for all that wait for it. By default the roll
                that was chosen in the history of a panel; if none was, all.

        Raises:
            DiceError: the roll does not exist, is struck out, was applied already or changes nothing, or what it does
                is not possible.
        """
        self._settle(self.effects(roll))

    def take_back(self, roll: int) -> None:
        """Take back what a roll has done to characters, which then waits again.

        Parameters:
            roll: the number of the roll.

        Raises:
            ParameterError: the roll does not exist, has done nothing, or something else has changed a value since.
        """
        self._settle([taken_back(self.seat.store.state, self.entry(roll))])

    def _settle(self, effects: Sequence[Effect]) -> None:
        """Make a step of what rolls do, or of what takes that back."""
        seat, changes = self.seat, [one for effect in effects for one in effect.changes]
        seat.store.put(with_effects(seat.players, seat.store.state, effects), seat.index, effects=changes)

    @property
    def formats(self) -> Mapping[str, LogFormat]:
        """The formats in which the log can be copied."""
        return FORMATS

    def page_data(self) -> dict[str, Any]:
        """Return what its page needs beside its form: :func:`page_data`, and the ``formats`` of the log."""
        return {
            **page_data(),
            "formats": [{"name": name, "label": word(one.label)} for name, one in self.formats.items()],
        }

    def form(self) -> dict[str, Any]:
        """Return what never changes: ``id``, ``title``, ``help``, ``facts``, ``fields``, and what all pages need."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """Return all that changes, except the history."""
        raise NotImplementedError

    def page_state(self, view: OutcomeView) -> dict[str, Any]:
        """Return what every page shows of a log: an outcome, what is saved of the log, and what can be undone.

        Parameters:
            view: the outcome.
        """
        return {
            **view._asdict(),
            "log": saved_log(self.page_rows()),
            "can": {"undo": self.seat.store.can_undo, "redo": self.seat.store.can_redo},
            "words": state_words(view.outcome) if view.outcome else {},
            **({"kept": True} if self.kept else {}),
        }

    def log(self) -> list[dict[str, Any]]:
        """Return the pinned and the last rolls for a page: :func:`dicedocs.panel.view.log.page_log`."""
        with self.display():
            return list(self.page_rows())

    def page_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of :meth:`log`, in the language of the reader."""
        waiting, entries = self._waiting(), self.entries
        pinned = [entry for entry in entries[:-ROLLS_SHOWN] if entry.roll in self._pinned]
        entries = [*pinned, *entries[-ROLLS_SHOWN:]]
        # Of a roll that no panel has any more, nothing is in view beside.
        alone = {entry.roll for entry in entries if entry.form < 0}
        rows = self._rows_of(entries)
        rows = [row._replace(refused=waiting[row.roll].refused) if row.roll in waiting else row for row in rows]
        for row in page_log(rows, self._pinned):
            one = waiting.get(row["roll"])
            waits = {} if one is None or one.refused else {"waits": one.text}
            unshown = () if row["roll"] in alone else self.unshown
            yield {name: value for name, value in row.items() if name not in unshown} | waits

    def _waiting(self) -> dict[int, _Waiting]:
        """Return what rolls would do to characters now, by the numbers of those that wait for it."""
        # Each answer needs it several times: the page's state, its history, and whether that has changed.
        state, key = self.seat.store.state, tuple(one.changes.then for one in self.seat.players)
        if self._waits is None or self._waits[0] is not state or self._waits[1] != key:
            self._waits = state, key, self._found_waiting(state)
        return self._waits[2]

    def _found_waiting(self, state: State) -> dict[int, _Waiting]:
        return {
            entry.roll: _Waiting(refused=one.message) if isinstance(one, DiceError) else _Waiting(one.entry.effect)
            for entry, one in waiting_effects(self.seat.players, state, self.entries[-ROLLS_SHOWN:])
        }

    def log_rows(self) -> list[LogRow]:
        """Return the rolls of the history as rows of a log, oldest first."""
        return self._rows_of(self.entries)

    def _rows_of(self, entries: Sequence[Entry]) -> list[LogRow]:
        with self.display():
            # A long history would be worked out again at every roll.
            self._rows |= {entry.roll: (entry, self._row(entry)) for entry in entries}
        rows = [self._rows[entry.roll][1] for entry in entries]
        if rows and rows[0].roll == next((entry.roll for entry in self.seat.store.log), 0):
            rows[0] = rows[0]._replace(before=self._by_hand(self.seat.store.state.before))
        return rows

    def _row(self, entry: Entry) -> LogRow:
        known, row = self._rows.get(entry.roll, (None, None))
        return row if row is not None and known is entry else log_row(entry, self._by_hand(entry.later))

    def _by_hand(self, changes: Iterable[Changed]) -> str:
        """Return in words which values were changed by hand; the effects of rolls stand with these."""
        own = (one for one in changes if not one.by and one.before != one.after)
        return effect_text(self.seat.store.state, own)

    def written_log(self, format: str) -> str:
        """Return the log as text to be copied, in one of its formats.

        Raises:
            ParameterError: there is no such format.
        """
        if format not in self.formats:
            raise ParameterError(f"{quoted(format)} is not a format of the log", hint=near(format, self.formats))
        with self.display():
            return self.formats[format].write(self.entries, self.log_rows())

    def ask_log(self, format: str) -> None:
        """Send the log in a format with the next answer to the page.

        Raises:
            ParameterError: there is no such format.
        """
        self._asked_for["log"] = self.written_log(format)

    def pin_roll(self, roll: int) -> None:
        """Pin a roll, so that it stays at the top of the log, or unpin it.

        Parameters:
            roll: its number.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._pinned ^= {self.entry(roll).roll}

    def reply_to(self, data: object, error: BaseException | None = None) -> dict[str, Any]:
        """Return the answer to a message of a page, which waits for one also to a message that failed.

        Parameters:
            data: the message.
            error: what it failed with, if it did.

        Returns:
            ``for``, as :func:`~dicedocs.panel.wire.acknowledge` returns it; ``failed``, the error in words, if there
            is one; and what :meth:`reply` returns.
        """
        failed = {} if error is None else {"failed": str(wrap_error(error))}
        whole = isinstance(data, Mapping) and data.get("do") == "history"
        return {"for": acknowledge(data), **failed, **self.reply(whole=whole)}

    def reply(self, *, whole: bool = False) -> dict[str, Any]:
        """Return what the next answer to the page carries.

        Parameters:
            whole: whether the history goes with it even if it has not changed since the last reply.

        Returns:
            ``history``, as :meth:`log` returns it, if it has changed, and ``left_out``, in words, if earlier rolls are;
            ``log``, the log in a format, or ``file``, the odds as a file, if it was asked for.
        """
        state = list(self.entries), frozenset(self._pinned), self._waiting()
        reply: dict[str, Any] = {}
        if whole or not self._is_sent(*state):
            reply = {"history": self.log()}
            with self.display():
                reply |= {"left_out": left_out} if (left_out := shown_of(len(self.entries))) else {}
        reply |= self._asked_for
        self._sent, self._asked_for = state, {}
        return reply

    def _is_sent(self, entries: list[Entry], *more: object) -> bool:
        if self._sent is None:
            return False
        before, *more_before = self._sent
        same = len(before) == len(entries) and all(map(lambda one, other: one is other, before, entries))
        return same and [*more] == more_before
