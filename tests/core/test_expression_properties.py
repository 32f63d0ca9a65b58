"""What holds of every Expression: tried on texts whose value is known because both were made together."""

from __future__ import annotations

import operator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicedocs.errors import DiceError, NotationError
from dicedocs.expression import stages
from dicedocs.expression import tree as trees
from dicedocs.expression.evaluator import compiled, references, substitution
from dicedocs.expression.parser import parse_check, parse_expression
from dicedocs.rules.dice import ScriptedDice, SeededDice
from dicedocs.rules.steps import RecordingSay

ACTOR = {"Strength": 4, "Health Maximum": 20, "Debt": -3, "Nothing": 0, "Target Size": 6}
TARGET = {"Defense": 12, "Size": 8, "Nothing": 0, "Debt": -7}
WAYS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": lambda a, b: a // b if b else 0}

tried = settings(max_examples=40, deadline=None, derandomize=True, database=None)


class Made(NamedTuple):
    """A text, the faces its dice show, its value and how much arithmetic is in it."""

    text: str
    faces: tuple[int, ...]
    value: int
    operations: int = 0


spaces = st.sampled_from(["", "", " ", "  ", "\n", "\t"])


@st.composite
def numbers(draw):
    value = draw(st.integers(0, 30) | st.integers(0, 10**12 - 1))
    return Made(str(value), (), value)


@st.composite
def resources(draw):
    scope, values = draw(st.sampled_from([("", ACTOR), ("Self ", ACTOR), ("Target ", TARGET)]))
    name = draw(st.sampled_from(sorted(values)))
    if not scope and name.startswith("Target "):
        scope = "Self "
    space = draw(spaces)
    return Made(f"[{space}{scope}{name}{space}]", (), values[name])


@st.composite
def dice(draw):
    texts = [("", 1), ("[Strength]", 4), ("[Nothing]", 0)] + [(str(n), n) for n in range(4)]
    count_text, count = draw(st.sampled_from(texts))
    sides_text, sides = draw(st.sampled_from([("6", 6), ("1", 1), ("20", 20), ("[Target Size]", 8)]))
    faces = tuple(draw(st.lists(st.integers(1, sides), min_size=count, max_size=count)))
    return Made(f"{count_text}{draw(st.sampled_from('dD'))}{sides_text}", faces, sum(faces))


def chain(parts, signs):
    """Chains of parts: the text in a row, the value from left to right as Python counts it."""

    @st.composite
    def chains(draw):
        first, *rest = draw(st.lists(parts, min_size=1, max_size=4))
        for part in rest:
            sign = draw(st.sampled_from(signs))
            first = Made(
                f"{first.text}{draw(spaces)}{sign}{draw(spaces)}{part.text}",
                first.faces + part.faces,
                WAYS[sign](first.value, part.value),
                first.operations + 1 + part.operations,
            )
        return first

    return chains()


def sums(parts):
    return chain(chain(parts, "*/"), "+-")


def grouped(parts):
    return st.builds(lambda made, space: made._replace(text=f"({space}{made.text}{space})"), sums(parts), spaces)


leaves = numbers() | resources() | dice()
expressions = sums(st.recursive(leaves, lambda inner: leaves | grouped(inner), max_leaves=8)).filter(
    lambda made: len(made.text) <= 1000
)


def rolled(tree, faces):
    """The value before it is clamped, with just these faces."""
    script = ScriptedDice(faces)
    value = compiled(tree)(script, substitution(tree, ACTOR, TARGET))
    script.finish()
    return value


@tried
@given(expressions)
def test_an_expression_has_the_value_it_was_made_with(made):
    assert rolled(parse_expression(made.text), made.faces) == made.value


@tried
@given(expressions, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), expressions)
def test_a_check_has_the_values_its_sides_were_made_with(left, op, right):
    text = f"{left.text}{op}{right.text}"
    if len(text) <= 1000:
        tree = parse_check(text)
        assert tree.op == op
        assert rolled(tree, left.faces + right.faces) == (left.value, right.value)
        assert references(tree) == references(tree.left) + references(tree.right)


@tried
@given(expressions)
def test_the_text_of_a_tree_reads_as_that_tree(made):
    tree = parse_expression(made.text)
    written = trees.format(tree)
    if len(written) <= 1000:
        again = parse_expression(written)
        assert again == tree
        assert trees.format(again) == written


@tried
@given(expressions)
def test_every_stage_leaves_the_value_as_it_is(made):
    tree = parse_expression(made.text)
    tree, _ = stages.substitute(tree, substitution(tree, ACTOR, TARGET))
    assert rolled(tree, made.faces) == made.value
    script = ScriptedDice(made.faces)
    terms = [leaf for leaf in trees.leaves(tree) if isinstance(leaf, trees.DiceTerm)]
    tree, _ = stages.roll(tree, [script.total(term.count.value, term.sides.value) for term in terms])
    assert rolled(tree, ()) == made.value
    done = ()
    for stage in (stages.parentheses, stages.multiply, stages.add):
        tree, operations = stage(tree)
        done += operations
        assert rolled(tree, ()) == made.value
    assert tree == trees.Number(made.value)
    assert stages.clamp(tree)[0] == trees.Number(max(0, made.value))
    assert len(done) == made.operations
    for left, sign, right, value in done:
        assert WAYS[sign](left, right) == value


@tried
@given(expressions, st.booleans())
def test_what_is_told_is_what_the_stages_do(made, in_a_check):
    # The texts that are told are filled into gaps; here they are written from the trees.
    text = f"{made.text} >= {made.text}" if in_a_check else made.text
    if len(text) > 1000:
        return
    tree = (parse_check if in_a_check else parse_expression)(text)
    faces = made.faces * (1 + in_a_check)
    values = substitution(tree, ACTOR, TARGET)
    say = RecordingSay()
    raw = stages.tell(say, tree, values, ScriptedDice(faces))
    assert raw == ((made.value, made.value) if in_a_check else made.value)

    script = ScriptedDice(faces)
    after = [(tree, ()), stages.substitute(tree, values)]
    terms = [leaf for leaf in trees.leaves(after[-1][0]) if isinstance(leaf, trees.DiceTerm)]
    after.append(stages.roll(after[-1][0], [script.total(t.count.value, t.sides.value) for t in terms]))
    for stage in (stages.parentheses, stages.multiply, stages.add, stages.clamp):
        after.append(stage(after[-1][0]))
    for step, (before, _), (then, operations) in zip(say.steps, after, after[1:], strict=False):
        assert step.terms[0].value == trees.format(before)
        assert step.value == trees.format(then)
        assert step.operations == operations


@tried
@given(expressions, st.integers(0, 2**32))
def test_seeded_and_scripted_dice_agree(made, seed):
    shown = []

    class Noted(SeededDice):
        def throw(self, count, sides):
            faces = super().throw(count, sides)
            shown.extend(faces)
            return faces

    tree = parse_expression(made.text)
    values = substitution(tree, ACTOR, TARGET)
    value = compiled(tree)(Noted(seed), values)
    assert rolled(tree, shown) == value
    assert stages.tell(RecordingSay(), tree, values, SeededDice(seed)) == value


pieces = st.sampled_from(
    [*"0123456789dD+-*/()[]=<>! \n\t.,%^&|x×÷−–½²５d\0\ud800\u200b\"'{}_", "2d6", "[A]", "[Target B]", "[Self]",
     "Strength", " and ", " not ", " plus ", "kh1", "floor(", "==", "=>", "<>", "2 d 6", "1.5", "1,000", "- -"]
)  # fmt: skip
texts = st.text(max_size=40) | st.lists(pieces, max_size=25).map("".join)


def refusal(parse, text):
    """The error with which a text is refused, or the tree that it is."""
    try:
        return parse(text)
    except DiceError as error:
        return error


@settings(tried, max_examples=300)
@given(texts)
@pytest.mark.parametrize("parse", [parse_expression, parse_check])
def test_any_text_is_parsed_or_refused_with_an_error_that_can_be_shown(parse, text):
    found = refusal(parse, text)
    if not isinstance(found, DiceError):
        assert parse(trees.format(found)) == found
        return
    assert all(line.isprintable() for line in str(found).split("\n"))
    if isinstance(found, NotationError):
        assert 0 <= found.at <= len(text)
        assert found.text == text
    # A hint that shows the text corrected shows one that is legal.
    start = found.hint.rfind("write '")
    shown = found.hint[start + 7 : -1]
    if start >= 0 and found.hint.endswith("'") and len(shown) > 10:
        assert not isinstance(refusal(parse, shown), DiceError)
