"""The order in which the values of a distribution stand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

ChoiceOrders = tuple[tuple[str, ...], ...]
"""For each fact its words, in the order in which its kind declares them; empty where there are none."""


def sort_values(values: Collection[Any], choice_orders: ChoiceOrders = ()) -> list[Any]:
    """Return values in order: numbers and truth values by size, words as declared, then lists, and ``None`` last.

    >>> sort_values([None, "high", 2, "low", 1], (("low", "high"),))
    [1, 2, 'low', 'high', None]
    """
    types = set(map(type, values))
    if types == {tuple}:
        types = set(map(type, chain.from_iterable(values)))
    if types == {int}:
        return sorted(values)
    ranks = [{word: rank for rank, word in enumerate(words)} for words in choice_orders] or [{}]
    if len(choice_orders) < 2:
        return sorted(values, key=lambda value: _sort_key(value, ranks[0]))
    return sorted(values, key=lambda facts: [_sort_key(*fact) for fact in zip(facts, ranks, strict=True)])


def _sort_key(value: Any, ranks: Mapping[str, int]) -> tuple[int, Any]:
    if isinstance(value, int):
        return (0, value)
    if isinstance(value, tuple):
        return (2, [_sort_key(item, ranks) for item in value])
    return (3, 0) if value is None else (1, ranks.get(value, len(ranks)))
