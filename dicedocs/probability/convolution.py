"""Sums, products and quotients of independent whole numbers, counted exactly.

A list of counts stands for consecutive whole numbers, and its caller knows which number is the first. Lists are
convolved by packing each into one long decimal number, so that a single multiplication adds up all the products. Python
multiplies long decimal numbers in nearly linear time, and integers in much more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import quoted
from dicedocs.render.numbers import whole_number, whole_text

FEWER_DICE: Final = "use fewer dice, or dice with fewer sides"
"""The hint where there is too much to count."""
_EXACT: Final = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])


def check_size(outcomes: int, denominator_bits: float, hint: str = FEWER_DICE) -> None:
    """Raise a ``LimitError`` if a list of counts would pass ``OUTCOMES``, or ``COUNT_BITS`` in all."""
    if outcomes > limits.OUTCOMES.maximum:
        limits.OUTCOMES.check(outcomes, hint=hint)
    if outcomes * denominator_bits > limits.COUNT_BITS.maximum:
        limits.COUNT_BITS.check(int(outcomes * denominator_bits), hint=hint)


def sums(count: int, sides: int) -> list[int]:
    """Return the ways to each sum of equal dice, from ``count`` to ``count * sides``.

    >>> sums(2, 6)
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    """
    top = count * (sides - 1)
    check_size(top + 1, count * sides.bit_length())
    if count < 2:
        return [1] * sides if count else [1]
    # The counts are the coefficients of a power of a polynomial; its derivative relates each to earlier ones.
    ways = [1]
    half = top // 2 + 1
    for k in range(1, min(sides, half)):
        ways.append(ways[-1] * (k - 1 + count) // k)
    highest = count * sides
    for k in range(sides, half):
        # The factor (1 - x^sides)^count of the polynomial adds these two terms.
        more = ways[k - 1 - sides] * (highest - count - k + 1 + sides) if k > sides else 0
        ways.append((ways[k - 1] * (k - 1 + count) + ways[k - sides] * (k - sides - highest) + more) // k)
    return ways + ways[top - half :: -1] if top >= half else ways


class DiceGroup(NamedTuple):
    """Equal dice whose faces are all multiplied by the same factor.

    Parameters:
        number: how many dice, at least 0.
        sides: the sides of each, at least 1.
        times: the factor, at least 1.
    """

    number: int
    sides: int
    times: int = 1


def mixed_sums(dice: Iterable[DiceGroup]) -> list[int]:
    """Return the ways to each sum of different dice, from the lowest to the highest.

    >>> mixed_sums([DiceGroup(1, 2), DiceGroup(1, 2, times=3)])
    [1, 1, 0, 1, 1]
    """
    groups = [group for group in dice if group.number and group.sides > 1]
    if len(groups) < 2 and all(group.times == 1 for group in groups):
        return sums(*groups[0][:2]) if groups else [1]
    top = sum(group.number * (group.sides - 1) * group.times for group in groups)
    check_size(top + 1, sum(group.number * group.sides.bit_length() for group in groups))
    half = top // 2 + 1
    # The polynomial is a product of powers of (1 - x^lag); its logarithmic derivative is a sum of periodic series.
    factors: Counter[int] = Counter()
    for number, sides, times in groups:
        factors[times] += number * times
        factors[times * sides] -= number * times * sides
    series = [(lag, factor, [0] * lag) for lag, factor in factors.items() if factor and lag < half]
    ways = [1]
    for k in range(1, half):
        total = 0
        for lag, factor, partial_sums in series:
            if lag <= k:
                partial_sums[k % lag] += ways[k - lag]
                total += factor * partial_sums[k % lag]
        ways.append(total // k)
    return ways + ways[top - half :: -1] if top >= half else ways


def binomial(low: int, high: int, times: int) -> list[int]:
    """Return the ways to the sums of as many numbers, each of which is 0 in ``low`` ways and 1 in ``high``.

    >>> binomial(5, 1, 2)
    [25, 10, 1]
    """
    ways = [low**times]
    for k in range(times):
        ways.append(ways[-1] * (high * (times - k)) // (low * (k + 1)))
    return ways


def convolve(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Return the ways to each sum of two independent numbers.

    >>> convolve([1, 1], [1, 1])
    [1, 2, 1]
    """
    length = len(left) + len(right) - 1
    largest = sum(left) * max(right)
    check_size(length, largest.bit_length())
    width = len(whole_text(largest))

    def pack(counts: Sequence[int]) -> Decimal:
        return Decimal("".join([whole_text(count).zfill(width) for count in reversed(counts)]))

    packed = pack(left)
    # A square takes less time than a product.
    digits = f"{_EXACT.multiply(packed, packed if right is left else pack(right)):f}".zfill(width * length)
    return [whole_number(digits[start : start + width]) for start in range(len(digits) - width, -1, -width)]


def products(left: Mapping[int, int], right: Mapping[int, int]) -> dict[int, int]:
    """Return the ways to each product of two independent numbers.

    >>> products({1: 1, 2: 1}, {3: 1, 6: 1})
    {3: 1, 6: 2, 12: 1}
    """
    counts: dict[int, int] = {}
    get = counts.get
    right_items = list(right.items())
    for value, ways in left.items():
        for other, more in right_items:
            product = value * other
            counts[product] = get(product, 0) + ways * more
        if len(counts) > limits.OUTCOMES.maximum:
            limits.OUTCOMES.check(len(counts), hint=FEWER_DICE)
    return counts


def combinations(
    left: Mapping[Any, int], right: Mapping[Any, int], function: Callable[[Any, Any], Hashable]
) -> dict[Any, int]:
    """Return the ways to each value of a function of two independent values.

    >>> combinations({1: 1, 2: 1}, {2: 3}, max)
    {2: 6}
    """
    counts: dict[Any, int] = {}
    get = counts.get
    right_items = list(right.items())
    for value, ways in left.items():
        for other, more in right_items:
            new = function(value, other)
            try:
                counts[new] = get(new, 0) + ways * more
            except TypeError:
                raise unhashable_error(new) from None
        if len(counts) > limits.OUTCOMES.maximum:
            limits.OUTCOMES.check(len(counts), hint=FEWER_DICE)
    return counts


def lower_pairs(left: Mapping[int, int], right: Mapping[int, int], *, or_equal: bool) -> int:
    """Return the ways in which the first of two independent numbers, both in order, is the lower one.

    >>> lower_pairs({1: 1, 2: 1}, {1: 1, 2: 1}, or_equal=False)
    1
    """
    pairs = 0
    pending = list(right.items())[::-1]
    above = sum(right.values())
    for value, ways in left.items():
        while pending and (pending[-1][0] < value if or_equal else pending[-1][0] <= value):
            above -= pending.pop()[1]
        pairs += ways * above
    return pairs


def dense_products(low: int, left: Sequence[int], other_low: int, right: Sequence[int]) -> tuple[int, list[int]]:
    """Return the lowest product of two independent numbers, and the ways to each number from there on.

    The first counts stand for the numbers ``low`` and ``other_low``, which are not negative.

    >>> dense_products(1, [1, 1], 3, [1, 1])
    (3, [1, 1, 0, 1, 0, 1])
    """
    lowest = low * other_low
    counts = [0] * ((low + len(left) - 1) * (other_low + len(right) - 1) - lowest + 1)
    same = low == other_low and left == right
    for index, ways in enumerate(left):
        value = low + index
        if not value:
            counts[0] += ways * (2 * sum(right) - ways if same else sum(right))
            continue
        first, factors, times = other_low, right, ways
        if same:
            # Each pair of different values is counted together with its mirror image.
            counts[value * value - lowest] += ways * ways
            first, factors, times = value + 1, right[index + 1 :], 2 * ways
        row = slice(value * first - lowest, value * (first + len(factors)) - lowest, value)
        counts[row] = map(int.__add__, counts[row], [times * more for more in factors])
    return lowest, counts


def quotients(low: int, counts: Sequence[int], divisor: int) -> tuple[int, list[int]]:
    """Return the lowest quotient, rounded down, and the ways to each number from there on.

    The first count stands for the number ``low``; the divisor is at least 1.

    >>> quotients(1, [1, 1, 1, 1], 3)
    (0, [2, 2])
    """
    lowest, padding = divmod(low, divisor)
    if divisor >= padding + len(counts):
        return lowest, [sum(counts)]
    padded = [*[0] * padding, *counts, *[0] * (-(padding + len(counts)) % divisor)]
    ways = padded[::divisor]
    for index in range(1, divisor):
        ways = list(map(int.__add__, ways, padded[index::divisor]))
    return lowest, ways


def byte_width(largest: int) -> int:
    """Return the bytes of one packed count; at least a machine word, which unpacks fastest."""
    return max(largest.bit_length() // 8 + 1, 8)


def unpack(packed: int, width: int, length: int) -> list[int]:
    """Return the counts that are packed into one integer, the first in its lowest bytes."""
    buffer = packed.to_bytes(width * length, "little")
    from_bytes = int.from_bytes
    return [from_bytes(buffer[start : start + width], "little") for start in range(0, len(buffer), width)]


def unhashable_error(value: object) -> TypeError:
    """Return the error for what a function of the values returned."""
    return TypeError(f"the function returned {quoted(value)}, which is not hashable and cannot be a value")
