"""Numbers that an author typed into the prose of an example, where the role ``dice:fact`` could stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx import addnodes

from dicedocs import Outcome
from dicedocs.rules.kinds import as_text
from dicedocs.rules.outcome import READ_FROM_DICE
from dicedocs_sphinx.nodes import TITLE, dice_character, dice_counted, dice_example, dice_fact
from dicedocs_sphinx.places import ROLE_WITHIN, real_place

_NUMBER: Final = re.compile(r"(?<![\w.,/-])[-\u2212]?\d+(?:[.,]\d+)*(?![\w/])")
_WHOLE: Final = re.compile(r"-?\d+")
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
    dice_example,
    dice_character,
    dice_counted,
)
"""What holds no words of the author's, or those of another block."""
_NONE: Final = frozenset({"dice-roll", TITLE})
"""The classes of what holds none either."""
_QUOTED: Final = re.compile(r"`[^`]*`")


def literal_numbers(example: dice_example, outcome: Outcome) -> Iterator[tuple[str, str, int]]:
    """Give the numbers in an example's prose that equal none of its values, each with its file and line.

    Parameters:
        example: its facts not yet filled in.
        outcome: what it gave.
    """
    known = _values(outcome)
    met: Counter[tuple[str, int, str]] = Counter()
    for node in example.children:
        for text in _prose(node):
            source, line = _paragraph(text)
            for number in _NUMBER.findall(text):
                met[source, line, number] += 1
                if number.replace(",", "").replace("\u2212", "-") not in known:
                    yield number, source, _line(source, line, number, met[source, line, number])


def _values(outcome: Outcome) -> set[str]:
    """Give all numbers among the facts, the dice and the parameters of an outcome, as text."""
    facts = (as_text(outcome.fact(name)) for name in (*outcome.facts_of, *READ_FROM_DICE))
    parameters = type(outcome.rule).parameters().items()
    texts = (*facts, *(field.write(getattr(outcome.rule, name)) for name, field in parameters))
    return {number for text in texts for number in _WHOLE.findall(text)}


def _prose(node: nodes.Node) -> Iterator[nodes.Text]:
    if isinstance(node, nodes.Text):
        yield node
    elif isinstance(node, nodes.Element) and not (isinstance(node, _NO_PROSE) or _NONE.intersection(node["classes"])):
        for child in node.children:
            yield from _prose(child)


def _paragraph(text: nodes.Text) -> tuple[str, int]:
    """Give the file, and the line in which what holds a text begins."""
    around = text.parent
    while around.line is None and around.parent is not None:
        around = around.parent
    return real_place(around.source, around.line)


def _line(source: str, first: int, number: str, count: int) -> int:
    """Give the line in which a number stands for the so-manieth time, from that where its paragraph begins."""
    try:
        lines = Path(source).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return first
    for place, line in enumerate(lines[first - 1 : first - 1 + ROLE_WITHIN], first):
        count -= _NUMBER.findall(_QUOTED.sub("", line)).count(number)
        if count <= 0:
            return place
    return first
