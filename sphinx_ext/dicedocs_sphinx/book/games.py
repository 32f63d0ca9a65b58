"""The games that a book brings with it: they are found as installed ones are, and a broken one ends no build."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs.rules.registry import announce
from dicedocs_sphinx.settings import settings_of


def announce_games(app: Sphinx, config: Config) -> None:
    """Let the games of a book be found."""
    games = settings_of(config).games
    announce(games)
    if games:
        # conf.py runs in its own folder, to which the paths that it adds may be relative; games are imported later.
        sys.path[:] = [_in_folder(Path(app.confdir), entry) for entry in sys.path]


def _in_folder(folder: Path, entry: str) -> str:
    """Return a path where Python searches modules, an absolute one if it leads to a folder from the given one."""
    path = Path(entry)
    return str((folder / path).resolve()) if entry and not path.is_absolute() and (folder / path).is_dir() else entry


def setup_games(app: Sphinx) -> None:
    app.connect("config-inited", announce_games)
