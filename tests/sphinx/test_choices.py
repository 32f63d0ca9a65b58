"""What a player chooses, in rules of a page and in examples, which show it as a choice."""

import re
from fractions import Fraction
from functools import cache
from html import unescape

import pytest

from ..pig import turn_of_pig
from .conftest import Book

PIG = f"""
```{{dice:mechanic}} pig/turn
{turn_of_pig(12)}```
"""
EXAMPLE = """
```{{dice:example}} A turn
:name: turn
:mechanic: pig/turn
:again: {again}
:dice: {dice}
:expect: score={score}

You come to {{dice:fact}}`score`, with {{dice:fact}}`again`.
```
"""
ODDS = """
```{{dice:table}} When to stop
:mechanic: pig/turn
:vary: again={ways}
:show: score >= 1
```

```{{dice:claim}}
:mechanic: pig/turn
:claim: mean(score | again=yes if score < 6, else no) = {mean}, mean(score | again=no) = 20/6
```
"""
WAYS = "yes if score < 4, else no; yes if score < 6, else no"


@cache
def mean(stop: int, score: int = 0) -> Fraction:
    """The mean of a turn that stops at a score."""
    if score >= stop:
        return Fraction(score)
    return sum((mean(stop, score + face) for face in range(2, 7)), Fraction(0)) / 6


def kept(stop: int, score: int = 0) -> float:
    """How often a turn that stops at a score is not lost."""
    return 1.0 if score >= stop else sum(kept(stop, score + face) for face in range(2, 7)) / 6


def build(book: Book, again: str, dice: str = "4 3", score: int = 7, more: str = ""):
    book.page(PIG + EXAMPLE.format(again=again, dice=dice, score=score) + more, "index.md")
    return book.build("html")


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.mark.parametrize("again", ["yes, no", "yes if score < 7, else no"])
def test_an_example_says_what_was_chosen(book: Book, again: str) -> None:
    built = build(book, again)
    assert built.log == ""
    page = text_of(built.read("index.html"))
    assert f"Choice: Again {again}" in page
    assert "Again: yes (the player's choice)" in page
    assert "Again: no (the player's choice)" in page
    assert f'again="{again}"' in book.build("doctest").doctree()[0][-1][-1]["test"]


def test_what_is_left_over_too_short_or_nothing_is_an_error_at_the_option(book: Book) -> None:
    for again, message in [
        ("yes", "turn: dice: die: die 3 is a d6, and 2 faces are given"),
        ("yes, no, no", "turn: again: 'again' is asked only 2 times, and 3 ways are given; give one for each time"),
        ("no", "turn: dice: 2 faces are given, and 1 thrown"),
        ("yes, no, yes if score", "turn: expected an operator"),
        ("open", "turn: again: 'again' is the player's choice: yes or no; write yes or no, or when:"),
        ("maybe", "turn: again: 'maybe' is not a way of 'again'; known: 'no', 'yes'"),
        ("yes if scor < 7, else no", "turn: again: nothing is called 'scor'"),
    ]:
        [warning] = build(book, again).warnings
        assert warning.text.startswith(message), warning.text
        assert warning.line == (19 if ": dice:" in message else 18), warning


def test_tables_and_claims_are_of_a_fixed_way(book: Book) -> None:
    built = build(book, "yes, no", more=ODDS.format(ways=WAYS, mean=mean(6)))
    assert built.log == ""
    page = text_of(built.read("index.html"))
    for stop in (4, 6):
        assert f"{kept(stop):.1%}" in page


def test_odds_of_an_open_choice_say_what_to_write(book: Book) -> None:
    warnings = build(book, "yes, no", more=ODDS.format(ways="no open", mean=mean(6))).warnings
    assert "'again' is the player's choice: yes or no; write yes or no, or when:" in warnings[0].text


def test_a_player_of_a_game_in_python(book: Book) -> None:
    book.write(
        "cliff.py",
        """
        from dicedocs import Decision, Dice, Mechanic, Outcome, Say, param

        class Climb(Mechanic, id="cliff/ascent"):
            push: Decision = param(label="Push yourself")

            class Result(Outcome):
                total: int

            def resolve(self, dice: Dice, say: Say) -> Result:
                die = dice.roll(6)
                return self.Result(say.sum("Total", die, push=2 * dice.choose(self.push, die=die)))
        """,
    )
    book.write("conf.py", "dicedocs_games = {'cliff': 'cliff'}\n")
    example = (
        EXAMPLE.replace("pig/turn", "cliff/ascent").replace(", with {{dice:fact}}`again`", "").replace("score", "total")
    )
    book.page(
        example.format(again="x", dice="4", score=6, total=6).replace(":again: x", ":push: yes if die < 5, else no"),
        "index.md",
    )
    built = book.build("html")
    assert built.log == ""
    assert "Choice: Push yourself yes if die < 5, else no" in text_of(built.read("index.html"))
