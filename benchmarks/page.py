"""A page that rolls: from a click to the outcome, and what the page costs before, beside plain Pyodide and JupyterLite.

*Plain Pyodide* is a page with the npm package as it is: a worker loads it, unpacks the same core as sources, and plays
the same example. In JupyterLite a cell does; its kernel starts when the notebook opens, so it has a start before the
click. Each press is the first one in a browser with an empty cache; the pages take turns.
"""

from __future__ import annotations

import functools
import http.server
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path

from lite import NOTEBOOK, SHOWN, lite_site
from measured import Table, publish
from playwright.sync_api import Browser, Page, sync_playwright

import dicedocs.systems
from dicedocs_sphinx.rolling.core_archive import archive, core_files

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtime"))
from prepare import fetched_tarball

ROUNDS = 5
EXAMPLES = 60
NEXT = 50
CONF = 'extensions = ["dicedocs_sphinx"]\nproject = "Sixty"\nhtml_theme = "basic"\ndicedocs_reroll = True\n'
EXAMPLE = """
.. dice:example:: Shot {number}
   :mechanic: dice/roll
   :notation: 3d6
   :dice: 4 2 5
   :expect: total=11
"""
PLAIN_PAGE = """<!doctype html><title>Plain</title><link rel="icon" href="data:,"><button>Roll</button><output></output>
<script type="module">
document.querySelector("button").onclick = () => {
  const worker = new Worker("worker.mjs", { type: "module" });
  worker.onmessage = ({ data }) => { document.querySelector("output").textContent = data; };
};
</script>"""
PLAIN_WORKER = """
const core = fetch("core.zip").then((response) => response.arrayBuffer());
const { loadPyodide } = await import("./package/pyodide.mjs");
const py = await loadPyodide({ indexURL: new URL("package/", self.location).href });
py.unpackArchive(await core, "zip", { extractDir: "/lib/dicedocs" });
postMessage(py.runPython(`
import sys
sys.path.insert(0, "/lib/dicedocs")
import dicedocs as dd
from dicedocs.render.html import outcome_html
outcome_html(dd.roll("3d6"))
`));
"""
ODDS = """
import json, time
import dicedocs as dd
dd.odds("methuen/expression", "total", expression="1d4 * 2 + 1")
import dicedocs.systems.mecha_vs_kaiju
start = time.perf_counter()
odds = dd.odds("mecha-vs-kaiju/action", "total", pool="d20 d4 d6 d8 d10 d12", advantage=True)
json.dumps([time.perf_counter() - start, str(odds.mean)])
"""
ODDS_WORKER = """
onmessage = async ({ data: { pyodide, odds } }) => {
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  const py = await loadPyodide({ indexURL: pyodide });
  const core = await (await fetch("core.zip")).arrayBuffer();
  py.unpackArchive(core, "zip", { extractDir: "/lib/dicedocs" });
  py.runPython("import sys; sys.path.insert(0, '/lib/dicedocs')");
  postMessage(py.runPython(odds));
};
"""
COUNT = """([pyodide, odds]) => new Promise((done) => {
  const worker = new Worker("odds.mjs", { type: "module" });
  worker.onmessage = ({ data }) => (worker.terminate(), done(data));
  worker.postMessage({ pyodide, odds });
})"""
PRESS = """async (presses) => {
  const play = document.querySelector(".dice-play"), roll = document.querySelector(".dice-press"), times = [];
  for (let press = 0; press < presses; press++) {
    const start = performance.now();
    roll.click();
    while (play.ariaBusy === "true") await new Promise((next) => setTimeout(next));
    times.push(performance.now() - start);
  }
  return times;
}"""
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 500);
})"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    extensions_map = {  # noqa: RUF012  # as the base class declares it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def make_pages(folder: Path) -> None:
    """Build a book with many examples, and the plain page."""
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(CONF, "utf-8")
    text = "".join(EXAMPLE.format(number=number) for number in range(EXAMPLES))
    (source / "index.rst").write_text(f"Sixty\n=====\n{text}", "utf-8")
    subprocess.run([sys.executable, "-m", "sphinx", "-q", source, folder / "site"], check=True)
    plain = folder / "plain"
    plain.mkdir()
    with tarfile.open(fileobj=io.BytesIO(fetched_tarball())) as npm:
        npm.extractall(plain, filter="data")
    (plain / "index.html").write_text(PLAIN_PAGE, "utf-8")
    (plain / "worker.mjs").write_text(PLAIN_WORKER, "utf-8")
    games = ("methuen", "mecha_vs_kaiju")
    modules = {f"dicedocs/systems/{name}.py": Path(dicedocs.systems.__path__[0], f"{name}.py") for name in games}
    (plain / "core.zip").write_bytes(archive(core_files("en", {"dice"}) | modules))
    (plain / "odds.mjs").write_text(ODDS_WORKER, "utf-8")


def make_lite(folder: Path) -> bool:
    """Put the notebook beside the pages, and return whether there is one."""
    try:
        (folder / "lite").symlink_to(lite_site((folder / "plain" / "core.zip").read_bytes()))
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"JupyterLite is not measured: {error}")
        return False
    return True


def first_cell(browser: Browser, address: str) -> float:
    """Return the same of the cell of a notebook: from the key that runs it to its output."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    cell = page.locator(".jp-CodeCell .cm-content").first
    cell.click(timeout=120_000)
    start = time.perf_counter()
    page.keyboard.press("Shift+Enter")
    page.locator(".jp-OutputArea-output", has_text=SHOWN).first.wait_for(timeout=120_000)
    seconds = time.perf_counter() - start
    context.close()
    return seconds


def odds_here() -> tuple[float, str]:
    """Return the seconds that odds take in a process of this Python, and their mean."""
    program = ODDS.replace("json.dumps(", "print(json.dumps(").rstrip() + ")\n"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    seconds, mean = json.loads(done.stdout)
    return seconds, mean


def odds_in(page: Page, pyodide: str) -> tuple[float, str]:
    """Return the same of a page."""
    seconds, mean = json.loads(page.evaluate(COUNT, [pyodide, ODDS]))
    return seconds, mean


def first_press(browser: Browser, address: str, button: str, done: str) -> float:
    """Return the seconds from a click to the outcome, in a browser that has loaded nothing yet."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    roll = page.locator(button).first
    roll.wait_for()
    start = time.perf_counter()
    # The click of a program: a pointer that comes nearer would start Python before.
    roll.evaluate("one => one.click()")
    page.wait_for_function(done, timeout=120_000)
    seconds = time.perf_counter() - start
    context.close()
    return seconds


def before_the_press(page: Page, address: str) -> tuple[float, float]:
    """Return the KB of script that a page loads, and by how much its layout shifts."""
    sizes: list[int] = []
    page.on(
        "response", lambda one: sizes.append(len(one.body())) if "dicedocs/" in one.url and "js" in one.url else None
    )
    page.goto(address)
    page.locator(".dice-press").first.wait_for()
    shift: float = page.evaluate(SHIFT)
    return sum(sizes) / 1000, shift


def main() -> None:
    """Measure and publish the table."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None or find_spec("dicedocs_pyodide") is None:
        print("A page that rolls is not measured: there is no Chromium, or no runtime (see 'make runtime').")
        return
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        make_pages(Path(temporary))
        notebook = make_lite(Path(temporary))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=temporary))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        publish("page", measure(browser, address, notebook=notebook))
        [pyodide] = Path(temporary).glob("site/_static/dicedocs/pyodide-*")
        publish("page_odds", measure_odds(browser, address, pyodide.relative_to(temporary).as_posix()))
        browser.close()
        server.shutdown()


def measure(browser: Browser, address: str, *, notebook: bool) -> Table:
    """Return the table of a page."""
    ours, plain, cells = list[float](), list[float](), list[float]()
    for _ in range(ROUNDS):
        rolled = "document.querySelector('.dice-notice')?.textContent.includes('seed')"
        ours.append(first_press(browser, f"{address}/site/index.html", ".dice-press", rolled))
        shown = "document.querySelector('output').textContent"
        plain.append(first_press(browser, f"{address}/plain/index.html", "button", shown))
        if notebook:
            cells.append(first_cell(browser, f"{address}/lite/notebooks/index.html?path={NOTEBOOK}"))
    page = browser.new_page()
    script, shift = before_the_press(page, f"{address}/site/index.html")
    page.evaluate(PRESS, 1)
    presses: list[float] = page.evaluate(PRESS, NEXT)
    table = Table("a page with 60 examples", "target", "dicedocs", "plain Pyodide", "JupyterLite")
    first, other = statistics.median(ours), statistics.median(plain)
    cell = f"{statistics.median(cells):.1f}" if cells else "–"
    table.row("s from the first click to the outcome", "≤ 3, and half of plain", f"{first:.1f}", f"{other:.1f}", cell)
    table.row("ms from the next click to the outcome", "≤ 20", f"{statistics.median(presses):.0f}", "–", "–")
    table.row("KB of script before the first press", "≤ 15", f"{script:.1f}", "–", "–")
    table.row("layout shift when the buttons come", "0", f"{shift:.3f}", "–", "–")
    page.close()
    return table


def measure_odds(browser: Browser, address: str, pyodide: str) -> Table:
    """Return the table of odds in a page, which are counted for the first time each time."""
    page = browser.new_page()
    page.goto(f"{address}/plain/index.html")
    here, there = list[float](), list[float]()
    for _ in range(ROUNDS):
        (seconds, mean), (other, same) = odds_here(), odds_in(page, f"{address}/{pyodide}/")
        if mean != same:
            raise SystemExit(f"the odds differ: {mean} here, {same} in Chromium")
        here.append(seconds)
        there.append(other)
    page.close()
    cpython, chromium = statistics.median(here), statistics.median(there)
    table = Table("ms for the odds of", "CPython", "Chromium", "ratio", "target")
    row = f"{cpython * 1000:.0f}", f"{chromium * 1000:.0f}", f"{chromium / cpython:.1f}"
    table.row("a Mecha vs Kaiju action with advantage", *row, "≤ 4")
    return table


if __name__ == "__main__":
    main()
