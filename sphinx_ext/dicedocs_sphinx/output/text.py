"""How blocks are written in pages whose characters all have the same width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docutils import nodes

from dicedocs.render.chart_text import bars_text
from dicedocs.render.table import Table, table_text
from dicedocs_sphinx.blocks.odds import OddsBlock
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds
from dicedocs_sphinx.nodes import dice_block
from dicedocs_sphinx.output.odds_tables import paragraphs, split_table
from dicedocs_sphinx.output.writer import Writer

_WIDTH: Final = 72
_UNBOUND: Final = 10_000
"""A width at which no label is cut; a table that is too wide is split instead."""


class TextWriter(Writer):
    """Writes tables and charts as lines of text."""

    def table(
        self, node: dice_block, _block: OddsBlock, table: Table, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        texts = [table_text(part, _UNBOUND) for part in split_table(table, _fits)]
        return [*self._lines(node, texts, caption), *paragraphs(table.note)]

    def chart(
        self, node: dice_block, _block: OddsBlock, odds: ChartedOdds, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        text = bars_text(odds.series, width=_WIDTH, marked=odds.marked, bands=odds.bands)
        return [*self._lines(node, [text], caption), *paragraphs(odds.note)]

    def place(self, node: dice_block, permalink: str) -> None:
        # Sphinx would join the paragraphs of a box with a title: "Title: one.two."
        for later in [child for child in node.children[2:] if isinstance(child, nodes.paragraph)]:
            later.replace_self(nodes.container("", later.deepcopy()))
        super().place(node, permalink)

    def _lines(self, node: dice_block, texts: Sequence[str], caption: Sequence[nodes.Node]) -> list[nodes.Node]:
        above = [nodes.paragraph("", "", nodes.strong("", "", *caption))] if caption else []
        blocks = [nodes.literal_block(text, text, language="none", xml__space="preserve") for text in texts]
        return [*self.target(node), *above, *blocks]


def _fits(table: Table) -> bool:
    return max(map(len, table_text(table, _UNBOUND).splitlines())) <= _WIDTH
