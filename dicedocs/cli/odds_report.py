"""The odds that ``dicedocs odds`` prints: exact or estimated, as bars, as a table, as JSON or as CSV."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Generator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from dicedocs.cli import terminal
from dicedocs.cli.commands import ExitStatus, read_parameters
from dicedocs.errors import DiceError, ParameterError
from dicedocs.probability.best_odds import TIED, BestOdds, Bounds
from dicedocs.probability.enumeration import bind_parameters, run_to_end
from dicedocs.probability.estimation import Estimate, sample_odds
from dicedocs.probability.event import Event, read_number
from dicedocs.probability.verification import verified_odds
from dicedocs.render.chart_text import bars_text
from dicedocs.render.json_data import plain_value
from dicedocs.render.numbers import bounds_texts, percent, root, whole_text
from dicedocs.render.table import odds_csv, odds_table, table_text
from dicedocs.rules.kinds import IntKind, all_integers
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.playing import fresh_seed
from dicedocs.syntax.decisions import Undecided

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

_MAX_WIDTH: Final = 100
"""Characters of a line, however wide the terminal is."""
_MAX_ROWS: Final = 200
"""Rows of a table of several facts; CSV and JSON have all."""
_DECIMALS: Final = 20
"""Decimals of a square root, more than a float has."""
_MAX_DENOMINATOR: Final = 10**6
"""The largest denominator of a fraction printed beside its percentage."""


def run(options: argparse.Namespace) -> int:
    """Print the odds and return the exit status."""
    if options.json and options.csv:
        raise ParameterError("--json and --csv are both given", hint="give one of them")
    if options.seed is not None and options.estimate is None:
        raise ParameterError("exact odds need no seed", hint="leave it out, or add --estimate N", parameter="seed")
    if options.best and options.estimate is not None:
        raise ParameterError("--best and --estimate are both given", hint="best play is counted: leave out --estimate")
    facts = [word for word in options.words if "=" not in word]
    rule = bind_parameters(options.what, read_parameters([word for word in options.words if "=" in word]))
    terminal.note_doubt(rule)
    events = events_of(options.at_least, options.at_most)
    odds = _computed_odds(rule, facts, options)
    probabilities = probabilities_of(odds, events)
    tied = {} if options.csv else _tied_figures(odds, events)
    if options.csv:
        print(odds_csv(odds), end="")
    elif options.json:
        print(json.dumps(_odds_data(rule, odds, probabilities, tied), indent=2))
    else:
        _print_odds(odds, probabilities, ascii=options.ascii, seed=options.seed)
        for figure, bounds in tied.items():
            print(f"{figure}: {' to '.join(bounds_texts(bounds, as_percentage=figure[0] == 'p'))}, {TIED}")
        if isinstance(odds, BestOdds) and not tied and odds.are_tied:
            print(f"the odds differ, {TIED}")
    return ExitStatus.HOLDS


def events_of(at_least: str | None, at_most: str | None) -> list[str]:
    """Return the events that the options of this name ask for."""
    bounds = {"at least": at_least, "at most": at_most}
    return [
        f"{words} {_whole_number(text, words.replace(' ', '-'))}" for words, text in bounds.items() if text is not None
    ]


def probabilities_of(odds: Distribution, events: Sequence[str]) -> dict[str, Fraction]:
    """Return the probability of each of these events."""
    if len(odds.names) > 1 and events:
        raise ParameterError("--at-least and --at-most take the odds of a single fact", hint="name one fact")
    return {event: odds.p(event) for event in events}


def _whole_number(text: str, option: str, minimum: int | None = None) -> str:
    """Return the canonical text of the whole number that an option takes."""
    try:
        number = read_number(text)
        if minimum is not None:
            IntKind(minimum).accept(number)
        return whole_text(number)
    except DiceError as error:
        error.parameter = option
        raise


def _computed_odds(rule: Mechanic, facts: Sequence[str], options: argparse.Namespace) -> Distribution:
    """Return the odds, counted or estimated, while a terminal shows the progress."""
    computation: Generator[float, None, Distribution]
    if options.estimate is None:
        computation = verified_odds(rule, *facts, best=options.best)
    else:
        samples = int(_whole_number(options.estimate, "estimate", 1))
        seed = fresh_seed() if options.seed is None else options.seed
        computation = sample_odds(rule, *facts, samples=samples, seed=seed)
    try:
        with terminal.game_prints(), terminal.ProgressLine(terminal.PROGRESS_INTERVAL) as line:
            return run_to_end(computation, lambda done: line.show(f"{percent(done, 0)} counted"))
    except Undecided as error:
        error.offer_best("--best '{}'")
        raise
    except RecursionError:
        raise
    except RuntimeError as error:
        # A rule that is not a function of its dice: the message is a sentence of its own.
        raise DiceError(str(error)) from error


def _tied_figures(odds: Distribution, events: Sequence[str]) -> dict[str, Bounds]:
    """Return the figures of best play that depend on how ties are broken, with their bounds."""
    if not isinstance(odds, BestOdds):
        return {}
    tied = {f"p({odds.names[0]} {event})": odds.bounds(Event.read(event, odds).test()) for event in events}
    tied |= {figure.text: figure.bounds for figure in odds.tied_figures()}
    return {figure: bounds for figure, bounds in tied.items() if bounds}


def _print_odds(odds: Distribution, probabilities: Mapping[str, Fraction], *, ascii: bool, seed: object) -> None:
    """Print bars or a table, and below them the probabilities of the events."""
    style = terminal.styles(sys.stdout)
    width = min(shutil.get_terminal_size().columns, _MAX_WIDTH) - 2
    if len(odds.names) > 1:
        print(table_text(odds_table({"": odds}, max_rows=_MAX_ROWS), width))
    else:
        tests = [Event.read(event, odds).test() for event in probabilities]
        marked = {value for value in odds if all(holds(value) for holds in tests)}
        ascii = ascii or not _can_print_blocks()
        print(bars_text({"": odds}, width=width, marked=marked if probabilities else (), ascii=ascii, cumulative=True))
    for event, probability in probabilities.items():
        print(f"{style.bold}{event}: {probability_text(odds, event, probability)}{style.end}")
    if isinstance(odds, Estimate):
        print(f"{style.dim}{odds.origin}{style.end}")
        if seed is None:
            print(f"{style.dim}seed={odds.seed}{style.end}")


def probability_text(odds: Distribution, event: str, probability: Fraction) -> str:
    """Return a probability with its fraction if that is short, or with the bounds of an estimate."""
    if isinstance(odds, Estimate):
        low, high = odds.interval(event)
        return f"{percent(probability)}, between {percent(low)} and {percent(high)}"
    if 1 < probability.denominator <= _MAX_DENOMINATOR:
        return f"{percent(probability)} ({probability.numerator} in {probability.denominator})"
    return percent(probability)


def _can_print_blocks() -> bool:
    """Return whether standard output can encode the characters of bars."""
    try:
        "█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _number(exact: Fraction) -> float | int:
    """Return the nearest number that JSON can hold: a whole one where it is too large for a float."""
    try:
        return float(exact)
    except OverflowError:
        return round(exact)


def _odds_data(
    rule: Mechanic,
    odds: Distribution,
    probabilities: Mapping[str, Fraction],
    tied: Mapping[str, Bounds],
) -> dict[str, Any]:
    """Return the odds as plain data; docs/reference/json.md describes it."""
    whole = odds.denominator
    data: dict[str, Any] = {
        "mechanic": rule.id,
        "parameters": {field.name: field.write(value) for field, value in rule.chosen()},
        "facts": list(odds.names),
        "denominator": whole_text(whole),
        "odds": [
            {"value": plain_value(value), "count": whole_text(count), "p": count / whole}
            for value, count in odds.items()
        ],
    }
    if all_integers(odds):
        data |= {"mean": _number(odds.mean), "standard_deviation": _number(root(odds.variance, _DECIMALS))}
    if isinstance(odds, Estimate):
        data |= {"samples": odds.samples, "seed": odds.seed}
    for event, probability in probabilities.items():
        interval = {"interval": list(odds.interval(event))} if isinstance(odds, Estimate) else {}
        data.setdefault("chances", {})[event] = {"p": float(probability), "exact": str(probability), **interval}
    if tied:
        data["tied"] = {figure: list(map(_number, bounds)) for figure, bounds in tied.items()}
    return data
