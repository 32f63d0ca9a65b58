"""A text whose shape was parsed before has the tree, or the error, that it has without that."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicedocs.errors import DiceError
from dicedocs.expression import parser
from dicedocs.expression.shapes import split_numbers, template_text, with_numbers

NUMBERS = st.sampled_from(["0", "1", "6", "007", "66", "20", "1000", "1001", "10000", "10001", "1000001", "9" * 13])
WORDS = ["kh", "dl", "k", "!", "!!p", "ro<", ">=", "=", "f", "x", "cs>", "mi", "u", "sd", "max(", "[Wit]", " [fire]"]
SIGNS = st.sampled_from([*"dD+-*/(){}, ", "**", *WORDS])
LEGAL = st.sampled_from(
    [
        "{}d{}kh{}",
        "{}d{}!x{}",
        "d{}>={}f{}",
        "-{}d{}r{}",
        "({}d{}dl{}) + {}",
        "{}d{}mi{}cs{}",
        "{}d{} >= {}",
        "{} % {}",
        "{{{}d{}, {}d{}}}kh1",
        "({}d{} + {})dl{}",
        "[Wit]d{} + {}d[Wit]kh{}",
        "{}d{} [fire] + {}",
        "d{{{}, {}}}",
        "min({}, {}d{}) ** {}",
        "({} = {}d{})",
        "{}d{{1, hit}} - {}",
        "abs({} - {})",
    ]
)
TEXTS = st.lists(NUMBERS | SIGNS, max_size=9).map("".join) | st.builds(
    lambda text, numbers: text.format(*numbers), LEGAL, st.lists(NUMBERS, min_size=4, max_size=4)
)


def parsed(text, dialect):
    parser.parse_expression.cache_clear()
    try:
        return parser.parse_expression(text, dialect)
    except DiceError as error:
        return str(error), error.text, error.at


@settings(max_examples=400)
@given(TEXTS, st.sampled_from(["plain", "notation"]))
def test_a_tree_is_the_same_with_and_without_its_shape(text, dialect):
    with patch.object(parser, "split_numbers", lambda _: None):
        expected = parsed(text, dialect)
    assert parsed(text, dialect) == expected
    assert parsed(text, dialect) == expected


@pytest.mark.parametrize("text", ["1d66", "[Level 2]d6", "4dF", "1.5", "D66 + 1", "2d6 to hit", "2d6 [fire"])
def test_texts_with_more_than_numbers_have_no_shape(text):
    assert split_numbers(text) is None


def test_a_shape_is_parsed_for_its_first_text_and_once_for_all_others():
    parser.parse_expression.cache_clear()
    parser._shape.cache_clear()
    with patch.object(parser, "_parse_by_grammar", wraps=parser._parse_by_grammar) as parse:
        for number in range(5):
            parser.parse_expression(f"1d20 + {number}")
    assert [call.args[0] for call in parse.call_args_list] == ["1d20 + 0", "1000d1001 + 1002"]


@pytest.mark.parametrize("numbers", [["1", "0"], ["1", "1000001"], ["10001", "6"], ["1" * 13, "6"]])
def test_numbers_that_are_not_legal_have_no_tree(numbers):
    template = parser.parse_expression(template_text(("", "d", "")))
    assert with_numbers(template, ["1", "6"]) == parser.parse_expression("1d6")
    assert with_numbers(template, numbers) is None
