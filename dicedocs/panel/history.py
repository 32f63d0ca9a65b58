"""The rolls of a session: plain data that shows itself as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any, Final, NamedTuple, overload

from dicedocs.render.html import with_stylesheet
from dicedocs.render.json_data import facts_data
from dicedocs.render.verdict import verdict
from dicedocs.render.words import clean
from dicedocs.rules.kinds import as_line
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param
from dicedocs.rules.playing import Seed
from dicedocs.rules.resources import Resources
from dicedocs.scenes.change import Changed
from dicedocs.translation import gettext as _

SCHEMA: Final = 1
"""The version of the JSON format."""
ROLLS_SHOWN: Final = 100
"""The number of rolls that are shown, the last ones; all are kept."""


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
        order: the number of the first roll of the order of turns that it belongs to; 0 for none.
        turn: the round in which it is the turn of whoever made it, if it is now; else 0.
        made: what it changed of characters and tracks; at a table only what it changed before anything else did.
        later: what else changed at the table before the next roll.
        refers: the parameters that have values of characters, as a book refers to them.
        then: what it does to characters, each by its name; empty for nothing, or if that is not known.
        pending: whether it does something to characters that was not applied.
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
    order: int = 0
    turn: int = 0
    made: tuple[Changed, ...] = ()
    later: tuple[Changed, ...] = ()
    refers: Mapping[str, str] = MappingProxyType({})
    then: str = ""
    pending: bool = False
    form: int = 0

    @property
    def title(self) -> str:
        """Who made it, and its label; may be empty."""
        return self.label if self.label.startswith(self.who) else f"{self.who}, {self.label}".removesuffix(", ")

    def data(self) -> dict[str, Any]:
        """Return it as plain data, with which ``dd.play(mechanic, seed=seed, **parameters)`` reproduces it.

        Of dice that were thrown by hand the seed is ``None``, and ``dice`` are their faces.
        """
        rule = self.outcome.rule
        return {
            "label": self.label,
            "seed": self.seed,
            **({"dice": list(self.outcome.dice)} if self.seed is None else {}),
            "mechanic": rule.id,
            "parameters": parameters_data(rule),
            "facts": facts_data(self.outcome),
        }


def parameters_data(rule: Mechanic) -> dict[str, Any]:
    """Return the parameters of a rule as plain data, from which the rule can be built again."""
    values = {name: plain_value(field, getattr(rule, name)) for name, field in type(rule).parameters().items()}
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}


def plain_value(field: Param, value: object) -> Any:
    """Return a number, truth value, text, ``Resources`` or ``None`` as itself, and any other value as its text."""
    return value if value is None or isinstance(value, bool | int | str | Resources) else field.write(value)


class History(Sequence[Mapping[str, Any]]):
    """Rolls, oldest first, each as ``{label, seed, mechanic, parameters, facts}``.

    Parameters:
        entries: the rolls; later changes of this list show in the history.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(index, slice):
            return [entry.data() for entry in self._entries[index]]
        return self._entries[index].data()

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __str__(self) -> str:
        return "\n".join(map(_line, self._entries)) or _("no rolls yet")

    def to_json(self, indent: int | None = None) -> str:
        """Return the rolls as JSON: ``{"dicedocs": 1, "rolls": [...]}``.

        Parameters:
            indent: spaces of indentation at each level; one line if omitted.
        """
        return json.dumps({"dicedocs": SCHEMA, "rolls": list(self)}, indent=indent)

    def _repr_html_(self) -> str:
        entries = self._entries[-ROLLS_SHOWN:]
        left_out = _("The last {shown} of {count} rolls.").format(shown=ROLLS_SHOWN, count=len(self))
        note = f"<p>{escape(left_out)}</p>" if len(entries) < len(self) else ""
        names = (_("Roll"), _("Label"), _("Result"), _("Facts"), _("Seed"))
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
        rows = "".join(f"<tr>{''.join(map(_cell, _cells(entry)))}</tr>" for entry in entries)
        table = f'<table class="dice-history"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        return with_stylesheet(table + note)


def _line(entry: Entry) -> str:
    roll, label, first, facts, _seed = _cells(entry)
    return f"{roll}. {label + ': ' if label else ''}{first} ({facts}; {dice_source(entry.seed)})"


def _cells(entry: Entry) -> tuple[str, str, str, str, str]:
    others = list(entry.outcome.facts_of)[1:]
    facts = ", ".join(f"{name}={as_line(entry.outcome.fact(name))}" for name in others)
    seed = _("by hand") if entry.seed is None else clean(str(entry.seed))
    return str(entry.roll), clean(entry.label), verdict(entry.outcome).headline, clean(facts), seed


def dice_source(seed: Seed | None) -> str:
    """Return in words where dice came from: their seed, or a hand.

    >>> dice_source(61), dice_source(None)
    ('seed 61', 'rolled by hand')
    """
    return _("rolled by hand") if seed is None else _("seed {seed}").format(seed=clean(str(seed)))


def _cell(text: str) -> str:
    return f"<td>{escape(text)}</td>"
