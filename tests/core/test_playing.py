"""Playing a mechanic by its id, and the short forms `roll` and `check`."""

from typing import Any

import pytest

import dicedocs as dd
from dicedocs import ParameterError, SeededDice

from ..every import every


def test_seed_and_dice_of_a_play():
    assert dd.play("methuen/expression", expression="3d6", dice=[4, 2, 5]).value == 11
    assert dd.roll("3d6", dice=dd.ScriptedDice([4, 2, 5, 6])).value == 11  # a Dice object need not be used up
    assert dd.roll("3d6", seed="theron") == dd.roll("3d6", seed="theron")
    assert dd.roll("20d1000") != dd.roll("20d1000")
    with pytest.raises(ParameterError, match="a seed and dice were given"):
        dd.roll("3d6", seed=1, dice=[4, 2, 5])
    with pytest.raises(ParameterError, match="a seed and dice were given"):
        dd.roll("3d6", seed=1, dice=SeededDice(1))
    with pytest.raises(ParameterError, match="4 faces are given, and 3 thrown"):
        dd.roll("3d6", dice=[4, 2, 5, 6])


def test_shared_dice_continue_from_play_to_play():
    dice = SeededDice(7)
    faces = [*dd.roll("2d6", dice=dice).dice, *dd.play("ember/blaze", trait=1, cap=0, dice=dice).dice]
    assert faces == list(SeededDice(7).each(6, 6, 10))


def test_resources_of_a_roll_are_given_as_themselves_or_as_text():
    for actor in ({"Strength": 4}, "Strength=4", dd.Resources({"Strength": 4})):
        assert dd.roll("[Strength]", actor).value == 4
        assert dd.check("[Strength] = [Target Defense]", actor=actor, target="Defense=4").value is True
    nothings: list[Any] = [None, {}, "", "none"]
    for nothing in nothings:
        assert dd.roll("3", nothing, nothing).value == 3


@every("text", [3, None, b"3d6", ["3d6"], True])
def test_an_expression_is_text(text):
    with pytest.raises(ParameterError) as caught:
        dd.roll(text)
    assert caught.value.parameter == "notation"
