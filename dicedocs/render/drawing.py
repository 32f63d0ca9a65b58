"""Drawings as plain data, which are written as SVG; and the drawings of dice.

A drawing of dice or of a track has units of its own. A scale or a chart is as wide as there is room: its lengths across
are percentages, and those down are pixels.

The state of a die is visible in its size, its outline and small marks, never in colour alone, and part of its name.
A die that does not count is smaller and dashed. All dice stand on the same line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dicedocs.render.shown_dice import OUTSIDE
from dicedocs.render.words import clean
from dicedocs.rules.record import Die
from dicedocs.translation import mark, ngettext, word

MAX_DRAWN: Final = 40
"""Dice drawn one by one; of more, equal ones are drawn once with their count."""
SIZE: Final = 48
"""The width and height of a die, in units of a drawing."""
HIDDEN_FACE: Final = "–"
"""The face of a die whose face does not matter."""
SPENT: Final = mark("spent")
"""The state of a die of a pool that was used for a roll."""
_MAX_STATE: Final = 18
"""Letters of a state in a drawing; its accessible name has the whole state."""


class Percent(float):
    """A percentage of the width of a drawing that is as wide as there is room."""

    __slots__ = ()


class Path(NamedTuple):
    """A path in the language of SVG, whose origin may be moved to the right."""

    d: str
    x: float = 0


class Box(NamedTuple):
    """A rectangle, which may have round corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0


class Circle(NamedTuple):
    """A circle."""

    x: float
    y: float
    radius: float


class Rule(NamedTuple):
    """A straight line."""

    x: float
    y: float
    to_x: float
    to_y: float


class Line(NamedTuple):
    """A stroke of the pen, and what it draws: ``outline``, ``facets``, ``stroke`` or ``sign`` of a die, for example."""

    shape: Path | Box | Circle | Rule
    part: str
    dashed: bool = False


class Label(NamedTuple):
    """A text, and what it is: ``face``, ``word`` or ``count`` of dice, for example.

    Parameters:
        text: the text.
        x: its centre, its start or its end.
        middle: the distance of its centre from the top.
        part: what it is.
        anchor: what ``x`` is: ``middle``, ``start`` or ``end``.
        shift: how many units it is moved to the right.
        size: its font size; 0 for that of the drawing.
    """

    text: str
    x: float
    middle: float
    part: str
    anchor: str = "middle"
    shift: float = 0
    size: float = 0


class Drawing(NamedTuple):
    """A drawing.

    Parameters:
        kind: what it shows, as words of a class: ``dice-d6 dice-is-kept`` for equal dice.
        name: what it shows, in words.
        left, top, width, height: its extent, in units of its own; if the width is a percentage, its place and size.
        marks: its lines and texts, in the order in which they are drawn.
        scale: the size of its units.
        description: more words, if it is to have them.
    """

    kind: str
    name: str
    left: float
    top: float
    width: float
    height: float
    marks: tuple[Line | Label, ...]
    scale: float = 1
    description: str | None = None


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
    2: Shape(Circle(24, 24, 21), 24, 21, "M24 6.5C33.7 6.5 41.5 14.3 41.5 24 41.5 33.7 33.7 41.5 24 41.5"),
    3: Shape(Path("M24 4C28 4 45 35 43 39 41 43 7 43 5 39 3 35 20 4 24 4Z"), 28, 20),
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
    100: Shape(
        Path("M24 2 36.9 6.2 44.9 17.2V30.8L36.9 41.8 24 46 11.1 41.8 3.1 30.8V17.2L11.1 6.2Z"),
        24,
        17,
        "M24 7 34 10.2 40.2 18.7V29.3L34 37.8 24 41 14 37.8 7.8 29.3V18.7L14 10.2Z"
        "M24 2V7M36.9 6.2 34 10.2M44.9 17.2 40.2 18.7M44.9 30.8 40.2 29.3M36.9 41.8 34 37.8"
        "M24 46V41M11.1 41.8 14 37.8M3.1 30.8 7.8 29.3M3.1 17.2 7.8 18.7M11.1 6.2 14 10.2",
    ),
}
"""The shapes by the number of sides; all others are :data:`ROUND`."""
ROUND: Final = Shape(Circle(24, 24, 21), 24, 21)


class StateStyle(NamedTuple):
    """How the state of a die is drawn.

    Parameters:
        counts: whether the die counts; one that does not is smaller and dashed.
        stroke: strokes across the die, interrupted at its number; ``{0}`` to ``{3}`` are distances from its right edge.
        sign: a sign beside its top right corner.
    """

    counts: bool
    stroke: str = ""
    sign: str = ""


_INSETS: Final = (14, 5, 8, 0)
"""The distances from the right edge that ``{0}`` to ``{3}`` stand for in a stroke."""
_SLASH: Final = "M5 43 14 34M{0} 14 {1} 5"
_TICK: Final = "M49 10 53 14 60 4"
_TURN: Final = "M58.5 5.5C56 3 51.5 3.5 50 7 48.5 11 51.5 14.5 55 14.5 57.5 14.5 59.5 13 60 10.5M59.5 1V6H54.5"
_RAYS: Final = "M54.5 2V16M48.5 5.5 60.5 12.5M60.5 5.5 48.5 12.5"
STATES: Final[Mapping[str, StateStyle]] = {
    mark("kept"): StateStyle(counts=True),
    mark("counted"): StateStyle(counts=True, sign=_TICK),
    mark("exploded"): StateStyle(counts=True, sign=_RAYS),
    SPENT: StateStyle(counts=True, stroke="M1 47 13 35M35 13 47 1M1 1 13 13M35 35 47 47"),
    OUTSIDE: StateStyle(counts=False),
    mark("dropped"): StateStyle(counts=False, stroke=_SLASH),
    mark("scratched"): StateStyle(counts=False, stroke=_SLASH + "M5 5 14 14M{0} 34 {1} 43"),
    mark("exhausted"): StateStyle(counts=False, stroke="M0 24H8M{2} 24H{3}"),
    mark("rerolled"): StateStyle(counts=False, sign=_TURN),
}
"""How each state is drawn: ``kept`` is a heavy outline. Any other state is written below the die, which is dashed."""
SMALL: Final = 0.8
"""The size of a die that does not count."""
_SMALL_TEXT: Final = 22
"""The smallest font size on a small die, which is still legible; the edges inside the outline are left out then."""
_MAX_DIGITS: Final = 3
"""Digits that fit on a die of the usual width."""
_HEADROOM: Final = SIZE / SMALL - SIZE
"""The units above a small die, so that it stands on the same line as the others."""
_SIGN_WIDTH: Final = 14


def draw_die(die: Die, count: int = 1) -> Drawing:
    """Return a drawing of a number of equal dice.

    >>> draw_die(Die(6, 2, "dropped"), 3).name
    '3 d6 showing 2, dropped'
    """
    return draw_face(die.sides, clean(die.shown), die.state, describe_dice(die, count), count)


def draw_face(sides: int, face: str, state: str, name: str, count: int = 1) -> Drawing:
    """Return a drawing of dice whose face may be any text.

    Parameters:
        sides: the number of sides.
        face: the text of the face.
        state: the state; empty for none.
        name: what the drawing shows, in words.
        count: the number of equal dice.

    >>> draw_face(6, "-", "exhausted", "d6, exhausted").kind
    'dice-d6 dice-is-exhausted dice-aside'
    """
    state = clean(state)
    style = STATES.get(state)
    # A die with words on it looks the same on all sides, also on those with a blank.
    shape = SHAPES.get(sides, ROUND) if face == HIDDEN_FACE or face.lstrip("-").isdigit() else ROUND
    width: float = SIZE
    height: float = SIZE
    if shape is ROUND and len(face) > 2:
        shape = shape._replace(size=17)
        if len(face) > _MAX_DIGITS:
            width += 11 * (len(face) - _MAX_DIGITS)
            shape = shape._replace(outline=Box(3, 3, width - 6, 42, 21))
    middle = width / 2
    small = style is not None and not style.counts
    if small and len(face) <= _MAX_DIGITS:
        shape = shape._replace(size=max(shape.size, _SMALL_TEXT), facets="")
    state_class = f" dice-is-{state.replace(' ', '-') if style else 'marked'}" if state else ""
    dashed = small or (bool(state) and style is None)
    marks: list[Line | Label] = [*body(shape, face, middle, dashed=dashed), *state_lines(state, width)]
    if state == "kept":
        marks.append(Line(shape.outline, "stroke"))
    left = 0.0
    if style and style.sign:
        width += _SIGN_WIDTH
    if state and not style:
        text = clean(word(state))
        text = text if len(text) <= _MAX_STATE else text[: _MAX_STATE - 1] + "…"
        # At font size 17 a letter is about 9.5 wide.
        wider = max(width, 9.5 * len(text) + 4)
        left = (width - wider) / 2
        width, height = wider, 68
        marks.append(Label(text, middle, 58, "word", size=17))
    if count > 1:
        times = f"× {count}"
        marks.append(Label(times, left + width + 4, 24, "count", "start", size=18))
        width += 8 + 10 * len(times)
    top, scale = 0.0, 1.0
    if small:
        # It takes the width of an ordinary die, so that dice of several rows stand below each other.
        left, top, width, scale = left - _HEADROOM / 2, -_HEADROOM, width + _HEADROOM, SMALL
    kind = f"dice-d{sides}{state_class}{' dice-aside' if small else ''}"
    return Drawing(kind, name, left, top, width, height - top, tuple(marks), scale)


def describe_dice(die: Die, count: int = 1) -> str:
    """Return a number of equal dice in words.

    >>> describe_dice(Die(6, 2, "dropped"))
    'd6 showing 2, dropped'
    """
    parts = {"count": count, "sides": die.sides, "face": clean(die.shown), "state": clean(word(die.state))}
    return dice_message(count, with_state=bool(die.state)).format_map(parts)


def dice_message(count: int, *, with_state: bool = False, hidden: bool = False) -> str:
    """Return the message about a number of equal dice, with placeholders.

    Parameters:
        count: the number of dice.
        with_state: whether they have a state.
        hidden: whether their face does not matter.

    >>> dice_message(1), dice_message(1, hidden=True)
    ('d{sides} showing {face}', 'd{sides}')
    """
    if hidden:
        if with_state:
            return ngettext("d{sides}, {state}", "{count} d{sides}, {state}", count)
        return ngettext("d{sides}", "{count} d{sides}", count)
    if with_state:
        return ngettext("d{sides} showing {face}, {state}", "{count} d{sides} showing {face}, {state}", count)
    return ngettext("d{sides} showing {face}", "{count} d{sides} showing {face}", count)


def body(shape: Shape, face: str, middle: float, *, dashed: bool = False) -> list[Line | Label]:
    """Return the outline, the edges and the face of a die."""
    facets = [Line(Path(shape.facets), "facets")] if shape.facets else []
    return [Line(shape.outline, "outline", dashed), *facets, Label(face, middle, shape.middle, "face", size=shape.size)]


def state_lines(state: str, width: float = SIZE) -> list[Line]:
    """Return the strokes and the sign of a state; none for a state that is written below the die."""
    style = STATES.get(state)
    if style is None:
        return []
    stroke = style.stroke.format(*(f"{width - inset:g}" for inset in _INSETS))
    # Beside a die that is wider than others the sign would need another path; the numbers of these have four digits.
    return [Line(Path(path), part) for path, part in ((stroke, "stroke"), (style.sign, "sign")) if path]


def group_dice(dice: Sequence[Die]) -> tuple[list[tuple[Die, int]], int]:
    """Return the dice to draw, each with its count, and how many dice are left out.

    >>> group_dice([Die(6, 2)] * 41)
    ([(Die(sides=6, face=2, state='', text=''), 41)], 0)
    """
    if len(dice) <= MAX_DRAWN:
        return [(die, 1) for die in dice], 0
    counts = Counter(dice)
    if len(counts) <= MAX_DRAWN:
        order = {kind: index for index, kind in enumerate(dict.fromkeys((die.sides, die.state) for die in dice))}
        return sorted(counts.items(), key=lambda group: (order[group[0].sides, group[0].state], group[0].face)), 0
    groups = list(counts.items())[:MAX_DRAWN]
    return groups, len(dice) - sum(count for _, count in groups)
