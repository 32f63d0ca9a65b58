"""The foot of a page in the theme ``dicedocs``: what made it, in the language of the book."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.translation import gettext as _
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.settings import THEME

_MAKERS: Final = {
    "dicedocs": "dicedocs",
    "sphinx": '<a href="https://www.sphinx-doc.org/">Sphinx</a>',
    "furo": '<a href="https://pradyunsg.me/furo/">Furo</a>',
}


def add_made_with(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Give the template of a page the sentence about what made it."""
    if app.config.html_theme == THEME:
        with book_language(app.env):
            context["made_with"] = escape(_("Made with {dicedocs}, {sphinx} and {furo}")).format_map(_MAKERS)


def setup_foot(app: Sphinx) -> None:
    app.connect("html-page-context", add_made_with)
