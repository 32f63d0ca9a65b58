"""What makes a block of a page playable: its data, which the script of the page finds at its outcome."""

from __future__ import annotations

import json
from html import escape
from typing import Final

from sphinx.application import Sphinx

from dicedocs.panel.page_example import PageExample
from dicedocs_sphinx.nodes import dice_block, title_of
from dicedocs_sphinx.reroll import is_playable

DATA: Final = "data-dice"
"""The attribute of an outcome that can be played."""


def playable_html(app: Sphinx, node: dice_block, html: str, example: PageExample, *, odds: bool = False) -> str:
    """Return the HTML of an outcome with the data by which the page plays it, if the page can.

    Parameters:
        app: the application.
        node: the block.
        html: what the book shows, a single element.
        example: what is played.
        odds: whether it shows odds, so that there is no roll of the book.
    """
    if not is_playable(app, example.mechanic):
        return html
    told = any(child is not title_of(node) for child in node[:-1])
    data = {"name": node["block"]["label"], "example": example.data(), "told": told, "odds": odds}
    tag, rest = html.split(" ", 1)
    return f'{tag} {DATA}="{escape(json.dumps(data, ensure_ascii=False, separators=(",", ":")))}" {rest}'
