"""The installed mechanics: those of this package, and those of other packages.

A game of this package is a module of :mod:`dicedocs.systems`; another package names its module in the
entry-point group ``dicedocs.systems``, under the part of its ids before the slash. A game is imported
when one of its mechanics is first used, and entry points are read only for an unknown id.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Final

from dicedocs.errors import DiceError, ParameterError, is_text, near, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dicedocs.rules.mechanic import Mechanic

GROUP: Final = "dicedocs.systems"
"""The entry-point group of other packages' games, and the package of our own."""

_registered: dict[str, type[Mechanic]] = {}


def register(rule: type[Mechanic]) -> None:
    """Register a mechanic; a reloaded class replaces itself, and another class with the id is a ``TypeError``."""
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
    known = _registered.get(id)
    if known is not None:
        return known
    _load(id.partition("/")[0])
    if id not in _registered:
        hint = near(id, mechanics())
        raise ParameterError(f"there is no mechanic {quoted(id)}", hint=hint, parameter="mechanic")
    return _registered[id]


def mechanics() -> list[str]:
    """Return the ids of all installed mechanics, sorted.

    A game that cannot be loaded is left out with a warning, so that a broken package does not hide the
    others.

    >>> "methuen/expression" in mechanics()
    True
    """
    for system in sorted({*_built_in(), *_from_packages()}):
        try:
            _load(system)
        except DiceError as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    return sorted(_registered)


def _load(system: str) -> None:
    module = _built_in().get(system) or _from_packages().get(system)
    if module is None:
        return
    try:
        import_module(module)
    except Exception as error:
        message = f"the game {quoted(system)} cannot be loaded from {module}: {type(error).__name__}: {error}"
        raise DiceError(message, hint="fix or uninstall the package that provides it") from error


def _built_in() -> Mapping[str, str]:
    """Return the module of each system of this package."""
    import pkgutil

    from dicedocs import systems

    return {info.name.replace("_", "-"): f"{GROUP}.{info.name}" for info in pkgutil.iter_modules(systems.__path__)}


def _from_packages() -> Mapping[str, str]:
    """Return the module of each system of other packages."""
    from importlib.metadata import entry_points

    return {entry.name: entry.module for entry in entry_points(group=GROUP)}
