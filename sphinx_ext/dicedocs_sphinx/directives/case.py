"""The directive ``dice:case``: what stands in the text if something holds of the roll of whoever reads it."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from sphinx import addnodes
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
        if self.arguments and any(case.findall(_is_found_elsewhere)):
            return (
                "a label, a term or an index entry leads nowhere where this dice:case is not shown; "
                "write it above, or in a dice:case without a condition"
            )
        return "" if self.content else "this dice:case is empty; write the text to show if it holds"


def _is_found_elsewhere(node: nodes.Node) -> bool:
    """Return whether the index, the glossary or a reference leads to a node."""
    if isinstance(node, addnodes.index | nodes.term):
        return True
    return isinstance(node, nodes.Element) and bool(node.get("names")) and "refuri" not in node
