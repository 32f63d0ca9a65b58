"""The figures of a book that moved between two snapshots, and the errata sheet that lists them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

from dicedocs.render.words import clean
from dicedocs_sphinx.author.book_snapshot import Shown, Snapshot

NOTHING: Final = "–"
"""What stands for a figure that there is not."""
_ISSUE: Final = "error"


class Move(NamedTuple):
    """A figure that moved: the block as it is now, or as it was if it is gone, and the figure's name.

    ``old`` and ``new`` are :data:`NOTHING` where there is no such figure.
    """

    block: Shown
    figure: str
    old: str
    new: str


class BookDiff(NamedTuple):
    """What moved between two snapshots: figures, and whole blocks that came or went.

    ``same_games`` are the games that both were played by from the same file, by the part of their ids before the slash.
    """

    moves: list[Move]
    added: list[Shown]
    removed: list[Shown]
    same_games: dict[str, str]


def compare_snapshots(old: Snapshot, new: Snapshot) -> BookDiff:
    """Return what moved, by page and line."""
    before, after = old.blocks, new.blocks
    moves = [move for name in after if name in before for move in _moves(before[name], after[name])]
    return BookDiff(
        moves=sorted(moves, key=lambda move: _position(move.block)),
        added=sorted((after[name] for name in after.keys() - before.keys()), key=_position),
        removed=sorted((before[name] for name in before.keys() - after.keys()), key=_position),
        same_games=dict(sorted(old.games.items() & new.games.items())),
    )


def errata(diff: BookDiff, old: str, new: str) -> Iterator[str]:
    """Yield the lines of an errata sheet in Markdown.

    Parameters:
        old, new: what people call the two versions.
    """
    count = len(diff.moves)
    yield f"# Errata: {_cell(old)} to {_cell(new)}"
    yield ""
    yield f"{count} figure{'s' if count != 1 else ''} moved." if count else "No figure moved."
    for page, moves in groupby(diff.moves, lambda move: move.block["page"]):
        yield from ("", f"## {_cell(page)}", "", "| Where | What | Old | New |", "|---|---|---|---|")
        for block, figure, before, after in moves:
            yield f"| {_cell(_name(block))} | {_cell(figure)} | {_cell(before)} | {_cell(after)} |"
    for title, blocks in (("New", diff.added), ("Gone", diff.removed)):
        if blocks:
            yield from ("", f"## {title}", "")
            yield from (f"- {_cell(_name(block))}" for block in blocks)


def _moves(old: Shown, new: Shown) -> Iterator[Move]:
    before, after = _figures(old), _figures(new)
    for figure in {**after, **before}:
        was, is_ = before.get(figure, NOTHING), after.get(figure, NOTHING)
        if was != is_:
            yield Move(new, figure, was, is_)


def _figures(shown: Shown) -> dict[str, str]:
    return {_ISSUE: shown["issue"]} if shown["issue"] else shown["figures"]


def _position(block: Shown) -> tuple[str, str, int]:
    return block["page"], block["file"], block["line"]


def _name(block: Shown) -> str:
    """Return how a block is named in a list: file, line, and its title or label."""
    return f"{block['file']}:{block['line']} {block['title'] or block['label']}"


def _cell(text: str) -> str:
    """Return a text as it stands in a cell of a table in Markdown."""
    return clean(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
