"""What a notation does not say: words, several symbols on a face, one throw read twice, events that are no events."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dicedocs as dd
from dicedocs.rules.registry import mechanic

from ..every import every


@every(
    ("text", "meant"),
    [
        ("2d6 take highest", "2d6kh1"),
        ("2d20 lowest", "2d20kl1"),
        ("4d6 discard lowest", "4d6dl1"),
        ("2d6 (drop lowest)", "2d6dl1"),
        ("1d8 halved", "1d8 / 2"),
        ("2d6 twice", "2d6 * 2"),
        ("8d6 ½", "8d6 / 2"),
        ("1d20 mit Vorteil", "2d20kh1"),
        ("1d20 avec désavantage", "2d20kl1"),
        ("1d6-1 (min 1)", "max(1d6-1, 1)"),
        ("2d6+4 (max 10)", "min(2d6+4, 10)"),
        ("3W6", "3d6"),
        ("1d8 fire", "1d8 [fire]"),
        ("2d6 fire + 3", "2d6 [fire] + 3"),
    ],
)
def test_words_after_dice_are_refused_with_what_is_meant(text, meant):
    for attempt in (dd.roll, dd.odds, lambda text: dd.check(f"{text} >= 12")):
        with pytest.raises(dd.NotationError) as caught:
            attempt(text)
        assert f"write '{meant}" in caught.value.hint
    dd.roll(meant, seed=1)


def test_a_word_that_means_nothing_may_be_a_label_or_a_comment():
    with pytest.raises(dd.NotationError) as caught:
        dd.roll("1d20 foo bar")
    assert caught.value.at == 5
    assert caught.value.hint == "labels go in brackets, comments after #: write '1d20 [foo bar]'"
    assert dd.roll("1d20 [foo bar]", dice=[7]).facts("labels") == "labels=foo bar=7"
    assert dd.roll("1d20 # foo bar", dice=[7]).value == 7


def test_successes_need_a_number():
    with pytest.raises(dd.NotationError, match="as in '5d10>=8'"):
        dd.roll("5d10 successes")


def test_dice_of_another_tool_are_pointed_to_it():
    with pytest.raises(dd.NotationError, match="dice/roll"):
        dd.play("methuen/expression", expression="4d6kh3", seed=1)
    with pytest.raises(dd.NotationError, match="write '3d6'"):
        dd.play("methuen/expression", expression="3W6", seed=1)


def test_a_face_may_have_several_symbols():
    outcome = dd.roll("3d{-, s, s+s, s+a}", dice=[2, 3, 4])
    assert outcome.facts("total", "labels") == "total=5, labels=s=4, a=1"
    assert [die.shown for die in outcome.thrown] == ["s", "s+s", "s+a"]
    # Each symbol has the sign of its die.
    outcome = dd.roll("1d{s, f} - 1d{s, f}", dice=[1, 1])
    assert outcome.facts("total", "labels") == "total=0, labels=s=0"
    assert dd.odds("2d{-, s, s+s}").to_dict() == {
        total: Fraction(ways, 9) for total, ways in {0: 1, 1: 2, 2: 3, 3: 2, 4: 1}.items()
    }


@every("faces", ["hit, hit hit", "hit+, -", "2 hits, -", "hit/crit, -", ", hit", "hit*2"])
def test_odd_faces_are_refused(faces):
    with pytest.raises(dd.NotationError):
        dd.roll(f"3d{{{faces}}}")


@every(
    ("text", "dice"),
    [
        ("(1d20+5 >= 15)*(1d8+3) + (1d20=20)*1d8", "1d20"),
        ("(2d6+1>=7)+(2d6+1>=10)", "2d6"),
        ("(1d20 [claw] >= 15) + (1d20 [claw] >= 18)", "1d20"),
    ],
)
def test_the_same_dice_in_two_comparisons_are_doubted(text, dice):
    doubt = mechanic("dice/roll")(notation=text).doubt()
    assert doubt is not None
    assert f"'{dice}' is in two comparisons" in str(doubt)


@every(
    "text",
    [
        "(1d20 [first claw] >= 15) + (1d20 [second claw] >= 15)",
        "(1d20 >= 15) * 1d8 + 1d20",
        "(1d20 >= 15) + (1d12 >= 8)",
        "2d6 + 2d6",
        "5d10>=8",
    ],
)
def test_two_throws_that_are_meant_are_not_doubted(text):
    assert mechanic("dice/roll")(notation=text).doubt() is None


def test_the_command_line_notes_the_doubt(capsys):
    from dicedocs.cli import main

    text = "(2d6+1>=7)+(2d6+1>=10)"
    for command in (["roll", text, "--seed", "1"], ["odds", text]):
        assert main(command) == 0
        assert "note: notation: '2d6' is in two comparisons" in capsys.readouterr().err


def test_signs_of_one_character():
    assert dd.odds("2d6").p("≥ 10") == dd.odds("2d6").p("at least 10") == Fraction(1, 6)
    assert dd.odds("2d6").p("≠ 7") == Fraction(5, 6)


def test_odds_take_a_notation_as_a_roll_does():
    assert dd.odds("4d6kh3") == dd.odds("dice/roll", notation="4d6kh3")
    assert dd.odds("1d20 + [Attack] >= 12", actor="Attack=6").p(True) == Fraction(3, 4)
    with pytest.raises(dd.ParameterError, match="no such parameter"):
        dd.odds("4d6kh3", bonus=3)
