"""The tree of an Expression or a Check: frozen, comparable and without places in the text.

A chain such as ``1 + 2 - 3`` is one node, so that whatever reads a tree runs along it in a loop;
only parentheses go deeper, and their depth has a limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from dicedocs.rules.steps import Comparison

ACTOR = "actor"
TARGET = "target"
WORDS = {"Self": ACTOR, "Target": TARGET}
"""The words that begin a reference and say whose resource it is."""


class Number(NamedTuple):
    """A whole number; negative only where the value of something has been put in its place."""

    value: int


class Resource(NamedTuple):
    """A reference to a resource.

    Parameters:
        scope: whose resource it is, ``"actor"`` or ``"target"``.
        name: its name, with single spaces inside.
    """

    scope: str
    name: str


class DiceTerm(NamedTuple):
    """Dice of one kind, summed; a die without a count has the count 1."""

    count: Number | Resource  # type: ignore[assignment]  # tuples have a method count
    sides: Number | Resource


class Group(NamedTuple):
    """What stands in parentheses."""

    inner: Node


class Product(NamedTuple):
    """A chain of ``*`` and ``/``: what comes first, then each sign with what follows it."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


class Sum(NamedTuple):
    """A chain of ``+`` and ``-``: what comes first, then each sign with what follows it."""

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
    """Write a tree as text that reads as the same tree, with single spaces round the operators.

    Dice always have their count (``1d20``), and a reference to the actor's own resource has the word
    ``Self`` only where its name would otherwise be read as something else.

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
    """Give the numbers, references and dice terms of a tree from left to right.

    >>> list(leaves(Group(Sum(Number(1), (("+", Number(2)),)))))
    [Number(value=1), Number(value=2)]
    """
    # A stack instead of recursion: a generator that yields from others passes each leaf through all of them.
    waiting: list[Tree] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case Number() | DiceTerm() | Resource():
                yield node
            case Product(first, rest) | Sum(first, rest):
                waiting.extend([part for _, part in reversed(rest)])
                waiting.append(first)
            case Group(inner):
                waiting.append(inner)
            case CheckTree(left, _, right):
                waiting += (right, left)


def _reference(scope: str, name: str) -> str:
    if scope == TARGET:
        return f"Target {name}"
    return f"Self {name}" if name.split(" ", 1)[0] in WORDS else name
