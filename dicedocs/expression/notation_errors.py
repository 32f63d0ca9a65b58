"""The errors for texts that are not an Expression or a Check.

A message says what the grammar expected, and the hint what is wrong and what to write. Where every
mistake of a text has a correction and the corrected text is legal, the hint shows that text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TypeAlias

from dicedocs.errors import DiceError, NotationError, listed, printable, quoted
from dicedocs.expression.ambiguity import Ambiguity
from dicedocs.expression.mistakes import COMPARISON, NAME, Diagnosis, Dialect, Failure, Kind, token_at
from dicedocs.expression.modifiers import modifier_pattern
from dicedocs.expression.notation_mistakes import diagnose
from dicedocs.parsing import unclosed_parentheses

FailureIndex: TypeAlias = Callable[[str], int | None]
"""A function that returns the index at which a text fails to parse, or ``None`` when it is legal."""

_EXAMPLES: Mapping[Kind, str] = {"Expression": "2d6 + 3", "Check": "1d20 + 6 >= 12"}
_OPERATORS: Mapping[Dialect, str] = {"plain": "an operator (+ - * /)", "notation": "an operator (+ - * / % **)"}
_OPERANDS = ("a number", "dice such as 2d6", "a [Resource]", "'('")
_LONGEST_HINT = 100
"""Characters of the longest text that a hint shows."""
_MAXIMUM_CORRECTIONS = 20
"""Mistakes that are corrected in one text."""


def notation_error(
    text: str, at: int, kind: Kind, failure_index: FailureIndex, dialect: Dialect = "plain"
) -> NotationError:
    """Return the error for a text that fails to parse.

    Parameters:
        at: the index at which it fails; all before it is legal.
        kind: what the text should be.
        failure_index: parses a corrected text.
        dialect: what the text may have.
    """
    if not text.strip():
        return NotationError("the text is empty", text=text, at=0, hint=f"write {_EXAMPLES[kind]}")
    first = _first_comparison(text[:at], dialect)
    if kind == "Expression" and first is not None:
        return unexpected_comparison(text, dialect)
    failure = Failure(text, at, kind, dialect)
    if first is not None and failure.wanted == "operator" and re.match(COMPARISON, text[at:]):
        return _second_comparison(failure, failure_index)
    diagnosis = diagnose(failure) or Diagnosis(at, "", "")
    corrected = _corrected(failure, diagnosis, failure_index)
    hint = diagnosis.hint if corrected is None else f"write '{corrected}'"
    if diagnosis.complete:
        message = diagnosis.cause
    else:
        message = _expected(failure)
        hint = ": ".join(part for part in (diagnosis.cause, hint) if part)
    return NotationError(message, text=text, at=diagnosis.at, hint=hint)


def unexpected_comparison(text: str, dialect: Dialect = "plain") -> NotationError:
    """Return the error for a Check where an Expression is expected."""
    at = _first_comparison(text, dialect) or 0
    message = f"a roll cannot contain a comparison, found {token_at(text, at)}"
    return NotationError(message, text=text, at=at, hint="use check() for the whole, or write one side of it")


def ambiguous(found: Ambiguity, kind: Kind, is_legal: Callable[[str, Kind], bool]) -> NotationError:
    """Return the error for a text that may mean several things; its hint has a legal spelling for each.

    Parameters:
        kind: what the text should be.
        is_legal: whether a text is one that is of a kind.
    """
    spelled = []
    for purpose, spelling in found.spellings.items():
        shown = printable(" ".join(spelling.split()))
        # In a roll a comparison stands in parentheses; what is no check can be rolled.
        ways: tuple[tuple[str, str, Kind], ...] = (
            ("write", shown, kind),
            ("write", f"({shown})", kind),
            ("roll", shown, "Expression"),
        )
        legal = (f"{purpose} {verb} '{text}'" for verb, text, kind in ways if is_legal(text, kind))
        if len(shown) <= _LONGEST_HINT and (way := next(legal, None)):
            spelled.append(way)
    return NotationError(found.message, at=found.at, hint=", ".join(spelled) or found.hint)


def missing_comparison(text: str) -> NotationError:
    """Return the error for an Expression where a Check is expected."""
    shown = " ".join(text.split())
    hint = f"compare it with a value: '{shown} >= 10'" if len(shown) <= _LONGEST_HINT else "compare it with a value"
    message = "expected a comparison (= != < <= > >=), found the end"
    return NotationError(message, text=text, at=len(text.rstrip()), hint=hint)


_MODIFIED_DICE = rf"[dD](?:[0-9]+|%|F(?:\.[12])?|\{{[^{{}}]*\}})(?:{modifier_pattern()})*"
_COMPARED: Mapping[Dialect, re.Pattern[str]] = {
    "plain": re.compile(rf"{NAME}|({COMPARISON})"),
    "notation": re.compile(rf"{NAME}|{_MODIFIED_DICE}|(==|<>|{COMPARISON})"),
}


def _comparisons(text: str, dialect: Dialect = "plain") -> list[re.Match[str]]:
    """Return the comparisons outside names, and outside the modifiers of dice."""
    return [match for match in _COMPARED[dialect].finditer(text) if match[1]]


def _first_comparison(text: str, dialect: Dialect = "plain") -> int | None:
    return next((match.start() for match in _comparisons(text, dialect)), None)


def _corrected(failure: Failure, diagnosis: Diagnosis | None, failure_index: FailureIndex) -> str | None:
    """Return a text with all its mistakes corrected; ``None`` when one of them has no correction."""
    text = failure.text
    for _ in range(_MAXIMUM_CORRECTIONS):
        if diagnosis is None or diagnosis.replacement is None:
            return None
        text = text[: diagnosis.part.start] + diagnosis.replacement + text[diagnosis.part.stop :]
        try:
            at = failure_index(text)
        except DiceError:
            return None
        if at is None:
            shown = printable(" ".join(text.split()))
            right_kind = (_first_comparison(text, failure.dialect) is not None) == (failure.kind == "Check")
            return shown if right_kind and len(shown) <= _LONGEST_HINT else None
        diagnosis = diagnose(failure._replace(text=text, at=at))
    return None


def _second_comparison(failure: Failure, failure_index: FailureIndex) -> NotationError:
    """Return the error for a chain of comparisons; the hint shows it as separate Checks."""
    hint = "write each comparison as its own check"
    cuts = _comparisons(failure.text, failure.dialect)
    ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(failure.text)]
    sides = [failure.text[start:end].strip() for start, end in zip(*ends, strict=True)]
    checks = [f"{left} {cut[1]} {right}" for cut, (left, right) in zip(cuts, pairwise(sides), strict=True)]
    try:
        if sum(map(len, checks)) <= _LONGEST_HINT and all(failure_index(check) is None for check in checks):
            hint = f"write separate checks: {listed((quoted(check) for check in checks), 'and')}"
    except DiceError:
        pass
    return NotationError("a check has only one comparison", text=failure.text, at=failure.at, hint=hint)


def _expected(failure: Failure) -> str:
    """Return the message that says what the grammar expected and what is there."""
    before = failure.text[: failure.at]
    if failure.wanted == "operand":
        words = list(_OPERANDS)
    else:
        words = [_OPERATORS[failure.dialect]]
        if unclosed_parentheses(before):
            words.append("')'")
        elif failure.kind == "Check" and _first_comparison(before, failure.dialect) is None:
            words.append("a comparison")
    return f"expected {listed(words)}, found {token_at(failure.text, failure.at)}"
