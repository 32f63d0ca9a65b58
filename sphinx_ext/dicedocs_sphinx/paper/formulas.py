"""Formulas on paper: drawings that have their source as their words."""

from __future__ import annotations

from html import escape
from typing import Final
from xml.etree.ElementTree import tostring

from docutils import nodes
from sphinx.util.math import get_node_equation_number
from sphinx.util.nodes import get_node_line, get_node_source
from sphinx.writers.html5 import HTML5Translator

from dicedocs.errors import quoted
from dicedocs_sphinx.diagnostics import Problem, report

_EM: Final = 20
"""The size of the letters of a formula, in units of its drawing."""
_MARGIN: Final = 1
"""The units around it."""


class BookTranslator(HTML5Translator):
    """Writes pages for paper."""

    def visit_math(self, node: nodes.math, math_env: str = "") -> None:
        self.body.append(f"<span>{_drawn(node, node.astext(), inline=True)}</span>")
        raise nodes.SkipNode

    def visit_math_block(self, node: nodes.math_block, math_env: str = "") -> None:
        number = f'<span class="eqno">({get_node_equation_number(self, node)})</span>' if node["number"] else ""
        parts = [part for part in node.astext().split("\n\n") if part.strip()]
        drawn = "<br>".join(_drawn(node, part, inline=False) for part in parts)
        self.body.append(f"{self.starttag(node, 'div', CLASS='math')}{number}{drawn}</div>\n")
        raise nodes.SkipNode


def _drawn(node: nodes.Element, source: str, *, inline: bool) -> str:
    """Return a formula as SVG; as its source, with a warning, if it cannot be read."""
    from ziamath.config import config  # it is an extra
    from ziamath.zmath import Latex

    config.svg2 = False  # shapes would have ids, the same ones in every formula
    try:
        formula = Latex(source.strip(), size=_EM, inline=inline)
        drawing, below = formula.svgxml(), formula.getyofst()
    except Exception as error:  # noqa: BLE001  # what reads TeX has errors of several unrelated kinds
        message = f"the formula {quoted(source.strip())} cannot be set: {str(error) or type(error).__name__}"
        report(Problem.PAPER, message, get_node_source(node) or "", get_node_line(node) or 1)
        return f"<code>{escape(source)}</code>"
    size = "".join(f"{side}: {float(drawing.get(side, 0)) / _EM:.4g}em; " for side in ("width", "height"))
    drawing.set("style", f"{size}vertical-align: {(below - _MARGIN) / _EM:.4g}em" if inline else size)
    drawing.set("aria-label", source.strip())
    return tostring(drawing, "unicode")
