"""A book that was changed, deployed anew or kept without a network rolls its own rules or none."""

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ..conftest import served
from ..loopback import Loopback
from .conftest import FIRST, Strict, kept, roll

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


LOADED = ("core.zip", "pyodide-*/pyodide.mjs", "pyodide-*/pyodide.asm.mjs", "pyodide-*/pyodide.asm.wasm")


@pytest.mark.parametrize("file", [*LOADED, "pyodide-*/python_stdlib.zip", "panel-*/texts.mjs"])
def test_a_file_that_is_not_the_one_that_was_built_is_refused(
    browser: Browser, copied: tuple[Path, str], file: str
) -> None:
    folder, address = copied
    [changed] = (folder / "_static" / "dicedocs").glob(file)
    changed_byte(changed)
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    example = page.locator("#dice-house")
    printed = example.locator(".dice-outcome").inner_html()
    example.get_by_role("button", name="Change it" if "panel" in file else "Roll").click()
    failed = example.locator(".dice-failed")
    expect(failed).to_contain_text("is not the file that was built with this page", timeout=FIRST)
    assert changed.name in failed.inner_text()
    assert example.locator(".dice-outcome").inner_html() == printed
    context.close()


def rebuild(folder: Path, sources: Path, faces: int) -> None:
    """Build the book into a folder with a die of other faces, as if it had been deployed."""
    new = sources.with_name(f"{sources.name}-{faces}")
    shutil.copytree(sources, new, ignore=shutil.ignore_patterns("out"), dirs_exist_ok=True)
    (new / "house.json").write_text(f'{{"sides": {faces}}}')
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-E", new, folder], check=True)


CHANGED = "This book has changed; reload the page."


@pytest.mark.parametrize("host", ["127.0.0.1", "book.test"])
def test_a_page_from_before_a_deploy_does_not_roll_the_new_rules(
    browser: Browser, copied: tuple[Path, str], house_folder: Path, host: str
) -> None:
    folder, address = copied
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address.replace('127.0.0.1', host)}/index.html")
    example = page.locator("#dice-house")
    expect(example.get_by_role("button", name="Roll")).to_be_visible()
    rebuild(folder, house_folder.parent, 1000)
    printed = example.locator(".dice-outcome").inner_html()
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    assert example.locator(".dice-outcome").inner_html() == printed
    page.reload()
    roll(page, "house")
    context.close()


def test_a_page_from_before_a_deploy_does_not_roll_the_new_rules_without_a_network(
    browser: Browser, house_folder: Path, tmp_path: Path, loopback: Loopback | None
) -> None:
    shutil.copytree(house_folder, tmp_path / "house")
    context = browser.new_context()
    page, other = context.new_page(), context.new_page()
    with served(tmp_path, Strict, loopback and loopback.listen()) as address:
        page.goto(f"{address}/house/index.html")
        example = page.locator("#dice-house")
        expect(example.get_by_role("button", name="Roll")).to_be_visible()
        rebuild(tmp_path / "house", house_folder.parent, 1000)
        other.goto(f"{address}/house/index.html")
        # A browser may open the page as it kept it, without asking whether there is a newer one.
        other.reload()
        roll(other, "house")
        kept(other)
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    context.close()


def test_a_changed_list_is_refused(browser: Browser, copied: tuple[Path, str]) -> None:
    folder, address = copied
    listed = folder / "_static" / "dicedocs" / "manifest.json"
    listed.write_text(
        listed.read_text("utf-8").replace('"characters": []', '"characters": [["", "Eve", {"Bonus": 90}]]')
    )
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    context.close()


def test_a_changed_module_is_refused(browser: Browser, copied: tuple[Path, str]) -> None:
    folder, address = copied
    changed_byte(folder / "_static" / "dicedocs" / "python.mjs")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Roll").click()
    refused = re.compile(r"^python\.mjs\S* is not the file that was built with this page$")
    expect(example.locator(".dice-failed")).to_have_text(refused, timeout=FIRST)
    context.close()


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
    browser: Browser, copied: tuple[Path, str]
) -> None:
    folder, address = copied
    context = browser.new_context()
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
    browser: Browser, copied: tuple[Path, str], house_folder: Path
) -> None:
    folder, address = copied
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    roll(page, "house")
    kept(page)
    command = [sys.executable, "-m", "sphinx", "-q", "-D", "dicedocs_offline=0", house_folder.parent, folder]
    subprocess.run(command, check=True)
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
