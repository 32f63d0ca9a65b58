"""Characters at the table, and which of them a form is filled in for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.rules.kinds import IntKind, spaced
from dicedocs.rules.params import Param
from dicedocs.rules.resources import ResourcesKind
from dicedocs.scenes.character import Character
from dicedocs.scenes.scene import character_key
from dicedocs.scenes.track import Track
from dicedocs.similar_words import near

__all__ = [
    "ACTOR",
    "TARGET",
    "WHOLE_FORM",
    "Character",
    "character_slots",
    "check_characters",
    "named_character",
    "place_characters",
    "scene_state",
    "values_of",
    "values_taken",
    "with_values",
]

ACTOR: Final = "actor"
"""The parameter of the character who acts."""
TARGET: Final = "target"
"""The parameter of the character to whom it is done."""
WHOLE_FORM: Final = ""
"""The slot of a form without resources: a character fills in the fields that have the names of its resources."""


def check_characters(characters: object) -> tuple[Character, ...]:
    """Return characters as a tuple.

    Raises:
        ParameterError: one is not a :class:`Character`, or two have the same name.
        LimitError: there are more than ``ITEMS``.
    """
    if isinstance(characters, Character):
        characters = [characters]
    if isinstance(characters, str | Mapping) or not isinstance(characters, Iterable):
        raise ParameterError(f"{quoted(characters)} is not a list of characters", hint="write Character(name, ...)")
    result: list[Character] = []
    for one in limits.ITEMS.take(characters):
        if not isinstance(one, Character):
            raise ParameterError(f"{quoted(one)} is not a character", hint="write Character(name, resources)")
        if any(one.name == other.name for other in result):
            raise ParameterError(f"two characters are called {quoted(one.name)}", hint="name each differently")
        result.append(one)
    return tuple(result)


def named_character(characters: Sequence[Character], name: str) -> Character:
    """Return the character of a name.

    Raises:
        ParameterError: there is none.
    """
    found = next((one for one in characters if one.name == name), None)
    if found is None:
        hint = near(name, [one.name for one in characters])
        raise ParameterError(f"there is no character {quoted(name)}", hint=hint, parameter="character")
    return found


def character_slots(fields: Mapping[str, Param]) -> tuple[str, ...]:
    """Return the fields that take the resources of a character, or else ``WHOLE_FORM``.

    >>> from dicedocs.rules.registry import mechanic
    >>> character_slots(mechanic("methuen/check").parameters()), character_slots({})
    (('actor', 'target'), ('',))
    """
    return tuple(name for name, field in fields.items() if isinstance(field.kind, ResourcesKind)) or (WHOLE_FORM,)


def values_of(
    fields: Mapping[str, Param], slot: str, character: Character, read: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """Return the values that a character gives to the fields of a slot.

    Parameters:
        fields: the fields of the form.
        slot: one of :func:`character_slots`.
        character: the character.
        read: the value that further fields take, by field, which may be a text.

    >>> from dicedocs.rules.registry import mechanic
    >>> fields = mechanic("dungeoneers/action-roll").parameters()
    >>> values_of(fields, WHOLE_FORM, Character("Freya", "Stat=4, Luck=2"))
    {'stat': 4}
    """
    taken = values_taken(fields, slot, character, read)
    values = {name: _value(fields[name], character, value) for name, value in taken.items()}
    return {slot: character.resources, **values} if slot in fields else values


def _value(field: Param, character: Character, name: str) -> Any:
    """Return a value of a character as a field reads it; one that it refuses stays as it is."""
    value = character.resources.get(name, character.sheet[name])
    with suppress(Exception):  # the type of a game may raise anything
        return field.kind.read(str(value))
    return value


def values_taken(
    fields: Mapping[str, Param], slot: str, character: Character, read: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Return the names of the single values that fields take from the character of a slot, by field.

    The parameters are those of :func:`values_of`.

    >>> from dicedocs.rules.registry import mechanic
    >>> fields = mechanic("dungeoneers/action-roll").parameters()
    >>> values_taken(fields, WHOLE_FORM, Character("Freya", "Stat=4, Luck=2"))
    {'stat': 'Stat'}
    """
    taken: dict[str, str] = {}
    if not slot:
        own = {resource.casefold(): resource for resource in character}
        for name, field in fields.items():
            labels = (spaced(name).casefold(), field.label.casefold())
            resource = next((own[label] for label in labels if label in own), None)
            if resource is not None:
                taken[name] = resource
    return taken | {name: resource for name, resource in read.items() if resource in character.sheet}


def with_values(character: Character, changes: Mapping[str, str | None]) -> Character:
    """Return a character with some other values; ``None`` removes one, and a number keeps its bounds.

    >>> with_values(Character("Kira", "HP=9 of 9, Gear=rope"), {"HP": "4", "Gear": None}).sheet
    {'HP': '4 of 9'}
    """
    changed = {name: _within_bounds(character.sheet.get(name), text) for name, text in changes.items()}
    sheet = {name: text for name, text in {**character.sheet, **changed}.items() if text is not None}
    return Character(character.name, sheet, character.rolls)


def _within_bounds(before: str | None, text: str | None) -> str | None:
    """Return the text of a changed value, which keeps the bounds that it had if it is a number."""
    if before is None or text is None:
        return text
    try:
        return str(Track.from_text(before).at(IntKind().read(text)))
    except DiceError:
        return text


def scene_state(characters: Iterable[Character], tracks: Character | None) -> dict[str, str]:
    """Return the values of characters and tracks by the names that they have in a scene.

    Parameters:
        characters: the characters.
        tracks: whoever has the tracks of the scene; ``None`` without one.

    >>> scene_state([Character("Goblin 1", "HP=9 of 9")], Character("Tracks", "vault=2 of 8"))
    {'vault': '2 of 8', 'goblin-1.HP': '9 of 9'}
    """
    state = {} if tracks is None else dict(tracks.sheet)
    for one in characters:
        state |= {f"{character_key(one.name)}.{name}": text for name, text in one.sheet.items()}
    return state


def place_characters(
    fields: Mapping[str, Param], values: Mapping[str, object]
) -> tuple[dict[str, object], list[Character], dict[str, str]]:
    """Return initial values without the characters that are among them, these characters, and who has which slot.

    A character, or the first of a list, fills in the field whose value it was, or as ``actor`` the whole form.

    Parameters:
        fields: the fields of the form.
        values: values by field, each of which may be a character or a list of characters.

    >>> from dicedocs.rules.registry import mechanic
    >>> fields = mechanic("dungeoneers/action-roll").parameters()
    >>> place_characters(fields, {"actor": Character("Freya", "Stat=4"), "difficulty": 5})
    ({'stat': 4, 'difficulty': 5}, [Character('Freya', {'Stat': 4})], {'': 'Freya'})
    """
    slots = character_slots(fields)
    placed: dict[str, object] = {}
    given: dict[str, Character] = {}
    chosen: dict[str, str] = {}
    for name, value in values.items():
        slot = name if name in slots else WHOLE_FORM if slots == (WHOLE_FORM,) and name == ACTOR else None
        several = isinstance(value, list | tuple) and bool(value) and all(isinstance(one, Character) for one in value)
        if slot is None or not (several or isinstance(value, Character)):
            placed[name] = value
            continue
        found = check_characters(value)
        given |= {one.name: one for one in found}
        placed |= values_of(fields, slot, found[0])
        chosen[slot] = found[0].name
    return placed, list(given.values()), chosen
