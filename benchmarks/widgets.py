"""Panels in a real JupyterLab, beside the same panel from stock ipywidgets, and anydyce.

All run in one browser, in turns. What is built and kept is measured in the kernel; what is seen, in the page: from a
click or a key to the first frame that shows the change. anydyce draws with Matplotlib before 3.9, so it has
an environment, and a kernel, of its own.
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

from measured import Table, publish
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import CHROMIUM, FLAGS  # noqa: E402  # found from the root of the repository
from tests.browser.lab import Lab, Notebook, serving  # noqa: E402

ANYDYCE = ROOT / "build" / "bench" / "anydyce"
WANTED = ("anydyce==0.4.6", "matplotlib<3.9", "ipykernel")
ROLLED = "methuen/expression"
MECHANICS = {
    "Methuen": (ROLLED, "Expression", "3d6 + {}"),
    "Total//Effect": ("total-effect/roll", "Escalation", "{}"),
    "Mecha vs Kaiju": ("mecha-vs-kaiju/action", "Modifier", "{}"),
}
"""What is measured, by its game: a mechanic, the label of the box that is changed, and the text it is changed to."""
BUILT = "mage-in-the-metal/check"
CLICKS = 150
CHANGES = 40
WARMING = 8
ROUNDS = 3
BUILDS = 40
MANY = 20

AT_ONCE = """from jupyter_server.services.kernels.websocket import KernelWebsocketHandler as Handler
opened = Handler.open
async def open(self, *given, **named):
    self.set_nodelay(True)
    return await opened(self, *given, **named)
Handler.open = open
"""
"""The settings of a server that sends every packet at once.

Jupyter's leaves Nagle's algorithm on, which holds every other answer of a kernel back for 40 ms, whichever panel it is
for: chance would decide between two that differ by less.
"""
APART = 0.1
"""Seconds between two panels that are built, so that the one before is seen by then."""
AWAKE = 0.02
"""Seconds of work before each, as in a cell that does more than build: a processor that has slept begins slowly."""

SEEN = """async ([all, times]) => {
  const frame = () => new Promise(requestAnimationFrame);
  const rest = (ms) => new Promise((go) => setTimeout(go, ms));
  const once = async ({ at, act, text, shows, drawn }, n) => {
    const cell = document.querySelector(`[data-at="${at}"]`), target = cell.querySelector(shows);
    if (drawn) cell.querySelector(drawn).dataset.old = "";
    const enough = () => !drawn || cell.querySelector(`${drawn}:not([data-old])`);
    const changed = new Promise((go) => {
      const watch = new MutationObserver(() => enough() && (watch.disconnect(), go()));
      watch.observe(target, { childList: true, subtree: true, characterData: true });
    });
    const start = performance.now(), on = cell.querySelector(act);
    if (text) {
      on.value = text.replace("{}", n + 1);
      on.dispatchEvent(new Event("input", { bubbles: true }));
    } else on.click();
    await Promise.race([changed, rest(20_000).then(() => { throw new Error(`nothing changed: ${act}`); })]);
    await frame();
    const took = performance.now() - start;
    await rest(60 + Math.random() * 30);
    return took;
  };
  const took = all.map(() => []);
  for (let n = 0; n < times; n++) for (const [which, one] of all.entries()) took[which].push(await once(one, n));
  return took;
}"""
"""Clicks or types in each of several cells by turns, and gives the milliseconds to the first frame with the change."""
SHOWN = """async ([source, ready, many]) => {
  const cells = notebook.model.sharedModel, at = cells.cells.length;
  cells.insertCell(at, { cell_type: "code", source, metadata: { trusted: true } });
  notebook.content.activeCellIndex = at;
  const start = performance.now();
  jupyterapp.commands.execute("notebook:run-cell");
  const { node } = notebook.content.widgets[at];
  while (node.querySelectorAll(ready).length < many) {
    await new Promise(requestAnimationFrame);
    if (performance.now() - start > 60_000) throw new Error(`not seen: ${ready}`);
  }
  return performance.now() - start;
}"""
SETUP = f"""import json, statistics, sys, time
sys.path.insert(0, {str(ROOT / "benchmarks")!r})
import ipywidgets as w
def models():
    return len(w.Widget.get_manager_state()["state"])
def saved(since):
    state = w.Widget.get_manager_state(drop_defaults=True)["state"]
    return sum(len(json.dumps(held)) for id, held in state.items() if id not in since)
def built(make, times):
    make()
    before, took = set(w.Widget.get_manager_state()["state"]), []
    for _ in range(times):
        time.sleep({APART})
        start = time.perf_counter() + {AWAKE}
        while time.perf_counter() < start:
            pass
        make()
        took.append((time.perf_counter() - start) * 1000)
    after = w.Widget.get_manager_state()["state"]
    return [statistics.median(took), (len(after) - len(before)) / times, saved(before) / times]"""
OURS = "from dicedocs_widgets import panel as make"
STOCK = "from stock_panel import StockPanel as make"
THEIRS = """import matplotlib
matplotlib.use("agg")
from anydyce import jupyter_visualize
from dyce import H
def make():
    jupyter_visualize([("3d6", 3 @ H(6))])"""


class Rival:
    """A panel to be measured: how it is made in the kernel, and where in the page its parts are.

    Parameters:
        setup: what is run before.
        press: the button that rolls.
        outcome: where the outcome stands.
        odds: where the odds stand.
        bar: one of the bars, or what holds them.
    """

    def __init__(self, setup: str, press: str, outcome: str, odds: str, bar: str) -> None:
        self.setup = setup
        self.press = press
        self.outcome = outcome
        self.odds = odds
        self.bar = bar


RIVALS = {
    "dicedocs": Rival(OURS, ".dd-main", "[role=status]", ".dd-odds ol", ".dd-odds:has(li)"),
    "stock": Rival(STOCK, ".stock-roll", ".stock-outcome", ".stock-odds", ".stock-odds:has(meter)"),
}


def environment() -> Path:
    """Give the Python of an environment that has anydyce and nothing of ours."""
    python = ANYDYCE / "bin" / "python"
    if not (ANYDYCE / ".ready").exists():
        venv.create(ANYDYCE, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *WANTED], check=True)
        (ANYDYCE / ".ready").touch()
    return python


def offer(folder: Path, python: Path) -> None:
    """Let the server that will be started in a folder know a kernel of another environment."""
    spec = folder / "data" / "kernels" / "anydyce" / "kernel.json"
    spec.parent.mkdir(parents=True)
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": command, "display_name": "anydyce", "language": "python"}), encoding="utf-8")


@contextmanager
def opened(browser: Browser, lab: Lab, name: str, *, kernel: str = "python3") -> Iterator[Notebook]:
    """Give a notebook with a page and a kernel of its own."""
    notebook = Notebook(browser, lab)
    notebook.open(lab.write(name, kernel=kernel), kernel=kernel)
    yield notebook
    notebook.close()
    notebook.page.context.close()


def at(notebook: Notebook, source: str) -> str:
    """Run a cell and give its id."""
    id: str | None = notebook.run(source).get_attribute("data-at")
    if id is None:
        raise RuntimeError("the cell has no id")
    return id


def times(notebook: Notebook) -> dict[str, list[list[float]]]:
    """Give the milliseconds of all that is seen, for each rival: they take turns, press by press."""
    page, took = notebook.page, {}
    for id, label, text in MECHANICS.values():
        notebook.clear()
        rolls, changes = [], []
        for rival in RIVALS.values():
            cell = at(notebook, f"{SETUP}\n{rival.setup}\nmake({id!r})")
            page.wait_for_selector(f"[data-at='{cell}'] {rival.bar}")
            box = page.locator(f"[data-at='{cell}']").get_by_label(label, exact=True)
            box.evaluate("box => { box.dataset.changed = ''; }")
            rolls.append({"at": cell, "act": rival.press, "shows": rival.outcome})
            changes.append({"at": cell, "act": "[data-changed]", "text": text, "shows": rival.odds})
        page.evaluate(SEEN, [rolls, WARMING])
        if id == ROLLED:
            took["click"] = page.evaluate(SEEN, [rolls, CLICKS])
        took[id] = page.evaluate(SEEN, [changes, CHANGES])
    took["many"] = [[] for _ in RIVALS]
    for _ in range(ROUNDS):
        for which, rival in enumerate(RIVALS.values()):
            notebook.clear()
            notebook.run(f"{SETUP}\n{rival.setup}")
            many = f"w.VBox([make({BUILT!r}) for _ in range({MANY})])"
            took["many"][which].append(page.evaluate(SHOWN, [many, rival.bar, MANY]))
    notebook.clear()
    return took


def kept(notebook: Notebook, rival: Rival) -> list[float]:
    """Give milliseconds to build a panel in a kernel, its models, and the characters of its saved state."""
    notebook.clear()
    notebook.run(f"{SETUP}\n{rival.setup}")
    notebook.run(
        "def rolled():\n    p = make('methuen/expression')\n    getattr(p, 'roll', lambda: p.tell({'do': 'roll'}))()"
    )
    notebook.run(f"figures = built(lambda: make({BUILT!r}), {BUILDS})[:2] + built(rolled, {BUILDS})[2:]")
    found: list[float] = notebook.ask("figures")
    return found


def others(browser: Browser, lab: Lab) -> tuple[list[float], list[float]]:
    """Give the same of anydyce, which never rolls: what changes in it is a picture."""
    with opened(browser, lab, "anydyce.ipynb", kernel="anydyce") as notebook:
        notebook.run(f"{SETUP}\n{THEIRS}\nfigures = built(make, 3)")
        figures: list[float] = notebook.ask("figures")
        notebook.clear()
        cell = at(notebook, "make()")
        notebook.page.wait_for_selector(f"[data-at='{cell}'] img", timeout=60_000)
        change = {"at": cell, "act": "input[type=checkbox]", "shows": ".jp-OutputArea", "drawn": "img"}
        took: list[list[float]] = notebook.page.evaluate(SEEN, [[change], WARMING])
    return figures, took[0]


def once() -> tuple[int, int]:
    """Give the bytes of module and styles, and of all else that panels share, as they are saved."""
    code = """import json
from dicedocs_widgets import panel
from dicedocs_widgets.frontend import packed
front = panel("methuen/expression")._front
print(len(packed()), len(json.dumps([front.forms, front.shapes])))"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    files, rest = map(int, done.stdout.split())
    return files, rest


def spread(took: list[float]) -> str:
    """Give the middle and the 95th of a hundred."""
    return f"{statistics.median(took):.0f} / {statistics.quantiles(took, n=20)[-1]:.0f}"


def main() -> None:
    """Measure all in turns and publish the table."""
    if CHROMIUM is None:
        sys.exit("there is no Chromium: install it, or name it in CHROMIUM")
    python = environment()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place) / "home"
        offer(folder, python)
        settings = folder / "config" / "jupyter_server_config.py"
        settings.parent.mkdir()
        settings.write_text(AT_ONCE, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with serving(folder) as lab:
            with opened(browser, lab, "built.ipynb") as notebook:
                figures = [kept(notebook, rival) for rival in RIVALS.values()]
            with opened(browser, lab, "seen.ipynb") as notebook:
                seen = times(notebook)
            anydyce, redrawn = others(browser, lab)
        browser.close()
    publish("widgets", tabled([*figures, anydyce], seen, redrawn))


def tabled(figures: list[list[float]], seen: dict[str, list[list[float]]], redrawn: list[float]) -> Table:
    """Lay the figures out."""
    table = Table("a panel", "asked", *RIVALS, "anydyce")
    table.row("ms to build one", "< 3", *(f"{one[0]:.1f}" for one in figures))
    table.row("models of one", "2", *(f"{one[1]:.0f}" for one in figures))
    table.row("KB saved of one that has rolled", "≤ 5", *(f"{one[2] / 1024:.1f}" for one in figures))
    files, rest = once()
    table.row("KB of module and styles, saved once", "≤ 24", f"{files / 1024:.1f}", "–", "–")
    table.row("KB of a form and of drawings, saved once", "–", f"{rest / 1024:.1f}", "–", "–")
    table.row("ms from a click to the outcome", "< 80", *map(spread, seen["click"]), "–")
    for called, (id, *_) in MECHANICS.items():
        theirs = spread(redrawn) if id == ROLLED else "–"
        table.row(f"ms from a change to the odds, {called}", "< 100", *map(spread, seen[id]), theirs)
    many = (f"{min(took) / 1000:.2f}" for took in seen["many"])
    table.row(f"s until {MANY} in a notebook are seen", "< 1", *many, "–")
    return table


if __name__ == "__main__":
    main()
