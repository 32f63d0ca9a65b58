"""The builder ``dice-report``: the summary of a book as JSON, and as one line."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder

from dicedocs_sphinx.blocks.base import source_line
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.summary import checked_blocks, checked_statements, summary_data
from dicedocs_sphinx.diagnostics import Problem, report
from dicedocs_sphinx.source_locations import path_in_book
from dicedocs_sphinx.statements import State

JSON: Final = "report.json"


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
        data = summary_data(checked, partial(path_in_book, self.srcdir))
        (Path(self.outdir) / JSON).write_text(json.dumps(data, indent=2) + "\n", "utf-8")
        for _, block, state in checked_blocks(checked):
            if state is State.UNSHOWN:
                message = f"{block.label}: no passing block shows this rule"
                report(Problem.RULE, message, block.source, source_line(block))


def setup_report(app: Sphinx) -> None:
    app.add_builder(ReportBuilder)
