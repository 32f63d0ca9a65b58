"""Games that tests load: what they register, all tests that ask for every mechanic would find."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

from dicedocs.rules import registry

GUIDE = Path(__file__).parents[1] / "docs" / "guide"


def forget_games(folder: Path) -> None:
    """Forget the games whose code is in a folder, all modules there, and the mechanics of a book that was loaded."""
    registry.announce_book({})
    place = str(folder)
    for id, rule in list(registry._registered.items()):
        if rule.resolve.__code__.co_filename.startswith(place):
            del registry._registered[id]
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(place):
            del sys.modules[name]


@contextmanager
def game_of_guide(name: str) -> Iterator[ModuleType]:
    """Load a game of the guide in a ``with`` statement."""
    sys.path.insert(0, str(GUIDE))
    try:
        yield import_module(name)
    finally:
        sys.path.remove(str(GUIDE))
        forget_games(GUIDE)
