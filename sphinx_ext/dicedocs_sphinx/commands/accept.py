"""``dicedocs accept``: write the expectations that are missing or wrong into the files of a book."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

from dicedocs import ParameterError
from dicedocs.cli.commands import ExitStatus
from dicedocs.cli.terminal import ProgressLine, game_prints, progress_bar
from dicedocs.errors import listed, quoted
from dicedocs.render.json_data import SCHEMA
from dicedocs.render.words import clean_lines
from dicedocs.similar_words import near
from dicedocs_sphinx.author.acceptance import Acceptance, Effect, FileChange, Refusal, accept_blocks, write_change
from dicedocs_sphinx.author.book_reading import check_folders, domain_of, read_book
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.commands.verify import shown_path


def run(options: argparse.Namespace) -> int:
    """Accept what the rules of the book give, and return the exit status."""
    since = time.time_ns()
    folders = check_folders(options.book, options.conf)
    with (
        game_prints(),
        ProgressLine() as line,
        read_book(folders, progress=lambda done, total: line.show(progress_bar(done, total))) as app,
    ):
        blocks = _chosen(domain_of(app).blocks, options.only)
        acceptance = accept_blocks(app, blocks, since)
    if not (options.diff or options.check):
        acceptance = _write(acceptance)
    if options.json:
        print(json.dumps(_json_data(acceptance), indent=2))
    else:
        print_diff(acceptance.changes)
        _print_summary(acceptance, "to be written" if options.diff or options.check else "written")
    wrong = acceptance.refusals or (options.check and acceptance.changes)
    return ExitStatus.DOES_NOT_HOLD if wrong else ExitStatus.HOLDS


def _chosen(pages: dict[str, list[Block]], only: Iterable[str]) -> list[Block]:
    """Return the blocks of these names, or all.

    Raises:
        ParameterError: a name is none.
    """
    blocks = [block for page in pages.values() for block in page]
    names = set(only or ())
    labels = {block.label for block in blocks}
    for name in sorted(names - labels):
        raise ParameterError(f"no block of the book is named {quoted(name)}", hint=near(name, labels), parameter="only")
    return [block for block in blocks if not names or block.label in names]


def _write(acceptance: Acceptance) -> Acceptance:
    """Write the files, naming each as it is written, and return what was written and what was not."""
    written = Acceptance([], list(acceptance.refusals), acceptance.effects)
    try:
        for change in acceptance.changes:
            refusal = write_change(change)
            if refusal is None:
                written.changes.append(change)
                print(f"{shown_path(str(change.path))} written", file=sys.stderr, flush=True)
            else:
                written.refusals.append(refusal)
    except KeyboardInterrupt:
        print(f"interrupted: {_count(written.changes)} written", file=sys.stderr)
        raise
    return written


def print_diff(changes: Iterable[FileChange]) -> None:
    """Print the diff of changed files."""
    for change in changes:
        for line in change.diff(shown_path(str(change.path)).lstrip("/")):
            # Programs that apply the diff need every byte of it.
            sys.stdout.write(f"{clean_lines(line)}\n" if sys.stdout.isatty() else line)
    sys.stdout.flush()


def _print_summary(acceptance: Acceptance, what: str) -> None:
    """Say on standard error what was done: standard output is a diff, which other programs can apply."""
    for refusal in acceptance.refusals:
        print(clean_lines(f"{_location(refusal)}: {refusal.reason}; left as it is"), file=sys.stderr)
    for effect in acceptance.effects:
        print(clean_lines(_effect_text(effect)), file=sys.stderr)
    if acceptance.changes:
        print(f"{_count(acceptance.changes)} {what}", file=sys.stderr)
    elif not acceptance.refusals:
        print("nothing to accept", file=sys.stderr)


def _effect_text(effect: Effect) -> str:
    block, causes = effect.block, listed(effect.causes, "and")
    also = "" if effect.corrected else "; not accepted"
    return f"{shown_path(block.source)}:{block.line}: {block.label} moved with {causes}{also}"


def _count(changes: Sequence[FileChange]) -> str:
    count = sum(len(change.corrections) for change in changes)
    files = f"{len(changes)} file{'s' if len(changes) != 1 else ''}"
    return f"{count} expectation{'s' if count != 1 else ''} in {files}"


def _location(refusal: Refusal) -> str:
    return f"{shown_path(refusal.source)}:{refusal.line}"


def _json_data(acceptance: Acceptance) -> dict[str, Any]:
    """Return what was accepted as plain data; docs/reference/json.md describes it."""
    return {
        "dicedocs": SCHEMA,
        "accepted": [
            {
                "file": str(change.path),
                "line": each.block.line,
                "label": each.block.label,
                "option": each.option,
                "value": each.value,
            }
            for change in acceptance.changes
            for each in change.corrections
        ],
        "moved": [
            {
                "file": each.block.source,
                "line": each.block.line,
                "label": each.block.label,
                "because": each.causes,
                "accepted": each.corrected,
            }
            for each in acceptance.effects
        ],
        "left": [{"file": each.source, "line": each.line, "reason": each.reason} for each in acceptance.refusals],
    }
