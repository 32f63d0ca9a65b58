"""The directive ``dice:reference``: the rules of its page at a glance."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from dicedocs_sphinx.blocks.rule_ids import expand_ids
from dicedocs_sphinx.nodes import dice_reference


class ReferenceDirective(SphinxDirective):
    """A list that is filled in when its page is written, with the rules that stand in the other sections."""

    option_spec: ClassVar = {"class": directives.class_option, "without": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        node = dice_reference(without=expand_ids(self.options.get("without", "")))
        node["classes"] += self.options.get("class", [])
        self.set_source_info(node)
        return [node]
