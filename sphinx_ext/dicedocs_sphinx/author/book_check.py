"""The check of a whole book: the state of every statement, and everything that was reported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sphinx.util.logging import is_suppressed_warning

from dicedocs.page_rules.compared import Compared
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.render.words import clean_lines
from dicedocs_sphinx.author.book_reading import CONF, BookFolders, Progress, domain_of, nothing_stated, read_book
from dicedocs_sphinx.author.unchecked import Unchecked, unchecked_dice
from dicedocs_sphinx.author.unchecked_prose import unchecked_prose
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.book.summary import Checked, checked_statements, count
from dicedocs_sphinx.diagnostics import TYPE, Problem, Report, collected_reports, report
from dicedocs_sphinx.statements import State


class BookCheck(NamedTuple):
    """What the check of a book found.

    Parameters:
        checked: its statements that have a state, by page.
        problems: what is wrong, by file and line, also with the whole book, such as an unknown setting. Types of
            warnings that ``conf.py`` suppresses are no problems, except where a statement fails.
        blocks: all its blocks, by page.
        code: the kinds of check that it needs, each with its mechanic.
        paths: the files of the pages that state something.
        mechanics: those in its pages that can be played.
        unchecked: what nothing checks, by file and line, texts with words last; empty if it was not asked for.
    """

    checked: list[Checked]
    problems: list[Report]
    blocks: dict[str, list[Block]]
    code: set[str]
    paths: dict[str, str]
    mechanics: list[PageRule]
    unchecked: list[Unchecked]

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

    def compared(self) -> Iterator[tuple[PageMechanicBlock, Compared]]:
        """Yield the rules and tables of its pages that have rows, each with how much of these was compared."""
        rules = {each.id: each for each in self.mechanics}
        for block in (block for page in sorted(self.blocks) for block in self.blocks[page]):
            if isinstance(block, PageMechanicBlock) and (found := block.compared(rules)) is not None:
                yield block, found

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems and not count(self.checked, State.FAILED)


def check_book(
    folders: BookFolders, doctrees: Path | None = None, *, progress: Progress | None = None, unchecked: bool = False
) -> BookCheck:
    """Check a book: its pages are read and resolved as by a build, and not written.

    Parameters:
        folders: where it is.
        doctrees: the folder for doctrees, so that only changed pages are read again; None to read all pages.
        progress: is told how many pages are done.
        unchecked: whether what nothing checks is looked for.

    Raises:
        BookError: Sphinx cannot read it, or the extension is not switched on.
    """
    with collected_reports() as reports, read_book(folders, doctrees, resolve=True, progress=progress) as app:
        domain = domain_of(app)
        checked = checked_statements(domain)
        found = [*unchecked_dice(app), *unchecked_prose(app)] if unchecked else []
        if nothing := nothing_stated(domain):
            report(Problem.UNVERIFIED, nothing, str(folders.conf / CONF), 1)
    # What does not hold is wrong, whatever a build is to say about it.
    failed = {(each.source, issue["line"]) for _, each, _ in checked for issue in each.issues}
    problems = {
        each
        for each in reports
        if (each.source, each.line) in failed
        or not is_suppressed_warning(TYPE, each.type.removeprefix(f"{TYPE}."), app.config.suppress_warnings)
    }
    # A page that was not read again reports nothing.
    problems |= {
        Report(Problem(issue["problem"]), clean_lines(issue["message"]), each.source, issue["line"], page)
        for page, each, _ in checked
        if not isinstance(each, Block)
        for issue in each.issues
    }
    return BookCheck(
        checked=checked,
        problems=sorted(problems, key=lambda each: (each.source, each.line, each.message)),
        blocks=domain.blocks,
        code={code for page in domain.code.values() for code in page},
        paths={page: str(app.env.doc2path(page)) for page in domain.code.keys() | domain.data["inlines"].keys()},
        mechanics=list(domain.page_mechanics().values()),
        unchecked=sorted(found, key=lambda each: (each.kind == "words", each.file, each.line)),
    )
