"""A page is read again if its rules change, wherever their code and data are."""

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

SOURCES = Path(__file__).parents[2]
GAME = """
from pathlib import Path
import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, Say
{top}

class Rule(Mechanic, id="{name}/rule"):
    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        {bonus}
        return self.Result(say.sum("Total", dice.roll(6), bonus=bonus))
"""
HERE = "Path(__file__).parent"
GAMES = {
    "sibling": ("import tables", "bonus = tables.BONUS", "src/tables.py"),
    "farther": ("from between import BONUS", "bonus = BONUS", "src/farthest.py"),
    "lazy": ("", "from late import BONUS as bonus", "src/late.py"),
    "packed": ("", "from pack.rules import bonus; bonus = bonus()", "src/pack/rules.py"),
    "subfolder": ("from deep import BONUS", "bonus = BONUS", "src/deep/data/more/bonus.txt"),
    "named": (f"BONUS = int(({HERE} / 'named.txt').read_text())", "bonus = BONUS", "src/named.txt"),
    "infolder": (
        f"BONUS = [int(({HERE} / 'data' / f'{{name}}.txt').read_text()) for name in ('plus',)][0]",
        "bonus = BONUS",
        "src/data/plus.txt",
    ),
    "opened": ("", f"bonus = int(({HERE} / ('played' + str(2))).read_text())", "src/played2"),
    "cached": (
        f"import functools\n@functools.cache\ndef read():\n    return int(open({HERE} / ('read' + str(2))).read())",
        "bonus = read()",
        "src/read2",
    ),
    "counted": ("", f"bonus = len(list(({HERE} / 'counted').glob('new' + '*')))", "src/counted/new"),
    "elsewhere": ("from distribution.tables import BONUS", "bonus = BONUS", "editable/distribution/tables.py"),
    "installed": ("from foreign import BONUS", "bonus = BONUS", "lib/site-packages/foreign/tables.py"),
    "player": ("", "bonus = dd.play('oth' + 'er/rule', dice=dice).total - 6", "src/other.py"),
    "configured": ("", "bonus = BONUS", "src/conf.py"),
    "hidden": (f"BONUS = int(({HERE} / ('hid' + 'den')).read_text())", "bonus = BONUS", "src/hidden"),
    "secret": ("BONUS = eval('__imp' + 'ort__')('unsaid').BONUS", "bonus = BONUS", "src/unsaid.py"),
    "by-name": ("import importlib", "bonus = importlib.import_module('x_' + 'found').BONUS", "src/x_found.py"),
    "too": ("import importlib", "bonus = importlib.import_module('x_' + 'found').BONUS", "src/x_found.py"),
}  # fmt: skip
"""Each game: what its module has at the top, where its bonus comes from, and the file that holds it, 0 at first."""
NAMED_IN_CONF = ("elsewhere", "installed")
SHARING = {"by-name": ("too",), "too": ("by-name",)}
"""The games whose bonus comes from the same file."""
SOME = ("farther", "subfolder", "elsewhere", "installed", "configured", "hidden")
"""Games with code and with data, in the folder of the book, below it, elsewhere, installed, and in conf.py."""


class Shelf:
    """A book with a page for each game, and the folders from which they import."""

    def __init__(self, folder: Path, commands) -> None:
        self.folder, self.commands = folder, commands
        self.write("src/between.py", "def load():\n    import farthest\n    return farthest.BONUS\nBONUS = load()\n")
        self.write("src/pack/__init__.py", "")
        self.write("src/deep/__init__.py", "from deep.reading import BONUS\n")
        self.write(
            "src/deep/reading.py",
            "import os\nBONUS = int(open(os.path.dirname(__file__) + '/data/more/bonus.txt').read())\n",
        )
        self.write("editable/distribution/__init__.py", "")
        self.write("lib/site-packages/foreign/__init__.py", "from foreign.tables import BONUS\n")
        self.write("src/counted/.keep", "")
        for name, (top, bonus, _) in GAMES.items():
            if name != "configured":
                self.write(f"src/{name.replace('-', '_')}.py", GAME.format(name=name, top=top, bonus=bonus))
            self.write(
                f"src/of-{name}.rst",
                f"{name}\n{'=' * len(name)}\n\n.. dice:example::\n   :mechanic: {name}/rule\n   :dice: 4"
                f"{' 6' if name == 'player' else ''}\n   :expect: total=4\n",
            )
        self.write("src/index.rst", "Shelf\n=====\n\n.. toctree::\n   :glob:\n\n   of-*\n")
        for name in GAMES:
            self.set_bonus(name, 0)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def set_bonus(self, name: str, bonus: int) -> None:
        file = GAMES[name][2]
        if name == "configured":
            self.write("src/conf.py", CONF.replace("BONUS = 0", f"BONUS = {bonus}"))
        elif name == "player":
            text = GAME.format(name="other", top="", bonus=f"bonus = {bonus}")
            self.write(file, text.replace("dice.roll(6)", "dice.roll(8)"))
        elif name == "packed":
            self.write(file, f"def bonus():\n    return {bonus}\n")
        elif name == "counted":
            for number in range(bonus):
                self.write(f"{file}{number}", "")
        else:
            self.write(file, f"BONUS = {bonus}\n" if file.endswith(".py") else f"{bonus}\n")

    def build(self, out: str, *words: str, doctrees: str = "doctrees") -> tuple[set[str], dict[str, str]]:
        """Build in a process of its own; return the pages that were read, and all pages as they were written."""
        trees = self.folder / doctrees
        before = {path.stem: path.stat().st_mtime_ns for path in trees.glob("*.doctree")}
        mine = {"PYTHONPATH": f"{SOURCES}:{SOURCES / 'sphinx_ext'}", "PYTHONDONTWRITEBYTECODE": "1"}
        command = ["sphinx", "-q", *words, "-b", "text", "-d", trees, self.folder / "src", self.folder / out]
        done = self.commands.run(self.folder, *command, **mine)
        assert done.returncode == 0, done.stderr
        read = {path.stem for path in trees.glob("*.doctree") if before.get(path.stem) != path.stat().st_mtime_ns}
        return read, {path.stem: path.read_text() for path in (self.folder / out).glob("*.txt")}


CONF = """
import sys
from pathlib import Path
folder = Path(__file__).parent
sys.path[:0] = [str(folder), str(folder.parent / "editable"), str(folder.parent / "lib/site-packages")]
sys.dont_write_bytecode = True
extensions = ["dicedocs_sphinx"]
dicedocs_depends = ["../editable/*", "foreign"]
BONUS = 0
""" + "".join(f"import {name.replace('-', '_')}\n" for name in [*GAMES, "other"] if name != "configured") + GAME.format(
    name="configured", top="", bonus="bonus = BONUS"
)  # fmt: skip


@pytest.fixture
def shelf(tmp_path, commands):
    return Shelf(tmp_path, commands)


def without_bonus(pages: dict[str, str]) -> set[str]:
    return {name.removeprefix("of-") for name, text in pages.items() if "4 + 2 (bonus) = 6" not in text} - {"index"}


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param([[name] for name in GAMES], id="each"),
        pytest.param([[name] for name in SOME] + [[name for name in GAMES if name not in SOME]], id="some, then all"),
    ],
)
def test_a_page_is_that_of_a_clean_build_wherever_its_rule_was_edited(edits, shelf):
    _, shown = shelf.build("out", "-j", "2")
    left = set(GAMES)
    assert without_bonus(shown) == left
    for names in edits:
        for name in names:
            file = shelf.folder / GAMES[name][2]
            times = (file.stat().st_atime_ns, file.stat().st_mtime_ns) if file.exists() else None
            shelf.set_bonus(name, 2)
            if times:
                # As rsync, tar and caches leave a changed file.
                os.utime(file, ns=times)
            left -= {name, *SHARING.get(name, ())}
        _, shown = shelf.build("out")
        assert without_bonus(shown) == left, names
    assert shelf.build("clean", doctrees="others")[1] == shown


def test_pages_that_play_no_game_of_the_book_and_a_build_without_an_edit_read_nothing(shelf):
    _, first = shelf.build("out")
    assert shelf.build("out") == (set(), first)
    roll = ".. dice:example::\n   :mechanic: dice/roll\n   :notation: 2d6\n   :dice: 4 2\n   :expect: total=6\n"
    shelf.write("src/of-shelf.rst", "Shelf\n=====\n\n" + roll)
    shelf.build("out")
    shelf.set_bonus("opened", 2)
    read, _ = shelf.build("out")
    assert read == {f"of-{game}" for game in GAMES}


def test_a_name_in_the_setting_that_names_nothing_is_a_warning(book):
    book.page("Words.")
    book.write("here.txt", "")
    built = book.build(dicedocs_depends=["*.txt", "docutils", "textwrap3", "there/*"])
    assert [(warning.file, warning.type, warning.text) for warning in built.warnings] == [
        (
            "conf.py",
            "dicedocs.reference",
            f"dicedocs_depends: {name!r} is neither a file, relative to conf.py, nor a module",
        )
        for name in ("textwrap3", "there/*")
    ]


def test_the_files_of_a_game_are_no_caches_output_or_environments(tmp_path):
    from dicedocs_sphinx.book.dependencies import files_in

    names = [
        "__init__.py",
        "data/a/b.json",
        "deep/__init__.py",
        "docs/conf.py",
        "docs/page.md",
        "rules.py",
        "style.css",
    ]
    output = ["docs/_build/index.html", "__pycache__/rules.pyc", ".git/HEAD", "env/pyvenv.cfg", "env/lib/x.py", "out/a"]
    output += ["site/.buildinfo", "site/a/index.html"]
    for name in [*names, *output]:
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "data/again").symlink_to(tmp_path)
    (tmp_path / "data/gone").symlink_to(tmp_path / "nowhere")
    left_out = {tmp_path / "out", tmp_path / "docs/page.md", tmp_path / "data/gone"}
    found = [file.relative_to(tmp_path).as_posix() for file in files_in(tmp_path, left_out)]
    assert sorted(found) == [name for name in names if name != "docs/page.md"]


NOTEBOOK = """---
file_format: mystnb
kernelspec:
  name: python3
---
# Notebook

```{code-cell}
:tags: [remove-input]
import dicedocs, toll
print(f"a toll of {toll.TOLL + toll.more()}")
```
"""
TOLL = """
from pathlib import Path
TOLL = 1

def more():
    return int((Path(__file__).parent.parent / "more.txt").read_text())
"""


@pytest.mark.parametrize("mode", ["auto", "cache"])
def test_a_notebook_is_executed_again_if_a_rule_changes_though_it_has_no_directive(mode, tmp_path, commands):
    def build(*words: str) -> tuple[str, int]:
        command = [
            "sphinx",
            "-q",
            "-b",
            "text",
            "-d",
            tmp_path / "doctrees",
            *words,
            tmp_path / "src",
            tmp_path / "out",
        ]
        done = commands.run(tmp_path, *command, PYTHONPATH=f"{SOURCES}:{SOURCES / 'sphinx_ext'}")
        assert done.returncode == 0, done.stderr
        page = tmp_path / "out" / "index.txt"
        return page.read_text("utf-8").split("of ")[1].strip(), page.stat().st_mtime_ns

    source = tmp_path / "src"
    source.mkdir()
    (source / "conf.py").write_text(
        "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nextensions = ['myst_nb', 'dicedocs_sphinx']\n"
        f"dicedocs_games = {{'toll': 'toll'}}\ndicedocs_depends = ['../more.txt']\nnb_execution_mode = '{mode}'\n"
    )
    (source / "index.md").write_text(NOTEBOOK)
    (source / "toll.py").write_text(TOLL)
    (tmp_path / "more.txt").write_text("0")
    first = build()
    assert first[0] == "1"
    assert build() == first
    (source / "toll.py").write_text(TOLL.replace("TOLL = 1", "TOLL = 3"))
    assert build()[0] == "3"
    (tmp_path / "more.txt").write_text("4")
    # A fresh environment knows nothing of what changed, and without a cache executes whatever it reads.
    assert mode == "auto" or build("-E")[0] == "7"
