"""The text of a tree whose dice were rolled, with gaps for their numbers."""

from __future__ import annotations

from dicedocs.expression.operations import TO_DIVIDE, quotient
from dicedocs.expression.tree import (
    Call,
    Collection,
    Compared,
    Group,
    Labelled,
    Negation,
    Node,
    Number,
    Power,
    Product,
    Sum,
)


def rolled_text(node: Node) -> str:
    """Return the text of a tree with ``%d`` in place of each reference, dice term, pool and set with modifiers.

    >>> from dicedocs.expression.parser import parse_expression
    >>> rolled_text(parse_expression("(4d6kh3 + 2) % [Luck] ** 2", "notation"))
    '(%d + 2) %% %d ** 2'
    """
    match node:
        case Number(value):
            return str(value)
        case Group(inner):
            return f"({rolled_text(inner)})"
        case Sum(first, rest) | Product(first, rest):
            operations = [f" {'%%' if sign == '%' else sign} {rolled_text(operand)}" for sign, operand in rest]
            return "".join([rolled_text(first), *operations])
        case Negation(operand):
            return f"-{rolled_text(operand)}"
        case Power(base, exponent):
            return f"{rolled_text(base)} ** {rolled_text(exponent)}"
        case Compared(left, op, right):
            return f"{rolled_text(left)} {op} {rolled_text(right)}"
        case Labelled(inner, labels):
            return rolled_text(inner) + "".join(f" [{label}]" for label in labels).replace("%", "%%")
        case Call(name, arguments):
            divided = quotient(arguments[0]) if name in TO_DIVIDE else None
            if divided is not None:
                return f"{name}({rolled_text(divided[0])} / {rolled_text(divided[1])})"
            return f"{name}({', '.join(map(rolled_text, arguments))})"
        case Collection(members, ()):
            return f"({' + '.join(map(rolled_text, members))})"
        case _:
            return "%d"
