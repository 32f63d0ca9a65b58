"""The odds of every mechanic against every sequence of faces, and the limits of counting them."""

import functools
import itertools
import random
import time
from fractions import Fraction
from typing import Literal

import pytest

import dicedocs as dd
from dicedocs import Dice, LimitError, Mechanic, Outcome, ParameterError, Say, highest, limits, lowest, param
from dicedocs.probability.combinatorics import count_multisets
from dicedocs.probability.enumeration import enumerate_odds
from dicedocs.probability.estimation import sample_odds
from dicedocs.probability.size_probe import Evidence
from dicedocs.rules.registry import mechanic

from ..every import every
from . import refusal
from .brute_force import every_outcome, of_facts

SMALL = [
    ("dice/roll", {"notation": "2d3kh1>=3f1 + 2d{-, hit}[x] - (1d2)d2ro<2cs"}),
    ("dice/check", {"check": "3d4kh2 - 1d6 >= max(1d3, 1d4)"}),
    ("methuen/expression", {"expression": "(2d6+1)*1d4/(1d3-1) - 7"}),
    ("methuen/expression", {"expression": "[A]d3 - 2 * [Target B]d2", "actor": {"A": 2}, "target": {"B": 3}}),
    ("methuen/check", {"check": "2d4-1d6 >= 1d3*2"}),
    ("methuen/check", {"check": "1d6 / (1d3 - 2) != 2"}),
    ("total-effect/roll", {}),
    ("total-effect/roll", {"advantage": 1, "effect": "low", "threshold": 11, "compare": "at most 3"}),
    ("total-effect/roll", {"disadvantage": 1, "effect": "mid", "invert": True, "halve": True}),
    ("total-effect/roll", {"advantage": 2, "disadvantage": 1, "effect": "high", "step_down": 4, "escalation": 2}),
    ("total-effect/roll", {"effect": "7", "step_up": 1, "compare": "over 3"}),
    ("mecha-vs-kaiju/action", {"pool": "d20 d4 d6", "advantage": True, "counter": 9}),
    ("mecha-vs-kaiju/action", {"pool": "d20 d4", "advantage": True, "both_fortune_dice": True}),
    ("mecha-vs-kaiju/action", {"pool": "d20 d4 d6", "scratch": 2}),
    ("mecha-vs-kaiju/action", {"pool": "d20 d4 d4", "disadvantage": True, "choice": "inspiration", "counter": 21}),
    ("mecha-vs-kaiju/action", {"pool": "d20 d4 d6", "overwhelmed": True, "staggered": True, "keep": 3}),
    ("mecha-vs-kaiju/action", {"pool": "d20 d8 d4", "boost": "d4", "reduce": "d8", "modifier": 2}),
    ("mecha-vs-kaiju/action-in-play", {"pool": "d4 d6", "counter": 20, "scratch": "lowest", "choice": "impact"}),
    ("dungeoneers/player-phase", {"pool": "4 3 1", "reroll": "1 2"}),
    ("dungeoneers/player-phase", {"pool": "4 3 1", "exhausted": "2"}),
    ("dungeoneers/action-roll", {"pool": "4 3 1", "stat": 3, "difficulty": 9}),
    ("dungeoneers/group-roll", {"members": "Freya: stat 3, die 5; Ulfarmi: stat 4, die 1", "difficulty": 13}),
    ("dungeoneers/rest", {"pool": "4 3 1", "exhausted": "1 3"}),
    ("dungeoneers/timer", {"cooldown": 6, "duration": 4, "rounds": 2}),
    ("dungeoneers/fresh-pool", {"size": 4, "stat": 3, "difficulty": 9}),
    ("dungeoneers/fights", {"size": 3, "stat": 2, "difficulties": "8, 6", "spend": "fewest"}),
    ("mage-in-the-metal/check", {"skill": 12}),
    ("mage-in-the-metal/check", {"skill": 14, "favor": "without", "margin": 3, "at_or_under": True}),
    ("mage-in-the-metal/check", {"skill": 10, "favor": "with", "penalties": "10, 2"}),
    ("ember/blaze", {"trait": 1, "cap": 2}),
    ("ember/blaze", {"trait": 2, "cap": 1}),
    ("ember/haul", {"crew": "Ash: skill 2; Bo: skill 1, tool 3; Cy: skill 0", "mood": "wild"}),
]


def test_every_mechanic_is_listed():
    assert {id for id, _ in SMALL} == set(dd.mechanics()) - {"mage-in-the-metal/contest"}  # tested below


@every(("id", "parameters"), SMALL)
def test_every_fact_against_every_sequence_of_faces(id, parameters):
    expected = every_outcome(id, **parameters)
    names = list(mechanic(id).result().facts_of)
    together = dd.odds(id, *names, **parameters)
    assert together.to_dict() == of_facts(expected, *range(len(names)))
    assert together.names == tuple(names)
    for index, name in enumerate(names):
        alone = dd.odds(id, name, **parameters)
        assert alone.to_dict() == of_facts(expected, index)
        assert together.marginal(name) == alone
        assert sum(alone.to_dict().values()) == 1
        assert sum(alone.counts) == alone.denominator
    for one, other in list(itertools.permutations(range(len(names)), 2))[:3]:
        pair = dd.odds(id, names[one], names[other], **parameters)
        assert pair.to_dict() == of_facts(expected, one, other)


def test_the_default_fact_is_the_first():
    assert dd.odds("total-effect/roll").names == ("total",)
    assert dd.odds("total-effect/roll") == dd.odds("total-effect/roll", "total")


def test_a_contest_against_its_checks():
    # The checks are enumerated by brute force, and the winner is decided here again from their facts.
    who = {"A": {"skill": 12}, "B": {"skill": 14, "favor": "with"}}
    each = [every_outcome("mage-in-the-metal/check", **parameters) for parameters in who.values()]
    facts = list(mechanic("mage-in-the-metal/check").result().facts_of)
    result, difference = facts.index("result"), facts.index("difference")
    ranks = ["critical failure", "failure", "success", "critical success"]
    wins = {"A": 0, "B": 0, None: 0}
    for (mine, p), (its, q) in itertools.product(each[0].items(), each[1].items()):
        standing = [(ranks.index(facts[result]), facts[difference]) for facts in (mine, its)]
        winner = "A" if standing[0] > standing[1] else "B" if standing[1] > standing[0] else None
        wins[winner] += p * q
    odds = dd.odds("mage-in-the-metal/contest", "winner", contestants="A: skill 12; B: skill 14, favor with")
    assert odds.to_dict() == wins


# Each call of the dice, against every sequence


def make_rule(resolve, name="Made"):
    """A rule with one fact, which a function of the dice gives."""

    class Rule(Mechanic):
        level: int = param(default=0)

        class Result(Outcome):
            got: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(resolve(self, dice))

    Rule.__qualname__ = name
    return Rule


def counted(resolve):
    """The same function, and a list that grows by one with each call."""
    plays = []

    @functools.wraps(resolve)
    def play(*arguments):
        plays.append(None)
        return resolve(*arguments)

    return play, plays


CALLS = {
    "roll": lambda _, dice: dice.roll(5),
    "each": lambda _, dice: dice.each(2, 3, 2),
    "no dice": lambda *_: 7,
    "no dice in a pool": lambda _, dice: dice.pool(),
    "pool": lambda _, dice: dice.pool(3, 2, 4),
    "highest": lambda _, dice: dice.pool(3, 3, 3, keep=highest(2)),
    "lowest": lambda _, dice: dice.pool(3, 3, 3, keep=lowest(2)),
    "highest, mixed": lambda _, dice: dice.pool(4, 2, 5, 3, keep=highest(2)),
    "lowest, mixed": lambda _, dice: dice.pool(4, 2, 5, 3, keep=lowest(2)),
    "none kept": lambda _, dice: dice.pool(4, 2, keep=highest(0)),
    "more kept than thrown": lambda _, dice: dice.pool(4, 2, keep=lowest(5)),
    "unread": lambda _, dice: dice.pool(4, 2, 3, keep=highest(1), unread={0: "scratched"}),
    "total": lambda _, dice: dice.total(3, 4),
    "total, kept": lambda _, dice: (dice.total(4, 3, keep=highest(2)), dice.total(3, 2, keep=lowest(1))),
    "tally": lambda _, dice: dice.tally(3, 6, {5, 6}),
    "tally of several": lambda _, dice: dice.tally(3, 6, {5, 6}, [6], range(3)),
    "tally of nothing": lambda _, dice: dice.tally(2, 6, set()),
    "one after another": lambda _, dice: (dice.roll(3), dice.roll(2), dice.total(2, 2)),
    "as many as another shows": lambda _, dice: sum(dice.roll(3) for _ in range(dice.roll(4))),
    "thrown": lambda _, dice: sum(dice.throw(2, 3)),
    "while it lasts": lambda _, dice: sum(itertools.takewhile(lambda face: face == 2, (dice.roll(2) for _ in "12345"))),
}


@every("call", CALLS)
def test_every_call_against_every_sequence(call):
    rule = make_rule(CALLS[call])()
    odds = dd.odds(rule)
    assert odds.to_dict() == of_facts(every_outcome(rule), 0)


@every("call", CALLS)
def test_played_mechanics_against_every_sequence(call):
    inner = make_rule(CALLS[call])()
    outer = make_rule(lambda _, dice: (dice.play(inner).got, inner.play(dice).got, dice.roll(2)))()
    once = of_facts(every_outcome(inner), 0)
    thrice = itertools.product(once.items(), once.items(), (1, 2))
    assert dd.odds(outer).to_dict() == {(one, two, die): p * q / 2 for (one, p), (two, q), die in thrice}


def test_exploding_dice_by_recursion_or_by_a_loop():
    def loop(rule, dice):
        face = total = dice.roll(6)
        for _ in range(30):
            if face < 6:
                break
            face = dice.roll(6)
            total += face
        return total

    def play(rule, dice):
        face = dice.roll(6)
        return face + (dice.play(type(rule)(level=rule.level + 1)).got if face == 6 and rule.level < 30 else 0)

    # After a sixes the total is 6 * a + 1 ... 6 * a + 5; the 31st die is the last.
    by_hand = {6 * sixes + face: 6 ** (30 - sixes) for sixes in range(31) for face in range(1, 6)} | {186: 1}
    assert dd.odds(make_rule(loop)()) == dd.odds(make_rule(play)()) == dd.Distribution(by_hand)


def test_what_is_thrown_until_it_is_new_has_the_odds_of_what_is_left():
    def both(_, dice):
        (first,) = dice.repeat(throw, (None,), lambda got: got is not None)
        (second,) = dice.repeat(throw, (None,), lambda got: got not in {None, first})
        return first, second

    def throw(dice, _say, _got):
        return (dice.tally(2, 2, {2}),)

    ways = {0: 1, 1: 2, 2: 1}
    by_hand = {
        (first, second): Fraction(ways[first], 4) * Fraction(ways[second], 4 - ways[first])
        for first, second in itertools.permutations(ways, 2)
    }
    assert dd.odds(make_rule(both)()).to_dict() == by_hand
    rule = make_rule(both)()
    assert rule.play(dd.ScriptedDice([1, 2, 2, 1, 1, 2, 2, 2])).got == (1, 2)
    with pytest.raises(ParameterError, match="die 5 is a d2, and 4 faces are given"):
        rule.play(dd.ScriptedDice([1, 2, 2, 1]))


def test_outcomes_with_different_denominators():
    rule = make_rule(lambda _, dice: dice.roll(3) if dice.roll(2) == 1 else dice.roll(7))
    odds = dd.odds(rule())
    assert odds.to_dict() == of_facts(every_outcome(rule()), 0)
    assert odds.denominator == 2 * 3 * 7


# The order of values


def test_words_are_in_the_declared_order():
    odds = dd.odds("mage-in-the-metal/check", "result", skill=11)
    assert odds.values == ("critical success", "success", "failure", "critical failure")
    assert dd.odds("mage-in-the-metal/check", "critical", skill=11).values == ("success", "failure", None)
    parameters = {"crew": "Ash: skill 4; Bo: skill 1", "weight": 9}
    assert dd.odds("ember/haul", "degree", **parameters).values == ("dropped it", "held", "heaved")
    together = dd.odds("ember/haul", "degree", "success", **parameters)
    assert together.values == (("dropped it", False), ("held", True), ("heaved", True))
    turned = dd.odds("ember/haul", "success", "degree", **parameters)
    assert turned.values == ((False, "dropped it"), (True, "held"), (True, "heaved"))
    assert turned.marginal("degree").values == ("dropped it", "held", "heaved")
    assert turned.given(success=True).marginal("degree").values == ("held", "heaved")
    assert dd.odds("mecha-vs-kaiju/action", "critical", pool="d20 d4").values == (False, "if it succeeds")
    assert dd.odds("mecha-vs-kaiju/action", "success", pool="d20 d4", counter=9).values == (False, True)


class Weather(Mechanic):
    """A rule whose words are declared from good to bad, and come up in the opposite order."""

    class Result(Outcome):
        sky: Literal["clear", "grey", "storm"]
        signs: tuple[Literal["sun", "wind", "cloud"], ...]
        warned: bool | Literal["later", "never"] | None

    def resolve(self, dice: Dice, say: Say) -> Result:
        face = dice.roll(6)
        sky = ("storm", "storm", "grey", "grey", "clear", "clear")[face - 1]
        signs = ((), ("cloud",), ("wind",), ("wind", "cloud"), ("sun", "wind"), ("sun",))[face - 1]
        return self.Result(sky, signs, (None, "never", "later", True, False, None)[face - 1])


def test_words_that_come_up_in_another_order():
    assert dd.odds(Weather(), "sky").values == ("clear", "grey", "storm")
    signs = ((), ("sun",), ("sun", "wind"), ("wind",), ("wind", "cloud"), ("cloud",))
    assert dd.odds(Weather(), "signs").values == signs
    assert dd.odds(Weather(), "warned").values == (False, True, "later", "never", None)
    together = dd.odds(Weather(), "warned", "sky")
    assert together.values == (
        (False, "clear"), (True, "grey"), ("later", "grey"), ("never", "storm"), (None, "clear"), (None, "storm"),
    )  # fmt: skip
    assert together.marginal("sky").values == ("clear", "grey", "storm")
    assert dd.Distribution.from_json(together.to_json()).marginal("sky").values == ("clear", "grey", "storm")
    assert dd.estimate(Weather(), "sky", samples=200, seed=1).values == ("clear", "grey", "storm")


# Progress


def test_the_progress_grows_from_0_to_1():
    count = enumerate_odds(mechanic("mecha-vs-kaiju/action")(pool="d20 d4 d6 d8"), "total")
    parts = []
    while True:
        try:
            parts.append(next(count))
        except StopIteration as done:
            counted = done.value
            break
    assert counted == dd.odds("mecha-vs-kaiju/action", "total", pool="d20 d4 d6 d8")
    assert len(parts) > 20
    assert parts == sorted(parts)
    assert 0 <= parts[0] < 0.2
    assert 0.8 < parts[-1] <= 1


@every("count", [enumerate_odds, functools.partial(sample_odds, samples=400)])
@every("dice", [1, 2])
def test_progress_is_reported_after_every_play(count, dice):
    rule, plays = counted(lambda _, source: sum(source.roll(20) for _ in range(dice)))
    between, reported = [], 0
    for _ in count(make_rule(rule)()):
        between.append(len(plays) - reported)
        reported = len(plays)
    assert sum(between) >= 20**dice
    assert max(between) == 1


# Rules that are not functions of their dice


def clock(rule, dice):
    return dice.roll(6) + time.perf_counter_ns() // 100 % 10


def random_numbers(rule, dice):
    return dice.roll(6) + random.SystemRandom().randrange(4)


def no_dice(rule, dice):
    return random.SystemRandom().randrange(100)


RUNS = [0]


def counter(rule, dice):
    RUNS[0] += 1
    return dice.roll(6) + RUNS[0]


def other_dice(rule, dice):
    return dice.roll(random.SystemRandom().choice([4, 6, 8, 10]))


def more_dice(rule, dice):
    return sum(dice.roll(6) for _ in range(random.SystemRandom().randrange(1, 5)))


def other_calls_swallowed(rule, dice):
    try:
        return other_dice(rule, dice)
    except RuntimeError:
        return 0


def late(rule, dice):
    RUNS[0] += 1
    return dice.roll(6) + dice.roll(6) + (RUNS[0] > 51)


def sometimes(rule, dice):
    face = dice.roll(6)
    return face if face < 6 else random.SystemRandom().randrange(10**6)


def plays_another(rule, dice):
    inner = make_rule(lambda _, dice: dice.roll(2))
    return dice.play(inner(level=random.SystemRandom().randrange(1000))).got


@every(
    "resolve", [clock, random_numbers, no_dice, counter, other_dice, more_dice, other_calls_swallowed, late,
                sometimes, plays_another],
)  # fmt: skip
def test_a_rule_that_is_not_a_function_of_its_dice_is_detected(resolve):
    RUNS[0] = 0
    with pytest.raises(RuntimeError, match=r"^Fickle is not a function of its dice"):
        dd.odds(make_rule(resolve, name="Fickle")())


def test_the_error_names_the_rule_that_is_played():
    fickle = make_rule(random_numbers, name="Fickle")()
    with pytest.raises(RuntimeError, match=r"^Fickle is not a function"):
        dd.odds(make_rule(lambda _, dice: dice.play(fickle).got, name="Good")())


@pytest.mark.parametrize("caught", [Exception, BaseException])
def test_a_rule_may_catch_any_exception(caught):
    inner = make_rule(lambda _, dice: dice.total(2, 6))()

    def careless(rule, dice):
        try:
            first = dice.roll(2)
            return first + dice.play(inner).got
        except caught:
            return -1

    plain = make_rule(lambda _, dice: dice.roll(2) + dice.total(2, 6))
    assert dd.odds(make_rule(careless)()) == dd.odds(plain())


def test_an_exception_of_the_rule_is_raised():
    def bad(rule, dice):
        return 1 // (dice.roll(6) - 4)

    with pytest.raises(ZeroDivisionError):
        dd.odds(make_rule(bad)())

    def forgiving(rule, dice):
        try:
            return bad(rule, dice)
        except ZeroDivisionError:
            return 9

    assert dd.odds(make_rule(forgiving)()).p("9") == dd.odds(make_rule(lambda _, dice: dice.roll(6))()).p("4")


class LateFault(Mechanic):
    """It fails unless its first die shows 1: not while the first branches are counted."""

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        power = say.sum("Power", 4, 1)
        if dice.roll(20) > 1:
            raise ZeroDivisionError
        return self.Result(power + dice.roll(20))


def test_an_exception_on_a_random_path_names_the_step_before_it_too():
    with pytest.raises(ZeroDivisionError) as error:
        dd.odds(LateFault())
    assert error.value.__notes__ == ["after the step 'Power: 4 + 1 = 5'"]


def test_the_dice_of_a_played_outcome_cannot_be_read():
    inner = make_rule(lambda _, dice: dice.roll(6))()
    with pytest.raises(RuntimeError, match="a rule reads only the facts of what it plays"):
        dd.odds(make_rule(lambda _, dice: dice.play(inner).dice[0])())


# Limits


def refused(limit, run, memory=1_000_000):
    error = refusal.refused(run, memory)
    assert error.limit == limit.name
    assert limit.name in str(error)
    assert error.hint


def endless_whatever_it_shows(rule, dice):
    while True:
        dice.roll(6)


def endless_on_its_only_face(rule, dice):
    while True:
        dice.roll(1)


def endless(rule, dice):
    while dice.roll(6) == 6:
        pass
    return 0


def endless_for_most(rule, dice):
    while dice.roll(6) != 6:
        pass
    return 0


def plays_itself(rule, dice):
    return dice.play(rule).got


def plays_a_greater_self(rule, dice):
    return dice.play(type(rule)(level=rule.level + 1)).got


def eight_dice(rule, dice):
    return sum(dice.roll(6) for _ in range(8))


def many_plays(rule, dice):
    inner = [make_rule(lambda _, dice: dice.total(2, 6))() for _ in range(6)]
    return sum(dice.play(one).got for one in inner)


ENDLESS = {
    "a loop without end": (limits.DICE_CALLS, endless),
    "a loop that nothing ends": (limits.DICE_CALLS, endless_whatever_it_shows),
    "a loop on one path": (limits.DICE_CALLS, endless_on_its_only_face),
    "a loop that goes on with most faces": (limits.DICE_CALLS, endless_for_most),
    "a rule that plays itself": (limits.PLAYS, plays_itself),
    "a rule that plays greater ones": (limits.PLAYS, plays_a_greater_self),
    "dice one by one": (limits.BRANCHES, eight_dice),
    "each of many dice": (limits.BRANCHES, lambda _, dice: sum(dice.each(*[20] * 5))),
    "a pool of many sides": (limits.BRANCHES, lambda _, dice: dice.pool(*[20] * 30)[0]),
    "a pool of 10000 dice": (limits.BRANCHES, lambda _, dice: dice.pool(*[6] * 10_000)[0]),
    "a pool of too many dice": (limits.DICE, lambda _, dice: dice.pool(*[6] * 10_001)[0]),
    "a die of too many sides": (limits.SIDES, lambda _, dice: dice.roll(10**6 + 1)),
    "a die of many sides": (limits.BRANCHES, lambda _, dice: dice.roll(10**6)),
    "many classes": (limits.BRANCHES, lambda _, dice: dice.tally(50, 50, *[{face} for face in range(1, 40)])),
    "a tally of many sides": (limits.BRANCHES, lambda _, dice: dice.tally(9999, 10**6, {1})),
    "a total of very many": (limits.BRANCHES, lambda _, dice: dice.total(1000, 1000)),
    "many counts of many digits": (limits.COUNT_BITS, lambda _, dice: dice.total(4000, 10)),
    "much to keep": (limits.WORK, lambda _, dice: dice.total(60, 60, keep=highest(30))),
    "much to keep of a pool": (limits.PAIRS, lambda _, dice: dice.pool(*range(2, 22), keep=lowest(4))[0]),
}  # fmt: skip


@every("case", ENDLESS)
def test_limits_are_checked_before_the_work(case):
    limit, resolve = ENDLESS[case]
    resolve, plays = counted(resolve)
    # To say what would help, 10,000 dice are thrown, which take two megabytes.
    refused(limit, lambda: dd.odds(make_rule(resolve)()), memory=3_000_000)
    # Random plays are enough to refuse it; the branches of the limit are not counted.
    assert len(plays) < 2_000


@pytest.fixture
def small_limits(monkeypatch):
    """Make what is refused only while it is counted take a second."""
    for name, maximum in (("BRANCHES", 50_000), ("TOTAL_CALLS", 200_000), ("VALUES", 2_000_000)):
        monkeypatch.setattr(limits, name, getattr(limits, name).fixed(maximum))


def reroll_above_4(rule, dice):
    total = 0
    for _ in range(4):
        face = dice.roll(8)
        total += dice.roll(8) if face > 4 else face
    return total


def one_ends_it(rule, dice):
    faces = []
    while len(faces) < 8 and 1 not in faces:
        faces.append(dice.roll(6))
    return sum(faces)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    # By hand: (4 + 4 * 8)^4 branches; and one for each 1, 5^0 + ... + 5^7, with 5^8 that show no 1.
    ("resolve", "branches"),
    [(reroll_above_4, 36**4), (one_ends_it, (5**8 - 1) // 4 + 5**8)],
)
def test_branches_of_different_length_are_refused_before_they_are_counted(resolve, branches):
    assert branches > limits.BRANCHES.maximum
    resolve, plays = counted(resolve)
    with pytest.raises(LimitError, match=r"BRANCHES|TOTAL_CALLS"):
        dd.odds(make_rule(resolve)())
    assert len(plays) < 1_000


@every("before", [0, 20_000])
@every(("factor", "chance"), [(2, 0.5), (100, 0.01), (100_000, 0.00001)])
def test_a_rule_within_a_limit_is_seldom_refused_by_its_paths(factor, chance, before):
    chances = random.Random(1)
    for _ in range(200):
        # The average size is the limit.
        evidence = Evidence(limits.BRANCHES, before)
        for _ in range(1_000):
            evidence.add(factor * (limits.BRANCHES.maximum - before) if chances.random() < chance else 0)
            assert not evidence.is_strong


@pytest.mark.usefixtures("small_limits")
def test_a_rare_part_of_a_rule_is_refused_when_it_is_reached():
    def rare(rule, dice):
        if dice.roll(100) == dice.roll(100) == 50:
            return sum(dice.roll(6) for _ in range(8))
        return 0

    rare, plays = counted(rare)
    with pytest.raises(LimitError, match="TOTAL_CALLS"):
        dd.odds(make_rule(rare)())
    assert len(plays) < 50_000


def exploding(lowest_again, rounds):
    """Four d6, of which each that shows a number or more is thrown again; with the list of its plays."""

    def explode(rule, dice):
        total, number = 0, 4
        for _ in range(rounds):
            faces = dice.pool(*[6] * number)
            total += sum(faces)
            number = sum(face >= lowest_again for face in faces)
            if not number:
                break
        return total

    return counted(explode)


@every(("lowest_again", "rounds"), [(6, 2), (6, 3), (6, 5), (5, 3), (4, 2), (2, 2)])
def test_exploding_dice_are_counted(lowest_again, rounds):
    explode, _ = exploding(lowest_again, rounds)
    # By hand: four dice have a mean of 14, and each of them explodes with the same probability.
    again = Fraction(7 - lowest_again, 6)
    assert dd.odds(make_rule(explode)()).mean == 14 * sum(again**n for n in range(rounds))


@pytest.mark.usefixtures("small_limits")
@every("lowest_again", range(2, 7))
@every("rounds", [10, 100])
def test_dice_that_explode_too_often_are_refused_with_their_call(lowest_again, rounds):
    explode, plays = exploding(lowest_again, rounds)
    with pytest.raises(LimitError) as caught:
        dd.odds(make_rule(explode)())
    assert caught.value.limit in {"BRANCHES", "TOTAL_CALLS"}
    assert "the largest dice call is dice.pool(" in caught.value.hint
    assert len(plays) < 1.1 * limits.BRANCHES.maximum


@pytest.mark.usefixtures("small_limits")
def test_long_paths_are_refused_by_the_calls_on_them():
    def until_three_heads(rule, dice):
        tosses = heads = 0
        while heads < 3 and tosses < 200:
            tosses += 1
            heads += dice.roll(2) == 2
        return tosses

    until_three_heads, plays = counted(until_three_heads)
    refused(limits.TOTAL_CALLS, lambda: dd.odds(make_rule(until_three_heads)()))
    assert len(plays) < limits.TOTAL_CALLS.maximum / 50


@pytest.mark.usefixtures("small_limits")
def test_long_texts_and_numbers_are_long_outcomes():
    def long_text(rule, dice):
        return "x" * 9_000 + str(dice.each(*[10] * 4))

    def long_number(rule, dice):
        return 10**3_890 + sum(dice.each(199, 199))

    for resolve in (long_text, long_number):
        with pytest.raises(LimitError, match="VALUES"):
            dd.odds(make_rule(resolve)())


@pytest.mark.usefixtures("small_limits")
def test_long_outcomes_are_refused():
    refused(
        limits.VALUES, lambda: dd.odds("dungeoneers/rest", pool="3 " * 1000, exhausted="1 2 3 4 5"), memory=3_000_000
    )
    refused(limits.VALUES, lambda: dd.odds(make_rule(lambda _, dice: dice.each(*[6] * 5, *[1] * 1000)[0])()))


@every(
    ("resolve", "code", "times"),
    [
        (lambda _, dice: dice.pool(*[100] * 12)[0], "dice.pool(*[100] * 12)", ", with about 10^16 branches;"),
        (lambda _, dice: dice.each(4, *[20] * 5)[0], "dice.each(4, *[20] * 5)", ", with 12800000 branches;"),
        (lambda _, dice: dice.total(1000, 1000), "dice.total(1000, 1000)", ", with 999001 branches;"),
        (
            lambda _, dice: dice.roll(4) + sum(dice.roll(6) for _ in range(9)),
            "dice.roll(6)",
            ", with 6 branches, made 9 times;",
        ),
    ],
)
def test_a_refusal_names_the_largest_call_and_its_line(resolve, code, times):
    with pytest.raises(LimitError) as caught:
        dd.odds(make_rule(resolve)())
    line = resolve.__code__.co_firstlineno
    place, _, rest = caught.value.hint.partition(", in ")
    assert place == f"the largest dice call is {code} (test_enumeration.py:{line}"
    assert rest.partition(">)")[2].startswith(times)


def test_a_rule_cannot_catch_a_limit_error():
    def swallowing(rule, dice):
        try:
            return dice.pool(*[20] * 30)[0]
        except LimitError:
            return 0

    refused(limits.BRANCHES, lambda: dd.odds(make_rule(swallowing)()))


def test_many_plays_are_refused_too():
    contestants = "; ".join(f"{name}: skill {10 + index}" for index, name in enumerate("ABCDEFGH"))
    refused(limits.BRANCHES, lambda: dd.odds("mage-in-the-metal/contest", contestants=contestants))
    action = lambda: dd.odds("mecha-vs-kaiju/action", pool="d20 " + "d12 " * 8, advantage=True)  # noqa: E731
    # The 75,582 sorted faces of its d12 are listed, so that a random path takes each with the same probability.
    refused(limits.BRANCHES, action, memory=50_000_000)


def test_a_rare_path_with_too_many_branches_is_refused_when_it_is_counted(monkeypatch):
    monkeypatch.setattr(limits, "BRANCHES", limits.BRANCHES.fixed(5_000))

    def rare(rule, dice):
        if dice.roll(20) == dice.roll(20) == dice.roll(20) == 20:
            return sum(dice.roll(6) for _ in range(10))
        return 0

    refused(limits.BRANCHES, lambda: dd.odds(make_rule(rare)()))


@every(
    ("faces", "message"),
    [
        (lambda _, dice: dice.roll(0), "a die cannot have 0 sides"),
        (lambda _, dice: dice.total(-1, 6), "-1 dice cannot be thrown"),
        (lambda _, dice: dice.pool(6, 6, unread={2: "lost"}), "an unread die is not one of the 2 dice thrown"),
    ],
)
def test_impossible_dice(faces, message):
    with pytest.raises(ParameterError, match=message):
        dd.odds(make_rule(faces)())


# Arguments


@every(
    ("facts", "parameters", "message"),
    [
        (("dice",), {}, r"^'dice' has no odds of its own; ask for total, low, mid"),
        (("dropped",), {}, r"^'dropped' has no odds"),
        (("totl",), {}, r"^there is no fact 'totl'; did you mean 'total'"),
        (("total", "total"), {}, r"^the fact 'total' is named twice"),
        (("total",), {"advantge": 1}, r"^there is no parameter 'advantge'"),
        (("total",), {"advantage": "much"}, r"^advantage: 'much' is not a whole number"),
    ],
)
def test_unknown_facts_and_parameters(facts, parameters, message):
    with pytest.raises(ParameterError, match=message):
        dd.odds("total-effect/roll", *facts, **parameters)


def test_unknown_mechanics():
    with pytest.raises(ParameterError, match=r"there is no mechanic 'total-effect/rol'"):
        dd.odds("total-effect/rol", "total")
    with pytest.raises(ParameterError, match="takes no others"):
        dd.odds(mechanic("total-effect/roll")(), "total", advantage=1)


def test_a_mechanic_without_facts():
    class Nothing(Mechanic):
        class Result(Outcome):
            pass

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result()

    with pytest.raises(ParameterError, match="this mechanic has no facts"):
        dd.odds(Nothing())


# How often a rule is played


@pytest.mark.parametrize(
    ("id", "fact", "parameters", "branches"),
    [
        (
            "mecha-vs-kaiju/action",
            "total",
            {"pool": "d20 d4 d6 d8", "advantage": True},
            20 * count_multisets([4, 6, 8], None),
        ),
        ("total-effect/roll", "total", {"advantage": 3}, count_multisets([6] * 6, highest(3))),
        ("mage-in-the-metal/contest", "winner", {"contestants": "A: skill 20; B: skill 14; C: skill 12"}, 16**3),
    ],
)
def test_a_rule_is_played_about_once_for_each_branch(monkeypatch, id, fact, parameters, branches):
    rule = mechanic(id)
    resolve, plays = counted(rule.resolve)
    monkeypatch.setattr(rule, "resolve", resolve)
    dd.odds(id, fact, **parameters)
    # A few more plays estimate the size, and some paths run twice.
    assert branches < len(plays) < branches + 100
