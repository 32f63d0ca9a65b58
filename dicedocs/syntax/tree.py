"""The syntax tree of a notation, and the ways to walk it. Nodes are frozen and compared without their positions.

A chain such as ``1 + 2 - 3`` is one node, so code that walks a tree loops along chains and recurses only
into parentheses and braces, whose depth is limited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from dicedocs.rules.kinds import spaced
from dicedocs.rules.steps import Comparison
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.modifiers import Modifier

ACTOR = "actor"
TARGET = "target"
SCOPES = {"Self": ACTOR, "Target": TARGET}
"""The words that may begin a reference, and the scope that each stands for."""
SUM: Final = frozenset("+-")
"""The operators of a sum; each other chain is a product or a power."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number; it is negative only where it replaces something that was computed.

    Parameters:
        at: its position in the text.
    """

    value: int
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a resource.

    Parameters:
        scope: whose resource it is, ``"actor"`` or ``"target"``.
        name: the name of the resource, its words separated by single spaces.
        at: the position of its bracket in the text.
        written: what is written, where that is known.
    """

    scope: str
    name: str
    at: int = field(default=0, compare=False, repr=False)
    written: str = field(default="", compare=False, repr=False)


IT: Final = Reference(ACTOR, "")
"""What a condition is about that names nothing: the die that is counted, the value of an event."""


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """Dice with the same sides or faces, and what is done with them.

    Parameters:
        count: the number of dice; 1 for ``d6``.
        sides: the number of sides, or the faces of dice that are not numbered from 1.
        modifiers: in the order written.
        at: the position of the dice in the text.
    """

    count: Node
    sides: Node | DieFaces
    modifiers: tuple[Modifier, ...] = ()
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Group:
    """A part in parentheses, which the working shows."""

    inner: Node


@dataclass(frozen=True, slots=True)
class Chain:
    """A sum (``+ -``), a product (``* / %``) or a power (``**``): the first operand, then each operator and operand."""

    first: Node
    rest: tuple[tuple[str, Node], ...]

    @property
    def is_sum(self) -> bool:
        """Whether its operators are ``+`` and ``-``."""
        return self.rest[0][0] in SUM

    @property
    def operands(self) -> tuple[Node, ...]:
        """The operands from left to right."""
        return (self.first, *(operand for _, operand in self.rest))


@dataclass(frozen=True, slots=True)
class Negation:
    """A value with a minus sign."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function of values: ``floor``, ``ceil``, ``round``, ``abs``, ``min`` or ``max``."""

    name: str
    arguments: tuple[Node, ...]


class Increased(Chain):
    """A value to which something is added where a condition holds: ``2d6, +2 if skilled``."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """Two values and the comparison between them: a whole check, or, in parentheses, 1 if it holds and else 0.

    Parameters:
        at: the position of the comparison in the text.
    """

    left: Node
    op: Comparison
    right: Node
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Set:
    """Values that are kept, dropped, counted or added up, in braces or in parentheses."""

    members: tuple[Node, ...]
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value with labels, such as the kind of its damage."""

    value: Node
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Words that are a value of a rule in a page, such as a result."""

    text: str
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Logic:
    """A condition: whether ``all`` or ``any`` of its operands hold, or ``not`` its only one."""

    name: Literal["all", "any", "not"]
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """The first value whose condition holds.

    Parameters:
        cases: each value with its condition.
        otherwise: the value if no condition holds.
    """

    cases: tuple[tuple[Node, Node], ...]
    otherwise: Node


@dataclass(frozen=True, slots=True)
class Question:
    """What a rule in a page asks of dice, beside their sum: ``count``, ``highest``, ``lowest``, ``matches``, ``sides``.

    Also ``roll``, which throws the dice that are the value of a parameter, and ``choose``, which asks the player.
    """

    name: str
    arguments: tuple[Node, ...]
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a parameter of a rule is set to that is played.

    Parameters:
        name: the name of the parameter.
        value: the value.
        at: the position of the name in the text.
    """

    name: str
    value: Node
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Play:
    """Another rule that a line of a rule in a page plays.

    Parameters:
        id: its id.
        settings: what its parameters are set to.
        at: its position in the text.
    """

    id: str
    settings: tuple[Setting, ...] = ()
    at: int = field(default=0, compare=False, repr=False)


Node: TypeAlias = (
    Number
    | Reference
    | DiceTerm
    | Group
    | Chain
    | Negation
    | Call
    | Compared
    | Set
    | Labelled
    | Words
    | Logic
    | Cases
    | Question
    | Play
)


def format(node: Node) -> str:
    """Return a tree as text that parses to the same tree, with single spaces around the operators.

    A dice term always shows its count (``1d20``). A reference to the actor's own resource begins with
    ``Self`` only where the first word of its name would otherwise be read as a scope.

    >>> format(Chain(DiceTerm(Number(1), Number(20)), (("-", Reference("target", "Defense")),)))
    '1d20 - [Target Defense]'
    >>> format(Reference("actor", "Target Health"))
    '[Self Target Health]'
    """
    match node:
        case Number(value):
            return str(value)
        case Reference(scope, name):
            word = name.split(" ", 1)[0]
            return f"[{'Target ' if scope == TARGET else 'Self ' if word in SCOPES else ''}{name}]"
        case DiceTerm(count, sides, modifiers):
            die = str(sides) if isinstance(sides, DieFaces) else format(sides)
            return f"{format(count)}d{die}{''.join(map(str, modifiers))}"
        case Group(inner):
            return f"({format(inner)})"
        case Chain(first, rest):
            return "".join([format(first), *(f" {operator} {format(operand)}" for operator, operand in rest)])
        case Negation(operand):
            return f"-{format(operand)}"
        case Call(name, arguments):
            return f"{name}({', '.join(map(format, arguments))})"
        case Compared(left, op, right):
            return f"{format(left)} {op} {format(right)}"
        case Set(members, modifiers):
            return f"{{{', '.join(map(format, members))}}}{''.join(map(str, modifiers))}"
        case Labelled(value, labels):
            return format(value) + "".join(f" [{label}]" for label in labels)
        case Words(text):
            return f'"{text}"'
        case Logic("not", (operand,)):
            return f"not {format(operand)}"
        case Logic(name, operands):
            return (" and " if name == "all" else " or ").join(map(format, operands))
        case Cases(cases, otherwise):
            parts = [f"{format(value)} if {format(condition)}" for value, condition in cases]
            return ", ".join([*parts, f"else {format(otherwise)}"])
        case Question(name, arguments):
            return f"{name}({', '.join(map(format, arguments))})"
        case Play(id, settings):
            given = ", ".join(f"{each.name} = {format(each.value)}" for each in settings)
            return f"play {id} with {given}" if given else f"play {id}"


def format_name(node: Node) -> str:
    """Return a tree as its author would write it, with names that have no brackets.

    >>> from dicedocs.syntax.rule_values import parse_rule_value
    >>> format_name(parse_rule_value("2d6 + stat"))
    '2d6 + stat'
    """
    names = {format(each): spaced(each.name) for each in nodes(node) if isinstance(each, Reference)}
    text = format(node)
    for written, name in names.items():
        text = re.sub(rf"(?<![dD]){re.escape(written)}(?![dD])", name, text)
    return text


def rebuild(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a node with its children changed, from left to right; a node without children as it is.

    >>> rebuild(Group(Number(1)), lambda child: Number(2))
    Group(inner=Number(value=2))
    """
    match node:
        case Number() | Reference() | Words():
            return node
        case DiceTerm(count, sides):
            count = change(count)
            return replace(node, count=count, sides=sides if isinstance(sides, DieFaces) else change(sides))
        case Group(inner):
            return Group(change(inner))
        case Chain(first, rest):
            return type(node)(change(first), tuple([(operator, change(operand)) for operator, operand in rest]))
        case Negation(operand):
            return Negation(change(operand))
        case Call(name, arguments):
            return Call(name, tuple([change(argument) for argument in arguments]))
        case Compared(left, op, right):
            return Compared(change(left), op, change(right), node.at)
        case Set(members, modifiers):
            return Set(tuple([change(member) for member in members]), modifiers)
        case Labelled(value, labels):
            return Labelled(change(value), labels)
        case Logic(name, operands):
            return type(node)(name, tuple([change(operand) for operand in operands]))
        case Cases(cases, otherwise):
            changed = tuple([(change(value), change(condition)) for value, condition in cases])
            return Cases(changed, change(otherwise))
        case Question(name, arguments):
            return Question(name, tuple([change(argument) for argument in arguments]), node.at)
        case Play(id, settings):
            return Play(id, tuple([replace(each, value=change(each.value)) for each in settings]), node.at)


def children(node: Node) -> tuple[Node, ...]:
    """Return the children of a node, from left to right."""
    match node:
        case DiceTerm(count, sides):
            return (count,) if isinstance(sides, DieFaces) else (count, sides)
        case Group(inner) | Negation(inner) | Labelled(inner):
            return (inner,)
        case Chain():
            return node.operands
        case Compared(left, _, right):
            return left, right
        case Call(_, parts) | Set(parts) | Logic(_, parts) | Question(_, parts):
            return parts
        case Cases(cases, otherwise):
            return (*(part for case in cases for part in case), otherwise)
        case Play(_, settings):
            return tuple([each.value for each in settings])
        case _:
            return ()


def ungrouped(node: Node) -> Node:
    """Return what stands in parentheses, however many there are; any other node as it is."""
    while isinstance(node, Group):
        node = node.inner
    return node


def nodes(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes within it, from left to right.

    >>> list(nodes(Group(Chain(Number(1), (("+", Number(2)),)))))[2:]
    [Number(value=1), Number(value=2)]
    """
    yield node
    for child in children(node):
        yield from nodes(child)


def case_values(node: Node) -> Iterator[Node]:
    """Yield what a value may come to: that of each of its cases, or itself."""
    match node:
        case Group(inner):
            yield from case_values(inner)
        case Cases(cases, otherwise):
            for value in (*(value for value, _ in cases), otherwise):
                yield from case_values(value)
        case _:
            yield node


def position(node: Node) -> int:
    """Return where a node begins in its text, as far as that is known.

    >>> position(Group(Chain(DiceTerm(Number(1), Number(6), at=3), (("+", Number(2, at=9)),))))
    3
    """
    with_position = Number | Reference | DiceTerm | Words | Question | Play
    return next((each.at for each in nodes(node) if isinstance(each, with_position) and each != IT), 0)


def is_leaf(node: Node) -> bool:
    """Return whether a node stands for one number: itself, a resource, dice, or a set that is kept or counted.

    >>> is_leaf(Set((Number(1), Number(2)))), is_leaf(DiceTerm(Number(2), Number(6)))
    (False, True)
    """
    return isinstance(node, Number | Reference | DiceTerm) or (isinstance(node, Set) and bool(node.modifiers))


def replace_leaves(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a tree with its leaves changed, from left to right.

    >>> format(replace_leaves(Group(DiceTerm(Number(2), Number(6))), lambda leaf: Number(8)))
    '(8)'
    """
    return change(node) if is_leaf(node) else rebuild(node, lambda child: replace_leaves(child, change))
