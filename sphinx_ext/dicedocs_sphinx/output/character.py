"""A character as it is written."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.render.words import clean
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.nodes import dice_block, title_of
from dicedocs_sphinx.output import writes
from dicedocs_sphinx.output.container import issue_boxes, replace_by_container, target
from dicedocs_sphinx.output.latex import boxed, choices_line


@writes(CharacterBlock.kind)
def write_character(app: Sphinx, node: dice_block, _docname: str) -> None:
    """Replace a character by what the builder's writer knows."""
    character = cast("CharacterBlock", node.block)
    messages = [issue["message"] for issue in character.issues]
    values = [(clean(name), str(value)) for name, value in (character.values or {}).items()]
    boxes = issue_boxes(app, messages, _("This character cannot be read"))
    if app.builder.format == "latex":
        title = title_of(node)
        prose = [child for child in node if child is not title]
        line = choices_line((name, [nodes.Text(value)]) for name, value in values)
        block_nodes = boxed(title.children if title is not None else [], [*prose, *boxes, *line])
        node.replace_self([*target(node), *block_nodes])
        return
    node += boxes
    if values and app.builder.format == "html":
        node += nodes.raw("", _values_html(values), format="html")
    elif values:
        rows = [(nodes.term("", name), nodes.definition("", nodes.paragraph("", value))) for name, value in values]
        items = [nodes.definition_list_item("", *row) for row in rows]
        node += nodes.definition_list("", *items)
    replace_by_container(app, node, _("Link to this character"))


def _values_html(values: Iterable[tuple[str, str]]) -> str:
    """Return the values as a list of names with numbers."""
    rows = (f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in values)
    return f'<dl class="dice-values simple">{"".join(rows)}</dl>'
