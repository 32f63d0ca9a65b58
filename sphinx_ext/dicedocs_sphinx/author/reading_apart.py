"""Reading a book in a process of its own: its code changes nothing here, and is of the version that is there now.

A module that does so calls :func:`read_apart`, and :func:`answer` where it is that process.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from dicedocs import DiceError
from dicedocs_sphinx.author.book_reading import BookError, Progress

_ERROR: Final = "error"


def read_apart(
    module: str, book: Path | str, request: Mapping[str, Any], env: Mapping[str, str], progress: Progress | None = None
) -> dict[str, Any]:
    """Return what a module answers that runs in a process of its own.

    Parameters:
        module: its name.
        book: the folder of the book that it reads.
        request: what it is asked, as plain data.
        env: its environment.
        progress: is told how many pages are done.

    Raises:
        BookError: the book cannot be read.
    """
    with TemporaryDirectory() as folder:
        file, said = Path(folder) / "answer.json", Path(folder) / "said.txt"
        with said.open("wb") as errors:
            process = subprocess.Popen(  # noqa: S603  # our own module
                [sys.executable, "-P", "-m", module, str(file)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                # What it leaves behind if it is ended goes with this folder.
                env={**env, "TMPDIR": folder},
            )
            with process:
                try:
                    _converse(process, json.dumps(request), progress)
                except BaseException:
                    process.kill()
                    raise
        if not file.is_file():
            raise BookError(f"{book} cannot be read: {said.read_text('utf-8', 'replace').strip()}")
        data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    if _ERROR in data:
        raise BookError(data[_ERROR])
    return data


def _converse(process: subprocess.Popen[str], request: str, progress: Progress | None) -> None:
    """Write a request to a process, and report its progress until it ends."""
    if process.stdin is None or process.stdout is None:
        raise TypeError("the process has no pipes")
    # It may have ended already, and has then said why.
    with suppress(BrokenPipeError):
        process.stdin.write(request)
        process.stdin.close()
    for line in process.stdout:
        if progress is not None:
            done, total = map(int, line.split())
            progress(done, total)


def answer(read: Callable[[dict[str, Any], Progress], Mapping[str, Any]]) -> None:
    """Answer the request of :func:`read_apart`, or say why not.

    Parameters:
        read: returns the answer to a request; it is given a function that reports progress.
    """
    [file] = sys.argv[1:]
    request = json.load(sys.stdin)
    reports = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    # Whatever the code of a book prints is no report.
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())

    def report(done: int, total: int) -> None:
        print(done, total, file=reports, flush=True)

    try:
        data = dict(read(request, report))
    except DiceError as error:
        data = {_ERROR: str(error)}
    Path(file).write_text(json.dumps(data), encoding="utf-8")
    # Otherwise a fifth of the time goes to a search for garbage at the end, which ends with the process anyway.
    gc.freeze()
