"""Dice: seeds, scripted faces, the dice calls of a rule, and the record of the dice."""

import itertools
import math
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicedocs import (
    Dice,
    Die,
    LimitError,
    Mechanic,
    Outcome,
    ParameterError,
    Say,
    ScriptedDice,
    SeededDice,
    highest,
    limits,
    lowest,
    param,
)

from ..every import every

# Seeds


@every(
    ("one", "other"),
    [
        (7, "7"),
        (-3, "-3"),
        (7, " 7 "),
        (7, "007"),
        (0, "-0"),
        (10**40, "1" + "0" * 40),
        (-(10**40), "-1" + "0" * 40),
    ],
)
def test_text_of_digits_is_that_number(one, other):
    assert SeededDice(one).each(*[1000] * 20) == SeededDice(other).each(*[1000] * 20)


@every(("one", "other"), [(-3, 3), ("a", "A"), ("a", "a "), ("3.0", 3), ("+3", 3), ("３", 3)])
def test_other_seeds_differ(one, other):
    assert SeededDice(one).each(*[1000] * 20) != SeededDice(other).each(*[1000] * 20)


@every("seed", [True, False, 1.0, b"7", ("a",), [1], 1 + 0j], ids=repr)
def test_other_types_are_not_seeds(seed):
    with pytest.raises(ParameterError) as caught:
        SeededDice(seed)
    assert caught.value.parameter == "seed"
    assert caught.value.hint == "a seed is a whole number or text"


def test_a_number_stands_for_a_list_of_one():
    assert ScriptedDice(4).roll(6) == 4


def test_text_that_cannot_be_encoded_is_not_a_seed():
    with pytest.raises(ParameterError) as caught:
        SeededDice("\udc80")
    assert str(caught.value) == "seed: '�' is not a seed: it cannot be encoded"


@every(
    "seed",
    ["9" * 10_000, "-" + "9" * 10_000, 10**10_000, -(10**10_000), "a" * 10_000],
    ids=["text", "negative text", "number", "negative number", "words"],
)
def test_the_length_of_a_seed_is_limited(seed):
    with pytest.raises(LimitError) as caught:
        SeededDice(seed)
    assert (caught.value.parameter, caught.value.limit) == ("seed", "SEED")


def test_without_a_seed_the_dice_are_random():
    assert SeededDice().each(*[1000] * 20) != SeededDice().each(*[1000] * 20)
    assert SeededDice(None).each(*[1000] * 20) != SeededDice(None).each(*[1000] * 20)


# Randomness


@every("sides", [2, 3, 5, 6, 7, 10, 20, 33, 100, 129])
def test_faces_are_uniform(sides):
    count = 300 * sides
    tallied = [0] * sides
    dice = SeededDice("uniform")
    for _ in range(300):
        for face in dice.each(*[sides] * sides):
            tallied[face - 1] += 1
    freedom = sides - 1
    squares = sum((seen - count / sides) ** 2 for seen in tallied) / (count / sides)
    assert squares < freedom + 4 * math.sqrt(2 * freedom)
    assert freedom == 1 or squares > max(0, freedom - 4 * math.sqrt(2 * freedom))


def test_a_die_with_one_side_uses_no_random_bits():
    mixed = SeededDice(1)
    assert mixed.each(1, 1, 1) == (1, 1, 1)
    assert mixed.total(5000, 1) == 5000
    assert mixed.each(20, 20, 20) == SeededDice(1).each(20, 20, 20)


def test_a_million_sides():
    assert all(1 <= face <= 1_000_000 for face in SeededDice(1).each(*[1_000_000] * 100))


# Scripted dice


@every(
    "faces",
    [[4, 2, 5], (4, 2, 5), "4 2 5", " 4,2 , 5\n", iter([4, 2, 5]), range(4, 7)],
    ids=["list", "tuple", "text", "commas", "iterator", "range"],
)
def test_faces_are_numbers_or_text(faces):
    dice = ScriptedDice(faces)
    assert len(dice.each(6, 6, 6)) == 3
    dice.finish()


@every(
    ("faces", "message"),
    [
        ("4 x", "dice: 'x' is not a face; write the faces as numbers: 4 2 5"),
        ("4 -1", "dice: '-1' is not a face; write the faces as numbers: 4 2 5"),
        ("4 2.5", "dice: '2.5' is not a face; write the faces as numbers: 4 2 5"),
        ("\uff14", "dice: '\uff14' is not a face; write the faces as numbers: 4 2 5"),
        ([4, "2"], "dice: '2' is not a face; give the faces as whole numbers: [4, 2, 5]"),
        ([True], "dice: 'True' is not a face; give the faces as whole numbers: [4, 2, 5]"),
        ([4.0], "dice: '4.0' is not a face; give the faces as whole numbers: [4, 2, 5]"),
        (None, "dice: 'None' is not a face; give the faces as whole numbers: [4, 2, 5]"),
    ],
    ids=repr,
)
def test_invalid_faces(faces, message):
    with pytest.raises(ParameterError) as caught:
        ScriptedDice(faces)
    assert str(caught.value) == message


@every(
    ("faces", "message"),
    [
        ([], "dice: die 1 is a d6, and no face is given; give a face for each die that is thrown"),
        ([4], "dice: die 2 is a d6, and 1 face is given; give a face for each die that is thrown"),
        ([4, 2], "dice: die 3 is a d6, and 2 faces are given; give a face for each die that is thrown"),
        ([4, 7, 1], "dice: die 2 is a d6 and cannot show 7; give a face from 1 to 6"),
        ([0, 7, 1], "dice: die 1 is a d6 and cannot show 0; give a face from 1 to 6"),
        ([4, 7], "dice: die 2 is a d6 and cannot show 7; give a face from 1 to 6"),
        ([4, 5, -1], "dice: die 3 is a d6 and cannot show -1; give a face from 1 to 6"),
    ],
    ids=repr,
)
def test_scripted_faces_must_fit_the_dice(faces, message):
    for throw in (lambda dice: dice.each(6, 6, 6), lambda dice: dice.total(3, 6), lambda dice: dice.pool(6, 6, 6)):
        with pytest.raises(ParameterError) as caught:
            throw(ScriptedDice(faces))
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("thrown", "message"),
    [
        (0, "dice: 3 faces are given, and 0 thrown; give only the dice that are thrown"),
        (2, "dice: 3 faces are given, and 2 thrown; give only the dice that are thrown: d6, d6"),
    ],
)
def test_scripted_faces_must_be_used_up(thrown, message):
    dice = ScriptedDice([4, 2, 5])
    dice.each(*[6] * thrown)
    with pytest.raises(ParameterError) as caught:
        dice.finish()
    assert str(caught.value) == message


@every("faces", [[1] * 10_001, "1 " * 10_001, "1," * 10_001, "1 " * 1_000_000, itertools.repeat(1)])
def test_the_number_of_scripted_faces_is_limited(faces):
    with pytest.raises(LimitError) as caught:
        ScriptedDice(faces)
    assert caught.value.limit == "DICE"


def test_as_many_scripted_faces_as_the_limit():
    assert ScriptedDice("10 " * 10_000).total(10_000, 10) == 100_000


@every("face", [10**12, 10**5000, -(10**5000), "9" * 13], ids=["long", "longer", "low", "text"])
def test_the_digits_of_a_face_are_limited(face):
    with pytest.raises((ParameterError, LimitError)):
        ScriptedDice([face] if isinstance(face, int) else face).roll(6)


# The dice calls with scripted faces; the expected values are worked out by hand.


class Calling(Mechanic):
    """A rule that makes a given dice call."""

    call: ClassVar[Any]  # set on each instance; not a parameter

    class Result(Outcome):
        answer: Any

    def __init__(self, call):
        object.__setattr__(self, "call", call)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(self.call(dice))


def call_dice(faces, call):
    """The result of a dice call, and the dice recorded."""
    outcome = Calling(call).play(ScriptedDice(faces))
    return outcome.answer, outcome.thrown


def test_roll_returns_one_face():
    assert call_dice([17], lambda dice: dice.roll(20)) == (17, (Die(20, 17),))


def test_equal_dice_are_thrown_at_once_and_show_what_they_show_one_by_one():
    calls = []

    class Noted(SeededDice):
        def throw(self, count, sides):
            calls.append((count, sides))
            return super().throw(count, sides)

    one_by_one = SeededDice(7)
    assert Noted(7).each(10, 10, 10) == tuple(one_by_one.roll(10) for _ in range(3))
    Noted(7).each(10, 10, 8)
    assert calls == [(3, 10), (1, 10), (1, 10), (1, 8)]


def test_of_too_many_equal_dice_the_first_one_too_many_is_refused():
    class Many(Mechanic):
        class Result(Outcome):
            number: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(len(dice.each(*[6] * 6_000)) + len(dice.each(*[6] * 6_000)))

    with pytest.raises(LimitError, match="10001 dice in one play"):
        Many().play(SeededDice(1))


def test_each_returns_faces_in_the_order_thrown():
    answer, thrown = call_dice([5, 3, 10], lambda dice: dice.each(6, 8, 10))
    assert answer == (5, 3, 10)
    assert thrown == (Die(6, 5), Die(8, 3), Die(10, 10))
    assert call_dice([], lambda dice: dice.each()) == ((), ())


def test_pool_returns_faces_in_order_of_size_and_records_them_in_the_order_thrown():
    answer, thrown = call_dice([5, 2, 6], lambda dice: dice.pool(6, 8, 10))
    assert answer == (2, 5, 6)
    assert thrown == (Die(6, 5), Die(8, 2), Die(10, 6))


@every(
    ("faces", "keep", "answer", "dropped"),
    [
        ([5, 2, 6, 1], highest(2), (5, 6), [1, 3]),
        ([5, 2, 6, 1], lowest(2), (1, 2), [0, 2]),
        ([5, 2, 6, 1], highest(0), (), [0, 1, 2, 3]),
        ([5, 2, 6, 1], lowest(0), (), [0, 1, 2, 3]),
        ([5, 2, 6, 1], highest(9), (1, 2, 5, 6), []),
        ([5, 2, 6, 1], lowest(4), (1, 2, 5, 6), []),
        ([4, 4, 4, 4], highest(1), (4,), [1, 2, 3]),
        ([4, 4, 4, 4], lowest(2), (4, 4), [2, 3]),
        ([3, 6, 3, 3], highest(2), (3, 6), [2, 3]),
        ([3, 1, 3, 3], lowest(3), (1, 3, 3), [3]),
    ],
)
def test_keep_drops_the_rest_and_keeps_the_first_thrown_of_equal_dice(faces, keep, answer, dropped):
    pooled, thrown = call_dice(faces, lambda dice: dice.pool(6, 6, 6, 6, keep=keep))
    assert pooled == answer
    assert [place for place, die in enumerate(thrown) if die.state == "dropped"] == dropped
    summed, thrown = call_dice(faces, lambda dice: dice.total(4, 6, keep=keep))
    assert summed == sum(answer)
    assert [place for place, die in enumerate(thrown) if die.state == "dropped"] == dropped


@every("keep", [None, highest(3), lowest(3)])
def test_of_equal_dice_the_first_thrown_comes_first(keep):
    def call(dice):
        faces = dice.pool(6, 6, 6, keep=keep)
        faces.mark(0, "scratched")
        return faces

    assert [die.state for die in call_dice([4, 4, 4], call)[1]] == ["scratched", "", ""]


def test_unread_dice_are_thrown_marked_and_neither_kept_nor_counted():
    answer, thrown = call_dice(
        [6, 2, 5, 4, 3], lambda dice: dice.pool(6, 6, 8, 6, 6, keep=highest(2), unread={0: "scratched", 2: "exhausted"})
    )
    assert answer == (3, 4)
    assert [(die.face, die.state) for die in thrown] == [
        (6, "scratched"),
        (2, "dropped"),
        (5, "exhausted"),
        (4, ""),
        (3, ""),
    ]


def test_all_dice_unread():
    answer, thrown = call_dice([6, 2], lambda dice: dice.pool(6, 6, unread={0: "scratched", 1: "scratched"}))
    assert answer == ()
    assert [die.state for die in thrown] == ["scratched", "scratched"]


@every("place", [-1, 2, 7])
def test_an_unread_die_must_be_one_of_the_dice_thrown(place):
    with pytest.raises(ParameterError):
        call_dice([6, 2, 1], lambda dice: dice.pool(6, 6, unread={place: "scratched"}))


def test_unread_dice_are_indexes_of_the_call_not_of_the_play():
    def call(dice):
        dice.each(20, 20)
        return dice.pool(6, 6, 6, keep=lowest(1), unread={1: "scratched"})

    answer, thrown = call_dice([20, 20, 6, 1, 5], call)
    assert answer == (5,)
    assert [die.state for die in thrown] == ["", "", "dropped", "scratched", ""]


def test_total_returns_a_sum():
    assert call_dice([4, 2, 5], lambda dice: dice.total(3, 6)) == (11, (Die(6, 4), Die(6, 2), Die(6, 5)))
    assert call_dice([], lambda dice: dice.total(0, 6)) == (0, ())


@every(
    ("classes", "answer"),
    [
        ([{8, 9, 10}], 3),
        ([{8, 9, 10}, {10}], (3, 2)),
        ([{10}, {8, 9, 10}, {1}], (2, 3, 1)),
        ([set()], 0),
        ([[10]], 2),
        ([range(1, 11), range(1, 11)], (5, 5)),
        ([{99}], 0),
    ],
)
def test_tally_counts_the_faces_of_each_class(classes, answer):
    assert call_dice([8, 10, 3, 1, 10], lambda dice: dice.tally(5, 10, *classes))[0] == answer


def test_a_tally_of_no_dice():
    assert call_dice([], lambda dice: (dice.tally(0, 10, {1}), dice.tally(0, 10, {1}, {2}))) == ((0, (0, 0)), ())


def test_a_mark_is_recorded_on_the_die_of_the_face():
    def call(dice):
        dice.roll(20)
        faces = dice.pool(6, 6, 6, keep=highest(2))
        faces.mark(0, "scratched")
        each = dice.each(8, 8)
        each.mark(1, "exhausted", "too tired")
        return faces

    answer, thrown = call_dice([11, 2, 6, 5, 1, 8], call)
    assert answer == (5, 6)
    assert [die.state for die in thrown] == ["", "dropped", "", "scratched", "", "exhausted"]
    assert str(thrown[1]) == "d6 showing 2, dropped"
    assert str(thrown[0]) == "d20 showing 11"


def test_a_later_mark_replaces_an_earlier_one():
    def call(dice):
        faces = dice.each(6)
        faces.mark(0, "spent")
        faces.mark(0, "exhausted")

    assert call_dice([3], call)[1] == (Die(6, 3, "exhausted"),)


def test_the_dice_of_an_outcome_in_the_order_thrown():
    def call(dice):
        dice.pool(6, 6, 6, keep=highest(1), unread={2: "scratched"})
        return dice.roll(4)

    outcome = Calling(call).play(ScriptedDice([2, 5, 6, 4]))
    assert outcome.dice == (2, 5, 6, 4)
    assert outcome.dropped == (2,)
    assert outcome.scratched == (6,)


# Outside a play there is no record; the calls return the same.


def test_the_calls_return_the_same_outside_a_play():
    dice = ScriptedDice([17, 5, 3, 5, 2, 6, 4, 2, 8, 10])
    assert dice.roll(20) == 17
    each = dice.each(6, 6)
    each.mark(0, "scratched")
    assert each == (5, 3)
    assert dice.pool(6, 6, 6, keep=highest(2), unread={1: "scratched"}) == (5, 6)
    assert dice.total(2, 6, keep=lowest(1)) == 2
    assert dice.tally(2, 10, {10}) == 1


# Plays


class Two(Mechanic):
    """Two dice."""

    sides: int = param(default=6, low=1)

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.sum("Total", *dice.each(self.sides, self.sides)))


class Around(Mechanic):
    """A die, two dice, a die."""

    way: str = param(default="dice")

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        first = dice.roll(20)
        two = dice.play(Two(), "Two") if self.way == "dice" else Two().play(dice)
        return self.Result(first + two.total + dice.roll(20))


class Endless(Mechanic):
    """A rule that plays itself without end."""

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.play(Endless()).total)


class Down(Mechanic):
    """A rule that plays itself a given number of times."""

    times: int = param(example=1)

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(1 + dice.play(Down(times=self.times - 1)).total if self.times else 0)


@pytest.mark.parametrize("way", ["dice", "begin"])
def test_a_mechanic_plays_another_into_one_record(way):
    outcome = Around(way=way).play(ScriptedDice([20, 3, 4, 1]))
    assert outcome.total == 28
    assert outcome.thrown == (Die(20, 20), Die(6, 3), Die(6, 4), Die(20, 1))


def test_a_rule_cannot_read_the_dice_of_what_it_plays():
    def call(dice):
        return dice.play(Two()).dice

    with pytest.raises(RuntimeError, match="a rule reads only the facts of what it plays"):
        call_dice([1, 2], call)


def test_plays_with_shared_dice_have_separate_records():
    dice = SeededDice(5)
    first = Two().play(dice)
    second = Two().play(dice)
    assert first.thrown != second.thrown
    assert len(first.thrown) == len(second.thrown) == 2
    assert [*first.dice, *second.dice] == list(SeededDice(5).each(6, 6, 6, 6))
    for _ in range(100):
        Two().play(dice)
    assert dice._record is None
    assert (first.dice, len(first.thrown)) == (SeededDice(5).each(6, 6), 2)


def test_dice_can_be_used_after_a_rule_failed():
    dice = ScriptedDice([3, 1, 2])

    def fails(dice):
        dice.roll(6)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Calling(fails).play(dice)
    assert Two().play(dice).thrown == (Die(6, 1), Die(6, 2))


def test_a_new_source_of_faces_overrides_throw_alone():
    class Loaded(Dice):
        def throw(self, count, sides):
            return [sides] * count

    outcome = Around().play(Loaded())
    assert outcome.total == 20 + 12 + 20
    assert Loaded().pool(4, 12, 8, keep=highest(2)) == (8, 12)
    assert Loaded().tally(5, 10, {10}, {1}) == (5, 0)


# Limits


@every(
    "call",
    [
        lambda dice: dice.total(10_001, 6),
        lambda dice: dice.each(*[6] * 10_001),
        lambda dice: dice.pool(*[6] * 10_001),
        lambda dice: dice.tally(10_001, 6, {6}),
        lambda dice: dice.total(10**5000, 6),
        lambda dice: (dice.total(5000, 6), dice.total(5000, 6), dice.roll(6)),
        lambda dice: [dice.play(Two()) for _ in range(5001)],
    ],
)
def test_the_dice_of_a_whole_play_are_limited(call):
    with pytest.raises(LimitError) as caught:
        Calling(call).play(SeededDice(1))
    assert caught.value.limit == "DICE"


def forever(call):
    """A rule that makes a call again and again."""

    def loop(dice):
        while True:
            call(dice)

    return loop


class Nothing(Mechanic):
    """A rule that throws no dice."""

    def resolve(self, dice: Dice, say: Say) -> Outcome:
        return Outcome()


class Tens(Mechanic):
    """Throw d1s that explode without end."""

    class Result(Outcome):
        pass

    def resolve(self, dice: Dice, say: Say) -> Result:
        while dice.tally(3, 1, {1}):
            pass
        return self.Result()


LOOPS = {
    "roll": lambda dice: dice.roll(6),
    "each": lambda dice: dice.each(6, 6),
    "pool": lambda dice: dice.pool(6, 6, keep=highest(1)),
    "total": lambda dice: dice.total(2, 6),
    "tally": lambda dice: dice.tally(2, 6, {6}),
    "play": lambda dice: dice.play(Two()),
    "exploding": lambda dice: dice.play(Tens()),
    "no dice": lambda dice: dice.total(0, 6),
    "an empty pool": lambda dice: dice.pool(),
    "none of each": lambda dice: dice.each(),
    "a play without dice": lambda dice: dice.play(Nothing()),
}


@pytest.mark.timeout(20)
@every("name", LOOPS)
@every("source", [SeededDice, ScriptedDice])
def test_a_loop_without_end_stops_at_the_limit_of_dice_and_names_its_rule(name, source):
    looping = Calling(forever(LOOPS[name]))
    with pytest.raises((LimitError, ParameterError)) as caught:
        looping.play(source(1) if source is SeededDice else source([1] * 10_000))
    if isinstance(caught.value, LimitError):
        played = {"play": ", playing Two", "exploding": ", playing Tens", "a play without dice": ", playing Nothing"}
        assert (caught.value.limit, caught.value.mechanic) == ("DICE", "Calling")
        assert str(caught.value).startswith(f"Calling{played.get(name, '')}: 1000")
    else:
        # Scripted dice are used up before.
        assert str(caught.value).startswith("dice: die 10001 is a d")


def test_the_recorded_steps_of_a_play_are_limited_as_the_play_is():
    outcome = Calling(lambda dice: [dice.roll(6) for _ in range(3)]).play(SeededDice(1))
    vars(outcome.rule)["call"] = forever(lambda dice: dice.total(0, 6))
    with pytest.raises(LimitError, match="10001 dice in one play"):
        outcome.steps()


def test_as_many_dice_as_the_limit():
    outcome = Calling(lambda dice: (dice.total(9_999, 6), dice.roll(6))).play(SeededDice(1))
    assert len(outcome.thrown) == limits.DICE.maximum == 10_000
    with pytest.raises(LimitError):
        SeededDice(1).total(10_001, 6)


def test_the_sides_of_a_die_are_limited():
    for sides in (1_000_001, 10**5000):
        with pytest.raises(LimitError) as caught:
            SeededDice(1).roll(sides)
        assert caught.value.limit == "SIDES"
    assert str(caught.value).startswith("too many sides on a die; the limit SIDES is 1000000")


def test_nested_plays_are_limited():
    with pytest.raises(LimitError) as caught:
        Endless().play(SeededDice(1))
    assert str(caught.value) == (
        f"{caught.value.mechanic}: 51 levels of nested plays; the limit PLAYS is 50; "
        "make sure the rule ends, and write a loop as dice.repeat(...)"
    )
    assert Down(times=50).play(SeededDice(1)).total == 50
    with pytest.raises(LimitError):
        Down(times=51).play(SeededDice(1))


def test_a_refused_call_does_not_change_the_dice():
    dice = SeededDice(1)
    for _ in range(3):
        with pytest.raises(LimitError):
            dice.play(Endless())
        assert dice.play(Down(times=49)).total == 49


def test_plays_one_after_another_are_not_nested():
    assert len(Calling(lambda dice: [dice.play(Two()) for _ in range(500)]).play(SeededDice(1)).answer) == 500


@every(
    ("call", "message"),
    [
        (lambda dice: dice.roll(0), "a die cannot have 0 sides; it has 1 or more"),
        (lambda dice: dice.total(0, 0), "a die cannot have 0 sides; it has 1 or more"),
        (lambda dice: dice.each(6, -2), "a die cannot have -2 sides; it has 1 or more"),
        (lambda dice: dice.total(-1, 6), "-1 dice cannot be thrown; throw 0 or more"),
        (lambda dice: dice.tally(-1, 6, {6}), "-1 dice cannot be thrown; throw 0 or more"),
        (lambda dice: dice.pool(6, keep=highest(-1)), "-1 dice cannot be kept; keep 0 or more"),
        (lambda dice: dice.pool(6, keep=lowest(-2)), "-2 dice cannot be kept; keep 0 or more"),
    ],
)
def test_impossible_dice(call, message):
    with pytest.raises(ParameterError) as caught:
        call_dice([1], call)
    assert str(caught.value) == message


# The calls against plain Python


@given(
    faces=st.lists(st.integers(1, 8), max_size=12),
    count=st.integers(0, 12),
    high=st.booleans(),
    hits=st.sets(st.integers(1, 8)),
)
def test_the_calls_agree_with_plain_python(faces, count, high, hits):
    keep = highest(count) if high else lowest(count)
    kept = sorted(sorted(faces, reverse=high)[:count])
    sides = [8] * len(faces)
    assert ScriptedDice(faces).pool(*sides, keep=keep) == tuple(kept)
    assert ScriptedDice(faces).total(len(faces), 8, keep=keep) == sum(kept)
    assert ScriptedDice(faces).total(len(faces), 8) == sum(faces)
    assert ScriptedDice(faces).pool(*sides) == tuple(sorted(faces))
    assert ScriptedDice(faces).each(*sides) == tuple(faces)
    assert ScriptedDice(faces).tally(len(faces), 8, hits) == len([face for face in faces if face in hits])


@given(faces=st.lists(st.integers(1, 4), max_size=8), count=st.integers(0, 8), high=st.booleans())
def test_which_of_equal_dice_are_dropped(faces, count, high):
    """Drop one die after another: the worst; of equal dice, the last thrown."""
    left = list(range(len(faces)))
    while len(left) > count:
        worst = min(faces[i] for i in left) if high else max(faces[i] for i in left)
        left.remove(max(i for i in left if faces[i] == worst))
    keep = highest(count) if high else lowest(count)
    thrown = call_dice(faces, lambda dice: dice.pool(*[4] * len(faces), keep=keep))[1]
    assert [place for place, die in enumerate(thrown) if not die.state] == left
