"""A condition means the same wherever it stands: some texts by hand, others against Python over all values."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import dicedocs as dd
from dicedocs.errors import DiceError
from dicedocs.page_rules.outcome_conditions import OutcomeValues, read_case
from dicedocs.probability.claims import Subject, parse_term
from dicedocs.rules import registry
from dicedocs.scenes.condition import unmet_conditions
from dicedocs.syntax.formula import evaluate
from dicedocs.syntax.ranges import read_ranges
from dicedocs.syntax.relations import SIGNS
from tests.core.language_places import answer, answers, odds_of, rule_of

FACTS = {"heat": 3, "vault": 7, "total": 8, "mood": "calm", "open": False, "won": True, "best_two": 11}
LINES = (
    *("heat = 3", "vault = 7", "total = 8", 'mood = "tense" if heat > 9, else "calm"'),
    *("open = heat > 9", "won = heat = 3", "best two = 11"),
)
YES = """
heat >= 3 | heat ≥ 3 | heat => 3 | heat at least 3 | heat is at least 3 | heat = 3 | heat == 3 | heat is 3 | heat != 4
heat <> 4 | heat ≠ 4 | heat is not 4 | heat isn't 4 | heat not 4 | HEAT is 3 AND NOT open | 2 <= heat <= 5
heat between 2 and 5 | heat is between 2 and 5 | heat is 2-5 | heat = 2–5 | heat is 2 to 5 | heat is 3+
heat is 5 or less | heat is 7 or 3 | heat = 7 or 3 | heat is not 7 or 11 | heat is 2-4 or 9+
heat at least 9 or at most 4 | heat = 5 - 2 | mood = calm | mood is calm or tense | mood = "calm" | not open
open = no | open is false | won = yes and not open | vault - heat >= 4 | vault minus heat is 4
best two is 11 and heat + 1 > 3 | heat from 2 to 4 | heat is from 2 to 4 | heat between 2-4 | heat between 2 to 4
heat is neither 7 nor 11 | neither heat > 4 nor open | heat is not 7 nor 11 | not open nor heat > 4 | heat is 1, 2 or 3
heat is not 7, 8, or 9 | heat is > 2 | heat is not > 4 | heat isn't at least 4 | heat > 2 but < 4 | heat > 2 but not 5
either heat is 3 or open | heat is either 3 or 5 | both won and heat is 3 | heat is (7 or 3) | heat is not (7 or 11)
heat is vault or less | heat is not vault or more | heat is 9 or vault - 4 or more | total is best two or lower
vault is heat or more but not 4 | mood is 'calm' | mood is «calm» | mood is „calm“ | mood is ‘calm’ or 'tense'
"""
NO = "open"
REFUSED = """
heat >= 9 or 3 | heat = 3 and 4 | heat = 1 or 3 and vault > 2 | heat is 5-2 | heat >= 2-5 | mood > calm | heat = 1d6
heat > vault or more | hete >= 3 | heat is 9 or vault | heat is not 3 or vault | open = 2 | open > 1
neither open or won | heat is 3 nor 4
"""
DIFFER = {
    # A line and a change have numbers, too, and a scene may have any word.
    "heat": {"if:": "refused", "case": "refused", "line": "3", "then:": "3", "p()": "refused"},
    # An event is about the value.
    "vault or less": {"if:": "refused", "case": "refused", "line": "refused", "then:": "refused", "p()": "yes"},
    "mood is grim": {"if:": "no", "case": "no", "line": "refused", "then:": "no", "p()": "refused"},
}


def texts(written):
    return [text.strip() for line in written.strip().splitlines() for text in line.split(" | ")]


@pytest.fixture(autouse=True)
def _world(monkeypatch):
    monkeypatch.setitem(registry._registered, "t/world", rule_of(*LINES))


def test_a_condition_has_one_answer_everywhere():
    subject, wrong = Subject("t/world", {}), []
    wanted = {text: dict.fromkeys(("if:", "case", "line", "then:", "p()"), "yes") for text in texts(YES)}
    wanted |= {text: dict.fromkeys(("if:", "case", "line", "then:", "p()"), "no") for text in texts(NO)}
    wanted |= {text: dict.fromkeys(("if:", "case", "line", "then:", "p()"), "refused") for text in texts(REFUSED)}
    wanted |= DIFFER
    assert len(wanted) == 87
    for text, expected in wanted.items():
        found = answers(text, FACTS, LINES, subject)
        wrong += [(text, place, found[place]) for place in expected if found[place] != expected[place]]
    assert wrong == []


EVENTS = {
    # what odds.p of 2d6, a claim about a total of 8, count(1d10 ...) and a band say
    "at least 8": ("5/12", "yes", "3/10", "8+"),
    "8+": ("5/12", "yes", "refused", "8+"),
    "8 or more": ("5/12", "yes", "refused", "8+"),
    "7 or 8": ("11/36", "yes", "refused", "7, 8"),
    "5-8": ("5/9", "yes", "refused", "5–8"),
    "is 8": ("5/36", "yes", "1/10", "refused"),
    "not 7": ("5/6", "yes", "9/10", "refused"),
    "is not 7 or 8": ("25/36", "no", "4/5", "refused"),
    "= 8": ("5/36", "yes", "1/10", "refused"),
    "even": ("refused", "refused", "refused", "refused"),
}


def test_an_event_has_one_meaning_everywhere():
    two_dice, subject, wrong = dd.odds("dice/roll", notation="2d6"), Subject("t/world", {}, "total"), []
    for text, expected in EVENTS.items():
        found = (
            answer(lambda text=text: two_dice.p(text)),
            answer(lambda text=text: parse_term(f"p({text})").value(subject) == 1),
            answer(lambda text=text: odds_of(rule_of("pool = 1d10", f"x = count(pool {text})"), "x").mean),
            answer(lambda text=text: ", ".join(map(str, read_ranges(text)))),
        )
        wrong += [(text, found)] if found != expected else []
    assert wrong == []


RELATIONS = {
    ">=": lambda n: n >= 8, "<=": lambda n: n <= 8, ">": lambda n: n > 8, "<": lambda n: n < 8,
    "=": lambda n: n == 8, "!=": lambda n: n != 8,
}  # fmt: skip


def test_each_spelling_of_a_relation_means_the_same_wherever_it_stands():
    two_dice, subject, wrong = dd.odds("dice/roll", notation="2d6"), Subject("dice/roll", {"notation": "2d6"}), []
    totals = [one + other for one in range(1, 7) for other in range(1, 7)]
    for sign, spellings in SIGNS.items():
        alone = Fraction(sum(map(RELATIONS[sign], totals)), 36)
        behind_or = Fraction(sum(RELATIONS[sign](n) or n == 2 for n in totals), 36)
        for spelling in spellings:
            asked = {
                f"{spelling} 8": alone,
                f"total {spelling} 8": alone,
                f"2 or {spelling} 8": behind_or,
                f"total is 2 or {spelling} 8": behind_or,
            }
            for text, expected in asked.items():
                found = [answer(lambda text=text: parse_term(f"p({text})").value(subject))]
                if text.startswith("total"):
                    lines = ("total = 2d6", f"x = {text}")
                    found.append(answer(lambda lines=lines: odds_of(rule_of(*lines), "x").exactly(True)))
                else:
                    found.append(answer(lambda text=text: two_dice.p(text)))
                wrong += [(text, found)] if found != [str(expected)] * 2 else []
    assert wrong == []


HEATS, VAULTS = range(13), range(4)
# ruff: noqa: ARG005
AGAINST_PYTHON = {
    "heat is 7 or 11": lambda h, v: h in (7, 11),
    "heat = 7 or 11 or 2": lambda h, v: h in (7, 11, 2),
    "heat is not 7 or 11": lambda h, v: h not in (7, 11),
    "heat != 7 or 11": lambda h, v: h not in (7, 11),
    "heat != 7 and 11": lambda h, v: h not in (7, 11),
    "heat = 7 or vault = 2": lambda h, v: h == 7 or v == 2,
    "heat is 2-4 or 9+": lambda h, v: 2 <= h <= 4 or h >= 9,
    "heat is not 2-4": lambda h, v: not 2 <= h <= 4,
    "heat is not 2-4 or 9+": lambda h, v: not (2 <= h <= 4 or h >= 9),
    "heat at least 9 or at most 4": lambda h, v: h >= 9 or h <= 4,
    "heat > 4 and < 7": lambda h, v: 4 < h < 7,
    "not heat = 3 or 5": lambda h, v: h not in (3, 5),
    "not (heat = 3 or 5)": lambda h, v: h not in (3, 5),
    "heat = 3 or not vault = 1": lambda h, v: h == 3 or v != 1,
    "2 <= heat <= 5": lambda h, v: 2 <= h <= 5,
    "heat between vault and 5": lambda h, v: v <= h <= 5,
    "heat is vault or 9": lambda h, v: h in (v, 9),
    "heat - vault is 2 or 3": lambda h, v: h - v in (2, 3),
    "heat = 5 - 2": lambda h, v: h == 3,
    "heat is 6-": lambda h, v: h <= 6,
    "heat is 6 or less or 11": lambda h, v: h <= 6 or h == 11,
    "heat over 3 and vault under 2 or heat is 12": lambda h, v: (h > 3 and v < 2) or h == 12,
    "heat is 1 or 2 or vault is 3": lambda h, v: h in (1, 2) or v == 3,
    "(heat is 1 or 2) and vault is 3": lambda h, v: h in (1, 2) and v == 3,
    "vault is 3 and (heat is 1 or 2)": lambda h, v: v == 3 and h in (1, 2),
    "heat is not 1 and not 2": lambda h, v: h not in (1, 2),
    "heat is 4 or not 5": lambda h, v: h != 5,
    "max(heat, vault) is 3 or 4": lambda h, v: max(h, v) in (3, 4),
    "heat times 2 is 4 or 6": lambda h, v: h in (2, 3),
    "heat isn't 4": lambda h, v: h != 4,
}
OPEN = ("heat is 1 or 2 and vault is 3", "vault is 3 and heat is 1 or 2")


def readings(text):
    """Yield the name of each place, and what it says in each world, or its probability."""
    worlds = [{"heat": heat, "vault": vault} for heat, vault in product(HEATS, VAULTS)]
    yield "if:", lambda: [not any(unmet_conditions(text, facts)) for facts in worlds]
    yield "case", lambda: [read_case(text, OutcomeValues(None, facts)).holds for facts in worlds]
    yield "then:", lambda: [bool(evaluate(text, facts)) for facts in worlds]
    yield "p()", lambda: parse_term(f"p({text})").value(Subject("t/dice", {}))
    thrown = ("heat = 1d13 - 1", "vault = 1d4 - 1")
    yield "line", lambda: odds_of(rule_of(*thrown, f"x = {text}"), "x").exactly(True)


def test_each_place_says_what_python_says(monkeypatch):
    monkeypatch.setitem(registry._registered, "t/dice", rule_of("heat = 1d13 - 1", "vault = 1d4 - 1"))
    wrong = []
    for text, holds in AGAINST_PYTHON.items():
        wanted = [holds(heat, vault) for heat, vault in product(HEATS, VAULTS)]
        for place, read in readings(text):
            found = read()
            if found != (wanted if isinstance(found, list) else Fraction(sum(wanted), 52)):
                wrong.append((text, place, found))
    assert wrong == []


def test_what_two_readers_read_differently_is_refused_everywhere(monkeypatch):
    monkeypatch.setitem(registry._registered, "t/dice", rule_of("heat = 1d13 - 1", "vault = 1d4 - 1"))
    for text in OPEN:
        for _, read in readings(text):
            with pytest.raises(DiceError, match="ambiguous: 'and' and 'or' beside '2'"):
                read()
