"""What every block is written as: a container with a title and a permalink, and boxes for its issues."""

from __future__ import annotations

from html import escape

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.render.words import clean_lines
from dicedocs.translation import gettext as _
from dicedocs_sphinx.nodes import dice_block, dice_result, title_of


def write_plain(app: Sphinx, node: dice_block, _docname: str) -> None:
    """Replace a block by its title, its prose and its issues."""
    block = node.block
    noun = block.kind
    boxes = issue_boxes(
        app, [issue["message"] for issue in block.issues], _("This {block} does not hold").format(block=noun)
    )
    node[:] = [*(child for child in node if not isinstance(child, dice_result)), *boxes]
    replace_by_container(app, node, _("Link to this {block}").format(block=noun))


def replace_by_container(app: Sphinx, node: dice_block, permalink: str) -> None:
    """Replace a block, whose children every writer knows by now; ``permalink`` is the text of the link to it."""
    title = title_of(node)
    if app.builder.format == "html":
        anchor = node.block.anchor
        permalinks = app.config.html_permalinks and getattr(app.builder, "add_permalinks", False)
        if title is not None and node.block.name and permalinks:
            title += _permalink(anchor, app.config.html_permalinks_icon, permalink)
        node.replace_self(nodes.container("", *node.children, ids=node["ids"], classes=node["classes"]))
        return
    if title is not None:
        node[0] = nodes.title("", "", *title.children)
    element = nodes.container if title is None else nodes.admonition
    node.replace_self([*target(node), element("", *node.children, classes=node["classes"])])


def target(node: dice_block) -> list[nodes.Node]:
    """Return the target of links to a block, if it has a name, where the output is not HTML."""
    # A comment follows it, since the LaTeX writer leaves the label to a table or a section that is next.
    return [nodes.target("", "", ids=node["ids"]), nodes.comment()] if node["ids"] else []


def _permalink(anchor: str, icon: str, text: str) -> nodes.raw:
    # The icon is HTML from the configuration.
    link = f'<a class="headerlink" href="#{escape(anchor)}" title="{escape(text)}">{icon}</a>'
    return nodes.raw("", link, format="html")


def issue_boxes(app: Sphinx, messages: list[str], title: str) -> list[nodes.Node]:
    """Return a box for each message; only where the output is not HTML does it have a title."""
    in_html = app.builder.format == "html"
    boxes = (nodes.raw("", issue_html(m), format="html") if in_html else _issue_box(m, title) for m in messages)
    return list(boxes)


def issue_html(message: str) -> str:
    """Return a box with a message, as HTML."""
    return f'<div class="dice-error" role="note"><pre>{escape(clean_lines(message))}</pre></div>'


def _issue_box(message: str, title: str) -> nodes.admonition:
    message = clean_lines(message)
    text = nodes.literal_block(message, message, language="none")
    return nodes.admonition("", nodes.title("", title), text, classes=["dice-error"])
