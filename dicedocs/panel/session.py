"""A mechanic being played on a page: its inputs, outcome, odds, history, code and directive.

All data in and out is plain: a notebook's panel and the worker behind a book's page are thin layers over the same
session. :meth:`Session.state` returns what a page shows; :meth:`Session.receive` takes a page's messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, near, quoted
from dicedocs.panel import controls
from dicedocs.panel.characters import Character, missing_text
from dicedocs.panel.inputs import error_data
from dicedocs.panel.log import LogRow, log_row, page_log, saved_log, written_log
from dicedocs.panel.messages import Message, read_message
from dicedocs.panel.outcome_view import OutcomeView, outcome_view
from dicedocs.panel.page_texts import page_data, state_words
from dicedocs.panel.rolling import RolledMechanic
from dicedocs.render.words import clean
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING, no_such_parameter
from dicedocs.rules.playing import Seed
from dicedocs.translation import current_language, display_in, game_words, word
from dicedocs.translation import gettext as _

_SET_LETTERS: Final = 40
"""The characters that are shown of each setting that is folded away."""


class Session(RolledMechanic):
    """A mechanic being played on a page, in the language that was current when the session was created.

    A subclass that plays something else also overrides ``actions``, ``form`` and ``state``.

    Parameters:
        mechanic, parameters, seed, lock, label, characters: as for :class:`~dicedocs.panel.rolling.RolledMechanic`.

    Raises:
        DiceError: the mechanic does not exist, or a value is not valid.

    >>> session = Session("total-effect/roll", {"effect": "low"}, seed=61)
    >>> session.roll().facts("dice", "total", "effect")
    'dice=4 2 5, total=11, effect=2'
    >>> session.state()["outcome"]["sentence"]
    'Roll 1. Threshold missed, 11 vs 13, Low 2, Mid 4, High 5, Effect 2.'
    >>> session.receive({"do": "set", "texts": {"escalation": "much"}})
    >>> session.state()["errors"]["escalation"]["message"]
    "'much' is not a whole number"
    """

    def __init__(
        self,
        mechanic: str | type[Mechanic],
        parameters: Mapping[str, object] | None = None,
        *,
        seed: Seed | None = None,
        lock: bool = False,
        label: str = "",
        characters: Iterable[Character] = (),
    ) -> None:
        self._language = current_language()
        self._rows: dict[int, LogRow] = {}
        self._pinned: set[int] = set()
        self._written = ""
        self._sent: object = None
        self._cached_view: tuple[Outcome | None, OutcomeView] | None = None
        super().__init__(mechanic, parameters, seed=seed, lock=lock, label=label, characters=characters)

    # Plain data

    @contextmanager
    def display(self) -> Iterator[None]:
        """Display everything in the language of the session, with the words of its game, in a ``with`` statement."""
        with display_in(self._language), game_words(self.mechanic):
            yield

    @property
    def view(self) -> OutcomeView:
        """The outcome as a page shows it, with its code and directives."""
        if self._cached_view is None or self._cached_view[0] is not self.outcome:
            # The label may have changed since the roll.
            entry = next((one for one in reversed(self.entries) if one.outcome is self.outcome), None)
            label, roll = (entry.label, entry.roll) if entry else (self.label, self.rolls)
            with self.display():
                self._cached_view = self.outcome, outcome_view(self.outcome, roll, label, self.seeds.used)
        return self._cached_view[1]

    def form(self) -> dict[str, Any]:
        """Return what never changes: :func:`dicedocs.panel.controls.form_data` and :func:`page_data`."""
        with self.display():
            return {**controls.form_data(self.mechanic), **page_data()}

    def state(self) -> dict[str, Any]:
        """Return all that changes, except the history.

        Returns:
            ``texts`` and ``parts`` of the inputs; ``errors`` by parameter, ``seed_error``, and ``error``, which is
            about none of them; ``outcome``, ``odds``, ``seed``, ``lock``, ``label``, ``rolls``; ``log``, what is saved
            of it; ``can``, the actions that are possible; ``selected``, the roll of the history that was chosen to be
            shown, or 0; ``failed``, why the roll that was just tried was not made, in a line; ``set``, what is set of
            what a page folds away; ``code``, ``directive`` and ``directive_rst``; ``words``, what is displayed for the
            states of dice that have another name in the language. ``comparison`` only if something is pinned, and
            ``characters`` only if there are some: for each slot its ``label``, the ``names``, each with what the
            character lacks, and the index of the one who is ``chosen``, or -1.
        """
        with self.display():
            return self._state()

    def _state(self) -> dict[str, Any]:
        view = self.view
        errors = {name: error_data(error) for name, error in self.inputs.errors.items()}
        rule_error = self.rule_error
        if rule_error is not None and rule_error.parameter in self.inputs.fields:
            errors.setdefault(rule_error.parameter, error_data(rule_error))
            rule_error = None
        elif errors:
            # It is about the last valid values, and may be gone once the inputs are valid.
            rule_error = None
        return {
            **self.inputs.state(),
            "errors": errors,
            "seed_error": error_data(self.seeds.error) if self.seeds.error else None,
            "error": error_data(rule_error) if rule_error else None,
            "outcome": view.outcome,
            "odds": self._odds_state(),
            "seed": self.seeds.text,
            "lock": self.lock,
            "label": self.label,
            "rolls": self.rolls,
            "log": saved_log(self.log()),
            "can": {
                "undo": self.timeline.can_undo,
                "redo": self.timeline.can_redo,
                "clear": bool(self.entries),
                "roll": self.error is None,
            },
            "selected": self.selected,
            "failed": self._failure(),
            "set": self._rarely_set(),
            "code": view.code,
            "directive": view.directive,
            "directive_rst": view.directive_rst,
            "words": state_words(view.outcome) if view.outcome else {},
            **self._comparison_state(),
            **({"characters": [self._slot_state(slot) for slot in self.character_slots]} if self.characters else {}),
        }

    def _failure(self) -> str:
        """Return why the last attempt to roll failed, in a line; empty once nothing prevents a roll any more."""
        error, fields = self.error, self.inputs.fields
        if error is None:
            self.attempted = False
        if error is None or not self.attempted:
            return ""
        text = error_data(error)["text"].partition("\n")[0]
        label = _("Seed") if error is self.seeds.error else ""
        if error.parameter in fields:
            label = word(fields[error.parameter].label)
        return _("{label}: {text}").format(label=label, text=text) if label else text

    def _rarely_set(self) -> list[str]:
        """Return what a page folds away and is not as usual, each with its label."""
        inputs, seed = self.inputs, self.seeds.chosen
        changed = [
            (word(field.label), "" if inputs.values[name] is True else inputs.texts[name])
            for name, field in inputs.fields.items()
            if field.advanced and not field.required and inputs.values[name] != field.default
        ]
        own = [(_("Label"), self.label), (_("Seed"), "" if seed is None else str(seed))]
        texts = [*changed, *((label, text) for label, text in own if text)]
        return [clean(f"{label} {text}").strip()[:_SET_LETTERS] for label, text in texts] + (
            [_("Lock seed")] if self.lock else []
        )

    def _odds_state(self) -> dict[str, Any] | None:
        state = self.live_odds.state(self.outcome, self.odds_show)
        # While an input is not valid, the odds are those of the last valid values.
        return state if state is None else {**state, "stale": self.live_odds.rule != self.rule}

    def _comparison_state(self) -> dict[str, Any]:
        state = self.comparison.state(self.live_odds, self.outcome, self.odds_show)
        return {} if state is None else {"comparison": state}

    def _slot_state(self, slot: str) -> dict[str, Any]:
        fields, values = self.inputs.fields, self.inputs.values
        played, names = self.character(slot), []
        given = [self.values_of(slot, one) for one in self.characters]
        filled = list(dict.fromkeys([*chain.from_iterable(given), *self.read.get(slot, ())]))
        for one, own in zip(self.characters, given, strict=True):
            lacking = [word(fields[name].label) for name in filled if name not in own]
            missing = missing_text(slot, own, values, lacking, self.mechanic)
            names.append(_("{name} ({missing})").format(name=one.name, missing=missing) if missing else one.name)
        chosen = -1 if played is None else self.characters.index(played)
        label = _("{field}: character").format(field=word(fields[slot].label)) if slot else _("Character")
        return {"slot": slot, "label": label, "names": names, "chosen": chosen}

    def odds_file(self, kind: str) -> dict[str, str]:
        """Return the odds that the chart shows, pinned ones included, as a file: its ``name`` and its ``text``.

        Parameters:
            kind: ``csv``, or ``picture`` for the chart as SVG.

        Raises:
            ParameterError: there are no odds, or they are not counted.
        """
        from dicedocs.panel.odds_file import odds_file

        series = self.comparison.charted(self.live_odds)
        if not series:
            raise ParameterError("the odds are not counted yet", hint="wait until the chart is shown")
        if len(series) == 1:
            series = {"": next(iter(series.values()))}
        with self.display():
            value = self.live_odds.value_of(self.outcome)
            marked = [] if value is MISSING else [value]
            bands = self.live_odds.bands if len(series) == 1 else ()
            return odds_file(series, kind, self.live_odds.fact, marked, bands=bands, show=self.odds_show)

    def log(self) -> list[dict[str, Any]]:
        """Return the pinned and the last rolls for a page: :func:`dicedocs.panel.log.page_log`."""
        return page_log(self.log_rows(), self._pinned)

    def log_rows(self) -> list[LogRow]:
        """Return the rolls of the history as rows of a log, oldest first."""
        with self.display():
            # A roll never changes, and a long history would be worked out again at every roll.
            self._rows = {entry.roll: self._rows.get(entry.roll) or log_row(entry) for entry in self.entries}
        return list(self._rows.values())

    def written_log(self, format: str) -> str:
        """Return the log as text to be copied: ``text``, ``csv`` or ``markdown``.

        Raises:
            ParameterError: there is no such format.
        """
        with self.display():
            return written_log(self.log_rows(), format)

    def reply(self, *, whole: bool = False) -> dict[str, Any]:
        """Return what the next answer to the page carries.

        Parameters:
            whole: whether the history goes with it even if it has not changed since the last reply.

        Returns:
            ``history``, as :meth:`log` returns it, if it has changed; ``log``, the log in a format, if
            it was asked for.
        """
        last = self.entries[-1].roll if self.entries else 0
        state = (len(self.entries), last, frozenset(self._pinned))
        reply: dict[str, Any] = {"history": self.log()} if whole or state != self._sent else {}
        if self._written:
            reply["log"] = self._written
        self._sent, self._written = state, ""
        return reply

    def pin_roll(self, roll: int) -> None:
        """Pin a roll, so that it stays at the top of the log, or unpin it.

        Parameters:
            roll: its number.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._pinned ^= {self.entry(roll).roll}

    # Messages

    def receive(self, data: object) -> None:
        """Handle a message of a page: set the inputs that it carries, then carry out its action.

        Parameters:
            data: the message, as :class:`~dicedocs.panel.messages.Message` describes it, or anything else.

        Raises:
            DiceError: the message is malformed, and nothing has changed; or the roll, the fact or the die of its
                action does not exist. An input that is not valid raises nothing; the state shows it.
            Exception: a rule raised something other than a :class:`~dicedocs.errors.DiceError`; the state shows it too.
        """
        message = read_message(data)
        actions = self.actions()
        if message.do not in actions:
            raise ParameterError(f"{quoted(message.do)} is not an action of a panel", hint=near(message.do, actions))
        for name in (*message.texts, *message.parts):
            if name not in self.inputs.fields:
                raise no_such_parameter(name, self.inputs.fields)
        if message.label is not None:
            self.label = message.label[: limits.VALUE_TEXT.maximum]
        if message.lock is not None:
            self.lock = message.lock
        self.time = message.time
        if message.seed is not None:
            self.seeds.type(message.seed)
        for name, text in message.texts.items():
            self.inputs.set_text(name, text)
        for name, parts in message.parts.items():
            self.change_parts(name, parts)
        if message.texts or message.parts:
            self.validate()
        actions[message.do](message)

    def actions(self) -> dict[str, Callable[[Message], None]]:
        """Return the actions that a page may ask for, by name."""
        return {
            "set": lambda _message: None,
            "history": lambda _message: None,
            "roll": lambda _message: self._roll_if_possible(),
            "undo": lambda _message: self.undo(),
            "redo": lambda _message: self.redo(),
            "clear": lambda _message: self.clear(),
            "recall": lambda message: self.recall(message.roll),
            "replay": self._replay,
            "next-seed": lambda _message: self.advance_seed(),
            "pin-roll": lambda message: self.pin_roll(message.roll),
            "log": lambda message: setattr(self, "_written", self.written_log(message.format)),
            "odds-of": lambda message: setattr(self, "odds_of", message.fact),
            "odds-show": lambda message: setattr(self, "odds_show", message.name),
            "pin": lambda _message: self.pin(),
            "unpin": lambda message: self.unpin(message.item),
            "csv": lambda _message: None,
            "picture": lambda _message: None,
            "character": self._choose_character,
        }

    def _choose_character(self, message: Message) -> None:
        if not 0 <= message.item < len(self.characters):
            raise ParameterError(f"there is no character {message.item}")
        self.choose_character(self.characters[message.item].name, message.name)

    def _replay(self, message: Message) -> None:
        self.replay(message.roll)

    def _roll_if_possible(self) -> None:
        with suppress(DiceError):  # the state shows it
            self.roll()
