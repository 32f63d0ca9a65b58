"""Causes and effects: which of the blocks that something refers to moved, so that it moved too."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from dicedocs.ways import reach
from dicedocs_sphinx.blocks.base import Block, story_until


def refers_to(block: Block, of_page: Iterable[Block]) -> set[str]:
    """Return the names of the blocks that the values of a block come from, also through the state of its scene.

    Parameters:
        block: the block.
        of_page: the blocks of its page.
    """
    names = block.source_names()
    if block.before is not None and (names or any(block.moved())):
        moving = [each.name for each in story_until(of_page, block) if each.name and any(each.moved())]
        names |= set([name for name in moving if name != block.name][-1:])
    return names


def causes_of(names: Iterable[str], refers: Mapping[str, Iterable[str]], moved: Collection[str]) -> list[str]:
    """Return the nearest blocks that moved, among those that something refers to.

    Parameters:
        names: the blocks that it refers to.
        refers: the blocks that each block refers to, by name.
        moved: the blocks that moved.

    >>> causes_of(["c"], {"c": ["b"], "b": ["a"], "a": []}, {"a", "b"})
    ['b']
    """
    found = reach(names, lambda name: () if name in moved else refers.get(name, ()))
    return sorted(name for name in found if name in moved)
