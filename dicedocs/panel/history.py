"""The rolls of a session: plain data that shows itself as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple, overload

from dicedocs.render.html import with_stylesheet
from dicedocs.render.json_data import facts_data
from dicedocs.render.text import result
from dicedocs.render.words import clean
from dicedocs.rules.kinds import as_line
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param
from dicedocs.rules.playing import Seed
from dicedocs.rules.resources import Resources

SCHEMA: Final = 1
"""The version of the JSON that a history gives."""
SHOWN: Final = 100
"""The last so many rolls are shown; all are kept."""


class Entry(NamedTuple):
    """A roll.

    Parameters:
        roll: its number in the session, from 1.
        label: what it was called; may be empty.
        seed: what decided its dice.
        outcome: what came of it.
        before: what a game's own table was like before; nothing for a single mechanic.
    """

    roll: int
    label: str
    seed: Seed
    outcome: Outcome
    before: Any = None

    def data(self) -> dict[str, Any]:
        """Give it as plain data, from which ``dd.play(mechanic, seed=seed, **parameters)`` gives it again."""
        rule = self.outcome.rule
        return {
            "label": self.label,
            "seed": self.seed,
            "mechanic": rule.id,
            "parameters": parameters_data(rule),
            "facts": facts_data(self.outcome),
        }

    def headline(self) -> str:
        """Give the first fact with its label: ``Total 13``."""
        return headline(self.outcome)


def headline(outcome: Outcome) -> str:
    """Give the first fact of an outcome with its label.

    >>> import dicedocs as dd
    >>> headline(dd.roll("3d6", dice=[4, 2, 5]))
    'Total 11'
    """
    return " ".join(f"{label} {text}" for label, text in result(outcome))


def parameters_data(rule: Mechanic) -> dict[str, Any]:
    """Give the parameters of a rule as plain data, of which the same rule can be made."""
    return {name: _plain(plain(field, getattr(rule, name))) for name, field in type(rule).parameters().items()}


def plain(field: Param, value: object) -> Any:
    """Give a value as itself when it is a number, truth, text, resources or nothing, else as its text."""
    return value if value is None or isinstance(value, bool | int | str | Resources) else field.write(value)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


class History(Sequence[Mapping[str, Any]]):
    """Rolls, the oldest first: each ``{label, seed, mechanic, parameters, facts}``.

    Parameters:
        entries: the rolls, which are read when they are asked for.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return [entry.data() for entry in self._entries[place]]
        return self._entries[place].data()

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __str__(self) -> str:
        return "\n".join(map(_line, self._entries)) or "no rolls yet"

    def to_json(self, indent: int | None = None) -> str:
        """Give the rolls as JSON: ``{"dicedocs": 1, "rolls": [...]}``.

        Parameters:
            indent: how deep each level is indented; all in one line when left out.
        """
        return json.dumps({"dicedocs": SCHEMA, "rolls": list(self)}, indent=indent)

    def _repr_html_(self) -> str:
        shown = self._entries[-SHOWN:]
        more = f"<p>The last {SHOWN} of {len(self)} rolls.</p>" if len(shown) < len(self) else ""
        head = "".join(f'<th scope="col">{name}</th>' for name in ("Roll", "Label", "Result", "Facts", "Seed"))
        rows = "".join(f"<tr>{''.join(map(_cell, _cells(entry)))}</tr>" for entry in shown)
        table = f'<table class="dice-history"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        return with_stylesheet(table + more)


def _line(entry: Entry) -> str:
    roll, label, shown, facts, seed = _cells(entry)
    return f"{roll}. {label + ': ' if label else ''}{shown} ({facts}; seed {seed})"


def _cells(entry: Entry) -> tuple[str, str, str, str, str]:
    others = list(entry.outcome.facts_of)[1:]
    facts = ", ".join(f"{name}={as_line(entry.outcome.fact(name))}" for name in others)
    return str(entry.roll), clean(entry.label), entry.headline(), clean(facts), clean(str(entry.seed))


def _cell(text: str) -> str:
    return f"<td>{escape(text)}</td>"
