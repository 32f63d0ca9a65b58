"""Odds side by side, what a bar shows, and the files of a chart."""

import csv
from fractions import Fraction
from io import StringIO
from xml.etree import ElementTree as ET

import pytest

import dicedocs as dd
from dicedocs import ParameterError
from dicedocs.panel.forms.session import Session
from dicedocs.panel.view.comparison import MAX_PINS, setting_labels
from dicedocs.rules.registry import mechanic


def counted(session):
    while not session.odds.count(1):
        pass
    return session.state()


@pytest.fixture
def session():
    made = Session("dice/roll", {"notation": "1d6", "actor": {}, "target": {}}, seed=1)
    made.odds.pin()
    made.set_values({"notation": "2d6"})
    return made


def test_both_settings_are_in_one_chart(session):
    data = counted(session)["comparison"]
    assert [(one["label"], one["mean"], one["pin"]) for one in data["series"]] == [("1d6", "3.5", 0), ("2d6", "7", -1)]
    assert [bar[0] for bar in data["bars"]] == [str(number) for number in range(1, 13)]
    # 6: one face of six, and five pairs of thirty-six.
    assert data["bars"][5] == ["6", [0.1667, 0.1389], ["16.7%", "13.9%"]]


def test_at_least_and_at_most_are_of_each_setting(session):
    session.odds.show = "at least"
    assert counted(session)["comparison"]["bars"][5][2] == ["16.7%", "72.2%"]  # 26 of 36
    session.odds.show = "at most"
    assert counted(session)["comparison"]["bars"][5][2] == ["100%", "41.7%"]  # 15 of 36


def test_the_last_result_is_marked(session):
    session.roll()
    data = counted(session)["comparison"]
    assert data["bars"][data["here"]][0] == str(session.outcome.value)


def test_pins_follow_the_fact(session):
    made = Session("total-effect/roll")
    made.odds.pin()
    made.set_values({"advantage": 1})
    made.odds.fact = "low"
    assert [one["label"] for one in counted(made)["comparison"]["series"]] == ["Advantage 0", "Advantage 1"]
    assert made.odds.comparison.exactly()["Advantage 0"].mean == dd.odds("total-effect/roll", "low").mean


def test_the_same_settings_are_pinned_once(session):
    session.set_values({"notation": "1d6"})
    session.odds.pin()
    data = counted(session)["comparison"]
    assert [one["label"] for one in data["series"]] == ["These settings"]


def test_there_is_room_for_few(session):
    for number in range(3, 3 + MAX_PINS - 1):
        session.set_values({"notation": f"{number}d6"})
        session.odds.pin()
    session.set_values({"notation": "9d6"})
    with pytest.raises(ParameterError, match="pinned already"):
        session.odds.pin()
    session.odds.unpin(0)
    session.odds.pin()
    with pytest.raises(ParameterError, match="nothing is pinned at 7"):
        session.odds.unpin(7)


def test_a_setting_that_is_not_valid_is_not_pinned(session):
    session.receive({"do": "set", "texts": {"notation": "2d6 +"}})
    with pytest.raises(dd.NotationError):
        session.odds.pin()


def test_labels_say_what_differs():
    rule = mechanic("mage-in-the-metal/check")
    assert setting_labels([rule(skill=10), rule(skill=12)]) == ["10", "12"]
    assert setting_labels([rule(skill=10), rule(skill=10, favor="with")]) == ["Favor none", "Favor with"]
    action = mechanic("dungeoneers/action-roll")
    settings = [action(pool="4 3", difficulty=5), action(pool="4 3", difficulty=5, fight=True)]
    assert setting_labels(settings) == ["Fight: no", "Fight"]
    long = [mechanic("dice/roll")(notation=f"{'1 + ' * 20}{number}") for number in (1, 2)]
    assert [label[:3] for label in setting_labels(long)] == ["1. ", "2. "]


def test_csv_has_the_exact_odds_of_all(session):
    session.odds.count(5)
    file = session.odds_file("csv")
    rows = list(csv.reader(StringIO(file["text"])))
    assert (file["name"], rows[0]) == ("odds-of-total", ["Total", "1d6", "2d6"])
    assert sum(Fraction(row[1]).limit_denominator(1000) for row in rows[1:]) == 1
    assert [float(figure) for figure in rows[7]] == [7, 0, 1 / 6]


def test_a_picture_is_an_image_that_stands_alone(session):
    session.odds.count(5)
    picture = ET.fromstring(session.odds_file("picture")["text"])  # noqa: S314  # our own
    assert picture.get("width") == "720"
    texts = {node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {"1d6", "2d6", "Odds of total", "12"} <= texts
    with pytest.raises(ParameterError, match="cannot be saved as 'pdf'"):
        session.odds_file("pdf")


def test_odds_that_are_not_counted_are_no_file():
    session = Session("mecha-vs-kaiju/action")
    with pytest.raises(ParameterError, match="not counted yet"):
        session.odds_file("csv")


def test_unknown_ways_to_show_odds_are_errors(session):
    with pytest.raises(ParameterError, match="did you mean 'at least'"):
        session.odds.show = "at leest"


def test_pins_are_undone_and_done_again(session):
    session.odds.unpin(0)
    assert len(session.odds.comparison.pins) == 0
    session.travel.undo()
    assert len(session.odds.comparison.pins) == 1
    session.travel.undo()  # the new notation of the fixture
    session.travel.undo()  # its pin
    assert (len(session.odds.comparison.pins), session.seat.store.can_undo) == (0, False)
    for _ in range(3):
        session.travel.redo()
    assert len(session.odds.comparison.pins) == 0
    session.travel.undo()
    assert [one["label"] for one in counted(session)["comparison"]["series"]] == ["1d6", "2d6"]


def test_the_same_pin_twice_is_one_change(session):
    session.set_values({"notation": "1d6"})
    session.odds.pin()
    session.travel.undo()
    assert (len(session.odds.comparison.pins), session.seat.store.can_undo) == (0, False)


def test_odds_side_by_side_say_that_some_are_estimated():
    class Much(dd.Mechanic):
        count: int = dd.param(default=9)

        class Result(dd.Outcome):
            total: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            return self.Result(sum(dice.each(*[20] * self.count)))

    made = Session(Much)
    made.odds.pin()
    made.set_values({"count": 1})
    assert counted(made)["comparison"]["note"].startswith("Too much to count: this is how 10000 rolls came out.")


def test_a_pin_that_comes_back_has_the_fact_that_is_shown_now():
    made = Session("total-effect/roll")
    made.odds.pin()
    made.travel.undo()
    made.odds.fact = "low"
    made.travel.redo()
    assert [pin.fact for pin in made.odds.comparison.pins] == ["low"]


def texts_of(picture):
    root = ET.fromstring(picture["text"])  # noqa: S314  # our own
    return [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_picture_shows_what_the_chart_shows():
    made = Session("dice/roll", {"notation": "2d6"}, seed=1)
    made.odds.show = "at most"
    while not made.odds.count(1):
        pass
    texts = texts_of(made.odds_file("picture"))
    assert texts[0] == "Odds of total: At most"
    assert texts[texts.index("8") + 1] == "72.2%"  # 26 of 36
    assert texts[texts.index("12") + 1] == "100%"


def test_a_picture_has_the_bands_of_the_chart():
    made = Session("total-effect/roll", {"threshold": 13}, seed=1)
    made.odds.fact = "total"
    while not made.odds.count(1):
        pass
    bands = made.state()["odds"]["bands"]
    assert [percent for *_, percent in bands] == ["74.1%", "25.9%"]  # 160 and 56 of 216
    assert {f"{name} {percent}" for name, _, _, percent in bands} <= set(texts_of(made.odds_file("picture")))
