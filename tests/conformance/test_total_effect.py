"""Total//Effect, fact by fact. See ``total-effect.md``."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Final, NamedTuple

import dicedocs as dd
from dicedocs import Outcome, ParameterError, ScriptedDice
from dicedocs.systems.total_effect import Roll

from ..every import every
from .facts import Call, Game, Raises, Row, StepValues, play, row

TABLE: Final = "says what happens at the table, not what a roll gives"
GAME = Game(
    "total-effect",
    not_shown_by_code={
        "T12": TABLE,
        "T14": TABLE,
        "T16": TABLE,
        "T75": "advice to whoever writes a game",
        "T76": "says who chooses the die, and for what; T77 is shown with each of the three",
    },
)


def total(dice: str, **chosen: Any) -> Call:
    return play("total-effect/roll", dice=dice, **chosen)


def raises(parameter: str, *parts: str) -> Raises:
    return Raises(ParameterError, *parts, parameter=parameter)


PIN_DOWN: Final = {"effect": "low", "threshold": 13}


# The roll


@GAME.group(
    row("T1", total("4 1 6"), "dice=4 1 6, dropped=none"),
    row("T1", total("4 1"), raises("dice", "die 3 is a d6")),
    row("T1", total("4 1 6 2"), raises("dice", "3 thrown")),
    row("T1", total("4 1 7"), raises("dice", "cannot show 7")),
    row("T1", total("0 1 6"), raises("dice", "cannot show 0")),
    row("T2 T7", total("4 1 6"), "total=11"),
    row("T2", total("1 1 1"), "total=3"),
    row("T2", total("6 6 6"), "total=18"),
    row("T3 T4 T5 T7", total("4 1 6"), "low=1, mid=4, high=6"),
    row("T3 T4 T5", total("6 4 1"), "low=1, mid=4, high=6"),
    row("T3 T4 T5", total("5 5 2"), "low=2, mid=5, high=5"),
    row("T6", total("4 1 6", effect="low"), "effect=1"),
    row("T6", total("4 1 6", effect="mid"), "effect=4"),
    row("T6", total("4 1 6", effect="high"), "effect=6"),
    row("T6", total("4 1 6"), "effect=none"),
    row("T8", total("4 1 6", effect="high", threshold=11), "total=11, triggered=true, effect=6"),
    row("T8", total("6 6 1", effect="low", threshold=11), "total=13, triggered=true, effect=1"),
    row("T9 T10 T11", total("5 2 6", **PIN_DOWN), "total=13, triggered=true, effect=2"),
    row("T9", total("5 2 5", **PIN_DOWN), "total=12, triggered=false, effect=2"),
    row("T11 DT7", total("5 2 6", threshold=13), "triggered=true"),
    row("DT7", total("5 2 6", threshold=14), "triggered=false"),
    row("T13", total("5 2 6"), "triggered=none"),
    row("T13", total("5 2 6", threshold=9), "triggered=true"),
    row("T13", total("5 2 6", threshold=18), "triggered=false"),
)
def test_the_roll(row: Row):
    assert row.actual() == row.expected


# Advantage and Disadvantage


@GAME.group(
    row("T15", total("3 6 2 5", advantage=1), "total=14, dropped=2, dice=3 6 2 5"),
    row("T17", total("3 6 2 5", disadvantage=1), "total=10, dropped=6, dice=3 6 2 5"),
    row("T18 T20", total("3 6 2 5 4", advantage=2), "total=15, dropped=3 2"),
    row("T18 T20", total("3 6 2 5 4", disadvantage=2), "total=9, dropped=6 5"),
    row("T18 T19", total("3 6 2 5 4 1", advantage=3), "total=15, dropped=3 2 1"),
    row("T18 T19", total("3 6 2 5 4 1", disadvantage=3), "total=6, dropped=6 5 4"),
    row("T18 DT1", total("3 6 2 5 4 1", advantage=4), "total=15, dropped=3 2 1"),
    row("T18 DT1", total("3 6 2 5 4 1", disadvantage=9), "total=6, dropped=6 5 4"),
    row("T20", total("3 6 2 5", advantage=2), raises("dice", "die 5 is a d6")),
    row("T21 T22", total("3 6 2 5", advantage=2, disadvantage=1), "total=14, dropped=2"),
    row("T21", total("3 6 2 5", advantage=1, disadvantage=2), "total=10, dropped=6"),
    row("T21 T23", total("3 6 2", advantage=1, disadvantage=1), "total=11, dropped=none"),
    row("T23", total("3 6 2", advantage=3, disadvantage=3), "total=11, dropped=none"),
    row("DT1", total("3 6 2 5 4 1", advantage=5, disadvantage=2), "total=15, dropped=3 2 1"),
    row("DT1", total("3 6 2 5 4 1", advantage=2, disadvantage=5), "total=6, dropped=6 5 4"),
    row("DT1", total("3 6 2 5 4", advantage=5, disadvantage=3), "total=15, dropped=3 2"),
    row("T24 DT2", total("3 6 2 5", advantage=1), "low=3, mid=5, high=6"),
    row("T24 DT2", total("3 6 2 5", disadvantage=1), "low=2, mid=3, high=5"),
    row("DT2", total("1 6 1 1 6 6", advantage=3, effect="low"), "effect=6"),
    row("DT2", total("1 6 1 1 6 6", disadvantage=3, effect="high"), "effect=1"),
    row("T25", total("6 6 6 6 6 6", advantage=3), "total=18"),
    row("T25 T26", total("6 6 6 6 6 6", advantage=3, escalation=2), "total=20"),
    row("T25", total("1 1 1 1 1 1", disadvantage=3), "total=3"),
    row("T26 DT3", total("4 1 6", escalation=2, effect="high"), "total=13, low=1, mid=4, high=6, effect=6"),
    row("DT3", total("4 1 6", escalation=-2, effect="low"), "total=9, low=1, effect=1"),
    row("DT3", total("4 1 6", escalation=-15), "total=-4"),
    row("DT3", total("4 1 6", escalation=2, threshold=13), "triggered=true"),
    row("DT3", total("5 2 6", escalation=-1, threshold=13), "triggered=false"),
)
def test_advantage_and_disadvantage(row: Row):
    assert row.actual() == row.expected


@GAME.shows("T26 DT3")
def test_escalation_alone_changes_the_total():
    everything: dict[str, Any] = {
        "effect": "mid",
        "invert": True,
        "halve": True,
        "step_up": 3,
        "step_down": 1,
        "compare": "under 3",
    }
    assert Roll(**everything, threshold=4).play(ScriptedDice("4 1 6")).total == 11
    assert [name for name in Roll.parameters() if name not in everything] == [
        "advantage",
        "disadvantage",
        "escalation",
        "threshold",
    ]


# Steps

LADDER = ("low", "mid", "high")


@GAME.group(
    row("T27", total("4 1 6", effect="low", step_up=1), "effect=4"),
    row("T27 T29", total("4 1 6", effect="mid", step_up=1), "effect=6"),
    row("T27", total("4 1 6", effect="low", step_up=2), "effect=6"),
    row("T28", total("4 1 6", effect="high", step_up=1), "effect=7"),
    row("T28", total("4 1 6", effect="high", step_up=5), "effect=11"),
    row("T28 T29", total("4 1 6", effect="mid", step_up=2), "effect=7"),
    row("T29", total("4 1 6", effect="mid"), "effect=4"),
    row("T30", total("4 1 6", effect="high", step_down=1), "effect=4"),
    row("T30 T33", total("4 1 6", effect="mid", step_down=1), "effect=1"),
    row("T30", total("4 1 6", effect="high", step_down=2), "effect=1"),
    row("T31 T33", total("4 1 6", effect="mid", step_down=2), "effect=0"),
    row("T31", total("4 5 6", effect="low", step_down=3), "effect=1"),
    row("T32 DT4", total("4 1 6", effect="mid", step_down=3), "effect=0"),
    row("T32 DT4", total("4 5 6", effect="low", step_down=9), "effect=0"),
    row("T34", total("4 1 6", effect=3, step_up=1), "effect=4"),
    row("T34", total("4 1 6", effect=3, step_up=4), "effect=7"),
    row("T34", total("4 1 6", effect=3, step_down=2), "effect=1"),
    row("DT4", total("4 1 6", effect=3, step_down=5), "effect=0"),
    row("DT4", total("4 5 6", effect="low", step_up=1, step_down=2), "effect=3"),
    row("DT4", total("4 1 6", effect="high", step_up=3, step_down=3), "effect=6"),
    # Netted first: were 3 steps down taken and the value held at 0, 2 steps up would make it 2.
    row("DT4", total("4 1 6", effect=1, step_up=2, step_down=3), "effect=0"),
    row("DT4", total("1 1 6", effect="low", step_up=2, step_down=3), "effect=0"),
    row("T35 T37", total("5 2 6", **PIN_DOWN, step_up=1), "total=13, triggered=true, effect=5"),
    row("T36 T38", total("5 2 6", **PIN_DOWN, step_down=1), "total=13, triggered=true, effect=1"),
)
def test_steps(row: Row):
    assert row.actual() == row.expected


# Halving, inverting, comparing


@GAME.group(
    *(
        row("T65 T66", total(f"{face} {face} {face}", effect=die, halve=True), f"effect={half}")
        for face, half in zip(range(1, 7), (1, 1, 1, 2, 2, 3), strict=True)
        for die in LADDER
    ),
    row("T65 DT9", total("4 1 6", effect=9, halve=True), "effect=4"),
    row("DT5", total("1 4 6", effect="low", halve=True, step_down=1), "effect=1"),
    row("DT5", total("1 4 6", effect="low", halve=True, step_up=1), "effect=2"),
    row("DT5", total("1 4 6", effect="high", halve=True, step_up=2), "effect=4"),
    row("DT5", total("1 4 6", effect="low", halve=True, invert=True), "effect=3"),
    row("DT5", total("1 4 6", effect="low", halve=True, invert=True, step_up=4), "effect=5"),
    row("DT5", total("1 4 6", effect="high", halve=True, invert=True, step_down=2), "effect=1"),
    *(
        row("T69 T70", total(f"{face} {face} {face}", effect=die, invert=True), f"effect={7 - face}")
        for face in range(1, 7)
        for die in LADDER
    ),
    row("T71", total("6 6 5", effect="mid", invert=True), "total=17, effect=1"),
    row("T71", total("1 1 2", effect="mid", invert=True), "total=4, effect=6"),
    row("T72", total("5 5 2", threshold=11), "total=12, triggered=true"),
    row("T73", total("5 5 2", effect="mid", invert=True), "mid=5, effect=2"),
    row("DT6", total("6 4 1", effect="high", invert=True), "effect=1"),
    row("DT6", total("6 4 1", effect="high", invert=True, step_up=1), "effect=3"),
    row("DT6", total("6 4 1", effect="high", invert=True, step_up=2), "effect=6"),
    row("DT6", total("6 4 1", effect="high", invert=True, step_up=3), "effect=7"),
    row("DT6", total("6 4 1", effect="high", invert=True, step_up=5), "effect=9"),
    row("DT6", total("6 4 2", effect="low", invert=True, step_down=1), "effect=3"),
    row("DT6", total("5 4 2", effect="low", invert=True, step_down=2), "effect=2"),
    row("DT6", total("5 4 2", effect="low", invert=True, step_down=3), "effect=1"),
    row("DT6", total("5 4 2", effect="low", invert=True, step_down=9), "effect=0"),
    row("DT6", total("5 4 2", effect="low", invert=True, step_up=1), "effect=6"),
    row("DT9", total("4 1 6", effect=3), "effect=3"),
    row("DT9", total("4 1 6", effect=3, step_up=2, halve=True), "effect=2"),
    row("DT9", total("4 1 6", effect=1, step_down=4, halve=True), "effect=1"),
    row("DT9", total("4 1 6", effect=3, invert=True), raises("invert", "no face to invert", "low, mid or high")),
    *(
        row("DT9", total("4 1 6", **{name: value}), raises(name, "there is no effect to", "low, mid, high"))
        for name, value in [("invert", True), ("halve", True), ("step_up", 1), ("step_down", 1), ("compare", "over 3")]
    ),
    row("T74", total("4 1 6", effect="mid", compare="at least 4"), "effect=4, holds=true"),
    row("T74", total("4 1 6", effect="mid", compare="at least 5"), "effect=4, holds=false"),
    row("T74", total("4 1 6", effect="mid", compare="over 3"), "holds=true"),
    row("T74", total("4 1 6", effect="mid", compare="over 4"), "holds=false"),
    row("T74", total("4 1 6", effect="mid", compare="equal 4"), "holds=true"),
    row("T74", total("4 1 6", effect="mid", compare="equal 5"), "holds=false"),
    row("T74", total("4 1 6", effect="mid"), "holds=none"),
    row("T77", total("3 5 1", effect="high", invert=True, compare="under 3"), "effect=2, holds=true"),
    row("T77 DT7", total("3 4 1", effect="high", invert=True, compare="under 3"), "effect=3, holds=false"),
    row("T77", total("3 4 5", effect="mid", invert=True, compare="under 3"), "effect=3, holds=false"),
    row("T77", total("6 5 5", effect="mid", invert=True, compare="under 3"), "effect=2, holds=true"),
    row("T77", total("6 5 4", effect="low", invert=True, compare="under 3"), "effect=3, holds=false"),
    row("T77", total("6 5 5", effect="low", invert=True, compare="under 3"), "effect=2, holds=true"),
    row("T78 T79", total("3 2 6", effect="mid", compare="at most 3"), "effect=3, holds=true"),
    row("T78", total("4 2 6", effect="mid", compare="at most 3"), "effect=4, holds=false"),
    row("T79", total("2 2 6", effect="mid", compare="at most 3"), "effect=2, holds=true"),
    row("DT7", total("3 2 6", effect="mid", compare="<= 3"), "holds=true"),
)
def test_halving_inverting_and_comparing(row: Row):
    assert row.actual() == row.expected


@GAME.group(
    row(
        "DT5 DT6",
        total("5 5 2", effect="mid", invert=True, step_up=2, halve=True),
        StepValues({"Step": "inverse low", "Inverse": 5, "Beyond inverse low": 6, "Half": 3}),
    ),
    row("DT4", total("5 2 6", effect="low", step_up=1, step_down=2), StepValues({"Steps": -1, "Beyond low": 1})),
    row("DT1", total("1 2 3 4 5 6", advantage=6, disadvantage=1), StepValues({"Dice to throw": 6})),
)
def test_the_order_of_the_steps(row: Row):
    assert row.actual() == row.expected


@GAME.shows("T68")
def test_half_a_die_has_the_tighter_ceiling():
    def most(**effect: Any) -> int:
        return max(
            Roll(**effect, step_up=4).play(ScriptedDice(faces)).effect or 0
            for faces in itertools.combinations_with_replacement(range(1, 7), 3)
        )

    assert most(effect="low", halve=True) == 4  # (6 + 2 beyond) / 2
    assert most(effect="mid", halve=True) == 4  # (6 + 3 beyond) / 2
    assert most(effect="high", halve=True) == 5  # (6 + 4 beyond) / 2
    assert most(effect=2) == 6


# What is printed of the odds, against every throw that there is


SETTINGS: Final[tuple[dict[str, Any], ...]] = (
    *({"disadvantage": instances} for instances in (3, 2, 1)),
    {},
    *({"advantage": instances} for instances in (1, 2, 3)),
)
"""The parameters that each column of the printed tables stands for."""
BASE: Final = 3
"""The column of the base roll."""
DIFFERS: Final = {
    ("T41", 3): "98.1",
    ("T42", 6): "99.9",
    ("T44", 0): "33.9",
    ("T46", 2): "38.3",
    ("T46", 5): "92.1",
    ("T47", 2): "26.9",
    ("T48", 1): "7.9",
    ("T51", 4): "23.1",
    ("T54", 5): "3.5",
    ("T54", 6): "6.2",
    ("T55", 4): "12.2",
    ("T81", 5): "3.5",
    ("T82", 2): "80.2",
    ("T86", 2): "48.2",
    ("T90", 5): "3.5",
    ("T91", 0): "26.3",
    ("T101", 1): "3.5",
    ("T109", 4): "80.2",
    ("T110", 1): "3.5",
}
"""The exact figures of the cells whose printed figure differs, by fact and column."""


@cache
def throws(column: int, **chosen: Any) -> tuple[tuple[int, Outcome], ...]:
    """Return the outcome of every multiset of faces, with the number of orders in which the dice can show it."""
    rule = Roll(**SETTINGS[column], **chosen)
    outcomes = []
    for faces in itertools.combinations_with_replacement(range(1, 7), len(rule.thrown)):
        orders = math.factorial(len(faces)) // math.prod(math.factorial(n) for n in Counter(faces).values())
        outcomes.append((orders, rule.play(ScriptedDice(faces))))
    return tuple(outcomes)


def average(column: int, of: Callable[[Outcome], Any], **chosen: Any) -> Fraction:
    """Return the average of a value; of a boolean, its probability."""
    every = throws(column, **chosen)
    return Fraction(sum(orders * of(outcome) for orders, outcome in every), sum(orders for orders, _ in every))


def rounded(exact: Fraction, decimals: int = 1) -> str:
    """Return a number as text, rounded half up."""
    return f"{math.floor(exact * 10**decimals + Fraction(1, 2)) / 10**decimals:.{decimals}f}"


PRINTED: Final = re.compile(
    r"(?:Average (?P<average>\w+) row"
    r"|(?P<fact>Total|Low|Mid|High)(?: row)?(?: at (?P<most>most|least))? (?P<at>\d+)\+?)"
    r": (?P<cells>[\d. ]+)\."
)


class Cells(NamedTuple):
    """A row of a printed table: the fact and the event that it is about, and its cells."""

    fact: str
    at: int | None
    at_most: bool
    cells: tuple[str, ...]

    def exact(self, column: int) -> Fraction:
        """Return the exact figure of a cell: a percentage, or an average."""
        at = self.at
        if at is None:
            return average(column, lambda outcome: outcome.fact(self.fact))
        if self.at_most:
            return 100 * average(column, lambda outcome: outcome.fact(self.fact) <= at)
        return 100 * average(column, lambda outcome: outcome.fact(self.fact) >= at)


def printed(id: str) -> Cells | None:
    """Return the row that a fact states, every cell with one decimal; ``None`` for other facts."""
    match = PRINTED.fullmatch(GAME.statements[id])
    if match is None:
        return None
    cells = tuple(f"{float(cell):.1f}" for cell in match["cells"].split())
    at = None if match["average"] else int(match["at"])
    return Cells((match["average"] or match["fact"]).lower(), at, match["most"] == "most", cells)


ROWS: Final = {id: cells for id in GAME.statements if (cells := printed(id))}


def test_every_throw_is_covered_once():
    assert [sum(orders for orders, _ in throws(column)) for column in range(7)] == [6**n for n in (6, 5, 4, 3, 4, 5, 6)]


@GAME.shows("T39 T80")
def test_the_tables_are_complete():
    assert all(len(row.cells) == len(SETTINGS) for row in ROWS.values())
    assert [row.at for row in ROWS.values() if row.fact == "total"] == [*range(4, 19), None]
    for die in LADDER:
        rows = [row for row in ROWS.values() if row.fact == die and row.at]
        assert [(row.at_most, row.at) for row in rows] == [(True, at) for at in range(1, 6)] + [
            (False, at) for at in range(2, 7)
        ]


@GAME.shows(" ".join(ROWS))
@every("id", ROWS)
def test_a_printed_row(id):
    row = ROWS[id]
    expected = [DIFFERS.get((id, column), cell) for column, cell in enumerate(row.cells)]
    assert [rounded(row.exact(column)) for column in range(7)] == expected


@GAME.shows("T39 T80 DT3")
@every("fact", ["total", *LADDER])
@every("column", range(7))
def test_the_odds_agree_with_every_throw(column, fact):
    counts: Counter[int] = Counter()
    for orders, outcome in throws(column):
        counts[outcome.fact(fact)] += orders
    assert dd.odds("total-effect/roll", fact, **SETTINGS[column]) == dd.Distribution(counts)


@GAME.shows("DT8")
@every(("id", "column"), DIFFERS)
def test_a_printed_cell_that_differs(id, column):
    assert ROWS[id].cells[column] != DIFFERS[id, column]


@GAME.shows("DT8")
def test_percentages_round_half_up():
    assert [rounded(Fraction(x)) for x in ("6.25", "6.35", "6.249", "0.05", "99.95")] == [
        "6.3",
        "6.4",
        "6.2",
        "0.1",
        "100.0",
    ]


def average_of(fact: str, column: int) -> Fraction:
    return average(column, lambda outcome: outcome.fact(fact))


def probability_of(column: int, threshold: int) -> Fraction:
    return average(column, lambda outcome: outcome.fact("triggered"), threshold=threshold)


@GAME.shows("T59")
@every(("threshold", "percent"), [(11, "50.00"), (13, "25.93"), (9, "74.07")])
def test_the_recommended_thresholds(threshold, percent):
    assert rounded(100 * probability_of(BASE, threshold), 2) == percent


@GAME.shows("T60 T61")
@every(("instances", "moves"), [(1, "1.745"), (2, "1.186"), (3, "0.844")])
def test_how_far_an_instance_moves_the_total(instances, moves):
    up = average_of("total", BASE + instances) - average_of("total", BASE + instances - 1)
    down = average_of("total", BASE - instances + 1) - average_of("total", BASE - instances)
    assert rounded(up, 3) == rounded(down, 3) == moves


@GAME.shows("T62")
def test_what_one_advantage_does_to_13():
    assert rounded(100 * probability_of(BASE, 13), 2) == "25.93"
    assert rounded(100 * probability_of(BASE + 1, 13), 2) == "48.77"


@GAME.shows("T63")
def test_advantage_moves_low_more_and_disadvantage_high():
    def moves(fact: str, column: int) -> str:
        return rounded(abs(average_of(fact, column) - average_of(fact, BASE)), 3)

    assert (moves("low", BASE + 1), moves("high", BASE + 1)) == ("0.859", "0.286")
    assert (moves("low", BASE - 1), moves("high", BASE - 1)) == ("0.286", "0.859")


def step_moves(column: int) -> list[Fraction]:
    """Return how far one step up moves the average Effect, from Low and from Mid."""
    return [
        average(column, lambda outcome: outcome.fact("effect"), effect=die, step_up=1) - average_of(die, column)
        for die in ("low", "mid")
    ]


def instance_moves() -> list[Fraction]:
    """Return how far each instance moves the average of each die."""
    return [average_of(die, column + 1) - average_of(die, column) for die in LADDER for column in range(6)]


@GAME.shows("T64 DT10")
def test_how_far_steps_and_instances_move_the_effect():
    steps = [step for column in range(7) for step in step_moves(column)]
    assert (rounded(min(steps), 3), rounded(max(steps), 3)) == ("0.776", "1.458")
    assert (rounded(min(instance_moves()), 3), rounded(max(instance_moves()), 3)) == ("0.129", "0.859")


@GAME.shows("DT10")
def test_a_step_beats_advantage_within_a_column_but_not_across():
    for column in range(7):
        neighbours = [other for other in (column - 1, column + 1) if 0 <= other < 7]
        moves = [abs(average_of(die, other) - average_of(die, column)) for other in neighbours for die in LADDER]
        assert min(step_moves(column)) > max(moves)
    assert min(step for column in range(7) for step in step_moves(column)) < max(instance_moves())


@GAME.shows("T67")
@every(("die", "halves", "percent"), [("low", {1}, "87.5"), ("mid", {1, 2}, "92.6"), ("high", {2, 3}, "87.5")])
def test_what_half_a_die_usually_is(die, halves, percent):
    usual = average(BASE, lambda outcome: outcome.fact("effect") in halves, effect=die, halve=True)
    assert rounded(100 * usual) == percent
