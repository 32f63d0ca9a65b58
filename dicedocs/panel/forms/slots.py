"""Who fills in a form: its slots, and the characters who have them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from dicedocs.errors import DiceError, ParameterError, ResourceError, quoted
from dicedocs.panel.forms.characters import ACTOR, Character, named_character, values_of, values_taken
from dicedocs.panel.forms.inputs import Inputs
from dicedocs.panel.state import FormState
from dicedocs.rules.kinds import Kind, as_line, convert
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.params import Param
from dicedocs.rules.resources import Resources
from dicedocs.scenes.scene import character_key
from dicedocs.similar_words import near
from dicedocs.translation import gettext as _
from dicedocs.translation import word

People = Sequence[Character]


class Slots(NamedTuple):
    """The slots of a form: the fields that a character can fill in.

    Parameters:
        fields: the fields of the form, by name.
        own: the slots that they have, as :func:`~dicedocs.panel.forms.characters.character_slots` returns them.
        read: for each slot, the values that further fields take, by field.
        block_names: how a book calls the characters, where their names do not say it.

    >>> from dicedocs.panel.forms.characters import character_slots
    >>> from dicedocs.panel.forms.inputs import initial_values
    >>> from dicedocs.rules.registry import mechanic
    >>> rule = mechanic("dungeoneers/action-roll")
    >>> form = FormState(Inputs.of(rule.parameters(), initial_values(rule, {})))
    >>> slots, people = Slots(rule.parameters(), ("",)), [Character("Freya", "Stat=4"), Character("Kira", "Stat=2")]
    >>> form = slots.fill_in(form, "", people[1])
    >>> form.inputs.values["stat"], slots.taken(form, people)
    (2, {'': 'Kira'})
    """

    fields: Mapping[str, Param]
    own: tuple[str, ...]
    read: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    block_names: Mapping[str, str] = MappingProxyType({})

    def holder(self, form: FormState, slot: str, people: People) -> Character | None:
        """Return the character whose values the fields of a slot have: of several who have them the last one chosen.

        A character without a value for any of these fields has the slot from being chosen.
        """
        last = _chosen(form, slot, people)
        if last is not None and not self.values_of(slot, last):
            return last
        for one in sorted(people, key=lambda one: one is not last):
            own = self.values_of(slot, one)
            if own and all(form.inputs.values[name] == value for name, value in own.items()):
                return one
        return None

    def reads(self, form: FormState, slot: str) -> bool:
        """Return whether a roll of a form reads a slot: one does that is of a rule, a notation if it names it.

        >>> from dicedocs.panel.forms.inputs import initial_values
        >>> from dicedocs.rules.registry import mechanic
        >>> fields = mechanic("dice/roll").parameters()
        >>> values = initial_values(mechanic("dice/roll"), {"notation": "1d6 + [Target HP]"})
        >>> form = FormState(Inputs.of(fields, values))
        >>> Slots(fields, ("actor", "target")).reads(form, "target")
        True
        """
        kinds = {name: field.kind for name, field in self.fields.items()}
        written = {
            name: kind.references[slot].partition("{name}")[0]
            for name, kind in kinds.items()
            if isinstance(kind, NotationKind) and slot in kind.references
        }
        texts = form.inputs.texts
        return not written or any(_closed(begins) in _closed(texts[name]) for name, begins in written.items())

    def taken(self, form: FormState, people: People) -> dict[str, str]:
        """Return who has which slot, by name.

        Parameters:
            form: the form.
            people: the characters.
        """
        found = ((slot, self.holder(form, slot, people)) for slot in self.own)
        return {slot: one.name for slot, one in found if one is not None}

    def values_of(self, slot: str, character: Character) -> dict[str, Any]:
        """Return the values that a character gives to the fields of a slot."""
        return values_of(self.fields, slot, character, self.read.get(slot, {}))

    def fill_in(self, form: FormState, slot: str, character: Character) -> FormState:
        """Return a form with the values of a character in a slot.

        Raises:
            DiceError: a value is not valid.
        """
        inputs = form.inputs.with_values(self.values_of(slot, character))
        return form._replace(inputs=inputs, chosen={**form.chosen, slot: character.name})

    def follow(self, form: FormState, slots: Iterable[str], character: Character) -> FormState:
        """Return a form with the values of a character in some slots; one that a field refuses is an error there."""
        for slot in slots:
            try:
                form = self.fill_in(form, slot, character)
            except DiceError:
                inputs = form.inputs
                for name, value in self.values_of(slot, character).items():
                    inputs = inputs.with_text(name, as_line(value))
                form = form._replace(inputs=inputs, chosen={**form.chosen, slot: character.name})
        return form

    def edits(self, inputs: Inputs, slot: str, character: Character) -> dict[str, str | None]:
        """Return what the fields of a slot say otherwise than a character: texts by name, ``None`` for what is gone."""
        now: dict[str, Any] = {}
        if slot in self.fields:
            now = dict(inputs.values[slot])
            now |= {name: None for name in character if name not in now}
        changed = {name: value for name, value in now.items() if value != character.get(name)}
        given = self.values_of(slot, character)
        taken = values_taken(self.fields, slot, character, self.read.get(slot, {}))
        changed |= {value: inputs.values[name] for name, value in taken.items() if inputs.values[name] != given[name]}
        return {name: None if value is None else as_line(value) for name, value in changed.items()}

    def references(self, form: FormState, people: People, rule: Mechanic) -> dict[str, str]:
        """Return the parameters of a rule that have values of characters, as a book refers to them.

        A value that was typed over the one of a character is a number there.

        Parameters:
            form: the form.
            people: the characters.
            rule: the rule that is played with it.
        """
        found: dict[str, str] = {}
        for slot in self.own:
            one = self.holder(form, slot, people) or _chosen(form, slot, people)
            if one is None:
                continue
            key = self.block_names.get(one.name) or character_key(one.name)
            given = self.values_of(slot, one)
            found |= {
                name: f"{key}.{taken}"
                for name, taken in values_taken(self.fields, slot, one, self.read.get(slot, {})).items()
                if getattr(rule, name, None) == given[name]
            }
            value = getattr(rule, slot, None)
            if isinstance(value, Resources) and one and one.keys() <= value.keys():
                typed = (f"{name}={number}" for name, number in value.items() if one.get(name) != number)
                found[slot] = ", ".join([key, *typed])
        return {name: _marked(text, self.fields[name].kind) for name, text in found.items()}

    def check_choice(self, slot: str, name: str, people: People) -> Character:
        """Return a character who is to fill in a slot.

        Parameters:
            slot: the slot.
            name: the name of the character.
            people: the characters.

        Raises:
            ParameterError: there is no such character or slot.
        """
        if slot not in self.own:
            raise ParameterError(f"a character cannot fill in {quoted(slot)}", hint=near(slot, self.own))
        return named_character(people, name)

    def state(
        self, form: FormState, people: People, make: Callable[..., object], changing: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        """Return what a page shows of each slot.

        Parameters:
            form: the form.
            people: the characters.
            make: returns the mechanic of some values, and raises the error of a missing resource.
            changing: the slots whose characters a roll changes, which need nobody who fills in a field.

        Returns:
            For each slot its ``label``, the ``names``, each with what the character lacks, and the index of the one
            who is ``chosen``, or -1; ``able``, who lacks nothing; ``group``, who was of the last group for whom one
            press rolled; nothing without characters.
        """
        slots = self.own if people else ()
        return [self._slot_state(form, people, slot, make, (slot or ACTOR) in changing) for slot in slots]

    def _slot_state(
        self, form: FormState, people: People, slot: str, make: Callable[..., object], changes: bool
    ) -> dict[str, Any]:
        names, able = [], []
        given = [self.values_of(slot, one) for one in people]
        filled = list(dict.fromkeys([*chain.from_iterable(given), *self.read.get(slot, ())]))
        for one, own in zip(people, given, strict=True):
            lacking = [word(self.fields[name].label) for name in filled if name not in own]
            missing = ""
            if own or lacking or not changes:
                missing = _missing_text(slot, own, form.inputs, lacking, make)
            names.append(_("{name} ({missing})").format(name=one.name, missing=missing) if missing else one.name)
            able.append(not (missing and filled))  # what nobody fills in is needed of nobody
        # Whoever was chosen stays so, with what was typed over a value.
        holder = self.holder(form, slot, people) or _chosen(form, slot, people)
        label = _("Target") if slot else _("Character")
        if slot in self.fields:
            label = _("{field}: character").format(field=word(self.fields[slot].label))
        chosen = -1 if holder is None else people.index(holder)
        group = [one.name in form.groups.get(slot, ()) for one in people]
        return {"slot": slot, "label": label, "names": names, "chosen": chosen, "able": able, "group": group}


def _chosen(form: FormState, slot: str, people: People) -> Character | None:
    return next((one for one in people if one.name == form.chosen.get(slot)), None)


class Referred(NamedTuple):
    """A value that a parameter of a roll has from a character.

    Parameters:
        name: its name in a scene: ``kira.HP``.
        resource: its name among the resources of the parameter; empty if it is all that the parameter has.
        value: the value in the roll.
        is_typed: whether another number was typed over it.
        is_read: whether the rule reads it.
    """

    name: str
    resource: str
    value: object
    is_typed: bool = False
    is_read: bool = True


def referred(rule: Mechanic, parameter: str, text: str) -> list[Referred]:
    """Return the values that a parameter has from a character.

    Parameters:
        rule: the rule that was played.
        parameter: the parameter.
        text: how a book refers to the character there, as :meth:`Slots.references` returns it.

    >>> from dicedocs.rules.registry import mechanic
    >>> rule = mechanic("dice/roll")(notation="1d6 + [Stealth]", actor="Stealth=2, HP=9")
    >>> [(one.name, one.value, one.is_typed, one.is_read) for one in referred(rule, "actor", "kira, Stealth=2")]
    [('kira.Stealth', 2, True, True), ('kira.HP', 9, False, False)]
    """
    path, _comma, typed = text.removeprefix("=").partition(", ")
    value: object = getattr(rule, parameter, None)
    if not isinstance(value, Resources):
        return [Referred(path, "", value)]
    over = Resources.from_text(typed)
    return [
        Referred(f"{path}.{name}", name, number, name in over, _reads_resource(rule, parameter, name))
        for name, number in value.items()
    ]


def _reads_resource(rule: Mechanic, slot: str, resource: str) -> bool:
    """Return whether a rule reads a resource of a slot: one does that has no notation, a notation if it names it."""
    kinds = {name: field.kind for name, field in type(rule).parameters().items()}
    written = {
        name: kind.references[slot].format(name=resource)
        for name, kind in kinds.items()
        if isinstance(kind, NotationKind) and slot in kind.references
    }
    return not written or any(_closed(text) in _closed(getattr(rule, name)) for name, text in written.items())


def _closed(text: str) -> str:
    return "".join(text.split())


def _marked(text: str, kind: Kind) -> str:
    """Return a reference, marked as such if a parameter of this kind would take it for a value."""
    with suppress(Exception):  # the type of a game may raise anything
        convert(kind, text)
        return f"={text}"
    return text


def _missing_text(
    slot: str, own: Mapping[str, Any], inputs: Inputs, lacking: Iterable[str], make: Callable[..., object]
) -> str:
    """Return what a character with these values for a slot lacks, in words; empty if it lacks nothing."""
    if not own:
        return _("nothing this needs")
    names = list(lacking)
    with suppress(Exception):  # a game may raise anything, which the panel shows elsewhere
        try:
            make(**{**inputs.values, **own})
        except ResourceError as error:
            names += [error.name] if error.name and error.scope == slot else []
    return ", ".join(_("no {resource}").format(resource=name) for name in dict.fromkeys(names))
