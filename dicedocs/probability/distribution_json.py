"""A distribution as JSON, and back. Counts are written as text, since JSON readers lose long numbers."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import ParameterError
from dicedocs.probability.convolution import WRITABLE_BITS
from dicedocs.probability.ordering import ChoiceOrders

_LONGEST_COUNT: Final = 7 * limits.DICE.maximum
"""The digits that a count can have: each die multiplies it by its sides, which have up to 7 digits."""


def dump_counts(
    counts: Mapping[Any, int], denominator: int, names: tuple[str, ...], choice_orders: ChoiceOrders
) -> str:
    """Return the counts of a distribution as JSON."""
    rows = [[value, _count_text(count)] for value, count in counts.items()]
    data = {"names": names, "denominator": _count_text(denominator), "counts": rows}
    return json.dumps({**data, "words": choice_orders} if choice_orders else data)


def load_counts(text: str) -> tuple[dict[Any, int], tuple[str, ...], ChoiceOrders]:
    """Return the counts, names and orders of words that :func:`dump_counts` wrote.

    Raises:
        ParameterError: the text is something else.
    """
    try:
        data = json.loads(text)
        counts = {_hashable(value): _parse_count(count) for value, count in data["counts"]}
        names = tuple(str(name) for name in data["names"])
        choice_orders = tuple(tuple(map(str, words)) for words in data.get("words", ()))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ParameterError("this is not a distribution", hint="give the text that to_json() returned") from None
    return counts, names, choice_orders if len(choice_orders) == len(names) else ()


def _hashable(value: Any) -> Hashable:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _count_text(count: int) -> str:
    if count.bit_length() < WRITABLE_BITS:
        return str(count)
    from decimal import Decimal

    return f"{Decimal(count):f}"


def _parse_count(text: object) -> int:
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= _LONGEST_COUNT):
        raise ValueError
    if len(text) < WRITABLE_BITS // 4:
        return int(text)
    from decimal import Decimal

    return int(Decimal(text))
