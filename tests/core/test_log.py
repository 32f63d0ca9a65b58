"""The log of a session: what it says of each roll, its pinned rolls, and its formats."""

import csv
import io
import json
import re

import pytest

import dicedocs as dd
from dicedocs import ParameterError
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.kept_rolls import KeptRolls
from dicedocs.panel.view.log import SAVED, log_csv, log_examples, log_markdown, log_text

from ..every import every

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
        "who": "",
        "label": "Bolt",
        "action": "",
        "formula": "3d6",
        "faces": "4 2 5",
        "verdict": "Total 11",
        "tone": "",
        "seed": "61",
        "note": "",
        "struck": False,
        "effect": "",
        "before": "",
        "after": "",
        "refused": "",
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
    assert lines[2] == r"| 1 | 2026-11-22 21:04:07 |  | =1+1\|\<b\> |  |  | 3d6 | 4 2 5 | Total 11 | 61 |  |"
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


class TestDiceThrownByHand:
    def test_they_are_marked_and_their_code_has_the_faces(self):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61)
        session.receive({"do": "roll", "faces": "4, 2 5"})
        assert session.outcome.total == 11
        assert session.written_log("text") == "1. 3d6: 4 2 5. Total 11 (rolled by hand)"
        assert session.written_log("markdown").splitlines()[2].endswith("| 4 2 5 | Total 11 | by hand |  |")
        assert session.view.code.endswith("    dice=[4, 2, 5],\n)")
        assert ":dice: 4 2 5\n:expect: total=11" in session.view.directive
        assert ":seed:" not in session.view.directive
        assert session.history[0]["dice"] == [4, 2, 5]
        assert session.history[0]["seed"] is None
        state = session.state()
        assert (state["faces"], state["seed"], state["outcome"]["seed"]) == ("", "", "")
        # The next roll has dice of its own.
        session.receive({"do": "roll"})
        assert session.entries[1].seed is not None

    @every(
        ("faces", "message"),
        [
            ("4 x", "'x' is not a face; write the faces as numbers: 4 2 5"),
            ("4 2", "die 3 is a d6, and 2 faces are given; give a face for each die that is thrown"),
            ("4 2 7", "die 3 is a d6 and cannot show 7; give a face from 1 to 6"),
            ("4 2 5 1", "4 faces are given, and 3 thrown; give only the dice that are thrown: d6, d6, d6"),
        ],
    )
    def test_faces_that_do_not_fit_make_no_roll(self, faces, message):
        session = Session("methuen/expression", {"expression": "3d6"})
        session.receive({"do": "roll", "faces": faces})
        state = session.state()
        assert (session.entries, state["faces"], state["error"]) == ([], faces, None)
        assert state["faces_error"]["text"] == message
        session.receive({"do": "roll", "faces": "4 2 5"})
        assert (session.state()["faces_error"], session.outcome.total) == (None, 11)

    def test_from_python_they_are_those_of_one_roll(self):
        session = Session("methuen/expression", {"expression": "3d6"})
        assert session.roll([4, 2, 5]).value == 11
        with pytest.raises(ParameterError, match="cannot show 7"):
            session.roll("7 1 1")
        session.roll()
        assert [entry.seed is None for entry in session.entries] == [True, False]
        assert session.replay(1).value == 11
        assert session.log_rows()[2].action == "the same dice again"
        assert session.entries[2].seed is None


def test_the_examples_are_directives_with_the_notes_as_titles():
    session = rolled("Kira, Bolt", "b", "c")
    entries = [
        session.entries[0]._replace(note="Kira *jumps* the gap"),
        session.entries[1]._replace(struck=True),
        session.entries[2],
    ]
    examples = log_examples(entries).split("\n\n")
    assert [one.splitlines()[0] for one in examples] == [
        r"```{dice:example} Kira \*jumps\* the gap",
        "```{dice:example} c",
    ]
    assert examples[1] == session.written_log("examples").split("\n\n")[2]


def test_a_row_says_who_and_with_which_values():
    kira = Character("Kira", {"Advantage": 2})
    session = Session("total-effect/roll", {"effect": "low"}, characters=[kira])
    session.people.choose_character("Kira")
    session.label = "Kira, Bolt"
    session.roll([6, 1, 5, 2, 4])
    [row] = session.log_rows()
    assert (row.who, row.label, row.what, row.values) == (
        "Kira",
        "Bolt",
        "Total effect: roll",
        "Advantage 2, Effect low, Threshold 13",
    )
    struck = row._replace(struck=True, note="Bolt fizzles")
    assert log_text([struck]).startswith(
        "1. (struck out) Kira: Bolt: Total effect: roll (Advantage 2, Effect low, Threshold 13): 5d6: "
    )
    assert log_text([struck]).endswith("(rolled by hand). Bolt fizzles")
    assert "(struck out) | by hand | Bolt fizzles |" in log_markdown([struck]).replace("\\", "")
    assert log_csv([struck]).splitlines()[1].endswith(",,Bolt fizzles,true,,,,,")


class TestTable:
    """What a log says of the target, and of what was changed by hand."""

    @pytest.fixture
    def table(self):
        kira, orc = Character("Kira", "Attack=6"), Character("Orc", "Defense=12, HP=9 of 9")
        attack = Session("dice/check", {"check": "1d20 + 4 >= 12"}, characters=[kira, orc])
        attack.changes.then = "target.HP -= 5 * success"
        attack.people.choose_character("Kira", "actor")
        attack.people.choose_character("Orc", "target")
        table = Evening([attack, TraySession("1d6", characters=[orc])], scene=dd.Scene(vault="0 of 8"))
        table.set_value("Orc", "HP", 8)
        attack.roll([13])
        attack.apply()
        table.set_value("Orc", "HP", 7)
        table.set_value("", "vault", 2)
        attack.roll([12])
        attack.roll([3])
        # The effect of the second roll comes after the third, and is not done by hand.
        table.apply(2)
        return table

    def test_every_format_names_both(self, table):
        lines = table.written_log("text").splitlines()
        assert lines[0] == "Before: Orc HP 9 of 9 → 8 of 9"
        assert lines[1].startswith("1. Kira → Orc: 1d20 + 4 >= 12: 13. ")
        effect = "(rolled by hand). Orc HP 8 of 9 → 3 of 9"
        assert lines[1].endswith(f"{effect}; then Orc HP 3 of 9 → 7 of 9, vault 0 of 8 → 2 of 8")
        assert lines[2].endswith("(rolled by hand). Orc HP 7 of 9 → 2 of 9")
        assert lines[3].endswith("(rolled by hand)")
        rows = list(csv.DictReader(io.StringIO(table.written_log("csv"))))
        assert [(row["who"], row["target"], row["before"], row["after"]) for row in rows] == [
            ("Kira", "Orc", "Orc HP 9 of 9 → 8 of 9", "Orc HP 3 of 9 → 7 of 9, vault 0 of 8 → 2 of 8"),
            ("Kira", "Orc", "", ""),
            ("Kira", "Orc", "", ""),
        ]
        first = table.written_log("markdown").splitlines()[2]
        assert first.startswith("| 1 |  | Kira → Orc |  |  |  | ")
        assert "| Before: Orc HP 9 of 9 → 8 of 9; then Orc HP 3 of 9 → 7 of 9, vault 0 of 8 → 2 of 8 |" in first

    def test_a_page_shows_both(self, table):
        [last, _second, first] = table.log()
        assert (first["who"], first["before"]) == ("Kira → Orc", "Before: Orc HP 9 of 9 → 8 of 9")
        assert first["after"] == "then Orc HP 3 of 9 → 7 of 9, vault 0 of 8 → 2 of 8"
        assert (last["before"], last["after"]) == ("", "")
        table.reply()
        table.set_value("Orc", "HP", 1)
        assert table.reply()["history"][0]["after"] == "then Orc HP 2 of 9 → 1 of 9"
        assert table.sessions[1].log() == []

    def test_a_roll_for_nobody_in_particular_may_have_a_target(self, table):
        table.sessions[1].changes.then = "target.HP -= total"
        table.sessions[1].people.choose_character("Orc", "target")
        table.sessions[1].roll([2])
        assert table.log()[0]["who"] == "→ Orc"

    def test_the_target_outlasts_the_evening(self, table, tmp_path):
        kept = KeptRolls(tmp_path / "evening.json")
        kept.update(table.entries, table.beginning)
        session = table.sessions[0]
        assert [entry.target for entry in kept.read(session.played_mechanics)] == ["Orc"] * 3


class TestDirectives:
    """What a roll took from characters, and what it does to them, as a book refers to it."""

    PEOPLE = (Character("Old Mara", "Attack=6, Dex=3, Mood=calm"), Character("Orc", "Defense=12, HP=9 of 9"))

    def options(self, session):
        [block] = session.written_log("examples").split("\n\n")
        assert session.view.directive == block
        assert session.view.directive_rst.count(":then:") == block.count(":then:")
        return dict(line[1:].split(": ", 1) for line in block.splitlines()[1:-1])

    @every(
        ("actor", "target", "written"),
        [
            ({}, {}, {"actor": "old-mara", "target": "orc"}),
            ({"Attack": 9}, {}, {"actor": "old-mara, Attack=9", "target": "orc"}),
            ({"Luck": -1}, {"HP": 4}, {"actor": "old-mara, Luck=-1", "target": "orc, HP=4"}),
            ({"Dex": None}, {}, {"actor": "Attack=6", "target": "orc"}),
        ],
    )
    def test_characters_stand_by_name_and_what_was_typed_over_as_a_number(self, actor, target, written):
        session = Session("dice/check", {"check": "1d20 + [Attack] >= [Target Defense]"}, characters=self.PEOPLE)
        for one, slot, more in zip(self.PEOPLE, ("actor", "target"), (actor, target), strict=True):
            session.people.choose_character(one.name, slot)
            values = {**one, **more}
            session.set_values({slot: {name: value for name, value in values.items() if value is not None}})
        session.roll([8])
        options = self.options(session)
        assert {slot: options[slot] for slot in written} == written
        assert "then" not in options

    @every(
        ("then", "written"),
        [
            ("target.HP -= 5 * success", "orc.HP -= 5 * success"),
            ("actor.Dex += target.HP.full; target.HP=left-right", "old-mara.Dex += orc.HP.full; orc.HP = left-right"),
            ('target.HP -= 1; old-mara.Mood = "the actor.Mood"', 'orc.HP -= 1; old-mara.Mood = "the actor.Mood"'),
        ],
    )
    def test_what_a_roll_does_stands_there_with_names_for_roles(self, then, written):
        session = Session("dice/check", {"check": "1d20 + [Attack] >= [Target Defense]"}, characters=self.PEOPLE)
        session.changes.then = then
        session.people.choose_character("Old Mara", "actor")
        session.people.choose_character("Orc", "target")
        session.roll([8])
        assert self.options(session)["then"] == written
        session.apply()
        assert self.options(session)["then"] == written

    def test_a_change_for_all_panels_of_a_table_stands_there_only_where_it_can_be_made(self):
        session = Session("dice/check", {"check": "1d20 >= [Target Defense]"}, characters=self.PEOPLE)
        throw = TraySession("1d6", characters=self.PEOPLE)
        table = Evening([session, throw], then="target.HP -= 5 * success; target.HP -= total")
        session.people.choose_character("Orc", "target")
        session.roll([13])
        throw.people.choose_character("Orc", "target")
        throw.roll([2])
        assert re.findall(":then: (.*)", table.written_log("examples")) == ["orc.HP -= 5 * success", "orc.HP -= total"]

    def test_single_values_are_those_of_the_character_unless_they_were_typed(self):
        freya = Character("Freya", "Stat=4, Luck=2")
        session = Session("dungeoneers/action-roll", {"difficulty": 5, "exhausted": ""}, characters=[freya])
        session.people.choose_character("Freya")
        session.set_values({"pool": "4 4 1", "spend": "1"})
        session.roll()
        assert self.options(session)["stat"] == "freya.Stat"
        session.travel.undo()
        session.set_values({"stat": 3})
        session.roll()
        assert self.options(session)["stat"] == "3"

    @pytest.mark.parametrize(("name", "written"), [("None", "=none"), ("Nona", "nona")])
    def test_a_name_that_is_also_a_value_is_marked_as_a_reference(self, name, written):
        session = Session("dice/roll", {"notation": "[Dex]"}, characters=[Character(name, "Dex=3")])
        session.people.choose_character(name)
        session.roll()
        assert self.options(session)["actor"] == written

    def test_a_roll_without_a_note_or_a_name_is_titled_by_its_rule(self):
        session = Session("total-effect/roll", {"effect": "low"})
        session.roll([4, 2, 5])
        assert session.view.directive.startswith("```{dice:example} Total effect: roll\n")
        assert session.written_log("examples").startswith("```{dice:example} Total effect: roll\n")
