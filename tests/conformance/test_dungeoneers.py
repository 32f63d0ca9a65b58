"""Dungeoneers, fact by fact: a pool and what it is spent on. See ``dungeoneers.md``."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from functools import partial

import dicedocs as dd
from dicedocs import ParameterError

from ..every import every
from .facts import Game, Raises, Row, StepValues, play, row

GAME = Game(
    "dungeoneers",
    not_shown_by_code={
        "D1": "says when most dice are thrown, not what they give",
        "D16": "says where the stat of a roll comes from; the rule is given its number",
        "D26": "says which of several outcomes a group takes, after the roll",
        "D27": "is an example of D26",
    },
)

phase = partial(play, "dungeoneers/player-phase")
action = partial(play, "dungeoneers/action-roll")
group = partial(play, "dungeoneers/group-roll")
rest = partial(play, "dungeoneers/rest")
timer = partial(play, "dungeoneers/timer")
fresh = partial(play, "dungeoneers/fresh-pool")

ULFARMI = "4 3 4 1 2"
ARCANA = 4
FREYA = {"pool": "- - - 4 2", "exhausted": "1 2 3"}
GONE = {"pool": "- - -", "exhausted": "1 2 3"}


def raises(parameter: str, *parts: str) -> Raises:
    return Raises(ParameterError, *parts, parameter=parameter)


# The pool


@GAME.group(
    *(row("D2", phase(pool="-", exhausted="1", dice=[face]), f"pool={face}") for face in range(1, 7)),
    row("D2", phase(pool="-", exhausted="1", dice=[7]), raises("dice", "die 1 is a d6", "1 to 6")),
    row("D2", phase(pool="7"), raises("pool", "die 1 is a d6", "1 to 6")),
    row("D2", fresh(size=1, dice=[7]), raises("dice", "die 1 is a d6")),
    row("D3", fresh(dice=[1, 2, 3, 5, 6]), "dice=1 2 3 5 6"),
    row("D3", fresh(dice=[1, 2, 3, 5]), raises("dice", "die 5")),
    row("D4", fresh(size=7, dice=[1, 2, 3, 4, 5, 6, 6]), "dice=1 2 3 4 5 6 6"),
    row("D4", action(pool="1 1 1 1 1 6", difficulty=6), "spent=6"),
    row("D4", phase(pool="- - - - - - -", exhausted="1 7 2 6 3 5 4", dice=[1, 2, 3, 4, 5, 6, 1]), "pool=1 2 3 4 5 6 1"),
    row("D5", action(pool="4 3", difficulty=3), "total=3, spent=2, dice=none"),
    row("D5", action(pool="4 3", difficulty=3, dice=[6]), raises("dice", "0 thrown")),
)
def test_the_pool(row: Row):
    assert row.actual() == row.expected


# The player phase


@GAME.group(
    row("D6 D8 D9 DD4", phase(**FREYA, dice=[6, 3, 1]), "pool=6 3 1 4 2, dice=6 3 1"),
    row("D6 D9", phase(**FREYA, dice=[6, 3]), raises("dice", "die 3")),
    row("D6", phase(pool="6 6", exhausted="1 2", dice=[1, 1]), "pool=1 1"),
    row("D7 D9", phase(**FREYA, reroll="4", dice=[6, 3, 1, 5]), "pool=6 3 1 5 2"),
    row("D7 D9 DD4", phase(**FREYA, reroll="5", dice=[6, 3, 1, 5]), "pool=6 3 1 4 5"),
    row("D7 D9", phase(**FREYA, reroll="5 4", dice=[6, 3, 1, 5, 6]), "pool=6 3 1 5 6"),
    row("D7", phase(pool="1 2 3", reroll="2", dice=[6]), "pool=1 6 3"),
    row("D7 DD4", phase(**FREYA, reroll="1 4", dice=[6, 3, 1, 5]), "pool=6 3 1 5 2"),
    row("D7", phase(pool="1 2 3", reroll="4", dice=[6]), raises("reroll", "no die 4")),
    row("D8", phase(pool="1 2 3"), "pool=1 2 3, dice=none"),
    row("D8 DD4", phase(pool="1 2 3", exhausted="2", reroll="1", dice=[6, 5]), "pool=6 5 3"),
)
def test_the_player_phase(row: Row):
    assert row.actual() == row.expected


# Action rolls


@GAME.group(
    row("D10", action(pool=ULFARMI), raises("difficulty", "a value is needed")),
    row("D10 D11", action(pool=ULFARMI, stat=3, difficulty=9, spend="1 2"), "total=10, success=true"),
    row("D11", action(pool=ULFARMI, stat=3, difficulty=11, spend="1 2"), "total=10, success=false"),
    row("D11", action(pool=ULFARMI, stat=3, difficulty=11, spend="1 2", fight=True), "total=10, success=false"),
    row("D12", action(pool=ULFARMI, stat=3, difficulty=10, spend="1 2"), "total=10, success=true, degree=success"),
    row("D12", action(pool=ULFARMI, stat=3, difficulty=10, spend="1 2", fight=True), "total=10, success=true"),
    row("D13", action(pool=ULFARMI, stat=ARCANA, difficulty=5, spend="1"), "total=8, spent=1"),
    row("D13", action(pool=ULFARMI, stat=ARCANA, difficulty=5, spend="5"), "total=6, spent=5"),
    row("D13", action(pool=ULFARMI, stat=ARCANA, difficulty=5, spend="6"), raises("spend", "no die 6")),
    row("D14", action(pool=ULFARMI, difficulty=5, spend="1 2 3 4 5"), "total=14, spent=1 2 3 4 5"),
    row("D15 DD2", action(pool=ULFARMI, stat=ARCANA, difficulty=5, fight=True), "spent=4, total=5, success=true"),
    row("D15", action(pool=ULFARMI, stat=ARCANA, difficulty=5, fight=True, spend="4"), "total=5, success=true"),
    row("D17", action(pool=ULFARMI, exhausted="5 2", difficulty=4), "spent=1, exhausted=1 2 5"),
    row("D17", action(pool=ULFARMI, difficulty=4, spend="3 1"), "exhausted=1 3"),
    row("D17", action(pool=ULFARMI, exhausted="4", stat=ARCANA, difficulty=5), "spent=5, exhausted=4 5"),
    row("D17", action(pool=ULFARMI, exhausted="4", difficulty=5, spend="4"), raises("spend", "die 4 is exhausted")),
    row("D17", action(pool=ULFARMI, exhausted="4", difficulty=5, spend="1 4"), raises("spend", "1, 2, 3 or 5")),
)
def test_action_rolls(row: Row):
    assert row.actual() == row.expected


# When nobody says which dice are spent. The pool is 4 3 4 1 2.


def chosen(difficulty: int, expected: str, pool: str = ULFARMI, **named: object) -> Row:
    return row("DD2", action(pool=pool, difficulty=difficulty, **named), expected)


@GAME.group(
    # At least one die, also where the stat is enough by itself.
    chosen(5, "spent=4, total=10", stat=9),
    chosen(0, "spent=4, total=1"),
    chosen(5, "spent=4, total=10, success=true", stat=9, fight=True),
    # The fewest that succeed: one 4 before 3 and 1.
    chosen(4, "spent=1, total=4"),
    chosen(5, "spent=1 4, total=5"),
    chosen(9, "spent=1 2 5, total=9"),
    chosen(14, "spent=1 2 3 4 5, total=14"),
    # Then the smallest sum: 3 before 4, 4 and 2 before 4 and 3.
    chosen(3, "spent=2, total=3"),
    chosen(6, "spent=1 5, total=6"),
    chosen(3, "spent=2, total=3", pool="6 3 4"),
    # Then the first positions, whatever their faces: 1 and 6 before 5 and 2, or the other way round.
    chosen(4, "spent=2", pool="3 4 4"),
    chosen(7, "spent=1 2, total=7", pool="1 6 5 2 5"),
    chosen(7, "spent=1 4, total=7", pool="5 1 1 2 6"),
    chosen(9, "spent=1 2 5", pool="4 4 3 2 1"),
    chosen(9, "spent=1 2 3", pool="1 4 4 3 2"),
    # Success is enough, and no critical is looked for: 6 alone and not two 3s, 3 and 6 and not two 5s.
    chosen(6, "spent=3, critical=false", pool="3 3 6"),
    chosen(3, "spent=1, degree=success, critical=false", pool="3 3 6"),
    chosen(9, "spent=2 3, degree=success, critical=false", pool="5 3 6 5"),
    # None succeed: the fewest that give a partial success, then the smallest sum.
    chosen(17, "spent=1 2 3 4 5, total=14"),
    chosen(16, "spent=1 2 3 5, total=13"),
    chosen(15, "spent=1 2 3 4, total=12"),
    chosen(9, "spent=1, total=6, degree=partial success", pool="6 1 1"),
    chosen(9, "spent=1 2, total=6, degree=partial success", pool="4 2 2"),
    chosen(9, "spent=1 3, total=6, degree=success, critical=true", pool="3 2 3"),
    # Not even that: the lowest die, and the first of those.
    chosen(18, "spent=4, total=1, degree=failure"),
    chosen(30, "spent=2, total=2", pool="3 2 2"),
    chosen(30, "spent=3, total=2", pool="3 2 2", exhausted="2"),
    # A fight knows no partial success: what cannot succeed spends the lowest die.
    chosen(15, "spent=4, total=1, success=false", fight=True),
    chosen(9, "spent=2, total=1, success=false", pool="6 1 1", fight=True),
    # A success is one from the degree success up, after a critical has raised it.
    chosen(6, "degree=partial success, success=false", spend="1"),
    chosen(7, "degree=success, success=true", spend="1 2"),
    chosen(7, "degree=greater success, success=true", spend="1 2 3"),
    chosen(9, "degree=success, success=true, critical=true", spend="1 3"),
    chosen(12, "degree=partial success, success=false, critical=true", spend="1 3"),
)
def test_which_dice_are_spent(row: Row):
    assert row.actual() == row.expected


# Degrees


def reaching(total: int, difficulty: int = 10) -> dict[str, object]:
    """Return the parameters of an action roll with a total."""
    return {"pool": "1", "stat": total - 1, "difficulty": difficulty}


DEGREES = [
    *(("D34", total, "failure", "false") for total in range(1, 7)),
    *(("D35", total, "partial success", "false") for total in range(7, 10)),
    *(("D36", total, "success", "true") for total in range(10, 13)),
    *(("D37", total, "greater success", "true") for total in (13, 14, 20)),
]
"""The example of the game's text, at difficulty 10."""


@GAME.group(
    *(
        row(f"{id} D28 DD1", action(**reaching(total)), f"degree={degree}, success={success}")
        for id, total, degree, success in DEGREES
    ),
    row("D31 DD1", action(**reaching(1, 5)), "degree=failure"),
    row("D31 DD1", action(**reaching(2, 5)), "degree=partial success"),
    row("D31", action(**reaching(4, 5)), "degree=partial success"),
    row("D31", action(**reaching(5, 5)), "degree=success"),
    row("D31", action(**reaching(7, 5)), "degree=success"),
    row("D31 DD1", action(**reaching(8, 5)), "degree=greater success"),
    # The prose says 2 for both; that much of it holds, and 3 below is a partial success as well.
    row("D32", action(**reaching(8)), "degree=partial success"),
    row("D32 DD1", action(**reaching(7)), "degree=partial success"),
    # 2 above would be a greater success by the prose, which the numbers overrule.
    row("D33 DD1", action(**reaching(12)), "degree=success"),
    row("D33", action(**reaching(13)), "degree=greater success"),
    row("D29 DD3", action(**reaching(13), fight=True), "degree=none, success=true, critical=false"),
    row("D29 DD3", action(**reaching(9), fight=True), "degree=none, success=false, critical=false"),
    row("D29", action(**reaching(10), fight=True), "degree=none, success=true"),
)
def test_degrees(row: Row):
    assert row.actual() == row.expected


# Criticals


@GAME.group(
    row("D38 D40 DD3", action(pool=ULFARMI, stat=2, difficulty=10, spend="1 3"),
        "critical=true, degree=greater success, total=10"),
    row("D38", action(pool=ULFARMI, stat=3, difficulty=10, spend="1 2"), "critical=false, degree=success"),
    row("D38 DD3", action(pool=ULFARMI, stat=3, difficulty=10, spend="1 4"), "critical=false"),
    row("D38", action(pool="4 3 4", difficulty=11, spend="1 2 3"), "critical=true, degree=greater success"),
    row("D39", action(pool="4 4", difficulty=4, spend="1"), "critical=false, degree=success"),
    row("D39", action(**GONE | {"pool": "6 6 6"}, push=True, difficulty=6, dice=[6]), "critical=false, degree=success"),
    row("D39", group(members="Freya: die 4; Ulfarmi: stat 4", difficulty=6), "critical=false, degree=success"),
    row("D40 DD3", action(pool="1 1", difficulty=6, spend="1 2"), "critical=true, total=2, degree=partial success"),
    row("D40", action(pool="1 1", difficulty=5, spend="1 2"), "critical=true, total=2, degree=success"),
    # Three alike, and two pairs, raise it by one all the same.
    row("DD3", action(pool="1 1 1", difficulty=7, spend="1 2 3"), "critical=true, total=3, degree=partial success"),
    row("DD3", action(pool="1 1 2 2", difficulty=10, spend="1 2 3 4"), "critical=true, degree=partial success"),
    row("DD3", action(pool="4 4", difficulty=5, spend="1 2"), "critical=true, total=8, degree=greater success"),
    # In a fight it is only flagged.
    row("DD3", action(pool="4 4", difficulty=9, spend="1 2", fight=True), "degree=none, success=false, critical=true"),
    row("DD3", action(pool="4 4", difficulty=8, spend="1 2", fight=True), "degree=none, success=true, critical=true"),
    # In a group the dice of all count together.
    row("DD3", group(members="Freya: stat 2, die 4; Ulfarmi: die 4", difficulty=8),
        "total=10, critical=true, degree=greater success"),
    row("DD3", group(members="Freya: stat 4, die 2; Ulfarmi: die 4", difficulty=8),
        "total=10, critical=false, degree=success"),
    row("DD3", group(members="Freya: stat 2, die 4; Ulfarmi: die 4", difficulty=9, fight=True),
        "degree=none, success=false, critical=true"),
)  # fmt: skip
def test_criticals(row: Row):
    assert row.actual() == row.expected


# Resting, and running out


@GAME.group(
    row("D18 DD4", rest(pool="4 - 4 1 2", exhausted="2 4", dice=[6, 5]), "pool=4 6 4 5 2, dice=6 5"),
    row("D18", rest(pool="6 6", exhausted="1 2", dice=[1, 2]), "pool=1 2"),
    row("D18 DD4", rest(pool="4 3", dice=""), "pool=4 3, dice=none"),
    row("D18", rest(pool="4 3", exhausted="3"), raises("exhausted", "no die 3")),
    row("DD4", rest(pool="4 3", reroll="1"), Raises(ParameterError, "there is no parameter 'reroll'")),
    row("D19 DD5", action(**GONE, stat=3, difficulty=5), "stress=1, total=3, spent=none, degree=partial success"),
    row("D19 DD5", action(**GONE, stat=5, difficulty=5, fight=True), "stress=1, total=5, spent=none, success=true"),
    row("D19", action(pool="1", difficulty=5), "stress=0, exhausted=1"),
    row("D19", action(pool="- - 1", exhausted="1 2", difficulty=5), "stress=0, exhausted=1 2 3"),
    row("D20 DD5", action(**GONE, stat=3, difficulty=5, push=True, dice=[4]),
        "stress=2, total=7, spent=1, exhausted=1 2 3, degree=success"),
    row("D20", action(**GONE, stat=3, difficulty=5, push=True, dice=[4, 4]), raises("dice", "1 thrown")),
    row("D20", action(**GONE, stat=3, difficulty=5, fight=True, push=True, dice=[1]), "stress=2, total=4, spent=1"),
    row("DD5", action(pool="- - 1", exhausted="1 2", difficulty=5, push=True), raises("push", "dice left", "3")),
    row("DD5", action(**GONE, difficulty=5, spend="1"), raises("spend", "every die is exhausted", "push")),
    row("DD5", action(pool="- 5 -", exhausted="3 1", difficulty=5), "spent=2, exhausted=1 2 3"),
    row("DD5", action(pool="6 5 6", exhausted="1 3", difficulty=6), "spent=2, total=5, exhausted=1 2 3"),
    row("DD5", action(pool="- 5 -", exhausted="1", difficulty=5), raises("pool", "die 3 shows '-'", "exhausted")),
    row("DD5", phase(pool="-"), raises("pool", "die 1 shows '-'", "exhausted")),
    row("DD5", rest(pool="4 -", exhausted="1", dice=[1]), raises("pool", "die 2 shows '-'", "exhausted")),
)  # fmt: skip
def test_resting_and_running_out(row: Row):
    assert row.actual() == row.expected


# Group rolls


@GAME.group(
    row("D21 D22 D23", group(members="Freya: stat 3, die 5; Ulfarmi: stat 4, die 1", difficulty=10, fight=True),
        "total=13, difficulty=12, degree=none, success=true"),
    row("D22 D23", group(members="Freya: stat 3, die 5; Ulfarmi: stat 4, die 1; Bo: stat 1, die 3", difficulty=10),
        "total=17, difficulty=13, degree=greater success"),
    row("D21", group(members="Freya: stat 3, die 5", difficulty=10), raises("members", "at least 2")),
    row("D23 DD6", group(members="Freya:; Ulfarmi:", difficulty=10), "difficulty=12"),
    row("D23 DD6", group(members="A:; B:; C:; D:; E:", difficulty=0), "difficulty=5"),
    row("D24", group(members="Freya: stat 3; Ulfarmi: stat 4", difficulty=5), "total=7, success=true"),
    row("D24 D25 DD6", group(members="Freya: stat 3; Ulfarmi: die 6", difficulty=5), "total=9"),
    row("D25", group(members="Freya: die 5; Ulfarmi: die 1", difficulty=5), "total=6"),
    row("D25 DD6", group(members="Freya: die 5, die 2; Ulfarmi: die 1", difficulty=5),
        raises("members", "written twice")),
    row("D25 DD6", group(members="Freya: die 5; Freya: die 2", difficulty=5), raises("members", "takes part twice")),
    row("D25", group(members="Freya: die 7; Ulfarmi: die 2", difficulty=5), raises("members", "1 to 6")),
    row("DD6", group(members="none", difficulty=5), raises("members", "at least 2")),
    row("DD6", group(members="Freya: die 5", difficulty=5), raises("members", "at least 2")),
)  # fmt: skip
def test_group_rolls(row: Row):
    assert row.actual() == row.expected


# Cooldowns and durations


@GAME.group(
    row("D41 D45 DD7", timer(cooldown=6, dice=[3]), "cooldown=3, ready=false"),
    row("D41 D45 DD7", timer(cooldown=6, rounds=2, dice=[3]), "cooldown=1, ready=false"),
    row("D41 D45 D46", timer(cooldown=6, rounds=3, dice=[3]), "cooldown=0, ready=true"),
    row("D46 DD7", timer(cooldown=6, rounds=4, dice=[3]), "cooldown=0, ready=true"),
    row("D42 DD7", timer(cooldown=6, dice=[3]), "duration=none, active=none"),
    row("D42", timer(cooldown=6, rounds=9, dice=[3]), "duration=none, active=none"),
    row("D42 D44", timer(cooldown=6, duration=4, dice=[3, 2]), "cooldown=3, duration=2, active=true"),
    *(row("D43", timer(cooldown=size, dice=[size]), f"cooldown={size}") for size in (4, 6, 8, 10, 12, 20)),
    *(row("D43", timer(cooldown=6, duration=size, dice=[1, size]), f"duration={size}") for size in (4, 20)),
    row("D43", timer(cooldown=6, dice=[7]), raises("dice", "die 1 is a d6")),
    row("D43", timer(cooldown=6, duration=4, dice=[6, 5]), raises("dice", "die 2 is a d4")),
    row("D43", timer(cooldown=0), raises("cooldown", "from 1 to 100")),
    row("D44", timer(cooldown=6, duration=4, dice=[3]), raises("dice", "die 2 is a d4")),
    row("D44 DD7", timer(cooldown=4, duration=12, dice=[1, 12]), "cooldown=1, duration=12, dice=1 12"),
    row("D45", timer(cooldown=6, duration=4, rounds=1, dice=[3, 2]), "cooldown=2, duration=1, active=true"),
    row("D47 DD7", timer(cooldown=6, duration=4, rounds=2, dice=[3, 2]), "cooldown=1, duration=0, active=false"),
    row("D47 DD7", timer(cooldown=6, duration=4, rounds=7, dice=[3, 2]), "cooldown=0, duration=0, active=false"),
    row("DD7", timer(cooldown=6, rounds=4, dice=[3]), StepValues({"Cooldown": -1, "Never below 0": 0})),
)
def test_cooldowns_and_durations(row: Row):
    assert row.actual() == row.expected


# A pool that is thrown anew: what the odds are asked of


@GAME.group(
    row("DD2", fresh(stat=9, difficulty=5, dice=[1, 2, 3, 5, 6]), "fewest=1, pair=false"),
    row("D12 DD2", fresh(stat=1, difficulty=12, dice=[1, 2, 3, 5, 6]), "fewest=2"),
    row("D11", fresh(stat=1, difficulty=13, dice=[1, 2, 3, 5, 6]), "fewest=3"),
    row("D11", fresh(stat=1, difficulty=19, dice=[1, 2, 3, 5, 6]), "fewest=none"),
    row("D38", fresh(dice=[1, 2, 3, 5, 2]), "pair=true"),
    row("D39", fresh(size=1, dice=[6]), "pair=false"),
)
def test_fresh_pools(row: Row):
    assert row.actual() == row.expected


@GAME.shows("D3 D38 D39")
@every("size", range(1, 9))
def test_the_odds_of_a_pair(size):
    all_differ = Fraction(math.perm(6, size), 6**size)
    assert dd.odds("dungeoneers/fresh-pool", "pair", size=size).p("true") == 1 - all_differ


@GAME.shows("D11 D12 D14 DD2")
@every("difficulty", [8, 10, 12, 14, 16, 34, 35])
def test_the_odds_of_the_fewest_dice_of_a_fresh_pool(difficulty):
    counts: Counter[int | None] = Counter()
    for faces in itertools.product(range(1, 7), repeat=5):
        totals = [4 + sum(sorted(faces)[-count:]) for count in range(1, 6)]
        counts[next((count for count, total in enumerate(totals, 1) if total >= difficulty), None)] += 1
    odds = dd.odds("dungeoneers/fresh-pool", "fewest", stat=4, difficulty=difficulty)
    assert odds == dd.Distribution(counts)


# What only the page says


@GAME.shows("D30 D31")
@every(
    "line",
    ["Failure: ", "Partial success (-3): ", "Success (0): ", "Greater success (3): "],
)
def test_the_page_shows_how_the_degrees_of_a_roll_are_listed(line):
    assert GAME.page_says(f"- {line}")
