"""What went wrong in the code of a game, and in which line its author has to look."""

from __future__ import annotations

import os.path
import sys
from types import FrameType, TracebackType
from typing import Final

from dicedocs.errors import error_text

_HERE: Final = os.path.dirname(__file__) + os.sep  # noqa: PTH120  # pathlib is not imported for this
_GAMES: Final = f"{_HERE}systems{os.sep}"
_PYTHON: Final = tuple({os.path.dirname(os.__file__) + os.sep, sys.prefix + os.sep})  # noqa: PTH120
_PACKAGES: Final = f"{os.sep}site-packages{os.sep}"


def describe_error(error: BaseException) -> str:
    """Return the type of an exception, its message, and the line of the game where it was raised."""
    where = author_line(error.__traceback__)
    return f"{error_text(error)} ({where})" if where else error_text(error)


def author_line(trace: TracebackType | None) -> str:
    """Return the innermost line of a traceback that is a game's, as ``file:line, in name``; else the innermost.

    The code of Python, of this package and of its extensions is not a game's, but that of its own games is.
    """
    frames: list[tuple[FrameType, int]] = []
    while trace is not None:
        frames.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    of_games = (place for place in reversed(frames) if _is_game(place[0]))
    place = next(of_games, frames[-1] if frames else None)
    if place is None:
        return ""
    code = place[0].f_code
    return f"{os.path.basename(code.co_filename)}:{place[1]}, in {code.co_name}"  # noqa: PTH119


def _is_game(frame: FrameType) -> bool:
    """Return whether a frame runs code of a game."""
    file, module = frame.f_code.co_filename, str(frame.f_globals.get("__name__", ""))
    if file.startswith("<") or module.startswith("importlib."):
        return False
    if file.startswith(_HERE):
        return file.startswith(_GAMES)
    if module.partition(".")[0] in {"dicedocs_sphinx", "dicedocs_widgets"}:
        return False
    return _PACKAGES in file or not file.startswith(_PYTHON)
