"""The six stages of an Expression computed the plain way, to compare the recorded stages with.

Each stage is a function from a tree to the tree after it. The product computes all stages from one cached plan.
"""

from __future__ import annotations

from dicedocs.expression.evaluator import STANDARD
from dicedocs.expression.tree import CheckTree, DiceTerm, Group, Number, Product, Resource, Sum
from dicedocs.rules.steps import Operation


def substitute(tree, values):
    """Return the tree with the values of its references."""
    remaining = iter(values)

    def number(part):
        return Number(next(remaining)) if isinstance(part, Resource) else part

    return replace_leaves(
        tree, lambda leaf: DiceTerm(number(leaf.count), number(leaf.sides)) if type(leaf) is DiceTerm else number(leaf)
    )


def roll(tree, totals):
    """Return the tree with the totals of its dice terms."""
    remaining = iter(totals)
    return replace_leaves(tree, lambda leaf: Number(next(remaining)) if type(leaf) is DiceTerm else leaf)


def parentheses(tree, arithmetic=STANDARD):
    """Return the tree without its groups, and the operations that they took."""
    done = []

    def evaluate(node):
        node = replace_children(node, evaluate)
        if not isinstance(node, Group):
            return node
        return reduce_chains(reduce_chains(node.inner, Product, arithmetic, done), Sum, arithmetic, done)

    return evaluate(tree), tuple(done)


def multiply(tree, arithmetic=STANDARD):
    """Return the tree without products, and the operations that they took."""
    done = []
    return reduce_chains(tree, Product, arithmetic, done), tuple(done)


def add(tree, arithmetic=STANDARD):
    """Return the tree without sums, and the operations that they took."""
    done = []
    return reduce_chains(tree, Sum, arithmetic, done), tuple(done)


def clamp(tree, arithmetic=STANDARD):
    """Return the tree with its value raised to the minimum; for a Check the value of each side."""
    return replace_leaves(tree, lambda leaf: Number(arithmetic.clamp(leaf.value)))


def reduce_chains(node, kind, arithmetic, done):
    """Return a tree whose chains of a kind are numbers, and add the operations to those done."""
    if not isinstance(node, kind):
        return replace_children(node, lambda child: reduce_chains(child, kind, arithmetic, done))
    value = node.first.value
    for sign, right in node.rest:
        done.append(Operation(value, sign, right.value, arithmetic.calculate(value, sign, right.value)))
        value = done[-1].value
    return Number(value)


def replace_leaves(node, change):
    if isinstance(node, Number | Resource | DiceTerm):
        return change(node)
    return replace_children(node, lambda child: replace_leaves(child, change))


def replace_children(node, change):
    if isinstance(node, Group):
        return Group(change(node.inner))
    if isinstance(node, Product | Sum):
        return type(node)(change(node.first), tuple([(sign, change(part)) for sign, part in node.rest]))
    if isinstance(node, CheckTree):
        return CheckTree(change(node.left), node.op, change(node.right))
    return node
