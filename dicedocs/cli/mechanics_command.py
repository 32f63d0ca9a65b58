"""``dicedocs mechanics``: list the installed mechanics, and those of a book, or describe one."""

from __future__ import annotations

import argparse
import json
import textwrap
from typing import Final

from dicedocs.cli.book_option import add_book_option, book_mechanics
from dicedocs.cli.commands import Commands, ExitStatus
from dicedocs.rules.description import Description, describe
from dicedocs.rules.registry import mechanic, mechanics

_WIDTH: Final = 78


def add_commands(commands: Commands) -> None:
    """Add ``mechanics``."""
    parser = commands.add("mechanics", _run, help="List the mechanics, or describe one.")
    parser.add_argument("mechanic", nargs="?", metavar="MECHANIC", help="an id, to see its parameters and facts")
    add_book_option(parser)


def _run(options: argparse.Namespace) -> int:
    with book_mechanics(options, options.mechanic):
        if options.mechanic is None:
            ids = mechanics()
            print(json.dumps(ids, indent=2) if options.json else "\n".join(ids))
            return ExitStatus.HOLDS
        about = describe(mechanic(options.mechanic))
    if options.json:
        parameters = [row._asdict() | {"required": row.required} for row in about.parameters]
        facts = [row._asdict() for row in about.facts]
        print(json.dumps({"id": about.id, "help": about.help, "parameters": parameters, "facts": facts}, indent=2))
    else:
        _print_description(about)
    return ExitStatus.HOLDS


def _print_description(about: Description) -> None:
    print(about.id)
    _print_wrapped(about.help, 2)
    print("\nParameters")
    for row in about.parameters:
        default = f"required; for example {row.example}" if row.required else f"default {row.default or 'no text'}"
        _print_entry(row.name, row.help, f"{row.expects} ({default})")
    print("\nFacts")
    for fact in about.facts:
        _print_entry(fact.name, fact.help, fact.gives)


def _print_entry(name: str, *texts: str) -> None:
    print(f"  {name}")
    for text in filter(None, texts):
        _print_wrapped(text, 6)


def _print_wrapped(text: str, indent: int) -> None:
    print(textwrap.fill(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent))
