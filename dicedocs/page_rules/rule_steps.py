"""The steps of a rule of a page: what each line does, which names it gives, and which it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from dicedocs.page_rules.draws import Draws
from dicedocs.rules.steps import ROUND
from dicedocs.syntax.rule_names import Kind
from dicedocs.syntax.tree import IT, DiceTerm, Node, Play, Question, Reference, nodes


class PlayedFact(NamedTuple):
    """A name for a fact of a rule that a line plays.

    Parameters:
        name: the name.
        fact: the fact; empty for that which is meant where none is named.
        is_word: whether it is one of some words.
    """

    name: str
    fact: str
    is_word: bool


class Assign(NamedTuple):
    """Give a name to a value.

    Parameters:
        name, label: the name, and how it is written.
        tree: the value.
        kind: what it is.
        facts: the names for what is played, of which that of the line may be one; none if it plays no rule.
    """

    name: str
    label: str
    tree: Node
    kind: Kind
    facts: tuple[PlayedFact, ...] = ()


class Found(NamedTuple):
    """What a table gives a name to.

    Parameters:
        name, label: the name, and how it is written.
        what: the cell of a column, what is rolled in it, the numbers that are thrown for the row, or how many rows are
            drawn.
        column: the index of the column.
    """

    name: str
    label: str
    what: Literal["cell", "rolled", "roll", "drawn", "rows"] = "cell"
    column: int = 0


class FindRow(NamedTuple):
    """Find the row of a table that some values choose.

    Parameters:
        subjects: the values.
        table: the index of the table among those of the program.
        throw: the label of what is thrown for it; empty where a line of the rule looks something up.
        with_values: whether the values are asked for too.
    """

    subjects: tuple[Node, ...]
    table: int
    throw: str
    with_values: bool


class LookUp(NamedTuple):
    """Give names to what a table has for some values.

    Parameters:
        names: what it gives.
        subjects: the values.
        table: the index of the table among those of the program.
        throw: the label of what is thrown for a row; empty where a line of the rule looks something up.
        passed: the names that tables named in cells may read.
        draws: how many rows are drawn, if the names are given lists, to which each row adds; ``None`` for one row.
        id: the id of the table if its own cells may name it; its rows are then rolled again without their own.
    """

    names: tuple[Found, ...]
    subjects: tuple[Node, ...]
    table: int
    throw: str = ""
    passed: tuple[str, ...] = ()
    draws: Draws | None = None
    id: str = ""


class Repeat(NamedTuple):
    """Do lines again.

    Parameters:
        body: the lines.
        times: how often; ``None`` for no such number.
        until: what ends it; ``None`` if only the number does.
        state: the names whose values a round takes from the one before, or leaves behind.
        label: what a round is called.
    """

    body: tuple[Step, ...]
    times: Node | None
    until: Node | None
    state: tuple[str, ...]
    label: str = ROUND


class Together(NamedTuple):
    """Do lines of a round as one, since later lines read only some of their names.

    Parameters:
        steps: the lines.
        names: the names that are read later.
    """

    steps: tuple[Step, ...]
    names: tuple[str, ...]


CHOICE: Final = " choice of "
"""Stands before the name of a line at which a player chooses, for how: a name that no line can have."""
CHOICES: Final = ("choose", "decided")
"""The questions that a player answers: as a parameter says, or by a value of what they see."""
DRAWN, ROWS, WITHOUT = " drawn", " rows", " without"
"""How many rows are drawn so far, and which, and which are rolled again: names that no line can have."""
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
        case Assign(name, facts=()):
            return (name,)
        case LookUp(names=names) | Assign(facts=names):
            return tuple(each.name for each in names)
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
    match step:
        case Repeat(state=names):
            found |= {*names}
        case LookUp(passed=names):
            found |= {*names, *(given_by(step) if step.draws is not None else ()), *([WITHOUT] if step.id else [])}
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
            kept.insert(0, _needed_part(step, live))
            live = read_before(kept[:1], live)
    return tuple(kept)


def _needed_part(step: Step, wanted: Collection[str]) -> Step:
    """Return a step without that on which no name depends: lines of rounds, and cells of a table."""
    match step:
        case Repeat():
            return _needed_rounds(step, wanted)
        case LookUp():
            return step._replace(
                names=tuple([each for each in step.names if each.name in wanted or each.what == "rows"])
            )
        case Assign(facts=facts):
            return step._replace(facts=tuple([each for each in facts if each.name in wanted]))
    return step


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
    """Return whether dice are thrown for a value, beside those of its names, or a player chooses, perhaps by a die."""
    return any(
        isinstance(node, DiceTerm | Play) or (isinstance(node, Question) and node.name in {"roll", "choose"})
        for node in nodes(tree)
    )
