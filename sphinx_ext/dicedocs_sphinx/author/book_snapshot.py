"""What all statements of a book show, read in a process of its own: two versions of a game cannot be loaded in one.

``python -m dicedocs_sphinx.author.book_snapshot`` is that process, which is asked for a :class:`Place`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib.machinery import FileFinder
from pathlib import Path
from pkgutil import get_importer
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from sphinx.application import Sphinx

import dicedocs
from dicedocs import DiceError
from dicedocs.errors import quoted
from dicedocs.limits import raise_limits, raised_limits
from dicedocs.rules.registry import mechanic
from dicedocs_sphinx.author.book_reading import BookError, BookFolders, Progress, domain_of, read_book
from dicedocs_sphinx.author.causes import refers_to
from dicedocs_sphinx.author.reading_apart import answer, read_apart
from dicedocs_sphinx.author.revisions import outside_of_hooks
from dicedocs_sphinx.blocks.base import is_mismatch
from dicedocs_sphinx.book.dependencies import is_installed
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.game_code import contained
from dicedocs_sphinx.nodes import dice_block
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.statements import Inline

if TYPE_CHECKING:
    from _typeshed.importlib import PathEntryFinderProtocol

TEXT: Final = "text"
"""The name of what a statement in the text shows."""
_NO_GAMES: Final = ("dicedocs.expression.", "dicedocs.page_rules.")
"""Where the notation's own mechanics are, and those of tables, which are no game."""
_OURS: Final = (Path(dicedocs.__file__).parent, Path(__file__).parents[1])
"""The packages that play the games of both sides, so they are the same for both."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a version of a book is, and its games.

    Parameters:
        book: the folder of its pages.
        conf: the folder of ``conf.py``.
        modules: folders from which modules are imported before any others.
        tree, checkout: the working tree in which games are not looked for, and its checkout, in which they are; both
            are empty if the games of the working tree are meant.
        limits: what limits are raised to, by name; by default as here and now.
    """

    book: str
    conf: str
    modules: list[str]
    tree: str = ""
    checkout: str = ""
    limits: dict[str, int] = field(default_factory=raised_limits)


class Shown(TypedDict):
    """What a statement shows, and where it stands; ``issue`` says why it shows nothing.

    ``file`` is relative to the folder of the book. ``says`` is what its author wrote, by which one without a name is
    found again. ``refers`` are the names of the blocks that its values come from.
    """

    page: str
    name: str
    label: str
    kind: str
    title: str
    says: str
    file: str
    line: int
    figures: dict[str, str]
    issue: str
    refers: list[str]


class Snapshot(NamedTuple):
    """What a book shows.

    Parameters:
        statements: its statements, by page.
        games: the files from which the games were loaded that it plays, by the part of their ids before the slash.
    """

    statements: list[Shown]
    games: dict[str, str]


def take_snapshot(place: Place) -> Snapshot:
    """Return what a book shows, read in a process of its own.

    Raises:
        BookError: it cannot be read.
    """
    data = read_apart("dicedocs_sphinx.author.book_snapshot", place.book, asdict(place), outside_of_hooks())
    return Snapshot(**data)


def _read(place: Place) -> Snapshot:
    folders = BookFolders(Path(place.book), Path(place.conf))
    with read_book(folders, resolve=True) as app, book_language(app.env):
        domain = domain_of(app)
        statements = [shown for page in sorted(app.env.found_docs) for shown in _of_page(app, page, folders.pages)]
        games = {}
        for block in (block for blocks in domain.blocks.values() for block in blocks if block.mechanic):
            # A mechanic that cannot be loaded is an issue of its block.
            with suppress(DiceError):
                module = mechanic(block.mechanic).__module__
                if not module.startswith(_NO_GAMES):
                    games[block.system] = str(sys.modules[module].__file__)
        for game, file in games.items():
            if place.tree and _is_working(Path(file).resolve(), place):
                message = f"the game {quoted(game)} is loaded from the working tree, not from the revision: {file}"
                raise BookError(message, hint="install it without the option -e of pip")
        return Snapshot(statements, games)


def _of_page(app: Sphinx, page: str, book: Path) -> Iterator[Shown]:
    of_page = domain_of(app).blocks.get(page, [])
    for node in app.env.get_doctree(page).findall(dice_block):
        block = node.block
        issue = next((each["message"] for each in block.issues if not is_mismatch(each)), "")
        figures: dict[str, str] = {}
        if not issue and not block.is_hidden and node.get("computed") is not None:
            try:
                with contained(settings_of(app.config).seconds):
                    figures = block.figures(node["computed"])
            except DiceError as error:
                issue = str(error)
        if figures or issue:
            yield Shown(
                page=page,
                name=block.name,
                label=block.label,
                kind=block.kind,
                title=block.title,
                says=json.dumps([block.title, *block.option_texts.items()]),
                file=os.path.relpath(block.source, book),
                line=block.line,
                figures=figures,
                issue=issue,
                refers=sorted(refers_to(block, of_page)),
            )
    for inline in domain_of(app).inlines(page):
        if inline.shown or inline.issues:
            yield Shown(
                page=page,
                name="",
                label=inline.label,
                kind=f"{Inline.kind} {inline.role}",
                title="",
                says=inline.label,
                file=os.path.relpath(inline.source, book),
                line=inline.line,
                figures={TEXT: inline.shown} if inline.shown else {},
                issue=next((each["message"] for each in inline.issues), ""),
                refers=[],
            )


def _is_working(path: Path, place: Place) -> bool:
    """Return whether a file or a folder is one of the working tree, of which the checkout has another version."""
    others = (Path(place.checkout), *_OURS)
    return path.is_relative_to(place.tree) and not is_installed(path) and not any(map(path.is_relative_to, others))


def _search_checkout(place: Place) -> None:
    """Let Python search the checkout instead of the working tree, also where ``conf.py`` adds this to the path."""

    def finder_of(entry: str) -> PathEntryFinderProtocol:
        folder = Path(entry).resolve()
        if not _is_working(folder, place):
            raise ImportError
        there = str(Path(place.checkout, folder.relative_to(place.tree)))
        return get_importer(there) or FileFinder(there)

    sys.path_hooks.insert(0, finder_of)
    sys.path_importer_cache.clear()


def _answer(request: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    place = Place(**request)
    sys.path[:0] = place.modules
    if place.tree:
        _search_checkout(place)
    with raise_limits(**place.limits):
        return _read(place)._asdict()


if __name__ == "__main__":
    answer(_answer)
