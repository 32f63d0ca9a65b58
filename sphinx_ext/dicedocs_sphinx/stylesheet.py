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
    text = stylesheet().encode()
    if not path.is_file() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    app.add_css_file(FILE)


def setup_stylesheet(app: Sphinx) -> None:
    app.connect("builder-inited", add_stylesheet)
