"""The digest of the code and the data that a block depends on.

That is, for each block, the code of its kind of check. For a block about a mechanic it is also: the base modules, the
rules and the rendering of dicedocs, the packages that the kind of check needs; the game, that is its own package or
module, what that imports, the data files that it names or was seen to open, and the games whose mechanics it was seen
to play; and what the project names in ``dicedocs_depends``.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import dicedocs.render
import dicedocs.rules
from dicedocs import DiceError
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs_sphinx.blocks import find_kind
from dicedocs_sphinx.imported_code import Unit, core_files, files_in, find_unit, is_data, named_files, read_unit
from dicedocs_sphinx.run_time_uses import Uses, is_installed, no_uses

_READ_WHOLE: Final = 1_000_000
"""The largest file, in bytes, that is compared by its content; a larger one is by its size and time."""


class CodeDigests:
    """The digests of code, each computed once.

    Parameters:
        uses: what the modules of games were seen to do.
        depends: files and folders on which every mechanic depends besides.
        modules: modules on which every mechanic depends besides.
    """

    def __init__(self, uses: Uses | None = None, depends: Iterable[Path] = (), modules: Iterable[str] = ()) -> None:
        self._uses = uses or no_uses()
        self._digests: dict[str, str] = {}
        self._data: dict[Path, str] = {}
        self._code: dict[tuple[str, str], frozenset[Path]] = {}
        self._units: dict[str, Unit | None] = {}
        self._depends = frozenset(depends)
        self._modules = tuple(modules)
        self._listed: set[Path] = set()

    def of(self, code: str) -> str:
        """Return the digest of what a kind of check, named first, runs for a mechanic.

        The id of the mechanic may be empty. If the kind or the mechanic does not exist, the digest is empty.
        """
        if code not in self._digests:
            self._digests[code] = self._digest(*code.split(" ", 1))
        return self._digests[code]

    def _digest(self, kind: str, mechanic: str) -> str:
        try:
            check = type(find_kind(kind))
            game = mechanic_of(mechanic) if mechanic else None
        except (KeyError, DiceError):
            return ""
        packages = [*check.packages, *((dicedocs.rules, dicedocs.render) if game else ())]
        paths = {Path(path) for package in packages for path in package.__path__}
        paths |= self.code_of(check.__module__)
        if game is not None:
            file = getattr(getattr(game.resolve, "__code__", None), "co_filename", "")
            paths |= core_files() | self._depends | self.code_of(game.__module__, file)
            paths.update(*map(self.code_of, self._modules))
        return hashlib.sha256("".join(map(self._digest_of, sorted(paths))).encode()).hexdigest()

    def code_of(self, module: str, file: str = "") -> frozenset[Path]:
        """Return the folders and files that a module depends on, apart from what all games do.

        Parameters:
            module: the name of the module.
            file: the file of its code, which need not be found by its name.
        """
        if (module, file) not in self._code:
            self._code[module, file] = frozenset(self._collect(module, file))
        return self._code[module, file]

    def _collect(self, module: str, file: str) -> set[Path]:
        first = self._find_unit(module)
        if first is None and os.path.isfile(file):  # noqa: PTH113  # may be "<stdin>"
            first = Unit(module, Path(file))
        waiting, units, games, paths = [first], set[Unit](), {first}, set[Path]()
        while waiting:
            unit = waiting.pop()
            if unit is None or unit in units:
                continue
            units.add(unit)
            paths.add(unit.path)
            if unit not in games and is_installed(unit.path):
                continue
            text = read_unit(unit)
            paths |= text.folders
            paths.update(named_files(unit))
            modules = [*text.modules, *(self._loaded_by_name(paths) if text.by_name else ())]
            waiting += map(self._find_unit, modules)
            paths.update(map(Path, _of_unit(self._uses["opened"], unit)))
            listed = set(map(Path, _of_unit(self._uses["listed"], unit)))
            self._listed |= listed
            paths |= listed
            for id in {*text.mechanics, *_of_unit(self._uses["played"], unit)}:
                with suppress(DiceError):
                    played = self._find_unit(mechanic_of(id).__module__)
                    games.add(played)
                    waiting.append(played)
        return paths

    def _loaded_by_name(self, paths: set[Path]) -> Iterable[str]:
        """Return the modules that may have been imported by name, and add their files."""
        loaded = self._uses["loaded"]
        paths.update(map(Path, loaded.values()))
        return loaded

    def _find_unit(self, module: str) -> Unit | None:
        if module not in self._units:
            self._units[module] = find_unit(module)
        return self._units[module]

    def _digest_of(self, path: Path) -> str:
        if _is_code(path):
            return _digest_code(path)
        if path not in self._data:
            names_only = path in self._listed and path not in self._depends
            self._data[path] = _digest_names(path) if names_only else _digest_files(path)
        return self._data[path]


def _of_unit(seen: dict[str, list[str]], unit: Unit) -> set[str]:
    """Return what the modules of a unit were seen to do."""
    return {each for name, names in seen.items() if f"{name}.".startswith(f"{unit.name}.") for each in names}


def _is_code(path: Path) -> bool:
    return path.suffix == ".py" or (path / "__init__.py").is_file()


@cache
def _digest_code(path: Path) -> str:
    """Return the digest of code, which a process loads once, even if it builds several times."""
    return _digest_files(path)


def _digest_names(folder: Path) -> str:
    """Return the digest of the names in a folder that is only searched for files."""
    names = sorted(path.name for path in folder.iterdir() if is_data(path)) if folder.is_dir() else []
    return hashlib.sha256("\0".join([folder.name, *names]).encode()).hexdigest()


def _digest_files(path: Path) -> str:
    digest = hashlib.sha256(path.name.encode())
    by_time = is_installed(path) and path.is_dir()
    for name, file in sorted(files_in(path).items() if path.exists() else ()):
        digest.update(f"\0{name}\0".encode())
        # A file that cannot be read, or is gone by now, is no content either.
        with suppress(OSError):
            status = file.stat()
            if by_time or status.st_size > _READ_WHOLE:
                digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
            else:
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
