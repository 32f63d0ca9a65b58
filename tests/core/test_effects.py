"""What a roll does to characters: the changes, the press that applies them, and undo."""

import json

import pytest

from dicedocs import Dice, Mechanic, Outcome, ParameterError, Resources, Say, param
from dicedocs.panel import effects
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.saved import entry_data, read_entry
from dicedocs.scenes.change import make_changes

from ..every import every

KIRA = Character("Kira", "Attack=6, HP=18")
ORC = Character("Orc", "Defense=12, HP=9 of 9, Mood=grim")


class Strike(Mechanic):
    """A strike, which does twice as much when the die shows its highest face."""

    actor: Resources = param(example=Resources({"Attack": 6}), help="who strikes")
    target: Resources = param(example=Resources({"Defense": 12}), help="who is struck")

    class Result(Outcome):
        hit: bool
        damage: int | None
        critical: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        face = dice.roll(20)
        hit = face + self.actor["Attack"] >= self.target["Defense"]
        return self.Result(hit, 4 if hit else None, face == 20)


def struck(face, then="target.HP -= damage * (1 + critical)"):
    session = Session(Strike, characters=[KIRA, ORC])
    session.changes.then = then
    session.people.choose_character("Kira", "actor")
    session.people.choose_character("Orc", "target")
    session.roll([face])
    return session


@every(("face", "text"), [(10, "Orc HP 9 of 9 → 5 of 9"), (20, "Orc HP 9 of 9 → 1 of 9"), (2, "")])
def test_damage_is_offered_after_a_hit_and_doubled_where_the_rule_says_critical(face, text):
    assert struck(face).state()["then"] == {"text": text, "can": bool(text)}


def test_one_press_applies_it_once_and_undo_takes_it_back():
    session = struck(20)
    session.receive({"do": "apply"})
    session.receive({"do": "apply"})
    orc = session.people.characters[1]
    assert (orc["HP"], orc.sheet["HP"]) == (1, "1 of 9")
    assert session.inputs.values["target"]["HP"] == 1
    assert session.state()["then"] == {"text": "Orc HP 9 of 9 → 1 of 9", "can": False}
    assert session.written_log("text").endswith("(rolled by hand). Orc HP 9 of 9 → 1 of 9")
    session.travel.undo()
    assert (session.people.characters[1], session.entries[0].effect) == (ORC, "")
    assert session.state()["then"]["can"]
    session.travel.redo()
    assert session.people.characters[1]["HP"] == 1
    # Bounds hold: 8 more would be below 0.
    session.roll([20])
    session.apply()
    assert session.people.characters[1].sheet["HP"] == "0 of 9"


def test_several_changes_see_each_other():
    [found] = struck(10, "target.HP -= damage; actor.HP += target.HP; kira.Attack = 2 * kira.Attack").effects()
    assert list(map(str, found.changes)) == ["orc.HP 9 of 9 → 5 of 9", "kira.HP 18 → 23", "kira.Attack 6 → 12"]


@every(
    ("then", "message"),
    [
        ("goblin.HP -= 1", "no character in this panel has 'goblin.HP'; known: 'actor', 'kira', 'orc', 'target'"),
        ("target.Hp -= 1", "no character in this panel has 'target.Hp'; did you mean 'target.HP'"),
        ("target.HP.full = 1", "no character in this panel has 'target.HP.full'"),
        ("target.HP -= target.Luck", "no fact and nothing in the scene is called 'target.Luck'"),
        ("target.HP -= harm", "called 'harm'; known: 'critical', 'damage', 'dice', 'dropped', 'hit', 'scratched'"),
        ("damage -= 1", "'damage' is a fact of the roll and cannot change; write target.HP -= damage"),
        ("target.HP -= 1d6", "is not a notation without dice"),
        ("target.HP -= 2 *", "is not a notation without dice"),
        ("target.HP -= 1 + target.Mood", "target.Mood is 'grim', which is not a whole number"),
        ("target", "'target' is not a change"),
    ],
)
def test_what_cannot_happen_is_refused_when_it_is_written(then, message):
    session = struck(10)
    with pytest.raises(ParameterError) as caught:
        session.changes.then = then
    assert caught.value.parameter == "then"
    assert message in str(caught.value)
    assert session.changes.then == "target.HP -= damage * (1 + critical)"


@every(
    "then",
    [
        # A track, which only a table has.
        "vault += damage; kira.HP += vault.full; heat = vault",
        # The orc has no Attack, and Kira has no Mood.
        "actor.Attack += 1; target.Mood = actor.Mood",
        # Divided by nothing only with the numbers of the moment.
        "target.HP -= damage / (hit - critical); orc.HP -= 1 / (kira.HP - 18)",
    ],
)
def test_what_can_happen_is_accepted(then):
    session = struck(10)
    session.changes.then = then
    assert session.changes.then == then


def test_a_panel_without_characters_takes_the_names_of_those_who_may_come():
    session = Session("dice/check", {"check": "1d20 >= 12"})
    session.changes.then = "target.Hit Points -= left - target.Damage Reduction"
    with pytest.raises(ParameterError, match="called 'critical'"):
        session.changes.then = "target.HP -= critical"


def test_what_does_not_fit_the_values_is_said_and_changes_nothing():
    session = struck(10, "target.Mood -= 1")
    message = "target.Mood is 'grim', which is not a whole number"
    with pytest.raises(ParameterError, match=message) as caught:
        session.apply()
    state = session.state()["then"]
    assert (state["can"], state["text"]) == (False, str(caught.value))
    assert session.people.characters == (KIRA, ORC)


def test_a_truth_counts_one_or_nothing():
    session = Session("dice/check", {"check": "1d20 + 6 >= 12", "target": ORC.resources}, characters=[ORC])
    session.changes.then = "target.HP -= 5 * success"
    for face, changes in ((1, []), (20, ["orc.HP 9 of 9 → 4 of 9"])):
        session.roll([face])
        assert [str(change) for effect in session.effects() for change in effect.changes] == changes


def test_one_then_serves_a_whole_table_whatever_its_panels_play():
    freya, troll = Character("Freya", "Stat=4"), Character("Troll", "Health=9 of 9")
    fight, check, tray = (
        Session("dungeoneers/action-roll", {"difficulty": 5, "exhausted": ""}, characters=[freya, troll]),
        Session("dice/check", {"check": "1d20 >= 12"}, characters=[freya, troll]),
        TraySession("1d6", characters=[troll]),
    )
    tray.changes.then = "troll.Health += total"
    then = "target.Health -= 2 * success * (1 + critical)"
    table = Evening([fight, check, tray], then=then)
    fight.people.choose_character("Freya")
    rolls = [
        ({"pool": "4 4 1", "spend": "1 2"}, "9 of 9 → 5 of 9"),
        ({"pool": "4 3 1", "spend": "1"}, "5 of 9 → 3 of 9"),
    ]
    for values, text in rolls:
        fight.set_values(values)
        fight.roll()
        assert fight.outcome.success
        # Nobody was hit yet in a game that knows no target.
        if text.startswith("9"):
            assert fight.state()["then"]["text"] == "then: no target is chosen; choose a character"
            choice = fight.state()["characters"][1]
            assert (choice["label"], choice["names"], choice["chosen"]) == ("Target", ["Freya", "Troll"], -1)
            fight.receive({"do": "character", "name": "target", "item": 1})
        assert fight.state()["then"] == {"text": f"Troll Health {text}", "can": True}
        fight.receive({"do": "apply"})
    assert [one.sheet["Health"] for one in (table.characters["Troll"], tray.people.characters[0])] == [
        "3 of 9",
        "3 of 9",
    ]
    # A check knows no critical, and the tray has its own.
    check.people.choose_character("Troll", "target")
    check.roll([20])
    assert "then" not in check.state()
    tray.roll([6])
    assert tray.state()["then"]["text"] == "Troll Health 3 of 9 → 9 of 9"
    # At another table it says nothing.
    Evening([fight])
    assert "then" not in fight.state()


@every(
    ("then", "message"),
    [
        ("target.HP -= totl", "no fact and nothing in the scene is called 'totl'; did you mean 'total'?"),
        ("target.Hp -= total", "nothing at the table is called 'target.Hp'; did you mean 'target.HP'"),
        ("target.HP -= 1d6", "is not a notation without dice"),
        ("target.HP", "is not a change"),
    ],
)
def test_a_table_refuses_changes_of_what_nobody_there_has(then, message):
    with pytest.raises(ParameterError, match=message):
        Evening([TraySession("1d6", characters=[ORC])], then=then)


def test_a_panel_that_comes_to_a_table_says_only_what_can_happen_there():
    dice, other = TraySession("1d6", characters=[KIRA]), TraySession("1d6", characters=[ORC])
    dice.changes.then = "vault += total"
    with pytest.raises(ParameterError) as caught:
        Evening([dice, other], ["Damage"])
    message = "then: nothing at the table is called 'vault', for the panel 'Damage'"
    assert str(caught.value).startswith(message)
    assert not dice.seat.store.at_table
    # There everybody's values count, and nobody else can be the target.
    dice.changes.then = ""
    table = Evening([dice, other])
    dice.changes.then = "orc.HP -= total"
    dice.roll([4])
    dice.apply()
    assert table.characters["Orc"]["HP"] == 5
    for then in ("target.Mood = 1", "vault += total"):
        with pytest.raises(ParameterError, match="nothing at the table is called"):
            dice.changes.then = then


class TestSeveralRolls:
    """The effects of several rolls wait until they are applied, each once."""

    MARA = Character("Mara", "Defense=12, HP=40 of 40")

    def ambush(self, then="target.HP -= 5 * success", target="Mara"):
        goblins = [Character(f"Goblin {number}", "Attack=4") for number in range(1, 5)]
        session = Session("dice/check", {"check": "1d20 + 20 >= 15"}, characters=[*goblins, self.MARA])
        session.changes.then = then
        session.people.choose_character("Goblin 1", "actor")
        if target:
            session.people.choose_character(target, "target")
        return session

    def hp(self, session):
        return session.people.characters[4]["HP"]

    def test_four_hits_are_applied_at_once_and_undone_at_once(self):
        session = self.ambush()
        session.roll_each([f"Goblin {number}" for number in range(1, 5)])
        assert session.state()["then"] == {"text": "Mara HP 40 of 40 → 20 of 40", "can": True}
        session.apply()
        session.apply()
        assert self.hp(session) == 20
        assert [entry.effect for entry in session.entries] == [
            f"Mara HP {hp} of 40 → {hp - 5} of 40" for hp in (40, 35, 30, 25)
        ]
        session.travel.undo()
        assert (self.hp(session), session.state()["then"]["can"]) == (40, True)
        session.travel.redo()
        assert (self.hp(session), session.state()["then"]["can"]) == (20, False)
        session.travel.undo()
        assert session.state()["then"]["text"] == "Mara HP 40 of 40 → 20 of 40"
        session.travel.undo()
        assert session.state()["then"]["text"] == ""

    def test_a_further_roll_keeps_what_waits(self):
        session = self.ambush("target.HP -= 5 * success; actor.Attack += 1")
        session.roll([1])
        session.people.choose_character("Goblin 2", "actor")
        session.roll([2])
        session.apply()
        # Each roll changes whoever made it.
        assert [one["Attack"] for one in session.people.characters[:3]] == [5, 5, 4]
        assert self.hp(session) == 30
        session.roll([3])
        session.apply()
        assert self.hp(session) == 25

    def test_an_earlier_roll_can_be_applied_alone_and_once(self):
        session = self.ambush()
        for face in (1, 2, 3):
            session.roll([face])
        for roll, hp in ((1, 35), (1, 35), (3, 30)):
            session.travel.recall(roll)
            session.apply()
            assert self.hp(session) == hp
            assert not session.state()["then"]["can"]
        session.roll([4])
        assert session.state()["then"]["text"] == "Mara HP 30 of 40 → 20 of 40"
        session.apply()
        assert (self.hp(session), all(entry.effect for entry in session.entries)) == (20, True)

    def test_a_value_that_is_set_is_set_by_the_last_of_them(self):
        session = self.ambush("mara.HP = right; actor.Attack = mara.HP")
        session.roll([1])
        session.set_values({"check": "1d20 + 20 >= 9"})
        session.roll([1])
        session.apply()
        assert (self.hp(session), session.people.characters[0]["Attack"]) == (9, 9)

    def test_a_miss_of_the_past_does_nothing_later(self):
        session = self.ambush("target.HP -= 5 * success")
        session.set_values({"check": "1d20 >= 15"})
        session.roll([1])
        session.roll([20])
        session.apply()
        session.roll([2])
        assert (self.hp(session), session.state()["then"]) == (35, {"text": "", "can": False})

    def test_who_had_no_target_is_not_hit_because_somebody_else_is(self):
        session = self.ambush(target="")
        session.roll([1])
        assert session.written_log("text").endswith("; no change: no target is chosen")
        assert (session.log()[0]["refused"], session.history[0]["refused"]) == (
            "no change: no target is chosen",
            "no target is chosen",
        )
        [entry] = session.entries
        assert read_entry(1, json.loads(json.dumps(entry_data(entry))), session.mechanic) == entry
        session.people.choose_character("Mara", "target")
        session.roll([2])
        assert session.state()["then"]["text"] == "Mara HP 40 of 40 → 35 of 40"
        session.travel.recall(1)
        session.people.choose_character("Mara", "target")
        session.apply()
        assert (session.entries[0].effect, session.log()[1]["refused"]) == ("Mara HP 40 of 40 → 35 of 40", "")

    def test_an_empty_history_loses_nothing(self):
        session = self.ambush()
        session.roll([1])
        session.roll([2])
        session.clear()
        session.apply()
        assert self.hp(session) == 30

    def test_at_a_table_each_effect_is_one_of_its_roll_and_a_struck_one_is_none(self):
        session = self.ambush()
        table = Evening([session, Session("dice/roll", {"notation": "1d6"}, characters=[self.MARA])])
        for face in (1, 2, 3):
            session.roll([face])
        table.strike(2)
        assert session.state()["then"]["text"] == "Mara HP 40 of 40 → 30 of 40"
        table.sessions[1].roll()
        session.receive({"do": "apply"})
        assert table.characters["Mara"]["HP"] == 30
        assert [entry.effect != "" for entry in table.entries] == [True, False, True, False]
        table.undo()
        assert table.characters["Mara"]["HP"] == 40
        table.strike(2, struck=False)
        table.set_value("Mara", "HP", 38)
        session.apply()
        assert table.characters["Mara"]["HP"] == 23
        for hp in (38, 40):
            table.undo()
            assert table.characters["Mara"]["HP"] == hp


def test_the_target_of_an_attack_is_that_of_the_damage_too():
    attack = Session("methuen/check", {"check": "1d20 >= [Target Defense]"}, characters=[KIRA, ORC])
    damage, other = TraySession("2d6", characters=[ORC]), Session("dice/roll", {"notation": "1d6"})
    damage.changes.then = "target.HP -= total"
    table = Evening([attack, damage, other])
    attack.receive({"do": "character", "name": "target", "item": 1})
    damage.roll([2, 2])
    damage.apply()
    assert table.characters["Orc"]["HP"] == 5
    for _ in range(3):
        table.undo()
    assert [session.state().get("characters", [{}])[-1].get("chosen", -1) for session in table.sessions] == [-1, -1, -1]


def test_a_panel_that_does_not_aim_has_no_target():
    attack = Session("dice/check", {"check": "1d20 >= [Target Defense]"}, characters=[KIRA, ORC])
    initiative, damage = Session("dice/roll", {"notation": "1d20"}, characters=[KIRA, ORC]), TraySession("1d6")
    damage.people.characters = [KIRA, ORC]
    table = Evening([attack, initiative, damage])
    attack.people.choose_character("Orc", "target")
    initiative.roll_each(["Kira"], order=True)
    assert [(entry.who, entry.target) for entry in table.entries] == [("Kira", "")]
    slots = [[one["slot"] for one in session.state()["characters"]] for session in table.sessions]
    assert slots == [["actor", "target"], ["actor"], ["actor"]]
    # What a table's rolls do aims a panel only if the panel has the facts for it.
    hit = Evening([attack, initiative, damage], then="target.HP -= 5 * success")
    slots = [[one["slot"] for one in session.state()["characters"]] for session in hit.sessions]
    assert slots == [["actor", "target"], ["actor"], ["actor"]]
    damage.set_values({"target_number": 12})
    assert [one["slot"] for one in damage.state()["characters"]] == ["actor", "target"]
    damage.set_values({"target_number": None})
    table = Evening([attack, initiative, damage])
    damage.notation = "1d6 + [Target Defense]"
    attack.people.choose_character("Orc", "target")
    damage.roll([3])
    assert (table.entries[-1].target, table.entries[-1].outcome.value) == ("Orc", 15)


class TestRows:
    """Each roll of the log is applied, or taken back, for itself."""

    @pytest.fixture
    def table(self):
        attack = Session("dice/check", {"check": "1d20 >= 12", "target": ORC.resources}, characters=[KIRA, ORC])
        attack.changes.then = "target.HP -= 5 * success"
        table = Evening([attack, TraySession("3d6", characters=[KIRA])])
        for face in (15, 16, 3):
            attack.roll([face])
        return table

    def rows(self, table):
        return {row["roll"]: (row.get("waits", ""), row["effect"]) for row in table.log()}

    def test_each_says_what_it_would_do(self, table):
        assert self.rows(table) == {1: ("Orc HP 9 of 9 → 4 of 9", ""), 2: ("Orc HP 9 of 9 → 4 of 9", ""), 3: ("", "")}
        table.receive({"do": "apply", "roll": 2})
        assert self.rows(table)[1] == ("Orc HP 4 of 9 → 0 of 9", "")
        assert self.rows(table)[2] == ("", "Orc HP 9 of 9 → 4 of 9")
        assert "history" in table.reply()
        assert "history" not in table.reply()
        table.set_value("Orc", "HP", 3)
        assert table.reply()["history"][2]["waits"] == "Orc HP 3 of 9 → 0 of 9"

    def test_all_are_applied_in_one_step(self, table):
        table.receive({"do": "apply"})
        assert table.characters["Orc"]["HP"] == 0
        assert self.rows(table) == {1: ("", "Orc HP 9 of 9 → 4 of 9"), 2: ("", "Orc HP 4 of 9 → 0 of 9"), 3: ("", "")}
        table.undo()
        assert table.characters["Orc"]["HP"] == 9

    def test_an_applied_one_is_taken_back_and_can_be_applied_again(self, table):
        table.apply(1)
        table.receive({"do": "take-back", "roll": 1})
        assert (table.characters["Orc"]["HP"], self.rows(table)[1]) == (9, ("Orc HP 9 of 9 → 4 of 9", ""))
        assert [one for entry in table.entries for one in (*entry.made, *entry.later)] == []
        table.apply(1)
        table.apply(2)
        with pytest.raises(ParameterError, match="Orc HP was changed since: it is '0 of 9', not '4 of 9'"):
            table.take_back(1)
        table.take_back(2)
        table.take_back(1)
        assert table.characters["Orc"].sheet["HP"] == "9 of 9"
        table.undo()
        assert table.characters["Orc"].sheet["HP"] == "4 of 9"
        with pytest.raises(ParameterError, match="roll 3 changed nothing"):
            table.take_back(3)

    def test_one_that_cannot_be_applied_says_why(self, table):
        table.apply(1)
        table.strike(2)
        for roll, message in (
            (1, "roll 1 was applied already; take it back first"),
            (2, "roll 2 is struck out; bring it back first"),
            (3, "roll 3 changes nothing"),
            (9, "there is no roll 9"),
        ):
            with pytest.raises(ParameterError) as caught:
                table.apply(roll)
            assert str(caught.value) == message
        table.strike(2, struck=False)
        table.set_value("Orc", "HP", 0)
        with pytest.raises(ParameterError, match="roll 2 changes nothing"):
            table.sessions[0].apply(2)

    def test_who_is_gone_is_named(self, table):
        attack = Session("dice/check", {"check": "1d20 >= 12", "target": KIRA.resources}, characters=[KIRA])
        attack.changes.then = "target.HP -= 5 * success"
        later = Evening([attack, TraySession("3d6", characters=[KIRA])])
        later.resume(table.entries)
        assert [row["refused"] for row in later.log()] == ["", *["no change: 'Orc' is not here any more"] * 2]
        assert self.rows(later) == {1: ("", ""), 2: ("", ""), 3: ("", "")}
        with pytest.raises(ParameterError, match="'Orc' is not here any more"):
            later.apply(1)
        later.apply()
        assert [entry.pending for entry in later.entries] == [True, True, False]

    def test_a_panel_applies_all_even_if_one_is_shown(self):
        session = struck(10)
        session.roll([10])
        session.receive({"do": "recall", "roll": 1})
        session.receive({"do": "apply"})
        assert session.people.characters[1]["HP"] == 1
        session.travel.undo()
        assert session.people.characters[1]["HP"] == 9


def test_no_roll_takes_longer_because_others_wait(monkeypatch):
    orc, elf = Character("Orc", "Defense=12, HP=90 of 90"), Character("Elf", "Defense=12, HP=9 of 9")
    session = Session("dice/check", {"check": "1d20 + 30 >= 12", "target": orc.resources}, characters=[orc, elf])
    session.changes.then = "target.HP -= success"
    table, asked = Evening([session]), []

    def counted(*given):
        asked.append(given)
        return make_changes(*given)

    monkeypatch.setattr(effects, "make_changes", counted)
    counts = []
    for _ in range(30):
        asked.clear()
        session.roll()
        table.set_value("Elf", "HP", 9 - len(counts) % 2)
        session.state(), table.state(), session.log(), session.reply(), table.reply()
        counts.append(len(asked))
    assert counts[5:] == counts[5:6] * 25
    # Other effects are found anew, although no roll or value is another.
    session.changes.then = "target.HP -= 2"
    session.log()
    session.roll()
    session.log()
    assert [row["waits"] for row in session.log()][:2] == ["Orc HP 90 of 90 → 88 of 90", "Orc HP 90 of 90 → 89 of 90"]
