"""The core, the extension and the commands where Python lacks what Windows lacks; on Windows itself nothing was run.

There is no alarm, fork, owner, symbolic link or SIGTERM, text is cp1252 unless somebody says otherwise, lines end with
CRLF, and a file that somebody has open cannot be replaced.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

SOURCES = Path(__file__).parents[1]
WINDOWS = """
import builtins, io, os, signal
for module, names in (
    (signal, "setitimer getitimer alarm pause ITIMER_REAL SIGALRM SIGTERM SIGHUP pthread_kill pthread_sigmask"),
    (os, "fork forkpty chown fchown lchown geteuid getegid getuid getgid killpg"),
):
    for name in names.split():
        delattr(module, name)


def symlink(*_, **__):
    raise OSError(22, "A required privilege is not held by the client")


def open_in_cp1252(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *rest, **more):
    if "b" not in mode:
        encoding = "cp1252" if encoding in (None, "locale") else encoding
        newline = "\\r\\n" if newline is None and set(mode) & set("wax+") else newline
    return opened(file, mode, buffering, encoding, errors, newline, *rest, **more)


def replace(old, new, **more):
    if os.fspath(new) in os.environ["OPEN_FILES"].split("|"):
        raise PermissionError(13, "Access is denied")
    replaced(old, new, **more)


opened, replaced, os.symlink = io.open, os.replace, symlink
io.open = builtins.open = open_in_cp1252
os.replace = os.rename = replace
"""
IN_TURN = """
import json, runpy, sys
for words in json.loads(sys.argv[1]):
    sys.argv = words
    try:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code:
            sys.exit(f"{words} ended with {end.code}")
"""
"""Runs modules one after the other, until one fails."""
RULES = """
from dicedocs import Dice, Mechanic, Outcome, Say, param

class Loop(Mechanic, id="ash/loop"):
    \"\"\"Never ends.\"\"\"
    class Result(Outcome):
        total: int
    def resolve(self, dice: Dice, say: Say) -> Result:
        while True:
            pass
        return self.Result(7)
"""
PAGE = """# Größe

```{dice:example} Zoë würfelt – „3d6“
:mechanic: methuen/expression
:expression: 3d6 + [Größe]
:actor: Größe=2
:dice: 4 2 5
:expect: total=13

Zoë hat {dice:fact}`total` ≥ 12.
```
"""


class Windows:
    """A shell in which every Python is as on Windows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "python").mkdir()
        (folder / "python" / "sitecustomize.py").write_text(WINDOWS)
        self.open_files: list[Path] = []

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Run a module as `python -m`; its output is read as cp1252."""
        return self._python("-m", *map(str, words))

    def run_in_turn(self, *commands: list[str]) -> subprocess.CompletedProcess[str]:
        """Run modules in one Python, until one fails."""
        return self._python("-c", IN_TURN, json.dumps(commands))

    def _python(self, *words: str) -> subprocess.CompletedProcess[str]:
        foreign = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "LC_"))}
        environment = foreign | {
            "PYTHONPATH": os.pathsep.join(map(str, (self.folder / "python", SOURCES, SOURCES / "sphinx_ext"))),
            "PYTHONIOENCODING": "cp1252",
            "PYTHONUTF8": "0",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "OPEN_FILES": "|".join(map(str, self.open_files)),
        }
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            encoding="cp1252",
            check=False,
        )


@pytest.fixture
def windows(tmp_path: Path) -> Windows:
    return Windows(tmp_path)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "conf.py").write_bytes(b"extensions = ['dicedocs_sphinx', 'myst_parser']\r\n")
    (folder / "index.md").write_bytes(PAGE.replace("\n", "\r\n").encode())
    return folder


def test_the_core_rolls_and_counts(windows: Windows) -> None:
    done = windows.run("dicedocs", "roll", "1d6 [骰子] + 2", "--dice", "3")
    assert (done.returncode, done.stdout.splitlines()[-1][:7]) == (0, "total=5")
    assert "\\u9ab0\\u5b50" in done.stdout
    done = windows.run("dicedocs", "odds", "3d6", "--at-least", "13")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "at least 13: 25.9% (7 in 27)")
    assert "##" in done.stdout
    assert windows.run("dicedocs", "roll", "2 d 6").returncode == 2


def test_a_book_is_built_and_checked(windows: Windows, book: Path) -> None:
    sphinx = ["sphinx", "-W", "-q", "-b"]
    done = windows.run_in_turn(
        [*sphinx, "html", "book", "site"],
        [*sphinx, "doctest", "book", "doctest"],
        [*sphinx, "text", "book", "text"],
        ["pytest", "-p", "dicedocs_sphinx.pytest_plugin", "-p", "no:cacheprovider", "--dicedocs", "book"],
        ["dicedocs", "verify", "book"],
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "Zoë hat <" in (book.parent / "site" / "index.html").read_text("utf-8")
    assert " 2 passed" in done.stdout
    assert done.stdout.splitlines()[-1] == "2 statements: 1 verified, 1 without a check"


def test_a_rule_that_never_ends_is_stopped(windows: Windows, book: Path) -> None:
    (book / "ash.py").write_text(RULES)
    with (book / "conf.py").open("a") as conf:
        conf.write("import sys; sys.path.insert(0, '.')\ndicedocs_games = {'ash': 'ash'}\ndicedocs_seconds = 0.5\n")
    (book / "index.md").write_text("# P\n\n```{dice:example}\n:mechanic: ash/loop\n:seed: 7\n:expect: total=7\n```\n")
    done = windows.run("dicedocs", "verify", "book")
    assert done.returncode == 1
    assert "takes longer than 0.5 seconds" in done.stdout


def test_accept_keeps_the_ends_of_lines_and_leaves_a_file_that_is_open(windows: Windows, book: Path) -> None:
    wrong = PAGE.replace("total=13", "total=12").replace("\n", "\r\n").encode()
    for name in ("index.md", "open.md"):
        (book / name).write_bytes(wrong)
    windows.open_files = [book / "open.md"]
    done = windows.run("dicedocs", "accept", "book")
    assert done.returncode == 1
    assert "open.md:1: it cannot be written: Access is denied; left as it is" in done.stderr
    assert (book / "index.md").read_bytes() == PAGE.replace("\n", "\r\n").encode()
    assert (book / "open.md").read_bytes() == wrong
    assert sorted(path.name for path in book.iterdir()) == ["conf.py", "index.md", "open.md"]


def test_new_books_are_built_and_their_figures_are_compared(windows: Windows, tmp_path: Path) -> None:
    done = windows.run_in_turn(
        ["dicedocs", "new", "page/ash"],
        ["dicedocs", "new", "ash", "--python"],
        ["sphinx", "-W", "-q", "-b", "text", "page/ash/book", "page/text"],
        ["sphinx", "-W", "-q", "ash/book", "site"],
        ["dicedocs", "diff", "ash/book", "ash/book"],
    )
    assert done.returncode == 0, done.stderr
    [note] = done.stderr.splitlines()
    assert note.startswith("dicedocs: both sides play the same ash")
    for folder in ("ash", "page/ash"):
        assert b"\r" not in (tmp_path / folder / "book" / "attempts.md").read_bytes()
    assert "\n# Errata: ash/book to ash/book\n\nNo figure moved.\n" in done.stdout
