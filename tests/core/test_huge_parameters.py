"""Huge values of any parameter of any mechanic end at once, in little memory, with an outcome or one of our errors."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SECONDS = 120
"""The time for all plays, on a busy machine; they take about 8 s on an idle one."""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read as Linux has it")
@pytest.mark.timeout(SECONDS + 30)
@pytest.mark.thorough
def test_huge_values_are_refused_or_played_at_once():
    path = os.pathsep.join([str(HERE.parent / "ember"), *sys.path])
    command = [sys.executable, str(HERE / "huge_parameters.py")]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    # The last line names the play that did not end well.
    assert done.stdout.splitlines()[-1:] == ["all ended"], done.stderr[-3_000:]
    assert done.returncode == 0
