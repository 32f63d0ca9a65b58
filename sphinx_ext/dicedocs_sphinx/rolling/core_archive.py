"""The core and the games of a book as an archive that the pages of its site load."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from io import BytesIO
from modulefinder import ModuleFinder
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

import lark

import dicedocs
import dicedocs.systems
from dicedocs import DiceError
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.translation import CORE_DOMAIN
from dicedocs_sphinx.book.dependencies import files_in, find_places, is_installed
from dicedocs_sphinx.rolling.runtime_files import Runtime

_CORE: Final = Path(dicedocs.__path__[0])
_GAMES: Final = Path(dicedocs.systems.__path__[0])
_LARK: Final = Path(lark.__path__[0])
_LEFT_OUT: Final = frozenset({"cli", "lint", "locale", "__pycache__", "__pyinstaller", "tools"})
"""Folders that no page needs, or of which it needs only some files."""
_CODE: Final = frozenset({".py", ".lark"})
_COMPILED: Final = (*EXTENSION_SUFFIXES, ".so", ".pyd", ".dll")
_DATE: Final = (1980, 1, 1, 0, 0, 0)
CATALOGUES: Final = "catalogues"
_TOP: Final = PurePosixPath()
OWN: Final = PurePosixPath("book-files")
"""The folder of the archive with what the author keeps; no package can have its name."""
_LOADED_FROM: Final = "/lib/dicedocs"
"""The folder into which the worker unpacks the archive."""
_SECONDS: Final = 60


class UnloadableError(DiceError):
    """No page can load a game; the text says why."""


class Layout:
    """Where the files of games are in the archive.

    What the author keeps has the same places in :data:`OWN` as on disk, so that a path from one of these files to
    another leads there in a page too. What is installed stands at the top, where Python imports the core.

    Parameters:
        book: the folder of ``conf.py``.
        depends: files and folders that the games need besides their modules.
    """

    def __init__(self, book: Path, depends: Iterable[Path]) -> None:
        self.depends = tuple(depends)
        own = [place for place in self.depends if not is_installed(place)]
        above = (folder for folder in (book, *book.parents) if all(place.is_relative_to(folder) for place in own))
        self._home = next(above, book)

    def folder(self, root: Path) -> PurePosixPath:
        """Return the folder of the archive for what stands in a folder."""
        for folder in (root, root.resolve()):
            if folder.is_relative_to(self._home) and not is_installed(folder):
                return OWN / folder.relative_to(self._home).as_posix()
        return _TOP


class GameFiles(NamedTuple):
    """What a page loads to play a game.

    Parameters:
        files: its files by their names in the archive.
        paths: the folders of the archive from which Python imports them, apart from the top.
    """

    files: Mapping[str, Path]
    paths: Sequence[str]


def game_files(id: str, layout: Layout) -> GameFiles:
    """Return the files of the game of a mechanic and of what it imports.

    Parameters:
        id: the id of the mechanic.
        layout: where they are in the archive.

    Raises:
        UnloadableError: no page can load it.
        DiceError: there is no such mechanic.
    """
    module = mechanic_of(id).__module__
    if is_own(id):
        return GameFiles({}, ())
    if not find_places(module):
        raise UnloadableError("it is in no module that Python can import")
    imported = {place for name in _imported_modules(module) for place in find_places(name)}
    roots = list(dict.fromkeys([*map(Path, sys.path), *(place.parent for place in sorted(imported))]))
    files: dict[str, Path] = {}
    for place in sorted(imported.union(layout.depends)):
        root = place if place.is_dir() and place not in imported else place.parent
        if place not in imported and layout.folder(root) == _TOP:
            # Data at the top is found below the folder from which Python imports its package.
            above = [each for each in roots if each in (root, *root.parents)]
            if not above:
                continue
            root = max(above, key=lambda each: len(each.parts))
        # A link may lead nowhere.
        for file in filter(Path.is_file, files_in(place)):
            if file.name.endswith(_COMPILED):
                raise UnloadableError(f"it needs {place.name}, which is not only Python")
            files[str(layout.folder(root) / file.relative_to(root).as_posix())] = file
    folders = dict.fromkeys(map(str, map(layout.folder, roots)))
    return GameFiles(files, [folder for folder in folders if any(name.startswith(f"{folder}/") for name in files)])


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
