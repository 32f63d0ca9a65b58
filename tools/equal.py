"""Build a generated book in several ways, and after each kind of edit, and compare every file that was written.

Two clean builds must be equal to the byte: serial and parallel, in two folders, with two hash seeds. A build after an
edit must be equal to a clean build, and after the edit was undone, to the first one. What Sphinx itself makes
different is left out, each by its name: ``BACKUP``, ``NOT_WRITTEN``, ``READERS`` and :func:`pages_that_are_gone`. With
``--plain`` the book is built without our extension, and ``NOT_WRITTEN`` is not left out, which shows that it is Sphinx.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from equal_book import EDITS, NOT_WRITTEN, write_book
from sphinx.cmd.build import main as build_main

BUILDERS: Final = ("html", "dirhtml", "latex", "text", "man", "epub")
EDITED: Final = ("html", "text")
"""The builders with which the edits are built; of the others most write all their files each time."""
INDEX: Final = "searchindex.js"
BACKUP: Final = ".buildinfo.bak"
"""What Sphinx keeps of the build before, when the configuration has changed."""
SMALL: Final = """# Small

```{dice:odds} A check
:mechanic: methuen/check
:check: 1d6 >= 2
```
"""
LONGEST: Final = 300
"""The seconds after which a build is stopped."""


class Book:
    """A book with its builds.

    Parameters:
        folder: where everything is written.
        pages: how many pages the book has.
        plain: whether it is built without our extension.
    """

    def __init__(self, folder: Path, pages: int, *, plain: bool) -> None:
        self.folder, self.pages, self.plain = folder, pages, plain
        self.source, self.log = folder / "book", folder / "log.txt"
        self.source.mkdir(parents=True)
        write_book(self.source, pages, plain=plain)

    def build(self, out: str, builder: str, jobs: int = 1, source: str = "book", **environment: str) -> Path:
        """Build, in a new process, and return the folder of the output; each has its own doctrees."""
        target, trees = self.folder / out, self.folder / f"{out}.doctrees"
        command = ["-q", "-j", str(jobs), "-b", builder, "-d", str(trees), str(self.folder / source), str(target)]
        settings = {"SOURCE_DATE_EPOCH": "1800000000", "PYTHONDONTWRITEBYTECODE": "1", **environment}
        if environment:
            with self.log.open("wb") as file:
                words = [sys.executable, "-m", "sphinx", *command]
                status = subprocess.run(
                    words, env={**os.environ, **settings}, stderr=file, timeout=LONGEST, check=False
                ).returncode
        else:
            status = forked_build(command, settings, self.log)
        if status:
            raise SystemExit(f"sphinx-build {' '.join(command)} ended with {status}:\n{self.log.read_text('utf-8')}")
        return target

    def clean_build(self, out: str, builder: str, jobs: int = 1, source: str = "book", **environment: str) -> Path:
        """Build as if for the first time."""
        for name in (out, f"{out}.doctrees"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        return self.build(out, builder, jobs, source, **environment)

    def differing(self, one: Path, other: Path) -> list[str]:
        """Return the names of the files that differ, apart from what Sphinx itself makes different."""
        before, after = self.files(one), self.files(other)
        names = (before.keys() | after.keys()) - {BACKUP}
        return sorted(name for name in names if before.get(name) != after.get(name))

    def files(self, folder: Path) -> dict[str, bytes]:
        """Return the files of an output."""
        files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        for name in pages_that_are_gone(files, self.source):
            del files[name]
        return {name: READERS.get(path.suffix, Path.read_bytes)(path) for name, path in files.items()}


def load_sphinx(folder: Path) -> None:
    """Build a small book without a game of its own in this process: forks need not load again what that needs."""
    folder.mkdir()
    (folder / "conf.py").write_text("extensions = ['dicedocs_sphinx', 'myst_parser', 'sphinx.ext.doctest']\n")
    (folder / "index.md").write_text(SMALL)
    if build_main(["-q", "-b", "text", str(folder), str(folder / "out")]):
        raise SystemExit("the small book does not build")


def forked_build(command: list[str], settings: dict[str, str], log: Path) -> int:
    """Run ``sphinx-build`` in a fork of this process, which has loaded Sphinx but no game."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    os.environ.update(settings)
    sys.dont_write_bytecode = True
    status = 1
    try:
        status = build_main(command)
    finally:
        sys.stderr.flush()
        os._exit(status)


def searched_words(path: Path) -> bytes:
    """Return a script; the index of the search without the words that no page holds any more, and the general index.

    Sphinx takes a page that it writes again out of the pages of each word, and keeps a word without a page. Of the
    general index the search has only the entries of the pages that were written last.
    """
    if path.name != INDEX:
        return path.read_bytes()
    text = path.read_text("utf-8")
    start, end = text.index("{"), text.rindex("}") + 1
    index = json.loads(text[start:end])
    for key in ("terms", "titleterms"):
        index[key] = {word: pages for word, pages in index[key].items() if pages != []}
    del index["indexentries"]
    return (text[:start] + json.dumps(index) + text[end:]).encode()


def zipped_files(path: Path) -> bytes:
    """Return the files in an e-book, in their order, without the times at which they were written."""
    with zipfile.ZipFile(path) as book:
        return repr([(name, book.read(name)) for name in book.namelist()]).encode()


READERS: Final = {".js": searched_words, ".epub": zipped_files}
"""How files are read of which Sphinx makes a part different; all others must be equal to the byte."""


def pages_that_are_gone(files: Iterable[str], source: Path) -> list[str]:
    """Return the files of an output whose page is not in the book any more; Sphinx deletes none."""
    known = {path.relative_to(source).with_suffix("").as_posix() for path in source.rglob("*.*")}
    gone = []
    for name in files:
        page = name.removeprefix("_sources/").removesuffix(".txt").removesuffix("/index.html")
        for suffix in (".html", ".rst", ".md"):
            page = page.removesuffix(suffix)
        if page.rpartition("/")[2] in {"page3", "third", "new"} and page not in known:
            gone.append(name)
    return gone


def compare_ways(book: Book, builders: Iterable[str]) -> int:
    """Compare clean builds that come about in different ways; return the number of those that differ."""
    shutil.copytree(book.source, book.folder / "elsewhere/copy")
    failures = 0
    for builder in builders:
        first = book.clean_build("first", builder, PYTHONHASHSEED="1")
        others = {
            "in parallel": book.clean_build("parallel", builder, jobs=2),
            "in another folder, with another hash seed": book.clean_build(
                "second", builder, source="elsewhere/copy", PYTHONHASHSEED="2"
            ),
        }
        for way, other in others.items():
            failures += report(f"{builder}, {way}", book.differing(first, other))
    return failures


def compare_edits(book: Book, builders: Iterable[str], names: Iterable[str]) -> int:
    """Compare builds after edits with clean ones; return the number of those that differ."""
    originals = {path: path.read_bytes() for path in book.source.rglob("*") if path.is_file()}
    failures = 0
    for builder in builders:
        first = book.clean_build("first", builder)
        if book.log.read_text("utf-8") and not book.plain:
            # A page that gives warnings is read each time.
            raise SystemExit(book.log.read_text("utf-8"))
        book.clean_build("grown", builder)
        for name in names:
            try:
                EDITS[name](book.source)
            except ValueError:
                if not book.plain:
                    raise
                restore(book.source, originals)
                continue
            differing = book.differing(book.build("grown", builder), book.clean_build("clean", builder, jobs=2))
            if not book.plain:
                differing = sorted(set(differing) - NOT_WRITTEN.get(name, set()))
            failures += report(f"{builder}, {name}", differing)
            restore(book.source, originals)
            failures += report(f"{builder}, {name}, undone", book.differing(book.build("grown", builder), first))
    return failures


def restore(source: Path, originals: dict[Path, bytes]) -> None:
    """Undo an edit."""
    for path in sorted(source.rglob("*"), reverse=True):
        if path.is_file() and path not in originals:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for path, content in originals.items():
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)


def report(what: str, differing: list[str]) -> int:
    """Print whether two builds are equal; return 1 if they are not."""
    print(f"{'differ' if differing else 'equal '}  {what}{': ' if differing else ''}{', '.join(differing)}", flush=True)
    return int(bool(differing))


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare builds of a generated book.")
    parser.add_argument("--pages", type=int, default=59, help="the number of pages, at least 6")
    parser.add_argument("--ways", nargs="*", default=BUILDERS, help="the builders whose clean builds are compared")
    parser.add_argument("--edited", nargs="*", default=EDITED, help="the builders with which edits are built")
    parser.add_argument("--edits", nargs="*", default=list(EDITS), choices=list(EDITS), metavar="EDIT")
    parser.add_argument("--plain", action="store_true", help="build the book without our extension")
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="equal-") as folder:
        load_sphinx(Path(folder, "small"))
        book = Book(Path(folder), options.pages, plain=options.plain)
        failures = compare_ways(book, options.ways) + compare_edits(book, options.edited, options.edits)
    print(f"{failures} differ; {time.monotonic() - start:.0f} seconds")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
