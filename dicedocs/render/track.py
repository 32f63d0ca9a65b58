"""A track as text and as a drawing: a clock of segments, boxes or a bar.

What is filled is darker than the rest, and the accessible name says it in words.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from dicedocs.render.drawing import SIZE, Box, Circle, Drawing, Line, Path
from dicedocs.render.signs import html_text
from dicedocs.render.svg import drawing_svg
from dicedocs.render.words import clean, labelled
from dicedocs.translation import gettext as _

CLOCK: Final = 12
"""The most segments of a clock."""
_BOXES: Final = 24
"""The most boxes in a row."""
_RADIUS: Final = 21
_BAR: Final = 200
"""The width of a bar."""


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
    words = clean(labelled(label, track_words(value, maximum, minimum)))
    if maximum is None:
        return f'<span class="dice-track">{html_text(words)}</span>'
    count, filled, width = maximum - minimum, value - minimum, SIZE
    if count <= CLOCK:
        marks = [_mark(_segment(index, count), index < filled) for index in range(count)]
    elif count <= _BOXES:
        width = 20 * count
        marks = [_mark(Box(20 * index + 2, 16, 16, 16), index < filled) for index in range(count)]
    else:
        width = _BAR
        inside = width - 4
        part = Box(2, 16, round(inside * filled / count, 1), 16)
        marks = [_mark(Box(2, 16, inside, 16), filled=False), _mark(part, filled=True)]
    return drawing_svg(Drawing("dice-track", words, 0, 0, width, SIZE, tuple(marks)))


def _mark(shape: Path | Box | Circle, filled: bool) -> Line:
    return Line(shape, "full" if filled else "empty")


def _segment(index: int, count: int) -> Path | Circle:
    """Return a segment of a clock, clockwise from the top."""
    if count == 1:
        return Circle(SIZE / 2, SIZE / 2, _RADIUS)
    (x, y), (to_x, to_y) = _on_circle(index, count), _on_circle(index + 1, count)
    return Path(f"M{SIZE / 2:g} {SIZE / 2:g}L{x} {y}A{_RADIUS} {_RADIUS} 0 0 1 {to_x} {to_y}Z")


def _on_circle(index: int, count: int) -> tuple[str, str]:
    angle = 2 * pi * index / count
    return f"{SIZE / 2 + _RADIUS * sin(angle):.2f}", f"{SIZE / 2 - _RADIUS * cos(angle):.2f}"
