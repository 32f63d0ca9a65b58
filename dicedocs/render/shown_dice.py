"""The dice of an outcome as they are shown: also those that are not dropped, but whose face counts for nothing.

The rule itself says which dice make the total, with ``say.sum``, and which are counted, with ``dice.tally``, so that no
game has to mark the others. So does each mechanic that it plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, TypeVar

from dicedocs.render.sentences import step_label
from dicedocs.rules.kinds import spaced
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.record import Die
from dicedocs.rules.steps import UNNAMED_THROW, Step
from dicedocs.translation import mark

D = TypeVar("D")

OUTSIDE: Final = mark("not in the total")
"""The state of a die that was thrown for a total or to be counted, but whose face is not in it."""
MAX_GROUPS: Final = 20
"""The throws that are drawn each with its label."""


def shown_dice(outcome: Outcome, steps: Sequence[Step]) -> tuple[Die, ...]:
    """Return the dice of an outcome in the order thrown, each with the state in which it is shown.

    Parameters:
        outcome: the outcome, with a record of its dice.
        steps: its steps.

    >>> import dicedocs as dd
    >>> action = dd.play("mecha-vs-kaiju/action", pool="d20 d8 d10", dice=[14, 5, 7])
    >>> [str(die) for die in shown_dice(action, action.steps())]
    ['d20 showing 14', 'd8 showing 5, not in the total', 'd10 showing 7']
    """
    outside = _all_outside(outcome, steps)
    if not outside:
        return outcome.thrown
    return tuple(
        die._replace(state=OUTSIDE) if position in outside and not die.state else die
        for position, die in enumerate(outcome.thrown, 1)
    )


def throw_groups(steps: Sequence[Step], dice: Sequence[D]) -> list[tuple[str, list[D]]]:
    """Return the dice by the labels of their throws, by the rounds, or by the rules that threw them.

    None if the rule labels no throw, has no rounds and plays fewer than two others, or if there are too many groups to
    be read.

    Parameters:
        steps: the steps of the outcome.
        dice: the dice in the order thrown, in any form.
    """
    throws = [step for step in steps if step.verb in {"throw", "play"}]
    labelled = any(step.verb == "throw" and step.label != UNNAMED_THROW for step in throws)
    in_rounds = any(step.verb == "play" and step.how for step in throws)
    played_apart = len(throws) > 1 and all(step.verb == "play" for step in throws)
    if not (labelled or in_rounds or played_apart):
        return []
    groups = [(step_label(step), sorted(thrown_in(step))) for step in throws]
    # A rule may throw dice while it plays another and reads nothing of them.
    if len(groups) > MAX_GROUPS or sorted(chain(*(own for _label, own in groups))) != list(range(1, len(dice) + 1)):
        return []
    return [(label, [dice[position - 1] for position in own]) for label, own in groups if own]


def thrown_in(step: Step) -> set[int]:
    """Return the dice that a step or those nested in it threw, by their positions from 1."""
    own = {term.die for term in step.terms} if step.verb == "throw" else set()
    return own.union(*map(thrown_in, step.steps))


def _all_outside(outcome: Outcome, steps: Sequence[Step]) -> set[int]:
    """Return the positions of the dice that are in no total and no count, also of the mechanics played."""
    outside = _outside(outcome, steps)
    for step in steps:
        outside.update(step.uncounted)
        if isinstance(step.played, Outcome):
            outside |= _all_outside(step.played, step.steps)
    return outside


def _outside(outcome: Outcome, steps: Sequence[Step]) -> set[int]:
    """Return the positions of the dice that were thrown for the total, but are not in it.

    A die was thrown for something else if it was thrown later, if only a sum of its throw was read, or if a step reads
    it that reads no die of the total.
    """
    total = _sum_of_total(outcome, steps)
    if total is None or not _is_complete(total, outcome.rule):
        return set()
    before = steps[: steps.index(total)]
    thrown = set().union(*(_dice(step) for step in before if step.verb == "throw" and not step.how))
    inside = _dice(total)
    readers = [_dice(step) for step in steps if step.verb not in {"throw", "mark"}]
    return thrown.difference(inside, *(read for read in readers if not read & inside)) if inside else set()


def _sum_of_total(outcome: Outcome, steps: Iterable[Step]) -> Step | None:
    """Return the step that added up the number which is compared with a target, or else the main fact."""
    facts = list(outcome.facts_of.values())
    fact = next((fact for fact in facts if fact.against), outcome.facts_of.get(outcome.main_fact))
    if fact is None:
        return None
    value = outcome.fact(fact.name)
    sums = [step for step in steps if step.verb == "sum" and step.label == fact.label and step.value == value]
    return sums[-1] if sums and type(value) is int else None


def _is_complete(total: Step, rule: object) -> bool:
    """Return whether all dice of a sum are known: each of its terms is a face or a parameter, not another number."""
    known = {spaced(name) for name in type(rule).parameters()} if isinstance(rule, Mechanic) else set()
    return all(term.die or term.name in known for term in total.terms)


def _dice(step: Step) -> set[int]:
    return {term.die for term in step.terms if term.die}
