"""Dice in LaTeX: the same drawings as in SVG."""

import re
import xml.etree.ElementTree as ET

from dicedocs.render.drawing import MAX_DRAWN, STATES, Drawing, Line, Rule
from dicedocs.render.svg import die_svg
from dicedocs.render.tikz import dice_tikz, die_tikz, drawing_tikz
from dicedocs.rules.record import Die

from ..every import every

SVG = "{http://www.w3.org/2000/svg}"


@every("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100, 1_000_000])
@every("state", ["", *STATES, "held back"])
def test_a_die_has_the_lines_and_the_texts_of_its_svg(sides, state):
    svg = ET.fromstring(die_svg(Die(sides, sides, state), 3))  # noqa: S314  # our own
    tikz = die_tikz(Die(sides, sides, state), 3)
    paths = [path.get("d") for path in svg.iter(f"{SVG}path")]
    assert re.findall(r"svg \{(.*?)\}", tikz) == paths
    assert tikz.count("dash pattern") == sum("stroke-dasharray" in line.attrib for line in svg)
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert re.findall(r"\\dice(?:face|word|count)\{.*?\}\{.*?\}\{.*?\}\{(.*?)\}", tikz) == texts
    extent = "".join(f"{{{each}}}" for each in svg.get("viewBox", "").split())
    # A unit is as much smaller as in the SVG, whose units are 2.25 em / 48.
    scale = float(svg.get("height", "").removesuffix("em")) / float(svg.get("viewBox", "").split()[3]) * 48 / 2.25
    assert tikz.startswith(rf"\dicedrawing{{{svg.get('aria-label')}}}{{{0.46 * scale:.3g}}}{extent}")


def test_texts_mean_nothing_to_latex():
    tikz = die_tikz(Die(6, 2, r"\input{x} 50%"))
    assert r"\input" not in tikz
    assert r"\textbackslash{}input\{x\} 50\%" in tikz


def test_many_dice_are_counted():
    assert dice_tikz([]) == ""
    assert dice_tikz([Die(6, 2), Die(6, 2)]).count(r"\dicedrawing") == 2
    assert dice_tikz([Die(6, 2)] * (MAX_DRAWN + 1)).count(r"\dicedrawing") == 1
    assert dice_tikz([Die(100, face) for face in range(1, 101)]).endswith("and 60 more")


def test_a_straight_line_goes_from_one_point_to_the_other():
    drawn = drawing_tikz(Drawing("", "A line", 0, 0, 9, 9, (Line(Rule(1, 2, 3, 4.5), "stroke"),)))
    assert drawn == "\\dicedrawing{A line}{0.46}{0}{0}{9}{9}{%\n\\draw[line width=1.3pt] (1,2) -- (3,4.5);}"
