"""The directive ``dice:character``."""

from __future__ import annotations

from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.directives.base import BlockDirective


class CharacterDirective(BlockDirective, block=CharacterBlock):
    """A character: values that are defined once, with the author's prose."""
