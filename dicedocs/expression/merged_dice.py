"""The dice of a set of one value: what is kept or dropped of them is chosen among the dice of its whole sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from dicedocs.expression.modifiers import RANKED
from dicedocs.expression.tree import Collection, DiceTerm, Group, Node, Number, Pool, Resource, Sum

Term: TypeAlias = DiceTerm | Pool | Collection | Number | Resource
"""A term of a sum whose dice are kept or dropped together; a set is one whose own dice are."""


def is_merged(node: Node) -> bool:
    """Return whether a node is a set of one value whose dice are kept or dropped.

    >>> from dicedocs.expression.parser import parse_expression
    >>> [is_merged(parse_expression(text, "notation")) for text in ("{4d6 + 2d8}kh2", "{4d6, 2d8}kh1")]
    [True, False]
    """
    if not isinstance(node, Collection) or len(node.members) != 1:
        return False
    return any(modifier.name in RANKED for modifier in node.modifiers)


def merged_terms(node: Node, sign: int = 1) -> Iterator[tuple[int, Term]]:
    """Yield the terms of a sum, each with its sign: dice, pools, sets whose dice are kept, numbers and references.

    Raises:
        ValueError: a term is something else, or counts its dice.

    >>> from dicedocs.expression.parser import parse_expression
    >>> [(sign, type(term).__name__) for sign, term in merged_terms(parse_expression("4d6 - (2d8 + 3)", "notation"))]
    [(1, 'DiceTerm'), (-1, 'DiceTerm'), (-1, 'Number')]
    """
    match node:
        case Group(inner):
            yield from merged_terms(inner, sign)
        case Sum(first, rest):
            yield from merged_terms(first, sign)
            for operator, term in rest:
                yield from merged_terms(term, -sign if operator == "-" else sign)
        case Pool(_, _, modifiers) if all(modifier.name for modifier in modifiers):
            yield sign, node
        case DiceTerm() | Number() | Resource():
            yield sign, node
        case Collection() if is_merged(node):
            yield sign, node
        case _:
            raise ValueError
