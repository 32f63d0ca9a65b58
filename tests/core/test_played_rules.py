"""Rules of a page that play other rules: their dice and working, odds against other ways of counting, refusals."""

import pickle
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import icepool  # type: ignore[import-untyped]
import pytest

import dicedocs as dd
from dicedocs import Dice, DiceError, LimitError, Mechanic, Outcome, Say
from dicedocs.page_rules.page_rule import PageRule, PageTable, TableRow
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.rules import registry
from dicedocs.rules.dice import ScriptedDice
from dicedocs.syntax.parts import RuleError

from ..every import every


def page_rule(id, text, **parameters):
    return PageRule(id, tuple(text.splitlines()), "", tuple(parameters.items()))


def page_table(id, axis, columns, *rows):
    return PageRule(id, table=PageTable((axis,), columns, tuple(TableRow((key,), cells) for key, *cells in rows)))


STEP = page_rule(
    "road/step",
    "pool = (stat)d6\nhits = count(pool >= 5) + adds\ndegree = hits: 0- miss, 1 hit, 2+ strong",
    stat="2 (0 to 9)",
    adds="0",
)
WEATHER = page_table("road/weather", "d3", ("Weather", "Wind"), ("1", "Storm", "1d6 knots"), ("2-3", "Rain", "2"))
TOLL = page_table("road/toll", "size", ("Toll",), ("1", "5"), ("2-3", "8"))
TASTES = page_rule(
    "road/tastes",
    "best = highest(roll(traits)) + (favor = with) + hurt",
    traits="d6 d8",
    favor="none / with",
    hurt="no",
)
OTHERS = (STEP, WEATHER, TOLL, TASTES)


def rule_of(text, *others, **parameters):
    return book_mechanics([page_rule("road/rule", text, **parameters), *OTHERS, *others])["road/rule"]


def step_ways(stat, adds=0):
    """Return the chances of the hits of a step, counted throw by throw."""
    ways = Counter(sum(face >= 5 for face in faces) + adds for faces in product(range(1, 7), repeat=stat))
    return {hits: Fraction(number, 6**stat) for hits, number in ways.items()}


def together(*each, of=sum):
    """Return the chances of what comes of several independent values."""
    found = Counter()
    for pairs in product(*(one.items() for one in each)):
        found[of([value for value, _ in pairs])] += prod(chance for _, chance in pairs)
    return dict(found)


# What is played


def test_a_step_is_a_part_of_the_working_and_its_facts_are_read():
    rule = rule_of("step = play road/step with stat = brawn, adds = 2 - 1\nloot = step.hits * 10\n", brawn="3 (1 to 5)")
    outcome = rule().play(ScriptedDice([6, 2, 5]))
    assert str(outcome).splitlines() == [
        "Step:",
        "  Pool: 3d6: 6 2 5",
        "  Hits: 2 + 1 (adds) = 3",
        "  Degree: 3 is 2 or more: strong",
        "Loot: 30 (step hits 3)",
    ]
    assert outcome.facts() == "step=strong, loot=30"
    assert outcome.value == 30


def test_parameters_of_the_same_name_are_handed_on():
    rule = rule_of(
        "step = play road/step\ntaste = play road/tastes\nhits = step.hits", stat="1 (0 to 5)", traits="d4", hurt="yes"
    )
    outcome = rule(stat=2, traits="d10 d10").play(ScriptedDice([5, 5, 9, 3]))
    assert outcome.facts("hits", "taste") == "hits=2, taste=10"


def test_a_word_of_the_rule_that_is_played_needs_no_quotes():
    rule = rule_of("taste = play road/tastes with favor = with, hurt = fate > 3, traits = mine", mine="d4", fate="5")
    assert rule().play(ScriptedDice([2])).facts("taste") == "taste=4"


def test_in_a_case_only_its_dice_are_thrown():
    rule = rule_of(
        'try = 1d6\nsky = play road/weather if try = 6, else "none"\n'
        "step = play road/step with stat = 1 if try > 3, else play road/step with stat = 2, adds = 1\n"
        "more = step.hits + 1"
    )
    assert rule().play(ScriptedDice([6, 1, 4, 5])).facts("sky", "step", "more") == "sky=Storm, step=hit, more=2"
    assert rule().play(ScriptedDice([3, 5, 1])).facts("sky", "step", "more") == "sky=none, step=strong, more=3"
    ways = together({1: Fraction(1, 2)}, step_ways(1)), together({1: Fraction(1, 2)}, step_ways(2, 1))
    assert dd.odds(rule(), "more").to_dict() == {
        number: sum(each.get(number, 0) for each in ways) for number in sorted({*ways[0], *ways[1]})
    }
    assert dd.odds(rule(), "sky").to_dict() == {
        "none": Fraction(5, 6),
        "Rain": Fraction(1, 9),
        "Storm": Fraction(1, 18),
    }


def test_tables_and_installed_rules_are_played_as_rules_are():
    rule = rule_of(
        "toll = play road/toll with size = cart + 1\nsky = play road/weather\n"
        'check = play methuen/expression with expression = "2d6"\nworth = toll + check.total + sky.roll',
        cart="1 (0 to 2)",
    )
    outcome = rule().play(ScriptedDice([3, 4, 4]))
    assert outcome.facts("toll", "sky", "check", "worth") == "toll=8, sky=Rain, check=8, worth=19"
    two = together({face: Fraction(1, 6) for face in range(1, 7)}, {face: Fraction(1, 6) for face in range(1, 7)})
    three = {face: Fraction(1, 3) for face in range(1, 4)}
    assert dd.odds(rule(cart=0), "worth").to_dict() == {
        5 + number: chance for number, chance in sorted(together(two, three).items())
    }


def test_a_fact_that_may_be_none_is_a_word_or_has_to_be_there():
    rule = rule_of("roll = play total-effect/roll\nmark = 1 if roll.triggered = none, else 2\nmore = roll.effect + 1")
    assert (
        rule_of("roll = play total-effect/roll\nmark = 1 if roll.triggered = none, else 2")()
        .play(dd.SeededDice(1))
        .facts("mark")
    )
    with pytest.raises(DiceError, match="more: 'roll effect' has no value"):
        rule().play(dd.SeededDice(1))


# Odds


@every("stat", [1, 2, 3])
def test_a_journey_of_steps_is_counted_as_a_convolution(stat):
    rule = rule_of("far = 0\nrepeat 3 times\n  step = play road/step\n  far = far + step.hits", stat="2 (0 to 9)")
    die = icepool.d6.map({1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 1})
    steps = stat * 3 @ die
    found = dd.odds(rule(stat=stat), "far").to_dict()
    assert found == {number: Fraction(steps[number], steps.denominator()) for number in steps}
    assert found == together(*[step_ways(stat)] * 3)


def test_a_rule_that_reads_several_facts_of_one_play_reads_one_throw():
    rule = rule_of('step = play road/step\nsame = step.degree = strong and step.hits >= 2\nother = step = "miss"')
    chances = step_ways(2)
    assert dd.odds(rule(), "same", "other").to_dict() == {
        (False, False): chances[1],
        (False, True): chances[0],
        (True, False): chances[2],
    }


_throws = []


class PlayedOnce(Mechanic):
    class Result(Outcome):
        hits: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = dice.each(6, 6)
        _throws.append(tuple(faces))
        return self.Result(sum(face > 4 for face in faces))


def test_a_play_is_counted_once_however_often_it_is_repeated(monkeypatch):
    monkeypatch.setitem(registry._registered, "played-once/step", PlayedOnce)
    rule = rule_of("far = 0\nrepeat 10 times\n  step = play played-once/step\n  far = far + step.hits")
    _throws.clear()
    assert dd.odds(rule(), "far").mean == Fraction(20, 3)
    # Each pair of faces once, and the few throws of plays with which the figures are compared; not once a round.
    assert {*_throws} == {*product(range(1, 7), repeat=2)}
    assert len(_throws) < 2 * 36


def test_rules_that_play_rules_that_play_rules():
    journey = page_rule(
        "road/journey",
        "far = 0\ntired = 0\nrepeat until far >= 3 or tired = 2\n  step = play road/step\n  far = far + step.hits\n"
        "  tired = tired + (step.degree = miss)\narrived = far >= 3",
        stat="2 (0 to 9)",
    )
    campaign = page_rule(
        "road/campaign",
        "won = 0\nrepeat 2 times\n  journey = play road/journey\n  won = won + journey.arrived",
        stat="2 (0 to 9)",
    )
    contest = page_rule(
        "road/contest",
        "mine = play road/campaign\ntheirs = play road/campaign with stat = foe\nahead = mine.won > theirs.won",
        stat="2 (0 to 9)",
        foe="1 (0 to 9)",
    )
    book = book_mechanics([contest, campaign, journey, STEP])

    def arrives(stat, far=0, tired=0):
        if far >= 3 or tired == 2:
            return Fraction(far >= 3)
        return sum(chance * arrives(stat, far + hits, tired + (hits == 0)) for hits, chance in step_ways(stat).items())

    def won(stat):
        return together(*[{1: arrives(stat), 0: 1 - arrives(stat)}] * 2)

    assert dd.odds(book["road/journey"](stat=3), "arrived").p("= yes") == arrives(3)
    assert dd.odds(book["road/campaign"](), "won").to_dict() == won(2)
    ahead = together(won(3), won(2), of=lambda pair: pair[0] > pair[1])
    assert dd.odds(book["road/contest"](stat=3, foe=2), "ahead").to_dict() == {
        False: ahead[False],
        True: ahead[True],
    }


# What is refused

_COMMA = "write a comma between what is set, as in with stat = 2, adds = 1"
_SET = "write what each parameter is set to, as in with stat = 2, adds = 1"
_LINE = "write play and the id of a rule on a line of its own, as in step = play road/step"
_ALONE = "a rule is played on a line of its own, or in its cases"
_ABOVE = "give it a name on a line above, as in step = play road/step, and write that here"


def test_what_is_no_play_is_refused_with_its_place_and_what_to_write():
    refused = [
        ("s = play road/stepp", "play", "there is no rule 'road/stepp'", "did you mean 'road/step'"),
        ("s = play step", "play", "nothing is called 'play step'", _LINE),
        ("s = roll road/step", "roll", "nothing is called 'roll road'", _LINE),
        ("s = 1 + play road/step", "play", "nothing is called 'play road'", _LINE),
        ("s = (play road/step) + 1", "play", _ALONE, _ABOVE),
        ("s = play road/step: 1-2 a, 3+ b", "play", _ALONE, _ABOVE),
        ("s = play road/step with legs = 3", "legs", "road/step has no parameter 'legs'", "known: 'adds', 'stat'"),
        ("s = play road/step with sta = 3", "sta", "road/step has no parameter 'sta'", "did you mean 'stat'?"),
        ("s = play road/step with stat = 1, stat = 2", "stat = 2", "'stat' is set twice", "leave one of them out"),
        ("s = play road/step with stat = 12", "12", "stat of road/step: '12' is not a whole number from 0 to 9", ""),
        (
            's = play road/step with stat = "a"',
            '"a"',
            "'stat' of road/step is a whole number from 0 to 9, and '\"a\"' is a word",
            "write with stat = ...",
        ),
        (
            "s = play road/tastes with hurt = 2",
            "2",
            "'hurt' of road/tastes is true or false, and '2' is a number",
            "write with hurt = ...",
        ),
        (
            "s = play road/tastes with traits = 2",
            "2",
            "'traits' of road/tastes is dice such as d20 d8 2d6, and '2' is a number",
            "write with traits = ...",
        ),
        ("s = play road/tastes with favor = wit", "wit", "nothing is called 'wit'", 'write "wit" in quotes if'),
        ("s = play road/tastes with favor = 'wit'", "'wit'", "favor of road/tastes: 'wit' is not", "did you"),
        ('s = play road/tastes with favor = "wit"', '"wit"', "favor of road/tastes: 'wit' is not 'none' or", "did you"),
        (
            "none = 1d6 > 3\ns = play road/tastes with favor = none",
            "none",
            "ambiguous: 'none' is a name here, and a word of favor",
            'write "none" in quotes for the word, or (none) for the value',
        ),
        ("s = play road/toll", "play", "road/toll needs 'size'", "write play road/toll with size = ..."),
        ("s = play road/toll with size = 4", "4", "size of road/toll: '4' is not a whole number from 1 to 3", ""),
        ("s = play methuen/check", "play", "methuen/check needs 'check'", "write play methuen/check with check = ..."),
        (
            "stat = 3\ns = play road/step",
            "play",
            "'stat' is a line here and a parameter of road/step, and only parameters are handed on",
            "write with stat = stat, or with stat = 2",
        ),
        ("s = play road/step with", "", "expected a parameter, found the end", _SET),
        ("s = play road/step with stat", "", "expected '=', found the end", _SET),
        ("s = play road/step with stat = 3 adds = 2", "adds", "expected a comma, found 'adds'", _SET),
        ("s = play road/step with stat = 3 and adds = 2", "adds", "'adds' is a parameter", _COMMA),
        ("s = play road/step with stat is 3", "is", "expected '=', found 'is'", "the comparisons are"),
        ("s = play road/step if 1d6 > 3", "", "expected 'else', found the end", "it does not say what it is otherwise"),
        (
            "s = play road/step if 1d6 > 3, else 0",
            "0",
            "words and numbers are mixed",
            "write words in every case, or in none",
        ),
        (
            's = play road/step if 1d6 > 3, else "none"\nt = s.hits',
            "s.hits",
            "nothing is called 's.hits'",
            "write s; its facts are known if each of its cases plays a rule",
        ),
        ("s = play road/step\nt = s.hit", "s.hit", "nothing is called 's.hit'", "did you mean 's.hits'?"),
        ("s = play road/step\nt = s.flags", "s.flags", "nothing is called 's.flags'", "known: 's.degree', 's.hits'"),
        ("s = play road/step\nt = s.hits = strong", "strong", "nothing is called 'strong'", "write"),
        ("s = play road/step\nt = s = weak", "weak", "'s' is never 'weak'", "known: 'hit', 'miss', 'strong'"),
        ("s = play road/step\ns hits = 3", "s hits", "'s hits' is already set by a line above", "choose another name"),
        ("s = play road/step\nt = count(s.hits >= 2)", "count", "'s hits' is not dice alone", "give the dice a name"),
        ("s = play road/tastes\nt = s.best: 1-5 low, 7+ high", "1-5 low, 7+", "6 is in no row", "add a row for it"),
        ("s = play road/rule", "road/rule", "road/rule plays itself, without end", "leave one of these lines out"),
    ]
    wrong = []
    for text, at, message, hint in refused:
        try:
            rule_of(text)
        except RuleError as error:
            caret = text.splitlines()[error.row][error.at :]
            if not (error.message.startswith(message) and error.hint.startswith(hint) and caret.startswith(at)):
                wrong.append((text, caret, error.message, error.hint))
        else:
            wrong.append((text, "is not refused"))
    assert not wrong, "\n".join(map(str, wrong))


def test_a_list_is_no_value_of_a_line():
    rests = 'rest = play dungeoneers/rest with pool = "4 3"{}'
    with pytest.raises(RuleError, match="what this rule comes to is a list"):
        rule_of(rests.format(""))
    with pytest.raises(RuleError, match="nothing is called 'rest'"):
        rule_of(rests.format("\nmore = rest + 1"))


def test_a_rule_is_played_nowhere_but_on_a_line():
    class Roll(Mechanic):
        class Result(Outcome):
            total: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(dice.roll(6))

    places = [
        lambda: book_mechanics([page_table("road/head", "play road/step", ("A",), ("1+", "x")), STEP]),
        lambda: dd.odds(Roll()).p("total >= 3 and play road/step"),
        lambda: dd.odds(Roll()).p("play road/step"),
    ]
    for place in places:
        with pytest.raises(DiceError, match="play"):
            place()


def test_rules_that_play_each_other_are_refused_at_each_line_that_does():
    one = page_rule("road/one", "a = 1d6\nb = play road/two")
    two = page_rule("road/two", "c = play road/three")
    three = page_rule("road/three", "d = 1\ne = 2\nf = play road/one if d = 1, else 2")
    above = page_rule("road/above", "g = play road/one")
    faults = {}
    made = book_mechanics([one, two, three, above, STEP], faults=faults)
    assert [*made] == ["road/step"]
    circle = "these rules play each other without end: "
    assert {id: (error.row, error.message) for id, error in faults.items()} == {
        "road/one": (1, f"{circle}road/one → road/two → road/three → road/one"),
        "road/two": (0, f"{circle}road/two → road/three → road/one → road/two"),
        "road/three": (2, f"{circle}road/three → road/one → road/two → road/three"),
        "road/above": (
            0,
            f"'road/one' cannot be played: {circle}road/one → road/two → road/three → road/one",
        ),
    }


def test_rules_may_play_each_other_as_deep_as_plays_may():
    def chain(number):
        more = (page_rule(f"deep/rule-{at}", f"p = play deep/rule-{at - 1}\nx = p.x + 1") for at in range(1, number))
        # Those that play others stand before these.
        return book_mechanics([*more, page_rule("deep/rule-0", "x = 1d2")])[f"deep/rule-{number - 1}"]

    assert dd.odds(chain(20)(), "x").to_dict() == {20: Fraction(1, 2), 21: Fraction(1, 2)}
    with pytest.raises(LimitError, match="51 levels of nested plays; the limit PLAYS is 50"):
        chain(400)().play(ScriptedDice([1]))
    with pytest.raises(LimitError, match="51 levels of nested plays; the limit PLAYS is 50"):
        dd.odds(chain(60)(), "x")


def test_a_rule_is_another_one_once_what_it_plays_changes():
    lines = page_rule("road/rule", "step = play road/step\nhits = step.hits")
    first, again = book_mechanics([lines, STEP]), book_mechanics([lines, STEP])
    other = page_rule("road/step", "hits = 1d6")
    changed = book_mechanics([lines, other])
    assert first["road/rule"] is again["road/rule"]
    assert changed["road/rule"] is not first["road/rule"]
    outcome = pickle.loads(pickle.dumps(first["road/rule"]().play(ScriptedDice([5, 1]))))  # noqa: S301
    assert outcome.facts() == "step=hit, hits=1"
