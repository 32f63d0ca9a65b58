"""The warnings of the extension: one enum, and one function that logs."""

from __future__ import annotations

import logging as standard_logging
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple, Self

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.util import logging

from dicedocs.errors import printable
from dicedocs.render.words import clean_lines

logger = logging.getLogger(__name__)

TYPE: Final = "dicedocs"
"""The type of every warning here; the subtype is the value of a :class:`Problem`."""
_REPORT: Final = "dicedocs_report"
"""The attribute of a log record that holds its :class:`Report`."""


class Problem(Enum):
    """The kinds of warnings; ``suppress_warnings = ["dicedocs.unverified"]`` silences one of them.

    The docstring of a member says what it means.
    """

    MISMATCH = "mismatch", "The result of an example differs from its `expect`, or a claim does not hold."
    UNVERIFIED = "unverified", "An example has no `expect`, so nothing is checked."
    MECHANIC = "mechanic", "An example names no mechanic, one that is not installed, or one that cannot be loaded."
    OPTION = "option", "An option is unknown, malformed, written twice, or one of the directive's own is wrong."
    VALUE = "value", "A parameter, the seed, a face or a piece of notation is invalid."
    FACT = "fact", "An unknown fact, figure, parameter or character value."
    REFERENCE = "reference", "A reference to something that does not exist."
    DUPLICATE = "duplicate", "Two blocks have the same name."
    RULE = "rule", "No passing block shows a rule; only the builder `dice-report` says so."
    TABLE = "table", "A table or a list cannot be rolled on, or its rows do not fit what is rolled."
    LITERAL = (
        "literal",
        "With `dicedocs_literal_numbers`: a number typed into an example's text is not one of its values.",
    )
    PAPER = "paper", "The builder `dicebook` cannot set a formula, or something does not fit its page."
    ENCODING = "encoding", "A page is not in UTF-8, and is left out."
    ENGINE = (
        "engine",
        "A rule failed with an error of its own, or computes false odds: the fault is the game's, not the page's.",
    )

    __doc__: str
    _value_: str

    def __new__(cls, value: str, meaning: str = "") -> Self:
        """Return a member with its own docstring."""
        member = object.__new__(cls)
        member._value_ = value
        member.__doc__ = meaning
        return member


def with_hint(message: str, hint: str) -> str:
    """Return a message with a hint, if there is one."""
    return f"{message}; {hint}" if hint else message


def report(problem: Problem, message: str, source: str, line: int, page: str = "") -> None:
    """Log a warning of a type that can be suppressed; the message is a sentence without a full stop."""
    logger.warning(
        "%s",
        clean_lines(message),
        type=TYPE,
        subtype=problem.value,
        location=printable(f"{source}:{line}"),
        extra={_REPORT: Report(problem, clean_lines(message), source, line, page)},
    )


def report_configuration(app: Sphinx | Builder, message: str, problem: Problem = Problem.OPTION) -> None:
    """Log a warning about the configuration of a book."""
    report(problem, message, str(Path(app.confdir) / "conf.py"), 1)


class Report(NamedTuple):
    """A warning that was reported; ``page`` is empty if it is about the whole book."""

    problem: Problem
    message: str
    source: str
    line: int
    page: str = ""

    @property
    def type(self) -> str:
        """The type of the warning, which ``suppress_warnings`` takes."""
        return f"{TYPE}.{self.problem.value}"


class _Collector(standard_logging.Handler):
    """Keeps the warnings of this module in a list."""

    def __init__(self) -> None:
        super().__init__()
        self.reports: list[Report] = []

    def emit(self, record: standard_logging.LogRecord) -> None:
        self.reports.append(getattr(record, _REPORT))


@contextmanager
def collected_reports() -> Iterator[list[Report]]:
    """Collect what is reported in the context, also what is suppressed."""
    collector = _Collector()
    logger.logger.addHandler(collector)
    try:
        yield collector.reports
    finally:
        logger.logger.removeHandler(collector)
