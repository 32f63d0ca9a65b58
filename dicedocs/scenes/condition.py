"""Conditions under which something happens in a scene: ``bar.success; arlyn.Stress at least 9``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dicedocs.errors import DiceError, ParameterError, is_text, quoted
from dicedocs.page_rules.outcome_conditions import ConditionText, OutcomeValues
from dicedocs.rules.kinds import as_line
from dicedocs.scenes.change import parts
from dicedocs.syntax.rule_names import TRUTH
from dicedocs.syntax.tree import Reference, nodes


class Unmet(NamedTuple):
    """A condition that does not hold: what should, and what is now instead."""

    expected: str
    actual: str

    def __str__(self) -> str:
        return f"this happens only if {self.expected}; {self.actual}"


def unmet_conditions(text: str, values: Mapping[str, object]) -> Iterator[Unmet]:
    """Yield the conditions of a text that do not hold.

    Parameters:
        text: the conditions.
        values: the values by name.

    Raises:
        DiceError: a condition is wrong.

    >>> [str(each) for each in unmet_conditions("heat >= 2; noise = 1", {"heat": 3, "noise": 2})]
    ['this happens only if noise = 1; noise is 2']
    """
    if not is_text(text):
        message = f"{quoted(text)} is not a condition"
        raise ParameterError(message, hint="write arlyn.Stress at least 9", parameter="when")
    for each in parts(text):
        reader = ConditionText(each, OutcomeValues(None, values), "")
        try:
            part, kind = reader.read(each)
        except DiceError as error:
            others = ", and facts of examples with their name, as in gap.total" * error.hint.startswith("known")
            raise ParameterError(error.message, hint=f"{error.hint}{others}", parameter="when") from error
        used = dict.fromkeys(node.name for node in nodes(part.tree) if isinstance(node, Reference))
        now = ", and ".join([f"{name} is {as_line(values[name])}" for name in used])
        if kind != TRUTH:
            message = f"{now or quoted(each)}, which is neither true nor false"
            word = values.get(each)
            compared = f"= {word}" if isinstance(word, str) and word else "at least 9"
            raise ParameterError(message, hint=f"compare it, as in {each} {compared}", parameter="when")
        if not reader.holds(part):
            yield Unmet(each, now)
