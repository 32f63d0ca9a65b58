"""The digest of the code that a block depends on, decided by folder.

That is the base modules, the rules and the rendering of dicedocs, the packages that the kind of check needs, the
game's own package or module, and each folder of dicedocs from which that imports something.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import dicedocs
import dicedocs.render
import dicedocs.rules
import dicedocs.systems
from dicedocs import DiceError
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs_sphinx.blocks import find_kind

_CORE: Final = Path(dicedocs.__path__[0])
_GAMES: Final = Path(dicedocs.systems.__path__[0])
_EXTENSION: Final = Path(__file__).parent
_NO_CODE: Final = frozenset({".css", ".pyc", ".pyi"})
"""Files that no page depends on; a changed stylesheet has all pages written again, but none read."""


def code_digest(kind: str, mechanic: str) -> str:
    """Return the digest of the code that a kind of check runs for a mechanic.

    The id of the mechanic may be empty. If the kind or the mechanic does not exist, the digest is empty.
    """
    try:
        check = type(find_kind(kind))
        game = mechanic_of(mechanic).__module__ if mechanic else ""
    except (KeyError, DiceError):
        return ""
    packages = [*check.packages, *((dicedocs.rules, dicedocs.render) if game else ())]
    paths = {Path(path) for package in packages for path in package.__path__}
    paths.update(_files(_CORE) if game else (), code_of(check.__module__), code_of(game))
    return hashlib.sha256("".join(map(_digest, sorted(paths))).encode()).hexdigest()


def code_of(module: str) -> set[Path]:
    """Return the folders and files that a module of a game depends on, apart from what all games do.

    Those are its topmost regular package, or its file if it is in none, and the folders of dicedocs from which that
    imports something. Each game of dicedocs is on its own. This extension has a version instead.
    """
    parts = module.split(".")
    files = [_file(".".join(parts[:count])) for count in range(1, len(parts) + 1)]
    packages = [path.parent for path in files if path is not None and path.stem == "__init__"]
    top = next((folder for folder in packages if folder not in {_CORE, _GAMES}), None)
    own = {path for path in (top, files[-1]) if path is not None and top != _EXTENSION}
    return own.union(*map(_imported_folders, own))


def _file(module: str) -> Path | None:
    """Return the file of an imported module; a namespace package has none."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return Path(file) if file else None


@cache
def _imported_folders(path: Path) -> set[Path]:
    """Return the folders of dicedocs from which a package or a file imports something."""
    folders: set[Path] = set()
    for name, content in contents_of(path).items():
        if not name.endswith(".py") or dicedocs.__name__.encode() not in content:
            continue
        # A file that cannot be parsed was not imported either.
        with suppress(SyntaxError, ValueError):
            for module in _imports(ast.parse(content)):
                top, *inner = module.split(".")
                folder = _CORE.joinpath(*inner[:1])
                if top != dicedocs.__name__ or folder == _CORE:
                    continue
                if folder == _GAMES:
                    folders |= code_of(".".join([top, *inner[:2]])) if inner[1:] else set()
                elif folder.is_dir():
                    folders.add(folder)
    return folders


def _imports(tree: ast.Module) -> Iterator[str]:
    """Return the names of the modules that a module imports, and of those that define what it imports of dicedocs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            if node.module == dicedocs.__name__:
                values = (getattr(dicedocs, alias.name, None) for alias in node.names)
                yield from (str(getattr(value, "__module__", "")) for value in values)


@cache
def _digest(path: Path) -> str:
    digest = hashlib.sha256(path.name.encode())
    for name, content in sorted(contents_of(path).items()):
        digest.update(f"\0{name}\0".encode())
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def contents_of(path: Path) -> dict[str, bytes]:
    """Return the contents of a file, or of the files in a package and in the packages below it."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {
        file.relative_to(path).as_posix(): file.read_bytes() for folder in _packages(path) for file in _files(folder)
    }


def _packages(folder: Path) -> Iterator[Path]:
    yield folder
    for inner in folder.iterdir():
        if (inner / "__init__.py").is_file():
            yield from _packages(inner)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file() and path.suffix not in _NO_CODE)
