"""Samples: correct in the long run, and for ever the same for a seed."""

import random
from bisect import bisect_right
from fractions import Fraction
from math import sqrt

import pytest

import dicedocs as dd
from dicedocs import Distribution, ParameterError

from ..every import every

D = Distribution


def reference_sample(odds, number, seed):
    """Sample by the documented scheme, with exact fractions and one word at a time.

    Words of 16 bits come in blocks of 4096, the first in the lowest bits of one large draw. A word
    is the beginning of a binary fraction; when it leaves open which value that fraction falls to,
    further words are drawn one by one, after its whole block.
    """
    bits = random.Random(seed).getrandbits
    ends = []
    cumulative = 0
    for count in odds.counts:
        cumulative += count
        ends.append(Fraction(cumulative, odds.denominator))
    drawn = []
    while len(drawn) < number:
        block = bits(16 * 4096)
        for word in range(min(4096, number - len(drawn))):
            fraction, size = block >> 16 * word & 0xFFFF, 16
            while True:
                low, high = Fraction(fraction, 2**size), Fraction(fraction + 1, 2**size)
                index = bisect_right(ends, low)
                if high <= ends[index]:
                    break
                fraction, size = fraction << 16 | bits(16), size + 16
            drawn.append(odds.values[index])
    return drawn


# Computed by the function above, which shares only the distributions with the package.
GOLDEN = {
    "3d6": (D.dice(3, 6), 7, [12, 9, 9, 15, 6, 7, 7, 10, 12, 12, 10, 6, 8, 6, 5, 13, 11, 11, 14, 7, 13, 9, 11, 11]),
    "words": (
        D({"red": 3, "blue": 2, "green": 2}),
        58,
        ["blue", "blue", "green", "red", "red", "red", "red", "green", "red", "blue", "red", "green"],
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_samples(name):
    odds, seed, expected = GOLDEN[name]
    assert odds.sample(len(expected), seed=seed) == expected
    assert odds.sample(len(expected), seed=str(seed)) == expected


@every(
    "odds",
    [D.dice(3, 6), D.dice(1, 2), D({1: 1}), D({1: 2**16 - 1, 2: 1}), D({1: 2**80 - 1, 2: 1}), D.dice(60, 20),
     D(dict.fromkeys(range(300), 1))],
    ids=repr,
)  # fmt: skip
def test_samples_are_those_of_the_documented_scheme(odds):
    # The second block begins after 4096.
    for seed, number in ((0, 4_200), (1, 500), (10**20, 500)):
        assert odds.sample(number, seed=seed) == reference_sample(odds, number, seed)


def test_a_longer_sample_begins_like_a_shorter_one():
    odds = D.dice(3, 6)
    long = odds.sample(10_000, seed=3)
    for number in (0, 1, 4095, 4096, 4097, 9_999):
        assert odds.sample(number, seed=3) == long[:number]


def test_samples_without_a_seed_differ():
    assert D.dice(3, 6).sample(100) != D.dice(3, 6).sample(100)


@every("odds", [D.dice(3, 6), D.dice(1000, 6), D({"rare": 1, "common": 10**6})], ids=repr)
def test_a_million_samples_agree_with_the_exact(odds):
    number = 1_000_000
    drawn = odds.sample(number, seed=11)
    counts = {}
    for value in drawn:
        counts[value] = counts.get(value, 0) + 1
    assert counts.keys() <= set(odds.values)
    for value, probability in odds.to_dict().items():
        # Six standard deviations: a correct generator fails this once in 500 million values; 6 more for rare values.
        p = float(probability)
        assert abs(counts.get(value, 0) - number * p) <= 6 * sqrt(number * p * (1 - p)) + 6


def test_values_of_any_type():
    odds = D({None: 1, (1, 2): 1, True: 1, "red": 1})
    assert set(odds.sample(200, seed=1)) == {None, (1, 2), True, "red"}


@every("seed", [1.5, [], "x" * 101, 10**100])
def test_invalid_seeds(seed):
    with pytest.raises(dd.DiceError):
        D.dice(1, 6).sample(1, seed=seed)


def test_invalid_numbers_of_samples():
    for number in (-1, 1.5, "3", None, True):
        with pytest.raises(ParameterError, match="is not a number of samples"):
            D.dice(1, 6).sample(number)
