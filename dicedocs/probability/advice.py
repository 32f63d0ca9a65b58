"""When a player should choose what, from all solved states of a rule, in few words.

Names that decide nothing are left out, the number with the most values is put into ranges, and the other names make
the rows. Advice is also a text of the parameter that says how a player chooses, and so can be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

from dicedocs.errors import ParameterError, listed, quoted
from dicedocs.probability.best_play import Solved, Value
from dicedocs.rules.kinds import all_integers
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.decisions import way_text, written_way

_ROWS: Final = 40
"""So many rows a reader still takes in."""
_Values: TypeAlias = tuple[int | str, ...]
_Table: TypeAlias = dict[_Values, "_Best"]
"""What is best, by the values of some names."""


class Run(NamedTuple):
    """Values of the deciding number one after the other, for which the same is best.

    Parameters:
        low, high: the first and the last; ``None`` if no number decides.
        ways: the texts of all ways that are equally good, as the rule lists them.
        way: which of them the condition takes.
    """

    low: int | None
    high: int | None
    ways: tuple[str, ...]
    way: str


class Row(NamedTuple):
    """What is best in one situation.

    Parameters:
        where: the values of the other names.
        runs: what is best there, by the deciding number.
    """

    where: tuple[int | str, ...]
    runs: tuple[Run, ...]


class Advice(NamedTuple):
    """When to choose what.

    Parameters:
        choice: what is chosen.
        by: the names that tell the rows apart.
        deciding: the name of the number that decides in a row; empty if none does.
        rows: what is best, at most 40 rows.
        condition: the same as a text of the parameter, such as ``yes if turn <= 19, else no``.
        worth: what best play is worth.
    """

    choice: str
    by: tuple[str, ...]
    deciding: str
    rows: tuple[Row, ...]
    condition: str
    worth: Value = ()


class _Best(NamedTuple):
    """The ways that are equally good, as the rule lists them, and those of them that best play takes somewhere."""

    ways: tuple[str, ...]
    taken: frozenset[str]

    def way(self) -> str:
        """Return the way to take: not the first one where that goes on for ever in some states."""
        return [way for way in self.ways if way in self.taken or way == self.ways[0]][-1]


def advice(solved: Iterable[Solved], choice: str, by: Sequence[str] = ()) -> Advice:
    """Return when a player should choose what.

    Parameters:
        solved: all solved choices of a rule.
        choice: the name of the choice; may be empty if the rule has only one.
        by: the names that decide; by default the fewest of those that the player sees.

    Raises:
        ParameterError: there is no such choice, what the player sees does not decide it, or there are too many rows.
    """
    by_name: dict[str, list[tuple[Mapping[str, int | str], _Best]]] = {}
    for one in solved:
        ways = tuple(map(way_text, one.decision.call.ways))
        best = _Best(tuple(ways[index] for index in one.best), frozenset([ways[one.taken]]))
        by_name.setdefault(one.decision.call.choice.name, []).append((one.decision.seen, best))
    if not choice and len(by_name) == 1:
        (choice,) = by_name
    if choice not in by_name:
        message = f"{quoted(choice)} is not chosen" if choice else "more than one thing is chosen"
        message = message if by_name else "nothing is chosen"
        raise ParameterError(message, hint=f"name {listed(by_name)}" if by_name else "", parameter="choice")
    known = by_name[choice]
    names = _names(choice, known, by)
    table: _Table = {}
    for seen, best in known:
        _join(table, tuple([seen[name] for name in names]), best)
    if not all(best.ways for best in table.values()):
        if names:
            message = f"what is best for {quoted(choice)} depends on more than {listed(names, 'and')}"
            raise ParameterError(message, hint="name what else decides", parameter="by")
        message = f"what is best for {quoted(choice)} depends on what has no name"
        raise ParameterError(message, hint="name what the player sees: dice.choose(..., name=value)", parameter="by")
    return _laid_out(choice, *((names, table) if by else _without_the_idle(names, table)))


def _names(choice: str, known: Sequence[tuple[Mapping[str, int | str], _Best]], by: Sequence[str]) -> list[str]:
    """Return the names that may decide: those that are seen each time."""
    seen = [name for name in known[0][0] if all(name in each for each, _ in known)]
    for name in by:
        if name not in seen:
            message = f"{quoted(name)} is not seen each time that {quoted(choice)} is chosen"
            raise ParameterError(message, hint=f"seen is {listed(seen, 'and')}" if seen else "", parameter="by")
    return list(dict.fromkeys(by)) or seen


def _join(table: _Table, key: _Values, best: _Best) -> None:
    """Add what is best in a state to a table, of which only what is best in all of its states is left."""
    before = table.get(key, best)
    ways = tuple(way for way in before.ways if way in best.ways)
    table[key] = _Best(ways, before.taken | best.taken)


def _without_the_idle(names: Sequence[str], table: _Table) -> tuple[Sequence[str], _Table]:
    """Leave out the names without which the same ways are best; what a rule names last is nearest to the choice."""
    for name in names:
        at = names.index(name)
        fewer: _Table = {}
        for key, best in table.items():
            _join(fewer, key[:at] + key[at + 1 :], best)
        if all(fewer[key[:at] + key[at + 1 :]].ways == best.ways for key, best in table.items()):
            names, table = [each for each in names if each != name], fewer
    return names, table


def _laid_out(choice: str, names: Sequence[str], table: _Table) -> Advice:
    sizes = {name: {key[index] for key in table} for index, name in enumerate(names)}
    numbers = [name for name in names if all_integers(sizes[name])]
    most = max((len(sizes[name]) for name in numbers), default=0)
    layouts = [_rows(names, name, table) for name in numbers if len(sizes[name]) == most] or [_rows(names, "", table)]
    by, deciding, rows = min(layouts, key=lambda layout: sum(len(row.runs) for row in layout[2]))
    if len(rows) > _ROWS:
        message = f"advice for {quoted(choice)} would have {len(rows)} rows, by {listed(by, 'and')}"
        raise ParameterError(message, hint="name a fact that says what decides", parameter="by")
    return Advice(choice, by, deciding, rows, _condition(by, deciding, rows))


def _rows(names: Sequence[str], deciding: str, table: _Table) -> tuple[tuple[str, ...], str, tuple[Row, ...]]:
    """Return the names that tell rows apart, the one that decides in a row, and the rows."""
    by = tuple(name for name in names if name != deciding)
    rows: dict[_Values, dict[Any, _Best]] = {}
    for key, best in table.items():
        seen = dict(zip(names, key, strict=True))
        rows.setdefault(tuple(seen[name] for name in by), {})[seen.get(deciding)] = best
    return by, deciding, tuple([Row(where, _runs(rows[where])) for where in sorted(rows, key=_order)])


def _order(where: Iterable[int | str]) -> list[tuple[bool, int, str]]:
    return [(isinstance(value, str), 0 if isinstance(value, str) else value, str(value)) for value in where]


def _runs(best: Mapping[Any, _Best]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for value in sorted(best):
        run = Run(value, value, best[value].ways, best[value].way())
        if runs and runs[-1][2:] == run[2:]:
            runs[-1] = runs[-1]._replace(high=value)
        else:
            runs.append(run)
    return tuple(runs)


def _condition(by: Sequence[str], deciding: str, rows: Sequence[Row]) -> str:
    """Return the rows as cases, but for those whose way is taken otherwise."""
    taken = [run.way for row in rows for run in row.runs]
    otherwise = max(dict.fromkeys(taken), key=taken.count)
    cases = []
    for row in rows:
        situation = [f"{name} = {_in_case(way_text(value))}" for name, value in zip(by, row.where, strict=True)]
        runs = _by_way(row.runs)
        for run in runs:
            if run.way != otherwise:
                parts = [*situation, *_range(deciding, run, runs)]
                cases.append(f"{_in_case(run.way)} if {' and '.join(parts)}")
    return f"{', '.join(cases)}, else {_in_case(otherwise)}" if cases else written_way(otherwise)


def _by_way(runs: Sequence[Run]) -> list[Run]:
    """Return runs of which those are one that follow each other and take the same way."""
    groups = [list(same) for _, same in groupby(runs, lambda run: run.way)]
    return [same[0]._replace(high=same[-1].high) for same in groups]


def _range(name: str, run: Run, runs: Sequence[Run]) -> list[str]:
    """Return the condition for a run, which has no bound where there is no other run."""
    if len(runs) == 1:
        return []
    if run.low == run.high:
        return [f"{name} = {run.low}"]
    if run is runs[0]:
        return [f"{name} <= {run.high}"]
    return [f"{name} >= {run.low}"] if run is runs[-1] else [f"{run.low} <= {name} <= {run.high}"]


def _in_case(way: str) -> str:
    """Return a way, or what is seen, as it stands in a case: words in quotes."""
    return way if way in TYPED_TRUTHS or way.removeprefix("-").isdecimal() else f'"{way}"'
