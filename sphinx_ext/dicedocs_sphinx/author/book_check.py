"""The check of a whole book: the state of every block, and everything that was reported."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sphinx.util.logging import is_suppressed_warning

from dicedocs_sphinx.author.books import CONF, Progress, domain_of, nothing_stated, read_book
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.book.coverage import CheckedBlock, State, checked_blocks, count
from dicedocs_sphinx.diagnostics import TYPE, Problem, Report, collected_reports, report


class BookCheck(NamedTuple):
    """What the check of a book found: its blocks, by page, and what is wrong, by file and line.

    ``problems`` are also those that belong to no block, such as a broken reference. Types of warnings that ``conf.py``
    suppresses are no problems, except where a block fails.
    """

    blocks: list[CheckedBlock]
    problems: list[Report]

    def count(self, *states: State) -> int:
        """Return the number of blocks in one of these states."""
        return count(self.blocks, *states)

    def reports(self, block: Block) -> list[Report]:
        """Return the problems that belong to a block, also one that was reported at another block."""
        prefix, lines = f"{block.label}: ", {block.line, *(each["line"] for each in block.issues)}
        own = [
            report
            for report in self.problems
            if report.source == block.source and report.line in lines and report.message.startswith(prefix)
        ]
        return own or [
            Report(Problem(each["problem"]), prefix + each["message"], block.source, each["line"])
            for each in block.issues
        ]

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems and not self.count(State.FAILED)


def check_book(folder: Path, progress: Progress | None = None) -> BookCheck:
    """Check a book: its pages are read and resolved as by a build from scratch, and not written.

    Parameters:
        folder: the folder of ``conf.py``.
        progress: is told how many pages are done.

    Raises:
        BookError: Sphinx cannot read it, or the extension is not switched on.
    """
    with collected_reports() as reports, read_book(folder, resolve=True, progress=progress) as app:
        blocks = checked_blocks(domain_of(app))
        if nothing := nothing_stated(domain_of(app)):
            report(Problem.UNVERIFIED, nothing, str(folder / CONF), 1)
        suppressed = app.config.suppress_warnings
    # What does not hold is not verified, whatever a build is to say about it.
    failed = {(block.source, each["line"]) for _, block, _ in blocks for each in block.issues}
    problems = {
        each
        for each in reports
        if (each.source, each.line) in failed
        or not is_suppressed_warning(TYPE, each.type.removeprefix(f"{TYPE}."), suppressed)
    }
    return BookCheck(blocks, sorted(problems, key=lambda each: (each.source, each.line, each.message)))
