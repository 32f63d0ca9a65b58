"""Tables and numbered lists of pages are read as their readers see them, each row with its line, in every form."""

from typing import NamedTuple

import docutils
import pytest
from babel.messages.pofile import read_po, write_po

CONF = """
    from docutils import nodes
    from sphinx.transforms import SphinxTransform

    class ReadGrids(SphinxTransform):
        default_priority = 230

        def apply(self):
            from dicedocs_sphinx.book.row_lines import page_grid

            tables = self.document.findall(lambda node: isinstance(node, (nodes.table, nodes.enumerated_list)))
            read = [(table, page_grid(table)) for table in tables]
            self.env.grids = {**getattr(self.env, "grids", {}), self.env.docname: [grid for _, grid in read]}

    def setup(app):
        app.add_transform(ReadGrids)
        app.connect("env-before-read-docs", lambda app, env, names: names.sort())

    exclude_patterns = ["part*"]
    myst_substitutions = {"storm": "**Storm**"}
"""


class Form(NamedTuple):
    """A table as its author writes it, and what is read: the lines are those below the title of the page."""

    source: str
    head: tuple[int, tuple[str, ...]] | None
    rows: list[tuple[int, tuple[str, ...]]]
    file: str = ""
    suffix: str = "md"


def rst(*args, **settings):
    return Form(*args, **settings, suffix="rst")


LINES_OF_BLOCKS = "list table of blocks of rst"
FORMS = {
    # Markdown
    "bars": Form(
        r"""
        | d6  | Weather   | attack \ armour |
        |-----|:---------:|-----------------|
        | 1   | **Storm** | 2d6 × 10        |
        | 2–3 | [weather] | −1              |
        | 2–3 | [weather] | −1              |
        | 4   | a \| b    |                 |
        | 5   | {{ storm }}<br>`x`  | H<sub>2</sub> |
        | 6   | ![a dog](dog.png) [sun][] | [rain] |

        [sun]: https://example.com/s
        [rain]: https://example.com/r
        """,
        (1, ("d6", "Weather", r"attack \ armour")),
        [
            (3, ("1", "Storm", "2d6 × 10")),
            (4, ("2–3", "[weather]", "−1")),
            (5, ("2–3", "[weather]", "−1")),
            (6, ("4", "a | b", "")),
            (7, ("5", "Storm x", "H2")),
            (8, ("6", "a dog sun", "[rain]")),
        ],
    ),
    "bars without a head": Form(
        """
        Text.

        |   |   |
        |---|---|
        | 1 | a |
        """,
        (3, ("", "")),
        [(5, ("1", "a"))],
    ),
    "bars in a quotation in a list": Form(
        """
        - item

          > text
          >
          > | d6 | W |
          > |----|---|
          > | 1  | a |
          > | 2  | b |
        """,
        (5, ("d6", "W")),
        [(7, ("1", "a")), (8, ("2", "b"))],
    ),
    "bars with a caption": Form(
        """
        ````{note}
        ```{table} Caption
        :name: caption

        | d6 | W |
        |----|---|
        | 1  | a |
        | 2  | b |
        ```
        ````
        """,
        (5, ("d6", "W")),
        [(7, ("1", "a")), (8, ("2", "b"))],
    ),
    "bars in tabs": Form(
        """
        Add6 to What
        it says,
        21 more
        in 32 books.

        ::::{tab-set}
        :::{tab-item} A tab
        | d6 | W |
        |:--:|--:|
        | 1  | m |
        | 2  | b |
        :::
        ::::
        """,
        (8, ("d6", "W")),
        [(10, ("1", "m")), (11, ("2", "b"))],
    ),
    "list table": Form(
        """
        ```{list-table} Caption
        :header-rows: 1

        * - d6
          - W
        * - 1

            and more
          - a
        * -
          - b
        * - 3
          -
        ```
        """,
        (4, ("d6", "W")),
        [(6, ("1 and more", "a")), (10, ("", "b")), (12, ("3", ""))],
    ),
    "list table without a head in a quotation": Form(
        """
        > ```{list-table}
        > * - 1
        >   - a
        > * - 2
        >   - b
        > ```
        """,
        None,
        [(2, ("1", "a")), (4, ("2", "b"))],
    ),
    "csv": Form(
        """
        ```{csv-table} Caption
        :header: d6, W

        1, a
        "2", "b
        1, a"
        3, "c, d"
        3, "c, d"
        ```
        """,
        (2, ("d6", "W")),
        [(4, ("1", "a")), (5, ("2", "b 1, a")), (7, ("3", "c, d")), (8, ("3", "c, d"))],
    ),
    "csv in a quotation": Form(
        """
        > ```{csv-table}
        > :delim: ;
        >
        > 1; a
        > 2; "b
        > x"
        > 3; c
        > ```
        """,
        None,
        [(4, ("1", "a")), (5, ("2", "b x")), (7, ("3", "c"))],
    ),
    "csv of another file": Form(
        """
        ```{csv-table}
        :header-rows: 1
        :file: part.csv
        ```
        """,
        (-3, ("d6", "W")),
        [(-2, ("1", "a b")), (0, ("2", "b")), (1, ("2", "b"))],
        "part.csv",
    ),
    "numbered": Form(
        """
        > 3. one
        >    and more
        >
        >    a paragraph
        > 4. **two**
        >    - nested
        """,
        None,
        [(1, ("3", "one and more a paragraph")), (5, ("4", "two nested"))],
    ),
    "numbered in a directive": Form(
        """
        :::{note}
        1. one
        1. two
        1. two
        :::
        """,
        None,
        [(2, ("1", "one")), (3, ("2", "two")), (4, ("3", "two"))],
    ),
    "included part": Form(
        """
        ```{include} part.md
        :start-line: 3
        ```
        """,
        (3, ("d6", "W")),
        [(5, ("1", "a")), (6, ("2", "b"))],
        "part.md",
    ),
    "reStructuredText in Markdown": Form(
        """
        ```{eval-rst}
        .. note::

           == =
           d6 W
           == =
           1  a
           2  b
           == =
        ```
        """,
        (5, ("d6", "W")),
        [(7, ("1", "a")), (8, ("2", "b"))],
    ),
    # reStructuredText
    "grid": rst(
        r"""
        +-----+-----------------+------+
        | d6  | attack \ armour | C    |
        |     |                 |      |
        +=====+=================+======+
        | 1   |                 | [w]_ |
        |     | a               |      |
        |     |                 | |st| |
        |     | p2              |      |
        +-----+-----------------+------+
        | 2   | span            | H\ 2 |
        +-----+                 +------+
        | 3   |                 | d    |
        +-----+                 +------+
        | 3   |                 | e    |
        +-----+-----------------+------+
        | 4   | both                   |
        +-----+-----------------+------+
        | 5   | x \ *y*         | \*   |
        +-----+-----------------+------+

        .. |st| replace:: Storm
        .. [w] A citation.
        """,
        (2, ("d6", r"attack \ armour", "C")),
        [
            (5, ("1", "a p2", "[w] Storm")),
            (10, ("2", "span", "H2")),
            (12, ("3", "span", "d")),
            (14, ("3", "span", "e")),
            (16, ("4", "both", "both")),
            (18, ("5", "x y", "*")),
        ],
    ),
    "simple": rst(
        r"""
        ===== ===== =====
        \     Ranged
        ----- -----------
        d6    Hit   Miss
        ===== ===== =====
        1     a     b
        2     a     b
              more
        2     a     b
        ===== ===== =====
        """,
        (4, ("d6", "Ranged Hit", "Ranged Miss")),
        [(6, ("1", "a", "b")), (7, ("2", "a more", "b")), (9, ("2", "a", "b"))],
    ),
    "grid with a head of two rows": rst(
        """
        +----+----+
        | d6 | W  |
        |    +----+
        |    | X  |
        +====+====+
        | 1  | a  |
        +----+----+
        """,
        (4, ("d6", "W X")),
        [(6, ("1", "a"))],
    ),
    "simple with a head above all": rst(
        """
        ===== =====
        Weather
        -----------
        d6    W
        ===== =====
        1     a
        ===== =====
        """,
        (4, ("d6", "W")),
        [(6, ("1", "a"))],
    ),
    "simple in a table directive in a quotation": rst(
        """
        Text:

           .. table:: Caption
              :widths: auto

              == =
              1  a
              2  b
              == =
        """,
        None,
        [(7, ("1", "a")), (8, ("2", "b"))],
    ),
    "list table of rst": rst(
        """
        .. list-table::
           :header-rows: 1

           * - d6
             - W
             - X
           * -
             -
             - a

               b
           * - 3
             - c
             - d
        """,
        (4, ("d6", "W", "X")),
        [(7, ("", "", "a b")), (12, ("3", "c", "d"))],
    ),
    LINES_OF_BLOCKS: rst(
        """
        .. list-table::

           * - 1
             - a
           * - | 2
               | 3
             - b
           * - .. image:: dog.png
                  :alt: dog
             - c
        """,
        None,
        [(3, ("1", "a")), (5, ("2 3", "b")), (8, ("dog", "c"))],
    ),
    "csv of rst": rst(
        """
        .. csv-table:: Caption
           :header: d6, W

           1, a
           2, "b
           c"

        .. csv-table::
           :header: d6, W

           1, a
           2, "b
           d"
        """,
        (2, ("d6", "W")),
        [(4, ("1", "a")), (5, ("2", "b c"))],
    ),
    "csv of rst below one that begins alike": rst(
        """
        .. csv-table::
           :header: d6, W

           10, a
           20, b

        - item

          .. csv-table::
             :class: wide
             :header: d6, W
                      d6, X

             1, a
             2, b
        """,
        (2, ("d6", "W")),
        [(4, ("10", "a")), (5, ("20", "b"))],
    ),
    "csv of another file of rst": rst(
        """
        Text.

        .. csv-table::
           :file: /part.csv
        """,
        None,
        [(-3, ("d6", "W")), (-2, ("1", "a b")), (0, ("2", "b")), (1, ("2", "b"))],
        "part.csv",
    ),
    "numbered of rst": rst(
        """
        .. note::

           #. one
              and more

              a paragraph
           #. two

              a. nested
        """,
        None,
        [(3, ("1", "one and more a paragraph")), (7, ("2", "two nested"))],
    ),
    "included part of rst": rst(
        """
        .. include:: part.md
           :parser: myst_parser.sphinx_
           :start-line: 3
        """,
        (3, ("d6", "W")),
        [(5, ("1", "a")), (6, ("2", "b"))],
        "part.md",
    ),
    "included csv": rst(
        """
        .. include:: part_csv.txt
           :start-line: 5
        """,
        None,
        [(4, ("1", "a")), (5, ("2", "b"))],
        "part_csv.txt",
    ),
    "included simple": rst(
        """
        .. include:: part.txt
           :start-after: here
        """,
        None,
        [(3, ("1", "a")), (4, ("2", "b"))],
        "part.txt",
    ),
}
PARTS = {
    "part.csv": 'd6,W\n1,"a\nb"\n2,b\n2,b\n',
    "part.md": "\n" * 4 + "## Part\n\n| d6 | W |\n|----|---|\n| 1  | a |\n| 2  | b |\n",
    "part.txt": "here\n\nText.\n\n\n== =\n1  a\n2  b\n== =\n",
    "part_csv.txt": ".. csv-table::\n\n   10, a\n   20, b\n\n.. csv-table::\n\n   1, a\n   2, b\n",
}


@pytest.fixture(scope="module")
def grids(shared_book):
    shared_book.write("conf.py", CONF)
    for name, text in PARTS.items():
        (shared_book.src / name).write_text(text, "utf-8")
    for name, form in FORMS.items():
        shared_book.page(form.source, f"{name}.{form.suffix}")
    shared_book.page("Text.")
    return shared_book.build().app.env.grids


@pytest.mark.parametrize("name", FORMS)
def test_a_table_is_read_with_the_line_of_each_row(grids, shared_book, name):
    if name == LINES_OF_BLOCKS and docutils.__version_info__ < (0, 22):
        pytest.skip("docutils does not know the lines of images and of blocks of lines")
    grid, form = grids[name][0], FORMS[name]
    file = shared_book.src / (form.file or f"{name}.{form.suffix}")

    def placed(rows):
        return [(row.line - 4, row.cells) for row in rows]

    assert (grid.head and placed([grid.head])[0], placed(grid.rows)) == (form.head, form.rows)
    rows = [*([grid.head] if grid.head else []), *grid.rows]
    assert {row.file for row in rows} == {str(file)}
    assert grid.is_list == name.startswith("numbered")
    lines = file.read_text("utf-8").split("\n")
    for row in rows:
        # An empty cell is only a mark.
        words = [word.strip("[]") for cell in row.cells for word in cell.split()] + ["* -", "|   |"]
        assert any(word in lines[row.line - 1] for word in words), row


def test_equal_rows_and_tables_have_lines_of_their_own(book):
    """Neither parser knows where the second table of reStructuredText is."""
    table = ".. csv-table::\n   :header: d6, W\n\n   1, a\n   1, a\n\n"
    book.write("conf.py", CONF)
    book.write("index.rst", f"Page\n====\n\n{table * 3}")
    grids = book.build().app.env.grids["index"]
    assert [[row.line for row in (grid.head, *grid.rows)] for grid in grids] == [[5, 7, 8], [11, 13, 14], [17, 19, 20]]


def test_a_table_that_begins_like_the_one_above_has_lines_of_its_own(grids):
    second = grids["csv of rst below one that begins alike"][1]
    assert (second.head.cells, second.head.line) == (("d6", "W X"), 4 + 12)
    assert [row.line for row in second.rows] == [4 + 14, 4 + 15]
    assert [row.line for row in grids["csv of rst"][1].rows] == [4 + 11, 4 + 12]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        # Which of two equal tables is included, nobody knows.
        (".. include:: part.txt\n   :start-line: 13", 5),
        ("Text.\n\n.. csv-table::\n   :url: {url}", 5),
        ("Text.\n\n.. csv-table:: Caption\n   :url: {url}", 7),
    ],
)
def test_a_row_that_is_not_found_has_the_line_of_its_table(book, source, line):
    book.write("conf.py", CONF)
    (book.src / "part.txt").write_text("One.\n\n== =\n1  a\n2  b\n== =\n\n" * 3, "utf-8")
    table = book.folder / "table.csv"
    table.write_text("1,a\n2,b\n", "utf-8")
    book.page(source.format(url=table.as_uri()))
    [grid] = book.build().app.env.grids["index"]
    assert [row.line for row in grid.rows] == [line, line]
    assert [row.cells for row in grid.rows] == [("1", "a"), ("2", "b")]


TRANSLATED = {
    "index.md": """
        | d6 | Weather | Wind |
        |----|---------|------|
        | 1  | Rain    | none |
        | 2  | **Sun** | none |

        1. Rain
        2. **Sun**
    """,
    "more.rst": """
        == ======= =====
        d6 Weather Wind
        == ======= =====
        1  Rain    none
        2  **Sun** none
        == ======= =====

        1. Rain
        2. **Sun**
    """,
}


def test_a_translated_table_has_the_translated_text_and_the_lines_of_the_source(book):
    book.write("conf.py", CONF)
    for name, source in TRANSLATED.items():
        book.page(source, name)
    catalogues = book.build("gettext", gettext_compact=False)
    for name in ("index", "more"):
        with (catalogues.out / f"{name}.pot").open("rb") as file:
            catalogue = read_po(file)
        german = {"Weather": "Das *Wetter*", "Rain": "Regen und mehr", "**Sun**": "**Sonne**", "d6": "1d6"}
        for message in catalogue:
            message.string = german.get(message.id, "")
        path = book.src / f"locale/de/LC_MESSAGES/{name}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=0)
    book.write("conf.py", CONF + "\n    language = 'de'; locale_dirs = ['locale']; gettext_compact = False\n")
    grids = book.build().app.env.grids
    for name, head, first in [("index", 5, 7), ("more", 6, 8)]:
        table, numbered = grids[name]
        assert (table.head.line, table.head.cells) == (head, ("1d6", "Das Wetter", "Wind"))
        rows = [(first, ("1", "Regen und mehr", "none")), (first + 1, ("2", "Sonne", "none"))]
        assert [(row.line, row.cells) for row in table.rows] == rows
        items = first + 3 if name == "index" else first + 4
        assert [(row.line, row.cells[1]) for row in numbered.rows] == [(items, "Regen und mehr"), (items + 1, "Sonne")]
