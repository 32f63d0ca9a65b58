"""The report on the blocks of all pages, as it is written."""

from __future__ import annotations

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from dicedocs.render.words import clean, labelled
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.summary import checked_statements, reason, summary
from dicedocs_sphinx.nodes import dice_report
from dicedocs_sphinx.output.links import block_link
from dicedocs_sphinx.source_locations import path_in_book
from dicedocs_sphinx.statements import State, Statement

_COLUMNS = (10, 4, 4, 8)
"""The proportions of the columns of the report."""


def write_report(app: Sphinx, node: dice_report, docname: str) -> None:
    """Replace the place of the report by nodes that every writer knows."""
    checked = checked_statements(dice_domain(app.env))
    columns = [nodes.colspec(colwidth=width) for width in _COLUMNS]
    heads = (_("Name"), _("Directive"), _("State"), _("Source"))
    head = nodes.thead("", _row(*map(nodes.Text, heads)))
    body = nodes.tbody()
    rows = 0
    for page, each, state in checked:
        if not isinstance(each, Block) and state is not State.FAILED:
            # What is computed in the text is right, and there is too much of it.
            continue
        rows += 1
        body += _row(
            _link(app, docname, page, each) if isinstance(each, Block) else nodes.Text(clean(each.label)),
            nodes.literal("", f"dice:{each.kind}" if isinstance(each, Block) else each.kind),
            _state(state, each),
            nodes.literal("", f"{path_in_book(app.srcdir, each.source)}:{each.line}"),
        )
    table = nodes.table(
        "", nodes.tgroup("", *columns, head, body, cols=len(columns)), classes=["dice-report", "longtable"]
    )
    spec = addnodes.tabular_col_spec(spec=r"\X{10}{26}\X{4}{26}\X{4}{26}\X{8}{26}")
    # Not every theme has room for it.
    scrolled = nodes.container("", spec, table, classes=["dice-scroll"])
    node.replace_self([nodes.paragraph("", summary(checked)), *([scrolled] if rows else [])])


def _state(state: State, statement: Statement) -> nodes.Node:
    text = _(state.value)
    if state in {State.EXCUSED, State.UNVERIFIED} and isinstance(statement, Block) and (why := reason(statement)):
        text = labelled(text, clean(why))
    return nodes.inline("", text, classes=[f"dice-state-{state.name.lower()}"])


def _row(*cells: nodes.Node) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def _link(app: Sphinx, docname: str, page: str, block: Block) -> nodes.Node:
    text = block.title or block.label
    if isinstance(block, RuleBlock):
        text = f"{block.label} {block.title}".strip()
    elif isinstance(block, PageMechanicBlock) and block.title:
        text = f"{block.title} ({block.label})"
    return block_link(app, docname, page, block, text=text)
