"""Dungeoneers: worked texts, facts worked out by hand, text forms, errors, limits, and a second implementation."""

import functools
import itertools
import random
from fractions import Fraction
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import LimitError, Mechanic, ParameterError
from dicedocs.rules.registry import mechanic
from dicedocs.systems.dungeoneers import Member

from ..every import every
from ..examples import many
from .properties import SEEDS, assert_sound, parameters

ULFARMI = "4 3 4 1 2"
FREYA = "- - - 4 2"


def play(name, **named):
    return dd.play(
        f"dungeoneers/{name}", **({"dice": ""} if named.keys().isdisjoint({"dice", "seed"}) else {}), **named
    )


# The worked text, written by hand before the implementation

WORKED = {
    "Freya's reroll": (
        ("player-phase", {"pool": FREYA, "exhausted": "1 2 3", "reroll": "5", "dice": "6 3 1 5"}),
        """
        Rerolled: dice 1, 2 and 3 (exhausted)
        Rerolled too: die 5 (the player's choice)
        Dice: 4d6: 6 3 1 5
        Kept: die 4 (showing 4)
        Pool: 6, 3, 1, 4 and 5
        """,
    ),
    "a phase in which everything is kept": (
        ("player-phase", {"pool": ULFARMI}),
        """
        Kept: dice 1, 2, 3, 4 and 5 (showing 4, 3, 4, 1 and 2)
        Pool: 4, 3, 4, 1 and 2
        """,
    ),
    "a phase in which nothing is kept": (
        ("player-phase", {"pool": "- 6", "exhausted": "1", "reroll": "1 2", "dice": "2 2"}),
        """
        Rerolled: die 1 (exhausted)
        Rerolled too: die 2 (the player's choice)
        Dice: 2d6: 2 2
        Pool: 2 and 2
        """,
    ),
    "Ulfarmi's fight": (
        ("action-roll", {"pool": ULFARMI, "stat": 4, "difficulty": 5, "fight": True}),
        """
        Spent: die 4 (the least that succeeds)
        Total: 1 (die 4) + 4 (stat) = 5
        Success: 5 >= 5: yes
        Left in the pool: 4, 3, 4 and 2
        """,
    ),
    "a critical": (
        ("action-roll", {"pool": ULFARMI, "exhausted": "5", "stat": 3, "difficulty": 10, "spend": "3 1"}),
        """
        Spent: dice 1 and 3 (the player's choice)
        Total: 4 (die 1) + 4 (die 3) + 3 (stat) = 11
        Against the difficulty: 11 - 10 (difficulty) = 1
        Degree: 1 is 0 to 2: success
        Critical: yes (4, 4)
        Raised: success, 1 up: greater success
        Left in the pool: 3 and 1
        """,
    ),
    "a critical that has nothing left to raise": (
        ("action-roll", {"pool": "6 6", "stat": 1, "difficulty": 10, "spend": "1 2"}),
        """
        Spent: dice 1 and 2 (the player's choice)
        Total: 6 (die 1) + 6 (die 2) + 1 (stat) = 13
        Against the difficulty: 13 - 10 (difficulty) = 3
        Degree: 3 is 3 or more: greater success
        Critical: yes (6, 6)
        Raised: greater success (the highest degree)
        Left in the pool: none
        """,
    ),
    "a critical in a fight": (
        ("action-roll", {"pool": "2 2 5", "difficulty": 7, "fight": True, "spend": "1 2"}),
        """
        Spent: dice 1 and 2 (the player's choice)
        Total: 2 (die 1) + 2 (die 2) = 4
        Success: 4 >= 7: no
        Critical: yes (2, 2)
        Left in the pool: 5
        """,
    ),
    "the best that can be had": (
        ("action-roll", {"pool": "1 2 3", "stat": 1, "difficulty": 9}),
        """
        Spent: dice 2 and 3 (the least that makes a partial success)
        Total: 2 (die 2) + 3 (die 3) + 1 (stat) = 6
        Against the difficulty: 6 - 9 (difficulty) = -3
        Degree: -3 is -3 to -1: partial success
        Left in the pool: 1
        """,
    ),
    "nothing to be had": (
        ("action-roll", {"pool": "2 1", "difficulty": 20}),
        """
        Spent: die 2 (the lowest, as nothing is enough)
        Total: 1 (die 2)
        Against the difficulty: 1 - 20 (difficulty) = -19
        Degree: -19 is below -3: failure
        Left in the pool: 2
        """,
    ),
    "an empty pool": (
        ("action-roll", {"pool": "- - -", "exhausted": "1 2 3", "stat": 3, "difficulty": 5}),
        """
        Stress: 1 (no dice left)
        Total: 3 (stat)
        Against the difficulty: 3 - 5 (difficulty) = -2
        Degree: -2 is -3 to -1: partial success
        """,
    ),
    "an empty pool, and the second stress": (
        ("action-roll",
         {"pool": "- 2 -", "exhausted": "1 2 3", "stat": 3, "difficulty": 5, "push": True, "dice": "6"}),
        """
        Stress: 1 (no dice left) + 1 (to reroll die 1) = 2
        Dice: d6: 6
        Spent: die 1 (rerolled, used and exhausted again)
        Total: 6 (die 1) + 3 (stat) = 9
        Against the difficulty: 9 - 5 (difficulty) = 4
        Degree: 4 is 3 or more: greater success
        """,
    ),
    "a group roll": (
        ("group-roll", {"members": "Freya: stat 3, die 5; Ulfarmi: stat 4, die 5", "difficulty": 13}),
        """
        Difficulty: 13 + 2 (participants) = 15
        Total: 5 (Freya's die) + 3 (Freya's stat) + 5 (Ulfarmi's die) + 4 (Ulfarmi's stat) = 17
        Against the difficulty: 17 - 15 (difficulty) = 2
        Degree: 2 is 0 to 2: success
        Critical: yes (5, 5)
        Raised: success, 1 up: greater success
        """,
    ),
    "a group that fights": (
        ("group-roll", {"members": "Freya: stat 3; Ulfarmi: die 1; Bo:", "difficulty": 4, "fight": True}),
        """
        Difficulty: 4 + 3 (participants) = 7
        Total: 3 (Freya's stat) + 1 (Ulfarmi's die) = 4
        Success: 4 >= 7: no
        """,
    ),
    "fights, by the fewest dice": (
        ("fights", {"stat": 2, "difficulties": "8, 10, 6", "spend": "fewest", "dice": "5 3 6 1 2"}),
        """
        Fight 1:
          Dice: 5d6: 5 3 6 1 2
          Spend: fewest (the player's choice)
          Total: 6 + 2 (stat) = 8
          Success: 8 >= 8: yes
        Fight 2:
          Spend: fewest (the player's choice)
          Total: 3 + 5 + 2 (stat) = 10
          Success: 10 >= 10: yes
        Fight 3:
          Spend: fewest (the player's choice)
          Total: 1 + 2 (stat) = 3
          Success: 3 >= 6: no
        All won: 2 = 3: no
        """,
    ),
    "more fights than dice": (
        ("fights", {"size": 2, "stat": 4, "difficulties": "8, 4", "spend": '"3 1"', "dice": "1 3"}),
        """
        Fight 1:
          Dice: 2d6: 1 3
          Spend: 3 and 1 (the player's choice)
          Total: 3 + 1 + 4 (stat) = 8
          Success: 8 >= 8: yes
        Fight 2:
          Total: 4 (stat)
          Success: 4 >= 4: yes
        All won: 2 = 2: yes
        """,
    ),
    "a rest": (
        ("rest", {"pool": "4 - 4 1 2", "exhausted": "4 2", "dice": "6 5"}),
        """
        Regained: dice 2 and 4 (exhausted)
        Dice: 2d6: 6 5
        Kept: dice 1, 3 and 5 (showing 4, 4 and 2)
        Pool: 4, 6, 4, 5 and 2
        """,
    ),
    "a rest with nothing to regain": (
        ("rest", {"pool": "4"}),
        """
        Kept: die 1 (showing 4)
        Pool: 4
        """,
    ),
    "a timer that runs": (
        ("timer", {"cooldown": 6, "duration": 4, "rounds": 3, "dice": "5 2"}),
        """
        Dice: d6: 5
        Cooldown: 5 - 3 (rounds) = 2
        Ready: 2 = 0: no
        Dice: d4: 2
        Duration: 2 - 3 (rounds) = -1
        Never below 0: -1, raised to 0
        Active: 0 > 0: no
        """,
    ),
    "a timer that was just set": (
        ("timer", {"cooldown": 8, "dice": "1"}),
        """
        Dice: d8: 1
        Cooldown: 1
        Ready: 1 = 0: no
        """,
    ),
    "a fresh pool": (
        ("fresh-pool", {"stat": 4, "difficulty": 12, "dice": ULFARMI}),
        """
        Dice: 5d6: 4 3 4 1 2
        Highest dice: 4 + 4 + 4 (stat) = 12
        Enough: 12 >= 12: yes
        Fewest dice: 2
        Pair: yes (4, 4)
        """,
    ),
    "a fresh pool that is not enough": (
        ("fresh-pool", {"size": 2, "difficulty": 12, "dice": "6 5"}),
        """
        Dice: 2d6: 6 5
        Highest dice: 6 + 5 = 11
        Enough: 11 >= 12: no
        Fewest dice: none
        Pair: no
        """,
    ),
}  # fmt: skip


@every(("call", "text"), WORKED.values(), ids=WORKED)
def test_the_worked_text(call, text):
    name, named = call
    assert str(play(name, **named)) == dedent(text).strip()


def test_each_mechanic_has_two_worked_texts():
    played = [call[0] for call, _ in WORKED.values()]
    names = ["player-phase", "action-roll", "group-roll", "rest", "timer", "fresh-pool", "fights"]
    assert [name for name in names if played.count(name) < 2] == []
    assert sorted(f"dungeoneers/{name}" for name in names) == [id for id in dd.mechanics() if "dungeoneers" in id]


def test_the_die_of_a_push_is_drawn_as_exhausted():
    outcome = play("action-roll", pool="-", exhausted="1", difficulty=5, push=True, dice="4")
    assert [str(die) for die in outcome.thrown] == ["d6 showing 4, exhausted"]


# Facts, worked out by hand


@every(
    ("named", "facts"),
    [
        # Ulfarmi: the source's own example, and what else he might spend.
        ({"stat": 4, "difficulty": 5, "fight": True},
         "total=5, degree=none, success=true, critical=false, spent=4, exhausted=4, stress=0"),
        ({"stat": 4, "difficulty": 5, "fight": True, "spend": "2"},
         "total=7, degree=none, success=true, critical=false, spent=2, exhausted=2, stress=0"),
        ({"stat": 0, "difficulty": 5, "fight": True},
         "total=5, degree=none, success=true, critical=false, spent=1 4, exhausted=1 4, stress=0"),
        ({"stat": 0, "difficulty": 15, "fight": True},
         "total=1, degree=none, success=false, critical=false, spent=4, exhausted=4, stress=0"),
        ({"stat": 0, "difficulty": 14, "fight": True},
         "total=14, degree=none, success=true, critical=true, spent=1 2 3 4 5, exhausted=1 2 3 4 5, stress=0"),
        # A stat that suffices alone: one die all the same, the lowest.
        ({"stat": 9, "difficulty": 5},
         "total=10, degree=greater success, success=true, critical=false, spent=4, exhausted=4, stress=0"),
        # 12 wants 8 of the dice: only both fours give it with two, and that they are alike is luck.
        ({"stat": 4, "difficulty": 12},
         "total=12, degree=greater success, success=true, critical=true, spent=1 3, exhausted=1 3, stress=0"),
        # 13 wants 9: three dice, of which 4 4 1 is the least; 4 3 2 is the same sum and comes first.
        ({"stat": 4, "difficulty": 13},
         "total=13, degree=success, success=true, critical=false, spent=1 2 5, exhausted=1 2 5, stress=0"),
        # The best degree: 17 wants 14 for a partial success, which is all of them; 16 wants 13 of 14.
        ({"stat": 0, "difficulty": 17},
         "total=14, degree=success, success=true, critical=true, spent=1 2 3 4 5, exhausted=1 2 3 4 5, stress=0"),
        ({"stat": 0, "difficulty": 16},
         "total=13, degree=success, success=true, critical=true, spent=1 2 3 5, exhausted=1 2 3 5, stress=0"),
        ({"stat": 0, "difficulty": 18},
         "total=1, degree=failure, success=false, critical=false, spent=4, exhausted=4, stress=0"),
        # A critical raises by one degree, at most to the highest.
        ({"stat": 0, "difficulty": 12, "spend": "1 3"},
         "total=8, degree=partial success, success=false, critical=true, spent=1 3, exhausted=1 3, stress=0"),
        ({"stat": 0, "difficulty": 11, "spend": "1 3"},
         "total=8, degree=success, success=true, critical=true, spent=1 3, exhausted=1 3, stress=0"),
        ({"stat": 0, "difficulty": 5, "spend": "1 3"},
         "total=8, degree=greater success, success=true, critical=true, spent=1 3, exhausted=1 3, stress=0"),
        # Exhausted dice are not chosen, and stay exhausted.
        ({"stat": 4, "difficulty": 5, "exhausted": "4 5"},
         "total=7, degree=success, success=true, critical=false, spent=2, exhausted=2 4 5, stress=0"),
        ({"stat": -2, "difficulty": 0, "exhausted": "4"},
         "total=0, degree=success, success=true, critical=false, spent=5, exhausted=4 5, stress=0"),
    ],
)  # fmt: skip
def test_ulfarmi(named, facts):
    assert play("action-roll", pool=ULFARMI, **named).facts() == facts


@every(
    ("total", "degree", "success"),
    [
        (1, "failure", "false"),
        (6, "failure", "false"),
        (7, "partial success", "false"),
        (8, "partial success", "false"),
        (9, "partial success", "false"),
        (10, "success", "true"),
        (12, "success", "true"),
        (13, "greater success", "true"),
        (30, "greater success", "true"),
    ],
)
def test_degrees_at_difficulty_10(total, degree, success):
    facts = f"total={total}, degree={degree}, success={success}"
    alone = play("action-roll", pool="1", stat=total - 1, difficulty=10)
    assert alone.facts("total", "degree", "success") == facts
    together = play("group-roll", members=f"Freya: stat {total - 1}, die 1; Ulfarmi:", difficulty=8)
    assert together.facts("total", "degree", "success") == facts


@every(
    ("named", "facts"),
    [
        ({}, "total=3, degree=failure, success=false, critical=false, spent=none, exhausted=1 2, stress=1"),
        ({"fight": True}, "total=3, degree=none, success=false, critical=false, spent=none, exhausted=1 2, stress=1"),
        ({"push": True, "dice": "6"},
         "total=9, degree=partial success, success=false, critical=false, spent=1, exhausted=1 2, stress=2"),
        ({"push": True, "fight": True, "dice": "6"},
         "total=9, degree=none, success=false, critical=false, spent=1, exhausted=1 2, stress=2"),
        # A single die is never a critical, also when the other one shows the same.
        ({"pool": "6 6", "push": True, "dice": "6"},
         "total=9, degree=partial success, success=false, critical=false, spent=1, exhausted=1 2, stress=2"),
    ],
)  # fmt: skip
def test_a_pool_that_has_run_out(named, facts):
    outcome = play("action-roll", **{"pool": "- 5", "exhausted": "2 1", "stat": 3, "difficulty": 10, **named})
    assert outcome.facts() == facts


@every(
    ("named", "dice", "pool"),
    [
        ({"pool": FREYA, "exhausted": "1 2 3"}, "6 3 1", "6 3 1 4 2"),
        ({"pool": FREYA, "exhausted": "1 2 3", "reroll": "4"}, "6 3 1 5", "6 3 1 5 2"),
        ({"pool": FREYA, "exhausted": "1 2 3", "reroll": "4 5"}, "6 3 1 5 5", "6 3 1 5 5"),
        ({"pool": "1 4 2", "exhausted": "3", "reroll": "1"}, "6 5", "6 4 5"),
        ({"pool": "1 4 2", "exhausted": "3", "reroll": "1 2 3"}, "6 5 1", "6 5 1"),
        ({"pool": "1"}, "", "1"),
    ],
)
def test_player_phases(named, dice, pool):
    assert play("player-phase", dice=dice, **named).facts() == f"pool={pool}"


@every(
    ("members", "difficulty", "facts"),
    [
        ("Freya: stat 3, die 5; Ulfarmi: stat 4, die 1", 10,
         "total=13, difficulty=12, degree=success, success=true, critical=false"),
        ("Freya: die 1; Ulfarmi: die 1; Bo: die 1", 6,
         "total=3, difficulty=9, degree=partial success, success=false, critical=true"),
        ("Freya: die 2; Ulfarmi: die 2; Bo: stat 2", 6,
         "total=6, difficulty=9, degree=success, success=true, critical=true"),
        ("Freya: stat 9; Ulfarmi:", 5, "total=9, difficulty=7, degree=success, success=true, critical=false"),
    ],
)  # fmt: skip
def test_group_rolls(members, difficulty, facts):
    assert play("group-roll", members=members, difficulty=difficulty).facts() == facts


@every(
    ("named", "dice", "facts"),
    [
        ({"cooldown": 6}, "4", "cooldown=4, duration=none, ready=false, active=none"),
        ({"cooldown": 6, "rounds": 4}, "4", "cooldown=0, duration=none, ready=true, active=none"),
        ({"cooldown": 6, "rounds": 5}, "4", "cooldown=0, duration=none, ready=true, active=none"),
        ({"cooldown": 6, "duration": 4}, "4 2", "cooldown=4, duration=2, ready=false, active=true"),
        ({"cooldown": 6, "duration": 4, "rounds": 1}, "4 2", "cooldown=3, duration=1, ready=false, active=true"),
        ({"cooldown": 6, "duration": 4, "rounds": 2}, "4 2", "cooldown=2, duration=0, ready=false, active=false"),
        ({"cooldown": 4, "duration": 12, "rounds": 3}, "2 12", "cooldown=0, duration=9, ready=true, active=true"),
    ],
)
def test_timers(named, dice, facts):
    assert play("timer", dice=dice, **named).facts() == facts


@every(
    ("named", "dice", "facts"),
    [
        ({"stat": 4, "difficulty": 5}, ULFARMI, "fewest=1, pair=true"),
        ({"stat": 4, "difficulty": 10}, ULFARMI, "fewest=2, pair=true"),
        ({"stat": 4, "difficulty": 18}, ULFARMI, "fewest=5, pair=true"),
        ({"stat": 4, "difficulty": 19}, ULFARMI, "fewest=none, pair=true"),
        ({"stat": 4, "difficulty": 0}, "1 2 3 5 6", "fewest=1, pair=false"),
        ({"size": 1, "difficulty": 6}, "6", "fewest=1, pair=false"),
        ({"size": 7, "difficulty": 30}, "1 2 3 4 5 6 6", "fewest=none, pair=true"),
    ],
)
def test_fresh_pools(named, dice, facts):
    assert play("fresh-pool", dice=dice, **named).facts() == facts


# Text forms


@every(
    ("name", "ways"),
    [
        ("action-roll",
         [{"pool": "4 - 1 2", "exhausted": "2", "difficulty": "5", "spend": "4 1", "fight": "yes", "push": "no"},
          {"pool": " 4, -,1  2 ", "exhausted": 2, "difficulty": 5, "spend": [4, 1], "fight": True, "stat": "0"},
          {"pool": (4, None, 1, 2), "exhausted": (2,), "difficulty": "+5", "spend": "4,1", "fight": ""}]),
        ("action-roll",
         [{"pool": 4, "difficulty": 3}, {"pool": [4], "difficulty": 3, "spend": "none", "exhausted": ""}]),
        ("group-roll",
         [{"members": "Freya: stat 3, die 5; Bo:", "difficulty": 5},
          {"members": " Freya :die 5,stat 3 ;Bo: die none, stat 0;", "difficulty": 5},
          {"members": [Member("Freya", 3, 5), Member("Bo")], "difficulty": 5},
          {"members": [Member("Freya", 3, 5), "Bo:"], "difficulty": 5, "fight": "false"}]),
        ("timer", [{"cooldown": 6, "duration": "none", "dice": "3"}, {"cooldown": "6", "dice": [3]}]),
    ],
)  # fmt: skip
def test_equivalent_parameters(name, ways):
    first, *others = [play(name, **way) for way in ways]
    for other in others:
        assert other == first


# Errors, with their whole message

POOL = {"pool": ULFARMI, "difficulty": 5}


@every(
    ("name", "named", "message"),
    [
        ("action-roll", {"difficulty": 5}, "pool: a value is needed; write faces such as 4 3 1, or '-' for one"),
        ("action-roll", {"pool": "4"}, "difficulty: a value is needed; write a whole number, at least 0"),
        ("action-roll", {**POOL, "pool": ""}, "pool: there are no dice in it; write the face of each: 4 3 4 1 2"),
        ("rest", {"pool": "none"}, "pool: there are no dice in it; write the face of each: 4 3 4 1 2"),
        ("player-phase", {"pool": "4 7"}, "pool: die 2 is a d6 and cannot show 7; write a face from 1 to 6"),
        ("rest", {"pool": "4 0"}, "pool: '0' is not"),
        ("rest", {"pool": "4 -", "exhausted": "1"},
         "pool: die 2 shows '-' but is not exhausted; write its face, or name it in exhausted"),
        ("action-roll", {**POOL, "exhausted": "6"}, "exhausted: there is no die 6; the pool has 5, counted from 1"),
        ("player-phase", {"pool": "1", "reroll": "2"}, "reroll: there is no die 2; the pool has 1, counted from 1"),
        ("action-roll", {**POOL, "spend": "7"}, "spend: there is no die 7; the pool has 5, counted from 1"),
        ("action-roll", {**POOL, "spend": "0"}, "spend: '0' is not a whole number, at least 1; write positions in the"),
        ("action-roll", {**POOL, "exhausted": "2 2"}, "exhausted: die 2 is named twice; name each die once"),
        ("action-roll", {**POOL, "spend": "2 1 2"}, "spend: die 2 is named twice; name each die once"),
        ("player-phase", {"pool": "1", "reroll": "1 1"}, "reroll: die 1 is named twice; name each die once"),
        ("action-roll", {**POOL, "exhausted": "2 4", "spend": "4"},
         "spend: die 4 is exhausted; spend dice that are not: 1, 3 or 5"),
        ("action-roll", {**POOL, "exhausted": "1 2 3 4 5", "spend": "4"},
         "spend: every die is exhausted; leave it out, and push to reroll a die"),
        ("action-roll", {**POOL, "exhausted": "2 4", "push": True},
         "push: there are dice left; spend one instead: 1, 3 or 5"),
        ("action-roll", {**POOL, "difficulty": -1}, "difficulty: '-1' is not a whole number, at least 0"),
        ("group-roll", {"members": "Freya: stat 3, die 5", "difficulty": 5},
         "members: a group roll takes at least 2; one dungeoneer makes an action roll"),
        ("group-roll", {"members": "none", "difficulty": 5},
         "members: a group roll takes at least 2; one dungeoneer makes an action roll"),
        ("group-roll", {"members": "Freya: die 7; Bo: die 1", "difficulty": 5},
         "members: the die of 'Freya' cannot show 7; write a face from 1 to 6"),
        ("group-roll", {"members": "Freya: die 1; Bo: die 0", "difficulty": 5},
         "members: the die of 'Bo' cannot show 0; write a face from 1 to 6"),
        ("group-roll", {"members": "Freya: die 1, die 2; Bo: die 1", "difficulty": 5},
         "members: 'die' is written twice for 'Freya'; write 'name: stat …, die …', or several separated by semi"),
        ("group-roll", {"members": "Freya: die 1; Bo:; Freya: die 2", "difficulty": 5},
         "members: 'Freya' takes part twice; name each dungeoneer once"),
        ("fights", {"difficulties": "none", "spend": "fewest"}, "difficulties: there is no fight; write"),
        ("fights", {"difficulties": "8", "dice": "1 2 3 4 5"}, "spend: 'spend' is the player's choice: fewest, 1, "),
        ("timer", {"cooldown": 0}, "cooldown: '0' is not a whole number from 1 to 100"),
        ("timer", {"cooldown": 101}, "cooldown: '101' is not a whole number from 1 to 100"),
        ("timer", {"cooldown": 6, "duration": 0}, "duration: '0' is not a whole number from 1 to 100 or 'none'"),
        ("timer", {"cooldown": 6, "duration": 101}, "duration: '101' is not a whole number from 1 to 100"),
        ("timer", {"cooldown": 6, "rounds": -1}, "rounds: '-1' is not a whole number, at least 0"),
        ("timer", {}, "cooldown: a value is needed; write a whole number from 1 to 100"),
        ("fresh-pool", {"size": 0}, "size: '0' is not a whole number from 1 to 100"),
        ("fresh-pool", {"size": 101}, "size: '101' is not a whole number from 1 to 100"),
        ("fresh-pool", {"size": 999_999_999_999}, "size: '999999999999' is not a whole number from 1 to 100"),
        ("fresh-pool", {"dice": "1 2 3 4"}, "dice: die 5 is a d6, and 4 faces are given; give a face for each"),
        ("rest", {"pool": "1 2", "exhausted": "1", "dice": "7"}, "dice: die 1 is a d6 and cannot show 7"),
        ("action-roll", {**POOL, "dice": "4"}, "dice: 1 face is given, and 0 thrown"),
    ],
)  # fmt: skip
def test_errors(name, named, message):
    with pytest.raises(ParameterError) as caught:
        play(name, **named)
    assert str(caught.value).startswith(message)


@every(
    ("name", "named", "limit"),
    [
        ("action-roll", {"pool": "4 " * 1001, "difficulty": 5}, "ITEMS"),
        ("group-roll", {"members": "; ".join(f"M{n}:" for n in range(1001)), "difficulty": 5}, "ITEMS"),
        ("action-roll", {"pool": "4", "difficulty": "1" * 13}, "DIGITS"),
    ],
)
def test_limits(name, named, limit):
    with pytest.raises(LimitError) as caught:
        play(name, **named)
    assert caught.value.limit == limit


@pytest.mark.timeout(20)  # trying every subset of the pool never ends
@every("difficulty", [1, 500, 2000, 3001, 3250, 3499, 3500])
def test_the_dice_to_spend_from_the_largest_pool(difficulty):
    faces = [1 + index * 7919 % 6 for index in range(1000)]
    outcome = play("action-roll", pool=faces, difficulty=difficulty)
    falling = sorted(faces, reverse=True)
    fewest = next((n for n in range(1, 1001) if sum(falling[:n]) >= difficulty), None)
    assert outcome.total == (1 if difficulty > sum(faces) else difficulty)
    assert len(outcome.spent) == (1 if fewest is None else fewest)


# A second implementation, from the facts and decisions alone: it tries every subset


def degree_of(margin):
    if margin < -3:
        return 0
    return 1 if margin < 0 else 2 if margin < 3 else 3


NAMES = ["failure", "partial success", "success", "greater success"]


def judged(total, difficulty, faces, fight):
    critical = len(set(faces)) < len(faces)
    if fight:
        return None, total >= difficulty, critical
    degree = min(3, degree_of(total - difficulty) + critical)
    return NAMES[degree], degree >= 2, critical


def chosen(pool, free, stat, difficulty, fight):
    """Return the indexes of the dice that are spent when the player names none: the best subset by DD2."""

    def rank(indexes):
        total = stat + sum(pool[index] for index in indexes)
        # A success and a greater success count the same; a fight has no partial success.
        reached = min(2, degree_of(total - difficulty))
        if fight:
            reached = 2 * (total >= difficulty)
        return (-reached, len(indexes), total, indexes)

    subsets = [indexes for n in range(1, len(free) + 1) for indexes in itertools.combinations(free, n)]
    return min(subsets, key=rank)


def action(pool, exhausted, stat, difficulty, spend, fight, push, thrown):
    free = [index for index in range(len(pool)) if index + 1 not in exhausted]
    stress = 0
    if free:
        indexes = sorted(index - 1 for index in spend) or chosen(pool, free, stat, difficulty, fight)
        faces = [pool[index] for index in indexes]
    else:
        stress = 1 + push
        indexes = [0] if push else []
        faces = [next(thrown)] if push else []
    total = stat + sum(faces)
    after = sorted({*exhausted, *(index + 1 for index in indexes)})
    return (total, *judged(total, difficulty, faces, fight), tuple(p + 1 for p in indexes), tuple(after), stress)


def rerolled(pool, positions, thrown):
    return tuple(next(thrown) if position in positions else face for position, face in enumerate(pool, 1))


def timed(thrown, rounds):
    left, lasts = thrown if len(thrown) == 2 else (*thrown, None)
    for _ in range(rounds):
        left = max(0, left - 1)
        lasts = None if lasts is None else max(0, lasts - 1)
    return left, lasts, left == 0, None if lasts is None else lasts > 0


def fresh(faces, stat, difficulty):
    enough = [n for n in range(1, len(faces) + 1) for some in itertools.combinations(faces, n)
              if stat + sum(some) >= difficulty]  # fmt: skip
    return min(enough, default=None), any(a == b for a, b in itertools.combinations(faces, 2))


def grouped(members, difficulty, fight):
    raised = difficulty + len(members)
    faces = [die for _, _, die in members if die is not None]
    total = sum(faces) + sum(stat for _, stat, _ in members)
    return (total, raised, *judged(total, raised, faces, fight))


@functools.cache
def all_won(best: bool, faces: tuple[int, ...], difficulties: tuple[int, ...], stat: int) -> bool:
    """Whether all fights can be won with these faces, or are by the fewest dice, the smallest sum, and the first."""
    if not difficulties:
        return True
    places = range(len(faces))
    ways = [spent for n in range(1, len(faces) + 1) for spent in itertools.combinations(places, n)] or [()]
    sums = {spent: sum(faces[place] for place in spent) for spent in ways}
    ways = sorted([w for w in ways if sums[w] + stat >= difficulties[0]], key=lambda w: (len(w), sums[w], w))
    return any(
        all_won(best, tuple(faces[place] for place in places if place not in way), difficulties[1:], stat)
        for way in (ways if best else ways[:1])
    )


@functools.cache
def most_won(faces: tuple[int, ...], difficulties: tuple[int, ...], stat: int) -> int:
    """The most fights that can be won with these faces, some of which may be thrown away on one that is lost."""
    if not difficulties:
        return 0
    places = range(len(faces))
    ways = {spent for n in range(1, len(faces) + 1) for spent in itertools.combinations(places, n)} or {()}
    return max(
        (sum(faces[place] for place in way) + stat >= difficulties[0])
        + most_won(tuple(faces[place] for place in places if place not in way), difficulties[1:], stat)
        for way in ways
    )


def won_by_the_fewest(faces: tuple[int, ...], difficulties: tuple[int, ...], stat: int) -> int:
    """The fights that are won by the fewest dice each time, then the smallest sum; lost is the lowest die."""
    won, left = 0, list(faces)
    for difficulty in difficulties:
        ways = [spent for n in range(1, len(left) + 1) for spent in itertools.combinations(left, n)] or [()]
        enough = [way for way in ways if sum(way) + stat >= difficulty]
        for face in min(enough, key=lambda way: (len(way), sum(way))) if enough else sorted(left)[:1]:
            left.remove(face)
        won += bool(enough)
    return won


def some(draw, count):
    """Return some of the positions from 1 to count, in any order."""
    return draw.sample(range(1, count + 1), draw.randint(0, count))


def compare_random_play(draw):
    """Return the facts of a random play, those of the second implementation, and the play."""
    which = draw.choice(["player-phase", "action-roll", "action-roll", "group-roll", "rest", "timer", "fresh-pool"])
    size = draw.randint(1, 7)
    pool = [draw.randint(1, 6) for _ in range(size)]
    exhausted = draw.choice([[], some(draw, size), list(range(1, size + 1))])
    thrown = [draw.randint(1, 6) for _ in range(size)]
    named = {"pool": [None if n in exhausted and draw.random() < 0.5 else f for n, f in enumerate(pool, 1)],
             "exhausted": exhausted}  # fmt: skip
    stat, difficulty, fight = draw.randint(-2, 6), draw.randint(0, 24), draw.random() < 0.3
    if which == "action-roll":
        free = [position for position in range(1, size + 1) if position not in exhausted]
        spend = draw.sample(free, draw.randint(0, len(free)))
        push = not free and draw.random() < 0.5
        named |= {"stat": stat, "difficulty": difficulty, "fight": fight, "spend": spend, "push": push}
        thrown = thrown[: int(push)]
        other = action(pool, exhausted, stat, difficulty, spend, fight, push, iter(thrown))
    elif which == "group-roll":
        members = [(f"M{n}", draw.randint(-1, 5), draw.choice([None, *range(1, 7)])) for n in range(draw.randint(2, 5))]
        texts = [f"{n}: stat {s}" + ("" if d is None else f", die {d}") for n, s, d in members]
        named, thrown = {"members": "; ".join(texts), "difficulty": difficulty, "fight": fight}, []
        other = grouped(members, difficulty, fight)
    elif which == "timer":
        named = {"cooldown": 6, "duration": draw.choice([None, 6]), "rounds": draw.randint(0, 8)}
        thrown = [draw.randint(1, 6) for _ in range(2 if named["duration"] else 1)]
        other = timed(thrown, named["rounds"])
    elif which == "fresh-pool":
        named = {"size": size, "stat": stat, "difficulty": difficulty}
        other = fresh(thrown, stat, difficulty)
    else:
        positions = set(exhausted)
        if which == "player-phase":
            named["reroll"] = some(draw, size)
            positions |= set(named["reroll"])
        thrown = thrown[: len(positions)]
        other = (rerolled(pool, positions, iter(thrown)),)
    outcome = play(which, dice=thrown, **named)
    return {name: outcome.fact(name) for name in outcome.facts_of}, other, (which, named, thrown)


@every(("spend", "percent"), [("open", "48.4%"), ("fewest", "45.2%")])
def test_three_fights_as_well_as_they_can_be_spent(spend, percent):
    pools = list(itertools.product(range(1, 7), repeat=5))
    won = sum(all_won(spend == "open", tuple(sorted(pool)), (8, 10, 6), 2) for pool in pools)
    fights = mechanic("dungeoneers/fights")(stat=2, difficulties=(8, 10, 6), spend=spend)
    assert dd.odds(fights, "all_won", best="p(all_won)").p("true") == Fraction(won, 6**5)
    assert f"{won / 6**5:.1%}" == percent


@pytest.mark.thorough
@every(("spend", "won", "value"), [("open", most_won, 2.4507), ("fewest", won_by_the_fewest, 2.4173)])
def test_as_many_of_three_fights_as_can_be_won(spend, won, value):
    pools = list(itertools.product(range(1, 7), repeat=5))
    total = sum(won(tuple(sorted(pool)), (8, 10, 6), 2) for pool in pools)
    fights = mechanic("dungeoneers/fights")(stat=2, difficulties=(8, 10, 6), spend=spend)
    assert dd.odds(fights, "won", best="mean(won)").mean == Fraction(total, 6**5)
    assert round(total / 6**5, 4) == value


def test_the_second_implementation_agrees():
    draw = random.Random(4)
    for _ in range(8000):
        ours, other, how = compare_random_play(draw)
        assert tuple(ours.values()) == other, how


# Properties


LEGAL = st.integers(1, 6).flatmap(
    lambda size: st.tuples(
        st.lists(st.integers(1, 6), min_size=size, max_size=size), st.lists(st.integers(1, size), unique=True)
    )
)
"""A pool, and the positions of its exhausted dice."""
MEMBERS = st.lists(
    st.builds(Member, st.text("Fé<&'", min_size=1, max_size=4), st.integers(-2, 6), st.none() | st.integers(1, 6)),
    max_size=5,
    unique_by=lambda member: member.name,
)


def drawn(rule: type[Mechanic]):
    """Return a strategy for parameters, about half of them legal."""
    fields = rule.parameters()
    anything = parameters(rule, **({"members": MEMBERS} if "members" in fields else {}))
    if "pool" not in fields:
        return anything
    pooled = st.builds(lambda named, pool: {**named, "pool": pool[0], "exhausted": pool[1]}, anything, LEGAL)
    return anything | pooled | pooled.map(lambda named: {k: v for k, v in named.items() if k not in {"spend", "push"}})


@pytest.mark.parametrize("id", [id for id in dd.mechanics() if id.startswith("dungeoneers/")])
@settings(max_examples=many(50), deadline=None, derandomize=True, database=None)
@given(data=st.data(), seed=SEEDS)
def test_every_play_is_sound(id, data, seed):
    rule = mechanic(id)
    assert_sound(rule, data.draw(drawn(rule)), seed)
