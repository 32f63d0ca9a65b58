"""`dicedocs verify` checks a whole book and says what does not hold."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.core.pseudo_terminal import run_served_in_terminal

from ..command_server import run_alone

SOURCES = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))}
CONF = "extensions = ['dicedocs_sphinx', 'myst_parser']\n"
PAGE = """# Page

```{dice:example} It holds
:name: holds
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11
```

```{dice:odds} It holds too
:mechanic: methuen/expression
:expression: 3d6
:expect: mean=10.5
```

```{dice:table} It expects nothing
:mechanic: methuen/expression
:expression: 3d6
```
"""
WRONG = """
```{dice:example} It is wrong
:name: wrong
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=12
```

```{dice:example} It expects nothing
:mechanic: methuen/expression
:expression: 2
```

Nobody has {dice:fact}`nobody.total`.
"""


@pytest.fixture
def book(tmp_path):
    """A book that holds."""
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "conf.py").write_text(CONF)
    (folder / "index.md").write_text(PAGE)
    return folder


@pytest.fixture
def verify(commands):
    def verify(folder, *words):
        return commands.run(folder.parent, "dicedocs", "verify", folder.name, *words, **ENVIRONMENT)

    return verify


def test_a_book_that_holds_is_summed_up_in_a_line(book, verify):
    done = verify(book)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "3 statements: 2 verified, 1 without a check\n",
        "",
    )
    assert sorted(path.name for path in book.iterdir()) == ["conf.py", "index.md"]


def test_what_does_not_hold_is_listed_with_file_and_line(book, verify):
    (book / "index.md").write_text(PAGE + WRONG)
    done = verify(book)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "book/index.md:27: wrong: expected total=12, got total=11; write :expect: total=11 [dicedocs.mismatch]\n"
        "book/index.md:30: example-3: nothing is expected; write :expect: total=2, raw=2 [dicedocs.unverified]\n"
        "book/index.md:35: nothing is named 'nobody'; known: 'holds', 'wrong' [dicedocs.reference]\n"
        "6 statements: 2 verified, 2 without a check, 2 wrong\n"
    )


def test_json_has_every_block_and_every_problem(book, verify):
    (book / "index.md").write_text(PAGE + WRONG)
    done = verify(book, "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert data["counts"] == {
        "verified": 2,
        "failed": 2,
        "unverified": 1,
        "says nothing": 0,
        "computed": 1,
        "not compared": 0,
        "shown": 0,
        "excused": 0,
        "unshown": 0,
    }
    assert [(block["label"], block["state"]) for block in data["blocks"]] == [
        ("holds", "verified"),
        ("odds-1", "verified"),
        ("table-1", "computed"),
        ("wrong", "failed"),
        ("example-3", "unverified"),
    ]
    assert [(each["label"], each["state"], each["line"]) for each in data["text"]] == [
        ("fact nobody.total", "failed", 35)
    ]
    assert {each["file"] for each in (*data["blocks"], *data["text"])} == {str(book / "index.md")}
    assert [(each["type"], each["line"]) for each in data["problems"]] == [
        ("dicedocs.mismatch", 27),
        ("dicedocs.unverified", 30),
        ("dicedocs.reference", 35),
    ]


def test_what_depends_on_a_mistake_is_listed_with_its_cause(book, verify):
    roll = "```{{dice:example}}\n:name: {}\n:mechanic: dice/roll\n:notation: {}\n:expect: total=1\n```\n\n"
    page = "# P\n\n" + roll.format("first", "nothing") + roll.format("then", "first.total")
    (book / "index.md").write_text(page + roll.format("last", "then.total"))
    lines = verify(book).stdout.splitlines()
    cause = "depends on 'first' (index.md:3), which has a mistake"
    assert lines[-3:] == [
        f"book/index.md:10: then: unverified: {cause}",
        f"book/index.md:17: last: unverified: {cause}",
        "3 statements: 0 verified, 2 without a check, 1 wrong",
    ]


def test_what_the_book_suppresses_is_no_problem_unless_a_statement_fails(book, verify):
    (book / "conf.py").write_text(f"{CONF}suppress_warnings = ['dicedocs']\n")
    (book / "index.md").write_text(PAGE + WRONG)
    done = verify(book)
    assert done.returncode == 1
    assert [line.split(":")[1] for line in done.stdout.splitlines()[:-1]] == ["27", "35"]
    (book / "index.md").write_text(PAGE + WRONG.replace("total=12", "total=11").replace("nobody", "holds"))
    done = verify(book)
    assert (done.returncode, done.stdout) == (0, "6 statements: 3 verified, 3 without a check\n")


def test_a_game_beside_the_book_that_fails_is_a_problem_and_no_traceback(book, verify):
    (book / "conf.py").write_text(f"import sys; sys.path.insert(0, '.')\nimport broken\n{CONF}")
    (book / "broken.py").write_text(
        "from dicedocs import *\n"
        "class Broken(Mechanic, id='broken/rule'):\n"
        "    class Result(Outcome):\n        total: int\n"
        "    def resolve(self, dice: Dice, say: Say) -> Result:\n"
        "        print('heard')\n        return self.Result(1 // 0)\n"
    )
    (book / "index.md").write_text("# P\n\n```{dice:example} E\n:mechanic: broken/rule\n:expect: total=1\n```\n")
    done = verify(book)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stdout
    assert "broken.py:7" in done.stdout
    assert "heard" not in done.stdout


@pytest.mark.parametrize(
    ("conf", "message"),
    [
        (None, "there is no conf.py in 'book'; name the folder of the book's conf.py"),
        ("1 / 0\n", "ZeroDivisionError: division by zero (conf.py:1, in <module>)"),
        ("extensions = ['myst_parser']\n", "does not switch on the extension dicedocs_sphinx"),
    ],
)
def test_a_folder_that_is_no_book_is_bad_input(conf, message, book, verify):
    (book / "conf.py").unlink()
    if conf is not None:
        (book / "conf.py").write_text(conf)
    done = verify(book)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("dicedocs: ")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_the_folder_above_a_book_is_answered_with_its_name(book, commands):
    done = commands.run(book.parent, "dicedocs", "verify", ".", **ENVIRONMENT)
    assert (done.returncode, done.stderr) == (2, "dicedocs: there is no conf.py in '.'; did you mean book?\n")


def test_a_terminal_shows_a_bar_that_is_gone_at_the_end(book, commands):
    status, written = run_served_in_terminal(commands, book.parent, "dicedocs", "verify", "book", **ENVIRONMENT)
    assert status == 0
    assert "\r[####################] 100%\r\x1b[K" in written
    assert "\r[##########..........]  50%" in written


def test_without_sphinx_the_command_says_what_to_install(book, tmp_path):
    (tmp_path / "sphinx.py").write_text("raise ModuleNotFoundError('no sphinx', name='sphinx')\n")
    path = os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]])
    done = run_alone(tmp_path, "dicedocs", "verify", book, PYTHONPATH=path)
    assert done.returncode == 2
    assert done.stderr == (
        "dicedocs: 'dicedocs verify' needs sphinx, which is not installed; run: pip install 'dicedocs[sphinx]'\n"
    )


EMPTY = """
```{dice:example} A constant
:name: constant
:mechanic: methuen/check
:check: 1d20 + 4 >= 12
:dice: 8
:expect: right=12
:shows: R1
```

```{dice:example} A face
:mechanic: dice/roll
:notation: 1d4
:dice: 3
:expect: total=3
```

```{dice:rule} R1 A rule
Words.
```
"""


def test_what_says_nothing_is_counted_apart_and_named(book, verify):
    (book / "index.md").write_text(PAGE + EMPTY)
    done = verify(book)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "book/index.md:22: constant: says nothing: right=12 holds whatever the rule does\n"
        "book/index.md:31: example-3: says nothing: total=3 holds whatever the rule does\n"
        "5 statements: 2 verified, 1 without a check, 2 say nothing; 0 of 1 rule shown\n"
    )
    data = json.loads(verify(book, "--json").stdout)
    assert data["counts"]["says nothing"] == 2
    assert [block["state"] for block in data["blocks"]][3:] == ["says nothing", "says nothing", "unshown"]


def test_a_page_that_is_not_in_utf_8_is_named(book, verify):
    (book / "index.md").write_text(PAGE + "\n```{toctree}\n:glob:\n\nn*\n```\n")
    (book / "note.md").write_bytes(b"# Note\n\nA caf\xe9.\n")
    done = verify(book)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "book/note.md:3: this page is not in UTF-8 (byte E9, after 'A caf'), and is left out; save it as UTF-8 "
        "[dicedocs.encoding]\n"
        "3 statements: 2 verified, 1 without a check\n"
    )


def test_a_book_that_states_nothing_does_not_hold(book, verify):
    (book / "index.md").write_text("# Page\n\nWords.\n")
    done = verify(book)
    message = "book/conf.py:1: no page of this book has a block or a role of dicedocs [dicedocs.unverified]"
    assert (done.returncode, done.stdout) == (1, f"{message}\n0 statements: 0 verified\n")
    # A sentence can state something too.
    (book / "index.md").write_text("# Page\n\nIt is {dice:odds}`1d20 >= 11`.\n")
    assert verify(book).returncode == 0


def test_the_limits_of_the_book_are_raised(commands, tmp_path):
    many = "\n\n```{dice:example}\n:mechanic: dice/roll\n:notation: 20000d1\n:seed: 1\n:expect: total=20000\n```\n"
    (tmp_path / "conf.py").write_text(f"{CONF}dicedocs_limits = {{'DICE': 20000}}\n")
    (tmp_path / "index.md").write_text(f"# Page{many}")
    for words in (["verify", "."], ["verify", ".", "--limit", "TEXT=2000"], ["accept", "--check", "."]):
        done = commands.run(tmp_path, "dicedocs", *words, **ENVIRONMENT)
        assert (done.returncode, done.stderr.replace("nothing to accept\n", "")) == (0, "")


@pytest.mark.parametrize("option", [("-c", "settings"), ("-csettings",), ("--conf-dir=settings",)])
def test_the_configuration_may_be_elsewhere_as_for_sphinx_build(book, commands, option):
    def run(*words):
        return commands.run(book.parent, "dicedocs", *words, **ENVIRONMENT)

    (book / "index.md").write_text(PAGE + WRONG)
    settings = book.parent / "settings"
    settings.mkdir()
    (book / "conf.py").rename(settings / "conf.py")
    done = run("verify", "book")
    hint = "name the folder of the book's conf.py, with -c if it is not that of the pages"
    assert (done.returncode, done.stderr) == (2, f"dicedocs: there is no conf.py in 'book'; {hint}\n")
    done = run("verify", *option, "book")
    assert (done.returncode, done.stderr) == (1, "")
    assert "book/index.md:" in done.stdout
    assert "wrong: expected total=12, got total=11" in done.stdout
    done = run("verify", "nowhere", *option)
    assert (done.returncode, done.stderr) == (
        2,
        "dicedocs: there is no folder 'nowhere'; name the folder of the book's pages\n",
    )
    assert "there is no conf.py in 'book'" in run("verify", "book", "-c", "book").stderr
    done = run("accept", "book", *option)
    assert done.stderr.splitlines()[0] == "book/index.md written"
    assert ":expect: total=11\n" in (book / "index.md").read_text()


PROSE = """# Page

````{dice:example} A number only
:name: number
:mechanic: dice/roll
:notation: 2d6
:dice: 3 4
:expect: total=7

Just seven.
````

````{dice:example} The author has read it
:name: read
:mechanic: dice/roll
:notation: 2d6
:dice: 3 4
:expect: total=7
:text: follows

It is a number.
````

````{dice:example} No dice
:name: sum
:mechanic: dice/roll
:notation: 3 + 4
:expect: total=7

Just seven.
````

````{dice:example} A verdict, with which the page greys it
:name: verdict
:mechanic: dice/check
:check: 1d20 >= 11
:dice: 14
:expect: success=true

She makes it.
````

````{dice:example} Words for each outcome
:name: words
:mechanic: dice/roll
:notation: 2d6
:dice: 3 4
:expect: total=7

It is {dice:words}`total | 7: just seven | else: anything else`.

```{dice:case} total != 7
She had seven in mind.
```
````

The number was {dice:fact}`number.total`, just enough.

The rest is rules.

## A scene

```{dice:scene} The door
:name: door
:tracks: door 9
```

It is shut.

```{dice:example} A kick
:name: kick
:mechanic: dice/roll
:notation: 1d6
:dice: 4
:then: door -= total
:expect: total=4, door=5
:text: follows

It splinters.
```

Half of it is gone.

It is {dice:words}`door < 5 | more | less` than half.

```{dice:case}
Whatever came up, she kicks no more.
```
"""


def prose_book(book, *, reroll):
    (book / "conf.py").write_text(f"{CONF}dicedocs_reroll = {reroll}\n")
    (book / "index.md").write_text(PROSE)
    return book


def test_prose_that_stays_beside_any_roll_is_listed_for_a_person_to_read(book, verify):
    done = verify(prose_book(book, reroll=True), "--unchecked")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.partition("Without a check: ")[2].splitlines() == [
        "5",
        "book/index.md:10: Just seven. [prose]",
        "    :text: follows",
        "book/index.md:57: The number was 7, just enough. [prose]",
        "book/index.md:82: Half of it is gone. [prose]",
        "book/index.md:50: It is just seven | anything else. [words]",
        "    :text: follows",
        "book/index.md:84: It is more | less than half. [words]",
    ]


def test_what_was_not_checked_is_in_the_json_if_it_is_asked_for(book, verify):
    unchecked = json.loads(verify(prose_book(book, reroll=True), "--json", "--unchecked").stdout)["unchecked"]
    assert unchecked[0] == {
        "file": str(book / "index.md"),
        "line": 10,
        "kind": "prose",
        "text": "Just seven.",
        "write": ":text: follows",
    }
    assert "unchecked" not in json.loads(verify(book, "--json").stdout)


def test_without_pages_that_roll_no_prose_can_become_untrue(book, verify):
    assert verify(prose_book(book, reroll=False), "--unchecked").stdout.endswith("Without a check: 0\n")


def test_without_a_folder_the_book_of_the_current_one_is_checked(book, commands):
    done = commands.run(book, "dicedocs", "verify", **ENVIRONMENT)
    assert (done.returncode, done.stdout) == (0, "3 statements: 2 verified, 1 without a check\n")
    done = commands.run(book.parent, "dicedocs", "verify", **ENVIRONMENT)
    assert (done.returncode, done.stderr) == (2, "dicedocs: there is no conf.py in '.'; did you mean book?\n")


TABLES = """# Tables

```{dice:mechanic} road/meet
:plain: Note
```

| d6  | Meet            | Note |
|-----|-----------------|------|
| 1–2 | 2d4 bears       | 1d4  |
| 3–6 | [gem] or [salt] |      |

```{dice:mechanic} road/gem
```

1. opal
2. ruby

## Figures

```{dice:mechanic} road/hit
:cells: 20 - level - armour
```

| level × armour | 0  | 1  |
|----------------|----|----|
| 1              | 19 | 18 |
| 2              | 18 | –  |

```{dice:mechanic} road/price
```

| rank × town | 0  | 1  |
|-------------|----|----|
| 1           | 19 | 18 |

```{dice:mechanic} road/ask
:likelihood: even / likely

chance = 75 if likelihood = likely, else 50
answer = 1d100 <= chance
```

| likelihood | chance | answer |
|------------|--------|--------|
| even       | 50     | no     |
| likely     | 75     | no     |

```{dice:mechanic} road/climb
total = 2d6
result = total: 6- miss, 7-9 weak hit, 10+ hit
```

```{dice:mechanic} road/arms
```

| d2 | Arm                | Cost   |
|----|--------------------|--------|
| 1  | 1d8/1d10, 20 miles | 2D     |
| 2  | ½d6, 2d6L or 1/2d4 | 10 g/5 |

## Others

| d20   | Lost |
|-------|------|
| 1–20  | yes  |

Roll 1d6:

1. a
2. b

| Weapon | Damage |
|--------|--------|
| Sword  | 1d8    |
"""


PLAIN = "correct it, or write plain: Meet, where brackets are text"


def test_it_says_of_each_table_what_was_compared_and_counts_apart_what_was_not(book, verify):
    (book / "index.md").write_text(TABLES)
    done = verify(book, "--tables")
    assert (done.stdout.splitlines(), done.returncode) == (
        [
            "book/index.md:7: road/meet: compared: 2 rows, 1 cell, 1 link",
            "book/index.md:15: road/gem: compared: 2 rows",
            "book/index.md:24: road/hit: compared: 3 cells",
            "book/index.md:32: road/price: compared: nothing",
            "book/index.md:43: road/ask: compared: 2 cells",
            "book/index.md:48: road/climb: compared: 3 rows",
            "book/index.md:56: road/arms: compared: 2 rows, 1 cell",
            "book/index.md:7: road/meet: nothing is compared with the dice of Note (plain)",
            "book/index.md:43: road/ask: nothing is compared with the dice of answer (its line throws dice)",
            (
                "book/index.md:56: road/arms: nothing is compared with the dice of "
                "Arm ('1d10', '½d6', '2d6' and 1 more read as text) and Cost ('2D' read as text)"
            ),
            "book/index.md:63: no dice:mechanic takes this table, on which d20 is rolled",
            "book/index.md:69: no dice:mechanic takes this table, on which 1d6 is rolled",
            f"book/index.md:10: road/meet: there is no table 'road/salt'; {PLAIN}",
            "7 statements: 6 verified, 1 without a check; 6 tables not compared in full",
        ],
        0,
    )
    data = json.loads(verify(book, "--json").stdout)
    meet = {"label": "road/meet", "file": str(book / "index.md"), "line": 7, "rows": 2, "cells": 1, "links": 1}
    assert data["tables"][0] == meet
    assert data["counts"]["not compared"] == 6


def test_the_table_of_a_rule_that_plays_another_is_compared_too(book, verify):
    ask = TABLES[TABLES.index("```{dice:mechanic} road/ask") : TABLES.index("```{dice:mechanic} road/climb")]
    ask = ask.replace("answer = 1d100 <= chance", "roll = play road/roll\nanswer = roll.score <= chance")
    (book / "index.md").write_text(f"# T\n\n{ask}\n```{{dice:mechanic}} road/roll\n\nscore = 1d100\n```\n")
    done = verify(book, "--tables")
    assert (done.stdout.splitlines(), done.returncode) == (
        [
            "book/index.md:11: road/ask: compared: 2 cells",
            "book/index.md:11: road/ask: nothing is compared with the dice of answer (its line throws dice)",
            "2 statements: 2 verified; 1 table not compared in full",
        ],
        0,
    )
    (book / "index.md").write_text((book / "index.md").read_text().replace("| 75     |", "| 74     |"))
    done = verify(book)
    assert "likelihood likely: chance has 74, but the rule gives 75" in done.stdout


UNCHECKED = """# The marsh

```{dice:mechanic} marsh/meet
:plain: Note
```

| d6  | Meet       | Note |
|-----|------------|------|
| 1–2 | 2d4 herons | 1d4  |
| 3–6 | a ferry    |      |

**Hit Points** 26 (4d8 + 8)

*Pole.* *Hit:* 11 (2d6 + 3) damage. Nomads come in groups of 2–20 (2d10).

She sinks on a 1–2 on d6 (33.3%).

The ferry has 5 (2d4) oars.

```{dice:claim}
:mechanic: dice/roll
:notation: 2d4
:claim: mean(total) = 5
:hide: all
```

<!-- dicedocs: ignore -->

A heron has 7 (2d6) feathers.

## Weather (d4)

| Roll | Sky  |
|------|------|
| 1    | rain |
| 2–4  | fog  |

<table><tr><th>d4</th><th>Mud</th></tr><tr><td>1-2</td><td>deep</td></tr><tr><td>3-4</td><td>no</td></tr></table>

| d2 | Boon | d2 | Bane |
|----|------|----|------|
| 1  | a    | 1  | c    |
| 2  | b    | 2  | d    |

```{dice:example} Pole
:name: pole
:mechanic: dice/roll
:notation: 2d6 + 3
:dice: 4 2
:expect: total=9

She strikes: 4 + 2 + 3 = 9.
```

Then 1 + 1 + 1 = 3 more.

## Weapons

| Weapon | Damage |
|--------|--------|
| Pole   | 1d8    |
"""
OF_WORDS = "no directive takes a table whose rows begin with words"
BESIDE = "no directive takes tables side by side, so write each by itself"
IN_HTML = "no directive takes a table in HTML, so write it without"


def test_what_has_dice_and_no_check_is_listed_until_its_lines_are_written(book, verify):
    page = book / "index.md"
    page.write_text(UNCHECKED)
    found = json.loads(verify(book, "--json", "--unchecked").stdout)["unchecked"]
    assert [(each["line"], each["kind"], each["text"]) for each in found] == [
        (7, "table", "marsh/meet: nothing is compared with the dice of Note (plain)"),
        (12, "average", "26 (4d8 + 8)"),
        (14, "average", "2d6 + 3 averages 10, not 11"),
        (14, "range", "2–20 (2d10)"),
        (16, "percentage", "33.3% (1–2 on d6)"),
        (33, "table", "no dice:mechanic takes this table, on which d4 is rolled"),
        (38, "table", f"no dice:mechanic takes this table, on which d4 is rolled; {IN_HTML}"),
        (40, "table", f"no dice:mechanic takes this table, on which d2 is rolled; {BESIDE}"),
        (52, "sum", "4 + 2 + 3 = 9"),
        (55, "sum", "1 + 1 + 1 = 3"),
        (59, "table", f"nothing reads the dice in 1 cell of this table; {OF_WORDS}"),
    ]
    assert found[5]["write"] == "```{dice:mechanic} marsh/weather\n:dice: d4\n```"
    assert found[8]["write"] == "4 + 2 + 3 = {dice:fact}`pole.total`"
    lines = UNCHECKED.replace(":plain: Note\n", "\n").split("\n")
    for each in reversed(found[1:6] + found[8:10]):
        if each["kind"] == "sum" and "fact" in each["write"]:
            lines[each["line"] - 1] = f"She strikes: {each['write']}."
        else:
            lines[each["line"] - 1 : each["line"] - 1] = [each["write"], ""]
    page.write_text("\n".join(lines).replace("*Hit:* 11", "*Hit:* 10"))
    done = verify(book, "--unchecked")
    assert re.sub(r"md:[0-9]+", "md", done.stdout).splitlines() == [
        "10 statements: 9 verified, 1 without a check; 1 table not compared in full",
        "Without a check: 3",
        f"book/index.md: {found[6]['text']} [table]",
        "    ```{dice:mechanic} marsh/weather",
        "    ```",
        f"book/index.md: {found[7]['text']} [table]",
        f"book/index.md: {found[10]['text']} [table]",
    ]


def test_what_has_dice_and_no_check_is_found_in_restructuredtext(book, verify):
    (book / "index.md").unlink()
    (book / "index.rst").write_text("Sky\n===\n\n.. include:: oars.rst\n\nLost (d4)\n\n1. a\n2. b\n3. c\n4. d\n")
    (book / "oars.rst").write_text("The ferry has 5 (2d4) oars.\n")
    (book / "conf.py").write_text(CONF + "exclude_patterns = ['oars.rst']\n")
    done = verify(book, "--unchecked")
    assert done.stdout.partition("Without a check: ")[2].splitlines() == [
        "2",
        "book/index.rst:8: no dice:mechanic takes this table, on which d4 is rolled [table]",
        "    .. dice:mechanic:: my-book/sky",
        "       :dice: d4",
        "book/oars.rst:1: 5 (2d4) [average]",
        "    .. dice:claim::",
        "       :mechanic: dice/roll",
        "       :notation: 2d4",
        "       :claim: mean(total) = 5",
        "       :hide: all",
    ]
