"""The steps of a rule of a page: what each line does, which names it gives, and which it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from dicedocs.syntax.rule_names import Kind
from dicedocs.syntax.tree import IT, DiceTerm, Node, Question, Reference, nodes


class Assign(NamedTuple):
    """Give a name to a value.

    Parameters:
        name, label: the name, and how it is written.
        tree: the value.
        kind: what it is.
    """

    name: str
    label: str
    tree: Node
    kind: Kind


class LookUp(NamedTuple):
    """Give names to what a table has for some values.

    Parameters:
        names: each name, and how it is written, for each column.
        subjects: the values.
        table: the index of the table among those of the program.
    """

    names: tuple[tuple[str, str], ...]
    subjects: tuple[Node, ...]
    table: int


class Repeat(NamedTuple):
    """Do lines again.

    Parameters:
        body: the lines.
        times: how often; ``None`` for no such number.
        until: what ends it; ``None`` if only the number does.
        state: the names whose values a round takes from the one before, or leaves behind.
    """

    body: tuple[Step, ...]
    times: Node | None
    until: Node | None
    state: tuple[str, ...]


class Together(NamedTuple):
    """Do lines of a round as one, since later lines read only some of their names.

    Parameters:
        steps: the lines.
        names: the names that are read later.
    """

    steps: tuple[Step, ...]
    names: tuple[str, ...]


Step: TypeAlias = Assign | LookUp | Repeat | Together


def every_step(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield steps, and those in them."""
    for step in steps:
        yield step
        yield from every_step(steps_in(step))


def steps_in(step: Step) -> tuple[Step, ...]:
    """Return the steps of which a step consists."""
    match step:
        case Repeat(body=steps) | Together(steps=steps):
            return steps
    return ()


def given_by(step: Step) -> tuple[str, ...]:
    """Return the names that have a value after a step, or another one than before."""
    match step:
        case Assign(name):
            return (name,)
        case LookUp(names):
            return tuple(name for name, _ in names)
        case Repeat(state=names) | Together(names=names):
            return names


def trees_of(step: Step) -> tuple[Node, ...]:
    """Return the values that a step computes, without those of the steps in it."""
    match step:
        case Assign(tree=tree):
            return (tree,)
        case LookUp(subjects=subjects):
            return subjects
        case Repeat(times=times, until=until):
            return tuple(tree for tree in (times, until) if tree is not None)
        case Together():
            return ()


def names_in(tree: Node) -> set[str]:
    """Return the names in a value."""
    return {node.name for node in nodes(tree) if isinstance(node, Reference) and node != IT}


def read_by(step: Step) -> set[str]:
    """Return the names whose values before a step it reads."""
    found = set[str]().union(*map(names_in, trees_of(step)))
    if isinstance(step, Repeat):
        found |= {*step.state}
    return found | read_before(steps_in(step))


def read_before(steps: Sequence[Step], later: Collection[str] = ()) -> set[str]:
    """Return the names whose values before some steps are read, by these or later."""
    live = set(later)
    for step in reversed(steps):
        live = (live - ended_by(step)) | read_by(step)
    return live


def needed_steps(steps: Sequence[Step], wanted: Collection[str]) -> tuple[Step, ...]:
    """Return the steps on which some names depend."""
    live, kept = set(wanted), list[Step]()
    for step in reversed(steps):
        if live & set(given_by(step)):
            kept.insert(0, _needed_rounds(step, live) if isinstance(step, Repeat) else step)
            live = read_before(kept[:1], live)
    return tuple(kept)


def _needed_rounds(step: Repeat, wanted: Collection[str]) -> Repeat:
    """Return a repetition with only those lines and names on which its end, or some names, depend."""
    live = set(wanted) if step.until is None else {*wanted, *names_in(step.until)}
    body = needed_steps(step.body, live)
    while not read_before(body) <= live:
        live |= read_before(body)
        body = needed_steps(step.body, live)
    return step._replace(body=body, state=tuple([name for name in step.state if name in live]))


def ended_by(step: Step) -> set[str]:
    """Return the names whose values before a step nothing reads after it."""
    return set() if isinstance(step, Repeat) else {*given_by(step)}


def throws_dice(tree: Node) -> bool:
    """Return whether dice are thrown for a value, beside those of its names."""
    return any(
        isinstance(node, DiceTerm) or (isinstance(node, Question) and node.name == "roll") for node in nodes(tree)
    )
