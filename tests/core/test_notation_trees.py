"""Properties of the full notation: what is printed is read as the same tree, and plain texts mean the same in both."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.render.json_data import outcome_from_json
from dicedocs.syntax.parser import parse_expression
from dicedocs.syntax.tree import format  # noqa: A004 -- it is to trees what the built-in is to values

from ..examples import many

tried = settings(max_examples=many(60), deadline=None, derandomize=True, database=None)

PLAIN = st.recursive(
    st.sampled_from(["7", "2d6", "d20", "[Luck]", "[Target Guard]", "[Luck]d8", "3d[Luck]"]),
    lambda part: st.builds("{} {} {}".format, part, st.sampled_from("+-*/"), part) | st.builds("({})".format, part),
    max_leaves=8,
)
MODIFIERS = st.sampled_from(
    [
        "",
        "kh3",
        "dl1dh1",
        "r<3",
        "ro1mi2",
        "!",
        "!!>=5x2",
        "!p",
        "u",
        ">=4",
        "<3f6",
        "cs>5cf",
        "k>2",
        "p1",
        "sd",
        "!o",
        "!<>4",
        "<>3",
        "u>=3",
    ]
)
DICE = st.builds(
    "{}d{}{}".format,
    st.sampled_from(["", "3", "[Luck]", "(1d4)", "(2 + 1)"]),
    st.sampled_from(["6", "%", "F", "F.1", "66", "{-, hit, 2}", "[Luck]", "(2 * 3)"]),
    MODIFIERS,
)
MERGED = st.sampled_from(["{4d6 + 2d8 - 3}kh2", "((5d6!kh4)dl1)kh1", "{(2d6 + [Luck]d4) - 3d{-, hit}}dl2kh1sd"])
FULL = st.recursive(
    DICE | PLAIN | MERGED,
    lambda part: st.one_of(
        st.builds("({} {} {})".format, part, st.sampled_from(["=", " >= ", " < "]), part),
        st.builds("({}) {} 2.5".format, part, st.sampled_from("*/")),
        st.builds("0.75 * ({})".format, part),
        st.builds("({}) {} ({})".format, part, st.sampled_from(["+", "-", "*", "/", "%", "**"]), part),
        st.builds("-({})".format, part),
        st.builds("({}) [fire]".format, part),
        st.builds("{{{}, {}}}{}".format, part, part, st.sampled_from(["", "kh1", "dl1", "kh1kl1", ">=3", "k>2"])),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), part, part),
        st.builds("{}({})".format, st.sampled_from(["floor", "ceil", "round", "abs"]), part),
    ),
    max_leaves=5,
)


REFUSED = "leaves none of", "drops all", "none of these dice can show", "each of these dice shows", "rounds nothing"
"""What is said of a text that has the form of a notation, and is refused."""


@tried
@given(PLAIN)
def test_a_plain_text_is_the_same_tree_in_both_dialects(text):
    tree = parse_expression(text, "plain")
    assert parse_expression(text, "notation") == tree


@tried
@given(FULL)
def test_what_is_printed_is_read_as_the_same_tree(text):
    try:
        tree = parse_expression(text, "notation")
    except dd.NotationError as error:
        assert any(known in error.message for known in REFUSED)  # noqa: PT017 -- nothing else is refused
        return
    assert parse_expression(format(tree), "notation") == tree


@tried
@given(FULL, st.integers(0, 10_000))
def test_a_roll_explains_itself(text, seed):
    try:
        outcome = dd.roll(text, "Luck=4", "Guard=3", seed=seed)
    except dd.DiceError:
        return
    assert outcome_from_json(outcome.to_json()) == outcome


def test_the_order_of_writing_does_not_matter():
    for one, other in [("4d6kh3r1", "4d6r1kh3"), ("4d6!d1", "4d6d1!"), ("3d8mi2ro1", "3d8ro1mi2")]:
        assert dd.odds("dice/roll", notation=one) == dd.odds("dice/roll", notation=other)


def test_what_became_of_each_die_is_recorded():
    def states(text, *faces):
        return [die.state for die in dd.roll(text, dice=list(faces)).thrown]

    assert states("4d6kh3", 5, 2, 6, 3) == ["", "dropped", "", ""]
    assert states("2d6r1", 1, 4, 1, 3) == ["rerolled", "", "rerolled", ""]
    assert states("2d6!", 6, 2, 6, 1) == ["exploded", "", "exploded", ""]
    assert states("3d10>=8f1", 9, 1, 4) == ["counted", "failed", ""]
    assert states("3d6u", 4, 4, 2, 5) == ["", "rerolled", "", ""]
    assert states("2d20cs>18cf", 19, 1) == ["critical success", "critical failure"]


def test_the_working_says_what_became_of_each_die():
    assert str(dd.roll("4d6kh3 + 2", dice=[5, 2, 6, 3])).splitlines() == [
        "Dice: 4d6: 5 2 6 3",
        "4d6kh3: 14 (5, 2 (dropped), 6, 3)",
        "Roll: 14 + 2",
        "Calculate: 16   (14 + 2 = 16)",
    ]
    assert str(dd.roll("3d10>=8f1", dice=[9, 1, 4])).splitlines()[1] == (
        "3d10>=8f1, successes less failures: 0 (9 (counted), 1 (failed), 4)"
    )


def test_labels_add_up_and_a_comment_is_kept():
    outcome = dd.roll("2d6 [fire] + 3 [cold] - 1d4 [fire] # sneak attack", dice=[5, 6, 4])
    assert outcome.facts() == "total=10, labels=fire=7, cold=3"
    assert "Comment: sneak attack" in str(outcome)
    assert "Comment: 2 goblins" in str(dd.roll("2d6 /* 2 goblins */", dice=[5, 6]))


def test_equal_nodes_of_different_kinds_are_rolled_as_what_they_are():
    # A value in parentheses and its negation are equal tuples, so that neither may stand for the other.
    values = [dd.roll(text, dice=[5, 2]).value for text in ("(2d6kh1)", "-2d6kh1", "(2d6)", "-2d6", "(-2d6)", "--2d6")]
    assert values == [5, -5, 7, -7, -7, 7]
    assert (dd.roll("2d3", dice=[1, 2]).value, dd.roll("2**3").value) == (3, 8)


def test_a_wrong_reference_is_named_whatever_was_rolled_before():
    assert dd.roll("[Size] ** 2", {"Size": 3}).value == 9
    with pytest.raises(dd.ResourceError) as caught:
        dd.roll("[Size]d2", {"Size": -3})
    assert (caught.value.name, caught.value.at) == ("Size", 0)


def test_a_product_of_powers_has_as_many_digits_as_an_outcome_may_have():
    with pytest.raises(dd.LimitError, match="OUTCOME_DIGITS"):
        dd.roll("(10 ** 3000) * (10 ** 3000)")
    with pytest.raises(dd.LimitError, match="OUTCOME_DIGITS"):
        dd.roll("10 ** 3000 * 10 ** 500 * 10 ** 500")


def test_totals_are_negative_and_a_quotient_is_rounded_down():
    assert dd.roll("3 - 8").value == -5
    assert dd.roll("-7 / 2").value == -3 - 1
    assert dd.roll("ceil(7 / 2) + round(7 / 2) + floor(7 / 2)").value == 4 + 4 + 3
    with pytest.raises(dd.DiceError, match="has no value"):
        dd.roll("1 / 0")
