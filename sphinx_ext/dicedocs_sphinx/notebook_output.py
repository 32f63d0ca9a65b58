"""Outcomes and distributions in the outputs of a notebook, as MyST-NB writes them in LaTeX.

MyST-NB takes all LaTeX of an output for mathematics. Ours, a list or a table, stands in the text. The entry point
``dicedocs`` of the group ``myst_nb.mime_renderers`` in ``pyproject.toml`` names the class.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from docutils import nodes

from dicedocs_sphinx.output.report import ReportBuilder

_TEXT: Final = (r"\begin{description}", r"\begin{tabular}")
"""How the LaTeX of an outcome and of a distribution begins; neither can stand in mathematics."""
_WRITTEN_NOWHERE: Final = ("text/plain", "text/html", "image/png", "image/svg+xml", "text/latex")
"""The forms of an output that the report takes; MyST-NB warns of one without a form for the builder."""


class TextLatex:
    """The plugin."""

    mime_priority_overrides: ClassVar[tuple[tuple[str, str, int | None], ...]] = tuple(
        (ReportBuilder.name, mime, priority) for priority, mime in enumerate(_WRITTEN_NOWHERE)
    )

    @staticmethod
    def handle_mime(_renderer: Any, data: Any, _inline: bool) -> list[nodes.Element] | None:  # MyST-NB's
        """Return the nodes of an output, or ``None`` for one that is not of ours."""
        if data.mime_type != "text/latex" or not str(data.string).startswith(_TEXT):
            return None
        return [nodes.raw("", f"\n\n{data.string}\n\n", format="latex")]
