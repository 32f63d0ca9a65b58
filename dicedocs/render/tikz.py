r"""Dice and scales as TikZ drawings within a line of LaTeX.

The library ``svg.path`` of TikZ reads the same paths as SVG.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from dicedocs.render.drawing import Box, Circle, Drawing, Label, Line, Rule, draw_die, group_dice
from dicedocs.render.latex import latex_text
from dicedocs.render.scale import Scale
from dicedocs.rules.record import Die
from dicedocs.translation import ngettext

_SCALE: Final = 0.46
"""Points of a unit, so that a die is as high as two lines of text."""
_PENS: Final[Mapping[str, str]] = {
    "outline": "line width=0.9pt",
    "facets": "line width=0.4pt,draw opacity=0.25",
    "stroke": "line width=1.3pt",
    "sign": "line width=1pt",
}


def die_tikz(die: Die, count: int = 1) -> str:
    r"""Return a drawing of a number of equal dice.

    >>> print(die_tikz(Die(6, 2)))
    \dicedrawing{d6 showing 2}{0.46}{0}{0}{48}{48}{%
    \draw[line width=0.9pt] (5,5) [rounded corners=3.68pt] rectangle (43,43);%
    \diceface{24}{24}{11.04}{2}}
    """
    return drawing_tikz(draw_die(die, count))


def drawing_tikz(drawing: Drawing) -> str:
    """Return a drawing of a die or of equal dice."""
    points = _SCALE * drawing.scale
    marks = "%\n".join(
        _text(mark, points) if isinstance(mark, Label) else _line(mark, points) for mark in drawing.marks
    )
    extent = "".join(f"{{{each:g}}}" for each in (drawing.left, drawing.top, drawing.width, drawing.height))
    return f"\\dicedrawing{{{latex_text(drawing.name)}}}{{{points:.4g}}}{extent}{{%\n{marks}}}"


def _line(line: Line, points: float) -> str:
    shape = line.shape
    pen = _PENS[line.part] + (",dash pattern=on 2pt off 1.4pt" if line.dashed else "")
    if isinstance(shape, Box):
        corners = f"({shape.x:g},{shape.y:g}) [rounded corners={shape.radius * points:.4g}pt]"
        return f"\\draw[{pen}] {corners} rectangle ({shape.x + shape.width:g},{shape.y + shape.height:g});"
    if isinstance(shape, Circle):
        return f"\\draw[{pen}] ({shape.x:g},{shape.y:g}) circle [radius={shape.radius:g}];"
    if isinstance(shape, Rule):
        return f"\\draw[{pen}] ({shape.x:g},{shape.y:g}) -- ({shape.to_x:g},{shape.to_y:g});"
    return f"\\draw[{pen}] svg {{{shape.d}}};"


def _text(label: Label, points: float) -> str:
    place = f"{{{label.x:g}}}{{{label.middle:g}}}{{{label.size * points:.4g}}}"
    return f"\\dice{label.part}{place}{{{latex_text(label.text)}}}"


def dice_tikz(dice: Sequence[Die]) -> str:
    """Return drawings of dice, chosen as :func:`~dicedocs.render.svg.dice_svg` does; empty without dice."""
    groups, rest = group_dice(dice)
    return join_drawings([die_tikz(die, count) for die, count in groups], rest)


def scale_tikz(scale: Scale) -> str:
    r"""Return a scale as a line of LaTeX, as wide as there is room.

    >>> from dicedocs.render.scale import table_bands
    >>> print(scale_tikz(Scale("Total", 13, table_bands({None: "failure", 10: "success"}))))
    \dicescale{Total 13, in success (10 or more)}{Total}{\diceband{0}{0.5}{failure}%
    \dicebandhere{0.5}{1}{success}%
    \dicetick{0.5}{9}{10}%
    \dicepointer{0.85}}{0.85}{13}
    """
    pairs = pairwise(f"{edge:.4g}" for edge in scale.edges)
    bands = [
        rf"\diceband{'here' * (index == scale.end)}{{{left}}}{{{right}}}{{{latex_text(band.label)}}}"
        for index, (band, (left, right)) in enumerate(zip(scale.bands, pairs, strict=True))
    ]
    starts = [(edge, band.start or 0) for edge, band in zip(scale.edges, scale.bands, strict=False)][1:]
    ticks = [
        rf"\dicetick{{{edge:.4g}}}{{{latex_text(str(first - 1))}}}{{{latex_text(str(first))}}}"
        for edge, first in starts
    ]
    at = f"{{{scale.position:.4g}}}"
    pointer = rf"\dicepointer{at}" if scale.moved is None else rf"\dicemoved{at}{{{scale.middle(scale.moved):.4g}}}"
    drawn = "%\n".join([*bands, *ticks, pointer])
    name, subject, number = map(latex_text, (scale.name, scale.subject, str(scale.mark)))
    return rf"\dicescale{{{name}}}{{{subject}}}{{{drawn}}}{at}{{{number}}}"


def join_drawings(drawings: Iterable[str], rest: int) -> str:
    """Return drawings in a line of text, and how many dice are not drawn."""
    others = latex_text(ngettext("and {count} more", "and {count} more", rest).format(count=rest))
    return "\\dicegap\n".join([*drawings, *([others] if rest else [])])
