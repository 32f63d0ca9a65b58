"""Values with their names, by which a page that rolls puts others in their places."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from dicedocs_sphinx.blocks.base import Facts

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.base import Block
    from dicedocs_sphinx.blocks.character import CharacterBlock
    from dicedocs_sphinx.blocks.value_refs import KnownValues

_MARK: Final = "\x02"
"""What stands around a name and a value; no text of a page has it."""


def pieces_of(text: str) -> list[str | tuple[str, str]]:
    r"""Return the pieces of a text in which :class:`StoryValues` stand: words, and names with their values.

    >>> pieces_of("\x02breach\x024\x02 + 1d4")
    [('breach', '4'), ' + 1d4']
    """
    first, *rest = text.split(_MARK)
    pieces: list[str | tuple[str, str]] = [first]
    for name, value, words in zip(*[iter(rest)] * 3, strict=False):
        pieces += [(name, value), words]
    return [piece for piece in pieces if piece]


def has_names(text: str) -> bool:
    """Return whether :class:`StoryValues` stand in a text."""
    return _MARK in text


class StoryValues:
    """The values of all pages as :class:`~dicedocs_sphinx.blocks.value_refs.KnownValues`, each with its name.

    Parameters:
        values: the values.
    """

    def __init__(self, values: KnownValues) -> None:
        self._values = values

    def block(self, name: str) -> Block | None:
        """Return the character or the example of a name."""
        return self._values.block(name)

    def character(self, name: str) -> CharacterBlock | None:
        """Return the character of a name."""
        return self._values.character(name)

    def facts(self, name: str) -> Facts:
        """Return the facts of a block that exists, or raise a :class:`DiceError` that says why it has none."""
        return _NamedFacts(name, self._values.facts(name))

    def track(self, name: str) -> str | None:
        """Return the value of a track of the scene."""
        value = self._values.track(name)
        return value and _named(name, value)

    def location(self, name: str) -> str:
        """Return the file and the line of a block that exists."""
        return self._values.location(name)

    def names(self) -> Collection[str]:
        """Return the names of the characters and the examples."""
        return self._values.names()

    def character_names(self) -> Collection[str]:
        """Return the names of the characters."""
        return self._values.character_names()


class _NamedFacts(Facts):
    def __init__(self, name: str, facts: Facts) -> None:
        self._name, self._facts = name, facts

    def has(self, path: str) -> bool:
        return self._facts.has(path)

    def text(self, path: str) -> str:
        return self._facts.text(path)

    def value(self, path: str) -> str:
        return _named(f"{self._name}.{' '.join(path.split())}", self._facts.value(path))


def _named(name: str, value: str) -> str:
    return f"{_MARK}{name}{_MARK}{value}{_MARK}"
