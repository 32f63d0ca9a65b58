"""An interrupted build, or a full disk, leaves nothing that the next build does not mend."""

import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

EXAMPLE = """
.. dice:example:: A shot
   :name: shot-{0}
   :mechanic: methuen/expression
   :expression: 3d6 + {0}
   :dice: 4 2 5
   :expect: total={1}

   It deals :dice:fact:`total`.
"""


@pytest.fixture
def pages(book):
    """A book of five pages, built once, all of which have changed since."""

    def write(bonus):
        for number in range(5):
            text = EXAMPLE.format(number, 11 + number) + f"\nBonus {bonus}.\n"
            book.page(text, f"p{number}.rst" if number else "index.rst")

    book.page("", "index.rst")
    write("before")
    book.build("html", html_theme="basic")
    write("after")
    return book


def contents(folder: Path) -> dict[str, bytes]:
    """The pages and our stylesheet; other files name the time of the build."""
    files = [*folder.rglob("*.html"), *folder.rglob("dicedocs.css")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def assert_mended(book):
    """The next build, and the one after it, give what a first build gives."""
    book.build("html", html_theme="basic")
    clean = contents(book.build("html", out="clean", doctrees="cleantrees", html_theme="basic").out)
    assert contents(book.folder / "out-html") == clean
    assert b"Bonus after" in clean["p4.html"]


@pytest.mark.parametrize("raised", [KeyboardInterrupt, OSError(errno.ENOSPC, "no space left on device")])
def test_an_interruption_while_pages_are_written(pages, monkeypatch, raised):
    write, written = StandaloneHTMLBuilder.write_doc, []

    def interrupted(self, docname, doctree):
        write(self, docname, doctree)
        written.append(docname)
        if len(written) == 3:
            path = Path(self.get_outfilename(docname))
            path.write_bytes(path.read_bytes()[:1000])
            raise raised

    with monkeypatch.context() as patch:
        patch.setattr(StandaloneHTMLBuilder, "write_doc", interrupted)
        with pytest.raises(raised if isinstance(raised, type) else type(raised)):
            pages.build("html", html_theme="basic")
    assert_mended(pages)


@pytest.mark.parametrize("what", ["doctree", "environment", "stylesheet"])
def test_a_full_disk_while_something_else_is_written(pages, monkeypatch, what):
    def full(self, *args, **kwargs):
        raise OSError(errno.ENOSPC, "no space left on device")

    css = pages.folder / "out-html" / "_static" / "dicedocs.css"
    with monkeypatch.context() as patch:
        if what == "doctree":
            patch.setattr("sphinx.builders.Builder.write_doctree", full)
        elif what == "environment":
            patch.setattr(BuildEnvironment, "__getstate__", full)
        else:
            css.write_bytes(b"half")
            patch.setattr(Path, "write_bytes", full)
        with pytest.raises((OSError, ExtensionError), match="no space"):
            pages.build("html", html_theme="basic")
    assert_mended(pages)


@pytest.mark.thorough
def test_a_build_that_is_killed(pages):
    code = (
        "import os, signal, sys\nfrom sphinx.builders.html import StandaloneHTMLBuilder as B\n"
        "write, count = B.write_doc, []\n"
        "def killed(self, docname, doctree):\n"
        "    write(self, docname, doctree); count.append(1)\n"
        "    if len(count) == 3:\n"
        "        open(self.get_outfilename(docname), 'w').close(); os.kill(os.getpid(), signal.SIGKILL)\n"
        "B.write_doc = killed\n"
        "from sphinx.cmd.build import main\nmain(sys.argv[1:])"
    )
    folders = ["-d", pages.folder / "doctrees", pages.src, pages.folder / "out-html"]
    options = ["-q", "-b", "html", "-D", "html_theme=basic"]
    done = subprocess.run([sys.executable, "-c", code, *options, *folders], check=False, timeout=100)
    assert done.returncode == -signal.SIGKILL
    assert_mended(pages)
