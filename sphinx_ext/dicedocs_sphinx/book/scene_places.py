"""Where the blocks and the facts of a page stand in its scenes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from docutils import nodes

from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.mechanic_block import MechanicBlock
from dicedocs_sphinx.blocks.scene import ChangeBlock, SceneBlock, SheetBlock
from dicedocs_sphinx.nodes import ancestors, dice_block, dice_fact


class Place(NamedTuple):
    """Where a block or a fact is in a scene: the label of this, and that of the last block that acts before it."""

    scene: str
    behind: str


def places_in_scenes(labels: Mapping[dice_block, str], document: nodes.document) -> dict[nodes.Node, Place]:
    """Return the places of the blocks and the facts in scenes.

    A scene is from its place to the end of its section; of several the last one holds.
    """
    found: dict[nodes.Node, Place] = {}
    scenes: list[tuple[nodes.Node, Place]] = []
    for node in document.findall(lambda node: isinstance(node, dice_fact | dice_block)):
        around = list(ancestors(node))
        while scenes and scenes[-1][0] not in around:
            scenes.pop()
        if isinstance(node, dice_block) and isinstance(node.block, SceneBlock):
            section: nodes.Node = next(each for each in around if isinstance(each, nodes.section | nodes.document))
            found[node] = Place(labels[node], labels[node])
            scenes.append((section, found[node]))
        elif scenes and (isinstance(node, dice_fact) or (isinstance(node, dice_block) and _takes_part(node.block))):
            section, found[node] = scenes[-1]
            if isinstance(node, dice_block) and node.block.acts:
                scenes[-1] = section, found[node]._replace(behind=labels[node])
    return found


def _takes_part(block: Block) -> bool:
    in_scenes = isinstance(block, ChangeBlock | SheetBlock | MechanicBlock)
    return in_scenes and not (isinstance(block, ExampleBlock) and block.apart)
