"""Rules that go on by rounds: ``dice.repeat`` in play, in the working, and in odds."""
# ruff: noqa: ARG005  # a step takes dice and the working, whatever it uses

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import pytest

import dicedocs as dd
from dicedocs import Dice, DiceError, LimitError, Mechanic, Outcome, ParameterError, Say, param
from dicedocs.probability.functions import Function
from dicedocs.probability.seed_search import search_seed

from ..every import every
from .brute_force import every_outcome, of_facts
from .made_rules import Got, rule_of


def down(dice, say, points):
    return (max(0, points - dice.roll(3)),)


def gone(points):
    return points == 0


class Saves(Mechanic):
    """Three saves before three failures; a 1 counts as two failures, and a 20 ends it."""

    class Result(Outcome):
        end: str
        rounds: int

    def save(self, dice: Dice, say: Say, good: int, bad: int) -> tuple[int, int]:
        die = dice.roll(20)
        if die == 20:
            return 3, bad
        bad = say.sum("Failures", bad, 2 if die == 1 else int(die < 10))
        return good + (die >= 10), bad

    def resolve(self, dice: Dice, say: Say) -> Result:
        rounds, good, _bad = dice.repeat(
            self.save, (0, 0), lambda good, bad: good >= 3 or bad >= 3, label="Save", count=True
        )
        return self.Result(say.fact("End", "stable" if good >= 3 else "dead"), rounds)


class Skirmish(Mechanic):
    """Each side hits with 5 and 6, at once."""

    a: int = param(default=2, low=0, high=10)
    b: int = param(default=2, low=0, high=10)

    class Result(Outcome):
        a: int
        b: int

    def round(self, dice: Dice, say: Say, a: int, b: int) -> tuple[int, int]:
        return max(0, a - dice.tally(b, 6, {5, 6})), max(0, b - dice.tally(a, 6, {5, 6}))

    def resolve(self, dice: Dice, say: Say) -> Result:
        a, b = dice.repeat(self.round, (self.a, self.b), lambda a, b: a == 0 or b == 0)
        return self.Result(a, b)


# In play


def test_a_step_is_repeated_until_its_state_is_over():
    rule = rule_of(lambda dice: dice.repeat(down, (6,), gone))
    assert rule.play(dd.ScriptedDice([1, 2, 1, 3])).got == (0,)
    counted = rule_of(lambda dice: dice.repeat(down, (6,), gone, count=True))
    assert counted.play(dd.ScriptedDice([1, 2, 1, 3])).got == (4, 0)
    with pytest.raises(ParameterError, match="die 5 is a d3, and 4 faces are given"):
        rule.play(dd.ScriptedDice([1, 1, 1, 1]))
    outcome, script = dd.ScriptedDice([3, 3, 1]), dd.ScriptedDice([3, 3, 1])
    assert rule.play(outcome).dice == (3, 3)
    rule.play(script)
    with pytest.raises(ParameterError, match="3 faces are given, and 2 thrown"):
        script.finish()


@pytest.mark.parametrize(("count", "numbers"), [(False, (0,)), (True, (0, 0))])
def test_a_start_that_is_over_is_the_end(count, numbers):
    rule = rule_of(lambda dice: dice.repeat(down, (0,), gone, count=count))
    assert rule.play(dd.ScriptedDice([])).got == numbers
    assert dd.odds(rule).to_dict() == {numbers: 1}
    assert rule.play(dd.ScriptedDice([])).steps() == ()


def test_a_state_may_have_no_values_or_values_of_any_kind():
    rule = rule_of(lambda dice: dice.repeat(lambda dice, say: (), (), lambda: True, count=True))
    assert dd.odds(rule).to_dict() == {(0,): 1}

    def step(dice, say, name, held, nothing):
        return "b" if dice.roll(2) == 1 else "c", (*held, (1,)), nothing

    words = rule_of(lambda dice: len(dice.repeat(step, ("a", (), None), lambda *state: state[0] == "c")[1]))
    assert words.play(dd.ScriptedDice([1, 1, 2])).got == 3
    assert [dd.odds(words).exactly(n) for n in range(1, 5)] == [Fraction(1, 2**n) for n in range(1, 5)]


def test_rounds_in_rounds_and_rules_in_rounds():
    class Inner(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            (left,) = dice.repeat(down, (2,), gone)
            return Got(left + dice.roll(2))

    def step(dice, say, number):
        (left,) = dice.repeat(down, (2,), gone)
        return (number + left + dice.play(Inner()).got,)

    rule = rule_of(lambda dice: dice.repeat(step, (0,), lambda number: number >= 3))
    # The inner rounds always end with 0, so this adds up d2: to 3 by 2 1, 1 2 or 1 1 1, to 4 by 2 2 or 1 1 2.
    assert dd.odds(rule).to_dict() == {(3,): Fraction(5, 8), (4,): Fraction(3, 8)}
    faces = [3, 1, 1, 2, 1, 2, 3, 1]
    assert rule.play(dd.ScriptedDice(faces)).got == (3,)


# The working


def test_the_working_has_each_round_below_the_other():
    outcome = Saves().play(dd.ScriptedDice([12, 9, 1]))
    assert outcome.facts() == "end=dead, rounds=3"
    assert str(outcome).splitlines() == [
        "Save 1:",
        "  Dice: d20: 12",
        "  Failures: 0 + 0 = 0",
        "Save 2:",
        "  Dice: d20: 9",
        "  Failures: 0 + 1 = 1",
        "Save 3:",
        "  Dice: d20: 1",
        "  Failures: 1 + 2 = 3",
        "End: dead",
    ]
    assert [(step.label, step.verb, step.how) for step in outcome.steps()[:3]] == [
        ("Save", "play", "1"),
        ("Save", "play", "2"),
        ("Save", "play", "3"),
    ]
    assert outcome.look_up("steps.Failures") == 0


def test_a_round_has_a_name_by_default():
    outcome = Skirmish().play(dd.ScriptedDice([1, 5, 5, 1, 6, 6]))
    assert [line for line in str(outcome).splitlines() if not line.startswith(" ")] == ["Round 1:", "Round 2:"]
    assert outcome.facts() == "a=0, b=0"
    assert "Round 2" in outcome.to_html()


@every("label", [5, None, ["Round"]])
def test_a_label_is_text(label):
    outcome = rule_of(lambda dice: dice.repeat(down, (1,), gone, label=label)).play(dd.SeededDice(1))
    with pytest.raises(ParameterError, match=r"is not the label of a round; give a text"):
        outcome.steps()


def test_a_label_is_escaped():
    outcome = rule_of(lambda dice: dice.repeat(down, (1,), gone, label="<b>")).play(dd.SeededDice(1))
    assert "&lt;b&gt; 1" in outcome.to_html()
    assert "<b>" not in outcome.to_html()


def test_rounds_are_played_again_with_the_same_faces():
    outcome = Saves().play(dd.SeededDice(4))
    assert Saves().play(dd.ScriptedDice(outcome.dice)).facts() == outcome.facts()
    assert (
        sum(step.how != "" and step.verb == "play" for step in outcome.steps()) == outcome.rounds == len(outcome.dice)
    )
    seed = dd.find_seed("dice/roll", notation="1d6", where={"total": 6})
    assert dd.roll("1d6", seed=seed).value == 6


def test_a_seed_is_found_for_a_rule_with_rounds():
    seed = search_seed(Saves(), where={"end": "stable", "rounds": 1})
    outcome = Saves().play(dd.SeededDice(seed))
    assert outcome.facts() == "end=stable, rounds=1"
    assert outcome.dice == (20,)


def test_the_rounds_of_a_play_are_limited():
    rule = rule_of(lambda dice: dice.repeat(lambda dice, say, n: (n,), (0,), lambda n: False))
    with pytest.raises(LimitError, match="2001 rounds of one repetition; the limit ROUNDS is 2000") as caught:
        rule.play(dd.SeededDice(1))
    assert caught.value.limit == "ROUNDS"
    most = rule_of(lambda dice: dice.repeat(lambda dice, say, n: (n + 1,), (0,), lambda n: n == 2_000))
    assert most.play(dd.SeededDice(1)).got == (2_000,)


# Odds by hand and by plain counting


def test_saves_against_a_sum_over_their_courses():
    # Of a d20: 1 is two failures, 2 to 9 one, 10 to 19 a save, and 20 the end.
    def ended(good, bad):
        return {("stable" if good >= 3 else "dead", 0): Fraction(1)}

    def course(good, bad):
        if good >= 3 or bad >= 3:
            return ended(good, bad)
        found = {}
        for g, b, ways in ((3, bad, 1), (good, bad + 2, 1), (good, bad + 1, 8), (good + 1, bad, 10)):
            for (end, rounds), p in course(g, b).items():
                found[end, rounds + 1] = found.get((end, rounds + 1), 0) + p * Fraction(ways, 20)
        return found

    assert dd.odds(Saves(), "end", "rounds").to_dict() == course(0, 0)


def fight(a, b):
    """The odds of the survivors: what happens first, other than nothing, by all throws of all dice."""
    if not a or not b:
        return {(a, b): Fraction(1)}
    ways: dict[tuple[int, int], int] = {}
    for faces in product(range(1, 7), repeat=a + b):
        left = max(0, a - sum(face >= 5 for face in faces[:b])), max(0, b - sum(face >= 5 for face in faces[b:]))
        ways[left] = ways.get(left, 0) + 1
    happens = 6 ** (a + b) - ways.pop((a, b))
    found: dict[tuple[int, int], Fraction] = {}
    for left, number in ways.items():
        for end, p in fight(*left).items():
            found[end] = found.get(end, Fraction(0)) + p * Fraction(number, happens)
    return found


@every(("a", "b"), [(0, 2), (1, 1), (2, 1), (1, 3), (3, 2)])
def test_a_skirmish_against_all_throws(a, b):
    assert dd.odds(Skirmish(a=a, b=b), "a", "b").to_dict() == fight(a, b)


class Clock(Mechanic):
    """A clock fills by d3, and strain grows with each 1; it ends for sure."""

    size: int = param(default=4, low=1)
    counted: bool = param(default=False)

    class Result(Outcome):
        filled: int
        strain: int
        turns: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        def turn(dice, say, filled, strain):
            die = dice.roll(3)
            return filled + die, strain + (die == 1)

        def full(filled, strain):
            return filled >= self.size

        if self.counted:
            turns, filled, strain = dice.repeat(turn, (0, 0), full, count=True)
            return self.Result(filled, strain, turns)
        filled, strain = dice.repeat(turn, (0, 0), full)
        return self.Result(filled, strain, 0)


@every("counted", [False, True])
@every("size", range(1, 6))
def test_a_clock_against_every_sequence_of_faces(size, counted):
    rule = Clock(size=size, counted=counted)
    odds = dd.odds(rule, "filled", "strain", "turns")
    assert odds.to_dict() == of_facts(every_outcome(rule), 0, 1, 2)
    assert odds.remainder == 0


def test_two_repetitions_one_after_the_other():
    def both(dice):
        (first,) = dice.repeat(lambda dice, say, n: (dice.roll(4),), (0,), lambda n: n >= 3)
        rounds, second = dice.repeat(lambda dice, say, n: (dice.roll(first),), (9,), lambda n: n == 1, count=True)
        return first, rounds, second

    odds = dd.odds(rule_of(both))
    # The first is 3 or 4; then it takes n throws with the ratio of a d3 or a d4.
    for first, n in product((3, 4), range(1, 20)):
        share = Fraction(1, 2) * Fraction(1, first) * Fraction(first - 1, first) ** (n - 1)
        assert odds.exactly((first, n, 1)) == share


def test_the_same_start_with_and_without_the_number_of_rounds():
    def both(dice):
        counted = dice.repeat(down, (4,), gone, count=True)
        return (*counted, *dice.repeat(down, (4,), gone), *dice.repeat(down, (3,), gone, count=True))

    rule = rule_of(both)
    assert dd.odds(rule).to_dict() == of_facts(every_outcome(rule), 0)


def test_a_counter_in_the_state_gives_the_odds_of_count():
    def throw(dice, say, rounds, face):
        return rounds + 1, dice.roll(6)

    own = rule_of(lambda dice: dice.repeat(throw, (0, 0), lambda _rounds, face: face == 6)[0])
    given = rule_of(lambda dice: dice.repeat(lambda d, s, f: (d.roll(6),), (0,), lambda f: f == 6, count=True)[0])
    for odds in (dd.odds(own), dd.odds(given)):
        assert all(odds.exactly(n) == Fraction(1, 6) * Fraction(5, 6) ** (n - 1) for n in range(1, 370))
        assert 0 < odds.remainder < Fraction(1, 10**29)


def test_a_long_count_whose_states_are_first_reached_by_sixes_alone():
    rule = rule_of(lambda dice: dice.repeat(lambda d, s, n: (n + d.roll(6),), (0,), lambda n: n >= 500)[0])
    # The probability to come to each number, by the six before it.
    to = [Fraction(1)]
    for n in range(1, 500):
        to.append(sum(to[max(0, n - 6) :], Fraction(0)) / 6)
    by_hand = {end: sum(to[n] for n in range(end - 6, 500)) / 6 for end in range(500, 506)}
    assert dd.odds(rule).to_dict() == by_hand


def test_an_estimate_throws_the_rounds():
    estimate = dd.estimate(Saves(), "end", samples=2_000, seed=1)
    assert abs(estimate.exactly("stable") - dd.odds(Saves(), "end").exactly("stable")) < Fraction(1, 20)


@every(
    "step",
    [lambda dice, say, n: ((n + dice.roll(6)) % 5,), lambda dice, say, n: (n,)],
)
@every("count", [False, True])
def test_what_never_ends_is_an_error(step, count):
    rule = rule_of(lambda dice: dice.repeat(step, (0,), lambda n: False, count=count))
    with pytest.raises(DiceError, match="no end follows"):
        dd.odds(rule)


def test_what_hardly_ever_ends_is_an_error():
    def step(dice, say, n):
        return (n + 1 if n or dice.tally(40, 10, {10}) == 40 else n,)

    # At once it would end for sure, since the end is no state that is followed.
    assert dd.odds(rule_of(lambda dice: dice.repeat(step, (0,), lambda n: n == 1))).to_dict() == {(1,): 1}
    with pytest.raises(DiceError, match="the rule hardly ever ends"):
        dd.odds(rule_of(lambda dice: dice.repeat(step, (0,), lambda n: n == 2)))


# Errors of a state, in play as in odds


@every(
    ("start", "returned", "error"),
    [
        (2, lambda: (1,), r"'2' is not a state, which is a tuple; write \('2',\), with a comma"),
        ([2], lambda: (1,), "is not a state, which is a tuple"),
        (
            ([],),
            lambda: ([],),
            r"the state '\(\[\],\)' has a value that can change; use tuples instead of lists, sorted",
        ),
        ((2,), lambda: 1, r"'1' is not a state, which is a tuple; write \('1',\), with a comma"),
        ((2, 3), lambda: 1, "'1' is not a state, which is a tuple; return all values"),
        ((2,), lambda: None, "'None' is not a state"),
        (
            (2,),
            lambda: (1, 1),
            r"the step returned '\(1, 1\)', and the state before it is '\(2,\)'; return a value for each",
        ),
        ((2, 3), lambda: (1,), "return a value for each"),
        ((2,), lambda: ([1],), r"the state '\(\[1\],\)' has a value that can change"),
        ((2,), lambda: ({1: 2},), "has a value that can change"),
    ],
)
def test_what_is_not_a_state_is_refused(start, returned, error):
    rule = rule_of(lambda dice: dice.repeat(lambda *_: returned(), start, lambda *state: False))
    for run in (lambda: rule.play(dd.SeededDice(1)), lambda: dd.odds(rule)):
        with pytest.raises(ParameterError, match=error):
            run()


@pytest.mark.parametrize("at", ["step", "until"])
def test_an_error_of_a_step_stays_what_it_is(at):
    def wrong(*_):
        return 1 // 0

    calls = {"step": lambda dice, say, n: (n,), "until": lambda n: False} | {at: wrong}
    rule = rule_of(lambda dice: dice.repeat(calls["step"], (1,), calls["until"]))
    for run in (lambda: rule.play(dd.SeededDice(1)), lambda: dd.odds(rule)):
        with pytest.raises(ZeroDivisionError):
            run()


# What a step may be


class Fixed:
    """A function that is an object."""

    def __call__(self, dice, say, points):
        return down(dice, say, points)


FIXED = Fixed()


class Sided(Mechanic):
    """A rule whose method is the step."""

    sides: int = param(default=3)

    def hit(self, dice: Dice, say: Say, points: int) -> tuple[int]:
        return (max(0, points - dice.roll(self.sides)),)

    def resolve(self, dice: Dice, say: Say) -> Got:
        return Got(dice.repeat(self.hit, (3,), gone, count=True))


def nested(dice):
    def step(dice, say, points):
        return down(dice, say, points)

    return step


def recursive(dice):
    def at_most(number, highest):
        return highest if number > highest else at_most(number + 1, highest)

    def step(dice, say, points):
        return (max(0, points - at_most(0, dice.roll(3))),)

    return step


def mutual(dice):
    def even(number):
        return number == 0 or odd(number - 1)

    def odd(number):
        return number != 0 and even(number - 1)

    def step(dice, say, points):
        die = dice.roll(3)
        return (max(0, points - (die if even(die) or odd(die) else 0)),)

    return step


STEPS = {
    "function": lambda dice: down,
    "lambda": lambda dice: lambda dice, say, points: (max(0, points - dice.roll(3)),),
    "nested": nested,
    "recursive": recursive,
    "mutual": mutual,
    "default": lambda dice: lambda dice, say, points, least=0: (max(least, points - dice.roll(3)),),
    "function as default": lambda dice: (
        lambda dice, say, points, top=lambda a: max(0, a): (top(points - dice.roll(3)),)
    ),
    "keyword default": lambda dice: lambda dice, say, points, *, most=max: (most(0, points - dice.roll(3)),),
    "function as keyword default": lambda dice: (
        lambda dice, say, points, *, top=lambda a: max(0, a): (top(points - dice.roll(3)),)
    ),
    "partial": lambda dice: partial(lambda sides, dice, say, points: (max(0, points - dice.roll(sides)),), 3),
    "partial with a function": lambda dice: partial(
        lambda dice, say, points, top: (top(points - dice.roll(3)),), top=lambda a: max(0, a)
    ),
    "object": lambda dice: FIXED,
    "method of an object": lambda dice: FIXED.__call__,
    "method of equal rules": lambda dice: Sided(sides=3).hit,
}


@every("kind", STEPS)
def test_a_step_may_be_any_function(kind):
    rule = rule_of(lambda dice: dice.repeat(STEPS[kind](dice), (3,), lambda points: points == 0, count=True))
    # 3 points by a d3: at once with a 3; with two throws after 1 (2 or 3) or 2 (any); or 1 1 any.
    by_hand = {(1, 0): Fraction(1, 3), (2, 0): Fraction(5, 9), (3, 0): Fraction(1, 9)}
    assert dd.odds(rule).to_dict() == by_hand
    assert rule.play(dd.ScriptedDice([1, 1, 3])).got == (3, 0)


def test_rules_with_other_parameters_have_other_steps():
    assert Function(Sided(sides=3).hit) == Function(Sided(sides=3).hit)
    assert Function(Sided(sides=3).hit) != Function(Sided(sides=2).hit)
    assert dd.odds(Sided(sides=1)).to_dict() == {(3, 0): 1}


def test_functions_that_hold_other_values_are_other_functions():
    def holding(value):
        return Function(lambda n: n > value)

    assert holding((1, 2)) == holding((1, 2))
    assert holding((1, 2)) != holding((1, 3))
    assert Function(lambda n, m=1: n) != Function(lambda n, m=2: n)
    assert Function(partial(down, say=1)) != Function(partial(down, say=2))
    assert Function(down) != down
    assert len({holding(1), holding(1), holding(2)}) == 2


def around(held):
    return lambda dice, say, n: (held and 0,)


HOLDERS = {
    "closure": around,
    "default": lambda held: lambda dice, say, n, held=held: (0,),
    "keyword default": lambda held: lambda dice, say, n, *, held=held: (0,),
    "partial": lambda held: partial(lambda held, dice, say, n: (0,), held),
    "keyword of partial": lambda held: partial(lambda dice, say, n, held: (0,), held=held),
    "in a tuple": lambda held: around((1, (held,))),
    "in another function": lambda held: around(lambda: held),
}


@every("what", ["dice", "say"])
@every("how", HOLDERS)
def test_a_step_that_holds_the_dice_or_the_working_of_the_rule_is_refused(how, what):
    class Rule(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(dice.repeat(HOLDERS[how]({"dice": dice, "say": say}[what]), (1,), gone))

    with pytest.raises(ParameterError, match="the step throws the dice of the rule around it; name them as its first"):
        dd.odds(Rule())


def test_a_bound_dice_call_is_refused():
    def resolve(dice):
        roll = dice.roll
        return dice.repeat(lambda _dice, say, n: (max(0, n - roll(3)),), (1,), gone)

    with pytest.raises(ParameterError, match="the step throws the dice of the rule around it"):
        dd.odds(rule_of(resolve))


@every("how", HOLDERS)
def test_a_step_that_holds_what_can_change_is_refused(how):
    rule = rule_of(lambda dice: dice.repeat(HOLDERS[how]([1]), (1,), gone))
    with pytest.raises(ParameterError, match="uses a value around it that can change; give tuples instead of lists"):
        dd.odds(rule)


def test_a_condition_that_throws_is_refused():
    rule = rule_of(lambda dice: dice.repeat(down, (1,), lambda points: dice.roll(2) == 1))
    with pytest.raises(ParameterError, match="the step throws the dice of the rule around it"):
        dd.odds(rule)


def test_an_object_made_anew_for_each_round_is_no_function_of_the_dice():
    with pytest.raises(RuntimeError, match="is not a function of its dice"):
        dd.odds(rule_of(lambda dice: dice.repeat(Fixed(), (1,), gone)))
