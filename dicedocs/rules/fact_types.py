"""The facts of an outcome, held to the types that its class declares.

A rule is played for every answer while odds are counted, so its facts are checked only where an example is played.
"""

from __future__ import annotations

from types import NoneType
from typing import Any, Final

from dicedocs.errors import ParameterError, quoted
from dicedocs.rules.kinds import (
    BoolKind,
    ChoiceKind,
    CustomKind,
    IntKind,
    Kind,
    ListKind,
    NoneKind,
    TextKind,
    UnionKind,
    convert,
)
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, fact_values
from dicedocs.rules.record_kind import RecordKind

_PLAIN: Final[dict[type[Kind], type]] = {IntKind: int, BoolKind: bool, TextKind: str, NoneKind: NoneType}


def check_fact_types(rule: Mechanic, outcome: Outcome) -> None:
    """Check that each fact of an outcome is of its declared type.

    Parameters:
        rule: the mechanic that was played.
        outcome: what it gave.

    Raises:
        TypeError: a fact is not; the error names it, its value and what it can be.
    """
    expected = rule.result()
    if not isinstance(outcome, expected):
        raise TypeError(
            f"{type(rule).__qualname__}.resolve gave a {type(outcome).__qualname__}, and is declared to give a "
            f"{expected.__qualname__}"
        )
    kinds = rule.fact_kinds()
    for name, value in zip(outcome.facts_of, fact_values(outcome), strict=True):
        if name in kinds and not is_of_kind(kinds[name], value):
            raise TypeError(
                f"the fact {name!r} is declared as {kinds[name].expects}, but it is {quoted(value)}, "
                f"of the type {type(value).__name__}; change the annotation or the value"
            )


def is_of_kind(kind: Kind, value: Any) -> bool:
    """Return whether a value is one of a kind as it stands: the text of a number is not that number.

    >>> is_of_kind(IntKind(), 4), is_of_kind(IntKind(), 4.0), is_of_kind(ChoiceKind(["a", "b"]), "c")
    (True, False, False)
    """
    if type(kind) in _PLAIN:
        return isinstance(value, _PLAIN[type(kind)]) and (isinstance(value, bool) <= isinstance(kind, BoolKind))
    if isinstance(kind, UnionKind):
        return any(is_of_kind(member, value) for member in kind.kinds)
    if isinstance(kind, ListKind):
        return isinstance(value, tuple) and all(is_of_kind(kind.kind, item) for item in value)
    if isinstance(kind, ChoiceKind):
        return any(type(value) is type(word) and value == word for word in kind.words.values())
    if isinstance(kind, CustomKind):
        return isinstance(value, kind.owner)
    if isinstance(kind, RecordKind):
        return isinstance(value, kind.record) and all(
            is_of_kind(field, getattr(value, name)) for name, field in kind.kinds.items()
        )
    try:
        return bool(convert(kind, value) == value)
    except ParameterError:
        return False
