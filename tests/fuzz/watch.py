"""Running one input under watch: how it ended, how long it took and how much memory it needed at most."""

from __future__ import annotations

import faulthandler
import linecache
import resource
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import Final, NamedTuple

from dicedocs import DiceError

from ..hostile import HostileError

_SECONDS: Final = 1.0
"""The processor time that an input may take."""
_MEMORY: Final = 200_000_000
"""The bytes that it may need beyond what was in use before."""
_GIVE_UP_SECONDS: Final = 5.0
"""The processor time after which an input is stopped: how busy the machine is does not matter."""
_HANG_SECONDS: Final = 60.0
"""The time after which the process is ended in which Python gets no turn, or which waits."""
_SUMS: Final = 1_000_000
"""The sums that a machine of the usual speed makes in a twentieth of a second."""
_ADDRESS_SPACE: Final = 3_000_000_000
_ROOT: Final = Path(__file__).parents[2]
_PACKAGES: Final = tuple(str(_ROOT / name) for name in ("dicedocs", "sphinx_ext", "widgets"))


class Ending(NamedTuple):
    """How an input ended.

    Parameters:
        how: ``"accepted"``, ``"refused"``, or what was wrong.
        where: the place of an exception, or the message of a refusal.
        seconds: processor time.
        memory: bytes at most, beyond those before.
    """

    how: str
    where: str
    seconds: float
    memory: int

    @property
    def wrong(self) -> bool:
        return self.how not in {"accepted", "refused"}


class GaveUp(BaseException):
    """An input took so long that it was stopped."""


def limit_memory() -> None:
    """Let Python raise a ``MemoryError`` long before the machine swaps."""
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))


def slowness() -> float:
    """Return how much slower than usual this machine is now; 1 if it is not."""
    started, total = time.process_time(), 0
    for number in range(_SUMS):
        total += number
    return max(1.0, 20 * (time.process_time() - started))


def watch(run: Callable[[], object], scale: float = 1, patience: int = 1) -> Ending:
    """Run an input and return how it ended.

    Parameters:
        run: puts it in.
        scale: how much slower than usual the machine may be.
        patience: how many times the usual time and memory it may take.
    """
    scale *= patience
    signal.signal(signal.SIGPROF, _give_up)
    # Where Python never gets a turn, such as in a sum over an iterator without end, only the end of the process helps.
    faulthandler.dump_traceback_later(_HANG_SECONDS * scale, exit=True)
    signal.setitimer(signal.ITIMER_PROF, _GIVE_UP_SECONDS * scale)
    before, started = _reset_peak(), time.process_time()
    how, where = "accepted", ""
    try:
        run()
    except GaveUp as stop:
        how, where = f"did not end in {_GIVE_UP_SECONDS * scale:g} s", _place(stop.__traceback__)
    except DiceError as error:
        how, where = "refused", str(error)
    except HostileError:
        how = "refused"
    except Exception as error:  # noqa: BLE001  # that is what is looked for
        if not _is_python_mistake(error):
            how, where = f"{type(error).__name__}: {str(error)[:80]}", _place(error.__traceback__)
        else:
            how = "refused"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
    seconds, memory = time.process_time() - started, _peak() - before
    if how in {"accepted", "refused"} and seconds > _SECONDS * scale:
        how = "slow"
    if how in {"accepted", "refused"} and memory > _MEMORY * patience:
        how = "large"
    return Ending(how, where, seconds, memory)


def _is_python_mistake(error: Exception) -> bool:
    """Return whether an error is what Python says to a call that cannot be meant, not what escaped from within.

    That is a ``TypeError`` or ``AttributeError`` of the call itself or of a function that the caller gave, or a
    ``TypeError`` that one of our lines raises.
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not isinstance(error, TypeError | AttributeError):
        return False
    last = frames[-1]
    if not last.filename.startswith(_PACKAGES):
        return not any(frame.filename.startswith(_PACKAGES) for frame in frames)
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return isinstance(error, TypeError) and (line.startswith("raise") or "function(" in line)


def _place(trace: TracebackType | None) -> str:
    """Return the last place in our packages."""
    frames = [frame for frame in traceback.extract_tb(trace) if frame.filename.startswith(_PACKAGES)]
    if not frames:
        return traceback.format_tb(trace)[-1].strip() if trace else ""
    last = frames[-1]
    return f"{Path(last.filename).relative_to(_ROOT)}:{last.lineno} in {last.name}"


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise GaveUp


def _reset_peak() -> int:
    """Set the mark of the largest memory back, where the system can, and return the memory in use."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _status("VmRSS")


def _peak() -> int:
    return _status("VmHWM")


def _status(name: str) -> int:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:  # not on Linux
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return int(status.partition(f"{name}:")[2].split()[0]) * 1024
