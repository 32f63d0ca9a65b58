"""The mechanics and the characters of a book, for those who play them from elsewhere.

``python -m dicedocs_sphinx.author.book_contents`` reads them in a process of its own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

from sphinx.transforms import SphinxTransform

from dicedocs import Character
from dicedocs.errors import quoted
from dicedocs.limits import raise_limits, raised_limits
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.scenes.books import BookContents
from dicedocs_sphinx.author.book_reading import (
    BookError,
    BookFolders,
    Progress,
    check_folders,
    domain_of,
    read_book,
)
from dicedocs_sphinx.author.reading_apart import answer, read_apart
from dicedocs_sphinx.blocks.odds import OddsBlock
from dicedocs_sphinx.book.page_check import CheckBlocks
from dicedocs_sphinx.nodes import dice_block

_BEING_READ: Final = "DICEDOCS_BEING_READ"
"""The environment variable with the folders of the books that are being read, of which each process knows."""


class WithoutOdds(SphinxTransform):
    """Leaves out the tables, charts and claims of a page before they are counted: nobody plays them."""

    default_priority = CheckBlocks.default_priority - 1

    def apply(self, **kwargs: Any) -> None:
        for node in list(self.document.findall(dice_block)):
            if isinstance(node.block, OddsBlock):
                node.parent.remove(node)


def read_contents(pages: Path, conf: Path | None = None, progress: Progress | None = None) -> BookContents:
    """Return the mechanics and the characters of a book.

    Parameters:
        pages: the folder of its pages.
        conf: the folder of its ``conf.py``; by default that of the pages.
        progress: is told how many pages are done.

    Raises:
        BookError: it is no book, or Sphinx cannot read it.
    """
    folders = check_folders(pages, conf, "-c or conf")
    book = str(folders.conf)
    being_read = os.environ.get(_BEING_READ, "").split(os.pathsep)
    if book in being_read:
        raise BookError(
            f"the book in {quoted(conf or pages)} is being read", hint="its pages cannot read it themselves"
        )
    env = {**os.environ, _BEING_READ: os.pathsep.join([*filter(None, being_read), book])}
    request = {"folders": [str(folders.pages), book], "path": sys.path, "limits": raised_limits()}
    data = read_apart("dicedocs_sphinx.author.book_contents", book, request, env, progress)
    return BookContents(
        [PageRule.from_plain(each) for each in data["mechanics"]],
        data["faults"],
        {name: Character(title, values) for name, (title, values) in data["characters"].items()},
    )


def _read(request: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Return the contents of a book as plain data."""
    sys.path += [entry for entry in request["path"] if entry not in sys.path]
    folders = BookFolders(*map(Path, request["folders"]))
    with (
        raise_limits(**request["limits"]),
        # A notebook of the book may read it.
        read_book(folders, progress=progress, run_notebooks=False, transforms=[WithoutOdds]) as app,
    ):
        domain = domain_of(app)
        return {
            "mechanics": [each.to_plain() for each in domain.page_mechanics().values()],
            "faults": domain.mechanic_faults(),
            "characters": {
                name: (block.title or name, dict(block.values))
                for name, (_page, block) in domain.named_characters().items()
                if block.values is not None and not block.issues
            },
        }


if __name__ == "__main__":
    answer(_read)
