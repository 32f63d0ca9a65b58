"""What happens to a page after it was read: its blocks are checked, and facts are filled into its prose.

Blocks that refer to values of others wait until all pages are read. They are then checked in the doctree that was
stored, and again whenever one of these values has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import get_filetype
from sphinx.util.nodes import make_id

from dicedocs import DiceError
from dicedocs_sphinx.blocks.base import Block, CheckResult
from dicedocs_sphinx.blocks.mechanic_block import shared_fault
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.scene import SceneBlock
from dicedocs_sphinx.book.block_labels import make_labels
from dicedocs_sphinx.book.doctests import note_doctest
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.index_entries import note_in_index
from dicedocs_sphinx.book.literal_numbers import literal_numbers
from dicedocs_sphinx.book.page_facts import PageFacts, enclosing_block, may_refer
from dicedocs_sphinx.book.page_statements import misread_markup, references, take_inlines, uncompared, uncompared_parts
from dicedocs_sphinx.book.page_tables import announce_mechanics, take_tables
from dicedocs_sphinx.book.quick_reference import note_reference_faults
from dicedocs_sphinx.book.scene_places import places_in_scenes
from dicedocs_sphinx.book.values import BookValues, Recheck
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.game_code import check_block, contained
from dicedocs_sphinx.nodes import (
    STATEMENT,
    dice_block,
    dice_computed,
    dice_example,
    dice_fact,
    dice_track,
    title_of,
)
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.statements import NUMBER, Inline, State, issue

_AFTER_SUBSTITUTIONS: Final = 230
"""Sphinx inserts translations at 20, docutils substitutions at 220; both may contain our roles."""


class CheckBlocks(SphinxTransform):
    """Check the blocks of a page that is being read."""

    default_priority = _AFTER_SUBSTITUTIONS

    def apply(self, **kwargs: Any) -> None:
        with book_language(self.env):
            CheckedPage(self.env, self.env.docname, self.document).check()


def check_waiting_blocks(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Check the blocks whose references or mechanics were unknown, or have changed; store and return their pages."""
    domain, values = dice_domain(env), BookValues(env)
    with book_language(env):
        announce_mechanics(env)
        pages = values.recheck()
    # What is computed in a sentence may refer to another page although no block of its own does.
    referring = {page for page in domain.blocks if any(map(may_refer, domain.inlines(page)))}
    changed = []
    for docname in sorted(pages.keys() | referring):
        document, before = env.get_doctree(docname), domain.inlines(docname)
        with book_language(env):
            CheckedPage(env, docname, document, values).check_again(pages.get(docname, {}))
        if docname not in pages and domain.inlines(docname) == before:
            continue
        app.builder.write_doctree(docname, document)
        # Sphinx does not expect that a doctree changes after it was loaded.
        getattr(env, "_pickled_doctree_cache", {}).pop(docname, None)
        changed.append(docname)
    return changed


class CheckedPage:
    """The blocks and the facts in the doctree of a page."""

    def __init__(
        self, env: BuildEnvironment, docname: str, document: nodes.document, values: BookValues | None = None
    ) -> None:
        self.domain, self.docname, self.document = dice_domain(env), docname, document
        settings = settings_of(env.config)
        self.seconds, self.check_literal_numbers = settings.seconds, settings.literal_numbers
        path = env.doc2path(docname)
        self.markdown = get_filetype(env.config.source_suffix, path) != "restructuredtext"
        self.nodes = list(document.findall(dice_block))
        self.facts = PageFacts(self.domain, docname, self.nodes, self.seconds, values)
        self.numbers: list[Inline] = []

    def check(self) -> None:
        """Check what needs no other page, and note all that the page states."""
        take_tables(self.nodes, self.seconds)
        labels = make_labels([node.block for node in self.nodes])
        self.places = places_in_scenes(dict(zip(self.nodes, labels, strict=True)), self.document)
        for node, label in zip(self.nodes, labels, strict=True):
            scene = self.places[node].scene if node in self.places else ""
            block = replace(node.block, label=label, scene=scene and f"{self.docname} {scene}")
            for id in (block.mechanic, *(block.played if isinstance(block, PageMechanicBlock) else ())):
                self.domain.note_code(self.docname, block.kind, id)
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
                block = replace(block, waits=bool(block.scene) or block.needs_book() or block.may_refer())
            node.block = block
            if block.waits:
                self.facts.waiting.add(node)
            else:
                self._note_check(node, check_block(block, self.seconds))
        for fact in list(self.document.findall(dice_fact)):
            around = enclosing_block(fact)
            if fact in self.places:
                fact["behind"] = self.places[fact].behind
            acting = around if around is not None and around.block.acts and around.block.scene else None
            if fact in self.places and (acting is None or isinstance(fact, dice_track | dice_computed)):
                # Inside an example it shows what the example has changed.
                fact["follows"] = self.places[fact].behind if acting is None else acting.block.label
            self.facts.fill(fact)
        self._finish(self.nodes)
        for node in self.nodes:
            note_in_index(node)
        self.domain.note_blocks(self.docname, [node.block for node in self.nodes])
        self.domain.release_labels(self.docname)
        note_reference_faults(self.document)
        inlines = [
            *take_inlines(self.document, self.docname),
            *references(self.document, self.domain.name),
            *misread_markup(self.document, markdown=self.markdown),
            *uncompared(self.nodes, self.document),
            *self.numbers,
        ]
        self.domain.note_inlines(self.docname, inlines)
        for inline in inlines:
            self.domain.report_inline(self.docname, inline)

    def check_again(self, blocks: Mapping[str, Recheck]) -> None:
        """Note what the check of blocks that refer to others found, by label, and fill in the facts that waited."""
        late = [node for node in self.nodes if node.block.label in blocks]
        for node in late:
            node.block, result = blocks[node.block.label]
            self._note_check(node, result)
        labels = {node.block.label for node in late}
        known = self.domain.inlines(self.docname)
        inlines = [each for each in known if each.role != NUMBER or each.label not in labels]
        # Rules that play others could not be read before these.
        again = list(uncompared_parts(late))
        inlines = [*(each for each in inlines if each not in again), *again]
        changed = list(self.numbers)
        for fact in self.document.findall(dice_fact):
            if fact.get("late"):
                self.facts.fill(fact)
                inlines[fact["index"]] = Inline(**fact.attributes.pop(STATEMENT))
                changed.append(inlines[fact["index"]])
        for inline in changed:
            self.domain.report_inline(self.docname, inline)
        self._finish(late)
        self._note_scenes()
        self.domain.note_blocks(self.docname, [node.block for node in self.nodes])
        self.domain.note_inlines(self.docname, [*inlines, *self.numbers])

    def _note_check(self, node: dice_block, result: CheckResult) -> None:
        issues, node["computed"], facts, notes, after = result
        block = node.block = replace(node.block, issues=issues, after=after)
        state = self._state(block)
        node.block = replace(block, state=state.value if state else "")
        self.facts.known[node] = facts
        for each in [*block.issues, *notes]:
            problem, message = Problem(each["problem"]), f"{block.label}: {each['message']}"
            if each["elsewhere"]:
                continue
            if shared_fault(block, each):
                self.domain.note_trouble(self.docname, problem)
            else:
                self.domain.report(self.docname, problem, message, block.source, each["line"])
        known = None
        if self.check_literal_numbers and facts is not None:
            # What cannot be read as text is reported where it is to be shown.
            with suppress(DiceError), contained(self.seconds):
                known = facts.numbers()
        if known is not None:
            for number, source, line in literal_numbers(node, known):
                hint = "correct it, write it as a word, or take a fact or steps.LABEL by the role dice:fact"
                message = f"{block.label}: the number {number} is not one of this example's values; {hint}"
                issues = [issue(Problem.LITERAL, message, line=line)]
                typed = Inline(label=block.label, source=source, line=line, issues=issues, role=NUMBER)
                self.numbers.append(replace(typed, state=State.FAILED.value))

    def _note_scenes(self) -> None:
        """Make each scene a test of all that is played in it."""
        acting = [node.block for node in self.nodes if node.block.acts]
        for node in self.nodes:
            scene = node.block
            if not isinstance(scene, SceneBlock):
                continue
            members = [each for each in acting if each.scene == scene.scene and not isinstance(each, SceneBlock)]
            known = not scene.issues and all(each.after is not None for each in members)
            scene = scene.with_beats(members if known else ())
            # What is wrong in it is one statement, which is counted there.
            broken = any(each.issues for each in members)
            state = State.UNVERIFIED if broken else self._state(scene)
            node.block = replace(scene, state=state.value if state else "")
            note_doctest(node, in_it=broken)

    def _state(self, block: Block) -> State | None:
        """Return the state of a block that was just checked, as far as it is its own."""
        if block.issues:
            return State.UNVERIFIED if len(block.elsewhere()) == len(block.issues) else State.FAILED
        if block.unchecked:
            return State.UNVERIFIED
        if block.verifies_itself:
            return State.VERIFIED
        if block.expect:
            # It is played with other dice, and a rule may fail with those.
            with suppress(DiceError), contained(self.seconds):
                if block.says_nothing():
                    return State.EMPTY
            return State.VERIFIED
        if block.is_test():
            return State.UNVERIFIED
        return State.COMPUTED if block.mechanic else None

    def _finish(self, blocks: Iterable[dice_block]) -> None:
        """Set the titles of blocks, which are now translated and filled in, and the doctests."""
        for node in blocks:
            if (title := title_of(node)) is not None:
                for raw in list(title.findall(nodes.raw)):
                    # MyST takes a word in angle brackets for HTML, which the text of a link cannot contain.
                    raw.replace_self(nodes.Text(raw.astext()))
                node.block = replace(node.block, title=title.astext())
            if node not in self.facts.waiting:
                note_doctest(node)


def setup_page_check(app: Sphinx) -> None:
    app.add_transform(CheckBlocks)
    app.connect("env-updated", check_waiting_blocks)
