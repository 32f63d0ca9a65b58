"""Ember's dice: a blaze of d10s whose tens explode, and a crew that pulls together."""

from typing import Literal, NamedTuple

from dicedocs import Dice, Mechanic, Outcome, ParameterError, Say, fact, highest, param


class Blaze(Mechanic, id="ember/blaze"):
    """Throw d10s: each 8 or more is a hit, and each 10 is thrown again."""

    trait: int = param(default=5, low=0, high=20, help="how many d10s are thrown")
    cap: int = param(default=3, low=0, high=5, help="how often tens may be thrown again")

    class Result(Outcome):
        hits: int = fact(help="dice that show 8 or more")
        blaze: int = fact(help="dice that were thrown again")

    def resolve(self, dice: Dice, say: Say) -> Result:
        hits, tens = dice.tally(self.trait, 10, {8, 9, 10}, {10})
        if not tens or not self.cap:
            return self.Result(say.sum("Hits", hits), 0)
        again = dice.play(Blaze(trait=tens, cap=self.cap - 1), "The tens again")
        return self.Result(say.sum("Hits", hits, again=again.hits), say.sum("Thrown again", tens, again.blaze))


class Hand(NamedTuple):
    """One of a crew."""

    name: str
    skill: int
    tool: int = 0


class Haul(Mechanic, id="ember/haul"):
    """A crew hauls together: every hand throws a d6, the two best count, and skills and tools are added."""

    crew: tuple[Hand, ...] = param(example="Ash: skill 2; Bo: skill 1, tool 3", help="who hauls")
    weight: int = param(default=10, low=1, help="the total that is needed")
    mood: Literal["calm", "wild"] = param(default="calm", help="wild throws one die more and scratches it on a 1")
    note: str = param(default="", help="what is hauled")

    class Result(Outcome):
        success: bool
        total: int
        degree: Literal["dropped it", "held", "heaved"]

    def validate(self) -> None:
        if not self.crew:
            raise ParameterError("nobody hauls", hint="name at least one hand", parameter="crew")

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = dice.pool(*[6] * len(self.crew), keep=highest(2))
        bonus = 0
        if self.mood == "wild":
            wild = dice.each(6)
            if wild[0] == 1:
                wild.mark(0, "scratched", "The wild die")
            else:
                bonus = say.bound("The wild die", wild[0], high=3)
        best = max(hand.tool for hand in self.crew)
        skills = [(hand.name, hand.skill) for hand in self.crew]
        total = say.sum("Total", *faces, *skills, wild=bonus, tool=say.fact("Best tool", best))
        success = say.compare("Against the weight", total, ">=", self.weight)
        over = say.sum("Over", total, ("weight", -self.weight))
        degrees: dict[int | None, Literal["dropped it", "held", "heaved"]] = {
            None: "dropped it",
            0: "held",
            5: "heaved",
        }
        return self.Result(success, total, say.look_up("Degree", over, degrees))
