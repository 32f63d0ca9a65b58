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
    # pytest imports this package for its plugin even if Sphinx is not installed.
    from dicedocs_sphinx.book.dependencies import setup_dependencies
    from dicedocs_sphinx.book.doctests import setup_doctests
    from dicedocs_sphinx.book.domain import setup_domain
    from dicedocs_sphinx.book.games import setup_games
    from dicedocs_sphinx.book.index_entries import setup_index_entries
    from dicedocs_sphinx.book.page_check import setup_page_check
    from dicedocs_sphinx.book.page_encoding import setup_page_encoding
    from dicedocs_sphinx.book.page_tables import setup_page_tables
    from dicedocs_sphinx.book.references import setup_references
    from dicedocs_sphinx.book.summary import setup_summary
    from dicedocs_sphinx.book_language import setup_book_language
    from dicedocs_sphinx.directives.csv_table import setup_csv_tables
    from dicedocs_sphinx.game_code import setup_game_code
    from dicedocs_sphinx.nodes import setup_nodes
    from dicedocs_sphinx.output import setup_output
    from dicedocs_sphinx.output.epub import setup_epub
    from dicedocs_sphinx.output.numbering import setup_numbers
    from dicedocs_sphinx.output.report import setup_report
    from dicedocs_sphinx.output.resolve import setup_resolve
    from dicedocs_sphinx.output.staleness import extension_version, setup_staleness
    from dicedocs_sphinx.paper.builder import setup_paper
    from dicedocs_sphinx.rolling.reroll import setup_reroll
    from dicedocs_sphinx.settings import setup_settings
    from dicedocs_sphinx.theme import setup_theme

    setup_settings(app)
    setup_game_code(app)
    setup_games(app)
    setup_dependencies(app)
    setup_book_language(app)
    setup_nodes(app)
    setup_domain(app)
    setup_csv_tables(app)
    setup_page_tables(app)
    setup_page_check(app)
    setup_index_entries(app)
    setup_references(app)
    setup_resolve(app)
    setup_output(app)
    setup_doctests(app)
    setup_epub(app)
    setup_paper(app)
    setup_numbers(app)
    setup_report(app)
    setup_reroll(app)
    setup_theme(app)
    setup_staleness(app)
    setup_page_encoding(app)
    setup_summary(app)
    return {
        "version": "0.1.0",
        "env_version": extension_version(),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
