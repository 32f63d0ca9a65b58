"""Ways over what leads to what: all that can be reached, and the shortest way to one of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def reach(starts: Iterable[K], leads_to: Callable[[K], Iterable[K]]) -> dict[K, K | None]:
    """Return all that some starts lead to, also through others, each with what first led to it; the nearest first.

    Parameters:
        starts: where to start, which is reached too.
        leads_to: what each leads to.

    >>> reach("a", {"a": "bc", "b": "d", "c": "d", "d": "a"}.__getitem__)
    {'a': None, 'b': 'a', 'c': 'a', 'd': 'b'}
    """
    before: dict[K, K | None] = dict.fromkeys(starts)
    for key in (waiting := list(before)):
        new = [other for other in dict.fromkeys(leads_to(key)) if other not in before]
        before |= dict.fromkeys(new, key)
        waiting += new
    return before


def find_way(starts: Iterable[K], end: K, leads_to: Callable[[K], Iterable[K]]) -> list[K]:
    """Return the shortest way from one of some starts, both ends included; empty if there is none.

    >>> find_way("b", "a", {"a": "bc", "b": "d", "c": "d", "d": "a"}.__getitem__)
    ['b', 'd', 'a']
    """
    before = reach(starts, leads_to)
    way = list[K]()
    key = end if end in before else None
    while key is not None:
        way.insert(0, key)
        key = before[key]
    return way
