"""Games that tests load: what they register, all tests that ask for every mechanic would find."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

from dicedocs.rules import registry

GUIDE = Path(__file__).parents[1] / "docs" / "guide"


def forget_games(*systems: str) -> None:
    """Forget games and their modules."""
    for id in [id for id in registry._registered if id.partition("/")[0] in systems]:
        sys.modules.pop(registry._registered.pop(id).__module__, None)


@contextmanager
def game_of_guide(name: str) -> Iterator[ModuleType]:
    """Load a game of the guide in a ``with`` statement."""
    sys.path.insert(0, str(GUIDE))
    try:
        yield import_module(name)
    finally:
        sys.path.remove(str(GUIDE))
        forget_games(name)
