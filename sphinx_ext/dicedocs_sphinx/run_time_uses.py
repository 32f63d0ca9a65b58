"""What the modules of games do at run time that their text does not show: open files, play mechanics, import by name.

Python reports each file that is opened to audit hooks, and dicedocs each mechanic that is looked up by its id. Ours
attributes both to the modules that are being executed. It stays for the life of the process, as every audit hook does.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from contextlib import suppress
from functools import cache
from inspect import currentframe
from pathlib import Path
from types import FrameType
from typing import Any, Final, TypedDict

import dicedocs
from dicedocs.rules.registry import LOOKED_UP

_OURS: Final = Path(__file__).parent
_CORE: Final = Path(dicedocs.__path__[0])
_WRITING: Final = frozenset("wax+")
_OUTSIDE: Final = frozenset({__package__, "docutils", "sphinx"})
"""The packages that play mechanics; what called them is not a part of a game."""
_NO_GAME: Final = frozenset({*sys.stdlib_module_names, "__main__"})
_LOADING: Final = ("_frozen_importlib", "importlib._bootstrap", "importlib.metadata", "linecache", "zipimport")
"""The modules that open files only to load code, or to show it."""


class Uses(TypedDict):
    """What modules were seen to do, as plain data.

    ``opened`` are files, ``listed`` folders and ``played`` the ids of mechanics, by the name of each module that was
    being executed; ``loaded`` are the files of the modules that are not installed, by name.
    """

    opened: dict[str, list[str]]
    listed: dict[str, list[str]]
    played: dict[str, list[str]]
    loaded: dict[str, str]


def no_uses() -> Uses:
    return Uses(opened={}, listed={}, played={}, loaded={})


def merge_uses(uses: Uses, others: Uses) -> None:
    """Add to what was seen before."""
    for key in ("opened", "listed", "played"):
        for module, names in others[key].items():
            known = uses[key].setdefault(module, [])
            known += [name for name in names if name not in known]
    uses["loaded"].update(others["loaded"])


def note_uses(uses: Uses) -> None:
    """Add what this process has seen."""
    merge_uses(uses, Uses(opened=_opened, listed=_listed, played=_played, loaded=_loaded_modules()))


def is_installed(path: Path) -> bool:
    """Return whether a file was installed, so that nobody edits it."""
    return not {"site-packages", "dist-packages"}.isdisjoint(path.parts) or path.is_relative_to(_standard_library())


@cache
def _standard_library() -> str:
    return sysconfig.get_path("stdlib")


def _loaded_modules() -> dict[str, str]:
    files = [(name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items())]
    return {name: file for name, file in files if isinstance(file, str) and _is_local(file)}


@cache
def _is_local(file: str) -> bool:
    path = Path(file)
    return not (is_installed(path) or path.is_relative_to(_CORE) or path.is_relative_to(_OURS))


_opened: Final[dict[str, list[str]]] = {}
_listed: Final[dict[str, list[str]]] = {}
_played: Final[dict[str, list[str]]] = {}


_SEEN: Final = {"open": _opened, "os.listdir": _listed, "os.scandir": _listed, LOOKED_UP: _played}


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    """Note an event; this is the audit hook, which runs at each of them."""
    if event not in _SEEN or (event == "open" and not _WRITING.isdisjoint(arguments[1] or "")):
        return
    subject = arguments[0]
    if event != LOOKED_UP and not isinstance(subject, str | os.PathLike):
        return
    modules = _executed_modules(currentframe())
    if not modules:
        return
    if event != LOOKED_UP:
        with suppress(OSError):
            subject = os.path.abspath(os.fsdecode(subject))  # noqa: PTH100  # as pathlib does it, but quicker
        if _CORE in Path(subject).parents:
            return
    for module in modules:
        known = _SEEN[event].setdefault(module, [])
        if subject not in known:
            known.append(subject)


def _executed_modules(frame: FrameType | None) -> list[str]:
    """Return the modules that are being executed for dicedocs, from a frame outwards to what called dicedocs."""
    modules: list[str] = []
    called = False
    frame = frame and frame.f_back
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        top = name.partition(".")[0]
        if top in _OUTSIDE or (not modules and name.startswith(_LOADING)):
            break
        if top == dicedocs.__name__:
            called = True
        elif top not in _NO_GAME:
            modules.append(name)
        frame = frame.f_back
    return modules if called else []


@cache
def watch() -> None:
    """Note from now on what is opened and played in this process."""
    sys.addaudithook(_note)
