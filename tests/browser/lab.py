"""A real JupyterLab and a notebook in it, driven as a person drives it.

One server, one page and one kernel serve many tests: each begins with an empty notebook (:meth:`Notebook.clear`)
and adds the cells it needs (:meth:`Notebook.run`).
"""

from __future__ import annotations

import ast
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page

SETTINGS: Mapping[str, Mapping[str, object]] = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
    "@jupyter-widgets/jupyterlab-manager/plugin": {"saveState": True},
}
"""What Lab would ask the network for is off, and widget state is saved, as `make notebook` has it."""
PATIENCE = 60
"""Seconds that a server, or a kernel, may take to start on a busy machine."""
OPEN = """async ([path, name]) => {
  const app = window.jupyterapp;
  const open = { path, factory: "Notebook", kernelPreference: { name } };
  const panel = (window.notebook = await app.commands.execute("docmanager:open", open));
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info; // what is run before this is silently dropped
  app.shell.activateById(panel.id);
}"""
RUN = """async (source) => {
  const { content } = notebook, cells = notebook.model.sharedModel, at = cells.cells.length;
  cells.insertCell(at, { cell_type: "code", source, metadata: { trusted: true } });
  content.activeCellIndex = at;
  await jupyterapp.commands.execute("notebook:run-cell");
  const { node, model } = content.widgets[at];
  node.dataset.at = model.id;
  const wrong = model.outputs.toJSON().find((one) => one.output_type === "error");
  return [model.id, wrong ? wrong.traceback.join("\\n").replace(/\\x1b\\[[0-9;]*m/g, "") : ""];
}"""
CLEAR = """() => {
  const cells = notebook.model.sharedModel;
  cells.deleteCellRange(0, cells.cells.length);
  return document.querySelector(".jp-Notebook .dd-panel") === null;
}"""
ASK = """async (it) => {
  const { kernel } = notebook.sessionContext.session;
  const reply = await kernel.requestExecute({ code: "", user_expressions: { it }, store_history: false }).done;
  return reply.content.user_expressions.it;
}"""


class Lab:
    """A server of JupyterLab with a folder of its own.

    Parameters:
        folder: where its notebooks are.
        url: its address.
        token: the word that opens it.
    """

    def __init__(self, folder: Path, url: str, token: str) -> None:
        self.folder = folder
        self.url = url
        self.token = token

    def write(self, name: str, *, kernel: str = "python3") -> str:
        """Write a notebook without cells, and give its name."""
        spec = {"name": kernel, "display_name": kernel, "language": "python"}
        held = {"cells": [], "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}
        (self.folder / name).write_text(json.dumps(held), encoding="utf-8")
        return name

    def read(self, name: str) -> dict[str, Any]:
        """Give a notebook as it was saved."""
        held: dict[str, Any] = json.loads((self.folder / name).read_text("utf-8"))
        return held


@contextmanager
def serving(folder: Path) -> Iterator[Lab]:
    """Serve JupyterLab from an empty folder, which has its settings too; nothing of the user's is read or written."""
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }
    notebooks = folder / "notebooks"
    notebooks.mkdir(parents=True)
    for plugin, chosen in SETTINGS.items():
        path = folder / "settings" / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(chosen), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser"]
    command += ["--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={notebooks}"]
    log = folder / "lab.log"
    with log.open("wb") as sink:
        server = subprocess.Popen(
            command,
            stdout=sink,
            stderr=sink,
            env=os.environ | {name: str(folder / place) for name, place in places.items()},
            start_new_session=True,
        )
    lab = Lab(notebooks, f"http://127.0.0.1:{port}", token)
    try:
        _await(lab, server, log)
        yield lab
    finally:
        server.send_signal(signal.SIGTERM)  # at one of these it ends its kernels too
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _await(lab: Lab, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(f"{lab.url}/api/status?token={lab.token}", timeout=5).close()  # noqa: S310
        except OSError:
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"JupyterLab did not start:\n{log.read_text('utf-8')[-3000:]}") from None
            time.sleep(0.05)
        else:
            return


class Notebook:
    """A tab of JupyterLab, and the notebook that is open in it.

    Attributes:
        complaints: what the page wrote to its console as errors.
        strangers: the addresses beyond this machine that the page asked.
    """

    def __init__(self, browser: Browser, lab: Lab, **context: Any) -> None:
        self.lab = lab
        self.name = ""
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.page: Page = browser.new_context(**{"viewport": {"width": 1280, "height": 1000}} | context).new_page()
        self.page.set_default_timeout(15_000)
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=lab.url)
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.on("websocket", lambda socket: self._note(socket.url.replace("ws:", "http:", 1)))
        self.page.goto(f"{lab.url}/lab?reset&token={lab.token}", timeout=PATIENCE * 1000)
        self.page.wait_for_function("() => window.jupyterapp", timeout=PATIENCE * 1000)
        self.page.evaluate("() => jupyterapp.restored.then(() => {})")

    def _note(self, url: str) -> None:
        if not url.startswith((self.lab.url, "data:", "blob:")):
            self.strangers.append(url)

    def open(self, name: str, *, kernel: str = "python3") -> None:
        """Open a notebook of the server's folder, with a kernel."""
        self.page.evaluate(OPEN, [name, kernel])
        self.name = name

    def close(self) -> None:
        """Save the notebook, close it, and end its kernel."""
        self.page.evaluate("""async () => {
          await notebook.context.save();
          await notebook.sessionContext.shutdown();
          notebook.dispose();
        }""")

    def clear(self) -> None:
        """Delete every cell, and close every widget behind them."""
        self.page.evaluate(CLEAR)
        self.ask("__import__('ipywidgets').Widget.close_all()")

    def run(self, source: str) -> Locator:
        """Add a cell at the end, run it, and give the cell.

        Raises:
            AssertionError: the code raised something.
        """
        id, wrong = self.page.evaluate(RUN, source)
        if wrong:
            raise AssertionError(wrong)
        return self.page.locator(f"[data-at='{id}']")

    def panel(self, source: str) -> Locator:
        """Run a cell, and give the first panel that it shows."""
        panel = self.run(source).locator(".dd-panel").first
        panel.wait_for()
        return panel

    def ask(self, expression: str) -> Any:
        """Give the value of an expression in the kernel, a literal."""
        answer = self.page.evaluate(ASK, expression)
        if answer["status"] != "ok":
            raise AssertionError("\n".join(answer["traceback"]))
        return ast.literal_eval(answer["data"]["text/plain"])

    def theme(self, name: str) -> None:
        """Change the theme, to ``JupyterLab Dark`` for one."""
        self.page.evaluate("(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme })", name)
        # Lab's body has no box of its own, so it never counts as visible.
        self.page.wait_for_selector(f"body[data-jp-theme-name='{name}']", state="attached")
