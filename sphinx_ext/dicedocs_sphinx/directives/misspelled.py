"""Misspelled directives: those that do not exist, and those that reStructuredText takes for comments."""

from __future__ import annotations

import re
from typing import ClassVar, Final

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from dicedocs.errors import near, quoted
from dicedocs_sphinx.diagnostics import Problem, report, with_hint
from dicedocs_sphinx.directives.base import DIRECTIVES
from dicedocs_sphinx.source_locations import source_location

_ONE_COLON: Final = re.compile(r"dice:(?P<kind>[a-z-]+):(?!:)")


class UnknownDirective(SphinxDirective):
    """A directive of the domain that does not exist; it warns, and shows nothing."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[None] = None

    def run(self) -> list[nodes.Node]:
        """Report the directive with similar names."""
        known = [f"dice:{kind}" for kind in DIRECTIVES]
        message = with_hint(f"there is no directive {quoted(self.name)}", near(self.name, known))
        source, line = source_location(*self.state_machine.get_source_and_line(self.lineno))
        report(Problem.REFERENCE, message, source, line)
        self.env.note_reread()
        return []


def one_colon(comment: nodes.comment) -> str:
    """Return the message about a comment that was meant to be one of our directives; empty if it was not."""
    match = _ONE_COLON.match(comment.astext())
    if match is None or match["kind"] not in DIRECTIVES:
        return ""
    kind = match["kind"]
    return f"'.. dice:{kind}:' with one colon is a comment; write '.. dice:{kind}::'"
