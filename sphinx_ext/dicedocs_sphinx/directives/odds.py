"""The directives ``dice:table``, ``dice:odds`` and ``dice:claim``."""

from __future__ import annotations

from typing import ClassVar

from dicedocs_sphinx.blocks.odds_check import ChartBlock, ClaimBlock, TableBlock
from dicedocs_sphinx.directives.base import BlockDirective
from dicedocs_sphinx.nodes import dice_block, dice_mechanic, dice_table


class _OddsDirective(BlockDirective):
    """Exact odds, with a title and the author's prose."""

    node: ClassVar[type[dice_block]] = dice_table
    css_class = "dice-counted"

    def is_referable(self) -> bool:
        return True


class TableDirective(_OddsDirective, block=TableBlock):
    """The exact odds of a mechanic as a table."""


class ChartDirective(_OddsDirective, block=ChartBlock):
    """One distribution, or a few side by side, as a chart."""


class ClaimDirective(BlockDirective, block=ClaimBlock):
    """A sentence about odds that is checked."""

    node = dice_mechanic
