"""The pages of a book as one document: ids that are unique in all of it, links, footnotes, contents and index."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from dicedocs.translation import gettext as _

PAGE: Final = "page:"
"""How an address begins that leads to a page of the book, and perhaps to something there."""
TITLE: Final = "dice-example-title"
NUMBER: Final = "data-number"
"""The attribute of a link that is printed behind it, as the number of its page."""
_SVG: Final = "{http://www.w3.org/2000/svg}"
_IDS: Final = ("id", "for", "headers", "aria-labelledby", "aria-describedby")
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_INLINE: Final = ("span", "a", "em", "strong")
_LED: Final = ("table", "ul", "ol", "pre")
"""What nobody understands without the paragraph before it."""
_PLAIN: Final = {("span", ""), ("span", "pre"), ("span", "dice-said"), ("div", "no-search")}
"""The names and classes of elements that look on paper like nothing but their content."""
_QUIET: Final = {"dice-rule-ids", "dice-shows"}
"""The classes of lists of links, which would be nothing but numbers if each had its page."""
_PIXELS: Final = {"dice-chart": 500, "dice-multiples": 320, "": 560}
"""The width for which a drawing is made that has as much room as there is, and so how large its letters are."""
_IN_COLUMNS: Final = {"book-a4", "book-letter"}
"""The papers on which the text stands in two columns."""
_COLUMN: Final = 0.75
"""The width of a column, compared with that of a small page."""
_TAB: Final = 13
"""Millimetres by which the tab of a chapter stands below that of the last."""
_TABS: Final = 11
"""The chapters after which the tabs begin at the top again."""


def book_id(page: str, id: str = "") -> str:
    """Return the id in the book of something that a page contains, or of the page.

    >>> book_id("rules/core"), book_id("rules/core", "checks")
    ('rules-core', 'rules-core.checks')
    """
    return re.sub(r"[^\w.-]", "-", f"{page}.{id}" if id else page)


def classes(element: Element) -> list[str]:
    """Return the classes of an element."""
    return (element.get("class") or "").split()


def add_class(element: Element, name: str) -> None:
    """Give an element one more class."""
    element.set("class", " ".join([*classes(element), name]))


def text_of(element: Element) -> str:
    """Return the text of an element, on one line."""
    return " ".join("".join(element.itertext()).split())


def assemble(body: Element) -> None:
    """Make a document of the pages that stand in it one after the other."""
    _unwrap_plain(body)
    _size_drawings(body, "", 1 if _IN_COLUMNS.isdisjoint(classes(body)) else _COLUMN)
    for article in _pages(body):
        _make_ids_unique(article)
        _lower_headings(article)
        _place_footnotes(article)
        for section in article.iter("section"):
            if (heading := section.find("h2")) is not None:
                section.set("data-section", text_of(heading))
    _add_tabs(body)
    _drop_dead_links(body)
    for article in _pages(body):
        _mark_far_links(article)
    for element in list(body.iter()):
        if element.tag == f"{_SVG}svg":
            _name_drawing(element)
            if "dice-svg" in classes(element):
                _share_drawing(element)
        elif element.tag == "figure":
            # A screen turns them round; a page would break between them.
            element[:] = sorted(element, key=lambda child: child.tag != "figcaption")
        elif element.tag == "thead":
            _lower_corner(element)
        elif element.tag == "tbody":
            for head in element.iter("th"):
                head.set("scope", "row")
        elif element.tag == "dt" or {"dice-label", "dice-value", "dice-choice"} & set(classes(element)):
            _add_space(element)
        elif element.tag == "p":
            _hand_spaces_on(element)
        elif "dice-example" in classes(element):
            _name_rest(element)
        for child, following in pairwise(element):
            # A chart may be as high as a page.
            introduces = following.tag in _LED or (following.tag != "figure" and text_of(child).endswith(":"))
            if child.tag == "p" and introduces:
                add_class(child, "book-lead")
    places = {element.get("id"): number for number, element in enumerate(body.iter())}
    for element in list(body.iter()):
        if "book-contents" in classes(element):
            _list_headings(element, body)
        elif "book-tables" in classes(element):
            _list_captions(element, body)
        elif "book-pages" in classes(element):
            element[:] = sorted(element, key=lambda link: places.get((link.get("href") or "")[1:], 0))


def _pages(body: Element) -> list[Element]:
    return [article for article in body.iter("article") if article.get("data-page") is not None]


def _unwrap_plain(element: Element) -> None:
    """Take out the elements that mean nothing on paper: WeasyPrint keeps seven styles for each."""
    for child in list(element):
        _unwrap_plain(child)
        if (child.tag, child.get("class", "")) in _PLAIN and {*child.keys()} <= {"class"}:
            index = list(element).index(child)
            inner = list(child)
            _add_text(element, index, child.text)
            element[index : index + 1] = inner
            _add_text(element, index + len(inner), child.tail)


def _add_text(element: Element, index: int, text: str | None) -> None:
    """Add a text before the child of an element with an index."""
    if index:
        element[index - 1].tail = f"{element[index - 1].tail or ''}{text or ''}"
    else:
        element.text = f"{element.text or ''}{text or ''}"


def _make_ids_unique(article: Element) -> None:
    """Give each id the name of its page, and let what refers to it do the same."""
    page = article.get("data-page") or ""
    for element in article.iter():
        for name in _IDS:
            if ids := element.get(name):
                element.set(name, " ".join(book_id(page, id) for id in ids.split()))
        if (address := element.get("href") or "").startswith("#"):
            element.set("href", f"#{book_id(page, address[1:])}")
    article.set("id", book_id(page))


def _lower_headings(article: Element) -> None:
    """Let the headings of a page that stands below another in the table of contents be those of sections."""
    depth = int(article.get("data-depth") or 0)
    for element in list(article.iter()):
        if element.tag in _HEADINGS:
            element.tag = _HEADINGS[min(_HEADINGS.index(element.tag) + depth, len(_HEADINGS) - 1)]


def _place_footnotes(article: Element) -> None:
    """Put the text of each footnote where its number stands; on paper it is set at the foot of that page."""
    notes = {note.get("id"): note for note in article.iter("aside") if "footnote" in classes(note)}
    placed = []
    for element in list(article.iter()):
        for index, child in enumerate(list(element)):
            note = notes.get((child.get("href") or "")[1:]) if "footnote-reference" in classes(child) else None
            if note is not None:
                element[index] = _note_in_text(note, child)
                placed.append(note)
    for element in list(article.iter()):
        element[:] = [child for child in element if child not in placed]


def _note_in_text(note: Element, reference: Element) -> Element:
    placed = Element("span", {"class": "book-footnote"})
    placed.tail = reference.tail
    for part in [child for child in note if "label" not in classes(child)]:
        words = SubElement(placed, "span")
        words.text, words.tail = part.text, " "
        words[:] = deepcopy(part)[:]
    for element in placed.iter():
        element.attrib.pop("id", None)
    return placed


def _add_tabs(body: Element) -> None:
    """Give each chapter a tab at the edge of its pages, in the section that knows the colour of its game."""
    chapters = [article.find("section") for article in _pages(body) if "book-chapter" in classes(article)]
    for number, section in enumerate(chapters):
        if section is not None:
            section.insert(0, Element("div", {"class": "book-tab", "style": f"margin-top: {number % _TABS * _TAB}mm"}))


def _drop_dead_links(body: Element) -> None:
    """Let links lead to places of the book or to other sites, and all others, such as downloads, be text."""
    ids = {element.get("id") for element in body.iter()}
    for parent in list(body.iter()):
        for link in [child for child in parent if child.tag == "a"]:
            address = link.get("href") or ""
            if address.startswith(PAGE):
                page, _sign, id = address.removeprefix(PAGE).partition("#")
                address = f"#{book_id(page, id)}"
                link.set("href", address)
            if (address[1:] not in ids) if address.startswith("#") else ":" not in address:
                link.attrib.pop("href", None)


def _mark_far_links(article: Element) -> None:
    """Mark the links behind which a page stands: nobody needs the page of what is in the same section."""
    near = dict(_sections(article, 0, article))
    for parent in article.iter():
        for link in parent.iterfind("a"):
            address = link.get("href") or ""
            if address.startswith("#") and _QUIET.isdisjoint(classes(parent)):
                here, there = near.get(id(link)), near.get(address[1:])
                if here is not there:
                    add_class(link, "book-far")
                    link.set(NUMBER, "00")  # as wide as what the first pass finds


def _sections(element: Element, depth: int, around: Element) -> Iterator[tuple[object, Element]]:
    """Yield each link, and each id, of a page with the section of depth two around it."""
    for child in element:
        deeper = depth + (child.tag == "section")
        inside = child if child.tag == "section" and deeper <= 2 else around
        if child.tag == "a":
            yield id(child), inside
        if name := child.get("id"):
            yield name, inside
        yield from _sections(child, deeper, inside)


def _name_drawing(drawing: Element) -> None:
    """Give a drawing its font, and its name as a title, which becomes its alternative text."""
    drawing.set("font-family", "DejaVu Sans")
    if name := drawing.attrib.pop("aria-label", None):
        title = Element(f"{_SVG}title")
        title.text = name
        drawing.insert(0, title)


def _share_drawing(drawing: Element) -> None:
    """Make a picture of a die, a track or a scale: equal ones are kept once, and their shapes have no styles."""
    named = {"class": drawing.get("class") or "", "alt": text_of(drawing[0])}
    tail, drawing.tail = drawing.tail, None
    drawing.attrib.pop("{http://www.w3.org/2000/xmlns/}xmlns", None)  # no XML may have it as an attribute
    address = f"data:image/svg+xml;base64,{b64encode(tostring(drawing)).decode()}"
    drawing.clear()
    drawing.tag, drawing.tail = "img", tail
    drawing.attrib.update(named, src=address)


def _lower_corner(head: Element) -> None:
    """Let the corner of a table stand in the last row of its head: beside a cell of two rows WeasyPrint miscounts."""
    rows = list(head)
    corner = rows[0][0] if rows and len(rows[0]) else None
    if corner is not None and 1 < len(rows) == int(corner.get("rowspan") or 1):
        rows[0][0] = Element("td")
        del corner.attrib["rowspan"]
        rows[-1].insert(0, corner)


def _add_space(label: Element) -> None:
    """End a label or a value with a space: where only a margin parts two of them, a listener would hear one word."""
    if len(label):
        label[-1].tail = f"{label[-1].tail or ''}\N{NO-BREAK SPACE}"
    else:
        label.text = f"{label.text or ''}\N{NO-BREAK SPACE}"


def _hand_spaces_on(paragraph: Element) -> None:
    """Let words begin with the space before them.

    WeasyPrint breaks a text after its first word if it fits but for a space at its end.
    """
    for parent in list(paragraph.iter()):
        before = None
        for child in parent:
            text = (parent.text if before is None else before.tail) or ""
            words = text.rstrip(" \n")
            first = child
            while not first.text and len(first):
                first = first[0]
            # In code a space would be as wide as a letter.
            if words and words != text and first.text and child.tag in _INLINE and first.tag in _INLINE:
                first.text = f" {first.text}"
                if before is None:
                    parent.text = words
                else:
                    before.tail = words
            before = child


def _name_rest(example: Element) -> None:
    """Name an example above the page on which its working goes on."""
    title = next((text_of(child) for child in example if TITLE in classes(child)), "")
    if title and any("dice-step" in classes(each) for each in example.iter()):
        # What begins a page would name it on the page on which it begins.
        example[-1].set("data-continued", _("{title}, continued").format(title=title))


def _size_drawings(element: Element, inside: str, part: float) -> None:
    """Give each drawing that is as wide as there is room a width and a height, so that its letters become small."""
    for child in element:
        if child.tag == f"{_SVG}svg" and child.get("width") == "100%":
            width = part * _PIXELS[inside or ("dice-chart" if "dice-chart" in classes(child) else "")]
            child.set("viewBox", f"0 0 {width:g} {child.get('height')}")
            del child.attrib["width"], child.attrib["height"]
            if "dice-chart" not in classes(child):
                add_class(child, "dice-svg")  # nothing in it has the colour of its game
        else:
            _size_drawings(child, "dice-multiples" if "dice-multiples" in classes(child) else inside, part)


def _list_headings(contents: Element, body: Element) -> None:
    """Write the table of contents: the chapters, and the sections of each."""
    chapters = SubElement(contents, "ul")
    for article in _pages(body):
        for section in article.iter("section"):
            heading = next((child for child in section if child.tag in ("h1", "h2")), None)
            if heading is None:
                continue
            if heading.tag == "h1" or not len(chapters):
                into = chapters
            else:
                last = chapters[-1]
                into = last[-1] if last[-1].tag == "ul" else SubElement(last, "ul")
            _add_line(into, section.get("id") or "", text_of(heading))


def _list_captions(tables: Element, body: Element) -> None:
    """Write the list of the tables and charts."""
    lines = SubElement(tables, "ul")
    for figure in body.iter():
        caption = figure.find("figcaption" if figure.tag == "figure" else "caption")
        if figure.tag in ("figure", "table") and caption is not None and figure.get("id"):
            _add_line(lines, figure.get("id") or "", text_of(caption))
    if not len(lines):
        body.remove(tables)


def _add_line(into: Element, id: str, text: str) -> None:
    SubElement(SubElement(into, "li"), "a", {"href": f"#{id}"}).text = text
