"""A turn of Pig, whose player chooses after each die: as lines of a page, and its odds by a recursion over the dice."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

MEAN_OF_20 = 8.14179
"""What a turn that holds at 20 comes to, as it is known of the game."""


def turn_of_pig(most: int) -> str:
    """Return the lines of a turn that nobody is asked about from some score on."""
    return f"""
score = 0
again = yes
repeat until not again
  die = 1d6
  score = 0 if die = 1, else score + die
  again = choose(yes, no) if die > 1 and score < {most}, else no
"""


@cache
def odds_of_holding(at: int, score: int = 0) -> Mapping[int, Fraction]:
    """Return how likely a turn comes to each score, if its player holds at one."""
    if score >= at:
        return {score: Fraction(1)}
    found: defaultdict[int, Fraction] = defaultdict(Fraction, {0: Fraction(1, 6)})
    for face in range(2, 7):
        for end, part in odds_of_holding(at, score + face).items():
            found[end] += part / 6
    return found
