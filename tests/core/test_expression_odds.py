"""The distributions of Expressions and Checks, compared with every sequence of faces."""

import operator
from fractions import Fraction
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import LimitError, NotationError, ResourceError, limits
from dicedocs.expression.odds import side_distributions, tree_distribution
from dicedocs.expression.references import substitute
from dicedocs.rules.steps import SILENT
from dicedocs.syntax.parser import parse_check, parse_expression
from dicedocs.systems.methuen import work_out

from ..every import every
from ..examples import many
from .brute_force import EverySequence, every_outcome, of_facts
from .stage_oracle import dice_terms
from .test_expression_properties import ACTOR, TARGET, Sample, grouped, resources, sums

SEQUENCES = 200
SIGNS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

tried = settings(max_examples=many(40), deadline=None, derandomize=True, database=None)


def every_value(tree):
    """Return the probability of each value of a tree, by trying every sequence of faces."""
    tree = substitute(tree, ACTOR, TARGET)
    probabilities = {}
    dice = EverySequence()
    going = True
    while going:
        value = work_out(SILENT, tree, tree, dice).value
        probabilities[value] = probabilities.get(value, Fraction(0)) + dice.probability()
        going = dice.advance()
    return probabilities


@st.composite
def few_dice(draw):
    count, sides = draw(st.sampled_from([(0, 6), (1, 1), (1, 2), (1, 3), (1, 6), (2, 2), (2, 3), (3, 2), (1, 10)]))
    return Sample(f"{count}d{sides}", (1,) * count, count)


@st.composite
def small_numbers(draw):
    value = draw(st.integers(0, 12) | st.sampled_from([1000, 10**9]))
    return Sample(str(value), (), value)


leaves = few_dice() | few_dice() | small_numbers() | resources()
expressions = sums(st.recursive(leaves, lambda inner: leaves | grouped(inner), max_leaves=6)).filter(
    lambda sample: len(sample.text) <= 400 and sequences(sample.text) <= SEQUENCES
)


def sequences(text):
    """Return how many sequences of faces the dice of a text can show."""
    return prod(term.sides.value**term.count.value for term in dice_terms(parse_expression(text)))


@tried
@given(expressions)
def test_an_expression_against_every_sequence(sample):
    tree = parse_expression(sample.text)
    odds = tree_distribution(substitute(tree, ACTOR, TARGET), by_zero=0)
    expected = every_value(tree)
    assert odds.to_dict() == expected
    assert sum(odds.counts) == odds.denominator
    total = dd.odds("methuen/expression", "total", expression=sample.text, actor=ACTOR, target=TARGET)
    assert total.to_dict() == of_facts(
        {(max(0, value), value): probability for value, probability in expected.items()}, 0
    )
    both = dd.odds("methuen/expression", "raw", "total", expression=sample.text, actor=ACTOR, target=TARGET)
    assert both.to_dict() == {(value, max(0, value)): probability for value, probability in expected.items()}


@settings(tried, max_examples=many(20))
@given(expressions, st.sampled_from(list(SIGNS)), expressions)
def test_a_check_against_every_sequence_of_both_sides(left, sign, right):
    check = f"{left.text} {sign} {right.text}"
    raw = [every_value(parse_expression(sample.text)) for sample in (left, right)]
    sides = [{}, {}]
    for probabilities, values in zip(sides, raw, strict=True):
        for value, probability in values.items():
            probabilities[max(0, value)] = probabilities.get(max(0, value), 0) + probability
    expected = {
        (SIGNS[sign](one, two), one, two): probability * other
        for one, probability in sides[0].items()
        for two, other in sides[1].items()
    }
    parameters = {"check": check, "actor": ACTOR, "target": TARGET}
    assert dd.odds("methuen/check", "success", "left", "right", **parameters).to_dict() == expected
    assert dd.odds("methuen/check", **parameters).to_dict() == of_facts(expected, 0)
    assert dd.odds("methuen/check", "left", **parameters).to_dict() == sides[0]
    assert dd.odds("methuen/check", "right", "left", **parameters).to_dict() == of_facts(expected, 2, 1)
    counted = side_distributions(substitute(parse_check(check), ACTOR, TARGET), by_zero=0)
    assert [side.to_dict() for side in counted] == raw


@every(
    "text",
    [
        "3d4", "1d4 - 2d3", "2d3*2 - 1d4*3 + 1", "0*2d3 + 1d2", "2d2*0 - 1", "1d4*5 + 1d3*7 - 1d3*5", "3*1d4 - 1d3*2",
        "1d3*1d3", "(1d3-2)*(2d3-4)", "(1d4-2)/(1d3-2)", "7 - 1d6/2", "(2d3-3)/2*3", "0 - 1d6/4", "(0-1d6)/4",
        "1d6*1000000 + 1d4", "(1d4+2)*(1d4+2)/3", "(1d3-1)*(1d3-1)", "(1d3-1)*(1d4-1)", "1d2*2*2", "2*1d2*3", "1d6/0",
        "0d6", "0d6*3 + 1", "((1d3))", "1d6 + (1d4 + (1d3 - (1d2 - 1)))", "1d3/1d3/1d3", "1d2*1d2*1d2*1d2",
        "10/(1d3-1)",
    ],
)  # fmt: skip
def test_texts_that_are_easy_to_get_wrong(text):
    assert dd.odds("methuen/expression", "total", "raw", expression=text).to_dict() == every_outcome(
        "methuen/expression", expression=text
    )


def test_by_hand():
    # 1d20 + 6 is 12 or more from a 6 on.
    assert dd.odds("methuen/check", check="1d20 + 6 >= 12").p("true") == Fraction(3, 4)
    # 2 in 6 quotients are 1 or more, when the divisor can be 0: 1/0 and 0/0 are 0.
    assert dd.odds("methuen/expression", expression="(1d2-1)/(1d3-1)").to_dict() == {
        0: Fraction(5, 6),
        1: Fraction(1, 6),
    }
    assert dd.odds("methuen/expression", expression="1d6 - 4").to_dict() == {
        0: Fraction(4, 6), 1: Fraction(1, 6), 2: Fraction(1, 6),
    }  # fmt: skip
    assert dd.odds("methuen/expression", "raw", expression="(1d2 - 4) / 2").to_dict() == {
        -2: Fraction(1, 2),
        -1: Fraction(1, 2),
    }


def test_a_game_may_say_what_a_division_by_zero_gives():
    tree = parse_expression("(1d3 - 2) / (1d2 - 1)")
    # The divisor is 0 or 1: three quotients of 7, and -1, 0 and 1.
    assert tree_distribution(tree, by_zero=7).to_dict() == {
        -1: Fraction(1, 6), 0: Fraction(1, 6), 1: Fraction(1, 6), 7: Fraction(1, 2),
    }  # fmt: skip
    with pytest.raises(dd.DiceError, match="has no value"):
        tree_distribution(tree)


def test_a_long_chain():
    text = "+".join(["1d2", "1d2*2", "(1d2)"] * 60)
    odds = dd.odds("methuen/expression", expression=text)
    assert odds.denominator == 2**180
    assert odds.mean == Fraction(3, 2) * 4 * 60
    assert odds.variance == Fraction(1, 4) * (1 + 4 + 1) * 60


@every(
    ("text", "error"),
    [("3d", NotationError), ("[Nothing Here]d6", ResourceError), ("[Debt]d6 + 5d6", ResourceError),
     ("1d[Nothing]", ResourceError), ("6000d2 + 6000d3", LimitError)],
)  # fmt: skip
def test_a_text_that_cannot_be_rolled_has_no_distribution(text, error):
    for run in (dd.roll, lambda text, **parameters: dd.odds("methuen/expression", expression=text, **parameters)):
        with pytest.raises(error):
            run(text, actor=ACTOR)


HOSTILE = {
    "200d400 * 200d400": limits.COUNT_BITS,
    "200d400": limits.COUNT_BITS,
    "9999d9999": limits.OUTCOMES,
    "1d100000 * 1d100000": limits.PAIRS,
    "1d100000 / 1d1000": limits.PAIRS,
    "1d99999 + 1d99999": limits.OUTCOMES,
    "100d100 * 100d100": limits.PAIRS,
    "1d999999999999": limits.SIDES,
    "999999999999d2": limits.DICE,
    "+".join(["1d999*999"] * 90): limits.PAIRS,
    "+".join([f"1d300*{n}" for n in range(900, 980)]): limits.PAIRS,
    "*".join(["1d6"] * 150): limits.PAIRS,
    "/".join(["1d999"] * 100): limits.PAIRS,
    "*".join(["(1d9-5)"] * 100): limits.PAIRS,
    "(" * 40 + "1d500" + " * 1d500)" * 40: limits.PAIRS,
}


@every("text", HOSTILE, ids=lambda text: text[:30])
def test_a_distribution_that_is_too_large_is_a_limit_error(text):
    with pytest.raises(LimitError) as caught:
        dd.odds("methuen/expression", expression=text)
    assert caught.value.limit == HOSTILE[text].name


@every(
    "text",
    ["1d20*1d20*1d20*1d20*1d20*1d20", "1d600*1d600", "+".join(f"1d{n}" for n in range(2, 120)), "1d500*1000*1d500",
     "*".join(["999999999999"] * 70), "*".join(["(1d2*999999999999)"] * 50), "1d310*310 + 1d310",
     "-".join(["1d500*2"] * 50)],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_a_large_distribution_is_computed(text):
    odds = dd.odds("methuen/expression", expression=text)
    assert sum(odds.counts) == odds.denominator
