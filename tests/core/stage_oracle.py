"""The six stages of an Expression computed the plain way, to compare the recorded stages with.

Each stage is a function from a tree to the tree after it and the operations that it took, in which a part is computed
as soon as all of its own parts are numbers.
"""

from __future__ import annotations

from dicedocs.rules.steps import Operation
from dicedocs.syntax.tree import Chain, Compared, DiceTerm, Group, Number, Reference, nodes


def substitute(tree, values):
    """Return the tree with the values of its references."""
    remaining = iter(values)

    def number(part):
        return Number(next(remaining)) if isinstance(part, Reference) else part

    return replace_leaves(
        tree, lambda leaf: DiceTerm(number(leaf.count), number(leaf.sides)) if type(leaf) is DiceTerm else number(leaf)
    )


def dice_terms(tree):
    """Return the dice of a tree from left to right."""
    return [node for node in nodes(tree) if isinstance(node, DiceTerm)]


def roll(tree, totals):
    """Return the tree with the totals of its dice terms."""
    remaining = iter(totals)
    return replace_leaves(tree, lambda leaf: Number(next(remaining)) if type(leaf) is DiceTerm else leaf)


def parentheses(tree):
    """Return the tree without its groups, and the operations that they took."""
    done = []

    def evaluate(node):
        node = replace_children(node, evaluate)
        if not isinstance(node, Group):
            return node
        return reduce_chains(reduce_chains(node.inner, "*/", done), "+-", done)

    return evaluate(tree), tuple(done)


def multiply(tree):
    """Return the tree without products, and the operations that they took."""
    done = []
    return reduce_chains(tree, "*/", done), tuple(done)


def add(tree):
    """Return the tree without sums, and the operations that they took."""
    done = []
    return reduce_chains(tree, "+-", done), tuple(done)


def clamp(tree):
    """Return the tree with its value raised to 0; for a Check the value of each side."""
    return replace_leaves(tree, lambda leaf: Number(max(0, leaf.value)))


def calculate(left, sign, right):
    """Return the value of an operation; a quotient is rounded down, and 0 if the divisor is."""
    if sign == "/":
        return left // right if right else 0
    return left + right if sign == "+" else left - right if sign == "-" else left * right


def reduce_chains(node, signs, done):
    """Return a tree whose chains of some signs are numbers, and add the operations to those done."""
    if not (isinstance(node, Chain) and node.rest[0][0] in signs):
        return replace_children(node, lambda child: reduce_chains(child, signs, done))
    value = node.first.value
    for sign, right in node.rest:
        done.append(Operation(value, sign, right.value, calculate(value, sign, right.value)))
        value = done[-1].value
    return Number(value)


def replace_leaves(node, change):
    if isinstance(node, Number | Reference | DiceTerm):
        return change(node)
    return replace_children(node, lambda child: replace_leaves(child, change))


def replace_children(node, change):
    if isinstance(node, Group):
        return Group(change(node.inner))
    if isinstance(node, Chain):
        return Chain(change(node.first), tuple([(sign, change(part)) for sign, part in node.rest]))
    if isinstance(node, Compared):
        return Compared(change(node.left), node.op, change(node.right))
    return node
