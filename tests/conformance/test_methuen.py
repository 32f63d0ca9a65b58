"""Methuen, fact by fact: Expressions and Checks. See ``methuen.md``."""

import ast
import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

import dicedocs as dd
from dicedocs import LimitError, NotationError, ParameterError, ResourceError, limits

from ..every import every
from .facts import (
    Call,
    Game,
    Raises,
    Row,
    StepOperations,
    StepValues,
    check,
    make_check,
    roll,
    roll_expression,
    row,
)

GAME = Game(
    "methuen",
    not_shown_by_code={
        "M2": "says how the game's text is written, not what an Expression gives",
        "M84": "says what Checks are for, not what a Check gives",
    },
)
PACKAGE = Path(dd.__file__).parent

SUBSTITUTE = "Substitute"
ROLL = "Roll"
PARENTHESES = "Parentheses"
MULTIPLY = "Multiply and divide"
ADD = "Add and subtract"
CLAMP = "Clamp"
STAGES = [SUBSTITUTE, ROLL, PARENTHESES, MULTIPLY, ADD, CLAMP]


def not_notation(at: int, *parts: str) -> Raises:
    """Return an expected error that points at an index of the text."""
    return Raises(NotationError, *parts, at=at)


def missing(scope: str, name: str, *parts: str) -> Raises:
    """Return an expected error that names a resource."""
    return Raises(ResourceError, name, *parts, scope=scope, name=name)


def too_much(limit: limits.Limit) -> Raises:
    """Return an expected error that names a limit."""
    return Raises(LimitError, str(limit.maximum), limit=limit.name)


# Chance


@GAME.shows("M1")
def test_dice_are_the_only_source_of_chance():
    chance = {"random", "secrets", "uuid", "time", "datetime", "tempfile"}
    sources = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in PACKAGE.rglob("*.py")
        for name in imported(ast.parse(path.read_text(encoding="utf-8")))
        if name.partition(".")[0] in chance or name in {"os.urandom", "os.getrandom"}
    }
    # Long work reads the clock to report its progress, or to be given up; no face depends on it.
    clocks = {"panel/view/live_odds.py", "cli/terminal.py", "clock.py", "rules/registry.py"}
    assert sources == {("rules/seeds.py", "random"), *((module, "time") for module in clocks)}


def imported(tree: ast.AST) -> set[str]:
    """Return the modules that a module imports, and the attributes of os that it reads, as dotted names."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
            names |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "os"}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            names.add(f"os.{node.attr}")
    return names


@GAME.group(
    row("M1", roll("2 + 3", seed=1), "total=5, dice=none"),
    row("M1", roll("2 + 3", seed=2), "total=5, dice=none"),
    row("M1", roll("2 + 3", dice=[4]), Raises(ParameterError, "0 thrown", parameter="dice")),
)
def test_without_dice_the_value_does_not_vary(row: Row):
    assert row.actual() == row.expected


# Dice notation


@GAME.group(
    row("M3 M7", roll("2d6", dice=[3, 4]), "total=7, dice=3 4"),
    row("M3", roll("2d"), not_notation(2)),
    row("M3", roll("6d + 1"), not_notation(2)),
    row("M3", roll("d"), not_notation(1)),
    row("M4", roll("12d6", dice=[1] * 11 + [6]), "total=17"),
    row("M4", roll("2.5d6"), not_notation(1)),
    row("M4", roll("-1d6"), not_notation(0)),
    row("M5 DM7", roll("2x6"), not_notation(1)),
    row("M5 DM7", roll("2w6"), not_notation(1)),
    row("M6", roll("1d1.5", dice=[1]), not_notation(3)),
    row("M6", roll("1d-6"), not_notation(2)),
    row("M7", roll("4d8", dice=[1, 8, 3, 5]), "total=17, dice=1 8 3 5"),
    row("M7", roll("3d6", dice=[4, 2]), Raises(ParameterError, "die 3 is a d6", parameter="dice")),
    row("M7", roll("3d6", dice=[4, 2, 5, 1]), Raises(ParameterError, "3 thrown", parameter="dice")),
    row("M8", roll("d20", dice=[13]), "total=13, dice=13"),
    row("M8", roll("1d20", dice=[13]), "total=13, dice=13"),
    row("M8", roll("d6 + d6", dice=[2, 3]), "total=5"),
    row("M9", roll("1d1", dice=[1]), "total=1, dice=1"),
    row("M9 M11 DM1", roll("1d0"), not_notation(2, "0 sides")),
    row("M9 M11", roll("d0"), not_notation(1, "0 sides")),
    row("M9 M11", roll("5 + 2d0"), not_notation(6, "0 sides")),
    row("M9 M10 M69", roll("0d6"), "raw=0, total=0, dice=none"),
    row("M10 DM1", roll("0d6 + 4"), "total=4, dice=none"),
    row("DM1", roll("0d0"), not_notation(2, "0 sides")),
    row("DM1 DM2", roll("0d[Size]", actor="Size=0"), missing("actor", "Size")),
)
def test_dice_notation(row: Row):
    assert row.actual() == row.expected


RANGES = [("M12", 4), ("M13", 6), ("M14", 8), ("M15", 10), ("M16", 12), ("M17", 20), ("M18", 100)]
"""The common dice, by fact."""
OTHERS = [("M19", sides) for sides in (1, 2, 3, 7, 30, 1000)]


@GAME.group(
    *(row(id, roll(f"d{sides}", dice=[1]), "total=1") for id, sides in RANGES + OTHERS),
    *(row(id, roll(f"1d{sides}", dice=[sides]), f"total={sides}") for id, sides in RANGES + OTHERS),
    *(
        row(id, roll(f"d{sides}", dice=[face]), Raises(ParameterError, f"cannot show {face}", f"1 to {sides}"))
        for id, sides in RANGES + OTHERS
        for face in (0, sides + 1)
    ),
)
def test_the_faces_that_a_die_has(row: Row):
    assert row.actual() == row.expected


@GAME.shows(" ".join(id for id, _ in RANGES))
@every("sides", [sides for _, sides in RANGES])
def test_every_face_is_thrown_and_no_other(sides):
    thrown = roll_expression(f"{30 * sides}d{sides}", seed="every face").thrown
    assert {die.face for die in thrown} == set(range(1, sides + 1))
    assert {die.sides for die in thrown} == {sides}


# Multiple dice


@GAME.group(
    row("M20 M21", roll("3d6", dice=[4, 2, 5]), "total=11, dice=4 2 5"),
    row("M20", roll("3d6", dice=[5, 5, 5]), "total=15, dice=5 5 5"),
)
def test_multiple_dice(row: Row):
    assert row.actual() == row.expected


@GAME.shows("M20")
def test_the_dice_of_a_term_are_independent():
    dice = dd.SeededDice("independent")
    pairs = Counter(roll_expression("2d6", dice=dice).thrown for _ in range(3600))
    # Each of the 36 pairs is expected 100 times; chi-square with 35 degrees of freedom passes 66.6 once in 1000.
    assert len(pairs) == 36
    assert sum((count - 100) ** 2 / 100 for count in pairs.values()) < 66.6


class Statistics(NamedTuple):
    """The minimum, the maximum and the average of a dice term, over every sequence of faces."""

    minimum: int
    maximum: int
    average: Fraction

    def actual(self, call: Call) -> object:
        count, sides = map(int, call.arguments[0].split("d"))
        faces = itertools.product(range(1, sides + 1), repeat=count)
        totals = [roll(call.arguments[0], dice=thrown)().value for thrown in faces]
        return Statistics(min(totals), max(totals), Fraction(sum(totals), len(totals)))


@GAME.group(
    row("M22", roll("1d6"), Statistics(1, 6, Fraction("3.5"))),
    row("M23", roll("2d6"), Statistics(2, 12, Fraction(7))),
    row("M24", roll("3d6"), Statistics(3, 18, Fraction("10.5"))),
    row("M25", roll("1d20"), Statistics(1, 20, Fraction("10.5"))),
    row("M26", roll("1d100"), Statistics(1, 100, Fraction("50.5"))),
    *(
        row("M27 M28 M29", roll(f"{x}d{y}"), Statistics(x, x * y, Fraction(x * (y + 1), 2)))
        for x in (1, 2, 3, 4)
        for y in (1, 2, 3, 4)
    ),
)
def test_the_statistics_table(row: Row):
    assert row.actual() == row.expected


@GAME.shows("M22 M23 M24 M25 M26 M27 M28 M29")
@every(("count", "sides"), [(1, 6), (2, 6), (3, 6), (1, 20), (1, 100), (7, 4), (100, 6)])
def test_the_exact_odds_have_the_same_statistics(count, sides):
    odds = dd.odds("methuen/expression", expression=f"{count}d{sides}")
    assert (odds.values[0], odds.values[-1]) == (count, count * sides)
    assert odds.mean == Fraction(count * (sides + 1), 2)


@GAME.shows("M20 M21")
def test_dice_are_independent():
    odds = dd.odds("methuen/expression", expression="3d6")
    assert odds.to_dict() == {
        total: Fraction(ways, 216)
        for total, ways in zip(range(3, 19), [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1], strict=True)
    }


# Expressions: components, operators, order


@GAME.group(
    row("M30", roll("2d6 * 2 + [Strength] - 1", actor="Strength=4", dice=[3, 5]), "total=19"),
    row("M30 M37", roll("([Level] + 1d4) * (2d10 - 3)", actor="Level=2", dice=[1, 10, 4]), "total=33"),
    row("M31", roll("5 / 2"), "total=2"),
    row("M31 M64", roll("0 - 1"), "raw=-1, total=0"),
    row("M31 M64", roll("0 - 2 * 3 * 4"), "raw=-24, total=0"),
    row("M31", roll("[Morale]", actor="Morale=-2"), "raw=-2, total=0"),
    row("M31 M30", roll(""), not_notation(0)),
    row("M31 M30", roll("  "), Raises(NotationError)),
    row("M33", roll("1d6", dice=[5]), "total=5"),
    row("M33", roll("2d10", dice=[10, 7]), "total=17"),
    row("M33", roll("d20", dice=[20]), "total=20"),
    row("M34", roll("5"), "total=5"),
    row("M34", roll("10"), "total=10"),
    row("M34", roll("100"), "total=100"),
    row("M34", roll("0"), "total=0"),
    row("M34", roll("007"), "total=7"),
    row("M34", roll("2.5"), not_notation(1)),
    row("M34", roll("1,000"), not_notation(1)),
    row("M34", roll("1 000"), not_notation(2)),
    row("M34", roll("1e3"), not_notation(1)),
    row("M34 DM5", roll("+3"), not_notation(0)),
    row("M35", roll("[Health]", actor="Health=15"), "total=15"),
    row("M35", roll("[Strength] * [Strength]", actor="Strength=4"), "total=16"),
    row("M35 M47", roll("Strength + 1", actor="Strength=4"), not_notation(0, "[Strength]")),
    row("M36", roll("7 % 2"), not_notation(2)),
    row("M36", roll("2 ^ 3"), not_notation(2)),
    row("M36", roll("2 ** 3"), not_notation(3)),
    row("M36", roll("7 // 2"), not_notation(3)),
    row("M36", roll("2 x 3"), not_notation(2)),
    row("M36", roll("2 3"), not_notation(2)),
    row("M36", roll("2 +"), not_notation(3)),
    row("M36", roll("2 + * 3"), not_notation(4)),
    row("M36", roll("2(3)"), not_notation(1)),
    row("M37", roll("(5)"), "total=5"),
    row("M37", roll("((2 + 3))"), "total=5"),
    row("M37", roll("()"), not_notation(1)),
    row("M37", roll("(2 + 3"), not_notation(0, "(", "(2 + 3)")),
    row("M37", roll("2 + 3)"), not_notation(5, ")", "2 + 3")),
    row("M37", roll("{2 + 3} * 4"), not_notation(0)),
    row("M38", roll("19 + 4"), "total=23"),
    row("M39", roll("19 - 4"), "total=15"),
    row("M39", roll("4 - 19"), "raw=-15"),
    row("M40", roll("19 * 4"), "total=76"),
    row("M41", roll("20 / 4"), "total=5"),
    row("M41", roll("4 / 20"), "total=0"),
    row("M42", roll("2 * (3 + (4 - 1) * 2)"), "total=18"),
    row("M42", roll("10 - (3 - 2)"), "total=9"),
    row("M42", roll("12 / (2 * 3)"), "total=2"),
    row("M42 M72", roll("((2 + 3) * 2 + 1) * 3"), StepOperations({PARENTHESES: "2 + 3 = 5, 5 * 2 = 10, 10 + 1 = 11"})),
    row("M43 M58", roll("7 / 2 * 2"), "total=6"),
    row("M43", roll("12 / 2 * 3"), "total=18"),
    row("M43", roll("12 * 3 / 2"), "total=18"),
    row("M43", roll("8 / 4 / 2"), "total=1"),
    row("M43", roll("3 + 12 / 2 * 3"), "total=21"),
    row("M44", roll("10 - 3 - 2"), "total=5"),
    row("M44", roll("10 - 3 + 2"), "total=9"),
    row("M44", roll("2 * 10 - 3 - 2"), "total=15"),
    row("M45", roll("2 + 3 * 4"), "total=14"),
    row("M45", roll("20 - 8 / 4"), "total=18"),
    row("M46", roll("(2 + 3) * 4"), "total=20"),
)
def test_components_operators_and_order(row: Row):
    assert row.actual() == row.expected


@GAME.shows("M31")
@every("text", ["7 / 2", "5 - 8", "3d6", "10 / 0", "[Half] * 2"])
def test_a_value_is_a_whole_number_from_0(text):
    total = roll_expression(text, actor={"Half": 5}, seed=1).value
    assert type(total) is int
    assert total >= 0


# References and scopes

BOTH = {"actor": "Strength=4, Health Maximum=20", "target": "Strength=9, Health Maximum=30, Defense=3"}


@GAME.group(
    row("M47 M49", roll("[Strength]", **BOTH), "total=4"),
    row("M47", roll("[Strength", **BOTH), not_notation(0, "]")),
    row("M47", roll("1 + Strength]", **BOTH), Raises(NotationError)),
    row("M47", roll("(Strength)", **BOTH), not_notation(1, "[Strength]")),
    row("M48", roll("[Strength] + 1", actor="Strength=4"), "total=5"),
    row("M48", roll("[Strength] + 1", actor="Strength=6"), "total=7"),
    row("M48", roll("[Target Strength] + 1", target="Strength=6"), "total=7"),
    row("M49", roll("[Defense]", **BOTH), missing("actor", "Defense")),
    row("M50", roll("[Target Strength]", **BOTH), "total=9"),
    row("M50", roll("[Strength] * 10 + [Target Strength]", **BOTH), "total=49"),
    row("M51", roll("[Self Strength]", **BOTH), "total=4"),
    row("M51", roll("[Self Strength] - [Strength]", **BOTH), "raw=0"),
    row("M51 M101", roll("1d6 + [Self Strength] - [Target Defense]", **BOTH, dice=[3]), "total=4"),
    row("M52", roll("1d6 + [Strength]", actor="Strength=4", dice=[3]), "total=7"),
    row("M53", roll("[Target Health] / 2", target="Health=15"), "total=7"),
    row(
        "M54",
        roll("(1d8 + [Strength]) * 2 - [Target Defense]", actor="Strength=4", target="Defense=3", dice=[6]),
        "total=17",
    ),
    row(
        "M54",
        roll("(1d8 + [Strength]) * 2 - [Target Defense]", actor="Strength=4", target="Defense=3", dice=[6]),
        StepOperations({PARENTHESES: "6 + 4 = 10", MULTIPLY: "10 * 2 = 20", ADD: "20 - 3 = 17"}),
    ),
    row("M96 DM6", roll("[Health Maximum]", **BOTH), "total=20"),
    row("DM6", roll("[Target Health Maximum]", **BOTH), "total=30"),
    row("DM6", roll("[Self Health Maximum]", **BOTH), "total=20"),
    row("DM6", roll("[Targeting]", actor="Targeting=8", target="ing=1"), "total=8"),
    row("DM6", roll("[Selfish] + [TargetX]", actor="Selfish=2, TargetX=3", target="X=9"), "total=5"),
    row("DM6", roll("[target Strength]", actor="target Strength=1", target="Strength=9"), "total=1"),
    row("DM6", roll("[Health   Maximum]", **BOTH), "total=20"),
    row("DM6", roll("[Target   Health  Maximum]", **BOTH), "total=30"),
    row("DM6", roll("[Health Maximum]", actor="Health    Maximum=20"), "total=20"),
    row("DM6", roll("[HealthMaximum]", **BOTH), missing("actor", "HealthMaximum", "Health Maximum")),
    row("DM6", roll("[strength]", **BOTH), missing("actor", "strength", "Strength")),
    row("DM6", roll("[Strenght]", **BOTH), missing("actor", "Strenght", "Strength")),
    row("DM6", roll("[Target Defence]", **BOTH), missing("target", "Defence", "Defense")),
    row("DM6", roll("0 * [Mana]", **BOTH), missing("actor", "Mana")),
    row("DM6", roll("[Strength]"), missing("actor", "Strength")),
    row("DM6", roll("[Target Strength]", actor="Strength=4"), missing("target", "Strength")),
    row("DM6", roll("1d6 + [Mana]", **BOTH), missing("actor", "Mana")),
    row("DM6", check("0 < [Target Defense]", actor="Defense=4"), missing("target", "Defense")),
    row("DM6", roll("1 + []"), not_notation(4)),
    row("DM6", roll("1 + [ ]"), not_notation(4)),
    row("DM6", roll("[Self]", actor="Self=1"), not_notation(0, "[Self]")),
    row("DM6", roll("[Target]", actor="Target=1", target="Target=2"), not_notation(0, "[Target]")),
    row("DM6", roll("[Target ]", actor="Target=1", target="Target=2"), not_notation(0, "[Target]")),
)
def test_references_and_scopes(row: Row):
    assert row.actual() == row.expected


# Special rules


@GAME.group(
    row("M55 M56", roll("10 / 0"), "raw=0, total=0"),
    row("M55", roll("0 / 0"), "raw=0"),
    row("M55", roll("10 / (3 - 3) + 4"), "total=4"),
    row("M55", roll("(2 - 7) / 0 + 4"), "total=4"),
    row("M55 M57", roll("10 / 0d6"), "total=0, dice=none"),
    row("M55", roll("12 / 0 * 5 + 1"), "total=1"),
    row("M55", roll("12 / (1 / 2)"), "total=0"),
    row("M55 DM3", roll("5 + 10 / 0"), "total=5"),
    row("DM3", roll("10 / 0 + 10 / 2"), "total=5"),
    row("DM3", roll("(10 / 0 + 6) * 2"), "total=12"),
    row("M57", roll("20 / [Target Shields]", target="Shields=0"), "total=0"),
    row("M57", roll("20 / [Target Shields]", target="Shields=4"), "total=5"),
    row("M57", roll("3 + 20 / ([A] - [B])", actor="A=2, B=2"), "total=3"),
    row("M58", roll("7 / 2 + 7 / 2"), "total=6"),
    row("M58", roll("1 / 2 * 2"), "total=0"),
    row("M58", roll("(1 / 2 + 1 / 2) * 10"), "total=0"),
    row("M59", roll("7 / 2"), "total=3"),
    row("M60", roll("1 / 3"), "total=0"),
    row("M61 DM3", roll("(5 - 8) / 2 + 10"), "total=8"),
    row("M61 DM3", roll("(5 - 8) / 2"), "raw=-2, total=0"),
    row("M61 DM3", roll("7 / (2 - 4) + 10"), "total=6"),
    row("M61", roll("(0 - 7) / (0 - 2)"), "total=3"),
    row("M61", roll("(0 - 6) / 2"), "raw=-3"),
    row("M61 DM3", roll("[Debt] / 10 + 5", actor="Debt=-1"), "total=4"),
    row("M62", roll("5 - 8 + 10"), "total=7"),
    row("M62", roll("5 - 8 * 2 + 20"), "total=9"),
    row("M63 DM4", roll("(5 - 8) * 2 + 10"), "total=4"),
    row("M63 DM4", roll("((5 - 8)) + 10"), "total=7"),
    row("M63 DM4", roll("(5 - 8) * (2 - 4)"), "total=6"),
    row("M63 DM4", roll("10 - (5 - 8)"), "total=13"),
    row("M63 DM4", roll("(((2 - 4) * 3) - 1) + 8"), "total=1"),
    row("M63 DM4", roll("(1d4 - 1d6) + 5", dice=[1, 6]), "raw=0, total=0"),
    row("M64 M66", roll("5 - 8"), "raw=-3, total=0"),
    row("M64", roll("(5 - 8)"), "raw=-3, total=0"),
    row("M65", roll("(5 - 8) + 10"), "raw=7, total=7"),
    row("M64 M67", roll("(5 - 8) + 2"), "raw=-1, total=0"),
    row("M68", roll("0d1"), "total=0, dice=none"),
    row("M68", roll("0d20"), "total=0, dice=none"),
    row("M68", roll("0d100 * 3 + 2"), "total=2, dice=none"),
    row("M68", roll("[Charges]d6 + 1", actor="Charges=0"), "total=1, dice=none"),
)
def test_special_rules(row: Row):
    assert row.actual() == row.expected


# The six stages

BOLT = roll(
    "(2d6 + [Intelligence]) * 2 - [Target Defense] + 5", actor="Intelligence=4", target="Defense=12", dice=[3, 5]
)


@GAME.group(
    row("M77", BOLT, "total=17, raw=17, dice=3 5"),
    row("M70 M78", BOLT, StepValues({SUBSTITUTE: "(2d6 + 4) * 2 - 12 + 5"})),
    row("M71 M79", BOLT, StepValues({ROLL: "(8 + 4) * 2 - 12 + 5"})),
    row("M72 M80", BOLT, StepValues({PARENTHESES: "12 * 2 - 12 + 5"})),
    row("M72 M80", BOLT, StepOperations({PARENTHESES: "8 + 4 = 12"})),
    row("M73 M80", BOLT, StepValues({MULTIPLY: "24 - 12 + 5"})),
    row("M73", BOLT, StepOperations({MULTIPLY: "12 * 2 = 24"})),
    row("M74 M81", BOLT, StepValues({ADD: "17"})),
    row("M74 M81", BOLT, StepOperations({ADD: "24 - 12 = 12, 12 + 5 = 17"})),
    row("M82", BOLT, StepValues({CLAMP: "17"})),
    row("M82", BOLT, StepOperations({CLAMP: ""})),
    row(
        "M70",
        roll("[Level]d6 * [Self Level] - [Target Level]", actor="Level=2", target="Level=9", dice=[1, 1]),
        StepValues({SUBSTITUTE: "2d6 * 2 - 9"}),
    ),
    row("M70", roll("2d[Size]", actor="Size=8", dice=[1, 1]), StepValues({SUBSTITUTE: "2d8"})),
    row("M71 DM8", roll("(2 + 3) * 2d6 / 0d4", dice=[3, 5]), StepValues({ROLL: "(2 + 3) * 8 / 0"})),
    row("M71", roll("d20 + 2d4", dice=[11, 2, 4]), StepValues({ROLL: "11 + 6"})),
    row("M72", roll("((2 + 3) * 2 + 1) * 3"), StepValues({PARENTHESES: "11 * 3"})),
    row("M72", roll("2 * ((9 - 4)) - (7 / 2)"), StepValues({PARENTHESES: "2 * 5 - 3"})),
    row("M73", roll("1 + 7 / 2 * 3 - 2 * 5"), StepValues({MULTIPLY: "1 + 9 - 10"})),
    row("M73", roll("1 + 7 / 2 * 3 - 2 * 5"), StepOperations({MULTIPLY: "7 / 2 = 3, 3 * 3 = 9, 2 * 5 = 10"})),
    row("M74", roll("1 - 5 + 2 - 1"), StepValues({ADD: "-3"})),
    row("M74", roll("1 - 5 + 2 - 1"), StepOperations({ADD: "1 - 5 = -4, -4 + 2 = -2, -2 - 1 = -3"})),
    row("M75", roll("1 - 5 + 2"), StepValues({ADD: "-2", CLAMP: "0"})),
    row("M75", roll("0 - 2 * 3"), StepValues({ADD: "-6", CLAMP: "0"})),
    row("DM11", roll("(5 - 8) + 10"), StepValues({PARENTHESES: "-3 + 10"})),
    row("DM11", roll("2 - (5 - 8) * 4"), StepValues({PARENTHESES: "2 - -3 * 4", MULTIPLY: "2 - -12"})),
    row("DM11 DM5", roll("[Morale] + 5", actor="Morale=-2"), StepValues({SUBSTITUTE: "-2 + 5"})),
    row("DM11", roll("-3 + 10"), not_notation(0)),
    row("DM11", roll("2 - -3"), not_notation(4)),
)
def test_the_six_stages(row: Row):
    assert row.actual() == row.expected


@GAME.shows("M76")
@every("call", [BOLT, roll("5"), roll("1 - 2")], ids=str)
def test_the_stages_are_six_and_come_in_this_order(call):
    assert [step.label for step in call().steps() if step.verb == "rewrite"] == STAGES


@GAME.shows("M71 M76 DM8")
def test_dice_are_thrown_between_substitution_and_arithmetic():
    labels = [step.label for step in BOLT().steps()]
    assert labels.index(SUBSTITUTE) < labels.index("Dice") < labels.index(ROLL) < labels.index(PARENTHESES)


# Checks

FEWER, EQUAL, MORE = "2 {} 3", "3 {} 3", "4 {} 3"


@GAME.group(
    *(
        row(f"{id} M83 M86", check(text.format(sign)), f"success={'true' if holds else 'false'}")
        for id, sign, truths in [
            ("M87", "=", (False, True, False)),
            ("M88", "!=", (True, False, True)),
            ("M89", ">", (False, False, True)),
            ("M90", "<", (True, False, False)),
            ("M91 M101", ">=", (False, True, True)),
            ("M92", "<=", (True, True, False)),
        ]
        for text, holds in zip((FEWER, EQUAL, MORE), truths, strict=True)
    ),
    row("M86", check("(2 + 3) * 4 = 2 * [Half]", actor="Half=10"), "success=true, left=20, right=20"),
    row("M86 DM9", check(">= 3"), not_notation(0)),
    row("M86 DM9", check("3 >="), not_notation(4)),
    row("M86 DM9", check(""), not_notation(0)),
    row(
        "M94",
        check("1d20 + [Attack] >= [Target Defense]", actor="Attack=6", target="Defense=12", dice=[8]),
        "success=true, left=14, right=12",
    ),
    row(
        "M94",
        check("1d20 + [Attack] >= [Target Defense]", actor="Attack=6", target="Defense=12", dice=[5]),
        "success=false, left=11, right=12",
    ),
    row(
        "M95 M96",
        check("[Health] < [Health Maximum]", actor="Health=15, Health Maximum=20"),
        "success=true, left=15, right=20, dice=none",
    ),
    row("M96", roll("[Longest Name Of All]", actor="Longest Name Of All=3"), "total=3"),
    row(
        "M97 M98",
        check("1d20 + [Strength] > [Target Strength] + 1d20", actor="Strength=5", target="Strength=4", dice=[14, 12]),
        "success=true, left=19, right=16, dice=14 12",
    ),
    row("M98", check("1d20 > 1d20", dice=[3, 17]), "success=false, left=3, right=17, dice=3 17"),
    row("M98", check("1d6 < 1d20", dice=[3, 17]), "success=true, left=3, right=17"),
    row("M98", check("1d6 < 1d20", dice=[17, 3]), Raises(ParameterError, "cannot show 17")),
    row("M98", check("1d6 = 1d6", dice=[4]), Raises(ParameterError, "die 2")),
    row("M99 DM4", check("5 - 8 = 0"), "success=true, left=0, right=0"),
    row("M99 DM4", check("0 = 5 - 8"), "success=true, left=0, right=0"),
    row("M99 DM4", check("5 - 8 < 0"), "success=false, left=0"),
    row("M99 DM4", check("5 - 8 = 2 - 9"), "success=true, left=0, right=0"),
    row("M99 DM4", check("[Morale] != 0", actor="Morale=-2"), "success=false, left=0"),
    row("M99 DM4", check("(5 - 8) + 10 = 7"), "success=true, left=7"),
)
def test_checks(row: Row):
    assert row.actual() == row.expected


@GAME.shows("M83")
@pytest.mark.parametrize(("text", "holds"), [("1 < 2", True), ("2 < 1", False)])
def test_a_check_is_true_or_false(text, holds):
    assert make_check(text).value is holds


@GAME.group(
    row("M93 DM9", check("1 == 1"), not_notation(2, "'1 = 1'")),
    row("M93 DM9", check("1 <> 2"), not_notation(2, "1 != 2")),
    row("M93 DM9", check("2 => 1"), not_notation(2, "2 >= 1")),
    row("M93 DM9", check("1 =< 2"), not_notation(2, "1 <= 2")),
    row("M93 DM9", check("1 =! 2"), Raises(NotationError)),
    row("M93", check("2 > = 1"), not_notation(3, "2 >= 1")),
    row("M93", check("2 ≥ 1"), not_notation(2, "2 >= 1")),
    row("M93 DM9", check("1 < 2 < 3"), not_notation(6, "one comparison", "2 < 3")),
    row("M93 DM9", check("(1 < 2) = 1"), not_notation(0, "in parentheses")),
    row("M93 DM9", check("1 < 2 and 2 < 3"), not_notation(6, "joined", "as its own")),
    row("M93 DM9", check("1 < 2 or 2 < 3"), not_notation(6, "joined", "as its own")),
    row("M93 DM9", check("not 1 < 2"), not_notation(0, "negated", "1 >= 2")),
    row("M93", check("!(1 < 2)"), not_notation(0, "negated")),
    row("M93", check("1 < 2 & 2 < 3"), not_notation(6, "joined")),
    row("DM9", check("1d20 + 5"), not_notation(8, "comparison", "1d20 + 5 >=")),
    row("DM9", check("7"), not_notation(1, "comparison")),
    row("DM9", roll("1 < 2"), not_notation(2, "a roll cannot contain a comparison", "check()")),
    row("DM9", roll("1d20 + 5 >= 12"), not_notation(9, "a roll cannot contain a comparison", "check()")),
    row("DM9", roll("(1 = 1)"), not_notation(0, "comparison")),
)
def test_six_comparisons_and_one_in_a_check(row: Row):
    assert row.actual() == row.expected


# Decisions that no group above holds


@GAME.group(
    row("DM2 M70", roll("[Level]d6", actor="Level=3", dice=[2, 6, 3]), "total=11"),
    row("DM2", roll("2d[Size]", actor="Size=8", dice=[8, 7]), "total=15"),
    row("DM2", roll("[Level]d[Target Size]", actor="Level=2", target="Size=4", dice=[4, 4]), "total=8"),
    row("DM2", roll("d[Size]", actor="Size=20", dice=[20]), "total=20"),
    row("DM2", roll("[Target Health Maximum]d6", target="Health Maximum=1", dice=[6]), "total=6"),
    row("DM2 DM1", roll("[Level]d6 + 2", actor="Level=0"), "total=2, dice=none"),
    row("DM2", roll("[Level]d6", actor="Level=-1"), missing("actor", "Level")),
    row("DM2", roll("2d[Size]", actor="Size=0"), missing("actor", "Size")),
    row("DM2", roll("2d[Target Size]", target="Size=-4"), missing("target", "Size")),
    row("DM2", roll("[Level]d6"), missing("actor", "Level")),
    row("DM2", roll("[Level]d0", actor="Level=2"), not_notation(8, "0 sides")),
    row("DM2", roll("(1+2)d6"), not_notation(5, "parentheses", "[Resource]")),
    row("DM2", roll("(3)d6"), not_notation(3, "parentheses", "[Resource]")),
    row("DM2", roll("2d(6)"), not_notation(2, "parentheses", "[Resource]")),
    row("DM2", roll("2d3d4"), not_notation(3)),
    row("DM5", roll("-3 + 5"), not_notation(0, "sign", "0 - 3 + 5")),
    row("DM5", roll("(-3) + 5"), not_notation(1, "0 - 3")),
    row("DM5", roll("2 * -3"), not_notation(4, "sign", "2 * (0 - 3)")),
    row("DM5", roll("5 - -3"), not_notation(4, "sign", "5 + 3")),
    row("DM5", roll("5 + +3"), not_notation(4)),
    row("DM5", roll("-[Morale]", actor="Morale=2"), not_notation(0, "sign", "0 - [Morale]")),
    row("DM5", check("5 > -3"), not_notation(4, "sign")),
    row("DM5", roll("[Morale] + 5", actor="Morale=-2"), "total=3"),
    row("DM5", roll("5 - [Morale]", actor="Morale=-2"), "total=7"),
    row("DM5", roll("5 - [Morale] * 2", actor="Morale=-2"), "total=9"),
    row("DM5", roll("[Morale] * [Morale]", actor="Morale=-2"), "total=4"),
    row("DM5", roll("2 * [Bonus]", actor={"Bonus": "1 + 1"}), Raises(ParameterError, "Bonus", parameter="actor")),
    row("DM5", roll("2 * [Bonus]", actor={"Bonus": 2.5}), Raises(ParameterError, "Bonus", parameter="actor")),
    row("DM7", roll("2D6", dice=[3, 4]), "total=7"),
    row("DM7", roll("D20 + [Size]D4", actor="Size=1", dice=[3, 4]), "total=7"),
    row("DM7", roll("  2d6  *2+( 1d4-1 )  ", dice=[3, 4, 2]), "total=15"),
    row("DM7", roll("2d6*2+(1d4-1)", dice=[3, 4, 2]), "total=15"),
    row("DM7", roll("2\n+\t3"), "total=5"),
    row("DM7", check("2<3"), "success=true"),
    row("DM7", roll("2 d 6"), not_notation(1, "spaces", "2d6")),
    row("DM7", roll("2 d6"), not_notation(1, "spaces", "2d6")),
    row("DM7", roll("2d 6"), not_notation(2, "spaces", "2d6")),
    row("DM7", roll("[Level] d6", actor="Level=1"), not_notation(7, "spaces", "[Level]d6")),
    row("DM7", roll("1 2"), not_notation(2)),
    row("DM8", roll("2d6 * 0 + 1d4", dice=[3, 5, 2]), "total=2, dice=3 5 2"),
    row("DM8", roll("0 * 1d6", dice=[3]), "total=0, dice=3"),
    row("DM8", roll("[Luck] * 2d6", actor="Luck=0", dice=[3, 4]), "total=0, dice=3 4"),
    row("DM8", roll("(1d4 - 1d4) * 1d6 * 2", dice=[2, 2, 6]), "total=0, dice=2 2 6"),
    row("DM8", roll("0 / 1d6 + 1d8", dice=[3, 7]), "total=7, dice=3 7"),
    row("DM8", roll("0 * 1d6"), Raises(ParameterError, "die 1 is a d6", parameter="dice")),
    row("DM8", roll("1d6 / 0 + (3d4 - 3d4) * 0", dice=[6, 1, 2, 3, 4, 3, 2]), "total=0, dice=6 1 2 3 4 3 2"),
    row("DM8", roll("1d4 + 2d12 * (1d20 - 1d6)", dice=[4, 11, 12, 20, 6]), "total=326"),
    row("DM8", roll("(1d4 * (1d8 - 1d12)) * 1d20", dice=[4, 8, 7, 20]), "total=80"),
    row("DM8", check("0 * 1d6 = 0 * 1d20", dice=[6, 20]), "success=true, dice=6 20"),
)
def test_decisions(row: Row):
    assert row.actual() == row.expected


def nested(depth: int) -> str:
    return "(" * depth + "7" + ")" * depth


@GAME.group(
    row("DM10", roll(f"{limits.DICE.maximum}d6 * 0", seed=1), "total=0"),
    row("DM10", roll(f"{limits.DICE.maximum + 1}d6", seed=1), too_much(limits.DICE)),
    row("DM10", roll(f"{limits.DICE.maximum}d6 + 1d6", seed=1), too_much(limits.DICE)),
    row("DM10", roll("[Level]d6", actor={"Level": limits.DICE.maximum + 1}, seed=1), too_much(limits.DICE)),
    row("DM10", roll("[Level]d6 + [Level]d6", actor={"Level": limits.DICE.maximum}, seed=1), too_much(limits.DICE)),
    row("DM10", roll(f"0d{limits.SIDES.maximum} + 1d{limits.SIDES.maximum}", dice=[5]), "total=5"),
    row("DM10", roll(f"1d{limits.SIDES.maximum + 1}", seed=1), too_much(limits.SIDES)),
    row("DM10", roll("1d[Size]", actor={"Size": limits.SIDES.maximum + 1}, seed=1), too_much(limits.SIDES)),
    row("DM10", roll("9" * limits.DIGITS.maximum + " * 0"), "total=0"),
    row("DM10", roll("9" * (limits.DIGITS.maximum + 1)), too_much(limits.DIGITS)),
    row("DM10", roll("1d" + "9" * 10_000), Raises(LimitError)),
    row("DM10", roll(nested(limits.NESTING.maximum)), "total=7"),
    row("DM10", roll(nested(limits.NESTING.maximum + 1)), too_much(limits.NESTING)),
    row("DM10", roll("(1) + " * 60 + "(1)"), "total=61"),
    row("DM10", roll("7" + " " * (limits.TEXT.maximum - 1)), "total=7"),
    row("DM10", roll("7" + " " * limits.TEXT.maximum), too_much(limits.TEXT)),
    row("DM10", check("1 < 2" + " " * limits.TEXT.maximum), too_much(limits.TEXT)),
    row("DM10", roll("(" * 100_000), Raises(LimitError)),
)
def test_limits(row: Row):
    assert row.actual() == row.expected


# The notation summary, and what only the page says


@GAME.group(
    row("M100", roll("2d6", dice=[1, 2]), "total=3"),
    row("M100", roll("d20", dice=[20]), "total=20"),
    row("M100", roll("[Strength]", **BOTH), "total=4"),
    row("M100", roll("[Target Health]", target="Health=6"), "total=6"),
    row("M100", roll("1d6 + 3", dice=[4]), "total=7"),
    row("M100", roll("(1d6 + 2) * 3", dice=[4]), "total=18"),
)
def test_the_notation_summary(row: Row):
    assert row.actual() == row.expected


@GAME.shows("M94")
@every("defense", range(5, 26))
def test_the_odds_of_an_attack_by_defense(defense):
    odds = dd.odds("methuen/check", check="1d20 + 6 >= [Target Defense]", target={"Defense": defense})
    assert odds.p("true") == Fraction(sum(face + 6 >= defense for face in range(1, 21)), 20)


@GAME.shows("M97 M98")
def test_the_odds_of_arm_wrestling():
    odds = dd.odds(
        "methuen/check", check="1d20 + [Strength] > [Target Strength] + 1d20", actor="Strength=5", target="Strength=4"
    )
    wins = sum(left + 5 > 4 + right for left, right in itertools.product(range(1, 21), repeat=2))
    assert odds.p("true") == Fraction(wins, 400)


@GAME.shows("M32")
def test_the_page_names_the_synonym_of_expression():
    assert GAME.page_says("dice-expression")


@GAME.shows("M85")
def test_the_page_names_the_synonym_of_check():
    assert GAME.page_says("dice-check")


@GAME.shows("M100 M101")
@every(
    "notation",
    [
        "`XdY`",
        "`dY`",
        "`[Name]`",
        "`[Self Name]`",
        "`[Target Name]`",
        "`+` `-` `*` `/`",
        "`(` `)`",
        "`=` `!=` `>` `<` `>=` `<=`",
    ],
)
def test_the_page_summarizes_the_notation(notation):
    _, _, summary = GAME.page.partition("## The rules at a glance")
    assert any(line.startswith(f"| {notation} |") for line in summary.splitlines())
