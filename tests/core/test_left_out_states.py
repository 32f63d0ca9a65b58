"""Rules that keep a value beside the state of their rounds: some check of published odds finds each of them.

Each rule is written twice: as it should be, and with one value of its state kept in a variable around the step, or in
an attribute. What holds the odds of rounds against the dice must find the second at the settings that are given here.
"""

# ruff: noqa: ARG005  # a condition takes the whole state, whatever it reads

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import dicedocs as dd
from dicedocs import DiceError
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds

from ..every import every
from .brute_force import every_outcome, of_facts
from .made_rules import rule_of


class Store:
    """Where a rule keeps what it should not."""

    kept: int = 0


class Course(NamedTuple):
    """A rule with rounds.

    Parameters:
        step: given the dice and the state, it returns the next state.
        until: whether a state is the last.
        start: the first state.
        kept: which value of the state is left out.
        got: the fact, given the last state.
    """

    step: Any
    until: Any
    start: tuple[int, ...]
    kept: int
    got: Any

    def rule(self):
        """The rule as it should be."""
        step, until, start, _, got = self
        return rule_of(lambda dice: got(*dice.repeat(lambda d, _say, *state: step(d, *state), start, until)))

    def around(self):
        """The rule that keeps a value in a variable around its step."""
        step, until, start, at, got = self

        def resolve(dice):
            kept = start[at]

            def with_it(state):
                return (*state[:at], kept, *state[at:])

            def mutant(d, _say, *state):
                nonlocal kept
                following = step(d, *with_it(state))
                kept = following[at]
                return (*following[:at], *following[at + 1 :])

            return got(*with_it(dice.repeat(mutant, (*start[:at], *start[at + 1 :]), lambda *s: until(*with_it(s)))))

        return rule_of(resolve)

    def in_an_attribute(self):
        """The rule that keeps a value in an attribute, which no closure shows."""
        step, until, start, at, got = self

        def with_it(state):
            return (*state[:at], Store.kept, *state[at:])

        def mutant(d, _say, *state):
            following = step(d, *with_it(state))
            Store.kept = following[at]
            return (*following[:at], *following[at + 1 :])

        def resolve(dice):
            Store.kept = start[at]
            return got(*with_it(dice.repeat(mutant, (*start[:at], *start[at + 1 :]), lambda *s: until(*with_it(s)))))

        return rule_of(resolve)


def save(dice, good, bad):
    return (good + 1, bad) if dice.roll(2) == 2 else (good, bad + 1)


def skirmish(dice, a, b):
    return max(0, a - dice.tally(b, 2, {2})), max(0, b - dice.tally(a, 2, {2}))


def clock(dice, filled, strain):
    die = dice.roll(3)
    return filled + die, strain + (die == 1)


def push(dice, points, pushes):
    return points + dice.roll(3), pushes + 1


def ammunition(dice, size, turn):
    return (size - 1 if dice.roll(size + 1) == 1 else size), turn + 1


def two_in_a_row(dice, before, run, throws):
    die = dice.roll(2)
    return die, run + 1 if die == before else 1, throws + 1


def caravan(dice, way, food):
    return way + dice.roll(2), food - dice.roll(2)


def escalation(dice, left, bonus):
    return max(0, left - dice.roll(2) - bonus), bonus + 1


def duel(dice, mine, theirs, turn):
    hit = dice.roll(2) - 1
    return (mine - hit, theirs, 0) if turn else (mine, theirs - hit, 1)


def improving(dice, skill, sessions):
    return (skill + 1 if dice.roll(4) > skill else skill), sessions + 1


def both(*state):
    return sum(digit * 10**at for at, digit in enumerate(state))


def three_of_two(good, bad):
    return 2 in {good, bad}


def one_gone(a, b):
    return 0 in {a, b}


COURSES = {
    "saves: the good": Course(save, three_of_two, (0, 0), 0, both),
    "saves: the bad": Course(save, three_of_two, (0, 0), 1, both),
    "clock: how full": Course(clock, lambda filled, strain: filled >= 4, (0, 0), 0, both),
    "clock: the strain": Course(clock, lambda filled, strain: filled >= 4, (0, 0), 1, both),
    "push: the points": Course(push, lambda points, pushes: points > 4 or pushes == 3, (0, 0), 0, both),
    "push: how often": Course(push, lambda points, pushes: points > 4 or pushes == 3, (0, 0), 1, both),
    "ammunition: its die": Course(ammunition, lambda size, turn: not size or turn == 4, (2, 0), 0, both),
    "ammunition: the turn": Course(ammunition, lambda size, turn: not size or turn == 4, (2, 0), 1, both),
    "a run: the last": Course(two_in_a_row, lambda last, run, throws: run == 3 or throws == 4, (0, 0, 0), 0, both),
    "a run: how long": Course(two_in_a_row, lambda last, run, throws: run == 3 or throws == 4, (0, 0, 0), 1, both),
    "a run: the throws": Course(two_in_a_row, lambda last, run, throws: run == 3 or throws == 4, (0, 0, 0), 2, both),
    "caravan: the way": Course(caravan, lambda way, food: way >= 4 or food <= 0, (0, 4), 0, lambda w, f: 10 * w + f),
    "caravan: the food": Course(caravan, lambda way, food: way >= 4 or food <= 0, (0, 4), 1, lambda w, f: 10 * w + f),
    "escalation: what is left": Course(escalation, lambda left, bonus: not left, (6, 0), 0, both),
    "escalation: the bonus": Course(escalation, lambda left, bonus: not left, (6, 0), 1, both),
    "improving: the skill": Course(improving, lambda skill, sessions: sessions == 3, (1, 0), 0, both),
    "improving: the sessions": Course(improving, lambda skill, sessions: sessions == 3, (1, 0), 1, both),
}
ENDLESS = {
    "skirmish: one side": Course(skirmish, one_gone, (2, 2), 0, both),
    "skirmish: the other": Course(skirmish, one_gone, (2, 2), 1, both),
    "duel: mine": Course(duel, lambda mine, theirs, turn: 0 in {mine, theirs}, (2, 2, 0), 0, both),
    "duel: theirs": Course(duel, lambda mine, theirs, turn: 0 in {mine, theirs}, (2, 2, 0), 1, both),
    "duel: whose turn": Course(duel, lambda mine, theirs, turn: 0 in {mine, theirs}, (2, 1, 0), 2, both),
}
KEPT = {
    f"{name}, {how}": getattr(course, how)()
    for name, course in (COURSES | ENDLESS).items()
    for how in ("around", "in_an_attribute")
}


@every("name", COURSES)
def test_the_rules_as_they_should_be_against_every_sequence_of_faces(name):
    rule = COURSES[name].rule()
    assert run_to_end(verified_odds(rule)).to_dict() == of_facts(every_outcome(rule), 0)


@pytest.mark.parametrize("name", ENDLESS)
def test_the_endless_rules_as_they_should_be_are_published(name):
    rule = ENDLESS[name].rule()
    assert run_to_end(verified_odds(rule)) == dd.odds(rule)


@every("name", KEPT)
def test_a_value_that_is_left_out_of_the_state_is_found(name):
    with pytest.raises((DiceError, RuntimeError)):
        run_to_end(verified_odds(KEPT[name]))
