"""An evening as a widget: what it sends, keeps and saves."""

import csv
import json

import pytest

import dicedocs as dd
from dicedocs import ParameterError
from dicedocs_widgets import Character, evening, panel, roller, tray

from ..panel_stories import PIG
from .conftest import models, state_of

KIRA = Character("Kira", "Attack=6", {"Sword": "1d20 + [Attack]"})


@pytest.fixture
def seats():
    return panel("methuen/check", actor=KIRA), tray(KIRA), panel("dungeoneers", stat=3, difficulty=5)


def test_every_panel_writes_into_its_log(seats, page):
    made = evening(*seats)
    attack, dice, player = seats
    page(attack).send("roll")
    player.play("round")
    dice.roll_favourite("Sword")
    assert [row["who"] for row in page(made).send("history")["history"]] == ["Kira", "", "Kira"]
    assert [roll["mechanic"] for roll in made.history] == ["methuen/check", "dungeoneers/player-phase", "dice/roll"]
    assert (attack.rolls, player.rolls, dice.rolls) == (1, 2, 3)
    assert state_of(made)["outcome"]["roll"] == 3
    assert models()[made.model_id]["_seats"] == [f"IPY_MODEL_{one.model_id}" for one in seats]


def test_what_is_struck_or_undone_is_marked_in_the_data_of_the_evening(seats):
    made, dice = evening(*seats), seats[1]
    dice.notation = "1d6"
    for face in (1, 2, 3):
        dice.roll(dice=[face])
    made.strike(2)
    dice.roll(dice=[4])
    dice.undo()
    marks = [False, True, False, True]
    assert [roll.get("struck", False) for roll in made.history] == marks
    assert [roll.get("struck", False) for roll in json.loads(made.to_json())["rolls"]] == marks
    frame = made.to_pandas()
    assert (list(frame["struck"]), list(frame["total"])) == (marks, [1, 2, 3, 4])
    # What is undone in a panel is not in its history.
    assert list(dice.to_pandas()["struck"]) == marks[:3]


def test_the_data_frame_of_the_evening_says_who_did_what_to_whom(page):
    kira, orc = Character("Kira", "Attack=6"), Character("Orc", "Defense=12, HP=9 of 9")
    attack = panel("dice/check", actor=kira, target=orc, then="target.HP -= 5 * success")
    dice = tray(kira, orc, notation="1d4", then="target.HP -= total")
    made = evening(attack, dice)
    page(attack).send("roll", faces="8", time="2026-11-28T21:04:00")
    attack.apply()
    made.set_value("Orc", "HP", 6)
    made.note(1, "at the gate")
    attack.roll(dice=[2])
    made.strike(2)
    dice.roll(dice=[4])
    frame = made.to_pandas()
    assert frame["roll"].tolist() == [1, 2, 3]
    assert frame["refused"].tolist() == ["", "", "no target is chosen"]
    assert frame["time"].dt.hour.tolist()[0] == 21
    assert frame["time"].isna().tolist() == [False, True, True]
    columns = frame[:2][["who", "target", "faces", "note", "struck", "changes", "by_hand", "success"]]
    assert columns.values.tolist() == [
        ["Kira", "Orc", (8,), "at the gate", False, "Orc HP 9 of 9 → 4 of 9", "Orc HP 4 of 9 → 6 of 9", True],
        ["Kira", "Orc", (2,), "", True, "", "", False],
    ]


def test_the_faces_of_a_pool_that_were_spent_are_those_of_the_roll(seats):
    made, player = evening(*seats), seats[2]
    player.play("round", dice=[4, 3, 4, 1, 2])
    player.press(1)
    player.press(5)
    player.play("roll")
    seats[1].roll(dice=[9])
    frame = made.to_pandas()
    assert frame["faces"].tolist() == [(4, 3, 4, 1, 2), (4, 2), (9,)]
    rows = csv.DictReader(made.log("csv").splitlines())
    assert [row["faces"] for row in rows] == ["4 3 4 1 2", "4 2", "9"]


def test_dice_that_were_thrown_once_can_be_counted_once():
    orcs = [Character(name, "Defense=12") for name in ("Orc", "Elf")]
    attack = panel("dice/check", check="1d20 + 6 >= [Target Defense]", target=orcs)
    evening(attack)
    attack.roll_each(slot="target")
    attack.roll(dice=[3])
    frame = attack.to_pandas()
    assert frame["again"].tolist() == [False, True, False]
    # A seed is a number to roll again with, although the dice of one roll have none.
    assert [frame["seed"].tolist()[at] for at in (0, 1)] == [attack.history[0]["seed"]] * 2
    assert str(frame["seed"].dtype) == "Int64"


def test_a_roll_from_python_has_no_time_of_a_press_before(seats, page):
    made, dice = evening(*seats), seats[1]
    page(dice).send("roll", time="2026-11-28T21:04:00")
    dice.roll(dice=[1])
    assert [row["time"] for row in page(made).send("history")["history"]] == ["", "2026-11-28T21:04:00"]


def test_a_file_keeps_the_evening(seats, tmp_path):
    file = tmp_path / "evening.json"
    made = evening(*seats, log=file)
    seats[0].roll()
    seats[1].roll(dice=[7])
    seats[0].roll()
    seats[0].undo()
    made.note(2, "over the gap")
    made.strike(1)
    rolls = json.loads(file.read_text("utf-8"))["rolls"]
    assert [(roll["mechanic"], roll.get("note"), roll.get("struck")) for roll in rolls] == [
        ("methuen/check", None, True),
        ("dice/roll", "over the gap", None),
        ("methuen/check", None, True),
    ]
    again = evening(panel("methuen/check"), tray(), log=file)
    assert again.log() == made.log()
    assert repr(again).startswith("evening(panel('methuen/check'")


def test_the_pages_of_its_panels_know_of_the_file(seats, tmp_path):
    own = tray(log=tmp_path / "own.json")
    kept = evening(*seats, own, log=tmp_path / "evening.json")
    assert all(state_of(one)["kept"] for one in (kept, *seats, own))
    made = evening(*seats, own)
    assert ["kept" in state_of(one) for one in (made, *seats, own)] == [False] * 4 + [True]
    assert all(state_of(one)["seated"] for one in seats)


def test_a_panel_moves_to_the_next_table(seats):
    first = evening(*seats)
    second = evening(*seats)
    seats[1].roll()
    assert (len(first.history), len(second.history)) == (0, 1)


def test_only_panels_stand_at_a_table(seats):
    with pytest.raises(ParameterError, match="'dice/roll' is not a panel"):
        evening("dice/roll")
    with pytest.raises(ParameterError, match="is at the table twice"):
        evening(seats[0], seats[0])
    with pytest.raises(ParameterError, match="an evening needs panels"):
        evening()
    # A file that cannot be read leaves the panels alone.
    with pytest.raises(ParameterError, match="is not JSON"):
        evening(*seats, log=__file__)
    assert seats[1].roll().value > 0


def test_its_output_has_the_log(seats):
    made = evening(*seats)
    data, _ = made._repr_mimebundle_()
    assert "No roll yet." in data["text/plain"]
    roller("3d6")
    seats[1].roll(dice=[7])
    data, _ = made._repr_mimebundle_()
    assert data["text/plain"].endswith("Total 7")


def test_a_character_is_the_same_in_all_panels(page):
    kira = Character("Kira", "Attack=6, HP=18")
    attack, dice = panel("methuen/check", actor=kira), tray(kira)
    made = evening(attack, dice)
    dice.character = "Kira"
    attack.actor = {"Attack": 7, "HP": 18}
    assert (dict(made.characters[0]), dict(dice.actor)) == ({"Attack": 7, "HP": 18}, {"Attack": 7, "HP": 18})
    heard = []
    attack.observe(lambda change: heard.append(dict(change["new"])), "actor")
    page(made).send("set", texts={"0.HP": "12"})
    assert heard == [{"Attack": 7, "HP": 12}]
    assert state_of(dice)["tray"]["favourites"][0]["resources"] == [["Attack", 7, False], ["HP", 12, False]]
    made.set_value("Kira", "HP", 3)
    assert (attack.actor["HP"], state_of(made)["people"]) == (3, [["Kira", [["Attack", 7], ["HP", 3]]]])


def test_an_actor_without_a_value_for_any_field_acts_from_the_beginning():
    kira, orc = Character("Kira", "Attack=6, Stress=0 of 9"), Character("Orc", "Attack=4, Stress=1")
    action = panel("dungeoneers/action-roll", actor=kira, characters=[orc], then="actor.Stress += 1 + success")
    [slot] = state_of(action)["characters"]
    assert (slot["chosen"], action.character, action.characters) == (0, "Kira", (kira, orc))
    action.roll()
    assert action.log().startswith("1. Kira: ")
    damage = panel("dice/roll", notation="1d6")
    made = evening(action, damage)
    action.roll()
    assert "Kira: " in made.log()


def test_what_a_roll_does_is_checked_when_the_panel_is_made():
    orc = Character("Orc", "HP=9")
    with pytest.raises(ParameterError, match="called 'critical'"):
        panel("dice/check", target=orc, then="target.HP -= critical")
    dice = tray(orc, then="vault += total")
    with pytest.raises(ParameterError, match="nothing at the table is called 'vault', for the panel 'Dice tray'"):
        evening(dice)
    dice.then = ""
    assert "then" not in state_of(dice)


def test_each_of_many_rolls_and_has_a_turn():
    goblins = [Character(f"Goblin {number}", f"Dex={number}") for number in (1, 2, 3)]
    dice = tray(*goblins, notation="[Dex]")
    made = evening(dice)
    assert [outcome.value for outcome in dice.roll_each()] == [1, 2, 3]
    assert made.order == []
    dice.roll_each(["Goblin 1", "Goblin 3"], order=True)
    assert made.order == [("Goblin 3", 3), ("Goblin 1", 1)]
    made.next_turn()
    assert made.turn == "Goblin 3"


def test_a_scene_is_played_at_the_table(page):
    scene = dd.Scene(Character("Kira", "Stress=0 of 9"), vault=dd.Track(8))
    dice = tray(Character("Kira", "Stress=0 of 9"), then="vault += total")
    made = evening(dice, scene=scene)
    dice.roll(dice=[3])
    dice.apply()
    made.set_value("Kira", "Stress", 4)
    assert (scene["vault"].value, scene["kira"].Stress) == (3, 4)
    assert made.log("scene").startswith("# The evening\n")
    made.description = "The vault"
    # Copied on the page as in Python.
    for text in (made.log("scene"), page(made).send("log", format="scene")["log"]):
        assert text.startswith("# The vault\n")
        assert "```{dice:scene} The vault\n" in text
    with pytest.raises(ParameterError, match="'vault' is not a scene"):
        evening(dice, scene="vault")


def test_an_open_question_is_no_roll_of_the_file(tmp_path, page):
    file = tmp_path / "evening.json"
    made = [panel(PIG, seed=3), tray()]
    evening(*made, log=file)
    page(made[0]).send("roll")
    made[1].roll(dice=[7])
    again = [panel(PIG, seed=3), tray()]
    table = evening(*again, log=file)
    assert [row["mechanic"] for row in table.history] == ["dice/roll"]
    assert state_of(again[0])["outcome"] is None
    page(again[0]).send("roll")
    page(again[0]).send("answer", item=1)
    assert [row["mechanic"] for row in evening(panel(PIG), tray(), log=file).history] == ["dice/roll", "pig/turn"]
