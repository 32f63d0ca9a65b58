"""The option ``--book``, with which a command also knows the mechanics in the pages of a book."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dicedocs.cli.terminal import ProgressLine, game_prints, progress_bar
from dicedocs.errors import ParameterError
from dicedocs.rules.mechanic import ID
from dicedocs.rules.registry import in_book, mechanics, systems
from dicedocs.similar_words import near

_OPTION: Final = "--book"


def add_book_option(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    about = "the folder of a book, whose tables and rules are mechanics too"
    parser.add_argument(_OPTION, metavar="DOCS", help=about)
    about = "the folder of its conf.py, if it is not that of the pages; as for sphinx-build"
    parser.add_argument("-c", "--conf-dir", dest="conf", metavar="DIR", help=about)


@contextmanager
def book_mechanics(options: argparse.Namespace, id: str | None) -> Iterator[None]:
    """Let the mechanics of the book be found, if one is named; else an id that may be of a book is told of the option.

    Parameters:
        options: the parsed arguments.
        id: the mechanic that is looked for.
    """
    if options.book is not None:
        # Other commands start faster without what plays books.
        from dicedocs.scenes.books import read_book

        with game_prints(), ProgressLine() as line:
            book = read_book(options.book, options.conf, lambda done, total: line.show(progress_bar(done, total)))
        with in_book({**book.faults, **book}):
            yield
        return
    try:
        yield
    except ParameterError as error:
        if error.parameter == "mechanic" and id and _may_be_of_book(id):
            hint = f"{error.hint}; for a table of a book add {_OPTION} and its folder"
            raise ParameterError(error.message, hint=hint, parameter=error.parameter) from error
        raise


def _may_be_of_book(id: str) -> bool:
    return bool(ID.fullmatch(id)) and id.partition("/")[0] not in systems() and not near(id, mechanics())
