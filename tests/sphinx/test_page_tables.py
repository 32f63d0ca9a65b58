"""Tables and lists of a page are rules of the book: found, checked row by row, and played by examples anywhere."""

import pytest

ROAD = """
```{dice:mechanic} road/weather
```

Roll the weather each morning.

| d6  | Weather | Wind      |
|-----|---------|-----------|
| 1   | Storm   | 2d6 knots |
| 2–3 | Rain    | none      |
| 4–6 | Fair    | [calm]    |

## Calm

```{dice:mechanic} road/calm
```

1. Mild
2. Hot
"""
PLAYED = """
```{dice:example} A storm
:name: storm
:mechanic: road/weather
:dice: 1 3 4
:expect: Weather=Storm, Wind_rolled=7

{dice:fact}`Weather`, {dice:fact}`Wind` at {dice:fact}`Wind_rolled`.
```

```{dice:odds} The weather
:mechanic: road/weather
:expect: p(Storm)=16.7%, p(Rain)=33.3%
```

```{dice:example} Fair and hot
:mechanic: road/weather
:dice: 5 2
:expect: Weather=Fair, Wind=[calm], Wind_rolled=Hot, roll=5
```
"""
TOC = "```{toctree}\nroad\n```\n"


@pytest.fixture
def road(book):
    """A book whose first page plays the tables of its second."""
    book.page(PLAYED + TOC, "index.md")
    book.page(ROAD, "road.md", title="Road")
    return book


def test_a_table_is_played_and_counted_on_any_page(road):
    built = road.build("text", jobs=2)
    assert built.log == ""
    assert "Storm, 2d6 knots at 7." in built.read("index.txt")
    assert "Storm    16.7%" in built.read("index.txt")


def test_a_changed_table_has_its_examples_checked_again(road):
    assert road.build("text").log == ""
    road.page(ROAD.replace("Storm ", "Gale  "), "road.md", title="Road")
    [wrong, claim] = road.build("text").warnings
    assert (wrong.file, wrong.line, wrong.type) == ("index.md", 9, "dicedocs.mismatch")
    assert wrong.text.startswith("storm: expected Weather=Storm, Wind_rolled=7, got Weather=Gale, Wind_rolled=7")
    assert (claim.file, claim.type) == ("index.md", "dicedocs.value")
    road.page(ROAD, "road.md", title="Road")
    again = road.build("text")
    assert again.log == ""
    assert "Storm, 2d6 knots at 7." in again.read("index.txt")


def test_a_changed_table_that_is_rolled_on_counts_too(road):
    assert road.build("text").log == ""
    road.page(ROAD.replace("2. Hot", "2. Close"), "road.md", title="Road")
    [wrong] = road.build("text").warnings
    assert wrong.text.startswith("example-2: expected Weather=Fair, Wind=[calm], Wind_rolled=Hot, roll=5, got ")
    assert "Wind_rolled=Close" in wrong.text


def test_a_table_that_is_gone_is_missed(road):
    assert road.build("text").log == ""
    road.page("Nothing.", "road.md", title="Road")
    [missing] = road.build("text").warnings
    assert (missing.file, missing.line, missing.type) == ("index.md", 7, "dicedocs.mechanic")
    assert missing.text.startswith("storm: there is no mechanic 'road/weather'")
    assert missing.text.endswith("(so for 2 more blocks)")


def test_a_book_does_not_know_the_tables_of_the_one_before(road, tmp_path):
    from .conftest import Book

    assert road.build("text").log == ""
    other = Book(tmp_path / "other")
    other.page(PLAYED, "index.md")
    assert {each.type for each in other.build("text").warnings} == {"dicedocs.mechanic"}


def test_equal_texts_of_one_id_are_one_table(book):
    book.page(PLAYED + "```{toctree}\nroad\nagain\n```\n", "index.md")
    book.page(ROAD, "road.md", title="Road")
    book.page("Once more.\n" + ROAD, "again.md", title="Again")
    assert book.build("text").log == ""


def test_different_texts_of_one_id_are_an_error_with_both_places(book):
    book.page(PLAYED + "```{toctree}\nroad\nroad2\n```\n", "index.md")
    book.page(ROAD, "road.md", title="Road")
    book.page(ROAD.replace("Storm", "Gale"), "road2.md", title="Again")
    [twice] = [each for each in book.build("text").warnings if each.type == "dicedocs.duplicate"]
    assert (twice.file, twice.line) == ("road2.md", 5)
    assert twice.text == f"the name 'road/weather' is taken already at {book.src}/road.md:5; choose another one"


def test_an_included_table_is_one(book):
    book.write("table.md", ROAD)
    book.page(PLAYED + "```{toctree}\nroad\nagain\n```\n", "index.md")
    for name in ("road", "again"):
        book.page("```{include} table.md\n```\n", f"{name}.md", title=name)
    book.conf = "exclude_patterns = ['table.md']"
    book.write("conf.py", book.conf)
    assert book.build("text").log == ""


LINKS = """
```{{dice:mechanic}} t/names
```

| d3 | Formula            | Meet        |
|----|--------------------|-------------|
| 1  | The [Noun]         | {0}         |
| 2  | A [Noun] of [Noun] | [Wolves]    |
| 3  | A [Noun]           | [sea/gulls] |

## Nouns

```{{dice:mechanic}} t/nouns
```

1. owl
2. fox
"""


PLAIN = "write plain: {}, where brackets are text"
ROW = 10
"""The line of the first row, behind the heading of the page."""


def test_names_of_no_table_are_reported_once_a_column_with_the_way_out(book):
    book.page(LINKS.format("[t/wolves]"), "index.md")
    assert [(each.line, each.text) for each in book.build("text").warnings] == [
        (ROW, f"t/names: there is no table 't/noun'; did you mean 't/nouns'? If not, {PLAIN.format('Formula')}"),
        (ROW, f"t/names: there is no table 't/wolves'; correct it, or {PLAIN.format('Meet')}"),
    ]
    book.page(LINKS.format("[t/wolves]").replace("t/names\n", "t/names\n:plain: Formula, Meet\n"), "index.md")
    assert book.build("text").log == ""
    # What begins like no id of the book, and is like the name of no table, is text.
    book.page(LINKS.format("[Bear]").replace("t/names\n", "t/names\n:plain: Formula\n"), "index.md")
    assert book.build("text").log == ""


def test_what_is_wrong_only_among_all_tables_is_reported_at_its_row(book):
    gems = "```{dice:mechanic} t/gem\n```\n\n| d2 | Gem |\n|----|-----|\n| 1  | ruby |\n| 2  | opal |\n\n"
    hoard = gems.replace("gem", "hoard").replace("ruby", "several rolls on [gem]")
    book.page(gems + hoard, "index.md")
    [warning] = book.build("text").warnings
    assert warning.text.startswith(
        "t/hoard: 'several rolls on [gem]' cannot be rolled: 'several rolls on' is no number"
    )
    # The heading of the page takes four lines, and the first table eight.
    assert warning.line == 4 + 8 + 6
