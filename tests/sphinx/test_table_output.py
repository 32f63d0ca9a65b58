"""Tables that are mechanics, as they are written: they look as they would without, their names of others are links."""

import json
import re
from html import unescape
from typing import Any

import pytest

from dicedocs_sphinx.rolling.runtime_files import FILES

from .conftest import Book, Built

BUILDERS = ["html", "dirhtml", "singlehtml", "epub", "latex", "text", "man", "texinfo", "xml"]
TABLES = """
    ```{dice:mechanic} road/weather
    ```

    Roll the weather.

    | d6  | Weather |      Wind |
    |-----|:-------:|----------:|
    | 1   |  Storm  | 2d6 knots |
    | 2–6 |  Fair   |      none |

    ::::{dice:mechanic} road/arms
    :::{table} Arms
    :name: arms
    :align: left
    :class: mine

    | d2 | Arm |
    |----|-----|
    | 1  | bow |
    | 2  | axe |
    :::
    ::::

    See {numref}`arms`.

    * An item

      ```{dice:mechanic} road/list
      ```

      1. One
      2. Two
"""
DOCUMENTS = {
    "latex_documents": [("index", "book.tex", "Book", "N", "manual")],
    "man_pages": [("index", "book", "Book", ["N"], 1)],
    "texinfo_documents": [("index", "book", "Book", "N", "book", "", "")],
    "numfig": True,
    "html_theme": "basic",
    "html_copy_source": False,
    "suppress_warnings": ["epub.duplicated_toc_entry"],
}


UNSEEN = (
    r'<span class="target" id="dice-[\w-]*"></span>',
    r'<target ids="dice-[^>]*></target>|<comment [^>]*></comment>|<index [^>]*></index>|<document [^>]*>',
    r"\\phantomsection\\label\{\\detokenize\{index:dice-[\w-]*\}\}|\\index\{[^}]*\\spxentry\{[^}]*\}\}",
    r"@anchor\{[^}]*\}|@geindex [^\n]*|@node [^\n]*|@unnumbered Index|@printindex ge|\* Index:: |@c [^\n]*",
    "@menu|@end menu",
)
"""What nobody sees: anchors, entries of the general index, and the numbers that depend on these."""


def written(book: Book, builder: str, page: str) -> str:
    """Return what a builder writes of a page, without what nobody sees."""
    book.page(page, "index.md")
    built = book.build(builder, fresh=True, **DOCUMENTS)
    assert built.warnings == []
    name = {"latex": "book.tex", "man": "book.1", "texinfo": "book.texi", "text": "index.txt", "xml": "index.xml"}
    text = built.read(name.get(builder, "index.xhtml" if builder == "epub" else "index.html"))
    return " ".join(re.sub("|".join(UNSEEN), "", text).split())


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_table_looks_as_it_does_where_it_is_no_mechanic(book: Book, builder: str) -> None:
    plain = re.sub("(?m)^ *(?:```|::::).*\n", "", TABLES)
    assert written(book, builder, TABLES) == written(book, builder, plain)


ROAD = """
    ## Weather

    ```{dice:mechanic} road/weather
    ```

    | d6  | Weather | Wind      |
    |-----|---------|-----------|
    | 1   | Storm   | 2d6 knots |
    | 2–3 | Rain    | none      |
    | 4–6 | Fair    | *[Calm]*, then [a shrug] or [calm] |
"""
OTHER = """
    See {dice:ref}`road/weather` and {dice:ref}`this <road/calm>`.

    ## A Calm

    ```{dice:mechanic} road/calm
    ```

    1. Mild
    2. Hot

    ## Arms

    ```{dice:mechanic} road/arms
    :plain: note
    ```

    | d2 | Arm       | Note      |
    |----|-----------|-----------|
    | 1  | [weather] | [weather] |
    | 2  | bow       | [1], [calm] |
"""


@pytest.fixture
def road(book: Book) -> Book:
    """A book of two pages with tables that roll on each other."""
    book.page("```{toctree}\nroad\nother\n```", "index.md")
    book.page(ROAD, "road.md", "Road")
    book.page(OTHER, "other.md", "Other")
    return book


def cells(html: str) -> list[str]:
    """Return what is in the cells of the tables of a page."""
    return [re.sub(r"</?p>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", html, re.DOTALL)]


def test_a_table_named_in_a_cell_is_a_link_with_its_title(road: Book) -> None:
    built = road.build("html")
    calm = '<a class="reference internal" href="other.html#dice-road-calm"><span>A Calm</span></a>'
    assert cells(built.read("road.html"))[-1] == f"<em>{calm}</em>, then [a shrug] or {calm}"
    weather = '<a class="reference internal" href="road.html#dice-road-weather"><span>Weather</span></a>'
    assert cells(built.read("other.html")) == ["1", weather, "[weather]", "2", "bow", "[1], [calm]"]
    assert built.warnings == []


def test_the_columns_of_a_table_that_lies_on_its_side_are_its_rows(road: Book) -> None:
    lying = """
        ```{dice:mechanic} road/tools
        :plain: note
        ```

        | d2   | 1         | 2         |
        |------|-----------|-----------|
        | Tool | [weather] | rope      |
        | Note | one hand  | [weather], 3 |
    """
    road.page(lying, "other.md", "Tools")
    found = cells(road.build("html").read("other.html"))
    assert found[1].endswith("<span>Weather</span></a>")
    assert found[5] == "[weather], 3"


@pytest.mark.parametrize(
    ("builder", "file", "shown"),
    [
        ("singlehtml", "index.html", '#dice-road-calm"><span>A Calm</span></a></em>, then [a shrug] or <a '),
        ("latex", "book.tex", r"{\hyperref[\detokenize{other:dice-road-calm}]{\sphinxcrossref{A Calm}}}"),
        ("text", "road.txt", "| *A Calm*, then [a shrug] or A "),
        ("man", "book.1", ", then [a shrug] or A Calm"),
        ("texinfo", "book.texi", ",,A Calm}', then [a shrug] or @ref{"),
        ("xml", "road.xml", 'refuri="other#dice-road-calm"'),
        ("dummy", "", ""),
    ],
)
def test_every_builder_links_it_or_says_its_title(road: Book, builder: str, file: str, shown: str) -> None:
    built = road.build(builder, **DOCUMENTS)
    # Older docutils sets links of man pages in italics.
    assert not file or shown in built.read(file).replace(r"\fI\%", "")


def test_a_page_is_written_again_when_a_table_that_it_names_changes_its_title_or_its_place(road: Book) -> None:
    road.build("html")
    road.page(OTHER.replace("A Calm", "No wind"), "other.md", "Other")
    assert ">No wind</span></a>" in road.build("html").read("road.html")
    calm = "```{dice:mechanic} road/calm\n```\n\n1. Mild\n2. Hot\n"
    road.page("```{toctree}\nroad\nother\n```\n\n" + calm, "index.md")
    road.page("Nothing.", "other.md", "Other")
    assert 'href="index.html#dice-road-calm"><span>Page</span></a>' in road.build("html").read("road.html")
    road.page("```{toctree}\nroad\nother\n```", "index.md")
    assert cells(road.build("html").read("road.html"))[-1] == "<em>[Calm]</em>, then [a shrug] or [calm]"


def test_a_reference_to_a_table_says_its_title(road: Book) -> None:
    html = road.build("html").read("other.html")
    links = re.findall(r'href="(\S*#dice-road-\w+)"[^>]*><span[^>]*>(.*?)</span>', html)
    assert links[:2] == [("road.html#dice-road-weather", "Weather"), ("#dice-road-calm", "this")]


LOOT = """
    ## Weather

    ```{dice:mechanic} road/weather
    ```

    | d6  | Weather | Wind      |
    |-----|---------|-----------|
    | 1   | Storm   | 2d6 knots |
    | 2–6 | Rain    | none      |

    ## Loot

    ```{dice:mechanic} road/loot
    :danger: 0 (0 to 3)
    ```

    | d6 + danger | Loot                    | Guard     |
    |-------------|-------------------------|-----------|
    | 1–4         | 2d6 × 10 coins, 1d4 gems | [Weather] |
    | 5–9         | d6 - 1 rats             | none      |

    ```{dice:example} Some loot
    :mechanic: road/loot
    :danger: 2
    :dice: 2 5 4 1 1 6 5
    :expect: Guard=[Weather], Loot_rolled=90 1
    ```

    ```{dice:example} Rats
    :mechanic: road/loot
    :dice: 5 3
    :expect: Loot_rolled=2
    ```
"""
SAID = """
Danger 2 Dice d6: 2 Roll 2 + 2 (danger) = 4
Dice 2d6: 5 + 4 = 9 2d6 × 10 9 * 10 = 90 Dice d4: 1
Loot 2d6 × 10 coins, 1d4 gems (90, 1)
Weather Dice d6: 1 Weather Storm Dice 2d6: 6 + 5 = 11 Wind 2d6 knots (11)
Guard Weather (Storm)
"""


def test_the_working_of_a_table_says_what_came_up_and_what_was_thrown_for_it(book: Book) -> None:
    book.page(LOOT, "index.md")
    built = book.build("text", dicedocs_python_calls=False)
    assert built.warnings == []
    _, some, rats = re.split(r"Some loot:?|Rats:?", built.read("index.txt"))
    assert " ".join(some.split()).startswith(" ".join(SAID.split()))
    assert " ".join(rats.split()).startswith(
        "Dice d6: 5 Roll 5 Dice d6: 3 d6 - 1 3 - 1 = 2 Loot d6 - 1 rats (2) Guard none"
    )


def test_in_a_german_book_only_the_words_of_the_table_are_its_own(book: Book) -> None:
    book.page(LOOT, "index.md")
    text = book.build("text", language="de").read("index.txt")
    assert "Loot, gewürfelt\n   90 und 1\n" in text
    assert "Wurf\n   2 + 2 (danger) = 4\n" in text


def test_a_table_that_cannot_be_read_says_so_where_its_directive_is(book: Book) -> None:
    book.page("```{dice:mechanic} road/none\n```\n\nNo table.\n", "index.md")
    assert 'class="dice-error"' in book.build("html").read("index.html")
    assert "This table cannot be read" in book.build("text").read("index.txt")


STORM = """
    ```{dice:example} A storm
    :mechanic: road/weather
    :dice: 1 1 1
    :expect: Weather=Storm
    ```
"""


def test_a_table_is_a_statement_that_is_named_by_its_title_and_its_id(road: Book) -> None:
    road.page("```{toctree}\nroad\nother\n```\n\n```{dice:report}\n```\n", "index.md")
    road.page(ROAD + STORM, "road.md", "Road")
    built = road.build("html")
    index = built.read("index.html")
    assert 'href="road.html#dice-road-weather" title="Weather"><span>Weather (road/weather)</span></a>' in index
    assert "4 statements: 4 verified" in index
    assert re.findall(r">((?:Weather|A Calm|Calm, a|Arms) .*?)</a>", built.read("genindex.html")) == [
        "Arms (Other)",
        "Calm, a (Other)",
        "Weather (Road)",
    ]
    found = json.loads(built.read("searchindex.js").partition("(")[2].rstrip(")"))["objects"][""]
    assert [(one[3], one[4]) for one in found] == [
        ("dice-road-arms", "Arms"),
        ("dice-road-calm", "A Calm"),
        ("dice-road-weather", "Weather"),
    ]


# Pages that roll

ON = {"dicedocs_reroll": True, "dicedocs_pyodide": "runtime", "dicedocs_deck": 2}


@pytest.fixture
def rolling(road: Book) -> Book:
    """That book, with files in the place of Pyodide."""
    for name in FILES:
        road.write(f"runtime/{name}", '{"info": {"python": "3.14"}}')
    return road


def manifest(built: Built) -> Any:
    return json.loads(built.read("_static/dicedocs/manifest.json"))


def data(html: str) -> list[dict[str, object]]:
    return [json.loads(unescape(text)) for text in re.findall(r' data-dice="([^"]*)"', html)]


def test_a_table_of_a_page_that_rolls_can_be_rolled_where_it_stands(rolling: Book) -> None:
    built = rolling.build("html", **ON)
    assert [each["name"] for each in data(built.read("other.html"))] == ["road/calm", "road/arms"]
    assert [each["id"] for each in manifest(built)["player"]["mechanics"]] == ["road/arms", "road/calm", "road/weather"]
    html = built.read("road.html")
    assert re.search(
        r'</table>\s*<div class="no-search dice-below-table"><div data-dice="[^"]*" class="dice-outcome">', html
    )
    [deck] = (built.out / "_static/dicedocs/decks").glob("road.*.js")
    rolls = json.loads(deck.read_text("utf-8").partition("= ")[2].rstrip(";\n"))
    assert [each["link"] for each in rolls["0"]] == ["seed=road%2Fweather+2", "seed=road%2Fweather+3"]
    # It needs no file of its own.
    assert manifest(built)["player"]["modules"] == {}


def test_where_pages_do_not_roll_nothing_stands_below_a_table(rolling: Book) -> None:
    for builder in ("html", "epub", "text"):
        built = rolling.build(builder, **({} if builder == "html" else ON), epub_copyright="N", version="1")
        assert not any("dice-below-table" in file.read_text("utf-8") for file in built.out.rglob("*.*html"))


def test_pages_that_roll_name_another_list_when_a_table_changes(rolling: Book) -> None:
    before = rolling.build("html", **ON).read("other.html")
    rolling.page(ROAD.replace("Storm", "Hail"), "road.md")
    built = rolling.build("html", **ON)
    assert built.read("other.html") != before
    assert "Hail" in json.dumps(manifest(built)["player"]["mechanics"])


def test_a_table_with_a_mistake_does_not_travel(rolling: Book) -> None:
    rolling.page(ROAD.replace("road/weather", "road/weather\n    :plain: Wnd"), "road.md")
    built = rolling.build("html", **ON)
    assert [each["id"] for each in manifest(built)["player"]["mechanics"]] == ["road/arms", "road/calm"]
    assert data(built.read("road.html")) == []
    # Nor does another one roll on it.
    assert cells(built.read("other.html"))[1:3] == ["[weather]", "[weather]"]
