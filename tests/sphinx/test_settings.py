"""Unknown settings and values of a wrong type are warnings, and the book is built with the defaults."""

import pytest

from dicedocs import limits
from dicedocs.limits import set_limits

EXAMPLE = ".. dice:example:: E\n   :mechanic: methuen/expression\n   :expression: 2 + 3\n   :expect: total=5\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("dicedocs_lok = 'line'", "there is no setting 'dicedocs_lok'; did you mean 'dicedocs_look'"),
        ("dicedocs_limits = {'BRANCHS': 5}", "dicedocs_limits: there is no limit 'BRANCHS'; did you mean 'BRANCHES'"),
        ("dicedocs_limits = {'TEXT': 10}", "dicedocs_limits: the limit TEXT cannot be raised to '10'"),
        ("dicedocs_seconds = -1", "dicedocs_seconds: '-1' is below 0; write 0 for no limit"),
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
    assert built.app.config.dicedocs_seconds == limits.SECONDS.maximum


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
