"""Twenty rules with rounds, from games that many know, as their author would write them for a book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

from dicedocs import Dice, Mechanic, Outcome, Say, highest, param


class DeathSaves(Mechanic):
    """D&D: a d20 each turn, until three successes or three failures; a 1 is two failures, a 20 wakes you up."""

    SAVE: ClassVar[Mapping[int | None, str]] = {None: "two failures", 2: "a failure", 10: "a success", 20: "awake"}

    class Result(Outcome):
        end: Literal["awake", "stable", "dead"]

    def save(self, dice: Dice, say: Say, successes: int, failures: int, awake: bool) -> tuple[int, int, bool]:
        match say.look_up("Save", dice.roll(20), self.SAVE):
            case "awake":
                return successes, failures, True
            case "a success":
                return successes + 1, failures, False
            case "a failure":
                return successes, failures + 1, False
        return successes, min(failures + 2, 3), False

    def resolve(self, dice: Dice, say: Say) -> Result:
        successes, _, awake = dice.repeat(
            self.save,
            (0, 0, False),
            lambda successes, failures, awake: successes == 3 or failures == 3 or awake,
            label="Turn",
        )
        return self.Result("awake" if awake else "stable" if successes == 3 else "dead")


class Craps(Mechanic):
    """Craps, the pass line: 7 and 11 win at once, 2, 3 and 12 lose; any other total must come again before a 7."""

    class Result(Outcome):
        won: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        point = dice.total(2, 6)
        if point in {2, 3, 7, 11, 12}:
            return self.Result(point in {7, 11})
        (last,) = dice.repeat(self.again, (0,), lambda last: last in {point, 7})
        return self.Result(last == point)

    def again(self, dice: Dice, say: Say, last: int) -> tuple[int]:
        return (dice.total(2, 6),)


class Risk(Mechanic):
    """Risk: up to three dice against up to two, until one side is gone; a tie is the defender's."""

    attackers: int = param(default=10, low=0, high=30, help="the armies that may attack")
    defenders: int = param(default=10, low=0, high=30, help="the armies that defend")

    class Result(Outcome):
        attackers: int
        defenders: int

    def battle(self, dice: Dice, say: Say, attackers: int, defenders: int) -> tuple[int, int]:
        pairs = min(attackers, defenders, 2)
        attack = say.throw("Attack", dice.pool(*[6] * min(attackers, 3), keep=highest(pairs)))
        defence = say.throw("Defence", dice.pool(*[6] * min(defenders, 2), keep=highest(pairs)))
        lost = sum(ours <= theirs for ours, theirs in zip(attack, defence, strict=True))
        return say.sum("Attackers", attackers, lost=-lost), say.sum("Defenders", defenders, lost=lost - pairs)

    def resolve(self, dice: Dice, say: Say) -> Result:
        state = self.attackers, self.defenders
        over = dice.repeat(self.battle, state, lambda ours, theirs: ours == 0 or theirs == 0, label="Battle")
        return self.Result(*over)


class Yahtzee(Mechanic):
    """Yahtzee: five dice and three throws; you keep the face that you have most of."""

    class Result(Outcome):
        alike: int

    def throw(self, dice: Dice, say: Say, left: int, kept: int, face: int) -> tuple[int, int, int]:
        def most(best: tuple[int, int], shown: int, number: int) -> tuple[int, int]:
            return max(best, (number + (kept if shown == face else 0), shown))

        alike, best = dice.sweep(most, (0, 0), [6] * (5 - kept))
        return left - 1, say.sum(f"Dice with a {best}", alike), best

    def resolve(self, dice: Dice, say: Say) -> Result:
        _, alike, _ = dice.repeat(
            self.throw, (3, 0, 0), lambda left, alike, _face: left == 0 or alike == 5, label="Throw"
        )
        return self.Result(alike)


class Pig(Mechanic):
    """Pig: throw a d6 as often as you dare and add up the points; a 1 loses them."""

    hold: int = param(default=20, low=1, help="the points at which you stop")

    class Result(Outcome):
        points: int

    def throw(self, dice: Dice, say: Say, points: int, lost: bool) -> tuple[int, bool]:
        die = dice.roll(6)
        return (0, True) if die == 1 else (say.sum("Points", points, die), False)

    def resolve(self, dice: Dice, say: Say) -> Result:
        points, _ = dice.repeat(self.throw, (0, False), lambda points, lost: lost or points >= self.hold, label="Throw")
        return self.Result(points)


class Push(Mechanic):
    """Year Zero: throw d6s and push once; what shows neither a 6 nor a 1 is thrown again."""

    pool: int = param(default=8, low=0, high=30, help="how many d6s are thrown")

    class Result(Outcome):
        successes: int
        banes: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        successes, banes = dice.tally(self.pool, 6, {6}, {1})
        more, worse = say.throw("Pushed", dice.tally(self.pool - successes - banes, 6, {6}, {1}))
        return self.Result(say.sum("Successes", successes, pushed=more), say.sum("Banes", banes, pushed=worse))


class UsageDie(Mechanic):
    """The Black Hack: on a 1 or 2 the die becomes the next smaller one, and a d4 is used up."""

    LADDER: ClassVar = ("used up", "d4", "d6", "d8", "d10", "d12", "d20")
    die: Literal["d4", "d6", "d8", "d10", "d12", "d20"] = param(default="d8", help="the die it begins with")

    class Result(Outcome):
        uses: int

    def use(self, dice: Dice, say: Say, die: str) -> tuple[str]:
        if dice.roll(int(die[1:])) > 2:
            return (die,)
        return (say.move("Usage die", self.LADDER, die, -1)[0],)

    def resolve(self, dice: Dice, say: Say) -> Result:
        uses, _ = dice.repeat(self.use, (self.die,), lambda die: die == "used up", label="Use", count=True)
        return self.Result(uses)


class TenAgain(Mechanic):
    """World of Darkness: each d10 of 8 or more is a success, and each 10 is thrown again."""

    pool: int = param(default=8, low=0, high=30, help="how many d10s are thrown")

    class Result(Outcome):
        successes: int

    def throw(self, dice: Dice, say: Say, pool: int, successes: int) -> tuple[int, int]:
        more, tens = dice.tally(pool, 10, {8, 9, 10}, {10})
        return tens, say.sum("Successes", successes, more)

    def resolve(self, dice: Dice, say: Say) -> Result:
        _, successes = dice.repeat(self.throw, (self.pool, 0), lambda pool, _: pool == 0, label="Throw")
        return self.Result(successes)


class ExtendedTest(Mechanic):
    """Shadowrun: throw the pool again and again, each time with one die less, until there are enough hits."""

    pool: int = param(default=12, low=0, high=30, help="how many d6s are thrown first")
    threshold: int = param(default=16, low=1, help="how many hits are needed")

    class Result(Outcome):
        success: bool
        tests: int

    def test(self, dice: Dice, say: Say, pool: int, hits: int) -> tuple[int, int]:
        return pool - 1, say.sum("Hits", hits, dice.tally(pool, 6, {5, 6}))

    def resolve(self, dice: Dice, say: Say) -> Result:
        tests, _, hits = dice.repeat(
            self.test,
            (self.pool, 0),
            lambda pool, hits: pool == 0 or hits >= self.threshold,
            label="Test",
            count=True,
        )
        return self.Result(hits >= self.threshold, tests)


class SkillChallenge(Mechanic):
    """D&D 4: six successes before three failures."""

    skill: int = param(default=7, help="added to each d20")
    difficulty: int = param(default=15, help="what each check must reach")

    class Result(Outcome):
        success: bool
        checks: int

    def check(self, dice: Dice, say: Say, successes: int, failures: int) -> tuple[int, int]:
        total = say.sum("Total", dice.roll(20), skill=self.skill)
        if say.compare("Success", total, ">=", self.difficulty):
            return successes + 1, failures
        return successes, failures + 1

    def resolve(self, dice: Dice, say: Say) -> Result:
        checks, successes, _ = dice.repeat(
            self.check, (0, 0), lambda successes, failures: successes == 6 or failures == 3, label="Check", count=True
        )
        return self.Result(successes == 6, checks)


class Army(NamedTuple):
    """One side of a land battle."""

    infantry: int
    tanks: int

    def after(self, hits: int) -> Army:
        """Return what is left; infantry is lost first."""
        dead = min(hits, self.infantry)
        return Army(self.infantry - dead, max(0, self.tanks - hits + dead))


class LandBattle(Mechanic):
    """Axis & Allies: both sides fire until one is gone; tanks hit up to a 3, infantry on a 1, defending up to a 2."""

    attackers: Army = param(default=Army(6, 3), help="who attacks")
    defenders: Army = param(default=Army(6, 2), help="who defends")

    class Result(Outcome):
        attackers: int
        defenders: int

    def fire(self, dice: Dice, say: Say, attackers: Army, defenders: Army) -> tuple[Army, Army]:
        hits = say.throw("Attacking infantry", dice.tally(attackers.infantry, 6, {1}))
        hits += say.throw("Attacking tanks", dice.tally(attackers.tanks, 6, {1, 2, 3}))
        losses = say.throw("Defending infantry", dice.tally(defenders.infantry, 6, {1, 2}))
        losses += say.throw("Defending tanks", dice.tally(defenders.tanks, 6, {1, 2, 3}))
        say.fact("Losses", f"{losses} against {hits}")
        return attackers.after(losses), defenders.after(hits)

    def resolve(self, dice: Dice, say: Say) -> Result:
        attackers, defenders = dice.repeat(
            self.fire, (self.attackers, self.defenders), lambda ours, theirs: sum(ours) == 0 or sum(theirs) == 0
        )
        return self.Result(sum(attackers), sum(defenders))


class Fighter(NamedTuple):
    """Someone in a duel."""

    name: str
    points: int
    attack: int
    armour: int
    damage: int


class Initiative(Mechanic):
    """Whoever throws higher strikes first; a tie is thrown again."""

    class Result(Outcome):
        first: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        ours, theirs = dice.repeat(self.throw, (0, 0), lambda ours, theirs: ours != theirs, label="Throw")
        return self.Result(ours > theirs)

    def throw(self, dice: Dice, say: Say, ours: int, theirs: int) -> tuple[int, int]:
        ours, theirs = dice.each(20, 20)
        return ours, theirs


class Strike(Mechanic):
    """A d20 and the attack against the armour; a 20 throws the damage twice, a 1 misses."""

    attack: int = param(default=5, help="added to the d20")
    armour: int = param(default=14, help="what it must reach")
    damage: int = param(default=8, low=1, help="the sides of the die of damage")

    class Result(Outcome):
        damage: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        die = dice.roll(20)
        hits = say.compare("Hit", say.sum("Total", die, attack=self.attack), ">=", self.armour)
        if die == 1 or not (hits or die == 20):
            return self.Result(0)
        return self.Result(say.sum("Damage", dice.total(2 if die == 20 else 1, self.damage), strength=3))


class Duel(Mechanic):
    """D&D: two fighters strike in turn, in the order of their initiative, until one of them falls."""

    one: Fighter = param(default=Fighter("Asa", 24, 5, 15, 8), help="one fighter")
    other: Fighter = param(default=Fighter("Bo", 22, 4, 14, 10), help="the other fighter")

    class Result(Outcome):
        winner: str
        points: int

    def turn(self, dice: Dice, say: Say, one: int, other: int, first: bool) -> tuple[int, int, bool]:
        by, at = (self.one, self.other) if first else (self.other, self.one)
        strike = Strike(attack=by.attack, armour=at.armour, damage=by.damage)
        damage = dice.play(strike, f"{by.name} strikes").damage
        left = say.sum(f"{at.name}'s hit points", other if first else one, damage=-damage)
        left = say.bound(f"{at.name}'s hit points", left, low=0)
        return (one, left, False) if first else (left, other, True)

    def resolve(self, dice: Dice, say: Say) -> Result:
        first = dice.play(Initiative(), "Initiative").first
        one, other, _ = dice.repeat(
            self.turn,
            (self.one.points, self.other.points, first),
            lambda one, other, _first: one == 0 or other == 0,
            label="Turn",
        )
        return self.Result(self.one.name if one else self.other.name, one or other)


class Claws(Mechanic):
    """King of Tokyo: six dice and three throws; you keep the claws."""

    class Result(Outcome):
        claws: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        claws = 0
        for throw in ("First throw", "Second throw", "Third throw"):
            claws += say.throw(throw, dice.tally(6 - claws, 6, {6}))
        return self.Result(claws)


class Improvement(Mechanic):
    """Call of Cthulhu: a d100 above the skill, or above 95, improves it by a d10."""

    skill: int = param(default=45, low=0, help="the skill")

    class Result(Outcome):
        gain: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        if not say.compare("Improved", dice.roll(100), ">", min(self.skill, 95)):
            return self.Result(0)
        return self.Result(say.throw("Gain", dice.roll(10)))


class Sessions(Mechanic):
    """Call of Cthulhu: what becomes of a skill that is used in each session."""

    skill: int = param(default=45, low=0, help="the skill at first")
    sessions: int = param(default=10, low=0, high=100, help="how many sessions there are")

    class Result(Outcome):
        skill: int

    def session(self, dice: Dice, say: Say, skill: int, left: int) -> tuple[int, int]:
        return say.sum("Skill", skill, gain=dice.play(Improvement(skill=skill), "Improvement").gain), left - 1

    def resolve(self, dice: Dice, say: Say) -> Result:
        skill, _ = dice.repeat(self.session, (self.skill, self.sessions), lambda _, left: left == 0, label="Session")
        return self.Result(skill)


class Zombies(NamedTuple):
    """Dice by their colour."""

    green: int = 0
    yellow: int = 0
    red: int = 0

    def and_one(self, colour: str, more: int = 1) -> Zombies:
        """Return these dice with one more, or one less, of a colour."""
        return self._replace(**{colour: getattr(self, colour) + more})


class ZombieDice(Mechanic):
    """Zombie Dice: three at a time from a cup of 13, footprints first, until three shotguns or five brains."""

    FACES: ClassVar[Mapping[str, tuple[set[int], set[int]]]] = {
        "green": ({1, 2, 3}, {4}),
        "yellow": ({1, 2}, {3, 4}),
        "red": ({1}, {2, 3, 4}),
    }
    """The faces with a brain and those with a shotgun; the others are footprints."""

    class Result(Outcome):
        brains: int

    def draw(self, dice: Dice, say: Say, cup: Zombies) -> str:
        green, yellow = range(1, cup.green + 1), range(cup.green + 1, cup.green + cup.yellow + 1)
        drawn = say.throw("From the cup", dice.tally(1, sum(cup), green, yellow))
        return say.fact("Drawn", "green" if drawn == (1, 0) else "yellow" if drawn == (0, 1) else "red")

    def throw(
        self, dice: Dice, say: Say, cup: Zombies, feet: Zombies, again: Zombies, thrown: int, brains: int, shotguns: int
    ) -> tuple[Zombies, Zombies, Zombies, int, int, int]:
        if sum(feet):
            colour = next(colour for colour, number in feet._asdict().items() if number)
            feet = feet.and_one(colour, -1)
        else:
            colour = self.draw(dice, say, cup)
            cup = cup.and_one(colour, -1)
        brain, shotgun = say.throw(colour.title(), dice.tally(1, 6, *self.FACES[colour]))
        say.fact("It shows", "a brain" if brain else "a shotgun" if shotgun else "footprints")
        if not brain and not shotgun:
            again = again.and_one(colour)
        if thrown == 2:
            return cup, again, Zombies(), 0, brains + brain, shotguns + shotgun
        return cup, feet, again, thrown + 1, brains + brain, shotguns + shotgun

    def resolve(self, dice: Dice, say: Say) -> Result:
        *_, brains, shotguns = dice.repeat(
            self.throw,
            (Zombies(6, 4, 3), Zombies(), Zombies(), 0, 0, 0),
            lambda _cup, _feet, _again, thrown, brains, shotguns: shotguns == 3 or (thrown == 0 and brains >= 5),
            label="Die",
        )
        return self.Result(0 if shotguns == 3 else brains)


class SnakesAndLadders(Mechanic):
    """Snakes and Ladders: how many turns it takes to land on 100."""

    LADDERS: ClassVar = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
    SNAKES: ClassVar = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}

    class Result(Outcome):
        turns: int

    def turn(self, dice: Dice, say: Say, square: int) -> tuple[int]:
        landed = say.sum("Square", square, dice.roll(6))
        if landed > 100:
            return (say.fact("Too far: back to", square),)
        if landed in self.LADDERS:
            return (say.fact("Up to", self.LADDERS[landed]),)
        if landed in self.SNAKES:
            return (say.fact("Down to", self.SNAKES[landed]),)
        return (landed,)

    def resolve(self, dice: Dice, say: Say) -> Result:
        turns, _ = dice.repeat(self.turn, (0,), lambda square: square == 100, label="Turn", count=True)
        return self.Result(turns)


class Ace(Mechanic):
    """Savage Worlds: a die that shows its highest face is thrown again and added; each 4 counts."""

    sides: int = param(default=8, low=2, help="the sides of the die")

    class Result(Outcome):
        fours: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        total, _ = dice.repeat(self.throw, (0, True), lambda _total, aces: not aces, label="Throw")
        return self.Result(say.scale("Fours", total, over=4))

    def throw(self, dice: Dice, say: Say, total: int, aces: bool) -> tuple[int, bool]:
        die = dice.roll(self.sides)
        return say.sum("Total", total, die), die == self.sides


class Trait(Mechanic):
    """Savage Worlds: a trait die and a wild die, both of which ace; 4 is a success, and each 4 more is a raise."""

    sides: int = param(default=8, low=4, help="the sides of the trait die")

    class Result(Outcome):
        success: bool
        raises: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        trait = dice.play(Ace(sides=self.sides), "Trait die").fours
        wild = dice.play(Ace(sides=6), "Wild die").fours
        fours = say.fact("Fours", max(trait, wild))
        return self.Result(fours > 0, max(0, fours - 1))


class Again(Mechanic):
    """Rolemaster: what is added to a high open-ended throw; 96 or more is thrown again and added."""

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        total, _ = dice.repeat(self.throw, (0, True), lambda _total, is_open: not is_open, label="Throw")
        return self.Result(total)

    def throw(self, dice: Dice, say: Say, total: int, is_open: bool) -> tuple[int, bool]:
        die = dice.roll(100)
        return say.sum("Total", total, die), die > 95


class OpenEnded(Mechanic):
    """Rolemaster: a d100; 96 or more is thrown again and added, 5 or less thrown again and subtracted."""

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        die = dice.roll(100)
        if 5 < die < 96:
            return self.Result(die)
        again = dice.play(Again(), "Again").total
        return self.Result(say.sum("Total", die, again if die > 95 else -again))


class Haunt(Mechanic):
    """Betrayal at House on the Hill: six dice for each omen; fewer than the omens so far begin the haunt."""

    class Result(Outcome):
        omen: int

    def omen(self, dice: Dice, say: Say, omens: int, haunted: bool) -> tuple[int, bool]:
        total = say.sum("Total", dice.total(6, 3), ("counted from 0", -6))
        return omens + 1, say.compare("The haunt begins", total, "<", omens + 1)

    def resolve(self, dice: Dice, say: Say) -> Result:
        omens, _ = dice.repeat(self.omen, (0, False), lambda _, haunted: haunted, label="Omen")
        return self.Result(omens)


End = Literal["dead", "discharged", "retired"]


class Career(Mechanic):
    """Traveller: survive each term and re-enlist, for at most seven terms; a 12 keeps you in."""

    survival: int = param(default=5, low=2, high=12, help="what 2d6 must reach to survive")
    reenlistment: int = param(default=6, low=2, high=12, help="what 2d6 must reach to stay")

    class Result(Outcome):
        end: End | None
        terms: int

    def term(self, dice: Dice, say: Say, terms: int, end: End | None) -> tuple[int, End | None]:
        if not say.compare("Survived", dice.total(2, 6), ">=", self.survival):
            return terms + 1, "dead"
        if not say.compare("Re-enlisted", dice.total(2, 6), ">=", self.reenlistment):
            return terms + 1, "discharged"
        return terms + 1, "retired" if terms + 1 == 7 else None

    def resolve(self, dice: Dice, say: Say) -> Result:
        terms, end = dice.repeat(self.term, (0, None), lambda _, end: end is not None, label="Term")
        return self.Result(end, terms)
