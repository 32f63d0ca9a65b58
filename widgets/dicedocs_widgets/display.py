"""A panel where no widget can run: its outcome as HTML, LaTeX and text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from dicedocs.panel.view.roll_log import RollLog
from dicedocs.render.html import outcome_html, with_stylesheet
from dicedocs.render.latex import outcome_latex
from dicedocs.render.text import outcome_text, result
from dicedocs.rules.outcome import Outcome
from dicedocs.translation import gettext as _
from dicedocs.translation import ngettext

KEPT: Final = "dd-kept"
"""The class of a log that a cell keeps; a notebook hides it below a panel that shows it."""


def mime_bundle(log: RollLog, code: str, *, logged: bool = False) -> dict[str, str]:
    """Return the outcome that is shown with a log in each format that a notebook saves.

    Parameters:
        log: the log.
        code: the Python code of the panel, shown before the first roll.
        logged: whether the log follows, which says itself that there is no roll yet.
    """
    with log.display():
        return _mime_bundle(log.outcome, code, "" if logged else _("No roll yet."))


def log_bundle(log: RollLog) -> dict[str, str]:
    """Return a log as the output of a cell keeps it, to be read and copied where no widget can run."""
    with log.display():
        if not log.entries:
            none = _("No roll yet.")
            return {"text/plain": none, "text/html": f'<p class="{KEPT}">{escape(none)}</p>'}
        title, text = _log_title(len(log.entries)), log.written_log("text")
    return {"text/plain": f"{title}\n{text}", "text/html": _log_html(title, text, f' class="{KEPT}"')}


def earlier_bundle(log: RollLog, logs: Sequence[tuple[int, str]]) -> dict[str, str]:
    """Return the logs of the earlier runs of a cell, with a note about what happens to them.

    Parameters:
        log: that of the new panel.
        logs: for each run, the number of its rolls and their log.
    """
    count, text = sum(number for number, _text in logs), "\n".join(text for _number, text in logs)
    with log.display():
        title = _log_title(count)
        note = ngettext(
            "{count} roll made before this cell was run again is above. The new panel starts fresh; "
            "{code} would keep its rolls in a file.",
            "{count} rolls made before this cell was run again are above. The new panel starts fresh; "
            "{code} would keep its rolls in a file.",
            count,
        ).format(count=count, code='log="evening.json"')
    return {
        "text/plain": f"{title}\n{text}\n{note}",
        "text/html": f"{_log_html(title, text)}<p>{escape(note)}</p>",
    }


def _log_title(count: int) -> str:
    return ngettext("Log: {count} roll", "Log: {count} rolls", count).format(count=count)


def _log_html(title: str, text: str, attributes: str = "") -> str:
    return f"<details{attributes} open><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"


def _mime_bundle(outcome: Outcome | None, code: str, note: str) -> dict[str, str]:
    if outcome is None:
        line_end = "<br/>" if note else ""
        return {
            "text/plain": f"{code}\n{note}".strip(),
            "text/html": f"<p><code>{escape(code)}</code>{line_end}{escape(note)}</p>",
        }
    facts = [fact for fact in outcome.facts_of if outcome.fact(fact) is not None]
    results = ", ".join(f"{label} {value}" for label, value in result(outcome, facts))
    return {
        "text/plain": f"{outcome_text(outcome)}\n{results}",
        "text/html": with_stylesheet(outcome_html(outcome, names=facts, chosen=True)),
        "text/latex": outcome_latex(outcome, names=facts, chosen=True),
    }
