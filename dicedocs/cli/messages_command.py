"""``dicedocs messages``: print the messages of a game, for its catalogues."""

from __future__ import annotations

import argparse
import json

from dicedocs.cli.commands import Commands, ExitStatus
from dicedocs.cli.game_messages import game_messages


def add_commands(commands: Commands) -> None:
    """Add ``messages``."""
    parser = commands.add("messages", _run, help="Print the messages of a game as a template of gettext (.pot).")
    parser.add_argument("system", metavar="SYSTEM", help="the part of the mechanics' ids before the slash")


def _run(options: argparse.Namespace) -> int:
    messages = game_messages(options.system)
    if options.json:
        print(json.dumps(messages, indent=2))
        return ExitStatus.HOLDS
    print('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"')
    for message in messages:
        # A text of JSON in double quotes is one of gettext too, except for letters that it would write as numbers.
        print(f'\nmsgid {json.dumps(message, ensure_ascii=False)}\nmsgstr ""')
    return ExitStatus.HOLDS
