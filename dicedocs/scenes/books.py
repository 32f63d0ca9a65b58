"""A book, read for its mechanics and its characters, which are then played from Python and the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from dicedocs.errors import DiceError, ParameterError, is_text, listed, quoted
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.registry import announce_book
from dicedocs.scenes.character import Character
from dicedocs.similar_words import near

GROUP: Final = "dicedocs.books"
"""The entry-point group of functions that read the folder of a book; ours is the only one."""
Progress = Callable[[int, int], None]
"""A function that is told how many pages of how many are read."""


class BookContents(NamedTuple):
    """What is played of a book from elsewhere.

    Parameters:
        mechanics: its tables and its rules.
        faults: what is wrong with those that cannot be played, by id.
        characters: its characters, by the names that its pages use.
    """

    mechanics: Sequence[PageRule]
    faults: Mapping[str, str] = MappingProxyType({})
    characters: Mapping[str, Character] = MappingProxyType({})


BookReader = Callable[[Path, Path | None, Progress | None], BookContents]
"""Reads the book in a folder, with the folder of its ``conf.py`` if it is another one, and reports how many pages are
read."""


class Book(Mapping[str, type[Mechanic]]):
    """The mechanics in the pages of a book, by id; :func:`book` reads one.

    Parameters:
        contents: what is in its pages.
        folder: the folder that it was read from, as it was given.

    ``characters`` are its characters, by the names that its pages use. ``faults`` say what is wrong with those that
    cannot be played, by id.
    """

    def __init__(self, contents: BookContents, folder: str = "") -> None:
        self.folder: Final = folder
        self.faults: Final[Mapping[str, str]] = dict(contents.faults)
        self.characters: Final[Mapping[str, Character]] = _Characters(contents.characters)
        self._plain: Final = tuple(contents.mechanics)
        self._rules: Final[Mapping[str, type[Mechanic]]] = book_mechanics(self._plain, folder)

    def __getitem__(self, id: str) -> type[Mechanic]:
        """Return the mechanic with an id.

        Raises:
            ParameterError: there is none, or it has a mistake.
        """
        if not is_text(id) or id not in self._rules:
            if is_text(id) and id in self.faults:
                raise ParameterError(f"the mechanic {quoted(id)} of the book has a mistake", hint=self.faults[id])
            hint = near(id, self._rules) or ("" if self._rules else "the book has no mechanics")
            raise ParameterError(f"no mechanic of the book has the id {quoted(id)}", hint=hint)
        return self._rules[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def __contains__(self, id: object) -> bool:
        return is_text(id) and id in self._rules

    def __reduce__(self) -> tuple[Any, ...]:
        # No module has the classes of its mechanics.
        return type(self), (BookContents(self._plain, self.faults, dict(self.characters)), self.folder)

    def __repr__(self) -> str:
        return f"<Book {quoted(self.folder)}: {listed(self._rules, 'and') if self._rules else 'no mechanics'}>"


class _Characters(dict[str, Character]):
    def __missing__(self, name: str) -> Character:
        hint = near(name, self) or ("" if self else "the book has no characters")
        raise ParameterError(f"no character of the book is named {quoted(name)}", hint=hint)


def book(
    folder: str | PathLike[str], *, conf: str | PathLike[str] | None = None, progress: Progress | None = None
) -> Book:
    """Read the pages of a book; from then on the mechanics in them are known by their ids.

    They are as they stand there now until it is read again. Those of a book that was read before are known by
    their ids no longer. While Sphinx builds a book in the same process, an id first means a mechanic of that one.

    Parameters:
        folder: the folder of its pages.
        conf: the folder of its ``conf.py``; by default that of the pages.
        progress: called after each page with the number of pages that are done, and of all.

    Returns:
        Its mechanics by id, ``dd.book("docs")["road/weather"]``, and its characters,
        ``dd.book("docs").characters["mara"]``.

    Raises:
        ParameterError: it is no folder.
        DiceError: it is no book, Sphinx cannot read it, or ``dicedocs[sphinx]`` is not installed.
    """
    read = read_book(folder, conf, progress)
    announce_book({**read.faults, **read})
    return read


def read_book(
    folder: str | PathLike[str], conf: str | PathLike[str] | None = None, progress: Progress | None = None
) -> Book:
    """Read the pages of a book as :func:`book` does, so that its mechanics are known by their ids nowhere yet."""
    from importlib.metadata import entry_points

    path, conf_path = _path(folder, "book"), None if conf is None else _path(conf, "conf")
    try:
        read: BookReader = next(iter(entry_points(group=GROUP))).load()
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in {"sphinx", "docutils"}:
            raise
        message = f"reading a book needs {package}, which is not installed"
        raise DiceError(message, hint="run: pip install 'dicedocs[sphinx]'") from None
    return Book(read(path, conf_path, progress), str(os.fspath(folder)))


def _path(folder: object, parameter: str) -> Path:
    try:
        return Path(folder)  # type: ignore[arg-type]  # anything may come from a caller
    except Exception:  # noqa: BLE001  # the methods of what is no path may raise anything
        hint = 'give the folder of its conf.py, as in book("docs")'
        raise ParameterError(f"{quoted(folder)} is not a folder", hint=hint, parameter=parameter) from None
