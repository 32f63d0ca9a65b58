"""The order in which the odds of lines are counted: dice are thrown as late as they may be, and added up at once.

It changes nothing of the odds, since throws do not depend on one another; the fewer names are read later, the fewer
states there are. In rounds, a throw is counted together with what it decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dicedocs.errors import DiceError
from dicedocs.page_rules.rule_steps import (
    Assign,
    LookUp,
    Repeat,
    Step,
    Together,
    every_step,
    given_by,
    read_before,
    read_by,
    throws_dice,
    trees_of,
)
from dicedocs.page_rules.rule_walk import known_number
from dicedocs.syntax.modifiers import Choose, Count, Filter, add_modifier, read_modifier
from dicedocs.syntax.tree import (
    ACTOR,
    Cases,
    Chain,
    Compared,
    DiceTerm,
    Node,
    Number,
    Question,
    Reference,
    Words,
    children,
    nodes,
    rebuild,
)


def with_values(steps: Sequence[Step], values: Mapping[str, Any]) -> list[Step]:
    """Return steps with numbers and words in place of the parameters that have these values."""

    def put(node: Node) -> Node:
        value = values.get(node.name) if isinstance(node, Reference) else None
        if isinstance(value, int):
            return Number(int(value))
        if isinstance(value, str):
            return Words(value)
        node = rebuild(node, put)
        return _decided(node) if isinstance(node, Cases) else node

    def change(step: Step) -> Step:
        match step:
            case Assign(tree=tree):
                return step._replace(tree=put(tree))
            case LookUp(subjects=subjects):
                # Of a parameter by itself a row may have the very value: yes, or a word.
                return step._replace(
                    subjects=tuple([each if isinstance(each, Reference) else put(each) for each in subjects])
                )
            case Repeat(body, times, until):
                body = tuple(map(change, body))
                return step._replace(body=body, times=times and put(times), until=until and put(until))
            case Together(steps=inner):
                return step._replace(steps=tuple(map(change, inner)))

    return list(map(change, steps))


def _decided(node: Cases) -> Node:
    """Return a value without the cases that never come up, as far as no name and no dice decide that."""
    left = list[tuple[Node, Node]]()
    for value, condition in node.cases:
        holds = known_number(condition)
        if holds is None:
            left.append((value, condition))
        elif holds:
            return Cases(tuple(left), value) if left else value
    return Cases(tuple(left), node.otherwise) if left else node.otherwise


def in_time(steps: Sequence[Step]) -> list[Step]:
    """Return steps in an order in which each stands just before what reads it."""
    given = Counter(name for step in steps for name in given_by(step))
    if any(isinstance(step, Repeat) for step in steps) or max(given.values(), default=0) > 1:
        return [_decided_at_once(step) if isinstance(step, Repeat) else step for step in steps]
    steps = _with_kept_dice(steps)
    by_name = {name: step for step in steps for name in given_by(step)}
    ordered: dict[str, Step] = {}

    def put(step: Step) -> None:
        if given_by(step)[0] in ordered:
            return
        for part in _added_up(step, by_name):
            for name in _in_order(part):
                if name in by_name and by_name[name] is not step:
                    put(by_name[name])
            ordered[given_by(part)[0]] = part

    read = set[str]().union(*map(read_by, steps))
    for step in steps:
        if not read.intersection(given_by(step)):
            put(step)
    return list(ordered.values())


def _decided_at_once(step: Repeat) -> Repeat:
    """Return a repetition in which a throw that only decides something is one line with those that read it.

    It is counted once for all rounds in which these lines read the same, whatever else goes from round to round.
    """
    wanted = read_by(step)
    left, done = list(step.body), list[Step]()
    while left:
        throw = left.pop(0)
        lines = left[: max((at for at, line in enumerate(left, 1) if read_by(line) & {*given_by(throw)}), default=0)]
        together, apart = _with_readers(throw, lines)
        if (
            _only_decides(throw, lines)
            and wanted.isdisjoint(given_by(throw))
            and not read_before(together).issuperset(step.state)
        ):
            names = read_before(left[len(lines) :], wanted) & _given_in(together)
            left[: len(lines)] = [*apart, Together(tuple(together), tuple(sorted(names)))]
        else:
            done.append(throw)
    return step._replace(body=tuple(done))


def _only_decides(throw: Step, lines: Sequence[Step]) -> bool:
    """Return whether a line throws dice that later lines compare, or look something up by, and never count with."""

    def counts(node: Node) -> bool:
        if isinstance(node, Reference):
            return node.name in given_by(throw)
        return not isinstance(node, Compared) and any(map(counts, children(node)))

    return (
        isinstance(throw, Assign)
        and throws_dice(throw.tree)
        and bool(lines)
        and not any(counts(line.tree) for line in every_step(lines) if isinstance(line, Assign))
    )


def _with_readers(throw: Step, lines: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """Return a line with those of the following ones that depend on it, and the others, which may stand before it."""
    together, apart = [throw], list[Step]()
    for line in lines:
        others = [throw, *(other for other in lines if other is not line)]
        used = _given_in(others).union(*map(read_by, others))
        is_apart = used.isdisjoint(given_by(line)) and read_by(line).isdisjoint(_given_in(together))
        (apart if is_apart else together).append(line)
    return together, apart


def _given_in(steps: Iterable[Step]) -> set[str]:
    return {name for step in steps for name in given_by(step)}


def _with_kept_dice(steps: Sequence[Step]) -> list[Step]:
    """Return steps in which the highest or the lowest dice stand where they are asked for, if nothing else is."""
    reads = Counter(name for step in steps for name in _in_order(step))
    dice = {step.name: step.tree for step in steps if isinstance(step, Assign) and isinstance(step.tree, DiceTerm)}
    moved: set[str] = set()

    def put(node: Node) -> Node:
        match node:
            case Question("highest" | "lowest" as which, (Reference(name=name), *number)) if reads[name] == 1:
                many = known_number(number[0]) if number else 1
                kept = _kept(dice.get(name), f"k{which[0]}{many}") if many is not None and many > 0 else None
                if kept is not None:
                    moved.add(name)
                    return kept
        return rebuild(node, put)

    changed = [step._replace(tree=put(step.tree)) if isinstance(step, Assign) else step for step in steps]
    return [step for step in changed if not moved.intersection(given_by(step))]


def _kept(term: Node | None, written: str) -> Node | None:
    """Return dice with one more modifier, if they can have it."""
    if not isinstance(term, DiceTerm):
        return None
    if any(isinstance(one, Choose | Filter | Count) for one in term.modifiers):
        return None  # each of them looks at all the dice, not at those that another one keeps
    try:
        return replace(term, modifiers=add_modifier(term.modifiers, read_modifier(written), of_set=False))
    except DiceError:
        return None


def _in_order(step: Step) -> list[str]:
    """Return the names that a step reads, in the order in which it does."""
    return [node.name for tree in trees_of(step) for node in nodes(tree) if isinstance(node, Reference)]


def _added_up(step: Step, given: Collection[str]) -> Iterator[Step]:
    """Yield a step, or, for a sum of several names, one after the other what the first of them come to."""
    if isinstance(step, Assign) and isinstance(step.tree, Chain) and step.tree.is_sum:
        operands = step.tree.operands
        if len(operands) > 2 and all(isinstance(one, Reference) and one.name in given for one in operands):
            before: Node = step.tree.first
            for at, (sign, operand) in enumerate(step.tree.rest, 1):
                is_last = at == len(step.tree.rest)
                name = step.name if is_last else f"{step.name} {at}"
                yield Assign(name, step.label, Chain(before, ((sign, operand),)), step.kind)
                before = Reference(ACTOR, name)
            return
    yield step
