"""The directive ``dice:examples``: several worked examples in one box, a row each."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.nodes import STATEMENT, TITLE, dice_example
from dicedocs_sphinx.source_locations import source_location
from dicedocs_sphinx.statements import misread


class ExamplesDirective(SphinxDirective):
    """A series of examples with a title, and whatever stands between them."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"class": directives.class_option, "name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        series = nodes.container(classes=["dice-examples", *self.options.get("class", ())])
        self.set_source_info(series)
        self.add_name(series)
        if self.arguments:
            words, messages = self.parse_inline(self.arguments[0], lineno=self.lineno)
            series += [nodes.paragraph("", "", nodes.strong("", "", *words), classes=[TITLE]), *messages]
        series += self.parse_content_to_nodes()
        example = next(series.findall(dice_example), None)
        if example is None:
            location = source_location(*self.state_machine.get_source_and_line(self.lineno))
            series[STATEMENT] = misread(Problem.OPTION, "a series has no dice:example in it", *location).data()
        else:
            # The accent of the series is that of its game.
            series["classes"] += [each for each in example["classes"] if each.startswith("dice-system-")]
        return [series]
