"""After a build that was interrupted, or that could not write a file, the next one writes all pages again.

Sphinx takes a page for written once its file is newer than its source, even if only a part of it was written.
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment

_NOT_WRITTEN: Final = "error writing file"
"""The start of the warning with which Sphinx goes on after a file could not be written."""


class _Marker(logging.Handler):
    """A file that exists while pages are written, and afterwards if not all could be."""

    def __init__(self, app: Sphinx) -> None:
        super().__init__(logging.WARNING)
        builder = f"{app.builder.name} {app.outdir}"
        self._path = Path(app.doctreedir) / f"dicedocs-{hashlib.sha256(builder.encode()).hexdigest()[:16]}.writing"
        self._failed = False

    def emit(self, record: logging.LogRecord) -> None:
        """Notice a file that could not be written."""
        arguments = record.args if isinstance(record.args, tuple) else ()
        if any(isinstance(each, OSError) for each in arguments) or str(record.msg).startswith(_NOT_WRITTEN):
            self._failed = True

    def pages_to_write(self, _app: Sphinx, env: BuildEnvironment) -> list[str]:
        return sorted(env.found_docs) if self._path.exists() else []

    def begin(self, _app: Sphinx, _builder: Builder) -> None:
        self._path.touch()

    def end(self, _app: Sphinx, exception: Exception | None) -> None:
        logging.getLogger("sphinx").removeHandler(self)
        if exception is None and not self._failed:
            self._path.unlink(missing_ok=True)


def _watch(app: Sphinx) -> None:
    marker = _Marker(app)
    logging.getLogger("sphinx").addHandler(marker)
    app.connect("env-updated", marker.pages_to_write)
    app.connect("write-started", marker.begin)
    # After the state was recorded from which the pages were written.
    app.connect("build-finished", marker.end, priority=900)


def setup_interruption(app: Sphinx) -> None:
    app.connect("builder-inited", _watch)
