"""The wheel, built from the source distribution and installed in an empty environment."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from filelock import FileLock

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
SOURCES = {
    "dicedocs": ROOT / "dicedocs",
    "dicedocs_lint": ROOT / "sphinx_ext" / "dicedocs_lint",
    "dicedocs_sphinx": ROOT / "sphinx_ext" / "dicedocs_sphinx",
    "dicedocs_widgets": ROOT / "widgets" / "dicedocs_widgets",
}


def run(*command: str | Path, cwd: Path) -> str:
    """Return the output of a command, run outside of the checkout and without the user's settings."""
    foreign = ("PIP_", "PYTHON", "PYTEST")
    env = {name: text for name, text in os.environ.items() if not name.startswith(foreign)}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def copy_packages(folder: Path, *names: str) -> None:
    """Copy installed packages into a folder."""
    for name in names:
        distribution = importlib.metadata.distribution(name)
        for path in distribution.files or ():
            if ".." not in path.parts and "__pycache__" not in path.parts:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(distribution.locate_file(path)), folder / path)


class Environment:
    """A new virtual environment, into which packages are copied without a network."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=True)
        paths = sysconfig.get_paths("venv", vars={"base": str(folder), "platbase": str(folder)})
        self.folder = folder
        self.bin = Path(paths["scripts"])
        self.site = Path(paths["purelib"])

    def copy_packages(self, *names: str) -> None:
        """Copy installed packages into the environment."""
        copy_packages(self.site, *names)

    def install(self, *wheels: Path) -> None:
        pip = (sys.executable, "-m", "pip", "--python", self.folder)
        run(*pip, "install", "--no-index", "--no-compile", *wheels, cwd=self.folder)

    def python(self, text: str) -> str:
        return run(self.bin / "python", "-I", "-W", "error", "-c", text, cwd=self.folder)


@pytest.fixture(scope="session")
def wheel(shared_folder: Path) -> Path:
    """The wheel, built once for all modules and workers."""
    out = shared_folder / "dist"
    with FileLock(shared_folder / "dist.lock"):
        if not list(out.glob("*.whl")):
            run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=shared_folder)
    [wheel] = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with only the wheel and lark; without an index, pip refuses a wheel with other requirements."""
    environment = Environment(tmp_path_factory.mktemp("environment"))
    environment.copy_packages("lark")
    environment.install(wheel)
    return environment


def test_the_wheel_holds_every_file_of_our_packages_and_nothing_else(wheel: Path) -> None:
    ours = {
        f"{package}/{path.relative_to(source).as_posix()}"
        for package, source in SOURCES.items()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert shipped == ours
    assert {f"{package}/py.typed" for package in SOURCES} <= shipped
    assert {"dicedocs/syntax/grammar.lark", "dicedocs_widgets/static/panel.mjs"} <= shipped


def test_the_core_plays_without_any_extra(environment: Environment) -> None:
    names = "import importlib.metadata as m; print(*(package.name for package in m.distributions()))"
    assert sorted(environment.python(names).split()) == ["dicedocs", "lark"]
    assert environment.python("import dicedocs as dd; print(dd.roll('3d6', dice=[4, 2, 5]).value)") == "11\n"


def test_the_command_runs_without_any_extra(environment: Environment) -> None:
    command = environment.bin / "dicedocs"
    assert "find-seed" in run(command, "--help", cwd=environment.folder)
    assert "methuen/expression" in run(command, "mechanics", cwd=environment.folder)


def test_importing_the_core_loads_only_the_standard_library(environment: Environment) -> None:
    others = environment.python(
        "import sys; before = set(sys.modules); import dicedocs;"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(*sorted(new - sys.stdlib_module_names))"
    )
    assert others.split() == ["dicedocs"]


def test_the_pytest_plugin_does_nothing_where_sphinx_is_not_installed(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    copy_packages(tmp_path / "others", "pytest", "pluggy", "iniconfig", "packaging", "pygments")
    pytest_of_others = (
        "import sys; sys.path.append('others'); import pytest; sys.exit(pytest.main(['-q', '--trace-config']))"
    )
    said = run(environment.bin / "python", "-I", "-c", pytest_of_others, cwd=tmp_path)
    assert "dicedocs_sphinx.pytest_plugin" in said or "dicedocs_sphinx/pytest_plugin" in said
    assert "1 passed" in said
