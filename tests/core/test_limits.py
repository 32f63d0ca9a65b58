"""Limits: each has a name, and input that exceeds one is refused before the work begins."""

import inspect
import itertools

import pytest

import dicedocs as dd
from dicedocs import LimitError, limits

from ..every import every
from ..hostile import NOTATIONS, SCRIPT
from . import refusal


def test_every_limit_is_listed_once_under_its_own_name():
    named = {name: value for name, value in vars(limits).items() if isinstance(value, limits.Limit)}
    assert [limit.name for limit in limits.ALL] == list(named)
    assert list(limits.ALL) == list(named.values())
    assert all(limit.maximum > 0 and limit.unit for limit in limits.ALL)


def test_a_limit_is_the_largest_number_allowed():
    for limit in limits.ALL:
        limit.check(limit.maximum)
        with pytest.raises(LimitError) as caught:
            limit.check(limit.maximum + 1, hint="do less", parameter="skill")
        assert (caught.value.limit, caught.value.parameter) == (limit.name, "skill")
        assert str(caught.value) == (
            f"skill: {limit.maximum + 1} {limit.unit}; the limit {limit.name} is {limit.maximum}; do less"
        )


def test_a_number_too_long_to_be_written_is_refused_too():
    with pytest.raises(LimitError, match=r"^too many dice in one play"):
        limits.DICE.check(10**5000)


def test_no_more_is_read_of_an_iterator_than_the_limit_allows():
    read = []

    def endless():
        while True:
            read.append(1)
            yield 1

    with pytest.raises(LimitError) as caught:
        limits.ITEMS.take(endless(), hint="write fewer", parameter="pool")
    assert str(caught.value) == "pool: 1001 values in one list; the limit ITEMS is 1000; write fewer"
    assert len(read) == 1_001
    assert limits.ITEMS.take(itertools.repeat(4, 1_000)) == (4,) * 1_000


@every(("values", "count"), [(range(10**100), 1_001), ([1] * 1_005, 1_005), ((1,) * 1_005, 1_005)])
def test_a_list_is_judged_by_its_length(values, count):
    with pytest.raises(LimitError, match=rf"^{count} values in one list; "):
        limits.ITEMS.take(values)


@every("values", [5, None, "12", b"12", object()])
def test_what_is_not_a_list_of_values_is_refused(values):
    with pytest.raises(dd.ParameterError, match=r"is not a list$"):
        limits.ITEMS.take(values)


def test_an_iterator_that_fails_is_refused_with_its_reason():
    with pytest.raises(dd.ParameterError, match=r"reading the values of a generator failed: ZeroDivisionError: "):
        limits.ITEMS.take(1 / number for number in [1, 0])


def test_the_documented_limits():
    documented = {"TEXT": 1_000, "NESTING": 50, "DIGITS": 12, "SEED": 100, "DICE": 10_000, "SIDES": 1_000_000}
    documented |= {"PLAYS": 50, "VALUE_TEXT": 10_000, "ITEMS": 1_000, "SEEDS": 100_000}
    assert documented.items() <= {limit.name: limit.maximum for limit in limits.ALL}.items()


# Hostile input is refused by one of our errors, within 50 MB; the grammar is loaded beforehand.


def refused(act, *args, **named):
    """The error that a call raises, whose text can be shown."""
    error = refusal.refused(lambda: act(*args, **named), 50_000_000)
    text = str(error)
    assert len(text) < 2_000
    text.encode()
    return error


@pytest.fixture(scope="module", autouse=True)
def _grammar():
    dd.roll("1")
    dd.check("1 < 2")


@every("text", [*NOTATIONS.values(), f"[{SCRIPT}]", "[" + "x" * 990 + "]"], ids=[*NOTATIONS, "", ""])
@every("act", [dd.roll, dd.check])
def test_hostile_notation(act, text):
    error = refused(act, text, seed=1)
    assert error.parameter in {"notation", "check", ""}
    again = refused(act, text, seed=1)
    assert (type(error), str(error)) == (type(again), str(again))


@every(
    "parameters",
    [
        {"trait": "9" * 100_000},
        {"trait": 10**100_000},
        {"trait": "\udc80"},
        {"trait": "2\x00"},
        {"trait": object()},
        {"x" * 100_000: 1},
        {"\udc80": 1},
        {"<script>": 1},
        {"seed": "x" * 10**6},
        {"seed": 10**10_000},
        {"dice": "1 " * 10**6},
        {"dice": [10**10_000]},
        {"dice": "\udc80"},
        {"dice": b"123"[:0] + b"\xff"},
        {"dice": object()},
    ],
    ids=lambda value: repr(list(value)[0])[:12],  # noqa: RUF015
)
def test_hostile_parameters(parameters):
    refused(dd.play, "ember/blaze", **parameters)


@every(
    "crew",
    [
        "A" * 9_999,
        "A: " + "skill 1, " * 1_000,
        "A: " + "x" * 9_000,
        ";" * 10_000,
        "A: skill 1;" * 900 + "B: skil 1",
        "<script>: skill \udc80",
        [("A", 1)] * 100_000,
    ],
    ids=range(7),
)
def test_hostile_records(crew):
    refused(dd.play, "ember/haul", crew=crew, seed=1)


@every(
    "actor",
    [
        {f"{'ab' * 2000}{number}": 1 for number in range(1000)},
        {f"Strength {number}": 1 for number in range(1001)},
        ",".join(f"A{number}=1" for number in range(1200)),
        {"Strength": 10**10_000},
        {"Strength": "9" * 10_000},
        {"Strengt": 4},
        {"<b>Strength</b>": 4},
        {"\udc80": 4},
        {"": 4},
        {None: 4},
        3,
        object(),
    ],
    ids=range(12),
)
def test_hostile_resources(actor):
    refused(dd.roll, "[Strength]", actor, seed=1)


@every(
    "act",
    [
        lambda: dd.find_seed("x" * 10**6, faces=[1]),
        lambda: dd.find_seed("methuen/expression", expression="3d6", faces="1 " * 10**6),
        lambda: dd.find_seed("methuen/expression", expression="3d6", where="x=" * 10**6),
        lambda: dd.find_seed("methuen/expression", expression="3d6", where="\udc80=1"),
        lambda: dd.Example("methuen/expression", {"expression": "3"}, expect="a=1," * 2000).verify(),
        lambda: dd.Example("methuen/expression", {"expression": "3"}, expect="total=\udc80\x00").verify(),
        lambda: dd.Example("methuen/expression", {"expression": "3"}, expect="=" * 9_999).verify(),
        lambda: dd.roll("3").look_up("x" * 10**6),
        lambda: dd.roll("3").look_up("actor." + "x" * 10**6),
        lambda: dd.roll("3").facts("\udc80"),
    ],
    ids=range(10),
)
def test_hostile_words_elsewhere(act):
    refused(act)


def test_every_limit_is_in_this_module():
    """No other module creates a limit."""
    assert inspect.getsource(limits).count(" = Limit(") == len(limits.ALL)


def test_dice_are_thrown_again_no_more_often_than_the_limit_allows():
    # 40 dice with 1 side explode 50 times each, which is the limit; one more is refused.
    text = "40d1!=1x50"
    assert dd.roll(text, seed=1).value == 40 * 51
    for more in (f"{text} + 1d1!=1x1", f"{{1d1!=1x1, {text}}}", f"{text} + 1d2ro<3"):
        with pytest.raises(LimitError) as caught:
            dd.roll(more, seed=1)
        assert caught.value.limit == "AGAIN"
        assert "2001 dice thrown again" in str(caught.value)
