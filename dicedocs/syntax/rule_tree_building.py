"""The tree that is built from the value of a line of a rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from lark import Token, v_args

from dicedocs.errors import NotationError, located
from dicedocs.syntax.modifiers import add_modifier, read_modifier
from dicedocs.syntax.tree import (
    ACTOR,
    Cases,
    Chain,
    DiceTerm,
    Group,
    Logic,
    Node,
    Question,
    Reference,
    Set,
    Words,
    nodes,
)
from dicedocs.syntax.tree_building import TreeBuilder


@v_args(inline=True)
class RuleTreeBuilder(TreeBuilder):
    """Builds the tree of a notation, and of what only rules have."""

    def modified(self, whole: DiceTerm | Set | Group, token: Token) -> DiceTerm | Set:
        """Return what a modifier acts on; behind a name it acts on the dice that are thrown under it."""
        dice = whole.members[0] if isinstance(whole, Set) and len(whole.members) == 1 else whole
        if not any(isinstance(node, Reference) for node in _added(dice)):
            return super().modified(whole, token)
        start = token.start_pos or 0
        before = whole.modifiers if isinstance(whole, Set) else ()
        with located(start):
            return Set((dice,), add_modifier(before, read_modifier(token, start), of_set=False))

    def NAME(self, token: Token) -> Reference:  # noqa: N802
        return Reference(ACTOR, " ".join(token.split()), token.start_pos or 0)

    def WORDS(self, token: Token) -> Words:  # noqa: N802
        return Words(" ".join(token[1:-1].split()), token.start_pos or 0)

    def cases(self, *parts: tuple[Node, Node] | Node) -> Cases:
        """Return values with their conditions; the last part is the value if none of these holds."""
        *cases, otherwise = parts
        return Cases(cast("tuple[tuple[Node, Node], ...]", tuple(cases)), cast("Node", otherwise))

    def case(self, value: Node, condition: Node) -> tuple[Node, Node]:
        return value, condition

    def any_of(self, left: Node, right: Node) -> Logic:
        return _logic("any", left, right)

    def all_of(self, left: Node, right: Node) -> Logic:
        return _logic("all", left, right)

    def negated(self, operand: Node) -> Node:
        return operand.operands[0] if isinstance(operand, Logic) and operand.name == "not" else Logic("not", (operand,))

    def comparison(self, first: Node, *rest: Token | Node) -> Node:
        """Return a comparison, or all comparisons of a chain such as ``1 < x <= 5``."""
        values = [first, *cast("tuple[Node, ...]", rest[1::2])]
        signs = cast("tuple[Token, ...]", rest[::2])
        if any(isinstance(node, DiceTerm) for value in values[1:-1] for node in nodes(value)):
            # Each comparison would throw its own dice.
            hint = "give them a name on a line above"
            raise NotationError("dice between two comparisons", at=signs[0].start_pos or 0, hint=hint)
        compared = [
            self.compared(left, sign, right) for sign, (left, right) in zip(signs, pairwise(values), strict=True)
        ]
        return compared[0] if len(compared) == 1 else Logic("all", tuple(compared))

    def question(self, name: Token, *arguments: Node) -> Question:
        return Question(str(name), arguments, name.start_pos or 0)


def _added(node: Node) -> Iterator[Node]:
    """Yield the terms of a sum in parentheses, or of a node that is none."""
    match node:
        case Group(inner):
            yield from _added(inner)
        case Chain() if node.is_sum:
            for operand in node.operands:
                yield from _added(operand)
        case _:
            yield node


def _logic(name: str, left: Node, right: Node) -> Logic:
    before = left.operands if isinstance(left, Logic) and left.name == name else (left,)
    return Logic(name, (*before, right))  # type: ignore[arg-type]
