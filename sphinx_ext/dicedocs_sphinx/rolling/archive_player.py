"""Plays examples with the standard library and what an archive holds, as a page does.

A script for a Python of its own: ``python -I -S archive_player.py FOLDER ANSWERS`` reads on standard input what is to
be played (:mod:`dicedocs_sphinx.rolling.archive_check` writes it), and writes a line for each play: why it failed, or
an empty text.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import sysconfig
from importlib import import_module
from pathlib import Path
from typing import Any, Final

_READING: Final = frozenset({"open", "os.listdir", "os.scandir"})


def main() -> None:
    """Play the examples."""
    folder, answers = map(Path, sys.argv[1:])
    job = json.load(sys.stdin)
    sys.path[:0] = [str(folder), *(str(folder / path) for path in job["paths"])]
    from dicedocs.limits import raise_limits

    with answers.open("w", encoding="utf-8") as lines, raise_limits(**job["limits"]):
        _hide_all_but(folder)
        for play in job["plays"]:
            print(json.dumps(_failure(play, job["seconds"])), file=lines, flush=True)


def _failure(play: dict[str, Any], seconds: float) -> str:
    """Return why an example cannot be played, or does not give what it should; empty if it does."""
    from dicedocs import DiceError, Example
    from dicedocs.clock import time_limit
    from dicedocs.faults import describe_error

    try:
        with time_limit(seconds, "the rule"):
            import_module(play["module"])
            Example(*play["example"]).verify()
    except DiceError as error:
        return error.message
    except BaseException as error:  # noqa: BLE001  # a game may raise anything, also SystemExit
        # Without this frame, which is not in the game.
        trace = error.__traceback__
        return describe_error(error.with_traceback(trace and trace.tb_next))
    return ""


def _hide_all_but(folder: Path) -> None:
    """Let no other file be found than those of a folder and of the standard library: a page has no others."""
    library = map(sysconfig.get_path, ("stdlib", "platstdlib"))
    there = [folder, *(Path(each).resolve() for each in library)]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        path = arguments[0] if event in _READING else None
        if isinstance(path, str | os.PathLike) and not any(map(Path(path).resolve().is_relative_to, there)):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))

    sys.addaudithook(hook)


if __name__ == "__main__":
    main()
