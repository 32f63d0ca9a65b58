"""Dice as SVG drawings within a line of text.

A drawing has the colour of the surrounding text, which suits light and dark pages and forced colours, with or
without our stylesheet. The state of a die is visible in its outline and in strokes, never in colour alone, and
part of its accessible name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Final, NamedTuple

from dicedocs.render.words import clean
from dicedocs.rules.record import Die

MAX_DRAWN: Final = 40
"""Dice drawn one by one; of more, equal ones are drawn once with their count."""
_SIZE: Final = 48
_EM: Final = 2.25 / _SIZE
_MAX_STATE: Final = 18
"""Letters of a state in a drawing; its accessible name has the whole state."""


class Shape(NamedTuple):
    """The shape of a die, in units of which a drawing has 48.

    Parameters:
        outline: an SVG element without its end.
        middle: the distance of the number's centre from the top.
        size: the font size of the number.
        facets: the path of the edges inside the outline.
    """

    outline: str
    middle: float
    size: float
    facets: str = ""


_SHAPES: Final[Mapping[int, Shape]] = {
    4: Shape('<path d="M24 4 45 41H3Z"', 30, 19),
    6: Shape('<rect x="5" y="5" width="38" height="38" rx="8"', 24, 24),
    8: Shape('<path d="M24 2 46 24 24 46 2 24Z"', 24, 22),
    10: Shape(
        '<path d="M24 3 45 20V29L24 45 3 29V20Z"',
        22.5,
        17,
        "M24 3 12.5 28 24 34 35.5 28ZM3 29 12.5 28M45 29 35.5 28M24 34V45",
    ),
    12: Shape('<path d="M24 3 45.5 18.6 37.3 43.9H10.7L2.5 18.6Z"', 25.5, 22),
    20: Shape(
        '<path d="M24 2 43 13V35L24 46 5 35V13Z"',
        26,
        17,
        "M24 10 38 34H10ZM24 2V10L43 13 38 34 43 35M24 10 5 13 10 34 5 35M10 34 24 46 38 34",
    ),
}
_ROUND: Final = Shape('<circle cx="24" cy="24" r="21"', 24, 21)

_INSETS: Final = (14, 5, 8, 0)
"""The distances from the right edge that ``{0}`` to ``{3}`` stand for in a stroke."""
_STROKES: Final[Mapping[str, str]] = {
    "dropped": "M5 43 14 34M{0} 14 {1} 5",
    "scratched": "M5 43 14 34M{0} 14 {1} 5M5 5 14 14M{0} 34 {1} 43",
    "exhausted": "M0 24H8M{2} 24H{3}",
}
"""The stroke of each state, interrupted at the number: a slash, a cross or a bar.

Any other state is written below the die.
"""


def die_svg(die: Die, count: int = 1) -> str:
    """Return a drawing, about 2¼ em high, of a number of equal dice, named like ``d6 showing 2, dropped``.

    >>> import xml.etree.ElementTree as tree
    >>> tree.fromstring(die_svg(Die(6, 2, "dropped"), 3)).get("aria-label")
    '3 d6 showing 2, dropped'
    """
    face, state = str(die.face), clean(die.state)
    shape = _SHAPES.get(die.sides, _ROUND)
    width: float = _SIZE
    height: float = _SIZE
    if shape is _ROUND and len(face) > 2:
        shape = shape._replace(size=16)
        if len(face) > 3:
            width += 11 * (len(face) - 3)
            shape = shape._replace(outline=f'<rect x="3" y="3" width="{width - 6:g}" height="42" rx="21"')
    middle = width / 2
    strokes = _STROKES.get(state, "").format(*(f"{width - inset:g}" for inset in _INSETS))
    state_class = f" dice-{state}" if strokes else " dice-marked" if state else ""
    dashes = ' stroke-dasharray="4 3"' if state and state != "scratched" else ""
    parts = [_body(shape, face, middle, dashes), _stroke(strokes) if strokes else ""]
    left = 0.0
    if state and not strokes:
        word = state if len(state) <= _MAX_STATE else state[: _MAX_STATE - 1] + "…"
        # At font size 13 a letter is about 7.5 wide.
        wider = max(width, 7.5 * len(word) + 4)
        left = (width - wider) / 2
        width, height = wider, 64
        parts.append(_text(word, middle, 56, 13, "dice-word"))
    if count > 1:
        times = f"× {count}"
        parts.append(_text(times, left + width + 4, 24, 18, "dice-count", anchor="start"))
        width += 8 + 10 * len(times)
    name = clean(str(die)) if count == 1 else f"{count} {clean(str(die))}"
    return _svg(f"dice-d{die.sides}{state_class}", escape(name), (left, width, height), "".join(parts))


def _svg(classes: str, name: str, box: tuple[float, float, float], parts: str) -> str:
    left, width, height = box
    return (
        f'<svg class="dice-svg {classes}" xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{name}" viewBox="{left:g} 0 {width:g} {height:g}"'
        f' width="{width * _EM:.4g}em" height="{height * _EM:.4g}em" stroke-linejoin="round"'
        f' stroke-linecap="round">{parts}</svg>'
    )


def _body(shape: Shape, face: str, middle: float, dashes: str = "") -> str:
    outline = f'{shape.outline} class="dice-outline" fill="none" stroke="currentColor" stroke-width="2"{dashes}/>'
    if shape.facets:
        outline += (
            f'<path d="{shape.facets}" class="dice-facets" fill="none" stroke="currentColor" stroke-opacity=".25"/>'
        )
    return outline + _text(face, middle, shape.middle, shape.size, "dice-face", ' font-weight="600"')


def _stroke(path: str) -> str:
    return f'<path d="{path}" class="dice-stroke" fill="none" stroke="currentColor" stroke-width="3"/>'


@cache
def die_shapes() -> Mapping[str, str]:
    """Return templates of drawings by the number of sides, ``""`` for all others, and the strokes by state.

    A template is an ``<svg>`` with the placeholders ``{name}``, ``{face}``, ``{kind}`` (more classes) and
    ``{strokes}``, to be replaced with escaped text.

    >>> sorted(die_shapes())[:3]
    ['', '10', '12']
    """
    templates = {str(sides): _template(f"dice-d{sides}", shape) for sides, shape in _SHAPES.items()}
    positions = [f"{_SIZE - inset}" for inset in _INSETS]
    strokes = {state: _stroke(path.format(*positions)) for state, path in _STROKES.items()}
    return {**templates, "": _template("dice-round", _ROUND), **strokes}


def _template(classes: str, shape: Shape) -> str:
    return _svg(f"{classes}{{kind}}", "{name}", (0, _SIZE, _SIZE), _body(shape, "{face}", _SIZE / 2) + "{strokes}")


def _text(text: str, x: float, middle: float, size: float, name: str, style: str = "", anchor: str = "middle") -> str:
    # A capital is about 0.7 em high; the baseline is half of that below the middle.
    position = f'x="{x:g}" y="{middle + 0.35 * size:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {position} class="{name}" fill="currentColor"{style}>{escape(text)}</text>'


def dice_svg(dice: Sequence[Die]) -> str:
    """Return HTML that draws dice in the order thrown, as a list within a line of text; empty without dice.

    Of more than ``MAX_DRAWN`` dice, equal ones are drawn once with their count; if that is still too many, the first
    ones are drawn and the rest are counted.
    """
    if not dice:
        return ""
    groups, rest = group_dice(dice)
    more = f'<span role="listitem" class="dice-more">and {rest} more</span>' if rest else ""
    drawings = "".join(f'<span role="listitem">{die_svg(die, count)}</span>' for die, count in groups)
    return f'<span class="dice-dice" role="list" aria-label="Dice">{drawings}{more}</span>'


def group_dice(dice: Sequence[Die]) -> tuple[list[tuple[Die, int]], int]:
    """Return the dice to draw, each with its count, and how many dice are left out.

    >>> group_dice([Die(6, 2)] * 41)
    ([(Die(sides=6, face=2, state=''), 41)], 0)
    """
    if len(dice) <= MAX_DRAWN:
        return [(die, 1) for die in dice], 0
    counts = Counter(dice)
    if len(counts) <= MAX_DRAWN:
        order = {kind: index for index, kind in enumerate(dict.fromkeys((die.sides, die.state) for die in dice))}
        return sorted(counts.items(), key=lambda group: (order[group[0].sides, group[0].state], group[0].face)), 0
    groups = list(counts.items())[:MAX_DRAWN]
    return groups, len(dice) - sum(count for _, count in groups)
