"""Mecha vs Kaiju: worked texts, text forms, errors, limits, and a second implementation."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import LimitError, ParameterError, limits
from dicedocs.systems.mecha_vs_kaiju import Action, ActionInPlay, Pool

from ..every import every
from ..examples import many
from .properties import SEEDS, assert_sound, parameters

WORKED: dict[str, tuple[dict[str, Any], str]] = {
    # A fumble that scratches, and succeeds all the same: 10 + 6 from what is left.
    "fumble": (
        {"dice": "1 4 10 6", "pool": "d20 d8 d10 d6", "counter": 15},
        """\
Dice: d20: 1
Dice: d8 4, d10 10, d6 6
Critical fumble: d8 4 scratched
Total: 10 (d10) + 6 (d6) = 16
Success: 16 >= 15: yes
Impact: 2 (d10 10) + 1 (d6 6) = 3
Inspiration: 1 (critical fumble)""",
    ),
    # The player would rather lose the d6, and nobody knows the counter yet.
    "named": (
        {"dice": "1 4 10 6", "pool": "d20 d8 d10 d6", "scratch": 3},
        """\
Dice: d20: 1
Dice: d8 4, d10 10, d6 6
Critical fumble: d6 6 scratched
Total: 10 (d10) + 4 (d8) = 14
Impact: 2 (d10 10) + 1 (d8 4) = 3
Inspiration: 1 (critical fumble)
If countered: no impact""",
    ),
    # Stress takes the d10 before the fumble takes the lowest of the others that is not a 1.
    "stress and fumble": (
        {"dice": "1 1 9 6 5", "pool": "d8 d10 d6 d8 overwhelmed staggered", "counter": 12},
        """\
Stress: overwhelmed and staggered, so the d10 is scratched
Dice: d20: 1
Dice: d8 1, d10 9 (scratched), d6 6, d8 5
Critical fumble: d8 5 scratched
Total: 1 (d20) + 6 (d6) = 7
Success: 7 >= 12: no
Impact: 0 (countered)
Inspiration: 1 (critical fumble)""",
    ),
    # The same dice with a die named: they are told apart, so stress names the face it takes.
    "stress and named": (
        {"dice": "1 1 9 6 5", "pool": "d8 d10 d6 d8 overwhelmed staggered", "scratch": 3},
        """\
Stress: overwhelmed and staggered, so the d10 is scratched
Dice: d20: 1
Dice: d8 1, d10 9, d6 6, d8 5
Stress: d10 9 scratched
Critical fumble: d6 6 scratched
Total: 1 (d20) + 5 (d8) = 6
Impact: 1 (d8 5)
Inspiration: 1 (critical fumble)
If countered: no impact""",
    ),
    "critical for impact": (
        {"dice": "20 5 11", "pool": "d8 d12", "counter": 31, "choice": "impact"},
        """\
Dice: d20: 20
Dice: d8 5, d12 11
Total: 20 (d20) + 11 (d12) = 31
Success: 31 >= 31: yes
Critical success: yes (2 more impact)
Impact: 1 (d20 20) + 2 (d12 11) + 1 (d8 5) + 2 (critical success) = 6""",
    ),
    "critical for inspiration": (
        {"dice": "20 5 3", "pool": "d8 d12", "counter": 18, "choice": "inspiration"},
        """\
Dice: d20: 20
Dice: d8 5, d12 3
Total: 20 (d20) + 5 (d8) = 25
Success: 25 >= 18: yes
Critical success: yes (1 inspiration)
Impact: 1 (d20 20) + 1 (d8 5) = 2
Inspiration: 1 (critical success)""",
    ),
    "critical, not chosen": (
        {"dice": "20", "pool": "d20", "counter": 18},
        """\
Dice: d20: 20
Total: 20
Success: 20 >= 18: yes
Critical success: yes (2 more impact or 1 inspiration, your choice)
Impact: 1 (d20 20)""",
    ),
    "critical, if": (
        {"dice": "20 5", "pool": "d8"},
        """\
Dice: d20: 20
Dice: d8: 5
Total: 20 (d20) + 5 (d8) = 25
Impact: 1 (d20 20) + 1 (d8 5) = 2
If it succeeds: a critical success, worth 2 more impact or 1 inspiration, your choice
If countered: 1 impact, not for stress""",
    ),
    "a countered 20": (
        {"dice": "20 5", "pool": "d8", "counter": 26},
        """\
Dice: d20: 20
Dice: d8: 5
Total: 20 (d20) + 5 (d8) = 25
Success: 25 >= 26: no
Critical success: no (countered)
Impact: 1 (countered: the minimum, not for stress)""",
    ),
    "a countered 2": (
        {"dice": "2 4 6", "pool": "d8 d10", "counter": 15},
        """\
Dice: d20: 2
Dice: d8 4, d10 6
Total: 6 (d10) + 4 (d8) = 10
Success: 10 >= 15: no
Critical fumble: yes (countered, with 2 on the d20)
Impact: 0 (countered)
Inspiration: 1 (critical fumble)""",
    ),
    "a 3, if countered": (
        {"dice": "3 4 6", "pool": "d8 d10"},
        """\
Dice: d20: 3
Dice: d8 4, d10 6
Total: 6 (d10) + 4 (d8) = 10
Impact: 1 (d10 6) + 1 (d8 4) = 2
If countered: a critical fumble, with 1 inspiration and no impact""",
    ),
    "disadvantage": (
        {"dice": "8 15 4 6", "pool": "d8 d10 disadvantage", "counter": 9},
        """\
Disadvantage: the lower d20 counts
Dice: 2d20: 8, 15 (dropped)
Dice: d8 4, d10 6
Total: 8 (d20) + 6 (d10) = 14
Success: 14 >= 9: yes
Impact: 1 (d20 8) + 1 (d10 6) + 1 (d8 4) = 3""",
    ),
    # The d20s show 1 and 5: the 5 is scratched, being as low as the d8 and a fortune die.
    "both d20s": (
        {"dice": "1 5 5 7", "pool": "d8 d10", "advantage": True, "both_fortune_dice": True},
        """\
Advantage: both d20s stay in the pool
Dice: 2d20: 1 5
Dice: d8 5, d10 7
Critical fumble: d20 5 scratched
Total: 7 (d10) + 5 (d8) = 12
Impact: 1 (d10 7) + 1 (d8 5) = 2
Inspiration: 1 (critical fumble)
If countered: 1 impact, not for stress""",
    ),
    # d12 d8 d10 boosted and reduced is d12 d10 d8 d4, and staggered makes the d12 a d10.
    "everything at once": (
        {
            "dice": "14 9 10 6 4",
            "pool": "d12 d8 d10 advantage and disadvantage",
            "staggered": True,
            "boost": "d12 d8",
            "reduce": "d10",
            "keep": 3,
            "modifier": -2,
            "impact_modifier": 1,
            "counter": 30,
        },
        """\
Boost: the d12 stays, and a d4 is added
Boost: the d8 becomes a d10
Reduce: the d10 becomes a d8
Stress: staggered, so the d12 becomes a d10
Advantage: cancelled by disadvantage
Dice: d20: 14
Dice: d10 9, d10 10, d8 6, d4 4
Total: 14 (d20) + 10 (d10) + 9 (d10) - 2 (modifier) = 31
Success: 31 >= 30: yes
Impact: 1 (d20 14) + 2 (d10 10) + 1 (d10 9) + 1 (d8 6) + 1 (d4 4) + 1 (modifier) = 7""",
    ),
    "both count": (
        {"dice": "9 16 3", "pool": "d8", "advantage": True, "both_fortune_dice": True, "counter": 19},
        """\
Advantage: both d20s stay in the pool
Dice: 2d20: 9 16
Dice: d8: 3
Total: 16 (d20) + 3 (d8) = 19
Success: 19 >= 19: yes
Impact: 1 (d20 16) + 1 (d20 9) = 2""",
    ),
    "nothing to scratch": (
        {"dice": "1 1", "pool": "d20 d8 d4", "reduce": "d4", "counter": 2},
        """\
Reduce: the d4 is removed
Dice: d20: 1
Dice: d8: 1
Critical fumble: no die is left to scratch
Total: 1 (d20) + 1 (d8) = 2
Success: 2 >= 2: yes
Impact: 0
Inspiration: 1 (critical fumble)""",
    ),
}


@every("name", WORKED)
def test_the_worked_text(name):
    chosen, text = WORKED[name]
    assert str(dd.play("mecha-vs-kaiju/action", **chosen)) == text


def test_the_worked_text_of_what_is_chosen_in_play():
    def text(**chosen):
        return str(dd.play("mecha-vs-kaiju/action-in-play", pool="d8 d10", **chosen)).splitlines()

    fumble = text(dice="1 4 7", counter=8, scratch="7", choice="impact")
    assert fumble[2:5] == [
        "Scratch: 7 (the player's choice)",
        "Critical fumble: d10 7 scratched",
        "Total: 1 (d20) + 4 (d8) = 5",
    ]
    critical = text(dice="20 5 3", counter=18, scratch="lowest", choice="impact if impact_so_far = 2, else inspiration")
    assert critical[4:] == [
        "Choice: impact (the player's choice)",
        "Critical success: yes (2 more impact)",
        "Impact: 1 (d20 20) + 1 (d8 5) + 2 (critical success) = 4",
    ]
    # Two ones leave nothing to choose.
    assert text(dice="1 1 1", counter=18)[2] == "Critical fumble: no die is left to scratch"


# What choices in play are worth


def in_play(counter: int, worth: Any, *, only: str = "") -> list[Fraction]:
    """Return what d20 d8 d10 are worth on average if all is chosen for that, or a 20 only gives one thing."""
    throws = list(itertools.product(range(1, 21), range(1, 9), range(1, 11)))
    parts = []
    for fortune, *others in throws:
        lefts = [others]
        if fortune == 1:
            lefts = [others[:at] + others[at + 1 :] for at, face in enumerate(others) if face > 1] or lefts
        ways = []
        for left in lefts:
            success = sum(sorted([fortune, *left])[-2:]) >= counter
            impact = (fortune >= 4) + (sum((face >= 4) + (face >= 10) for face in left) if success else 0)
            inspiration = int(fortune == 1 or (fortune <= 3 and not success))
            taken = {"impact": (impact + 2, inspiration), "inspiration": (impact, inspiration + 1)}
            if only:
                taken = {only: taken[only]}
            after = taken.values() if success and fortune == 20 else [(impact, inspiration)]
            ways += [worth(success, *each) for each in after]
        parts.append(max(ways))
    return [Fraction(sum(each), len(throws)) for each in zip(*parts, strict=True)]


@every(
    ("counter", "best", "worth"),
    [
        (10, "p(success)", lambda success, *_: (success,)),
        (10, "mean(impact)", lambda _, impact, __: (impact,)),
        (10, "-mean(impact)", lambda _, impact, __: (-impact,)),
        (18, "p(impact at least 4), mean(inspiration)", lambda _, impact, inspiration: (impact >= 4, inspiration)),
    ],
)
def test_choices_in_play_are_worth_what_all_ways_to_choose_are(counter, best, worth):
    for only in ("", "impact", "inspiration"):
        rule = ActionInPlay(pool="d8 d10", counter=counter, scratch="open", choice=only or "open")
        odds = dd.odds(rule, "success", "impact", "inspiration", best=best)
        figures = zip(*[[part * odds[facts] for part in worth(*facts)] for facts in odds], strict=True)
        assert [sum(figure) for figure in figures] == in_play(counter, worth, only=only), only


# How a pool is written


@every(
    ("text", "canonical"),
    [
        ("d20 d8 d10", "d20 d8 d10"),
        ("d8 d10", "d20 d8 d10"),
        ("D8, 2D6", "d20 d8 2d6"),
        ("d8 d20 d8", "d20 2d8"),
        ("1d20 1d4", "d20 d4"),
        ("d6 d8 d6", "d20 d6 d8 d6"),
        ("", "d20"),
        ("d20", "d20"),
        ("STAGGERED d8 Overwhelmed", "d20 d8 overwhelmed staggered"),
        ("d8 with advantage, and disadvantage", "d20 d8 advantage disadvantage"),
        ("advantage advantage d12 advantage", "d20 d12 advantage"),
    ],
)
def test_the_text_of_a_pool(text, canonical):
    pool = Pool.from_text(text)
    assert str(pool) == canonical
    assert Pool.from_text(canonical) == pool
    assert hash(Pool.from_text(canonical)) == hash(pool)


def rule(**chosen: Any) -> Action:
    return Action(**chosen)


def test_a_pool_as_a_value():
    assert rule(pool=[20, 8, 6, 6]).pool == Pool((8, 6, 6)) == rule(pool=Pool([8, 6, 6])).pool
    assert rule(pool=8).pool == Pool([8])
    assert rule(pool=()).pool == Pool()
    assert Pool([8]) != Pool([8], ["staggered"])
    assert repr(rule(pool=(8, 6, 6), boost=8)) == 'Action(pool="d20 d8 2d6", boost="d8")'
    assert repr(Pool([8], ["staggered", "advantage"])) == "Pool.from_text('d20 d8 advantage staggered')"


UNKNOWN = "neither dice nor advantage, disadvantage, overwhelmed or staggered; write dice such as d20 d8 2d6 staggered"


@every(
    ("chosen", "message"),
    [
        ({"pool": "d20 d8 d20"}, "pool: a pool has one d20; write advantage or disadvantage to throw another"),
        ({"pool": "2d20"}, "pool: a pool has one d20; write advantage or disadvantage to throw another"),
        ({"pool": [20, 20]}, "pool: a pool has one d20; write advantage or disadvantage to throw another"),
        ({"pool": "d8 d7"}, "pool: 'd7' is not a character die; write d4, d6, d8, d10 or d12"),
        ({"pool": "d100"}, "pool: 'd100' is not a character die; write d4, d6, d8, d10 or d12"),
        ({"pool": "d0"}, "pool: 'd0' is not a character die; write d4, d6, d8, d10 or d12"),
        ({"pool": [8, 3]}, "pool: 'd3' is not a character die; write d4, d6, d8, d10 or d12"),
        ({"pool": "d8 0d6"}, "pool: '0d6' is not a die; leave it out"),
        (
            {"pool": "d8 advantaged"},
            f"pool: 'advantaged' is {UNKNOWN}",
        ),
        (
            {"pool": "d8+d6"},
            f"pool: 'd8+d6' is {UNKNOWN}",
        ),
        ({"pool": 8.0}, "pool: '8.0' is not dice such as d20 d8 2d6"),
        ({"pool": [8, True]}, "pool: '[8, True]' is not dice such as d20 d8 2d6"),
        ({"pool": [[8]]}, "pool: '[[8]]' is not dice such as d20 d8 2d6"),
        ({}, "pool: a value is needed; write dice such as d20 d8 2d6"),
        (
            {"pool": "d20 d8 d10", "scratch": 3},
            "scratch: there is no character die 3; 2 can be named in 'd20 d8 d10': the d20 is not counted",
        ),
        (
            {"pool": "d20", "scratch": 1},
            "scratch: there is no character die 1; none can be named in 'd20': the d20 is not counted",
        ),
        (
            {"pool": "d8", "boost": "d6"},
            "boost: there is no d6 to boost; the pool is 'd20 d8', and each die is changed once",
        ),
        (
            {"pool": "d8", "boost": "2d8"},
            "boost: there is no d8 left to boost; the pool is 'd20 d8', and each die is changed once",
        ),
        (
            {"pool": "d8 d10", "boost": "d8", "reduce": "d8"},
            "reduce: there is no d8 left to reduce; the pool is 'd20 d8 d10', and each die is changed once",
        ),
        # What a boost makes of a die is not there to be reduced, nor the d4 that it adds.
        (
            {"pool": "d12", "boost": "d12", "reduce": "d4"},
            "reduce: there is no d4 to reduce; the pool is 'd20 d12', and each die is changed once",
        ),
        ({"pool": "d8", "boost": "d20"}, "boost: there is no boost for the fortune die; name character dice"),
        ({"pool": "d8", "reduce": "d20"}, "reduce: there is no reduce for the fortune die; name character dice"),
    ],
)
def test_errors(chosen, message):
    with pytest.raises(ParameterError) as caught:
        rule(**chosen)
    assert str(caught.value) == message


@every(
    "wrong",
    [
        {"scratch": 0},
        {"keep": 0},
        {"keep": "none"},
        {"choice": "both"},
        {"counter": "high"},
        {"advantage": 2},
        {"boost": "large"},
        {"modifier": "none"},
    ],
)
def test_values_that_a_parameter_cannot_have(wrong):
    with pytest.raises(ParameterError) as caught:
        rule(pool="d8", **wrong)
    assert caught.value.parameter == next(iter(wrong))


@every(
    ("pool", "limit"),
    [
        ("1001d8", limits.ITEMS),
        ("600d8 401d6", limits.ITEMS),
        ("999999999999d8", limits.ITEMS),
        ([8] * 1001, limits.ITEMS),
        ("1" * 13 + "d8", limits.DIGITS),
        ("d" + "1" * 5000, limits.DIGITS),
        ("d8 " * 4000, limits.VALUE_TEXT),
    ],
)
def test_a_pool_has_limits(pool, limit):
    with pytest.raises(LimitError) as caught:
        rule(pool=pool)
    assert caught.value.limit == limit.name
    assert caught.value.parameter == "pool"


def test_a_pool_as_large_as_the_limit_is_played():
    outcome = rule(pool="1000d12", boost=[12] * 1000, scratch=1000).play(dd.SeededDice(1))
    assert len(outcome.dice) == 2001


# A second implementation, from the facts and decisions alone


def by_the_book(generator: random.Random, dice: list[int], chosen: dict[str, Any]) -> tuple[list[int], dict[str, str]]:
    """Return random faces in the order thrown, and the facts of the play as text."""
    option = chosen.get
    # F40 to F48, DF2: a second d20, unless both are there.
    up = bool(option("advantage")) and not option("disadvantage")
    down = bool(option("disadvantage")) and not option("advantage")
    table: list[dict[str, Any]] = [{"sides": 20, "at": 0} for _ in range(2 if up or down else 1)]
    # DF9, DF11: boost and reduce, by sizes as written; the d4 of a d12 comes last.
    ladder = [0, 4, 6, 8, 10, 12]
    mine: list[dict[str, Any]] = [{"sides": sides, "at": at, "was": sides} for at, sides in enumerate(dice, 1)]
    extra = []
    for option_name, by in (("boost", 1), ("reduce", -1)):
        for sides in option(option_name, []):
            die = next(d for d in mine if d["was"] == sides)
            die["was"] = 99
            if sides == 12 and by == 1:
                extra.append({"sides": 4, "at": 0})
            else:
                die["sides"] = ladder[ladder.index(sides) + by]
    mine = [die for die in mine + extra if die["sides"]]
    # DF7: one kind of stress lowers the largest type, two scratch it after the throw.
    stress = bool(option("overwhelmed")) + bool(option("staggered"))
    largest = [die for die in mine if die["sides"] == max(d["sides"] for d in mine)][:1]
    if stress == 1:
        for die in largest:
            die["sides"] = ladder[ladder.index(die["sides"]) - 1]
        mine = [die for die in mine if die["sides"]]
    table += mine
    for die in table:
        die["face"] = generator.choice([1, 2, 3, 4, 20, 20, generator.randint(1, 20)]) if die["sides"] == 20 else 0
        die["face"] = die["face"] or generator.choice(
            [1, generator.randint(1, die["sides"]), generator.randint(1, die["sides"])]
        )
        die["state"] = ""
    faces = [die["face"] for die in table]

    d20s = [die for die in table if die["sides"] == 20]
    both = up and bool(option("both_fortune_dice"))
    if len(d20s) == 2 and not both:
        d20s.sort(key=lambda die: die["face"])
        # DF11: it is called dropped; of equal ones the second is.
        lost = d20s[0] if up else d20s[1]
        if d20s[0]["face"] == d20s[1]["face"]:
            lost = table[1]
        lost["state"] = "dropped"
        d20s = [die for die in d20s if die is not lost]
    if stress == 2:
        for die in largest:
            die["state"] = "scratched"
    fortune = max(die["face"] for die in d20s)
    fumbled = any(die["face"] == 1 for die in d20s)
    if fumbled:
        candidates = [die for die in table if not die["state"] and die["face"] > 1]
        candidates.sort(key=lambda die: (die["face"], die["sides"] != 20))
        named = [die for die in candidates if die["at"] and die["at"] == option("scratch")]
        for die in (named or candidates)[:1]:
            die["state"] = "scratched"
    left = [die for die in table if not die["state"]]

    # DF4: every legal choice of dice for the total, the best of which counts.
    keep = option("keep", 2)
    characters = sorted((die["face"] for die in left if die["sides"] != 20), reverse=True)
    fortunes = [die["face"] for die in left if die["sides"] == 20]
    total = max([sum(characters[:keep]), *(sum(characters[: keep - 1]) + face for face in fortunes)])
    total += option("modifier", 0)
    impact = sum((face >= 4) + (face >= 10) for face in characters) + sum(face >= 4 for face in fortunes)
    impact += option("impact_modifier", 0)
    minimum = int(fortune >= 4)
    counter = option("counter")
    inspiration = int(fumbled)
    facts = {"success": "none", "can_stress": "if it succeeds", "critical": "false", "fumble": str(fumbled).lower()}
    if counter is None:
        if fortune == 20:
            facts["critical"] = "if it succeeds"
        if fortune in (2, 3) and not fumbled:
            facts["fumble"] = "if countered"
    elif total >= counter:
        facts |= {"success": "true", "can_stress": "true"}
        if fortune == 20:
            facts["critical"] = "true"
            impact += 2 * (option("choice") == "impact")
            inspiration += option("choice") == "inspiration"
    else:
        facts |= {"success": "false", "can_stress": "false"}
        impact = minimum
        if fortune <= 3:
            facts["fumble"] = "true"
            inspiration = 1
    numbers = {"total": total, "impact": impact, "fortune": fortune, "inspiration": inspiration}
    facts |= {name: str(number) for name, number in (numbers | {"minimum_impact": minimum}).items()}
    for state in ("scratched", "dropped"):
        facts[state] = " ".join(str(die["face"]) for die in table if die["state"] == state) or "none"
    return faces, facts


def chosen_at_random(generator: random.Random) -> tuple[list[int], dict[str, Any]]:
    dice = [generator.choice([4, 6, 8, 10, 12]) for _ in range(generator.choice([0, 1, 2, 3, 3, 4, 6]))]
    chosen: dict[str, Any] = {
        name: True
        for name in ("advantage", "disadvantage", "overwhelmed", "staggered", "both_fortune_dice")
        if generator.random() < 0.4
    }
    changed = generator.sample(dice, generator.randint(0, len(dice)))
    cut = generator.randint(0, len(changed))
    maybe = {
        "boost": changed[:cut],
        "reduce": changed[cut:],
        "counter": generator.randint(1, 35),
        "scratch": generator.randint(1, max(1, len(dice))) if dice else None,
        "choice": generator.choice(["impact", "inspiration"]),
        "modifier": generator.randint(-5, 5),
        "impact_modifier": generator.randint(-2, 2),
        "keep": generator.choice([1, 3, 3, 9]),
    }
    return dice, chosen | {name: value for name, value in maybe.items() if generator.random() < 0.5}


@every("seed", range(4))
def test_the_second_implementation_agrees(seed):
    generator = random.Random(seed)
    for _ in range(600):
        dice, chosen = chosen_at_random(generator)
        faces, facts = by_the_book(generator, dice, chosen)
        outcome = dd.play("mecha-vs-kaiju/action", pool=dice, dice=faces, **chosen)
        assert outcome.facts(*facts) == ", ".join(f"{name}={text}" for name, text in facts.items()), (dice, chosen)
        # Conditions written in the pool have the same effect as the parameters.
        words = [name for name in ("advantage", "disadvantage", "overwhelmed", "staggered") if chosen.pop(name, False)]
        again = dd.play("mecha-vs-kaiju/action", pool=str(Pool(dice, words)), dice=faces, **chosen)
        assert again.facts(*facts, "dice") == outcome.facts(*facts, "dice")


# Properties

SIZES = st.sampled_from([4, 6, 8, 10, 12])
WORDS = st.sampled_from(["advantage", "Disadvantage", "OVERWHELMED", "staggered", "with", "and"])
TERMS = st.builds("{}{}".format, st.sampled_from(["d", "D", "2d"]), SIZES)
POOLS = (
    st.lists(TERMS | WORDS | st.just("d20"), max_size=8).map(" ".join)
    | st.builds(Pool, st.lists(SIZES, max_size=6), st.lists(WORDS, max_size=3))
    | st.lists(SIZES | st.integers(-2, 21), max_size=4)
    | st.text(max_size=12)
)
CHANGES = st.lists(SIZES, max_size=2)


@settings(max_examples=many(120), deadline=None, derandomize=True, database=None)
@given(parameters(Action, pool=POOLS, boost=CHANGES, reduce=CHANGES), SEEDS)
def test_every_play_is_sound(chosen, seed):
    assert_sound(Action, chosen, seed)


@settings(max_examples=many(80), deadline=None, derandomize=True, database=None)
@given(st.data(), SEEDS)
def test_every_legal_play_is_sound(data, seed):
    dice = data.draw(st.lists(SIZES, max_size=7))
    changed = data.draw(st.lists(st.sampled_from(dice), unique=True) if dice else st.just([]))
    chosen = data.draw(
        parameters(
            Action,
            pool=st.just(dice),
            boost=st.just(changed[::2]),
            reduce=st.just(changed[1::2]),
            scratch=st.integers(1, len(dice)) if dice else st.none(),
            counter=st.none() | st.integers(1, 35),
        )
    )
    assert assert_sound(Action, chosen, seed) is not None
