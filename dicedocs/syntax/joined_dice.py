"""Dice of a sum that are kept or dropped together: ``{4d6 + 2d8}kh2`` keeps two of six dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from dicedocs.syntax.modifiers import Choose, Success
from dicedocs.syntax.tree import Chain, DiceTerm, Group, Node, Number, Reference, Set

Term: TypeAlias = DiceTerm | Set | Number | Reference
"""A term of such a sum; a set is one whose own dice are kept or dropped first."""


def is_joined(node: Node) -> bool:
    """Return whether a node is a set of one value whose dice are kept or dropped.

    >>> from dicedocs.syntax.parser import parse_expression
    >>> [is_joined(parse_expression(text, "notation")) for text in ("{4d6 + 2d8}kh2", "{4d6, 2d8}kh1")]
    [True, False]
    """
    return isinstance(node, Set) and len(node.members) == 1 and any(isinstance(one, Choose) for one in node.modifiers)


def joined_terms(node: Node, sign: int = 1) -> Iterator[tuple[int, Term]]:
    """Yield the terms of a sum, each with its sign.

    Raises:
        ValueError: a term is something else, or counts its dice.

    >>> from dicedocs.syntax.parser import parse_expression
    >>> [(sign, type(term).__name__) for sign, term in joined_terms(parse_expression("4d6 - (2d8 + 3)", "notation"))]
    [(1, 'DiceTerm'), (-1, 'DiceTerm'), (-1, 'Number')]
    """
    match node:
        case Group(inner):
            yield from joined_terms(inner, sign)
        case Chain(first, rest) if node.is_sum:
            yield from joined_terms(first, sign)
            for operator, term in rest:
                yield from joined_terms(term, -sign if operator == "-" else sign)
        case DiceTerm(modifiers=modifiers) if not any(isinstance(one, Success) for one in modifiers):
            yield sign, node
        case Number() | Reference():
            yield sign, node
        case Set() if is_joined(node):
            yield sign, node
        case _:
            raise ValueError
