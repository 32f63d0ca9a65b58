"""What happens to a page when it is written: facts of other pages are filled in, and blocks become output."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.gettext import I18nBuilder

from dicedocs import DiceError
from dicedocs.render.words import clean, without_controls
from dicedocs_sphinx.book.domain import DiceDomain, dice_domain
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.containment import contained, problem_of
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.nodes import UNKNOWN, change_texts, dice_block, dice_fact, dice_listing, value_node
from dicedocs_sphinx.output import writer_of
from dicedocs_sphinx.output.listing import write_listing
from dicedocs_sphinx.output.numbers import fix_number_references
from dicedocs_sphinx.output.playable import write_rolls
from dicedocs_sphinx.source_locations import role_location


def resolve_page(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fill in the facts that a page uses from others, and write its blocks."""
    domain = dice_domain(app.env)
    for fact in list(doctree.findall(dice_fact)):
        fact.replace_self(value_node(fact["text"] if "text" in fact else _fact_text(domain, docname, fact)))
    if isinstance(app.builder, I18nBuilder):
        # A catalogue contains the author's words as they were read.
        return
    blocks, listings = list(doctree.findall(dice_block)), list(doctree.findall(dice_listing))
    writer = writer_of(app)
    with book_language(app.env):
        write_rolls(app, doctree)
        fix_number_references(app, doctree, writer.counts)
        for block in blocks:
            writer.write(block, docname)
        for listing in listings:
            write_listing(app, listing, docname)
    if blocks or listings:
        # With characters that are illegal in XML no reader would open an e-book.
        change_texts(doctree, without_controls)
    writer.finish(doctree)


def remote_fact(domain: DiceDomain, path: str) -> str:
    """Return a fact, such as ``sera.total``, of a block on any page as prose shows it; ``?`` if it is unknown.

    Raises:
        KeyError: there is no block of that name.
        DiceError: it has no such fact.
    """
    name, _, inner = path.partition(".")
    block = domain.named()[name][1]
    with contained(domain.env.config.dicedocs_seconds), book_language(domain.env):
        facts = block.facts()
        return UNKNOWN if facts is None else clean(facts.text(inner))


def _fact_text(domain: DiceDomain, docname: str, fact: dice_fact) -> str:
    """Return the text of a fact of another page, or report that there is none."""
    path: str = fact["path"]
    try:
        return remote_fact(domain, path)
    except KeyError:
        problem, message = Problem.REFERENCE, domain.no_such_name(path.partition(".")[0])
    except DiceError as error:
        problem, message = problem_of(error, Problem.FACT), str(error)
    if not fact.get("quiet") and not isinstance(fact.parent, nodes.substitution_definition):
        domain.report_written(docname, problem, message, *role_location(fact.source, fact.line, path))
    return UNKNOWN


def setup_resolve(app: Sphinx) -> None:
    app.connect("doctree-resolved", resolve_page)
