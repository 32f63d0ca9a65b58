"""An outcome as HTML: its parts, escaped, well-formed and safe in any host."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import dicedocs as dd
from dicedocs.probability.distribution import Distribution
from dicedocs.render.chart_html import odds_html
from dicedocs.render.html import (
    call_html,
    chosen_html,
    outcome_html,
    participants_html,
    result_html,
    stylesheet,
    with_stylesheet,
    working_html,
)
from dicedocs.render.scale import table_bands
from dicedocs.render.table import csv_link, odds_table, table_html
from dicedocs.render.text import Origin
from dicedocs.rules.dice import Dice, ScriptedDice
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.params import param
from dicedocs.rules.registry import mechanic
from dicedocs.rules.steps import Operation, Say
from dicedocs.scenes.state_view import Shift, changes_html, track_html

from ..every import every
from ..hostile import EVERYTHING, SURROGATE

HOSTILE = f"{EVERYTHING}\0{SURROGATE}"


class Strike(Mechanic):
    who: str = param(default="Renna")

    class Result(Outcome):
        total: int
        hit: bool = fact(label="<i>Hit</i>")
        archer: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        say.rewrite("Substitute", "d6 + d6", "d6 + d6")
        faces = dice.each(6, 6)
        faces.mark(0, self.who, self.who)
        total = say.sum(self.who, *faces, (self.who, 1))
        say.rewrite("Divide", "", self.who, Operation(7, "/", 2, 3))
        say.bound("Clamp", total, low=0)
        return self.Result(total, say.fact("Hit", True, self.who), self.who)


class Duel(Mechanic):
    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.play(Strike(), "Sera & Renna").total)


class Still(Mechanic):
    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.bound("Clamp", 5, low=0))


def strike(who: str = "Renna") -> Outcome:
    return Strike(who=who).play(ScriptedDice([4, 2]))


def tree(html: str) -> ET.Element:
    """Parse HTML, which here is also XML."""
    return ET.fromstring(html)  # noqa: S314 - our own


SVG = {"svg", "rect", "text", "path"}


def classes_below(element: ET.Element) -> list[str | None]:
    return [part.get("class") for part in element]


def text(element: ET.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def of_class(element: ET.Element, name: str) -> list[ET.Element]:
    return [inner for inner in element.iter() if name in (inner.get("class") or "").split()]


def test_the_order_of_the_parts():
    parts = tree(outcome_html(strike(), names=["total", "hit"], call='dd.play("x")'))
    assert parts.get("class") == "dice-outcome dice-full"
    assert classes_below(parts) == ["dice-row", "dice-working", "dice-call"]
    assert classes_below(parts[0]) == ["dice-drawn", "dice-result"]
    checked = tree(outcome_html(dd.play("mage-in-the-metal/check", skill=14, dice=[3, 4, 6]), chosen=True))
    assert classes_below(checked) == ["dice-given", "dice-row", "dice-scale", "dice-working"]


def test_parts_can_be_left_out():
    bare = tree(outcome_html(strike(), steps=False))
    assert classes_below(bare) == ["dice-row"]
    assert classes_below(bare[0]) == ["dice-drawn", "dice-result"]
    still = tree(outcome_html(Still().play(ScriptedDice([]))))
    assert classes_below(still) == ["dice-row"]
    assert classes_below(still[0]) == ["dice-result"]


def test_the_working_is_a_list_without_the_steps_that_change_nothing():
    working = tree(working_html(strike().steps()))
    assert working.tag == "ol"
    assert [text(item) for item in working] == [
        "Dice: 2d6: 4 2",
        "Renna: d6 4 Renna",
        "Renna: 4 + 2 + 1 (Renna) = 7",
        "Divide: Renna (7 / 2 = 3, rounded down)",
        "Hit: yes (Renna)",
    ]
    assert [code.text for code in working.iter("code")] == ["Renna"]
    assert working_html([]) == ""


def test_a_compact_outcome_is_one_row_with_the_working_and_the_call_folded():
    shown = tree(outcome_html(strike(), look="compact", chosen=True, call='dd.play("x")', title="A <b>blow</b>"))
    assert shown.get("class") == "dice-outcome dice-compact"
    assert classes_below(shown) == ["dice-row", "dice-how"]
    assert classes_below(shown[0]) == ["dice-drawn", "dice-result"]
    assert [part.tag for part in shown[1]] == ["summary", "ol", "pre"]
    assert (shown[1][0].text, shown[1][0].get("aria-label")) == ("How?", "How? A <b>blow</b>")
    assert shown[1].get("open") is None


def test_a_compact_outcome_without_working_folds_the_call_alone():
    shown = tree(outcome_html(strike(), look="compact", steps=False, call='dd.play("x")', title="A blow"))
    assert classes_below(shown) == ["dice-row", "dice-call"]
    assert (shown[1][0].text, shown[1][0].get("aria-label")) == ("Python", "Python A blow")
    assert classes_below(tree(outcome_html(strike(), look="compact", steps=False))) == ["dice-row"]


def test_a_line_is_the_summary_of_what_is_folded():
    shown = tree(outcome_html(strike(), look="line", chosen=True, call='dd.play("x")'))
    assert (shown.tag, shown.get("class"), shown.get("open")) == ("details", "dice-outcome dice-line", None)
    assert [part.tag for part in shown] == ["summary", "ol", "pre"]
    assert text(shown[0]) == "4 Renna 2 Total 7"
    # HTML allows no blocks in a summary.
    assert {part.tag.rpartition("}")[2] for part in shown[0].iter()} <= {"summary", "span", "strong"} | SVG
    assert tree(outcome_html(strike(), look="line", steps=False)).tag == "div"


def test_the_working_can_be_unfolded():
    for look in ("compact", "line"):
        (fold,) = tree(outcome_html(strike(), look=look, opened=True)).iter("details")
        assert fold.get("open") == ""


def test_a_played_mechanic_is_nested():
    working = tree(working_html(Duel().play(ScriptedDice([4, 2])).steps()))
    (played,) = working
    assert text(played[0]) == "Sera & Renna:"
    assert played[1].tag == "ol"
    assert len(played[1]) == 5


def test_the_result_shows_the_first_fact_first():
    facts = tree(result_html(strike(), ["hit", "dice", "total"]))
    assert [text(each) for each in facts] == ["<i>Hit</i> yes", "Total 7"]
    assert [text(each) for each in tree(result_html(strike()))] == ["Total 7"]


def test_data_is_escaped():
    html = outcome_html(strike(HOSTILE), names=["total", "hit", "archer"], call=f"dd.play({HOSTILE!r})\n{HOSTILE}")
    whole = tree(html)  # a script in it would be an element, a quote would end an attribute
    assert {element.tag.rpartition("}")[2] for element in whole.iter()} == {
        *("div", "span", "svg", "rect", "text", "ol", "li", "code"),
        *("details", "summary", "strong", "pre"),
    }
    allowed = {"class", "role", "aria-label", "tabindex"}
    drawing = {"viewBox", "width", "height", "x", "y", "rx", "d", "fill", "font-size", "font-weight", "text-anchor"}
    names = {name for element in whole.iter() for name in element.attrib if not name.startswith("stroke")}
    assert names <= allowed | drawing
    html.encode()
    assert "\x00" not in html
    die = of_class(whole, "dice-svg")[0]
    shown = HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert die.get("aria-label") == f"d6 showing 4, {shown}"
    assert text(of_class(whole, "dice-value")[2]) == shown


def test_code_is_folded_and_can_be_scrolled_by_keyboard():
    block = tree(call_html('dd.roll(\n    "3d6",\n)'))
    assert (block.tag, block.get("open"), block[0].text) == ("details", None, "Python")
    (code,) = block[1]
    assert (code.get("tabindex"), code.get("role"), code.get("aria-label")) == ("0", "group", "Python code")
    assert code.text == 'dd.roll(\n    "3d6",\n)'


def test_html_has_no_ids_scripts_or_styles_of_its_own():
    html = outcome_html(strike(), call="x")
    assert not re.search(r"\s(id|style|on\w+)=|<script|<style|<h\d", html)


def test_dice_are_drawn_when_any_were_thrown():
    (dice,) = of_class(tree(outcome_html(strike())), "dice-thrown")
    assert len(of_class(dice, "dice-svg")) == 2
    assert of_class(tree(outcome_html(Still().play(ScriptedDice([])))), "dice-thrown") == []


def test_what_comes_on_top_of_a_verdict_stands_below_it():
    fumble = dd.play("mecha-vs-kaiju/action", pool="d20 d8 d6", counter=9, dice=[1, 2, 6])
    judged, facts = tree(result_html(fumble, ["impact", "inspiration"]))
    assert [text(each) for each in judged] == ["\N{BALLOT X} Failure", "Critical fumble \N{MIDDLE DOT} 7 vs 9"]
    assert [text(each) for each in facts] == ["Impact 0", "Inspiration 1"]


def test_an_outcome_made_by_hand_shows_its_facts():
    html = outcome_html(Strike.Result(7, hit=False, archer="Renna"))
    assert [text(each) for each in tree(html)[0][0]] == ["Total 7", "<i>Hit</i> no", "Archer Renna"]


def test_a_notebook_gets_the_stylesheet_too():
    html = strike()._repr_html_()
    assert html == with_stylesheet(outcome_html(strike()))
    assert html.startswith("<style")
    assert html.count("</style>") == 1


def test_the_stylesheet_is_small_and_knows_only_our_classes():
    css = stylesheet()
    assert len(css) < 18_500
    assert "url(" not in css
    assert "@import" not in css
    made = outcome_html(Duel().play(ScriptedDice([4, 2])), call="x") + result_html(strike())
    made += outcome_html(strike(), chosen=True, look="compact") + outcome_html(strike(), look="line")
    made += participants_html(strike(), {"who": [Origin("Sera")]})
    made += outcome_html(dd.roll("60d10", seed=1))
    for skill in (3, 18):
        made += dd.play("mage-in-the-metal/check", skill=skill, dice=[3, 4, 6]).to_html()
    made += result_html(dd.play("mage-in-the-metal/check", skill=14, dice=[3, 4, 6]), ["difference"])
    made += dd.play("mage-in-the-metal/contest", contestants="Ash: skill 9; Bo: skill 9", dice=[3] * 6).to_html()
    made += outcome_html(strike("dropped")) + outcome_html(strike("exhausted"))
    action = mechanic("dungeoneers/action-roll").example().play(ScriptedDice([]))
    made += outcome_html(action) + outcome_html(dd.roll("5 - 3", dice=[]), chosen=True)
    coin = Distribution({"heads": 1, "tails": 1})
    made += odds_html({"one": coin, "two": coin}, marked=["heads"])
    long = odds_table({"": Distribution.dice(1, 30)}, bands=table_bands({None: "all"}))
    made += table_html(long) + csv_link("x", "x")
    made += changes_html([Shift("Vault", "0 of 8", "2 of 8")]) + track_html("Gold", "20 of 24")
    classes = set(re.findall(r"\.(dice-[a-z-]+)", css))
    of_directive = {"dice-example", "dice-example-title", "dice-error", "dice-more", "dice-character", "dice-values"}
    of_directive |= {"dice-counted", "dice-claim", "dice-claims", "dice-rule", "dice-shows"}
    of_directive |= {"dice-in-text", "dice-rule-ids", "dice-rule-ids-line", "dice-examples"}
    of_directive |= {"dice-scene", "dice-cast", "dice-changes", "dice-elsewhere", "dice-sheet"}
    of_directive |= {"dice-mechanic", "dice-rule-lines"}
    assert {name for name in classes if not re.search(rf"\b{name}\b", made)} == of_directive


def test_the_colours_of_verdicts_stand_in_one_stylesheet():
    """Pages, panels and books on paper take them from there."""
    root = Path(__file__).parents[2]
    sheets = (path for folder in ("dicedocs", "sphinx_ext", "widgets") for path in (root / folder).rglob("*.css"))
    css = "\n".join(path.read_text("utf-8") for path in sheets)
    of_success = re.findall(r"[^{}]*-success\b[^{}]*\{[^}]*\}", css)
    assert len(of_success) > 1
    # Paper whitens the colour, since it cannot mix it.
    assert sum(bool(re.search(r"#(?!fff)", rule)) for rule in of_success) == 1


@every("names", [(), ("total",), ("dice",)])
def test_the_same_outcome_gives_the_same_html(names):
    assert outcome_html(strike(), names=names) == outcome_html(strike(), names=list(names))


def test_chosen_parameters_are_optional_and_escaped():
    outcome = dd.roll("1d6 + [<b>]", actor={"<b>": 4}, dice=[3])
    shown = outcome_html(outcome, chosen=True)
    assert "<code>1d6 + [&lt;b&gt;]</code>" in shown
    assert "&lt;b&gt; 4</span>" in shown
    assert "dice-given" not in outcome_html(outcome)


def test_parameters_that_were_written_are_shown_even_if_they_are_the_default():
    outcome = Strike(who="Renna").play(ScriptedDice([4, 2]))
    assert chosen_html(outcome, {}) == ""
    assert text(tree(chosen_html(outcome, {"who": []}))) == "Who Renna"


def test_a_parameter_names_the_character_that_it_was_taken_from():
    outcome = strike("Sera")
    whole = tree(chosen_html(outcome, {"who": [Origin("S<e>ra", url="a.html#b&c")]}))
    assert text(whole) == "Who S<e>ra"
    assert [link.get("href") for link in whole.iter("a")] == ["a.html#b&c"]
    one = tree(chosen_html(outcome, {"who": [Origin("Kira", "Name")]}))
    assert text(one) == "Who Sera (Kira: Name)"
    assert list(one.iter("a")) == []


def test_who_takes_part_in_a_roll_of_a_scene_is_escaped_and_linked():
    assert participants_html(strike("Sera"), {"who": []}) == ""
    origins = [Origin("S<e>ra", "N<a>me", "a.html#b&c"), Origin("The hit"), Origin("Kira", "Skill", alone=False)]
    line = tree(participants_html(strike("Sera"), {"who": [origins[0], origins[2]], "target": [origins[1]]}))
    assert text(line) == "S<e>ra · N<a>me · Kira: Skill · against The hit"
    assert [link.get("href") for link in line.iter("a")] == ["a.html#b&c"]


@every(("look", "fold"), [("full", ""), ("compact", "dice-how"), ("line", "dice-line")])
def test_in_a_scene_the_parameters_begin_the_working(look, fold):
    html = outcome_html(
        strike("Sera"), in_scene=True, written={"who": [Origin("Kira", "Name")]}, look=look, chosen=True
    )
    given, *steps = of_class(tree(f"<div>{html}</div>"), "dice-step")
    assert text(given) == "Who: Sera (Kira: Name)"
    assert len(steps) == len(of_class(tree(outcome_html(strike("Sera"))), "dice-step"))
    folds = list(tree(f"<div>{html}</div>").iter("details"))
    assert [each.get("class").split()[-1] for each in folds] == [fold] * bool(fold)
    assert all("Who:" in text(each) for each in folds)
    assert html.index("Kira · Name") < html.index("dice-thrown") < html.index("Who:")
    # What is read without folds has a line less.
    opened = outcome_html(strike("Sera"), in_scene=True, written={"who": [Origin("Kira", "Name")]}, opened=True)
    assert "Who:" not in opened
