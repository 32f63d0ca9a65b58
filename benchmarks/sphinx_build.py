"""The time of a Sphinx build with 1,000 worked examples on 50 pages, compared with literal blocks and code blocks.

Each build runs in its own process and with its own doctrees. The figure is the minimum CPU time of five runs; the books
are built alternately.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from measured import Table, publish

PAGES = 50
EXAMPLES = 1_000
RUNS = 5

PROSE = "Renna looses a Power Shot at the gate, and the gate shakes."


class Book(NamedTuple):
    """A book to build: a function that writes one example, the suffix of its pages, and its extensions."""

    example: Callable[[int], str]
    suffix: str
    extensions: tuple[str, ...] = ()


def faces(number: int) -> tuple[int, int, int]:
    """Return the faces of an example; few examples have the same ones."""
    return number % 6 + 1, number // 6 % 6 + 1, number // 36 % 6 + 1


def literal(number: int) -> str:
    """Write an example as a literal block in reStructuredText."""
    return f"{PROSE} ::\n\n   3d6: {faces(number)}\n   {sum(faces(number))}\n"


def code_block(number: int) -> str:
    """Write an example as a highlighted block in reStructuredText."""
    call = f'>>> dd.roll("3d6", dice={list(faces(number))}).total'
    return f"{PROSE}\n\n.. code-block:: pycon\n\n   {call}\n   {sum(faces(number))}\n"


def doctest_block(number: int) -> str:
    """Write an example as Sphinx's own doctest in reStructuredText."""
    call = f'>>> import dicedocs as dd; print(dd.roll("3d6", dice={list(faces(number))}).facts("total"))'
    return f"{PROSE}\n\n.. doctest:: example-{number}\n\n   {call}\n   total={sum(faces(number))}\n"


def ours(number: int) -> str:
    """Write an example with the directive in reStructuredText."""
    options = {"name": f"shot-{number}", "mechanic": "methuen/expression", "expression": "3d6"}
    options |= {"dice": " ".join(map(str, faces(number))), "expect": f"total={sum(faces(number))}"}
    block = "".join(f"   :{name}: {value}\n" for name, value in options.items())
    return f".. dice:example:: A Power Shot\n{block}\n   {PROSE}\n"


def myst_literal(number: int) -> str:
    """Write an example as a literal block in MyST."""
    return f"{PROSE}\n\n```\n3d6: {faces(number)}\n{sum(faces(number))}\n```\n"


def myst_code_block(number: int) -> str:
    """Write an example as a highlighted block in MyST."""
    call = f'>>> dd.roll("3d6", dice={list(faces(number))}).total'
    return f"{PROSE}\n\n```pycon\n{call}\n{sum(faces(number))}\n```\n"


def myst_ours(number: int) -> str:
    """Write an example with the directive in MyST."""
    lines = [line.strip() for line in ours(number).split("\n")][1:]
    return "```{dice:example} A Power Shot\n" + "\n".join(lines) + "```\n"


BOOKS = {
    "RST, literal block": Book(literal, "rst"),
    "RST, `code-block`": Book(code_block, "rst"),
    "RST, `dice:example`": Book(ours, "rst", ("dicedocs_sphinx",)),
    "MyST, literal block": Book(myst_literal, "md", ("myst_parser",)),
    "MyST, `code-block`": Book(myst_code_block, "md", ("myst_parser",)),
    "MyST, `dice:example`": Book(myst_ours, "md", ("myst_parser", "dicedocs_sphinx")),
}
TESTED = {
    "Sphinx's own `doctest`": Book(doctest_block, "rst", ("sphinx.ext.doctest",)),
    "`dice:example`": Book(ours, "rst", ("dicedocs_sphinx",)),
}


def write(book: Book, folder: Path) -> None:
    """Write a book's sources."""
    folder.mkdir(parents=True)
    (folder / "conf.py").write_text(f"extensions = {list(book.extensions)}\nproject = 'Bench'\n")
    each = EXAMPLES // PAGES
    names = "\n".join(f"   page{page}" for page in range(PAGES))
    (folder / "index.rst").write_text(f"Book\n====\n\n.. toctree::\n\n{names}\n")
    for page in range(PAGES):
        title = f"Page {page}\n=======" if book.suffix == "rst" else f"# Page {page}"
        examples = (book.example(number) for number in range(page * each, (page + 1) * each))
        (folder / f"page{page}.{book.suffix}").write_text("\n\n".join([title, *examples]))


def build(folder: Path, builder: str) -> float:
    """Build a book from scratch in a new process; return its CPU seconds."""
    out = folder / "_out"
    shutil.rmtree(out, ignore_errors=True)
    command: list[str | Path] = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", builder]
    command += ["-d", out / "doctrees", folder, out / builder]
    before = os.times()
    subprocess.run(command, check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def measure(books: dict[str, Book], builder: str, folder: Path) -> dict[str, float]:
    """Return the minimum CPU seconds of each book; the books are built alternately."""
    minimum: dict[str, float] = {}
    folders = {name: folder / f"{builder}{number}" for number, name in enumerate(books)}
    for name, book in books.items():
        write(book, folders[name])
    for _ in range(RUNS):
        for name, book_folder in folders.items():
            minimum[name] = min(build(book_folder, builder), minimum.get(name, float("inf")))
    return minimum


def main() -> None:
    """Measure and publish the table."""
    with tempfile.TemporaryDirectory() as folder:
        html = measure(BOOKS, "html", Path(folder))
        doctest = measure(TESTED, "doctest", Path(folder))
    table = Table(f"{EXAMPLES:,} examples on {PAGES} pages", "builder", "CPU s", "ms an example above the first")
    for figures, builder in ((html, "html"), (doctest, "doctest")):
        for name, seconds in figures.items():
            # The first book of each language, and of each builder, is the baseline of the others.
            language = name.partition(",")[0]
            baseline = next(
                total for other, total in figures.items() if builder == "doctest" or other.startswith(language)
            )
            above = f"{(seconds - baseline) * 1000 / EXAMPLES:+.2f}" if seconds is not baseline else ""
            table.row(name, builder, f"{seconds:.2f}", above)
    publish("building", table)


if __name__ == "__main__":
    main()
