"""Numbers that an author typed in the prose of an example, where the role ``dice:fact`` could be used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator
from typing import Final

from docutils import nodes
from sphinx import addnodes

from dicedocs_sphinx.nodes import TITLE, dice_block, dice_fact
from dicedocs_sphinx.source_locations import paragraph_lines, source_location

_NUMBER: Final = re.compile(r"(?<![\w.,/-])[-\u2212]?\d+(?:[.,]\d+)*(?![\w/])")
_NO_PROSE: Final = (
    nodes.literal,
    nodes.literal_block,
    nodes.doctest_block,
    nodes.math,
    nodes.math_block,
    nodes.raw,
    nodes.comment,
    nodes.footnote_reference,
    nodes.label,
    nodes.system_message,
    nodes.reference,
    addnodes.pending_xref,
    dice_fact,
    dice_block,
)
"""Nodes that hold no words of the author, or those of another block."""
_NO_PROSE_CLASSES: Final = frozenset({"dice-roll", TITLE})
"""The classes of other such nodes."""
_QUOTED: Final = re.compile(r"`[^`]*`")


def literal_numbers(block: dice_block, known: Container[str]) -> Iterator[tuple[str, str, int]]:
    """Return the unknown numbers in the prose of a block, before facts are filled in, each with its file and line."""
    counts: Counter[tuple[str, int, str]] = Counter()
    for node in block.children:
        for text in _prose(node):
            source, line = _paragraph(text)
            for number in _NUMBER.findall(text):
                counts[source, line, number] += 1
                if number.replace(",", "").replace("\u2212", "-") not in known:
                    yield number, source, _line(source, line, number, counts[source, line, number])


def _prose(node: nodes.Node) -> Iterator[nodes.Text]:
    if isinstance(node, nodes.Text):
        yield node
    elif isinstance(node, nodes.Element) and not (
        isinstance(node, _NO_PROSE) or _NO_PROSE_CLASSES.intersection(node["classes"])
    ):
        for child in node.children:
            yield from _prose(child)


def _paragraph(text: nodes.Text) -> tuple[str, int]:
    """Return the file and the first line of the paragraph that holds a text."""
    parent = text.parent
    while parent.line is None and parent.parent is not None:
        parent = parent.parent
    return source_location(parent.source, parent.line)


def _line(source: str, first: int, number: str, count: int) -> int:
    """Return the line of the nth occurrence of a number, from the first line of its paragraph."""
    for row, line in paragraph_lines(source, first):
        count -= _NUMBER.findall(_QUOTED.sub("", line)).count(number)
        if count <= 0:
            return row
    return first
