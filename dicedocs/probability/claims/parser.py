"""From text to claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from dicedocs import limits
from dicedocs.errors import NotationError, near, quoted
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, unclosed_parentheses
from dicedocs.probability.claims.claim import Claim
from dicedocs.probability.claims.terms import (
    CHANCE,
    STATISTICS,
    ChainTerm,
    NegatedTerm,
    NumberTerm,
    Statistic,
    Term,
    statistics,
)
from dicedocs.render.numbers import decimal

if TYPE_CHECKING:
    from lark import Lark, Token

    from dicedocs.rules.steps import Comparison

_SAME: Final = {"≤": "<=", "≥": ">=", "≠": "!=", "−": "-"}
_EXPECTED: Final = {
    "NAME": "a number, p(...), mean(...) or median(...)",
    "NUMBER": "a number",
    "RPAR": "')'",
    "RELATION": "a comparison such as = or >=",
    "$END": "the end",
}
"""What is said to be expected at a place: of the terminals that could stand there the first one here."""
_LESS: Final = "write less"


def parse_claims(text: str) -> tuple[Claim, ...]:
    """Read claims that are separated by commas.

    Raises:
        NotationError: something is no claim; the error knows the place.
        LimitError: the text is too long, nested too deeply, or holds too many figures.

    >>> [claim.text for claim in parse_claims("mean=10.5,  p(at least 13) = 25.9%")]
    ['mean=10.5', 'p(at least 13) = 25.9%']
    """
    compared, commas = _read(text, "claims")
    _limit([side for each in compared for side in (each.left, each.right)])
    starts = [0, *(comma.end for comma in commas)]
    ends = [*(comma.start for comma in commas), len(text)]
    return tuple(_claim(text, *each) for each in zip(compared, starts, ends, strict=True))


def parse_claim(text: str) -> Claim:
    """Read one claim.

    Raises:
        NotationError: it is none, or there are several; the error knows the place.
        LimitError: as for :func:`parse_claims`.
    """
    claim, *others = parse_claims(text)
    if others:
        at = text.index(",", len(claim.text))
        raise NotationError("expected one claim, found several", text=text, at=at)
    return claim


def parse_term(text: str) -> Term:
    """Read a figure by itself, such as ``mean(total)`` or ``p(at least 13 | advantage=1)``.

    Raises:
        NotationError: it is none; the error knows the place.
        LimitError: as for :func:`parse_claims`.
    """
    figure: Term = _read(text, "sum")
    _limit([figure])
    return figure


def _limit(figures: Iterable[Term]) -> None:
    limits.FIGURES.check(sum(len(list(statistics(figure))) for figure in figures), hint=_LESS)


def _read(text: str, start: str) -> Any:
    limits.CLAIMS.check(len(text), hint=_LESS)
    limits.NESTING.check(nesting_depth(text), hint=_LESS)
    try:
        return parse(_lark(), text, start)
    except ParseError as error:
        raise _explained(text, error) from None
    except NotationError as error:
        error.text = text
        raise


def _explained(text: str, misplaced: ParseError) -> NotationError:
    """Give the error for a text that leaves the grammar at a place."""
    at, wanted = misplaced.at, misplaced.expected
    if "TEXT" in wanted:
        return NotationError("this parenthesis is not closed", text=text, at=(unclosed_parentheses(text) or [at])[-1])
    expected = next(said for terminal, said in _EXPECTED.items() if terminal in wanted)
    found = quoted(text[at]) if at < len(text) else "the end"
    return NotationError(f"expected {expected}, found {found}", text=text, at=at)


class _Sign(NamedTuple):
    """A sign between two parts of a text, and from where to where it stands."""

    text: str
    start: int
    end: int


class _Compared(NamedTuple):
    """What the grammar tells of a claim."""

    left: Term
    relation: _Sign
    right: Term
    sign: _Sign | None
    within: NumberTerm | None


def _claim(text: str, compared: _Compared, start: int, end: int) -> Claim:
    """Give the claim that stands between two places of a text."""
    left, relation, right, sign, within = compared
    op = cast("Comparison", _same(relation.text))
    if sign and op != "=":
        raise NotationError("± goes with = alone", text=text, at=sign.start)
    middle = sign.start if sign else end
    _fit(text, [(left, start), (right, relation.end), *([(within, sign.end)] if sign and within else [])])
    before, after = text[start : relation.start], text[relation.end : middle]
    blank = " " * (before != before.rstrip() or after != after.lstrip())
    written = (_folded(before), f"{blank}{op}{blank}", _folded(after))
    return Claim(_folded(text[start:end]), left, op, right, within, written)


def _fit(text: str, sides: Sequence[tuple[Term, int]]) -> None:
    """Refuse a number without its ``%`` beside a chance: the claim would always hold, or never.

    Parameters:
        text: the text.
        sides: what is compared, and from which place on it stands there.
    """
    if not any(figure.chance for figure, _ in sides):
        return
    for place, (number, start) in enumerate(sides):
        within = place > 1
        if isinstance(number, NumberTerm) and not number.chance and (number.written > 1 or within):
            at = start + len(text[start:]) - len(text[start:].lstrip())
            hint = f"write {decimal(number.written, number.places)}%"
            raise NotationError("a chance is compared with a number without %", text=text, at=at, hint=hint)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _same(sign: str) -> str:
    """Give a sign as it is typed on every keyboard."""
    return _SAME.get(sign, str(sign))


@lru_cache(1)
def _lark() -> Lark:
    return build_parser(
        Path(__file__).parent / "grammar.lark",
        "contextual",
        "claims",
        "sum",
        NUMBER=_number,
        NAME=_name,
        RELATION=_sign,
        WITHIN=_sign,
        claims=lambda parts: (parts[::2], list(map(_sign, parts[1::2]))),
        claim=lambda parts: _Compared(*parts),
        chained=_chained,
        negated=_negated,
        asked=_asked,
        events=tuple,
        settings=_joined,
        text=_joined,
        inner="".join,
    )


def _number(token: Token) -> NumberTerm:
    digits = token.rstrip("%").rstrip()
    limits.DIGITS.check(len(digits.replace(".", "")), hint="write a smaller number")
    chance = token.endswith("%")
    return NumberTerm(Fraction(digits) / (100 if chance else 1), len(digits.partition(".")[2]), chance)


def _sign(token: Token) -> _Sign:
    start = token.start_pos or 0
    return _Sign(str(token), start, start + len(token))


def _name(token: Token) -> Token:
    if token not in STATISTICS:
        raise NotationError(
            f"there is no figure {quoted(token)}", at=token.start_pos or 0, hint=near(token, STATISTICS)
        )
    return token


def _chained(parts: tuple[Term, Token, Term]) -> ChainTerm:
    left, sign, right = parts
    step = (_same(sign), right)
    # What stands in parentheses on the left comes first without them too.
    if isinstance(left, ChainTerm) and (left.rest[0][0] in "+-") == (step[0] in "+-"):
        return ChainTerm(left.first, (*left.rest, step))
    return ChainTerm(left, (step,))


def _negated(parts: tuple[Token, Term]) -> Term:
    figure = parts[1]
    if isinstance(figure, NegatedTerm):
        return figure.figure
    return figure._replace(written=-figure.written) if isinstance(figure, NumberTerm) else NegatedTerm(figure)


def _asked(parts: tuple[Token, tuple[str, ...] | None, str | None]) -> Statistic:
    name, of, settings = parts
    of = of if of and of != ("",) else ()
    at = name.start_pos or 0
    if name == CHANCE and not (of and all(of)):
        raise NotationError("p wants an event", at=at, hint="write it like p(at least 13)")
    if name != CHANCE and len(of) > 1:
        raise NotationError(f"{name} takes one fact", at=at, hint=f"write it like {name}({of[0] or 'total'})")
    return Statistic(str(name), of, settings or "")


def _joined(parts: Iterable[str]) -> str:
    return _folded("".join(parts))
