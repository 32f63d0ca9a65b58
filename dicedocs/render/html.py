"""An outcome as HTML, for pages and notebooks.

Each part can be used alone. All data is escaped, and there are no scripts, ids, inline styles or headings, which
are the host's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from dicedocs.render.sentences import sentence
from dicedocs.render.svg import dice_svg
from dicedocs.render.text import chosen_parameters, is_idle, result, thrown_dice
from dicedocs.render.words import clean, clean_lines
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.steps import Step


def outcome_html(
    outcome: Outcome, *, names: Sequence[str] = (), chosen: bool = False, steps: bool = True, call: str = ""
) -> str:
    """Return an outcome as HTML: its dice, its working, its result and, folded, the Python call.

    Parameters:
        names: the facts of the result; by default the first one.
        chosen: whether the parameters that differ from their defaults come first.
        steps: whether the working is included.
        call: the Python code that gives the outcome again; empty for none.

    Raises:
        ParameterError: there is no such fact.
        RuntimeError: the rule is not a function of its dice.
    """
    dice = thrown_dice(outcome)
    # An outcome made by hand has facts, but no dice and no working.
    facts = names or (tuple(outcome.facts_of) if dice is None else ())
    parts = [
        chosen_html(outcome) if chosen else "",
        f'<div class="dice-thrown">{dice_svg(dice)}</div>' if dice else "",
        working_html(outcome.steps()) if steps and dice is not None else "",
        result_html(outcome, facts),
        call_html(call) if call else "",
    ]
    return f'<div class="dice-outcome">{"".join(parts)}</div>'


def chosen_html(outcome: Outcome) -> str:
    """Return the parameters that differ from their defaults; empty if there are none."""
    items = " ".join(
        f'<span class="dice-choice"><span class="dice-label">{escape(label)}</span> <code>{escape(text)}</code></span>'
        for label, text in chosen_parameters(outcome)
    )
    return f'<div class="dice-given">{items}</div>' if items else ""


def working_html(steps: Iterable[Step]) -> str:
    """Return the working as a list with the idle steps folded at its end; empty without steps."""
    active: list[str] = []
    unchanged: list[str] = []
    for step in steps:
        (unchanged if is_idle(step) else active).append(_item(step))
    if unchanged:
        active.append(_folded(unchanged))
    return _list(active) if active else ""


def _folded(items: Sequence[str]) -> str:
    summary = "1 step changes nothing" if len(items) == 1 else f"{len(items)} steps change nothing"
    details = f'<details class="dice-idle"><summary>{summary}</summary>{_list(items)}</details>'
    return f'<li class="dice-step">{details}</li>'


def _list(items: Iterable[str]) -> str:
    return f'<ol class="dice-working">{"".join(items)}</ol>'


def _item(step: Step) -> str:
    label = f'<span class="dice-label">{escape(clean(step.label))}:</span>'
    if step.verb == "play":
        return f'<li class="dice-step dice-played">{label}{working_html(step.steps)}</li>'
    text, note, notation = sentence(step)
    tag = "code" if notation else "span"
    html = f"<{tag}>{escape(text)}</{tag}>" + (f' <span class="dice-note">({escape(note)})</span>' if note else "")
    return f'<li class="dice-step">{label} <span class="dice-said">{html}</span></li>'


def result_html(outcome: Outcome, names: Sequence[str] = ()) -> str:
    """Return the facts of the result as :func:`~dicedocs.render.text.result` does, in HTML."""
    facts = "".join(
        f'<div class="dice-fact"><span class="dice-label">{escape(label)}</span> '
        f'<strong class="dice-value">{escape(text)}</strong></div>'
        for label, text in result(outcome, names)
    )
    return f'<div class="dice-result">{facts}</div>' if facts else ""


def call_html(code: str) -> str:
    """Return Python code, folded.

    >>> call_html('dd.roll("3d6")').count("&quot;")
    2
    """
    # A group, not a region: a page has many of these, and landmarks need distinct names.
    block = f'<pre tabindex="0" role="group" aria-label="Python code"><code>{escape(clean_lines(code))}</code></pre>'
    return f'<details class="dice-call"><summary>Python</summary>{block}</details>'


def with_stylesheet(html: str) -> str:
    """Return HTML after the stylesheet, for a host such as a notebook's cell that does not load it."""
    return f"<style>{stylesheet()}</style>{html}"


@cache
def stylesheet() -> str:
    """Return the stylesheet of pages and notebooks."""
    return files("dicedocs.render").joinpath("dicedocs.css").read_text("utf-8")
