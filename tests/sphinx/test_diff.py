"""`dicedocs diff` lists the figures of a book that a change moves."""

import json
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

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


def test_figures_that_did_not_move_are_said_to_be_the_same(diff, tmp_path):
    write_book(tmp_path / "old")
    # It exits as git does, as that is asked for.
    same = diff("old", "old", "--exit-code")
    assert (same.returncode, same.stdout) == (
        0,
        "# Errata: old to old\n\nNo figure moved.\n\nThe same game played both: toll.\n",
    )


def test_json_has_the_same_and_it_exits_as_git_does_if_that_is_asked_for(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", EASIER)
    done = diff("old", "new", "--json", "--exit-code")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    thrown = "Dice: d6: 3; Total: 3"
    assert (data["old"], data["new"], data["added"], data["removed"]) == ("old", "new", [], [])
    assert [(each["label"], each["line"], each["figure"], each["old"], each["new"]) for each in data["moved"]] == [
        ("blow", 5, "hit", "false", "true"),
        ("blow", 5, "working", f"{thrown}; Hit: 3 >= 4: no", f"{thrown}; Hit: 3 >= 3: yes"),
        ("table-1", 11, "Hit, Bonus 0", "50%", "66.7%"),
        ("table-1", 11, "Hit, Bonus 1", "66.7%", "83.3%"),
        ("odds-1", 17, "Hit: no", "50%", "33.3%"),
        ("odds-1", 17, "Hit: yes", "50%", "66.7%"),
        ("claim-1", 21, "p(hit = true) = 50%", "50%", "66.7%"),
    ]


def test_a_bigger_die_moves_the_average_and_each_value_of_a_chart(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", RULES.replace("roll(6)", "roll(8)"))
    data = json.loads(diff("old", "new", "--json").stdout)
    chart = {each["figure"]: (each["old"], each["new"]) for each in data["moved"] if each["kind"] == "odds"}
    assert chart.pop("mean") == ("3.5", "4.5")
    assert chart.pop("p(at least 6) = 16.7%") == ("16.7%", "37.5%")
    assert (chart.pop("Hit: no"), chart.pop("Hit: yes")) == (("50%", "37.5%"), ("50%", "62.5%"))
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


def test_an_example_that_no_longer_plays_is_not_compared(diff, tmp_path):
    write_book(tmp_path / "old")
    write_book(tmp_path / "new", RULES.replace("dice.roll(6)", "dice.roll(6) + dice.roll(6)"))
    done = diff("old", "new", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert "blow" not in {each["label"] for each in data["moved"]}
    [missing] = data["not_compared"]
    assert (missing["label"], missing["line"], missing["old"]) == ("blow", 5, "–")
    assert "face" in missing["new"]
    lines = diff("new", "new").stdout.splitlines()
    assert lines[2:6] == ["No figure moved. 1 statement could not be compared.", "", "## Not compared", ""]
    assert lines[8].startswith("| index.rst:5 A \\| blow | ")


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
    same = ["No figure moved.", "", "The same game played both: toll."]
    assert (done.returncode, done.stdout.splitlines()[2:]) == (0, same)
    file = tmp_path / "installed" / "toll.py"
    assert done.stderr == (
        f"dicedocs: both sides play the same toll ({file}), so no change of these rules can show; "
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


# What readers see besides blocks

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


def test_all_that_readers_see_is_compared(diff, tmp_path):
    write_book(tmp_path / "old", page=INLINE.format(target=6, bonus=1, wit=4))
    rules = RULES.replace("bonus=self.bonus", "bonus=self.bonus, luck=1")
    write_book(tmp_path / "new", rules, INLINE.format(target=3, bonus=2, wit=9))
    data = json.loads(diff("old", "new", "--json").stdout)
    assert (data["added"], data["removed"], data["not_compared"]) == ([], [], [])
    moved = [(each["line"], each["label"], each["figure"], each["old"], each["new"]) for each in data["moved"]]
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


def test_what_has_no_name_is_found_by_what_it_says(diff, tmp_path):
    write_book(tmp_path / "old")
    claim = ".. dice:claim::\n   :mechanic: toll/hit\n   :claim: p(at least 5) = 33.3%\n"
    write_book(tmp_path / "new", EASIER, PAGE.replace(".. dice:claim::", f"{claim}\n.. dice:claim::"))
    data = json.loads(diff("old", "new", "--json").stdout)
    assert [(each["label"], each["line"]) for each in data["added"]] == [("claim-1", 21)]
    assert data["removed"] == []
    assert data["moved"][-1]["figure"] == "p(hit = true) = 50%"


# Where the game comes from


def project(folder: Path, where: str, *, metadata: str = "pyproject.toml") -> Path:
    """Make a repository with a book, and a game in this folder of it, in two revisions and the working tree."""
    book = write_book(folder / "book")
    (book / "toll.py").unlink()
    (folder / where).mkdir(exist_ok=True)
    (folder / metadata).write_text("")
    git(folder, "init", "-q")
    for name, rules in (("old", RULES), ("new", EASIER), ("later", "1 / 0")):
        (folder / where / "toll.py").write_text(rules)
        commit(folder, name)
        git(folder, "tag", name)
    return book


def without_titles(sheet: str) -> str:
    return sheet.partition("\n")[2]


INSERTED = """import sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent.parent / "{where}"))
extensions = ["dicedocs_sphinx"]
dicedocs_games = {{"toll": "toll"}}
"""


@pytest.mark.parametrize(("where", "game"), [("python", ()), (".", ("--game", "project"))])
def test_the_game_is_that_of_the_revision_although_conf_py_puts_the_working_tree_first(diff, tmp_path, where, game):
    book = project(tmp_path / "project", where)
    (book / "conf.py").write_text(INSERTED.format(where=where))
    commit(book.parent, "conf")
    for name in ("old", "new"):
        git(book.parent, "checkout", "-q", name)
        (book / "conf.py").write_text(INSERTED.format(where=where))
        commit(book.parent, name)
        git(book.parent, "tag", "-f", name)
    git(book.parent, "checkout", "-q", "main")
    done = diff("old", "new", "project/book", *game)
    assert (done.stderr, done.stdout) == ("", ERRATA)


@pytest.mark.parametrize(("where", "metadata"), [("python", "pyproject.toml"), (".", "setup.py")])
def test_a_game_that_is_installed_for_editing_is_that_of_the_revision(commands, tmp_path, where, metadata):
    book = project(tmp_path / "project", where, metadata=metadata)
    # Such an installation adds the folder to the path.
    path = os.pathsep.join((str(book.parent / where), ENVIRONMENT["PYTHONPATH"]))
    done = commands.run(tmp_path, "dicedocs", "diff", "old", "new", "project/book", PYTHONPATH=path)
    assert (done.stderr, done.stdout) == ("", ERRATA)
    assert (book.parent / where / "toll.py").read_text() == "1 / 0"


def test_a_game_that_a_revision_has_not_is_not_compared(diff, tmp_path):
    book = project(tmp_path / "project", ".")
    (book / "conf.py").write_text(INSERTED.format(where="."))
    (book.parent / "toll.py").rename(book.parent / "other.py")
    commit(book.parent, "gone")
    done = diff("HEAD", "HEAD", "project/book")
    assert done.returncode == 1
    assert done.stdout.splitlines()[2] == "No figure moved. 4 statements could not be compared."
    assert "| index.rst:5 A \\| blow | the game 'toll' cannot be loaded from toll: " in done.stdout


def test_a_game_in_a_submodule_is_that_of_the_revision(diff, tmp_path):
    game = tmp_path / "game"
    game.mkdir()
    git(game, "init", "-q")
    (game / "toll.py").write_text(RULES)
    commit(game, "old")
    book = write_book(tmp_path / "project" / "book")
    (book / "toll.py").unlink()
    (book / "conf.py").write_text(INSERTED.format(where="rules"))
    git(book.parent, "init", "-q")
    git(book.parent, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(game), "rules")
    commit(book.parent, "old")
    git(book.parent, "tag", "old")
    (book.parent / "rules" / "toll.py").write_text(EASIER)
    commit(book.parent / "rules", "new")
    commit(book.parent, "new")
    git(book.parent, "tag", "new")
    assert diff("old", "new", "project/book").stdout == ERRATA
    (book.parent / "rules" / "toll.py").write_text("1 / 0")
    assert diff("old", "new", "project/book").stdout == ERRATA


# What else a repository may hold


def test_a_revision_is_what_git_checks_out(diff, tmp_path):
    book = write_book(tmp_path / "project" / "book")
    # It asks git, and no archive would have the page.
    (book / "conf.py").write_text(
        CONF + "import subprocess\n"
        "said = subprocess.run(['git', 'log', '-1', '--format=%s'], cwd=os.path.dirname(__file__), "
        "capture_output=True, text=True, check=True)\nrelease = said.stdout\nassert release.strip() in {'old', 'new'}\n"
    )
    git(book.parent, "init", "-q")
    (book.parent / ".gitattributes").write_text("book/index.rst export-ignore\n")
    (book.parent / "link").symlink_to("/nowhere/at/all")
    hook = book.parent / ".git" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    commit(book.parent, "old")
    git(book.parent, "tag", "old")
    (book / "toll.py").write_text(EASIER)
    commit(book.parent, "new")
    git(book.parent, "tag", "new")
    done = diff("old", "new", "project/book")
    assert (done.stderr, done.stdout) == ("", ERRATA)
    assert not list((book.parent / ".git" / "worktrees").glob("*"))


def test_it_runs_in_a_hook_of_a_linked_worktree(commands, tmp_path):
    book = write_book(tmp_path / "project" / "book")
    git(book.parent, "init", "-q")
    commit(book.parent, "old")
    git(book.parent, "tag", "old")
    linked = tmp_path / "linked"
    git(book.parent, "worktree", "add", "-q", str(linked))
    (linked / "book" / "toll.py").write_text(EASIER)
    commit(linked, "new")
    of_hook = {"GIT_DIR": str(book.parent / ".git" / "worktrees" / "linked"), "GIT_INDEX_FILE": "index"}
    done = commands.run(tmp_path, "dicedocs", "diff", "old", "HEAD", "linked/book", **ENVIRONMENT, **of_hook)
    assert (done.stderr, without_titles(done.stdout)) == ("", without_titles(ERRATA))
    git(linked, "status")


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


# The same as comparing the two built sites by eye


RULE_CHANGES = st.fixed_dictionaries(
    {
        "dice.each(6, 6)": st.sampled_from(["dice.each(6, 6)", "dice.each(8, 6)", "dice.each(4, 4)"]),
        "skill=self.skill": st.sampled_from(["skill=self.skill", "skill=2 * self.skill", "luck=self.skill"]),
        '">=", self': st.sampled_from(['">=", self', '">", self', '">=", 1 + self']),
        "param(default=8": st.sampled_from(["param(default=8", "param(default=9"]),
    }
)


BLOCKS = {"ada-climbs": 5, "odds-of-the-total": 15, "chance-of-success": 22, "claim-1": 31}
"""The blocks of the starter, each with its first line."""


def texts_of_blocks(commands, folder: Path) -> dict[str, str]:
    """All that readers see of each block of the starter."""
    done = commands.run(folder, "sphinx", "-q", "-b", "xml", "book", "xml", **ENVIRONMENT)
    assert "Traceback" not in done.stderr
    [section] = ET.parse(folder / "xml" / "attempts.xml").getroot().iter("section")  # noqa: S314  # our own
    texts: dict[str, str] = {}
    name = ""
    for child in section:
        name = child.get("ids", "").partition("dice-")[2] or name
        texts[name] = texts.get(name, "") + " ".join("".join(child.itertext()).split())
    assert texts.keys() - {""} == BLOCKS.keys()
    return texts


def block_at(line: int) -> str:
    """The block of the starter that a line is in."""
    return max((name for name, first in BLOCKS.items() if first <= line), key=lambda name: BLOCKS[name])


@pytest.fixture(scope="module")
def starter(commands, tmp_path_factory):
    """The starter as it is, and its text in a site."""
    folder = tmp_path_factory.mktemp("starter")
    commands.run(folder, "dicedocs", "new", "old/tales", **ENVIRONMENT)
    return folder, texts_of_blocks(commands, folder / "old" / "tales")


@settings(max_examples=2, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(changes=RULE_CHANGES)
@example(changes={})
@example(changes={"param(default=8": "param(default=9"})
def test_it_lists_the_blocks_whose_text_differs_between_the_built_sites(commands, starter, changes):
    folder, old = starter
    new = folder / f"new-{len(list(folder.iterdir()))}" / "tales"
    shutil.copytree(folder / "old" / "tales", new, ignore=shutil.ignore_patterns("xml", "__pycache__"))
    rules = new / "tales.py"
    text = rules.read_text("utf-8")
    for was, now in changes.items():
        assert was in text
        text = text.replace(was, now)
    rules.write_text(text, "utf-8")
    shown = texts_of_blocks(commands, new)
    done = commands.run(folder, "dicedocs", "diff", "old/tales/book", str(new / "book"), "--json", **ENVIRONMENT)
    data = json.loads(done.stdout)
    assert {block_at(each["line"]) for each in data["moved"]} == {name for name in BLOCKS if old[name] != shown[name]}
    assert (data["added"], data["removed"], data["not_compared"]) == ([], [], [])


def test_a_figure_that_moved_because_of_another_example_names_it(diff, tmp_path):
    chain = """
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
    write_book(tmp_path / "old", page=PAGE + chain)
    write_book(tmp_path / "new", RULES.replace("bonus=self.bonus", "bonus=self.bonus + 1"), page=PAGE + chain)
    done = diff("old", "new", "--json")
    moved = {(each["label"], each["figure"]): each for each in json.loads(done.stdout)["moved"]}
    assert [moved["between", "total"][key] for key in ("old", "new", "because")] == ["6", "8", ["blow"]]
    assert [moved["after", "total"][key] for key in ("old", "new", "because")] == ["7", "9", ["between"]]
    assert moved["blow", "total"]["because"] == []
    assert "| index.rst:33 Between, with blow | total | 6 | 8 |" in diff("old", "new").stdout
