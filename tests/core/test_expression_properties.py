"""Properties of every Expression, checked on random texts that are built together with their values."""

from __future__ import annotations

import operator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicedocs.errors import DiceError, NotationError
from dicedocs.expression.references import references, substitute
from dicedocs.expression.roll import Roller
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import SILENT, RecordingSay
from dicedocs.syntax import tree as trees
from dicedocs.syntax.parser import parse_check, parse_expression
from dicedocs.systems.methuen import work_out

from ..examples import many
from . import stage_oracle

ACTOR = {"Strength": 4, "Health Maximum": 20, "Debt": -3, "Nothing": 0, "Target Size": 6}
TARGET = {"Defense": 12, "Size": 8, "Nothing": 0, "Debt": -7}
OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": lambda a, b: a // b if b else 0}

tried = settings(max_examples=many(40), deadline=None, derandomize=True, database=None)


class Sample(NamedTuple):
    """A text with the faces that its dice show, its value and its number of operations."""

    text: str
    faces: tuple[int, ...]
    value: int
    operations: int = 0


spaces = st.sampled_from(["", "", " ", "  ", "\n", "\t"])


@st.composite
def numbers(draw):
    value = draw(st.integers(0, 30) | st.integers(0, 10**12 - 1))
    return Sample(str(value), (), value)


@st.composite
def resources(draw):
    scope, values = draw(st.sampled_from([("", ACTOR), ("Self ", ACTOR), ("Target ", TARGET)]))
    name = draw(st.sampled_from(sorted(values)))
    if not scope and name.startswith("Target "):
        scope = "Self "
    space = draw(spaces)
    return Sample(f"[{space}{scope}{name}{space}]", (), values[name])


@st.composite
def dice(draw):
    texts = [("", 1), ("[Strength]", 4), ("[Nothing]", 0)] + [(str(n), n) for n in range(4)]
    count_text, count = draw(st.sampled_from(texts))
    sides_text, sides = draw(st.sampled_from([("6", 6), ("1", 1), ("20", 20), ("[Target Size]", 8)]))
    faces = tuple(draw(st.lists(st.integers(1, sides), min_size=count, max_size=count)))
    return Sample(f"{count_text}{draw(st.sampled_from('dD'))}{sides_text}", faces, sum(faces))


def chain(parts, signs):
    """Draw chains of parts: the texts joined by operators, the value computed from left to right."""
    # A strategy that is made in each draw is looked through in each.
    several, operators = st.lists(parts, min_size=1, max_size=4), st.sampled_from(signs)

    @st.composite
    def chains(draw):
        first, *rest = draw(several)
        for part in rest:
            sign = draw(operators)
            first = Sample(
                f"{first.text}{draw(spaces)}{sign}{draw(spaces)}{part.text}",
                first.faces + part.faces,
                OPERATIONS[sign](first.value, part.value),
                first.operations + 1 + part.operations,
            )
        return first

    return chains()


def sums(parts):
    return chain(chain(parts, "*/"), "+-")


def grouped(parts):
    return st.builds(lambda sample, space: sample._replace(text=f"({space}{sample.text}{space})"), sums(parts), spaces)


leaves = numbers() | resources() | dice()
expressions = sums(st.recursive(leaves, lambda inner: leaves | grouped(inner), max_leaves=8)).filter(
    lambda sample: len(sample.text) <= 1000
)


def values_of(tree):
    """Return the value of each reference of a tree."""
    return [{"actor": ACTOR, "target": TARGET}[one.scope][one.name] for one in references(tree)]


def number(node):
    """Return what a tree came to: a number, or both sides of a comparison."""
    return (node.left.value, node.right.value) if isinstance(node, trees.Compared) else node.value


def rolled(tree, faces):
    """Return the value, not clamped, when the dice show exactly these faces."""
    script = ScriptedDice(faces)
    value = number(work_out(SILENT, tree, substitute(tree, ACTOR, TARGET), script))
    script.finish()
    return value


@tried
@given(expressions)
def test_an_expression_has_the_value_it_was_built_with(sample):
    assert rolled(parse_expression(sample.text), sample.faces) == sample.value


@tried
@given(expressions, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), expressions)
def test_a_check_has_the_values_its_sides_were_built_with(left, op, right):
    text = f"{left.text}{op}{right.text}"
    if len(text) <= 1000:
        tree = parse_check(text)
        assert tree.op == op
        assert rolled(tree, left.faces + right.faces) == (left.value, right.value)
        assert references(tree) == references(tree.left) + references(tree.right)


@tried
@given(expressions)
def test_the_text_of_a_tree_parses_to_that_tree(sample):
    tree = parse_expression(sample.text)
    written = trees.format(tree)
    if len(written) <= 1000:
        again = parse_expression(written)
        assert again == tree
        assert trees.format(again) == written


@tried
@given(expressions)
def test_no_stage_changes_the_value(sample):
    tree = parse_expression(sample.text)
    tree = stage_oracle.substitute(tree, values_of(tree))
    assert rolled(tree, sample.faces) == sample.value
    script = ScriptedDice(sample.faces)
    totals = [script.total(term.count.value, term.sides.value) for term in stage_oracle.dice_terms(tree)]
    tree = stage_oracle.roll(tree, totals)
    assert rolled(tree, ()) == sample.value
    done = ()
    for stage in (stage_oracle.parentheses, stage_oracle.multiply, stage_oracle.add):
        tree, operations = stage(tree)
        done += operations
        assert rolled(tree, ()) == sample.value
    assert tree == trees.Number(sample.value)
    assert stage_oracle.clamp(tree) == trees.Number(max(0, sample.value))
    assert len(done) == sample.operations
    for left, sign, right, value in done:
        assert OPERATIONS[sign](left, right) == value


@tried
@given(expressions, st.booleans())
def test_the_recorded_stages_agree_with_the_oracle(sample, in_a_check):
    text = f"{sample.text} >= {sample.text}" if in_a_check else sample.text
    if len(text) > 1000:
        return
    tree = (parse_check if in_a_check else parse_expression)(text)
    faces = sample.faces * (1 + in_a_check)
    values = values_of(tree)
    say = RecordingSay()
    raw = number(work_out(say, tree, substitute(tree, ACTOR, TARGET), ScriptedDice(faces)))
    assert raw == ((sample.value, sample.value) if in_a_check else sample.value)

    script = ScriptedDice(faces)
    after = [(tree, ()), (stage_oracle.substitute(tree, values), ())]
    terms = stage_oracle.dice_terms(after[-1][0])
    after.append((stage_oracle.roll(after[-1][0], [script.total(t.count.value, t.sides.value) for t in terms]), ()))
    for stage in (stage_oracle.parentheses, stage_oracle.multiply, stage_oracle.add):
        after.append(stage(after[-1][0]))
    after.append((stage_oracle.clamp(after[-1][0]), ()))
    for step, (before, _), (then, operations) in zip(say.steps, after, after[1:], strict=False):
        assert step.terms[0].value == trees.format(before)
        assert step.value == trees.format(then)
        assert step.operations == operations


@tried
@given(expressions, st.integers(0, 2**32))
def test_seeded_and_scripted_dice_agree(sample, seed):
    shown = []

    class NotedDice(SeededDice):
        def throw(self, count, sides):
            faces = super().throw(count, sides)
            shown.extend(faces)
            return faces

    tree = parse_expression(sample.text)
    substituted = substitute(tree, ACTOR, TARGET)
    value = number(work_out(SILENT, tree, substituted, NotedDice(seed)))
    assert rolled(tree, shown) == value
    assert number(work_out(RecordingSay(), tree, substituted, SeededDice(seed))) == value


@tried
@given(expressions)
def test_the_notation_that_everybody_types_comes_to_the_same(sample):
    tree = substitute(parse_expression(sample.text, "notation"), ACTOR, TARGET)
    try:
        assert Roller(ScriptedDice(sample.faces), SILENT).roll(tree, tree) == [sample.value]
    except DiceError as error:
        assert "has no value" in str(error)  # noqa: PT017


pieces = st.sampled_from(
    [*"0123456789dD+-*/()[]=<>! \n\t.,%^&|x×÷−–½²５d\0\ud800\u200b\"'{}_", "2d6", "[A]", "[Target B]", "[Self]",
     "Strength", " and ", " not ", " plus ", "kh1", "floor(", "==", "=>", "<>", "2 d 6", "1.5", "1,000", "- -"]
)  # fmt: skip
texts = st.text(max_size=40) | st.lists(pieces, max_size=25).map("".join)


def parsed_or_error(parse, text):
    """Return the tree of a text, or the error that parsing it raises."""
    try:
        return parse(text)
    except DiceError as error:
        return error


@settings(tried, max_examples=many(150))
@given(texts)
@pytest.mark.parametrize("parse", [parse_expression, parse_check])
def test_any_text_parses_or_raises_a_printable_error(parse, text):
    result = parsed_or_error(parse, text)
    if not isinstance(result, DiceError):
        assert parse(trees.format(result)) == result
        return
    assert all(line.isprintable() for line in str(result).split("\n"))
    if isinstance(result, NotationError):
        assert 0 <= result.at <= len(text)
        assert result.text == text
    # A corrected text in a hint is legal.
    start = result.hint.rfind("write '")
    shown = result.hint[start + 7 : -1]
    if start >= 0 and result.hint.endswith("'") and len(shown) > 10:
        assert not isinstance(parsed_or_error(parse, shown), DiceError)
