"""How examples and charts are written in LaTeX: with the commands of ``dicedocs.sty``, beside this module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import as_file, files
from itertools import cycle, islice
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs import Outcome
from dicedocs.render.chart import Chart
from dicedocs.render.latex import REPLACEMENTS, latex_text, said_latex
from dicedocs.render.pools import drawn_facts, drawn_parameters, table_pools
from dicedocs.render.scale import outcome_scale
from dicedocs.render.shown_dice import shown_dice, throw_groups
from dicedocs.render.signs import in_print
from dicedocs.render.table import Table
from dicedocs.render.text import Origin, chosen_parameters, participants, rows, thrown_dice
from dicedocs.render.tikz import dice_tikz, drawing_tikz, join_drawings, scale_tikz
from dicedocs.render.verdict import Tone, Verdict, result_with_verdict
from dicedocs.render.words import display_width
from dicedocs.translation import SOURCE_LANGUAGE
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.odds import ChartBlock, OddsBlock, TableBlock
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds
from dicedocs_sphinx.diagnostics import Problem, report
from dicedocs_sphinx.nodes import (
    SERIES,
    TITLE,
    ancestors,
    change_texts,
    change_values,
    dice_block,
    dice_listing,
    dice_reference,
    title_of,
    value_node,
)
from dicedocs_sphinx.output.odds_tables import LINES, chart_as_table, latex, split_table, stock_table
from dicedocs_sphinx.output.parameters import participant_nodes, value_nodes
from dicedocs_sphinx.output.writer import Writer
from dicedocs_sphinx.settings import settings_of

STYLE: Final = "dicedocs.sty"
_UNBREAKABLE: Final = (nodes.figure, nodes.table, nodes.literal_block, nodes.Admonition)
"""Nodes that Sphinx writes as environments that cannot stand in a box."""
_BARS: Final = ("dicebarlight", "dicebardark", "dicebarhollow", "dicebarpale")
_SIGNS: Final[Mapping[Tone, str]] = {
    "success": r"\dicecheck",
    "partial": r"\dicehalf",
    "failure": r"\dicecross",
    "": "",
}
"""The signs of verdicts, which are drawn, since not every font has them."""
_BELOW: Final = r"\\"
_LINE: Final = 82
"""Characters of a line on the widest paper; a cell takes no more than an equal part of it."""
_COLUMNS: Final = 8
"""The columns of figures that fit on a printed page."""
_FLEXIBLE: Final = frozenset("LRCJT")
"""The types of columns that become as wide as their text."""
_REPLACED: Final = str.maketrans(REPLACEMENTS)
_GAP: Final = 2.2
"""Characters of the space between two columns."""


def boxed(title: Sequence[nodes.Node], content: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return a titled block that stays on one page, unless it is long or holds what cannot be boxed."""
    inside = any(isinstance(node, _UNBREAKABLE) for child in content for node in child.findall())
    name = "diceexample*" if inside else "diceexample"
    head = [nodes.paragraph("", "", latex(r"\dicetitle{"), *title, latex("}"))] if title else []
    begin, end = rf"\begin{{savenotes}}\begin{{{name}}}", rf"\end{{{name}}}\end{{savenotes}}"
    return [latex(f"\n{begin}\n"), *head, *content, latex(f"\n{end}\n")]


def choices_line(choices: Iterable[tuple[str, Sequence[nodes.Node]]]) -> list[nodes.Node]:
    """Return a paragraph of labels, each with its value; nothing if there are none."""
    line = nodes.paragraph()
    for label, value in choices:
        # A link in the value is written by Sphinx, between the two ends of the command.
        line += [latex(rf"\dicechoice{{{latex_text(label)}}}{{"), *value, latex("}\n")]
    return [line] if line.children else []


def outcome_lines(outcome: Outcome, names: Sequence[str], printed: str) -> nodes.Node:
    """Return a row with the drawn dice and the result, then the scale and the working, as the setting says."""
    dice, pools = thrown_dice(outcome), table_pools(outcome)
    working = outcome.steps() if dice is not None else ()
    shown = shown_dice(outcome, working) if dice else ()
    drawn = [rf"\dicepool{{{latex_text(label)}}}{{{dice_tikz(own)}}}" for label, own in throw_groups(working, shown)]
    drawn = drawn or ([rf"\dicethrown{{{dice_tikz(shown)}}}"] if dice else [])
    drawn += [
        rf"\dicepool{{{latex_text(pool.label)}}}{{{join_drawings(drawings, pool.rest)}}}"
        for pool in pools
        for drawings in [[drawing_tikz(die.draw()) for die in pool.dice]]
    ]
    facts = names or (tuple(outcome.facts_of) if dice is None else ())
    result = _banner(*result_with_verdict(outcome, facts, drawn_facts(pools)))
    above = "\n".join(drawn)
    lines = [f"\\dicerow{{{above}}}{{{result}}}"] if drawn or result else []
    scale = outcome_scale(outcome, working)
    steps = [] if printed == "off" else [row for row in rows(working) if not row.idle]
    if scale or steps:
        # Below this an example may go on on the next page.
        lines.append(r"\diceworking")
    lines += [scale_tikz(scale)] if scale else []
    if printed == "full" and steps:
        told = [_line(row.depth, row.label, said_latex(row.said)) for row in steps]
        for place in (1, -1):
            # No line stands alone at the end of a page, or at the beginning of the next.
            told.insert(place, r"\nobreak")
        lines += told
    elif printed == "compact" and steps:
        parts = (rf"\dicechoice{{{latex_text(row.label)}}}{{{said_latex(row.said)}}}" for row in steps)
        lines.append(rf"\dicesteps{{{''.join(parts)}}}")
    return latex("\n".join(["", *lines, ""]))


def _line(depth: int, label: str, text: str) -> str:
    return rf"\diceline{{{depth}}}{{{latex_text(label)}}}{{{text}}}"


def _banner(judged: Verdict | None, facts: Iterable[tuple[str, str]]) -> str:
    """Return the verdict with its sign, and the facts; empty if there is neither."""
    parts = [rf"\diceresult{{{latex_text(label)}}}{{{latex_text(text)}}}" for label, text in facts]
    if judged:
        said = f"{{{latex_text(judged.title)}}}{{{latex_text(judged.number)}}}"
        parts.insert(0, rf"\diceverdict{{{_SIGNS[judged.tone]}}}{said}")
    tone = f"dice{judged.tone}" if judged else "dicelabel"
    return f"\\dicebanner{{{tone}}}{{{''.join(parts)}}}" if parts else ""


def bars_room(table: Table) -> nodes.raw:
    """Return the command that gives bars the room that the columns of a table leave on a line, on any paper."""
    count = len(table.heads) + 1
    labels, *figures = zip(table.heads, *table.rows, strict=True)
    columns = ((*labels, *(group.label for group in table.row_groups)), *figures)
    longest = (max(map(display_width, column)) for column in columns)
    return latex(rf"\dicebarsbeside{{{sum(min(width, _LINE / count) + _GAP for width in longest) + _GAP:.1f}}}")


def chart_rows(chart: Chart) -> list[str]:
    """Return the bars of a chart in LaTeX: those of each row, one below the other."""
    unit = 1 / float(chart.maximum)

    starts, shade = chart.band_starts(), 0

    def row(index: int, counts: Sequence[int]) -> str:
        nonlocal shade
        shade = starts.get(index, (shade,))[0]
        lengths = [count and unit * count / whole for count, whole in zip(counts, chart.denominators, strict=True)]
        names = islice(cycle(_BARS), shade, None)
        bars = [rf"\{name}{{{length:.4f}}}" if length else "" for name, length in zip(names, lengths, strict=False)]
        return rf"\dicebars{{{_BELOW.join(bars)}}}"

    return [row(index, bar.counts) for index, bar in enumerate(chart.bars)]


class LatexWriter(Writer):
    """Writes boxes, drawn dice, and bars beside the figures of charts."""

    def prepare(self) -> None:
        """Let the document use the style; the builder copies it beside the document."""
        with as_file(files(__package__).joinpath(STYLE)) as path:
            self.app.config.latex_additional_files = [*self.app.config.latex_additional_files, str(path)]

    def begin(self, doctree: nodes.document, docname: str) -> None:
        super().begin(doctree, docname)
        for node in doctree.findall(dice_block):
            if isinstance(node.block, TableBlock | ChartBlock) and not node.block.is_hidden:
                _give_room(node, node.block.label, node.block.source, node.block.line)
        for listing in doctree.findall(dice_listing):
            if listing["listing"] == "report":
                _give_room(listing, "dice:report", listing.source or "", listing.line or 1)

    def finish(self, doctree: nodes.document) -> None:
        change_values(doctree, in_print)
        change_texts(doctree, lambda text: text.translate(_REPLACED))
        for title in list(doctree.findall(nodes.paragraph)):
            if TITLE in title["classes"] and SERIES in title.parent["classes"]:
                title.replace_self(nodes.paragraph("", "", latex(r"\diceseries{"), *title.children, latex("}")))

    def counts(self, block: Block) -> bool:
        # LaTeX counts tables and figures by itself, and knows no examples.
        return not isinstance(block, ExampleBlock)

    def given(self, block: ExampleBlock, outcome: Outcome, written: Mapping[str, Sequence[Origin]]) -> list[nodes.Node]:
        drawn = drawn_parameters(table_pools(outcome))
        if block.scene:
            found = participants(outcome, written, drawn)
            line = [latex(r"\dicequiet{"), *participant_nodes(found), latex("}\n")]
            return [nodes.paragraph("", "", *line)] if found else []
        choices = chosen_parameters(outcome, written, drawn)
        return choices_line((choice.label, [] if choice.on else value_nodes(choice)) for choice in choices)

    def outcome(
        self,
        _node: dice_block,
        block: ExampleBlock,
        outcome: Outcome,
        names: Sequence[str],
        _written: Mapping[str, Sequence[Origin]],
        _call: str,
    ) -> list[nodes.Node]:
        # Who reads on paper cannot call anything.
        printed = "off" if "steps" in block.hide else settings_of(self.app.config).printed_working
        return [outcome_lines(outcome, names, printed)]

    def place_example(
        self, node: dice_block, _block: ExampleBlock, content: list[nodes.Node], messages: list[str]
    ) -> None:
        node[-1:] = content
        self._box(node, self.boxes(messages, _("This example does not hold")))

    def table(
        self, node: dice_block, _block: OddsBlock, table: Table, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        parts = split_table(table, _fits)
        tables = [each for part in parts for each in stock_table(part, breaks=_can_break(node))]
        return self.captioned(node, tables, caption)

    def chart(
        self, node: dice_block, _block: OddsBlock, odds: ChartedOdds, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        table, chart, below = chart_as_table(odds)
        bars, names = chart_rows(chart), _BARS[: len(chart.names)]
        swatches = [rf"\diceswatch{{\{name}}}" for name in names] if len(names) > 1 else []
        parts = split_table(table, _fits)
        breaks = _can_break(node)
        tables = [
            each for part in parts for each in (bars_room(part), *stock_table(part, bars, swatches, breaks=breaks))
        ]
        return [*self.captioned(node, tables, caption), *below]

    def place_reference(self, node: dice_reference, written: nodes.definition_list) -> None:
        section = node.parent
        if isinstance(section, nodes.section) and isinstance(section.parent, nodes.section):
            # What readers take to the table begins on a page of its own.
            section.parent.insert(section.parent.index(section), latex("\n\\clearpage\n"))
        node.replace_self([latex("\n\\begingroup\\footnotesize\n"), written, latex("\n\\par\\endgroup\n")])

    def values(self, values: Iterable[tuple[str, str]]) -> nodes.Node:
        [line] = choices_line((name, [value_node(value)]) for name, value in values)
        return line

    def place_in_box(self, node: dice_block, _permalink: str) -> None:
        self._box(node)

    def _box(self, node: dice_block, below: Sequence[nodes.Node] = ()) -> None:
        title = title_of(node)
        content = [child for child in node if child is not title]
        box = boxed(title.children if title is not None else [], content)
        node.replace_self([*self.target(node), *box, *below])


def _give_room(node: nodes.Element, label: str, source: str, line: int) -> None:
    """Let the tables in a cell of which a table of ours will stand have columns of fixed widths, or warn."""
    for around in ancestors(node):
        if isinstance(around, nodes.table):
            if _goes_on(around) or _has_flexible_columns(around):
                message = (
                    f"{label}: LaTeX cannot print it in a cell of a table that goes on over pages, or whose "
                    "tabularcolumns have one of L, R, C, J and T; write it below the table"
                )
                report(Problem.OPTION, message, source, line)
            # Otherwise Sphinx sets it twice to find how wide its columns are, which no table in it with columns of its
            # own survives.
            around["classes"].append("colwidths-given")


def _goes_on(table: nodes.table) -> bool:
    """Return whether Sphinx lets a table go on on the next page."""
    groups = (group for group in table.children if isinstance(group, nodes.tgroup))
    parts = (part for group in groups for part in group.children if isinstance(part, nodes.thead | nodes.tbody))
    return "longtable" in table["classes"] or sum(map(len, parts)) > LINES


def _has_flexible_columns(table: nodes.table) -> bool:
    """Return whether the author has given a table columns that become as wide as their text."""
    before = table.parent[: table.parent.index(table)][-1:]
    return any(
        isinstance(node, addnodes.tabular_col_spec) and not _FLEXIBLE.isdisjoint(node["spec"]) for node in before
    )


def _can_break(node: nodes.Node) -> bool:
    """Return whether a table in the place of a block can go on on the next page: in no box, list or other table."""
    passed = nodes.section | addnodes.start_of_file | nodes.container | nodes.compound
    return isinstance(next((each for each in ancestors(node) if not isinstance(each, passed)), None), nodes.document)


def _fits(table: Table) -> bool:
    return len(table.heads) - 1 <= _COLUMNS


def add_style(app: Sphinx, config: Config) -> None:
    """Let the document use the style, and tell it its language."""
    language = (config.language or SOURCE_LANGUAGE).replace("_", "-")
    app.add_latex_package(STYLE.removesuffix(".sty"), language, after_hyperref=True)


def setup_latex(app: Sphinx) -> None:
    app.connect("config-inited", add_style)
