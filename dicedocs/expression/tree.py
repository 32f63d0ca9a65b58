"""The syntax tree of an Expression or a Check. Nodes are frozen, comparable and hold no source locations.

A chain such as ``1 + 2 - 3`` is one node, so code that walks a tree loops along chains and recurses only
into parentheses, whose depth is limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from dicedocs.rules.steps import Comparison

ACTOR = "actor"
TARGET = "target"
SCOPES = {"Self": ACTOR, "Target": TARGET}
"""The words that may begin a reference, and the scope that each stands for."""


class Number(NamedTuple):
    """A whole number; it is negative only where it replaces a reference or a computed part."""

    value: int


class Resource(NamedTuple):
    """A reference to a resource.

    Parameters:
        scope: whose resource it is, ``"actor"`` or ``"target"``.
        name: the name of the resource, its words separated by single spaces.
    """

    scope: str
    name: str


class DiceTerm(NamedTuple):
    """Dice with the same number of sides, added up; ``d6`` has the count 1."""

    count: Number | Resource  # type: ignore[assignment]  # tuples have a method count
    sides: Number | Resource


class Group(NamedTuple):
    """A part in parentheses."""

    inner: Node


class Product(NamedTuple):
    """A chain of ``*`` and ``/``: the first factor, then each operator with its right operand."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


class Sum(NamedTuple):
    """A chain of ``+`` and ``-``: the first term, then each operator with its right operand."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


class CheckTree(NamedTuple):
    """A Check: two Expressions and the comparison between them."""

    left: Node
    op: Comparison
    right: Node


Node: TypeAlias = Number | Resource | DiceTerm | Group | Product | Sum
Leaf: TypeAlias = Number | Resource | DiceTerm
Tree: TypeAlias = Node | CheckTree


def format(tree: Tree) -> str:
    """Return a tree as text that parses to the same tree, with single spaces around the operators.

    A dice term always shows its count (``1d20``). A reference to the actor's own resource begins with
    ``Self`` only where the first word of its name would otherwise be read as a scope.

    >>> format(Sum(DiceTerm(Number(1), Number(20)), (("-", Resource("target", "Defense")),)))
    '1d20 - [Target Defense]'
    >>> format(Resource("actor", "Target Health"))
    '[Self Target Health]'
    """
    match tree:
        case Number(value):
            return str(value)
        case Resource(scope, name):
            return f"[{_reference(scope, name)}]"
        case DiceTerm(count, sides):
            return f"{format(count)}d{format(sides)}"
        case Group(inner):
            return f"({format(inner)})"
        case Product(first, rest) | Sum(first, rest):
            return "".join([format(first), *(f" {sign} {format(node)}" for sign, node in rest)])
        case CheckTree(left, op, right):
            return f"{format(left)} {op} {format(right)}"


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the numbers, references and dice terms of a tree from left to right.

    >>> list(leaves(Group(Sum(Number(1), (("+", Number(2)),)))))
    [Number(value=1), Number(value=2)]
    """
    # A stack, since a recursive generator would pass each leaf through every level above it.
    stack: list[Tree] = [tree]
    while stack:
        node = stack.pop()
        match node:
            case Number() | DiceTerm() | Resource():
                yield node
            case Product(first, rest) | Sum(first, rest):
                stack.extend([part for _, part in reversed(rest)])
                stack.append(first)
            case Group(inner):
                stack.append(inner)
            case CheckTree(left, _, right):
                stack += (right, left)


def _reference(scope: str, name: str) -> str:
    if scope == TARGET:
        return f"Target {name}"
    return f"Self {name}" if name.split(" ", 1)[0] in SCOPES else name
