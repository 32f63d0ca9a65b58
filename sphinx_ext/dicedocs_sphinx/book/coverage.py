"""Coverage: the state of every block of a book, which rules are shown, and the line that sums it up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from typing import Any, Final, NamedTuple

from dicedocs import DiceError
from dicedocs.render.json_data import SCHEMA
from dicedocs.translation import gettext as _
from dicedocs.translation import mark, ngettext
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.book.domain import DiceDomain
from dicedocs_sphinx.containment import contained


class State(Enum):
    """What the check of a block found."""

    VERIFIED = mark("verified")
    """What it expects holds."""
    FAILED = mark("failed")
    """Something is wrong with it."""
    UNVERIFIED = mark("unverified")
    """It is an example that expects nothing."""
    EMPTY = mark("says nothing")
    """What it expects would hold whatever the rule did."""
    COMPUTED = mark("computed")
    """It is a table or a chart that expects nothing: its figures are exact, and nothing says what they were."""
    SHOWN = mark("shown")
    """It is a rule that something shows which is verified or computed, and that nothing shows which failed."""
    EXCUSED = mark("excused")
    """It is a rule that nothing shows, and its author says why."""
    UNSHOWN = mark("unshown")
    """It is a rule that nothing shows which is verified or computed, or that something shows which failed."""


class CheckedBlock(NamedTuple):
    """A block with its page and its state."""

    page: str
    block: Block
    state: State


_OF_TESTS: Final = (State.VERIFIED, State.FAILED, State.UNVERIFIED, State.EMPTY)
_SHOWING: Final = {State.VERIFIED, State.COMPUTED}


def checked_blocks(domain: DiceDomain) -> list[CheckedBlock]:
    """Return the blocks of a book that have a state, by page.

    Those are the ones that expect something, that show odds, or that are wrong, and rules.
    """
    found = [
        CheckedBlock(docname, block, state)
        for docname, blocks in sorted(domain.blocks.items())
        for block in blocks
        if (state := _state(domain, block)) is not None
    ]
    first = {name: block for name, (_, block) in domain.named().items()}
    # A rule that is stated a second time is reported as a duplicate, and is one rule.
    return [each for each in found if not isinstance(each.block, RuleBlock) or first.get(each.block.name) is each.block]


def _state(domain: DiceDomain, block: Block) -> State | None:
    if block.issues:
        return State.FAILED
    if isinstance(block, RuleBlock):
        states = {_state(domain, each) for _, each in domain.showing(block.name)}
        if states:
            return State.SHOWN if states & _SHOWING and State.FAILED not in states else State.UNSHOWN
        return State.EXCUSED if reason(block) else State.UNSHOWN
    if block.expect:
        return State.EMPTY if _says_nothing(domain, block) else State.VERIFIED
    if block.is_test():
        return State.UNVERIFIED
    return State.COMPUTED if block.mechanic else None


def _says_nothing(domain: DiceDomain, block: Block) -> bool:
    # It is played with other dice, and a rule may fail with those.
    with suppress(DiceError), contained(domain.env.config.dicedocs_seconds):
        return block.says_nothing()
    return False


def reason(block: Block) -> str:
    """Return why nothing shows a rule, as its author says; empty if its author says nothing."""
    return block.unshown if isinstance(block, RuleBlock) else ""


def count(blocks: Iterable[CheckedBlock], *states: State) -> int:
    """Return the number of blocks in one of some states."""
    return sum(checked.state in states for checked in blocks)


def verified_of_all(blocks: Iterable[CheckedBlock]) -> tuple[int, int]:
    """Return how many blocks are verified, and how many should be; rules are not counted."""
    states = [checked.state for checked in blocks if not isinstance(checked.block, RuleBlock)]
    return states.count(State.VERIFIED), sum(map(states.count, _OF_TESTS))


def badge_text(blocks: Iterable[CheckedBlock]) -> str:
    """Return how many blocks are verified, such as ``186 of 187 verified``."""
    verified, total = verified_of_all(blocks)
    return _("{count} of {total} verified").format(count=verified, total=total)


def summary(blocks: Iterable[CheckedBlock]) -> str:
    """Return the line that sums up the coverage of a book."""
    blocks = list(blocks)
    parts = [badge_text(blocks)]
    if empty := count(blocks, State.EMPTY):
        parts.append(ngettext("{n} example says nothing", "{n} examples say nothing", empty).format(n=empty))
    if computed := count(blocks, State.COMPUTED):
        text = ngettext("{n} table or chart has no expectation", "{n} tables and charts have no expectation", computed)
        parts.append(text.format(n=computed))
    if rules := sum(isinstance(checked.block, RuleBlock) for checked in blocks):
        text = ngettext("{count} of {n} rule shown", "{count} of {n} rules shown", rules)
        parts.append(text.format(count=count(blocks, State.SHOWN), n=rules))
    if excused := count(blocks, State.EXCUSED):
        parts.append(ngettext("{n} rule says why not", "{n} rules say why not", excused).format(n=excused))
    return "; ".join(parts)


def coverage_data(blocks: Iterable[CheckedBlock], shown_path: Callable[[str], str]) -> dict[str, Any]:
    """Return the coverage of a book as plain data; docs/reference/json.md describes it.

    Parameters:
        blocks: the blocks with their states.
        shown_path: what makes the path in the data from that of a source file.
    """
    blocks = list(blocks)
    return {
        "dicedocs": SCHEMA,
        "summary": summary(blocks),
        "counts": {state.value: count(blocks, state) for state in State},
        "blocks": [
            {
                "page": page,
                "label": block.label,
                "kind": block.kind,
                "title": block.title,
                "anchor": block.anchor,
                "state": state.value,
                "shows": list(block.shows),
                "reason": reason(block),
                "file": shown_path(block.source),
                "line": block.line,
            }
            for page, block, state in blocks
        ],
    }
