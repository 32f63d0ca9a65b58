"""The theme ``dicedocs``: the type, the colours and the margins of a rulebook, on top of Furo."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs_sphinx.settings import THEME
from dicedocs_sphinx.theme.excerpts import setup_excerpts
from dicedocs_sphinx.theme.foot import setup_foot
from dicedocs_sphinx.theme.navigation import setup_navigation
from dicedocs_sphinx.theme.search import setup_search
from dicedocs_sphinx.theme.term_cards import setup_term_cards


def name_tables_once(_app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Leave the ids of a table, or a formula, to it alone: the box that Furo puts around it takes them too."""
    for box in doctree.findall(nodes.container):
        if {"table-wrapper", "math-wrapper"}.intersection(box["classes"]):
            box["ids"] = []


def setup_theme(app: Sphinx) -> None:
    app.add_html_theme(THEME, str(Path(__file__).parent))
    app.connect("doctree-resolved", name_tables_once)
    setup_search(app)
    setup_excerpts(app)
    setup_term_cards(app)
    setup_foot(app)
    setup_navigation(app)
