"""The directives ``dice:table``, ``dice:odds`` and ``dice:claim``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from dicedocs import DiceError
from dicedocs.rules.kinds import BoolKind
from dicedocs_sphinx.blocks.base import Block, issue
from dicedocs_sphinx.blocks.odds import OddsBlock
from dicedocs_sphinx.blocks.odds_check import ChartKind, ClaimKind, TableKind
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.mechanic import MechanicDirective
from dicedocs_sphinx.nodes import dice_block, dice_mechanic, dice_table


class _OddsDirective(MechanicDirective):
    """Exact odds, with a title and the author's prose."""

    node: ClassVar[type[dice_block]] = dice_table
    css_class = "dice-counted"

    def is_referable(self) -> bool:
        return True

    def make_block(self, base: Block, options: Mapping[str, str]) -> OddsBlock:
        own = {name: text for name, text in options.items() if name in self.kind.options}
        loose = False
        try:
            loose = "loose" in own and BoolKind().read(own["loose"])
        except DiceError as error:
            base["syntax_issues"].append(issue(Problem.OPTION, f"loose: {error}", "loose"))
        return OddsBlock(
            **self.mechanic_block(base, options),
            facts=own.get("fact", "").replace(",", " ").split(),
            vary=own.get("vary", ""),
            rows=own.get("rows", ""),
            show=own.get("show", ""),
            decimals=own.get("decimals", ""),
            mark=own.get("mark", ""),
            loose=loose,
        )


class TableDirective(_OddsDirective, kind=TableKind):
    """The exact odds of a mechanic as a table."""


class ChartDirective(_OddsDirective, kind=ChartKind):
    """One distribution, or a few side by side, as a chart."""


class ClaimDirective(_OddsDirective, kind=ClaimKind):
    """A sentence about odds that is checked."""

    node = dice_mechanic
    css_class = "dice-claim"

    def is_referable(self) -> bool:
        return False

    def make_block(self, base: Block, options: Mapping[str, str]) -> OddsBlock:
        if not options.get("claim"):
            message = "nothing is claimed; write it like claim: p(at least 13) = 25.9%"
            base["syntax_issues"].append(issue(Problem.OPTION, message, "claim"))
        return super().make_block(base, options)
