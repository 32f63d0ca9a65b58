"""A scale as HTML: a line of bands in SVG, with the number above it and the names of the bands below.

The band that counts is filled and its name is bold, so that nobody needs colours to see it. Where the rule moved the
result to another band, an arrow leads there from the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicedocs.render.drawing import Box, Circle, Drawing, Label, Line, Path, Percent, Rule
from dicedocs.render.scale import Scale
from dicedocs.render.svg import drawing_svg
from dicedocs.render.words import fit_width

_MAX_WORD: Final = 16
"""Letters of a line of a name; the accessible name of the scale has all of them."""
_TOP: Final = 24
"""Pixels above the bands, for the number."""
_THICK: Final = 8
"""Pixels of the line of the number's band."""
_LINE: Final = 16
"""Pixels of a line of text."""
_GAP: Final = 5
"""Pixels between a tick and the numbers beside it."""


def scale_html(scale: Scale | None) -> str:
    """Return a scale, as wide as there is room; empty if there is none."""
    return f'<div class="dice-scale">{scale_svg(scale)}</div>' if scale is not None else ""


def scale_svg(scale: Scale) -> str:
    """Return a scale as SVG, as wide as there is room.

    >>> import xml.etree.ElementTree as tree
    >>> from dicedocs.render.scale import Scale, table_bands
    >>> svg = scale_svg(Scale("Total", 13, table_bands({None: "failure", 10: "success", 20: "critical"})))
    >>> tree.fromstring(svg).get("aria-label")
    'Total 13, in success (10 to 19)'
    """
    names = [split_label(band.label) for band in scale.bands]
    marks: list[Line | Label] = [_band(scale, index) for index in range(len(scale.bands))]
    for index in range(1, len(scale.bands)):
        marks += _tick(scale, index)
    marks += _mark(scale)
    for index, lines in enumerate(names):
        marks += _name(scale, index, lines)
    height = _TOP + _THICK + 4 + (1 + max(map(len, names))) * _LINE
    return drawing_svg(Drawing("", scale.name, 0, 0, Percent(100), height, tuple(marks)))


def _mark(scale: Scale) -> list[Line | Label]:
    """Return the number and what it is, and the pointer below them, or an arrow to where the result was moved."""
    at, y = _percent(scale.position), _TOP - 5
    # At an end the words go inwards.
    anchor = "start" if scale.position < 0.2 else "end" if scale.position > 0.8 else "middle"
    number = Label(f"{scale.subject} {scale.mark}".strip(), at, _TOP - 17, "strong", anchor)
    if scale.moved is None:
        return [_pointer(at), number]
    end = _percent(scale.middle(scale.moved))
    return [Line(Circle(at, y, 3), "pointer"), Line(Rule(at, y, end, y), "arrow"), _pointer(end), number]


def _pointer(at: Percent) -> Line:
    return Line(Path(f"M-5 {_TOP - 8}H5L0 {_TOP - 1}Z", at), "pointer")


def _band(scale: Scale, index: int) -> Line:
    """Return the line of a band, which is thick where the result is."""
    start, stop = scale.edges[index : index + 2]
    here = index == scale.end
    y, height = (_TOP, _THICK) if here else (_TOP + 3, 2)
    return Line(Box(_percent(start), y, _percent(stop - start), height), "solid" if here else "band")


def _tick(scale: Scale, index: int) -> list[Line | Label]:
    """Return the tick between two bands, and below it the last number of the one and the first of the other."""
    at, first = _percent(scale.edges[index]), scale.bands[index].start or 0
    bottom = _TOP + _THICK + 4 + _LINE
    return [
        Line(Rule(at, _TOP - 4, at, bottom), "tick"),
        Label(str(first - 1), at, bottom - 7, "numbers", "end", -_GAP),
        Label(str(first), at, bottom - 7, "numbers", "start", _GAP),
    ]


def _name(scale: Scale, index: int, lines: Sequence[str]) -> list[Label]:
    """Return what a band means."""
    middle, part = _percent(scale.middle(index)), "strong" if index == scale.end else "plain"
    top = _TOP + _THICK - 3 + _LINE
    return [Label(text, middle, top + row * _LINE, part) for row, text in enumerate(lines, 1)]


def split_label(label: str) -> list[str]:
    """Return a label in one line or two, so that it fits below a narrow band.

    >>> split_label("success"), split_label("partial success"), split_label("Success: yes")
    (['success'], ['partial', 'success'], ['Success:', 'yes'])
    """
    words = label.split()
    if len(label) <= 9 or len(words) == 1:
        return [_cut(label)]
    # The two lines are as equal as can be.
    cut = min(range(1, len(words)), key=lambda at: max(len(" ".join(words[:at])), len(" ".join(words[at:]))))
    return [_cut(" ".join(words[:cut])), _cut(" ".join(words[cut:]))]


def _cut(line: str) -> str:
    return fit_width(line, _MAX_WORD).rstrip()


def _percent(part: float) -> Percent:
    return Percent(100 * part)
