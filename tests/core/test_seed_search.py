"""The search for the smallest seed with certain faces or facts."""

import pytest

import dicedocs as dd
from dicedocs import LimitError, ParameterError, SeededDice, find_seed, limits
from dicedocs.rules.registry import mechanic

from ..every import every

begin = SeededDice.__init__
CREW = "Ash: skill 2; Bo: skill 1, tool 3"


def smallest_seed(id, parameters, holds):
    """The smallest seed whose outcome meets a condition, by trying one after another."""
    rule = mechanic(id)(**parameters)
    return next(seed for seed in range(1000) if holds(rule.play(SeededDice(seed))))


@every(
    ("id", "parameters", "wanted", "holds"),
    [
        ("methuen/expression", {"expression": "2d6"}, {"faces": [1, 2]}, lambda o: o.dice == (1, 2)),
        ("methuen/expression", {"expression": "2d6"}, {"faces": "6 6"}, lambda o: o.dice == (6, 6)),
        ("methuen/expression", {"expression": "1d4 + 1d8"}, {"faces": (2, 8)}, lambda o: o.dice == (2, 8)),
        ("methuen/expression", {"expression": "3d6"}, {"where": {"total": 17}}, lambda o: o.total == 17),
        ("methuen/expression", {"expression": "3d6"}, {"where": "total=17"}, lambda o: o.total == 17),
        ("methuen/expression", {"expression": "3d6"}, {"where": {"total": "17"}}, lambda o: o.total == 17),
        ("methuen/expression", {"expression": "2d6"}, {"where": {"dice": (1, 2)}}, lambda o: o.dice == (1, 2)),
        ("methuen/expression", {"expression": "2d6"}, {"where": "dice=1 2, total=3"}, lambda o: o.dice == (1, 2)),
        ("methuen/check", {"check": "1d20 > 18"}, {"where": {"success": True}}, lambda o: o.success),
        ("ember/blaze", {"trait": 2}, {"where": {"hits": 2, "blaze": 1}}, lambda o: (o.hits, o.blaze) == (2, 1)),
        ("ember/haul", {"crew": CREW}, {"where": {"degree": "dropped   it"}}, lambda o: o.degree == "dropped it"),
        ("methuen/expression", {"expression": "3"}, {"faces": []}, lambda _: True),
        ("methuen/expression", {"expression": "3"}, {"where": "total=3"}, lambda _: True),
        (
            "methuen/expression",
            {"expression": "2d6"},
            {"faces": [4, 4], "where": "total=8"},
            lambda o: o.dice == (4, 4),
        ),
    ],
)
def test_the_smallest_seed_is_found(id, parameters, wanted, holds):
    assert find_seed(id, **parameters, **wanted) == smallest_seed(id, parameters, holds)


def test_the_seed_gives_the_faces():
    seed = find_seed("ember/blaze", trait=3, faces=[10, 1, 8, 2])
    assert dd.play("ember/blaze", trait=3, seed=seed).dice == (10, 1, 8, 2)


@every(
    ("wanted", "message"),
    [
        ({}, "there is nothing to search for; give faces, or facts as where"),
        ({"where": ""}, "there is nothing to search for; give faces, or facts as where"),
        ({"where": {}}, "there is nothing to search for; give faces, or facts as where"),
        ({"faces": [1, 2]}, "dice: die 3 is a d6, and 2 faces are given; give a face for each die that is thrown"),
        ({"faces": [1, 2, 7]}, "dice: die 3 is a d6 and cannot show 7; give a face from 1 to 6"),
        (
            {"faces": [1, 2, 3, 4]},
            "dice: 4 faces are given, and 3 thrown; give only the dice that are thrown: d6, d6, d6",
        ),
        ({"faces": "1 x"}, "dice: 'x' is not a face; write the faces as numbers: 4 2 5"),
        (
            {"faces": [1, 2, 3], "where": {"total": 7}},
            "where: with these faces it is 'total=6'; leave out where or faces",
        ),
        ({"where": "totl=3"}, "where: there is no fact 'totl'; did you mean 'total'?"),
        ({"where": {"total": 99, "nope": 3}}, None),
        ({"where": "total"}, "where: 'total' is not a fact with a value; write name=value, separated by commas"),
    ],
    ids=str,
)
def test_impossible_searches_are_refused_at_once(wanted, message, monkeypatch):
    monkeypatch.setattr(limits, "SEEDS", limits.SEEDS.fixed(1))
    with pytest.raises(ParameterError) as caught:
        find_seed("methuen/expression", expression="3d6", **wanted)
    assert message is None or str(caught.value) == message


def test_a_search_is_limited_and_reports_its_progress(monkeypatch):
    monkeypatch.setattr(limits, "SEEDS", limits.SEEDS.fixed(25_000))
    reported: list[int] = []
    with pytest.raises(LimitError) as caught:
        find_seed("methuen/expression", expression="1d6", where={"dice": 7}, progress=reported.append)
    assert reported == [10_000, 20_000]
    assert caught.value.limit == "SEEDS"
    assert str(caught.value).startswith("none of the first 25000 seeds gives that")


def test_the_last_seed_is_tried_too(monkeypatch):
    seed = find_seed("methuen/expression", expression="3d6", where={"total": 18})
    monkeypatch.setattr(limits, "SEEDS", limits.SEEDS.fixed(seed))
    with pytest.raises(LimitError):
        find_seed("methuen/expression", expression="3d6", where={"total": 18})
    monkeypatch.setattr(limits, "SEEDS", limits.SEEDS.fixed(seed + 1))
    assert find_seed("methuen/expression", expression="3d6", where={"total": 18}) == seed


def test_progress_may_stop_a_search():
    class Enough(Exception):
        """The user pressed a button."""

    def stop(_):
        raise Enough

    with pytest.raises(Enough):
        find_seed("methuen/expression", expression="1d6", where={"dice": 7}, progress=stop)


def test_a_fact_that_never_has_a_value_is_refused_before_any_seed_is_tried():
    with pytest.raises(ParameterError) as caught:
        find_seed("methuen/check", check="1d20 >= 6", where="success=angry")
    assert str(caught.value) == "where: the fact 'success' is never 'angry': 'angry' is not true or false"


@every(
    ("expression", "where", "message"),
    [
        ("3d6", {"total": 19}, "the fact 'total' is never '19'; it is from 3 to 18"),
        ("2d6 * 2", {"total": 5}, "the fact 'total' is never '5'; it is from 4 to 24"),
        ("1d4 - 2", {"total": 1, "raw": 2}, "the facts are never 'total=1, raw=2' together"),
    ],
)
def test_facts_that_the_exact_odds_exclude_are_refused_before_the_long_search(expression, where, message, monkeypatch):
    tried: list[int] = []

    def counted(dice, seed):
        tried.append(seed)
        begin(dice, seed)

    monkeypatch.setattr(SeededDice, "__init__", counted)
    with pytest.raises(ParameterError) as caught:
        find_seed("methuen/expression", expression=expression, where=where)
    assert str(caught.value) == f"where: {message}"
    assert len(tried) < 2000
