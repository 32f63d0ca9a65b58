"""A new book as its workflow publishes it, with Python for browsers and without."""

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, expect

import dicedocs as dd

from ...command_server import CommandServer
from ...test_wheel import Environment
from ..conftest import ROOT, Visit, served
from ..loopback import Loopback
from .conftest import FIRST

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]
FOREIGN = ("PIP_", "PYTHON", "PYTEST")


def written(commands: CommandServer, folder: Path, *words: str) -> Path:
    """Write a new book whose pages roll, and return its folder."""
    sources = os.pathsep.join(map(str, (ROOT, ROOT / "sphinx_ext")))
    done = commands.run(folder, "dicedocs", "new", "ash", *words, PYTHONPATH=sources)
    assert done.returncode == 0, done.stderr
    conf = folder / "ash" / "book" / "conf.py"
    conf.write_text(conf.read_text().replace("# dicedocs_reroll", "dicedocs_reroll"))
    return folder / "ash"


@pytest.mark.thorough
def test_what_its_workflow_uploads_rolls_as_at_home(
    commands: CommandServer, pyodide: BrowserContext, loopback: Loopback | None, tmp_path: Path
) -> None:
    book = written(commands, tmp_path, "--pages", "github")
    environment, others = Environment(tmp_path / "environment"), tmp_path / "others"
    # What an index would give: all that is installed here and not ours.
    others.mkdir()
    for path in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if "dicedocs" not in path.name:
            (others / path.name).symlink_to(path)
    (environment.site / "others.pth").write_text(str(others))
    clean = {name: text for name, text in os.environ.items() if not name.startswith(FOREIGN)}
    clean |= {
        "PATH": f"{environment.bin}{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        # Readers have our pytest plugin, but not the plugins that our tests need.
        "PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:anyio -p no:xdist -p no:timeout",
    }
    jobs = yaml.safe_load((book / ".github" / "workflows" / "book.yml").read_text())["jobs"]
    *steps, upload = jobs["book"]["steps"]
    for command in (step["run"] for step in steps if "run" in step):
        done = subprocess.run(
            ["/bin/sh", "-ec", command], cwd=book, env=clean, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert jobs["publish"]["needs"] == "book"
    with served(book / upload["with"]["path"], listening=loopback and loopback.listen()) as address:
        visit = Visit(pyodide.new_page(), address)
        # The deck has no roll with this seed, so Python plays it.
        page = visit.open("attempts.html#ada-climbs?seed=8")
        example = page.locator("#dice-ada-climbs")
        expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
        # Two dice and a skill of 2.
        total = dd.roll("2d6", seed=8).value + 2
        expect(example.locator(".dice-result")).to_contain_text(str(total))
        assert not visit.external_requests
        visit.page.close()


def test_on_a_server_the_reader_is_told_that_python_is_missing(
    commands: CommandServer, browser: Browser, loopback: Loopback | None, tmp_path: Path
) -> None:
    book = written(commands, tmp_path)
    settings = ("-D", "dicedocs_pyodide=nowhere", "-D", "dicedocs_deck=1")
    done = commands.run(book, "sphinx", "-q", "-W", *settings, "book", "site")
    assert (done.returncode, done.stderr) == (
        0,
        "dicedocs: the pages have only the rolls of their deck: dicedocs_pyodide: nowhere has no pyodide.mjs\n",
    )
    with served(book / "site", listening=loopback and loopback.listen()) as address:
        page = browser.new_page()
        page.goto(f"{address}/attempts.html")
        page.locator("#dice-ada-climbs .dice-press").click()
        why = "For more, the book must be built with Python for browsers."
        expect(page.locator("#dice-ada-climbs .dice-notice")).to_contain_text(
            f"These were all 1 rolls that come with this page. {why}"
        )
        page.close()
