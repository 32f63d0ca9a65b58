"""Words for each outcome: of each outcome exactly one of them is true, and what cannot be read is a mistake."""

from itertools import pairwise, product
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.errors import NotationError
from dicedocs.page_rules.outcome_conditions import OutcomeValues, example_of, holds, read_case
from dicedocs.page_rules.outcome_words import read_words
from dicedocs.page_rules.page_rule import PageRule, PageTable, TableRow
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.rules.dice import ScriptedDice

from ..every import every

KNOT = PageRule(
    "road/knot",
    (
        "total = 2d6 + stat",
        "best two = total / 2",
        "open = total >= 7",
        "extra = 1 if favor = with, else 0",
        "result = total: 6- miss, 7-9 weak hit, 10+ strong hit",
    ),
    "",
    (("stat", "0 (-1 to 3)"), ("favor", "none / with / without")),
)
(knot,) = book_mechanics([KNOT]).values()
STATE = {"ossk.Health": 4, "ossk.Health.full": False, "first-hit": 2, "ossk.Stance": "on guard", "heat": 3}


def values(*dice, state=None, **parameters):
    """Return the values of an outcome of the rule."""
    return OutcomeValues(knot(**parameters).play(ScriptedDice(dice)), state or {})


def chosen(text, of, owner=""):
    """Return the words of a text that are true."""
    told = [case.words for case in read_words(text, of, owner) if case.holds]
    assert len(told) == 1
    return told[0]


class Errand(dd.Mechanic):
    """A class with facts of every kind."""

    class Result(dd.Outcome):
        face: int
        late: int | None
        done: bool
        seen: bool | None
        how: Literal["fast", "slow"]
        luck: Literal["good", "bad"] | None
        mood: str
        beats: bool | Literal["if it stands"]
        finds: tuple[str, ...]

    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        face = dice.roll(6)
        late = face if face > 4 else None
        seen = None if face == 1 else face > 3
        luck = None if face == 2 else ("good" if face > 3 else "bad")
        mood = "glad" if face > 2 else "grim"
        beats = "if it stands" if face == 3 else face > 3
        return self.Result(face, late, face > 3, seen, "fast" if face > 5 else "slow", luck, mood, beats, ("rope",))


def errand(face):
    return OutcomeValues(Errand().play(ScriptedDice([face])))


TEXTS = {
    "result | strong hit: off it comes at once | weak hit: it comes, slowly | miss: the knot holds": (
        lambda total, _: "the knot holds" if total < 7 else "it comes, slowly" if total < 10 else "off it comes at once"
    ),
    "result | miss: no | else: yes": lambda total, _: "no" if total < 7 else "yes",
    "total >= 8 | Well done | A pity": lambda total, _: "Well done" if total >= 8 else "A pity",
    "total >= 8 | Well done": lambda total, _: "Well done" if total >= 8 else "",
    "total | 6-: a | 7-9: b | 10+: c": lambda total, _: "a" if total < 7 else "b" if total < 10 else "c",
    "total | 2, 12: doubles | else: others": lambda total, _: "doubles" if total in {2, 12} else "others",
    "open | It is open. | It is shut.": lambda total, _: "It is open." if total >= 7 else "It is shut.",
    "open | yes: open: wide | no: shut": lambda total, _: "open: wide" if total >= 7 else "shut",
    "favor = with and result = strong hit | both | not both": (
        lambda total, favor: "both" if favor == "with" and total >= 10 else "not both"
    ),
    "best two >= 4 or favor = without | x | y": (
        lambda total, favor: "x" if total // 2 >= 4 or favor == "without" else "y"
    ),
    "favor | with: helped | without: hindered | none: alone": (
        lambda _, favor: {"with": "helped", "without": "hindered", "none": "alone"}[favor]
    ),
    'not result = "miss" | u | v': lambda total, _: "v" if total < 7 else "u",
    "7 <= total <= 9 | u | v": lambda total, _: "u" if 7 <= total <= 9 else "v",
}
FAVORS = ("none", "with", "without")
OUTCOMES = [
    (values(one, two, stat=-1, favor=favor), one + two - 1, favor)
    for (one, two), favor in product([(1, n) for n in range(1, 6)] + [(n, 6) for n in range(1, 7)], FAVORS)
]
"""The values for every total and parameter, each with these."""


@every("text", TEXTS)
def test_of_each_outcome_exactly_one_of_the_words_is_true(text: str) -> None:
    left = read_words(text, values(6, 6))
    for of, total, favor in OUTCOMES:
        assert chosen(text, of) == TEXTS[text](total, favor)
        # So it is of the conditions that are left of them, for whoever has another outcome.
        assert sum(holds(case.condition, of) for case in left) == 1


@every(
    "text",
    [
        "late | 5-: soon | else: otherwise",
        "late > 5 | very | not so",
        "late != 5 | a | b",
        "seen | yes: seen | no: unseen | none: nobody looked",
        "how | fast: quick | slow: at leisure",
        "luck | good: lucky | bad: unlucky | none: as ever",
        "mood | grim: dark | glad: bright",
        "dice.1 = 3 | three | another",
    ],
)
def test_what_is_missing_has_words_too(text: str) -> None:
    told = [chosen(text, errand(face)) for face in range(1, 7)]
    assert len(set(told)) > 1


@every("text", ["beats = true | a | b", "beats = yes | a | b", "beats | yes: a | else: b", "beats | true: a | else: b"])
def test_a_truth_among_words_is_yes_or_true(text: str) -> None:
    assert [chosen(text, errand(face)) for face in (3, 4)] == ["b", "a"]
    assert chosen("seen = true | a | b", errand(4)) == "a"
    assert chosen("beats = false | a | b", errand(2)) == chosen("beats = no | a | b", errand(2)) == "a"


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6, unique=True), st.integers(-70, 70))
def test_each_number_is_in_one_of_the_ranges(ends: list[int], number: int) -> None:
    starts = sorted(ends)
    rows = [f"below {starts[0]}: 0"]
    rows += [f"{low} to {high - 1}: {row}" for row, (low, high) in enumerate(pairwise(starts), 1)]
    rows += [f"{starts[-1]} or more: {len(starts)}"]
    text = " | ".join(["heat", *rows])
    assert chosen(text, OutcomeValues(None, {"heat": number})) == str(sum(start <= number for start in starts))


def test_a_text_can_be_about_a_scene() -> None:
    scene = values(4, 3, state=STATE)
    assert chosen("ossk.Health > 3 and total = 7 | a | b", scene) == "a"
    assert chosen("ossk.Health.full | a | b", scene) == "b"
    assert chosen("first-hit | 1-: a | 2+: b", scene) == "b"
    assert chosen("ossk.Stance | on guard: a | else: b", scene) == "a"
    assert chosen("heat - first-hit = 1 | a | b", OutcomeValues(None, STATE)) == "a"


def test_the_name_of_an_example_stands_before_each_of_its_values() -> None:
    of = values(4, 3, state={"knot.Health": 1})
    assert chosen("rope.result | miss: a | else: b", of, "rope") == "b"
    case = read_case('rope.total = 2 and not rope.result = "miss"', values(1, 1), "rope")
    assert case.condition == 'total = 2 and not result = "miss"'


def test_the_name_of_an_example_is_what_no_value_begins_with() -> None:
    of = values(4, 3, state=STATE)
    assert example_of("rope.result | miss: a.b | else: c", of) == "rope"
    assert [example_of(text, of) for text in ("dice.1 = 3", "ossk.Health > 3", 'result = "rope.x"', "total")] == [
        ""
    ] * 4
    assert example_of("dice.1 = 3", None) == "dice"


MISTAKES = [
    ("result | strog hit: a | else: b", 9, "'result' is never 'strog hit'", "did you mean 'strong hit'?"),
    ("result | miss: no", 17, "'weak hit' has no words", "add its words, or end with else: and words for all others"),
    ("result | a | b", 9, "these words lack the result that they are for", "write miss: a"),
    ("result | miss: a | miss: b | else: c", 19, "'miss' has words already", "leave out one of the two"),
    ("result | else: a | miss: b", 9, "'else' is not the last", "write it once, at the end"),
    ("result | else: a", 0, "'else' stands alone", "write the words of a value before it"),
    ("result", 6, "no words follow it", "write it like result | hit: it opens | miss: it holds"),
    ("| a | b", 0, "there is no fact before the words", "write it like result | hit: ..."),
    ("total | 6-: a | 8+: b", 21, "7 has no words", "add its words, or end with else: and words for all others"),
    (
        "total | 2-6: a | 7+: b",
        22,
        "1 has no words",
        "add its words, or end with else: and words for all others",
    ),
    ("total | 6-: a | 6+: b", 16, "6+ and 6 or less overlap", "let one end before the other begins"),
    ("total | six: a | else: b", 8, "'six' is not a number or a range", "write it like 3, 4–5, 6 or less, 7+"),
    ("total | 9-7: a | else: b", 8, "9–7 runs backwards", "begin with the lower number"),
    (
        "total | a | b",
        8,
        "these words lack the total that they are for",
        "write 6-: a, or a condition: total >= 8 | enough | too little",
    ),
    ("toal >= 8 | a | b", 0, "nothing is called 'toal'", "did you mean 'total'?"),
    ("result = mis | a | b", 9, "'result' is never 'mis'", "did you mean 'miss'?"),
    ("open | a | b | c", 15, "a condition is yes or no", "write open | if it holds | if not"),
    (
        "total + 1 | a | b",
        0,
        "'total + 1' is neither a fact nor a condition",
        "write total + 1 >= 8 | enough | too little",
    ),
    ("1d6 > 3 | a | b", 0, "a condition cannot throw dice", "name facts of the outcome, as in total >= 8"),
    ("count(total = 3) > 1 | a | b", 0, "a condition cannot throw dice", "name facts of the outcome, as in total >= 8"),
    (
        "total | 6-: takes {dice:fact}",
        18,
        "'{dice:fact}' cannot be used in words",
        "write a dice:case for each, which may contain roles",
    ),
    (
        "total | 6-: takes :dice:fact:",
        18,
        "':dice:fact:' cannot be used in words",
        "write a dice:case for each, which may contain roles",
    ),
    ('total > "x" | a | b', 6, "words are compared with a number", "compare them with a word in quotes"),
    (
        "total >= | a | b",
        8,
        "expected a value, found the end",
        "write a number, a name, dice, or words in quotes there",
    ),
    (
        "ossk.Helth > 3 | a | b",
        0,
        "nothing is called 'ossk.Helth'",
        "did you mean 'ossk.Health' or 'ossk.Health.full'?",
    ),
    ("dice.9 = 1 | a | b", 0, "'dice' has no '9'", "it has 2, counted from 1"),
]


@every(("text", "at", "message", "hint"), MISTAKES)
def test_what_cannot_be_read_is_a_mistake_with_its_position(text: str, at: int, message: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_words(text, values(4, 3, state=STATE))
    assert (caught.value.message, caught.value.hint, caught.value.at, caught.value.text) == (message, hint, at, text)


@every(
    ("notation", "text", "message"),
    [
        ("2d6", "total | 2-7: a | 8-12: b", ""),
        ("2d6", "total | 3-7: a | 8-12: b", "2 has no words"),
        ("2d6", "total | 2-7: a | 8-11: b", "12 has no words"),
        ("2d6", "total | 2-12: a | 13+: b", "'total' is never 13+: it is 2–12"),
        ("4d6kh3 + 1", "total | 4-12: a | 13-19: b", ""),
        ("1d20 - 1d4", "total | -3 to 0: a | 1-19: b", ""),
        ("d66", "total | 11-36: a | 41-66: b", ""),
        ("d66", "total | 11-36: a | 42-66: b", "41 has no words"),
        ("d66", "total | 11-26: a | 41-66: b", "31–36 has no words"),
        ("d66", "total | 11-36: a | 37-40: b | 41-66: c", "'total' is never 37–40"),
        ("d666", "total | 111-366: a | 411-666: b", ""),
        ("2d6 * 10", "total | 20-60: a | 70-120: b", ""),
        ("5d10>=8", "total | 0: a | 1-5: b", ""),
        # What may explode, or depends on a character, has no end that is known.
        ("1d6!", "total | 1-6: a | 7-12: b", "0 or less has no words"),
        ("1d6 + [Strength]", "total | 1-5: a | 6-10: b", "0 or less has no words"),
    ],
)
def test_the_words_of_a_roll_are_for_what_its_dice_can_come_to(notation: str, text: str, message: str) -> None:
    assert missing(text, dd.roll(notation, seed=1, actor="Strength=4")) == message


def missing(text: str, outcome: dd.Outcome) -> str:
    """Return what is missing in words of an outcome; empty if nothing is."""
    try:
        read_words(text, OutcomeValues(outcome))
    except NotationError as error:
        return error.message
    return ""


HUNT = PageRule(
    "road/hunt",
    (
        "bag = d66",
        "gold = 2d6 * 10",
        "pool = 2d2",
        "key = lowest(pool) * 10 + highest(pool)",
        "sixes = count(pool = 2)",
        "wound = stat: 0 1, 1-2 3, 3 7",
        "late = 5 if gold > 70, else 9",
        "limit = 7",
    ),
    "",
    (("stat", "0 (0 to 3)"),),
)
LOOT_ROWS = (("11-36", "1d6", "2", "1d4"), ("41-66", "2d6", "5", "none"))
LOOT = PageRule(
    "road/loot",
    table=PageTable(("d66",), ("Damage", "Bonus", "Hits"), tuple(TableRow((key,), rest) for key, *rest in LOOT_ROWS)),
)


@every(
    ("rule", "text", "message"),
    [
        (HUNT, "bag | 11-36: a | 41-66: b", ""),
        (HUNT, "bag | 11-35: a | 41-66: b", "36 has no words"),
        (HUNT, "gold | 20-60: a | 70-120: b", ""),
        (HUNT, "key | 11: a | 12: b | 22: c", ""),
        (HUNT, "key | 11: a | 22: c", "12 has no words"),
        (HUNT, "sixes | 0: a | 1-2: b", ""),
        (HUNT, "wound | 1: a | 3: b | 7: c", ""),
        (HUNT, "late | 5: a | 9: b", ""),
        # A fixed number is a setting of the author's.
        (HUNT, "limit | 7: a", "6 or less has no words"),
        (HUNT, "bag = 37 | a | b", "'bag' is never 37"),
        (HUNT, "bag = 36 | a | b", ""),
        (HUNT, "key = 12 or stat = 2 | a | b", ""),
        (LOOT, "roll = 40 or Bonus = 2 | a | b", "'roll' is never 40"),
        (LOOT, "roll = 70 | a | b", "'roll' is never 70: it is 11–66"),
        (LOOT, "roll | 11-36: a | 41-66: b", ""),
        (LOOT, "roll | 11-26: a | 41-66: b", "31–36 has no words"),
        (LOOT, "Damage_rolled | 1-6: a | 7-12: b", ""),
        (LOOT, "Damage_rolled | 1-6: a | 7-11: b", "12 has no words"),
        (LOOT, "Bonus | 2: a | 5: b", ""),
        (LOOT, "Hits_rolled | 1-4: a", "'Hits_rolled' can be none, which has no words"),
    ],
)
def test_the_words_of_a_rule_or_a_table_are_for_what_it_can_come_to(rule: PageRule, text: str, message: str) -> None:
    (made,) = book_mechanics([rule]).values()
    assert missing(text, made().play(ScriptedDice([1] * 10))) == message


def test_the_words_of_a_side_of_a_check_are_for_what_its_dice_can_come_to() -> None:
    assert missing("left | 11-36: a | 41-66: b", dd.check("d66 >= 30", seed=1)) == ""


@every(
    ("text", "at", "message", "hint"),
    [
        ("total", 0, "'total' is a number, not yes or no", "write total > 0"),
        ("result", 0, "'result' is a word, not yes or no", 'write result = "miss"'),
        ("total >= 8 and reslt = miss", 15, "nothing is called 'reslt'", "did you mean 'result'?"),
    ],
)
def test_a_condition_is_yes_or_no(text: str, at: int, message: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_case(text, values(4, 3))
    assert (caught.value.message, caught.value.hint, caught.value.at) == (message, hint, at)


def test_a_condition_is_about_one_example() -> None:
    with pytest.raises(NotationError, match=r"'other\.total' is not a value of 'rope'") as caught:
        read_case("rope.total > other.total", values(4, 3), "rope")
    assert caught.value.at == 13
    with pytest.raises(NotationError, match="nothing is called 'total'") as caught:
        read_case("rope.total > total", values(4, 3), "rope")
    assert caught.value.at == 13


def test_words_that_nobody_knows_need_words_for_all_others() -> None:
    with pytest.raises(NotationError, match=r"it is not known what else 'ossk\.Stance' can be"):
        read_words("ossk.Stance | on guard: a | prone: b", OutcomeValues(None, STATE))


class Stance(dd.Mechanic):
    """A class with words of its own for what is yes or no."""

    armed: bool = dd.param(default=False, words=("armed", "bare-handed"))

    class Result(dd.Outcome):
        steady: bool = dd.fact(words=("on her feet", "staggered"))
        seen: bool | None = dd.fact(words=("spotted", "unseen"))
        hit: bool

    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        face = dice.roll(6)
        return self.Result(face > 3, None if face == 1 else face > 4, face > 2)


def stance(face, **parameters):
    return OutcomeValues(Stance(**parameters).play(ScriptedDice([face])))


@every(
    ("condition", "faces"),
    [
        ("steady = on her feet", {4, 5, 6}),
        ("steady = staggered", {1, 2, 3}),
        ("steady != Staggered", {4, 5, 6}),
        ('"on her feet" = steady', {4, 5, 6}),
        ("steady = yes", {4, 5, 6}),
        ("steady = false", {1, 2, 3}),
        ("steady = hit", {1, 2, 4, 5, 6}),
        ("seen = spotted", {5, 6}),
        ("seen = unseen", {2, 3, 4}),
        ("seen = none", {1}),
        ("not steady = staggered and hit = yes", {4, 5, 6}),
        ('armed = "bare-handed"', {1, 2, 3, 4, 5, 6}),
        ("armed = armed", set()),
    ],
)
def test_conditions_take_the_words_that_are_declared_for_yes_and_no(condition, faces):
    case = read_case(condition.replace("= armed", '= "armed"'), stance(6))
    assert {face for face in range(1, 7) if holds(case.condition, stance(face))} == faces


def test_a_name_before_them_changes_nothing():
    case = read_case("blow.steady = on her feet", stance(2), "blow")
    assert case == ("steady = on her feet", "", False)
    assert chosen("steady | on her feet: she stands | staggered: she reels", stance(2)) == "she reels"
    assert chosen("steady | staggered: she reels | else: she stands", stance(4)) == "she stands"
    assert chosen("steady | yes: she stands | no: she reels", stance(2)) == "she reels"


@every(
    ("condition", "at", "message", "hint"),
    [
        ("steady = stagered", 9, "'steady' is never 'stagered'", "did you mean 'staggered'?"),
        ('steady = "lost"', 9, "'steady' is never 'lost'", "known: 'no', 'on her feet', 'staggered', 'yes'"),
        ("steady > staggered", 7, "words have no order, so '>' cannot compare them", "write = or !="),
        (
            "armed = armed",
            0,
            "'armed' is a word of 'armed', and the name of a value",
            'write "armed" in quotes if it is the word',
        ),
    ],
)
def test_a_word_that_was_never_declared_is_a_mistake(condition, at, message, hint):
    with pytest.raises(NotationError) as info:
        read_case(condition, stance(6))
    assert (info.value.message, info.value.hint) == (message, hint)
    assert info.value.at == at
