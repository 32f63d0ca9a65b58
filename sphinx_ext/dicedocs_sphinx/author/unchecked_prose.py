"""Prose of pages that roll which nothing checks: it stands beside any roll of a reader, whatever comes up."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs import DiceError
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.change import state_facts
from dicedocs.scenes.page_text import PageText
from dicedocs.scenes.story import Story
from dicedocs_sphinx.author.book_reading import domain_of
from dicedocs_sphinx.author.unchecked import Unchecked
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.scene import ChangeBlock, SceneBlock
from dicedocs_sphinx.game_code import contained
from dicedocs_sphinx.nodes import (
    FACT,
    OF_BLOCK,
    ancestors,
    dice_block,
    dice_case,
    dice_choice,
    dice_computed,
    dice_track,
    dice_words,
    is_in_title,
    is_title,
    prose_of,
    text_around,
)
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.source_locations import source_location

_ROLLS: Final = 50
"""How often each example and each scene is played: what is true of all these rolls is taken for no verdict."""
_SHOWN: Final = 100
"""The number of characters of a text that are shown."""
_FOLLOWS: Final = ":text: follows"
"""What takes the text of a block off the list that is true of any roll."""
_Play = Mapping[str, tuple[Outcome | None, Mapping[str, object]]]
"""What an example or a scene came to, by label: the outcome, if there is one, and the state behind it as facts."""


def unchecked_prose(app: Sphinx) -> list[Unchecked]:
    """Return the texts of a book that nothing checks when its readers roll.

    They stand as printed beside every roll: their page greys a text only when something in the roll that is not a
    number differs from the book. Of texts with words for each outcome, what stands around the words does. Left out are
    texts whose author says with the option ``text`` whose roll they tell. A book whose pages do not roll has none.
    """
    if not settings_of(app.config).reroll:
        return []
    return [each for page in sorted(domain_of(app).blocks) for each in _PageProse(app, page).unchecked()]


class _PageProse:
    """The texts of a page, and what comes up when its readers roll.

    Parameters:
        app: Sphinx, which has read the book.
        page: the name of the page.
    """

    def __init__(self, app: Sphinx, page: str) -> None:
        self._page, self._seconds = page, settings_of(app.config).seconds
        self._doctree = app.env.get_doctree(page)
        self._blocks = {each.label: each for each in domain_of(app).blocks[page]}
        self._plays: dict[str, list[_Play]] = {}
        self._shown: dict[str, list[str]] = {}

    def unchecked(self) -> list[Unchecked]:
        """Return the texts of the page that nothing checks."""
        decided = {text_around(node) for node in self._doctree.findall(_decides) if not is_in_title(node)}
        worded = {text_around(node) for node in self._doctree.findall(dice_words) if not is_in_title(node)}
        about = {node: labels for node, labels in self._texts().items() if node not in decided}
        found = [node for node, labels in about.items() if all(map(self._is_kept, labels))]
        found += [
            node for node, label in self._narration() if node not in decided | about.keys() and self._rolls(label)
        ]
        found += [node for node in worded if isinstance(node, nodes.Element) and not _told_whose(node)]
        return [self._prose(node, words=node in worded) for node in found]

    def _texts(self) -> dict[nodes.Element, set[str]]:
        """Return the texts that are about something which rolls, each with the labels of that."""
        about: dict[nodes.Element, set[str]] = {}
        for node in self._doctree.findall(dice_block):
            block = node.block
            if isinstance(block, ExampleBlock | ChangeBlock) and not block.is_hidden and prose_of(node):
                about[node] = {block.label}
        for fact in self._doctree.findall(nodes.inline):
            page, _space, label = fact.get(OF_BLOCK, "").partition(" ")
            text = text_around(fact)
            is_own = page == self._page and isinstance(self._blocks.get(label), ExampleBlock | ChangeBlock)
            if not is_own or isinstance(fact, dice_track) or is_in_title(fact) or FACT not in fact:
                continue
            if isinstance(text, nodes.Element) and (text in about or not isinstance(text, dice_block)):
                about.setdefault(text, set()).add(label)
                self._shown.setdefault(label, []).append(fact[FACT])
        return about

    def _narration(self) -> Iterator[tuple[nodes.Element, str]]:
        """Yield the paragraphs of scenes, each with the label of what happened last."""
        section, behind = None, ""
        for node in self._doctree.findall(lambda node: isinstance(node, dice_block | nodes.paragraph)):
            around = list(ancestors(node))
            if isinstance(node, nodes.paragraph):
                in_text = not any(isinstance(each, dice_block | dice_case) for each in around) and not is_title(node)
                if behind and section in around and in_text:
                    yield node, behind
            elif isinstance(node, dice_block) and isinstance(node.block, SceneBlock):
                section, behind = around[0], ""
            elif isinstance(node, dice_block) and node.block.scene and node.block.acts:
                behind = node.block.label

    def _is_kept(self, label: str) -> bool:
        """Return whether the page keeps the text about a block beside every roll, and its author does not say why."""
        block = self._blocks[label]
        if not self._rolls(label) or not isinstance(block, ExampleBlock | ChangeBlock) or block.text:
            return False
        book, *plays = self._played(label)
        text = PageText(label, tuple(self._shown.get(label, ()))).of_book(*book[label])
        return all(text.facts(*play[label]) is not None for play in plays if label in play)

    def _rolls(self, label: str) -> bool:
        """Return whether dice are thrown for a block, or in its scene."""
        outcomes = [outcome for play in self._played(label) for outcome, _state in play.values()]
        return label in next(iter(self._played(label)), ()) and any(each and each.dice for each in outcomes)

    def _played(self, label: str) -> list[_Play]:
        """Return the plays of the example or the scene of a block: the one in the book, then others."""
        block = self._blocks[label]
        key = block.scene or label
        if key not in self._plays:
            self._plays[key] = []
            members = [each for each in self._blocks.values() if block.scene and each.scene == block.scene]
            acting = [each for each in members or [block] if each.acts and not isinstance(each, SceneBlock)]
            # What is wrong with a rule was reported when its block was checked.
            with suppress(DiceError), contained(self._seconds):
                self._plays[key] = [_play(acting, number) for number in range(_ROLLS + 1)]
        return self._plays[key]

    def _prose(self, node: nodes.Element, *, words: bool) -> Unchecked:
        texts = prose_of(node) if isinstance(node, dice_block) else [node]
        first = next((each for each in texts if words and any(each.findall(dice_words))), texts[0])
        file, line = source_location(first.source, first.line)
        shown = first.deepcopy()
        for each in list(shown.findall(dice_words)):
            each.replace_self(nodes.Text(" | ".join(way.astext() for way in each.children)))
        text = textwrap.shorten(shown.astext(), _SHOWN, placeholder=" …")
        write = _FOLLOWS if isinstance(node, dice_block) else ""
        return Unchecked(file, line, "words" if words else "prose", text, write)


def _play(acting: Sequence[Block], number: int) -> _Play:
    """Play an example or a scene with the dice of the book, or with those of another number than 0."""

    def roll(beat: Beat) -> Outcome | None:
        if beat.example is None or not number:
            return beat.roll()
        return beat.example._replace(seed=f"{beat.label} {number}", dice=None).play()

    beats = [beat._replace(expect="") for block in acting if (beat := block.beat()) is not None]
    story = Story(acting[0].before or {}).play(beats, roll)
    return {told.beat.label: (told.outcome, state_facts(told.after)) for told in story if told.error is None}


def _told_whose(text: nodes.Element) -> bool:
    """Return whether the author says whose roll the text of a block tells."""
    return isinstance(text, dice_block) and bool(getattr(text.block, "text", ""))


def _decides(node: nodes.Node) -> bool:
    """Return whether a node makes the text around it one that follows each roll, or that always tells the book's."""
    return isinstance(node, dice_choice | dice_case | dice_computed)
