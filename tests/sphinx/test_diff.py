"""`dicedocs diff` lists the figures of a book that a change moves."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

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

7 figures moved.

## index

| Where | What | Old | New |
|---|---|---|---|
| index.rst:5 A \\| blow | hit | false | true |
| index.rst:5 A \\| blow | working | Dice: d6: 3; Total: 3; Hit: 3 >= 4: no | Dice: d6: 3; Total: 3; Hit: 3 >= 3: yes |
| index.rst:11 Chances | Hit, Bonus 0 | 50% | 66.7% |
| index.rst:11 Chances | Hit, Bonus 1 | 66.7% | 83.3% |
| index.rst:17 odds-1 | Hit: no | 50% | 33.3% |
| index.rst:17 odds-1 | Hit: yes | 50% | 66.7% |
| index.rst:21 claim-1 | p(hit = true) = 50% | 50% | 66.7% |
"""
"""The faces that hit, of six: 4 to 6 before and 3 to 6 afterwards, one more with the bonus."""


def section(page: str) -> str:
    """Return what the errata have under the title of a page that moved like the index above."""
    return ERRATA[ERRATA.index("## index") :].replace("index", page)


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
    write_book(tmp_path / "old", "1 / 0\n")
    write_book(tmp_path / "new")
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

    def diff(*words, **settings):
        return commands.run(tmp_path, "dicedocs", "diff", *words, PYTHONPATH=path, **settings)

    return diff


def test_two_folders_that_load_the_same_installed_game_are_warned_of(with_installed, tmp_path):
    installed_game(tmp_path / "old", RULES)
    installed_game(tmp_path / "new", EASIER)
    # With this option it exits as git does.
    done = with_installed("old/book", "new/book", "--exit-code")
    title = "# Errata: old/book to new/book\n\n"
    assert (done.returncode, done.stdout) == (0, f"{title}No figure moved.\n\nThe same game played both: toll.\n")
    assert done.stderr == (
        f"dicedocs: both sides play the same toll ({tmp_path / 'installed' / 'toll.py'}), so no change of these rules "
        "can show; compare revisions of the game in git: dicedocs diff OLD NEW DOCS --game DIR\n"
    )


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
    errata = ERRATA.replace("old to new", "old/book to new/book")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", errata)


def test_a_revision_is_compared_with_a_linked_worktree_in_a_hook_of_that(with_installed, tmp_path):
    book = installed_game(tmp_path / "project", RULES)
    git(book.parent, "init", "-q")
    commit(book.parent, "old")
    git(book.parent, "tag", "old")
    linked = tmp_path / "linked"
    git(book.parent, "worktree", "add", "-q", str(linked))
    game = linked / "src" / "toll.py"
    game.write_text(EASIER)
    of_hook = {"GIT_DIR": str(book.parent / ".git" / "worktrees" / "linked"), "GIT_INDEX_FILE": "index"}
    done = with_installed("old", "linked/book", "--exit-code", **of_hook)
    errata = ERRATA.replace("old to new", "old to linked/book")
    assert (done.returncode, done.stderr, done.stdout) == (1, "", errata)
    assert game.read_text() == EASIER
    git(linked, "status")


def test_a_revision_of_a_game_is_compared_with_its_working_tree(with_installed, tmp_path):
    book = installed_game(tmp_path / "project", RULES)
    book = book.rename(tmp_path / "book")
    game = tmp_path / "project"
    git(game, "init", "-q")
    commit(game, "old")
    (game / "src" / "toll.py").write_text(EASIER)
    done = with_installed("HEAD", "book", "--game", "project")
    assert (done.stderr, done.stdout) == ("", ERRATA.replace("old to new", "HEAD to book"))


IMPORT_HOOK = """
import sys
from importlib.util import spec_from_file_location

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return spec_from_file_location(name, {file!r}) if name == "toll" else None

sys.meta_path.{added}
"""
"""What an installation for editing does at the start of Python, instead of adding a folder to the path."""


@pytest.mark.parametrize(
    ("added", "is_committed", "status"),
    [
        # As setuptools does: the path comes first.
        pytest.param("append(Finder)", True, 0, marks=pytest.mark.thorough),
        ("append(Finder)", False, 2),
        # As meson-python does.
        pytest.param("insert(0, Finder)", True, 2, marks=pytest.mark.thorough),
    ],
)
def test_a_game_of_the_working_tree_never_plays_a_revision(added, is_committed, status, commands, tmp_path):
    book = installed_game(tmp_path / "project", RULES)
    game = tmp_path / "project" / "src" / "toll.py"
    if not is_committed:
        game.unlink()
    git(book.parent, "init", "-q")
    commit(book.parent, "old")
    game.write_text(EASIER)
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(IMPORT_HOOK.format(file=str(game), added=added))
    path = os.pathsep.join((str(tmp_path / "hook"), ENVIRONMENT["PYTHONPATH"]))
    done = commands.run(tmp_path, "dicedocs", "diff", "HEAD", "project/book", PYTHONPATH=path)
    assert done.returncode == status
    if status:
        assert (
            f"the game 'toll' is loaded from the working tree, not from the revision: {game}; install it without"
            in done.stderr
        )
    else:
        assert done.stdout == ERRATA.replace("old to new", "HEAD to project/book")


@pytest.mark.thorough
def test_dicedocs_itself_is_that_of_the_working_tree_on_both_sides(commands, tmp_path):
    project = write_book(tmp_path / "project" / "book").parent
    ours = ("dicedocs", "sphinx_ext/dicedocs_sphinx")
    for package in ours:
        (project / package).mkdir(parents=True)
        (project / package / "__init__.py").write_text("1 / 0")
    git(project, "init", "-q")
    commit(project, "old")
    for package in ours:
        # With what is compiled of it.
        shutil.copytree(SOURCES / package, project / package, dirs_exist_ok=True)
    path = os.pathsep.join((str(project), str(project / "sphinx_ext")))
    done = commands.run(tmp_path, "dicedocs", "diff", "HEAD", "project/book", PYTHONPATH=path)
    assert (done.stderr, done.stdout) == ("", "# Errata: HEAD to project/book\n\nNo figure moved.\n")


def test_a_raised_limit_holds_for_both_sides(diff, tmp_path):
    for side, count in (("old", 600), ("new", 601)):
        notation = " + ".join(["1"] * count)
        page = f"Sum\n===\n\n.. dice:odds:: A long sum\n   :mechanic: dice/roll\n   :notation: {notation}\n"
        write_book(tmp_path / side, page=page)
    assert "the limit TEXT is 1000" in diff("old", "new").stdout
    raised = diff("old", "new", "--limit", "TEXT=3000")
    assert raised.returncode == 0
    assert "| mean | 600 | 601 |" in raised.stdout


# A book in which each page has a game and a change of its own

INLINE = """
Fight at :dice:odds:`1d20 >= {target}`
======================================

Kira hits with :dice:odds:`1d20 >= {target}`, rolls :dice:roll:`1d6+{bonus} @ dice 4` and has
:dice:fact:`kira.Wit` Wit; :dice:fact:`blow.total`.

.. dice:character:: Kira
   :name: kira
   :values: Wit={wit}

.. dice:example:: A blow
   :name: blow
   :mechanic: toll/hit
   :dice: 3

   It comes to :dice:fact:`total`.
"""
CHAIN = """
.. dice:example:: After
   :name: after
   :mechanic: methuen/expression
   :expression: between.total + 1
   :expect: total=7

.. dice:example:: Between
   :name: between
   :mechanic: methuen/expression
   :expression: 2 * blow.total
   :expect: total=6
"""
CLAIM = ".. dice:claim::\n   :mechanic: toll/hit\n   :claim: p(at least 5) = 33.3%\n"
CHANGES = {
    "easier": ((RULES, PAGE), (EASIER, PAGE)),
    "bigger": ((RULES, PAGE), (RULES.replace("roll(6)", "roll(8)"), PAGE)),
    "renamed": ((RULES, PAGE), (RULES, PAGE.replace(":name: blow", ":name: strike"))),
    "broken": ((RULES, PAGE), (RULES.replace("dice.roll(6)", "dice.roll(6) + dice.roll(6)"), PAGE)),
    "inline": (
        (RULES, INLINE.format(target=6, bonus=1, wit=4)),
        (RULES.replace("bonus=self.bonus", "bonus=self.bonus, luck=1"), INLINE.format(target=3, bonus=2, wit=9)),
    ),
    "unnamed": ((RULES, PAGE), (EASIER, PAGE.replace(".. dice:claim::", f"{CLAIM}\n.. dice:claim::"))),
    "chain": ((RULES, PAGE + CHAIN), (RULES.replace("bonus=self.bonus", "bonus=self.bonus + 1"), PAGE + CHAIN)),
}
"""The rules and the page, before and afterwards; the game has the name of the page, and blocks end with it."""


def own_page(page: str, name: str) -> str:
    """Return a page that plays the game of this name, and whose blocks end with it."""
    return re.sub(r"(:name: (?!kira)\w+|\b(?:blow|between)(?=\.total))", rf"\1-{name}", page.replace("toll", name))


class Compared(NamedTuple):
    """What was said of the book with all changes: as data, and as text."""

    folder: Path
    status: int
    data: dict[str, Any]
    text: str

    def of(self, page: str, part: str = "moved") -> list[dict[str, Any]]:
        """Return the entries of a page in a part of the data, with the names of blocks as they are above."""
        found = [each for each in self.data[part] if each["page"] == page]
        for each in found:
            each["label"] = each["label"].replace(f"-{page}", "")
        return found


@pytest.fixture(scope="module")
def compared(commands, tmp_path_factory):
    """What is said of two folders with the book before and after all changes."""
    folder = tmp_path_factory.mktemp("changes")
    for number, side in enumerate(("old", "new")):
        book = folder / side
        book.mkdir()
        games = ", ".join(CHANGES)
        (book / "conf.py").write_text(CONF.replace("import toll", f"import {games}"))
        (book / "index.rst").write_text("Book\n====\n\n.. toctree::\n   :glob:\n\n   *\n")
        for name, sides in CHANGES.items():
            rules, page = sides[number]
            # The rules that do not change are installed once.
            ((folder if name == "renamed" else book) / f"{name}.py").write_text(rules.replace("toll", name))
            (book / f"{name}.rst").write_text(own_page(page, name))
    path = os.pathsep.join((str(folder), ENVIRONMENT["PYTHONPATH"]))
    said = [
        commands.run(folder, "dicedocs", "diff", "old", "new", *words, PYTHONPATH=path) for words in (["--json"], [])
    ]
    return Compared(folder, said[0].returncode, json.loads(said[0].stdout), said[1].stdout)


def test_the_figures_of_each_page_are_in_a_table_under_its_title(compared):
    assert compared.text.startswith("# Errata: old to new\n\n")
    assert f"\n{section('easier')}\n## inline\n" in compared.text
    assert compared.data["same_games"]["renamed"] == str(compared.folder / "renamed.py")
    assert compared.text.endswith("\nThe same game played both: methuen, renamed.\n")


def test_json_has_the_same(compared):
    thrown = "Dice: d6: 3; Total: 3"
    assert (compared.data["old"], compared.data["new"]) == ("old", "new")
    moved = compared.of("easier")
    assert [(each["label"], each["line"], each["figure"], each["old"], each["new"]) for each in moved] == [
        ("blow", 5, "hit", "false", "true"),
        ("blow", 5, "working", f"{thrown}; Hit: 3 >= 4: no", f"{thrown}; Hit: 3 >= 3: yes"),
        ("table-1", 11, "Hit, Bonus 0", "50%", "66.7%"),
        ("table-1", 11, "Hit, Bonus 1", "66.7%", "83.3%"),
        ("odds-1", 17, "Hit: no", "50%", "33.3%"),
        ("odds-1", 17, "Hit: yes", "50%", "66.7%"),
        ("claim-1", 21, "p(hit = true) = 50%", "50%", "66.7%"),
    ]


def test_a_bigger_die_moves_the_average_and_each_value_of_a_chart(compared):
    chart = {each["figure"]: (each["old"], each["new"]) for each in compared.of("bigger") if each["kind"] == "odds"}
    assert chart.pop("mean") == ("3.5", "4.5")
    assert chart.pop("p(at least 6) = 16.7%") == ("16.7%", "37.5%")
    assert (chart.pop("Hit: no"), chart.pop("Hit: yes")) == (("50%", "37.5%"), ("50%", "62.5%"))
    assert chart == {str(face): ("16.7%" if face <= 6 else "–", "12.5%") for face in range(1, 9)}


def test_blocks_that_came_and_went_are_listed(compared):
    assert compared.of("renamed") == []
    came, went = re.findall(r"\n## (?:New|Gone)\n\n((?:- .*\n)+)", compared.text)
    assert came == "- renamed.rst:5 A \\| blow\n- unnamed.rst:21 claim-1\n"
    assert went == "- renamed.rst:5 A \\| blow\n"


def test_an_example_that_no_longer_plays_is_not_compared(compared):
    assert compared.status == 1
    assert "blow" not in {each["label"] for each in compared.of("broken")}
    [missing] = compared.of("broken", "not_compared")
    assert (missing["label"], missing["line"], missing["old"]) == ("blow", 5, "–")
    assert "face" in missing["new"]
    lines = compared.text.splitlines()
    assert lines[2].endswith(" figures moved. 1 statement could not be compared.")
    title = lines.index("## Not compared")
    assert lines[title + 4].startswith("| broken.rst:5 A \\| blow | – | ")


def test_all_that_readers_see_is_compared(compared):
    assert [compared.of("inline", part) for part in ("added", "removed", "not_compared")] == [[], [], []]
    moved = [(each["line"], each["label"], each["figure"], each["old"], each["new"]) for each in compared.of("inline")]
    assert moved == [
        (2, "odds 1d20 >= 3", "text", "75%", "90%"),
        (5, "odds 1d20 >= 3", "text", "75%", "90%"),
        (5, "roll 1d6+2 @ dice 4", "text", "5 (1d6+1: 4)", "6 (1d6+2: 4)"),
        (6, "fact kira.Wit", "text", "4", "9"),
        (6, "fact blow.total", "text", "3", "4"),
        (8, "kira", "Wit", "4", "9"),
        (12, "blow", "total", "3", "4"),
        (12, "blow", "hit", "false", "true"),
        (
            12,
            "blow",
            "working",
            "Dice: d6: 3; Total: 3; Hit: 3 >= 4: no",
            "Dice: d6: 3; Total: 3 + 1 (luck) = 4; Hit: 4 >= 4: yes",
        ),
        (17, "fact total", "text", "3", "4"),
    ]


def test_what_has_no_name_is_found_by_what_it_says(compared):
    assert [(each["label"], each["line"]) for each in compared.of("unnamed", "added")] == [("claim-1", 21)]
    assert compared.of("unnamed", "removed") == []
    assert compared.of("unnamed")[-1]["figure"] == "p(hit = true) = 50%"


def test_a_figure_that_moved_because_of_another_example_names_it(compared):
    moved = {(each["label"], each["figure"]): each for each in compared.of("chain")}
    assert [moved["between", "total"][key] for key in ("old", "new", "because")] == ["6", "8", ["blow-chain"]]
    assert [moved["after", "total"][key] for key in ("old", "new", "because")] == ["7", "9", ["between-chain"]]
    assert moved["blow", "total"]["because"] == []
    assert "| chain.rst:33 Between, with blow-chain | total | 6 | 8 |" in compared.text


# Where the game comes from


PLACES = {"inserted": "python", "top": ".", "editable": "editable", "setup": "old", "submodule": "rules"}
"""The games of one book, and the folders of the project that they are in."""
PLACED = """import subprocess
import sys
from pathlib import Path
# It asks git, of which an archive would know nothing.
command = ["git", "log", "-1", "--format=%s"]
done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
assert done.stdout.strip() in {"old", "new"}
sys.path.insert(0, str(Path(__file__).parent.parent / "python"))
sys.path.append(str(Path(__file__).parent.parent / "rules"))
import editable, inserted
extensions = ["dicedocs_sphinx"]
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A repository in two revisions, and a working tree in which no game can be played; one is in none of the three."""
    project = tmp_path_factory.mktemp("places") / "project"
    book = project / "book"
    book.mkdir(parents=True)
    games = {name: name for name in (*PLACES, "absent")}
    (book / "conf.py").write_text(f"{PLACED}dicedocs_games = {games}\n")
    (book / "index.rst").write_text("Book\n====\n\n.. toctree::\n   :glob:\n\n   *\n")
    for name in games:
        (book / f"{name}.rst").write_text(own_page(PAGE, name))
    for folder in PLACES.values():
        (project / folder).mkdir(exist_ok=True)
    (project / "pyproject.toml").write_text("")
    (project / "old" / "setup.py").write_text("")
    (project / ".gitattributes").write_text("book/*.rst export-ignore\n")
    (project / "link").symlink_to("/nowhere/at/all")
    git(project, "init", "-q")
    hook = project / ".git" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    rules = project / PLACES["submodule"]
    git(rules, "init", "-q")
    for revision, text in (("old", RULES), ("new", EASIER)):
        write_games(project, text)
        commit(rules, revision)
        if revision == "old":
            git(project, "submodule", "add", "-q", "./rules")
        commit(project, revision)
        git(project, "tag", revision)
    write_games(project, "1 / 0")
    (project / "python" / "absent.py").write_text(RULES.replace("toll", "absent"))
    return project


def write_games(project: Path, rules: str) -> None:
    for name, folder in PLACES.items():
        (project / folder / f"{name}.py").write_text(rules.replace("toll", name))


@pytest.fixture(scope="module", params=[(), ("--game", "project")], ids=["of the book", "of the games"])
def between_revisions(request, project, commands):
    """What is said of two revisions of the project, and of those of its games with the book as it is."""
    # An installation for editing adds the folder to the path.
    path = os.pathsep.join((str(project / "editable"), ENVIRONMENT["PYTHONPATH"]))
    command = ("dicedocs", "diff", "old", "new", "project/book", *request.param)
    return commands.run(project.parent, *command, PYTHONPATH=path)


@pytest.mark.parametrize("game", PLACES)
def test_the_game_is_that_of_the_revision_wherever_it_is(between_revisions, game):
    assert section(game) in between_revisions.stdout


def test_a_game_that_a_revision_has_not_is_not_compared(between_revisions):
    assert between_revisions.returncode == 1
    summary = f"{7 * len(PLACES)} figures moved. 4 statements could not be compared."
    assert between_revisions.stdout.splitlines()[2] == summary
    assert "| absent.rst:5 A \\| blow | the game 'absent' cannot be loaded from absent: " in between_revisions.stdout


def test_no_checkout_of_a_revision_is_left(between_revisions, project):
    assert between_revisions.stderr == ""
    assert not list((project / ".git" / "worktrees").glob("*"))
    assert (project / "editable" / "editable.py").read_text() == "1 / 0"


# What git refuses, and who ends it


def test_what_git_refuses_is_said_in_its_words(commands, tmp_path):
    book = write_book(tmp_path / "project" / "book")
    git(book.parent, "init", "-q")
    commit(book.parent, "only")
    owned_by_others = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    done = commands.run(tmp_path, "dicedocs", "diff", "HEAD", "HEAD", "project/book", **ENVIRONMENT, **owned_by_others)
    assert done.returncode == 2
    assert "detected dubious ownership in repository" in done.stderr
    assert "git config --global --add safe.directory" in done.stderr


def test_who_ends_it_leaves_no_checkout(tmp_path):
    book = write_book(tmp_path / "project" / "book")
    (book / "conf.py").write_text(
        f"{CONF}open({str(tmp_path / 'began')!r}, 'w').close()\nimport time; time.sleep(60)\n"
    )
    git(book.parent, "init", "-q")
    commit(book.parent, "only")
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = [sys.executable, "-m", "dicedocs", "diff", "HEAD", "HEAD", str(book)]
    environment = {**os.environ, **ENVIRONMENT, "TMPDIR": str(folder)}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while not (tmp_path / "began").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert list(folder.iterdir())
    process.terminate()
    assert process.wait(30) != 0
    assert list(folder.iterdir()) == []
    assert not list((book.parent / ".git" / "worktrees").glob("*"))


def test_the_configuration_may_be_elsewhere_as_for_sphinx_build(diff, tmp_path):
    settings = write_book(tmp_path / "project" / "settings")
    pages = settings.parent / "pages"
    pages.mkdir()
    (settings / "index.rst").rename(pages / "index.rst")
    git(settings.parent, "init", "-q")
    commit(settings.parent, "old")
    git(settings.parent, "tag", "old")
    (settings / "toll.py").write_text(EASIER)
    commit(settings.parent, "new")
    between = diff("old", "HEAD", "project/pages", "-c", "project/settings")
    assert (between.returncode, between.stderr) == (0, "")
    assert section("index") in between.stdout
    same = diff("-c", "project/settings", "old", "project/pages")
    assert section("index") in same.stdout
    shutil.copytree(pages, tmp_path / "other")
    (tmp_path / "other" / "index.rst").write_text(PAGE.replace(":dice: 3", ":dice: 2"))
    folders = diff("project/pages", "other", "-c", "project/settings", "--json")
    assert {move["line"] for move in json.loads(folders.stdout)["moved"]} == {5}


# The same as comparing the two built sites by eye

RULE_CHANGES = {
    "dice.each(6, 6)": ["dice.each(6, 6)", "dice.each(8, 6)", "dice.each(4, 4)"],
    "skill=self.skill": ["skill=self.skill", "skill=2 * self.skill", "luck=self.skill"],
    '">=", self': ['">=", self', '">", self', '">=", 1 + self'],
    "param(default=8": ["param(default=8", "param(default=9"],
}
"""Texts in the rules of the starter, and what may stand there instead."""
COMBINATIONS = list(product(*RULE_CHANGES.values()))
VARIANTS = dict(enumerate([*COMBINATIONS[:2], *COMBINATIONS[5::5]]))
"""The rules as they are, with one change, and with every fifth combination of changes, in which each occurs."""
BLOCKS = {"ada": 5, "ada-climbs": 12, "odds-of-the-total": 22, "chance-of-success": 29, "claim-1": 38}
"""The blocks of the starter, each with its first line."""


def texts_of_blocks(commands, folder: Path) -> dict[tuple[int, str], str]:
    """All that readers see of each block of each variant."""
    done = commands.run(folder, "sphinx", "-q", "-b", "xml", "book", "xml", **ENVIRONMENT)
    assert "Traceback" not in done.stderr
    texts: dict[tuple[int, str], str] = {}
    for number in VARIANTS:
        [section] = ET.parse(folder / "xml" / f"attempts{number}.xml").getroot().iter("section")  # noqa: S314  # our own
        name = ""
        for child in section:
            name = child.get("ids", "").partition("dice-")[2].removesuffix(f"-of-{number}") or name
            key = number, name
            texts[key] = texts.get(key, "") + " ".join("".join(child.itertext()).split())
    assert {name for _, name in texts} - {""} == BLOCKS.keys()
    return texts


def block_at(line: int) -> str:
    """The block of the starter that a line is in."""
    return max((name for name, first in BLOCKS.items() if first <= line), key=lambda name: BLOCKS[name])


def write_variants(folder: Path, *, changed: bool) -> None:
    """Make a chapter and a game of each variant of the starter."""
    rules = (folder / "tales" / "__init__.py").read_text("utf-8")
    page = (folder / "book" / "attempts.md").read_text("utf-8")
    conf = (folder / "book" / "conf.py").read_text("utf-8")
    games = {f"tales{number}": f"tales{number}" for number in VARIANTS}
    assert '{"tales": "tales"}' in conf
    (folder / "book" / "conf.py").write_text(conf.replace('{"tales": "tales"}', repr(games)), "utf-8")
    for name in ("attempts.md", "road.md"):
        (folder / "book" / name).unlink()
    for number, variant in VARIANTS.items():
        own = rules
        for was, now in zip(RULE_CHANGES, variant, strict=True):
            assert was in own
            own = own.replace(was, now) if changed else own
        (folder / f"tales{number}.py").write_text(own.replace("tales/", f"tales{number}/"), "utf-8")
        text = re.sub(r"^(:name: .*|:skill: ada)\b", rf"\1-of-{number}", page, flags=re.MULTILINE)
        text = text.replace("tales/", f"tales{number}/")
        (folder / "book" / f"attempts{number}.md").write_text(text, "utf-8")


@pytest.mark.thorough
def test_it_lists_the_blocks_whose_text_differs_between_the_built_sites(commands, tmp_path):
    commands.run(tmp_path, "dicedocs", "new", "old/tales", "--python", **ENVIRONMENT)
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    texts = []
    for side in ("old", "new"):
        write_variants(tmp_path / side / "tales", changed=side == "new")
        texts.append(texts_of_blocks(commands, tmp_path / side / "tales"))
    old, new = texts
    done = commands.run(tmp_path, "dicedocs", "diff", "old/tales/book", "new/tales/book", "--json", **ENVIRONMENT)
    data = json.loads(done.stdout)
    moved = {(int(each["page"].removeprefix("attempts")), block_at(each["line"])) for each in data["moved"]}
    assert moved == {key for key in old if old[key] != new[key]}
    assert len(moved) > len(VARIANTS)
    assert (data["added"], data["removed"], data["not_compared"]) == ([], [], [])
