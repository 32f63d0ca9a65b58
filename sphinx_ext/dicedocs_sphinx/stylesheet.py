"""The stylesheet for HTML builders."""

from __future__ import annotations

from typing import Final

from sphinx.application import Sphinx

from dicedocs.render.html import stylesheet

FILE: Final = "dicedocs.css"


def add_stylesheet(app: Sphinx) -> None:
    """Write the stylesheet before any page, so that all pages have its checksum in the link."""
    if app.builder.format != "html":
        return
    path = app.outdir / "_static" / FILE
    text = (_book_stylesheet() if app.builder.name == "epub" else stylesheet()).encode()
    if not path.is_file() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    app.add_css_file(FILE)


def _book_stylesheet() -> str:
    """Return the stylesheet without the rules that e-books may not have; each rule stands on a line of its own."""
    lines = stylesheet().replace(", :where(:host)", "").splitlines(keepends=True)
    return "".join(line for line in lines if ":has(" not in line)


def setup_stylesheet(app: Sphinx) -> None:
    app.connect("builder-inited", add_stylesheet)
