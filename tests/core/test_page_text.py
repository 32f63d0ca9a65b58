"""The text of a page: it tells another roll as long as everything that is no number is what it is in the book."""

import json
from typing import Literal

import pytest

import dicedocs as dd
from dicedocs.rules import registry
from dicedocs.scenes.change import state_facts
from dicedocs.scenes.page_text import PageText

from ..every import every


@pytest.fixture
def climb(monkeypatch: pytest.MonkeyPatch) -> type[dd.Mechanic]:
    """A rule whose die decides on facts of every kind."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))

    class Climb(dd.Mechanic, id="climb/climb"):
        """Climb a wall."""

        rope: bool = dd.param(default=False, help="whether there is a rope")
        bonus: int = dd.param(default=0, help="what is added")

        class Result(dd.Outcome):
            total: int = dd.fact(help="the total", bands={None: "a scratch", 5: "a fall"})
            up: bool = dd.fact(help="whether it is climbed")
            how: Literal["fast", "slow"] = dd.fact(help="how")
            finds: tuple[str, ...] = dd.fact(help="what is found")
            parts: tuple[int, ...] = dd.fact(help="the parts")
            late: int | None = dd.fact(help="how late it is, if it is")

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            die = dice.roll(6)
            found = ("rope",) if die == 3 else ()
            late = 5 if die == 6 else None
            return self.Result(die + self.bonus, die != 4, "slow" if die == 2 else "fast", found, (die, 7), late)

    return Climb


@every(
    ("die", "given", "follows"),
    [
        (1, {}, True),
        (2, {}, False),  # how
        (3, {}, False),  # finds
        (4, {}, False),  # up
        (5, {}, False),  # total, by what it means
        (6, {}, False),  # late, and total
        (1, {"bonus": 2}, True),
        (1, {"rope": True}, False),
    ],
)
def test_the_words_of_a_text_hang_on_what_is_no_number(
    climb: type[dd.Mechanic], die: int, given: dict[str, int], follows: bool
) -> None:
    # The book throws a 1 and adds 1.
    text = PageText("page climb", ("total", "up", "dice.1")).of_book(dd.play("climb/climb", bonus=1, dice=[1]))
    facts = text.facts(dd.play("climb/climb", dice=[die], **given))
    total = die + given.get("bonus", 0)
    assert facts == ({"total": f"{total}", "up": "yes", "dice.1": f"{die}"} if follows else None)


@every(("choice", "alike", "other"), [("", True, False), ("follows", True, True), ("book", False, False)])
def test_an_author_says_otherwise(choice: Literal["", "follows", "book"], alike: bool, other: bool) -> None:
    text = PageText("page climb", ("left",), choice=choice).of_book(dd.check("1d20 >= 11", dice=[12]))
    assert text.facts(dd.check("1d20 >= 11", dice=[20])) == ({"left": "20"} if alike else None)
    assert text.facts(dd.check("1d20 >= 11", dice=[3])) == ({"left": "3"} if other else None)


def test_a_text_that_always_follows_shows_what_another_roll_lacks_as_unknown() -> None:
    text = PageText("page hits", ("dice.3",)).of_book(dd.roll("3d6", dice=[1, 2, 3]))
    assert text.facts(dd.roll("2d6", dice=[1, 2])) is None
    assert text._replace(choice="follows").facts(dd.roll("2d6", dice=[1, 2])) == {"dice.3": "?"}


def test_a_notation_and_the_values_of_a_character_are_no_words() -> None:
    book = dd.roll("1d6 + [Aim]", actor="Aim=2", dice=[1])
    text = PageText("page shot", ("total",)).of_book(book)
    assert text.facts(dd.roll("1d8 + [Aim] + 1", actor="Aim=7", dice=[8])) == {"total": "16"}


@every(
    ("state", "shown"),
    [
        ({"breach": "3 of 6", "bryn.Mood": "calm"}, {"breach": "3"}),
        ({"breach": "6 of 6", "bryn.Mood": "calm"}, None),  # it is full
        ({"breach": "3 of 6", "bryn.Mood": "angry"}, None),
    ],
)
def test_the_words_of_a_scene_count_too(state: dict[str, str], shown: dict[str, str] | None) -> None:
    book = state_facts({"breach": "2 of 6", "bryn.Mood": "calm"})
    # A change has no outcome.
    for outcome in (None, dd.roll("1d6", dice=[2])):
        text = PageText("page bar", ("breach",)).of_book(outcome, book)
        assert text.facts(outcome, state_facts(state)) == shown


def test_a_condition_that_comes_to_nothing_does_not_hold(climb: type[dd.Mechanic]) -> None:
    text = PageText("page climb", conditions=("12 / bonus > 2", "not (12 / bonus > 2)", "up"), followed=("up",))
    book = dd.play("climb/climb", bonus=3, dice=[1])
    assert text.told(book)["words"] == {
        "holds": {"12 / bonus > 2": True, "not (12 / bonus > 2)": False, "up": True},
        "facts": {"up": "yes"},
    }
    nothing = text.told(dd.play("climb/climb", bonus=0, dice=[4]))["words"]
    assert nothing["holds"] == {"12 / bonus > 2": False, "not (12 / bonus > 2)": False, "up": False}
    assert text._replace(choice="book").told(book) == {"facts": None, "words": None}


def test_values_of_a_scene_say_their_words_after_any_roll():
    climb = dd.check("1d20 + 4 >= 15", dice=[3])
    text = PageText("climb", ("asa.Staggered",), conditions=("asa.Staggered = reeling",), choice="follows")
    text = text._replace(state_words={"asa.Staggered": ("reeling", "steady")})
    text = PageText.from_data(json.loads(json.dumps(text.of_book(climb, {"asa.Staggered": True})._asdict())))
    for truth, word in ((True, "reeling"), (False, "steady")):
        told = text.told(climb, {"asa.Staggered": truth})
        assert told["facts"] == {"asa.Staggered": word}
        assert told["words"]["holds"] == {"asa.Staggered = reeling": truth}
