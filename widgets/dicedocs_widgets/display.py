"""A panel where no widget can run: its outcome as HTML, LaTeX and text."""

from __future__ import annotations

from html import escape

from dicedocs.panel.session import Session
from dicedocs.render.html import outcome_html, with_stylesheet
from dicedocs.render.latex import outcome_latex
from dicedocs.render.text import outcome_text, result
from dicedocs.rules.outcome import Outcome
from dicedocs.translation import gettext as _


def mime_bundle(session: Session, code: str) -> dict[str, str]:
    """Return the outcome of a session in each format that a notebook saves.

    Parameters:
        code: the Python code of the panel, shown before the first roll.
    """
    with session.display():
        return _mime_bundle(session.outcome, code)


def _mime_bundle(outcome: Outcome | None, code: str) -> dict[str, str]:
    if outcome is None:
        note = _("No roll yet.")
        return {
            "text/plain": f"{code}\n{note}",
            "text/html": f"<p><code>{escape(code)}</code><br/>{escape(note)}</p>",
        }
    facts = [fact for fact in outcome.facts_of if outcome.fact(fact) is not None]
    results = ", ".join(f"{label} {value}" for label, value in result(outcome, facts))
    return {
        "text/plain": f"{outcome_text(outcome)}\n{results}",
        "text/html": with_stylesheet(outcome_html(outcome, names=facts, chosen=True)),
        "text/latex": outcome_latex(outcome, names=facts, chosen=True),
    }
