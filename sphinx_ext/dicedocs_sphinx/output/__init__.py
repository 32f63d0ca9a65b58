"""Output: how blocks are written, by a writer for the format of the builder."""

from __future__ import annotations

from typing import Final

from sphinx.application import Sphinx

from dicedocs_sphinx.output.html import EpubWriter, HtmlWriter, PaperWriter
from dicedocs_sphinx.output.text import TextWriter
from dicedocs_sphinx.output.writer import Writer, writes

__all__ = ["Writer", "writer_of", "writes"]

_WRITERS: Final = {
    "dicebook": PaperWriter,
    "epub": EpubWriter,
    "html": HtmlWriter,
    "text": TextWriter,
    "man": TextWriter,
}
"""The writers by the name or, if it has none, by the format of a builder."""


def writer_of(app: Sphinx) -> Writer:
    """Return the writer for the builder of an application."""
    builder = app.builder
    return _WRITERS.get(builder.name, _WRITERS.get(builder.format, Writer))(app)


def prepare_writer(app: Sphinx) -> None:
    """Do what must be done before any page is written."""
    writer_of(app).prepare()


def setup_output(app: Sphinx) -> None:
    app.connect("builder-inited", prepare_writer)
