"""A roll in a log, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from dicedocs.render.json_data import facts_data
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param
from dicedocs.rules.playing import Seed
from dicedocs.rules.resources import Resources
from dicedocs.scenes.change import Changed

SCHEMA: Final = 1
"""The version of the JSON format."""


class Entry(NamedTuple):
    """A roll.

    Parameters:
        roll: its number in the session, from 1.
        label: its label; may be empty.
        seed: the seed of its dice; ``None`` if they were thrown by hand.
        outcome: its outcome.
        time: when it was made, on the clock of the page; empty if no page made it.
        action: the label of the play that it was, in a game's own panel; else empty.
        again: whether the dice of an earlier roll were rolled again.
        who: the name of the character who made it; may be empty.
        target: the name of the character to whom it was done; may be empty.
        note: what was written about it.
        struck: whether it was struck out.
        effect: what it changed of characters, in words.
        made: what it changed of characters and tracks; at a table only what it changed before anything else did.
        later: what else changed at the table before the next roll.
        refers: the parameters that have values of characters, as a book refers to them.
        then: what it does to characters, each by its name; empty for nothing, or if that is not known.
        pending: whether it does something to characters that was not applied.
        refused: why what it does to characters was not possible when it was made; else empty.
        form: the index of the form in which it was made; -1 for none of those that there are now.
    """

    roll: int
    label: str
    seed: Seed | None
    outcome: Outcome
    time: str = ""
    action: str = ""
    again: bool = False
    who: str = ""
    target: str = ""
    note: str = ""
    struck: bool = False
    effect: str = ""
    made: tuple[Changed, ...] = ()
    later: tuple[Changed, ...] = ()
    refers: Mapping[str, str] = MappingProxyType({})
    then: str = ""
    pending: bool = False
    refused: str = ""
    form: int = 0

    @property
    def title(self) -> str:
        """Who made it, and its label; may be empty."""
        return self.label if self.label.startswith(self.who) else f"{self.who}, {self.label}".removesuffix(", ")

    def data(self) -> dict[str, Any]:
        """Return it as plain data, with which ``dd.play(mechanic, seed=seed, **parameters)`` reproduces it.

        Of dice that were thrown by hand the seed is ``None``, and ``dice`` are their faces. A roll that was struck out
        or undone at a table has ``struck``, which is true. ``refused`` is why it could not change characters.
        """
        rule = self.outcome.rule
        return {
            "label": self.label,
            "seed": self.seed,
            **({"dice": list(self.outcome.dice)} if self.seed is None else {}),
            "mechanic": rule.id,
            "parameters": parameters_data(rule),
            "facts": facts_data(self.outcome),
            **({"struck": True} if self.struck else {}),
            **({"refused": self.refused} if self.refused else {}),
        }


def parameters_data(rule: Mechanic) -> dict[str, Any]:
    """Return the parameters of a rule as plain data, from which the rule can be built again."""
    values = {name: plain_value(field, getattr(rule, name)) for name, field in type(rule).parameters().items()}
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}


def plain_value(field: Param, value: object) -> Any:
    """Return a number, truth value, text, ``Resources`` or ``None`` as itself, and any other value as its text."""
    return value if value is None or isinstance(value, bool | int | str | Resources) else field.write(value)
