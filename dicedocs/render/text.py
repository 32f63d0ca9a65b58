"""An outcome as text: the working line by line, and what the result shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dicedocs.render.sentences import sentence
from dicedocs.render.words import clean, display_text, prose
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import READ_FROM_DICE, Outcome
from dicedocs.rules.record import Die
from dicedocs.rules.steps import Step

__all__ = ["Row", "chosen_parameters", "idle", "outcome_text", "prose", "result", "rows", "thrown_dice"]


class Row(NamedTuple):
    """A line of the working.

    Parameters:
        label: what it is about.
        text: what it says; empty over the lines of a mechanic that was played.
        depth: how many played mechanics it stands under.
        idle: whether nothing changed, so that it may be left out.
    """

    label: str
    text: str
    depth: int = 0
    idle: bool = False

    def __str__(self) -> str:
        return "  " * self.depth + (f"{self.label}: {self.text}" if self.text else f"{self.label}:")


def rows(steps: Iterable[Step]) -> list[Row]:
    """Give the lines of the working; those of a played mechanic stand one deeper under its label.

    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> triggered = say.compare("Threshold", 13, ">=", 13)
    >>> rows(say.steps)
    [Row(label='Threshold', text='13 >= 13: yes', depth=0, idle=False)]
    """
    return _rows(steps, 0)


def _rows(steps: Iterable[Step], depth: int) -> list[Row]:
    told = []
    for step in steps:
        told.append(Row(clean(step.label), str(sentence(step)), depth, idle(step)))
        told += _rows(step.steps, depth + 1)
    return told


def idle(step: Step) -> bool:
    """Tell whether a step changed nothing; a mechanic that was played is idle when all its steps are."""
    return step.idle or (step.verb == "play" and all(map(idle, step.steps)))


def thrown_dice(outcome: Outcome) -> tuple[Die, ...] | None:
    """Give the dice of an outcome; ``None`` when it has none of its own: made by hand, or played within a rule."""
    try:
        return outcome.thrown
    except RuntimeError:
        return None


def outcome_text(outcome: Outcome, steps: Sequence[Step] | None = None) -> str:
    """Give the worked text of an outcome: what was done, a line each; the result when nothing was.

    Parameters:
        steps: the working, where the caller has it already.

    Returns:
        The text; for an outcome without dice of its own all its facts.

    Raises:
        RuntimeError: the rule is no function of its dice.
    """
    if steps is None and thrown_dice(outcome) is None:
        return _result_text(outcome, tuple(outcome.facts_of))
    told = rows(outcome.steps() if steps is None else steps)
    return "\n".join(str(row) for row in told if not row.idle) or _result_text(outcome)


def _result_text(outcome: Outcome, names: Sequence[str] = ()) -> str:
    return "\n".join(f"{label}: {text}" for label, text in result(outcome, names))


def chosen_parameters(outcome: Outcome) -> list[tuple[str, str]]:
    """Give what a player chose: the parameters that differ from their default, with their labels and texts.

    >>> import dicedocs as dd
    >>> chosen_parameters(dd.roll("1d6 + [Strength]", actor={"Strength": 4}, dice=[3]))
    [('Expression', '1d6 + [Strength]'), ('Actor', 'Strength=4')]
    """
    chosen = outcome.rule.chosen() if isinstance(outcome.rule, Mechanic) else ()
    return [(clean(field.label), clean(field.write(value))) for field, value in chosen]


def result(outcome: Outcome, names: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Give what the result shows: facts with their labels, as people read them.

    Parameters:
        names: the facts in the order shown. Those that are read from the dice are left out, since the
            dice are shown; when none is left it is the first fact.

    Raises:
        ParameterError: there is no such fact.

    >>> class Strike(Outcome):
    ...     hit: bool
    ...     damage: int
    >>> result(Strike(True, 5)), result(Strike(True, 5), ["damage", "hit"])
    ([('Hit', 'yes')], [('Damage', '5'), ('Hit', 'yes')])
    """
    values = {name: outcome.fact(name) for name in names}
    shown = [name for name in values if name not in READ_FROM_DICE] or list(outcome.facts_of)[:1]
    return [(clean(outcome.facts_of[name].label), clean(display_text(outcome.fact(name)))) for name in shown]
