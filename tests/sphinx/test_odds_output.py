"""Tables, charts and claims wherever they may stand and whatever they hold: in every builder, at the right line."""

import re
import textwrap
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..hostile import INLINE, MARKUP
from .conftest import Book

# The number makes what is written wrong, and tells which block a warning is about.
SORTS = {
    "table": ("vary: advantage=0..1", "vary: advantage{}=0..1"),
    "odds": ("expect: mean=10.5", "expect: mean={}"),
    "claim": ("claim: mean=10.5", "claim: mean={}"),
}
RST = """
.. dice:{sort}:: At the top
   :mechanic: total-effect/roll
   :{option}

* In a list

  1. within a list

     .. dice:{sort}:: In a list
        :mechanic: total-effect/roll
        :{option}

        With words.

.. admonition:: Mark

   .. dice:{sort}:: In a box
      :mechanic: total-effect/roll
      :{option}

.. tab-set::

   .. tab-item:: One

      .. dice:{sort}:: In a tab
         :mechanic: total-effect/roll
         :{option}

A quote

   .. dice:{sort}::
      :mechanic: total-effect/roll
      :{option}

A term
   .. dice:{sort}:: In a definition
      :mechanic: total-effect/roll
      :{option}

.. list-table::

   * - .. dice:{sort}:: In a cell
          :mechanic: total-effect/roll
          :{option}

.. dice:example:: Around
   :mechanic: methuen/expression
   :expression: 2 + 3
   :expect: total=5

   .. dice:{sort}:: In an example
      :mechanic: total-effect/roll
      :{option}

.. include:: {sort}.inc
   :start-line: 2

.. dice:{sort}:: After what was included
   :mechanic: total-effect/roll
   :{option}
"""
MARKDOWN = """
```{{dice:{sort}}} At the top
:mechanic: total-effect/roll
:{option}
```

- In a list

  ```{{dice:{sort}}} In a list
  ---
  mechanic: total-effect/roll
  {option}
  ---
  With words.
  ```

::::{{admonition}} Mark
:::{{dice:{sort}}} In a box
:mechanic: total-effect/roll
:{option}
:::
::::

:::::{{tab-set}}
::::{{tab-item}} One
:::{{dice:{sort}}} In a tab
:mechanic: total-effect/roll
:{option}
:::
::::
:::::

> A quote
>
> ```{{dice:{sort}}}
> :mechanic: total-effect/roll
> :{option}
> ```

```{{include}} {sort}.part
```

```{{dice:{sort}}} After what was included
:mechanic: total-effect/roll
:{option}
```
"""
PARTS = {
    "inc": "Left\n\nIncluded\n\n.. dice:{sort}:: Included\n   :mechanic: total-effect/roll\n   :{option}\n",
    "part": "Included\n\n```{{dice:{sort}}} Included\n:mechanic: total-effect/roll\n:{option}\n```\n",
}
EACH = RST.count("{option}") + MARKDOWN.count("{option}") + len(PARTS)


def write(book: Book, *, wrong: bool) -> None:
    """Fill a book with a page of each sort in each language."""
    number = 9000
    pages = []
    for sort, options in SORTS.items():
        for name, text in ({"rst": RST, "md": MARKDOWN} | PARTS).items():
            parts = text.split("{option}")
            filled = parts[0].format(sort=sort)
            for part in parts[1:]:
                number += 1
                filled += options[wrong].format(number) + part.format(sort=sort)
            if name in PARTS:
                book.write(f"{sort}.{name}", filled)
            else:
                pages.append(f"{sort}_{name}")
                book.page(filled, f"{sort}_{name}.{name}", title=sort)
    book.page(".. toctree::\n\n" + textwrap.indent("\n".join(pages), "   "))


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    book = Book(tmp_path_factory.mktemp("right"))
    write(book, wrong=False)
    return book


BUILDERS = ["html", "dirhtml", "singlehtml", "epub", "latex", "text", "man", "texinfo", "xml", "gettext"]


@pytest.mark.parametrize("builder", BUILDERS)
def test_every_builder_shows_them_in_any_container(right, builder):
    settings = {
        "man_pages": [("index", "book", "Book", ["N"], 1)],
        "latex_documents": [("index", "book.tex", "Book", "N", "manual")],
        "texinfo_documents": [("index", "book", "Book", "N", "book", "A book.", "Miscellaneous")],
        **({"html_theme": "basic"} if builder in {"html", "dirhtml", "singlehtml"} else {}),
    }
    built = right.build(builder, **settings)
    assert built.log == ""
    kinds = {".html", ".xhtml", ".tex", ".txt", ".1", ".texi"}
    pages = sorted(path for path in built.out.rglob("*.*") if path.suffix in kinds)
    text = "".join(path.read_text("utf-8") for path in pages)
    if builder in {"html", "dirhtml", "singlehtml", "epub"}:
        # A table each, a chart with its numbers each, and a claim with its figure each.
        assert text.count('<table class="dice-table">') == 2 * EACH
        assert text.count("</svg>") == EACH + len(re.findall(r"<svg(?! class=.dice-chart)", text))
        assert text.count("<strong>10.5</strong>") == EACH
    elif builder == "text":
        assert len(re.findall("^ *Total +Advantage 0 +Advantage 1$", text, re.MULTILINE)) == EACH - 1
        assert text.count("Mean 10.5, standard deviation 2.96") == EACH
        assert text.count("it is **10.5**") == EACH
    elif builder in {"latex", "texinfo", "man"}:
        assert text.count("Mean 10.5, standard deviation 2.96") == EACH


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    book = Book(tmp_path_factory.mktemp("wrong"))
    write(book, wrong=True)
    return book, book.build("html", html_theme="basic"), book.build("html", html_theme="basic")


def test_a_warning_names_the_line_of_the_option_in_any_container(faulty):
    book, built, again = faulty
    found = {int(re.search(r"9\d{3}", warned.text)[0]): (warned.file, warned.line) for warned in built.warnings}
    expected = {}
    for path in book.src.iterdir():
        for line, text in enumerate(path.read_text("utf-8").splitlines() if path.is_file() else [], 1):
            for number in re.findall(r"9\d{3}", text):
                expected[int(number)] = (path.name, line)
    assert len(expected) == 3 * EACH
    assert found == expected
    assert sorted(again.warnings) == sorted(built.warnings)
    pages = "".join(path.read_text("utf-8") for path in built.out.glob("*_*.html"))
    assert pages.count('class="dice-error"') == 3 * EACH


def test_the_link_of_a_caption_says_what_it_is_a_link_to(book):
    options = ":mechanic: total-effect/roll\n   :expect: mean=10.5"
    book.page(
        f".. dice:table:: A table\n   :name: one\n   {options.partition(chr(10))[0]}\n\n"
        f".. dice:odds:: A chart\n   :name: two\n   {options}\n\n"
        f".. dice:claim:: A claim\n   :name: three\n   {options.replace('expect', 'claim')}\n"
    )
    links = r'href="#dice-(\w+)" title="([^"]*)"'
    found = dict(re.findall(links, book.build("html", html_theme="basic").read("index.html")))
    assert found == {"one": "Link to this table", "two": "Link to this image", "three": "Link to this claim"}
    french = book.build("html", html_theme="basic", language="fr", fresh=True).read("index.html")
    found = dict(re.findall(links, french))
    assert (found["one"], found["two"]) == ("Lien vers ce tableau", "Lien vers cette image")
    assert "headerlink" not in book.build("html", html_theme="basic", html_permalinks=False).read("index.html")


FRAGMENTS = [*MARKUP, *INLINE, ":dice:fact:`exact`", "{dice:fact}`mean`", " ", "plain", ": ", "\u202e", "\xa0"]
HOSTILE = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4).map("".join)
HARMFUL = """
.. dice:table:: {0}
   :mechanic: ember/haul
   :crew: Ash: skill 2
   :weight: 4
   :vary: note={1}
   :class: {2}

.. dice:table:: C
   :mechanic: mage-in-the-metal/contest
   :contestants: {1}: skill 12; Rusk: skill 14
   :show: {2}

.. dice:odds:: {2}
   :mechanic: mage-in-the-metal/contest
   :contestants: {0}: skill 12; Rusk: skill 14
   :expect: p({1}) = 3%

.. dice:odds:: D
   :mechanic: ember/haul
   :crew: Ash: skill 2
   :weight: 4
   :vary: note={0}, note={2}

.. dice:claim:: {1}
   :mechanic: mage-in-the-metal/contest
   :contestants: {2}: skill 12; Rusk: skill 14
   :claim: p(winner = {2}) <= 100%, p({0} | {1}) = 3%

.. dice:claim::
   :mechanic: total-effect/roll
   :claim: {0}
   :{1}: {2}
"""


class Elements(HTMLParser):
    """What stands on a page: its elements with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def fenced(rst: str) -> str:
    """The same blocks in Markdown, between fences whose first line may hold a backquote."""
    blocks = re.split(r"\n\n(?=\.\. )", rst.strip().replace("\n   ", "\n"))
    return "\n\n".join(re.sub(r"^\.\. (dice:\w+)::", r"~~~{\1}", block) + "\n~~~" for block in blocks)


# A build is too slow for shrinking.
@settings(max_examples=2, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(HOSTILE, HOSTILE, HOSTILE), min_size=3, max_size=3))
def test_any_text_stays_text(tmp_path_factory, texts):
    book = Book(tmp_path_factory.mktemp("hostile"))
    pages = [HARMFUL.format(*each) for each in texts]
    book.page("\n".join(pages) + "\n.. toctree::\n\n   marked\n")
    book.page("\n\n".join(map(fenced, pages)), "marked.md")
    built = book.build("html", html_theme="basic")
    for name in ("index.html", "marked.html"):
        html = built.read(name)
        body = html[html.index('<div class="body"') : html.index('<div class="sphinxsidebar"')]
        for tag, attributes in Elements(body).found:
            assert tag not in {"script", "img"}
            assert not any(attribute.startswith("on") for attribute in attributes)
        for part in re.findall(r"<svg.*?</svg>|<table class=.dice-table.*?</table>", body, re.DOTALL):
            ET.fromstring(part)  # noqa: S314
    latex = book.build("latex", latex_documents=[("index", "book.tex", "Book", "N", "manual")]).read("book.tex")
    document = latex.partition("\\begin{document}")[2]
    assert "\\input" not in document
    assert document.count("\\end{document}") == 1
