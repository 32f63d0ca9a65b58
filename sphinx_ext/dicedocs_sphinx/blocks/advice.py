"""Advice: a table of when it is best to choose what, computed from best play and held against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, final

from dicedocs.probability.advice import Advice, Row, Run
from dicedocs.probability.claims.worth import advice_difference, best_advice
from dicedocs.probability.enumeration import bind_parameters, run_to_end
from dicedocs.render.scale import Band
from dicedocs.render.table import Table
from dicedocs.render.text import parameter_phrase
from dicedocs.render.words import clean, display_text, join_ways, join_words, labelled
from dicedocs.rules.kinds import as_code, spaced
from dicedocs.rules.mechanic import Mechanic
from dicedocs.translation import gettext as _
from dicedocs.translation import word
from dicedocs_sphinx.blocks.base import prompted
from dicedocs_sphinx.blocks.odds import FilledBlock
from dicedocs_sphinx.blocks.odds_query import OddsQuery
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.statements import Issue, issue

_MATRIX: Final = 2
"""So many names beside the deciding one make a matrix."""


@final
@dataclass(frozen=True, kw_only=True)
class AdviceBlock(
    FilledBlock,
    kind="advice",
    options=("name", "mechanic", "best", "choice", "by", "expect", "shows", "class", "hide"),
):
    """When it is best to choose what.

    ``choice`` is the parameter of the choice, empty if there is only one. ``by`` are the names that decide, by default
    the fewest. ``expect`` is the advice as a text of that parameter.
    """

    needs_best: ClassVar[bool] = True

    choice: str = ""
    by: Sequence[str] = ()

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        by = options.get("by", "").replace(",", " ").split()
        return {**super().read(title, options, issues), "choice": options.get("choice", ""), "by": by}

    def compute(self, query: OddsQuery) -> tuple[Table, list[Issue]]:
        advice = query.advice(self.choice, self.by)
        table = lay_out_advice(query.played(), advice, self.best)
        different = self.expect and query.advice_difference(advice, self.expect)
        if not different:
            return table, []
        message = f"expected {self.expect}, which is {different}"
        write = f"write {self.colon}{self.expect_option}: {advice.condition}"
        return table, [issue(Problem.MISMATCH, f"{message}; {write}", self.expect_option)]

    def corrected(self) -> str:
        written = self.expect_option in self.option_texts
        return OddsQuery(self).advice(self.choice, self.by).condition if written else ""

    def figures(self, computed: Table) -> dict[str, str]:
        heads = computed.heads[computed.label_columns :]
        return {
            f"{', '.join(row[: computed.label_columns])}, {head}": cell
            for row in computed.rows
            for head, cell in zip(heads, row[computed.label_columns :], strict=True)
        }

    def doctest(self, computed: Table) -> str:
        """Return a doctest that prints the advice as it is expected, if that is worth as much as best play."""
        expect = " ".join(self.expect.split())
        arguments = list(map(as_code, (expect, self.mechanic, self.best, self.choice, " ".join(self.by))))
        arguments += [f"{name}={as_code(text)}" for name, text in self.parameters.items()]
        function = corrected_advice.__name__
        call = f"{function}({', '.join(arguments)})"
        return prompted(f"from {__name__} import {function}; print({call})", expect)


def corrected_advice(
    expect: str, mechanic: str, best: str, choice: str = "", by: str = "", /, **parameters: str
) -> str:
    """Return when it is best to choose what, as a text of the parameter of the choice.

    Parameters:
        expect: such a text, which is returned if it is worth as much as best play.
        mechanic: the id of a mechanic.
        best: what it is played for.
        choice: the parameter of the choice; may be empty if there is only one.
        by: the names that decide, separated by spaces; by default the fewest.
        parameters: the mechanic's parameters, as text.

    Raises:
        DiceError: there is no such advice.

    >>> fight = {"size": "1", "difficulties": "4"}  # whatever is spent is the only die
    >>> corrected_advice("fewest", "dungeoneers/fights", "p(all_won)", **fight)
    'fewest'
    """
    rule = bind_parameters(mechanic, parameters)
    advice = run_to_end(best_advice(rule, best, choice, by.split()))
    return advice.condition if run_to_end(advice_difference(rule, best, advice, expect)) else expect


def lay_out_advice(rule: Mechanic, advice: Advice, best: str) -> Table:
    """Return advice as a table: a matrix if two names tell its rows apart, else a row for each range.

    Parameters:
        rule: what it is for.
        advice: the advice.
        best: what is played for.
    """
    known = {name: field.label for name, field in type(rule).parameters().items()}
    known |= {name: fact.label for name, fact in type(rule).result().facts_of.items()}
    named = (*advice.by, *filter(None, [advice.deciding]), advice.choice)
    labels = {name: clean(word(known.get(name, spaced(name).capitalize()))) for name in named}
    note = labelled(labels[advice.choice], _played_for(rule, best))
    if len(advice.by) == _MATRIX:
        return _matrix(advice, labels)._replace(note=note, words=True)
    rows = []
    for where, runs in _joined(advice.rows):
        for run in runs:
            numbers = (_numbers(run, runs),) if advice.deciding else ()
            rows.append((*where, *numbers, _ways(run)))
    heads = tuple(labels.values())
    return Table(heads, tuple(rows), label_columns=max(1, len(heads) - 1), note=note, words=True)


def _played_for(rule: Mechanic, best: str) -> str:
    """Return what is played for, and the parameters that differ from their defaults."""
    chosen = [parameter_phrase(field, value) for field, value in rule.chosen() if str(value) != field.kind.undecided]
    settings = join_words(chosen) if chosen else ""
    message = _("best play for {figures}, with {settings}.") if settings else _("best play for {figures}.")
    return message.format(figures=" ".join(best.split()), settings=settings)


def _matrix(advice: Advice, labels: Mapping[str, str]) -> Table:
    """Return a table with a row for each value of one name, and a column for each value of that with fewer."""
    values = [sorted({row.where[index] for row in advice.rows}, key=_in_order) for index in range(_MATRIX)]
    down, across = (0, 1) if len(values[1]) <= len(values[0]) else (1, 0)
    deciding = labels.get(advice.deciding, "")
    cells = {(row.where[down], row.where[across]): _in_cell(row.runs, deciding) for row in advice.rows}
    rows = tuple((_shown(one), *(cells.get((one, other), "") for other in values[across])) for one in values[down])
    name, heads = labels[advice.by[across]], tuple(map(_shown, values[across]))
    first = labels[advice.by[down]]
    return Table((first, *(f"{name} {head}" for head in heads)), rows, head_groups=((name, heads),))


def _in_order(value: int | str) -> tuple[bool, int | str]:
    return isinstance(value, str), value


def _shown(value: int | str) -> str:
    return clean(display_text(value))


def _in_cell(runs: Sequence[Run], deciding: str) -> str:
    """Return what is best in a cell, by the number that decides there: ``Loot 2 to 10: search; 11 to 84: leave``."""
    if len(runs) == 1:
        return _ways(runs[0])
    return f"{deciding} " + "; ".join(labelled(_numbers(run, runs), _ways(run)) for run in runs)


def _ways(run: Run) -> str:
    return clean(join_ways(list(map(word, run.ways))))


def _numbers(run: Run, runs: Sequence[Run]) -> str:
    """Return the numbers of a range; any if there are several and no other range."""
    if run.low is None or run.high is None or (len(runs) == 1 and run.low != run.high):
        return Band("", None, None).numbers
    return Band("", run.low, run.high + 1).numbers


def _joined(rows: Sequence[Row]) -> Iterator[tuple[tuple[str, ...], tuple[Run, ...]]]:
    """Yield the rows with what they are for, those one after the other as one for which the same is always best."""
    left = list(rows)
    while left:
        (first, runs), last = left[0], left.pop(0)
        while left and _goes_on(last, left[0]):
            last = left.pop(0)
            # Where the rows have other numbers, it is the best for any.
            runs = (runs[0]._replace(high=None),) if runs[0][:2] != last.runs[0][:2] else runs
        texts = list(map(_shown, first))
        if last.where != first:
            texts[-1] = Band("", int(first[-1]), int(last.where[-1]) + 1).numbers
        yield tuple(texts), runs


def _goes_on(row: Row, following: Row) -> bool:
    """Return whether one thing is best in a row, and in the one that follows it."""
    ways = [[run.ways for run in each.runs] for each in (row, following)]
    one, other = row.where[-1], following.where[-1]
    is_next = type(one) is int and type(other) is int and other == one + 1
    return is_next and row.where[:-1] == following.where[:-1] and ways[0] == ways[1] and len(ways[0]) == 1
