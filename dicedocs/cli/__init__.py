"""The command ``dicedocs``: roll, check, play, count odds, find a seed, and see which mechanics there are.

Exit status 0; 1 for what does not hold; 2 for bad input, with the message on standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final, TextIO

from dicedocs.errors import DiceError, ExpectationError, ParameterError, quoted
from dicedocs.rules.description import describe
from dicedocs.rules.example import SHORT_NAMES, Example
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import CHECK, fresh_seed
from dicedocs.rules.registry import mechanic, mechanics
from dicedocs.rules.seed_search import search_seed

HOLDS: Final = 0
DOES_NOT_HOLD: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130

_OPTION: Final = re.compile(r"-h$|--([a-z]|$)")
"""What looks like an option of ours."""
_BOLD, _DIM, _PLAIN = "\033[1m", "\033[2m", "\033[0m"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters:
        arguments: the words after ``dicedocs``; those of the process when left out.

    Returns:
        The exit status: 0, 1 for what does not hold, 2 for bad input.
    """
    for stream in (sys.stdout, sys.stderr):
        # A name typed in another encoding arrives as text that no encoding prints.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            given = _parser().parse_args(arguments)
            run: Callable[[argparse.Namespace], int] = given.run
            return run(given)
        finally:
            sys.stdout.flush()
    except ExpectationError as error:
        print(f"dicedocs: {error}", file=sys.stderr)
        return DOES_NOT_HOLD
    except DiceError as error:
        print(f"dicedocs: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # Python would complain once more while it exits, and that whoever read the output has stopped is no mistake.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return HOLDS
        print(f"dicedocs: {error}", file=sys.stderr)
        return BAD_INPUT


class _Parser(argparse.ArgumentParser):
    """A parser to which a word is an option only if it looks like one of ours: ``-3+5`` is notation."""

    def _parse_optional(self, arg_string: str) -> Any:
        return super()._parse_optional(arg_string) if _OPTION.match(arg_string) else None


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dicedocs",
        description="Roll, check and explain tabletop dice rules.",
        epilog="Exit status: 0; 1 when a check, or what was expected, does not hold; 2 for bad input.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=help)
        added.set_defaults(run=run)
        added.add_argument("--json", action="store_true", help="print JSON, for a program to read")
        return added

    def playing(added: argparse.ArgumentParser) -> None:
        added.add_argument("parameters", nargs="*", metavar="key=value", help="the other parameters")
        dice = added.add_mutually_exclusive_group()
        dice.add_argument("--seed", help="a number or text that decides the dice")
        dice.add_argument("--dice", help="the faces thrown, as in '4 2 5'")
        added.add_argument("--expect", default="", help="facts that must come out, as in 'total=11'")

    for id, name in SHORT_NAMES.items():
        added = command(name, _play, help=describe(mechanic(id)).help)
        first = next(iter(mechanic(id).parameters()))
        added.add_argument("first", metavar=first.upper(), help=mechanic(id).parameters()[first].help)
        added.set_defaults(mechanic=id)
        playing(added)
    play = command("play", _play, help="Play any mechanic.")
    play.add_argument("mechanic", metavar="MECHANIC", help="its id; 'dicedocs mechanics' lists them")
    playing(play)
    odds = command("odds", _odds, help="Count the exact odds of a mechanic, an Expression or a Check.")
    odds.add_argument("what", metavar="WHAT", help="the id of a mechanic, or notation such as '3d6 + 2'")
    facts = "facts, several for joint odds, the first one when none is named; and parameters"
    odds.add_argument("words", nargs="*", metavar="FACT or key=value", help=facts)
    odds.add_argument("--csv", action="store_true", help="print CSV, for a spreadsheet")
    odds.add_argument("--at-least", metavar="N", help="tell the chance of N or more")
    odds.add_argument("--at-most", metavar="N", help="tell the chance of N or less")
    odds.add_argument("--estimate", metavar="N", help="play N times, where there is too much to count")
    odds.add_argument("--seed", help="a number or text that decides the plays of an estimate")
    odds.add_argument("--ascii", action="store_true", help="draw bars with # alone")
    seeds = command("find-seed", _find_seed, help="Find the smallest seed with these faces or facts.")
    seeds.add_argument("mechanic", metavar="MECHANIC", help="its id; 'dicedocs mechanics' lists them")
    seeds.add_argument("parameters", nargs="*", metavar="key=value", help="its parameters")
    seeds.add_argument("--faces", help="the faces to be thrown, as in '4 2 5'")
    seeds.add_argument("--where", help="the facts to come out, as in 'total=11'")
    listing = command("mechanics", _mechanics, help="List the mechanics, or describe one.")
    listing.add_argument("mechanic", nargs="?", metavar="MECHANIC", help="an id, to see its parameters and facts")
    return parser


def _play(given: argparse.Namespace) -> int:
    parameters = read_parameters(given.parameters)
    if hasattr(given, "first"):
        first = next(iter(mechanic(given.mechanic).parameters()))
        if first in parameters:
            raise ParameterError("it is given twice", hint="leave it out", parameter=first)
        parameters[first] = given.first
    seed = given.seed
    if seed is None and given.dice is None:
        seed = fresh_seed()
    outcome = Example(given.mechanic, parameters, seed, given.dice, given.expect).verify()
    if given.json:
        print(outcome.to_json(indent=2))
    else:
        _show(outcome, seed=seed if given.seed is None and given.dice is None else None)
    does_not_hold = given.mechanic == CHECK and not given.expect and not outcome.value
    return DOES_NOT_HOLD if does_not_hold else HOLDS


def _show(outcome: Outcome, seed: object) -> None:
    """Print the working, then the facts as ``expect`` takes them, and a seed that was drawn."""
    bold, dim, plain = styles(sys.stdout)
    for line in str(outcome).splitlines():
        label, colon, rest = line.partition(": ")
        print(f"{dim}{label}{colon}{plain}{rest}" if colon else line)
    print(f"{bold}{outcome.facts()}{plain}")
    if seed is not None and outcome.thrown:
        print(f"{dim}seed={seed}{plain}")


def _odds(given: argparse.Namespace) -> int:
    # Charts and exact arithmetic are loaded for this command alone.
    from dicedocs.cli.odds_command import run

    return run(given)


def _find_seed(given: argparse.Namespace) -> int:
    shows = sys.stderr.isatty()

    def progress(tried: int) -> None:
        if shows:
            print(f"\r{tried} seeds tried", end="", file=sys.stderr, flush=True)

    try:
        rule = mechanic(given.mechanic)(**read_parameters(given.parameters))
        seed = search_seed(rule, given.faces, given.where, progress)
    finally:
        if shows:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    print(json.dumps({"seed": seed}) if given.json else seed)
    return HOLDS


def _mechanics(given: argparse.Namespace) -> int:
    if given.mechanic is None:
        ids = mechanics()
        print(json.dumps(ids, indent=2) if given.json else "\n".join(ids))
        return HOLDS
    about = describe(mechanic(given.mechanic))
    if given.json:
        rows = {
            "parameters": [row._asdict() | {"required": row.required} for row in about.parameters],
            "facts": [row._asdict() for row in about.facts],
        }
        print(json.dumps({"id": about.id, "help": about.help, **rows}, indent=2))
        return HOLDS
    print(f"{about.id}\n{textwrap.fill(about.help, 78, initial_indent='  ', subsequent_indent='  ')}")
    print("\nParameters")
    for row in about.parameters:
        needed = f"required; for example {row.example}" if row.required else f"default {row.default or 'no text'}"
        _entry(row.name, row.help, f"{row.expects} ({needed})")
    print("\nFacts")
    for fact in about.facts:
        _entry(fact.name, fact.help, fact.gives)
    return HOLDS


def _entry(name: str, *texts: str) -> None:
    print(f"  {name}")
    for text in filter(None, texts):
        print(textwrap.fill(text, 78, initial_indent="      ", subsequent_indent="      "))


def read_parameters(words: Sequence[str]) -> dict[str, Any]:
    """Read ``key=value`` words."""
    parameters: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise ParameterError(f"{quoted(word)} is no parameter with its value", hint="write key=value")
        if name in parameters:
            raise ParameterError("it is given twice", hint="give it once", parameter=name)
        parameters[name] = value
    return parameters


def styles(stream: TextIO) -> tuple[str, str, str]:
    """Give what begins bold and dim text and what ends it: on a terminal, and never with ``NO_COLOR``."""
    wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return (_BOLD, _DIM, _PLAIN) if wanted else ("", "", "")
