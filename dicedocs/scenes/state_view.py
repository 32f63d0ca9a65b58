"""The values of a scene, and what became of them, as readers see them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from types import MappingProxyType
from typing import Final, NamedTuple

from dicedocs.render.signs import html_text
from dicedocs.render.track import CLOCK, track_svg, track_words
from dicedocs.render.words import clean, display_text, labelled
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.yes_and_no import TruthWords
from dicedocs.scenes.track import track_of
from dicedocs.syntax.formula import TRUTHS

_SPOKEN: Final = {**TRUTHS, NOTHING: None}
"""The values whose texts are words of ours, in which they are read and kept."""


class Stop(NamedTuple):
    """What a value became at a place of a scene.

    Parameters:
        text: the value.
        name: the name of what changed it.
        url: the address of that; empty for no link.
    """

    text: str
    name: str
    url: str = ""


class Shift(NamedTuple):
    """What became of a value: its name for readers, and its texts before and after."""

    label: str
    before: str
    after: str


def truth_text(text: str, path: str = "", words: TruthWords = MappingProxyType({})) -> str:
    """Return the text of a value; of one that is true or false its words, or else yes or no, and of none its word.

    Parameters:
        text: the text.
        path: the name of the value.
        words: the words for yes and for no of values that have any.

    >>> words = {"hurt": ("staggered", "steady")}
    >>> truth_text("true"), truth_text("false", "hurt", words), truth_text("risky", "position", words)
    ('yes', 'steady', 'risky')
    >>> from dicedocs.translation import language
    >>> with language("de"):
    ...     truth_text("true"), truth_text("none")
    ('ja', 'keine')
    """
    return display_text(_SPOKEN[text], words.get(path, ())) if text in _SPOKEN else text


def shown_state(text: str) -> str:
    """Return the text of a value for readers.

    >>> shown_state("5 of 8"), shown_state("+3"), shown_state("true")
    ('5 of 8', '+3', 'yes')
    """
    track = track_of(text)
    if track is None or track.maximum is None:
        return clean(truth_text(text))
    return track_words(track.value, track.maximum, track.minimum)


def shift_text(shift: Shift) -> str:
    """Return what became of a value, with its name.

    >>> shift_text(Shift("Vault", "5 of 8", "6 of 8"))
    'Vault: 5 of 8 → 6 of 8'
    """
    return labelled(shift.label, f"{shown_state(shift.before)} → {shown_state(shift.after)}")


def changes_html(changes: Sequence[Shift]) -> str:
    """Return what became of values as HTML; a clock is drawn before and after, and stays with its words.

    >>> changes_html([Shift("Heat", "1", "<3"), Shift("Gold", "2", "0")])
    '<span class="dice-changed">Heat: 1 → &lt;3;</span> <span class="dice-changed">Gold: 2 → 0</span>'
    >>> changes_html([])
    ''
    """
    parts = [f"{_drawn(change)}{html_text(shift_text(change))}" for change in changes]
    parts[:-1] = [f"{part};" for part in parts[:-1]]
    return " ".join(f'<span class="dice-changed">{part}</span>' for part in parts)


def _drawn(shift: Shift) -> str:
    from_, to = track_of(shift.before), track_of(shift.after)
    if from_ is None or to is None or to.maximum is None or to.maximum - to.minimum > CLOCK:
        return ""
    drawings = " → ".join(track_svg(shift.label, each.value, each.maximum, each.minimum) for each in (from_, to))
    return f'<span class="dice-move">{drawings}</span> '


def track_html(label: str, text: str) -> str:
    """Return a value as HTML, drawn if it is a number.

    >>> track_html("Position", "risky")
    'risky'
    """
    track = track_of(text)
    if track is None:
        return html_text(shown_state(text))
    return track_svg(label, track.value, track.maximum, track.minimum)


def way_html(label: str, start: str, stops: Sequence[Stop]) -> str:
    """Return the way of a value through a scene as an item of an HTML list.

    >>> way_html("Heat", "1", [Stop("3", "The <bar>", "#bar"), Stop("0", "change")])
    '<dt>Heat</dt><dd><p>1 → 3 (<a class="reference internal" href="#bar">The &lt;bar&gt;</a>) → 0 (change)</p></dd>'
    """
    parts = [html_text(shown_state(start))]
    for text, name, url in stops:
        shown = html_text(clean(name))
        link = f'<a class="reference internal" href="{escape(url)}">{shown}</a>' if url else shown
        parts.append(f"{html_text(shown_state(text))} ({link})")
    return f"<dt>{html_text(label)}</dt><dd><p>{' → '.join(parts)}</p></dd>"
