"""Mistakes of an author, each of which is a warning with its file, its line, its cause and its remedy."""

import sys
import textwrap

import pytest

from .hostile import forget_games

GAME = """
from typing import Literal
from dicedocs import Dice, Mechanic, Outcome, Say, param, play

class Cast(Mechanic, id="spells/cast"):
    "Cast a spell."
    power: {parameter} = param(default={default})
    class Result(Outcome):
        total: {fact}
    def resolve(self, dice: Dice, say: Say) -> {returned}:
        face = say.sum("Power", dice.roll(6), 1)
        return {value}
"""
SOUND = {"parameter": "int", "default": "0", "fact": "int", "returned": "Result", "value": "self.Result(face)"}
CLASS, RETURN = "(spells.py:4, class Cast)", "(spells.py:11, in resolve)"
AFTER = f"{RETURN}, after the step 'Power: 4 + 1 = 5'"
ENGINE = {
    "a type of a parameter": (
        {"parameter": "tuple[int, int, int]", "default": "(1, 2, 3)"},
        f"TypeError: the field 'power': tuple[int, int, int] has no text form: use int, … {CLASS}",
    ),
    "a default of another type": (
        {"default": "'strong'"},
        f"TypeError: the field 'power': 'strong' is not a whole number {CLASS}",
    ),
    "a type that there is not": ({"parameter": "'Power'"}, f"NameError: name 'Power' is not defined {CLASS}"),
    "a type of a fact": (
        {"fact": "object"},
        f"TypeError: the fact 'total': <class 'object'> has no text form: … {CLASS}",
    ),
    "a return type": (
        {"returned": "int"},
        f"TypeError: Cast.resolve needs a return type that is an Outcome, as in -> Result {CLASS}",
    ),
    "a result that is none": (
        {"value": "5"},
        f"TypeError: Cast.resolve returned '5', which is not an Outcome {CLASS}",
    ),
    "an absent key": ({"value": "{}[None]"}, f"KeyError: None {AFTER}"),
    "an absent parameter": (
        {"value": "self.Result(self.HP)"},
        f"AttributeError: 'Cast' object has no attribute 'HP' {AFTER}",
    ),
    "a parameter of another mechanic": (
        {"value": "self.Result(play('dice/roll', notatoin='1').total)"},
        "ParameterError: there is no parameter 'notatoin' of dice/roll; did you mean 'notation'? " + AFTER,
    ),
    "an argument of a dice call": (
        {"value": "self.Result(dice.roll('six'))"},
        f"ParameterError: 'six' is not a number of sides; give a whole number {AFTER}",
    ),
    "a table without a row": (
        {"value": "self.Result(say.look_up('Effect', face, {9: 1}))"},
        "TypeError: the step 'Effect': no row of the table is for '5'; add a row None, for all lower numbers " + AFTER,
    ),
    "a fact that is another word": (
        {"fact": "Literal['hit', 'miss']", "value": "self.Result('graze')"},
        (
            "TypeError: the fact 'total' is declared as 'hit' or 'miss', and it is 'graze', of the type str; "
            f"change the annotation or the value {CLASS}"
        ),
    ),
    "a fact that is no whole number": (
        {"value": "self.Result(face / 2)"},
        (
            "TypeError: the fact 'total' is declared as a whole number, and it is '2.5', of the type float; "
            f"change the annotation or the value {CLASS}"
        ),
    ),
    "a fact that is a list": (
        {"fact": "tuple[int, ...]", "value": "self.Result([face])"},
        (
            "TypeError: the fact 'total' is declared as a whole number, or several separated by spaces, "
            f"and it is '[5]', of the type list; change the annotation or the value {CLASS}"
        ),
    ),
}
EXAMPLES = """
.. dice:example:: A
   :name: a
   :mechanic: spells/cast
   :dice: 4
   :expect: total=5

.. dice:example:: B
   :name: b
   :mechanic: spells/cast
   :dice: 4
   :expect: total=5
"""


@pytest.fixture
def spells(book):
    """A book with a game of its own, to which a test gives a mistake."""

    def write(**mistake):
        book.write("spells.py", GAME.format(**(SOUND | mistake)))
        book.write("conf.py", "import spells\n")
        forget_games("spells")
        sys.modules.pop("spells", None)
        return book

    yield write
    forget_games("spells")
    sys.modules.pop("spells", None)


def test_the_game_without_a_mistake_is_none(spells):
    book = spells()
    book.page(EXAMPLES)
    assert book.build().warnings == []


@pytest.mark.parametrize("builder", ["dummy", "doctest"])
@pytest.mark.parametrize(("mistake", "message"), ENGINE.values(), ids=ENGINE)
def test_a_mistake_in_a_game_is_one_warning_with_the_line_of_its_author(spells, mistake, message, builder):
    book = spells(**mistake)
    book.page(textwrap.dedent(EXAMPLES))
    # The doctest builder logs its failed tests as well.
    warning, *others = [each for each in book.build(builder).warnings if each.type]
    assert (warning.file, warning.line, warning.type) == ("index.rst", 7, "dicedocs.engine")
    start, _, end = f"the rule failed: {message}".partition("…")
    assert warning.text.startswith(f"a: {start}")
    assert warning.text.endswith(f"{end} (so for 1 more block)")
    assert others == []


def test_an_absent_game_is_one_warning_in_a_book(book):
    book.page(EXAMPLES)
    book.page(EXAMPLES.replace("cast", "rest").replace(": a", ": c").replace(": b", ": d"), "other.rst")
    first = book.build(jobs=2)
    [warning] = [each for each in first.warnings if each.type == "dicedocs.mechanic"]
    assert (warning.file, warning.line) == ("index.rst", 7)
    assert warning.text == "a: there is no mechanic 'spells/cast' (so for 3 more blocks)"
    again = [each for each in book.build().warnings if each.type == "dicedocs.mechanic"]
    assert again == [warning]


RST = """
Before.

.. dice:{directive} A
   :mechanic: methuen/expression
{blank}   :expression: 3d6
   :dice: 4 2 5
   :expect: total=11

   Prose.

After it.
"""
MARKDOWN = """
```{{dice:{directive}}} A
:mechanic: methuen/expression
{blank}:expression: 3d6
:dice: 4 2 5
:expect: total=11
{fence}
{after}
```{{dice:example}} B
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11
```
"""
NEAR = "there is no directive 'dice:exampel'; did you mean 'dice:example' or 'dice:table'?"
BELOW = "example-1: the option 'expression' is below a blank line; write all options directly below the title"
IN_PAGES = {
    "a directive that there is not": ("index.rst", {"directive": "exampel::"}, 7, "reference", NEAR),
    "one colon": (
        "index.rst",
        {"directive": "example:"},
        7,
        "reference",
        "'.. dice:example:' with one colon is a comment; write '.. dice:example::'",
    ),
    "a blank line among options": ("index.rst", {"blank": "\n"}, 10, "option", BELOW),
    "a directive that there is not, in MyST": ("index.md", {"directive": "exampel"}, 5, "reference", NEAR),
    "a blank line among options, in MyST": ("index.md", {"blank": "\n"}, 8, "option", BELOW),
    "a fence that is not closed": (
        "index.md",
        {"fence": ""},
        12,
        "option",
        "example-1: '```{dice:example} B' is inside of this block; close the fence above it",
    ),
    "a fence that is not closed above a heading": (
        "index.md",
        {"fence": "", "after": "## More\n\n```\n"},
        11,
        "option",
        "example-1: the heading 'More' is inside of this block; close the fence above it",
    ),
}


def page_with(name, **mistake):
    """Return the text of a page."""
    sound = {"directive": "example", "blank": "", "fence": "```", "after": ""}
    if name.endswith(".md"):
        return MARKDOWN.format(**(sound | mistake))
    return RST.format(**(sound | {"directive": "example::"} | mistake))


@pytest.mark.parametrize("name", ["index.rst", "index.md"])
def test_a_page_without_a_mistake_has_no_warning(book, name):
    book.page(page_with(name), name)
    assert book.build().warnings == []


@pytest.mark.parametrize(("name", "mistake", "line", "problem", "message"), IN_PAGES.values(), ids=IN_PAGES)
def test_a_mistake_in_a_page_names_its_line_and_its_remedy(book, name, mistake, line, problem, message):
    book.page(page_with(name, **mistake), name)
    found = [(each.file, each.line, each.type, each.text) for each in book.build().warnings]
    assert (name, line, f"dicedocs.{problem}", message) in found
