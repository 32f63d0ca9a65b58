"""The directive ``dice:example``: it reads what was written; a transform plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dicedocs.errors import near, quoted
from dicedocs_sphinx.block import Block, Found, wrong
from dicedocs_sphinx.directive import BlockDirective
from dicedocs_sphinx.nodes import dice_example, dice_working
from dicedocs_sphinx.options import read_head
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.ruled import nothing_named
from dicedocs_sphinx.worked import OWN, Worked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docutils import nodes

_HIDDEN: Final = ("steps", "call")


class ExampleDirective(BlockDirective):
    """A worked example: the rule, its dice, what it gives, and the author's prose around it."""

    def run(self) -> list[nodes.Node]:
        """Give the example with its title and prose, and a place for what is computed."""
        head = read_head(self)
        example = dice_example(classes=["dice-example"])
        block, values = self.block(head)
        self.fill(example, head, block, values)
        example["worked"] = _worked(block, values)
        working = dice_working()
        working.source, working.line = example.source, example.line
        example += working
        return [example]


def _worked(block: Block, values: Mapping[str, str]) -> Worked:
    found = block["misread"]
    if "mechanic" not in values:
        found.append(nothing_named(values))
    return Worked(
        **block,
        mechanic=values.get("mechanic", ""),
        parameters={name: value for name, value in values.items() if name not in OWN},
        asked={},
        seed=values.get("seed"),
        dice=values.get("dice"),
        expect=values.get("expect", ""),
        hide=_hidden(values, found),
        call="",
        unmet=[],
        wrong=[],
    )


def _hidden(values: Mapping[str, str], found: list[Found]) -> list[str]:
    """Give which parts are left out."""
    words = values.get("hide", "").replace(",", " ").split()
    for word in words:
        if word not in _HIDDEN:
            message = f"{quoted(word)} cannot be hidden; {near(word, _HIDDEN)}"
            found.append(wrong(Problem.OPTION, message, "hide"))
    return [word for word in _HIDDEN if word in words]
