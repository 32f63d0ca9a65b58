"""A book that `dicedocs new` writes, where neither the author's disk nor their environment is: as in its own CI."""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
import yaml

from .test_wheel import Environment, run, wheel  # noqa: F401  # a fixture here too

pytestmark = pytest.mark.thorough

SITE = Path(sysconfig.get_paths()["purelib"])


@pytest.fixture
def author(wheel: Path, tmp_path: Path) -> Environment:  # noqa: F811
    """The author's environment: a wheel was installed from a folder, which is gone now."""
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    shutil.copy(wheel, downloads)
    environment = Environment(tmp_path / "author")
    environment.copy_packages("lark")
    environment.install(downloads / wheel.name)
    shutil.rmtree(downloads)
    return environment


@pytest.fixture
def runner(tmp_path: Path) -> Environment:
    """An environment with all that an index would give, but without dicedocs."""
    environment = Environment(tmp_path / "runner")
    index = tmp_path / "index"
    index.mkdir()
    for path in SITE.iterdir():
        if "dicedocs" not in path.name:
            (index / path.name).symlink_to(path)
    (environment.site / "index.pth").write_text(str(index))
    return environment


@pytest.mark.parametrize(("words", "tests"), [((), 8), (("--python",), 9)], ids=["page", "python"])
def test_its_workflow_runs_where_only_the_book_is(
    words: tuple[str, ...], tests: int, author: Environment, runner: Environment, tmp_path: Path
) -> None:
    run(author.bin / "dicedocs", "new", "ash", *words, cwd=tmp_path)
    book = tmp_path / "elsewhere" / "ash"
    book.parent.mkdir()
    (tmp_path / "ash").rename(book)
    shutil.rmtree(author.folder)
    texts = [path.read_text("utf-8") for path in book.rglob("*") if path.is_file() and path.suffix != ".whl"]
    assert str(tmp_path) not in "".join(texts)
    foreign = ("PIP_", "PYTHON", "PYTEST")
    environment = {name: text for name, text in os.environ.items() if not name.startswith(foreign)} | {
        "PATH": f"{runner.bin}{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:anyio -p no:xdist -p no:timeout",
    }
    outputs = []
    steps = yaml.safe_load((book / ".github" / "workflows" / "book.yml").read_text())["jobs"]["book"]["steps"]
    for command in (step["run"] for step in steps if "run" in step):
        done = subprocess.run(
            ["/bin/sh", "-c", command], cwd=book, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        outputs.append(done.stdout)
    assert f"{tests} passed" in outputs[-1]
    assert (book / "build" / "site" / "attempts.html").is_file()
    imported = runner.python("import dicedocs, dicedocs_sphinx; print(dicedocs.__file__, dicedocs_sphinx.__file__)")
    assert all(Path(path).is_relative_to(runner.site) for path in imported.split())


def test_the_wheel_in_a_book_is_the_one_that_is_built(wheel: Path, tmp_path: Path) -> None:  # noqa: F811
    """Also where dicedocs is installed from a checkout that may be edited, as here."""
    subprocess.run([sys.executable, "-m", "dicedocs", "new", "ash"], cwd=tmp_path, check=True, capture_output=True)
    [vendored] = (tmp_path / "ash" / "vendor").glob("dicedocs-[0-9]*")
    assert vendored.name == wheel.name
    assert f"./vendor/{wheel.name}" in (tmp_path / "ash" / "requirements.txt").read_text().splitlines()
    with zipfile.ZipFile(vendored) as ours, zipfile.ZipFile(wheel) as built:
        assert ours.testzip() is None
        assert set(ours.namelist()) == set(built.namelist())
        for name in ours.namelist():
            if ".dist-info/" not in name:
                assert ours.read(name) == built.read(name), name
        [record] = [name for name in ours.namelist() if name.endswith("/RECORD")]
        lines = [line.split(",") for line in ours.read(record).decode().splitlines()]
        assert {name for name, *_ in lines} == set(ours.namelist())
        for name, digest, size in lines:
            if name != record:
                sha256 = base64.urlsafe_b64encode(hashlib.sha256(ours.read(name)).digest()).decode().rstrip("=")
                assert (digest, int(size)) == (f"sha256={sha256}", len(ours.read(name)))
