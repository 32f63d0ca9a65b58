"""Cards of terms: in the theme ``dicedocs`` a term of Sphinx's own `glossary` shows its definition where it is used.

A term is a button and its card a popover, which browsers open by touch and keyboard without a script; a pointer needs
only to rest on it. In a heading it stays a link.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from dicedocs.render.words import clean
from dicedocs.translation import gettext as _
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.rolling.reroll import is_site
from dicedocs_sphinx.settings import THEME

_CLASS: Final = "std-term"
"""The class that Sphinx gives to a link to a term."""
_USES_TERMS: Final = "dicedocs_terms"
"""The metadata of a page with links to terms."""


def note_terms(app: Sphinx, doctree: nodes.document) -> None:
    """Note that a page has links to terms."""
    if any(reference.get("reftype") == "term" for reference in doctree.findall(addnodes.pending_xref)):
        app.env.metadata[app.env.docname][_USES_TERMS] = "yes"


def depend_on_glossaries(_app: Sphinx, env: BuildEnvironment) -> None:
    """Let pages with links to terms depend on the pages that define any, all of which are known now."""
    glossaries = {page for page, _anchor in _terms(env)}
    for page in env.found_docs:
        if _USES_TERMS in env.metadata[page]:
            for glossary in glossaries - {page}:
                env.note_dependency(env.doc2path(glossary), docname=page)


def add_cards(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give each link to a term its card."""
    builder, env = app.builder, app.env
    if not is_site(app) or app.config.html_theme != THEME:
        return
    links = list(_links(doctree))
    if not links:
        return
    defined = {
        f"{builder.get_relative_uri(page, other) if other != page else ''}#{anchor}": (other, anchor)
        for other, anchor in _terms(env)
    }
    with book_language(env):
        for number, link in enumerate(links, 1):
            address = link.get("refuri") or f"#{link['refid']}"
            if place := defined.get(address):
                link.replace_self(_card(link.astext(), _definition(env, *place), address, f"term-card-{number}"))


def _terms(env: BuildEnvironment) -> Iterator[tuple[str, str]]:
    """Yield the page and the anchor of each term."""
    for _name, _shown, kind, page, anchor, _priority in env.domains.standard_domain.get_objects():
        if kind == "term":
            yield page, anchor


def _links(doctree: nodes.document) -> Iterator[nodes.reference]:
    """Yield the links to terms outside of headings."""
    for link in doctree.findall(nodes.reference):
        is_term = any(_CLASS in child.get("classes", ()) for child in link.findall(nodes.inline))
        if is_term and not isinstance(link.parent, nodes.title):
            yield link


def _definition(env: BuildEnvironment, page: str, anchor: str) -> str:
    """Return the first paragraph of the definition of a term as text."""
    term = next(term for term in env.get_doctree(page).findall(nodes.term) if anchor in term["ids"])
    return next((clean(text.astext()) for text in term.parent.findall(nodes.paragraph)), "")


def _card(text: str, definition: str, address: str, id: str) -> nodes.raw:
    # A line may end on either side of a button, even before a comma; a word joiner keeps the comma beside it.
    return nodes.raw(
        "",
        f'<button class="term" type="button" popovertarget="{id}">{escape(clean(text))}</button>&#8288;'
        f'<span class="term-card" id="{id}" role="note" popover>{escape(definition)} '
        f'<a href="{escape(address)}">{escape(_("Glossary"))}</a></span>',
        format="html",
    )


def setup_term_cards(app: Sphinx) -> None:
    app.connect("doctree-read", note_terms)
    app.connect("env-updated", depend_on_glossaries)
    app.connect("doctree-resolved", add_cards)
