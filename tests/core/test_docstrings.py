"""The examples in the docstrings of every module are run."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import dicedocs

MODULES = [
    "dicedocs",
    *[
        found.name
        for found in pkgutil.walk_packages(dicedocs.__path__, "dicedocs.")
        if not found.name.endswith("__main__")
    ],
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name):
    module = importlib.import_module(name)
    outcome = doctest.testmod(module, optionflags=doctest.FAIL_FAST)
    assert outcome.failed == 0
    assert (outcome.attempted > 0) == (">>> " in Path(str(module.__file__)).read_text(encoding="utf-8"))


def test_every_public_name_says_what_it_is():
    assert dicedocs.__doc__
    for name in dicedocs.__all__:
        assert getattr(dicedocs, name).__doc__
