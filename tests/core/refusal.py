"""What is too much is refused before it is begun: memory tells, on a busy machine as on an idle one."""

import gc
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dicedocs import DiceError


def refused(run, memory=1_000_000):
    """The error of ours that a run ends with, having taken fewer bytes than these."""
    with alone():
        tracemalloc.start()
        try:
            with pytest.raises(DiceError) as caught:
                run()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < memory
    return caught.value


@contextmanager
def alone() -> Iterator[None]:
    """Let nothing else of this process take memory: no thread that a test has left, and no collected garbage."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        sys.setswitchinterval(interval)
