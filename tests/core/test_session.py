"""A session: its inputs, rolls, history and odds, and the messages of a page."""

import json
from contextlib import nullcontext
from typing import ClassVar, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, ParameterError, Say, limits, param
from dicedocs.panel.forms.seed_choice import read_seed
from dicedocs.panel.forms.session import Session
from dicedocs.panel.view import live_odds
from dicedocs.render.words import display_text
from dicedocs.rules.kinds import as_line

from ..every import every


def texts(**changed):
    return {"do": "set", "texts": changed}


class Trap(Mechanic):
    """A rule that fails in every way."""

    how: Literal["fine", "validate", "resolve", "dice", "unsteady"] = param(default="fine")

    class Result(Outcome):
        face: int

    def validate(self) -> None:
        if self.how == "validate":
            raise ZeroDivisionError("division by <zero>")

    def resolve(self, dice: Dice, say: Say) -> Result:
        if self.how == "resolve":
            raise KeyError("gone")
        if self.how == "dice":
            return self.Result(len(dice.each(*[6] * 10_001)))
        return self.Result(dice.roll(6) + bool(say and self.how == "unsteady"))


class Counted(Mechanic):
    """A rule that notes how it is run."""

    runs: ClassVar[list[str]] = []

    class Result(Outcome):
        face: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        self.runs.append("working" if say else "play")
        return self.Result(dice.roll(6))


class Slow(Mechanic):
    """A rule each of whose plays takes so many sixteenths of a second, by a clock of its own."""

    now: ClassVar[float] = 0

    number: int = param(default=1)
    takes: int = param(default=1)

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        Slow.now += self.takes / 16
        return self.Result(sum(dice.each(*[6] * self.number)))


class TestInitialValues:
    @every("id", dd.mechanics())
    def test_every_mechanic_starts_with_its_example_and_can_be_rolled(self, id):
        session = Session(id)
        assert session.error is None
        assert session.state()["can"] == {"undo": False, "redo": False, "clear": False, "roll": True}
        outcome = session.roll()
        session.odds.count(seconds=10)
        state = session.state()
        assert json.loads(json.dumps(state)) == state
        tone, text, number = state["outcome"]["verdict"]
        assert text in state["outcome"]["headline"]
        drawn = any(label.endswith(" after") for label, _dice, _rest in state["outcome"].get("pools", ()))
        assert tone or number == ("" if drawn else display_text(outcome.value))
        thrown = state["outcome"]["dice"] or [
            die for _label, dice, _rest in state["outcome"].get("pools", ()) for die in dice
        ]
        assert [die[:2] for die in thrown][: len(outcome.dice)] == [[die.sides, die.face] for die in outcome.thrown]
        assert state["odds"]["state"] == "done"
        odds = state["odds"]
        assert odds["bars"][odds["here"]][0] if odds["bars"] else odds["message"] == f"Always {as_line(outcome.value)}."

    def test_initial_values_are_themselves_or_their_text(self):
        session = Session("total-effect/roll", {"advantage": 2, "escalation": "-1"}, seed=3, lock=True, label="Kira")
        assert (session.rule.advantage, session.rule.escalation, session.rule.effect) == (2, -1, "low")
        assert (session.seed, session.lock, session.label) == (3, True, "Kira")

    def test_defaults_replace_an_example_that_contradicts_the_initial_values(self):
        # In the example dice 2 and 5 are exhausted, but this pool has only two dice.
        session = Session("dungeoneers/action-roll", {"pool": "4 3"})
        assert session.error is None
        assert session.rule.exhausted == ()

    def test_an_initial_value_that_is_not_valid_raises_an_error(self):
        with pytest.raises(ParameterError, match="advantage: 'x' is not a whole number"):
            Session("total-effect/roll", {"advantage": "x"})
        with pytest.raises(ParameterError, match="did you mean 'advantage'"):
            Session("total-effect/roll", {"advantag": 1})
        with pytest.raises(ParameterError, match="there is no mechanic"):
            Session("total-effect/rol")
        with pytest.raises(ParameterError, match="is not a seed"):
            Session("total-effect/roll", seed=1.5)


class TestInputs:
    def test_an_invalid_text_stays_in_its_box_and_the_last_valid_value_is_kept(self):
        session = Session("total-effect/roll", {"escalation": 4})
        session.receive(texts(escalation="much"))
        state = session.state()
        assert state["texts"]["escalation"] == "much"
        assert state["errors"]["escalation"]["message"] == "'much' is not a whole number"
        assert session.inputs.values["escalation"] == 4
        assert state["can"]["roll"] is False
        session.receive(texts(escalation="5"))
        assert session.state()["errors"] == {}
        assert session.rule.escalation == 5

    def test_an_empty_box_is_the_default_and_in_a_required_field_an_error(self):
        session = Session("total-effect/roll", {"advantage": 2})
        session.receive(texts(advantage=" "))
        assert session.rule.advantage == 0
        session = Session("methuen/expression")
        session.receive(texts(expression=""))
        assert session.state()["errors"]["expression"]["message"] == "a value is needed"

    def test_a_notation_shows_where_it_goes_wrong(self):
        session = Session("methuen/expression")
        session.receive(texts(expression="2 + * 3"))
        error = session.state()["errors"]["expression"]
        assert error["at"] == [4, 5]
        assert error["text"].splitlines()[1:] == ["    2 + * 3", "        ^"]

    def test_each_invalid_input_has_its_error(self):
        session = Session("methuen/expression")
        session.receive({"texts": {"expression": "3d6 +"}, "parts": {"actor": [{"name": "Wit", "value": ""}]}})
        assert sorted(session.state()["errors"]) == ["actor", "expression"]

    def test_an_error_of_the_rule_is_shown_at_its_field(self):
        session = Session("total-effect/roll")
        session.receive(texts(effect="", invert="true"))
        state = session.state()
        assert state["errors"]["invert"]["message"] == "there is no effect to invert"
        assert state["error"] is None
        with pytest.raises(ParameterError, match="there is no effect to invert"):
            session.roll()

    def test_half_filled_rows_are_kept(self):
        session = Session("methuen/expression", {"expression": "3d6"})
        rows = [{"name": "Wit", "value": "3"}, {"name": "", "value": "0"}]
        session.receive({"parts": {"actor": rows}})
        assert session.state()["parts"]["actor"] == rows
        assert session.rule.actor == {"Wit": 3}
        session.set_values({"actor": {"Wit": 4}})
        assert session.state()["parts"]["actor"] == [{"name": "Wit", "value": "4"}]

    def test_all_rows_can_be_removed(self):
        session = Session("methuen/expression", {"expression": "3d6"})
        session.receive({"parts": {"actor": []}})
        assert session.state()["parts"]["actor"] == []
        session = Session("dungeoneers/group-roll")
        session.receive({"parts": {"members": []}})
        assert session.state()["errors"]["members"]["message"] == "a value is needed"

    def test_a_die_that_is_taken_off_its_pool_is_unmarked_and_comes_back_with_its_mark(self):
        session = Session("dungeoneers/action-roll", {"pool": "4 3 4 1 2", "exhausted": "2 5"})
        session.receive({"do": "set", "parts": {"pool": ["4", "3", "4", "1"]}})
        assert session.error is None
        assert session.state()["parts"]["exhausted"] == [2]
        session.receive({"do": "undo"})
        assert session.state()["parts"] | {"spend": 0} == {"pool": [*"43412"], "exhausted": [2, 5], "spend": 0}
        session.receive({"do": "redo"})
        assert session.state()["parts"]["exhausted"] == [2]

    def test_a_removed_row_comes_back_before_a_roll_is_undone(self):
        session = Session("dungeoneers/group-roll")
        members = session.state()["parts"]["members"]
        session.receive({"do": "roll"})
        session.receive({"do": "set", "parts": {"members": [*members, members[0]]}})
        session.receive({"do": "set", "parts": {"members": members[1:]}})
        session.receive({"do": "undo"})
        assert session.state()["parts"]["members"] == [*members, members[0]]
        session.receive({"do": "undo"})
        assert session.state()["parts"]["members"] == members
        assert len(session.entries) == 1
        session.receive({"do": "undo"})
        assert not session.entries

    def test_a_number_in_groups_of_three_digits_is_not_split_in_silence(self):
        session = Session("mage-in-the-metal/check")
        session.receive(texts(equipment="1,000"))
        assert session.state()["errors"]["equipment"]["text"] == (
            "'1,000' may be one number or several; write 1000 for one number, 1, 000 for several"
        )
        session.receive(texts(equipment="10, 20"))
        assert session.inputs.values["equipment"] == (10, 20)

    def test_a_limit_is_told_without_its_name(self):
        session = Session("mage-in-the-metal/check")
        session.receive(texts(skill="9" * 30))
        assert session.state()["errors"]["skill"]["text"].startswith("30 digits in a number; at most 12")

    def test_several_values_are_set_together_or_not_at_all(self):
        session = Session("total-effect/roll")
        with pytest.raises(ParameterError):
            session.set_values({"advantage": 3, "escalation": "x"})
        assert session.rule.advantage == 0


class TestRolling:
    def test_a_roll_is_played_once_and_its_working_is_made_once(self):
        session = Session(Counted)
        Counted.runs.clear()
        session.receive({"do": "roll"})
        session.state()
        session.reply()
        session.written_log("text")
        session.receive({"do": "undo"})
        session.receive({"do": "redo"})
        session.state()
        assert Counted.runs == ["play", "working"]

    def test_a_seed_decides_the_dice(self):
        assert Session("methuen/expression", {"expression": "3d6"}, seed=61).roll().dice == (4, 2, 5)

    def test_each_roll_draws_a_seed_unless_it_is_locked(self):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61)
        session.roll()
        assert session.seed == 61
        session.roll()
        assert session.seed != 61
        session.receive({"lock": True, "seed": "61"})
        assert [session.roll().dice for _ in range(3)] == [(4, 2, 5)] * 3

    @every(
        ("seed", "expected"),
        [
            (6, 7),
            (-1, 0),
            ("theron", "theron 2"),
            ("theron 2", "theron 3"),
            ("x9", "x 10"),
            ("n" * 100, "n" * 90 + " 2"),
        ],
    )
    def test_the_next_seed_follows_the_current_one(self, seed, expected):
        session = Session("total-effect/roll", seed=seed)
        session.receive({"do": "next-seed"})
        assert session.seed == expected
        assert session.roll() is session.outcome

    def test_an_invalid_seed_stays_in_its_box_with_its_error(self):
        session = Session("methuen/expression", seed=5)
        session.roll()
        session.receive({"seed": "x" * 101, "texts": {"expression": "3d6 +"}})
        state = session.state()
        assert (state["seed"], session.seed) == ("x" * 101, 5)
        assert state["seed_error"]["parameter"] == "seed"
        assert "expression" in state["errors"]
        assert state["can"]["roll"] is False
        session.receive({"seed": "6", "texts": {"expression": "3d6"}})
        assert (session.error, session.seed, session.state()["seed_error"]) == (None, 6, None)

    @every("do", [{"do": "recall", "roll": 1}, {"do": "undo"}, {"do": "next-seed"}])
    def test_another_seed_clears_the_error_of_an_invalid_one(self, do):
        session = Session("total-effect/roll", seed=5)
        session.roll()
        session.receive({"seed": "x" * 101})
        session.receive(do)
        assert (session.error, session.state()["seed_error"]) == (None, None)

    @every(("text", "seed"), [(" 7 ", 7), ("a  b\n", "a b"), ("", None), ("-3", -3), (None, None)])
    def test_seeds_are_read_as_they_are_written(self, text, seed):
        assert read_seed(text) == seed

    def test_the_last_outcome_stays_while_an_input_is_invalid(self):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61)
        session.roll()
        outcome_before = session.state()["outcome"]
        session.receive({"do": "roll", "texts": {"expression": "3d"}})
        assert session.state()["outcome"] == outcome_before
        assert (session.rolls, len(session.entries)) == (1, 1)
        assert session.view.code.startswith(
            'import dicedocs as dd\n\ndd.play(\n    "methuen/expression",\n    expression="3d6",\n'
        )

    def test_a_failed_roll_is_told_until_it_can_be_made(self):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61)
        session.roll()
        session.receive({"do": "set", "texts": {"expression": "3d6 +"}})
        assert session.state()["failed"] == ""
        session.receive({"do": "roll"})
        assert session.state()["failed"].startswith("Expression: ")
        assert "\n" not in session.state()["failed"]
        session.receive({"texts": {"expression": "3d6 + 1"}})
        assert session.state()["failed"] == ""
        session.receive({"texts": {"expression": "3d6 +"}})
        assert session.state()["failed"] == "", "nobody has pressed Roll since"
        session.receive({"do": "roll"})
        session.receive({"do": "undo"})
        assert session.state()["failed"] == ""

    @pytest.mark.parametrize(
        ("seed", "message"), [("x" * 101, "Seed: 101 characters in a seed; at most 100"), ("6", "")]
    )
    def test_a_failed_roll_names_the_seed(self, seed, message):
        session = Session("methuen/expression", {"expression": "3d6"})
        session.receive({"do": "roll", "seed": seed})
        assert session.state()["failed"] == message

    def test_the_error_of_a_rule_is_that_of_the_failed_roll(self):
        session = Session(Trap)
        with pytest.raises(KeyError):
            session.receive({"do": "roll", "texts": {"how": "resolve"}})
        assert session.state()["failed"] == "the rule failed: KeyError: 'gone'"

    def test_what_is_set_beside_the_usual_is_told(self):
        session = Session("total-effect/roll", {"step_up": 2, "halve": True}, seed=61, label="Kira", lock=True)
        assert session.state()["set"] == ["Halve", "Step up 2", "Label Kira", "Seed 61", "Lock seed"]
        session.roll()
        # It is locked, but not chosen any more.
        assert session.state()["set"] == ["Halve", "Step up 2", "Label Kira", "Lock seed"]
        assert Session("total-effect/roll").state()["set"] == []

    def test_the_sentence_starts_with_the_number_of_the_roll(self):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61, lock=True, label="Kira, Bolt")
        session.roll()
        assert session.state()["outcome"]["sentence"] == "Roll 1. Kira, Bolt: Total 11."
        session.roll()
        assert session.state()["outcome"]["sentence"] == "Roll 2. Kira, Bolt: Total 11."

    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ("validate", "the rule failed: ZeroDivisionError: division by <zero>"),
            ("resolve", "the rule failed: KeyError: 'gone'"),
        ],
    )
    def test_the_error_of_a_rule_is_shown_until_the_values_change(self, how, message):
        session = Session(Trap)
        with pytest.raises(KeyError) if how == "resolve" else nullcontext():
            session.receive({"do": "roll", "texts": {"how": how}})
        assert session.state()["error"]["message"] == message
        session.receive({"do": "roll", "texts": {"how": "fine"}})
        assert session.state()["error"] is None
        assert session.rolls == 1

    def test_the_error_for_too_many_dice_is_shown(self):
        session = Session(Trap)
        session.receive({"do": "roll", "texts": {"how": "dice"}})
        assert "the limit DICE is 10000" in session.state()["error"]["message"]
        session.receive({"do": "roll", "texts": {"how": "fine"}})
        assert session.error is None

    def test_a_mechanic_that_is_not_registered_has_no_code(self):
        session = Session(Trap)
        session.roll()
        assert (session.view.code, session.view.directive, session.view.directive_rst) == ("", "", "")


class TestHistory:
    def session(self):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61, label="One")
        session.roll()
        session.receive({"label": "Two", "seed": "5", "texts": {"expression": "2d6"}})
        session.roll()
        return session

    def test_undo_goes_step_by_step(self):
        session = self.session()
        session.travel.undo()
        assert (session.outcome.dice, session.seed, session.label) == ((4, 2, 5), 61, "Two")
        assert session.state()["texts"]["expression"] == "2d6"
        assert [roll["label"] for roll in session.history] == ["One"]
        assert session.rolls == 2
        session.travel.undo()
        assert (session.label, session.state()["texts"]["expression"]) == ("One", "3d6")
        assert (session.outcome.dice, session.rule.expression) == ((4, 2, 5), "3d6")
        session.travel.undo()
        assert (session.outcome, session.seed, len(session.history)) == (None, None, 0)
        session.travel.undo()
        assert not session.state()["can"]["undo"]

    def test_the_keys_of_one_field_are_one_step(self):
        session = Session("total-effect/roll", {"advantage": 0})
        for name, text in (("advantage", "1"), ("advantage", "12"), ("escalation", "2"), ("advantage", "3")):
            session.receive({"do": "set", "texts": {name: text}})
        session.receive({"do": "set", "texts": {"advantage": "3"}})  # which changes nothing
        shown = []
        while session.seat.store.can_undo:
            session.travel.undo()
            shown.append((session.inputs.texts["advantage"], session.inputs.texts["escalation"]))
        assert shown == [("12", "2"), ("12", "0"), ("0", "0")]
        for _ in shown:
            session.travel.redo()
        assert (session.rule.advantage, session.rule.escalation) == (3, 2)

    def test_what_is_typed_and_taken_back_is_no_step(self):
        session = Session("total-effect/roll", {"advantage": 0})
        session.roll()
        for text in ("1", "x", "0"):
            session.receive({"do": "set", "texts": {"advantage": text}})
        session.travel.undo()
        assert session.entries == []

    def test_undo_clears_an_invalid_input(self):
        session = self.session()
        session.receive({"do": "undo", "texts": {"expression": "3d"}})
        assert session.error is None
        assert session.rule.expression == "2d6"

    def test_a_recalled_roll_is_left_by_undo(self):
        session = self.session()
        session.travel.recall(1)
        session.travel.undo()
        assert (session.outcome.dice, session.label, session.seed) == (session.entries[1].outcome.dice, "Two", 5)
        assert len(session.entries) == 2

    def test_a_recalled_roll_is_shown_and_the_next_roll_has_dice_of_its_own(self):
        session = self.session()
        session.receive({"do": "recall", "roll": 1})
        state = session.state()
        assert session.label == "One"
        assert state["directive"].startswith("```{dice:example} One\n")
        assert (state["selected"], state["set"]) == (1, ["Label One"])
        assert (session.rolls, len(session.entries)) == (2, 2)
        session.receive({"do": "roll"})
        assert session.entries[-1].seed not in {5, 61}
        assert session.state()["selected"] == 0
        assert [row.action for row in session.log_rows()] == ["", "", ""]
        with pytest.raises(ParameterError, match="there is no roll 9"):
            session.receive({"do": "recall", "roll": 9})

    def test_only_a_replay_rolls_the_same_dice_and_the_log_says_so(self):
        session = self.session()
        session.receive({"do": "replay", "roll": 1})
        session.receive({"do": "roll"})
        assert [row.action for row in session.log_rows()] == ["", "", "the same dice again", ""]
        with pytest.raises(ParameterError, match="there is no roll 9"):
            session.receive({"do": "replay", "roll": 9})

    @pytest.mark.parametrize("do", ["undo", "clear"])
    def test_a_selection_ends_with_what_is_done_next(self, do):
        session = self.session()
        session.receive({"do": "recall", "roll": 1})
        session.receive({"do": do})
        assert session.state()["selected"] == 0

    def test_code_and_directive_are_of_the_outcome_and_not_of_the_inputs(self):
        session = self.session()
        before = session.view.directive, session.view.code
        session.receive({"label": "Three", "seed": "9", "texts": {"expression": "1d4"}})
        assert (session.view.directive, session.view.code) == before
        assert session.state()["directive"].startswith("```{dice:example} Two\n")

    def test_an_empty_history_is_not_cleared_again(self):
        session = self.session()
        session.clear()
        session.clear()
        session.travel.undo()
        assert [roll["label"] for roll in session.history] == ["One", "Two"]

    def test_a_roll_after_clear_is_undone_to_the_roll_before_clear(self):
        session = self.session()
        outcome = session.outcome
        session.clear()
        session.roll()
        session.travel.undo()
        assert session.outcome is outcome
        assert len(session.history) == 0

    def test_a_new_roll_forgets_what_was_undone(self):
        session = self.session()
        session.travel.undo()
        session.roll()
        assert session.state()["can"]["redo"] is False
        assert [entry.roll for entry in session.entries] == [1, 3]

    @settings(deadline=None)
    @given(st.lists(st.sampled_from(["roll", "clear", "2d8", "1d4"]), max_size=12), st.integers(0, 12))
    def test_what_is_undone_and_redone_is_as_it_was(self, actions, steps):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=1, lock=True)
        for action in actions:
            session.receive({"do": action} if action in {"roll", "clear"} else {"texts": {"expression": action}})
        session.roll()  # what was typed after the last roll is not kept
        before = session.state(), session.log()
        for _ in range(steps):
            session.travel.undo()
        for _ in range(steps):
            session.travel.redo()
        assert (session.state(), session.log()) == before

    def test_each_entry_can_be_played_again(self):
        session = self.session()
        for entry, outcome in zip(session.history, (one.outcome for one in session.entries), strict=True):
            again = dd.play(entry["mechanic"], seed=entry["seed"], **entry["parameters"])
            assert again == outcome
        assert session.history[0] == {
            "label": "One",
            "seed": 61,
            "mechanic": "methuen/expression",
            "parameters": {"expression": "3d6", "actor": {"Intelligence": 4}, "target": {"Defense": 12}},
            "facts": {"total": 11, "raw": 11},
        }
        assert json.loads(session.history.to_json()) == {"dicedocs": 1, "rolls": list(session.history)}

    def test_the_log_has_the_last_hundred_rolls_newest_first(self):
        session = Session("methuen/expression", {"expression": "1d6"})
        for _ in range(130):
            session.roll()
        reply = session.reply()
        assert [one["roll"] for one in reply["history"]] == list(range(130, 30, -1))
        assert reply["left_out"] == "The last 100 of 130 rolls."
        assert len(session.history) == 130


class TestOdds:
    def test_they_are_counted_in_slices(self):
        session = Session("mecha-vs-kaiju/action", {"pool": "d20 d4 d6 d8 d10 d12", "advantage": "true"})
        slices = 0
        while not session.odds.count(seconds=0.005):
            slices += 1
        assert slices > 3
        assert session.state()["odds"]["state"] == "done"

    def test_they_follow_the_inputs(self):
        session = Session("methuen/expression", {"expression": "1d6"})
        session.odds.count(1)
        assert session.state()["odds"]["mean"] == "3.5"
        session.receive(texts(expression="1d"))
        odds = session.state()["odds"]
        assert (odds["mean"], odds["stale"]) == ("3.5", True)
        session.receive(texts(expression="1d8"))
        assert session.state()["odds"]["bars"] == []
        session.odds.count(1)
        assert session.state()["odds"]["mean"] == "4.5"

    def test_open_choices_are_played_for_what_is_said(self, monkeypatch):
        def odds(best, **values):
            session = Session("mecha-vs-kaiju/action-in-play", values | {"pool": "d20", "counter": 1}, best=best)
            session.odds.fact = "impact"
            while not session.odds.count(1):
                pass
            return session.state()["odds"]

        # 17 of 20 faces have an impact of 1, and a 20 may have 2 more.
        one = odds("mean(impact)", choice="open")
        assert (one["mean"], one["message"]) == ("0.95", "Best play for mean(impact).")
        assert odds("-mean(impact)", choice="best")["mean"] == "0.85"
        fixed = odds("mean(impact)", choice="inspiration")
        assert (fixed["mean"], fixed["message"]) == ("0.85", "")
        # Nobody says it, or nobody can: a reader of a page.
        write = "write impact or inspiration, or when: "
        for best, offered in (("", 'best="p(...)" or best="mean(...)"'), (None, "")):
            refused = odds(best, choice="open")
            assert (refused["state"], refused["mean"], write in refused["message"]) == ("refused", "", True)
            assert refused["message"].endswith(offered or 'else "impact"')
        monkeypatch.setattr(limits, "BRANCHES", limits.BRANCHES.fixed(10))
        refused = odds("mean(impact)", choice="open")
        assert (refused["state"], "the limit BRANCHES is 10" in refused["message"]) == ("refused", True)
        for id, best, message in (
            ("mecha-vs-kaiju/action-in-play", "median(impact)", "not for median"),
            ("dice/roll", "mean(total)", "nothing is chosen in this mechanic; leave out best"),
        ):
            with pytest.raises(ParameterError, match=message):
                Session(id, {}, best=best)

    def test_they_have_the_bands_of_the_fact(self):
        session = Session("total-effect/roll", {"threshold": 13})
        session.odds.count(1)
        # 3d6 is 13 or more in 56 of 216 ways; 13 is the eleventh of its values.
        assert session.state()["odds"]["bands"] == [
            ["Threshold: no", 0, 10, "74.1%"],
            ["Threshold: yes", 10, 16, "25.9%"],
        ]

    def test_they_have_no_bands_when_a_play_fails(self, monkeypatch):
        session = Session("total-effect/roll", {"threshold": 13})
        session.odds.count(1)

        def fail(*_):
            raise ZeroDivisionError

        monkeypatch.setattr("dicedocs.panel.view.live_odds.odds_bands", fail)
        assert (session.state()["odds"]["bands"], len(session.state()["odds"]["bars"])) == ([], 16)

    def test_the_outcome_is_marked_in_them(self):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61)
        session.odds.count(1)
        assert session.state()["odds"]["here"] == -1
        session.roll()
        odds = session.state()["odds"]
        assert odds["bars"][odds["here"]] == ["11", 0.125, "12.5%"]
        assert odds["where"] == "11 or more: 50.0%, 11 or less: 62.5%"
        session.receive(texts(expression="3d8"))
        session.odds.count(1)
        assert session.state()["odds"]["here"] == -1

    def test_a_truth_value_has_no_cumulative_odds(self):
        session = Session("methuen/check", {"check": "1d20 >= 16"}, seed=1)
        session.odds.count(1)
        session.roll()
        assert session.state()["odds"]["where"] in {"yes: 25%", "no: 75%"}

    def test_the_fact_can_be_chosen(self):
        session = Session("total-effect/roll")
        session.receive({"do": "odds-of", "fact": "low"})
        session.odds.count(1)
        assert session.state()["odds"]["label"] == "Low"
        assert session.odds.exactly().p("= 1") == 1 - dd.Distribution.dice(1, 6).p("> 1") ** 3
        with pytest.raises(ParameterError, match="did you mean 'high'"):
            session.receive({"do": "odds-of", "fact": "hihg"})

    def test_odds_that_exceed_a_limit_are_estimated(self):
        class Much(Mechanic):
            class Result(Outcome):
                total: int

            def resolve(self, dice: Dice, say: Say) -> Result:
                return self.Result(sum(dice.each(*[20] * 12)))

        session = Session(Much)
        session.odds.count(30)
        odds = session.state()["odds"]
        assert odds["state"] == "estimated"
        assert "10000 rolls" in odds["message"]
        assert 125 < float(odds["mean"]) < 127
        with pytest.raises(dd.LimitError, match="BRANCHES"):
            session.odds.exactly()

    @every(
        ("dice", "play", "state", "message", "limit"),
        [
            (1, 1 / 16, "done", "", None),
            # 3 seconds are 48 plays, of which the first 4 tell how many dice are thrown.
            (4, 1 / 16, "estimated", "this is how 44 rolls came out", "PANEL_SECONDS"),
            # It takes three plays to refuse it: the one that is too much, one for its steps, and one for its places.
            (8, 1 / 16, "estimated", "this is how 41 rolls came out", "BRANCHES"),
            (4, 5 / 8, "estimated", "this is how 1 roll came out", "PANEL_SECONDS"),
            (4, 1, "refused", "longer than 3 seconds; the limit PANEL_SECONDS is 3", "PANEL_SECONDS"),
        ],
    )
    def test_a_slow_rule_holds_nothing_up_for_longer_than_a_play(self, monkeypatch, dice, play, state, message, limit):
        monkeypatch.setattr(live_odds, "perf_counter", lambda: Slow.now)
        monkeypatch.setattr(limits, "PANEL_SECONDS", limits.PANEL_SECONDS.fixed(3))
        session, holds, going = Session(Slow, {"number": str(dice), "takes": str(int(play * 16))}), [], True
        while going:
            before = Slow.now
            going = not session.odds.count()
            holds.append(Slow.now - before)
        assert max(holds) <= (3 if limit == "BRANCHES" else 1) * play
        assert sum(holds) < 2 * 3 + 3
        odds = session.state()["odds"]
        assert odds["state"] == state
        assert message in odds["message"]
        assert bool(odds["bars"]) == (state != "refused")
        if limit is None:
            assert session.odds.exactly() == dd.Distribution.dice(1, 6)
        else:
            with pytest.raises(dd.LimitError, match=limit):
                session.odds.exactly()

    def test_the_time_for_odds_can_be_raised(self, monkeypatch):
        monkeypatch.setattr(live_odds, "perf_counter", lambda: Slow.now)
        with dd.raise_limits(PANEL_SECONDS=100):
            session = Session(Slow, {"number": "4", "takes": "1"})
        # All 1296 branches, which take 81 seconds.
        assert session.odds.exactly() == dd.Distribution.dice(4, 6)

    def test_a_rule_that_fails_has_no_odds_but_an_error(self):
        session = Session(Trap, {"how": "resolve"})
        session.odds.count(1)
        assert session.state()["odds"]["state"] == "refused"
        assert "gone" in session.state()["odds"]["message"]
        with pytest.raises(KeyError):
            session.odds.exactly()


def test_a_malformed_message_is_refused():
    session = Session(Trap)
    for message in ({"do": "dance"}, {"do": "set", "texts": [1]}, texts(who="x"), {"parts": {"who": []}}):
        with pytest.raises(ParameterError):
            session.receive(message)


def test_texts_of_players_are_escaped():
    evil = "<script>alert(1)</script>\"'`"
    session = Session("ember/haul", {"note": evil, "crew": f"{evil}: skill 1"}, label=evil)
    session.roll()
    outcome = session.state()["outcome"]
    assert "<script" not in outcome["html"]
    assert "&lt;script" in outcome["html"]


def test_what_is_drawn_is_not_said_again():
    session = Session("dungeoneers/action-roll", {"pool": "5 2", "spend": "2", "difficulty": 5, "stat": 3})
    session.roll()
    outcome = session.state()["outcome"]
    assert [label for label, _dice, _rest in outcome["pools"]] == ["Pool before", "Pool after"]
    assert "Spent" not in outcome["html"].partition("dice-result")[2]
    assert "Dice spent 2" in outcome["sentence"]  # for those who do not see the drawing
