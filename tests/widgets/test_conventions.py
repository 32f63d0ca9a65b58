"""What a panel shares with every Jupyter widget, and the dice tray, comparison and characters from Python."""

import json

import ipywidgets as w
import pytest
import traitlets as t

import dicedocs as dd
from dicedocs_widgets import Character, panel, roller, tray

from .conftest import sent, state_of

KIRA = Character("Kira", "Attack=6, Strength=4", {"Sword": "1d20 + [Attack]"})
ORC = Character("Orc", "Defense=12")


class TestConventions:
    def test_layout_has_width_height_and_flex(self):
        made = panel("total-effect/roll", layout={"width": "50%", "height": "30em", "flex": "1 1 auto"})
        assert (made.layout.width, made.layout.height, made.layout.flex) == ("50%", "30em", "1 1 auto")
        made.layout.width = "10em"
        assert made.layout.width == "10em"

    def test_disabled_and_description_are_sent_to_the_page(self):
        made = panel("total-effect/roll", description="Attack", disabled=True)
        assert (made.get_state()["description"], made.get_state()["disabled"]) == ("Attack", True)
        sent.clear()
        made.disabled = False
        made.description = "Defence"
        states = [data["state"] for id, _, data in sent if id == made.model_id]
        assert states == [{"disabled": False}, {"description": "Defence"}]
        # As with other widgets, only the page is disabled.
        made.disabled = True
        assert made.roll().value == made.value

    def test_style_has_an_accent_colour(self):
        made = panel("total-effect/roll", style={"accent_color": "teal"})
        assert (made.style.accent_color, made.get_state()["_accent"]) == ("teal", "teal")
        made.style.accent_color = "#123456"
        assert made.get_state()["_accent"] == "#123456"
        made.style = {}
        assert made.get_state()["_accent"] == ""
        for wrong in ({"accent_color": "no colour"}, {"button_color": "red"}, 3):
            with pytest.raises(t.TraitError):
                made.style = wrong

    def test_all_of_them_can_be_observed(self):
        made, heard = panel("total-effect/roll"), []
        names = ["disabled", "description", "odds_show", "advantage", "rolls"]
        made.observe(lambda change: heard.append(change["name"]), names)
        made.disabled, made.description, made.odds_show, made.advantage = True, "x", "at least", 2
        made.roll()
        assert heard == names

    def test_interactive_output_gets_the_value(self):
        made, heard = roller("3d6", seed=61), []

        def hear(value):
            heard.append(value)

        w.interactive_output(hear, {"value": made})
        made.roll()
        assert heard == [None, 11]

    def test_the_help_of_a_panel_lists_its_parameters_and_facts(self):
        text = panel("dungeoneers/timer").__doc__ or ""
        assert text.startswith("The panel of dungeoneers/timer.\n\nUse an ability")
        assert "    cooldown: the sides of the cooldown die (" in text
        assert "    ready: whether the ability can be used again" in text
        assert "stat: the action's stat" in (panel("dungeoneers").__doc__ or "")

    def test_an_unknown_id_lists_all_that_are_known(self):
        with pytest.raises(dd.ParameterError, match=r"known: .*'dungeoneers', .*'total-effect/roll'"):
            panel("nope")


class TestCharacters:
    def test_a_character_is_a_value(self):
        made = roller("1d6 + [Strength]", actor=KIRA)
        assert (made.actor["Strength"], made.character, made.characters) == (4, "Kira", (KIRA,))

    def test_of_a_list_the_first_plays(self):
        made = panel("methuen/check", actor=[KIRA, ORC], target=ORC)
        assert (made.character, dict(made.target)) == ("Kira", {"Defense": 12})
        assert made.characters == (KIRA, ORC)
        made.character = "Orc"
        assert dict(made.actor) == {"Defense": 12}
        with pytest.raises(t.TraitError, match="did you mean 'Kira'"):
            made.character = "Kiri"

    def test_in_any_other_panel_it_fills_in_the_fields_of_its_names(self):
        for id in ("dungeoneers", "dungeoneers/action-roll"):
            made = panel(id, actor=Character("Freya", "Stat=3"), difficulty=4)
            assert (made.stat, made.difficulty, made.character) == (3, 4, "Freya")

    def test_the_choice_of_a_page_is_a_change_of_the_trait(self, page):
        made, heard = panel("methuen/check", characters=[KIRA, ORC]), []
        made.observe(heard.append, "character")
        page(made).send("character", name="actor", item=0)
        made.actor = {"Attack": 1}
        assert [change["new"] for change in heard] == ["Kira", ""]

    def test_characters_may_be_set_later(self):
        made = roller("1d6")
        assert "characters" not in state_of(made)
        made.characters = [KIRA]
        assert state_of(made)["characters"][0]["names"] == ["Kira"]
        with pytest.raises(dd.ParameterError):
            made.characters = [{"Attack": 6}]  # type: ignore[list-item]


class TestComparison:
    def test_pinned_odds_and_the_present_ones(self):
        made = panel("total-effect/roll")
        made.pin()
        made.advantage = 2
        assert {label: float(odds.mean) for label, odds in made.comparison.items()} == {
            "Advantage 0": 10.5,
            "Advantage 2": float(dd.odds("total-effect/roll", "total", advantage=2).mean),
        }
        assert len(state_of(made)["comparison"]["series"]) == 2
        made.unpin()
        assert "comparison" not in state_of(made)

    def test_odds_are_written_as_csv_and_svg(self, tmp_path):
        made = roller("1d4", seed=1)
        assert made.save_odds(tmp_path / "d4.csv").read_text("utf-8").splitlines()[1] == "1,1,4,0.25"
        assert made.save_odds(str(tmp_path / "d4.svg")).read_text("utf-8").startswith("<svg")
        with pytest.raises(dd.ParameterError, match=r"end its name in \.csv or \.svg"):
            made.save_odds(tmp_path / "d4.png")

    def test_a_page_gets_its_file_with_the_answer(self, page):
        made = roller("1d4", seed=1)
        view = page(made)
        view.send()
        assert view.send("csv")["file"]["text"].startswith("total,count,of,chance\n1,1,4,0.25\n")
        assert "file" not in view.send("roll")

    def test_the_state_stays_small(self):
        made = panel("mecha-vs-kaiju/action", seed=1)
        plain = len(json.dumps(state_of(made)))
        made.pin()
        for modifier in (1, 2, 3):
            made.modifier = modifier
            if modifier < 3:
                made.pin()
        assert made.comparison
        made._publish()
        assert len(json.dumps(state_of(made)["comparison"])) <= 3_000
        assert len(json.dumps(state_of(made))) <= plain + 3_500


class TestTray:
    def test_its_traits_are_those_of_the_notation(self):
        made, heard = tray(), []
        made.observe(lambda change: heard.append(change["new"]), "notation")
        made.press(8)
        made.add_modifier(3)
        made.notation = "1d20"
        made.mode = "advantage"
        assert heard == ["1d8", "1d8 + 3", "1d20", "2d20kh1"]
        assert (made.mode, repr(made)) == ("advantage", "tray('2d20kh1')")

    def test_favourites_are_those_of_its_characters(self):
        made = tray(KIRA, ORC, seed=7)
        assert made.roll_favourite("Sword") == dd.roll("1d20 + [Attack]", actor=KIRA, seed=7)
        assert (made.character, made.label) == ("Kira", "Kira, Sword")
        made.notation = "3d8"
        made.keep("Fireball")
        assert [one.name for one in made.favourites] == ["Sword", "Fireball"]
        assert made.roll_favourite("Fireball", "Kira").rule.notation == "3d8"

    def test_resources_are_pressed_like_dice(self):
        made = tray(KIRA, ORC, seed=7)
        made.press_resource("Attack", "Kira")
        assert (made.notation, made.character) == ("1d20 + [Attack]", "Kira")
        made.press_resource("Defense", "Orc")
        assert (made.notation, made.character) == ("1d20 + [Attack] + [Defense]", "Orc")
        assert made.error.name == "Attack"
        made.press_resource("Defense", "Orc")
        assert made.notation == "1d20 + [Attack]"
        with pytest.raises(dd.ParameterError, match="'Orc' has no 'Attack'"):
            made.press_resource("Attack", "Orc")

    def test_its_saved_state_is_small(self):
        made = tray(KIRA, seed=7)
        made.roll()
        assert len(made.odds)
        assert len(json.dumps(state_of(made))) <= 4_000
