"""What a panel shows where no widget can run: its outcome as HTML, LaTeX and text."""

from __future__ import annotations

from html import escape

from dicedocs.panel.session import Session
from dicedocs.render.html import outcome_html, with_stylesheet
from dicedocs.render.latex import outcome_latex
from dicedocs.render.text import outcome_text, result


def bundle(session: Session, name: str) -> dict[str, str]:
    """Give the outcome of a session in each form that a notebook keeps.

    Parameters:
        session: what is shown.
        name: how the panel is written, for one that has not rolled yet.
    """
    outcome = session.outcome
    if outcome is None:
        said = "No roll yet."
        return {"text/plain": f"{name}\n{said}", "text/html": f"<p><code>{escape(name)}</code><br>{said}</p>"}
    facts = [fact for fact in outcome.facts_of if outcome.fact(fact) is not None]
    text = outcome_text(outcome)
    headline = ", ".join(f"{label} {value}" for label, value in result(outcome, facts))
    return {
        "text/plain": f"{text}\n{headline}",
        "text/html": with_stylesheet(outcome_html(outcome, names=facts, chosen=True)),
        "text/latex": outcome_latex(outcome, names=facts, chosen=True),
    }
