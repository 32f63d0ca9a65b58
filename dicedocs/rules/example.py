"""A worked example: a mechanic, its dice, and what is written of the outcome.

One piece of code checks an example wherever it stands: :meth:`Example.verify`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import ExpectationError, LimitError, ParameterError, quoted
from dicedocs.rules.dice import Dice, ScriptedDice, SeededDice, parse_faces
from dicedocs.rules.kinds import as_code, as_line
from dicedocs.rules.mechanic import Mechanic, Outcome
from dicedocs.rules.playing import CHECK, EXPRESSION, Seed, dice_from
from dicedocs.rules.registry import mechanic

SHORT_NAMES: Final[Mapping[str, str]] = {EXPRESSION: "roll", CHECK: "check"}
"""The mechanics that have a short name in Python, of which the first parameter needs no name."""
_WIDTH: Final = 78
_NEXT_FACT: Final = re.compile(r",\s*(?=\w+\s*=)")


class Example(NamedTuple):
    """A worked example as plain data.

    Parameters:
        mechanic: the id of a mechanic.
        parameters: the mechanic's parameters, each as itself or as its text.
        seed: what decides the dice; or
        dice: the faces in the order thrown. Neither is needed when nothing is thrown.
        expect: facts in canonical text, ``total=11, effect=2``; empty when nothing is expected.

    >>> shot = Example("methuen/expression", {"expression": "3d6"}, dice=[4, 2, 5], expect="total=11")
    >>> shot.verify().total
    11
    >>> print(shot.code())
    dd.roll("3d6", dice=[4, 2, 5])
    """

    mechanic: str
    parameters: Mapping[str, Any]
    seed: Seed | None = None
    dice: Iterable[int] | str | int | None = None
    expect: str = ""

    def rule(self) -> Mechanic:
        """Give the mechanic with its parameters.

        Raises:
            DiceError: there is no such mechanic, or a parameter cannot be what it is.
        """
        return mechanic(self.mechanic)(**self.parameters)

    def play(self) -> Outcome:
        """Give the outcome, which is always the same.

        Raises:
            DiceError: it cannot be played.
        """
        rule = self.rule()
        dice = _NoDice() if self.seed is None and self.dice is None else dice_from(self.seed, self.dice)
        outcome = rule.play(dice)
        dice.finish()
        return outcome

    def expected(self) -> dict[str, str]:
        """Give the facts that are expected, with their canonical text.

        Raises:
            ParameterError: ``expect`` is not written as facts are.

        >>> Example("methuen/check", {}, expect="success=true,  left=14").expected()
        {'success': 'true', 'left': '14'}
        """
        return parse_facts(self.expect, "expect")

    def verify(self) -> Outcome:
        """Play the example and compare what was written with what is.

        Returns:
            The outcome.

        Raises:
            ExpectationError: an expected fact has another text.
            DiceError: it cannot be played, or expects a fact that there is not.
        """
        outcome = self.play()
        expected = self.expected()
        try:
            actual = outcome.facts(*expected) if expected else ""
        except ParameterError as error:
            error.parameter = "expect"
            raise
        written = ", ".join(f"{name}={text}" for name, text in expected.items())
        if actual != written:
            raise ExpectationError(
                f"expected {quoted(written)}, and it is {quoted(actual)}",
                expected=written,
                actual=actual,
                hint=f"write {actual}",
                parameter="expect",
            )
        return outcome

    def code(self) -> str:
        """Give the Python call that gives the outcome again, with ``import dicedocs as dd`` before it.

        Raises:
            DiceError: a parameter cannot be what it is.
        """
        chosen = [(field.name, field.code(value)) for field, value in self.rule().chosen()]
        short = SHORT_NAMES.get(self.mechanic)
        arguments = [chosen.pop(0)[1] if short else as_code(self.mechanic)]
        arguments += [f"{name}={code}" for name, code in chosen]
        if self.seed is not None:
            arguments.append(f"seed={as_code(self.seed)}")
        elif self.dice is not None:
            arguments.append(f"dice={list(parse_faces(self.dice))}")
        line = f"dd.{short or 'play'}({', '.join(arguments)})"
        if len(line) <= _WIDTH:
            return line
        return f"dd.{short or 'play'}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"

    def __str__(self) -> str:
        return str(self.play())

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(str(self.play()))

    def _repr_html_(self) -> str:
        return self.play()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.play()._repr_latex_()


class _NoDice(Dice):
    """What an example has that names neither a seed nor faces: nothing may be thrown."""

    def throw(self, count: int, sides: int) -> list[int]:
        if count == 0:
            return []
        raise ParameterError(f"a d{sides} is thrown, and no dice are given", hint="add a seed, or the faces as dice")


def parse_facts(text: str, parameter: str) -> dict[str, str]:
    """Read facts in canonical text: ``total=11, effect=2``.

    Parameters:
        text: the facts; runs of blanks fold to one.
        parameter: where they stand, for the error.

    Raises:
        ParameterError: something else stands there, or a fact twice.
    """
    limits.VALUE_TEXT.check(len(text), parameter=parameter)
    facts: dict[str, str] = {}
    for part in _NEXT_FACT.split(text.strip()) if text.strip() else []:
        name, sign, value = part.partition("=")
        folded = " ".join(value.split())
        if not sign or not name.strip():
            message = f"{quoted(part)} is no fact with its value"
            raise ParameterError(message, hint="write name=value, separated by commas", parameter=parameter)
        if name.strip() in facts:
            raise ParameterError(f"the fact {quoted(name.strip())} is written twice", parameter=parameter)
        facts[name.strip()] = folded
    return facts


Progress = Callable[[int], None]
"""Told now and then how many seeds were tried."""
_PROGRESS_EVERY: Final = 10_000


def find_seed(
    id: str,
    /,
    *,
    faces: Iterable[int] | str | int | None = None,
    where: Mapping[str, Any] | str | None = None,
    progress: Progress | None = None,
    **parameters: Any,
) -> int:
    """Give the smallest seed, from 0, with these faces or with these facts.

    Parameters:
        id: the id of a mechanic.
        faces: all faces in the order thrown.
        where: facts with their values, as ``{"total": 12}`` or ``"total=12"``.
        progress: told now and then how many seeds were tried.
        parameters: the mechanic's parameters.

    Raises:
        ParameterError: neither faces nor facts were given, or they cannot come about.
        LimitError: none of the first ``SEEDS`` seeds has them; the error says how many were tried.
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
    """Give the smallest seed for a rule: what :func:`find_seed` does.

    Raises:
        DiceError: as there.
    """
    wanted = None if faces is None else parse_faces(faces)
    facts = parse_facts(where, "where") if isinstance(where, str) else dict(where or {})
    texts = {name: as_line(value) for name, value in facts.items()}
    if wanted is None and not texts:
        raise ParameterError("nothing is looked for", hint="give faces, or facts as where")
    trial = SeededDice(0) if wanted is None else ScriptedDice(wanted)
    outcome = rule.play(trial)
    trial.finish()
    try:
        actual = outcome.facts(*texts)
    except ParameterError as error:
        error.parameter = "where"
        raise
    if wanted is not None and not _has(outcome, texts):
        message = f"with these faces it is {quoted(actual)}"
        raise ParameterError(message, hint="leave out where or faces", parameter="where")
    for seed in range(limits.SEEDS.maximum):
        if progress is not None and seed and not seed % _PROGRESS_EVERY:
            progress(seed)
        dice = SeededDice(seed) if wanted is None else _Matching(seed, wanted)
        try:
            outcome = rule.play(dice)
        except _OtherFace:
            continue
        if _has(outcome, texts):
            return seed
    message = f"{limits.SEEDS.maximum} seeds were tried and none gives that"
    raise LimitError(message, limit=limits.SEEDS.name, hint="look for less, or write the faces as dice")


class _OtherFace(Exception):
    """A die shows something else than what is looked for; the rest need not be thrown."""


class _Matching(SeededDice):
    """Seeded dice that stop at the first face that is not the one looked for."""

    __slots__ = ("_at", "_wanted")

    def __init__(self, seed: int, wanted: tuple[int, ...]) -> None:
        super().__init__(seed)
        self._wanted = wanted
        self._at = 0

    def throw(self, count: int, sides: int) -> list[int]:
        faces: list[int] = []
        for _ in range(count):
            face = super().throw(1, sides)[0]
            if face != self._wanted[self._at]:
                raise _OtherFace
            self._at += 1
            faces.append(face)
        return faces


def _has(outcome: Outcome, texts: Mapping[str, str]) -> bool:
    return all(as_line(outcome.fact(name)) == text for name, text in texts.items())
