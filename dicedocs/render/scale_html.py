"""A scale as HTML: a line of bands in SVG, with the number above it and the names of the bands below.

The band that counts is filled and its name is bold, so that nobody needs colours to see it. Where the rule moved the
result to another band, an arrow leads there from the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicedocs.render.scale import Scale
from dicedocs.render.signs import html_text
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
_BOLD: Final = ' font-weight="700"'
_NUMBERS: Final = ' class="dice-numbers"'


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
    bands = "".join(_band(scale, index) for index in range(len(scale.bands)))
    ticks = "".join(_tick(scale, index) for index in range(1, len(scale.bands)))
    words = "".join(_name(scale, index, lines) for index, lines in enumerate(names))
    height = _TOP + _THICK + 4 + (1 + max(map(len, names))) * _LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html_text(scale.name)}" width="100%"'
        f' height="{height}" font-size="14" fill="currentColor" text-anchor="middle">'
        f"{bands}{ticks}{_mark(scale)}{words}</svg>"
    )


def _mark(scale: Scale) -> str:
    """Return the number and what it is, and the pointer below them, or an arrow to where the result was moved."""
    at = _percent(scale.position)
    pointer = _pointer(at)
    if scale.moved is not None:
        end, y = _percent(scale.middle(scale.moved)), _TOP - 5
        line = f'<line x1="{at}" x2="{end}" y1="{y}" y2="{y}" stroke="currentColor"/>'
        pointer = f'<circle cx="{at}" cy="{y}" r="3"/>{line}{_pointer(end)}'
    # At an end the words go inwards.
    anchor = "start" if scale.position < 0.2 else "end" if scale.position > 0.8 else "middle"
    return pointer + _text(f"{scale.subject} {scale.mark}".strip(), at, _TOP - 12, f'{_BOLD} text-anchor="{anchor}"')


def _pointer(at: str) -> str:
    return f'<svg x="{at}" overflow="visible"><path d="M-5 {_TOP - 8}H5L0 {_TOP - 1}Z"/></svg>'


def _band(scale: Scale, index: int) -> str:
    """Return the line of a band, which is thick where the result is."""
    start, stop = scale.edges[index : index + 2]
    place = f'x="{_percent(start)}" width="{_percent(stop - start)}"'
    if index == scale.end:
        return f'<rect class="dice-bar" {place} y="{_TOP}" height="{_THICK}"/>'
    return f'<rect {place} y="{_TOP + 3}" height="2" fill-opacity=".4"/>'


def _tick(scale: Scale, index: int) -> str:
    """Return the tick between two bands, and below it the last number of the one and the first of the other."""
    at, first = _percent(scale.edges[index]), scale.bands[index].start or 0
    bottom = _TOP + _THICK + 4 + _LINE
    line = f'<line x1="{at}" x2="{at}" y1="{_TOP - 4}" y2="{bottom}" stroke="currentColor" stroke-width="1.5"/>'
    before = _text(str(first - 1), "-" + str(_GAP), bottom - 2, f'{_NUMBERS} text-anchor="end"')
    after = _text(str(first), str(_GAP), bottom - 2, f'{_NUMBERS} text-anchor="start"')
    return f'{line}<svg x="{at}" overflow="visible">{before}{after}</svg>'


def _name(scale: Scale, index: int, lines: Sequence[str]) -> str:
    """Return what a band means."""
    middle = _percent(scale.middle(index))
    weight = _BOLD if index == scale.end else ""
    top = _TOP + _THICK + 2 + _LINE
    return "".join(_text(text, middle, top + row * _LINE, weight) for row, text in enumerate(lines, 1))


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


def _percent(part: float) -> str:
    return f"{100 * part:.3g}%"


def _text(text: str, x: str, y: float, attributes: str) -> str:
    return f'<text x="{x}" y="{y:g}"{attributes}>{html_text(text)}</text>'
