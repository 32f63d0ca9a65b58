"""The rules that dyce has the means for, as its users would write them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dyce import H, HResult, expand, explode_n

D6 = H(6)
NONE_TOO_SMALL = Fraction(0)
"""With it, no path is cut."""


def skill_challenge(skill: int, difficulty: int) -> H[Any]:
    def check(success: HResult[Any], *, successes: int, failures: int) -> Any:
        if success.outcome:
            successes += 1
        else:
            failures += 1
        if successes == 6 or failures == 3:
            return successes == 6, successes + failures
        return expand(check, die, successes=successes, failures=failures)

    die = (H(20) + skill).ge(difficulty)
    return expand(check, die, successes=0, failures=0, min_path_probability=NONE_TOO_SMALL)


def claws() -> H[Any]:
    def again(kept: HResult[int]) -> Any:
        return (6 - kept.outcome) @ D6.eq(6) + kept.outcome if kept.outcome < 6 else 6

    return expand(
        again, expand(again, 6 @ D6.eq(6), min_path_probability=NONE_TOO_SMALL), min_path_probability=NONE_TOO_SMALL
    )


def sessions(skill: int, number: int) -> H[Any]:
    def session(thrown: HResult[int], skill: HResult[int]) -> Any:
        return H(10) + skill.outcome if thrown.outcome > min(skill.outcome, 95) else skill.outcome

    skills = H({skill: 1})
    for _ in range(number):
        skills = expand(session, H(100), skills, min_path_probability=NONE_TOO_SMALL)
    return skills


def trait(limit: int) -> H[Any]:
    """Return the raises, up to a limit."""

    def best(trait: HResult[int], wild: HResult[int]) -> Any:
        total = max(trait.outcome, wild.outcome)
        return total >= 4, min(limit, max(0, total // 4 - 1))

    return expand(best, explode_n(H(8), n=9), explode_n(D6, n=9), min_path_probability=NONE_TOO_SMALL)


def open_ended(limit: int) -> H[Any]:
    """Return the total, between two limits; what is beyond is one value."""

    def again(thrown: HResult[int], *, left: int) -> Any:
        if thrown.outcome < 96 or not left:
            return thrown.outcome
        return expand(again, H(100), left=left - 1) + thrown.outcome

    def total(thrown: HResult[int]) -> Any:
        die = thrown.outcome
        return die + more if die > 95 else die - more if die < 6 else die

    more = expand(again, H(100), left=3, min_path_probability=NONE_TOO_SMALL)
    totals = expand(total, H(100), min_path_probability=NONE_TOO_SMALL)
    return totals.apply(lambda one: one if abs(one) <= limit else limit + 1)


def haunt() -> H[Any]:
    def omen(haunted: HResult[Any], *, omens: int) -> Any:
        if haunted.outcome:
            return omens
        return expand(omen, dice.lt(omens + 1), omens=omens + 1)

    dice = 6 @ H((0, 0, 1, 1, 2, 2))
    return expand(omen, dice.lt(1), omens=1, min_path_probability=NONE_TOO_SMALL)
