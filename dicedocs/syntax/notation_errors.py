"""The errors for texts that are not an Expression or a Check.

A message says what the grammar expected, and the hint what is wrong and what to write. Where every
mistake of a text has a correction and the corrected text is legal, the hint shows that text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TypeAlias

from dicedocs.errors import DiceError, NotationError, listed, printable, quoted
from dicedocs.parsing import unclosed_parentheses
from dicedocs.syntax.ambiguity import Ambiguity
from dicedocs.syntax.diagnosis import diagnose, diagnoses
from dicedocs.syntax.mistakes import COMPARISON, NAME, Diagnosis, Dialect, IllegalText, Kind, token_at
from dicedocs.syntax.modifiers import modifier_pattern

FailureIndex: TypeAlias = Callable[[str], int | None]
"""A function that returns the index at which a text fails to parse, or ``None`` when it is legal."""
IsLegal: TypeAlias = Callable[[str, Kind], bool]
"""A function that says whether a text is a legal one of a kind."""

_EXAMPLES: Mapping[Kind, str] = {"Expression": "2d6 + 3", "Check": "1d20 + 6 >= 12"}
_OPERATORS: Mapping[Dialect, str] = {"plain": "an operator (+ - * /)", "notation": "an operator (+ - * / % **)"}
_OPERANDS = ("a number", "dice such as 2d6", "a [Resource]", "'('")
_LONGEST_HINT = 100
"""Characters of the longest text that a hint shows."""
_MAXIMUM_CORRECTIONS = 20
"""Mistakes that are corrected in one text."""
_BEGUN = re.compile(r"(?<=[0-9%F}\])])(?!df)[a-z]+\Z")
"""Letters behind dice, or behind a modifier with a number."""


def notation_error(
    text: str, at: int, kind: Kind, failure_index: FailureIndex, is_legal: IsLegal, dialect: Dialect = "plain"
) -> NotationError:
    """Return the error for a text that fails to parse.

    Parameters:
        at: the index at which it fails; all before it is legal.
        kind: what the text should be.
        failure_index, is_legal: parse a corrected text.
        dialect: what the text may have.
    """
    if not text.strip():
        return NotationError("the text is empty", text=text, at=0, hint=f"write {_EXAMPLES[kind]}")
    first = _first_comparison(text[:at], dialect)
    if kind == "Expression" and first is not None:
        return unexpected_comparison(text, dialect)
    failure = _failure(text, at, kind, dialect)
    if first is not None and failure.wanted == "operator" and re.match(COMPARISON, text[at:]):
        return _second_comparison(failure, failure_index)
    diagnosis, corrected = next(_corrections(failure, failure_index), (Diagnosis(at, "", ""), {}))
    hint = _spellings(corrected, kind, is_legal, dialect) or diagnosis.hint
    if diagnosis.complete:
        message = diagnosis.cause
    else:
        message = _expected(failure)
        hint = ": ".join(part for part in (diagnosis.cause, hint) if part)
    return NotationError(message, text=text, at=diagnosis.at, hint=hint)


def suggestion(text: str, at: int, failure_index: FailureIndex, is_legal: IsLegal, dialect: Dialect = "rules") -> str:
    """Return what the table says of a failure: the first correction that is legal, or hint; empty if there is none."""
    for diagnosis, corrected in _corrections(IllegalText(text, at, "Expression", dialect), failure_index):
        if hint := _spellings(corrected, "Expression", is_legal, dialect) or diagnosis.hint:
            return ": ".join(part for part in (diagnosis.cause, hint) if part)
    return ""


def correction(text: str, at: int, failure_index: FailureIndex) -> str:
    """Return a text of a rule with all its mistakes corrected; empty if that cannot be, or in more than one way."""
    found = (corrected for _, corrected in _corrections(IllegalText(text, at, "Expression", "rules"), failure_index))
    return next((way for ways in found if len(ways) == 1 for way in ways.values()), "")


def _corrections(failure: IllegalText, failure_index: FailureIndex) -> Iterator[tuple[Diagnosis, dict[str, str]]]:
    """Yield what the table says of a failure, each time with the corrected text for each meaning."""
    for diagnosis in diagnoses(failure):
        fixed = {
            purpose: _corrected(failure, diagnosis, fix, failure_index) for purpose, fix in diagnosis.fixes.items()
        }
        corrected = {purpose: found for purpose, found in fixed.items() if found is not None}
        yield diagnosis, dict.fromkeys(("",), *corrected.values()) if len(corrected) == 1 else corrected


def unexpected_comparison(text: str, dialect: Dialect = "plain") -> NotationError:
    """Return the error for a Check where an Expression is expected."""
    at = _first_comparison(text, dialect) or 0
    message = f"a roll cannot contain a comparison, found {token_at(text, at)}"
    return NotationError(message, text=text, at=at, hint="use check() for the whole, or write one side of it")


def ambiguous(found: Ambiguity, kind: Kind, is_legal: IsLegal) -> NotationError:
    """Return the error for a text that may mean several things; its hint has a legal spelling for each."""
    hint = _spellings(found.spellings, kind, is_legal, "notation") or found.hint
    return NotationError(found.message, at=found.at, hint=hint)


def missing_comparison(text: str, value: int = 10) -> NotationError:
    """Return the error for an Expression where a Check is expected.

    Parameters:
        value: what the hint compares it with.
    """
    shown = f"{' '.join(text.split())} >= {value}"
    hint = f"compare it with a value: '{shown}'" if len(shown) <= _LONGEST_HINT else "compare it with a value"
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


def _failure(text: str, at: int, kind: Kind, dialect: Dialect) -> IllegalText:
    """Return the failure of a text; the letters of a modifier that only begin a word belong to the word."""
    begun = _BEGUN.search(text[:at]) if dialect == "notation" and text[at : at + 1].isalpha() else None
    return IllegalText(text, begun.start() if begun else at, kind, dialect)


def _corrected(failure: IllegalText, diagnosis: Diagnosis, fix: str, failure_index: FailureIndex) -> str | None:
    """Return a text with all its mistakes corrected, the first as said; ``None`` when one has not one correction."""
    text = failure.text
    if len(text) > 2 * _LONGEST_HINT:  # it would not be shown
        return None
    for _ in range(_MAXIMUM_CORRECTIONS):
        text = text[: diagnosis.part.start] + fix + text[diagnosis.part.stop :]
        try:
            at = failure_index(text)
        except DiceError:
            return None
        if at is None:
            return text
        following = diagnose(_failure(text, at, failure.kind, failure.dialect))
        if following is None or len(following.fixes) != 1:
            return None
        diagnosis, (fix,) = following, following.fixes.values()
    return None


def _spellings(texts: Mapping[str, str], kind: Kind, is_legal: IsLegal, dialect: Dialect) -> str:
    """Return a hint that shows texts by what they are for, as far as they are legal and short.

    In a roll a comparison stands in parentheses, where it is 1 or 0. What is no check can be rolled.
    """
    spelled = []
    for purpose, text in texts.items():
        shown = printable(" ".join(text.split()))
        ways: list[tuple[str, str, Kind]] = [("write", shown, kind)]
        if dialect == "notation":
            ways += [("write", f"({shown})", kind), ("roll", shown, "Expression")]
        legal = (f"{verb} '{way}'" for verb, way, of in ways if len(way) <= _LONGEST_HINT and is_legal(way, of))
        if way := next(legal, ""):
            spelled.append(f"{purpose} {way}".lstrip())
    return ", ".join(spelled)


def _second_comparison(failure: IllegalText, failure_index: FailureIndex) -> NotationError:
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


def _expected(failure: IllegalText) -> str:
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
