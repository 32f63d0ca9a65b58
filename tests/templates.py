"""Do once what Sphinx does for each build or page, and for its developers: a third of the time of a small project."""

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, lru_cache, partialmethod
from importlib import import_module
from importlib.metadata import Distribution, EntryPoints, PathDistribution
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import pytest
from docutils.frontend import OptionParser
from jinja2 import Environment, FileSystemBytecodeCache, Template
from jinja2.bccache import Bucket

entry_points_of: Callable[[Distribution], EntryPoints] = Distribution.entry_points.fget  # type: ignore[attr-defined]
"""Reads what a package offers."""


def compile_once(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let all environments of Jinja store compiled templates in a folder, and read once what packages offer."""
    patch.setattr(Distribution, "entry_points", property(offered))
    patch.setattr(PathDistribution, "_normalized_name", property(name_of))
    codes = Codes(str(folder))

    def from_string(environment: Environment, source: str) -> Template:
        bucket = codes.get_bucket(environment, source, None, source)
        if bucket.code is None:
            bucket.code = environment.compile(source)
            codes.set_bucket(bucket)
        return environment.template_class.from_code(environment, bucket.code, environment.make_globals(None))

    patch.setattr(Environment, "__init__", partialmethod(Environment.__init__, bytecode_cache=codes))
    # Jinja itself stores only those that it has loaded from files.
    patch.setattr(Environment, "from_string", from_string)
    read_settings_once(patch)
    # Each build logs hundreds of lines for developers of Sphinx, and looks every 20 ms whether its processes end.
    patch.setattr("sphinx.util.logging.SphinxLoggerAdapter.debug", lambda *_, **__: None)
    patch.setattr("sphinx.util.parallel.time", SimpleNamespace(sleep=lambda _: time.sleep(0.002)))


class Codes(FileSystemBytecodeCache):
    """Compiled templates in a folder, of which this process reads each once."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self._read: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        key = bucket.key, bucket.checksum
        bucket.code = self._read.get(key)
        if bucket.code is None:
            super().load_bytecode(bucket)
        if bucket.code is not None:
            self._read[key] = bucket.code


def pack_once(patch: pytest.MonkeyPatch) -> None:
    """Pack and compress once what the pages of many books load: our code, scripts and styles."""
    module: Any = import_module("dicedocs_sphinx.rolling.reroll")
    archive, kept = module.archive, dict[tuple[object, ...], bytes]()

    def archive_once(files: Mapping[str, Path]) -> bytes:
        key = tuple((name, file, file.stat().st_mtime_ns) for name, file in sorted(files.items()))
        if key not in kept:
            kept[key] = archive(files)
        return kept[key]

    patch.setattr(module, "archive", archive_once)
    for name in ("gzip", "brotli"):
        with suppress(ImportError):
            patch.setattr(f"{name}.compress", lru_cache(500)(import_module(name).compress))


def offered(package: Distribution) -> EntryPoints:
    """Return what a package offers; that of the packages of this environment is read once."""
    place = str(getattr(package, "_path", ""))
    return offered_by(place) if place.startswith(sys.prefix) else entry_points_of(package)


@cache
def offered_by(place: str) -> EntryPoints:
    return entry_points_of(PathDistribution(Path(place)))


normalized_name_of: Callable[[PathDistribution], str] = PathDistribution._normalized_name.fget  # type: ignore[attr-defined]
"""Reads the name of a package."""
names: dict[str, str] = {}
"""The names of packages, by where they are."""


def name_of(package: PathDistribution) -> str:
    """Return the name of a package, which each look for what packages offer asks of all of them."""
    place = str(package._path)  # type: ignore[attr-defined]
    if place not in names:
        names[place] = normalized_name_of(package)
    return names[place]


READ = ("defaults", "lists", "relative_path_settings", "option_list", "option_groups", "_short_opt", "_long_opt")
"""What a parser of settings takes over from its components, and does not change afterwards."""


def read_settings_once(patch: pytest.MonkeyPatch) -> None:
    """Let docutils read the settings of its components once, as it does for each page."""
    populate = OptionParser.populate_from_components
    known: dict[tuple[object, ...], dict[str, Any]] = {}

    def populate_once(parser: OptionParser, components: tuple[object, ...]) -> None:
        key = tuple(each if isinstance(each, type) else type(each) for each in components)
        if key not in known:
            populate(parser, components)
            known[key] = {name: getattr(parser, name) for name in READ}
        for name, value in known[key].items():
            setattr(parser, name, value.copy() if hasattr(value, "copy") else value)

    patch.setattr(OptionParser, "populate_from_components", populate_once)
