"""``dice.sweep``: pools that are read face by face, against all throws of their dice."""
# ruff: noqa: ARG005  # a step takes the state, the face and the numbers, whatever it uses

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Dice, LimitError, Mechanic, ParameterError, Say
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds

from ..every import every
from ..examples import many
from .made_rules import Got, rule_of

tried = settings(max_examples=many(60), deadline=None, derandomize=True, database=None)


def sweep_of(step, start, *pools, labels=()):
    """A rule with one fact, what a sweep comes to."""
    return rule_of(lambda dice: dice.sweep(step, start, *pools, labels=labels))


def all_throws(step, start, *pools):
    """The odds by every throw of all dice, each read from the highest face down."""
    sides = [side for pool in pools for side in pool]
    found: dict[object, Fraction] = {}
    for faces in product(*(range(1, side + 1) for side in sides)):
        left, shown = list(faces), []
        for pool in pools:
            shown.append(left[: len(pool)])
            left = left[len(pool) :]
        state = start
        for face in reversed(range(1, max(sides, default=0) + 1)):
            state = step(state, face, *(pool.count(face) for pool in shown))
        found[state] = found.get(state, Fraction(0)) + Fraction(1, prod(sides))
    return found


def everything(state, face, *numbers):
    return (*state, (face, *numbers))


def sets(state, face, number):
    return (*state, number) if number > 1 else state


def highest_two(state, face, number):
    return (*state, *[face] * number)[:2]


def longest_run(state, face, number):
    best, run = state
    run = run + 1 if number else 0
    return max(best, run), run


def by_ranks(state, face, mine, theirs):
    """The dice are paired from the highest down; of two that are equal, theirs wins."""
    left_of_mine, left_of_theirs, won = state
    paired = min(left_of_theirs, mine)
    left_of_mine, left_of_theirs = left_of_mine + mine - paired, left_of_theirs - paired
    paired = min(left_of_mine, theirs)
    return left_of_mine - paired, left_of_theirs + theirs - paired, won + paired


SWEEPS = {
    "everything": (everything, (), [6, 6]),
    "everything of two": (everything, (), [3, 3], [4]),
    "different sides": (everything, (), [2, 4, 3], [5, 1]),
    "three pools": (everything, (), [2], [3, 2], [2]),
    "an empty pool beside another": (everything, (), [], [3]),
    "an empty pool after another": (everything, (), [3], []),
    "empty pools": (everything, (), [], []),
    "no pool": (everything, ()),
    "one-sided dice": (everything, (), [1, 1], [1]),
    "one-sided dice beside others": (everything, (), [1, 4, 1]),
    "sets": (sets, (), [4] * 5),
    "the highest two": (highest_two, (), [4, 6, 2, 3]),
    "the longest run": (longest_run, (0, 0), [5] * 4),
    "by ranks": (by_ranks, (0, 0, 0), [4, 4], [4, 4, 3]),
}


@every("which", SWEEPS)
def test_a_sweep_against_all_throws(which):
    odds = dd.odds(sweep_of(*SWEEPS[which]))
    assert odds.to_dict() == all_throws(*SWEEPS[which])
    assert odds.remainder == 0
    assert run_to_end(verified_odds(sweep_of(*SWEEPS[which]))) == odds


def table_step(table):
    """A step that looks up the next state by what it is given."""
    return lambda state, face, *numbers: table[(7 * state + 3 * face + sum(n * n + n for n in numbers)) % len(table)]


@tried
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=9).map(tuple),
    st.lists(st.lists(st.integers(1, 4), max_size=3), max_size=3).filter(lambda pools: sum(map(len, pools)) <= 5),
)
def test_random_steps_and_pools_against_all_throws(table, pools):
    odds = dd.odds(sweep_of(table_step(table), 0, *pools))
    assert odds.to_dict() == all_throws(table_step(table), 0, *pools)


# In play


def test_faces_are_read_from_the_highest_down_also_those_that_no_die_shows():
    rule = sweep_of(everything, (), [6, 4], [3])
    assert rule.play(dd.ScriptedDice([6, 3, 3])).got == (
        (6, 1, 0), (5, 0, 0), (4, 0, 0), (3, 1, 1), (2, 0, 0), (1, 0, 0),
    )  # fmt: skip


def test_the_pools_are_thrown_one_after_the_other():
    outcome = sweep_of(everything, (), [6, 4], [3]).play(dd.SeededDice(1))
    assert [die.sides for die in outcome.thrown] == [6, 4, 3]
    with pytest.raises(ParameterError, match="die 3 is a d3 and cannot show 4"):
        sweep_of(everything, (), [6, 4], [3]).play(dd.ScriptedDice([1, 2, 4]))


def test_a_sweep_of_no_dice_is_the_start():
    assert sweep_of(everything, "start").play(dd.ScriptedDice([])).got == "start"
    assert sweep_of(everything, "start", [], []).play(dd.ScriptedDice([])).got == "start"


def test_pools_are_thrown_and_drawn_by_their_labels():
    outcome = sweep_of(sets, (), [10, 10], labels=["The pool"]).play(dd.ScriptedDice([7, 7]))
    assert str(outcome) == "The pool: 2d10: 7 7"
    assert [step.label for step in outcome.steps()] == ["The pool"]
    assert "The pool" in outcome.to_html()
    both = sweep_of(by_ranks, (0, 0, 0), [6, 6], [6], labels=("Mine", "Theirs")).play(dd.ScriptedDice([5, 2, 6]))
    assert [step.label for step in both.steps()] == ["Mine", "Theirs"]
    assert both.got == (1, 0, 0)
    assert (
        sweep_of(everything, (), [], [4], labels=("None", "One")).play(dd.ScriptedDice([4])).steps()[0].label == "One"
    )
    assert sweep_of(everything, (), [4]).play(dd.ScriptedDice([4])).steps()[0].label == "Dice"


def test_a_sweep_is_replayed_estimated_and_found():
    rule = sweep_of(longest_run, (0, 0), [6] * 4)
    outcome = rule.play(dd.SeededDice(3))
    assert rule.play(dd.ScriptedDice(outcome.dice)).got == outcome.got
    estimate = dd.estimate(rule, samples=1_000, seed=2)
    assert all(abs(estimate.exactly(value) - p) < Fraction(1, 15) for value, p in dd.odds(rule).to_dict().items())


def test_many_dice_of_many_sides_are_read_once():
    dice = [1_000_000] * 2_000
    assert sweep_of(lambda state, face, number: state + number, 0, dice).play(dd.SeededDice(1)).got == 2_000


# In rounds and in plays


def test_a_sweep_in_a_round():
    class Rule(Mechanic):
        def round(self, dice: Dice, say: Say, left: int) -> tuple[int]:
            return (dice.sweep(lambda best, face, number: max(best, number), 0, [2] * left) - 1,)

        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(dice.repeat(self.round, (3,), lambda left: left <= 1, count=True))

    # Of 3 dice all are alike in 1 of 4 throws, otherwise 2; of 2 dice in half, or 1.
    odds = dd.odds(Rule())
    assert odds.to_dict() == {(1, 1): Fraction(3, 4), (2, 1): Fraction(1, 8), (2, 0): Fraction(1, 8)}


# What is refused


@every(
    ("sweep", "error"),
    [
        (lambda dice: dice.sweep(everything, [], [6]), r"the state '\[\]' has a value that can change; use tuples"),
        (
            lambda dice: dice.sweep(lambda state, face, number: [], (), [6]),
            r"the state '\[\]' has a value that can change",
        ),
        (lambda dice: dice.sweep(everything, (), 6), "are not pools; give the sides of each pool, such as"),
        (lambda dice: dice.sweep(everything, (), "6"), "are not pools"),
        (lambda dice: dice.sweep(everything, (), [[6]]), r"'\[6\]' is not a number of sides; give a whole number"),
        (lambda dice: dice.sweep(everything, (), ["6"]), "'6' is not a number of sides"),
        (lambda dice: dice.sweep(everything, (), [0]), "a die cannot have 0 sides"),
        (lambda dice: dice.sweep(everything, (), [6], [4, -1]), "a die cannot have -1 sides"),
        (
            lambda dice: dice.sweep(everything, (), [6], labels="One"),
            "does not label the pools; give a text for each of 1",
        ),
        (lambda dice: dice.sweep(everything, (), [6], labels=["One", "Two"]), "does not label the pools"),
        (lambda dice: dice.sweep(everything, (), [6], labels=[1]), "does not label the pools"),
    ],
)
def test_wrong_arguments_are_refused_in_play_and_in_odds(sweep, error):
    class Rule(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(sweep(dice))

    for run in (lambda: Rule().play(dd.SeededDice(1)), lambda: dd.odds(Rule())):
        with pytest.raises(ParameterError, match=error):
            run()


def test_an_error_of_a_step_stays_what_it_is():
    rule = sweep_of(lambda state, face, number: 1 // (face - 1), 0, [3])
    for run in (lambda: rule.play(dd.SeededDice(1)), lambda: dd.odds(rule)):
        with pytest.raises(ZeroDivisionError):
            run()


def test_a_step_that_throws_is_refused():
    class Rule(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(dice.sweep(lambda state, face, number: dice.roll(6), 0, [3]))

    with pytest.raises(ParameterError, match="the step throws the dice of the rule around it"):
        dd.odds(Rule())


def test_a_sweep_of_too_many_states_is_refused():
    with pytest.raises(LimitError) as caught:
        dd.odds(sweep_of(lambda state, face, number: (31 * state + face * number) % 5_000, 0, [20] * 20))
    assert caught.value.limit == "PAIRS"


# What a step keeps outside of its state


def test_a_step_that_keeps_something_beside_its_state_is_found():
    class Rule(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            seen = 0

            def at_most_two(total, face, number):
                nonlocal seen
                seen += number
                return total + face * number if seen <= 2 else total

            return Got(dice.sweep(at_most_two, 0, [4, 4, 4]))

    with pytest.raises(dd.DiceError, match=r"following its states gives .* let a round read only its state"):
        run_to_end(verified_odds(Rule()))
