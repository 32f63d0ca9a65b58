"""The figures of a book that moved between two snapshots, and the errata sheet that lists them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from dicedocs.errors import listed
from dicedocs.render.words import clean
from dicedocs_sphinx.author.book_snapshot import Shown, Snapshot
from dicedocs_sphinx.author.causes import causes_of

NOTHING: Final = "–"
"""What stands for a figure, or a reason, that there is not."""
_SAME: Final[tuple[Callable[[Shown], Hashable], ...]] = (
    lambda each: each["name"] or None,
    lambda each: None if each["name"] else (each["page"], each["kind"], each["says"]),
    lambda each: None if each["name"] or not each["title"] else (each["page"], each["kind"], each["title"]),
    lambda each: None if each["name"] else (each["page"], each["kind"]),
)
"""By what a statement is found again, the surest first: its name, what it says, its title, its order on the page.

None means that it is not found in this way.
"""


class Move(NamedTuple):
    """A figure that moved: the statement as it is now, and the figure's name.

    ``old`` and ``new`` are :data:`NOTHING` where there is no such figure. ``because`` are the names of the blocks that
    moved and that the values of the statement come from.
    """

    shown: Shown
    figure: str
    old: str
    new: str
    because: Sequence[str] = ()


class Uncompared(NamedTuple):
    """A statement that shows nothing on one side, or on both: why, or :data:`NOTHING` where it does."""

    shown: Shown
    old: str
    new: str


class BookDiff(NamedTuple):
    """What moved between two snapshots: figures, and whole statements that came or went.

    ``same_games`` are the games that both were played by from the same file, by the part of their ids before the slash.
    """

    moves: list[Move]
    added: list[Shown]
    removed: list[Shown]
    uncompared: list[Uncompared]
    same_games: dict[str, str]


def compare_snapshots(old: Snapshot, new: Snapshot) -> BookDiff:
    """Return what moved, by page and line."""
    diff = BookDiff([], [], [], [], dict(sorted(old.games.items() & new.games.items())))
    before, after = old.statements, new.statements
    for same in _SAME:
        pairs, before, after = _match(before, after, same)
        for was, now in pairs:
            if was["issue"] or now["issue"]:
                diff.uncompared.append(Uncompared(now, was["issue"] or NOTHING, now["issue"] or NOTHING))
            else:
                diff.moves.extend(_moves(was, now))
    moved = {move.shown["name"] for move in diff.moves} - {""}
    refers = {each["name"]: each["refers"] for each in new.statements if each["name"]}
    diff.moves[:] = [
        move._replace(because=causes_of(move.shown["refers"], refers, moved - {move.shown["name"]}))
        for move in diff.moves
    ]
    diff.added.extend(after)
    diff.removed.extend(before)
    for each in (diff.moves, diff.uncompared):
        each.sort(key=lambda item: _position(item.shown))
    for shown in (diff.added, diff.removed):
        shown.sort(key=_position)
    return diff


def _match(
    before: list[Shown], after: list[Shown], same: Callable[[Shown], Hashable]
) -> tuple[list[tuple[Shown, Shown]], list[Shown], list[Shown]]:
    """Return the pairs of statements with the same key, in their order, and what has no other on each side."""
    waiting: defaultdict[Hashable, list[Shown]] = defaultdict(list)
    for was in before:
        waiting[same(was)].append(was)
    pairs, new = [], []
    for now in after:
        key = same(now)
        if key is not None and waiting[key]:
            pairs.append((waiting[key].pop(0), now))
        else:
            new.append(now)
    found = {id(was) for was, _ in pairs}
    return pairs, [was for was in before if id(was) not in found], new


def errata(diff: BookDiff, old: str, new: str) -> Iterator[str]:
    """Yield the lines of an errata sheet in Markdown.

    Parameters:
        old, new: what people call the two versions.
    """
    count, missing = len(diff.moves), len(diff.uncompared)
    yield f"# Errata: {_cell(old)} to {_cell(new)}"
    yield ""
    moved = f"{count} figure{'s' if count != 1 else ''} moved." if count else "No figure moved."
    yield f"{moved} {missing} statement{'s' if missing != 1 else ''} could not be compared." if missing else moved
    for page, moves in groupby(diff.moves, lambda move: move.shown["page"]):
        yield from _table(f"## {_cell(page)}", "Where", "What", "Old", "New")
        for shown, figure, old_text, new_text, because in moves:
            follows = f", with {listed(because, 'and')}" if because else ""
            yield _row(f"{_name(shown)}{follows}", figure, old_text, new_text)
    for title, statements in (("New", diff.added), ("Gone", diff.removed)):
        if statements:
            yield from ("", f"## {title}", "")
            yield from (f"- {_cell(_name(shown))}" for shown in statements)
    if diff.uncompared:
        yield from _table("## Not compared", "Where", "Old", "New")
        for shown, *reasons in diff.uncompared:
            yield _row(_name(shown), *reasons)
    if diff.same_games:
        games = ", ".join(map(_cell, diff.same_games))
        yield from ("", f"The same game played both: {games}.")


def _table(title: str, *heads: str) -> Iterator[str]:
    yield from ("", title, "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|")


def _row(*cells: str) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _moves(old: Shown, new: Shown) -> Iterator[Move]:
    before, after = old["figures"], new["figures"]
    for figure in {**after, **before}:
        was, is_ = before.get(figure, NOTHING), after.get(figure, NOTHING)
        if was != is_:
            yield Move(new, figure, was, is_)


def _position(shown: Shown) -> tuple[str, str, int]:
    return shown["page"], shown["file"], shown["line"]


def _name(shown: Shown) -> str:
    """Return how a statement is named in a list: file, line, and its title or label."""
    return f"{shown['file']}:{shown['line']} {shown['title'] or shown['label']}"


def _cell(text: str) -> str:
    """Return a text as it stands in a cell of a table in Markdown."""
    words = " ".join(clean(text).split())
    return words.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
