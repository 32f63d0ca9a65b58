"""Where a number fell: bands of a table, of a comparison and of a fact, and the scales that are drawn from them."""

import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, Say, ScriptedDice, SeededDice, fact, param
from dicedocs.panel.view.outcome_view import outcome_view
from dicedocs.render.chart import build_chart
from dicedocs.render.html import outcome_html
from dicedocs.render.scale import Band, Scale, odds_bands, outcome_scale, step_bands, table_bands
from dicedocs.render.scale_html import scale_svg, split_label
from dicedocs.rules.registry import mechanic
from dicedocs.rules.steps import COMPARISONS, RecordingSay

from ..every import every

SVG = "{http://www.w3.org/2000/svg}"
DEGREES = {None: "failure", -3: "partial success", 0: "success", 3: "greater success"}


class Strike(Mechanic):
    """Throw a d20; how it ends is decided in Python, and declared with the fact."""

    target: int = param(default=12)
    secret: bool = param(default=False)

    class Result(Outcome):
        total: int = fact(bands=lambda strike: None if strike.secret else strike.words)
        word: str

    @property
    def words(self) -> dict[int | None, str]:
        return {None: "fumble", 2: "miss", self.target: "hit", 20: "hit"}

    def resolve(self, dice: Dice, say: Say) -> Result:
        total = dice.roll(20)
        return self.Result(total, say.look_up("Word", total, self.words))


class Two(Mechanic):
    """Compare two numbers, and look up their sum."""

    class Result(Outcome):
        first: int
        second: int
        whole: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        first, second = dice.each(6, 8)
        say.compare("Ready", first, "=", 3)
        say.compare("Duel", first, ">", second)
        say.compare("Enough", first, ">=", 3)
        whole = say.sum("Whole", first, second)
        say.look_up("Size", whole, {None: "small", 5: "medium", 9: "large"})
        return self.Result(first, second, whole)


@given(
    st.dictionaries(st.none() | st.integers(-30, 30), st.sampled_from(["a", "b", "c"]), min_size=1, max_size=8),
    st.integers(-40, 40),
)
def test_the_bands_of_a_table_are_what_it_gives(table, number):
    bands = table_bands(table)
    labels = [band.label for band in bands if band.has(number)]
    try:
        assert labels == [Say().look_up("", number, table)]
    except TypeError:
        assert labels == []
    assert all(one.label != two.label and one.stop == two.start for one, two in pairwise(bands))


@given(st.sampled_from(["<", "<=", ">", ">="]), st.integers(-9, 9), st.integers(-12, 12))
def test_the_bands_of_a_comparison_are_those_of_its_operator(op, right, number):
    say = RecordingSay()
    say.compare("Save", number, op, right)
    (here,) = [band for band in step_bands(say.steps[0]) if band.has(number)]
    assert here.label == ("Save: yes" if COMPARISONS[op](number, right) else "Save: no")


@pytest.mark.parametrize("op", ["=", "!="])
def test_equality_is_no_scale(op):
    say = RecordingSay()
    say.compare("Ready", 0, op, 0)
    assert step_bands(say.steps[0]) == ()


def test_a_fact_declares_its_bands():
    outcome = Strike(target=8).play(ScriptedDice([7]))
    scale = outcome_scale(outcome, outcome.steps())
    assert scale == Scale("Total", 7, (Band("fumble", None, 2), Band("miss", 2, 8), Band("hit", 8, None)))
    assert scale.name == "Total 7, in miss (2 to 7)"
    # With parameters that leave no bands it is the scale of the step.
    secret = Strike(target=8, secret=True).play(ScriptedDice([7]))
    assert outcome_scale(secret, secret.steps()) == scale._replace(subject="")


@every("bands", [7, "hit", [1, 2]])
def test_bands_are_a_table_or_a_function(bands):
    with pytest.raises(TypeError, match="are not bands"):
        fact(bands=bands)


def test_bounds_are_whole_numbers():
    wrong: Any = {None: "low", "high": "high"}
    with pytest.raises(TypeError, match="bounds of bands are whole numbers"):
        table_bands(wrong)


def test_what_is_looked_up_comes_before_what_is_compared():
    outcome = Two().play(ScriptedDice([4, 3]))
    scale = outcome_scale(outcome, outcome.steps())
    assert scale is not None
    assert scale.name == "Whole 7, in medium (5 to 8)"


@every(
    ("id", "parameters", "dice", "name"),
    [
        (
            "dungeoneers/action-roll",
            {"pool": "5 4", "difficulty": 10, "stat": 4, "spend": "1 2"},
            "",
            "3 or more",
        ),
        ("mage-in-the-metal/check", {"skill": 14}, "4 5 4", "Total 13, in success (6 to 13)"),
        ("mage-in-the-metal/check", {"skill": 14, "at_or_under": True}, "5 5 4", "Total 14, in success (6 to 14)"),
        ("mage-in-the-metal/check", {"skill": 3}, "1 2 2", "Total 5, in critical success (5 or less)"),
        ("mage-in-the-metal/check", {"skill": 40}, "6 5 5", "Total 16, in critical failure (16 or more)"),
        ("mage-in-the-metal/check", {"skill": 40}, "6 5 4", "Total 15, in success (6 to 15)"),
    ],
)
def test_the_scale_of_a_game(id, parameters, dice, name):
    outcome = dd.play(id, dice=dice, **parameters)
    scale = outcome_scale(outcome, outcome.steps())
    assert scale is not None
    assert name in scale.name


@pytest.mark.parametrize("outcome", [dd.roll("3d6 + 4", seed=1), dd.check("1d20 + 4 > 12", seed=1)])
def test_a_single_threshold_has_no_scale(outcome):
    assert outcome_scale(outcome, outcome.steps()) is None
    assert "dice-scale" not in outcome_html(outcome)


@given(st.integers(-(10**9), 10**9))
def test_the_number_is_in_its_band_however_far_it_is(number):
    scale = Scale("", number, table_bands(DEGREES))
    assert scale.edges[0] == 0
    assert scale.edges[-1] == pytest.approx(1)
    assert scale.edges[scale.here] < scale.position < scale.edges[scale.here + 1]
    # Each band has room for its words: half of the width is shared equally.
    assert min(two - one for one, two in pairwise(scale.edges)) >= 0.125


def test_nearer_numbers_are_nearer_to_the_threshold():
    bands = table_bands({None: "no", 12: "yes"})
    positions = [Scale("", number, bands).position for number in range(8, 17)]
    assert positions == sorted(set(positions))
    assert positions[3] < 0.5 < positions[4]


def test_the_svg_has_the_bands_and_the_numbers_at_their_edges():
    scale = Scale("Margin", 1, table_bands(DEGREES))
    svg = ET.fromstring(scale_svg(scale))  # noqa: S314 - our own
    assert (svg.get("role"), svg.get("aria-label")) == ("img", "Margin 1, in success (0 to 2)")
    bold = [text.text for text in svg.iter(f"{SVG}text") if text.get("font-weight")]
    assert bold == ["Margin 1", "success"]
    assert len([line for line in svg if line.get("class") == "dice-bar"]) == 1
    numbers = [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "dice-numbers"]
    assert numbers == ["−4", "−3", "−1", "0", "2", "3"]


def test_a_result_that_the_rule_moves_counts_where_it_ends():
    # Two 4s and stats of 4 are 12 against 10 + 4: 2 below, a partial success, which the pair raises by one degree.
    parameters = {"members": "Freya: stat 3, die 4; Ulfarmi: stat 1, die 4", "difficulty": 12}
    outcome = dd.play("dungeoneers/group-roll", **parameters)
    scale = outcome_scale(outcome, outcome.steps())
    assert scale is not None
    assert scale.name == "Against the difficulty -2, in partial success (-3 to -1), moved to success"
    svg = ET.fromstring(scale_svg(scale))  # noqa: S314 - our own
    bold = [text.text for text in svg.iter(f"{SVG}text") if text.get("font-weight")]
    assert bold == ["Against the difficulty −2", "success"]
    # The arrow leads from the number to the middle of success, the third of four bands.
    assert scale.moved == 2
    assert scale.edges[1] < scale.position < scale.edges[2] < scale.middle(2) < scale.edges[3]
    assert outcome_view(outcome, 1, "", None).outcome["scale"][3] == 2


def test_the_texts_of_a_scale_are_escaped():
    scale = Scale("<i>&", 3, table_bands({None: '<b>"x"&', 5: r"\input{y}"}))
    assert "<b>" not in scale_svg(scale)
    ET.fromstring(scale_svg(scale))  # noqa: S314 - our own


@every(
    ("label", "lines"),
    [
        ("success", ["success"]),
        ("a b c d", ["a b c d"]),
        ("greater success", ["greater", "success"]),
        ("x" * 40, ["x" * 15 + "…"]),
    ],
)
def test_a_long_label_has_two_lines(label, lines):
    assert split_label(label) == lines


def test_a_number_below_a_table_is_in_no_band():
    scale = Scale("Whole", 2, table_bands({5: "medium", 9: "large"}))
    assert (scale.here, scale.position) == (-1, 0)
    assert scale.name == "Whole 2, below medium (5 to 8)"


@every(("rows", "drawn", "kept"), [(11, True, 12), (12, False, 13), (100, False, 0)])
def test_many_bands_are_not_drawn_and_a_long_table_is_not_kept(rows, drawn, kept):
    class Long(Mechanic):
        class Result(Outcome):
            number: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            number = dice.roll(200)
            say.look_up("Row", number, {None: "first", **{bound: f"row {bound}" for bound in range(2, rows + 2)}})
            return self.Result(number)

    outcome = Long().play(ScriptedDice([7]))
    (step,) = (step for step in outcome.steps() if step.verb == "look_up")
    assert len(step.table) == kept
    assert (outcome_scale(outcome, outcome.steps()) is not None) == drawn
    assert bool(odds_bands(Long(), "number")) == drawn


def test_the_odds_of_a_fact_have_the_bands_that_every_play_has():
    assert [band.numbers for band in odds_bands(Two(), "first")] == ["2 or less", "3 or more"]
    assert odds_bands(Two(), "second") == ()
    assert odds_bands(mechanic("methuen/check")(check="1d20 + 6 >= 12"), "left")[1].start == 12
    assert odds_bands(mechanic("methuen/check")(check="1d20 + 6 >= 1d20"), "left") == ()
    assert odds_bands(mechanic("methuen/check")(check="1d20 + 6 >= 12"), "right") == ()
    assert odds_bands(mechanic("mage-in-the-metal/check")(skill=14), "tn") == ()
    action = mechanic("mecha-vs-kaiju/action")(pool="d20 d8", counter=18)
    assert [band.label for band in odds_bands(action, "total")] == ["Success: no", "Success: yes"]
    assert odds_bands(action, "impact") == ()


@given(skill=st.integers(-5, 30), at_or_under=st.booleans(), seed=st.integers(0, 999))
def test_the_declared_bands_of_a_check_are_its_result(skill, at_or_under, seed):
    outcome = mechanic("mage-in-the-metal/check")(skill=skill, at_or_under=at_or_under).play(SeededDice(seed))
    scale = outcome_scale(outcome, outcome.steps())
    assert scale is not None
    assert scale.bands[scale.here].label == outcome.fact("result")


def test_the_odds_of_the_bands_are_those_of_the_results():
    rule = mechanic("mage-in-the-metal/check")(skill=12)
    chart = build_chart({"": dd.odds(rule, "total")}, bands=odds_bands(rule, "total"))
    by_result = dd.odds(rule, "result")
    assert [band.label for band in chart.bands] == ["critical success", "success", "failure", "critical failure"]
    for band in chart.bands:
        ways = sum(bar.counts[0] for bar in chart.bars[band.start : band.stop])
        assert Fraction(ways, chart.denominators[0]) == by_result.p(band.label)


@every(
    ("id", "fact", "success", "parameters"),
    [
        ("total-effect/roll", "total", "triggered", {"threshold": 13, "advantage": 1}),
        ("mecha-vs-kaiju/action", "total", "success", {"pool": "d20 d8", "counter": 18}),
        ("methuen/check", "left", "success", {"check": "2d8 + 1 > 9"}),
        ("methuen/check", "left", "success", {"check": "2d8 + 1 <= 9"}),
        ("dungeoneers/timer", "duration", "active", {"cooldown": 6, "duration": 4, "rounds": 2}),
    ],
)
def test_the_odds_of_a_threshold_are_those_of_the_comparison(id, fact, success, parameters):
    rule = mechanic(id)(**parameters)
    odds, bands = dd.odds(rule, fact), odds_bands(rule, fact)
    (holding,) = [band for band in bands if band.label.endswith(": yes")]
    assert odds.map(holding.has).p("true") == dd.odds(rule, success).p("true")
    assert sum(odds.map(band.has).p("true") for band in bands) == 1


def test_a_front_end_has_a_scale_and_a_pool_as_data():
    outcome = dd.play("dungeoneers/action-roll", pool="5 -", exhausted="2", spend=1, difficulty=10, stat=4, dice=[])
    data = outcome_view(outcome, 1, "", None).outcome
    assert data is not None
    assert data["pools"] == [
        ["Pool before", [[6, "5", ""], [6, "–", "exhausted"]], 0],
        ["Pool after", [[6, "5", "spent"], [6, "–", "exhausted"]], 0],
    ]
    subject, number, position, here, bands, name = data["scale"]
    assert name == "Against the difficulty −1, in partial success (−3 to −1)"
    assert (subject, number, bands[here][:2]) == ("Against the difficulty", -1, ["partial success", "−3 to −1"])
    assert sum(band[2] for band in bands[:here]) < position < sum(band[2] for band in bands[: here + 1])
