"""The tests in Sphinx projects for pytest: each project is read once, by Sphinx in this process, and so checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TypedDict

from dicedocs_sphinx.author.book_check import BookCheck, check_book
from dicedocs_sphinx.author.book_reading import CONF, BookError, BookFolders, NotSwitchedOnError
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.scene import SceneBlock
from dicedocs_sphinx.book.summary import summary
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.statements import State

REST: Final = "the_rest"
"""The name of the test of what a page states apart from its blocks; the name of no block has such a character."""


class PageTest(TypedDict):
    """What the check of a block found, or that of the rest of a page, as plain data.

    ``source`` and ``line`` are where it stands; the line is 0 if that is the whole page. ``wrong`` are the lines about
    what is wrong, and ``skipped`` says why nothing is known.
    """

    name: str
    source: str
    line: int
    wrong: list[str]
    skipped: str


Pages = dict[str, list[PageTest] | str]
"""The tests of each page, or why it has none, by path; those of ``conf.py`` are about the whole book."""


class Projects:
    """Sphinx projects, each read when it is first needed.

    Parameters:
        cache: the folder for doctrees, so that only changed pages are read again; None to keep none.
        given: the folders that were asked for; it is an error if the project in one states nothing.
        read: the projects that were read in the process that started this one, by folder.

    ``summaries`` are the sentences about the books that were read here, by folder.
    """

    def __init__(self, cache: Path | None, given: Iterable[Path] = (), read: dict[str, Pages] | None = None) -> None:
        self._cache = cache
        self._given = frozenset(given)
        self.read: dict[str, Pages] = read or {}
        self.summaries: dict[str, str] = {}

    def page(self, path: Path) -> list[PageTest] | str | None:
        """Return the tests of a page, or why it has none; None if the file is no page."""
        project = project_of(path)
        return None if project is None else self._pages(project).get(str(path))

    def read_below(self, paths: Iterable[Path]) -> None:
        """Read the projects that contain these paths, or are below them."""
        for path in paths:
            above = project_of(path / CONF if path.is_dir() else path)
            below = [] if above else sorted(conf.parent for conf in path.rglob(CONF))
            for project in [above] if above else below:
                self._pages(project)

    def _pages(self, project: Path) -> Pages:
        key = str(project)
        if key not in self.read:
            self.read[key] = self._read_project(project)
        return self.read[key]

    def _read_project(self, project: Path) -> Pages:
        doctrees = None
        if self._cache is not None:
            doctrees = self._cache / hashlib.sha256(str(project).encode()).hexdigest()[:16]
            doctrees.mkdir(exist_ok=True)
        conf = str(project / CONF)
        asked = project in self._given
        try:
            check = check_book(BookFolders(project, project), doctrees)
        except NotSwitchedOnError as error:
            # A project of Sphinx may well have nothing to do with dicedocs, unless it was asked for.
            return {conf: error.message} if asked else {}
        except BookError as error:
            return {conf: error.message}
        if not check.code:
            return {conf: "\n".join(each.message for each in check.problems)} if asked else {}
        self.summaries[str(project)] = summary(check.checked)
        return _tests(check)


def _tests(check: BookCheck) -> Pages:
    """Return the tests of a book: its blocks, and for the rest of a page what is wrong with it."""
    tests = {id(block): block for blocks in check.blocks.values() for block in blocks if block.is_test()}
    others = [(page, each) for page, each, _ in check.checked if id(each) not in tests]
    rest: dict[str, list[str]] = {check.paths[page]: [] for page, _ in others}
    of_tests = {report for block in tests.values() for report in check.reports(block)}
    of_others = (report for _, each in others if isinstance(each, Block) for report in check.reports(each))
    for each in dict.fromkeys([*check.problems, *of_others]):
        if each.problem is not Problem.ENCODING and each not in of_tests:
            lines = rest.setdefault(check.paths.get(each.page, each.source), [])
            lines.append(f"{each.source}:{each.line}: {each.message}")
    pages: Pages = {each.source: each.message for each in check.problems if each.problem is Problem.ENCODING}
    by_path = {check.paths[page]: blocks for page, blocks in check.blocks.items()}
    for path in dict.fromkeys([*by_path, *rest]):
        blocks = by_path.get(path, [])
        found = [_test(block, blocks) for block in blocks if id(block) in tests]
        if path in rest:
            found.append(PageTest(name=REST, source=path, line=0, wrong=rest[path], skipped=""))
        if found:
            pages.setdefault(path, found)
    return pages


def _test(block: Block, of_page: Sequence[Block]) -> PageTest:
    """Return the test of a block, given the blocks of its page."""
    wrong, skipped = list[str](), next(iter(block.elsewhere()), "")
    if len(block.elsewhere()) < len(block.issues):
        wrong, skipped = [f"{block.source}:{each['line']}: {each['message']}" for each in block.issues], ""
    elif isinstance(block, SceneBlock) and block.state == State.UNVERIFIED.value:
        # What is wrong in it fails there.
        members = (each for each in of_page if each.scene == block.scene and each.issues)
        skipped = next((f"{each.label}: {each.issues[0]['message']}" for each in members), skipped)
    elif not block.issues and not block.expect and not block.verifies_itself:
        skipped = "nothing is expected"
    return PageTest(name=block.label, source=block.source, line=block.line, wrong=wrong, skipped=skipped)


def project_of(path: Path) -> Path | None:
    """Return the nearest folder above a file that holds a configuration of Sphinx."""
    return next((folder for folder in path.parents if (folder / CONF).is_file()), None)
