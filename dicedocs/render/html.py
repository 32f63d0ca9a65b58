"""An outcome as HTML, for pages and notebooks.

Each part can be used alone. All data is escaped, and there are no scripts, ids, inline styles or headings, which
are the host's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from dicedocs.render.outcome_looks import Look
from dicedocs.render.pools import Pool, drawn_facts, drawn_parameters, table_pools
from dicedocs.render.scale import outcome_scale
from dicedocs.render.scale_html import scale_html
from dicedocs.render.sentences import sentence, step_label
from dicedocs.render.shown_dice import shown_dice, throw_groups
from dicedocs.render.signs import html_text
from dicedocs.render.svg import dice_svg, drawing_svg, drawings_list
from dicedocs.render.text import (
    Choice,
    Origin,
    against_whom,
    before_value,
    chosen_parameters,
    is_idle,
    participants,
    question,
    result,
    thrown_dice,
)
from dicedocs.render.verdict import ICONS, Tone, Verdict, result_with_verdict
from dicedocs.render.words import SEPARATOR, clean, clean_lines, display_text
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.record import Die
from dicedocs.rules.steps import Step
from dicedocs.translation import game_words
from dicedocs.translation import gettext as _

_STYLE: Final = '<style data-dicedocs="">'


def outcome_html(
    outcome: Outcome,
    *,
    names: Sequence[str] = (),
    chosen: bool = False,
    in_scene: bool = False,
    written: Mapping[str, Sequence[Origin]] = MappingProxyType({}),
    steps: bool = True,
    call: str = "",
    look: Look = "full",
    title: str = "",
    opened: bool = False,
) -> str:
    """Return an outcome as HTML: its dice and its result, then its working and the Python call.

    Parameters:
        names: the facts of the result; by default the first one.
        chosen: whether the parameters come first that differ from their defaults, or that were written.
        in_scene: whether who takes part comes first instead, and the parameters begin the working, unless it is opened.
        written: the parameters that were written, each with what it was taken from.
        steps: whether the working is included.
        call: the Python code that gives the outcome again; empty for none.
        look: how much room it takes.
        title: what it is an outcome of, which completes the accessible name of the fold.
        opened: whether the working is unfolded.

    Raises:
        ParameterError: there is no such fact.
        RuntimeError: the rule is not a function of its dice.
    """
    dice = thrown_dice(outcome)
    # An outcome made by hand has facts, but no dice and no working.
    facts = names or (tuple(outcome.facts_of) if dice is None else ())
    with game_words(outcome.rule):
        steps_of = outcome.steps() if dice is not None else ()
        pools = table_pools(outcome)
        given = (participants_html if in_scene else chosen_html)(outcome, written) if chosen else ""
        shown = shown_dice(outcome, steps_of) if dice is not None else ()
        groups = throw_groups(steps_of, shown) or [(_("Dice") if pools else "", list(shown))]
        thrown = " ".join(thrown_html(dice, label) for label, dice in groups)
        table, scale = pools_html(pools), scale_html(outcome_scale(outcome, steps_of))
        choices = chosen_parameters(outcome, written, drawn_parameters(pools)) if in_scene and not opened else []
        working = working_html(steps_of if steps else (), choices)
        if look == "line":
            # Its pools are folded.
            row = _row(given, thrown, result_html(outcome, facts), tag="span")
            return _line_html(row, table + scale + working + _code(call), opened=opened)
        drawn = f'<div class="dice-drawn">{table}{thrown}</div>' if table or thrown else ""
        row = _row(drawn, result_html(outcome, facts, drawn_facts(pools)))
        if look == "full" or not working:
            explanation = working + call_html(call, title=title)
        else:
            explanation = how_html(working + _code(call), title=title, opened=opened)
    return f'<div class="dice-outcome dice-{look}">{given}{row}{scale}{explanation}</div>'


def _line_html(row: str, explanation: str, *, opened: bool) -> str:
    """Return an outcome of which only one line is visible, which is the summary of the rest."""
    if not explanation:
        return f'<div class="dice-outcome dice-line">{row}</div>'
    return _details("dice-outcome dice-line", row, explanation, opened=opened)


def _row(*parts: str, tag: str = "div") -> str:
    inside = " ".join(filter(None, parts))
    return f'<{tag} class="dice-row">{inside}</{tag}>' if inside else ""


def chosen_html(outcome: Outcome, written: Mapping[str, Sequence[Origin]]) -> str:
    """Return the parameters that differ from their defaults or were written, but those that are drawn.

    It is empty if there are none.

    Parameters:
        outcome: the outcome.
        written: the parameters that were written, each with what it was taken from.
    """
    drawn = drawn_parameters(table_pools(outcome))
    items = " ".join(map(_choice, chosen_parameters(outcome, written, drawn)))
    return f'<span class="dice-given">{items}</span>' if items else ""


def participants_html(outcome: Outcome, written: Mapping[str, Sequence[Origin]]) -> str:
    """Return a line that says who takes part in a roll of a scene, with what, and against whom; empty for nobody.

    Parameters:
        outcome: the outcome.
        written: the parameters that were written, each with what it was taken from.
    """
    parts: list[str] = []
    for each in participants(outcome, written, drawn_parameters(table_pools(outcome))):
        name, values = _link(each.name, each.url), html_text(clean(", ".join(each.values)))
        if each.target:
            parts.append(escape(against_whom()).format(character=name))
        elif parts and values:
            parts.append(f"{before_value(name)} {values}")
        else:
            parts += filter(None, [name, values])
    return f'<span class="dice-given dice-participants">{SEPARATOR.join(parts)}</span>' if parts else ""


def _choice(choice: Choice) -> str:
    if choice.on:
        return f'<span class="dice-choice">{html_text(choice.label)}</span>'
    label = f'<span class="dice-label">{html_text(choice.label)}</span>'
    return f'<span class="dice-choice{" dice-decision" if choice.asked else ""}">{label} {_value(choice)}</span>'


def _value(choice: Choice) -> str:
    value = f"<code>{escape(choice.text)}</code>" if choice.notation else html_text(choice.text)
    links = "; ".join(map(_origin, choice.origins))
    if choice.stands_alone:
        return links
    return f'{value} <span class="dice-note">({links})</span>' if links else value


def _origin(origin: Origin) -> str:
    """Return the name of what a value was taken from, as a link, and the name of the value."""
    link = _link(clean(origin.name), origin.url)
    return f"{link}: {html_text(clean(origin.value))}" if origin.value else link


def _link(name: str, url: str) -> str:
    return f'<a href="{escape(url)}">{escape(name)}</a>' if url else escape(name)


def thrown_html(dice: Sequence[Die], label: str = "") -> str:
    """Return the drawn dice; empty without dice.

    Parameters:
        dice: the dice.
        label: what they are, if there are other dice beside them.
    """
    before = f'<span class="dice-label">{html_text(label)}</span> ' if label else ""
    return f'<span class="dice-thrown">{before}{dice_svg(dice)}</span>' if dice else ""


def pools_html(pools: Sequence[Pool]) -> str:
    """Return the pools on the table, a line each; empty if there are none."""
    lines = "".join(
        f'<div class="dice-pool"><span class="dice-label">{html_text(pool.label)}</span> '
        f"{drawings_list((drawing_svg(die.draw()) for die in pool.dice), pool.rest, pool.label)}</div>"
        for pool in pools
    )
    return f'<div class="dice-pools">{lines}</div>' if lines else ""


def working_html(steps: Iterable[Step], choices: Iterable[Choice] = ()) -> str:
    """Return the working as a list, without the steps that change nothing; empty if there are no others.

    Parameters:
        steps: the steps.
        choices: the parameters with which it begins.
    """
    given = [_line_of_working(each.label, "" if each.on else _value(each)) for each in choices]
    items = "".join([*given, *(_item(step) for step in steps if not is_idle(step))])
    return f'<ol class="dice-working">{items}</ol>' if items else ""


def asked_html(steps: Iterable[Step], label: str, ways: Iterable[tuple[object, str]], dice: Sequence[Die] = ()) -> str:
    """Return a play that has come to a choice as HTML: what happened so far, and a button for each way.

    Parameters:
        steps: the working so far.
        label: what the choice is called.
        ways: what can be chosen, each with what its button stands for.
        dice: the dice so far, if they are drawn.
    """
    button = '<button type="button" class="dice-way" data-dice-way="'
    buttons = "".join(f'{button}{escape(value)}">{html_text(display_text(way))}</button>' for way, value in ways)
    asked = html_text(question(label))
    group = f'<div class="dice-ways" role="group" aria-label="{asked}"><span class="dice-label">{asked}</span>'
    row = _row(f'<div class="dice-drawn">{thrown_html(dice)}</div>' if dice else "")
    return f'<div class="dice-outcome dice-asked">{row}{working_html(steps)}{group} {buttons}</div></div>'


def _line_of_working(label: str, said: str) -> str:
    if not said:
        return f'<li class="dice-step"><span class="dice-label">{html_text(label)}</span></li>'
    label = f'<span class="dice-label">{html_text(before_value(label))}</span>'
    return f'<li class="dice-step">{label} <span class="dice-said">{said}</span></li>'


def _item(step: Step) -> str:
    label = f'<span class="dice-label">{html_text(before_value(step_label(step)))}</span>'
    if step.verb == "play":
        return f'<li class="dice-step dice-played">{label}{working_html(step.steps)}</li>'
    text, note, notation = sentence(step)
    html = f"<code>{escape(text)}</code>" if notation else f"<span>{html_text(text)}</span>"
    if note:
        html += f' <span class="dice-note">({html_text(note)})</span>'
    return _line_of_working(step_label(step), html)


def result_html(outcome: Outcome, names: Sequence[str] = (), drawn: Collection[str] = ()) -> str:
    """Return the verdict and the facts as :func:`~dicedocs.render.verdict.result_with_verdict` does, in HTML."""
    judged, facts = result_with_verdict(outcome, names, drawn)
    return _result(_verdict(judged), facts, judged.tone) if judged else _result("", facts)


def facts_html(outcome: Outcome, names: Sequence[str]) -> str:
    """Return the facts as :func:`~dicedocs.render.text.result` does, in HTML."""
    return _result("", result(outcome, names))


def _verdict(judged: Verdict) -> str:
    icon = f'<span aria-hidden="true">{ICONS[judged.tone]}</span> '
    value = f'<strong class="dice-value">{icon}{html_text(judged.text)}</strong>'
    below = [f"<strong>{html_text(added)}</strong>" for added in judged.added]
    if judged.number:
        below.append(html_text(judged.number))
    number = f' <span class="dice-number">{SEPARATOR.join(below)}</span>' if below else ""
    return f'<span class="dice-fact dice-verdict">{value}{number}</span>'


def _result(judged: str, facts: Iterable[tuple[str, str]], tone: Tone = "") -> str:
    items = [
        f'<span class="dice-fact"><span class="dice-label">{html_text(label)}</span> '
        f'<strong class="dice-value">{html_text(text)}</strong></span>'
        for label, text in facts
    ]
    # Beside a verdict the facts stay together: they are all in its line, or all in the next one.
    told = [judged, f'<span class="dice-facts">{" ".join(items)}</span>'] if judged and items else [judged, *items]
    inside = " ".join(filter(None, told))
    classes = f"dice-result dice-{tone}" if tone else "dice-result"
    return f'<span class="{classes}">{inside}</span>' if inside else ""


def how_html(explanation: str, *, title: str = "", opened: bool = False) -> str:
    """Return an explanation, folded.

    Parameters:
        explanation: HTML.
        title: what it explains, which completes the accessible name of the fold.
        opened: whether it is unfolded.
    """
    return _details("dice-how", escape(_("How?")), explanation, title=title, opened=opened)


def call_html(code: str, *, title: str = "") -> str:
    """Return Python code, folded; empty without code.

    >>> call_html('dd.roll("3d6")').count("&quot;")
    2
    """
    return _details("dice-call", escape(_("Python")), _code(code), title=title) if code else ""


def _code(code: str) -> str:
    # A group, not a region: a page has many of these, and landmarks need distinct names.
    name = escape(_("Python code"))
    # Not the `pre`: some themes decide on loading which of those can be focused, when this one is folded.
    block = f'<pre><code tabindex="0" role="group" aria-label="{name}">{escape(clean_lines(code))}</code></pre>'
    return block if code else ""


def _details(classes: str, summary: str, content: str, *, title: str = "", opened: bool = False) -> str:
    """Return what is folded below a summary, which may be HTML; with a title it is text."""
    name = f' aria-label="{summary} {escape(clean(title))}"' if title else ""
    state = ' open=""' if opened else ""
    return f'<details class="{classes}"{state}><summary{name}>{summary}</summary>{content}</details>'


def with_stylesheet(html: str) -> str:
    """Return HTML after the stylesheet, for a host such as a notebook's cell that does not load it."""
    return f"{_STYLE}{stylesheet()}</style>{html}"


def without_stylesheet(html: str) -> str:
    """Return HTML without the stylesheets that :func:`with_stylesheet` put into it.

    >>> without_stylesheet(with_stylesheet("<p>11</p>"))
    '<p>11</p>'
    """
    return re.sub(f"{_STYLE}.*?</style>", "", html, flags=re.DOTALL)


@cache
def stylesheet() -> str:
    """Return the stylesheet of pages and notebooks."""
    return verdict_colours() + files("dicedocs.render").joinpath("dicedocs.css").read_text("utf-8")


@cache
def verdict_colours() -> str:
    """Return the colours of success, partial success and failure, as a stylesheet."""
    return files("dicedocs.render").joinpath("verdicts.css").read_text("utf-8")
