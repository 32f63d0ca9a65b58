"""Where the code and the data of games are: packages, modules, and what the setting ``dicedocs_depends`` names."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Container, Iterator
from functools import cache
from glob import glob
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from dicedocs.errors import quoted
from dicedocs_sphinx.diagnostics import Problem, report_configuration
from dicedocs_sphinx.settings import settings_of

_OUTPUT: Final = frozenset({"__pycache__", "_build", "build", "node_modules"})
_SIGNS: Final = ("pyvenv.cfg", ".buildinfo", "objects.inv", "environment.pickle")
"""Files in a folder that is an environment, or what a build wrote."""


def find_places(module: str) -> list[Path]:
    """Return the folder of the topmost package of a module, or the file of a module that is in none.

    A package without ``__init__.py`` may have several folders. What cannot be found, or has no file, has no place.
    """
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError, AttributeError):
        return []
    if spec is None:
        return []
    file = [spec.origin] if spec.has_location and spec.origin else []
    return [Path(place) for place in spec.submodule_search_locations or file]


def is_installed(path: Path) -> bool:
    """Return whether a file was installed, so that nobody edits it."""
    return not {"site-packages", "dist-packages"}.isdisjoint(path.parts) or path.is_relative_to(_standard_library())


@cache
def _standard_library() -> str:
    return sysconfig.get_path("stdlib")


def files_in(place: Path, apart_from: Container[Path] = ()) -> Iterator[Path]:
    """Return a file, or the files in a folder and below it in order, without caches, output, and what is hidden.

    Parameters:
        place: the file or folder.
        apart_from: files and folders that are left out besides.
    """
    if place.is_file():
        yield place
    for folder, inner, files in os.walk(place):
        top = Path(folder)
        inner[:] = sorted(name for name in inner if name not in _OUTPUT and _is_source(top / name, apart_from))
        if top != place and any((top / sign).exists() for sign in _SIGNS):
            inner.clear()
            continue
        yield from (top / name for name in sorted(files) if _is_source(top / name, apart_from))


def _is_source(path: Path, apart_from: Container[Path]) -> bool:
    return not path.name.startswith(".") and path not in apart_from


def find_dependencies(app: Sphinx) -> tuple[list[Path], list[str]]:
    """Return the files and folders that the setting ``dicedocs_depends`` names, and the names of nothing.

    A file or a folder is named relative to ``conf.py``, and may be a pattern.
    """
    places: list[Path] = []
    unknown: list[str] = []
    written = {Path(app.outdir), Path(app.doctreedir)}
    for name in map(str, settings_of(app.config).depends):
        # A path may be absolute, and lead up, which that of pathlib refuses.
        names_found = glob(name, root_dir=app.confdir, recursive=True)  # noqa: PTH207
        found = [Path(os.path.normpath(Path(app.confdir, each))) for each in names_found]
        found = found or find_places(name)
        # What a build writes is no reason for another.
        places += [path for path in found if written.isdisjoint((path, *path.parents))]
        if not found:
            unknown.append(name)
    return places, unknown


def report_unknown_dependencies(app: Sphinx) -> None:
    """Warn about names in the setting ``dicedocs_depends`` that name nothing."""
    for name in find_dependencies(app)[1]:
        message = f"dicedocs_depends: {quoted(name)} is neither a file, relative to conf.py, nor a module"
        report_configuration(app, message, Problem.REFERENCE)


def setup_dependencies(app: Sphinx) -> None:
    app.connect("builder-inited", report_unknown_dependencies)
