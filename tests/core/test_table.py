"""A table: several sessions with one log, its notes, and rolls that are struck out."""

import csv
import io
import json

import pytest

import dicedocs as dd
from dicedocs import DiceError, ParameterError, roll
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.kept_rolls import KeptRolls
from dicedocs.rules.registry import mechanic
from dicedocs.scenes.scene import character_key
from dicedocs_widgets.panels.dungeoneers import PLAYER

from ..every import every

AT = "2026-11-22T21:04:07"
KIRA = Character("Kira", {"Attack": 6}, {"Sword": "1d20 + [Attack]"})


@pytest.fixture
def table():
    attack = Session("dice/check", {"check": "1d20 + [Attack] >= 15", "actor": KIRA.resources}, characters=[KIRA])
    return Evening([attack, TraySession("3d6", characters=[KIRA]), Session("total-effect/roll", {"effect": "low"})])


def press(table, seat, **message):
    table.sessions[seat].receive({"do": "roll", "time": AT, **message})


def evening(table):
    press(table, 0, faces="9")
    press(table, 1, faces="4 2 5")
    press(table, 2, faces="6 1 5")
    press(table, 0, faces="3")


def test_the_log_is_in_order_of_time_and_counted_through(table):
    evening(table)
    low = "Effect low, Threshold 13"
    assert table.written_log("text").splitlines() == [
        "1. 21:04 Kira: 1d20 + [Attack] >= 15: 9. Success, 15 vs 15 (rolled by hand)",
        "2. 21:04 3d6: 4 2 5. Total 11 (rolled by hand)",
        f"3. 21:04 Total effect: roll ({low}): 3d6: 6 1 5. Threshold missed, 12 vs 13 (rolled by hand)",
        "4. 21:04 Kira: 1d20 + [Attack] >= 15: 3. Failure, 9 vs 15 (rolled by hand)",
    ]
    # The panel says the same number.
    assert [entry.roll for entry in table.sessions[0].entries] == [1, 4]
    assert table.state()["outcome"]["sentence"].startswith("Roll 4. Kira: Failure, 9 vs 15")
    assert table.names == ["Dice: check", "Dice tray", "Total effect: roll"]


def test_an_undone_roll_is_struck_out_and_redo_brings_it_back(table):
    evening(table)
    attack = table.sessions[0]
    for do, expected in (("undo", [4]), ("undo", [3, 4]), ("redo", [4]), ("redo", []), ("undo", [4])):
        table.receive({"do": do})
        assert sorted(entry.roll for entry in table.entries if entry.struck) == sorted(expected)
        # What is shown, and has the note, is never what was just undone.
        assert table.state()["outcome"]["roll"] == 4 - len(expected)
        # What no panel shows any more is whole in the log.
        assert sorted(row["roll"] for row in table.log() if "formula" in row) == sorted(expected)
    press(table, 0, faces="20")
    assert [(entry.roll, entry.struck) for entry in table.entries][3:] == [(4, True), (5, False)]
    # What is cleared in a panel stays in the log of the table.
    press(table, 0, do="clear")
    assert attack.entries == []
    assert len(table.entries) == 5
    table.undo()
    assert [entry.roll for entry in attack.entries] == [1, 5]
    assert [entry.roll for entry in table.entries if entry.struck] == [4]


def test_a_roll_is_struck_out_with_a_trace_and_has_a_note(table):
    evening(table)
    table.receive({"do": "note", "roll": 1, "note": "Kira jumps the *gap*"})
    table.receive({"do": "strike", "roll": 2})
    lines = table.written_log("text").splitlines()
    assert lines[0].endswith("(rolled by hand). Kira jumps the *gap*")
    assert lines[1] == "2. 21:04 (struck out) 3d6: 4 2 5. Total 11 (rolled by hand)"
    rows = list(csv.DictReader(io.StringIO(table.written_log("csv"))))
    assert [(row["note"], row["struck"]) for row in rows[:2]] == [("Kira jumps the *gap*", ""), ("", "true")]
    examples = table.written_log("examples")
    assert examples.startswith("```{dice:example} Kira jumps the \\*gap\\*\n:mechanic: dice/check\n")
    assert examples.count("{dice:example}") == 3
    assert table.log()[2]["struck"]
    table.receive({"do": "strike", "roll": 2})
    table.receive({"do": "note", "roll": 1, "note": ""})
    assert not any(entry.struck or entry.note for entry in table.entries)
    # The panel's own history is left alone.
    assert table.sessions[1].entries[0].outcome.value == 11


def test_the_roll_that_is_shown_can_be_chosen_until_the_next_one(table):
    evening(table)
    table.receive({"do": "recall", "roll": 2})
    state = table.state()
    assert (state["outcome"]["roll"], state["code"]) == (2, 'import dicedocs as dd\n\ndd.roll("3d6", dice=[4, 2, 5])')
    table.note(2, "for nothing")
    assert table.state()["note"] == "for nothing"
    press(table, 1, faces="1 1 1")
    assert table.state()["outcome"]["roll"] == 5


@every(
    ("message", "error"),
    [
        ({"do": "note", "roll": 9, "note": "x"}, "there is no roll 9"),
        ({"do": "strike", "roll": 9}, "there is no roll 9"),
        ({"do": "log", "format": "xml"}, "'xml' is not a format of the log"),
        ({"do": "roll"}, "'roll' is not an action here"),
    ],
)
def test_what_does_not_exist_is_refused(table, message, error):
    with pytest.raises(ParameterError, match=error):
        table.receive(message)
    with pytest.raises(ParameterError, match="an evening needs panels"):
        Evening([])


def test_rolls_from_before_the_table_are_not_in_its_log():
    session = Session("dice/roll", {"notation": "3d6"})
    session.roll()
    table = Evening([session])
    session.travel.undo()
    assert (table.entries, [entry.roll for entry in session.entries]) == ([], [1])
    session.roll()
    assert [entry.roll for entry in table.entries] == [2]


def test_a_file_keeps_notes_and_strikes(table, tmp_path):
    file = KeptRolls(tmp_path / "evening.json")
    evening(table)
    file.update(table.entries)
    table.note(1, "Kira jumps the gap")
    table.strike(2)
    file.update(table.entries)
    mechanics = {id: mechanic(id) for id in ("dice/check", "dice/roll", "total-effect/roll")}
    again = Evening([Session("dice/roll")])
    again.resume(KeptRolls(file.path).read(mechanics))
    assert again.written_log("text") == table.written_log("text")
    assert again.state()["outcome"] == table.state()["outcome"]
    again.sessions[0].roll()
    assert [entry.roll for entry in again.entries] == [1, 2, 3, 4, 5]


class TestCharacters:
    KIRA = Character("Kira", "Attack=6, HP=18, Gear=rope")
    ORC = Character("Orc", "Defense=12, HP=9")

    @pytest.fixture
    def table(self):
        check = {"check": "1d20 + [Attack] >= [Target Defense]"}
        attack = Session("methuen/check", check, characters=[self.KIRA, self.ORC])
        attack.people.choose_character("Kira", "actor")
        attack.people.choose_character("Orc", "target")
        table = Evening([attack, TraySession("1d20", characters=[Character("Orc", "HP=1"), self.KIRA])])
        table.sessions[1].people.choose_character("Kira")
        return table

    def rows(self, table, seat, slot):
        return {row["name"]: row["value"] for row in table.sessions[seat].state()["parts"][slot]}

    def edit(self, table, slot, **values):
        parts = [{"name": name, "value": value} for name, value in values.items()]
        press(table, 0, do="set", parts={slot: parts})

    def test_the_first_panel_says_what_they_have(self, table):
        assert dict(table.characters["Orc"]) == {"Defense": 12, "HP": 9}
        assert table.sessions[1].people.characters[0] is table.characters["Orc"]
        assert table.state()["people"][0] == ["Kira", [("Attack", 6), ("HP", 18)]]

    def test_a_value_edited_in_a_panel_is_so_in_all(self, table):
        self.edit(table, "actor", Attack="7", HP="18")
        assert table.characters["Kira"].sheet == {"Attack": "7", "HP": "18", "Gear": "rope"}
        tray = table.sessions[1]
        assert (tray.people.played_name, tray.inputs.values["actor"]["Attack"]) == ("Kira", 7)
        assert table.sessions[0].people.played_name == "Kira"
        # A character that is chosen is not edited.
        press(table, 0, do="character", name="actor", item=1)
        assert table.characters["Kira"]["Attack"] == 7
        assert table.sessions[0].people.played_name == "Orc"

    def test_what_is_half_typed_changes_nothing(self, table):
        self.edit(table, "actor", Attack="x", HP="18")
        assert table.characters["Kira"] == self.KIRA
        self.edit(table, "actor", Attack="8", HP="18")
        assert table.characters["Kira"]["Attack"] == 8

    def test_characters_that_are_set_in_a_panel_reach_every_form(self, table):
        attack, damage = table.sessions[:2]
        damage.people.characters = [Character("Orc", "Defense=12, HP=5"), Character("Rat", "HP=2")]
        assert self.rows(table, 0, "target") == {"Defense": "12", "HP": "5"}
        assert [list(table.characters), [one.name for one in damage.people.characters]] == [
            ["Kira", "Orc", "Rat"],
            ["Orc", "Rat"],
        ]
        assert attack.people.played_name == "Kira"

    def test_plus_and_minus_at_the_table_reach_every_form(self, table):
        table.receive({"do": "set", "texts": {"1.HP": "4"}})
        assert self.rows(table, 0, "target") == {"Defense": "12", "HP": "4"}
        assert table.sessions[1].people.characters[0]["HP"] == 4
        with pytest.raises(ParameterError, match="there is no character '7'"):
            table.receive({"do": "set", "texts": {"7.HP": "4"}})
        with pytest.raises(ParameterError, match="'Orc' has no 'Luck'"):
            table.receive({"do": "set", "texts": {"1.Luck": "4"}})
        with pytest.raises(ParameterError, match="'much' is not a whole number"):
            table.set_value("Orc", "HP", "much")
        assert table.characters["Orc"]["HP"] == 4

    def test_undo_takes_back_a_value_in_every_form(self, table):
        self.edit(table, "actor", Attack="7", HP="18")
        table.set_value("Kira", "HP", 5)
        for hp, attack in ((18, 7), (18, 6)):
            table.undo()
            assert dict(table.characters["Kira"]) == {"Attack": attack, "HP": hp}
            assert self.rows(table, 0, "actor") == {"Attack": str(attack), "HP": str(hp)}
            assert table.sessions[1].inputs.values["actor"]["Attack"] == attack
        table.redo()
        table.redo()
        assert dict(table.characters["Kira"]) == {"Attack": 7, "HP": 5}
        assert table.sessions[0].people.played_name == "Kira"

    def test_an_earlier_roll_brings_back_no_earlier_values_of_a_character(self, table):
        press(table, 0)
        press(table, 0, do="character", name="actor", item=1)
        table.set_value("Orc", "HP", 4)
        table.set_value("Kira", "Attack", 8)
        press(table, 0, do="recall", roll=1)
        assert (table.sessions[0].people.played_name, self.rows(table, 0, "actor")["Attack"]) == ("Kira", "8")
        assert self.rows(table, 0, "target")["HP"] == "4"
        press(table, 0)
        assert table.entries[1].who == "Kira"

    def test_both_slots_of_one_character_change_together(self, table):
        press(table, 0, do="character", name="target", item=0)
        self.edit(table, "actor", Attack="6", HP="3")
        assert self.rows(table, 0, "target") == {"Attack": "6", "HP": "3"}

    def test_a_row_that_is_added_or_removed_is_so_for_the_character(self, table):
        self.edit(table, "actor", Attack="6", HP="18", Luck="2")
        assert table.characters["Kira"].sheet == {"Attack": "6", "HP": "18", "Gear": "rope", "Luck": "2"}
        self.edit(table, "actor", Luck="2")
        assert table.characters["Kira"].sheet == {"Gear": "rope", "Luck": "2"}

    def test_fields_with_the_names_of_values_are_live_too(self):
        freya = Character("Freya", "Stat=4, Luck=2")
        table = Evening([Session("dungeoneers/action-roll", characters=[freya]) for _ in range(2)])
        for session in table.sessions:
            session.people.choose_character("Freya")
        press(table, 0, do="set", texts={"stat": "3"})
        assert dict(table.characters["Freya"]) == {"Stat": 3, "Luck": 2}
        assert table.sessions[1].inputs.values["stat"] == 3

    def test_alone_a_panel_leaves_its_characters_as_they_are(self):
        session = Session("methuen/check", characters=[self.KIRA])
        session.people.choose_character("Kira")
        session.receive({"do": "set", "parts": {"actor": [{"name": "Attack", "value": "9"}]}})
        assert session.people.characters == (self.KIRA,)


class TestSeveral:
    @pytest.fixture
    def table(self):
        people = [Character("Kira", "Dex=3"), *(Character(f"Goblin {number}", "Dex=1") for number in range(1, 7))]
        session = TraySession("1d20 + [Dex]", characters=people)
        session.people.choose_character("Kira")
        return Evening([session, Session("dice/roll", {"notation": "1d6"})])

    def test_one_press_rolls_for_each(self, table):
        press(table, 0, do="roll-each", items=[1, 2, 3, 4, 5, 6])
        assert [entry.who for entry in table.entries] == [f"Goblin {number}" for number in range(1, 7)]
        assert [entry.outcome.rule.actor for entry in table.entries] == [{"Dex": 1}] * 6
        assert len({entry.seed for entry in table.entries}) > 1
        session = table.sessions[0]
        assert (session.people.played_name, session.outcome) == ("Kira", session.entries[-1].outcome)
        assert table.turns.order() == []

    def test_one_press_is_one_step(self, table):
        session = table.sessions[0]
        press(table, 1)
        for _ in range(2):
            press(table, 0, do="roll-each", items=[1, 2, 3], name="order")
        rolls = table.entries
        table.undo()
        assert [entry.struck for entry in table.entries] == [False] * 4 + [True] * 3
        assert [(turn.name, turn.roll) for turn in table.turns.order()] == [
            (rolls[at].who, at + 1) for at in sorted((1, 2, 3), key=lambda at: -rolls[at].outcome.value)
        ]
        table.undo()
        assert ([entry.struck for entry in table.entries], table.turns.order()) == ([False] + [True] * 6, [])
        assert (session.entries, session.people.played_name) == ([], "Kira")
        table.redo()
        table.redo()
        assert table.entries == rolls

    @pytest.mark.parametrize("items", [[7], [0, -1]])
    def test_unknown_ones_are_refused(self, table, items):
        with pytest.raises(ParameterError, match="there is no character"):
            press(table, 0, do="roll-each", items=items)
        with pytest.raises(DiceError, match="are those of one roll"):
            press(table, 0, do="roll-each", items=[1, 2], faces="4")

    def test_nobody_is_refused(self, table):
        for name in ("", "order", "target"):
            with pytest.raises(DiceError, match="nobody is chosen; choose at least one character"):
                press(table, 0, do="roll-each", items=[], name=name)
        assert (table.entries, table.seat.store.can_undo) == ([], False)

    def test_who_lacks_a_value_is_left_out_and_named(self, table):
        session = table.sessions[0]
        session.people.characters = [*session.people.characters, Character("Crate", "HP=5"), Character("Door", "HP=9")]
        assert session.state()["characters"][0]["able"] == [True] * 7 + [False] * 2
        with pytest.raises(DiceError, match="Kira and Goblin 1 rolled; Crate and Door did not: the actor has no 'Dex'"):
            press(table, 0, do="roll-each", items=[0, 7, 1, 8])
        assert [entry.who for entry in table.entries] == ["Kira", "Goblin 1"]
        assert session.state()["failed"] == ""
        assert len(session.roll_each()) == 7
        with pytest.raises(DiceError, match="has no 'Dex'"):
            session.roll_each(["Crate"])
        assert "Dex" in session.state()["failed"]

    def test_one_attack_on_several_throws_its_dice_once(self):
        goblins = [Character(f"Goblin {number}", f"Defense={10 + number}, HP=7 of 7") for number in range(3)]
        attack = Session("dice/check", {"check": "1d20 >= [Target Defense]"}, characters=goblins, seed=5)
        attack.changes.then = "target.HP -= 5 * success"
        table = Evening([attack])
        for more in ({}, {"faces": "11"}):
            press(table, 0, do="roll-each", items=[0, 1, 2], name="target", **more)
        rolled = [(one.target, one.outcome.dice, one.again) for one in table.entries]
        first = table.entries[0].outcome.dice
        assert rolled[:3] == [("Goblin 0", first, False), ("Goblin 1", first, True), ("Goblin 2", first, True)]
        assert [one.outcome.value for one in table.entries[3:]] == [True, True, False]
        assert attack.state()["characters"][1]["group"] == [True] * 3

    def order(self, table, totals):
        """Let each of the characters roll for the order of turns, and come to a total."""
        session = table.sessions[0]
        for name, total in totals.items():
            session.seed = next(seed for seed in range(500) if self.total(session, name, seed) == total)
            session.roll_each([name], order=True)

    def total(self, session, name, seed):
        dex = next(one["Dex"] for one in session.people.characters if one.name == name)
        return roll("1d20 + [Dex]", {"Dex": dex}, seed=seed).value

    def test_the_order_of_turns_has_the_highest_first_and_latecomers_join(self, table):
        self.order(table, {"Kira": 9, "Goblin 1": 12, "Goblin 2": 9})
        assert [(one.name, one.number) for one in table.turns.order()] == [
            ("Goblin 1", 12),
            ("Kira", 9),
            ("Goblin 2", 9),
        ]
        press(table, 1)
        self.order(table, {"Goblin 3": 10})
        assert [one.name for one in table.turns.order()] == ["Goblin 1", "Goblin 3", "Kira", "Goblin 2"]
        # Whoever rolls again begins another order.
        self.order(table, {"Kira": 20})
        assert [one.name for one in table.turns.order()] == ["Kira"]

    def test_turns_go_round(self, table):
        self.order(table, {"Kira": 9, "Goblin 1": 12, "Goblin 2": 5})
        shown = []
        for _ in range(4):
            table.receive({"do": "next-turn"})
            state = table.state()["order"]
            shown.append((state["round"], [name for name, _number, now in state["turns"] if now]))
        assert shown == [(1, ["Goblin 1"]), (1, ["Kira"]), (1, ["Goblin 2"]), (2, ["Goblin 1"])]
        # Whoever is struck out has no turn any more.
        table.strike(table.turns.order()[1].roll)
        assert [name for name, _number, _now in table.state()["order"]["turns"]] == ["Goblin 1", "Goblin 2"]

    def test_a_file_keeps_the_order(self, table, tmp_path):
        file = KeptRolls(tmp_path / "evening.json")
        self.order(table, {"Kira": 9, "Goblin 1": 12})
        table.turns.add_turn("Dragon", 10)
        file.update(table.entries, table.beginning, table.left())
        # Who is not there any more has no turn.
        again = Evening([TraySession(characters=[Character("Kira", "Dex=2")])])
        kept = KeptRolls(file.path)
        again.resume(kept.read(again.sessions[0].played_mechanics), kept.read_beginning(), kept.read_left())
        assert [one.name for one in again.turns.order()] == ["Dragon", "Kira"]

    def test_turns_are_added_removed_and_moved(self, table):
        def order():
            return [(name, number, now) for name, number, now in table.state()["order"]["turns"]]

        self.order(table, {"Kira": 9, "Goblin 1": 12, "Goblin 2": 5})
        table.receive({"do": "add-turn", "name": "Bridge falls"})
        table.receive({"do": "add-turn", "name": "Dragon", "number": "10"})
        assert [name for name, *_more in order()] == ["Goblin 1", "Dragon", "Kira", "Goblin 2", "Bridge falls"]
        table.receive({"do": "move-turn", "name": "Bridge falls", "dice": -3})
        table.turns.next_turn()
        table.turns.next_turn()
        assert order()[:2] == [("Goblin 1", "12", False), ("Bridge falls", "", True)]
        table.receive({"do": "remove-turn", "name": "Bridge falls"})
        assert order()[:2] == [("Goblin 1", "12", False), ("Dragon", "10", True)]
        table.undo()
        assert table.turns.turn == "Bridge falls"
        with pytest.raises(ParameterError, match="'Kira' has a turn already"):
            table.turns.add_turn("Kira")
        # Striking out whoever has the turn loses no round.
        table.turns.move_turn("Kira", -9)
        for _ in range(3):
            table.turns.next_turn()
        assert (table.turns.turn, table.turns.round) == ("Kira", 2)
        table.strike(1)
        table.turns.next_turn()
        assert (table.turns.turn, table.turns.round) == ("Goblin 1", 2)

    def test_without_an_order_nobody_has_a_turn(self, table):
        table.turns.next_turn()
        assert (table.turns.turn, table.turns.round, table.state()["order"]) == ("", 0, {"round": 0, "turns": []})


class TestScene:
    @pytest.fixture
    def scene(self):
        return dd.Scene(Character("Kira", "Attack=6, Stress=2 of 9"), vault=dd.Track(8), heat=dd.Track())

    @pytest.fixture
    def table(self, scene):
        kira = Character("Kira", "Attack=6, Stress=0 of 9")
        session = TraySession("1d6", characters=[kira, Character("Orc", "HP=9")])
        session.changes.then = "vault += total; kira.Stress += vault.full; heat = vault"
        session.people.choose_character("Kira")
        return Evening([session, Session("dice/roll", {"notation": "1d6"}, characters=[kira])], scene=scene)

    def test_its_characters_and_tracks_are_those_of_the_table(self, table):
        assert table.characters["Kira"].sheet["Stress"] == "2 of 9"
        assert [session.people.characters[0]["Stress"] for session in table.sessions] == [2, 2]
        assert table.state()["people"] == [
            ["Kira", [("Attack", 6), ("Stress", 2)]],
            ["Orc", [("HP", 9)]],
            ["Tracks", [("vault", 0), ("heat", 0)]],
        ]

    def test_a_roll_moves_them_in_the_scene_too(self, table, scene):
        press(table, 0, faces="5")
        assert table.sessions[0].state()["then"]["text"] == "vault 0 of 8 → 5 of 8, heat 0 → 5"
        press(table, 0, do="apply")
        assert (str(scene["vault"]), scene["heat"].value) == ("5 of 8", 5)
        press(table, 0, faces="6")
        press(table, 0, do="apply")
        assert (scene["vault"].full, scene["kira"].Stress, table.characters["Kira"]["Stress"]) == (True, 3, 3)
        table.undo()
        assert (str(scene["vault"]), scene["kira"].Stress, table.tracks["heat"]) == ("5 of 8", 2, 5)
        table.receive({"do": "set", "texts": {"2.vault": "7"}})
        table.receive({"do": "set", "texts": {"0.Stress": "4"}})
        assert (str(scene["vault"]), scene["kira"].Stress) == ("7 of 8", 4)

    def test_the_scene_is_written_with_its_tracks(self, table):
        press(table, 0, faces="5")
        press(table, 0, do="apply")
        table.set_value("", "heat", 1)
        lines = table.scene().splitlines()
        assert ":tracks: vault 0 of 8, heat 0" in lines
        assert ":then: vault += total; kira.Stress += vault.full; heat = vault" in lines
        assert "```{dice:change} heat -= 4" in lines

    @pytest.mark.parametrize(
        ("then", "message"), [("alarm += 1", "nothing at the table is called 'alarm'"), ("kira.Luck += 1", "Luck")]
    )
    def test_what_is_not_there_is_named(self, table, then, message):
        with pytest.raises(ParameterError, match=message):
            table.sessions[0].changes.then = then
        with pytest.raises(ParameterError, match="has no 'alarm'"):
            table.set_value("", "alarm", 1)


def test_a_value_beyond_its_bounds_stops_in_the_form_too():
    kira = Character("Kira", "Stress=2 of 9")
    session = Session("methuen/check", {"actor": kira.resources}, characters=[kira])
    table = Evening([session])
    press(table, 0, do="set", parts={"actor": [{"name": "Stress", "value": "12"}]})
    assert (table.characters["Kira"].sheet, session.inputs.texts["actor"]) == ({"Stress": "9 of 9"}, "Stress=9")


def rows(**values):
    return [{"name": name, "value": value} for name, value in values.items()]


class TestUndo:
    """Everything that is done at a table is one step, in order of time; each test goes back and forth through them."""

    ORC = Character("Orc", "Defense=12, HP=9 of 9")

    @pytest.fixture
    def table(self):
        attack = Session("dice/check", {"check": "1d20 >= 12", "target": self.ORC.resources}, characters=[self.ORC])
        attack.changes.then = "target.HP -= 5 * success"
        return Evening([attack, TraySession("3d6", characters=[self.ORC])], scene=dd.Scene(vault=dd.Track(8)))

    def seen(self, table):
        """Return what a player sees of the rolls, the values, the turn and the number of dice in the tray."""
        rolls = [(entry.roll, entry.note, entry.struck, entry.effect != "") for entry in table.entries]
        values = table.characters["Orc"]["HP"], table.tracks["vault"], table.sessions[0].inputs.values["target"]["HP"]
        return rolls, values, table.turns.turn, table.sessions[1].notation

    def test_every_step_goes_back_and_forth_in_order_of_time(self, table):
        steps = [
            lambda: press(table, 0, faces="15"),
            lambda: press(table, 0, do="apply"),
            lambda: table.receive({"do": "note", "roll": 1, "note": "a hit"}),
            lambda: table.receive({"do": "set", "texts": {"0.HP": "3"}}),
            lambda: table.receive({"do": "set", "texts": {"0.HP": "2"}}),
            lambda: press(table, 1, do="set", texts={"notation": "2d6"}),
            lambda: table.receive({"do": "set", "texts": {"1.vault": "3"}}),
            lambda: press(table, 1, faces="4 4"),
            lambda: table.receive({"do": "strike", "roll": 1}),
            lambda: press(table, 0, do="set", parts={"target": rows(Defense="12", HP="7")}),
        ]
        states = [self.seen(table)]
        for step in steps:
            step()
            states.append(self.seen(table))
        assert [state[1][0] for state in states] == [9, 9, 4, 4, 3, 2, 2, 2, 2, 2, 7]
        for _ in range(2):
            for state in reversed(states[:-1]):
                assert table.state()["can"]["undo"]
                table.receive({"do": "undo"})
                # A roll that is undone stays in the log, struck out.
                rolls = self.seen(table)[0]
                assert rolls[: len(state[0])] == state[0]
                assert all(struck for _roll, _note, struck, _effect in rolls[len(state[0]) :])
                assert self.seen(table)[1:] == state[1:]
            assert table.state()["can"] == {"undo": False, "redo": True}
            for state in states[1:]:
                table.receive({"do": "redo"})
                assert self.seen(table)[1:] == state[1:]
            assert self.seen(table) == states[-1]
        assert table.state()["can"] == {"undo": True, "redo": False}
        # What a book is told leads from the first value to the last.
        now = {"orc.HP": "9 of 9", "vault": "0 of 8"}
        for one in (
            *table.seat.store.state.before,
            *(one for entry in table.entries for one in (*entry.made, *entry.later)),
        ):
            assert now[one.name] == one.before
            now[one.name] = one.after
        assert now == {"orc.HP": "7 of 9", "vault": "3 of 8"}

    def test_a_panel_undoes_only_what_was_done_in_it(self, table):
        press(table, 0, faces="15")
        press(table, 1, faces="1 1 1")
        for session in table.sessions:
            assert session.state()["can"]["undo"]
        with pytest.raises(DiceError, match="that was not done in this panel; undo and redo it at the table"):
            table.sessions[0].travel.undo()
        table.sessions[1].travel.undo()
        table.sessions[0].travel.undo()
        assert [entry.struck for entry in table.entries] == [True, True]
        with pytest.raises(DiceError, match="not done in this panel"):
            table.sessions[1].travel.redo()
        table.sessions[0].travel.redo()
        assert [entry.struck for entry in table.entries] == [False, True]

    def test_a_roll_that_was_undone_can_be_noted_and_brought_back(self, table):
        press(table, 0, faces="15")
        table.undo()
        table.note(1, "it counts after all")
        table.strike(1, struck=False)
        assert [(entry.note, entry.struck) for entry in table.entries] == [("it counts after all", False)]
        assert not table.state()["can"]["redo"]
        press(table, 1, faces="1 1 1")
        assert [entry.roll for entry in table.entries] == [1, 2]

    def test_a_value_typed_just_before_undo_is_what_is_undone(self, table):
        table.set_value("Orc", "HP", 5)
        table.receive({"do": "undo", "texts": {"1.vault": "3"}})
        assert (table.characters["Orc"]["HP"], table.tracks["vault"]) == (5, 0)

    def test_what_a_roll_does_not_read_stays_by_name_in_the_book_after_a_correction(self):
        orc = Character("Orc", "Defense=12, HP=9 of 9")
        attack = Session("dice/check", {"check": "1d20 + 6 >= [Target Defense]"}, characters=[orc])
        attack.changes.then = "target.HP -= 5 * success"
        table = Evening([attack])
        attack.people.choose_character("Orc", "target")
        for face in (15, 16):
            attack.roll([face])
            attack.apply()
        table.correct(1, [2])
        assert table.scene().count(":target: orc\n") == 2
        assert [one.outcome.rule.target["HP"] for one in table.entries] == [9, 9]

    def test_a_corrected_roll_and_what_followed_are_applied_again(self):
        orc, elf = Character("Orc", "Defense=12, HP=9 of 9"), Character("Elf", "Defense=30, HP=8 of 8")
        attack = Session("dice/check", {"check": "1d20 + 6 >= [Target Defense]"}, characters=[orc, elf])
        attack.changes.then = "target.HP -= 5 * success"
        reader = Session("dice/roll", {"notation": "1d6 + [Target HP]"}, characters=[orc, elf])
        table = Evening([attack, reader])
        attack.people.choose_character("Orc", "target")
        reader.people.choose_character("Orc", "target")
        for face in (15, 16):
            attack.roll([face])
            attack.apply()
        table.set_value("Orc", "HP", 2)
        reader.roll([3])
        # A miss: the second hit is the first then, and the two that were added by hand are added to what is left.
        table.receive({"do": "correct", "roll": 1, "faces": "2"})
        assert table.characters["Orc"].sheet["HP"] == "6 of 9"
        assert [(one.outcome.value, one.effect) for one in table.entries] == [
            (False, ""),
            (True, "Orc HP 9 of 9 → 4 of 9"),
            (5, ""),
        ]
        assert table.state()["named"] == "Roll 3 was made with another value, and stays as it is: Orc HP 2 → 6"
        assert table.state()["outcome"]["roll"] == 1
        table.undo()
        assert (table.characters["Orc"].sheet["HP"], table.entries[0].outcome.value) == ("2 of 9", True)
        # Aimed at the elf it misses too, and the elf is unharmed; what was made a miss can be made a hit again.
        table.correct(1, target="Elf")
        assert [one.sheet["HP"] for one in table.characters.values()] == ["6 of 9", "8 of 8"]
        assert (table.entries[0].target, table.entries[0].refers["target"]) == ("Elf", "elf")
        table.correct(2, [1])
        table.correct(2, [20])
        assert (table.characters["Orc"].sheet["HP"], table.entries[1].pending) == ("9 of 9", True)
        with pytest.raises(DiceError, match="face"):
            table.correct(2, [1, 2])
        # The log leads from the beginning to the present values.
        values = {f"{character_key(name)}.HP": sheet["HP"] for name, sheet in table.beginning.cast.items()}
        for change in (one for entry in table.entries for one in (*entry.made, *entry.later)):
            assert values[change.name] == change.before
            values[change.name] = change.after
        assert values == {f"{character_key(name)}.HP": one.sheet["HP"] for name, one in table.characters.items()}

    def test_turns_go_back_too(self, table):
        session = table.sessions[1]
        session.roll_each(["Orc"], order=True)
        table.turns.next_turn()
        table.turns.next_turn()
        table.undo()
        assert (table.turns.turn, table.turns.round) == ("Orc", 1)
        table.undo()
        assert (table.turns.turn, table.turns.round) == ("", 0)


class TestTheNextDay:
    def table(self, path, *, defense="12", hp="9 of 9"):
        """Return the table of a cell, which is run again with a new kernel, and its scene."""
        kira, orc = Character("Kira", "Attack=6, Mood=calm"), Character("Orc", f"Defense={defense}, HP={hp}")
        attack = Session("dice/check", {"check": "1d20 + 6 >= 12", "target": orc.resources}, characters=[orc])
        attack.changes.then = "target.HP -= 5 * success"
        scene = dd.Scene(kira, vault=dd.Track(8))
        table = Evening([attack, TraySession("1d20", characters=[kira, orc])], scene=scene)
        file = KeptRolls(path)
        mechanics = {id: mechanic(id) for id in ("dice/check", "dice/roll")}
        table.resume(file.read(mechanics), file.read_beginning(), file.read_left())
        return table, scene, file

    def test_everything_is_as_it_was(self, tmp_path):
        path = tmp_path / "evening.json"
        table, _scene, file = self.table(path)
        table.set_value("", "vault", 2)
        table.set_value("Kira", "Mood", "grim")
        press(table, 0, faces="15")
        press(table, 0, do="apply")
        table.note(1, "a hit")
        table.set_value("Orc", "HP", 3)
        press(table, 1, do="roll-each", items=[0, 1], name="order")
        table.turns.next_turn()
        table.set_value("", "vault", 5)
        table.strike(1)
        file.update(table.entries, table.beginning, table.left())
        for _ in range(2):
            again, scene, file = self.table(path)
            file.update(again.entries, again.beginning, again.left())
            for name in ("text", "csv", "scene"):
                assert again.written_log(name) == table.written_log(name)
            state, before = again.state(), table.state()
            assert [state[name] for name in ("people", "order", "outcome")] == [
                before[name] for name in ("people", "order", "outcome")
            ]
            assert (again.characters["Orc"].sheet["HP"], again.characters["Kira"].Mood) == ("3 of 9", "grim")
            assert (str(scene["vault"]), scene["kira"].Mood) == ("5 of 8", "grim")
            assert again.sessions[0].inputs.values["target"]["HP"] == 3
        # A value that is written otherwise in the cell counts from then on.
        levelled, scene, _file = self.table(path, defense="14")
        assert levelled.characters["Orc"].sheet == {"Defense": "14", "HP": "3 of 9"}
        assert "orc.Defense += 2" in levelled.scene()

    def test_a_maximum_that_was_raised_overnight_holds_in_the_whole_scene(self, tmp_path):
        path = tmp_path / "evening.json"
        table, _scene, file = self.table(path)
        press(table, 0, faces="15")
        press(table, 0, do="apply")
        file.update(table.entries, table.beginning, table.left())
        # Else the book would stop at 9.
        again, _scene, _file = self.table(path, hp="14 of 14")
        press(again, 0, faces="15")
        press(again, 0, do="apply")
        assert again.characters["Orc"].sheet["HP"] == "9 of 14"
        written = again.scene()
        assert ":values: Defense=12, HP=9 of 14\n" in written
        assert "{dice:change} orc.HP += 10\n" in written
        assert written.count(":then: orc.HP -= 5 * success\n") == 2

    def test_each_panel_is_as_it_was_left(self, tmp_path):
        path = tmp_path / "evening.json"
        table, _scene, file = self.table(path)
        press(table, 0, faces="15", label="Arrow")
        press(table, 1, do="character", name="actor", item=1)
        press(table, 1, do="roll", texts={"notation": "2d6"}, faces="4 4")
        press(table, 1, do="set", texts={"notation": "2d6 +"})
        press(table, 0, do="set", texts={"check": "1d20 >= 12"})
        table.set_value("Orc", "HP", 3)
        file.update(table.entries, table.beginning, table.left())
        again, _scene, _file = self.table(path)
        for before, after in zip(table.sessions, again.sessions, strict=True):
            own, left = ({**one.state(), "can": {}} for one in (before, after))
            assert left == own
            assert [entry.roll for entry in after.entries] == [entry.roll for entry in before.entries]
        assert not again.state()["can"]["undo"]
        # A panel that is written otherwise in the cell counts from then on, and so does a character.
        levelled, _scene, _file = self.table(path, defense="14")
        assert levelled.sessions[0].inputs.texts["check"] == "1d20 + 6 >= 12"
        assert levelled.sessions[0].inputs.values["target"] == {"Defense": 14, "HP": 3}
        assert levelled.sessions[1].notation == "2d6 +"

    def evening(self, path):
        roll, tray, game = Session("dice/roll", {"notation": "2d6"}), TraySession(), GameSession(PLAYER, seed=5)
        table, file = Evening([roll, tray, game]), KeptRolls(path)
        mechanics = {id: one for each in table.sessions for id, one in each.played_mechanics.items()}
        table.resume(file.read(mechanics), file.read_beginning(), file.read_left())
        return table, file

    def test_what_was_pinned_kept_cleared_and_pressed_stays_too(self, tmp_path):
        table, file = self.evening(tmp_path / "evening.json")
        roll, tray, game = table.sessions
        roll.odds.pin()
        roll.set_values({"notation": "3d6"})
        roll.odds.show, roll.lock = "at least", True
        for _ in range(3):
            roll.roll()
        roll.travel.undo()
        roll.clear()
        roll.roll()
        tray.press(8)
        tray.keep("Bolt")
        game.play("round")
        game.press(2)
        file.update(table.entries, table.beginning, table.left())
        again, _file = self.evening(tmp_path / "evening.json")
        for before, after in zip(table.sessions, again.sessions, strict=True):
            before.odds.count(1)
            after.odds.count(1)
            own, left = ({**one.state(), "can": {}, "rolls": 0} for one in (before, after))
            assert left == own
            assert len(after.entries) == len(before.entries)
        assert [one.name for one in again.sessions[1].favourites] == ["Bolt"]
        assert again.sessions[2].game_state == game.game_state != PLAYER.start

    @every("own", [None, 5, {"faces": "x"}, {"faces": [3], "exhausted": [9]}, {"more": 1}])
    def test_a_state_that_its_game_cannot_show_is_left_out(self, tmp_path, own):
        path = tmp_path / "evening.json"
        path.unlink(missing_ok=True)
        table, file = self.evening(path)
        table.sessions[2].play("round")
        file.update(table.entries, table.beginning, table.left())
        data = json.loads(path.read_text("utf-8"))
        data["left"]["forms"][2]["form"]["own"] = own
        path.write_text(json.dumps(data), "utf-8")
        again, _file = self.evening(path)
        again.sessions[2].state()
        assert len(again.entries) == 1

    @every(
        "left",
        [
            "x",
            [1],
            [{"name": "Dice tray"}],
            [{"name": "", "given": {}, "form": {}}],
            [{"name": "", "given": {}, "form": {"texts": {}, "parts": {}, "chosen": 1}}],
            [{"name": "", "given": {}, "form": {"texts": {"notation": 6}, "parts": {}}}],
            [{"name": "", "given": {}, "form": {"texts": {}, "parts": {}, "odds_of": []}}],
        ],
    )
    def test_forms_that_are_none_are_refused(self, tmp_path, left):
        path = tmp_path / "evening.json"
        path.write_text(json.dumps({"dicedocs": 1, "rolls": [], "left": left}), "utf-8")
        with pytest.raises(ParameterError, match=r"'evening.json' is not a log of rolls"):
            KeptRolls(path).read_left()

    def test_an_effect_that_was_applied_later_is_still_that_of_its_roll(self, tmp_path):
        path = tmp_path / "evening.json"
        table, _scene, file = self.table(path)
        press(table, 1, faces="4")
        for face in ("15", "16", "17"):
            press(table, 0, faces=face)
        table.sessions[0].travel.recall(2)
        table.sessions[0].apply()
        file.update(table.entries, table.beginning)
        again, _scene, _file = self.table(path)
        assert "```{dice:change} orc.HP -= 5 * roll-2.success\n" in again.scene()
        assert again.scene() == table.scene()
        assert [entry.pending for entry in again.entries] == [False, False, True, True]
        # What waits is applied on the next day.
        press(again, 0, do="apply")
        assert [entry.pending for entry in again.entries] == [False] * 4
        assert (again.characters["Orc"]["HP"], table.characters["Orc"]["HP"]) == (0, 4)
        again.undo()
        assert again.characters["Orc"]["HP"] == 4

    def test_a_panel_that_shares_the_file_leaves_what_the_table_kept(self, tmp_path):
        path = tmp_path / "evening.json"
        table, _scene, file = self.table(path)
        press(table, 0, faces="15")
        press(table, 0, do="apply")
        file.update(table.entries, table.beginning)
        alone, other = Session("total-effect/roll"), KeptRolls(path)
        other.read(alone.played_mechanics)
        alone.roll()
        other.update(alone.entries)
        again, _scene, _file = self.table(path)
        assert again.characters["Orc"]["HP"] == 4

    def test_a_file_without_values_still_opens_and_a_broken_one_is_refused(self, tmp_path):
        path = tmp_path / "evening.json"
        file = KeptRolls(path)
        session = Session("dice/roll", {"notation": "1d20"})
        session.roll([7])
        file.update(session.entries)
        [old] = json.loads(path.read_text("utf-8"))["rolls"]
        for more, what in (
            ({}, ""),
            ({"beginning": {"cast": [1], "tracks": {}, "changes": []}}, "is not a log of rolls"),
            ({"beginning": {"cast": {"Kira": {"HP": ""}}, "tracks": {}, "changes": []}}, "'HP' has no value"),
            ({"beginning": {"cast": {}, "tracks": {"vault": 3}, "changes": []}}, "is not a log of rolls"),
            ({"beginning": {"cast": {}, "tracks": {}, "changes": [["HP", "9"]]}}, "is not a log of rolls"),
        ):
            path.write_text(json.dumps({"dicedocs": 1, "rolls": [old], **more}), "utf-8")
            if what:
                with pytest.raises(
                    ParameterError, match=f"'evening.json' .*{what}.*; give log the name of another file"
                ):
                    self.table(path)
            else:
                table, _scene, _file = self.table(path)
                assert (len(table.entries), table.characters["Orc"]["HP"]) == (1, 9)
        path.write_text(json.dumps({"dicedocs": 1, "rolls": [old | {"made": [["orc.HP", "9", 4]]}]}), "utf-8")
        with pytest.raises(ParameterError, match="is not a log of rolls: a change of a value is three texts"):
            self.table(path)


def test_a_character_is_no_other_one_whose_name_ends_like_its_own():
    session = Session("dice/roll", characters=[dd.Character("Orc", "HP=3")])
    evening = Evening([session], scene=dd.Scene(dd.Character("Big Orc", "HP=9")))
    assert evening.characters["Orc"]["HP"] == 3
