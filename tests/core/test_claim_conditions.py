"""Claims about one event or another, about events given others, and about the numbers of a fact that may be none."""

from fractions import Fraction
from itertools import product
from typing import Literal, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Dice, LimitError, Mechanic, Outcome, ParameterError, Say, param
from dicedocs.probability.claims import Subject, evaluate_claims, parse_claims, parse_term
from dicedocs.rules import registry

from ..every import every
from ..examples import many

ROLL = Subject("total-effect/roll", {"threshold": 13})


class Throw(NamedTuple):
    """Three dice in order."""

    low: int
    mid: int
    high: int

    @property
    def total(self) -> int:
        return sum(self)


THROWS = [Throw(*sorted(faces)) for faces in product(range(1, 7), repeat=3)]


class Vigil(Mechanic):
    """Throw up to three times for a 6."""

    class Result(Outcome):
        rounds: int | None
        last: int
        ended: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        for number in (1, 2, 3):
            last = dice.roll(6)
            if last == 6:
                return self.Result(number, last, ended=True)
        return self.Result(None, last, ended=False)


class Wager(Mechanic):
    """Win or lose, in words with 'or' and 'given' in them."""

    luck: int = param(default=0, low=0, high=1)

    class Result(Outcome):
        end: Literal["win", "win or lose", "win or face 3", "lost"]
        face: int
        prize: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        face = dice.roll(4)
        end: Literal["win", "win or lose", "win or face 3", "lost"]
        end = ("win", "win or lose", "win or face 3", "lost")[face - 1]  # type: ignore[assignment]
        prize = ("gold", "gold or silver", "all-or-nothing", "gold given face 4")[face - 1]
        return self.Result(end, face, prize)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    for rule in (Vigil, Wager):
        monkeypatch.setitem(registry._registered, f"claims/{rule.__name__.lower()}", rule)


@every(
    ("text", "holds"),
    [
        ("p(total at most 5 or total at least 15)", lambda t: not 5 < t.total < 15),
        ("p(low = 2 or high = 6)", lambda t: t.low == 2 or t.high == 6),
        ("p(at least 15 or low = 1 or mid 4)", lambda t: t.total > 14 or t.low == 1 or t.mid == 4),
        ("p(triggered or low between 3 and 4)", lambda t: t.total > 12 or t.low in {3, 4}),
        ("p(low not 1 or triggered false)", lambda t: t.low != 1 or t.total < 13),
        (
            "p((low = 2 or high = 6), triggered)",
            lambda t: (t.low == 2 or t.high == 6) and t.total > 12,
        ),
        ("p(low 2, (high 6 or high 5))", lambda t: t.low == 2 and t.high > 4),
        ("p((low 2, mid 3) or high 6)", lambda t: (t.low, t.mid) == (2, 3) or t.high == 6),
        (
            "p(((low 2, mid 3) or high 6), mid 3)",
            lambda t: ((t.low, t.mid) == (2, 3) or t.high == 6) and t.mid == 3,
        ),
        ("p( ( low 2 ) or ( high 6 ) )", lambda t: t.low == 2 or t.high == 6),
        ("p(low 2 or\n high 6)", lambda t: t.low == 2 or t.high == 6),
        ("p(low 2 or low 2)", lambda t: t.low == 2),
    ],
)
def test_one_event_or_another_against_brute_force(text, holds):
    assert parse_term(text).value(ROLL) == Fraction(sum(map(holds, THROWS)), 216)


def _mean(throws, measure):
    return Fraction(sum(map(measure, throws)), len(throws))


@every(
    ("text", "event", "condition"),
    [
        ("p(triggered given low at least 3)", lambda t: t.total > 12, lambda t: t.low > 2),
        ("p(at least 13 given high = 6)", lambda t: t.total > 12, lambda t: t.high == 6),
        ("p(low 2 or low 3 given high = 6)", lambda t: t.low in {2, 3}, lambda t: t.high == 6),
        ("p(low 2 given mid 3, high 6)", lambda t: t.low == 2, lambda t: (t.mid, t.high) == (3, 6)),
        ("p(low 2 given mid 3 or high 6)", lambda t: t.low == 2, lambda t: t.mid == 3 or t.high == 6),
        (
            "p(low 2 given (mid 3 or high 6), low under 4)",
            lambda t: t.low == 2,
            lambda t: (t.mid == 3 or t.high == 6) and t.low < 4,
        ),
        ("p(total at least 13 given total at least 11)", lambda t: t.total > 12, lambda t: t.total > 10),
        ("p(low 6 given triggered false)", lambda t: t.low == 6, lambda t: t.total < 13),
        ("mean(high given low = 2)", lambda t: t.high, lambda t: t.low == 2),
        ("mean(given low = 2)", lambda t: t.total, lambda t: t.low == 2),
        ("mean(total given total at most 9 or high 6)", lambda t: t.total, lambda t: t.total < 10 or t.high == 6),
    ],
)
def test_what_is_known_against_brute_force(text, event, condition):
    assert parse_term(text).value(ROLL) == _mean(list(filter(condition, THROWS)), event)


def test_other_statistics_of_what_is_known():
    assert parse_term("maximum(total given high at most 3)").value(ROLL) == 9
    assert parse_term("minimum(total given low at least 2, high = 6)").value(ROLL) == 10
    assert parse_term("median(low given triggered | threshold=18)").value(ROLL) == 6


def test_settings_stand_behind_a_condition():
    # With an Advantage the highest three of four dice count.
    best = [Throw(*sorted(faces)[1:]) for faces in product(range(1, 7), repeat=4)]
    known = [throw for throw in best if throw.high == 6 or throw.low == 1]
    text = "p(total at least 13 given high 6 or low 1 | advantage=1)"
    assert parse_term(text).value(ROLL) == _mean(known, lambda throw: throw.total >= 13)


EVENTS = st.builds(
    "{} {} {}".format,
    st.sampled_from(["total", "low", "mid", "high"]),
    st.sampled_from(["=", "not", "at least", "under"]),
    st.integers(1, 14),
)


@settings(max_examples=many(60))
@given(EVENTS, EVENTS)
def test_the_laws_of_probability(one, other):
    def p(text):
        return parse_term(f"p({text})").value(ROLL)

    both = p(f"({one}), (({other}) or ({other}))")
    assert p(f"{one} or {other}") == p(one) + p(other) - both
    if p(other):
        assert p(f"{one} given {other}") * p(other) == both
    else:
        with pytest.raises(ParameterError, match="it never happens that"):
            p(f"{one} given {other}")


@every(
    ("text", "probability"),
    [
        ("p(end = win)", Fraction(1, 4)),
        ("p(end = win or lose)", Fraction(1, 4)),
        ("p(end win or lose or face 1)", Fraction(2, 4)),
        ("p(end not win or lose)", Fraction(3, 4)),
        ("p(end = WIN OR LOSE)", Fraction(1, 4)),
        ("p(face 1, end win or lose)", Fraction(0)),
        ('p(end "win" or face 3)', Fraction(2, 4)),
        ('p(end = "win" or face 3)', Fraction(2, 4)),
        ('p(end = "win or face 3")', Fraction(1, 4)),
        ("p(face 3 or end win)", Fraction(2, 4)),
        ("p(end lost or face 3)", Fraction(2, 4)),
        ("p(prize gold or silver)", Fraction(1, 4)),
        ("p(prize = all-or-nothing or face 1)", Fraction(2, 4)),
        ("p(prize gold or prize all-or-nothing)", Fraction(2, 4)),
        ('p(prize "gold given face 4")', Fraction(1, 4)),
        ("p(end lost given face over 2)", Fraction(1, 2)),
    ],
)
def test_a_value_may_contain_or(text, probability):
    [claim] = parse_claims(f"{text} = {probability}")
    assert [result.holds for result in evaluate_claims([claim], Subject("claims/wager", {}))] == [True]


@every(
    ("text", "message"),
    [
        (
            "p(end = win or face 3)",
            "ambiguous: 'win or face 3' is a value (line 1, column 9); write '\"win or face 3\"' or '\"",
        ),
        ("p(prize = gold given face 4 | luck=1)", "ambiguous: 'gold given face 4' is a value of prize; write "),
        (
            "p(face 1 or end win or face 3 given face 2)",
            "ambiguous: 'win or face 3' is a value (line 1, column 17); write ",
        ),
        ("p(end win or fce 1)", "'end' is never 'fce 1' (line 1, column 14); known: 'lost', 'win', "),
        ("p(prize gold or copper)", "'copper' is not a value of prize; known: "),
        ("p(face at least 3 or 1)", "ambiguous: '1' after '>=' (line 1, column 22); write face = 1, or face >= 1"),
        ("p(face between 1 or 2)", "expected 'and', found 'or' (line 1, column 18); write it as in between 3 and 5"),
        (
            "p((face 1) or 2)",
            "'2' is a number, not yes or no (line 1, column 15)",
        ),
        (
            "p(face 1, (2 or end lost))",
            "ambiguous: 'and' and 'or' beside '2' (line 1, column 12); write face = 2, and put ",
        ),
        ("p(face 1 given (2 or end lost))", "'2' is a number, not yes or no (line 1, column 17)"),
        ("p(face 1 or end at least 2)", "words are compared with a number (line 1, column 17)"),
        (
            "p(face 1, prize gold or end lost)",
            "ambiguous: both a comma and 'or' (line 1, column 25); put one of them in parentheses",
        ),
        ("p(face 1 | luck=5)", "luck: '5' is not"),
        ("p(face 1 | end win)", "write 'given' before a condition; settings go after '|'"),
    ],
)
def test_nothing_is_read_as_another_event(text, message):
    with pytest.raises(ParameterError) as raised:
        evaluate_claims(parse_claims(f"{text} = 1%"), Subject("claims/wager", {}))
    assert message in str(raised.value)


@every(
    ("text", "at", "message"),
    [
        ("mean > 1,  p(low 2 given  total at least 19) = 1%", 19, "it never happens that total at least 19"),
        ("mean(low given low 1, high 1, total 4) = 1%", 9, "it never happens that low 1, high 1, total 4"),
        ("p(low 2 given at least 3) = 1%", 14, "nothing stands before this comparison"),
        ("p(low 2 given hihg 3) = 1%", 14, "did you mean 'high'?"),
    ],
)
def test_an_error_of_a_condition_has_its_position(text, at, message):
    with pytest.raises(ParameterError) as raised:
        evaluate_claims(parse_claims(text), ROLL)
    assert (raised.value.at, raised.value.text) == (at, text)
    assert message in str(raised.value)


def test_conditions_are_counted_once():
    one, other = parse_claims("p(low 2 given high 3) > 1%, p(low 2  given high 3) < 99%")
    assert one.left == other.left
    assert one.left != parse_term("p(low 2 given high 4)") != parse_term("p(low 2)")


def test_the_work_of_events_is_limited():
    subject = Subject("dice/roll", {"notation": "60d100"})
    with pytest.raises(LimitError) as raised:
        parse_term("p(" + " or ".join(f"total {number}" for number in range(60, 560)) + ")").value(subject)
    assert raised.value.limit == "PAIRS"


# In 36, 30 and 25 of 216 ways the first 6 is that of the first, second and third throw; in 125 there is none.
VIGIL = [(1, 36), (2, 30), (3, 25)]
MEAN = Fraction(sum(number * ways for number, ways in VIGIL), 91)


@every(
    ("text", "value"),
    [
        ("mean(rounds)", MEAN),
        ("mean(rounds given ended)", MEAN),
        ("mean(rounds given rounds not none)", MEAN),
        ("mean(rounds given rounds not 1)", Fraction(2 * 30 + 3 * 25, 55)),
        ("median(rounds)", Fraction(2)),
        ("minimum(rounds)", Fraction(1)),
        ("maximum(rounds)", Fraction(3)),
        ("p(rounds = none)", Fraction(125, 216)),
        ("p(rounds at most 3)", Fraction(91, 216)),
        ("p(rounds none or rounds 1)", Fraction(161, 216)),
    ],
)
def test_statistics_of_a_fact_that_may_be_none_are_those_of_its_numbers(text, value):
    assert parse_term(text).value(Subject("claims/vigil", {})) == value


@every(
    ("text", "explained"),  # mean(rounds) is 171/91, and mean(last) (91 * 6 + 125 * 3) / 216
    [
        ("mean(rounds) = 1.9", "1.88 (not counting 'none')"),
        ("mean(rounds) - mean(last) = 1.9", "-2.38 (not counting 'none')"),
        ("mean(last) > mean(rounds)", "4.26 > 1.88 (not counting 'none')"),
        ("maximum(rounds) = 2", "3 (not counting 'none')"),
        ("mean(rounds given ended) = 1.9", "1.88"),
        ("p(rounds 1) = 16.7%", "16.7%"),
    ],
)
def test_a_figure_without_none_says_so(text, explained):
    assert parse_claims(text)[0].evaluate(Subject("claims/vigil", {})).explained == explained


def test_a_fact_that_is_always_none_has_no_mean():
    with pytest.raises(ParameterError, match="'none' is not a number, so the values cannot be averaged"):
        parse_term("mean(rounds given ended false)").value(Subject("claims/vigil", {}))


def test_a_chart_says_that_its_mean_leaves_out_none():
    assert "Mean 1.88 (not counting 'none'), most likely none (57.9%)." in str(dd.odds("claims/vigil", "rounds"))
