"""What is asked of the dice of each name of a rule: so much is kept of them, and no more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from dicedocs.page_rules.pool_folds import EVERY, TOTAL, Alike, Best, Count, Fold, Largest
from dicedocs.page_rules.rule_steps import (
    CHOICES,
    Assign,
    Step,
    ended_by,
    every_step,
    given_by,
    names_in,
    read_by,
    throws_dice,
    trees_of,
)
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.tree import (
    Cases,
    Chain,
    DiceTerm,
    Group,
    Labelled,
    Node,
    Number,
    Question,
    Reference,
    Set,
    children,
    nodes,
)

_ONE: Final = Number(1)


def pools_of(steps: Sequence[Step]) -> set[str]:
    """Return the names whose dice are read: by a question, by a modifier, or under another name."""
    found: set[str] = set()
    every = list(every_step(steps))
    for step in every:
        for tree in trees_of(step):
            for node in nodes(tree):
                match node:
                    case Question(name, (first, *_)) if name not in {"roll", *CHOICES}:
                        found |= _parts(first)
                    case Set((inner,)):
                        found |= _parts(inner)
    while True:
        more = found.union(*(_parts(step.tree) for step in every if isinstance(step, Assign) and step.name in found))
        if more == found:
            return found
        found = more


def _parts(node: Node) -> set[str]:
    """Return the names of the dice of which a value consists."""
    match node:
        case Reference(name=name):
            return {name}
        case Group(inner) | Labelled(inner) | Set((inner,)):
            return _parts(inner)
        case Chain():
            return set[str]().union(*map(_parts, node.operands))
        case Cases(cases, otherwise):
            return _parts(otherwise).union(*(_parts(value) for value, _ in cases))
    return set()


def fold_of(question: Question) -> Fold:
    """Return what a question asks of dice."""
    match question:
        case Question("count", (_, condition)):
            return Count(condition)
        case Question("count"):
            return Count()
        case Question("highest" | "lowest" as name, (_, *rest)):
            return Best(rest[0] if rest else _ONE, name == "highest")
        case Question("matches"):
            return Alike()
        case Question("sides"):
            return Largest()
    return TOTAL


Needs: TypeAlias = Mapping[str, tuple[Fold, ...]]
"""What is asked of the dice of each name whose dice are read."""


def needs_of(steps: Sequence[Step], parameters: Iterable[str]) -> Needs:
    """Return what is asked of the dice of each name."""
    pools = pools_of(steps)
    found: dict[str, dict[Fold, None]] = {name: {} for name in pools}
    every = list(every_step(steps))
    throws = {step.name: step.tree for step in every if isinstance(step, Assign) and step.name in pools}
    places = {name: place for place, step in enumerate(every) for name in given_by(step)} | dict.fromkeys(
        parameters, -1
    )

    def need(node: Node, fold: Fold) -> None:
        match node:
            case Reference(name=name) if name in found:
                found[name][fold] = None
            case Group(inner) | Labelled(inner):
                need(inner, fold)
            case Set((inner,)):
                need(inner, EVERY)
            case Chain():
                for operand in node.operands:
                    need(operand, EVERY if isinstance(fold, Alike) else fold)
            case Cases(cases, otherwise):
                for value in (otherwise, *(value for value, _ in cases)):
                    need(value, fold)

    def visit(node: Node) -> None:
        match node:
            case Question(name, (pool, *others)) if name not in {"roll", *CHOICES}:
                need(pool, fold_of(node))
                for other in (*others, *([] if isinstance(pool, Reference) else [pool])):
                    visit(other)
            case Reference(name=name) if name in found:
                found[name][TOTAL] = None
            case Set((inner,)):
                need(inner, EVERY)
            case _:
                for child in children(node):
                    visit(child)

    for step in every:
        for tree in trees_of(step):
            # The parts of dice are asked for what is asked of the whole.
            for node in _beside_dice(tree) if isinstance(step, Assign) and step.name in pools else [tree]:
                visit(node)
    before: object = None
    while before != (before := {name: tuple(folds) for name, folds in found.items()}):
        for name, tree in throws.items():
            for fold in tuple(found[name]):
                need(tree, fold)
            for fold in tuple(found[name]):
                is_known = all(places.get(other, 0) < places[name] for other in names_of(fold))
                if not is_known or has_dice(fold) or (isinstance(fold, Alike) and _is_mixed(tree)):
                    del found[name][fold]
                    found[name][EVERY] = None
    return {name: (EVERY,) if EVERY in folds else tuple(folds) for name, folds in found.items()}


def _beside_dice(tree: Node) -> Iterator[Node]:
    """Yield the numbers and the conditions in a value that is dice."""
    match tree:
        case DiceTerm():
            yield from children(tree)
        case Cases(cases, otherwise):
            for value, condition in cases:
                yield condition
                yield from _beside_dice(value)
            yield from _beside_dice(otherwise)
        case Chain() | Group() | Labelled() | Set():
            for child in children(tree):
                yield from _beside_dice(child)


def _parts_of(fold: Fold) -> tuple[Node, ...]:
    match fold:
        case Count(condition) if condition is not None:
            return (condition,)
        case Best(number):
            return (number,)
    return ()


def names_of(fold: Fold) -> set[str]:
    """Return the names that a fold reads beside the dice."""
    return set[str]().union(*map(names_in, _parts_of(fold)))


def has_dice(fold: Fold) -> bool:
    """Return whether other dice are thrown for a fold."""
    return any(map(throws_dice, _parts_of(fold)))


def _is_mixed(tree: Node) -> bool:
    """Return whether dice do not all show the numbers from 1 to the same one, each once when they are thrown."""
    return any(
        isinstance(node, Chain)
        or (isinstance(node, DiceTerm) and (isinstance(node.sides, DieFaces) or bool(node.modifiers)))
        for node in nodes(tree)
    )


def reads(step: Step, needs: Needs) -> set[str]:
    """Return the names that a step reads, with those that decide what is asked of dice that it throws."""
    inner = every_step([step])
    asked = {
        name for one in inner for given in given_by(one) for fold in needs.get(given, ()) for name in names_of(fold)
    }
    return read_by(step) | asked


def live_before(steps: Sequence[Step], wanted: Collection[str], needs: Needs) -> list[set[str]]:
    """Return the names that are read by each step or later, and those at the end."""
    live = [set(wanted)]
    for step in reversed(steps):
        live.insert(0, (live[0] - ended_by(step)) | reads(step, needs))
    return live
