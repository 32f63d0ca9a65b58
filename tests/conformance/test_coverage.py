"""Every fact of every game is shown by a test, or is listed with the reason why no test can."""

import importlib
from collections.abc import Callable

import pytest

from ..every import every
from .facts import HERE, Game, read_facts, roll, row

NAMES = sorted(path.stem for path in HERE.glob("*.md"))


@every("name", NAMES)
def test_every_fact_is_shown(name):
    game: Game = importlib.import_module(f".test_{name.replace('-', '_')}", __package__).GAME
    assert game.faults() == []


def test_there_are_games():
    assert "methuen" in NAMES


# Mistakes in the tables


def game(**why: str) -> Game:
    return Game("methuen", why)


def showing(ids: str) -> Callable[[Game], object]:
    return lambda game: game.group(row(ids, roll("3d6"), "total=11"))


@every(
    ("wrong", "message"),
    [
        (showing("M999"), "there is no fact M999"),
        (showing("M7 M7"), "shows M7 twice"),
        (lambda game: [showing("M7")(game), showing("M7")(game)], "shows M7 twice"),
        (lambda game: game.shows("M0")(showing), "there is no fact M0"),
    ],
)
def test_an_unknown_or_a_repeated_id_is_an_error(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong(game())


def test_a_fact_that_nothing_shows_is_reported_with_its_statement():
    methuen = game()
    showing("M2 DM1")(methuen)
    faults = methuen.faults()
    assert "nothing shows M7: `XdY` rolls X dice of Y sides and yields their sum." in faults
    assert not any("nothing shows M2:" in fault for fault in faults)
    assert any(fault.startswith("one row alone shows the decision DM1:") for fault in faults)


def test_an_id_listed_as_not_shown_must_be_a_fact_that_nothing_shows():
    methuen = game(M2="why", M999="why")
    showing("M2")(methuen)
    faults = methuen.faults()
    assert "M2 is listed as not shown by code, and is shown: M2: 3d6 gives total=11" in faults
    assert "M999 is listed as not shown by code, and there is no such fact" in faults


@pytest.mark.parametrize(
    ("text", "message"),
    [("- M1. One.\n- M1. Two.\n", "M1 is stated twice"), ("- Without an id.\n", "not a fact with an id")],
)
def test_a_list_of_facts_states_each_once(tmp_path, text, message):
    path = tmp_path / "game.md"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_facts(path)
