"""A form being played on a page: its inputs, outcome, odds, history, code and directive.

All data in and out is plain: a notebook's panel and the worker behind a book's page are thin layers over the same
session. :meth:`FormSession.state` returns what a page shows; :meth:`FormSession.receive` takes a page's messages. What
can be undone is in the states of a :class:`~dicedocs.panel.store.Store`: one of its own, or that of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

from dicedocs.errors import DiceError, ParameterError, wrap_error
from dicedocs.panel.effects import Effect, effects_of
from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.changes import Changes
from dicedocs.panel.forms.characters import TARGET, Character, character_slots
from dicedocs.panel.forms.form_odds import FormOdds
from dicedocs.panel.forms.hand_dice import HandDice
from dicedocs.panel.forms.inputs import Inputs
from dicedocs.panel.forms.people import People
from dicedocs.panel.forms.question import Question
from dicedocs.panel.forms.seat import Seat
from dicedocs.panel.forms.seed_choice import SeedChoice
from dicedocs.panel.forms.slots import Slots
from dicedocs.panel.forms.travel import Travel
from dicedocs.panel.forms.typed import LABEL, typed
from dicedocs.panel.state import FormState, State
from dicedocs.panel.store import Store
from dicedocs.panel.turns import Turn, Turns, joined, turn_number
from dicedocs.panel.view.form_view import form_view
from dicedocs.panel.view.outcome_view import OutcomeView, asked_view, entry_view
from dicedocs.panel.view.roll_log import RollLog
from dicedocs.panel.wire import Message
from dicedocs.rules.example import fact_names
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import DiceSource, Seed, dice_from
from dicedocs.syntax.decisions import Undecided
from dicedocs.translation import game_words


class FormOptions(TypedDict, total=False):
    """What every session may be given.

    Parameters:
        seed: the seed of the first roll.
        dice: instead, the faces of real dice for the first roll.
        lock: whether each roll reuses the seed of the one before; otherwise each draws a new one.
        label: the label of the rolls.
        characters: the characters who may play it.
        then: what its rolls do to characters.
        best: what open choices are played for in its odds; empty if nobody has said it, and ``None`` where nobody can.
    """

    seed: Seed | None
    dice: DiceSource | None
    lock: bool
    label: str
    characters: Iterable[Character]
    best: str | None
    then: str


class FormSession(RollLog):
    """A form being played on a page, in the language that was current when the session was created.

    Parameters:
        played: the mechanics whose rolls the history can have, by id.
        inputs: its inputs.
        own: what a game, or a dice tray, has beside.
        options: as for :class:`FormOptions`.

    Attributes:
        seat: where it stands: in its own states, or in those of a table.
        people: who may play it, and who has which slot.
        changes: what its rolls do to characters.
        seeds: the seed of the roll that is shown, and the choice for the next one.
        hand_dice: the faces of dice that were thrown by hand, for the next roll.
        time: the time on the clock of the page, ``2026-11-22T21:04:07``; empty without a page.
        rolls: the number of the last roll made here, undone ones included.
        odds: the odds of what it rolls.
        travel: undo, redo, and the earlier rolls that are looked at.
        played_mechanics: the mechanics whose rolls the history can have, by id.

    Raises:
        DiceError: a character, the seed or the dice are invalid, or ``then`` names what does not exist.
    """

    unshown = frozenset({"what", "values"})

    def __init__(
        self,
        played: Mapping[str, type[Mechanic]],
        inputs: Inputs,
        own: Any = None,
        **options: Unpack[FormOptions],
    ) -> None:
        super().__init__()
        form = FormState(inputs, options.get("label", ""), own=own)
        self.played_mechanics = played
        facts = {name for each in played.values() for name in fact_names(each)}
        self.seat = Seat(Store(State((self.adjusted(form),))), 0, self.adjusted)
        self.changes = Changes(self.seat, facts, self._present_facts)
        self.people = People(self.seat, Slots(inputs.fields, character_slots(inputs.fields)), self.changes)
        self.seat.players = (self.people,)
        self.people.characters = options.get("characters", ())
        self.seat.store.observers.append(self._moved)
        self.lock = options.get("lock", False)
        self.rolls = 0
        self.time = ""
        self.seeds, self.hand_dice = SeedChoice(), HandDice()
        self.travel = Travel(self.seat, self.people, self.seeds, self.entry, self.restored)
        self._failure: DiceError | None = None
        self._judged: tuple[FormState | None, Mechanic | None, DiceError | None] = (None, None, None)
        self._cached_view: tuple[Entry | None, OutcomeView] | None = None
        self.odds = FormOdds(
            self.seat, self._counted_result, lambda: self.rule, lambda: self.error, options.get("best")
        )
        self.seeds.choose(options.get("seed"))
        self.hand_dice.choose(options.get("dice"))
        self.changes.then = options.get("then", "")

    # States

    @property
    def own_state(self) -> object:
        """What of the present state is its own: while that is the same, its page shows the same."""
        seat, state = self.seat, self.seat.store.state
        return seat.form, seat.offered, state.people, state.tracks, seat.rolls, seat.store.at_table, self.kept

    def adjusted(self, form: FormState) -> FormState:
        """Return the form, with what depends on its inputs."""
        return form

    def _edit(self, form: FormState, subject: object = None) -> None:
        """Make a step of a form that was filled in; where characters are live, of theirs too."""
        state = self.seat.store.state.with_form(self.seat.index, form)
        if self.people.live and form.inputs is not self.inputs:
            state = self.people.with_edits(state)
        self.seat.put(state, subject)

    def _moved(self, before: State) -> None:
        """Follow the store to another state."""
        old, form = before.forms[self.seat.index], self.seat.form
        if form.shown != old.shown:
            self.seeds.use(self.shown.seed if self.shown else None)
            if self.lock and not form.shown:
                self.seed = next((one.seed for one in before.rolls(self.seat.index) if one.roll == old.shown), None)
        if form.inputs is not old.inputs or form.chosen != old.chosen or form.own != old.own:
            self._failure = None
        if form is not old:
            self.odds.follow()

    def sit_down(self, sessions: Sequence[FormSession], index: int, store: Store) -> None:
        """Come to a table: play with others on the states of one store.

        Parameters:
            sessions: all who are there.
            index: which of them this one is.
            store: the states.
        """
        self.seat.store, self.seat.index = store, index
        self.seat.players = [one.people for one in sessions]
        store.observers.append(self._moved)

    # Inputs

    @property
    def inputs(self) -> Inputs:
        """The values of its parameters as they are typed."""
        return self.seat.form.inputs

    def set_values(self, values: Mapping[str, object]) -> None:
        """Set some values, each given as itself or as its text.

        Raises:
            DiceError: a value is not valid, or a field does not exist; nothing has changed then.
        """
        self._edit(self.seat.form._replace(inputs=self.inputs.with_values(values)), tuple(values))

    @property
    def label(self) -> str:
        """The label of the rolls; it may be set, which is a step."""
        return self.seat.form.label

    @label.setter
    def label(self, label: str) -> None:
        self.seat.put_form(self.seat.form._replace(label=label), LABEL)

    @property
    def mechanic(self) -> type[Mechanic]:
        """The mechanic that is played with the present values."""
        return next(iter(self.played_mechanics.values()))

    def rule_of(self, **values: Any) -> Mechanic:
        """Return the mechanic with some values of the inputs."""
        return self.mechanic(**values)

    def ready_rule(self, form: FormState) -> Mechanic | None:
        """Return what is played with a form; ``None`` if its inputs are not valid.

        Raises:
            Exception: the values do not go together.
        """
        rule = self.rule_of(**form.inputs.values)
        return None if form.inputs.errors else rule

    def _judge(self) -> tuple[FormState | None, Mechanic | None, DiceError | None]:
        if self._judged[0] is not self.seat.form:
            self._judged = self.seat.form, *self._judge_form(self.seat.form)
        return self._judged

    def _judge_form(self, form: FormState) -> tuple[Mechanic | None, DiceError | None]:
        try:
            return self.ready_rule(form), None
        except Exception as error:  # noqa: BLE001  # a third-party mechanic may raise anything, and the page shows it
            return None, wrap_error(error)

    @property
    def rule(self) -> Mechanic | None:
        """The mechanic with the current values; ``None`` if they are not valid."""
        return self._judge()[1]

    def _counted_result(self) -> type[Outcome] | None:
        """Return the kind of outcomes whose odds are counted; ``None`` for none."""
        return self.mechanic.result()

    @property
    def rule_error(self) -> DiceError | None:
        """Why the values are not valid together, or why the last roll failed."""
        return self._failure or self._judge()[2]

    @property
    def input_error(self) -> DiceError | None:
        """The first error of a single input, of the seed or of dice thrown by hand."""
        return next(iter(self.inputs.errors.values()), self.seeds.error or self.hand_dice.error)

    @property
    def error(self) -> DiceError | None:
        """The error that prevents a roll."""
        return self.input_error or self.rule_error

    # What a roll does to characters

    def _present_facts(self) -> Collection[str]:
        """Return the facts of what it plays now."""
        return self.changes.facts

    def effects(self, roll: int | None = None) -> list[Effect]:
        """Return what :meth:`apply` does to characters; the roll that is shown may do something now."""
        if roll:
            return super().effects(roll)
        chosen = self.shown if roll is None and self.travel.selected else None
        rolls = self.seat.rolls if chosen is None else [chosen]
        return effects_of(self.seat.players, self.seat.store.state, rolls, self.shown)

    # Rolling

    @property
    def seed(self) -> Seed | None:
        """The chosen seed of the next roll, if any, else the seed of the outcome; it may be set."""
        return self.seeds.shown

    @seed.setter
    def seed(self, seed: Seed | None) -> None:
        self.seeds.choose(seed)

    @property
    def shown(self) -> Entry | None:
        """The roll that is shown; ``None`` before the first."""
        number = self.seat.form.shown
        rolls = self.seat.rolls if number else []
        return next((one for one in reversed(rolls) if one.roll == number), None)

    @property
    def own_kind(self) -> Any:
        """The type of what it has beside its inputs."""
        return type(self.seat.form.own)

    def resume(self, entries: Iterable[Entry]) -> None:
        """Continue after rolls that were made before; the last one is shown, and a seed for the first one is dropped.

        Parameters:
            entries: the rolls, oldest first, numbered from 1.
        """
        for entry in entries:
            seat, state = self.seat, self.seat.store.state
            self.rolls = seat.store.number = entry.roll
            state = state._replace(log=(*state.log, entry._replace(form=seat.index)))
            seat.put(state.with_form(seat.index, seat.form._replace(shown=entry.roll)))

    def roll(self, dice: DiceSource | None = None) -> Outcome:
        """Play what the form is for.

        Parameters:
            dice: the faces of dice that were thrown by hand.

        Returns:
            The outcome, which is also the last of the history.

        Raises:
            DiceError: it cannot be played; the last outcome stays.
        """
        raise NotImplementedError

    @property
    def question(self) -> Question | None:
        """What the player is asked; ``None`` if nothing is open, or the form is another one now."""
        return self.seat.form.question

    def answer(self, way: object, dice: DiceSource | None = None) -> Outcome:
        """Choose at the choice to which the roll has come, which goes on with the same dice.

        Parameters:
            way: what is chosen, as itself or as its text.
            dice: the faces of all dice, if they were thrown by hand; by default those that were given last.

        Returns:
            The outcome.

        Raises:
            ParameterError: nothing is asked, or it cannot be chosen.
            DiceError: the roll has come to another choice, or it cannot be made.
        """
        asked = self.question
        if asked is None:
            raise ParameterError("nothing is asked", hint="roll first")
        with self.hand_dice.given(dice):
            return self.play_rule(asked.taking(way), asked=asked, **asked.how)

    def play_rule(
        self,
        rule: Mechanic,
        next_own: Callable[[Outcome], Any] | None = None,
        *,
        form: FormState | None = None,
        action: str = "",
        again: bool = False,
        groups: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        turns: Turns | None = None,
        asked: Question | None = None,
        subject: object = None,
    ) -> Outcome:
        """Play a rule with the dice thrown by hand or the next seed, and add the roll to the history.

        Parameters:
            rule: the mechanic with its parameters.
            next_own: returns what a game has after an outcome.
            form: the form with which it is played, by default the present one.
            action: what the roll was, for the log.
            again: whether its dice are those of an earlier roll, for the log.
            groups: the group for whom it is one of several rolls, by slot.
            turns: the order of turns that it joins.
            asked: what was asked, with the dice that it goes on with.
            subject: as for :class:`~dicedocs.panel.store.UndoStep`.

        Raises:
            Undecided: it has come to a choice; the state shows that.
        """
        faces, now, form = self.hand_dice.faces, self.seat.form, form or self.seat.form
        if asked is None:
            seed = None if faces else self.seeds.next(self.lock)
        else:
            seed, faces = asked.seed, () if asked.seed is not None else faces or asked.faces
        try:
            dice = dice_from(seed, faces or None)
            outcome = rule.play(dice)
            dice.finish()
            own = next_own(outcome) if next_own else now.own
        except Undecided as error:
            question = Question.of(rule, error, seed, faces)
            if question is None:
                self._failure = error
            else:
                self.travel.rest()
                how = {"next_own": next_own, "action": action, "again": again}
                self.seat.put_form(now.asking(question._replace(how=how)))
            raise
        except Exception as error:
            self._failure = wrap_error(error)
            raise
        self.travel.rest()
        self.rolls = self.seat.store.number = self.seat.store.number + 1
        first, slots = self.people.slots.own[0], self.people.slots_in_use(form)
        taken = slots.taken(form, self.people.characters)
        entry = Entry(
            self.rolls,
            form.label,
            seed,
            outcome,
            self.time,
            action,
            again,
            who=taken.get(first, ""),
            target="" if first == TARGET else taken.get(TARGET, ""),
            refers=slots.references(form, self.people.characters, rule),
            form=self.seat.index,
            **self.changes.known(outcome, taken)._asdict(),
        )
        now = now._replace(shown=entry.roll, own=own, groups={**now.groups, **groups}, asked=None)
        state = self.seat.store.state.with_form(self.seat.index, now)
        if turns is not None:
            state = state._replace(turns=joined(turns, Turn(entry.who, turn_number(entry), entry.roll)))
        self.hand_dice.choose(None)
        self.seat.put(state._replace(log=(*state.log, entry)), subject)
        return outcome

    def restored(self, rule: Any) -> Inputs:
        """Return the inputs with the parameters of a rule that was played, where it has them.

        How a player chooses stays as it is: what was chosen belongs to the dice of that roll.
        """
        inputs = self.inputs
        played = {name: getattr(rule, name, value) for name, value in inputs.values.items()}
        chosen = {name: inputs.values[name] for name in inputs.choices}
        return Inputs.of(inputs.fields, {**played, **chosen})

    def clear(self) -> None:
        """Clear the history, which can be undone; the outcome stays."""
        if self.entries:
            self.seat.put_form(self.seat.form._replace(cleared=self.entries[-1].roll))
            self.travel.selected = 0

    @property
    def entries(self) -> list[Entry]:
        """The rolls of the history, oldest first."""
        cleared = self.seat.form.cleared
        return [one for one in self.seat.rolls if one.roll > cleared]

    # Plain data

    @contextmanager
    def display(self) -> Iterator[None]:
        """Display everything in the language of the session, with the words of its game, in a ``with`` statement."""
        with super().display(), game_words(self.mechanic):
            yield

    @property
    def view(self) -> OutcomeView:
        """The outcome, or what the player is asked, as a page shows it, with its code and directives."""
        if (asked := self.question) is not None:
            with self.display():
                return asked_view(asked, self.rolls + 1, self.label)
        if self._cached_view is None or self._cached_view[0] is not self.shown:
            with self.display():
                self._cached_view = self.shown, entry_view(self.shown)
        return self._cached_view[1]

    def state(self) -> dict[str, Any]:
        """Return all that changes, except the history: :func:`~dicedocs.panel.view.form_view.form_view`."""
        if self.error is None:
            self.travel.attempted = False
        with self.display():
            return form_view(self)

    # Messages

    def receive(self, data: object) -> None:
        """Handle a message of a page, whose time is that of its rolls alone; see :meth:`RollLog.receive`."""
        try:
            super().receive(data)
        finally:
            self.time = ""

    def _accept(self, message: Message) -> None:
        self._edit(*typed(self.seat.form, message))
        if message.texts or message.parts:
            self._failure = None
        if message.lock is not None:
            self.lock = message.lock
        self.time = message.time
        if message.seed is not None:
            self.seeds.type(message.seed)
        if message.faces is not None:
            self.hand_dice.type(message.faces)
            self._failure = None

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        return super()._actions() | {
            "roll": lambda _message: self._roll_if_possible(),
            "answer": self._answer_message,
            "undo": lambda _message: self.travel.undo(),
            "redo": lambda _message: self.travel.redo(),
            "clear": lambda _message: self.clear(),
            "recall": lambda message: self.travel.recall(message.roll),
            "next-seed": lambda _message: self.seeds.advance(),
            "pin-roll": lambda message: self.pin_roll(message.roll),
            "character": lambda message: self.people.choose_character(self.people.name_at(message.item), message.name),
        }

    def _answer_message(self, message: Message) -> None:
        ways = () if self.question is None else self.question.ways
        if not 0 <= message.item < len(ways):
            raise ParameterError(f"nothing is asked that has a way {message.item}")
        with suppress(DiceError):  # the state shows it
            self.answer(ways[message.item])

    def _roll_if_possible(self) -> None:
        with suppress(DiceError):  # the state shows it
            self.roll()
