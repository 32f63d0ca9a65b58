"""``dicedocs roll``, ``check`` and ``play``: play a mechanic and show its working."""

from __future__ import annotations

import argparse
import sys

from dicedocs.cli.book_option import add_book_option, book_mechanics
from dicedocs.cli.commands import Commands, ExitStatus, read_parameters
from dicedocs.cli.terminal import game_prints, note_doubt, styles
from dicedocs.errors import ParameterError
from dicedocs.rules.description import describe
from dicedocs.rules.example import SHORT_NAMES, Example
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import fresh_seed
from dicedocs.rules.registry import CHECK, mechanic


def add_commands(commands: Commands) -> None:
    """Add ``roll``, ``check`` and ``play``."""
    for id, name in SHORT_NAMES.items():
        about = describe(mechanic(id))
        notation = about.parameters[0]
        parser = commands.add(name, _run, help=about.help)
        parser.add_argument("notation", metavar=notation.name.upper(), help=notation.help)
        parser.set_defaults(mechanic=id, notation_parameter=notation.name, book=None)
        _add_play_arguments(parser)
    parser = commands.add("play", _run, help="Play any mechanic.")
    parser.add_argument("mechanic", metavar="MECHANIC", help="its id; 'dicedocs mechanics' lists them")
    parser.set_defaults(notation_parameter=None)
    _add_play_arguments(parser)
    add_book_option(parser)


def _add_play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parameters", nargs="*", metavar="key=value", help="the other parameters")
    parser.add_argument("--seed", help="a number or text that decides the dice")
    parser.add_argument("--dice", help="the faces thrown, as in '4 2 5', instead of a seed")
    parser.add_argument("--expect", default="", help="facts that must come out, as in 'total=11'")


def _run(options: argparse.Namespace) -> int:
    parameters = read_parameters(options.parameters)
    name = options.notation_parameter
    if name is not None:
        if name in parameters:
            raise ParameterError("it is given twice", hint="leave it out", parameter=name)
        parameters[name] = options.notation
    if options.seed is not None and options.dice is not None:
        raise ParameterError("argument --dice: not allowed with argument --seed", hint="give one of them")
    drawn_seed = fresh_seed() if options.seed is None and options.dice is None else None
    seed = options.seed if drawn_seed is None else drawn_seed
    with book_mechanics(options, options.mechanic), game_prints():
        outcome = Example(options.mechanic, parameters, seed, options.dice, options.expect).verify()
        note_doubt(outcome.rule)
        # The working plays it again.
        text = outcome.to_json(indent=2) if options.json else str(outcome)
    if options.json:
        print(text)
    else:
        _print_outcome(outcome, text, drawn_seed)
    # A game's own check has the same facts.
    checked = list(outcome.facts_of) == list(mechanic(CHECK).result().facts_of)
    failed_check = checked and not options.expect and not outcome.value
    return ExitStatus.DOES_NOT_HOLD if failed_check else ExitStatus.HOLDS


def _print_outcome(outcome: Outcome, working: str, drawn_seed: int | None) -> None:
    """Print the working, the facts in the form that ``expect`` takes, and the seed if it was drawn here."""
    style = styles(sys.stdout)
    for line in working.splitlines():
        label, colon, rest = line.partition(": ")
        print(f"{style.dim}{label}{colon}{style.end}{rest}" if colon else line)
    print(f"{style.bold}{outcome.facts()}{style.end}")
    if drawn_seed is not None and outcome.thrown:
        print(f"{style.dim}seed={drawn_seed}{style.end}")
