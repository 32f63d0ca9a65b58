"""Convolutions, multisets and tallies against loops that count every sequence or pair."""

import itertools
from collections import Counter
from math import comb

from hypothesis import given, settings
from hypothesis import strategies as st

from dicedocs import highest, limits, lowest
from dicedocs.probability.combinatorics import count_multisets, count_tallies, kept_sums, multisets, tallies
from dicedocs.probability.convolution import (
    DiceGroup,
    convolve,
    dense_products,
    mixed_sums,
    products,
    quotients,
    sums,
)

from ..every import every
from ..examples import many
from .refusal import refused

tried = settings(max_examples=many(60), deadline=None, derandomize=True, database=None)
counts = st.lists(st.integers(0, 4), min_size=1, max_size=40).filter(any)
large = st.lists(st.integers(0, 10**30), min_size=1, max_size=40).filter(any)
pools = st.lists(st.integers(1, 6), max_size=5) | st.builds(lambda n, s: [s] * n, st.integers(0, 5), st.integers(1, 6))
keeps = st.none() | st.builds(highest, st.integers(0, 6)) | st.builds(lowest, st.integers(0, 6))


def sequences(sides):
    return itertools.product(*[range(1, side + 1) for side in sides])


def from_low(low, ways):
    """A list of counts as a mapping from each possible number."""
    return {number: count for number, count in enumerate(ways, low) if count}


@every(("count", "sides"), [(0, 6), (1, 1), (1, 6), (2, 6), (3, 6), (4, 3), (5, 2), (3, 1), (2, 20)])
def test_sums_against_every_sequence(count, sides):
    expected = Counter(map(sum, sequences([sides] * count)))
    assert sums(count, sides) == [expected[total] for total in range(count, count * sides + 1)]


@every(("count", "sides"), [(100, 6), (33, 7), (64, 2), (7, 100), (50, 50)])
def test_sums_by_the_closed_form(count, sides):
    # Inclusion and exclusion over the dice that would show too much.
    ways = sums(count, sides)
    assert len(ways) == count * (sides - 1) + 1
    assert ways == ways[::-1]
    assert sum(ways) == sides**count
    for over in range(0, len(ways), 17):
        assert ways[over] == sum(
            (-1) ** k * comb(count, k) * comb(over - sides * k + count - 1, count - 1) for k in range(over // sides + 1)
        )


@tried
@given(st.lists(st.builds(DiceGroup, st.integers(0, 3), st.integers(1, 4), st.integers(1, 5)), max_size=3))
def test_mixed_sums_against_every_sequence(dice):
    each = [[(face - 1) * kind.times for face in range(1, kind.sides + 1)] for kind in dice for _ in range(kind.number)]
    assert from_low(0, mixed_sums(dice)) == Counter(map(sum, itertools.product(*each)))


@tried
@given(counts | large, counts | large, st.integers(1, 4))
def test_convolutions_against_every_pair(one, two, step):
    stretched = [0] * ((len(two) - 1) * step + 1)
    stretched[::step] = two
    expected = [0] * (len(one) + len(stretched) - 1)
    for (i, ways), (j, more) in itertools.product(enumerate(one), enumerate(stretched)):
        expected[i + j] += ways * more
    assert convolve(one, stretched) == convolve(stretched, one) == expected


@every(("size", "bits"), [*itertools.product([9, 300, 3000], [1, 60, 64, 200]), (40, 14_000), (300, 14_000)])
def test_long_convolutions_by_a_closed_form(size, bits):
    # (1 + x + ... + x^n)^2 counts up and down again; a common factor only scales it.
    factor = 2**bits - 1
    up = list(range(1, size + 1))
    assert convolve([factor] * size, [1] * size) == [factor * n for n in up + up[-2::-1]]
    ones = [1] * size
    assert convolve(ones, ones) == up + up[-2::-1]


@tried
@given(counts, counts, st.integers(0, 4), st.integers(0, 4), st.booleans())
def test_products_against_every_pair(one, two, low, other_low, same):
    if same:
        two, other_low = one, low
    mine, its = from_low(low, one), from_low(other_low, two)
    expected = Counter()
    for (value, ways), (other, more) in itertools.product(mine.items(), its.items()):
        expected[value * other] += ways * more
    assert products(mine, its) == expected
    lowest_product, ways = dense_products(low, one, other_low, two)
    assert from_low(lowest_product, ways) == expected


@tried
@given(counts, st.integers(-20, 20), st.integers(1, 60))
def test_quotients_against_every_number(ways, low, divisor):
    expected = Counter()
    for number, count in from_low(low, ways).items():
        expected[number // divisor] += count
    lowest_quotient, fewer = quotients(low, ways, divisor)
    assert from_low(lowest_quotient, fewer) == expected


@tried
@given(pools, keeps)
def test_keeps_against_every_sequence(sides, keep):
    expected = Counter()
    for faces in map(sorted, sequences(sides)):
        number = len(faces) if keep is None else min(keep.number, len(faces))
        expected[tuple(faces[len(faces) - number :] if keep is None or keep.high else faces[:number])] += 1
    counted = list(multisets(sides, keep))
    assert dict(counted) == expected
    assert counted == sorted(counted)
    assert count_multisets(sides, keep) == len(expected)
    of_sums = Counter()
    for faces, ways in expected.items():
        of_sums[sum(faces)] += ways
    assert from_low(*kept_sums(sides, keep)) == of_sums


def test_the_count_of_many_different_dice_is_an_upper_bound():
    sides = [7_000, 2]
    assert count_multisets(sides, None) == comb(7_001, 2)
    assert len(list(multisets([70, 2], None))) == count_multisets([70, 2], None) == 70 * 2 - 1


@tried
@given(st.integers(0, 4), st.integers(1, 5), st.lists(st.lists(st.integers(0, 6), max_size=4), min_size=1, max_size=3))
def test_tallies_against_every_sequence(count, sides, classes):
    expected = Counter(
        tuple(sum(face in hits for face in faces) for hits in classes) for faces in sequences([sides] * count)
    )
    assert dict(tallies(count, sides, classes)) == expected
    assert len(expected) <= count_tallies(count, sides, classes)


def test_the_largest_allowed_sizes():
    assert len(sums(4000, 2)) == 4001
    assert len(list(multisets([2] * 1000, highest(500)))) == 501
    assert len(kept_sums([40] * 40, highest(20))[1]) == 781


@every(
    ("limit", "run"),
    [
        (limits.OUTCOMES, lambda: sums(2, 10**6)),
        (limits.COUNT_BITS, lambda: sums(10_000, 6)),
        (limits.COUNT_BITS, lambda: mixed_sums([DiceGroup(100, 400), DiceGroup(100, 401)])),
        (limits.OUTCOMES, lambda: mixed_sums([DiceGroup(1, 10**6), DiceGroup(1, 10**6, 3)])),
        (limits.WORK, lambda: kept_sums([100] * 100, highest(50))),
        (limits.COUNT_BITS, lambda: kept_sums([2] * 10_000, highest(9_999))),
        (limits.BRANCHES, lambda: multisets([20] * 30, None)),
        (limits.COUNT_BITS, lambda: multisets([2] * 10_000, highest(5_000))),
        (limits.PAIRS, lambda: multisets(range(2, 22), lowest(4))),
        (limits.WORK, lambda: multisets([3] * 300, None)),
        (limits.BRANCHES, lambda: tallies(50, 50, [[face] for face in range(40)])),
        (limits.BRANCHES, lambda: tallies(1, 10**6, [[1]])),
        (limits.COUNT_BITS, lambda: tallies(250, 1000, [[1], [2]])),
    ],
)
def test_limits_are_checked_before_the_work(limit, run):
    assert refused(run).limit == limit.name
