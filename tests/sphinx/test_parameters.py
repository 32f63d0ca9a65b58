"""The parameters of an example on the page: those that were written, and the characters that they come from."""

import re
from html import unescape

import pytest

KIRA = """
    .. dice:character:: Kira the *Fighter*
       :name: kira
       :values: Strength=4, Health Maximum=20, Craft=17
"""
BLOWS = """
    .. dice:example:: A blow
       :mechanic: methuen/expression
       :expression: 1d6 + [Strength]
       :actor: kira
       :dice: 3
       :expect: total=7

    .. dice:example:: At the forge
       :mechanic: ember/haul
       :crew: Ash: skill 2
       :weight: kira.Craft
       :dice: 5
       :expect: total=7

    .. toctree::

       people
"""


def given(html: str) -> list[str]:
    """Return the parameters of each outcome as text."""
    parts = [part.partition("</div>")[0] for part in html.split('<span class="dice-given">')[1:]]
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", part)).split()) for part in parts]


def test_a_parameter_that_was_written_is_shown_even_if_it_is_the_default(book):
    book.page("""
        .. dice:example:: A roll
           :mechanic: total-effect/roll
           :advantage: 0
           :dice: 5 2 6
           :hide: steps
           :expect: total=13
    """)
    assert given(book.build("html").read("index.html")) == ["Advantage 0"]
    assert "Advantage\n   0\n" in book.build("text").read("index.txt")


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml"])
def test_a_parameter_names_its_character_with_a_link(book, builder):
    book.page(BLOWS)
    book.page(KIRA, "people.rst")
    built = book.build(builder)
    html = built.read("index.html")
    assert built.warnings == []
    assert "Actor Kira the Fighter" in given(html)[0]
    assert "(Kira the Fighter: Craft)" in given(html)[1]
    assert "Weight 17 (Kira" in given(html)[1]
    page = {"html": "people.html", "dirhtml": "people/", "singlehtml": ""}[builder]
    addresses = re.findall(r'<a href="([^"]*)">Kira the Fighter</a>', html)
    assert addresses[:2] == [f"{page}#dice-kira"] * 2


def test_the_link_is_right_on_one_page_and_follows_the_character(book):
    book.page(KIRA + BLOWS)
    book.page("Nobody.", "people.rst")
    assert '<a href="#dice-kira">Kira the Fighter</a>' in book.build("html").read("index.html")
    book.page(BLOWS)
    book.page(KIRA, "people.rst")
    assert '<a href="people.html#dice-kira">Kira the Fighter</a>' in book.build("html").read("index.html")
    book.page(KIRA.replace("Fighter", "Guard"), "people.rst")
    again = book.build("html").read("index.html")
    assert '<a href="people.html#dice-kira">Kira the Guard</a>' in again
    assert again == book.build("html", out="clean", doctrees="clean-trees").read("index.html")


def test_text_and_latex_name_the_character(book):
    book.page(BLOWS)
    book.page(KIRA, "people.rst")
    text = book.build("text").read("index.txt")
    assert "Actor\n   Kira the Fighter\n" in text
    assert "Weight\n   17 (Kira the Fighter: Craft)\n" in text
    latex = book.build("latex").read("book.tex")
    [target] = re.findall(r"\\label\{\\detokenize\{([^}]*dice-kira)\}\}", latex)
    assert latex.count(rf"\hyperref[\detokenize{{{target}}}]") == 2


def test_latex_names_a_character_of_another_document_without_a_link(book):
    book.page(BLOWS)
    book.page(KIRA, "people.rst")
    book.write("conf.py", "latex_documents = [('alone', 'alone.tex', 'Alone', '', 'howto')]\n")
    book.page(BLOWS.partition(".. toctree")[0], "alone.rst")
    built = book.build("latex")
    latex = built.read("alone.tex")
    assert "Kira the Fighter" in latex
    assert "dice-kira" not in latex


def test_a_title_is_escaped(book):
    book.page(KIRA.replace("*Fighter*", "<b>&") + BLOWS)
    book.page("Nobody.", "people.rst")
    assert '<a href="#dice-kira">Kira the &lt;b&gt;&amp;</a>' in book.build("html").read("index.html")
