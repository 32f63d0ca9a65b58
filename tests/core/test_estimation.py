"""Odds by sampling: near the exact ones, by a bound that is stated, and the same for a seed."""

from fractions import Fraction
from math import sqrt

import pytest

import dicedocs as dd
from dicedocs import Distribution, Estimate, LimitError, ParameterError, limits
from dicedocs.rules.registry import mechanic

CASES = [
    ("methuen/expression", "total", {"expression": "(2d6 + 1) * 2 - 1d4"}),
    ("total-effect/roll", "total", {"advantage": 2}),
    ("mecha-vs-kaiju/action", "impact", {"pool": "d20 d6 d8", "counter": 12}),
    ("mage-in-the-metal/check", "result", {"skill": 11}),
    ("dungeoneers/fresh-pool", "fewest", {"size": 4, "stat": 3, "difficulty": 9}),
    ("ember/blaze", "hits", {"trait": 3}),
]


@pytest.mark.parametrize(("id", "fact", "parameters"), CASES)
def test_it_agrees_with_the_exact_within_five_standard_errors(id, fact, parameters):
    samples = 20_000
    about = dd.estimate(id, fact, samples=samples, seed=5, **parameters)
    exact = dd.odds(id, fact, **parameters)
    assert set(about.values) <= set(exact.values)
    for value in exact:
        p = float(exact.exactly(value))
        assert abs(float(about.exactly(value)) - p) <= 5 * sqrt(p * (1 - p) / samples) + 1 / samples


@pytest.mark.parametrize(("id", "fact", "parameters"), CASES)
def test_the_facts_are_those_of_so_many_plays(id, fact, parameters):
    about = dd.estimate(id, fact, samples=50, seed="theron", **parameters)
    dice, counts = dd.SeededDice("theron"), {}
    for _ in range(50):
        value = mechanic(id)(**parameters).play(dice).fact(fact)
        counts[value] = counts.get(value, 0) + 1
    assert dict(about.items()) == counts
    assert (about.samples, about.seed, about.names) == (50, "theron", (fact,))


def test_several_facts_jointly_and_none():
    about = dd.estimate("total-effect/roll", "total", "high", samples=500, seed=1)
    assert about.names == ("total", "high")
    assert about.marginal("total") == dd.estimate("total-effect/roll", samples=500, seed=1)
    assert sum(about.to_dict().values()) == 1


def test_words_come_in_the_order_in_which_they_are_declared():
    about = dd.estimate("mage-in-the-metal/check", "result", skill=11, samples=2_000, seed=1)
    assert about.values == ("critical success", "success", "failure", "critical failure")


def test_the_same_seed_gives_the_same_and_no_seed_another():
    def estimate(seed):
        return dd.estimate("methuen/expression", expression="10d100", samples=200, seed=seed)

    assert estimate(3) == estimate(3) == estimate("3")
    assert estimate(3) != estimate(4)
    assert estimate(None) != estimate(None)
    assert estimate(None).seed is None


def test_it_is_a_distribution_that_says_what_it_is():
    about = dd.estimate("methuen/expression", expression="1d6", samples=10, seed=1)
    assert isinstance(about, Estimate)
    assert isinstance(about, Distribution)
    assert repr(about).startswith("<Estimate of total: ")
    with pytest.raises(AttributeError):
        about.samples = 20
    assert type(about + 1) is Distribution


# Intervals


def test_an_interval_by_hand():
    # Wilson's interval for 8 of 10 at 95%, as Wilson's formula gives it with z = 1.959964: 0.4902 to 0.9433.
    about = Estimate.sampled({1: 8, 0: 2}, ("hit",), None)
    low, high = about.interval("1", confidence=0.95)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert about.interval(hit=1, confidence=0.95) == (low, high)
    # For none of 10 it is 0 to z² / (10 + z²) = 3.8415 / 13.8415.
    low, high = about.interval("7", confidence=0.95)
    assert (round(low, 9), round(high, 4)) == (0, 0.2775)
    # A mean of 0.8, a deviation of 0.4 over the root of 10, times z.
    low, high = about.mean_interval(confidence=0.95)
    assert (round(low, 4), round(high, 4)) == (0.5521, 1.0479)


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_intervals_hold_the_truth_as_often_as_they_say(confidence):
    tries, held, of_means = 300, 0, 0
    for seed in range(tries):
        about = dd.estimate("methuen/expression", expression="3d6", samples=200, seed=seed)
        low, high = about.interval("at least 13", confidence=confidence)
        held += low <= Fraction(7, 27) <= high
        low, high = about.mean_interval(confidence=confidence)
        of_means += low <= 10.5 <= high
    # Four standard deviations of a count that should be `confidence` of the tries.
    room = 4 * sqrt(tries * confidence * (1 - confidence))
    assert abs(held - tries * confidence) <= room
    assert abs(of_means - tries * confidence) <= room


def test_intervals_narrow_with_the_samples():
    wide = Estimate.sampled({1: 8, 0: 2}, (), None).interval("1")
    narrow = Estimate.sampled({1: 800, 0: 200}, (), None).interval("1")
    assert wide[0] < narrow[0] < 0.8 < narrow[1] < wide[1]


@pytest.mark.parametrize("confidence", [0, 1, -1, 2])
def test_what_is_no_confidence(confidence):
    about = Estimate.sampled({1: 1}, (), None)
    with pytest.raises(ParameterError, match="is no confidence"):
        about.interval("1", confidence=confidence)


@pytest.mark.parametrize("samples", [0, -1, 1.5, "many", True])
def test_what_is_no_number_of_samples(samples):
    with pytest.raises(ParameterError, match="is no number of samples"):
        dd.estimate("methuen/expression", expression="3d6", samples=samples)


def test_limits_and_errors():
    with pytest.raises(LimitError, match="ESTIMATE"):
        dd.estimate("methuen/expression", expression="3d6", samples=limits.ESTIMATE.maximum + 1)
    with pytest.raises(ParameterError, match="there is no fact 'totl'"):
        dd.estimate("methuen/expression", "totl", expression="3d6")
    with pytest.raises(ParameterError, match="has no odds of its own"):
        dd.estimate("methuen/expression", "dice", expression="3d6")


def test_what_cannot_be_counted_can_be_sampled():
    with pytest.raises(LimitError, match=r"estimate\("):
        dd.odds("mecha-vs-kaiju/action", pool="d20 " + "d12 " * 9)
    about = dd.estimate("mecha-vs-kaiju/action", pool="d20 " + "d12 " * 9, samples=1_000, seed=1)
    assert about.samples == 1_000
