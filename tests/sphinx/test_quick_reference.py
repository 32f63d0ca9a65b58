"""A quick reference: the rules of a page in a list, each under the heading of its section."""

import re
from html import escape

import pytest

from ..hostile import EVERYTHING, SCRIPT

PAGE = """
```{dice:rule} B1
Roll two dice.
```

## Damage and `armour`

```{dice:rule} B2, B3 The arrow
It does **3d6**, see {dice:rule}`B4`, and {dice:fact}`shot.total` here:

| d6 | Where |
|----|-------|
| 1  | head  |
```

```{dice:example} A shot
:name: shot
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11
:shows: B2
```

### Plate

````{admonition} Ruling
```{dice:rule} B4
It stops 2.
```
````

## Silence

Nothing to roll.

## Moves

```{dice:mechanic} road/move
:stat: 0 (-1 to 3)

total = 2d6 + stat

On a miss, the GM makes a move.
```

## Weather

```{dice:mechanic} road/weather
```

| d6  | Weather |
|-----|---------|
| 1-3 | Rain    |
| 4-6 | Fair    |

## At a glance

```{dice:rule} B5
A table of our own.
```

```{dice:reference}
```
"""


def written(html: str) -> str:
    return re.search(r'<dl class="[^"]*dice-reference[^"]*">.*?</dl>', html, re.DOTALL)[0]


def entries(html: str) -> list[tuple[str, str, str]]:
    """Return the target of each heading, its text and its words."""
    found = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", re.sub(r"\n", " ", written(html)))
    plain = [[" ".join(re.sub(r"<[^>]+>", " ", part).split()) for part in pair] for pair in found]
    return [(re.search('href="([^"]*)"', term)[1], *texts) for (term, _), texts in zip(found, plain, strict=True)]


@pytest.mark.parametrize("look", ["full", "compact"])
def test_the_rules_stand_under_the_headings_of_their_sections_in_the_order_of_the_page(book, look):
    book.page(PAGE, "index.md", "The bow")
    built = book.build("html", html_theme="basic", dicedocs_look=look)
    assert built.log == ""
    html = built.read("index.html")
    assert entries(html) == [
        ("#the-bow", "The bow", "Roll two dice."),
        (
            "#damage-and-armour",
            "Damage and armour",
            "The arrow It does 3d6 , see B4 , and 11 here: d6 Where 1 head",
        ),
        ("#plate", "Plate", "It stops 2."),
        ("#moves", "Moves", "total = 2d6 + stat On a miss, the GM makes a move."),
        ("#weather", "Weather", "Weather"),
    ]
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert " id=" not in written(html)
    for anchor in re.findall('href="#([^"]+)"', written(html)):
        assert anchor in ids


def test_rules_can_be_left_out_and_show_their_ids_where_readers_see_those(book):
    book.page(
        PAGE.replace("{dice:reference}\n", "{dice:reference}\n:without: B3 road/move, road/weather\n:class: wide\n"),
        "index.md",
    )
    built = book.build("html", html_theme="basic", dicedocs_rule_ids=True)
    assert built.log == ""
    html = built.read("index.html")
    assert [texts for _, *texts in entries(html)] == [["Page", "B1 Roll two dice."], ["Plate", "B4 It stops 2."]]
    assert re.match('<dl class="[^"]*wide', written(html))
    assert 'href="#dice-B4"' in written(html)


def test_a_reference_without_rules_and_unknown_ids_are_reported(book):
    book.page("```{dice:reference}\n```\n", "index.md")
    [warning] = book.build("html").warnings
    assert (warning.line, warning.type) == (5, "dicedocs.reference")
    assert warning.text == (
        "dice:reference: there is no rule in the other sections of this page; state one with dice:rule or dice:mechanic"
    )
    assert "dice-reference" not in book.build("html").read("index.html")
    book.page(PAGE.replace("{dice:reference}\n", "{dice:reference}\n:without: B1, B5..B6\n"), "index.md")
    [warning] = book.build("html").warnings
    assert warning.text == (
        "dice:reference: the other sections of this page have no rule 'B5' and 'B6'; correct 'without'"
    )


def test_a_rule_that_changes_and_a_fact_of_another_page_change_in_the_reference(book):
    book.page(PAGE.replace("shot.total", "other.total") + "\n```{toctree}\nother\n```\n", "index.md")
    other = PAGE[PAGE.index("```{dice:example}") : PAGE.index("### Plate")].replace("shot", "other")
    book.page(other, "other.md")
    assert "and 11 here" in entries(book.build("html", html_theme="basic").read("index.html"))[1][2]
    book.page(other.replace("5\n", "6\n").replace("11", "12"), "other.md")
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    assert "and 12 here" in entries(built.read("index.html"))[1][2]


def test_hostile_words_are_words(book):
    words = "".join(each if each.isalnum() else f"\\{each}" for each in f"{SCRIPT}{EVERYTHING}")
    rule = f".. dice:rule:: B1 {words[:400]}\n\n   {words}\n"
    heading, below = (f"{title}\n{'-' * 500}\n\n" for title in (f"x{words[:400]}", "At a glance"))
    book.page(f"{heading}{rule}\n{below}.. dice:reference::\n")
    for builder in ("html", "latex"):
        assert book.build(builder).log == ""
    html = written(book.build("html", html_theme="basic").read("index.html"))
    # In the heading, in the title and in the words.
    assert html.count(escape(SCRIPT)) >= 3
    assert SCRIPT not in html
    assert "<img" not in html
    book.page(f"{rule}\n{below}.. dice:reference::\n   :without: {SCRIPT}\n")
    [warning] = book.build().warnings
    assert warning.text.endswith(f"have no rule '{SCRIPT}'; correct 'without'")


@pytest.mark.parametrize(
    ("builder", "file", "heading", "words"),
    [
        ("text", "index.txt", 'Damage and "armour"', "It stops 2."),
        ("latex", "book.tex", r"\hyperref[\detokenize{index:plate}]", "It stops 2."),
        ("epub", "index.xhtml", 'href="#plate"', "It stops 2."),
        ("singlehtml", "index.html", 'href="#plate"', "It stops 2."),
        ("man", "book.1", "Plate", "It stops 2."),
        ("gettext", "index.pot", "Plate", "It stops 2."),
    ],
)
def test_every_builder_writes_it(book, builder, file, heading, words):
    book.page(PAGE + "\n```{toctree}\nother\n```\n", "index.md")
    book.page("```{dice:rule} C1\nOf another page.\n```\n", "other.md", "Other")
    documents = {
        "latex_documents": [("index", "book.tex", "Book", "", "manual")],
        "man_pages": [("index", "book", "Book", ["N"], 1)],
    }
    built = book.build(builder, suppress_warnings=["epub"], **documents)
    assert built.log == ""
    text = built.read(file)
    assert heading in text
    # Once where it is stated, and once in the reference; a catalogue has it once.
    assert text.count(words) == (1 if builder == "gettext" else 2)
    assert text.count("Of another page.") == (1 if builder in {"latex", "singlehtml", "man"} else 0)
