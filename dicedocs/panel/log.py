"""The rolls of a session as a log: when, by whom, what was rolled, and what came of it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from dicedocs.errors import ParameterError, near, quoted
from dicedocs.panel.history import ROLLS_SHOWN, Entry
from dicedocs.render.drawing import STATES
from dicedocs.render.pools import table_pools
from dicedocs.render.shown_dice import shown_dice
from dicedocs.render.verdict import verdict
from dicedocs.render.words import MAX_ITEMS, clean
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.outcome import Outcome
from dicedocs.translation import gettext as _
from dicedocs.translation import ngettext, word

SAVED: Final = 1_200
"""The characters of the last rolls that are saved with a panel, as JSON."""
_FORMULA_LETTERS: Final = 60
_ACTIVE: Final = tuple("=+-@\t")
"""The first letters of what a spreadsheet would take for a formula."""
_MARKUP: Final = re.compile(r"[\\`*_\[\]{}<>&$~^|!#]")


class LogRow(NamedTuple):
    """A roll in the log.

    Parameters:
        roll: its number, from 1.
        time: when it was made, on the clock of the page, ``2026-11-22T21:04:07``; empty if no page made it.
        label: its label.
        action: the play that it was, in a game's own panel, or that it is an earlier roll again; else empty.
        formula: the dice that were thrown, or the notation.
        faces: what they showed in the order thrown; those that do not count in brackets.
        verdict: what it came to.
        tone: whether that is good or bad, as in :class:`~dicedocs.render.verdict.Verdict`.
        seed: the seed of the dice.
    """

    roll: int
    time: str
    label: str
    action: str
    formula: str
    faces: str
    verdict: str
    tone: str
    seed: str


def log_row(entry: Entry) -> LogRow:
    """Return a roll as a row of the log."""
    outcome = entry.outcome
    judged = verdict(outcome)
    label, action = clean(entry.label), clean(word(entry.action)) or (_("the same dice again") if entry.again else "")
    return LogRow(
        *(entry.roll, entry.time, label, action, formula(outcome), faces(outcome)),
        *(judged.headline, judged.tone, clean(str(entry.seed))),
    )


def formula(outcome: Outcome) -> str:
    """Return what was rolled: the notation, if the mechanic has one, or else the dice.

    >>> import dicedocs as dd
    >>> formula(dd.roll("3d6 + 2", seed=1)), formula(dd.play("total-effect/roll", advantage=1, seed=1))
    ('3d6 + 2', '4d6')
    """
    rule = outcome.rule
    fields = type(rule).parameters().items() if isinstance(rule, Mechanic) else ()
    notation = next((getattr(rule, name) for name, field in fields if isinstance(field.kind, NotationKind)), "")
    counts = Counter(die.sides for die in outcome.thrown)
    text = clean(notation) or " ".join(f"{count if count > 1 else ''}d{sides}" for sides, count in counts.items())
    return text if len(text) <= _FORMULA_LETTERS else f"{text[: _FORMULA_LETTERS - 1]}…"


def faces(outcome: Outcome) -> str:
    """Return the faces in the order thrown, or else those of the dice that were spent.

    Those of dice that do not count are in brackets.

    >>> import dicedocs as dd
    >>> faces(dd.play("total-effect/roll", advantage=1, dice=[3, 1, 6, 5]))
    '3 (1) 6 5'
    """
    if not outcome.dice:
        spent = [die.face for pool in table_pools(outcome)[-1:] for die in pool.dice if die.state == "spent"]
        return " ".join(spent)
    thrown = shown_dice(outcome, outcome.steps())
    ignored = {state for state, style in STATES.items() if not style.counts}
    shown = [f"({clean(die.shown)})" if die.state in ignored else clean(die.shown) for die in thrown[:MAX_ITEMS]]
    rest = len(outcome.dice) - len(shown)
    more = [ngettext("and {count} more", "and {count} more", rest).format(count=rest)] if rest else []
    return " ".join(shown + more)


def page_log(rows: Sequence[LogRow], pinned: Collection[int]) -> list[dict[str, Any]]:
    """Return the last rolls and the pinned ones for a page: the pinned ones first, then newest first."""
    last = [row for row in rows[: -ROLLS_SHOWN - 1 : -1] if row.roll not in pinned]
    kept = [row for row in reversed(rows) if row.roll in pinned]
    return [{**row._asdict(), "pinned": row.roll in pinned} for row in (*kept, *last)]


def saved_log(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first of some rows that fit into what is saved with a panel, without what is empty."""
    saved, room = [], SAVED
    for row in rows:
        short = {name: value for name, value in row.items() if value not in {"", False}}
        room -= len(json.dumps(short))
        if room < 0:
            break
        saved.append(short)
    return saved


def log_text(rows: Iterable[LogRow]) -> str:
    """Return the log as lines of text.

    >>> print(log_text([LogRow(2, "2026-11-22T21:04:07", "Sera", "", "3d6", "4 2 5", "Total 11", "", "61")]))
    2. 21:04 Sera: 3d6: 4 2 5. Total 11 (seed 61)
    """
    lines = []
    for row in rows:
        parts = [part for part in (row.label, row.action, row.formula, row.faces) if part]
        lines.append(" ".join(filter(None, [f"{row.roll}.", row.time[11:16], f"{': '.join(parts)}.", _end(row)])))
    return "\n".join(lines)


def _end(row: LogRow) -> str:
    return f"{row.verdict} ({_('seed {seed}').format(seed=row.seed)})"


def log_csv(rows: Iterable[LogRow]) -> str:
    """Return the log as comma-separated values, with a header.

    A text that a spreadsheet would take for a formula begins with an apostrophe.

    >>> log_csv([LogRow(1, "", "=1+1", "", "3d6", "4 2 5", "Total 11", "", "61")]).splitlines()[1]
    "1,,'=1+1,,3d6,4 2 5,Total 11,,61"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(LogRow._fields)
    for row in rows:
        writer.writerow([f"'{cell}" if str(cell).startswith(_ACTIVE) else cell for cell in row])
    return text.getvalue()


def log_markdown(rows: Iterable[LogRow]) -> str:
    r"""Return the log as a table in Markdown, in which no text is markup.

    >>> print(log_markdown([LogRow(1, "", "a|b", "", "3d6", "4 2 5", "Total 11", "", "61")]).splitlines()[2])
    | 1 |  | a\|b |  | 3d6 | 4 2 5 | Total 11 | 61 |
    """
    names = (_("Roll"), _("Time"), _("Label"), _("Action"), _("Dice"), _("Faces"), _("Result"), _("Seed"))
    lines = [names, ("---",) * len(names)]
    for row in rows:
        when = row.time.replace("T", " ")
        cells = (str(row.roll), when, row.label, row.action, row.formula, row.faces, row.verdict, row.seed)
        lines.append(tuple(_MARKUP.sub(r"\\\g<0>", cell) for cell in cells))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


FORMATS: Final[Mapping[str, Callable[[Iterable[LogRow]], str]]] = {
    "text": log_text,
    "csv": log_csv,
    "markdown": log_markdown,
}
"""The formats in which a log can be copied."""


def written_log(rows: Iterable[LogRow], format: str) -> str:
    """Return the log in a format, oldest first.

    Raises:
        ParameterError: there is no such format.
    """
    if format not in FORMATS:
        raise ParameterError(f"{quoted(format)} is not a format of the log", hint=near(format, FORMATS))
    return FORMATS[format](rows)
