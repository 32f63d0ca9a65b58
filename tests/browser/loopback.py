"""A network namespace with nothing but loopback, for servers and browsers: what runs in it reaches nothing else.

A process of its own holds the namespace, and opens the sockets of servers in it; the servers themselves run in the
process of the tests.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_UP = 0x1
_SET_FLAGS = 0x8914
_BY_ROOT = os.geteuid() == 0


class NoNamespaceError(Exception):
    """No namespace can be made here; the text says why."""


class Loopback:
    """A namespace.

    Parameters:
        holder: the process that holds it.
        channel: where that process is asked for sockets.
    """

    def __init__(self, holder: int, channel: socket.socket) -> None:
        self._channel = channel
        user = [] if _BY_ROOT else ["--user", "--preserve-credentials"]
        self.enter = ["nsenter", f"--target={holder}", "--net", *user]
        """The words before a command that is to run in it."""

    def listen(self) -> socket.socket:
        """Return a socket that listens there, on a free port."""
        self._channel.sendall(b"?")
        _text, [descriptor], _flags, _address = socket.recv_fds(self._channel, 1, 1)
        return socket.socket(fileno=descriptor)

    def wrapped(self, program: str, folder: Path) -> str:
        """Return the path of a script in a folder that runs a program there."""
        script = folder / "wrapped"
        script.write_text(f'#!/bin/sh\nexec {shlex.join([*self.enter, program])} "$@"\n', "utf-8")
        script.chmod(0o755)
        return str(script)


@contextmanager
def loopback_only() -> Iterator[Loopback]:
    """Make a namespace, which is there while a ``with`` statement runs.

    Raises:
        NoNamespaceError: this machine or this user cannot have one.
    """
    ours, theirs = socket.socketpair()
    user = [] if _BY_ROOT else ["--map-root-user"]
    command = ["unshare", "--net", *user, sys.executable, __file__, str(theirs.fileno())]
    try:
        holder = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE, text=True)
    except FileNotFoundError as error:
        raise NoNamespaceError(str(error)) from None
    theirs.close()
    with holder, ours:
        if ours.recv(1) != b"!":
            raise NoNamespaceError((holder.stderr.read() if holder.stderr else "").strip())
        yield Loopback(holder.pid, ours)
        # It ends with the channel.
        ours.close()


def hold(channel: socket.socket) -> None:
    """Switch loopback on, and open sockets for who asks, until nobody can ask any more."""
    with socket.socket() as one:
        fcntl.ioctl(one, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))
    channel.sendall(b"!")
    while channel.recv(1):
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.send_fds(channel, [b"!"], [server.fileno()])


if __name__ == "__main__":
    hold(socket.socket(fileno=int(sys.argv[1])))
