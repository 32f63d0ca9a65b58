"""How tables are laid out: each layout that books have, and each table that cannot be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs.page_rules.layout import TableError, read_layout, written_dice
from dicedocs.page_rules.page_rule import PageTable, TableRow

from ..every import every


def grid(text, is_list=False):
    """The grid of a pipe table; its first line is line 1, and its heads are those above the rule, if there is one."""
    lines = [line.strip() for line in text.strip().splitlines()]
    rows = [
        GridRow(tuple(" ".join(cell.split()) for cell in line[1:-1].split("|")), number)
        for number, line in enumerate(lines, 1)
        if set(line) - set("|-: ")
        or "-" not in line
    ]  # fmt: skip
    has_head = len(lines) > 1 and "-" in lines[1] and not set(lines[1]) - set("|-: ")
    return Grid(rows[0] if has_head else None, tuple(rows[has_head:]), is_list)


def read(text, dice=""):
    return read_layout(grid(text), dice)


def keys(table):
    return [" ".join(row.keys) for row in table.rows]


def texts(table):
    return [" ".join((*row.keys, *row.cells)) for row in table.rows]


def test_a_normal_table():
    table = read("""
        | d6  | Weather | Wind  |
        |-----|---------|-------|
        | 1   | Storm   | 2d6   |
        | 2–3 | Rain    |       |
        |     |         |       |
        | 4–6 | Fair    | none  |
    """)
    rows = TableRow(("1",), ("Storm", "2d6")), TableRow(("2–3",), ("Rain", "")), TableRow(("4–6",), ("Fair", "none"))
    assert (table, table.head_line, table.lines) == (PageTable(("d6",), ("Weather", "Wind"), rows), 1, (3, 4, 6))


def test_the_block_id_of_obsidian_is_no_row():
    assert texts(read("| d2 | A |\n|-|-|\n| 1 | x |\n| 2 | y |\n| ^table | |")) == ["1 x", "2 y"]
    with pytest.raises(TableError, match=r"'\^table' is not a number"):
        read("| d2 | A |\n|-|-|\n| ^table | |\n| 1 | x |")


def test_dice_that_are_known_go_first():
    assert read("| d6 | A |\n|-|-|\n| 1 | x |", "1d6 + danger").axes == ("1d6 + danger",)
    assert read("| Roll | A |\n|-|-|\n| 1 | x |", "1d6").axes == ("1d6",)


@every(
    ("head", "dice"),
    [
        ("d6", "d6"),
        ("1D6", "1d6"),
        ("D%", "d%"),
        ("d66 Roll", "d66"),
        ("3d6 Roll", "3d6"),
        ("Roll d100", "d100"),
        ("Roll (d6)", "d6"),
        ("Roll: 2d6", "2d6"),
        ("dice: 1d%", "1d%"),
        ("dice:1d100", "1d100"),
        ("2d6 result", "2d6"),
        ("d20 Weapon", "d20"),
        ("Effect on 1d6", "1d6"),
        ("d6+danger", "d6 + danger"),
        ("d6+Terrain modifier", "d6 + Terrain modifier"),
        ("2d6 − 1", "2d6 − 1"),
        ("d6 + half-level", "d6 + half-level"),
        ("Roll danger + d6", "danger + d6"),
        ("2d6 + 1 (at most 12)", "2d6 + 1"),
        ("1d6 + 1d8", "1d6 + 1d8"),
        ("d6 × 10", "d6 × 10"),
        # What is added is not said: that is for the author to write.
        ("d6+", "d6 +"),
        ("d6/d12", ""),
        ("d6 or d8", ""),
        ("dice: d8, dice: d12, or dice: 1d12+2", ""),
        ("d4-d8", ""),
        ("d6 d6", ""),
        ("Roll", ""),
        ("#", ""),
        ("Result", ""),
        ("HP lost", ""),
        ("add6", ""),
        ("", ""),
        ("d" * 100_000, ""),
        ("1" * 100_000, ""),
        ("1+" * 50_000, ""),
    ],
)
def test_the_dice_of_a_head(head, dice):
    assert written_dice(head) == dice
    assert read_layout(Grid(GridRow((head, "A")), (GridRow(("1", "x")),))).axes == (dice,)


# From Cairn (adventures and hacks); the bold of heads is not in the text of a cell.
@every(
    ("text", "axes", "columns", "rows"),
    [
        (
            """
            |         |                  |
            | ------- | ---------------- |
            | d20     | Spell            |
            | 1       | Babble           |
            | 2       | Befuddle         |
            """,
            ("d20",),
            ("Spell",),
            ["1 Babble", "2 Befuddle"],
        ),
        (
            """
            |        |            |            |
            | :----: | :--------: | :--------: |
            | d6     | Spring     | Summer     |
            | 1      | Nice       | Nice       |
            | 2      | Fair       | Nice       |
            """,
            ("d6",),
            ("Spring", "Summer"),
            ["1 Nice Nice", "2 Fair Nice"],
        ),
        (
            """
            |                     |           |
            | ------------------- | --------- |
            | d6+Terrain modifier | Travel    |
            | <=1                 | Encounter |
            | 2                   | Hazard    |
            """,
            ("d6 + Terrain modifier",),
            ("Travel",),
            ["<=1 Encounter", "2 Hazard"],
        ),
        (
            """
            |          |          |
            | -------- | -------- |
            | 1 | Horrific Premonitions. |
            | 2 | Sky Shine. |
            """,
            ("",),
            ("result",),
            ["1 Horrific Premonitions.", "2 Sky Shine."],
        ),
        (
            """
            |    |Effect on 1d6|   |
            |----|-------------|---|
            | 1  | Nothing     |   |
            | 2  | Fatigue     |   |
            """,
            ("",),
            ("Effect on 1d6",),
            ["1 Nothing", "2 Fatigue"],
        ),
        # Without a head in a list-table, a simple table or a csv-table.
        ("| 1 | Storm |\n| 2 | Rain |", ("",), ("result",), ["1 Storm", "2 Rain"]),
        ("| 1 | Storm | N |\n| 2 | Rain | S |", ("",), ("column 2", "column 3"), ["1 Storm N", "2 Rain S"]),
        ("| 1 | 10 | 20 |\n| 2 | 30 | 40 |", ("",), ("column 2", "column 3"), ["1 10 20", "2 30 40"]),
        ("| d4 | Loss |\n| 1 | A ration |", ("d4",), ("Loss",), ["1 A ration"]),
        # A head that is a row.
        ("| 1 | Storm |\n|---|---|\n| 2 | Rain |", ("",), ("result",), ["1 Storm", "2 Rain"]),
        # Only the dice have a head.
        ("| d4 |  |\n|---|---|\n| 1 | Storm |", ("d4",), ("result",), ["1 Storm"]),
        ("|  | Name |\n|---|---|\n| 1 | Storm |", ("",), ("Name",), ["1 Storm"]),
    ],
)
def test_heads_in_other_places_or_in_none(text, axes, columns, rows):
    table = read(text)
    assert (table.axes, table.columns, texts(table)) == (axes, columns, rows)


def test_heads_in_the_first_row_have_its_line():
    assert read("|  |  |\n|-|-|\n| d6 | A |\n| 1 | x |").head_line == 3
    assert read("| 1 | x |\n|-|-|\n| 2 | y |").lines[0] == 1


@every(
    ("text", "columns", "rows"),
    [
        (
            """
            | d20 | Trinket | d20 | Trinket |
            |-----|---------|-----|---------|
            | 1–5 | Comb    | 11  | Key     |
            | 6   | Coin    | 12+ | Lamp    |
            | 7–10 | Cup    |     |         |
            """,
            ("Trinket",),
            ["1–5 Comb", "6 Coin", "7–10 Cup", "11 Key", "12+ Lamp"],
        ),
        (
            """
            | d6 | Trinket |   |      |
            |----|---------|---|------|
            | 1  | Comb    | 3 | Key  |
            | 2  | Coin    | 4 | Lamp |
            """,
            ("Trinket",),
            ["1 Comb", "2 Coin", "3 Key", "4 Lamp"],
        ),
        (
            """
            | d6 | Trinket | D6 |      |
            |----|---------|----|------|
            | 1  | Comb    | 2  | Key  |
            """,
            ("Trinket",),
            ["1 Comb", "2 Key"],
        ),
        (
            """
            | d6 | Trinket |  | d6 | Trinket |
            |----|---------|--|----|---------|
            | 1  | Comb    |  | 3 | Key  |
            | 2  | Coin    |  | 4 | Lamp |
            """,
            ("Trinket",),
            ["1 Comb", "2 Coin", "3 Key", "4 Lamp"],
        ),
        (
            """
            | d12 | Name | Place | d12 | Name | Place | d12 | Name | Place |
            |-----|------|-------|-----|------|-------|-----|------|-------|
            | 1   | a    | A     | 3   | c    | C     | 5   | e    | E     |
            | 2   | b    | B     | 4   | d    | D     |     |      |       |
            """,
            ("Name", "Place"),
            ["1 a A", "2 b B", "3 c C", "4 d D", "5 e E"],
        ),
        # Numbers that go on across the page.
        (
            """
            | d4 | Name | d4 | Name |
            |----|------|----|------|
            | 1  | a    | 2  | b    |
            | 3  | c    | 4  | d    |
            """,
            ("Name",),
            ["1 a", "2 b", "3 c", "4 d"],
        ),
        ("| 1 | a | 3 | c |\n| 2 | b | 4 | d |", ("result",), ["1 a", "2 b", "3 c", "4 d"]),
        ("| 1 | a | 2 | b |\n| 3 | c | 4 | d |", ("result",), ["1 a", "2 b", "3 c", "4 d"]),
        # A slip is for whoever looks at the numbers.
        (
            """
            | d6 | Name | d6 | Name |
            |----|------|----|------|
            | 1  | a    | 4  | c    |
            | 2  | b    | 4  | d    |
            """,
            ("Name",),
            ["1 a", "2 b", "4 c", "4 d"],
        ),
    ],
)
def test_halves_side_by_side(text, columns, rows):
    table = read(text)
    assert (len(table.axes), table.columns, texts(table)) == (1, columns, rows)


def test_a_wrong_number_in_a_half_is_named():
    with pytest.raises(TableError) as caught:
        read("| d6 | A | d6 | A |\n|-|-|-|-|\n| 1 | x | 4 | y |\n| 2 | x | V | y |")
    assert (caught.value.message, caught.value.line) == ("'V' is not a number or a range", 4)


@every(
    ("text", "axes", "columns", "rows"),
    [
        (
            """
            | d6      | 1–2   | 3–5  | 6    |
            |---------|-------|------|------|
            | Weather | Storm | Rain | Fair |
            """,
            ("d6",),
            ("Weather",),
            ["1–2 Storm", "3–5 Rain", "6 Fair"],
        ),
        (
            """
            |         |       |      |      |
            |---------|-------|------|------|
            | d6      | 1–2   | 3–5  | 6    |
            | Weather | Storm | Rain | Fair |
            | Wind    | 10    | 5    | 0    |
            """,
            ("d6",),
            ("Weather", "Wind"),
            ["1–2 Storm 10", "3–5 Rain 5", "6 Fair 0"],
        ),
        ("| 1 | 2 | 3 |\n|-|-|-|\n| Storm | Rain | Fair |", ("",), ("result",), ["1 Storm", "2 Rain", "3 Fair"]),
        ("| 1 | 2 | 3 |\n|-|-|-|\n| 10 | 5 | 0 |", ("",), ("result",), ["1 10", "2 5", "3 0"]),
        ("| 1 | 2 | 3 |\n| Storm | Rain | Fair |", ("",), ("result",), ["1 Storm", "2 Rain", "3 Fair"]),
        ("|  | 1 | 2 |\n|-|-|-|\n| Sky | Grey | Blue |", ("",), ("Sky",), ["1 Grey", "2 Blue"]),
        ("| d2 | 1 | 2 |\n|-|-|-|\n|  | Grey | Blue |", ("d2",), ("result",), ["1 Grey", "2 Blue"]),
    ],
)
def test_a_table_on_its_side(text, axes, columns, rows):
    table = read(text)
    assert (table.axes, table.columns, texts(table), table.across) == (axes, columns, rows, ())
    assert set(table.lines) == {table.head_line}


def test_numbers_as_heads_do_not_turn_a_table():
    # Hits of missiles, by 2d6 and how many are fired.
    table = read("| 2d6 | 2 | 4 | 5 |\n|-|-|-|-|\n| 2-3 | 1 | 1 | 1 |\n| 4-12 | 1 | 2 | 3 |")
    assert (table.axes, table.columns, keys(table)) == (("2d6",), ("2", "4", "5"), ["2-3", "4-12"])


def test_a_square_for_a_d66():
    # From Loner: the first die is on the left, the second in the head.
    text = "| {} | 1 | 2 |\n|-|-|-|\n| 1 | Cruiser | Freighter |\n| 2 | Transport |  |"
    table = read(text.format("D66"))
    assert (table.axes, table.columns, table.across) == (("d66",), ("result",), ())
    assert texts(table) == ["11 Cruiser", "12 Freighter", "21 Transport", "22 "]
    assert table.lines == (3, 3, 4, 4)
    assert keys(read(text.format("Concept"), "d66")) == ["11", "12", "21", "22"]
    assert read(text.format("d66 × danger")).across == ("1", "2")
    assert keys(read(text.format("d6"))) == ["1", "2"]
    assert keys(read("| d66 | A | B |\n|-|-|-|\n| 11 | x | y |")) == ["11"]


def test_two_columns_of_numbers_of_rows_are_refused():
    text = "| d100 Ship | d100 Town | Zone |\n|-|-|-|\n| 01–40 | 01–30 | Quarters |\n| 41–00 | 31–00 | Hold |"
    with pytest.raises(TableError, match="the column 'd100 Town' has numbers of rows too") as info:
        read(text)
    assert "only dice into both heads if both are rolled, or a table for d100 Town of its own" in info.value.hint


def test_dice_of_two_or_three_sides_are_read_as_digits_where_the_rows_are():
    rows = "\n".join(f"| {tens}{ones} | x |" for tens in "123" for ones in "123")
    assert read(f"| d33 | A |\n|-|-|\n{rows}").axes == ("10 * 1d3 + 1d3",)
    assert read("| d22 | A |\n|-|-|\n| 11-12 | x |\n| 21, 22 | y |").axes == ("10 * 1d2 + 1d2",)
    assert read("| d22 | A |\n|-|-|\n| 1-11 | x |\n| 12-22 | y |").axes == ("d22",)


def test_two_dice_give_two_keys():
    # From Mausritter; a first key that is left out is that of the row above.
    table = read("""
        | d6 | d8  | Detail    |
        |----|-----|-----------|
        | 1  | 1-8 | Mice      |
        | 2  | 1-4 | Farm      |
        |    | 5-8 | Castle    |
    """)
    assert (table.axes, table.columns) == (("d6", "d8"), ("Detail",))
    assert [row.keys for row in table.rows] == [("1", "1-8"), ("2", "1-4"), ("2", "5-8")]
    halves = read(
        "| d6 | d6 | A | d6 | d6 | A |\n|-|-|-|-|-|-|\n| 1 | 1-6 | x | 4-6 | 1-6 | y |\n| 2-3 | 1-6 | x | | | |"
    )
    assert [row.keys for row in halves.rows] == [("1", "1-6"), ("2-3", "1-6"), ("4-6", "1-6")]
    assert read("| d6 | d8 |\n|-|-|\n| 1 | 2 |").axes == ("d6",)
    assert read("| d6 | d8 damage | A |\n|-|-|-|\n| 1 | 2 | x |").axes == ("d6",)


@every("corner", ["attack × armour", "attack \\ armour", "attack x armour", "attack vs armour",
                                    "attack vs. armour", "attack by armour", "attack×armour"])  # fmt: skip
def test_a_matrix(corner):
    table = read(f"| {corner} | 0–2 | 3+ |\n|-|-|-|\n| 1–10 | 1 | 0 |\n| 11–20 | 4 | 2 |")
    assert (table.axes, table.columns, table.across) == (("attack", "armour"), ("result",), ("0–2", "3+"))
    assert (table.rows, table.lines) == ((TableRow(("1–10",), ("1", "0")), TableRow(("11–20",), ("4", "2"))), (3, 4))


def test_a_matrix_of_words_named_elsewhere():
    # From the 13th Age reference document, whose corner is empty.
    text = "|  | One-Handed | Two-Handed |\n|-|-|-|\n| Small | 1d4 | 1d6 |\n| Heavy or Martial | 1d8 | 1d10 |"
    table = read(text, "weapon × grip")
    assert (table.axes, table.across) == (("weapon", "grip"), ("One-Handed", "Two-Handed"))
    assert keys(table) == ["Small", "Heavy or Martial"]


@every("corner", ["attack / armour", "d6/d8", "d6 × 10", "a × b × c", "Nearby", "level x"])
def test_what_does_not_make_a_matrix(corner):
    assert read(f"| {corner} | A | B |\n|-|-|-|\n| 1 | x | y |").across == ()


def test_a_single_column_does_not_make_a_matrix():
    assert read("| d6 × danger | A |\n|-|-|\n| 1 | x |").axes == ("d6 × danger",)


@every(
    ("items", "dice", "axis"),
    [
        (["1", "2", "3"], "", "1d3"),
        (["1", "2", "3"], "1d6", "1d6"),
        (["2", "3"], "", ""),
        (["1", "3"], "", ""),
    ],
)
def test_a_numbered_list(items, dice, axis):
    rows = tuple(GridRow((number, f"item {number}"), line) for line, number in enumerate(items, 5))
    table = read_layout(Grid(None, rows, is_list=True), dice)
    assert (table.axes, table.columns) == ((axis,), ("result",))
    assert (table.rows[1], table.lines[1]) == (TableRow((items[1],), (f"item {items[1]}",)), 6)


@every(
    ("text", "message", "hint", "line"),
    [
        ("| d6 | A |\n|-|-|", "the table has no rows", "write a row for each result", 1),
        ("| d6 | A |\n|-|-|\n|  |  |", "the table has no rows", "write a row for each result", 1),
        (
            "| d6 |\n|-|\n| 1 |",
            "the table has only one column",
            "write what each number means in a second",
            1,
        ),
        (
            "| d6 | A |\n|-|-|\n| 1 | x |\n| 2 | x | y |",
            "this row has 3 cells, but the table has 2 columns",
            "write a head for each column",
            4,
        ),
        (
            "| d6 | A | B | a |\n|-|-|-|-|\n| 1 | x | y | z |",
            "two columns are called 'a'",
            "rename one of them",
            1,
        ),
        # Two tables side by side are not halves: each has its own numbers.
        (
            "| d6 | Name | d6 | Name |\n|-|-|-|-|\n| 1 | a | 1 | b |\n| 2 | c | 2 | d |",
            "two columns are called 'Name'",
            "rename one of them",
            1,
        ),
        ("| d6 | A |  | B |\n|-|-|-|-|\n| 1 | x | y | z |", "column 3 has no head", "write one", 1),
        ("| d4 | A |  |  |\n|-|-|-|-|\n| 1 | x | note | y |", "column 3 has no head", "write one", 1),
        (
            "| d6 | A |\n|-|-|\n| 1 | x |\n|  | y |",
            "this row has no number",
            "write one, or move what it says into the row above",
            4,
        ),
        (
            "| d6 | A |\n|-|-|\n| 1 | x |\n| At night |  |\n| 2 | y |",
            "'At night' is not a number or a range",
            "begin a new table below it",
            4,
        ),
        (
            "| d6 | A |\n|-|-|\n| 1-2n | x |",
            "'1-2n' is not a number or a range",
            "write it like 3, 4–5, 6 or less, 7+",
            3,
        ),
        (
            "|  |  |\n|-|-|\n| > 4 and < 9 | x |\n| 9+ | y |",
            "'and' joins ranges that share numbers",
            "write 5-8",
            3,
        ),
        (
            "| d6 | d8 | A |\n|-|-|-|\n| - | 1 | x |",
            "'-' is not a number or a range",
            "write it like 3, 4–5, 6 or less, 7+",
            3,
        ),
        (
            "| d6 | A |\n|-|-|\n| 1 | x |\n| " + "9" * 20 + " | y |",
            "20 digits in a number; the limit DIGITS is 12",
            "write a smaller number",
            4,
        ),
        ("| a × b | 1 | 1 |\n|-|-|-|\n| 1 | x | y |", "two columns are called '1'", "rename one of them", 1),
        ("| a × b | A | |\n|-|-|-|\n| 1 | x | y |", "column 3 has no head", "write one", 1),
        (
            "| a × b | A | B |\n|-|-|-|\n|  | x | y |",
            "this row has no head",
            "write what it is for in its first cell",
            3,
        ),
        (
            "| a × b | A | B |\n|-|-|-|\n| Mail | x | y |\n| mail | x | y |",
            "two rows are called 'mail'",
            "rename one of them",
            4,
        ),
    ],
)
def test_tables_that_cannot_be_read(text, message, hint, line):
    with pytest.raises(TableError) as caught:
        read(text)
    error = caught.value
    assert (error.message, error.hint, error.line) == (message, hint, line)
    assert str(error) == f"{message}; {hint}"


def test_an_empty_list_cannot_be_read():
    with pytest.raises(TableError, match="the list has no items"):
        read_layout(Grid(None, (), is_list=True))


CELLS = st.sampled_from(["", "1", "2", "3-4", "5+", "d6", "Name", "a × b", "x", "1d20", "<b>", "٣"])


@given(
    st.none() | st.lists(CELLS, max_size=7),
    st.lists(st.lists(CELLS, max_size=7), max_size=5),
    st.booleans(),
    st.sampled_from(["", "1d6", "attack × armour"]),
)
def test_any_table_is_read_or_refused(head, rows, is_list, dice):
    table = Grid(head and GridRow(tuple(head), 1), tuple(GridRow(tuple(row), 2) for row in rows), is_list)
    try:
        read = read_layout(table, dice)
    except TableError:
        return
    width = len(read.across or read.columns)
    assert all(len(row.keys) == (1 if read.across else len(read.axes)) for row in read.rows)
    assert all(len(row.cells) == width for row in read.rows)
    assert width
    assert read.rows


def test_a_table_of_any_size_is_read():
    rows = tuple(GridRow((str(number), "x"), number) for number in range(1, 20_001))
    assert len(read_layout(Grid(GridRow(("d20000", "A")), rows)).rows) == 20_000
    numbers = [str(number) for number in range(1, 2_001)]
    lying = Grid(GridRow(("d2000", *numbers)), (GridRow(("A", *numbers)),))
    assert len(read_layout(lying).rows) == 2_000
    wide = Grid(GridRow(("d6", *(f"column {number}" for number in numbers))), (GridRow(("1", *numbers)),) * 100)
    assert len(read_layout(wide).columns) == 2_000


def test_only_a_table_on_its_side_has_a_line_for_each_column():
    # docutils may know one line for all rows of a table.
    rows = tuple(GridRow((number, "a", "b", "c"), 3) for number in ("1", "2"))
    assert read_layout(Grid(GridRow(("d2", "A", "B", "C"), 3), rows)).column_lines == ()
    lying = Grid(GridRow(("d2", "1", "2"), 3), (GridRow(("A", "a", "b"), 4), GridRow(("B", "c", "d"), 5)))
    table = read_layout(lying)
    assert [table.line(0, head) for head in ("A", "B")] == [4, 5]
