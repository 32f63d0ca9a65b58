"""What is too much to count is refused with what would help, which is then counted."""

from __future__ import annotations

import functools
from math import prod

import pytest

import dicedocs as dd
from dicedocs import Dice, LimitError, Mechanic, Outcome, Say, highest, limits, lowest, param
from dicedocs.probability.dice_calls import Play
from dicedocs.probability.trial_dice import SampledBranches

from .made_rules import rule_of

LARGEST = "the largest dice call is "
REPEAT = "write the loop as dice.repeat(step, state, until), which counts states instead of paths"
FEWER = "throw fewer dice, compute the odds in distribution(), or take samples: estimate(...)"


def refusal(resolve):
    with pytest.raises(LimitError) as caught:
        dd.odds(rule_of(resolve))
    return caught.value


def written(resolve):
    """The call that an error says to write, and nothing else."""
    before, _, call = refusal(resolve).hint.partition("; write ")
    assert before.startswith(LARGEST)
    return call


# Dice that the rule reads less of than it throws


def shadowrun(hits, ones, number):
    """Fives and sixes are hits; more ones than half of the dice are a glitch."""
    return -1 if 2 * ones > number else hits


def counted_in_a_loop(dice, number):
    hits = 0
    for face in dice.each(*[10] * number):
        if face >= 8:
            hits += 1
    return hits


def hits_and_ones(dice, number):
    faces = dice.each(*[6] * number)
    return shadowrun(len([face for face in faces if face >= 5]), faces.count(1), number)


def hits_and_ones_tallied(dice, number):
    ones, hits = dice.tally(number, 6, {1}, {5, 6})
    return shadowrun(hits, ones, number)


def most_alike(faces):
    return max(map(faces.count, faces))


READ = {
    "hits": (8, counted_in_a_loop, "tally(8, 10, {8, 9, 10})", lambda dice, n: dice.tally(n, 10, {8, 9, 10})),
    "hits and ones": (9, hits_and_ones, "tally(9, 6, {1}, {5, 6})", hits_and_ones_tallied),
    "a sum": (8, lambda dice, n: sum(dice.each(*[6] * n)), "total(8, 6)", lambda dice, n: dice.total(n, 6)),
    "a sum of a pool": (
        8,
        lambda dice, n: sum(dice.pool(*[20] * n)),
        "total(8, 20)",
        lambda dice, n: dice.total(n, 20),
    ),
    "dice one by one": (
        20,
        lambda dice, n: sum(dice.roll(6) for _ in range(n)),
        "total(20, 6)",
        lambda dice, n: dice.total(n, 6),
    ),
    "the best": (
        8,
        lambda dice, n: max(dice.each(*[6] * n)),
        "total(8, 6, keep=highest(1))",
        lambda dice, n: dice.total(n, 6, keep=highest(1)),
    ),
    "the worst": (
        8,
        lambda dice, n: min(dice.each(*[6] * n)),
        "total(8, 6, keep=lowest(1))",
        lambda dice, n: dice.total(n, 6, keep=lowest(1)),
    ),
    "the best three": (
        7,
        lambda dice, n: sum(sorted(dice.each(*[6] * n))[-3:]),
        "total(7, 6, keep=highest(3))",
        lambda dice, n: dice.total(n, 6, keep=highest(3)),
    ),
    "the best two, apart": (
        7,
        lambda dice, n: prod(sorted(dice.each(*[6] * n))[-2:]),
        "pool(*[6] * 7, keep=highest(2))",
        lambda dice, n: prod(dice.pool(*[6] * n, keep=highest(2))),
    ),
    "sets": (
        9,
        lambda dice, n: most_alike(dice.each(*[6] * n)),
        "pool(*[6] * 9)",
        lambda dice, n: most_alike(dice.pool(*[6] * n)),
    ),
}


@pytest.mark.parametrize("case", READ)
def test_a_refusal_says_which_call_returns_all_that_the_rule_reads(case):
    number, resolve, call, cured = READ[case]
    assert written(lambda dice: resolve(dice, number)) == f"dice.{call}"
    # What is written so is counted, and with fewer dice it is seen to be the same.
    assert dd.odds(rule_of(lambda dice: cured(dice, number)))
    assert dd.odds(rule_of(lambda dice: cured(dice, 4))) == dd.odds(rule_of(lambda dice: resolve(dice, 4)))


def year_zero(dice):
    faces = dice.each(*[6] * 8)
    again = dice.each(*[6] * sum(1 < face < 6 for face in faces))
    return sum(face == 6 for face in [*faces, *again])


def test_all_calls_of_which_less_is_read_are_named():
    hint = refusal(year_zero).hint
    assert "; write dice.tally(8, 6, {1}, {6}) and dice.tally(" in hint
    assert ", 6, {6}) (test_refusals.py:" in hint
    assert FEWER not in hint


@pytest.mark.parametrize(
    "resolve",
    [
        pytest.param(lambda dice: int("".join(map(str, dice.each(*[6] * 8)))), id="the order is read"),
        pytest.param(lambda dice: dice.each(*[20] * 4)[0] + dice.each(*[20] * 4)[1], id="only some dice are read"),
        pytest.param(lambda dice: sum(dice.each(*range(2, 12))), id="unlike dice"),
        pytest.param(lambda dice: sum(dice.pool(*[6] * 1_000)) * dice.roll(1_000), id="a great many dice"),
    ],
)
def test_nothing_is_made_up_where_no_other_call_would_do(resolve):
    hint = refusal(resolve).hint
    assert hint.startswith(LARGEST)
    assert hint.endswith(f"; {FEWER}")


def test_a_rare_difference_is_seen():
    def seven_ones(dice):
        faces = dice.each(*[6] * 9)
        # Nine dice show that once in 11,000 throws.
        return 100 if faces.count(1) == 7 else sum(face > 4 for face in faces)

    assert written(seven_ones) == "dice.tally(9, 6, {1}, {5, 6})"


# Loops


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


def test_a_loop_is_to_be_repeated():
    hint = refusal(death_saves).hint
    assert hint.startswith(f"{LARGEST}dice.roll(20) (test_refusals.py:")
    assert hint.endswith(f"; {REPEAT}")


@pytest.mark.parametrize("resolve", [craps, exploding, skirmish])
def test_a_rule_that_may_go_on_for_ever_has_no_number_of_branches(resolve):
    error = refusal(resolve)
    assert error.limit == "DICE_CALLS"
    first = resolve.__code__.co_firstlineno
    places = [f"test_refusals.py:{line}, in {resolve.__name__}" for line in range(first, first + 7)]
    assert error.message in {f"the rule may go on for ever ({place}); the limit DICE_CALLS is 250" for place in places}
    assert error.hint.endswith(REPEAT)


def test_the_dice_of_a_loop_are_cured_too():
    assert refusal(skirmish).hint.count("dice.tally(4, 6, {5, 6}) (test_refusals.py:") == 2


def test_a_long_path_that_ends_does_not_go_on_for_ever():
    error = refusal(lambda dice: sum([dice.roll(2), dice.roll(3)][0] for _ in range(200)))
    assert "for ever" not in str(error)


def test_an_endless_rule_is_refused_before_its_paths_are_counted():
    plays = []

    @functools.wraps(exploding)
    def resolve(dice):
        plays.append(None)
        return exploding(dice)

    assert refusal(resolve).limit == "DICE_CALLS"
    assert len(plays) < 10_000


class Wound(Mechanic):
    """A fight whose state has a number that nothing reads."""

    class Result(Outcome):
        left: int

    def wound(self, dice: Dice, say: Say, points: int, rounds: int) -> tuple[int, int]:
        return points - (dice.roll(100) == 1), rounds + 1

    def resolve(self, dice: Dice, say: Say) -> Result:
        points, _ = dice.repeat(self.wound, (20, 0), lambda points, _: points == 0)
        return self.Result(points)


def test_ever_new_states_are_no_number_of_branches(monkeypatch):
    monkeypatch.setattr(limits, "BRANCHES", limits.BRANCHES.fixed(20_000))
    with pytest.raises(LimitError) as caught:
        dd.odds(Wound())
    assert str(caught.value) == (
        "the rule keeps reaching new states; the limit BRANCHES is 20000; leave out of the states of Wound.wound "
        "whatever nothing reads later; dice.repeat(..., count=True) counts the rounds"
    )


# Several calls, one of which is asked for


class Scores(Mechanic):
    class Result(Outcome):
        strength: int
        charisma: int
        total: int
        strong: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        scores = [dice.total(4, 6, keep=highest(3)) for _ in range(6)]
        return self.Result(scores[0], scores[5], sum(scores), scores[2] == 18)


@pytest.mark.parametrize(("fact", "which"), [("strength", "first"), ("charisma", "6th")])
def test_one_of_several_scores_is_a_rule_of_its_own(fact, which):
    with pytest.raises(LimitError) as caught:
        dd.odds(Scores(), fact)
    call, _, rest = caught.value.hint.partition(" (test_refusals.py:")
    assert call == f"only the {which} dice.total(4, 6, keep=highest(3))"
    assert rest.endswith(") decides the answer; make it a rule of its own, play that here, and ask for its odds")


@pytest.mark.parametrize("fact", ["total", "strong"])
def test_where_several_scores_decide_or_none_is_seen_to_none_is_named(fact):
    with pytest.raises(LimitError) as caught:
        dd.odds(Scores(), fact)
    assert "decides" not in caught.value.hint


# Plays


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


@pytest.mark.parametrize(
    "resolve",
    [
        pytest.param(lambda dice: sum(dice.play(Volley(number=n)).total for n in range(20)), id="one after the other"),
        pytest.param(lambda dice: dice.play(Volley(number=dice.roll(40))).total + 1, id="one of many"),
    ],
)
def test_plays_that_are_too_much_together_are_refused_while_the_first_is_counted(resolve):
    plays = []

    class Counted(Volley):
        def resolve(self, dice: Dice, say: Say) -> Volley.Result:
            plays.append(self.number)
            return super().resolve(dice, say)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "Volley", Counted)
        error = refusal(resolve)
    assert "), with at least " in error.hint
    # Each of them has 11,440 branches.
    assert len(plays) < 11_440


def test_plays_that_can_be_counted_are_counted():
    # Two plays of 64 totals; by hand, fourteen dice have a mean of 77.
    assert dd.odds(rule_of(lambda dice: sum(dice.play(Total()).got for _ in range(2)))).mean == 77


# Trials


def test_a_rule_that_reads_all_faces_is_tried_some_times_only():
    plays = []

    def reads_all(dice):
        plays.append(None)
        return int("".join(map(str, dice.each(*[6] * 8))))

    assert refusal(reads_all).hint.endswith(f", with 1679616 branches; {FEWER}")
    assert len(plays) < 3_000


def test_a_rule_that_fails_in_a_trial_is_refused_as_it_is():
    def fails(dice):
        faces = dice.each(*[6] * 8)
        if len(set(faces)) == 1:
            raise ValueError
        return sum(faces)

    assert refusal(fails).hint.startswith(f"{LARGEST}dice.each(*[6] * 8) (test_refusals.py:")


def test_some_results_of_a_play_stand_for_all():
    sampled = SampledBranches({})
    one, other = (Play(rule_of(lambda dice, sides=sides: dice.roll(sides))) for sides in (2, 1_000))
    assert sorted(outcome.got for outcome in sampled[one].results) == [1, 2]
    assert 40 < len(sampled[other].results) <= 60
    assert list(sampled) == [one, other]
