"""Total//Effect: worked texts, facts worked out by hand, text forms, errors, limits, and a second implementation."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import LimitError, Outcome, ParameterError, ScriptedDice
from dicedocs.render.text import is_idle
from dicedocs.systems.total_effect import Compare, Roll

from ..every import every
from ..examples import many
from .properties import SEEDS, assert_sound, parameters

ID = "total-effect/roll"


def play(dice: str, **parameters: Any) -> Outcome:
    return dd.play(ID, dice=dice, **parameters)


# The worked text, written by hand


@every(
    ("dice", "chosen", "text"),
    [
        (
            "4 1 6",
            {},
            """\
Dice: 3d6: 4 1 6
Total: 1 + 4 + 6 = 11""",
        ),
        (
            "5 2 6",
            {"effect": "low", "threshold": 13, "step_down": 1},  # Pin Down, against a Resistant target
            """\
Dice: 3d6: 5 2 6
Total: 2 + 5 + 6 = 13
Threshold: 13 >= 13: yes
Step: low, 1 down: low and 1 less
Effect: low is 2
Beyond low: 2 - 1 = 1""",
        ),
        (
            "5 5 2",
            {"effect": "mid", "invert": True, "threshold": 11, "step_up": 2, "halve": True},
            """\
Dice: 3d6: 5 5 2
Total: 2 + 5 + 5 = 12
Threshold: 12 >= 11: yes
Step: inverse mid, 2 up: inverse low and 1 more
Effect: low is 2
Inverse: 7 - 2 = 5
Beyond inverse low: 5 + 1 = 6
Half: 6 / 2 = 3""",
        ),
        (
            "5 6 2",
            {"effect": "low", "invert": True, "step_up": 1, "step_down": 4},
            """\
Dice: 3d6: 5 6 2
Total: 2 + 5 + 6 = 13
Steps: 1 (step up) - 4 (step down) = -3
Step: inverse low, 3 down: inverse high and 1 less
Effect: high is 6
Inverse: 7 - 6 = 1
Beyond inverse high: 1 - 1 = 0""",
        ),
        (
            "1 3 6 2 5 6",
            {
                "disadvantage": 6,
                "advantage": 1,
                "escalation": -2,
                "effect": "low",
                "step_down": 3,
                "compare": "under 1",
            },
            """\
Disadvantage: 6 - 1 (advantage) = 5
Disadvantage: 5, lowered to 3
Dice to throw: 3 + 3 (disadvantage) = 6
Dice: 6d6: 1, 3, 6 (dropped), 2, 5 (dropped), 6 (dropped)
Lowest 3: 1, 2 and 3
Total: 1 + 2 + 3 - 2 (escalation) = 4
Step: low, 3 down: low and 3 less
Effect: low is 1
Beyond low: 1 - 3 = -2
Effect: -2, raised to 0
Comparison: 0 < 1: yes""",
        ),
        (
            "3 1 6 5",
            {"advantage": 2, "disadvantage": 1, "effect": 4, "step_up": 1, "step_down": 2, "halve": True},
            """\
Advantage: 2 - 1 (disadvantage) = 1
Dice to throw: 3 + 1 (advantage) = 4
Dice: 4d6: 3, 1 (dropped), 6, 5
Highest 3: 3, 5 and 6
Total: 3 + 5 + 6 = 14
Effect: 4 + 1 (step up) - 2 (step down) = 3
Half: 3 / 2 = 1, rounded down""",
        ),
        (
            "2 2 4",
            {"advantage": 2, "disadvantage": 2, "effect": "mid", "step_up": 1, "step_down": 1, "compare": ">= 3"},
            """\
Advantage: 2 - 2 (disadvantage) = 0
Dice: 3d6: 2 2 4
Total: 2 + 2 + 4 = 8
Steps: 1 (step up) - 1 (step down) = 0
Effect: mid is 2
Comparison: 2 >= 3: no""",
        ),
        (
            "1 1 1",
            {"effect": 2, "step_down": 2, "halve": True},
            """\
Dice: 3d6: 1 1 1
Total: 1 + 1 + 1 = 3
Effect: 2 - 2 (step down) = 0
Half: 0 / 2 = 0, raised to 1""",
        ),
    ],
)
def test_the_worked_text(dice, chosen, text):
    assert str(play(dice, **chosen)) == text


# Facts of the named examples, by hand


@every(
    ("dice", "chosen", "facts"),
    [
        ("4 1 6", {}, "total=11, low=1, mid=4, high=6, effect=none, triggered=none, holds=none"),
        ("5 2 6", {"effect": "low", "threshold": 13}, "total=13, effect=2, triggered=true"),
        ("5 2 5", {"effect": "low", "threshold": 13}, "total=12, effect=2, triggered=false"),
        ("5 2 6", {"effect": "low", "threshold": 13, "step_up": 1}, "total=13, effect=5, triggered=true"),
        ("5 2 6", {"effect": "low", "threshold": 13, "step_down": 1}, "total=13, effect=1, triggered=true"),
        ("4 1 6", {"effect": "mid"}, "effect=4"),
        ("4 1 6", {"effect": "mid", "step_up": 1}, "effect=6"),
        ("4 1 6", {"effect": "mid", "step_up": 2}, "effect=7"),
        ("4 1 6", {"effect": "mid", "step_down": 1}, "effect=1"),
        ("4 1 6", {"effect": "mid", "step_down": 2}, "effect=0"),
        ("4 1 6", {"effect": "mid", "step_down": 3}, "effect=0"),
        ("5 5 2", {"effect": "mid", "invert": True}, "total=12, low=2, mid=5, high=5, effect=2"),
        ("3 5 1", {"effect": "high", "invert": True, "compare": "under 3"}, "effect=2, holds=true"),
        ("3 4 1", {"effect": "high", "invert": True, "compare": "under 3"}, "effect=3, holds=false"),
        ("3 2 6", {"effect": "mid", "compare": "at most 3"}, "effect=3, holds=true"),
        ("4 2 6", {"effect": "mid", "compare": "at most 3"}, "effect=4, holds=false"),
        ("3 6 2 5", {"advantage": 1}, "total=14, low=3, mid=5, high=6, dropped=2, dice=3 6 2 5"),
        ("3 6 2 5", {"disadvantage": 1}, "total=10, low=2, mid=3, high=5, dropped=6"),
        ("3 6 2 5 4", {"advantage": 2}, "total=15, dropped=3 2"),
        ("3 6 2 5 4 1", {"disadvantage": 3}, "total=6, dropped=6 5 4"),
        ("3 6 2 5 4 1", {"advantage": 5, "disadvantage": 2}, "total=15, dropped=3 2 1"),
        ("6 6 6", {"escalation": -20, "threshold": -2}, "total=-2, triggered=true"),
        ("6 6 6", {"escalation": 4}, "total=22, high=6"),
        ("6 6 6", {"effect": -1, "step_up": 3}, "effect=2"),
        ("6 6 6", {"effect": -1}, "effect=0"),
        ("6 6 6", {"effect": -1, "halve": True}, "effect=1"),
    ],
)
def test_facts(dice, chosen, facts):
    names = [fact.partition("=")[0] for fact in facts.split(", ")]
    assert play(dice, **chosen).facts(*names) == facts


def test_the_two_highest_of_equal_dice():
    assert play("5 5 5 5", advantage=1).thrown[3].state == "dropped"


# How parameters are written


@every(
    ("text", "canonical"),
    [
        ("at most 3", "at most 3"),
        ("under 4", "under 4"),
        ("at least 4", "at least 4"),
        ("over 3", "over 3"),
        ("equal 3", "equal 3"),
        ("<= 3", "at most 3"),
        ("< 4", "under 4"),
        (">= 4", "at least 4"),
        ("> 3", "over 3"),
        ("= 3", "equal 3"),
        ("  At  MOST   3 ", "at most 3"),
        (">=4", "at least 4"),
        ("over -2", "over -2"),
        ("over +2", "over 2"),
        ("under 007", "under 7"),
    ],
)
def test_a_comparison_is_written_in_words_or_with_operators(text, canonical):
    compare = Compare.from_text(text)
    assert str(compare) == canonical
    assert Compare.from_text(canonical) == compare
    assert Roll(effect="mid", compare=text) == Roll(effect="mid", compare=compare)


@every(
    "text",
    [
        "3",
        "at most",
        "at most three",
        "atmost 3",
        "=< 3",
        "== 3",
        "!= 3",
        "< 3 4",
        "<<3",
        "about 3",
        "< 1.5",
        "< ٣",
        "<",
    ],
)
def test_texts_that_are_not_a_comparison(text):
    with pytest.raises(ParameterError) as caught:
        Roll(effect="mid", compare=text)
    assert caught.value.parameter == "compare"
    assert "'at most 3'" in caught.value.message
    assert caught.value.hint == "write 'at most', 'under', 'at least', 'over' or 'equal', and a whole number"


@every("text", ["none", "", " None "])
def test_a_text_for_no_comparison(text):
    assert Roll(effect="mid", compare=text).compare is None


def test_a_comparison_refuses_other_types():
    with pytest.raises(ParameterError, match="'about' is not a comparison"):
        Compare("about", 3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'3' is not a whole number"):
        Compare("under", "3")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'True' is not a whole number"):
        Compare("under", True)


@pytest.mark.parametrize("compare", ["under " + "9" * 13, "< -" + "1" * 5000])
def test_a_comparison_has_no_more_digits_than_other_numbers(compare):
    with pytest.raises(LimitError) as caught:
        Roll(effect="mid", compare=compare)
    assert caught.value.limit == "DIGITS"
    assert caught.value.parameter == "compare"


def test_the_same_limit_applies_in_python():
    with pytest.raises(LimitError):
        Compare("under", 10**12)
    assert Compare("under", 10**12 - 1).value == 10**12 - 1


@every(("written", "value"), [("low", "low"), ("MID", "mid"), (" high ", "high"), ("3", 3), ("-2", -2), ("none", None)])
def test_an_effect_is_a_die_or_a_number(written, value):
    assert Roll(effect=written).effect == value
    assert Roll(effect=value).effect == value


def test_the_example_is_pin_down():
    assert Roll.example() == Roll(effect="low", threshold=13)
    assert Roll.example().play(ScriptedDice("5 2 6")).facts("effect", "triggered") == "effect=2, triggered=true"


# Errors


@every(
    ("chosen", "parameter", "message", "hint"),
    [
        ({"invert": True}, "invert", "there is no effect to invert", "choose an effect: low, mid, high or a number"),
        ({"halve": True}, "halve", "there is no effect to halve", "choose an effect: low, mid, high or a number"),
        ({"step_up": 1}, "step_up", "there is no effect to step up", "choose an effect: low, mid, high or a number"),
        (
            {"step_down": 2, "effect": None},
            "step_down",
            "there is no effect to step down",
            "choose an effect: low, mid, high or a number",
        ),
        (
            {"compare": "under 3"},
            "compare",
            "there is no effect to compare",
            "choose an effect: low, mid, high or a number",
        ),
        (
            {"effect": 3, "invert": True},
            "invert",
            "the effect is a number, and a number has no face to invert",
            "choose low, mid or high",
        ),
        ({"advantage": -1}, "advantage", "'-1' is not a whole number, at least 0", ""),
        ({"disadvantage": -1}, "disadvantage", "'-1' is not a whole number, at least 0", ""),
        ({"step_up": -1, "effect": "low"}, "step_up", "'-1' is not a whole number, at least 0", ""),
        ({"step_down": -1, "effect": "low"}, "step_down", "'-1' is not a whole number, at least 0", ""),
        ({"effect": "lowest"}, "effect", "'lowest' is not 'low', 'mid', 'high', a whole number or 'none'", None),
        ({"threshold": "13+"}, "threshold", "'13+' is not a whole number or 'none'", ""),
    ],
)
def test_errors_say_what_to_write(chosen, parameter, message, hint):
    with pytest.raises(ParameterError) as caught:
        Roll(**chosen)
    assert caught.value.parameter == parameter
    assert caught.value.message == message
    assert hint is None or caught.value.hint == hint


def test_defaults_need_no_effect():
    assert Roll(invert=False, halve=False, step_up=0, step_down=0, compare=None).effect is None


@every("name", ["advantage", "disadvantage", "escalation", "threshold", "step_up"])
def test_numbers_have_a_limit(name):
    with pytest.raises(LimitError, match="DIGITS"):
        dd.play(ID, seed=1, effect="low", **{name: "9" * 13})


def test_any_number_of_instances_throws_at_most_six_dice():
    outcome = Roll(advantage=10**12 - 1, disadvantage=4, effect="high", step_up=10**12 - 1).play(
        ScriptedDice("1 2 3 4 5 6")
    )
    assert outcome.facts("total", "effect") == "total=15, effect=1000000000005"


# A second implementation, from the facts and decisions alone


def facts_by_hand(faces: list[int], chosen: Mapping[str, Any]) -> dict[str, object]:
    """Return the facts."""
    left = chosen["advantage"] - chosen["disadvantage"]
    used = sorted(faces)[-3:] if left > 0 else sorted(faces)[:3]
    total = sum(used) + chosen["escalation"]
    facts: dict[str, object] = {"total": total, "low": used[0], "mid": used[1], "high": used[2]}
    facts["triggered"] = None if chosen["threshold"] is None else total > chosen["threshold"] - 1
    effect = chosen["effect"]
    if effect is not None:
        steps = chosen["step_up"] - chosen["step_down"]
        if type(effect) is int:
            value = effect + steps
        else:
            # The three dice as a ladder, the lowest first; beyond either end each step counts 1.
            rungs = sorted(7 - face for face in used) if chosen["invert"] else used
            names = ["high", "mid", "low"] if chosen["invert"] else ["low", "mid", "high"]
            ladder = {rung: rungs[rung] for rung in range(3)}
            for rung in range(3, 40):
                ladder[rung] = ladder[rung - 1] + 1
            for rung in range(-1, -40, -1):
                ladder[rung] = ladder[rung + 1] - 1
            value = ladder[names.index(effect) + steps]
        value = max(value, 0)
        if chosen["halve"]:
            value = value // 2 or 1
        effect = value
    facts["effect"] = effect
    facts["holds"] = None
    if chosen["compare"] is not None:
        word, _, number = chosen["compare"].rpartition(" ")
        value, other = facts["effect"], int(number)
        assert isinstance(value, int)
        facts["holds"] = {
            "at most": not value > other,
            "under": value < other,
            "at least": not value < other,
            "over": value > other,
            "equal": value == other,
        }[word]
    return facts


def dice_count(chosen: Mapping[str, Any]) -> int:
    extra: int = abs(chosen["advantage"] - chosen["disadvantage"])
    return 3 + min(3, extra)


def random_parameters(generator: random.Random) -> dict[str, Any]:
    """Return parameters that are legal together."""
    effect = generator.choice(["low", "mid", "high", "low", "mid", "high", generator.randint(-2, 8), None])
    words = ["at most", "under", "at least", "over", "equal"]
    compare = f"{generator.choice(words)} {generator.randint(-1, 8)}"
    return {
        "advantage": generator.choice([0, 0, 1, 2, 3, 5]),
        "disadvantage": generator.choice([0, 0, 1, 2, 3, 5]),
        "escalation": generator.choice([0, 0, -3, 2]),
        "threshold": generator.choice([None, generator.randint(3, 18)]),
        "effect": effect,
        "invert": type(effect) is str and generator.random() < 0.5,
        "halve": effect is not None and generator.random() < 0.4,
        "step_up": 0 if effect is None else generator.choice([0, 0, 1, 2, 3, 8]),
        "step_down": 0 if effect is None else generator.choice([0, 0, 1, 2, 3, 8]),
        "compare": None if effect is None else generator.choice([None, compare]),
    }


def test_the_second_implementation_agrees():
    generator = random.Random("total and effect")
    for _ in range(5000):
        chosen = random_parameters(generator)
        faces = [generator.randint(1, 6) for _ in range(dice_count(chosen))]
        outcome = dd.play(ID, dice=faces, **chosen)
        facts = {name: outcome.fact(name) for name in outcome.facts_of}
        assert facts == facts_by_hand(faces, chosen), (faces, chosen)


# Properties

COMPARE = (
    st.none()
    | st.text(max_size=12)
    | st.builds("{} {}".format, st.sampled_from(["at most", "under", "<=", "=", "about"]), st.integers(-2, 9))
)
EFFECT = st.sampled_from(["low", "mid", "high"]) | st.none() | st.integers(-2, 9)
LARGE = st.integers(0, 10**12 - 1)


@settings(max_examples=many(150), deadline=None)
@given(parameters(Roll, effect=EFFECT, compare=COMPARE), SEEDS)
def test_every_play_is_sound(chosen, seed):
    outcome = assert_sound(Roll, chosen, seed)
    if outcome is not None:
        assert not [step for step in outcome.steps() if is_idle(step)]


@settings(max_examples=many(50), deadline=None)
@given(st.fixed_dictionaries({"effect": EFFECT, "advantage": LARGE, "step_up": LARGE, "step_down": LARGE}), SEEDS)
def test_every_play_with_large_numbers_is_sound(chosen, seed):
    assert_sound(Roll, chosen, seed)


@given(st.text(max_size=30))
def test_any_text_is_a_comparison_or_an_error(text):
    try:
        compare = Compare.from_text(text)
    except dd.DiceError:
        return
    assert Compare.from_text(str(compare)) == compare
