"""Each kind of warning: where it stands, what it says, that it can be silenced, and that it comes back."""

import pytest

from dicedocs_sphinx.diagnostics import Problem

from ..pango import has_pango

LANTERN = '''
"""A game that a project brings along, with faults for every occasion."""

from dicedocs import Dice, Mechanic, Outcome, Say, param


class Wick(str):
    """A type of its own that fails."""

    @classmethod
    def from_text(cls, text):
        if text == "wet":
            raise OSError("the wick is wet")
        return cls(text)


class Light(Mechanic, id="lantern/light"):
    """Roll a d6."""

    oil: int = param(default=1, low=0)
    wick: Wick = param(default=Wick("dry"))

    class Result(Outcome):
        lit: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        if self.oil == 9:
            raise ZeroDivisionError("no air <here>")
        return self.Result(dice.roll(6) + (1 if say and self.oil == 8 else 0))
'''
GOOD = """
.. dice:example:: Good
   :name: good
   :mechanic: lantern/light
   :dice: 4
   :expect: lit=4
"""
EACH = {
    Problem.MISMATCH: (
        GOOD.replace("lit=4", "lit=5"),
        9,
        "good: expected lit=5, got lit=4; write :expect: lit=4",
    ),
    Problem.UNVERIFIED: (
        GOOD.replace("   :expect: lit=4\n", ""),
        5,
        "good: nothing is expected; write :expect: lit=4",
    ),
    Problem.MECHANIC: (
        GOOD.replace("lantern/light", "lantern/ligth"),
        7,
        "good: there is no mechanic 'lantern/ligth'; did you mean 'lantern/light'?",
    ),
    Problem.OPTION: (
        GOOD.replace(":dice:", ":oill: 2\n   :dice:"),
        8,
        "good: there is no parameter 'oill' of lantern/light; did you mean 'oil'?",
    ),
    Problem.VALUE: (
        GOOD.replace(":dice:", ":oil: -1\n   :dice:"),
        8,
        "good: oil: '-1' is not a whole number, at least 0",
    ),
    Problem.FACT: (
        GOOD.replace("lit=4", "lid=4"),
        9,
        "good: expect: there is no fact 'lid'; did you mean 'lit'?",
    ),
    Problem.REFERENCE: (
        GOOD + "\nSee :dice:ref:`goood`.\n",
        11,
        "nothing is named 'goood'; did you mean 'good'?",
    ),
    Problem.DUPLICATE: (GOOD + GOOD, 12, "the name 'good' is taken already at {src}/index.rst:6; choose another one"),
    Problem.RULE: (GOOD + "\n.. dice:rule:: L1\n", 11, "L1: no passing block shows this rule"),
    Problem.TABLE: (
        GOOD + "\n.. dice:mechanic:: road/coin\n\n.. list-table::\n\n   * - 1\n     - Heads\n   * - 3\n     - Tails\n",
        15,
        "road/coin: nothing says what to roll; write dice: 1d3, or dice: level if a row is looked up by a name",
    ),
    Problem.LITERAL: (
        GOOD + "\n   The lantern\n   shows 5, not 4.\n",
        12,
        (
            "good: the number 5 is not one of this example's values; "
            "correct it, write it as a word, or take a fact or steps.LABEL by the role dice:fact"
        ),
    ),
    Problem.PAPER: (
        GOOD + "\nOne :math:`x^` more.\n",
        11,
        "the formula 'x^' cannot be set: MissingSuperScriptOrSubscriptError",
    ),
    Problem.ENGINE: (
        GOOD.replace(":dice:", ":oil: 9\n   :dice:"),
        7,
        "good: the rule failed: ZeroDivisionError: no air <here> (lantern.py:27, in resolve)",
    ),
}


@pytest.fixture
def lantern(book):
    book.write("lantern.py", LANTERN)
    book.write(
        "conf.py", "import sys; sys.modules.pop('lantern', None); import lantern; dicedocs_literal_numbers = True"
    )
    return book


def test_every_kind_is_documented_and_tried_here():
    assert set(EACH) == set(Problem) - {Problem.ENCODING}  # below: its page cannot be the first one
    for problem in Problem:
        assert problem.__doc__
        assert problem.__doc__.endswith(".")
        assert problem.__doc__ != Problem.__doc__


@pytest.mark.parametrize("problem", EACH, ids=lambda problem: problem.value)
def test_a_warning_says_what_is_wrong_and_where_can_be_silenced_and_comes_back(lantern, problem, monkeypatch):
    text, line, message = EACH[problem]
    if problem == Problem.PAPER:
        if not has_pango():
            pytest.skip("there is no Pango")
        # What is wrong is found before it is printed.
        monkeypatch.setattr("dicedocs_sphinx.paper.printing.print_book", lambda *_: None)
    lantern.page(text)
    builder = {Problem.RULE: "dice-report", Problem.PAPER: "dicebook"}.get(problem, "text")
    built = lantern.build(builder)
    [warning] = built.warnings
    assert warning.type == f"dicedocs.{problem.value}"
    assert (warning.file, warning.line) == ("index.rst", line)
    assert warning.text == message.format(src=lantern.src)
    # A page with a fault is made again, so a second build is not silent about it.
    assert lantern.build(builder).warnings == built.warnings
    assert lantern.build(builder, fresh=True, suppress_warnings=[f"dicedocs.{problem.value}"]).log == ""


def test_a_page_that_is_not_in_utf_8_is_named_and_left_out(lantern):
    lantern.page(f"{GOOD}\n.. toctree::\n\n   note")
    note = lantern.page("Words.", "note.rst", "Note")
    assert lantern.build("html").warnings == []
    note.write_bytes("Note\n====\n\nA caf\u00e9.\n".encode("latin-1"))
    built = lantern.build("html")
    [warning, *others] = built.warnings
    assert (warning.file, warning.line, warning.type) == ("note.rst", 4, "dicedocs.encoding")
    assert warning.text == "this page is not in UTF-8 (byte E9, after 'A caf'), and is left out; save it as UTF-8"
    assert all("note" in each.text for each in others)  # Sphinx on the table of contents
    assert "Lit" in built.read("index.html")
    assert lantern.build("html").warnings[0] == warning
    note.write_text("Note\n====\n\nA caf\u00e9.\n", "utf-8")
    assert lantern.build("html").warnings == []


def test_a_silenced_page_is_not_read_again(lantern):
    lantern.page(EACH[Problem.UNVERIFIED][0])
    doctree = lantern.folder / "doctrees/index.doctree"
    lantern.build(suppress_warnings=["dicedocs.unverified"])
    before = doctree.stat().st_mtime_ns
    lantern.build(suppress_warnings=["dicedocs.unverified"])
    assert doctree.stat().st_mtime_ns == before


def test_faults_of_a_game_never_stop_the_build(lantern):
    lantern.page("""
        .. dice:example::
           :mechanic: lantern/light
           :wick: wet
           :dice: 4

        .. dice:example::
           :mechanic: lantern/light
           :oil: 8
           :dice: 4
           :expect: lit=4

        Read on.
    """)
    for builder, name in (("html", "index.html"), ("text", "index.txt")):
        built = lantern.build(builder)
        assert [(w.line, w.type) for w in built.warnings] == [(7, "dicedocs.engine"), (11, "dicedocs.engine")]
        assert "OSError: the wick is wet" in built.warnings[0].text
        assert "while its steps are recorded" in built.warnings[1].text
        shown = built.read(name)
        assert "the wick is wet" in shown
        assert "Traceback" not in shown
        assert "Read on." in shown


def test_a_game_that_cannot_be_imported_is_a_mechanic_that_is_not_there(lantern, monkeypatch):
    monkeypatch.setattr("dicedocs.rules.registry._from_packages", lambda: {"broken": "no_such_module_at_all"})
    lantern.page(".. dice:example::\n   :mechanic: broken/thing\n   :seed: 1\n")
    [warning] = lantern.build().warnings
    assert (warning.line, warning.type) == (6, "dicedocs.mechanic")
    assert "no_such_module_at_all" in warning.text


def test_all_issues_of_an_example_are_reported_at_once(lantern):
    lantern.page("""
        .. dice:example::
           :name: Not a name
           :hide: stepps
           :class: 123 -
           :mechanic: lantern/light
           :mechanic: lantern/light
           :oil: x
           :wik: y
           loose
           :seed: 1
           :expect: lit=9
    """)
    built = lantern.build("html")
    assert [(w.line, w.type) for w in built.warnings] == [
        (6, "dicedocs.option"),
        (7, "dicedocs.option"),
        (8, "dicedocs.option"),
        (10, "dicedocs.option"),
        (11, "dicedocs.value"),
        (12, "dicedocs.option"),
        (13, "dicedocs.option"),
    ]
    assert built.read("index.html").count('class="dice-error"') == 7


def test_duplicate_names_are_reported_on_any_page(lantern):
    lantern.page(GOOD + "\n.. toctree::\n\n   a\n   b\n")
    lantern.page(GOOD + "\n.. include:: part.inc\n", "a.rst")
    lantern.page(".. include:: part.inc\n", "b.rst")
    lantern.write("part.inc", GOOD.replace("good", "shared"))
    for jobs in (1, 2):
        # By page in order; what two pages include is one example.
        [warning] = lantern.build(fresh=True, jobs=jobs).warnings
        assert (warning.file, warning.line) == ("index.rst", 6)
        assert warning.text.endswith("/a.rst:6; choose another one")


def test_a_rule_may_be_anything_but_the_build_does_not_hang_on_deep_recursion(lantern):
    lantern.write("lantern.py", LANTERN.replace("raise ZeroDivisionError", "return self.resolve(dice, say) #"))
    lantern.page(EACH[Problem.ENGINE][0])
    [warning] = lantern.build().warnings
    assert warning.type == "dicedocs.engine"
    assert "RecursionError" in warning.text
