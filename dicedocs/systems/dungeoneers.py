"""Dungeoneers: a pool of six-sided dice, thrown at the start of the player phase and spent on actions.

An exhausted die is one that was spent. Dice are named by their places in the pool, from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from dicedocs import Dice, Mechanic, Outcome, ParameterError, Places, PoolFaces, Say, fact, param
from dicedocs.errors import listed, quoted

SIDES: Final = 6
"""The sides of every die in a pool (D2)."""
STARTING_POOL: Final = 5
"""The dice that a dungeoneer starts with (D3)."""
STRESS_OF_RUNNING_OUT: Final = 1
"""The stress of another roll when no dice are left (D19)."""
STRESS_OF_PUSHING: Final = 1
"""The further stress of rerolling a die then and using it at once (D20)."""
PUSHED: Final = 1
"""The die that is rerolled then, by its place (DD5)."""
SMALLEST_GROUP: Final = 2
"""The dungeoneers that a group roll takes at least (D21)."""

Degree: TypeAlias = Literal["failure", "partial success", "success", "greater success"]
PARTIAL: Final = -3
"""The least total of a partial success, seen from the difficulty (D31)."""
SUCCESS: Final = 0
"""That of a success: reaching the difficulty is enough (D12)."""
GREATER: Final = 3
"""That of a greater success (D31)."""
DEGREE_FROM: Final[dict[int | None, Degree]] = {
    None: "failure",
    PARTIAL: "partial success",
    SUCCESS: "success",
    GREATER: "greater success",
}
"""The degrees by total minus difficulty (D34 to D37); the prose of D32 and D33 says 2, and is overruled (DD1)."""
DEGREES: Final = tuple(DEGREE_FROM.values())
"""The degrees (D28), the lowest first."""
SUCCEEDING: Final = DEGREES[DEGREES.index("success") :]
"""The degrees that are a success (DD2)."""
RAISED_BY_CRITICAL: Final = 1
"""The degrees by which a critical raises (D40)."""


class Verdict(NamedTuple):
    """What a roll came to; in a fight there is no degree (D29)."""

    degree: Degree | None
    success: bool
    critical: bool


def judge(say: Say, total: int, difficulty: int, faces: Iterable[int], *, fight: bool) -> Verdict:
    """Judge an action roll or a group roll by its total and the dice that were applied to it."""
    pair = alike(faces)
    if fight:
        # Success or failure, with the critical flagged (D29, DD3).
        success = say.compare("Success", total, ">=", difficulty)
        return Verdict(None, success, bool(pair) and say.fact("Critical", True, *pair))
    over = say.sum("Against the difficulty", total, ("difficulty", -difficulty))
    degree = say.look_up("Degree", over, DEGREE_FROM)
    if pair:
        say.fact("Critical", True, *pair)
        if degree == DEGREES[-1]:
            say.fact("Raised", degree, "the highest degree")
        else:
            degree, _ = say.move("Raised", DEGREES, degree, RAISED_BY_CRITICAL)
    return Verdict(degree, degree in SUCCEEDING, bool(pair))


def alike(faces: Iterable[int]) -> list[int]:
    """Give equal faces, two or more of them, such as make a critical (D38, D39); none when all differ.

    >>> alike([4, 3, 4]), alike([4, 3])
    ([4, 4], [])
    """
    in_order = sorted(faces)
    twice = next((face for face, following in pairwise(in_order) if face == following), None)
    return [face for face in in_order if face == twice]


def fewest(faces: Iterable[int], need: int) -> int | None:
    """Give how many dice reach a sum, the highest first: at least one (DD2), ``None`` when all fall short.

    >>> fewest([4, 3, 4, 1, 2], 8), fewest([4, 3], 0), fewest([4, 3], 8)
    (2, 1, None)
    """
    reached = accumulate(sorted(faces, reverse=True))
    return next((count for count, total in enumerate(reached, 1) if total >= need), None)


class Shown(NamedTuple):
    """A die of a pool: its face and its place."""

    face: int
    place: int

    def __str__(self) -> str:
        return f"die {self.place}"


def least(dice: Iterable[Shown], count: int, need: int) -> tuple[int, ...]:
    """Give the places of so many dice with the smallest sum that is enough; of equal choices the first (DD2).

    The highest of them are enough, and no fewer are.

    >>> least([Shown(4, 1), Shown(3, 2), Shown(4, 3), Shown(1, 4), Shown(2, 5)], 3, 9)
    (1, 2, 5)
    """
    falling = sorted(dice, key=lambda die: (-die.face, die.place))
    sums = [0, *accumulate(die.face for die in falling)]
    # Of equal dice those that are passed over are the last ones, so the next die tried shows less.
    lower = {die.face: at for at, die in enumerate(falling, 1)}
    found: list[tuple[int, tuple[int, ...]]] = []
    ways: list[tuple[int, int, int, tuple[int, ...]]] = [(0, count, need, ())]
    while ways:
        at, more, needed, taken = ways.pop()
        # Where even the highest that follow are not enough nothing is followed up, so each step leads somewhere.
        if at + more > len(falling) or sums[at + more] - sums[at] < needed:
            continue
        if not more:
            found.append((-needed, tuple(sorted(taken))))
            continue
        die = falling[at]
        ways += [(at + 1, more - 1, needed - die.face, (*taken, die.place)), (lower[die.face], more, needed, taken)]
    return min(found)[1]


def named(places: Sequence[int]) -> str:
    """Name dice by their places.

    >>> named([1, 2, 4]), named([3])
    ('dice 1, 2 and 4', 'die 3')
    """
    return f"{'die' if len(places) == 1 else 'dice'} {listed(map(str, places), 'and')}"


Which: TypeAlias = Annotated[tuple[int, ...], Places("pool")]


class Pooled(Mechanic):
    """What is done with a pool that was thrown before, some dice of which may be exhausted."""

    pool: PoolFaces = param(example="4 3 4 1 2", help="what each die shows; - for an exhausted one, if you like")
    exhausted: Which = param(default=(), example=(2, 5), help="the dice that were spent", label="Exhausted dice")

    def validate(self) -> None:
        if not self.pool:
            raise ParameterError("there are no dice in it", hint="write the face of each: 4 3 4 1 2", parameter="pool")
        self.check_places("exhausted", self.exhausted)
        for place, face in enumerate(self.pool, 1):
            if face is None and place not in self.exhausted:
                message = f"die {place} shows '-', and is not exhausted"
                raise ParameterError(message, hint="write its face, or name it in exhausted", parameter="pool")
            if face is not None and not 1 <= face <= SIDES:
                message = f"die {place} is a d{SIDES} and cannot show {face}"
                raise ParameterError(message, hint=f"write a face from 1 to {SIDES}", parameter="pool")

    def check_places(self, parameter: str, places: Sequence[int]) -> None:
        """Refuse places where there is no die, and a die that is named twice."""
        for at, place in enumerate(places):
            if place > len(self.pool):
                hint = f"the pool has {len(self.pool)}, counted from 1"
                raise ParameterError(f"there is no die {place}", hint=hint, parameter=parameter)
            if place in places[:at]:
                raise ParameterError(f"die {place} is named twice", hint="name each die once", parameter=parameter)

    @cached_property
    def left(self) -> tuple[Shown, ...]:
        """The dice that are not exhausted."""
        spent = set(self.exhausted)
        shown = enumerate(self.pool, 1)
        return tuple(Shown(face, place) for place, face in shown if face is not None and place not in spent)

    def reroll_dice(self, dice: Dice, say: Say, places: Sequence[int]) -> tuple[int, ...]:
        """Reroll some dice of the pool and keep the faces of the others (D8)."""
        faces = dict(zip(places, dice.each(*[SIDES] * len(places)), strict=True))
        kept = [die for die in self.left if die.place not in faces]
        if say and kept:
            showing = f"showing {listed((str(die.face) for die in kept), 'and')}"
            say.fact("Kept", named([die.place for die in kept]), showing)
        faces |= {die.place: die.face for die in kept}
        return say.fact("Pool", tuple(faces[place] for place in range(1, len(self.pool) + 1)))


class Rerolled(Outcome):
    """A pool after some of its dice were rerolled."""

    pool: tuple[int, ...] = fact(help="what each die shows now")


class PlayerPhase(Pooled, id="dungeoneers/player-phase"):
    """Start the player phase: reroll all exhausted dice, and any others that you like."""

    reroll: Which = param(default=(), example=(4,), help="the other dice that are rerolled too", label="Reroll dice")

    def validate(self) -> None:
        super().validate()
        self.check_places("reroll", self.reroll)

    def resolve(self, dice: Dice, say: Say) -> Rerolled:
        # All that are exhausted (D6), and the others that the player names (D7, DD4), in the order of the pool.
        others = sorted(set(self.reroll) - set(self.exhausted))
        if self.exhausted:
            say.fact("Rerolled", named(sorted(self.exhausted)), "exhausted")
        if others:
            say.fact("Rerolled too", named(others), "the player's choice")
        return Rerolled(self.reroll_dice(dice, say, sorted({*self.exhausted, *others})))


class Spending(NamedTuple):
    """The dice that are spent on a roll, and why these."""

    dice: tuple[Shown, ...]
    why: str


class ActionRoll(Pooled, id="dungeoneers/action-roll"):
    """Make an action roll: spend dice of your pool, add the stat, and reach the difficulty."""

    stat: int = param(default=0, example=4, help="the action's stat, added to the dice")
    difficulty: int = param(example=5, low=0, help="what the total must reach")
    spend: Which = param(default=(), help="the dice spent; left out, the fewest that do it", label="Spend dice")
    fight: bool = param(default=False, help="a fight, which has no degrees of success")
    push: bool = param(default=False, help="with no dice left: take a second stress to reroll one and use it")

    class Result(Outcome):
        total: int = fact(help="the dice spent, plus the stat")
        degree: Degree | None = fact(help="the degree of success, after a critical; none in a fight")
        success: bool = fact(help="whether it is a success or a greater success")
        critical: bool = fact(help="whether two of the dice spent show the same")
        spent: tuple[int, ...] = fact(help="the dice spent on this roll, by their places", label="Dice spent")
        exhausted: tuple[int, ...] = fact(
            help="all dice that are exhausted afterwards, by their places", label="Exhausted dice"
        )
        stress: int = fact(help="the stress that the roll costs")

    def validate(self) -> None:
        super().validate()
        self.check_places("spend", self.spend)
        free = [die.place for die in self.left]
        others = [place for place in self.spend if place not in free]
        if self.spend and not free:
            hint = "leave it out, and push to reroll a die"
            raise ParameterError("every die is exhausted", hint=hint, parameter="spend")
        if others:
            hint = f"spend dice that are not: {listed(map(str, free))}"
            raise ParameterError(f"die {others[0]} is exhausted", hint=hint, parameter="spend")
        if self.push and free:
            hint = f"spend one instead: {listed(map(str, free))}"
            raise ParameterError("there are dice left", hint=hint, parameter="push")

    @cached_property
    def spending(self) -> Spending:
        """The dice that the player spends (D13, D14), or else those that are chosen for them."""
        places, why = (self.spend, "the player's choice") if self.spend else self.choice
        return Spending(tuple(die for die in self.left if die.place in places), why)

    @property
    def choice(self) -> tuple[tuple[int, ...], str]:
        """The fewest dice, then the smallest sum, for a success, or else for the best degree; criticals aside (DD2)."""
        goals = [(SUCCESS, "the least that succeeds")]
        if not self.fight:
            goals.append((PARTIAL, "the least that makes a partial success"))
        for margin, why in goals:
            need = self.difficulty + margin - self.stat
            count = fewest((die.face for die in self.left), need)
            if count is not None:
                return least(self.left, count, need), why
        return (min(self.left).place,), "the lowest, as nothing is enough"

    def pushed(self, dice: Dice) -> Spending:
        """The die that is rerolled and used at once, for the second stress (D20, DD5)."""
        if not self.push:
            return Spending((), "")
        faces = dice.each(SIDES)
        faces.mark(0, "exhausted")
        return Spending((Shown(faces[0], PUSHED),), "rerolled, used and exhausted again")

    def resolve(self, dice: Dice, say: Say) -> Result:
        stress = 0
        if self.left:
            spent, why = self.spending
        else:
            # Nothing can be spent: stress, and the stat alone unless there is more of it (D19, DD5).
            further = STRESS_OF_PUSHING if self.push else 0
            stress = say.sum("Stress", ("no dice left", STRESS_OF_RUNNING_OUT), (f"to reroll die {PUSHED}", further))
            spent, why = self.pushed(dice)
        places = tuple(die.place for die in spent)
        if say and spent:
            say.fact("Spent", named(places), why)
        total = say.sum("Total", *((die, die.face) for die in spent), stat=self.stat)  # D11
        verdict = judge(say, total, self.difficulty, [die.face for die in spent], fight=self.fight)
        if self.left:
            say.fact("Left in the pool", [die.face for die in self.left if die not in spent])
        return self.Result(total, *verdict, places, tuple(sorted({*self.exhausted, *places})), stress)  # D17


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
        total: int = fact(help="the dice and stats of all")
        difficulty: int = fact(help="the difficulty, raised by the number of participants")
        degree: Degree | None = fact(help="the degree of success, after a critical; none in a fight")
        success: bool = fact(help="whether it is a success or a greater success")
        critical: bool = fact(help="whether two of the dice show the same")

    def validate(self) -> None:
        if len(self.members) < SMALLEST_GROUP:
            message = f"a group roll takes at least {SMALLEST_GROUP}"
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
        """What is added up (D24, D25)."""
        named = ((name, (("die", die or 0), ("stat", stat))) for name, stat, die in self.members)
        return tuple((f"{name}'s {what}", number) for name, both in named for what, number in both)

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """What the dice of all show: two alike among them are a critical (DD3)."""
        return tuple(die for _, _, die in self.members if die is not None)

    def resolve(self, dice: Dice, say: Say) -> Result:
        difficulty = say.sum("Difficulty", self.difficulty, participants=len(self.members))  # D23
        total = say.sum("Total", *self.terms)
        return self.Result(total, difficulty, *judge(say, total, difficulty, self.faces, fight=self.fight))


class Rest(Pooled, id="dungeoneers/rest"):
    """Rest: the exhausted dice come back rerolled, the others stay as they are."""

    def resolve(self, dice: Dice, say: Say) -> Rerolled:
        # The way to regain dice at any time but the start of the player phase (D18, DD4).
        regained = sorted(self.exhausted)
        if regained:
            say.fact("Regained", named(regained), "exhausted")
        return Rerolled(self.reroll_dice(dice, say, regained))


class Timer(Mechanic, id="dungeoneers/timer"):
    """Use an ability: throw its cooldown die, and its duration die if it has one, and count them down."""

    cooldown: int = param(example=6, low=1, help="the sides of the cooldown die", label="Cooldown die")
    duration: int | None = param(
        default=None, example=4, low=1, help="the sides of the duration die", label="Duration die"
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
        # Both dice are thrown when the ability is used (D44): the cooldown first.
        cooldown = self.count_down("Cooldown", dice.roll(self.cooldown), say)
        ready = say.compare("Ready", cooldown, "=", 0)  # D46
        if self.duration is None:  # D42
            return self.Result(cooldown, None, ready, None)
        duration = self.count_down("Duration", dice.roll(self.duration), say)
        return self.Result(cooldown, duration, ready, say.compare("Active", duration, ">", 0))  # D47

    def count_down(self, label: str, face: int, say: Say) -> int:
        """Take 1 off a die for each round that has started (D45), never below 0 (DD7)."""
        left = say.sum(label, face, ("rounds", -self.rounds))
        return left if left >= 0 else say.bound("Never below 0", left, low=0)


class FreshPool(Mechanic, id="dungeoneers/fresh-pool"):
    """Throw a whole pool and see how many of its dice an action roll takes, and whether two are alike."""

    size: int = param(default=STARTING_POOL, low=1, help="the dice in the pool")
    stat: int = param(default=0, example=4, help="the action's stat, added to the dice")
    difficulty: int = param(default=10, low=0, help="what the total must reach")

    class Result(Outcome):
        fewest: int | None = fact(help="the fewest dice that reach the difficulty; none when all fall short")
        pair: bool = fact(help="whether two dice show the same, as a critical needs")

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = dice.pool(*[SIDES] * self.size)
        count = fewest(faces, self.difficulty - self.stat)
        total = say.sum("Highest dice", *faces[::-1][:count], stat=self.stat)
        say.compare("Enough", total, ">=", self.difficulty)
        say.fact("Fewest dice", count)
        pair = alike(faces)
        return self.Result(count, say.fact("Pair", bool(pair), *pair))
