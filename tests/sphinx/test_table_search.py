"""A directive finds the table or the list that it is about, with its title and the die that is named for it."""

from typing import NamedTuple

import pytest

from dicedocs.page_rules.near_table import named_dice

CONF = """
    from docutils import nodes
    from sphinx.transforms import SphinxTransform
    from sphinx.util.docutils import SphinxDirective

    class Pick(SphinxDirective):
        has_content = True

        def run(self):
            return [nodes.sidebar("", *self.parse_content_to_nodes())]

    class FindTables(SphinxTransform):
        default_priority = 230

        def apply(self):
            from dicedocs_sphinx.book.row_lines import page_grid
            from dicedocs_sphinx.book.table_search import find_table, title_for_readers

            found = [find_table(node) for node in self.document.findall(nodes.sidebar)]
            self.env.found = {
                **getattr(self.env, "found", {}),
                self.env.docname: [
                    each and (page_grid(each.table).rows[0].cells[1], title_for_readers(each.table), each.dice)
                    for each in found
                ],
            }

    def setup(app):
        app.add_directive("pick", Pick)
        app.add_transform(FindTables)
"""


class Page(NamedTuple):
    """A page, and for each directive in it the first result of its table, the title, and the die; or ``None``."""

    source: str
    found: list[tuple[str, str, str] | None]


PAGES = {
    "other text may stand between": Page(
        """
        ```{pick}
        ```

        Some 2d6 or d8 text.

        - a list (1d4)
          1. no

        % a comment

        (target)=

        ![image](x.png)

        Roll on this list (1d6):

        1. Rain
        2. Sun
        """,
        [("Rain", "Page", "1d6")],
    ),
    "the caption comes first": Page(
        """
        ```{pick}
        ```

        Roll 1d8.

        ```{table} Weather (d6)
        | n | W    |
        |---|------|
        | 1 | Rain |
        ```
        """,
        [("Rain", "Weather (d6)", "d6")],
    ),
    "then the last paragraph": Page(
        """
        ```{pick}
        ```

        Roll 1d8.

        Roll 2d6 - danger, and look.

        | n | W    |
        |---|------|
        | 1 | Rain |
        """,
        [("Rain", "Page", "2d6 - danger")],
    ),
    "then the title of the section": Page(
        """
        ## Weather (1d6 + 1)

        ```{pick}
        ```

        | n | W    |
        |---|------|
        | 1 | Rain |
        """,
        [("Rain", "Weather (1d6 + 1)", "1d6 + 1")],
    ),
    "a heading ends the search": Page(
        """
        ```{pick}
        ```

        ## Below

        1. Rain
        """,
        [None],
    ),
    "a heading in a directive too": Page(
        """
        :::{compound}
        ```{pick}
        ```

        ### Below

        1. Rain
        :::

        1. Sun
        """,
        [None],
    ),
    "another directive ends the search": Page(
        """
        ```{pick}
        ```

        ```{pick}
        ```

        1. Rain

        ```{pick}
        ```
        """,
        [None, ("Rain", "Page", ""), None],
    ),
    "the table in the directive": Page(
        """
        ```{pick}
        Roll 1d6:

        1. Rain
        ```

        1. Sun
        """,
        [("Rain", "Page", "1d6")],
    ),
    "a table in a wrapper": Page(
        """
        ```{pick}
        ```

        ::::{container} wide
        Roll 1d6:

        > 1. Rain
        ::::
        """,
        [("Rain", "Page", "1d6")],
    ),
    "not in other blocks, boxes, lists and definitions": Page(
        """
        ```{pick}
        ```

        ```{dice:example} An example
        :mechanic: dice/roll
        :roll: 1d6
        :dice: 3

        1. Example
        ```

        ```{note}
        1. Note
        ```

        - 1. Bullet

        term
        : 1. Definition

        1. Rain
        """,
        [("Rain", "Page", "")],
    ),
}


@pytest.fixture(scope="module")
def found(shared_book):
    shared_book.write("conf.py", CONF)
    for number, page in enumerate(PAGES.values()):
        shared_book.page(page.source, f"page{number}.md")
    shared_book.page("Text.")
    built = shared_book.build()
    return {name: built.app.env.found[f"page{number}"] for number, name in enumerate(PAGES)}


@pytest.mark.parametrize("name", PAGES)
def test_a_directive_finds_its_table(found, name):
    assert found[name] == PAGES[name].found


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("Roll on this list (1d6):", "1d6"),
        ("Roll a d66 and look.", "d66"),
        ("Roll D% twice, with d% each", "d%"),
        ("1d6, that is d6", "1d6"),
        ("2d6+3 or 2d6 + 3", "2d6 + 3"),
        ("3d6 × 10 or 3d6", ""),
        ("d6 + danger, d6+danger", "d6 + danger"),
        ("2d6 − 1", "2d6 − 1"),
        ("the d6-table", "d6"),
        ("a d6, or a d8", ""),
        ("a d6/d8", ""),
        ("1d4-1d4", "1d4 - 1d4"),
        ("3d6kh1, add6, 1.5d6, d6x", "3d6kh1"),
        ("Roll 2d6 and add your Heart:", "2d6 + Heart"),
        ("Roll 2d20 and keep the lower:", "2d20 keep the lower"),
        ("Roll 2d6 and add them together.", "2d6"),
        ("Roll a d6 and take the result.", "d6"),
        ("no die", ""),
        ("Wirf 2W6+1:", "2d6 + 1"),
        ("Wetter – W6", "d6"),
        ("Roll a six-sided die:", "1d6"),
        ("Roll two d6, or 2 d6.", "2d6"),
        ("Roll 2d20, keeping the lower:", "2d20 keeping the lower"),
        ("Roll 2d20; take the worse:", "2d20 take the worse"),
        ("Roll 1d6 twice and take the lower:", "1d6 twice and take the lower"),
        ("Roll 2d6 and double it:", "2d6 double it"),
        ("Roll 2d6. Add your Heart.", "2d6 + Heart"),
        ("Roll 1d8+1d12 on the resolution table, adding the modifier to the result.", "1d8 + 1d12 + modifier"),
        ("Roll 2d6 on this table below and add your Heart.", "2d6 + Heart"),
        ("Roll 2d6 on the table of the Heart.", "2d6"),
        ("Add your Heart to 2d6:", "Add your Heart to 2d6"),
        ("Roll 1d6. Add the goblins to the map.", "1d6"),
    ],
)
def test_the_one_die_that_a_text_names(text, dice):
    assert named_dice(text) == dice


TABLE = "| {} | W |\n|---|---|\n| 1-4 | x |\n| 5-8 | y |\n"
STATED = {
    # What a page says of the die, and the warnings.
    "## List (d6)\n\n```{dice:mechanic} t/one\n```\n\nRoll 1d6:\n\n1. a\n2. b\n3. c\n4. d\n5. e\n": [
        "6 is in no row; add a row for it, or extend one"
    ],
    "## List (d6)\n\n```{dice:mechanic} t/one\n```\n\n" + "".join(f"{number}. a\n" for number in range(1, 8)): [
        "no roll gives 7"
    ],
    "```{dice:mechanic} t/one\n```\n\nRoll 1d12 here:\n\n" + TABLE.format("d8"): [
        "the text above says '1d12', and the head of the table says 'd8'; correct one of the two"
    ],
    "Roll 1d12 on this table:\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("d8"): [
        "the text above says '1d12', and the head of the table says 'd8'; correct one of the two"
    ],
    "## Weather (d10)\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("d8"): [
        "the heading says 'd10', and the head of the table says 'd8'; correct one of the two"
    ],
    "```{dice:mechanic} t/one\n:dice: 1d8\n```\n\nRoll 1d12:\n\n" + TABLE.format("Roll"): [
        "the text above says '1d12', and dice says '1d8'; correct one of the two"
    ],
    # A sentence about a case of its own says nothing of the table, unless it names it.
    "Roll 1d8. If the last charge is gone, roll a d20.\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("d8"): [],
    "When it is cast, 1d4 creatures that fail their roll run.\n\n```{dice:mechanic} t/one\n```\n\n"
    + TABLE.format("d8"): [],
    "Roll 1d8. If the last charge is gone, roll a d20.\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("Roll"): [],
    "When you rest, roll 1d12 on this table:\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("d8"): [
        "the text above says '1d12', and the head of the table says 'd8'; correct one of the two"
    ],
    # The sentence above decides if nothing nearer does, and is no statement if it says nothing of rolling.
    "Roll 1d8 on this table:\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("Roll"): [],
    "A wolf bites for 1d6.\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("d8"): [],
    "## Traits (d8)\n\n### Build\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("Roll"): [],
    "## Traits (d10)\n\n### Build (d8)\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("Roll"): [],
    "## A d8 of traits\n\n### Build\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("Roll"): [
        "nothing says what to roll; write dice: 1d8, or dice: level"
    ],
    "## Steps (d8)\n\n### First\n\n```{dice:mechanic} t/one\n```\n\n1. a\n2. b\n": [],
    "A robe has 4d4 patches. Roll each on this table.\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("d8"): [],
    "A wolf bites for 1d6.\n\n```{dice:mechanic} t/one\n```\n\n" + TABLE.format("Roll"): [
        "nothing says what to roll; write dice: 1d8, or dice: level"
    ],
    "## Weather (d8)\n\n```{dice:mechanic} t/one\n:danger: 0 (0 to 1)\n```\n\nRoll 1d8:\n\n"
    "| d8 + danger | W |\n|-|-|\n| 1-9 | x |\n": [],
}


def test_all_that_is_said_of_the_die_near_a_table_is_compared(book):
    wrong = {}
    for page, meant in STATED.items():
        book.page(page, "index.md")
        found = [each.text.removeprefix("t/one: ") for each in book.build("text").warnings]
        if len(found) != len(meant) or any(
            not text.startswith(start) for text, start in zip(found, meant, strict=True)
        ):
            wrong[page] = found
    assert wrong == {}


def test_a_list_that_is_split_is_reported(book):
    book.page(".. dice:mechanic:: t/enum\n\n1. a\n\n2. b\n\n4. c\n\n5. d\n")
    [warning] = book.build("text").warnings
    assert warning.text == "t/enum: another list follows below, and begins with 4; number both as one list"
    for between in ("or, at night:", ".. a comment"):
        book.page(f".. dice:mechanic:: t/enum\n\n1. a\n2. b\n\n{between}\n\n3. c\n4. d\n")
        [warning] = book.build("text").warnings
        assert warning.text == "t/enum: another list follows below, and begins with 3; number both as one list"
