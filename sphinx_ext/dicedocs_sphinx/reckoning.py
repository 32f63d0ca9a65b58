"""What a table, a chart or a claim shows: counted, compared with what is expected, and all that is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from dicedocs.probability.claims import parse_claims
from dicedocs_sphinx.block import Found, wrong
from dicedocs_sphinx.counted import OWN, Counted, Judged, Shown
from dicedocs_sphinx.inquiry import Inquiry, Unfit
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.ruled import engine_message, misfits, settled
from dicedocs_sphinx.tables import laid_out

if TYPE_CHECKING:
    from dicedocs.probability.claims import Claim, ClaimResult

TOGETHER: Final = 4
"""Distributions that one chart shows."""


class Reckoned(NamedTuple):
    """What counting gave: what there is to show, if anything, and what is wrong."""

    shown: Shown | None
    wrong: list[Found]


def reckon(counted: Counted) -> Reckoned:
    """Count what a directive shows, compare it with what is expected, and say of everything that is wrong."""
    found = misfits(counted, OWN[counted["sort"]]) if counted["mechanic"] else []
    sure, found = settled(counted, found)
    if not sure or found or not counted["mechanic"]:
        return Reckoned(None, found)
    try:
        inquiry = Inquiry(counted)
        table, groups = laid_out(inquiry) if counted["sort"] == "table" else ((), [])
        series = _charted(inquiry) if counted["sort"] == "odds" else []
        judged = _judged(inquiry) if counted["expect"] else []
    except Unfit as unfit:
        return Reckoned(None, settled(counted, [unfit.found])[1])
    except Exception as error:  # noqa: BLE001  # whatever a game's author got wrong is told, and the build goes on
        return Reckoned(None, settled(counted, [wrong(Problem.ENGINE, engine_message(error), "mechanic")])[1])
    claims = [Judged(text=claim.text, figure=verdict.figure, holds=verdict.holds) for claim, verdict in judged]
    shown = Shown(table=table, groups=groups, series=series, claims=claims)
    return Reckoned(shown, settled(counted, _mismatches(counted, judged))[1])


def _charted(inquiry: Inquiry) -> list[tuple[str, str]]:
    """Give the distributions that a chart shows, each as JSON, by their labels."""
    count = len(inquiry.settings("vary"))
    if count > TOGETHER:
        message = f"a chart shows up to {TOGETHER} distributions, and these are {count}"
        raise Unfit(Problem.OPTION, f"{message}; vary less, or make a dice:table", "vary")
    return [(label, each.to_json()) for label, each in inquiry.series().items()]


def _option(counted: Counted) -> str:
    """Give the option that holds the claims."""
    return "claim" if counted["sort"] == "claim" else "expect"


def _judged(inquiry: Inquiry) -> list[tuple[Claim, ClaimResult]]:
    """Count what the claims say, and compare."""
    counted = inquiry.counted
    inquiry.fact()
    with inquiry.reading(_option(counted)):
        claims = parse_claims(counted["expect"])
    if counted["loose"] and len(claims) > 1:
        raise Unfit(Problem.OPTION, "a loose claim stands alone; write one", "loose")
    with inquiry.reading(_option(counted)):
        return [(claim, claim.evaluate(inquiry.subject)) for claim in claims]


def _mismatches(counted: Counted, judged: list[tuple[Claim, ClaimResult]]) -> list[Found]:
    """Give what is wrong with claims that were counted."""
    option = _option(counted)
    amiss = [(claim.text, verdict.figure) for claim, verdict in judged if verdict.holds == counted["loose"]]
    if not amiss:
        return []
    texts, figures = (", ".join(each) for each in zip(*amiss, strict=True))
    if counted["loose"]:
        message = f"{texts} is said to be loose, and it holds: it is {figures}; take {counted['colon']}loose: away"
    else:
        message = f"expected {texts}, and it is {figures}"
        if option == "expect":
            actual = ", ".join(verdict.actual for _, verdict in judged)
            message += f"; write {counted['colon']}expect: {actual}"
    return [wrong(Problem.MISMATCH, message, option)]
