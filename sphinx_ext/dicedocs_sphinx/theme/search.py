"""The search of a rulebook: rules, terms and the author's index entries come first, in the theme ``dicedocs``.

Sphinx's own search finds them as objects, by their names; ``search_scorer.js`` puts what it finds into order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.domains import ObjType

from dicedocs_sphinx.book.domain import FOUND_FIRST, dice_domain
from dicedocs_sphinx.rolling.reroll import is_site
from dicedocs_sphinx.settings import THEME

_SCORER: Final = Path(__file__).with_name("search_scorer.js")


def set_scorer(_app: Sphinx, config: Config) -> None:
    """Let Sphinx's search use our order, unless the author has one."""
    if config.html_theme == THEME and not config.html_search_scorer:
        config.html_search_scorer = str(_SCORER)


def find_terms(app: Sphinx) -> None:
    """Let the search find terms by their names, which Sphinx leaves out."""
    if app.config.html_theme == THEME:
        types = app.env.domains.standard_domain.object_types
        types["term"] = ObjType(types["term"].lname, *types["term"].roles, searchprio=FOUND_FIRST)


def keep_entries_of_authors(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Leave the search the index entries that authors wrote, as main ones: it finds all others as objects."""
    if not is_site(app) or app.config.html_theme != THEME:
        return
    objects = {block.anchor for block in dice_domain(app.env).blocks.get(docname, ())}
    # An entry that leads to a section is that of a rule which is called as its heading.
    for kind in (nodes.term, addnodes.desc_signature, nodes.section):
        objects.update(id for node in doctree.findall(kind) for id in node["ids"])
    for node in doctree.findall(addnodes.index):
        node["entries"] = [
            (kind, text, anchor, "main", key)
            for kind, text, anchor, _main, key in node["entries"]
            if anchor not in objects
        ]


def setup_search(app: Sphinx) -> None:
    app.connect("config-inited", set_scorer)
    app.connect("builder-inited", find_terms)
    app.connect("doctree-resolved", keep_entries_of_authors)
