"""What best play is for: figures of claims, each an average of what is had at the end."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, cast

from dicedocs.errors import DiceError, NotationError, ParameterError, quoted
from dicedocs.probability.advice import Advice, advice
from dicedocs.probability.best_odds import HARDLY, BestOdds, Ties
from dicedocs.probability.best_play import Solution, Value
from dicedocs.probability.chains import Counts, NeverEnds
from dicedocs.probability.claims.condition import cached_condition
from dicedocs.probability.claims.parser import parse_terms
from dicedocs.probability.claims.subject import Subject
from dicedocs.probability.claims.terms import ChainTerm, NegatedTerm, Statistic, Term, format_figure, statistics
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import choice_orders, fact_selector, select_facts
from dicedocs.probability.explorer import Explored, explored
from dicedocs.probability.ordering import ChoiceOrders
from dicedocs.probability.sweep import Setting
from dicedocs.render.numbers import bounds_texts
from dicedocs.rules.kinds import BoolKind, spaced
from dicedocs.rules.mechanic import Mechanic, rule_with
from dicedocs.syntax.decisions import Choice
from dicedocs.syntax.names import find_name

_APART: Final = re.compile(r"\s*(?:[,;]\s*(?:(?:and\s+)?then\s+)?|\b(?:and\s+)?then\b)\s*")
_SAID: Final = re.compile(
    r"(?:(?P<less>-|(?:(?:as\s+)?few(?:est)?|least|lowest|min(?:imum|imi[sz]e)?|not?)\b)"
    r"|(?:(?:as\s+)?many|most|best|high(?:est)?|max(?:imum|imi[sz]e)?|mean|average|p|(?:chance|probability)(?:\s+of)?)\b|)"
    r"\s*\(?\s*(?:an?\s+|the\s+)?(?:(?:mean|p)\s*\(\s*)?(?P<fact>[^\W\d_][\w ]*?)(?:\s+as\s+possible)?\s*\)*",
    re.IGNORECASE,
)
"""A figure as people say it."""
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
        ParameterError: a figure is no average, or of what the rule does not have, or nothing is chosen in the rule.

    >>> from dicedocs.rules.registry import mechanic
    >>> Worth(mechanic("dungeoneers/fights"), "2 * p(all_won), -mean(won)").of((True, 3))
    (Fraction(2, 1), Fraction(-3, 1))
    """

    def __init__(self, rule: type[Mechanic], text: str) -> None:
        super().__init__(rule, {})
        self._values: dict[str, Any] = {}
        try:
            self._terms = parse_terms(text)
            self.facts = tuple(dict.fromkeys(self._facts_named()))
        except DiceError as error:
            error.parameter = error.parameter or "best"
            if isinstance(error, NotationError):
                error.hint = _meant(rule, text) or (_WRITE if error.hint.startswith("known") else error.hint)
            raise
        if not any(field.kind.undecided for field in rule.parameters().values()):
            raise ParameterError("nothing is chosen in this mechanic", hint="leave out best", parameter="best")

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

    def shown(self, one: Value, other: Value) -> tuple[str, str]:
        """Return how two outcomes that are not worth the same are shown."""
        texts = []
        for term, *pair in zip(self._terms, one, other, strict=True):
            same = (format_figure(pair[0], as_percentage=term.is_probability),) * 2
            texts.append(bounds_texts(pair, as_percentage=term.is_probability) if pair[0] != pair[1] else same)
        own, others = map(", ".join, zip(*texts, strict=True))
        return own, others


def _meant(rule: type[Mechanic], text: str) -> str:
    """Return which figures are meant by names of facts, or by what is said of them: ``success, then fewest turns``."""
    figures, facts = list[str](), {spaced(name): name for name in rule.fact_kinds()}
    for part in filter(None, _APART.split(text)):
        found = _SAID.fullmatch(part)
        name = find_name(found["fact"], facts) if found else ""
        name = name if name in facts else name.removesuffix("s")
        # More of what stands behind by its bare name, or less of it?
        if found is None or name not in facts or (figures and found["fact"] == part):
            return ""
        is_truth = isinstance(rule.fact_kinds()[facts[name]], BoolKind)
        figures.append(f"{'-' * bool(found['less'])}{'p' if is_truth else 'mean'}({name})")
    return f"write {', '.join(figures)}" if figures else ""


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


class OpenPlay:
    """A rule that is explored for all that may be chosen, and the odds of some facts.

    Parameters:
        rule: the rule.
        names: the facts.
        worth: what is played for.
        explored: what follows the choices; its ends are the values of the facts of ``worth``, then those of ``names``.
    """

    def __init__(self, rule: Mechanic, names: tuple[str, ...], worth: Worth, explored: Explored) -> None:
        self._rule, self._names, self._worth = rule, names, worth
        self._chain, self.merges_states, self.goes_round = explored

    def at_random(self) -> Distribution:
        """Return the odds while each way of a choice is as likely."""
        return Distribution.from_counts(*self._counted(self._chain.at_random()))

    def best(self) -> BestOdds:
        """Return the odds of best play."""
        worth = {end: self._worth.of(end[: len(self._worth.facts)]) for end in self._chain.ends}
        play = self._chain.best(worth)
        is_tied = any(len(one.best) > 1 for one in play.solved())
        ties = Ties(self._chain, worth, {end: self._value(end) for end in worth}) if is_tied else None
        return BestOdds.of_play(*self._counted(play.odds()), ties)

    def _counted(self, odds: Counts) -> tuple[dict[Any, int], tuple[str, ...], ChoiceOrders, int]:
        counts: dict[Any, int] = {}
        for end, ways in odds.ways.items():
            value = self._value(end)
            counts[value] = counts.get(value, 0) + ways
        return counts, self._names, choice_orders(self._rule, self._names, counts), odds.total_ways

    def _value(self, end: tuple[Any, ...]) -> Any:
        values = end[len(self._worth.facts) :]
        return values if len(self._names) > 1 else values[0]


def open_play(rule: Mechanic, best: str, *facts: str) -> Generator[float, None, OpenPlay]:
    """Return a rule that is explored for all that may be chosen.

    Parameters:
        rule: the rule.
        best: what best play is for, such as ``p(success), -mean(hurt)``.
        facts: the facts whose odds are wanted, by default the main one.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`~dicedocs.odds`; or the text is no figure
            that can be played for, or nothing is chosen in the rule.
    """
    names = select_facts(rule, facts)
    worth = Worth(type(rule), best)
    return OpenPlay(rule, names, worth, (yield from _explored(rule, (*worth.facts, *names))))


def best_advice(rule: Mechanic, best: str, choice: str = "", by: Sequence[str] = ()) -> Generator[float, None, Advice]:
    """Return when a player should choose what, held against the dice: played so, it is worth as much as best play.

    Parameters:
        rule: the rule.
        best: what best play is for.
        choice: the name of the choice; may be empty if the rule has only one.
        by: the names that decide; by default the fewest of those that the player sees.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`open_play`; or there is no such choice, what
            the player sees does not decide it, or the advice would have more than 40 rows.
    """
    worth = Worth(type(rule), best)
    play = yield from _best_play(rule, worth)
    found = advice(play.solved(), choice, by)
    try:
        as_advised = yield from _best_play(rule_with(rule, {found.choice: found.condition}), worth)
        is_best = _are_equal(as_advised.value, play.value)
    except NeverEnds:
        is_best = False
    if not is_best:
        message = f"{quoted(found.condition)} is not worth as much as best play"
        raise DiceError(message, hint="name what else decides", parameter=found.choice)
    return found._replace(worth=play.value)


def advice_difference(rule: Mechanic, best: str, advice: Advice, words: str) -> Generator[float, None, str]:
    """Return how much less other words for advice are worth: ``worth 7.85; best play is worth 8.14``; empty if no less.

    Parameters:
        rule: the rule.
        best: what best play is for.
        advice: the advice.
        words: the words, a text of the parameter of its choice.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`open_play`; or the words do not say what to
            choose each time.
    """
    words = " ".join(words.split())
    if words == advice.condition:
        return ""
    choice = cast("Choice", type(rule).parameters()[advice.choice].convert(words))
    if not choice.is_fixed:
        message = f"{quoted(words)} does not say what to choose each time"
        raise ParameterError(message, hint=f"write it like {advice.condition}")
    worth = Worth(type(rule), best)
    played = yield from _best_play(rule_with(rule, {advice.choice: choice}), worth)
    if _are_equal(played.value, advice.worth):
        return ""
    own, most = worth.shown(played.value, advice.worth)
    return f"worth {own}; best play is worth {most}"


def _are_equal(one: Value, other: Value) -> bool:
    return all(abs(each - its) <= HARDLY for each, its in zip(one, other, strict=True))


def _best_play(rule: Mechanic, worth: Worth) -> Generator[float, None, Solution]:
    chain = (yield from _explored(rule, worth.facts)).chain
    return chain.best({end: worth.of(end) for end in chain.ends})


def _explored(rule: Mechanic, facts: Sequence[str]) -> Generator[float, None, Explored]:
    """Return what follows the choices of a rule, whose ends are the values of facts."""
    select = fact_selector(rule, facts)
    return (yield from explored(rule, select if len(facts) > 1 else lambda values: (select(values),)))
