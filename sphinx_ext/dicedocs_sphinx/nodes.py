"""Our nodes in a doctree that was read; but for a figure and its caption none of them reaches a writer."""

from __future__ import annotations

from typing import Final

from docutils import nodes

TITLE: Final = "dice-example-title"
"""The class of the paragraph that is the title of a block of ours."""


class dice_example(nodes.container):  # noqa: N801  # docutils names its nodes so
    """A worked example: title, prose, and last a :class:`dice_working`; ``worked`` holds its data."""


class dice_character(nodes.container):  # noqa: N801
    """A character: title and prose; ``character`` holds its data."""


class dice_counted(nodes.container):  # noqa: N801
    """Exact odds: title, prose, and last a :class:`dice_working`; ``counted`` holds its data.

    ``shown`` is what was counted, when there is anything to show.
    """


class dice_table(dice_counted):  # noqa: N801
    """A table or a chart of odds."""


class dice_claim(dice_counted):  # noqa: N801
    """A claim about odds."""


class dice_figure(nodes.figure):  # noqa: N801
    """A table or a chart in HTML, which every writer of HTML takes for a figure; it is numbered among the tables."""


class dice_caption(nodes.caption):  # noqa: N801
    """The caption of a table in HTML, whose link says that it is one."""


class dice_working(nodes.comment):  # noqa: N801
    """The place of what is computed; for the doctest builder, the test."""


class dice_fact(nodes.inline):  # noqa: N801
    """The place of a computed value, which ``path`` names; ``text`` is the value when it may change again."""


def title_of(block: nodes.Element) -> nodes.paragraph | None:
    """Give the title of an example, a character or another block of ours, when it has one."""
    first = block[0] if block.children else None
    return first if isinstance(first, nodes.paragraph) and TITLE in first["classes"] else None
