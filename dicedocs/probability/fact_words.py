"""The words that a fact may be: those of its type, of the rule's own tables, or else those that come up."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds
from dicedocs.rules.kinds import as_line, convert
from dicedocs.rules.mechanic import Mechanic
from dicedocs.similar_words import near

_CACHE_SIZE: Final = 64
_DEPTH: Final = 5
"""How deep tables of tables are read."""


def is_known_word(rule: Mechanic, fact: str, text: str) -> bool:
    """Return whether a fact can be a text; if its type allows any text and its odds cannot be counted, nobody knows.

    Parameters:
        rule: a mechanic with its parameters.
        fact: one of its facts; of one that is no text nothing is said.
        text: the text of a value.

    Raises:
        ParameterError: the fact can never be this, or it is written otherwise.
    """
    kind = type(rule).fact_kinds()[fact]
    if not (kind.any_text or any(isinstance(word, str) for word in kind.words.values())):
        return True
    canonical = as_line(convert(kind, text))
    if canonical != text:
        raise no_such_word(type(rule), fact, text, {canonical})
    if not is_free_word(type(rule), fact, text) or text in table_words(type(rule)):
        return True
    words, are_all = known_words(rule, fact)
    if text in words or not are_all:
        return text in words
    raise no_such_word(type(rule), fact, text, {*words})


def known_words(rule: Mechanic, fact: str) -> tuple[tuple[str, ...], bool]:
    """Return the words that a fact can be, and whether these are all: they are if its odds can be counted.

    Parameters:
        rule: a mechanic with its parameters.
        fact: one of its facts, whose type allows any text.
    """
    in_tables = sorted(table_words(type(rule)))
    try:
        odds = _odds(rule, fact)
    except Exception:  # noqa: BLE001  # a rule may raise anything; whatever it is, the odds are not known
        return tuple(in_tables), False
    # With a remainder others may come up, where dice were not followed to their end.
    return tuple(dict.fromkeys(map(as_line, odds))), not odds.remainder


def is_free_word(rule: type[Mechanic], fact: str, text: str) -> bool:
    """Return whether the type of a fact allows a text for no other reason than that it allows any."""
    kind = rule.fact_kinds()[fact]
    if not kind.any_text:
        return False
    value = convert(kind, text)
    parts = value if isinstance(value, tuple) else (value,)
    return any(isinstance(part, str) for part in parts)


def no_such_word(rule: type[Mechanic], fact: str, text: str, words: Collection[str]) -> ParameterError:
    """Return the error for a text that a fact can never be, given the words that come up."""
    return ParameterError(f"{quoted(text)} is not a value of {fact}", hint=near(text, {*words, *table_words(rule)}))


def table_words(rule: type[Mechanic]) -> set[str]:
    """Return the words in the tables of a rule: those of its class, of its module, and of the verdict of its facts."""
    owners: list[Mapping[str, object]] = [
        vars(each) for each in rule.__mro__ if issubclass(each, Mechanic) and each is not Mechanic
    ]
    owners.append(vars(sys.modules.get(rule.__module__, object)))
    words = {word for owner in owners for value in [*owner.values()] for word in _words(value, _DEPTH)}
    for fact in rule.result().facts_of.values():
        if isinstance(fact.verdict, Mapping):
            words |= {as_line(word) for word in fact.verdict if isinstance(word, str)}
    return words


@limits.cached(_CACHE_SIZE)
def _odds(rule: Mechanic, fact: str) -> Distribution:
    return run_to_end(verified_odds(rule, fact))


def _words(table: object, depth: int) -> Iterator[str]:
    """Yield the texts in the rows of a table as ``Say.look_up`` takes it, or of tables in a table."""
    if not isinstance(table, Mapping) or not depth:
        return
    rows = list(table.items())[: limits.ITEMS.maximum]
    for key, row in rows:
        if isinstance(row, str) and (key is None or type(key) is int):
            yield as_line(row)
        else:
            yield from _words(row, depth - 1)
