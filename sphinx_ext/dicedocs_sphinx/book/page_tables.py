"""The tables of the pages of a book: each is found where it stands, and all are made rules when all pages are read."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from dicedocs.page_rules.table_rule import page_mechanics
from dicedocs.rules.registry import announce_book
from dicedocs_sphinx.blocks.page_table import PageTableBlock
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.page_grids import read_grid
from dicedocs_sphinx.book.table_search import find_table, title_of_table
from dicedocs_sphinx.nodes import dice_block


def take_tables(nodes: Iterable[dice_block]) -> None:
    """Give the blocks of a page that are rules by a table that table."""
    for node in nodes:
        if isinstance(block := node.block, PageTableBlock):
            found = find_table(node)
            if found is None:
                node.block = block.without_table()
            else:
                node.block = block.with_grid(read_grid(found.table), found.dice, title_of_table(found.table))


def announce_tables(env: BuildEnvironment) -> None:
    """Let the tables of a book be found as mechanics, once all pages are read."""
    announce_book(page_mechanics(dice_domain(env).page_tables().values()))


def forget_tables(_app: Sphinx) -> None:
    """Forget the tables of the book that was built before in this process."""
    announce_book({})


def setup_page_tables(app: Sphinx) -> None:
    app.connect("builder-inited", forget_tables)
