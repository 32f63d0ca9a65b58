"""The command ``dicedocs``.

Each module ``*_command`` of this package adds its subcommands, and so does each entry point of the group
``dicedocs.commands``, the name of a module with a function ``add_commands``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from errno import EBADF
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from dicedocs.cli.commands import Commands, ExitStatus, read_limits
from dicedocs.cli.parsers import Parser
from dicedocs.cli.terminal import Terminated, raising_terminated
from dicedocs.errors import ExpectationError, quoted, wrap_error
from dicedocs.limits import raise_limits
from dicedocs.render.words import clean_lines

GROUP: Final = "dicedocs.commands"
"""The entry-point group of other packages' subcommands."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status, an :class:`~dicedocs.cli.commands.ExitStatus`.

    Parameters:
        arguments: the words after ``dicedocs``; by default those of the process.
    """
    if sys.stdout is None:
        # Python has no standard output if it was closed before the start.
        return _fail(OSError(EBADF, "standard output is closed"))
    for stream in (sys.stdout, sys.stderr):
        # An argument typed in another encoding contains characters that no encoding can print.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            words = sys.argv[1:] if arguments is None else arguments
            options = _parser(words).parse_args(words)
            run: Callable[[argparse.Namespace], int] = options.run
            with raising_terminated(), raise_limits(**read_limits(options.limit)):
                return run(options)
        finally:
            sys.stdout.flush()
    except Terminated:
        return ExitStatus.TERMINATED
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except OSError as error:
        # Python flushes standard output again at exit, and would print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.HOLDS if isinstance(error, BrokenPipeError) else _fail(error)
    except Exception as error:  # noqa: BLE001  # a rule of a game may raise anything; status 1 says that a check does not hold
        return _fail(error)


def _fail(error: Exception) -> ExitStatus:
    """Print an error on standard error, and return its exit status."""
    message = error if isinstance(error, OSError) else wrap_error(error)
    print(clean_lines(f"dicedocs: {message}"), file=sys.stderr)
    return ExitStatus.DOES_NOT_HOLD if isinstance(error, ExpectationError) else ExitStatus.BAD_INPUT


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = Parser(
        prog="dicedocs",
        description="Roll, check and explain tabletop dice rules.",
        epilog="Exit status: 0; 1 when a check or an expected fact does not hold; 2 for bad input.",
    )
    commands = Commands(parser)
    for module in iter_modules(__path__, f"{__name__}."):
        if module.name.endswith("_command"):
            import_module(module.name).add_commands(commands)
    # Looking through all installed packages takes longer than most commands of this one.
    if not words or words[0] not in commands.names:
        _add_others(commands)
    return parser


def _add_others(commands: Commands) -> None:
    """Add the commands of other packages."""
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP)):
        try:
            point.load().add_commands(commands)
        except Exception as error:  # noqa: BLE001  # another package may raise anything; its commands alone are missing
            message = f"the commands of {quoted(point.value)} cannot be added: {wrap_error(error).message}"
            print(clean_lines(f"dicedocs: {message}"), file=sys.stderr)
