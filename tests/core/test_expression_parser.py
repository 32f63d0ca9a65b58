"""The trees that texts parse to."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dicedocs import limits, parsing
from dicedocs.errors import LimitError, NotationError
from dicedocs.syntax import parser
from dicedocs.syntax import tree as trees
from dicedocs.syntax.parser import parse_check, parse_expression
from dicedocs.syntax.tree import Chain, Compared, DiceTerm, Group, Number, Reference

from ..every import every
from ..hostile import NOTATIONS

TWO_D_SIX = DiceTerm(Number(2), Number(6))
STRENGTH = Reference("actor", "Strength")
DEFENSE = Reference("target", "Defense")


@every(
    ("text", "tree"),
    [
        ("5", Number(5)),
        ("007", Number(7)),
        ("2d6", TWO_D_SIX),
        ("2D6", TWO_D_SIX),
        ("d20", DiceTerm(Number(1), Number(20))),
        ("1d20", DiceTerm(Number(1), Number(20))),
        ("0d6", DiceTerm(Number(0), Number(6))),
        ("d1", DiceTerm(Number(1), Number(1))),
        ("[Strength]", STRENGTH),
        ("[Self Strength]", STRENGTH),
        ("[ Self   Strength ]", STRENGTH),
        ("[Target Defense]", DEFENSE),
        ("[Target\tDefense]", DEFENSE),
        ("[Health\n Maximum]", Reference("actor", "Health Maximum")),
        ("[Target Health Maximum]", Reference("target", "Health Maximum")),
        ("[Targeting]", Reference("actor", "Targeting")),
        ("[Selfless]", Reference("actor", "Selfless")),
        ("[target Defense]", Reference("actor", "target Defense")),
        ("[Self Target Health]", Reference("actor", "Target Health")),
        ("[Target Self]", Reference("target", "Self")),
        ("[2d6]", Reference("actor", "2d6")),
        ("[a (b]", Reference("actor", "a (b")),
        ("[Stärke]", Reference("actor", "Stärke")),
        ("[Level]d6", DiceTerm(Reference("actor", "Level"), Number(6))),
        ("2d[Target Size]", DiceTerm(Number(2), Reference("target", "Size"))),
        ("d[Size]", DiceTerm(Number(1), Reference("actor", "Size"))),
        ("[a d b]d[c d e]", DiceTerm(Reference("actor", "a d b"), Reference("actor", "c d e"))),
        ("(5)", Group(Number(5))),
        ("((5))", Group(Group(Number(5)))),
        ("1 + 2 - 3", Chain(Number(1), (("+", Number(2)), ("-", Number(3))))),
        ("1*2/3", Chain(Number(1), (("*", Number(2)), ("/", Number(3))))),
        ("1 + 2 * 3", Chain(Number(1), (("+", Chain(Number(2), (("*", Number(3)),))),))),
        ("1 * 2 + 3", Chain(Chain(Number(1), (("*", Number(2)),)), (("+", Number(3)),))),
        (
            "(1 + 2) + 3",
            Chain(Group(Chain(Number(1), (("+", Number(2)),))), (("+", Number(3)),)),
        ),
        (" \t\r\n2d6\f+\v\u00a0[Strength]\n", Chain(TWO_D_SIX, (("+", STRENGTH),))),
    ],
)
def test_an_expression_has_this_tree(text, tree):
    assert parse_expression(text) == tree
    assert type(parse_expression(text)) is type(tree)


@every("op", ["=", "!=", "<", "<=", ">", ">="])
@every("space", ["", " ", "\n"])
def test_a_check_has_two_sides_and_a_comparison(op, space):
    tree = parse_check(f"2d6{space}{op}{space}[Target Defense]")
    assert tree == Compared(TWO_D_SIX, op, DEFENSE)
    assert type(tree.op) is str


@every(
    ("text", "written"),
    [
        ("(2d6+[Intelligence])*2-[Target Defense]+5", "(2d6 + [Intelligence]) * 2 - [Target Defense] + 5"),
        ("d20", "1d20"),
        ("D[Self Size]", "1d[Size]"),
        ("[Self Self]", "[Self Self]"),
        ("[Self Self Health]", "[Self Self Health]"),
        ("[Self Target]", "[Self Target]"),
        ("[Self Targeting]", "[Targeting]"),
        ("[Target  Target  X]", "[Target Target X]"),
        ("((7))", "((7))"),
        ("8/4/2", "8 / 4 / 2"),
    ],
)
def test_the_text_of_a_tree_parses_to_the_tree(text, written):
    tree = parse_expression(text)
    assert trees.format(tree) == written
    assert parse_expression(written) == tree


def test_the_text_of_a_check():
    assert trees.format(parse_check("1d20+[Attack]>=[Target Defense]")) == "1d20 + [Attack] >= [Target Defense]"


def test_leaves_are_replaced_from_left_to_right():
    tree = parse_check("(1 + 2d6) * [A] - 3 = 4 / (5 + [B])")
    numbers = iter("123456789")
    numbered = trees.replace_leaves(tree, lambda _leaf: Number(int(next(numbers))))
    assert trees.format(numbered) == "(1 + 2) * 3 - 4 = 5 / (6 + 7)"
    every = [trees.format(node) for node in trees.nodes(tree) if trees.is_leaf(node)]
    assert every == ["1", "2d6", "2", "6", "[A]", "3", "4", "5", "[B]"]


def test_a_text_is_parsed_once():
    assert parse_expression("4d4 + 44") is parse_expression("4d4 + 44")
    assert parse_check("4d4 = 44") is parse_check("4d4 = 44")


def test_trees_are_frozen():
    with pytest.raises(AttributeError):
        parse_expression("1 + 2").rest = ()


def test_lark_is_imported_when_a_text_is_parsed_and_not_before():
    code = """
import sys
from dicedocs.expression import roll
from dicedocs.syntax import parser
assert "lark" not in sys.modules
parser.parse_expression("1d6")
assert "lark" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_grammar_is_read_from_the_folder_of_the_module(tmp_path):
    # As in an installed wheel: the package alone, in another folder.
    package = Path(trees.__file__).parents[1]
    archive = tmp_path / "copy.zip"
    with zipfile.ZipFile(archive, "w") as copy:
        for file in package.rglob("*"):
            if file.suffix in {".py", ".lark"}:
                copy.write(file, file.relative_to(package.parent))
    with zipfile.ZipFile(archive) as copy:
        copy.extractall(tmp_path)
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from dicedocs.syntax import parser
assert parser.__file__.startswith({str(tmp_path)!r})
parser.parse_expression("1d6")
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_threads_may_parse_at_once():
    texts = [f"({i}d6 + {i}) * 2 - [R{i}]" for i in range(200)]
    with ThreadPoolExecutor(8) as pool:
        parsed = list(pool.map(parse_expression, texts))
    assert [trees.format(tree) for tree in parsed] == texts


def test_the_longest_texts_that_are_allowed():
    chain = "+".join("1" * 500)
    assert len(parse_expression(chain).rest) == 499
    assert parse_expression("1" + " " * 999) == Number(1)
    names = "*".join(["[a]"] * 250)
    assert len(parse_expression(names).rest) == 249
    deep = "(" * 50 + "1d6" + ")" * 50
    assert trees.format(parse_expression(deep)) == deep
    side_by_side = "+".join(["(1)"] * 250)
    assert len(parse_expression(side_by_side).rest) == 249
    assert parse_expression("1d6 + [" + "(" * 60 + "]").rest[0][1].name == "(" * 60


@every(
    ("text", "limit"),
    [
        ("1" + " " * 1000, "TEXT"),
        ("1" * 100_000, "TEXT"),
        ("(" * 10_000, "TEXT"),
        ("(" * 51 + "1" + ")" * 51, "NESTING"),
        ("(" * 51, "NESTING"),
        ("1" * 13, "DIGITS"),
        ("0" * 12 + "1", "DIGITS"),
        ("1" * 13 + "d6", "DIGITS"),
        ("2d" + "1" * 13, "DIGITS"),
        ("1d1000001", "SIDES"),
        ("10001d6", "DICE"),
        ("5000d6 + (2 * 5001d4) * 0", "DICE"),
        ("999999999d999999999", "SIDES"),
    ],
)
def test_the_error_names_the_limit(text, limit):
    for parse in (parse_expression, parse_check):
        with pytest.raises(LimitError) as caught:
            parse(text)
        assert caught.value.limit == limit


def test_up_to_the_limits():
    assert parse_expression("1" * 12).value == 111_111_111_111
    assert parse_expression("10000d1000000").count.value == limits.DICE.maximum
    parse_expression("5000d6 + 5000d6")
    parse_check("5000d6 = 5000d6")
    with pytest.raises(LimitError):
        parse_check("5000d6 = 5001d6")
    # Digits in a name are not a number.
    parse_expression("[" + "1" * 20 + "]")


def test_zero_sides_are_refused_before_too_many_dice():
    with pytest.raises(NotationError):
        parse_expression("10001d0")


@pytest.mark.timeout(20)  # a pattern with catastrophic backtracking never ends
@every("text", NOTATIONS.values(), ids=NOTATIONS)
def test_hostile_text_is_refused_after_few_attempts(monkeypatch, text):
    parse_once = parsing.parse
    parsings = []

    def counting(lark, text, dialect):
        parsings.append(text)
        return parse_once(lark, text, dialect)

    monkeypatch.setattr(parser, "parse", counting)
    for parse in (parse_expression, parse_check):
        parsings.clear()
        with pytest.raises((NotationError, LimitError)) as caught:
            parse(text)
        assert str(caught.value)
        limit = getattr(caught.value, "limit", "")
        assert limit == limits.TEXT.name or len(text) <= limits.TEXT.maximum
        # Once as it is and once for each correction; a text that is too long or too deep is never parsed.
        assert len(parsings) <= (0 if limit in {limits.TEXT.name, limits.NESTING.name} else 22)
