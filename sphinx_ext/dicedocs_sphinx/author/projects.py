"""The tests in Sphinx projects for pytest: each project is read once, by Sphinx in this process."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.registry import mechanic
from dicedocs_sphinx.author.book_check import BookCheck, check_book
from dicedocs_sphinx.author.book_reading import CONF, BookError, BookFolders, NotSwitchedOnError
from dicedocs_sphinx.blocks import find_kind
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.book.summary import summary
from dicedocs_sphinx.diagnostics import Problem


class PageTests(TypedDict):
    """The tests of a page: its blocks, and the lines about what is wrong with the rest, if it has a rest."""

    blocks: list[dict[str, Any]]
    rest: NotRequired[list[str]]


class Bounds(TypedDict):
    """What bounds the tests of a project: how long a rule may take, and the limits that its book raises."""

    seconds: float
    limits: dict[str, int]


class Mechanics(TypedDict):
    """The mechanics of a project as plain data, and what is wrong with those that cannot be played, by id."""

    mechanics: list[dict[str, Any]]
    faults: dict[str, str]


Pages = dict[str, PageTests | str]
"""The tests of each page as plain data, or why it has none, by path; those of ``conf.py`` are about the whole book."""


class Projects:
    """Sphinx projects, each read when it is first needed.

    Parameters:
        cache: the folder for doctrees, so that only changed pages are read again; None to keep none.
        given: the folders that were asked for; it is an error if the project in one states nothing.
        received: what :meth:`to_send` returned in the process that started this one.

    ``summaries`` are the sentences about the books that were read, by folder.
    """

    def __init__(self, cache: Path | None, given: Iterable[Path] = (), received: dict[str, Any] | None = None) -> None:
        self._cache = cache
        self._given = frozenset(given)
        self._projects: dict[str, Pages] = {}
        self._modules: list[str] = []
        self.summaries: dict[str, str] = {}
        self._bounds: dict[str, Bounds] = {}
        self._mechanics: dict[str, Mechanics] = {}
        self._rules: dict[str, Mapping[str, type[Mechanic] | str]] = {}
        if received is not None:
            self._projects, self._bounds = received["projects"], received["bounds"]
            self._mechanics = received["mechanics"]
            sys.path += [entry for entry in received["path"] if entry not in sys.path]
            for module in received["modules"]:
                # A module that cannot be imported is reported by the test that needs it.
                with contextlib.suppress(Exception):
                    import_module(module)

    def page(self, path: Path) -> PageTests | str | None:
        """Return the tests of a page, or why it has none; None if the file is no page."""
        project = project_of(path)
        return None if project is None else self._pages(project).get(str(path))

    def bounds(self, path: Path) -> Bounds:
        """Return what bounds the tests of a page."""
        return self._bounds[str(project_of(path))]

    def rules(self, path: Path) -> Mapping[str, type[Mechanic] | str]:
        """Return the mechanics in the pages of the project of a page, or what is wrong with one."""
        key = str(project_of(path))
        if key not in self._rules:
            kept = self._mechanics[key]
            self._rules[key] = {**kept["faults"], **book_mechanics(map(PageRule.from_plain, kept["mechanics"]))}
        return self._rules[key]

    def read_below(self, paths: Iterable[Path]) -> None:
        """Read the projects that contain these paths, or are below them."""
        for path in paths:
            above = project_of(path / CONF if path.is_dir() else path)
            below = [] if above else sorted(conf.parent for conf in path.rglob(CONF))
            for project in [above] if above else below:
                self._pages(project)

    def to_send(self) -> dict[str, Any]:
        """Return all tests as plain data, with what another process needs to import games and kinds of blocks."""
        return {
            "projects": self._projects,
            "bounds": self._bounds,
            "mechanics": self._mechanics,
            "path": list(sys.path),
            "modules": self._modules,
        }

    def _pages(self, project: Path) -> Pages:
        key = str(project)
        if key not in self._projects:
            self._projects[key] = self._read_project(project)
        return self._projects[key]

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
        self._bounds[str(project)] = {"seconds": check.seconds, "limits": check.limits}
        mechanics = [each.to_plain() for each in check.mechanics]
        self._mechanics[str(project)] = {"mechanics": mechanics, "faults": check.faults}
        self.summaries[str(project)] = summary(check.checked)
        self._note_modules(check)
        return self._tests(check)

    def _tests(self, check: BookCheck) -> Pages:
        """Return the tests of a book: its blocks, and for the rest of a page what is wrong with it."""
        pages: dict[str, PageTests] = {}
        tests = {id(block): block for blocks in check.blocks.values() for block in blocks if block.is_test()}
        for page, blocks in check.blocks.items():
            pages[check.paths[page]] = {"blocks": [block.data() for block in blocks if id(block) in tests]}
        others = [(page, each) for page, each, _ in check.checked if id(each) not in tests]
        for page, _ in others:
            pages.setdefault(check.paths[page], {"blocks": []}).setdefault("rest", [])
        of_tests = {report for block in tests.values() for report in check.reports(block)}
        of_others = (report for _, each in others if isinstance(each, Block) for report in check.reports(each))
        for each in dict.fromkeys([*check.problems, *of_others]):
            if each.problem is not Problem.ENCODING and each not in of_tests:
                found = pages.setdefault(check.paths.get(each.page, each.source), {"blocks": []})
                found.setdefault("rest", []).append(f"{each.source}:{each.line}: {each.message}")
        left_out = {each.source: each.message for each in check.problems if each.problem is Problem.ENCODING}
        return {**{path: found for path, found in pages.items() if found["blocks"] or "rest" in found}, **left_out}

    def _note_modules(self, check: BookCheck) -> None:
        """Note the modules that another process needs to run the tests of a book."""
        for code in check.code:
            kind, id = code.split(" ", 1)
            self._modules.append(find_kind(kind).__module__)
            with contextlib.suppress(Exception):
                self._modules.append(mechanic(id).__module__)


def project_of(path: Path) -> Path | None:
    """Return the nearest folder above a file that holds a configuration of Sphinx."""
    return next((folder for folder in path.parents if (folder / CONF).is_file()), None)
