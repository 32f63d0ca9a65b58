"""What a page is told of an outcome, as plain data: made once, however often the boxes change beside it."""

from __future__ import annotations

from typing import Any, NamedTuple

from dicedocs.panel.export import code, directive, directive_rst
from dicedocs.panel.history import headline
from dicedocs.render.html import result_html, working_html
from dicedocs.render.svg import group_dice
from dicedocs.render.text import result
from dicedocs.render.words import clean
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed


class Shown(NamedTuple):
    """An outcome as it is shown.

    Parameters:
        outcome: ``roll``, ``label``, ``seed``; ``headline``, the first fact; ``sentence``, all of them; ``dice``, each
            its sides, face, state and how many it stands for; ``more``, how many are not among them; ``html``, the
            working and the result. Nothing when there is no outcome.
        code: Python that gives it again.
        directive, directive_rst: the worked example of a book.
    """

    outcome: dict[str, Any] | None = None
    code: str = ""
    directive: str = ""
    directive_rst: str = ""


def shown(outcome: Outcome | None, roll: int, label: str, seed: Seed | None) -> Shown:
    """Give an outcome as it is shown.

    Parameters:
        outcome: what was rolled; nothing before the first roll.
        roll: its number.
        label: what it was called.
        seed: what decided its dice.

    >>> import dicedocs as dd
    >>> shown(dd.roll("3d6", seed=61), 1, "Bolt", 61).outcome["sentence"]
    'Roll 1. Bolt: Total 11, Raw 11.'
    """
    if outcome is None:
        return Shown()
    facts = [name for name in outcome.facts_of if outcome.fact(name) is not None]
    said = ", ".join(f"{called} {text}" for called, text in result(outcome, facts))
    called = clean(label)
    groups, more = group_dice(outcome.thrown)
    data = {
        "roll": roll,
        "label": called,
        "seed": str(seed),
        "headline": headline(outcome),
        # A screen reader says a sentence that differs, so it begins with the number.
        "sentence": f"Roll {roll}. {called + ': ' if called else ''}{said}.",
        "dice": [[die.sides, die.face, clean(die.state), count] for die, count in groups],
        "more": more,
        "html": _short(working_html(outcome.steps()) + result_html(outcome, facts)),
    }
    return Shown(data, code(outcome, seed), directive(outcome, seed, label), directive_rst(outcome, seed, label))


def _short(html: str) -> str:
    """Give HTML with the quotes that JSON need not escape; in texts that are escaped there are none of either kind."""
    return html if "'" in html else html.replace('"', "'")
