"""The rules of the page "A rule with rounds"."""

from dicedocs import Decision, Dice, Mechanic, Outcome, Say, fact, highest, param


class Skirmish(Mechanic, id="rounds/skirmish"):
    """Each fighter throws a d6, and a 5 or 6 fells one of the others."""

    wolves: int = param(default=4, low=0, high=30, help="the wolves at first")
    guards: int = param(default=4, low=0, high=30, help="the guards at first")

    class Result(Outcome):
        held: bool = fact(help="whether a guard is left and no wolf")
        wolves: int = fact(help="the wolves left")
        guards: int = fact(help="the guards left")

    def round(self, dice: Dice, say: Say, wolves: int, guards: int) -> tuple[int, int]:
        bitten = say.throw("Wolves", dice.tally(wolves, 6, {5, 6}))
        struck = say.throw("Guards", dice.tally(guards, 6, {5, 6}))
        return max(0, wolves - struck), max(0, guards - bitten)

    def resolve(self, dice: Dice, say: Say) -> Result:
        wolves, guards = dice.repeat(
            self.round,
            (self.wolves, self.guards),
            until=lambda wolves, guards: wolves == 0 or guards == 0,
        )
        return self.Result(wolves == 0 < guards, wolves, guards)


class Pass(Mechanic, id="rounds/pass"):
    """Each day throw a d6: on a 3 you do a stage of the way, on a 6 two."""

    stages: int = param(default=6, low=1, high=20, help="the stages of the way")

    class Result(Outcome):
        days: int = fact(help="the days on the way")

    def day(self, dice: Dice, say: Say, done: int) -> tuple[int]:
        stages = say.look_up("Stages", dice.roll(6), {None: 0, 3: 1, 6: 2})
        return (min(done + stages, self.stages),)

    def resolve(self, dice: Dice, say: Say) -> Result:
        days, _ = dice.repeat(
            self.day,
            (0,),
            until=lambda done: done == self.stages,
            label="Day",
            count=True,
        )
        return self.Result(days)


class Craps(Mechanic, id="rounds/craps"):
    """Throw 2d6: 7 and 11 win, 2, 3 and 12 lose, any other total must come again before a 7."""

    class Result(Outcome):
        won: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        point = say.throw("First throw", dice.total(2, 6))
        if point in {2, 3, 7, 11, 12}:
            return self.Result(point in {7, 11})
        (last,) = dice.repeat(self.again, (0,), lambda last: last in {point, 7}, label="Throw")
        return self.Result(last == point)

    def again(self, dice: Dice, say: Say, last: int) -> tuple[int]:
        return (say.throw("Total", dice.total(2, 6)),)


class Push(Mechanic, id="rounds/push"):
    """Throw d6s; push, and what shows neither 6 nor 1 is thrown again."""

    pool: int = param(default=5, low=0, high=30, help="how many d6s are thrown")
    push: Decision = param(default="yes", help="whether you push")

    class Result(Outcome):
        sixes: int = fact(help="dice that show a 6")
        ones: int = fact(help="dice that show a 1")

    def resolve(self, dice: Dice, say: Say) -> Result:
        sixes, ones = dice.tally(self.pool, 6, {6}, {1})
        if not dice.choose(self.push, sixes=sixes, ones=ones):
            return self.Result(sixes, ones)
        rest = self.pool - sixes - ones
        more, worse = say.throw("Pushed", dice.tally(rest, 6, {6}, {1}))
        sixes = say.sum("Sixes", sixes, pushed=more)
        ones = say.sum("Ones", ones, pushed=worse)
        return self.Result(sixes, ones)


class Score(Mechanic, id="rounds/score"):
    """Throw 4d6 and add up the highest three."""

    class Result(Outcome):
        score: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.total(4, 6, keep=highest(3)))


class Hero(Mechanic, id="rounds/hero"):
    """Throw six scores."""

    class Result(Outcome):
        best: int = fact(help="the best of the scores")

    def ability(self, dice: Dice, say: Say, left: int, best: int) -> tuple[int, int]:
        score = dice.play(Score()).score
        return left - 1, say.fact("Best so far", max(best, score))

    def resolve(self, dice: Dice, say: Say) -> Result:
        _, best = dice.repeat(
            self.ability,
            (6, 0),
            until=lambda left, _: left == 0,
            label="Ability",
        )
        return self.Result(best)


class Duel(Mechanic, id="rounds/duel"):
    """Equal dice cancel out, and whoever has the highest die left wins."""

    ours: int = param(default=5, low=0, high=20, help="our d10s")
    theirs: int = param(default=4, low=0, high=20, help="their d10s")

    class Result(Outcome):
        margin: int = fact(help="the highest dice left: ours, or below 0 theirs")

    def resolve(self, dice: Dice, say: Say) -> Result:
        def decide(margin: int, _face: int, ours: int, theirs: int) -> int:
            return margin or ours - theirs

        pools = [10] * self.ours, [10] * self.theirs
        margin = dice.sweep(decide, 0, *pools, labels=("Ours", "Theirs"))
        return self.Result(margin)
