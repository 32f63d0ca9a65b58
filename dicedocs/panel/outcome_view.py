"""An outcome as a page shows it, as plain data."""

from __future__ import annotations

from typing import Any, NamedTuple

from dicedocs.panel.export import code, directive, directive_rst
from dicedocs.panel.history import headline
from dicedocs.render.drawing import group_dice
from dicedocs.render.html import result_html, working_html
from dicedocs.render.text import result
from dicedocs.render.words import clean
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed


class OutcomeView(NamedTuple):
    """An outcome as a page shows it.

    Parameters:
        outcome: ``roll``, ``label``, ``seed``; ``headline``, the first fact; ``sentence``, all facts; ``dice``, each
            with its sides, face, state and count; ``more``, how many dice are left out; ``html``, the working and
            the result. ``None`` before the first roll.
        code: Python code that reproduces the outcome.
        directive, directive_rst: the directives of a worked example.
    """

    outcome: dict[str, Any] | None = None
    code: str = ""
    directive: str = ""
    directive_rst: str = ""


def outcome_view(outcome: Outcome | None, roll: int, label: str, seed: Seed | None) -> OutcomeView:
    """Return an outcome as a page shows it.

    Parameters:
        outcome: the outcome; ``None`` before the first roll.
        roll: the number of the roll.
        label: the label of the roll.
        seed: the seed of its dice.

    >>> import dicedocs as dd
    >>> outcome_view(dd.roll("3d6", seed=61), 1, "Bolt", 61).outcome["sentence"]
    'Roll 1. Bolt: Total 11, Raw 11.'
    """
    if outcome is None:
        return OutcomeView()
    facts = [name for name in outcome.facts_of if outcome.fact(name) is not None]
    results = ", ".join(f"{fact} {text}" for fact, text in result(outcome, facts))
    title = clean(label)
    groups, more = group_dice(outcome.thrown)
    data = {
        "roll": roll,
        "label": title,
        "seed": str(seed),
        "headline": headline(outcome),
        # A screen reader reads a sentence again only if it has changed, so it starts with the number.
        "sentence": f"Roll {roll}. {title + ': ' if title else ''}{results}.",
        "dice": [[die.sides, die.face, clean(die.state), count] for die, count in groups],
        "more": more,
        "html": _single_quoted(working_html(outcome.steps()) + result_html(outcome, facts)),
    }
    return OutcomeView(data, code(outcome, seed), directive(outcome, seed, label), directive_rst(outcome, seed, label))


def _single_quoted(html: str) -> str:
    """Return HTML with single quotes, which JSON does not escape; its texts are escaped and contain no quotes."""
    return html if "'" in html else html.replace('"', "'")
