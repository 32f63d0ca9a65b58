"""Our nodes in a doctree as it was read; only a figure and its caption are left when it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util.nodes import clean_astext
from sphinx.writers.html5 import HTML5Translator

from dicedocs.render.words import clean
from dicedocs_sphinx.blocks import read_block
from dicedocs_sphinx.blocks.base import Block

TITLE: Final = "dice-example-title"
"""The class of the paragraph that is the title of a block."""
EXAMPLES: Final = "example"
"""The key of examples in the setting ``numfig_format``."""
NOTATION: Final = "dice-notation"
"""The attribute of a roll in a sentence that holds its notation until the page is written."""
STATEMENT: Final = "dice-statement"
"""The attribute of a node in the text that holds its :class:`.Inline` as plain data until its page was read."""
VALUE: Final = "dice-value"
"""The attribute of a value that was computed."""
FACT: Final = "dice-fact"
"""The attribute of a fact of a block of the page, until the page is written: its path there."""
OF_BLOCK: Final = "dice-of"
"""The attribute beside it: the page and the label of that block."""
TABLE_OF: Final = "dice-table-of"
"""The attribute of a table or a list that is a mechanic, until the page is written: the id of that."""
UNKNOWN: Final = "?"
"""The text of a value that cannot be computed."""


class dice_block(nodes.container):  # noqa: N801  # docutils names its nodes so
    """A block: title and prose; ``computed`` is what its output needs besides."""

    @property
    def block(self) -> Block:
        """The block, which is kept as plain data."""
        return read_block(self["block"])

    @block.setter
    def block(self, block: Block) -> None:
        self["block"] = block.data()


class dice_mechanic(dice_block):  # noqa: N801
    """A block with a result: its last child is a :class:`dice_result`, and its prose may name its facts."""


class dice_example(dice_mechanic):  # noqa: N801
    """A worked example, which Sphinx numbers among the examples."""


class dice_table(dice_mechanic):  # noqa: N801
    """A table or a chart of odds, which Sphinx numbers among the tables."""


class dice_figure(nodes.figure):  # noqa: N801
    """A table or a chart in HTML, which every HTML writer treats as a figure."""


class dice_caption(nodes.caption):  # noqa: N801
    """The caption of a table in HTML, the title of whose permalink calls it a table."""


class dice_result(nodes.comment):  # noqa: N801
    """The position of the result; to the doctest builder, the test."""


class dice_fact(nodes.inline):  # noqa: N801
    """The position of the value that ``path`` names.

    One that is not known yet, or may change, keeps this node; its text is that of the statement ``index`` of ``page``.
    """


class dice_track(dice_fact):  # noqa: N801
    """The position of a track of a scene that is drawn."""


class dice_computed(dice_fact):  # noqa: N801
    """The position of what ``role`` computes from ``path``, a notation in which values of a scene may stand."""


class dice_choice(dice_fact):  # noqa: N801
    """The position of something that depends on an outcome.

    ``cases`` are, as soon as they are known, the conditions, each with whether it holds in the book.
    """


class dice_words(dice_choice):  # noqa: N801
    """The position of words, one of which is true of each outcome: its children, one for each condition."""


class dice_condition(dice_choice):  # noqa: N801
    """The condition of the case around it."""


class dice_case(nodes.container):  # noqa: N801
    """What stands in the text if something holds: the first child is a :class:`dice_condition`, or it always does."""

    @property
    def holds(self) -> bool:
        """Whether it stands in the book; what is wrong with its condition is reported."""
        return all(holds for _, holds in self.cases)

    @property
    def content(self) -> list[nodes.Node]:
        """What stands in it."""
        return [child for child in self if not isinstance(child, dice_condition)]

    @property
    def cases(self) -> list[tuple[str, bool]]:
        """Its condition, if it has one that can be read."""
        first = self[0] if self.children else None
        return first.get("cases", []) if isinstance(first, dice_condition) else []


class dice_untold(nodes.comment):  # noqa: N801
    """Words that do not hold in the book: no writer shows them, but that of a page that rolls, which hides them."""


class dice_report(nodes.General, nodes.Element):  # noqa: N801
    """The position of the report on the blocks of all pages."""


class dice_reference(nodes.General, nodes.Element):  # noqa: N801
    """The position of a quick reference: the rules of its page, but for those with an id in ``without``."""


def title_of(block: nodes.Element) -> nodes.paragraph | None:
    """Return the title of a block, if it has one."""
    first = block[0] if block.children else None
    return first if isinstance(first, nodes.paragraph) and TITLE in first["classes"] else None


def change_texts(doctree: nodes.document, change: Callable[[str], str]) -> None:
    """Change all texts of a page."""
    for text in list(doctree.findall(nodes.Text)):
        # As it is in a doctree, a text has what docutils marks an escaped character with.
        if (changed := change(text.astext())) != text.astext():
            text.parent.replace(text, nodes.Text(changed))


def change_values(doctree: nodes.document, change: Callable[[str], str]) -> None:
    """Change the values of a page that were computed."""
    for value in doctree.findall(nodes.TextElement):
        if VALUE in value:
            value[:] = [nodes.Text(change(value.astext()))]


def prose_of(block: nodes.Element) -> list[nodes.Node]:
    """Return what stands between the title of a block and its result."""
    title = title_of(block)
    return [child for child in block.children[:-1] if child is not title]


def value_node(text: str, *classes: str, strong: bool = False) -> nodes.TextElement:
    """Return a computed value, in which smart quotes change nothing."""
    kind = nodes.strong if strong else nodes.inline
    return kind("", clean(text), classes=list(classes), support_smartquotes=False, **{VALUE: True})


def _caption(node: nodes.Element) -> str | None:
    """Return the title by which Sphinx numbers and refers to a block; without one it does neither."""
    title = title_of(node)
    hidden = isinstance(node, dice_block) and node.block.is_hidden
    return None if title is None or hidden else clean_astext(title)


def _visit_caption(writer: HTML5Translator, node: dice_caption) -> None:
    writer.visit_caption(node)


def _depart_caption(writer: HTML5Translator, node: dice_caption) -> None:
    """Close a caption, whose permalink Sphinx would call that of an image."""
    start = len(writer.body)
    writer.depart_caption(node)
    writer.body[start:] = [
        part.replace(_("Link to this image"), _("Link to this table")) for part in writer.body[start:]
    ]


def _visit_untold(writer: HTML5Translator, node: dice_untold) -> None:
    writer.body.append(f"<{node['tag']} {node['attributes']} hidden>")


def _depart_untold(writer: HTML5Translator, node: dice_untold) -> None:
    writer.body.append(f"</{node['tag']}>")


def setup_nodes(app: Sphinx) -> None:
    app.add_node(dice_untold, html=(_visit_untold, _depart_untold))
    app.add_enumerable_node(dice_example, EXAMPLES, _caption)  # type: ignore[arg-type]  # may return None
    for node in (dice_table, dice_figure):
        app.add_enumerable_node(node, "table", _caption)  # type: ignore[arg-type]  # may return None
    app.add_node(dice_caption, html=(_visit_caption, _depart_caption))


def ancestors(node: nodes.Node) -> Iterator[nodes.Element]:
    """Yield what is around a node, the innermost first."""
    while (parent := node.parent) is not None:
        yield parent
        node = parent


def block_around(node: nodes.Node) -> dice_block | None:
    """Return the innermost block around a node, if it is in one."""
    return next((each for each in ancestors(node) if isinstance(each, dice_block)), None)


def section_around(node: nodes.Node) -> nodes.section | None:
    """Return the innermost section around a node, if it is in one."""
    return next((each for each in ancestors(node) if isinstance(each, nodes.section)), None)


def text_around(node: nodes.Node) -> nodes.Node:
    """Return the text in which a node stands: that of the block around it, the outermost case, or its paragraph."""
    around = [node, *ancestors(node)]
    cases = [each for each in around if isinstance(each, dice_case)]
    paragraph = next(each for each in around[1:] if not isinstance(each, nodes.Inline))
    return block_around(node) or (cases[-1] if cases else paragraph)


def is_in_title(node: nodes.Node) -> bool:
    """Return whether a node stands in the title of a section, or of a block."""
    return any(map(is_title, ancestors(node)))


def is_title(node: nodes.Node) -> bool:
    """Return whether a node is the title of a section, or of a block."""
    return isinstance(node, nodes.title) or (isinstance(node, nodes.paragraph) and TITLE in node["classes"])
