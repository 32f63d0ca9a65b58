"""Directives and roles: what an author types."""

from __future__ import annotations

from dicedocs_sphinx.directives.base import DIRECTIVES, BlockDirective


def find_directives() -> dict[str, type[BlockDirective]]:
    """Return our directives, and those of other modules that were imported, by kind."""
    from dicedocs_sphinx.directives import kinds  # noqa: F401  # registers ours

    return DIRECTIVES
