"""``dicedocs odds``: the arguments of the command; :mod:`dicedocs.cli.odds_report` runs it."""

from __future__ import annotations

import argparse

from dicedocs.cli.book_option import add_book_option, book_mechanics
from dicedocs.cli.commands import Commands


def add_commands(commands: Commands) -> None:
    """Add ``odds``."""
    parser = commands.add("odds", _run, help="Count the exact odds of a mechanic, or of dice as they are written.")
    parser.add_argument("what", metavar="WHAT", help="the id of a mechanic, or notation such as '3d6 + 2'")
    facts = "parameters; and facts: by default the first one, several for their joint odds"
    parser.add_argument("words", nargs="*", metavar="FACT or key=value", help=facts)
    parser.add_argument("--csv", action="store_true", help="print CSV, for a spreadsheet")
    parser.add_argument("--at-least", metavar="N", help="print the probability of N or more")
    parser.add_argument("--at-most", metavar="N", help="print the probability of N or less")
    played_for = "what open choices are for: 'p(success), -mean(hurt)'"
    parser.add_argument("--best", default="", metavar="FIGURES", help=played_for)
    parser.add_argument("--estimate", metavar="N", help="play N times, where there is too much to count")
    parser.add_argument("--seed", help="a number or text that decides the plays of an estimate")
    parser.add_argument("--ascii", action="store_true", help="draw the bars with '#'")
    add_book_option(parser)


def _run(options: argparse.Namespace) -> int:
    # The other commands start faster without charts and exact arithmetic.
    from dicedocs.cli.odds_report import run

    with book_mechanics(options, options.what):
        return run(options)
