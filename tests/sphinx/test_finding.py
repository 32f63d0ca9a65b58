"""How readers find a rule: by the index and by the search."""

import json
import re

from .conftest import Book, Built


def index_of(built: Built) -> list[tuple[str, str]]:
    """Return the entries of the index, each with its address."""
    index = built.read("genindex.html").partition("genindextable")[2].partition('role="navigation"')[0]
    links = re.findall(r'<li><a href="(.*?)">\s*(.*?)\s*</a>', index)
    return [(re.sub("<.*?>", "", text), address) for address, text in links]


HEADED = """
    ```{dice:rule} M1
    The title of the page names the chapter.
    ```

    ## Rounding

    ```{dice:rule} M2, M3
    Down.
    ```

    ```{dice:rule} M4
    Once.
    ```

    ```{dice:rule} M5 The halves
    Up.
    ```

    ### Resting

    ```{dice:example} And again
    :mechanic: methuen/expression
    :expression: 1
    :expect: total=1
    ```

    ```{dice:table} Sums
    :mechanic: methuen/expression
    :expression: 1d4
    ```

    ```{index} sleep
    ```

    ```{dice:rule} M6
    Sleep.
    ```

    ```{glossary}
    favor
      A spirit helps.
    ```
"""


def test_the_index_lists_rules_and_terms_by_title_or_heading(book: Book) -> None:
    book.page(HEADED, "index.md")
    built = book.build("html")
    assert built.warnings == []
    assert index_of(built) == [
        ("favor", "index.html#term-favor"),
        ("Halves, the", "index.html#dice-M5"),
        ("Resting", "index.html#resting"),
        ("Rounding", "index.html#rounding"),
        ("sleep", "index.html#index-0"),
    ]
    paper = book.build("latex", latex_documents=[("index", "book.tex", "Book", "", "manual")]).read("book.tex")
    assert set(re.findall(r"\\index\{(.*?)@", paper)) == {"favor", "Halves, the", "Resting", "Rounding", "sleep"}
    assert r"\printindex" in paper


def test_a_name_of_several_chapters_has_an_entry_for_each_of_them_in_the_index(book: Book) -> None:
    book.write("index.md", "# Book\n\n```{toctree}\n:glob:\n\nc*\n```\n")
    rules = "# {}\n\n## Checks\n\n```{{dice:rule}} {}1\nRoll.\n```\n\n## {}\n\n```{{dice:rule}} {}2\nAnd on.\n```\n"
    for name, title, own, other in (
        ("c1", "Dungeons: a pool", "A", "Resting"),
        ("c2", "Magic: spells", "B", "Running"),
        ("c3", "Magic: runes", "C", "resting"),
    ):
        book.write(f"{name}.md", rules.format(title, own, other, own))
    built = book.build("html")
    assert built.warnings == []
    index = built.read("genindex.html").partition("genindextable")[2].partition('role="navigation"')[0]
    entries = re.findall(r'<li>(?:<a href="(.*?)">)?\s*(\w[^<\n]*?)\s*<', index)
    assert entries == [
        ("", "Checks"),
        ("c1.html#checks", "Dungeons"),
        # A title as it is, where another chapter has the same one before its colon.
        ("c3.html#checks", "Magic: runes"),
        ("c2.html#checks", "Magic: spells"),
        ("", "Resting"),
        ("c1.html#resting", "Dungeons"),
        ("c3.html#resting", "Magic: runes"),
        ("c2.html#running", "Running (Magic: spells)"),
    ]


def test_a_page_knows_the_short_title_that_a_phone_shows_as_text(book: Book) -> None:
    book.write("index.md", '# A `"<b>"`: one\n\n## Part\n\nText.\n\n## Other\n\nText.\n')
    html = book.build("html", html_theme="dicedocs").read("index.html")
    assert re.findall('data-page="(.*?)">', html) == ["A &#34;&lt;b&gt;&#34;"]


def test_a_term_gives_way_in_the_index_to_what_its_chapter_says_of_it(book: Book) -> None:
    page = """
        ## The Counter

        ```{dice:rule} R1
        It counts.
        ```

        ```{index} sleep
        ```

        Sleep well.

        ```{glossary}
        counter
          What counts.

        Sleep
          What you need.

        favor
          A spirit helps.
        ```
    """
    book.page(page, "index.md")
    built = book.build("html")
    assert built.warnings == []
    assert index_of(built) == [
        ("Counter, the", "index.html#the-counter"),
        ("favor", "index.html#term-favor"),
        ("sleep", "index.html#index-0"),
    ]


def test_the_search_finds_rules_by_title_or_heading_and_before_other_blocks(book: Book) -> None:
    book.page(HEADED, "index.md")
    built = book.build("html", html_theme="dicedocs")
    found = json.loads(built.read("searchindex.js").partition("(")[2].rstrip(")"))
    priorities = {name: (found["objnames"][str(kind)][2], rank) for _, kind, rank, _, name in found["objects"][""]}
    assert priorities == {
        # One without a title or heading would be listed by its id, which readers don't see.
        "Rounding": ("rule", 0),
        "The halves": ("rule", 0),
        "Resting": ("rule", 0),
        "favor": ("glossary term", 0),
    }
    # What is found as an object needs no second result as an entry of the index.
    assert found["indexentries"] == {"sleep": [[0, "index-0", True]]}
    assert "Search._index" in built.read("_static/language_data.js")
    assert '<a class="index-link" href="genindex.html">Index</a>' in built.read("index.html")


def test_an_index_entry_of_a_table_names_one_element(book: Book) -> None:
    book.page(
        """
        ```{index} bridge
        ```

        | d2 | Toll |
        |----|------|
        | 1  | one  |
        """,
        "index.md",
    )
    page = book.build("html", html_theme="dicedocs").read("index.html")
    assert re.findall(r'<(\w+)[^>]* id="index-0"', page) == ["table"]


def test_an_author_may_have_another_order_of_search_results(book: Book) -> None:
    book.page("Text.")
    order = book.write("order.js", "var Scorer = {mine: 1};")
    built = book.build("html", html_theme="dicedocs", html_search_scorer=str(order))
    assert "var Scorer = {mine: 1};" in built.read("_static/language_data.js")


def excerpts(built: Built) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(built.read("_static/excerpts.js").removeprefix("const EXCERPTS = "))
    return found


def test_results_of_a_search_have_excerpts(book: Book) -> None:
    book.page(HEADED.replace("Down.", "A {dice:roll}`2 + 1`, {term}`favor`, " + "and down " * 60), "index.md")
    book.write("other.md", "---\norphan: true\n---\n\n# Other\n\nOld.\n")
    built = book.build("html", html_theme="dicedocs")
    assert built.warnings == []
    found = excerpts(built)
    assert found["other.html"] == {"": "Old.", "#other": "Old."}
    texts = found["index.html"]
    assert texts["#dice-M2"] == texts["#rounding"] == "A 3 (2 + 1), favor, " + "and down " * 31 + "…"
    assert texts["#dice-M6"] == texts["#index-0"] == "Sleep."
    assert texts["#term-favor"] == "A spirit helps."
    # The pages that another build does not write keep theirs, and a page that is gone has none.
    other = book.write("other.md", "---\norphan: true\n---\n\n# Other\n\nNew.\n")
    assert excerpts(book.build("html", html_theme="dicedocs")) == found | {"other.html": {"": "New.", "#other": "New."}}
    other.unlink()
    assert excerpts(book.build("html", html_theme="dicedocs")) == {"index.html": texts}


def test_an_excerpt_is_what_readers_see_of_a_text_that_follows_their_roll(book: Book) -> None:
    example = """
        ```{dice:example} Power shot
        :name: shot
        :mechanic: dice/roll
        :notation: 2d6
        :dice: 4 3

        She rolls {dice:fact}`dice`, and *hits* for {dice:fact}`total`.
        ```
    """
    book.page(example, "index.md")
    built = book.build("html", html_theme="dicedocs", dicedocs_reroll=True, dicedocs_pyodide="https://files.test/")
    assert "data-dice-fact" in built.read("index.html")
    assert excerpts(built)["index.html"]["#dice-shot"] == "She rolls 4 and 3, and hits for 7."


def test_the_first_part_of_the_navigation_is_unfolded_where_a_page_is_in_none(book: Book) -> None:
    book.write("index.md", "# Book\n\n```{toctree}\none/index\ntwo/index\n```\n")
    for part in ("one", "two"):
        book.write(f"{part}/index.md", f"# Part {part}\n\n```{{toctree}}\npage\n```\n")
        book.write(f"{part}/page.md", f"# Page {part}\n")
    built = book.build("html", html_theme="dicedocs")
    unfolded = {
        page: re.findall(r'Part (\w+)</a><input [^>]*\bchecked=""', built.read(page))
        for page in ("index.html", "genindex.html", "one/page.html", "two/page.html")
    }
    assert unfolded == {
        "index.html": ["one"],
        "genindex.html": ["one"],
        "one/page.html": ["one"],
        "two/page.html": ["two"],
    }
