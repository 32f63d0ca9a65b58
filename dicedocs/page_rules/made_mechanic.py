"""Mechanics that are made from plain data: no module has their classes, so what is pickled says how to make them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeVar, cast
from weakref import WeakValueDictionary

from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.translation import Language, current_language

Made = tuple[Callable[..., "type[MadeMechanic]"], tuple[Any, ...]]
"""A function of a module, and with what it makes a mechanic."""


class MadeMechanic(Mechanic):
    """A mechanic that is made from plain data."""

    _folder: ClassVar[str] = ""

    @classmethod
    def _made(cls) -> Made:
        """Return how the class is made."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        return _blank_rule, self._made(), self.__getstate__()


class MadeOutcome(Outcome):
    """The outcome of a mechanic that is made from plain data."""

    __slots__ = ()

    _rule: ClassVar[type[MadeMechanic]]

    def __reduce__(self) -> tuple[Any, ...]:
        return _blank_outcome, self._rule._made(), self.__getstate__()


def _blank_rule(make: Callable[..., type[MadeMechanic]], made_of: tuple[Any, ...]) -> MadeMechanic:
    rule = make(*made_of)
    return rule.__new__(rule)


def _blank_outcome(make: Callable[..., type[MadeMechanic]], made_of: tuple[Any, ...]) -> Outcome:
    outcomes = make(*made_of).result()
    return outcomes.__new__(outcomes)


def folder_of(rule: object) -> str:
    """Return the folder of the book that a mechanic was loaded from; empty for one of a page, and for any other."""
    return rule._folder if isinstance(rule, MadeMechanic) else ""


_Rule = TypeVar("_Rule", bound=MadeMechanic)
_known: Final[WeakValueDictionary[tuple[str, str, Language | None], type[MadeMechanic]]] = WeakValueDictionary()
"""The mechanics by folder, digest and language."""


def made_once(folder: str, digest: str, make: Callable[[], type[_Rule]]) -> type[_Rule]:
    """Return a mechanic that did not change as the same class when it is read again.

    Parameters:
        folder: the folder of its book, if that was loaded.
        digest: what changes when the mechanic does.
        make: makes the class, if nobody has it.
    """
    key = folder, digest, current_language()
    rule = _known.get(key)
    if rule is None:
        rule = _known[key] = make()
    return cast("type[_Rule]", rule)
