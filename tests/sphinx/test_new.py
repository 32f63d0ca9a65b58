"""`dicedocs new` writes a rulebook that builds without warnings and passes its tests."""

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

SOURCES = Path(__file__).parents[2]
ENVIRONMENT = {
    "PYTHONPATH": os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext"))),
    # Readers have our pytest plugin, but not the plugins that our tests need.
    "PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:anyio -p no:xdist -p no:timeout",
}


@pytest.fixture
def new(commands, tmp_path):
    def new(name: str, *words: str):
        return commands.run(tmp_path, "dicedocs", "new", name, *words, **ENVIRONMENT)

    return new


@pytest.mark.parametrize("markup", ["md", "rst"])
def test_a_new_book_builds_and_passes_its_tests_at_once(markup, new, commands, tmp_path):
    done = new("Ash & Iron", *(["--rst"] if markup == "rst" else []))
    assert (done.returncode, done.stderr) == (0, "")
    folder = tmp_path / "Ash & Iron"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {
        ".github/workflows/book.yml",
        ".gitignore",
        "Makefile",
        "README.md",
        "ash_iron.py",
        f"book/attempts.{markup}",
        "book/conf.py",
        f"book/index.{markup}",
        "pyproject.toml",
        "tests/test_ash_iron.py",
    }
    make = subprocess.run(
        ["/usr/bin/make", "site", "test", "verify", f"PYTHON={sys.executable}"],
        cwd=folder,
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert make.returncode == 0, make.stdout + make.stderr
    # two tests of the rule, one example, one chart, one table and one claim
    assert "3 of 3 verified; 1 table or chart has no expectation" in make.stdout
    assert "5 passed" in make.stdout
    # 21 of 36 ways to throw at least 7 with two dice
    assert "58.3%" in (folder / "build" / "site" / "attempts.html").read_text("utf-8")


def test_the_package_installs_beside_a_built_book(new, tmp_path):
    assert new("ash").returncode == 0
    folder = tmp_path / "ash"
    (folder / "build" / "site").mkdir(parents=True)
    (folder / "build" / "site" / "index.html").write_text("built")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "dist", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [entry_points] = [archive.read(name).decode() for name in names if name.endswith("entry_points.txt")]
    assert [name for name in names if ".dist-info/" not in name] == ["ash.py"]
    assert entry_points.split() == ["[dicedocs.systems]", "ash", "=", "ash"]


def test_the_files_are_what_their_readers_take(new, tmp_path):
    assert new("ash").returncode == 0
    folder = tmp_path / "ash"
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["dicedocs.systems"] == {"ash": "ash"}
    steps = yaml.safe_load((folder / ".github" / "workflows" / "book.yml").read_text())["jobs"]["book"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [
        "make install PYTHON=python",
        "make site test PYTHON=python",
    ]
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--select",
        "E,F,W",
        "--line-length",
        "120",
        folder,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("book", "book_game"),
        ("json", "json_game"),
        ("class", "class_game"),
        ("methuen", "methuen_game"),
        ("Öde 7", "ode_7"),
        ("3 ash", "ash"),
    ],
)
def test_the_game_has_a_name_that_is_free(name, module, new, tmp_path):
    assert new(name).returncode == 0
    assert (tmp_path / name / f"{module}.py").is_file()
    assert f'id="{module.replace("_", "-")}/attempt"' in (tmp_path / name / f"{module}.py").read_text()


def test_nothing_is_overwritten(new, tmp_path):
    folder = tmp_path / "ash"
    folder.mkdir()
    assert new("ash").returncode == 0
    (folder / "Makefile").write_text("mine")
    done = new("ash")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dicedocs: folder: 'ash' exists and is not an empty folder; name a new folder\n"
    assert (folder / "Makefile").read_text() == "mine"
    assert new("123").returncode == 2


def test_json_lists_the_files(new, tmp_path):
    data = json.loads(new("ash", "--json").stdout)
    assert data["folder"] == "ash"
    assert all((tmp_path / "ash" / name).is_file() for name in data["files"])
