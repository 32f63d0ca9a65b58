"""Drawings as SVG; those of dice stand within a line of text.

A drawing has the colour of the surrounding text, which suits light and dark pages and forced colours, with or
without our stylesheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Final

from dicedocs.render.drawing import (
    ROUND,
    SHAPES,
    SIZE,
    STATES,
    Box,
    Circle,
    Drawing,
    Label,
    Line,
    Path,
    Percent,
    Rule,
    Shape,
    body,
    draw_die,
    group_dice,
    state_lines,
)
from dicedocs.render.signs import html_text
from dicedocs.rules.record import Die
from dicedocs.translation import gettext as _
from dicedocs.translation import ngettext

_EM: Final = 2.25 / SIZE
_PENS: Final[Mapping[str, str]] = {
    "outline": 'class="dice-outline" fill="none" stroke="currentColor" stroke-width="2"',
    "facets": 'class="dice-facets" fill="none" stroke="currentColor" stroke-opacity=".25"',
    "stroke": 'class="dice-stroke" fill="none" stroke="currentColor" stroke-width="3"',
    "sign": 'class="dice-sign" fill="none" stroke="currentColor" stroke-width="2.5"',
    "empty": 'fill="none" stroke="currentColor" stroke-width="2"',
    "full": 'fill="currentColor" fill-opacity=".7" stroke="currentColor" stroke-width="2"',
    "solid": 'class="dice-bar" fill="currentColor"',
    "hollow": 'class="dice-bar" fill="none" stroke="currentColor" stroke-width="1.5"',
    "pale": 'class="dice-bar" fill="currentColor" fill-opacity=".4" stroke="currentColor" stroke-width=".75"',
    "dashed": 'class="dice-bar" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="3 2"',
    "marker": 'fill="currentColor" fill-opacity=".1"',
    "axis": 'stroke="currentColor" stroke-opacity=".25"',
    "edge": 'stroke="currentColor" stroke-opacity=".5"',
    "band": 'fill="currentColor" fill-opacity=".4"',
    "tick": 'stroke="currentColor" stroke-width="1.5"',
    "arrow": 'stroke="currentColor"',
    "pointer": 'fill="currentColor"',
}
"""How the lines of each part are drawn."""
_FONTS: Final[Mapping[str, str]] = {
    "face": 'class="dice-face" fill="currentColor" font-weight="600"',
    "word": 'class="dice-word" fill="currentColor"',
    "count": 'class="dice-count" fill="currentColor"',
    "numbers": 'class="dice-numbers" fill="currentColor"',
    "plain": 'fill="currentColor"',
    "title": 'fill="currentColor" font-weight="600"',
    "strong": 'fill="currentColor" font-weight="700"',
}
"""How the texts of each part are written."""
_FONT_SIZE: Final = 14
"""The font size of a drawing that is as wide as there is room, in pixels."""
_MARGIN: Final = 16
"""Pixels around a picture."""


def die_svg(die: Die, count: int = 1) -> str:
    """Return a drawing, about 2¼ em high, of a number of equal dice, named like ``d6 showing 2, dropped``.

    >>> import xml.etree.ElementTree as tree
    >>> tree.fromstring(die_svg(Die(6, 2, "dropped"), 3)).get("aria-label")
    '3 d6 showing 2, dropped'
    """
    return drawing_svg(draw_die(die, count))


def drawing_svg(drawing: Drawing) -> str:
    """Return a drawing."""
    return _svg(drawing._replace(name=html_text(drawing.name)), _marks(drawing.marks))


def _svg(drawing: Drawing, parts: str) -> str:
    if isinstance(drawing.width, Percent):
        place = "".join(f' {name}="{_length(at)}"' for name, at in (("x", drawing.left), ("y", drawing.top)) if at)
        size = f'{place} width="{_length(drawing.width)}" height="{drawing.height:g}" font-size="{_FONT_SIZE}"'
        kind = drawing.kind
    else:
        em, kind = _EM * drawing.scale, f"dice-svg {drawing.kind}"
        extent = f"{drawing.left:g} {drawing.top:g} {drawing.width:g} {drawing.height:g}"
        size = f' viewBox="{extent}" width="{drawing.width * em:.4g}em" height="{drawing.height * em:.4g}em"'
        size += ' stroke-linejoin="round" stroke-linecap="round"'
    css_class = f' class="{kind}"' if kind else ""
    label, words = f' aria-label="{drawing.name}"', ""
    if drawing.description is not None:
        label, words = "", f"<title>{drawing.name}</title><desc>{html_text(drawing.description)}</desc>"
    return f'<svg{css_class} xmlns="http://www.w3.org/2000/svg" role="img"{label}{size}>{words}{parts}</svg>'


def picture_svg(parts: Iterable[Label | Drawing], width: int, height: float) -> str:
    """Return texts and drawings as a picture that stands alone, on white, with a margin within its width in pixels."""
    drawn = "".join(drawing_svg(part) if isinstance(part, Drawing) else _text(part) for part in parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 2 * _MARGIN:g}" color="#1b1d22"'
        f' font-family="system-ui, sans-serif" font-size="{_FONT_SIZE}"><rect width="100%" height="100%" fill="#fff"/>'
        f'<svg x="{_MARGIN}" y="{_MARGIN}" width="{width - 2 * _MARGIN}" height="{height:g}">{drawn}</svg></svg>'
    )


def _marks(marks: Iterable[Line | Label]) -> str:
    return "".join(_text(mark) if isinstance(mark, Label) else _line(mark) for mark in marks)


def _line(line: Line) -> str:
    pen = _PENS[line.part] + (' stroke-dasharray="4 3"' if line.dashed else "")
    match line.shape:
        case Box(x, y, width, height, radius):
            corners = f' rx="{radius:g}"' if radius else ""
            place = f'x="{_length(x)}" y="{y:g}" width="{_length(width)}" height="{height:g}"'
            return f"<rect {place}{corners} {pen}/>"
        case Circle(x, y, radius):
            return f'<circle cx="{_length(x)}" cy="{y:g}" r="{radius:g}" {pen}/>'
        case Rule(x, y, to_x, to_y):
            return f'<line x1="{_length(x)}" y1="{y:g}" x2="{_length(to_x)}" y2="{to_y:g}" {pen}/>'
        case Path(d, x):
            path = f'<path d="{d}" {pen}/>'
            return f'<svg x="{_length(x)}" overflow="visible">{path}</svg>' if x else path


def _length(length: float) -> str:
    return f"{length:.4g}%" if isinstance(length, Percent) else f"{length:g}"


def _text(label: Label) -> str:
    # A capital is about 0.7 em high; the baseline is half of that below the middle.
    size = f' font-size="{label.size:g}"' if label.size else ""
    shift = f' dx="{label.shift:g}"' if label.shift else ""
    place = f'x="{_length(label.x)}" y="{label.middle + 0.35 * (label.size or _FONT_SIZE):g}"{shift}{size}'
    return f'<text {place} text-anchor="{label.anchor}" {_FONTS[label.part]}>{html_text(label.text)}</text>'


@cache
def die_shapes() -> Mapping[str, str]:
    """Return templates of drawings by the number of sides, ``""`` for all others, and the strokes by state.

    A template is an ``<svg>`` with the placeholders ``{name}``, ``{face}``, ``{kind}`` (more classes) and
    ``{strokes}``, to be replaced with escaped text.

    >>> sorted(die_shapes())[:3]
    ['', '10', '100']
    """
    templates = {str(sides): _template(f"dice-d{sides}", shape) for sides, shape in SHAPES.items()}
    strokes = {state: _marks(state_lines(state)) for state in STATES}
    return {**templates, "": _template("dice-round", ROUND), **strokes}


def _template(classes: str, shape: Shape) -> str:
    drawing = Drawing(f"{classes}{{kind}}", "{name}", 0, 0, SIZE, SIZE, ())
    return _svg(drawing, _marks(body(shape, "{face}", SIZE / 2)) + "{strokes}")


def dice_svg(dice: Sequence[Die]) -> str:
    """Return HTML that draws dice in the order thrown, as a list within a line of text; empty without dice.

    Of more than ``MAX_DRAWN`` dice, equal ones are drawn once with their count; if that is still too many, the first
    ones are drawn and the rest are counted.
    """
    if not dice:
        return ""
    groups, rest = group_dice(dice)
    return drawings_list([die_svg(die, count) for die, count in groups], rest, _("Dice"))


def drawings_list(drawings: Iterable[str], rest: int, name: str) -> str:
    """Return drawings as a list within a line of text.

    Parameters:
        drawings: the drawings as SVG.
        rest: how many dice are not drawn.
        name: the accessible name of the list.
    """
    others = escape(ngettext("and {count} more", "and {count} more", rest).format(count=rest))
    more = f'<span role="listitem" class="dice-more">{others}</span>' if rest else ""
    items = "".join(f'<span role="listitem">{drawing}</span>' for drawing in drawings)
    return f'<span class="dice-dice" role="list" aria-label="{escape(name)}">{items}{more}</span>'
