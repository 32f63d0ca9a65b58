"""Exact counting with dense lists: in how many ways dice come to each number.

A list of counts stands for whole numbers that follow one another; which number is the first is for
the caller to know. Long lists are multiplied by packing them into one large number each, so that
one multiplication does all the sums at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from dicedocs import limits

if TYPE_CHECKING:
    from dicedocs.rules.dice import Keep

FEWER_DICE: Final = "use fewer dice, or dice with fewer sides"
"""What to do where there is too much to count."""
_SHORT: Final = 8
"""Up to this many counts plain multiplication is faster than packing."""
_LONG: Final = 50_000
"""Beyond this many bits decimal numbers are multiplied faster."""
_FACE: Final = 10_000
"""Steps of exact counting that a face of an answer costs."""
_MANY: Final = 10_000
"""Faces of different dice, all together, up to which it is worth while to count exactly how they can lie."""
_WRITABLE: Final = 13_000
"""Up to this many bits Python writes a number in decimal."""
_LONGEST: Final = 7 * limits.DICE.maximum
"""Digits that a count can have: each die multiplies it by its sides, which are written with up to 7."""


def check_limits(outcomes: int, denominator_bits: float, hint: str = FEWER_DICE) -> None:
    """Refuse a list of counts before it is made.

    Parameters:
        outcomes: how many counts it would have.
        denominator_bits: how many bits the sum of all counts has.

    Raises:
        LimitError: there would be more than ``OUTCOMES``, or more than ``COUNT_BITS`` in all.
    """
    if outcomes > limits.OUTCOMES.maximum:
        limits.OUTCOMES.check(outcomes, hint=hint)
    if outcomes * denominator_bits > limits.COUNT_BITS.maximum:
        limits.COUNT_BITS.check(int(outcomes * denominator_bits), hint=hint)


def sums(count: int, sides: int) -> list[int]:
    """Count the ways to each sum of equal dice.

    Parameters:
        count: how many dice, at least 0.
        sides: the sides of each, at least 1.

    Returns:
        The ways to each sum, from ``count`` to ``count * sides``.

    Raises:
        LimitError: there are too many sums.

    >>> sums(2, 6)
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    """
    top = count * (sides - 1)
    check_limits(top + 1, count * sides.bit_length())
    if count < 2:
        return [1] * sides if count else [1]
    # The list is the power of a polynomial, and the derivative of a power gives each count from earlier ones.
    ways = [1]
    half = top // 2 + 1
    for k in range(1, min(sides, half)):
        ways.append(ways[-1] * (k - 1 + count) // k)
    every = count * sides
    for k in range(sides, half):
        # The count of one die more than fits below is subtracted where it first appears, and added back after.
        more = ways[k - 1 - sides] * (every - count - k + 1 + sides) if k > sides else 0
        ways.append((ways[k - 1] * (k - 1 + count) + ways[k - sides] * (k - sides - every) + more) // k)
    return ways + ways[top - half :: -1] if top >= half else ways


class DiceGroup(NamedTuple):
    """Equal dice of which each counts several times over.

    Parameters:
        number: how many dice, at least 0.
        sides: the sides of each, at least 1.
        times: what a face is multiplied by, at least 1.
    """

    number: int
    sides: int
    times: int = 1


def mixed_sums(dice: Iterable[DiceGroup]) -> list[int]:
    """Count the ways to each sum of different dice.

    Returns:
        The ways to each sum, from the lowest to the highest.

    Raises:
        LimitError: there are too many sums.

    >>> mixed_sums([DiceGroup(1, 2), DiceGroup(1, 2, times=3)])
    [1, 1, 0, 1, 1]
    """
    kinds = [kind for kind in dice if kind.number and kind.sides > 1]
    if len(kinds) < 2 and all(kind.times == 1 for kind in kinds):
        return sums(*kinds[0][:2]) if kinds else [1]
    top = sum(kind.number * (kind.sides - 1) * kind.times for kind in kinds)
    check_limits(top + 1, sum(kind.number * kind.sides.bit_length() for kind in kinds))
    half = top // 2 + 1
    # As above: the logarithm of the polynomial has a derivative whose terms return after so many steps.
    factors: Counter[int] = Counter()
    for number, sides, times in kinds:
        factors[times] += number * times
        factors[times * sides] -= number * times * sides
    returning = [(after, factor, [0] * after) for after, factor in factors.items() if factor and after < half]
    ways = [1]
    for k in range(1, half):
        total = 0
        for after, factor, gone in returning:
            if after <= k:
                gone[k % after] += ways[k - after]
                total += factor * gone[k % after]
        ways.append(total // k)
    return ways + ways[top - half :: -1] if top >= half else ways


def convolve(one: Sequence[int], two: Sequence[int]) -> list[int]:
    """Count the ways to each sum of two independent numbers.

    Returns:
        As many counts as both have together, less one.

    >>> convolve([1, 1], [1, 1])
    [1, 2, 1]
    """
    if len(one) < len(two):
        one, two = two, one
    if len(two) <= _SHORT:
        product = [0] * (len(one) + len(two) - 1)
        for shift, factor in enumerate(two):
            if factor:
                for place, ways in enumerate(one, shift):
                    product[place] += ways * factor
        return product
    length = len(one) + len(two) - 1
    step = _step(two)
    if step > 1:
        # What is stretched meets only every so many counts of the other.
        product = [0] * length
        for place in range(min(step, len(one))):
            product[place::step] = convolve(one[place::step], two[::step])
        return product
    largest = sum(one) * max(two)
    if not largest:
        return [0] * length
    check_limits(length, largest.bit_length())
    if len(two) * largest.bit_length() > _LONG and largest.bit_length() < _WRITABLE:
        return _convolve_decimal(one, two, largest, length)
    width = _width(largest)
    return _unpacked(_packed(one, width) * _packed(two, width), width, length)


def _convolve_decimal(one: Sequence[int], two: Sequence[int], largest: int, length: int) -> list[int]:
    """Pack into decimal numbers, which Python multiplies in nearly linear time, unlike its whole numbers."""
    from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact

    width = len(str(largest))

    def packed(counts: Sequence[int]) -> Decimal:
        return Decimal("".join([f"{count:0{width}d}" for count in reversed(counts)]))

    context = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
    digits = f"{context.multiply(packed(one), packed(two)):f}".zfill(width * length)
    return [int(digits[at : at + width]) for at in range(len(digits) - width, -1, -width)]


def _step(counts: Sequence[int]) -> int:
    """Give the step in which the counts stand that are not 0, if the list begins and ends with one."""
    if counts[1] or not counts[0]:
        return 1
    step = next(place for place, count in enumerate(counts) if count and place)
    even = len(counts) % step == 1 and sum(map(bool, counts[::step])) == sum(map(bool, counts))
    return step if even else 1


def products(one: Mapping[int, int], two: Mapping[int, int]) -> dict[int, int]:
    """Count the ways to each product of two independent numbers.

    >>> products({1: 1, 2: 1}, {3: 1, 6: 1})
    {3: 1, 6: 2, 12: 1}
    """
    found: dict[int, int] = {}
    get = found.get
    others = list(two.items())
    for value, ways in one.items():
        for other, more in others:
            product = value * other
            found[product] = get(product, 0) + ways * more
    return found


def dense_products(low: int, one: Sequence[int], other_low: int, two: Sequence[int]) -> tuple[int, list[int]]:
    """Count the ways to each product of two independent numbers, neither of them below 0.

    Parameters:
        low, other_low: the number that the first count of each list stands for.
        one, two: the counts.

    Returns:
        The lowest product, and the ways to each whole number from there on.

    >>> dense_products(1, [1, 1], 3, [1, 1])
    (3, [1, 1, 0, 1, 0, 1])
    """
    lowest = low * other_low
    found = [0] * ((low + len(one) - 1) * (other_low + len(two) - 1) - lowest + 1)
    same = low == other_low and one == two
    for place, ways in enumerate(one):
        value = low + place
        if not value:
            found[0] += ways * (2 * sum(two) - ways if same else sum(two))
            continue
        first, counts, times = other_low, two, ways
        if same:
            # Each pair stands for itself turned round as well.
            found[value * value - lowest] += ways * ways
            first, counts, times = value + 1, two[place + 1 :], 2 * ways
        row = slice(value * first - lowest, value * (first + len(counts)) - lowest, value)
        found[row] = map(int.__add__, found[row], [times * more for more in counts])
    return lowest, found


def quotients(low: int, counts: Sequence[int], divisor: int) -> tuple[int, list[int]]:
    """Count the ways to each quotient, rounded down.

    Parameters:
        low: the number that the first count stands for.
        counts: the counts.
        divisor: at least 1.

    Returns:
        The lowest quotient, and the ways to each from there on.

    >>> quotients(1, [1, 1, 1, 1], 3)
    (0, [2, 2])
    """
    lowest, before = divmod(low, divisor)
    if divisor >= before + len(counts):
        return lowest, [sum(counts)]
    padded = [*[0] * before, *counts, *[0] * (-(before + len(counts)) % divisor)]
    found = padded[::divisor]
    for place in range(1, divisor):
        found = list(map(int.__add__, found, padded[place::divisor]))
    return lowest, found


def kept_sums(sides: Sequence[int], keep: Keep | None) -> tuple[int, list[int]]:
    """Count the ways to each sum of the dice that are kept of a pool, which may differ in their sides.

    Returns:
        The lowest sum, and the ways to each from there on.

    Raises:
        LimitError: there are too many sums.

    >>> from dicedocs.rules.dice import highest
    >>> kept_sums([6, 6], highest(1))
    (1, [1, 3, 5, 7, 9, 11])
    """
    if keep is None or keep.number >= len(sides):
        return len(sides), mixed_sums(DiceGroup(number, size) for size, number in Counter(sides).items())
    number = keep.number
    if not number or not sides:
        return 0, [prod(sides)]
    if not keep.high and len(set(sides)) == 1:
        # What the lowest dice show is what the highest would, counted from the other end.
        low, ways = kept_sums(sides, keep._replace(high=True))
        return number * (1 + sides[0]) - (low + len(ways) - 1), ways[::-1]
    first, last = (0, number) if keep.high else (len(sides) - number, len(sides))
    highest_sum = sum(sorted(sides)[-number:]) if keep.high else sum(sorted(sides)[:number])
    bits = sum(side.bit_length() for side in sides)
    check_limits(highest_sum + 1, bits)
    work = max(sides) * len(sides) * (last if keep.high else len(sides)) * (highest_sum + 1) * bits
    limits.WORK.check(work, hint=FEWER_DICE)
    width = _width(prod(sides))
    ranked = _ranked_sums(sorted(sides), first, last, width)
    ways = _unpacked(ranked, width, highest_sum + 1)
    low = next(place for place, count in enumerate(ways) if count)
    return low, ways[low:]


def _ranked_sums(sides: list[int], first: int, last: int, width: int) -> int:
    """Count the sums of the dice from one rank to another, the highest die having rank 0; packed.

    Faces are placed from the highest down: of the dice that can show a face and have shown none so far, some show
    it, and all of them are alike. A list of counts is one number, so adding a face is a shift.
    """
    placed: dict[int, int] = {0: 1}
    done = 0
    below = len(sides)
    size = 8 * width
    for face in range(sides[-1], 0, -1):
        while below and sides[below - 1] >= face:
            below -= 1
        can = len(sides) - below
        # Dice that come after the last rank that is kept may show anything that is left.
        rest = prod(sides[:below])
        following: dict[int, int] = {}
        enough = _enough(face, can, last)
        for before, ways in placed.items():
            choices = 1
            for showing in range(min(can, last - 1) - before + 1):
                after = before + showing
                kept = max(0, after - max(before, first))
                following[after] = following.get(after, 0) + (ways * choices << size * face * kept)
                choices = choices * (can - after) // (showing + 1)
            if can >= last:
                done += (ways * (enough[before] * rest)) << size * face * (last - max(before, first))
        placed = following
    return done


def _enough(face: int, can: int, last: int) -> list[int]:
    """Count the ways in which dice that show no more than a face show it often enough to complete a number.

    Parameters:
        face: the face.
        can: how many dice show it or have shown more.
        last: how many dice are to show it or more.

    Returns:
        The ways by how many dice have shown more, from none to one less than ``last``.
    """
    spare = can - last
    if spare < 0:
        return []
    # At most `spare` of the dice show less. One die more shows the face, or less unless that were one too many.
    ways = face**spare
    choices, less = 1, (face - 1) ** (spare + 1)
    found = []
    for dice in range(spare, can):
        ways = face * ways - choices * less
        choices = choices * (dice + 1) // (dice + 1 - spare)
        found.append(ways)
    return found[::-1]


def multisets(sides: Sequence[int], keep: Keep | None) -> Iterator[tuple[tuple[int, ...], int]]:
    """Give each way the kept dice of a pool can lie, in order of size, with its number of ways.

    Raises:
        LimitError: there are more than ``BRANCHES``.

    >>> from dicedocs.rules.dice import highest
    >>> list(multisets([2, 2], None))
    [((1, 1), 1), ((1, 2), 2), ((2, 2), 1)]
    """
    number = len(sides) if keep is None else min(keep.number, len(sides))
    if not number:
        return iter([((), prod(sides))])
    answers = count_multisets(sides, keep)
    bits = sum(side.bit_length() for side in sides)
    limits.BRANCHES.check(answers, hint=FEWER_DICE)
    check_limits(answers, bits)
    limits.WORK.check(number * (answers * _FACE + max(sides) * bits), hint=FEWER_DICE)
    if number == len(sides) or (keep is not None and keep.high):
        return iter(sorted(_from_above(sorted(sides), number)))
    if len(set(sides)) == 1:
        turned = _from_above(sorted(sides), number)
        end = sides[0] + 1
        return iter(sorted((tuple(end - face for face in reversed(faces)), ways) for faces, ways in turned))
    return iter(sorted(_die_by_die(sides, number).items()))


def count_multisets(sides: Sequence[int], keep: Keep | None) -> int:
    """Count the ways in which the kept dice can lie; of very many dice that differ from above, never too few.

    >>> count_multisets([6, 6, 6], None)
    56
    """
    number = len(sides) if keep is None else min(keep.number, len(sides))
    if not number:
        return 1
    in_order = sorted(sides)
    read = in_order[-number:] if keep is not None and keep.high else in_order[:number]
    if read[0] == read[-1] or number * read[-1] > _MANY:
        return comb(read[-1] + number - 1, number)
    # In order of size the faces are no higher than the dice in order of size, and all such faces can lie.
    ways = [1] * read[0]
    for side in read[1:]:
        ways = list(accumulate(ways + [0] * (side - len(ways))))
    return sum(ways)


def _from_above(sides: list[int], number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Place the highest faces first, and stop as soon as enough dice lie.

    Parameters:
        sides: the sides in order of size.
        number: how many dice are read.
    """
    above = [len(sides) - bisect_left(sides, face) for face in range(sides[-1] + 1)]
    others = [1, *accumulate(sides, int.__mul__)]
    enough = [_enough(face, can, number) for face, can in enumerate(above)]
    waiting: list[tuple[int, tuple[int, ...], int]] = [(sides[-1], (), 1)]
    while waiting:
        top, faces, ways = waiting.pop()
        before = len(faces)
        for face in range(top, 0, -1):
            free = above[face] - before
            last = number - before
            choices = ways
            # Below a 1 there is no face for the others.
            for showing in range(1, min(free, last - 1) + 1 if face > 1 else 1):
                choices = choices * (free - showing + 1) // showing
                waiting.append((face - 1, (face,) * showing + faces, choices))
            if free >= last:
                yield (face,) * last + faces, ways * enough[face][before] * others[len(sides) - above[face]]


def _binomial(number: int, one: int, other: int) -> Iterator[int]:
    """Give the ways in which some dice fall, from none to all on one side; each is made from the one before."""
    if not other:
        yield from (0 for _ in range(number))
        yield one**number
        return
    ways = other**number
    yield ways
    for done in range(number):
        ways = ways * ((number - done) * one) // ((done + 1) * other)
        yield ways


def _die_by_die(sides: Sequence[int], number: int) -> dict[tuple[int, ...], int]:
    """Throw the dice one after another, and keep only the lowest of them."""
    limits.PAIRS.check(len(sides) * max(sides) * comb(max(sides) + number - 1, number), hint=FEWER_DICE)
    lying: dict[tuple[int, ...], int] = {(): 1}
    for side in sides:
        thrown: dict[tuple[int, ...], int] = {}
        for faces, ways in lying.items():
            for face in range(1, side + 1):
                kept = tuple(sorted((*faces, face))[:number])
                thrown[kept] = thrown.get(kept, 0) + ways
        lying = thrown
    return lying


def tallies(count: int, sides: int, classes: Sequence[Sequence[int]]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Give how many of some equal dice can fall in each class of faces, with the number of ways.

    Raises:
        LimitError: there are more than ``BRANCHES``.

    >>> list(tallies(2, 6, [(5, 6)]))
    [((0,), 16), ((1,), 16), ((2,), 4)]
    """
    patterns = Counter(_patterns(sides, classes))
    answers = count_tallies(count, sides, classes)
    limits.BRANCHES.check(answers, hint=FEWER_DICE)
    check_limits(answers, count * sides.bit_length())
    counted: dict[tuple[int, ...], int] = {}
    for numbers, ways in _shares(count, list(patterns.values())):
        tally = tuple(
            sum(number for number, pattern in zip(numbers, patterns, strict=True) if pattern[place])
            for place in range(len(classes))
        )
        counted[tally] = counted.get(tally, 0) + ways
    return iter(sorted(counted.items()))


def count_tallies(count: int, sides: int, classes: Sequence[Sequence[int]]) -> int:
    """Count in how many ways dice can be shared out among the classes, from above.

    >>> count_tallies(2, 6, [(5, 6)])
    3
    """
    return comb(count + len(set(_patterns(sides, classes))) - 1, count)


def _patterns(sides: int, classes: Sequence[Sequence[int]]) -> Iterator[tuple[bool, ...]]:
    """Tell for each face which classes it is in."""
    limits.BRANCHES.check(sides, hint=FEWER_DICE)
    sets = [frozenset(hits) for hits in classes]
    return (tuple(face in hits for hits in sets) for face in range(1, sides + 1))


def _shares(count: int, weights: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Share some dice out among patterns, each of which a number of faces has."""
    weight, *others = weights
    if not others:
        yield (count,), weight**count
        return
    for number, here in enumerate(_binomial(count, weight, 1)):
        for numbers, ways in _shares(count - number, others):
            yield (number, *numbers), here * ways


def _width(largest: int) -> int:
    """Give the bytes that one count has when packed; those a machine word holds unpack fastest."""
    needed = largest.bit_length() // 8 + 1
    return max(needed, 8)


def _packed(counts: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join([count.to_bytes(width, "little") for count in counts]), "little")


def _unpacked(packed: int, width: int, length: int) -> list[int]:
    buffer = packed.to_bytes(width * length, "little")
    read = int.from_bytes
    return [read(buffer[at : at + width], "little") for at in range(0, len(buffer), width)]


def written(count: int) -> str:
    """Write a count in decimal, however long it is.

    >>> written(216)
    '216'
    """
    if count.bit_length() < _WRITABLE:
        return str(count)
    from decimal import Decimal

    return f"{Decimal(count):f}"


def read(text: object) -> int:
    """Read what :func:`written` gave.

    Raises:
        ValueError: it is no count, or longer than one can be.

    >>> read("216")
    216
    """
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= _LONGEST):
        raise ValueError
    if len(text) < _WRITABLE // 4:
        return int(text)
    from decimal import Decimal

    return int(Decimal(text))
