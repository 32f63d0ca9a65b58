"""The labels of the blocks of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count

from dicedocs_sphinx.blocks.base import Block


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
