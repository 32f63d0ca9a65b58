"""The summary of a book: the state of each statement, which rules are shown, and the sentence that ends a build."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from sphinx.application import Sphinx
from sphinx.util import logging

from dicedocs.render.json_data import SCHEMA
from dicedocs.render.words import labelled
from dicedocs.translation import gettext as _
from dicedocs.translation import ngettext
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.book.domain import DiceDomain, dice_domain
from dicedocs_sphinx.statements import State, Statement

logger = logging.getLogger(__name__)


class Checked(NamedTuple):
    """A statement with its page and its state."""

    page: str
    statement: Statement
    state: State


_WITHOUT_A_CHECK: Final = (State.UNVERIFIED, State.COMPUTED)
_SHOWING: Final = {State.VERIFIED, State.COMPUTED}


def checked_statements(domain: DiceDomain) -> list[Checked]:
    """Return the statements of a book that have a state, by page.

    Those are the ones that expect or compute something, or that are wrong, and rules.
    """
    found = [
        Checked(page, statement, state)
        for page, statement in domain.statements()
        if (state := _state(domain, statement)) is not None
    ]
    first = {name: block for name, (_, block) in domain.named().items()}
    # A rule that is stated a second time is reported as a duplicate, and is one rule.
    return [
        each
        for each in found
        if not isinstance(each.statement, RuleBlock) or first.get(each.statement.name) is each.statement
    ]


def checked_blocks(checked: Iterable[Checked]) -> list[tuple[str, Block, State]]:
    """Return the statements that are blocks."""
    return [(page, statement, state) for page, statement, state in checked if isinstance(statement, Block)]


def _state(domain: DiceDomain, statement: Statement) -> State | None:
    if isinstance(statement, RuleBlock) and not statement.issues:
        states = {_state(domain, each) for _, each in domain.showing(statement.name)}
        if states:
            return State.SHOWN if states & _SHOWING and State.FAILED not in states else State.UNSHOWN
        return State.EXCUSED if statement.unshown else State.UNSHOWN
    return State(statement.state) if statement.state else None


def reason(block: Block) -> str:
    """Return why nothing shows a rule, as its author says, or why nothing is known of another block; else nothing."""
    return block.unshown if isinstance(block, RuleBlock) else "; ".join(block.doubts())


def count(checked: Iterable[Checked], *states: State) -> int:
    """Return the number of statements in one of some states."""
    return sum(each.state in states for each in checked)


def _apart_from_rules(checked: Iterable[Checked]) -> list[Checked]:
    """Return the statements that something is compared with, or could be."""
    return [each for each in checked if not isinstance(each.statement, RuleBlock) and each.state != State.UNCOMPARED]


def summary(checked: Iterable[Checked]) -> str:
    """Return the sentence that sums up a book: how many statements it has, and in which states; its rules apart."""
    checked = list(checked)
    others = _apart_from_rules(checked)
    verified, wrong = count(others, State.VERIFIED), count(others, State.FAILED)
    # In other languages the number of statements changes the word.
    parts = [ngettext("{n} verified", "{n} verified", verified).format(n=verified)]
    if unchecked := count(others, *_WITHOUT_A_CHECK):
        parts.append(_("{n} without a check").format(n=unchecked))
    if empty := count(others, State.EMPTY):
        parts.append(ngettext("{n} says nothing", "{n} say nothing", empty).format(n=empty))
    if wrong:
        parts.append(ngettext("{n} wrong", "{n} wrong", wrong).format(n=wrong))
    statements = ngettext("{n} statement", "{n} statements", len(others)).format(n=len(others))
    sentence = [labelled(statements, ", ".join(parts))]
    if uncompared := count(checked, State.UNCOMPARED):
        text = ngettext("{n} table not compared in full", "{n} tables not compared in full", uncompared)
        sentence.append(text.format(n=uncompared))
    if rules := len(checked) - len(others) - uncompared:
        text = ngettext("{count} of {n} rule shown", "{count} of {n} rules shown", rules)
        sentence.append(text.format(count=count(checked, State.SHOWN), n=rules))
    if excused := count(checked, State.EXCUSED):
        sentence.append(ngettext("{n} rule says why not", "{n} rules say why not", excused).format(n=excused))
    return "; ".join(sentence)


def summary_data(checked: Iterable[Checked], shown_path: Callable[[str], str]) -> dict[str, Any]:
    """Return the summary of a book as plain data; docs/reference/json.md describes it.

    Parameters:
        checked: the statements with their states.
        shown_path: what makes the path in the data from that of a source file.
    """
    checked = list(checked)
    return {
        "dicedocs": SCHEMA,
        "summary": summary(checked),
        "counts": {state.value: count(checked, state) for state in State},
        "blocks": [
            {
                **_place(page, block, state, shown_path),
                "title": block.title,
                "anchor": block.anchor,
                "shows": list(block.shows),
                "reason": reason(block),
            }
            for page, block, state in checked_blocks(checked)
        ],
        "text": [
            _place(page, statement, state, shown_path)
            for page, statement, state in checked
            if not isinstance(statement, Block)
        ],
    }


def _place(page: str, statement: Statement, state: State, shown_path: Callable[[str], str]) -> dict[str, Any]:
    return {
        "page": page,
        "label": statement.label,
        "kind": statement.kind,
        "state": state.value,
        "file": shown_path(statement.source),
        "line": statement.line,
    }


def show_summary(app: Sphinx, exception: Exception | None) -> None:
    """End a build with the sentence; where it only checks, with the exit status 1 if anything is wrong."""
    checked = checked_statements(dice_domain(app.env)) if exception is None else []
    if checked:
        logger.info("%s", summary(checked))
    if app.builder.name == "doctest" and count(checked, State.FAILED):
        app.statuscode = 1


def setup_summary(app: Sphinx) -> None:
    app.connect("build-finished", show_summary)
