"""Blocks: what an author wrote with one directive, as plain data, and one class per kind that knows how to check it.

To add a kind of block, such as a scene:

1. Here, ``scene.py``: a ``TypedDict`` that extends :class:`Block` (or :class:`~.mechanic_block.MechanicBlock`), and a
   ``class SceneKind(BlockKind[Scene], name="scene", options=("name", "class", "mood"))`` whose ``check`` returns the
   issues. It may also say what ``dice:fact`` reads (``facts``) and what is tested (``expectation``, ``doctest``).
2. In ``directives/scene.py``: ``class SceneDirective(BlockDirective, kind=SceneKind)`` with ``make_block``; with
   ``node = dice_mechanic`` it has a doctest, and its prose may name its own facts.
3. In ``output/scene.py``: ``@writes("scene") def write_scene(app, node, docname)``. Without it a page shows the title,
   the prose and the issues.

All modules of the three folders are found by themselves. A module elsewhere is imported by ``conf.py``, in which case
the three classes may share it. Nothing else needs an edit: the build, doctest, pytest, references and the inventory
ask the kind by the field ``kind`` of the block, and an edit of the module has its pages read again.
"""

from __future__ import annotations

from typing import Any

from dicedocs_sphinx.blocks.base import KINDS, Block, BlockKind
from dicedocs_sphinx.discovery import import_modules


def find_kind(name: str) -> BlockKind[Any]:
    """Return the kind that has a name."""
    import_modules(__name__)
    return KINDS[name]


def kind_of(block: Block) -> BlockKind[Any]:
    """Return the kind of a block."""
    return find_kind(block["kind"])
