"""The examples and claims of Sphinx projects for pytest: each project is read once, by Sphinx in this process."""

from __future__ import annotations

import contextlib
import hashlib
import io
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from dicedocs.rules.registry import mechanic
from dicedocs_sphinx.domain import DiceDomain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dicedocs_sphinx.counted import Counted
    from dicedocs_sphinx.worked import Worked

_CONF: Final = "conf.py"

Pages = dict[str, "list[Worked | Counted] | str"]
"""What is tested of each page, by its path; or what is wrong with the project, at its configuration."""


class Projects:
    """The Sphinx projects that were met, each read when first asked for.

    Parameters:
        cache: the folder in which doctrees are kept, so that only changed pages are read again;
            without one they are kept nowhere.
        sent: what :meth:`to_send` gave in the process that began this one.
    """

    def __init__(self, cache: Path | None, sent: dict[str, Any] | None = None) -> None:
        self._cache = cache
        self._read: dict[str, Pages] = {}
        self._modules: list[str] = []
        if sent is not None:
            self._read = sent["projects"]
            sys.path += [entry for entry in sent["path"] if entry not in sys.path]
            for module in sent["modules"]:
                # What cannot be imported is reported by the example that needs it.
                with contextlib.suppress(ImportError):
                    import_module(module)

    def knows(self, path: Path) -> bool:
        """Tell whether a file is a page with tests, or the configuration of a project that cannot be read."""
        project = _project_of(path)
        return project is not None and str(path) in self._pages(project)

    def page(self, path: Path) -> list[Worked | Counted] | str:
        """Give what is tested of a page that is known, or what is wrong with its project."""
        project = _project_of(path)
        return [] if project is None else self._pages(project)[str(path)]

    def read_below(self, paths: Iterable[Path]) -> None:
        """Read the projects that paths belong to or hold."""
        for path in paths:
            above = _project_of(path / _CONF if path.is_dir() else path)
            within = [] if above else sorted(conf.parent for conf in path.rglob(_CONF))
            for project in [above] if above else within:
                self._pages(project)

    def to_send(self) -> dict[str, Any]:
        """Give what was read as plain data, with what another process needs to import the games."""
        return {"projects": self._read, "path": list(sys.path), "modules": self._modules}

    def _pages(self, project: Path) -> Pages:
        key = str(project)
        if key not in self._read:
            self._read[key] = self._read_project(project)
        return self._read[key]

    def _read_project(self, project: Path) -> Pages:
        with contextlib.ExitStack() as stack:
            if self._cache is None:
                kept = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            else:
                kept = self._cache / hashlib.sha256(str(project).encode()).hexdigest()[:16]
                kept.mkdir(exist_ok=True)
            stack.enter_context(warnings.catch_warnings())
            # What warns here is Sphinx or another extension, of which the build tells.
            warnings.simplefilter("ignore")
            stack.enter_context(patch_docutils(str(project)))
            stack.enter_context(docutils_namespace())
            told = io.StringIO()
            try:
                return self._read_by_sphinx(project, kept, told)
            except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a configuration does, one item says it
                before = told.getvalue().strip()
                message = f"Sphinx cannot read {project}: {type(error).__name__}: {error}"
                return {str(project / _CONF): f"{message}\n{before}".strip()}

    def _read_by_sphinx(self, project: Path, kept: Path, told: io.StringIO) -> Pages:
        app = Sphinx(project, project, kept / "out", kept, "dummy", status=None, warning=told, freshenv=False)
        # Sphinx reads what has changed and keeps what it read; of the pages, none is to be written.
        app.builder.build([], method="specific")
        domain = app.env.domains.get("dice")
        if not isinstance(domain, DiceDomain):
            return {}
        for id in {id for ids in domain.mechanics.values() for id in ids}:
            with contextlib.suppress(Exception):
                self._modules.append(mechanic(id).__module__)
        return {str(app.env.doc2path(docname)): page for docname, page in domain.tests().items()}


def _project_of(path: Path) -> Path | None:
    """Give the folder above a file that holds the nearest configuration of Sphinx."""
    return next((folder for folder in path.parents if (folder / _CONF).is_file()), None)
