"""The rolls of a session as a log: when, by whom, what was rolled, and what came of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.controls import title
from dicedocs.panel.view.history import ROLLS_SHOWN, dice_source
from dicedocs.panel.view.outcome_source import directive
from dicedocs.render.drawing import STATES
from dicedocs.render.pools import spent_faces
from dicedocs.render.shown_dice import shown_dice
from dicedocs.render.table import table_csv
from dicedocs.render.text import parameter_text
from dicedocs.render.verdict import verdict
from dicedocs.render.words import MAX_ITEMS, clean
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.outcome import Outcome
from dicedocs.translation import game_words, mark, ngettext, word
from dicedocs.translation import gettext as _

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
        who: the name of the character who made it.
        label: its label.
        what: what was played; empty if the formula says it.
        values: the parameters that differ from their defaults, without a notation.
        action: the play that it was, in a game's own panel, or that it is an earlier roll again; else empty.
        formula: the dice that were thrown, or the notation.
        faces: what they showed in the order thrown; those that do not count in brackets.
        verdict: what it came to.
        tone: whether that is good or bad, as in :class:`~dicedocs.render.verdict.Verdict`.
        seed: the seed of the dice; empty if they were thrown by hand.
        note: what was written about it.
        struck: whether it was struck out.
        effect: what it changed of characters.
        target: the name of the character to whom it was done.
        before: what was changed by hand before it, if it is the first.
        after: what was changed by hand after it, before the next one.
        refused: why it could not change characters.
    """

    roll: int
    time: str
    who: str
    label: str
    what: str
    values: str
    action: str
    formula: str
    faces: str
    verdict: str
    tone: str
    seed: str
    note: str = ""
    struck: bool = False
    effect: str = ""
    target: str = ""
    before: str = ""
    after: str = ""
    refused: str = ""


def log_row(entry: Entry, after: str = "") -> LogRow:
    """Return a roll as a row of the log.

    Parameters:
        entry: the roll.
        after: what was changed by hand after it, in words.
    """
    outcome = entry.outcome
    judged = verdict(outcome)
    who, action = clean(entry.who), clean(word(entry.action)) or (_("the same dice again") if entry.again else "")
    label = clean(entry.label).removeprefix(f"{who}, ")
    return LogRow(
        *(entry.roll, entry.time, who, "" if label == who else label, *_setting(outcome.rule)),
        *(action, formula(outcome), faces(outcome), judged.headline, judged.tone),
        *("" if entry.seed is None else clean(str(entry.seed)), clean(entry.note), entry.struck, entry.effect),
        *(clean(entry.target), "", after, clean(entry.refused)),
    )


def _setting(rule: object) -> tuple[str, str]:
    """Return what is played, if no notation says it, and the values of its parameters."""
    if not isinstance(rule, Mechanic):
        return "", ""
    with game_words(rule):
        fields = [(field, value) for field, value in rule.chosen() if not isinstance(field.kind, NotationKind)]
        values = ", ".join(f"{clean(word(field.label))} {parameter_text(field, value)}" for field, value in fields)
    return "" if _notation(rule) else _played(rule), _shortened(values)


def _notation(rule: object) -> str:
    fields = type(rule).parameters().items() if isinstance(rule, Mechanic) else ()
    return next((getattr(rule, name) for name, field in fields if isinstance(field.kind, NotationKind)), "")


def _shortened(text: str) -> str:
    return text if len(text) <= _FORMULA_LETTERS else f"{text[: _FORMULA_LETTERS - 1]}…"


def formula(outcome: Outcome) -> str:
    """Return what was rolled: the notation, if the mechanic has one, or else the dice.

    >>> import dicedocs as dd
    >>> formula(dd.roll("3d6 + 2", seed=1)), formula(dd.play("total-effect/roll", advantage=1, seed=1))
    ('3d6 + 2', '4d6')
    """
    counts = Counter(die.sides for die in outcome.thrown)
    dice = " ".join(f"{count if count > 1 else ''}d{sides}" for sides, count in counts.items())
    return _shortened(clean(_notation(outcome.rule)) or dice)


def faces(outcome: Outcome) -> str:
    """Return the faces in the order thrown, or else those of the dice that were spent.

    Those of dice that do not count are in brackets.

    >>> import dicedocs as dd
    >>> faces(dd.play("total-effect/roll", advantage=1, dice=[3, 1, 6, 5]))
    '3 (1) 6 5'
    """
    if not outcome.dice:
        return " ".join(map(str, spent_faces(outcome)))
    thrown = shown_dice(outcome, outcome.steps())
    ignored = {state for state, style in STATES.items() if not style.counts}
    shown = [f"({clean(die.shown)})" if die.state in ignored else clean(die.shown) for die in thrown[:MAX_ITEMS]]
    rest = len(outcome.dice) - len(shown)
    more = [ngettext("and {count} more", "and {count} more", rest).format(count=rest)] if rest else []
    return " ".join(shown + more)


def page_log(rows: Sequence[LogRow], pinned: Collection[int]) -> Iterator[dict[str, Any]]:
    """Yield the last rolls and the pinned ones for a page: the pinned ones first, then newest first.

    The target stands with whoever made the roll; what was changed by hand, and why nothing changed, are phrases.
    """
    last = [row for row in rows[: -ROLLS_SHOWN - 1 : -1] if row.roll not in pinned]
    kept = [row for row in reversed(rows) if row.roll in pinned]
    yield from ({**_without_target(row), "pinned": row.roll in pinned} for row in (*kept, *last))


def _without_target(row: LogRow) -> dict[str, Any]:
    row = row._replace(before=_before(row), after=_after(row), refused=_refused(row))
    shown = row._replace(who=_people(row))._asdict()
    del shown["target"]
    return shown


def _people(row: LogRow) -> str:
    """Return who made a roll, and to whom it was done if that is somebody else."""
    return f"{row.who} → {row.target}".lstrip() if row.target not in {"", row.who} else row.who


def _before(row: LogRow) -> str:
    return _("Before: {changes}").format(changes=row.before) if row.before else ""


def _after(row: LogRow) -> str:
    return _("then {changes}").format(changes=row.after) if row.after else ""


def _refused(row: LogRow) -> str:
    return _("no change: {reason}").format(reason=row.refused) if row.refused else ""


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

    >>> at, rolled = "2026-11-22T21:04:07", ("", "3d6", "4 2 5", "Total 11", "")
    >>> print(log_text([LogRow(2, at, "Sera", "", "", "", *rolled, "61", "Sera jumps the gap")]))
    2. 21:04 Sera: 3d6: 4 2 5. Total 11 (seed 61). Sera jumps the gap
    >>> print(log_text([LogRow(2, at, "Sera", "", "", "", *rolled, "61", target="Orc", after="Orc HP 4 → 9")]))
    2. 21:04 Sera → Orc: 3d6: 4 2 5. Total 11 (seed 61); then Orc HP 4 → 9
    """
    lines = []
    for row in rows:
        parts = [part for part in (_people(row), row.label, _what(row), row.action, row.formula, row.faces) if part]
        struck = _("(struck out)") if row.struck else ""
        end = ". ".join(filter(None, [_end(row), row.effect, row.note]))
        end = "; ".join(filter(None, [end, _refused(row), _after(row)]))
        lines += [_before(row)] if row.before else []
        line = [f"{row.roll}.", row.time[11:16], struck, f"{': '.join(parts)}.", end]
        lines.append(" ".join(filter(None, line)))
    return "\n".join(lines)


def _what(row: LogRow) -> str:
    return f"{row.what} ({row.values})" if row.what and row.values else row.what


def _end(row: LogRow) -> str:
    return f"{row.verdict} ({dice_source(row.seed or None)})"


def log_csv(rows: Iterable[LogRow]) -> str:
    """Return the log as comma-separated values, with a header.

    A text that a spreadsheet would take for a formula begins with an apostrophe.

    >>> row = LogRow(1, "", "Sera", "=1+1", "", "", "", "3d6", "4 2 5", "Total 11", "", "61", struck=True)
    >>> log_csv([row]).splitlines()[1]
    "1,,Sera,'=1+1,,,,3d6,4 2 5,Total 11,,61,,true,,,,,"
    """
    cells = (row._replace(struck="true" if row.struck else "") for row in rows)  # type: ignore[arg-type]  # all text
    plain = ([f"'{cell}" if str(cell).startswith(_ACTIVE) else cell for cell in row] for row in cells)
    return table_csv([LogRow._fields, *plain])


def log_markdown(rows: Iterable[LogRow]) -> str:
    r"""Return the log as a table in Markdown, in which no text is markup.

    >>> row = LogRow(1, "", "Sera", "a|b", "", "", "", "3d6", "4 2 5", "Total 11", "", "61", "over the gap")
    >>> print(log_markdown([row]).splitlines()[2])
    | 1 |  | Sera | a\|b |  |  | 3d6 | 4 2 5 | Total 11 | 61 | over the gap |
    """
    shown = (_("Roll"), _("Time"), _("Who"), _("Label"), _("What"), _("Action"))
    names = (*shown, _("Dice"), _("Faces"), _("Result"), _("Seed"), _("Note"))
    lines = [names, ("---",) * len(names)]
    for row in rows:
        when, seed = row.time.replace("T", " "), row.seed or _("by hand")
        struck = _("(struck out)") if row.struck else ""
        result = " ".join(filter(None, [row.verdict, row.effect and f"({row.effect})", struck]))
        first = (str(row.roll), when, _people(row), row.label, _what(row), row.action)
        note = "; ".join(filter(None, [_before(row), row.note, _refused(row), _after(row)]))
        cells = (*first, row.formula, row.faces, result, seed, note)
        lines.append(tuple(_MARKUP.sub(r"\\\g<0>", cell) for cell in cells))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def heading(entry: Entry) -> str:
    """Return the title of a roll in a book: its note, or who made it and its label, or what was played."""
    return entry.note or entry.title or _played(entry.outcome.rule)


def _played(rule: object) -> str:
    if not isinstance(rule, Mechanic):
        return ""
    with game_words(rule):
        return word(title(rule.id or type(rule).__name__))


def log_examples(entries: Iterable[Entry]) -> str:
    """Return the rolls as directives in Markdown, which a book can contain; without those that were struck out.

    The title of each is its :func:`heading`.

    >>> import dicedocs as dd
    >>> print(log_examples([Entry(1, "Bolt", 61, dd.roll("3d6", seed=61), note="Sera jumps the gap")]))
    ```{dice:example} Sera jumps the gap
    :mechanic: dice/roll
    :notation: 3d6
    :seed: 61
    :expect: total=11
    ```
    """
    kept = [entry for entry in entries if not entry.struck]
    written = (directive(one.outcome, one.seed, heading(one), one.then, one.refers) for one in kept)
    return "\n\n".join(filter(None, written))


class LogFormat(NamedTuple):
    """A format in which a log can be copied.

    Parameters:
        label: its name for readers.
        write: returns the log, given its rolls and the same as rows.
    """

    label: str
    write: Callable[[Iterable[Entry], Iterable[LogRow]], str]


FORMATS: Final[Mapping[str, LogFormat]] = {
    "text": LogFormat(mark("Text"), lambda _entries, rows: log_text(rows)),
    "csv": LogFormat(mark("CSV"), lambda _entries, rows: log_csv(rows)),
    "markdown": LogFormat(mark("Markdown"), lambda _entries, rows: log_markdown(rows)),
    "examples": LogFormat(mark("Markdown with examples"), lambda entries, _rows: log_examples(entries)),
}
"""The formats in which every log can be copied; a page offers them."""
