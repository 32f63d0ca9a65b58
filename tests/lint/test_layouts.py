"""Layouts of finished books are read, or named as not read."""

import pytest

from .test_inputs import said

BESIDE = "| d6 | Boon | d4 | Bane |\n|---|---|---|---|\n" + "".join(
    f"| {row} | a | {row if row <= 4 else ''} | {'b' if row <= 4 else ''} |\n" for row in range(1, 7)
)
HTML = "<table><tr><th>d4</th><th>A</th><th>d4</th><th>B</th></tr>\n" + "".join(
    f"<tr><td>{row}</td><td>a</td><td>{row}</td><td>b</td></tr>\n" for row in range(1, 5)
)
HALVES = "| d6 | Name | d6 | Name |\n|---|---|---|---|\n| 1 | a | 4 | d |\n| 2 | b | 5 | e |\n| 3 | c | 6 | f |\n"
LISTS = "# Scars (d4)\n\nHead:\n\n1. a\n2. b\n3. c\n4. d\n\nBody:\n\n1. a\n2. b\n3. c\n4. d\n"
BELOW = "Roll 1d3:\n\n.. boxed:: sky/three\n\n1. a\n2. b\n3. c\n"
CHANCES = "| d6 | Sky | Chance |\n|---|---|---|\n| 1 | a | 16.7% |\n| 2–3 | b | 33% |\n| 4–6 | c | 50% |\n"
GOES_ON = "# Trinkets (d6)\n\n1. a\n2. b\n3. c\n\nOr else:\n\n4. d\n5. e\n6. f\n"
SQUARE = "| d66 | 1 | 2 | 3 | 4 | 5 | 6 |\n|---|---|---|---|---|---|---|\n" + "".join(
    f"| {row} | a | b | c | d | e | f |\n" for row in range(1, 7)
)


@pytest.mark.parametrize(
    ("name", "text", "right", "wrong", "says"),
    [
        ("beside.md", BESIDE, "| 4 | b |", "| 5 | b |", [(5, "d4: 4 is in no row"), (6, "d4: no roll gives 5")]),
        ("beside.html", HTML, "<td>3</td><td>b", "<td>4</td><td>b", [(4, "d4: 4 stands in the place of 3")]),
        ("halves.md", HALVES, "| 6 | f", "| 7 | f", [(4, "d6: 6 is in no row"), (5, "d6: no roll gives 7")]),
        ("lists.md", LISTS, "4. d\n\nBody", "\nBody", [(7, "d4: 4 is in no row")]),
        ("below.rst", BELOW, "3. c\n", "", [(6, "1d3: 3 is in no row")]),
        ("chances.md", CHANCES, "| 50% |", "| 40% |", [(5, "4–6 on d6 is 50%, not 40%")]),
        ("goes-on.md", GOES_ON, "6. f\n", "", [(10, "d6: 6 is in no row")]),
        ("square.md", SQUARE, "| 6 | a | b | c | d | e | f |\n", "", [(7, "d66: 61–66 are in no row")]),
    ],
)
def test_it_is_read(name, text, right, wrong, says):
    assert said(name, text) == []
    assert right in text
    found = said(name, text.replace(right, wrong, 1))
    assert [(line, message.partition(";")[0]) for line, message in found] == says, found


def test_other_percentages_in_a_table_are_passed_over():
    assert said("other.md", CHANCES.replace("33%", "30%").replace("50%", "60%"), everything=True) == []


def test_what_is_not_read_is_named_if_everything_is_asked_for():
    two = "| d6 | d6 | X |\n|---|---|---|\n| 1–3 | 1–6 | a |\n| 4–6 | 1–6 | b |\n"
    assert said("two.md", two) == []
    assert said("two.md", two, everything=True) == [(1, "d6: the layout of this table is not read")]
