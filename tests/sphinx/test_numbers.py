"""With the setting ``numfig`` Sphinx numbers examples that have a title, in every format."""

import re
from html import unescape

import pytest

from .conftest import Book

ROLL = "   :mechanic: methuen/expression\n   :expression: 2 + 3\n   :expect: total=5\n"
PAGES = {
    "index.rst": "Book\n====\n\nBegin at :numref:`second`, :numref:`no. %s <first>` and :numref:`{name} ({number}) "
    "<third>`;\nsee :numref:`odds`.\n\n.. toctree::\n   :numbered:\n\n   a\n   b\n",
    "a.rst": f"A\n=\n\n.. dice:example:: One\n   :name: first\n{ROLL}\n   As :numref:`first` says.\n\n"
    f".. dice:example::\n   :name: untitled\n{ROLL}\n.. dice:table:: Odds\n   :name: odds\n"
    "   :mechanic: methuen/expression\n   :expression: 1d2\n\n"
    f".. note::\n\n   .. dice:example:: *Two*\n      :name: second\n{ROLL.replace('   :', '      :')}",
    "b.rst": f"B\n=\n\nSub\n---\n\n.. dice:example:: Three\n   :name: third\n   :look: line\n{ROLL}\n"
    "   Unlike :ref:`first`.\n",
}


def write(book: Book, **settings: object) -> Book:
    book.write("conf.py", "\n".join(f"{name} = {value!r}" for name, value in {"numfig": True, **settings}.items()))
    for name, text in PAGES.items():
        book.write(name, text)
    return book


def words(text: str) -> str:
    return " ".join(unescape(re.sub(r"<(?!/p>)[^>]*>", "", text)).split())


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    book = write(Book(tmp_path_factory.mktemp("numbered")))
    return {name: book.build(name, html_theme="basic") for name in ("html", "singlehtml", "latex", "text", "man")}


@pytest.mark.parametrize("builder", ["html", "singlehtml"])
def test_html_numbers_examples_and_refers_to_the_numbers(built, builder):
    assert built[builder].log == ""
    pages = ("index", "a", "b") if builder == "html" else ("index",)
    shown = "".join(built[builder].read(f"{page}.html") for page in pages)
    assert re.findall(r'<span class="caption-number">(Example .*?)</span>(.*?)<', shown) == [
        ("Example 1.1 ", "One"),
        ("Example 1.2 ", ""),
        ("Example 2.1 ", "Three"),
    ]
    assert "Begin at Example 1.2, no. 1.1 and Three (2.1); see Table 1.1." in words(shown)
    assert "As Example 1.1 says." in words(shown)
    assert "Unlike One." in words(shown)
    target = "a.html" if builder == "html" else r"(?:index\.html)?(?:#document-a)?"
    assert re.search(rf'href="{target}#dice-second"><span class="std std-numref">Example 1\.2<', shown)


def test_latex_has_the_numbers_of_html(built):
    assert built["latex"].log == ""
    latex = next(built["latex"].out.glob("*.tex")).read_text()
    titles = re.findall(r"\\begin\{sphinxadmonition\}\{note\}\{(Example \S+) (.*?)\}", latex)
    assert titles == [
        ("Example 1.1", "One"),
        ("Example 1.2", r"\sphinxstyleemphasis{Two"),
        ("Example 2.1", "Three"),
    ]
    links = re.findall(r"\\hyperref\[\\detokenize\{(\w+:dice-\w+)\}\]\{.*?std-numref\}\{(.*?)\}", latex)
    assert links == [
        ("a:dice-second", "Example 1.2"),
        ("a:dice-first", "no. 1.1"),
        ("b:dice-third", "Three (2.1)"),
        ("a:dice-odds", "Table 1.1"),
        ("a:dice-first", "Example 1.1"),
    ]


def test_plain_text_has_the_same_numbers(built):
    assert (built["text"].log, built["man"].log) == ("", "")
    index, a, b = (words(built["text"].read(f"{name}.txt")) for name in ("index", "a", "b"))
    assert "Begin at Example 1.2, no. 1.1 and Three (2.1); see Table 1.1." in index
    assert "Example 1.1 One: As Example 1.1 says." in a
    assert "Example 1.2 Two:" in a
    assert "Example 2.1 Three:" in b
    assert "%s" not in next(built["man"].out.glob("*.1")).read_text()


def test_numbers_are_right_after_an_example_came_before_them(book):
    write(book).build("html", html_theme="basic")
    book.write("a.rst", PAGES["a.rst"].replace("A\n=\n", f"A\n=\n\n.. dice:example:: Zero\n{ROLL}"))
    html = book.build("html", html_theme="basic").read("a.html")
    assert re.findall(r'caption-number">(Example .*?) <', html) == ["Example 1.1", "Example 1.2", "Example 1.3"]
    assert "As Example 1.2 says." in words(html)


@pytest.mark.parametrize(
    ("settings", "title", "reference"),
    [
        ({"language": "de"}, "Beispiel 1.2 ", "Beispiel 1.2"),
        ({"numfig_format": {"example": "Ex. %s:"}}, "Ex. 1.2: ", "Ex. 1.2:"),
        ({"numfig_format": {"example": "Ex. {number}"}}, "Ex. 1.2 ", "Ex. 1.2"),
        ({"numfig_secnum_depth": 0}, "Example 2 ", "Example 2"),
    ],
)
def test_the_format_is_that_of_the_book(book, settings, title, reference):
    built = write(book, **settings).build("html", html_theme="basic")
    assert built.log == ""
    assert f'<span class="caption-number">{title}</span><em>Two' in built.read("a.html")
    assert f"Begin at {reference}" in words(built.read("index.html"))


@pytest.mark.parametrize("form", ["Ex.", "%s of %s", "{number} {name}", "100% %s", 7])
def test_a_format_without_a_place_for_the_number_is_a_warning(book, form):
    book.page(f".. dice:example:: One\n{ROLL}")
    book.write("conf.py", f"numfig = True\nnumfig_format = {{'example': {form!r}}}")
    built = book.build("html", html_theme="basic")
    [warning] = built.warnings
    message = f"numfig_format: '{form}' has no place for one number; write 'Example %s'"
    assert (warning.file, warning.type, warning.text) == ("conf.py", "dicedocs.option", message)
    assert "caption-number" not in built.read("index.html")


def test_an_empty_format_numbers_no_examples(book):
    built = write(book, numfig_format={"example": ""})
    for name in ("index.rst", "a.rst"):
        book.write(name, re.sub(":numref:`[^`]*`", "it", PAGES[name]))
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    assert ">Example " not in built.read("a.html")
    assert ">Table 1.1 <" in built.read("a.html")


def test_without_numbers_a_label_may_have_the_name_of_an_example(book):
    book.page(f"""
.. _first:

First
-----

.. dice:example:: One
   :name: first
{ROLL}""")
    assert book.build().log == ""


COPY = """
.. dice:example:: The bar
   :name: bar
   :mechanic: dice/roll
   :notation: 1d6
   :dice: 2
   :expect: total=2

.. dice:odds:: The odds
   :name: odds
   :mechanic: dice/roll
   :notation: 1d6
   :expect: mean=3.5
"""
LEADS = ":ref:`bar` :ref:`it <bar>` :numref:`bar` :dice:ref:`bar` :dice:ref:`it <bar>` :ref:`odds` :dice:ref:`odds`"


@pytest.mark.parametrize(
    ("pages", "target"),
    [
        # Neither page has it to its own.
        ({"a": ".. include:: part.inc", "b": ".. include:: part.inc"}, "a"),
        # The file is a page as well.
        ({"a": ".. include:: part.rst", "part": COPY, "z": ".. include:: part.rst"}, "part"),
        ({"part": COPY, "z": ".. include:: part.rst"}, "part"),
    ],
)
def test_all_references_to_what_several_pages_include_lead_to_the_same_page(
    book: Book, pages: dict[str, str], target: str
) -> None:
    book.write("part.inc", COPY)
    for name, text in pages.items():
        book.write(f"{name}.rst", f"{name}\n====\n\n{text}\n")
    listed = "".join(f"   {name}\n" for name in pages)
    book.write("index.rst", f"Book\n====\n\n{LEADS}\n\n.. toctree::\n\n{listed}")
    built = book.build("html", numfig=True, html_permalinks=False)
    assert built.warnings == []
    assert built.log == ""
    [line] = re.findall(r"<p>(<a .*)</p>", built.read("index.html"))
    assert re.findall(r'href="([^"]*)"', line) == [f"{target}.html#dice-bar"] * 5 + [f"{target}.html#dice-odds"] * 2


def test_when_a_page_no_longer_includes_it_all_references_lead_to_the_other_one(book: Book) -> None:
    book.write("part.inc", COPY)
    for name in ("a", "b"):
        book.write(f"{name}.rst", f"{name}\n====\n\n.. include:: part.inc\n")
    index = f"Book\n====\n\n{LEADS}\n\n.. toctree::\n\n   a\n   b\n"
    book.write("index.rst", index)
    book.build("html", numfig=True)
    book.write("a.rst", "a\n====\n\nNothing.\n")
    book.write("index.rst", index + "\nNew.\n")
    built = book.build("html", numfig=True)
    assert built.log == ""
    assert set(re.findall(r'href="(\w*\.html)#dice-(?:bar|odds)"', built.read("index.html"))) == {"b.html"}
