"""Distributions: statistics, events and arithmetic, against lists of equally likely values."""

import copy
import itertools
import json
import operator
import pickle
import statistics
from fractions import Fraction

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Distribution, LimitError, ParameterError, highest, limits, lowest
from dicedocs.probability.event import Event

from ..every import every
from ..examples import many
from .refusal import refused

D = Distribution
SIGNS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

tried = settings(max_examples=many(60), deadline=None, derandomize=True, database=None)
# Close together, far apart, below 0, a single one: those kept as a list of counts, and those in a dictionary.
WEIGHTS = st.dictionaries(st.integers(-9, 9) | st.integers(-(10**6), 10**6), st.integers(1, 5), min_size=1, max_size=5)
CLOSE = st.dictionaries(st.integers(-6, 8), st.integers(1, 5), min_size=1, max_size=9)
numbers = (WEIGHTS | CLOSE).map(D)


def listed(odds):
    """Each value as often as its count: a list of equally likely values."""
    return [value for value, count in odds.items() for _ in range(count)]


def probabilities(values):
    """The probabilities of the distinct values in a list of equally likely ones."""
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return {value: Fraction(count, sum(counts.values())) for value, count in counts.items()}


def pairs(one, two, function):
    return probabilities(function(a, b) for a in listed(one) for b in listed(two))


# By hand

TWO_D6 = D.dice(2, 6)


def test_two_dice():
    assert TWO_D6.values == tuple(range(2, 13))
    assert TWO_D6.counts == (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    assert TWO_D6.denominator == 36
    assert len(TWO_D6) == 11
    assert list(TWO_D6) == list(TWO_D6.values)
    assert list(TWO_D6.items()) == list(zip(TWO_D6.values, TWO_D6.counts, strict=True))
    assert TWO_D6.to_dict()[7] == Fraction(1, 6)
    assert [TWO_D6.mean, TWO_D6.variance, TWO_D6.median, TWO_D6.mode] == [7, Fraction(35, 6), 7, 7]
    assert TWO_D6.standard_deviation == pytest.approx(2.4152294576982397)
    assert type(TWO_D6.mean) is type(TWO_D6.variance) is type(TWO_D6.median) is Fraction
    assert [TWO_D6.quantile(q) for q in (0, Fraction(1, 36), 0.5, Fraction(35, 36), 1)] == [2, 2, 7, 11, 12]
    assert (TWO_D6.at_least(10), TWO_D6.at_most(3), TWO_D6.exactly(7)) == (
        Fraction(1, 6), Fraction(1, 12), Fraction(1, 6),
    )  # fmt: skip
    assert [TWO_D6.at_least(99), TWO_D6.at_least(-99), TWO_D6.exactly(99)] == [0, 1, 0]


def test_a_median_between_two_numbers():
    assert D.dice(1, 6).median == Fraction(7, 2)
    assert D({1: 1, 10: 1}).median == Fraction(11, 2)
    assert D({1: 2, 10: 1}).median == 1
    assert D({-4: 1, -1: 1}).median == Fraction(-5, 2)


def test_the_mode_is_the_first_of_several():
    assert D.dice(1, 6).mode == 1
    assert D({"red": 1, "blue": 2}).mode == "blue"


def test_no_dice_total_0():
    for nothing in (D.dice(0, 6), D.pool(), D.pool(6, 6, keep=highest(0)), D.dice(2, 6).repeat(0)):
        assert nothing.to_dict() == {0: 1}
    assert D.faces().to_dict() == {(): 1}


@tried
@given(numbers)
def test_statistics_against_a_list(odds):
    values = listed(odds)
    assert odds.denominator == len(values)
    assert odds.mean == statistics.mean(map(Fraction, values))
    assert odds.variance == statistics.pvariance(map(Fraction, values))
    assert odds.median == statistics.median(map(Fraction, values))
    assert odds.mode == max(odds.values, key=lambda value: (values.count(value), -value))
    for tenths in range(11):
        q = Fraction(tenths, 10)
        assert odds.quantile(q) == min(v for v in values if sum(other <= v for other in values) >= q * len(values))
    assert sum(odds.to_dict().values()) == 1
    assert list(odds.values) == sorted(set(values))


# Events


@tried
@given(numbers, st.sampled_from(list(SIGNS)), st.integers(-12, 12))
def test_events_against_a_list(odds, sign, number):
    values = listed(odds)
    share = Fraction(sum(SIGNS[sign](value, number) for value in values), len(values))
    assert odds.p(f"{sign} {number}") == odds.p(f"{sign}{number}") == share
    words = {"=": "equal", "!=": "not", "<": "under", "<=": "at most", ">": "over", ">=": "at least"}[sign]
    assert odds.p(f"{words} {number}") == odds.p(f"  {words.upper()}   {number} ") == share
    assert (odds.compare(number, sign).to_dict().get(True, 0)) == share


@tried
@given(numbers, st.integers(-12, 12), st.integers(0, 6))
def test_a_range_and_its_ends_against_a_list(odds, low, more):
    values = listed(odds)
    inside = Fraction(sum(low <= value <= low + more for value in values), len(values))
    assert odds.p(f"between {low} and {low + more}") == odds.p(f"Between  {low} and {low + more}") == inside
    assert sum(
        count for value, count in odds.items() if Event.read(f"between {low} and {low + more}").test()(value)
    ) == (inside * odds.denominator)
    assert (odds.minimum, odds.maximum) == (min(values), max(values))


def test_events_of_words_truth_values_and_none():
    odds = D({True: 1, False: 2, "if it succeeds": 3, None: 4, (1, 2): 5, (): 6})
    assert odds.p("true") == odds.p("= true") == odds.p(value := True) == Fraction(1, 21)
    assert odds.p("if it  succeeds") == odds.p("= if it succeeds") == Fraction(3, 21)
    assert odds.p("none") == Fraction(10, 21)  # nothing, and the empty list
    assert odds.p("1 2") == odds.p((1, 2)) == Fraction(5, 21)
    assert odds.p("not true") == Fraction(20, 21)
    assert odds.p("gone") == 0
    assert value
    with pytest.raises(ParameterError, match="words have no order, so '>=' cannot compare them"):
        odds.p("at least 2")


@every(
    "event",
    [
        "",
        "at least",
        ">=",
        "at least much",
        "over 1.5",
        "> true",
        "between 1",
        "between 2 and 1",
        "between a and b",
        ">= 1" + "0" * 3_900,
    ],
)
def test_invalid_events(event):
    with pytest.raises((ParameterError, LimitError)):
        D.dice(1, 6).p(event)


def test_words_that_begin_like_a_comparison():
    odds = D({"notable": 1, "overt": 2, "equality": 1})
    assert (odds.p("notable"), odds.p("not notable"), odds.p("overt")) == (
        Fraction(1, 4), Fraction(3, 4), Fraction(1, 2),
    )  # fmt: skip


def test_several_events_of_words():
    odds = D({"hit": 1, "critical hit": 2, "miss": 3, "10+": 4, "7-9": 5, "hit or run": 6, "13": 7})
    asked = {
        "hit or miss": 4, "not hit": 27, "ship": 0, "not hit or miss": 24, "= hit": 1, "Critical hit": 2,
        "10+": 4, "not 10+": 24, "10+ or 7-9": 9, "is not 7-9": 23, "hit or run": 6, '"hit or run" or hit': 7,
        "13": 7, "13 or hit": 8, "not 13": 21,
    }  # fmt: skip
    assert {text: odds.p(text) * 28 for text in asked} == asked
    numbers = D({1: 1, 2: 2, None: 3})
    assert [numbers.p(text) * 6 for text in ("at least 1", "none", "1 or none", "not none", "not 1")] == [3, 3, 4, 3, 5]
    joint = D({(1, "hit"): 1, (2, "miss"): 2, (7, "crit"): 3}, names=("roll", "word"))
    assert [joint.p(roll="1 or 7") * 6, joint.p(roll="not 1", word="hit or crit") * 6] == [4, 3]


def test_an_event_of_numbers_that_names_a_word_is_refused():
    for event in ("even", "yes", "not true", "7 or odd", "2d6", "total >= 3", '"7"'):
        with pytest.raises(ParameterError) as wrong:
            D.dice(1, 6).p(event)
        assert (wrong.value.text, bool(wrong.value.hint)) == (event, True)


# Dice, against every sequence and against icepool


def sequences(sides):
    return itertools.product(*[range(1, side + 1) for side in sides])


def kept(faces, keep):
    in_order = sorted(faces)
    if keep is None or keep.number >= len(in_order):
        return tuple(in_order)
    return tuple(in_order[len(in_order) - keep.number :] if keep.high else in_order[: keep.number])


POOLS = st.lists(st.integers(1, 6), max_size=5) | st.builds(lambda n, s: [s] * n, st.integers(0, 5), st.integers(1, 6))
KEEPS = st.none() | st.builds(highest, st.integers(0, 6)) | st.builds(lowest, st.integers(0, 6))


@tried
@given(POOLS, KEEPS)
def test_pools_against_every_sequence(sides, keep):
    assert D.pool(*sides, keep=keep).to_dict() == probabilities(sum(kept(faces, keep)) for faces in sequences(sides))
    assert D.faces(*sides, keep=keep).to_dict() == probabilities(kept(faces, keep) for faces in sequences(sides))


def same(odds, die):
    """Whether a distribution is that of a die of icepool, which counts over another denominator."""
    return odds.to_dict() == {value: Fraction(count, die.denominator()) for value, count in die.items()}


@every(("count", "sides"), [(1, 1), (3, 6), (10, 10), (100, 6), (7, 100), (40, 2), (2, 1000)])
def test_sums_against_icepool(count, sides):
    assert same(D.dice(count, sides), count @ icepool.d(sides))


@every(
    ("count", "sides", "number"), [(4, 6, 3), (6, 6, 3), (20, 20, 10), (10, 10, 1), (9, 12, 8), (30, 6, 29), (12, 4, 5)]
)
def test_keeps_of_equal_dice_against_icepool(count, sides, number):
    die = icepool.d(sides)
    assert same(D.pool(*[sides] * count, keep=highest(number)), die.highest(count, number))
    assert same(D.pool(*[sides] * count, keep=lowest(number)), die.lowest(count, number))


@every("sides", [(4, 6, 8, 10, 12), (20, 4, 4, 6), (2, 30), (3, 3, 3, 8, 8), (1, 1, 5), (12, 11, 10)])
@every("number", [1, 2, 3])
def test_keeps_of_different_dice_against_icepool(sides, number):
    pool = icepool.Pool([icepool.d(side) for side in sides])
    for keep, theirs in ((highest(number), pool.highest(number)), (lowest(number), pool.lowest(number))):
        assert same(D.pool(*sides, keep=keep), theirs.sum())
        assert same(D.faces(*sides, keep=keep), theirs.expand())
    assert same(D.pool(*sides), pool.sum())


def test_large_pools_by_closed_forms():
    # The mean of a die is (s + 1) / 2 and its variance (s * s - 1) / 12; both are additive.
    for count, sides in ((1000, 6), (200, 100), (2000, 2), (1, 100_000)):
        odds = D.dice(count, sides)
        assert odds.denominator == sum(odds.counts) == sides**count
        assert odds.mean == Fraction(count * (sides + 1), 2)
        assert odds.variance == Fraction(count * (sides**2 - 1), 12)
    # The highest of n dice is at most m with the probability (m / s) ** n.
    best = D.pool(*[20] * 50, keep=highest(1))
    assert all(best.at_most(m) == Fraction(m, 20) ** 50 for m in range(21))
    # The sum of all dice but the lowest, and of the lowest, is that of all; the means add up likewise.
    rest, low = D.pool(*[12] * 30, keep=highest(29)), D.pool(*[12] * 30, keep=lowest(1))
    assert rest.mean + low.mean == 30 * Fraction(13, 2)


# Arithmetic, against every pair


@tried
@given(numbers, numbers)
def test_arithmetic_against_every_pair(one, two):
    assert (one + two).to_dict() == pairs(one, two, operator.add)
    assert (one - two).to_dict() == pairs(one, two, operator.sub)
    assert (one * two).to_dict() == pairs(one, two, operator.mul)
    assert one.max(two).to_dict() == pairs(one, two, max)
    assert one.min(two).to_dict() == pairs(one, two, min)
    assert one.combine(two, lambda a, b: (a, b)).to_dict() == pairs(one, two, lambda a, b: (a, b))
    assert (-one).to_dict() == probabilities(-value for value in listed(one))
    for sign, holds in SIGNS.items():
        assert one.compare(two, sign).to_dict() == pairs(one, two, holds)
    assert [(one >= two), (one > two), (one <= two), (one < two)] == [
        one.compare(two, sign) for sign in (">=", ">", "<=", "<")
    ]
    if not two.exactly(0):
        assert (one // two).to_dict() == pairs(one, two, operator.floordiv)
    for result in (one + two, one * two, one.max(two), one.compare(two, "<")):
        assert sum(result.counts) == result.denominator


@tried
@given(numbers, st.integers(-12, 12) | st.integers(-(10**6), 10**6))
def test_arithmetic_with_a_number(odds, number):
    values = listed(odds)
    assert (odds + number).to_dict() == (number + odds).to_dict() == probabilities(value + number for value in values)
    assert (odds - number).to_dict() == probabilities(value - number for value in values)
    assert (number - odds).to_dict() == probabilities(number - value for value in values)
    assert (odds * number).to_dict() == (number * odds).to_dict() == probabilities(value * number for value in values)
    assert odds.max(number).to_dict() == probabilities(max(value, number) for value in values)
    assert odds.min(number).to_dict() == probabilities(min(value, number) for value in values)
    if number:
        assert (odds // number).to_dict() == probabilities(value // number for value in values)
    else:
        with pytest.raises(ParameterError, match="a divisor can be 0"):
            _ = odds // number


@tried
@given(CLOSE.map(D), st.integers(0, 3))
def test_repeated_sums(odds, times):
    assert odds.repeat(times).to_dict() == probabilities(map(sum, itertools.product(listed(odds), repeat=times)))


@tried
@given(numbers, st.sampled_from([abs, lambda v: v % 3, lambda v: v > 0, str, lambda v: (v, -v), {}.get]))
def test_functions_of_a_value(odds, function):
    assert odds.map(function).to_dict() == probabilities(map(function, listed(odds)))


def test_long_sums_do_not_depend_on_how_they_are_computed():
    for one, two in (((3, 6), (40, 6)), ((40, 6), (40, 6)), ((200, 10), (200, 10)), ((60, 20), (3, 4))):
        whole = D.dice(*one) + D.dice(*two)
        if one[1] == two[1]:
            assert whole == D.dice(one[0] + two[0], one[1])
        assert whole == D.pool(*[one[1]] * one[0], *[two[1]] * two[0])
        doubled = D.dice(*one) + D.dice(*two) * 2
        assert doubled == D.dice(*one) + D.dice(*two).map(lambda value: 2 * value)
        assert doubled.mean == D.dice(*one).mean + 2 * D.dice(*two).mean
        assert doubled.variance == D.dice(*one).variance + 4 * D.dice(*two).variance


def test_arithmetic_needs_numbers():
    words = D({"red": 1, "blue": 1})
    for run in (
        lambda: words + 1, lambda: words + words, lambda: -words, lambda: words * 2, lambda: words // 2,
        lambda: words.max(3), lambda: words >= 1, lambda: words.mean, lambda: words.variance, lambda: words.median,
        lambda: words.quantile(0.5), lambda: TWO_D6 + words, lambda: TWO_D6 * words, lambda: words.at_least(2),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=r"'red' is not a number, so the values cannot be"):
            run()
    truth = D.dice(1, 6) >= 4
    with pytest.raises(ParameterError, match="'false' is not a number"):
        _ = truth.mean
    for other in ("3d6", 1.5, None):
        with pytest.raises(ParameterError, match="is neither a number nor a distribution"):
            TWO_D6.max(other)


# Joint ones

HIT = D({(1, True): 1, (1, False): 1, (2, True): 2, (3, False): 4}, names=("roll", "hit"))


def test_joint_distributions():
    assert HIT.p(roll=1) == Fraction(2, 8)
    assert HIT.p(roll="at least 2", hit=True) == HIT.p(hit="true", roll=">= 2") == Fraction(2, 8)
    assert HIT.marginal("roll") == D({1: 2, 2: 2, 3: 4})
    assert HIT.marginal("roll").names == ("roll",)
    assert HIT.marginal("hit").to_dict() == {False: Fraction(5, 8), True: Fraction(3, 8)}
    assert HIT.marginal("hit", "roll").values == ((False, 1), (False, 3), (True, 1), (True, 2))
    given_hit = HIT.given(hit=True)
    assert given_hit.to_dict() == {(1, True): Fraction(1, 3), (2, True): Fraction(2, 3)}
    assert given_hit.names == ("roll", "hit")
    assert HIT.given(hit="true", roll="over 1").to_dict() == {(2, True): 1}
    assert HIT.named("face", "meets").p(face=3) == Fraction(1, 2)
    assert HIT.given(lambda value: value[0] > 1).to_dict() == {(2, True): Fraction(1, 3), (3, False): Fraction(2, 3)}
    alone = HIT.marginal("roll")
    assert alone.given(roll="under 3").marginal("roll").p("2") == Fraction(1, 2)
    assert alone.p(roll="2") == Fraction(1, 4)


def test_the_law_of_total_probability():
    parameters = {"advantage": 2, "effect": "low", "threshold": 13}
    together = dd.odds("total-effect/roll", "total", "effect", "triggered", **parameters)
    assert sum(together.to_dict().values()) == 1
    total = together.marginal("total")
    for value in total:
        assert together.p(total=value) == total.exactly(value)
        known = together.given(total=value)
        assert sum(known.to_dict().values()) == 1
        assert known.marginal("triggered").to_dict() == {value >= 13: 1}
    parts = [total.exactly(v) * together.given(total=v).marginal("effect").mean for v in total]
    assert sum(parts) == together.marginal("effect").mean


def test_unknown_facts_and_impossible_events():
    for run in (lambda: HIT.p(rol=1), lambda: HIT.marginal("rol"), lambda: HIT.given(rol=1)):
        with pytest.raises(ParameterError, match=r"there is no fact 'rol' here; did you mean 'roll'"):
            run()
    with pytest.raises(ParameterError, match="there is no fact 'roll' here"):
        TWO_D6.marginal("roll")
    with pytest.raises(ParameterError, match=r"it never happens that roll 3, hit true; ask for what can happen"):
        HIT.given(roll=3, hit=True)
    with pytest.raises(ParameterError, match=r"it never happens that the condition holds"):
        HIT.given(lambda value: value[0] > 3)
    with pytest.raises(ParameterError, match=r"a function and events of facts are both given"):
        HIT.given(bool, roll=3)
    with pytest.raises(ParameterError, match=r"'3' is not a function"):
        HIT.given(3)


def test_ways_that_were_not_followed_may_be_any_of_those_that_remain_possible():
    # Two ways of ten are at most 1, and of one nothing is known: two or three in three may be the face 1.
    odds = D.from_counts({1: 2, 2: 4, 3: 3}, ("face",), (), 10)
    low = odds.given(face="at most 1")
    assert (low.p(face=1), low.remainder) == (Fraction(2, 3), Fraction(1, 3))


def test_a_function_of_several_facts_of_which_some_are_words_in_order():
    odds = dd.odds("mage-in-the-metal/check", "total", "result", skill=12)
    assert odds.map(lambda value: value[1] == "success").exactly(True) == odds.p(result="success")


# Construction


@every(
    ("weights", "message"),
    [({}, "no value has a weight"), ({1: 0}, "no value has a weight"), ({1: -1}, "'-1' is not a weight"),
     ({1: 0.5}, "'0.5' is not a weight"), ({1: True}, "'true' is not a weight|'True' is not a weight")],
)  # fmt: skip
def test_invalid_weights(weights, message):
    with pytest.raises(ParameterError, match=message):
        D(weights)


@every(
    "run",
    [lambda: D.dice(-1, 6), lambda: D.dice(1, 0), lambda: D.dice("3", 6), lambda: D.dice(3, 6.0), lambda: D.pool(0),
     lambda: D.pool(6, "6"), lambda: D.faces(-1), lambda: TWO_D6.repeat(-1), lambda: TWO_D6.repeat(1.5),
     lambda: TWO_D6.quantile(-0.1), lambda: TWO_D6.quantile(1.1), lambda: TWO_D6.sample(-1), lambda: TWO_D6.sample(1.0),
     lambda: TWO_D6.sample(1, seed=1.5), lambda: highest(-1)],
)  # fmt: skip
def test_invalid_arguments(run):
    with pytest.raises(ParameterError):
        run()


def test_values_of_weight_0_are_left_out():
    odds = D({1: 1, 2: 0, 3: 1})
    assert odds.values == (1, 3)
    assert len(odds) == 2
    assert odds.p("2") == odds.exactly(2) == 0


def test_the_order_of_values():
    mixed = D({None: 1, "later": 1, (2, 1): 1, 5: 1, -1: 1, True: 1, "first": 1, (1, 9): 1})
    assert mixed.values == (-1, True, 5, "later", "first", (1, 9), (2, 1), None)
    assert D({True: 1, False: 1}).values == (False, True)


# Immutability, equality, copies and JSON


def test_a_distribution_is_immutable():
    for name in ("names", "_counts", "denominator", "anything"):
        with pytest.raises(AttributeError):
            setattr(TWO_D6, name, 1)
    with pytest.raises(AttributeError):
        del TWO_D6.names
    values = dict(TWO_D6.items())
    TWO_D6.to_dict()[7] = 0
    _ = TWO_D6 + 1, -TWO_D6, TWO_D6 * 3, TWO_D6.named("total")
    assert dict(TWO_D6.items()) == values
    weights = {1: 1, 2: 1}
    odds = D(weights)
    weights[1] = 99
    assert odds.counts == (1, 1)


@tried
@given(numbers, numbers, st.integers(1, 9))
def test_equality_is_that_of_the_probabilities(one, two, factor):
    again = D({value: count * factor for value, count in reversed(list(one.items()))})
    assert again == one
    assert hash(again) == hash(one)
    assert (one == two) == (one.to_dict() == two.to_dict())
    assert one != 3


def test_in_sets_and_copies():
    assert len({D.dice(2, 6), D.dice(1, 6) + D.dice(1, 6), D.dice(1, 6).repeat(2), D.dice(3, 6)}) == 2
    for odds in (TWO_D6, HIT, D({"red": 2, "blue": 1})):
        for twin in (copy.copy(odds), copy.deepcopy(odds), pickle.loads(pickle.dumps(odds))):  # noqa: S301 - our own
            assert twin == odds
            assert (twin.names, twin.values) == (odds.names, odds.values)


@every(
    "odds",
    [TWO_D6, HIT, D({"red": 2, "blue": 1}), D({None: 1, True: 2, (1, 2): 3, (): 1}), D({10**9: 1, -(10**9): 2}),
     D.dice(1000, 6), D.pool(*[10] * 8_000, keep=highest(1)),
     dd.odds("mage-in-the-metal/check", "result", "total", skill=11)],
    ids=repr,
)  # fmt: skip
def test_json_round_trip(odds):
    text = odds.to_json()
    again = D.from_json(text)
    assert again == odds
    assert (again.names, again.values, again.counts) == (odds.names, odds.values, odds.counts)
    assert again.to_json() == text
    denominator = json.loads(text)["denominator"]
    assert denominator == ("1" + "0" * 8_000 if odds.denominator == 10**8_000 else str(odds.denominator))


@every(
    "text",
    ["", "{", "[]", "{}", "null", '{"names": [], "counts": []}', '{"names": [], "counts": [[1, "x"]]}',
     '{"names": [], "counts": [[1, "-1"]]}', '{"names": 3, "counts": [[1, "1"]]}', '{"names": [], "counts": [1]}',
     '{"names": [], "counts": [[{}, "1"]]}', '{"names": [], "counts": {"a": "1"}}', "[" * 100_000,
     '{"names": [], "counts": [[1, "' + "9" * 10**6 + '"]]}'],
)  # fmt: skip
def test_invalid_json(text):
    with pytest.raises(ParameterError):
        D.from_json(text)


def test_repr():
    assert repr(TWO_D6) == "<Distribution: 11 values over 36>"
    assert repr(HIT) == "<Distribution of roll, hit: 4 values over 8>"
    assert repr(D.pool(*[10] * 8_000, keep=highest(1))) == "<Distribution: 10 values over about 10^8000>"


# Limits


@every(
    ("limit", "run"),
    [
        (limits.DICE, lambda: D.dice(10_001, 1)),
        (limits.DICE, lambda: D.pool(*[1] * 10_001)),
        (limits.DICE, lambda: TWO_D6.repeat(10_001)),
        (limits.SIDES, lambda: D.dice(1, 10**6 + 1)),
        (limits.OUTCOMES, lambda: D.dice(2, 10**6)),
        (limits.OUTCOMES, lambda: D.dice(1, 100_000) + D.dice(1, 100_000)),
        (limits.COUNT_BITS, lambda: D.dice(200, 400)),
        (limits.COUNT_BITS, lambda: D.dice(10_000, 6)),
        (limits.COUNT_BITS, lambda: D.dice(2, 6).repeat(9_000)),
        (limits.COUNT_BITS, lambda: D.pool(*range(1, 400))),
        (limits.PAIRS, lambda: D.dice(100, 100) * D.dice(100, 100)),
        (limits.PAIRS, lambda: D.dice(1, 100_000) // D.dice(1, 11)),
        (limits.PAIRS, lambda: D.dice(1, 2000).combine(D.dice(1, 2000), pytest.fail)),
        (limits.WORK, lambda: D.pool(*[100] * 100, keep=highest(50))),
        (limits.WORK, lambda: D.pool(*[9_000] * 20, keep=lowest(10))),
        (limits.BRANCHES, lambda: D.faces(*[20] * 30)),
        (limits.BRANCHES, lambda: D.faces(10**6)),
        (limits.SAMPLES, lambda: TWO_D6.sample(5_000_001)),
    ],
)
def test_limits_are_checked_before_the_work(limit, run):
    # The largest operands themselves take 1.6 MB.
    assert refused(run, 2_000_000).limit == limit.name


def test_a_series_aligns_with_others_in_one_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"coin": Distribution({0: 1, 1: 1}).to_pandas(), "die": Distribution.dice(1, 4).to_pandas()}
    )
    assert frame.fillna(0).to_dict("list") == {"coin": [0.5, 0.5, 0, 0, 0], "die": [0, 0.25, 0.25, 0.25, 0.25]}
    both = Distribution({(1, True): 1, (1, False): 1, (2, True): 2}, names=("roll", "hit")).to_pandas(exact=True)
    assert both.groupby("hit").sum().to_dict() == {False: Fraction(1, 4), True: Fraction(3, 4)}
