"""A book that was changed, deployed anew or kept without a network rolls its own rules or none."""

import os
import re
import shutil
import socket
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from ...command_server import CommandServer
from ..conftest import served
from ..loopback import Loopback
from .conftest import FIRST, Strict, kept, roll
from .python_here import PythonHere

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]


class NoWebAssembly(Strict):
    """A handler whose pages may not run WebAssembly."""

    policy = "default-src 'self'; style-src 'self' 'unsafe-inline'"


def test_where_a_policy_forbids_webassembly_that_is_said_at_once(
    browser: Browser, house_folder: Path, loopback: Loopback | None
) -> None:
    context = browser.new_context(service_workers="block")
    with served(house_folder, NoWebAssembly, loopback and loopback.listen()) as address:
        page = context.new_page()
        page.goto(f"{address}/index.html")
        example = page.locator("#dice-house")
        example.get_by_role("button", name="Roll").click()
        expect(example.locator(".dice-failed")).to_contain_text("WebAssembly", timeout=20_000)
    context.close()


def changed_byte(file: Path) -> None:
    """Change the last byte of a file: in a script it is that of a comment or a blank line."""
    data = file.read_bytes()
    file.write_bytes(data[:-1] + bytes([data[-1] ^ 1 if data[-1] != 10 else 32]))


def test_a_file_that_is_not_the_one_that_was_built_is_refused(
    context: BrowserContext, pyodide: BrowserContext, copied: tuple[Path, str]
) -> None:
    folder, address = copied
    static = folder / "_static" / "dicedocs"
    # What the worker itself reads, what it imports, and what Pyodide compiles while it comes.
    loaded = ("core.zip", "pyodide-*/pyodide.mjs", "pyodide-*/pyodide.asm.wasm")
    for file, button in {**dict.fromkeys(loaded, "Roll"), "panel-*/texts.mjs": "Change it"}.items():
        [changed] = static.glob(file)
        data = changed.read_bytes()
        changed_byte(changed)
        # The files of a panel are loaded when Python is there, whichever it is.
        page = (pyodide if button == "Roll" else context).new_page()
        page.goto(f"{address}/index.html")
        example = page.locator("#dice-house")
        printed = example.locator(".dice-outcome").inner_html()
        example.get_by_role("button", name=button).click()
        failed = example.locator(".dice-failed")
        expect(failed, file).to_contain_text("is not the file that was built with this page", timeout=FIRST)
        assert changed.name in failed.inner_text()
        assert example.locator(".dice-outcome").inner_html() == printed, file
        page.close()
        changed.write_bytes(data)
        # The browser asks whether a file is newer by whole seconds.
        later = changed.stat().st_mtime + 1
        os.utime(changed, (later, later))


@pytest.fixture(scope="module")
def deployed(house_folder: Path, tmp_path_factory: pytest.TempPathFactory, commands: CommandServer) -> Path:
    """Return the folder of that book, built again with a die of other faces."""
    folder = tmp_path_factory.mktemp("deployed") / "house"
    shutil.copytree(house_folder.parent, folder, ignore=shutil.ignore_patterns("out"))
    (folder / "house.json").write_text('{"sides": 1000}')
    # Without Node, which would compile the core for seconds.
    done = commands.run(folder, "sphinx", "-q", ".", "out", PATH="")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "out"


CHANGED = "This book has changed; reload the page."


def test_a_page_from_before_a_deploy_does_not_roll_the_new_rules(
    browser: Browser, copied: tuple[Path, str], deployed: Path
) -> None:
    folder, address = copied
    context = browser.new_context()
    # Where there is no https some checks are missing.
    pages = [context.new_page(), context.new_page()]
    for page, host in zip(pages, ("127.0.0.1", "book.test"), strict=True):
        page.goto(f"{address.replace('127.0.0.1', host)}/index.html")
        expect(page.locator("#dice-house").get_by_role("button", name="Roll")).to_be_visible()
    shutil.copytree(deployed, folder, dirs_exist_ok=True)
    for page in pages:
        example = page.locator("#dice-house")
        printed = example.locator(".dice-outcome").inner_html()
        example.get_by_role("button", name="Roll").click()
        expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
        assert example.locator(".dice-outcome").inner_html() == printed
    context.close()


def test_a_page_from_before_a_deploy_does_not_roll_the_new_rules_without_a_network(
    browser: Browser, house_folder: Path, deployed: Path, tmp_path: Path, loopback: Loopback | None
) -> None:
    shutil.copytree(house_folder, tmp_path / "house")
    context = browser.new_context()
    page, other = context.new_page(), context.new_page()
    with served(tmp_path, Strict, loopback and loopback.listen()) as address:
        page.goto(f"{address}/house/index.html")
        example = page.locator("#dice-house")
        expect(example.get_by_role("button", name="Roll")).to_be_visible()
        shutil.copytree(deployed, tmp_path / "house", dirs_exist_ok=True)
        other.goto(f"{address}/house/index.html")
        # A browser may open the page as it kept it, without asking whether there is a newer one.
        other.reload()
        roll(other, "house")
        kept(other)
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    context.close()


def test_a_changed_list_is_refused(pyodide: BrowserContext, copied: tuple[Path, str]) -> None:
    folder, address = copied
    listed = folder / "_static" / "dicedocs" / "manifest.json"
    listed.write_text(
        listed.read_text("utf-8").replace('"characters": []', '"characters": [["", "Eve", {"Bonus": 90}]]')
    )
    page = pyodide.new_page()
    page.goto(f"{address}/index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    page.close()


def test_a_changed_module_is_refused(pyodide: BrowserContext, copied: tuple[Path, str]) -> None:
    folder, address = copied
    changed_byte(folder / "_static" / "dicedocs" / "python.mjs")
    page = pyodide.new_page()
    page.goto(f"{address}/index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Roll").click()
    refused = re.compile(r"^python\.mjs\S* is not the file that was built with this page$")
    expect(example.locator(".dice-failed")).to_have_text(refused, timeout=FIRST)
    page.close()


REGISTRATIONS = "async () => (await navigator.serviceWorker.getRegistrations()).length"


def test_what_has_rolled_rolls_without_a_network(
    browser: Browser, house_folder: Path, tmp_path: Path, loopback: Loopback | None
) -> None:
    (tmp_path / "house").symlink_to(house_folder)
    context = browser.new_context()
    page = context.new_page()
    with served(tmp_path, Strict, loopback and loopback.listen()) as address:
        page.goto(f"{address}/house/index.html")
        assert page.evaluate(REGISTRATIONS) == 0
        roll(page, "house")
        assert kept(page)[0] == f"{address}/house/"
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
    page.reload()
    roll(page, "ember")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Change it").click()
    expect(example.locator(".dd-panel")).to_be_visible()
    context.close()


def test_with_a_network_a_page_is_the_newest_one_and_a_new_build_replaces_the_old(
    browser: Browser, python_here: PythonHere, copied: tuple[Path, str]
) -> None:
    folder, address = copied
    context = browser.new_context()
    python_here.play_in(context)
    page = context.new_page()
    page.goto(f"{address}/index.html")
    roll(page, "house")
    first = kept(page)
    index, service = folder / "index.html", folder / "dicedocs-offline.js"
    index.write_text(index.read_text("utf-8").replace("It rolls.", "It is new."), "utf-8")
    build = first[1].rpartition(" ")[2]
    service.write_text(service.read_text("utf-8").replace(build, "0" * 8), "utf-8")
    page.reload()
    expect(page.locator("#dice-house")).to_contain_text("It is new.")
    assert kept(page, other_than=first)[1].endswith(" " + "0" * 8)
    context.close()


def test_a_book_that_is_not_kept_any_more_is_removed(
    browser: Browser, python_here: PythonHere, copied: tuple[Path, str], house_folder: Path, commands: CommandServer
) -> None:
    folder, address = copied
    context = browser.new_context()
    python_here.play_in(context)
    page = context.new_page()
    page.goto(f"{address}/index.html")
    roll(page, "house")
    kept(page)
    done = commands.run(folder, "sphinx", "-q", "-D", "dicedocs_offline=0", house_folder.parent, ".", PATH="")
    assert (done.returncode, done.stderr) == (0, "")
    page.reload()
    page.wait_for_function("async () => !(await navigator.serviceWorker.getRegistrations()).length")
    page.wait_for_function("async () => !(await caches.keys()).length")
    # Nor is it kept again, however long one waits.
    page.clock.install()
    page.reload()
    roll(page, "house")
    page.clock.fast_forward(60_000)
    assert page.evaluate(REGISTRATIONS) == 0
    assert "offline.mjs" not in page.evaluate("performance.getEntriesByType('resource').map((one) => one.name).join()")
    context.close()
