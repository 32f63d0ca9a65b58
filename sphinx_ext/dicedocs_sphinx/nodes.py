"""Our nodes in a doctree that was read; none of them reaches a writer."""

from __future__ import annotations

from typing import Final

from docutils import nodes

TITLE: Final = "dice-example-title"
"""The class of the paragraph that is an example's title."""


class dice_example(nodes.container):  # noqa: N801  # docutils names its nodes so
    """A worked example: title, prose, and last a :class:`dice_working`; ``worked`` holds its data."""


class dice_working(nodes.comment):  # noqa: N801
    """The place of the dice, the working, the result and the call; for the doctest builder, the test."""


class dice_fact(nodes.inline):  # noqa: N801
    """The place of a computed value, which ``path`` names."""


def title_of(example: dice_example) -> nodes.paragraph | None:
    """Give the title of an example, when it has one."""
    first = example[0]
    return first if isinstance(first, nodes.paragraph) and TITLE in first["classes"] else None
