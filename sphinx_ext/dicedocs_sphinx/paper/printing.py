"""HTML as PDF. A book is set until each reference has the number of the page on which the last pass put its target."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from sphinx.builders import Builder
from sphinx.util.display import progress_message
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration

from dicedocs_sphinx.diagnostics import Problem, report, report_configuration
from dicedocs_sphinx.paper.assembly import NUMBER, TITLE, assemble, classes, text_of

_STYLE: Final = Path(__file__).with_name("paper.css")
_EPOCH: Final = "SOURCE_DATE_EPOCH"
_PASSES: Final = 8
"""The passes after which a number of a page that still changes is a warning."""
_BEYOND: Final = 4
"""Pixels by which a text may reach into the margin."""
_HEADS: Final = {"h1", "h2", "h3", "h4", "figcaption", "caption", "dt"}


class Fault(NamedTuple):
    """What went wrong on a page of the book.

    Parameters:
        number: the number of the page.
        what: what is wrong.
        source: the page of the sources that it is on; empty if it is on none.
    """

    number: int
    what: str
    source: str


def print_book(builder: Builder, html: str, path: Path) -> None:
    """Print the HTML of a book as a PDF with its tags, and warn of what does not fit."""
    with _told(builder), _undated():
        source = HTML(string=html, base_url=f"{Path(builder.outdir).as_uri()}/", media_type="print")
        assemble(source.etree_element.find("body"))
        document = _settled(builder, source, path.name)
        with progress_message(f"looking at the {len(document.pages)} pages of {path.name}"):
            for fault in faults(document):
                page = builder.env.doc2path(fault.source) if fault.source else Path(builder.confdir, "conf.py")
                report(Problem.PAPER, f"{path.name}, page {fault.number}: {fault.what}", str(page), 1)
            _colour(document)
        with progress_message(f"writing {path.name}"):
            document.write_pdf(str(path), pdf_variant="pdf/ua-1")


def _settled(builder: Builder, source: Any, name: str) -> Any:
    """Set a book until each number of a page is that of its page."""
    fonts = FontConfiguration()
    style = CSS(filename=str(_STYLE), font_config=fonts)
    for number in count(1):
        with progress_message(f"setting {name}, pass {number}"):
            document = source.render(font_config=fonts, stylesheets=[style])
        renumbered = _number_links(source, document)
        if number == _PASSES or not renumbered:
            break
        document = None  # two would take twice the memory
        gc.collect()
    if renumbered:
        message = f"{name}: some page numbers in references are off by one; reword a line near them"
        report_configuration(builder, message, Problem.PAPER)
    return document


@contextmanager
def _told(builder: Builder) -> Iterator[None]:
    """Let errors of WeasyPrint be warnings of ours; its remarks on CSS that is not for paper concern nobody."""
    said: set[str] = set()

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            message = record.getMessage()
            if message not in said:  # each pass has it
                said.add(message)
                report_configuration(builder, message, Problem.PAPER)

    handler = Told(logging.ERROR)
    loggers = [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    for each in loggers:
        each.addHandler(handler)
        each.propagate = False
    try:
        yield
    finally:
        for each in loggers:
            each.removeHandler(handler)
            each.propagate = True


@contextmanager
def _undated() -> Iterator[None]:
    """Let no font have the time at which it became a part of the book, so that two builds are equal."""
    dated = _EPOCH in os.environ
    os.environ.setdefault(_EPOCH, "0")
    try:
        yield
    finally:
        if not dated:
            del os.environ[_EPOCH]


def _number_links(source: Any, document: Any) -> bool:
    """Give each link the number of the page it leads to; return whether one differs from what is printed.

    WeasyPrint's own ``target-counter(attr(href), page)`` keeps the old number when its target moves to another page.
    """
    places = {name: f"{number}" for number, page in [*enumerate(document.pages, 1)][::-1] for name in page.anchors}
    changed = False
    for parent in source.etree_element.iter():
        above: set[str] = set()
        for link in parent.iterfind("a"):
            number = places.get((link.get("href") or "")[1:], "")
            if "book-pages" in classes(parent):
                # An entry of the index names each page once.
                number = "" if number in above else number
                above.add(number)
            changed |= link.get(NUMBER, "") != number
            link.set(NUMBER, number)
    return changed


def faults(document: Any) -> Iterator[Fault]:
    """Yield headings at the foot of a page, empty boxes, and texts beyond the margin."""
    for number, page in enumerate(_boxes(document), 1):
        lowest: tuple[float, list[Any]] = 0, []
        right, beyond = page.margin_left + page.width + _BEYOND, False
        for box, around in _walk(page, []):
            elements = [each.element for each in (*around, box) if hasattr(each.element, "get")]
            source = next((each.get("data-page") for each in elements if each.get("data-page")), "")
            kind = type(box).__name__
            if kind == "LineBox" and box.position_y > lowest[0]:
                lowest = box.position_y, elements
            elif kind == "TextBox" and box.position_x + box.width > right and not beyond:
                beyond = True  # of a table that is too wide each row is
                yield Fault(number, f"{box.text!r} reaches into the margin", source)
            elif "dice-example" in _classes(box) and not any(_is_line(each) for each, _around in _walk(box, [])):
                yield Fault(number, "an example leaves nothing but an empty box", source)
        heads = [each for each in lowest[1] if each.tag in _HEADS or TITLE in classes(each)]
        source = next((each.get("data-page") for each in lowest[1] if each.get("data-page")), "")
        if heads and source:
            yield Fault(number, f"{text_of(heads[0])!r} stands at the foot of the page", source)


def _colour(document: Any) -> None:
    """Give the bars of charts the colour of their chapter: a drawing does not see the styles around it."""
    for page in _boxes(document):
        for box, _around in _walk(page, []):
            if "dice-chart" in _classes(box):
                red, green, blue = (round(255 * part) for part in box.style["color"].to("srgb").coordinates)
                for bar in box.element.iter():
                    if "dice-bar" in classes(bar):
                        bar.set("color", f"rgb({red}, {green}, {blue})")


def _boxes(document: Any) -> list[Any]:
    return [page._page_box for page in document.pages]  # nothing public says where all stands


def _walk(box: Any, around: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield what stands on a page, or in a box of it, each with what is around it."""
    for child in getattr(box, "children", None) or ():
        # Beside the text a page has its margins and footnotes.
        if not hasattr(box, "page_type") or child.element_tag == "html":
            yield child, around
            yield from _walk(child, [*around, child])


def _is_line(box: Any) -> bool:
    return type(box).__name__ in ("LineBox", "InlineReplacedBox", "BlockReplacedBox")


def _classes(box: Any) -> list[str]:
    return classes(box.element) if hasattr(box.element, "get") else []
