"""The tables and the characters of a book, played from outside of its build."""

import json
import logging
import os
import sys
from pathlib import Path

import pytest

import dicedocs as dd
from dicedocs import limits
from dicedocs.rules.registry import announce_book, systems
from dicedocs_sphinx.author.book_reading import BookError
from tests.command_server import APART, Starting
from tests.core.pseudo_terminal import run_served_in_terminal

SOURCES = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))}
CONF = "extensions = ['myst_parser', 'dicedocs_sphinx']\n"
PAGE = """# Road

```{dice:character} Old Mara
:name: mara
:values: Luck=3, Haste=[Luck] + 1
```

```{dice:mechanic} road/weather
:danger: 0 (0 to 3)
```

| d6 + danger | Weather | Wind      |
|-------------|---------|-----------|
| 1–3         | Fair    | none      |
| 4–5         | Rain    | [calm]    |
| 6+          | STORM   | 2d6 knots |

## Calm (1d2)

```{dice:mechanic} road/calm
```

1. Mild
2. Hot
"""
EXAMPLE = """
```{dice:example} It blows
:name: blow
:mechanic: road/weather
:dice: 6 3 4
:expect: Weather=STORM, Wind_rolled=7
```

```{dice:claim}
:mechanic: road/weather
:claim: p(STORM) = 16.7%
```
"""


@pytest.fixture(autouse=True)
def forget(commands, monkeypatch):
    """Books are read by the server, and those of a test are unknown after it."""
    monkeypatch.setattr(APART, Starting(commands))
    yield
    announce_book({})


def write(folder: Path, storm: str = "Storm", *, page: str = PAGE, example: str = EXAMPLE, conf: str = CONF) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    (folder / "conf.py").write_text(conf)
    (folder / "index.md").write_text(f"# Book\n\n```{{toctree}}\nroad\n```\n{example}".replace("STORM", storm))
    (folder / "road.md").write_text(page.replace("STORM", storm))
    return folder


@pytest.fixture
def docs(tmp_path):
    return write(tmp_path / "docs")


@pytest.fixture
def run(commands, tmp_path):
    """Runs a command of dicedocs, or pytest with the plugin, in the folder of the books."""

    def run(*words: str, plugins: tuple[str, ...] = ()):
        settings = ENVIRONMENT | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
        if words[0] == "pytest":
            loaded = [part for plugin in ("dicedocs_sphinx.pytest_plugin", *plugins) for part in ("-p", plugin)]
            words = ("pytest", "-q", *loaded, *words[1:])
        return commands.run(tmp_path, *words, **settings)

    return run


# From Python


def test_the_tables_and_the_characters_of_a_book(docs):
    seen = []
    book = dd.book(docs, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert sorted(book) == ["road/calm", "road/weather"]
    outcome = book["road/weather"](danger=2).play(dd.ScriptedDice([4, 3, 4]))
    assert outcome.facts() == "Weather=Storm, Wind=2d6 knots, Wind_rolled=7, roll=6"
    # 4, 5 and 6 of six.
    assert dd.odds("road/weather", "Weather", danger=2).p("= Storm") * 2 == 1
    mara = book.characters["mara"]
    assert (mara.name, dict(mara)) == ("Old Mara", {"Luck": 3})
    assert dd.play("road/weather", dice=[4, 2]).fact("Wind_rolled") == "Hot"


def test_an_edited_table_is_the_old_one_until_the_book_is_read_again(docs):
    old = dd.book(docs)["road/weather"]
    write(docs, "Snow")
    assert dd.play("road/weather", dice=[6, 1, 1]).value == "Storm"
    again = dd.book(docs)
    assert dd.play("road/weather", dice=[6, 1, 1]).value == "Snow"
    assert old().play(dd.ScriptedDice([6, 1, 1])).value == "Storm"
    assert again["road/calm"] is dd.book(docs)["road/calm"]


def test_the_process_stays_as_it_is(docs, capfd):
    """A configuration may do anything; a notebook, and a build that runs the code of its pages, go on after it."""
    (docs / "waystation.py").write_text("raise RuntimeError")
    (docs / "conf.py").write_text(
        CONF + "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nprint('1 2 3')\nos.system('echo 4')\n"
        "dicedocs_games = {'waystation': 'waystation'}\ndicedocs_limits = {'BRANCHES': 3_000_000}\n"
    )
    handlers, path, branches = logging.getLogger("sphinx").handlers[:], sys.path[:], limits.BRANCHES.maximum
    with dd.raise_limits(BRANCHES=2 * branches):
        dd.book(docs)
        assert limits.BRANCHES.maximum == 2 * branches
    assert (logging.getLogger("sphinx").handlers, sys.path) == (handlers, path)
    assert limits.BRANCHES.maximum == branches
    assert "waystation" not in systems()
    assert capfd.readouterr() == ("", "")


def test_the_code_of_a_book_is_that_of_now(docs):
    """Modules beside conf.py, of which another book may have some with the same names."""
    (docs / "conf.py").write_text(
        CONF
        + "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nimport own\nexclude_patterns = own.LEFT\n"
    )
    (docs / "own.py").write_text("LEFT = []")
    assert "road/weather" in dd.book(docs)
    (docs / "own.py").write_text("LEFT = ['road.md', 'nothing else']")
    assert list(dd.book(docs)) == []


@pytest.mark.parametrize(
    ("conf", "message"),
    [
        ("1 / 0", "Sphinx cannot read"),
        ("extensions = ['myst_parser']", "does not switch on the extension dicedocs_sphinx"),
        ("import os\nprint('why')\nos._exit(3)", "cannot be read"),
    ],
)
def test_a_book_that_cannot_be_read_says_why(docs, conf, message):
    (docs / "conf.py").write_text(conf)
    with pytest.raises(BookError, match=message):
        dd.book(docs)


def test_what_is_no_book(docs, tmp_path):
    nowhere = tmp_path / "nowhere"
    with pytest.raises(BookError, match=r"there is no conf.py in '.*'; name the folder of the book's conf.py, with -c"):
        dd.book(nowhere)
    with pytest.raises(BookError, match=r"did you mean .*docs\?"):
        dd.book(tmp_path)
    with pytest.raises(BookError, match=r"did you mean .*docs\?"):
        dd.book(docs / "conf.py")


def test_a_table_with_a_mistake_says_so_where_it_is_played(docs):
    write(docs, page=PAGE.replace("| 4–5  ", "| many "))
    book = dd.book(docs)
    place = r"the mechanic 'road/weather' of the book has a mistake; road\.md:15: 'many' is not a number or a range"
    for play in (lambda: book["road/weather"], lambda: dd.play("road/weather", seed=1)):
        with pytest.raises(dd.ParameterError, match=place):
            play()
    assert "Mild" in dd.odds("road/calm")


def test_a_page_that_reads_its_own_book_does_not_do_so_for_ever(docs):
    """A notebook among the pages is not run for it; other code of the pages finds the book being read."""
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "metadata": {},
                "outputs": [],
                "source": f"open({str(docs / 'ran')!r}, 'w')",
            }
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (docs / "note.ipynb").write_text(json.dumps(notebook))
    (docs / "conf.py").write_text(
        "extensions = ['myst_nb', 'dicedocs_sphinx']\nnb_execution_mode = 'force'\n"
        f"import dicedocs as dd\ntry:\n    dd.book({str(docs)!r})\n"
        f"except dd.DiceError as error:\n    open({str(docs / 'said')!r}, 'w').write(str(error))\n"
    )
    assert "road/weather" in dd.book(docs)
    assert not (docs / "ran").exists()
    assert (docs / "said").read_text().endswith("is being read; its pages cannot read it themselves")


def test_code_in_a_page_reads_another_book_and_the_build_keeps_its_own(book, tmp_path):
    """Sphinx's doctest builder runs it in the process of the build, between the tests that are made of examples."""
    other = write(tmp_path / "other", "Snow", example="")
    book.page(EXAMPLE.replace("STORM", "Storm"), "a.md")
    book.write("b.md", PAGE.replace("STORM", "Storm"))
    code = f">>> import dicedocs as dd\n>>> other = dd.book({str(other)!r})"
    code += "\n>>> print(dd.play('road/weather', dice=[6, 3, 4]).value)\nStorm"
    code += "\n>>> print(other['road/weather']().play(dd.ScriptedDice([6, 3, 4])).value)\nSnow"
    book.page(f".. toctree::\n\n   a\n   b\n   z\n\n{code}", "m.rst", "Middle")
    book.page(".. toctree::\n\n   m")
    book.page(EXAMPLE.replace("STORM", "Storm").replace("blow", "gust"), "z.md")
    built = book.build("doctest")
    report = built.read("output.txt")
    assert report.index("Document: a") < report.index("Document: m") < report.index("Document: z")
    assert "0 failures in tests" in report, report
    assert built.warnings == []
    # When it is built, the book that was loaded is the one that is known.
    assert dd.play("road/weather", dice=[6, 3, 4]).value == "Snow"


# On the command line


def test_a_command_plays_a_table_and_shows_how_far_it_is(docs, tmp_path, commands):
    command = ("dicedocs", "play", "road/weather", "--dice", "6 3 4", "--book", str(docs))
    status, written = run_served_in_terminal(commands, tmp_path, *command, **ENVIRONMENT)
    assert status == 0
    bar, shown = written.split("\r\x1b[K")
    assert "[##########..........]  50%" in bar
    assert "Weather=Storm, Wind=2d6 knots, Wind_rolled=7, roll=6" in shown


SPY = """
from pathlib import Path

from dicedocs import Dice, Mechanic, Outcome, Say


class Spied(Outcome):
    total: int


class Spy(Mechanic, id="spy/roll"):
    def resolve(self, dice: Dice, say: Say) -> Spied:
        Path(__file__).with_name("played").touch()
        return Spied(dice.roll(6))
"""
CLAIM = "\n```{dice:claim}\n:mechanic: spy/roll\n:claim: p(total at least 2) = 83.3%\n```\n"


def test_what_is_played_of_a_book_is_read_without_counting_its_odds(tmp_path, run):
    pages = write(tmp_path / "pages", page=PAGE + CLAIM, example="")
    (pages / "conf.py").rename(conf := tmp_path / "conf.py")
    conf.write_text(CONF + SPY)
    done = run("dicedocs", "play", "road/calm", "--book", "pages", "-c", ".", "--dice", "2")
    assert (done.stderr, done.stdout.splitlines()[-1]) == ("", "result=Hot, roll=2")
    assert not conf.with_name("played").exists()
    assert dd.book(pages, conf=tmp_path)["road/calm"]().play(dd.ScriptedDice([1])).fact("roll") == 1
    assert run("dicedocs", "verify", "pages", "-c", ".").returncode == 0
    assert conf.with_name("played").exists()


def test_commands_say_what_is_wrong_with_a_folder(docs, run):
    done = run("dicedocs", "odds", "road/weather", "--book", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "dicedocs: there is no conf.py in 'nowhere'; "
        "name the folder of the book's conf.py, with -c or conf if it is not that of the pages\n"
    )
    done = run("dicedocs", "play", "road/whether", "--book", "docs")
    assert done.stderr == "dicedocs: mechanic: there is no mechanic 'road/whether'; did you mean 'road/weather'?\n"


# The author's commands and pytest


def test_verify_checks_the_tables(docs, run):
    done = run("dicedocs", "verify", "docs")
    assert (done.returncode, done.stderr) == (0, "")
    write(docs, "Storm", example=EXAMPLE.replace("16.7%", "50%").replace("_rolled=7", "_rolled=8"))
    done = run("dicedocs", "verify", "docs")
    assert done.returncode == 1
    assert "docs/index.md:11: blow: expected" in done.stdout
    assert "50%" in done.stdout


def test_an_example_of_a_table_with_a_mistake_says_where_that_is(docs, run):
    write(docs, page=PAGE.replace("| 4–5  ", "| many "))
    done = run("dicedocs", "verify", "docs")
    assert "docs/road.md:15: road/weather: 'many' is not a number or a range" in done.stdout
    wrong = "docs/index.md:9: blow: the mechanic 'road/weather' of the book has a mistake; road.md:15: 'many' is not"
    assert wrong in done.stdout


@pytest.mark.parametrize("words", [(), pytest.param(("-n", "2"), marks=pytest.mark.thorough)])
def test_projects_with_different_tables_of_one_id(run, tmp_path, words):
    for name, storm in (("one", "Storm"), ("two", "Snow"), ("three", "Fog")):
        write(tmp_path / name, storm)
    for _ in range(2):
        done = run("pytest", "--dicedocs", ".")
        assert done.returncode == 0, done.stdout
        assert "12 passed" in done.stdout
    write(tmp_path / "two", "Snow", example=EXAMPLE.replace("STORM", "Storm", 1))
    done = run("pytest", "--dicedocs", *words, ".", plugins=("xdist",) if words else ())
    assert "1 failed, 11 passed" in done.stdout
    assert "got Weather=Snow" in done.stdout


def test_pytest_accepts_what_the_tables_of_each_project_give(run, tmp_path):
    for name, storm in (("one", "Storm"), ("two", "Snow")):
        write(tmp_path / name, storm, example=EXAMPLE.replace("Weather=STORM", "Weather=Fog"))
    done = run("pytest", "--dicedocs-accept", ".")
    assert done.returncode == 0, done.stdout
    assert ":expect: Weather=Storm, Wind_rolled=7\n" in (tmp_path / "one/index.md").read_text()
    assert ":expect: Weather=Snow, Wind_rolled=7\n" in (tmp_path / "two/index.md").read_text()


LONG = "You wake in the ditch beside the old road, without your purse, your boots and the last three days."


@pytest.mark.parametrize(
    ("result", "other", "expected"),
    [
        (LONG, f"{LONG} Yet you laugh.", "roll=1"),
        ("Storm", "Rain", "Result=Storm"),
    ],
)
def test_accept_proposes_no_long_texts(docs, run, result, other, expected):
    page = f"# Road\n\n## Events (1d2)\n\n```{{dice:mechanic}} road/event\n```\n\n1. {result}\n2. {other}\n"
    example = "\n```{dice:example} A night\n:mechanic: road/event\n:dice: 1\n:expect:\n```\n"
    write(docs, page=page, example=example)
    done = run("dicedocs", "accept", "docs")
    assert "1 expectation in 1 file written" in done.stderr
    written = next(line for line in (docs / "index.md").read_text().splitlines() if ":expect:" in line)
    assert written.casefold() == f":expect: {expected}".casefold()


def test_diff_shows_what_a_changed_table_moves(run, tmp_path):
    write(tmp_path / "old")
    changed = PAGE.replace("[calm]    |", "3d6 knots |").replace("2. Hot", "2. Warm")
    write(tmp_path / "new", page=changed.replace("| 6+   ", "| 6–9  "), example=EXAMPLE.replace("6 3 4", "6 3 5"))
    done = run("dicedocs", "diff", "old", "new", "--json")
    moves = {(each["label"], each["figure"]): (each["old"], each["new"]) for each in json.loads(done.stdout)["moved"]}
    assert moves["blow", "Wind_rolled"] == ("7", "8")
    assert moves["road/weather", "4–5: Wind"] == ("[calm]", "3d6 knots")
    assert moves["road/weather", "6–9: Weather"] == ("–", "Storm")
    assert moves["road/weather", "6+: Weather"] == ("Storm", "–")
    assert moves["road/calm", "2"] == ("Hot", "Warm")
    # The tables are no game that both sides have played.
    assert "same" not in done.stderr


def test_diff_says_which_tables_came_and_went(run, tmp_path):
    write(tmp_path / "old")
    write(tmp_path / "new", page=PAGE.replace("road/calm", "road/lull").replace("[calm]", "[lull]"))
    done = run("dicedocs", "diff", "old", "new")
    assert "## New\n\n- road.md:20 Calm (1d2)\n" in done.stdout
    assert "## Gone\n\n- road.md:20 Calm (1d2)\n" in done.stdout
