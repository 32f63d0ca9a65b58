"""The same dice in two comparisons: they are thrown for each, which is seldom what an author means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from dicedocs.errors import NotationError, quoted
from dicedocs.syntax.modifiers import Failure, Modifier, Success
from dicedocs.syntax.tree import (
    Compared,
    DiceTerm,
    Labelled,
    Node,
    children,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    nodes,
)


def repeated_throw(tree: Node, text: str) -> NotationError | None:
    """Return an error that says which dice stand in two comparisons; ``None`` if none do.

    Dice with different labels are meant to be two throws.

    Parameters:
        tree: the tree of the text.
        text: the notation.

    >>> from dicedocs.syntax.parser import parse_expression
    >>> text = "(2d6 + 1 >= 7) + (2d6 + 1 >= 10)"
    >>> repeated_throw(parse_expression(text, "notation"), text).message
    "'2d6' is in two comparisons and would be thrown for each"
    """
    thrown = [list(_thrown(node)) for node in nodes(tree) if _compares(node)]
    for first, second in combinations(thrown, 2):
        for dice, labels, at in second:
            if any((dice, labels) == (other, others) for other, others, _ in first):
                message = f"{quoted(dice)} is in two comparisons and would be thrown for each"
                hint = f"label the throws if that is meant, as in '{dice} [first]' and '{dice} [second]'"
                return NotationError(message, text=text, at=at, hint=hint)
    return None


def _compares(node: Node) -> bool:
    """Return whether a node is a comparison, or dice that are counted by one."""
    return isinstance(node, Compared) or (isinstance(node, DiceTerm) and any(map(_counts, node.modifiers)))


def _counts(modifier: Modifier) -> bool:
    return isinstance(modifier, Success | Failure)


def _thrown(node: Node, labels: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield the dice of a comparison, as text, with the labels that they stand under and their position."""
    if isinstance(node, DiceTerm):
        dice = replace(node, modifiers=tuple(one for one in node.modifiers if not _counts(one)))
        yield format(dice), labels, node.at
    for child in children(node):
        if not _compares(child):  # else it is a comparison of its own
            yield from _thrown(child, (*labels, *node.labels) if isinstance(node, Labelled) else labels)
