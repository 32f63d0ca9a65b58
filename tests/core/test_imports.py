"""The cost of importing the core, and what it must never import."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import dicedocs

CORE = Path(dicedocs.__file__).parent
LATER = ["lark", "json", "importlib.metadata", "argparse", "inspect", "dataclasses", "difflib", "pkgutil"]
NEVER = ["sphinx", "docutils", "ipywidgets", "pandas", "numpy", "matplotlib", "dicedocs_sphinx", "dicedocs_widgets"]


def python(text):
    """The JSON that a new Python process prints."""
    path = [str(CORE.parent), *[entry for entry in sys.path if "site-packages" in entry]]
    start = f"import sys; sys.path[:0] = {path!r}; before = set(sys.modules)\n"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", start + text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def modules(text):
    """The modules that some code loads."""
    return set(python(f"{text}\nloaded = sorted(set(sys.modules) - before)\nimport json; print(json.dumps(loaded))"))


def test_the_import_needs_only_the_standard_library():
    loaded = modules("import dicedocs")
    assert "dicedocs.rules.mechanic" in loaded
    outside = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert outside == {"dicedocs"}


def test_the_import_leaves_out_what_is_needed_later():
    assert modules("import dicedocs") & set(LATER) == set()


def test_a_roll_needs_lark_and_nothing_else():
    loaded = modules("import dicedocs as dd; dd.roll('2d6 + 1', seed=1)")
    outside = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert outside == {"dicedocs", "lark"}
    assert loaded & {"importlib.metadata", "argparse"} == set()


def test_a_game_without_notation_needs_no_lark():
    source = (
        "from dicedocs import *\n"
        "class One(Mechanic):\n    class Result(Outcome):\n        face: int\n"
        "    def resolve(self, dice: Dice, say: Say) -> Result: return self.Result(dice.roll(6))\n"
        "assert '1' in str(One().play(ScriptedDice([1]))); One().play(SeededDice(1)).to_html()"
    )
    assert not any(name.partition(".")[0] == "lark" for name in modules(source))


def test_no_module_of_the_core_loads_a_forbidden_package():
    source = (
        "import importlib, pkgutil, dicedocs as dd\n"
        "for found in pkgutil.walk_packages(dd.__path__, 'dicedocs.'):\n"
        "    if not found.name.endswith('__main__'): importlib.import_module(found.name)\n"
        "o = dd.roll('2d6', seed=1); str(o); o.to_html(); o.to_json(); dd.mechanics()"
    )
    loaded = modules(source)
    assert "dicedocs.cli" in loaded
    assert {name.partition(".")[0] for name in loaded} & set(NEVER) == set()


def forbidden(path):
    """What a module of the core imports or calls and may not, each with its place."""
    allowed = sys.stdlib_module_names | {"dicedocs", "lark", "annotationlib"}  # the last from Python 3.14 on
    chance = set() if path.name == "seeds.py" else {"random", "secrets", "uuid"}
    never = {"pickle", "marshal", "shelve"} | chance

    def is_wrong(name: str) -> bool:
        return name in never or name.partition(".")[0] not in allowed

    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=aliases):
                wrong = [each.name for each in aliases if is_wrong(each.name)]
            case ast.ImportFrom(module=str(name)) if is_wrong(name):
                wrong = [name]
            case ast.Call(func=ast.Name(id="eval" | "exec" | "compile" | "__import__" as name)):
                wrong = [name]
            case _:
                continue
        yield from (f"{path.relative_to(CORE)}:{node.lineno}: {name}" for name in wrong)


def test_the_core_imports_only_lark_and_the_standard_library_and_only_the_dice_are_random():
    offenders = [one for path in sorted(CORE.rglob("*.py")) for one in forbidden(path)]
    assert not offenders, "\n".join(offenders)


def test_no_module_has_the_name_of_a_public_function():
    public = {name for name in dicedocs.__all__ if callable(getattr(dicedocs, name))}
    assert public & {path.stem for path in CORE.iterdir()} == set()


def test_every_public_name_exists():
    assert sorted(dicedocs.__all__) == dicedocs.__all__
    assert all(hasattr(dicedocs, name) for name in dicedocs.__all__)


def test_the_public_names_that_are_imported_late_are_of_odds_scenes_and_syntax():
    assert {module.split(".")[1] for module in dicedocs._LAZY.values()} == {"probability", "scenes", "syntax"}
