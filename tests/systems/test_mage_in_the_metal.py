"""The Mage in the Metal: worked texts, facts worked out by hand, text forms, errors, and a second implementation."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import LimitError, Outcome, ParameterError, ScriptedDice
from dicedocs.render.text import is_idle
from dicedocs.systems.mage_in_the_metal import Check, Contest, Contestant, Penalties, Penalty

from ..every import every
from ..examples import many
from .properties import SEEDS, assert_sound, parameters

CHECK = "mage-in-the-metal/check"
CONTEST = "mage-in-the-metal/contest"
BONUSES = ["equipment", "magical", "circumstance", "fate"]


def create(rule: Any, **parameters: Any) -> Any:
    """Return a rule, or a record, from values of any type: a parameter accepts more than its type says."""
    return rule(**parameters)


def check(dice: str, **parameters: Any) -> Outcome:
    return dd.play(CHECK, dice=dice, **parameters)


def contest(dice: str, contestants: Any) -> Outcome:
    return dd.play(CONTEST, dice=dice, contestants=contestants)


# The worked text, written by hand


@every(
    ("dice", "chosen", "text"),
    [
        (
            "3 4 5",
            {"skill": 20},
            """\
TN: 20 (skill)
Dice: 3d6: 3 + 4 + 5 = 12
Under the TN: 12 < 20: yes
Difference: 20 - 12 = 8
Result: success""",
        ),
        (
            "3 4 5",
            {"skill": 20, "equipment": "2 4", "penalties": "difficulty -10"},
            """\
Best equipment: 4 (2, 4)
TN: 20 (skill) + 4 (equipment) - 10 (difficulty) = 14
Dice: 3d6: 3 + 4 + 5 = 12
Under the TN: 12 < 14: yes
Difference: 14 - 12 = 2
Result: success""",
        ),
        (
            "2 3",  # a critical success that is not under the TN
            {"skill": 12, "penalties": "8, wounds 2", "favor": "with", "margin": 2},
            """\
TN: 12 (skill) - 8 (penalty) - 2 (wounds) = 2
Number of dice: 3 - 1 (with favor) = 2
Dice: 2d6: 2 + 3 = 5
Under the TN: 5 < 2: no
Difference: 2 - 5 = -3
Degrees: 3 / 2 = 1, rounded down
Critical: success (5 or less)
Result: critical success (whatever the TN)""",
        ),
        (
            "6 2 5 4",  # a critical failure that is under the TN
            {"skill": 11, "fate": 2, "magical": 3, "circumstance": 2, "favor": "without", "margin": 1},
            """\
TN: 11 (skill) + 3 (magical) + 2 (circumstance) + 2 (fate) = 18
Number of dice: 3 + 1 (without favor) = 4
Dice: 4d6: 6 + 2 + 5 + 4 = 17
Under the TN: 17 < 18: yes
Difference: 18 - 17 = 1
Degrees: 1
Critical: failure (16 or more)
Result: critical failure (whatever the TN)""",
        ),
        (
            "6 6 6",
            {"skill": 12, "multiply": 3, "divide": 2, "favor": "without with", "at_or_under": True},
            """\
TN: 12 (skill)
TN in the end: 12 * 3 / 2 = 18
Number of dice: 3 - 1 (with favor) + 1 (without favor) = 3
Dice: 3d6: 6 + 6 + 6 = 18
At or under the TN: 18 <= 18: yes
Difference: 18 - 18 = 0
Critical: failure (16 or more)
Result: critical failure (whatever the TN)""",
        ),
        (
            "1 1 3",  # a critical success that would have been a success, of one point a degree
            {"skill": 15, "divide": 2, "margin": 1},
            """\
TN: 15 (skill)
TN in the end: 15 / 2 = 7, rounded down
Dice: 3d6: 1 + 1 + 3 = 5
Under the TN: 5 < 7: yes
Difference: 7 - 5 = 2
Degrees: 2
Critical: success (5 or less)
Result: critical success""",
        ),
    ],
)
def test_the_worked_text_of_a_check(dice, chosen, text):
    assert str(check(dice, **chosen)) == text


@every(
    ("dice", "contestants", "text"),
    [
        (
            "2 5 6 6 5 3",  # won by the difference
            "Whitebeard: skill 20, penalty 4; Rusk: skill 16, favor with, favor without, equipment 1, penalty -1",
            """\
Whitebeard:
  TN: 20 (skill) - 4 (penalty) = 16
  Dice: 3d6: 2 + 5 + 6 = 13
  Under the TN: 13 < 16: yes
  Difference: 16 - 13 = 3
  Result: success
Rusk:
  TN: 16 (skill) + 1 (equipment) - 1 (penalty) = 16
  Number of dice: 3 - 1 (with favor) + 1 (without favor) = 3
  Dice: 3d6: 6 + 5 + 3 = 14
  Under the TN: 14 < 16: yes
  Difference: 16 - 14 = 2
  Result: success
Ahead: Whitebeard, by difference
Winner: Whitebeard""",
        ),
        (
            "2 5 6 6 5 2",  # won by training
            "Rusk: skill 16, training 1; Whitebeard: skill 20, training 2, penalty 3, penalty 1",
            """\
Rusk:
  TN: 16 (skill)
  Dice: 3d6: 2 + 5 + 6 = 13
  Under the TN: 13 < 16: yes
  Difference: 16 - 13 = 3
  Result: success
Whitebeard:
  TN: 20 (skill) - 3 (penalty) - 1 (penalty) = 16
  Dice: 3d6: 6 + 5 + 2 = 13
  Under the TN: 13 < 16: yes
  Difference: 16 - 13 = 3
  Result: success
Ahead: Rusk and Whitebeard, level
Training: Whitebeard, by 2 to 1
Winner: Whitebeard""",
        ),
        (
            "6 6 5 3 3 4 2 4 4",  # a stalemate of two, with a third behind
            "Ada: skill 30; Rusk: skill 12, training 3; Whitebeard: skill 12, training 3",
            """\
Ada:
  TN: 30 (skill)
  Dice: 3d6: 6 + 6 + 5 = 17
  Under the TN: 17 < 30: yes
  Difference: 30 - 17 = 13
  Critical: failure (16 or more)
  Result: critical failure (whatever the TN)
Rusk:
  TN: 12 (skill)
  Dice: 3d6: 3 + 3 + 4 = 10
  Under the TN: 10 < 12: yes
  Difference: 12 - 10 = 2
  Result: success
Whitebeard:
  TN: 12 (skill)
  Dice: 3d6: 2 + 4 + 4 = 10
  Under the TN: 10 < 12: yes
  Difference: 12 - 10 = 2
  Result: success
Ahead: Rusk and Whitebeard, by result
Training: Rusk and Whitebeard, level
Result: stalemate (another contest is needed)""",
        ),
    ],
)
def test_the_worked_text_of_a_contest(dice, contestants, text):
    assert str(contest(dice, contestants)) == text


# Facts of the named examples, by hand


@every(
    ("dice", "chosen", "facts"),
    [
        (
            "3 4 5",
            {"skill": 20},
            "total=12, tn=20, under=true, success=true, critical=none, difference=8, degrees=none, result=success",
        ),
        (
            "3 4 5",
            {"skill": 20, "penalties": "difficulty 10"},
            "total=12, tn=10, under=false, success=false, critical=none, difference=-2, degrees=none, result=failure",
        ),
        (
            "6 1 5",
            {"skill": 20, "equipment": 4, "penalties": "-10"},
            "total=12, tn=14, under=true, success=true, critical=none, difference=2, degrees=none, result=success",
        ),
        # Equal to the number, as it is played and as a table may play it.
        ("2 4 6", {"skill": 12}, "under=false, success=false, difference=0, result=failure"),
        ("2 4 6", {"skill": 12, "at_or_under": True}, "under=true, success=true, difference=0, result=success"),
        ("2 4 6", {"skill": 13}, "under=true, success=true, difference=1"),
        ("2 4 6", {"skill": 11, "at_or_under": True}, "under=false, success=false, difference=-1"),
        # The bands, at both of their ends.
        ("1 1 1", {"skill": 20}, "critical=success, result=critical success, success=true, under=true"),
        ("1 1 3", {"skill": 2}, "critical=success, result=critical success, success=true, under=false"),
        ("1 1 4", {"skill": 2}, "critical=none, result=failure, success=false, under=false"),
        ("6 6 3", {"skill": 20}, "critical=none, result=success, success=true, under=true"),
        ("6 6 4", {"skill": 20}, "critical=failure, result=critical failure, success=false, under=true"),
        ("6 6 6", {"skill": 3}, "critical=failure, result=critical failure, success=false, under=false"),
        # Favor changes how many dice there are, and no more.
        ("6 6", {"skill": 10, "favor": "with"}, "total=12, critical=none, result=failure"),
        ("1 1", {"skill": 10, "favor": "with"}, "total=2, critical=success"),
        ("1 1 1 3", {"skill": 10, "favor": "without"}, "total=6, critical=none, result=success"),
        ("4 4 4 4", {"skill": 30, "favor": "without"}, "total=16, critical=failure, under=true"),
        ("3 4 5", {"skill": 10, "favor": "with without"}, "total=12"),
        ("6 5", {"skill": 10, "favor": "with with"}, "total=11"),
        ("3 4 5", {"skill": 10, "favor": "none"}, "total=12"),
        # Margins, on either side.
        ("2 3 5", {"skill": 19, "margin": 3}, "difference=9, degrees=3"),
        ("2 3 5", {"skill": 18, "margin": 3}, "difference=8, degrees=2"),
        ("2 3 5", {"skill": 11, "margin": 3}, "difference=1, degrees=0"),
        ("6 5 4", {"skill": 11, "margin": 3}, "difference=-4, degrees=1"),
        ("6 5 4", {"skill": 8, "margin": 1}, "difference=-7, degrees=7"),
        ("6 5 4", {"skill": 15, "margin": 4}, "difference=0, degrees=0"),
        # All four types of bonus, the largest of each; every penalty.
        (
            "3 4 5",
            {"skill": 1, "equipment": "1 2", "magical": "20, 10", "circumstance": 100, "fate": [0, 1000]},
            "tn=1123",
        ),
        ("3 4 5", {"skill": 30, "penalties": "difficulty 2, difficulty 2, wounds 3, -4, +5"}, "tn=14"),
        ("3 4 5", {"skill": 2, "penalties": 9}, "tn=-7, difference=-19, under=false"),
        ("3 4 5", {"skill": -2}, "tn=-2"),
        # Multiplication and division come last, and round down once.
        ("3 4 5", {"skill": 10, "equipment": 3, "penalties": 2, "multiply": 3}, "tn=33"),
        ("3 4 5", {"skill": 10, "equipment": 3, "penalties": 2, "divide": 2}, "tn=5"),
        ("3 4 5", {"skill": 7, "multiply": 3, "divide": 2}, "tn=10"),
        ("3 4 5", {"skill": 1, "penalties": 4, "divide": 2}, "tn=-2"),
        ("3 4 5", {"skill": 7, "multiply": 0}, "tn=0"),
    ],
)
def test_the_facts_of_a_check(dice, chosen, facts):
    assert check(dice, **chosen).facts(*(part.partition("=")[0] for part in facts.split(", "))) == facts


@every(
    ("dice", "contestants", "facts"),
    [
        # By result: a success beats a failure, whatever the difference; a critical beats both.
        ("6 5 3 4 4 4", "A: skill 15; B: skill 12, training 9", "winner=A, result=win, totals=14 12"),
        ("1 2 2 1 2 3", "A: skill 2; B: skill 50", "winner=A, result=win, totals=5 6"),
        ("6 6 6 5 5 5", "A: skill 90; B: skill 3", "winner=B, result=win, totals=18 15"),
        # By difference, of failures too.
        ("3 4 5 3 4 4", "A: skill 15; B: skill 13, training 9", "winner=A, result=win, totals=12 11"),
        ("6 4 5 3 4 4", "A: skill 13; B: skill 10, training 9", "winner=B, result=win, totals=15 11"),
        # A tie: by training, or not at all.
        ("3 4 5 3 4 5", "A: skill 14, training 1; B: skill 14, training 2", "winner=B, result=win, totals=12 12"),
        ("3 4 5 3 4 4", "A: skill 14, training 1; B: skill 13", "winner=A, result=win, totals=12 11"),
        ("3 4 5 3 4 5", "A: skill 14; B: skill 14", "winner=none, result=stalemate, totals=12 12"),
        ("3 4 5 3 4 4", "A: skill 14; B: skill 13", "winner=none, result=stalemate, totals=12 11"),
        # Any number of them, with any number of dice.
        (
            "6 6 6 1 5 6 6 1 1",
            "A: skill 14; B: skill 7, favor with; C: skill 50, favor without",
            "winner=C, result=win, totals=18 6 14",
        ),
        (
            "3 3 4 3 3 4 3 3 4",
            "A: skill 14, training 2; B: skill 14, training 3; C: skill 14, training 2",
            "winner=B, result=win, totals=10 10 10",
        ),
    ],
)
def test_the_facts_of_a_contest(dice, contestants, facts):
    assert contest(dice, contestants).facts() == facts


def test_the_labels_that_a_result_shows():
    labels = {name: fact.label for name, fact in Check.result().facts_of.items()}
    assert labels["tn"] == "TN"
    assert labels["under"] == "Under the TN"


# Text forms


@every(
    ("text", "canonical"),
    [
        ("10", "10"),
        ("-10", "10"),
        (" 10 ,2 ", "10, 2"),
        ("difficulty 10, wounds 2", "difficulty 10, wounds 2"),
        ("difficulty  -10,", "difficulty 10"),
        ("difficulty - 10", "difficulty 10"),
        ("bad  light +3", "bad light 3"),
        ("0", "0"),
        ("none", "none"),
        ("None", "none"),
        ("", "none"),
        (10, "10"),
        ([10, -2], "10, 2"),
        ([10, "wounds 2"], "10, wounds 2"),
        ({"difficulty": 10, "wounds": -2}, "difficulty 10, wounds 2"),
        (Penalty(-10, "difficulty"), "difficulty 10"),
        ([Penalty(2)], "2"),
        ([], "none"),
        (None, "none"),
    ],
)
def test_how_penalties_are_written(text, canonical):
    penalties = create(Check, skill=20, penalties=text).penalties
    assert isinstance(penalties, Penalties)
    assert str(penalties) == canonical
    assert Penalties.from_text(canonical) == penalties


@every(
    ("text", "canonical"), [("with", "with"), ("With, without", "with without"), (["without"], "without"), ("", "none")]
)
def test_how_favor_is_written(text, canonical):
    field = Check.parameters()["favor"]
    assert field.write(field.convert(text)) == canonical


FULL = (
    "Whitebeard: skill 20, training 2, equipment 4, equipment 2, magical 1, circumstance 3, fate 5, "
    "penalty 10, penalty 2, favor with; Rusk: skill 14"
)


def test_how_contestants_are_written():
    rule = create(Contest, contestants=FULL)
    assert rule.contestants == (
        Contestant("Whitebeard", 20, 2, (4, 2), (1,), (3,), (5,), (10, 2), ("with",)),
        Contestant("Rusk", 14),
    )
    assert Contest.parameters()["contestants"].write(rule.contestants) == FULL
    assert Contest(contestants=rule.contestants) == rule
    whole = {"equipment": "4 2", "magical": 1, "circumstance": 3, "fate": 5, "penalties": "10, 2", "favor": "with"}
    assert rule.checks == (create(Check, skill=20, **whole), create(Check, skill=14))


def test_the_python_call_has_plain_values():
    example = dd.Example(CHECK, {"skill": 20, "equipment": 4, "penalties": "difficulty -10"}, dice="3 4 5")
    assert example.code() == (
        'dd.play(\n    "mage-in-the-metal/check",\n    skill=20,\n    equipment=[4],\n'
        '    penalties="difficulty 10",\n    dice=[3, 4, 5],\n)'
    )


# Errors and limits


@every(
    ("chosen", "parameter", "message", "hint"),
    [
        ({}, "skill", "a value is needed", "write a whole number"),
        ({"skill": "high"}, "skill", "'high' is not a whole number", ""),
        ({"fate": "2 -4"}, "fate", "a bonus of -4 would lower the TN", "write it as a penalty: 4"),
        ({"penalties": "10 2"}, "penalties", "'10' is not a type of penalty", "put a comma between penalties"),
        ({"penalties": "wound 2 fear 3"}, "penalties", "'wound 2 fear' is not a type of penalty", "put a comma"),
        ({"penalties": "10 difficulty"}, "penalties", "'10 difficulty' is not a penalty", "after its type"),
        ({"penalties": "difficulty"}, "penalties", "'difficulty' is not a penalty", "10 or difficulty 10"),
        ({"penalties": "difficulty=10"}, "penalties", "'difficulty=10' is not a penalty", "10 or difficulty 10"),
        ({"penalties": "-"}, "penalties", "'-' is not a penalty", "10 or difficulty 10"),
        ({"penalties": 2.5}, "penalties", "'2.5' is not a penalty", "10 or difficulty 10"),
        ({"penalties": True}, "penalties", "'True' is not a penalty", "10 or difficulty 10"),
        ({"penalties": [""]}, "penalties", "'' is not a penalty", "10 or difficulty 10"),
        ({"penalties": {"a, b": 3}}, "penalties", "'a, b' is not a type of penalty", "in words, without a comma"),
        ({"penalties": ["a, b 3"]}, "penalties", "'a, b' is not a type of penalty", "in words, without a comma"),
        ({"penalties": {2: 3}}, "penalties", "'2' is not a type of penalty", "in words, without a comma"),
        ({"penalties": Penalty(3, "a -")}, "penalties", "'a -' is not a type of penalty", "in words, without a comma"),
        ({"multiply": -1}, "multiply", "'-1' is not a whole number, at least 0", ""),
        ({"divide": 0}, "divide", "'0' is not a whole number, at least 1", ""),
        ({"margin": 0}, "margin", "'0' is not a whole number, at least 1 or 'none'", ""),
        ({"favor": "against"}, "favor", "'against' is not 'with' or 'without'", "known: 'with', 'without'"),
    ],
)
def test_errors_of_a_check(chosen, parameter, message, hint):
    skill = {} if parameter == "skill" else {"skill": 20}
    with pytest.raises(ParameterError) as caught:
        check("3 4 5", **skill, **chosen)
    assert caught.value.parameter == parameter
    assert caught.value.message == message
    assert hint in caught.value.hint


@every(
    ("contestants", "message", "hint"),
    [
        ("", "a contest needs 2 contestants or more", "Whitebeard: skill 20; Rusk: skill 14"),
        ("A: skill 3", "a contest needs 2 contestants or more", "name them with their skills"),
        ("A: skill 3; B: training 3", "'B' has no skill", "write"),
        ("A: skill 3; A: skill 4", "'A' takes part twice", "a name of their own"),
        ("A  B: skill 3; A B: skill 4", "'A B' takes part twice", "a name of their own"),
        ("A, B: skill 3; C: skill 4", "'A, B' is not a name", "a name cannot contain : ; , ="),
        ("A=B: skill 3; C: skill 4", "'A=B' is not a name", "a name cannot contain : ; , ="),
        ("A: skill 3, skill 4; B: skill 4", "'skill' is written twice for 'A'", ""),
        ("A: skill 3, fate -2; B: skill 4", "fate of 'A': a bonus of -2 would lower the TN", "as a penalty: 2"),
        ("A: skill 3, favor up; B: skill 4", "'up' is not 'with' or 'without'", "known: 'with', 'without'"),
        ("A: skill 3, penalty hard 4; B: skill 4", "'hard' is not a whole number", ""),
        ([Contestant("A:", 3), Contestant("B", 3)], "'A:: skill 3' would be read as something else", ""),
        ([Contestant("A;", 3), Contestant("B", 3)], "'A;: skill 3; B: skill 3' would be read as something else", ""),
    ],
)
def test_errors_of_a_contest(contestants, message, hint):
    with pytest.raises(ParameterError) as caught:
        contest("3 4 5 3 4 5", contestants)
    assert caught.value.parameter == "contestants"
    assert caught.value.message == message
    assert hint in caught.value.hint


@every(
    ("penalties", "limit"),
    [
        ("1" * 13, "DIGITS"),
        (10**12, "DIGITS"),
        ({"a": 10**5000}, "DIGITS"),
        ("1," * 1001, "ITEMS"),
        ([1] * 1001, "ITEMS"),
        ("1" * 10_001, "VALUE_TEXT"),
        ({"a" * 10_001: 3}, "VALUE_TEXT"),
    ],
)
def test_the_limits_of_penalties(penalties, limit):
    with pytest.raises(LimitError) as caught:
        check("3 4 5", skill=20, penalties=penalties)
    assert caught.value.limit == limit
    assert caught.value.parameter == "penalties"


def test_penalties_within_the_limits():
    assert check("3 4 5", skill=20, penalties="1," * 1000).facts("tn") == "tn=-980"
    assert check("3 4 5", skill=0, penalties="9" * 12).facts("tn") == "tn=-999999999999"


# A second implementation, from the facts and decisions alone


def tn_by_hand(skill, bonuses, penalties, multiply=1, divide=1):
    tn = skill
    for given_bonuses in bonuses:
        largest = 0
        for bonus in given_bonuses:
            if bonus > largest:  # noqa: PLR1730 - as a person would
                largest = bonus
        tn += largest
    for penalty in penalties:
        tn -= penalty if penalty > 0 else -penalty
    return math.floor(Fraction(tn * multiply, divide))


def number_by_hand(favor):
    if ("with" in favor) == ("without" in favor):
        return 3
    return 2 if "with" in favor else 4


def check_by_hand(faces, tn, margin=None, at_or_under=False):
    total = 0
    for face in faces:
        total += face
    under = total < tn or (at_or_under and total == tn)
    result = "success" if under else "failure"
    critical = None
    if total in {2, 3, 4, 5}:
        critical, result = "success", "critical success"
    if total in {16, 17, 18, 19, 20, 21, 22, 23, 24}:
        critical, result = "failure", "critical failure"
    degrees = None
    if margin is not None:
        degrees, left = 0, abs(tn - total)
        while left >= margin:
            degrees, left = degrees + 1, left - margin
    return {
        "total": total,
        "tn": tn,
        "under": under,
        "success": result.endswith("success"),
        "critical": critical,
        "difference": tn - total,
        "degrees": degrees,
        "result": result,
    }


def thrown(generator, number):
    return [generator.randint(1, 6) for _ in range(number)]


def drawn_modifiers(generator):
    bonuses = [[generator.randint(0, 6) for _ in range(generator.choice([0, 0, 1, 3]))] for _ in BONUSES]
    penalties = [generator.randint(-8, 8) for _ in range(generator.choice([0, 1, 1, 3]))]
    favor = generator.choice([[], [], ["with"], ["without"], ["without", "with"], ["with", "with"]])
    return bonuses, penalties, favor


def facts_of(outcome: Outcome) -> dict[str, Any]:
    return {name: outcome.fact(name) for name in outcome.facts_of}


def test_the_second_implementation_of_a_check_agrees():
    generator = random.Random(20)
    for _ in range(3000):
        skill = generator.randint(-2, 25)
        bonuses, penalties, favor = drawn_modifiers(generator)
        multiply, divide = generator.choice([(1, 1), (1, 1), (2, 1), (1, 2), (3, 2), (0, 3)])
        margin, at_or_under = generator.choice([None, 1, 2, 3, 7]), generator.random() < 0.3
        faces = thrown(generator, number_by_hand(favor))
        rule = Check(
            skill=skill,
            **dict(zip(BONUSES, bonuses, strict=True)),
            penalties=penalties,
            multiply=multiply,
            divide=divide,
            favor=favor,
            margin=margin,
            at_or_under=at_or_under,
        )
        outcome = rule.play(ScriptedDice(faces))
        expected = check_by_hand(faces, tn_by_hand(skill, bonuses, penalties, multiply, divide), margin, at_or_under)
        assert facts_of(outcome) == expected, (rule, faces)
        assert outcome.dice == tuple(faces)


def contest_by_hand(entered: Sequence[tuple[str, int, dict[str, Any]]]):
    words = ["critical failure", "failure", "success", "critical success"]
    best: list[str] = []
    height = None
    for name, training, facts in entered:
        mine = (words.index(facts["result"]), facts["tn"] - facts["total"], training)
        if height is None or mine > height:
            height, best = mine, [name]
        elif mine == height:
            best.append(name)
    return {
        "winner": best[0] if len(best) == 1 else None,
        "result": "win" if len(best) == 1 else "stalemate",
        "totals": tuple(facts["total"] for _, _, facts in entered),
    }


def test_the_second_implementation_of_a_contest_agrees():
    generator = random.Random(21)
    results = set()
    for _ in range(700):
        rows, faces, entered = [], [], []
        for name in "ABCD"[: generator.choice([2, 2, 2, 3, 4])]:
            skill, training = generator.randint(8, 11), generator.randint(0, 2)
            bonuses, penalties, favor = drawn_modifiers(generator)
            given_bonuses = dict(zip(BONUSES, map(tuple, bonuses), strict=True))
            row = create(Contestant, name=name, skill=skill, training=training, **given_bonuses)
            rows.append(row._replace(penalty=tuple(penalties), favor=tuple(favor)))
            mine = thrown(generator, number_by_hand(favor))
            faces += mine
            entered.append((name, training, check_by_hand(mine, tn_by_hand(skill, bonuses, penalties))))
        outcome = create(Contest, contestants=rows).play(ScriptedDice(faces))
        assert facts_of(outcome) == contest_by_hand(entered), (rows, faces)
        results.add(outcome.result)
    assert results == {"win", "stalemate"}


# Properties


KINDS = st.text("ab é<&'\"-:=;\t\n" + "３", max_size=6)
SOME_PENALTIES = (
    st.lists(st.integers(-9, 9) | st.builds(Penalty, st.integers(-9, 9), KINDS), max_size=4)
    | st.dictionaries(KINDS, st.integers(-9, 9), max_size=2)
    | st.text("ab 019,-+", max_size=12)
)
NAMES = st.sampled_from(["Whitebeard", "Rusk", "Zoë <&'\"", "none", "a\x00b"])
WILD_NAMES = st.text("abé \x00:=;,\n", max_size=4)
FAVORS = st.lists(st.sampled_from(["with", "without"]), max_size=3).map(tuple)
SOME_NUMBERS = st.lists(st.integers(-1, 5), max_size=2).map(tuple)
BONUS = st.lists(st.integers(0, 5), max_size=2).map(tuple)
SKILLS, TRAININGS = st.integers(-2, 20), st.integers(-1, 2)
CONTESTANT = st.builds(Contestant, NAMES, SKILLS, TRAININGS, BONUS, BONUS, BONUS, BONUS, SOME_NUMBERS, FAVORS)
WILD_CONTESTANT = st.builds(Contestant, NAMES | WILD_NAMES, SKILLS, fate=SOME_NUMBERS)
CONTESTANTS = st.lists(CONTESTANT, min_size=2, max_size=4, unique_by=lambda who: who.name) | st.lists(
    CONTESTANT | WILD_CONTESTANT, max_size=3
)


@settings(max_examples=many(120), deadline=None)
@given(chosen=parameters(Check, penalties=SOME_PENALTIES), seed=SEEDS)
def test_every_check_is_sound(chosen, seed):
    outcome = assert_sound(Check, chosen, seed)
    if outcome is not None:
        assert not any(map(is_idle, outcome.steps()))


@settings(max_examples=many(80), deadline=None)
@given(contestants=CONTESTANTS, seed=SEEDS)
def test_every_contest_is_sound(contestants, seed):
    outcome = assert_sound(Contest, {"contestants": contestants}, seed)
    if outcome is not None:
        assert not any(map(is_idle, outcome.steps()))


@settings(max_examples=many(80), deadline=None)
@given(text=st.text(max_size=30) | st.text("ab:;, skilfavorpent 09-=", max_size=40))
def test_any_text_of_contestants_or_penalties_is_accepted_or_an_error(text):
    assert_sound(Contest, {"contestants": text}, 1)
    assert_sound(Check, {"skill": 9, "penalties": text, "favor": text}, 1)
