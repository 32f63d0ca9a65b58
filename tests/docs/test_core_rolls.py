"""The core rolls of the five games that the guide writes as rules of a page have the odds of the games' classes."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import dicedocs as dd

from ..core.known_rules import KnownRule
from ..core.test_known_rules import by_text, mechanic_of
from .test_known_games import OF_RULEBOOK, written_rules

LONGEST = 5
"""The lines of a core roll."""


def blow(armour):
    expression = "1d6 + [Strength] - [Target Armour]"
    target = {"Armour": armour}
    return dd.odds("methuen/expression", "total", expression=expression, actor={"Strength": 4}, target=target).to_dict()


def throw(advantage, threshold):
    return dd.odds("total-effect/roll", "total", "low", "triggered", advantage=advantage, threshold=threshold).to_dict()


def action(traits):
    return dd.odds("mecha-vs-kaiju/action", "total", pool=traits).to_dict()


def deed(stat, difficulty):
    # The dice of this class lie on the table before it is played.
    counts = Counter()
    for pool in product(range(1, 7), repeat=2):
        done = dd.play("dungeoneers/action-roll", pool=pool, spend=(1, 2), stat=stat, difficulty=difficulty)
        counts[done.fact("degree"), done.fact("critical")] += Fraction(1, 36)
    return counts


def check(skill, favor):
    favor = () if favor == "none" else favor
    return dd.odds("mage-in-the-metal/check", "total", "result", skill=skill, favor=favor).to_dict()


SETTINGS: dict[Any, list[dict[str, Any]]] = {
    blow: [{"armour": armour} for armour in (0, 3, 8, 20)],
    throw: [{"advantage": advantage, "threshold": 13} for advantage in range(4)],
    action: [{"traits": traits} for traits in ("d8 d10", "d4 d6 d12", "d8", "d6 d6 d6 d4")],
    deed: [{"stat": stat, "difficulty": difficulty} for stat, difficulty in ((2, 9), (0, 12), (0, 20), (4, 5))],
    check: [{"skill": skill, "favor": favor} for skill in (2, 12, 17, 30) for favor in ("none", "with", "without")],
}
"""The class of each game as a function of the parameters of the rule in the page, and parameters to try."""
FACTS = {
    blow: ("damage",),
    throw: ("total", "effect", "triggered"),
    action: ("total",),
    deed: ("degree", "critical"),
    check: ("total", "result"),
}


def rules():
    """Return the five rules as they stand in the page, by what stands behind the slash."""
    written = written_rules().items()
    return {
        id.removeprefix(OF_RULEBOOK): KnownRule(id, text, (), dict, ())
        for id, text in written
        if id.startswith(OF_RULEBOOK)
    }


def test_there_is_one_for_each_game_and_none_is_long():
    assert rules().keys() == {roll.__name__ for roll in SETTINGS}
    for rule in rules().values():
        assert 1 <= sum(not line.startswith(" ") for line in rule.lines) <= LONGEST


@pytest.mark.parametrize(
    ("roll", "setting"),
    [
        pytest.param(roll, setting, id=f"{roll.__name__} {setting}")
        for roll, settings in SETTINGS.items()
        for setting in settings
    ],
)
def test_its_odds_are_those_of_the_class(roll, setting):
    mechanic = mechanic_of(rules()[roll.__name__])
    assert by_text(dd.odds(mechanic(**setting), *FACTS[roll]).to_dict()) == by_text(roll(**setting))
