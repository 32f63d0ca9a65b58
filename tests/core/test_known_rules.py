"""Rules of known games, written as lines of a page: their odds equal a second statement, their plays those by hand."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import dicedocs as dd
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.mechanic import Mechanic

from ..every import every
from .known_rules import KNOWN_RULES, KnownRule, Odds, exploding, odds_of, sums, throws


@cache
def mechanic_of(known: KnownRule) -> type[Mechanic]:
    """Return the mechanic that a page makes of a rule."""
    page_rule = PageRule(
        known.id, known.lines, parameters=tuple(known.parameters.items()), meanings=tuple(known.meanings.items())
    )
    return book_mechanics([page_rule])[known.id]


def by_text(odds: Odds) -> dict[str, Fraction]:
    """Return odds whose values are told apart by type too: 1 and true are equal, and not the same fact."""
    return {repr(value): probability for value, probability in odds.items()}


def named(known: KnownRule, text: object) -> object:
    return pytest.param(known, text, id=f"{known.id} {text}")


SETTINGS = [[named(known, setting) for setting in known.settings] for known in KNOWN_RULES]


@every(("known", "setting"), [each for of_rule in SETTINGS for each in of_rule[:1]])
def test_odds_equal_a_second_statement(known, setting):
    check_odds(known, setting)


@pytest.mark.thorough
@every(("known", "setting"), [each for of_rule in SETTINGS for each in of_rule[1:]])
def test_odds_of_more_settings_equal_a_second_statement(known, setting):
    check_odds(known, setting)


def check_odds(known: KnownRule, setting: dict[str, object]) -> None:
    counted = dd.odds(mechanic_of(known)(**setting), *known.facts)
    ours, theirs = by_text(counted.to_dict()), by_text(known.odds(**setting))
    if known.open_ended:
        stated = {value: ours.pop(value, None) for value in theirs}
        assert stated == theirs
        assert sum(ours.values()) + counted.remainder == 1 - sum(theirs.values())
    else:
        assert ours == theirs
        assert counted.remainder == 0


@every(("known", "play"), [named(known, play) for known in KNOWN_RULES for play in known.plays])
def test_a_play_gives_the_facts_worked_out_by_hand(known, play):
    dice = ScriptedDice(play.dice)
    outcome = mechanic_of(known)(**play.parameters).play(dice)
    dice.finish()
    assert outcome.facts() == play.facts


@every("known", KNOWN_RULES, ids=lambda known: known.id)
def test_a_second_statement_is_about_all_that_can_happen(known):
    for setting in known.settings:
        odds = known.odds(**setting)
        assert min(odds.values()) > 0
        assert (sum(odds.values()) < 1) if known.open_ended else (sum(odds.values()) == 1)


def test_the_ids_of_the_rules_differ():
    assert len({known.id for known in KNOWN_RULES}) == len(KNOWN_RULES) >= 27


def test_throws_are_counted_face_by_face():
    # The short ways to count throws, sums and explosions, which the second statements share.
    faces = list(product(range(1, 5), repeat=3))
    assert throws(3, 4) == Counter(tuple(sorted(each)) for each in faces)
    assert sums(3, 4) == Counter(map(sum, faces))
    assert odds_of(max, *[{1: 1, 2: 1, 3: 1}] * 2) == {1: Fraction(1, 9), 2: Fraction(3, 9), 3: Fraction(5, 9)}
    assert exploding(2, below=6) == {1: Fraction(1, 2), 3: Fraction(1, 4), 5: Fraction(1, 8)}
