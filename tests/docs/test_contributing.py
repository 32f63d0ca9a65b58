"""The map in CONTRIBUTING.md names the folders that are in the repository."""

import re
import shutil
import subprocess
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGES = ("dicedocs", "sphinx_ext/dicedocs_lint", "sphinx_ext/dicedocs_sphinx", "widgets/dicedocs_widgets")
ONE_LINE = ("sphinx_ext/dicedocs_sphinx/starter/", "sphinx_ext/dicedocs_sphinx/theme/static/")
"""Folders whose own folders the map leaves out, as it does those of the languages."""


def map_paths() -> set[str]:
    """Return the paths in the map; the indentation of a line says which folder it is in."""
    [text] = re.findall(r"^## The map\n\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    folders: list[str] = []
    paths = set()
    for indent, name in re.findall(r"^((?: {4})*)(\S+?)(?: {2,}.*)?$", text, re.MULTILINE):
        folders[len(indent) // 4 :] = [name]
        paths.add("".join(folders))
    return paths


def tracked() -> set[str]:
    """Return the tracked files, and their folders with a slash at the end."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git repository")
    listing = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = set(listing.stdout.splitlines())
    folders = {f"{parent}/" for file in files for parent in PurePosixPath(file).parents if parent.name}
    return files | folders


def test_everything_on_the_map_exists() -> None:
    paths = map_paths()
    assert {"dicedocs/rules/", "dicedocs/probability/claims/", "tests/core/"} <= paths
    assert paths - tracked() == set()


def test_every_folder_of_a_package_is_on_the_map() -> None:
    folders = {path for path in tracked() if path.endswith("/") and path.startswith(PACKAGES)}
    folders = {path for path in folders if not path.startswith(ONE_LINE) and "/locale/" not in path}
    assert folders - map_paths() == set()


@pytest.mark.parametrize("parent", ["docs/", "tests/"])
def test_every_folder_of_docs_and_tests_is_on_the_map(parent: str) -> None:
    # Those with an underscore that the map leaves out have the names that Sphinx gives them.
    folders = {path for path in tracked() if re.fullmatch(rf"{parent}[^/_][^/]*/", path)}
    assert folders - map_paths() == set()


def test_every_top_folder_is_on_the_map() -> None:
    folders = {path for path in tracked() if re.fullmatch(r"[^/]+/", path)}
    assert folders - map_paths() == set()


def test_the_paths_in_the_text_exist() -> None:
    text = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    named = {path for path in re.findall(r"`([\w/-]+(?:/|\.\w+))`", text) if "/" in path}
    assert "dicedocs/rules/example.py" in named
    here = tuple(f"/{path}" for path in tracked())
    assert [path for path in sorted(named) if not any(known.endswith(f"/{path}") for known in here)] == []


def test_the_classes_and_functions_in_the_text_exist() -> None:
    # Each is in the file that stands behind it in parentheses, or else in any module.
    named = re.findall(r"`((?:[A-Z]\w*[a-z]\w*\.)?\w+)`(?: \(`([\w/.]+\.py)`)?", PAGE)
    named = [(name, path) for name, path in named if path or "." in name]
    assert {("BlockDirective.run", "directives/base.py"), ("FormSession.play_rule", "")} <= set(named)
    modules = {f"/{file}": (ROOT / file).read_text(encoding="utf-8") for file in tracked() if file.endswith(".py")}
    for name, path in named:
        parts = [re.compile(rf"\b(?:class|def) {part}\b") for part in name.split(".")]
        texts = [text for file, text in modules.items() if file.endswith(f"/{path}" if path else ".py")]
        assert any(all(part.search(text) for part in parts) for text in texts), (
            f"there is no {name} in {path or 'any module'}"
        )


def test_every_make_target_in_the_text_exists() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`make (\w+)", PAGE)) <= set(targets)
