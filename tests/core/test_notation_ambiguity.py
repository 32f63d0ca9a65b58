"""Texts that may mean two things: each is refused, with a legal spelling for each meaning, in a roll and in a check."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import dicedocs as dd
from dicedocs.syntax.parser import split_comment

from ..every import every

TOUCHES = "a comparison that touches dice counts them, by a number"
COUNT = "ambiguous: this could count dice or compare"
DROP = "ambiguous: this could drop dice or count them"
KEEP = "ambiguous: this could keep dice or count them"
D36 = "ambiguous: a d36 could be one die, or a d3 for the tens and a d6 for the ones"
COMMENT = "'#' begins a comment"
REFUSED = [
    # text, where it is refused, why, what it may mean in a roll, and in a check; None where it is read
    ("1d20>1d20", 4, TOUCHES, "(1d20 > 1d20)", "1d20 > 1d20"),
    ("d20>d20", 3, TOUCHES, "(d20 > d20)", "d20 > d20"),
    ("3d6>=2d6", 3, TOUCHES, "(3d6 >= 2d6)", "3d6 >= 2d6"),
    ("3d6>=2d6+1", 3, TOUCHES, "(3d6 >= 2d6+1)", "3d6 >= 2d6+1"),
    ("10d6=2d%", 4, TOUCHES, "(10d6 = 2d%)", "10d6 = 2d%"),
    ("4dF<2dF", 3, TOUCHES, "(4dF < 2dF)", "4dF < 2dF"),
    ("4d6kh3!=4d6kh3", 6, TOUCHES, "(4d6kh3 != 4d6kh3)", "4d6kh3 != 4d6kh3"),
    ("2d6!=d6", 3, TOUCHES, "(2d6 != d6)", "2d6 != d6"),
    ("2d6!=[Score]", 3, TOUCHES, "(2d6 != [Score])", "2d6 != [Score]"),
    ("2d10<[Score]", 4, TOUCHES, "(2d10 < [Score])", "2d10 < [Score]"),
    ("[Score]+2d10<[Score]", 12, TOUCHES, "([Score]+2d10 < [Score])", "[Score]+2d10 < [Score]"),
    ("-2d10<[Score]", 5, TOUCHES, "(-2d10 < [Score])", "-2d10 < [Score]"),
    ("5d10>=(8)", 4, TOUCHES, "(5d10 >= (8))", "5d10 >= (8)"),
    ("{2d6, 1d8}>=2d6", 10, TOUCHES, "({2d6, 1d8} >= 2d6)", "{2d6, 1d8} >= 2d6"),
    ("(1d20>1d20)*3", 5, TOUCHES, "(1d20 > 1d20)*3", "(1d20 > 1d20)*3"),
    ("5d10>=8+2", 4, COUNT, "(5d10>=8)+2 | (5d10 >= 8+2)", "(5d10>=8)+2 | 5d10 >= 8+2"),
    (
        "(2d6+1d20>=12)*2", 9, COUNT,
        "(2d6+(1d20>=12))*2 | (2d6+1d20 >= 12)*2",
        "(2d6+(1d20>=12))*2 | (2d6+1d20 >= 12)*2",
    ),
    ("2d6>=4", 3, COUNT, None, "2d6>=4 >= 1 | 2d6 >= 4"),
    ("2d6>=4 # hit", 3, COUNT, None, "2d6>=4 >= 1 | 2d6 >= 4"),
    ("2d6>=7", 3, "none of these dice can show '>=7'", "(2d6 >= 7)", "2d6 >= 7"),
    ("4d6kh3>=10", 6, "none of these dice can show '>=10'", "(4d6kh3 >= 10)", "4d6kh3 >= 10"),
    ("4dF=2", 3, "none of these dice can show '=2'", "(4dF = 2)", "4dF = 2"),
    ("[Score]d6<1", 9, "none of these dice can show '<1'", "([Score]d6 < 1)", "[Score]d6 < 1"),
    ("(1d20+5)>=15", 8, COUNT, None, "(1d20+5) >= 15"),
    ("(1d20+5)>=15+2", 8, COUNT, "((1d20+5) >= 15+2)", "(1d20+5) >= 15+2"),
    ("1d6d6", 3, "'d6' leaves no dice", "1d6 + d6 | (1d6)d6", "1d6 + d6 | (1d6)d6"),
    ("d20d20", 3, "'d20' leaves no dice", "d20 + d20 | (d20)d20", "d20 + d20 | (d20)d20"),
    ("3d6d8", 3, "'d8' leaves no dice", "3d6 + d8 | (3d6)d8", "3d6 + d8 | (3d6)d8"),
    ("2d6d2", 3, "'d2' leaves no dice", "2d6 + d2 | (2d6)d2", "2d6 + d2 | (2d6)d2"),
    ("1d6d", 3, "'d' leaves no dice", "", ""),
    ("2d20kl1d20", 7, "'d20' leaves no dice", "2d20kl1 + d20", "2d20kl1 + d20"),
    ("2d20kld20", 6, "'d20' leaves no dice", "2d20kl + d20", "2d20kl + d20"),
    ("1d6!d6", 4, "'d6' leaves no dice", "1d6! + d6", "1d6! + d6"),
    ("4d6k4d6", 5, "'d6' leaves no dice", "", ""),
    ("{1d6, 1d8}d20", 10, "'d20' leaves no dice", "{1d6, 1d8} + d20", "{1d6, 1d8} + d20"),
    ("6#4d6kh3", 1, COMMENT, "4d6kh3 | 6 /* 4d6kh3 */", "4d6kh3 | 6 /* 4d6kh3 */"),
    ("6 # 3d6+2 for stats", 2, COMMENT, "3d6+2 | 6 /* 3d6+2 for stats */", "3d6+2 | 6 /* 3d6+2 for stats */"),
    ("[Score]#1d20", 7, COMMENT, "1d20 | [Score] /* 1d20 */", "1d20 | [Score] /* 1d20 */"),
    ("3d6#2d6", 3, COMMENT, "3d6 + 2d6 | 3d6 /* 2d6 */", "3d6 + 2d6 | 3d6 /* 2d6 */"),
    ("4d6 // 2nd attack", 4, "'//' begins a comment", "4d6 # 2nd attack", "4d6 # 2nd attack"),
    ("4d6d<3", 3, DROP, "4d6p<3 | 4d6dl1<3 | (4d6dl1 < 3)", "4d6p<3 | 4d6dl1<3 | 4d6dl1 < 3"),
    ("4d6dh>3", 3, DROP, "4d6p>3 | 4d6dh1>3 | (4d6dh1 > 3)", "4d6p>3 | 4d6dh1>3 | 4d6dh1 > 3"),
    (
        "2d20kh=1min10", 4, KEEP,
        "2d20k=1min10 | 2d20kh1min10 | 2d20kh1=1min10",
        "2d20k=1min10 | 2d20kh1min10 | 2d20kh1=1min10",
    ),
    (
        "{1d6, 1d8}kl==1", 10, KEEP,
        "{1d6, 1d8}k==1 | {1d6, 1d8}kl1 | {1d6, 1d8}kl1==1 | ({1d6, 1d8}kl1 == 1)",
        "{1d6, 1d8}k==1 | {1d6, 1d8}kl1 | {1d6, 1d8}kl1==1 | {1d6, 1d8}kl1 == 1",
    ),
    ("4d6d<3 >= 2", 3, DROP, "(4d6p<3 >= 2) | (4d6dl1<3 >= 2)", "4d6p<3 >= 2 | 4d6dl1<3 >= 2"),
    ("2d36 + 1", 0, D36, "2d(36) + 1 | (2d3 * 10 + 2d6) + 1", "2d(36) + 1 | (2d3 * 10 + 2d6) + 1"),
    ("2d36kh1", 0, D36, "2d(36)kh1", "2d(36)kh1"),
]  # fmt: skip
SAME = [
    # What is near to these, and has one meaning.
    ("4d6d1", "4d6dl1"),
    ("2d6d1", "2d6kh1"),
    ("1d6!d1", "1d6!dl1"),
    ("10d6dh1d1", "10d6dh1dl1"),
    ("(1d6)d6", "(1d6)d(6)"),
    ("4d6k<3", "4d6p>=3"),
    ("4d6kh3>=4", "4d6dl1>=4"),
    ("2d6!=3", "2d6!3"),
    ("4d6kh3 # a comment", "4d6kh3"),
    ("3d6 # 2d6 and then some", "3d6"),
    ("3d6 # 2 of 3", "3d6"),
    ("6 /* 4d6 */", "6"),
    ("4df", "4dF"),
    ("4dfkh2 + (1d2)df", "4dFkh2 + (1d2)dF"),
]
COMPARED = [
    ("1d20 > 1d20", Fraction(19, 40)),
    ("1d20> 1d20", Fraction(19, 40)),
    ("1d20>=12", Fraction(9, 20)),
    ("1d20>=[Score]", Fraction(9, 20)),
    ("[Score]>1d20", Fraction(11, 20)),
    ("2d6+[Score]>=19", Fraction(21, 36)),
    ("dF>=1", Fraction(1, 3)),
    ("d66>=65", Fraction(2, 36)),
    ("1d6!= 4", Fraction(5, 6)),
]


def spelled(hint):
    """Return each text that a hint says to write or to roll, and which of the two."""
    return re.findall(r"(write|roll) '([^']+)'", hint)


@every(("text", "at", "message", "rolled", "checked"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_may_mean_two_things_is_refused_with_each(text, at, message, rolled, checked):
    for play, meant in ((dd.roll, rolled), (dd.check, checked)):
        if meant is None:
            play(text, "Score=12")
            continue
        with pytest.raises(dd.NotationError) as caught:
            play(text, "Score=12", seed=1)
        error = caught.value
        assert (error.at, error.message, " | ".join(said for _, said in spelled(error.hint))) == (at, message, meant)
        # The text stands above the caret.
        assert str(error).splitlines()[1].strip() == text
        for verb, said in spelled(error.hint):
            (play if verb == "write" else dd.roll)(said, "Score=12", seed=1)
    if rolled is not None:
        with pytest.raises(dd.NotationError):
            dd.odds(text, actor="Score=12")


@every(("text", "same"), SAME)
def test_what_has_one_meaning_is_read(text, same):
    assert dd.odds("dice/roll", notation=text) == dd.odds("dice/roll", notation=same)


@every(("text", "probability"), COMPARED)
def test_a_comparison_with_spaces_or_of_one_die_compares(text, probability):
    assert dd.odds("dice/check", check=text, actor="Score=12").p(True) == probability


@every(("text", "value"), [("5d10>=8f1", 1), ("(2d6>=5)", 1), ("(1d20 >= 15) # hit", 1), ("4d6kh3 # stats", 10)])
def test_the_comparison_that_a_check_lacks_can_hold(text, value):
    with pytest.raises(dd.NotationError) as caught:
        dd.check(text, seed=1)
    body = split_comment(text)[0]
    assert caught.value.hint == f"compare it with a value: '{body} >= {value}'"
    assert 0 < dd.odds("dice/check", check=f"{body} >= {value}").p(True) < 1


def test_the_two_readings_of_a_d36():
    assert dd.odds("d(36)").to_dict() == {face: Fraction(1, 36) for face in range(1, 37)}
    digits = {10 * tens + ones: Fraction(1, 18) for tens in (1, 2, 3) for ones in range(1, 7)}
    assert dd.odds("(1d3 * 10 + 1d6)").to_dict() == digits
    # A die of a resource, and the dice of Methuen, have so many sides.
    assert dd.odds("d[Size]", actor="Size=36").mean == Fraction(37, 2)
    assert dd.odds("methuen/expression", expression="d36").mean == Fraction(37, 2)


@every(("name", "sides"), [("44", 4), ("66", 6), ("88", 8), ("444", 4), ("666", 6), ("888", 8)])
def test_dice_of_digits(name, sides):
    faces = [0]
    for _ in name:
        faces = [10 * value + digit for value in faces for digit in range(1, sides + 1)]
    assert dd.odds(f"d{name}").to_dict() == {face: Fraction(1, len(faces)) for face in faces}
    # Each digit is a die of its own, which is thrown, recorded and dropped as such.
    last, first = [sides] * len(name), [*range(1, len(name) + 1)]
    outcome = dd.roll(f"2d{name}kh1", dice=[*first, *last])
    assert outcome.value == int("".join(map(str, last)))
    assert [(die.sides, die.face, die.state) for die in outcome.thrown] == [
        *[(sides, face, "dropped") for face in first],
        *[(sides, face, "") for face in last],
    ]
    assert dd.odds("methuen/expression", expression=f"d{name}").mean == Fraction(int(name) + 1, 2)


@every("sides", [22, 33, 55, 77, 99, 64, 67, 222, 616, 4444])
def test_no_other_dice_are_digits(sides):
    assert dd.odds(f"d{sides}").mean == Fraction(sides + 1, 2)
