"""The lock that all panels share, and what a panel does with what is played in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

LOCK: Final = RLock()
"""Held while a panel works: JupyterLab handles messages of a page in another thread than cells.

All panels share it: two linked panels, each with its own lock, could deadlock.
"""

P = ParamSpec("P")
R = TypeVar("R")


def locked(method: Callable[P, R]) -> Callable[P, R]:
    """Decorate a method of a panel to hold the lock of all panels."""

    @wraps(method)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        with LOCK:
            return method(*args, **kwargs)

    return wrapper


def acting(method: Callable[Concatenate[Any, P], R], part: str = "") -> Callable[Concatenate[Any, P], R]:
    """Return a method of a widget that does what one of its session or its table does, and shows what has changed.

    Parameters:
        method: the method.
        part: the attribute of the session whose method it is; by default the session's own.
    """

    @wraps(method)
    def act(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with LOCK:
            try:
                owner = getattr(self._session, part) if part else self._session
                done: R = getattr(owner, method.__name__)(*args, **kwargs)
                return done
            finally:
                self._publish()

    return act
