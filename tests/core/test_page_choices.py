"""Choices of a player in rules of pages; their odds are compared with recursion and with all faces one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest

import dicedocs as dd
from dicedocs import DiceError, LimitError, NotationError, ParameterError, ScriptedDice, limits
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.probability.claims.worth import best_advice
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds
from dicedocs.rules.registry import in_book
from dicedocs.syntax.decisions import Undecided
from dicedocs.syntax.parts import RuleError

from ..every import every
from ..pig import MEAN_OF_20, odds_of_holding, turn_of_pig


def made(*rules, **parameters):
    """The mechanics of rules, each an id and its lines; all have the same parameters."""
    return book_mechanics(
        PageRule(id, tuple(lines.strip("\n").split("\n")), "", tuple(parameters.items())) for id, lines in rules
    )


PIG = turn_of_pig(100)
STEP = """
roll = 2d6
reserve = 1d6 + 4
use = choose("roll", "reserve")
total = roll if use = roll, else reserve
success = total >= goal
"""
JOURNEY = """
first = play road/step
second = play road/step with goal = goal + 1
arrived = first.success and second.success
"""
CAMPAIGN = """
won = 0
repeat 3 times
  trip = play road/journey
  won = won + 1 if trip.arrived, else won
"""
CONTEST = """
ours = play road/step
theirs = play road/step with use = "roll"
ahead = ours.total > theirs.total
"""


def pig():
    return made(("pig/turn", PIG))["pig/turn"]


def road(id):
    rules = (("road/step", STEP), ("road/journey", JOURNEY), ("road/campaign", CAMPAIGN), ("road/contest", CONTEST))
    return made(*rules[: 1 + [each for each, _ in rules].index(id)], goal="8 (2 to 13)")[id]


def step(ways):
    """The odds of the total of a step, given what a player who sees roll and reserve takes."""
    found = Counter()
    for one, two, three in product(range(1, 7), repeat=3):
        found[ways(one + two, three + 4)] += Fraction(1, 216)
    return found


BEST = "reserve if roll < reserve, else roll"


def test_a_turn_of_pig_that_holds_at_20():
    rule = pig()
    counted = dd.odds(rule(again="yes if score < 20, else no"), "score")
    assert {score: counted.exactly(score) for score in counted.values} == odds_of_holding(20)
    assert round(float(counted.mean), 5) == MEAN_OF_20
    assert rule.result().main_fact == "score"  # what is chosen is no result
    for faces in ([6, 6, 5, 4], [6, 1], [5, 5, 5, 4, 2]):
        outcome = rule(again="yes if score < 20, else no").play(ScriptedDice(faces))
        assert outcome.score == (0 if 1 in faces else sum(faces))


@every(
    ("way", "ways"),
    [
        ("roll", lambda roll, _: roll),
        ("reserve", lambda _, reserve: reserve),
        (BEST, max),
        ('"reserve" if roll is 2-5, else "roll"', lambda roll, reserve: reserve if 2 <= roll <= 5 else roll),
        ("roll if roll >= goal, else reserve", lambda roll, reserve: roll if roll >= 8 else reserve),
    ],
)
def test_a_reserve_may_replace_the_roll(way, ways):
    counted = dd.odds(road("road/step")(use=way), "total")
    assert {total: counted.exactly(total) for total in counted.values} == step(ways)


def test_at_random_a_die_chooses():
    counted = dd.odds(road("road/step")(use="at random"), "total")
    roll, reserve = step(lambda roll, _: roll), step(lambda _, reserve: reserve)
    assert all(counted.exactly(total) == (roll[total] + reserve[total]) / 2 for total in counted.values)
    outcome = road("road/step")(use="at random").play(ScriptedDice([1, 2, 6, 2]))
    assert (outcome.total, outcome.thrown[3].sides) == (10, 2)


def test_rules_that_play_it_hand_the_choice_on():
    better = step(max)
    arrives = sum(p for total, p in better.items() if total >= 8) * sum(p for total, p in better.items() if total >= 9)
    journey = road("road/journey")
    assert [*journey.parameters()] == ["goal", "use"]
    assert dd.odds(journey(use=BEST), "arrived").p("yes") == arrives
    campaign = dd.odds(road("road/campaign")(use=BEST), "won")
    assert [campaign.exactly(n) for n in range(4)] == [
        comb(3, n) * arrives**n * (1 - arrives) ** (3 - n) for n in range(4)
    ]
    plain = step(lambda roll, _: roll)
    ahead = sum(p * q for ours, p in better.items() for theirs, q in plain.items() if ours > theirs)
    assert dd.odds(road("road/contest")(use=BEST), "ahead").p("yes") == ahead


def test_the_working_of_a_journey_shows_what_was_chosen():
    outcome = road("road/journey")(use="reserve, roll").play(ScriptedDice([2, 1, 6, 3, 4, 5]))
    assert outcome.facts("first", "second", "arrived") == "first=true, second=false, arrived=false"
    lines = [line.strip() for line in str(outcome).split("\n")]
    assert [line for line in lines if "choice" in line] == [
        "Use: reserve (the player's choice)",
        "Use: roll (the player's choice)",
    ]
    assert not [line for line in lines if line == "Use: roll"]
    with pytest.raises(ParameterError, match="'use' is asked only 2 times, and 3 ways are given"):
        road("road/journey")(use="reserve, roll, roll").play(ScriptedDice([2, 1, 6, 3, 4, 5]))
    with pytest.raises(Undecided) as caught:
        road("road/journey")(use="reserve, open").play(ScriptedDice([2, 1, 6, 3, 4, 5]))
    assert caught.value.choice.taking("roll").text == "reserve, roll, open"


@every(
    ("way", "message"),
    [
        ("open", "'use' is the player's choice: roll or reserve; write roll or reserve, or when:"),
        ("roll, reserve", "'roll, reserve' are the choices of one play"),
        ("both", "'both' is not a way of 'use'; write roll or reserve, or when: \"reserve\" if ..., else \"roll\""),
        ("rol", "'rol' is not a way of 'use'; did you mean 'roll'?"),
        ("roll when roll < 8, reserve otherwise", '; write "roll" if roll < 8, else "reserve"'),
        ("reserve unless roll < 8", '; write "reserve" if not (roll < 8), else "roll"'),
        ("roll if total >= 8, else reserve", "nothing is called 'total' (line 1, column 9)"),
        ("roll if roll >= 8, else third", "nothing is called 'third' (line 1, column 25)"),
        ("roll if roll >= 8, else 3", "words and numbers are mixed"),
        ("roll if 1d6 > 3, else reserve", "a condition cannot throw dice"),
        ('"roll" if roll >= 8, else "both"', "'both' is not a way of 'use'"),
    ],
)
def test_odds_are_of_a_way_that_is_fixed_and_known(way, message):
    with pytest.raises(DiceError) as caught:
        dd.odds(road("road/step")(use=way), "total")
    assert message in str(caught.value)
    assert caught.value.parameter == "use"


@every(
    ("lines", "at", "message"),
    [
        (
            "a = 1d6\nx = no if a > 2, else choose(yes or no)",
            22,
            "choose() needs commas between its ways; as in choose(yes, no)",
        ),
        ("x = choose yes or no", 4, "write 'choose(yes, no)'"),
        ("x = the player chooses push or stay", 4, """write 'choose("push", "stay")'"""),
        ("a = 1d6\nx = a > 1 and choose(yes, no)", 14, "choose() is no part of a value; give it a line of its own"),
        ("x = choose(yes)", 4, "choose() has no two different ways; write what can be chosen, as in choose(yes, no)"),
        ("x = choose(yes, yes)", 4, "choose() has no two different ways"),
        ("x = choose(yes, no) + 1", 4, "choose() is no part of a value; give it a line of its own"),
        ("x = 2 if choose(yes, no), else 3", 9, "choose() is no part of a value"),
        (
            "x = choose(yes, no) if 1d6 > 3, else no",
            23,
            "dice are thrown in a line with choose(); throw them on a line above",
        ),
        ("x = choose(take, leave)", 11, """nothing is called 'take'; write 'choose("take", "leave")'"""),
        ('x = choose(1, "two")', 11, "words and numbers are mixed"),
        ("a = 1d6\nx = choose(a, 3)", 11, "'a' is neither yes, no, a number nor words in quotes"),
        ('x = choose("a", "b"): 6- c, 7+ d', 4, "choose() is no part of a value"),
        ("repeat until choose(yes, no)\n  x = 1d6", 13, "choose() is no part of a value"),
    ],
)
def test_a_line_that_cannot_be_chosen_is_refused_at_its_place(lines, at, message):
    with pytest.raises(NotationError) as caught:
        made(("a/b", lines))
    error = caught.value
    assert isinstance(error, RuleError)
    assert message in f"{error.message}; {error.hint}"
    assert error.at == at


def test_numbers_can_be_chosen_and_their_odds_are_those_of_cases():
    rule = made(("a/b", "die = 1d6\nbonus = choose(-1, 0, 2) if die < 6, else 0\ntotal = die + bonus"))["a/b"]
    assert rule(bonus="-1").play(ScriptedDice([3])).total == 2
    counted = dd.odds(rule(bonus="2 if die is 1 or 2, 0 if die = 3, else -1"), "total")
    assert {value: counted.exactly(value) for value in counted.values} == {
        3: Fraction(3, 6), 4: Fraction(2, 6), 6: Fraction(1, 6),
    }  # fmt: skip


def test_an_example_of_it_is_checked_and_pickled():
    with in_book(rules := {"pig/turn": pig()}):
        example = dd.Example("pig/turn", {"again": "yes, no"}, dice=[4, 3], expect="score=7")
        assert example.verify() == rules["pig/turn"](again="yes, no").play(ScriptedDice([4, 3]))
        assert dd.find_seed("pig/turn", again="yes, no", where="score=9") == dd.find_seed(
            "pig/turn", again="yes if score < 5, else no", faces=[4, 5]
        )


GUESS = """
first = 1d2
guess = choose("low", "high")
second = 1d2
right = first + second >= 3 if guess = high, else first + second <= 2
"""


def test_best_play_of_lines_sees_the_dice_above_and_no_others():
    # The better of 2d6 and 1d6 + 4 is taken, twice; nothing else can bring both to their goals.
    better = Counter(max(a + b, c + 4) for a, b, c in product(range(1, 7), repeat=3))
    first, second = (Fraction(sum(ways for best, ways in better.items() if best >= goal), 216) for goal in (8, 9))
    assert dd.odds(road("road/step")(goal=8), "success", best="p(success)").p("true") == first
    assert dd.odds(road("road/journey")(goal=8), "arrived", best="p(arrived)").p("true") == first * second
    # After a 2 the guess "high" is sure; after a 1 both come up as often.
    guess = made(("a/guess", GUESS))["a/guess"]
    assert dd.odds(guess(), "right", best="p(right)").p("true") == Fraction(3, 4)
    turn = dd.odds(pig()(), "score", best="mean(score)")
    assert turn.mean == Fraction(492303203, 60466176)


LATER = """
first = 1d6
keep = choose(yes, no)
second = 1d6
third = 1d6
total = first + second if keep, else second + third
"""


def test_a_sum_of_what_is_thrown_later_is_not_counted_first():
    # From 4 on the first die is kept.
    later = made(("a/later", LATER))["a/later"]
    kept = Fraction(sum(max(2 * first, 7) for first in range(1, 7)), 12)
    assert dd.odds(later(), "total", best="mean(total)").mean == kept + Fraction(7, 2) == Fraction(31, 4)
    with pytest.raises(DiceError, match="a player knows only what stands above the choice"):
        dd.odds(later(keep="yes if second < 3, else no"), "total")


def test_advice_of_lines_names_what_stands_above():
    # The higher of the two is taken.
    better = run_to_end(best_advice(road("road/step")(goal=8), "mean(total)"))
    assert (better.by, better.deciding) == (("reserve",), "roll")
    for (reserve,), (low, tie, high) in better.rows:
        assert isinstance(reserve, int)
        assert low[:3] == (2, reserve - 1, ("reserve",))
        assert tie[:3] == (reserve, reserve, ("roll", "reserve"))
        assert high[:3] == (reserve + 1, 12, ("roll",))
    highest = road("road/step")(goal=8, use='"roll" if roll >= reserve, else "reserve"')
    assert dd.odds(road("road/step")(goal=8, use=better.condition), "total").mean == dd.odds(highest, "total").mean
    hold = run_to_end(best_advice(pig()(), "mean(score)"))
    assert hold.condition == "no if score >= 21, else yes"  # at 20 both are as good, and yes is written first


def test_best_play_has_the_limits_of_advice_and_not_those_of_lines(monkeypatch):
    short = made(("pig/short", turn_of_pig(20)))["pig/short"]()
    monkeypatch.setattr(limits, "LINE_BRANCHES", limits.LINE_BRANCHES.fixed(10))
    # Whoever may go on below 20 only does so each time.
    assert run_to_end(best_advice(short, "mean(score)")).condition == "yes"
    published = run_to_end(verified_odds(short, best="mean(score)"))
    assert published.to_dict() == odds_of_holding(20)


def test_a_turn_without_end_is_refused_with_what_ends_it(monkeypatch):
    monkeypatch.setattr(limits, "BRANCHES", limits.BRANCHES.fixed(500))
    endless = made(("pig/endless", PIG.replace(" and score < 100", "")))["pig/endless"]()
    hint = "let the rule end at a number, such as 100 points or 20 rounds, or keep fewer values from round to round, or"
    for count in (best_advice, verified_odds):
        with pytest.raises(LimitError) as error:
            run_to_end(count(endless, best="mean(score)"))
        assert error.value.hint.startswith(hint)
    # Many dice have an end.
    many = made(("pig/many", "pool = 4d20\nhigh = (pool)kh1\nkeep = choose(yes, no)\ntotal = high if keep, else 0"))
    with pytest.raises(LimitError) as error:
        dd.odds(many["pig/many"](), "total", best="mean(total)")
    assert error.value.hint.startswith("throw fewer dice, or raise")
