"""The directive ``dice:case``: what stands in the text if something holds of the roll of whoever reads it."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.nodes import STATEMENT, dice_block, dice_case, dice_condition
from dicedocs_sphinx.source_locations import source_location
from dicedocs_sphinx.statements import misread


class CaseDirective(SphinxDirective):
    """Text with a condition, or with none if it holds for every roll."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[None] = None

    def run(self) -> list[nodes.Node]:
        case = dice_case()
        self.set_source_info(case)
        if self.arguments:
            condition = dice_condition("", "", path=" ".join(self.arguments[0].split()))
            self.set_source_info(condition)
            case += condition
        case += self.parse_content_to_nodes()
        if message := self._mistake(case):
            location = source_location(*self.state_machine.get_source_and_line(self.lineno))
            case[STATEMENT] = misread(Problem.OPTION, message, *location).data()
        return [case]

    def _mistake(self, case: dice_case) -> str:
        inner = next(case.findall(dice_block), None)
        if inner is not None:
            return f"a dice:{inner.block.kind} is always played; move it out of this dice:case"
        return "" if self.content else "this dice:case is empty; write the text to show if it holds"
