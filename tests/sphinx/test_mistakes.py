"""Mistakes of an author, each of which is a warning with its file, its line, its cause and its remedy.

They stand in ``docs/_ext/mistakes.toml``, from which the guide is made as well. Each is a page of its own, and all
pages in one language are one book; each mistake in a game is a module of its own.
"""

import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ..every import every
from .conftest import Book, BuildWarning, warnings_in

SOURCES = Path(__file__).resolve().parents[2]
EXTENSIONS = SOURCES / "docs" / "_ext"
PATH = os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))


def _groups():
    """Return the mistakes of the guide, which are read by an extension of the documentation."""
    sys.path.insert(0, str(EXTENSIONS))
    try:
        import mistakes
    finally:
        sys.path.remove(str(EXTENSIONS))
    return list(mistakes.groups())


GROUPS = _groups()
MISTAKES = [each for group in GROUPS for each in group.mistakes]
GAMES = [index for index, each in enumerate(MISTAKES) if each.game]
LANGUAGES = ["md", pytest.param("rst", marks=pytest.mark.thorough)]


def numbered(index, text):
    """Return a text in which the game of a mistake has the name that it has among the others."""
    module, game = f"spells_{index}", f"spells-{index}"
    text = text.replace("'spells' cannot be loaded from spells:", f"'{game}' cannot be loaded from {module}:")
    return text.replace("spells.py", f"{module}.py").replace("spells/cast", f"{game}/cast")


class Books(NamedTuple):
    """The folder of a book, and the warnings of each page."""

    folder: Path
    found: dict[str, list[BuildWarning]]

    def of(self, page):
        return [each for each in self.found.get(page, []) if each.type]


SPHINX = ["toc.not_included", "misc.highlighting_failure", "misc.higlighting_failure"]
"""What Sphinx itself says of these pages; 8.2.0 spells the last one so."""
BUILD = ("sphinx", "-W", "--keep-going", "-q", "-b", "dummy", "src", "dummy")


def check(commands, folder, *command):
    """Run a command that refuses a book, and return all that it says."""
    done = commands.run(folder, *command, merge=True, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTHONPATH=PATH, NO_COLOR="1")
    assert done.returncode == 1, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def books(commands, tmp_path_factory):
    """A function that builds the book of all mistakes in a language, once."""

    @cache
    def built(suffix):
        found = {}
        games = {f"spells-{index}": f"spells_{index}" for index in GAMES}
        conf = f"dicedocs_games = {games!r}\ndicedocs_literal_numbers = True\n"
        book = Book(tmp_path_factory.mktemp(suffix), f"{conf}suppress_warnings = {SPHINX}\n")
        book.page("Words.", "index.rst")
        for index in GAMES:
            book.write(f"spells_{index}.py", numbered(index, MISTAKES[index].game))
        for index, mistake in enumerate(MISTAKES):
            if suffix in mistake.pages:
                page = book.src / f"m{index}.{suffix}"
                page.write_text(numbered(index, mistake.pages[suffix]), "utf-8")
        for warning in warnings_in(check(commands, book.folder, *BUILD)):
            found.setdefault(warning.file, []).append(warning)
        return Books(book.folder, found)

    return built


def test_there_are_as_many_as_were_promised_in_both_languages():
    for suffix in ("md", "rst"):
        assert sum(suffix in each.pages for each in MISTAKES) >= 60


@pytest.mark.parametrize("suffix", LANGUAGES)
@every("index", range(len(MISTAKES)))
def test_a_mistake_is_one_warning_with_its_line_its_cause_and_its_remedy(books, index, suffix):
    mistake, page = MISTAKES[index], f"m{index}.{suffix}"
    if suffix not in mistake.pages:
        return
    [warning] = books(suffix).of(page)
    assert (warning.line, warning.type) == (mistake.line, f"dicedocs.{mistake.type}")
    text = re.sub(r"/\S+/(m\d+\.\w+):", r"\1:", warning.text)
    assert text == numbered(index, mistake.message).replace("{page}", page)
    assert "; " in text or "did you mean" in text or mistake.after or mistake.game


CHECKS = {
    "doctest": ("sphinx", "-q", "-b", "doctest", "src", "doctest"),
    "report": ("sphinx", "-W", "--keep-going", "-q", "-b", "dice-report", "src", "report"),
    "verify": ("dicedocs", "verify", "src"),
    "pytest": ("pytest", "-p", "dicedocs_sphinx.pytest_plugin", "-p", "no:cacheprovider", "--dicedocs", "src", "-q"),
}
"""The other ways to check a book; `test_three_checks.py` has the same of one mistake."""


@pytest.fixture(scope="module")
def said(books, commands):
    """What each of the checks says of the book of all mistakes in Markdown, by page: each line with its text."""
    said = {}
    for name, command in CHECKS.items():
        output = check(commands, books("md").folder, *command)
        lines = re.findall(r"^\S*?(m\d+\.md):(\d+): (?:WARNING: )?(.*)$", output, re.MULTILINE)
        found = said[name] = {}
        for page, line, text in lines:
            # pytest says it once more in its summary.
            found.setdefault(page, set()).add((int(line), re.sub(r" \[dicedocs\.\w+\]$", "", text)))
    return said


@pytest.mark.thorough
@pytest.mark.parametrize("name", CHECKS)
def test_each_check_refuses_each_mistake_in_the_same_words(books, said, name):
    silent, different = [], []
    for index, mistake in enumerate(MISTAKES):
        if "md" not in mistake.pages or (name == "pytest" and "pytest skips it" in mistake.after):
            continue
        [warning] = books("md").of(f"m{index}.md")
        text = warning.text.partition("\n")[0]
        found = said[name].get(f"m{index}.md", set())
        if not found:
            silent.append((index, text))
        # The label of a block is in the name of its test.
        elif not {(warning.line, text), (warning.line, text.partition(": ")[2])} & found:
            different.append((index, text, found))
    assert (silent, different) == ([], [])


TWO = """
.. dice:example:: A
   :name: a
   :mechanic: spells/cast
   :dice: 4
   :expect: total=5

.. dice:example:: B
   :name: b
   :mechanic: spells/cast
   :dice: 4
   :expect: total=5
"""


@pytest.mark.parametrize("sound", [True, False])
def test_a_mistake_in_a_game_is_one_warning_however_many_blocks_play_it(book, sound):
    [game] = {group.game for group in GROUPS if group.game}
    book.write("spells.py", game if sound else game.replace("Result(total)", "Result(self.HP)"))
    book.write("conf.py", "import spells\n")
    book.page(TWO)
    warnings = book.build().warnings
    failure = "the rule failed: AttributeError: 'Cast' object has no attribute 'HP' (spells.py:17, in resolve), "
    message = f"a: {failure}after the step 'Power: 4 + 1 = 5' (so for 1 more block)"
    assert warnings == ([] if sound else [BuildWarning("index.rst", 7, "dicedocs.engine", message)])


def test_an_absent_game_is_one_warning_in_a_book(book):
    book.page(TWO)
    book.page(TWO.replace("cast", "rest").replace(": a", ": c").replace(": b", ": d"), "other.rst")
    first = book.build(jobs=2)
    [warning] = [each for each in first.warnings if each.type == "dicedocs.mechanic"]
    assert (warning.file, warning.line) == ("index.rst", 7)
    assert warning.text == (
        "a: there is no mechanic 'spells/cast'; the command 'dicedocs mechanics' lists them (so for 3 more blocks)"
    )
    again = [each for each in book.build().warnings if each.type == "dicedocs.mechanic"]
    assert again == [warning]


CODE = """
    # P

    `:dice:fact:` and `{{dice:fact}}` are roles; `` {{dice:fact}}`total` `` is one.

    ```markdown
    Ada {{dice:fact}}`total`, :dice:fact:`total`
    ```

    ````{{eval-rst}}
    .. code-block:: rst

       .. dice:example:: E

    .. parsed-literal::

       {{dice:fact}}`total` **x**

    ``{{dice:fact}}`x``` and :code:`:dice:fact:`
    ````
"""


def test_markup_that_is_shown_as_code_is_no_mistake(book):
    book.write("index.md", CODE.format())
    assert book.build().log == ""
