"""Statements: what a page states, what readers see of it, and what its check found.

A block is a statement, and so is what stands in the text: a fact, odds or a roll, a reference, a directive that cannot
be read. All that checks or compares a book reads the one list of them, which the domain keeps (:mod:`.book.domain`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar, Final, TypedDict

from dicedocs.translation import mark
from dicedocs_sphinx.diagnostics import Problem


class Issue(TypedDict):
    """Something wrong with a statement.

    ``problem`` is the value of a :class:`Problem`, ``line`` is 0 as long as it is unknown, and ``option`` is empty if
    the issue is about all of the statement. What is wrong ``elsewhere`` is reported there, and only shown here.
    """

    problem: str
    message: str
    line: int
    option: str
    elsewhere: bool


def issue(problem: Problem, message: str, option: str = "", line: int = 0, *, elsewhere: bool = False) -> Issue:
    """Return an issue; the message is a sentence without a full stop."""
    return Issue(problem=problem.value, message=message, line=line, option=option, elsewhere=elsewhere)


class State(Enum):
    """What the check of a statement found."""

    VERIFIED = mark("verified")
    """What it expects holds."""
    FAILED = mark("failed")
    """Something is wrong with it."""
    UNVERIFIED = mark("unverified")
    """It is an example that expects nothing, or depends on something that has a mistake."""
    EMPTY = mark("says nothing")
    """What it expects would hold whatever the rule did."""
    COMPUTED = mark("computed")
    """It is a table, a chart or a value in the text: its figures are exact, and nothing says what they were."""
    UNCOMPARED = mark("not compared")
    """It is a table to roll on, or dice or a name in one, and nothing says with what to compare it."""
    SHOWN = mark("shown")
    """It is a rule that something shows which is verified or computed, and that nothing shows which failed."""
    EXCUSED = mark("excused")
    """It is a rule that nothing shows, and its author says why."""
    UNSHOWN = mark("unshown")
    """It is a rule that nothing shows which is verified or computed, or that something shows which failed."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """Something that a page states.

    Parameters:
        label: what it is called in messages.
        source: its file.
        line: its line there.
        issues: what is wrong with it.
        state: the value of its :class:`State`; empty if it is right and there is no more to say of it, as of a link.
    """

    kind: ClassVar[str]

    label: str
    source: str
    line: int
    issues: Sequence[Issue] = ()
    state: str = ""

    def elsewhere(self) -> list[str]:
        """Return why nothing is known of the statement, if that is wrong elsewhere."""
        return [each["message"] for each in self.issues if each["elsewhere"]]

    def data(self) -> dict[str, Any]:
        """Return the statement as plain data, the only form in which doctrees and the environment keep it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


OPTION: Final = "option"
"""The role of an option of a block that is wrong because of another page."""
TABLE: Final = "table"
"""The role of a table, or of a part of one, that has dice and is not compared."""
NUMBER: Final = "number"
"""The role of a number that is typed in the prose of an example."""


@dataclass(frozen=True, kw_only=True)
class Inline(Statement):
    """A statement in the text.

    Parameters:
        role: the name of its role, such as ``odds``; empty for what could not be read.
        path: the name of the block that it leads to, on any page, for a fact with a path behind it; empty if it leads
            to none, or if that is settled.
        shown: the computed text that readers see.
    """

    kind: ClassVar[str] = "text"

    role: str = ""
    path: str = ""
    shown: str = ""


def misread(problem: Problem, message: str, source: str, line: int) -> Inline:
    """Return a statement that could not be read as its author meant it."""
    issues = [issue(problem, message, line=line)]
    return Inline(label=message, source=source, line=line, issues=issues, state=State.FAILED.value)
