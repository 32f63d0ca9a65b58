"""Dice of a pool on the table: drawn from the kinds of parameters and facts alone, in every format."""

import xml.etree.ElementTree as ET
from typing import Annotated

import pytest

from dicedocs import Dice, Mechanic, Outcome, Places, PoolFacesKind, Say, ScriptedDice, fact, param
from dicedocs.render.drawing import MAX_DRAWN
from dicedocs.render.html import outcome_html, pools_html
from dicedocs.render.outcome_looks import Look
from dicedocs.render.pools import table_pools
from dicedocs.rules.record import Die

from ..every import every

Hand = Annotated[tuple[int | None, ...], PoolFacesKind(10)]


class Gamble(Mechanic):
    """Lay a die down, throw others again, and keep a hand of d10s."""

    hand: Hand = param(example="9 - 3 3")
    exhausted: Annotated[tuple[int, ...], Places("hand")] = param(default=())
    again: Annotated[tuple[int, ...], Places("hand", "rerolled")] = param(default=())
    lay: Annotated[tuple[int, ...], Places("hand")] = param(default=(), help="'lay' is not a state of a die")

    class Result(Outcome):
        hand: Hand = fact(help="what the dice show now")
        spent: Annotated[tuple[int, ...], Places("hand")] = fact(help="the dice laid down")
        pair: bool = fact(help="whether two are equal")

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = list(self.hand)
        for position in self.again:
            faces[position - 1] = dice.roll(10)
        return self.Result(tuple(faces), self.lay, pair=len(set(faces)) < len(faces))


class Glance(Mechanic):
    """Look at a hand, which does not change."""

    hand: Hand = param(example="9 3")

    class Result(Outcome):
        highest: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(max(face for face in self.hand if face is not None))


def names(outcome: Outcome) -> dict[str, list[str]]:
    return {pool.label: [die.name for die in pool.dice] for pool in table_pools(outcome)}


def test_a_pool_is_drawn_before_and_after_from_its_kinds():
    outcome = Gamble(hand="9 - 3 3", exhausted="2", again="3", lay="1").play(ScriptedDice([7]))
    assert names(outcome) == {
        "Hand before": ["d10 showing 9", "d10, exhausted", "d10 showing 3, rerolled", "d10 showing 3"],
        "Hand after": ["d10 showing 9, spent", "d10", "d10 showing 7", "d10 showing 3"],
    }


def test_a_pool_that_does_not_change_is_drawn_once():
    assert names(Glance(hand="9 3").play(ScriptedDice([]))) == {"Hand": ["d10 showing 9", "d10 showing 3"]}
    assert names(Gamble(hand="9 3").play(ScriptedDice([]))) == {"Hand": ["d10 showing 9", "d10 showing 3"]}


def test_html_has_a_named_list_for_each_pool():
    outcome = Gamble(hand="9 - 3 3", exhausted="2", again="3", lay="1").play(ScriptedDice([7]))
    html = ET.fromstring(outcome_html(outcome))  # noqa: S314 - our own
    lists = [each for each in html.iter("span") if each.get("role") == "list"]
    assert [each.get("aria-label") for each in lists] == ["Hand before", "Hand after", "Dice"]
    assert [len(each) for each in lists] == [4, 4, 1]


def words(outcome: Outcome, *facts: str, look: Look = "compact") -> str:
    html = ET.fromstring(outcome_html(outcome, names=facts, chosen=True, steps=False, look=look))  # noqa: S314 - our own
    kinds = ("dice-choice", "dice-fact")
    return "; ".join(" ".join("".join(each.itertext()).split()) for each in html.iter() if each.get("class") in kinds)


def test_what_a_pool_shows_is_not_repeated_in_words():
    outcome = Gamble(hand="9 - 3 3", exhausted="2", again="3", lay="1").play(ScriptedDice([7]))
    # No drawing shows whether two are equal: 9, 7 and 3 are not.
    assert words(outcome, "hand", "spent", "pair") == "Pair no"
    unchanged = Gamble(hand="9 3").play(ScriptedDice([]))
    assert words(unchanged, "hand", "pair") == "Pair no"


def test_in_a_line_the_result_is_in_words_since_its_pool_is_folded():
    outcome = Gamble(hand="9 3", lay="2").play(ScriptedDice([]))
    assert words(outcome, "spent", look="line") == "Spent 2"


def test_what_a_pool_does_not_show_completely_is_in_words():
    # Of two states of a die the first is drawn; of many dice the first.
    assert words(Gamble(hand="- 9", exhausted="1 2", again="2").play(ScriptedDice([3])), "pair") == "Again 2; Pair no"
    large = words(Gamble(hand=[5] * 60, lay="1").play(ScriptedDice([])), "hand")
    assert large.count("5") == 120


def test_of_a_large_pool_the_rest_is_counted():
    (pool,) = table_pools(Glance(hand=[5] * 300).play(ScriptedDice([])))
    assert (len(pool.dice), pool.rest) == (MAX_DRAWN, 260)
    assert "and 260 more" in pools_html([pool])


def test_names_agree_with_those_of_dice_that_were_thrown():
    outcome = Gamble(hand="9 3", lay="2").play(ScriptedDice([]))
    assert names(outcome)["Hand after"] == [str(Die(10, 9)), str(Die(10, 3, "spent"))]


def test_a_fact_that_names_dice_that_are_not_there_marks_none():
    outcome = Gamble(hand="9 3", lay="7").play(ScriptedDice([]))
    assert names(outcome) == {"Hand": ["d10 showing 9", "d10 showing 3"]}


@every("sides", [0, -6, "6", True, 2.5])
def test_the_dice_of_a_pool_have_sides(sides):
    with pytest.raises(TypeError, match="is not a number of sides"):
        PoolFacesKind(sides)
