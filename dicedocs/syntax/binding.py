"""The lexer of values and conditions, which finds names that are known, and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from lark import Token
from lark.common import LexerConf
from lark.lexer import ContextualLexer, Lexer, LexerState

from dicedocs.errors import NotationError, quoted
from dicedocs.syntax.names import BoundText
from dicedocs.syntax.relations import COMPARE, KEYWORD, or_more_at, range_at

_BEFORE_RANGE: Final = frozenset({"COMPARE", "_OR", "_NOR", "AND", "_NOT", "PAIRED", "_EITHER", "_BETWEEN", "_IF"})
"""Behind these, ``5-6`` is a range and no difference."""
_BEFORE_VALUE: Final = re.compile(
    rf"""\s+(?!{KEYWORD}|{COMPARE}|(?i:plus|minus|times|mod)\b|[-+](?!\d))(?=[\w"“(+-])"""
)
"""What stands between a fact and a value of it, where the sign of equality is left out."""
_GLUED: Final = frozenset({"POOL", "TAIL", "MODIFIER"})
"""Behind these a sign of comparison is that of a modifier, unless a space stands between them."""
_ITEM: Final = r"[-+]?[0-9]++(?:\s*+(?:[-–]|to\b)\s*+[0-9]++|[+])?+"
_LISTING: Final = re.compile(
    rf",(?=\s*+{_ITEM}(?:\s*+,\s*+{_ITEM})*+\s*+,?\s*+or\s++{_ITEM}(?!\s*+if\b))|,\s*+or\b(?=\s*+{_ITEM})",
    re.IGNORECASE,
)
"""A comma between numbers of a list, as in ``7, 8, or 9``."""
_ONE_DIE: Final = re.compile(r"1?[dD][^\[]*")


LONG: Final = "\0"
"""Stands before the value of a number that may be as long as an outcome."""
BOUND: Final = "\0"
"""Stands before the value of a token that is a name in trees."""


class BindingLexer(Lexer):
    """A lexer that asks the text for names where a name may stand, and looks for ranges where these may.

    Everything else is found by lark's own contextual lexer. Lark makes it, since its class is the parser's ``lexer``.
    """

    __future_interface__: ClassVar[int] = 2
    """Lark's number for lexers that are given the states of lexer and parser."""

    def __init__(self, conf: LexerConf) -> None:
        self._conf = conf
        self._accepted: dict[int, frozenset[str]] = {}
        self._others: ContextualLexer | None = None

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """Yield the tokens of a text."""
        if self._others is None:
            states = parser_state.parse_conf.states
            self._accepted = {state: frozenset(row) for state, row in states.items()}
            self._others = ContextualLexer(self._conf, {state: list(row) for state, row in states.items()})
        text = _text_of(lexer_state)
        others, last = self._others.lex(lexer_state, parser_state), None
        while True:
            accepted = self._accepted[parser_state.position]
            token = self._bound(text, lexer_state, accepted) or next(others, None)
            if token is None:
                return
            if token.type == "COMPARE" and last is not None:
                _check_glued(text, last, token)
            if token.type == "NUMBER" and text.is_event:
                token = token.update(value=f"{LONG}{token}")
            yield (last := token)
            accepted = self._accepted[parser_state.position]
            is_named = token.type == "NAME" and text.is_event and "COMPARE" in accepted
            if is_named and _BEFORE_VALUE.match(text, token.end_pos or 0):
                yield _token("COMPARE", "=", lexer_state)

    @staticmethod
    def _bound(text: BoundText, state: LexerState, accepted: frozenset[str]) -> Token | None:
        """Return the name, the quoted word or the range that comes next; ``None`` if none does."""
        start = at = state.line_ctr.char_pos
        while text[at : at + 1].isspace():
            at += 1
        skipped = at - start
        is_listed = state.last_token is not None and state.last_token.type in {"NUMBER", "RANGE"}
        if is_listed and "_OR" in accepted and (found := _LISTING.match(text, at)):
            return _token("_OR", found[0], state, skipped)
        if at in text.commas and "AND" in accepted:
            return _token("AND", ",", state, skipped)
        if "WORDS" in accepted and (end := text.quotation_at(at)):
            return _token("WORDS", text[at:end], state, skipped)
        if (
            "OR_MORE" in accepted
            and (found := or_more_at(text, at))
            and not text.name_at(found.end() - len(found[0].split()[-1]))
        ):
            return _token("OR_MORE", found[0], state, skipped)
        before = text[at - 1 : at]
        if "NAME" in accepted and not (before.isalnum() or before == "_") and (bound := text.name_at(at)):
            end, name = bound
            token = _token("NAME", text[at:end], state, skipped)
            return token.update(value=f"{BOUND}{name}")
        may_be_range = state.last_token.type in _BEFORE_RANGE if state.last_token else text.is_event
        if "RANGE" in accepted and may_be_range and (found := range_at(text, at)):
            return _token("RANGE", found[0], state, skipped)
        return None


def _text_of(state: LexerState) -> BoundText:
    text: Any = state.text
    text = getattr(text, "text", text)  # lark before 1.3 has no slices
    return text if isinstance(text, BoundText) else BoundText(text, {})


def _check_glued(text: str, dice: Token, sign: Token) -> None:
    """Refuse a comparison that stands behind dice without a space, as a modifier does, but has no number."""
    at, end = dice.end_pos or 0, sign.end_pos or 0
    is_spaced = at < (sign.start_pos or 0), text[end : end + 1].isspace()
    is_modifier = dice.type in _GLUED and not all(is_spaced)
    # Of one die both readings are the same.
    if not is_modifier or sign[:1].isalpha() or (dice.type == "POOL" and _ONE_DIE.fullmatch(dice)):
        return
    start = at
    while start and not text[start - 1].isspace() and text[start - 1] not in "(,":
        start -= 1
    rest = re.match(r"\s*[\w\]\[]+", text[end:])
    value = rest[0].strip("[] ") if rest else ""
    written, modifier = text[start:at], f"{sign}{value}"
    hint = f"write count({written} {sign} {value}) to count dice, or {written} {sign} {value} with spaces for the sum"
    if dice.type == "MODIFIER":
        modifier = f"{dice}{modifier}"
        hint = f"write the number, as in {written}{sign}3"
    message = f"{quoted(modifier)} without spaces is a modifier, which takes a number"
    if any(is_spaced):
        message = f"a space stands on one side of {quoted(str(sign))} only"
    raise NotationError(message, at=at, hint=hint)


def _token(kind: str, written: str, state: LexerState, skipped: int = 0) -> Token:
    """Return a token that comes next, and go on behind it; ``=`` that is left out takes no place."""
    counter, text = state.line_ctr, _text_of(state)
    if skipped:
        counter.feed(Token("SPACE", text[counter.char_pos : counter.char_pos + skipped]))
    token = Token(kind, written, counter.char_pos, counter.line, counter.column)
    if kind != "COMPARE":
        counter.feed(token)
    token.end_line, token.end_column, token.end_pos = counter.line, counter.column, counter.char_pos
    state.last_token = token
    return token
