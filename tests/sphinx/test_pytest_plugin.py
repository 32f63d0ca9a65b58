"""`pytest --dicedocs docs` has an item for each example of a book."""

import os
import re
from pathlib import Path

import pytest

from ..command_server import run_alone
from .conftest import Book

SOURCES = Path(__file__).parents[2]
RENNA = """
```{dice:example} A Power Shot
:name: renna-power-shot
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11
```
"""
BOOK = f"""
{RENNA}

```{{include}} ../part.txt
```

```{{dice:example}} Nothing is expected
:mechanic: methuen/expression
:expression: 2
```
"""
PART = """
Words.

```{dice:example} Included
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11
```
"""


def settings(folder: Path) -> dict[str, str]:
    """What a person's shell has set; no plugins but those that are named."""
    path = os.pathsep.join([str(SOURCES), str(SOURCES / "sphinx_ext"), str(folder)])
    return {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": path, "COLUMNS": "120"}


PLUGIN = "dicedocs_sphinx.pytest_plugin"


@pytest.fixture
def run(commands):
    """Runs pytest as a person does, with these plugins alone."""

    def run(folder: Path, *words: str, plugins: tuple[str, ...] = (PLUGIN,)):
        loaded = [part for plugin in plugins for part in ("-p", plugin)]
        return commands.run(folder, "pytest", *loaded, *words, **settings(folder))

    return run


@pytest.fixture
def docs(book):
    book.folder = book.folder / "docs"
    book.src.rename(book.folder)
    book.src = book.folder
    book.page("One.\n\n.. toctree::\n\n   rulebook/methuen\n")
    book.page(BOOK, "rulebook/methuen.md")
    book.write("part.txt", PART)
    return book


def test_ids_are_path_and_name_and_an_included_example_is_under_its_page(docs, run):
    root = docs.folder.parent
    done = run(root, "--dicedocs", "docs", "-v")
    assert re.findall(r"^(docs/\S+) (\w+)", done.stdout, re.MULTILINE) == [
        ("docs/rulebook/methuen.md::renna-power-shot", "PASSED"),
        ("docs/rulebook/methuen.md::example-2", "PASSED"),
        ("docs/rulebook/methuen.md::example-3", "SKIPPED"),
    ]
    assert done.returncode == 0
    # The doctrees are kept where pytest keeps its things.
    assert list(root.glob(".pytest_cache/d/dicedocs/*/environment.pickle"))
    again = run(root, "--dicedocs", "docs/rulebook/methuen.md::renna-power-shot", "-q")
    assert "1 passed" in again.stdout


def test_ids_are_unique_whatever_the_names_are(book):
    names = ["", "example-5", "example-3", "", "", "example-5-2", "example-5", "example-1"]
    example = ".. dice:example::\n   :mechanic: methuen/expression\n   :expression: 2\n"
    book.page("\n".join(f"{example}   :name: {name}\n" if name else example for name in names))
    [tests] = book.build().app.env.get_domain("dice").tests().values()
    ids = ["example-1-2", "example-5", "example-3", "example-4", "example-5-3", "example-5-2", "example-7", "example-1"]
    assert [block.label for block in tests] == ids


def test_a_failure_is_a_few_words_and_no_traceback(docs, run):
    docs.write("part.txt", PART.replace("total=11", "total=12"))
    done = run(docs.folder.parent, "--dicedocs", "docs", "-q", "-rs")
    assert done.returncode == 1
    place = docs.folder / "part.txt"
    report = done.stdout.partition("FAILURES")[2].partition("short test summary")[0].splitlines()
    assert report[1].strip(" _") == "example-2"
    assert report[2:-1] == [
        f"{place}:7: expected total=12, got total=11; write :expect: total=11",
        "docs: 3 statements: 1 verified, 1 without a check, 1 wrong",
    ]
    assert "SKIPPED [1] docs/rulebook/methuen.md:17: nothing is expected" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_an_edited_page_is_read_again_and_others_are_not(docs, run):
    root = docs.folder.parent
    run(root, "--dicedocs", "docs", "-q")
    [doctree] = root.glob(".pytest_cache/d/dicedocs/*/rulebook/methuen.doctree")
    before = doctree.stat().st_mtime_ns
    docs.page(BOOK.replace("total=11", "total=13"), "rulebook/methuen.md")
    done = run(root, "--dicedocs", "docs", "-q")
    assert "1 failed" in done.stdout
    assert doctree.stat().st_mtime_ns != before


def test_an_example_that_uses_a_character_is_checked_again_when_that_changes(docs, run):
    use = RENNA.replace(":dice:", ":actor: kira\n:dice:").replace("3d6", "3d6 + [Strength]")
    docs.page(use.replace("total=11", "total=15"), "rulebook/methuen.md")
    docs.page("```{dice:character} Kira\n:name: kira\n:values: Strength=4\n```\n", "people.md")
    assert "1 passed" in run(docs.folder.parent, "--dicedocs", "docs", "-q").stdout
    docs.page("```{dice:character} Kira\n:name: kira\n:values: Strength=5\n```\n", "people.md")
    done = run(docs.folder.parent, "--dicedocs", "docs", "-q")
    assert "methuen.md:11: expected total=15, got total=16; write :expect: total=16" in done.stdout


def test_our_code_never_pickles():
    for path in (SOURCES / "sphinx_ext").rglob("*.py"):
        assert not re.search(r"^\s*(import|from)\s+(pickle|marshal|shelve)\b", path.read_text(), re.MULTILINE), path


def test_without_the_flag_nothing_happens_with_or_without_sphinx(docs):
    def run(folder: Path, *words: str):
        return run_alone(folder, "pytest", "-p", PLUGIN, *words, **settings(folder))

    # Where Sphinx is loaded already it would be found.
    (docs.folder.parent / "sphinx.py").write_text("raise ImportError('no Sphinx here')")
    (docs.folder.parent / "test_it.py").write_text("def test_it(): pass")
    done = run(docs.folder.parent, "-q", ".")
    assert "1 passed" in done.stdout
    assert done.returncode == 0
    asked = run(docs.folder.parent, "-q", "--dicedocs", ".")
    assert asked.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--dicedocs needs Sphinx (no Sphinx here): pip install 'dicedocs[sphinx]'" in asked.stderr
    assert "Traceback" not in asked.stderr


@pytest.mark.parametrize(
    ("conf", "message"),
    [
        ("raise RuntimeError('oh no')", "oh no"),
        ("import sys; sys.exit(3)", "called sys.exit()"),
        ("extensions += ['no_such_extension']", "Could not import extension no_such_extension"),
    ],
)
def test_a_project_that_cannot_be_read_is_reported_once(docs, run, conf, message):
    docs.write("conf.py", conf)
    done = run(docs.folder.parent, "--dicedocs", "docs", "-q")
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert done.stdout.count(f"Sphinx cannot read {docs.folder}: ") == 1 + done.stdout.count("ERROR docs/conf.py - ")
    assert message in done.stdout
    assert "1 error" in done.stdout


@pytest.mark.parametrize(
    ("conf", "reason"),
    [
        ("extensions = []\nsource_suffix = ['.rst']\n", "does not switch on the extension dicedocs_sphinx"),
        ("exclude_patterns = ['rulebook']\n", "no page of this book has a block or a role of dicedocs"),
    ],
)
def test_a_book_that_was_asked_for_and_states_nothing_is_an_error_that_says_why(docs, run, conf, reason):
    root = docs.folder.parent
    docs.write("conf.py", conf)
    docs.page("One.")
    (docs.folder / "test_it.py").write_text("def test_it(): pass")
    done = run(root, "--dicedocs", "-q", "docs")
    assert done.returncode not in {0, 5}
    assert reason in done.stdout
    # Who asks for something else is left alone.
    assert "1 passed" in run(root, "--dicedocs", "-q", ".").stdout


@pytest.mark.thorough
def test_a_book_that_the_settings_ask_for_and_a_worker_finds_empty_is_an_error_too(book, run):
    book.page("One.")
    (book.folder / "pytest.ini").write_text("[pytest]\ntestpaths = src\n")
    done = run(book.folder, "--dicedocs", "-n", "1", "-q", plugins=(PLUGIN, "xdist"))
    assert "no page of this book has a block or a role of dicedocs" in done.stdout


def test_a_book_whose_only_statement_is_in_a_sentence_states_something(docs, run):
    docs.page("It is :dice:odds:`1d20 >= 11`, :dice:roll:`2d6 @ 4`.", "index.rst")
    docs.write("conf.py", "exclude_patterns = ['rulebook']\n")
    done = run(docs.folder.parent, "--dicedocs", "docs", "-v")
    assert done.returncode == 0
    assert re.findall(r"^(docs/\S+) (\w+)", done.stdout, re.MULTILINE) == [("docs/index.rst::the_rest", "PASSED")]
    assert "\ndocs: 2 statements: 0 verified, 2 without a check\n" in done.stdout


@pytest.mark.parametrize("words", [(), pytest.param(("-n", "1"), marks=pytest.mark.thorough)])
def test_what_is_wrong_apart_from_blocks_fails_too(docs, run, words):
    docs.page(
        """
        :dice:odds:`1d20 +>= 12` of :dice:ref:`nobody`, :dice:fact:`renna-power-shot.totl`.

        .. dice:exmaple::

        .. dice:character:: Kira
           :name: kira
           :values: Wit

        .. toctree::

           rulebook/methuen
        """
    )
    # After the first time nothing is read again that was right.
    plugins = (PLUGIN, "xdist") if words else (PLUGIN,)
    for _ in range(2):
        done = run(docs.folder.parent, "--dicedocs", "docs", "-q", *words, plugins=plugins)
        assert done.returncode == 1
        assert "FAILED docs/index.rst::the_rest" in done.stdout
        lines = re.findall(r"index\.rst:(\d+): (.{20})", done.stdout.partition("short test summary")[0])
        assert sorted((int(line), text) for line, text in lines) == [
            (5, "1d20 +>= 12: check: "),
            (5, "nothing is named 'no"),
            (5, "there is no fact 'to"),
            (7, "there is no directiv"),
            (11, "kira: values: 'Wit' "),
        ]
        assert "docs: 8 statements: 2 verified, 1 without a check, 5 wrong" in done.stdout


def test_a_wrong_option_fails_its_item_too(docs, run):
    docs.page(RENNA.replace(":dice:", ":dicee: 1\n:dice:"), "rulebook/methuen.md")
    done = run(docs.folder.parent, "--dicedocs", "docs", "-q")
    assert "methuen.md:9: there is no parameter 'dicee' of methuen/expression" in done.stdout


@pytest.mark.thorough
def test_xdist_deals_the_items_of_a_book_that_was_read_once(docs, run):
    docs.write(
        "lantern.py",
        """
        from dicedocs import Dice, Mechanic, Outcome, Say

        class Light(Mechanic, id="lantern/light"):
            class Result(Outcome):
                lit: int

            def resolve(self, dice: Dice, say: Say) -> Result:
                return self.Result(dice.roll(6))
    """,
    )
    docs.write(
        "conf.py",
        """
        import lantern
        with open(os.path.join(os.path.dirname(__file__), "reads"), "a") as file:
            file.write("x")
    """,
    )
    light = "```{dice:example}\n:mechanic: lantern/light\n:dice: 4\n:expect: lit=4\n```\n"
    docs.page("\n".join([light] * 30), "rulebook/many.md")
    (docs.folder.parent / "pytest.ini").write_text("[pytest]\n")
    plugins = (PLUGIN, "xdist")
    done = run(docs.folder.parent, "--dicedocs", "-n", "2", "-q", ".", plugins=plugins)
    assert "32 passed, 1 skipped" in done.stdout, done.stdout
    assert (docs.folder / "reads").read_text() == "x"


def test_many_unnamed_examples_without_a_cache(docs, run):
    pages = 5
    for page in range(pages):
        docs.page(RENNA.replace(":name: renna-power-shot\n", "") * 40, f"rulebook/page{page}.md")
    done = run(docs.folder.parent, "--dicedocs", "docs", "-q", "-p", "no:cacheprovider")
    assert f"{pages * 40 + 2} passed, 1 skipped" in done.stdout


def test_a_page_that_is_not_in_utf_8_is_an_error(tmp_path, run):
    book = tmp_path / "book"
    book.mkdir()
    (book / "conf.py").write_text("extensions = ['dicedocs_sphinx', 'myst_parser']\n")
    (book / "index.md").write_text(f"# Book\n{RENNA}")
    (book / "cafe.md").write_bytes(f"# Caf\u00e9\n{RENNA}".encode("latin-1"))
    done = run(tmp_path, "--dicedocs", "book")
    assert done.returncode != 0
    assert "this page is not in UTF-8 (byte E9, after '# Caf')" in done.stdout


SCENE = """
```{dice:scene} The gate
:name: gate
:tracks: breach 0 of 6
```

```{dice:example} First
:name: first
:mechanic: dice/roll
:notation: 1d6
:dice: 4
:then: breach += total
:expect: total=4, breach=4
```

```{dice:change} breach -= 1
```

```{dice:example} Second
:name: second
:mechanic: dice/roll
:notation: breach + 2
:then: breach += total
:expect: total=5, breach=6
```
"""


def test_a_scene_has_an_item_for_each_roll_and_one_for_itself(docs, run):
    docs.page(SCENE, "rulebook/methuen.md")
    root = docs.folder.parent

    def results():
        return re.findall(r"^docs/\S+::(\w+) (\w+)", run(root, "--dicedocs", "docs", "-v").stdout, re.MULTILINE)

    assert results() == [("gate", "PASSED"), ("first", "PASSED"), ("second", "PASSED")]
    docs.page(SCENE.replace("breach -= 1", "breach -= 2"), "rulebook/methuen.md")
    # What is wrong is one beat, not the scene too.
    assert results() == [("gate", "SKIPPED"), ("first", "PASSED"), ("second", "FAILED")]
    done = run(root, "--dicedocs", "docs", "-q", "-rs")
    wrong = "expected total=5, breach=6, got total=4, breach=6"
    assert re.search(rf"SKIPPED .* second: {wrong}", done.stdout)
    assert f"methuen.md:27: {wrong}" in done.stdout
    docs.page(SCENE.replace("breach -= 1\n", "breach -= 1\n:name: rest\n:expect: breach=2\n"), "rulebook/methuen.md")
    assert [*results()] == [("gate", "SKIPPED"), ("first", "PASSED"), ("rest", "FAILED"), ("second", "PASSED")]


def test_what_a_scene_comes_to_is_accepted(docs, run):
    page = docs.page(SCENE.replace("breach -= 1", "breach -= 2"), "rulebook/methuen.md")
    done = run(docs.folder.parent, "--dicedocs-accept", "docs", "-q")
    assert ":expect: total=4, breach=6" in page.read_text("utf-8")
    assert "second: expect written" in done.stdout


@pytest.mark.parametrize("words", [(), pytest.param(("-n", "1"), marks=pytest.mark.thorough)])
def test_each_book_has_its_own_limits(tmp_path, run, words):
    example = (
        ".. dice:example::\n   :mechanic: dice/roll\n   :notation: 15000d1\n   :seed: 1\n   :expect: total=15000\n"
    )
    for name, limits in (("one", {"DICE": 20_000}), ("two", {}), ("three", {"DICE": 16_000})):
        book = Book(tmp_path / name, f"dicedocs_limits = {limits}\n")
        book.page(example)
    plugins = (PLUGIN, "xdist") if words else (PLUGIN,)
    books = [f"{name}/src" for name in ("one", "two", "three")]
    said = run(tmp_path, "--dicedocs", "-q", "-p", "no:cacheprovider", *words, *books, plugins=plugins).stdout
    assert "2 passed" in said
    assert re.findall("^FAILED (.*?)::", said, re.MULTILINE) == ["two/src/index.rst"]
