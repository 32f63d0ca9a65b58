"""The roles: a computed fact, a link to a block, a roll or a probability in the middle of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.nodes import Element, Node, system_message
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxRole

from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.directives.inline_dice import INLINE_DICE, compute_inline
from dicedocs_sphinx.nodes import STATEMENT, UNKNOWN, dice_computed, dice_fact, dice_track, dice_words
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.source_locations import role_location

if TYPE_CHECKING:
    from dicedocs_sphinx.book.domain import DiceDomain


class FactRole(SphinxRole):
    """A fact of an example, or a value of a character, which is filled in when the page is complete."""

    position: ClassVar[type[dice_fact]] = dice_fact

    def run(self) -> tuple[list[Node], list[system_message]]:
        node = self.position(self.rawtext, UNKNOWN, path=" ".join(self.text.split()))
        self.set_source_info(node)
        return [node], []


class WordsRole(SphinxRole):
    """Words for each outcome of an example, of which those that are true are shown when the page is complete."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        node = dice_words(self.rawtext, "", path=" ".join(self.text.split()))
        # One for each condition, so that quotation marks become those of the book.
        node += [nodes.inline("", words.strip()) for words in self.text.split("|")[1:]]
        self.set_source_info(node)
        return [node], []


class TrackRole(FactRole):
    """A track of a scene, or a value of a character in it, which is drawn as it is at its place."""

    position = dice_track


class RefRole(XRefRole):
    """A link to a block."""

    def __init__(self) -> None:
        super().__init__(innernodeclass=nodes.inline, warn_dangling=True)

    def process_link(
        self, env: BuildEnvironment, refnode: Element, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        target = " ".join(target.split())
        refnode["written"] = self.text
        return title, target


class InlineDiceRole(SphinxRole):
    """A roll or a probability. If values of a scene may stand in it, it is computed when its page is complete.

    Parameters:
        role: one of :data:`~dicedocs_sphinx.directives.inline_dice.INLINE_DICE`.
    """

    def __init__(self, role: str) -> None:
        super().__init__()
        self.role = role

    def run(self) -> tuple[list[Node], list[system_message]]:
        dice = INLINE_DICE[self.role]
        domain: DiceDomain = self.env.domains["dice"]  # type: ignore[assignment]
        domain.note_code(self.env.docname, dice.kind, dice.mechanic)
        node: nodes.TextElement
        if dice.may_refer(self.text):
            words = " ".join(self.text.split())
            node = dice_computed(self.rawtext, UNKNOWN, path=words, role=self.role, classes=[dice.css_class])
            self.set_source_info(node)
            return [node], []
        source, line = role_location(*self.get_source_info(), self.text)
        with book_language(self.env):
            node, inline = compute_inline(self.role, self.text, source, line, settings_of(self.env.config).seconds)
        node[STATEMENT] = inline.data()
        return [node], []
