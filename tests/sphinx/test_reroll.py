"""Pages that roll, as they are built: what is in a page and in the site, and what is not."""

import base64
import gzip
import hashlib
import html
import json
import re
import subprocess
import sys
import textwrap
import tomllib
import zipfile
from html import unescape
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import brotli  # type: ignore[import-untyped, unused-ignore]
import pytest

import dicedocs as dd
from dicedocs_sphinx.rolling import PYTHON_FOR_BROWSERS, reroll, runtime_files
from dicedocs_sphinx.rolling.runtime_files import FILES, NoRuntimeError

from .conftest import Book, Built

ROOT = Path(__file__).resolve().parents[2]
SHOT = """
    .. dice:example:: A shot
       :mechanic: methuen/expression
       :expression: 3d6
       :dice: 4 2 5
       :expect: total=11
"""
BLAZE = """
    .. dice:example::
       :mechanic: ember/blaze
       :trait: 1
       :dice: 5
       :expect: hits=0
"""
GATE = """
    .. dice:character:: Bryn
       :name: bryn
       :values: Strength=4, Stamina=5 of 5, Weapon=axe

    .. dice:scene:: The gate
       :name: gate
       :cast: bryn
       :tracks: breach 1 of 20

    At first :dice:fact:`breach`.

    .. dice:example:: The bar
       :name: bar
       :mechanic: dice/roll
       :notation: 1d6 + [Strength]
       :actor: bryn
       :dice: 2
       :then: breach += total; bryn.Stamina -= 1
       :expect: total=6, breach=7

       It is at :dice:fact:`breach`, after :dice:fact:`total`.

    .. dice:change:: breach += 1

    .. dice:example::
       :name: unseen
       :mechanic: dice/roll
       :notation: 1
       :hide: all
       :expect: total=1

    Then :dice:track:`breach`, after :dice:fact:`bar.total`.

    .. dice:example:: The wood
       :mechanic: dice/roll
       :notation: breach + 1d4 + bryn.Stamina - bar.total
       :dice: 3
       :expect: total=9

    .. dice:scene-sheet:: What happened
"""
CHANCES = """
    .. dice:table:: Chances
       :mechanic: mage-in-the-metal/check
       :fact: success
       :vary: favor=with none
       :rows: skill=6..8
       :show: true
"""
STATIC = "_static/dicedocs"
COMPRESSED = {".br", ".gz"}
LOADED = {".zip", ".wasm", ".mjs"}
ON = {"dicedocs_reroll": True, "dicedocs_pyodide": "runtime"}
MARK = ' data-dice="'


def write_rolling(book: Book) -> Book:
    """Write a page of examples and one without, and files in the place of Pyodide."""
    for name in FILES:
        book.write(f"runtime/{name}", '{"info": {"python": "3.14"}}')
    book.page(SHOT)
    book.write("words.rst", ":orphan:\n\nWords\n=====\n")
    return book


@pytest.fixture
def rolling(book: Book) -> Book:
    """A book of these pages."""
    return write_rolling(book)


@pytest.fixture(scope="module")
def whole(shared_book: Book) -> Book:
    """A book with examples of two games, one of them without dice, and with whatever else rolls on other pages."""
    write_rolling(shared_book)
    sum_of_numbers = SHOT.replace("3d6", "2 + 9").replace("       :dice: 4 2 5\n", "")
    shared_book.page(SHOT + BLAZE + sum_of_numbers + "\n    .. toctree::\n\n       scene\n       table\n")
    knight = ".. dice:character:: {title}\n   :name: {name}\n   :system: methuen\n   :values: Strength={strength}\n"
    one = knight.format(title="Sera", name="sera", strength=3)
    other = knight.format(title="Sera", name="sera-elder", strength=5)
    untitled = ".. dice:character::\n   :name: nobody\n   :values: Luck=1\n"
    shared_book.write("words.rst", f":orphan:\n\nWords\n=====\n\n{one}\n{other}\n{untitled}")
    shared_book.page(GATE, "scene.rst")
    shared_book.page(CHANCES, "table.rst")
    return shared_book


@pytest.fixture(scope="module")
def built(whole: Book) -> Built:
    """That book, built."""
    return whole.build("html", **ON)


@pytest.fixture(scope="module")
def still(whole: Book) -> Built:
    """That book with pages that do not roll."""
    return whole.build("html", out="still")


def manifest(folder: Path):
    return json.loads((folder / STATIC / "manifest.json").read_text("utf-8"))


def test_a_build_whose_pages_do_not_roll_imports_no_panel(book: Book) -> None:
    book.page(SHOT + "\n.. dice:odds::\n   :mechanic: dice/roll\n   :notation: 3d6\n")
    code = "import sys; from sphinx.cmd.build import main; main(sys.argv[1:])"
    code += "; print(*[name for name in sys.modules if name.startswith('dicedocs.panel')])"
    command = [sys.executable, "-c", code, "-q", str(book.src), str(book.folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_only_pages_with_something_to_roll_get_the_script(built: Built) -> None:
    assert built.warnings == []
    page, words = built.read("index.html"), built.read("words.html")
    assert page.count(MARK) == 3
    assert page.count("dicedocs/live.js") == page.count("dicedocs/live.css") == 1
    assert "dicedocs/" not in words
    runtime = built.out / STATIC / manifest(built.out)["runtime"]
    assert sorted(path.name for path in runtime.iterdir() if path.suffix not in COMPRESSED) == sorted(FILES)


def test_whatever_a_page_loads_has_compressed_copies_of_this_build(rolling: Book) -> None:
    folder = rolling.build("html", **ON).out / STATIC
    deck = next(folder.glob("decks/index.*.js"))
    rolling.page(SHOT.replace("3d6", "2d6").replace("4 2 5", "4 2").replace("=11", "=6"))
    rolling.build("html", **ON)
    files = [file for file in folder.rglob("*") if file.is_file()]
    originals = [file for file in files if file.suffix not in COMPRESSED]
    assert len(files) == 3 * len(originals)
    assert deck not in originals
    for file in originals:
        assert gzip.decompress(Path(f"{file}.gz").read_bytes()) == file.read_bytes()
        assert brotli.decompress(Path(f"{file}.br").read_bytes()) == file.read_bytes()


def test_a_roll_in_a_sentence_is_one_element(rolling: Book) -> None:
    rolling.page("A roll: :dice:roll:`3d6 @ 58`. No roll: :dice:roll:`3d6`.")
    still, on = rolling.build("html", out="still").read("index.html"), rolling.build("html", **ON).read("index.html")
    playable = re.sub(r' data-dice-roll="[^"]*"', "", on)
    body = re.compile("<p>A roll.*?</p>", re.DOTALL)
    assert on != playable
    assert body.findall(playable) == body.findall(still)
    assert on.count("data-dice-roll=") == 1


NO_FACTS = dict.fromkeys(
    ["successes", "failures", "critical_successes", "critical_failures", "labels", "kept", "members"], "none"
)
"""What dice without any of these have in their place."""


def facts_in(page: str) -> list[tuple[str, list[str]]]:
    """Return the facts in the text of a page that may change, each with the blocks on which its text hangs."""
    found = re.findall(r'data-dice-fact="([^"]*)" data-dice-of="([^"]*)"', page)
    return [(unescape(path), json.loads(unescape(keys))) for path, keys in found]


LONE = """
    .. dice:example:: First, of :dice:fact:`total`
       :name: first
       :mechanic: dice/roll
       :notation: 1d6
       :dice: 4
       :expect: total=4

       It is :dice:fact:`dice.1`.

    .. dice:example:: Second
       :name: second
       :mechanic: dice/check
       :check: 1d20 >= 11
       :dice: 12
       :expect: success=true
       :text: book

       It is :dice:fact:`left`, after :dice:fact:`first.total`.

    .. dice:example:: Third
       :name: third
       :mechanic: dice/roll
       :notation: 1d6 + first.total
       :dice: 1
       :expect: total=5

       It is :dice:fact:`total` with :dice:fact:`first.total` and :dice:fact:`second.left`.

    .. dice:example:: Fourth
       :name: fourth
       :mechanic: dice/roll
       :notation: 3
       :hide: all
       :expect: total=3

    Both are :dice:fact:`first.total`, :dice:fact:`second.left` and :dice:fact:`fourth.total`.
    The die shows *a* :dice:fact:`first.dice.1`.

    :dice:fact:`fourth.total`
"""


def test_facts_in_the_text_of_examples_without_a_scene_can_be_told_of_another_roll(rolling: Book) -> None:
    rolling.page(LONE)
    built = rolling.build("html", **ON)
    assert built.warnings == []
    page = built.read("index.html")
    first, second, third = "index first", "index second", "index third"
    assert facts_in(page) == [
        ("total", [first]),
        ("dice.1", [first]),
        ("left", [second, first]),
        ("total", [first, second]),
        # It was played with the total of the first in the book.
        ("total", [third, second]),
        ("left", [second, third]),
        ("total", [first, second]),
        ("left", [second, first]),
        ("dice.1", [first, second]),
    ]
    data = [json.loads(unescape(one)) for one in re.findall(r' data-dice="([^"]*)"', page)]
    assert [(one["of"], one["text"]["shown"], one["text"]["choice"]) for one in data] == [
        ([first], ["total", "dice.1"], ""),
        ([second, first], ["left"], "book"),
        ([third, second], ["total"], ""),
    ]
    assert data[1]["text"]["words"] == {"success": "true"}


def test_a_text_with_odds_of_the_state_tells_the_roll_of_the_book(rolling: Book) -> None:
    rolling.page(
        """
        .. dice:scene:: The climb
           :tracks: height 0 of 20

        .. dice:example:: Up
           :name: up
           :mechanic: dice/roll
           :notation: 1d6
           :dice: 3
           :then: height += total
           :expect: total=3, height=3

           At :dice:fact:`height`, the next reaches ten with :dice:odds:`1d20 + height >= 10`.

        At :dice:fact:`height`, it is :dice:odds:`1d20 + height >= 10`.

        She is at :dice:fact:`height`.
        """
    )
    built = rolling.build("html", **ON)
    assert built.warnings == []
    page = built.read("index.html")
    # By hand: with 3 added, 7 to 20 of twenty faces reach ten.
    assert page.count("70%") == 2
    assert facts_in(page) == [("height", ["index up"])], "only where no figure stays behind"
    (data,) = [json.loads(unescape(one)) for one in re.findall(r' data-dice="([^"]*)"', page)]
    assert data["text"]["choice"] == "book"


def test_what_happens_in_a_scene_is_in_the_page_with_its_references(built: Built, still: Built) -> None:
    assert built.warnings == []
    page = built.read("scene.html")
    data = [json.loads(unescape(one)) for one in re.findall(r' data-dice(?:-beat)?="([^"]*)"', page)]
    beats = [one["beat"] for one in data]
    assert [(one["label"], one.get("example", {}).get("dice")) for one in beats] == [
        ("bar", "2"),
        ("change-1", None),
        ("unseen", None),
        ("example-3", "3"),
    ]
    assert {one["scene"] for one in beats} == {"scene gate"}
    assert not any("expect" in one for one in beats), "the reader's roll need not be what the book expects"
    assert [one["before"]["breach"] for one in beats] == ["1 of 20", "7 of 20", "8 of 20", "8 of 20"]
    assert [one.get("then") for one in beats] == ["breach += total; bryn.Stamina -= 1", "breach += 1", None, None]
    # Of a character only what is a whole number is a resource.
    assert beats[0]["blanks"] == {
        "actor": ["Strength=", ["bryn.Strength", "4"], ", Stamina=", ["bryn.Stamina", "5"]],
    }
    assert beats[3]["blanks"] == {
        "notation": [
            ["breach", "8"],
            " + 1d4 + ",
            ["bryn.Stamina", "4"],
            " - ",
            ["bar.total", "6"],
        ]
    }
    assert (data[1]["example"], data[2]["example"]["mechanic"]) == (None, "dice/roll")
    states = re.findall(r'data-dice-(track|sheet)="([^"]*)" data-dice-after="([^"]*)"', page)
    assert states == [("track", "breach", "scene unseen"), ("sheet", "", "scene example-3")]
    assert facts_in(page) == [("breach", ["scene bar"]), ("total", ["scene bar"]), ("total", ["scene bar"])]
    # What the words hang on: what is full, and whatever is no number.
    state = {"breach.full": "false", "bryn.Stamina.full": "false", "bryn.Weapon": "axe"}
    assert [(one["text"]["key"], one["text"]["shown"], one["text"]["words"]) for one in data] == [
        ("scene bar", ["breach", "total"], NO_FACTS | state),
        ("scene change-1", [], state),
        ("scene unseen", [], NO_FACTS | state),
        ("scene example-3", [], NO_FACTS | state),
    ]
    assert "data-dice" not in still.read("scene.html")


def test_a_book_with_nothing_to_roll_gets_no_runtime(rolling: Book) -> None:
    rolling.page("Words.")
    built = rolling.build("html", **ON)
    assert not list((built.out / STATIC).glob("pyodide*"))


def test_off_there_is_nothing(still: Built) -> None:
    assert MARK not in still.read("index.html")
    assert not (still.out / STATIC).exists()


@pytest.mark.parametrize("builder", ["epub", "text"])
def test_other_builders_write_what_they_always_did(rolling: Book, builder: str) -> None:
    on = rolling.build(builder, out="on", **ON)
    off = rolling.build(builder, out="off", fresh=True)
    name = "index.txt" if builder == "text" else "index.xhtml"
    assert on.read(name) == off.read(name)
    assert not (on.out / STATIC).exists()


def test_without_a_runtime_pages_stay_still_and_one_line_says_so(
    rolling: Book, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runtime_files, "PACKAGE", "no_such_package")
    still = rolling.build("html", out="still", dicedocs_reroll=True, dicedocs_deck=0)
    why = "the package no-such-package is not installed, and dicedocs_pyodide is not set"
    # Where -q leaves it, and -W does not count it.
    assert capsys.readouterr().err == f"dicedocs: the pages cannot be rolled: {why}; {PYTHON_FOR_BROWSERS}\n"
    assert still.log == ""
    off = rolling.build("html", out="off")
    assert still.read("index.html") == off.read("index.html")


def deck(built: Built) -> dict[str, list[dict[str, str]]]:
    """Return the deck that a page names."""
    data = json.loads(html.unescape(re.findall(r'data-dicedocs="([^"]*)"', built.read("index.html"))[0]))
    text = (built.out / STATIC / data["deck"]).read_text("utf-8")
    return dict(json.loads(text.removeprefix("globalThis.dicedocsDeck = ").removesuffix(";\n")))


def test_without_a_runtime_there_is_still_a_deck(rolling: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_files, "PACKAGE", "no_such_package")
    built = rolling.build("html", dicedocs_reroll=True, dicedocs_deck=3)
    assert "WARNING" not in built.log
    assert MARK in built.read("index.html")
    assert not (built.out / STATIC / "manifest.json").exists()
    assert {len(rolls) for rolls in deck(built).values()} == {3}


def test_the_deck_has_what_the_rules_give_with_the_same_seeds(rolling: Book) -> None:
    rolling.page(SHOT + "\nA roll: :dice:roll:`3d6 @ 58`.\n")
    built = rolling.build("html", **ON)
    rolls = deck(built)
    assert {key: len(each) for key, each in rolls.items()} == {"0": 20, "roll 0": 20}
    for roll in rolls["roll 0"]:
        assert roll["text"].startswith(f"{dd.roll('3d6', seed=roll['seed']).value} (3d6: ")
    assert len({roll["seed"] for roll in rolls["0"]}) == 20
    for roll in rolls["0"]:
        total = dd.play("methuen/expression", expression="3d6", seed=roll["seed"]).fact("total")
        assert f'<strong class="dice-value">{total}</strong>' in roll["html"]
        assert roll["link"] == urlencode({"seed": roll["seed"]})
    # Two builds are alike, and what an earlier one left is removed.
    again = rolling.build("html", **ON, dicedocs_deck=2)
    assert deck(again)["0"] == rolls["0"][:2]
    assert len(list((again.out / STATIC / "decks").glob("*.js"))) == 1


def test_when_the_runtime_comes_all_pages_are_written_again(rolling: Book) -> None:
    assert MARK not in rolling.build("html").read("index.html")
    assert MARK in rolling.build("html", **ON).read("index.html")


def test_the_folder_of_the_runtime_must_be_complete(rolling: Book) -> None:
    (rolling.src / "runtime" / "pyodide.asm.wasm").unlink()
    built = rolling.build("html", **ON, dicedocs_deck=0)
    assert MARK not in built.read("index.html")
    app = built.app
    with pytest.raises(NoRuntimeError, match=r"dicedocs_pyodide: runtime has no pyodide\.asm\.wasm"):
        runtime_files.find_runtime(app)


def test_a_runtime_that_is_hosted_elsewhere_is_not_copied(rolling: Book) -> None:
    built = rolling.build("html", dicedocs_reroll=True, dicedocs_pyodide="https://files.test/pyodide")
    assert manifest(built.out)["runtime"] == "https://files.test/pyodide/"
    assert not list((built.out / STATIC).glob("pyodide*"))
    # They are kept for when there is no network, unchecked: nobody knows what will be there.
    kept = kept_files(built.out)
    assert kept["https://files.test/pyodide/pyodide.mjs"] == ""


def kept_files(out: Path) -> dict[str, str]:
    """Return the digests of what the service worker keeps, by their addresses."""
    text = (out / "dicedocs-offline.js").read_text("utf-8")
    build, _end = json.JSONDecoder().raw_decode(text.removeprefix("self.dicedocs = "))
    return dict(build["files"])


def digest(file: Path) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(file.read_bytes()).digest()).decode()}"


def test_what_a_page_loads_is_checked_by_its_digest(built: Built) -> None:
    page, listed = built.read("index.html"), manifest(built.out)
    folder = built.out / STATIC
    # From a file no browser could check them.
    for name in ("live.js", "live.css"):
        [tag] = re.findall(f"<(?:script|link) [^>]*{name}[^>]*>", page)
        assert "integrity=" not in tag
    data = json.loads(html.unescape(re.findall(r'data-dicedocs="([^"]*)"', page)[0]))
    digests = listed["integrity"] | data["integrity"]
    assert digests == {name: digest(folder / name.partition("?")[0]) for name in digests}
    loaded = {name for name in digests if name.endswith((".zip", ".wasm")) or name.partition("?")[0].endswith(".mjs")}
    there = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in {".zip", ".wasm", ".mjs"}
    }
    assert {name.partition("?")[0] for name in loaded} | {"core.zip"} == there
    # The page names the list, so no other one is taken for it.
    assert data["manifest"] in data["integrity"]
    assert data["manifest"].startswith("manifest.json?v=")
    # That is all a page needs without a network.
    assert kept_files(built.out) == {f"{STATIC}/{name}": value for name, value in digests.items()}


def manifest_named(page: str) -> tuple[str, str]:
    """Return the address of the list that a page names, and its digest."""
    data = json.loads(html.unescape(re.findall(r'data-dicedocs="([^"]*)"', page)[0]))
    return data["manifest"], data["integrity"][data["manifest"]]


def test_when_what_pages_load_changes_all_that_roll_name_it(rolling: Book) -> None:
    rolling.write("other.rst", ":orphan:\n\nOther\n=====\n\n:dice:roll:`3d6 @ 58`\n")
    first = rolling.build("html", **ON)
    words = first.out / "words.html"
    words.write_text("")
    before = manifest_named(first.read("index.html"))
    assert manifest_named(first.read("other.html")) == before
    # A game that only the other page uses.
    rolling.write("other.rst", f":orphan:\n\nOther\n=====\n{textwrap.dedent(BLAZE)}")
    second = rolling.build("html", **ON)
    now = manifest_named(second.read("index.html"))
    assert now != before
    assert manifest_named(second.read("other.html")) == now
    assert now[1] == digest(second.out / STATIC / "manifest.json")
    # Words are not about any roll.
    assert words.read_text() == ""


def test_another_runtime_has_another_folder_and_all_pages_are_written_again(rolling: Book) -> None:
    one = rolling.build("html", **ON)
    first = manifest(one.out)["runtime"].rstrip("/")
    page = one.out / "index.html"
    page.write_text("")
    rolling.write("runtime/pyodide.mjs", "changed")
    rolling.write(f"{one.out}/{STATIC}/panel-old/panel.mjs", "")
    two = rolling.build("html", **ON)
    [folder] = (two.out / STATIC).glob("pyodide*")
    assert folder.name != first
    assert len(list((two.out / STATIC).glob("panel-*"))) == 1
    assert MARK in page.read_text("utf-8")


def test_what_is_kept_without_a_network_can_be_switched_off(rolling: Book) -> None:
    on = rolling.build("html", **ON)
    worker = on.out / "dicedocs-offline.js"
    first = worker.read_bytes()
    assert "&quot;offline&quot;: true" in on.read("index.html")
    rolling.page(SHOT + BLAZE)
    rolling.build("html", **ON)
    assert worker.read_bytes() != first
    off = rolling.build("html", dicedocs_offline=False, **ON)
    assert "&quot;offline&quot;: false" in off.read("index.html")
    assert not worker.exists()


def test_the_service_worker_is_short() -> None:
    source = Path(reroll.__file__).parent / "page_static" / "service_worker.js"
    assert len(source.read_text("utf-8").splitlines()) < 100


def archived(built: Built) -> set[str]:
    """Return the names of the files that pages load with the core."""
    with zipfile.ZipFile(built.out / STATIC / "core.zip") as archive:
        return set(archive.namelist())


def test_the_archive_holds_the_core_and_the_games_of_the_book(built: Built) -> None:
    names = archived(built)
    assert {"dicedocs/panel/page_player.py", "dicedocs/systems/methuen.py", "lark/lark.py"} <= names
    assert {name for name in names if not name.startswith(("dicedocs/", "lark/"))} == {
        "ember/__init__.py",
        "ember/py.typed",
        "ember/rules.py",
    }
    assert not [name for name in names if "/cli/" in name or name.endswith((".pyc", ".po"))]
    assert manifest(built.out)["player"]["modules"] == {"ember/blaze": "ember.rules"}


COIN = """
    import json
    from pathlib import Path
    import dicedocs as dd
    from stakes import STAKE
    TABLE = json.loads(Path(__file__).with_name("table.json").read_text())

    class Coin(dd.Mechanic, id="{name}/flip"):
        class Result(dd.Outcome):
            total: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            from pockets import EMPTY
            return self.Result(say.sum("Total", dice.roll(6), stake=STAKE + EMPTY + TABLE))
    """


def test_a_game_in_a_module_brings_what_it_imports_and_the_data_that_the_book_names(rolling: Book) -> None:
    rolling.write("stakes.py", "STAKE = 0")
    rolling.write("pockets.py", "EMPTY = 0")
    rolling.write("table.json", "0")
    rolling.write("coin.py", COIN.format(name="coin"))
    flip = SHOT.replace("methuen/expression", "coin/flip").replace("       :expression: 3d6\n", "")
    rolling.page(flip.replace("4 2 5", "5").replace("11", "5"))
    silent = rolling.build("html", **ON, dicedocs_games={"coin": "coin"})
    [warning] = silent.warnings
    assert warning.text == (
        "dicedocs_reroll: pages cannot roll 'coin/flip': FileNotFoundError: [Errno 2] No such file or directory: "
        "'table.json' (coin.py:5, in <module>); name what it needs in dicedocs_depends, and open files by paths from "
        "__file__"
    )
    assert MARK not in silent.read("index.html")
    built = rolling.build("html", **ON, dicedocs_games={"coin": "coin"}, dicedocs_depends=["table.json"])
    assert not built.warnings
    assert built.read("index.html").count(MARK) == 1
    assert {name for name in archived(built) if not name.startswith(("dicedocs/", "lark/"))} == {
        "book-files/coin.py",
        "book-files/stakes.py",
        "book-files/pockets.py",
        "book-files/table.json",
    }


LOOT = """
    from pathlib import Path
    import dicedocs as dd

    class Loot(dd.Mechanic, id="{name}/find"):
        class Result(dd.Outcome):
            coins: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            table = ({table}).read_text().split()
            return self.Result(say.look_up("Coins", dice.roll(6), dict(enumerate(map(int, table), 1))))
    """
FOUND = """
    .. dice:example::
       :mechanic: {name}/find
       :dice: 3
       :expect: coins=30
"""
COINS = "10 20 30 40 50 60"


class Hoard:
    """A book below the folder of its project, with games that each read a table."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.project, self.names = folder / "project", names
        self.book = write_rolling(Book(self.project))
        self.book.page("".join(FOUND.format(name=name) for name in names))

    def write(self, path: str, text: str) -> None:
        self.book.write(f"../{path}", text)

    def build(self, files: list[str], tables: list[str], depends: list[str], root: str = "src") -> Built:
        """Build it with each game in a file of the project, below the folder from which they are imported."""
        for name, file, table in zip(self.names, files, tables, strict=True):
            self.write(file, LOOT.format(name=name, table=table))
        self.book.write("conf.py", f"sys.path.insert(0, {str(self.project / root)!r})\n")
        modules = {name: module_of(name) for name in self.names}
        return self.book.build("html", **ON, dicedocs_games=modules, dicedocs_depends=depends)


def module_of(name: str) -> str:
    return name.replace("-", "_")


HERE = "Path(__file__).parent"
PLACES = {
    # its module or package, its table, how it finds it, and how conf.py names it; {0} is the game's module
    "above-module": ("src/{0}.py", "tables/x.csv", f"{HERE}.parent / 'tables' / 'x.csv'", "../tables/*.csv", "src"),
    "beside-package": ("{0}/__init__.py", "x.csv", f"{HERE}.parent / 'x.csv'", "../x.csv", "."),
    "deep-package": ("lib/{0}/__init__.py", "x.csv", f"{HERE}.parent.parent / 'x.csv'", "{project}/x.csv", "lib"),
    "in-package": ("{0}/__init__.py", "{0}/data/x.csv", f"{HERE} / 'data' / 'x.csv'", "", "."),
    "whole-folder": ("{0}/__init__.py", "tables/x.csv", f"{HERE}.parent / 'tables' / 'x.csv'", "..", "."),
    "like-the-core": ("src/{0}.py", "src/lark/lark.py", f"{HERE} / 'lark' / 'lark.py'", "lark", "src"),
    "leading-up-twice": ("src/{0}.py", "x.csv", f"{HERE} / '..' / 'x.csv'", "tables/../../x.csv", "src"),
    "a-link": ("src/{0}.py", "far/x.csv", f"{HERE} / 'linked' / 'x.csv'", "linked/*.csv", "src"),
}


# In one book are those for which its folder in the archive is the same as for each alone.
@pytest.mark.parametrize(
    "names",
    [
        ["above-module", "leading-up-twice"],
        ["like-the-core", "a-link"],
        pytest.param(["beside-package"], marks=pytest.mark.thorough),
        ["deep-package"],
        pytest.param(["in-package"], marks=pytest.mark.thorough),
        pytest.param(["whole-folder"], marks=pytest.mark.thorough),
    ],
    ids=" ".join,
)
def test_the_own_paths_of_a_game_lead_to_its_files_in_the_archive(names: list[str], book: Book) -> None:
    hoard = Hoard(book.folder, *names)
    (hoard.project / "src" / "tables").mkdir()
    (hoard.project / "src" / "linked").symlink_to(hoard.project / "far")
    files, tables, named = [], [], []
    for name in names:
        game, data, table, depends, root = PLACES[name]
        hoard.write(data.format(module_of(name)), COINS)
        files.append(game.format(module_of(name)))
        tables.append(table)
        named += [depends.format(project=hoard.project)] if depends else []
    built = hoard.build(files, tables, named, root)
    assert built.warnings == []
    assert built.read("index.html").count(MARK) == len(names)
    assert not [name for name in archived(built) if ".." in name or str(book.folder)[1:] in name]


FAILING = {
    "unnamed": (f"{HERE}.parent / 'chest' / 'x.csv'", "No such file or directory: 'chest/x.csv'"),
    "absolute": ("Path({absolute!r})", "No such file or directory: '{absolute}'"),
    "by-working-directory": ("Path('../tables/x.csv')", "No such file or directory"),
    "missing-module": (
        "__import__('importlib').import_module('below') and Path(__import__('below').TABLE)",
        "No module named 'below'",
    ),
}


def test_a_game_that_fails_with_nothing_but_the_archive_is_named(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    hoard = Hoard(book.folder, *FAILING)
    for folder in ("tables", "chest"):
        hoard.write(f"{folder}/x.csv", COINS)
    absolute = str(hoard.project / "tables" / "x.csv")
    hoard.write("elsewhere/below.py", f"TABLE = {absolute!r}")
    monkeypatch.syspath_prepend(hoard.project / "elsewhere")
    monkeypatch.chdir(hoard.project / "src")
    hoard.book.page("".join(FOUND.format(name=name) for name in FAILING) + SHOT)
    files = [f"src/{module_of(name)}.py" for name in FAILING]
    tables = [table.format(absolute=absolute) for table, _ in FAILING.values()]
    built = hoard.build(files, tables, ["../tables/*.csv"])
    assert {(each.file, each.type) for each in built.warnings} == {("conf.py", "dicedocs.option")}
    said = dict(
        re.findall(r"^dicedocs_reroll: pages cannot roll '(.*?)/find': (.*)", each.text)[0] for each in built.warnings
    )
    assert len(built.warnings) == len(said) == len(FAILING)
    for name, (_, raised) in FAILING.items():
        assert raised.format(absolute=absolute) in said[name], name
        assert said[name].endswith("; name what it needs in dicedocs_depends, and open files by paths from __file__")
    # The other game rolls.
    assert built.read("index.html").count(MARK) == 1
    assert manifest(built.out)["player"]["modules"] == {}


def test_a_game_that_gives_something_else_there_is_named(book: Book) -> None:
    hoard = Hoard(book.folder, "elsewhere")
    hoard.write("tables/x.csv", COINS)
    table = f"({HERE}.parent / 'tables' / 'x.csv')"
    hoard.book.write("zero.csv", "1 2 3 4 5 6")
    built = hoard.build(["src/elsewhere.py"], [f"{table} if {table}.exists() else {HERE} / 'zero.csv'"], ["zero.csv"])
    [warning] = built.warnings
    assert "expected 'coins=30', got 'coins=3'" in warning.text


def test_what_was_played_well_is_not_played_again(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    run = subprocess.run

    def note(command: list[str], **options: Any) -> Any:
        started.extend(Path(word).name for word in command if "archive_player" in str(word))
        return run(command, **options)

    monkeypatch.setattr(subprocess, "run", note)
    hoard = Hoard(book.folder, "once")
    hoard.write("tables/x.csv", COINS)
    table = f"{HERE}.parent / 'tables' / 'x.csv'"
    for _ in range(2):
        assert hoard.build(["src/once.py"], [table], ["../tables/*.csv"]).warnings == []
        hoard.book.page("Words.\n" + FOUND.format(name="once"))
    assert started == ["archive_player.py"]
    hoard.write("tables/y.csv", COINS)
    assert hoard.build(["src/once.py"], [table], ["../tables/*.csv"]).warnings == []
    assert len(started) == 2
    # Where no page rolls, nothing is played.
    hoard.book.build("html", out="still", dicedocs_games={"once": "once"})
    assert len(started) == 2


def test_a_game_in_the_configuration_stays_still(rolling: Book) -> None:
    rolling.write("stakes.py", "STAKE = 0")
    rolling.write("table.json", "0")
    rolling.write("conf.py", COIN.format(name="purse"))
    flip = SHOT.replace("methuen/expression", "purse/flip").replace("       :expression: 3d6\n", "")
    rolling.write("pockets.py", "EMPTY = 0")
    rolling.page(flip.replace("4 2 5", "5").replace("11", "5"))
    [warning] = rolling.build("html", **ON).warnings
    assert warning.text.endswith("pages cannot roll 'purse/flip': it is in no module that Python can import")


def test_the_worker_gets_the_characters_of_the_book(built: Built) -> None:
    assert manifest(built.out)["player"]["characters"] == [
        ["", "Bryn", {"Strength": "4", "Stamina": "5 of 5", "Weapon": "axe"}],
        ["methuen", "Sera", {"Strength": "3"}],
        ["methuen", "Sera (sera-elder)", {"Strength": "5"}],
        ["", "nobody", {"Luck": "1"}],
    ]


def test_two_builds_are_equal_and_parallel_ones_too(built: Built, whole: Book) -> None:
    again = whole.build("html", out="again", doctrees="again", jobs=2, **ON)
    names = [f"{name}.html" for name in ("index", "scene", "table")]
    names += [f"{STATIC}/{name}" for name in ("core.zip", "manifest.json", "live.js")]
    assert [(built.out / name).read_bytes() for name in names] == [(again.out / name).read_bytes() for name in names]


def playable(html: str) -> list[dict[str, Any]]:
    """Return the data of what can be played on a page."""
    return [json.loads(unescape(data)) for data in re.findall(r' data-dice="([^"]*)"', html)]


def test_an_example_without_dice_has_nothing_to_roll(built: Built) -> None:
    assert [one["chance"] for one in playable(built.read("index.html"))] == [True, True, False]


def test_a_table_begins_with_the_first_of_the_settings_that_the_rule_must_have(built: Built) -> None:
    [table] = playable(built.read("table.html"))
    assert table["example"]["parameters"] == {"skill": "6"}


def test_a_game_that_needs_compiled_code_stays_still(rolling: Book) -> None:
    rolling.write("fast/__init__.py", "")
    rolling.write("fast/code.so", "")
    rolling.write(
        "compiled.py",
        """
        import fast
        import dicedocs as dd

        class Compiled(dd.Mechanic, id="compiled/roll"):
            class Result(dd.Outcome):
                total: int

            def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
                return self.Result(say.sum("Total", dice.roll(6)))
        """,
    )
    rolling.write("conf.py", "import compiled")
    fast = SHOT.replace("methuen/expression", "compiled/roll").replace("       :expression: 3d6\n", "")
    rolling.page(SHOT + fast.replace("4 2 5", "5").replace("11", "5"))
    built = rolling.build("html", **ON)
    assert [(one.file, one.type, one.text) for one in built.warnings] == [
        (
            "conf.py",
            "dicedocs.option",
            "dicedocs_reroll: pages cannot roll 'compiled/roll': it needs fast, which is not only Python",
        )
    ]
    assert built.read("index.html").count(MARK) == 1


def test_what_is_fetched_is_what_was_pinned() -> None:
    spec = spec_from_file_location("prepare", ROOT / "runtime" / "prepare.py")
    prepare = module_from_spec(spec)
    spec.loader.exec_module(prepare)
    with pytest.raises(RuntimeError, match="is not the pinned package"):
        prepare.checked(b"something else")
    project = tomllib.loads((ROOT / "runtime" / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == prepare.VERSION
    assert {prepare.STDLIB, prepare.LOCK, *prepare.COPIED} == set(FILES)
