"""What charts and claims of exact odds show, and the figures that prose takes from blocks of odds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, final

from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.claims import STATISTICS, Subject, format_figure, parse_term
from dicedocs.render.chart import Series
from dicedocs.render.numbers import local_figure
from dicedocs.render.scale import Band
from dicedocs.similar_words import near
from dicedocs_sphinx.blocks.base import Facts

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.odds import OddsBlock

_EXACT: Final = re.compile(r"exact(?:\.([1-9][0-9]?))?")
_FIGURE: Final = re.compile(rf"(?:exact|{'|'.join(STATISTICS)})(?![\w-])")


class CheckedClaim(NamedTuple):
    """A claim with its exact figure, as text, and whether it leaves out that a fact is ``None``."""

    text: str
    figure: str
    without_none: bool


class ChartedOdds(NamedTuple):
    """What a chart shows: distributions by their labels, the values to highlight, and the bands of a single one.

    ``claims`` are those that its block makes, ``note`` says what depends on how ties are broken.
    """

    series: Series
    marked: frozenset[object]
    bands: tuple[Band, ...]
    claims: list[CheckedClaim]
    note: str = ""


def subject_of(block: OddsBlock) -> Subject:
    """Return what the figures of a block are about."""
    return Subject(block.mechanic, block.parameters, "".join(block.counted[:1]), block.best)


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
