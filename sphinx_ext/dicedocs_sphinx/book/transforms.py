"""What happens to a page after it was read: its blocks are checked, and facts are filled into its prose.

Blocks that refer to characters wait until all pages are read. They are then checked in the doctree that was stored,
and again whenever one of these characters has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import get_filetype
from sphinx.util.nodes import make_id

from dicedocs import DiceError
from dicedocs.errors import quoted
from dicedocs.render.words import clean
from dicedocs_sphinx.blocks.base import Block, Facts
from dicedocs_sphinx.blocks.mechanic_block import shared_fault
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.book.doctests import note_doctest
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.literal_numbers import literal_numbers
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.containment import check_block, contained, problem_of
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.misspelled import misspellings, one_colon
from dicedocs_sphinx.nodes import UNKNOWN, dice_block, dice_example, dice_fact, dice_mechanic, title_of, value_node
from dicedocs_sphinx.source_locations import comment_location, role_location

_AFTER_SUBSTITUTIONS: Final = 230
"""Sphinx inserts translations at 20, docutils substitutions at 220; both may contain our roles."""
_LITERAL_NUMBERS: Final = (
    "whether a number that is typed in the prose of an example, and that no value of the example equals, is a warning"
)


class CheckBlocks(SphinxTransform):
    """Check the blocks of a page that is being read."""

    default_priority = _AFTER_SUBSTITUTIONS

    def apply(self, **kwargs: Any) -> None:
        with book_language(self.env):
            page = Page(self.env, self.env.docname, self.document)
            page.check_blocks()
            page.check_comments()
            page.check_markup()


def check_waiting_blocks(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Check the blocks whose characters were unknown before, or have changed; store and return their pages."""
    domain = dice_domain(env)
    uses = domain.character_uses
    pages = [page for page in sorted(uses) if uses[page] != domain.character_stamps(page)]
    for docname in pages:
        document = env.get_doctree(docname)
        with book_language(env):
            Page(env, docname, document).check_waiting_blocks()
        uses[docname] = domain.character_stamps(docname)
        app.builder.write_doctree(docname, document)
        # Sphinx does not expect that a doctree changes after it was loaded.
        getattr(env, "_pickled_doctree_cache", {}).pop(docname, None)
    return pages


class Page:
    """The blocks and the facts in the doctree of a page."""

    def __init__(self, env: BuildEnvironment, docname: str, document: nodes.document) -> None:
        self.domain, self.docname, self.document = dice_domain(env), docname, document
        self.seconds: float = env.config.dicedocs_seconds
        self.check_literal_numbers: bool = env.config.dicedocs_literal_numbers
        path = env.doc2path(docname)
        self.markdown = get_filetype(env.config.source_suffix, path) != "restructuredtext"
        self.nodes = list(document.findall(dice_block))
        self.named = {node.block.name: node for node in reversed(self.nodes)}
        self.waiting: set[dice_block] = set()
        self.facts: dict[dice_block, Facts | None] = {}

    def check_blocks(self) -> None:
        """Check the blocks that refer to no character, fill in the facts that are known, and note all blocks."""
        labels = make_labels([node.block for node in self.nodes])
        for node, label in zip(self.nodes, labels, strict=True):
            block = replace(node.block, label=label)
            self.domain.note_code(self.docname, block.kind, block.mechanic)
            for rule in block.shows:
                self.domain.note_use(self.docname, rule)
            if not block.anchor:
                # The rules that it shows, and the lists of all examples, link to it.
                block = replace(block, anchor=make_id(self.domain.env, self.document, "dice", label))
                if isinstance(node, dice_example):
                    # Sphinx has given it a number as its id, to be able to number it.
                    named = set(self.document.nameids.values())
                    node["ids"] = [id for id in node["ids"] if id in named]
                node["ids"].append(block.anchor)
            # An error is reported when the block is checked.
            with suppress(DiceError), contained(self.seconds):
                block = block.with_references()
            node.block = block
            if block.references:
                self.waiting.add(node)
                names = (text.partition(".")[0] for text in block.references.values())
                self.domain.note_characters(self.docname, names)
            else:
                self._check(node)
        for fact in list(self.document.findall(dice_fact)):
            self._fill(fact)
        self._finish(self.nodes)
        for node in self.nodes:
            self._note_in_index(node)
        self.domain.note_blocks(self.docname, [node.block for node in self.nodes])

    def check_comments(self) -> None:
        """Report the comments that were meant to be directives."""
        for comment in self.document.findall(nodes.comment):
            if message := one_colon(comment):
                location = comment_location(comment.source, comment.line, comment.astext())
                self._report(Problem.REFERENCE, message, *location)

    def check_markup(self) -> None:
        """Report directives and roles that the parser has taken for words or code."""
        for each in misspellings(self.document, markdown=self.markdown):
            self._report(Problem.REFERENCE, *each)

    def check_waiting_blocks(self) -> None:
        """Check the blocks that refer to characters, and fill in the facts that had to wait for them."""
        characters = self.domain.named_characters()
        late = [node for node in self.nodes if node.block.references]
        for node in late:
            node.block = node.block.with_characters(characters)
            self._check(node)
        for fact in list(self.document.findall(dice_fact)):
            if fact.get("late"):
                fact.attributes.pop("text", None)
                self._fill(fact)
        self._finish(late)
        self.domain.note_blocks(self.docname, [node.block for node in self.nodes])

    def _check(self, node: dice_block) -> None:
        issues, node["computed"], facts, notes = check_block(node.block, self.seconds)
        block = node.block = replace(node.block, issues=issues)
        self.facts[node] = facts
        for issue in [*block.issues, *notes]:
            message = f"{block.label}: {issue['message']}"
            if shared_fault(block, issue):
                self.domain.note_trouble(self.docname, Problem(issue["problem"]))
            else:
                self._report(Problem(issue["problem"]), message, block.source, issue["line"])
        known = None
        if self.check_literal_numbers and facts is not None:
            # What cannot be read as text is reported where it is to be shown.
            with suppress(DiceError), contained(self.seconds):
                known = facts.numbers()
        if known is not None:
            for number, source, line in literal_numbers(node, known):
                hint = "correct it, write it as a word, or take a fact or steps.LABEL by the role dice:fact"
                message = f"{block.label}: the number {number} is not one of this example's values; {hint}"
                self._report(Problem.LITERAL, message, source, line)

    def _facts(self, node: dice_block) -> Facts | None:
        if node not in self.facts:
            self.facts[node] = node.block.facts()
        return self.facts[node]

    def _fill(self, node: dice_fact) -> None:
        """Fill in a fact, or mark it if it depends on a block that waits, or on another page."""
        try:
            with contained(self.seconds):
                self._fill_in(node)
        except DiceError as error:
            self._give_up(node, str(error), problem_of(error, Problem.FACT))

    def _fill_in(self, node: dice_fact) -> None:
        """Fill in a fact as :meth:`_fill` does; raise a :class:`DiceError` if there is none."""
        path: str = node["path"]
        name, dot, inner = path.partition(".")
        around = _enclosing_block(node)
        if around is None and not dot:
            outside = f"the fact {quoted(path)} is outside of an example; write its name before it, as in name.fact"
            self._give_up(node, "" if isinstance(node.parent, nodes.substitution_definition) else outside)
            return
        if around in self.waiting:
            node["late"] = True
            return
        facts = None if around is None else self._facts(around)
        # A fact of the enclosing block comes first, even if the rest of the path is wrong.
        if dot and (facts is None or not facts.has(path)):
            block = self.named.get(name) if name else None
            if block in self.waiting:
                node["late"] = self._may_wait(node)
                return
            if block is None:
                if self._may_wait(node):
                    node["quiet"] = around is not None and facts is None
                    self.domain.note_use(self.docname, path)
                return
            facts, path = self._facts(block), inner
        self._put(node, UNKNOWN if facts is None else facts.text(path))

    def _may_wait(self, node: dice_fact) -> bool:
        """Return whether a fact may be filled in later: not in a heading, which Sphinx copies before that."""
        if isinstance(node.parent, nodes.title) and isinstance(node.parent.parent, nodes.section | nodes.document):
            path = quoted(node["path"])
            self._give_up(node, f"a heading cannot show {path}, which is known only when all pages are read")
            return False
        return True

    def _put(self, node: dice_fact, text: str) -> None:
        """Replace a fact by its text; one that may still change keeps its node."""
        if node.get("late"):
            node["text"] = text
            node[:] = value_node(text).children
        else:
            node.replace_self(value_node(text))

    def _finish(self, blocks: Iterable[dice_block]) -> None:
        """Set the titles of blocks, which are now translated and filled in, and the doctests."""
        for node in blocks:
            if (title := title_of(node)) is not None:
                for raw in list(title.findall(nodes.raw)):
                    # MyST takes a word in angle brackets for HTML, which the text of a link cannot contain.
                    raw.replace_self(nodes.Text(raw.astext()))
                node.block = replace(node.block, title=title.astext())
            if node not in self.waiting:
                note_doctest(node)

    def _note_in_index(self, node: dice_block) -> None:
        """Put the title of a block into the general index; one that may still change has no place there."""
        block, title = node.block, title_of(node)
        # A reader looks for words, not for the id of a rule.
        if (
            title is None
            or (isinstance(block, RuleBlock) and not block.words)
            or next(iter(title.findall(dice_fact)), None) is not None
        ):
            return
        # A semicolon would make the rest of the title an entry below the first part; TeX has no U+FFFD.
        text = clean(block.title).replace(";", ",").replace("\ufffd", "").strip()
        if not text:
            return
        entry = ("single", text, block.anchor, "", None)
        position = addnodes.index(entries=[entry])
        position.source, position.line = node.source, node.line
        node.parent.insert(node.parent.index(node), position)

    def _give_up(self, node: dice_fact, message: str, problem: Problem = Problem.FACT) -> None:
        """Show that a fact is unknown, and report why."""
        if message:
            self._report(problem, message, *role_location(node.source, node.line, node["path"]))
        self._put(node, UNKNOWN)

    def _report(self, problem: Problem, message: str, source: str, line: int) -> None:
        self.domain.report(self.docname, problem, message, source, line)


def make_labels(blocks: Sequence[Block]) -> list[str]:
    """Return the label of each block of a page: its name, or its kind and its number among the blocks of that kind.

    A name that an earlier block has is none. A number that makes a name of this page is followed by another one, so
    that names never change the labels of other blocks any further.
    """
    names = {block.name for block in blocks if block.name}
    labels: list[str] = []
    counts: Counter[str] = Counter()
    for block in blocks:
        counts[block.kind] += 1
        label = block.name
        if not label or label in labels:
            label = first = f"{block.kind}-{counts[block.kind]}"
            others = count(2)
            while label in names or label in labels:
                label = f"{first}-{next(others)}"
        labels.append(label)
    return labels


def _enclosing_block(node: nodes.Element) -> dice_mechanic | None:
    parent = node.parent
    while parent is not None and not isinstance(parent, dice_mechanic):
        parent = parent.parent
    return parent


def setup_transforms(app: Sphinx) -> None:
    app.add_config_value("dicedocs_literal_numbers", False, "env", bool, _LITERAL_NUMBERS)
    app.add_transform(CheckBlocks)
    app.connect("env-updated", check_waiting_blocks)
