"""``dicedocs lint``: check the dice of any book, and say which are wrong."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from dicedocs.cli.commands import ExitStatus
from dicedocs.cli.terminal import PROGRESS_INTERVAL, ProgressLine, progress_bar, styles
from dicedocs.errors import DiceError, printable
from dicedocs.lint.book import Book, PageCheck, check_page
from dicedocs.lint.directive import claim_directive, table_directive
from dicedocs.lint.figures import WAYS
from dicedocs.lint.finding import KINDS, Finding
from dicedocs.render.words import clean_lines
from dicedocs_lint.files import find_files, read_file, read_text

_STDIN = Path("-")


class _Checked(NamedTuple):
    """What was checked: the pages, and why others could not be read."""

    book: Book
    unread: tuple[DiceError, ...]


def run(options: argparse.Namespace) -> int:
    """Check the files and return the exit status: whether nothing is wrong.

    Raises:
        DiceError: there is nothing to read.
    """
    checked = _check(options)
    findings = [*checked.book.findings(everything=options.everything)]
    if options.json:
        print(json.dumps(_json_data(checked, findings), indent=2))
    else:
        _print(checked, findings, options)
    for error in checked.unread:
        print(f"error: {printable(str(error))}", file=sys.stderr)
    if checked.unread:
        return ExitStatus.BAD_INPUT
    return ExitStatus.DOES_NOT_HOLD if findings else ExitStatus.HOLDS


def _check(options: argparse.Namespace) -> _Checked:
    files = find_files(path for path in options.paths if path != _STDIN)
    pages: list[PageCheck] = []
    unread: list[DiceError] = []
    if _STDIN in options.paths:
        pages.append(check_page(read_text("<stdin>", sys.stdin.buffer.read(), options.format)))
    elif not files:
        raise DiceError("there is no file to read", hint="name a folder with Markdown, reStructuredText or HTML")
    with ProgressLine(PROGRESS_INTERVAL) as line:
        for number, file in enumerate(files):
            line.show(f"{progress_bar(number, len(files))} {file}")
            try:
                pages.append(check_page(read_file(file)))
            except DiceError as error:
                unread.append(error)
            except OSError as error:
                unread.append(DiceError(f"{file}: {error.strerror}"))
    return _Checked(Book(tuple(pages)), tuple(unread))


def _print(checked: _Checked, findings: list[tuple[str, Finding]], options: argparse.Namespace) -> None:
    style = styles(sys.stdout)
    for path, finding in findings:
        message = clean_lines(finding.message)
        if options.github:
            place = f"file={_property(path)},line={finding.line},col={finding.column}"
            print(f"::error {place},title=dicedocs::{_data(message)}")
        else:
            place = f"{printable(path)}:{finding.line}:{finding.column}:"
            print(f"{style.bold}{place}{style.end} {message}")
            if options.show_directive and finding.claim:
                _print_directive(claim_directive(path, finding.dice, finding.claim))
    if options.show_directive and not options.github:
        for page in checked.book.pages:
            for table in page.tables:
                beside = " (beside another table; write each by itself)" if table.is_beside else ""
                print(f"{style.bold}{printable(page.page)}:{table.line}:{style.end} {table.dice}{beside}")
                _print_directive(table_directive(page.page, table.title, "" if table.in_head else table.dice))
    print(f"{style.bold}{_summary(checked.book, findings)}{style.end}")


def _print_directive(text: str) -> None:
    print(textwrap.indent(text, "    "))


def _summary(book: Book, findings: list[tuple[str, Finding]]) -> str:
    """Return how much of what is wrong, and what was looked at."""
    kinds = Counter(finding.kind for _, finding in findings)
    wrong = ", ".join(_amount(kinds[kind], kind) for kind in KINDS if kinds[kind])
    found = f"{_amount(len(findings), 'finding')} ({wrong})" if findings else "nothing wrong"
    tables = sum(len(page.tables) for page in book.pages)
    averages = book.averages
    looked = (
        f"{_amount(len(book.pages), 'page')}, {_amount(tables, 'table')} to roll on, {_amount(averages, 'average')}"
    )
    return "; ".join([f"{found} in {looked}", *(WAYS[way] for way in book.ways)])


def _amount(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _json_data(checked: _Checked, findings: list[tuple[str, Finding]]) -> dict[str, Any]:
    book = checked.book
    return {
        "findings": [{"file": path, **finding._asdict()} for path, finding in findings],
        "pages": len(book.pages),
        "tables": sum(len(page.tables) for page in book.pages),
        "averages": book.averages,
        "averages_are": book.ways,
        "unread": [str(error) for error in checked.unread],
    }


def _data(text: str) -> str:
    """Return a text as a command of a GitHub workflow has it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
