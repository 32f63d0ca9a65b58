"""Who plays a form: the characters who may, and which of them have its slots."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from dicedocs.errors import ParameterError
from dicedocs.panel.forms.changes import Changes
from dicedocs.panel.forms.characters import TARGET, Character, check_characters, with_values
from dicedocs.panel.forms.seat import Seat
from dicedocs.panel.forms.slots import Slots
from dicedocs.panel.state import FormState, State
from dicedocs.scenes.change import Changed
from dicedocs.scenes.scene import character_key


class People:
    """The characters who may play a form, and who of them has which of its slots.

    Parameters:
        seat: where the form stands.
        slots: who can fill in what.
        changes: what its rolls do to characters.

    Attributes:
        given: the characters as whoever gave them has them.
    """

    def __init__(self, seat: Seat, slots: Slots, changes: Changes) -> None:
        self.seat, self.slots, self.changes = seat, slots, changes
        self.given: tuple[Character, ...] = ()

    @property
    def characters(self) -> tuple[Character, ...]:
        """The characters who may play it, with their present values; others may be set."""
        return self.seat.characters(self.seat.store.state)

    @characters.setter
    def characters(self, characters: Iterable[Character]) -> None:
        self.given = check_characters(characters)
        # States stay as they are, whatever becomes of those that were given.
        people = [Character(one.name, one.sheet, one.rolls) for one in self.given]

        def given(state: State) -> State:
            for one in people:
                # Its own form keeps what was typed.
                state = with_person(self.seat.players, state, one, {self.seat.index: ()})
            return state

        self.seat.store.replace_all(given)
        self.seat.offered = tuple(one.name for one in people)

    @property
    def live(self) -> bool:
        """Whether a change of a field is one of the character whose value it has."""
        return self.seat.store.at_table or bool(self.changes.then)

    @property
    def _slots(self) -> Slots:
        """The slots with the target of a roll that does something to it, even where no field takes one."""
        more = TARGET in self.changes.named_slots and TARGET not in self.slots.own
        return self.slots._replace(own=(*self.slots.own, TARGET)) if more else self.slots

    def slots_in_use(self, form: FormState) -> Slots:
        """Return the slots of a form; without the target, if neither its notation nor what a roll does reads it."""
        slots, own = self._slots, self.slots.own
        if TARGET in self.changes.named_slots or own[0] == TARGET or slots.reads(form, TARGET):
            return slots
        return slots._replace(own=tuple(slot for slot in own if slot != TARGET))

    @property
    def targets(self) -> Collection[str]:
        """The names of those whom a roll can be aimed at; none if it has no target."""
        return self.seat.offered if TARGET in self.slots_in_use(self.seat.form).own else ()

    def taken(self, form: FormState, state: State) -> dict[str, str]:
        """Return who has which slot of a form in a state, by name."""
        return self._slots.taken(form, self.seat.characters(state))

    @property
    def taken_now(self) -> dict[str, str]:
        """Who has which slot of the present form, by name."""
        return self.taken(self.seat.form, self.seat.store.state)

    @property
    def first(self) -> Character | None:
        """The character of the first slot; ``None`` if it is nobody's."""
        return self.slots.holder(self.seat.form, self.slots.own[0], self.characters)

    @property
    def played_name(self) -> str:
        """The name of the character of the first slot; empty if it is nobody's. Another one may be set."""
        return "" if self.first is None else self.first.name

    @played_name.setter
    def played_name(self, name: str) -> None:
        self.choose_character(name)

    def name_at(self, index: int) -> str:
        """Return the name of the character with an index, from 0.

        Raises:
            ParameterError: there is none.
        """
        if not 0 <= index < len(self.seat.offered):
            raise ParameterError(f"there is no character {index}")
        return self.seat.offered[index]

    def able(self, slot: str, name: str) -> Character:
        """Return the character of a name, who is to have a slot.

        Raises:
            ParameterError: there is no such character or slot.
        """
        return self._slots.check_choice(slot, name, self.characters)

    def choose_character(self, name: str, slot: str | None = None) -> None:
        """Fill in the values of a character.

        Parameters:
            name: the name of the character.
            slot: one of the slots; by default the first.

        Raises:
            ParameterError: there is no such character or slot.
            DiceError: a value is not valid.
        """
        seat, slot = self.seat, self.slots.own[0] if slot is None else slot
        one = self.able(slot, name)
        state = seat.store.state.with_form(seat.index, self.slots.fill_in(seat.form, slot, one))
        for other in seat.players if slot == TARGET and name in self.targets else ():
            # Whom one attacks is whom the damage hits.
            if other is not self and name in other.targets:
                form = other.slots.follow(state.forms[other.seat.index], [slot], one)
                state = state.with_form(other.seat.index, other.seat.adjusted(form))
        seat.put(state)

    def begin_with(self, chosen: Mapping[str, str]) -> None:
        """Say who has which slot from the beginning, which is no step.

        Parameters:
            chosen: the names of the characters, by slot; the values of theirs are those of the form already.
        """
        form = self.seat.form
        self.seat.replace_form(form._replace(chosen={**form.chosen, **chosen}))

    def with_edits(self, state: State) -> State:
        """Return a state in which changes of the fields of a slot are changes of its character."""
        before, index = self.taken_now, self.seat.index
        for slot, name in before.items():
            form, one = state.forms[index], state.people[name]
            changes = self.slots.edits(form.inputs, slot, one)
            if not changes:
                continue
            changed = with_values(one, changes)
            form = form._replace(chosen={**form.chosen, slot: name})
            # The value in this form may be beyond the bounds of the character.
            own = self.slots.values_of(slot, changed)
            stays = all(form.inputs.values[at] == value for at, value in own.items())
            others = [at for at in before if before[at] == name and not (at == slot and stays)]
            state = with_person(self.seat.players, state.with_form(index, form), changed, {index: others})
        return state


def with_person(
    players: Sequence[People],
    state: State,
    one: Character,
    slots: Mapping[int, Iterable[str]] = MappingProxyType({}),
) -> State:
    """Return a state in which a character has other values, in each form that has them.

    Parameters:
        players: those who play the forms in it.
        state: the state.
        one: the character with its values.
        slots: the slots that take them in some forms, by the index of the form; by default those that it has.
    """
    forms = []
    for player, form in zip(players, state.forms, strict=True):
        taken = (slot for slot, name in player.taken(form, state).items() if name == one.name)
        followed = player.slots.follow(form, slots.get(player.seat.index, taken), one)
        forms.append(form if followed is form else player.seat.adjusted(followed))
    return state._replace(forms=tuple(forms), people={**state.people, one.name: one})


def with_change(players: Sequence[People], state: State, change: Changed) -> State:
    """Return a state after a change of a character or a track, if that still has the value.

    Parameters:
        players: those who play the forms in it.
        state: the state.
        change: the change, with the name that the value has in a scene.
    """
    key, dot, value = change.name.partition(".")
    people = {character_key(one.name): one for one in state.people.values()}
    owner, name = (people.get(key), value) if dot else (state.tracks, key)
    if owner is None or name not in owner.sheet:
        return state  # it was removed since
    changed = with_values(owner, {name: change.on(owner.sheet[name])})
    return with_person(players, state, changed) if dot else state._replace(tracks=changed)
