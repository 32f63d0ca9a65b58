"""Lines that were read as something else once: each is read as meant, or refused with what to write instead."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dicedocs as dd
from dicedocs.errors import DiceError
from dicedocs.page_rules.outcome_conditions import OutcomeValues, read_case
from dicedocs.page_rules.outcome_words import read_words
from dicedocs.probability.claims import Subject, evaluate_claims, parse_claims, parse_term
from dicedocs.rules import registry
from tests.core.language_places import odds_of, rule_of


def lines_of(text):
    """Return the options and the lines of a rule in one text, whose options begin with a colon."""
    written = [line for line in text.split(" / ") if line.startswith(":")]
    options = dict(line[1:].split(": ", 1) for line in written)
    return options, [line for line in text.split(" / ") if line not in written]


def rule_in(text):
    options, lines = lines_of(text)
    return rule_of(*lines, **options)


# By hand: ways of all ways, or a mean.
READ = {
    "total = 2d6 / won = total = 7 or 11": Fraction(8, 36),
    "pool = 5d10 / x = count(pool = 8 or 9)": Fraction(1),
    "roll = 1d20 / x = 20 if roll = 3 or 7, else 0": Fraction(2),
    "roll = 1d6 / lucky = roll = 3-5": Fraction(3, 6),
    "pool = 5d10 / x = count(pool = 8-10)": Fraction(3, 2),
    "roll = 1d6 / x = roll != 1 or 6": Fraction(4, 6),
    "roll = 0 / n = 0 / repeat until roll = 5 or 6 /   roll = 1d6 /   n = n + 1 / x = 1 if n = 2, else 0": Fraction(
        2, 9
    ),
    "x = [rating]d10>=8 / :rating: 4": Fraction(12, 10),
    "total = 2d6 plus stat / :stat: 1": Fraction(8),
    "damage = 1d8 + 3 if hit, else 0 / :hit: yes": Fraction(15, 2),
    "damage = 1d8 + 3 if hit, otherwise 0 / :hit: no": Fraction(0),
    "x = 2d6, +2 if skilled / :skilled: yes": Fraction(9),
    "x = 2d6, +2 if skilled / :skilled: no": Fraction(7),
    "roll = 2d6 / won = roll - 2 >= 7": Fraction(10, 36),
    "hits = 3d6>=4 / x = 1 if hits - 1 at least 0, else 0": Fraction(7, 8),
    "x = 1d6 * 1.5": Fraction(1 + 3 + 4 + 6 + 7 + 9, 6),
    "x = 0.5 * fire / :fire: 5": Fraction(2),
    "roll = 1d6 / x = roll is 5+": Fraction(2, 6),
    "roll = 1d6 / x = ROLL > 4 AND roll < 7": Fraction(2, 6),
    "total = 2d6 / x = total is 2-3 or 11+": Fraction(6, 36),
    # The highest one or two of three dice, counted by hand below.
    "pool = 3d4 / best = highest(pool, kept - tired) / :kept: 2 (1 to 3) / :tired: no": Fraction(95, 16),
    "kept = 1d2 / pool = 3d4 / best = highest(pool, kept)": (Fraction(55, 16) + Fraction(95, 16)) / 2,
    "pool = 3d4 / best = highest(pool, kept - 5) / :kept: 2 (1 to 3)": Fraction(0),
    "pool = 3d4 / best = highest(pool, kept + 5) / :kept: 2 (1 to 3)": Fraction(15, 2),
}


def test_what_is_read_is_read_as_meant():
    wrong = []
    for text, expected in READ.items():
        _, lines = lines_of(text)
        name = lines[-1].partition("=")[0].strip()
        odds = odds_of(rule_in(text), name)
        found = odds.exactly(True) if set(odds) <= {True, False} else odds.mean
        if found != expected:
            wrong.append((text, found))
    assert wrong == []


def test_the_highest_of_three_dice_by_hand():
    faces = [sorted((a, b, c)) for a in range(1, 5) for b in range(1, 5) for c in range(1, 5)]
    assert Fraction(sum(each[-1] for each in faces), 64) == Fraction(55, 16)
    assert Fraction(sum(each[-1] + each[-2] for each in faces), 64) == Fraction(95, 16)


REFUSED = {
    "total = 2d6 / x = total >= 10 or 3": "ambiguous: '3' after '>='; write total = 3, or total >= 3",
    "pool = 5d6 / x = count(pool = 1 and 6)": "nothing is several values at once: 'and 6'; write or 6",
    "roll = 1d6 / x = roll = 1 or 6 and roll > 2": "ambiguous: 'and' and 'or' beside '6'; write roll = 6, and put",
    "total = 2d6 / x = total >= 5-6": "'>=' compares with one number, and '5-6' is a range; write = 5–6, or >= 5",
    "total = 2d6 / x = total is 10-3": "10-3 runs backwards; write 3-10, or (10 - 3)",
    "x = 1d6 = 5 or 6": "the same dice are compared twice; give them a name on a line above",
    "x = 1d6 is 5-6": "dice between two comparisons; give them a name on a line above",
    "x = [rating]d10>=target / :rating: 4 / :target: 8": (
        "'>=target' without spaces is a modifier, which takes a number; write count([rating]d10 >= target) to count"
    ),
    "x = 4d6r<low / :low: 2": "'r<low' without spaces is a modifier, which takes a number; write the number, as in",
    "x = 4d6!>=aim / :aim: 5": "'!>=aim' without spaces is a modifier, which takes a number",
    "hits = 4d8>=[aim] / :aim: 5": "'>=aim' without spaces is a modifier, which takes a number",
    "total = 4d6k>=aim / :aim: 5": "'k>=aim' without spaces is a modifier, which takes a number",
    "x = count(6d10>=8)": "'6d10>=8' counts dice already; write count(6d10 >= 8), or count(6d10)",
    "x = highest(3d6>=5)": "'3d6>=5' counts dice already; write count(3d6 >= 5), or highest(3d6)",
    "pool = 5d6>=5 / x = count(pool)": "'pool' counts its dice already, and count() reads dice",
    "x = highest(1d20, 1d20)": "highest() takes dice, and how many of them; write max(1d20, 1d20) for the highest",
    "a = 1d20 / b = 1d20 / x = lowest(a, b)": "lowest() takes dice, and how many of them; write min(a, b)",
    "x = max(2d20)": "max() of one value is that value; write highest(...) for the highest die, or max(a, b)",
    "pool = 3d4 / x = pool - min(pool)": "min() of one value is that value; write lowest(...)",
    "pool = 4d6 / x = (pool)kh[keep] / :keep: 2": "'kh[keep]' is not a number: a modifier takes digits; write highest(",
    "x = 3d4kl[keep] / :keep: 2": "'kl[keep]' is not a number: a modifier takes digits; write lowest(pool, keep)",
    "x = 2d6 [bonus] / :bonus: 2": "[bonus] behind a value is its kind, and 'bonus' is a name; write + bonus to add it",
    "x = 4d20dh1kh1": "'dh1' drops all that 'kh1' keeps; keep some of those that are left in parentheses",
    "x = 3d4dl1kl1": "'dl1' drops all that 'kl1' keeps",
    "x = 3d6dl3": "'dl3' leaves none of 3 dice; drop fewer, or throw more dice",
    "x = 4d6dl2dh2": "'dl2dh2' leaves none of 4 dice",
    "x = 3d6kh1dl3": "'kh1dl3' leaves none of 3 dice",
    "hits = 0 / repeat 2 times /   hits = hits + 1d6 = 6": (
        "'hits' was a number above, and is yes or no here; write hits + (1d6 = 6)"
    ),
    "pool = 3d4 / x = count(pool = 6)": "no die of 'pool' can meet this: a d4 shows 1 to 4; compare with 1 to 4",
    "x = count(3d4 = 3 or 6)": "no die of '3d4' can meet this",
    "x = 1/2 * fire / :fire: 5": "1/2 is rounded down to 0; write 0.5 * fire",
    "hits = 3d6>=4 / x = hits - 1 at least 0": "write max(hits - 1, 0) for a number, or hits - 1 >= 0 for yes or no",
    "x = 1-6": "1-6 is a range; write dice, as in 1d6, or (1 - 6) for a difference",
    "x = 1–6": "1–6 is a range; write dice for a throw",
    "x = 3+": "3+ is a range",
    "x = 2d6 or 3": "'2d6' is a number, not yes or no; write 2d6 > 0",
    "x = 2 or 3": "'2' is a number, not yes or no; write what it is compared with, as in total = 2",
    "x = 1d6 + 1.5": "1.5 is not a whole number; write 1 or 2, or multiply by it, as in 1.5 * 2",
    "x = 1d6 >= 2.5": "2.5 is not a whole number; write 2 or 3",
    "x = stat / :stat: 1, 2": "'1, 2' is a list; write one default, and its bounds in parentheses, as in 1 (1 to 6)",
    "x = roll(boost) / :boost: d6, d8": "'d6, d8' is a list; write dice without commas, as in d6 d8",
    "x = 1 if hurt, else 0 / :hurt: yes, no": "'yes, no' is a list; write yes, or words with slashes",
    "x = and at least 5": "expected a value, found 'and'",
    "x = at least 5": "nothing stands before this comparison; write it before, as in total >= 5",
    "x = 2 if wounds, else 1 / :wounds: 1": "'wounds' is a number, not yes or no; write wounds > 0",
    "x = 2 if 1, else 1": "'1' is a number, not yes or no; write what it is compared with",
}


def test_what_is_refused_says_what_to_write():
    wrong = []
    for text, expected in REFUSED.items():
        try:
            odds = odds_of(rule_in(text), lines_of(text)[1][-1].partition("=")[0].strip())
        except DiceError as error:
            said = "; ".join(filter(None, (error.message, error.hint)))
            if expected not in said:
                wrong.append((text, said))
        else:
            wrong.append((text, odds))
    assert wrong == []


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("4d6kh[N]", "'kh\\[N\\]' is not a number: a modifier takes digits .* write kh3, or kh1 \\[N\\] if"),
        ("4d20dh1kh1", "'dh1' drops all that 'kh1' keeps"),
        ("2d6dl2", "'dl2' leaves none of 2 dice"),
        ("1d6 + 1.5", "1.5 is not a whole number"),
    ],
)
def test_the_notation_refuses_it_as_well(notation, message):
    with pytest.raises(dd.NotationError, match=message):
        dd.roll(notation)


def test_a_label_may_stand_behind_a_modifier_with_its_number():
    assert dd.roll("4d6kh1[N]", dice=[1, 2, 3, 4]).fact("total") == 4
    assert dd.roll("4d6kh [N]", dice=[1, 2, 3, 4]).fact("total") == 4


def outcome_of(*lines, **options):
    """Return the values of an outcome of a rule."""
    return OutcomeValues(rule_of(*lines, **options)().play(dd.SeededDice(1)))


# What can never hold, and by hand what the number can be.
IMPOSSIBLE = {
    "total = 13": "'total' is never 13: it is 2–12",
    "total >= 20": "'total' is never 20 or more: it is 2–12",
    "20 <= total": "'total' is never 20 or more: it is 2–12",
    "total > 12": "'total' is never 13 or more: it is 2–12",
    "total under 2": "'total' is never 1 or less: it is 2–12",
    "total is 7 or 13": "'total' is never 13: it is 2–12",
    "not total = -3": "'total' is never -3: it is 2–12",
    "after = 10": "'after' is never 10: it is 1–9",
    "less <= -12": "'less' is never -12 or less: it is -11 to 4",
    "fee is 3": "'fee' is never 3: it is 5–8",
    "heat < 0": "'heat' is never -1 or less: it is 0+",
    "area > 36": "'area' is never 37 or more: it is 1–36",
    "half is 4": "'half' is never 4: it is 0–3",
}
POSSIBLE = ["total > 11", "total is not 13", "after = 9", "less <= -11", "fee < 6", "hits = 99", "heat = 200"]
POSSIBLE += ["open >= 99"]


def test_a_condition_that_can_never_hold_is_refused():
    lines = ["total = 2d6", "after = min(heat + 1, 9)", "less = -total + 1d6", "fee = 5 if heat > 2, else 8"]
    lines += ["area = 1d6 * 1d6", "half = 1d6 / 2", "open = 2d6!"]
    lines += ["hits = 0", "repeat 3 times", "  hits = hits + 1"]
    values = outcome_of(*lines, heat="3 (0+)")
    for text, message in IMPOSSIBLE.items():
        with pytest.raises(DiceError) as refused:
            read_case(text, values)
        assert refused.value.message == message
    for text in POSSIBLE:
        read_case(text, values)


def test_words_know_what_a_number_can_be():
    values = outcome_of("total = 2d6")
    assert len(read_words("total | 2-7: Low. | 8-12: High.", values)) == 2
    for text, message in {
        "total | 2-7: Low. | 8-11: High.": "12 has no words",
        "total | 3-7: Low. | 8+: High.": "2 has no words",
        "total | 2-7: Low. | 8-12: High. | 13+: Never.": "'total' is never 13+: it is 2–12",
    }.items():
        with pytest.raises(DiceError) as refused:
            read_words(text, values)
        assert refused.value.message == message


def test_a_name_may_have_hyphens_and_apostrophes(monkeypatch):
    names = "to-hit = 1d20 / Kira's luck = 1d6 / größe = to-hit-2 / hit = to-hit >= goal-score / :goal-score: 12"
    rule = rule_in(names)
    assert odds_of(rule, "hit").exactly(True) == Fraction(9, 20)
    assert odds_of(rule, "größe").mean == Fraction(21, 2) - 2
    values = OutcomeValues(rule().play(dd.ScriptedDice([13, 4])))
    for text in ("to-hit = 13", "To hit = 13", "to-hit-2 = 11", "Kira's luck = 4", "KIRA’S LUCK is 4", "GRÖSSE = 11"):
        assert read_case(text, values).holds
    monkeypatch.setitem(registry._registered, "t/rule", rule)
    subject = Subject("t/rule", {})
    assert parse_term("p(Kira's luck = 3)").value(subject) == Fraction(1, 6)
    assert parse_term("p(to-hit at least 12)").value(subject) == Fraction(9, 20)


# Wordings of somebody who had only the guide.
def test_what_a_stranger_wrote_is_read_as_meant_or_refused():
    read = {
        "total = 2d6 / x = total is not less than 8": Fraction(15, 36),
        "total = 2d6 / x = total is greater than or equal to 8": Fraction(15, 36),
        "total = 2d6 / x = total is less or equal to 4": Fraction(6, 36),
        "total = 2d6 / x = total is not at least 8": Fraction(21, 36),
        "total = 2d6 / x = total is either 7 or 11": Fraction(8, 36),
        "roll = 1d6 / x = roll: 1-3 -1, 4-6 +2": Fraction(1, 2),
        "x = 1d6 * 2.5": Fraction(2 + 5 + 7 + 10 + 12 + 15, 6),
    }
    refused = {
        "total = 2d6 / x = total is 7/11": "7/11 is rounded down to 0; write 7 or 11 for either, or (7 / 11)",
        "total = 2d6 / x = total = 8 * 2": "'total' is never 16: it is 2–12",
        "total = 2d6 / x = total is 15 - 1": "'total' is never 14: it is 2–12",
        "total = 2d6 / x = total is 8 or more and 10 or less": "write total >= 8 and total <= 10",
        "x = 1d6 * 1.000": "1.000 may be a thousand times as much elsewhere; write 1000, or 1",
        "x = 1d6 * 2.500": "write 2500, or 2.5",
        "total = 2d6 / x = total is 3 total is 4": "write an operator before it, or leave it out",
    }
    for text, expected in read.items():
        odds = odds_of(rule_in(text), "x")
        assert (text, odds.exactly(True) if set(odds) <= {True, False} else odds.mean) == (text, expected)
    for text, message in refused.items():
        with pytest.raises(DiceError) as error:
            odds_of(rule_in(text), "x")
        assert message in f"{error.value.message}; {error.value.hint}", text
    scene = dd.Scene(heat="3", luck="0")
    scene.change("luck += max(heat, 2) if luck = 0, else 1")
    assert scene.state()["luck"] == "3"


def test_claims_are_read_as_conditions_are(monkeypatch):
    rule = rule_of("total = 2d6", "lucky = total is 7 or 11", "result = total: 9- weak hit, 10+ strong hit")
    monkeypatch.setitem(registry._registered, "t/rule", rule)
    subject = Subject("t/rule", {})
    wrong: list[object] = []
    # By hand: two dice come to 7 or 11 in 8 of 36 ways.
    read = ("p(lucky) is 8/36", "p(lucky) at least 22%", "p(lucky) is about 22%", "p(lucky = 1) = 8/36")
    read += ("p(total is 7, 8 or 9) = 15/36", "p(neither 7 nor 11) = 28/36", "p(result is 'strong hit') = 1/6")
    for claim in read:
        wrong += [claim for each in evaluate_claims(parse_claims(claim), subject) if not each.holds]
    assert wrong == []
