"""The panel of a Dungeoneers player, against the rules."""

import json
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.panel.forms.game_session import GameSession
from dicedocs_widgets import panel
from dicedocs_widgets.panels.dungeoneers import PLAYER, Ability, Pool

from ..examples import many
from .conftest import state_of


@pytest.fixture
def freya():
    """Freya in her first round, with the dice 4, 3, 4, 1 and 2 (D15)."""
    made = panel("dungeoneers", stat=4, difficulty=5)
    made.play("round")
    made.state = made.state._replace(faces=(4, 3, 4, 1, 2))
    return made


def dice_of(made):
    return [(die["face"], die["state"], die["pressed"]) for die in state_of(made)["game"]["dice"]]


def possible(made):
    return {play["id"]: play["can"] for play in state_of(made)["game"]["plays"]}


def test_the_pool_is_thrown_when_the_player_phase_starts():
    made = panel("dungeoneers")
    assert dice_of(made) == [("-", "not thrown", "")] * 5
    assert possible(made) == {"roll": False, "round": True, "rest": False, "ability": False}
    with pytest.raises(dd.DiceError, match="thrown when the player phase starts"):
        made.roll()
    assert state_of(made)["error"]["message"] == "the pool is thrown when the player phase starts"
    outcome = made.play("round")
    assert made.state == Pool(outcome.pool, round=1)
    assert len(outcome.dice) == 5
    assert state_of(made)["game"]["note"] == "Round 1"


def test_dice_are_marked_by_pressing(freya, page):
    view = page(freya)
    view.send("press", die=4)
    assert dice_of(freya)[3] == (1, "", "spend")
    view.send("press", die=4)
    assert dice_of(freya)[3] == (1, "", "reroll")
    view.send("press", die=4)
    assert dice_of(freya)[3] == (1, "", "")


def test_the_die_showing_1_suffices(freya):
    # D15: difficulty 5, arcana 4.
    freya.press(4)
    outcome = freya.roll()
    assert (outcome.total, outcome.success, outcome.spent) == (5, True, (4,))
    assert freya.state.exhausted == (4,)
    assert dice_of(freya)[3] == (1, "exhausted", "")
    freya.press(4)
    assert dice_of(freya)[3] == (1, "exhausted", "")


def test_without_marks_as_few_dice_as_possible_are_spent(freya):
    assert freya.roll().spent == (4,)


def test_the_next_round_rerolls_what_is_exhausted_and_what_is_marked(freya):
    freya.press(4)
    freya.roll()
    freya.press(2)
    freya.press(2)
    outcome = freya.play("round")
    assert len(outcome.dice) == 2
    assert [freya.state.faces[index] for index in (0, 2, 4)] == [4, 4, 2]
    assert (freya.state.exhausted, freya.state.reroll, freya.state.round) == ((), (), 2)


def test_a_die_that_is_spent_is_not_rerolled_as_well(freya):
    freya.press(1)
    freya.press(1)
    freya.press(1)
    freya.press(2)
    freya.press(2)
    freya.state = freya.state._replace(spend=(2,))
    freya.roll()
    assert freya.state.reroll == ()


def test_rest_restores_the_exhausted_dice(freya):
    assert not possible(freya)["rest"]
    freya.press(1)
    freya.roll()
    assert possible(freya)["rest"]
    outcome = freya.play("rest")
    assert (len(outcome.dice), freya.state.exhausted, freya.state.faces[1:]) == (1, (), (3, 4, 1, 2))
    assert freya.state.round == 1


def test_a_roll_without_dice_costs_stress_and_pushing_costs_more(freya):
    freya.state = freya.state._replace(exhausted=(1, 2, 3, 4, 5))
    assert freya.roll().total == 4
    assert freya.state.stress == 1
    freya.push = True
    outcome = freya.roll()
    assert (outcome.total, freya.state.stress) == (4 + outcome.dice[0], 3)
    assert freya.state.faces[0] == outcome.dice[0]
    assert {"label": "Stress", "value": 3, "of": None} in state_of(freya)["game"]["gauges"]


def test_pushing_has_no_effect_while_dice_are_left(freya):
    freya.push = True
    assert freya.error is None
    assert freya.roll().stress == 0


def test_an_ability_cools_down_a_round_at_a_time(freya):
    freya.ability, freya.cooldown, freya.duration = "Haste", 6, 4
    outcome = freya.play("ability")
    left = Ability("Haste", outcome.cooldown, outcome.duration)
    assert freya.state.abilities == (left,)
    assert not possible(freya)["ability"]
    with pytest.raises(dd.DiceError, match="Haste can be used again in"):
        freya.play("ability")
    freya.ability = "Shield"
    assert possible(freya)["ability"]
    freya.ability = "Haste"
    for gone in range(1, outcome.cooldown + 1):
        assert not possible(freya)["ability"]
        freya.play("round")
        haste = {one.name: one for one in freya.state.abilities}.get("Haste", Ability("Haste", 0, 0))
        assert haste == Ability("Haste", outcome.cooldown - gone, max(0, outcome.duration - gone))
    assert possible(freya)["ability"]


def test_the_pool_grows_and_shrinks(freya):
    freya.press(5)
    freya.size = 7
    assert dice_of(freya)[5:] == [("-", "not thrown", "")] * 2
    freya.size = 4
    assert (freya.state.faces, freya.state.spend, freya.state.exhausted) == ((4, 3, 4, 1), (), ())


def test_redo_restores_every_state_and_a_new_beginning(freya):
    states = []
    for action in ("roll", "round", "restart", "round", "roll", "rest"):
        freya.restart() if action == "restart" else freya.play(action)
        states.append((freya.state, freya.outcome))
    assert states[2][0].faces == (None,) * 5
    for _ in states:
        freya.undo()
    for state in states:
        freya.redo()
        assert (freya.state, freya.outcome) == state
    assert len(freya.history) == 1 + 5


def test_history_and_code_are_those_of_the_mechanics(freya):
    freya.label = "Freya"
    freya.roll()
    assert "dungeoneers/action-roll" in freya.code
    assert freya.directive.startswith("```{dice:example} Freya\n:mechanic: dungeoneers/action-roll\n:pool: 4 3 4 1 2\n")
    assert [roll["mechanic"] for roll in freya.history] == ["dungeoneers/player-phase", "dungeoneers/action-roll"]


@pytest.mark.parametrize("name", ["odds", "odds_of", "pin", "replay", "roll_each"])
def test_it_has_nothing_that_one_mechanic_would_need(freya, name):
    assert not hasattr(freya, name)


@given(
    st.lists(
        st.sampled_from(["roll", "round", "rest", "ability", 1, 3, 5, "size", "undo", "redo", "restart"]), max_size=25
    ),
    st.data(),
)
@settings(max_examples=many(60), deadline=None)
def test_the_pool_stays_valid_after_any_actions(actions, data):
    session = GameSession(PLAYER)
    for action in actions:
        if action in {"undo", "redo", "restart"}:
            getattr(session if action == "restart" else session.travel, action)()
        elif action == "size":
            session.set_values({"size": data.draw(st.integers(1, 9))})
        elif isinstance(action, int):
            if action <= len(session.game_state.faces):
                session.press(action)
        else:
            try:
                session.play(action)
            except dd.DiceError:
                assert action != "round"
        pool = session.game_state
        assert len(pool.faces) == session.inputs.values["size"]
        assert all(face is None or 1 <= face <= 6 for face in pool.faces)
        assert all(die in pool.exhausted for die, face in enumerate(pool.faces, 1) if face is None)
        assert not {*pool.spend, *pool.reroll} & set(pool.exhausted)
        assert not set(pool.spend) & set(pool.reroll)
        assert json.loads(json.dumps(session.state())) == session.state()


# Previews


def preview(made):
    return state_of(made)["game"]["preview"]


def test_the_chosen_dice_show_what_they_come_to(freya):
    # 3 + 1 + 4 reaches 5, and by 3 more: a greater success (D31).
    freya.press(2)
    freya.press(4)
    assert preview(freya) == ["3 + 1 + 4 = 8: greater success"]
    freya.difficulty = 9
    assert preview(freya) == ["3 + 1 + 4 = 8: partial success"]
    freya.fight = True
    assert preview(freya) == ["3 + 1 + 4 = 8: failure"]
    freya.press(1)
    assert preview(freya) == ["4 + 3 + 1 + 4 = 12: success"]


def test_without_a_choice_the_dice_of_the_rule_are_shown(freya):
    # D15: the die showing 1 is enough.
    assert preview(freya) == ["If you choose no dice: 1 + 4 = 5: success"]


def test_before_the_first_round_nothing_is_shown():
    assert preview(panel("dungeoneers")) == []


def test_with_no_dice_left_the_stat_alone_counts_or_a_push(freya):
    freya.state = freya.state._replace(exhausted=(1, 2, 3, 4, 5))
    freya.difficulty = 8
    assert preview(freya) == ["4: failure"]
    freya.push = True
    # 4, 5 or 6 of six faces: 8 - 4 is reached.
    assert preview(freya) == ["With a push: success in 50%."]


def test_the_chance_that_a_reroll_helps_is_that_of_all_throws(freya):
    # Difficulty 8 with stat 4 needs 4: with 2, 3, 1, 1 and 2 it takes two dice (3 + 1).
    freya.state = freya.state._replace(faces=(2, 3, 1, 1, 2), reroll=(1, 2))
    freya.difficulty = 8
    better = worse = 0
    for throw in product(range(1, 7), repeat=2):
        faces = sorted((*throw, 1, 1, 2), reverse=True)
        dice = next(count for count in range(1, 6) if sum(faces[:count]) >= 4)
        better += dice < 2
        worse += dice > 2
    assert (better, worse) == (27, 1)
    assert preview(freya)[-1] == ("Rerolling for the next action: it takes fewer dice in 75%, and more in 2.8%.")


def test_a_large_reroll_is_not_counted_at_every_key(freya):
    freya.size = 40
    freya.state = freya.state._replace(faces=(3,) * 40, exhausted=(), reroll=tuple(range(1, 31)))
    assert len(preview(freya)) == 1
