"""A rule as it is written: its words, and for the book's authors its ids and the links between it and what shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.page_rules.played_rules import find_plays
from dicedocs.render.outcome_looks import LOOKS
from dicedocs.render.words import clean, clean_lines
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.blocks.rule_ids import id_ranges
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.nodes import TITLE, dice_block, dice_result, title_of
from dicedocs_sphinx.output.links import block_link
from dicedocs_sphinx.settings import settings_of

_PLACEHOLDER: Final = "{blocks}"


def add_shown_rules(app: Sphinx, node: dice_block, docname: str) -> None:
    """Add links to the rules that a block shows, below its prose; those that do not exist are plain words."""
    rules = node.block.shows
    if not rules or not settings_of(app.config).rule_ids:
        return
    domain = dice_domain(app.env)
    links: list[nodes.Node] = []
    for text, ids in id_ranges(rules):
        found = domain.rule(ids[0])
        links.append(nodes.Text(clean(text)) if found is None else block_link(app, docname, *found, text=text))
    index = len(node) - 1 if node.children and isinstance(node[-1], dice_result) else len(node)
    last = node[index - 1] if index else None
    if is_compact(app) and isinstance(last, nodes.paragraph) and TITLE not in last["classes"]:
        last += [nodes.Text(" "), nodes.inline("", "", *_linked(_("Shows {blocks}"), links), classes=["dice-shows"])]
        return
    line = _line(_("Shows {blocks}"), links)
    line["classes"] += ["dice-in-text"] if is_compact(app) else []
    node.insert(index, line)


def is_compact(app: Sphinx) -> bool:
    """Return whether rules stand in the text of the book, each with its id behind it, instead of apart."""
    return settings_of(app.config).look != LOOKS[0]


def add_ids(app: Sphinx, node: dice_block, block: RuleBlock, docname: str) -> None:
    """Write the ids of a rule before its title, and below its words links to what shows it."""
    if not settings_of(app.config).rule_ids:
        return
    ids = nodes.Text(", ".join(clean(each.text) for each in id_ranges(block.ids)))
    title = title_of(node)
    if title is None:
        node.insert(0, nodes.paragraph("", "", ids, classes=[TITLE]))
    else:
        title[:0] = [ids, nodes.Text(" ")]
    node += _shown_by(app, block, docname)


def _shown_by(app: Sphinx, block: RuleBlock, docname: str) -> list[nodes.Node]:
    """Return a line with links to what shows a rule, or one of those that are stated with it, if anything does."""
    domain = dice_domain(app.env)
    found = {id(each): (page, each) for rule in block.ids for page, each in domain.showing(rule) if not each.is_hidden}
    links = [block_link(app, docname, page, each, text=each.title or each.label) for page, each in found.values()]
    return [_line(_("Shown by {blocks}"), links)] if links else []


def compact_rule(app: Sphinx, node: dice_block, block: RuleBlock, docname: str) -> list[nodes.Node]:
    """Return the words of a rule, which begin with its title, and at whose end its ids stand."""
    title = title_of(node)
    content = [child for child in node if child is not title]
    if settings_of(app.config).rule_ids:
        _append_ids(content, _linked_ids(app, block, docname))
    if title is not None:
        head = nodes.strong("", "", *title.children)
        if content and isinstance(content[0], nodes.paragraph):
            content[0][:0] = [head, nodes.Text(" ")]
        else:
            content.insert(0, nodes.paragraph("", "", head))
    return content


def rule_lines(app: Sphinx, docname: str, block: PageMechanicBlock) -> nodes.literal_block:
    """Return the lines of a rule that is a mechanic, as readers see them, with links to the rules that they play."""
    parts, done, named = list[nodes.Node](), 0, dice_domain(app.env).named()
    text = "\n".join(block.rule)
    starts = [0, *accumulate(len(line) + 1 for line in block.rule)]
    for row, at, id in find_plays(block.rule):
        if id in named:
            start = starts[row] + at
            parts += [nodes.Text(clean_lines(text[done:start])), block_link(app, docname, *named[id], text=id)]
            done = start + len(id)
    plain = clean_lines(text)
    # Sphinx highlights a text that is its own source, and would drop the links.
    written = nodes.literal_block("" if parts else plain, "", language="none", xml__space="preserve")
    written["classes"] = ["dice-rule-lines"]
    written += [*parts, nodes.Text(clean_lines(text[done:]))] if parts else [nodes.Text(plain)]
    return written


def _append_ids(content: list[nodes.Node], ids: nodes.inline) -> None:
    """Write the ids of a rule at the end of its words, or on a line below them."""
    paragraphs = [child for child in content[-1:] for child in _paragraphs(child)]
    if paragraphs:
        paragraphs[-1] += [nodes.Text(" "), ids]
    else:
        content.append(nodes.paragraph("", "", ids, classes=["dice-rule-ids-line"]))


def _linked_ids(app: Sphinx, block: RuleBlock, docname: str) -> nodes.inline:
    """Return the ids of a rule, each with a link to the first block that shows it."""
    domain = dice_domain(app.env)
    marks: list[nodes.Node] = []
    for text, ids in id_ranges(block.ids):
        showing = [each for rule in ids for each in domain.showing(rule)]
        mark = block_link(app, docname, *showing[0], text=text) if showing else nodes.inline("", clean(text))
        if isinstance(mark, nodes.reference):
            titles = dict.fromkeys(clean(each.title or each.label) for _page, each in showing)
            mark["reftitle"] = _("Shown by {blocks}").format(blocks=", ".join(titles))
        marks.append(mark)
    return nodes.inline("", "", *_joined(marks), classes=["dice-rule-ids"])


def _paragraphs(node: nodes.Node) -> list[nodes.paragraph]:
    """Return the paragraphs of a node at whose end an id has room: not those in the cells of a table."""
    if isinstance(node, nodes.paragraph):
        return [node]
    if isinstance(node, nodes.bullet_list | nodes.enumerated_list):
        return list(node.findall(nodes.paragraph))
    return []


def _linked(message: str, links: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return a message with links instead of its placeholder."""
    before, _placeholder, after = message.partition(_PLACEHOLDER)
    return [nodes.Text(before), *_joined(links), nodes.Text(after)]


def _line(message: str, links: Sequence[nodes.Node]) -> nodes.paragraph:
    """Return a paragraph: a message with links instead of its placeholder."""
    return nodes.paragraph("", "", *_linked(message, links), classes=["dice-shows"])


def _joined(links: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Return links with commas between them."""
    return [node for link in links for node in (nodes.Text(", "), link)][1:]
