"""What a module of subcommands needs: their registration, exit statuses and ``key=value`` arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import IntEnum
from typing import Any

from dicedocs.cli.parsers import CommandParser
from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.limits import checked_maxima


class ExitStatus(IntEnum):
    """The exit statuses of the command."""

    HOLDS = 0
    DOES_NOT_HOLD = 1
    BAD_INPUT = 2
    INTERRUPTED = 130
    TERMINATED = 143


class Commands:
    """The subcommands of ``dicedocs``."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._subparsers = parser.add_subparsers(
            title="commands", metavar="COMMAND", required=True, parser_class=CommandParser
        )

    @property
    def names(self) -> Collection[str]:
        """The names of the subcommands that were added."""
        return self._subparsers.choices

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
        about = "raise a limit that an error named, as in BRANCHES=2000000"
        parser.add_argument("--limit", action="append", default=[], metavar="NAME=NUMBER", help=about)
        if json:
            parser.add_argument("--json", action="store_true", help="print JSON, for a program to read")
        return parser


def read_limits(words: Sequence[str]) -> dict[str, int]:
    """Return what limits are raised to, written as ``NAME=NUMBER`` words."""
    try:
        return checked_maxima({name: int(text) if text.isdecimal() else text for name, text in _pairs(words)})
    except DiceError as error:
        error.parameter = "limit"
        raise


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for word in words:
        name, _, text = word.partition("=")
        yield name.strip().upper(), text.strip().replace("_", "").replace(",", "")


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
