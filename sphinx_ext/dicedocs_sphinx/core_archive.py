"""The core and the games of a book as an archive that the pages of its site load."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from io import BytesIO
from pathlib import Path
from typing import Final

import lark

import dicedocs
import dicedocs.systems
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.translation import CORE_DOMAIN
from dicedocs_sphinx.code_digest import CodeDigests
from dicedocs_sphinx.imported_code import Unit, files_in, find_unit, read_unit
from dicedocs_sphinx.runtime_files import Runtime

_CORE: Final = Path(dicedocs.__path__[0])
_GAMES: Final = Path(dicedocs.systems.__path__[0])
_LARK: Final = Path(lark.__path__[0])
_LEFT_OUT: Final = frozenset({"cli", "systems", "locale", "__pycache__", "__pyinstaller", "tools"})
"""Folders that no page needs, or of which it needs only some files."""
_CODE: Final = frozenset({".py", ".lark"})
_COMPILED: Final = (*EXTENSION_SUFFIXES, ".so", ".pyd", ".dll")
_DATE: Final = (1980, 1, 1, 0, 0, 0)
CATALOGUES: Final = "catalogues"
_LOADED_FROM: Final = "/lib/dicedocs"
"""The folder into which the worker unpacks the archive."""
_COMPILE_SECONDS: Final = 60


class CompiledError(Exception):
    """A game needs a package that is not only Python; the text is the name of the package."""


def game_files(id: str, digests: CodeDigests) -> dict[str, Path]:
    """Return the files of the game of a mechanic and of what it imports, by their names in the archive.

    Raises:
        DiceError: there is no such mechanic.
        CompiledError: it needs a package that no page can load.
    """
    game = mechanic_of(id)
    file = getattr(getattr(game.resolve, "__code__", None), "co_filename", "")
    paths = {path for path in digests.code_of(game.__module__, file) if not _is_core(path)}
    for unit in _imported_units(game.__module__):
        if any(name.endswith(_COMPILED) for name in files_in(unit.path)):
            raise CompiledError(unit.name)
        paths.add(unit.path)
    return {name: file for path in sorted(paths) for name, file in _placed(path)}


def is_own(id: str) -> bool:
    """Return whether a mechanic is one of dicedocs, whose modules the core finds by itself."""
    return mechanic_of(id).__module__.partition(".")[0] == dicedocs.__name__


@cache
def _imported_units(module: str) -> frozenset[Unit]:
    """Return the unit of a module and those that it imports, directly or not; those of dicedocs are games."""
    waiting, units = [find_unit(module)], set[Unit]()
    while waiting:
        unit = waiting.pop()
        if unit is None or unit in units or unit.path.is_relative_to(_LARK):
            continue
        units.add(unit)
        if not unit.path.name.endswith(_COMPILED):
            waiting += map(find_unit, read_unit(unit).modules)
    return frozenset(units)


def _is_core(path: Path) -> bool:
    return (path.is_relative_to(_CORE) and not path.is_relative_to(_GAMES)) or path.is_relative_to(_LARK)


def _placed(path: Path) -> Iterable[tuple[str, Path]]:
    """Return the files of a module or package by their names below the folder from which Python imports it."""
    folders = [folder for folder in map(Path, sys.path) if folder.is_absolute() and path.is_relative_to(folder)]
    # What is found nowhere on the path of modules would not be found in a page either.
    if folders:
        start = max(folders, key=lambda folder: len(folder.parts))
        start = _CORE.parent if path.is_relative_to(_CORE) else start
        for name, file in files_in(path).items():
            relative = path.relative_to(start).as_posix()
            yield (f"{relative}/{name}" if path.is_dir() else relative), file


def core_files(language: str, games: Collection[str], folders: Iterable[Path] = ()) -> dict[str, Path]:
    """Return the files of the core and of lark by their names in the archive, with the catalogues of a language.

    Parameters:
        language: the language, such as ``de`` or ``de_AT``.
        games: the systems whose words are needed.
        folders: the folders with catalogues of the book, which go into numbered folders of :data:`CATALOGUES`.
    """
    files: dict[str, Path] = {"dicedocs/systems/__init__.py": _GAMES / "__init__.py"}
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
            subprocess.run(command, check=True, capture_output=True, timeout=_COMPILE_SECONDS)  # noqa: S603  # our own
            data = after.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return sources
    for old in cache.glob("dicedocs-core-*.zip"):
        old.unlink()
    kept.write_bytes(data)
    return data
