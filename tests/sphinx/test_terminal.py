"""What goes to a terminal is text: neither a page nor the name of its file moves the cursor or sets a title there."""

import os
from pathlib import Path

import pytest

from tests.core.pseudo_terminal import run_served_in_terminal

SOURCES = Path(__file__).parents[2]
PATH = os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))
ENVIRONMENT = {
    "PYTHONPATH": PATH,
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
NAME = "ev\x1b]0;il\x07.md"
"""The name of a page's file, which sets the title of a terminal; another one has half a character in it."""
HALF = "half\udcff.md"
TITLE = "\x1b]0;owned\x07"
PAGE = f"""# Page

```{{dice:example}} E
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=12
```

{TITLE}, before and in an expectation.

```{{dice:example}} F
:mechanic: methuen/expression
:expression: 2
:expect: total={TITLE}
```
"""


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "conf.py").write_text("extensions = ['dicedocs_sphinx', 'myst_parser']\n")
    (folder / "index.md").write_text("# Book\n")
    for name in (NAME, HALF):
        (folder / name).write_text(PAGE)
    return folder


def harmless(text: str) -> bool:
    return not set(text) & {"\x1b", "\x07", "\x9b"} and not any("\ud800" <= sign <= "\udfff" for sign in text)


def test_verify_prints_no_escape_sequence(book, commands):
    done = commands.run(book.parent, "dicedocs", "verify", "book", **ENVIRONMENT)
    assert (done.returncode, done.stderr) == (1, "")
    assert "book/ev�]0;il�.md:7: example-1: expected total=12" in done.stdout
    assert harmless(done.stdout)


def test_accept_prints_none_but_those_in_the_lines_of_its_diff(book, commands):
    (book / HALF).chmod(0o444)
    done = commands.run(book.parent, "dicedocs", "accept", "book", **ENVIRONMENT)
    assert "--- a/book/ev�]0;il�.md\n" in done.stdout
    assert "half�.md is read-only" in done.stderr
    assert harmless(done.stderr)
    # A diff in a pipe is for programs that apply it, with every byte.
    assert f"-:expect: total={TITLE}\n" in done.stdout
    assert harmless(done.stdout.replace(TITLE, ""))


def test_the_diff_of_accept_is_cleaned_in_a_terminal(book, commands):
    (book / HALF).unlink()
    words = "dicedocs", "accept", "book", "--diff"
    status, written = run_served_in_terminal(commands, book.parent, *words, **ENVIRONMENT)
    assert status == 0
    assert "+:expect: total=11\n" in written
    assert "-:expect: total=�]0;owned�\n" in written
    # The line of the progress is taken away by a sequence of our own.
    assert harmless(written.replace("\x1b[K", ""))


@pytest.mark.parametrize("words", [["--dicedocs"], ["--dicedocs", "-vv"], ["--dicedocs-accept"]])
def test_pytest_prints_no_escape_sequence(words, book, commands):
    (book / HALF).unlink()
    done = commands.run(book.parent, "pytest", "-p", "dicedocs_sphinx.pytest_plugin", *words, "book", **ENVIRONMENT)
    assert "ev�]0;il�.md" in done.stdout
    assert harmless(done.stdout)
    assert done.returncode == ("--dicedocs" in words)


def test_the_doctest_of_a_page_names_its_file_without_them(book, commands):
    (book / HALF).unlink()
    done = commands.run(book.parent, "sphinx", "-b", "doctest", "-q", "-N", "book", "out", **ENVIRONMENT)
    assert done.returncode == 1
    # Sphinx itself prints the name of a page as it is.
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "toc.not_included" not in line]
    assert 'File "ev�]0;il�.md", line 7, in example-1' in lines
    assert any("ev�]0;il�.md:7: WARNING: example-1: expected total=12" in line for line in lines)
    assert harmless("\n".join(lines))


def test_what_sphinx_says_of_a_book_has_no_colours_in_a_pipe(book, commands):
    conf = book / "conf.py"
    conf.write_text(
        conf.read_text() + "import sphinx.util.logging as l\n"
        "l.getLogger('x').warning('a word of conf.py')\n"
        "def setup(app):\n    app.connect('env-updated', lambda *_: 1 / 0)\n"
    )
    for words in (
        ("dicedocs", "verify", "book"),
        ("pytest", "-p", "dicedocs_sphinx.pytest_plugin", "--dicedocs", "book"),
    ):
        done = commands.run(book.parent, *words, **ENVIRONMENT)
        assert done.returncode == 2
        assert "a word of conf.py" in done.stdout + done.stderr
        assert harmless(done.stdout + done.stderr)
