"""A quick reference as it is written: each section that has rules, with a link, and the words of these."""

from __future__ import annotations

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.nodes import clean_astext, make_refnode

from dicedocs.render.words import clean
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.blocks.rule_ids import id_ranges
from dicedocs_sphinx.book.quick_reference import SectionRules, gathered_rules
from dicedocs_sphinx.nodes import dice_block, dice_reference, dice_result, title_of
from dicedocs_sphinx.output.links import block_link, page_of
from dicedocs_sphinx.output.rule import rule_lines
from dicedocs_sphinx.settings import settings_of

_ONCE = (dice_block, dice_result, addnodes.index, nodes.target, nodes.footnote_reference, nodes.footnote)
"""What stands in a page once, and is not repeated with the words of a rule."""


def reference_list(app: Sphinx, reference: dice_reference, docname: str) -> nodes.definition_list | None:
    """Return the list of a quick reference, before the blocks of its page are written; ``None`` if it has no rule."""
    page = page_of(app, reference, docname)
    items = [
        nodes.definition_list_item(
            "",
            nodes.term("", "", _heading(app, section, page, docname)),
            nodes.definition("", *(part for rule in section.rules for part in _words(app, rule, page, docname))),
        )
        for section in gathered_rules(reference)
    ]
    return (
        nodes.definition_list("", *items, classes=["dice-reference", "simple", *reference["classes"]])
        if items
        else None
    )


def _heading(app: Sphinx, found: SectionRules, page: str, docname: str) -> nodes.Node:
    """Return the heading of a section, with a link to it."""
    section = found.section
    if section is None or not section["ids"]:
        return nodes.Text("")
    title = section.next_node(nodes.title)
    text = nodes.inline("", clean(clean_astext(title) if title is not None else page))
    # In LaTeX the pages of a document have become one, and each knows itself by another name.
    here = "" if app.builder.format == "latex" else docname
    return make_refnode(app.builder, here, page, section["ids"][0], text)


def _words(app: Sphinx, node: dice_block, page: str, docname: str) -> list[nodes.Node]:
    """Return the words of a rule, which begin with its title, and before that its ids, where readers see them."""
    block, title = node.block, title_of(node)
    content = [_copy(child) for child in node if child is not title and not isinstance(child, _ONCE)]
    head: list[nodes.Node] = []
    if isinstance(block, PageMechanicBlock):
        # A table stands elsewhere, if not in the block; it is linked in any case.
        content = [child for child in content if not isinstance(child, nodes.table | nodes.enumerated_list)]
        if block.rule and not block.hides_rule:
            content.insert(0, rule_lines(app, docname, block))
        if not content:
            head.append(block_link(app, docname, page, block, text=block.title or block.name))
    elif isinstance(block, RuleBlock):
        if settings_of(app.config).rule_ids:
            text = ", ".join(each.text for each in id_ranges(block.ids))
            head.append(block_link(app, docname, page, block, text=text))
        if title is not None:
            head.append(nodes.strong("", "", *_copy(title).children))
    if head:
        first = content[0] if content and isinstance(content[0], nodes.paragraph) else None
        if first is None:
            content.insert(0, first := nodes.paragraph())
        first[:0] = [part for each in head for part in (each, nodes.Text(" "))]
    return content


def _copy(node: nodes.Node) -> nodes.Node:
    """Return a copy of a part of a rule that nothing can refer to."""
    copied = node.deepcopy()
    if isinstance(copied, nodes.Element):
        for once in [each for each in copied.findall() if isinstance(each, _ONCE)]:
            once.parent.remove(once)
        for each in copied.findall(nodes.Element):
            each["ids"], each["names"] = [], []
            if isinstance(each, nodes.table):
                # A table without an id has no number, and a caption would want one.
                each[:] = [child for child in each if not isinstance(child, nodes.title)]
    return copied
