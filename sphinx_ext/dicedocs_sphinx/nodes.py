"""Our nodes in a doctree that was read; none of them reaches a writer."""

from __future__ import annotations

from typing import Final

from docutils import nodes

TITLE: Final = "dice-example-title"
"""The class of the paragraph that is the title of an example or of a character."""


class dice_example(nodes.container):  # noqa: N801  # docutils names its nodes so
    """A worked example: title, prose, and last a :class:`dice_working`; ``worked`` holds its data."""


class dice_character(nodes.container):  # noqa: N801
    """A character: title and prose; ``character`` holds its data."""


class dice_working(nodes.comment):  # noqa: N801
    """The place of the dice, the working, the result and the call; for the doctest builder, the test."""


class dice_fact(nodes.inline):  # noqa: N801
    """The place of a computed value, which ``path`` names; ``text`` is the value when it may change again."""


def title_of(block: dice_example | dice_character) -> nodes.paragraph | None:
    """Give the title of an example or of a character, when it has one."""
    first = block[0] if block.children else None
    return first if isinstance(first, nodes.paragraph) and TITLE in first["classes"] else None
