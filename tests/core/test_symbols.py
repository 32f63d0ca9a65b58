"""Dice with words in place of numbers show these wherever dice are shown."""

import json

import pytest

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, ParameterError, Say
from dicedocs.panel.view.log import faces as log_faces
from dicedocs.panel.view.outcome_view import outcome_view
from dicedocs.render.json_data import outcome_from_json

from ..every import every

TEXTS = ["-", "hit", "critical <hit>"]


class Strike(Mechanic):
    """Throw three symbol dice."""

    class Result(Outcome):
        hits: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = dice.each(3, 3, 3)
        faces.show(TEXTS)
        faces.mark(0, "dropped")
        return self.Result(say.fact("Hits", sum(face > 1 for face in faces)))


@pytest.fixture(scope="module")
def strike():
    return Strike().play(dd.ScriptedDice([1, 2, 3]))


def test_the_record_has_the_texts(strike):
    assert [die.shown for die in strike.thrown] == TEXTS
    assert [die.face for die in strike.thrown] == [1, 2, 3]
    assert str(strike.thrown[0]) == "d3 showing -, dropped"


def test_the_working_and_the_drawings_show_them(strike):
    assert "Dice: 3d3: - hit critical <hit>" in str(strike).splitlines()
    html = strike.to_html()
    assert 'aria-label="d3 showing hit"' in html
    assert "critical &lt;hit&gt;</text>" in html
    assert "<hit>" not in html


def test_the_panel_and_its_log_show_them():
    outcome = dd.roll("3d{-, hit, crit}kh2", dice=[1, 3, 2])
    assert outcome_view(outcome, 1, "", 1).outcome["dice"] == [
        [3, "-", "dropped", 1],
        [3, "crit", "", 1],
        [3, "hit", "", 1],
    ]
    assert log_faces(outcome) == "(-) crit hit"


def test_json_has_them_and_is_read_back():
    outcome = dd.roll("2dF", dice=[1, 3])
    data = outcome.to_json()
    assert json.loads(data)["dice"] == [
        {"sides": 3, "face": 1, "text": "-1"},
        {"sides": 3, "face": 3, "text": "1"},
    ]
    assert outcome_from_json(data).thrown == outcome.thrown


@every("texts", [["a", "b"], [1, 2, 3], ["a", "b", None]])
def test_a_face_without_a_text_is_refused(texts):
    class Wrong(Strike):
        def resolve(self, dice: Dice, say: Say) -> Strike.Result:
            dice.each(3).show(texts)
            return self.Result(0)

    with pytest.raises(ParameterError, match=r"a face that was thrown has no text"):
        Wrong().play(dd.ScriptedDice([3]))


def test_odds_are_counted_without_them():
    assert dd.odds(Strike()).mean == 2
