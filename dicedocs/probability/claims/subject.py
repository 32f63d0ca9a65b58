"""What claims are about: a mechanic with its parameters, whose odds are counted when they are needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from dicedocs import limits
from dicedocs.clock import TimeUp
from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.claims.condition import EventText, cached_condition
from dicedocs.probability.event import Event, event_line
from dicedocs.probability.fact_words import is_free_word, no_such_word, table_words
from dicedocs.probability.sweep import Setting, apply_settings
from dicedocs.probability.verification import verified_odds
from dicedocs.rules.kinds import as_line
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.similar_words import near

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.rules.mechanic import Mechanic

_CACHE_SIZE: Final = 64
"""Distributions that are kept, since blocks need the same ones again and again."""
_PLAYS_PER_ROUND: Final = 64
"""Plays of a rule that take about as long as a round of counting."""
_OUTCOMES_PER_ROUND: Final = 500
"""Outcomes of a distribution that take about as long as a round of counting."""


_ENOUGH: Final = 2
"""Distributions after which the rounds of all that are planned can be estimated."""
_MARGIN: Final = 2
"""How many times above the limit that estimate must be, since some distributions take longer than others."""
_FEWER: Final = f"ask for fewer figures, throw fewer dice, {limits.RAISE}"


class Subject:
    """A mechanic with its parameters, and the fact that is meant where none is named.

    Parameters:
        mechanic: the id of a mechanic, or the mechanic.
        parameters: its parameters, each as itself or as its text.
        fact: the default fact; the mechanic's first when left out.
        best: what open choices are made for, as for :func:`~dicedocs.odds`.

    Attributes:
        best: what open choices are made for.

    >>> Subject("total-effect/roll", {}).probability("total", "at least 13")
    Fraction(7, 27)
    """

    def __init__(
        self, mechanic: str | type[Mechanic], parameters: Mapping[str, Any], fact: str = "", best: str = ""
    ) -> None:
        self.mechanic = mechanic
        self.parameters = parameters
        self._fact = fact
        self.best = best
        self._rounds: dict[tuple[Mechanic, tuple[str, ...]], int] = {}
        self.conditions: dict[tuple[str, str, bool, str], Event] = {}
        self._planned = 0
        self._unseen: dict[tuple[str, str], set[str]] = {}
        """The texts that never came up, by their fact, with those that did."""
        self._seen: set[tuple[str, str]] = set()

    @property
    def rule(self) -> type[Mechanic]:
        """The mechanic; a ``DiceError`` if there is none with this id."""
        return mechanic_of(self.mechanic) if isinstance(self.mechanic, str) else self.mechanic

    def odds(self, *facts: str, settings: Iterable[Setting] = ()) -> Distribution:
        """Return the exact distribution of a fact, by default the subject's, or the joint one of several.

        Raises:
            LimitError: this takes too long, together with what was counted before.
            DiceError: there is no such fact, or it cannot be counted.
        """
        rule = apply_settings(self.rule, self.parameters, settings)
        names = tuple(map(self.fact_name, facts or ("",)))
        try:
            odds, self._rounds[rule, names] = _odds(rule, names, self.best)
        except TimeUp as error:
            error.distributions = max(self._planned, 1)
            raise
        rounds, counted = sum(self._rounds.values()), len(self._rounds)
        limits.COUNTING.check(rounds, hint=_FEWER)
        if counted >= _ENOUGH and rounds * self._planned > _MARGIN * counted * limits.COUNTING.maximum:
            limits.COUNTING.check(rounds * self._planned // counted, hint=_FEWER)
        return odds

    def plan(self, distributions: int) -> None:
        """Announce how many distributions will be asked for, so that too many are refused after the first few."""
        self._planned += distributions

    def probability(self, fact: str, event: object, settings: Iterable[Setting] = ()) -> Fraction:
        """Return the exact probability of an event of a fact.

        Raises:
            DiceError: there is no such fact, it cannot be counted, or it cannot have the value that the event names.
        """
        parsed = self.event(fact, event)
        return parsed.chance(self.joint_odds(parsed, settings=settings))

    def joint_odds(self, *of: Event | str, settings: Iterable[Setting] = ()) -> Distribution:
        """Return the joint distribution of facts, and of those of events, whose words they can be.

        Raises:
            DiceError: there is no such fact, it cannot be counted, or it cannot have the value that an event names.
        """
        names: dict[str, None] = {}
        events = [each for each in of if isinstance(each, Event)]
        for each in of:
            names |= dict.fromkeys(each.facts if isinstance(each, Event) else [each])
        odds = self.odds(*names, settings=settings)
        words = [each for event in events for each in event.words()]
        compared = sum(each.comparisons for each in events) + len(words)
        if compared > 1:
            limits.PAIRS.check(len(odds) * compared, hint="name fewer events")
        for fact, text in words:
            self._note_word(fact, text, odds.marginal(fact))
        return odds

    def check_words(self) -> None:
        """Refuse a text with which a fact was compared if it never came up, with or without the settings.

        It may stand in a table of the rule, too. This is for the end: what is impossible with one setting may well
        come up with another one.

        Raises:
            ParameterError: a fact can never be such a text.
        """
        for (fact, text), words in list(self._unseen.items()):
            words |= set(map(as_line, self.odds(fact)))
            if text not in words:
                raise no_such_word(self.rule, fact, text, words)

    def _note_word(self, fact: str, text: str, odds: Distribution) -> None:
        """Note a word with which a fact is compared that may be any text."""
        if not self.rule.fact_kinds()[fact].any_text:
            return
        words = set(map(as_line, odds))
        named = fact, text
        if named in self._seen or not is_free_word(self.rule, *named):
            return
        if text in words or odds.remainder or text in table_words(self.rule):
            self._seen.add(named)
            self._unseen.pop(named, None)
        else:
            self._unseen.setdefault(named, set()).update(words)

    def event(self, fact: str, text: object) -> Event:
        """Return an event, which is about a fact where it names none.

        Raises:
            DiceError: it is none, or the fact cannot have this value.
        """
        line = event_line(text)
        return cached_condition(EventText(line, line), self, fact=fact)

    def fact_name(self, name: str = "") -> str:
        """Return the name of a fact, the default one's if it is empty, or raise a ``ParameterError``."""
        facts = self.rule.result().facts_of
        name = name or self._fact or next(iter(facts))
        if name not in facts:
            raise ParameterError(f"there is no fact {quoted(name)}", hint=near(name, facts))
        return name


@limits.cached(_CACHE_SIZE)
def _odds(rule: Mechanic, facts: tuple[str, ...], best: str) -> tuple[Distribution, int]:
    """Return the distribution of facts, and the rounds of counting that it took."""
    steps = verified_odds(rule, *facts, best=best)
    plays = 0
    while True:
        try:
            next(steps)
        except StopIteration as done:
            odds: Distribution = done.value
            return odds, max(1, plays // _PLAYS_PER_ROUND) + len(odds) // _OUTCOMES_PER_ROUND
        except TimeUp as error:
            error.has_played = plays > 0
            raise
        plays += 1
