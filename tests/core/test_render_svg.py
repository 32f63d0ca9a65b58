"""Dice as SVG: well-formed, named, with a different form for each state."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import dicedocs
from dicedocs.render.drawing import MAX_DRAWN
from dicedocs.render.drawing import STATES as DRAWN_STATES
from dicedocs.render.svg import dice_svg, die_svg
from dicedocs.rules.record import Die
from dicedocs.rules.seeds import SeededDice

from ..every import every

SVG = "{http://www.w3.org/2000/svg}"
SIDES = [1, 2, 3, 4, 6, 8, 10, 12, 20, 30, 100, 1_000_000]
STATES = ["", *DRAWN_STATES, "held back", '<b>&"\x00']


def drawing(die: Die, count: int = 1) -> ET.Element:
    return ET.fromstring(die_svg(die, count))  # noqa: S314 - our own


def texts(svg: ET.Element) -> list[str]:
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


@every("sides", SIDES)
@every("state", STATES)
def test_a_die_is_well_formed_and_fits(sides, state):
    svg = drawing(Die(sides, sides, state))
    left, top, width, height = map(float, svg.get("viewBox", "").split())
    assert (svg.get("role"), texts(svg)[0]) == ("img", str(sides))
    assert (top, height) in {(0, 48), (0, 68), (-12, 60)}
    # A bold digit is at most 0.72 em wide, whatever the font; a letter of a state's word about half an em.
    for text in svg.iter(f"{SVG}text"):
        em = 0.72 if text.get("class") == "dice-face" else 0.55
        half = em * float(text.get("font-size", "")) * len(text.text or "") / 2
        assert left <= float(text.get("x", "")) - half
        assert float(text.get("x", "")) + half <= left + width
    assert not [element for element in svg.iter() if element.get("id") or element.get("style")]


@every(
    ("die", "count", "name"),
    [
        (Die(6, 2), 1, "d6 showing 2"),
        (Die(6, 2, "dropped"), 1, "d6 showing 2, dropped"),
        (Die(6, 2), 163, "163 d6 showing 2"),
        (Die(20, 17, 'a "b" <c>'), 2, '2 d20 showing 17, a "b" <c>'),
    ],
)
def test_a_die_has_one_accessible_name(die, count, name):
    svg = drawing(die, count)
    assert svg.get("aria-label") == name
    assert svg.find(f"{SVG}title") is None


def test_each_shape_is_different():
    drawn = {sides: drawing(Die(sides, 1))[0] for sides in SIDES}
    outlines = {sides: (shape.tag, shape.get("d")) for sides, shape in drawn.items()}
    assert len(set(outlines.values())) == 9
    # A coin is round as well; its rim is inside the outline.
    assert len({outlines[sides] for sides in (1, 2, 30, 1_000_000)}) == 1
    assert len([part for part in drawing(Die(2, 1)) if part.get("class") == "dice-facets"]) == 1


def form(state: str) -> tuple[object, ...]:
    """Return all that shows the state of a die: its size, its lines and its texts."""
    svg = drawing(Die(6, 2, state))
    lines = tuple((line.get("class"), line.get("d"), line.get("stroke-dasharray")) for line in svg)
    return svg.get("height"), svg.get("viewBox"), lines, *texts(svg)


def test_each_state_has_a_form_of_its_own():
    states = ["", *DRAWN_STATES, "held back"]
    assert len({form(state) for state in states}) == len(states)
    assert texts(drawing(Die(6, 2, "held back"))) == ["2", "held back"]
    assert texts(drawing(Die(6, 2, "x" * 60)))[1] == "x" * 17 + "…"


@every("state", ["dropped", "scratched", "exhausted", "rerolled"])
def test_a_die_that_does_not_count_is_smaller_and_dashed_and_stands_on_the_same_line(state):
    counting, other = drawing(Die(6, 2, "spent")), drawing(Die(6, 2, state))
    assert (counting[0].get("stroke-dasharray"), other[0].get("stroke-dasharray")) == (None, "4 3")
    # Both are equally high and drawn in units of their own: 48 of one are as high as 60 of the other.
    assert other[0].get("width") == counting[0].get("width")
    sizes = [[float(each) for each in svg.get("viewBox", "").split()] for svg in (counting, other)]
    assert [(size[1], size[3]) for size in sizes] == [(0, 48), (-12, 60)]
    assert counting.get("height") == other.get("height") == "2.25em"
    if state != "rerolled":
        assert counting.get("width") == other.get("width") == "2.25em"


def test_colours_are_those_of_the_surrounding_text():
    svg = drawing(Die(20, 17, "dropped"), 3)
    paints = {element.get(name) for element in svg.iter() for name in ("fill", "stroke")}
    assert paints == {"none", "currentColor", None}


def items(html: str) -> list[ET.Element]:
    whole = ET.fromstring(html)  # noqa: S314 - our own
    assert (whole.get("role"), whole.get("aria-label")) == ("list", "Dice")
    assert {item.get("role") for item in whole} == {"listitem"}
    return list(whole)


def names(html: str) -> list[str]:
    return [item[0].get("aria-label", "") if len(item) else (item.text or "") for item in items(html)]


def test_no_dice_draw_nothing():
    assert dice_svg([]) == ""


def test_dice_are_drawn_in_the_order_thrown():
    assert names(dice_svg([Die(6, 5), Die(6, 2, "dropped"), Die(20, 5), Die(6, 5)])) == [
        *("d6 showing 5", "d6 showing 2, dropped", "d20 showing 5", "d6 showing 5"),
    ]


def test_many_equal_dice_are_drawn_once_with_their_count():
    thrown = [Die(6, 2)] * 163 + [Die(20, 1)] + [Die(6, 1, "dropped")] * 2 + [Die(6, 1)] * 7
    html = dice_svg(thrown)
    assert names(html) == ["7 d6 showing 1", "163 d6 showing 2", "d20 showing 1", "2 d6 showing 1, dropped"]
    assert "× 163" in html
    assert len(names(dice_svg([Die(6, 2)] * MAX_DRAWN))) == MAX_DRAWN
    assert names(dice_svg([Die(6, 2)] * (MAX_DRAWN + 1))) == [f"{MAX_DRAWN + 1} d6 showing 2"]


def test_of_too_many_different_dice_the_rest_are_counted():
    shown = names(dice_svg([Die(100, 7), *(Die(100, face) for face in range(1, 101))]))
    assert shown[:3] == ["2 d100 showing 7", "d100 showing 1", "d100 showing 2"]
    # 40 drawings, one of which stands for two dice.
    assert len(shown) == MAX_DRAWN + 1
    assert shown[-1] == "and 60 more"


def test_ten_thousand_different_dice_are_not_all_drawn(monkeypatch):
    drawn = []

    def draw(die, count=1):
        drawn.append(die)
        return die_svg(die, count)

    monkeypatch.setattr("dicedocs.render.svg.die_svg", draw)
    dice = [Die(1_000_000, face) for face in SeededDice(1).throw(10_000, 1_000_000)]
    assert len(dice_svg(dice)) < 40_000
    assert len(drawn) == MAX_DRAWN


def test_one_module_writes_all_shapes():
    modules = Path(dicedocs.__file__).parent.rglob("*.py")
    shape = re.compile("<(?:circle|line|path|rect|text) ")
    assert [module.name for module in modules if shape.search(module.read_text(encoding="utf-8"))] == ["svg.py"]
