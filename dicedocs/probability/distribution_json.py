"""A distribution as JSON, and back. Counts are written as text, since JSON readers lose long numbers."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

from dicedocs import limits
from dicedocs.errors import ParameterError
from dicedocs.probability.arguments import check_names, checked_names
from dicedocs.probability.ordering import ChoiceOrders
from dicedocs.render.numbers import whole_number, whole_text

"""The digits that a count can have: a digit is more than 3.3 bits."""


def dump_counts(
    counts: Mapping[Any, int], denominator: int, names: tuple[str, ...], choice_orders: ChoiceOrders
) -> str:
    """Return the counts of a distribution as JSON."""
    rows = [[value, whole_text(count)] for value, count in counts.items()]
    data = {"names": names, "denominator": whole_text(denominator), "counts": rows}
    try:
        return json.dumps({**data, "words": choice_orders} if choice_orders else data)
    except TypeError:
        message = "only numbers, words, truth values, None and tuples of these can be written as JSON"
        raise ParameterError(message, hint="map() the values to these first") from None


def load_counts(text: str) -> tuple[dict[Any, int], tuple[str, ...], ChoiceOrders, int]:
    """Return the counts, names, orders of words and denominator that :func:`dump_counts` wrote.

    Raises:
        ParameterError: the text is something else.
    """
    try:
        data = json.loads(text)
        rows = data["counts"]
        limits.OUTCOMES.check(len(rows))
        counts = {_hashable(value): _parse_count(count) for value, count in rows}
        denominator = _parse_count(data["denominator"])
        if denominator < sum(counts.values()):
            raise ValueError
        names = checked_names(data["names"])
        check_names(names, counts)
        choice_orders = tuple(tuple(map(str, words)) for words in data.get("words", ()))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ParameterError("this is not a distribution", hint="give the text that to_json() returned") from None
    return counts, names, choice_orders if len(choice_orders) == len(names) else (), denominator


def _hashable(value: Any, depth: int = 0) -> Hashable:
    if isinstance(value, list):
        return tuple(_hashable(item, depth + 1) for item in value)
    if depth > limits.NESTING.maximum or isinstance(value, dict):
        raise ValueError
    return value  # type: ignore[no-any-return]  # a number, a word, a truth value or None


def _parse_count(text: object) -> int:
    if not (
        isinstance(text, str)
        and text.isascii()
        and text.isdigit()
        and len(text) <= limits.DENOMINATOR.maximum * 3 // 10
    ):
        raise ValueError
    return whole_number(text)
