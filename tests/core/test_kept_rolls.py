"""A file that keeps the rolls of a panel."""

import json

import pytest

from dicedocs import Dice, DiceError, Mechanic, Outcome, ParameterError, Say, param
from dicedocs.panel.forms.session import Session
from dicedocs.panel.kept_rolls import KeptRolls
from dicedocs.rules.registry import mechanic

from ..every import every


class Shifting(Mechanic):
    """A rule that is changed between two evenings."""

    bonus = 0
    level: int = param(default=1, help="a number")

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.sum("Total", dice.roll(6), bonus=type(self).bonus))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "evening.json"


def rolled(path, *seeds):
    """Return a session with a roll of each seed, and its file."""
    file, session = KeptRolls(path), Session("dice/roll", {"notation": "3d6"}, label="Würfe")
    for seed in seeds:
        session.seed = seed
        session.roll()
        file.update(session.entries)
    return session, file


def seeds_in(path):
    return [roll["seed"] for roll in json.loads(path.read_text("utf-8"))["rolls"]]


def reopened(path, id="dice/roll"):
    session = Session(id)
    session.resume(KeptRolls(path).read(session.played_mechanics))
    return session


def test_each_roll_is_in_the_file_as_soon_as_it_is_made(path):
    session, file = rolled(path)
    for number, seed in enumerate((61, "theron", 7), 1):
        session.seed = seed
        session.roll()
        file.update(session.entries)
        assert seeds_in(path) == [61, "theron", 7][:number]
    [first, *_] = json.loads(path.read_text("utf-8"))["rolls"]
    # Seed 61 throws 4 2 5.
    assert (first["mechanic"], first["label"], first["facts"]["total"]) == ("dice/roll", "Würfe", 11)
    assert "Würfe" in path.read_text("utf-8")
    assert [one.name for one in path.parent.iterdir()] == ["evening.json"]


def test_it_is_read_back_and_continued(path):
    before, _ = rolled(path, 61, 7)
    session = reopened(path)
    assert list(session.history) == list(before.history)
    assert (session.rolls, session.outcome, session.seed) == (2, before.outcome, 7)
    session.roll()
    assert [entry.roll for entry in session.entries] == [1, 2, 3]
    assert session.log_rows()[0] == before.log_rows()[0]


def test_forty_rolls_are_forty_rolls(path):
    rolled(path, *range(1, 41))
    session = reopened(path)
    assert [entry.seed for entry in session.entries] == list(range(1, 41))


def test_what_is_undone_or_cleared_is_not_in_the_file_and_comes_back(path):
    session, file = rolled(path, 61, 7)
    for action, expected in (
        (session.travel.undo, [61]),
        (session.travel.redo, [61, 7]),
        (session.clear, []),
        (session.travel.undo, [61, 7]),
    ):
        action()
        file.update(session.entries)
        assert seeds_in(path) == expected


def test_panels_share_a_file(path):
    ours, our_file = rolled(path, 61)
    theirs, their_file = Session("total-effect/roll", seed=5), KeptRolls(path)
    theirs.resume(their_file.read(theirs.played_mechanics))
    assert theirs.entries == []
    theirs.roll()
    their_file.update(theirs.entries)
    ours.seed = 7
    ours.roll()
    our_file.update(ours.entries)
    assert seeds_in(path) == [61, 5, 7]
    ours.travel.undo()
    our_file.update(ours.entries)
    assert seeds_in(path) == [61, 5]
    assert [entry.seed for entry in reopened(path).entries] == [61]
    assert [entry.seed for entry in reopened(path, "total-effect/roll").entries] == [5]


def test_time_and_label_come_back(path):
    session, file = rolled(path)
    session.receive({"do": "roll", "label": "Bolt \ud800", "time": "2026-11-22T21:04:07"})
    file.update(session.entries)
    row = reopened(path).log_rows()[0]
    assert (row.time, row.label) == ("2026-11-22T21:04:07", "Bolt \ufffd")


def test_half_a_character_comes_back(path):
    session, file = rolled(path)
    session.label = "a\ud800"
    session.roll()
    file.update(session.entries)
    assert reopened(path).entries[0].label == "a\ud800"


def test_a_roll_that_comes_out_differently_is_refused(path, monkeypatch):
    file, session = KeptRolls(path), Session(Shifting, seed=1)
    session.roll()
    file.update(session.entries)
    text = path.read_text("utf-8")
    monkeypatch.setattr(Shifting, "bonus", 1)
    with pytest.raises(ParameterError) as caught:
        file.read(session.played_mechanics)
    assert str(caught.value) == (
        "log: 'evening.json' has roll 1 of 'Shifting', which comes out differently now: its rules have changed; "
        "give log the name of another file"
    )
    assert path.read_text("utf-8") == text


@every(
    ("text", "message"),
    [
        ("{", "'evening.json' is not JSON"),
        ("[" * 100_000, "'evening.json' is not JSON"),
        ("[]", "'evening.json' is not a log of rolls"),
        ('{"dicedocs": 2, "rolls": []}', "'evening.json' is not a log of rolls"),
        ('{"dicedocs": 1, "rolls": [1]}', "'evening.json' is not a log of rolls"),
        (
            '{"dicedocs": 1, "rolls": [{"mechanic": ["dice/roll"]}, {"mechanic": "dice/roll"}]}',
            "has roll 1 of 'dice/roll', which cannot be played",
        ),
        (
            '{"dicedocs": 1, "rolls": [{"mechanic": "dice/roll", "seed": 1, "parameters": {"notation": "3d6 +"}}]}',
            "has roll 1 of 'dice/roll', which cannot be played again",
        ),
    ],
)
def test_another_file_is_refused_and_stays(path, text, message):
    path.write_text(text, "utf-8")
    with pytest.raises(ParameterError, match="give log the name of another file") as caught:
        KeptRolls(path).read({"dice/roll": mechanic("dice/roll")})
    assert message in str(caught.value)
    assert path.read_text("utf-8") == text


def test_a_folder_that_does_not_exist_is_told_at_once(tmp_path):
    with pytest.raises(ParameterError, match="there is no folder"):
        KeptRolls(tmp_path / "none" / "evening.json")


def test_a_roll_that_cannot_be_written_is_told_and_written_with_the_next(path, monkeypatch):
    session, file = rolled(path, 61)
    session.roll()
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(DiceError, match=r"the last roll is not in 'evening\.json': No space left on device"):
            file.update(session.entries)
    assert seeds_in(path) == [61]
    session.seed = 7
    session.roll()
    file.update(session.entries)
    assert len(seeds_in(path)) == 3
