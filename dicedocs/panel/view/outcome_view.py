"""An outcome as a page shows it, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.question import Question
from dicedocs.panel.view.log import faces
from dicedocs.panel.view.log import heading as heading_of
from dicedocs.panel.view.outcome_source import code, directive, directive_rst
from dicedocs.render.drawing import group_dice
from dicedocs.render.html import facts_html, how_html, working_html
from dicedocs.render.pools import drawn_facts, table_pools
from dicedocs.render.scale import Scale, outcome_scale
from dicedocs.render.shown_dice import shown_dice, throw_groups
from dicedocs.render.signs import in_print
from dicedocs.render.text import result
from dicedocs.render.verdict import verdict
from dicedocs.render.words import clean
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed
from dicedocs.rules.record import Die
from dicedocs.translation import gettext as _


class OutcomeView(NamedTuple):
    """An outcome as a page shows it.

    Parameters:
        outcome: ``roll``, ``label``, ``seed``; ``faces``, in the order thrown; ``verdict``, what it comes to, as its
            tone, its text and its number, all empty if it is drawn; ``headline``, the same on one line; ``sentence``,
            all facts; ``dice``, each with its sides, face, state and count; ``more``, how many dice are left out;
            ``pools``, if there are any, the dice of each labelled throw, or of each played mechanic, and those on the
            table, each with its label, its dice, and how many are left out; ``scale``, its subject, its number with its
            position, the index of its band, and the bands, each with its label, its numbers and its width, and all in
            words; ``html``, the working, folded, and the rest of the result.
            ``None`` before the first roll. While a player is asked something, it is that: see :func:`asked_view`.
        code: Python code that reproduces the outcome.
        directive, directive_rst: the directives of a worked example.
    """

    outcome: dict[str, Any] | None = None
    code: str = ""
    directive: str = ""
    directive_rst: str = ""


def entry_view(entry: Entry | None) -> OutcomeView:
    """Return a roll of the log as a page shows it; ``None`` before the first roll."""
    if entry is None:
        return OutcomeView()
    return outcome_view(
        entry.outcome,
        entry.roll,
        entry.title,
        entry.seed,
        heading=heading_of(entry),
        then=entry.then,
        refers=entry.refers,
    )


def asked_view(asked: Question, roll: int, label: str) -> OutcomeView:
    """Return what a player is asked as a page shows it in the place of an outcome; a button has the index of its way.

    Parameters:
        asked: what is asked.
        roll: the number that the roll will have.
        label: its label.
    """
    words, dice = asked.asked, group_dice(asked.dice)
    data = {
        "roll": roll,
        "label": clean(label),
        "seed": "" if asked.seed is None else str(asked.seed),
        "headline": words,
        "faces": "",
        "verdict": ["", words, ""],
        "sentence": _("Roll {number}. {results}.").format(number=roll, results=asked.sentence),
        "dice": [_drawn(die, count) for die, count in dice[0]],
        "more": dice[1],
        "scale": None,
        "html": _single_quoted(asked.html(map(str, range(len(asked.ways))), drawn=False)),
    }
    return OutcomeView(data)


def _drawn(die: Die, count: int) -> list[Any]:
    return [die.sides, clean(die.text) or die.face, clean(die.state), count]


def outcome_view(
    outcome: Outcome,
    roll: int,
    label: str,
    seed: Seed | None,
    *,
    heading: str = "",
    then: str = "",
    refers: Mapping[str, str] = MappingProxyType({}),
) -> OutcomeView:
    """Return an outcome as a page shows it.

    Parameters:
        outcome: the outcome.
        roll: the number of the roll.
        label: the label of the roll.
        seed: the seed of its dice; ``None`` if they were thrown by hand.
        heading: the title of its directives, by default the label.
        then, refers: what its directives have beside the outcome, as for
            :func:`~dicedocs.panel.view.outcome_source.directive`.

    >>> import dicedocs as dd
    >>> outcome_view(dd.roll("3d6", seed=61), 1, "Bolt", 61).outcome["sentence"]
    'Roll 1. Bolt: Total 11.'
    """
    judged = verdict(outcome)
    others = result(outcome, judged.rest) if judged.rest else []
    tables = table_pools(outcome)
    in_drawings = {name for name in drawn_facts(tables) if outcome.fact(name) is not None}
    in_words = [name for name in judged.rest if name not in in_drawings]
    shown = (
        ("", "", "")
        if not judged.tone and in_drawings.difference(judged.rest)
        else (judged.tone, in_print(judged.title), in_print(judged.number))
    )
    results = ", ".join([judged.headline, *(f"{fact} {text}" for fact, text in others)])
    title = clean(label)
    sentence = _("Roll {number}. {label}: {results}.") if title else _("Roll {number}. {results}.")
    steps = outcome.steps()
    dice, more = group_dice(shown_dice(outcome, steps))
    drawn = [_drawn(die, count) for die, count in dice]
    groups = throw_groups(steps, drawn) if len(outcome.dice) == len(drawn) else []
    owned = [[owner, own, 0] for owner, own in groups]
    if tables and drawn and not owned:
        # Their label tells them from those on the table.
        owned, more = [[_("Dice"), drawn, more]], 0
    pools = owned + [[pool.label, list(map(list, pool.dice)), pool.rest] for pool in tables]
    data = {
        "roll": roll,
        "label": title,
        "seed": "" if seed is None else str(seed),
        "headline": in_print(judged.headline),
        "faces": faces(outcome),
        "verdict": list(shown),
        # A screen reader reads a sentence again only if it has changed, so it starts with the number.
        "sentence": sentence.format(number=roll, label=title, results=in_print(results)),
        "dice": [] if owned else drawn,
        "more": more,
        "scale": _scale_data(outcome_scale(outcome, steps)),
        "html": _single_quoted(_folded(working_html(steps)) + (facts_html(outcome, in_words) if in_words else "")),
    }
    if pools:
        data["pools"] = pools
    written = outcome, seed, heading or label, then, refers
    return OutcomeView(data, code(outcome, seed), directive(*written), directive_rst(*written))


def _scale_data(scale: Scale | None) -> list[Any] | None:
    """Return a scale as a front end draws it; lengths are from 0 to 1."""
    if scale is None:
        return None
    widths = (round(right - left, 3) for left, right in pairwise(scale.edges))
    bands = [
        [in_print(band.label), in_print(band.numbers), width] for band, width in zip(scale.bands, widths, strict=True)
    ]
    return [scale.subject, scale.mark, round(scale.position, 3), scale.end, bands, in_print(scale.name)]


def _folded(working: str) -> str:
    return how_html(working) if working else ""


def _single_quoted(html: str) -> str:
    """Return HTML with single quotes, which JSON does not escape; its texts are escaped and contain no quotes."""
    return html if "'" in html else html.replace('"', "'")
