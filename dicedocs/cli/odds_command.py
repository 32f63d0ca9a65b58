"""What the command ``dicedocs odds`` does: exact odds, or an estimate, as bars, as JSON or as CSV."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dicedocs.cli import HOLDS, read_parameters, styles
from dicedocs.errors import DiceError, ParameterError
from dicedocs.probability.enumeration import enumerate_odds, run_to_end
from dicedocs.probability.estimation import Estimate, sample_odds
from dicedocs.probability.event import Event
from dicedocs.render.chart_text import bars_text
from dicedocs.render.json_data import plain_value
from dicedocs.render.numbers import percent
from dicedocs.render.table import odds_csv, odds_table, table_text
from dicedocs.rules.kinds import IntKind, all_integers
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.playing import fresh_seed, rule_from_notation
from dicedocs.rules.registry import mechanic, mechanics

if TYPE_CHECKING:
    from fractions import Fraction

    from dicedocs.probability.distribution import Distribution

T = TypeVar("T", bound="Distribution")

_ID: Final = re.compile(r"[a-z-]+/[a-z-]+")
"""What can only be meant as an id: notation has figures or brackets."""
_WIDEST: Final = 100
"""Characters of a line beyond which longer bars tell no more."""
_ROWS: Final = 200
"""Rows of several facts that people are shown; CSV and JSON have all."""
_PATIENCE: Final = 0.5
"""Seconds after which a terminal is told how far the counting is, and between two such reports."""
_SHORT: Final = 10**6
"""The largest denominator of a fraction that stands beside its percentage."""


def run(given: argparse.Namespace) -> int:
    """Print the odds that are asked for.

    Raises:
        DiceError: the input is wrong, or there is too much to count.
    """
    if given.json and given.csv:
        raise ParameterError("JSON and CSV are asked for", hint="ask for one of them")
    if given.seed is not None and given.estimate is None:
        raise ParameterError("counting needs no seed", hint="leave it out, or add --estimate N", parameter="seed")
    facts = [word for word in given.words if "=" not in word]
    rule = _rule(given.what, read_parameters([word for word in given.words if "=" in word]))
    events = [Event(">=", _number(given.at_least, "at-least"))] if given.at_least is not None else []
    events += [Event("<=", _number(given.at_most, "at-most"))] if given.at_most is not None else []
    try:
        odds: Distribution = _watched(
            enumerate_odds(rule, *facts) if given.estimate is None else _estimating(rule, facts, given)
        )
    except RuntimeError as error:
        # A rule that is no function of its dice is its author's to mend; here a sentence will do.
        raise DiceError(str(error)) from error
    if len(odds.names) > 1 and events:
        raise ParameterError("a chance of N or more is that of one fact", hint="name one fact")
    chances = {event: odds.p(event) for event in events}
    if given.csv:
        print(odds_csv(odds), end="")
    elif given.json:
        print(json.dumps(_data(rule, odds, chances), indent=2))
    else:
        _show(odds, chances, ascii=given.ascii, seed=given.seed)
    return HOLDS


def _rule(what: str, parameters: Mapping[str, Any]) -> Mechanic:
    """Give the mechanic of an id, or that of notation."""
    if _ID.fullmatch(what) or what in mechanics():
        return mechanic(what)(**parameters)
    strange = [name for name in parameters if name not in {"actor", "target"}]
    if strange:
        raise ParameterError("notation has no such parameter", hint="it has 'actor' and 'target'", parameter=strange[0])
    return rule_from_notation(what, **parameters)


def _number(text: str, option: str, low: int | None = None) -> str:
    """Read the whole number that an option takes, and give its canonical text."""
    try:
        return str(IntKind(low).read(text))
    except DiceError as error:
        error.parameter = option
        raise


def _watched(counted: Generator[float, None, T]) -> T:
    """Count to the end, and tell a terminal how far it is when it takes long."""
    told, shown = time.monotonic(), False

    def tell(done: float) -> None:
        nonlocal told, shown
        if time.monotonic() - told > _PATIENCE:
            told, shown = time.monotonic(), True
            print(f"\r{percent(done, 0)} counted", end="", file=sys.stderr, flush=True)

    try:
        return run_to_end(counted, tell if sys.stderr.isatty() else None)
    finally:
        if shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _estimating(rule: Mechanic, facts: Sequence[str], given: argparse.Namespace) -> Generator[float, None, Estimate]:
    samples = int(_number(given.estimate, "estimate", 1))
    seed = fresh_seed() if given.seed is None else given.seed
    return sample_odds(rule, *facts, samples=samples, seed=seed)


def _show(odds: Distribution, chances: Mapping[Event, Fraction], *, ascii: bool, seed: object) -> None:
    """Print bars, and below them the chances that were asked for."""
    bold, dim, plain = styles(sys.stdout)
    width = min(shutil.get_terminal_size().columns, _WIDEST) - 2
    if len(odds.names) > 1:
        print(table_text(odds_table({"": odds}, most=_ROWS), width))
    else:
        marked = {value for value in odds if all(event.holds(value) for event in chances)} if chances else set()
        print(bars_text({"": odds}, width=width, marked=marked, ascii=ascii or not _blocks(), cumulative=True))
    for event, chance in chances.items():
        print(f"{bold}{event}: {_chance(odds, event, chance)}{plain}")
    if isinstance(odds, Estimate):
        print(f"{dim}{odds.origin}{plain}")
        if seed is None:
            print(f"{dim}seed={odds.seed}{plain}")


def _chance(odds: Distribution, event: Event, chance: Fraction) -> str:
    """Give a chance with its fraction where that is short, and of an estimate with its bounds."""
    if isinstance(odds, Estimate):
        low, high = odds.interval(event)
        return f"{percent(chance)}, between {percent(low)} and {percent(high)}"
    exact = f" ({chance.numerator} in {chance.denominator})" if 1 < chance.denominator <= _SHORT else ""
    return percent(chance) + exact


def _blocks() -> bool:
    """Tell whether standard output has the characters that bars are drawn with."""
    try:
        "█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _data(rule: Mechanic, odds: Distribution, chances: Mapping[Event, Fraction]) -> dict[str, Any]:
    """Give the odds as plain data, as docs/reference/json.md describes it."""
    whole = odds.denominator
    data: dict[str, Any] = {
        "mechanic": rule.id,
        "parameters": {field.name: field.write(value) for field, value in rule.chosen()},
        "facts": list(odds.names),
        "denominator": str(whole),
        "odds": [
            {"value": plain_value(value), "count": str(count), "p": count / whole} for value, count in odds.items()
        ],
    }
    if all_integers(odds):
        data |= {"mean": float(odds.mean), "standard_deviation": odds.standard_deviation}
    if isinstance(odds, Estimate):
        data |= {"samples": odds.samples, "seed": odds.seed}
    for event, chance in chances.items():
        told: dict[str, Any] = {"p": float(chance), "exact": str(chance)}
        told |= {"interval": list(odds.interval(event))} if isinstance(odds, Estimate) else {}
        data.setdefault("chances", {})[str(event)] = told
    return data
