"""The encoding of pages: one that Sphinx cannot decode is named and left out, instead of ending the build."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from dicedocs.errors import quoted
from dicedocs_sphinx.diagnostics import Problem, report

_UTF_8: Final = frozenset({"utf-8", "utf-8-sig"})
_BEFORE: Final = 20
"""The letters before a wrong byte that a message shows."""


def leave_out_pages(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Report the pages that are not in UTF-8, and take them out of those that are read, and of the book."""
    # A book may name another encoding, in which hardly any byte is wrong.
    if str(env.settings["input_encoding"]).lower() not in _UTF_8:
        return
    for docname in list(docnames):
        path = Path(env.doc2path(docname))
        try:
            path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode("utf-8")
            line = before.splitlines()[-1] if before[-1:] not in {"", "\n", "\r"} else ""
            after = f", after {quoted(line[-_BEFORE:])}" if line else ""
            message = f"this page is not in UTF-8 (byte {error.object[error.start]:02X}{after}), and is left out"
            report(Problem.ENCODING, f"{message}; save it as UTF-8", str(path), 1 + before.count("\n"))
            docnames.remove(docname)
            app.events.emit("env-purge-doc", env, docname)
            env.clear_doc(docname)
            env.project.docnames.discard(docname)
        except OSError:
            # Sphinx says so when it reads the page.
            continue


def setup_page_encoding(app: Sphinx) -> None:
    app.connect("env-before-read-docs", leave_out_pages)
