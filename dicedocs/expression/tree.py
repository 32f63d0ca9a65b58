"""The syntax tree of a notation. Nodes are frozen, comparable and hold no source locations.

A chain such as ``1 + 2 - 3`` is one node, so code that walks a tree loops along chains and recurses only
into parentheses and braces, whose depth is limited. The nodes from :class:`Faces` on belong to the full
notation; a tree without them is *plain*, and only such trees are read in the plain dialect.
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


class Faces(NamedTuple):
    """The faces of a die that is not numbered from 1.

    Parameters:
        texts: what is on each face: a whole number, a word, or ``-`` for a blank.
        name: the name after the ``d`` of a die that has one: ``F``, ``F.1``, ``66``.
    """

    texts: tuple[str, ...]
    name: str = ""


class Modifier(NamedTuple):
    """What is done with the dice of a pool or the members of a set.

    Parameters:
        name: ``kh``, ``kl``, ``dh``, ``dl``, ``k`` and ``p`` (keep and drop by comparison), ``r``, ``ro``, ``mi``,
            ``ma``, ``u``, ``uo``, ``!``, ``!!``, ``!p``, ``!!p``, ``cs``, ``cf``, ``s``, ``sd``, ``f``; empty for
            counting successes.
        op: the comparison with ``number``; empty where the number is a count, or where there is none.
        number: the number; ``None`` for the usual face, the highest or the lowest.
        cap: how often a die explodes at most; ``None`` for no such limit.
    """

    name: str
    op: str = ""
    number: int | None = None
    cap: int | None = None


class Pool(NamedTuple):
    """Dice with modifiers, with faces of their own, or with a computed count or number of sides."""

    count: Node  # type: ignore[assignment]  # tuples have a method count
    sides: Node | Faces
    modifiers: tuple[Modifier, ...] = ()


class Collection(NamedTuple):
    """A set: values that are kept, dropped, counted or added up, in braces or in parentheses."""

    members: tuple[Node, ...]
    modifiers: tuple[Modifier, ...] = ()


class Negation(NamedTuple):
    """A value with a minus sign."""

    operand: Node


class Power(NamedTuple):
    """A base raised to an exponent."""

    base: Node
    exponent: Node


class Call(NamedTuple):
    """A function of values: ``floor``, ``ceil``, ``round``, ``abs``, ``min`` or ``max``."""

    name: str
    arguments: tuple[Node, ...]


class Compared(NamedTuple):
    """Two values and the comparison between them, in parentheses: 1 if it holds, else 0."""

    left: Node
    op: Comparison
    right: Node


class Labelled(NamedTuple):
    """A value with labels, such as the kind of its damage."""

    value: Node
    labels: tuple[str, ...]


class CheckTree(NamedTuple):
    """A Check: two Expressions and the comparison between them."""

    left: Node
    op: Comparison
    right: Node


Node: TypeAlias = (
    Number
    | Resource
    | DiceTerm
    | Group
    | Product
    | Sum
    | Pool
    | Collection
    | Negation
    | Power
    | Call
    | Compared
    | Labelled
)
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
        case CheckTree(left, op, right) | Compared(left, op, right):
            return f"{format(left)} {op} {format(right)}"
        case _:
            return _format_full(tree)


def _format_full(node: Pool | Collection | Negation | Power | Call | Labelled) -> str:
    match node:
        case Pool(count, sides, modifiers):
            die = _format_faces(sides) if isinstance(sides, Faces) else format(sides)
            return f"{format(count)}d{die}{''.join(map(format_modifier, modifiers))}"
        case Collection(members, modifiers):
            return f"{{{', '.join(map(format, members))}}}{''.join(map(format_modifier, modifiers))}"
        case Negation(operand):
            return f"-{format(operand)}"
        case Power(base, exponent):
            return f"{format(base)} ** {format(exponent)}"
        case Call(name, arguments):
            return f"{name}({', '.join(map(format, arguments))})"
        case Labelled(value, labels):
            return format(value) + "".join(f" [{label}]" for label in labels)


def _format_faces(faces: Faces) -> str:
    return faces.name or f"{{{', '.join(faces.texts)}}}"


def format_modifier(modifier: Modifier) -> str:
    """Return a modifier as text.

    >>> format_modifier(Modifier("!", ">=", 5, 2)), format_modifier(Modifier("kh", "", 3))
    ('!>=5x2', 'kh3')
    >>> format_modifier(Modifier("!", "!=", 4))
    '!<>4'
    """
    name, op, number, cap = modifier
    if op == "=" and name not in {"", "k", "p", "u", "uo"}:
        op = ""
    elif op == "!=":
        op = "<>"  # an exclamation mark would let dice explode
    return f"{name}{op}{'' if number is None else number}{'' if cap is None else f'x{cap}'}"


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the numbers, references and dice terms of a tree from left to right; of a pool, those of its numbers.

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
            case Group(inner) | Negation(inner) | Labelled(inner, _):
                stack.append(inner)
            case CheckTree(left, _, right) | Compared(left, _, right) | Power(left, right):
                stack += (right, left)
            case Pool(count, sides, _):
                stack += (count,) if isinstance(sides, Faces) else (sides, count)
            case Call(_, parts) | Collection(parts, _):
                stack.extend(reversed(parts))


def plain(tree: Tree) -> bool:
    """Return whether a tree has only numbers, references, dice that are added up, and the four operators.

    >>> plain(Number(3)), plain(Negation(Number(3)))
    (True, False)
    """
    stack: list[Tree] = [tree]
    while stack:
        node = stack.pop()
        match node:
            case Number() | Resource() | DiceTerm():
                continue
            case Group(inner):
                stack.append(inner)
            case Sum(first, rest) | Product(first, rest):
                if any(sign == "%" for sign, _ in rest):
                    return False
                stack += [first, *(part for _, part in rest)]
            case CheckTree(left, _, right):
                stack += (left, right)
            case _:
                return False
    return True


def _reference(scope: str, name: str) -> str:
    if scope == TARGET:
        return f"Target {name}"
    return f"Self {name}" if name.split(" ", 1)[0] in SCOPES else name
