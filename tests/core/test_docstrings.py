"""Docstrings: every public name has one, and pytest runs every example in them (``--doctest-modules``)."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import dicedocs

PACKAGES = ["dicedocs", "dicedocs_sphinx", "dicedocs_widgets"]


def modules(package):
    """The names of a package and of all its modules."""
    path = importlib.import_module(package).__path__
    names = [info.name for info in pkgutil.walk_packages(path, f"{package}.")]
    return [package, *(name for name in names if not name.endswith("__main__"))]


@pytest.mark.parametrize("package", PACKAGES)
def test_pytest_collects_every_example(package, pytestconfig):
    assert pytestconfig.option.doctestmodules
    root = Path(importlib.import_module(package).__path__[0])
    assert any(root.is_relative_to(pytestconfig.rootpath / path) for path in pytestconfig.getini("testpaths"))
    for name in modules(package):
        module = importlib.import_module(name)
        collected = {
            (test.docstring, example.lineno)
            for test in doctest.DocTestFinder().find(module)
            for example in test.examples
        }
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        assert len(collected) == len(re.findall(r"^ *>>> ", source, re.MULTILINE)), name


def test_every_public_name_has_a_docstring():
    assert dicedocs.__doc__
    for name in dicedocs.__all__:
        assert getattr(dicedocs, name).__doc__
