"""Firefox and WebKit, each driven by what it speaks itself: Debian has no driver that does both.

Firefox speaks WebDriver BiDi on a socket; WebKit's driver needs a screen, which Xvfb gives.
"""

import json
import os
import re
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from selenium.webdriver import WebKitGTK
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from websocket import WebSocket, create_connection

MINIBROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)


class Engine(Protocol):
    """A browser with one page."""

    def open(self, address: str) -> None:
        """Open a page."""

    def run(self, code: str) -> Any:
        """Run the body of an asynchronous function in the page, and return what it returns."""

    def pdf(self) -> bytes:
        """Return the page as it is printed.

        Raises:
            NotImplementedError: its driver prints nothing.
        """


class _Firefox:
    def __init__(self, address: str) -> None:
        self._socket: WebSocket = create_connection(f"{address}/session", suppress_origin=True, timeout=90)
        self._number = 0
        self._ask("session.new", capabilities={})
        [tab] = self._ask("browsingContext.getTree")["contexts"]
        self._tab = tab["context"]

    def _ask(self, method: str, **params: object) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv())).get("id") != self._number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def close(self) -> None:
        self._socket.close()

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def run(self, code: str) -> Any:
        expression = f"(async () => JSON.stringify(await (async () => {{ {code} }})() ?? null))()"
        answer = self._ask("script.evaluate", expression=expression, target={"context": self._tab}, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def pdf(self) -> bytes:
        return b64decode(self._ask("browsingContext.print", context=self._tab)["data"])


class _WebKit:
    def __init__(self, driver: WebKitGTK) -> None:
        self._driver = driver
        driver.set_script_timeout(160)

    def open(self, address: str) -> None:
        self._driver.get(address)

    def run(self, code: str) -> Any:
        done = "(one) => arguments[0]({ one }), (error) => arguments[0]({ error: `${error}` })"
        answer = self._driver.execute_async_script(f"(async () => {{ {code} }})().then({done})")
        assert "error" not in answer, answer
        return answer.get("one")

    def pdf(self) -> bytes:
        raise NotImplementedError


@contextmanager
def firefox(folder: Path) -> Iterator[Engine]:
    """Run Firefox while a ``with`` statement runs, with its profile in a folder."""
    command = ["firefox-esr", "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = (re.search(r"WebDriver BiDi listening on (\S+)", line) for line in process.stderr)
            with closing(_Firefox(next(one[1] for one in found if one))) as running:
                yield running
        finally:
            process.terminate()


@contextmanager
def webkit(folder: Path) -> Iterator[Engine]:
    """Run WebKit on a screen of its own while a ``with`` statement runs."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as screen:
        try:
            assert screen.stdout is not None
            display = screen.stdout.readline().strip()
            # As root it starts in no sandbox.
            root = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"} if os.geteuid() == 0 else {}
            environment = {**os.environ, **root, "DISPLAY": f":{display}", "HOME": str(folder)}
            options = Options()
            options.binary_location = str(MINIBROWSER)
            options.add_argument("--automation")
            service = Service(shutil.which("WebKitWebDriver"), env=environment)
            with WebKitGTK(options=options, service=service) as driver:
                yield _WebKit(driver)
        finally:
            screen.terminate()
