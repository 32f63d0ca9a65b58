"""The order in which the values of a distribution stand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

ChoiceOrders = tuple[tuple[str, ...], ...]
"""For each fact its words, in the order in which its kind declares them; empty where there are none."""


def sort_values(values: Collection[Any], choice_orders: ChoiceOrders = ()) -> list[Any]:
    """Return values in order: numbers and truth values by size, words as declared, then lists, and ``None`` last.

    >>> sort_values([None, "high", 2, "low", 1], (("low", "high"),))
    [1, 2, 'low', 'high', None]
    """
    if set(map(type, values)) == {int}:
        return sorted(values)
    ranks = [{word: rank for rank, word in enumerate(words)} for words in choice_orders] or [{}]
    keys: Iterable[Any]
    if len(choice_orders) < 2:
        keys = _sort_keys(list(values), ranks[0])
    else:
        columns = zip(*values, strict=True)
        keys = zip(*(_sort_keys(column, words) for column, words in zip(columns, ranks, strict=True)), strict=True)
    return [value for _, value in sorted(zip(keys, values, strict=True), key=itemgetter(0))]


def _sort_keys(values: Sequence[Any], ranks: Mapping[str, int]) -> Sequence[Any]:
    """Return the keys by which values are sorted; columns of numbers or of words need no key for each value."""
    types = set(map(type, values))
    if types <= {int, bool}:
        return values
    if types == {str}:
        return [ranks.get(word, len(ranks)) for word in values]
    if types == {tuple} and values[0] and len(set(map(len, values))) == 1:
        columns = zip(*values, strict=True)
        return list(zip(*(_sort_keys(column, ranks) for column in columns), strict=True))
    return [_sort_key(value, ranks) for value in values]


def _sort_key(value: Any, ranks: Mapping[str, int]) -> tuple[int, Any]:
    if isinstance(value, int):
        return (0, value)
    if isinstance(value, tuple):
        return (2, [_sort_key(item, ranks) for item in value])
    return (3, 0) if value is None else (1, ranks.get(value, len(ranks)))
