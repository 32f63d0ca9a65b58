"""An outcome as HTML, for pages and notebooks alike.

The parts are usable alone, and each nests in a ``<div>``. Everything that comes from data is
escaped; there is no script, no id, no inline style, no heading (the host has those).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from dicedocs.render.sentences import sentence
from dicedocs.render.svg import dice_svg
from dicedocs.render.text import chosen_parameters, idle, result, thrown_dice
from dicedocs.render.words import clean, clean_lines
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.record import Die
from dicedocs.rules.steps import Step


def outcome_html(
    outcome: Outcome, *, names: Sequence[str] = (), chosen: bool = False, steps: bool = True, call: str = ""
) -> str:
    """Give an outcome as HTML: its dice, its working, its result and, folded, the Python call.

    Parameters:
        chosen: whether to show, before all else, what the player chose.
        names: the facts that the result shows; the first one when none is named.
        steps: whether to show the working.
        call: the Python that gives the outcome again; left out when empty.

    Raises:
        ParameterError: there is no such fact.
        RuntimeError: the rule is no function of its dice.
    """
    dice = thrown_dice(outcome)
    # Made by hand, an outcome has neither dice nor working to show, only its facts.
    shown = names or (tuple(outcome.facts_of) if dice is None else ())
    parts = [
        given_html(outcome) if chosen else "",
        _thrown_html(dice or ()),
        working_html(outcome.steps()) if steps and dice is not None else "",
        result_html(outcome, shown),
        call_html(call) if call else "",
    ]
    return f'<div class="dice-outcome">{"".join(parts)}</div>'


def given_html(outcome: Outcome) -> str:
    """Show what the player chose; empty when nothing differs from its default."""
    items = "".join(
        f'<span class="dice-choice"><span class="dice-label">{escape(label)}</span> <code>{escape(text)}</code></span> '
        for label, text in chosen_parameters(outcome)
    )
    return f'<div class="dice-given">{items.strip()}</div>' if items else ""


def dice_html(outcome: Outcome) -> str:
    """Draw the dice of an outcome in the order thrown; empty when none was thrown."""
    return _thrown_html(outcome.thrown)


def _thrown_html(dice: Sequence[Die]) -> str:
    return f'<div class="dice-thrown">{dice_svg(dice)}</div>' if dice else ""


def working_html(steps: Iterable[Step]) -> str:
    """Give the working as a list, what changed nothing folded at its end. Empty without steps."""
    told: list[str] = []
    unchanged: list[str] = []
    for step in steps:
        (unchanged if idle(step) else told).append(_item(step))
    if unchanged:
        told.append(_folded(unchanged))
    return _list(told) if told else ""


def _folded(items: Sequence[str]) -> str:
    summary = "1 step changes nothing" if len(items) == 1 else f"{len(items)} steps change nothing"
    folded = f'<details class="dice-idle"><summary>{summary}</summary>{_list(items)}</details>'
    return f'<li class="dice-step">{folded}</li>'


def _list(items: Iterable[str]) -> str:
    return f'<ol class="dice-working">{"".join(items)}</ol>'


def _item(step: Step) -> str:
    label = f'<span class="dice-label">{_escaped(step.label)}:</span>'
    if step.verb == "play":
        return f'<li class="dice-step dice-played">{label}{working_html(step.steps)}</li>'
    text, note, notation = sentence(step)
    tag = "code" if notation else "span"
    shown = f"<{tag}>{escape(text)}</{tag}>" + (f' <span class="dice-note">({escape(note)})</span>' if note else "")
    return f'<li class="dice-step">{label} <span class="dice-said">{shown}</span></li>'


def result_html(outcome: Outcome, names: Sequence[str] = ()) -> str:
    """Give the result: the first fact large, the others beside it.

    Parameters:
        names: the facts shown; the first one when none is named.

    Raises:
        ParameterError: there is no such fact.
    """
    facts = "".join(
        f'<div class="dice-fact"><span class="dice-label">{escape(label)}</span> '
        f'<strong class="dice-value">{escape(text)}</strong></div>'
        for label, text in result(outcome, names)
    )
    return f'<div class="dice-result">{facts}</div>' if facts else ""


def call_html(code: str) -> str:
    """Give Python code, folded.

    >>> call_html('dd.roll("3d6")').count("&quot;")
    2
    """
    # A group and no region: a page has many of them, and landmarks of one name are none.
    block = f'<pre tabindex="0" role="group" aria-label="Python code"><code>{escape(clean_lines(code))}</code></pre>'
    return f'<details class="dice-call"><summary>Python</summary>{block}</details>'


def with_stylesheet(html: str) -> str:
    """Give HTML with the stylesheet before it, for a place that has none of ours, such as a notebook's cell."""
    return f"<style>{stylesheet()}</style>{html}"


@cache
def stylesheet() -> str:
    """Give the stylesheet of all surfaces."""
    return files("dicedocs.render").joinpath("dicedocs.css").read_text("utf-8")


def _escaped(text: str) -> str:
    return escape(clean(text))
