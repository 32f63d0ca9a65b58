"""Rules in the lines of a page: printed, read with errors in their place, and played by examples anywhere."""

import json
import os
import pickle
import re
from html import unescape
from pathlib import Path

import pytest

import dicedocs as dd
from dicedocs.panel.page_player import PagePlayer
from dicedocs.rules.registry import announce_book
from dicedocs_sphinx.rolling.runtime_files import FILES

from ..command_server import APART, CommandServer, Starting
from .conftest import Book

SOURCES = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))}
MOVE = """
## Act under pressure

```{dice:mechanic} pbta/move
:stat: 0 (-1 to 3), what you are good at

total = 2d6
  + stat
result = total: 6- miss, 7-9 weak hit, 10+ strong hit

**On a miss** the GM moves.
```
"""
PLAYED = """
```{dice:example} Asa lifts the bar
:name: bar
:mechanic: pbta/move
:stat: 1
:dice: 4 3
:expect: total=8, result=weak hit
```

```{dice:claim} A hit
:mechanic: pbta/move
:claim: p(result = miss) = 15/36
```

```{dice:odds} All of it
:mechanic: pbta/move
:fact: result
:expect: p(miss)=41.7%, p(weak hit)=41.7%, p(strong hit)=16.7%
```
"""
TOC = "```{toctree}\nother\n```\n"


def rule(lines: str, options: str = "", below: str = "") -> str:
    """Return a rule in Markdown whose directive stands in line 5 of its page."""
    return f"```{{dice:mechanic}} ember/try\n{options}\n{lines}\n\n{below}\n```\n"


def restructured(lines: str, options: str = "") -> str:
    """Return a rule in reStructuredText whose directive stands in line 5 of its page."""
    inner = f"{options}\n{lines}".replace("\n", "\n   ")
    return f".. dice:mechanic:: ember/try\n   {inner}\n"


# Where it is played


def test_a_rule_is_played_on_its_page(book: Book) -> None:
    book.page(PLAYED + MOVE, "index.md", title="Move")
    assert book.build("text").log == ""


def test_a_rule_in_restructured_text_is_the_same(book: Book) -> None:
    lines = "total = 2d6\n  + stat\nresult = total: 6- miss, 7-9 weak hit, 10+ strong hit\n\n"
    lines += "**On a miss** | the \\*GM moves."
    book.page(restructured(lines, ":stat: 0 (-1 to 3)\n").replace("ember/try", "pbta/move"))
    book.page(PLAYED, "other.md")
    book.conf = "exclude_patterns = []"
    built = book.build("text", suppress_warnings=["toc.not_included"])
    assert built.log == ""
    assert "**On a miss** | the *GM moves." in built.read("index.txt")


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("first", "second"), [(MOVE, PLAYED), (PLAYED, MOVE)])
def test_a_rule_is_played_on_any_page(book: Book, first: str, second: str, jobs: int) -> None:
    book.page(first + TOC, "index.md")
    book.page(second, "other.md", title="Other")
    built = book.build("html", jobs=jobs)
    assert built.log == ""
    assert all(name in built.read("index.html") + built.read("other.html") for name in ("weak hit", "15/36", "41.7%"))


def test_what_plays_a_rule_is_checked_again_when_a_line_changes(book: Book) -> None:
    book.page(PLAYED + TOC, "index.md")
    book.page(MOVE, "other.md", title="Other")
    assert book.build("text").log == ""
    book.page(MOVE.replace("7-9 weak", "7-8 weak").replace("10+", "9+"), "other.md", title="Other")
    # 9 and more come up in 10 of 36 cases, 7 and 8 in 11.
    [odds] = book.build("text").warnings
    assert (odds.file, odds.line, odds.type) == ("index.md", 21, "dicedocs.mismatch")
    book.page(MOVE.replace("+ stat", "+ stat + 2"), "other.md", title="Other")
    assert [each.text.partition(",")[0] for each in book.build("text").warnings][:1] == ["bar: expected total=8"]
    book.page(MOVE, "other.md", title="Other")
    again = book.build("text")
    assert again.log == ""
    assert "weak hit" in again.read("index.txt")


def test_a_rule_that_is_gone_is_missed(book: Book) -> None:
    book.page(PLAYED + TOC, "index.md")
    book.page(MOVE, "other.md", title="Other")
    assert book.build("text").log == ""
    book.page("Nothing.", "other.md", title="Other")
    [missing] = book.build("text").warnings
    assert missing.text.startswith("bar: there is no mechanic 'pbta/move'")


def test_different_lines_of_one_id_are_an_error_and_equal_ones_are_one_rule(book: Book) -> None:
    book.page(MOVE + TOC, "index.md")
    book.page(MOVE, "other.md", title="Other")
    assert book.build("text").log == ""
    book.page(MOVE.replace("6- miss, 7-9", "7- miss, 8-9"), "other.md", title="Other")
    [twice] = book.build("text").warnings
    assert (twice.file, twice.type) == ("other.md", "dicedocs.duplicate")
    assert twice.text == f"the name 'pbta/move' is taken already at {book.src}/index.md:7; choose another one"


def test_a_rule_takes_the_table_in_it_or_the_next_one(book: Book) -> None:
    table = "| total | result |\n|---|---|\n| 2–6 | hostile |\n| 7+ | friendly |\n"
    played = "```{dice:example}\n:mechanic: ember/try\n:dice: 4 3\n:expect: result=friendly\n```\n"
    for page in (
        rule("total = 2d6\nresult = total:", below=table),
        rule("total = 2d6\nresult = total:") + "\nLook it up:\n\n" + table,
    ):
        book.page(page + "\n" + played, "index.md")
        assert book.build("text").log == ""


def test_a_table_behind_a_rule_without_a_gap_for_one_is_none_of_its(book: Book) -> None:
    book.page(rule("total = 2d6") + "\n| a | b |\n|---|---|\n| many | words |\n", "index.md")
    assert book.build("text").log == ""


# A table that says what its lines come to

ENCUMBRANCE = "limit = strength * 5\nheavy = limit > 60"


@pytest.mark.parametrize("inside", [True, False])
def test_a_table_that_a_rule_without_dice_states_is_compared_with_it(book: Book, inside: bool) -> None:
    table = "| Strength | Limit | Heavy |\n|---|---|---|\n| 1–2 | 10 lb | no |\n| 12 | 60 | no |\n| 13 | 65 | Yes |\n"
    stated = rule(ENCUMBRANCE, ":strength: 10 (1 to 20)", table if inside else "")
    page = book.page(stated + ("" if inside else f"\nAs a table:\n\n{table}"), "index.md")
    [wrong] = book.build("text").warnings
    assert (wrong.text, wrong.type) == (
        "ember/try: Strength 1: Limit has 10 lb, but the rule gives 5",
        "dicedocs.table",
    )
    assert page.read_text().splitlines()[wrong.line - 1].startswith("| 1–2")


def test_a_matrix_that_a_rule_states_has_its_main_fact(book: Book) -> None:
    table = "| level × armour | 0 | 2 |\n|---|---|---|\n| 1 | 19 | 17 |\n| 2 | 18 | — |\n| 3 | 18 | 15 |\n"
    options = ":level: 1 (1 to 9)\n:armour: 0 (0 to 9)"
    book.page(rule("base = 20 - level\nneeded = base - armour", options) + "\n" + table, "index.md")
    [wrong] = book.build("text").warnings
    assert wrong.text == "ember/try: level 3, armour 0: the table has 18, but the rule gives 17"


LYING = {
    "a title in its corner": (
        ["| Location | 1–5 | 6–10 |", "|---|---|---|", "| Head | 1 | 9 |", "| Arms | 2 | 3 |"],
        "con 6",
    ),
    "its parameter there": (["| con | 1–5 | 6–10 |", "|---|---|---|", "| arms | 2 | 3 |", "| head | 1 | 9 |"], "con 6"),
    "upright": (["| CON | Head | Arms |", "|---|---|---|", "| 1–5 | 1 | 2 |", "| 6–10 | 9 | 3 |"], "CON 6"),
    "another head": (["| Score | Head | Arms |", "|---|---|---|", "| 1–5 | 1 | 2 |", "| 6–10 | 9 | 3 |"], "con 6"),
}


@pytest.mark.parametrize(("table", "place"), LYING.values(), ids=LYING)
def test_a_table_that_lies_on_its_side_is_compared_with_its_rule(book: Book, table: list[str], place: str) -> None:
    page = rule("head = (con - 1) / 5 + 1\narms = head + 1", ":con: 10 (1 to 15)") + "\n" + "\n".join(table)
    path = book.page(page, "index.md")
    [wrong] = book.build("text").warnings
    assert wrong.text.casefold() == f"ember/try: {place}: head has 9, but the rule gives 2".casefold()
    assert "9" in path.read_text().splitlines()[wrong.line - 1]
    book.page(page.replace("9", "2"), "index.md")
    assert book.build("text").log == ""


def test_the_words_of_a_parameter_may_stand_along_the_top(book: Book) -> None:
    table = "\n|  | small | large |\n|---|---|---|\n| HP | 4 | 10 |\n| speed | 6 | 7 |\n"
    lines = "HP = 10 if size = large, else 4\nspeed = 6"
    book.page(
        rule(lines, ":size: small / large\n:age: 1 (1 to 9)").replace("speed = 6", "speed = 5 + age") + table,
        "index.md",
    )
    [wrong] = book.build("text").warnings
    assert wrong.text == "ember/try: size large: speed has 7, but the rule gives 6"


def test_a_table_that_fits_no_parameter_says_that_it_is_not_compared(book: Book) -> None:
    table = "\n| Score | Head |\n|---|---|\n| 1–5 | 1 |\n"
    book.page(rule("head = con / 5 + size", ":con: 10 (1 to 15)\n:size: 1 (1 to 3)") + table, "index.md")
    [wrong] = book.build("text").warnings
    assert wrong.text == (
        "ember/try: no parameter is called 'Score', so the table is not compared; write con or size into the first head"
    )


ASKED = """
    .. dice:mechanic:: ember/ask
       :likelihood: even / likely

       chance = 75 if likelihood = likely, else 50
       throw = 1d100
       answer = throw <= chance

    ==========  ======  ======
    likelihood  chance  answer
    ==========  ======  ======
    even        50      yes
    likely      20      no
    ==========  ======  ======
"""


def test_a_column_that_needs_no_dice_is_compared_beside_lines_that_throw_some(book):
    book.page(ASKED)
    [wrong] = book.build("text").warnings
    assert wrong.text == "ember/ask: likelihood likely: chance has 20, but the rule gives 75"
    book.page(ASKED.replace("likely      20", "likely      75"))
    assert book.build("text").log == ""
    # Where all columns need dice, nothing is stated: the table is looked up, as before.
    book.page(ASKED.replace("chance = 75 if likelihood = likely, else 50", "chance = 10d10"))
    assert "the rule gives" not in book.build("text").log


def test_a_stated_column_that_no_line_gives_is_an_error(book: Book) -> None:
    table = "\n| strength | limit | haevy | note |\n|---|---|---|---|\n| 1 | 5 | no | weak |\n"
    page = rule(ENCUMBRANCE, ":strength: 10 (1 to 20)\n:plain: note") + table
    book.page(page, "index.md")
    assert [each.text for each in book.build("text").warnings] == [
        "ember/try: no line computes 'haevy'; did you mean 'heavy'?"
    ]
    book.page(page.replace("haevy", "heavy"), "index.md")
    assert book.build("text").log == ""


# How it is printed

DOCUMENTS = {
    "latex_documents": [("index", "book.tex", "Book", "N", "manual")],
    "man_pages": [("index", "book", "Book", ["N"], 1)],
    "texinfo_documents": [("index", "book", "Book", "N", "book", "", "")],
    "suppress_warnings": ["epub.duplicated_toc_entry"],
}


@pytest.mark.parametrize(
    ("builder", "file", "lines"),
    [
        ("html", "index.html", "total = 2d6\n  + stat\nresult = total: 6- miss, 7-9 weak hit, 10+ strong hit\n</pre>"),
        ("dirhtml", "index.html", "total = 2d6\n  + stat\n"),
        ("singlehtml", "index.html", "total = 2d6\n  + stat\n"),
        ("epub", "index.xhtml", "total = 2d6\n  + stat\n"),
        ("latex", "book.tex", "total = 2d6\n  + stat\nresult = total: 6\\PYGZhy{} miss"),
        (
            "text",
            "index.txt",
            "   total = 2d6\n     + stat\n   result = total: 6- miss, 7-9 weak hit, 10+ strong hit\n",
        ),
        ("man", "book.1", "total = 2d6\n  + stat\nresult = total: 6\\- miss"),
        ("texinfo", "book.texi", "total = 2d6\n  + stat\nresult = total: 6- miss"),
    ],
)
def test_every_builder_prints_the_parameters_and_the_lines(book: Book, builder: str, file: str, lines: str) -> None:
    book.page(MOVE, "index.md")
    built = book.build(builder, **DOCUMENTS)
    assert built.warnings == []
    text = unescape(built.read(file))
    assert lines in text
    assert re.search(r"0 \((?:-|−|\\-|\\sphinxhyphen\{\})1 to 3\), what you are good at", text)
    assert "act under pressure" in text.lower()
    assert "the GM moves" in text.replace("\n", " ")


@pytest.mark.parametrize(("between", "titles"), [("", 0), ("Whenever you are in a hurry:\n\n", 1)])
def test_a_rule_has_its_heading_as_a_title_unless_it_stands_right_below(book: Book, between: str, titles: int) -> None:
    book.page(MOVE.replace("```{dice:mechanic}", between + "```{dice:mechanic}"), "index.md")
    built = book.build("html")
    assert built.warnings == []
    assert built.read("index.html").count("dice-example-title") == titles


@pytest.mark.parametrize("builder", ["html", "text"])
def test_the_lines_are_left_out_where_the_words_say_the_same(book: Book, builder: str) -> None:
    book.page(MOVE.replace(":stat:", ":hide: rule\n:stat:") + PLAYED, "index.md")
    built = book.build(builder)
    assert built.log == ""
    page = built.read(f"index.{'html' if builder == 'html' else 'txt'}")
    assert "10+" not in page
    assert "what you are good at" not in page
    assert "the GM moves" in page


@pytest.mark.parametrize(("builder", "file"), [("html", "index.html"), ("epub", "index.xhtml"), ("latex", "book.tex")])
def test_what_is_printed_is_escaped(book: Book, builder: str, file: str) -> None:
    book.page(
        rule(
            'm = n\nword = "<script>alert(1)</script>" if 1d2 = 1, else "\\\\input{x} & $y_1^2$"',
            ":n: 0, <b>\\\\bye</b>\n",
        ),
        "index.md",
    )
    built = book.build(builder, **DOCUMENTS)
    assert built.warnings == []
    page = built.read(file)
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert builder != "latex" or not re.search(r"\\(?:input|bye)\b", page)


# Mistakes

VALUE = "write a number, a name, dice, or words in quotes there"
WRITE_IT = "write it as in total = 2d6 + stat"


@pytest.mark.parametrize(
    ("lines", "message", "row"),
    [
        (
            "total = 2d6 +\nn = 1",
            f"expected a value, found the end (line 1, column 14); {VALUE}\n    total = 2d6 +\n                 ^",
            0,
        ),
        (
            "n = 1\ntotal = 2d6\n  + nn",
            "nothing is called 'nn' (line 3, column 5); did you mean 'n'?\n      + nn\n        ^",
            2,
        ),
        (
            "n = 1\nsome prose",
            f"'some prose' does not name a value (line 2, column 1); {WRITE_IT}\n    some prose\n    ^",
            1,
        ),
        (
            "roll 2d6 + 1\nn = 1",
            (
                "'roll 2d6 + 1' does not name a value (line 1, column 1); write it as in total = 2d6 + 1\n"
                "    roll 2d6 + 1\n    ^"
            ),
            0,
        ),
    ],
)
@pytest.mark.parametrize("markdown", [True, False])
def test_a_mistake_is_reported_in_its_line_with_a_caret(
    book: Book, lines: str, message: str, row: int, markdown: bool
) -> None:
    name = "index.md" if markdown else "index.rst"
    page = book.page(rule(lines) if markdown else restructured(lines), name)
    [wrong] = book.build("text").warnings
    assert (wrong.file, wrong.type) == (name, "dicedocs.table")
    assert wrong.text == f"ember/try: {message}"
    assert page.read_text().splitlines()[wrong.line - 1].strip() == lines.splitlines()[row].strip()


@pytest.mark.parametrize("lines", ["total = 2d6\n  + stats", "total = 2d6 + stat"])
def test_a_mistake_in_an_included_file_is_reported_there(book: Book, lines: str) -> None:
    book.write("rule.md", "Words.\n\n" + rule(lines, ":stat: 0\n:bonus: 0\n"))
    book.page("```{include} rule.md\n:start-after: Words.\n```\n", "index.md")
    built = book.build("text", exclude_patterns=["rule.md"])
    [wrong] = built.warnings
    assert (wrong.file, wrong.line) == ("rule.md", 8 if "stats" in lines else 5)


def test_a_mistake_is_shown_where_the_rule_is(book: Book) -> None:
    book.page(rule("total = 2d6 +"), "index.md")
    page = book.build("html").read("index.html")
    assert '<div class="dice-error" role="note"><pre>expected a value' in page
    assert "total = 2d6 +\n</pre>" in page


def test_an_example_of_a_rule_with_a_mistake_says_where_that_is(book: Book) -> None:
    book.page(MOVE.replace("+ stat", "+ sta") + PLAYED, "index.md")
    first, *others = book.build("text").warnings
    assert (first.line, first.type) == (11, "dicedocs.table")
    assert "the mechanic 'pbta/move' of the book has a mistake; index.md:11: nothing is called 'sta'" in others[0].text


DECLARE = "write a number with its bounds, as in 0 (0 to 3), or words, as in none / with / without"
MEANS_NOTHING = "is an option of dice:mechanic, and means nothing to a rule with lines; give a parameter another name"


MEANINGLESS = [
    (
        ":dice: 3 (1 to 5)",
        f"'dice' {MEANS_NOTHING}",
    ),
    (
        ":from: 3",
        f"'from' {MEANS_NOTHING}",
    ),
    (
        ":plain: no",
        f"'plain' {MEANS_NOTHING}",
    ),
    (
        ":success: 0 (0 to 3)",
        f"'success' {MEANS_NOTHING}",
    ),
    (":hide: 0", "'0' cannot be hidden; leave hide out, or write rule"),
    (":name: 3", "name: 'name' is a reserved name; choose another"),
    (":stat: 3 (1 to", f"stat: '3 (1 to' does not declare a parameter; {DECLARE}"),
    (":sat: 3", "sat: there is no such option, and no line reads it"),
]


def test_options_that_mean_nothing(book: Book) -> None:
    texts = (rule("total = 2d6", f"{options}\n") for options, _ in MEANINGLESS)
    names = book.cases((text.replace("ember/try", f"ember/try-{n}") for n, text in enumerate(texts)), ".md")
    built = book.build("text")
    found = {
        options: [(each.line, each.type, each.text.partition(": ")[2]) for each in built.warnings_of(name)]
        for name, (options, _) in zip(names, MEANINGLESS, strict=True)
    }
    assert found == {options: [(6, "dicedocs.option", message)] for options, message in MEANINGLESS}
    assert len(built.warnings) == len(MEANINGLESS)


def test_a_word_with_a_meaning_that_no_line_gives(book: Book) -> None:
    book.page(rule("total = 2d6\nresult = total: 6- miss, 7+ hit", ":success: hit\n:failure: mis\n"), "index.md")
    [wrong] = book.build("text").warnings
    assert (wrong.line, wrong.type) == (7, "dicedocs.table")
    assert wrong.text == "ember/try: no line computes 'mis'; did you mean 'miss'?"


def test_a_table_has_nothing_to_hide(book: Book) -> None:
    book.page("```{dice:mechanic} ember/try\n:hide: rule\n\n1. a\n2. b\n```\n", "index.md")
    [wrong] = book.build("text").warnings
    assert (wrong.line, wrong.text) == (6, "ember/try: 'rule' cannot be hidden; leave hide out")


# Where else a rule is known


def write(folder: Path, move: str = MOVE, played: str = PLAYED) -> Path:
    """Write a book with a rule and what plays it, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conf.py").write_text("extensions = ['myst_parser', 'dicedocs_sphinx']\n")
    (folder / "index.md").write_text(f"# Book\n{played}\n{TOC}")
    (folder / "other.md").write_text(f"# Moves\n{move}")
    return folder


@pytest.fixture
def run(commands, tmp_path):
    """Runs a command of dicedocs, or pytest with the plugin, in the folder of the books."""

    def run(*words: str):
        settings = ENVIRONMENT | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
        if words[0] == "pytest":
            words = ("pytest", "-q", "-p", "dicedocs_sphinx.pytest_plugin", *words[1:])
        return commands.run(tmp_path, *words, **settings)

    return run


def test_a_book_that_is_loaded_has_its_rules(
    tmp_path: Path, commands: CommandServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(APART, Starting(commands))
    try:
        book = dd.book(write(tmp_path / "docs"))
        assert list(book) == ["pbta/move"]
        outcome = dd.play("pbta/move", stat=1, dice=[4, 3])
        assert outcome.facts() == "total=8, result=weak hit"
        assert pickle.loads(pickle.dumps(outcome)) == outcome  # noqa: S301  # our own
        # 10 and more come up in 6 of 36 cases.
        assert dd.odds("pbta/move", "result").p("= strong hit") * 6 == 1
    finally:
        announce_book({})


def test_authors_verify_accept_and_test_what_plays_it(run, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs")
    done = run("dicedocs", "verify", "docs")
    assert (done.returncode, done.stderr) == (0, "")
    # The rule, the example, the claim and the odds.
    assert "4 passed" in run("pytest", "--dicedocs", "docs").stdout
    write(docs, MOVE.replace("7-9 weak", "7-8 weak").replace("10+", "9+"))
    done = run("dicedocs", "verify", "docs")
    assert done.returncode == 1
    assert "docs/index.md:19: odds-1:" in done.stdout
    assert "1 failed, 3 passed" in run("pytest", "--dicedocs", "docs").stdout
    assert run("dicedocs", "accept", "docs").returncode == 0
    # 7 and 8 come up in 11 of 36 cases, 9 and more in 10.
    assert ":expect: p(miss)=41.7%, p(weak hit)=30.6%, p(strong hit)=27.8%" in (docs / "index.md").read_text()


def test_a_changed_line_is_listed_with_all_that_moved(run, tmp_path: Path) -> None:
    old, new = write(tmp_path / "old"), write(tmp_path / "new", MOVE.replace("+ stat", "+ stat + 3"))
    done = run("dicedocs", "diff", str(old), str(new))
    for row in (
        "| other.md:5 Act under pressure | total | 2d6 + stat | 2d6 + stat + 3 |",
        "| index.md:3 Asa lifts the bar | total | 8 | 11 |",
        "| index.md:3 Asa lifts the bar | result | weak hit | strong hit |",
        # 3 or less: 3 of 36 cases.
        "| index.md:11 A hit | p(result = miss) = 15/36 | 41.7% | 8.3% |",
    ):
        assert row in done.stdout, done.stdout + done.stderr


def test_the_lines_of_a_rule_are_found_again_by_their_names(run, tmp_path: Path) -> None:
    again = "wins = 0\nrepeat 3 times\n  throw = 1d6\n  wins = wins + 1 if throw = 6, else wins"
    old, new = (
        write(tmp_path / name, rule(again.replace("= 6", f"= {face}").replace("repeat 3", f"repeat {times}")), "")
        for name, face, times in (("old", 6, 3), ("new", 5, 4))
    )
    done = run("dicedocs", "diff", str(old), str(new))
    assert "| repeat | 3 times | 4 times |" in done.stdout
    assert "| wins (2) | wins + 1 if throw = 6, else wins | wins + 1 if throw = 5, else wins |" in done.stdout
    assert "2 figures moved" in done.stdout


def test_doctests_of_what_plays_it_pass(book: Book) -> None:
    book.page(PLAYED + TOC, "index.md")
    book.page(MOVE, "other.md", title="Other")
    built = book.build("doctest")
    assert built.warnings == []
    assert "0 failures in tests" in built.read("output.txt")


def test_a_rule_is_a_statement_of_the_book(book: Book) -> None:
    lists = "\n```{dice:report}\n```\n\nSee {dice:ref}`pbta/move`.\n"
    book.page(PLAYED + lists + TOC, "index.md")
    book.page(MOVE, "other.md", title="Other")
    built = book.build("html")
    assert built.log == ""
    index = built.read("index.html")
    assert index.count('href="other.html#dice-pbta-move"') == 2
    assert "4 statements: 4 verified" in index
    assert "Act under pressure (pbta/move)" in index


# Pages that roll

ON = {"dicedocs_reroll": True, "dicedocs_pyodide": "runtime", "dicedocs_deck": 2}


@pytest.fixture
def rolling(book: Book) -> Book:
    """A book with files in the place of Pyodide."""
    for name in FILES:
        book.write(f"runtime/{name}", '{"info": {"python": "3.14"}}')
    book.page(PLAYED + TOC, "index.md")
    book.page(MOVE, "other.md", title="Other")
    return book


def data(html: str) -> list[dict[str, object]]:
    return [json.loads(unescape(text)) for text in re.findall(r' data-dice="([^"]*)"', html)]


def test_a_page_that_rolls_rolls_a_rule_where_it_stands_and_where_it_is_played(rolling: Book) -> None:
    built = rolling.build("html", **ON)
    assert built.warnings == []
    assert [each["name"] for each in data(built.read("other.html"))] == ["pbta/move"]
    assert [each["name"] for each in data(built.read("index.html"))] == ["bar", "odds-1"]
    manifest = json.loads(built.read("_static/dicedocs/manifest.json"))
    [sent] = manifest["player"]["mechanics"]
    assert (sent["id"], sent["lines"][0], sent["parameters"]) == (
        "pbta/move",
        "total = 2d6",
        [["stat", "0 (-1 to 3), what you are good at"]],
    )
    # It needs no file of its own.
    assert manifest["player"]["modules"] == {}
    player = PagePlayer(mechanics=manifest["player"]["mechanics"])
    example = data(built.read("index.html"))[0]["example"]
    answer = player.receive({"do": "roll", "key": "bar", "example": example, "link": "stat=2&seed=5"})
    assert "error" not in answer, answer
    before = built.read("other.html")
    rolling.page(MOVE.replace("miss", "fail"), "other.md", title="Other")
    assert rolling.build("html", **ON).read("other.html") != before


def test_a_rule_whose_lines_are_hidden_is_rolled_below_its_words(rolling: Book) -> None:
    hidden = MOVE.replace(":stat:", ":hide: rule\n:stat:")
    rolling.page(hidden, "other.md", title="Other")
    rolling.page("```{dice:mechanic} knot/pull\n:hide: rule\n\ntotal = 2d6\n```\n", "wordless.md", title="Wordless")
    built = rolling.build("html", **ON)
    html = built.read("other.html")
    assert html.index("the GM moves") < html.index("dice-below-table")
    assert "dice-below-table" not in built.read("wordless.html")


def test_a_line_behind_a_blank_line_is_read_and_one_behind_prose_is_a_warning(book):
    claim = "```{dice:claim} C\n:mechanic: ember/try\n:claim: p(hit) = 5/8\n```\n"
    lines = "total = 2d4\n\nhit = total >= 5"
    book.page(rule(lines, below="It burns.\n\nLuck = what the gods give.") + claim, "index.md")
    assert book.build().warnings == []
    book.page(rule("total = 2d4", below="It burns.\n\nhit = total >= 5") + rule(lines), "index.md")
    [stray] = [each for each in book.build().warnings if "prose" in each.text]
    assert (stray.line, stray.type) == (11, "dicedocs.option")
    assert stray.text.endswith(
        "'hit = total >= 5' is behind prose, so it is no line of the rule; write it above the prose"
    )
