"""A mechanic that is rolled again and again: its inputs, its seeds, what was done, and its odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from dicedocs.errors import DiceError, ParameterError, near, quoted, wrap_error
from dicedocs.panel.characters import (
    Character,
    character_slots,
    check_characters,
    named_character,
    values_of,
)
from dicedocs.panel.comparison import Comparison
from dicedocs.panel.controls import Parts
from dicedocs.panel.history import Entry, History
from dicedocs.panel.inputs import FormInputs, initial_values
from dicedocs.panel.live_odds import LiveOdds
from dicedocs.panel.seeds import SeedChoice, next_seed
from dicedocs.panel.timeline import Change, Timeline
from dicedocs.rules.dice import SeededDice
from dicedocs.rules.kinds import Places
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed
from dicedocs.rules.registry import mechanic as find_mechanic

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.render.table import Show

ODDS_SHOWS: Final[tuple[Show, ...]] = ("exactly", "at least", "at most")
"""What a bar of a chart may be: the probability of its value, or of this and all higher or lower ones."""


class RolledMechanic:
    """A mechanic that is rolled again and again.

    A subclass that plays something else overrides ``initial_inputs``, ``default_fact``, ``make_rule`` and ``restore``.

    Parameters:
        mechanic: the id of a mechanic, or its class.
        parameters: initial values, each as itself or as its text, beside the mechanic's example.
        seed: the seed of the first roll.
        lock: whether each roll reuses the seed of the one before; otherwise each draws a new one.
        label: the label of the rolls.
        characters: the characters who may play it.

    Attributes:
        inputs: the values of its parameters as they are typed.
        outcome: the outcome of the last roll.
        seeds: the seed of the last roll, and the choice for the next one.
        time: the time on the clock of the page, ``2026-11-22T21:04:07``; empty without a page.
        timeline: what was done, to be undone and redone.
        rule: the mechanic with the current values, or ``None`` if they are not valid.
        rule_error: why the values are not valid together, or why the last roll failed.
        live_odds: the odds of the fact ``odds_of``, counted bit by bit.
        comparison: the odds of other settings, which were pinned.
        rolls: the number of rolls made, undone ones included.
        selected: the number of the roll of the history that was chosen to be shown; 0 for none.
        attempted: whether a roll was tried since the last one, and failed.
        read: for each slot of a character, the resources that further fields take, by field.

    Raises:
        DiceError: the mechanic does not exist, or a value is not valid.

    >>> rolled = RolledMechanic("total-effect/roll", {"effect": "low"}, seed=61)
    >>> rolled.roll().facts("dice", "total")
    'dice=4 2 5, total=11'
    >>> rolled.undo()
    >>> rolled.outcome, rolled.history
    (None, [])
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
        if not (isinstance(mechanic, type) and issubclass(mechanic, Mechanic)):
            mechanic = find_mechanic(mechanic)
        self.mechanic = mechanic
        self.inputs = self.initial_inputs(parameters or {})
        self.lock = lock
        self.label = label
        self.rolls = self.selected = 0
        self.attempted = False
        self.time = ""
        self.outcome: Outcome | None = None
        self.timeline = Timeline()
        self.rule: Mechanic | None = None
        self.rule_error: DiceError | None = None
        self.seeds = SeedChoice()
        self.live_odds = LiveOdds()
        self.comparison = Comparison()
        self.characters = check_characters(characters)
        self.read: Mapping[str, Mapping[str, str]] = {}
        self._last_chosen: dict[str, str] = {}
        self._odds_show: Show = "exactly"
        self._odds_of = self.default_fact()
        self.seed = seed
        self.validate()

    # Inputs

    def initial_inputs(self, parameters: Mapping[str, object]) -> FormInputs:
        """Return the inputs with their initial values."""
        return FormInputs(self.mechanic.parameters(), initial_values(self.mechanic, parameters))

    def default_fact(self) -> str:
        """Return the fact whose odds are counted first; empty for no odds."""
        return next(iter(self.mechanic.result().facts_of), "")

    def set_values(self, values: Mapping[str, object]) -> None:
        """Set some values, each given as itself or as its text.

        Raises:
            DiceError: a value is not valid, or a field does not exist; nothing has changed then.
        """
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
        return self.mechanic(**self.inputs.values)

    @property
    def input_error(self) -> DiceError | None:
        """The first error of a single input or of the seed."""
        return next(iter(self.inputs.errors.values()), self.seeds.error)

    @property
    def error(self) -> DiceError | None:
        """The error that prevents a roll."""
        return self.input_error or self.rule_error

    # Characters

    @property
    def character_slots(self) -> tuple[str, ...]:
        """The fields that a character can fill in; an empty name stands for all."""
        return character_slots(self.inputs.fields)

    def character(self, slot: str) -> Character | None:
        """Return the character whose values the fields of a slot have: of several who have them the last one chosen."""
        last = self._last_chosen.get(slot)
        for one in sorted(self.characters, key=lambda one: one.name != last):
            own = self.values_of(slot, one)
            if own and all(self.inputs.values[name] == value for name, value in own.items()):
                return one
        return None

    def values_of(self, slot: str, character: Character) -> dict[str, Any]:
        """Return the values that a character gives to the fields of a slot."""
        return values_of(self.inputs.fields, slot, character, self.read.get(slot, {}))

    @property
    def played_name(self) -> str:
        """The name of the character of the first slot; empty if it is nobody's."""
        played = self.character(self.character_slots[0]) if self.characters else None
        return "" if played is None else played.name

    def choose_character(self, name: str, slot: str | None = None) -> None:
        """Fill in the values of a character.

        Parameters:
            name: the name of the character.
            slot: one of ``character_slots``; by default the first.

        Raises:
            ParameterError: there is no such character or slot, or the character has no value for it.
            DiceError: a value is not valid.
        """
        slots = self.character_slots
        slot = slots[0] if slot is None else slot
        if slot not in slots:
            raise ParameterError(f"a character cannot fill in {quoted(slot)}", hint=near(slot, slots))
        values = self.values_of(slot, named_character(self.characters, name))
        if not values:
            hint = near("", [field.label for field in self.inputs.fields.values()])
            raise ParameterError(f"{quoted(name)} has no value for any field", hint=hint, parameter="character")
        self.set_values(values)
        self._last_chosen[slot] = name

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

    @property
    def played_mechanics(self) -> Mapping[str, type[Mechanic]]:
        """The mechanics whose rolls the history can have, by id."""
        return {self.mechanic.id: self.mechanic}

    def resume(self, entries: Iterable[Entry]) -> None:
        """Continue after rolls that were made before; the last one is shown, and a seed for the first one is dropped.

        Parameters:
            entries: the rolls, oldest first, numbered from 1.
        """
        for entry in entries:
            self.timeline.add(entry)
            self.rolls, self.outcome = entry.roll, entry.outcome
            self.seeds.use(entry.seed)

    def roll(self) -> Outcome:
        """Play the mechanic with the current values.

        Returns:
            The outcome, which is also the last of the history.

        Raises:
            DiceError: it cannot be played; the last outcome stays.
        """
        return self.play_rule(self._ready_rule())

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
        """Play a rule with the next seed, and add the roll to the history.

        Parameters:
            rule: the mechanic with its parameters.
            change: how what it changes beside the history is undone and done again.
            action: what the roll was, for the log.
            again: whether its dice are those of an earlier roll, for the log.
        """
        seed = self.seeds.next(self.lock)
        try:
            outcome = rule.play(SeededDice(seed))
        except Exception as error:
            self.rule_error = wrap_error(error)
            raise
        self.rule_error, self.attempted, self.selected = None, False, 0
        self.rolls += 1
        self.outcome = outcome
        self.seeds.use(seed)
        self.timeline.add(Entry(self.rolls, self.label, seed, outcome, change, self.time, action, again))
        return outcome

    def undo(self) -> None:
        """Undo what was done last: of a roll, restore outcome, parameters, seed and label of the roll before it."""
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
        elif last is not None:
            self.restore(last)

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
        else:
            self.restore(redone)

    def change_parts(self, name: str, parts: Parts) -> None:
        """Set the rows or dice of a field; if some are removed, that can be undone.

        Parameters:
            name: the name of the field.
            parts: its rows or dice.
        """
        inputs = self.inputs
        before = inputs.parts_with_places(name)
        inputs.set_parts(name, parts)
        if len(parts) < len(before[name]) and not isinstance(inputs.fields[name].kind, Places):
            after = inputs.parts_with_places(name)
            self.timeline.add(Change(lambda: self._set_parts(before), lambda: self._set_parts(after)))

    def _set_parts(self, parts: Mapping[str, Parts]) -> None:
        for name, own in parts.items():
            self.inputs.set_parts(name, own)
        self.validate()

    def _show_roll(self, entry: Entry) -> None:
        self.outcome, self.label = entry.outcome, entry.label
        self.seeds.use(entry.seed)

    def restore(self, entry: Entry) -> None:
        """Set the values to the parameters of a roll."""
        fields, rule = self.inputs.fields, entry.outcome.rule
        self.inputs = FormInputs(fields, {name: getattr(rule, name) for name in fields})
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
        self._show_roll(entry)
        self.restore(entry)
        self.attempted, self.selected = False, roll

    def replay(self, roll: int) -> Outcome:
        """Roll the dice of a roll again, with its parameters and its label; the log says so.

        Parameters:
            roll: the number of the roll.

        Raises:
            ParameterError: the roll does not exist.
        """
        self.recall(roll)
        self.seed = self.entry(roll).seed
        return self.play_rule(self._ready_rule(), again=True)

    def entry(self, roll: int) -> Entry:
        """Return a roll of the history by its number.

        Raises:
            ParameterError: the roll does not exist.
        """
        entry = next((entry for entry in self.entries if entry.roll == roll), None)
        if entry is None:
            raise ParameterError(f"there is no roll {roll}")
        return entry

    @property
    def entries(self) -> list[Entry]:
        """The rolls of the history, oldest first."""
        return self.timeline.entries

    @property
    def history(self) -> History:
        """The rolls, oldest first."""
        return History(self.entries)

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

    def count(self, seconds: float) -> bool:
        """Count odds for at most so many seconds, and return whether all are counted."""
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
