"""Blocks: what an author wrote with one directive. Each kind is a class that is read, checked and tested here.

To add a kind of block, such as a countdown:

1. Here, ``countdown.py``: a frozen dataclass ``Countdown(Block, kind="countdown", options=("name", "class"))``, or
   one that extends :class:`~.mechanic_block.MechanicBlock`. ``read`` returns its fields, ``check`` the issues. It
   may also say what ``dice:fact`` reads (``facts``) and what is tested (``expect``, ``doctest``).
2. In ``directives/kinds.py``: ``class CountdownDirective(BlockDirective, block=Countdown)``; with ``node =
   dice_mechanic`` it has a doctest, and its prose may name its own facts.
3. In ``output/writer.py``: a method ``countdown`` of ``Writer``, which other formats may override. Without it a page
   shows the title, the prose and the issues.

A module elsewhere is imported by ``conf.py``; it holds both classes, and writes its blocks with
``@writes("countdown") def write_countdown(writer, node, docname)``. Nothing else needs an edit: the build, doctest,
pytest, references and the inventory ask the block, and an edit of the module has its pages read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dicedocs_sphinx.blocks.base import KINDS, Block


def find_kind(name: str) -> type[Block]:
    """Return the kind of blocks that has a name."""
    from dicedocs_sphinx.blocks import (  # noqa: F401  # registers ours
        advice,
        character,
        example,
        odds,
        page_mechanic,
        rule,
        scene,
    )

    return KINDS[name]


def read_block(data: Mapping[str, Any]) -> Block:
    """Return a block, given as plain data."""
    return find_kind(data["kind"])(**{name: value for name, value in data.items() if name != "kind"})
