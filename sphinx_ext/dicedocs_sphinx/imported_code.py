"""The files that the code of a module consists of, by what its text imports and names."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Final, NamedTuple

import dicedocs
import dicedocs.systems
from dicedocs.rules.registry import CHECK, ROLL

_CORE: Final = Path(dicedocs.__path__[0])
_GAMES: Final = Path(dicedocs.systems.__path__[0])
_SYSTEMS: Final = dicedocs.systems.__name__.split(".")
_NOT_FOLLOWED: Final = frozenset({*sys.stdlib_module_names, __package__, "__main__"})
"""What a new Python or a new version of this extension changes; both have every page read anyway."""
_BY_NAME: Final = frozenset(
    {"__import__", "import_module", "exec_module", "module_from_spec", "run_path", "run_module", "load_module"}
)
"""The functions that import a module whose name is not in the text."""
_ALIASES: Final = {"roll": ROLL, "check": CHECK}
"""The public functions that play a mechanic of their own, which need not be looked up each time."""
_LONGEST_NAME: Final = 120
_CACHES: Final = frozenset({"__pycache__", "_build", "build", "node_modules"})
_BUILT: Final = frozenset({"conf.py", "environment.pickle", "objects.inv", ".buildinfo"})
"""Files of a folder with documents or with their output, which is not the data of a package."""
_NO_CODE: Final = frozenset({".css", ".pyc", ".pyi"})
"""Files that no page depends on; a changed stylesheet has all pages written again, but none read."""


class Unit(NamedTuple):
    """Code that is taken as a whole: a topmost regular package, by its folder, or a module that is in none."""

    name: str
    path: Path


class Text(NamedTuple):
    """What the text of a unit names.

    ``modules`` are the imported modules outside of it and of dicedocs, ``folders`` the folders of dicedocs from which
    something is imported, ``mechanics`` those that are played under a name of their own. ``by_name`` is whether
    modules are imported whose names the text does not hold.
    """

    modules: frozenset[str]
    folders: frozenset[Path]
    mechanics: frozenset[str]
    words: frozenset[str]
    by_name: bool


def find_unit(module: str) -> Unit | None:
    """Return the unit of a module, without importing it; None if its code cannot be edited, or is not found.

    Each game of dicedocs is a unit; what else is in dicedocs, and this extension, is none.
    """
    parts = module.split(".")
    if parts[: len(_SYSTEMS)] == _SYSTEMS:
        folders, start = [_GAMES], len(_SYSTEMS)
    elif parts[0] == dicedocs.__name__ or parts[0] in _NOT_FOLLOWED:
        return None
    else:
        try:
            spec = find_spec(parts[0])
        except (ImportError, ValueError, AttributeError):
            return None
        if spec is None:
            return None
        if spec.origin is not None and spec.has_location:
            file = Path(spec.origin)
            return Unit(parts[0], file if spec.submodule_search_locations is None else file.parent)
        folders, start = [Path(folder) for folder in spec.submodule_search_locations or ()], 1
    for end in range(start, len(parts)):
        paths = [folder / parts[end] for folder in folders]
        for path in paths:
            for found, code in ((path, path / "__init__.py"), (file := path.with_name(f"{path.name}.py"), file)):
                if code.is_file():
                    return Unit(".".join(parts[: end + 1]), found)
        folders = [path for path in paths if path.is_dir()]
    return None


@cache
def read_unit(unit: Unit) -> Text:
    """Return what the text of a unit names; of a file that cannot be parsed, nothing, since it was not imported."""
    modules: set[str] = set()
    used: set[str] = set()
    words: set[str] = set()
    by_name = False
    for name, path in files_in(unit.path).items():
        if path.suffix != ".py":
            continue
        with suppress(SyntaxError, ValueError):
            tree = ast.parse(path.read_bytes())
            modules.update(_imports(tree, _package(unit, name)))
            used.update(_used_of_dicedocs(tree))
            words.update(_words(tree))
            by_name = by_name or not _BY_NAME.isdisjoint(_identifiers(tree))
    values = (getattr(dicedocs, name, None) for name in used)
    modules.update(str(getattr(value, "__module__", "")) for value in values)
    folders = {
        _CORE / parts[1]
        for parts in (name.split(".") for name in modules)
        if parts[0] == dicedocs.__name__ and parts[1:]
    }
    return Text(
        frozenset(name for name in modules if not _is_within(name, unit.name) and not _is_core(name)),
        frozenset(folder for folder in folders if folder != _GAMES and folder.is_dir()),
        frozenset(_ALIASES[name] for name in used & _ALIASES.keys()),
        frozenset(words),
        by_name,
    )


def _is_within(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def _is_core(module: str) -> bool:
    parts = module.split(".")
    return parts[0] == dicedocs.__name__ and parts[: len(_SYSTEMS)] != _SYSTEMS


def _package(unit: Unit, file: str) -> str:
    """Return the name of the package against which the relative imports of a file are resolved."""
    if unit.path.is_file():
        return unit.name.rpartition(".")[0]
    return ".".join([unit.name, *file.split("/")[:-1]])


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """Return the names of the modules that a module imports; a name in a package may be one too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = node.module or ""
            if node.level:
                try:
                    name = resolve_name("." * node.level + name, package)
                except ImportError:
                    continue
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)


def _used_of_dicedocs(tree: ast.Module) -> Iterator[str]:
    """Return the public names of dicedocs that a module imports, or reads as attributes of the package."""
    packages = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == dicedocs.__name__:
                    packages.add(alias.asname or dicedocs.__name__)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == dicedocs.__name__:
            yield from (alias.name for alias in node.names)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in packages:
            yield node.attr


def _identifiers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name


def _words(tree: ast.Module) -> Iterator[str]:
    """Return the texts that may be names of files, or parts of such names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if text and len(text) <= _LONGEST_NAME and text.isprintable():
                yield text


def named_files(unit: Unit) -> Iterator[Path]:
    """Return the data files beside a module that its text seems to name, in whole or by their ending.

    A file is named by its name, as in ``"table.json"`` or ``"data/table.json"``, by a pattern or by an ending, as in
    ``f"{name}.json"``; a folder only by its name.
    """
    if not unit.path.is_file():
        return
    words = read_unit(unit).words
    # An asterisk alone is hardly a pattern.
    patterns = [word for word in words if "*" in word and any(map(str.isalnum, word)) and not word.endswith(".py")]
    endings = tuple(
        word for word in words if word.startswith(".") and word.strip(".").isalnum() and word not in {".py", *_NO_CODE}
    )
    inside = {word for word in words if not word.startswith(("/", ".."))}
    folders = [unit.path.parent]
    folders += [folder for word in sorted(inside) if word.strip("./") and (folder := folders[0] / word).is_dir()]
    for folder in folders:
        yield from (file for word in sorted(inside) if (file := folder / word).is_file())
        for file in sorted(folder.iterdir()) if patterns or endings else ():
            name = file.name
            if (name.endswith(endings) or any(fnmatchcase(name, each) for each in patterns)) and file.is_file():
                yield file


def files_in(path: Path) -> dict[str, Path]:
    """Return a file, or the files in a package and its subfolders, by their names relative to it."""
    if path.is_file():
        return {path.name: path}
    return {file.relative_to(path).as_posix(): file for folder in _folders(path) for file in _files(folder)}


def is_data(path: Path) -> bool:
    """Return whether a file or folder may be data: it is not hidden, and neither a cache nor output."""
    return not path.name.startswith(".") and path.name not in _CACHES


def core_files() -> set[Path]:
    """Return the base modules of dicedocs, on which all games depend."""
    return set(_files(_CORE))


def _folders(folder: Path) -> Iterator[Path]:
    """Return a folder and those below it; of a folder with documents, only the packages."""
    yield folder
    documents = (folder / "conf.py").is_file()
    for inner in folder.iterdir():
        if not inner.is_dir() or not is_data(inner) or _leads_back(inner):
            continue
        if (inner / "__init__.py").is_file() or not (documents or any((inner / name).exists() for name in _BUILT)):
            yield from _folders(inner)


def _leads_back(folder: Path) -> bool:
    """Return whether a folder is a link to one that contains it, in which a search would never end."""
    return folder.is_symlink() and folder.parent.resolve().is_relative_to(folder.resolve())


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file() and path.suffix not in _NO_CODE)
