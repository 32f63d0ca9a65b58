"""What the text of a page states beside its blocks: what is computed in it, references, and what was misread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docutils import nodes
from sphinx import addnodes

from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.book.row_lines import row_locations
from dicedocs_sphinx.book.table_search import not_taken, unclaimed_tables
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.misspelled import misspellings, one_colon
from dicedocs_sphinx.nodes import STATEMENT, dice_block, dice_fact
from dicedocs_sphinx.source_locations import comment_location, role_location
from dicedocs_sphinx.statements import TABLE, Inline, State, misread


def take_inlines(document: nodes.document, docname: str) -> Iterator[Inline]:
    """Yield the statements that nodes hold, and take them from these; a fact that has to wait keeps its place."""
    count = 0
    for node in list(document.findall(nodes.Element)):
        if STATEMENT not in node:
            continue
        inline = Inline(**node.attributes.pop(STATEMENT))
        if isinstance(node, nodes.comment):
            node.parent.remove(node)
        elif isinstance(node.parent, nodes.substitution_definition):
            # What is read is where it stands, if it stands anywhere.
            continue
        if isinstance(node, dice_fact):
            node["page"], node["index"] = docname, count
        count += 1
        yield inline


def references(document: nodes.document, domain: str) -> Iterator[Inline]:
    """Yield the references to blocks."""
    for node in document.findall(addnodes.pending_xref):
        if node.get("refdomain") == domain:
            role, target = node["reftype"], node["reftarget"]
            source, line = role_location(node.source, node.line, node.get("written", target))
            yield Inline(label=f"{role} {target}", source=source, line=line, role=role, path=target)


def uncompared(blocks: Iterable[dice_block], document: nodes.document) -> Iterator[Inline]:
    """Yield the tables to roll on, and the parts of tables, that have dice and are compared with nothing."""
    yield from uncompared_parts(blocks)
    for table, dice in unclaimed_tables(document):
        file, line = row_locations(table)[0]
        yield _uncompared(not_taken(dice), file, line)


def misread_markup(document: nodes.document, *, markdown: bool) -> Iterator[Inline]:
    """Yield what was meant as a directive or a role, and was read as something else."""
    for comment in document.findall(nodes.comment):
        if message := one_colon(comment):
            location = comment_location(comment.source, comment.line, comment.astext())
            yield misread(Problem.REFERENCE, message, *location)
    for each in misspellings(document, markdown=markdown):
        yield misread(Problem.REFERENCE, *each)


def uncompared_parts(blocks: Iterable[dice_block]) -> Iterator[Inline]:
    """Yield the parts of the tables of blocks that have dice and are compared with nothing."""
    for node in blocks:
        if isinstance(node.block, PageMechanicBlock) and (message := node.block.uncompared()):
            yield _uncompared(message, node.block.source, node.block.table_line)


def _uncompared(message: str, source: str, line: int) -> Inline:
    return Inline(label=message, source=source, line=line, role=TABLE, state=State.UNCOMPARED.value)
