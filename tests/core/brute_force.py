"""Odds by brute force: a rule is played with every sequence of faces.

This shares nothing with the enumeration of `dicedocs.probability` but the rule.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dicedocs import Dice, Mechanic
from dicedocs.rules.registry import mechanic


class EverySequence(Dice):
    """Dice that show every sequence of faces in turn, like a combination lock."""

    def __init__(self) -> None:
        super().__init__()
        self.lock: list[list[int]] = []
        self.thrown = 0

    def throw(self, count: int, sides: int) -> list[int]:
        faces = []
        for _ in range(count):
            if self.thrown == len(self.lock):
                self.lock.append([1, sides])
            face, sides_before = self.lock[self.thrown]
            assert sides_before == sides
            faces.append(face)
            self.thrown += 1
        return faces

    def chance(self) -> Fraction:
        """Return the probability of the current sequence."""
        chance = Fraction(1)
        for _, sides in self.lock:
            chance /= sides
        return chance

    def turn(self) -> bool:
        """Go on to the next sequence; return whether there is one."""
        assert self.thrown == len(self.lock)
        self.thrown = 0
        while self.lock and self.lock[-1][0] == self.lock[-1][1]:
            self.lock.pop()
        if self.lock:
            self.lock[-1][0] += 1
        return bool(self.lock)


def every_outcome(rule: str | Mechanic, **parameters: Any) -> dict[tuple[Any, ...], Fraction]:
    """Return the probability of each combination of all facts of a rule."""
    rule_played = rule if isinstance(rule, Mechanic) else mechanic(rule)(**parameters)
    probabilities: dict[tuple[Any, ...], Fraction] = {}
    dice = EverySequence()
    more = True
    while more:
        outcome = rule_played.play(dice)
        facts = tuple(outcome.fact(name) for name in outcome.facts_of)
        probabilities[facts] = probabilities.get(facts, Fraction(0)) + dice.chance()
        more = dice.turn()
    return probabilities


def of_facts(probabilities: dict[tuple[Any, ...], Fraction], *indexes: int) -> dict[Any, Fraction]:
    """Return the probabilities of some of the facts, by index; of a single fact, the keys are its values."""
    marginal: dict[Any, Fraction] = {}
    for facts, chance in probabilities.items():
        value = facts[indexes[0]] if len(indexes) == 1 else tuple(facts[index] for index in indexes)
        marginal[value] = marginal.get(value, Fraction(0)) + chance
    return marginal
