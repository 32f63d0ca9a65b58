"""The verdict of an outcome: which of its facts say what it comes to."""

from typing import Literal

import pytest

import dicedocs as dd
from dicedocs import Outcome, fact
from dicedocs.render.html import outcome_html
from dicedocs.render.latex import outcome_latex
from dicedocs.render.verdict import result_lines, result_with_verdict, verdict
from dicedocs.rules.registry import mechanic

from ..every import every


@every(
    ("id", "parameters", "dice", "tone", "headline"),
    [
        ("methuen/check", {"check": "1d20 + 4 >= 12"}, [8], "success", "Success, 12 vs 12"),
        ("methuen/check", {"check": "1d20 + 4 >= 12"}, [7], "failure", "Failure, 11 vs 12"),
        ("methuen/expression", {"expression": "3d6"}, [4, 2, 5], "", "Total 11"),
        ("total-effect/roll", {"threshold": 13}, [5, 2, 6], "success", "Threshold reached, 13 vs 13"),
        ("total-effect/roll", {"threshold": 13}, [5, 2, 5], "failure", "Threshold missed, 12 vs 13"),
        ("total-effect/roll", {}, [5, 2, 5], "", "Total 12"),
        ("mecha-vs-kaiju/action", {"pool": "d20 d8", "counter": 23}, [20, 3], "success", "Critical success, 23 vs 23"),
        ("mecha-vs-kaiju/action", {"pool": "d20 d8", "counter": 24}, [20, 3], "failure", "Failure, 23 vs 24"),
        ("mecha-vs-kaiju/action", {"pool": "d20 d8"}, [12, 3], "", "Total 15"),
        (
            "mecha-vs-kaiju/action",
            {"pool": "d20 d8", "counter": 9},
            [3, 5],
            "failure",
            "Failure · Critical fumble, 8 vs 9",
        ),
        ("dungeoneers/action-roll", {"pool": "4", "difficulty": 7}, [], "partial", "Partial success, 4 vs 7"),
        (
            "dungeoneers/action-roll",
            {"pool": "3 3", "spend": "1 2", "difficulty": 6},
            [],
            "success",
            "Greater success · Critical, 6 vs 6",
        ),
        ("dungeoneers/action-roll", {"pool": "4", "difficulty": 5, "fight": True}, [], "failure", "Failure, 4 vs 5"),
        ("dungeoneers/fresh-pool", {"size": 2, "difficulty": 20}, [3, 4], "", "Fewest none"),
        ("mage-in-the-metal/check", {"skill": 14}, [3, 4, 6], "success", "Success, 13 (needed under 14)"),
        ("mage-in-the-metal/check", {"skill": 14}, [6, 4, 4], "failure", "Failure, 14 (needed under 14)"),
        (
            "mage-in-the-metal/check",
            {"skill": 14, "at_or_under": True},
            [6, 4, 4],
            "success",
            "Success, 14 (needed 14 or less)",
        ),
        (
            "mage-in-the-metal/check",
            {"skill": 14},
            [6, 6, 5],
            "failure",
            "Critical failure, 17 (needed under 14)",
        ),
        # The total alone makes it a success, whatever the TN.
        ("mage-in-the-metal/check", {"skill": 3}, [1, 2, 2], "success", "Critical success, 5 vs 3"),
        ("methuen/check", {"check": "1d20 <= 12"}, [8], "success", "Success, 8 (needed 12 or less)"),
        ("methuen/check", {"check": "1d20 <= 12"}, [13], "failure", "Failure, 13 (needed 12 or less)"),
        ("dice/check", {"check": "1d100 < 45"}, [45], "failure", "Failure, 45 (needed less than 45)"),
        ("dice/check", {"check": "1d20 > 12"}, [13], "success", "Success, 13 (needed more than 12)"),
        ("dice/check", {"check": "1d20 = 12"}, [13], "failure", "Failure, 13 (needed exactly 12)"),
        ("dice/check", {"check": "1d20 != 12"}, [13], "success", "Success, 13 (needed anything but 12)"),
        ("dice/check", {"check": "1d20 >= 12"}, [13], "success", "Success, 13 vs 12"),
        (
            "mage-in-the-metal/contest",
            {"contestants": "Ash: skill 10; Bo: skill 10"},
            [3, 3, 3, 3, 3, 4],
            "success",
            "Winner Ash",
        ),
        (
            "mage-in-the-metal/contest",
            {"contestants": "Ash: skill 10; Bo: skill 10"},
            [3, 3, 3, 3, 3, 3],
            "partial",
            "Stalemate",
        ),
        ("ember/haul", {"crew": "Ash: skill 2", "weight": 9}, [6], "failure", "Failure"),
    ],
)
def test_what_a_roll_comes_to(id, parameters, dice, tone, headline):
    found = verdict(dd.play(id, **parameters, dice=dice))
    assert (found.tone, found.headline) == (tone, headline)


def test_a_fact_is_told_once():
    check = verdict(dd.play("mage-in-the-metal/check", skill=14, dice=[3, 4, 6]))
    assert check.rest == ("difference",)  # and not: under, success, result, total, tn
    below = dd.play("methuen/expression", expression="2d6 - 20", dice=[3, 4])
    assert verdict(below).rest == ("raw",)  # 0 and -13
    assert verdict(dd.roll("2d6", dice=[3, 4])).rest == ()


def test_every_number_is_against_something_that_exists():
    for id in dd.mechanics():
        rule = mechanic(id)
        known = {*rule.parameters(), *rule.result().facts_of}
        for one in rule.result().facts_of.values():
            assert {one.against, one.repeats} - {""} <= known, id


def test_a_number_in_a_band_has_its_meaning():
    class Climb(Outcome):
        height: int = fact(bands={None: "fallen", 10: "on top"})

    assert verdict(Climb(12))[:2] == ("", "On top: Height 12")


def test_the_values_of_a_verdict_have_meanings():
    class Shot(Outcome):
        result: Literal["hit", "graze", "miss"] = fact(
            verdict={"hit": "success", "graze": "partial", "miss": "failure"}
        )

    assert [verdict(Shot(word)).tone for word in ("hit", "graze", "miss")] == ["success", "partial", "failure"]


class Sneak(dd.Mechanic):
    """Roll a d20, and stay at or under the skill."""

    skill: int = dd.param(default=12)

    class Result(Outcome):
        face: int = fact(against="skill", needed="{target} oder weniger")
        quiet: bool = fact(verdict=True, label="Unheard", missed="Heard")

    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        face = dice.roll(20)
        return self.Result(face, face <= self.skill)


def test_a_game_says_in_its_own_words_what_was_needed_and_what_missing_it_is():
    assert verdict(Sneak().play(dd.ScriptedDice([12]))).headline == "Unheard, 12 (12 oder weniger)"
    assert verdict(Sneak().play(dd.ScriptedDice([13]))).headline == "Heard, 13 (12 oder weniger)"


@pytest.mark.parametrize("words", [{"needed": 5}, {"missed": True}])
def test_words_of_a_verdict_that_are_no_text_are_refused(words):
    with pytest.raises(TypeError, match="is not text"):
        fact(**words)


class Spoken(Outcome):
    hit: bool = fact(words=("a hit", "a miss"))
    omen: bool = fact(words=("an omen", "no omen"))


class Unjudged(Outcome):
    hit: bool = fact(verdict=False, words=("a hit", "a miss"))


def test_a_verdict_speaks_the_words_of_its_author_and_a_fact_that_is_none_is_only_said():
    assert verdict(Spoken(hit=True, omen=False)).headline == "A hit"
    assert (verdict(Spoken(hit=False, omen=True)).headline, verdict(Spoken(hit=False, omen=True)).tone) == (
        "A miss",
        "failure",
    )
    assert result_lines(Unjudged(hit=False)) == [("Hit", "a miss")]


@every("wrong", ["good", 2, {"hit": "good"}, 1.5])
def test_what_is_no_verdict_is_refused(wrong):
    with pytest.raises(TypeError, match="is not a verdict: give True"):
        fact(verdict=wrong)


def test_a_result_begins_with_the_verdict_and_leaves_out_what_it_tells():
    action = dd.play("mecha-vs-kaiju/action", pool="d20 d8 d10", counter=18, dice=[14, 5, 7])
    names = ["impact", "success", "total"]
    # 14 and 7 are 21; three dice of 4 or more make 3 impact.
    assert result_lines(action, names) == [("Result", "Success, 21 vs 18"), ("Impact", "3")]
    html = outcome_html(action, names=names)
    result = html[html.index('class="dice-result dice-success"') : html.index("dice-working")]
    assert result.index("✓") < result.index("Success") < result.index("21 vs 18") < result.index("Impact")
    assert "Total" not in result
    assert r"\item[Result] \textbf{Success, 21 vs 18}" in outcome_latex(action, names=names)


def test_a_result_without_a_verdict_is_the_facts():
    strike = dd.play("total-effect/roll", dice=[5, 2, 5])
    assert result_with_verdict(strike, ["low", "total"]) == (None, [("Low", "2"), ("Total", "12")])


def test_a_fact_that_is_asked_for_is_shown_even_if_it_is_nothing():
    check = dd.play("mage-in-the-metal/check", skill=14, dice=[3, 4, 6])
    assert result_lines(check, ["critical", "dice"]) == [
        ("Result", "Success, 13 (needed under 14)"),
        ("Critical", "none"),
    ]
