"""The log of a session: what it says of each roll, its pinned rolls, and its formats."""

import csv
import io
import json

import pytest

from dicedocs import ParameterError
from dicedocs.panel.log import SAVED
from dicedocs.panel.session import Session

AT = "2026-11-22T21:04:07"


def rolled(*labels, id="methuen/expression", **parameters):
    session = Session(id, parameters or {"expression": "3d6"}, seed=61, lock=True)
    for label in labels:
        session.receive({"do": "roll", "label": label, "time": AT})
    return session


def test_a_row_says_when_what_and_with_what_result():
    [row] = rolled("Bolt").log()
    assert row == {
        "roll": 1,
        "time": AT,
        "label": "Bolt",
        "action": "",
        "formula": "3d6",
        "faces": "4 2 5",
        "verdict": "Total 11",
        "tone": "",
        "seed": "61",
        "pinned": False,
    }


def test_a_roll_from_python_has_no_time():
    session = rolled()
    session.roll()
    assert session.log()[0]["time"] == ""


def test_dice_that_do_not_count_are_in_brackets():
    session = Session("total-effect/roll", {"advantage": 1, "effect": None})
    outcome = session.roll()
    shown = session.log()[0]["faces"].split()
    assert session.log()[0]["formula"] == "4d6"
    assert [int(face.strip("()")) for face in shown] == list(outcome.dice)
    assert [face for face in shown if face.startswith("(")] == [f"({min(outcome.dice)})"]


def test_pinned_rolls_stand_first():
    session = rolled("a", "b", "c")
    session.receive({"do": "pin-roll", "roll": 1})
    assert [(row["roll"], row["pinned"]) for row in session.log()] == [(1, True), (3, False), (2, False)]
    session.receive({"do": "pin-roll", "roll": 1})
    assert [row["roll"] for row in session.log()] == [3, 2, 1]
    with pytest.raises(ParameterError, match="there is no roll 9"):
        session.receive({"do": "pin-roll", "roll": 9})


def test_the_reply_has_the_history_only_when_it_has_changed():
    session = rolled("a")
    assert len(session.reply()["history"]) == 1
    assert session.reply() == {}
    session.receive({"do": "log", "format": "text"})
    assert session.reply() == {"log": "1. 21:04 a: 3d6: 4 2 5. Total 11 (seed 61)"}
    session.receive({"do": "pin-roll", "roll": 1})
    assert session.reply()["history"][0]["pinned"]


def test_text_of_players_stays_text_in_every_format():
    session = rolled("=1+1|<b>", '"Sera", Bolt')
    table = list(csv.DictReader(io.StringIO(session.written_log("csv"))))
    assert [row["label"] for row in table] == ["'=1+1|<b>", '"Sera", Bolt']
    assert [row["faces"] for row in table] == ["4 2 5"] * 2
    lines = session.written_log("markdown").splitlines()
    assert len(lines) == 4
    assert lines[2] == r"| 1 | 2026-11-22 21:04:07 | =1+1\|\<b\> |  | 3d6 | 4 2 5 | Total 11 | 61 |"
    with pytest.raises(ParameterError, match="'xml' is not a format of the log"):
        session.written_log("xml")


def test_what_is_saved_of_the_log_has_a_limit():
    session = rolled(*["A long label of a roll in the evening"] * 60)
    saved = session.state()["log"]
    assert len(saved) > 5
    assert len(json.dumps(saved)) <= SAVED + 2 * len(saved) + 2
    assert [row["roll"] for row in saved] == [60 - index for index in range(len(saved))]


def test_a_play_of_a_game_has_its_name():
    from dicedocs_widgets import panel

    player = panel("dungeoneers", stat=3, difficulty=5, seed=3)
    player.play("round")
    player.press(1)
    spent = player.state.faces[0]
    player.play("roll")
    rows = player.log("csv").splitlines()
    assert "Start player phase,5d6" in rows[1]
    assert f"Action roll,,{spent}," in rows[2]
