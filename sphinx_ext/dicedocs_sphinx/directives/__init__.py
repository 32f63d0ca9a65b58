"""Directives and roles: what an author types. Each module registers its directives when it is imported."""

from __future__ import annotations

from dicedocs_sphinx.directives.base import DIRECTIVES, BlockDirective
from dicedocs_sphinx.discovery import import_modules


def find_directives() -> dict[str, type[BlockDirective]]:
    """Return the directives of all modules of this folder, and of others that were imported, by kind."""
    import_modules(__name__)
    return DIRECTIVES
