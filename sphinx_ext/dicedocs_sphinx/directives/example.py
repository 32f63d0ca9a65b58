"""The directive ``dice:example``."""

from __future__ import annotations

from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.directives.base import BlockDirective
from dicedocs_sphinx.nodes import dice_example


class ExampleDirective(BlockDirective, block=ExampleBlock):
    """A worked example: a rule, its dice, the outcome, and the author's prose."""

    node = dice_example

    def is_referable(self) -> bool:
        # A book without numbers may have labels of the same names.
        return bool(self.config.numfig)
