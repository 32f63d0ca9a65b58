"""What our grammars have in common: lark, imported when the first text is parsed, and the place where a text fails."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, cast

from dicedocs.errors import DiceError

if TYPE_CHECKING:
    from lark import Lark, UnexpectedInput

_NAME_OR_SIGN = re.compile(r"\[[^\[\]]*\]|[()]")


class Misplaced(Exception):
    """Something stands at a place of a text where its grammar does not want it; the length of the text is its end."""

    def __init__(self, at: int, error: UnexpectedInput) -> None:
        super().__init__(at)
        self.at = at
        self._error = error

    @property
    def wanted(self) -> set[str]:
        """The names of the terminals that could stand there."""
        wanted: set[str] = self._error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
        return wanted


def grammar(file: Path, lexer: Literal["basic", "contextual"], *starts: str, **readers: Callable[..., object]) -> Lark:
    """Build a parser. It builds what the readers give while it parses: lark's own tree is never made.

    Parameters:
        file: the grammar.
        lexer: whether the parser tells the lexer which terminals can come next.
        starts: the rules that a text may be; ``start`` when left out.
        readers: for a terminal what gives something for its token, for a rule something for what its parts gave.
    """
    from lark import Lark

    return Lark(
        file.read_text("utf-8"),
        parser="lalr",
        lexer=lexer,
        transformer=SimpleNamespace(**readers),
        start=list(starts) or "start",
    )


def parsed(parser: Lark, text: str, start: str | None = None) -> Any:
    """Let lark read a text.

    Parameters:
        parser: what :func:`grammar` gave.
        text: the text.
        start: the rule that it should be, where there are several.

    Raises:
        Misplaced: the text leaves the grammar.
        DiceError: a reader refuses a part of it.
    """
    try:
        return parser.parse(text, start)
    except DiceError:
        raise
    except Exception as error:  # noqa: BLE001  # naming lark's errors would import them for each text
        raise _misplaced(error, text) from None


def _misplaced(error: Exception, text: str) -> Misplaced:
    """Give an error of lark's with the place that it is about; any other error is raised again."""
    from lark import UnexpectedCharacters, UnexpectedToken

    if isinstance(error, UnexpectedCharacters):
        return Misplaced(cast("int", error.pos_in_stream), error)
    if isinstance(error, UnexpectedToken):
        return Misplaced(len(text) if error.token.type == "$END" else error.token.start_pos or 0, error)
    raise error


def opened(text: str) -> list[int]:
    """Give the places of the parentheses that a text opens and does not close; those in ``[names]`` do not count.

    >>> opened("(1 + (2 - 3) * [Hit (points]")
    [0]
    """
    return _parentheses(text)[0]


def depth(text: str) -> int:
    """Give how many parentheses of a text are open at once; those in ``[names]`` do not count.

    >>> depth("(1 + (2 - 3)) * (4)")
    2
    """
    return _parentheses(text)[1]


def _parentheses(text: str) -> tuple[list[int], int]:
    places: list[int] = []
    deepest = 0
    for sign in _NAME_OR_SIGN.finditer(text):
        if sign[0] == "(":
            places.append(sign.start())
            deepest = max(deepest, len(places))
        elif sign[0] == ")" and places:
            places.pop()
    return places, deepest
