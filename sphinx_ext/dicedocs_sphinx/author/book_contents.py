"""The tables and the characters of a book, for those who play them from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from dicedocs import Character
from dicedocs.page_rules.page_table import PageTable
from dicedocs_sphinx.author.book_reading import check_folders, domain_of, read_book


def read_contents(folder: Path) -> tuple[Iterable[PageTable], Mapping[str, Character]]:
    """Return the tables of a book, and its characters by the names that its pages use.

    Raises:
        BookError: it is no book, or Sphinx cannot read it.
    """
    with read_book(check_folders(folder)) as app:
        domain = domain_of(app)
        characters = {
            name: Character(block.title or name, block.values)
            for name, (_page, block) in domain.named_characters().items()
            if block.values is not None and not block.issues
        }
        return list(domain.page_tables().values()), characters
