"""Import every module of a folder, so that what it defines registers itself."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules


@cache
def import_modules(package: str) -> None:
    """Import all modules of a package."""
    for info in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{info.name}")
