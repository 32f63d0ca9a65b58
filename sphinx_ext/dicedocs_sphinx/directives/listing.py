"""The directives ``dice:report`` and ``dice:index``: lists of the blocks of all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from dicedocs_sphinx.nodes import dice_listing

if TYPE_CHECKING:
    from dicedocs_sphinx.book.domain import DiceDomain


class _ListingDirective(SphinxDirective):
    """A list that is filled in when its page is written, since all pages must be read before."""

    listing: ClassVar[str]

    def run(self) -> list[nodes.Node]:
        domain: DiceDomain = self.env.domains["dice"]  # type: ignore[assignment]
        domain.note_listing(self.env.docname, self.listing)
        node = dice_listing(listing=self.listing)
        self.set_source_info(node)
        return [node]


class ReportDirective(_ListingDirective):
    """Every rule and every block that is checked, with its state."""

    listing = "report"


class IndexDirective(_ListingDirective):
    """All examples, by game and mechanic."""

    listing = "index"
