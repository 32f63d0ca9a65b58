"""A character: a name, resources, and rolls to be kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dicedocs import limits
from dicedocs.errors import ParameterError, is_text, quoted
from dicedocs.render.words import clean
from dicedocs.rules.resources import Resources


class Character(Mapping[str, int]):
    """A character: a name, resources, and rolls to be kept; as a mapping it is its resources.

    Parameters:
        name: the name.
        resources: numbers by name, as a mapping or as text.
        rolls: notations by name, which a dice tray offers as favourites.

    Raises:
        ParameterError: the name is empty, or a resource or a roll is not valid.
        LimitError: there is too much of it.

    >>> import dicedocs as dd
    >>> kira = dd.Character("Kira", "Attack=6, Strength=4", {"Sword": "1d20 + [Attack]"})
    >>> kira["Attack"], kira.rolls["Sword"]
    (6, '1d20 + [Attack]')
    >>> dd.roll(kira.rolls["Sword"], actor=kira, dice=[8]).value
    14
    """

    def __init__(
        self, name: str, resources: Mapping[str, int] | str = "", rolls: Mapping[str, str] | None = None
    ) -> None:
        self.name: Final = _checked_text(name, "the name of a character")
        if isinstance(resources, str):
            self.resources = Resources.from_text(resources)
        else:
            self.resources = Resources.from_value(resources)
        rolls = {} if rolls is None else rolls
        if not isinstance(rolls, Mapping):
            raise ParameterError(f"{quoted(rolls)} is not rolls by their names")
        limits.ITEMS.check(len(rolls))
        self.rolls: Final[Mapping[str, str]] = {
            _checked_text(key, "the name of a roll"): _checked_text(text, "a roll") for key, text in rolls.items()
        }

    def __getitem__(self, name: str) -> int:
        return self.resources[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.resources)

    def __len__(self) -> int:
        return len(self.resources)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Character):
            return NotImplemented
        return (self.name, self.resources, self.rolls) == (other.name, other.resources, other.rolls)

    def __hash__(self) -> int:
        return hash((self.name, self.resources))

    def __repr__(self) -> str:
        rolls = f", {dict(self.rolls)!r}" if self.rolls else ""
        return f"Character({self.name!r}, {dict(self.resources)!r}{rolls})"


def _checked_text(text: object, what: str) -> str:
    if not isinstance(text, str) or not is_text(text) or not text.strip():
        raise ParameterError(f"{quoted(text)} is not {what}", hint="write a text that is not empty")
    limits.VALUE_TEXT.check(len(text), hint="write less")
    return clean(text).strip()
