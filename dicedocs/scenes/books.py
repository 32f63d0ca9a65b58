"""A book, read for its tables and its characters, which are then played from Python and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Final

from dicedocs.errors import DiceError, ParameterError, near, quoted
from dicedocs.page_rules.page_table import PageTable
from dicedocs.page_rules.table_rule import page_mechanics
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.registry import announce_book
from dicedocs.scenes.character import Character

GROUP: Final = "dicedocs.books"
"""The entry-point group of functions that read the folder of a book; there is one."""
BookReader = Callable[[Path], tuple[Iterable[PageTable], Mapping[str, Character]]]
"""Reads the tables of a book, and its characters by the names that its pages use."""


class Book(Mapping[str, type[Mechanic]]):
    """The mechanics in the pages of a book, by id.

    Parameters:
        tables: its tables.
        characters: its characters, by the names that its pages use.
    """

    def __init__(self, tables: Iterable[PageTable], characters: Mapping[str, Character] = MappingProxyType({})) -> None:
        self._rules: Final[Mapping[str, type[Mechanic]]] = page_mechanics(tables)
        self.characters: Final[Mapping[str, Character]] = _Characters(characters)

    def __getitem__(self, id: str) -> type[Mechanic]:
        if id not in self._rules:
            raise ParameterError(f"no page has a table {quoted(id)}", hint=near(id, self._rules))
        return self._rules[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def __contains__(self, id: object) -> bool:
        return id in self._rules

    def __repr__(self) -> str:
        return f"<Book: {', '.join(self._rules) or 'no tables'}>"


class _Characters(dict[str, Character]):
    def __missing__(self, name: str) -> Character:
        raise ParameterError(f"the book has no character {quoted(name)}", hint=near(name, self))


def book(folder: str | PathLike[str]) -> Book:
    """Read the pages of a book, as Sphinx does; from then on its tables are mechanics that are known by their ids.

    The tables of a book that was read before are known by their ids no longer.

    Parameters:
        folder: the folder with its ``conf.py``.

    Returns:
        Its mechanics by id; ``book("docs").characters["mara"]`` is a character.

    Raises:
        DiceError: it is no book, or ``dicedocs[sphinx]`` is not installed.
    """
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group=GROUP)), None)
    try:
        if found is None:
            raise ImportError
        read: BookReader = found.load()
    except ImportError as error:
        raise DiceError("Sphinx, which reads books, is not installed", hint="pip install 'dicedocs[sphinx]'") from error
    read_book = Book(*read(Path(folder)))
    announce_book(read_book)
    return read_book
