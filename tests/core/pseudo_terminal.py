"""A command run in a terminal, with what it writes there."""

import os
import pty
import subprocess
import sys
from threading import Thread

from ..command_server import CommandServer


def run_in_terminal(*arguments, **environment):
    """Run Python with these arguments in a terminal of its own, and return its exit status and its output."""
    ours, theirs = pty.openpty()
    env = {name: text for name, text in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
    env |= {"TERM": "xterm"} | environment
    process = subprocess.Popen([sys.executable, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    written = b"".join(_read(ours))
    process.wait()
    return process.returncode, _text(written)


def run_served_in_terminal(server: CommandServer, folder, *command, **environment):
    """Do the same with a command of a server, in a folder."""
    ours, theirs = pty.openpty()
    written: list[bytes] = []
    reader = Thread(target=lambda: written.extend(_read(ours)))
    reader.start()
    # An empty one is none.
    env = {"NO_COLOR": "", "COLUMNS": "", "TERM": "xterm"} | environment
    done = server.run(folder, *command, terminal=os.ttyname(theirs), **env)
    os.close(theirs)
    reader.join()
    return done.returncode, _text(b"".join(written))


def _read(terminal):
    """Yield what is written in a terminal, and close it."""
    try:
        while block := os.read(terminal, 4096):
            yield block
    except OSError:  # how a closed terminal ends on Linux
        pass
    os.close(terminal)


def _text(written):
    return written.decode().replace("\r\n", "\n")
