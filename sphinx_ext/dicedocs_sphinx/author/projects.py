"""The tests in Sphinx projects for pytest: each project is read once, by Sphinx in this process."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from dicedocs import limits
from dicedocs.rules.registry import mechanic
from dicedocs_sphinx.author.books import CONF, BookError, domain_of, nothing_stated, read_book
from dicedocs_sphinx.blocks import find_kind, read_block
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.diagnostics import Problem, collected_reports

Pages = dict[str, list[dict[str, Any]] | str]
"""The tests of each page as plain data, or what is wrong with it, by path; of ``conf.py``, what is wrong at all."""


class Projects:
    """Sphinx projects, each read when it is first needed.

    Parameters:
        cache: the folder for doctrees, so that only changed pages are read again; None to keep none.
        given: the folders that were asked for; it is an error if the project in one states nothing.
        received: what :meth:`to_send` returned in the process that started this one.
    """

    def __init__(self, cache: Path | None, given: Iterable[Path] = (), received: dict[str, Any] | None = None) -> None:
        self._cache = cache
        self._given = frozenset(given)
        self._projects: dict[str, Pages] = {}
        self._modules: list[str] = []
        self._seconds: dict[str, float] = {}
        if received is not None:
            self._projects, self._seconds = received["projects"], received["seconds"]
            sys.path += [entry for entry in received["path"] if entry not in sys.path]
            for module in received["modules"]:
                # A module that cannot be imported is reported by the test that needs it.
                with contextlib.suppress(Exception):
                    import_module(module)

    def page(self, path: Path) -> list[Block] | str | None:
        """Return the tests of a page; of a configuration, what is wrong with its project; of another file, None."""
        project = project_of(path)
        found = None if project is None else self._pages(project).get(str(path))
        return [read_block(data) for data in found] if isinstance(found, list) else found

    def seconds(self, path: Path) -> float:
        """Return how long a test of a page may take."""
        return self._seconds.get(str(project_of(path)), limits.SECONDS.maximum)

    def read_below(self, paths: Iterable[Path]) -> None:
        """Read the projects that contain these paths, or are below them."""
        for path in paths:
            above = project_of(path / CONF if path.is_dir() else path)
            below = [] if above else sorted(conf.parent for conf in path.rglob(CONF))
            for project in [above] if above else below:
                self._pages(project)

    def to_send(self) -> dict[str, Any]:
        """Return all tests as plain data, with what another process needs to import games and kinds of blocks."""
        return {"projects": self._projects, "seconds": self._seconds, "path": list(sys.path), "modules": self._modules}

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
        try:
            with collected_reports() as reports, read_book(project, doctrees) as app:
                left_out = {each.source: each.message for each in reports if each.problem is Problem.ENCODING}
                return {**self._tests(project, app), **left_out}
        except BookError as error:
            return {str(project / CONF): error.message}

    def _tests(self, project: Path, app: Sphinx) -> Pages:
        """Return the tests of a project that was read, and note what another process needs to run them."""
        self._seconds[str(project)] = getattr(app.config, "dicedocs_seconds", limits.SECONDS.maximum)
        try:
            domain = domain_of(app)
            nothing = nothing_stated(domain)
        except BookError as error:
            nothing = error.message
        if nothing:
            # A project of Sphinx may well have nothing to do with dicedocs, unless it was asked for.
            return {str(project / CONF): nothing} if project in self._given else {}
        for code in {code for page in domain.code.values() for code in page}:
            kind, id = code.split(" ", 1)
            self._modules.append(find_kind(kind).__module__)
            with contextlib.suppress(Exception):
                self._modules.append(mechanic(id).__module__)
        return {
            str(app.env.doc2path(docname)): [block.data() for block in blocks]
            for docname, blocks in domain.tests().items()
        }


def project_of(path: Path) -> Path | None:
    """Return the nearest folder above a file that holds a configuration of Sphinx."""
    return next((folder for folder in path.parents if (folder / CONF).is_file()), None)
