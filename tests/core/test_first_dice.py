"""The highest and the lowest of the first dice in a notation: a natural 20, and what it does."""

import pytest

import dicedocs as dd
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.session import Session

from ..every import every


# By hand: the faces in the order thrown, and which of them the notation keeps.
@every(
    ("notation", "dice", "highest", "lowest"),
    [
        ("1d20 + 5", [20], 20, 20),
        ("3d6 + 1d20", [2, 5, 3, 20], 5, 2),
        ("2 + 2d20kh1 + 1d4", [7, 15, 4], 15, 15),
        ("4d6dl1", [5, 2, 6, 3], 6, 3),
        ("4d6k>4", [1, 2, 3, 1], None, None),
        # A die that is thrown again does not count, and one that explodes and the new one both do.
        ("2d6r1", [1, 4, 3], 4, 3),
        ("1d6!", [6, 2], 6, 2),
        # A die that is raised counts as such, and compound dice count as one.
        ("2d6mi3", [1, 5], 5, 3),
        ("2d6!!", [6, 2, 3], 9, 2),
        # Dice with other faces count what is on them.
        ("3dF", [1, 3, 2], 1, -1),
        ("1d{2, 4, 8}", [3], 8, 8),
        # The dice that say how many are thrown are none of them.
        ("(1d2)d6", [2, 5, 3], 5, 3),
        ("10 - 2d6", [5, 3], 5, 3),
        ("{1d20 + 2, 1d20 + 9}kh1", [18, 10], 18, 18),
        ("(2d6 + 1d8)kh2", [5, 3, 6], 6, 5),
        ("5d10>=8", [8, 10, 1, 1, 3], 10, 1),
        ("max(1d20, 1d12)", [3, 12], 3, 3),
        ("7", [], None, None),
    ],
)
def test_they_are_those_of_the_dice_that_count(notation, dice, highest, lowest):
    outcome = dd.roll(notation, dice=dice)
    assert (outcome.fact("highest"), outcome.fact("lowest")) == (highest, lowest)
    assert (outcome.look_up("highest"), outcome.look_up("lowest")) == (highest, lowest)


@every(
    ("check", "dice", "highest"),
    [("1d20 + 5 >= 1d6", [20, 3], 20), ("15 <= 2d6", [6, 2], 6), ("3 > 2", [], None)],
)
def test_those_of_a_check_are_on_its_left_or_else_on_its_right(check, dice, highest):
    assert dd.check(check, dice=dice).fact("highest") == highest


def test_an_outcome_shows_them_only_where_they_are_asked_for():
    outcome = dd.roll("2d6 + 1", dice=[4, 2])
    assert outcome.facts() == "total=7"
    assert list(outcome.facts_of)[-1] == "members"
    for text in (str(outcome), outcome.to_json(), outcome.to_html(), repr(outcome)):
        assert "ighest" not in text
    assert outcome.facts("highest", "total") == "highest=4, total=7"
    assert dd.Example("dice/roll", {"notation": "2d6"}, dice=[4, 2], expect="highest=4").verify().value == 6
    with pytest.raises(dd.ExpectationError, match="got 'highest=4'"):
        dd.Example("dice/roll", {"notation": "2d6"}, dice=[4, 2], expect="highest=5").verify()
    assert dd.find_seed("dice/roll", notation="1d20", where="highest=20") == next(
        seed for seed in range(200) if dd.roll("1d20", seed=seed).value == 20
    )


def test_no_other_rule_has_them():
    with pytest.raises(dd.ParameterError, match="there is no fact 'highest'"):
        dd.play("methuen/check", check="1d20 >= 3", dice=[4]).fact("highest")


def test_they_have_no_odds_of_their_own():
    with pytest.raises(dd.ParameterError, match="'highest' has no odds of its own"):
        dd.odds("dice/roll", "highest", notation="2d6")


def test_a_natural_20_doubles_damage():
    orc = Character("Orc", "HP=30 of 30")
    session = Session("dice/check", {"check": "1d20 + 5 >= 12", "target": orc.resources}, characters=[orc])
    session.changes.then = "target.HP -= 5 * success * (1 + (highest = 20))"
    for face, left in ((20, 20), (10, 15), (2, 15)):
        session.roll([face])
        session.apply()
        assert session.people.characters[0]["HP"] == left
    assert session.entries[0].then == "orc.HP -= 5 * success * (1 + (highest = 20))"


@every(
    ("then", "message"),
    [
        ("a -= b >= 1", r"'a -= b >= 1' is a comparison; write a -= \(b >= 1\)"),
        ("a += b = 1 or 2", r"write a \+= \(b = 1 or 2\)"),
        ("a += 1 b += 2", r"'a \+= 1 b \+= 2' is not a change; write a \+= 1; b \+= 2"),
    ],
)
def test_a_comparison_that_is_added_stands_in_parentheses(then, message):
    with pytest.raises(dd.ParameterError, match=message):
        dd.Scene(a="0", b="0").change(then)


def test_two_equal_signs_are_refused_and_parentheses_count_one_or_nothing():
    scene = dd.Scene(a="0", b="0")
    with pytest.raises(dd.ParameterError, match="'a = b = 0' is a comparison; write a = 0; b = 0"):
        scene.change("a = b = 0")
    with pytest.raises(dd.ParameterError, match=r"is a comparison; write a = \(b > 0\) for 1 or 0"):
        scene.change("a = b > 0")
    scene.change("a = (b = 0)")
    assert str(scene["a"]) == "1"


def test_a_comparison_counts_one_or_nothing():
    scene = dd.Scene(heat="3", vault="0 of 9")
    scene.change("vault += (heat >= 3) + 2 * ((heat = 3) * (heat != 4)) + (heat < 3)")
    assert str(scene["vault"]) == "3 of 9"
