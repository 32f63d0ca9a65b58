"""The command ``dicedocs lint``, which the entry point ``dicedocs.commands`` adds to ``dicedocs``."""

from __future__ import annotations

import argparse
from pathlib import Path

from dicedocs.cli.commands import Commands
from dicedocs_lint.files import FORMATS


def add_commands(commands: Commands) -> None:
    """Add ``lint``."""
    parser = commands.add("lint", _run, help="Find wrong dice in a book in Markdown, reStructuredText or HTML.")
    about = "a file, a folder of them, or - for standard input"
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help=about)
    parser.add_argument("--all", action="store_true", dest="everything", help="say what is uncertain too")
    parser.add_argument("--github", action="store_true", help="print annotations for a workflow of GitHub")
    about = "print the lines that keep each table that was read, and each finding, checked in a Sphinx book"
    parser.add_argument("--show-directive", action="store_true", help=about)
    about = "the format of standard input, by default markdown"
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help=about)


def _run(options: argparse.Namespace) -> int:
    from dicedocs_lint.commands import lint

    return lint.run(options)
