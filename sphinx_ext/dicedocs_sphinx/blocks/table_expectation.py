"""The expectation of a table of odds: the figures of each row, ``3: 25% 50%; 4: 12.5% 30%``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dicedocs.errors import ParameterError, quoted
from dicedocs.render.numbers import figure_holds
from dicedocs_sphinx.blocks.odds_table import RowFigures, shortest

_ZERO: Final = re.compile(r"(\.\d*)0(%?)$")
"""The last zero of a decimal fraction."""
_SHOWN: Final = 3
"""The rows that a message names."""


def parse_figures(text: str) -> dict[str, tuple[str, ...]]:
    """Return the figures of each row of an expectation, in the order of the columns, by what the row is about.

    Raises:
        ParameterError: a part is not a row with its figures, or a row is written twice.

    >>> parse_figures("critical success: 5% 10.0%; failure: 20% 15%")
    {'critical success': ('5%', '10.0%'), 'failure': ('20%', '15%')}
    """
    rows: dict[str, tuple[str, ...]] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        key, colon, figures = part.rpartition(":")
        key = " ".join(key.split())
        if not colon or not key or not figures.split():
            hint = "write row: figures, separated by semicolons, or nothing for 'dicedocs accept' to fill in"
            raise ParameterError(f"{quoted(part)} is not a row with its figures", hint=hint)
        if key in rows:
            raise ParameterError(f"the row {quoted(key)} is written twice")
        rows[key] = tuple(figures.split())
    return rows


def trim_zeros(rows: Mapping[str, RowFigures]) -> dict[str, RowFigures]:
    """Return the figures of a table without the zeros at the end that they do not need to hold."""
    return {key: row._replace(shown=tuple(map(_without_zeros, *row))) for key, row in rows.items()}


def _without_zeros(figure: str, exact: Fraction) -> str:
    while (less := _ZERO.sub(lambda match: match[1].rstrip(".") + match[2], figure)) != figure:
        if not figure_holds(less, exact):
            break
        figure = less
    return figure


def agrees(written: tuple[str, ...], row: RowFigures) -> bool:
    """Return whether the figures of a row are those that a table shows, as exact as they are written.

    >>> row = RowFigures(("50%", "2.0"), (Fraction(1, 2), Fraction(401, 200)))
    >>> agrees(("50.0%", "2.0"), row), agrees(("50.0%", "2"), row)
    (True, False)
    >>> agrees(("<0.10%",), RowFigures(("<0.1%",), (Fraction(1, 6**5),)))
    False
    """
    return len(written) == len(row.shown) and all(map(_agrees, written, *row))


def _agrees(written: str, shown: str, exact: Fraction) -> bool:
    # What is nearly impossible or certain is shown as a bound, which is no figure.
    if written == shown or shown[0] in "<>":
        return written == shown
    return shortest(written) == shortest(shown) and figure_holds(written, exact)


def row_text(key: str, figures: tuple[str, ...]) -> str:
    """Return a row as an expectation has it."""
    return f"{key}: {' '.join(figures)}"


def differences(expected: Mapping[str, tuple[str, ...]], rows: Mapping[str, RowFigures]) -> str:
    """Return how the figures of a table differ from those that are expected, in words; empty if they do not.

    >>> rows = {"3": RowFigures(("24%",), (Fraction(6, 25),)), "4": RowFigures(("1%",), (Fraction(1, 100),))}
    >>> differences({"3": ("25%",)}, rows)
    'expected 3: 25%, got 3: 24%; the row 4: 1% is missing'
    """
    texts = []
    for key, figures in expected.items():
        if key not in rows:
            texts.append(f"there is no row {quoted(key)}")
        elif not agrees(figures, rows[key]):
            texts.append(f"expected {row_text(key, figures)}, got {row_text(key, rows[key].shown)}")
    texts += [f"the row {row_text(key, row.shown)} is missing" for key, row in rows.items() if key not in expected]
    more = len(texts) - _SHOWN
    return "; ".join([*texts[:_SHOWN], *([f"and {more} more"] if more > 0 else [])])
