"""The lock that all panels share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Final, ParamSpec, TypeVar

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
