"""The parts of a text that are values, with the place where each stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from dicedocs.errors import DiceError, NotationError
from dicedocs.syntax.names import parameter_name
from dicedocs.syntax.relations import OPPOSITES
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.syntax.tree import ACTOR, IT, Chain, Compared, Logic, Node, Reference, format_name, rebuild

_BOUND: Final = re.compile(r"(?!is\b|are\b)[a-z]", re.IGNORECASE)
"""What begins a relation in words that may also say how low or high a value may be."""


class RuleError(NotationError):
    """A rule that cannot be read.

    Parameters:
        row: the line at fault, from 0 for the first one of the rule.
    """

    def __init__(self, message: str, *, text: str = "", at: int = 0, hint: str = "", row: int = 0) -> None:
        super().__init__(message, text=text, at=at, hint=hint)
        self.row = row

    @property
    def line(self) -> int:
        """The line at fault, from 1."""
        return self.row + 1


class Text(NamedTuple):
    """A line with those that continue it.

    Parameters:
        lines: the texts of the lines, without what stands before them.
        indents: how far each is indented.
        first: the number of the first one, from 0.
    """

    lines: tuple[str, ...]
    indents: tuple[int, ...]
    first: int

    @property
    def joined(self) -> str:
        """All lines as one text."""
        return " ".join(self.lines)

    def error(self, message: str, at: int, hint: str = "") -> RuleError:
        """Return an error at a position in the joined text."""
        line = 0
        while line < len(self.lines) - 1 and at > len(self.lines[line]):
            at -= len(self.lines[line]) + 1
            line += 1
        indent = self.indents[line]
        text = " " * indent + self.lines[line]
        return RuleError(
            message, text=text, at=min(at, len(self.lines[line])) + indent, hint=hint, row=self.first + line
        )


class Part(NamedTuple):
    """A part of a line that is a value.

    Parameters:
        text: the line.
        at: where the part begins in the joined text.
        tree: the value.
        value: the value as written.
    """

    text: Text
    at: int
    tree: Node
    value: str = ""

    def error(self, message: str, at: int = 0, hint: str = "") -> RuleError:
        """Return an error at a position in the part."""
        return self.text.error(message, self.at + at, hint)


def read_part(text: Text, at: int, value: str, names: Mapping[str, str], *, is_event: bool = False) -> Part:
    """Return a part of a line that is a value.

    Raises:
        RuleError: it is none.
    """
    try:
        return Part(text, at, _named(parse_rule_value(value, names, is_event=is_event), {*names.values()}), value)
    except NotationError as error:
        raise text.error(error.message, at + error.at, error.hint) from None
    except DiceError as error:
        raise text.error(error.message, at + error.at, error.hint) from None


def said_bound(tree: Node, text: str) -> Compared | None:
    """Return the comparison of a value that may also say how low or how high it may be: ``total at least 7``.

    Parameters:
        tree: the value.
        text: the text in which it stands.
    """
    match tree:
        case Compared(op=">=" | "<="):
            found = tree
        case Logic("not", (Compared(left, "<" | ">" as op, right, at),)):
            found = Compared(left, OPPOSITES[op], right, at)
        case _:
            return None
    return found if _BOUND.match(text, found.at) else None


def bounded(of: Compared) -> str:
    """Return what a value is that is so bounded: ``max(total, 7)``."""
    return f"{'max' if of.op == '>=' else 'min'}({format_name(of.left)}, {format_name(of.right)})"


def check_bound(part: Part) -> None:
    """Refuse ``hits - 1 at least 0`` as a whole value: it may compare, or say how low the value may be."""
    found = said_bound(part.tree, part.value)
    if found is not None and isinstance(found.left, Chain):
        comparison = f"{format_name(found.left)} {found.op} {format_name(found.right)}"
        hint = f"write {bounded(found)} for a number, or {comparison} for yes or no"
        raise part.error("ambiguous: a bound of the value, or a comparison", found.at, hint)


def _named(node: Node, known: Collection[str]) -> Node:
    """Return a tree in which names that are the same for readers are the same."""
    if isinstance(node, Reference) and node.scope == ACTOR:
        return (
            node
            if node.name in known or node == IT
            else Reference(node.scope, node_name(node.name), node.at, node.written)
        )
    return rebuild(node, lambda child: _named(child, known))


def node_name(written: str) -> str:
    """Return the name in a tree of what is written, in whatever case.

    >>> node_name("Target number")
    'target_number'
    """
    return parameter_name(written).lower()
