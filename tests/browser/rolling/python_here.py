"""Python for pages that roll, here instead of in WebAssembly: what a page shows of an answer needs no Pyodide.

Pyodide takes seconds of each page that starts it. Here a page finds another `Worker`, which hands its messages to a
process that plays the same examples, with the same list of the book, as `worker.mjs` does. It is a process of its own
because a book announces its mechanics and imports its games, which other tests would find.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import BrowserContext

from dicedocs.panel.page_player import PagePlayer

WORKER = """globalThis.Worker = class {
  #name = `${Math.random()}`;
  #address;
  #ended = false;
  constructor(address) {
    this.#address = address;
  }
  async postMessage({ manifest, integrity, message }) {
    const list = manifest && await (await fetch(new URL(manifest, this.#address), { integrity })).json();
    const answer = await pythonHere(this.#name, list ?? message);
    if (!this.#ended) this.onmessage({ data: list ? { ready: true, integrity: list.integrity } : { answer } });
  }
  terminate() {
    this.#ended = true;
  }
};"""


class PythonHere:
    """The process that plays.

    Parameters:
        books: the folders of books in which games may be.
    """

    def __init__(self, *books: Path) -> None:
        command = [sys.executable, __file__, *map(str, books)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def play_in(self, context: BrowserContext) -> None:
        """Let the pages of a window play here."""
        context.expose_function("pythonHere", self._ask)
        context.add_init_script(WORKER)

    def _ask(self, worker: str, told: Mapping[str, Any]) -> object:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([worker, told]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def play() -> None:
    """Answer each line of standard input: a worker, and its list of the book or a message."""
    players: dict[str, PagePlayer] = {}
    for line in sys.stdin:
        worker, told = json.loads(line)
        if worker not in players:
            players[worker] = player(told)
            print("null", flush=True)  # noqa: T201
        else:
            print(json.dumps(players[worker].receive(told)), flush=True)  # noqa: T201


def player(listed: Mapping[str, Any]) -> PagePlayer:
    """Return what plays the examples of a page, given the list of its book; see `worker.mjs`."""
    for path in listed["paths"]:
        # The first part is the folder of the archive for what stands in the book.
        inside = PurePosixPath(*PurePosixPath(path).parts[1:])
        sys.path[:0] = [str(Path(book, inside)) for book in sys.argv[1:] if Path(book, inside).is_dir()]
    return PagePlayer(**listed["player"])


if __name__ == "__main__":
    play()
