"""Drawings of dice as plain data, which SVG and LaTeX each write in their own way.

The state of a die is visible in its outline and in strokes, never in colour alone, and part of its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dicedocs.render.words import clean
from dicedocs.rules.record import Die

MAX_DRAWN: Final = 40
"""Dice drawn one by one; of more, equal ones are drawn once with their count."""
SIZE: Final = 48
"""The width and height of a die, in units of a drawing."""
_MAX_STATE: Final = 18
"""Letters of a state in a drawing; its accessible name has the whole state."""


class Path(NamedTuple):
    """A path in the language of SVG."""

    d: str


class Box(NamedTuple):
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float


class Circle(NamedTuple):
    """A circle."""

    x: float
    y: float
    radius: float


class Line(NamedTuple):
    """A stroke of the pen, and what it draws: ``outline``, ``facets`` or ``stroke``."""

    shape: Path | Box | Circle
    part: str
    dashed: bool = False


class Label(NamedTuple):
    """A text, and what it is: ``face``, ``word`` or ``count``.

    Parameters:
        text: the text.
        x: its centre, or its start for a count.
        middle: the distance of its centre from the top.
        size: its font size.
        part: what it is.
    """

    text: str
    x: float
    middle: float
    size: float
    part: str


class Drawing(NamedTuple):
    """A drawing of equal dice.

    Parameters:
        kind: the shape and the state of the dice, as words of a class: ``d6 dropped``.
        name: what it shows, in words.
        left, width, height: its extent; the top is 0.
        marks: its lines and texts, in the order in which they are drawn.
    """

    kind: str
    name: str
    left: float
    width: float
    height: float
    marks: tuple[Line | Label, ...]


class Shape(NamedTuple):
    """The shape of a die, in units of which a drawing has 48.

    Parameters:
        outline: its outline.
        middle: the distance of the number's centre from the top.
        size: the font size of the number.
        facets: the path of the edges inside the outline.
    """

    outline: Path | Box | Circle
    middle: float
    size: float
    facets: str = ""


SHAPES: Final[Mapping[int, Shape]] = {
    4: Shape(Path("M24 4 45 41H3Z"), 30, 19),
    6: Shape(Box(5, 5, 38, 38, 8), 24, 24),
    8: Shape(Path("M24 2 46 24 24 46 2 24Z"), 24, 22),
    10: Shape(
        Path("M24 3 45 20V29L24 45 3 29V20Z"),
        22.5,
        17,
        "M24 3 12.5 28 24 34 35.5 28ZM3 29 12.5 28M45 29 35.5 28M24 34V45",
    ),
    12: Shape(Path("M24 3 45.5 18.6 37.3 43.9H10.7L2.5 18.6Z"), 25.5, 22),
    20: Shape(
        Path("M24 2 43 13V35L24 46 5 35V13Z"),
        26,
        17,
        "M24 10 38 34H10ZM24 2V10L43 13 38 34 43 35M24 10 5 13 10 34 5 35M10 34 24 46 38 34",
    ),
}
"""The shapes by the number of sides; all others are :data:`ROUND`."""
ROUND: Final = Shape(Circle(24, 24, 21), 24, 21)

_INSETS: Final = (14, 5, 8, 0)
"""The distances from the right edge that ``{0}`` to ``{3}`` stand for in a stroke."""
STATES: Final[Mapping[str, str]] = {
    "dropped": "M5 43 14 34M{0} 14 {1} 5",
    "scratched": "M5 43 14 34M{0} 14 {1} 5M5 5 14 14M{0} 34 {1} 43",
    "exhausted": "M0 24H8M{2} 24H{3}",
}
"""The stroke of each state, interrupted at the number: a slash, a cross or a bar.

Any other state is written below the die.
"""


def draw_die(die: Die, count: int = 1) -> Drawing:
    """Return a drawing of a number of equal dice.

    >>> draw_die(Die(6, 2, "dropped"), 3).name
    '3 d6 showing 2, dropped'
    """
    face, state = str(die.face), clean(die.state)
    shape = SHAPES.get(die.sides, ROUND)
    width: float = SIZE
    height: float = SIZE
    if shape is ROUND and len(face) > 2:
        shape = shape._replace(size=16)
        if len(face) > 3:
            width += 11 * (len(face) - 3)
            shape = shape._replace(outline=Box(3, 3, width - 6, 42, 21))
    middle = width / 2
    stroke = state_stroke(state, width)
    state_class = f" dice-{state}" if stroke else " dice-marked" if state else ""
    marks: list[Line | Label] = [*body(shape, face, middle, dashed=bool(state) and state != "scratched"), *stroke]
    left = 0.0
    if state and not stroke:
        word = state if len(state) <= _MAX_STATE else state[: _MAX_STATE - 1] + "…"
        # At font size 13 a letter is about 7.5 wide.
        wider = max(width, 7.5 * len(word) + 4)
        left = (width - wider) / 2
        width, height = wider, 64
        marks.append(Label(word, middle, 56, 13, "word"))
    if count > 1:
        times = f"× {count}"
        marks.append(Label(times, left + width + 4, 24, 18, "count"))
        width += 8 + 10 * len(times)
    name = clean(str(die)) if count == 1 else f"{count} {clean(str(die))}"
    return Drawing(f"dice-d{die.sides}{state_class}", name, left, width, height, tuple(marks))


def body(shape: Shape, face: str, middle: float, *, dashed: bool = False) -> list[Line | Label]:
    """Return the outline, the edges and the face of a die."""
    facets = [Line(Path(shape.facets), "facets")] if shape.facets else []
    return [Line(shape.outline, "outline", dashed), *facets, Label(face, middle, shape.middle, shape.size, "face")]


def state_stroke(state: str, width: float = SIZE) -> list[Line]:
    """Return the stroke of a state; none for a state that is written below the die."""
    path = STATES.get(state, "").format(*(f"{width - inset:g}" for inset in _INSETS))
    return [Line(Path(path), "stroke")] if path else []


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
