"""Mecha vs Kaiju: a fortune die beside character dice; the best two make a total, every high face an impact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from typing import Final, Literal, NamedTuple, Self

from dicedocs import (
    Dice,
    Faces,
    Keep,
    Mechanic,
    Outcome,
    ParameterError,
    Say,
    Sizes,
    fact,
    highest,
    limits,
    lowest,
    param,
)
from dicedocs.errors import listed, quoted

FORTUNE: Final = 20
"""Sides of the fortune die (F2), which is in every roll (F3)."""
CHARACTER: Final = (4, 6, 8, 10, 12)
"""Sides that a character die may have (F6), in order of size."""
IMPACT_FROM: Final = 4
"""The face from which a die makes an impact (F31), and a countered action its minimum (F37)."""
DOUBLE_FROM: Final = 10
"""The face from which a character die makes two (F33)."""
MINIMUM_IMPACT: Final = 1
"""The impact that is left of a countered action (F37)."""
CRITICAL: Final = 20
"""The face of the fortune die that makes a success critical (F8)."""
CRITICAL_IMPACT: Final = 2
"""Impact that may be chosen for a critical success (F10)."""
FUMBLE: Final = 1
"""The face of a fortune die that is a critical fumble (F14)."""
COUNTERED_FUMBLE: Final = 3
"""The highest face of the fortune die that is one when the action is countered (F18)."""
INSPIRATION: Final = 1
"""Inspiration that a critical fumble gives (F20), and that may be chosen for a critical success (F10)."""

ADVANTAGE: Final = "advantage"
DISADVANTAGE: Final = "disadvantage"
OVERWHELMED: Final = "overwhelmed"
STAGGERED: Final = "staggered"
CONDITIONS: Final = (ADVANTAGE, DISADVANTAGE, OVERWHELMED, STAGGERED)
"""The words that may stand among the dice of a pool (F47, F58, DF10)."""
BETWEEN: Final = ("with", "and")
"""Words that may stand before those, and say nothing."""
SCRATCHED: Final = "scratched"
CHOICES: Final = {
    None: f"{CRITICAL_IMPACT} more impact or {INSPIRATION} inspiration, your choice",
    "impact": f"{CRITICAL_IMPACT} more impact",
    "inspiration": f"{INSPIRATION} inspiration",
}
"""What a critical success gives, by what is chosen (F10, DF6)."""


class Pool:
    """The dice of an action, written ``d20 d8 2d6``; the d20 goes without saying (DF10).

    The words advantage, disadvantage, overwhelmed and staggered may stand among them.

    Parameters:
        character: the character dice by their sides, as written.
        conditions: which of the words stand there.

    Raises:
        ParameterError: a die is no character die.

    >>> pool = Pool.from_text("D8 2d6 with Advantage")
    >>> pool.character, pool.conditions, str(pool)
    ((8, 6, 6), ('advantage',), 'd20 d8 2d6 advantage')
    """

    expects: Final = "dice such as d20 d8 2d6"

    def __init__(self, character: Iterable[int] = (), conditions: Iterable[str] = ()) -> None:
        self.character = tuple(character)
        # The same word twice says no more than once (F42, F44).
        self.conditions = tuple(word for word in CONDITIONS if word in conditions)
        limits.ITEMS.check(len(self.character), hint="write fewer dice")
        for sides in self.character:
            if sides not in CHARACTER:
                known = listed(f"d{size}" for size in CHARACTER)
                raise ParameterError(f"{quoted(f'd{sides}')} is no character die", hint=f"write {known}")

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the dice, and the words that say how they are thrown."""
        sizes: list[int] = []
        conditions: list[str] = []
        for word in text.replace(",", " ").lower().split():
            die = re.fullmatch(r"([0-9]*)d([0-9]+)", word)
            if die:
                limits.DIGITS.check(max(map(len, die.groups())), hint="write a smaller number")
                count = int(die[1] or 1)
                limits.ITEMS.check(len(sizes) + count, hint="write fewer dice")
                if not count:
                    raise ParameterError(f"{quoted(word)} is no dice at all", hint="leave it out")
                sizes += [int(die[2])] * count
            elif word in CONDITIONS:
                conditions.append(word)
            elif word not in BETWEEN:
                message = f"{quoted(word)} is neither dice nor {listed(CONDITIONS)}"
                raise ParameterError(message, hint=f"write {cls.expects} {STAGGERED}")
        return cls(_without_fortune(sizes), conditions)

    @classmethod
    def from_value(cls, value: object) -> Self:
        """Take dice by their sides, the d20 among them or not."""
        given: Sequence[object] = value if isinstance(value, list | tuple) else [value]
        sizes = [sides for sides in given if type(sides) is int]
        if len(sizes) < len(given):
            raise ParameterError(f"{quoted(value)} is not {cls.expects}")
        return cls(_without_fortune(sizes))

    @property
    def sizes(self) -> tuple[int, ...]:
        """All dice by their sides, the fortune die first: what a panel lets be added and removed."""
        return (FORTUNE, *self.character)

    def with_sizes(self, sizes: Sequence[int]) -> Pool:
        """Give the pool with other dice, and with the same words."""
        return Pool(_without_fortune(sizes), self.conditions)

    def __str__(self) -> str:
        runs = ((sides, len(list(run))) for sides, run in groupby(self.character))
        dice = [f"{number if number > 1 else ''}d{sides}" for sides, number in runs]
        return " ".join([f"d{FORTUNE}", *dice, *self.conditions])

    def __repr__(self) -> str:
        return f"Pool.from_text({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pool) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def _without_fortune(sizes: Sequence[int]) -> list[int]:
    """Leave out the fortune die, of which a pool has one."""
    if sizes.count(FORTUNE) > 1:
        hint = f"write {ADVANTAGE} or {DISADVANTAGE} to throw another"
        raise ParameterError(f"a pool has one d{FORTUNE}", hint=hint)
    return [sides for sides in sizes if sides != FORTUNE]


def resized(sides: int, by: int) -> tuple[int, ...]:
    """Give what a character die becomes one size up or down (DF7, DF9).

    >>> resized(8, 1), resized(8, -1), resized(12, 1), resized(4, -1)
    ((10,), (6,), (12, 4), ())
    """
    if by > 0 and sides == CHARACTER[-1]:
        return (sides, CHARACTER[0])
    place = CHARACTER.index(sides) + by
    return (CHARACTER[place],) if place >= 0 else ()


class Ready(NamedTuple):
    """The character dice as they are thrown, after boost, reduction and stress (DF7, DF11).

    Parameters:
        sizes: the sides of each, in the order thrown.
        lost: the place of the die that stress scratches, with that word; empty without.
        named: the place of the die that the player names for a fumble; ``None`` when there is none, or it is gone.
        changes: what was done to the dice, each with a label.
    """

    sizes: tuple[int, ...]
    lost: dict[int, str]
    named: int | None
    changes: tuple[tuple[str, str], ...]


class Action(Mechanic, id="mecha-vs-kaiju/action"):
    """Throw the fortune die with character dice: the best two make the total, every high face an impact.

    A counter is rolled in the same way, without a counter of its own (DF12).

    >>> from dicedocs import ScriptedDice
    >>> print(Action(pool="d20 d8 d10", counter=18).play(ScriptedDice([14, 5, 7])))
    Dice: d20: 14
    Dice: d8 5, d10 7
    Total: 14 (d20) + 7 (d10) = 21
    Success: 21 >= 18: yes
    Impact: 1 (d20 14) + 1 (d10 7) + 1 (d8 5) = 3
    """

    pool: Pool = param(example="d20 d8 d10", help="the dice; the d20 goes without saying")
    advantage: bool = param(default=False, help="two d20s, the higher counts")
    disadvantage: bool = param(default=False, help="two d20s, the lower counts")
    overwhelmed: bool = param(default=False, help="stress: the largest character die is one size smaller")
    staggered: bool = param(default=False, help="as overwhelmed; with it, the largest is scratched instead")
    counter: int | None = param(default=None, example=18, help="the opposing total, once it is known")
    scratch: int | None = param(default=None, low=1, help="the character die that a fumble takes, by its place")
    choice: Literal["impact", "inspiration"] | None = param(default=None, help="what a critical success gives")
    boost: Sizes = param(default=(), help="character dice to make one size larger")
    reduce: Sizes = param(default=(), help="character dice to make one size smaller")
    modifier: int = param(default=0, help="added to the total")
    impact_modifier: int = param(default=0, help="added to the impact")
    keep: int = param(default=2, low=1, help="dice in the total; 3 in a Burn Out")
    both_fortune_dice: bool = param(default=False, help="with advantage both d20s stay in the pool")

    class Result(Outcome):
        total: int = fact(help="the sum of the best dice, at most one of them a d20")
        impact: int = fact(help="how much the action does")
        fortune: int = fact(help="what the fortune die shows", label="Fortune die")
        success: bool | None = fact(help="whether the total reaches the counter")
        critical: bool | Literal["if it succeeds"] = fact(help="a success with a 20", label="Critical success")
        fumble: bool | Literal["if countered"] = fact(help="a 1, or up to 3 when countered", label="Critical fumble")
        inspiration: int = fact(help="inspiration points gained")
        minimum_impact: int = fact(help="the impact that is left when the action is countered")
        can_stress: bool | Literal["if it succeeds"] = fact(
            help="whether it can cause stress", label="Can cause stress"
        )

    def validate(self) -> None:
        number = len(self.pool.character)
        if self.scratch is not None and self.scratch > number:
            message = f"there is no character die {self.scratch}"
            hint = f"{number or 'none'} can be named in {quoted(self.pool)}: the d{FORTUNE} is not counted"
            raise ParameterError(message, hint=hint, parameter="scratch")
        _ = self.ready

    def has(self, condition: str) -> bool:
        """Tell whether a condition holds: its switch is set, or the pool has its word."""
        return bool(getattr(self, condition)) or condition in self.pool.conditions

    @cached_property
    def edge(self) -> int:
        """1 with advantage, -1 with disadvantage, 0 with neither or both (F45, DF2)."""
        return self.has(ADVANTAGE) - self.has(DISADVANTAGE)

    @cached_property
    def fortune_dice(self) -> tuple[int, ...]:
        """The d20s that are thrown (F4)."""
        return (FORTUNE, FORTUNE) if self.edge else (FORTUNE,)

    @cached_property
    def kept(self) -> Keep | None:
        """Which of them stay in the pool; ``None`` for all (F48, DF1)."""
        if not self.edge or (self.edge > 0 and self.both_fortune_dice):
            return None
        return highest(1) if self.edge > 0 else lowest(1)

    @cached_property
    def ready(self) -> Ready:
        """The character dice as they are thrown."""
        dice = dict(enumerate(self.pool.character, 1))
        changes: list[tuple[str, str]] = []

        def resize(place: int, by: int) -> str:
            sides = dice[place]
            after = resized(sides, by)
            if not after:
                del dice[place]
                return f"the d{sides} is removed"
            dice[place], *added = after
            # No place is gone yet when a d4 is added: dice are boosted before any is reduced.
            dice.update((len(dice) + 1, size) for size in added)
            if added:
                return f"the d{sides} stays, and a d{added[0]} is added"
            return f"the d{sides} becomes a d{after[0]}"

        untouched = dict(dice)
        for name, by, wanted in (("boost", 1, self.boost), ("reduce", -1, self.reduce)):
            for sides in wanted:
                place = next((place for place, size in untouched.items() if size == sides), None)
                if place is None:
                    raise self._nothing_to(name, sides)
                del untouched[place]
                changes.append((name.capitalize(), resize(place, by)))
        kinds = [condition for condition in (OVERWHELMED, STAGGERED) if self.has(condition)]
        lost: dict[int, str] = {}
        if kinds and dice:
            largest = max(dice, key=dice.__getitem__)
            if len(kinds) == 1:
                done = resize(largest, -1)
            else:
                lost = {list(dice).index(largest): SCRATCHED}
                done = f"the d{dice[largest]} is {SCRATCHED}"
            changes.append(("Stress", f"{' and '.join(kinds)}, so {done}"))
        named = next((place for place, written in enumerate(dice) if written == self.scratch), None)
        return Ready(tuple(dice.values()), lost, None if named in lost else named, tuple(changes))

    def _nothing_to(self, name: str, sides: int) -> ParameterError:
        """Give the error for a die that is not there to be boosted or reduced."""
        if sides == FORTUNE:
            return ParameterError(f"there is no {name} for the fortune die", hint="name character dice", parameter=name)
        left = " left" if sides in self.pool.character else ""
        hint = f"the pool is {quoted(self.pool)}, and each die is changed once"
        return ParameterError(f"there is no d{sides}{left} to {name}", hint=hint, parameter=name)

    def resolve(self, dice: Dice, say: Say) -> Result:
        for label, change in self.ready.changes:
            say.fact(label, change)
        fortunes = self._throw_fortune(dice, say)
        # Where both d20s stay in the pool the higher is the fortune die, and either can fumble (DF11).
        fortune = fortunes[-1]
        one = fortunes[0] == FUMBLE
        # Only to find a named die must the dice be told apart; else their faces are enough.
        in_order = one and self.ready.named is not None
        character = self._throw_character(dice, in_order=in_order)
        d20s, others = self._scratch(fortunes, character, say, in_order=in_order) if one else (fortunes, character)

        ranked = sorted(others, reverse=True)
        total = say.sum("Total", *self._best(d20s[-1], ranked), modifier=self.modifier)
        success = None if self.counter is None else say.compare("Success", total, ">=", self.counter)

        critical: bool | Literal["if it succeeds"] = fortune == CRITICAL
        fumble: bool | Literal["if countered"] = one
        low = fortune <= COUNTERED_FUMBLE and not one
        if success is None:
            critical = "if it succeeds" if critical else False
            fumble = "if countered" if low else one
        elif critical:
            critical = say.fact("Critical success", success, CHOICES[self.choice] if success else "countered")
        elif low and not success:
            fumble = say.fact("Critical fumble", True, f"countered, with {fortune} on the d{FORTUNE}")
        chosen = self.choice if critical is True else None

        minimum = MINIMUM_IMPACT if fortune >= IMPACT_FROM else 0
        if success is False:
            why = "countered: the minimum, not for stress" if minimum else "countered"
            impact = say.fact("Impact", minimum, why)
        else:
            # Every die that is left counts, whether the total has it or not (F31 to F35).
            made = [(face, 1) for face in reversed(d20s) if face >= IMPACT_FROM]
            made += [(face, 2 if face >= DOUBLE_FROM else 1) for face in ranked if face >= IMPACT_FROM]
            extra = CRITICAL_IMPACT if chosen == "impact" else 0
            impact = say.sum("Impact", *made, modifier=self.impact_modifier, critical_success=extra)
        inspiration = 0
        if fumble is True or chosen == "inspiration":
            inspiration = say.sum(
                "Inspiration",
                critical_fumble=INSPIRATION if fumble is True else 0,
                critical_success=INSPIRATION if chosen == "inspiration" else 0,
            )
        if say and success is None:
            self._tell_what_follows(say, fortune, fumble)
        can_stress: bool | Literal["if it succeeds"] = "if it succeeds" if success is None else success
        return self.Result(total, impact, fortune, success, critical, fumble, inspiration, minimum, can_stress)

    def _throw_fortune(self, dice: Dice, say: Say) -> Faces:
        """Throw the fortune die, or two, and give those that stay in the pool."""
        if say and self.has(ADVANTAGE) and self.has(DISADVANTAGE):
            say.fact("Advantage", f"cancelled by {DISADVANTAGE}")
        elif say and self.edge:
            label, which = ("Advantage", "higher") if self.edge > 0 else ("Disadvantage", "lower")
            say.fact(label, f"the {which} d{FORTUNE} counts" if self.kept else f"both d{FORTUNE}s stay in the pool")
        return dice.pool(*self.fortune_dice, keep=self.kept)

    def _throw_character(self, dice: Dice, *, in_order: bool) -> Faces:
        """Throw the character dice; in order of size, without the one that stress scratches, or in order thrown."""
        ready = self.ready
        if not in_order:
            return dice.pool(*ready.sizes, unread=ready.lost)
        faces = dice.each(*ready.sizes)
        for place, state in ready.lost.items():
            faces.mark(place, state, "Stress")
        return faces

    def _scratch(
        self, fortunes: Faces, character: Faces, say: Say, *, in_order: bool
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Scratch a die for a fumble, and give the d20s and the character dice that are left (F15, F23, DF3)."""
        gone = self.ready.lost if in_order else {}
        # Of equal dice the first goes: the fortune dice stand first here, then those of a size as they were thrown.
        held = [(fortunes, place) for place in range(len(fortunes))]
        held += [(character, place) for place in range(len(character)) if place not in gone]
        able = [die for die in held if face_of(die) != FUMBLE]
        named = [die for die in able if in_order and die[0] is character and die[1] == self.ready.named]
        taken = min(named or able, key=face_of, default=None)
        if taken is None:
            say.fact("Critical fumble", "no die is left to scratch")
        else:
            faces, place = taken
            faces.mark(place, SCRATCHED, "Critical fumble")
        left = [die for die in held if die is not taken]
        # The 1 itself stays (F21).
        return (
            [face_of(die) for die in left if die[0] is fortunes],
            [face_of(die) for die in left if die[0] is character],
        )

    def _best(self, d20: int, ranked: list[int]) -> list[int]:
        """Give the dice of the total: the best there are, at most one of them a d20 (F41, F53, F55, DF4)."""
        best = ranked[: self.keep]
        if len(best) < self.keep or best[-1] <= d20:
            best = [d20, *best[: self.keep - 1]]
        return best

    def _tell_what_follows(self, say: Say, fortune: int, fumble: object) -> None:
        """Tell what it will mean to succeed, and to be countered, while no counter is known (F24, F39, DF5)."""
        if fortune == CRITICAL:
            say.fact("If it succeeds", f"a critical success, worth {CHOICES[self.choice]}")
        if fortune >= IMPACT_FROM:
            say.fact("If countered", f"{MINIMUM_IMPACT} impact, not for stress")
        elif fumble is True:
            say.fact("If countered", "no impact")
        else:
            say.fact("If countered", f"a critical fumble, with {INSPIRATION} inspiration and no impact")


def face_of(die: tuple[Faces, int]) -> int:
    """Give the face of a die that is known by its place."""
    faces, place = die
    return faces[place]
