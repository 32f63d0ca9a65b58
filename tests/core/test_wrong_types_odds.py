"""Wrong values given to what computes odds: an error of ours, or a TypeError that says what is wrong; never another."""

import itertools
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import dicedocs as dd
from dicedocs import DiceError, Distribution, LimitError, ParameterError, highest
from dicedocs.probability.claims import Subject, corrected_claims, parse_claims, parse_term
from dicedocs.probability.event import Event
from dicedocs.probability.sweep import parse_sweep
from dicedocs.render.chart import build_chart, summary
from dicedocs.render.chart_html import odds_html
from dicedocs.render.chart_text import bars_text
from dicedocs.render.table import odds_csv
from dicedocs.rules.registry import mechanic

from ..every import every
from ..examples import some
from ..hostile import VALUES, HostileError


class Endless(Mapping[Any, Any]):
    """A mapping that never comes to an end, though it says it is short."""

    def __getitem__(self, key):
        return 1

    def __iter__(self):
        return itertools.count()

    def __len__(self):
        return 1


TWO_D6 = Distribution.dice(2, 6)
JOINT = Distribution({(1, True): 1, (2, False): 3}, names=("roll", "hit"))
WORDS = Distribution({"red": 2, None: 1})
HUGE = Distribution({10**3_000: 1, -(10**3_000): 1, 0: 1})
LONG = Distribution.pool(*[10] * 8_000, keep=highest(1))
ESTIMATE = dd.estimate("methuen/expression", expression="2d6", samples=50, seed=1)
DISTRIBUTIONS = {"2d6": TWO_D6, "joint": JOINT, "words": WORDS, "huge": HUGE, "long": LONG, "estimate": ESTIMATE}

METHODS = {
    "p": lambda odds, value: odds.p(value),
    "p of facts": lambda odds, value: odds.p(roll=value),
    "p of both": lambda odds, value: odds.p(value, roll=1),
    "exactly": lambda odds, value: odds.exactly(value),
    "at_least": lambda odds, value: odds.at_least(value),
    "at_most": lambda odds, value: odds.at_most(value),
    "quantile": lambda odds, value: odds.quantile(value),
    "sample": lambda odds, value: odds.sample(value),
    "sample with a seed": lambda odds, value: odds.sample(2, seed=value),
    "map": lambda odds, value: callable(value) or odds.map(value),
    "map to": lambda odds, value: odds.map(lambda _: value),
    "combine": lambda odds, value: odds.combine(value, lambda *_: 0),
    "combine with": lambda odds, value: callable(value) or odds.combine(odds, value),
    "repeat": lambda odds, value: odds.repeat(value),
    "max": lambda odds, value: odds.max(value),
    "min": lambda odds, value: odds.min(value),
    "compare": lambda odds, value: odds.compare(value, "<"),
    "compare by": lambda odds, value: odds.compare(3, value),
    "named": lambda odds, value: odds.named(value),
    "named twice": lambda odds, value: odds.named(value, value),
    "marginal": lambda odds, value: odds.marginal(value),
    "marginal of nothing": lambda odds, _: odds.marginal(),
    "given": lambda odds, value: odds.given(roll=value),
    "given by a function": lambda odds, value: callable(value) or odds.given(value),
    "+": lambda odds, value: odds + value,
    "right +": lambda odds, value: value + odds,
    "-": lambda odds, value: odds - value,
    "right -": lambda odds, value: value - odds,
    "*": lambda odds, value: odds * value,
    "//": lambda odds, value: odds // value,
    "<": lambda odds, value: odds < value,
    "==": lambda odds, value: odds == value,
    "interval": lambda odds, value: odds.interval(value) if odds is ESTIMATE else None,
    "confidence": lambda odds, value: odds.mean_interval(value) if odds is ESTIMATE else None,
    "shown": lambda odds, value: build_chart({"": odds}, marked=[value]) if value.__hash__ else None,
}

CALLABLES: dict[str, Any] = {
    "Distribution": Distribution,
    "weights": lambda value: Distribution({1: value}),
    "values": lambda value: Distribution({value: 1}) if value.__hash__ else None,
    "shown values": lambda value: str(Distribution({value: 1})) if value.__hash__ else None,
    "names": lambda value: Distribution({1: 1}, names=value),
    "names of tuples": lambda value: Distribution({(1, 2): 1}, names=[value, value]),
    "dice": lambda value: Distribution.dice(value, 6),
    "sides": lambda value: Distribution.dice(2, value),
    "pool": Distribution.pool,
    "faces": Distribution.faces,
    "pool that keeps": lambda value: Distribution.pool(6, 6, keep=value),
    "faces that keep": lambda value: Distribution.faces(6, 6, keep=value),
    "from_json": Distribution.from_json,
    "odds": dd.odds,
    "odds of a fact": lambda value: dd.odds("methuen/expression", value, expression="2d6"),
    "estimate": lambda value: dd.estimate("methuen/expression", expression="2d6", samples=value, seed=1),
    "estimate by a seed": lambda value: dd.estimate("methuen/expression", expression="2d6", samples=2, seed=value),
    "estimate of a fact": lambda value: dd.estimate("methuen/expression", value, expression="2d6", samples=2),
    "verify_distribution": dd.verify_distribution,
    "event": Event.read,
    "claims": parse_claims,
    "term": parse_term,
    "corrected_claims": lambda value: corrected_claims(value, "methuen/expression", expression="2d6"),
    "probability": lambda value: Subject("methuen/expression", {"expression": "2d6"}).probability("total", value),
    "sweep": lambda value: parse_sweep(mechanic("total-effect/roll"), value),
}


CLEAR = ("unsupported operand", "bad operand", "concat", "not supported between", "cannot be a value")
"""Words of the errors that a Python programmer expects of operators, and of what a function returns."""


def call(function, *arguments):
    """Call a function; an error must be one of ours, or a TypeError that says what is wrong."""
    try:
        result = function(*arguments)
        if isinstance(result, Distribution):
            str(result)
    except HostileError:  # an error of the value's own
        return
    except (DiceError, TypeError) as error:
        wrong = error
    else:
        return
    text = str(wrong)
    text.encode(errors="surrogatepass")
    assert len(text) < 2_000
    assert isinstance(wrong, DiceError) or any(words in text for words in CLEAR), wrong


@pytest.mark.parametrize(
    "named",
    [("2d6", "joint", "estimate"), pytest.param(("words", "huge", "long"), marks=pytest.mark.thorough)],
    ids=" ".join,
)
@every(("name", "kind"), some(product(METHODS, VALUES)))
def test_wrong_arguments_of_methods(named, name, kind):
    for which in named:
        call(METHODS[name], DISTRIBUTIONS[which], VALUES[kind]())


@every(("name", "kind"), some(product(CALLABLES, VALUES)))
def test_wrong_arguments_of_functions(name, kind):
    call(CALLABLES[name], VALUES[kind]())


@every("which", DISTRIBUTIONS)
def test_everything_that_a_distribution_offers(which):
    odds = DISTRIBUTIONS[which]
    attributes = [name for name in dir(odds) if name[0] != "_" or name in {"_repr_html_", "_repr_latex_"}]
    assert len(attributes) > 30
    for name in attributes:
        try:
            value = getattr(odds, name)
            if name in {"to_dict", "to_html", "to_json", "to_latex", "_repr_html_", "_repr_latex_"}:
                value()
        except DiceError:
            pass
    for show in (str, repr, hash, len, list, summary, odds_csv):
        show(odds)
    assert odds_html({"": odds})
    if len(odds.names) < 2:
        assert bars_text({"one": odds, "two": odds})
    assert Distribution.from_json(odds.to_json()) == odds


def test_iterators_without_end_are_refused():
    for run in (
        lambda: Distribution(Endless()),
        lambda: Distribution({1: 1}, names=(str(n) for n in itertools.count())),
    ):
        with pytest.raises(LimitError):
            run()


def test_what_a_function_returns_must_be_hashable():
    with pytest.raises(TypeError, match=r"the function returned '.*', which is not hashable and cannot be a value"):
        TWO_D6.map(lambda _: {})  # type: ignore[return-value]
    with pytest.raises(ZeroDivisionError):  # an exception of the function is its author's
        TWO_D6.map(lambda value: 1 // (value - 7))


def test_very_high_numbers_have_statistics():
    # By hand: 13 factors of 999999999999 times 1 or 2, each with a probability of a half.
    factor = 999_999_999_999**13
    odds = dd.odds("methuen/expression", expression="1d2" + " * 999999999999" * 13)
    assert odds.values == (factor, 2 * factor)
    assert odds.mean == Fraction(3 * factor, 2)
    assert odds.standard_deviation == pytest.approx(factor / 2)
    assert odds.median == Fraction(3 * factor, 2)
    assert odds.at_least(2 * factor) == odds.p(f"at least {2 * factor}") == odds.p(2 * factor) == Fraction(1, 2)
    assert "standard deviation" in str(odds)
    with pytest.raises(LimitError, match="the standard deviation is larger than any float"):
        _ = HUGE.standard_deviation
    assert HUGE.median == HUGE.quantile(0.5) == 0


def test_claims_name_any_outcome():
    subject = Subject("methuen/expression", {"expression": "1d2 * 999999999999 * 1000"})
    [claim] = parse_claims("p(at least 1999999999998000) = 50%")
    assert claim.evaluate(subject).holds
    [claim] = parse_claims("p(1999999999998000) = 50%")
    assert claim.evaluate(subject).holds
    [claim] = parse_claims("median = 1499999999998500")
    assert claim.evaluate(subject).holds
    with pytest.raises(ParameterError):
        parse_claims("p(x) = 1%")[0].evaluate(subject)


def test_long_counts_are_limited():
    with pytest.raises(LimitError) as caught:
        Distribution({1: 1, 2: 1 << 300_000})
    assert caught.value.limit == "DENOMINATOR"
    with pytest.raises(LimitError) as caught:
        Distribution({10**3_900: 1})
    assert caught.value.limit == "OUTCOME_DIGITS"
