"""What all blocks of a book show, read in a process of its own: two versions of a game cannot be loaded in one.

``python -m dicedocs_sphinx.author.book_snapshot DOCS FILE [FOLDER ...]`` writes the snapshot; from the folders come the
modules of games, before any that are installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypedDict

from dicedocs import DiceError
from dicedocs.rules.registry import mechanic
from dicedocs_sphinx.author.books import BookError, domain_of, read_book
from dicedocs_sphinx.blocks.base import Block, is_mismatch
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.containment import check_block, contained

_ERROR: Final = "error"
_NOTATION: Final = "dicedocs.expression."
"""Where the notation's own mechanics are, which are no game."""


class Shown(TypedDict):
    """What a block shows, and where it stands; ``issue`` says why it shows nothing.

    ``file`` is relative to the folder of the book.
    """

    page: str
    label: str
    kind: str
    title: str
    file: str
    line: int
    figures: dict[str, str]
    issue: str


class Snapshot(NamedTuple):
    """What a book shows.

    Parameters:
        blocks: its blocks, by their names; those without one by their page and label.
        games: the files from which the games were loaded that it plays, by the part of their ids before the slash.
    """

    blocks: dict[str, Shown]
    games: dict[str, str]


def take_snapshot(book: Path, modules: Iterable[Path] = ()) -> Snapshot:
    """Return what a book shows, read in a process of its own.

    Parameters:
        book: the folder of ``conf.py``.
        modules: folders from which modules are imported before any others.

    Raises:
        BookError: it cannot be read.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "snapshot.json"
        command = [sys.executable, "-P", "-m", __name__, str(book), str(file), *map(str, modules)]
        done = subprocess.run(  # noqa: S603  # our own module
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", check=False
        )
        if not file.is_file():
            raise BookError(f"{book} cannot be read: {done.stderr.strip()}")
        data = json.loads(file.read_text("utf-8"))
    if _ERROR in data:
        raise BookError(data[_ERROR])
    return Snapshot(**data)


def _read(book: Path) -> Snapshot:
    snapshot = Snapshot({}, {})
    with read_book(book) as app, book_language(app.env):
        for docname, blocks in sorted(domain_of(app).blocks.items()):
            for block in blocks:
                id = block.mechanic
                if id or block.issues:
                    shown = _shown(docname, block, book, app.config.dicedocs_seconds)
                    snapshot.blocks.setdefault(block.name or f"{docname}::{block.label}", shown)
                # A mechanic that cannot be loaded is an issue of its block.
                with suppress(DiceError):
                    if id and not (module := mechanic(id).__module__).startswith(_NOTATION):
                        snapshot.games[id.partition("/")[0]] = str(sys.modules[module].__file__)
    return snapshot


def _shown(docname: str, block: Block, book: Path, seconds: float) -> Shown:
    figures: dict[str, str] = {}
    result = check_block(block, seconds)
    issue = next((each["message"] for each in result.issues if not is_mismatch(each)), "")
    if not issue:
        try:
            with contained(seconds):
                figures = block.figures(result.computed)
        except DiceError as error:
            issue = str(error)
    return Shown(
        page=docname,
        label=block.label,
        kind=block.kind,
        title=block.title,
        file=os.path.relpath(block.source, book),
        line=block.line,
        figures=figures,
        issue=issue,
    )


def main() -> None:
    """Write a snapshot, or why there is none."""
    book, file, *modules = sys.argv[1:]
    sys.path[:0] = modules
    try:
        data: dict[str, object] = _read(Path(book))._asdict()
    except DiceError as error:
        data = {_ERROR: str(error)}
    Path(file).write_text(json.dumps(data), encoding="utf-8")


if __name__ == "__main__":
    main()
