"""The Sphinx extension of dicedocs: worked examples that are played, explained and checked.

It is switched on by ``extensions = ["dicedocs_sphinx"]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the domain ``dice`` and what belongs to it."""
    # pytest imports this package for its plugin, where Sphinx need not be installed.
    from dicedocs_sphinx.doctesting import setup_doctesting
    from dicedocs_sphinx.domain import setup_domain
    from dicedocs_sphinx.freshness import own_version, setup_freshness
    from dicedocs_sphinx.reading import setup_reading
    from dicedocs_sphinx.stylesheet import setup_stylesheet
    from dicedocs_sphinx.writing import setup_writing

    setup_domain(app)
    setup_reading(app)
    setup_writing(app)
    setup_stylesheet(app)
    setup_doctesting(app)
    setup_freshness(app)
    return {
        "version": "0.1.0",
        "env_version": own_version(),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
