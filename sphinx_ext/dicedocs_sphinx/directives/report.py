"""The directive ``dice:report``: a list of the blocks of all pages, each with its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from dicedocs_sphinx.nodes import dice_report

if TYPE_CHECKING:
    from dicedocs_sphinx.book.domain import DiceDomain


class ReportDirective(SphinxDirective):
    """Every rule and every block that is checked; filled in when its page is written, since all must be read before."""

    def run(self) -> list[nodes.Node]:
        domain: DiceDomain = self.env.domains["dice"]  # type: ignore[assignment]
        domain.reports[self.env.docname] = None
        node = dice_report()
        self.set_source_info(node)
        return [node]
