"""``dicedocs find-seed``: find the smallest seed that gives certain faces or facts."""

from __future__ import annotations

import argparse
import json

from dicedocs.cli.book_option import add_book_option, book_mechanics
from dicedocs.cli.commands import Commands, ExitStatus, read_parameters
from dicedocs.cli.terminal import ProgressLine, game_prints
from dicedocs.probability.seed_search import search_seed
from dicedocs.rules.registry import mechanic


def add_commands(commands: Commands) -> None:
    """Add ``find-seed``."""
    parser = commands.add("find-seed", _run, help="Find the smallest seed with these faces or facts.")
    parser.add_argument("mechanic", metavar="MECHANIC", help="its id; 'dicedocs mechanics' lists them")
    parser.add_argument("parameters", nargs="*", metavar="key=value", help="its parameters")
    parser.add_argument("--faces", help="the faces to be thrown, as in '4 2 5'")
    parser.add_argument("--where", help="the facts to come out, as in 'total=11'")
    add_book_option(parser)


def _run(options: argparse.Namespace) -> int:
    with book_mechanics(options, options.mechanic):
        rule = mechanic(options.mechanic)(**read_parameters(options.parameters))
        with game_prints(), ProgressLine() as line:
            seed = search_seed(rule, options.faces, options.where, lambda tried: line.show(f"{tried} seeds tried"))
    print(json.dumps({"seed": seed}) if options.json else seed)
    return ExitStatus.HOLDS
