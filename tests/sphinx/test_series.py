"""A series: several worked examples in one box, each of which is checked as if it stood alone."""

import re

import pytest

SERIES = """
    .. dice:examples:: Two *shots*
       :name: shots
       :class: wide

       .. dice:example:: One
          :name: one
          :mechanic: methuen/expression
          :expression: 2d6
          :dice: 5 2
          :expect: total={first}

          It deals :dice:fact:`total`.

       .. dice:example:: Two
          :name: two
          :mechanic: methuen/expression
          :expression: 2d6
          :dice: 6 3
          :expect: total=9
"""


def test_a_series_is_one_box_with_the_accent_of_its_game(book):
    book.page(SERIES.format(first=7))
    built = book.build("html", html_theme="basic")
    html = built.read("index.html")
    assert built.warnings == []
    [box] = re.findall(r'<div class="dice-examples[^"]*"[^>]*>', html)
    assert "wide" in box
    assert "dice-system-methuen" in box
    assert 'id="shots"' in box
    inside = html.partition(box)[2]
    assert inside.lstrip().startswith('<p class="dice-example-title"><strong>Two <em>shots</em></strong></p>')
    assert re.findall(r'id="dice-(\w+)"', inside) == ["one", "two"]


def test_each_example_of_a_series_is_checked_in_its_own_line(book):
    book.page(SERIES.format(first=8))
    [warning] = book.build().warnings
    assert (warning.line, warning.type) == (14, "dicedocs.mismatch")
    assert warning.text == "one: expected total=8, got total=7; write :expect: total=7"


@pytest.mark.parametrize("builder", ["text", "latex", "epub", "man"])
def test_every_format_has_the_title_and_the_examples(book, builder):
    book.page(SERIES.format(first=7))
    documents = {
        "latex_documents": [("index", "book.tex", "Book", "", "howto")],
        "man_pages": [("index", "book", "Book", ["N"], 1)],
    }
    built = book.build(builder, **documents)
    assert built.warnings == []
    file = {"text": "index.txt", "latex": "book.tex", "epub": "index.xhtml", "man": "book.1"}[builder]
    text = built.read(file)
    assert text.index("shots") < text.index("One") < text.index("It deals") < text.index("Two", text.index("It deals"))


def test_a_series_without_an_example_is_reported(book):
    book.page("""
        .. dice:examples:: Nothing

           Words.
    """)
    [warning] = book.build().warnings
    assert (warning.line, warning.type) == (5, "dicedocs.option")
    assert warning.text == "a series has no dice:example in it"
