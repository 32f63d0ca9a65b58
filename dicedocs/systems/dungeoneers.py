"""Dungeoneers: a pool of six-sided dice, thrown at the start of the player phase and spent on actions.

An exhausted die is one that was spent. A die is named by its position in the pool, from 1. An id such as D12
names a fact of the game's text, and one such as DD2 a decision where the text leaves something open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, combinations, pairwise
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from dicedocs import Decision, Dice, Mechanic, Outcome, ParameterError, Places, PoolFacesKind, Say, fact, param
from dicedocs.errors import listed, quoted

SIDES: Final = 6
"""Every die of a pool is a d6 (D2)."""
STARTING_POOL: Final = 5
"""The number of dice that a dungeoneer starts with (D3)."""
LARGEST_POOL: Final = 100
"""The maximum number of dice in a fresh pool: growing has no end (D4), a table has."""
LARGEST_SPENT_POOL: Final = 8
"""The maximum number of dice in a pool that is spent on fights: each set of them is a way to spend it."""
LARGEST_DIE: Final = 100
"""The maximum number of sides of a cooldown or duration die, whose size the text leaves open (D43)."""
STRESS_OF_RUNNING_OUT: Final = 1
"""The stress for a roll when no dice are left (D19)."""
STRESS_OF_PUSHING: Final = 1
"""The further stress for rerolling an exhausted die and using it at once (D20)."""
PUSHED: Final = 1
"""The position of the die that is rerolled then (DD5)."""
FEWEST: Final = "fewest"
"""The way to spend dice that this chapter takes where nothing else is said (DD2)."""
MINIMUM_GROUP: Final = 2
"""The minimum number of dungeoneers in a group roll (D21)."""

Degree: TypeAlias = Literal["failure", "partial success", "success", "greater success"]
PARTIAL: Final = -3
"""The margin (total minus difficulty) from which a roll is a partial success (D31)."""
SUCCESS: Final = 0
"""The margin of a success: reaching the difficulty is enough (D12)."""
GREATER: Final = 3
"""The margin of a greater success (D31)."""
DEGREE_BY_MARGIN: Final[dict[int | None, Degree]] = {
    None: "failure", PARTIAL: "partial success", SUCCESS: "success", GREATER: "greater success",
}  # fmt: skip
"""The degree of success from each margin on (D34 to D37); the 2 in the prose of D32 and D33 is overruled (DD1)."""
DEGREES: Final = tuple(DEGREE_BY_MARGIN.values())
"""The degrees of success (D28), the lowest first."""
SUCCEEDING: Final = DEGREES[DEGREES.index("success") :]
"""The degrees that count as a success (DD2)."""
MEANINGS: Final[Mapping[Degree, Literal["success", "partial", "failure"]]] = {
    "failure": "failure", "partial success": "partial", "success": "success", "greater success": "success",
}  # fmt: skip
"""What each degree means for whoever rolled."""
RAISED_BY_CRITICAL: Final = 1
"""The number of degrees by which a critical raises the result (D40)."""


class Verdict(NamedTuple):
    """The result of a roll; in a fight there is no degree (D29)."""

    degree: Degree | None
    success: bool
    critical: bool


def verdict_of(say: Say, total: int, difficulty: int, faces: Iterable[int], *, fight: bool) -> Verdict:
    """Return the verdict on an action roll or a group roll, from its total and the faces that it uses."""
    pair = matching_faces(faces)
    if fight:
        # Success or failure, with the critical flagged (D29, DD3).
        success = say.compare("Success", total, ">=", difficulty)
        return Verdict(None, success, bool(pair) and say.fact("Critical", True, *pair))
    margin = say.sum("Against the difficulty", total, ("difficulty", -difficulty))
    degree = say.look_up("Degree", margin, DEGREE_BY_MARGIN)
    if pair:
        say.fact("Critical", True, *pair)
        if degree == DEGREES[-1]:
            say.fact("Raised", degree, "the highest degree")
        else:
            degree, _ = say.move("Raised", DEGREES, degree, RAISED_BY_CRITICAL)
    return Verdict(degree, degree in SUCCEEDING, bool(pair))


def matching_faces(faces: Iterable[int]) -> list[int]:
    """Return the faces of a set of two or more equal dice, which makes a critical (D38, D39); none when all differ.

    >>> matching_faces([4, 3, 4]), matching_faces([4, 3])
    ([4, 4], [])
    """
    ordered = sorted(faces)
    repeated = next((face for face, following in pairwise(ordered) if face == following), None)
    return [face for face in ordered if face == repeated]


def minimum_count(faces: Iterable[int], need: int) -> int | None:
    """Return the minimum number of dice whose sum is enough: at least one (DD2), ``None`` when all fall short.

    >>> minimum_count([4, 3, 4, 1, 2], 8), minimum_count([4, 3], 0), minimum_count([4, 3], 8)
    (2, 1, None)
    """
    highest_sums = accumulate(sorted(faces, reverse=True))
    return next((count for count, total in enumerate(highest_sums, 1) if total >= need), None)


class PoolDie(NamedTuple):
    """A die of a pool: its face and its position, from 1."""

    face: int
    position: int

    def __str__(self) -> str:
        return f"die {self.position}"


def minimum_choice(dice: Iterable[PoolDie], count: int, need: int) -> tuple[int, ...]:
    """Return the positions of so many dice with the smallest sum that is enough; of equal choices the first (DD2).

    The ``count`` highest dice must be enough, and no fewer.

    >>> minimum_choice([PoolDie(4, 1), PoolDie(3, 2), PoolDie(4, 3), PoolDie(1, 4), PoolDie(2, 5)], 3, 9)
    (1, 2, 5)
    """
    ordered = sorted(dice, key=lambda die: (-die.face, die.position))
    sums = [0, *accumulate(die.face for die in ordered)]
    # Of equal dice the first are taken, so after passing over a die the next one tried shows less.
    next_lower = {die.face: index for index, die in enumerate(ordered, 1)}
    choices: list[tuple[int, tuple[int, ...]]] = []
    branches: list[tuple[int, int, int, tuple[int, ...]]] = [(0, count, need, ())]
    while branches:
        index, remaining, needed, taken = branches.pop()
        # A branch ends where even the highest dice that follow are not enough, so no branch is followed in vain.
        if index + remaining > len(ordered) or sums[index + remaining] - sums[index] < needed:
            continue
        if not remaining:
            choices.append((-needed, tuple(sorted(taken))))
            continue
        die = ordered[index]
        branches += [
            (index + 1, remaining - 1, needed - die.face, (*taken, die.position)),
            (next_lower[die.face], remaining, needed, taken),
        ]
    return min(choices)[1]


def dice_text(positions: Sequence[int]) -> str:
    """Return the text for dice at some positions.

    >>> dice_text([1, 2, 4]), dice_text([3])
    ('dice 1, 2 and 4', 'die 3')
    """
    text = listed(map(str, positions), "and")
    return f"die {text}" if len(positions) == 1 else f"dice {text}"


PoolOfDice: TypeAlias = Annotated[tuple[int | None, ...], PoolFacesKind(SIDES)]
Positions: TypeAlias = Annotated[tuple[int, ...], Places("pool")]


class PoolRule(Mechanic):
    """A rule about a pool that was thrown before; some of its dice may be exhausted."""

    pool: PoolOfDice = param(example="4 3 4 1 2", help="what each die shows; - for an exhausted one, if you like")
    exhausted: Positions = param(default=(), example=(2, 5), help="the dice that were spent", label="Exhausted dice")

    def validate(self) -> None:
        if not self.pool:
            raise ParameterError("there are no dice in it", hint="write the face of each: 4 3 4 1 2", parameter="pool")
        self.check_positions("exhausted", self.exhausted)
        for position, face in enumerate(self.pool, 1):
            if face is None and position not in self.exhausted:
                message = f"die {position} shows '-' but is not exhausted"
                raise ParameterError(message, hint="write its face, or name it in exhausted", parameter="pool")
            if face is not None and not 1 <= face <= SIDES:
                message = f"die {position} is a d{SIDES} and cannot show {face}"
                raise ParameterError(message, hint=f"write a face from 1 to {SIDES}", parameter="pool")

    def check_positions(self, parameter: str, positions: Sequence[int]) -> None:
        """Raise an error for a position where there is no die, and for one that is named twice."""
        for index, position in enumerate(positions):
            if position > len(self.pool):
                hint = f"the pool has {len(self.pool)}, counted from 1"
                raise ParameterError(f"there is no die {position}", hint=hint, parameter=parameter)
            if position in positions[:index]:
                raise ParameterError(f"die {position} is named twice", hint="name each die once", parameter=parameter)

    @cached_property
    def left(self) -> tuple[PoolDie, ...]:
        """The dice that are not exhausted."""
        spent = set(self.exhausted)
        faces = enumerate(self.pool, 1)
        return tuple(PoolDie(face, position) for position, face in faces if face is not None and position not in spent)

    def reroll_dice(self, dice: Dice, say: Say, positions: Sequence[int]) -> tuple[int | None, ...]:
        """Reroll some dice of the pool, keep the faces of the others (D8), and return all faces."""
        pool = list(self.pool)
        for position, face in zip(positions, dice.each(*[SIDES] * len(positions)), strict=True):
            pool[position - 1] = face
        if say and (kept := [die for die in self.left if die.position not in positions]):
            showing = f"showing {listed((str(die.face) for die in kept), 'and')}"
            say.fact("Kept", dice_text([die.position for die in kept]), showing)
        return say.fact("Pool", tuple(pool))


class Rerolled(Outcome):
    """A pool after some of its dice were rerolled."""

    pool: PoolOfDice = fact(help="what each die shows now")


class PlayerPhase(PoolRule, id="dungeoneers/player-phase"):
    """Start the player phase: reroll all exhausted dice, and any others that you like."""

    reroll: Annotated[tuple[int, ...], Places("pool", "rerolled")] = param(
        default=(), example=(4,), help="the other dice that are rerolled too", label="Reroll dice"
    )

    def validate(self) -> None:
        super().validate()
        self.check_positions("reroll", self.reroll)

    def resolve(self, dice: Dice, say: Say) -> Rerolled:
        # All exhausted dice (D6) and the others that the player names (D7, DD4), in the order of the pool.
        others = sorted(set(self.reroll) - set(self.exhausted))
        if self.exhausted:
            say.fact("Rerolled", dice_text(sorted(self.exhausted)), "exhausted")
        if others:
            say.fact("Rerolled too", dice_text(others), "the player's choice")
        return Rerolled(self.reroll_dice(dice, say, sorted({*self.exhausted, *others})))


class RerolledAction(PoolRule):
    """Reroll the exhausted dice of a pool, and see how many dice an action takes then; without an id, for its odds."""

    need: int = param(default=10, help="what the dice of the action must reach")

    class Result(Outcome):
        fewest: int | None = fact(help="the fewest dice that reach it; none when all fall short")

    def resolve(self, dice: Dice, say: Say) -> Result:
        rerolled = dice.pool(*[SIDES] * len(self.exhausted))
        return self.Result(minimum_count((*rerolled, *(die.face for die in self.left)), self.need))


class Spending(NamedTuple):
    """The dice that are spent on a roll, and the reason for the choice."""

    dice: tuple[PoolDie, ...]
    reason: str


class ActionRoll(PoolRule, id="dungeoneers/action-roll"):
    """Make an action roll: spend dice of your pool, add the stat, and reach the difficulty."""

    stat: int = param(default=0, example=4, help="the action's stat, added to the dice")
    difficulty: int = param(example=5, low=0, help="what the total must reach")
    spend: Positions = param(default=(), help="the dice spent; by default the fewest that do it", label="Spend dice")
    fight: bool = param(default=False, help="a fight, which has no degrees of success")
    push: bool = param(default=False, help="with no dice left: take a second stress, reroll one, use it", advanced=True)

    class Result(Outcome):
        total: int = fact(help="the dice spent, plus the stat", against="difficulty")
        degree: Degree | None = fact(help="the degree of success, after a critical; none in a fight", verdict=MEANINGS)
        success: bool = fact(help="whether it is a success or a greater success", verdict=True)
        critical: bool = fact(help="whether two of the dice spent show the same", verdict="adds")
        spent: Positions = fact(help="the dice spent on this roll, by their positions", label="Dice spent")
        exhausted: Positions = fact(
            help="all dice that are exhausted afterwards, by their positions", label="Exhausted dice"
        )
        stress: int = fact(help="the stress that the roll costs")

    def validate(self) -> None:
        super().validate()
        self.check_positions("spend", self.spend)
        free = [die.position for die in self.left]
        unavailable = [position for position in self.spend if position not in free]
        if self.spend and not free:
            hint = "leave it out, and push to reroll a die"
            raise ParameterError("every die is exhausted", hint=hint, parameter="spend")
        if unavailable:
            hint = f"spend dice that are not: {listed(map(str, free))}"
            raise ParameterError(f"die {unavailable[0]} is exhausted", hint=hint, parameter="spend")
        if self.push and free:
            hint = f"spend one instead: {listed(map(str, free))}"
            raise ParameterError("there are dice left", hint=hint, parameter="push")

    @cached_property
    def spending(self) -> Spending:
        """The dice that the player spends (D13, D14), or else those that the rule chooses."""
        positions, reason = (self.spend, "the player's choice") if self.spend else self.default_choice
        return Spending(tuple(die for die in self.left if die.position in positions), reason)

    @property
    def default_choice(self) -> tuple[tuple[int, ...], str]:
        """The fewest dice, then the smallest sum, for a success, or else the best degree; criticals aside (DD2)."""
        goals = [(SUCCESS, "the least that succeeds")]
        if not self.fight:
            goals.append((PARTIAL, "the least that makes a partial success"))
        for margin, reason in goals:
            need = self.difficulty + margin - self.stat
            count = minimum_count((die.face for die in self.left), need)
            if count is not None:
                return minimum_choice(self.left, count, need), reason
        return (min(self.left).position,), "the lowest, as nothing is enough"

    def push_die(self, dice: Dice) -> Spending:
        """Return the die that is rerolled and used at once for the second stress (D20, DD5), when the player pushes."""
        if not self.push:
            return Spending((), "")
        faces = dice.each(SIDES)
        faces.mark(0, "exhausted")
        return Spending((PoolDie(faces[0], PUSHED),), "rerolled, used and exhausted again")

    def resolve(self, dice: Dice, say: Say) -> Result:
        stress = 0
        if self.left:
            spent, reason = self.spending
        else:
            # With nothing to spend the roll costs stress; it is the stat alone unless the player pushes (D19, DD5).
            further = STRESS_OF_PUSHING if self.push else 0
            stress = say.sum("Stress", ("no dice left", STRESS_OF_RUNNING_OUT), (f"to reroll die {PUSHED}", further))
            spent, reason = self.push_die(dice)
        positions = tuple(die.position for die in spent)
        if say and spent:
            say.fact("Spent", dice_text(positions), reason)
        total = say.sum("Total", *((die, die.face) for die in spent), stat=self.stat)  # D11
        verdict = verdict_of(say, total, self.difficulty, [die.face for die in spent], fight=self.fight)
        if self.left:
            say.fact("Left in the pool", [die.face for die in self.left if die not in spent])
        return self.Result(total, *verdict, positions, tuple(sorted({*self.exhausted, *positions})), stress)  # D17


class Fights(Mechanic, id="dungeoneers/fights"):
    """Throw a whole pool and spend it on one fight after another, whose difficulties you know."""

    size: int = param(default=STARTING_POOL, low=1, high=LARGEST_SPENT_POOL, help="the dice in the pool")
    stat: int = param(default=0, example=2, help="the stat of each fight, added to the dice")
    difficulties: tuple[int, ...] = param(example=(8, 10, 6), help="what each total must reach, fight by fight")
    spend: Decision = param(example=FEWEST, help="the faces spent on a fight, or the fewest that do it")

    class Result(Outcome):
        won: int = fact(help="the fights that were won", label="Fights won")
        all_won: bool = fact(help="whether all were won", verdict=True)

    def validate(self) -> None:
        if not self.difficulties:
            raise ParameterError("there is no fight", hint="write a difficulty: 8", parameter="difficulties")

    def fight(
        self, dice: Dice, say: Say, pool: tuple[int, ...], fought: int, won: int
    ) -> tuple[tuple[int, ...], int, int]:
        """Return the pool after one more fight, and how many were fought and won; the first fight throws the pool."""
        left = pool if fought else tuple(dice.pool(*[SIDES] * self.size))
        # With nothing left it is the stat alone (D19).
        spent = self.spent(dice, left, fought) if left else ()
        total = say.sum("Total", *spent, stat=self.stat)
        verdict = verdict_of(say, total, self.difficulties[fought], spent, fight=True)
        return tuple((Counter(left) - Counter(spent)).elements()), fought + 1, won + verdict.success

    def spent(self, dice: Dice, left: tuple[int, ...], fought: int) -> tuple[int, ...]:
        """Return the faces that the player spends on a fight: at least one (DD2)."""
        faces = sorted(left, reverse=True)
        subsets = {spent for count in range(1, len(left) + 1) for spent in combinations(faces, count)}
        ways: tuple[str | tuple[int, ...], ...] = (FEWEST, *sorted(subsets))
        spent = dice.choose(self.spend, ways, left=len(left), fought=fought)
        if isinstance(spent, tuple):
            return spent
        roll = ActionRoll(pool=left, stat=self.stat, difficulty=self.difficulties[fought], fight=True)
        return tuple(die.face for die in roll.spending.dice)

    def resolve(self, dice: Dice, say: Say) -> Result:
        fights = len(self.difficulties)
        *_, won = dice.repeat(self.fight, ((), 0, 0), until=lambda _, fought, __: fought == fights, label="Fight")
        return self.Result(won, say.compare("All won", won, "=", fights))


class Member(NamedTuple):
    """A dungeoneer in a group roll, who may add a stat (D24) and one die (D25)."""

    name: str
    stat: int = 0
    die: int | None = None


class GroupRoll(Mechanic, id="dungeoneers/group-roll"):
    """Make a group roll: several do the same thing, each adding a stat and one die, and it is harder."""

    members: tuple[Member, ...] = param(
        example="Freya: stat 3, die 5; Ulfarmi: stat 4, die 1", help="who takes part, with what their die shows"
    )
    difficulty: int = param(example=10, low=0, help="what one alone would have to reach")
    fight: bool = param(default=False, help="a fight, which has no degrees of success")

    class Result(Outcome):
        total: int = fact(help="the dice and stats of all", against="difficulty")
        difficulty: int = fact(help="the difficulty, raised by the number of participants")
        degree: Degree | None = fact(help="the degree of success, after a critical; none in a fight", verdict=MEANINGS)
        success: bool = fact(help="whether it is a success or a greater success", verdict=True)
        critical: bool = fact(help="whether two of the dice show the same", verdict="adds")

    def validate(self) -> None:
        if len(self.members) < MINIMUM_GROUP:
            message = f"a group roll takes at least {MINIMUM_GROUP}"
            raise ParameterError(message, hint="one dungeoneer makes an action roll", parameter="members")
        names: set[str] = set()
        for name, _, die in self.members:
            if die is not None and not 1 <= die <= SIDES:
                message = f"the die of {quoted(name)} cannot show {die}"
                raise ParameterError(message, hint=f"write a face from 1 to {SIDES}", parameter="members")
            if name in names:
                hint = "name each dungeoneer once"
                raise ParameterError(f"{quoted(name)} takes part twice", hint=hint, parameter="members")
            names.add(name)

    @cached_property
    def terms(self) -> tuple[tuple[str, int], ...]:
        """The labelled numbers that the total adds up (D24, D25)."""
        terms = ((name, (("die", die or 0), ("stat", stat))) for name, stat, die in self.members)
        return tuple((f"{name}'s {what}", number) for name, pair in terms for what, number in pair)

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """The faces of the members' dice; two that are equal make a critical (DD3)."""
        return tuple(die for _, _, die in self.members if die is not None)

    def resolve(self, dice: Dice, say: Say) -> Result:
        difficulty = say.sum("Difficulty", self.difficulty, participants=len(self.members))  # D23
        total = say.sum("Total", *self.terms)
        return self.Result(total, difficulty, *verdict_of(say, total, difficulty, self.faces, fight=self.fight))


class Rest(PoolRule, id="dungeoneers/rest"):
    """Rest: the exhausted dice come back rerolled, the others stay as they are."""

    def resolve(self, dice: Dice, say: Say) -> Rerolled:
        # Exhausted dice come back here and at the start of the player phase, at no other time (D18, DD4).
        regained = sorted(self.exhausted)
        if regained:
            say.fact("Regained", dice_text(regained), "exhausted")
        return Rerolled(self.reroll_dice(dice, say, regained))


class Timer(Mechanic, id="dungeoneers/timer"):
    """Use an ability: throw its cooldown die, and its duration die if it has one, and count them down."""

    cooldown: int = param(
        example=6, low=1, high=LARGEST_DIE, help="the sides of the cooldown die", label="Cooldown die"
    )
    duration: int | None = param(
        default=None, example=4, low=1, high=LARGEST_DIE, help="the sides of the duration die", label="Duration die"
    )
    rounds: int = param(
        default=0, low=0, help="the rounds that have started since the ability was used", label="Rounds started"
    )

    class Result(Outcome):
        cooldown: int = fact(help="what the cooldown die shows now: the rounds until the ability can be used again")
        duration: int | None = fact(help="what the duration die shows now: the rounds that the effect still lasts")
        ready: bool = fact(help="whether the ability can be used again")
        active: bool | None = fact(help="whether the effect lasts; none when it has no duration")

    def resolve(self, dice: Dice, say: Say) -> Result:
        # Both dice are thrown when the ability is used (D44), the cooldown die first.
        cooldown = self.count_down("Cooldown", dice.roll(self.cooldown), say)
        ready = say.compare("Ready", cooldown, "=", 0)  # D46
        if self.duration is None:  # D42
            return self.Result(cooldown, None, ready, None)
        duration = self.count_down("Duration", dice.roll(self.duration), say)
        return self.Result(cooldown, duration, ready, say.compare("Active", duration, ">", 0))  # D47

    def count_down(self, label: str, face: int, say: Say) -> int:
        """Return what a die shows after 1 less for each round that has started (D45), never below 0 (DD7)."""
        left = say.sum(label, face, ("rounds", -self.rounds))
        return left if left >= 0 else say.bound("Never below 0", left, low=0)


class FreshPool(Mechanic, id="dungeoneers/fresh-pool"):
    """Throw a whole pool and see how many of its dice an action roll takes, and whether two are alike."""

    size: int = param(default=STARTING_POOL, low=1, high=LARGEST_POOL, help="the dice in the pool")
    stat: int = param(default=0, example=4, help="the action's stat, added to the dice")
    difficulty: int = param(default=10, low=0, help="what the total must reach")

    class Result(Outcome):
        fewest: int | None = fact(help="the fewest dice that reach the difficulty; none when all fall short")
        pair: bool = fact(help="whether two dice show the same, as a critical needs")

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = dice.pool(*[SIDES] * self.size)
        count = minimum_count(faces, self.difficulty - self.stat)
        total = say.sum("Highest dice", *faces[::-1][:count], stat=self.stat)
        say.compare("Enough", total, ">=", self.difficulty)
        say.fact("Fewest dice", count)
        pair = matching_faces(faces)
        return self.Result(count, say.fact("Pair", bool(pair), *pair))
