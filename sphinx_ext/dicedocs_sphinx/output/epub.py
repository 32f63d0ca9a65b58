"""What an e-book needs besides its pages: the list of its files says which of them contain drawings."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.epub3 import Epub3Builder

from dicedocs.render.html import stylesheet, without_stylesheet

_PAGE: Final = re.compile(r'(<item [^>]*href="([^"]+)" media-type="application/xhtml\+xml")(?= ?/>)')


def drop_stylesheets(doctree: nodes.document) -> None:
    """Remove the style before the output of a notebook: only the head of a page may contain one, and has it."""
    for output in doctree.findall(nodes.raw):
        output[:] = [nodes.Text(without_stylesheet(output.astext()))]


def book_stylesheet() -> str:
    """Return the stylesheet without the rules that e-books may not have; each rule stands on a line of its own."""
    lines = stylesheet().replace(", :where(:host)", "").splitlines(keepends=True)
    return "".join(line for line in lines if ":has(" not in line)


def declare_drawings(app: Sphinx, exception: Exception | None) -> None:
    """Mark each page with a drawing in the list of files, and pack the e-book again."""
    builder = app.builder
    if exception is not None or not isinstance(builder, Epub3Builder):
        return
    folder = Path(app.outdir)

    def marked(item: re.Match[str]) -> str:
        page = folder / unquote(unescape(item[2]))
        return f'{item[1]} properties="svg"' if "<svg" in page.read_text("utf-8") else item[1]

    listing = folder / "content.opf"
    listing.write_text(_PAGE.sub(marked, listing.read_text("utf-8")), "utf-8")
    builder.build_epub()


def setup_epub(app: Sphinx) -> None:
    app.connect("build-finished", declare_drawings)
