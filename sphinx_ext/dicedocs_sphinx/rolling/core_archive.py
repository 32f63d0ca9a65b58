"""The core and the games of a book as an archive that the pages of its site load."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from io import BytesIO
from modulefinder import ModuleFinder
from pathlib import Path
from typing import Final

import lark

import dicedocs
import dicedocs.systems
from dicedocs import DiceError
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.translation import CORE_DOMAIN
from dicedocs_sphinx.book.dependencies import files_in, find_places
from dicedocs_sphinx.rolling.runtime_files import Runtime

_CORE: Final = Path(dicedocs.__path__[0])
_GAMES: Final = Path(dicedocs.systems.__path__[0])
_LARK: Final = Path(lark.__path__[0])
_LEFT_OUT: Final = frozenset({"cli", "locale", "__pycache__", "__pyinstaller", "tools"})
"""Folders that no page needs, or of which it needs only some files."""
_CODE: Final = frozenset({".py", ".lark"})
_COMPILED: Final = (*EXTENSION_SUFFIXES, ".so", ".pyd", ".dll")
_DATE: Final = (1980, 1, 1, 0, 0, 0)
CATALOGUES: Final = "catalogues"
_LOADED_FROM: Final = "/lib/dicedocs"
"""The folder into which the worker unpacks the archive."""
_SECONDS: Final = 60
_IMPORT: Final = "import importlib, sys; sys.path[:0] = sys.argv[1:3]; importlib.import_module(sys.argv[3])"


class UnloadableError(DiceError):
    """No page can load a game; the text says why."""


def game_files(id: str, depends: Iterable[Path] = ()) -> dict[str, Path]:
    """Return the files of the game of a mechanic and of what it imports, by their names in the archive.

    Parameters:
        id: the id of the mechanic.
        depends: files and folders that the game needs besides.

    Raises:
        UnloadableError: no page can load it.
        DiceError: there is no such mechanic.
    """
    module, imported = mechanic_of(id).__module__, set[Path]()
    if not is_own(id):
        if not find_places(module):
            raise UnloadableError("it is in no module that Python can import")
        imported = {place for name in _imported_modules(module) for place in find_places(name)}
    roots = {*map(Path, sys.path), *(place.parent for place in imported)}
    files: dict[str, Path] = {}
    for place in sorted(imported.union(depends)):
        # What is in no folder from which Python imports would not be found in a page either.
        above = [place.parent] if place in imported else [root for root in roots if root in place.parents]
        for root in sorted(above)[-1:]:
            files |= {file.relative_to(root).as_posix(): file for file in files_in(place)}
    for name in files:
        if name.endswith(_COMPILED):
            raise UnloadableError(f"it needs {name.partition('/')[0]}, which is not only Python")
    if imported:
        _check_import(module, files)
    return files


def _check_import(module: str, files: Mapping[str, Path]) -> None:
    """Raise an :class:`UnloadableError` if a module needs more than its files when it is imported."""
    with tempfile.TemporaryDirectory() as folder:
        for name, file in files.items():
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, Path(folder, name))
        command = [sys.executable, "-I", "-c", _IMPORT, folder, str(_CORE.parent), module]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)  # noqa: S603
        except subprocess.TimeoutExpired:
            raise UnloadableError(f"its import takes longer than {_SECONDS} seconds") from None
    if done.returncode:
        *_, error = done.stderr.splitlines() or [f"Python ends with {done.returncode}"]
        raise UnloadableError(f"{error.replace(f'{folder}{os.sep}', '')}; name what it needs in dicedocs_depends")


def is_own(id: str) -> bool:
    """Return whether a mechanic is one of dicedocs, whose modules the core finds by itself."""
    return mechanic_of(id).__module__.partition(".")[0] == dicedocs.__name__


def _imported_modules(module: str) -> set[str]:
    """Return the topmost packages and the modules that a module imports, directly or not, with its own."""
    path = [*sys.path, *(str(place.parent) for place in find_places(module))]
    finder = ModuleFinder(path, excludes=[*sys.stdlib_module_names, dicedocs.__name__, lark.__name__])
    # A module that is imported late, if at all, may be broken.
    with suppress(ImportError, SyntaxError):
        finder.import_hook(module)
    return {name.partition(".")[0] for name in (module, *finder.modules)}


def core_files(language: str, games: Collection[str], folders: Iterable[Path] = ()) -> dict[str, Path]:
    """Return the files of the core and of lark by their names in the archive, with the catalogues of a language.

    Parameters:
        language: the language, such as ``de`` or ``de_AT``.
        games: the systems whose words are needed.
        folders: the folders with catalogues of the book, which go into numbered folders of :data:`CATALOGUES`.
    """
    files: dict[str, Path] = {}
    for top in (_CORE, _LARK):
        for file in top.rglob("*"):
            inside = file.relative_to(top)
            if file.suffix in _CODE and _LEFT_OUT.isdisjoint(inside.parts[:-1]):
                files[f"{top.name}/{inside.as_posix()}"] = file
    known = {language, language.partition("_")[0]}
    for file in _CORE.rglob("*.mo"):
        if file.parts[-3] in known and (not file.is_relative_to(_GAMES) or file.stem in games):
            files[f"{_CORE.name}/{file.relative_to(_CORE).as_posix()}"] = file
    for number, folder in enumerate(folders):
        for file in folder.glob("*/LC_MESSAGES/*.mo"):
            if file.parts[-3] in known and file.stem in {CORE_DOMAIN, *games}:
                files[f"{CATALOGUES}/{number}/{file.relative_to(folder).as_posix()}"] = file
    return files


def archive(files: Mapping[str, Path]) -> bytes:
    """Return files as a zip archive, which is the same for the same files."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, file in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())
    return data.getvalue()


def compiled(sources: bytes, runtime: Runtime, cache: Path) -> bytes:
    """Return an archive compiled for the Python of the pages, whose import then takes half the time.

    Without Node it stays as it is.

    Parameters:
        sources: the archive.
        runtime: the runtime of the pages.
        cache: a folder that keeps the compiled archive until the next build.
    """
    node = shutil.which("node")
    if node is None or runtime.folder is None or runtime.compiler is None:
        return sources
    digest = hashlib.sha256(sources + runtime.version.encode() + runtime.compiler.read_bytes()).hexdigest()[:16]
    kept = cache / f"dicedocs-core-{digest}.zip"
    if kept.is_file():
        return kept.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "sources.zip"), Path(folder, "compiled.zip")
        before.write_bytes(sources)
        command: list[str | Path] = [node, runtime.compiler, runtime.folder, before, after, _LOADED_FROM]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)  # noqa: S603  # our own
            data = after.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return sources
    for old in cache.glob("dicedocs-core-*.zip"):
        old.unlink()
    kept.write_bytes(data)
    return data
