"""Do once what Sphinx does for each build or page, and for its developers: a third of the time of a small project."""

import time
from functools import cache, partialmethod
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from docutils.frontend import OptionParser
from jinja2 import Environment, FileSystemBytecodeCache, Template


def compile_once(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let all environments of Jinja store compiled templates in a folder, and themes be looked for once."""
    # Otherwise what all installed packages offer is read again.
    patch.setattr("sphinx.theming.entry_points", cache(entry_points))
    codes = FileSystemBytecodeCache(str(folder))

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
