"""Imports from a checkout: a game that a book finds in the working tree is found in the checkout of a revision."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Final

from dicedocs_sphinx.book.dependencies import is_installed

_OURS: Final = ("dicedocs", "dicedocs_sphinx", "dicedocs_widgets")
"""These play the games of both sides, so they are the same for both."""


class CheckoutFinder(MetaPathFinder):
    """Finds modules as Python does, but those of a working tree in the same place of its checkout.

    So it does not matter how a module is found: because ``conf.py`` put its folder first, or because the game is
    installed for editing. One that the checkout does not have is not found.

    Parameters:
        tree: the top folder of the working tree.
        checkout: that of the checkout.
    """

    def __init__(self, tree: Path, checkout: Path) -> None:
        self._tree = tree.resolve()
        self._checkout = checkout.resolve()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is; None if it is nowhere.

        Raises:
            ModuleNotFoundError: the working tree has it, and the checkout has not.
        """
        if fullname.partition(".")[0] in _OURS:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((each for each in found if each is not None), None)
        place = None if spec is None else _place(spec)
        if place is None or is_installed(place) or not place.is_relative_to(self._tree):
            return spec
        there = self._checkout / place.relative_to(self._tree)
        spec = PathFinder.find_spec(fullname, [str(there.parent)], target)
        if spec is None:
            # After None Python would go on to the finders that find it in the working tree.
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return spec


def _place(spec: ModuleSpec) -> Path | None:
    """Return the file of a module, or the folder of a package; None if it has none."""
    folders = list(spec.submodule_search_locations or ())
    file = [spec.origin] if spec.has_location and spec.origin else []
    return Path((folders or file)[0]).resolve() if folders or file else None
