"""A dice tray: what its buttons make of a notation, its favourites, and its place in the timeline."""

import json
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import ParameterError
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.forms.tray_notation import (
    TRAY_DICE,
    add_dice,
    count_dice,
    mode,
    modifier,
    set_mode,
    set_modifier,
)
from dicedocs.panel.kept_rolls import KeptRolls

from ..every import every

KIRA = Character("Kira", "Attack=6, Strength=4", {"Sword": "1d20 + [Attack]", "Damage": "1d8 + [Strength]"})
THERON = Character("Theron", {"Intelligence": 4}, {"Bolt": "2d6 + [Intelligence]"})


def mean(notation):
    return dd.odds("dice/roll", "total", notation=notation, actor=KIRA).mean


class TestNotation:
    @given(st.lists(st.tuples(st.sampled_from(TRAY_DICE), st.integers(-3, 3)), max_size=12), st.integers(-99, 99))
    def test_pressed_dice_come_to_what_was_pressed(self, presses, number):
        text, counts = "", dict.fromkeys(TRAY_DICE, 0)
        for sides, times in presses:
            text = add_dice(text, sides, times)
            counts[sides] = max(0, counts[sides] + times)
        text = set_modifier(text, number)
        assert {sides: count_dice(text, sides) for sides in TRAY_DICE} == counts
        assert modifier(text) == number
        if text:
            # A die with n sides has the mean (n + 1) / 2.
            assert mean(text) == sum(count * (sides + 1) for sides, count in counts.items()) / 2 + number

    @every(
        ("before", "after"),
        [
            ("2 * (1d4 + 1)", "2 * (1d4 + 1) + 1d6"),
            ("1d20 + [Luck + 1]", "1d20 + 1d6 + [Luck + 1]"),
            ("2d8!+1d4", "2d8! + 1d4 + 1d6"),
            ("1d20 + [Luck] +", "1d20 + 1d6 + [Luck]"),
            ("{1d4, 1d8}kh1 - 2", "{1d4, 1d8}kh1 - 2 + 1d6"),
            ("1 - -2", "1 - -2 + 1d6"),
            ("4d6kh3", "4d6kh3 + 1d6"),
            ("3d6!", "3d6! + 1d6"),
        ],
    )
    def test_what_was_typed_beside_the_dice_stays(self, before, after):
        pressed = add_dice(before, 6)
        assert sorted(pressed.replace(" - ", " + - ").split(" + ")) == sorted(
            after.replace(" - ", " + - ").split(" + ")
        )
        dd.play("dice/roll", notation=pressed, actor={"Luck": 1, "Luck + 1": 1}, seed=1)

    def test_the_modifier_is_one_number_at_the_end(self):
        assert set_modifier("1d20 + 5 - 2 + 1d4", 4) == "1d20 + 1d4 + 4"
        assert set_modifier("", -3) == "-3"
        assert modifier("-3") == modifier("0 - 3") == -3

    def test_advantage_throws_a_d20_twice(self):
        # By hand: the higher of two d20 is on average 13.825, the lower 7.175.
        assert float(mean(set_mode("1d20 + 2", "advantage"))) == 15.825
        assert float(mean(set_mode("1d20 + 2", "disadvantage"))) == 9.175
        assert mode("2d20kh1 + 1d20") is None
        assert count_dice("2d20kh1 + 1d20", 20) == 2

    def test_what_cannot_be_read_is_told_and_stays(self):
        session = TraySession("1d20 + 3d")
        with pytest.raises(dd.NotationError, match="expected the sides"):
            session.press(6)
        assert session.notation == "1d20 + 3d"
        assert session.state()["tray"]["counts"] == [0] * len(TRAY_DICE)

    def test_a_text_that_is_too_long_is_not_read(self):
        session = TraySession()
        session.notation = "1d6+" * 1_000
        assert session.state()["tray"]["counts"] == [0] * len(TRAY_DICE)
        with pytest.raises(dd.LimitError, match="TEXT"):
            session.press(6)

    def test_a_comment_stays(self):
        assert add_dice("1d20 - (1d4 + 1) * 2 # a smite", 6) == "1d20 + 1d6 - (1d4 + 1) * 2 # a smite"

    def test_as_many_dice_as_a_play_may_have(self):
        assert add_dice("9999d6", 6, 500) == "10000d6"


class TestTray:
    def test_the_first_die_replaces_what_it_starts_with(self):
        session = TraySession()
        assert session.notation == "1d20"
        session.press(6)
        assert session.notation == "1d6"
        session.press(20)
        assert session.notation == "1d6 + 1d20"

    def test_a_notation_of_ones_own_stays(self):
        session = TraySession("2d8")
        session.press(8)
        assert session.notation == "3d8"

    def test_it_has_only_the_usual_dice(self):
        with pytest.raises(ParameterError, match="a tray has no 'd7'"):
            TraySession().press(7)

    def test_an_empty_tray_shows_no_error_and_rolls_nothing(self):
        session = TraySession()
        session.press(20, -1)
        state = session.state()
        assert (state["errors"], state["error"], state["can"]["roll"]) == ({}, None, False)
        with pytest.raises(dd.DiceError):
            session.roll()

    def test_advantage_needs_a_single_d20(self):
        session = TraySession()
        session.press(20, 2)
        with pytest.raises(ParameterError, match="exactly one d20"):
            session.set_mode("advantage")
        with pytest.raises(ParameterError, match="did you mean 'advantage'"):
            session.set_mode("advantag")

    def test_a_favourite_has_the_resources_and_the_label_of_its_character(self):
        session = TraySession(seed=7, characters=[KIRA, THERON])
        outcome = session.roll_favourite("Bolt")
        assert outcome == dd.roll("2d6 + [Intelligence]", actor=THERON, seed=7)
        assert session.history[0]["label"] == "Theron, Bolt"
        with pytest.raises(ParameterError, match="did you mean 'Sword'"):
            session.roll_favourite("Swrd")

    def test_emptied_dice_lose_the_label_of_a_favourite_and_no_other(self):
        session = TraySession(seed=7, characters=[KIRA])
        session.roll_favourite("Sword")
        session.receive({"do": "empty"})
        session.press(6, 2)
        session.roll()
        assert [one["label"] for one in session.history] == ["Kira, Sword", ""]
        session.label = "Storm"
        session.receive({"do": "empty"})
        assert session.label == "Storm"

    def test_keeping_and_forgetting_are_undone_and_redone(self):
        session = TraySession("3d6", characters=[KIRA])
        session.keep("Stat")
        own = [one.name for one in session.favourites]
        assert own == ["Sword", "Damage", "Stat"]
        session.forget(2)
        session.travel.undo()
        assert [one.name for one in session.favourites] == own
        session.travel.undo()
        assert [one.name for one in session.favourites] == own[:2]
        session.travel.redo()
        assert [one.name for one in session.favourites] == own
        with pytest.raises(ParameterError, match="'Sword' is a roll of 'Kira'"):
            session.forget(0)

    def test_its_code_and_directive_are_those_of_the_roll(self):
        session = TraySession("1d20", seed=7, characters=[KIRA])
        session.set_mode("advantage")
        session.roll()
        state = session.state()
        assert state["code"].endswith('dd.roll("2d20kh1", seed=7)')
        assert ":notation: 2d20kh1\n:seed: 7" in state["directive"]

    def test_form_and_state_are_plain_data(self):
        session = TraySession("2d6 + 1d20 + 3", characters=[KIRA, THERON])
        for data in (session.form(), session.state()):
            assert json.loads(json.dumps(data)) == data
        assert session.state()["tray"]["counts"] == [0, 2, 0, 0, 0, 1, 0]
        assert session.state()["tray"]["modifier"] == 3

    @given(
        st.sampled_from(["add", "mode", "empty", "favourite", "keep", "forget"]),
        st.integers(-9, 9),
        st.text(max_size=9),
    )
    def test_no_message_of_a_page_breaks_it(self, action, number, text):
        session = TraySession(characters=[KIRA])
        message = {
            "do": action,
            "die": number,
            "dice": number,
            "item": number,
            "name": text,
            "texts": {"notation": text},
        }
        with suppress(dd.DiceError):
            session.receive(message)
        json.dumps(session.state())


class TestTargetNumber:
    def test_with_one_a_check_is_rolled_with_the_odds_of_its_success(self):
        session = TraySession("1d20 + 5 # jump")
        session.receive({"do": "roll", "texts": {"target_number": "15"}, "faces": "10"})
        assert (session.outcome.success, session.view.outcome["headline"]) == (True, "Success, 15 vs 15")
        assert "check: 1d20 + 5 >= 15 # jump" in session.view.directive
        # 10 to 20 on the die reach 15.
        assert session.odds.exactly().p("= true") == Fraction(11, 20)
        assert session.odds.fact == "success"
        assert session.state()["odds"]["choices"] == ["success", "left", "right"]
        assert session.roll([9]).value is False

    def test_without_one_it_is_a_roll_again(self):
        session = TraySession("1d20")
        session.set_values({"target_number": 15})
        session.roll([15])
        session.receive({"do": "roll", "texts": {"target_number": ""}, "faces": "3"})
        assert (session.outcome.total, session.odds.fact) == (3, "total")
        session.travel.recall(1)
        assert session.inputs.values["target_number"] == 15
        assert session.replay(2).value == 3
        session.travel.undo()  # the roll
        session.travel.undo()  # what the roll before it was recalled for
        assert session.outcome.value is True

    def test_wrong_ones_and_wrong_notations_are_named(self):
        session = TraySession("1d20 +")
        session.receive({"do": "set", "texts": {"target_number": "much"}})
        assert session.state()["errors"]["target_number"]["message"] == "'much' is not a whole number or 'none'"
        session.receive({"do": "set", "texts": {"target_number": "15", "notation": "1d20 + [Luck]"}})
        assert session.state()["errors"]["notation"]["message"] == "the actor has no 'Luck'"

    def test_a_file_brings_both_back(self, tmp_path):
        session, file = TraySession("1d20"), KeptRolls(tmp_path / "evening.json")
        session.roll()
        session.set_values({"target_number": 15})
        session.roll()
        file.update(session.entries)
        again = TraySession()
        again.resume(file.read(again.played_mechanics))
        assert list(again.history) == list(session.history)
        again.travel.recall(2)
        assert (again.notation, again.inputs.values["target_number"]) == ("1d20", 15)


def test_a_kept_roll_has_the_present_values_of_its_character_and_can_be_forgotten():
    session = TraySession("1d20 + [Attack]", characters=[Character("Kira", "Attack=6")])
    session.people.choose_character("Kira")
    session.keep("Sword")
    session.people.characters = [Character("Kira", "Attack=8")]
    assert session.favourites[0].actor == {"Attack": 8}
    session.forget(0)
    assert session.favourites == []
    session.travel.undo()
    assert [one.name for one in session.favourites] == ["Sword"]


def test_the_first_die_replaces_what_the_tray_starts_with_whatever_happened_before():
    tray, check = TraySession(seed=7), Session("dice/check", {"check": "1d20 >= 5"})
    Evening([check, tray])
    check.roll()
    tray.roll()
    tray.press(6)
    assert tray.notation == "1d6"
    tray = TraySession(seed=7)
    tray.press(20)
    tray.press(20)
    assert tray.notation == "2d20"
