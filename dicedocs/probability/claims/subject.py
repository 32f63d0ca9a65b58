"""What figures are of: a mechanic with its parameters, whose odds are counted when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from dicedocs import limits
from dicedocs.errors import ParameterError, near, quoted
from dicedocs.probability.enumeration import enumerate_odds
from dicedocs.probability.event import Event
from dicedocs.probability.sweep import Setting, apply_settings
from dicedocs.rules.kinds import as_line, convert
from dicedocs.rules.registry import mechanic as mechanic_of

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.rules.mechanic import Mechanic

_REMEMBERED: Final = 64
"""Distributions that are kept, since blocks ask for the same ones again and again."""
_ROUND: Final = 1_000
"""Values of a distribution that take about as long as a round of counting."""


class Subject:
    """What figures are of.

    Parameters:
        mechanic: the id of a mechanic.
        parameters: its parameters, each as itself or as its text.
        fact: the fact that is meant where none is named; the mechanic's first when left out.

    >>> Subject("total-effect/roll", {}).chance({"total": "at least 13"})
    Fraction(7, 27)
    """

    def __init__(self, mechanic: str, parameters: Mapping[str, Any], fact: str = "") -> None:
        self.mechanic = mechanic
        self.parameters = parameters
        self._fact = fact
        self._rounds: dict[tuple[Mechanic, tuple[str, ...]], int] = {}

    @property
    def rule(self) -> type[Mechanic]:
        """The mechanic.

        Raises:
            DiceError: there is none of that id.
        """
        return mechanic_of(self.mechanic)

    def odds(self, *facts: str, chosen: Iterable[Setting] = ()) -> Distribution:
        """Count the exact odds of a fact, or the joint odds of several.

        Parameters:
            facts: their names; the subject's fact when left out.
            chosen: settings beside the parameters.

        Raises:
            LimitError: this takes too long, together with what was counted before.
            DiceError: there is no such fact, or it cannot be counted.
        """
        rule = apply_settings(self.rule, self.parameters, chosen)
        names = tuple(map(self.known, facts or ("",)))
        odds, self._rounds[rule, names] = _odds(rule, names)
        limits.COUNTING.check(sum(self._rounds.values()), hint="ask for fewer figures, or throw fewer dice")
        return odds

    def chance(self, events: Mapping[str, Event | str], chosen: Iterable[Setting] = ()) -> Fraction:
        """Count the exact chance of an event, or of several together.

        Parameters:
            events: for each fact its event, as :meth:`dicedocs.probability.event.Event.read` takes it.
            chosen: settings beside the parameters.

        Raises:
            DiceError: there is no such fact, it cannot be counted, or it never has the value that an event names.
        """
        read = {name: self._event(name, event) for name, event in events.items()}
        odds = self.odds(*read, chosen=chosen)
        return odds.p(**read) if len(read) > 1 else odds.p(*read.values())

    def _event(self, fact: str, text: Event | str) -> Event:
        """Read an event; what is compared with gets the text that the fact's values have."""
        event = Event.read(text)
        if event.ordered:
            return event
        return event._replace(text=as_line(convert(self.rule.fact_kinds()[fact], event.text)))

    def known(self, fact: str = "") -> str:
        """Give the name of a fact, the subject's when it is empty.

        Raises:
            ParameterError: there is no such fact.
        """
        facts = self.rule.result().facts_of
        name = fact or self._fact or next(iter(facts))
        if name not in facts:
            raise ParameterError(f"there is no fact {quoted(name)}", hint=near(name, facts))
        return name


@lru_cache(_REMEMBERED)
def _odds(rule: Mechanic, facts: tuple[str, ...]) -> tuple[Distribution, int]:
    """Count odds, and in how many rounds."""
    counted = enumerate_odds(rule, *facts)
    rounds = 1
    while True:
        try:
            next(counted)
        except StopIteration as done:
            odds: Distribution = done.value
            return odds, rounds + len(odds) // _ROUND
        rounds += 1
