"""Pools of dice, counted exactly: sums of the dice that are kept, multisets of faces, and tallies."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, product
from math import comb, prod
from typing import Any, Final

from dicedocs import limits
from dicedocs.probability.convolution import FEWER_DICE, DiceGroup, byte_width, check_size, mixed_sums, unpack
from dicedocs.rules.dice import Keep, check_limits
from dicedocs.rules.dice_arguments import check_unchanging

_WORK_PER_FACE: Final = 10_000
"""The ``WORK`` that each face of a multiset counts for."""
_EXACT_COUNT: Final = 10_000
"""Up to this many faces, on all the different dice together, their multisets are counted exactly beforehand."""


def check_dice(count: int, sides: Sequence[int]) -> None:
    """Refuse impossible dice, and too many of them, as if they were thrown."""
    check_limits(0, count, min(sides) if sides else 1)
    if len(sides) > 1:
        check_limits(0, count, max(sides))


def kept_sums(sides: Sequence[int], keep: Keep | None) -> tuple[int, list[int]]:
    """Return the lowest sum of the dice that are kept of a pool, and the ways to each sum from there on.

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
        # By symmetry the lowest of equal dice are the highest with their faces counted from the other end.
        low, ways = kept_sums(sides, keep._replace(high=True))
        return number * (1 + sides[0]) - (low + len(ways) - 1), ways[::-1]
    first, last = (0, number) if keep.high else (len(sides) - number, len(sides))
    highest_sum = sum(sorted(sides)[-number:]) if keep.high else sum(sorted(sides)[:number])
    bits = sum(side.bit_length() for side in sides)
    check_size(highest_sum + 1, bits)
    work = max(sides) * len(sides) * (last if keep.high else len(sides)) * (highest_sum + 1) * bits
    limits.WORK.check(work, hint=FEWER_DICE)
    width = byte_width(prod(sides))
    ways = unpack(_ranked_sums(sorted(sides), first, last, width), width, highest_sum + 1)
    low = next(index for index, count in enumerate(ways) if count)
    return low, ways[low:]


def _ranked_sums(sides: list[int], first: int, last: int, width: int) -> int:
    """Count the sums of the dice from rank ``first`` to before ``last``, the highest die having rank 0; packed.

    Faces are assigned from the highest down, to any number of the dice that have the face and no higher one yet.
    A list of counts is packed into one integer, so that adding a face to all sums is a shift.
    """
    assigned: dict[int, int] = {0: 1}
    complete = 0
    smaller = len(sides)
    bits = 8 * width
    for face in range(sides[-1], 0, -1):
        while smaller and sides[smaller - 1] >= face:
            smaller -= 1
        able = len(sides) - smaller
        # Dice after the last kept rank may show any lower face.
        rest = prod(sides[:smaller])
        following: dict[int, int] = {}
        completing = _completing_ways(face, able, last)
        for before, ways in assigned.items():
            choices = 1
            for showing in range(min(able, last - 1) - before + 1):
                after = before + showing
                kept = max(0, after - max(before, first))
                following[after] = following.get(after, 0) + (ways * choices << bits * face * kept)
                choices = choices * (able - after) // (showing + 1)
            if able >= last:
                complete += (ways * (completing[before] * rest)) << bits * face * (last - max(before, first))
        assigned = following
    return complete


def _completing_ways(face: int, able: int, needed: int) -> list[int]:
    """Return the ways to show a face until ``needed`` dice show it or a higher one.

    Of the dice, ``able`` have the face; the ways are listed by how many of these show a higher face already.
    """
    spare = able - needed
    if spare < 0:
        return []
    # At most `spare` of the dice may show less. Each step adds a die, less the ways in which it would be one too many.
    ways = face**spare
    choices, lower = 1, (face - 1) ** (spare + 1)
    completing = []
    for dice in range(spare, able):
        ways = face * ways - choices * lower
        choices = choices * (dice + 1) // (dice + 1 - spare)
        completing.append(ways)
    return completing[::-1]


def multisets(sides: Sequence[int], keep: Keep | None) -> Iterator[tuple[tuple[int, ...], int]]:
    """Return each multiset of the faces that the kept dice can show, sorted, with its number of ways.

    >>> from dicedocs.rules.dice import highest
    >>> list(multisets([2, 2], None))
    [((1, 1), 1), ((1, 2), 2), ((2, 2), 1)]
    """
    number = len(sides) if keep is None else min(keep.number, len(sides))
    if not number:
        return iter([((), prod(sides))])
    count = count_multisets(sides, keep)
    bits = sum(side.bit_length() for side in sides)
    limits.BRANCHES.check(count, hint=FEWER_DICE)
    check_size(count, bits)
    limits.WORK.check(number * (count * _WORK_PER_FACE + max(sides) * bits), hint=FEWER_DICE)
    if number == len(sides) or (keep is not None and keep.high):
        return iter(sorted(_highest_first(sorted(sides), number)))
    if len(set(sides)) == 1:
        mirrored = _highest_first(sorted(sides), number)
        end = sides[0] + 1
        return iter(sorted((tuple(end - face for face in reversed(faces)), ways) for faces, ways in mirrored))
    return iter(sorted(_die_by_die(sides, number).items()))


def count_multisets(sides: Sequence[int], keep: Keep | None) -> int:
    """Return how many multisets of faces the kept dice can show; an upper bound for very many different dice.

    >>> count_multisets([6, 6, 6], None)
    56
    """
    number = len(sides) if keep is None else min(keep.number, len(sides))
    if not number:
        return 1
    in_order = sorted(sides)
    kept = in_order[-number:] if keep is not None and keep.high else in_order[:number]
    if kept[0] == kept[-1] or number * kept[-1] > _EXACT_COUNT:
        return comb(kept[-1] + number - 1, number)
    # Sorted faces can be shown if and only if none is above the die of the same rank.
    ways = [1] * kept[0]
    for side in kept[1:]:
        ways = list(accumulate(ways + [0] * (side - len(ways))))
    return sum(ways)


def _highest_first(sides: list[int], number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the multisets of the highest faces of sorted dice, assigning the highest face first."""
    able = [len(sides) - bisect_left(sides, face) for face in range(sides[-1] + 1)]
    ways_of_others = [1, *accumulate(sides, int.__mul__)]
    completing = [_completing_ways(face, dice, number) for face, dice in enumerate(able)]
    pending: list[tuple[int, tuple[int, ...], int]] = [(sides[-1], (), 1)]
    while pending:
        top, faces, ways = pending.pop()
        before = len(faces)
        missing = number - before
        for face in range(top, 0, -1):
            free = able[face] - before
            choices = ways
            # With face 1 there is no lower face for the rest.
            for showing in range(1, min(free, missing - 1) + 1 if face > 1 else 1):
                choices = choices * (free - showing + 1) // showing
                pending.append((face - 1, (face,) * showing + faces, choices))
            if free >= missing:
                total = ways * completing[face][before] * ways_of_others[len(sides) - able[face]]
                yield (face,) * missing + faces, total


def _die_by_die(sides: Sequence[int], number: int) -> dict[tuple[int, ...], int]:
    """Count the multisets of the lowest faces, adding one die after another."""
    limits.PAIRS.check(len(sides) * max(sides) * comb(max(sides) + number - 1, number), hint=FEWER_DICE)
    counts: dict[tuple[int, ...], int] = {(): 1}
    for side in sides:
        following: dict[tuple[int, ...], int] = {}
        for faces, ways in counts.items():
            for face in range(1, side + 1):
                kept = tuple(sorted((*faces, face))[:number])
                following[kept] = following.get(kept, 0) + ways
        counts = following
    return counts


def tallies(count: int, sides: int, classes: Sequence[Sequence[int]]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Return how many of some equal dice can fall in each class of faces, with the number of ways.

    >>> list(tallies(2, 6, [(5, 6)]))
    [((0,), 16), ((1,), 16), ((2,), 4)]
    """
    patterns = Counter(_membership(sides, classes))
    size = count_tallies(count, sides, classes)
    limits.BRANCHES.check(size, hint=FEWER_DICE)
    check_size(size, count * sides.bit_length())
    counts: dict[tuple[int, ...], int] = {}
    # For each class the indexes of the patterns that belong to it.
    members = [[place for place, pattern in enumerate(patterns) if pattern[index]] for index in range(len(classes))]
    for numbers, ways in _allocations(count, list(patterns.values())):
        tally = tuple([sum([numbers[place] for place in places]) for places in members])
        counts[tally] = counts.get(tally, 0) + ways
    return iter(sorted(counts.items()))


def count_tallies(count: int, sides: int, classes: Sequence[Sequence[int]]) -> int:
    """Return an upper bound of the number of different tallies.

    >>> count_tallies(2, 6, [(5, 6)])
    3
    """
    return comb(count + len(set(_membership(sides, classes))) - 1, count)


def _membership(sides: int, classes: Sequence[Sequence[int]]) -> Iterator[tuple[bool, ...]]:
    """Return for each face which classes it belongs to."""
    limits.BRANCHES.check(sides, hint=FEWER_DICE)
    sets = [frozenset(hits) for hits in classes]
    return (tuple(face in hits for hits in sets) for face in range(1, sides + 1))


def _allocations(count: int, weights: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each way to divide dice among patterns, where the weight of a pattern is its number of faces."""
    weight, *others = weights
    if not others:
        yield (count,), weight**count
        return
    ways = 1
    for number in range(count + 1):
        for numbers, ways_of_others in _allocations(count - number, others):
            yield (number, *numbers), ways * ways_of_others
        ways = ways * (count - number) * weight // (number + 1)


def sweep_faces(step: Callable[..., Any], start: object, pools: Sequence[Sequence[int]]) -> dict[Any, int]:
    """Return the states in which a sweep over the faces of pools can end, with the number of ways to each.

    Dice are placed on a face at a time, from the highest down; what was placed, and the state, decide all that follows.

    >>> sorted(sweep_faces(lambda best, face, number: max(best, number), 0, [(6, 6)]).items())
    [(1, 30), (2, 6)]
    """
    able = [_able(sorted(pool)) for pool in pools]
    held: dict[tuple[int, ...], dict[Any, int]] = {(0,) * len(pools): {start: 1}}
    pairs = 0
    for face in range(max(map(len, able), default=1) - 1, 0, -1):
        following: dict[tuple[int, ...], dict[Any, int]] = {}
        for placed, states in held.items():
            free = [dice[face] - before if face < len(dice) else 0 for dice, before in zip(able, placed, strict=True)]
            # With face 1 there is no lower face for the rest.
            for numbers in product(*(range(dice + 1) if face > 1 else (dice,) for dice in free)):
                pairs += len(states)
                limits.PAIRS.check(pairs, hint=FEWER_DICE)
                chosen = prod(map(comb, free, numbers))
                now = following.setdefault(tuple(map(int.__add__, placed, numbers)), {})
                for state, ways in states.items():
                    reached = step(state, face, *numbers)
                    check_unchanging(reached)
                    now[reached] = now.get(reached, 0) + ways * chosen
        held = following
    (ends,) = held.values()
    return ends


def _able(sides: Sequence[int]) -> list[int]:
    """Return how many dice, given in order of size, can show each face or a higher one."""
    return [len(sides) - bisect_left(sides, face) for face in range(max(sides, default=0) + 1)]
