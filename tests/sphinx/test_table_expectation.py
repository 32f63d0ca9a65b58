"""`dice:table` takes `expect`: the figures of each row, which `dicedocs accept` fills in."""

import re
import time

import pytest

from dicedocs_sphinx.author.acceptance import accept_blocks, write_change
from dicedocs_sphinx.author.book_reading import check_folders, domain_of, read_book

OPTIONS = """
.. dice:table:: Chances
   :mechanic: methuen/check
   :check: 1d20 + 6 >= [Target Defense]
   :fact: success
   :show: true
   :vary: target.Defense=10..12
"""
TWO_DICE = """
.. dice:table:: Two dice
   :mechanic: methuen/expression
   :expression: 2d2
"""
"""2 and 4 in one of four throws each, 3 in two of them."""
NEARLY_TWO = """
.. dice:table:: Nearly two
   :mechanic: methuen/expression
   :expression: 1d300 / 300 + 2
   :show: average
"""
"""3 in one of 300 throws, 2 in all others."""


def table(options: str, expect: str) -> str:
    return f"{options.strip()}\n   :expect: {expect}\n"


RIGHT = [
    # 17, 16 and 15 of 20 faces
    (OPTIONS, "success: 85% 80% 75%"),
    (OPTIONS.replace(":vary:", ":rows:"), "12: 75.0%; 10: 85%;\n      11: 80%"),
    (OPTIONS.replace(":vary:", ":decimals: 2\n   :vary:"), "success: 85.00% 80% 75%;"),
    (TWO_DICE, "2: 25%; 3: 50%; 4: 25%"),
    (f"{TWO_DICE.rstrip()}\n   :show: average\n   :fact: total raw\n", "total: 3; raw: 3.00"),
    (NEARLY_TWO, "total: 2.0"),
    (NEARLY_TWO, "total: 2.00"),
]


def test_a_table_that_shows_what_is_expected_has_no_warning(book):
    names = book.cases(table(options, expect) for options, expect in RIGHT)
    built = book.build()
    assert built.warnings == []
    for name in names:
        [block] = built.app.env.domains["dice"].blocks[name]
        assert block.expect
    checked = book.build("doctest", fresh=True)
    assert checked.warnings == []
    assert re.search(rf"\n +{len(RIGHT)} tests\n +0 failures in tests", checked.read("output.txt"))


MOVED = [
    (
        "2: 25%; 3: 51%; 4: 25%",
        "expected 3: 51%, got 3: 50%; 'dicedocs accept' writes the figures",
    ),
    ("2: 25%; 3: 50%", "the row 4: 25% is missing; 'dicedocs accept' writes the figures"),
    ("2: 25%; 3: 50%; 4: 25%; 5: 1%", "there is no row '5'; 'dicedocs accept' writes the figures"),
    ("2: 25% 1%; 3: 50%; 4: 25%", "expected 2: 25% 1%, got 2: 25%; 'dicedocs accept' writes the figures"),
    ("9: 1%; 8: 1%", "there is no row '9'; there is no row '8'; the row 2: 25% is missing; and 2 more;"),
]


def test_a_figure_that_moved_is_a_mismatch_in_every_check(book):
    names = book.cases(table(TWO_DICE, expect) for expect, _ in MOVED)
    built = book.build()
    found = {
        expect: [(each.line, each.type, each.text.startswith(f"table-1: {message}") or each.text) for each in warnings]
        for (expect, message), warnings in zip(MOVED, map(built.warnings_of, names), strict=True)
    }
    assert found == {expect: [(8, "dicedocs.mismatch", True)] for expect, _ in MOVED}
    checked = book.build("doctest", fresh=True).read("output.txt")
    assert re.search(rf"\n +{len(MOVED)} tests\n +{len(MOVED)} failures in tests", checked)


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("2 25%", "'2 25%' is not a row with its figures"),
        ("2:", "'2:' is not a row with its figures"),
        ("2: 25%; 2: 25%", "the row '2' is written twice"),
    ],
)
def test_a_malformed_expectation_is_named(expect, message, book):
    book.page(table(TWO_DICE, expect))
    [warning] = book.build().warnings
    assert (warning.type, warning.line) == ("dicedocs.option", 8)
    assert message in warning.text


def test_an_empty_expectation_waits_to_be_filled_in(book):
    path = book.page(f"{TWO_DICE}   :expect:\n   :class: x\n")
    built = book.build()
    [warning] = built.warnings
    assert (warning.type, warning.line) == ("dicedocs.unverified", 8)
    before = path.read_text()
    started = time.time_ns()
    with read_book(check_folders(book.src)) as app:
        acceptance = accept_blocks(app, domain_of(app).blocks["index"], started)
    assert acceptance.refusals == []
    assert [write_change(change) for change in acceptance.changes] == [None]
    filled = "   :expect:\n       2: 25%;\n       3: 50%;\n       4: 25%\n"
    assert path.read_text() == before.replace("   :expect:\n", filled)
    assert book.build(fresh=True).warnings == []


def test_rows_that_came_or_went_are_laid_out_again(book):
    path = book.page(f"{TWO_DICE}   :expect:\n     2: 25%;\n     4: 25%;\n     5: 1%;\n     6: 1%\n   :class: x\n")
    before = path.read_text()
    started = time.time_ns()
    with read_book(check_folders(book.src)) as app:
        [change] = accept_blocks(app, domain_of(app).blocks["index"], started).changes
    filled = "   :expect:\n       2: 25%;\n       3: 50%;\n       4: 25%\n   :class: x\n"
    assert change.after == before.partition("   :expect:")[0] + filled

    path = book.page(f"{TWO_DICE}   :expect: 2: 25%; 3: 51%;  4: 25%\n")
    started = time.time_ns()
    with read_book(check_folders(book.src)) as app:
        [change] = accept_blocks(app, domain_of(app).blocks["index"], started).changes
    assert change.after == path.read_text().replace("51%", "50%")


@pytest.mark.parametrize("expect", ["total: 2", "total: 2.000"])
def test_an_average_that_is_not_quite_whole_keeps_a_decimal(expect, book):
    path = book.page(table(NEARLY_TWO, expect))
    [warning] = book.build().warnings
    assert warning.text == f"table-1: expected {expect}, got total: 2.0; 'dicedocs accept' writes the figures"
    assert "1 failed" in (output := book.build("doctest", fresh=True).read("output.txt")) or "1 failure" in output
    started = time.time_ns()
    with read_book(check_folders(book.src)) as app:
        [change] = accept_blocks(app, domain_of(app).blocks["index"], started).changes
    assert change.after == path.read_text().replace(expect, "total: 2.0")


def test_a_table_that_says_nothing_is_left_alone(book):
    book.page(TWO_DICE)
    started = time.time_ns()
    with read_book(check_folders(book.src)) as app:
        assert accept_blocks(app, domain_of(app).blocks["index"], started) == ([], [], [])


def test_the_figures_of_prose_are_those_of_the_table(book):
    book.page(f"{table(TWO_DICE, '2: 25%; 3: 50%; 4: 25%')}\n   {{}} :dice:fact:`p(= 3)`.\n")
    assert book.build().warnings == []
    book.page(f"{table(TWO_DICE, '2: 25%; 3: 50%; 4: 25%')}\n   :dice:fact:`exact`.\n")
    [warning] = book.build().warnings
    assert "0 claims are made here" in warning.text


def test_an_expectation_is_not_translated(book):
    book.page(table(OPTIONS.replace("   :show: true\n", ""), "false: 15% 20% 25%; true: 85% 80% 75%"))
    assert book.build(language="de").warnings == []
