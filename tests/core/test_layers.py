"""The layers of the packages: who may import whom, and which names are private.

The layers of `dicedocs` point one way: base (errors, limits, parsing, faults, clock, translation), rules, render,
probability, expression, scenes, and at the top panel and cli. The games in `systems` see the public names only. The
layers of `dicedocs_sphinx` go from the blocks of a page to what its author does with the whole book.
"""

import ast
from functools import cache
from pathlib import Path

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
CORE = [name for name in FILES if name.partition(".")[0] == "dicedocs"]

LAYERS = {
    "dicedocs": [
        {"errors", "limits", "parsing", "faults", "clock", "translation"},
        {"rules"},
        {"render"},
        {"probability"},
        {"expression"},
        {"scenes"},
        {"panel", "cli"},
    ],
    "dicedocs_sphinx": [
        {"diagnostics", "directive_head", "source_locations", "statements"},
        {"blocks"},
        {"nodes", "book_language", "containment"},
        {"directives"},
        {"book"},
        {"rolling"},
        {"output", "theme"},
        {"author"},
        {"commands", "notebook_output", "pytest_plugin"},
    ],
}
"""The folders and modules, the lowest layer first; a module imports its own layer and lower ones."""

OUTCOME = "dicedocs.rules.outcome"
UPWARD = {
    (OUTCOME, "dicedocs.render.json_data"),
    (OUTCOME, "dicedocs.render.html"),
    (OUTCOME, "dicedocs.render.latex"),
    (OUTCOME, "dicedocs.render.text"),
}
"""The one permitted cycle: an outcome shows itself, so its methods import the renderers.

A distribution shows itself too, but the renderers know its class only as a type, so there is no second cycle.
"""

REGISTRY = ("dicedocs.rules.registry", "dicedocs.systems")
"""The registry lists the modules of the package of games; it imports a game by name, when it is first used."""
GAME_PANELS = "dicedocs_widgets.panels."
"""The panels of single games, which are the only modules that import a game."""
PUBLIC = {"dicedocs", "dicedocs.errors", "dicedocs.limits"}
"""The modules that a game may import, like a game of another package."""
NOTATION_GAMES = {"dicedocs.systems.methuen"}
"""The game that defines the notation of `roll` and `check`, which also imports `dicedocs.expression`."""


@cache
def tree(name):
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


@cache
def nodes(name):
    """All nodes of a module."""
    return list(ast.walk(tree(name)))


def run_time_statements(node):
    """All statements below a node, without what only type checkers read; expressions are left out."""
    waiting = [node]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                waiting.extend(child.orelse)
            elif not isinstance(child, ast.expr):
                yield child
                waiting.append(child)


@cache
def imports(name):
    """The modules of the three packages that a module imports, at its top or inside functions."""
    found = set()
    for node in run_time_statements(tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} has a relative import"
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {module for module in submodules if module in FILES}
            if not submodules <= FILES.keys():
                found.add(node.module)
    return {module for module in found if module.partition(".")[0] in PACKAGES}


def layer(name):
    """The layer of a module in its package, from 0; none for the package itself and for games."""
    package, _, rest = name.partition(".")
    return next((i for i, members in enumerate(LAYERS[package]) if rest.partition(".")[0] in members), None)


def test_every_module_has_a_layer():
    without = {name for name in FILES if name.partition(".")[0] in LAYERS and layer(name) is None}
    without -= {name for name in without if name.startswith(("dicedocs.systems", "dicedocs_sphinx.starter"))}
    assert without == {"dicedocs", "dicedocs.__main__", "dicedocs_sphinx"}


def test_the_layers_point_one_way():
    upward = {
        (name, module)
        for name in FILES
        if name.partition(".")[0] in LAYERS and layer(name) is not None
        for module in imports(name)
        if (name, module) != REGISTRY
        and module.partition(".")[0] == name.partition(".")[0]
        and (layer(module) is None or layer(module) > layer(name))
    }
    assert upward == UPWARD


def test_the_permitted_cycle_is_imported_late():
    for name in {name for name, _ in UPWARD}:
        at_the_top = [node for node in tree(name).body if isinstance(node, ast.ImportFrom)]
        assert not {node.module for node in at_the_top} & {module for other, module in UPWARD if other == name}


def test_the_package_itself_imports_no_more_than_the_rules():
    assert {layer(module) for module in imports("dicedocs")} <= {0, 1}
    late = set(dicedocs._LAZY.values())
    assert {layer(module) for module in late} == {3, 5}


def test_games_import_public_names_only():
    games = [name for name in CORE if name.startswith("dicedocs.systems.")]
    assert games
    for name in games:
        private = imports(name) - PUBLIC
        if name in NOTATION_GAMES:
            private = {module for module in private if not module.startswith("dicedocs.expression.")}
        assert not private, f"{name} imports {private}"


def test_no_module_but_its_own_panel_imports_a_game():
    importing = {name for name in FILES for module in imports(name) if module.startswith("dicedocs.systems.")}
    assert importing
    assert all(name.startswith(GAME_PANELS) for name in importing)


def test_the_extension_and_the_widgets_do_not_import_each_other():
    extra = PACKAGES.keys() - {"dicedocs"}
    packages = {(name.partition(".")[0], module.partition(".")[0]) for name in FILES for module in imports(name)}
    assert {(package, other) for package, other in packages if {package, other} == extra} == set()


# Private names. Whose object it is cannot be seen from the syntax alone. So a private attribute is taken to be another
# module's unless it is read from `self`, `cls`, `super()` or `mcs`, or a class of the module, or a base of one, defines
# it: assigns the attribute, annotates it, has it in `__slots__` or defines a method of that name.

ALLOWED = {
    "_current_frames",  # of the standard library's sys, which documents it
    "_fields",  # of a named tuple, as are the next three
    "_asdict",
    "_replace",
    "_make",
    "_field_defaults",
}
"""Names with an underscore that the standard library documents."""
OWNERS = {"self", "cls", "mcs"}


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


def test_private_names_stay_in_their_module():
    offenders = [reached for name in FILES for reached in reached_names(name)]
    assert not offenders, "\n".join(offenders)
