"""What panels hold that can be undone: forms, characters and tracks, and the log; plain data that nothing changes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.inputs import Inputs
from dicedocs.panel.forms.question import Question
from dicedocs.panel.turns import Turns
from dicedocs.rules.mechanic import Mechanic
from dicedocs.scenes.change import Changed
from dicedocs.scenes.character import Character


class FormState(NamedTuple):
    """One form: what a player fills in and presses.

    Parameters:
        inputs: the values of its fields as they are typed.
        label: the label of the rolls.
        chosen: the character who was chosen last for each slot, by name.
        groups: the characters for whom a roll was made in one press, by slot.
        shown: the number of the roll that is shown; 0 for none.
        cleared: the number of the last roll that was cleared from its history.
        pins: the settings that were pinned, whose odds are compared with the present ones.
        own: what a game, or a dice tray, has beside.
        earlier: the rolls from before the form came to a table.
        asked: what the player was asked last, and has not answered.
    """

    inputs: Inputs
    label: str = ""
    chosen: Mapping[str, str] = MappingProxyType({})
    groups: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    shown: int = 0
    cleared: int = 0
    pins: tuple[Mechanic, ...] = ()
    own: Any = None
    earlier: tuple[Entry, ...] = ()
    asked: Question | None = None

    def asking(self, question: Question) -> Self:
        """Return the form while the player is asked something."""
        return self._replace(asked=question._replace(form=self._rolled))

    @property
    def question(self) -> Question | None:
        """What the player is asked; ``None`` if nothing is open, or the form is another one now."""
        return self.asked if self.asked is not None and self.asked.form == self._rolled else None

    @property
    def _rolled(self) -> object:
        """What a roll depends on that has come to a choice."""
        return self.inputs, self.own, self.shown


class State(NamedTuple):
    """Forms with the characters who play them, and one log.

    Parameters:
        forms: the forms.
        people: the characters by name, with their present values.
        log: the rolls, oldest first.
        tracks: whoever has the tracks of the scene that is played; ``None`` without one.
        before: what changed before the first roll.
        then: what rolls do to characters, in each form that says nothing itself.
        turns: the order of turns.
    """

    forms: tuple[FormState, ...]
    people: Mapping[str, Character] = MappingProxyType({})
    log: tuple[Entry, ...] = ()
    tracks: Character | None = None
    before: tuple[Changed, ...] = ()
    then: str = ""
    turns: Turns = ()

    def with_form(self, index: int, form: FormState) -> Self:
        """Return a state with another form in the place of one."""
        return self._replace(forms=(*self.forms[:index], form, *self.forms[index + 1 :]))

    def rolls(self, index: int) -> list[Entry]:
        """Return the rolls of a form, oldest first, whether or not its history was cleared since."""
        return [*self.forms[index].earlier, *[entry for entry in self.log if entry.form == index]]

    def with_entry(self, entry: Entry) -> Self:
        """Return a state with another roll in the place of the one of its form with its number."""

        def replaced(rolls: tuple[Entry, ...]) -> tuple[Entry, ...]:
            return tuple(entry if (one.form, one.roll) == (entry.form, entry.roll) else one for one in rolls)

        made = self._replace(log=replaced(self.log))
        if entry.form < 0:
            return made
        form = made.forms[entry.form]
        return made.with_form(entry.form, form._replace(earlier=replaced(form.earlier))) if form.earlier else made
