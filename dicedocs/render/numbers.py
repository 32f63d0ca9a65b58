"""Exact numbers as text: the one place where a fraction is rounded.

Figures round half up (away from zero), from the exact number. What comes out whole, or with fewer decimals
than were asked for, is written short when it is exact: ``75%`` is exactly that, ``75.0%`` was rounded. Figures
that stand under one another share their decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

Number = Fraction | float
"""An exact number, or a float such as a standard deviation."""
_SURE: Final = 100


def percent(chance: Number, places: int = 1, *, rounded: bool = False) -> str:
    """Give a chance as a percentage.

    Parameters:
        chance: from 0 to 1, or the difference of two.
        places: the decimals of a percentage that is not whole.
        rounded: whether a chance near 0 or 1 may round to ``0%`` or ``100%``, as printed tables have it; otherwise
            only what never happens is ``0%``, and only what always happens ``100%``.

    >>> percent(Fraction(7, 27)), percent(Fraction(3, 4)), percent(Fraction(49, 144))
    ('25.9%', '75%', '34.0%')
    >>> percent(Fraction(1, 6**6)), percent(1 - Fraction(1, 6**6)), percent(Fraction(1, 6**6), rounded=True)
    ('<0.1%', '>99.9%', '0%')
    """
    return percents([chance], places, rounded=rounded)[0]


def percents(chances: Iterable[Number], places: int = 1, *, rounded: bool = False) -> list[str]:
    """Give chances that stand together as percentages: without decimals when all are whole.

    Parameters:
        chances, places, rounded: as for :func:`percent`.

    >>> percents([Fraction(1, 2), Fraction(7, 27), Fraction(1)])
    ['50.0%', '25.9%', '100%']
    >>> percents([Fraction(1, 20), Fraction(1, 2)])
    ['5%', '50%']
    """
    return _percents([chance.as_integer_ratio() for chance in chances], places, rounded)


def shares(counts: Iterable[int], whole: int, places: int = 1, *, rounded: bool = False) -> list[str]:
    """Give what :func:`percents` gives for counts of one whole, without a fraction for each.

    >>> shares([1, 107, 216], 216)
    ['0.5%', '49.5%', '100%']
    """
    return _percents([(count, whole) for count in counts], places, rounded)


def _percents(ratios: Sequence[tuple[int, int]], places: int, rounded: bool) -> list[str]:
    if all(_SURE * part % whole == 0 for part, whole in ratios):
        places = 0
    return [_percent(part, whole, places, rounded) for part, whole in ratios]


def _percent(part: int, whole: int, places: int, rounded: bool) -> str:
    unit = 10**places
    figure = _half_up(_SURE * unit * part, whole)
    if figure in {0, _SURE * unit}:
        if rounded or not 0 < part < whole:
            return f"{figure // unit}%"
        return f"<{_written(1, places)}%" if figure == 0 else f">{_written(figure - 1, places)}%"
    return f"{_written(figure, places)}%"


def decimal(number: Number, places: int = 2) -> str:
    """Give a number with at most so many decimals; an exact one has no zeros at its end.

    >>> decimal(Fraction(21, 2)), decimal(Fraction(2, 3)), decimal(Fraction(-5, 1000)), decimal(Fraction(300, 101))
    ('10.5', '0.67', '-0.01', '2.97')
    """
    return decimals([number], places)[0]


def decimals(numbers: Iterable[Number], places: int = 2) -> list[str]:
    """Give numbers that stand together, with as many decimals each: no more than the exact ones need.

    >>> decimals([Fraction(21, 2), Fraction(3)]), decimals([Fraction(21, 2), Fraction(1, 3)])
    (['10.5', '3.0'], ['10.50', '0.33'])
    """
    ratios = [number.as_integer_ratio() for number in numbers]
    while places and all(10 ** (places - 1) * part % whole == 0 for part, whole in ratios):
        places -= 1
    return [_written(_half_up(10**places * part, whole), places) for part, whole in ratios]


def _half_up(part: int, whole: int) -> int:
    """Divide and round; a half goes away from zero."""
    size = (2 * abs(part) + whole) // (2 * whole)
    return size if part >= 0 else -size


def _written(figure: int, places: int) -> str:
    """Write a whole number of the smallest decimals."""
    digits = str(abs(figure)).rjust(places + 1, "0")
    sign = "-" if figure < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits
