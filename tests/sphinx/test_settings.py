"""Unknown settings and values of a wrong type are warnings, and the book is built with the defaults."""

import pytest

from dicedocs import limits
from dicedocs.limits import set_limits
from dicedocs_sphinx.settings import settings_of

EXAMPLE = ".. dice:example:: E\n   :mechanic: methuen/expression\n   :expression: 2 + 3\n   :expect: total=5\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("dicedocs_lok = 'line'", "there is no setting 'dicedocs_lok'; did you mean 'dicedocs_look'"),
        ("dicedocs_limits = {'BRANCHS': 5}", "dicedocs_limits: there is no limit 'BRANCHS'; did you mean 'BRANCHES'"),
        ("dicedocs_limits = {'TEXT': 10}", "dicedocs_limits: the limit TEXT cannot be raised to '10'"),
        ("dicedocs_averages = 'donw'", "dicedocs_averages: 'donw' is not a way to round; did you mean 'down'?"),
        ("dicedocs_seconds = -1", "dicedocs_seconds: '-1' is below 0; write 0 for no limit"),
        ("dicedocs_time = -1", "dicedocs_time: '-1' is below 0; write 0 for no limit"),
    ],
)
def test_a_setting_that_says_nothing_is_a_warning(book, line, text):
    book.write("conf.py", f"{line}\nimport dicedocs_sphinx\n")
    book.page(EXAMPLE)
    [warning] = book.build().warnings
    assert (warning.file, warning.type) == ("conf.py", "dicedocs.option")
    assert warning.text.startswith(text)


def test_a_value_of_a_wrong_type_is_the_default(book):
    book.write("conf.py", "dicedocs_seconds = '2s'\ndicedocs_depends = None\ndicedocs_literal_numbers = 'on'\n")
    book.page(f"{EXAMPLE}\n   Seven is 7, and :dice:roll:`3 * 4` is twelve.\n")
    built = book.build()
    assert [each.type for each in built.warnings] == ["", "", ""]
    assert all(name in built.log for name in ("dicedocs_seconds", "dicedocs_depends", "dicedocs_literal_numbers"))
    assert settings_of(built.app.config).seconds == limits.SECONDS.maximum


def test_a_book_says_how_its_averages_were_rounded(book):
    head = "   :mechanic: methuen/expression\n   :expression: 3d6\n"
    claim = f".. dice:claim::\n{head}   :claim: mean = 10, p(at least 3) = 100%\n\n   It is :dice:fact:`exact`.\n"
    chart = f".. dice:odds::\n{head}   :expect: median = 10\n"
    book.page(f"{claim}\n{chart}")
    first, second = book.build().warnings
    assert first.text == "claim-1: expected mean = 10, got 10.5; write mean = 10.5"
    assert second.text == "odds-1: expected median = 10, got 10.5; write :expect: median = 10.5"
    book.write("conf.py", "dicedocs_averages = 'down'\n")
    built = book.build("doctest")
    assert built.warnings == []
    assert "0 failures in tests" in built.read("output.txt")
    assert "It is 10.5." in book.build("text").read("index.txt")
    book.write("conf.py", "dicedocs_averages = 'up'\n")
    assert [each.text.partition("; ")[2] for each in book.build().warnings] == [
        "write mean = 11",
        "write :expect: median = 11",
    ]


def test_a_deck_of_a_wrong_type_ends_no_build(book):
    book.write("conf.py", "dicedocs_reroll = True\ndicedocs_pyodide = 'nowhere'\ndicedocs_deck = 'many'\n")
    book.page(EXAMPLE)
    [warning] = book.build("html").warnings
    assert "dicedocs_deck" in warning.text


@pytest.fixture
def usual_limits():
    yield
    set_limits({})


@pytest.mark.usefixtures("usual_limits")
def test_a_book_raises_a_limit(book):
    notation = " + ".join(["1"] * 600)
    book.page(f".. dice:odds:: A long sum\n   :mechanic: dice/roll\n   :notation: {notation}\n   :expect: mean=600\n")
    [warning] = book.build().warnings
    assert "the limit TEXT is 1000" in warning.text
    book.write("conf.py", "dicedocs_limits = {'TEXT': 3000}\n")
    assert not book.build().warnings
    assert limits.TEXT.maximum == 3_000
    book.write("conf.py", "")
    book.build()
    assert limits.TEXT.maximum == 1_000
