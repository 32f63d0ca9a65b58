"""A mechanic being played on a page: its inputs, outcome, odds, history, code and directive.

All data in and out is plain: a notebook's panel and the worker behind a book's page are thin layers over the same
session. :meth:`Session.state` returns what a page shows; :meth:`Session.receive` takes a page's messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, near, quoted, wrap_error
from dicedocs.panel import controls
from dicedocs.panel.characters import Character, character_slots, named_character, value_changes, with_values
from dicedocs.panel.comparison import Comparison
from dicedocs.panel.hand_dice import HandDice
from dicedocs.panel.history import Entry
from dicedocs.panel.inputs import FormInputs, error_data, initial_values
from dicedocs.panel.live_odds import COUNT_SECONDS, ODDS_SHOWS, LiveOdds
from dicedocs.panel.log import saved_log
from dicedocs.panel.messages import Message, read_message
from dicedocs.panel.outcome_view import OutcomeView, entry_view
from dicedocs.panel.panel_texts import page_data, state_words
from dicedocs.panel.roll_log import RollLog
from dicedocs.panel.seats import Seats
from dicedocs.panel.seed_choice import SeedChoice, next_seed
from dicedocs.panel.timeline import Change, Timeline
from dicedocs.render.words import clean
from dicedocs.rules.example import fact_names
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING, no_such_parameter
from dicedocs.rules.playing import DiceSource, Seed, dice_from
from dicedocs.rules.registry import mechanic as find_mechanic
from dicedocs.scenes.change import Changed, make_changes, net_changes
from dicedocs.translation import game_words, word
from dicedocs.translation import gettext as _

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.render.table import Show

_LABEL: Final = ("",)
"""The subject of a step that changes the label, which no field is called."""
_SET_LETTERS: Final = 40
"""The characters that are shown of each setting that is folded away."""


class Session(RollLog):
    """A mechanic being played on a page, in the language that was current when the session was created.

    Parameters:
        mechanic: the id of a mechanic, or its class.
        parameters: initial values, each as itself or as its text, beside the mechanic's example.
        seed: the seed of the first roll.
        lock: whether each roll reuses the seed of the one before; otherwise each draws a new one.
        label: the label of the rolls.
        characters: the characters who may play it.
        inputs: those of a game or a tray; by default those of the mechanic.
        odds: whether it has odds; a game has none, since its mechanic changes.

    Attributes:
        inputs: the values of its parameters as they are typed.
        outcome: the outcome of the last roll.
        seeds: the seed of the last roll, and the choice for the next one.
        hand_dice: the faces of dice that were thrown by hand, for the next roll.
        time: the time on the clock of the page, ``2026-11-22T21:04:07``; empty without a page.
        timeline: what was done, to be undone and redone.
        rule: the mechanic with the current values, or ``None`` if they are not valid.
        rule_error: why the values are not valid together, or why the last roll failed.
        live_odds: the odds of the fact ``odds_of``, counted bit by bit.
        comparison: the odds of other settings, which were pinned.
        rolls: the number of the last roll made, undone ones included.
        next_number: returns the number of the next roll.
        selected: the number of the roll of the history that was chosen to be shown; 0 for none.
        attempted: whether a roll was tried since the last one, and failed.
        seats: the characters, who of them has which slot of the form, and what a roll does to them.
        next_order: returns the order of turns that the next rolls of some characters belong to, by their names.
        seated: whether it is played at a table, where characters are live.
        played_mechanics: the mechanics whose rolls the history can have, by id.
        actions: what a page may ask for, by name.

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
    >>> session.undo()
    >>> session.inputs.texts["escalation"], session.outcome.total
    ('0', 11)
    >>> session.undo()
    >>> session.outcome, session.history
    (None, [])
    """

    unshown = frozenset({"what", "values"})

    def __init__(
        self,
        mechanic: str | type[Mechanic],
        parameters: Mapping[str, object] | None = None,
        *,
        seed: Seed | None = None,
        lock: bool = False,
        label: str = "",
        characters: Iterable[Character] = (),
        inputs: FormInputs | None = None,
        odds: bool = True,
    ) -> None:
        super().__init__()
        self._in_step = False
        self._cached_view: tuple[Entry | None, OutcomeView] | None = None
        if not (isinstance(mechanic, type) and issubclass(mechanic, Mechanic)):
            mechanic = find_mechanic(mechanic)
        self.mechanic = mechanic
        self.inputs = inputs or FormInputs(mechanic.parameters(), initial_values(mechanic, parameters or {}))
        self.played_mechanics: Mapping[str, type[Mechanic]] = {mechanic.id: mechanic}
        self.lock = lock
        self._label = label
        self.rolls = self.selected = 0
        self.next_number: Callable[[], int] = lambda: self.rolls + 1
        self.attempted = False
        self.time = ""
        self.timeline = Timeline()
        self.rule: Mechanic | None = None
        self.rule_error: DiceError | None = None
        self.seeds = SeedChoice()
        self.hand_dice = HandDice()
        self.live_odds = LiveOdds()
        self.comparison = Comparison()
        self.seats = Seats(characters, character_slots(self.inputs.fields))
        self.next_order: Callable[[Sequence[str]], int] = lambda _names: self.next_number()
        self._order = 0
        self.seated = False
        self._odds_show: Show = "exactly"
        self._odds_of = next(iter(mechanic.result().facts_of), "") if odds else ""
        self.actions = self._actions()
        self.seed = seed
        self.validate()

    # Inputs

    def set_values(self, values: Mapping[str, object]) -> None:
        """Set some values, each given as itself or as its text.

        Raises:
            DiceError: a value is not valid, or a field does not exist; nothing has changed then.
        """
        with self.step(tuple(values)), self._editing_characters():
            self.inputs.set_values(values)
            self.validate()

    def validate(self) -> None:
        """Check whether the values are valid together: set ``rule`` or ``rule_error``."""
        self.rule = self.rule_error = None
        try:
            rule = self.make_rule()
        except Exception as error:  # noqa: BLE001  # a third-party mechanic may raise anything, and the page shows it
            self.rule_error = wrap_error(error)
        else:
            self.rule = None if self.inputs.errors else rule
        if self.rule is not None and self._odds_of and not self.live_odds.of(self.rule, self._odds_of):
            self.live_odds = LiveOdds(self.rule, self._odds_of)

    def make_rule(self) -> Mechanic:
        """Return the mechanic with the current values."""
        return self.rule_of(**self.inputs.values)

    def rule_of(self, **values: Any) -> Mechanic:
        """Return the mechanic with some values of the inputs."""
        return self.mechanic(**values)

    @property
    def label(self) -> str:
        """The label of the rolls; it may be set, which is a step."""
        return self._label

    @label.setter
    def label(self, label: str) -> None:
        with self.step(_LABEL):
            self._label = label

    @property
    def input_error(self) -> DiceError | None:
        """The first error of a single input, of the seed or of dice thrown by hand."""
        return next(iter(self.inputs.errors.values()), self.seeds.error or self.hand_dice.error)

    @property
    def error(self) -> DiceError | None:
        """The error that prevents a roll."""
        return self.input_error or self.rule_error

    # Characters

    @property
    def played_name(self) -> str:
        """The name of the character of the first slot; empty if it is nobody's."""
        return self.seats.first(self.inputs)

    def choose_character(self, name: str, slot: str | None = None) -> None:
        """Fill in the values of a character.

        Parameters:
            name: the name of the character.
            slot: one of ``seats.slots``; by default the first.

        Raises:
            ParameterError: there is no such character or slot, or the character has no value for it.
            DiceError: a value is not valid.
        """
        slot = self.seats.slots[0] if slot is None else slot
        self.seats.check_choice(self.inputs, slot, name)
        with self.step():
            self._fill_in(slot, name)

    def _fill_in(self, slot: str, name: str) -> None:
        self.seats.fill_in(self.inputs, slot, name)
        self.validate()

    @contextmanager
    def _editing_characters(self) -> Iterator[None]:
        """Take changes of the fields of a slot for changes of its character, if it is live, in a ``with`` statement."""
        seats = self._live_seats()
        yield
        if self.seats.take_edits(self.inputs, seats):
            self.validate()

    def _live_seats(self) -> dict[str, str]:
        return self.seats.taken(self.inputs) if self.seats.live else {}

    def follow(self, character: Character) -> None:
        """Take over the values of a character that were changed elsewhere, in the form too."""
        if self.seats.follow(self.inputs, character):
            self.validate()

    def effects(self) -> list[Changed]:
        """Return what Apply does to characters: the effects of all rolls that wait for it.

        If a roll of the history was chosen to be shown, it is the effect of that roll alone.

        Raises:
            DiceError: ``then`` does not fit the outcome or the characters.
        """
        return net_changes(one for entry in self._settled() for one in entry.made)

    def _settled(self) -> list[Entry]:
        """Return the rolls that Apply settles, oldest first, as they are after it."""
        if not self.seats.changing:
            return []
        shown = self._shown_entry()
        chosen = shown if self.selected else None
        state, settled = self.seats.values, list[Entry]()
        for entry in [chosen] if chosen else self.timeline.rolls:
            if entry.effect or entry.struck or not (entry.pending or entry is shown):
                continue
            try:
                then = entry.then or self._then_of(entry.outcome)
                made = make_changes(then, state, entry.outcome)
            except DiceError:
                if entry is shown:
                    raise
                continue  # what it changes was removed since
            state |= {one.name: one.after for one in made}
            if entry.pending or net_changes(made):
                effect = self.seats.effect_text(net_changes(made))
                settled.append(entry._replace(then=then, pending=False, made=tuple(made), effect=effect))
        return settled

    def _shown_entry(self) -> Entry | None:
        return next((one for one in reversed(self.timeline.rolls) if one.outcome is self.outcome), None)

    def _then_of(self, outcome: Outcome) -> str:
        facts = {name for each in self.played_mechanics.values() for name in fact_names(each)}
        return self.seats.then_of(self.inputs, outcome, facts)

    def apply(self) -> None:
        """Change characters as :meth:`effects` says, which can be undone in one step.

        Raises:
            DiceError: ``then`` does not fit the outcome or the characters.
        """
        after = self._settled()
        found = net_changes(one for entry in after for one in entry.made)
        if not found:
            return
        rolls = {entry.roll for entry in after}
        before = [entry for entry in self.timeline.rolls if entry.roll in rolls]
        back = [one.reverse for one in found]
        self._change_people(found, after)
        self.timeline.add(Change(lambda: self._change_people(back, before), lambda: self._change_people(found, after)))

    def _change_people(self, changes: Iterable[Changed], entries: Iterable[Entry]) -> None:
        if self.seats.change(self.inputs, changes):
            self.validate()
        for entry in entries:
            self.timeline.replace(entry)

    def _then_state(self) -> dict[str, Any]:
        if not self.seats.changing:
            return {}
        try:
            found = self.effects()
        except DiceError as error:
            return {"then": {"text": str(error), "can": False}}
        shown = self._shown_entry()
        done = shown.effect if shown else ""
        return {"then": {"text": self.seats.effect_text(found) or done, "can": bool(found)}}

    # Seeds

    @property
    def seed(self) -> Seed | None:
        """The chosen seed of the next roll, if any, else the seed of the outcome; it may be set."""
        return self.seeds.shown

    @seed.setter
    def seed(self, seed: Seed | None) -> None:
        self.seeds.choose(seed)

    def advance_seed(self) -> None:
        """Choose the next seed: 7 after 6, ``theron 2`` after ``theron``."""
        self.seed = next_seed(self.seed)

    # Rolling

    def resume(self, entries: Iterable[Entry]) -> None:
        """Continue after rolls that were made before; the last one is shown, and a seed for the first one is dropped.

        Parameters:
            entries: the rolls, oldest first, numbered from 1.
        """
        for entry in entries:
            self.timeline.add(entry)
            self.rolls, self.outcome = entry.roll, entry.outcome
            self.seeds.use(entry.seed)

    def roll(self, dice: DiceSource | None = None) -> Outcome:
        """Play the mechanic with the current values.

        Parameters:
            dice: the faces of dice that were thrown by hand.

        Returns:
            The outcome, which is also the last of the history.

        Raises:
            DiceError: it cannot be played; the last outcome stays.
        """
        with self.hand_dice.given(dice):
            return self.play_rule(self._ready_rule())

    def roll_each(self, names: Sequence[str], *, order: bool = False) -> list[Outcome]:
        """Play the mechanic for each of several characters; then the fields are as before.

        Parameters:
            names: the names of the characters, who take the first slot in turn.
            order: whether the rolls decide the order of turns at a table.

        Returns:
            The outcomes.

        Raises:
            DiceError: a character does not exist, or cannot play it; the rolls before stay.
        """
        if self.hand_dice.text:
            raise DiceError("dice that were rolled by hand are those of one roll", hint="roll for one character")
        self._order = self.next_order(names) if order else 0
        inputs, chosen, outcomes = self.inputs.copy(), dict(self.seats.chosen), []
        try:
            for name in names:
                self._fill_in(self.seats.slots[0], name)
                outcomes.append(self.play_rule(self._ready_rule()))
        finally:
            self._order = 0
            if self.error is None:
                self.inputs, self.seats.chosen = inputs, chosen
                self.validate()
        return outcomes

    def _ready_rule(self) -> Mechanic:
        if self.rule_error is not None:
            # A roll that failed because of its dice may succeed with others.
            self.validate()
        self.attempted, self.selected = True, 0
        if self.error is not None:
            raise self.error
        if self.rule is None:
            raise RuntimeError("there is no rule to play")
        return self.rule

    def play_rule(
        self, rule: Mechanic, change: Change | None = None, action: str = "", *, again: bool = False
    ) -> Outcome:
        """Play a rule with the dice thrown by hand or the next seed, and add the roll to the history.

        Parameters:
            rule: the mechanic with its parameters.
            change: how what it changes beside the history is undone and done again.
            action: what the roll was, for the log.
            again: whether its dice are those of an earlier roll, for the log.
        """
        faces = self.hand_dice.faces
        seed = None if faces else self.seeds.next(self.lock)
        try:
            dice = dice_from(seed, faces or None)
            outcome = rule.play(dice)
            dice.finish()
        except Exception as error:
            self.rule_error = wrap_error(error)
            raise
        self.rule_error, self.attempted, self.selected = None, False, 0
        self.rolls = self.next_number()
        self.outcome = outcome
        self.seeds.use(seed)
        self.hand_dice.choose(None)
        then, pending = self._does(outcome)
        self.timeline.add(
            Entry(
                self.rolls,
                self.label,
                seed,
                outcome,
                change,
                self.time,
                action,
                again,
                who=self.played_name,
                order=self._order,
                refers=self.seats.references(self.inputs, rule),
                then=then,
                pending=pending,
            )
        )
        return outcome

    def _does(self, outcome: Outcome) -> tuple[str, bool]:
        """Return what an outcome does to characters, if that is known yet, and whether it changes them now."""
        if not self.seats.changing:
            return "", False
        try:
            then = self._then_of(outcome)
            return then, bool(net_changes(make_changes(then, self.seats.values, outcome)))
        except DiceError:  # the state shows it
            return "", False

    def undo(self) -> None:
        """Undo what was done last: a change of the inputs, or a roll, whose place the one before it takes again."""
        undone = self.timeline.back()
        if undone is None:
            return
        self.attempted, self.selected = False, 0
        if isinstance(undone, Change):
            undone.back()
            return
        last = self.timeline.last_roll
        if last is None:
            self.outcome = None
            self.seeds.use(None)
            self.seed = undone.seed if self.lock else None
        else:
            self._show_roll(last)
        if undone.change is not None:
            undone.change.back()

    def redo(self) -> None:
        """Do again what was undone last."""
        redone = self.timeline.forward()
        if redone is None:
            return
        self.attempted, self.selected = False, 0
        if isinstance(redone, Change):
            redone.forward()
            return
        self._show_roll(redone)
        if redone.change is not None:
            redone.change.forward()

    @contextmanager
    def step(self, subject: object = None) -> Iterator[None]:
        """Make one step, to be undone at once, of all changes of the inputs within a ``with`` statement.

        Parameters:
            subject: what is changed; steps of the same subject in a row are one, such as the keys of a number.
        """
        if self._in_step:
            yield
            return
        before, inputs, label, outcome = self.remember(), self.inputs.copy(), self.label, self.outcome
        characters = self.seats.characters
        self._in_step = True
        try:
            yield
        finally:
            self._in_step = False
            start, end = (inputs, label, outcome), (self.inputs.copy(), self.label, self.outcome)
            if start != end:
                # In the order of the timeline: the values of a character, then who has which slot.
                back = self._both(_edits(self.seats.characters, characters), before)
                forward = self._both(_edits(characters, self.seats.characters), self.remember())
                self.timeline.add(Change(back, forward, subject=subject, start=start, end=end))

    def remember(self) -> Callable[[], None]:
        """Return a function that brings back the inputs, the label and the outcome that is shown.

        Whoever had a slot has it again, with the values of then that the character still has.
        """
        inputs, label, outcome, seed = self.inputs.copy(), self.label, self.outcome, self.seeds.used
        seats = self.seats.taken(self.inputs)

        def back() -> None:
            self.inputs, self._label = inputs.copy(), label
            if self.outcome is not outcome:
                self.outcome = outcome
                self.seeds.use(seed)
            self.validate()
            known = {one.name for one in self.seats.characters}
            for slot, name in seats.items():
                if self.seats.live and name in known and self.seats.taken(self.inputs).get(slot) != name:
                    self._fill_in(slot, name)

        return back

    def _both(self, edits: Mapping[str, Mapping[str, str | None]], restore: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            for name, changes in edits.items():
                self.follow(with_values(named_character(self.seats.characters, name), changes))
            restore()

        return run if edits else restore

    def _show_roll(self, entry: Entry) -> None:
        self.outcome = entry.outcome
        self.seeds.use(entry.seed)

    def restore(self, entry: Entry) -> None:
        """Set the values to the parameters of a roll, where its mechanic has them."""
        rule = entry.outcome.rule
        self.restore_values({name: getattr(rule, name, value) for name, value in self.inputs.values.items()})

    def restore_values(self, values: Mapping[str, object]) -> None:
        """Set all values to those of another time."""
        self.inputs = FormInputs(self.inputs.fields, values)
        self.validate()

    def clear(self) -> None:
        """Clear the history, which can be undone; the outcome stays."""
        if self.entries:
            self.timeline.add(Change(clears=True))
            self.selected = 0

    def recall(self, roll: int) -> None:
        """Show a roll of the history, with its parameters and its label; the next roll has dice of its own.

        Parameters:
            roll: the number of the roll.

        Raises:
            ParameterError: the roll does not exist.
        """
        entry = self.entry(roll)
        seats = self._live_seats()
        if self.seats.live and any(one.name == entry.who for one in self.seats.characters):
            seats[self.seats.slots[0]] = entry.who
        with self.step():
            self._show_roll(entry)
            self.label = entry.label
            self.restore(entry)
            for slot, name in seats.items():
                # A live character does not go back to what it was then.
                self._fill_in(slot, name)
        self.attempted, self.selected = False, roll

    def replay(self, roll: int) -> Outcome:
        """Roll the dice of a roll again, with its parameters and its label; the log says so.

        Parameters:
            roll: the number of the roll.

        Raises:
            ParameterError: the roll does not exist.
        """
        self.recall(roll)
        entry = self.entry(roll)
        self.seed = entry.seed
        with self.hand_dice.given(entry.outcome.dice if entry.seed is None else None):
            return self.play_rule(self._ready_rule(), again=True)

    @property
    def entries(self) -> list[Entry]:
        """The rolls of the history, oldest first."""
        return self.timeline.entries

    # Odds

    @property
    def odds_of(self) -> str:
        """The fact whose odds are counted; it may be set."""
        return self._odds_of

    @odds_of.setter
    def odds_of(self, fact: str) -> None:
        known = self.mechanic.result().facts_of
        if fact not in known:
            raise ParameterError(f"there is no fact {quoted(fact)}", hint=near(str(fact), known))
        self._odds_of = fact
        self.comparison.choose_fact(fact)
        self.validate()

    @property
    def odds_show(self) -> Show:
        """What a bar of the chart is, one of ``ODDS_SHOWS``; it may be set."""
        return self._odds_show

    @odds_show.setter
    def odds_show(self, show: str) -> None:
        known = next((each for each in ODDS_SHOWS if each == show), None)
        if known is None:
            raise ParameterError(f"a chart cannot show {quoted(show)}", hint=near(show, ODDS_SHOWS))
        self._odds_show = known

    @property
    def counting(self) -> bool:
        """Whether odds are left to count."""
        return self.live_odds.counting or self.comparison.counting

    def count(self, seconds: float = COUNT_SECONDS) -> bool:
        """Count odds for so many seconds, and return whether all are counted."""
        return self.live_odds.count(seconds) and self.comparison.count(seconds)

    def pin(self) -> None:
        """Keep the odds of the present values, to be compared with others; this can be undone.

        Raises:
            ParameterError: there are none, or as many are pinned as there may be.
        """
        if self.error is not None:
            raise self.error
        before = self.comparison.pins
        self.comparison.pin(self.live_odds)
        self._add_pin_change(before)

    def unpin(self, index: int | None = None) -> None:
        """Remove pinned odds, which can be undone.

        Parameters:
            index: the index among those pinned, from 0; by default all are removed.

        Raises:
            ParameterError: nothing is pinned there.
        """
        before = self.comparison.pins
        if index is None:
            self.comparison.clear()
        else:
            self.comparison.unpin(index)
        self._add_pin_change(before)

    def _add_pin_change(self, before: Sequence[LiveOdds]) -> None:
        after = self.comparison.pins
        if len(after) != len(before):
            self.timeline.add(Change(lambda: self._restore_pins(before), lambda: self._restore_pins(after)))

    def _restore_pins(self, pins: Sequence[LiveOdds]) -> None:
        self.comparison.restore(pins, self._odds_of)

    def compared_odds(self) -> dict[str, Distribution]:
        """Return the odds that were pinned and the present ones, by their labels, counted to the end.

        Raises:
            DiceError: a mechanic cannot be played, or a limit was exceeded.
        """
        return self.comparison.exactly(self.live_odds)

    def odds(self) -> Distribution:
        """Return the odds of the fact ``odds_of``, counted to the end.

        Raises:
            DiceError: the mechanic cannot be played, or a limit was exceeded.
        """
        if self.error is not None:
            raise self.error
        if not self._odds_of:
            raise ParameterError("this panel has no odds", hint="count those of a mechanic: dd.odds(...)")
        return self.live_odds.exactly()

    # Plain data

    @contextmanager
    def display(self) -> Iterator[None]:
        """Display everything in the language of the session, with the words of its game, in a ``with`` statement."""
        with super().display(), game_words(self.mechanic):
            yield

    @property
    def view(self) -> OutcomeView:
        """The outcome as a page shows it, with its code and directives."""
        shown = self._shown_entry()
        if shown is None and self.outcome is not None:
            shown = Entry(self.rolls, self.label, self.seeds.used, self.outcome)
        if self._cached_view is None or self._cached_view[0] != shown:
            with self.display():
                self._cached_view = shown, entry_view(shown)
        return self._cached_view[1]

    def form(self) -> dict[str, Any]:
        """Return what never changes: :func:`dicedocs.panel.controls.form_data` and :func:`page_data`."""
        with self.display():
            return {**controls.form_data(self.mechanic), **page_data()}

    def state(self) -> dict[str, Any]:
        """Return all that changes, except the history.

        Returns:
            ``texts`` and ``parts`` of the inputs; ``errors`` by parameter, ``seed_error``, ``faces_error``, and
            ``error``, which is about none of them; ``faces``, those that were thrown by hand; ``outcome``, ``odds``,
            ``seed``, ``lock``, ``label``, ``rolls``; ``log``, what is saved of it; ``can``, the actions that are
            possible; ``selected``, the roll of the history that was chosen to be shown, or 0; ``failed``, why the roll
            that was just tried was not made, in a line; ``set``, what is set of what a page folds away; ``code``,
            ``directive`` and ``directive_rst``; ``words``, what is displayed for the states of dice that have another
            name in the language. ``comparison`` only if something is pinned, and ``characters`` only if there are some:
            for each slot its ``label``, the ``names``, each with what the character lacks, and the index of the one who
            is ``chosen``, or -1. ``then`` only if a roll does something to characters: the ``text`` of that, and
            whether it ``can`` be applied; ``seated`` only at a table.
        """
        with self.display():
            return self._state()

    def _state(self) -> dict[str, Any]:
        view, characters = self.view, self.seats.state(self.inputs, self.rule_of)
        errors = {name: error_data(error) for name, error in self.inputs.errors.items()}
        rule_error, faces_error = self.rule_error, self.hand_dice.error
        if rule_error is not None and rule_error.parameter in self.inputs.fields:
            errors.setdefault(rule_error.parameter, error_data(rule_error))
            rule_error = None
        elif rule_error is not None and rule_error.parameter == "dice" and self.hand_dice.text:
            rule_error, faces_error = None, rule_error
        elif errors:
            # It is about the last valid values, and may be gone once the inputs are valid.
            rule_error = None
        return {
            **self.inputs.state(),
            "errors": errors,
            "seed_error": error_data(self.seeds.error) if self.seeds.error else None,
            "faces": self.hand_dice.text,
            "faces_error": error_data(faces_error) if faces_error else None,
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
            **self._then_state(),
            **({"seated": True} if self.seated else {}),
            **({"characters": characters} if characters else {}),
        }

    def _failure(self) -> str:
        """Return why the last attempt to roll failed, in a line; empty once nothing prevents a roll any more."""
        error, fields = self.error, self.inputs.fields
        if error is None:
            self.attempted = False
        if error is None or not self.attempted:
            return ""
        text = error_data(error)["text"].partition("\n")[0]
        label = _("Seed") if error is self.seeds.error else _("Rolled by hand") if error.parameter == "dice" else ""
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
        if state is None:
            return None
        return {**state, "choices": list(self.mechanic.result().facts_of), "stale": self.live_odds.rule != self.rule}

    def _comparison_state(self) -> dict[str, Any]:
        state = self.comparison.state(self.live_odds, self.outcome, self.odds_show)
        return {} if state is None else {"comparison": state}

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
        if message.do not in self.actions:
            hint = near(message.do, self.actions)
            raise ParameterError(f"{quoted(message.do)} is not an action of a panel", hint=hint)
        for name in (*message.texts, *message.parts):
            if name not in self.inputs.fields:
                raise no_such_parameter(name, self.inputs.fields)
        with self.step(self._subject(message)), self._editing_characters():
            self._change_inputs(message)
        if message.lock is not None:
            self.lock = message.lock
        self.time = message.time
        if message.seed is not None:
            self.seeds.type(message.seed)
        if message.faces is not None:
            self.hand_dice.type(message.faces)
            self.validate()
        self.actions[message.do](message)

    def _subject(self, message: Message) -> object:
        """Return what a message changes; ``None`` if it adds or removes rows or dice, each of which is a step."""
        before = self.inputs.state()["parts"]
        if any(len(parts) != len(before.get(name, ())) for name, parts in message.parts.items()):
            return None
        return (*message.texts, *message.parts, *([] if message.label is None else _LABEL))

    def _change_inputs(self, message: Message) -> None:
        if message.label is not None:
            self.label = message.label[: limits.VALUE_TEXT.maximum]
        for name, text in message.texts.items():
            self.inputs.set_text(name, text)
        for name, parts in message.parts.items():
            self.inputs.set_parts(name, parts)
        if message.texts or message.parts:
            self.validate()

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        return {
            "set": lambda _message: None,
            "roll-each": self._roll_each,
            "history": lambda _message: None,
            "roll": lambda _message: self._roll_if_possible(),
            "apply": lambda _message: self.apply(),
            "undo": lambda _message: self.undo(),
            "redo": lambda _message: self.redo(),
            "clear": lambda _message: self.clear(),
            "recall": lambda message: self.recall(message.roll),
            "replay": self._replay,
            "next-seed": lambda _message: self.advance_seed(),
            "pin-roll": lambda message: self.pin_roll(message.roll),
            "log": lambda message: self.ask_log(message.format),
            "odds-of": lambda message: setattr(self, "odds_of", message.fact),
            "odds-show": lambda message: setattr(self, "odds_show", message.name),
            "pin": lambda _message: self.pin(),
            "unpin": lambda message: self.unpin(message.item),
            "csv": lambda _message: None,
            "picture": lambda _message: None,
            "character": self._choose_character,
        }

    def _choose_character(self, message: Message) -> None:
        self.choose_character(self.seats.name_at(message.item), message.name)

    def _roll_each(self, message: Message) -> None:
        self.roll_each([self.seats.name_at(item) for item in message.items], order=message.name == "order")

    def _replay(self, message: Message) -> None:
        self.replay(message.roll)

    def _roll_if_possible(self) -> None:
        with suppress(DiceError):  # the state shows it
            self.roll()


def _edits(before: Iterable[Character], after: Iterable[Character]) -> dict[str, dict[str, str | None]]:
    """Return what makes some characters of others, by name; without those that are the same."""
    now = {one.name: one for one in after}
    pairs = ((one, now.get(one.name, one)) for one in before)
    return {one.name: value_changes(one, other) for one, other in pairs if one is not other}
