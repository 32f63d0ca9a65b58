"""Rules of known games as lines of a page, each beside a second statement of it in plain Python.

The second statement counts all dice, or reasons with fractions as the game's players would. It shares nothing with how
dicedocs plays or counts a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from textwrap import dedent
from typing import Any, Final, NamedTuple, TypeAlias

Odds: TypeAlias = dict[Any, Fraction]
"""The probability of each value of a fact, or of each combination of several facts."""
Ways: TypeAlias = Mapping[Any, int]
"""In how many equally probable ways each value comes up."""
MEANINGS: Final = ("success", "partial", "failure")
"""The options that say what words mean; all others are parameters."""


class Play(NamedTuple):
    """A play whose facts were worked out by hand.

    Parameters:
        dice: the faces in the order thrown.
        facts: the text of all facts.
        parameters: the parameters that differ from their defaults.
    """

    dice: str
    facts: str
    parameters: dict[str, Any] = {}  # noqa: RUF012 # read only


@dataclass(frozen=True, eq=False)
class KnownRule:
    """A rule of a known game.

    Parameters:
        id: the id of the mechanic.
        text: what stands in the directive: options, a blank line, and the lines of the rule.
        facts: the facts that ``odds`` is about.
        odds: the second statement: given the parameters, the probability of each value of the fact, or, of several
            facts, of each combination.
        settings: the parameters, all of them, with which odds are compared.
        plays: plays worked out by hand.
        open_ended: whether dice can explode for ever, so that ``odds`` states only some of the values.
    """

    id: str
    text: str
    facts: tuple[str, ...]
    odds: Callable[..., Odds]
    plays: tuple[Play, ...]
    settings: tuple[dict[str, Any], ...] = ({},)
    open_ended: bool = False

    @property
    def options(self) -> dict[str, str]:
        """The text of each option."""
        written = (line for line in self._written if line.startswith(":"))
        return {name: text.strip() for _, name, text in (line.split(":", 2) for line in written)}

    @property
    def parameters(self) -> dict[str, str]:
        """The text of the option of each parameter."""
        return {name: text for name, text in self.options.items() if name not in MEANINGS}

    @property
    def meanings(self) -> dict[str, str]:
        """The words that are a success, partial or a failure."""
        return {name: text for name, text in self.options.items() if name in MEANINGS}

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the rule, without its options."""
        return tuple(line for line in self._written if line and not line.startswith(":"))

    @property
    def _written(self) -> list[str]:
        return dedent(self.text).strip().split("\n")


KNOWN_RULES: Final[list[KnownRule]] = []


# How dice fall


def die(sides: int) -> Ways:
    """Return the faces of a die."""
    return dict.fromkeys(range(1, sides + 1), 1)


def throws(count: int, sides: int) -> Ways:
    """Return the throws of several dice, whose faces are in order of size."""
    return {
        faces: factorial(count) // prod(map(factorial, Counter(faces).values()))
        for faces in combinations_with_replacement(range(1, sides + 1), count)
    }


def sums(count: int, sides: int) -> Ways:
    """Return the totals of several dice."""
    totals = Counter({0: 1})
    for _ in range(count):
        longer = Counter[int]()
        for total, ways in totals.items():
            for face in range(1, sides + 1):
                longer[total + face] += ways
        totals = longer
    return totals


def odds_of(rule: Callable[..., Any], *thrown: Ways) -> Odds:
    """Return the odds of what a rule makes of throws that do not depend on one another."""
    found = Counter[Any]()
    for each in product(*(throw.items() for throw in thrown)):
        found[rule(*(value for value, _ in each))] += prod(ways for _, ways in each)
    whole = prod(sum(throw.values()) for throw in thrown)
    return {value: Fraction(ways, whole) for value, ways in found.items()}


def summed(parts: Iterable[tuple[Any, Fraction]]) -> Odds:
    """Return the odds of values, each of which may be reached in several ways."""
    found: Odds = {}
    for value, probability in parts:
        found[value] = found.get(value, Fraction(0)) + probability
    return found


def exploding(sides: int, below: int) -> Odds:
    """Return the probability of each value below a number of a die that is thrown again at its highest face."""
    return {
        sides * explosions + face: Fraction(1, sides) ** (explosions + 1)
        for explosions in range(below)
        for face in range(1, sides)
        if sides * explosions + face < below
    }


def binomial(count: int, probability: Fraction) -> Odds:
    """Return the odds of how many of several dice succeed."""
    return {
        hits: comb(count, hits) * probability**hits * (1 - probability) ** (count - hits) for hits in range(count + 1)
    }


# D&D and its relatives


def attack(bonus: int, ac: int, favor: str) -> Odds:
    # With 5 against 15 a plain attack hits on 10 or more, 11/20, and is a critical in 1/20.
    def damage(one: int, two: int, first: int, second: int) -> int:
        natural = {"none": one, "with": max(one, two), "without": min(one, two)}[favor]
        if natural == 20:  # a critical doubles the dice of the damage, not what is added
            return first + second + 3
        if natural == 1 or natural + bonus < ac:
            return 0
        return first + 3

    return odds_of(damage, die(20), die(20), die(8), die(8))


KNOWN_RULES.append(
    KnownRule(
        "dnd/attack",
        """
        :bonus: 5
        :ac: 15
        :favor: none / with / without

        roll = 2d20kh1 if favor = with, 2d20kl1 if favor = without, else 1d20
        critical = (roll = 20)
        hits = critical or roll + bonus >= ac and roll > 1
        damage = 2d8 + 3 if critical, 1d8 + 3 if hits, else 0
        """,
        facts=("damage",),
        odds=attack,
        settings=(
            {"bonus": 5, "ac": 15, "favor": "none"},
            {"bonus": 5, "ac": 15, "favor": "with"},
            {"bonus": 5, "ac": 15, "favor": "without"},
            {"bonus": 9, "ac": 10, "favor": "none"},  # a 1 misses although 10 is enough
            {"bonus": 0, "ac": 25, "favor": "with"},  # a 20 hits although 25 is out of reach
        ),
        plays=(
            Play("10 6", "roll=10, critical=false, hits=true, damage=9"),
            Play("9", "roll=9, critical=false, hits=false, damage=0"),
            Play("3 20 4 8", "roll=20, critical=true, hits=true, damage=15", {"favor": "with"}),
            Play("1 20", "roll=1, critical=false, hits=false, damage=0", {"favor": "without", "ac": 2}),
        ),
    )
)


def fireball(dc: int, bonus: int) -> Odds:
    # Mean of 8d6: 28. With 2 against 15 a save succeeds on 13 or more, 8/20.
    def damage(save: int, full: int) -> tuple[int, int]:
        return save + bonus, full // 2 if save + bonus >= dc else full

    return odds_of(damage, die(20), sums(8, 6))


KNOWN_RULES.append(
    KnownRule(
        "dnd/fireball",
        """
        :dc: 15
        :bonus: 2

        save = 1d20 + bonus
        full = 8d6
        damage = full / 2 if save >= dc, else full
        """,
        facts=("save", "damage"),
        odds=fireball,
        settings=({"dc": 15, "bonus": 2}, {"dc": 12, "bonus": 5}),
        plays=(
            Play("13 1 2 3 4 5 6 6 6", "save=15, full=33, damage=16"),
            Play("12 1 1 1 1 1 1 1 2", "save=14, full=9, damage=9"),
        ),
    )
)


def death_saves() -> Odds:
    # Known figures: dead 40.5%, stable 41.4%, awake 18.1%.
    @cache
    def ends(successes: int, failures: int) -> dict[str, Fraction]:
        if failures >= 3:
            return {"dead": Fraction(1)}
        if successes == 3:
            return {"stable": Fraction(1)}
        rolls = [
            (Fraction(1, 20), ends(successes, failures + 2)),  # 1
            (Fraction(8, 20), ends(successes, failures + 1)),  # 2 to 9
            (Fraction(10, 20), ends(successes + 1, failures)),  # 10 to 19
            (Fraction(1, 20), {"awake": Fraction(1)}),  # 20
        ]
        return summed((end, chance * later) for chance, ends in rolls for end, later in ends.items())

    return ends(0, 0)


KNOWN_RULES.append(
    KnownRule(
        "dnd/death-saves",
        """
        :success: awake, stable
        :failure: dead

        hit points = 0
        successes = 0
        failures = 0
        repeat until hit points = 1 or successes >= 3 or failures >= 3
          roll = 1d20
          hit points = 1 if roll = 20, else 0
          successes = successes + 1 if 10 <= roll <= 19, else successes
          failures = failures + 2 if roll = 1, failures + 1 if roll < 10, else failures
        result = "awake" if hit points = 1, "stable" if successes >= 3, else "dead"
        """,
        facts=("result",),
        odds=death_saves,
        plays=(
            Play("12 9 10 1", "hit_points=0, successes=2, failures=3, result=dead"),
            Play("10 2 19 9 10", "hit_points=0, successes=3, failures=2, result=stable"),
            Play("1 20", "hit_points=1, successes=0, failures=2, result=awake"),
        ),
    )
)


def ability() -> Odds:
    # 18 in 21 of 1296, 3 in 1 of 1296; mean 12.24.
    return odds_of(lambda faces: sum(faces[1:]), throws(4, 6))


KNOWN_RULES.append(
    KnownRule(
        "dnd/ability",
        """
        score = 4d6kh3
        modifier = score / 2 - 5
        """,
        facts=("score",),
        odds=ability,
        plays=(Play("5 2 6 3", "score=14, modifier=2"), Play("3 3 3 1", "score=9, modifier=-1")),
    )
)


def degrees_of_success(modifier: int, dc: int) -> Odds:
    # With 10 against 20: 1 is a critical failure, 2 to 9 fail, 10 to 19 succeed, 20 is a critical success.
    degrees = ["critical failure", "failure", "success", "critical success"]

    def degree(natural: int) -> str:
        total = natural + modifier
        if total >= dc + 10:
            reached = 3
        elif total >= dc:
            reached = 2
        elif total > dc - 10:
            reached = 1
        else:
            reached = 0
        if natural == 20:
            reached = min(reached + 1, 3)
        if natural == 1:
            reached = max(reached - 1, 0)
        return degrees[reached]

    return odds_of(degree, die(20))


KNOWN_RULES.append(
    KnownRule(
        "pathfinder/check",
        """
        :modifier: 7
        :dc: 18
        :success: critical success, success
        :failure: failure, critical failure

        roll = 1d20
        total = roll + modifier
        reached = 3 if total >= dc + 10, 2 if total >= dc, 0 if total <= dc - 10, else 1
        degree = reached + (roll = 20) - (roll = 1)
        result = degree: 0- critical failure, 1 failure, 2 success, 3+ critical success
        """,
        facts=("result",),
        odds=degrees_of_success,
        settings=(
            {"modifier": 10, "dc": 20},
            {"modifier": 12, "dc": 20},
            {"modifier": 7, "dc": 18},
            {"modifier": 0, "dc": 40},  # a 20 makes a failure of a critical failure
            {"modifier": 30, "dc": 20},  # a 1 makes a success of a critical success
        ),
        plays=(
            Play("11", "roll=11, total=18, reached=2, degree=2, result=success"),
            Play("20", "roll=20, total=27, reached=2, degree=3, result=critical success"),
            Play("1", "roll=1, total=8, reached=0, degree=-1, result=critical failure"),
            Play("20", "roll=20, total=20, reached=0, degree=1, result=failure", {"modifier": 0, "dc": 40}),
        ),
    )
)


def reaction(charisma: int) -> Odds:
    def mood(one: int, two: int) -> str:
        total = one + two + charisma
        if total <= 2:
            return "hostile"
        if total <= 5:
            return "unfriendly"
        if total <= 8:
            return "neutral"
        return "indifferent" if total <= 11 else "friendly"

    return odds_of(mood, die(6), die(6))


KNOWN_RULES.append(
    KnownRule(
        "osr/reaction",
        """
        :charisma: 0 (-2 to 2)

        total = 2d6 + charisma
        result = total: 2- hostile, 3-5 unfriendly, 6-8 neutral, 9-11 indifferent, 12+ friendly
        """,
        facts=("result",),
        odds=reaction,  # of 36 at 0: 1, 9, 16, 9, 1
        settings=({"charisma": 0}, {"charisma": -2}, {"charisma": 2}),
        plays=(
            Play("1 1", "total=2, result=hostile"),
            Play("3 2", "total=7, result=neutral", {"charisma": 2}),
            Play("6 6", "total=10, result=indifferent", {"charisma": -2}),
        ),
    )
)


def usage_die(die: int) -> Odds:
    smaller = {12: 10, 10: 8, 8: 6, 6: 4, 4: 0}
    left = {die: Fraction(1)}
    for _ in range(3):
        later: list[tuple[int, Fraction]] = []
        for size, chance in left.items():
            if size == 0:
                later.append((0, chance))
            else:  # a 1 or a 2 makes the die smaller
                later += [(smaller[size], chance * Fraction(2, size)), (size, chance * Fraction(size - 2, size))]
        left = summed(later)
    return {size: chance for size, chance in left.items() if chance}


KNOWN_RULES.append(
    KnownRule(
        "black-hack/usage-die",
        """
        :die: 6 (4 to 12)

        size = die
        repeat up to 3 times until size = 0
          roll = 1d[size]
          size = size if roll > 2, 0 if size = 4, else size - 2
        exhausted = (size = 0)
        """,
        facts=("size",),
        odds=usage_die,
        settings=({"die": 4}, {"die": 6}, {"die": 12}),
        plays=(
            Play("2 4 3", "size=4, exhausted=false"),
            Play("1 2", "size=0, exhausted=true"),
            Play("1 2 3", "size=8, exhausted=false", {"die": 12}),
        ),
    )
)


# Apocalypse World, Blades in the Dark, Ironsworn


def move(stat: int) -> Odds:
    # Known figures at 0: 10 or more in 1/6, 7 to 9 in 5/12, a miss in 5/12.
    def result(one: int, two: int) -> tuple[int, str]:
        total = one + two + stat
        return total, "strong hit" if total >= 10 else "weak hit" if total >= 7 else "miss"

    return odds_of(result, die(6), die(6))


KNOWN_RULES.append(
    KnownRule(
        "pbta/move",
        """
        :stat: 0 (-1 to 3)
        :success: strong hit
        :partial: weak hit
        :failure: miss

        total = 2d6 + stat
        result = total: 6- miss, 7-9 weak hit, 10+ strong hit
        """,
        facts=("total", "result"),
        odds=move,
        settings=tuple({"stat": stat} for stat in range(-1, 4)),
        plays=(
            Play("4 3", "total=8, result=weak hit", {"stat": 1}),
            Play("5 5", "total=10, result=strong hit"),
            Play("4 3", "total=6, result=miss", {"stat": -1}),
        ),
    )
)


def hack_and_slash(strength: int, die_of_class: int, armor: int, reckless: bool) -> Odds:
    def exchange(one: int, two: int, damage: int, extra: int, enemy: int) -> tuple[str, int, int]:
        total = one + two + strength
        suffered = max(enemy - armor, 0)
        if total >= 10:
            return ("strong hit", damage + extra, suffered) if reckless else ("strong hit", damage, 0)
        return ("weak hit", damage, suffered) if total >= 7 else ("miss", 0, 0)

    return odds_of(exchange, die(6), die(6), die(die_of_class), die(6), die(6))


KNOWN_RULES.append(
    KnownRule(
        "dungeon-world/hack-and-slash",
        """
        :strength: 1 (-1 to 3)
        :die of class: 10
        :armor: 1 (0 to 4)
        :reckless: no
        :success: strong hit
        :partial: weak hit
        :failure: miss

        total = 2d6 + strength
        result = total: 6- miss, 7-9 weak hit, 10+ strong hit
        more = reckless and total >= 10
        dealt = 1d[die of class] + 1d6 if more, 1d[die of class] if total >= 7, else 0
        suffered = max(1d6 - armor, 0) if more or 7 <= total <= 9, else 0
        """,
        facts=("result", "dealt", "suffered"),
        odds=hack_and_slash,
        settings=(
            {"strength": 1, "die_of_class": 4, "armor": 1, "reckless": False},
            {"strength": 2, "die_of_class": 8, "armor": 2, "reckless": True},
        ),
        plays=(
            Play("4 3 9 5", "total=8, result=weak hit, more=false, dealt=9, suffered=4"),
            Play("6 4 7", "total=11, result=strong hit, more=false, dealt=7, suffered=0"),
            Play("6 4 7 2 1", "total=11, result=strong hit, more=true, dealt=9, suffered=0", {"reckless": True}),
            Play("2 3", "total=6, result=miss, more=false, dealt=0, suffered=0"),
        ),
    )
)


def action_roll(rating: int) -> Odds:
    # Two dice are a critical in 1/36; one die fails in 1/2; no dice succeed fully in 1/36, never critically.
    def result(faces: tuple[int, ...]) -> str:
        best = max(faces) if rating else min(faces)
        if rating and faces.count(6) >= 2:
            return "critical"
        return "full" if best == 6 else "partial" if best >= 4 else "failure"

    return odds_of(result, throws(rating or 2, 6))


KNOWN_RULES.append(
    KnownRule(
        "blades/action",
        """
        :rating: 2 (0 to 6), the dots of the action
        :success: critical, full
        :partial: partial
        :failure: failure

        pool = [rating]d6 if rating > 0, else 2d6kl1
        best = highest(pool)
        critical = count(pool = 6) >= 2
        result = "critical" if critical, "full" if best = 6, "partial" if best >= 4, else "failure"
        """,
        facts=("result",),
        odds=action_roll,
        settings=tuple({"rating": rating} for rating in range(7)),
        plays=(
            Play("4 6", "best=6, critical=false, result=full"),
            Play("6 2 6", "best=6, critical=true, result=critical", {"rating": 3}),
            Play("6 6", "best=6, critical=false, result=full", {"rating": 0}),
            Play("3 5", "best=3, critical=false, result=failure", {"rating": 0}),
        ),
    )
)


def resistance(rating: int) -> Odds:
    # One die costs 0 to 5 stress, each in 1/6; two dice clear a stress in 1/36.
    def stress(faces: tuple[int, ...]) -> int:
        if rating and faces.count(6) >= 2:
            return -1
        return 6 - (max(faces) if rating else min(faces))

    return odds_of(stress, throws(rating or 2, 6))


KNOWN_RULES.append(
    KnownRule(
        "forged-in-the-dark/resistance",
        """
        :rating: 2 (0 to 4)

        pool = [rating]d6 if rating > 0, else 2d6kl1
        critical = count(pool = 6) >= 2
        stress = -1 if critical, else 6 - highest(pool)
        """,
        facts=("stress",),
        odds=resistance,
        settings=tuple({"rating": rating} for rating in range(5)),
        plays=(
            Play("2 5", "critical=false, stress=1"),
            Play("6 6", "critical=true, stress=-1"),
            Play("6 2", "critical=false, stress=4", {"rating": 0}),
        ),
    )
)


def ironsworn_move(stat: int, adds: int, momentum: int) -> Odds:
    # A match comes up in 1/10, whatever the action score.
    def result(action: int, one: int, two: int) -> tuple[str, int, bool]:
        if momentum < 0 and action == -momentum:  # negative momentum cancels the action die
            action = 0
        score = min(action + stat + adds, 10)
        hits = [score > challenge for challenge in (one, two)]
        burned = [hit or momentum > challenge for hit, challenge in zip(hits, (one, two), strict=True)]
        return ["miss", "weak hit", "strong hit"][sum(hits)], sum(burned), one == two

    return odds_of(result, die(6), die(10), die(10))


KNOWN_RULES.append(
    KnownRule(
        "ironsworn/move",
        """
        :stat: 2 (1 to 4)
        :adds: 0
        :momentum: 2 (-6 to 10)
        :success: strong hit
        :partial: weak hit
        :failure: miss

        action = 1d6
        counted = 0 if action = -momentum, else action
        score = min(counted + stat + adds, 10)
        challenge = 2d10
        beaten = count(challenge < score)
        beaten by burning = count(challenge < max(score, momentum))
        match = matches(challenge) = 2
        result = beaten: 0 miss, 1 weak hit, 2 strong hit
        """,
        facts=("result", "beaten_by_burning", "match"),
        odds=ironsworn_move,
        settings=(
            {"stat": 2, "adds": 0, "momentum": 2},
            {"stat": 3, "adds": 1, "momentum": -4},
            {"stat": 4, "adds": 3, "momentum": 10},
        ),
        plays=(
            Play("4 5 6", "action=4, counted=4, score=6, beaten=1, beaten_by_burning=1, match=false, result=weak hit"),
            Play(
                "3 7 7",
                "action=3, counted=3, score=5, beaten=0, beaten_by_burning=2, match=true, result=miss",
                {"momentum": 8},
            ),
            Play(
                "3 1 2",
                "action=3, counted=0, score=2, beaten=1, beaten_by_burning=1, match=false, result=weak hit",
                {"momentum": -3},
            ),
            Play(
                "6 9 9",
                "action=6, counted=6, score=10, beaten=2, beaten_by_burning=2, match=true, result=strong hit",
                {"stat": 4, "adds": 2},
            ),
        ),
    )
)


def ironsworn_progress(boxes: int) -> Odds:
    # A challenge die is below the boxes in (boxes - 1)/10: with 7 boxes a strong hit in 36%, a miss in 16%.
    below = Fraction(max(boxes - 1, 0), 10)
    odds = {"strong hit": below**2, "weak hit": 2 * below * (1 - below), "miss": (1 - below) ** 2}
    return {result: chance for result, chance in odds.items() if chance}


KNOWN_RULES.append(
    KnownRule(
        "ironsworn/progress",
        """
        :boxes: 7 (0 to 10)
        :success: strong hit
        :partial: weak hit
        :failure: miss

        beaten = count(2d10 < boxes)
        result = beaten: 0 miss, 1 weak hit, 2 strong hit
        """,
        facts=("result",),
        odds=ironsworn_progress,
        settings=tuple({"boxes": boxes} for boxes in (0, 1, 4, 7, 10)),
        plays=(Play("6 7", "beaten=1, result=weak hit"), Play("9 1", "beaten=2, result=strong hit", {"boxes": 10})),
    )
)


def lasers_and_feelings(number: int, approach: str, prepared: bool, expert: bool) -> Odds:
    # A lasers roll with number 4 and one die: 1 to 4 succeed, and 4 is laser feelings.
    def result(faces: tuple[int, ...]) -> tuple[str, bool]:
        hits = sum(face == number or (face < number) == (approach == "lasers") for face in faces)
        return ["failure", "barely", "success", "critical"][hits], number in faces

    return odds_of(result, throws(1 + prepared + expert, 6))


KNOWN_RULES.append(
    KnownRule(
        "lasers-and-feelings/roll",
        """
        :number: 4 (2 to 5)
        :approach: lasers / feelings
        :prepared: no
        :expert: no
        :success: success, critical
        :partial: barely
        :failure: failure

        pool = (1 + prepared + expert)d6
        exact = count(pool = number)
        hits = exact + (count(pool < number) if approach = lasers, else count(pool > number))
        insight = exact >= 1
        result = hits: 0 failure, 1 barely, 2 success, 3 critical
        """,
        facts=("result", "insight"),
        odds=lasers_and_feelings,
        settings=(
            {"number": 4, "approach": "lasers", "prepared": False, "expert": False},
            {"number": 2, "approach": "feelings", "prepared": True, "expert": False},
            {"number": 5, "approach": "lasers", "prepared": True, "expert": True},
        ),
        plays=(
            Play("4", "exact=1, hits=1, insight=true, result=barely"),
            Play(
                "5 4 6",
                "exact=1, hits=3, insight=true, result=critical",
                {"approach": "feelings", "prepared": True, "expert": True},
            ),
            Play("5 1", "exact=0, hits=1, insight=false, result=barely", {"expert": True}),
        ),
    )
)


# Pools of dice


def year_zero(rating: int, push: bool) -> Odds:
    # One die pushed: a six in 1/6 + 4/6 * 1/6 = 5/18.
    def sixes_and_ones(count: int) -> Odds:
        return odds_of(lambda faces: (faces.count(6), faces.count(1)), throws(count, 6))

    def pushed() -> Iterator[tuple[tuple[int, int], Fraction]]:
        for (sixes, ones), chance in sixes_and_ones(rating).items():
            if not push:  # ones hurt only those who push
                yield (sixes, 0), chance
                continue
            for (more_sixes, more_ones), later in sixes_and_ones(rating - sixes - ones).items():
                yield (sixes + more_sixes, ones + more_ones), chance * later

    return summed(pushed())


KNOWN_RULES.append(
    KnownRule(
        "year-zero/push",
        """
        :rating: 4 (1 to 20)
        :push: yes
        :success: success

        pool = [rating]d6
        left = rating - count(pool = 6) - count(pool = 1) if push, else 0
        again = [left]d6
        sixes = count(pool = 6) + count(again = 6)
        banes = count(pool = 1) + count(again = 1) if push, else 0
        success = sixes >= 1
        """,
        facts=("sixes", "banes"),
        odds=year_zero,
        settings=(
            {"rating": 1, "push": True},
            {"rating": 4, "push": True},
            {"rating": 4, "push": False},
            {"rating": 5, "push": True},
        ),
        plays=(
            Play("6 1 3 4 1 6", "left=2, sixes=2, banes=2, success=true"),
            Play("1 5 5 2", "left=0, sixes=0, banes=0, success=false", {"push": False}),
            Play("1 6", "left=0, sixes=1, banes=1, success=true", {"rating": 2}),
        ),
    )
)


PANIC = {
    7: "nervous twitch",
    8: "tremble",
    9: "drop item",
    10: "freeze",
    11: "seek cover",
    12: "scream",
    13: "flee",
    14: "go berserk",
    15: "catatonic",
}


def alien(rating: int, stress: int) -> Odds:
    def result(skill: tuple[int, ...], nerves: tuple[int, ...], panic: int) -> tuple[int, str]:
        sixes = skill.count(6) + nerves.count(6)
        if 1 not in nerves:
            return sixes, "calm"
        level = panic + stress
        return sixes, "keep it together" if level <= 6 else PANIC[min(level, 15)]

    return odds_of(result, throws(rating, 6), throws(stress, 6), die(6))


KNOWN_RULES.append(
    KnownRule(
        "alien/roll",
        """
        :rating: 4 (1 to 12)
        :stress: 1 (0 to 10)

        skill = [rating]d6
        nerves = [stress]d6
        sixes = count(skill = 6) + count(nerves = 6)
        panics = count(nerves = 1) >= 1
        level = 1d6 + stress if panics, else 0
        result = level: 0 calm, 1-6 keep it together, 7 nervous twitch, 8 tremble, 9 drop item, 10 freeze,
          11 seek cover, 12 scream, 13 flee, 14 go berserk, 15+ catatonic
        """,
        facts=("sixes", "result"),
        odds=alien,
        settings=({"rating": 4, "stress": 1}, {"rating": 3, "stress": 4}, {"rating": 2, "stress": 0}),
        plays=(
            Play("6 2 3 4 6", "sixes=2, panics=false, level=0, result=calm"),
            Play("6 2 3 4 1 5", "sixes=1, panics=true, level=6, result=keep it together"),
            Play("2 1 1 2 3 4 6 5", "sixes=1, panics=true, level=10, result=freeze", {"rating": 2, "stress": 5}),
        ),
    )
)


def storyteller(rating: int, difficulty: int) -> Odds:
    # One die at difficulty 6: success in 1/2, botch in 1/10.
    def result(faces: tuple[int, ...]) -> tuple[int, str]:
        successes = sum(face >= difficulty for face in faces)
        ones = faces.count(1)
        if successes > ones:
            return successes - ones, "success"
        return 0, "botch" if successes == 0 and ones else "failure"

    return odds_of(result, throws(rating, 10))


KNOWN_RULES.append(
    KnownRule(
        "storyteller/roll",
        """
        :rating: 5 (1 to 20)
        :difficulty: 6 (2 to 10)
        :success: success
        :failure: failure, botch

        pool = [rating]d10
        successes = count(pool >= difficulty)
        ones = count(pool = 1)
        net = max(successes - ones, 0)
        result = "botch" if successes = 0 and ones >= 1, "failure" if net = 0, else "success"
        """,
        facts=("net", "result"),
        odds=storyteller,
        settings=({"rating": 1, "difficulty": 6}, {"rating": 5, "difficulty": 6}, {"rating": 4, "difficulty": 8}),
        plays=(
            Play("6 10 1 5 7", "successes=3, ones=1, net=2, result=success"),
            Play("1 8 5 5 4", "successes=1, ones=1, net=0, result=failure"),
            Play("1 2 5 5 4", "successes=0, ones=1, net=0, result=botch"),
        ),
    )
)


def vampire(rating: int, hunger: int, difficulty: int) -> Odds:
    # Two dice without hunger: a critical (four successes) in 1/100.
    def result(plain: tuple[int, ...], red: tuple[int, ...]) -> tuple[int, str]:
        faces = plain + red
        pairs_of_tens = faces.count(10) // 2
        successes = sum(face >= 6 for face in faces) + 2 * pairs_of_tens
        if successes < difficulty:
            return successes, "bestial failure" if 1 in red else "failure"
        if pairs_of_tens:
            return successes, "messy critical" if 10 in red else "critical"
        return successes, "success"

    return odds_of(result, throws(max(rating - hunger, 0), 10), throws(min(rating, hunger), 10))


KNOWN_RULES.append(
    KnownRule(
        "vampire/roll",
        """
        :rating: 5 (1 to 12)
        :hunger: 1 (0 to 5)
        :difficulty: 2 (1 to 9)
        :success: critical, messy critical, success
        :failure: failure, bestial failure

        plain = (max(rating - hunger, 0))d10
        red = (min(rating, hunger))d10
        pool = plain + red
        tens = count(pool = 10)
        successes = count(pool >= 6) + tens / 2 * 2
        wins = successes >= difficulty
        critical = wins and tens >= 2
        result = "messy critical" if critical and count(red = 10) >= 1, "critical" if critical,
          "success" if wins, "bestial failure" if count(red = 1) >= 1, else "failure"
        """,
        facts=("successes", "result"),
        odds=vampire,
        settings=(
            {"rating": 2, "hunger": 0, "difficulty": 1},
            {"rating": 4, "hunger": 2, "difficulty": 3},
            {"rating": 3, "hunger": 5, "difficulty": 2},
        ),
        plays=(
            Play("10 6 2 3 10", "tens=2, successes=5, wins=true, critical=true, result=messy critical"),
            Play("10 10 10 3 1", "tens=3, successes=5, wins=true, critical=true, result=critical"),
            Play("6 5 5 5 1", "tens=0, successes=1, wins=false, critical=false, result=bestial failure"),
            Play("6 5 5 5 2", "tens=0, successes=1, wins=false, critical=false, result=failure"),
        ),
    )
)


def shadowrun(rating: int, threshold: int) -> Odds:
    # One die: a hit in 1/3, a critical glitch in 1/6.
    def result(faces: tuple[int, ...]) -> tuple[int, bool, str]:
        hits = sum(face >= 5 for face in faces)
        glitch = faces.count(1) > rating / 2  # more than half of the dice
        if glitch and hits == 0:
            return hits, glitch, "critical glitch"
        return hits, glitch, "success" if hits >= threshold else "failure"

    return odds_of(result, throws(rating, 6))


KNOWN_RULES.append(
    KnownRule(
        "shadowrun/test",
        """
        :rating: 8 (1 to 20)
        :threshold: 2 (1 to 10)
        :success: success
        :failure: failure, critical glitch

        pool = [rating]d6
        hits = count(pool >= 5)
        glitch = 2 * count(pool = 1) > rating
        result = "critical glitch" if glitch and hits = 0, "success" if hits >= threshold, else "failure"
        """,
        facts=("hits", "glitch", "result"),
        odds=shadowrun,
        settings=({"rating": 1, "threshold": 1}, {"rating": 5, "threshold": 2}, {"rating": 8, "threshold": 3}),
        plays=(
            Play("1 1 5 6", "hits=2, glitch=false, result=success", {"rating": 4}),
            Play("1 1 1 6", "hits=1, glitch=true, result=success", {"rating": 4, "threshold": 1}),
            Play("1 4 1", "hits=0, glitch=true, result=critical glitch", {"rating": 3}),
            Play("1 1 2 3 4 4 5 4", "hits=1, glitch=false, result=failure"),
        ),
    )
)


def one_roll(rating: int) -> Odds:
    # Known figures: five d10 have a set in 69.76%, ten d10 in 99.96%.
    return odds_of(lambda faces: max(Counter(faces).values()), throws(rating, 10))


KNOWN_RULES.append(
    KnownRule(
        "one-roll-engine/sets",
        """
        :rating: 5 (1 to 10)
        :success: success

        width = matches([rating]d10)
        success = width >= 2
        """,
        facts=("width",),
        odds=one_roll,
        settings=({"rating": 1}, {"rating": 2}, {"rating": 5}, {"rating": 6}),
        plays=(
            Play("7 3 7 1 7", "width=3, success=true"),
            Play("7 3 7 1 2", "width=2, success=true"),
            Play("1 2 3 4 5", "width=1, success=false"),
        ),
    )
)


def tricube(rating: int, difficulty: int) -> Odds:
    # Two dice at 5: both in 1/9, neither in 4/9, two ones in 1/36.
    def result(faces: tuple[int, ...]) -> str:
        passed = sum(face >= difficulty for face in faces)
        if set(faces) == {1}:
            return "critical failure"
        return "exceptional success" if passed >= 2 else "success" if passed else "failure"

    return odds_of(result, throws(rating, 6))


KNOWN_RULES.append(
    KnownRule(
        "tricube/challenge",
        """
        :rating: 2 (1 to 3)
        :difficulty: 5 (4 to 6)
        :success: success, exceptional success
        :failure: failure, critical failure

        pool = [rating]d6
        passed = count(pool >= difficulty)
        result = "critical failure" if count(pool = 1) = rating, "failure" if passed = 0,
          "success" if passed = 1, else "exceptional success"
        """,
        facts=("result",),
        odds=tricube,
        settings=({"rating": 1, "difficulty": 6}, {"rating": 2, "difficulty": 5}, {"rating": 3, "difficulty": 4}),
        plays=(
            Play("5 4", "passed=1, result=success"),
            Play("6 2 4", "passed=2, result=exceptional success", {"rating": 3, "difficulty": 4}),
            Play("1 1", "passed=0, result=critical failure"),
            Play("1 3", "passed=0, result=failure"),
        ),
    )
)


def two_four_xx(skill: int, helped: bool, hindered: bool) -> Odds:
    # A d6 alone: each result in 1/3.
    def result(own: int, help: int) -> str:
        best = max(own, help) if helped else own
        return "disaster" if best <= 2 else "setback" if best <= 4 else "success"

    return odds_of(result, die(4 if hindered else skill), die(6))


KNOWN_RULES.append(
    KnownRule(
        "two-four-xx/roll",
        """
        :skill: 6 (4 to 12)
        :helped: no
        :hindered: no
        :success: success
        :partial: setback
        :failure: disaster

        own = 1d4 if hindered, else 1d[skill]
        pool = own + 1d6 if helped, else own
        best = highest(pool)
        result = best: 1-2 disaster, 3-4 setback, 5+ success
        """,
        facts=("result",),
        odds=two_four_xx,
        settings=(
            {"skill": 6, "helped": False, "hindered": False},
            {"skill": 10, "helped": True, "hindered": False},
            {"skill": 8, "helped": False, "hindered": True},
            {"skill": 8, "helped": True, "hindered": True},
        ),
        plays=(
            Play("5", "best=5, result=success"),
            Play("2 4", "best=4, result=setback", {"helped": True}),
            Play("2", "best=2, result=disaster", {"hindered": True, "skill": 12}),
            Play("4 6", "best=6, result=success", {"hindered": True, "helped": True}),
        ),
    )
)


def cortex(traits: str) -> Odds:
    # Two d6: both ones in 1/36, total 12 in 1/36; nothing is left for the effect, which is then a d4.
    sizes = [int(size[1:]) for size in traits.split()]

    def result(*faces: int) -> tuple[int, int, int]:
        # Ones are hitches and count for nothing. The two highest make the total; of equals the larger die is left.
        usable = sorted(((face, -size) for face, size in zip(faces, sizes, strict=True) if face > 1), reverse=True)
        return sum(face for face, _ in usable[:2]), max([4, *(-size for _, size in usable[2:])]), faces.count(1)

    return odds_of(result, *map(die, sizes))


KNOWN_RULES.append(
    KnownRule(
        "cortex/test",
        """
        :traits: d8 d8 d10 d6

        pool = roll(traits)
        hitches = count(pool = 1)
        total = (pool)kh2k>1
        rest = (pool)dh2p1
        effect = max(sides(rest), 4)
        """,
        facts=("total", "effect", "hitches"),
        odds=cortex,
        settings=({"traits": "d4 d4 d8 d6"}, {"traits": "d6 d6"}, {"traits": "d4 d6 d12"}),
        plays=(
            Play("7 3 5 1", "hitches=1, total=12, effect=8"),
            Play("1 1 9 1", "hitches=3, total=9, effect=4"),
            Play("5 6 5 5", "hitches=0, total=11, effect=10"),
        ),
    )
)


def legend_of_the_five_rings(rolled: int, kept: int) -> Odds:
    # Whoever keeps a die of 25 or more has a total of 25 or more, so that lower totals consist of lower dice.
    low = exploding(10, below=25)
    totals = ((sum(sorted(faces)[-kept:]), prod(low[face] for face in faces)) for faces in product(low, repeat=rolled))
    return summed((total, chance) for total, chance in totals if total < 25)


KNOWN_RULES.append(
    KnownRule(
        "legend-of-the-five-rings/roll-and-keep",
        """
        :rolled: 5 (1 to 10)
        :kept: 3 (1 to 10)

        pool = [rolled]d10!!
        total = highest(pool, kept)
        """,
        facts=("total",),
        odds=legend_of_the_five_rings,
        open_ended=True,
        settings=({"rolled": 1, "kept": 1}, {"rolled": 2, "kept": 1}, {"rolled": 3, "kept": 2}),
        plays=(Play("10 4 7 2 9 3", "total=29"), Play("10 3 10 5", "total=25", {"rolled": 2, "kept": 1})),
    )
)


def genesys(ability: int, proficiency: int, boost: int, difficulty: int, challenge: int, setback: int) -> Odds:
    # The faces as the book prints them: s success, f failure, a advantage, t threat, T triumph, D despair.
    faces = {
        "ability": " s s ss a a sa aa",
        "proficiency": " s s ss ss a sa sa sa aa aa T",
        "boost": "  s sa aa a",
        "difficulty": " f ff t t t tt ft",
        "challenge": " f f ff ff t t ft ft tt tt D",
        "setback": "  f f t t",
    }
    counts = {
        "ability": ability,
        "proficiency": proficiency,
        "boost": boost,
        "difficulty": difficulty,
        "challenge": challenge,
        "setback": setback,
    }

    def result(*thrown: str) -> tuple[int, int, int, int]:
        symbols = "".join(thrown)
        good, bad = symbols.count("s") + symbols.count("T"), symbols.count("f") + symbols.count("D")
        return good - bad, symbols.count("a") - symbols.count("t"), symbols.count("T"), symbols.count("D")

    return odds_of(result, *(Counter(faces[kind].split(" ")) for kind, count in counts.items() for _ in range(count)))


KNOWN_RULES.append(
    KnownRule(
        "genesys/check",
        """
        :ability: 2 (0 to 5)
        :proficiency: 1 (0 to 5)
        :boost: 0 (0 to 5)
        :difficulty: 2 (0 to 5)
        :challenge: 0 (0 to 5)
        :setback: 0 (0 to 5)
        :success: succeeds

        green = [ability]d{-, success, success, success+success, advantage, advantage, success+advantage,
          advantage+advantage}
        yellow = [proficiency]d{-, success, success, success+success, success+success, advantage,
          success+advantage, success+advantage, success+advantage, advantage+advantage, advantage+advantage,
          success+triumph}
        blue = [boost]d{-, -, success, success+advantage, advantage+advantage, advantage}
        purple = [difficulty]d{-, failure, failure+failure, threat, threat, threat, threat+threat, failure+threat}
        red = [challenge]d{-, failure, failure, failure+failure, failure+failure, threat, threat,
          failure+threat, failure+threat, threat+threat, threat+threat, failure+despair}
        black = [setback]d{-, -, failure, failure, threat, threat}
        good = green + yellow + blue
        bad = purple + red + black
        successes = count(good = success) - count(bad = failure)
        advantages = count(good = advantage) - count(bad = threat)
        triumphs = count(yellow = triumph)
        despairs = count(red = despair)
        succeeds = successes >= 1
        """,
        facts=("successes", "advantages", "triumphs", "despairs"),
        odds=genesys,
        settings=tuple(
            dict(zip(("ability", "proficiency", "boost", "difficulty", "challenge", "setback"), pool, strict=True))
            for pool in ((1, 1, 0, 1, 0, 0), (1, 0, 2, 1, 1, 1), (0, 2, 0, 0, 2, 0), (1, 0, 0, 0, 0, 0))
        ),
        plays=(
            # success, two advantages, success and triumph; failure and threat, blank
            Play("2 8 12 8 1", "successes=1, advantages=1, triumphs=1, despairs=0, succeeds=true"),
            # one of each: two successes; blank; success and advantage; two failures; failure and despair; threat
            Play(
                "4 1 4 3 12 5",
                "successes=0, advantages=0, triumphs=0, despairs=1, succeeds=false",
                {"ability": 1, "boost": 1, "difficulty": 1, "challenge": 1, "setback": 1},
            ),
        ),
    )
)


def fate(skill: int, difficulty: int) -> Odds:
    # Of 81 throws of four Fate dice, 1, 4, 10, 16, 19, 16, 10, 4 and 1 make -4 to 4.
    def result(*faces: int) -> tuple[int, str]:
        shifts = sum(faces) + skill - difficulty
        if shifts < 0:
            return shifts, "fail"
        if shifts == 0:
            return shifts, "tie"
        return shifts, "success" if shifts <= 2 else "success with style"

    return odds_of(result, *[{-1: 1, 0: 1, 1: 1}] * 4)


KNOWN_RULES.append(
    KnownRule(
        "fate/action",
        """
        :skill: 2
        :difficulty: 1
        :success: success, success with style
        :partial: tie
        :failure: fail

        shifts = 4dF + skill - difficulty
        result = shifts: below 0 fail, 0 tie, 1-2 success, 3+ success with style
        """,
        facts=("shifts", "result"),
        odds=fate,
        settings=({"skill": 2, "difficulty": 1}, {"skill": 0, "difficulty": 4}),
        plays=(
            Play("3 3 2 1", "shifts=2, result=success"),
            Play("1 1 2 2", "shifts=-1, result=fail"),
            Play("1 2 2 2", "shifts=0, result=tie"),
            Play("3 3 2 2", "shifts=3, result=success with style"),
        ),
    )
)


# A number to roll under, or to reach


def call_of_cthulhu(skill: int, bonus: int) -> Odds:
    # Skill 50 without further dice: 1, 9, 15, 25, 49 and 1 in 100, from critical to fumble.
    def result(ones: int, tens: tuple[int, ...]) -> tuple[int, str]:
        # The faces are digits; 00 and 0 together are 100. A bonus die may lower the roll, a penalty die raise it.
        rolls = [10 * (face % 10) + ones % 10 or 100 for face in tens]
        roll = min(rolls) if bonus >= 0 else max(rolls)
        if roll == 1:
            return roll, "critical"
        if roll == 100 or (roll >= 96 and skill < 50):
            return roll, "fumble"
        if roll > skill:
            return roll, "failure"
        return roll, "extreme" if roll <= skill // 5 else "hard" if roll <= skill // 2 else "regular"

    return odds_of(result, die(10), throws(1 + abs(bonus), 10))


KNOWN_RULES.append(
    KnownRule(
        "coc/check",
        """
        :skill: 50 (1 to 99)
        :bonus: 0 (-2 to 2)
        :success: critical, extreme, hard, regular
        :failure: failure, fumble

        ones = 1d10
        tens = (1 + abs(bonus))d10
        others = (tens)p10
        low = lowest(tens) if ones = 10 or count(tens = 10) = 0, else 0
        high = highest(tens) if ones = 10, else highest(others)
        roll = 10 * (low if bonus >= 0, else high) + ones % 10
        level = "critical" if roll = 1, "fumble" if roll = 100 or roll >= 96 and skill < 50,
          "extreme" if roll <= skill / 5, "hard" if roll <= skill / 2,
          "regular" if roll <= skill, else "failure"
        """,
        facts=("roll", "level"),
        odds=call_of_cthulhu,
        settings=(
            {"skill": 50, "bonus": 0},
            {"skill": 50, "bonus": 1},
            {"skill": 49, "bonus": -2},
            {"skill": 80, "bonus": 2},
            {"skill": 30, "bonus": -1},
        ),
        plays=(
            Play("7 4", "ones=7, low=4, high=4, roll=47, level=regular", {"skill": 60}),
            Play("10 10", "ones=10, low=10, high=10, roll=100, level=fumble"),
            Play("1 10 3", "ones=1, low=0, high=3, roll=1, level=critical", {"bonus": 1}),
            Play("10 10 3", "ones=10, low=3, high=10, roll=30, level=regular", {"bonus": 1}),
            Play("8 10 9 2", "ones=8, low=0, high=9, roll=98, level=failure", {"bonus": -2}),
        ),
    )
)


def savage_worlds(die: int, modifier: int, target: int) -> Odds:
    # A d8 with a wild die fails at 4 in 3/8 * 3/6 = 18.75%, snake eyes included.
    def results() -> Iterator[tuple[tuple[int, str], Fraction]]:
        # The higher die is below 20 if both are, so that these totals are known whatever explodes further.
        for (trait, chance), (wild, other) in product(exploding(die, below=20).items(), exploding(6, below=20).items()):
            total = max(trait, wild) + modifier
            if trait == wild == 1:
                result = "critical failure"
            elif total < target:
                result = "failure"
            else:
                result = "raise" if total >= target + 4 else "success"
            yield (total, result), chance * other

    return summed(results())


KNOWN_RULES.append(
    KnownRule(
        "savage-worlds/trait",
        """
        :die: 8 (4 to 12)
        :modifier: 0
        :target: 4
        :success: success, raise
        :failure: failure, critical failure

        trait = 1d[die]!!
        wild = 1d6!!
        total = max(trait, wild) + modifier
        raises = (total - target) / 4 if total >= target, else 0
        result = "critical failure" if trait = 1 and wild = 1, "failure" if total < target,
          "raise" if raises >= 1, else "success"
        """,
        facts=("total", "result"),
        odds=savage_worlds,
        open_ended=True,
        settings=(
            {"die": 8, "modifier": 0, "target": 4},
            {"die": 4, "modifier": 2, "target": 4},
            {"die": 12, "modifier": -2, "target": 6},
        ),
        plays=(
            Play("8 3 2", "trait=11, wild=2, total=11, raises=1, result=raise"),
            Play("2 6 6 1", "trait=2, wild=13, total=13, raises=2, result=raise"),
            Play("7 5", "trait=7, wild=5, total=7, raises=0, result=success"),
            Play("2 3", "trait=2, wild=3, total=3, raises=0, result=failure"),
            Play("1 1", "trait=1, wild=1, total=5, raises=0, result=critical failure", {"modifier": 4}),
        ),
    )
)


def kids_on_bikes(die: int, tokens: int, difficulty: int) -> Odds:
    def results() -> Iterator[tuple[tuple[int, bool], Fraction]]:
        for roll, chance in exploding(die, below=30).items():
            yield (roll + tokens, roll + tokens >= difficulty), chance

    return summed(results())


KNOWN_RULES.append(
    KnownRule(
        "kids-on-bikes/check",
        """
        :die: 10 (4 to 20)
        :tokens: 0 (0 to 20)
        :difficulty: 9
        :success: success

        total = 1d[die]!! + tokens
        success = total >= difficulty
        """,
        facts=("total", "success"),
        odds=kids_on_bikes,
        open_ended=True,
        settings=({"die": 10, "tokens": 0, "difficulty": 9}, {"die": 4, "tokens": 3, "difficulty": 12}),
        plays=(
            Play("8", "total=9, success=true", {"tokens": 1}),
            Play("8", "total=8, success=false"),
            Play("10 10 2", "total=22, success=true"),
        ),
    )
)


CALM_AND_PANIC = [
    "calm",
    "adrenaline rush",
    "nervous",
    "jumpy",
    "overwhelmed",
    "cowardice",
    "frightened",
    "nightmares",
    "loss of confidence",
    "deflated",
    "doomed",
    "suspicious",
    "haunted",
    "death wish",
    "prophetic vision",
    "catatonic",
    "rage",
    "spiraling",
    "compounding problems",
    "heart attack",
    "retirement",
]


def mothership_panic(stress: int) -> Odds:
    odds = {CALM_AND_PANIC[roll]: Fraction(1, 20) for roll in range(1, stress + 1)}
    return odds | ({"calm": Fraction(20 - stress, 20)} if stress < 20 else {})


KNOWN_RULES.append(
    KnownRule(
        "mothership/panic",
        """
        :stress: 2 (0 to 20)

        roll = 1d20
        panics = roll <= stress
        effect = roll if panics, else 0
        result = effect: 0 calm, 1 adrenaline rush, 2 nervous, 3 jumpy, 4 overwhelmed, 5 cowardice, 6 frightened,
          7 nightmares, 8 loss of confidence, 9 deflated, 10 doomed, 11 suspicious, 12 haunted, 13 death wish,
          14 prophetic vision, 15 catatonic, 16 rage, 17 spiraling, 18 compounding problems, 19 heart attack,
          20 retirement
        """,
        facts=("result",),
        odds=mothership_panic,
        settings=({"stress": 0}, {"stress": 2}, {"stress": 9}, {"stress": 20}),
        plays=(
            Play("5", "roll=5, panics=true, effect=5, result=cowardice", {"stress": 5}),
            Play("6", "roll=6, panics=false, effect=0, result=calm", {"stress": 5}),
        ),
    )
)


def mothership_check(target: int, favor: str) -> Odds:
    # Without favor at 40: 00, 11, 22 and 33 are critical successes, 44 to 99 critical failures: 4, 36, 54, 6 in 100.
    order = ["critical failure", "failure", "success", "critical success"]

    def result(percentile: int) -> str:
        roll = percentile - 1  # 00 to 99
        succeeds = roll < target and roll < 90
        doubles = f"{roll:02}"[0] == f"{roll:02}"[1]
        return ("critical " if doubles else "") + ("success" if succeeds else "failure")

    def chosen(one: int, two: int) -> str:
        both = sorted([result(one), result(two)], key=order.index)
        return {"none": result(one), "with": both[1], "without": both[0]}[favor]

    return odds_of(chosen, die(100), die(100))


KNOWN_RULES.append(
    KnownRule(
        "mothership/check",
        """
        :target: 40 (1 to 99)
        :favor: none / with / without
        :success: success, critical success
        :failure: failure, critical failure

        one = 1d100 - 1
        two = 1d100 - 1 if favor != none, else one
        first = (1 if one < target and one < 90, else -1) * (2 if one / 10 = one % 10, else 1)
        second = (1 if two < target and two < 90, else -1) * (2 if two / 10 = two % 10, else 1)
        rank = max(first, second) if favor = with, else min(first, second)
        result = "critical success" if rank = 2, "success" if rank = 1, "failure" if rank = -1, else "critical failure"
        """,
        facts=("result",),
        odds=mothership_check,
        settings=(
            {"target": 40, "favor": "none"},
            {"target": 40, "favor": "with"},
            {"target": 35, "favor": "without"},
            {"target": 95, "favor": "with"},
        ),
        plays=(
            Play("38", "one=37, two=37, first=1, second=1, rank=1, result=success"),
            Play("1", "one=0, two=0, first=2, second=2, rank=2, result=critical success"),
            Play("78", "one=77, two=77, first=-2, second=-2, rank=-2, result=critical failure"),
            Play("6 34", "one=5, two=33, first=1, second=2, rank=2, result=critical success", {"favor": "with"}),
            Play("6 93", "one=5, two=92, first=1, second=-1, rank=-1, result=failure", {"favor": "without"}),
        ),
    )
)


def delta_green(skill: int) -> Odds:
    # At 50: 01, 11, 22, 33 and 44 are critical, 55 to 99 and 00 fumbles: 5, 45, 44 and 6 in 100.
    def result(roll: int) -> str:
        matching = roll in (1, 100) or roll in range(11, 100, 11)
        if roll <= skill:
            return "critical success" if matching else "success"
        return "fumble" if matching else "failure"

    return odds_of(result, die(100))


KNOWN_RULES.append(
    KnownRule(
        "delta-green/test",
        """
        :skill: 50 (1 to 99)
        :success: success, critical success
        :failure: failure, fumble

        roll = 1d100
        matching = roll = 1 or roll = 100 or roll / 10 = roll % 10
        made = roll <= skill
        result = "critical success" if made and matching, "success" if made, "fumble" if matching, else "failure"
        """,
        facts=("result",),
        odds=delta_green,
        settings=({"skill": 50}, {"skill": 1}, {"skill": 99}),
        plays=(
            Play("33", "roll=33, matching=true, made=true, result=critical success"),
            Play("1", "roll=1, matching=true, made=true, result=critical success"),
            Play("55", "roll=55, matching=true, made=false, result=fumble"),
            Play("51", "roll=51, matching=false, made=false, result=failure"),
            Play("100", "roll=100, matching=true, made=false, result=fumble"),
        ),
    )
)


def gurps(skill: int) -> Odds:
    # Known figures: success at skill 10 in 50%; critical at 3 or 4, 4 of 216.
    def result(roll: int) -> str:
        if roll <= 4 or (roll == 5 and skill >= 15) or (roll == 6 and skill >= 16):
            return "critical success"
        if roll == 18 or (roll == 17 and skill <= 15) or roll >= skill + 10:
            return "critical failure"
        return "success" if roll <= skill and roll < 17 else "failure"

    return odds_of(result, sums(3, 6))


KNOWN_RULES.append(
    KnownRule(
        "gurps/success-roll",
        """
        :skill: 12 (3 to 20)
        :success: success, critical success
        :failure: failure, critical failure

        roll = 3d6
        margin = skill - roll
        critical = roll <= 4 or roll = 5 and skill >= 15 or roll = 6 and skill >= 16
        blunder = roll = 18 or roll = 17 and skill <= 15 or margin <= -10
        result = "critical success" if critical, "critical failure" if blunder,
          "success" if margin >= 0 and not roll = 17, else "failure"
        """,
        facts=("result",),
        odds=gurps,
        settings=tuple({"skill": skill} for skill in (3, 6, 10, 14, 15, 16, 20)),
        plays=(
            Play("4 4 4", "roll=12, margin=0, critical=false, blunder=false, result=success"),
            Play("1 2 2", "roll=5, margin=10, critical=true, blunder=false, result=critical success", {"skill": 15}),
            Play("6 6 5", "roll=17, margin=1, critical=false, blunder=false, result=failure", {"skill": 18}),
            Play("6 5 5", "roll=16, margin=-10, critical=false, blunder=true, result=critical failure", {"skill": 6}),
        ),
    )
)


def dragonbane(skill: int, favor: str) -> Odds:
    # A boon makes a dragon in 39/400, a bane in 1/400.
    def result(one: int, two: int) -> str:
        roll = {"none": one, "boon": min(one, two), "bane": max(one, two)}[favor]
        if roll in (1, 20):
            return "dragon" if roll == 1 else "demon"
        return "success" if roll <= skill else "failure"

    return odds_of(result, die(20), die(20))


KNOWN_RULES.append(
    KnownRule(
        "dragonbane/roll",
        """
        :skill: 12 (1 to 18)
        :favor: none / boon / bane
        :success: dragon, success
        :failure: failure, demon

        roll = 2d20kl1 if favor = boon, 2d20kh1 if favor = bane, else 1d20
        result = "dragon" if roll = 1, "demon" if roll = 20, "success" if roll <= skill, else "failure"
        """,
        facts=("result",),
        odds=dragonbane,
        settings=tuple({"skill": 12, "favor": favor} for favor in ("none", "boon", "bane")),
        plays=(
            Play("12", "roll=12, result=success"),
            Play("20 1", "roll=1, result=dragon", {"favor": "boon"}),
            Play("3 13", "roll=13, result=failure", {"favor": "bane"}),
            Play("20", "roll=20, result=demon"),
        ),
    )
)


def pendragon(mine: int, theirs: int) -> Odds:
    def level(roll: int, skill: int) -> tuple[int, int]:
        # A roll of exactly the skill is a critical; above 20, what the skill has more is added to the roll.
        roll = min(roll + max(skill - 20, 0), 20)
        if roll == skill or (roll == 20 and skill > 20):
            return 2, 0  # one critical is as good as another
        return (1, roll) if roll < skill else (0, 0)

    def result(one: int, two: int) -> str:
        me, they = level(one, mine), level(two, theirs)
        if me == they:
            return "tie" if me[0] else "both fail"
        return "win" if me > they else "loss"

    return odds_of(result, die(20), die(20))


KNOWN_RULES.append(
    KnownRule(
        "pendragon/opposed",
        """
        :mine: 15 (1 to 30)
        :theirs: 12 (1 to 30)
        :success: win
        :partial: tie
        :failure: loss, both fail

        me = min(1d20 + max(mine - 20, 0), 20)
        they = min(1d20 + max(theirs - 20, 0), 20)
        my rank = 0 if me > mine, 100 if me = mine or me = 20, else me
        their rank = 0 if they > theirs, 100 if they = theirs or they = 20, else they
        result = "win" if my rank > their rank, "loss" if my rank < their rank, "both fail" if my rank = 0, else "tie"
        """,
        facts=("result",),
        odds=pendragon,
        settings=tuple({"mine": mine, "theirs": theirs} for mine, theirs in ((15, 12), (22, 18), (20, 30), (1, 1))),
        plays=(
            Play("14 9", "me=14, they=9, my_rank=14, their_rank=9, result=win"),
            Play("14 12", "me=14, they=12, my_rank=14, their_rank=100, result=loss"),
            Play("16 13", "me=16, they=13, my_rank=0, their_rank=0, result=both fail"),
            Play("18 19", "me=20, they=19, my_rank=100, their_rank=0, result=win", {"mine": 22, "theirs": 18}),
            Play("7 7", "me=7, they=7, my_rank=7, their_rank=7, result=tie"),
        ),
    )
)


def mythras(mine: int, theirs: int) -> Odds:
    def level(roll: int, skill: int) -> int:
        if roll <= -(-skill // 10) and roll < 96:  # a tenth of the skill, rounded up
            return 3
        if roll <= 5 or (roll <= skill and roll <= 95):
            return 2
        return 1 if roll < 99 else 0  # 99 and 00 are fumbles

    def result(one: int, two: int) -> str:
        me, they = level(one, mine), level(two, theirs)
        if me < 2 and they < 2:
            return "both fail"
        if me == they:  # of equal successes the higher roll wins
            return "win" if one > two else "loss" if one < two else "tie"
        return "win" if me > they else "loss"

    return odds_of(result, die(100), die(100))


KNOWN_RULES.append(
    KnownRule(
        "mythras/opposed",
        """
        :mine: 60 (1 to 100)
        :theirs: 45 (1 to 100)
        :success: win
        :partial: tie
        :failure: loss, both fail

        me = 1d100
        they = 1d100
        my level = 3 if me <= ceil(mine / 10), 2 if me <= 5 or me <= min(mine, 95), 0 if me >= 99, else 1
        their level = 3 if they <= ceil(theirs / 10), 2 if they <= 5 or they <= min(theirs, 95), 0 if they >= 99, else 1
        me first = my level > their level or my level = their level and me > they
        level = max(my level, their level)
        result = "both fail" if level < 2, "tie" if my level = their level and me = they,
          "win" if me first, else "loss"
        """,
        facts=("result",),
        odds=mythras,
        settings=({"mine": 96, "theirs": 41}, {"mine": 3, "theirs": 100}),
        plays=(
            Play("40 30", "me=40, they=30, my_level=2, their_level=2, me_first=true, level=2, result=win"),
            Play("40 5", "me=40, they=5, my_level=2, their_level=3, me_first=false, level=3, result=loss"),
            Play("99 46", "me=99, they=46, my_level=0, their_level=1, me_first=false, level=1, result=both fail"),
            Play("20 20", "me=20, they=20, my_level=2, their_level=2, me_first=false, level=2, result=tie"),
        ),
    )
)


def mage(skill: int, bonus: int, penalty: int, favor: str) -> Odds:
    # Of 216 throws of 3d6, 10 are 5 or less and 10 are 16 or more.
    def result(total: int) -> tuple[int, str]:
        target = skill + bonus - penalty
        if total <= 5:
            return target - total, "critical success"
        if total >= 16:
            return target - total, "critical failure"
        return target - total, "success" if total < target else "failure"

    return odds_of(result, sums({"none": 3, "with": 2, "without": 4}[favor], 6))


KNOWN_RULES.append(
    KnownRule(
        "mage/check",
        """
        :skill: 20
        :bonus: 4
        :penalty: 10
        :favor: none / with / without
        :success: critical success, success
        :failure: failure, critical failure

        target number = skill + bonus - penalty
        number = 2 if favor = with, 4 if favor = without, else 3
        total = [number]d6
        result = "critical success" if total <= 5, "critical failure" if total >= 16,
          "success" if total < target number, else "failure"
        difference = target number - total
        """,
        facts=("difference", "result"),
        odds=mage,
        settings=(
            {"skill": 20, "bonus": 4, "penalty": 10, "favor": "none"},
            {"skill": 20, "bonus": 4, "penalty": 10, "favor": "with"},
            {"skill": 12, "bonus": 0, "penalty": 0, "favor": "without"},
            {"skill": 4, "bonus": 0, "penalty": 1, "favor": "none"},
        ),
        plays=(
            Play("4 5 4", "target_number=14, number=3, total=13, result=success, difference=1"),
            Play("4 5 5", "target_number=14, number=3, total=14, result=failure, difference=0"),
            Play(
                "1 2",
                "target_number=2, number=2, total=3, result=critical success, difference=-1",
                {"skill": 12, "bonus": 0, "favor": "with"},
            ),
            Play(
                "4 4 4 4",
                "target_number=30, number=4, total=16, result=critical failure, difference=14",
                {"skill": 36, "favor": "without"},
            ),
        ),
    )
)


def traveller(dm: int, edge: str) -> Odds:
    # 8 or more on 2d6 in 15/36.
    def result(faces: tuple[int, ...]) -> tuple[int, str]:
        roll = {"none": sum(faces), "boon": sum(faces[-2:]), "bane": sum(faces[:2])}[edge]
        effect = roll + dm - 8
        if effect >= 0:
            degree = "exceptional success" if effect >= 6 else "average success" if effect else "marginal success"
        else:
            degree = "exceptional failure" if effect <= -6 else "average failure" if effect < -1 else "marginal failure"
        return effect, degree

    return odds_of(result, throws(2 if edge == "none" else 3, 6))


KNOWN_RULES.append(
    KnownRule(
        "traveller/task",
        """
        :dm: 1
        :edge: none / boon / bane
        :success: marginal success, average success, exceptional success
        :failure: marginal failure, average failure, exceptional failure

        roll = 3d6kh2 if edge = boon, 3d6kl2 if edge = bane, else 2d6
        effect = roll + dm - 8
        result = effect: -6 or less exceptional failure, -5 to -2 average failure, -1 marginal failure,
          0 marginal success, 1-5 average success, 6+ exceptional success
        """,
        facts=("effect", "result"),
        odds=traveller,
        settings=({"dm": 0, "edge": "none"}, {"dm": 4, "edge": "boon"}, {"dm": -3, "edge": "bane"}),
        plays=(
            Play("4 3", "roll=7, effect=0, result=marginal success"),
            Play("1 1", "roll=2, effect=-5, result=average failure"),
            Play("6 1 5", "roll=11, effect=4, result=average success", {"edge": "boon"}),
            Play("2 6 1", "roll=3, effect=-7, result=exceptional failure", {"edge": "bane", "dm": -2}),
            Play("3 3", "roll=6, effect=-1, result=marginal failure"),
        ),
    )
)


def cepheus(skill: int, difficulty: str) -> Odds:
    # An average task without skill succeeds in 15/36, a formidable one with skill 2 in 1/36.
    modifiers = {"easy": 4, "routine": 2, "average": 0, "difficult": -2, "very difficult": -4, "formidable": -6}

    def success(one: int, two: int) -> bool:
        return one + two + skill + modifiers[difficulty] >= 8

    return odds_of(success, die(6), die(6))


KNOWN_RULES.append(
    KnownRule(
        "cepheus/task",
        """
        :skill: 0 (-3 to 5)
        :difficulty: average / easy / routine / difficult / very difficult / formidable
        :success: success

        modifier = 4 if difficulty = easy, 2 if difficulty = routine, -2 if difficulty = difficult,
          -4 if difficulty = "very difficult", -6 if difficulty = formidable, else 0
        total = 2d6 + skill + modifier
        success = total >= 8
        """,
        facts=("success",),
        odds=cepheus,
        settings=(
            {"skill": 0, "difficulty": "average"},
            {"skill": -3, "difficulty": "easy"},
            {"skill": 1, "difficulty": "routine"},
            {"skill": 3, "difficulty": "very difficult"},
            {"skill": 2, "difficulty": "formidable"},
            {"skill": 5, "difficulty": "difficult"},
        ),
        plays=(
            Play("4 4", "modifier=0, total=8, success=true"),
            Play("5 3", "modifier=-4, total=6, success=false", {"skill": 2, "difficulty": "very difficult"}),
            Play("2 2", "modifier=4, total=8, success=true", {"difficulty": "easy"}),
        ),
    )
)


def cyberpunk(base: int, dv: int) -> Odds:
    # 10 against 15: 6 to 9 succeed, and 10 with whatever follows: 5/10.
    def result(first: int, second: int) -> tuple[int, bool]:
        total = base + first
        if first == 10:
            total += second
        if first == 1:
            total -= second
        return total, total > dv  # a tie is not enough

    return odds_of(result, die(10), die(10))


KNOWN_RULES.append(
    KnownRule(
        "cyberpunk-red/check",
        """
        :base: 10 (0 to 20), stat and skill
        :dv: 15
        :success: success

        first = 1d10
        second = 1d10 if first = 10, -1d10 if first = 1, else 0
        total = base + first + second
        success = total > dv
        """,
        facts=("total", "success"),
        odds=cyberpunk,
        settings=({"base": 10, "dv": 15}, {"base": 14, "dv": 29}),
        plays=(
            Play("5", "first=5, second=0, total=15, success=false"),
            Play("10 10", "first=10, second=10, total=30, success=true"),
            Play("1 4", "first=1, second=-4, total=7, success=false"),
        ),
    )
)


def cypher(level: int, eased: int) -> Odds:
    # Level 4 is reached with 12 or more, 9/20: seven plain successes, a minor and a major effect.
    def result(roll: int) -> str:
        if roll == 1:
            return "intrusion"
        if roll < 3 * max(level - eased, 0):
            return "failure"
        return {19: "minor effect", 20: "major effect"}.get(roll, "success")

    return odds_of(result, die(20))


KNOWN_RULES.append(
    KnownRule(
        "cypher/task",
        """
        :level: 4 (0 to 10)
        :eased: 0 (0 to 6)
        :success: success, minor effect, major effect
        :failure: failure, intrusion

        target = 3 * max(level - eased, 0)
        roll = 1d20
        reached = roll >= target
        result = "intrusion" if roll = 1, "failure" if not reached, "major effect" if roll = 20,
          "minor effect" if roll = 19, else "success"
        """,
        facts=("result",),
        odds=cypher,
        settings=({"level": 4, "eased": 0}, {"level": 7, "eased": 0}, {"level": 2, "eased": 3}),
        plays=(
            Play("12", "target=12, roll=12, reached=true, result=success"),
            Play("8", "target=9, roll=8, reached=false, result=failure", {"eased": 1}),
            Play("20", "target=21, roll=20, reached=false, result=failure", {"level": 7}),
            Play("19", "target=12, roll=19, reached=true, result=minor effect"),
            Play("1", "target=0, roll=1, reached=true, result=intrusion", {"level": 0}),
        ),
    )
)


# Fights and games of chance


def warhammer(attacks: int, skill: int, strength: int, toughness: int, save: int, ap: int) -> Odds:
    # One attack that hits on 3, wounds on 4 and is saved on 5: 2/3 * 1/2 * 2/3 = 2/9.
    if strength >= 2 * toughness:
        need = 2
    elif strength > toughness:
        need = 3
    elif strength == toughness:
        need = 4
    elif 2 * strength > toughness:
        need = 5
    else:
        need = 6
    hit, wound, saved = (max(Fraction(7 - number, 6), Fraction(0)) for number in (skill, need, save + ap))

    def sequences() -> Iterator[tuple[tuple[int, int, int], Fraction]]:
        for hits, first in binomial(attacks, hit).items():
            for wounds, second in binomial(hits, wound).items():
                for unsaved, third in binomial(wounds, 1 - saved).items():
                    if third:
                        yield (hits, wounds, unsaved), first * second * third

    return summed(sequences())


KNOWN_RULES.append(
    KnownRule(
        "warhammer-40000/attack",
        """
        :attacks: 4 (1 to 40)
        :skill: 3 (2 to 6)
        :strength: 4 (1 to 20)
        :toughness: 4 (1 to 14)
        :save: 5 (2 to 7)
        :ap: 0 (0 to 6)

        hit rolls = [attacks]d6
        hits = count(hit rolls >= skill)
        need = 2 if strength >= 2 * toughness, 3 if strength > toughness, 4 if strength = toughness,
          5 if 2 * strength > toughness, else 6
        wound rolls = [hits]d6
        wounds = count(wound rolls >= need)
        saves = [wounds]d6
        unsaved = count(saves < save + ap)
        """,
        facts=("hits", "wounds", "unsaved"),
        odds=warhammer,
        settings=tuple(
            dict(zip(("attacks", "skill", "strength", "toughness", "save", "ap"), values, strict=True))
            for values in (
                (1, 3, 4, 4, 5, 0),
                (4, 3, 8, 4, 3, 1),
                (5, 4, 5, 4, 2, 0),
                (3, 2, 3, 5, 5, 2),
                (3, 2, 3, 6, 4, 0),
            )
        ),
        plays=(
            Play("3 2 6 5 4 1 6 4 5", "hits=3, need=4, wounds=2, unsaved=1"),
            Play("1 2 1 2", "hits=0, need=4, wounds=0, unsaved=0"),
            Play("3 2 6", "hits=1, need=2, wounds=1, unsaved=1", {"attacks": 1, "strength": 9, "ap": 2}),
        ),
    )
)


def risk(attackers: int, defenders: int) -> Odds:
    # Known figures of three dice against two: both armies lost by the defender in 2890, one each in 2611, both by the
    # attacker in 2275 of 7776. One against one: the attacker wins 15 of 36.
    def losses(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[int, int]:
        pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
        lost_by_defender = sum(one > other for one, other in pairs)
        return lost_by_defender, len(pairs) - lost_by_defender

    return odds_of(losses, throws(attackers, 6), throws(defenders, 6))


KNOWN_RULES.append(
    KnownRule(
        "risk/battle",
        """
        :attackers: 3 (1 to 3)
        :defenders: 2 (1 to 2)

        attack = [attackers]d6
        defence = [defenders]d6
        pairs = min(attackers, defenders)
        first = highest(attack) > highest(defence)
        second = pairs = 2 and highest(attack, 2) - highest(attack) > highest(defence, 2) - highest(defence)
        defender loses = first + second
        attacker loses = pairs - defender loses
        """,
        facts=("defender_loses", "attacker_loses"),
        odds=risk,
        settings=tuple(
            {"attackers": attackers, "defenders": defenders} for attackers in (1, 2, 3) for defenders in (1, 2)
        ),
        plays=(
            Play("2 6 4 5 4", "pairs=2, first=true, second=false, defender_loses=1, attacker_loses=1"),
            Play(
                "5 3 5",
                "pairs=1, first=false, second=false, defender_loses=0, attacker_loses=1",
                {"attackers": 2, "defenders": 1},
            ),
            Play("6 6 1 5 5", "pairs=2, first=true, second=true, defender_loses=2, attacker_loses=0"),
        ),
    )
)


def duel(mine: int, theirs: int, to_hit: int) -> Odds:
    hit = Fraction(21 - to_hit, 20)
    my_damage = {0: 1 - hit} | dict.fromkeys(range(1, 9), hit / 8)
    their_damage = {0: 1 - hit} | dict.fromkeys(range(1, 7), hit / 6)

    @cache
    def i_win(me: int, they: int) -> Fraction:
        """Return the probability that I win, who strike first in each round."""
        if me <= 0:
            return Fraction(0)
        won = Fraction(0)
        for dealt, chance in my_damage.items():
            if dealt >= they:
                won += chance
                continue
            for taken, other in their_damage.items():
                if dealt or taken:
                    won += chance * other * i_win(me - taken, they - dealt)
        return won / (1 - (1 - hit) ** 2)  # rounds in which both miss change nothing

    return {"me": i_win(mine, theirs), "they": 1 - i_win(mine, theirs)}


KNOWN_RULES.append(
    KnownRule(
        "duel/to-the-end",
        """
        :mine: 10 (1 to 40)
        :theirs: 12 (1 to 40)
        :to hit: 12 (2 to 20)

        me = mine
        they = theirs
        repeat until me <= 0 or they <= 0
          they = max(they - 1d8, 0) if 1d20 >= to hit, else they
          me = max(me - 1d6, 0) if they > 0 and 1d20 >= to hit, else me
        winner = "me" if they <= 0, else "they"
        """,
        facts=("winner",),
        odds=duel,
        settings=(
            {"mine": 7, "theirs": 9, "to_hit": 12},
            {"mine": 1, "theirs": 1, "to_hit": 11},  # whoever strikes first wins in 2/3
            {"mine": 6, "theirs": 3, "to_hit": 18},
        ),
        plays=(
            Play("12 8 11 15 4", "me=10, they=0, winner=me"),
            Play("11 12 6 12 1 20 4", "me=0, they=11, winner=they"),
        ),
    )
)


def craps() -> Odds:
    # The known probability is 244/495.
    ways = {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}
    wins = ways[7] + ways[11]
    for point in (4, 5, 6, 8, 9, 10):
        wins += ways[point] * ways[point] / (ways[point] + ways[7])  # only the point and 7 end it
    return {True: wins, False: 1 - wins}


KNOWN_RULES.append(
    KnownRule(
        "craps/pass-line",
        """
        :success: wins

        come out = 2d6
        natural = come out = 7 or come out = 11
        point = 0 if natural or come out <= 3 or come out = 12, else come out
        total = 0
        repeat until total = point or total = 7
          total = 2d6
        wins = natural or point > 0 and total = point
        """,
        facts=("wins",),
        odds=craps,
        plays=(
            Play("6 5", "come_out=11, natural=true, point=0, total=0, wins=true"),
            Play("1 1", "come_out=2, natural=false, point=0, total=0, wins=false"),
            Play("4 2 1 3 5 1", "come_out=6, natural=false, point=6, total=6, wins=true"),
            Play("4 4 6 6 3 4", "come_out=8, natural=false, point=8, total=7, wins=false"),
        ),
    )
)


def pig(hold: int) -> Odds:
    # Known figures, holding at 20: 0 in 0.6245, 20 in 0.0997, 21 in 0.0950, 22 in 0.0742, 25 in 0.0172.
    @cache
    def ends(points: int) -> Odds:
        if points >= hold:
            return {points: Fraction(1)}
        following = [{0: Fraction(1)}, *(ends(points + face) for face in range(2, 7))]
        return summed((end, chance / 6) for each in following for end, chance in each.items())

    return ends(0)


KNOWN_RULES.append(
    KnownRule(
        "pig/turn",
        """
        :hold: 20 (2 to 100)

        face = 0
        points = 0
        repeat until face = 1 or points >= hold
          face = 1d6
          points = 0 if face = 1, else points + face
        """,
        facts=("points",),
        odds=pig,
        settings=({"hold": 20}, {"hold": 2}, {"hold": 7}),
        plays=(Play("6 6 4 5", "face=5, points=21"), Play("6 6 1", "face=1, points=0")),
    )
)


# Rules of this project's books, and shapes that several games share


def total_effect(advantage: int, effect: str, escalation: int, threshold: int) -> Odds:
    def result(faces: tuple[int, ...]) -> tuple[int, int, bool]:
        low, mid, high = faces[-3:] if advantage >= 0 else faces[:3]
        total = low + mid + high + escalation
        return total, {"low": low, "mid": mid, "high": high}[effect], total >= threshold

    return odds_of(result, throws(3 + abs(advantage), 6))


KNOWN_RULES.append(
    KnownRule(
        "effect/roll",
        """
        :advantage: 0 (-3 to 3)
        :effect: low / mid / high
        :escalation: 0
        :threshold: 13

        pool = (3 + abs(advantage))d6
        used = (pool)kh3 if advantage >= 0, else (pool)kl3
        total = used + escalation
        low = lowest(used)
        high = highest(used)
        mid = used - low - high
        effect value = low if effect = "low", mid if effect = "mid", else high
        triggered = total >= threshold
        """,
        facts=("total", "effect_value", "triggered"),
        odds=total_effect,
        settings=(
            {"advantage": 0, "effect": "low", "escalation": 0, "threshold": 13},
            {"advantage": 2, "effect": "high", "escalation": 1, "threshold": 15},
            {"advantage": -3, "effect": "mid", "escalation": 0, "threshold": 8},
        ),
        plays=(
            Play("5 2 6", "total=13, low=2, high=6, mid=5, effect_value=2, triggered=true"),
            Play(
                "5 2 6 1 4",
                "total=9, low=1, high=4, mid=2, effect_value=2, triggered=false",
                {"advantage": -2, "effect": "mid", "escalation": 2},
            ),
            Play(
                "5 2 6 5",
                "total=16, low=5, high=6, mid=5, effect_value=6, triggered=true",
                {"advantage": 1, "effect": "high"},
            ),
        ),
    )
)


def fresh_pool(size: int, stat: int, difficulty: int) -> Odds:
    def result(faces: tuple[int, ...]) -> tuple[int, bool, bool]:
        best = sorted(faces, reverse=True)
        enough = [count for count in range(size + 1) if stat + sum(best[:count]) >= difficulty]
        return min(enough, default=5), bool(enough), len(set(faces)) < size

    return odds_of(result, throws(size, 6))


KNOWN_RULES.append(
    KnownRule(
        "pool/fresh",
        """
        :size: 5 (1 to 5)
        :stat: 4
        :difficulty: 10

        pool = [size]d6
        need = difficulty - stat
        fewest = 0 if need <= 0, 1 if highest(pool) >= need, 2 if highest(pool, 2) >= need,
          3 if highest(pool, 3) >= need, 4 if highest(pool, 4) >= need, else 5
        reached = highest(pool, 5) >= need
        pair = matches(pool) >= 2
        """,
        facts=("fewest", "reached", "pair"),
        odds=fresh_pool,
        settings=(
            {"size": 5, "stat": 4, "difficulty": 10},
            {"size": 2, "stat": 0, "difficulty": 9},
            {"size": 5, "stat": 1, "difficulty": 25},
            {"size": 3, "stat": 4, "difficulty": 4},
            {"size": 3, "stat": 4, "difficulty": 5},
        ),
        plays=(
            Play("4 3 4 1 2", "need=6, fewest=2, reached=true, pair=true"),
            Play("6 3 4 1 2", "need=6, fewest=1, reached=true, pair=false"),
            Play("1 2", "need=6, fewest=5, reached=false, pair=false", {"size": 2}),
        ),
    )
)


def d66() -> Odds:
    # Of the 36 results from 11 to 66, rows of 12, 12, 9 and 3.
    return {"lamp": Fraction(12, 36), "rope": Fraction(12, 36), "knife": Fraction(9, 36), "map": Fraction(3, 36)}


KNOWN_RULES.append(
    KnownRule(
        "any/d66",
        """
        roll = 1d66
        find = roll: 11-26 lamp, 31-46 rope, 51-63 knife, 64-66 map
        """,
        facts=("find",),
        odds=d66,
        plays=(Play("2 6", "roll=26, find=lamp"), Play("3 1", "roll=31, find=rope"), Play("6 4", "roll=64, find=map")),
    )
)


def three_ways(rating: int) -> Odds:
    def result(faces: tuple[int, ...]) -> tuple[int, int, int, str]:
        high, ones = sum(face >= 8 for face in faces), faces.count(1)
        outcome = "botch" if ones > high else "great" if max(faces) == 10 and high >= 3 else "plain"
        return max(faces), high, ones, outcome

    return odds_of(result, throws(rating, 10))


KNOWN_RULES.append(
    KnownRule(
        "any/three-ways",
        """
        :rating: 10 (1 to 10)
        :success: great
        :partial: plain
        :failure: botch

        pool = [rating]d10
        best = highest(pool)
        high = count(pool >= 8)
        ones = count(pool = 1)
        result = "botch" if ones > high, "great" if best = 10 and high >= 3, else "plain"
        """,
        facts=("best", "high", "ones", "result"),
        odds=three_ways,
        settings=({"rating": 1}, {"rating": 3}, {"rating": 6}),
        plays=(
            Play("1 8 10 9 2 3 4 5 6 7", "best=10, high=3, ones=1, result=great"),
            Play("1 1 10", "best=10, high=1, ones=2, result=botch", {"rating": 3}),
            Play("9 8 8", "best=9, high=3, ones=0, result=plain", {"rating": 3}),
        ),
    )
)


def below(stat: int) -> Odds:
    return odds_of(lambda one, two, other: (one < other + stat) + (two < other + stat), die(10), die(10), die(6))


KNOWN_RULES.append(
    KnownRule(
        "ember/below",
        """
        :stat: 4

        low dice = count(2d10 < 1d6 + stat)
        """,
        facts=("low_dice",),
        odds=below,
        settings=({"stat": 4}, {"stat": 0}),
        plays=(Play("6 7 2", "low_dice=0"), Play("6 7 3", "low_dice=1"), Play("6 7 4", "low_dice=2")),
    )
)


def explode_thrice() -> Odds:
    one_die = {
        6 * explosions + face: 6 ** (3 - explosions)
        for explosions in range(4)
        for face in range(1, 7 if explosions == 3 else 6)
    }
    return odds_of(lambda *dice: sum(dice), one_die, one_die, one_die)


KNOWN_RULES.append(
    KnownRule(
        "any/explode",
        """
        total = 3d6!x3
        """,
        facts=("total",),
        odds=explode_thrice,
        plays=(Play("1 2 3", "total=6"), Play("6 2 3 4", "total=15"), Play("6 1 1 6 6 6", "total=26")),
    )
)


def no_ones() -> Odds:
    # Each die is uniform from 2 to 10.
    return odds_of(lambda faces: sum(faces[-2:]) + 2, throws(5, 9))


KNOWN_RULES.append(
    KnownRule(
        "any/no-ones",
        """
        pool = 5d10r1
        best two = highest(pool, 2)
        """,
        facts=("best_two",),
        odds=no_ones,
        plays=(Play("9 2 6 5 10", "best_two=19"), Play("2 2 2 3 4", "best_two=7")),
    )
)


def three_throws(target: int) -> Odds:
    return {wins: chance for wins, chance in binomial(3, Fraction(21 - target, 20)).items() if chance}


KNOWN_RULES.append(
    KnownRule(
        "any/three-throws",
        """
        :target: 11 (1 to 20)

        wins = 0
        repeat 3 times
          roll = 1d20
          wins = wins + 1 if roll >= target, else wins
        all = wins = 3
        """,
        facts=("wins",),
        odds=three_throws,
        settings=({"target": 11}, {"target": 20}, {"target": 1}),
        plays=(Play("11 10 20", "wins=2, all=false"), Play("15 15 11", "wins=3, all=true")),
    )
)
