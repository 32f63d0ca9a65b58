"""Python for browsers: where the files of Pyodide are that a built site gets."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from dicedocs_sphinx.rolling import PYTHON_FOR_BROWSERS
from dicedocs_sphinx.settings import settings_of

PACKAGE: Final = "dicedocs_pyodide"
FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_URL: Final = re.compile(r"https?://")


@dataclass(frozen=True)
class Runtime:
    """Where the files of Pyodide are.

    Parameters:
        url: their address, with a slash at the end; empty if the site gets a copy.
        folder: the folder that is copied; ``None`` if they are hosted elsewhere.
        compiler: the script by which Node compiles for this Python, if there is one.
    """

    url: str = ""
    folder: Path | None = None
    compiler: Path | None = None

    @cached_property
    def version(self) -> str:
        """What tells this runtime from another one."""
        if self.folder is None:
            return self.url
        data = b"".join((self.folder / name).read_bytes() for name in FILES)
        return hashlib.sha256(data).hexdigest()[:8]


class NoRuntimeError(Exception):
    """There is no runtime; the text says why, in one line."""


def find_runtime(app: Sphinx) -> Runtime:
    """Return the runtime that the book names, or else the one that is installed.

    Raises:
        NoRuntimeError: there is none.
    """
    named = settings_of(app.config).pyodide
    if _URL.match(named):
        return Runtime(f"{named.rstrip('/')}/")
    if named:
        return Runtime(folder=_complete(Path(app.confdir) / named, f"dicedocs_pyodide: {named}"))
    # The package itself is not imported: it has nothing but files.
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise NoRuntimeError(
            f"the package {PACKAGE.replace('_', '-')} is not installed, and dicedocs_pyodide is not set; "
            f"{PYTHON_FOR_BROWSERS}"
        )
    package = Path(spec.origin).parent
    return Runtime(folder=_complete(package / "files", PACKAGE), compiler=package / "compile.mjs")


def _complete(folder: Path, name: str) -> Path:
    missing = next((file for file in FILES if not (folder / file).is_file()), None)
    if missing is not None:
        raise NoRuntimeError(f"{name} has no {missing}")
    return folder
