"""Dice as small drawings that stand in a line of text.

A drawing takes its colour from the text around it, so it is right in a light and a dark page and
in forced colours, with or without our stylesheet. What became of a die is told by its outline and
by strokes, never by colour alone, and always in its accessible name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Final, NamedTuple

from dicedocs.render.words import clean
from dicedocs.rules.record import Die

DRAWN: Final = 40
"""Dice that are drawn one by one; of more, equal ones are drawn once with how many they are."""
_SIZE: Final = 48
_EM: Final = 2.25 / _SIZE
_WORD: Final = 18
"""Letters of a state that a drawing has room for; its name says all of them."""


class Shape(NamedTuple):
    """The drawing of a die.

    Parameters:
        outline: an SVG element without its end.
        middle: where the number stands, from the top.
        size: how large the number is.
        facets: a path of the edges inside the outline.
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
"""How far from the right the places are that strokes name."""
_STROKES: Final[Mapping[str, str]] = {
    "dropped": "M5 43 14 34M{0} 14 {1} 5",
    "scratched": "M5 43 14 34M{0} 14 {1} 5M5 5 14 14M{0} 34 {1} 43",
    "exhausted": "M0 24H8M{2} 24H{3}",
}
"""The strokes that say what became of a die, broken where its number stands, with their places at the right.

A slash drops it, a cross scratches it, a bar exhausts it; any other state stands below it in words.
"""


def die_svg(die: Die, count: int = 1) -> str:
    """Draw a die, about 2¼ em high.

    Parameters:
        die: its sides, face and state.
        count: how many such dice the drawing stands for.

    Returns:
        An ``<svg>`` that is named as a person would say it: ``d6 showing 2, dropped``.

    >>> import xml.etree.ElementTree as tree
    >>> tree.fromstring(die_svg(Die(6, 2, "dropped"), 3)).get("aria-label")
    '3 d6 showing 2, dropped'
    """
    face, state = str(die.face), clean(die.state)
    shape = _SHAPES.get(die.sides, _ROUND)
    width: float = _SIZE
    height: float = _SIZE
    outline, size = shape.outline, shape.size
    if shape is _ROUND and len(face) > 2:
        size = 16
        if len(face) > 3:
            # A long number has room in a long die.
            width += 11 * (len(face) - 3)
            outline = f'<rect x="3" y="3" width="{width - 6:g}" height="42" rx="21"'
    middle = width / 2
    strokes = _STROKES.get(state, "").format(*(f"{width - inset:g}" for inset in _INSETS))
    kind = f" dice-{state}" if strokes else " dice-marked" if state else ""
    dashes = ' stroke-dasharray="4 3"' if state and state != "scratched" else ""
    parts = [f'{outline} class="dice-outline" fill="none" stroke="currentColor" stroke-width="2"{dashes}/>']
    if shape.facets:
        parts.append(_facets(shape))
    parts.append(_text(face, middle, shape.middle, size, "dice-face", ' font-weight="600"'))
    if strokes:
        parts.append(_stroke(strokes))
    left = 0.0
    if state and not strokes:
        word = state if len(state) <= _WORD else state[: _WORD - 1] + "…"
        # Letters are narrower than they are high; what is left over is margin.
        room = max(width, 7.5 * len(word) + 4)
        left = (width - room) / 2
        width, height = room, 64
        parts.append(_text(word, middle, 56, 13, "dice-word"))
    if count > 1:
        times = f"× {count}"
        parts.append(_text(times, left + width + 4, 24, 18, "dice-count", anchor="start"))
        width += 8 + 10 * len(times)
    name = clean(str(die)) if count == 1 else f"{count} {clean(str(die))}"
    return _svg(f"dice-d{die.sides}{kind}", escape(name), (left, width, height), "".join(parts))


def _svg(kind: str, name: str, box: tuple[float, float, float], parts: str) -> str:
    left, width, height = box
    return (
        f'<svg class="dice-svg {kind}" xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{name}" viewBox="{left:g} 0 {width:g} {height:g}"'
        f' width="{width * _EM:.4g}em" height="{height * _EM:.4g}em" stroke-linejoin="round"'
        f' stroke-linecap="round">{parts}</svg>'
    )


def _facets(shape: Shape) -> str:
    return f'<path d="{shape.facets}" class="dice-facets" fill="none" stroke="currentColor" stroke-opacity=".25"/>'


def _stroke(path: str) -> str:
    return f'<path d="{path}" class="dice-stroke" fill="none" stroke="currentColor" stroke-width="3"/>'


@cache
def die_shapes() -> Mapping[str, str]:
    """Give the drawings of dice for who fills them in: by their sides, and under no sides that of all others.

    Returns:
        Each an ``<svg>`` in which ``{name}``, ``{face}``, ``{kind}`` (more classes) and ``{strokes}`` stand for what
        is put there, all of it escaped; and, by state, the strokes.

    >>> sorted(die_shapes())[:3]
    ['', '10', '12']
    """
    drawn = {str(sides): _blank(f"dice-d{sides}", shape) for sides, shape in _SHAPES.items()}
    places = [f"{_SIZE - inset}" for inset in _INSETS]
    strokes = {state: _stroke(path.format(*places)) for state, path in _STROKES.items()}
    return {**drawn, "": _blank("dice-round", _ROUND), **strokes}


def _blank(kind: str, shape: Shape) -> str:
    outline = f'{shape.outline} class="dice-outline" fill="none" stroke="currentColor" stroke-width="2"/>'
    face = _text("{face}", _SIZE / 2, shape.middle, shape.size, "dice-face", ' font-weight="600"')
    parts = outline + (_facets(shape) if shape.facets else "") + face + "{strokes}"
    return _svg(f"{kind}{{kind}}", "{name}", (0, _SIZE, _SIZE), parts)


def _text(text: str, x: float, middle: float, size: float, kind: str, more: str = "", anchor: str = "middle") -> str:
    # A capital is about 0.7 em high: half of it below the middle.
    where = f'x="{x:g}" y="{middle + 0.35 * size:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {where} class="{kind}" fill="currentColor"{more}>{escape(text)}</text>'


def dice_svg(dice: Sequence[Die]) -> str:
    """Draw dice in the order thrown, as a list that may stand in a paragraph.

    Of more than ``DRAWN`` dice equal ones are drawn once, with how many they are; when too many kinds
    are left the first are drawn, and the number of the others is told.

    Returns:
        HTML; empty without dice.
    """
    if not dice:
        return ""
    groups, left = group_dice(dice)
    more = f'<span role="listitem" class="dice-more">and {left} more</span>' if left else ""
    drawn = "".join(f'<span role="listitem">{die_svg(die, count)}</span>' for die, count in groups)
    return f'<span class="dice-dice" role="list" aria-label="Dice">{drawn}{more}</span>'


def group_dice(dice: Sequence[Die]) -> tuple[list[tuple[Die, int]], int]:
    """Give the dice that are drawn, each with how many it stands for, and how many are not drawn.

    >>> group_dice([Die(6, 2)] * 41)
    ([(Die(sides=6, face=2, state=''), 41)], 0)
    """
    if len(dice) <= DRAWN:
        return [(die, 1) for die in dice], 0
    counts = Counter(dice)
    if len(counts) <= DRAWN:
        places = {key: place for place, key in enumerate(dict.fromkeys((die.sides, die.state) for die in dice))}
        return sorted(counts.items(), key=lambda group: (places[group[0].sides, group[0].state], group[0].face)), 0
    groups = list(counts.items())[:DRAWN]
    return groups, len(dice) - sum(count for _, count in groups)
