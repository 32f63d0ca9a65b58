"""Errors about a notation that is well formed: limits and resources have their position, as syntax errors have."""

import pytest

import dicedocs as dd
from dicedocs import LimitError, ResourceError
from dicedocs.panel.forms.inputs import error_data

from ..every import every


@every(
    ("error", "text", "actor", "at"),
    [
        (LimitError, "20000d6", {}, 0),
        (LimitError, "1 + 2d2000000", {}, 6),
        (LimitError, "2 * 1234567890123", {}, 4),
        (LimitError, "9999d6 + 1d6 + 1d6", {}, 15),
        (LimitError, "(" * 51 + "1" + ")" * 51, {}, 50),
        (LimitError, "1+" * 600 + "1", {}, 1000),
        (LimitError, "1 + [N]d6", {"N": 10_001}, 4),
        (ResourceError, "1d6 + [Luck]", {}, 6),
        (ResourceError, "2d[Size] + [Luck]", {"Size": 3}, 11),
        (ResourceError, "3 + 2d[Size]", {"Size": 0}, 4),
    ],
)
def test_the_caret_is_below_the_error(error, text, actor, at):
    for _ in range(2):  # a text is parsed once
        with pytest.raises(error) as caught:
            dd.roll(text, actor)
        assert (caught.value.text, caught.value.at, caught.value.line, caught.value.column) == (text, at, 1, at + 1)
        _, excerpt, caret = str(caught.value).splitlines()
        assert excerpt.lstrip("… ")[:1]
        assert excerpt[caret.index("^")] == text[at]
        assert error_data(caught.value)["at"] == [at, at + 1]


def test_the_line_is_that_of_the_notation():
    with pytest.raises(LimitError, match=r"\(line 2, column 3\)") as caught:
        dd.check("1d6\n< 20000d6")
    assert str(caught.value).endswith("\n    < 20000d6\n      ^")


def test_an_error_about_something_else_has_no_position():
    with pytest.raises(LimitError) as caught:
        dd.play("methuen/expression", expression="1d6", seed="x" * 101)
    assert not caught.value.located
    assert "line" not in str(caught.value)
    assert error_data(caught.value)["at"] is None
