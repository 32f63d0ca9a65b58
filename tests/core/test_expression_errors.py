"""The errors for texts that are not an Expression or a Check."""

from __future__ import annotations

import re
import tracemalloc

import pytest

from dicedocs.errors import DiceError, NotationError
from dicedocs.syntax.parser import parse_check, parse_expression

from ..every import every

OPERAND = "expected a number, dice such as 2d6, a [Resource] or '(', found "
OPERATOR = "expected an operator (+ - * /), found "
SIGN = "a number cannot start with a sign"
JOINING = "Checks cannot be joined or negated"

EXPRESSIONS = [
    # text, index, part of the message, part of the hint
    ("", 0, "the text is empty", "write 2d6 + 3"),
    (" \n ", 0, "the text is empty", "write 2d6 + 3"),
    ("5 +", 3, OPERAND + "the end", "write a value after '+'"),
    ("(1 + ", 5, OPERAND + "the end", "write a value after '+'"),
    ("5 + * 3", 4, OPERAND + "'*'", "leave one of the two operators out"),
    ("* 3", 0, OPERAND + "'*'", ""),
    ("#", 0, OPERAND + "'#'", ""),
    ("2d6 ; 3", 4, OPERATOR + "';'", ""),
    ("(2d6 ; 3", 5, "expected an operator (+ - * /) or ')', found ';'", ""),
    ("2d6 + 3;", 7, OPERATOR + "';'", "write '2d6 + 3'"),
    # signs
    ("-3 + 5", 0, OPERAND + "'-'", f"{SIGN}: write '0 - 3 + 5'"),
    ("(-3)", 1, OPERAND + "'-'", f"{SIGN}: write '(0 - 3)'"),
    ("5 * -3", 4, OPERAND + "'-'", "write '5 * (0 - 3)'"),
    ("5 / -(3)", 4, OPERAND + "'-'", "subtract it from 0 in parentheses, as in (0 - 3)"),
    ("5 - -3", 4, OPERAND + "'-'", "write '5 + 3'"),
    ("5 + -3", 4, OPERAND + "'-'", "write '5 - 3'"),
    ("5 + + 3", 4, OPERAND + "'+'", "write '5 + 3'"),
    ("+3", 0, OPERAND + "'+'", "write '3'"),
    ("-2d6 * -[A]", 0, OPERAND + "'-'", "write '0 - 2d6 * (0 - [A])'"),
    # dice
    ("2 d 6", 1, "dice are written without spaces", "write '2d6'"),
    ("1 + 2 d6", 5, "dice are written without spaces", "write '1 + 2d6'"),
    ("2d 6", 2, "dice are written without spaces", "write '2d6'"),
    ("d\t6", 1, "dice are written without spaces", "write 'd6'"),
    ("[Level] d6", 7, "dice are written without spaces", "write '[Level]d6'"),
    ("2d", 2, "expected the sides of the dice, found the end", "as in 2d6"),
    ("d", 1, "expected the sides of the dice, found the end", "as in d6"),
    ("2d + 3", 2, "expected the sides of the dice, found '+'", "as in 2d6"),
    ("2d-6", 2, "expected the sides of the dice, found '-'", "as in 2d6"),
    ("[Level]d", 8, "expected the sides of the dice", "as in 2d6"),
    ("(1+2)d6", 5, OPERATOR + "'d6'", "the number of dice cannot be in parentheses"),
    ("2d(3+3)", 2, "the sides of dice cannot be in parentheses", "as in 2d6"),
    ("1d0", 2, "a die cannot have 0 sides", "it has 1 or more"),
    ("3 + 0d00", 6, "a die cannot have 0 sides", "it has 1 or more"),
    ("2d%", 2, "'%' is not a number of sides", "write '2d100'"),
    ("d%", 1, "'%' is not a number of sides", "write 'd100'"),
    ("2d6kh1", 3, OPERATOR + "'kh1'", "play 'dice/roll'"),
    ("4d6d1 + 2", 3, OPERATOR + "'d1'", "play 'dice/roll'"),
    ("4d6x + 2", 3, OPERATOR + "'x'", "write '4d6 + 2'"),
    ("3d6!", 3, OPERATOR + "'!'", "play 'dice/roll'"),
    # operators
    ("2(3+4)", 1, OPERATOR + "'('", "write '2 * (3+4)'"),
    ("(1+2)(3+4)", 5, OPERATOR + "'('", "write '(1+2) * (3+4)'"),
    ("(1+2) 3", 6, OPERATOR + "'3'", "write '(1+2) * 3'"),
    ("[A][B]", 3, OPERATOR + "'['", "write '[A] * [B]'"),
    ("2 [A]", 2, OPERATOR + "'['", "write '2 * [A]'"),
    ("5 5", 2, OPERATOR + "'5'", "write an operator between the two"),
    ("1d20 [Attack]", 5, OPERATOR + "'['", "write '1d20 + [Attack]'"),
    ("2d6 1d4", 4, OPERATOR + "'1d4'", "write '2d6 + 1d4'"),
    ("2 x 3", 2, OPERATOR + "'x'", "write '2 * 3'"),
    ("2d6x2", 3, OPERATOR + "'x2'", "write '2d6 * 2'"),
    ("2d6 × 2", 4, OPERATOR + "'×'", "write '2d6 * 2'"),
    ("6 ÷ 2", 2, OPERATOR + "'÷'", "write '6 / 2'"),
    ("5 − 3", 2, OPERATOR + "'−'", "write '5 - 3'"),
    ("5 – 3 — 1", 2, OPERATOR + "'–'", "write '5 - 3 - 1'"),
    ("7 % 2", 2, OPERATOR + "'%'", "the operators are + - * and /"),
    ("2^3", 1, OPERATOR + "'^'", "there are no powers: write '(2 * 2 * 2)'"),
    ("[A] ^ [B]", 4, OPERATOR + "'^'", "there are no powers: write the multiplication out"),
    ("6 / [A]²", 7, OPERATOR + "'²'", "write '6 / ([A] * [A])'"),
    ("[A] ** 2", 5, OPERAND + "'*'", "write '([A] * [A])'"),
    ("2 ** 99", 3, OPERAND + "'*'", "there are no powers: write the multiplication out"),
    ("7 // 2", 3, OPERAND + "'/'", "write '7 / 2'"),
    ("2d6 plus 3", 4, OPERATOR + "'plus'", "write '2d6 + 3'"),
    ("10 DIVIDED BY 2", 3, OPERATOR + "'DIVIDED'", "write '10 / 2'"),
    ("floor(5 / 2)", 0, OPERAND + "'floor'", "there are no functions: write '(5 / 2)'"),
    ("max(1, 2)", 0, OPERAND + "'max'", "there are no functions"),
    # numbers
    ("1.5", 1, OPERATOR + "'.'", "numbers are whole"),
    ("1,5", 1, OPERATOR + "','", "numbers are whole"),
    (".5", 0, OPERAND + "'.'", "numbers are whole"),
    ("2d6 * 1.5", 7, OPERATOR + "'.'", "numbers are whole: write '2d6 * 3 / 2'"),
    ("2d6 * 0,5", 7, OPERATOR + "','", "numbers are whole: write '2d6 / 2'"),
    ("1,000,000 + 2", 1, OPERATOR + "','", "a number has no commas: write '1000000 + 2'"),
    ("５ + 1", 0, OPERAND + "'５'", "'５' is not a digit from 0 to 9: write '5 + 1'"),
    ("1０", 1, OPERATOR + "'０'", "'０' is not a digit from 0 to 9: write '10'"),
    ("１ｄ６", 0, OPERAND, "'１' is not a digit from 0 to 9: write '1d6'"),
    ("2d６", 2, "'６' is not a digit from 0 to 9", "write '2d6'"),
    ("٣ + 1", 0, OPERAND + "'٣'", "'٣' is not a digit from 0 to 9: write '3 + 1'"),
    ("（1 ＋ 2）", 0, OPERAND + "'（'", "write '(1 + 2)'"),
    # brackets
    ("(1 + 2", 0, "'(' is never closed", "write '(1 + 2)'"),
    ("1 + (2 + (3 * 4) ", 4, "'(' is never closed", "write '1 + (2 + (3 * 4))'"),
    ("((1 + 2", 1, "'(' is never closed", "write '((1 + 2))'"),
    ("1 + 2)", 5, OPERATOR + "')'", "')' has no matching '(': write '1 + 2'"),
    ("(1 + 2] * 3", 6, "or ')', found ']'", "']' does not close '(': write '(1 + 2) * 3'"),
    ("()", 1, OPERAND + "')'", "write something between the parentheses"),
    ("{1 + 2} * 3", 0, OPERAND + "'{'", "parentheses are round: write '(1 + 2) * 3'"),
    ("2 + [Strength + 1", 4, "'[' is never closed", "write '2 + [Strength] + 1'"),
    ("2 + [", 4, "'[' is never closed", "write ']' after the name"),
    ("[A]] + 1", 3, OPERATOR + "']'", "']' has no matching '[': write '[A] + 1'"),
    ("[[A]] + 1", 0, "a name has one pair of brackets", "write '[A] + 1'"),
    ("[a[b]]", 2, "the name of a resource cannot contain '['", "close the one before it with ']'"),
    # names
    ("Strength + 1", 0, OPERAND + "'Strength'", "a resource is written in square brackets: write '[Strength] + 1'"),
    ("1 + Strength] * 2", 4, OPERAND + "'Strength'", "write '1 + [Strength] * 2'"),
    ("Target Health / 2", 0, OPERAND + "'Target'", "write '[Target Health] / 2'"),
    (
        "ilse.Strength + 1",
        0,
        OPERAND + "'ilse'",
        "give ilse as the actor, and the resource in square brackets: write '[Strength] + 1'",
    ),
    ("Ilse's Health Maximum", 0, OPERAND + "'Ilse'", "give Ilse as the actor, and the resource in square brackets"),
    ("target.Defense", 0, OPERAND + "'target'", "a resource is written in square brackets: write '[Target Defense]'"),
    (
        "ilse.Attack - bob.Defense",
        0,
        OPERAND + "'ilse'",
        "give ilse as the actor and bob as the target: write [Strength] and [Target Defense]",
    ),
    ("ilse.Attack - ilse.Wounds", 0, OPERAND + "'ilse'", "write '[Attack] - [Wounds]'"),
    ("Kraft x Stärke", 0, OPERAND + "'Kraft'", "a resource is written in square brackets"),
    ("2d6 fire", 4, OPERATOR + "'fire'", "leave the word out"),
    ("2d6 + []", 6, "the brackets are empty", "write the name of a resource: [Strength]"),
    ("[ \t]", 0, "the brackets are empty", ""),
    ("[Self]", 0, "'[Self]' does not say which resource", "[Self Strength]"),
    ("1 + [ Target ]", 4, "'[Target]' does not say which resource", "[Target Strength]"),
    ("2d[]", 2, "the brackets are empty", ""),
    ("[Self]d6", 0, "'[Self]' does not say which resource", ""),
    ("[A\0B]", 0, "has a character that cannot be printed", ""),
    # the rest
    ('"2d6"', 0, OPERAND + "'\"'", "quotation marks have no meaning: write '2d6'"),
    ("2d6\0", 3, OPERATOR, "the character U+0000 cannot be printed: write '2d6'"),
    ("\u200b2d6", 0, OPERAND, "the character U+200B cannot be printed: write '2d6'"),
    ("2\ud800", 1, OPERATOR, "the character U+D800 cannot be printed"),
    ("2 d 6 + Strength × 2 - 1.5", 1, "dice are written without spaces", "write them as 2d6"),
    ("2 d 6 + Strength × 2 plus [Magic", 1, "without spaces", "write '2d6 + [Strength] * 2 + [Magic]'"),
    # a Check in place of an Expression
    ("1 < 2", 2, "a roll cannot contain a comparison, found '<'", "use check() for the whole"),
    ("[a<b] + 3d6 >= 4", 12, "a roll cannot contain a comparison, found '>='", "use check() for the whole"),
    ("1 == 2", 2, "a roll cannot contain a comparison, found '='", ""),
    ("1 < 2 < 3", 2, "a roll cannot contain a comparison, found '<'", ""),
    ("1 < 2 and 3 < 4", 2, "a roll cannot contain a comparison, found '<'", ""),
    ("2 d 6 < 3", 1, "dice are written without spaces", "write them as 2d6"),
]  # fmt: skip

CHECKS = [
    ("", 0, "the text is empty", "write 1d20 + 6 >= 12"),
    ("1d20 + 2 ", 8, "expected a comparison (= != < <= > >=), found the end", "'1d20 + 2 >= 10'"),
    ("1 <", 3, OPERAND + "the end", "write a value after '<'"),
    ("< 1", 0, OPERAND + "'<'", ""),
    ("1 ~ 2", 2, "expected an operator (+ - * /) or a comparison, found '~'", ""),
    ("1 == 2", 2, "'==' is not a comparison", "write '1 = 2'"),
    ("1 === 2", 2, "'===' is not a comparison", "write '1 = 2'"),
    ("1 !== 2", 2, "'!==' is not a comparison", "write '1 != 2'"),
    ("1 => 2", 2, "'=>' is not a comparison", "write '1 >= 2'"),
    ("1 =< 2", 2, "'=<' is not a comparison", "write '1 <= 2'"),
    ("1 <> 2", 2, "'<>' is not a comparison", "write '1 != 2'"),
    ("1 > = 2", 3, "a comparison is written without spaces", "write '1 >= 2'"),
    ("1 ! = 2", 3, "a comparison is written without spaces", "write '1 != 2'"),
    ("1 ≥ 2", 2, "or a comparison, found '≥'", "write '1 >= 2'"),
    ("1 ≤ 2", 2, "or a comparison, found '≤'", "write '1 <= 2'"),
    ("1 ≠ 2", 2, "or a comparison, found '≠'", "write '1 != 2'"),
    ("1 < 2 < 3", 6, "a check has only one comparison", "write separate checks: '1 < 2' and '2 < 3'"),
    ("1 = 2 = 3 = 4", 6, "a check has only one comparison", "'1 = 2', '2 = 3' and '3 = 4'"),
    ("1 < 2 and 2 < 3", 6, "found 'and'", f"{JOINING}: write each comparison as its own check"),
    ("1 < 2 && 2 < 3", 6, "found '&'", JOINING),
    ("[A] > 1 OR [B] > 2", 8, "found 'OR'", JOINING),
    ("1 < 2 || 3 > 1", 6, "found '|'", JOINING),
    ("not 1 < 2", 0, "found 'not'", f"{JOINING}: write '1 >= 2'"),
    ("!1d6 = 2", 0, "found '!'", "write '1d6 != 2'"),
    ("1 < not 2", 4, "found 'not'", JOINING),
    ("(1 < 2)", 0, "a comparison cannot be in parentheses", "write '1 < 2'"),
    ("(1 + 2 = 3", 0, "'(' is never closed", "write '(1 + 2) = 3'"),
    ("1 < (2", 4, "'(' is never closed", "write '1 < (2)'"),
    ("1 < 2)", 5, OPERATOR + "')'", "write '1 < 2'"),
    ("-1 < 2", 0, OPERAND + "'-'", "write '0 - 1 < 2'"),
    ("1 < -2", 4, OPERAND + "'-'", "write '1 < 0 - 2'"),
    ("2 d 6 < Strength", 1, "dice are written without spaces", "write '2d6 < [Strength]'"),
    ("2 d 6", 1, "dice are written without spaces", "write them as 2d6"),
]  # fmt: skip


@every(
    ("parse", "text", "at", "message", "hint"),
    [(parse_expression, *row) for row in EXPRESSIONS] + [(parse_check, *row) for row in CHECKS],
)
def test_the_error_names_the_mistake_and_points_at_it(parse, text, at, message, hint):
    with pytest.raises(NotationError) as caught:
        parse(text)
    error = caught.value
    assert error.at == at
    assert error.text == text
    assert message in error.message
    assert hint in error.hint
    if not hint:
        assert "write '" not in error.hint
    # A corrected text in a hint is legal.
    shown = re.fullmatch(r"(?:.*: )?write '(.*)'", error.hint)
    if shown and text.strip() and len(shown[1]) > 3:
        parse(shown[1])


def test_every_message_is_one_line_with_the_caret_below():
    with pytest.raises(NotationError) as caught:
        parse_expression("2d6 +\n  Strength")
    assert str(caught.value).splitlines() == [
        f"{OPERAND}'Strength' (line 2, column 3); a resource is written in square brackets: write '2d6 + [Strength]'",
        "      Strength",
        "      ^",
    ]


def test_a_correction_that_is_too_long_to_show_is_not_shown():
    with pytest.raises(NotationError) as caught:
        parse_expression("1 + " * 30 + "2 d 6")
    assert caught.value.hint == "write them as 2d6"


def test_a_hint_never_shows_a_text_beyond_a_limit():
    with pytest.raises(DiceError) as caught:
        parse_expression("2 d 99999999")
    assert caught.value.hint == "write them as 2d6"


def test_hostile_text_takes_little_memory():
    parse_expression("1d6")
    tracemalloc.start()
    try:
        for text in ["(" * 10_000, "x" * 1_000_000, "9" * 100_000, "[" * 1000, "999999999d999999999"]:
            with pytest.raises(DiceError):
                parse_expression(text)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
