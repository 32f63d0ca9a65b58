"""The search for the smallest seed that gives certain faces or facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, ParameterError, listed, quoted
from dicedocs.probability.enumeration import enumerate_odds, run_to_end
from dicedocs.rules.dice import ScriptedDice, parse_faces
from dicedocs.rules.example import canonical_facts, fact_names, parse_facts
from dicedocs.rules.kinds import all_integers, as_line
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.registry import mechanic
from dicedocs.rules.seeds import SeededDice
from dicedocs.syntax.decisions import OtherPlayError

Progress = Callable[[int], None]
"""A function that is called from time to time with the number of seeds tried."""
_PROGRESS_EVERY: Final = 10_000
_SEEDS_AT_FIRST: Final = 1_000
"""How many seeds are tried before the exact odds say whether the wanted facts are possible."""
_VALUES_SHOWN: Final = 12
"""The most words that an error lists."""


def find_seed(
    id: str,
    /,
    *,
    faces: Iterable[int] | str | int | None = None,
    where: Mapping[str, Any] | str | None = None,
    progress: Progress | None = None,
    **parameters: Any,
) -> int:
    """Return the smallest seed, from 0, that gives these faces or facts.

    Parameters:
        id: the id of a mechanic.
        faces: all faces in the order thrown.
        where: facts with their values, as ``{"total": 12}`` or ``"total=12"``.
        progress: called from time to time with the number of seeds tried.
        parameters: the mechanic's parameters.

    Raises:
        ParameterError: neither faces nor facts are given, or they are impossible.
        LimitError: none of the first ``SEEDS`` seeds gives them.
        DiceError: the mechanic cannot be played.

    >>> find_seed("methuen/expression", expression="3d6", faces=[4, 2, 5])
    61
    """
    return search_seed(mechanic(id)(**parameters), faces, where, progress)


def search_seed(
    rule: Mechanic,
    faces: Iterable[int] | str | int | None = None,
    where: Mapping[str, Any] | str | None = None,
    progress: Progress | None = None,
) -> int:
    """Return the smallest seed for a rule; the arguments and errors are those of :func:`find_seed`."""
    wanted_faces = None if faces is None else parse_faces(faces)
    if progress is not None and not callable(progress):
        raise ParameterError(f"{quoted(progress)} is not a function", hint="leave it out", parameter="progress")
    trial = SeededDice(0) if wanted_faces is None else ScriptedDice(wanted_faces)
    outcome = None
    try:
        outcome = trial.begin(rule)
        trial.finish()
    except OtherPlayError:
        if wanted_faces is not None:
            raise
    texts = _fact_texts(where, type(rule))
    if wanted_faces is None and not texts:
        raise ParameterError("there is nothing to search for", hint="give faces, or facts as where")
    _check_values(rule, texts)
    try:
        actual = "" if outcome is None else outcome.facts(*texts)
    except ParameterError as error:
        error.parameter = "where"
        raise
    if outcome is not None and wanted_faces is not None and not _has_facts(outcome, texts):
        message = f"with these faces it is {quoted(actual)}"
        raise ParameterError(message, hint="leave out where or faces", parameter="where")
    thrown = 0
    for seed in range(limits.SEEDS.maximum):
        if progress is not None and seed and not seed % _PROGRESS_EVERY:
            progress(seed)
        if seed == _SEEDS_AT_FIRST and wanted_faces is None:
            _check_possible(rule, texts)
        dice = SeededDice(seed) if wanted_faces is None else _MatchingDice(seed, wanted_faces)
        try:
            outcome = rule.play(dice)
        except (_FaceMismatch, OtherPlayError):
            continue
        if _has_facts(outcome, texts):
            return seed
        thrown += len(outcome.dice)
        if thrown > limits.THROWS.maximum:
            limits.THROWS.check(thrown, hint=f"search for facts that one of the first {seed} seeds gives")
    message = f"none of the first {limits.SEEDS.maximum} seeds gives that"
    raise LimitError(message, limit=limits.SEEDS.name, hint="search for fewer facts, or write the faces as dice")


def _fact_texts(where: Mapping[str, Any] | str | None, rule: type[Mechanic]) -> dict[str, str]:
    """Return the text of each wanted fact of a rule."""
    if where is None or isinstance(where, str):
        return canonical_facts(parse_facts(where or "", "where", fact_names(rule)), rule)
    if not isinstance(where, Mapping):
        message = f"{quoted(where)} does not say which facts are wanted"
        raise ParameterError(message, hint='write {"total": 12} or "total=12"', parameter="where")
    try:
        return {name: as_line(value) for name, value in limits.ITEMS.take(where.items(), parameter="where")}
    except DiceError:
        raise
    except Exception:  # noqa: BLE001  # the text of a value is made by its own method
        message = f"{quoted(where)} has a value without a text"
        raise ParameterError(message, hint="give the values of facts", parameter="where") from None


def _check_values(rule: Mechanic, texts: Mapping[str, str]) -> None:
    """Refuse a fact that can never have its value, for which all seeds would be tried."""
    kinds = rule.fact_kinds()
    for name in texts.keys() & kinds.keys():
        try:
            kinds[name].read(texts[name])
        except ParameterError as error:
            error.message = f"the fact {quoted(name)} is never {quoted(texts[name])}: {error.message}"
            error.parameter = "where"
            raise


def _check_possible(rule: Mechanic, texts: Mapping[str, str]) -> None:
    """Refuse facts that the exact odds exclude, if those are counted easily."""
    names = [name for name in texts if name in rule.result().facts_of]
    if not names:
        return
    try:
        odds = run_to_end(enumerate_odds(rule, *names))
    except Exception:  # noqa: BLE001  # the search goes on without, and says what is wrong with the rule
        return
    wanted = tuple(texts[name] for name in names)
    if len(names) > 1:
        if all(tuple(map(as_line, values)) != wanted for values in odds.values):
            together = ", ".join(f"{name}={text}" for name, text in zip(names, wanted, strict=True))
            raise ParameterError(f"the facts are never {quoted(together)} together", parameter="where")
        return
    known = list(map(as_line, odds.values))
    if wanted[0] not in known:
        message = f"the fact {quoted(names[0])} is never {quoted(wanted[0])}"
        raise ParameterError(message, hint=_possible(odds.values, known), parameter="where")


def _possible(values: Sequence[object], texts: Sequence[str]) -> str:
    """Return the hint with the values that a fact can have; empty if they are too many words."""
    if all_integers(values):
        return f"it is from {texts[0]} to {texts[-1]}"
    return f"it is {listed(map(quoted, texts))}" if len(texts) <= _VALUES_SHOWN else ""


class _FaceMismatch(Exception):
    """A die differs from the wanted face, so the seed is not the one."""


class _MatchingDice(SeededDice):
    """Seeded dice that stop at the first face that differs from the wanted ones."""

    __slots__ = ("_wanted",)

    def __init__(self, seed: int, wanted: tuple[int, ...]) -> None:
        super().__init__(seed)
        self._wanted = iter(wanted)

    def throw(self, count: int, sides: int) -> list[int]:
        faces = list(islice(self._wanted, count))
        if any(super(_MatchingDice, self).throw(1, sides) != [face] for face in faces):
            raise _FaceMismatch
        return faces


def _has_facts(outcome: Outcome, texts: Mapping[str, str]) -> bool:
    return all(as_line(outcome.fact(name)) == text for name, text in texts.items())
