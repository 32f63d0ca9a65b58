"""`make release` builds the wheels and the notes of a release, and tries the wheels out."""

import importlib.util
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

from .test_wheel import ROOT, Environment, wheel  # noqa: F401  # a fixture here too

CHANGELOG = """# Changelog

## [Unreleased]

- Something new.

## [0.2.0] - 2026-11-01

### Added

- Something else.

## [0.1.0] - 2026-10-01

- The first.
"""


def load(path: Path) -> ModuleType:
    """Import a script."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def release() -> ModuleType:
    return load(ROOT / "tools" / "release.py")


def test_the_notes_are_those_of_the_version_with_the_digests_of_the_wheels(release: ModuleType, tmp_path: Path) -> None:
    made = tmp_path / "dicedocs-0.2.0-py3-none-any.whl"
    made.write_bytes(b"")
    text = release.notes(CHANGELOG, "0.2.0", [made])
    assert text.startswith("# dicedocs 0.2.0\n\n### Added\n\n- Something else.\n\n## Install\n")
    # SHA-256 of nothing
    assert f"    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  {made.name}\n" in text
    assert "- The first." not in text
    assert "- Something new." in release.notes(CHANGELOG, "0.3.0", [made])
    own = release.notes((ROOT / "CHANGELOG.md").read_text("utf-8"), "0.1.0", [made])
    assert "### Added" in own


@pytest.fixture
def environment(wheel: Path, tmp_path: Path) -> Environment:  # noqa: F811
    """An environment with our wheel, a stand-in for Python for browsers, and what an index would give."""
    environment = Environment(tmp_path / "environment")
    environment.copy_packages("lark")
    environment.install(wheel)
    (environment.site / "others.pth").write_text(sysconfig.get_paths()["purelib"])
    return environment


@pytest.mark.thorough
def test_what_is_installed_is_tried_out(
    release: ModuleType, environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")
    runtime = environment.site / "dicedocs_pyodide"
    (runtime / "files").mkdir(parents=True)
    (runtime / "__init__.py").write_text("")
    (runtime / "compile.mjs").write_text("process.exit(1)")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (runtime / "files" / name).write_text("")
    python = environment.bin / "python"
    with pytest.raises(RuntimeError, match=r"has no pyodide-lock\.json$"):
        release.try_out(python, tmp_path)
    (runtime / "files" / "pyodide-lock.json").write_text('{"info": {"python": "3.14"}}')
    release.try_out(python, tmp_path)
    (environment.site / "dicedocs" / "__main__.py").write_text("print('total=12')")
    with pytest.raises(RuntimeError, match="3d6 with 4, 2 and 5 gives"):
        release.try_out(python, tmp_path)
