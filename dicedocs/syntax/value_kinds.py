"""What the values of facts and parameters are in conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dicedocs.rules.kinds import BoolKind, IntKind, NoneKind, as_line
from dicedocs.rules.kinds import Kind as ValueKind
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.rule_names import MAYBE, NUMBER, TRUTH, Kind

YES, NO = "yes", "no"
"""How conditions write a truth."""


def kind_in_conditions(
    kind: ValueKind, known: Callable[[], tuple[Sequence[str], bool]] = lambda: ((), False)
) -> tuple[Kind, bool]:
    """Return what a value of a kind can be, and whether that is all.

    Parameters:
        kind: the kind of a fact or a parameter.
        known: returns the words that it can be, and whether these are all, where its kind does not say so.
    """
    optional = any(isinstance(each, NoneKind) for each in kind.members)
    values = [each for each in kind.members if not isinstance(each, NoneKind)]
    if all(isinstance(each, BoolKind) for each in values):
        return (MAYBE, True) if optional else (TRUTH, True)
    if all(isinstance(each, IntKind) for each in values):
        return NUMBER, not optional
    is_listed = all(isinstance(each, BoolKind) or (each.words and not each.any_text) for each in values)
    words, complete = (kind.words, True) if is_listed else known()
    if any(isinstance(each, BoolKind) for each in values):
        words = [YES, NO, *(word for word in words if word not in TYPED_TRUTHS)]
    return tuple(dict.fromkeys([*words, *([NOTHING] if optional else [])])), complete


def value_in_conditions(value: object) -> str:
    """Return a value as conditions compare it with words."""
    return YES if value is True else NO if value is False else as_line(value)
