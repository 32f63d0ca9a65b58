"""What makes a block of a page playable: its data, which the script of the page finds at its outcome."""

from __future__ import annotations

import json
from html import escape
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs import DiceError, Example
from dicedocs.render.page_example import PageExample
from dicedocs.rules.registry import ROLL
from dicedocs_sphinx.nodes import NOTATION, dice_block, title_of
from dicedocs_sphinx.rolling.reroll import is_playable

DATA: Final = "data-dice"
"""The attribute of an outcome that can be played."""


_ROLL: Final = "data-dice-roll"
"""The attribute of a roll in a sentence that can be played."""


def playable_html(
    app: Sphinx, node: dice_block, html: str, example: PageExample, *, chance: bool = False, odds: bool = False
) -> str:
    """Return the HTML of an outcome with the data by which the page plays it, if the page can.

    Parameters:
        app: the application.
        node: the block.
        html: what the book shows, a single element.
        example: what is played.
        chance: whether dice were thrown, so that another roll may be different.
        odds: whether it shows odds, so that there is no roll of the book.
    """
    if not is_playable(app, example.mechanic):
        return html
    try:
        Example(example.mechanic, example.parameters).rule()
    except DiceError:
        return html
    told = any(child is not title_of(node) for child in node[:-1])
    tag, rest = html.split(" ", 1)
    return f"{tag} {_attribute(DATA, node.block.label, example, told=told, chance=chance, odds=odds)} {rest}"


def write_rolls(app: Sphinx, doctree: nodes.document) -> None:
    """Make the rolls in the sentences of a page playable, if it can play them."""
    for roll in list(doctree.findall(nodes.inline)):
        notation = roll.attributes.pop(NOTATION, "")
        if notation and is_playable(app, ROLL):
            attribute = _attribute(_ROLL, "", PageExample(ROLL, {"notation": notation}, title=notation))
            start = nodes.raw("", f'<span class="{" ".join(roll["classes"])}" {attribute}>', format="html")
            # Not `replace_self`, which would give the class to the first of them.
            index = roll.parent.index(roll)
            roll.parent[index : index + 1] = [start, *roll.children, nodes.raw("", "</span>", format="html")]


def _attribute(attribute: str, name: str, example: PageExample, **more: bool) -> str:
    data = {"name": name, "example": example.data(), **more}
    return f'{attribute}="{escape(json.dumps(data, ensure_ascii=False, separators=(",", ":")))}"'
