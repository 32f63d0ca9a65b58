"""A track as text and as a drawing: a clock of segments, boxes or a bar.

What is filled is darker than the rest, and the accessible name says it in words.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from dicedocs.render.signs import html_text
from dicedocs.render.words import clean, labelled
from dicedocs.translation import gettext as _

CLOCK: Final = 12
"""The most segments of a clock."""
_BOXES: Final = 24
"""The most boxes in a row."""
_SIZE: Final = 48
"""The height of a drawing, in its units."""
_RADIUS: Final = 21
_BAR: Final = 200
"""The width of a bar."""
_PEN: Final = 'stroke="currentColor" stroke-width="2" stroke-linejoin="round"'


def track_words(value: int, maximum: int | None, minimum: int = 0) -> str:
    """Return a track in words.

    >>> track_words(5, 8), track_words(5, None), track_words(2, 10, -6)
    ('5 of 8', '5', '2 of -6 to 10')
    """
    if maximum is None:
        return str(value)
    if minimum:
        return _("{value} of {minimum} to {maximum}").format(value=value, minimum=minimum, maximum=maximum)
    return _("{value} of {maximum}").format(value=value, maximum=maximum)


def track_svg(label: str, value: int, maximum: int | None, minimum: int = 0) -> str:
    """Return a track as SVG within a line of text, or as HTML text if it has no maximum.

    Parameters:
        label: what it is.
        value, maximum: how much of it is filled, counted from the minimum.
        minimum: its lowest value.

    >>> import xml.etree.ElementTree as tree
    >>> tree.fromstring(track_svg("Vault", 5, 8)).get("aria-label")
    'Vault: 5 of 8'
    """
    words = html_text(clean(labelled(label, track_words(value, maximum, minimum))))
    if maximum is None:
        return f'<span class="dice-track">{words}</span>'
    count, filled = maximum - minimum, value - minimum
    if count <= CLOCK:
        width, parts = _SIZE, "".join(_segment(index, count, index < filled) for index in range(count))
    elif count <= _BOXES:
        width, parts = 20 * count, "".join(_box(20 * index + 2, 16, index < filled) for index in range(count))
    else:
        width = _BAR
        inside = width - 4
        parts = _box(2, inside, filled=False) + _box(2, round(inside * filled / count, 1), filled=True)
    return (
        f'<svg class="dice-svg dice-track" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{words}"'
        f' viewBox="0 0 {width} {_SIZE}" width="{width * 2.25 / _SIZE:.4g}em" height="2.25em">{parts}</svg>'
    )


def _segment(index: int, count: int, filled: bool) -> str:
    """Return a segment of a clock, clockwise from the top."""
    middle = _SIZE / 2
    if count == 1:
        return f'<circle cx="{middle:g}" cy="{middle:g}" r="{_RADIUS}" {_fill(filled)} {_PEN}/>'
    x, y = _on_circle(index, count)
    to_x, to_y = _on_circle(index + 1, count)
    path = f"M{middle:g} {middle:g}L{x} {y}A{_RADIUS} {_RADIUS} 0 0 1 {to_x} {to_y}Z"
    return f'<path d="{path}" {_fill(filled)} {_PEN}/>'


def _on_circle(index: int, count: int) -> tuple[str, str]:
    angle = 2 * pi * index / count
    return f"{_SIZE / 2 + _RADIUS * sin(angle):.2f}", f"{_SIZE / 2 - _RADIUS * cos(angle):.2f}"


def _box(x: float, width: float, filled: bool) -> str:
    return f'<rect x="{x:g}" y="16" width="{width:g}" height="16" {_fill(filled)} {_PEN}/>'


def _fill(filled: bool) -> str:
    return 'fill="currentColor" fill-opacity=".7"' if filled else 'fill="none"'
