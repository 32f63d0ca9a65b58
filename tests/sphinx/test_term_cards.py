"""Cards of terms in the theme of dicedocs."""

import re

from .conftest import Book

THEME = {"html_theme": "dicedocs"}
CARD = re.compile(
    r'<button class="term" type="button" popovertarget="([\w-]+)">(.*?)</button>&#8288;'
    r'<span class="term-card" id="\1" role="note" popover>(.*?) <a href="(.*?)">Glossary</a></span>'
)


def words(book: Book, definition: str) -> None:
    book.write(
        "words.rst", f":orphan:\n\nWords\n=====\n\n.. glossary::\n\n   scratch\n      {definition}\n\n      More.\n"
    )


def test_a_term_shows_its_definition_where_it_is_used(book: Book) -> None:
    words(book, "To remove a die, *as if* 1 < 2.")
    book.page("Then :term:`scratch` one, or be :term:`scratched <scratch>`.\n\nA :term:`scratch`\n~~~~~~~~~~~~~~~~~\n")
    built = book.build("html", **THEME)
    assert built.warnings == []
    meaning, link = "To remove a die, as if 1 &lt; 2.", "words.html#term-scratch"
    assert CARD.findall(built.read("index.html")) == [
        ("term-card-1", "scratch", meaning, link),
        ("term-card-2", "scratched", meaning, link),
    ]
    # A heading is a link, and in the table of contents again.
    assert re.search(r'<h2>A <a class="reference internal" href="words.html#term-scratch">', built.read("index.html"))


def test_a_card_follows_its_glossary(book: Book) -> None:
    words(book, "Old.")
    book.page("A :term:`scratch`.")
    book.write("other.rst", ":orphan:\n\nOther\n=====\n")
    before = book.build("html", **THEME)
    other = (before.out / "other.html").stat().st_mtime_ns
    words(book, "New.")
    after = book.build("html", **THEME)
    assert [meaning for _id, _term, meaning, _link in CARD.findall(after.read("index.html"))] == ["New."]
    assert (after.out / "other.html").stat().st_mtime_ns == other


def test_a_term_of_the_same_page_has_a_card(book: Book) -> None:
    book.page("A :term:`scratch`.\n\n.. glossary::\n\n   scratch\n      To remove a die.\n")
    html = book.build("html", **THEME).read("index.html")
    assert CARD.findall(html) == [("term-card-1", "scratch", "To remove a die.", "#term-scratch")]


def test_other_themes_and_formats_have_links(book: Book) -> None:
    words(book, "To remove a die.")
    book.page("A :term:`scratch`.")
    assert "popover" not in book.build("html", out="stock").read("index.html")
    assert "popover" not in book.build("epub", out="book", **THEME).read("index.xhtml")
