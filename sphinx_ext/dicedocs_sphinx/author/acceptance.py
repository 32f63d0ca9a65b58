"""Accepting what rules give: expectations that are missing or wrong are written into the author's files."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import unified_diff
from functools import cache, partial
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs import DiceError
from dicedocs.faults import describe_error
from dicedocs_sphinx.author.book_reading import domain_of
from dicedocs_sphinx.author.causes import causes_of, refers_to
from dicedocs_sphinx.author.option_edit import (
    CannotEdit,
    Edit,
    apply_edits,
    edit_option,
    find_option_head,
    read_option_heads,
)
from dicedocs_sphinx.blocks.base import Block, is_mismatch
from dicedocs_sphinx.book.domain import DiceDomain
from dicedocs_sphinx.directive_head import FileHead
from dicedocs_sphinx.game_code import check_block, contained
from dicedocs_sphinx.settings import settings_of

_DISPUTED: Final = "included in several pages, with different results"


class Correction(NamedTuple):
    """The expectation with which a block holds."""

    block: Block
    option: str
    value: str


class Refusal(NamedTuple):
    """A block that is left as it is, or a file, and why: a sentence without a full stop."""

    source: str
    line: int
    reason: str


class FileChange(NamedTuple):
    """A file with its text before and after the corrections in it."""

    path: Path
    before: str
    after: str
    corrections: list[Correction]

    def diff(self, name: str) -> Iterator[str]:
        """Yield the lines of a unified diff, with their ends.

        Parameters:
            name: the name of the file in the diff.
        """
        lines = unified_diff(_split(self.before), _split(self.after), f"a/{name}", f"b/{name}")
        for line in lines:
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


class Effect(NamedTuple):
    """A block that no longer gives what it expects, and the corrected blocks to which it refers, also through others.

    ``corrected`` is whether it is corrected too.
    """

    block: Block
    causes: list[str]
    corrected: bool


class Acceptance(NamedTuple):
    """What can be accepted: the changes of each file, what is left as it is, and what moved with what is accepted."""

    changes: list[FileChange]
    refusals: list[Refusal]
    effects: list[Effect]


def accept_blocks(app: Sphinx, blocks: Iterable[Block], since: int) -> Acceptance:
    """Return the corrections of checked blocks, and write nothing.

    Parameters:
        app: Sphinx after it has read the book.
        blocks: blocks of the book.
        since: a time in nanoseconds, before the files were read by Sphinx; those that changed later are refused.
    """
    refusals: list[Refusal] = []
    corrections: defaultdict[str, list[Correction]] = defaultdict(list)
    texts: dict[str, str] = {}
    protections: dict[str, str] = {}
    included: defaultdict[str, list[Block]] = defaultdict(list)
    pages: dict[int, str] = {}
    for page, of_page in domain_of(app).blocks.items():
        for block in of_page:
            pages[id(block)] = page
            if block.source != os.path.abspath(app.env.doc2path(page)):  # noqa: PTH100  # as blocks have it
                included[block.source].append(block)
    for block in blocks:
        try:
            correction = _correction(block, settings_of(app.config).seconds)
        except CannotEdit as error:
            refusals.append(_refuse(block, str(error)))
            continue
        if correction is None:
            continue
        source = block.source
        if source not in protections:
            protections[source] = protection(Path(source), Path(app.srcdir), since)
            if not protections[source]:
                texts[source] = Path(source).read_bytes().decode("utf-8")
        if protections[source]:
            refusals.append(_refuse(block, protections[source]))
        else:
            corrections[source].append(correction)
    changes = []
    shown = cache(partial(_shown_code, app))
    for source, made in corrections.items():
        change, refused = _change_file(
            source, texts[source], made, included[source], lambda block: shown(pages[id(block)])
        )
        refusals += refused
        if change is not None:
            changes.append(change)
    changes.sort(key=lambda each: each.path)
    effects = list(_effects(domain_of(app), [each.block for change in changes for each in change.corrections]))
    return Acceptance(changes, sorted(set(refusals)), effects)


def _effects(domain: DiceDomain, corrected: Sequence[Block]) -> Iterator[Effect]:
    """Yield the blocks that moved with those that are corrected, by page."""
    refers: dict[str, set[str]] = {}
    own: dict[int, set[str]] = {}
    for of_page in domain.blocks.values():
        for block in of_page:
            own[id(block)] = refers_to(block, of_page)
            refers.setdefault(block.name, own[id(block)])
    names = {block.name for block in corrected} - {""}
    places = {(block.source, block.line) for block in corrected}
    for block in (block for of_page in domain.blocks.values() for block in of_page):
        causes = causes_of(own[id(block)], refers, names - {block.name})
        if causes and any(map(is_mismatch, block.issues)):
            yield Effect(block, causes, (block.source, block.line) in places)


def _shown_code(app: Sphinx, page: str) -> str:
    """Return all that a page shows as code, or not at all."""
    doctree = app.env.get_doctree(page)
    return "\n".join(node.astext() for node in doctree.findall(nodes.FixedTextElement))


def write_change(change: FileChange) -> Refusal | None:
    """Write a changed file at once as a whole; return why it could not be, if so, and then it is as it was."""
    path, data = change.path, change.after.encode("utf-8")
    try:
        if path.read_bytes() != change.before.encode("utf-8"):
            return _refuse_file(path, "it was changed meanwhile")
        # It has a name before it is there: whoever ends the process never leaves it behind.
        temporary = path.with_name(f".{path.name}.{token_hex(4)}.tmp")
        try:
            with open(temporary, "xb", opener=_open_privately) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            _keep_owner(path, temporary)
            shutil.copystat(path, temporary)
            os.utime(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        return _refuse_file(path, f"it cannot be written: {error.strerror}")
    return None


def _open_privately(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _keep_owner(path: Path, other: Path) -> None:
    """Give another file to the user and the group that a file belongs to.

    Raises:
        OSError: this is not allowed.
    """
    if hasattr(os, "chown"):
        status = path.stat()
        try:
            os.chown(other, status.st_uid, status.st_gid)
        except PermissionError as error:
            raise PermissionError(error.errno, "it would no longer belong to its user and its group") from error


def _correction(block: Block, seconds: float) -> Correction | None:
    """Return the correction that a checked block needs, or None if it needs none.

    Raises:
        CannotEdit: something else is wrong with it.
    """
    issues = block.issues
    wrong = next((each for each in issues if not is_mismatch(each)), None)
    if wrong is not None:
        raise CannotEdit(wrong["message"])
    if block.expect and not issues:
        return None
    unmet = next((each["message"] for each in issues if each["option"] == "if"), "")
    if unmet:
        raise CannotEdit(f"{unmet}; no expectation can change that")
    try:
        with contained(seconds):
            value = block.corrected()
    except DiceError as error:
        raise CannotEdit(str(error)) from error
    except Exception as error:  # a kind of block may be anybody's
        raise CannotEdit(describe_error(error)) from error
    if not value:
        if issues:
            raise CannotEdit(issues[0]["message"])
        return None
    if again := check_block(replace(block, expect=" ".join(value.split())), seconds).issues:
        raise CannotEdit(f"what it gives cannot be written as an expectation: {again[0]['message']}")
    return Correction(block, block.expect_option, value)


def _change_file(
    source: str,
    before: str,
    corrections: Sequence[Correction],
    included: Sequence[Block],
    shown: Callable[[Block], str],
) -> tuple[FileChange | None, list[Refusal]]:
    """Return the change of a file, if there is any, and the corrections that cannot be made."""
    refusals: list[Refusal] = []
    heads = read_option_heads(before)
    by_start: defaultdict[int, list[tuple[Correction, FileHead]]] = defaultdict(list)
    for each in corrections:
        try:
            head = find_option_head(each.block, heads, included, shown)
        except CannotEdit as error:
            refusals.append(_refuse(each.block, str(error)))
        else:
            by_start[head.start].append((each, head))
    edits: list[Edit] = []
    made: list[Correction] = []
    # Several pages may include a block.
    for same in by_start.values():
        first, head = same[0]
        try:
            if any(each.value != first.value for each, _ in same):
                raise CannotEdit(_DISPUTED)
            edits += edit_option(head, first.option, first.value)
            made.append(first)
        except CannotEdit as error:
            refusals += [_refuse(each.block, str(error)) for each, _ in same]
    return (FileChange(Path(source), before, apply_edits(before, edits), made) if edits else None), refusals


def protection(path: Path, book: Path, since: int) -> str:
    """Return why a file is not to be changed; empty if it may be."""
    for part in (path, *path.parents):
        # The way to the book itself may be a link.
        if part.is_symlink() and not book.is_relative_to(part):
            return f"{part.name} is a symbolic link, to {part.resolve()}"
    try:
        status = path.stat()
        path.read_bytes().decode("utf-8")
    except OSError as error:
        return f"{path.name} cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        return f"{path.name} is not UTF-8"
    if not status.st_mode & 0o222:
        return f"{path.name} is read-only"
    if status.st_nlink > 1:
        return f"{path.name} has other names (hard links), which would no longer be the same file"
    if status.st_mtime_ns > since:
        return f"{path.name} was changed while the book was read; run it again"
    return ""


def _refuse(block: Block, reason: str) -> Refusal:
    return Refusal(block.source, block.line, f"{block.label}: {reason}")


def _refuse_file(path: Path, reason: str) -> Refusal:
    return Refusal(str(path), 1, reason)


def _split(text: str) -> list[str]:
    """Return the lines of a text with their ends, as programs count them that apply a diff."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]
