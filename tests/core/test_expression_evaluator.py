"""The values of resources, of dice, and of the arithmetic on them."""

from __future__ import annotations

import pytest

import dicedocs as dd
from dicedocs.errors import LimitError, ParameterError, ResourceError
from dicedocs.expression.references import references, substitute
from dicedocs.expression.roll import Roller
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import SILENT
from dicedocs.syntax.parser import parse_check, parse_expression
from dicedocs.syntax.tree import DiceTerm, Number, Reference, format  # noqa: A004

from ..every import every


def raw(text, faces=(), actor=None, target=None):
    """Return the value of an Expression, not clamped, when the dice show exactly these faces."""
    rule = {"expression": text, "actor": actor or {}, "target": target or {}}
    value = dd.play("methuen/expression", dice=list(faces), **rule).fact("raw")
    # The notation that everybody types comes to the same, but where it divides by 0.
    try:
        assert dd.roll(text, actor or {}, target or {}, dice=list(faces)).value == value
    except dd.DiceError as error:
        assert "has no value" in str(error)  # noqa: PT017
    return value


@every(
    ("text", "faces", "value"),
    [
        ("5", [], 5),
        ("2 + 3 * 4", [], 14),
        ("(2 + 3) * 4", [], 20),
        ("10 - 3 - 2", [], 5),
        ("10 - (3 - 2)", [], 9),
        ("7 / 2", [], 3),
        ("1 / 3", [], 0),
        ("7 / 2 * 2", [], 6),
        ("7 * 2 / 2", [], 7),
        ("100 / 7 / 3", [], 4),
        ("(5 - 8) / 2", [], -2),
        ("(5 - 8) / 2 + 10", [], 8),
        ("8 / (2 - 5)", [], -3),
        ("5 - 8", [], -3),
        ("(5 - 8) + 10", [], 7),
        ("(5 - 8) + 2", [], -1),
        ("10 / 0", [], 0),
        ("5 + 10 / 0", [], 5),
        ("10 / 0 * 3 + 1", [], 1),
        ("0 / 0", [], 0),
        ("10 / (3 - 3) - 1", [], -1),
        ("((((((7))))))", [], 7),
        ("3d6", [4, 2, 5], 11),
        ("d20", [17], 17),
        ("0d6", [], 0),
        ("0d6 + 4", [], 4),
        ("2d6 - 3d4", [1, 2, 3, 4, 1], -5),
        ("0 * 2d6 + 1", [5, 5], 1),
        ("2d6 * 0", [5, 5], 0),
        ("2d6 / 0", [5, 5], 0),
        ("1d6 - 1d8 * (1d10 + 1d12)", [1, 2, 3, 4], -13),
        ("100 / 1d6 / 2 * 1d6", [3, 4], 64),
        ("2 * 3 * 1d6", [5], 30),
        ("10 / 4 * 1d6", [5], 10),
        ("1d6 * 10 / 4", [5], 12),
        ("1d6 / 2 / 2", [6], 1),
        ("10 * 1d6 / 4", [5], 12),
        ("12 / 1d6", [5], 2),
        ("1 - 2 - 1d6 - 3 + 1d6 - 1d6", [1, 2, 4], -7),
        ("(1d4 + 2d6) * 2 - (3d8 - 4)", [1, 6, 6, 8, 8, 8], 6),
    ],
)
def test_an_expression_has_this_value(text, faces, value):
    assert raw(text, faces) == value


def test_dice_are_thrown_from_left_to_right_and_no_others():
    thrown = []

    class WatchedDice(SeededDice):
        def throw(self, count, sides):
            thrown.append((count, sides))
            return super().throw(count, sides)

    text = "0 * 1d4 + (2d6 - 3d8) / (1d10 - 0d7) + [A]d12 * 2d[B] - [C]d6 + d2"
    dd.roll(text, {"A": 1, "B": 20, "C": 0}, dice=WatchedDice(1))
    assert thrown == [(1, 4), (2, 6), (3, 8), (1, 10), (1, 12), (2, 20), (1, 2)]


@every(
    ("text", "actor", "target", "faces", "value"),
    [
        ("1d6 + [Strength]", {"Strength": 4}, None, [3], 7),
        ("[Self Strength]", {"Strength": 4}, None, [], 4),
        ("[Target Health] / 2", {}, {"Health": 15}, [], 7),
        ("(1d8 + [Strength]) * 2 - [Target Defense]", {"Strength": 4}, {"Defense": 3}, [6], 17),
        ("(2d6 + [Intelligence]) * 2 - [Target Defense] + 5", {"Intelligence": 4}, {"Defense": 12}, [3, 5], 17),
        ("[A] - [Target A]", {"A": 1}, {"A": 10}, [], -9),
        ("5 - [A]", {"A": -3}, None, [], 8),
        ("[A] * [A] / [B]", {"A": -3, "B": 2}, None, [], 4),
        ("10 / [Mana]", {"Mana": 0}, None, [], 0),
        ("[Level]d6", {"Level": 2}, None, [1, 2], 3),
        ("[Level]d6 + 1", {"Level": 0}, None, [], 1),
        ("2d[Size]", {"Size": 20}, None, [11, 20], 31),
        ("0d[Size]", {"Size": 20}, None, [], 0),
        ("[Level]d[Target Size] * [Level]", {"Level": 2}, {"Size": 4}, [4, 3], 14),
        ("[N]d[S]", {"N": 0, "S": 4}, None, [], 0),
        ("[Health Maximum]", {"Health Maximum": 20}, None, [], 20),
        ("[Self Target Health]", {"Target Health": 2}, {"Health": 3}, [], 2),
    ],
)
def test_resources_have_these_values(text, actor, target, faces, value):
    assert raw(text, faces, actor, target) == value


def test_references_are_in_the_order_of_the_text():
    tree = parse_check("[A]d[B] + [Target C] * ([A] - 1) < 2d[Target D]")
    assert references(tree) == [
        Reference("actor", "A"),
        Reference("actor", "B"),
        Reference("target", "C"),
        Reference("actor", "A"),
        Reference("target", "D"),
    ]
    assert format(substitute(tree, {"A": 1, "B": 2}, {"C": -3, "D": 4})) == "1d2 + -3 * (1 - 1) < 2d4"


def test_a_check_returns_both_sides_and_throws_the_left_side_first():
    check = dd.check("1d20 + [Strength] > [Target Strength] + 1d20", "Strength=5", "Strength=4", dice=[14, 12])
    assert (check.fact("left"), check.fact("right")) == (19, 16)
    check = dd.check("5 - 8 = 0", dice=[])
    assert (check.fact("left"), check.fact("right")) == (-3, 0)


@every(
    ("text", "actor", "target", "scope", "name", "message", "hint"),
    [
        ("[Strenght]", {"Strength": 4}, None, "actor", "Strenght", "the actor has no 'Strenght'", "'Strength'?"),
        ("[strength]", {"Strength": 4}, None, "actor", "strength", "the actor has no 'strength'", "'Strength'?"),
        ("[Mana]", {}, None, "actor", "Mana", "the actor has no 'Mana'", ""),
        ("[Mana]", {"Health": 1}, None, "actor", "Mana", "the actor has no 'Mana'", "known: 'Health'"),
        (
            "[ilse.Mana]",
            {},
            None,
            "actor",
            "ilse.Mana",
            "the actor has no 'ilse.Mana'",
            "give ilse as the actor, and write [Mana]",
        ),
        ("[ilse.Mana]", {"Mana": 1}, None, "actor", "ilse.Mana", "the actor has no 'ilse.Mana'", "write [Mana]"),
        ("[Mana]d6", {}, None, "actor", "Mana", "the actor has no 'Mana'", ""),
        ("2d[Mana]", {}, None, "actor", "Mana", "the actor has no 'Mana'", ""),
        ("0 * [Mana]", {}, None, "actor", "Mana", "the actor has no 'Mana'", ""),
        ("[Defense]", {}, {"Defense": 1}, "actor", "Defense", "the actor has no", "write [Target Defense]"),
        ("[Target Might]", {"Might": 1}, {}, "target", "Might", "the target has no 'Might'", "write [Might]"),
        ("[Target Might]", {"Might": 1}, None, "target", "Might", "there is no target to have 'Might'", "[Might]"),
        ("[target Might]", {}, {"Might": 1}, "actor", "target Might", "the actor has no", "write [Target Might]"),
        ("[self Might]", {"Might": 1}, None, "actor", "self Might", "the actor has no", "write [Might]"),
        ("[Target Target]", {"Target": 1}, {}, "target", "Target", "the target has no", "write [Self Target]"),
        ("[A] + [Target B] + [A]", {}, {}, "actor", "A", "the actor has no 'A' and the target has no 'B'", ""),
        ("[Target A] + [Target B]", {}, None, "target", "A", "there is no target to have 'A' and 'B'", ""),
        ("[<b>bold</b>]", {}, None, "actor", "<b>bold</b>", "the actor has no '<b>bold</b>'", ""),
        (
            "[L]d6",
            {"L": -1},
            None,
            "actor",
            "L",
            "-1 dice cannot be thrown, the value of [L]",
            "throw 0 or more",
        ),
        ("1d[S]", {"S": 0}, None, "actor", "S", "a die cannot have 0 sides, the value of [S]", "1 or more"),
        ("0d[S]", {"S": 0}, None, "actor", "S", "cannot have 0 sides", "1 or more"),
        (
            "1d[Target S]",
            {},
            {"S": -6},
            "target",
            "S",
            "cannot have -6 sides, the value of [Target S]",
            "1 or more",
        ),
        ("[L]d[S]", {"L": -1, "S": 0}, None, "actor", "S", "cannot have 0 sides", ""),
    ],
)
def test_the_error_names_the_resource(text, actor, target, scope, name, message, hint):
    with pytest.raises(ResourceError) as caught:
        substitute(parse_expression(text), actor, target)
    error = caught.value
    assert (error.scope, error.name) == (scope, name)
    assert message in error.message
    assert hint in error.hint


@every(
    ("text", "actor", "limit"),
    [
        ("[A]", {"A": 10**12}, "DIGITS"),
        ("[A]", {"A": -(10**12)}, "DIGITS"),
        ("[A]", {"A": 10**5000}, "DIGITS"),
        ("[A]d6", {"A": 10_001}, "DICE"),
        ("5000d6 + [A]d6", {"A": 5_001}, "DICE"),
        ("1d[A]", {"A": 1_000_001}, "SIDES"),
    ],
)
def test_a_value_beyond_a_limit_is_an_error_before_anything_is_thrown(text, actor, limit):
    with pytest.raises(LimitError) as caught:
        substitute(parse_expression(text), actor)
    assert caught.value.limit == limit


def test_values_just_within_the_limits():
    assert raw("[A] + 1", actor={"A": 10**12 - 1}) == 10**12
    tree = substitute(parse_expression("5000d6 + [A]d[S]"), {"A": 5_000, "S": 1_000_000})
    assert format(tree) == "5000d6 + 5000d1000000"


def test_dice_refuse_a_tree_that_no_text_parses_to():
    with pytest.raises(ParameterError):
        Roller(SeededDice(1), SILENT).roll(DiceTerm(Number(1), Number(0)), Number(1))


def test_long_chains_and_deep_parentheses():
    assert raw("+".join(["1"] * 500)) == 500
    assert raw("-".join(["1"] * 500)) == 1 - 499
    assert raw("+".join(["d6"] * 333), [6] * 333) == 1998
    assert raw("1" + "*1" * 499) == 1
    assert raw("[a]" + "/[a]" * 249, actor={"a": 1}) == 1
    assert raw("(" * 50 + "1d6" + "+1)" * 50, [2]) == 52
    assert raw("(1*" * 50 + "1d6" + ")" * 50, [2]) == 2


def test_the_largest_possible_value_is_short_enough_to_be_written():
    maximum = 10**12 - 1
    value = raw("*".join(["[a]"] * 250), actor={"a": maximum})
    assert value == maximum**250
    # Python writes whole numbers of up to 4,300 digits; no text makes a longer one.
    assert len(str(value)) == 3000


@pytest.mark.parametrize(("text", "value"), [("ceil((7 / 2))", 4), ("floor((7 / 2))", 3), ("round((7 / 2))", 4)])
def test_a_quotient_in_more_parentheses_is_rounded_as_its_function_says(text, value):
    assert dd.roll(text).value == value
