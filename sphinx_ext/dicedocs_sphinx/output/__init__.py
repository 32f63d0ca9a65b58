"""Output: how each kind of block is written, in HTML or in nodes that every writer knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sphinx.application import Sphinx

from dicedocs_sphinx.book_language import block_words
from dicedocs_sphinx.discovery import import_modules
from dicedocs_sphinx.nodes import dice_block

Writer = Callable[[Sphinx, dice_block, str], None]
"""Replaces a node, given the application and the name of the page."""
_WRITERS: Final[dict[str, Writer]] = {}


def writes(*kinds: str) -> Callable[[Writer], Writer]:
    """Register a function that writes some kinds of blocks."""

    def register(writer: Writer) -> Writer:
        _WRITERS.update(dict.fromkeys(kinds, writer))
        return writer

    return register


def write_block(app: Sphinx, node: dice_block, docname: str) -> None:
    """Replace a block by what the builder's writer knows."""
    from dicedocs_sphinx.output.container import write_plain
    from dicedocs_sphinx.output.rule import add_shown_rules

    import_modules(__name__)
    with block_words(node.block):
        add_shown_rules(app, node, docname)
        _WRITERS.get(node.block.kind, write_plain)(app, node, docname)
