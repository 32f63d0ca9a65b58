"""Private names stay in their module.

Whose object it is cannot be seen from the syntax alone. So a private attribute is taken to be another module's unless
it is read from `self`, `cls`, `super()` or `mcs`, or a class of the module, or a base of one, defines it: assigns the
attribute, annotates it, has it in `__slots__` or defines a method of that name.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

import dicedocs

ROOT = Path(dicedocs.__file__).parents[1]
PACKAGES = {
    "dicedocs": ROOT / "dicedocs",
    "dicedocs_sphinx": ROOT / "sphinx_ext" / "dicedocs_sphinx",
    "dicedocs_widgets": ROOT / "widgets" / "dicedocs_widgets",
}
FILES = {
    ".".join((name, *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__"): path
    for name, root in PACKAGES.items()
    for path in sorted(root.rglob("*.py"))
}
"""Every module of the three packages, by its name."""

ALLOWED = {
    "_current_frames",  # of the standard library's sys, which documents it
    "_fields",  # of a named tuple, as are the next three
    "_asdict",
    "_replace",
    "_make",
    "_field_defaults",
    "_page_box",  # of WeasyPrint: nothing public says what stands where on a page
}
"""Names with an underscore that the standard library documents, and one that there is no way around."""
OWNERS = {"self", "cls", "mcs"}


@cache
def nodes(name):
    """All nodes of a module."""
    return list(ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8"))))


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


@cache
def defined_names(name):
    """The private names that the classes of a module define."""
    names = set()
    for node in nodes(name):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id in OWNERS:
                names.add(node.attr)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
            if any(isinstance(target, ast.Name) and target.id == "__slots__" for target in targets):
                names |= set(ast.literal_eval(node.value))
    return names


def base_modules(name):
    """The modules that define the bases of a module's classes, whose private names are the classes' own as well."""
    bases = {
        base.id
        for node in nodes(name)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if isinstance(base, ast.Name)
    }
    for node in nodes(name):
        if isinstance(node, ast.ImportFrom) and node.module in FILES and bases & {alias.name for alias in node.names}:
            yield node.module


def reached_names(name):
    """The private names of other modules that a module uses."""
    own = defined_names(name).union(ALLOWED, *map(defined_names, base_modules(name)))
    for node in nodes(name):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own:
            value = node.value
            is_super = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "super"
            if not is_super and not (isinstance(value, ast.Name) and value.id in OWNERS):
                yield f"{FILES[name].relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES:
            for alias in filter(lambda alias: is_private(alias.name), node.names):
                yield f"{FILES[name].relative_to(ROOT)}:{node.lineno}: {node.module}.{alias.name}"


@pytest.mark.thorough
def test_private_names_stay_in_their_module():
    offenders = [reached for name in FILES for reached in reached_names(name)]
    assert not offenders, "\n".join(offenders)
