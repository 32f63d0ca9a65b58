"""What a designer wrote from memory: it is read as meant, or refused with what to write.

Each line of ``wordings.txt`` has the options and lines of a rule, and behind an arrow the figure that was meant for
its last value (or for the one that is named), or a part of the refusal. The figures are the designer's.

A last part ``claim:``, ``words:``, ``then:``, ``if:`` or ``check:`` stands in such a place; ``=`` stands before what
comes of it. Behind a second arrow stands what the spelling of the refusal comes to in place of what was written.
"""

import re
from contextlib import contextmanager
from pathlib import Path

import pytest

from dicedocs.errors import DiceError
from dicedocs.page_rules.outcome_conditions import OutcomeValues, read_case
from dicedocs.page_rules.outcome_words import read_words
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.probability.claims import Subject, evaluate_claims, parse_claims
from dicedocs.rules import registry
from dicedocs.rules.playing import play
from dicedocs.scenes.change import make_changes, state_facts
from dicedocs.scenes.condition import unmet_conditions
from dicedocs.syntax.formula import evaluate
from dicedocs.syntax.parser import parse_check
from dicedocs.syntax.tree import format  # noqa: A004 -- it is to trees what the built-in is to values
from tests.core.language_places import odds_of, rule_of
from tests.every import every

WORDINGS = [
    (*line.split(" → "), "")[:3] for line in (Path(__file__).parent / "wordings.txt").read_text("utf-8").splitlines()
]
_FIGURE = re.compile(r"(?:(?P<fact>\w+)=(?P<word>.+) )?(?P<figure>-?[0-9.]+)")


@every(("wording", "outcome", "spelled"), WORDINGS)
def test_a_wording_is_read_as_meant_or_refused_with_what_to_write(wording, outcome, spelled):
    _check(wording, outcome)
    if spelled:
        _check(_corrected(wording, outcome.removeprefix("write ").strip("'")), spelled)


def _corrected(wording, spelling):
    """Return a wording with a spelling in place of its last part, or of the value of its last line."""
    before, mark, last = wording.rpartition(" ⏎ ")
    place, colon, _ = last.partition(": ")
    label = f"{last.partition('=')[0].strip()} = "
    start = "" if spelling.startswith(label) else label
    if (option := re.match(":[^:]+: ", last)) or (colon and place in PLACES):
        start = option[0] if option else f"{place}: "
    return f"{before}{mark}{start}{spelling}"


def _check(wording, outcome):
    rule, _, placed = wording.rpartition(" ⏎ ")
    place, _, text = placed.partition(": ")
    meant = _FIGURE.fullmatch(outcome)
    if outcome.startswith("= "):
        assert PLACES[place](text, rule) == outcome.removeprefix("= ")
    elif meant:
        assert round(_figure(wording, meant["fact"], meant["word"]), 4) == float(meant["figure"])
    else:
        with pytest.raises(DiceError) as caught:
            PLACES[place](text, rule) if place in PLACES else _figure(wording)
        assert outcome in str(caught.value)


def _rule(wording):
    written = wording.split(" ⏎ ")
    options = [tuple(re.fullmatch(r":(.+?): (.*)", each).groups()) for each in written if each.startswith(":")]
    lines = tuple(each for each in written if not each.startswith(":"))
    (rule,) = book_mechanics([PageRule("t/rule", lines, "", tuple(options))]).values()
    return rule


@contextmanager
def _registered(wording):
    registry._registered["t/rule"] = _rule(wording)
    try:
        yield "t/rule"
    finally:
        del registry._registered["t/rule"]


def _claim(text, wording):
    with _registered(wording) as rule:
        results = evaluate_claims(parse_claims(text), Subject(rule, {}))
    return "holds" if all(each.holds for each in results) else "does not hold"


def _words(text, wording):
    """Return the words for a throw that comes to 7."""
    with _registered(wording) as rule:
        values = OutcomeValues(play(rule, dice=[4, 3]))
        (told,) = [case.words for case in read_words(text, values) if case.holds]
    return told


STATE = {"heat": "3", "luck": "0", "clock": "2 of 4", "bryn.Stamina": "5 of 5", "bryn.Position": "risky"}


def _then(text, _):
    return ", ".join(f"{each.name}={each.after}" for each in make_changes(text, STATE, values={"total": 7}))


def _if(text, _):
    return "no" if [*unmet_conditions(text, state_facts(STATE) | {"climb.success": True})] else "yes"


def _check_text(text, _):
    return format(parse_check(text, "notation"))


PLACES = {"claim": _claim, "words": _words, "then": _then, "if": _if, "check": _check_text}


def _figure(wording, fact=None, word=None):
    """Return the chance of a word of a fact or of yes, or the mean of a number."""
    rule = _rule(wording)
    odds = odds_of(rule, fact or [*rule.fact_kinds()][-1])
    if word is None and not any(isinstance(value, bool) for value in odds):
        return float(odds.mean)
    return float(odds.p(True if word is None else word))


@pytest.mark.parametrize(
    "read",
    [
        evaluate,
        lambda text, facts: read_case(text, OutcomeValues(None, facts)),
        lambda text, facts: [*unmet_conditions(text, facts)],
        lambda text, _: rule_of("heat = 1d6", f"hot = {text}"),
    ],
    ids=["then", "case", "if", "line"],
)
def test_every_place_says_what_to_write(read):
    for text, spelling in (
        ("twice heat > 4", "write '2 * heat > 4'"),
        ("heat x 2 > 4", "write 'heat * 2 > 4'"),
        ("heat > 4 && heat < 6", "write 'heat > 4 and heat < 6'"),
    ):
        with pytest.raises(DiceError) as caught:
            read(text, {"heat": 3})
        assert spelling in str(caught.value)
