"""Reserved names: options and arguments that people type beside the parameters of a mechanic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DIRECTIVE_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "example": ("name", "mechanic", "seed", "dice", "expect", "shows", "class", "hide", "look"),
    "table": ("name", "mechanic", "fact", "vary", "rows", "show", "decimals", "expect", "mark", "shows", "class"),
    "odds": ("name", "mechanic", "fact", "vary", "expect", "mark", "shows", "class"),
    "claim": ("name", "mechanic", "fact", "claim", "loose", "shows", "class"),
}
"""The options of each directive that also takes a mechanic's parameters as options."""
PYTHON_ARGUMENTS: Final = ("faces", "where", "progress", "samples")
"""Arguments of the functions that also take a mechanic's parameters by name."""
LATER_OPTIONS: Final = ("title",)
"""Options that a directive may have one day."""
RESERVED: Final = frozenset().union(*DIRECTIVE_OPTIONS.values(), PYTHON_ARGUMENTS, LATER_OPTIONS)
"""The names that neither a parameter nor a fact can have."""
