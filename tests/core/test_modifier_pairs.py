"""Each pair of modifiers rolls as it counts: every sequence of faces is played, and the totals are compared exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import dicedocs as dd
from dicedocs.rules.registry import mechanic
from dicedocs.syntax.modifiers import MODIFIERS

from ..every import every
from ..examples import some

ONE_OF_EACH = {
    "Reroll": ["r1", "ro<2"],
    "Minimum": ["mi2"],
    "Maximum": ["ma2"],
    "Explode": ["!x1", "!!x1", "!p3x1"],
    "Differ": ["u", "uo", "u>1"],
    "Filter": ["k>1", "p2"],
    "Keep": ["kh1", "kl1", "dh1", "dl1"],
    "CriticalSuccess": ["cs"],
    "CriticalFailure": ["cf<2"],
    "Success": [">1"],
    "Failure": [">2f1"],
    "Sort": ["sd"],
}
PAIRS = [
    f"{one}{two}"
    for (kind, ones), (other, twos) in product(ONE_OF_EACH.items(), repeat=2)
    if kind != other
    for one, two in product(ones, twos)
]
FACTS = ("total", "successes", "failures", "critical_successes", "critical_failures")
AGAIN = 3
"""How often dice may be thrown again, for ever, before what is left of a sequence is put down as not followed."""


class Played(dd.Dice):
    """Dice that show the faces of a sequence, and then ask for more."""

    def __init__(self, faces):
        super().__init__()
        self.left = list(faces)

    def throw(self, count, sides):
        if count > len(self.left):
            raise NeedsMoreError(sides)
        shown, self.left = self.left[:count], self.left[count:]
        return shown


class NeedsMoreError(Exception):
    def __init__(self, sides):
        super().__init__()
        self.sides = sides


def every_play(text, dice, sides):
    """Return the probabilities of the values of each fact, and of what is longer than is followed."""
    values, unfollowed = {fact: {} for fact in FACTS}, 0
    rule = mechanic("dice/roll")(notation=text)
    # A sequence stands for as many of the longest ones as begin with it.
    waiting = [(faces, sides**AGAIN) for faces in product(range(1, sides + 1), repeat=dice)]
    while waiting:
        faces, ways = waiting.pop()
        try:
            outcome = rule.play(Played(faces))
        except NeedsMoreError:
            if len(faces) >= dice + AGAIN:
                unfollowed += ways
            else:
                waiting += [((*faces, face), ways // sides) for face in range(1, sides + 1)]
            continue
        for fact, known in values.items():
            value = outcome.fact(fact)
            known[value] = known.get(value, 0) + ways
    longest = sides ** (dice + AGAIN)
    probabilities = {
        fact: {value: Fraction(ways, longest) for value, ways in known.items()} for fact, known in values.items()
    }
    return probabilities, Fraction(unfollowed, longest)


def test_every_modifier_takes_part():
    assert list(ONE_OF_EACH) == [each.__name__ for each in MODIFIERS]


@pytest.mark.parametrize(("dice", "sides"), [(2, 4), pytest.param(3, 3, marks=pytest.mark.thorough)])
@every("modifiers", some(PAIRS))
def test_a_pair_of_modifiers_rolls_as_it_counts(modifiers, dice, sides):
    text = f"{dice}d{sides}{modifiers}"
    try:
        rule = mechanic("dice/roll")(notation=text)
        rule.play(dd.SeededDice(1))
    except dd.DiceError:
        return  # a pair that contradicts itself is refused
    played, unfollowed = every_play(text, dice, sides)
    for fact, values in played.items():
        try:
            counted = dd.odds(rule, fact)
        except dd.LimitError:
            assert "u" in modifiers or "r" in modifiers, "only what is thrown again for ever is not counted"
            continue
        for value in {*values, *counted.values}:
            # What is not followed may be any value.
            assert values.get(value, 0) <= counted.exactly(value) <= values.get(value, 0) + unfollowed, fact
