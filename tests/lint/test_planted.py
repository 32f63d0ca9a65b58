"""Faults that are planted in clean pages, in each form that a table or a figure has, are named at their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

from dicedocs.lint.book import Book, check_page
from dicedocs_lint.files import read_text

WORDS = [f"{letter}inn" for letter in ascii_lowercase]
DICE = {"d6": 6, "d8": 8, "d12": 12, "d20": 20, "1d100": 100}
AVERAGES = ((4, "1d8"), (7, "2d6"), (10, "2d6 + 3"), (27, "5d10"), (26, "4d8 + 8"), (13, "3d6 + 3"))
Rows = list[tuple[int, int]]


class Form(NamedTuple):
    """How a table is written: its format, whether each row has one number, its lines, and which are its rows."""

    format: str
    single: bool
    write: Callable[[str, list[tuple[str, str]]], tuple[list[str], Sequence[int]]]


def bars(dice, rows):
    lines = [f"| {dice} | Result |", "|---|---|", *(f"| {key} | {text} |" for key, text in rows)]
    return lines, range(2, len(lines))


def html(dice, rows):
    cells = [f"<tr><td>{key}</td><td>{text}</td></tr>" for key, text in rows]
    return ["<table>", f"<tr><th>{dice}</th><th>Result</th></tr>", *cells, "</table>"], range(2, 2 + len(rows))


def grid(dice, rows):
    rule = f"+{'-' * 10}+{'-' * 10}+"
    lines = [rule, f"| {dice:8} | {'Result':8} |", rule.replace("-", "=")]
    for key, text in rows:
        lines += [f"| {key:8} | {text:8} |", f"| {'':8} | {'again':8} |", rule]
    return lines, range(3, 3 + 3 * len(rows), 3)


def simple(dice, rows):
    rule = f"{'=' * 8}  {'=' * 8}"
    return [rule, f"{dice:8}  Result", rule, *(f"{key:8}  {text}" for key, text in rows), rule], range(3, 3 + len(rows))


def list_table(dice, rows):
    lines = [".. list-table::", "   :header-rows: 1", ""]
    lines += [line for key, text in [(dice, "Result"), *rows] for line in (f"   * - {key}", f"     - {text}")]
    return lines, range(5, len(lines), 2)


def csv_table(dice, rows):
    lines = [".. csv-table::", f"   :header: {dice}, Result", "", *(f'   "{key}", {text}' for key, text in rows)]
    return lines, range(3, 3 + len(rows))


def entries(dice, rows):
    lines, places = [".. rollingtable::", f"   :die: {dice}", ""], []
    for key, text in rows:
        low, _dash, high = key.partition("–")
        places.append(len(lines))
        lines += ["   .. entry::", f"      :min: {low}", f"      :max: {high or low}", "", f"      {text}", ""]
    return lines, places


def numbered(dice, rows):
    return [f"Roll a {dice}:", "", *(f"{key}. {text}" for key, text in rows)], range(2, 2 + len(rows))


FORMS = {
    "bars": Form("markdown", False, bars),
    "bars, single": Form("markdown", True, bars),
    "list": Form("markdown", True, numbered),
    "HTML": Form("html", False, html),
    "grid": Form("rst", False, grid),
    "simple": Form("rst", False, simple),
    "list table": Form("rst", False, list_table),
    "CSV": Form("rst", False, csv_table),
    "directives": Form("rst", False, entries),
    "list in reST": Form("rst", True, numbered),
}


class Page(NamedTuple):
    """A page as text, and the lines of the rows of its second table, before which stands another one."""

    text: str
    rows: list[int]
    average: int


def clean_rows(random: Random, form: Form) -> tuple[str, Rows]:
    dice = random.choice([each for each in DICE if DICE[each] <= 20] if form.single else [*DICE])
    sides = DICE[dice]
    if form.single:
        return dice, [(number, number) for number in range(1, sides + 1)]
    cuts = sorted(random.sample(range(1, sides), min(5, sides - 1)))
    return dice, [(low + 1, high) for low, high in zip([0, *cuts], [*cuts, sides], strict=True)]


def page(form: Form, dice: str, rows: Rows, figure: int, averaged: str) -> Page:
    keyed = [(str(low) if low == high else f"{low}–{high}", WORDS[at]) for at, (low, high) in enumerate(rows)]
    first, _ = form.write("d4", [(str(number), WORDS[number]) for number in range(1, 5)])
    lines, places = form.write(dice, keyed)
    head = {"markdown": ["# Shore", ""], "rst": ["Shore", "=====", ""], "html": ["<h1>Shore</h1>"]}[form.format]
    text = f"The gull hits for {figure} ({averaged}) damage."
    text = f"<p>{text}</p>" if form.format == "html" else text
    above = [*head, "Some words.", "", *first, "", text, "", "And more of them.", ""]
    return Page("\n".join([*above, *lines, ""]), [len(above) + at + 1 for at in places], above.index(text) + 1)


def plant(random: Random, rows: Rows, dice: str, form: Form) -> Iterator[tuple[str, Rows, set[int]]]:
    """Yield rows with a fault, and by their numbers the rows at which it may be named.

    Of two rows that leave a number out, or share one, nobody knows which is wrong.
    """
    at = random.randrange(1, len(rows) - 1)
    low, high = rows[at]
    if form.single:
        yield "another number", [*rows[:at], (low + 20, low + 20), *rows[at + 1 :]], {at - 1, at, at + 1}
        yield "no last row", rows[:-1], {-1, len(rows) - 2}
        yield "no row", [*rows[:at], *rows[at + 1 :]], {at - 1, at}
        return
    yield "a higher end", [*rows[:at], (low, high + random.choice([1, 2])), *rows[at + 1 :]], {at, at + 1}
    yield "a lower begin", [*rows[:at], (max(1, low - random.choice([1, 2])), high), *rows[at + 1 :]], {at - 1, at}
    yield "no row", [*rows[:at], *rows[at + 1 :]], {at - 1, at}
    yield "no last row", rows[:-1], {-1, len(rows) - 2}
    yield "another end", [*rows[:-1], (rows[-1][0], DICE[dice] + 1)], {-1, len(rows) - 1}
    if high > low:
        yield "a lower end", [*rows[:at], (low, high - 1), *rows[at + 1 :]], {at, at + 1}
        yield "backwards", [*rows[:at], (high, low), *rows[at + 1 :]], {at}


def said(form: Form, written: Page) -> list[int]:
    checked = check_page(read_text("page", written.text.encode(), form.format))
    return [finding.line for _page, finding in Book((checked,)).findings()]


def test_planted_faults_are_named_at_their_lines():
    random, missed, planted = Random(58), [], 0
    for turn in range(4):
        for name, form in FORMS.items():
            dice, rows = clean_rows(random, form)
            figure, averaged = AVERAGES[(turn + len(name)) % len(AVERAGES)]
            clean = page(form, dice, rows, figure, averaged)
            assert said(form, clean) == [], clean.text
            faults = [*plant(random, rows, dice, form)]
            for kind, wrong, places in random.sample(faults, 2):
                if "list" in name and form.single and kind != "no last row":
                    continue  # a list numbers itself
                written = page(form, dice, wrong, figure, averaged)
                # The head names the die, which may be the wrong one.
                allowed = {written.rows[at] for at in places if at >= 0} | (
                    {*range(written.average + 4, written.rows[0])} if -1 in places else set()
                )
                planted += 1
                found = said(form, written)
                if allowed.isdisjoint(found) or not {*found} <= {*range(written.average + 4, written.rows[-1] + 1)}:
                    missed.append(f"{name}, {kind}: lines {found}, expected {sorted(allowed)}\n{written.text}")
            written = page(form, dice, rows, figure + random.choice([-2, -1, 2, 3]), averaged)
            planted += 1
            if said(form, written) != [written.average]:
                missed.append(f"{name}, average: lines {said(form, written)}, expected {written.average}")
    assert planted >= 100
    assert len(missed) <= planted * 5 / 100, "\n".join(missed)
