"""Misspelled directives: those that do not exist, and those and roles that a parser takes for something else."""

from __future__ import annotations

import re
from typing import ClassVar, Final

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from dicedocs.errors import near, quoted
from dicedocs_sphinx.diagnostics import Problem, report, with_hint
from dicedocs_sphinx.directives.base import DIRECTIVES
from dicedocs_sphinx.nodes import TITLE
from dicedocs_sphinx.source_locations import source_location

_RST_ROLE: Final = re.compile(r":dice:(?P<name>[a-z]+):\Z")
_MARKDOWN_ROLE: Final = re.compile(r"\{dice:(?P<name>[a-z]+)\}`")
_RST_DIRECTIVE: Final = re.compile(r"\.\. dice:(?P<name>[a-z]+)::")
_MARKDOWN_DIRECTIVE: Final = re.compile(r"[`~:]+\s*\{dice:(?P<name>[a-z]+)\}")
"""Of three backticks reStructuredText takes two for the start of code."""
_SPACED: Final = re.compile(r"\{dice:?")
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


def of_the_other_markup(text: nodes.Text) -> str:
    """Return the message about a directive or role of Markdown that reStructuredText takes for words, or vice versa.

    In the right language neither would be left in the text. A title may have been made from anything.
    """
    if _in_code(text) or TITLE in text.parent.get("classes", ()):
        return ""
    literal = isinstance(text.parent, nodes.literal)
    if not literal:
        following = text.next_node(descend=False, siblings=True, ascend=False)
        if isinstance(following, nodes.literal) and (found := _RST_ROLE.search(text)):
            return f"':dice:{found['name']}:' is for reStructuredText; in Markdown write {{dice:{found['name']}}}"
        if found := _MARKDOWN_ROLE.search(text):
            return f"'{{dice:{found['name']}}}' is for Markdown; in reStructuredText write :dice:{found['name']}:"
    part = text.parent if literal else text
    if isinstance(part.parent, nodes.paragraph) and part.parent.index(part) == 0:
        if not literal and (found := _RST_DIRECTIVE.match(text)):
            return f"'.. dice:{found['name']}::' is for reStructuredText; in Markdown write ```{{dice:{found['name']}}}"
        if found := _MARKDOWN_DIRECTIVE.match(text):
            name = found["name"]
            return f"'{{dice:{name}}}' is for Markdown; in reStructuredText write '.. dice:{name}::'"
    return ""


def _in_code(text: nodes.Text) -> bool:
    parent = text.parent
    while parent is not None and not isinstance(parent, nodes.FixedTextElement):
        parent = parent.parent
    return parent is not None


def spaced_name(code: nodes.literal_block) -> str:
    """Return the message about a Markdown fence whose directive has a space in its name; empty if it has none."""
    if not _SPACED.fullmatch(code.get("language", "")):
        return ""
    return "a fence with '{dice: ' is code; write the name of the directive without a space, as in {dice:example}"
