"""HTML as PDF. A second pass does what CSS cannot say, since it depends on where everything stands after the first."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from sphinx.builders import Builder
from sphinx.util.display import progress_message
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration

from dicedocs_sphinx.diagnostics import Problem, report, report_configuration
from dicedocs_sphinx.paper.assembly import TITLE, add_class, assemble, classes, text_of
from dicedocs_sphinx.settings import settings_of

_STYLE: Final = Path(__file__).with_name("paper.css")
_EPOCH: Final = "SOURCE_DATE_EPOCH"
_LINES: Final = 4
"""The lines that a working or a table must have to go on on the next page: two stand on each."""
_EMPTY: Final = 0.25
"""The part of a page that may stay empty so that an example or a table begins on the next."""
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
    passes = 1 if settings_of(builder.config).book_draft else 2
    with _told(builder), _undated():
        source = HTML(string=html, base_url=f"{Path(builder.outdir).as_uri()}/", media_type="print")
        assemble(source.etree_element.find("body"))
        fonts = FontConfiguration()
        style = CSS(filename=str(_STYLE), font_config=fonts)

        def rendered(number: int) -> Any:
            with progress_message(f"setting {path.name}, pass {number} of {passes}"):
                return source.render(font_config=fonts, stylesheets=[style])

        document = rendered(1)
        if passes > 1 and _mend(source, document):
            del document  # two would take twice the memory
            gc.collect()
            document = rendered(2)
        with progress_message(f"looking at the {len(document.pages)} pages of {path.name}"):
            for fault in faults(document):
                page = builder.env.doc2path(fault.source) if fault.source else Path(builder.confdir, "conf.py")
                report(Problem.PAPER, f"{path.name}, page {fault.number}: {fault.what}", str(page), 1)
            _colour(document)
        with progress_message(f"writing {path.name}"):
            document.write_pdf(str(path), pdf_variant="pdf/ua-1")


@contextmanager
def _told(builder: Builder) -> Iterator[None]:
    """Let errors of WeasyPrint be warnings of ours; its remarks on CSS that is not for paper concern nobody."""

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            report_configuration(builder, record.getMessage(), Problem.PAPER)

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


def _mend(source: Any, document: Any) -> bool:
    """Change what the first pass shows to be wrong; return whether anything is."""
    return _split_examples(document) | _merge_pages(source, document)


def _split_examples(document: Any) -> bool:
    """Let each example or table go on on the next page that would leave too much of its page empty."""
    split = False
    for page, following in pairwise(_boxes(document)):
        same_chapter = page.page_type.name == following.page_type.name
        if same_chapter and page.height - _bottom(page) >= _EMPTY * page.height:
            whole = _first_whole(following)
            # Of a short one all lines stay together, and an empty box would be left behind.
            if whole is not None and _lines(whole) >= _LINES:
                add_class(whole, "book-split")
                split = True
    return split


def _merge_pages(source: Any, document: Any) -> bool:
    """Leave each page of an entry of the index out but once."""
    places = {name: number for number, page in enumerate(document.pages) for name in page.anchors}
    merged = False
    for entry in source.etree_element.iter("span"):
        if "book-pages" in classes(entry):
            seen = {places.get((link.get("href") or "")[1:]): link for link in reversed(entry)}
            links = sorted(seen.values(), key=list(entry).index)
            merged |= len(links) < len(entry)
            entry[:] = links
    return merged


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


def _lines(whole: Any) -> int:
    return sum(each.tag == "tr" or "dice-step" in classes(each) for each in whole.iter())


def _first_whole(page: Any) -> Any:
    """Return the example or table at the top of a page, perhaps below a heading and a few lines that belong to it."""
    for box, _around in _walk(page, []):
        if box.element_tag == "table" or "dice-example" in _classes(box):
            return box.element if box.position_y - page.margin_top < _EMPTY * page.height else None
    return None


def _bottom(page: Any) -> float:
    """Return where the text of a page ends, below its top margin."""
    ends = [float(box.position_y + box.height) for box, _around in _walk(page, []) if _is_line(box)]
    return max(ends, default=page.margin_top) - float(page.margin_top)
