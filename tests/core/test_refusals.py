"""What is too much to count is refused soon, with one message: the largest dice call, and what to write instead."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import dicedocs as dd
from dicedocs import Dice, LimitError, Mechanic, Outcome, Say, highest, limits, param
from dicedocs.rules.registry import mechanic

from ..fuzz.watch import slowness
from .made_rules import rule_of

OTHERWISE = (
    "take samples: estimate(...), or raise the limit (dicedocs_limits, --limit, raise_limits); "
    'see "Too much to count" in the guide'
)
CALLS = (
    "ask for less, as with dice.tally(...), dice.total(...) or keep=highest(...), write a loop as dice.repeat(...), "
    f"make a part a rule of its own, {OTHERWISE}"
)
STATES = f"keep in the states only what later rounds read, count rounds with count=True, {OTHERWISE}"
SECONDS = 2
"""The processor time until a rule is refused."""


def refusal(rule, *facts):
    with pytest.raises(LimitError) as caught:
        dd.odds(rule, *facts)
    return caught.value


def ordered(dice):
    return int("".join(map(str, dice.each(*[6] * 8))))


def death_saves(dice):
    good = bad = 0
    while good < 3 and bad < 3:
        face = dice.roll(20)
        if face == 20:
            return 10
        good += face >= 10
        bad += 2 if face == 1 else face < 10
    return good - bad


def craps(dice):
    point = dice.roll(6) + dice.roll(6)
    while True:
        total = dice.roll(6) + dice.roll(6)
        if total in {7, point}:
            return total


def exploding(dice):
    total = face = dice.roll(100)
    while face >= 96:
        face = dice.roll(100)
        total += face
    return total


def skirmish(dice):
    a = b = 4
    while a > 0 and b > 0:
        a, b = a - sum(f > 4 for f in dice.each(*[6] * b)), b - sum(f > 4 for f in dice.each(*[6] * a))
    return a - b


class Wound(Mechanic):
    """A fight whose state has a number that nothing reads."""

    class Result(Outcome):
        left: int

    def wound(self, dice: Dice, say: Say, points: int, rounds: int) -> tuple[int, int]:
        return points - (dice.roll(100) == 1), rounds + 1

    def resolve(self, dice: Dice, say: Say) -> Result:
        points, _ = dice.repeat(self.wound, (20, 0), lambda points, _: points == 0)
        return self.Result(points)


class Scores(Mechanic):
    class Result(Outcome):
        strength: int
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        scores = [dice.total(4, 6, keep=highest(3)) for _ in range(6)]
        return self.Result(scores[0], sum(scores))


class Volley(Mechanic):
    """A part with many outcomes."""

    number: int = param(default=0)

    class Result(Outcome):
        shown: tuple[int, ...]
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = dice.pool(*[10] * 7)
        return self.Result(tuple(faces), sum(faces) + self.number)


class Total(Mechanic):
    class Result(Outcome):
        got: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(sum(dice.pool(*[10] * 7)))


def one_after_the_other(dice):
    return sum(dice.play(Volley(number=n)).total for n in range(20))


def one_of_many(dice):
    return dice.play(Volley(number=dice.roll(40))).total + 1


def place_of(function, line):
    return f"test_refusals.py:{function.__code__.co_firstlineno + line}, in {function.__name__}"


def test_the_message_names_the_largest_call_where_it_is_and_what_to_write():
    cases = {
        ordered: (
            "1679616 branches of one enumeration; the limit BRANCHES is 55000; the largest dice call is "
            f"dice.each(*[6] * 8) ({place_of(ordered, 1)}), with 1679616 branches; {CALLS}"
        ),
        skirmish: (
            "251 dice calls on one path of an enumeration; the limit DICE_CALLS is 250; the largest dice call is "
            f"dice.each(*[6] * 4) ({place_of(skirmish, 3)}), with 1296 branches, made 251 times; {CALLS}"
        ),
    }
    assert {resolve.__name__: str(refusal(rule_of(resolve))) for resolve in cases} == {
        resolve.__name__: message for resolve, message in cases.items()
    }


def test_the_guide_has_the_section_that_the_message_names():
    guide = Path(__file__).parents[2] / "docs" / "guide" / "odds.md"
    _, section, _ = OTHERWISE.split('"')
    assert f"\n## {section}\n" in guide.read_text("utf-8")


def test_calls_in_one_line_are_counted_together():
    hint = refusal(rule_of(craps)).hint
    call, _, times = hint.partition(", with 6 branches, made ")
    assert call == f"the largest dice call is dice.roll(6) ({place_of(craps, 3)})"
    # All but the two of the first line are made by the loop.
    assert int(times.partition(" times; ")[0]) % 2 == 0


def test_states_are_cured_otherwise_than_calls():
    assert str(refusal(Wound())) == (
        "55001 branches of one enumeration; the limit BRANCHES is 55000; the largest dice call is "
        f"dice.roll(100) ({place_of(Wound.wound, 1)}), with 100 branches; {STATES}"
    )


def test_notation_has_no_line_and_no_calls_to_write():
    hint = refusal(mechanic("dice/roll")(notation="12d20>=15f1"), "successes", "failures").hint
    # 20 to the power of 12 has 16 digits and begins with a 4.
    call = "the largest dice call is dice.each(*[20] * 12), with about 10^16 branches"
    assert hint == f"{call}; throw fewer dice, {OTHERWISE}"


def test_a_rule_that_fails_when_it_is_asked_again_is_refused_as_it_is():
    plays = []

    def fails(dice):
        plays.append(None)
        if len(plays) > 1:
            raise ValueError
        return sum(dice.each(*[6] * 8))

    assert refusal(rule_of(fails)).hint == CALLS


def test_a_call_that_is_not_counted_yet_is_not_named():
    def repeats_at_last(dice):
        for _ in range(limits.DICE_CALLS.maximum):
            dice.roll(1)
        return dice.repeat(lambda dice, _, heads: (heads + dice.roll(2),), (0,), lambda heads: heads > 3)

    assert "the largest dice call is dice.roll(1) (" in refusal(rule_of(repeats_at_last)).hint


FEW = [*map(rule_of, (ordered, exploding, one_of_many)), Wound()]
MORE = [*map(rule_of, (death_saves, craps, skirmish, one_after_the_other)), Scores(), mechanic("ember/blaze")(trait=20)]


@pytest.mark.parametrize("rules", [FEW, pytest.param(MORE, marks=pytest.mark.thorough)], ids=["few", "more"])
def test_a_rule_is_refused_within_two_seconds(rules):
    late = []
    for rule in rules:
        started = time.process_time()
        hint = refusal(rule).hint
        seconds = time.process_time() - started
        assert hint.startswith("the largest dice call is "), rule
        if seconds > SECONDS * slowness():
            late.append((rule, seconds))
    assert not late


def test_what_is_refused_is_played_no_more_often_than_the_limit_allows():
    plays = []

    def resolve(dice):
        plays.append(None)
        return exploding(dice)

    refusal(rule_of(resolve))
    assert len(plays) < 1.1 * limits.BRANCHES.maximum


def test_plays_that_can_be_counted_are_counted():
    # Two plays of 64 totals; by hand, fourteen dice have a mean of 77.
    assert dd.odds(rule_of(lambda dice: sum(dice.play(Total()).got for _ in range(2)))).mean == 77
