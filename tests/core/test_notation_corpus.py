"""The notations of other tools' tests and guides, each with its reading here, or the hint with which it is refused.

Some rows are marked: as estimated, where the odds are too many to count; with a remainder, where dice explode so often
that much is not counted; and as refused there, where the other tool refuses the text as well.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from statistics import mean

import pytest

import dicedocs as dd
from dicedocs.errors import DiceError, NotationError
from dicedocs.expression.notation_rule import NotationRule
from dicedocs.rules.playing import rule_from_notation
from dicedocs.syntax.diagnosis import MISTAKES
from dicedocs.syntax.mistakes import Mistake
from dicedocs.syntax.parser import parse_check, parse_expression, split_comment
from dicedocs.syntax.tree import format  # noqa: A004 -- it is to trees what the built-in is to values

from ..every import every

ROWS = json.loads((Path(__file__).parent / "notations.json").read_text("utf-8"))
PLAYS = 50
READ = [row for row in ROWS if "reading" in row]
PLAYED = [row for row in READ if "fails" not in row]
REFUSED = [row for row in ROWS if "refused" in row]


def parse(text):
    """Return the tree of a roll, or else of a check."""
    try:
        return parse_expression(text, "notation")
    except NotationError:
        return parse_check(text, "notation")


def names(rows):
    return [row["text"] for row in rows]


@every("row", READ, ids=names(READ))
def test_each_notation_has_its_reading(row):
    rule = rule_from_notation(row["text"], row.get("actor"))
    assert isinstance(rule, NotationRule)
    assert format(rule.tree) == row["reading"]
    # Written in the usual spelling it is the same tree.
    assert parse(row["reading"]) == rule.tree


@every("row", PLAYED, ids=names(PLAYED))
def test_each_notation_has_a_working_and_the_odds_of_its_dice(row):
    rule = rule_from_notation(row["text"], row.get("actor"))
    outcome = rule.play(dd.SeededDice("corpus"))
    assert str(outcome)
    assert dd.Outcome.to_json(outcome)
    if row.get("estimated"):
        with pytest.raises(dd.LimitError):
            dd.odds(rule)
        return
    odds = dd.odds(rule)
    if row.get("remainder"):
        assert odds.remainder > Fraction(1, 10)
        return
    dice = dd.SeededDice(row["text"][:100])
    totals = [int(rule.play(dice).value) for _ in range(PLAYS)]
    assert all(odds.exactly(total) for total in totals)
    exact = odds.map(int)
    # The average of so many plays is further off than 6 standard deviations once in 500 million times.
    assert abs(mean(totals) - exact.mean) <= 6 * exact.standard_deviation / PLAYS**0.5 + 1e-9


@every("row", [row for row in READ if "fails" in row], ids=lambda row: row["text"])
def test_what_has_no_value_is_refused_when_it_is_rolled_and_counted(row):
    for attempt in (dd.roll, lambda text: dd.odds("dice/roll", notation=text)):
        with pytest.raises(DiceError):
            attempt(row["text"])


@every("row", REFUSED, ids=names(REFUSED))
def test_each_refusal_has_its_hint_and_every_text_in_it_is_legal(row):
    with pytest.raises(NotationError) as caught:
        rule_from_notation(row["text"], row.get("actor"))
    hint = caught.value.hint
    start, more, _ = row["refused"].partition("…")
    assert hint.startswith(start)
    assert more or hint == start
    assert 0 <= caught.value.at <= len(row["text"])
    for text in re.findall(r"'([^']+)'", hint):
        if text not in {")", "}", "(", "{", "[", "]"}:
            parse(split_comment(text)[0])


@every("row", REFUSED, ids=names(REFUSED))
def test_each_hint_rolls_what_is_meant(row):
    with pytest.raises(NotationError) as caught:
        rule_from_notation(row["text"], row.get("actor"))
    spelled = re.findall(r"(?:write|roll) '([^']+)'", caught.value.hint)
    if row.get("fails"):
        assert spelled
        return
    assert [odds(text, row) for text in spelled] == [odds(text, row) for text in row.get("meant", ())]


@every("row", REFUSED, ids=names(REFUSED))
def test_each_hint_is_legal_where_it_is_given(row):
    for read in (parse_expression, parse_check):
        with pytest.raises(NotationError) as caught:
            read(row["text"], "notation")
        for verb, text in re.findall(r"(write|roll) '([^']+)'", caught.value.hint):
            (read if verb == "write" else parse_expression)(text, "notation")


def odds(text, row):
    """Return the odds of a text, in which a check is 1 or 0."""
    return dd.odds(rule_from_notation(text, row.get("actor"), row.get("target"))).map(int)


def test_each_correction_of_the_table_is_rolled(monkeypatch):
    met, match = set[str](), Mistake.match

    def note(mistake, failure):
        found = match(mistake, failure)
        met.update([str(mistake)] if found else [])
        return found

    monkeypatch.setattr(Mistake, "match", note)
    for row in REFUSED:
        if "meant" in row:
            with pytest.raises(NotationError):
                rule_from_notation(row["text"], row.get("actor"))
    corrections = [each for each in MISTAKES["notation"] if isinstance(each, Mistake) and each.fix is not None]
    assert [each for each in corrections if str(each) not in met] == []


def test_nearly_all_of_the_guide_and_most_of_the_tests_are_read():
    def share(source):
        # What d20 refuses too, unless it is told that the rest of a message is a comment, is not part of its notation.
        rows = [row for row in ROWS if row["from"] == source and "refused_there" not in row]
        return sum("reading" in row for row in rows) / len(rows)

    assert share("rpg-dice-roller") > 0.97
    assert share("d20") > 0.91


@every(
    ("text", "same"),
    [
        ("output [highest 3 of 4d6]", "4d6kh3"),
        ("output [count {8..10} in 5d10]", "5d10>=8"),
        ("output [explode d6]", "d6!x2"),
        ("1d20 advantage", "2d20kh1"),
        ("4d6 drop lowest", "4d6dl1"),
        ("4d6 keep highest 3", "4d6kh3"),
        ("2d20 keep the best die + 5", "2d20kh1 + 5"),
    ],
)
def test_a_hint_from_another_tool_shows_what_means_the_same(text, same):
    with pytest.raises(NotationError) as caught:
        dd.roll(text)
    assert f"write '{same}'" in caught.value.hint


def test_the_odds_of_the_hints_are_those_of_the_other_tool():
    # AnyDice: [highest 3 of 4d6] is 18 in 21 of 1296; its explode adds up to two more dice.
    assert dd.odds("dice/roll", notation="4d6kh3").p("= 18") * 1296 == 21
    assert dd.odds("dice/roll", notation="d6!x2").p("= 18") * 216 == 1
    assert dd.odds("dice/roll", notation="5d10>=8").p("= 5") * 100_000 == 243
