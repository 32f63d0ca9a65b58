"""How much room examples take on a page: as each says itself, or as the book says."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from dicedocs.render.look import LOOKS, Look, is_look, no_such_look
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.diagnostics import Problem, report

_LOOK: Final = (
    "how much room examples take on a page that do not say it themselves: `full` (the working below "
    "the result), `compact` (the working is folded) or `line` (a single line)"
)


def look_of(app: Sphinx, block: ExampleBlock) -> Look:
    """Return how much room an example takes."""
    book: str = app.config.dicedocs_look
    return block.look or (book if is_look(book) else LOOKS[0])


def check_look(app: Sphinx) -> None:
    """Warn about a setting that is not the name of a look."""
    if not is_look(app.config.dicedocs_look):
        message = f"dicedocs_look: {no_such_look(app.config.dicedocs_look)}"
        report(Problem.OPTION, message, str(Path(app.confdir) / "conf.py"), 1)


def setup_look(app: Sphinx) -> None:
    app.add_config_value("dicedocs_look", LOOKS[0], "html", str, _LOOK)
    app.connect("builder-inited", check_look)
