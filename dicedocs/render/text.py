"""An outcome as text: its working line by line, and the facts of its result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dicedocs.render.sentences import sentence
from dicedocs.render.words import clean, display_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import READ_FROM_DICE, Outcome
from dicedocs.rules.record import Die
from dicedocs.rules.steps import Step


class Row(NamedTuple):
    """A line of the working.

    Parameters:
        label: the subject of the step.
        text: what the step did; empty above the lines of a nested mechanic.
        depth: how many mechanics it is nested in.
        idle: whether the step changed nothing, so that it may be left out.
    """

    label: str
    text: str
    depth: int = 0
    idle: bool = False

    def __str__(self) -> str:
        return "  " * self.depth + (f"{self.label}: {self.text}" if self.text else f"{self.label}:")


def rows(steps: Iterable[Step], depth: int = 0) -> list[Row]:
    """Return the lines of the working; those of a nested mechanic follow its label, one level deeper.

    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> triggered = say.compare("Threshold", 13, ">=", 13)
    >>> rows(say.steps)
    [Row(label='Threshold', text='13 >= 13: yes', depth=0, idle=False)]
    """
    lines = []
    for step in steps:
        lines.append(Row(clean(step.label), str(sentence(step)), depth, is_idle(step)))
        lines += rows(step.steps, depth + 1)
    return lines


def is_idle(step: Step) -> bool:
    """Return whether a step changed nothing; a nested mechanic is idle if all its steps are."""
    return step.idle or (step.verb == "play" and all(map(is_idle, step.steps)))


def thrown_dice(outcome: Outcome) -> tuple[Die, ...] | None:
    """Return the dice of an outcome; ``None`` if it has no record: made by hand, or played within another rule."""
    try:
        return outcome.thrown
    except RuntimeError:
        return None


def was_played(outcome: Outcome) -> bool:
    """Return whether an outcome has a record of its dice, without making a list of them."""
    try:
        _ = outcome.dice
    except RuntimeError:
        return False
    return True


def outcome_text(outcome: Outcome, steps: Sequence[Step] | None = None) -> str:
    """Return the working of an outcome, a line for each step that changed something.

    Without such a step it is the result; without a record of its dice, all facts.

    Parameters:
        steps: the steps of the outcome, if the caller has them.

    Raises:
        RuntimeError: the rule is not a function of its dice.
    """
    if steps is None and not was_played(outcome):
        return _result_text(outcome, tuple(outcome.facts_of))
    lines = rows(outcome.steps() if steps is None else steps)
    return "\n".join(str(line) for line in lines if not line.idle) or _result_text(outcome)


def _result_text(outcome: Outcome, names: Sequence[str] = ()) -> str:
    return "\n".join(f"{label}: {text}" for label, text in result(outcome, names))


def chosen_parameters(outcome: Outcome) -> list[tuple[str, str]]:
    """Return the labels and texts of the parameters that differ from their defaults.

    >>> import dicedocs as dd
    >>> chosen_parameters(dd.roll("1d6 + [Strength]", actor={"Strength": 4}, dice=[3]))
    [('Expression', '1d6 + [Strength]'), ('Actor', 'Strength=4')]
    """
    chosen = outcome.rule.chosen() if isinstance(outcome.rule, Mechanic) else ()
    return [(clean(field.label), clean(field.write(value))) for field, value in chosen]


def result(outcome: Outcome, names: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return the labels and texts of the facts that make the result.

    Parameters:
        names: the facts in order; by default the first one. Facts that only repeat the dice are left out.

    Raises:
        ParameterError: there is no such fact.

    >>> class Strike(Outcome):
    ...     hit: bool
    ...     damage: int
    >>> result(Strike(True, 5)), result(Strike(True, 5), ["damage", "hit"])
    ([('Hit', 'yes')], [('Damage', '5'), ('Hit', 'yes')])
    """
    values = {name: outcome.fact(name) for name in names}
    visible = [name for name in values if name not in READ_FROM_DICE] or list(outcome.facts_of)[:1]
    return [(clean(outcome.facts_of[name].label), clean(display_text(outcome.fact(name)))) for name in visible]
