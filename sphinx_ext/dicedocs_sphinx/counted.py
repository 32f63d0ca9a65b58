"""A table, a chart or a claim of odds as a page has it: plain data, and the figures that prose takes from it."""

from __future__ import annotations

import re
from typing import Final, Literal, TypedDict, final

from dicedocs.errors import ParameterError, near, quoted
from dicedocs.probability.claims import STATISTICS, Subject, format_figure, parse_claims, parse_term
from dicedocs_sphinx.ruled import Ruled

Rows = tuple[tuple[str, ...], ...]
"""The cells of a table, its heads first."""
Sort = Literal["table", "odds", "claim"]
"""Which directive it is."""
OWN: Final[dict[Sort, tuple[str, ...]]] = {
    "table": ("name", "mechanic", "fact", "vary", "rows", "show", "decimals", "class"),
    "odds": ("name", "mechanic", "fact", "vary", "expect", "class"),
    "claim": ("name", "mechanic", "fact", "claim", "loose", "class"),
}
"""The options of each directive, beside the mechanic's parameters."""
_EXACT: Final = re.compile(r"exact(?:\.([1-9][0-9]?))?")
_FIGURE: Final = re.compile(rf"(?:exact|{'|'.join(STATISTICS)})(?![\w-])")


@final
class Counted(Ruled):
    """A table, a chart or a claim as it was read.

    ``facts``, ``vary``, ``rows``, ``show`` and ``decimals`` are as they were written; ``expect`` holds
    the claims. A loose claim is known not to hold.
    """

    sort: Sort
    facts: list[str]
    vary: str
    rows: str
    show: str
    decimals: str
    loose: bool


class Judged(TypedDict):
    """A claim with its exact figure, as text, and whether it holds."""

    text: str
    figure: str
    holds: bool


class Shown(TypedDict):
    """What there is to show: heads and rows of a table, the distributions of a chart as JSON by their labels, claims.

    ``groups`` are heads over several columns of a table, with what is left of theirs.
    """

    table: Rows
    groups: list[tuple[str, list[str]]]
    series: list[tuple[str, str]]
    claims: list[Judged]


def subject_of(counted: Counted) -> Subject:
    """Give what the figures of a directive are of."""
    return Subject(counted["mechanic"], counted["parameters"], *counted["facts"][:1])


def has_figure(path: str) -> bool:
    """Tell whether a text names a figure, such as ``exact``, ``mean`` or ``p(at least 13)``."""
    return _FIGURE.match(path) is not None


def figure_text(counted: Counted, path: str) -> str:
    """Give a figure of a table, a chart or a claim as prose has it.

    Parameters:
        counted: the directive.
        path: ``exact``, the figure of the claim, or ``exact.2`` of the second one; or any figure that a
            claim may hold, such as ``mean`` or ``p(at least 13 | advantage=1)``.

    Raises:
        DiceError: there is no such figure, or it cannot be counted.
    """
    exact = _EXACT.fullmatch(path)
    if exact is None:
        if not has_figure(path):
            raise ParameterError(f"there is no figure {quoted(path)}", hint=near(path, ("exact", *STATISTICS)))
        figure = parse_term(path)
        return format_figure(figure.value(subject_of(counted)), as_percentage=figure.is_probability)
    claims = parse_claims(counted["expect"]) if counted["expect"] else ()
    place = int(exact[1] or 1)
    if place > len(claims):
        how = f"{len(claims)} claims are" if len(claims) != 1 else "one claim is"
        raise ParameterError(f"there is no {quoted(path)}: {how} made here")
    return claims[place - 1].evaluate(subject_of(counted)).figure
