"""Total//Effect: throw three dice. Their sum, the Total, says how well; one of them, the Effect, how much.

An id such as T20 names a fact of the game's text, and one such as DT2 a decision where the text leaves
something open.

>>> import dicedocs as dd
>>> print(dd.play("total-effect/roll", effect="low", threshold=13, dice=[5, 2, 6]))
Dice: 3d6: 5 2 6
Total: 2 + 5 + 6 = 13
Threshold: 13 >= 13: yes
Effect: low is 2
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal, Self, get_args

from dicedocs import Dice, Keep, Mechanic, Outcome, ParameterError, Say, fact, highest, limits, lowest, param
from dicedocs.errors import is_text, quoted

SIDES: Final = 6
"""Every die is a d6 (T1)."""
USED: Final = 3
"""The number of dice that are used, however many are thrown (T20, T25)."""
MAXIMUM_INSTANCES: Final = 3
"""The maximum number of instances of Advantage or of Disadvantage that count (T18)."""
INVERTED_FROM: Final = SIDES + 1
"""An inverted face is this minus the face (T70)."""
MINIMUM: Final = 0
"""The minimum of an Effect (T32, DT4)."""
MINIMUM_HALF: Final = 1
"""The minimum of half an Effect (T65)."""

EffectDie = Literal["low", "mid", "high"]
LADDER: Final[tuple[EffectDie, ...]] = get_args(EffectDie)
"""The dice in the order of a step up (T27, T30)."""
INVERSE: Final[Mapping[str, EffectDie]] = {f"inverse {die}": die for die in reversed(LADDER)}
"""The inverted dice in the order of a step up: the lowest result first (DT6)."""

Words = Literal["at most", "under", "at least", "over", "equal"]
SIGNS: Final[Mapping[Words, Literal["<=", "<", ">=", ">", "="]]] = {
    "at most": "<=",
    "under": "<",
    "at least": ">=",
    "over": ">",
    "equal": "=",
}


@dataclass(frozen=True)
class Compare:
    """A comparison for an Effect: ``at most 3``, ``under 4``, or with an operator, ``<= 3`` (T74, DT7).

    >>> Compare.from_text("<= 3")
    Compare(words='at most', value=3)
    >>> print(Compare("under", 4))
    under 4
    """

    expects: ClassVar[str] = "a comparison such as 'at most 3'"

    words: Words
    value: int

    def __post_init__(self) -> None:
        if not is_text(self.words) or self.words not in SIGNS:
            raise ParameterError(f"{quoted(self.words)} is not a comparison", hint=_HINT)
        if type(self.value) is not int:
            raise ParameterError(f"{quoted(self.value)} is not a whole number", hint=_HINT)
        if abs(self.value) >= 10**limits.DIGITS.maximum:
            limits.DIGITS.check(limits.DIGITS.maximum + 1, hint="compare with a smaller number")

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse a comparison, in words or with an operator.

        Raises:
            ParameterError: the text is not a comparison.
        """
        if not is_text(text):
            raise ParameterError(f"{quoted(text)} is not {cls.expects}", hint=_HINT)
        match = re.fullmatch(r"([a-z ]*[a-z]|[<>=]+) ?([+-]?[0-9]+)", " ".join(text.lower().split()))
        words = next((words for words, sign in SIGNS.items() if match and match[1] in {words, sign}), None)
        if match is None or words is None:
            raise ParameterError(f"{quoted(text)} is not {cls.expects}", hint=_HINT)
        limits.DIGITS.check(len(match[2].lstrip("+-")), hint="compare with a smaller number")
        return cls(words, int(match[2]))

    def __str__(self) -> str:
        return f"{self.words} {self.value}"


_HINT: Final = "write 'at most', 'under', 'at least', 'over' or 'equal', and a whole number"


class Roll(Mechanic, id="total-effect/roll"):
    """Throw three d6. The Total is their sum; Low, Mid and High are the dice by size, and one may be the Effect."""

    advantage: int = param(default=0, low=0, help="instances: an extra die each, and the highest 3 count")
    disadvantage: int = param(default=0, low=0, help="instances: an extra die each, and the lowest 3 count")
    effect: EffectDie | int | None = param(default=None, example="low", help="the die that says how much, or a number")
    invert: bool = param(default=False, help="turn the die over: 7 minus its face", advanced=True)
    halve: bool = param(default=False, help="half of the Effect, rounded down, at least 1", advanced=True)
    step_up: int = param(default=0, low=0, help="steps up, as against a Vulnerable target", advanced=True)
    step_down: int = param(default=0, low=0, help="steps down, as against a Resistant target", advanced=True)
    escalation: int = param(default=0, help="added to the Total")
    threshold: int | None = param(default=None, example=13, help="the Total from which something happens")
    compare: Compare | None = param(default=None, help="what the Effect is compared with", advanced=True)

    class Result(Outcome):
        total: int = fact(help="the three dice used, added up, with Escalation", against="threshold")
        low: int = fact(help="the lowest die used")
        mid: int = fact(help="the middle die used")
        high: int = fact(help="the highest die used")
        effect: int | None = fact(help="the Effect, after every change")
        triggered: bool | None = fact(
            help="whether the Total reaches the threshold",
            label="Threshold reached",
            verdict=True,
            missed="Threshold missed",
        )
        holds: bool | None = fact(help="whether the comparison of the Effect is true", label="Comparison holds")

    def validate(self) -> None:
        if self.effect is None:
            for name in ("invert", "halve", "step_up", "step_down", "compare"):
                if getattr(self, name):
                    message = f"there is no effect to {name.replace('_', ' ')}"
                    hint = "choose an effect: low, mid, high or a number"
                    raise ParameterError(message, hint=hint, parameter=name)
        if self.invert and self.effect not in LADDER:
            message = "the effect is a number, and a number has no face to invert"
            raise ParameterError(message, hint="choose low, mid or high", parameter="invert")

    def resolve(self, dice: Dice, say: Say) -> Result:
        if say:
            self.count_dice(say)
        # Low, Mid and High are among the dice used, not among all that are thrown (T24, DT2).
        low, mid, high = used = dice.pool(*self.thrown, keep=self.kept)
        if say and len(self.thrown) > USED:
            say.fact(f"Highest {USED}" if self.kept.high else f"Lowest {USED}", used)
        # Only Escalation is added, and only to the Total (T26, DT3).
        total = say.sum("Total", low, mid, high, escalation=self.escalation)
        # Reaching a threshold is enough (T11, DT7).
        triggered = None if self.threshold is None else say.compare("Threshold", total, ">=", self.threshold)
        effect = None if self.effect is None else self.effect_value({"low": low, "mid": mid, "high": high}, say)
        holds = None
        if effect is not None and self.compare is not None:
            holds = say.compare("Comparison", effect, SIGNS[self.compare.words], self.compare.value)
        return self.Result(total, low, mid, high, effect, triggered, holds)

    @cached_property
    def kept(self) -> Keep:
        """Which dice are used: the highest with Advantage, the lowest with Disadvantage (T15, T17)."""
        return highest(USED) if self.advantage >= self.disadvantage else lowest(USED)

    @cached_property
    def thrown(self) -> tuple[int, ...]:
        """The sides of the dice that are thrown."""
        return (SIDES,) * self.count_dice(Say())

    def count_dice(self, say: Say) -> int:
        """Return the number of dice to throw: one more for each instance that is left.

        Advantage and Disadvantage cancel one for one, then the rest is capped (T19 to T23, DT1).
        """
        larger, smaller = ("advantage", "disadvantage") if self.kept.high else ("disadvantage", "advantage")
        label, extra, cancelled = larger.capitalize(), getattr(self, larger), getattr(self, smaller)
        if cancelled:
            extra = say.sum(label, extra, **{smaller: -cancelled})
        if extra > MAXIMUM_INSTANCES:
            extra = say.bound(label, extra, high=MAXIMUM_INSTANCES)
        return say.sum("Dice to throw", USED, **{larger: extra}) if extra else USED

    def effect_value(self, dice: Mapping[str, int], say: Say) -> int:
        """Return the Effect: choose the die, invert it, step it, halve it, in this order (DT5)."""
        value = self.number_value(self.effect, say) if isinstance(self.effect, int) else self.die_value(dice, say)
        if value < MINIMUM:
            value = say.bound("Effect", value, low=MINIMUM)
        return say.scale("Half", value, over=2, low=MINIMUM_HALF) if self.halve else value

    def number_value(self, value: int, say: Say) -> int:
        """Return an Effect that is a number, which changes by 1 for each step (T34, DT9)."""
        return say.sum("Effect", value, step_up=self.step_up, step_down=-self.step_down)

    def die_value(self, dice: Mapping[str, int], say: Say) -> int:
        """Return an Effect that is a die, inverted and stepped.

        Past the last die each step is worth 1 (T28, T31). An inverted one is stepped in the direction of its
        result, so that a step up from Inverse High leads to Inverse Mid (DT6).
        """
        die, beyond = f"inverse {self.effect}" if self.invert else str(self.effect), 0
        if say and self.step_up and self.step_down:
            self.count_steps(say)
        if self.steps:
            die, beyond = say.move("Step", list(INVERSE if self.invert else LADDER), die, self.steps)
        value = say.pick("Effect", dice, INVERSE[die] if self.invert else die)
        if self.invert:
            value = say.sum("Inverse", INVERTED_FROM, -value)
        return say.sum(f"Beyond {die}", value, beyond) if beyond else value

    @cached_property
    def steps(self) -> int:
        """The number of steps of the die; positive is up."""
        return self.count_steps(Say())

    def count_steps(self, say: Say) -> int:
        """Return the steps up minus the steps down (DT4)."""
        return say.sum("Steps", step_up=self.step_up, step_down=-self.step_down)
