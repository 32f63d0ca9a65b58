"""The worked text of an Expression, filled from the faces, against the one rendered from its steps."""

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
