"""Docstrings: every public name has one, and pytest runs every example in them (``--doctest-modules``)."""

import ast
import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import dicedocs
from dicedocs.rules.description import describe
from dicedocs.rules.registry import mechanic

PACKAGES = ["dicedocs", "dicedocs_sphinx", "dicedocs_widgets"]


def modules(package):
    """The names of a package and of all its modules."""
    path = importlib.import_module(package).__path__
    names = [info.name for info in pkgutil.walk_packages(path, f"{package}.")]
    return [package, *(name for name in names if not name.endswith("__main__"))]


def examples(module):
    """The examples in the docstrings of a module that pytest finds."""
    tests = doctest.DocTestFinder().find(module)
    return {(test.docstring, example.lineno) for test in tests for example in test.examples}


def test_pytest_collects_every_example(pytestconfig):
    assert pytestconfig.option.doctestmodules
    offenders = []
    for package in PACKAGES:
        root = Path(importlib.import_module(package).__path__[0])
        assert any(root.is_relative_to(pytestconfig.rootpath / path) for path in pytestconfig.getini("testpaths"))
        for module in map(importlib.import_module, modules(package)):
            source = Path(str(module.__file__)).read_text(encoding="utf-8")
            if len(examples(module)) != len(re.findall(r"^ *>>> ", source, re.MULTILINE)):
                offenders.append(module.__name__)
    assert not offenders, "\n".join(offenders)


def test_every_public_name_has_a_docstring():
    assert dicedocs.__doc__
    for name in dicedocs.__all__:
        assert getattr(dicedocs, name).__doc__


FACT_ID = re.compile(r"\((?:[^()\"]*[^\w\"])?(?:D[A-Z]|[DFMTW])\d+(?:[^\w\"][^()\"]*)?\)|\bD[A-Z]\d+\b")
"""The id of a fact in parentheses, as in tests/conformance, or that of a decision."""


def strings(source):
    """The strings of a module that are not docstrings, and its docstrings."""
    nodes = list(ast.walk(ast.parse(source)))
    texts = {node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    return [node.value for node in texts - docstrings], [node.value for node in texts & docstrings]


def fact_ids(path):
    """The ids of facts that somebody else than a maintainer could see."""
    texts, docstrings = strings(path.read_text(encoding="utf-8"))
    # The module of a game says in its docstrings which fact is where.
    seen = texts if path.parent.name == "systems" else texts + docstrings
    return [f"{path}: {found[0]}" for text in seen for found in FACT_ID.finditer(text)]


@pytest.mark.thorough
def test_the_ids_of_facts_are_for_the_maintainers_of_a_game():
    roots = [Path(importlib.import_module(package).__path__[0]) for package in PACKAGES]
    offenders = [id for root in roots for path in root.rglob("*.py") for id in fact_ids(path)]
    offenders += [id for id in dicedocs.mechanics() if FACT_ID.search(str(describe(mechanic(id))))]
    assert not offenders, "\n".join(offenders)
    assert FACT_ID.findall("a target (M70), no target (see DM6); D8 is a die (D8), as in T19 to T23, DT1.") == [
        "(M70)",
        "(see DM6)",
        "(D8)",
        "DT1",
    ]
