"""A rule as plain data: a sentence of the book under an id, which other blocks show."""

from __future__ import annotations

from typing import Final, final

from dicedocs.errors import ParameterError, quoted
from dicedocs_sphinx.blocks.base import Block, BlockKind, CheckResult, Facts, locate_issues

RULE: Final = "rule"


class RuleBlock(Block):
    """A rule, or several that are stated together.

    ``ids`` are those of all that are stated here, of which the first is the name; of the others, which follow as blocks
    without words, they are empty. ``words`` is the title without ids. ``unshown`` is why nothing shows the rules; empty
    if something should.
    """

    ids: list[str]
    words: str
    unshown: str


class _NoFacts(Facts):
    """A rule has words, and no values."""

    def __init__(self, block: Block) -> None:
        self._id = block["name"]

    def has(self, path: str) -> bool:
        return False

    def text(self, path: str) -> str:
        message = f"{quoted(self._id)} is a rule, which has no fact {quoted(path)}"
        raise ParameterError(message, hint="name an example that shows it")


@final
class RuleKind(BlockKind[Block], name=RULE, options=("unshown", "class")):
    """Rules; the name of one is its id."""

    def check(self, block: Block) -> CheckResult:
        return CheckResult(locate_issues(block, block["syntax_issues"]), None, self.facts(block))

    def facts(self, block: Block) -> Facts:
        return _NoFacts(block)
