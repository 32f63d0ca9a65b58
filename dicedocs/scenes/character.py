"""A character: a name, values of any kind, and rolls to be kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, is_text, quoted, wrap_error
from dicedocs.render.words import clean
from dicedocs.rules.kinds import IntKind, as_line, spaced
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.resources import Resources
from dicedocs.scenes.track import check_bounded, track_of
from dicedocs.similar_words import near
from dicedocs.syntax.names import check_distinct

_NEXT_VALUE: Final = re.compile(r",\s*(?=[^,=]+=)")


def parse_values(text: str) -> dict[str, str]:
    """Return the text of each value of ``Strength=3D+2, Gear=rope, lantern, Harm=0/1/0``.

    What has no ``=`` goes on with the value before it. :func:`check_values` checks what stands for numbers with bounds.

    Raises:
        ParameterError: a part is not ``name=value``, or a name is written twice.

    >>> parse_values("Strength=3D+2, Gear=rope,  lantern, Health  Maximum=20")
    {'Strength': '3D+2', 'Gear': 'rope, lantern', 'Health Maximum': '20'}
    """
    values: dict[str, str] = {}
    if text.strip().lower() in {"", NOTHING}:
        return values
    for part in _NEXT_VALUE.split(text.strip().removesuffix(",")):
        name, sign, value = part.partition("=")
        if not sign:
            raise ParameterError(f"{quoted(part.strip())} has no value", hint="write name=value, separated by commas")
        if "=" in value:
            hint = "separate two values by a comma"
            raise ParameterError(f"the value of {quoted(name.strip())} is {quoted(value.strip())}", hint=hint)
        _add(values, name, value)
    return values


def _add(values: dict[str, str], name: object, value: object) -> None:
    folded = " ".join(name.split()) if isinstance(name, str) else ""
    if not folded or set("[]=,") & set(folded):
        raise ParameterError(f"{quoted(name)} is not the name of a value", hint="a name cannot contain [ ] = or ,")
    if folded in values:
        raise ParameterError(f"the value {quoted(folded)} is written twice")
    try:
        text = as_line(IntKind().accept(value) if type(value) is int else value)
    except DiceError:
        raise
    except Exception as error:  # a value's own methods may raise anything
        raise ParameterError(f"{quoted(folded)}: {wrap_error(error, 'reading it').message}") from error
    if not text:
        raise ParameterError(f"{quoted(folded)} has no value", hint=f"write {folded}=4")
    limits.ITEMS.check(len(values) + 1)
    limits.VALUE_TEXT.check(sum(map(len, values)) + len(folded) + len(text), hint="write less")
    values[folded] = text


def whole_numbers(values: Mapping[str, str]) -> Resources:
    """Return those values of a character that are whole numbers, which are its resources, and note the others.

    >>> whole_numbers({"HP": "3", "Stress": "2 of 9", "Strength": "3D+2"})
    Resources({'HP': 3, 'Stress': 2})
    """
    numbers = {name: track.value for name, text in values.items() if (track := track_of(text)) is not None}
    return Resources(numbers, {name: text for name, text in values.items() if name not in numbers})


class Character(Mapping[str, int]):
    """A character: a name, values, and rolls to be kept; as a mapping it is its resources, the whole numbers.

    Each value is an attribute too, a whole number or a text; a space in its name is an underscore there. A number may
    have bounds, which it keeps to in a scene: ``Stress=0 of 9``.

    Parameters:
        name: the name.
        values: values by name, as a mapping or as text; the whole numbers are resources.
        rolls: notations by name, which a dice tray offers as favourites.

    Raises:
        ParameterError: the name is empty, or a value or a roll is not valid.
        LimitError: there is too much of it.

    >>> import dicedocs as dd
    >>> kira = dd.Character("Kira", "Attack=6, Strength=4, Weapon=long sword", {"Sword": "1d20 + [Attack]"})
    >>> kira["Attack"], kira.Weapon, kira.rolls["Sword"]
    (6, 'long sword', '1d20 + [Attack]')
    >>> dd.roll(kira.rolls["Sword"], actor=kira, dice=[8]).value
    14
    """

    def __init__(
        self, name: str, values: Mapping[str, object] | str = "", rolls: Mapping[str, str] | None = None
    ) -> None:
        self.name: Final = _checked_text(name, "the name of a character")
        self.sheet: Mapping[str, str] = _checked_values(values)
        self.resources = whole_numbers(self.sheet)
        rolls = {} if rolls is None else rolls
        if not isinstance(rolls, Mapping):
            raise ParameterError(f"{quoted(rolls)} is not rolls by their names")
        limits.ITEMS.check(len(rolls))
        self.rolls: Final[Mapping[str, str]] = {
            _checked_text(key, "the name of a roll"): _checked_text(text, "a roll") for key, text in rolls.items()
        }

    def __getitem__(self, name: str) -> int:
        return self.resources[name]

    def __getattr__(self, name: str) -> int | str:
        sheet: Mapping[str, str] = self.__dict__.get("sheet", {})
        found = next((each for each in (name, spaced(name)) if each in sheet), None)
        if found is None:
            hint = near(name, sheet)
            raise AttributeError(f"{self.__dict__.get('name', 'a character')} has no {quoted(name)}; {hint}")
        return self.resources.get(found, sheet[found])

    def __iter__(self) -> Iterator[str]:
        return iter(self.resources)

    def __len__(self) -> int:
        return len(self.resources)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Character):
            return NotImplemented
        return (self.name, self.sheet, self.rolls) == (other.name, other.sheet, other.rolls)

    def __hash__(self) -> int:
        return hash(self.name)  # what does not change at a table

    def __repr__(self) -> str:
        rolls = f", {dict(self.rolls)!r}" if self.rolls else ""
        values = {name: self.resources.get(name, text) for name, text in self.sheet.items()}
        return f"Character({self.name!r}, {values!r}{rolls})"


def keep_up(character: Character, now: Character) -> None:
    """Give a character the values that another one has, which it has become at a table.

    >>> import dicedocs as dd
    >>> kira = dd.Character("Kira", "HP=18 of 18")
    >>> keep_up(kira, dd.Character("Kira", "HP=5 of 18"))
    >>> kira["HP"]
    5
    """
    character.sheet, character.resources = now.sheet, now.resources


def _checked_values(values: object) -> dict[str, str]:
    if isinstance(values, str):
        limits.VALUE_TEXT.check(len(values), hint="write less")
        checked = parse_values(values)
    elif isinstance(values, Mapping):
        checked = {}
        for name, value in limits.ITEMS.take(values.items()):
            _add(checked, name, value)
    else:
        raise ParameterError(f"{quoted(values)} is not values by their names", hint='write "Strength=4, Harm=0/1/0"')
    check_values(checked)
    return checked


def check_values(values: Mapping[str, str]) -> None:
    """Check the names of a character's values, and those values that begin like a number with bounds.

    Raises:
        ParameterError: one is wrong, or two names are the same but for capitals.
    """
    check_distinct(values)
    for name, text in values.items():
        try:
            check_bounded(text)
        except DiceError as error:
            raise ParameterError(f"{quoted(name)}: {error.message}", hint=error.hint) from None


def _checked_text(text: object, what: str) -> str:
    if not isinstance(text, str) or not is_text(text) or not text.strip():
        raise ParameterError(f"{quoted(text)} is not {what}", hint="write a text that is not empty")
    limits.VALUE_TEXT.check(len(text), hint="write less")
    return clean(text).strip()
