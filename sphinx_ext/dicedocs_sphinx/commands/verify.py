"""``dicedocs verify``: check a whole book, and say what does not hold."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from typing import Any

from dicedocs.cli.commands import ExitStatus
from dicedocs.cli.terminal import ProgressLine, game_prints, progress_bar, styles
from dicedocs.errors import printable
from dicedocs.render.words import clean_lines
from dicedocs_sphinx.author.book_check import BookCheck, check_book
from dicedocs_sphinx.author.book_reading import check_folders
from dicedocs_sphinx.author.unchecked import Unchecked
from dicedocs_sphinx.book.summary import checked_blocks, summary, summary_data
from dicedocs_sphinx.statements import State


def run(options: argparse.Namespace) -> int:
    """Check the book and return the exit status: whether nothing is wrong."""
    folders = check_folders(options.book, options.conf)
    with game_prints(), ProgressLine() as line:
        check = check_book(
            folders, progress=lambda done, total: line.show(progress_bar(done, total)), unchecked=options.unchecked
        )
    if options.json:
        unchecked = {"unchecked": [each._asdict() for each in check.unchecked]} if options.unchecked else {}
        print(json.dumps(_json_data(check) | unchecked, indent=2))
    else:
        if options.tables:
            _print_tables(check)
        _print_check(check, unchecked=options.unchecked)
        if options.unchecked:
            _print_unchecked(check.unchecked)
    return ExitStatus.HOLDS if check.is_right else ExitStatus.DOES_NOT_HOLD


def shown_path(path: str) -> str:
    """Return a path as people see it: relative to the working directory if it is below, and safe in a terminal."""
    relative = os.path.relpath(path)
    return printable(path if relative.startswith(os.pardir) else relative)


def _print_check(check: BookCheck, *, unchecked: bool) -> None:
    style = styles(sys.stdout)
    for each in check.problems:
        message = clean_lines(each.message)
        print(f"{style.bold}{shown_path(each.source)}:{each.line}:{style.end} {message} [{each.type}]")
    for _page, block, state in checked_blocks(check.checked):
        reasons = block.doubts()
        if state is State.EMPTY:
            reasons = [f"{block.expect} holds whatever the rule does"]
        for reason in reasons:
            place = f"{shown_path(block.source)}:{block.line}"
            message = f"{block.label}: {state.value}: {reason}"
            print(f"{style.bold}{place}:{style.end} {clean_lines(message)}")
    for _page, table, state in check.checked:
        if state is State.UNCOMPARED and not unchecked:
            print(f"{style.bold}{shown_path(table.source)}:{table.line}:{style.end} {clean_lines(table.label)}")
    print(f"{style.bold}{summary(check.checked)}{style.end}")


def _print_tables(check: BookCheck) -> None:
    style = styles(sys.stdout)
    for block, compared in check.compared():
        place = f"{shown_path(block.source)}:{block.table_line}"
        print(f"{style.bold}{place}:{style.end} {clean_lines(block.label)}: compared: {compared}")


def _print_unchecked(found: list[Unchecked]) -> None:
    style = styles(sys.stdout)
    print(f"{style.bold}Without a check: {len(found)}{style.end}")
    for each in found:
        place = f"{shown_path(each.file)}:{each.line}:"
        print(f"{style.bold}{place}{style.end} {clean_lines(each.text)} [{each.kind}]")
        if each.write:
            print(textwrap.indent(each.write, "    "))


def _json_data(check: BookCheck) -> dict[str, Any]:
    """Return the check as plain data; docs/reference/json.md describes it."""
    return {
        **summary_data(check.checked, str),
        "problems": [
            {"type": each.type, "file": each.source, "line": each.line, "message": each.message}
            for each in check.problems
        ],
        "tables": [
            {"label": block.label, "file": block.source, "line": block.table_line, **compared._asdict()}
            for block, compared in check.compared()
        ],
    }
