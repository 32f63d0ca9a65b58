"""The commands for the author of a book, which the entry point ``dicedocs.commands`` adds to ``dicedocs``.

Each runs in the module of its name. Only these need Sphinx, so that ``dicedocs --help`` lists them without it.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Final

from dicedocs.cli.commands import Commands
from dicedocs.errors import DiceError

_PORT: Final = 8000
_PAGES: Final = "the folder of the book's pages, and of its conf.py if -c names no other"


def add_commands(commands: Commands) -> None:
    """Add ``verify``, ``accept``, ``diff``, ``tell``, ``new``, ``init`` and ``watch``."""
    parser = commands.add("verify", _run, help="Check every example, table, chart and claim of a book.")
    _add_book(parser)
    about = "list what has dice and no check, with the lines to write, and prose that no roll of a reader checks"
    parser.add_argument("--unchecked", action="store_true", help=about)
    about = "say of each table how many rows, cells and links were compared"
    parser.add_argument("--tables", action="store_true", help=about)
    parser.set_defaults(module="verify")
    parser = commands.add("accept", _run, help="Write the expectations that are missing or wrong into a book.")
    _add_book(parser)
    parser.add_argument("--diff", action="store_true", help="print the diff and write nothing")
    parser.add_argument("--check", action="store_true", help="as --diff, with exit status 1 if there is one")
    parser.add_argument("--only", action="append", metavar="NAME", help="accept this block; may be given several times")
    parser.set_defaults(module="accept")
    parser = commands.add("diff", _run, help="List the figures of a book that moved, as an errata sheet in Markdown.")
    sides = "the folder of a book, or a revision of it in git"
    parser.add_argument("old", metavar="OLD", help=sides)
    parser.add_argument("new", metavar="NEW", help=sides)
    parser.add_argument("book", metavar="DOCS", nargs="?", type=Path, help=f"{_PAGES}; if OLD and NEW are revisions")
    _add_conf(parser)
    parser.add_argument(
        "--game", metavar="DIR", type=Path, help="OLD and NEW are revisions of this folder; the book stays as it is"
    )
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 if anything moved, as git does")
    parser.set_defaults(module="diff")
    parser = commands.add("tell", _run, help="Print a scene as readers read it after random plays.")
    parser.add_argument("scene", metavar="SCENE", help="the name of the scene")
    _add_book(parser)
    parser.add_argument("--times", metavar="N", type=int, default=1, help="how many plays, by default 1")
    parser.add_argument("--seed", help="what the seeds of all rolls are made of; by default chance")
    parser.set_defaults(module="tell")
    parser = commands.add("new", _run, help="Write a rulebook to start from, with a game of its own.")
    parser.add_argument("folder", metavar="DIR", type=Path, help="the new folder; the game is named after it")
    parser.add_argument("--rst", action="store_true", help="write reStructuredText, not Markdown")
    parser.add_argument("--python", action="store_true", help="write its rule as a class in Python, not in the page")
    parser.add_argument("--pages", choices=["github"], default="", help="let its workflow publish it on GitHub Pages")
    parser.set_defaults(module="new")
    parser = commands.add("init", _run, help="Add dicedocs to an existing Sphinx project.", json=False)
    about = "the folder of conf.py, or one above; by default this one"
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, default=Path(), help=about)
    parser.set_defaults(module="init")
    parser = commands.add("watch", _run, help="Build a book whenever it changes, and serve it with reload.", json=False)
    _add_book(parser)
    parser.add_argument("--port", metavar="N", type=int, default=_PORT, help="the port of the server, by default 8000")
    parser.add_argument("--open", action="store_true", help="open the book in the browser")
    parser.add_argument(
        "--also", metavar="PATH", type=Path, action="append", default=[], help="watch this file or folder too"
    )
    parser.set_defaults(module="watch")


def _add_book(parser: argparse.ArgumentParser) -> None:
    about = f"{_PAGES}; by default this one"
    parser.add_argument("book", metavar="DOCS", nargs="?", type=Path, default=Path(), help=about)
    _add_conf(parser)


def _add_conf(parser: argparse.ArgumentParser) -> None:
    about = "the folder of conf.py, if it is not that of the pages; as for sphinx-build"
    parser.add_argument("-c", "--conf-dir", dest="conf", metavar="DIR", type=Path, help=about)


def _run(options: argparse.Namespace) -> int:
    """Run a command in the module of its name.

    Raises:
        DiceError: Sphinx is not installed.
    """
    try:
        module = import_module(f"{__name__}.{options.module}")
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in {"sphinx", "docutils"}:
            raise
        message = f"'dicedocs {options.module}' needs {package}, which is not installed"
        raise DiceError(message, hint="run: pip install 'dicedocs[sphinx]'") from None
    status: int = module.run(options)
    return status
