"""The tables that a rule has: what each of its numbers means, as it looks that up or its facts declare it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from dicedocs.errors import ParameterError, quoted
from dicedocs.render.scale import Band, fact_bands, step_bands, step_subject
from dicedocs.render.sentences import step_label
from dicedocs.render.words import clean
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import MAX_TABLE, Step
from dicedocs.similar_words import near
from dicedocs.translation import gettext as _
from dicedocs.translation import word

_PLAYS: Final = 40
"""The plays in which the steps that look a number up are found, whatever the dice show."""


class RuleTable(NamedTuple):
    """A table that a rule has.

    Parameters:
        names: how it may be named: a fact, or the label of a step.
        heads: what the numbers are, and what they mean.
        bands: the numbers and their meanings, from the lowest to the highest.
    """

    names: tuple[str, ...]
    heads: tuple[str, str]
    bands: tuple[Band, ...]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The numbers of each row in words, and what they mean."""
        return [(band.numbers, band.label) for band in self.bands]


def find_rule_table(rule: Mechanic, name: str = "") -> RuleTable:
    """Return a table of a rule.

    Parameters:
        rule: the mechanic with its parameters.
        name: the fact that it is about, or the label of the step that looks a number up in it; may be empty if the
            rule has no other table.

    Raises:
        ParameterError: there is no such table, or not the same at every throw, or there are several.
        DiceError: the rule cannot be played.

    >>> from dicedocs.rules.registry import mechanic
    >>> find_rule_table(mechanic("dungeoneers/action-roll").example()).rows[:2]
    [('-4 or less', 'failure'), ('-3 to -1', 'partial success')]
    """
    tables = list(_tables(rule))
    known = [each.names[0] for each in tables]
    found = [each for each in tables if not name or name.casefold() in map(str.casefold, each.names)]
    about = rule.id or type(rule).__qualname__
    if not tables:
        hint = f"it looks nothing up by say.look_up, or in more than {MAX_TABLE} rows, and declares no bands"
        raise ParameterError(f"{about} has no table", hint=hint)
    if not found:
        raise ParameterError(f"{about} has no table {quoted(name)}", hint=near(name, known))
    if len(found) > 1:
        raise ParameterError(f"{about} has several tables", hint=f"write {about} {known[0]}; {near('', known)}")
    return found[0]


def _tables(rule: Mechanic) -> Iterator[RuleTable]:
    """Yield the tables of a rule that are the same whatever the dice show."""
    looked_up = _looked_up(rule)
    result = type(rule).result()
    for name, fact in result.facts_of.items():
        if bands := fact_bands(rule, result, name):
            same = [each for each in looked_up if each.bands == bands]
            names = (name, clean(word(fact.label)), *(of for each in same for of in each.names))
            looked_up = [each for each in looked_up if each not in same]
            yield RuleTable(names, (clean(word(fact.label)), same[0].heads[1] if same else _("Result")), bands)
    yield from looked_up


def _looked_up(rule: Mechanic) -> list[RuleTable]:
    found: dict[str, RuleTable | None] = {}
    for seed in range(_PLAYS):
        steps = _flat(rule.play(SeededDice(seed)).steps())
        for index, step in enumerate(steps):
            bands = step_bands(step) if step.verb == "look_up" else ()
            if bands:
                heads = (step_subject(steps[:index], step) or _("Numbers"), step_label(step))
                table = RuleTable((step.label,), heads, bands)
                # One that depends on the dice is not a table of the rule.
                known = found.setdefault(step.label, table)
                if known is not None and known.bands != bands:
                    found[step.label] = None
    return [table for table in found.values() if table is not None]


def _flat(steps: Sequence[Step]) -> list[Step]:
    return [each for step in steps for each in (step, *_flat(step.steps))]
