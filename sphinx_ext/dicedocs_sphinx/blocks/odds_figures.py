"""What tables, charts and claims of exact odds show, and the figures that prose takes from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypedDict, final

from dicedocs.errors import ParameterError, near, quoted
from dicedocs.probability.claims import STATISTICS, Subject, format_figure, parse_term
from dicedocs.render.numbers import local_figure
from dicedocs_sphinx.blocks.base import Facts

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.odds import OddsBlock

Rows = tuple[tuple[str, ...], ...]
"""The cells of a table, its heads first."""
_EXACT: Final = re.compile(r"exact(?:\.([1-9][0-9]?))?")
_FIGURE: Final = re.compile(rf"(?:exact|{'|'.join(STATISTICS)})(?![\w-])")


class CheckedClaim(TypedDict):
    """A claim with its exact figure, as text, and whether it holds."""

    text: str
    figure: str
    holds: bool


class OddsContent(TypedDict):
    """What a block of odds shows.

    ``table`` are the heads and rows of a table, ``probabilities`` those in its rows, unless they are averages; ``keys``
    are what its rows are about, as the expectation names them; ``groups`` are its heads over several columns, each with
    the heads below it, ``row_groups`` the bands of its rows, each with the number of rows and its probabilities.
    ``series`` are the distributions of a chart as JSON, each with its label, ``bands`` those of a single one: what they
    mean, their first number, and the first number after them. ``marked`` are the indexes of the highlighted rows, of a
    chart those of its values.
    """

    table: Rows
    probabilities: tuple[tuple[float, ...], ...]
    marked: tuple[int, ...]
    keys: list[str]
    groups: list[tuple[str, list[str]]]
    row_groups: list[tuple[str, int, tuple[str, ...]]]
    series: list[tuple[str, str]]
    bands: list[tuple[str, int | None, int | None]]
    claims: list[CheckedClaim]


def subject_of(block: OddsBlock) -> Subject:
    """Return what the figures of a block are about."""
    return Subject(block.mechanic, block.parameters, *block.counted[:1])


@final
class OddsFacts(Facts):
    """The figures of a block of odds.

    ``exact`` is the figure of its claim, ``exact.2`` that of the second claim; any other figure is written as in a
    claim, such as ``mean`` or ``p(at least 13 | advantage=1)``.
    """

    def __init__(self, block: OddsBlock) -> None:
        self._block = block

    def has(self, path: str) -> bool:
        return _FIGURE.match(path) is not None

    def text(self, path: str) -> str:
        exact = _EXACT.fullmatch(path)
        if exact is None:
            if not self.has(path):
                raise ParameterError(f"there is no figure {quoted(path)}", hint=near(path, ("exact", *STATISTICS)))
            term, subject = parse_term(path), subject_of(self._block)
            value = term.value(subject)
            subject.check_words()
            return local_figure(format_figure(value, as_percentage=term.is_probability))
        claims = self._block.claims()
        number = int(exact[1] or 1)
        if number > len(claims):
            count = f"{len(claims)} claims are" if len(claims) != 1 else "one claim is"
            raise ParameterError(f"there is no {quoted(path)}: {count} made here")
        return local_figure(claims[number - 1].evaluate(subject_of(self._block)).figure)
