r"""Dice as TikZ drawings within a line of LaTeX; the library ``svg.path`` of TikZ reads the same paths as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dicedocs.render.drawing import Box, Circle, Label, Line, draw_die, group_dice
from dicedocs.render.latex import escape_latex
from dicedocs.rules.record import Die

_SCALE: Final = 0.46
"""Points of a unit, so that a die is as high as two lines of text."""
_PENS: Final[Mapping[str, str]] = {
    "outline": "line width=0.9pt",
    "facets": "line width=0.4pt,draw opacity=0.25",
    "stroke": "line width=1.3pt",
}


def die_tikz(die: Die, count: int = 1) -> str:
    r"""Return a drawing of a number of equal dice.

    >>> print(die_tikz(Die(6, 2)))
    \dicedrawing{0}{48}{48}{%
    \draw[line width=0.9pt] (5,5) [rounded corners=3.68pt] rectangle (43,43);%
    \diceface{24}{24}{11.04}{2}}
    """
    drawing = draw_die(die, count)
    marks = "%\n".join(_text(mark) if isinstance(mark, Label) else _line(mark) for mark in drawing.marks)
    return f"\\dicedrawing{{{drawing.left:g}}}{{{drawing.width:g}}}{{{drawing.height:g}}}{{%\n{marks}}}"


def _line(line: Line) -> str:
    shape = line.shape
    pen = _PENS[line.part] + (",dash pattern=on 2pt off 1.4pt" if line.dashed else "")
    if isinstance(shape, Box):
        corners = f"({shape.x:g},{shape.y:g}) [rounded corners={shape.radius * _SCALE:.4g}pt]"
        return f"\\draw[{pen}] {corners} rectangle ({shape.x + shape.width:g},{shape.y + shape.height:g});"
    if isinstance(shape, Circle):
        return f"\\draw[{pen}] ({shape.x:g},{shape.y:g}) circle [radius={shape.radius:g}];"
    return f"\\draw[{pen}] svg {{{shape.d}}};"


def _text(label: Label) -> str:
    place = f"{{{label.x:g}}}{{{label.middle:g}}}{{{label.size * _SCALE:.4g}}}"
    return f"\\dice{label.part}{place}{{{escape_latex(label.text)}}}"


def dice_tikz(dice: Sequence[Die]) -> str:
    """Return drawings of dice, chosen as :func:`~dicedocs.render.svg.dice_svg` does; empty without dice."""
    groups, rest = group_dice(dice)
    drawings = [die_tikz(die, count) for die, count in groups]
    return "\\dicegap\n".join([*drawings, *([f"and {rest} more"] if rest else [])])
