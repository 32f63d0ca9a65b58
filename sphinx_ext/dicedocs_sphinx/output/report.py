"""The builder ``dice-report``: the coverage of a book as JSON, as a badge, and as one line."""

from __future__ import annotations

import json
from functools import partial
from html import escape
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder

from dicedocs_sphinx.blocks.base import source_line
from dicedocs_sphinx.book.coverage import Checked, badge_text, checked_blocks, checked_statements, count, coverage_data
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.diagnostics import Problem, report
from dicedocs_sphinx.source_locations import path_in_book
from dicedocs_sphinx.statements import State

JSON: Final = "report.json"
BADGE: Final = "badge.svg"
_CHARACTER: Final = 6.6
"""The width of a character of the badge, in pixels."""
_GREEN, _RED = "#2f6f3e", "#a4262c"
"""Colours on which white text has a contrast of more than 6."""


class ReportBuilder(Builder):
    """Checks every page, as other builders do, and writes what the check of each block and each rule found."""

    name = "dice-report"
    epilog = "The report is in %(outdir)s."
    allow_parallel = True

    def get_outdated_docs(self) -> set[str]:
        """Return all pages, since a broken reference is found only when its page is resolved."""
        return self.env.found_docs

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        return ""

    def write_doc(self, docname: str, doctree: nodes.document) -> None:
        """Write nothing: the pages are only resolved."""

    def finish(self) -> None:
        """Write the report, and warn about the rules that nothing shows."""
        checked = checked_statements(dice_domain(self.env))
        data = coverage_data(checked, partial(path_in_book, self.srcdir))
        folder = Path(self.outdir)
        (folder / JSON).write_text(json.dumps(data, indent=2) + "\n", "utf-8")
        (folder / BADGE).write_text(badge(checked), "utf-8")
        for _, block, state in checked_blocks(checked):
            if state is State.UNSHOWN:
                message = f"{block.label}: no passing block shows this rule"
                report(Problem.RULE, message, block.source, source_line(block))


def badge(checked: list[Checked]) -> str:
    """Return a drawing of how many blocks are verified, in SVG; it is green if all are."""
    text = escape(badge_text(checked))
    wrong = count(checked, State.FAILED, State.UNVERIFIED, State.EMPTY)
    width = round(len(text) * _CHARACTER) + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{text}">'
        f'<title>{text}</title><rect width="{width}" height="20" rx="3" fill="{_RED if wrong else _GREEN}"/>'
        f'<text x="{width / 2:g}" y="14" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
        f'text-anchor="middle" textLength="{width - 16}">{text}</text></svg>\n'
    )


def setup_report(app: Sphinx) -> None:
    app.add_builder(ReportBuilder)
