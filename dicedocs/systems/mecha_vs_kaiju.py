"""Mecha vs Kaiju: a fortune die beside character dice; the best two make a total, every high face an impact.

An id such as F47 names a fact of the game's text, and one such as DF10 a decision where the text leaves
something open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from dicedocs import (
    Decision,
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
from dicedocs.errors import is_text, listed, quoted

FORTUNE: Final = 20
"""The sides of the fortune die (F2), which is in every roll (F3)."""
CHARACTER: Final = (4, 6, 8, 10, 12)
"""The sides that a character die may have (F6), in order of size."""
IMPACT_FROM: Final = 4
"""The face from which a die makes an impact (F31), and a countered action its minimum (F37)."""
DOUBLE_FROM: Final = 10
"""The face from which a character die makes two impact (F33)."""
MINIMUM_IMPACT: Final = 1
"""The impact that a countered action still makes (F37)."""
CRITICAL: Final = 20
"""The face of the fortune die that makes a success critical (F8)."""
CRITICAL_IMPACT: Final = 2
"""The impact that may be chosen for a critical success (F10)."""
FUMBLE: Final = 1
"""The face of a fortune die that is a critical fumble (F14)."""
COUNTERED_FUMBLE: Final = 3
"""The highest face of the fortune die that is a critical fumble when the action is countered (F18)."""
INSPIRATION: Final = 1
"""The inspiration for a critical fumble (F20), which may be chosen for a critical success too (F10)."""

ADVANTAGE: Final = "advantage"
DISADVANTAGE: Final = "disadvantage"
OVERWHELMED: Final = "overwhelmed"
STAGGERED: Final = "staggered"
CONDITIONS: Final = (ADVANTAGE, DISADVANTAGE, OVERWHELMED, STAGGERED)
"""The conditions that may be written among the dice of a pool (F47, F58, DF10)."""
FILLERS: Final = ("with", "and")
"""The words that may be written before a condition and are ignored."""
SCRATCHED: Final = "scratched"
LOWEST: Final = "lowest"
"""The die that a fumble scratches if the player names none (F23, DF3)."""
Die: TypeAlias = tuple[Faces, int]
"""A die on the table: the faces that were thrown with it, and its index in them."""
Later = Literal["if it succeeds"]
Choice = Literal["impact", "inspiration"] | None
Countered = Literal["if countered"]
CHOICES: Final = {
    None: f"{CRITICAL_IMPACT} more impact or {INSPIRATION} inspiration, your choice",
    "impact": f"{CRITICAL_IMPACT} more impact",
    "inspiration": f"{INSPIRATION} inspiration",
}
"""The text for what a critical success gives, by the choice (F10, DF6)."""


class Pool:
    """The dice of an action, written ``d20 d8 2d6``; the d20 may be left out (DF10).

    The conditions advantage, disadvantage, overwhelmed and staggered may be written among the dice.

    Parameters:
        character: the character dice by their sides, as written.
        conditions: the conditions that are written with them.

    Raises:
        ParameterError: a die is not a character die.

    >>> pool = Pool.from_text("D8 2d6 with Advantage")
    >>> pool.character, pool.conditions, str(pool)
    ((8, 6, 6), ('advantage',), 'd20 d8 2d6 advantage')
    """

    expects: Final = "dice such as d20 d8 2d6"

    def __init__(self, character: Iterable[int] = (), conditions: Iterable[str] = ()) -> None:
        self.character = _check_sizes(character)
        for sides in self.character:
            if sides not in CHARACTER:
                known = listed(f"d{size}" for size in CHARACTER)
                raise ParameterError(f"{quoted(f'd{sides}')} is not a character die", hint=f"write {known}")
        written = limits.ITEMS.take(conditions)
        for word in written:
            if not is_text(word):
                raise ParameterError(f"{quoted(word)} is not a condition", hint=f"write {listed(CONDITIONS)}")
        # Repeating a condition has no effect (F42, F44).
        self.conditions = tuple(word for word in CONDITIONS if word in written)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse the dice and the conditions."""
        sizes: list[int] = []
        conditions: list[str] = []
        if not is_text(text):
            raise ParameterError(f"{quoted(text)} is not {cls.expects}")
        for word in text.replace(",", " ").lower().split():
            die = re.fullmatch(r"([0-9]*)d([0-9]+)", word)
            if die:
                limits.DIGITS.check(max(map(len, die.groups())), hint="write a smaller number")
                count = int(die[1] or 1)
                limits.ITEMS.check(len(sizes) + count, hint="write fewer dice")
                if not count:
                    raise ParameterError(f"{quoted(word)} is not a die", hint="leave it out")
                sizes += [int(die[2])] * count
            elif word in CONDITIONS:
                conditions.append(word)
            elif word not in FILLERS:
                message = f"{quoted(word)} is neither dice nor {listed(CONDITIONS)}"
                raise ParameterError(message, hint=f"write {cls.expects} {STAGGERED}")
        return cls(_without_fortune(sizes), conditions)

    @classmethod
    def from_value(cls, value: object) -> Self:
        """Return the pool of dice given by their sides, with or without the d20."""
        several = isinstance(value, list | tuple)
        return cls(_without_fortune(_check_sizes(value if several else [value], value)))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sides of all dice, the fortune die first; a panel lets its reader add and remove them."""
        return (FORTUNE, *self.character)

    def with_sizes(self, sizes: Sequence[int]) -> Pool:
        """Return a pool with other dice and the same conditions."""
        return Pool(_without_fortune(_check_sizes(sizes)), self.conditions)

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


def _check_sizes(sizes: object, written: object = None) -> tuple[int, ...]:
    """Return the sides of some dice, after checking that they are whole numbers and not too many.

    Parameters:
        sizes: the sides.
        written: what an error shows, if not the sides.
    """
    taken: tuple[int, ...] = limits.ITEMS.take(sizes, hint="write fewer dice")
    for sides in taken:
        if type(sides) is not int:
            raise ParameterError(f"{quoted(sizes if written is None else written)} is not {Pool.expects}")
        limits.SIDES.check(abs(sides), hint="use a die with fewer sides")
    return taken


def _without_fortune(sizes: Sequence[int]) -> list[int]:
    """Return the sides without those of the fortune die, of which a pool has one."""
    if sizes.count(FORTUNE) > 1:
        hint = f"write {ADVANTAGE} or {DISADVANTAGE} to throw another"
        raise ParameterError(f"a pool has one d{FORTUNE}", hint=hint)
    return [sides for sides in sizes if sides != FORTUNE]


def resize(sides: int, by: int) -> tuple[int, ...]:
    """Return the dice that a character die becomes one size up or down (DF7, DF9).

    >>> resize(8, 1), resize(8, -1), resize(12, 1), resize(4, -1)
    ((10,), (6,), (12, 4), ())
    """
    if by > 0 and sides == CHARACTER[-1]:
        return (sides, CHARACTER[0])
    index = CHARACTER.index(sides) + by
    return (CHARACTER[index],) if index >= 0 else ()


class CharacterDice(NamedTuple):
    """The character dice as they are thrown, after boost, reduction and stress (DF7, DF11).

    Parameters:
        sizes: the sides of each die, in the order thrown.
        unread: the index of the die that stress scratches, mapped to that state; empty when there is none.
        named: the index of the die that the player names for a fumble; ``None`` when there is none, or it is gone.
        changes: the changes to the dice as text, each with its label.
    """

    sizes: tuple[int, ...]
    unread: dict[int, str]
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

    pool: Pool = param(example="d20 d8 d10", help="the dice; the d20 may be left out")
    advantage: bool = param(default=False, help="two d20s, the higher counts")
    disadvantage: bool = param(default=False, help="two d20s, the lower counts")
    overwhelmed: bool = param(default=False, help="stress: the largest character die is one size smaller")
    staggered: bool = param(default=False, help="as overwhelmed; with it, the largest is scratched instead")
    counter: int | None = param(default=None, example=18, help="the opposing total, once it is known")
    scratch: int | None = param(
        default=None, low=1, help="the character die that a fumble takes, by its position", advanced=True
    )
    choice: Choice = param(default=None, help="what a critical success gives", advanced=True)
    boost: Sizes = param(default=(), help="character dice to make one size larger", advanced=True)
    reduce: Sizes = param(default=(), help="character dice to make one size smaller", advanced=True)
    modifier: int = param(default=0, help="added to the total")
    impact_modifier: int = param(default=0, help="added to the impact", advanced=True)
    keep: int = param(default=2, low=1, help="dice in the total; 3 in a Burn Out", advanced=True)
    both_fortune_dice: bool = param(default=False, help="with advantage both d20s stay in the pool", advanced=True)

    class Result(Outcome):
        total: int = fact(help="the sum of the best dice, at most one of them a d20", against="counter")
        impact: int = fact(help="how much the action does")
        fortune: int = fact(help="what the fortune die shows", label="Fortune die")
        success: bool | None = fact(help="whether the total reaches the counter", verdict=True)
        critical: bool | Later = fact(help="a success with a 20", label="Critical success", verdict="adds")
        fumble: bool | Countered = fact(help="a 1, or up to 3 when countered", label="Critical fumble", verdict="adds")
        inspiration: int = fact(help="inspiration points gained")
        minimum_impact: int = fact(help="the impact that is left when the action is countered")
        can_stress: bool | Later = fact(help="whether it can cause stress", label="Can cause stress", repeats="success")

    def validate(self) -> None:
        self.check_scratch()
        _ = self.character_dice

    def check_scratch(self) -> None:
        """Raise an error if the player names a die that the pool does not have."""
        number = len(self.pool.character)
        if self.scratch is not None and self.scratch > number:
            message = f"there is no character die {self.scratch}"
            hint = f"{number or 'none'} can be named in {quoted(self.pool)}: the d{FORTUNE} is not counted"
            raise ParameterError(message, hint=hint, parameter="scratch")

    def has(self, condition: str) -> bool:
        """Return whether a condition applies: its parameter is set, or it is written in the pool."""
        return bool(getattr(self, condition)) or condition in self.pool.conditions

    @cached_property
    def net_advantage(self) -> int:
        """1 with advantage, -1 with disadvantage, 0 with neither or both (F45, DF2)."""
        return self.has(ADVANTAGE) - self.has(DISADVANTAGE)

    @cached_property
    def fortune_dice(self) -> tuple[int, ...]:
        """The sides of the d20s that are thrown (F4)."""
        return (FORTUNE, FORTUNE) if self.net_advantage else (FORTUNE,)

    @cached_property
    def kept(self) -> Keep | None:
        """Which fortune dice stay in the pool; ``None`` for all (F48, DF1)."""
        if not self.net_advantage or (self.net_advantage > 0 and self.both_fortune_dice):
            return None
        return highest(1) if self.net_advantage > 0 else lowest(1)

    @cached_property
    def character_dice(self) -> CharacterDice:
        """The character dice as they are thrown."""
        dice = dict(enumerate(self.pool.character, 1))
        changes: list[tuple[str, str]] = []

        def change(position: int, by: int) -> str:
            sides = dice[position]
            after = resize(sides, by)
            if not after:
                del dice[position]
                return f"the d{sides} is removed"
            dice[position], *added = after
            # No position is missing yet when a d4 is added: all boosts come before any reduction.
            dice.update((len(dice) + 1, size) for size in added)
            if added:
                return f"the d{sides} stays, and a d{added[0]} is added"
            return f"the d{sides} becomes a d{after[0]}"

        untouched = dict(dice)
        for name, by, sizes in (("boost", 1, self.boost), ("reduce", -1, self.reduce)):
            for sides in sizes:
                position = next((position for position, size in untouched.items() if size == sides), None)
                if position is None:
                    raise self._no_die_to(name, sides)
                del untouched[position]
                changes.append((name.capitalize(), change(position, by)))
        stress = [condition for condition in (OVERWHELMED, STAGGERED) if self.has(condition)]
        unread: dict[int, str] = {}
        if stress and dice:
            largest = max(dice, key=dice.__getitem__)
            if len(stress) == 1:
                effect = change(largest, -1)
            else:
                unread = {list(dice).index(largest): SCRATCHED}
                effect = f"the d{dice[largest]} is {SCRATCHED}"
            changes.append(("Stress", f"{' and '.join(stress)}, so {effect}"))
        named = next((index for index, position in enumerate(dice) if position == self.scratch), None)
        return CharacterDice(tuple(dice.values()), unread, None if named in unread else named, tuple(changes))

    def _no_die_to(self, name: str, sides: int) -> ParameterError:
        """Return the error for boosting or reducing a die that the pool does not have."""
        if sides == FORTUNE:
            return ParameterError(f"there is no {name} for the fortune die", hint="name character dice", parameter=name)
        left = " left" if sides in self.pool.character else ""
        hint = f"the pool is {quoted(self.pool)}, and each die is changed once"
        return ParameterError(f"there is no d{sides}{left} to {name}", hint=hint, parameter=name)

    def resolve(self, dice: Dice, say: Say) -> Result:
        for label, change in self.character_dice.changes:
            say.fact(label, change)
        fortunes = self._throw_fortune(dice, say)
        # Where both d20s stay in the pool the higher is the fortune die, and either can fumble (DF11).
        fortune = fortunes[-1]
        fumbled = fortunes[0] == FUMBLE
        # The order of the dice matters only to find the die that the player named; else their faces are enough.
        in_order = fumbled and self.character_dice.named is not None
        character = self._throw_character(dice, in_order=in_order)
        left = self._scratch(dice, fortunes, character, say, in_order=in_order) if fumbled else (fortunes, character)
        d20s, others = left

        ranked = sorted(others, reverse=True)
        total = say.sum("Total", *self._best(d20s[-1], ranked), modifier=self.modifier)
        success = None if self.counter is None else say.compare("Success", total, ">=", self.counter)
        # Every die that is left counts, also those that are not in the total (F31 to F35).
        impacts = [(face, 1) for face in reversed(d20s) if face >= IMPACT_FROM]
        impacts += [(face, 2 if face >= DOUBLE_FROM else 1) for face in ranked if face >= IMPACT_FROM]

        critical: bool | Later = fortune == CRITICAL
        fumble: bool | Countered = fumbled
        low = fortune <= COUNTERED_FUMBLE and not fumbled
        chosen: Choice = None
        if success is None:
            critical = "if it succeeds" if critical else False
            fumble = "if countered" if low else fumbled
        elif critical and success:
            chosen = self.take_critical(dice, sum(number for _, number in impacts) + self.impact_modifier)
            say.fact("Critical success", True, CHOICES[chosen])
        elif critical:
            critical = say.fact("Critical success", False, "countered")
        elif low and not success:
            fumble = say.fact("Critical fumble", True, f"countered, with {fortune} on the d{FORTUNE}")

        minimum = MINIMUM_IMPACT if fortune >= IMPACT_FROM else 0
        if success is False:
            reason = "countered: the minimum, not for stress" if minimum else "countered"
            impact = say.fact("Impact", minimum, reason)
        else:
            extra = CRITICAL_IMPACT if chosen == "impact" else 0
            impact = say.sum("Impact", *impacts, modifier=self.impact_modifier, critical_success=extra)
        inspiration = 0
        if fumble is True or chosen == "inspiration":
            inspiration = say.sum(
                "Inspiration",
                critical_fumble=INSPIRATION if fumble is True else 0,
                critical_success=INSPIRATION if chosen == "inspiration" else 0,
            )
        if say and success is None:
            self._say_prospects(say, fortune, fumble)
        can_stress: bool | Later = "if it succeeds" if success is None else success
        return self.Result(total, impact, fortune, success, critical, fumble, inspiration, minimum, can_stress)

    def _throw_fortune(self, dice: Dice, say: Say) -> Faces:
        """Throw the fortune die, or two, and return those that stay in the pool."""
        if say and self.has(ADVANTAGE) and self.has(DISADVANTAGE):
            say.fact("Advantage", f"cancelled by {DISADVANTAGE}")
        elif say and self.net_advantage:
            if not self.kept:
                say.fact("Advantage", f"both d{FORTUNE}s stay in the pool")
            elif self.net_advantage > 0:
                say.fact("Advantage", f"the higher d{FORTUNE} counts")
            else:
                say.fact("Disadvantage", f"the lower d{FORTUNE} counts")
        return dice.pool(*self.fortune_dice, keep=self.kept)

    def _throw_character(self, dice: Dice, *, in_order: bool) -> Faces:
        """Throw the character dice.

        Returns:
            The faces in the order thrown, or by size without the die that stress scratches.
        """
        character = self.character_dice
        if not in_order:
            return dice.pool(*character.sizes, unread=character.unread)
        faces = dice.each(*character.sizes)
        for index, state in character.unread.items():
            faces.mark(index, state, "Stress")
        return faces

    def _scratch(
        self, dice: Dice, fortunes: Faces, character: Faces, say: Say, *, in_order: bool
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Scratch a die for a fumble, and return the d20s and the character dice that are left (F15, F23, DF3)."""
        gone = self.character_dice.unread if in_order else {}
        # Of equal dice the first is scratched: fortune dice before character dice, and these as they were thrown.
        pool = [(fortunes, index) for index in range(len(fortunes))]
        pool += [(character, index) for index in range(len(character)) if index not in gone]
        candidates = [die for die in pool if face_of(die) != FUMBLE]
        named = self.named_dice(dice, [die for die in candidates if die[0] is character], in_order=in_order)
        taken = min(named or candidates, key=face_of, default=None)
        if taken is None:
            say.fact("Critical fumble", "no die is left to scratch")
        else:
            faces, index = taken
            faces.mark(index, SCRATCHED, "Critical fumble")
        left = [die for die in pool if die is not taken]
        # The die that shows 1 stays (F21).
        return (
            [face_of(die) for die in left if die[0] is fortunes],
            [face_of(die) for die in left if die[0] is character],
        )

    def named_dice(self, dice: Dice, candidates: Sequence[Die], *, in_order: bool) -> Sequence[Die]:
        """Return the dice among which a fumble scratches the lowest because the player says so (F15, DF3).

        Parameters:
            dice: the dice of the play.
            candidates: the character dice that do not show a 1.
            in_order: whether they are indexed as they were thrown.
        """
        return [die for die in candidates if in_order and die[1] == self.character_dice.named]

    def take_critical(self, dice: Dice, impact: int) -> Choice:
        """Return what a critical success gives (F10, DF6).

        Parameters:
            dice: the dice of the play.
            impact: the impact without it.
        """
        return self.choice

    def _best(self, d20: int, ranked: list[int]) -> list[int]:
        """Return the faces of the total: the best, at most one of them of a d20 (F41, F53, F55, DF4)."""
        best = ranked[: self.keep]
        if len(best) < self.keep or best[-1] <= d20:
            best = [d20, *best[: self.keep - 1]]
        return best

    def _say_prospects(self, say: Say, fortune: int, fumble: object) -> None:
        """Say what a success and a counter would mean, while no counter is known (F24, F39, DF5)."""
        if fortune == CRITICAL:
            say.fact("If it succeeds", f"a critical success, worth {CHOICES[self.choice]}")
        if fortune >= IMPACT_FROM:
            say.fact("If countered", f"{MINIMUM_IMPACT} impact, not for stress")
        elif fumble is True:
            say.fact("If countered", "no impact")
        else:
            say.fact("If countered", f"a critical fumble, with {INSPIRATION} inspiration and no impact")


class ActionInPlay(Action, id="mecha-vs-kaiju/action-in-play"):
    """Throw an action, and choose when you see the dice: what a fumble scratches, and what a critical success gives."""

    counter: int = param(example=18, help="the opposing total, without which nothing is chosen")
    scratch: Decision = param(
        example=LOWEST, help="what a fumble takes: the lowest die, or the character die that shows this"
    )
    choice: Decision = param(example="impact", help="what a critical success gives: impact or inspiration")

    def check_scratch(self) -> None:
        """Accept whatever the player may see then."""

    def named_dice(self, dice: Dice, candidates: Sequence[Die], *, in_order: bool) -> Sequence[Die]:
        # Dice that show the same are alike (F5), so a player names a face.
        faces = sorted({face_of(die) for die in candidates})
        chosen = dice.choose(self.scratch, (LOWEST, *faces)) if faces else LOWEST
        return [die for die in candidates if face_of(die) == chosen]

    def take_critical(self, dice: Dice, impact: int) -> Choice:
        ways: tuple[Literal["impact", "inspiration"], ...] = ("impact", "inspiration")
        return dice.choose(self.choice, ways, impact_so_far=impact)


def face_of(die: Die) -> int:
    """Return the face of a die."""
    faces, index = die
    return faces[index]
