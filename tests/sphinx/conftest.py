"""Small Sphinx projects, built in this process."""

import io
import logging
import re
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pytest
from sphinx.application import Sphinx
from sphinx.locale import translators
from sphinx.util.docutils import docutils_namespace, patch_docutils

from ..loaded_games import forget_games
from ..templates import pack_once

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
WARNING = re.compile(
    r"(?:(?P<file>[^\n:]+):(?:(?P<line>\d+):)? )?(?:WARNING|ERROR): (?P<text>.*?)(?: \[(?P<type>[\w.]+)\])?$", re.DOTALL
)


class BuildWarning(NamedTuple):
    """A warning: the name of the file, the line, the type, the text."""

    file: str
    line: int
    type: str
    text: str


def warnings_in(log: str) -> list[BuildWarning]:
    """Return the warnings in what a build says, which has no colours."""
    warnings = []
    for text in re.split(r"\n(?=[^\n]*WARNING: )", log.strip()) if log.strip() else []:
        match = WARNING.match(text)
        assert match, text
        name = Path(match["file"]).name if match["file"] else ""
        warnings.append(BuildWarning(name, int(match["line"] or 0), match["type"] or "", match["text"]))
    return warnings


class Built:
    """A built project."""

    def __init__(self, app: Sphinx, log: str) -> None:
        self.app = app
        self.out = Path(app.outdir)
        self.log = COLOUR.sub("", log)

    @cached_property
    def warnings(self) -> list[BuildWarning]:
        return warnings_in(self.log)

    def warnings_of(self, page: str) -> list[BuildWarning]:
        """Return the warnings of a page, which is named without its suffix."""
        return [each for each in self.warnings if Path(each.file).stem == page]

    def read(self, name: str) -> str:
        return (self.out / name).read_text("utf-8")

    def doctree(self, name: str = "index"):
        return self.app.env.get_doctree(name)


class Book:
    """A project: its sources, and its builds, which share doctrees."""

    def __init__(self, folder: Path, conf: str = "") -> None:
        self.folder = folder
        self.src = folder / "src"
        self.src.mkdir(parents=True)
        self.conf = conf
        self.write("conf.py", conf)

    def write(self, name: str, text: str) -> Path:
        """Write a file, dedented; the configuration gets what all have before it."""
        text = textwrap.dedent(text).lstrip("\n")
        if name == "conf.py":
            # Sphinx writes the suffixes of extensions into its own default, where the next project would find them.
            text = (
                "import os, sys; sys.path.insert(0, os.path.dirname(__file__))\n"
                "extensions = ['dicedocs_sphinx', 'myst_parser', 'sphinx_design']\n"
                "source_suffix = {'.rst': 'restructuredtext'}\n"
                "project = 'Book'; author = 'N'; copyright = '2026'; version = release = '1'\n"
                "myst_enable_extensions = ['colon_fence', 'substitution', 'deflist']\n" + text
            )
        path = self.src / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def page(self, text: str, name: str = "index.rst", title: str = "Page") -> Path:
        """Write a page with a title, four lines of which come first."""
        head = f"# {title}\n\n\n\n" if name.endswith(".md") else f"{title}\n{'=' * len(title)}\n\n\n"
        return self.write(name, head + textwrap.dedent(text).strip("\n") + "\n")

    def cases(self, texts: Iterable[str], suffix: str = ".rst") -> list[str]:
        """Write a page for each text, and one that lists them; return their names, without suffixes."""
        names = []
        for number, text in enumerate(texts):
            names.append(f"case{number}")
            self.page(text, f"case{number}{suffix}")
        self.page(".. toctree::\n\n" + "".join(f"   {name}\n" for name in names))
        return names

    def build(
        self,
        builder: str = "dummy",
        *,
        jobs: int = 1,
        fresh: bool = False,
        out: str = "",
        doctrees: str = "doctrees",
        **settings: object,
    ) -> Built:
        """Build the project in this process."""
        log = io.StringIO()
        doctree_folder = self.folder / ("gettrees" if builder == "gettext" else doctrees)
        before = sys.path[:]
        # Sphinx keeps the catalogues of a process under the names of pages.
        translators.clear()
        # Nobody reads what Sphinx says of its progress.
        logging.disable(logging.INFO)
        if fresh:
            shutil.rmtree(doctree_folder, ignore_errors=True)
        with patch_docutils(self.src), docutils_namespace(), warnings.catch_warnings():
            # Warnings of Sphinx and of other extensions are theirs.
            warnings.filterwarnings("ignore", module=r"(?!dicedocs)")
            app = Sphinx(
                self.src,
                self.src,
                self.folder / (out or f"out-{builder}"),
                doctree_folder,
                builder,
                confoverrides=dict(settings),
                status=None,
                warning=log,
                parallel=jobs,
            )
            app.build()
        sys.path[:] = before
        logging.disable(logging.DEBUG)
        return Built(app, log.getvalue())


@pytest.fixture(scope="session", autouse=True)
def packed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        pack_once(patch)
        yield


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    yield Book(tmp_path)
    forget_games(tmp_path)


@pytest.fixture(scope="module")
def shared_book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """A book that the tests of a module fill and build together."""
    shared = Book(tmp_path_factory.mktemp("book"))
    yield shared
    forget_games(shared.folder)
