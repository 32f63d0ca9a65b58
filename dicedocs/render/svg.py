"""Dice as SVG drawings within a line of text.

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
    "outline": 'stroke-width="2"',
    "facets": 'stroke-opacity=".25"',
    "stroke": 'stroke-width="3"',
    "sign": 'stroke-width="2.5"',
}


def die_svg(die: Die, count: int = 1) -> str:
    """Return a drawing, about 2¼ em high, of a number of equal dice, named like ``d6 showing 2, dropped``.

    >>> import xml.etree.ElementTree as tree
    >>> tree.fromstring(die_svg(Die(6, 2, "dropped"), 3)).get("aria-label")
    '3 d6 showing 2, dropped'
    """
    return drawing_svg(draw_die(die, count))


def drawing_svg(drawing: Drawing) -> str:
    """Return a drawing of a die or of equal dice."""
    return _svg(drawing._replace(name=html_text(drawing.name)), _marks(drawing.marks))


def _svg(drawing: Drawing, parts: str) -> str:
    em = _EM * drawing.scale
    return (
        f'<svg class="dice-svg {drawing.kind}" xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{drawing.name}" viewBox="{drawing.left:g} {drawing.top:g} {drawing.width:g} {drawing.height:g}"'
        f' width="{drawing.width * em:.4g}em" height="{drawing.height * em:.4g}em" stroke-linejoin="round"'
        f' stroke-linecap="round">{parts}</svg>'
    )


def _marks(marks: Iterable[Line | Label]) -> str:
    return "".join(_text(mark) if isinstance(mark, Label) else _line(mark) for mark in marks)


def _line(line: Line) -> str:
    shape = line.shape
    if isinstance(shape, Box):
        place = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
        element = f'<rect {place} rx="{shape.radius:g}"'
    elif isinstance(shape, Circle):
        element = f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}"'
    else:
        element = f'<path d="{shape.d}"'
    dashes = ' stroke-dasharray="4 3"' if line.dashed else ""
    return f'{element} class="dice-{line.part}" fill="none" stroke="currentColor" {_PENS[line.part]}{dashes}/>'


def _text(label: Label) -> str:
    # A capital is about 0.7 em high; the baseline is half of that below the middle.
    anchor = "start" if label.part == "count" else "middle"
    position = f'x="{label.x:g}" y="{label.middle + 0.35 * label.size:g}" font-size="{label.size:g}"'
    style = ' font-weight="600"' if label.part == "face" else ""
    return (
        f'<text {position} text-anchor="{anchor}" class="dice-{label.part}" fill="currentColor"{style}>'
        f"{html_text(label.text)}</text>"
    )


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
