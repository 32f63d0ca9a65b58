"""What is said of a rule that is too much to count: its largest dice call, where that is, and what to write instead."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from math import log, log10
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.faults import calling_place
from dicedocs.probability.branching_dice import BranchingDice, Counting, PathDice, Uncounted
from dicedocs.probability.dice_calls import CallKey, Repeat
from dicedocs.probability.size_probe import SizeProbe

_CALLS: Final = (
    "ask for less, as with dice.tally(...), dice.total(...) or keep=highest(...), write a loop as dice.repeat(...), "
    "make a part a rule of its own"
)
_STATES: Final = "keep in the states only what later rounds read, count rounds with count=True"
_NOTATION: Final = "throw fewer dice"
_OTHERWISE: Final = f"take samples: estimate(...), {limits.RAISE}"
_CHOSEN_STATES: Final = (
    "let the rule end at a number, such as 100 points or 20 rounds, or keep fewer values from round to round"
)


def how_to_count(counting: Counting, state: Any, refused: PathDice | SizeProbe) -> str:
    """Return the hint of an error: the largest dice call of a path, and what to write instead.

    Parameters:
        counting: what is counted.
        state: the state from which the path begins.
        refused: the dice that followed the path.
    """
    dice = _LocatingDice(counting, refused)
    with suppress(Exception, Uncounted, _PathEnded):  # the rule may fail this time
        dice.run(state)
    asks = counting.open_choices is not None  # best play takes no samples
    states, otherwise = (_CHOSEN_STATES, limits.RAISE) if asks else (_STATES, _OTHERWISE)
    goes_on = isinstance(counting.question, Repeat)
    write = states if goes_on else _CALLS
    if not dice.calls:
        return f"{write}, {otherwise}"
    largest = max(dice.calls, key=lambda call: dice.calls[call] * log(call.size))
    if not largest.place:  # no line of a game makes it
        if asks:  # lines of a page ask, in which it is written otherwise
            return f"{states if goes_on else _NOTATION}, {otherwise}"
        write = _NOTATION
    times = dice.calls[largest]
    made = f", made {times} times" if times > 1 else ""
    return f"the largest dice call is {largest}{made}; {write}, {otherwise}"


class _PathEnded(BaseException):
    """Raised behind the last call of a path; no rule's ``except Exception`` may catch it."""


class _LocatedCall(NamedTuple):
    """A dice call in a place, with the number of its branches."""

    key: CallKey
    place: str
    size: int

    def __str__(self) -> str:
        kind, *arguments = self.key
        place = f" ({self.place})" if self.place else ""
        size = str(self.size) if self.size < 10**limits.DIGITS.maximum else f"about 10^{log10(self.size):.0f}"
        return f"{kind(*arguments).code()}{place}, with {size} branches"


class _LocatingDice(BranchingDice):
    """Dice that follow a path again, up to the call that was refused, and note where the rule makes each call.

    Attributes:
        calls: how often each was made.
    """

    __slots__ = ("_results", "calls")

    def __init__(self, counting: Counting, refused: PathDice | SizeProbe) -> None:
        super().__init__(counting)
        self.calls: Counter[_LocatedCall] = Counter()
        self._results = iter([call.result for call in refused.path])

    def branch(self, key: CallKey) -> Any:
        self.calls[_LocatedCall(key, calling_place(), self.size(key))] += 1
        try:
            return next(self._results)
        except StopIteration:
            raise _PathEnded from None
