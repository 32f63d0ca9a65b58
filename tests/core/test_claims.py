"""Claims about odds: which hold, which do not, and errors of the text."""

import contextlib
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicedocs import DiceError, LimitError, NotationError, ParameterError, limits
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.probability.claims import Subject, corrected_claims, evaluate_claims, parse_claims, parse_term
from dicedocs.probability.sweep import Setting

from ..every import every
from ..examples import many

ROLL = Subject("total-effect/roll", {})
CHECK = Subject("methuen/check", {"check": "1d20 + [Attack] >= [Target Defense]", "actor": "Attack=4"})


WEARS_OUT = PageRule(
    "t/wears-out",
    (
        "now = die",
        "uses = 0",
        "repeat until now = 0",
        "  now = now if 1d[now] > 2, 12 if now = 20, now - 2 if now > 4, else 0",
        "  uses = uses + 1",
    ),
    "",
    (("die", "20 (4 to 20)"),),
)


@every(
    ("rule", "parameters", "text", "outcome"),
    [
        # By hand: a die of n sides wears out after n / 2 throws on average: 10 + 6 + 5 + 4 + 3 + 2.
        (WEARS_OUT, {}, "mean(uses) = 30", "30"),
        (WEARS_OUT, {"die": 4}, "mean(uses) = 2", "2"),
        (WEARS_OUT, {}, "mean(uses) = 29", "'mean(uses) = 29' does not hold: it is 30.00"),
        (WEARS_OUT, {}, "mean(uses) = 29.99", "'mean(uses) = 29.99' does not hold: it is 30.00"),
        (WEARS_OUT, {}, "mean(uses) - 1 = 29", "29"),
        # By hand: 3.5 + 4.2 / 6, and 1.5 + 3 / 2.
        ("1d6!", {}, "mean = 4.2", "4.2"),
        ("1d6!", {}, "mean = 4", "'mean = 4' does not hold: it is 4.20"),
        ("1d2!", {}, "mean = about 3", "2.99"),
        ("1d2!", {}, "mean = 3", "mean is known only roughly, since its dice may go on too long to be followed"),
        ("1d2!", {}, "mean = 4", "'mean = 4' does not hold: it is about 2.99"),
    ],
)
def test_a_mean_of_dice_that_may_go_on_is_compared_as_far_as_it_is_known(rule, parameters, text, outcome):
    if isinstance(rule, str):
        subject = Subject("dice/roll", {"notation": rule})
    else:
        (made,) = book_mechanics([rule]).values()
        subject = Subject(made, parameters, "uses")
    try:
        [result] = evaluate_claims(parse_claims(text), subject)
        shown = result.figure if result.holds else f"'{text}' does not hold: it is {result.explained}"
    except DiceError as error:
        shown = error.message
    assert shown == outcome


# The figures of T59 to T64 are those of the facts; the others are counted by hand.
@every(
    ("text", "figure"),
    [
        ("p(total at least 13 | advantage=1) = 50% ± 2%", "48.8%"),
        ("p(total at least 13 | advantage=1) = 48.77%", "48.77%"),
        ("mean(total | advantage=1) - mean(total) = 2 ± 0.5", "1.74"),
        ("mean(total | advantage=1) - mean = 1.745", "1.745"),
        ("mean(total|advantage=2)-mean(total|advantage=1)=1.186", "1.186"),
        ("mean = 10.5", "10.5"),
        ("mean() = 21/2", "10.5"),
        ("median(total) = 10.5", "10.5"),
        ("p(at least 11) = 50%", "50%"),
        ("p(>= 13) = 25.9%", "25.9%"),
        ("p(total over 12) = 26%", "25.9%"),
        ("p(18) = 1/216", "0.5%"),
        ("p(18) != 0.4%", "0.5%"),
        ("p(18) = 0.46%", "0.46%"),
        ("p(triggered | threshold=13) = 7 / 27", "25.9%"),
        ("p(triggered false | threshold=13) >= 74%", "74.1%"),
        ("p(at most 3 | disadvantage=0) + p(18) = 0.9%", "0.9%"),
        ("2 * p(18) < 1%", "0.9%"),
        ("p(at least 11) / p(at least 3) = 0.5", "0.5"),
        ("-mean + 3 * (2 + 1) = -1.5", "-1.5"),
        ("mean(low | advantage=1) - mean(low) > mean(high | advantage=1) - mean(high)", "0.86 > 0.29"),
        ("1 ≤ 1", "1"),
        ("p(18) - p(17) = -0.9%", "-0.9%"),
    ],
)
def test_claims_that_hold(text, figure):
    [result] = evaluate_claims(parse_claims(text), ROLL)
    assert (result.holds, result.figure) == (True, figure)


# Three dice: their mean is 10.5, 1 of 216 shows 18, 7 of 27 (25.926%) at least 13.
@every(
    ("figure", "holds"),
    [
        ("p(18) = 0%", False),
        ("p(18) = 0", False),
        ("p(18) = 0.0%", False),
        ("p(18) != 0%", True),
        ("p(18) = 0% rounded down", True),
        ("p(18) = about 0%", True),
        ("p(19) = 0%", True),
        ("p(at most 17) = 100%", False),
        ("p(at most 17) = 1", False),
        ("p(at most 17) = 99.5%", True),
        ("p(at most 17) = 100% rounded up", True),
        ("p(at most 17) + p(at most 17) = 200%", False),
        ("p(at most 18) = 100%", True),
        ("p(18) - p(3) = 0%", True),
        ("p(at least 13) = 26%", True),
        ("p(at least 13) = 25% rounded down", True),
        ("p(at least 13) = 25.9% rounded down", True),
        ("p(at least 13) = 26.0% rounded up", True),
        ("p(at least 13) = 25% rounded up", False),
        ("p(at least 13) = about 26%", True),
        ("p(at least 13) = about 25%", False),
        ("p(at least 11) = about 50%", True),
        ("p(18) = 1 in 216", True),
        ("p(17)=3 in 216", True),
        ("p(17) < 1 in 71", True),
        ("p(18) = 1 in 215", False),
        ("1 in 216 = p(18)", True),
        ("mean = 11", False),
        ("mean = 10", False),
        ("mean = 10 rounded down", True),
        ("mean = 11 rounded down", False),
        ("mean=11 rounded  up", True),
        ("mean = 10.5 rounded down", True),
        ("mean = about 11", True),
        ("mean = about 10", True),
        ("mean = about 10.4", False),
        ("mean != about 12", True),
        ("-mean = -11 rounded down", True),
        ("median = 11", False),
        ("median = 10 rounded down", True),
        ("mean(high) = 5.0", True),
        ("mean(high) = 5", False),
        ("216 * p(18) = 1", True),
        ("minimum = 3", True),
        ("maximum(low | advantage=1) = 6", True),
        ("maximum - minimum = 15", True),
        ("minimum / maximum = 1/6", True),
        ("p(between 9 and 12) = 104/216", True),
        ("p(total between 3 and 3) = 1/216", True),
    ],
)
def test_a_figure_says_how_exact_it_is(figure, holds):
    assert parse_claims(figure)[0].evaluate(ROLL).holds == holds


@every(
    ("text", "rounding", "corrected", "in_full"),
    [
        ("mean = 10", "down", "mean = 10", "mean = 10 rounded down"),
        ("mean=10", "up", "mean=11", "mean=10 rounded up"),
        ("2 * median = 20", "down", "2 * median = 21", "2 * median = 20 rounded down"),
        ("mean = 12", "about", "mean = 11", "mean = about 12"),
        ("mean = 10.4", "down", "mean = 10.5", "mean = 10.4"),
        ("mean = 10 rounded up", "down", "mean = 11 rounded up", "mean = 10 rounded up"),
        ("mean = about 10", "up", "mean = about 10", "mean = about 10"),
        ("mean = 10 ± 1", "up", "mean = 10 ± 1", "mean = 10 ± 1"),
        ("maximum = 17", "down", "maximum = 18", "maximum = 17"),
        ("p(18) = 0%", "down", "p(18) = 0.5%", "p(18) = 0%"),
    ],
)
def test_a_book_says_how_averages_without_decimals_were_rounded(text, rounding, corrected, in_full):
    [claim] = parse_claims(text, rounding)
    assert claim.evaluate(ROLL).corrected == corrected
    assert claim.in_full == in_full


@every(
    ("text", "actual", "figure"),
    [
        ("p(at least 13) = 25.8%", "p(at least 13) = 25.9%", "25.9%"),
        ("p(at least 13)=26.0%", "p(at least 13)=25.9%", "25.9%"),
        ("mean(low | advantage=1) = 3 ± 0.05", "mean(low | advantage=1) = 2.90 ± 0.05", "2.90"),
        ("mean=12±0.5", "mean=10.5±0.5", "10.5"),
        # Rounded to one place it would seem to hold.
        ("p(at least 13) <= 25.92%", "p(at least 13) <= 25.93%", "25.93%"),
        ("p(at least 13) >= 30%", "p(at least 13) >= 25.9%", "25.9%"),
        # 1 of 216 is 0.463%, which is less than 0.5%.
        ("p(18) > 10%", "p(18) > 0.46%", "0.5%"),
        # 56 of 216.
        ("p(at least 13) = 1/4", "p(at least 13) = 7/27", "25.9%"),
        ("p(18)=1/36", "p(18)=1/216", "0.5%"),
        ("mean = 7/2", "mean = 21/2", "10.5"),
        ("median = (7+6)/2 - 1/2", "median = 21/2", "10.5"),
        ("p(at least 3) = 1/2", "p(at least 3) = 1", "100%"),
        ("p(at least 13) <= 1/4", "p(at least 13) <= 7/27", "25.9%"),
        ("p(18) = 0.1", "p(18) = 0.005", "0.5%"),
        # No figure makes it true: another comparison says what is.
        ("p(at least 13) < 1/4", "p(at least 13) > 1/4", "25.9%"),
        ("mean > 10.5", "mean = 10.5", "10.5"),
        ("mean(total) > mean(total | advantage=1)", "mean(total) < mean(total | advantage=1)", "10.5 < 12.24"),
        ("p(13) = p(at least 13)", "p(13) < p(at least 13)", "9.7% < 25.9%"),
        ("mean = 11", "mean = 10.5", "10.5"),
        ("mean(low) = 2", "mean(low) = 2.04", "2.04"),
        ("p(at most 17)=100%", "p(at most 17)=99.5%", "99.5%"),
        ("mean = 12 rounded down", "mean = 10 rounded down", "10.5"),
        ("p(at least 13) = about 30.0%", "p(at least 13) = about 25.9%", "25.9%"),
        ("p(17) = 1 in 6", "p(17) = 1 in 72", "1.4%"),
    ],
)
def test_a_claim_that_does_not_hold_is_corrected(text, actual, figure):
    [result] = evaluate_claims(parse_claims(text), ROLL)
    assert (result.holds, result.actual) == (False, actual)
    assert figure in result.explained
    assert parse_claims(actual)[0].evaluate(ROLL).holds


@every(
    ("text", "corrected"),
    [
        ("p(at least 13) = 25.9%", "p(at least 13) = 25.9%"),
        ("p(18)=1/36", "p(18)=1/216"),
        ("p(at least 13) >= 30%", "p(at least 13) >= 25.9%"),
        ("mean > 10.5", ""),
        ("mean != 10.5", ""),
        ("p(18) != 0.5%", ""),
        ("mean(low | advantage=1) = 3 ± 0.001", "mean(low | advantage=1) = 2.900 ± 0.001"),
        ("mean(total) > mean(total | advantage=1)", ""),
        ("p(13) = p(at least 13)", ""),
    ],
)
def test_the_comparison_of_a_corrected_claim_is_its_own(text, corrected):
    assert parse_claims(text)[0].evaluate(ROLL).corrected == corrected


def test_a_figure_of_which_only_a_bound_is_shown_is_written_with_more_decimals():
    dice = Subject("methuen/expression", {"expression": "5d6"})
    assert parse_claims("p(30) = 1%")[0].evaluate(dice).corrected == "p(30) = 0.01%"  # 1 of 7776 is 0.0129%
    dice = Subject("methuen/expression", {"expression": "10d6"})
    assert parse_claims("p(60) = 1%")[0].evaluate(dice).corrected == "p(60) = 0.000002%"
    assert parse_claims("p(at most 59) = 100%")[0].evaluate(dice).corrected == "p(at most 59) = 99.999998%"
    dice = Subject("dice/roll", {"notation": "60d6"})
    assert parse_claims("p(60) = 0%")[0].evaluate(dice)[1:4] == ("<0.1%", "p(60) < 0.1%", "")
    dice = Subject("methuen/expression", {"expression": "10d6"})
    assert parse_claims("p(60) = 1/10")[0].evaluate(dice).corrected == "p(60) = 1/60466176"


def test_settings_change_the_parameters():
    assert parse_term("p(success | target.Defense=10)").value(CHECK) == Fraction(15, 20)
    assert parse_term("p(success | target.Defense=10, actor.Attack=0)").value(CHECK) == Fraction(11, 20)
    assert parse_term("p(true | check=(1d6 + 1) * 2 >= 9)").value(CHECK) == Fraction(3, 6)
    advantage = Subject("total-effect/roll", {"advantage": 1}, "low")
    assert parse_term("mean(total | advantage=0)").value(advantage) == Fraction(21, 2)
    assert parse_term("p(at least 1)").value(advantage) == 1


def test_exact_values():
    assert parse_term("p(at least 13)").value(ROLL) == Fraction(7, 27)
    assert isinstance(parse_term("2").value(ROLL), Fraction)


FACES = list(product(range(1, 7), repeat=3))


@every(
    ("text", "holds"),
    [
        ("p(total at least 13, low = 2)", lambda faces: sum(faces) >= 13 and min(faces) == 2),
        ("p(low 2, high under 5)", lambda faces: min(faces) == 2 and max(faces) < 5),
        (
            "p(at least 13, low at most 3, mid not 4)",
            lambda faces: sum(faces) > 12 and min(faces) < 4 != sorted(faces)[1],
        ),
        ("p(triggered, low = 3 | threshold=12)", lambda faces: sum(faces) >= 12 and min(faces) == 3),
        (
            "p(total between 9 and 11, low between 2 and 3)",
            lambda faces: 9 <= sum(faces) <= 11 and 2 <= min(faces) <= 3,
        ),
        ("p(low=1, triggered false | threshold=12)", lambda faces: sum(faces) < 12 and min(faces) == 1),
    ],
)
def test_joint_events_against_brute_force(text, holds):
    term = parse_term(text)
    assert term.is_probability
    assert term.value(ROLL) == Fraction(sum(map(holds, FACES)), 216)


@every(
    ("text", "at", "message"),
    [
        ("", 0, "expected a number, p(...), mean(...) or another statistic, found the end"),
        ("mean", 4, "expected a comparison such as = or >=, found the end"),
        ("mean = ", 7, "expected a number"),
        ("mean = 1 2", 9, "expected the end, found '2'"),
        ("mean = 1,", 9, "expected a number"),
        ("mean = 1 #", 9, "found '#'"),
        ("men(total) = 1", 0, "there is no figure 'men'"),
        ("p(at least 3 = 1", 1, "this parenthesis is not closed"),
        ("(mean = 1", 6, "expected ')', found '='"),
        ("p = 1%", 0, "p needs an event"),
        ("p( | advantage=1) = 1%", 0, "p needs an event"),
        ("mean >= 3  ± 1", 11, "± only works with ="),
        ("mean = 3 ± mean", 11, "expected a number, found 'mean'"),
        ("p(18)) = 50%", 5, "expected a comparison such as = or >=, found ')'"),
        ("mean(low, high) = 3", 0, "mean takes one fact"),
        ("1 = p(at (least 3 = 1", 9, "this parenthesis is not closed"),
        ("mean < 11 rounded down", 10, "'rounded down' only works with = and !="),
        ("mean = about 10 rounded up", 16, "'about' and 'rounded up' cannot be combined"),
        ("mean = 11 rounded up ± 1", 21, "'rounded up' and '±' cannot be combined"),
        ("mean = about 21/2", 7, "'about' only works with a single number"),
        ("p(18) = about 1 in 36", 8, "'about' only works with a single number"),
        ("mean = 11 rounded", 10, "expected the end, found 'rounded'"),
        ("p(18) = 1 in 0", 10, "1 in 0 is not a ratio of whole numbers"),
        ("p(18) = 1 in 6.5", 10, "1 in 6.5 is not a ratio of whole numbers"),
        ("p(18) = 1 out of 6", 10, "expected the end, found 'out'"),
        ("p(18) = 50", 8, "a probability is compared with a number without %"),
        ("p(18) = 50% ± 2", 14, "a probability is compared with a number without %"),
        ("p(low 2 given) = 1%", 8, "'given' needs a condition"),
        ("p(low 2 given | advantage=1) = 1%", 8, "'given' needs a condition"),
        ("p(given low 2) = 1%", 0, "p needs an event"),
        ("p(low 2 given high 3 given mid 3) = 1%", 21, "there is a second 'given'"),
        ("mean(low or high) = 1", 0, "mean takes one fact"),
        ("mean((low)) = 1", 0, "mean takes one fact"),
    ],
)
def test_a_syntax_error_has_its_position(text, at, message):
    with pytest.raises(NotationError) as raised:
        parse_claims(text)
    assert (raised.value.at, raised.value.text) == (at, text)
    assert message in raised.value.message


@every(
    ("text", "at", "found"),
    [("1=", 1, "'='"), ("p(at least 13),", 14, "','"), ("median =...", 7, "'='"), ("1>=.", 1, "'>'")],
)
def test_a_claim_is_not_a_term(text, at, found):
    with pytest.raises(NotationError) as raised:
        parse_term(text)
    assert (raised.value.at, raised.value.text) == (at, text)
    assert raised.value.message == f"expected an operator or the end, found {found}"


PIECES = ["mean", "p(at least 13)", "p(", "median(total)", "25%", "1", *"()=<>±+-*/|,. "]


@settings(max_examples=many(150))
@given(st.lists(st.sampled_from(PIECES), max_size=5).map("".join))
def test_every_text_is_parsed_or_refused(text):
    for parser in (parse_term, parse_claims):
        with contextlib.suppress(DiceError):
            parser(text)


@every(
    ("text", "message"),
    [
        ("mean(totl) = 1", "there is no fact 'totl'; did you mean 'total'?"),
        (
            "p(total at least x) = 1%",
            "nothing is called 'x' (line 1, column 18); the facts are 'total', 'low', 'mid', 'high', 'effect', 'trig",
        ),
        ("p(total = tall) = 1%", "nothing is called 'tall' (line 1, column 11); did you mean 'total'?"),
        (
            "p(trap) = 1%",
            "nothing is called 'trap' (line 1, column 3); the facts are 'total', 'low', 'mid', 'high', 'effect', 'trig",
        ),
        ("p(between 5 or 8) = 1%", "expected 'and', found 'or' (line 1, column 13); write it as in between 3 and 5"),
        ("p(between 8 and 5) = 1%", "8-5 runs backwards (line 1, column 3); write 5-8, or (8 - 5)"),
        ("p(triggered between 1 and 2 | threshold=13) = 1%", "words are compared with a number"),
        ("maximum(triggered) = 1", "cannot be put in order"),
        ("p(triggered yess) = 1%", "'triggered' is never 'yess' (line 1, column 13); did you mean 'yes'?"),
        ("p(18 | advantag=1) = 1%", "there is no parameter 'advantag' of total-effect/roll"),
        ("mean(total | advantage=0..1) = 1", "'advantage' has 2 values here; write one"),
        ("p(total 13, trigered) = 1%", "nothing is called 'trigered' (line 1, column 13); did you mean 'triggered'?"),
        ("mean(triggered) = 1", "cannot be averaged"),
        ("median(triggered) = 1", "cannot be put in order"),
        ("mean / 0 = 1", "a figure is divided by 0"),
    ],
)
def test_claims_that_cannot_be_evaluated(text, message):
    with pytest.raises(ParameterError) as raised:
        parse_claims(text)[0].evaluate(ROLL)
    assert message in str(raised.value)


@every(
    ("text", "limit"),
    [
        ("1 + " * 3000 + "1 = 1", "CLAIMS"),
        ("(" * 51 + "1" + ")" * 51 + " = 1", "NESTING"),
        ("p(" + "(" * 50 + "1" + ")" * 50 + ") = 1%", "NESTING"),
        ("(" * 1_000_000, "CLAIMS"),
        ("mean + " * 25 + "1 = p(18), " + "mean > -" + "mean + " * 25 + "1", "FIGURES"),
    ],
)
def test_limits(text, limit):
    with pytest.raises(LimitError) as raised:
        parse_claims(text)
    assert raised.value.limit == limit
    assert "write" in raised.value.hint


def test_fifty_statistics_are_allowed():
    assert parse_claims("mean + " * 24 + "mean = 10.5 * 25")[0].evaluate(ROLL).holds
    assert parse_term("+".join(["p(18)"] * 50)).value(ROLL) == Fraction(50, 216)
    with pytest.raises(LimitError):
        parse_term("+".join(["p(18)"] * 51))


def test_the_counting_for_one_subject_is_limited(monkeypatch):
    one, two = "mean(total | advantage=1)", "mean(total | advantage=2)"
    monkeypatch.setattr(limits, "COUNTING", limits.COUNTING.fixed(2))
    subject = Subject("total-effect/roll", {})
    parse_term(f"{one} + {two} + {one}").value(subject)
    with pytest.raises(LimitError) as raised:
        parse_term("mean(low)").value(subject)
    assert raised.value.limit == "COUNTING"
    # A cached distribution costs another subject the same.
    with pytest.raises(LimitError):
        parse_term(f"{one} + {two} + mean(low)").value(Subject("total-effect/roll", {}))


def test_more_branches_cost_more_rounds(monkeypatch):
    monkeypatch.setattr(limits, "COUNTING", limits.COUNTING.fixed(20))
    subject = Subject("mecha-vs-kaiju/action", {"pool": "d20 d12 d12"})
    with pytest.raises(LimitError) as raised:
        subject.odds("total")
    assert raised.value.limit == "COUNTING"
    assert Subject("methuen/expression", {"expression": "100d100"}).odds().mean == 5050
    with pytest.raises(LimitError):
        Subject("methuen/expression", {"expression": "400d100"}).odds()


def test_the_longest_text_does_not_overflow():
    assert parse_claims("1+" * 4900 + "1=4901")[0].evaluate(ROLL).holds
    assert parse_claims("-" * 9000 + "1=1")[0].evaluate(ROLL).holds
    assert parse_claims("(" * 50 + "1" + ")" * 50 + "=1")[0].evaluate(ROLL).holds


@given(st.text(alphabet="pmean(total|adv=1)[]%±+-*/<>=., 0123", max_size=40))
def test_any_text_is_claims_or_an_error(text):
    try:
        for claim in parse_claims(text):
            assert parse_claims(claim.text)[0][1:-2] == claim[1:-2]
    except DiceError:
        pass


def test_several_claims():
    text = "mean=10.5,  p(at least 13 | advantage=1, effect=low) = 48.8%"
    assert [claim.text for claim in parse_claims(text)] == [
        "mean=10.5",
        "p(at least 13 | advantage=1, effect=low) = 48.8%",
    ]


def test_corrected_claims():
    assert corrected_claims("mean=10.5,p(18)=1%", "total-effect/roll") == "mean=10.5, p(18)=0.46%"
    assert corrected_claims("mean=2.04", "total-effect/roll", "low") == "mean=2.04"
    assert corrected_claims("mean=12.2", "total-effect/roll", advantage=1) == "mean=12.2"


def test_figures_that_take_too_long_are_refused_after_the_first(monkeypatch):
    monkeypatch.setattr(limits, "COUNTING", limits.COUNTING.fixed(20))
    subject = Subject("total-effect/roll", {})
    subject.plan(100)
    subject.odds(settings=[Setting("escalation", "101")])
    with pytest.raises(LimitError, match=r"of counting .* for one block; the limit COUNTING is 20"):
        subject.odds(settings=[Setting("escalation", "102")])
