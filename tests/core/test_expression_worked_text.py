"""The worked texts of Expressions and of pools, filled from the faces, against those rendered from their steps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.expression.parser import parse_expression
from dicedocs.expression.worked_text import worked_text
from dicedocs.render.text import outcome_text
from dicedocs.systems.methuen import ARITHMETIC, Expression

TERMS = st.sampled_from(["0d6", "1d6", "3d4", "24d6", "25d6", "0", "7", "120", "(2d6 + 3)", "(1d4 - 1d6)", "(5)"])
TEXTS = st.builds(
    lambda first, rest: first + "".join(f" {sign} {term}" for sign, term in rest),
    TERMS,
    st.lists(st.tuples(st.sampled_from("+-*/"), TERMS), max_size=4),
)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(TEXTS, st.integers(0, 1000))
def test_the_filled_text_is_the_rendered_text(text, seed):
    outcome = dd.play("methuen/expression", expression=text, seed=seed)
    assert str(outcome) == outcome_text(outcome)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("3d6", True),
        ("24d6 * 2 - 1", True),
        ("(7 / 2) * 1d6", True),
        # More than 24 faces are counted, a quotient may be rounded, and without dice there is nothing to fill.
        ("25d6", False),
        ("1d6 / 2", False),
        ("7 - 2", False),
    ],
)
def test_which_texts_are_filled(text, filled):
    assert (worked_text(parse_expression(text), ARITHMETIC) is not None) == filled


POOLS = st.sampled_from(
    [
        "4d6kh3",
        "3d6!",
        "2d6r<3 [fire]",
        "5d10>=8f1",
        "3d6!!pkl2",
        "4d6u",
        "6d6sd",
        "2d66kh1",
        "26d6kh1",
        "3d6kh1 [100% cold]",
        "{3d6, 2d8kl1}kh1",
        "{4d6 + 2d8 - 3}kh2",
        "{20d6 + 20d8}kh3",
        "(2d4, 3)",
        "4dF",
        "3d{hit, -, 2}",
        "2d20cs>18cf",
        "3d6mi3ro1",
        "(1d2)d6dl1",
        "0d6kh1",
        "2 ** 3",
    ]
)
FULL = st.builds(
    lambda first, rest: first + "".join(f" {sign} {term}" for sign, term in rest),
    POOLS | st.builds("-{}".format, POOLS) | st.builds("({})".format, POOLS),
    st.lists(st.tuples(st.sampled_from(["+", "-", "*", "%", "**"]), POOLS | TERMS), max_size=3),
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(FULL, st.integers(0, 1000))
def test_the_told_text_of_pools_is_the_rendered_text(text, seed):
    try:
        outcome = dd.roll(text, seed=seed)
    except dd.DiceError:
        return
    assert str(outcome) == outcome_text(outcome)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("4d6kh3 + 2", True),
        ("3d6! * [Wit]", True),
        ("30d6kh1", False),
        ("2d{hit, -}", False),
        # Nothing is shown but the result.
        ("0d6kh1", True),
    ],
)
def test_which_texts_of_pools_are_told(text, told):
    outcome = dd.roll(text, {"Wit": 3} if "Wit" in text else None, seed=1)
    assert (outcome.rule.worked_text.fill(outcome.dice) is not None) == told
    with dd.language("de"):
        assert outcome.rule.worked_text.fill(outcome.dice) is None
        assert "Würfel:" in str(outcome) or not outcome.dice


def test_faces_of_another_roll_tell_nothing():
    rule = dd.roll("4d6kh3", seed=1).rule
    assert rule.worked_text.fill([5, 2, 6]) is None
    assert rule.worked_text.fill([5, 2, 6, 3, 1]) is None


def test_a_comment_is_rendered_from_the_steps():
    assert str(dd.roll("4d6kh3 # stealth", dice=[5, 2, 6, 3])).splitlines()[0] == "Comment: stealth"


def test_a_text_with_references_is_rendered_from_its_steps():
    assert Expression(expression="1d6 + [Wit]", actor="Wit=4").worked_text is None


def test_an_expression_that_another_rule_plays_shows_its_facts():
    played = []

    class Attack(dd.Mechanic):
        class Result(dd.Outcome):
            damage: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            played.append(dice.play(Expression(expression="1d6 + 2"), "Damage"))
            return self.Result(played[0].total)

    Attack().play(dd.ScriptedDice([3]))
    assert str(played[0]) == "Total: 5\nRaw: 5"
