"""What a module of subcommands needs: their registration, exit statuses and ``key=value`` arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

from dicedocs.errors import ParameterError, quoted


class ExitStatus(IntEnum):
    """The exit statuses of the command."""

    HOLDS = 0
    DOES_NOT_HOLD = 1
    BAD_INPUT = 2
    INTERRUPTED = 130


class Commands:
    """The subcommands of ``dicedocs``."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(
        self, name: str, run: Callable[[argparse.Namespace], int], help: str, *, json: bool = True
    ) -> argparse.ArgumentParser:
        """Add a subcommand, and return its parser.

        Parameters:
            run: runs the subcommand with its parsed arguments and returns the exit status.
            json: whether it has the option ``--json``.
        """
        parser = self._subparsers.add_parser(name, help=help, description=help)
        parser.set_defaults(run=run)
        if json:
            parser.add_argument("--json", action="store_true", help="print JSON, for a program to read")
        return parser


def read_parameters(words: Sequence[str]) -> dict[str, Any]:
    """Return the parameters written as ``key=value`` words."""
    parameters: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise ParameterError(f"{quoted(word)} is not a parameter with its value", hint="write key=value")
        if name in parameters:
            raise ParameterError("it is given twice", hint="give it once", parameter=name)
        parameters[name] = value
    return parameters
