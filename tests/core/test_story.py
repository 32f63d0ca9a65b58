"""Stories: what beats come to, one behind the other, with the values that they take."""

from __future__ import annotations

import json

import dicedocs as dd
from dicedocs.rules.example import Example
from dicedocs.scenes.beat import Beat, Blank
from dicedocs.scenes.story import Story, moved

from ..every import every

BAR = Beat("bar", Example("dice/roll", {"notation": "1d6"}, dice="2"), then="breach += total", expect="breach=2")
SPLIT = Beat(
    "split",
    Example("dice/roll", {"notation": "2 + 1d4"}, dice="3"),
    when="bar.total < 4; breach > 1",
    then="breach += bar.total + total",
    values={"bar.total": 2},
    blanks={"notation": [Blank("breach", "2"), " + 1d4"]},
)


def rolled(face: int):
    """Return how a story goes in which another face is rolled at the bar, and the book's everywhere else."""
    return lambda beat: dd.roll("1d6", dice=[face]) if beat.label == "bar" else beat.roll()


def states(*beats: Beat, face: int = 2) -> list[str]:
    return [told.after["breach"] for told in Story({"breach": "0 of 20"}).play(beats, rolled(face))]


def test_a_story_goes_as_the_book_says() -> None:
    told = [*Story({"breach": "0 of 20"}).play([BAR, SPLIT])]
    assert [(each.outcome.total, [*moved(each.before, each.after)]) for each in told] == [
        (2, [("breach", "0 of 20", "2 of 20")]),
        (5, [("breach", "2 of 20", "9 of 20")]),
    ]
    assert {each.error for each in told} == {None}


def test_a_beat_takes_the_values_that_its_story_has() -> None:
    # By hand: 3 at the bar, then 3 + 3 on the dice, and the 3 of the bar again.
    assert states(BAR._replace(expect=""), SPLIT, face=3) == ["3 of 20", "12 of 20"]


def test_a_parameter_is_computed_of_the_values_that_its_story_has() -> None:
    example = Example("total-effect/roll", {"advantage": "0"}, seed=1)
    deed = Beat("deed", example, formulas={"advantage": ("2 * breach - bar.total - 2", {"breach": 2, "bar.total": 2})})
    told = [*Story({"breach": "0 of 20"}).play([BAR._replace(expect=""), deed], rolled(3))]
    # One instance of Advantage is one die more than three.
    assert len(told[-1].outcome.dice) == 4
    assert Beat.from_data(json.loads(json.dumps(deed.data()))).parameter_names() == {
        "advantage": {"breach", "bar.total"}
    }


def test_a_beat_whose_conditions_do_not_hold_is_left_out_with_what_takes_its_values() -> None:
    after = Beat("after", then="breach = 20 + 0 * split.total", values={"split.total": 5})
    noise = Beat("noise", then="breach += 1")
    bar = BAR._replace(expect="")
    assert states(bar, SPLIT, after, noise, face=5) == ["5 of 20", "5 of 20", "5 of 20", "6 of 20"]
    told = [*Story({"breach": "0 of 20"}).play([bar, SPLIT, after, noise], rolled(5))]
    assert [each.missed for each in told] == [False, True, True, False]
    assert told[1].error.expected == "bar.total < 4"
    assert told[2].error.message == "this happens only if split does"


@every(
    ("beat", "message"),
    [
        (BAR._replace(expect="breach=3"), "expected 'breach=3', got 'breach=2'"),
        (BAR._replace(then="breech += total"), "nothing in the scene is called 'breech'"),
        (BAR._replace(example=Example("dice/roll", {"notation": "1d6"})), "a d6 is thrown, and no dice are given"),
        (BAR._replace(when="breach"), "neither true nor false"),
    ],
)
def test_a_beat_that_fails_ends_its_story(beat: Beat, message: str) -> None:
    (failed,) = Story({"breach": "0 of 20"}).play([beat, SPLIT])
    assert message in str(failed.error)
    assert (failed.missed, failed.before, failed.after) == (False, failed.after, {"breach": "0 of 20"})


def test_whatever_a_rule_raises_ends_a_story_with_an_error() -> None:
    def fail(_beat: Beat) -> None:
        raise ZeroDivisionError("division by zero")

    (failed,) = Story({"breach": "0 of 20"}).play([BAR, SPLIT], fail)
    assert str(failed.error) == "the rule failed: ZeroDivisionError: division by zero"


def test_the_python_call_of_a_beat_does_the_same() -> None:
    beat = BAR._replace(when="breach = 0")
    assert beat.code("scene") == (
        'scene.change("breach += total", dd.roll("1d6", dice=[2]), when="breach = 0", expect="breach=2")'
    )
    scene = dd.Scene(breach="0 of 20")
    scene.change("breach += total", dd.roll("1d6", dice=[2]), when="breach = 0", expect="breach=2")
    assert [scene.state()] == [told.after for told in Story({"breach": "0 of 20"}).play([beat])]
