"""What stands in the key of a row: every way that books write numbers and ranges, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicedocs import LimitError, NotationError
from dicedocs.syntax.ranges import Range, read_ranges

from ..every import every
from . import refusal

NUMBERS = st.integers(-(10**12) + 1, 10**12 - 1)


@every(
    ("text", "low", "high"),
    [
        ("3", 3, 3),
        ("03", 3, 3),
        ("+2", 2, 2),
        ("-2", -2, -2),
        ("−2", -2, -2),
        ("0", 0, 0),
        ("3.", 3, 3),
        ("3:", 3, 3),
        ("3)", 3, 3),
        ("(3)", 3, 3),
        (" 3 ", 3, 3),
        # These stand in the Ironsworn and 13th Age reference documents.
        ("1 -15", 1, 15),
        ("01- 02", 1, 2),
        ("31 - 45", 31, 45),
        ("3–4", 3, 4),
        *((f"4{dash}5", 4, 5) for dash in "-‐‑‒–—―−"),
        ("4--5", 4, 5),
        ("4 to 5", 4, 5),
        ("4 through 5", 4, 5),
        ("4…5", 4, 5),
        ("4..5", 4, 5),
        ("4...5", 4, 5),
        ("01–05", 1, 5),
        ("0-50", 0, 50),
        ("5-3", 5, 3),
        ("-3 to -1", -3, -1),
        ("−3 to −1", -3, -1),
        ("−3–−1", -3, -1),
        ("-3-1", -3, 1),
        ("-1 to +1", -1, 1),
        ("6-", None, 6),
        ("6–", None, 6),
        ("6 or less", None, 6),
        ("6 or lower", None, 6),
        ("6 OR FEWER", None, 6),
        ("6 and below", None, 6),
        ("up to 6", None, 6),
        ("at most 6", None, 6),
        ("≤ 6", None, 6),
        ("<=1", None, 1),
        ("below 0", None, -1),
        ("under 5", None, 4),
        ("less than 5", None, 4),
        ("< 5", None, 4),
        ("-3 or less", None, -3),
        ("7+", 7, None),
        ("7 +", 7, None),
        ("10 or more", 10, None),
        ("10 or higher", 10, None),
        ("10 and up", 10, None),
        ("at least 10", 10, None),
        ("≥ 10", 10, None),
        (">=10", 10, None),
        ("above 9", 10, None),
        ("over 9", 10, None),
        ("more than 9", 10, None),
        (">9", 10, None),
        ("-3 or more", -3, None),
    ],
)
def test_one_range(text, low, high):
    assert read_ranges(text) == (Range(low, high),)


@every(
    ("text", "expected"),
    [
        ("2, 12", ["2", "12"]),
        ("2,12", ["2", "12"]),
        ("2/12", ["2", "12"]),
        ("2; 12", ["2", "12"]),
        ("1 or 2", ["1", "2"]),
        ("1 & 2", ["1", "2"]),
        ("1, 2 and 3", ["1", "2", "3"]),
        ("1, 2, or 3", ["1", "2", "3"]),
        ("2-3, 11 or more", ["2–3", "11+"]),
        ("6 or less or 10+", ["6 or less", "10+"]),
        ("11,12,13", ["11", "12", "13"]),
    ],
)
def test_several_ranges(text, expected):
    assert [str(one) for one in read_ranges(text)] == expected


@every(
    ("text", "zero", "low", "high"),
    [
        ("00", 100, 100, 100),
        ("0", 10, 10, 10),
        ("96-00", 100, 96, 100),
        ("99–00", 100, 99, 100),
        ("9-0", 10, 9, 10),
        ("00+", 100, 100, None),
        # A 0 that would make no sense as the highest face is the number.
        ("0-50", 100, 0, 50),
        ("00-05", 100, 0, 5),
        ("0–9", 10, 0, 9),
        ("-2 to 0", 10, -2, 0),
        ("0 or less", 10, None, 0),
        ("below 0", 10, None, -1),
        ("10", 10, 10, 10),
        ("96-00", 0, 96, 0),
    ],
)
def test_zero_stands_for_the_highest_face(text, zero, low, high):
    assert read_ranges(text, zero=zero) == (Range(low, high),)


@every(
    ("text", "at"),
    [
        ("", 0),
        ("Rain", 0),
        ("-", 0),
        ("*", 0),
        ("..", 0),
        ("1.5", 1),
        ("1-2n", 3),
        ("1st", 1),
        ("d6", 0),
        ("1,", 2),
        ("1,,2", 2),
        ("7+3", 2),
        ("6 or", 4),
        ("3 Rain", 1),
        ("1 to", 1),
        ("1\u0663", 1),
        ("<b>1</b>", 0),
    ],
)
def test_anything_else_is_an_error_where_it_begins(text, at):
    with pytest.raises(NotationError) as caught:
        read_ranges(text)
    error = caught.value
    assert (error.text, error.at) == (text, at)
    assert error.message in {f"'{text}' is not a number or a range", "expected a number or a range"}
    assert error.hint == "write it like 3, 4–5, 6 or less, 7+"


@every(
    ("text", "message", "hint"),
    [
        ("1,000", "'1,000' could be one number or several", "write 1000, or 1, 000 with spaces"),
        ("5-2,000", "'2,000' could be one number or several", "write 2000, or 2, 000 with spaces"),
        ("-3--1", "ambiguous: '-3--1'", "write -3 to 1, or -3 to -1"),
        ("> 4 and < 9", "'and' joins ranges that share numbers", "write 5-8"),
        ("over 4 and under 9", "'and' joins ranges that share numbers", "write 5-8"),
        ("> 4 but < 9", "'but' joins ranges that share numbers", "write 5-8"),
        ("over 4 and over 6", "'and' joins ranges that share numbers", "write 7+"),
        ("under 4 and 6 or less", "'and' joins ranges that share numbers", "write 3 or less"),
        ("5+ but 3", "'but' cannot join ranges", "write or"),
    ],
)
def test_what_could_be_two_things_is_refused(text, message, hint):
    with pytest.raises(NotationError) as caught:
        read_ranges(text)
    assert (caught.value.message, caught.value.hint) == (message, hint)


@every("text", ["9" * 13, "1-" + "9" * 5_000, "9" * 100_000 + "+", ",".join("1" * 2_000)])
def test_limits(text):
    with pytest.raises(LimitError):
        read_ranges(text)


@every(
    "text",
    ["1" + " " * 200_000 + "x", "-" * 200_000, "1" + "-" * 200_000, "1 or " * 900 + "x", "." * 200_000, ",1" * 9],
)
def test_hostile_text_is_refused(text):
    assert isinstance(refusal.refused(lambda: read_ranges(text), memory=2_000_000), NotationError)


@every(
    ("low", "high", "text"),
    [
        (3, 3, "3"),
        (4, 5, "4–5"),
        (None, 6, "6 or less"),
        (7, None, "7+"),
        (-3, -1, "-3 to -1"),
        (-1, 1, "-1 to 1"),
        (-2, None, "-2 or more"),
        (None, -2, "-2 or less"),
        (0, None, "0+"),
    ],
)
def test_the_text_of_a_range(low, high, text):
    assert str(Range(low, high)) == text


@given(st.builds(Range, NUMBERS, NUMBERS) | st.builds(Range, st.none(), NUMBERS) | st.builds(Range, NUMBERS, st.none()))
def test_the_text_of_a_range_gives_it_again(one):
    assert read_ranges(str(one)) == (one,)


@given(st.text(alphabet="0123 -–+,./ortoles<≥…()xX٣", max_size=12))
def test_any_text_is_read_or_refused(text):
    try:
        end = len(read_ranges(text))
    except (NotationError, LimitError) as error:
        end = len(text) - error.at + 1
    assert end > 0


@given(st.none() | st.integers(-9, 9), st.none() | st.integers(-9, 9), st.integers(-12, 12))
def test_a_range_holds_what_is_between_its_ends(low, high, number):
    ends = (-100 if low is None else low, 100 if high is None else high)
    assert Range(low, high).holds(number) == (number in range(ends[0], ends[1] + 1))
