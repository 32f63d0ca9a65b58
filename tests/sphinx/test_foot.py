"""The foot of a page in the theme of dicedocs: its author, the author's links, and what made it."""

import re

import pytest

from .conftest import Book

THEME = {"html_theme": "dicedocs"}
SHOP = {"footer_icons": [{"name": "Buy the book", "url": "https://example.com/shop", "html": "<b>Buy</b> the book"}]}


def foot(book: Book, page: str = "index.html", **settings: object) -> str:
    """Return the foot of a page."""
    built = book.build("html", **THEME, **settings)
    assert built.warnings == []
    return re.search(r"<footer>.*?</footer>", built.read(page), re.DOTALL)[0]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_the_foot_names_the_author_and_what_made_it_and_links_to_the_shop(book: Book) -> None:
    book.page("Text.\n\n.. toctree::\n\n   other\n")
    book.write("other.rst", "Other\n=====\n")
    html = foot(book, copyright="2026, A & B", html_theme_options=SHOP)
    assert words(html) == "Next Other &#169; Copyright 2026, A &amp; B Made with dicedocs, Sphinx and Furo Buy the book"
    assert '<div class="made-with">Made with dicedocs, <a href="https://www.sphinx-doc.org/">' in html
    assert re.search(r'<a class="muted-link " href="https://example.com/shop" aria-label="Buy the book">', html)
    assert '<a class="next-page" href="other.html">' in html
    back = foot(book, "other.html", copyright=["2025, A", "2026, B"])
    assert words(back).startswith("Previous Home &#169; Copyright 2025, A &#169; Copyright 2026, B Made with")
    assert '<a class="prev-page" href="index.html">' in back
    # The search has the same foot, and nothing before it.
    assert words(foot(book, "search.html", copyright="2026, A")).startswith("&#169; Copyright 2026, A Made")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"html_show_copyright": False, "html_show_sphinx": False}, ""),
        ({"html_show_copyright": False, "language": "de"}, "Erstellt mit dicedocs, Sphinx und Furo"),
    ],
)
def test_the_foot_says_what_the_author_wants_in_the_language_of_the_book(book: Book, settings, said: str) -> None:
    book.page("Text.")
    assert words(foot(book, **settings)) == said
