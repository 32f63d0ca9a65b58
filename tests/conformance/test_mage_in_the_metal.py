"""The Mage in the Metal, fact by fact: checks and contests. See ``mage-in-the-metal.md``."""

import itertools
from collections import Counter
from fractions import Fraction

import pytest

import dicedocs as dd
from dicedocs import ParameterError

from ..every import every
from .facts import Call, Game, Raises, Row, StepValues, play, row

CHECK = "mage-in-the-metal/check"
CONTEST = "mage-in-the-metal/contest"

GAME = Game(
    "mage-in-the-metal",
    not_shown_by_code={
        "W26": "says what effects there are, not how a check is made",
        "W28": "says what effects there are, not how a check is made",
    },
)

TWELVE = [3, 4, 5]


def check(skill: int = 20, **named: object) -> Call:
    return play(CHECK, skill=skill, **{"dice": TWELVE, **named})


def contest(contestants: str, *dice: int) -> Call:
    return play(CONTEST, contestants=contestants, dice=list(dice))


def raises(*parts: str, parameter: str = "contestants") -> Raises:
    return Raises(ParameterError, *parts, parameter=parameter)


# Facts that only the page states


@every(
    "words",
    [
        pytest.param(words, id=f"{id}: {words}")
        for id, words in [
            ("W1", "The rules are an unfinished draft"),
            ("W2", "The game has other dice too, from d4 to d12"),
            ("W4", "a bell curve"),
            ("W6", "when an action is uncertain or dramatic"),
            ("W6", "The GM calls for it, and may make one too"),
            ("W20", "nearly every check has one"),
            ("W32", "The High Jump action of the Athletics skill is one of them"),
            ("W36", "It is more fun if something happens first"),
            ("W40", "its effect is strong"),
            ("W41", "All they say about Fate is that it is one of the four"),
        ]
    ],
)
@GAME.shows("W1 W2 W4 W6 W20 W32 W36 W40 W41")
def test_the_page_says(words):
    assert GAME.page_says(words)


# The dice


@GAME.group(
    row("W3 W7", check(dice=[1, 2, 6]), "total=9, dice=1 2 6"),
    row("W3 W7", check(dice=[6, 6, 6]), "total=18"),
    row("W3", check(dice=[1, 2]), Raises(ParameterError, "die 3 is a d6", parameter="dice")),
    row("W3", check(dice=[1, 2, 3, 4]), Raises(ParameterError, "3 thrown", parameter="dice")),
    row("W2 W3", check(dice=[1, 2, 7]), Raises(ParameterError, "cannot show 7", parameter="dice")),
    row("W3 W33", contest("A: skill 9; B: skill 9", 1, 2, 3, 4, 5, 6), "totals=6 15"),
    row("W3", contest("A: skill 9; B: skill 9", 1, 2, 3, 4, 5), Raises(ParameterError, "die 6 is a d6")),
    row("W37", check(favor="with", dice=[5, 6]), "total=11, dice=5 6"),
    row("W37", check(favor="with", dice=[5, 6, 1]), Raises(ParameterError, "2 thrown", parameter="dice")),
    row("W38", check(favor="without", dice=[5, 6, 1, 2]), "total=14, dice=5 6 1 2"),
    row("W38", check(favor="without", dice=[5, 6, 1]), Raises(ParameterError, "die 4 is a d6", parameter="dice")),
    row("DW6", check(favor="with without"), "total=12, dice=3 4 5"),
    row("DW6", check(favor="without, with"), "total=12, dice=3 4 5"),
    row("DW6", check(favor="with with", dice=[5, 6]), "total=11"),
    row("DW6", check(favor=["without", "without"], dice=[5, 6, 1, 2]), "total=14"),
    row("DW6", check(favor="with without with"), "total=12"),
    row("DW6", check(favor="none"), "total=12"),
    row("DW6", contest("A: skill 9, favor with, favor without; B: skill 9", 1, 2, 3, 4, 5, 6), "totals=6 15"),
)
def test_dice(row: Row):
    assert row.actual() == row.expected


def ways(number: int, favor: str) -> list[dd.Outcome]:
    """Return the outcomes of every sequence of faces of some d6, for a TN of 11."""
    every = itertools.product(range(1, 7), repeat=number)
    return [check(11, favor=favor, dice=faces)() for faces in every]


@GAME.shows("W4 W7")
def test_middle_totals_of_three_dice_are_the_most_likely():
    counts = Counter(outcome.fact("total") for outcome in ways(3, "none"))
    assert [counts[total] for total in range(3, 19)] == [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]


@GAME.shows("W5 W24 W25 W37 W38 DW2")
@every(
    ("number", "favor", "successes", "failures"),
    # Out of 216, 36 and 1296.
    [(3, "none", 10, 10), (2, "with", 10, 0), (4, "without", 5, 435)],
)
def test_the_frequency_of_criticals(number, favor, successes, failures):
    counts = Counter(outcome.fact("critical") for outcome in ways(number, favor))
    assert (counts["success"], counts["failure"]) == (successes, failures)


@GAME.shows("W4 W5")
def test_the_spread_of_three_dice_is_not_even():
    three, one = (dd.odds("methuen/expression", expression=dice) for dice in ("3d6", "1d20"))
    assert len(set(one.counts)) == 1
    assert three.p("= 10") == 27 * three.p("= 3")
    assert three.mean == one.mean
    assert three.variance == Fraction(35, 4) < one.variance == Fraction(399, 12)


@GAME.shows("W24 W25 W37 W38 DW2 DW6")
@every(("favor", "number"), [("with", 2), ("none", 3), ("without", 4), ("with without", 3)])
def test_the_odds_by_target_number(favor, number):
    totals = [sum(faces) for faces in itertools.product(range(1, 7), repeat=number)]
    for tn in (-3, *range(3, 22)):
        succeed = sum(total <= 5 or (total < 16 and total < tn) for total in totals)
        assert dd.odds(CHECK, "success", skill=tn, favor=favor).p("true") == Fraction(succeed, len(totals))
        fail = sum(total >= 16 for total in totals)
        assert dd.odds(CHECK, "critical", skill=tn, favor=favor).p("failure") == Fraction(fail, len(totals))


@GAME.shows("W8 W39")
def test_fewer_dice_help():
    shares = [
        sum(outcome.fact("under") for outcome in every) / len(every)
        for every in (ways(2, "with"), ways(3, "none"), ways(4, "without"))
    ]
    assert shares == [33 / 36, 108 / 216, 206 / 1296]  # 10 or less


# The target number

ALL_FOUR = {"equipment": 1, "magical": 20, "circumstance": 300, "fate": 4000}


@GAME.group(
    row("W9 W10", check(), "total=12, tn=20, success=true, result=success"),
    row("W10 DW3", check(7), "tn=7"),
    row("W10 W12 DW3", check(equipment=4, penalties=1), "tn=23"),
    row("W11", check(equipment=4, penalties="difficulty 10"), "total=12, dice=3 4 5"),
    row("W11", check(fate=9, favor="with", penalties=30, dice=[1, 1]), "total=2, dice=1 1"),
    row("W12", check(1, **ALL_FOUR, penalties="2, 3"), "tn=4317"),
    row("W13", check(equipment=4, penalties=10), StepValues({"TN": 14})),
    row("W13 DW3 DW7", check(10, equipment=4, penalties=2, multiply=3), "tn=36"),
    row("W13 DW3 DW7", check(10, equipment=4, penalties=2, divide=2), "tn=6"),
    row("W13 DW3 DW7", check(10, equipment=4, penalties=3, divide=2), "tn=5"),
    row("W13 DW7", check(10, equipment=5, multiply=3, divide=2), "tn=22"),
    row("DW3", check(1, penalties=4, divide=2), "tn=-2"),
    row("DW7", check(divide=0), raises("at least 1", parameter="divide")),
    row("DW7", check(), "tn=20"),
    row("W14", check(circumstance=1), "tn=21"),
    row("W14", check(12, circumstance=1), "under=true, success=true"),
    row("W14", check(12), "under=false, success=false"),
    row("W14", check(equipment=-4), raises("would lower the TN", "as a penalty: 4", parameter="equipment")),
    *(row("W15 W16", check(**{kind: 3}), "tn=23") for kind in ("equipment", "magical", "circumstance", "fate")),
    row("W15 W16 DW3", check(0, **ALL_FOUR), "tn=4321"),
    row("W15", check(luck=1), Raises(ParameterError, "no parameter 'luck'")),
    row("W16 DW3 DW7", check(equipment="4, 2"), "tn=24"),
    row("W16 DW7", check(equipment="2 4"), "tn=24"),
    row("W16 DW7", check(magical=[1, 3, 2], fate=[5, 5]), "tn=28"),
    row("W41", check(fate=2), "tn=22, dice=3 4 5"),
    row("W17 DW3", check(penalties=3), "tn=17"),
    row("W17 DW3", check(penalties=-3), "tn=17"),
    row("DW3", check(penalties="-10, 10"), "tn=0"),
    row("W18 DW3", check(penalties="10, 2"), "tn=8"),
    row("W18", check(penalties="3, 3, 3"), "tn=11"),
    row("W18 W19", check(penalties="difficulty 2, difficulty 2, wounds 3"), "tn=13"),
    row("W19 DW7", check(penalties="difficulty 10, wounds 2"), "tn=8"),
    row("W19 W20", check(penalties="difficulty 10"), StepValues({"TN": 10})),
    row("DW7", check(penalties="wounds"), raises("difficulty 10", parameter="penalties")),
    row("W20 W21", check(penalties="difficulty -10"), "tn=10, total=12, success=false, result=failure"),
    row("W22", check(penalties="difficulty -10", equipment=4), "tn=14, total=12, difference=2, result=success"),
)
def test_the_target_number(row: Row):
    assert row.actual() == row.expected


@GAME.shows("W13 W19")
def test_the_working_names_bonuses_then_penalties_then_the_rest():
    text = str(check(equipment=4, fate=1, penalties="difficulty 10, 2", divide=2)())
    assert text.startswith(
        "TN: 20 (skill) + 4 (equipment) + 1 (fate) - 10 (difficulty) - 2 (penalty) = 13\nTN in the end: 13 / 2 = 6"
    )


# Success, failure and criticals


@GAME.group(
    row("W8 DW1", check(13), "under=true, success=true, difference=1, result=success"),
    row("W8 DW1", check(12), "under=false, success=false, difference=0, result=failure"),
    row("W8 DW1", check(11), "under=false, success=false, difference=-1, result=failure"),
    row("DW1", check(13, at_or_under=True), "under=true, success=true"),
    row("DW1", check(12, at_or_under=True), "under=true, success=true, difference=0, result=success"),
    row("DW1", check(11, at_or_under=True), "under=false, success=false"),
    row("W8", check(12, dice=[1, 4, 4]), "result=success"),
    row("W23", check(dice=[1, 1, 1]), "result=critical success, critical=success"),
    row("W23", check(dice=[2, 2, 2]), "result=success, critical=none"),
    row("W23", check(4, dice=[2, 2, 2]), "result=failure, critical=none"),
    row("W23", check(4, dice=[6, 6, 6]), "result=critical failure, critical=failure"),
    row("W24", check(dice=[1, 1, 3]), "total=5, critical=success, result=critical success, success=true"),
    row("W24", check(dice=[1, 1, 4]), "total=6, critical=none, result=success"),
    row("W25", check(dice=[4, 6, 6]), "total=16, critical=failure, result=critical failure, success=false"),
    row("W25", check(dice=[3, 6, 6]), "total=15, critical=none, result=success"),
    row("W27 DW2", check(4, dice=[1, 1, 3]), "under=false, success=true, result=critical success, difference=-1"),
    row("W27 DW2", check(17, dice=[4, 6, 6]), "under=true, success=false, result=critical failure, difference=1"),
    row("W27 DW2", check(5, at_or_under=True, dice=[1, 1, 3]), "under=true, result=critical success"),
    row("W27", check(100, penalties=98, dice=[1, 1, 3]), "tn=2, critical=success"),
    row("DW2", check(4, favor="with", dice=[2, 3]), "under=false, success=true, result=critical success"),
    row("DW2", check(11, favor="with", dice=[6, 6]), "total=12, critical=none, result=failure"),
    row("DW2", check(20, favor="without", dice=[4, 4, 4, 4]), "total=16, critical=failure, under=true"),
    row("DW2", check(20, favor="without", dice=[4, 4, 4, 3]), "total=15, critical=none, result=success"),
    row("DW2", check(20, favor="without", dice=[1, 1, 1, 2]), "total=5, critical=success"),
)
def test_success_and_failure(row: Row):
    assert row.actual() == row.expected


@GAME.group(
    row("W29 DW4", check(14), "difference=2"),
    row("W29 DW4", check(10), "difference=-2"),
    row("W30 DW4", check(18, margin=3), "difference=6, degrees=2"),
    row("W30 DW4", check(19, margin=3), "difference=7, degrees=2"),
    row("W30 DW4", check(20, margin=3), "difference=8, degrees=2"),
    row("W30 DW4", check(21, margin=3), "difference=9, degrees=3"),
    row("W30 DW4", check(14, margin=3), "difference=2, degrees=0"),
    row("W30", check(14, margin=1), "degrees=2"),
    row("W31 DW4", check(5, margin=3), "difference=-7, degrees=2, result=failure"),
    row("W31 DW4", check(10, margin=3), "difference=-2, degrees=0"),
    row("DW1 DW4", check(12, margin=1), "difference=0, degrees=0"),
    row("DW4", check(), "degrees=none"),
    row("DW4", check(margin="none"), "degrees=none"),
    row("DW4", check(margin=0), raises("at least 1", parameter="margin")),
    row("W32", check(17, margin=3, dice=[2, 1, 6]), "difference=8, degrees=2"),
)
def test_margins(row: Row):
    assert row.actual() == row.expected


# Contests

EQUALS = "A: skill 14, training {}; B: skill 14, training {}"


@GAME.group(
    row("W33", check(), "total=12"),
    row("W33 DW5", contest("A: skill 13; B: skill 12", 3, 4, 5, 3, 4, 5), "winner=A, result=win, totals=12 12"),
    row("W33 DW5", contest("A: skill 12; B: skill 13", 3, 4, 5, 3, 4, 5), "winner=B, result=win, totals=12 12"),
    row(
        "W33 DW5",
        contest("A: skill 9; B: skill 10; C: skill 12; D: skill 11", 3, 3, 2, 3, 3, 2, 3, 3, 2, 3, 3, 2),
        "winner=C, totals=8 8 8 8",
    ),
    row("DW5", contest("A: skill 13", 3, 4, 5), raises("2 contestants or more")),
    row("DW5", contest(""), raises("2 contestants or more")),
    # A better result wins, whatever difference and training say.
    row("DW5", contest("A: skill 3; B: skill 30, training 9", 1, 2, 2, 1, 2, 3), "winner=A"),
    row("DW5", contest("A: skill 13; B: skill 12, training 9", 3, 4, 5, 3, 4, 5), "winner=A"),
    row("DW5", contest("A: skill 3; B: skill 99, training 9", 5, 5, 5, 5, 5, 6), "winner=A"),
    row("DW5", contest("A: skill 90, training 9; B: skill 12", 6, 6, 6, 3, 4, 4), "winner=B"),
    # Then the larger difference, of every result.
    row("DW5", contest("A: skill 15; B: skill 14, training 9", 3, 4, 5, 3, 4, 5), "winner=A, totals=12 12"),
    row("DW5", contest("A: skill 15; B: skill 13, training 9", 3, 4, 5, 3, 4, 4), "winner=A, totals=12 11"),
    row("DW5", contest("A: skill 10; B: skill 9, training 9", 3, 4, 5, 3, 4, 5), "winner=A"),
    row("DW5", contest("A: skill 15; B: skill 14, training 9", 1, 1, 1, 1, 1, 1), "winner=A"),
    row("DW5", contest("A: skill 15; B: skill 14, training 9", 6, 6, 6, 6, 6, 6), "winner=A"),
    # Then the higher training.
    row("W34 DW5", contest(EQUALS.format(1, 2), 3, 4, 5, 5, 4, 3), "winner=B, result=win"),
    row("W34 DW5", contest(EQUALS.format(2, 1), 3, 4, 5, 5, 4, 3), "winner=A, result=win"),
    row("W34", contest("A: skill 14, training 1; B: skill 13, training 2", 3, 4, 5, 3, 4, 4), "winner=B"),
    row("DW5", contest("A: skill 14; B: skill 14, training 1", 3, 4, 5, 3, 4, 5), "winner=B"),
    row("DW5", contest("A: skill 14; B: skill 14, training -1", 3, 4, 5, 3, 4, 5), "winner=A"),
    row("W35 DW5", contest(EQUALS.format(2, 2), 3, 4, 5, 5, 4, 3), "winner=none, result=stalemate"),
    row("W35", contest("A: skill 14; B: skill 14", 3, 4, 5, 5, 4, 3), "winner=none, result=stalemate"),
    row("W35", contest(EQUALS.format(2, 2), 3, 4, 5, 5, 4, 3), StepValues({"Result": "stalemate"})),
    row(
        "W35 DW5",
        contest(f"{EQUALS.format(2, 2)}; C: skill 14, training 1", 3, 4, 5, 5, 4, 3, 3, 4, 5),
        "winner=none, result=stalemate, totals=12 12 12",
    ),
    row("DW5", contest(f"{EQUALS.format(2, 2)}; C: skill 15", 3, 4, 5, 5, 4, 3, 3, 4, 5), "winner=C, result=win"),
    # With the bonuses and penalties of a check, each as counts as it occurs.
    row(
        "W16 DW5",
        contest("A: skill 14; B: skill 10, equipment 4, equipment 2, fate 1", 3, 4, 5, 3, 4, 5),
        "winner=B",
    ),
    row("W18 DW5", contest("A: skill 5; B: skill 14, penalty 7, penalty 2", 3, 3, 3, 3, 3, 3), "result=stalemate"),
    row("DW3 DW5", contest("A: skill 5; B: skill 14, penalty -7, penalty 2", 3, 3, 3, 3, 3, 3), "result=stalemate"),
    row(
        "DW5",
        contest("A: skill 20, magical 3, circumstance 2, penalty 5; B: skill 19", 3, 3, 3, 3, 3, 3),
        StepValues({"Ahead": "A", "Winner": "A"}),
    ),
    row("W37 W38 DW5", contest("A: skill 9, favor with; B: skill 9, favor without", *[2] * 6), "totals=4 8"),
    *(
        row("DW5", contest(f"A{sign}B: skill 9; C: skill 9", *[2] * 6), Raises(ParameterError))
        for sign in (":", ";", ",", "=")
    ),
    row("DW5", contest("A B: skill 10; Ö-c.: skill 9", *[3] * 6), "winner=A B"),
)
def test_contests(row: Row):
    assert row.actual() == row.expected


@GAME.shows("W33")
def test_a_contest_is_a_check_of_each_contestant():
    outcome = contest("A: skill 14, equipment 2; B: skill 9, penalty 3", 3, 4, 5, 1, 2, 6)()
    played = {step.label: step.steps for step in outcome.steps() if step.verb == "play"}
    alone = {"A": check(14, equipment=2)(), "B": check(9, penalties=3, dice=[1, 2, 6])()}
    assert {name: [step.value for step in steps] for name, steps in played.items()} == {
        name: [step.value for step in outcome.steps()] for name, outcome in alone.items()
    }


@GAME.shows("W33 W34 W35 DW5")
@every("training", [0, 1])
@every("skill", [12, 14, 16, 20])
def test_the_odds_of_a_contest(skill, training):
    totals = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=3))

    def rank(total: int, tn: int, trained: int) -> tuple[int, int, int]:
        result = 3 if total <= 5 else 0 if total >= 16 else 2 if total < tn else 1
        return result, tn - total, trained

    counted: Counter[str | None] = Counter()
    for (one, ways), (other, more) in itertools.product(totals.items(), repeat=2):
        first, second = rank(one, skill, training), rank(other, 12, 0)
        counted["Ilka" if first > second else "Rusk" if second > first else None] += ways * more
    contestants = f"Ilka: skill {skill}, training {training}; Rusk: skill 12"
    assert dd.odds(CONTEST, "winner", contestants=contestants) == dd.Distribution(counted)
