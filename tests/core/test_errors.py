"""Errors: data that `str` joins into a message, and the words of messages."""

from difflib import get_close_matches

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.errors import (
    DiceError,
    ExpectationError,
    LimitError,
    NotationError,
    ParameterError,
    ResourceError,
    listed,
    printable,
    quoted,
)
from dicedocs.similar_words import near

from ..every import every

OURS = [DiceError, NotationError, ResourceError, ParameterError, LimitError, ExpectationError]


@every("kind", OURS)
def test_an_error_is_data_and_joined_by_str(kind):
    error = kind("what is wrong", hint="what to do", parameter="skill")
    assert isinstance(error, DiceError)
    assert (error.message, error.hint, error.parameter) == ("what is wrong", "what to do", "skill")
    if kind is not NotationError:
        assert str(error) == "skill: what is wrong; what to do"
        assert str(kind("what is wrong")) == "what is wrong"
        assert str(kind("what is wrong", hint="what to do")) == "what is wrong; what to do"
        assert str(kind("what is wrong", parameter="skill")) == "skill: what is wrong"


def test_every_error_is_a_public_name():
    assert [getattr(dd, kind.__name__) for kind in OURS] == OURS


def test_the_additional_data_of_some_errors():
    resource = ResourceError("there is no 'Mana'", scope="actor", name="Mana")
    assert (resource.scope, resource.name) == ("actor", "Mana")
    assert LimitError("too many", limit="DICE").limit == "DICE"
    wrong = ExpectationError("not so", expected="total=1", actual="total=2")
    assert (wrong.expected, wrong.actual) == ("total=1", "total=2")


def test_a_parameter_set_later_is_part_of_the_message():
    error = ParameterError("what is wrong", hint="what to do")
    error.parameter = "skill"
    assert str(error) == "skill: what is wrong; what to do"


# Syntax errors: the position, and a caret under it


@every(
    ("text", "at", "line", "column", "shown"),
    [
        ("2 + * 3", 4, 1, 5, "    2 + * 3\n        ^"),
        ("2 + * 3", 0, 1, 1, "    2 + * 3\n    ^"),
        ("2 +", 3, 1, 4, "    2 +\n       ^"),
        ("", 0, 1, 1, "    \n    ^"),
        ("1 +\n2 + * 3\n+ 4", 8, 2, 5, "    2 + * 3\n        ^"),
        ("1 +\n", 4, 2, 1, "    \n    ^"),
        ("1 +\n2", 3, 1, 4, "    1 +\n       ^"),
        ("a\x00\tb", 3, 1, 4, "    a\ufffd\ufffdb\n       ^"),
        ("a\udc80b", 2, 1, 3, "    a\ufffdb\n      ^"),
        ("x" * 200, 100, 1, 101, "    …" + "x" * 120 + "…\n" + " " * (4 + 1 + 60) + "^"),
        ("x" * 200, 10, 1, 11, "    " + "x" * 70 + "…\n" + " " * (4 + 10) + "^"),
        ("x" * 200, 200, 1, 201, "    …" + "x" * 60 + "\n" + " " * (4 + 1 + 60) + "^"),
    ],
)
def test_a_notation_error_shows_its_position(text, at, line, column, shown):
    error = NotationError("expected a number", text=text, at=at, hint="write one", parameter="check")
    assert (error.line, error.column) == (line, column)
    assert str(error) == f"check: expected a number (line {line}, column {column}); write one\n{shown}"


@given(text=st.text("ab\n\x00", max_size=300), data=st.data())
def test_the_caret_is_under_the_position(text, data):
    at = data.draw(st.integers(0, len(text)))
    *_, shown, caret = str(NotationError("wrong", text=text, at=at)).split("\n")
    under = shown[len(caret) - 1 :][:1]
    here = text[at : at + 1]
    assert under == ("" if here in {"", "\n"} else printable(here))
    assert len(shown) <= 4 + 120 + 2


# The words of messages


@every(
    ("value", "text"),
    [
        ("2d6", "'2d6'"),
        ("", "''"),
        (None, "'None'"),
        (3.5, "'3.5'"),
        ("a\nb\x1b[31m", "'a\ufffdb\ufffd[31m'"),
        ("\udc80", "'\ufffd'"),
        ("\u202eabc", "'\ufffdabc'"),
        ("é北🎲", "'é北🎲'"),
        ("x" * 60, f"'{'x' * 60}'"),
        ("x" * 61, f"'{'x' * 60}…'"),
        ("x" * 10**6, f"'{'x' * 60}…'"),
        (10**5000, "'a number too long to be written'"),
        ([10**5000], "'a number too long to be written'"),
    ],
    ids=range(13),
)
def test_a_quoted_value_is_printable_and_short(value, text):
    assert quoted(value) == text


@given(st.text())
def test_printable_text_has_the_same_length(text):
    shown = printable(text)
    assert len(shown) == len(text)
    assert shown.isprintable()
    assert all(now == before for now, before in zip(shown, text, strict=True) if before.isprintable())


@every(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"), (iter("ab"), "a or b")]
)
def test_words_are_joined_as_in_a_sentence(words, text):
    assert listed(words) == text


def test_no_words_are_joined_to_no_text():
    assert listed([]) == ""


class Textless:
    def __str__(self):
        raise OSError


@every(
    ("value", "text"),
    [
        (Textless(), "'a Textless without a text'"),
        ([Textless()], "'[<"),
        ({1: Textless()}, "'{1: <"),
        (["x" * 10] * 10**6, "'['xxxxxxxxxx', '"),
        (dict.fromkeys(range(10**6)), "'{0: None, 1: None, "),
        (set(range(100)), "'{0, 1, 2, "),
    ],
    ids=range(6),
)
def test_a_value_whose_text_fails_or_is_long_is_quoted_too(value, text):
    assert quoted(value).startswith(text)
    assert len(quoted(value)) <= 63


def test_what_is_not_text_is_similar_to_nothing():
    assert near(5, ["Strength"]) == "known: 'Strength'"
    assert near("Strenght", ["Strength", 5, None]) == "did you mean 'Strength'?"


def test_words_may_be_joined_by_another_conjunction():
    assert listed(["a", "b", "c"], "and") == "a, b and c"


@every(
    ("word", "choices", "text"),
    [
        ("Strenght", ["Strength", "Health"], "did you mean 'Strength'?"),
        ("strength", ["Strength", "Health"], "did you mean 'Strength'?"),
        ("STRENGTH", ["Strength", "Health"], "did you mean 'Strength'?"),
        ("Mana", ["Strength", "Health"], "known: 'Health', 'Strength'"),
        ("Mana", ["Strength"], "known: 'Strength'"),
        ("Mana", [], ""),
        ("", ["Strength"], "known: 'Strength'"),
        ("Mana", [f"Q{number}" for number in range(13)], ""),
        ("Strength", ["<b>Strength</b>"], "did you mean '<b>Strength</b>'?"),
        ("Strengt\x00", ["Strength\x00"], "did you mean 'Strength\ufffd'?"),
    ],
)
def test_the_hint_lists_similar_words(word, choices, text):
    assert near(word, choices) == text


@pytest.mark.parametrize("length", [20, 5000])
def test_few_words_and_the_beginnings_of_long_ones_are_compared(monkeypatch, length):
    compared = []

    def matches(word, words, **named):
        words = list(words)
        compared.extend([word, *words])
        return get_close_matches(word, words, **named)

    monkeypatch.setattr("difflib.get_close_matches", matches)
    assert near("ab" * 5000, [f"{number}{'ab' * length}" for number in range(1000)]).startswith("did you mean '")
    assert 1 < len(compared) <= 101
    assert max(map(len, compared)) <= 60


def test_similar_words_are_found_among_many():
    many = [f"Skill {number}" for number in range(1000)] + ["Strength", "Health"]
    assert near("Strenght", many) == "did you mean 'Strength'?"
    assert near("Skil 77", many).startswith("did you mean 'Skill 77'")
