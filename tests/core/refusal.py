"""What is too much is refused before it is begun: memory tells, on a busy machine as on an idle one."""

import tracemalloc

import pytest

from dicedocs import DiceError


def refused(run, memory=1_000_000):
    """The error of ours that a run ends with, having taken fewer bytes than these."""
    tracemalloc.start()
    try:
        with pytest.raises(DiceError) as caught:
            run()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < memory
    return caught.value
