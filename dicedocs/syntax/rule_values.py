"""The value of a line of a rule in a page: the notation, with names, words, cases and questions about dice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, listed, located
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, too_deep, unclosed_parentheses
from dicedocs.syntax.mistakes import token_at
from dicedocs.syntax.modifiers import check_numbers
from dicedocs.syntax.names import BoundText
from dicedocs.syntax.parser import check_chosen, notation_grammar
from dicedocs.syntax.relations import COMPARE, KEYWORD, range_at
from dicedocs.syntax.tree import Chain, Group, Node, Number, children, nodes

if TYPE_CHECKING:
    from lark import Lark

_SIGNS: Final = str.maketrans({"×": "*", "\u2212": "-", "“": '"', "”": '"', "÷": "/"})
_CASE: Final = re.compile(r"\bif\b[^,]*,")
_FUNCTION: Final = re.compile(r"([^\W\d]\w*)\s*\(")
_FUNCTIONS: Final = (
    *("count", "highest", "lowest", "matches", "sides", "roll"),
    *("min", "max", "abs", "floor", "ceil", "round"),
)
_CACHE_SIZE: Final = 1024
_OPERATOR: Final = frozenset({"SIGN", "FACTOR", "COMPARE", "_IF", "AND", "_OR"})
"""What may follow a value."""


def parse_rule_value(text: str, names: Mapping[str, str] = MappingProxyType({}), *, is_event: bool = False) -> Node:
    """Parse a value or a condition.

    Parameters:
        text: what a line of a rule says behind its name, or a condition.
        names: the name in trees of each name and each word that may stand in it.
        is_event: whether it is an event of a claim.

    Raises:
        NotationError: the text is no value; the error holds the position and what was expected there.
        LimitError: the text is longer or deeper than the limits allow.

    >>> from dicedocs.syntax.tree import format
    >>> format(parse_rule_value("2d8 + 3 if critical, 1d8 + 3 if hits, else 0"))
    '2d8 + 3 if [critical], 1d8 + 3 if [hits], else 0'
    >>> format(parse_rule_value("count(pool >= 8) > 2 and not botched"))
    'count([pool] >= 8) > 2 and not [botched]'
    """
    return _parsed(text, tuple(names.items()), is_event)


@limits.cached(_CACHE_SIZE)
def _parsed(text: str, names: tuple[tuple[str, str], ...], is_event: bool) -> Node:
    try:
        longest = limits.CLAIMS if is_event else limits.TEXT
        with located(longest.maximum):
            longest.check(len(text))
        with located(too_deep(text, limits.NESTING.maximum)):
            limits.NESTING.check(nesting_depth(text))
        check_numbers(text, "write {which}(pool, {name})")
        bound = BoundText(text.translate(_SIGNS), dict(names), is_event=is_event)
        tree = cast("Node", parse(_lark(), bound, "choice"))
        for node in nodes(tree):
            check_chosen(node)
        _check_differences(tree)
    except ParseError as error:
        raise _not_a_value(text, error) from None
    except DiceError as error:
        error.text = text
        raise
    return tree


def _check_differences(node: Node, parent: Node | None = None) -> None:
    """Refuse ``1-6`` without spaces where a value stands: it is written like a range."""
    match node:
        case Chain(Number(low, at), (("-", Number(high, end)),)) if not isinstance(parent, Group):
            if end - at == len(str(low)) + 1:
                hint = f"write dice, as in {'1d' if low == 1 else '2d'}6, or ({low} - {high}) for a difference"
                raise NotationError(f"{low}-{high} is a range", at=at, hint=hint)
    for child in children(node):
        _check_differences(child, node)


def _not_a_value(text: str, error: ParseError) -> NotationError:
    found, is_behind = token_at(text, error.at), bool(error.expected & _OPERATOR) and "NUMBER" not in error.expected
    wanted = "an operator (+ - * / % = < >), 'if', 'and' or 'or'" if is_behind else "a value"
    hint = "write a number, a name, dice, or words in quotes there"
    if is_behind:
        hint = "write words that are a value in quotes"
    found_range = range_at(text, len(text) - len(text.lstrip()))
    if found_range and found_range.end() == len(text.rstrip()):
        hint = "write dice for a throw, as in 1d6, or what is compared, as in total is 5-6"
        return NotationError(f"{found_range[0]} is a range", text=text, at=found_range.start(), hint=hint)
    if not text.strip():
        hint = "write what it is, as in total = 2d6 + stat"
    elif error.at >= len(text.rstrip()) and unclosed_parentheses(text):
        wanted, hint = "')'", "close the parenthesis"
    elif "AND" in error.expected and "_OR" not in error.expected:
        wanted, hint = "'and'", "write it as in between 3 and 5"
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
    from dicedocs.syntax.binding import BindingLexer
    from dicedocs.syntax.rule_tree_building import RuleTreeBuilder

    more = (Path(__file__).parent / "rule_values.lark").read_text("utf-8")
    more = more.replace("/COMPARE/", f"/{COMPARE}/").replace("KEYWORD", f"(?:{KEYWORD})")
    return build_parser(notation_grammar() + more, RuleTreeBuilder(), "choice", lexer=BindingLexer)
