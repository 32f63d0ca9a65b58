"""A clock for code that may never return, such as that of a game.

It counts the processor time of the code, so that nothing is given up because others keep the machine busy. Time in
which the code waits counts too, but less.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from functools import partial
from types import FrameType, TracebackType
from typing import Final, Self

from dicedocs.errors import LimitError
from dicedocs.faults import author_line

_AGAIN: Final = 0.25
"""Seconds until the clock strikes again, should the code have been kept waiting, or have swallowed the exception."""
_WAITS: Final = 10
"""So many seconds count as one in which the code works."""
_SOON: Final = 1e-6
"""The shortest time to which an alarm can be set."""


class TimeUp(BaseException):
    """Raised in code whose time is up; no ``except Exception`` of a game may catch it.

    Attributes:
        distributions: how many are being counted one after the other; 0 if it is not odds that take so long.
        has_played: whether a play of the rule has ended since the last of them was begun.
    """

    distributions = 0
    has_played = False


class Stopwatch:
    """The seconds that the thread that makes it has worked since; a tenth of all seconds, if that is more.

    What others do with the processor meanwhile counts for nothing, unless it is nearly all. Where the host has no clock
    for a thread, as on Windows and macOS, the time of all threads of the process counts.
    """

    def __init__(self) -> None:
        self._worked = time.process_time
        if hasattr(time, "pthread_getcpuclockid"):
            self._worked = partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
        self._begun = self._worked(), time.monotonic()

    def seconds(self) -> float:
        """Return how many they are, also in another thread while this one goes on."""
        worked, passed = self._begun
        return max(self._worked() - worked, (time.monotonic() - passed) / _WAITS)


class time_limit:  # noqa: N801  # a context manager, named as those of contextlib
    """A context in which the code may work only so many seconds, or wait ten times as long; another may be within it.

    In the main thread it is an alarm signal, which also ends a wait; an alarm that was set before still goes off at
    its time. Elsewhere, and on Windows, a thread watches. Code in C that never returns to Python is not interrupted.
    In a browser there are neither alarms nor threads, and so no limit: a page ends the worker in which the code runs.

    Parameters:
        seconds: the limit in seconds of :class:`Stopwatch`; without a positive one there is none.
        what: what is limited, for the error.
        more: how to get more time, for the error.

    Raises:
        LimitError: the time was up; the error names the line of the game that was running.

    >>> with time_limit(0.05, "a loop"):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    ...
    dicedocs.errors.LimitError: a loop takes longer than 0.05 seconds (...); make sure it ends
    """

    def __init__(self, seconds: float, what: str, more: str = "") -> None:
        self._seconds = seconds
        self._what = what
        self._more = more
        self._done = self._struck = False

    def __enter__(self) -> Self:
        self._clock: _Alarm | _Watcher | None = None
        if self._seconds > 0 and sys.platform != "emscripten":
            self._stopwatch = Stopwatch()
            self._clock = _Alarm(self) if _can_set_alarm() else _Watcher(self)
            self._clock.start(self._seconds)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._done = True
        if self._clock is not None:
            self._clock.stop()
        if self._struck and (kind is None or isinstance(error, TimeUp)):
            raise self._error(error or TimeUp()) from None

    def _error(self, error: BaseException) -> LimitError:
        where = author_line(error.__traceback__)
        what, fewer = f"{self._what} takes", "make sure it ends" if where else ""
        if isinstance(error, TimeUp) and error.distributions and (error.has_played or not where):
            one = error.distributions == 1
            what = "the odds take" if one else f"{error.distributions} distributions take"
            fewer = "throw fewer dice" if one else "ask for fewer"
        message = f"{what} longer than {self._seconds:g} seconds{f' ({where})' if where else ''}"
        return LimitError(message, limit="SECONDS", hint=", or ".join(filter(None, [fewer, self._more])))

    def strike(self) -> bool:
        """Return whether the code still runs although its time is up, and note that it is."""
        if self._done or self._stopwatch.seconds() < self._seconds:
            return False
        self._struck = True
        return True


def _can_set_alarm() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        # A handler that was not set by Python could not be set again.
        and signal.getsignal(signal.SIGALRM) is not None
    )


class _Alarm:
    """The alarm of the process, which may be set to an earlier time by others."""

    def __init__(self, limit: time_limit) -> None:
        self._limit = limit

    def start(self, seconds: float) -> None:
        self._start = time.monotonic()
        self._end = self._start + seconds
        self._outer_handler = signal.signal(signal.SIGALRM, self._ring)
        remaining, self._outer_interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        self._outer_end = self._start + remaining if remaining else None
        if remaining and remaining < seconds:
            signal.setitimer(signal.ITIMER_REAL, remaining, _AGAIN)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._outer_handler)
        if self._outer_end is not None:
            remaining = max(self._outer_end - time.monotonic(), _SOON)
            signal.setitimer(signal.ITIMER_REAL, remaining, self._outer_interval)

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._outer_end is not None and now >= self._outer_end:
            self._outer_end = now + self._outer_interval if self._outer_interval else None
            # The outer alarm may ring again before this one: as long as the code was kept waiting.
            left = [end - now for end in (self._end, self._outer_end) if end is not None and end > now]
            signal.setitimer(signal.ITIMER_REAL, max(min(left, default=_AGAIN), _SOON), _AGAIN)
            if callable(self._outer_handler):
                self._outer_handler(signum, frame)
            elif self._outer_handler is signal.SIG_DFL:
                signal.signal(signum, signal.SIG_DFL)
                signal.raise_signal(signum)
        if now >= self._end and not _is_own(frame) and self._limit.strike():
            raise TimeUp


class _Watcher:
    """A thread that raises the exception in another thread."""

    def __init__(self, limit: time_limit) -> None:
        self._limit = limit
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._running = True
        self._stopped = threading.Event()
        self._begun = threading.Lock()

    def start(self, seconds: float) -> None:
        self._begun.acquire()
        _thread.start_new_thread(self._watch, (seconds,))
        # Until the new thread runs it bears the number of this one, and an outer watcher would strike it instead of
        # this one. A `threading.Thread` waits too, but in frames of its own, in which this one could be struck.
        self._begun.acquire()

    def stop(self) -> None:
        with self._lock:
            self._running = False
        self._stopped.set()

    def _watch(self, seconds: float) -> None:
        self._begun.release()
        while not self._stopped.wait(seconds):
            with self._lock:
                # The other thread stands still while this one looks at it, and gets the exception where it stands.
                frame = sys._current_frames().get(self._thread)
                if self._running and not _is_own(frame) and self._limit.strike():
                    _raise_in(self._thread, TimeUp)
            seconds = _AGAIN


def _is_own(frame: FrameType | None) -> bool:
    """Return whether a frame is one of this module: then the code has just ended, or not yet begun."""
    return frame is not None and frame.f_globals is globals()


def _raise_in(thread: int, exception: type[BaseException]) -> None:
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))
