"""Tables of pages as rules: matrices, tables of figures, their cells held against a formula, rows that are drawn."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest

import dicedocs as dd
from dicedocs.errors import NotationError
from dicedocs.page_rules.cell_checks import check_cells
from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs.page_rules.layout import TableError, read_layout
from dicedocs.page_rules.near_table import named_dice
from dicedocs.page_rules.outcome_conditions import OutcomeValues
from dicedocs.page_rules.outcome_words import read_words
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.page_rules.rule_program import Program
from dicedocs.page_rules.table_links import find_link_faults
from dicedocs.page_rules.table_reading import TableReader
from dicedocs.render.scale import odds_bands, outcome_scale
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.seeds import SeededDice

from ..every import every

ATTACK = """
    | attack × armour | 1  | 2–3 | 4+  |
    | 1               | 18 | 17  | 16  |
    | 2–4             | 17 | 2d6 | 15  |
    """
WEAPONS = """
    | weapon × armour | No armour | Chain mail | Plate |
    | Short sword     | 18        | 17         | 16    |
    | Axe             | 17        | 14         | 15    |
    """
LEVELS = """
    | Level | Bonus | HP       | Damage | Average |
    | 1–3   | +2    | 11       | 2d6    | 7       |
    | 4–7   | +3    | 20       | 1d8+1  | 5.5     |
    | 8     | +4    | 1,032 HP | d6     | 4       |
    """
WEATHER = """
    | d6  | Weather  | Wind      |
    | 1   | Storm    | 2d6 knots |
    | 2–3 | Rain     |           |
    | 4–6 | Fair sky | 1d4       |
    """
MOVE = """
    | 2d6  | Result     | What |
    | 2–6  | Miss       | a    |
    | 7–9  | Weak hit   | b    |
    | 10+  | Strong hit | c    |
    """


def page_table(text: str, dice: str = "", id: str = "book/test", **fields: object) -> PageRule:
    """Return the table of a text, whose lines are counted from its head."""
    written = enumerate(text.strip().splitlines(), 1)
    head, *rows = (GridRow(tuple(cell.strip() for cell in line.strip()[1:-1].split("|")), at) for at, line in written)
    own = {name: fields.pop(name) for name in ("plain", "draw") if name in fields}
    return PageRule(id, table=replace(read_layout(Grid(head, tuple(rows)), dice), **own), **fields)


def reader(text: str, dice: str = "", **fields: object) -> TableReader:
    """Return the rows of a text, read."""
    (read,) = Program(page_table(text, dice, **fields)).tables
    return read


def rule(text: str, dice: str = "", **fields: object) -> type[Mechanic]:
    return book_mechanics([page_table(text, dice, **fields)])["book/test"]


def played(of: type[Mechanic], dice: object = (), **parameters: object) -> str:
    return of(**parameters).play(ScriptedDice(dice)).facts()


def faults(text: str, dice: str = "", **fields: object) -> list[tuple[str, int]]:
    return [(fault.message, fault.line) for fault in reader(text, dice, **fields).faults()]


# Matrices


@every(("attack", "armour", "cell"), [(1, 1, "18"), (1, 3, "17"), (1, 90, "16"), (2, 1, "17"), (4, 4, "15")])
def test_a_cell_is_looked_up_by_two_numbers(attack, armour, cell):
    outcome = rule(ATTACK)(attack=attack, armour=armour).play(ScriptedDice([]))
    assert outcome.facts("result") == f"result={cell}"
    assert outcome.thrown == ()


def test_the_dice_in_a_cell_are_thrown():
    assert played(rule(ATTACK), [2, 3], attack=3, armour=2) == "result=2d6, result_rolled=5"
    odds = dd.odds(rule(ATTACK)(attack=3, armour=2), "result_rolled")
    assert odds == dd.odds("2d6")


# By hand, with the faces that are thrown.
WORTH = {
    "10 + 1d6 gp": ([4], 14),
    "(1d4 − 1) × 10 gp": ([4], 30),
    "1d4–1": ([4], 3),
    "10 × 1d6": ([4], 40),
    "1,000 + 1d6": ([4], 1004),
    "1d6 × 1,000": ([4], 4000),
    "1d6 x 10 gp": ([4], 40),
    "2d6x10": ([4, 1], 50),
    "2d6 x10 gp": ([4, 1], 50),
    "2d6 times 10": ([4, 1], 50),
    "10 × (1d6 + 2) days": ([4], 60),
    "1d6 / 2": ([5], 2),
    "a purse (2d4) of coins": ([1, 2], 3),
    "2–8 (2d4) rats": ([1, 2], 3),
    "1d6 seeds that explode on impact": ([4], 4),
    "1d6 half-orcs": ([4], 4),
    "1d4 plus a chest": ([4], 4),
    "1d6 times": ([4], 4),
    "1d8/1d10 damage": ([4], 4),
    "1d6 – goblins": ([4], 4),
    "1d6 × 10gp": ([4], 40),
    "d6 x 50p": ([4], 200),
    "1d6+2hp": ([4], 6),
    "1d6gp, 1 gem": ([4], 4),
    "2W6+1 Orks": ([4, 1], 6),
    "W6 + W8 (7)": ([4, 1], 5),
    "1d10greatsword": ([4], 4),
    "1,200d1 gp": ([1] * 1200, 1200),
    "10x1d6": ([4], 40),
    "2 x d6": ([4], 8),
    "10 plus 1d6": ([4], 14),
    "10 minus 1d6": ([4], 6),
    "1d6 less 1": ([4], 3),
    "1d6 plus two": ([4], 6),
    "1d6 × 10'000": ([4], 40_000),
    "1d6 × 10 000 gp": ([4], 40_000),
    "[1d6 + 1] × 10": ([4], 50),
    "max(1d6 − 3, 2) days": ([4], 2),
    "-1d4 STR": ([4], -4),
    "lose −1d4 HP": ([4], -4),
    "gold –1d4": ([4], 4),
    "1d6¹": ([4], 4),
    "1d6* rats": ([4], 4),
    "20%/1d4 days": ([4], 4),
    "Goblins ×1d4": ([4], 4),
    "a sword + 1d6 gp": ([4], 4),
    "a raven [8 HP, beak (1d4)]": ([4], 4),
}


def test_a_cell_is_worth_what_stands_around_its_dice():
    for cell, (faces, worth) in WORTH.items():
        value = rule(f"| d2 | A |\n| 1–2 | {cell} |")().play(ScriptedDice([1, *faces])).fact("A_rolled")
        assert (cell, value) == (cell, worth)


CHANGED = {
    "2d 6 damage": "'2d 6' is almost dice; write 2d6",
    "3dd6 damage": "'3dd6' is almost dice; write 3d6",
    "4d6 drop lowest": "name the column in plain",
    "2d20 take lower": "name the column in plain",
    "half 2d6": "name the column in plain",
    "1d6 hundred gp": "name the column in plain",
    "1d6×1.000 gp": "1.000 may be a thousand times as much elsewhere",
    "2d6 plus Heart": "'Heart' is a name, and a cell adds numbers; write a number for Heart",
    "1d6 + Strength": "'Strength' is a name",
    "1d6 +": "expected",
    "2 d 6 rats": "'2 d 6' is almost dice; write 2d6",
    "2 d6 rats": "'2 d6' is almost dice; write 2d6",
    "two d6s": "'two d6' is almost dice; write 2d6",
    "2dd20kh to hit": "'2dd20' is almost dice; write 2d20",
    "Boost (d4–d8)": "'d4–d8' is almost dice; write d4 or d8, or d4 - d8",
    "d4-d8": "'d4-d8' is almost dice",
    "1d6 × 10 500 gp gems": "found '500'; write an operator before it",
    "(1d8 x Level) + Con mod": "'Level' is a name",
    "damage (Level×d6)": "'Level' is a name",
    "HP-1d6": "'HP' is a name",
    "PB + 1d6": "'PB' is a name",
    "1d6 plus level": "'level' is a name",
    "2d6 keep 1": "write '2d6kh1'",
    "2d6 (drop lowest)": "write '2d6dl1'",
    "d6 or 4, whichever is higher": "write 'max(d6, 4)'",
    "1d6 or 1d4 (whichever is lower)": "write 'min(1d6, 1d4)'",
    "2d20 kh1": "a modifier follows its dice",
    "1d6 - 2 (minimum 1)": "words do not calculate: write 'max(1d6 - 2, 1)'",
    "1d6 times ten": "'ten' is a name",
    "2d6 multiplied by 10": "write '2d6 * 10'",
    "1d6exploding": "dice explode by !",
    "1d6 + 1 per level": "write + level",
    "1d6/level damage": "write [level]d6",
    "best two of 3d6": "write '3d6kh2'",
    "2d20 take the worse": "write '2d20kl1'",
    "3d6 minus the lowest": "write '3d6dl1'",
    "d6 ± 1": "a sign adds, or subtracts",
}


def test_a_cell_whose_dice_are_changed_by_words_is_refused():
    for cell, message in CHANGED.items():
        with pytest.raises(dd.DiceError, match=re.escape(message)):
            rule(f"| d2 | A |\n| 1–2 | {cell} |")


def test_a_head_is_read_as_far_as_its_value_goes():
    halves = rule("| 2d6 / 2 | A |\n| 3 or less | low |\n| 4+ | high |")
    # By hand: a sum of 7 or less is halved to 3 or less.
    assert dd.odds(halves(), "A").exactly("low") == Fraction(21, 36)
    for head, message in {
        "2d20 take lower": "'2d20 take lower' cannot be rolled",
        "3d6 drop lowest": "'3d6 drop lowest' cannot be rolled",
        "half of 2d6": "'half of 2d6' cannot be rolled",
        "1d6, sixes explode": "'1d6 sixes explode' cannot be rolled",
        "Roll 2d6, plus your Heart": "nothing says what 'Heart' can be; write heart: 0 (0 to 3)",
        "1d6 x 10": "",
        "4dF": "",
    }.items():
        table = f"| {head} | A |\n| 10 or less | x |\n| 11+ | y |"
        if message:
            with pytest.raises(dd.DiceError, match=re.escape(message)):
                rule(table)
        else:
            assert rule(table)


HEADS = {
    # What is there for each of something, or only then, is refused.
    "d6 + 1 per level": "write + level",
    "1d6 + 2 per level": "write + 2 * level",
    "2d6 + 1 for each ally": "write + ally",
    "2d6, +2 for every ally": "write + 2 * ally",
    "2d6 and add 1 for each ally": "write + ally",
    "2d6 + 1d6 per ally": "write [ally]d6",
    "d100 (+10% per day)": "write + 10 * day",
    "d6 per level": "write [level]d6",
    "1d6/level": "write [level]d6",
    "2d6 with +1 if wounded": "'2d6, +1 if wounded' is no number that chooses a row",
    "2d6 + 1 (if wounded)": "write dice, and a name for what is added, as in 2d6 + danger",
    "d6 (+1)": "write 'd6 + 1'",
    "d6 ± 1": "write + and a name that may be below 0, as in 2d6 + modifier",
    "d20 (modified by Wisdom)": "write + Wisdom",
    # A name is added, whatever stands before it.
    "d8 times your level": "nothing says what 'level' can be; write level: 0 (0 to 3)",
    "d8 × level": "the rows depend on 'd8 × level'",
    "1d6 + half your level": "the rows depend on '1d6 + level / 2'",
    "1d6 + 1/2 level": "the rows depend on '1d6 + level / 2'",
    "1d6 plus twice your level": "the rows depend on '1d6 + 2 * level'",
    "d20 + your Wisdom modifier": "nothing says what 'Wisdom modifier' can be",
    "2d6 + the number of allies": "nothing says what 'allies' can be",
    "d6 + [level]": "nothing says what 'level' can be",
    "d6 + level (max 10)": "the rows depend on 'min(d6 + level, 10)'",
    # Which dice count.
    "best two of 3d6": "write '3d6kh2'",
    "the lower of two d20": "write '2d20kl1'",
    "take the worse of 2d20": "write '2d20kl1'",
    "2d20, take the worse": "write '2d20kl1'",
    "2d20 (better)": "write '2d20kh1'",
    "2d20, whichever is lower": "write '2d20kl1'",
    "2d20, the lower counts": "write '2d20kl1'",
    "d20 twice, take the better": "write '2d20kh1'",
    "3d6, best two": "write '3d6kh2'",
    "3d6 without the lowest": "write '3d6dl1'",
    "3d6, ignoring the lowest": "write '3d6dl1'",
    "4d6 kept highest 3": "write '4d6kh3'",
    "3d6, dropped lowest": "write '3d6dl1'",
    "4d6 (lowest dropped)": "write '4d6dl1'",
    "4d6, the lowest die is dropped": "write '4d6dl1'",
    "5d6, the two lowest are dropped": "write '5d6dl2'",
    "the middle of 3d6": "write '3d6dl1dh1'",
    "2d6 / 2, rounded up": "write 'ceil(2d6 / 2)'",
    "d6, open-ended": "found 'open'",
}


@every(("head", "message"), HEADS.items())
def test_a_head_is_read_whole_or_refused(head, message):
    with pytest.raises(dd.DiceError, match=re.escape(message)):
        rule(f"| {head} | A |\n| 1–7 | x |\n| 9+ | y |")


def test_rows_up_to_00_are_for_a_hundred_whatever_is_rolled():
    made: Any = rule("| d20 | A |\n| 01–50 | x |\n| 51–00 | y |")
    assert [fault.hint for fault in made._program.tables[0].faults()] == ["roll 1d100"]


def test_dice_may_be_thrown_for_each_of_something():
    for head in ("Encounter (1d6 per hex)", "Roll 1d6 each day"):
        assert dd.odds(rule(f"| {head} | A |\n| 1–5 | x |\n| 6 | y |")(), "A").p("y") == Fraction(1, 6)


def test_the_option_dice_is_read_as_a_head():
    for dice in ("1d6 + half your level", "1d6 + level (max 7)", "2d6, take the lower"):
        with pytest.raises(dd.DiceError) as by_option:
            rule("| Roll | A |\n| 1–7 | x |", dice)
        with pytest.raises(dd.DiceError) as by_head:
            rule(f"| {dice} | A |\n| 1–7 | x |")
        assert str(by_option.value) == str(by_head.value)


@every(
    ("sentence", "dice"),
    {
        "Roll 2d6 + 1 for each ally:": "2d6 + 1 per ally",
        "Roll 1d6 + half your level:": "1d6 + level / 2",
        "Roll d20 + your Wisdom modifier:": "d20 + Wisdom modifier",
        "Roll 2d20 and take the worse.": "2d20 take the worse",
        "Roll 2d6 (+1 if you are lost):": "2d6, +1 if you are lost",
        "Roll 2d6, and add 1 if you are lost:": "2d6, +1 if you are lost",
        "Roll a d6. Add 1 per level.": "d6 + 1 per level",
        "Roll a d6. Add 2 goblins to the map.": "d6",
        "Take the best two of 3d6.": "the best two of 3d6",
        # These say when dice are thrown.
        "Roll 1d6 + 1 if you are lost:": "1d6 + 1",
        "Roll 1d6 per hour, or 1d6 for each room:": "1d6",
        "Roll 1d6 on the worst table:": "1d6",
        "Roll 1d6+2 for each to see how many:": "1d6 + 2",
        "Roll 2d6+3 for each of your attributes:": "2d6 + 3",
        "Roll with the oil, which grants you a +1d4:": "1d4",
    }.items(),
)
def test_a_sentence_is_read_whole(sentence, dice):
    assert named_dice(sentence) == dice


def test_dice_with_modifiers_are_counted_in_cells_and_heads():
    again = rule("| 1d6r1 | A |\n| 2–3 | none |\n| 4–6 | 1d4r1 |")
    # By hand: five faces are left of the d6 and three of the d4.
    assert dd.odds(again(), "roll").to_dict() == {face: Fraction(1, 5) for face in range(2, 7)}
    assert dd.odds(again(), "A_rolled").to_dict() == {
        None: Fraction(2, 5), **{face: Fraction(3, 5) / 3 for face in (2, 3, 4)}
    }  # fmt: skip
    more = rule("| 1d6! | A |\n| 1–5 | low |\n| 6+ | high |")
    assert dd.odds(more(), "A").p("low") == Fraction(5, 6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"attack": 5, "armour": 1}, "attack: '5' is not a whole number from 1 to 4"),
        ({"attack": 1, "armour": 0}, "armour: '0' is not a whole number, at least 1"),
    ],
)
def test_a_number_outside_of_a_matrix_is_refused(parameters, message):
    with pytest.raises(dd.ParameterError) as error:
        rule(ATTACK)(**parameters)
    assert str(error.value) == message


def test_a_number_between_the_rows_is_said_to_have_none():
    gap = rule("| Level | Bonus |\n| 1 | 2 |\n| 5 | 3 |", "level")
    with pytest.raises(dd.DiceError, match=r"^no row covers level 3; add one to the table$"):
        gap(level=3).play(ScriptedDice([]))


def test_words_choose_a_row_and_a_column_in_whatever_case():
    assert played(rule(WEAPONS), weapon="short sword", armour="CHAIN MAIL") == "result=17"
    with pytest.raises(dd.ParameterError, match="'leather' is not 'No armour', 'Chain mail' or 'Plate'"):
        rule(WEAPONS)(weapon="Axe", armour="leather")


def test_words_may_be_declared_in_another_case_and_order_with_a_default():
    declared = rule(WEAPONS, parameters=(("armour", "plate / chain mail / no armour, what protects you"),))
    assert played(declared, weapon="Axe") == "result=15"
    assert played(declared, weapon="Axe", armour="No Armour") == "result=17"


def test_a_yes_or_no_chooses_too():
    shield = rule("| d2 × shield | no | yes |\n| 1 | a | b |\n| 2 | c | d |", parameters=(("shield", "no"),))
    assert [played(shield, [2]), played(shield, [1], shield=True)] == ["result=c, roll=2", "result=b, roll=1"]


def test_a_declared_word_without_a_column_is_a_fault():
    parameters = (("armour", "no armour / chain mail / plate / leather"),)
    assert faults(WEAPONS, parameters=parameters) == [("no column covers armour 'leather'", 1)]


def test_a_zero_is_the_highest_face_of_dice_that_show_it_so():
    tens = "".join(f"| {row % 10} | {row} |\n" for row in range(1, 11))
    assert faults(f"| d10 | What |\n{tens}") == []
    assert played(rule(f"| d10 | What |\n{tens}"), [10]) == "What=10, roll=10"
    assert faults("| d100 | What |\n| 01–99 | a |\n| 00 | b |") == []
    sixes = "".join(f"| {row} | {row} |\n" for row in range(6))
    assert faults(f"| d6 | What |\n{sixes}") == [("the rows cover 0–5, but a roll gives 1–6", 1)]


def test_a_word_in_two_rows_is_a_fault():
    assert faults("| Weapon | Cost |\n| Axe | 1 |\n| axe | 2 |", "weapon") == [("'axe' is in two rows", 3)]


@every(
    ("table", "dice", "fields", "message", "line"),
    [
        (WEAPONS, "", {"parameters": (("armour", "plate / chain mail"),)}, "'No armour' is not a value of 'armour'", 1),
        (WEAPONS, "", {"parameters": (("weapon", "0 (0 to 3)"),)}, "'Short sword' is not a number or a range", 2),
        (
            WEAPONS,
            "",
            {"parameters": (("armor", "plate / mail"),)},
            "armor: there is no such option, and no row depends",
            0,
        ),
        (WEAPONS, "", {"parameters": (("armour", "plate"),)}, "armour: 'plate' does not declare a parameter", 0),
        ("| level × level | 1 | 2 |\n| 1 | a | b |", "", {}, "both the rows and the columns depend on 'level'", 1),
        ("| class × level | 1 | 2 |\n| Thief | a | b |", "", {}, "'class' is a reserved name", 1),
        ("| play × level | 1 | 2 |\n| 1 | a | b |", "", {}, "'play' is a reserved name", 1),
        (
            "| d6 + luck × level | 1 | 2 |\n| 1–6 | a | b |",
            "",
            {},
            "the rows depend on 'd6 + luck', and nothing says",
            1,
        ),
        ("| d6 | x |\n| 1 | a |", " ", {}, "nothing says what to roll", 1),
        ("| d2 | A (b) | A b |\n| 1 | a | b |", "", {}, "the heads 'A (b)' and 'A b' would both be the fact A_b", 1),
        (
            "| d2 | A | A rolled |\n| 1 | d6 | b |",
            "",
            {},
            "the heads 'A' and 'A rolled' would both be the fact A_ro",
            1,
        ),
    ],
)
def test_what_cannot_be_looked_up_is_named_with_its_line(table, dice, fields, message, line):
    with pytest.raises(TableError) as error:
        reader(table, dice, **fields)
    assert str(error.value).startswith(message)
    assert error.value.line == line
    assert error.value.hint


def test_dice_may_choose_the_row_and_a_word_the_column():
    terrain = rule("| 2d6 × terrain | Plain | Deep wood |\n| 2–6 | Wolf | Bear |\n| 7–12 | 2d4 rats | nothing |")
    assert played(terrain, [6, 6, 3, 2], terrain="plain") == "result=2d4 rats, result_rolled=5, roll=12"
    # 2d6 is at most 6 in 15 of 36 ways.
    assert dd.odds(terrain(terrain="Deep wood")).to_dict() == {"Bear": Fraction(15, 36), "nothing": Fraction(21, 36)}


def test_words_over_a_table_know_what_a_roll_gives():
    made = rule("| 2d6 + danger | A |\n| 2-7 | x |\n| 8-15 | y |", parameters=(("danger", "0 (0 to 3)"),))
    values = OutcomeValues(made().play(ScriptedDice([4, 4])))
    assert [case.holds for case in read_words("roll | 2-7: Low. | 8-15: High.", values)] == [False, True]
    with pytest.raises(NotationError, match="'roll' is never 16: it is 2–15"):
        read_words("roll = 16 | a | b", values)


def test_dice_with_a_parameter_may_choose_the_row():
    table = "| d6 + danger × terrain | Plain | Sea |\n| 1–5 | a | b |\n| 6–9 | c | d |"
    danger = rule(table, parameters=(("danger", "0 (0 to 3)"),))
    assert played(danger, [4], terrain="sea", danger=2) == "result=d, roll=6"
    assert str(danger(terrain="sea", danger=2).play(ScriptedDice([4]))) == (
        "Dice: d6: 4\nRoll: 4 + 2 (danger) = 6\nResult: d"
    )
    assert [dd.odds(danger(terrain="Plain", danger=bonus)).p("c") for bonus in range(4)] == [
        Fraction(faces, 6) for faces in (1, 2, 3, 4)
    ]


CROSSED = "| d6 × d8 | 1–3 | 4–8 |\n| 1–2 | Wolf | Bear |\n| 3–6 | 2d4 rats | Wolf |"
TWO_KEYS = "| d6 | d8 | Result |\n| 1–2 | 1–3 | Wolf |\n| | 4–8 | Bear |\n| 3–6 | 1–3 | 2d4 rats |\n| | 4–8 | Wolf |"


@pytest.mark.parametrize("table", [CROSSED, TWO_KEYS])
def test_two_dice_choose_a_cell(table):
    two = rule(table)
    fact = next(iter(two.result().facts_of))
    assert two().play(ScriptedDice([3, 1, 4, 4])).facts("roll", f"{fact}_rolled") == f"roll=3 1, {fact}_rolled=8"
    ways = Counter(
        ("Wolf" if right <= 3 else "Bear") if left <= 2 else ("2d4 rats" if right <= 3 else "Wolf")
        for left, right in product(range(1, 7), range(1, 9))
    )
    assert dd.odds(two()).to_dict() == {word: Fraction(count, 48) for word, count in ways.items()}


# Tables of figures


def test_a_table_of_figures_is_looked_up_without_dice():
    levels = rule(LEVELS, "level")
    outcome = levels(level=5).play(ScriptedDice([3]))
    assert outcome.facts("Bonus", "HP", "Damage_rolled") == "Bonus=+3, HP=20, Damage_rolled=4"
    assert "roll" not in outcome.facts_of


def test_a_table_of_figures_may_go_by_words():
    assert played(rule("| Weapon | Cost |\n| Long sword | 15 |\n| Bow | 20 |", "weapon"), weapon="bow") == "Cost=20"


def test_a_number_with_a_sign_stands_for_itself_beside_dice():
    stress = rule("| d4 | Stress |\n| 1 | 1d3 |\n| 2 | +1 |\n| 3 | -2 |\n| 4 | calm |")
    rolled = [stress().play(ScriptedDice(dice)).fact("Stress_rolled") for dice in ([1, 3], [2], [3], [4])]
    assert rolled == [3, 1, -2, None]


# Cells against a formula


def differing(table: str, formula: str, dice: str = "") -> list[tuple[str, int]]:
    return [(fault.message, fault.line) for fault in check_cells(reader(table, dice), formula)]


NEEDED = """
    | level × armour | 1  | 2  | 3+ |
    | 1              | 18 | 17 | 16 |
    | 2–3            | 17 | 16 | 14 |
    | 4+             | 15 | —  |    |
    """


@every(
    ("table", "dice", "formula", "found"),
    [
        (
            NEEDED,
            "",
            "20 - level - armour",
            [
                ("level 3, armour 1: the table has 17, but 20 - level - armour is 16", 3),
                ("level 3, armour 2: the table has 16, but 20 - level - armour is 15", 3),
                ("level 2, armour 3: the table has 14, but 20 - level - armour is 15", 3),
            ],
        ),
        ("| level × armour | 1 | 2 |\n| 1 | 3 | 1 |", "", "Result = 3 × LEVEL \u2212 Armour", [
            ("level 1, armour 1: the table has 3, but 3 × LEVEL \u2212 Armour is 2", 2)
        ]),
        (LEVELS, "level", "Bonus = level / 4 + 2; average = mean(Damage)", []),
        (LEVELS, "level", "HP = 4 * Bonus + 3", [
            ("level 4: HP has 20, but 4 * Bonus + 3 is 15", 3),
            ("level 8: HP has 1,032 HP, but 4 * Bonus + 3 is 19", 4),
        ]),
        (LEVELS, "level", "Bonus = level", [
            ("level 1: Bonus has +2, but level is 1", 2),
            ("level 4: Bonus has +3, but level is 4", 3),
            ("level 8: Bonus has +4, but level is 8", 4),
        ]),
        ("| Weapon | Cost | Double |\n| Axe | 1 | 3 |\n| Bow | 4 | 8 |", "weapon", "Double = 2 * Cost", [
            ("weapon Axe: Double has 3, but 2 * Cost is 2", 2)
        ]),
        (
            "| Weapon | Dice | Mean |\n| Axe | 2d6 | 8 |\n| Bow | d8 | 4.5 |\n| Dart | d4 | 2 |",
            "weapon",
            "Mean = average(Dice)",
            [("weapon Axe: Mean has 8, but average(Dice) is 7", 2)],
        ),
        ("| d20 | Bonus |\n| 1–7 | 1 |\n| 8–20 | 2 |", "", "roll / 8 + 1", [
            ("roll 16: Bonus has 2, but roll / 8 + 1 is 3", 3)
        ]),
        ("| Armour class | Hits |\n| 1 | auto |", "armour class", "armour_class", [
            ("armour class 1: Hits has auto, but armour_class is 1", 2)
        ]),
    ],
)  # fmt: skip
def test_each_cell_is_held_against_the_formula(table, dice, formula, found):
    assert differing(table, formula, dice) == found


def test_a_cell_is_right_only_if_it_is_for_each_number_of_its_row():
    bonus = "| Level | Bonus |\n| 1–3 | 2 |\n| 4–8 | 3 |"
    assert differing(bonus, "level / 4 + 2", "level") == [("level 8: Bonus has 3, but level / 4 + 2 is 4", 3)]


def test_division_rounds_as_in_the_notation():
    assert differing("| Level | Half |\n| 5 | 2 |\n| 7 | 4 |", "level / 2", "level") == [
        (f"level 7: Half has 4, but level / 2 is {dd.odds('7 / 2').values[0]}", 3)
    ]


@every(
    ("formula", "message"),
    [
        ("20 - level - armor", "no column and no parameter is called 'armor'; did you mean 'armour'?"),
        ("20 - 1d6", "'20 - 1d6' is not a notation without dice"),
        ("20 -", "'20 -' is not a notation without dice: expected"),
        ("x = 3", "there is no column 'x'; known: 'result'"),
        ('"a"', "'\"a\"' is not a notation without dice"),
        (" ; ", "nothing says what the cells have to be"),
        ("mean(x)", "there is no column 'x'"),
    ],
)
def test_a_formula_that_is_none_is_refused(formula, message):
    with pytest.raises(dd.DiceError) as error:
        differing(NEEDED, formula)
    assert str(error.value).startswith(message)


def test_a_formula_names_its_column_if_there_are_several():
    with pytest.raises(dd.DiceError, match=r"^'level' does not name a column; write Bonus = level$"):
        differing(LEVELS, "level", "level")


def test_what_has_no_number_where_the_formula_wants_one_is_a_fault_of_its_row():
    assert differing(LEVELS, "Bonus = Damage", "level")[0] == (
        "level 1: Damage is '2d6', which is not a whole number",
        2,
    )
    assert differing("| level × armour | 1 | 2 |\n| 1 | 3 | 4 |", "6 / (armour - 1)") == [
        ("level 1, armour 1: '6 / (armour - 1)' is not a notation without dice: 6 / 0 has no value", 2),
        ("level 1, armour 2: the table has 4, but 6 / (armour - 1) is 6", 2),
    ]


def test_of_many_wrong_cells_some_are_named_and_the_others_counted():
    table = "| Level | A |\n" + "\n".join(f"| {level} | 0 |" for level in range(1, 101))
    found = differing(table, "level", "level")
    assert len(found) == 21
    assert found[-1] == ("80 more cells differ", 1)


def test_a_row_for_too_many_numbers_is_not_checked_number_by_number():
    with pytest.raises(dd.LimitError, match="the limit ITEMS is 1000"):
        differing("| Level | A |\n| 1–2000 | 0 |", "level", "level")


# Several rows


def drawn_odds(rows: dict[str, int], number: int, *, repeats: bool) -> dict[tuple[str, ...], Fraction]:
    """Return the odds of each order, given how many faces each row has: one draw after the other, without our code."""
    odds: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for _ in range(number):
        following: dict[tuple[str, ...], Fraction] = {}
        for before, probability in odds.items():
            left = {row: faces for row, faces in rows.items() if repeats or row not in before}
            for row, faces in left.items():
                following[*before, row] = probability * Fraction(faces, sum(left.values()))
        odds = following
    return odds


@every("number", [1, 2, 3])
@every("repeats", [True, False])
def test_the_odds_of_several_rows_are_exact(number, repeats):
    draw = rule(WEATHER, draw=f"{number}{'' if repeats else ' without repeats'}")
    expected = drawn_odds({"Storm": 1, "Rain": 2, "Fair sky": 3}, number, repeats=repeats)
    assert dd.odds(draw(), "Weather").to_dict() == expected


# How often a cell rolls on another table

GEMS = page_table("| d2 | Gem |\n| 1 | opal |\n| 2 | ruby |", id="book/gem")


def cell(text: str, *others: PageRule) -> type[Mechanic]:
    """Return a table of one row, beside one of gems."""
    return book_mechanics([GEMS, *others, page_table(f"| d1 | Loot |\n| 1 | {text} |")])["book/test"]


@every(
    ("text", "dice", "expected"),
    [
        ("[gem]", [1, 2], "ruby"),
        ("Roll once on [gem]", [1, 2], "ruby"),
        ("Roll twice on [gem]", [1, 2, 1], "ruby opal"),
        ("twice more on the [gem] table", [1, 2, 1], "ruby opal"),
        ("Roll 3 times on [book/gem]", [1, 2, 1, 1], "ruby opal opal"),
        ("three rolls on the [gem]", [1, 2, 1, 1], "ruby opal opal"),
        ("[gem] twice", [1, 2, 1], "ruby opal"),
        ("[gem] (roll two times)", [1, 2, 1], "ruby opal"),
        ("[gem] × 2", [1, 2, 1], "ruby opal"),
        ("2 × [gem]", [1, 2, 1], "ruby opal"),
        ("[gem] × 1d4", [1, 2, 2, 1], "ruby opal"),
        ("Roll on [gem], 1d4 times; then 1d6 gp", [1, 2, 2, 1, 5], "ruby opal 5"),
        ("[gem] (1d4-1 times)", [1, 1], "none"),
        ("Roll twice: [gem]", [1, 2, 1], "ruby opal"),
        ("1d4 times [gem]", [1, 2, 2, 1], "ruby opal"),
        ("1d4 rolls on [gem]", [1, 2, 2, 1], "ruby opal"),
        ("1d4-1 rolls on [gem]", [1, 1], "none"),
        ("roll d4 times on [gem], then 1d6 gp", [1, 1, 2, 5], "ruby 5"),
        ("1d2 x [gem], 1d2 rolls on [gem]", [1, 1, 2, 2, 1, 1], "ruby opal opal"),
        ("2d4 thieves with [gem]", [1, 2, 1, 2], "3 ruby"),
        ("[gem] × 1d4", [1, 2, 2, 1], "ruby opal"),
        ("[gem] (1d4)", [1, 2, 2, 1], "ruby opal"),
        ("[gem], rolled 1d4 times", [1, 2, 2, 1], "ruby opal"),
        ("[gem] (1d4 gp)", [1, 2, 3], "ruby 3"),
        # There is no such table, so the number is thrown all the same.
        ("1d4 rolls on [the wall]", [1, 3], "3"),
        ("1d4 × [the wall]", [1, 3], "3"),
    ],
)
def test_a_cell_rolls_on_another_table_as_often_as_it_says(text, dice, expected):
    outcome = cell(text)().play(ScriptedDice([1, *dice[1:]]))
    assert outcome.facts("Loot_rolled") == f"Loot_rolled={expected}"


def test_how_often_a_cell_rolls_on_a_table_is_a_number():
    refused = ["several rolls on [gem]", "Roll a few times on the [gem] table", "a couple of rolls on [gem]"]
    wrong = []
    for text in refused:
        try:
            cell(text)
        except TableError as error:
            if "is no number" not in error.message or not error.hint.startswith("write 1d4 rolls on [gem], or roll"):
                wrong.append((text, str(error)))
        else:
            wrong.append((text, "is not refused"))
    assert not wrong
    with pytest.raises(TableError) as info:
        rule(WEATHER, draw="1d4")
    assert "'1d4' is not a number of rows to draw" in info.value.message
    assert info.value.hint.startswith("write draw: 2 (1 to 4)")


def test_the_odds_of_rolling_on_a_table_so_often_as_a_die_says():
    odds = dd.odds(cell("1d2 rolls on [gem]")(), "Loot_rolled").to_dict()
    assert odds == {("opal",): Fraction(1, 4), ("ruby",): Fraction(1, 4)} | {
        pair: Fraction(1, 8) for pair in product(("opal", "ruby"), repeat=2)
    }


def test_a_table_may_roll_on_itself_where_that_ends():
    own = page_table("| d4 | Omen |\n| 1-3 | rain |\n| 4 | Roll twice on [omen] |", id="book/omen")
    assert list(find_link_faults({own.id: own})) == []
    omen = book_mechanics([own])["book/omen"]
    # The row that rolls twice is rolled again without itself.
    assert omen().play(ScriptedDice([4, 1, 4, 4, 2])).fact("Omen_rolled") == ("rain", "rain")
    assert dd.odds(omen(), "Omen").p("= rain") == Fraction(3, 4)
    one = page_table("| d2 | A |\n| 1 | [two] |\n| 2 | [one] |", id="book/one")
    two = page_table("| d2 | B |\n| 1 | [one] |\n| 2 | [two] |", id="book/two")
    circles = [fault.message for _id, fault in find_link_faults({"book/one": one, "book/two": two})]
    assert circles[0] == "these tables roll on each other without end: book/one → book/two → book/one"
    assert len(circles) == 4


def test_rows_that_roll_on_their_own_table_do_so_without_themselves():
    rows = "| d6 | Omen |\n| 1-3 | rain |\n| 4 | frost |\n| 5 | [omen] again |\n| 6 | Roll twice on [omen] |"
    omen = book_mechanics([page_table(rows, id="book/omen")])["book/omen"]

    def shown(without=()):
        """Return the chances of what a roll on the other rows shows."""
        found = Counter()
        faces = [face for face in range(1, 7) if face not in without]
        for face in faces:
            chance = Fraction(1, len(faces))
            if face < 5:
                found["rain" if face < 4 else "frost"] += chance
                continue
            inner = shown((*without, face))
            for each in product(inner.items(), repeat=face - 4):
                said = ", ".join(text for text, _ in each)
                found[f"{'[omen] again' if face == 5 else 'Roll twice on [omen]'} ({said})"] += chance * prod(
                    part for _, part in each
                )
        return found

    rolled = Counter()
    for face in range(1, 7):
        if face < 5:
            rolled[()] += Fraction(1, 6)
        else:
            for each in product(shown((face,)).items(), repeat=face - 4):
                rolled[tuple(text for text, _ in each)] += prod(part for _, part in each) / 6
    assert dd.odds(omen(), "Omen_rolled").to_dict() == dict(rolled)
    assert sum(rolled.values()) == 1
    two = omen().play(ScriptedDice([6, 5, 6, 5, 2, 6, 4]))
    assert two.fact("Omen_rolled") == ("[omen] again (rain)", "frost")


NAMES = """
    | d4  | First | Last        |
    | 1–2 | Ada   | Weaver      |
    | 3–4 | Bo    | Hill [gem]  |
    """


def test_a_row_is_rolled_for_each_column():
    named = book_mechanics([GEMS, page_table(NAMES, draw="each column")])["book/test"]
    assert played(named, [3, 1]) == "First=Bo, First_roll=3, Last=Weaver, Last_rolled=none, Last_roll=1"
    assert played(named, [2, 4, 2]) == "First=Ada, First_roll=2, Last=Hill [gem], Last_rolled=ruby, Last_roll=4"
    assert set(dd.odds(named(), "First", "Last").to_dict().values()) == {Fraction(1, 4)}
    assert dd.odds(named(), "Last_rolled").p("= ruby") == Fraction(1, 4)
    with pytest.raises(TableError, match="there is only one column to roll for"):
        rule("| d2 | A |\n| 1–2 | a |", draw="each column")


def test_rows_of_one_number_each_are_dealt_like_cards():
    draw = rule("| d6 | Number |\n" + "\n".join(f"| {face} | {face} |" for face in range(1, 7)), draw="3 no repeats")
    ours: Counter[tuple[int, ...]] = Counter()
    for faces, probability in dd.odds(draw(), "Number").to_dict().items():
        ours[tuple(sorted(faces))] += probability
    dealt = icepool.Deck(range(1, 7)).deal(3).expand()
    assert dict(ours) == {cards: dealt.probability(cards) for cards in dealt}


def test_the_odds_of_what_is_thrown_in_drawn_rows_are_exact():
    draw = rule(WEATHER, draw="2 without repeats")
    dice = {"Storm": (2, 6), "Fair sky": (1, 4)}
    expected: Counter[tuple[int, ...]] = Counter()
    for rows, probability in drawn_odds({"Storm": 1, "Rain": 2, "Fair sky": 3}, 2, repeats=False).items():
        thrown = [dice[row] for row in rows if row in dice]
        faces = [[sum(each) for each in product(range(1, sides + 1), repeat=count)] for count, sides in thrown]
        for sums in product(*faces):
            expected[sums] += probability / Fraction(len(list(product(*faces))))
    assert dd.odds(draw(), "Wind_rolled").to_dict() == dict(expected)
    joint = dd.odds(draw(), "Weather", "roll")
    assert joint.p((("Storm", "Rain"), (1, 3))) == Fraction(1, 6) * Fraction(1, 5)


def test_a_row_that_came_up_already_is_thrown_again():
    outcome = rule(WEATHER, draw="3 without repeats")().play(ScriptedDice([2, 3, 1, 4, 3, 1, 2, 6, 4]))
    assert outcome.facts() == "Weather=Rain; Storm; Fair sky, Wind=none; 2d6 knots; 1d4, Wind_rolled=7 4, roll=2 1 6"
    assert outcome.dice == (2, 3, 1, 4, 3, 1, 2, 6, 4)
    assert str(outcome).splitlines() == [
        "Draw 1:",
        "  Dice: d6: 2",
        "  Weather: Rain",
        "  Wind: none",
        "Draw 2:",
        "  Dice: d6: 3",
        "  Already drawn: Rain",
        "Draw 3:",
        "  Dice: d6: 1",
        "  Weather: Storm",
        "  Dice: 2d6: 4 + 3 = 7",
        "  Wind: 2d6 knots (7)",
        "Draw 4:",
        "  Dice: d6: 1",
        "  Already drawn: Storm",
        "Draw 5:",
        "  Dice: d6: 2",
        "  Already drawn: Rain",
        "Draw 6:",
        "  Dice: d6: 6",
        "  Weather: Fair sky",
        "  Dice: d4: 4",
        "  Wind: 1d4 (4)",
    ]


def test_a_list_of_rows_is_read_again_from_its_text():
    draw = rule(WEATHER, draw="2")
    for name, kind in draw.fact_kinds().items():
        for seed in range(20):
            value = draw().play(SeededDice(seed)).fact(name)
            assert kind.read(kind.write(value)) == value


def test_a_player_may_choose_how_many_rows_are_drawn():
    draw = rule(WEATHER, draw="2 (1 to 3) without repeats")
    assert played(draw, [2, 2, 4, 1]) == "Weather=Rain; Fair sky, Wind=none 1d4, Wind_rolled=1, roll=2 4"
    assert draw(draw=1).play(ScriptedDice([2])).facts("Weather") == "Weather=Rain"
    with pytest.raises(dd.ParameterError, match="draw: '4' is not a whole number from 1 to 3"):
        draw(draw=4)


def test_rows_are_drawn_by_two_dice_too():
    draw = rule(CROSSED, draw="2 without repeats")
    assert draw().play(ScriptedDice([1, 1, 1, 2, 6, 8])).facts("result", "roll") == "result=Wolf Wolf, roll=1 1 6 8"


@every(
    ("draw", "message"),
    [
        ("4 without repeats", "4 rows are drawn without repeats, and there are only 3"),
        ("2 (1 to 4) without repeats", "4 rows are drawn without repeats, and there are only 3"),
        ("0", "draw: less than one row cannot be drawn"),
        ("2 (0 to 3)", "draw: less than one row cannot be drawn"),
        ("2 (1+)", "draw: '2 (1+)' has no bounds on both sides"),
        ("many", "draw: 'many' is not a number of rows to draw"),
        ("none / one", "draw: 'none / one' is not a number of rows to draw"),
        ("1001", "draw: 1001 values in one list"),
    ],
)
def test_more_rows_than_there_are_and_what_is_no_number_are_refused(draw, message):
    with pytest.raises(TableError) as error:
        rule(WEATHER, draw=draw)
    assert str(error.value).startswith(message)
    assert error.value.hint


def test_nothing_is_drawn_without_dice():
    with pytest.raises(TableError, match="no dice choose a row, so each draw is the same"):
        rule(WEAPONS, draw="2")
    with pytest.raises(TableError, match="the option draw says how many rows are drawn, and a row depends on the same"):
        rule("| d6 + draw | A |\n| 1–8 | a |", draw="1 (1 to 2)", parameters=(("draw", "0 (0 to 2)"),))


def test_too_many_orders_are_refused_with_what_to_do():
    hundred = rule("| d100 | A |\n" + "\n".join(f"| {at} | a{at} |" for at in range(1, 101)), draw="3 without repeats")
    with pytest.raises(dd.LimitError) as error:
        dd.odds(hundred(), "A")
    assert error.value.limit == "BRANCHES"
    assert error.value.hint == "draw fewer rows, or take samples: estimate(...)"


def test_where_the_rows_that_can_come_up_run_out_it_is_said():
    table = "| d4 + luck | A |\n| 1–4 | a |\n| 5–6 | b |"
    draw = rule(table, draw="2 without repeats", parameters=(("luck", "0 (0 to 2)"),))
    assert dd.odds(draw(luck=1), "A").to_dict() == {("a", "b"): Fraction(3, 4), ("b", "a"): Fraction(1, 4)}
    with pytest.raises(dd.DiceError, match="every possible row has been drawn; draw fewer"):
        dd.odds(draw(), "A")
    with pytest.raises(dd.LimitError, match="the limit ROUNDS is 2000; make sure the rule ends"):
        draw().play(SeededDice(1))


# Good and bad


MEANINGS = (("success", "strong hit"), ("partial", "weak hit"), ("failure", "Miss"))


def word_faults(**fields: object) -> list[tuple[str, str, str]]:
    found = Program(page_table(MOVE, **fields)).word_faults()
    return [(option, fault.message, fault.hint) for option, fault in found]


def test_words_say_how_well_a_roll_went():
    fact = rule(MOVE, meanings=MEANINGS).result().facts_of["Result"]
    assert fact.verdict == {"Miss": "failure", "Weak hit": "partial", "Strong hit": "success"}
    assert word_faults(meanings=MEANINGS) == []
    for without in (rule(MOVE), rule(MOVE, meanings=MEANINGS, draw="2")):
        assert without.result().facts_of["Result"].verdict is None


def test_the_number_rolled_is_in_the_bands_of_these_words():
    move = rule(MOVE, meanings=MEANINGS)
    bands = odds_bands(move(), "roll")
    assert [(band.label, band.numbers) for band in bands] == [
        ("Miss", "2 to 6"), ("Weak hit", "7 to 9"), ("Strong hit", "10 or more")
    ]  # fmt: skip
    assert outcome_scale(move().play(ScriptedDice([3, 5]))).name == "Roll 8, in Weak hit (7 to 9)"
    assert odds_bands(rule(MOVE)(), "roll") == ()
    gap = rule("| d6 | A |\n| 1–2 | hit |\n| 4–6 | miss |", meanings=(("success", "hit"),))
    assert odds_bands(rule(CROSSED, meanings=(("success", "wolf"),))(), "result") == ()
    assert gap.result().facts_of["roll"].bands is None


def test_only_one_column_says_it():
    table = "| d4 | Kind | Result |\n| 1 | hit | hit |\n| 2–4 | thing | miss |"
    facts = rule(table, meanings=(("success", "hit"), ("failure", "miss"))).result().facts_of
    assert (facts["Kind"].verdict, facts["Result"].verdict) == (None, {"hit": "success", "miss": "failure"})


@every(
    ("meanings", "fields", "found"),
    [
        ((("success", "strong hitt, Miss"),), {}, (
            "success", "'strong hitt' is in no cell of Result", "did you mean 'Strong hit'?"
        )),
        ((("success", "strong hit"), ("failure", "miss, STRONG HIT")), {}, (
            "failure", "'STRONG HIT' is also listed as success", "leave it out of one of them"
        )),
        ((("success", "10+"),), {}, (
            "success", "'10+' is in no cell", "known: 'Miss', 'Strong hit', 'Weak hit', 'a', 'b', 'c'"
        )),
        ((("success", "strong hit"),), {"draw": "2"}, (
            "success",
            "several rows are drawn, so no single word says how well it went",
            "leave out success, or draw",
        )),
    ],
)  # fmt: skip
def test_a_word_that_stands_nowhere_or_in_two_options_is_a_fault(meanings, fields, found):
    assert word_faults(meanings=meanings, **fields) == [found]


def test_words_with_commas_are_separated_by_semicolons():
    table = "| d2 | Result |\n| 1 | Yes, but |\n| 2 | No, and |"
    verdict = (
        rule(table, meanings=(("success", "yes, but;"), ("failure", "no, and;"))).result().facts_of["Result"].verdict
    )
    assert verdict == {"Yes, but": "success", "No, and": "failure"}
    plain = rule("| d2 | Hit, dice | B |\n| 1 | d6 | d8 |", plain=("Hit, dice",))
    assert list(plain.result().facts_of) == ["Hit_dice", "B", "B_rolled", "roll"]
