"""Odds the long way: a rule is played with every sequence of faces, one die after another.

Nothing here is shared with how the odds are counted: not the questions, not the answers, not the
arithmetic. Only the rule is the same.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dicedocs import Dice, Mechanic
from dicedocs.rules.registry import mechanic


class EverySequence(Dice):
    """Dice that show one sequence of faces after another, like a combination lock."""

    def __init__(self) -> None:
        super().__init__()
        self.lock: list[list[int]] = []
        self.thrown = 0

    def throw(self, count: int, sides: int) -> list[int]:
        faces = []
        for _ in range(count):
            if self.thrown == len(self.lock):
                self.lock.append([1, sides])
            face, same = self.lock[self.thrown]
            assert same == sides
            faces.append(face)
            self.thrown += 1
        return faces

    def chance(self) -> Fraction:
        """The probability of the sequence that was shown."""
        chance = Fraction(1)
        for _, sides in self.lock:
            chance /= sides
        return chance

    def turn(self) -> bool:
        """Go on to the next sequence; tell whether there is one."""
        assert self.thrown == len(self.lock)
        self.thrown = 0
        while self.lock and self.lock[-1][0] == self.lock[-1][1]:
            self.lock.pop()
        if self.lock:
            self.lock[-1][0] += 1
        return bool(self.lock)


def every_outcome(rule: str | Mechanic, **parameters: Any) -> dict[tuple[Any, ...], Fraction]:
    """The probability of each combination of all facts of a rule."""
    playing = rule if isinstance(rule, Mechanic) else mechanic(rule)(**parameters)
    found: dict[tuple[Any, ...], Fraction] = {}
    dice = EverySequence()
    going = True
    while going:
        outcome = playing.play(dice)
        facts = tuple(outcome.fact(name) for name in outcome.facts_of)
        found[facts] = found.get(facts, Fraction(0)) + dice.chance()
        going = dice.turn()
    return found


def of_facts(found: dict[tuple[Any, ...], Fraction], *places: int) -> dict[Any, Fraction]:
    """The same of some of the facts, by their places; of one alone its values."""
    fewer: dict[Any, Fraction] = {}
    for facts, chance in found.items():
        value = facts[places[0]] if len(places) == 1 else tuple(facts[place] for place in places)
        fewer[value] = fewer.get(value, Fraction(0)) + chance
    return fewer
