"""A page is read again if its rules change, wherever their code and data are."""

from pathlib import Path

import pytest

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
NAMED_IN_CONF = ("hidden", "secret")
BY_NAME = ("by-name", "too")
SEEN = [name for name in GAMES if name not in {*NAMED_IN_CONF, *BY_NAME}]


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
dicedocs_depends = ["hid*", "unsaid"]
BONUS = 0
""" + "".join(f"import {name.replace('-', '_')}\n" for name in [*GAMES, "other"] if name != "configured") + GAME.format(
    name="configured", top="", bonus="bonus = BONUS"
)  # fmt: skip


@pytest.fixture
def shelf(tmp_path, commands):
    return Shelf(tmp_path, commands)


def without_bonus(pages: dict[str, str]) -> set[str]:
    return {name.removeprefix("of-") for name, text in pages.items() if "4 + 2 (bonus) = 6" not in text} - {"index"}


def test_a_page_is_that_of_a_clean_build_wherever_its_rule_was_edited(shelf):
    _, first = shelf.build("out", "-j", "2")
    assert without_bonus(first) == set(GAMES)
    for name in SEEN:
        shelf.set_bonus(name, 2)
    read, grown = shelf.build("out", "-j", "2")
    _, clean = shelf.build("clean", doctrees="others")
    assert without_bonus(clean) == {*NAMED_IN_CONF, *BY_NAME}
    assert without_bonus(grown) == without_bonus(clean)
    assert grown == clean
    # What imports by name may have imported any of these modules.
    assert read == {f"of-{name}" for name in [*SEEN, *BY_NAME]}


def test_an_edit_has_no_other_pages_read_again(shelf):
    _, first = shelf.build("out")
    assert shelf.build("out") == (set(), first)
    # The code that is in conf.py imports all games.
    everything = {"of-configured", "of-by-name", "of-too"}
    shelf.set_bonus("opened", 2)
    read, grown = shelf.build("out")
    assert read == {"of-opened", *everything}
    assert without_bonus(grown) == GAMES.keys() - {"opened"}
    shelf.set_bonus("by-name", 2)
    read, grown = shelf.build("out")
    # A page that gave a warning is read again in any case.
    assert read == {"of-opened", *everything}
    assert without_bonus(grown) == GAMES.keys() - {"opened", *BY_NAME}


def test_what_the_setting_names_has_every_page_with_a_mechanic_read_again(shelf):
    shelf.build("out")
    changed = set()
    for name in NAMED_IN_CONF:
        shelf.set_bonus(name, 2)
        changed.add(name)
        read, grown = shelf.build("out")
        assert read == {f"of-{game}" for game in GAMES}
        assert without_bonus(grown) == GAMES.keys() - changed


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


def test_a_folder_that_links_to_itself_and_a_file_that_is_gone_are_no_obstacle(tmp_path):
    from dicedocs_sphinx.imported_code import files_in

    (tmp_path / "pack/data").mkdir(parents=True)
    (tmp_path / "pack/data/table.txt").write_text("1")
    (tmp_path / "pack/data/again").symlink_to(tmp_path / "pack")
    (tmp_path / "pack/data/gone").symlink_to(tmp_path / "nowhere")
    assert files_in(tmp_path / "pack") == {"data/table.txt": tmp_path / "pack/data/table.txt"}
