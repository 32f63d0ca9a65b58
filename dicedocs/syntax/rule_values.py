"""The value of a line of a rule in a page: the notation, with names, words, cases and questions about dice."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, listed, located
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, too_deep, unclosed_parentheses
from dicedocs.syntax.mistakes import token_at
from dicedocs.syntax.parser import notation_grammar
from dicedocs.syntax.tree import Node

if TYPE_CHECKING:
    from lark import Lark

_SIGNS: Final = str.maketrans({"×": "*", "\u2212": "-", "“": '"', "”": '"'})
_CASE: Final = re.compile(r"\bif\b[^,]*,")
_FUNCTION: Final = re.compile(r"([^\W\d]\w*)\s*\(")
_FUNCTIONS: Final = (
    *("count", "highest", "lowest", "matches", "sides", "roll"),
    *("min", "max", "abs", "floor", "ceil", "round"),
)
_CACHE_SIZE: Final = 1024
_OPERATOR: Final = frozenset({"SIGN", "FACTOR", "COMPARE", "_IF", "_AND", "_OR"})
"""What may follow a value."""


@limits.cached(_CACHE_SIZE)
def parse_rule_value(text: str) -> Node:
    """Parse what a line of a rule says behind its name.

    Raises:
        NotationError: the text is no value; the error holds the position and what was expected there.
        LimitError: the text is longer or deeper than the limits allow.

    >>> from dicedocs.syntax.tree import format
    >>> format(parse_rule_value("2d8 + 3 if critical, 1d8 + 3 if hits, else 0"))
    '2d8 + 3 if [critical], 1d8 + 3 if [hits], else 0'
    >>> format(parse_rule_value("count(pool >= 8) > 2 and not botched"))
    'count([pool] >= 8) > 2 and not [botched]'
    """
    try:
        with located(limits.TEXT.maximum):
            limits.TEXT.check(len(text))
        with located(too_deep(text, limits.NESTING.maximum)):
            limits.NESTING.check(nesting_depth(text))
        return cast("Node", parse(_lark(), text.translate(_SIGNS), "choice"))
    except ParseError as error:
        raise _not_a_value(text, error) from None
    except DiceError as error:
        error.text = text
        raise


def _not_a_value(text: str, error: ParseError) -> NotationError:
    found = token_at(text, error.at)
    wanted = "an operator (+ - * / % = < >), 'if', 'and' or 'or'" if error.expected & _OPERATOR else "a value"
    hint = "write a number, a name, dice, or words in quotes there"
    if error.expected & _OPERATOR:
        hint = "write words that are a value in quotes"
    if not text.strip():
        hint = "write what it is, as in total = 2d6 + stat"
    elif error.at >= len(text.rstrip()) and unclosed_parentheses(text):
        wanted, hint = "')'", "close the parenthesis"
    elif "_IF" in error.expected and re.match(r"[:?]|\s*then\b", text[error.at :]):
        hint = "write the value first: 2d8 if critical, else 1d8"
    elif "_ELSE" in error.expected and error.at >= len(text.rstrip()):
        wanted, hint = "'else'", "add an else: ..., else 0"
    elif "_IF" in error.expected and error.at >= len(text.rstrip()) and _CASE.search(text):
        wanted, hint = "'if'", "write else before the last value: 2d8 if critical, else 1d8"
    elif function := _FUNCTION.match(text, error.at):
        known = listed(_FUNCTIONS, "and")
        hint = f"there is no {function[1]}(); dice are added up by themselves, and the functions are {known}"
    return NotationError(f"expected {wanted}, found {found}", text=text, at=error.at, hint=hint)


@lru_cache(1)
def _lark() -> Lark:
    from dicedocs.syntax.rule_tree_building import RuleTreeBuilder

    more = (Path(__file__).parent / "rule_values.lark").read_text("utf-8")
    return build_parser(notation_grammar() + more, RuleTreeBuilder(), "choice")
