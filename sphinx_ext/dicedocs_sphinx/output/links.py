"""Links to blocks, from what is generated when a page is written."""

from __future__ import annotations

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import NoUri
from sphinx.util.nodes import make_refnode

from dicedocs.render.words import clean
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.scene import ChangeBlock
from dicedocs_sphinx.nodes import ancestors


def page_of(app: Sphinx, node: nodes.Element, docname: str) -> str:
    """Return the page of a node in a document that may be made of several, whose sections know where they are from."""
    for each in ancestors(node):
        if isinstance(each, nodes.section | addnodes.start_of_file) and "docname" in each:
            return str(each["docname"])
        if isinstance(each, nodes.document):
            return app.env.path2doc(each.get("source", "")) or docname
    return docname


def link_to_block(app: Sphinx, docname: str, page: str, block: Block, content: nodes.Node) -> nodes.reference | None:
    """Return a link to a block; ``None`` if this document does not contain it.

    Parameters:
        docname: the page that contains the link.
        page: the page that contains the block.
        block: the block.
        content: the text of the link.
    """
    title = clean(block.title)
    hint = title if title != content.astext() else ""
    # In LaTeX the pages of a document have become one, and each knows itself by another name.
    here = "" if app.builder.format == "latex" else docname
    try:
        return make_refnode(app.builder, here, page, block.anchor, content, hint or None)
    except NoUri:
        return None


def block_link(app: Sphinx, docname: str, page: str, block: Block, *, text: str) -> nodes.Node:
    """Return a link to a block as :func:`link_to_block` does, or only its text, if there can be none."""
    content = nodes.inline("", clean(text))
    return link_to_block(app, docname, page, block, content) or content


def change_name(block: Block) -> str:
    """Return the name for readers of a block that changes a scene."""
    return _("change") if isinstance(block, ChangeBlock) else block.title or block.label
