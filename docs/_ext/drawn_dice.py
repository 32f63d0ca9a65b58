"""The role ``drawn-die``: a die in a sentence or a cell, drawn as examples draw it, such as ``d6 3 dropped``."""

from __future__ import annotations

import re
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole
from sphinx.util.typing import ExtensionMetadata

from dicedocs.render.drawing import STATES
from dicedocs.render.svg import die_svg
from dicedocs.rules.record import Die

_DIE: Final = re.compile(r"d(?P<sides>\d+) (?P<face>\d+)(?: (?P<state>.+))?")


class DrawnDie(SphinxRole):
    """A die with its sides, its face and, if it has one, its state."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        match = _DIE.fullmatch(self.text)
        if match is None or not (match["state"] is None or match["state"] in STATES):
            message = f"{self.text!r} is not a die; write one such as 'd6 3 dropped', with one of {', '.join(STATES)}"
            return [], [self.inliner.reporter.warning(message, line=self.lineno)]
        die = Die(int(match["sides"]), int(match["face"]), match["state"] or "")
        drawn = f'<span class="drawn-die">{die_svg(die)}</span>'
        # Other formats cannot draw it.
        return [nodes.raw("", drawn, format="html")], []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the role."""
    app.add_role("drawn-die", DrawnDie())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
