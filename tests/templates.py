"""Compile templates once: Sphinx compiles them for each build, which takes a third of the time of a small project."""

from functools import partialmethod
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemBytecodeCache, Template


def compile_once(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let all environments of Jinja store compiled templates in a folder."""
    cache = FileSystemBytecodeCache(str(folder))

    def from_string(environment: Environment, source: str) -> Template:
        bucket = cache.get_bucket(environment, source, None, source)
        if bucket.code is None:
            bucket.code = environment.compile(source)
            cache.set_bucket(bucket)
        return environment.template_class.from_code(environment, bucket.code, environment.make_globals(None))

    patch.setattr(Environment, "__init__", partialmethod(Environment.__init__, bytecode_cache=cache))
    # Jinja itself stores only those that it has loaded from files.
    patch.setattr(Environment, "from_string", from_string)
