"""The base of the directives about a mechanic, whose options are the mechanic's parameters too."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

from dicedocs import DiceError
from dicedocs.errors import is_near, quoted
from dicedocs_sphinx.blocks.base import Block, issue
from dicedocs_sphinx.blocks.character_refs import find_character_refs
from dicedocs_sphinx.blocks.mechanic_block import MECHANICS_HINT, MechanicBlock, MechanicKind
from dicedocs_sphinx.blocks.rule_ids import expand_ids
from dicedocs_sphinx.containment import contained
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.base import BlockDirective
from dicedocs_sphinx.nodes import dice_block, dice_mechanic


class MechanicDirective(BlockDirective):
    """A directive about a mechanic."""

    kind: ClassVar[MechanicKind[Any]]
    node: ClassVar[type[dice_block]] = dice_mechanic

    def mechanic_block(self, base: Block, options: Mapping[str, str]) -> MechanicBlock:
        """Return what every block about a mechanic has, given what every block has and the text of each option."""
        mechanic = options.get("mechanic", "")
        if not mechanic:
            option = "mechanic" if "mechanic" in options else ""
            hint = MECHANICS_HINT
            if not options:
                hint = "options stand directly below the first line"
            elif not option and (similar := [name for name in options if is_near(name, "mechanic")]):
                hint = f"write mechanic instead of {quoted(similar[0])}"
            base["syntax_issues"].append(issue(Problem.MECHANIC, f"no mechanic is named; {hint}", option))
        parameters = {name: text for name, text in options.items() if name not in self.kind.options}
        refs: dict[str, str] = {}
        # An error is reported when the block is checked.
        with suppress(DiceError), contained(self.env.config.dicedocs_seconds):
            refs = find_character_refs(mechanic, parameters)
        shows = expand_ids(options.get("shows", ""))
        if "shows" in options and not shows:
            message = "no rule is named; write the ids of rules, such as M21 M28"
            base["syntax_issues"].append(issue(Problem.OPTION, message, "shows"))
        return MechanicBlock(
            **base,
            mechanic=mechanic,
            parameters=parameters,
            character_refs=refs,
            unresolved=[],
            expect=options.get(self.kind.expect_option, ""),
            shows=shows,
        )
