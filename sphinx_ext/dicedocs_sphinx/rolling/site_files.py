"""Files of a site, with compressed copies beside them, which many web servers send instead: `.gz`, and `.br`."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path
from typing import Final

_BROTLI_QUALITY: Final = 6
"""For what a site with Python loads, 9 takes four times as long for 1 % less, and 11 a hundred times for 6 %."""
_SUFFIXES: Final = (".gz", ".br")


def write_site_file(path: Path, data: bytes) -> None:
    """Write a file and its compressed copies, unless it is there already; `.br` if the package ``brotli`` is there."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_site_file(path)
    # The copies come first: a build that is interrupted writes all of them again.
    _copy(path, ".gz").write_bytes(gzip.compress(data, mtime=0))
    with suppress(ImportError):
        import brotli  # type: ignore[import-not-found, import-untyped, unused-ignore]

        _copy(path, ".br").write_bytes(brotli.compress(data, quality=_BROTLI_QUALITY))
    path.write_bytes(data)


def remove_site_file(path: Path) -> None:
    """Remove a file and its compressed copies."""
    for each in (path, *(_copy(path, suffix) for suffix in _SUFFIXES)):
        each.unlink(missing_ok=True)


def _copy(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")
