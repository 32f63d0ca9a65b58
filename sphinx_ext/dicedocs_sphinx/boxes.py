"""What a block of ours is when it is written: a container with a title and a link to itself, and boxes for faults."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from docutils import nodes

from dicedocs.render.words import clean_lines
from dicedocs_sphinx.nodes import title_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from dicedocs_sphinx.block import Block


def box(app: Sphinx, node: nodes.Element, block: Block, permalink: str) -> None:
    """Replace a node of ours, whose children every writer knows by now.

    Parameters:
        app: the application, for its builder.
        node: the node.
        block: its data.
        permalink: what the link to it says.
    """
    title = title_of(node)
    if app.builder.format == "html":
        permalinks = app.config.html_permalinks and getattr(app.builder, "add_permalinks", False)
        if title is not None and block["anchor"] and permalinks:
            title += _permalink(block["anchor"], app.config.html_permalinks_icon, permalink)
        node.replace_self(nodes.container("", *node.children, ids=node["ids"], classes=node["classes"]))
        return
    target = [nodes.target("", "", ids=node["ids"])] if node["ids"] else []
    if title is not None:
        node[0] = nodes.title("", "", *title.children)
    kind = nodes.container if title is None else nodes.admonition
    node.replace_self([*target, kind("", *node.children, classes=node["classes"])])


def _permalink(anchor: str, icon: str, said: str) -> nodes.raw:
    """Give the link to a block that its title carries; the icon is HTML, as the configuration says."""
    link = f'<a class="headerlink" href="#{escape(anchor)}" title="{said}">{icon}</a>'
    return nodes.raw("", link, format="html")


def error_html(message: str) -> str:
    """Give a box that says what is wrong, as HTML."""
    return f'<div class="dice-error" role="note"><pre>{escape(clean_lines(message))}</pre></div>'


def error_box(message: str, title: str) -> nodes.admonition:
    """Give a box that says what is wrong, in nodes that every writer knows."""
    return nodes.admonition(
        "", nodes.title("", title), nodes.literal_block(message, message, language="none"), classes=["dice-error"]
    )
