"""The six recorded stages: the text after each, and its operations."""

from __future__ import annotations

import pytest

import dicedocs as dd
from dicedocs.cli.game_messages import game_messages
from dicedocs.errors import ParameterError
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.steps import SILENT, Operation, RecordingSay
from dicedocs.syntax import tree as trees
from dicedocs.syntax.parser import parse_check, parse_expression
from dicedocs.systems.methuen import work_out

from ..every import every
from . import stage_oracle
from .stage_oracle import add, clamp, multiply, parentheses, roll, substitute

LABELS = ["Substitute", "Roll", "Parentheses", "Multiply and divide", "Add and subtract", "Clamp"]


def recorded(text, faces=(), actor=None, target=None, rule="expression"):
    """Return the value of a text, the texts from the first to the last, and the operations of each stage."""
    outcome = dd.play(f"methuen/{rule}", dice=list(faces), actor=actor or {}, target=target or {}, **{rule: text})
    steps = [step for step in outcome.steps() if step.verb == "rewrite"]
    assert [step.label for step in steps] == LABELS
    texts = [steps[0].terms[0].value, *(step.value for step in steps)]
    for step, before, after in zip(steps, texts, texts[1:], strict=False):
        assert step.terms[0].value == before
        assert step.idle == (before == after)
    done = [[f"{o.left} {o.sign} {o.right} = {o.value}" for o in step.operations] for step in steps]
    return outcome, texts, done


def test_the_label_of_each_stage_is_a_message_of_the_game():
    assert set(LABELS) <= set(game_messages("methuen"))


def test_the_worked_example_of_the_rules():
    value, texts, done = recorded(
        "(2d6+[Intelligence])*2-[Target Defense]+5", [3, 5], {"Intelligence": 4}, {"Defense": 12}
    )
    assert value.raw == 17
    assert texts == [
        "(2d6 + [Intelligence]) * 2 - [Target Defense] + 5",
        "(2d6 + 4) * 2 - 12 + 5",
        "(8 + 4) * 2 - 12 + 5",
        "12 * 2 - 12 + 5",
        "24 - 12 + 5",
        "17",
        "17",
    ]
    assert done == [[], [], ["8 + 4 = 12"], ["12 * 2 = 24"], ["24 - 12 = 12", "12 + 5 = 17"], []]


@every(
    ("text", "faces", "actor", "texts", "done"),
    [
        ("5", [], {}, ["5"] * 7, [[]] * 6),
        ("(5)", [], {}, ["(5)", "(5)", "(5)", "5", "5", "5", "5"], [[]] * 6),
        ("d20", [14], {}, ["1d20", "1d20", "14", "14", "14", "14", "14"], [[]] * 6),
        ("0d6", [], {}, ["0d6", "0d6", "0", "0", "0", "0", "0"], [[]] * 6),
        (
            "[Level]d[Size] + 1", [2, 3], {"Level": 2, "Size": 4},
            ["[Level]d[Size] + 1", "2d4 + 1", "5 + 1", "5 + 1", "5 + 1", "6", "6"],
            [[], [], [], [], ["5 + 1 = 6"], []],
        ),
        (
            "(5 - 8) + 10", [], {},
            ["(5 - 8) + 10"] * 3 + ["-3 + 10", "-3 + 10", "7", "7"],
            [[], [], ["5 - 8 = -3"], [], ["-3 + 10 = 7"], []],
        ),
        (
            "5 - [Debt]", [], {"Debt": -3},
            ["5 - [Debt]"] + ["5 - -3"] * 4 + ["8", "8"],
            [[], [], [], [], ["5 - -3 = 8"], []],
        ),
        ("5 - 8", [], {}, ["5 - 8"] * 5 + ["-3", "0"], [[], [], [], [], ["5 - 8 = -3"], []]),
        (
            "5 + 10 / 0", [], {},
            ["5 + 10 / 0"] * 4 + ["5 + 0", "5", "5"],
            [[], [], [], ["10 / 0 = 0"], ["5 + 0 = 5"], []],
        ),
        (
            "1 + 7 / 2 * 2 - 3 * 4", [], {},
            ["1 + 7 / 2 * 2 - 3 * 4"] * 4 + ["1 + 6 - 12", "-5", "0"],
            [[], [], [], ["7 / 2 = 3", "3 * 2 = 6", "3 * 4 = 12"], ["1 + 6 = 7", "7 - 12 = -5"], []],
        ),
        (
            "2 * ((1 + 2) * 3 - (4 + 1d6 * 2)) + (1 - 2)", [1], {},
            ["2 * ((1 + 2) * 3 - (4 + 1d6 * 2)) + (1 - 2)"] * 2
            + ["2 * ((1 + 2) * 3 - (4 + 1 * 2)) + (1 - 2)", "2 * 3 + -1", "6 + -1", "5", "5"],
            [
                [], [],
                ["1 + 2 = 3", "1 * 2 = 2", "4 + 2 = 6", "3 * 3 = 9", "9 - 6 = 3", "1 - 2 = -1"],
                ["2 * 3 = 6"], ["6 + -1 = 5"], [],
            ],
        ),
        (
            "[100% Sure] + 1", [], {"100% Sure": 2},
            ["[100% Sure] + 1"] + ["2 + 1"] * 4 + ["3", "3"],
            [[], [], [], [], ["2 + 1 = 3"], []],
        ),
    ],
)  # fmt: skip
def test_the_stages_of_an_expression(text, faces, actor, texts, done):
    _, recorded_texts, operations = recorded(text, faces, actor)
    assert recorded_texts == texts
    assert operations == done


def test_a_check_is_rewritten_as_one_text_and_each_side_is_clamped():
    value, texts, done = recorded(
        "1d20 + [Attack] >= [Target Defense]", [8], {"Attack": 6}, {"Defense": 12}, rule="check"
    )
    assert (value.left, value.right) == (14, 12)
    assert texts[2:] == ["8 + 6 >= 12"] * 3 + ["14 >= 12"] * 2
    assert done[4] == ["8 + 6 = 14"]

    value, texts, done = recorded("(1 - 2) * 3 = 5 - 4 * 2", rule="check")
    assert (value.left, value.right) == (0, 0)
    assert texts[3:] == ["-1 * 3 = 5 - 4 * 2", "-3 = 5 - 8", "-3 = -3", "0 = 0"]
    assert done[2:] == [["1 - 2 = -1"], ["-1 * 3 = -3", "4 * 2 = 8"], ["5 - 8 = -3"], []]


def test_dice_are_thrown_between_substituting_and_rolling():
    class RecordedDice(ScriptedDice):
        def total(self, count, sides, *, keep=None):
            total = super().total(count, sides, keep=keep)
            return say.record(f"{count}d{sides}", "throw", (), total)

    say = RecordingSay()
    tree = parse_expression("0 * 2d6 + (1d4 - 0d8) + [L]d10")
    work_out(say, tree, stage_oracle.substitute(tree, [1]), RecordedDice([1, 2, 3, 4]))
    # No dice, no throw.
    assert [step.label for step in say.steps] == [LABELS[0], "2d6", "1d4", "1d10", *LABELS[1:]]


def test_stages_need_no_recording():
    tree = parse_expression("2d6 - 20")
    assert work_out(SILENT, tree, tree, ScriptedDice([1, 2])) == trees.Number(-17)
    tree = parse_check("2d6 - 20 < 1")
    assert work_out(SILENT, tree, tree, ScriptedDice([1, 2])) == trees.Compared(trees.Number(-17), "<", trees.Number(1))


def test_the_dice_are_thrown_while_recording():
    tree = parse_expression("2d6")
    with pytest.raises(ParameterError):
        work_out(RecordingSay(), tree, tree, ScriptedDice([1]))


def test_a_play_is_not_remembered():
    text, actor = "([A] + 1d6) * [B]", {"A": 1, "B": 2}
    first = recorded(text, [3], actor)[1:]
    recorded(text, [6], {"A": -5, "B": 7})
    assert recorded(text, [3], actor)[1:] == first


def test_each_stage_of_the_oracle():
    tree = parse_expression("(2d6 + [Intelligence]) * 2 - [Target Defense] + 5")
    tree = substitute(tree, [4, 12])
    assert trees.format(tree) == "(2d6 + 4) * 2 - 12 + 5"
    tree = roll(tree, [8])
    assert trees.format(tree) == "(8 + 4) * 2 - 12 + 5"
    tree, done = parentheses(tree)
    assert (trees.format(tree), done) == ("12 * 2 - 12 + 5", (Operation(8, "+", 4, 12),))
    tree, done = multiply(tree)
    assert (trees.format(tree), done) == ("24 - 12 + 5", (Operation(12, "*", 2, 24),))
    tree, done = add(tree)
    assert (trees.format(tree), done) == ("17", (Operation(24, "-", 12, 12), Operation(12, "+", 5, 17)))
    assert clamp(tree) == tree
    assert clamp(trees.Number(-3)) == trees.Number(0)
    assert clamp(trees.Compared(trees.Number(-3), "=", trees.Number(2))).left == trees.Number(0)


def test_long_and_deep_texts_are_recorded_too():
    assert recorded("+".join(["d6"] * 333), [2] * 333)[0].raw == 666
    _, texts, done = recorded("(" * 50 + "1d6" + "+1)" * 50, [2])
    assert texts[3] == "52"
    assert len(done[2]) == 50
    value, texts, _ = recorded("*".join(["[a]"] * 250), actor={"a": 10**12 - 1})
    assert texts[-1] == str((10**12 - 1) ** 250)
    assert value.raw == (10**12 - 1) ** 250
