"""Rules that are written in a page: what is refused, how a play is explained, and odds against single plays."""

import random
from contextlib import nullcontext
from fractions import Fraction

import pytest

import dicedocs as dd
from dicedocs import DiceError, LimitError, limits
from dicedocs.page_rules.layout import TableError
from dicedocs.page_rules.page_rule import PageRule, PageTable, TableRow
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.probability.enumeration import count_odds, run_to_end
from dicedocs.probability.enumerator import Enumerator
from dicedocs.render.verdict import verdict
from dicedocs.rules.dice import ScriptedDice
from dicedocs.syntax.parts import RuleError

from ..every import every


def rule_of(text, meanings=(), table=None, **parameters):
    """Return the mechanic of the lines of a rule."""
    page_rule = PageRule("road/rule", tuple(text.splitlines()), "", tuple(parameters.items()), meanings, table)
    return book_mechanics([page_rule])["road/rule"]


def working(text, dice, **parameters):
    return str(rule_of(text, **parameters)().play(ScriptedDice(dice))).splitlines()


# What is refused

_VALUE = "write a number, a name, dice, or words in quotes there"
_WORDS = "write an operator before it, or leave it out; words that are a value stand in quotes"


@every(
    ("text", "parameters", "row", "at", "message", "hint"),
    [
        (
            "total = 2d6 + strenght",
            {},
            0,
            "strenght",
            "nothing is called 'strenght'",
            'write "strenght" in quotes if it is a word; a value is given on a line above, or declared by an option',
        ),
        ("total = 2d6 + sta", {"stat": "1"}, 0, "sta", "nothing is called 'sta'", "did you mean 'stat'?"),
        (
            "pool = 4d6\ntotal = 2d6 + pol\nx = count(pool = 6)",
            {},
            1,
            "pol",
            "nothing is called 'pol'",
            "did you mean 'pool'?",
        ),
        (
            "pool = 4d6\nhit = pool >= 5\nx = count(pool = 6)",
            {},
            1,
            ">= 5",
            "'pool >= 5' could count dice, or compare their sum",
            "write count(pool >= 5), or sum = pool above, and sum >= 5",
        ),
        (
            "favor hit = mood = calmm",
            {"mood": "calm / wild"},
            0,
            "calmm",
            "'mood' is never 'calmm'",
            "did you mean 'calm'?",
        ),
        (
            "x = stat + traits",
            {"stat": "1", "traits": "d8 d10"},
            0,
            "traits",
            "'traits' is dice that are not thrown",
            "write roll(traits)",
        ),
        (
            "x = highest(4d6, mood)",
            {"mood": "calm / wild"},
            0,
            "highest(4d6, mood)",
            "highest() takes a number of dice, not words",
            "write highest(pool, 2)",
        ),
        (
            "x = count(4d6 = mood)",
            {"mood": "calm / wild"},
            0,
            "= mood)",
            "words are compared with a number",
            "compare them with a word in quotes",
        ),
        (
            "x = 0\nrepeat until x > 1d6\n  x = x + 1",
            {},
            1,
            "x > 1d6",
            "dice in the condition that ends a repetition",
            "give them a name on a repeated line",
        ),
        (
            "x = 1 if mood = 3, else 0",
            {"mood": "calm / wild"},
            0,
            "= 3, else 0",
            "words are compared with a number",
            "compare them with a word in quotes",
        ),
        (
            "result = hit if 1d6 > 3, else miss",
            {},
            0,
            "hit if 1d6 > 3, else miss",
            "nothing is called 'hit'",
            'write \'"hit" if 1d6 > 3, else "miss"\'',
        ),
        (
            'result = "hit" if 1d6 > 3',
            {},
            0,
            "",
            "expected 'else', found the end",
            'add an else: ..., else "miss"',
        ),
        (
            'result = "hit" if 1d6 > 3, "miss"',
            {},
            0,
            "",
            "expected 'if', found the end",
            'the last value follows else: write \'"hit" if 1d6 > 3, else "miss"\'',
        ),
        (
            'result = "hit" if 1d6 > 3 else 0',
            {},
            0,
            "0",
            "words and numbers are mixed",
            "write words in every case, or in none",
        ),
        (
            "x = 2d6 if stat, else 1d6",
            {"stat": "1"},
            0,
            "stat, else 1d6",
            "'stat' is a number, not yes or no",
            "write stat > 0",
        ),
        (
            "x = 1d6\nx = x + 1",
            {},
            1,
            "x = x + 1",
            "'x' is already set by a line above",
            "choose another name; only repeated lines can set a name again",
        ),
        (
            "stat = 1d6",
            {"stat": "1"},
            0,
            "stat = 1d6",
            "'stat' is already set by an option",
            "choose another name, as in my stat = stat",
        ),
        ("2d6 + 3", {}, 0, "2d6 + 3", "'2d6 + 3' does not name a value", "write it as in total = 2d6 + stat"),
        (
            "total : 2d6",
            {},
            0,
            "total : 2d6",
            "'total : 2d6' does not name a value",
            "write it as in total = 2d6 + stat",
        ),
        (
            "total == 2d6",
            {},
            0,
            "total == 2d6",
            "'total == 2d6' does not name a value",
            "write it as in total = 2d6 + stat",
        ),
        ("total =", {}, 0, "", "expected a value, found the end", "write what it is, as in total = 2d6 + stat"),
        ("total = 2d6 +", {}, 0, "", "expected a value, found the end", _VALUE),
        ("total = (2d6", {}, 0, "", "expected ')', found the end", "close the parenthesis"),
        ("total = 2d6)", {}, 0, ")", "expected a value, found ')'", _VALUE),
        (
            "x = highest(5)",
            {},
            0,
            "highest(5)",
            "'5' is not dice alone, and highest() reads dice",
            "give the dice a name on a line of their own, as in pool = 4d6",
        ),
        (
            "n = 1d6 + 1\nx = highest(n)",
            {},
            1,
            "highest(n)",
            "'n' is not dice alone, and highest() reads dice",
            "give the dice a name on a line of their own, as in pool = 4d6",
        ),
        (
            "pool = 3d6\nx = highest(pool, 2, 1)",
            {},
            1,
            "highest(pool, 2, 1)",
            "highest() takes one question about dice",
            "write highest(pool, 2)",
        ),
        (
            "pool = 3d6\nx = count(pool) >= 2 sixes",
            {},
            1,
            "sixes",
            "expected an operator (+ - * / % = < >), 'if', 'and' or 'or', found 'sixes'",
            "dice are counted by a question: write it as in count(pool = 6) >= 2",
        ),
        (
            "pool = 3d6\nx = sum(pool)",
            {},
            1,
            "sum(pool)",
            "expected a value, found 'sum'",
            "write 'pool'",
        ),
        (
            "pool = 3d6\nx = count(pool = hit)",
            {},
            1,
            "hit)",
            "'hit' is on no face",
            "such dice show numbers: write each, as in count(pool = 1 or 2)",
        ),
        ("pool = 3d{-, hit}\nx = count(pool = hitt)", {}, 1, "hitt)", "'hitt' is on no face", "did you mean 'hit'?"),
        (
            "x = roll(stat)",
            {"stat": "1"},
            0,
            "roll(stat)",
            "roll() throws the dice of a parameter",
            "declare it by an option, as in traits: d8 d8 d10",
        ),
        (
            "x = roll(3d6)",
            {},
            0,
            "roll(3d6)",
            "roll() throws the dice of a parameter",
            "write 3d6, which is thrown by itself",
        ),
        ("repeat until x = 6\nx = 1d6", {}, 0, "", "nothing is repeated", "indent the lines to repeat"),
        (
            "repeat 3 times\n  x = 1d6\ny = x + z",
            {},
            2,
            "z",
            "nothing is called 'z'",
            'write "z" in quotes if it is a word; a value is given on a line above, or declared by an option',
        ),
        (
            "x = 0\nrepeat\n  x = x + 1d6",
            {},
            1,
            "repeat",
            "'repeat' does not say how often",
            "write repeat 3 times, or repeat until points = 0",
        ),
        (
            "x = 0\nrepeat until x >= 10\n  y = 1d6",
            {},
            1,
            "x >= 10",
            "no repeated line changes this",
            "set one of its names in a round",
        ),
        (
            "result = 2d6: 6- miss, 7-9",
            {},
            0,
            "7-9",
            "'7-9' is not a row",
            "write numbers and what they mean, as in 6- miss, 7-9 weak hit, 10+ strong hit",
        ),
        (
            "result = 2d6: miss 6-, hit 7+",
            {},
            0,
            "miss 6-, hit 7+",
            "'miss 6-' is not a row",
            "write result = 2d6: 6- miss, 7+ hit",
        ),
        (
            "result = 2d6: 6- miss, 8+ hit",
            {},
            0,
            "6- miss, 8+ hit",
            "7 is in no row",
            "add a row for it, or leave an end open, as in 6- or 10+",
        ),
        (
            "result = 2d6: 7- miss, 7+ hit",
            {},
            0,
            "7+ hit",
            "7 is in two rows",
            "keep it in only one",
        ),
        (
            "result = 2d6:",
            {},
            0,
            "",
            "there is no table in or below this rule",
            "add one there, or write the rows after the colon: 6- miss, 7+ hit",
        ),
        (
            'x = 5 if 1d6 = 6, else "five"',
            {},
            0,
            '5 if 1d6 = 6, else "five"',
            "words and numbers are mixed",
            "write words in every case, or in none",
        ),
        ("seed = 1d6", {}, 0, "seed = 1d6", "'seed' is a reserved name", "choose another"),
        (
            "x = [Target Defense] + 1d6",
            {},
            0,
            "[Target Defense] + 1d6",
            "'[Target Defense]' cannot be a name in a rule",
            "write Defense, and declare it by an option",
        ),
        ("x = 0d6 + 3d0", {}, 0, "0", "a die cannot have 0 sides", "it has 1 or more"),
        (
            "if 1d6 > 3: x = 2",
            {},
            0,
            "if 1d6 > 3: x = 2",
            "'if 1d6 > 3: x = 2' does not name a value",
            "write the name first: x = 2 if 1d6 > 3, else ...",
        ),
        (
            "x = [1, 2, 3]",
            {},
            0,
            "[1, 2, 3]",
            "nothing is called '1 2 3'",
            'write "1 2 3" in quotes if it is a word; a value is given on a line above, or declared by an option',
        ),
        (
            "x = 99999999d6",
            {},
            0,
            "99999999d6",
            "99999999 dice in one play; the limit DICE is 10000",
            "throw fewer dice",
        ),
        ("d6 = 3", {}, 0, "d6 = 3", "'d6' cannot be part of a name", "use another word"),
        (
            "x = 1d6 ; y = 2",
            {},
            0,
            "; y = 2",
            "expected an operator (+ - * / % = < >), 'if', 'and' or 'or', found ';'",
            "each value has a line of its own: write it on the next line",
        ),
        ("x = not 1d6", {}, 0, "1d6", "'1d6' is a number, not yes or no", "write 1d6 > 0"),
        ('x = "a" + 1', {}, 0, '"a" + 1', "'\"a\"' is a word", "calculate with numbers"),
        ('x = "a" < "b"', {}, 0, '< "b"', "words have no order, so '<' cannot compare them", "write = or !="),
    ],
)
def test_a_slip_is_pointed_at(text, parameters, row, at, message, hint):
    with pytest.raises(RuleError) as info:
        rule_of(text, **parameters)
    error = info.value
    assert (error.row, error.message, error.hint) == (row, message, hint)
    assert text.splitlines()[row][error.at :] == at
    assert error.text == text.splitlines()[row]


def test_a_slip_in_a_line_that_goes_on_is_pointed_at_there():
    with pytest.raises(RuleError) as info:
        rule_of("stat = 1\ntotal = 2d6\n  + stat\n  + sat")
    assert (info.value.row, info.value.text, info.value.at) == (3, "  + sat", 4)


@every(
    ("parameters", "message", "hint"),
    [
        ({"stat": "0"}, "there is no such option, and no line reads it", ""),
        ({"hero": "x/"}, "'x/' does not declare a parameter", "write a number with its bounds"),
        ({"seed": "0"}, "'seed' is a reserved name", "choose another"),
    ],
)
def test_a_wrong_parameter_is_named(parameters, message, hint):
    with pytest.raises(TableError) as info:
        rule_of("total = 2d6", **parameters)
    assert (info.value.parameter, info.value.message) == (*parameters, message)
    assert hint in info.value.hint


def test_a_rule_without_lines():
    with pytest.raises(RuleError, match="the rule has no lines"):
        rule_of("")


def test_a_value_that_does_not_exist_names_its_line():
    rule = rule_of("shots = 1d6 - 1\neach = 12 / shots")
    assert rule().play(ScriptedDice([4])).each == 4
    with pytest.raises(DiceError, match="each: 12 / 0 has no value"):
        rule().play(ScriptedDice([1]))
    with pytest.raises(DiceError, match="each: 12 / 0 has no value"):
        dd.odds(rule(), "each")


def test_what_is_too_much_names_the_line_that_keeps_plays_apart_and_what_to_do():
    rule = rule_of("one = 1d1000\ntwo = 1d1000\nmore = one > two")
    with pytest.raises(LimitError, match="the limit LINE_BRANCHES is 20000") as info:
        dd.odds(rule(), "more")
    assert info.value.hint == (
        "the line 'one' leads to too many different plays, since later lines read one; ask for fewer facts, throw "
        "fewer dice, take samples: estimate(...), or raise the limit (dicedocs_limits, --limit, raise_limits); "
        'see "Too much to count" in the guide'
    )


def test_a_line_that_asks_for_too_much_keeps_its_own_hint():
    rule = rule_of("size = 3000000 if 1d2 = 1, else 6\ntotal = 1d[size]")
    with pytest.raises(LimitError, match="sides on a die; the limit SIDES is 1000000; use a die with fewer sides"):
        dd.odds(rule(), "total")


USAGE = """\
now = die
uses = 0
repeat until now = 0
  roll = 1d[now]
  now = now if roll > 2, 12 if now = 20, now - 2 if now > 4, else 0
  uses = uses + 1"""


WORN = """\
now = die
uses = 0
repeat until now = 0
  roll = 1d[now]
  uses = uses + 1
  worn = roll: below 3 yes, 3+ no
  now = now if worn = no, 12 if now = 20, now - 2 if now > 4, else 0"""


@pytest.mark.parametrize(
    "text", [pytest.param(USAGE, id="read at once"), pytest.param(WORN, id="read later in the round")]
)
def test_a_name_for_a_throw_that_nothing_reads_later_costs_nothing(text):
    odds = dd.odds(rule_of(text, die="20 (4 to 20)")(), "uses")
    # By hand: each size n is worn out after n / 2 throws; half of 20 + 12 + 10 + 8 + 6 + 4.
    assert abs(odds.mean - 30) < Fraction(1, 10**20)


def test_throws_of_one_round_are_counted_one_after_the_other():
    throws = "".join(f"\n  x{number} = 1d20\n  top = max(top, x{number})" for number in range(5))
    odds = dd.odds(rule_of(f"top = 0\nrepeat 3 times{throws}")(), "top")
    # The highest of fifteen d20 is at most k if all of them are.
    assert all(odds.p(f"at most {top}") == Fraction(top, 20) ** 15 for top in range(1, 21))


def test_what_is_not_asked_for_costs_no_states():
    rule = rule_of("left = 3\nthrows = 0\nsum = 0\n" + "repeat 40 times\n  left = min(left, 1d6)\n  sum = sum + 2d6")()
    # By hand: above 1 only if none of 40 dice shows a 1.
    assert dd.odds(rule, "left").p("at least 2") == Fraction(5, 6) ** 40


@every(
    ("text", "message", "hint"),
    [
        ("repeat 2 times\n  hp = hp - 1d2", "'hp' is already set by an option", "as in my hp = hp"),
        ("again = [hp - 1]d6", "nothing is called 'hp 1'", "write a sum in parentheses: (hp - 1)d6"),
        ("hp/2 = hp", "'hp/2' cannot be a name", "use letters, digits and spaces, and inside words hyphens"),
        ("heat-hp = hp\nheat = 1", "'heat-hp' is also a difference of names", "choose another name"),
        ("x = 1 if hp > 2, else hp: 1 low, 2+ high", "rows go on a line of their own", "on a line above"),
    ],
)
def test_what_a_first_reader_tried(text, message, hint):
    with pytest.raises(RuleError) as info:
        rule_of(text, hp="3 (1 to 5)")
    assert message in info.value.message
    assert hint in info.value.hint


def test_a_repetition_has_none_inside():
    with pytest.raises(RuleError, match="a repetition inside another one") as info:
        rule_of("x = 0\nrepeat 2 times\n  x = x + 1\n  repeat 3 times\n    x = x + 1d6")
    assert info.value.row == 3


def test_what_rounds_give_is_read_below_them():
    with pytest.raises(RuleError, match="nothing uses the result of the rounds") as info:
        rule_of("repeat 3 times\n  x = 1d6")
    assert (info.value.row, info.value.hint) == (0, "read it on a line below the last round")
    assert rule_of("repeat 3 times\n  x = 1d6\nlast = x")().play(ScriptedDice([4, 2, 5])).last == 5


def test_long_repetitions_are_counted_without_many_plays(monkeypatch):
    # Before much is counted some plays are tried, of 800 dice each.
    thrown = 0
    throw = dd.SeededDice.throw

    def count(self, count, sides):
        nonlocal thrown
        thrown += count
        return throw(self, count, sides)

    monkeypatch.setattr(dd.SeededDice, "throw", count)
    odds = dd.odds(rule_of("hp = 8\nrepeat 400 times\n  hp = max(hp - count(2d6 = 6), 0)")(), "hp")
    assert odds.p("= 0") > Fraction(999, 1000)
    assert thrown <= 5 * 800


def test_a_rule_has_a_limit_of_lines():
    with pytest.raises(LimitError, match="LINES"):
        rule_of("\n".join(f"n{number} = 1" for number in range(101)))


def test_names_that_double_are_no_work():
    lines = ["n0 = 1d2", *(f"n{number} = n{number - 1} + n{number - 1}" for number in range(1, 60))]
    rule = rule_of("\n".join([*lines, "big = n59: 1- no, 2+ yes"]))
    assert rule().play(ScriptedDice([1])).big == "yes"


def test_yes_and_no_are_words_for_what_holds():
    assert rule_of("sure = yes if 1d6 > 3, else no")().play(ScriptedDice([4])).facts() == "sure=true"
    assert rule_of("held = 1d6 > 3\nfell = held = no")().play(ScriptedDice([4])).facts() == "held=true, fell=false"


def test_too_many_dice_are_those_of_the_rule():
    with pytest.raises(LimitError) as info:
        rule_of("x = 0\nrepeat 2000 times\n  x = x + 10d2")().play(dd.SeededDice(1))
    assert info.value.message.startswith("road/rule: 10010 dice in one play")


def test_a_repetition_ends():
    with pytest.raises(LimitError, match="ROUNDS"):
        rule_of("points = 0\nrepeat until points < 0\n  points = points + 1d6")().play(dd.SeededDice(1))


def test_too_many_rounds_are_refused_before_the_first():
    with pytest.raises(LimitError, match="10000000 rounds of one repetition"):
        rule_of("points = 0\nrepeat 10000000 times\n  points = points + 1d6")().play(ScriptedDice([]))


def test_the_working_of_cases_is_that_of_the_case_that_holds():
    lines = working("r = 1d6\nbest = r = 6\ncost = 6 - r - 1 if best, else 6 - r\nhit = 2d8 if best, else 1d8", [5, 3])
    assert lines == ["R: d6: 5", "Best: no (r 5)", "Cost: 6 - 5 (r) = 1", "Hit: d8: 3"]


def test_what_is_called_success_is_the_verdict_wherever_it_stands():
    rule = rule_of('roll = 1d6\nsuccess = roll >= 4\nresult = "in" if success, else "out"')
    assert rule.result().main_fact == "success"
    assert rule.result().facts_of["success"].verdict is True
    assert rule_of("roll = 1d6\nlate = roll >= 4\nx = 1").result().main_fact == "x"


def test_a_name_among_words_is_pointed_at():
    with pytest.raises(RuleError, match="'panic' is yes or no, and other cases are words") as info:
        rule_of('roll = 1d6\npanic = roll = 1\nresult = panic if roll > 3, else "calm"')
    assert (info.value.row, info.value.hint) == (2, 'write "panic" in quotes if it is a word')


def test_a_number_may_be_kept_as_dice_are():
    assert rule_of("total = 1d6 + (7)kh1")().play(ScriptedDice([4])).total == 11


def test_dice_of_digits_are_thrown_as_such():
    rule = rule_of("pool = 2d66\nx = highest(pool)")
    assert rule().play(ScriptedDice([2, 5, 6, 1])).x == 61
    odds = dd.odds(rule(), "x")
    assert odds.p("= 66") == 1 - Fraction(35, 36) ** 2


# How it is played


def test_each_line_is_a_step():
    move = rule_of("total = 2d6 + stat\nresult = total: 6- miss, 7-9 weak hit, 10+ strong hit", stat="1 (-1 to 3)")
    assert str(move().play(ScriptedDice([4, 3]))).splitlines() == [
        "Dice: 2d6: 4 + 3 = 7",
        "Total: 7 + 1 (stat) = 8",
        "Result: 8 is 7 to 9: weak hit",
    ]


def test_rounds_stand_below_one_another():
    assert working("wins = 0\nrepeat 2 times\n  roll = 1d20\n  wins = wins + 1 if roll >= 11, else wins", [12, 4]) == [
        "Wins: 0",
        "Round 1:",
        "  Roll: d20: 12",
        "  Wins: 1 (wins 0, roll 12)",
        "Round 2:",
        "  Roll: d20: 4",
        "  Wins: 1 (wins 1, roll 4)",
    ]


def test_what_is_kept_of_a_number_is_the_number():
    assert rule_of("x = (12)kh1 + 1d6")().play(ScriptedDice([4])).x == 16


def test_dice_of_a_name_are_thrown_once_and_of_a_case_only_if_it_is_taken():
    rule = rule_of("pool = 2d6\nhigh = highest(pool)\nlow = lowest(pool)\nmore = 1d8 if high = low, else 0")
    assert rule().play(ScriptedDice([4, 2])).facts() == "high=4, low=2, more=0"
    assert rule().play(ScriptedDice([3, 3, 8])).facts() == "high=3, low=3, more=8"


def test_a_name_that_only_a_round_gives_ends_it():
    rule = rule_of("rolls = 0\nrepeat until roll = 6\n  roll = 1d6\n  rolls = rolls + 1")
    assert rule().play(ScriptedDice([1, 5, 6])).facts() == "rolls=3, roll=6"
    odds = dd.odds(rule(), "rolls")
    assert [odds.exactly(number) for number in (1, 2)] == [Fraction(1, 6), Fraction(5, 36)]


def test_the_main_fact_is_that_with_a_verdict_or_else_the_last():
    text = "total = 2d6\nresult = total: 6- miss, 7+ hit\nmargin = total - 7"
    assert rule_of(text).result().main_fact == "margin"
    judged = rule_of(text, (("success", "hit"), ("failure", "miss")))
    assert judged.result().main_fact == "result"
    assert judged.result().facts_of["result"].verdict == {"hit": "success", "miss": "failure"}
    assert dd.odds(judged()).p("= hit") == Fraction(21, 36)
    truth = rule_of("total = 2d6\nsuccess = total >= 7\nmargin = total - 7", (("success", "success"),))
    assert truth.result().facts_of["success"].verdict is True
    assert truth().play(ScriptedDice([4, 4])).value is True


def test_of_several_lines_that_are_yes_or_no_none_is_the_verdict_until_it_is_named():
    text = "throw = 1d100\nanswer = throw <= 75\nomen = throw % 11 = 0"
    [unnamed, named] = [
        verdict(rule_of(text, more)().play(ScriptedDice([75]))) for more in ((), (("success", "answer"),))
    ]
    assert (unnamed.tone, named.headline) == ("", "Answer")
    # A single one that is the last line is the verdict, as before.
    assert verdict(rule_of("throw = 1d100\nanswer = throw <= 75")().play(ScriptedDice([80]))).tone == "failure"


def test_a_table_below_is_looked_up():
    rows = tuple(TableRow((keys,), cells) for keys, cells in [("2-6", ("calm", "no")), ("7-12", ("storm", "2d6"))])
    table = PageTable(("total",), ("Sky", "Wind"), rows)
    rule = rule_of("total = 2d6\nsky = total:", table=table)
    assert rule().play(ScriptedDice([1, 2])).facts() == "total=3, sky=calm, Wind=no, Wind_rolled=none"
    assert rule().play(ScriptedDice([6, 2, 5, 4])).facts() == "total=8, sky=storm, Wind=2d6, Wind_rolled=9"
    assert dd.odds(rule(), "sky").p("= storm") == Fraction(21, 36)
    assert dd.odds(rule(), "Wind_rolled").p("= 12") == Fraction(21, 36) / 36


def test_what_a_table_below_gives_is_read_again_from_its_text():
    rows = (TableRow(("2-6",), ("calm", "1d6 or 1d8", "3")), TableRow(("7-12",), ("storm", "2d6", "")))
    rule = rule_of("total = 2d6\nsky = total:", table=PageTable(("total",), ("Sky", "Wind", "Waves"), rows))
    for faces in ([1, 2, 3, 4], [6, 2, 3, 4]):
        outcome = rule().play(ScriptedDice(faces))
        for name, kind in rule.fact_kinds().items():
            assert kind.read(kind.write(outcome.fact(name))) == outcome.fact(name)


def test_the_rows_of_a_table_below_are_for_all_that_comes_up():
    rows = (TableRow(("2-6",), ("calm",)), TableRow(("8-12",), ("storm",)))
    table = PageTable(("total",), ("Sky",), rows)
    with pytest.raises(RuleError) as info:
        rule_of("total = 2d6\nsky = total:", table=table)
    assert (info.value.row, info.value.message) == (1, "7 is in no row")


@every(
    ("keys", "heads", "line", "message"),
    [
        (("2-6", "8-12"), (), 6, "7 is in no row"),
        (("8-12", "2-6"), (), 7, "7 is in no row"),
        (("3-6", "7-12"), (), 6, "2 is in no row"),
        (("2-7", "7-12"), (), 7, "7 is in two rows"),
        (("7-12", "2-7"), (), 7, "7 is in two rows"),
        (("2-6", "7-12"), ("1-3", "5-6"), 4, "4 is in no column"),
    ],
)
def test_a_wrong_row_of_a_table_below_is_reported_at_its_own_line(keys, heads, line, message):
    rows = tuple(TableRow((key,), ("calm", "storm")[: len(heads) or 1]) for key in keys)
    axes, sky = (("total", "season"), "sky = total, 1d6:") if heads else (("total",), "sky = total:")
    table = PageTable(axes, ("Sky",), rows, heads, head_line=4, lines=(6, 7))
    with pytest.raises(TableError) as info:
        rule_of(f"total = 2d6\n{sky}", table=table)
    assert (info.value.line, info.value.message) == (line, message)


@every(
    ("lines", "rows", "message"),
    [
        # The lowest of two d2 is never above the highest.
        ("pool = 2d2\nkey = lowest(pool) * 10 + highest(pool)", ("11", "12", "22"), ""),
        ("pool = 2d2\nkey = lowest(pool) * 10 + highest(pool)", ("11", "22"), "12 is in no row"),
        ("key = count(3d4 = 4) * 5", ("0", "5", "10", "15"), ""),
        ("key = count(3d4 = 4) * 5", ("5", "10", "15"), "0 is in no row"),
        ("tens = 1d2\nkey = 10 * tens + (1d3 if tens = 1, else 7)", ("11-13", "27"), ""),
        ("key = 1d4 * 1d4", ("1-4", "6", "8-9", "12", "16"), ""),
        ("key = 0\nrepeat 2 times\n  key = key + 3 * 1d2", ("6", "9", "12"), ""),
    ],
)
def test_no_row_is_demanded_that_no_roll_gives(lines, rows, message):
    here = ", ".join(f"{row} w{at}" for at, row in enumerate(rows))
    below = PageTable(("key",), ("Event",), tuple(TableRow((row,), (f"w{at}",)) for at, row in enumerate(rows)))
    for text, table in ((f"event = key: {here}", None), ("event = key:", below)):
        with pytest.raises(DiceError, match=f"^{message}") if message else nullcontext():
            dd.odds(rule_of(f"{lines}\n{text}", table=table)(), "event")


def test_a_row_that_is_chosen_by_settings_is_demanded_for_those_that_there_are():
    text = "pool = 2d2\nkey = highest(pool) * grip\nevent = key: {}"
    assert rule_of(text.format("1 a, 2 b, 4 c"), grip="1 (1 to 2)")
    with pytest.raises(RuleError, match=r"^4 is in no row"):
        rule_of(text.format("1 a, 2 b"), grip="1 (1 to 2)")


def test_a_wrong_row_on_a_line_of_its_own_is_reported_there():
    with pytest.raises(RuleError) as info:
        rule_of("low = 2d6:\n  2-6 miss,\n  5-8 weak hit,\n  9-12 hit")
    assert (info.value.row, info.value.at, info.value.text) == (2, 2, "  5-8 weak hit,")
    with pytest.raises(RuleError) as info:
        rule_of("low = 2d6:\n  2-6 miss,\n  7-12  hit or more,\n  hit 13")
    assert (info.value.row, info.value.message) == (3, "'hit 13' is not a row")


@every(
    ("rows", "heads", "message"),
    [
        (("1-10", "11-19"), ("0-2", "3+"), "20 is in no row"),
        (("1-10", "10-20"), ("0-2", "3+"), "10 is in two rows"),
        (("1-10", "1-10"), ("0-2", "3+"), "11–20 are in no row"),
        (("1-10", "11-20"), ("0-2", "3-8"), "9 is in no column"),
        (("1-10", "11-20"), ("0-2", "2+"), "2 is in two columns"),
    ],
)
def test_the_rows_and_columns_of_a_matrix_below_are_for_all_that_comes_up(rows, heads, message):
    cells = tuple(TableRow((key,), ("1", "0")) for key in rows)
    table = PageTable(("attack", "armour"), ("damage",), cells, heads)
    with pytest.raises(RuleError) as info:
        rule_of("attack = 1d20\ndamage = attack, armour:", table=table, armour="4 (0 to 9)")
    assert info.value.message == message


@pytest.mark.parametrize(("key", "head"), [("Critical", "3+"), ("11-20", "heavy")])
def test_numbers_are_not_looked_up_among_words(key, head):
    rows = (TableRow(("1-10",), ("1", "0")), TableRow((key,), ("4", "2")))
    table = PageTable(("attack", "armour"), ("damage",), rows, ("0-2", head))
    with pytest.raises(TableError, match="is not a number or a range; write it like 3, 4–5, 6 or less, 7\\+"):
        rule_of("attack = 1d20\ndamage = attack, armour:", table=table, armour="4 (0 to 9)")


def test_a_matrix_below_is_looked_up():
    rows = (TableRow(("1-10",), ("1", "0")), TableRow(("11-20",), ("4", "2")))
    table = PageTable(("attack", "armour"), ("damage",), rows, ("0-2", "3+"))
    rule = rule_of("attack = 1d20\ndamage = attack, armour:", table=table, armour="4 (0 to 9)")
    assert rule().play(ScriptedDice([15])).facts() == "attack=15, damage=2"
    assert rule(armour=0).play(ScriptedDice([15])).facts() == "attack=15, damage=4"


@every(
    ("dice", "question", "ways"),
    [
        ("2d6kl1", "highest(pool)", {1: 11, 2: 9, 3: 7, 4: 5, 5: 3, 6: 1}),
        ("2d6kh1", "lowest(pool)", {1: 1, 2: 3, 3: 5, 4: 7, 5: 9, 6: 11}),
        ("2d3dl1", "highest(pool, 2)", {1: 1, 2: 3, 3: 5}),
        ("2d3p1", "highest(pool)", {0: 1, 2: 3, 3: 5}),
    ],
)
def test_the_highest_of_dice_that_are_chosen_counts_only_those(dice, question, ways):
    rule = rule_of(f"pool = {dice}\nx = {question}")()
    total = sum(ways.values())
    assert dd.odds(rule, "x").to_dict() == {value: Fraction(number, total) for value, number in ways.items()}
    dd.verify_distribution(rule)


# Random rules: their odds are those of single plays, path by path.

_VALUES = ("1d4", "1d3", "2d3", "1d4!x1", "2d3kh1", "1d3ro1", "(1 + brave)d3", "[stat]d2")
_POOLS = (
    *("2d3", "3d2", "[stat]d3", "1d4 + 2d3", "2d3 if brave, else 2d4", "2d3r1", "2d2!x1"),
    *("2d3kl1", "3d2dl1", "3d3p1"),
)


class RandomRule:
    """The lines of a rule, drawn from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers, self.truths, self.pools, self.lines = ["stat"], ["brave"], [], []
        for index in range(self.random.randrange(2, 6)):
            self.draw_line(index)

    def draw_line(self, index):
        choose, name = self.random.choice, f"n{index}"
        match self.random.randrange(10):
            case 0 | 1 | 2 if len(self.pools) < 3:
                self.lines.append(f"p{index} = {self.pool()}")
                self.pools.append(f"p{index}")
            case 3:
                self.lines.append(f"{name} = {self.condition()}")
                self.truths.append(name)
            case 4:
                self.lines.append(f"{name} = {self.number()}: below 2 low, 2-4 mid, 5+ high")
            case 5 if len(self.numbers) > 1:
                again = choose(self.numbers[1:])
                self.lines.append(choose(["repeat 2 times", f"repeat up to 2 times until {again} > 3"]))
                self.lines.append(f"  {again} = {choose([f'{again} + 1d2', f'max({again} - 1d3, 0)'])}")
            case _:
                self.lines.append(f"{name} = {self.question() if self.pools else self.number()}")
                self.numbers.append(name)

    def number(self, depth=0):
        match self.random.randrange(9 if depth < 2 else 4):
            case 0:
                return str(self.random.randrange(5))
            case 1 | 2:
                return self.random.choice(self.numbers)
            case 3:
                return self.random.choice(_VALUES)
            case 4:
                return f"{self.number(depth + 1)} {self.random.choice('+-*')} {self.number(depth + 1)}"
            case 5:
                return f"{self.random.choice(['min', 'max'])}({self.number(depth + 1)}, {self.number(depth + 1)})"
            case 6:
                return f"({self.number(depth + 1)} if {self.condition(depth + 1)}, else {self.number(depth + 1)})"
            case 7 if self.pools:
                return self.question()
            case _:
                return f"({self.number(depth + 1)} + {self.number(depth + 1)}) / 2"

    def question(self):
        pool, sign = self.random.choice(self.pools), self.random.choice(["=", ">=", "<", "!="])
        return self.random.choice(
            [
                f"count({pool} {sign} {self.random.choice(['2', *self.numbers])})",
                *(f"{question}({pool})" for question in ("highest", "lowest", "matches", "sides", "count")),
                *(f"highest({pool}, 2)", f"count({pool} = 1 or {pool} = 3)", f"count({pool} < 1d3)"),
                *(f"(({pool})kh1 + 0)", f"(({pool})dl1 + 0)"),
            ]
        )

    def condition(self, depth=0):
        match self.random.randrange(6 if depth < 2 else 3):
            case 0:
                return self.random.choice(self.truths)
            case 1:
                return f"mood {self.random.choice(['=', '!='])} {self.random.choice(['calm', 'wild'])}"
            case 2:
                return f"{self.number(depth + 1)} {self.random.choice(['>=', '=', '<'])} {self.number(depth + 1)}"
            case 3:
                return f"not ({self.condition(depth + 1)})"
            case _:
                joined = self.random.choice(["and", "or"])
                return f"({self.condition(depth + 1)}) {joined} ({self.condition(depth + 1)})"

    def pool(self):
        if len(self.pools) > 1 and self.random.random() < 0.3:
            return " + ".join(self.random.sample(self.pools, 2))
        if self.pools and self.random.random() < 0.2:
            return f"({self.random.choice(self.pools)})kh2"
        return self.random.choice(_POOLS)


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 80), marks=pytest.mark.thorough)])
def test_odds_of_random_rules_are_those_of_their_plays(seeds):
    compared = 0
    for seed in seeds:
        drawn = RandomRule(seed)
        text = "\n".join(drawn.lines)
        parameters = {"stat": "2 (0 to 3)", "brave": "yes", "mood": "calm / wild"}
        rule = rule_of(text, **{name: value for name, value in parameters.items() if name in text})()
        names = list(rule.result().facts_of)
        asked = tuple(drawn.random.sample(names, min(len(names), 2)))
        try:
            paths = Enumerator(limits.BRANCHES.fixed(5_000), limits.TOTAL_CALLS.fixed(50_000), unrolled=True)
            plays = run_to_end(count_odds(rule, asked, paths)) if asked else None
        except LimitError:  # there are too many plays
            continue
        if plays is not None:
            compared += 1
            odds = dd.odds(rule, *asked)
            assert {repr(value): p for value, p in odds.to_dict().items()} == {
                repr(value): p for value, p in plays.to_dict().items()
            }, text
    assert compared > len(seeds) / 4


def draw_rounds(random):
    """Return lines that are repeated: throws, what they decide, and what goes from round to round."""
    numbers, throws, words = ["a", "b", "c"], [], []
    lines = [*(f"{name} = {random.randrange(3)}" for name in numbers)]
    lines.append(random.choice(["repeat 2 times", "repeat up to 3 times until a > 1"]))
    for index in range(random.randrange(2, 6)):
        name, other = random.choices(numbers, k=2)
        drawn = random.choice(["throw", "count", "sum", "decide", "decide", "decide", "look up", "word"])
        if not throws or (drawn == "throw" and len(throws) < 2):
            throws.append(f"t{index}")
            lines.append(f"  t{index} = {random.choice(['1d2', '1d3', f'1d2 + {name}', f'(max(1, {name}))d2'])}")
        elif drawn == "sum":
            lines.append(f"  {name} = {other} + {random.choice(throws)}")
        elif drawn == "decide":
            one, two = random.choices(throws, k=2)
            lines.append(f"  {name} = {other} + 1 if {one} > 1, {other} if {two} = 1, else 0")
        elif drawn == "look up":
            words.append(f"w{index}")
            lines.append(f"  w{index} = {random.choice(throws)}: below 2 low, 2+ high")
        elif words:
            lines.append(f"  {name} = {other} if {random.choice(words)} = low, else {name}")
        else:
            lines.append(f"  {name} = {name} + 1")
    return [*lines, f"  a = a + {random.choice(['1', '1', *throws])}"]


@pytest.mark.parametrize("seeds", [range(100), pytest.param(range(100, 200), marks=pytest.mark.thorough)])
def test_odds_of_random_rounds_are_those_of_their_plays(seeds):
    wrong = []
    for seed in seeds:
        drawn = random.Random(seed)
        text = "\n".join(draw_rounds(drawn))
        rule = rule_of(text)()
        names = list(rule.result().facts_of)
        asked = tuple(drawn.sample(names, drawn.randint(1, 2)))
        odds = dd.odds(rule, *asked)
        plays = run_to_end(count_odds(rule, asked, Enumerator(unrolled=True)))
        if odds.to_dict() != plays.to_dict():
            wrong.append((text, asked))
    assert not wrong


# Words that are looked up


def test_a_word_is_looked_up_in_the_rows_of_a_line():
    rule = rule_of(
        "fee = size: small 2, Large or very large 5, else 9\n"
        "pool = 2d6\nway = pool: 2-6 miss, 7-9 weak hit, 10+ hit\n"
        "points = way: miss -1, weak hit 0, hit 2\n"
        'said = way: hit well done, else "or else"\n'
        "all = fee + points",
        size="small / large / very large / huge",
    )
    assert rule(size="very large").play(ScriptedDice([4, 3])).facts("fee", "points", "said", "all") == (
        "fee=5, points=0, said=or else, all=5"
    )
    assert str(rule(size="huge").play(ScriptedDice([6, 6]))).splitlines() == [
        "Fee: 9 (size: huge)",
        "Pool: 2d6: 6 + 6 = 12",
        "Way: 12 is 10 or more: hit",
        "Points: 2 (way: hit)",
        "Said: well done (way: hit)",
        "All: 9 (fee) + 2 (points) = 11",
    ]
    # 2d6 is at most 6 in 15 of 36 cases, and at least 10 in 6.
    assert dd.odds(rule(), "all").to_dict() == {1: Fraction(15, 36), 2: Fraction(15, 36), 4: Fraction(6, 36)}
    assert (rule.fact_kinds()["points"].expects, rule.fact_kinds()["fee"].expects) == (
        "a whole number from -1 to 2",
        "a whole number from 2 to 9",
    )


def test_rows_for_words_are_complete_and_each_word_has_one():
    refused = [
        ("small 2, large 5", "small 2", "'very large' is in no row", "add a row for it, or end with else"),
        ("small 2, lage 5, else 1", "lage 5", "size is never 'lage'", "did you mean 'large'?"),
        ("small 2, small 3, else 4", "small 3", "'small' is in two rows", "leave one of them out"),
        ("small 2, large 5, very large 3, else 4", "else 4", "each word has a row before 'else'", "leave this one out"),
        ("small, else 4", "small, ", "nothing stands behind 'small'", "write what it means, as in small 2"),
        ("small 2, else big", "else big", "'2' is a number, and 'big' is not", 'write "2" in quotes'),
        ("small = 2, else 3", "small = 2", "'=' would be a part of the word", "write small 2, or"),
        ("1-3 2, else 3", "1-3 2", "size is never '1-3'", "known: 'large', 'small', 'very large'"),
    ]
    wrong = []
    for rows, at, message, hint in refused:
        text = f"fee = size: {rows}"
        try:
            rule_of(text, size="small / large / very large")
        except RuleError as error:
            caret = text[error.at :]
            if not (error.message.startswith(message) and error.hint.startswith(hint) and caret.startswith(at)):
                wrong.append((rows, caret, error.message, error.hint))
        else:
            wrong.append((rows, "is not refused"))
    assert not wrong, "\n".join(map(str, wrong))


def test_a_rule_may_have_more_lines_that_throw_than_plays_may_be_nested():
    lines = ["s0 = 1d2 - 1", *(f"s{at} = s{at - 1} if 1d2 = 1, else 1 - s{at - 1}" for at in range(1, 80))]
    assert len(lines) > limits.PLAYS.maximum
    assert dd.odds(rule_of("\n".join(lines))(), "s79").to_dict() == {0: Fraction(1, 2), 1: Fraction(1, 2)}
