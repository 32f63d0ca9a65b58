"""A real JupyterLab with a notebook, driven like by a user.

Many tests share a server, a page and a kernel: each starts with an empty notebook (:meth:`Notebook.clear`)
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
"""No requests to the network, and widget state is saved, as with `make notebook`."""
PATIENCE = 60
"""Seconds that a server, or a kernel, may take to start on a busy machine."""
OPEN = """async ([path, name]) => {
  const app = window.jupyterapp;
  // The model of a saved panel must come within two seconds after its cell, in which a busy machine starts no kernel.
  // If JupyterLab has asked the kernel meanwhile, "widget model not found" stays there.
  const { kernels, sessions } = app.serviceManager;
  // JupyterLab lets a kernel go that is missing in a list which it asked for earlier.
  await Promise.all([sessions.refreshRunning(), kernels.refreshRunning()]);
  const session = await sessions.startNew({ path, name: path, type: "notebook", kernel: { name } });
  await Promise.race([session.kernel.info, new Promise((resolve) => session.disposed.connect(resolve))]);
  session.dispose();
  const open = { path, factory: "Notebook", kernelPreference: { name } };
  const panel = (window.notebook = await app.commands.execute("docmanager:open", open));
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info; // what is run before this is silently dropped
  app.shell.activateById(panel.id);
}"""
RUN = """async (source) => {
  const { content } = notebook, cells = notebook.model.sharedModel, index = cells.cells.length;
  cells.insertCell(index, { cell_type: "code", source, metadata: { trusted: true } });
  content.activeCellIndex = index;
  await jupyterapp.commands.execute("notebook:run-cell");
  const { node, model } = content.widgets[index];
  node.dataset.at = model.id;
  const error = model.outputs.toJSON().find((one) => one.output_type === "error");
  return [model.id, error ? error.traceback.join("\\n").replace(/\\x1b\\[[0-9;]*m/g, "") : ""];
}"""
CLEAR = """() => {
  const cells = notebook.model.sharedModel;
  cells.deleteCellRange(0, cells.cells.length);
  return document.querySelector(".jp-Notebook .dd-panel") === null;
}"""
ASK = """async (value) => {
  const { kernel } = notebook.sessionContext.session;
  const reply = await kernel.requestExecute({ code: "", user_expressions: { value }, store_history: false }).done;
  return reply.content.user_expressions.value;
}"""


class Lab:
    """A server of JupyterLab with a folder of its own.

    Parameters:
        folder: the folder of its notebooks.
        url: its address.
        token: its access token.
    """

    def __init__(self, folder: Path, url: str, token: str) -> None:
        self.folder = folder
        self.url = url
        self.token = token

    def write(self, name: str, *, kernel: str = "python3") -> str:
        """Write a notebook without cells, and return its name."""
        spec = {"name": kernel, "display_name": kernel, "language": "python"}
        notebook = {"cells": [], "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}
        (self.folder / name).write_text(json.dumps(notebook), encoding="utf-8")
        return name

    def read(self, name: str) -> dict[str, Any]:
        """Return a notebook as it was saved."""
        notebook: dict[str, Any] = json.loads((self.folder / name).read_text("utf-8"))
        return notebook


@contextmanager
def serving(folder: Path) -> Iterator[Lab]:
    """Serve JupyterLab from an empty folder, with settings of its own; no file of the user is read or written."""
    folders = {
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
            env=os.environ | {name: str(folder / own) for name, own in folders.items()},
            start_new_session=True,
        )
    lab = Lab(notebooks, f"http://127.0.0.1:{port}", token)
    try:
        _await(lab, server, log)
        yield lab
    finally:
        server.send_signal(signal.SIGTERM)  # it then ends its kernels too
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
    """A tab of JupyterLab with an open notebook.

    Attributes:
        console_errors: the errors that the page wrote to its console.
        external_requests: the addresses on other machines that the page requested.
    """

    def __init__(self, browser: Browser, lab: Lab, **context: Any) -> None:
        self.lab = lab
        self.name = ""
        self.console_errors: list[str] = []
        self.external_requests: list[str] = []
        self.page: Page = browser.new_context(**{"viewport": {"width": 1280, "height": 1000}} | context).new_page()
        self.page.set_default_timeout(15_000)
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=lab.url)
        self.page.on("console", lambda entry: self.console_errors.append(entry.text) if entry.type == "error" else None)
        self.page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.on("websocket", lambda socket: self._note(socket.url.replace("ws:", "http:", 1)))
        self.page.goto(f"{lab.url}/lab?reset&token={lab.token}", timeout=PATIENCE * 1000)
        self.page.wait_for_function("() => window.jupyterapp", timeout=PATIENCE * 1000)
        self.page.evaluate("() => jupyterapp.restored.then(() => {})")

    def _note(self, url: str) -> None:
        if not url.startswith((self.lab.url, "data:", "blob:")):
            self.external_requests.append(url)

    def open(self, name: str, *, kernel: str = "python3") -> None:
        """Open a notebook in the server's folder with a kernel."""
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
        """Delete all cells, and close their widgets."""
        self.page.evaluate(CLEAR)
        self.ask("__import__('ipywidgets').Widget.close_all()")

    def run(self, source: str) -> Locator:
        """Add a cell at the end, run it, and return it.

        Raises:
            AssertionError: the code raised an exception.
        """
        id, error = self.page.evaluate(RUN, source)
        if error:
            raise AssertionError(error)
        return self.page.locator(f"[data-at='{id}']")

    def panel(self, source: str) -> Locator:
        """Run a cell, and return the first panel in its output."""
        panel = self.run(source).locator(".dd-panel").first
        panel.wait_for()
        return panel

    def ask(self, expression: str) -> Any:
        """Return the value of an expression in the kernel; it must be a literal."""
        answer = self.page.evaluate(ASK, expression)
        if answer["status"] != "ok":
            raise AssertionError("\n".join(answer["traceback"]))
        return ast.literal_eval(answer["data"]["text/plain"])

    def theme(self, name: str) -> None:
        """Change the theme, for example to ``JupyterLab Dark``."""
        self.page.evaluate("(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme })", name)
        # The body has no size of its own, so it never counts as visible.
        self.page.wait_for_selector(f"body[data-jp-theme-name='{name}']", state="attached")
