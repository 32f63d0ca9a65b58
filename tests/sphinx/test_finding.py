"""How readers find a rule: by the index."""

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
        ("Resting", "index.html#dice-M6"),
        ("Rounding", "index.html#dice-M2"),
        ("sleep", "index.html#index-0"),
    ]
    paper = book.build("latex", latex_documents=[("index", "book.tex", "Book", "", "manual")]).read("book.tex")
    assert set(re.findall(r"\\index\{(.*?)@", paper)) == {"favor", "Halves, the", "Resting", "Rounding", "sleep"}
    assert r"\printindex" in paper
