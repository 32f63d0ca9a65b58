"""`dicedocs diff` lists the figures of a book that a change moves."""

import json
import os
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))}
RULES = """
from dicedocs import *

class Hit(Mechanic, id="toll/hit"):
    bonus: int = param(default=0)
    class Result(Outcome):
        total: int
        hit: bool
    def resolve(self, dice: Dice, say: Say) -> Result:
        total = say.sum("Total", dice.roll(6), bonus=self.bonus)
        return self.Result(total, say.compare("Hit", total, ">=", 4))
"""
CONF = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nimport toll\nextensions=['dicedocs_sphinx']\n"
PAGE = """
Fight
=====

.. dice:example:: A | blow
   :name: blow
   :mechanic: toll/hit
   :dice: 3
   :expect: hit=false

.. dice:table:: Chances
   :mechanic: toll/hit
   :fact: hit
   :show: true
   :vary: bonus=0..1

.. dice:odds::
   :mechanic: toll/hit
   :expect: p(at least 6) = 16.7%

.. dice:claim::
   :mechanic: toll/hit
   :claim: p(hit = true) = 50%

   Half of all blows hit.
"""


def write_book(folder: Path, rules: str = RULES, page: str = PAGE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conf.py").write_text(CONF)
    (folder / "toll.py").write_text(rules)
    (folder / "index.rst").write_text(page)
    return folder


EASIER = RULES.replace('">=", 4', '">=", 3')
ERRATA = """# Errata: old to new

4 figures moved.

## index

| Where | What | Old | New |
|---|---|---|---|
| index.rst:5 A \\| blow | hit | false | true |
| index.rst:11 Chances | Hit, Bonus 0 | 50% | 66.7% |
| index.rst:11 Chances | Hit, Bonus 1 | 66.7% | 83.3% |
| index.rst:21 claim-1 | p(hit = true) = 50% | 50% | 66.7% |
"""
"""The faces that hit, of six: 4 to 6 before and 3 to 6 afterwards, one more with the bonus."""


@pytest.fixture
def diff(commands, tmp_path):
    def diff(*words):
        return commands.run(tmp_path, "dicedocs", "diff", *words, **ENVIRONMENT)

    return diff


def git(folder, *words):
    identity = ("-c", "user.name=N", "-c", "user.email=n@example.org", "-c", "init.defaultBranch=main")
    command = ["/usr/bin/env", "git", "-C", str(folder), *identity, *words]
    subprocess.run(command, check=True, capture_output=True)


def commit(folder, message):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def test_two_folders_are_compared(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", EASIER)
    done = diff("old", "new")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", ERRATA)
    same = diff("old", "old")
    assert (same.returncode, same.stdout) == (0, "# Errata: old to old\n\nNo figure moved.\n")


def test_json_has_the_same(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", EASIER)
    data = json.loads(diff("old", "new", "--json").stdout)
    assert (data["old"], data["new"], data["added"], data["removed"]) == ("old", "new", [], [])
    assert [(each["label"], each["line"], each["figure"], each["old"], each["new"]) for each in data["moved"]] == [
        ("blow", 5, "hit", "false", "true"),
        ("table-1", 11, "Hit, Bonus 0", "50%", "66.7%"),
        ("table-1", 11, "Hit, Bonus 1", "66.7%", "83.3%"),
        ("claim-1", 21, "p(hit = true) = 50%", "50%", "66.7%"),
    ]


def test_a_bigger_die_moves_the_average_and_each_value_of_a_chart(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", RULES.replace("roll(6)", "roll(8)"))
    data = json.loads(diff("old", "new", "--json").stdout)
    chart = {each["figure"]: (each["old"], each["new"]) for each in data["moved"] if each["kind"] == "odds"}
    assert chart.pop("mean") == ("3.5", "4.5")
    assert chart.pop("p(at least 6) = 16.7%") == ("16.7%", "37.5%")
    assert chart == {str(face): ("16.7%" if face <= 6 else "–", "12.5%") for face in range(1, 9)}


def test_blocks_that_came_and_went_are_listed(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", page=PAGE.replace(":name: blow", ":name: strike"))
    lines = diff("old", "new").stdout.splitlines()
    assert lines[2:] == [
        "No figure moved.",
        "",
        "## New",
        "",
        "- index.rst:5 A \\| blow",
        "",
        "## Gone",
        "",
        "- index.rst:5 A \\| blow",
    ]


def test_an_example_that_no_longer_plays_says_why(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", RULES.replace("dice.roll(6)", "dice.roll(6) + dice.roll(6)"))
    data = json.loads(diff("old", "new", "--json").stdout)
    moved = {each["figure"]: (each["old"], each["new"]) for each in data["moved"] if each["label"] == "blow"}
    assert moved["total"] == ("3", "–")
    old, new = moved["error"]
    assert old == "–"
    assert "face" in new


def test_revisions_of_a_book_are_compared(diff, tmp_path):
    book = write_book(tmp_path / "project" / "book")
    git(book.parent, "init", "-q")
    commit(book.parent, "old")
    git(book.parent, "tag", "old")
    write_book(book, EASIER)
    commit(book.parent, "new")
    git(book.parent, "tag", "new")
    assert diff("old", "new", "project/book").stdout == ERRATA
    # the working tree, before anything is committed
    git(book.parent, "checkout", "-q", "old")
    write_book(book, EASIER)
    assert diff("HEAD", "project/book").stdout == ERRATA.replace("old to new", "HEAD to project/book")
    assert (book / "toll.py").read_text() == EASIER


def test_revisions_of_a_game_are_compared_with_the_book_as_it_is(diff, tmp_path):
    book = write_book(tmp_path / "book")
    (book / "toll.py").unlink()
    game = tmp_path / "game"
    (game / "src").mkdir(parents=True)
    (game / "pyproject.toml").write_text("[project]\nname = 'toll'\n")
    git(game, "init", "-q")
    for name, rules in (("old", RULES), ("new", EASIER)):
        (game / "src" / "toll.py").write_text(rules)
        commit(game, name)
        git(game, "tag", name)
    done = diff("old", "new", "book", "--game", "game")
    assert (done.stderr, done.stdout) == ("", ERRATA)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere", "old"), "is not in a git repository"),
        (("one", "two"), "are not folders of a book, and no book is named"),
        (("HEAD", "HEAD", "old"), "is not in a git repository"),
    ],
)
def test_what_cannot_be_compared_is_bad_input(words, message, diff, tmp_path):
    write_book(tmp_path / "old")
    done = diff(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_revision_that_there_is_not_is_bad_input(diff, tmp_path):
    book = write_book(tmp_path / "book")
    git(book, "init", "-q")
    commit(book, "only")
    done = diff("HEAD~7", "book")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'HEAD~7' is neither the folder of a book nor a revision of" in done.stderr


def test_a_book_that_cannot_be_read_is_bad_input(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", "1 / 0\n")
    done = diff("old", "new")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ZeroDivisionError: division by zero (toll.py:1, in <module>)" in done.stderr


def installed_game(folder: Path, rules: str) -> Path:
    """Make a repository with a game and a book that does not say where the game is: it is an installed one."""
    book = write_book(folder / "book")
    (book / "toll.py").unlink()
    (book / "conf.py").write_text("import toll\nextensions = ['dicedocs_sphinx']\n")
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "toll.py").write_text(rules)
    (folder / "pyproject.toml").write_text("[project]\nname = 'toll'\n")
    return book


@pytest.fixture
def with_installed(commands, tmp_path):
    """Runs the command where a game is installed."""
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "toll.py").write_text(RULES)
    path = os.pathsep.join((str(tmp_path / "installed"), ENVIRONMENT["PYTHONPATH"]))

    def diff(*words):
        return commands.run(tmp_path, "dicedocs", "diff", *words, PYTHONPATH=path)

    return diff


def test_two_folders_that_load_the_same_installed_game_are_warned_of(with_installed, tmp_path):
    installed_game(tmp_path / "old", RULES)
    installed_game(tmp_path / "new", EASIER)
    done = with_installed("old/book", "new/book")
    assert (done.returncode, done.stdout.splitlines()[2:]) == (0, ["No figure moved."])
    file = tmp_path / "installed" / "toll.py"
    assert done.stderr == (
        f"dicedocs: both sides play toll from {file}, so no change of its rules can show; "
        "compare revisions of the game in git: dicedocs diff OLD NEW DOCS --game DIR\n"
    )
    data = json.loads(with_installed("old/book", "new/book", "--json").stdout)
    assert data["same_games"] == {"toll": str(file)}


def test_folders_in_git_are_compared_with_the_game_beside_them(with_installed, tmp_path):
    book = installed_game(tmp_path / "old", RULES)
    git(book.parent, "init", "-q")
    commit(book.parent, "old")
    git(book.parent, "worktree", "add", "-q", "-b", "next", str(tmp_path / "new"))
    installed_game(tmp_path / "new", EASIER)
    # What git ignores is no part of the project.
    (tmp_path / "new" / ".gitignore").write_text("venv\n")
    (tmp_path / "new" / "venv").mkdir()
    (tmp_path / "new" / "venv" / "pyproject.toml").write_text("")
    (tmp_path / "new" / "venv" / "toll.py").write_text("1 / 0")
    done = with_installed("old/book", "new/book")
    assert (done.stderr, done.stdout) == ("", ERRATA.replace("old to new", "old/book to new/book"))
    # The working tree, with a revision.
    git(book.parent, "tag", "before")
    (book.parent / "src" / "toll.py").write_text(EASIER)
    done = with_installed("before", "old/book")
    assert (done.stderr, done.stdout) == ("", ERRATA.replace("old to new", "before to old/book"))


def test_a_revision_of_a_game_is_compared_with_its_working_tree(with_installed, tmp_path):
    book = installed_game(tmp_path / "project", RULES)
    book = book.rename(tmp_path / "book")
    game = tmp_path / "project"
    git(game, "init", "-q")
    commit(game, "old")
    (game / "src" / "toll.py").write_text(EASIER)
    done = with_installed("HEAD", "book", "--game", "project")
    assert (done.stderr, done.stdout) == ("", ERRATA.replace("old to new", "HEAD to book"))
