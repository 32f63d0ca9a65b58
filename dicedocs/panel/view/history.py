"""The rolls of a session: plain data that shows itself as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final, overload

from dicedocs.panel.entry import SCHEMA, Entry
from dicedocs.render.html import with_stylesheet
from dicedocs.render.verdict import verdict
from dicedocs.render.words import clean
from dicedocs.rules.kinds import as_line
from dicedocs.rules.playing import Seed
from dicedocs.translation import gettext as _

ROLLS_SHOWN: Final = 100
"""The number of rolls that are shown, the last ones; all are kept."""


class History(Sequence[Mapping[str, Any]]):
    """Rolls, oldest first, each as ``{label, seed, mechanic, parameters, facts}``, and ``struck`` if it was struck out.

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
        left_out = shown_of(len(self))
        note = f"<p>{escape(left_out)}</p>" if left_out else ""
        names = (_("Roll"), _("Label"), _("Result"), _("Facts"), _("Seed"))
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
        rows = "".join(f"<tr>{''.join(map(_cell, _cells(entry)))}</tr>" for entry in entries)
        table = f'<table class="dice-history"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        return with_stylesheet(table + note)


def shown_of(count: int) -> str:
    """Return in words that only the last of so many rolls are shown; empty if all are.

    >>> shown_of(600), shown_of(60)
    ('The last 100 of 600 rolls.', '')
    """
    return _("The last {shown} of {count} rolls.").format(shown=ROLLS_SHOWN, count=count) if count > ROLLS_SHOWN else ""


def _line(entry: Entry) -> str:
    roll, label, first, facts, _seed = _cells(entry)
    return f"{roll}. {label + ': ' if label else ''}{first} ({facts}; {dice_source(entry.seed)})"


def _cells(entry: Entry) -> tuple[str, str, str, str, str]:
    others = [name for name in entry.outcome.facts_of if name != entry.outcome.main_fact]
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
