"""Odds by brute force: a rule is played with every sequence of faces.

It shares nothing with how the core counts odds, neither the dice calls nor the arithmetic; only the rule.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

from dicedocs import Dice, Mechanic
from dicedocs.rules.registry import mechanic


class EverySequence(Dice):
    """Dice that show one sequence of faces after another, the last die changing fastest."""

    def __init__(self) -> None:
        super().__init__()
        self.sequence: list[list[int]] = []
        self.thrown = 0

    def throw(self, count: int, sides: int) -> list[int]:
        faces = []
        for _ in range(count):
            if self.thrown == len(self.sequence):
                self.sequence.append([1, sides])
            face, same = self.sequence[self.thrown]
            assert same == sides
            faces.append(face)
            self.thrown += 1
        return faces

    def probability(self) -> Fraction:
        """The probability of the current sequence."""
        return Fraction(1, prod(sides for _, sides in self.sequence))

    def advance(self) -> bool:
        """Go on to the next sequence; return whether there is one."""
        assert self.thrown == len(self.sequence)
        self.thrown = 0
        while self.sequence and self.sequence[-1][0] == self.sequence[-1][1]:
            self.sequence.pop()
        if self.sequence:
            self.sequence[-1][0] += 1
        return bool(self.sequence)


def every_outcome(rule: str | Mechanic, **parameters: Any) -> dict[tuple[Any, ...], Fraction]:
    """The probability of each combination of all facts of a rule."""
    playing = rule if isinstance(rule, Mechanic) else mechanic(rule)(**parameters)
    joint: dict[tuple[Any, ...], Fraction] = {}
    dice = EverySequence()
    going = True
    while going:
        outcome = playing.play(dice)
        facts = tuple(outcome.fact(name) for name in outcome.facts_of)
        joint[facts] = joint.get(facts, Fraction(0)) + dice.probability()
        going = dice.advance()
    return joint


def of_facts(joint: dict[tuple[Any, ...], Fraction], *indexes: int) -> dict[Any, Fraction]:
    """The marginal probabilities of some facts, by their indexes; for a single one the keys are its values."""
    marginal: dict[Any, Fraction] = {}
    for facts, probability in joint.items():
        value = facts[indexes[0]] if len(indexes) == 1 else tuple(facts[index] for index in indexes)
        marginal[value] = marginal.get(value, Fraction(0)) + probability
    return marginal
