"""What the grammars share: lark, imported when the first text is parsed, and the position of a syntax error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from dicedocs.errors import DiceError

if TYPE_CHECKING:
    from lark import Lark, Token, Transformer, UnexpectedInput
    from lark.lexer import Lexer

QUOTATION: Final = r""""[^"]*"|["“”„«»][^"“”„«»]*["“”„«»]|(?<!\w)(?:'[^'"]*'|[‘‚][^‘’"]*[‘’])(?!\w)"""
"""Words in quotes of any kind, as a regular expression."""
_NAME_OR_PARENTHESIS = re.compile(r"\[[^\[\]]*\]|[()]")
_NAME_OR_BRACKET = re.compile(r"\[[^\[\]]*\]|[(){}]")


def unquoted(text: str) -> str:
    """Return a text without the quotes around it.

    >>> unquoted('"risky"'), unquoted("risky")
    ('risky', 'risky')
    """
    return text[1:-1].strip() if re.fullmatch(QUOTATION, text) else text


class ParseError(Exception):
    """A text that its grammar does not accept, with the position of the error; the end is the text's length."""

    def __init__(self, at: int, error: UnexpectedInput) -> None:
        super().__init__(at)
        self.at = at
        self._error = error

    @property
    def expected(self) -> set[str]:
        """The names of the terminals that the grammar accepts at the position."""
        terminals: set[str] = self._error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
        return terminals


def build_parser(
    grammar: str, transformer: Transformer[Token, Any], *starts: str, lexer: type[Lexer] | None = None
) -> Lark:
    """Return a parser that builds its result while it reads.

    Parameters:
        grammar: the grammar of lark.
        transformer: has a method for each terminal and each rule.
        starts: the rules with which a text may begin.
        lexer: the class of the lexer, if it is not lark's.
    """
    from lark import Lark

    return Lark(
        grammar, parser="lalr", lexer=lexer or "contextual", transformer=transformer, start=list(starts) or "start"
    )


def parse(parser: Lark, text: str, start: str | None = None) -> Any:
    """Return the value of a text that matches the rule ``start``.

    Raises:
        ParseError: the grammar does not accept the text.
        DiceError: a callback refuses a part of it.
    """
    try:
        return parser.parse(text, start)
    except DiceError:
        raise
    except Exception as error:  # noqa: BLE001  # an except clause with lark's errors would import lark each time
        raise _parse_error(error, text) from None


def _parse_error(error: Exception, text: str) -> ParseError:
    """Return the error for a syntax error of lark; raise any other exception again."""
    from lark import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedCharacters):
        return ParseError(cast("int", error.pos_in_stream), error)
    if isinstance(error, UnexpectedToken):
        return ParseError(len(text) if error.token.type == "$END" else error.token.start_pos or 0, error)
    raise error


def unclosed_parentheses(text: str) -> list[int]:
    """Return the positions of the parentheses that are not closed; those in ``[names]`` do not count.

    >>> unclosed_parentheses("(1 + (2 - 3) * [Hit (points]")
    [0]
    """
    positions: list[int] = []
    for match in _NAME_OR_PARENTHESIS.finditer(text):
        if match[0] == "(":
            positions.append(match.start())
        elif match[0] == ")" and positions:
            positions.pop()
    return positions


def nesting_depth(text: str) -> int:
    """Return how many parentheses and braces are open at once; those in ``[names]`` do not count.

    >>> nesting_depth("(1 + {2, (3)}) * (4)")
    3
    """
    return max((depth for _, depth in _depths(text)), default=0)


def too_deep(text: str, maximum: int) -> int:
    """Return the position of the first parenthesis or brace with more than ``maximum`` open at once, or else 0.

    >>> too_deep("1 + ((2))", 1)
    5
    """
    return next((at for at, depth in _depths(text) if depth > maximum), 0)


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """Yield the position of each parenthesis and brace, and how many are open after it."""
    depth = 0
    for match in _NAME_OR_BRACKET.finditer(text):
        if match[0] in {"(", "{"}:
            depth += 1
        elif match[0] in {")", "}"}:
            depth = max(depth - 1, 0)
        yield match.start(), depth
