"""`dicedocs new` writes a rulebook that builds without warnings and passes its tests."""

import json
import os
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
import zipfile
from argparse import Namespace
from configparser import ConfigParser
from importlib.metadata import Distribution, version
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from dicedocs.cli import main
from dicedocs_sphinx.author.installation import PACKAGES, requirement_of
from dicedocs_sphinx.commands import new as new_command
from dicedocs_sphinx.rolling import PYTHON_FOR_BROWSERS
from dicedocs_sphinx.rolling.runtime_files import FILES

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


MADE = [
    ("sphinx", "-W", "--keep-going", "-b", "html", "book", "build/site"),
    ("pytest",),
    ("dicedocs", "verify", "book"),
]
"""What make runs, of which only one book asks it."""


FILES_OF_ALL = {
    ".github/workflows/book.yml",
    ".gitignore",
    "README.md",
    "book/conf.py",
    "pytest.ini",
    "requirements.txt",
    *(
        f"vendor/{package}-{version(package)}-py3-none-any.whl"
        for package in ("dicedocs", "dicedocs_pyodide")
        if find_spec(package)
    ),
}
FILES_OF_PACKAGE = {"Makefile", "ash_iron/__init__.py", "pyproject.toml", "tests/test_ash_iron.py"}
PAGES = ("attempts", "index", "road")


# The pages are the same in both markups and with both kinds of rules, as the next two tests show.
@pytest.mark.parametrize(
    ("markup", "python"),
    [
        pytest.param("md", False, id="md-page"),
        pytest.param("md", True, id="md-python", marks=pytest.mark.thorough),
        pytest.param("rst", False, id="rst-page", marks=pytest.mark.thorough),
        pytest.param("rst", True, id="rst-python", marks=pytest.mark.thorough),
    ],
)
def test_a_new_book_builds_and_passes_its_tests_at_once(markup, python, new, commands, tmp_path):
    done = new("Ash & Iron", *(["--rst"] if markup == "rst" else []), *(["--python"] if python else []))
    assert (done.returncode, done.stderr) == (0, "")
    folder = tmp_path / "Ash & Iron"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    pages = {f"book/{page}.{markup}" for page in PAGES}
    assert set(re.findall(r"book/\w+\.(?:md|rst)", (folder / "README.md").read_text())) <= pages
    assert files == FILES_OF_ALL | pages | (FILES_OF_PACKAGE if python else set())
    if python and markup == "md":
        command = ["/usr/bin/make", "site", "test", "verify", f"PYTHON={sys.executable}"]
        environment = os.environ | ENVIRONMENT
        checks = [subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)]
    else:
        checks = [commands.run(folder, *command, **ENVIRONMENT) for command in MADE]
    # The pages of a book are the same with either kind of rules, as another test shows.
    for builder in ("doctest",) if python else ("doctest", "epub"):
        command = ("sphinx", "-W", "--keep-going", "-b", builder, "book", f"build/{builder}")
        checks.append(commands.run(folder, *command, **ENVIRONMENT))
    said = "".join(check.stdout + check.stderr for check in checks)
    assert not any(check.returncode for check in checks), said
    # Verified: two examples, the chart, the claim and the table on the road, to which a rule in the page is added.
    # Without a check: the table of chances and the six facts in the text.
    assert f"{12 if python else 13} statements: {5 if python else 6} verified, 7 without a check" in said
    # Those that are verified and the rest of each page with facts; the package has two tests of its own.
    assert f"{9 if python else 8} passed" in said
    # 21 of 36 ways to throw at least 7 with two dice
    assert "58.3%" in (folder / "build" / "site" / "attempts.html").read_text("utf-8")


def doctree(commands, folder: Path, page: str) -> str:
    """Return a page as XML, without what says where it stands."""
    done = commands.run(folder, "sphinx", "-q", "-W", "-b", "xml", "book", "xml", **ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    root = ET.parse(folder / "xml" / f"{page}.xml").getroot()  # noqa: S314  # our own
    for element in root.iter():
        # Markdown marks the columns of its tables, which has no counterpart.
        element.attrib = {
            name: text for name, text in element.attrib.items() if name in {"ids", "names", "refuri", "refid"}
        }
    return re.sub(r"\s+", " ", ET.tostring(root, "unicode"))


def test_both_markups_say_the_same(new, commands, tmp_path):
    for folder, words in (("md", []), ("rst", ["--rst"])):
        assert new(f"{folder}/ash", *words).returncode == 0
    for page in PAGES:
        markdown, restructured = (doctree(commands, tmp_path / folder / "ash", page) for folder in ("md", "rst"))
        assert markdown == restructured


def test_a_rule_in_the_page_and_a_class_have_the_same_pages(new, tmp_path):
    for folder, words in (("page", []), ("class", ["--python"])):
        assert new(f"{folder}/ash", *words).returncode == 0
    for page in PAGES:
        text, other = ((tmp_path / folder / "ash" / "book" / f"{page}.md").read_text() for folder in ("page", "class"))
        text, rules = re.subn(r"```\{dice:mechanic\}[^`]*\n\n[^`]*```\n\n", "", text)
        assert rules == (page == "attempts")
        assert text == other


@pytest.mark.parametrize(
    ("words", "file", "old", "new_text"),
    [
        pytest.param([], "book/attempts.md", "2d6 + skill", "2d6 + 2 * skill", id="page"),
        pytest.param(
            ["--python"],
            "ash/__init__.py",
            "skill=self.skill",
            "skill=2 * self.skill",
            id="python",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_its_readme_has_steps_that_lead_on(words, file, old, new_text, new, commands, tmp_path):
    assert new("ash", *words).returncode == 0
    folder = tmp_path / "ash"
    readme = (folder / "README.md").read_text()
    assert f"in `{file}`: let the skill count twice, `" in readme
    assert f"{new_text}`." in readme
    text = (folder / file).read_text()
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new_text))
    changed = commands.run(folder, "dicedocs", "verify", "book", **ENVIRONMENT)
    assert (changed.returncode, changed.stdout.count("[dicedocs.mismatch]")) == (1, 2)
    assert commands.run(folder, "dicedocs", "accept", "book", **ENVIRONMENT).returncode == 0
    (folder / "book" / "luck.md").write_text("# Luck\n\n```{dice:mechanic} ash/luck\n\nluck = 1d6\n```\n")
    index = folder / "book" / "index.md"
    index.write_text(index.read_text().replace("road\n", "road\nluck\n"))
    built = commands.run(folder, "sphinx", "-W", "-b", "html", "book", "site", **ENVIRONMENT)
    assert built.returncode == 0, built.stderr


def test_the_package_installs_beside_a_built_book_with_the_files_that_its_rules_read(new, tmp_path):
    assert new("ash", "--python").returncode == 0
    folder = tmp_path / "ash"
    (folder / "ash" / "tables").mkdir()
    (folder / "ash" / "tables" / "treasure.csv").write_text("10 20")
    (folder / "build" / "site").mkdir(parents=True)
    (folder / "build" / "site" / "index.html").write_text("built")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "dist", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [entry_points] = [archive.read(name).decode() for name in names if name.endswith("entry_points.txt")]
    assert [name for name in names if ".dist-info/" not in name] == ["ash/__init__.py", "ash/tables/treasure.csv"]
    assert entry_points.split() == ["[dicedocs.systems]", "ash", "=", "ash"]


def test_the_files_are_what_their_readers_take(new, tmp_path):
    assert new("ash", "--python").returncode == 0
    folder = tmp_path / "ash"
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["dicedocs.systems"] == {"ash": "ash"}
    steps = yaml.safe_load((folder / ".github" / "workflows" / "book.yml").read_text())["jobs"]["book"]["steps"]
    readme = (folder / "README.md").read_text()
    assert len(runs := [step["run"] for step in steps if "run" in step]) == 3
    assert all(f"| `{command}` |" in readme for command in runs)
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


FREE = {
    "book": ("book", "book_game"),
    "dist": ("dist", "dist_game"),
    "json": ("json", "json_game"),
    "class": ("class", "class_game"),
    "methuen": ("methuen-game", "methuen_game"),
    "Öde 7": ("ode-7", "ode_7"),
    "3 ash": ("ash", "ash"),
}
"""The names of a folder, each with those of its game in a page and in Python."""


def test_the_game_has_a_name_that_is_free(monkeypatch, tmp_path):
    monkeypatch.setattr(new_command, "wheel_of", lambda _: ("none.whl", b""))
    for name, (system, module) in FREE.items():
        assert main(["new", str(tmp_path / "page" / name)]) == 0
        page = (tmp_path / "page" / name / "book" / "attempts.md").read_text()
        assert f"{{dice:mechanic}} {system}/attempt" in page, name
        assert main(["new", str(tmp_path / "class" / name), "--python"]) == 0
        rules = (tmp_path / "class" / name / module / "__init__.py").read_text()
        assert f'id="{module.replace("_", "-")}/attempt"' in rules, name


def test_nothing_is_overwritten(new, tmp_path):
    folder = tmp_path / "ash"
    folder.mkdir()
    assert new("ash").returncode == 0
    (folder / "README.md").write_text("mine")
    done = new("ash")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dicedocs: folder: 'ash' exists and is not an empty folder; name a new folder\n"
    assert (folder / "README.md").read_text() == "mine"
    assert new("123").returncode == 2


def test_json_lists_the_files(new, tmp_path):
    data = json.loads(new("ash", "--json").stdout)
    assert data["folder"] == "ash"
    assert all((tmp_path / "ash" / name).is_file() for name in data["files"])


def test_what_its_book_loads_comes_with_the_extra(new, tmp_path):
    new("ash")
    conf = (tmp_path / "ash" / "book" / "conf.py").read_text()
    [extensions] = re.findall(r"^extensions = (.*)$", conf, re.MULTILINE)
    theme = ConfigParser()
    theme.read(SOURCES / "sphinx_ext" / "dicedocs_sphinx" / "theme" / "theme.conf")
    own = tomllib.loads((SOURCES / "pyproject.toml").read_text())["project"]["optional-dependencies"]["sphinx"]
    installed = {Requirement(line).name.replace("-", "_") for line in own}
    assert 'html_theme = "dicedocs"' in conf
    assert {*json.loads(extensions), theme["theme"]["inherit"]} - {"dicedocs_sphinx"} <= installed


def test_what_to_do_next_needs_no_make_and_no_shell(new):
    *_, title, install, site, tests = new("ash & iron").stdout.splitlines()
    assert title == "next, in ash & iron:"
    assert [line.strip() for line in (install, site, tests)] == [
        "python -m pip install -r requirements.txt",
        "python -m sphinx -W -b html book build/site",
        "python -m pytest",
    ]


RECORDS = {
    "an index": (None, "dicedocs==1.2"),
    "a wheel on this disk": ({"url": "file:///home/ada/dicedocs-1.2-py3-none-any.whl", "archive_info": {}}, ""),
    "a checkout": ({"url": "file:///home/ada/dicedocs", "dir_info": {"editable": True}}, ""),
    "a repository on this disk": (
        {"url": "file:///home/ada/dicedocs", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
        "",
    ),
    "a wheel at an address": (
        {"url": "https://example.org/dicedocs-1.2-py3-none-any.whl", "archive_info": {"hashes": {"sha256": "ab12"}}},
        "dicedocs @ https://example.org/dicedocs-1.2-py3-none-any.whl#sha256=ab12",
    ),
    "a revision in git": (
        {
            "url": "https://example.org/dicedocs.git",
            "vcs_info": {"vcs": "git", "requested_revision": "main", "commit_id": "c0ffee"},
        },
        "dicedocs @ git+https://example.org/dicedocs.git@c0ffee",
    ),
    "a folder of a revision in git": (
        {
            "url": "ssh://git@example.org/all.git",
            "vcs_info": {"vcs": "git", "commit_id": "c0ffee"},
            "subdirectory": "python",
        },
        "dicedocs @ git+ssh://git@example.org/all.git@c0ffee#subdirectory=python",
    ),
}
"""What pip records of an installation (PEP 610), and the requirement that gives the same to somebody else."""


@pytest.mark.parametrize(("record", "requirement"), RECORDS.values(), ids=RECORDS)
def test_others_install_what_is_installed_here(record, requirement, tmp_path):
    folder = tmp_path / "dicedocs-1.2.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.4\nName: dicedocs\nVersion: 1.2\n")
    if record is not None:
        (folder / "direct_url.json").write_text(json.dumps(record))
    assert requirement_of(Distribution.at(folder)) == requirement
    if requirement:
        assert str(Requirement(requirement)).startswith("dicedocs")


def test_the_wheel_that_comes_along_has_all_packages():
    wheel = tomllib.loads((SOURCES / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert sorted(PACKAGES["dicedocs"]) == sorted(Path(folder).name for folder in wheel["packages"])


def test_python_for_browsers_comes_along_if_it_is_installed(commands, tmp_path):
    site = tmp_path / "installed"
    about = "dicedocs_pyodide-1.2.dist-info"
    files = {
        "dicedocs_pyodide/__init__.py": "",
        "dicedocs_pyodide/files/pyodide.mjs": "export {}",
        f"{about}/METADATA": "Metadata-Version: 2.4\nName: dicedocs-pyodide\nVersion: 1.2\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: a\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/licenses/licences/MPL-2.0.txt": "a licence",
    }
    of_this_disk = {f"{about}/INSTALLER": "pip", f"{about}/direct_url.json": '{"url": "file:///home/ada/runtime"}'}
    record = {f"{about}/RECORD": "".join(f"{name},,\n" for name in (*files, *of_this_disk, f"{about}/RECORD"))}
    for name, text in (files | of_this_disk | record).items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    path = {"PYTHONPATH": os.pathsep.join([str(site), ENVIRONMENT["PYTHONPATH"]])}
    done = commands.run(tmp_path, "dicedocs", "new", "ash", **path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Python for browsers" not in done.stdout
    wheel = "vendor/dicedocs_pyodide-1.2-py3-none-any.whl"
    assert f"\n./{wheel}\n" in (tmp_path / "ash" / "requirements.txt").read_text()
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", "there", f"ash/{wheel}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {name: (tmp_path / "there" / name).read_text() for name in files} == files


def test_a_new_book_without_python_for_browsers_says_how_to_get_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(new_command, "PACKAGES", {"dicedocs": (), "no-such-package": ()})
    options = Namespace(folder=tmp_path / "ash", python=False, rst=False, pages="", json=False)
    assert new_command.run(options) == 0
    assert f"\nPython for browsers, from which pages roll, is not installed: {PYTHON_FOR_BROWSERS}\nnext" in (
        capsys.readouterr().out
    )


def test_only_a_book_for_github_is_published(new, tmp_path):
    assert new("here").returncode == new("there", "--pages", "github").returncode == 0
    here, there = (
        yaml.safe_load((tmp_path / name / ".github" / "workflows" / "book.yml").read_text())["jobs"]
        for name in ("here", "there")
    )
    assert set(here) == {"book"}
    assert there["book"]["steps"][:-1] == here["book"]["steps"]
    assert there["publish"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert "Publish it" not in (tmp_path / "here" / "README.md").read_text()
    assert "Publish it" in (tmp_path / "there" / "README.md").read_text()


def test_pages_roll_with_one_line_and_the_files_of_npm_or_a_package(new, commands, tmp_path):
    assert new("ash").returncode == 0
    book = tmp_path / "ash" / "book"
    conf = (book / "conf.py").read_text()

    def runtime(text: str, *path: Path) -> str:
        """Where the pages of a configuration have their Python from; empty if they do not roll."""
        (book / "conf.py").write_text(text)
        environment = {"PYTHONPATH": os.pathsep.join(map(str, (*path, SOURCES, SOURCES / "sphinx_ext")))}
        done = commands.run(tmp_path / "ash", "sphinx", "-E", "-W", "-b", "html", "book", "site", **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        manifests = list((tmp_path / "ash" / "site").rglob("manifest.json"))
        return json.loads(manifests[0].read_text("utf-8"))["runtime"] if manifests else ""

    assert runtime(conf) == ""
    rolling = conf.replace("# dicedocs_reroll", "dicedocs_reroll")
    files = tmp_path / "installed" / "dicedocs_pyodide" / "files"
    for folder in (tmp_path / "ash" / "package", files):
        folder.mkdir(parents=True)
        for name in FILES:
            (folder / name).write_text('{"info": {"python": "3.14"}}')
    (files.parent / "__init__.py").write_text("")
    (files.parent / "compile.mjs").write_text("process.exit(1)")  # without it the core is as it was
    assert runtime(rolling.replace("# dicedocs_pyodide", "dicedocs_pyodide")).startswith("pyodide-")
    assert runtime(rolling, tmp_path / "installed").startswith("pyodide-")
