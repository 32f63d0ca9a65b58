"""The characters of a form while it is played: who has which slot of it, and what a roll does to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any, Final

from dicedocs.errors import ParameterError, ResourceError, near, quoted
from dicedocs.panel.characters import (
    ACTOR,
    TARGET,
    Character,
    check_characters,
    named_character,
    resources_taken,
    scene_state,
    values_of,
    with_values,
)
from dicedocs.panel.inputs import FormInputs
from dicedocs.rules.kinds import Kind, as_line, convert
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.resources import Resources
from dicedocs.scenes.change import Changed, make_changes, outcome_facts, parse_changes, possible_changes
from dicedocs.scenes.scene import character_key
from dicedocs.translation import gettext as _
from dicedocs.translation import word

_SLOT: Final = re.compile(rf"(?<![\w.])({ACTOR}|{TARGET})\.")
"""Whom the text of changes names."""


class Seats:
    """The characters of a form, and who of them has which slot.

    Parameters:
        characters: the characters who may play.
        own_slots: the slots that the form has: :func:`~dicedocs.panel.characters.character_slots`.

    Attributes:
        characters: the characters with their present values.
        own_slots: the fields that a character can fill in; an empty name stands for all.
        read: for each slot, the resources that further fields take, by field.
        live: whether a change of a field is one of the character whose value it has.
        then: what a roll does to characters when that is applied, ``target.HP -= damage``; empty for nothing.
        table_then: the same for all panels of a table, where this one says nothing itself.
        table_facts: the facts that ``table_then`` may name.
        tracks: whoever has the tracks of the scene that is played; ``None`` without one.
        block_names: how a book calls the characters, where their names do not say it.

    Raises:
        ParameterError: a character is none, or two have the same name.

    >>> from dicedocs.panel.characters import character_slots
    >>> from dicedocs.panel.inputs import initial_values
    >>> from dicedocs.rules.registry import mechanic
    >>> rule = mechanic("dungeoneers/action-roll")
    >>> inputs = FormInputs(rule.parameters(), initial_values(rule, {}))
    >>> seats = Seats([Character("Freya", "Stat=4"), Character("Kira", "Stat=2")], character_slots(inputs.fields))
    >>> seats.fill_in(inputs, "", "Kira")
    >>> inputs.values["stat"], seats.taken(inputs)
    (2, {'': 'Kira'})
    """

    def __init__(self, characters: Iterable[Character], own_slots: tuple[str, ...]) -> None:
        self.characters = check_characters(characters)
        self.own_slots = own_slots
        self.read: Mapping[str, Mapping[str, str]] = {}
        self.live = False
        self.then = self.table_then = ""
        self.table_facts: Collection[str] = ()
        self.tracks: Character | None = None
        self.block_names: Mapping[str, str] = {}
        self.chosen: dict[str, str] = {}

    # Who has which slot

    @property
    def slots(self) -> tuple[str, ...]:
        """The fields that a character can fill in, and the target of a roll that does something to it."""
        needed = TARGET in self._named_slots() and TARGET not in self.own_slots
        return (*self.own_slots, TARGET) if needed else self.own_slots

    def holder(self, inputs: FormInputs, slot: str) -> Character | None:
        """Return the character whose values the fields of a slot have: of several who have them the last one chosen."""
        last = self._chosen(slot)
        if slot and slot not in inputs.fields:
            return last
        for one in sorted(self.characters, key=lambda one: one is not last):
            own = self.values_of(inputs, slot, one)
            if own and all(inputs.values[name] == value for name, value in own.items()):
                return one
        return None

    def taken(self, inputs: FormInputs) -> dict[str, str]:
        """Return who has which slot, by name."""
        found = ((slot, self.holder(inputs, slot)) for slot in self.slots)
        return {slot: one.name for slot, one in found if one is not None}

    def first(self, inputs: FormInputs) -> str:
        """Return the name of the character of the first slot; empty if it is nobody's."""
        holder = self.holder(inputs, self.slots[0])
        return "" if holder is None else holder.name

    def name_at(self, index: int) -> str:
        """Return the name of the character with an index, from 0.

        Raises:
            ParameterError: there is none.
        """
        if not 0 <= index < len(self.characters):
            raise ParameterError(f"there is no character {index}")
        return self.characters[index].name

    def values_of(self, inputs: FormInputs, slot: str, character: Character) -> dict[str, Any]:
        """Return the values that a character gives to the fields of a slot."""
        return values_of(inputs.fields, slot, character, self.read.get(slot, {}))

    def references(self, inputs: FormInputs, rule: Mechanic) -> dict[str, str]:
        """Return the parameters of a rule that have values of characters, as a book refers to them.

        A value that was typed over the one of a character is a number there.

        Parameters:
            inputs: the form.
            rule: the rule that is played with it.
        """
        found: dict[str, str] = {}
        for slot in self.own_slots:
            one = self.holder(inputs, slot) or self._chosen(slot)
            if one is None:
                continue
            key = self.block_names.get(one.name) or character_key(one.name)
            taken = resources_taken(inputs.fields, slot, one, self.read.get(slot, {}))
            found |= {
                name: f"{key}.{resource}"
                for name, resource in taken.items()
                if getattr(rule, name, None) == one[resource]
            }
            value = getattr(rule, slot, None)
            if isinstance(value, Resources) and one and one.keys() <= value.keys():
                typed = (f"{name}={number}" for name, number in value.items() if one.get(name) != number)
                found[slot] = ", ".join([key, *typed])
        return {name: _marked(text, inputs.fields[name].kind) for name, text in found.items()}

    def _chosen(self, slot: str) -> Character | None:
        return next((one for one in self.characters if one.name == self.chosen.get(slot)), None)

    def check_choice(self, inputs: FormInputs, slot: str, name: str) -> None:
        """Check whether a character can fill in a slot.

        Raises:
            ParameterError: there is no such character or slot, or the character has no value for it.
        """
        if slot not in self.slots:
            raise ParameterError(f"a character cannot fill in {quoted(slot)}", hint=near(slot, self.slots))
        values = self.values_of(inputs, slot, named_character(self.characters, name))
        if not values and slot in self.own_slots:
            hint = near("", [field.label for field in inputs.fields.values()])
            raise ParameterError(f"{quoted(name)} has no value for any field", hint=hint, parameter="character")

    def fill_in(self, inputs: FormInputs, slot: str, name: str) -> None:
        """Fill in the values of a character.

        Raises:
            DiceError: there is no such character, or a value is not valid.
        """
        inputs.set_values(self.values_of(inputs, slot, named_character(self.characters, name)))
        self.chosen[slot] = name

    def take_edits(self, inputs: FormInputs, before: Mapping[str, str]) -> bool:
        """Take changes of the fields of a slot for changes of its character, and return whether the form changed too.

        Parameters:
            inputs: the form.
            before: who had which slot before the fields were changed.
        """
        filled = False
        for slot, name in before.items():
            one = named_character(self.characters, name)
            changes = self._edits(inputs, slot, one)
            if changes:
                self.chosen[slot] = name
                changed = with_values(one, changes)
                # The value in this form may be beyond the bounds of the character.
                stays = all(inputs.values[at] == value for at, value in self.values_of(inputs, slot, changed).items())
                others = [at for at in before if before[at] == name and not (at == slot and stays)]
                filled |= self._put(inputs, changed, others)
        return filled

    def _edits(self, inputs: FormInputs, slot: str, character: Character) -> dict[str, str | None]:
        """Return what the fields of a slot say otherwise than a character: texts by name, ``None`` for what is gone."""
        fields = inputs.fields
        values: Mapping[str, Any] = inputs.values
        now: dict[str, Any] = {}
        if slot in fields:
            now = dict(values[slot])
            now |= {name: None for name in character if name not in now}
        taken = resources_taken(fields, slot, character, self.read.get(slot, {}))
        now |= {resource: values[name] for name, resource in taken.items()}
        changed = {name: value for name, value in now.items() if value != character.get(name)}
        return {name: None if value is None else as_line(value) for name, value in changed.items()}

    def follow(self, inputs: FormInputs, character: Character) -> bool:
        """Take over the values of a character that were changed elsewhere, and return whether the form has any."""
        slots = [slot for slot, name in self.taken(inputs).items() if name == character.name]
        return self._put(inputs, character, slots)

    def _put(self, inputs: FormInputs, character: Character, slots: list[str]) -> bool:
        self.characters = tuple(character if one.name == character.name else one for one in self.characters)
        for slot in slots:
            self.fill_in(inputs, slot, character.name)
        return bool(slots)

    def state(self, inputs: FormInputs, make: Callable[..., object]) -> list[dict[str, Any]]:
        """Return what a page shows of each slot.

        Parameters:
            inputs: the form.
            make: returns the mechanic of some values, and raises the error of a missing resource.

        Returns:
            For each slot its ``label``, the ``names``, each with what the character lacks, and the index of the one
            who is ``chosen``, or -1; nothing without characters.
        """
        return [self._slot_state(inputs, make, slot) for slot in self.slots] if self.characters else []

    def _slot_state(self, inputs: FormInputs, make: Callable[..., object], slot: str) -> dict[str, Any]:
        fields, names = inputs.fields, []
        given = [self.values_of(inputs, slot, one) for one in self.characters]
        filled = list(dict.fromkeys([*chain.from_iterable(given), *self.read.get(slot, ())]))
        for one, own in zip(self.characters, given, strict=True):
            lacking = [word(fields[name].label) for name in filled if name not in own]
            missing = _missing_text(slot, own, inputs, lacking, make) if slot in self.own_slots else ""
            names.append(_("{name} ({missing})").format(name=one.name, missing=missing) if missing else one.name)
        holder = self.holder(inputs, slot)
        label = _("Target") if slot else _("Character")
        if slot in fields:
            label = _("{field}: character").format(field=word(fields[slot].label))
        chosen = -1 if holder is None else self.characters.index(holder)
        return {"slot": slot, "label": label, "names": names, "chosen": chosen}

    # What a roll does to them

    def set_then(self, then: str) -> None:
        """Set what a roll does to characters; the fields then have live values of theirs.

        Raises:
            ParameterError: it is not written like ``target.HP -= damage``.
        """
        parse_changes(then)
        self.then = then
        self.live = self.live or bool(then)

    @property
    def changing(self) -> str:
        """What a roll does to characters, said here or for the whole table."""
        return self.then or self.table_then

    def _named_slots(self) -> set[str]:
        """Return whom what a roll does names as the one who acts, or the one to whom it is done."""
        return set(_SLOT.findall(self.changing))

    @property
    def values(self) -> dict[str, str]:
        """The values of the characters and the tracks, by the names that they have in a scene."""
        return scene_state(self.characters, self.tracks)

    def then_of(self, inputs: FormInputs, outcome: Outcome, facts: Collection[str]) -> str:
        """Return what an outcome does to characters, those of the form by their names.

        Parameters:
            inputs: the form.
            outcome: the outcome.
            facts: the facts that outcomes here may have.

        Raises:
            DiceError: what a roll does is not possible with the outcome or the characters.
        """
        called = {slot or ACTOR: character_key(name) for slot, name in self.taken(inputs).items()}
        if missing := sorted(self._named_slots() - called.keys()):
            raise ParameterError(f"nobody is the {missing[0]}", hint="choose a character", parameter="then")
        if not self.then:
            facts = self.table_facts
        make_changes(self.changing, self.values, outcome, called, facts)
        own = {name: 1 if value is None else value for name, value in outcome_facts(outcome).items()}
        return possible_changes(self.changing, self.values, dict.fromkeys(facts) | own, called)

    def change(self, inputs: FormInputs, changes: Iterable[Changed]) -> bool:
        """Change characters and tracks, where these still have the value, and return whether the form changed too."""
        filled = False
        for one in changes:
            people = {character_key(each.name): each for each in self.characters}
            key, dot, value = one.name.partition(".")
            owner, name = (people.get(key), value) if dot else (self.tracks, key)
            if owner is None or name not in owner.sheet:
                continue  # it was removed since
            changed = with_values(owner, {name: one.on(owner.sheet[name])})
            if dot:
                filled |= self.follow(inputs, changed)
            else:
                self.tracks = changed
        return filled

    def effect_text(self, changes: Iterable[Changed]) -> str:
        """Return changes in words, with the names of the characters."""
        people = {character_key(one.name): one.name for one in self.characters}
        paths = [(one, *one.name.partition(".")) for one in changes]
        return ", ".join(
            str(one._replace(name=f"{people.get(key, key)} {name}".strip())) for one, key, _, name in paths
        )


def _marked(text: str, kind: Kind) -> str:
    """Return a reference, marked as such if a parameter of this kind would take it for a value."""
    with suppress(Exception):  # the type of a game may raise anything
        convert(kind, text)
        return f"={text}"
    return text


def _missing_text(
    slot: str, own: Mapping[str, Any], inputs: FormInputs, lacking: Iterable[str], make: Callable[..., object]
) -> str:
    """Return what a character with these values for a slot lacks, in words; empty if it lacks nothing."""
    if not own:
        return _("nothing that this needs")
    names = list(lacking)
    with suppress(Exception):  # a game may raise anything, which the panel shows elsewhere
        try:
            make(**{**inputs.values, **own})
        except ResourceError as error:
            names += [error.name] if error.name and error.scope == slot else []
    return ", ".join(_("no {resource}").format(resource=name) for name in dict.fromkeys(names))
