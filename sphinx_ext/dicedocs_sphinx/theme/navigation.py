"""The navigation of the theme ``dicedocs``: where a page is in no part of the book, the first part is unfolded."""

from __future__ import annotations

from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs_sphinx.settings import THEME

_FOLD: Final = 'class="toctree-checkbox"'
_UNFOLDED: Final = f'checked="" {_FOLD}'


def unfold_first_part(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Unfold the first part in the navigation of a page, unless Furo has unfolded that of the page."""
    tree = context.get("furo_navigation_tree", "")
    if app.config.html_theme == THEME and _UNFOLDED not in tree:
        context["furo_navigation_tree"] = tree.replace(_FOLD, _UNFOLDED, 1)


def setup_navigation(app: Sphinx) -> None:
    # Furo makes the navigation first.
    app.connect("html-page-context", unfold_first_part, priority=600)
