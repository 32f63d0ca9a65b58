"""A rule as it is written, with links to what shows it, and the links of other blocks to the rules that they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.render.words import clean
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks import kind_of
from dicedocs_sphinx.blocks.base import Block, source_line
from dicedocs_sphinx.blocks.rule import RULE
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.domain import dice_domain
from dicedocs_sphinx.nodes import dice_block, dice_result, title_of
from dicedocs_sphinx.output import writes
from dicedocs_sphinx.output.container import issue_boxes, replace_by_container, target
from dicedocs_sphinx.output.latex import boxed
from dicedocs_sphinx.output.links import block_link

_PLACEHOLDER: Final = "{blocks}"


def add_shown_rules(app: Sphinx, node: dice_block, docname: str) -> None:
    """Add a line with links to the rules that a block shows, below its prose; report those that do not exist."""
    block: Block = node["block"]
    rules = kind_of(block).shows(block)
    if not rules:
        return
    domain = dice_domain(app.env)
    links: list[nodes.Node] = []
    for rule in rules:
        found = domain.rule(rule)
        if found is None:
            location = block["source"], source_line(block, block["option_lines"].get("shows", 0))
            message = f"{block['label']}: {domain.no_such_rule(rule)}"
            domain.report_written(docname, Problem.REFERENCE, message, *location)
        links.append(nodes.Text(clean(rule)) if found is None else block_link(app, docname, *found, text=rule))
    line = _line(_("Shows {blocks}"), links)
    index = len(node) - 1 if node.children and isinstance(node[-1], dice_result) else len(node)
    node.insert(index, line)


@writes(RULE)
def write_rule(app: Sphinx, node: dice_block, docname: str) -> None:
    """Replace a rule by its id, its title, its words, and a line with links to what shows it."""
    block: Block = node["block"]
    showing = dice_domain(app.env).showing(block["name"]) if block["name"] else []
    links = [block_link(app, docname, page, each, text=each["title"] or each["label"]) for page, each in showing]
    line = [_line(_("Shown by {blocks}"), links)] if links else []
    boxes = issue_boxes(app, [issue["message"] for issue in block["issues"]], _("This rule cannot be read"))
    if app.builder.format == "latex":
        title = title_of(node)
        prose = [child for child in node if child is not title]
        block_nodes = boxed(title.children if title is not None else [], [*prose, *boxes, *line])
        node.replace_self([*target(node), *block_nodes])
        return
    node += [*boxes, *line]
    replace_by_container(app, node, _("Link to this rule"))


def _line(message: str, links: Sequence[nodes.Node]) -> nodes.paragraph:
    """Return a paragraph: a message with links instead of its placeholder."""
    before, _placeholder, after = message.partition(_PLACEHOLDER)
    return nodes.paragraph("", "", nodes.Text(before), *_joined(links), nodes.Text(after), classes=["dice-shows"])


def _joined(links: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Return links with commas between them."""
    return [node for link in links for node in (nodes.Text(", "), link)][1:]
