"""What best play is for: figures of claims, each an average of what is had at the end."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.probability.advice import Advice, advice
from dicedocs.probability.best_play import Chain, Solution
from dicedocs.probability.chains import NeverEnds
from dicedocs.probability.claims.condition import cached_condition
from dicedocs.probability.claims.parser import parse_terms
from dicedocs.probability.claims.subject import Subject
from dicedocs.probability.claims.terms import ChainTerm, NegatedTerm, Statistic, Term, statistics
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import choice_orders, fact_selector, select_facts
from dicedocs.probability.explorer import explored
from dicedocs.probability.sweep import Setting
from dicedocs.rules.mechanic import Mechanic, rule_with
from dicedocs.syntax.decisions import Choice

_HARDLY: Final = Fraction(1, 10**20)
"""Odds of counted rounds leave out what hardly ever happens, which is worth no more than this."""
_WRITE: Final = "write p(success), mean(total), or a sum of such figures"


class Worth(Subject):
    """A rule with one outcome, of which the figures are what it is worth.

    Parameters:
        rule: the rule.
        text: the figures, with commas between them: each decides between what the ones before leave equal.

    Attributes:
        facts: the facts that the figures are of.

    Raises:
        NotationError: the text has no figures; the error has the position.
        ParameterError: a figure is no average, or of what the rule does not have.

    >>> from dicedocs.rules.registry import mechanic
    >>> Worth(mechanic("total-effect/roll"), "2 * p(total at least 13), -mean(effect)").of((14, 6))
    (Fraction(2, 1), Fraction(-6, 1))
    """

    def __init__(self, rule: type[Mechanic], text: str) -> None:
        super().__init__(rule, {})
        self._values: dict[str, Any] = {}
        try:
            self._terms = parse_terms(text)
            self.facts = tuple(dict.fromkeys(self._facts_named()))
        except DiceError as error:
            error.parameter = error.parameter or "best"
            raise

    def _facts_named(self) -> Iterator[str]:
        for term in self._terms:
            _check_average(term)
            if not list(statistics(term)):
                raise ParameterError("a number alone is no figure to play for", hint=_WRITE)
            for figure in statistics(term):
                yield from self._facts_of(figure)

    def _facts_of(self, figure: Statistic) -> Iterable[str]:
        if figure.given or figure.settings or figure.name not in {"p", "mean"}:
            written = f"{figure.name}({figure.events.text})"
            message = f"best play is for p(...) or mean(...), not for {written}"
            if figure.given or figure.settings:
                message = f"best play is for all that may happen: {written} stands there with 'given' or '|'"
            raise ParameterError(message, hint=_WRITE)
        if figure.is_probability:
            return cached_condition(figure.events, self).facts
        return (self.fact_name(figure.events.text),)

    def odds(self, *facts: str, settings: Iterable[Setting] = ()) -> Distribution:
        """Return the distribution of facts of the one outcome."""
        values = tuple([self._values[name] for name in map(self.fact_name, facts or ("",))])
        return Distribution.from_counts({values if len(values) > 1 else values[0]: 1}, facts)

    def of(self, values: Sequence[Any]) -> tuple[Fraction, ...]:
        """Return what an outcome is worth.

        Parameters:
            values: the values of ``facts``.
        """
        self._values = dict(zip(self.facts, values, strict=True))
        return tuple([term.value(self) for term in self._terms])


def _check_average(term: Term) -> None:
    """Refuse a product or a quotient of two figures, which is no average of what is had at the end."""
    match term:
        case NegatedTerm(inner):
            _check_average(inner)
        case ChainTerm(first, rest):
            has_figure = any(statistics(first))
            for sign, each in rest:
                is_figure = any(statistics(each))
                if (sign == "*" and has_figure and is_figure) or (sign == "/" and is_figure):
                    message = "best play is for an average, not for a product or a quotient of figures"
                    raise ParameterError(message, hint=_WRITE)
                has_figure = has_figure or is_figure
            for each in (first, *(part for _, part in rest)):
                _check_average(each)


def best_odds(rule: Mechanic, best: str, *facts: str) -> Generator[float, None, Distribution]:
    """Return the exact odds of facts, by default the main one, while open choices are made as well as can be.

    Parameters:
        rule: the rule.
        best: what best play is for, such as ``p(success), -mean(hurt)``.
        facts: the facts.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`~dicedocs.odds`; or the text is no figure
            that can be played for, or nothing is chosen in the rule.
    """
    names = select_facts(rule, facts)
    worth = Worth(type(rule), best)
    of_worth = len(worth.facts)
    chain = yield from _explored(rule, (*worth.facts, *names))
    ways, total_ways = chain.best({end: worth.of(end[:of_worth]) for end in chain.ends}).odds()
    counts: dict[Any, int] = {}
    for end, number in ways.items():
        value = end[of_worth:] if len(names) > 1 else end[of_worth]
        counts[value] = counts.get(value, 0) + number
    return Distribution.from_counts(counts, names, choice_orders(rule, names, counts), total_ways)


def figure_bounds(
    rule: Mechanic, best: str, *figures: str
) -> Generator[float, None, dict[str, tuple[Fraction, Fraction]]]:
    """Return the least and the greatest that figures can be in best play, as is decided between equally good ways.

    Parameters:
        rule: the rule.
        best: what best play is for.
        figures: such as ``mean(hurt)``, each by itself.

    Returns:
        The bounds of each figure; they are equal where nothing depends on such ways.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`best_odds`.
    """
    worth = Worth(type(rule), ", ".join((best, *figures)))
    chain = yield from _explored(rule, worth.facts)
    values = {end: worth.of(end) for end in chain.ends}
    played_for = len(parse_terms(best))
    if len(next(iter(values.values()))) != played_for + len(figures):
        raise ParameterError("several figures stand in one text", hint="give each by itself")
    bounds = {}
    for index, figure in enumerate(figures, played_for):
        least, greatest = (
            sign
            * chain.best({end: (*value[:played_for], sign * value[index]) for end, value in values.items()}).value[-1]
            for sign in (-1, 1)
        )
        bounds[figure] = least, greatest
    return bounds


def best_advice(rule: Mechanic, best: str, choice: str = "", by: Sequence[str] = ()) -> Generator[float, None, Advice]:
    """Return when a player should choose what, held against the dice: played so, it is worth as much as best play.

    Parameters:
        rule: the rule.
        best: what best play is for.
        choice: the name of the choice; may be empty if the rule has only one.
        by: the names that decide; by default the fewest of those that the player sees.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`best_odds`; or there is no such choice, what
            the player sees does not decide it, or the advice would have more than 40 rows.
    """
    worth = Worth(type(rule), best)
    play = yield from _best_play(rule, worth)
    found = advice(play.solved(), choice, by)
    try:
        as_advised = yield from _best_play(rule_with(rule, {found.choice: found.condition}), worth)
        is_best = all(abs(one - other) <= _HARDLY for one, other in zip(as_advised.value, play.value, strict=True))
    except NeverEnds:
        is_best = False
    if not is_best:
        message = f"{quoted(found.condition)} is not worth as much as best play"
        raise DiceError(message, hint="name what else decides", parameter=found.choice)
    return found


def _best_play(rule: Mechanic, worth: Worth) -> Generator[float, None, Solution]:
    chain = yield from _explored(rule, worth.facts)
    return chain.best({end: worth.of(end) for end in chain.ends})


def _explored(rule: Mechanic, facts: Sequence[str]) -> Generator[float, None, Chain]:
    """Return what follows the choices of a rule, whose ends are the values of facts."""
    if not any(isinstance(getattr(rule, name), Choice) for name in rule.parameters()):
        raise ParameterError("nothing is chosen in this mechanic", hint="leave out best", parameter="best")
    select = fact_selector(rule, facts)
    return (yield from explored(rule, select if len(facts) > 1 else lambda values: (select(values),)))
