"""Rules that the tests of mechanics and of outcomes share."""

from functools import cached_property
from typing import Any, Literal

from dicedocs import Dice, Mechanic, Outcome, Resources, Say, fact, highest, lowest, param


class Roll(Mechanic):
    """Roll three d6.

    DESIGN's own sketch of a game.
    """

    advantage: int = param(default=0, low=0, help="instances of Advantage")
    disadvantage: int = param(default=0, low=0)
    threshold: int | None = param(default=None, example=13)

    class Result(Outcome):
        total: int = fact(help="the sum", label="The total")
        low: int
        high: int
        triggered: bool | None

    @cached_property
    def net(self) -> int:
        return max(-3, min(3, self.advantage - self.disadvantage))

    def resolve(self, dice: Dice, say: Say) -> Result:
        keep = highest(3) if self.net >= 0 else lowest(3)
        low, mid, high = dice.pool(*[6] * (3 + abs(self.net)), keep=keep)
        total = say.sum("Total", low, mid, high)
        triggered = None if self.threshold is None else say.compare("Threshold", total, ">=", self.threshold)
        return self.Result(total, low, high, triggered)


class Needs(Mechanic):
    """Fields without a default are required."""

    skill: int = param(example=5, low=1, high=20)
    favor: Literal["with", "without"] = param(default="with")
    gear: Resources = param(default=Resources())
    pool: tuple[int, ...] = param(default=(), example="4 3")
    tool_bonus: int = param(default=0, label="Bonus of the tool")

    class Result(Outcome):
        pool: tuple[int, ...]
        skill_used: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.each(*[6] * len(self.pool)), self.skill)


needs: Any = Needs
"""The same for a caller whom no type checker sees."""
