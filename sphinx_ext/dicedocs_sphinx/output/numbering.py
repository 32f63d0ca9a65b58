"""The numbers of examples, if the setting ``numfig`` of a book wants numbers.

Sphinx counts all that has a caption, and each writer puts the numbers before the captions. An example has a title
instead, before which its number stands in every format.
"""

from __future__ import annotations

from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs.errors import quoted
from dicedocs.translation import SOURCE_LANGUAGE, language
from dicedocs.translation import gettext as _
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.diagnostics import report_configuration
from dicedocs_sphinx.nodes import EXAMPLES, dice_block, title_of
from dicedocs_sphinx.output.links import page_of

_NUMBER: Final = "{number}"


def number_example(app: Sphinx, node: dice_block, docname: str) -> None:
    """Put the number of an example before its title."""
    title = title_of(node)
    if title is None or not app.config.numfig or not app.config.numfig_format.get(EXAMPLES):
        return
    numbers = app.env.toc_fignumbers.get(page_of(app, node, docname), {}).get(EXAMPLES, {}).get(node["ids"][0])
    # A page that no table of contents leads to has none.
    if numbers:
        text = _numbered(app.config.numfig_format[EXAMPLES], ".".join(map(str, numbers)))
        title.insert(0, nodes.inline("", f"{text} ", classes=["caption-number"], support_smartquotes=False))


def _numbered(form: str, number: str) -> str:
    """Return a number as the setting says, in either style that Sphinx takes."""
    return form.format(number=number) if _NUMBER in form else form % number


def link_numbers(app: Sphinx, doctree: nodes.document) -> None:
    """Replace references to the numbers of blocks by links; for plain text Sphinx writes ``Table %s``."""
    references = list(doctree.findall(addnodes.number_reference))
    blocks = [block for _page, block in dice_domain(app.env).named().values()] if references else []
    anchors = {block.anchor for block in blocks}
    for reference in references:
        anchor = reference.get("refid") or reference.get("refuri", "").rpartition("#")[2]
        if anchor in anchors:
            link = nodes.reference("", "", *reference.children, internal=True)
            link.update_basic_atts(reference)
            link.attributes |= {key: reference[key] for key in ("refid", "refuri") if key in reference}
            reference.replace_self(link)


def set_format(app: Sphinx, config: Config) -> None:
    """Set how numbers of examples are written, in the language of the book, if it does not say it itself."""
    # The book's own catalogues are not compiled yet.
    with language(config.language or SOURCE_LANGUAGE):
        form = config.numfig_format.setdefault(EXAMPLES, _("Example {number}").format(number="%s"))
    try:
        _numbered(form, "1")
    except (KeyError, IndexError, TypeError, ValueError):
        if form:
            message = f"numfig_format: {quoted(form)} has no place for one number; write 'Example %s'"
            report_configuration(app, message)
        config.numfig_format[EXAMPLES] = ""


def setup_numbers(app: Sphinx) -> None:
    # Sphinx sets the other formats at 800.
    app.connect("config-inited", set_format, priority=900)
