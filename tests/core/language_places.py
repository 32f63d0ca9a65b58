"""The places in which a condition can stand, each of which reads it over the same facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dicedocs.errors import DiceError
from dicedocs.page_rules.outcome_conditions import OutcomeValues, read_case
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.probability.claims import Subject, parse_term
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds
from dicedocs.scenes.condition import unmet_conditions
from dicedocs.syntax.formula import evaluate


def rule_of(*lines, **parameters):
    """Return the rule of a page with some lines."""
    (rule,) = book_mechanics([PageRule("t/rule", lines, "", tuple(parameters.items()))]).values()
    return rule


def odds_of(rule, fact):
    """Return the odds of a fact of a rule."""
    return run_to_end(verified_odds(rule(), fact))


def answer(read: Callable[[], object]) -> str:
    """Return yes, no or the number that a text comes to, or that it is refused."""
    try:
        value = read()
    except DiceError:
        return "refused"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def in_line(lines, text):
    """Return what a text is in a line behind others that throw nothing."""
    odds = odds_of(rule_of(*lines, f"x = {text}"), "x")
    if len(odds) > 1:
        raise DiceError("it throws dice")
    (value,) = odds
    return value


def answers(text: str, facts: Mapping[str, object], lines, subject: Subject) -> dict[str, str]:
    """Return the answer of each place to a condition."""
    return {
        "if:": answer(lambda: not any(unmet_conditions(text, facts))),
        "case": answer(lambda: read_case(text, OutcomeValues(None, facts)).holds),
        "line": answer(lambda: in_line(lines, text)),
        "then:": answer(lambda: _truth(text, facts)),
        "p()": answer(lambda: parse_term(f"p({text})").value(subject) == 1),
    }


def _truth(text, facts):
    value = evaluate(text, facts)
    return bool(value) if value in {0, 1} else value
