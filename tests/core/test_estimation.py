"""Odds by sampling: within a stated bound of the exact ones, and reproducible by a seed."""

from fractions import Fraction
from math import sqrt

import pytest

import dicedocs as dd
from dicedocs import Distribution, Estimate, LimitError, ParameterError, limits
from dicedocs.rules.registry import mechanic

from ..every import every

CASES = [
    ("methuen/expression", "total", {"expression": "(2d6 + 1) * 2 - 1d4"}),
    ("total-effect/roll", "total", {"advantage": 2}),
    ("mecha-vs-kaiju/action", "impact", {"pool": "d20 d6 d8", "counter": 12}),
    ("mage-in-the-metal/check", "result", {"skill": 11}),
    ("dungeoneers/fresh-pool", "fewest", {"size": 4, "stat": 3, "difficulty": 9}),
    ("ember/blaze", "hits", {"trait": 3}),
]


@every(("id", "fact", "parameters"), CASES)
def test_estimates_are_within_five_standard_errors_of_the_exact_odds(id, fact, parameters):
    samples = 4_000
    estimated = dd.estimate(id, fact, samples=samples, seed=5, **parameters)
    exact = dd.odds(id, fact, **parameters)
    assert set(estimated.values) <= set(exact.values)
    for value in exact:
        p = float(exact.exactly(value))
        assert abs(float(estimated.exactly(value)) - p) <= 5 * sqrt(p * (1 - p) / samples) + 1 / samples


@every(("id", "fact", "parameters"), CASES)
def test_an_estimate_counts_the_facts_of_its_plays(id, fact, parameters):
    estimated = dd.estimate(id, fact, samples=50, seed="theron", **parameters)
    dice, counts = dd.SeededDice("theron"), {}
    for _ in range(50):
        value = mechanic(id)(**parameters).play(dice).fact(fact)
        counts[value] = counts.get(value, 0) + 1
    assert dict(estimated.items()) == counts
    assert (estimated.samples, estimated.seed, estimated.names) == (50, "theron", (fact,))


def test_joint_facts_and_the_default_fact():
    estimated = dd.estimate("total-effect/roll", "total", "high", samples=500, seed=1)
    assert estimated.names == ("total", "high")
    assert estimated.marginal("total") == dd.estimate("total-effect/roll", samples=500, seed=1)
    assert sum(estimated.to_dict().values()) == 1


def test_words_are_in_the_declared_order():
    estimated = dd.estimate("mage-in-the-metal/check", "result", skill=11, samples=2_000, seed=1)
    assert estimated.values == ("critical success", "success", "failure", "critical failure")


def test_estimates_with_and_without_a_seed():
    def estimate(seed):
        return dd.estimate("methuen/expression", expression="10d100", samples=200, seed=seed)

    assert estimate(3) == estimate(3) == estimate("3")
    assert estimate(3) != estimate(4)
    assert estimate(None) != estimate(None)
    assert estimate(None).seed is None


def test_an_estimate_is_a_distribution():
    estimated = dd.estimate("methuen/expression", expression="1d6", samples=10, seed=1)
    assert isinstance(estimated, Estimate)
    assert isinstance(estimated, Distribution)
    assert repr(estimated).startswith("<Estimate of total: ")
    with pytest.raises(AttributeError):
        estimated.samples = 20
    assert type(estimated + 1) is Distribution


# Intervals


def test_intervals_computed_by_hand():
    # Wilson's interval for 8 of 10 at 95%, as Wilson's formula gives it with z = 1.959964: 0.4902 to 0.9433.
    estimated = Estimate.sampled({1: 8, 0: 2}, ("hit",), None)
    low, high = estimated.interval("1", confidence=0.95)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert estimated.interval(hit=1, confidence=0.95) == (low, high)
    # For none of 10 it is 0 to z² / (10 + z²) = 3.8415 / 13.8415.
    low, high = estimated.interval("7", confidence=0.95)
    assert (round(low, 9), round(high, 4)) == (0, 0.2775)
    # A mean of 0.8, a deviation of 0.4 over the root of 10, times z.
    low, high = estimated.mean_interval(confidence=0.95)
    assert (round(low, 4), round(high, 4)) == (0.5521, 1.0479)


@pytest.fixture(scope="module")
def estimates():
    return [dd.estimate("methuen/expression", expression="3d6", samples=200, seed=seed) for seed in range(300)]


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_intervals_contain_the_true_value_as_often_as_their_confidence_says(confidence, estimates):
    tries, of_events, of_means = len(estimates), 0, 0
    for estimated in estimates:
        low, high = estimated.interval("at least 13", confidence=confidence)
        of_events += low <= Fraction(7, 27) <= high
        low, high = estimated.mean_interval(confidence=confidence)
        of_means += low <= 10.5 <= high
    # Four standard deviations of a count that should be `confidence` of the tries.
    tolerance = 4 * sqrt(tries * confidence * (1 - confidence))
    assert abs(of_events - tries * confidence) <= tolerance
    assert abs(of_means - tries * confidence) <= tolerance


def test_more_samples_give_narrower_intervals():
    wide = Estimate.sampled({1: 8, 0: 2}, (), None).interval("1")
    narrow = Estimate.sampled({1: 800, 0: 200}, (), None).interval("1")
    assert wide[0] < narrow[0] < 0.8 < narrow[1] < wide[1]


@every("confidence", [0, 1, -1, 2])
def test_invalid_confidence_levels(confidence):
    estimated = Estimate.sampled({1: 1}, (), None)
    with pytest.raises(ParameterError, match="is not a confidence level"):
        estimated.interval("1", confidence=confidence)


@every("samples", [0, -1, 1.5, "many", True])
def test_invalid_numbers_of_samples(samples):
    with pytest.raises(ParameterError, match="is not a number of samples"):
        dd.estimate("methuen/expression", expression="3d6", samples=samples)


def test_limits_and_errors():
    with pytest.raises(LimitError, match="ESTIMATE"):
        dd.estimate("methuen/expression", expression="3d6", samples=limits.ESTIMATE.maximum + 1)
    with pytest.raises(ParameterError, match="there is no fact 'totl'"):
        dd.estimate("methuen/expression", "totl", expression="3d6")
    with pytest.raises(ParameterError, match="has no odds of its own"):
        dd.estimate("methuen/expression", "dice", expression="3d6")


def test_an_estimate_of_long_outcomes_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "VALUES", limits.VALUES.fixed(100_000))
    outcomes = {"pool": "3 " * 900, "exhausted": "1 2 3 4 5 6 7 8 9 10 11 12"}
    with pytest.raises(LimitError, match="VALUES"):
        dd.estimate("dungeoneers/rest", samples=20_000, seed=1, **outcomes)


def test_sampling_what_is_too_much_to_count():
    with pytest.raises(LimitError, match=r"estimate\("):
        dd.odds("mecha-vs-kaiju/action", pool="d20 " + "d12 " * 9)
    estimated = dd.estimate("mecha-vs-kaiju/action", pool="d20 " + "d12 " * 9, samples=1_000, seed=1)
    assert estimated.samples == 1_000
