"""How examples and charts are written in LaTeX: with the commands of ``dicedocs.sty``, beside this module."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files
from itertools import cycle
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs import Outcome
from dicedocs.render.chart import Chart
from dicedocs.render.latex import escape_latex
from dicedocs.render.text import chosen_parameters, result, rows, thrown_dice
from dicedocs.render.tikz import dice_tikz

STYLE: Final = "dicedocs.sty"
_UNBREAKABLE: Final = (nodes.figure, nodes.table, nodes.literal_block, nodes.Admonition)
"""Nodes that Sphinx writes as environments that cannot stand in a box."""
_BARS: Final = ("dicebarlight", "dicebardark")
_BELOW: Final = r"\\"
_ROOMY: Final = 2
"""Columns of figures beside which bars have all their width."""


def raw(latex: str) -> nodes.raw:
    return nodes.raw("", latex, format="latex")


def boxed(title: Sequence[nodes.Node], content: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return a titled block that stays on one page, unless it is long or holds what cannot be boxed."""
    inside = any(isinstance(node, _UNBREAKABLE) for child in content for node in child.findall())
    name = "diceexample*" if inside else "diceexample"
    head = [nodes.paragraph("", "", raw(r"\dicetitle{"), *title, raw("}"))] if title else []
    begin, end = rf"\begin{{savenotes}}\begin{{{name}}}", rf"\end{{{name}}}\end{{savenotes}}"
    return [raw(f"\n{begin}\n"), *head, *content, raw(f"\n{end}\n")]


def outcome_lines(outcome: Outcome, names: Sequence[str], *, steps: bool) -> nodes.Node:
    """Return the parameters, the drawn dice, the working and the result, a line each."""
    dice = thrown_dice(outcome)
    lines = [_line(0, label, rf"\sphinxcode{{{escape_latex(text)}}}") for label, text in chosen_parameters(outcome)]
    if dice:
        lines.append(rf"\dicethrown{{{dice_tikz(dice)}}}")
    if steps and dice is not None:
        lines += [_line(row.depth, row.label, escape_latex(row.text)) for row in rows(outcome.steps()) if not row.idle]
    facts = names or (tuple(outcome.facts_of) if dice is None else ())
    lines += [
        rf"\diceresult{{{escape_latex(label)}}}{{{escape_latex(text)}}}" for label, text in result(outcome, facts)
    ]
    return raw("\n".join(["", *lines, ""]))


def _line(depth: int, label: str, text: str) -> str:
    return rf"\diceline{{{depth}}}{{{escape_latex(label)}}}{{{text}}}"


def bars_width(series: int) -> float:
    r"""Return the width of the longest bar, as a part of ``\dicebarlength``: the more figures, the less is left."""
    return 1 if series <= _ROOMY else 0.5


def chart_rows(chart: Chart) -> list[str]:
    """Return the bars of a chart in LaTeX: those of each row, one below the other."""
    unit = bars_width(len(chart.names)) / float(chart.maximum)

    def row(counts: Sequence[int]) -> str:
        lengths = [count and unit * count / whole for count, whole in zip(counts, chart.denominators, strict=True)]
        bars = [
            rf"\{name}{{{length:.4f}}}" if length else "" for name, length in zip(cycle(_BARS), lengths, strict=False)
        ]
        return rf"\dicebars{{{_BELOW.join(bars)}}}"

    return [row(bar.counts) for bar in chart.bars]


def add_style(app: Sphinx) -> None:
    """Let the document use the style; the builder copies it beside the document."""
    if app.builder.format != "latex":
        return
    with as_file(files(__package__).joinpath(STYLE)) as path:
        app.config.latex_additional_files = [*app.config.latex_additional_files, str(path)]


def setup_latex(app: Sphinx) -> None:
    app.add_latex_package(STYLE.removesuffix(".sty"), after_hyperref=True)
    app.connect("builder-inited", add_style)
