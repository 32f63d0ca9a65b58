"""A character as plain data."""

from __future__ import annotations

import json
from typing import Final, final

from dicedocs.render.words import prose
from dicedocs_sphinx.blocks.base import Block, BlockKind, CheckResult, Facts, locate_issues
from dicedocs_sphinx.blocks.character_refs import character_value

CHARACTER: Final = "character"


@final
class CharacterBlock(Block):
    """A character; ``values`` is None if they could not be read."""

    system: str
    values: dict[str, int] | None


class CharacterFacts(Facts):
    """The values of a character."""

    def __init__(self, character: CharacterBlock) -> None:
        self._character = character

    def has(self, path: str) -> bool:
        return path in (self._character["values"] or {})

    def text(self, path: str) -> str:
        return prose(character_value(self._character, path))


@final
class CharacterKind(BlockKind[CharacterBlock], name=CHARACTER, options=("name", "system", "values", "class")):
    """Characters, whose values other blocks use."""

    def check(self, block: CharacterBlock) -> CheckResult:
        return CheckResult(locate_issues(block, block["syntax_issues"]), block["values"], self.facts(block))

    def system(self, block: CharacterBlock) -> str:
        return block["system"]

    def facts(self, block: CharacterBlock) -> Facts | None:
        return None if block["values"] is None else CharacterFacts(block)


def character_stamp(character: CharacterBlock | None) -> str:
    """Return what blocks that use a character depend on, as text; empty if there is no such character."""
    return json.dumps([character["system"], character["values"]]) if character else ""
