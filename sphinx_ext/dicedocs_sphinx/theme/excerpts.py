"""The excerpts below the results of a search: the words of each rule, term and section, on a disk too.

Sphinx's search has none for what it finds by name. For sections it fetches their pages, which a page of a disk may not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from dicedocs.render.words import clean
from dicedocs_lint.docutils_grids import shown_text
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.nodes import TITLE
from dicedocs_sphinx.rolling.reroll import is_site
from dicedocs_sphinx.settings import THEME

_FILE: Final = "_static/excerpts.js"
_START: Final = "const EXCERPTS = "
_LENGTH: Final = 300


class Excerpts:
    """The excerpts of the pages that a build writes: by the address of the page, and by the anchor."""

    def __init__(self) -> None:
        self._pages: dict[str, dict[str, str]] = {}

    def note(self, app: Sphinx, doctree: nodes.document, page: str) -> None:
        """Note the excerpts of a page."""
        if not _has_search(app):
            return
        places = {block.anchor for block in dice_domain(app.env).blocks.get(page, ())}
        # In front of a list, docutils lets it have the place of an entry of the index.
        places |= {entry[2] for index in doctree.findall(addnodes.index) for entry in index["entries"]}
        found = {"": _excerpt(doctree)}
        for node in doctree.findall(nodes.Element):
            for id in node["ids"]:
                if isinstance(node, nodes.term | nodes.target):
                    found[f"#{id}"] = _excerpt(_next(node))
                elif isinstance(node, nodes.section) or id in places:
                    found[f"#{id}"] = _excerpt(node)
        self._pages[app.builder.get_target_uri(page)] = {anchor: text for anchor, text in found.items() if text}

    def write(self, app: Sphinx, exception: Exception | None) -> None:
        """Write the excerpts, those of the pages that this build has not written as they were."""
        if exception is not None or not _has_search(app):
            return
        path, known = Path(app.outdir) / _FILE, {app.builder.get_target_uri(page) for page in app.env.found_docs}
        before = json.loads(path.read_text("utf-8").removeprefix(_START)) if path.is_file() else {}
        pages = {page: texts for page, texts in (before | self._pages).items() if page in known}
        path.write_text(_START + json.dumps(pages, ensure_ascii=False, sort_keys=True), "utf-8")


def _has_search(app: Sphinx) -> bool:
    return is_site(app) and app.config.html_theme == THEME and bool(getattr(app.builder, "search", False))


def _next(node: nodes.Element) -> nodes.Node | None:
    """Return what follows a term, or the place of an entry of the index, which others may share."""
    found = node.next_node(descend=False, siblings=True)
    while isinstance(found, addnodes.index | nodes.target):
        found = found.next_node(descend=False, siblings=True)
    return found


def _excerpt(node: nodes.Node | None) -> str:
    """Return the beginning of the text of a part of a page."""
    words: list[str] = []
    for text in node.findall(nodes.paragraph) if node is not None else ():
        if TITLE not in text["classes"]:
            words += clean(shown_text(text)).split()
        if len(" ".join(words)) > _LENGTH:
            while len(" ".join(words)) > _LENGTH:
                words.pop()
            return f"{' '.join(words)} …"
    return " ".join(words)


def setup_excerpts(app: Sphinx) -> None:
    # It is called after the blocks of a page are written, and before terms become cards.
    excerpts = Excerpts()
    app.connect("doctree-resolved", excerpts.note)
    app.connect("build-finished", excerpts.write)
