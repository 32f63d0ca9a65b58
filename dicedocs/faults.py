"""What went wrong in the code of a game, and in which line its author has to look."""

from __future__ import annotations

import os.path
import sys
from collections.abc import Collection
from inspect import currentframe, findsource, getsourcefile
from types import FrameType, TracebackType
from typing import Final, cast

from dicedocs.errors import DiceError, ParameterError, error_text

_HERE: Final = os.path.dirname(__file__) + os.sep  # noqa: PTH120  # pathlib is not imported for this
_GAMES: Final = f"{_HERE}systems{os.sep}"
_PYTHON: Final = tuple({os.path.dirname(os.__file__) + os.sep, sys.prefix + os.sep})  # noqa: PTH120
_WITHOUT_FILE: Final = ("<frozen ", "<string>")
"""How the names of Python's own code begin, and of code that it makes for a class."""
_PACKAGES: Final = f"{os.sep}site-packages{os.sep}"
_PLAYING: Final = ("dicedocs.probability.", "dicedocs.rules.")
"""The packages whose modules stand between a rule and its dice."""
_OF_THE_PLAYER: Final = frozenset({"dice", "seed", "expect"})
"""What is given besides parameters when a mechanic is played."""


def describe_error(error: BaseException, rule: type | None = None) -> str:
    """Return the type of an exception, its message, and the line of the game's author that is at fault.

    Parameters:
        error: the exception.
        rule: the class of the mechanic; its first line is named if no line of a game was running, as when the class
            itself is wrong.
    """
    where = author_line(error.__traceback__) or class_line(rule)
    return f"{error_text(error)} ({where})" if where else error_text(error)


def author_line(trace: TracebackType | None) -> str:
    """Return the innermost line of a traceback that is a game's, as ``file:line, in name``; empty if none is.

    The code of Python, of this package and of its extensions is not a game's, but that of its own games is.
    """
    of_games = [frame for frame in _frames(trace) if _is_game(frame[0])]
    return _place(*of_games[-1]) if of_games else ""


def calling_place() -> str:
    """Return the line of a game that makes the dice call being answered, like :func:`author_line`."""
    frame = cast("FrameType", currentframe())  # Python has frames
    while _module(frame).startswith((__name__, *_PLAYING)) and frame.f_back is not None:
        frame = frame.f_back
    return _place(frame, frame.f_lineno) if _is_game(frame) else ""


def class_line(rule: type | None) -> str:
    """Return the first line of a class, as ``file:line, class Name``; empty if its source is not known."""
    if rule is None:
        return ""
    try:
        line = findsource(rule)[1] + 1
        file = getsourcefile(rule) or ""
    except (OSError, TypeError):
        return f"class {rule.__qualname__}"
    return f"{_file_name(file)}:{line}, class {rule.__qualname__}"


def is_of_the_rule(error: DiceError, parameters: Collection[str]) -> bool:
    """Return whether an error is a mistake in a rule, not in what it was given to play.

    A rule that gives a wrong argument to a dice call, or to another mechanic that it plays, has made it itself.

    Parameters:
        error: the error, as raised while the rule was played.
        parameters: the names of the rule's parameters.
    """
    if type(error) is not ParameterError or error.parameter in {*parameters, *_OF_THE_PLAYER}:
        return False
    running = [frame for frame, _ in _frames(error.__traceback__)]
    last = max((index for index, frame in enumerate(running) if _is_game(frame)), default=-1)
    if not 0 <= last < len(running) - 1:
        return False
    # A source of faces refuses what its faces are: they were given to play.
    return _module(running[last + 1]).startswith(_PLAYING) and running[-1].f_code.co_name != "throw"


def _frames(trace: TracebackType | None) -> list[tuple[FrameType, int]]:
    """Return the frames of a traceback with their lines, the innermost last."""
    frames: list[tuple[FrameType, int]] = []
    while trace is not None:
        frames.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def _place(frame: FrameType, line: int) -> str:
    """Return a place as ``file:line, in name``."""
    return f"{_file_name(frame.f_code.co_filename)}:{line}, in {frame.f_code.co_name}"


def _file_name(path: str) -> str:
    """Return the name of a file, with its folder where every package has one of that name.

    The whole path is another one on another machine.
    """
    folder, name = os.path.split(path)
    return f"{os.path.basename(folder)}/{name}" if name == "__init__.py" else name  # noqa: PTH119


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _is_game(frame: FrameType) -> bool:
    """Return whether a frame runs code of a game."""
    file, module = frame.f_code.co_filename, _module(frame)
    if file.startswith(_WITHOUT_FILE) or module.startswith("importlib."):
        return False
    if file.startswith(_HERE):
        return file.startswith(_GAMES)
    if module.partition(".")[0] in {"dicedocs_sphinx", "dicedocs_widgets"}:
        return False
    return _PACKAGES in file or not file.startswith(_PYTHON)
