"""Panels from Python: traits, messages, limits, history, odds, display and closing."""

import asyncio
import json
import subprocess
import sys
from fractions import Fraction
from threading import Thread
from typing import Literal

import ipywidgets as w
import pytest
import traitlets as t

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, ParameterError, Say, param
from dicedocs.rules.kinds import as_line
from dicedocs.rules.registry import mechanic
from dicedocs_widgets import GamePanel, Panel, panel, roller, tray
from dicedocs_widgets.widget import trait_name

from .conftest import deliver, models, sent, state_of

MAX_STATE = 3_200


class Clash(Mechanic):
    """A rule whose parameters have the names of a panel's own attributes."""

    label: str = param(default="mine", help="a label of its own")
    value: int = param(default=3, help="a value of its own")
    pool: dd.Sizes = param(default=(6, 6), help="dice")
    mood: Literal["calm", "wild"] | None = param(default=None, help="a mood")

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.sum("Total", *dice.each(*self.pool), value=self.value))


class Broken(Mechanic):
    """A rule that fails when it is rolled."""

    fail: bool = param(default=True, help="whether it does")

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(1 // (not self.fail))


@pytest.mark.parametrize("id", dd.mechanics())
class TestEveryMechanic:
    def test_its_parameters_are_traits_with_the_values_of_its_example(self, id):
        made = panel(id)
        for name, field in mechanic(id).parameters().items():
            trait = trait_name(name)
            value = getattr(made, trait)
            assert field.convert(value) == field.example
            assert made.trait_metadata(trait, "help") is not None
            setattr(made, trait, value)
        assert (made.error, made.outcome, made.value, made.rolls) == (None, None, None, 0)

    def test_it_rolls_and_updates_its_traits(self, id, page):
        made = panel(id, seed=61, label="Kira")
        page(made).send("roll")
        assert made.outcome == mechanic(id).example().play(dd.SeededDice(61))
        assert (made.value, made.rolls, made.seed) == (made.outcome.value, 1, 61)
        assert made.odds.p(f"= {as_line(made.value)}") > 0
        assert made.history[0]["label"] == "Kira"
        assert made.code.endswith("seed=61)") or "    seed=61,\n" in made.code

    def test_its_saved_state_is_small(self, id, page):
        made = panel(id, seed=61, label="Theron, Arcane Bolt")
        player = page(made)
        for roll in range(40):
            player.send("roll", time=f"2026-11-22T21:{roll:02}:07")
        assert len(made.odds)
        assert len(json.dumps(models()[made.model_id])) <= MAX_STATE


@pytest.mark.parametrize("make", [lambda: panel("dungeoneers"), tray])
def test_the_saved_state_of_a_table_and_a_tray_is_small(make, page):
    made = make()
    player = page(made)
    for roll in range(40):
        plays = [play["id"] for play in state_of(made).get("game", {"plays": []})["plays"] if play["can"]]
        what = {"do": "press", "play": plays[roll % len(plays)]} if plays else {"do": "roll"}
        player.send(**what, label="Theron, Arcane Bolt", time=f"2026-11-22T21:{roll:02}:07")
    assert len(made.history) == 40
    assert len(json.dumps(models()[made.model_id])) <= MAX_STATE


HALF = "Ash\ud800"
"""A text with half of a character, which cannot be encoded."""


@pytest.mark.parametrize(
    "make",
    [
        lambda: panel("total-effect/roll", label=HALF, description=HALF),
        lambda: panel("dice/roll", notation="1d6 + [Str]", actor={"Str": 1, HALF: 3}),
        lambda: panel("mage-in-the-metal/contest", contestants=f"{HALF}: skill 3; Bo: skill 4"),
    ],
)
def test_half_a_character_from_python_reaches_the_page_as_a_replacement(make):
    made = make()
    made.label = made.description = HALF
    made.roll()
    assert made.label == made.description == "Ash\ufffd"
    sent = [json.dumps(models()[made.model_id], ensure_ascii=False), json.dumps(state_of(made), ensure_ascii=False)]
    sent.append(json.dumps(made._session.reply(whole=True), ensure_ascii=False))
    assert "Ash\ufffd" in sent[1]
    for text in sent:
        text.encode()


def test_panels_share_one_model_for_their_front_end():
    before = models()
    made = [panel("total-effect/roll") for _ in range(3)]
    made.append(panel("methuen/check"))
    new = {id: state for id, state in models().items() if id not in before}
    assert len(new) == 2 * len(made) + 1
    [frontend] = [id for id, state in new.items() if "packed" in state]
    assert {new[one.model_id]["_front"] for one in made} == {f"IPY_MODEL_{frontend}"}
    assert len(new[frontend]["forms"]) == 2
    assert len({type(one) for one in made}) == 2
    assert len(new[made[0].model_id]["_esm"]) < 400


def test_close_closes_all_models_of_a_panel():
    first = panel("total-effect/roll")
    before = set(models())
    made = panel("total-effect/roll")
    made.roll()
    made.close()
    assert set(models()) == before
    made.close()
    first.close()
    assert len(models()) == len(before) - 2


def test_a_given_layout_is_not_closed():
    layout = w.Layout(width="20em")
    panel("total-effect/roll", layout=layout).close()
    assert layout.comm is not None
    assert panel("total-effect/roll", layout={"width": "3em"}).layout.width == "3em"


class TestTraits:
    def test_links_go_both_ways(self):
        slider, made = w.IntSlider(max=5), panel("total-effect/roll")
        t.link((slider, "value"), (made, "advantage"))
        slider.value = 3
        assert made.roll().rule.advantage == 3
        made.advantage = "2"
        assert slider.value == 2
        other = panel("total-effect/roll")
        t.dlink((made, "escalation"), (other, "escalation"))
        made.escalation = -4
        assert other.roll().rule.escalation == -4

    def test_the_value_is_linked_in_the_page_and_set_by_rolls_alone(self):
        progress, made = w.IntProgress(max=18), panel("total-effect/roll", seed=61)
        w.jsdlink((made, "value"), (progress, "value"))
        # Before the first roll, too, it is something that other widgets can show.
        first = {"dice/check": False, "mage-in-the-metal/contest": "", "dungeoneers/rest": ""}
        panels = {id: panel(id) for id in first}
        assert {id: models()[one.model_id]["value"] for id, one in panels.items()} == first
        assert models()[made.model_id]["value"] == 0
        made.roll()
        # By hand: 4, 2 and 5 do not reach 13, and the first fact is the total.
        assert models()[made.model_id]["value"] == made.value == 11
        made.set_state({"value": 3, "disabled": True})
        assert (made.value, made.disabled) == (11, True)
        with pytest.raises(TypeError, match="cannot be synced"):
            w.jslink((made, "advantage"), (progress, "value"))

    def test_a_typed_value_reaches_links_if_it_is_valid(self, page):
        slider, made = w.IntSlider(max=5), panel("total-effect/roll")
        t.link((slider, "value"), (made, "advantage"))
        page(made).send(texts={"advantage": "4"})
        assert slider.value == 4
        page(made).send(texts={"advantage": "4x"})
        assert (slider.value, made.advantage) == (4, 4)
        assert made.error.message == "'4x' is not a whole number, at least 0"

    def test_values_are_themselves_or_their_text(self):
        made = panel("mecha-vs-kaiju/action")
        made.pool = [20, 8, 8]
        assert made.pool == "d20 2d8"
        rolled = panel("methuen/expression", actor={"Wit": 4}, expression="[Wit]", target="none")
        assert rolled.actor == {"Wit": 4}
        rolled.actor = "Wit=5"
        assert rolled.actor["Wit"] == 5

    def test_a_value_that_does_not_convert_is_refused(self):
        made = panel("total-effect/roll")
        for name, value in {"advantage": "x", "invert": 3, "seed": 1.5, "lock": "x", "odds_of": "totl"}.items():
            with pytest.raises(t.TraitError):
                setattr(made, name, value)
        for name in ("outcome", "value", "rolls", "error"):
            with pytest.raises(t.TraitError, match="read-only"):
                setattr(made, name, 1)
        assert made.error is None

    def test_an_error_of_the_rule_is_not_an_error_of_the_assignment(self):
        made = panel("total-effect/roll")
        made.effect = None
        made.invert = True
        assert str(made.error) == "invert: there is no effect to invert; choose an effect: low, mid, high or a number"
        with pytest.raises(dd.ParameterError, match="no effect"):
            made.roll()
        made.invert = False
        assert made.error is None

    def test_an_error_of_a_notation_is_not_an_error_of_the_assignment(self):
        made = roller("3d6", seed=61)
        made.roll()
        made.notation = "3d6 + * 2"
        assert isinstance(made.error, dd.NotationError)
        assert made.outcome.total == 11
        with pytest.raises(dd.NotationError):
            made.roll()

    def test_an_unknown_name_is_refused(self):
        made = panel("total-effect/roll")
        with pytest.raises(AttributeError, match="did you mean 'advantage'"):
            made.advantag = 3
        with pytest.raises(AttributeError):
            _ = made.advantag
        with pytest.raises(dd.ParameterError, match="did you mean 'advantage'"):
            panel("total-effect/roll", advantag=3)
        made.description = "what interact writes"

    def test_a_panel_works_with_interact(self):
        made = roller("3d6", seed=61)
        seen = []
        shown = w.interactive(lambda total: seen.append(total), total=made)  # noqa: PLW0108 - its name is read
        made.roll()
        assert seen[-1] == 11
        shown.close()

    def test_a_panel_can_be_in_a_box_or_tab(self):
        box = w.HBox([panel("total-effect/roll"), w.Tab([roller()])])
        assert len(box.children) == 2

    def test_a_parameter_with_a_reserved_name_has_an_underscore(self):
        made = panel(Clash, label="a roll", label_="theirs", value_=5)
        assert (made.label, made.label_, made.value_) == ("a roll", "theirs", 5)
        made.roll()
        assert made.value == made.outcome.total
        assert made.history[0]["parameters"]["label"] == "theirs"
        made.label_ = "new"
        assert made.roll().rule.label == "new"


class TestObserving:
    def test_all_traits_are_set_before_observers_are_called(self):
        made = roller("3d6", seed=61)
        seen = []
        made.observe(lambda change: seen.append((made.value, made.rolls, made.seed, change.new.total)), "outcome")
        made.roll()
        assert seen == [(11, 1, 61, 11)]

    def test_rolls_changes_even_if_the_outcome_does_not(self):
        made = roller("3d6", seed=61, lock=True)
        outcomes, rolls = [], []
        made.observe(lambda change: outcomes.append(change.new), "outcome")
        made.observe(lambda change: rolls.append(change.new), "rolls")
        made.roll()
        made.roll()
        assert (len(outcomes), rolls) == (1, [1, 2])

    def test_an_error_in_a_callback_is_raised_and_told_to_the_page_and_the_roll_stays(self, page):
        made = roller("3d6", seed=61)
        made.observe(lambda _: 1 // 0, "outcome")
        with pytest.raises(ZeroDivisionError):
            made.roll()
        assert (made.value, made.rolls, state_of(made)["rolls"]) == (11, 1, 1)
        made.seed = 5
        with pytest.raises(ZeroDivisionError):
            deliver(made, {"do": "roll", "view": "v", "n": 1})
        assert "ZeroDivisionError" in sent[-1][2]["content"]["failed"]
        assert made.rolls == 2

    def test_cells_and_the_page_take_turns(self):
        """JupyterLab handles messages in another thread; counting in two at once would break the generator."""
        made = panel("mecha-vs-kaiju/action", pool="d20 d6 d8 d10", advantage=True)
        failures, messages = [], set()

        def play(seed):
            for turn in range(8):
                try:
                    made.modifier = turn * seed
                    deliver(made, {"do": "roll", "view": str(seed), "n": turn})
                    messages.add(state_of(made)["odds"]["message"])
                except Exception as error:  # noqa: BLE001  # an exception in a thread would be lost
                    failures.append(error)

        threads = [Thread(target=play, args=(seed,)) for seed in (1, 2, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (failures, made.rolls, messages) == ([], 24, {""})

    def test_an_observer_may_set_another_parameter(self):
        made = panel("total-effect/roll")
        made.observe(lambda change: setattr(made, "disadvantage", change.new + 1), "advantage")
        made.advantage = 2
        rule = made.roll().rule
        assert (rule.advantage, rule.disadvantage) == (2, 3)


class TestMessages:
    def test_what_it_carries_is_set_first(self, page):
        view = page(roller("1d4"))
        view.send("roll", texts={"notation": "3d6"}, seed="61", lock=True, label="Bolt")
        made = view.panel
        assert (made.outcome.dice, made.seed, made.lock, made.label) == ((4, 2, 5), 61, True, "Bolt")

    @pytest.mark.parametrize(
        "message", [{"do": "dance"}, {"do": {}}, {"texts": [1]}, {"texts": {"who": "x"}}, {"parts": {"who": 1}}]
    )
    def test_a_message_that_is_refused_is_answered_with_the_reason_and_changes_nothing(self, page, message):
        made = panel("total-effect/roll")
        assert len(made.odds)  # counted, since the state says how much is
        before = state_of(made)
        deliver(made, {"view": "v", "n": 7, "label": "Kira", **message})
        content = sent[-1][2]["content"]
        assert content["for"] == {"v": 7}
        assert content["failed"]
        assert state_of(made) == before

    @pytest.mark.parametrize("message", [None, [], "roll", 5, {"view": [], "n": {}}, {"n": True, "view": "v"}])
    def test_what_is_no_message_is_answered_too(self, page, message):
        made = panel("total-effect/roll")
        deliver(made, message)
        content = sent[-1][2]["content"]
        assert content["for"] == {}
        assert "malformed" in content["failed"]

    def test_the_error_of_a_rule_is_shown_and_the_panel_can_be_used_again(self, page):
        made = panel(Broken)
        with pytest.raises(ZeroDivisionError):
            deliver(made, {"view": "v", "n": 1, "do": "roll"})
        assert state_of(made)["error"]["message"].startswith("the rule failed: ZeroDivisionError")
        assert str(made.error).startswith("the rule failed")
        page(made).send("roll", texts={"fail": "false"})
        assert (made.value, made.error) == (1, None)

    def test_each_view_of_a_panel_is_answered(self, page):
        made = panel("total-effect/roll")
        deliver(made, {"view": "a", "n": 1, "do": "roll"})
        deliver(made, {"view": "b", "n": 9, "do": "set"})
        answers = [data["content"]["for"] for _, _, data in sent if data and data.get("method") == "custom"]
        assert answers == [{"a": 1}, {"b": 9}]


async def turns_until_counted(made):
    """Wait until the odds of a panel are counted, and return how often the loop ran meanwhile."""
    turns = 0
    while state_of(made)["odds"]["state"] == "counting":
        await asyncio.sleep(0)
        turns += 1
    return turns


class TestOdds:
    def test_they_are_counted_while_the_loop_runs(self):
        async def session():
            made = panel("mecha-vs-kaiju/action", pool="d20 d4 d6 d8 d10 d12", advantage=True)
            assert state_of(made)["odds"]["state"] == "counting"
            made.roll()
            turns = await turns_until_counted(made)
            return state_of(made)["odds"], turns, made

        odds, turns, made = asyncio.run(session())
        assert odds["state"] == "done"
        assert odds["bars"][odds["here"]]
        assert turns > 5
        assert made.odds is made.odds

    def test_changing_the_rule_meanwhile_counts_the_new_one(self):
        async def session():
            made = panel("mecha-vs-kaiju/action", pool="d20 d4 d6 d8 d10 d12", advantage=True)
            await asyncio.sleep(0.02)
            made.pool = "d20 d4"
            made.advantage = False
            await turns_until_counted(made)
            return state_of(made)["odds"]

        odds = asyncio.run(session())
        assert (odds["stale"], odds["state"]) == (False, "done")

    def test_closing_ends_the_counting(self):
        async def session():
            made = panel("mecha-vs-kaiju/action", pool="d20 d4 d6 d8 d10 d12", advantage=True)
            await asyncio.sleep(0)
            made.close()
            await asyncio.sleep(0)
            return asyncio.all_tasks() == {asyncio.current_task()}

        assert asyncio.run(session())

    def test_the_history_of_many_rolls_is_sent_once(self):
        async def session():
            made = roller("1d6")
            await asyncio.sleep(0)
            sent.clear()
            for _ in range(50):
                made.roll()
            await asyncio.sleep(0)

        asyncio.run(session())
        assert sum("history" in (data or {}).get("content", {}) for _, _, data in sent) == 1

    def test_without_a_loop_they_are_counted_on_access(self):
        made = panel("total-effect/roll", advantage=1)
        assert state_of(made)["odds"]["state"] == "counting"
        assert made.odds.p(">= 13") == dd.odds("total-effect/roll", "total", advantage=1).p(">= 13")
        assert state_of(made)["odds"]["state"] == "done"
        made.odds_of = "low"
        assert made.odds.names == ("low",)


class TestHistory:
    def test_recall_and_clear(self):
        made = roller("3d6", seed=61)
        made.roll()
        made.notation = "1d4"
        made.roll()
        made.recall(1)
        assert made.notation == "3d6"
        assert made.replay(1).value == 11
        made.clear()
        assert len(made.history) == 0

    def test_it_is_a_table(self):
        made = panel("dungeoneers/timer", seed=3)
        made.roll()
        made.roll()
        table = made.to_pandas()
        assert list(table.columns) == [
            *("roll", "time", "who", "target", "label", "note", "mechanic", "seed", "faces", "again", "struck"),
            *("changes", "refused", "by_hand"),
            *("cooldown", "duration", "rounds"),
            *("cooldown (fact)", "duration (fact)", "ready", "active"),
        ]
        assert table["cooldown"].tolist() == [6, 6]
        assert len(made.history.to_pandas()) == 2
        assert "<table" in made.history._repr_html_()
        assert str(made.history).startswith("1. Cooldown ")

    def test_it_is_json(self):
        made = roller("3d6", seed=61)
        made.roll()
        [roll] = json.loads(made.to_json())["rolls"]
        assert dd.play(roll["mechanic"], seed=roll["seed"], **roll["parameters"]) == made.outcome
        assert made.history == [roll]

    def test_a_hundred_rolls_of_more_are_shown(self):
        made = roller("1d6")
        for _ in range(101):
            made.roll()
        assert len(json.dumps(made.get_state(), default=str)) < MAX_STATE
        assert "The last 100 of 101 rolls" in made.history._repr_html_()


class TestDisplay:
    def test_the_output_has_the_outcome_beside_the_widget(self):
        made = roller("3d6", seed=61)
        data, _ = made._repr_mimebundle_()
        assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == made.model_id
        assert "No roll yet" in data["text/html"]
        made.roll()
        data, _ = made._repr_mimebundle_()
        assert "dice-outcome" in data["text/html"]
        assert 'aria-label="d6 showing 4"' in data["text/html"]
        assert data["text/latex"].startswith(r"\begin{description}")
        assert data["text/plain"].endswith("Total 11")

    def test_texts_of_players_are_escaped(self, page):
        evil = "<script>alert(1)</script>"
        made = panel("methuen/expression", expression="3d6", actor={evil: 3}, label=evil)
        page(made).send("roll")
        data, _ = made._repr_mimebundle_()
        assert "<script" not in data["text/html"]
        assert "<script" not in state_of(made)["outcome"]["html"]
        assert "<script" not in made.history._repr_html_()

    def test_its_repr_is_the_call_that_creates_it(self):
        made = panel("total-effect/roll", advantage=2, effect="mid", threshold="none")
        assert repr(made) == "panel('total-effect/roll', advantage=2, effect=\"mid\")"

    def test_its_odds_are_of_best_play(self):
        choices = {"scratch": "lowest", "choice": "open", "best": "mean(impact)"}
        made = panel("mecha-vs-kaiju/action-in-play", pool="d20", counter=1, **choices)
        made.odds_of = "impact"
        assert made.odds.mean == Fraction(17 + 2, 20)
        assert repr(made).endswith(', best="mean(impact)")')
        with pytest.raises(ParameterError, match="the panel of 'dungeoneers' shows no odds"):
            panel("dungeoneers", best="mean(impact)")


class TestFactory:
    def test_a_mechanic_of_another_package_has_a_panel(self):
        made = panel("ember/haul", crew="Ash: skill 3")
        assert made.roll().fact("total") >= 1
        assert made.crew == "Ash: skill 3"

    def test_a_roller_with_an_expression_has_no_resources_of_the_example(self):
        assert dict(roller("1d6").actor) == {}
        assert dict(roller().actor) == {"Strength": 4}
        assert roller("[Wit]", {"Wit": 4}, "Guard=2").roll().fact("total") == 4

    def test_an_unknown_id_is_an_error_with_near_matches(self):
        with pytest.raises(dd.ParameterError, match="did you mean 'dungeoneers'"):
            panel("dungeoners")
        with pytest.raises(dd.ParameterError, match="did you mean 'total-effect/roll'"):
            panel("total-effect/rol")

    def test_a_games_own_panel_has_the_id_of_its_system(self):
        assert isinstance(panel("dungeoneers"), GamePanel)
        assert not isinstance(panel("dungeoneers/action-roll"), GamePanel)
        assert isinstance(panel("dungeoneers"), Panel)

    @pytest.mark.parametrize("value", ["nowhere:GAME", "json:dumps"])
    def test_a_panel_that_cannot_be_loaded_is_an_error(self, value, monkeypatch):
        from importlib.metadata import EntryPoint

        from dicedocs_widgets import factory

        entry = EntryPoint("broken", value, factory.GROUP)
        monkeypatch.setattr(factory, "offered_panels", lambda: {"broken": entry})
        with pytest.raises(dd.DiceError, match="'broken'"):
            panel("broken")


def test_importing_loads_neither_pandas_nor_matplotlib():
    source = (
        "import sys, dicedocs_widgets; assert 'ipywidgets' not in sys.modules\n"
        "from dicedocs_widgets import panel; p = panel('total-effect/roll'); p.roll(); p._repr_mimebundle_()\n"
        "print(sorted({'pandas', 'matplotlib', 'numpy', 'sphinx', 'docutils', 'dicedocs_sphinx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class TestRealDice:
    def test_a_panel_takes_their_faces(self):
        made = roller("3d6", dice="4 2 5")
        assert state_of(made)["faces"] == "4 2 5"
        assert (made.roll().value, made.roll([1, 1, 1]).value) == (11, 3)
        made.roll()
        assert made.to_pandas()["seed"].isna().tolist() == [True, True, False]
        with pytest.raises(ParameterError, match="'x' is not a face"):
            panel("total-effect/roll", dice="x")

    def test_a_play_of_a_game_takes_them(self):
        made = panel("dungeoneers", stat=3, difficulty=5)
        assert made.play("round", dice=[1, 2, 3, 4, 5]).pool == (1, 2, 3, 4, 5)
        assert made.log().endswith("(rolled by hand)")
