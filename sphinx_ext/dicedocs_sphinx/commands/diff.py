"""``dicedocs diff``: what the change of a rule or of a book does to the figures that readers see."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from dicedocs import ParameterError
from dicedocs.cli.commands import ExitStatus
from dicedocs.cli.terminal import ProgressLine, raising_terminated
from dicedocs.errors import quoted
from dicedocs.render.json_data import SCHEMA
from dicedocs.render.words import clean_lines
from dicedocs_sphinx.author.book_diff import BookDiff, compare_snapshots, errata
from dicedocs_sphinx.author.book_reading import CONF, BookFolders, check_folders
from dicedocs_sphinx.author.book_snapshot import Place, Shown, Snapshot, take_snapshot
from dicedocs_sphinx.author.revisions import checked_out, module_folders, repository_of, working_module_folders

_OTHER_GAMES: Final = "compare revisions of the game in git: dicedocs diff OLD NEW DOCS --game DIR"


def run(options: argparse.Namespace) -> int:
    """Print what moved, which is no failure without --exit-code; what cannot be compared is one."""
    book = _book(options)
    conf = options.conf and options.conf.resolve()
    # Who ends it leaves no checkout behind.
    with raising_terminated(), ProgressLine() as line:
        snapshots = []
        for number, side in enumerate((options.old, options.new), 1):
            line.show(f"reading version {number} of 2: {side}")
            snapshots.append(_snapshot(side, book, conf, options.game))
    diff = compare_snapshots(*snapshots)
    if options.json:
        print(json.dumps(_json_data(diff, options.old, options.new), indent=2))
    else:
        print("\n".join(errata(diff, options.old, options.new)))
    if diff.same_games:
        games = ", ".join(f"{game} ({file})" for game, file in diff.same_games.items())
        message = f"dicedocs: both sides play the same {games}, so no change of these rules can show; {_OTHER_GAMES}"
        print(clean_lines(message), file=sys.stderr)
    moved = options.exit_code and (diff.moves or diff.added or diff.removed)
    return ExitStatus.DOES_NOT_HOLD if moved or diff.uncompared else ExitStatus.HOLDS


def _is_book(side: str, conf: Path | None) -> bool:
    return (Path(side) / CONF).is_file() if conf is None else Path(side).is_dir()


def _book(options: argparse.Namespace) -> BookFolders | None:
    """Return where the book is whose revisions are compared; None if both sides are folders.

    Raises:
        ParameterError: a side is a revision, and no book is named.
    """
    if options.book is not None:
        return check_folders(options.book, options.conf)
    folders = [side for side in (options.old, options.new) if _is_book(side, options.conf)]
    if len(folders) > 1 and options.game is None:
        return None
    if folders:
        return check_folders(Path(folders[0]), options.conf)
    message = f"{quoted(options.old)} and {quoted(options.new)} are not folders of a book, and no book is named"
    raise ParameterError(message, hint=f"name two folders with {CONF}, a revision and one, or two revisions and DOCS")


def _snapshot(side: str, book: BookFolders | None, conf: Path | None, game: Path | None) -> Snapshot:
    """Return what the book shows on one side."""
    if book is None or _is_book(side, conf):
        folders = check_folders(Path(side), conf)
        modules = working_module_folders(folders.conf if game is None else game)
        return take_snapshot(_place(folders, modules))
    repository = repository_of(book.pages if game is None else game).resolve()
    with checked_out(repository, side) as checkout:
        there = book
        if game is None:
            # What is outside of the repository is the same in each revision.
            inside = {path: checkout / path.relative_to(repository) for path in book if path.is_relative_to(repository)}
            there = BookFolders(*(inside.get(path, path) for path in book))
        if not (there.conf / CONF).is_file():
            raise ParameterError(f"{side} has no {CONF} in {book.conf.relative_to(repository)}")
        place = _place(there, module_folders(checkout))
        return take_snapshot(replace(place, tree=str(repository), checkout=str(checkout)))


def _place(folders: BookFolders, modules: Iterable[Path]) -> Place:
    return Place(book=str(folders.pages), conf=str(folders.conf), modules=list(map(str, modules)))


def _json_data(diff: BookDiff, old: str, new: str) -> dict[str, object]:
    """Return the diff as plain data; docs/reference/json.md describes it."""
    return {
        "dicedocs": SCHEMA,
        "old": old,
        "new": new,
        "moved": [
            {
                **_shown_place(move.shown),
                "figure": move.figure,
                "old": move.old,
                "new": move.new,
                "because": list(move.because),
            }
            for move in diff.moves
        ],
        "added": [_shown_place(shown) for shown in diff.added],
        "removed": [_shown_place(shown) for shown in diff.removed],
        "not_compared": [{**_shown_place(each.shown), "old": each.old, "new": each.new} for each in diff.uncompared],
        "same_games": diff.same_games,
    }


def _shown_place(shown: Shown) -> dict[str, object]:
    return {key: shown[key] for key in ("page", "label", "kind", "title", "file", "line")}
