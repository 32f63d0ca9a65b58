"""The directive ``dice:rule``."""

from __future__ import annotations

from collections.abc import Iterator

from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.directives.base import BlockDirective


class RuleDirective(BlockDirective, block=RuleBlock):
    """A rule: its id, or several with commas between them, a title if there is one, and the rule in words."""

    xref_roles = ("rule", "ref")

    def companions(self, block: Block) -> Iterator[Block]:
        return block.others() if isinstance(block, RuleBlock) else iter(())
