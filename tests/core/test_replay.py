"""The working: a rule runs again with the recorded faces while its steps are recorded, and must do the same."""

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicedocs import Dice, Faces, Mechanic, Outcome, Say, ScriptedDice, SeededDice, highest, lowest, param
from dicedocs.rules.record import Record

from ..every import every


class Skill(Mechanic):
    """A rule that takes a number."""

    skill: int = param(default=1, low=1)
    skills: tuple[int, ...] = param(default=())

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.sum("Total", dice.roll(6), skill=self.skill))


class Fickle(Mechanic):
    """A rule that does something else while its steps are recorded."""

    what: str = param(default="the same")

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        first = dice.each(6, 6)
        if not say or self.what == "the same":
            return self.Result(sum(first) + dice.roll(6))
        if self.what == "another fact":
            dice.roll(6)
            return self.Result(99)
        if self.what == "fewer dice":
            return self.Result(10)
        if self.what == "more dice":
            return self.Result(sum(first) + dice.roll(6) + 0 * dice.roll(6))
        if self.what == "other dice":
            return self.Result(sum(first) + dice.roll(8))
        first.mark(0, "scratched")
        return self.Result(sum(first) + dice.roll(6))


def test_a_rule_that_does_the_same_has_a_working():
    assert [step.verb for step in Fickle().play(ScriptedDice([5, 1, 4])).steps()] == ["throw", "throw"]


@every(
    ("what", "message"),
    [
        ("another fact", r"Fickle gives total=99 while its steps are recorded, not total=10"),
        ("fewer dice", r"Fickle .*while its steps are recorded"),
        ("more dice", r"the rule throws other dice while its steps are recorded"),
        ("other dice", r"the rule throws other dice while its steps are recorded"),
        ("another mark", r"Fickle .*while its steps are recorded"),
    ],
)
def test_a_rule_that_differs_while_its_steps_are_recorded_is_refused(what, message):
    outcome = Fickle(what=what).play(ScriptedDice([5, 1, 4]))
    assert outcome.total == 10
    with pytest.raises(RuntimeError, match=message):
        outcome.steps()


def test_reading_the_working_changes_nothing():
    outcome = Fickle().play(SeededDice(3))
    before = (outcome.facts(), outcome.thrown, hash(outcome))
    assert outcome.steps() is outcome.steps()
    assert (outcome.facts(), outcome.thrown, hash(outcome)) == before
    assert outcome == Fickle().play(SeededDice(3))


def test_a_face_may_be_a_parameter_of_a_nested_play():
    class Outer(Mechanic):
        class Result(Outcome):
            total: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            again = Skill(skill=dice.roll(20), skills=dice.each(4, 4))
            assert type(again.skill) is int
            assert {type(skill) for skill in again.skills} == {int}
            return self.Result(dice.play(again).total)

    outcome = Outer().play(ScriptedDice([13, 1, 2, 5]))
    assert outcome.total == 18
    assert outcome.steps()[-1].steps[-1].value == 18


def test_a_face_is_an_index_a_key_and_a_count_in_the_working_too():
    class Uses(Mechanic):
        class Result(Outcome):
            total: int
            text: str

        def resolve(self, dice: Dice, say: Say) -> Result:
            count = dice.roll(4)
            faces = dice.pool(*[6] * count, keep=highest(count - 1))
            total = dice.total(count, count + 1) + [0, 10, 20, 30][count] + {2: 5}[faces[0]]
            return self.Result(total, f"{count}/{faces[0]:03}/{faces[0]!r}")

    outcome = Uses().play(ScriptedDice([2, 1, 2, 3, 3]))
    assert outcome.facts() == "total=31, text=2/002/2"
    assert len(outcome.steps()) == 3


def test_each_of_many_single_throws_is_read_once(monkeypatch):
    class Many(Mechanic):
        class Result(Outcome):
            total: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(sum(dice.roll(6) for _ in range(10_000)))

    outcome = Many().play(SeededDice(1))
    read = []
    dice = Record.dice

    def counted(record):
        read.append(len(record.faces))
        return dice(record)

    monkeypatch.setattr(Record, "dice", counted)
    assert len(outcome.steps()) == 10_000
    # All of them are read twice at the end, to compare the dice.
    assert sum(read) <= 3 * 10_000


def test_the_working_of_a_rule_playing_itself_is_as_deep_as_the_play():
    class Again(Mechanic):
        class Result(Outcome):
            count: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(1 + (dice.play(type(self)(), "Again").count if dice.roll(6) == 6 else 0))

    steps = Again().play(ScriptedDice([6] * 50 + [1])).steps()
    depth = 0
    while steps:
        assert steps[0].verb == "throw"
        assert steps[0].terms[0].die == depth + 1
        steps = steps[1].steps if len(steps) > 1 else ()
        depth += 1
    assert depth == 51


ASKS = st.one_of(
    st.tuples(st.just("roll"), st.integers(1, 20)),
    st.tuples(st.just("each"), st.lists(st.integers(1, 20), max_size=4)),
    st.tuples(
        st.just("pool"),
        st.lists(st.integers(1, 20), max_size=4),
        st.none() | st.integers(0, 4).map(highest) | st.integers(0, 4).map(lowest),
        st.sets(st.integers(0, 3)),
    ),
    st.tuples(st.just("total"), st.integers(0, 4), st.integers(1, 20), st.none() | st.integers(0, 4).map(highest)),
    st.tuples(
        st.just("tally"), st.integers(0, 4), st.integers(1, 20), st.lists(st.sets(st.integers(1, 20)), min_size=1)
    ),
    st.tuples(st.just("play"), st.integers(1, 9)),
)


class Random(Mechanic):
    """Dice calls in a given order."""

    asks: ClassVar[Any]  # set on each instance; not a parameter

    class Result(Outcome):
        answers: tuple[object, ...]

    def __init__(self, asks):
        object.__setattr__(self, "asks", asks)

    def resolve(self, dice: Dice, say: Say) -> Result:
        answers: list[Any] = []
        for call, *args in self.asks:
            if call == "roll":
                answers.append(dice.roll(args[0]))
            elif call == "each":
                answers.append(dice.each(*args[0]))
            elif call == "pool":
                unread = {place: "exhausted" for place in args[2] if place < len(args[0])}
                answers.append(dice.pool(*args[0], keep=args[1], unread=unread))
            elif call == "total":
                answers.append(dice.total(args[0], args[1], keep=args[2]))
            elif call == "tally":
                answers.append(dice.tally(args[0], args[1], *args[2]))
            else:
                answers.append(dice.play(Skill(skill=args[0])).total)
            if isinstance(answers[-1], Faces) and answers[-1]:
                answers[-1].mark(len(answers[-1]) - 1, "spent", "Tired")
        return self.Result(tuple(answers))


def throws(steps):
    """The dice of all throw steps, nested ones too, in order."""
    for step in steps:
        yield from throws(step.steps)
        if step.verb == "throw":
            yield from step.terms


@given(asks=st.lists(ASKS, max_size=6), seed=st.integers(0, 10**6))
def test_every_die_has_one_step_in_the_order_thrown(asks, seed):
    outcome = Random(asks).play(SeededDice(seed))
    told = list(throws(outcome.steps()))
    assert [(die.value, die.sides) for die in told] == [(die.face, die.sides) for die in outcome.thrown]
    assert [die.die for die in told] == list(range(1, len(told) + 1))
    assert [die.face for die in outcome.thrown] == list(SeededDice(seed).each(*[die.sides for die in outcome.thrown]))


@given(asks=st.lists(ASKS, max_size=6), seed=st.integers(0, 10**6))
def test_scripted_and_seeded_dice_agree(asks, seed):
    outcome = Random(asks).play(SeededDice(seed))
    script = ScriptedDice(outcome.dice)
    again = Random(asks).play(script)
    script.finish()
    assert (again.answers, again.thrown) == (outcome.answers, outcome.thrown)
