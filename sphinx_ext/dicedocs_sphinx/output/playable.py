"""What makes a block of a page playable: its data, which the script of the page finds at its outcome."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final, Literal

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs import DiceError, Example
from dicedocs.render.page_example import PageExample
from dicedocs.rules.registry import ROLL
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.page_text import PageText, TextChoice
from dicedocs_sphinx.blocks.base import Block, story_until
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.mechanic_block import MechanicBlock
from dicedocs_sphinx.blocks.scene import SceneBlock
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.nodes import (
    FACT,
    NOTATION,
    OF_BLOCK,
    block_around,
    dice_block,
    dice_case,
    dice_choice,
    dice_computed,
    dice_track,
    dice_words,
    is_in_title,
    text_around,
    title_of,
)
from dicedocs_sphinx.output.links import change_name, page_of
from dicedocs_sphinx.rolling.reroll import is_playable, rolls

DATA: Final = "data-dice"
"""The attribute of an outcome that can be played."""


_ROLL: Final = "data-dice-roll"
"""The attribute of a roll in a sentence that can be played."""
_BEAT: Final = "data-dice-beat"
"""The attribute of what happens in a scene and has no outcome to be seen."""
_HANGS_ON: Final = "data-dice-of"
"""The attribute of what is shown in a text, with the keys of the blocks on which this hangs."""


def playable_html(
    app: Sphinx,
    node: dice_block,
    html: str,
    example: PageExample,
    *,
    text: PageText | None = None,
    hangs_on: Sequence[str] = (),
    beat: Beat | None = None,
    chance: bool = False,
    odds: bool = False,
    table: bool = False,
) -> str:
    """Return the HTML of an outcome with the data by which the page plays it, if the page can.

    Parameters:
        app: the application.
        node: the block.
        html: what the book shows, a single element.
        example: what is played.
        text: the text about it, unless it shows odds.
        hangs_on: the keys of the blocks on which its own text hangs; none if it has no text.
        beat: its place in a scene, if it is in one.
        chance: whether dice were thrown, so that another roll may be different.
        odds: whether it shows odds, so that there is no roll of the book.
        table: whether it is what stands below a table, which the book does not roll on.
    """
    if not is_playable(app, example.mechanic):
        return html
    try:
        rule = Example(example.mechanic, example.parameters).rule()
    except DiceError:
        return html
    tag, rest = html.split(" ", 1)
    asks = [name for name, field in type(rule).parameters().items() if field.kind.undecided]
    # Whoever is asked may throw dice where the book throws none.
    data = _data(node.block.label, example, chance=chance or bool(asks and not odds), odds=odds, table=table)
    if asks:
        data["asks"] = asks
    if text is not None:
        data |= {"text": text._asdict(), "of": hangs_on}
    if beat is not None:
        data["beat"] = beat.data()
    return f"{tag} {_attribute(DATA, data)} {rest}"


def beat_of(app: Sphinx, block: Block, label: Callable[[str], str]) -> Beat | None:
    """Return the place of a block in its scene, by which the page plays it in another state; ``None`` if it cannot.

    Parameters:
        app: the application.
        block: the block.
        label: returns the name of a value of the scene for readers.
    """
    if block.before is None or not _is_story(app, block):
        return None
    beat = block.beat()
    if beat is None and isinstance(block, MechanicBlock) and (block.refers or block.formulas):
        # Odds change nothing, and only some of them take something of the story.
        example = Example(block.mechanic, block.parameters)
        beat = Beat(block.label, example, formulas=block.formulas, blanks=block.blanks(block.parameters))
    if beat is None:
        return None
    # What the book expects is nothing that its reader must roll.
    return beat._replace(
        expect="",
        scene=block.scene,
        before=block.before,
        labels={name: label(name) for name in block.before},
        name=change_name(block),
        url=f"#{block.anchor}",
    )


def _is_story(app: Sphinx, block: Block) -> bool:
    """Return whether a block is in a scene whose examples the page can all play, behind its beginning."""
    members = [each for each in _page_of(app, block) if each.scene == block.scene and isinstance(each, ExampleBlock)]
    behind = bool(block.scene) and not isinstance(block, SceneBlock)
    return behind and rolls(app) and all(is_playable(app, each.mechanic) for each in members)


def _page_of(app: Sphinx, block: Block) -> Sequence[Block]:
    """Return the blocks of the page of a block in a scene."""
    return dice_domain(app.env).blocks.get(block.scene.rpartition(" ")[0], ())


class PageTexts:
    """The texts of a page, and what they show of the blocks that its reader can roll.

    Parameters:
        app: the application.
        doctree: the page, none of whose facts is written yet.
        docname: its name.
    """

    def __init__(self, app: Sphinx, doctree: nodes.document, docname: str) -> None:
        self._app, self._docname = app, docname
        self._shown: dict[str, list[str]] = {}
        self._conditions: dict[str, list[str]] = {}
        self._followed: dict[str, list[str]] = {}
        self._hangs: dict[nodes.Node, list[str]] = {}
        # What is computed from the values of a scene has those of the book, and so has the rest of its text.
        self._fixed = {text_around(computed) for computed in doctree.findall(dice_computed)}
        choices = [node for node in doctree.findall() if isinstance(node, dice_words | dice_case)]
        # Words for each outcome make the rest of their text follow, too.
        texts = {text_around(node) for node in choices if not is_in_title(node)} - self._fixed
        self._prepared = {text for text in texts if not _is_of_book(text)}
        for fact in doctree.findall(nodes.inline) if rolls(app) else ():
            if not self._follows(fact):
                continue
            text = text_around(fact)
            if isinstance(fact, dice_choice):
                if text in self._prepared:
                    found = self._conditions.setdefault(fact[OF_BLOCK], [])
                    conditions: list[tuple[str, bool]] = fact.get("cases", [])
                    found += [condition for condition, _ in conditions]
            elif text in self._prepared and not isinstance(fact, dice_track):
                self._followed.setdefault(fact[OF_BLOCK], []).append(fact[FACT])
            else:
                own = [self.key(text)] if isinstance(text, dice_block) else []
                self._shown.setdefault(fact[OF_BLOCK], []).append(fact[FACT])
                self._hangs.setdefault(text, own).append(fact[OF_BLOCK])

    def _follows(self, fact: nodes.inline) -> bool:
        """Return whether a fact is one of a block that the page can roll, or that follows from one."""
        block = None if isinstance(fact, dice_track) else self._block(fact)
        node = block_around(fact)
        around = node and node.block
        in_title = is_in_title(fact)
        if block is None or text_around(fact) in self._fixed or (in_title and not isinstance(around, ExampleBlock)):
            # The title of anything else is shown elsewhere too.
            return False
        if block.scene:
            return _is_story(self._app, block)
        # What another block took from it, that one took from the book.
        taken = around is not None and around.label != block.label and block.name in around.source_names()
        can_roll = isinstance(block, ExampleBlock) and not block.is_hidden and is_playable(self._app, block.mechanic)
        return can_roll and not taken

    def _block(self, fact: nodes.inline) -> Block | None:
        page, _space, label = fact.get(OF_BLOCK, "").partition(" ")
        return next((each for each in dice_domain(self._app.env).blocks.get(page, ()) if each.label == label), None)

    def key(self, node: dice_block) -> str:
        """Return the key of a block, which no other one of the book has."""
        return f"{page_of(self._app, node, self._docname)} {node.block.label}"

    def text(self, key: str, choice: TextChoice | Literal[""]) -> PageText:
        """Return what the page says of a block, given its key and what its author chose."""
        shown, conditions, followed = (
            tuple(dict.fromkeys(found.get(key, ()))) for found in (self._shown, self._conditions, self._followed)
        )
        return PageText(key, shown, choice=choice, conditions=conditions, followed=followed)

    def followed_key(self, choice: nodes.Node) -> str:
        """Return the key of the block whose roll decides on words; empty if they are always those of the book."""
        if not isinstance(choice, dice_choice) or not self._follows(choice) or "cases" not in choice:
            return ""
        return str(choice[OF_BLOCK]) if text_around(choice) in self._prepared else ""

    def choice(self, node: dice_block, chosen: TextChoice | Literal[""]) -> TextChoice | Literal[""]:
        """Return whose roll the text of a block tells, given what its author chose."""
        return "book" if node in self._fixed else chosen

    def hangs_on(self, node: dice_block) -> list[str]:
        """Return the keys of the blocks on which the text of a block hangs; none if it has no text."""
        if node in self._prepared:
            return []
        told = node in self._hangs or any(child is not title_of(node) for child in node[:-1])
        return list(dict.fromkeys([self.key(node), *self._hangs.get(node, ())])) if told else []

    def attributes(self, fact: nodes.inline) -> str:
        """Return the attributes by which a page finds a fact or a track in its text; empty for one that is fixed."""
        if isinstance(fact, dice_track):
            block = self._block(fact)
            played = block is not None and _is_story(self._app, block)
            return _after("track", fact[FACT], fact[OF_BLOCK]) if played else ""
        if not self._follows(fact):
            return ""
        if text_around(fact) in self._prepared:
            return f'data-dice-fact="{escape(fact[FACT])}" data-dice-words="{escape(fact[OF_BLOCK])}"'
        keys = dict.fromkeys([fact[OF_BLOCK], *self._hangs[text_around(fact)]])
        return f'data-dice-fact="{escape(fact[FACT])}" {told_attribute(list(keys))}'


def told_attribute(hangs_on: Sequence[str]) -> str:
    """Return the attribute of what is shown in a text, given the keys of the blocks on which this hangs."""
    return f'{_HANGS_ON}="{escape(json.dumps(hangs_on, ensure_ascii=False))}"'


def _is_of_book(text: nodes.Node) -> bool:
    """Return whether the author of a text says that it always tells the book's roll."""
    return isinstance(text, dice_block) and getattr(text.block, "text", "") == "book"


def sheet_attributes(app: Sphinx, sheet: Block) -> str:
    """Return the attributes by which a page finds the sheet of a scene; empty if the page cannot play the scene."""
    block = next(reversed(story_until(_page_of(app, sheet), sheet)), None)
    if block is None or not _is_story(app, block):
        return ""
    return _after("sheet", "", f"{block.scene.rpartition(' ')[0]} {block.label}")


def _after(kind: str, path: str, key: str) -> str:
    """Return the attributes of what shows the state after a block."""
    return f'data-dice-{kind}="{escape(path)}" data-dice-after="{escape(key)}"'


def unseen_beat(beat: Beat, text: PageText, example: PageExample | None = None) -> nodes.Node:
    """Return the data of what happens in a scene and has no outcome to be seen."""
    data = {"beat": beat.data(), "text": text._asdict(), "example": None if example is None else example.data()}
    return nodes.raw("", f"<span hidden {_attribute(_BEAT, data)}></span>", format="html")


def write_rolls(app: Sphinx, doctree: nodes.document) -> None:
    """Make the rolls in the sentences of a page playable, if it can play them."""
    for roll in list(doctree.findall(nodes.inline)):
        notation = roll.attributes.pop(NOTATION, "")
        if notation and is_playable(app, ROLL):
            attribute = _attribute(_ROLL, _data("", PageExample(ROLL, {"notation": notation}, title=notation)))
            start = nodes.raw("", f'<span class="{" ".join(roll["classes"])}" {attribute}>', format="html")
            # Not `replace_self`, which would give the class to the first of them.
            index = roll.parent.index(roll)
            roll.parent[index : index + 1] = [start, *roll.children, nodes.raw("", "</span>", format="html")]


def _data(name: str, example: PageExample, **more: object) -> dict[str, Any]:
    return {"name": name, "example": example.data(), **more}


def _attribute(attribute: str, data: Mapping[str, Any]) -> str:
    return f'{attribute}="{escape(json.dumps(data, ensure_ascii=False, separators=(",", ":")))}"'
