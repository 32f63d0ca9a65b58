"""The directives ``dice:table``, ``dice:odds``, ``dice:claim``: they read what was written; a transform counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from dicedocs import DiceError
from dicedocs.rules.kinds import BoolKind
from dicedocs_sphinx.block import Block, wrong
from dicedocs_sphinx.counted import OWN, Counted, Sort
from dicedocs_sphinx.directive import BlockDirective
from dicedocs_sphinx.nodes import dice_claim, dice_counted, dice_table, dice_working
from dicedocs_sphinx.options import read_head
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.ruled import nothing_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docutils import nodes


class CountedDirective(BlockDirective):
    """Something about exact odds, with a title and the author's prose."""

    sort: ClassVar[Sort]
    node: ClassVar[type[dice_counted]]

    def run(self) -> list[nodes.Node]:
        """Give a node with title and prose, and last a place for what is counted."""
        head = read_head(self)
        node = self.node(classes=["dice-claim" if self.sort == "claim" else "dice-counted"])
        block, values = self.block(head)
        self.fill(node, head, block, values)
        node["counted"] = _counted(self.sort, block, values)
        place = dice_working()
        place.source, place.line = node.source, node.line
        node += place
        return [node]


class TableDirective(CountedDirective):
    """The exact odds of a mechanic as a table."""

    sort = "table"
    node = dice_table
    referable = True


class OddsDirective(CountedDirective):
    """One distribution, or a few side by side, as a chart."""

    sort = "odds"
    node = dice_table
    referable = True


class ClaimDirective(CountedDirective):
    """A sentence about odds that is checked."""

    sort = "claim"
    node = dice_claim


def _counted(sort: Sort, block: Block, values: Mapping[str, str]) -> Counted:
    found = block["misread"]
    if "mechanic" not in values:
        found.append(nothing_named(values))
    if sort == "claim" and not values.get("claim"):
        found.append(wrong(Problem.OPTION, "nothing is claimed; write it like claim: p(at least 13) = 25.9%", "claim"))
    loose = False
    try:
        loose = "loose" in OWN[sort] and "loose" in values and BoolKind().read(values["loose"])
    except DiceError as error:
        found.append(wrong(Problem.OPTION, f"loose: {error}", "loose"))

    def own(name: str) -> str:
        return values.get(name, "") if name in OWN[sort] else ""

    return Counted(
        **block,
        mechanic=values.get("mechanic", ""),
        parameters={name: value for name, value in values.items() if name not in OWN[sort]},
        asked={},
        expect=own("claim") or own("expect"),
        unmet=[],
        wrong=[],
        sort=sort,
        facts=own("fact").replace(",", " ").split(),
        vary=own("vary"),
        rows=own("rows"),
        show=own("show"),
        decimals=own("decimals"),
        loose=loose,
    )
