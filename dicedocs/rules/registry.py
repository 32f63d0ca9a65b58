"""The mechanics that are known: those of this package, of other packages, and of the pages of a book.

A game of this package is a module of :mod:`dicedocs.systems`; another package names its module in the
entry-point group ``dicedocs.systems``, under the part of its ids before the slash. A game is imported
when one of its mechanics is first used, and entry points are read only for an unknown id.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections import ChainMap
from contextlib import contextmanager, redirect_stdout, suppress
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from dicedocs.errors import DiceError, ParameterError, is_text, quoted
from dicedocs.similar_words import near

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dicedocs.rules.mechanic import Mechanic

GROUP: Final = "dicedocs.systems"
"""The entry-point group of other packages' games, and the package of our own."""

NOTATION: Final = "dice"
"""The part before the slash of the ids of the notation, which is not a game and belongs to the core."""
ROLL: Final = f"{NOTATION}/roll"
"""The mechanic that rolls notation."""
CHECK: Final = f"{NOTATION}/check"
"""The mechanic that compares two texts in notation."""

_RETRY: Final = 10
"""A failed import is tried again after this many times the time it took: most of a build is not spent on it."""

_announced: dict[str, str] = {}
"""The modules of games that are not installed, by system, in the form of entry points."""

_Path = tuple[tuple[str, int], ...]
"""The folders that Python searches for modules, each with the time of its last change."""
_registered: dict[str, type[Mechanic]] = {}
_in_use: dict[str, type[Mechanic] | str] = {}
"""The mechanics in the pages of the book that is built, checked or named in a command, by id.

Of one with a mistake it is what is wrong with it.
"""
_loaded: dict[str, type[Mechanic] | str] = {}
"""The same of the book that was loaded."""
_of_books: Final = ChainMap(_in_use, _loaded)
_failures: dict[str, tuple[DiceError, float, _Path]] = {}
"""The modules whose import failed, each with its error, and the time until which it is not tried again with a path."""


def register(rule: type[Mechanic]) -> None:
    """Register a mechanic; a reloaded class replaces itself, and another class with the id is a ``TypeError``."""
    if not is_text(getattr(rule, "id", None)):
        raise TypeError(f"{quoted(rule)} is not the class of a mechanic with an id")
    known = _registered.get(rule.id)
    if known is not None and (known.__module__, known.__qualname__) != (rule.__module__, rule.__qualname__):
        raise TypeError(f"{rule.id!r} is already the id of {known!r}")
    _registered[rule.id] = rule


def mechanic(id: str) -> type[Mechanic]:
    """Return the mechanic with an id.

    Raises:
        ParameterError: there is none; the error lists near matches.
        DiceError: its module cannot be imported.

    >>> mechanic("methuen/check").__name__
    'Check'
    """
    if not is_text(id):
        raise ParameterError(f"there is no mechanic {quoted(id)}", hint="give its id as text", parameter="mechanic")
    known = _registered.get(id) or _of_books.get(id)
    if known is not None and not isinstance(known, str):
        return known
    system = id.partition("/")[0]
    _load(system)
    if id not in _registered:
        if known:
            message = f"the mechanic {quoted(id)} of the book has a mistake"
            raise ParameterError(message, hint=known, parameter="mechanic")
        hint = near(id, mechanics())
        if not hint and system in _announced:
            hint = f"write it in {_announced[system]} after the name of the class: (Mechanic, id={id!r})"
        if not hint:
            hint = "the command 'dicedocs mechanics' lists them"
            hint += "" if "/" in id else f"; for notation write {ROLL!r}, notation={quoted(id)}"
        raise ParameterError(f"there is no mechanic {quoted(id)}", hint=hint, parameter="mechanic")
    return _registered[id]


def is_installed(id: str) -> bool:
    """Return whether there is an installed mechanic with an id, which no book has brought.

    >>> is_installed("methuen/check"), is_installed("road/weather")
    (True, False)
    """
    with suppress(DiceError):
        _load(id.partition("/")[0])
    return id in _registered


def announce(games: Mapping[str, str]) -> None:
    """Let games be found that are not installed; those that were announced before are forgotten.

    Parameters:
        games: the name of the module of each system, which is imported when one of its mechanics is first used.
    """
    _announced.clear()
    _announced.update(games)


def announce_book(rules: Mapping[str, type[Mechanic] | str]) -> None:
    """Let the mechanics in the pages of a book be found that was loaded; those of another one are forgotten.

    Parameters:
        rules: the mechanics by id, or what is wrong with one. An installed one that has the id of one of them goes
            before it, and so does one of the book that is in use.
    """
    _loaded.clear()
    _loaded.update(rules)


def use_book(rules: Mapping[str, type[Mechanic] | str]) -> None:
    """Let the mechanics in the pages of a book be found that is built, which :func:`announce_book` does not change.

    Parameters:
        rules: the same; none when the book is built.
    """
    _in_use.clear()
    _in_use.update(rules)


@contextmanager
def in_book(rules: Mapping[str, type[Mechanic] | str]) -> Iterator[None]:
    """Let the mechanics in the pages of a book be found in a ``with`` statement; what is changed there is undone."""
    before = dict(_in_use)
    use_book(rules)
    try:
        yield
    finally:
        use_book(before)


def systems() -> set[str]:
    """Return the systems that have mechanics or may have some: none is imported for it."""
    known = (id.partition("/")[0] for id in (*_registered, *_of_books))
    return {*_built_in(), *_from_packages(), *known}


def game_modules() -> Mapping[str, str]:
    """Return the modules of the games that are not built in, by their systems: none is imported for it."""
    return _from_packages()


def mechanics() -> list[str]:
    """Return the ids of all mechanics, installed ones and those of a book, sorted.

    A game that cannot be loaded is left out with a warning, so that a broken package does not hide the
    others.

    >>> "methuen/expression" in mechanics()
    True
    """
    for system in sorted({*_built_in(), *_from_packages()}):
        try:
            _load(system)
        except DiceError as error:
            # Who announced a game plays it, and is told by the error itself.
            if system not in _announced:
                warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    return sorted({*_registered, *(id for id, rule in _of_books.items() if not isinstance(rule, str))})


def _load(system: str) -> None:
    module = _built_in().get(system) or _from_packages().get(system)
    if module is None or module in sys.modules:
        return
    failure, until, path = _failures.get(module, (None, 0.0, ()))
    if failure is not None and time.monotonic() < until and path == _search_path():
        raise DiceError(failure.message, hint=failure.hint) from failure.__cause__
    known, started = dict(_registered), time.monotonic()
    try:
        _import(module)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        from dicedocs.clock import TimeUp
        from dicedocs.faults import author_line, describe_error

        # What the module registered before it failed is not to be played: the next use would find it.
        for id in _registered.keys() - known.keys():
            if _registered[id].__module__ not in sys.modules:
                del _registered[id]
        reason = describe_error(error)
        if isinstance(error, TimeUp):
            where = author_line(error.__traceback__)
            reason = f"it takes too long ({where})" if where else "it takes too long"
        message = f"the game {quoted(system)} cannot be loaded from {module}: {reason}"
        remedy = "fix this module" if system in _announced else "fix or uninstall the package that provides it"
        failure = DiceError(message, hint=remedy)
        failure.__cause__ = error
        now = time.monotonic()
        _failures[module] = failure, now + _RETRY * (now - started), _search_path()
        if isinstance(error, TimeUp):
            raise
        raise failure from error


def _import(module: str) -> None:
    """Import a module; what it prints is not part of the output of the program that uses it."""
    with redirect_stdout(sys.stderr):
        import_module(module)


@cache
def _built_in() -> Mapping[str, str]:
    """Return the module of each system of this package."""
    import pkgutil

    from dicedocs import systems

    games = {info.name.replace("_", "-"): f"{GROUP}.{info.name}" for info in pkgutil.iter_modules(systems.__path__)}
    return {NOTATION: "dicedocs.expression.roll_and_check", **games}


def _from_packages() -> Mapping[str, str]:
    """Return the module of each system of other packages, or of games that were announced."""
    return {**_entries(_search_path()), **_announced}


def _search_path() -> _Path:
    return tuple((folder, _changed(folder)) for folder in sys.path)


def _changed(folder: str) -> int:
    """Return when a folder or an archive was changed last, which installing a package does."""
    try:
        return os.stat(folder or ".").st_mtime_ns  # noqa: PTH116  # called for every unknown id, and thrice as fast
    except (OSError, ValueError):
        return 0


@lru_cache(maxsize=1)
def _entries(_path: _Path) -> Mapping[str, str]:
    from importlib.metadata import entry_points

    return {entry.name: entry.module for entry in entry_points(group=GROUP)}
