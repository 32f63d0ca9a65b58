"""Conditions under which something happens in a scene: ``bar.success; arlyn.Stress at least 9``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from dicedocs.errors import DiceError, ParameterError, is_text, quoted
from dicedocs.expression.formula import TRUTHS, evaluate
from dicedocs.probability.event import AND, SIGNS, WORDS, Event, Relation, read_relation
from dicedocs.rules.kinds import as_line
from dicedocs.scenes.change import parts

_COMPARISON: Final = re.compile(
    r'(?P<left>(?:"[^"]*"|[^"<>=!≥≤≠])+?) ?'
    rf"(?P<sign>>=|<=|!=|[><=≥≤≠]|(?<= )(?:{'|'.join(SIGNS)})(?= )) ?(?P<right>.*)",
    re.IGNORECASE,
)


class Condition(NamedTuple):
    """A condition: a value that is true, or a comparison as :class:`~dicedocs.probability.event.Event` has it.

    Parameters:
        subject: a notation without dice over facts and the state, or a text in quotes.
        op: how it is compared; ``None`` if the subject must be true.
        text: the right side: a notation as well, or words; of ``between`` two notations, ``2 and 2 * noise``.

    >>> [str(each) for each in parse_conditions("bar.success; heat >= 2 * noise; arlyn.Position not risky")]
    ['bar.success', 'heat at least 2 * noise', 'arlyn.Position not risky']
    """

    subject: str
    op: Relation | None = None
    text: str = ""

    def holds(self, values: Mapping[str, object]) -> bool:
        """Return whether the condition holds.

        Parameters:
            values: the values by name.

        Raises:
            ParameterError: a name is unknown, or something else is compared than is there.

        >>> position = {"arlyn.Position": "risky", "heat": 3, "noise": 1, "full": True}
        >>> [each.holds(position) for each in parse_conditions("full; heat > 2 * noise; arlyn.Position = desperate")]
        [True, True, False]
        """
        value = evaluate(self.subject, values, "when")
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if self.op is None:
            if not isinstance(value, bool):
                message = f"{self.subject} is {quoted(as_line(value))}, which is neither true nor false"
                raise ParameterError(message, hint=f"compare it, as in {self.subject} at least 9", parameter="when")
            return value
        if Event(self.op, self.text).ordered and not is_number:
            message = f"{self.subject} is {quoted(as_line(value))}, which is not a whole number"
            raise ParameterError(message, parameter="when")
        text = self.text
        if is_number or text in values or text.startswith('"'):
            text = AND.join(as_line(evaluate(each, values, "when")) for each in self._operands())
        elif isinstance(value, bool) and text not in TRUTHS:
            message = f"{self.subject} is {as_line(value)}, and never {quoted(text)}"
            raise ParameterError(message, hint="write true or false", parameter="when")
        return Event(self.op, text).holds(value)

    def _operands(self) -> list[str]:
        """Return what the right side compares with."""
        if self.op != "between":
            return [self.text]
        low, both, high = self.text.partition(AND)
        if not both or AND in high:
            hint = "write it like arlyn.Stress between 3 and 5"
            raise ParameterError(f"{quoted(self.text)} is not two numbers", hint=hint, parameter="when")
        if low.isdecimal() and high.isdecimal():
            try:
                Event.read(f"{self.op} {self.text}")
            except DiceError as error:
                error.parameter = "when"
                raise
        return [low, high]

    def is_now(self, values: Mapping[str, object], written: Condition | None = None) -> str:
        """Return what the subject is, and the right side if it is no word.

        Parameters:
            values: the values by name.
            written: the condition as its author wrote it, with names that are values here; by default it is this one.

        >>> parse_conditions("heat > 2 * noise")[0].is_now({"heat": 3, "noise": 2})
        'heat is 3, and 2 * noise is 4'
        """
        written = written or self
        sides = [(self.subject, written.subject), *zip(self._operands(), written._operands(), strict=True)]
        found = []
        for text, name in sides:
            with suppress(DiceError):
                value = as_line(evaluate(text, values, "when")) if text else name
                found += [f"{name} is {value}"] if value != name else []
        return ", and ".join(found)

    def __str__(self) -> str:
        comparison = "=" if self.op == "=" else WORDS.get(self.op, "") if self.op else ""
        return " ".join(filter(None, [self.subject, comparison, self.text]))


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """Return the conditions of a text, which semicolons separate.

    Raises:
        ParameterError: a part is no condition.
        LimitError: there are more than ``ITEMS``.
    """
    if not is_text(text):
        message = f"{quoted(text)} is not a condition"
        raise ParameterError(message, hint="write arlyn.Stress at least 9", parameter="when")
    return tuple(map(_parse, parts(text)))


class Unmet(NamedTuple):
    """A condition that does not hold: what should, and what is now instead."""

    expected: str
    actual: str

    def __str__(self) -> str:
        return f"this happens only if {self.expected}; {self.actual}"


def unmet_conditions(text: str, values: Mapping[str, object], written: str = "") -> Iterator[Unmet]:
    """Yield the conditions of a text that do not hold.

    Parameters:
        text: the conditions.
        values: the values by name.
        written: the conditions as their author wrote them, with names that are values in the text; by default the text.

    Raises:
        DiceError: a condition is wrong.

    >>> [str(each) for each in unmet_conditions("heat >= 2; noise = 1", {"heat": 3, "noise": 2})]
    ['this happens only if noise = 1; noise is 2']
    """
    for each, named in zip(parse_conditions(text), parse_conditions(written or text), strict=True):
        if not each.holds(values):
            yield Unmet(str(named), each.is_now(values, named))


def _parse(part: str) -> Condition:
    part = " ".join(part.split())
    match = _COMPARISON.fullmatch(part)
    if match is None:
        return Condition(part)
    if not match["right"]:
        hint = "write it like arlyn.Stress at least 9"
        raise ParameterError(f"{quoted(part)} lacks a value", hint=hint, parameter="when")
    return Condition(match["left"], read_relation(match["sign"]), match["right"])
