"""The games that a book brings with it: they are found as installed ones are, and a broken one ends no build."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs.errors import quoted
from dicedocs.rules.registry import announce
from dicedocs_sphinx.diagnostics import Problem, report

_GAMES: Final = (
    "the modules of games that are not installed, by the part of their ids before the slash, such as "
    '`{"my-game": "my_game"}`; Python must find them, and each is imported when one of its mechanics is first used'
)


def announce_games(app: Sphinx, config: Config) -> None:
    """Let the games of a book be found; a setting that names none is a warning."""
    games = config.dicedocs_games
    names = isinstance(games, Mapping) and all(isinstance(each, str) for pair in games.items() for each in pair)
    announce(games if names else {})
    if games:
        # conf.py runs in its own folder, to which the paths that it adds may be relative; games are imported later.
        sys.path[:] = [_in_folder(Path(app.confdir), entry) for entry in sys.path]
    if not names:
        message = f"dicedocs_games: {quoted(games)} names no modules; write {{'my-game': 'my_game'}}"
        report(Problem.OPTION, message, str(Path(app.confdir) / "conf.py"), 1)


def _in_folder(folder: Path, entry: str) -> str:
    """Return a path where Python searches modules, an absolute one if it leads to a folder from the given one."""
    path = Path(entry)
    return str((folder / path).resolve()) if entry and not path.is_absolute() and (folder / path).is_dir() else entry


def setup_games(app: Sphinx) -> None:
    app.add_config_value("dicedocs_games", {}, "env", Any, _GAMES)  # a wrong type is reported above
    app.connect("config-inited", announce_games)
