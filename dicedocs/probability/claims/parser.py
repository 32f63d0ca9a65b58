"""Parsing claims, and errors that say where the text goes wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import NotationError, ParameterError, quoted
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, unclosed_parentheses
from dicedocs.probability.claims.claim import Claim
from dicedocs.probability.claims.condition import EventText
from dicedocs.probability.claims.terms import (
    AVERAGES,
    PROBABILITY,
    STATISTICS,
    ChainTerm,
    NegatedTerm,
    NumberTerm,
    RatioTerm,
    Statistic,
    Term,
    statistics,
)
from dicedocs.render.numbers import Rounding, decimal
from dicedocs.similar_words import near
from dicedocs.syntax.notation_errors import suggestion
from dicedocs.syntax.relations import COMPARE, TURNED, read_relation

if TYPE_CHECKING:
    from lark import Lark, Token

    from dicedocs.rules.steps import Comparison

_EXPECTED: Final = {
    "NAME": "a number, p(...), mean(...) or another statistic",
    "NUMBER": "a number",
    "RPAR": "')'",
    "RELATION": "a comparison such as = or >=",
    "$END": "the end",
    "PLUS": "an operator or the end",
}
"""What an error says is expected, for the first of these terminals that is possible."""
_SHORTER: Final = "write less"
_SHARES: Final = re.compile(r"(?<![\w.])([0-9.]+)%?[-–]([0-9.]+)%")
"""Two shares of all, written as a range is, and no difference."""
_WORD: Final = re.compile(r"\w+|.", re.DOTALL)


def parse_claims(text: str, averages: Rounding = "exact") -> tuple[Claim, ...]:
    """Parse claims that are separated by commas.

    Parameters:
        text: the claims.
        averages: how a mean or a median without decimals was rounded where the claim does not say it.

    Raises:
        NotationError: the text is not claims; the error has the position.
        LimitError: the text is too long, nested too deeply, or has too many statistics.

    >>> [claim.text for claim in parse_claims("mean=10.5,  p(at least 13) = 25.9%")]
    ['mean=10.5', 'p(at least 13) = 25.9%']
    """
    comparisons, commas = _parse(text, "claims")
    _check_statistics([side for comparison in comparisons for side in (comparison.left, comparison.right)])
    starts = [0, *(comma.end for comma in commas)]
    ends = [*(comma.start for comma in commas), len(text)]
    return tuple(map(partial(_claim, text, averages), comparisons, starts, ends))


def parse_term(text: str) -> Term:
    """Parse a term, such as ``mean(total)`` or ``p(at least 13 | advantage=1)``.

    Raises:
        NotationError: the text is not a term; the error has the position.
        LimitError: as for :func:`parse_claims`.
    """
    term: Term = _parse(text, "sum")
    _check_statistics([term])
    return term


def parse_terms(text: str) -> tuple[Term, ...]:
    """Parse terms that are separated by commas.

    Raises:
        NotationError, LimitError: as for :func:`parse_term`.
    """
    terms: tuple[Term, ...] = _parse(text, "sums")
    _check_statistics(terms)
    return terms


def count_statistics(claims: Iterable[Claim]) -> int:
    """Return how many distributions claims need at the most: one for each fact, or facts, with its settings.

    >>> count_statistics(parse_claims("mean(total) = p(18), mean(total) > 2"))
    2
    """
    return len({each for claim in claims for side in (claim.left, claim.right) for each in statistics(side)})


def _check_statistics(terms: Iterable[Term]) -> None:
    limits.FIGURES.check(sum(len(list(statistics(term))) for term in terms), hint=_SHORTER)


def _parse(text: object, start: str) -> Any:
    if not isinstance(text, str):
        raise ParameterError(f"{quoted(text)} is not text", hint="write it like 'mean = 10.5'")
    limits.CLAIMS.check(len(text), hint=_SHORTER)
    limits.NESTING.check(nesting_depth(text), hint=_SHORTER)
    try:
        return parse(_lark(), text, start)
    except ParseError as error:
        raise _syntax_error(text, error, start) from None
    except NotationError as error:
        error.text, error.hint = text, _hint(text, error.at, start) or error.hint
        raise


def _hint(text: str, at: int, start: str) -> str:
    """Return what the table of mistakes says of a text that goes wrong at a place."""
    fails = partial(_failure_index, start=start)
    return suggestion(text, at, fails, lambda way, _: fails(way) is None, "claims")


def _failure_index(text: str, start: str) -> int | None:
    try:
        parse(_lark(), text, start)
    except (ParseError, NotationError) as error:
        return error.at
    return None


def _syntax_error(text: str, misplaced: ParseError, start: str) -> NotationError:
    """Return the error for a text that does not match the grammar."""
    at, wanted = misplaced.at, misplaced.expected
    if "TEXT" in wanted:
        return NotationError("this parenthesis is not closed", text=text, at=(unclosed_parentheses(text) or [at])[-1])
    expected = next(words for terminal, words in _EXPECTED.items() if terminal in wanted)
    word = _WORD.match(text, at)
    found = quoted(word[0]) if word else "the end"
    hint = _hint(text, at, start) or ("write it like 'mean = 10.5'" if "RELATION" in wanted else "")
    return NotationError(f"expected {expected}, found {found}", text=text, at=at, hint=hint)


class _Sign(NamedTuple):
    """A sign with its position in the text."""

    text: str
    start: int
    end: int


class _Comparison(NamedTuple):
    """The parts of a claim, as the grammar finds them."""

    left: Term
    relation: _Sign
    about: _Sign | None
    right: Term
    rounded: _Sign | None
    plus_minus: _Sign | None
    tolerance: NumberTerm | None


def _claim(text: str, averages: Rounding, comparison: _Comparison, start: int, end: int) -> Claim:
    """Return the claim at ``text[start:end]``."""
    left, relation, about, right, rounded, plus_minus, tolerance = comparison
    op = read_relation(relation.text)
    if plus_minus and op != "=":
        raise NotationError("± only works with =", text=text, at=plus_minus.start)
    _check_rounding(text, comparison, op)
    if found := _SHARES.search(text, start, end):
        figure = _folded(text[start : relation.start])
        hint = f"write {figure} >= {found[1]}%, {figure} <= {found[2]}%"
        raise NotationError(f"{quoted(found[0])} is a range", text=text, at=found.start(), hint=hint)
    terms = [(left, start), (right, about.end if about else relation.end)]
    _check_percentages(text, [*terms, *([(tolerance, plus_minus.end)] if plus_minus and tolerance else [])])
    if isinstance(left, NumberTerm) and any(statistics(right)):
        counted = _folded(text[relation.end : end])
        hint = f"write {counted} {TURNED[op]} {left.text}"
        raise NotationError("a claim begins with what is counted", text=text, at=start, hint=hint)
    behind = rounded or plus_minus
    before = text[start : relation.start]
    after = text[about.end if about else relation.end : behind.start if behind else end]
    space = " " * (before != before.rstrip() or text[relation.end : relation.end + 1].isspace())
    between = f"{space}{op}{space}{'about ' if about else ''}"
    parts = (_folded(before), between, _folded(after), _behind(text, behind, end))
    rounding: Rounding = "about" if about else "exact"
    if rounded:
        rounding = "down" if rounded.text.endswith("down") else "up"
    elif not (about or tolerance) and _is_average(left, op, right):
        rounding = averages
    return Claim(_folded(text[start:end]), left, op, right, tolerance, rounding, parts, text)


def _behind(text: str, sign: _Sign | None, end: int) -> str:
    """Return what stands behind the right side, such as the tolerance, with the space before it, if there is one."""
    if sign is None:
        return ""
    return f"{' ' * text[: sign.start][-1:].isspace()}{_folded(text[sign.start : end])}"


def _check_rounding(text: str, comparison: _Comparison, op: Comparison) -> None:
    """Refuse to round where there is no written number that could have been rounded."""
    signs = [sign for sign in (comparison.about, comparison.rounded, comparison.plus_minus) if sign]
    rounding = comparison.about or comparison.rounded
    if rounding is None:
        return
    if len(signs) > 1:
        message = f"'{signs[0].text}' and '{signs[1].text}' cannot be combined"
        raise NotationError(message, text=text, at=signs[1].start, hint="write one of them")
    if op not in {"=", "!="}:
        message = f"'{rounding.text}' only works with = and !="
        raise NotationError(message, text=text, at=rounding.start, hint="leave it out, or write =")
    if not isinstance(comparison.right, NumberTerm):
        message = f"'{rounding.text}' only works with a single number"
        raise NotationError(message, text=text, at=rounding.start, hint="write a tolerance, such as ± 1")


def _is_average(left: Term, op: Comparison, right: Term) -> bool:
    """Return whether a mean or a median is compared with a number without decimals."""
    return (
        op in {"=", "!="}
        and isinstance(right, NumberTerm)
        and not (right.decimals or right.is_probability or left.is_probability)
        and any(each.name in AVERAGES for each in statistics(left))
    )


def _check_percentages(text: str, terms: Sequence[tuple[Term, int]]) -> None:
    """Refuse a number without its ``%`` beside a probability: the claim would always hold, or never.

    The terms are the left side, the right side and the tolerance, each with the position at which its text begins.
    """
    if not any(term.is_probability for term, _ in terms):
        return
    for index, (term, start) in enumerate(terms):
        is_tolerance = index > 1
        if isinstance(term, NumberTerm) and not term.is_probability and (term.number > 1 or is_tolerance):
            at = start + len(text[start:]) - len(text[start:].lstrip())
            hint = f"write {decimal(term.number, term.decimals)}%"
            raise NotationError("a probability is compared with a number without %", text=text, at=at, hint=hint)


def _folded(text: str) -> str:
    return " ".join(text.split())


@lru_cache(1)
def _lark() -> Lark:
    from lark import Token, Transformer

    class ClaimBuilder(Transformer[Token, Any]):
        """Builds claims while a text is parsed: each method is given what the parts of a rule came to."""

        NUMBER = staticmethod(_number)
        NAME = staticmethod(_name)
        RELATION = PLUS_MINUS = ABOUT = ROUNDED = staticmethod(_sign)
        ratio = staticmethod(_ratio)
        chain = staticmethod(_chain)
        negated = staticmethod(_negated)
        statistic = staticmethod(_statistic)
        arguments = staticmethod(_arguments)
        settings = staticmethod(_joined)
        text = staticmethod(_text)
        nested = staticmethod(_nested)

        def sums(self, parts: list[Any]) -> tuple[Term, ...]:
            return tuple(parts[::2])

        def claims(self, parts: list[Any]) -> tuple[list[_Comparison], list[_Sign]]:
            return parts[::2], list(map(_sign, parts[1::2]))

        def claim(self, parts: list[Any]) -> _Comparison:
            return _Comparison(*parts)

    grammar = (Path(__file__).parent / "grammar.lark").read_text("utf-8").replace("COMPARE", COMPARE)
    return build_parser(grammar, ClaimBuilder(), "claims", "sum", "sums")


def _number(token: Token) -> NumberTerm:
    limits.OUTCOME_DIGITS.check(len(token), hint="write fewer digits")
    return NumberTerm("".join(token.split()))


def _ratio(parts: tuple[NumberTerm, Token, NumberTerm]) -> RatioTerm:
    part, sign, whole = parts
    if not (part.text.isdecimal() and whole.text.isdecimal() and whole.number):
        message = f"{part.text} in {whole.text} is not a ratio of whole numbers"
        raise NotationError(message, at=sign.start_pos or 0, hint="write it like '1 in 6'")
    return RatioTerm(part.number / whole.number)


def _sign(token: Token) -> _Sign:
    start = token.start_pos or 0
    return _Sign(_folded(token), start, start + len(token))


def _name(token: Token) -> Token:
    if token not in STATISTICS:
        hint = near(token, STATISTICS)
        raise NotationError(f"there is no figure {quoted(token)}", at=token.start_pos or 0, hint=hint)
    return token


def _check_divisor(left: Term, sign: Token, right: Term) -> None:
    """Refuse ``p(fumble) < 1/2%``, which would be 1 in 0.02."""
    match sign.value, left, right:
        case "/", NumberTerm(is_probability=False), NumberTerm(is_probability=True) if right.number:
            divisor = right.text.removesuffix("%")
            hint = f"write {left.text}/{divisor} for the fraction, or {float(left.number / right.number) / 100:g}%"
            raise NotationError(f"{left.text}/{right.text} divides by a percentage", at=sign.start_pos or 0, hint=hint)


def _chain(parts: tuple[Term, Token, Term]) -> ChainTerm:
    left, sign, right = parts
    _check_divisor(left, sign, right)
    step = ("-" if sign == "−" else str(sign), right)
    # Parentheses around the left term change nothing.
    if isinstance(left, ChainTerm) and (left.rest[0][0] in "+-") == (step[0] in "+-"):
        return ChainTerm(left.first, (*left.rest, step))
    return ChainTerm(left, (step,))


def _negated(parts: tuple[Token, Term]) -> Term:
    term = parts[1]
    if isinstance(term, NegatedTerm):
        return term.term
    if isinstance(term, NumberTerm):
        return NumberTerm(term.text.removeprefix("-") if term.text.startswith("-") else f"-{term.text}")
    return NegatedTerm(term)


class _Arguments(NamedTuple):
    """What stands in the parentheses of a statistic."""

    events: EventText = EventText("")
    given: EventText | None = None
    settings: str = ""
    at: int = 0


def _arguments(parts: list[Any]) -> _Arguments:
    *events, settings = parts
    first, *conditions = events[::2]
    signs = events[1::2]
    for sign, condition in zip(signs, conditions, strict=True):
        at = sign.start_pos or 0
        if sign is not signs[0]:
            raise NotationError("there is a second 'given'", at=at, hint="join conditions with 'or' or a comma")
        if not condition.text:
            hint = "write it like p(total at least 13 given low = 2)"
            raise NotationError("'given' needs a condition", at=at, hint=hint)
    if not signs:
        return _Arguments(first, settings=settings or "")
    return _Arguments(first, conditions[0], settings or "", signs[0].start_pos or 0)


def _statistic(parts: tuple[Token, _Arguments | None]) -> Statistic:
    name, arguments = parts
    events, given, settings, condition_at = arguments or _Arguments()
    at = name.start_pos or 0
    if name == PROBABILITY and not events.text:
        raise NotationError("p needs an event", at=at, hint="write it like p(at least 13)")
    if name != PROBABILITY and (separator := re.search(r"[,(]|\bor\b", events.text)):
        fact = events.text[: separator.start()].strip() or "total"
        raise NotationError(f"{name} takes one fact", at=at, hint=f"write it like {name}({fact})")
    return Statistic(str(name), events, given, settings, condition_at)


def _text(parts: list[Token]) -> EventText:
    written = "".join(parts)
    return EventText(_folded(written), written, (parts[0].start_pos or 0) if parts else 0)


def _nested(parts: list[Token]) -> Token:
    return parts[0].update(value="".join(parts))


def _joined(parts: Iterable[str]) -> str:
    return _folded("".join(parts))
