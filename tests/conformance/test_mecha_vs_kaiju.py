"""Mecha vs Kaiju, fact by fact. See ``mecha-vs-kaiju.md``."""

import itertools
import re
from fractions import Fraction
from typing import Any, Final

import pytest

import dicedocs as dd
from dicedocs import ParameterError

from ..every import every
from .facts import Call, Game, Raises, Row, StepValues, play, row

GAME = Game(
    "mecha-vs-kaiju",
    not_shown_by_code={
        "F1": "says what the dice stand for, not what they do",
        "F12": "says what a fumble means in the scene; what it does is F15 to F20",
    },
)


def act(pool: str, dice: str, **chosen: Any) -> Call:
    return play("mecha-vs-kaiju/action", pool=pool, dice=dice, **chosen)


def raises(parameter: str, *parts: str) -> Raises:
    return Raises(ParameterError, *parts, parameter=parameter)


BOTH: Final = {"advantage": True, "both_fortune_dice": True}
NOT_FOR_STRESS: Final = "1 impact, not for stress"


# The dice


@GAME.group(
    row("F2 F3", act("d8 d10", "14 5 7"), "dice=14 5 7, fortune=14"),
    row("F2", act("d8 d12", "3 8 12"), "fortune=3, total=20"),
    row("F3 DF10", act("d20 d8 d10", "14 5 7"), "dice=14 5 7, total=21"),
    row("F3 DF10", act("", "14"), "dice=14, total=14, impact=1"),
    row("F3", act("d8", "5"), raises("dice", "die 2 is a d8")),
    row("F4", act("d8", "14 9 5", advantage=True), "dice=14 9 5"),
    row("F4", act("d8", "14 9 5", disadvantage=True), "dice=14 9 5"),
    row("F4", act("d8", "14 5"), "dice=14 5"),
    row("F5", act("d8 2d8", "2 5 7 6"), "total=13, impact=3"),
    row("F5", act("3d8", "2 7 6 5"), "total=13, impact=3"),
    row("F5", act("d4 d12 d10", "9 3 11 8"), "total=20, impact=4"),
    row("F5", act("d10 d4 d12", "9 8 3 11"), "total=20, impact=4"),
    *(row("F6", act(f"d{sides}", f"10 {sides}"), f"total={10 + sides}") for sides in (4, 6, 8, 10, 12)),
    *(row("F6 DF10", act(f"d{sides}", "10 1"), raises("pool", f"d{sides}")) for sides in (1, 2, 3, 5, 7, 14, 30, 100)),
    row("DF10", act("d20 d20 d8", "10 11 1"), raises("pool", "one d20")),
    row("DF10", act("d8 2d20", "10 11 1"), raises("pool", "one d20")),
    row("DF10", act("d20 D8 2D6", "9 2 3 4"), "dice=9 2 3 4"),
    row("DF10", act("2d6 d8", "9 2 3 4"), "total=13"),
    row("DF10", act("d8 Disadvantage", "9 12 2"), "fortune=9, dropped=12"),
    row("DF10", act("ADVANTAGE d8", "9 12 2"), "fortune=12, dropped=9"),
    row("DF10", act("d8 overwhelmed", "9 6", staggered=True), "scratched=6, total=9"),
    row("DF10", act("d8 advantage", "9 2", disadvantage=True), "fortune=9, dropped=none"),
    row("DF10", act("d8 advantages", "9 2"), raises("pool", "advantages")),
    row("DF10", act("d8 unstaggered", "9 2"), raises("pool", "unstaggered")),
    row("DF10", act("d8", "9 12 2", advantage=2), raises("advantage", "true or false")),
)
def test_the_dice(row: Row):
    assert row.actual() == row.expected


# Success, and a 20


@GAME.group(
    row("F25 F26 DF5", act("d8 d10", "14 5 7", counter=20), "success=true, total=21"),
    row("F25 F26 DF5", act("d8 d10", "14 5 7", counter=21), "success=true"),
    row("F25 F26 DF5", act("d8 d10", "14 5 7", counter=22), "success=false"),
    row("F27", act("d8 d10", "14 5 7", counter=22), "can_stress=false, impact=1"),
    row("F27", act("d10 d12", "3 10 12", counter=23), "can_stress=false, impact=0"),
    row("F28", act("d8 d10", "14 5 7"), "success=none"),
    row("F29", act("d8 d10", "14 5 7"), "total=21"),
    row("F29", act("d8 d10", "14 5 7"), StepValues({"Total": 21})),
    row("F8", act("d8", "20 5", counter=25), "critical=true"),
    row("F8", act("d8", "19 5", counter=3), "critical=false"),
    row("F8", act("2d12", "20 1 2", counter=22), "critical=true"),
    row("F9", act("d8", "20 5", counter=26), "critical=false, success=false"),
    row("F9 DF6", act("d8", "20 5", counter=26, choice="impact"), "critical=false, impact=1, inspiration=0"),
    row("F9 DF6", act("d8", "20 5", counter=26, choice="inspiration"), "critical=false, impact=1, inspiration=0"),
    row("F10 DF6", act("d8", "20 5", counter=18, choice="impact"), "impact=4, inspiration=0"),
    row("F10 DF6", act("d8", "20 5", counter=18, choice="inspiration"), "impact=2, inspiration=1"),
    row("F10 DF6", act("d8", "20 5", counter=18), "impact=2, inspiration=0, critical=true"),
    row("F10", act("d8", "20 5", counter=18, choice="both"), raises("choice", "both")),
    row("F10", act("d8", "19 5", counter=18, choice="impact"), "impact=2, inspiration=0"),
    row("DF6", act("d8", "20 5", choice="impact"), "impact=2, inspiration=0, critical=if it succeeds"),
    row("DF6", act("d8", "20 5", choice="inspiration"), "impact=2, inspiration=0, critical=if it succeeds"),
    row("F11 DF5", act("d8", "20 5"), "critical=if it succeeds, success=none"),
    row(
        "F11",
        act("d8", "20 5"),
        StepValues({"If it succeeds": "a critical success, worth 2 more impact or 1 inspiration, your choice"}),
    ),
    row("F11", act("d8", "20 5", counter=18), StepValues({"Critical success": True})),
    row("DF12", act("d8", "14 5", counter=1), "can_stress=true"),
    row("DF12", act("d4", "3 1", counter=1), "can_stress=true, impact=0, minimum_impact=0"),
    row("DF12", act("d8", "14 5", counter=40), "can_stress=false, minimum_impact=1"),
    row("DF12", act("d8", "14 5"), "can_stress=if it succeeds, minimum_impact=1"),
    row("DF12", act("d8", "3 5"), "minimum_impact=0, impact=1"),
)
def test_success_and_critical_success(row: Row):
    assert row.actual() == row.expected


# Fumbles


@GAME.group(
    row("F13 DF12", act("d8 d6", "1 4 3"), "fumble=true, inspiration=1, scratched=3, success=none"),
    row("F13 DF12", act("d8 d6", "2 4 3"), "fumble=if countered, inspiration=0, scratched=none"),
    row("F14", act("d8 d6", "1 4 3", counter=1), "fumble=true"),
    row("F14", act("d8 d6", "1 4 3", counter=20), "fumble=true"),
    row("F14", act("d8 d6", "2 1 1", counter=1), "fumble=false"),
    row("F15", act("d8 d6 d4", "1 1 5 3", scratch=2), "scratched=5"),
    row("F15", act("d8 d6 d4", "1 1 5 3", scratch=3), "scratched=3"),
    row("F15 DF3", act("d8 d6 d4", "1 1 5 3", scratch=1), "scratched=3"),
    row("F16", act("d8 d10 d6", "1 4 10 6"), "total=16, impact=3"),
    row("F16", act("d8 d10 d6", "1 4 10 6", scratch=2), "total=10, impact=2"),
    row("F17", act("d8 d10 d6", "1 4 10 6", counter=15), "success=true, fumble=true, can_stress=true, impact=3"),
    row("F18 DF5", act("d8 d10", "2 4 6", counter=11), "fumble=true, success=false"),
    row("F18 DF5", act("d8 d10", "3 4 6", counter=11), "fumble=true, success=false, scratched=none"),
    row("F18 DF5", act("d8 d10", "4 4 6", counter=11), "fumble=false, success=false"),
    row("F18 DF5", act("d8 d10", "3 4 6", counter=10), "fumble=false, success=true"),
    row("F19", act("d10 d12", "3 10 12", counter=23), "impact=0, minimum_impact=0"),
    row("F19", act("d10 d12", "2 10 12", counter=23), "impact=0"),
    row("F20", act("d8", "1 4"), "inspiration=1"),
    row("F20", act("d8", "2 4", counter=9), "inspiration=1"),
    row("F20 DF5", act("d8", "1 4", counter=9), "fumble=true, inspiration=1, scratched=4"),
    row("F20", act("d8", "2 4"), "inspiration=0"),
    row("F20", act("d8", "4 4", counter=9), "inspiration=0"),
    row("F21", act("d8", "1 6"), "scratched=6, total=1, impact=0"),
    row("F21", act("d8 d8 d4", "1 6 5 4"), "total=11"),
    row("F21", act("2d8", "1 6 5"), "total=7"),
    row("F22", act("d8", "1 6"), "fumble=true"),
    row("F22", act("d8", "1 6"), StepValues({"Critical fumble": 6, "Inspiration": 1})),
    row("F22", act("d8", "1 1"), StepValues({"Critical fumble": "no die is left to scratch"})),
    row("F23 DF3", act("d12 d8 d6 d4", "1 11 4 5 1"), "scratched=4"),
    row("F23", act("d12 d8 d6", "1 2 8 3"), "scratched=2, total=11"),
    row("F24", act("d8", "2 4"), StepValues({"If countered": "a critical fumble, with 1 inspiration and no impact"})),
    row("F24", act("d8", "3 4"), StepValues({"If countered": "a critical fumble, with 1 inspiration and no impact"})),
    row("F24", act("d8", "3 4"), "fumble=if countered"),
    row("F24", act("d8", "4 4"), "fumble=false"),
    row("F24", act("d8", "1 4"), "fumble=true"),
    row("DF3", act("2d8", "1 1 1"), "scratched=none, fumble=true, inspiration=1, total=2"),
    row("DF3", act("", "1"), "scratched=none, fumble=true, inspiration=1, total=1"),
    row("DF3", act("d8 d6", "2 4 3", scratch=1), "scratched=none"),
    row("DF3", act("d8 d6", "2 4 3", scratch=1, counter=20), "scratched=none, fumble=true"),
    row("DF3", act("d4 d6", "1 3", scratch=1, reduce="d4"), "scratched=3"),
    row("DF3", act("d4", "1", scratch=1, staggered=True), "scratched=none"),
    row("DF3", act("d8 d6", "1 7 3", scratch=1, overwhelmed=True, staggered=True), "scratched=7 3"),
    row("DF3", act("d8 d6", "1 7 3", scratch=3), raises("scratch", "character die 3")),
    row("DF3", act("d8 d12", "1 7 3 2", boost="d12", scratch=3), raises("scratch", "character die 3")),
    row("DF3", act("d12", "12 1 12", **BOTH), "scratched=12, total=13, impact=2"),
    row("DF3", act("d8 d6", "5 1 6 5", **BOTH, scratch=1), "scratched=6, total=10, impact=2"),
    row("DF3", act("d8 d6", "5 1 6 4", **BOTH), "scratched=4"),
)
def test_fumbles(row: Row):
    assert row.actual() == row.expected


@GAME.shows("DF3")
def test_of_equal_dice_the_first_thrown_is_scratched():
    outcome = dd.play("mecha-vs-kaiju/action", pool="d12 d6 d8 d10", dice="1 9 3 3 3")
    assert [die.state for die in outcome.thrown] == ["", "", "scratched", "", ""]


# Impact


@GAME.group(
    row("F30 F31", act("d8 d10 d6", "14 5 7 3"), "total=21, impact=3"),
    row("F31 F59", act("d8 d10 d6", "4 4 4 4"), "impact=4"),
    row("F31 F59", act("d8 d10 d6", "3 3 3 3"), "impact=0"),
    row("F32 DF4", act("d8 d10 d6 d12", "14 5 7 4 6"), "total=21, impact=5"),
    row("F32", act("3d4", "20 4 4 3"), "impact=3"),
    row("F33", act("d10", "1 10 ", scratch=1), "impact=0"),
    row("F33 F35", act("d10", "2 10"), "impact=2"),
    row("F33 F35", act("d12", "2 12"), "impact=2"),
    row("F33 F35", act("d12", "2 11"), "impact=2"),
    row("F33", act("d12", "2 9"), "impact=1"),
    row("F33 DF4", act("2d12", "2 12 10"), "impact=4"),
    row("F34 DF4", act("", "10"), "impact=1"),
    row("F34 DF4", act("", "19"), "impact=1"),
    row("F34", act("d4", "12 1"), "impact=1"),
    *(row("F35", act(f"d{sides}", f"2 {sides}"), "impact=1") for sides in (4, 6, 8)),
    row("F36", act("d8 d10", "14 5 7"), "impact=3"),
    row("F36", act("d8 d10", "14 5 7"), StepValues({"Impact": 3})),
    row("F37 F60 DF5", act("d8 d10", "4 5 7", counter=30), "impact=1, minimum_impact=1"),
    row("F37 F60 DF5", act("d10 d12", "19 10 12", counter=40), "impact=1, minimum_impact=1"),
    row("F37 F60", act("d10 d12", "3 10 12", counter=40), "impact=0, minimum_impact=0"),
    row("DF5", act("d8 d10", "4 5 7", counter=30, impact_modifier=5), "impact=1"),
    row("F38", act("d8 d10", "14 5 7", counter=30), "impact=1, can_stress=false"),
    row("F38", act("d8 d10", "14 5 7", counter=30), StepValues({"Impact": 1})),
    row("F39 DF5", act("d8", "4 5"), StepValues({"If countered": NOT_FOR_STRESS})),
    row("F39", act("d8", "20 5"), StepValues({"If countered": NOT_FOR_STRESS})),
    row("F39", act("d8", "4 5"), "minimum_impact=1"),
    row("F39", act("d8", "3 5"), "minimum_impact=0"),
    row("F59", act("4d10", "3 4 10 3 9"), "impact=4"),
    row("F61", act("d8 d10", "14 5 7"), "impact=3, success=none, minimum_impact=1"),
)
def test_impact(row: Row):
    assert row.actual() == row.expected


@GAME.shows("F30 F36")
def test_the_impact_is_recorded_after_the_total():
    labels = [step.label for step in dd.play("mecha-vs-kaiju/action", pool="d8 d10", dice="14 5 7").steps()]
    assert labels.index("Impact") > labels.index("Total")


# Advantage and disadvantage


@GAME.group(
    row("F7 F48 DF1", act("d8", "9 14 5", advantage=True), "fortune=14, dropped=9, total=19, impact=2"),
    row("F7 F48 DF1", act("d8", "9 14 5", disadvantage=True), "fortune=9, dropped=14, total=14, impact=2"),
    row("F7", act("d4", "9 14 2", advantage=True), "impact=1"),
    row("F40", act("d8", "9 14 5", advantage=True), "dice=9 14 5"),
    row("F40", act("d8", "9 14", advantage=True), raises("dice", "die 3 is a d8")),
    row("F41 F53 F54 DF4", act("d4", "9 14 2", advantage=True), "total=16"),
    row("F41 F53 F54 DF4", act("d4", "9 14 2", **BOTH), "total=16"),
    row("F41 F53", act("", "9 14", **BOTH), "total=14, impact=2"),
    row("F53 F54", act("d4", "9 14 2", **BOTH, keep=3), "total=16"),
    row("F41 DF4", act("d12 d10", "5 11 9"), "total=20"),
    row("F42", act("d8 advantage advantage", "9 14 5", advantage=True), "dice=9 14 5, fortune=14"),
    row("F43 DF1", act("d8", "14 9 5", disadvantage=True), "fortune=9, dropped=14, scratched=none"),
    row("F43 DF11", act("d8", "9 14 5", disadvantage=True), "dropped=14, scratched=none"),
    row("F44", act("d8 disadvantage disadvantage", "9 14 5", disadvantage=True), "dice=9 14 5, fortune=9"),
    row("F45 DF2", act("d8", "9 5", advantage=True, disadvantage=True), "dice=9 5, fortune=9"),
    row("F45 DF2", act("d8 advantage disadvantage", "9 5"), "dice=9 5, dropped=none"),
    row("F46 DF2", act("d8 advantage advantage disadvantage", "9 5", advantage=True), "dice=9 5"),
    row("F46 DF2", act("d8 disadvantage disadvantage advantage", "9 5", disadvantage=True), "dice=9 5"),
    row("DF2", act("d8", "9 5", **BOTH, disadvantage=True), "dice=9 5, impact=2"),
    row("F47", act("d8 with advantage", "9 14 5"), "fortune=14"),
    row("F47", act("disadvantage on d8", "9 14 5"), raises("pool", "'on'")),
    row("F47", act("d8 disadvantage", "9 14 5"), "fortune=9"),
    row("DF1", act("d8", "1 14 5", advantage=True), "fumble=false, fortune=14"),
    row("DF1", act("d8", "1 14 5", disadvantage=True), "fumble=true, fortune=1, scratched=5"),
    row("DF1", act("d8", "20 14 5", disadvantage=True), "critical=false, fortune=14"),
    row("DF1", act("d8", "14 20 5", advantage=True), "critical=if it succeeds, fortune=20"),
    row("DF1 DF11", act("d8", "9 14 5", **BOTH), "impact=3, fortune=14, dropped=none"),
    row("DF1 DF11", act("d8", "1 14 5", **BOTH), "fumble=true, fortune=14, inspiration=1, scratched=5"),
    row("DF1 DF11", act("d8", "1 20 5", **BOTH, counter=5), "fumble=true, critical=true, fortune=20"),
    row("DF1", act("d8", "1 1 5", **BOTH), "fumble=true, inspiration=1, scratched=5"),
    row("DF1", act("d8", "9 14 5", both_fortune_dice=True, disadvantage=True), "impact=2, dropped=14"),
    row("DF1", act("d8", "9 5", both_fortune_dice=True), "impact=2, dice=9 5"),
    row("DF11", act("d8", "2 14 5", **BOTH, counter=30), "fumble=false, fortune=14, impact=1"),
    row("DF11", act("d8", "2 3 5", **BOTH, counter=30), "fumble=true, fortune=3, impact=0, scratched=none"),
    row("DF11", act("d8", "1 14 5", **BOTH, counter=30), "fumble=true, fortune=14, impact=1, inspiration=1"),
)
def test_advantage_and_disadvantage(row: Row):
    assert row.actual() == row.expected


ACTION: Final = "mecha-vs-kaiju/action"


@GAME.shows("F14 F18 F24 F43 F48 DF1 DF5 DF11")
@every(
    ("chosen", "fumbles", "if_countered"),
    [
        ({}, Fraction(1, 20), Fraction(2, 20)),
        ({"advantage": True}, Fraction(1, 400), Fraction(3**2 - 1, 400)),
        ({"disadvantage": True}, Fraction(20**2 - 19**2, 400), Fraction(19**2 - 17**2, 400)),
        # Either can fumble; it is one if countered when both show 2 or 3.
        (BOTH, Fraction(20**2 - 19**2, 400), Fraction(2**2, 400)),
    ],
)
def test_the_odds_of_a_fumble(chosen, fumbles, if_countered):
    for pool in ("d20", "d8 d10"):
        odds = dd.odds(ACTION, "fumble", pool=pool, **chosen)
        assert (odds.p("true"), odds.p("if countered")) == (fumbles, if_countered)


@GAME.shows("F8 F10 F11 DF1 DF5 DF6 DF11")
@every(
    ("chosen", "twenties"),
    [({}, 20), ({"advantage": True}, 39), ({"disadvantage": True}, 1), (BOTH, 39)],
)
def test_the_odds_of_a_critical_success(chosen, twenties):
    odds = dd.odds(ACTION, "critical", pool="d8", **chosen)
    assert odds.p("if it succeeds") == Fraction(twenties, 400)


@GAME.shows("F15 F16 F31 F32 F33 F34 F41 F54 F55 DF1 DF3 DF4")
@pytest.mark.parametrize("reading", ["kept", "both"])
def test_the_odds_of_total_and_impact_with_advantage(reading):
    """Compute total and impact for every throw of two d20, a d8 and a d10."""
    counts: dict[tuple[int, int], int] = {}
    for first, second, eight, ten in itertools.product(range(1, 21), range(1, 21), range(1, 9), range(1, 11)):
        fortune = [max(first, second)] if reading == "kept" else [first, second]
        character = [eight, ten]
        if 1 in fortune and (left := [face for face in fortune + character if face > 1]):
            (fortune if min(left) in fortune else character).remove(min(left))
        best_fortune = [max(fortune)] if fortune else []
        total = sum(sorted(best_fortune + character)[-2:])
        impact = sum(face >= 4 for face in fortune + character) + sum(face >= 10 for face in character)
        counts[total, impact] = counts.get((total, impact), 0) + 1
    chosen = {"kept": {"advantage": True}, "both": BOTH}[reading]
    assert dd.odds(ACTION, "total", "impact", pool="d8 d10", **chosen) == dd.Distribution(counts)


# Scratching, stress and the total

STRESSED: Final = {"overwhelmed": True, "staggered": True}


@GAME.group(
    row("F49 F51", act("d8 d10", "14 5 10", **STRESSED), "total=19, impact=2, scratched=10"),
    row("F49 F50", act("d8 d10", "14 5 10", **STRESSED), "dice=14 5 10"),
    row("F51", act("d8 d10 d6", "1 5 4 3"), "total=9, impact=2, scratched=3"),
    row("F50", act("d8 d10 d6", "1 5 4 3"), "dice=1 5 4 3"),
    row("F52", act("d8 d10", "1 5 4"), "scratched=4"),
    row("F52", act("d8 d10", "2 5 4", counter=20), "scratched=none"),
    row("F52", act("d8 d10", "14 9 5 4", disadvantage=True), "scratched=none, dropped=14"),
    row("F55", act("d8 d10 d6", "14 5 7 6"), "total=21"),
    row("F55", act("d8 d10 d6", "2 5 7 6"), "total=13"),
    row("F55 DF4", act("d8 d10 d6", "6 5 7 6"), "total=13"),
    row("DF4", act("", "14"), "total=14"),
    row("DF4", act("d8", "1 5"), "total=1"),
    row("DF4", act("d8 d10", "3 5 7"), "total=12"),
    row("F56 DF7", act("d8 d10", "14 5 8", overwhelmed=True), "total=22, scratched=none"),
    row("F56 DF7", act("d8 d10", "14 5 9", overwhelmed=True), raises("dice", "die 3 is a d8")),
    row("F56 DF7", act("d8 d10", "14 5 9", staggered=True), raises("dice", "die 3 is a d8")),
    row("F56", act("d8 d10", "14 5 9"), "total=23"),
    row("F57 DF7", act("d8 d10", "14 8 2", **STRESSED), "scratched=2, total=22"),
    row("F57 DF7", act("d8 d10", "14 8 10", **STRESSED), "scratched=10, total=22"),
    row("F58", act("d8 d10 overwhelmed", "14 5 8"), "total=22"),
    row("F58", act("d8 d10 staggered", "14 5 9"), raises("dice", "die 3 is a d8")),
    row("F58", act("d8 d10 Staggered Overwhelmed", "14 5 10"), "scratched=10, total=19"),
    *(
        row("DF7", act(f"d{sides}", f"14 {lower + 1}", staggered=True), raises("dice", f"die 2 is a d{lower}"))
        for sides, lower in [(12, 10), (10, 8), (8, 6), (6, 4)]
    ),
    row("DF7", act("d4", "14", staggered=True), "dice=14, total=14"),
    row("DF7", act("d4 d6", "14 4 4", staggered=True), "total=18"),
    row("DF7", act("d10 d8 d10", "14 8 8 10", overwhelmed=True), "total=24"),
    row("DF7", act("d10 d8 d10", "14 9 8 10", overwhelmed=True), raises("dice", "die 2 is a d8")),
    row("DF7", act("d10 d8 d10", "14 9 8 10", **STRESSED), "scratched=9, total=24"),
    row("DF7", act("", "14", **STRESSED), "total=14, scratched=none"),
    row("DF7", act("", "14", overwhelmed=True), "total=14, dice=14"),
    row("DF8", act("d8 d6", "1 2 5", **STRESSED), "scratched=2 5, total=1"),
    row("DF8", act("d8 d6 d4", "1 2 5 3", **STRESSED), "scratched=2 3, total=6"),
    row("DF8", act("d8 d6 d4", "1 2 1 3", **STRESSED, scratch=2), "scratched=2 3, total=2"),
    row("DF8", act("d8 d6", "14 1 2 5", **STRESSED, disadvantage=True), "dropped=14, scratched=2 5, total=1"),
    row("DF8", act("d8 d6", "14 1 7 5", disadvantage=True), "dropped=14, scratched=5, total=8"),
)
def test_scratching_stress_and_the_total(row: Row):
    assert row.actual() == row.expected


# Beyond the source


@GAME.group(
    *(
        row("DF9", act(f"d{sides}", f"14 {larger}", boost=f"d{sides}"), f"total={14 + larger}")
        for sides, larger in [(4, 6), (6, 8), (8, 10), (10, 12)]
    ),
    *(
        row("DF9", act(f"d{sides}", f"14 {sides}", reduce=f"d{sides}"), raises("dice", f"die 2 is a d{smaller}"))
        for sides, smaller in [(6, 4), (8, 6), (10, 8), (12, 10)]
    ),
    row("DF9", act("d12", "14 12 4", boost="d12"), "dice=14 12 4, total=26, impact=4"),
    row("DF9", act("d12", "14 12 5", boost="d12"), raises("dice", "die 3 is a d4")),
    row("DF9", act("d8", "14 5", boost="d20"), raises("boost", "fortune die")),
    row("DF9", act("d8", "14 5", reduce="d20"), raises("reduce", "fortune die")),
    row("DF9", act("d8", "14 5", modifier=3), "total=22, impact=2"),
    row("DF9", act("d8", "14 5", modifier=-3, counter=17), "total=16, success=false"),
    row("DF9", act("d8", "14 5", impact_modifier=2), "total=19, impact=4"),
    row("DF9", act("d8", "14 5", impact_modifier=-1), "impact=1"),
    row("DF9", act("d8 d10 d6", "14 5 7 6", keep=3), "total=27, impact=4"),
    row("DF9", act("d8 d10 d6", "2 5 7 6", keep=3), "total=18"),
    row("DF9", act("d8", "14 5", keep=3), "total=19"),
    row("DF11", act("d12 d8", "14 12 7 3", boost="d12"), "dice=14 12 7 3, total=26"),
    row("DF11", act("d12 d8", "14 3 12 7", boost="d12"), raises("dice", "die 3 is a d8")),
    row("DF11", act("2d8", "14 10 8", boost="d8"), "total=24"),
    row("DF11", act("2d8", "14 8 10", boost="d8"), raises("dice", "die 3 is a d8")),
    row("DF11", act("2d8", "14 10 6", boost="d8", reduce="d8"), "total=24"),
    row("DF11", act("d8", "14 5", boost="d10"), raises("boost", "d10")),
    row("DF11", act("d8", "14 5", reduce="2d8"), raises("reduce", "d8 left")),
    row("DF11", act("d8", "14 5", boost="d8", reduce="d10"), raises("reduce", "d10")),
    row("DF11", act("d8 d10", "14 5 9 ", boost="d8 d10"), "dice=14 5 9"),
    row("DF11", act("d4 d8", "14 5", reduce="d4"), "dice=14 5"),
    row("DF11", act("d10 d8", "14 10 8", boost="d10", overwhelmed=True), "total=24"),
    row("DF11", act("d10 d8", "14 11 8", boost="d10", overwhelmed=True), raises("dice", "die 2 is a d10")),
    row("DF11", act("d8 d8", "14 10 8", boost="d8", **STRESSED), "scratched=10"),
    row("DF11", act("d8", "9 14 5", advantage=True), "dice=9 14 5, dropped=9"),
)
def test_rules_that_the_source_does_not_have(row: Row):
    assert row.actual() == row.expected


# The rulebook

RULINGS: Final = {
    "ruling-kinds-of-dice": "DF10",
    "ruling-fewer-than-two": "DF4",
    "ruling-counters": "DF5 DF12",
    "ruling-countered-impact": "DF5 DF12",
    "ruling-choosing": "DF6",
    "ruling-what-a-fumble-scratches": "DF3",
    "ruling-second-fumble": "DF5",
    "ruling-the-dropped-die": "DF1 DF11",
    "ruling-neither": "DF2",
    "ruling-largest-die": "DF7",
    "ruling-order-of-scratching": "DF8",
    "ruling-changing-dice": "DF9 DF11",
}
"""The rulings of the chapter, and the decisions that each of them states."""


def test_each_decision_is_in_the_rulebook():
    rulings = re.findall(r":name: (ruling-[a-z-]+)", GAME.page)
    assert rulings == list(RULINGS)
    decisions = [id for id in GAME.statements if id.startswith("DF")]
    assert {id for ids in RULINGS.values() for id in ids.split()} == set(decisions)
