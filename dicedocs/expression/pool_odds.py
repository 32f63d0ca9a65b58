"""The exact distribution of a pool with modifiers, counted from the distribution of one of its dice.

A die is settled first, so that it has a distribution of its own. Dice that are added up or counted are independent,
and where dice are kept by rank, values are given out from the lowest to the highest, to any number of dice at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import comb, gcd, lcm
from typing import Final

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.expression.modifiers import FaceValues, Handling
from dicedocs.probability.convolution import FEWER_DICE, byte_width, check_size, unpack
from dicedocs.probability.distribution import Distribution
from dicedocs.rules.dice import Keep

_WORK_PER_STEP: Final = 25_000
"""The ``WORK`` of giving a value to some more dice, whatever the counts are."""
Contribution = Callable[[int], int]
"""A function that tells what a value that is kept adds to the result."""
_PAIRS_PER_STEP: Final = 8
"""The ``PAIRS`` that take as long as putting one more value in order with some others."""
_Extremes = tuple[tuple[int, ...], int]
"""The highest or the lowest values so far, and the sum of what all values contribute."""


def pool_distribution(
    count: int,
    faces: FaceValues,
    handling: Handling,
    contribution: Contribution | None = None,
    ranks: Sequence[int] | None = None,
) -> Distribution | None:
    """Return the distribution of a pool.

    Parameters:
        count: the number of dice.
        faces: what the faces of each count.
        handling: the modifiers.
        contribution: what a kept value adds to the result; the value, or its success, if none is given.
        ranks: the dice that are kept, by rank from 0 for the lowest; those that the modifiers keep, if none are given.

    Returns:
        ``None`` where the dice have to be enumerated.

    Raises:
        DiceError: the dice would be thrown without end.
        LimitError: there is too much to count.

    >>> pool_distribution(4, FaceValues.of(6), Handling.of((), range(1, 7))).mean
    Fraction(14, 1)
    """
    if not count:
        return Distribution.from_dense_counts(0, [1])
    chosen = ranks is not None
    ranks = handling.ranks(count) if ranks is None else ranks
    plain = contribution is None and handling.success is None and not handling.filters
    alike = handling.reroll is None and handling.low is None and handling.high is None and not faces.values
    if plain and alike and not handling.unique and handling.explode is None:
        if len(ranks) == count:
            return Distribution.dice(count, faces.sides)
        keep = end_of_ranks(ranks, count)
        if keep is not None:
            return Distribution.pool(*[faces.sides] * count, keep=keep)
    adds = contribution or handling.contribution
    if handling.filters:
        passes, inner = handling.passes, adds
        adds = lambda value: inner(value) if passes(value) else 0  # noqa: E731
    limits.OUTCOMES.check(faces.sides, hint=FEWER_DICE)
    if handling.unique:
        return _unique(count, faces, handling, ranks, adds)
    weights = settled(faces, handling)
    if handling.explode is None:
        return _kept(weights, count, ranks, adds)
    if handling.compounding:
        compound = _chain(weights, handling, int, int)
        return _kept(dict(compound.items()), count, ranks, adds, compound.denominator)
    if chosen:
        return None
    if handling.keeps:
        return _kept_of_chains(weights, count, handling, adds)
    less = int(handling.penetrating)
    return _chain(weights, handling, adds, lambda value: adds(value - less)).repeat(count)


def end_of_ranks(ranks: Sequence[int], count: int) -> Keep | None:
    """Return how some ranks are kept of some dice, if they are the lowest or the highest; ``None`` for others.

    >>> end_of_ranks([2, 3], 4), end_of_ranks([1, 2], 4)
    (Keep(number=2, high=True), None)
    """
    if not ranks:
        return Keep(0, high=False)
    together = ranks[-1] - ranks[0] + 1 == len(ranks)
    return Keep(len(ranks), high=ranks[0] > 0) if together and (ranks[0] == 0 or ranks[-1] == count - 1) else None


def ranks_in_turn(count: int, handlings: Sequence[Handling]) -> list[int]:
    """Return the ranks of the dice that are kept, where each handling chooses among those that the one before kept.

    >>> from dicedocs.expression.modifiers import read_modifier
    >>> ranks_in_turn(10, [Handling.of((read_modifier(text),), ()) for text in ("kh5", "kl2", "kh1")])
    [6]
    """
    ranks = list(range(count))
    for handling in handlings:
        ranks = [ranks[index] for index in handling.ranks(len(ranks))]
    return ranks


def settled(faces: FaceValues, handling: Handling) -> dict[int, int]:
    """Return the weights of the values of one die after it was thrown again, raised and lowered.

    >>> from dicedocs.expression.modifiers import read_modifier
    >>> settled(FaceValues.of(4), Handling.of((read_modifier("ro1"),), range(1, 5)))
    {1: 1, 2: 5, 3: 5, 4: 5}
    """
    weights = Counter(faces.all())
    reroll = handling.reroll
    if reroll is not None:
        again = sum(weight for value, weight in weights.items() if reroll(value))
        whole = sum(weights.values())
        first = {value: 0 if reroll(value) else weight for value, weight in weights.items()}
        if handling.reroll_once:
            first = {value: first[value] * whole + again * weight for value, weight in weights.items()}
        weights = Counter({value: weight for value, weight in first.items() if weight})
    settled: dict[int, int] = {}
    for value, weight in sorted(weights.items()):
        bounded = handling.settle(value)
        settled[bounded] = settled.get(bounded, 0) + weight
    divisor = gcd(*settled.values())
    return {value: weight // divisor for value, weight in settled.items()}


def _kept(
    weights: Mapping[int, int], count: int, ranks: Sequence[int], adds: Contribution, denominator: int = 0
) -> Distribution:
    """Return the distribution of what the dice of some ranks add, of independent dice with the same weights."""
    denominator = denominator or sum(weights.values())
    if len(ranks) == count:
        counts: dict[int, int] = {}
        for value, weight in weights.items():
            added = adds(value)
            counts[added] = counts.get(added, 0) + weight
        return Distribution.from_counts(counts, (), (), denominator).repeat(count)
    return _ranked(weights, count, ranks, adds, denominator**count)


def _ranked(
    weights: Mapping[int, int],
    count: int,
    ranks: Sequence[int],
    adds: Contribution,
    denominator: int,
    *,
    different: bool = False,
) -> Distribution:
    """Give out the values from the lowest up, each to any number of dice, or to one at most if all are different.

    A list of counts is packed into one integer, so that adding a value to all sums is a shift.
    """
    values = sorted(weights)
    added = [adds(value) for value in values]
    lowest = min(added)
    length = (max(added) - lowest) * len(ranks) + 1
    bits = denominator.bit_length()
    check_size(length, bits)
    limits.WORK.check(len(values) * count * count * (length * bits + _WORK_PER_STEP) // 2, hint=FEWER_DICE)
    width = byte_width(denominator)
    in_rank = set(ranks)
    kept_below = [0, *accumulate(rank in in_rank for rank in range(count))]
    ways = [1, *[0] * count]
    for value, more in zip(values, added, strict=True):
        weight, shift = weights[value], 8 * width * (more - lowest)
        following = list(ways)
        for before, packed in enumerate(ways[:count]):
            if not packed:
                continue
            choices = 1
            for number in range(1, 2 if different else count - before + 1):
                choices *= 1 if different else weight
                places = 1 if different else comb(count - before, number)
                kept = kept_below[before + number] - kept_below[before]
                following[before + number] += packed * (choices * places) << shift * kept
        ways = following
    counts = unpack(ways[count], width, length)
    low = lowest * len(ranks)
    found = {low + index: number for index, number in enumerate(counts) if number}
    return Distribution.from_counts(found, (), (), denominator)


def _unique(
    count: int, faces: FaceValues, handling: Handling, ranks: Sequence[int], adds: Contribution
) -> Distribution | None:
    weights = Counter(faces.all())
    if handling.unique != "u":
        return None
    if not all(map(handling.must_differ, weights)):
        return _some_unique(weights, count, handling, ranks, adds)
    if len(set(weights.values())) > 1:
        return None
    if count > len(weights):
        raise DiceError(f"{count} dice cannot all differ", hint=f"throw {len(weights)} or fewer")
    return _ranked(weights, count, ranks, adds, comb(len(weights), count), different=True)


def _some_unique(
    weights: Mapping[int, int], count: int, handling: Handling, ranks: Sequence[int], adds: Contribution
) -> Distribution | None:
    """Throw dice one after the other; each shows what is left to it: what none shows, or what many may show."""
    whole = sum(weights.values())
    free = sum(weight for value, weight in weights.items() if not handling.must_differ(value))
    common = lcm(*range(free, whole + 1))
    limits.DENOMINATOR.check(common.bit_length() * count, hint=FEWER_DICE)
    thrown: dict[tuple[int, ...], int] = {(): 1}
    work = 0
    for _ in range(count):
        work += len(thrown) * len(weights)
        limits.PAIRS.check(_PAIRS_PER_STEP * work, hint=FEWER_DICE)
        following: dict[tuple[int, ...], int] = {}
        for values, ways in thrown.items():
            left = {
                value: one for value, one in weights.items() if value not in values or not handling.must_differ(value)
            }
            share = ways * (common // sum(left.values()))
            for value, weight in left.items():
                new = tuple(sorted((*values, value)))
                following[new] = following.get(new, 0) + share * weight
        thrown = following
    counts: dict[int, int] = {}
    for values, ways in thrown.items():
        result = sum(adds(values[rank]) for rank in ranks)
        counts[result] = counts.get(result, 0) + ways
    return Distribution.from_counts(counts, (), (), common**count)


def _chain(weights: Mapping[int, int], handling: Handling, first: Contribution, later: Contribution) -> Distribution:
    """Return the distribution of what one die and those that it explodes into add, followed to a depth."""
    explode, less = handling.explode, int(handling.penetrating and handling.compounding)
    assert explode is not None  # noqa: S101  # the caller asks
    depth = _depth(handling)
    whole = sum(weights.values())
    live: dict[int, int] = {0: 1}
    done: dict[int, int] = {}
    work = 0
    for time in range(depth + 1):
        work += len(live) * len(weights)
        limits.PAIRS.check(work, hint=FEWER_DICE)
        last = time == depth and handling.cap is not None
        scale = whole ** (depth - time)
        following: dict[int, int] = {}
        for value, weight in weights.items():
            more = later(value) - less if time else first(value)
            goes_on = not last and explode(value)
            target, factor = (following, weight) if goes_on else (done, weight * scale)
            for total, ways in live.items():
                target[total + more] = target.get(total + more, 0) + ways * factor
        live = following
    return Distribution.from_counts(done, (), (), whole ** (depth + 1))


def _depth(handling: Handling) -> int:
    """Return how many explosions of a die are followed."""
    if handling.cap is None:
        return limits.EXPLOSIONS.maximum
    limits.DICE_CALLS.check(handling.cap, hint="let dice explode less often")
    return handling.cap


def _kept_of_chains(
    weights: Mapping[int, int], count: int, handling: Handling, adds: Contribution
) -> Distribution | None:
    """Return the distribution of the dice kept of a pool whose dice explode, so that their number varies."""
    if len(handling.keeps) > 1:
        return None
    name, _, number, _ = handling.keeps[0]
    high, drops, number = name[1] == "h", name[0] == "d", number or 0
    explode, less, depth = handling.explode, int(handling.penetrating), _depth(handling)
    assert explode is not None  # noqa: S101  # the caller asks
    whole = sum(weights.values())
    states: dict[_Extremes, int] = {((), 0): 1}
    work = 0
    for _ in range(count):
        done: dict[_Extremes, int] = {}
        for time in range(depth + 1):
            work += len(states) * len(weights)
            limits.PAIRS.check(_PAIRS_PER_STEP * work, hint=FEWER_DICE)
            last = time == depth and handling.cap is not None
            scale = whole ** (depth - time)
            following: dict[_Extremes, int] = {}
            for value, weight in weights.items():
                shown = value - less if time else value
                more = adds(shown) if drops else 0
                goes_on = not last and explode(value)
                target, factor = (following, weight) if goes_on else (done, weight * scale)
                for (extremes, total), ways in states.items():
                    new = tuple(sorted((*extremes, shown), reverse=high)[:number]), total + more
                    target[new] = target.get(new, 0) + ways * factor
            states = following
        states = done
    counts: dict[int, int] = {}
    for (extremes, total), ways in states.items():
        some = sum(map(adds, extremes))
        result = total - some if drops else some
        counts[result] = counts.get(result, 0) + ways
    return Distribution.from_counts(counts, (), (), whole ** ((depth + 1) * count))


def ranked_members(members: Sequence[Distribution], ranks: Sequence[int], adds: Contribution) -> Distribution:
    """Return the distribution of what the members of some ranks add, of independent values of any distribution.

    >>> ranked_members([Distribution.dice(1, 6), Distribution.dice(1, 6)], [1], int).mean
    Fraction(161, 36)
    """
    number = len(members)
    if list(ranks) in ([0], [number - 1]):
        extreme = members[0]
        for member in members[1:]:
            extreme = extreme.min(member) if number > 1 and not ranks[0] else extreme.max(member)
        return extreme.map(adds)
    joint = members[0].map(lambda value: (value,))
    for member in members[1:]:
        joint = joint.combine(member, lambda values, value: tuple(sorted((*values, value))))
    return joint.map(lambda values: sum(adds(values[rank]) for rank in ranks))


def mixture(parts: Sequence[tuple[int, Distribution]], whole: int) -> Distribution:
    """Return the distribution of one of several distributions, chosen by chance.

    Parameters:
        parts: the ways to choose each, and the distribution.
        whole: the ways in all; more than those of the parts leave a remainder.

    >>> mixture([(1, Distribution.dice(1, 2)), (1, Distribution.dice(1, 4))], 2).p("= 1")
    Fraction(3, 8)
    """
    common = lcm(*(part.denominator for _, part in parts))
    counts: dict[int, int] = {}
    work = 0
    for ways, part in parts:
        factor = ways * (common // part.denominator)
        work += len(part)
        limits.PAIRS.check(work, hint=FEWER_DICE)
        for value, number in part.items():
            counts[value] = counts.get(value, 0) + number * factor
    return Distribution.from_counts(counts, (), (), whole * common)
