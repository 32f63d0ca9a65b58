"""Panels in JupyterLab, compared with the same panel made of stock ipywidgets, and with anydyce.

All run in one browser, alternately. Building and saved state are measured in the kernel. Reactions are measured in the
page: from a click or a key to the first frame that shows the change. anydyce needs Matplotlib before 3.9, so it gets
its own environment and kernel.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from measured import Table, publish
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import CHROMIUM, FLAGS  # noqa: E402  # importable from the root of the repository
from tests.browser.lab import Lab, Notebook, serving  # noqa: E402

ANYDYCE = ROOT / "build" / "bench" / "anydyce"
PINS = ("anydyce==0.4.6", "matplotlib<3.9", "ipykernel")
ROLLED = "methuen/expression"
MECHANICS = {
    "Methuen": (ROLLED, "Expression", "3d6 + {}"),
    "Total//Effect": ("total-effect/roll", "Escalation", "{}"),
    "Mecha vs Kaiju": ("mecha-vs-kaiju/action", "Modifier", "{}"),
}
"""The mechanics by game: id, the label of the box that is edited, and the text that is typed."""
BUILT = "mage-in-the-metal/check"
CLICKS = 150
CHANGES = 40
WARMUP = 8
ROUNDS = 3
BUILDS = 40
MANY = 20

NO_DELAY = """from jupyter_server.services.kernels.websocket import KernelWebsocketHandler as Handler
original = Handler.open
async def open(self, *args, **kwargs):
    self.set_nodelay(True)
    return await original(self, *args, **kwargs)
Handler.open = open
"""
"""Server settings that turn Nagle's algorithm off.

By default it delays every other message of a kernel by 40 ms, whichever panel the message is for, which hides smaller
differences between panels.
"""
PAUSE = 0.1
"""Seconds between two panels that are built, so that the first one is displayed by then."""
BUSY = 0.02
"""Seconds of work before each panel, since an idle processor starts slowly."""

REACT = """async ([actions, times]) => {
  const frame = () => new Promise(requestAnimationFrame);
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const measure = async ({ cellId, control, text, output, image }, n) => {
    const cell = document.querySelector(`[data-at="${cellId}"]`), target = cell.querySelector(output);
    if (image) cell.querySelector(image).dataset.old = "";
    const complete = () => !image || cell.querySelector(`${image}:not([data-old])`);
    const changed = new Promise((resolve) => {
      const observer = new MutationObserver(() => complete() && (observer.disconnect(), resolve()));
      observer.observe(target, { childList: true, subtree: true, characterData: true });
    });
    const start = performance.now(), element = cell.querySelector(control);
    if (text) {
      element.value = text.replace("{}", n + 1);
      element.dispatchEvent(new Event("input", { bubbles: true }));
    } else element.click();
    await Promise.race([changed, sleep(20_000).then(() => { throw new Error(`nothing changed: ${control}`); })]);
    await frame();
    const duration = performance.now() - start;
    await sleep(60 + Math.random() * 30);
    return duration;
  };
  const durations = actions.map(() => []);
  for (let n = 0; n < times; n++) {
    for (const [index, action] of actions.entries()) durations[index].push(await measure(action, n));
  }
  return durations;
}"""
"""Clicks or types in several cells alternately; returns the milliseconds to the first frame with each change."""
DISPLAY = """async ([source, ready, count]) => {
  const model = notebook.model.sharedModel, index = model.cells.length;
  model.insertCell(index, { cell_type: "code", source, metadata: { trusted: true } });
  notebook.content.activeCellIndex = index;
  const start = performance.now();
  jupyterapp.commands.execute("notebook:run-cell");
  const { node } = notebook.content.widgets[index];
  while (node.querySelectorAll(ready).length < count) {
    await new Promise(requestAnimationFrame);
    if (performance.now() - start > 60_000) throw new Error(`not displayed: ${ready}`);
  }
  return performance.now() - start;
}"""
"""Runs a cell in a notebook; returns the milliseconds until all its panels are displayed."""
SETUP = f"""import json, statistics, sys, time
sys.path.insert(0, {str(ROOT / "benchmarks")!r})
import ipywidgets as w
def saved_size(known):
    state = w.Widget.get_manager_state(drop_defaults=True)["state"]
    return sum(len(json.dumps(model)) for id, model in state.items() if id not in known)
def build(make, times):
    make()
    before, durations = set(w.Widget.get_manager_state()["state"]), []
    for _ in range(times):
        time.sleep({PAUSE})
        start = time.perf_counter() + {BUSY}
        while time.perf_counter() < start:
            pass
        make()
        durations.append((time.perf_counter() - start) * 1000)
    after = w.Widget.get_manager_state()["state"]
    return [statistics.median(durations), (len(after) - len(before)) / times, saved_size(before) / times]"""
"""Defines ``build`` in a kernel, which returns milliseconds, models and characters of saved state per panel."""
OURS = "from dicedocs_widgets import panel as make"
STOCK = "from stock_panel import StockPanel as make"
THEIRS = """import matplotlib
matplotlib.use("agg")
from anydyce import jupyter_visualize
from dyce import H
def make():
    jupyter_visualize([("3d6", 3 @ H(6))])"""

SEATS = 6
SEAT_ROLLS = 100
AT_TABLE = f"""from dicedocs_widgets import Character, evening, panel
def seat():
    kira, orc = Character("Kira", "Attack=6, HP=18 of 18"), Character("Orc", "Attack=4, Defense=12, HP=90 of 90")
    people = {{"actor": [kira, orc], "target": [orc, kira]}}
    return panel("dice/check", check="1d20 + [Attack] >= [Target Defense]", then="target.HP -= success", **people)
seats = [seat() for _ in range({SEATS})]
table = evening(*seats)
for _ in range({SEAT_ROLLS}):
    for one in seats:
        one.roll()"""
"""Makes a table with rolls that wait to be applied; ``seat()`` is one of its panels alone."""


class Rival(NamedTuple):
    """A panel to be measured: the code that imports it, and the CSS selectors of its parts.

    Parameters:
        setup: code that defines ``make``.
        button: the button that rolls.
        outcome: the element with the outcome.
        odds: the element with the odds.
        bar: an element that exists once the odds are displayed.
    """

    setup: str
    button: str
    outcome: str
    odds: str
    bar: str


RIVALS = {
    "dicedocs": Rival(OURS, ".dd-main", "[role=status]", ".dd-odds ol", ".dd-odds:has(li)"),
    "stock": Rival(STOCK, ".stock-roll", ".stock-outcome", ".stock-odds", ".stock-odds:has(meter)"),
}


def environment() -> Path:
    """Return the Python of an environment that has anydyce and not dicedocs; create it if it is missing."""
    python = ANYDYCE / "bin" / "python"
    if not (ANYDYCE / ".ready").exists():
        venv.create(ANYDYCE, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PINS], check=True)
        (ANYDYCE / ".ready").touch()
    return python


def install_kernel(folder: Path, python: Path) -> None:
    """Make a kernel of another environment known to the server that will be started in the folder."""
    spec = folder / "data" / "kernels" / "anydyce" / "kernel.json"
    spec.parent.mkdir(parents=True)
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": command, "display_name": "anydyce", "language": "python"}), encoding="utf-8")


@contextmanager
def opened(browser: Browser, lab: Lab, name: str, *, kernel: str = "python3") -> Iterator[Notebook]:
    """Open a notebook in a new page with a new kernel, and close it afterwards."""
    notebook = Notebook(browser, lab)
    notebook.open(lab.write(name, kernel=kernel), kernel=kernel)
    yield notebook
    notebook.close()
    notebook.page.context.close()


def run_cell(notebook: Notebook, source: str) -> str:
    """Run a cell and return its id."""
    id: str | None = notebook.run(source).get_attribute("data-at")
    if id is None:
        raise RuntimeError("the cell has no id")
    return id


def reaction_times(notebook: Notebook) -> dict[str, list[list[float]]]:
    """Return the milliseconds of each kind of reaction, a list for each rival."""
    page, durations = notebook.page, {}
    for id, label, text in MECHANICS.values():
        notebook.clear()
        rolls, changes = [], []
        for rival in RIVALS.values():
            cell = run_cell(notebook, f"{SETUP}\n{rival.setup}\nmake({id!r})")
            page.wait_for_selector(f"[data-at='{cell}'] {rival.bar}")
            box = page.locator(f"[data-at='{cell}']").get_by_label(label, exact=True)
            box.evaluate("box => { box.dataset.changed = ''; }")
            rolls.append({"cellId": cell, "control": rival.button, "output": rival.outcome})
            changes.append({"cellId": cell, "control": "[data-changed]", "text": text, "output": rival.odds})
        page.evaluate(REACT, [rolls, WARMUP])
        if id == ROLLED:
            durations["click"] = page.evaluate(REACT, [rolls, CLICKS])
        durations[id] = page.evaluate(REACT, [changes, CHANGES])
    durations["many"] = [[] for _ in RIVALS]
    for _ in range(ROUNDS):
        for index, rival in enumerate(RIVALS.values()):
            notebook.clear()
            notebook.run(f"{SETUP}\n{rival.setup}")
            many = f"w.VBox([make({BUILT!r}) for _ in range({MANY})])"
            durations["many"][index].append(page.evaluate(DISPLAY, [many, rival.bar, MANY]))
    notebook.clear()
    return durations


def table_times(notebook: Notebook) -> list[list[float]]:
    """Return the milliseconds from a click to the outcome, of one panel alone and of the first one at a table."""
    notebook.clear()
    notebook.run(AT_TABLE)
    rival = RIVALS["dicedocs"]
    cells = [run_cell(notebook, shown) for shown in ("seat()", "table")]
    for cell in cells:
        notebook.page.wait_for_selector(f"[data-at='{cell}'] {rival.button}")
    rolls = [{"cellId": cell, "control": rival.button, "output": rival.outcome} for cell in cells]
    notebook.page.evaluate(REACT, [rolls, WARMUP])
    durations: list[list[float]] = [[] for _ in rolls]
    for _ in range(ROUNDS):
        # Not by turns: what the table still does after an outcome would delay the panel alone.
        for own, roll in zip(durations, rolls, strict=True):
            own.extend(notebook.page.evaluate(REACT, [[roll], CHANGES])[0])
    notebook.clear()
    return durations


def building_costs(notebook: Notebook, rival: Rival) -> list[float]:
    """Return the milliseconds to build a panel, its models, and the characters of its saved state after a roll."""
    notebook.clear()
    notebook.run(f"{SETUP}\n{rival.setup}")
    notebook.run(
        "def rolled():\n    p = make('methuen/expression')\n    getattr(p, 'roll', lambda: p.post({'do': 'roll'}))()"
    )
    notebook.run(f"figures = build(lambda: make({BUILT!r}), {BUILDS})[:2] + build(rolled, {BUILDS})[2:]")
    figures: list[float] = notebook.ask("figures")
    return figures


def anydyce_costs(browser: Browser, lab: Lab) -> tuple[list[float], list[float]]:
    """Return the building costs of anydyce and its milliseconds per change; it never rolls, and draws an image."""
    with opened(browser, lab, "anydyce.ipynb", kernel="anydyce") as notebook:
        notebook.run(f"{SETUP}\n{THEIRS}\nfigures = build(make, 3)")
        figures: list[float] = notebook.ask("figures")
        notebook.clear()
        cell = run_cell(notebook, "make()")
        notebook.page.wait_for_selector(f"[data-at='{cell}'] img", timeout=60_000)
        change = {"cellId": cell, "control": "input[type=checkbox]", "output": ".jp-OutputArea", "image": "img"}
        [durations] = notebook.page.evaluate(REACT, [[change], WARMUP])
    return figures, durations


def shared_bytes() -> tuple[int, int]:
    """Return the saved bytes of JavaScript, CSS and drawings, and of a form and its texts, that all panels share."""
    code = """import json
from dicedocs_widgets import panel
front = panel("methuen/expression")._front
print(len(front.unpack) + len(front.packed), len(json.dumps([front.forms, front.texts])))"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    files, forms = map(int, done.stdout.split())
    return files, forms


def percentiles(durations: list[float]) -> str:
    """Return the median and the 95th percentile."""
    return f"{statistics.median(durations):.0f} / {statistics.quantiles(durations, n=20)[-1]:.0f}"


def main() -> None:
    """Measure everything and publish the table."""
    if CHROMIUM is None:
        sys.exit("Chromium was not found: install it, or set CHROMIUM to its path")
    python = environment()
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary) / "home"
        install_kernel(folder, python)
        settings = folder / "config" / "jupyter_server_config.py"
        settings.parent.mkdir()
        settings.write_text(NO_DELAY, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with serving(folder) as lab:
            with opened(browser, lab, "built.ipynb") as notebook:
                figures = [building_costs(notebook, rival) for rival in RIVALS.values()]
            with opened(browser, lab, "reactions.ipynb") as notebook:
                reactions = reaction_times(notebook) | {"table": table_times(notebook)}
            anydyce, anydyce_changes = anydyce_costs(browser, lab)
        browser.close()
    publish("widgets", results([*figures, anydyce], reactions, anydyce_changes))


def results(figures: list[list[float]], reactions: dict[str, list[list[float]]], anydyce_changes: list[float]) -> Table:
    """Return the table of all figures."""
    table = Table("a panel", "target", *RIVALS, "anydyce")
    table.row("ms to build a panel", "< 3", *(f"{milliseconds:.1f}" for milliseconds, _, _ in figures))
    table.row("models of a panel", "2", *(f"{models:.0f}" for _, models, _ in figures))
    table.row("KB saved of a panel with one roll", "≤ 3", *(f"{size / 1024:.1f}" for _, _, size in figures))
    files, forms = shared_bytes()
    table.row("KB of JavaScript, CSS and drawings, saved once", "≤ 16", f"{files / 1024:.1f}", "–", "–")
    table.row("KB of a form and of the texts, saved once", "–", f"{forms / 1024:.1f}", "–", "–")
    table.row("ms from a click to the outcome", "median ≤ 60", *map(percentiles, reactions["click"]), "–")
    alone, seated = map(statistics.median, reactions["table"])
    name = f"times as long at a table of {SEATS} with {SEATS * SEAT_ROLLS} rolls"
    table.row(name, "≤ 2", f"{seated / alone:.2f} ({alone:.0f}, {seated:.0f} ms)", "–", "–")
    for game, (id, *_) in MECHANICS.items():
        anydyce = percentiles(anydyce_changes) if id == ROLLED else "–"
        table.row(f"ms from a change to the odds, {game}", "< 100", *map(percentiles, reactions[id]), anydyce)
    many = (f"{min(durations) / 1000:.2f}" for durations in reactions["many"])
    table.row(f"s until {MANY} in a notebook are displayed", "< 1", *many, "–")
    return table


if __name__ == "__main__":
    main()
