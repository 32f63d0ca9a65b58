"""What makes a block of a page playable: its data, which the script of the page finds at its outcome."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs import DiceError, Example
from dicedocs.render.page_example import PageExample
from dicedocs.rules.registry import ROLL
from dicedocs.scenes.beat import Beat, named_pieces
from dicedocs_sphinx.blocks.base import Block, story_until
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.mechanic_block import MechanicBlock
from dicedocs_sphinx.blocks.scene import IF, THEN, SceneBlock
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.nodes import NOTATION, TITLE, dice_block, dice_fact, dice_track, title_of
from dicedocs_sphinx.output.links import change_name
from dicedocs_sphinx.rolling.reroll import is_playable, rolls

DATA: Final = "data-dice"
"""The attribute of an outcome that can be played."""


_ROLL: Final = "data-dice-roll"
"""The attribute of a roll in a sentence that can be played."""
_BEAT: Final = "data-dice-beat"
"""The attribute of what happens in a scene and has no outcome to be seen."""


def playable_html(
    app: Sphinx,
    node: dice_block,
    html: str,
    example: PageExample,
    *,
    beat: Beat | None = None,
    chance: bool = False,
    odds: bool = False,
) -> str:
    """Return the HTML of an outcome with the data by which the page plays it, if the page can.

    Parameters:
        app: the application.
        node: the block.
        html: what the book shows, a single element.
        example: what is played.
        beat: its place in a scene, if it is in one.
        chance: whether dice were thrown, so that another roll may be different.
        odds: whether it shows odds, so that there is no roll of the book.
    """
    if not is_playable(app, example.mechanic):
        return html
    try:
        Example(example.mechanic, example.parameters).rule()
    except DiceError:
        return html
    told = any(child is not title_of(node) for child in node[:-1])
    tag, rest = html.split(" ", 1)
    data = _data(node.block.label, example, told=told, chance=chance, odds=odds)
    if beat is not None:
        data["beat"] = beat._asdict()
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
    parameters = block.parameters if isinstance(block, MechanicBlock) else ()
    refers = {name: named_pieces(block.refers[name]) for name in parameters if name in block.refers}
    labels = {name: label(name) for name in block.before}
    beat = Beat(block.scene, block.label, block.before, refers=refers, labels=labels)
    step = block.scene_step()
    if step is None:
        # Odds change nothing, and only some of them take something of the story.
        return beat if block.refers else None
    return beat._replace(
        then=named_pieces(block.refers.get(THEN, [step["then"]])),
        seed=step["seed"],
        dice=step["dice"],
        name=change_name(block),
        url=f"#{block.anchor}",
        when=named_pieces(block.refers.get(IF, [step["when"]])),
    )


def _is_story(app: Sphinx, block: Block) -> bool:
    """Return whether a block is in a scene whose examples the page can all play, behind its beginning."""
    members = [each for each in _page_of(app, block) if each.scene == block.scene and isinstance(each, ExampleBlock)]
    behind = bool(block.scene) and not isinstance(block, SceneBlock)
    return behind and rolls(app) and all(is_playable(app, each.mechanic) for each in members)


def _page_of(app: Sphinx, block: Block) -> Sequence[Block]:
    """Return the blocks of the page of a block in a scene."""
    return dice_domain(app.env).blocks.get(block.scene.rpartition(" ")[0], ())


def fact_attributes(app: Sphinx, fact: dice_fact) -> str:
    """Return the attributes by which a page finds a fact of a scene in its text; empty for any other fact."""
    if not rolls(app):
        return ""
    blocks = {each.label: each for each in dice_domain(app.env).blocks.get(fact.get("page", ""), ())}
    path = " ".join(fact["path"].split())
    around = fact.parent
    while around is not None and not isinstance(around, dice_block):
        if isinstance(around, nodes.title) or TITLE in around["classes"]:
            # It is shown elsewhere too.
            return ""
        around = around.parent
    block = blocks.get(fact.get("follows", ""))
    if around is not None:
        block = _acting(app, around.block)
    name, dot, inner = path.partition(".")
    if dot and name in blocks and not (block is not None and StateFacts(block.after or {}).has(path)):
        block, path = blocks[name], inner
    if block is None or not _is_story(app, block):
        return ""
    return _after("track" if isinstance(fact, dice_track) else "fact", path, block)


def sheet_attributes(app: Sphinx, sheet: Block) -> str:
    """Return the attributes by which a page finds the sheet of a scene; empty if the page cannot play the scene."""
    block = _acting(app, sheet)
    return _after("sheet", "", block) if block is not None and _is_story(app, block) else ""


def _acting(app: Sphinx, block: Block) -> Block | None:
    """Return a block, or the last one before it in its scene that says what the state is; ``None`` if in no scene."""
    return next(reversed(story_until(_page_of(app, block), block)), None)


def _after(kind: str, path: str, block: Block) -> str:
    """Return the attributes of what shows the state after a block."""
    after = json.dumps({"scene": block.scene, "label": block.label}, ensure_ascii=False)
    return f'data-dice-{kind}="{escape(path)}" data-dice-after="{escape(after)}"'


def unseen_beat(beat: Beat | None, example: PageExample | None = None) -> list[nodes.Node]:
    """Return the data of what happens in a scene and has no outcome to be seen, if it has a place there."""
    if beat is None:
        return []
    data = {"beat": beat._asdict(), "example": None if example is None else example.data()}
    return [nodes.raw("", f"<span hidden {_attribute(_BEAT, data)}></span>", format="html")]


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


def _data(name: str, example: PageExample, **more: bool) -> dict[str, Any]:
    return {"name": name, "example": example.data(), **more}


def _attribute(attribute: str, data: Mapping[str, Any]) -> str:
    return f'{attribute}="{escape(json.dumps(data, ensure_ascii=False, separators=(",", ":")))}"'
