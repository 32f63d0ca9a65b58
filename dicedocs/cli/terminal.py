"""The command and who started it: what it prints where, and how it is ended."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from typing import Final, NamedTuple, Self, TextIO

from dicedocs.errors import printable
from dicedocs.rules.mechanic import Mechanic

PROGRESS_INTERVAL: Final = 0.5
"""Seconds before the first report of progress and between two reports."""
_BAR_WIDTH: Final = 20
"""Characters of a bar between its brackets."""


class Styles(NamedTuple):
    """The escape sequences that begin bold text, begin dim text and end both; empty for plain output."""

    bold: str = ""
    dim: str = ""
    end: str = ""


def styles(stream: TextIO) -> Styles:
    """Return the styles of a stream; only a terminal has any, and none if ``NO_COLOR`` is set."""
    styled = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Styles("\033[1m", "\033[2m", "\033[0m") if styled else Styles()


def game_prints() -> AbstractContextManager[object]:
    """Return a context in which what a game prints goes to standard error: a program may read our output."""
    return redirect_stdout(sys.stderr)


def note_doubt(rule: object) -> None:
    """Print on standard error what the author of a rule's parameters may not have meant."""
    doubt = rule.doubt() if isinstance(rule, Mechanic) else None
    if doubt is not None:
        print(f"note: {doubt}", file=sys.stderr)


def progress_bar(done: int, total: int) -> str:
    """Return a bar of fixed width for a :class:`ProgressLine`, with how much of it is done.

    >>> progress_bar(1, 4)
    '[#####...............]  25%'
    """
    share = done / total if total else 1.0
    filled = round(share * _BAR_WIDTH)
    return f"[{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {share:4.0%}"


class Terminated(KeyboardInterrupt):
    """The process is asked to end."""


@contextmanager
def raising_terminated() -> Iterator[None]:
    """Raise :class:`Terminated` where the process would end at once, so that what was begun is cleared away.

    Only a thread that can be told so is, and only where there is such a signal.
    """
    signum = getattr(signal, "SIGTERM", None)
    if signum is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise Terminated

    outer = signal.signal(signum, end)
    try:
        yield
    finally:
        # A handler that was not set by Python cannot be set again.
        signal.signal(signum, signal.SIG_DFL if outer is None else outer)


class ProgressLine:
    """A context in which progress overwrites one line of standard error, if that is a terminal.

    Parameters:
        interval: the minimum number of seconds between two reports.
    """

    def __init__(self, interval: float = 0) -> None:
        self._interval = interval
        # There is no standard error if it was closed before the start.
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._visible = False
        self._updated = time.monotonic()

    def show(self, text: str) -> None:
        if self._terminal and time.monotonic() - self._updated >= self._interval:
            print(f"\r{printable(text)}", end="", file=sys.stderr, flush=True)
            self._visible, self._updated = True, time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._visible:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
