"""Tables and lists that are mechanics, as they are written: what their cells name in brackets are links."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.page_rules.cells import find_mentions
from dicedocs.page_rules.page_rule import PageTable
from dicedocs.page_rules.table_links import rolled_cells
from dicedocs_lint.docutils_grids import Table, shown_text, table_rows
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.nodes import TABLE_OF
from dicedocs_sphinx.output.links import block_link


def marked_tables(doctree: nodes.document) -> dict[str, list[Table]]:
    """Return the tables and lists of a page that are mechanics, by the ids of these; they are marked no more."""
    found: dict[str, list[Table]] = {}
    for node in doctree.findall():
        if isinstance(node, Table) and (id := node.attributes.pop(TABLE_OF, "")):
            found.setdefault(id, []).append(node)
    return found


def link_tables(app: Sphinx, node: Table, block: PageMechanicBlock, docname: str) -> None:
    """Put links to other tables of the book, with their titles, where a table names them and rolls on them.

    Parameters:
        app: the application.
        node: the table or the list.
        block: the block that is about it.
        docname: the page that contains it.
    """
    domain = dice_domain(app.env)
    tables = domain.page_tables()
    if block.name not in tables:
        return
    for cell in _rolled_cells(node, tables[block.name]):
        for text in list(cell.findall(nodes.Text)):
            rest, parts = text.astext(), list[nodes.Node]()
            for written, id in find_mentions(rest, block.system):
                if id in tables:
                    before, _written, rest = rest.partition(written)
                    page, other = domain.named()[id]
                    title = domain.link_title(page, other)
                    parts += [nodes.Text(before), block_link(app, docname, page, other, text=title)]
            # A link that its author has written leads there.
            if parts and not isinstance(text.parent, nodes.reference):
                text.parent.replace(text, [*parts, nodes.Text(rest)])


def _rolled_cells(node: Table, table: PageTable) -> Iterator[nodes.Element]:
    """Yield the cells of a table in which something may be rolled, however it is laid out."""
    texts = {cell for _row, _column, cell in rolled_cells(table)}
    heads = list[bool]()
    for row in table_rows(node):
        cells = [row] if isinstance(node, nodes.enumerated_list) else list(row.findall(nodes.entry))
        shown = list(map(shown_text, cells))
        if not heads and any(shown):
            heads = list(map(table.is_plain, shown))
        for index, (cell, text) in enumerate(zip(cells, shown, strict=True)):
            # The same text may stand in both kinds of columns.
            if text in texts and not any(heads[index : index + 1]):
                yield cell
