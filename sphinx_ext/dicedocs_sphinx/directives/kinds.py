"""The directives of our kinds of blocks; what their options mean, the blocks know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any, ClassVar

from sphinx.config import Config

from dicedocs.errors import quoted
from dicedocs.page_rules.rule_lines import begins_rule, is_rule_line, line_in_prose
from dicedocs_sphinx.blocks.advice import AdviceBlock
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.odds import ChartBlock, ClaimBlock, TableBlock
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.blocks.scene import ChangeBlock, SceneBlock, SheetBlock
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.directives.base import BlockDirective
from dicedocs_sphinx.directives.option_block import content_line
from dicedocs_sphinx.nodes import dice_block, dice_example, dice_mechanic, dice_table
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.statements import Issue, issue


class ExampleDirective(BlockDirective, block=ExampleBlock):
    """A worked example: a rule, its dice, the outcome, and the author's prose."""

    node = dice_example

    @classmethod
    def is_referable(cls, config: Config) -> bool:
        # A book without numbers may have labels of the same names.
        return bool(config.numfig)


class _ClaimsDirective(BlockDirective):
    """What may make claims about odds."""

    def more_fields(self, _options: Mapping[str, str], _issues: list[Issue]) -> Mapping[str, Any]:
        return {"averages": settings_of(self.config).averages}


class _OddsDirective(_ClaimsDirective):
    """Exact odds, with a title and the author's prose."""

    node: ClassVar[type[dice_block]] = dice_table
    css_class = "dice-counted"

    @classmethod
    def is_referable(cls, _config: Config) -> bool:
        return True


class TableDirective(_OddsDirective, block=TableBlock):
    """The exact odds of a mechanic as a table."""


class ChartDirective(_OddsDirective, block=ChartBlock):
    """One distribution, or a few side by side, as a chart."""


class AdviceDirective(_OddsDirective, block=AdviceBlock):
    """When it is best to choose what, as a table."""


class ClaimDirective(_ClaimsDirective, block=ClaimBlock):
    """A sentence about odds that is checked."""

    node = dice_mechanic


class CharacterDirective(BlockDirective, block=CharacterBlock):
    """A character: values that are defined once, with the author's prose."""


class SceneDirective(BlockDirective, block=SceneBlock):
    """A scene: who is in it and what is counted, to the end of the section."""

    node = dice_mechanic


class ChangeDirective(BlockDirective, block=ChangeBlock):
    """What changes in a scene between two examples."""

    node = dice_mechanic


class SheetDirective(BlockDirective, block=SheetBlock):
    """The way of the values through a scene."""


class RuleDirective(BlockDirective, block=RuleBlock):
    """A rule: its id, or several with commas between them, a title if there is one, and the rule in words."""

    xref_roles = ("rule", "ref")

    def companions(self, block: Block) -> Iterator[Block]:
        return block.others() if isinstance(block, RuleBlock) else iter(())


class PageTableDirective(BlockDirective, block=PageMechanicBlock):
    """A mechanic of the book: the lines of a rule, or a table or a list, in its body or else next in its section."""

    def more_fields(self, options: Mapping[str, str], issues: list[Issue]) -> Mapping[str, Any]:
        lines, rest = list[str](), list(self.content)
        while (start := next((at for at, line in enumerate(rest) if line.strip()), None)) is not None:
            # A blank line ends the rule only where prose follows it.
            paragraph = list(takewhile(str.strip, rest[start:]))
            if (start and not lines) or not (is_rule_line(rest[start]) if lines else begins_rule(paragraph)):
                break
            end = start + len(paragraph)
            lines, rest = [*lines, *rest[:end]], rest[end:]
        if not lines:
            return {}
        below = content_line(self, 0)
        self.content = self.content[len(lines) :]
        self.content_offset += len(lines)
        stray = line_in_prose(list(self.content), lines, options)
        if stray is not None:
            message = f"{quoted(self.content[stray].strip())} is behind prose, so it is no line of the rule"
            hint = "write it above the prose"
            line = self._location(content_line(self, stray))[1]
            issues.append(issue(Problem.OPTION, with_hint(message, hint), line=line))
        return {"rule": lines, "rule_below": below}
