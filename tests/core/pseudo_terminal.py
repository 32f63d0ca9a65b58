"""A command run in a terminal, with what it writes there."""

import os
import pty
import subprocess
import sys


def run_in_terminal(*arguments, **environment):
    """Run Python with these arguments in a terminal of its own, and return its exit status and its output."""
    ours, theirs = pty.openpty()
    env = {name: text for name, text in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
    env |= {"TERM": "xterm"} | environment
    process = subprocess.Popen([sys.executable, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    written = b""
    try:
        while block := os.read(ours, 4096):
            written += block
    except OSError:  # how a closed terminal ends on Linux
        pass
    os.close(ours)
    process.wait()
    return process.returncode, written.decode().replace("\r\n", "\n")
