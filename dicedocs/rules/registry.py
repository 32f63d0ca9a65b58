"""Which mechanics there are: the project's own, and those that packages install.

A game of the project is a module of :mod:`dicedocs.systems`; another's is offered by the
entry-point group ``dicedocs.systems`` under the part of its ids before the slash. Only the module
that is asked for is imported, and entry points are read only for an id that is not known.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Final

from dicedocs.errors import DiceError, ParameterError, near, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dicedocs.rules.mechanic import Mechanic

GROUP: Final = "dicedocs.systems"
"""The entry-point group in which a package offers its games, and the package of our own."""

_registered: dict[str, type[Mechanic]] = {}


def register(rule: type[Mechanic]) -> None:
    """Make a mechanic known under its id; a class of the same module and name replaces itself.

    Raises:
        TypeError: another class has that id.
    """
    known = _registered.get(rule.id)
    if known is not None and (known.__module__, known.__qualname__) != (rule.__module__, rule.__qualname__):
        raise TypeError(f"{rule.id!r} is the id of {known!r} already")
    _registered[rule.id] = rule


def mechanic(id: str) -> type[Mechanic]:
    """Give the mechanic that has an id.

    Raises:
        ParameterError: there is none; the error names near matches.
        DiceError: the module that offers it cannot be imported.

    >>> mechanic("methuen/check").__name__
    'Check'
    """
    id = str(id)
    known = _registered.get(id)
    if known is not None:
        return known
    _load(id.partition("/")[0])
    if id not in _registered:
        hint = near(id, mechanics())
        raise ParameterError(f"there is no mechanic {quoted(id)}", hint=hint, parameter="mechanic")
    return _registered[id]


def mechanics() -> list[str]:
    """Give the ids of all mechanics that are installed, in order.

    A game that cannot be loaded is left out with a warning, so that one broken package does not
    hide the others.

    >>> "methuen/expression" in mechanics()
    True
    """
    for system in sorted({*_built_in(), *_offered()}):
        try:
            _load(system)
        except DiceError as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    return sorted(_registered)


def _load(system: str) -> None:
    module = _built_in().get(system) or _offered().get(system)
    if module is None:
        return
    try:
        import_module(module)
    except Exception as error:
        message = f"the game {quoted(system)} cannot be loaded from {module}: {type(error).__name__}: {error}"
        raise DiceError(message, hint="mend or uninstall the package that offers it") from error


def _built_in() -> Mapping[str, str]:
    """Give the systems of the project, each with its module."""
    import pkgutil

    from dicedocs import systems

    return {info.name.replace("_", "-"): f"{GROUP}.{info.name}" for info in pkgutil.iter_modules(systems.__path__)}


def _offered() -> Mapping[str, str]:
    """Give the systems that packages install, each with its module."""
    from importlib.metadata import entry_points

    return {entry.name: entry.module for entry in entry_points(group=GROUP)}
