"""Names that no parameter of a mechanic can have, because something else that is typed beside it has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DIRECTIVE_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "example": ("name", "mechanic", "seed", "dice", "expect", "class", "hide"),
    "table": ("name", "mechanic", "fact", "vary", "rows", "show", "decimals", "class"),
    "odds": ("name", "mechanic", "fact", "vary", "expect", "class"),
    "claim": ("name", "mechanic", "fact", "claim", "loose", "class"),
}
"""The options of each directive that takes a mechanic's parameters, beside those parameters."""
_PYTHON: Final = ("faces", "where", "progress", "samples")
"""Arguments of the functions that take a mechanic's parameters by name."""
_LATER: Final = ("shows", "title")
"""Options that a directive will have."""
RESERVED: Final = frozenset().union(*DIRECTIVE_OPTIONS.values(), _PYTHON, _LATER)
"""The names that a parameter or a fact cannot have."""
