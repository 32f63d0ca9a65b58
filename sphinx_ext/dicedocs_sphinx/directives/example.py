"""The directive ``dice:example``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dicedocs.errors import near, quoted
from dicedocs.render.look import is_look, no_such_look
from dicedocs_sphinx.blocks.base import Block, issue
from dicedocs_sphinx.blocks.example import ExampleBlock, ExampleKind
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.mechanic import MechanicDirective
from dicedocs_sphinx.nodes import dice_example

_PARTS: Final = ("steps", "call")


class ExampleDirective(MechanicDirective, kind=ExampleKind):
    """A worked example: a rule, its dice, the outcome, and the author's prose."""

    node = dice_example

    def is_referable(self) -> bool:
        # A book without numbers may have labels of the same names.
        return bool(self.config.numfig)

    def make_block(self, base: Block, options: Mapping[str, str]) -> ExampleBlock:
        hidden = options.get("hide", "").replace(",", " ").split()
        for word in hidden:
            if word not in _PARTS:
                message = f"{quoted(word)} cannot be hidden; {near(word, _PARTS)}"
                base["syntax_issues"].append(issue(Problem.OPTION, message, "hide"))
        look = options.get("look", "")
        if "look" in options and not is_look(look):
            base["syntax_issues"].append(issue(Problem.OPTION, no_such_look(look), "look"))
        return ExampleBlock(
            **self.mechanic_block(base, options),
            seed=options.get("seed"),
            dice=options.get("dice"),
            hide=[part for part in _PARTS if part in hidden],
            look=look if is_look(look) else "",
        )
