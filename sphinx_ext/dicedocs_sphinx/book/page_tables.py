"""The tables of the pages of a book: each is found where it stands, and all are made rules when all pages are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from dicedocs import DiceError
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.render.rule_table import RuleTable
from dicedocs.render.words import clean
from dicedocs.rules.registry import use_book
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.row_lines import page_grid
from dicedocs_sphinx.book.table_search import find_table, title_for_readers
from dicedocs_sphinx.book_language import block_words
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.game_code import contained, problem_of
from dicedocs_sphinx.nodes import TABLE_OF, dice_block
from dicedocs_sphinx.statements import issue

_AFTER_OTHERS: Final = 1000
"""A priority after that of all who finish a build."""


def take_tables(blocks: Iterable[dice_block], seconds: float) -> None:
    """Give the blocks of a page that are rules by a table that table; print the tables that other rules have.

    Parameters:
        blocks: the nodes of all blocks of the page.
        seconds: how long a rule may take to say its table.
    """
    for node in blocks:
        if not isinstance(block := node.block, PageMechanicBlock):
            continue
        if block.prints:
            _print_table(node, block, seconds)
            continue
        if block.rule:
            block = node.block = replace(block, title=title_for_readers(node))
        with_table = _with_table(node, block)
        if with_table is not None:
            node.block = with_table
        elif not block.rule or "cells" in block.settings:
            node.block = block.without_table()


def _with_table(node: dice_block, block: PageMechanicBlock) -> PageMechanicBlock | None:
    """Return a block with the table inside of it, or with the next one below if that is its own."""
    found = find_table(node)
    if found is None:
        return None
    if found.goes_on:
        message = f"another list follows below, and begins with {found.goes_on}; number both as one list"
        block = replace(block, syntax_issues=[*block.syntax_issues, issue(Problem.TABLE, message)])
    grid, title = page_grid(found.table), title_for_readers(found.table)
    with_table = block.with_grid(grid, found.dice, title, found.statements, found.draw)
    if not (block.takes_table or with_table.is_stated() or find_table(node, below=False)):
        return None
    found.table[TABLE_OF] = block.name
    return with_table


def _print_table(node: dice_block, block: PageMechanicBlock, seconds: float) -> None:
    """Put the table of a rule into a block, or what is wrong."""
    try:
        with contained(seconds), block_words(block):
            printed = block.printed_table()
    except DiceError as error:
        named = getattr(error, "parameter", "")
        option = block.option_of(named) if named else "from"
        usual = Problem.MECHANIC if named == "mechanic" else Problem.VALUE if named else Problem.OPTION
        text = with_hint(error.message, error.hint)
        found = issue(problem_of(error, usual), text, option if option in block.parameters else "from")
        node.block = replace(block, syntax_issues=[*block.syntax_issues, found])
        return
    caption = block.settings["caption"]
    table = _as_nodes(printed, caption)
    node += table
    if caption and node.document is not None:
        # Sphinx numbers tables with captions by their ids, and has given these to all others already.
        node.document.note_implicit_target(table)
    node.block = replace(block, title=caption)


def _as_nodes(printed: RuleTable, caption: str) -> nodes.table:
    """Return a table as nodes that every builder knows; its words are translated already."""
    head, *rows = (
        nodes.row("", *(nodes.entry("", nodes.paragraph("", clean(text), translatable=False)) for text in cells))
        for cells in (printed.heads, *printed.rows)
    )
    widths = (max(map(len, column)) for column in zip(printed.heads, *printed.rows, strict=True))
    columns = [nodes.colspec(colwidth=width) for width in widths]
    group = nodes.tgroup("", *columns, nodes.thead("", head), nodes.tbody("", *rows), cols=len(columns))
    title = [nodes.title("", clean(caption))] if caption else []
    return nodes.table("", *title, group, classes=["colwidths-auto"])


def announce_mechanics(env: BuildEnvironment) -> None:
    """Let the mechanics of a book be found, once all pages are read."""
    domain = dice_domain(env)
    use_book({**domain.mechanic_faults(), **book_mechanics(domain.page_mechanics().values())})


def forget_mechanics(*_: Any) -> None:
    """Forget the mechanics of the book that was built before in this process, or is built now."""
    use_book({})


def setup_page_tables(app: Sphinx) -> None:
    app.connect("builder-inited", forget_mechanics)
    app.connect("build-finished", forget_mechanics, _AFTER_OTHERS)
