"""A scale as HTML: a thin line of bands in SVG, with a name, and the number above it.

The band of the number is filled and its words are bold, so that nobody needs colours to see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from dicedocs.render.scale import Scale
from dicedocs.render.words import fit_width

_MAX_WORD: Final = 16
"""Letters of a line of a label; its accessible name has all of them."""
_TOP: Final = 24
"""Pixels above the bands, for the number."""
_THIN_TOP: Final = 10
"""Pixels above the bands of a thin scale, for the pointer."""
_LINE: Final = 16
"""Pixels of a line of text."""
_BOLD: Final = ' font-weight="700"'


def scale_html(scale: Scale | None) -> str:
    """Return a scale with its words, as wide as there is room; empty if there is none."""
    if scale is None:
        return ""
    label = f'<span class="dice-label">{escape(scale.subject)}</span> ' if scale.subject else ""
    return f'<div class="dice-scale">{label}{scale_svg(scale)}</div>'


def thin_scale_html(scale: Scale | None) -> str:
    """Return a scale without words, which fits in a line of text; empty if there is none."""
    return f'<span class="dice-thin">{scale_svg(scale, thin=True)}</span>' if scale is not None else ""


def scale_svg(scale: Scale, *, thin: bool = False) -> str:
    """Return a scale as SVG, as wide as there is room.

    Parameters:
        scale: the scale.
        thin: whether its words and numbers are left out; its accessible name has those of the number's band.

    >>> import xml.etree.ElementTree as tree
    >>> from dicedocs.render.scale import Scale, table_bands
    >>> svg = scale_svg(Scale("Total", 13, table_bands({None: "failure", 10: "success"})))
    >>> tree.fromstring(svg).get("aria-label")
    'Total 13, in success (10 or more)'
    """
    top = _THIN_TOP if thin else _TOP
    labels = [[] if thin else split_label(band.label) for band in scale.bands]
    rows = max(map(len, labels))
    parts = [_band(scale, index, top) for index in range(len(scale.bands))]
    mark = _percent(scale.position)
    pointer = f'<path d="M-5 {top - 8}H5L0 {top - 1}Z"/>'
    parts.append(f'<svg x="{mark}" overflow="visible">{pointer}</svg>')
    if not thin:
        parts += [_words(scale, index, words, rows) for index, words in enumerate(labels)]
        parts.append(_text(str(scale.mark), mark, top - 12, _BOLD))
    height = top + 10 if thin else top + 32 + rows * _LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(scale.name)}" width="100%"'
        f' height="{height}" font-size="14" fill="currentColor" text-anchor="middle">{"".join(parts)}</svg>'
    )


def _band(scale: Scale, index: int, top: int) -> str:
    """Return the line of a band, which is thick where the number is, and the tick at its start."""
    start, stop = scale.edges[index : index + 2]
    left, width = _percent(start), _percent(stop - start)
    tick = f'<line x1="{left}" x2="{left}" y1="{top - 4}" y2="{top + 12}" stroke="currentColor" stroke-width="2"/>'
    if index == scale.here:
        line = f'<rect class="dice-bar" x="{left}" y="{top}" width="{width}" height="8"/>'
    else:
        line = f'<rect x="{left}" y="{top + 3}" width="{width}" height="2" fill-opacity=".4"/>'
    return line + (tick if index else "")


def _words(scale: Scale, index: int, words: Sequence[str], rows: int) -> str:
    """Return what a band means, and below it its numbers."""
    middle = _percent(sum(scale.edges[index : index + 2]) / 2)
    weight = _BOLD if index == scale.here else ""
    lines = [_text(text, middle, _TOP + 26 + row * _LINE, weight) for row, text in enumerate(words)]
    numbers = _text(scale.bands[index].numbers, middle, _TOP + 26 + rows * _LINE, ' class="dice-numbers"')
    return "".join(lines) + numbers


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
    return f'<text x="{x}" y="{y:g}"{attributes}>{escape(text)}</text>'
