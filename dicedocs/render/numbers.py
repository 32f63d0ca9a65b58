"""Exact numbers as text; no other module rounds a fraction.

Numbers are rounded half up (away from zero), from the exact value. An exact text is short and a rounded one keeps
its zeros: ``75%`` is exact, ``75.0%`` was rounded. The numbers of a column share their decimals.

These texts are canonical: claims are compared with them. Only what is displayed is converted, by
:func:`local_figure`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import Final, Literal, get_args

from dicedocs.translation import current_language, mark, pgettext
from dicedocs.translation import gettext as _

WITHOUT_NONE: Final = mark("{figure} (not counting 'none')")
"""A figure that is that of the numbers alone, since there may be none."""
Number = Fraction | float
"""An exact number, or a float such as a standard deviation."""
Rounding = Literal["exact", "down", "up", "about"]
"""How somebody says that a figure was rounded; ``exact`` if they do not say it."""
ROUNDINGS: Final[tuple[Rounding, ...]] = get_args(Rounding)
_WRITABLE_BITS: Final = 13_000
"""Python converts integers of up to this many bits to decimal text and back."""


def whole_text(number: int) -> str:
    """Return the digits of a whole number, however many there are.

    >>> whole_text(-12), len(whole_text(10**5000))
    ('-12', 5001)
    """
    if number.bit_length() < _WRITABLE_BITS:
        return str(number)
    from decimal import Decimal

    return f"{Decimal(number):f}"


def whole_number(digits: str) -> int:
    """Return the whole number with these digits, however many there are.

    >>> whole_number("12"), whole_number("1" + 5000 * "0") == 10**5000
    (12, True)
    """
    if len(digits) < _WRITABLE_BITS // 4:
        return int(digits)
    from decimal import Decimal

    return int(Decimal(digits))


def root(number: Fraction, decimals: int = 6) -> Fraction:
    """Return a square root, exact or so near that rounding it to fewer decimals is right.

    >>> root(Fraction(9, 4)), root(Fraction(10**800)) == 10**400
    (Fraction(3, 2), True)
    """
    scale = 10**decimals
    scaled = number * scale * scale
    whole = isqrt(int(scaled))
    return Fraction(2 * whole + (whole * whole != scaled), 2 * scale)


def percent(probability: Number, decimals: int = 1, *, rounded: bool = False) -> str:
    """Return a probability as a percentage.

    Parameters:
        probability: from 0 to 1, or the difference of two.
        decimals: the decimals of a percentage that is not a whole number.
        rounded: whether a probability near 0 or 1 may round to ``0%`` or ``100%``, as in printed tables; otherwise
            only the impossible is ``0%``, and only the certain ``100%``.

    >>> percent(Fraction(7, 27)), percent(Fraction(3, 4)), percent(Fraction(49, 144))
    ('25.9%', '75%', '34.0%')
    >>> percent(Fraction(1, 6**6)), percent(1 - Fraction(1, 6**6)), percent(Fraction(1, 6**6), rounded=True)
    ('<0.1%', '>99.9%', '0%')
    """
    return _percent_column([probability.as_integer_ratio()], decimals, rounded=rounded)[0]


def percent_column(probabilities: Iterable[Number], decimals: int = 1) -> list[str]:
    """Return probabilities as a column of percentages: without decimals if all are whole numbers.

    >>> percent_column([Fraction(1, 2), Fraction(7, 27), Fraction(1)])
    ['50.0%', '25.9%', '100%']
    >>> percent_column([Fraction(1, 20), Fraction(1, 2)])
    ['5%', '50%']
    """
    return _percent_column([probability.as_integer_ratio() for probability in probabilities], decimals)


def share_column(counts: Iterable[int], whole: int) -> list[str]:
    """Return counts as a column of percentages of one whole.

    >>> share_column([1, 107, 216], 216)
    ['0.5%', '49.5%', '100%']
    """
    return _percent_column([(count, whole) for count in counts], 1)


def _percent_column(ratios: Sequence[tuple[int, int]], decimals: int, *, rounded: bool = False) -> list[str]:
    if all(100 * part % whole == 0 for part, whole in ratios):
        decimals = 0
    return [_percent(part, whole, decimals, rounded) for part, whole in ratios]


def _percent(part: int, whole: int, decimals: int, rounded: bool) -> str:
    unit = 10**decimals
    scaled = _divide_half_up(100 * unit * part, whole)
    if scaled in {0, 100 * unit} and (rounded or part in {0, whole}):
        return f"{scaled // unit}%"
    # A difference may be below 0, and a sum above 1.
    if scaled in {0, 100 * unit} and 0 < part < whole:
        return f"<{_fixed_point(1, decimals)}%" if scaled == 0 else f">{_fixed_point(scaled - 1, decimals)}%"
    return f"{_fixed_point(scaled, decimals)}%"


def decimal(number: Number, decimals: int = 2) -> str:
    """Return a number with up to so many decimals; an exact one has no trailing zeros.

    >>> decimal(Fraction(21, 2)), decimal(Fraction(2, 3)), decimal(Fraction(-5, 1000)), decimal(Fraction(300, 101))
    ('10.5', '0.67', '-0.01', '2.97')
    """
    return decimal_column([number], decimals)[0]


def decimal_column(numbers: Iterable[Number], decimals: int = 2) -> list[str]:
    """Return numbers as a column, with no more decimals than the exact numbers need.

    >>> decimal_column([Fraction(21, 2), Fraction(3)]), decimal_column([Fraction(21, 2), Fraction(1, 3)])
    (['10.5', '3.0'], ['10.50', '0.33'])
    """
    ratios = [number.as_integer_ratio() for number in numbers]
    while decimals and all(10 ** (decimals - 1) * part % whole == 0 for part, whole in ratios):
        decimals -= 1
    return [_fixed_point(_divide_half_up(10**decimals * part, whole), decimals) for part, whole in ratios]


def bounds_texts(values: Sequence[Number], *, as_percentage: bool) -> tuple[str, str]:
    """Return two values of a figure, with as many decimals as tell them apart.

    >>> bounds_texts((Fraction(2, 3), Fraction(25, 18)), as_percentage=False)
    ('0.67', '1.39')
    >>> bounds_texts((Fraction(5001, 10000), Fraction(5002, 10000)), as_percentage=True)
    ('50.01%', '50.02%')
    """
    places = 1 if as_percentage else 2
    while True:
        low, high = (percent(value, places) if as_percentage else decimal(value, places) for value in values)
        if low != high:
            return low, high
        places += 1


def figure_holds(figure: str, exact: Fraction, rounding: Rounding = "exact") -> bool:
    """Return whether a figure that somebody wrote is right.

    A figure with decimals is what the exact value rounds to, as is a percentage without them. Any other number without
    decimals is the exact value, and so are 0% and 100%, unless it is said how it was rounded.

    Parameters:
        figure: a number, or a percentage.
        exact: the exact value.
        rounding: how the figure was rounded; ``about``: it is off by half of its last place at the most.

    >>> figure_holds("10.5", Fraction(21, 2)), figure_holds("11", Fraction(21, 2)), figure_holds("0%", Fraction(1, 216))
    (True, False, False)
    >>> figure_holds("10", Fraction(21, 2), "down"), figure_holds("11", Fraction(21, 2), "about")
    (True, True)
    """
    number, is_percentage = Fraction(figure.removesuffix("%")), figure.endswith("%")
    unit = int(10 ** decimals_of(figure))
    scaled = exact * unit * (100 if is_percentage else 1)
    if rounding == "about":
        return abs(scaled - number * unit) <= Fraction(1, 2)
    if rounding == "exact" and unit == 1 and not (is_percentage and number % 100):
        return scaled == number
    return _round(scaled, rounding) == number * unit


def rounded_like(figure: str, exact: Fraction, rounding: Rounding = "exact") -> str:
    """Return an exact value with the decimals of a figure, as a percentage if that is one.

    >>> rounded_like("27%", Fraction(7, 27), "down"), rounded_like("1.0", Fraction(7, 27))
    ('25%', '0.3')
    """
    sign = "%" if figure.endswith("%") else ""
    decimals = decimals_of(figure)
    return _fixed_point(_round(exact * 10**decimals * (100 if sign else 1), rounding), decimals) + sign


def decimals_of(figure: str) -> int:
    """Return how many decimals a figure is written with.

    >>> decimals_of("25.9%"), decimals_of("11")
    (1, 0)
    """
    return len(figure.removesuffix("%").partition(".")[2])


def _round(number: Fraction, rounding: Rounding) -> int:
    if rounding in {"down", "up"}:
        return floor(number) if rounding == "down" else ceil(number)
    return _divide_half_up(number.numerator, number.denominator)


def local_figure(figure: str) -> str:
    """Return a figure of this module, or a comparison of two, as the language of the reader writes it.

    >>> from dicedocs.translation import language
    >>> with language("de"):
    ...     local_figure("<0.1%"), local_figure("10.5")
    ('<0,1\u202f%', '10,5')
    """
    if current_language() is None:
        return figure
    separator, percentage = pgettext("decimal separator", "."), _("{number}%")
    parts = [(part.removesuffix("%").replace(".", separator), part.endswith("%")) for part in figure.split(" ")]
    return " ".join(percentage.format(number=number) if percent else number for number, percent in parts)


def _divide_half_up(part: int, whole: int) -> int:
    """Return the rounded quotient; a half goes away from zero."""
    size = (2 * abs(part) + whole) // (2 * whole)
    return size if part >= 0 else -size


def _fixed_point(scaled: int, decimals: int) -> str:
    """Return the text of ``scaled / 10**decimals``."""
    digits = whole_text(abs(scaled)).rjust(decimals + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}" if decimals else sign + digits


def or_less(number: int) -> str:
    """Return the label of a number and all lower ones.

    >>> or_less(3)
    '3 or less'
    """
    return _("{number} or less").format(number=number)


def or_more(number: int) -> str:
    """Return the label of a number and all higher ones.

    >>> or_more(3)
    '3 or more'
    """
    return _("{number} or more").format(number=number)
