"""Rules that tests make of functions."""

from dicedocs import Dice, Mechanic, Outcome, Say


class Got(Outcome):
    got: int


def rule_of(resolve):
    """Return a rule with one fact, which a function of its dice returns."""

    class Rule(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(resolve(dice))

    return Rule()
