"""Characters at a panel: what they fill in, what they lack, and what is refused."""

import pytest

import dicedocs as dd
from dicedocs import LimitError, ParameterError
from dicedocs.panel.forms.characters import Character, check_characters, place_characters
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.rules.registry import mechanic
from dicedocs_widgets.panels.dungeoneers import PLAYER

from ..every import every

KIRA = Character("Kira", "Attack=6")
ORC = Character("Orc", "Defense=12")


def names(session):
    return [slot["names"] for slot in session.state()["characters"]]


def test_a_character_is_its_resources():
    assert dict(KIRA) == {"Attack": 6}
    assert dd.check("1d20 + [Attack] >= [Target Defense]", actor=KIRA, target=ORC, dice=[6]).value is True
    assert Character("Kira", {"Attack": 6}) == KIRA
    assert Character("Kira", {"Attack": 7}) != KIRA


@every(
    ("arguments", "message"),
    [
        (("",), "'' is not the name of a character"),
        ((3,), "'3' is not the name of a character"),
        (("Kira", "Attack"), "'Attack' has no value"),
        (("Kira", {}, "1d20"), "'1d20' is not rolls by their names"),
        (("Kira", {}, {"Sword": 3}), "'3' is not a roll"),
        (("Kira", {}, {"": "1d20"}), "'' is not the name of a roll"),
    ],
)
def test_what_is_no_character_is_refused(arguments, message):
    with pytest.raises(ParameterError, match=message.replace("(", r"\(")):
        Character(*arguments)


def test_huge_texts_are_refused():
    with pytest.raises(LimitError):
        Character("K" * 20_000)


@every("wrong", ["Kira", 3, {"Kira": 3}, [{"Attack": 6}], [KIRA, KIRA]])
def test_what_is_no_list_of_characters_is_refused(wrong):
    with pytest.raises(ParameterError):
        check_characters(wrong)


def test_each_field_of_resources_is_a_slot():
    session = Session("methuen/check", characters=[KIRA, ORC])
    assert names(session) == [["Kira", "Orc (no Attack)"], ["Kira (no Defense)", "Orc"]]
    assert session.people.played_name == "Kira"  # the example's actor has the same resources
    session.people.choose_character("Orc", "target")
    assert session.inputs.values["target"] == {"Defense": 12}
    session.people.choose_character("Orc")
    assert session.error.message == "the actor has no 'Attack'"


def test_a_character_is_chosen_as_long_as_the_values_are_its_own():
    session = Session("methuen/check", {"actor": {"Attack": 1}}, characters=[KIRA])
    assert [slot["chosen"] for slot in session.state()["characters"]] == [-1, -1]
    session.receive({"do": "character", "name": "actor", "item": 0})
    assert session.state()["characters"][0]["chosen"] == 0
    session.roll()
    session.set_values({"actor": {"Attack": 2}})
    assert session.people.played_name == ""
    session.travel.recall(1)
    assert session.people.played_name == "Kira"


def test_of_two_with_the_same_values_the_one_is_played_who_was_chosen():
    twin = Character("Twin", dict(KIRA))
    session = Session("methuen/check", {"actor": dict(KIRA)}, characters=[KIRA, twin])
    assert session.people.played_name == "Kira"
    session.people.choose_character("Twin")
    assert session.people.played_name == "Twin"
    session.set_values({"actor": {"Attack": 1}})
    assert session.people.played_name == ""


def test_without_resources_the_fields_of_the_same_names_are_filled_in():
    freya = Character("Freya", {"Stat": 4, "Difficulty": 7})
    session = Session("dungeoneers/action-roll", characters=[freya, KIRA])
    session.people.choose_character("Freya")
    assert (session.inputs.values["stat"], session.inputs.values["difficulty"]) == (4, 7)
    assert names(session) == [["Freya", "Kira (nothing this needs)"]]


def test_whoever_a_roll_changes_needs_nothing_for_its_fields():
    session = Session("dungeoneers/action-roll", characters=[KIRA])
    assert names(session) == [["Kira (nothing this needs)"]]
    session.changes.then = "actor.Attack -= stress"
    assert names(session) == [["Kira"]]
    # Beside somebody who fills in a field there is still something to say.
    session = Session("dungeoneers/action-roll", characters=[Character("Freya", {"Stat": 4, "Attack": 1}), KIRA])
    session.changes.then = "actor.Attack -= stress"
    assert names(session) == [["Freya", "Kira (nothing this needs)"]]


def test_all_can_roll_what_needs_nothing_of_anybody():
    session = Session("total-effect/roll", characters=[KIRA, Character("Theron", {"HP": 3})])
    assert [slot["able"] for slot in session.state()["characters"]] == [[True, True]]
    session = Session("dungeoneers/action-roll", characters=[Character("Freya", {"Stat": 4}), KIRA])
    assert [slot["able"] for slot in session.state()["characters"]] == [[True, False]]


def test_a_character_acts_although_no_field_has_a_value_of_hers():
    freya = Character("Freya", {"Stat": 4})
    session = Session("dungeoneers/action-roll", {"stat": 4}, characters=[freya, KIRA])
    session.changes.then = "actor.Attack -= success"
    session.roll()
    # The form has the values of Freya, and Kira is chosen all the same.
    session.people.choose_character("Kira")
    assert (session.people.played_name, session.state()["characters"][0]["chosen"]) == ("Kira", 1)
    session.set_values({"pool": "6 6 6", "exhausted": "", "spend": "1 2", "difficulty": 3, "stat": 2})
    session.roll()
    session.apply()
    assert [one.who for one in session.entries] == ["Freya", "Kira"]
    assert session.entries[1].effect == "Kira Attack 6 → 5"
    # A roll of the log brings back who made it.
    session.people.choose_character("Freya")
    session.travel.recall(2)
    assert session.people.played_name == "Kira"
    session.roll_each(["Freya", "Kira"])
    assert [one.who for one in session.entries[2:]] == ["Freya", "Kira"]


def test_a_game_has_characters_too():
    session = GameSession(PLAYER, characters=[Character("Freya", "Stat=3")])
    session.people.choose_character("Freya")
    assert session.inputs.values["stat"] == 3


def test_unknown_names_and_slots_are_errors():
    session = Session("methuen/check", characters=[KIRA])
    with pytest.raises(ParameterError, match="did you mean 'Kira'"):
        session.people.choose_character("Kir")
    with pytest.raises(ParameterError, match="cannot fill in 'check'"):
        session.people.choose_character("Kira", "check")
    for item in (-1, 1, 99):
        with pytest.raises(ParameterError, match="there is no character"):
            session.receive({"do": "character", "name": "actor", "item": item})


def test_characters_among_the_values_take_their_places():
    fields = mechanic("methuen/check").parameters()
    placed, found, chosen = place_characters(fields, {"actor": [KIRA, ORC], "target": ORC, "check": "1d20 > 3"})
    assert placed == {"actor": KIRA.resources, "target": ORC.resources, "check": "1d20 > 3"}
    assert found == [KIRA, ORC]
    assert chosen == {"actor": "Kira", "target": "Orc"}


def test_values_that_are_no_whole_numbers_are_attributes_and_no_resources():
    wells = Character("Wells", {"STR": 3, "Long Reach": True, "Pool": (8, 6), "Harm": "0/1/0"})
    assert dict(wells) == {"STR": 3}
    assert (wells.STR, wells.Long_Reach, wells.Pool, wells.Harm) == (3, "true", "8 6", "0/1/0")
    assert wells == Character("Wells", "STR=3, Long Reach=true, Pool=8 6, Harm=0/1/0")
    with pytest.raises(AttributeError, match="Wells has no 'Harms'; did you mean 'Harm'"):
        _ = wells.Harms
    with pytest.raises(dd.ResourceError, match="the Harm is '0/1/0', which is not a whole number"):
        dd.roll("[Harm]", actor=wells)


@every(
    ("text", "message"),
    [
        ("HP=3 STR=4", "the value of 'HP' is '3 STR=4'; separate two values by a comma"),
        ("HP=", "'HP' has no value; write HP=4"),
        ("rope, HP=3", "'rope' has no value"),
        ("HP=3, HP=4", "the value 'HP' is written twice"),
        ("HP=3, Hp=4", "'HP' and 'Hp' are the same name: capitals don't matter"),
        ("hit_points=3, Hit points=4", "'hit_points' and 'Hit points' are the same name"),
        ("[HP]=3", "a name cannot contain"),
    ],
)
def test_misread_values_are_refused(text, message):
    with pytest.raises(ParameterError, match=message.replace("[", r"\[")):
        Character("Wells", text)
