"""The theme ``dicedocs``: the type, the colours and the margins of a rulebook, on top of Furo."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from dicedocs_sphinx.theme.excerpts import setup_excerpts
from dicedocs_sphinx.theme.foot import setup_foot
from dicedocs_sphinx.theme.navigation import setup_navigation
from dicedocs_sphinx.theme.search import setup_search
from dicedocs_sphinx.theme.term_cards import setup_term_cards
from dicedocs_sphinx.theme.theme_name import THEME


def setup_theme(app: Sphinx) -> None:
    app.add_html_theme(THEME, str(Path(__file__).parent))
    setup_search(app)
    setup_excerpts(app)
    setup_term_cards(app)
    setup_foot(app)
    setup_navigation(app)
