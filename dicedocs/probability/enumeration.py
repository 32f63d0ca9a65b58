"""The exact odds of any fact of any mechanic, counted over all branches of its dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, TypeVar

from dicedocs.errors import DiceError, ParameterError, listed, quoted
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumerator import Enumerator
from dicedocs.probability.ordering import ChoiceOrders
from dicedocs.rules import kinds
from dicedocs.rules.mechanic import ID, Mechanic
from dicedocs.rules.playing import rule_from_notation
from dicedocs.rules.registry import mechanic
from dicedocs.similar_words import near
from dicedocs.syntax.decisions import Undecided

_NAME: Final = re.compile(r"[a-z-]+(/.*)?", re.IGNORECASE)
"""What may be a misspelled id, and no notation."""
T = TypeVar("T")
Facts = tuple[Any, ...]


def odds(rule: str | Mechanic, /, *facts: str, best: str = "", **parameters: Any) -> Distribution:
    """Return the exact odds of facts of a mechanic, from the very rule that rolls it.

    Parameters:
        rule: the id of a mechanic, notation such as ``"4d6kh3"``, or a mechanic with its parameters.
        facts: one fact, or several, whose odds are then joint: the values are tuples. Without any
            it is the mechanic's main fact.
        best: what the player's open choices are made for: ``"p(success)"``, ``"mean(total)"``, a sum of such figures,
            or several, each deciding between what the ones before leave equal: ``"p(success), -mean(hurt)"``.
            Between what is equal in all of them the way written first is taken, or another where rounds would go on
            for ever by that.
        parameters: the mechanic's parameters, each as itself or as its text.

    Returns:
        The distribution of the fact's values.

    Raises:
        ParameterError: there is no such mechanic, parameter or fact, or a value does not fit.
        LimitError: the dice have more branches than ``BRANCHES``.
        DiceError: the rule cannot be played.
        RuntimeError: the rule is not a function of its dice.

    >>> odds("total-effect/roll", "total", advantage=1).p(">= 13")
    Fraction(79, 162)
    >>> odds("4d6kh3").p("= 18")
    Fraction(7, 432)
    """
    bound = bind_parameters(rule, parameters)
    try:
        return run_to_end(enumerate_odds(bound, *facts, best=best))
    except Undecided as error:
        error.offer_best('best="{}"')
        raise


def run_to_end(steps: Generator[float, None, T], progress: Callable[[float], None] | None = None) -> T:
    """Return the result of a generator that yields its progress, from 0 to 1, such as :func:`enumerate_odds`."""
    while True:
        try:
            part = next(steps)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # the value of a generator is Any here
        if progress is not None:
            progress(part)


def bind_parameters(rule: str | Mechanic, parameters: Mapping[str, Any]) -> Mechanic:
    """Return the mechanic of an id or a notation with these parameters, or a mechanic unchanged."""
    if not isinstance(rule, Mechanic):
        if not isinstance(rule, str):
            raise ParameterError(f"{quoted(rule)} is not a mechanic", hint="give its id, or it with its parameters")
        if ID.fullmatch(rule) or _NAME.fullmatch(rule):
            return mechanic(rule)(**parameters)
        unknown = next((name for name in parameters if name not in {"actor", "target"}), None)
        if unknown is not None:
            hint = "it has 'actor' and 'target'"
            raise ParameterError("notation has no such parameter", hint=hint, parameter=unknown)
        return rule_from_notation(rule, **parameters)
    if parameters:
        raise ParameterError("a mechanic with its parameters takes no others", hint="give the id instead")
    return rule


def select_facts(rule: Mechanic, names: Sequence[str]) -> tuple[str, ...]:
    """Return the named facts, or else the main fact; raise a ``ParameterError`` for one without a distribution."""
    known = type(rule).result().facts_of
    for index, name in enumerate(names):
        if not isinstance(name, str):
            raise ParameterError(f"{quoted(name)} is not a fact", hint="give the name of one")
        if name in type(rule).result().read_from_dice:
            raise ParameterError(f"{quoted(name)} has no odds of its own", hint=f"ask for {listed(known)}")
        if name not in known:
            raise ParameterError(f"there is no fact {quoted(name)}", hint=near(name, known))
        if name in names[:index]:
            raise ParameterError(f"the fact {quoted(name)} is named twice", hint="name each once")
    if not known:
        raise ParameterError("this mechanic has no facts", hint="ask for another")
    return tuple(names) or (type(rule).result().main_fact,)


def fact_selector(rule: Mechanic, names: Sequence[str]) -> Callable[[Facts], Hashable]:
    """Return the function that takes the named facts from all facts: one as itself, several as a tuple."""
    return itemgetter(*map(list(type(rule).result().facts_of).index, names))


def enumerate_odds(rule: Mechanic, *facts: str, best: str = "") -> Generator[float, None, Distribution]:
    """Do what :func:`odds` does a little at a time, so that the caller can do other things meanwhile.

    Yields:
        Which part is done, from 0 to 1, after each play of the rule.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`odds`.
    """
    if best:
        from dicedocs.probability.claims.worth import open_play  # which builds on this module

        return (yield from open_play(rule, best, *facts)).best()
    names = select_facts(rule, facts)
    own = own_distribution(rule, names)
    return own if own is not None else (yield from count_odds(rule, names))


def own_distribution(rule: Mechanic, names: Sequence[str]) -> Distribution | None:
    """Return the odds that a mechanic computes itself, or ``None`` if its dice are to be counted."""
    own: object = rule.distribution(*names)
    if own is not None and not isinstance(own, Distribution):
        message = f"distribution() of {type(rule).__qualname__} returned {quoted(own)}"
        raise DiceError(message, hint="return a Distribution, or None to have the dice counted")
    return own


def count_odds(
    rule: Mechanic, names: Sequence[str], enumerator: Enumerator | None = None
) -> Generator[float, None, Distribution]:
    """Count the odds of facts from the dice, whatever the mechanic computes itself."""
    counts, total_ways = yield from (enumerator or Enumerator()).outcomes(rule, fact_selector(rule, names))
    return Distribution.from_counts(counts, tuple(names), choice_orders(rule, names, counts), total_ways)


def choice_orders(rule: Mechanic, names: Sequence[str], values: Iterable[Any]) -> ChoiceOrders:
    """Return the words of some facts, in the order in which their kinds declare them, if the values hold any."""
    if not any(isinstance(part, str) for value in values for part in (value if isinstance(value, tuple) else (value,))):
        return ()
    fact_kinds = type(rule).fact_kinds()
    return tuple(tuple(_declared_words(fact_kinds[name])) for name in names)


def _declared_words(kind: kinds.Kind) -> Iterator[str]:
    match kind:
        case kinds.ChoiceKind():
            yield from (word for word in kind.words.values() if isinstance(word, str))
        case kinds.UnionKind():
            for part in kind.kinds:
                yield from _declared_words(part)
        case kinds.ListKind():
            yield from _declared_words(kind.kind)
