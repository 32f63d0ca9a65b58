"""What happens to a page when it is written: facts of other pages are filled in, and blocks become output."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.gettext import I18nBuilder

from dicedocs.render.words import without_controls
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.nodes import (
    NOTATION,
    OF_BLOCK,
    UNKNOWN,
    change_texts,
    dice_block,
    dice_case,
    dice_choice,
    dice_computed,
    dice_fact,
    dice_reference,
    dice_report,
    dice_track,
    dice_words,
    value_node,
)
from dicedocs_sphinx.output import writer_of
from dicedocs_sphinx.output.numbering import link_numbers
from dicedocs_sphinx.output.playable import write_rolls
from dicedocs_sphinx.output.report_table import write_report


def resolve_page(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fill in the facts that a page uses from others, and write its blocks."""
    domain, writer = dice_domain(app.env), writer_of(app)
    writer.begin(doctree, docname)
    for fact in list(doctree.findall(nodes.inline)):
        with book_language(app.env):
            if isinstance(fact, dice_choice):
                continue
            if isinstance(fact, dice_fact):
                # One in the definition of a substitution stands nowhere by itself.
                text = domain.inlines(fact["page"])[fact["index"]].shown if "index" in fact else UNKNOWN
                if isinstance(fact, dice_computed):
                    node = value_node(text, *fact["classes"])
                    node[NOTATION] = fact.get(NOTATION, "")
                    fact.replace_self(node)
                    continue
                shown = writer.track(fact["path"], text) if isinstance(fact, dice_track) else value_node(text)
            elif OF_BLOCK in fact:
                shown = value_node(fact.astext())
            else:
                continue
            fact.replace_self(writer.fact(fact, shown))
    if isinstance(app.builder, I18nBuilder):
        # A catalogue contains the author's words as they were read.
        return
    for words in list(doctree.findall(dice_words)):
        words.replace_self(writer.words(words))
    # The inner ones first.
    for case in reversed(list(doctree.findall(dice_case))):
        case.replace_self(writer.case(case))
    blocks, reports = list(doctree.findall(dice_block)), list(doctree.findall(dice_report))
    with book_language(app.env):
        for reference in list(doctree.findall(dice_reference)):
            # Before the blocks are written, of which it repeats the words.
            writer.reference(reference, docname)
        write_rolls(app, doctree)
        if not writer.counts:
            link_numbers(app, doctree)
        for block in blocks:
            writer.write(block, docname)
        for report in reports:
            write_report(app, report, docname)
    if blocks or reports:
        # With characters that are illegal in XML no reader would open an e-book.
        change_texts(doctree, without_controls)
    writer.finish(doctree)


def setup_resolve(app: Sphinx) -> None:
    app.connect("doctree-resolved", resolve_page)
